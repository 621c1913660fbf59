#include "src/response/signal/wav_file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/guarded_call.h"
#include "geometry/base/regular_file.h"
#include "kernels/machine/machine_memory.h"
#include "src/base/wav_promise.h"

/* ---- reading ---- */

void wav_sound_free(struct wav_sound *sound)
{
    free(sound->sample);
    *sound = (struct wav_sound){0};
}

static int check_header(const char *path, const SF_INFO *info, struct failure *failure)
{
    const int type = info->format & SF_FORMAT_TYPEMASK;
    if (type != SF_FORMAT_WAV && type != SF_FORMAT_WAVEX && type != SF_FORMAT_RF64 && type != SF_FORMAT_W64)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "%s: is a sound file but no WAV", path),
                           failure, "convert it to WAV");
    if (info->frames <= 0)
        return failure_set(failure, FAILURE_INPUT, "%s: holds no samples", path);
    if ((unsigned long long)info->frames > WAV_SAMPLES_MAX / (unsigned long long)info->channels)
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "%s: holds %lld samples in %d channel%s, and at most %llu in all are taken", path,
                        (long long)info->frames, info->channels, info->channels == 1 ? "" : "s",
                        WAV_SAMPLES_MAX),
            failure, "cut it");
    return 0;
}

static int read_samples(const char *path, SNDFILE *sound, const SF_INFO *info, float *sample,
                        struct failure *failure)
{
    if (sf_readf_float(sound, sample, info->frames) != info->frames)
        return failure_set(failure, FAILURE_INPUT, "%s: ends before its %lld samples: %s", path,
                           (long long)info->frames, sf_strerror(sound));
    for (sf_count_t i = 0; i < info->frames * info->channels; i++) {
        const long long frame = (long long)(i / info->channels),
                        channel = (long long)(i % info->channels) + 1;
        if (!isfinite(sample[i]))
            return failure_set(failure, FAILURE_INPUT,
                               "%s: sample %lld of channel %lld is not finite: the file is damaged", path,
                               frame, channel);
        if (fabs((double)sample[i]) > WAV_SAMPLE_MOST)
            return failure_set(failure, FAILURE_INPUT,
                               "%s: sample %lld of channel %lld is %g: the file is damaged, or in a unit in "
                               "which full scale is more than %g",
                               path, frame, channel, (double)sample[i], WAV_SAMPLE_MOST);
    }
    return 0;
}

/* One call of libsndfile that may run out of memory. */
struct opening {
    int descriptor;
    SF_VIRTUAL_IO *through;
    void *stream;
    SF_INFO *info;
    SNDFILE *sound; /* NULL: it failed */
};

static void open_reading(void *context)
{
    struct opening *opening = context;
    opening->sound = sf_open_fd(opening->descriptor, SFM_READ, opening->info, SF_TRUE);
}

/* libsndfile does not support it. */
static int refuse_bw64(const char *path, int descriptor, struct failure *failure)
{
    char begins[4];
    if (pread(descriptor, begins, sizeof begins, 0) != (ssize_t)sizeof begins ||
        memcmp(begins, "BW64", 4) != 0)
        return 0;
    return failure_fix(
        failure_set(failure, FAILURE_INPUT, "%s: is a BW64 file (ITU-R BS.2088), which is not read", path),
        failure, "convert it to WAV or RF64");
}

int wav_open_descriptor(const char *path, int descriptor, SF_INFO *info, SNDFILE **out,
                        struct failure *failure)
{
    struct opening opening = {.descriptor = descriptor, .info = info};
    if (refuse_bw64(path, descriptor, failure) != 0 || wav_promise_check(descriptor, path, failure) != 0) {
        (void)close(descriptor);
        return FAILURE_INPUT;
    }
    (void)guarded_call(open_reading, &opening);
    const int error = errno;
    *out = opening.sound;
    if (error != ENOMEM && *out != NULL)
        return 0;
    if (error == ENOMEM) {
        if (*out != NULL)
            sf_close(*out);
        *out = NULL;
        return failure_memory(failure, 0, path);
    }
    return failure_set(failure, failure_of_errno(error, FAILURE_INPUT), "%s: cannot be read as WAV: %s", path,
                       sf_strerror(NULL));
}

int wav_open(const char *path, SF_INFO *info, SNDFILE **out, struct failure *failure)
{
    int descriptor;
    TRY(regular_file_open(path, &descriptor, NULL, failure));
    return wav_open_descriptor(path, descriptor, info, out, failure);
}

static int take_memory(const char *path, const SF_INFO *info, size_t more, float **out,
                       struct failure *failure)
{
    const size_t frames = (size_t)info->frames, bytes = frames * (size_t)info->channels * sizeof **out;
    const unsigned long long available = machine_memory_available(), needed = bytes + frames * more;
    if (needed > available)
        return failure_fix(
            failure_set(failure, FAILURE_CAPACITY,
                        "%s: %zu samples of %d channel%s take %llu bytes, and this machine has %llu", path,
                        frames, info->channels, info->channels == 1 ? "" : "s", needed, available),
            failure, "cut it");
    *out = malloc(bytes);
    return *out == NULL ? failure_memory(failure, bytes, path) : 0;
}

/* A sound of at most `seconds`, with `more` additional bytes for each frame. */
static int read_sound(const char *path, double seconds, const char *fix, size_t more, struct wav_sound *out,
                      struct failure *failure)
{
    SF_INFO info = {0};
    SNDFILE *sound;
    float *read = NULL;
    TRY(wav_open(path, &info, &sound, failure));
    int code = check_header(path, &info, failure);
    if (code == 0 && (double)info.frames > seconds * info.samplerate)
        code = failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "%s: is %.0f s long: a response has at most %.0f s", path,
                                       (double)info.frames / info.samplerate, seconds),
                           failure, "%s", fix);
    if (code == 0)
        code = take_memory(path, &info, more, &read, failure);
    if (code == 0)
        code = read_samples(path, sound, &info, read, failure);
    if (code == 0)
        *out = (struct wav_sound){.sample = read,
                                  .frames = (size_t)info.frames,
                                  .channels = info.channels,
                                  .rate = info.samplerate,
                                  .b_format = sf_command(sound, SFC_WAVEX_GET_AMBISONIC, NULL, 0) ==
                                              SF_AMBISONIC_B_FORMAT};
    else
        free(read);
    sf_close(sound);
    return code;
}

int wav_sound_read(const char *path, struct wav_sound *out, struct failure *failure)
{
    return read_sound(path, INFINITY, "", 0, out, failure);
}

int wav_response_read(const char *path, const char *fix, struct wav_sound *out, struct failure *failure)
{
    return read_sound(path, WAV_RESPONSE_SECONDS, fix, WAV_RESPONSE_BYTES, out, failure);
}

/* ---- writing ---- */

/* libsndfile writes through the stream of a whole_file, which remembers a write that failed; the library
 * alone does not report a failed write that completes the header. */

static sf_count_t stream_tell(void *stream)
{
    return ftello(stream);
}

static sf_count_t stream_seek(sf_count_t offset, int whence, void *stream)
{
    return fseeko(stream, (off_t)offset, whence) == 0 ? ftello(stream) : -1;
}

static sf_count_t stream_length(void *stream)
{
    const off_t here = ftello(stream);
    const sf_count_t end = here < 0 ? -1 : stream_seek(0, SEEK_END, stream);
    return end < 0 || fseeko(stream, here, SEEK_SET) != 0 ? -1 : end;
}

static sf_count_t read_back(void *data, sf_count_t count, void *stream)
{
    return (sf_count_t)fread(data, 1, (size_t)count, stream);
}

static sf_count_t stream_put(const void *data, sf_count_t count, void *stream)
{
    return (sf_count_t)fwrite(data, 1, (size_t)count, stream);
}

/* Sizes in a RIFF header have 32 bits; the header itself is far below a page. */
static int format_of(uint64_t frames, size_t channels, enum wav_subtype subtype)
{
    const uint64_t most = 0xFFFFFFFFULL - 4096;
    const bool large = frames > most / (channels * (subtype == WAV_PCM24 ? 3 : 4));
    return (large ? SF_FORMAT_RF64 : SF_FORMAT_WAV) |
           (subtype == WAV_PCM24 ? SF_FORMAT_PCM_24 : SF_FORMAT_FLOAT);
}

static void open_writing(void *context)
{
    struct opening *opening = context;
    opening->sound = sf_open_virtual(opening->through, SFM_WRITE, opening->info, opening->stream);
}

int wav_begin(const struct whole_file *file, uint64_t frames, size_t channels, int rate,
              enum wav_subtype subtype, SNDFILE **sound, struct failure *failure)
{
    SF_VIRTUAL_IO through = {stream_length, stream_seek, read_back, stream_put, stream_tell};
    SF_INFO info = {
        .samplerate = rate, .channels = (int)channels, .format = format_of(frames, channels, subtype)};
    struct opening opening = {.through = &through, .stream = file->stream, .info = &info};
    (void)guarded_call(open_writing, &opening);
    *sound = opening.sound;
    if (*sound == NULL)
        return errno == ENOMEM ? failure_memory(failure, 0, file->path)
                               : failure_set(failure, FAILURE_OUTPUT, "%s: cannot write: %s", file->path,
                                             sf_strerror(NULL));
    /* The PEAK chunk holds the time of writing: without it equal samples give equal files. */
    sf_command(*sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    /* Otherwise samples beyond full scale would wrap around. */
    sf_command(*sound, SFC_SET_CLIPPING, NULL, subtype == WAV_PCM24 ? SF_TRUE : SF_FALSE);
    return 0;
}

int wav_end(SNDFILE **sound, struct whole_file *file, struct failure *failure)
{
    sf_close(*sound);
    *sound = NULL;
    return whole_file_settle(file, failure);
}

int wav_stage(const char *path, const float *sample, size_t frames, int channels, int rate,
              enum wav_subtype subtype, struct whole_file *out, struct failure *failure)
{
    struct whole_file file = {0};
    SNDFILE *sound = NULL;
    for (size_t i = 0; i < frames * (size_t)channels; i++)
        if (!isfinite(sample[i]))
            return failure_set(failure, FAILURE_SIMULATION,
                               "%s: is not written: sample %zu of channel %zu is not finite", path,
                               i / (size_t)channels, i % (size_t)channels + 1);
    TRY(whole_file_open(&file, path, failure));
    int code = wav_begin(&file, frames, (size_t)channels, rate, subtype, &sound, failure);
    if (code == 0) {
        const sf_count_t written = sf_writef_float(sound, sample, (sf_count_t)frames);
        code = wav_end(&sound, &file, failure);
        if (code == 0 && written != (sf_count_t)frames)
            code = failure_set(failure, FAILURE_OUTPUT, "%s: only %lld of %llu samples could be written",
                               path, (long long)written, (unsigned long long)frames);
    }
    if (code == 0)
        *out = file;
    else
        whole_file_abandon(&file);
    return code;
}
