#include "src/response/signal/sound_encode.h"

#include <errno.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/guarded_call.h"

#define PIECE        4096 /* frames */
#define OPUS_QUALITY 0.6  /* of libsndfile, 0 to 1 */

/* A file that grows in memory. */
struct memory_file {
    unsigned char *data;
    sf_count_t size, capacity, at;
    bool full; /* memory ran out */
};

static sf_count_t file_length(void *file)
{
    return ((struct memory_file *)file)->size;
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    struct memory_file *file = user;
    const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->at : file->size;
    if (base + offset >= 0)
        file->at = base + offset;
    return file->at;
}

static sf_count_t file_read(void *to, sf_count_t count, void *user)
{
    struct memory_file *file = user;
    const sf_count_t left = file->size > file->at ? file->size - file->at : 0,
                     some = count < left ? count : left;
    memcpy(to, file->data + file->at, (size_t)some);
    file->at += some;
    return some;
}

static sf_count_t file_write(const void *from, sf_count_t count, void *user)
{
    struct memory_file *file = user;
    if (file->at + count > file->capacity) {
        const sf_count_t capacity = 2 * (file->at + count) + 65536;
        unsigned char *grown = realloc(file->data, (size_t)capacity);
        if (grown == NULL) {
            file->full = true;
            return 0;
        }
        memset(grown + file->capacity, 0, (size_t)(capacity - file->capacity));
        file->data = grown;
        file->capacity = capacity;
    }
    memcpy(file->data + file->at, from, (size_t)count);
    file->at += count;
    file->size = file->at > file->size ? file->at : file->size;
    return count;
}

static sf_count_t file_tell(void *file)
{
    return ((struct memory_file *)file)->at;
}

const char *sound_codec_type(enum sound_codec codec)
{
    return codec == SOUND_FLAC ? "audio/flac" : "audio/ogg; codecs=opus";
}

static int write_samples(SNDFILE *stream, const struct wav_sound *sound, double gain, struct failure *failure)
{
    const size_t channels = (size_t)sound->channels;
    float *piece = malloc(PIECE * channels * sizeof *piece);
    int code = piece == NULL ? failure_memory(failure, PIECE * channels * sizeof *piece, "a sound") : 0;
    for (size_t done = 0; code == 0 && done < sound->frames;) {
        const size_t some = sound->frames - done < PIECE ? sound->frames - done : PIECE;
        for (size_t n = 0; n < some * channels; n++) {
            const double value = gain * (double)sound->sample[done * channels + n];
            piece[n] = (float)(value > 1 ? 1 : value < -1 ? -1 : value);
        }
        if (sf_writef_float(stream, piece, (sf_count_t)some) != (sf_count_t)some)
            code = failure_set(failure, FAILURE_OUTPUT, "a sound could not be compressed: %s",
                               sf_strerror(stream));
        done += some;
    }
    free(piece);
    return code;
}

/* A sound on its way; the encoders ask for memory all along. */
struct encoding {
    const struct wav_sound *sound;
    double gain;
    enum sound_codec codec;
    struct memory_file file;
    int code;
    struct failure *failure;
};

static void encode_sound(void *context)
{
    static SF_VIRTUAL_IO calls = {file_length, file_seek, file_read, file_write, file_tell};
    struct encoding *encoding = context;
    const struct wav_sound *sound = encoding->sound;
    SF_INFO info = {.samplerate = sound->rate,
                    .channels = sound->channels,
                    .format = encoding->codec == SOUND_FLAC ? SF_FORMAT_FLAC | SF_FORMAT_PCM_16
                                                            : SF_FORMAT_OGG | SF_FORMAT_OPUS};
    SNDFILE *stream = sf_open_virtual(&calls, SFM_WRITE, &info, &encoding->file);
    if (stream == NULL) {
        encoding->code = failure_set(encoding->failure, failure_of_errno(errno, FAILURE_OUTPUT),
                                     "a sound cannot be compressed: %s", sf_strerror(NULL));
        return;
    }
    double quality = OPUS_QUALITY;
    sf_command(stream, SFC_SET_CLIPPING, NULL, SF_TRUE);
    if (encoding->codec == SOUND_OPUS)
        sf_command(stream, SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
    encoding->code = write_samples(stream, sound, encoding->gain, encoding->failure);
    if (sf_close(stream) != 0 && encoding->code == 0)
        encoding->code =
            failure_set(encoding->failure, FAILURE_OUTPUT, "a sound could not be compressed to its end");
}

int sound_encode(const struct wav_sound *sound, double gain, enum sound_codec codec, unsigned char **data,
                 size_t *size, struct failure *failure)
{
    struct encoding encoding = {.sound = sound, .gain = gain, .codec = codec, .failure = failure};
    (void)guarded_call(encode_sound, &encoding);
    if (errno == ENOMEM || encoding.file.full)
        encoding.code = failure_memory(failure, (unsigned long long)encoding.file.size, "a compressed sound");
    if (encoding.code != 0) {
        free(encoding.file.data);
        return encoding.code;
    }
    *data = encoding.file.data;
    *size = (size_t)encoding.file.size;
    return 0;
}
