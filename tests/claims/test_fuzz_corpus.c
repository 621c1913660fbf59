/** The fuzz targets' claims on every committed input, with any compiler: seeds and what fuzzing found. */
#include <dirent.h>

#include "tests/support/test_support.h"

int fuzz_mesh_import(const uint8_t *data, size_t size);
int fuzz_obj(const uint8_t *data, size_t size);
int fuzz_gltf(const uint8_t *data, size_t size);
int fuzz_materials(const uint8_t *data, size_t size);
int fuzz_options(const uint8_t *data, size_t size);
int fuzz_project(const uint8_t *data, size_t size);
int fuzz_wav(const uint8_t *data, size_t size);
int fuzz_head(const uint8_t *data, size_t size);

/* One file in a buffer of exactly its size, so that AddressSanitizer sees the first byte past it. */
static void feed_file(const char *path, int (*target)(const uint8_t *data, size_t size))
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    cr_assert(eq(int, fseek(file, 0, SEEK_END), 0));
    const long size = ftell(file);
    cr_assert(test_at_least((double)(size), (double)(0)));
    rewind(file);
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
    cr_assert(bytes != NULL && (size == 0 || fread(bytes, (size_t)size, 1, file) == 1));
    fclose(file);
    fprintf(stderr, "%s\n", path); /* a claim that does not hold aborts: this line says on what */
    cr_assert(eq(int, target(bytes, (size_t)size), 0), "%s", path);
    free(bytes);
}

static size_t feed_folder(const char *name, int (*target)(const uint8_t *data, size_t size))
{
    char path[600];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", test_source_dir(), name);
    DIR *listing = opendir(path);
    cr_assert(listing != NULL, "%s is missing", path);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s/%s", test_source_dir(), name, entry->d_name);
        feed_file(path, target);
        count++;
    }
    closedir(listing);
    return count;
}

#define CORPUS_TEST(name)                                                                                    \
    Test(fuzz_corpus, every_claim_of_##name##_holds_on_its_corpus)                                           \
    {                                                                                                        \
        cr_assert(test_at_least((double)(feed_folder(#name, fuzz_##name)), (double)(10)));                   \
    }

CORPUS_TEST(mesh_import)
CORPUS_TEST(obj)
CORPUS_TEST(gltf)
CORPUS_TEST(materials)
CORPUS_TEST(options)
CORPUS_TEST(project)
CORPUS_TEST(wav)
CORPUS_TEST(head)
