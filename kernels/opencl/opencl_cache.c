#include "kernels/opencl/opencl_cache.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/byte_hash.h"
#include "geometry/base/regular_file.h"
#include "geometry/base/text_buffer.h"
#include "geometry/base/whole_file.h"
#include "kernels/machine/user_folder.h"

#define FILE_MOST (UINT64_C(1) << 28) /* bytes */

/* The words that a file carries, and its path. False without a folder or memory. */
static bool name_program(const struct opencl_card *card, const char *options, struct text_buffer *words,
                         char path[PATH_MAX])
{
    char name[40], text[3][128];
    struct failure failure;
    const char *const word[] = {opencl_ask_words(card, OPENCL_DEVICE_NAME, text[0]),
                                opencl_ask_words(card, OPENCL_DEVICE_VERSION, text[1]),
                                opencl_ask_words(card, OPENCL_DRIVER_VERSION, text[2]), options};
    for (size_t n = 0; n < sizeof word / sizeof *word; ++n)
        if (text_put(words, word[n], strlen(word[n]) + 1, &failure) != 0)
            return false;
    if (text_put(words, opencl_program_text, opencl_program_text_bytes, &failure) != 0)
        return false;
    (void)snprintf(name, sizeof name, "transept/opencl-%016" PRIx64,
                   hash_bytes(HASH_START, words->data, words->size));
    return user_folder("XDG_CACHE_HOME", ".cache", name, path);
}

static opencl_program load(const struct opencl_card *card, const char *options, const char *binary,
                           size_t bytes)
{
    int32_t state = 0, error = 0;
    const opencl_program program = card->call->CreateProgramWithBinary(
        card->context, 1, &card->device, &bytes, (const unsigned char *[]){(const unsigned char *)binary},
        &state, &error);
    if (error != 0)
        return NULL;
    if (state == 0 && card->call->BuildProgram(program, 1, &card->device, options, NULL, NULL) == 0)
        return program;
    (void)card->call->ReleaseProgram(program);
    return NULL;
}

opencl_program opencl_cache_take(const struct opencl_card *card, const char *options)
{
    char path[PATH_MAX], *found = NULL;
    size_t length = 0;
    uint64_t hash = 0;
    struct failure failure;
    struct text_buffer words = {0};
    opencl_program program = NULL;
    if (name_program(card, options, &words, path) &&
        regular_file_read(path, FILE_MOST, &found, &length, &failure) == 0 &&
        length > sizeof hash + words.size) {
        memcpy(&hash, found, sizeof hash);
        const char *const rest = found + sizeof hash;
        if (hash == hash_bytes(HASH_START, rest, length - sizeof hash) &&
            memcmp(rest, words.data, words.size) == 0)
            program = load(card, options, rest + words.size, length - sizeof hash - words.size);
    }
    free(found);
    free(words.data);
    return program;
}

/* Append the program's binary. */
static bool add_binary(const struct opencl_card *card, opencl_program program, struct text_buffer *words)
{
    size_t bytes = 0;
    struct failure failure;
    if (card->call->GetProgramInfo(program, OPENCL_PROGRAM_BINARY_BYTES, sizeof bytes, &bytes, NULL) != 0 ||
        bytes == 0 || bytes > FILE_MOST / 2)
        return false;
    char *const binary = malloc(bytes);
    const bool added = binary != NULL &&
                       card->call->GetProgramInfo(program, OPENCL_PROGRAM_BINARIES, sizeof binary,
                                                  (char *[]){binary}, NULL) == 0 &&
                       text_put(words, binary, bytes, &failure) == 0;
    free(binary);
    return added;
}

void opencl_cache_put(const struct opencl_card *card, const char *options, opencl_program program)
{
    char path[PATH_MAX];
    struct failure failure;
    struct whole_file file = {0};
    struct text_buffer words = {0};
    if (name_program(card, options, &words, path) && add_binary(card, program, &words) &&
        user_folder_make(path, &failure) == 0 && whole_file_open(&file, path, &failure) == 0) {
        const uint64_t hash = hash_bytes(HASH_START, words.data, words.size);
        (void)fwrite(&hash, sizeof hash, 1, file.stream);
        (void)fwrite(words.data, 1, words.size, file.stream);
        (void)whole_file_commit(&file, &failure);
    }
    whole_file_abandon(&file);
    free(words.data);
}
