/** What a process can no longer do once it has shut itself in: for code that is not trusted with hostile
 * input.
 *
 * Two parts, each where it is to be had:
 * - seccomp, a list of the system calls that may still be made (Linux, and libseccomp when this was built,
 * without a sanitizer): memory of its own that is not code, reading and writing what is open, locks, clocks,
 * signals to itself, its end. All else is refused, and the attempt ends the process: to open for writing, to
 * unlink, rename, connect, fork, execute, signal, trace or write into another. What only asks to open for
 * reading gets EACCES, because the C library does that and goes on without.
 * - Landlock (Linux 5.13): nothing beneath any folder can be opened, read, written or executed; from 6.7 on
 * no TCP, from 6.12 on no signal to, and no abstract socket of, a process outside. Neither can be undone.
 * Both need PR_SET_NO_NEW_PRIVS. What is open stays open. A few tenths of a millisecond.
 *
 * The list is what Assimp 5.2, libsndfile 1.2, libmysofa 1.3 and libyaml 0.2 make through glibc 2.36 and
 * later when they read what is in memory, on x86-64 and aarch64: heap, stdio on what is open, C++ exceptions,
 * abort().
 */
#ifndef GEOMETRY_CAGE_H
#define GEOMETRY_CAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bits of what there is. */
enum cage_part { CAGE_SECCOMP = 1, CAGE_LANDLOCK = 2 };

/** What this build has on this kernel. */
unsigned cage_parts(void);

/** "seccomp, landlock", "seccomp", "landlock", "no". */
const char *cage_words(unsigned parts);

/** Landlock, where there is one; `file` (-1: none) can still be opened for reading. Needs a free descriptor,
 * and gives it back. 0, or -1: it could not be had. */
int cage_close_files(int file);

/** The list of calls as the kernel takes it; of no bytes where there is none. */
struct cage_calls {
    size_t bytes;
    uint64_t program[512];
};

/** Make the list; where `opens`, files may be opened for reading. Needs two free descriptors, and gives them
 * back. For the process that will close itself in: it names itself. 0, or -1; errno is ENOMEM where memory
 * was short; libseccomp may crash then, too. */
int cage_make_calls(bool opens, struct cage_calls *out);

/** Keep to the list from now on: the calling thread and what it starts. Of a call that is refused the number,
 * an int, is written to `tell`, and the process ends with status `status`. 0, or -1. */
int cage_close_calls(const struct cage_calls *calls, int tell, int status);

/** The name of a system call of this machine: "unlink", or "number 999". */
void cage_call_name(int number, char name[32]);

#endif
