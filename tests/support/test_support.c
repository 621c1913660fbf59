#include "tests/support/test_support.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the product keeps for its user goes beside this program. */
__attribute__((constructor)) static void own_cache(void)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "cache");
    if (length <= 0)
        return;
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, "cache");
    (void)setenv("XDG_CACHE_HOME", path, 1);
}

bool test_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

uint64_t test_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double test_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(test_random(state) >> 11) * 0x1p-53);
}

void *test_keep(void *memory)
{
    static struct kept {
        struct kept *before;
        void *memory;
    } * last;
    struct kept *added = malloc(sizeof *added);
    if (memory == NULL || added == NULL)
        abort();
    *added = (struct kept){last, memory};
    last = added;
    return memory;
}

size_t test_share(size_t whole)
{
    const char *length = getenv("TRANSEPT_TEST_LENGTH");
    return length != NULL && strcmp(length, "whole") == 0 ? whole : whole / 10;
}

static const char *from_environment(const char *name, const char *standard)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : standard;
}

const char *test_program(void)
{
    return from_environment("TRANSEPT_TEST_PROGRAM", TEST_BUILT_PROGRAM);
}

const char *test_source_dir(void)
{
    return from_environment("TRANSEPT_TEST_SOURCE_DIR", TEST_BUILT_SOURCE_DIR);
}

const char *test_source_file(const char *relative)
{
    static char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", test_source_dir(), relative);
    return path;
}

const char *test_shared_data(const char *relative)
{
    static char path[4096];
    (void)snprintf(path, sizeof path, "%s/../shared/data/%s", test_source_dir(), relative);
    if (access(path, R_OK) == 0)
        return path;
    (void)fprintf(stderr, "SKIPPED: third-party file %s is not on this machine\n", path);
    return NULL;
}
