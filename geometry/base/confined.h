/** Runs code that reads hostile input in a process of its own.
 *
 * The work runs in a forked child with a copy of the caller's memory and returns bytes through a pipe.
 * Limits:
 * - memory: RLIMIT_DATA, counted from what the child starts with, and a looser RLIMIT_AS. The parent also
 * checks the child's resident size every 20 ms and ends it past the limit, because AddressSanitizer reserves
 * terabytes of address space;
 * - time: RLIMIT_CPU, and the parent's clock for a child that sleeps;
 * - files: RLIMIT_NOFILE 0 (or room for `file`), so nothing can be opened or connected, RLIMIT_FSIZE 0, no
 * core file; every descriptor but the pipe and `file` is closed, standard input, output and error lead to
 * /dev/null (in a build with AddressSanitizer, error stays: its reports go there);
 * - the end: the child dies with the thread that started it, by SIGKILL, and leaves by _exit, so stdio
 * buffers of the caller are not written twice. The parent always waits for it: no zombie stays.
 *
 * The cage (cage.h), if available, ends a compromised child that tries to signal, rename, execute or write.
 *
 * The work may use the heap (glibc's survives a fork of a program with threads) but neither OpenMP nor locks
 * of the caller. Cost: a fork and a copy of the answer, a few milliseconds. Needs Linux with /proc. */
#ifndef GEOMETRY_CONFINED_H
#define GEOMETRY_CONFINED_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "geometry/base/failure.h"
#include "geometry/base/sanitized.h"

/** Descriptor of the one file that the work may read, and the name by which it opens it. */
#define CONFINED_DESCRIPTOR 4
#define CONFINED_FILE       "/proc/self/fd/4"

struct confined_limits {
    uint64_t memory_bytes; /* beyond what the child has at its start */
    uint64_t answer_bytes; /* of the answer */
    double cpu_seconds;    /* processor time; counted in whole seconds, rounded up */
    double wall_seconds;
    int file;   /* a regular file, open for reading, that the work may open by CONFINED_FILE, again and again;
                   0: none */
    FILE *sink; /* receives the answer as it comes; NULL: the answer is kept in memory */
    const volatile sig_atomic_t *interrupted; /* not 0: the user stopped the program; may be NULL */
};

/** The work of the child: pass the answer to confined_write() and return. */
typedef void confined_work(void *context, int answer);

/** Write all of `bytes`; returns 0, or -1 if the pipe is closed. */
int confined_write(int answer, const void *bytes, size_t size);

/** Owned, freed by confined_answer_free(); zeroed is empty. */
struct confined_answer {
    unsigned char *bytes;
    size_t size;
};
void confined_answer_free(struct confined_answer *answer);

/** Run `work(context, ..)` confined and wait for it. `who` begins the sentence of a failure: "Assimp".
 * FAILURE_INPUT if it crashed, ended early or made a forbidden system call: the input is the likely cause.
 * FAILURE_CAPACITY if it exceeded a limit, which is named, or was killed, if no process could be started or
 * the parent has no memory for the answer. FAILURE_INTERRUPTED if `*limits->interrupted` was set or SIGINT,
 * SIGTERM or SIGHUP ended the child. FAILURE_OUTPUT if `sink` cannot be written. `answer` holds the child's
 * bytes, unchecked; untouched on failure. */
int confined_run(confined_work *work, void *context, const char *who, const struct confined_limits *limits,
                 struct confined_answer *answer, struct failure *failure);

/** The sentence of confined_run() for too much memory, for work that notices the shortage itself. */
int confined_out_of_memory(const char *who, const struct confined_limits *limits, struct failure *failure);

#endif
