/** Restricts the rights of a process before it reads hostile input with code that may be vulnerable.
 *
 * Two parts, each if available:
 * - seccomp, a list of the system calls that may still be made (Linux, and libseccomp when this was built,
 * without a sanitizer): memory of its own that is not code, reading and writing what is open, locks, clocks,
 * signals to itself, its end. Any other call ends the process: opening for writing, unlink, rename, connect,
 * fork, execute, signals, tracing or writing to another process. Opening for reading fails with EACCES,
 * because the C library tries that and continues without the file.
 * - Landlock (Linux 5.13): nothing beneath any folder can be opened, read, written or executed; from 6.7 on
 * no TCP, from 6.12 on no signal to, and no abstract socket of, a process outside. Neither can be undone.
 * Both need PR_SET_NO_NEW_PRIVS. Open descriptors stay open. A few tenths of a millisecond.
 *
 * The list holds the calls of Assimp 5.2, libsndfile 1.2, libmysofa 1.3 and libyaml 0.2 through glibc 2.36
 * and later when they read from memory, on x86-64 and aarch64: heap, stdio on what is open, C++ exceptions,
 * abort(). */
#ifndef GEOMETRY_CAGE_H
#define GEOMETRY_CAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bits of the available parts. */
enum cage_part { CAGE_SECCOMP = 1, CAGE_LANDLOCK = 2 };

/** Parts that this build has on this kernel. */
unsigned cage_parts(void);

/** "seccomp, landlock", "seccomp", "landlock", "no". */
const char *cage_words(unsigned parts);

/** Restrict files by Landlock, if available; `file` (-1: none) can still be opened for reading. Needs a free
 * descriptor, and releases it. Returns 0, or -1 on failure. */
int cage_close_files(int file);

/** The list of calls as the kernel takes it; empty without seccomp. */
struct cage_calls {
    size_t bytes;
    uint64_t program[512];
};

/** Make the list; with `opens`, files may be opened for reading. Needs two free descriptors, and releases
 * them. Call it in the process to be restricted, since the list names that process. Returns 0, or -1; errno
 * is ENOMEM if memory was short, in which case libseccomp may also crash. */
int cage_make_calls(bool opens, struct cage_calls *out);

/** Enforce the list from now on, for the calling thread and its children. A forbidden call writes its number,
 * an int, to `report` and ends the process with status `status`. Returns 0, or -1. */
int cage_close_calls(const struct cage_calls *calls, int report, int status);

/** The name of a system call of this machine: "unlink", or "number 999". */
void cage_call_name(int number, char name[32]);

#endif
