/** 32-bit float WAV through libsndfile, whole or not at all. */
#ifndef SRC_WAV_FILE_H
#define SRC_WAV_FILE_H

#include <stddef.h>

#include "geometry/failure.h"

/** Write mono float samples (temporary file beside it, fsync, rename, fsync of the folder). FAILURE_OUTPUT
 * names the file and the cause. */
int wav_write(const char *path, const float *sample, size_t count, int rate, struct failure *failure);

/** Read a mono float file; for tests. `*sample` owned by the caller. */
int wav_read(const char *path, float **sample, size_t *count, int *rate, struct failure *failure);

#endif
