#include "kernels/opencl/opencl_cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    (void)snprintf(name, sizeof name, "transept/opencl-%016" PRIx64,
                   hash_bytes(HASH_START, words->data, words->size));
    return text_put(words, opencl_program_text, opencl_program_text_bytes, &failure) == 0 &&
           user_folder_find("XDG_CACHE_HOME", ".cache", name, path);
}

/* A file or folder that no other user can have written; else -1. */
static int open_own(int folder, const char *name, mode_t kind)
{
    struct stat about;
    const int opened = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (opened < 0 || (fstat(opened, &about) == 0 && (about.st_mode & S_IFMT) == kind &&
                       about.st_uid == geteuid() && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0))
        return opened;
    (void)close(opened);
    return -1;
}

static int open_folder(const char *path)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    return open_own(AT_FDCWD, folder, S_IFDIR);
}

/* The whole file, the caller's, free(); NULL where none is to be used. One that is cut has another hash. */
static char *read_own(const char *path, size_t *length)
{
    char *read = NULL;
    uint64_t bytes = 0;
    struct failure failure;
    const int folder = open_folder(path);
    const int file = folder < 0 ? -1 : open_own(folder, strrchr(path, '/') + 1, S_IFREG);
    if (file >= 0 && regular_file_check(file, path, &bytes, &failure) == 0 && bytes <= FILE_MOST &&
        (read = malloc((size_t)bytes + 1)) != NULL)
        (void)regular_file_fill(file, path, read, (size_t)bytes, length, &failure);
    if (file >= 0)
        (void)close(file);
    if (folder >= 0)
        (void)close(folder);
    return read;
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
    struct text_buffer words = {0};
    opencl_program program = NULL;
    if (name_program(card, options, &words, path) && (found = read_own(path, &length)) != NULL &&
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
    int folder = -1;
    char path[PATH_MAX];
    struct failure failure;
    struct whole_file file = {0};
    struct text_buffer words = {0};
    if (name_program(card, options, &words, path) && add_binary(card, program, &words) &&
        user_folder_make(path, &failure) == 0 && (folder = open_folder(path)) >= 0 &&
        whole_file_open(&file, path, &failure) == 0 && fchmod(fileno(file.stream), 0600) == 0) {
        const uint64_t hash = hash_bytes(HASH_START, words.data, words.size);
        (void)fwrite(&hash, sizeof hash, 1, file.stream);
        (void)fwrite(words.data, 1, words.size, file.stream);
        (void)whole_file_commit(&file, &failure);
    }
    whole_file_abandon(&file);
    if (folder >= 0)
        (void)close(folder);
    free(words.data);
}
