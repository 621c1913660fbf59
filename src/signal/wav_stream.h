/** A WAV file of 24 bits that is written piece by piece, whole or not at all, however long it gets.
 *
 * Samples are rounded, without dither: what that leaves lies 144 dB below full scale, under the noise of any
 * converter, and silence stays silence.
 */
#ifndef SRC_WAV_STREAM_H
#define SRC_WAV_STREAM_H

#include <sndfile.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/whole_file.h"

/** Zeroed is empty; wav_stream_abandon() is for every end. */
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

/** (frames, channels); full scale is 1, what is beyond is clipped to it. Each sample is replaced by what the
 * file holds. */
int wav_stream_add(struct wav_stream *stream, double *sample, size_t frames, struct failure *failure);

/** The header's last word; `out` (zeroed) is settled, for whole_file_commit(). */
int wav_stream_end(struct wav_stream *stream, struct whole_file *out, struct failure *failure);
void wav_stream_abandon(struct wav_stream *stream);

#endif
