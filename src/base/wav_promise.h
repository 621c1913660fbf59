/** What the header of a sound file promises, against what is there: libsndfile takes a file that was cut off
 * for a shorter one. */
#ifndef SRC_WAV_PROMISE_H
#define SRC_WAV_PROMISE_H

#include "geometry/base/failure.h"

/** Does the file hold as many bytes of sound as its header says? RIFF, RIFX, RF64, Wave64 and AIFF; 0 for any
 * other file, and where the header says that the length was not known (what writes into a pipe puts ones
 * there, or 2 GB). The descriptor's position stays. FAILURE_INPUT tells both numbers. */
int wav_promise_check(int descriptor, const char *path, struct failure *failure);

#endif
