/* Loaded before a program (LD_PRELOAD), this lets it run out of memory or threads at a chosen moment, which
 * the environment names:
 *
 *   TRANSEPT_FAULT=malloc:N          the Nth allocation fails (ENOMEM), once
 *   TRANSEPT_FAULT=malloc:N+         it and all behind it
 *   TRANSEPT_FAULT=pthread_create:N  the Nth thread (EAGAIN), also with a +
 *   TRANSEPT_FAULT_COUNT=FILE        what there was of them when the program ends, in it or in a child, where
 *                                    there were more
 *
 * Allocations count from main() on: malloc, calloc, realloc and aligned memory, of C++ too.
 * With OMP_NUM_THREADS=1 the Nth is the same in every run. A forked child goes on counting for itself. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

enum { MALLOC, PTHREAD_CREATE, CALLS };
static const char *const call_name[CALLS] = {"malloc", "pthread_create"};
static long fails_from[CALLS], fails_to[CALLS]; /* none while 0 */
static atomic_long calls[CALLS];
static atomic_long *most; /* of any process; NULL where nobody asks */
static atomic_bool counting;

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("TRANSEPT_FAULT");
    for (int c = 0; fault != NULL && c < CALLS; c++) {
        const size_t length = strlen(call_name[c]);
        if (strncmp(fault, call_name[c], length) != 0 || fault[length] != ':')
            continue;
        char *end;
        fails_from[c] = fails_to[c] = strtol(fault + length + 1, &end, 10);
        if (*end == '+')
            fails_to[c] = -1;
    }
    if (getenv("TRANSEPT_FAULT_COUNT") != NULL) {
        most = mmap(NULL, CALLS * sizeof *most, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (most == MAP_FAILED)
            most = NULL;
    }
}

/* What is allocated before main() is left alone: in a build with CUDA its
 * runtime, which crashes without. */
static int (*program)(int, char **, char **);

static int counted(int arguments, char **argument, char **environment)
{
    counting = true;
    return program(arguments, argument, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int arguments, char **argument, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack)
{
    int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *);
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return next(counted, arguments, argument, init, fini, loader_fini, stack);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("TRANSEPT_FAULT_COUNT");
    counting = false;
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL || most == NULL)
        return;
    for (int c = 0; c < CALLS; c++)
        (void)fprintf(file, "%s %ld%c", call_name[c], most[c], c + 1 < CALLS ? ' ' : '\n');
    (void)fclose(file);
}

static bool fails(int call)
{
    if (!counting)
        return false;
    const long number = atomic_fetch_add(&calls[call], 1) + 1;
    if (most != NULL && number > most[call])
        most[call] = number;
    return fails_from[call] > 0 && number >= fails_from[call] &&
           (fails_to[call] < 0 || number <= fails_to[call]);
}

static void *none(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t bytes)
{
    return fails(MALLOC) ? none() : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(MALLOC) ? none() : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails(MALLOC) ? none() : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(MALLOC) ? none() : __libc_memalign(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return fails(MALLOC) ? none() : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    void *got = fails(MALLOC) ? NULL : __libc_memalign(alignment, bytes);
    if (got == NULL)
        return ENOMEM;
    *memory = got;
    return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (fails(PTHREAD_CREATE))
        return EAGAIN;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    return next(thread, attributes, work, context);
}
