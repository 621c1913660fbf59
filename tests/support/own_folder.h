/** A folder of its own for every test, in which it stands, and files in it. Define _XOPEN_SOURCE 700 (nftw,
 * mkdtemp) before including anything.
 *
 *     TestSuite(suite, .init = enter_folder, .fini = leave_folder); */
#ifndef TESTS_OWN_FOLDER_H
#define TESTS_OWN_FOLDER_H

#include "tests/support/test_support.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static inline void enter_folder(void)
{
    strcpy(folder, "/tmp/transept-test.XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    cr_assert(eq(int, chdir(folder), 0));
}

static inline int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline void leave_folder(void)
{
    if (chdir("/") == 0)
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static inline const char *write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL, "%s", path);
    cr_assert(count == 0 || fwrite(bytes, count, 1, file) == 1);
    cr_assert(eq(int, fclose(file), 0));
    return path;
}

static inline const char *write_text(const char *path, const char *text)
{
    return write_bytes(path, text, strlen(text));
}

/* The file as a string, kept (test_keep()). */
static inline char *read_text(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL && fstat(fileno(file), &status) == 0, "%s is missing", path);
    char *text = test_keep(malloc((size_t)status.st_size + 1));
    const size_t length = fread(text, 1, (size_t)status.st_size, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static inline bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Entries of a folder whose name holds `part`. */
static inline size_t count_entries(const char *path, const char *part)
{
    size_t count = 0;
    DIR *listing = opendir(path);
    cr_assert(listing != NULL, "%s is missing", path);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '\0' && strcmp(entry->d_name, ".") != 0 &&
                 strcmp(entry->d_name, "..") != 0 && strstr(entry->d_name, part) != NULL;
    closedir(listing);
    return count;
}

static inline bool same_file(const char *one, const char *other)
{
    FILE *file[2] = {fopen(one, "rb"), fopen(other, "rb")};
    bool same = file[0] != NULL && file[1] != NULL;
    for (int a = 0; same && a != EOF;) {
        a = getc(file[0]);
        same = a == getc(file[1]);
    }
    for (int f = 0; f < 2; f++)
        if (file[f] != NULL)
            fclose(file[f]);
    return same;
}

#endif
