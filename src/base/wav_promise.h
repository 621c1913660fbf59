/** Compares the length in the header of a sound file with its bytes, since libsndfile reads a truncated
 * file as a shorter one. */
#ifndef SRC_WAV_PROMISE_H
#define SRC_WAV_PROMISE_H

#include "geometry/base/failure.h"

/** Check that the file holds as many bytes of sound as its header states: RIFF, RIFX, RF64, Wave64 and
 * AIFF. 0 for any other file, and for a header without a length (programs that write into a pipe put all
 * ones there, or 2 GB). The descriptor's position stays. FAILURE_INPUT states both numbers. */
int wav_promise_check(int descriptor, const char *path, struct failure *failure);

#endif
