/* Programs of an OpenCL device on disk. */
#define _XOPEN_SOURCE 700
#include "kernels/opencl/opencl_cache.h"
#include "geometry/base/byte_hash.h"
#include "kernels/opencl/opencl_device.h"
#include "tests/support/outcome.h"
#include "tests/support/own_folder.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>

TestSuite(opencl_cache, .init = enter_folder, .fini = leave_folder);

/* Options of one length. */
#define OWN   "-w -D A"
#define OTHER "-w -D B"

static const struct opencl_kind KIND = {.box = true};
static char path[PATH_MAX], *words;

static const struct opencl_card *open_card(void)
{
    const struct opencl_card *card = NULL;
    if (opencl_count() == 0)
        cr_skip("no OpenCL device");
    MUST(opencl_open(0, &card, &failure));
    return card;
}

static opencl_program build(void)
{
    opencl_program program = NULL;
    bool same = false;
    MUST(opencl_build(0, KIND, &program, &same, &failure));
    cr_assert(same);
    return program;
}

/* The one file of the cache, and its status. */
static struct stat find_file(const char *cache)
{
    struct stat status;
    DIR *listing = opendir(cache);
    cr_assert(listing != NULL, "%s is missing", cache);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (entry->d_name[0] != '.')
            (void)snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
    closedir(listing);
    cr_assert(eq(int, stat(path, &status), 0));
    return status;
}

/* Is there a program for these options that works? */
static bool is_there(const struct opencl_card *card, const char *options)
{
    int32_t error = -1;
    const opencl_program program = opencl_cache_take(card, options);
    if (program == NULL)
        return false;
    const opencl_kernel kernel = card->call->CreateKernel(program, "step_whole", &error);
    cr_assert(eq(int, error, 0));
    (void)card->call->ReleaseKernel(kernel);
    (void)card->call->ReleaseProgram(program);
    return true;
}

Test(opencl_cache, a_process_takes_the_program_that_another_has_built)
{
    (void)setenv("XDG_CACHE_HOME", folder, 1);
    const pid_t other = fork();
    if (other == 0) {
        const struct opencl_card *card;
        struct failure why;
        opencl_program program = NULL;
        bool same = false;
        _exit(opencl_count() > 0 &&
              (opencl_open(0, &card, &why) != 0 || opencl_build(0, KIND, &program, &same, &why) != 0));
    }
    int status = -1;
    cr_assert(waitpid(other, &status, 0) == other && status == 0);
    (void)open_card();
    const ino_t written = find_file("transept").st_ino;
    (void)build();
    /* A program that was built from its text is written anew, which makes another file. */
    cr_assert(find_file("transept").st_ino == written && count_entries("transept", "") == 1);
}

Test(opencl_cache, only_a_whole_file_of_the_same_device_and_options_is_used)
{
    const struct opencl_card *const card = open_card();
    const opencl_program program = build();
    (void)setenv("XDG_CACHE_HOME", folder, 1);
    cr_assert(is_there(card, OWN) == false);
    opencl_cache_put(card, OWN, program);
    cr_assert(is_there(card, OWN) && !is_there(card, OTHER));
    const size_t bytes = (size_t)find_file("transept").st_size;
    words = read_text(path);
    char *text = words + 8, own[PATH_MAX];
    for (int word = 0; word < 4; ++word)
        text += strlen(text) + 1;
    (void)snprintf(own, sizeof own, "transept/opencl-%016llx",
                   (unsigned long long)hash_bytes(HASH_START, words + 8, (size_t)(text - words - 8)));
    cr_assert(memcmp(text, opencl_program_text, opencl_program_text_bytes) == 0);
    cr_assert(eq(str, path, own)); /* without the text, so that another text replaces it */
    for (int fault = 0; fault < 5; ++fault) {
        words[bytes / 2] ^= fault == 0;
        write_bytes(own, words, fault == 1 ? bytes - 1 : fault == 2 ? 5 : bytes);
        words[bytes / 2] ^= fault == 0;
        if (fault == 3) { /* a file of other options under this name */
            cr_assert(is_there(card, OWN));
            cr_assert(eq(int, remove(own), 0));
            opencl_cache_put(card, OTHER, program);
            (void)find_file("transept");
            cr_assert(rename(path, own) == 0);
        }
        if (fault == 4) { /* of another text, and whole */
            text[0] ^= 1;
            const uint64_t hash = hash_bytes(HASH_START, words + 8, bytes - 8);
            memcpy(words, &hash, sizeof hash);
            write_bytes(own, words, bytes);
        }
        cr_assert(is_there(card, OWN) == false, "fault %d", fault);
        opencl_cache_put(card, OWN, program);
        cr_assert(is_there(card, OWN) && count_entries("transept", "") == 1, "fault %d", fault);
    }
}

static unsigned mode_of(const char *of)
{
    struct stat status;
    cr_assert(eq(int, lstat(of, &status), 0));
    return status.st_mode;
}

Test(opencl_cache, what_another_user_can_have_written_is_not_used)
{
    const struct opencl_card *const card = open_card();
    const opencl_program program = build();
    (void)setenv("XDG_CACHE_HOME", folder, 1);
    (void)umask(0);
    opencl_cache_put(card, OWN, program);
    (void)find_file("transept");
    cr_assert(eq(uint, mode_of("transept"), S_IFDIR | 0700));
    for (int fault = 0; fault < 4; ++fault) {
        cr_assert(is_there(card, OWN) && mode_of(path) == (S_IFREG | 0600));
        if (fault == 2)
            cr_assert(rename(path, "file") == 0 && symlink("../file", path) == 0);
        else if (fault == 3)
            cr_assert(geteuid() != 0 || chown(path, 1, 1) == 0); /* only root can give a file away */
        else
            cr_assert(eq(int, chmod(path, fault == 0 ? 0620 : 0602), 0));
        cr_assert(is_there(card, OWN) == (fault == 3 && geteuid() != 0), "fault %d", fault);
        opencl_cache_put(card, OWN, program);
    }
    for (int fault = 0; fault < 4; ++fault) {
        cr_assert(is_there(card, OWN));
        if (fault == 2)
            cr_assert(rename("transept", "place") == 0 && symlink("place", "transept") == 0);
        else if (fault == 3)
            cr_assert(geteuid() != 0 || chown("transept", 1, 1) == 0);
        else
            cr_assert(eq(int, chmod("transept", fault == 0 ? 0720 : 0702), 0));
        const bool used = fault == 3 && geteuid() != 0;
        cr_assert(is_there(card, OWN) == used, "fault %d", fault);
        cr_assert(eq(int, remove(path), 0));
        opencl_cache_put(card, OWN, program);
        cr_assert(eq(sz, count_entries("transept", ""), used), "fault %d", fault);
        if (fault == 2)
            cr_assert(remove("transept") == 0 && rename("place", "transept") == 0);
        if (geteuid() == 0)
            cr_assert(eq(int, chown("transept", 0, 0), 0));
        cr_assert(eq(int, chmod("transept", 0700), 0));
        opencl_cache_put(card, OWN, program);
    }
}

Test(opencl_cache, without_a_folder_nothing_is_kept)
{
    const struct opencl_card *const card = open_card();
    const opencl_program program = build();
    (void)setenv("XDG_CACHE_HOME", "here", 1); /* not absolute, so ignored */
    (void)unsetenv("HOME");
    opencl_cache_put(card, OWN, program);
    cr_assert(is_there(card, OWN) == false && count_entries(".", "") == 0);
    char file[PATH_MAX];
    (void)snprintf(file, sizeof file, "%s/%s", folder, write_text("file", ""));
    (void)setenv("XDG_CACHE_HOME", file, 1);
    opencl_cache_put(card, OWN, program);
    cr_assert(is_there(card, OWN) == false && exists("file"));
    (void)setenv("HOME", folder, 1);
    (void)unsetenv("XDG_CACHE_HOME");
    opencl_cache_put(card, OWN, program);
    cr_assert(is_there(card, OWN) && count_entries(".cache/transept", "opencl-") == 1);
}

Test(opencl_cache, a_driver_that_ends_its_process_is_named_and_ends_no_other)
{
    struct device device;
    (void)setenv("OCL_ICD_VENDORS", FATAL_DRIVER, 1);
    if (opencl_load() == NULL && opencl_fatal_signal() == 0)
        cr_skip("no libOpenCL.so.1");
    cr_assert(eq(uint, opencl_count(), 0U));
    cr_assert(eq(int, opencl_find_card(0, &device, &failure), FAILURE_CAPACITY));
    cr_assert(strstr(failure.sentence, "ends this program (signal 6)") != NULL, "%s", failure.sentence);
}
