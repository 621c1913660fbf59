/** Calling a library that crashes where it gets no memory.
 *
 * libsndfile, libmysofa, HDF5 and the readers of Assimp use some memory without a look whether they got it. A
 * crash of that kind is known: an access near address 0 or past the end of the stack, or abort(), while
 * errno is ENOMEM, which malloc() leaves there, or exit() in the middle of the call. It ends the call, not
 * the program; whoever called cleans up as after any failure, and what the library held is lost. After it no
 * further call is made on the same object, not even to close it. Any other crash is one.
 *
 * Calls may be within one another; the crash of an inner one ends that one, and errno of the outer one is
 * kept where the inner one leaves 0. Costs a few microseconds and 64 KB of stack: not for a call per sample.
 */
#ifndef GEOMETRY_GUARDED_CALL_H
#define GEOMETRY_GUARDED_CALL_H

#include <stdbool.h>

/** Run `call(context)` with errno 0 at its start. False where it got no memory and crashed over it; else
 * errno is what the call left, and ENOMEM there says that some of its allocations failed. */
bool guarded_call(void (*call)(void *context), void *context);

#endif
