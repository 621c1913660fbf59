/** Writes a WAV file of 24 bits piece by piece, whole or not at all, of any length.
 *
 * Samples are rounded without dither: the error is 144 dB below full scale, under the noise of any converter,
 * and silence stays silence. */
#ifndef SRC_WAV_STREAM_H
#define SRC_WAV_STREAM_H

#include <sndfile.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/whole_file.h"

/** Zeroed is empty; call wav_stream_abandon() in any case. */
struct wav_stream {
    struct whole_file file;
    SNDFILE *sound;
    size_t channels;
    int *rounded; /* one piece */
};

/** @param path   where the file will be; FAILURE_OUTPUT names it and the cause
 * @param frames how many there will be: from 4 GB on the file is RF64 */
int wav_stream_begin(struct wav_stream *stream, const char *path, uint64_t frames, size_t channels, int rate,
                     struct failure *failure);

/** (frames, channels); full scale is 1, values beyond are clipped. Each sample is replaced by its value in
 * the file. */
int wav_stream_add(struct wav_stream *stream, double *sample, size_t frames, struct failure *failure);

/** Complete the header; `out` (zeroed) is settled, for whole_file_commit(). */
int wav_stream_end(struct wav_stream *stream, struct whole_file *out, struct failure *failure);
void wav_stream_abandon(struct wav_stream *stream);

#endif
