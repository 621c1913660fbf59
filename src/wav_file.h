/** 32-bit float WAV through libsndfile, whole or not at all. */
#ifndef SRC_WAV_FILE_H
#define SRC_WAV_FILE_H

#include <stddef.h>

#include "geometry/whole_file.h"

/** Write mono float samples under the temporary name of `path` and settle them: whole_file_commit() puts them
 * in place, whole_file_abandon() takes them away. `out` must be zeroed. FAILURE_OUTPUT names the file and the
 * cause. */
int wav_stage(const char *path, const float *sample, size_t count, int rate, struct whole_file *out,
              struct failure *failure);

/** The same, and put in place (rename, fsync of the folder). */
int wav_write(const char *path, const float *sample, size_t count, int rate, struct failure *failure);

/** Read a mono float file; for tests. `*sample` owned by the caller. */
int wav_read(const char *path, float **sample, size_t *count, int *rate, struct failure *failure);

#endif
