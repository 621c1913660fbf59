#include "src/response/signal/wav_stream.h"

#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/signal/wav_file.h"

#define PIECE 4096      /* frames */
#define FULL  8388608.0 /* 2^23 */

int wav_stream_begin(struct wav_stream *stream, const char *path, uint64_t frames, size_t channels, int rate,
                     struct failure *failure)
{
    *stream = (struct wav_stream){.channels = channels, .rounded = malloc(PIECE * channels * sizeof(int))};
    if (stream->rounded == NULL)
        return failure_memory(failure, PIECE * channels * sizeof(int), path);
    TRY(whole_file_open(&stream->file, path, failure));
    return wav_begin(&stream->file, frames, channels, rate, WAV_PCM24, &stream->sound, failure);
}

int wav_stream_add(struct wav_stream *stream, double *sample, size_t frames, struct failure *failure)
{
    const size_t channels = stream->channels;
    for (size_t done = 0; done < frames;) {
        const size_t some = frames - done < PIECE ? frames - done : PIECE;
        double *piece = sample + done * channels;
        for (size_t n = 0; n < some * channels; n++) {
            const double rounded = fmin(fmax(nearbyint(FULL * piece[n]), -FULL), FULL - 1.0);
            piece[n] = rounded / FULL;
            stream->rounded[n] = (int)rounded * 256; /* libsndfile takes the upper 24 of 32 bits */
        }
        errno = 0;
        const sf_count_t written = sf_writef_int(stream->sound, stream->rounded, (sf_count_t)some);
        if (written != (sf_count_t)some)
            return failure_set(failure, FAILURE_OUTPUT, "%s: could not be written to its end: %s",
                               stream->file.path, errno != 0 ? strerror(errno) : "the disk may be full");
        done += some;
    }
    return 0;
}

int wav_stream_end(struct wav_stream *stream, struct whole_file *out, struct failure *failure)
{
    TRY(wav_end(&stream->sound, &stream->file, failure));
    *out = stream->file;
    stream->file = (struct whole_file){0};
    return 0;
}

void wav_stream_abandon(struct wav_stream *stream)
{
    if (stream->sound != NULL)
        sf_close(stream->sound);
    free(stream->rounded);
    whole_file_abandon(&stream->file);
    *stream = (struct wav_stream){0};
}
