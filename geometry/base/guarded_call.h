/** Calls a library that crashes if an allocation fails.
 *
 * libsndfile, libmysofa, HDF5 and the readers of Assimp use some memory without checking it. Such a crash is
 * recognised: an access near address 0 or past the end of the stack, or abort(), while errno is ENOMEM from
 * malloc(); or exit() during the call. It ends the call, not the program. The caller cleans up as after any
 * failure; memory held by the library is lost. Make no further call on the same object, not even to close it.
 * Any other crash ends the program.
 *
 * Calls may be nested; a crash of an inner one ends that one only, and errno of the outer one is kept if the
 * inner one leaves 0. Costs a few microseconds and 64 KB of stack: not for a call per sample. */
#ifndef GEOMETRY_GUARDED_CALL_H
#define GEOMETRY_GUARDED_CALL_H

#include <stdbool.h>

/** Run `call(context)` with errno 0 at its start. False if it crashed for lack of memory; else errno is that
 * of the call, and ENOMEM means that some of its allocations failed. */
bool guarded_call(void (*call)(void *context), void *context);

#endif
