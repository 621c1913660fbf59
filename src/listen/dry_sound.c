#include "src/listen/dry_sound.h"

#include <errno.h>
#include <math.h>
#include <samplerate.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/listen/dry_synthesis.h"
#include "src/signal/response.h"
#include "src/signal/wav_file.h"

#define PIECE           16384 /* frames read at once */
#define CHANNELS_MOST   1024  /* what libsndfile takes */
#define DRY_SAMPLE_MOST 1e6   /* 120 dB above full scale: with more, rate conversion could overflow */

/* What a file is read with. */
struct reader {
    const char *path;
    const volatile sig_atomic_t *stop;
    SNDFILE *file;
    SF_INFO info;
    SRC_STATE *converter; /* NULL at 48 kHz */
    double ratio;         /* new rate over old */
    float *frame;         /* (PIECE, channels) */
    float *mean;          /* (PIECE) */
    float *converted;     /* (room) */
    size_t room;
    uint64_t read;       /* frames */
    double energy, kept; /* of the channels in the mean, and of their mean */
};

/* DRY_WORDS for a file. */
static enum dry_word word_of(const char *what)
{
    int word = 0;
    while (word < DRY_WORDS && strcmp(dry_word[word], what) != 0)
        word++;
    return (enum dry_word)word;
}

bool dry_sound_is_word(const char *what)
{
    return word_of(what) < DRY_WORDS;
}

/* ---- the file without a name ---- */

static int keep_open(const char *folder, FILE **stream, struct failure *failure)
{
    static const char name[] = "/.transept-dry-XXXXXX";
    char *path = malloc(strlen(folder) + sizeof name);
    if (path == NULL)
        return failure_memory(failure, strlen(folder) + sizeof name, "a path");
    strcpy(path, folder);
    strcat(path, name);
    const int descriptor = mkstemp(path);
    int code = 0;
    if (descriptor < 0 || unlink(path) != 0 || (*stream = fdopen(descriptor, "w+b")) == NULL) {
        code = failure_set(failure, FAILURE_OUTPUT, "%s: nothing can be written there: %s", folder,
                           strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
    }
    free(path);
    return code;
}

static int not_kept(struct failure *failure)
{
    return failure_set(failure, FAILURE_OUTPUT, "the dry sound could not be kept beside the results: %s",
                       strerror(errno));
}

static int keep(struct dry_sound *sound, const float *sample, size_t count, struct failure *failure)
{
    if (fwrite(sample, sizeof *sample, count, sound->stream) != count)
        return not_kept(failure);
    sound->frames += count;
    return 0;
}

int dry_sound_read(struct dry_sound *sound, uint64_t first, size_t count, double *out,
                   struct failure *failure)
{
    const uint64_t left = first < sound->frames ? sound->frames - first : 0;
    const size_t wanted = left < count ? (size_t)left : count;
    float piece[4096];
    bool whole = fseeko(sound->stream, (off_t)(first * sizeof *piece), SEEK_SET) == 0;
    for (size_t done = 0; whole && done < wanted;) {
        const size_t some = wanted - done < 4096 ? wanted - done : 4096;
        whole = fread(piece, sizeof *piece, some, sound->stream) == some;
        for (size_t n = 0; n < some && whole; n++)
            out[done + n] = piece[n];
        done += some;
    }
    if (!whole)
        return failure_set(failure, FAILURE_OUTPUT, "the dry sound could not be read back: %s",
                           strerror(errno));
    for (size_t n = wanted; n < count; n++)
        out[n] = 0.0;
    return 0;
}

void dry_sound_close(struct dry_sound *sound)
{
    if (sound->stream != NULL)
        fclose(sound->stream);
    *sound = (struct dry_sound){0};
}

/* ---- from a file ---- */

static int check_file(const struct reader *reader, struct failure *failure)
{
    const SF_INFO *info = &reader->info;
    if (info->samplerate < DRY_RATE_LEAST || info->samplerate > DRY_RATE_MOST)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: has %d samples a second: a dry sound needs at least %d and at most %d",
                           reader->path, info->samplerate, DRY_RATE_LEAST, DRY_RATE_MOST);
    if (info->channels < 1 || info->channels > CHANNELS_MOST)
        return failure_set(failure, FAILURE_INPUT, "%s: has %d channels: at most %d can be read",
                           reader->path, info->channels, CHANNELS_MOST);
    return 0;
}

static int open_reader(struct reader *reader, struct failure *failure)
{
    TRY(wav_open(reader->path, &reader->info, &reader->file, failure));
    TRY(check_file(reader, failure));
    reader->ratio = (double)RESPONSE_RATE / reader->info.samplerate;
    reader->room = (size_t)(PIECE * fmax(reader->ratio, 1.0)) + 1024;
    reader->frame = malloc(PIECE * (size_t)reader->info.channels * sizeof(float));
    reader->mean = malloc(PIECE * sizeof(float));
    reader->converted = malloc(reader->room * sizeof(float));
    int error = 0;
    if (reader->info.samplerate != RESPONSE_RATE)
        reader->converter = src_new(SRC_SINC_BEST_QUALITY, 1, &error);
    if (reader->frame == NULL || reader->mean == NULL || reader->converted == NULL || error != 0)
        return failure_memory(failure, PIECE * (unsigned long long)reader->info.channels * sizeof(float),
                              reader->path);
    return 0;
}

static void close_reader(struct reader *reader)
{
    if (reader->converter != NULL)
        src_delete(reader->converter);
    if (reader->file != NULL)
        sf_close(reader->file);
    free(reader->frame);
    free(reader->mean);
    free(reader->converted);
}

/* The mean of the channels of `count` frames. */
static int average(struct reader *reader, size_t count, struct failure *failure)
{
    const size_t channels = (size_t)reader->info.channels;
    for (size_t n = 0; n < count; n++) {
        double sum = 0.0;
        for (size_t c = 0; c < channels; c++) {
            const double value = reader->frame[n * channels + c];
            if (!(fabs(value) <= DRY_SAMPLE_MOST))
                return failure_set(failure, FAILURE_INPUT,
                                   "%s: sample %llu of channel %zu is %g: a sound lies between -%g and %g",
                                   reader->path, (unsigned long long)(reader->read + n), c + 1, value,
                                   DRY_SAMPLE_MOST, DRY_SAMPLE_MOST);
            sum += value;
            reader->energy += value * value / (double)channels;
        }
        const double mean = sum / (double)channels;
        reader->mean[n] = (float)mean;
        reader->kept += mean * mean;
    }
    reader->read += count;
    return 0;
}

/* Converts what is in `mean`, and at the end what the converter still holds. */
static int convert(struct reader *reader, size_t count, bool end, struct dry_sound *out,
                   struct failure *failure)
{
    if (reader->converter == NULL)
        return keep(out, reader->mean, count, failure);
    SRC_DATA data = {.data_in = reader->mean,
                     .input_frames = (long)count,
                     .src_ratio = reader->ratio,
                     .end_of_input = end};
    do {
        data.data_out = reader->converted;
        data.output_frames = (long)reader->room;
        const int error = src_process(reader->converter, &data);
        if (error != 0)
            return failure_set(failure, FAILURE_INPUT, "%s: its rate of %d Hz cannot be converted: %s",
                               reader->path, reader->info.samplerate, src_strerror(error));
        TRY(keep(out, reader->converted, (size_t)data.output_frames_gen, failure));
        data.data_in += data.input_frames_used;
        data.input_frames -= data.input_frames_used;
    } while (data.input_frames > 0 || (end && data.output_frames_gen > 0));
    return 0;
}

static int read_all(struct reader *reader, struct dry_sound *out, struct failure *failure)
{
    const uint64_t most = (uint64_t)DRY_HOURS_MOST * 3600u * (uint64_t)reader->info.samplerate;
    for (size_t count = PIECE; count > 0;) {
        if (*reader->stop != 0)
            return failure_interrupted(failure);
        count = (size_t)sf_readf_float(reader->file, reader->frame, PIECE);
        TRY(average(reader, count, failure));
        if (reader->read > most)
            return failure_set(failure, FAILURE_INPUT, "%s: is longer than %d hours", reader->path,
                               DRY_HOURS_MOST);
        TRY(convert(reader, count, count == 0, out, failure));
    }
    if (reader->read < (uint64_t)reader->info.frames && reader->info.frames < SF_COUNT_MAX)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "%s: ends after %llu of its %lld samples",
                                       reader->path, (unsigned long long)reader->read,
                                       (long long)reader->info.frames),
                           failure, "copy or export it again");
    if (reader->read == 0)
        return failure_set(failure, FAILURE_INPUT, "%s: holds no samples", reader->path);
    if (!(reader->energy > 0.0))
        return failure_set(failure, FAILURE_INPUT, "%s: is silent: there is nothing to hear", reader->path);
    /* What rounding leaves of channels that are each other's opposite. */
    if (!(reader->kept > 1e-10 * reader->energy))
        return failure_set(failure, FAILURE_INPUT,
                           "%s: its %d channels cancel each other: give one of them alone, since a source is "
                           "one point and plays their mean",
                           reader->path, reader->info.channels);
    return 0;
}

static int open_file(const char *path, const volatile sig_atomic_t *stop, struct dry_sound *out,
                     struct failure *failure)
{
    struct reader reader = {.path = path, .stop = stop};
    int code = open_reader(&reader, failure);
    if (code == 0)
        code = read_all(&reader, out, failure);
    if (code == 0) {
        out->channels = reader.info.channels;
        out->rate = reader.info.samplerate;
        out->seconds = (double)reader.read / reader.info.samplerate;
        out->cancelled = 10.0 * log10(reader.energy / reader.kept);
    }
    close_reader(&reader);
    return code;
}

static int open_word(enum dry_word word, struct dry_sound *out, struct failure *failure)
{
    float *sample = NULL;
    size_t count = 0;
    TRY(dry_synthesise(word, &sample, &count, failure));
    const int code = keep(out, sample, count, failure);
    free(sample);
    out->channels = 1;
    out->rate = RESPONSE_RATE;
    out->seconds = (double)count / RESPONSE_RATE;
    return code;
}

int dry_sound_open(const char *what, const char *folder, const volatile sig_atomic_t *stop,
                   struct dry_sound *out, struct failure *failure)
{
    struct dry_sound sound = {0};
    const enum dry_word word = word_of(what);
    int code = keep_open(folder, &sound.stream, failure);
    if (code == 0)
        code = word < DRY_WORDS ? open_word(word, &sound, failure) : open_file(what, stop, &sound, failure);
    if (code == 0 && fflush(sound.stream) != 0)
        code = not_kept(failure);
    if (code != 0) {
        dry_sound_close(&sound);
        return code;
    }
    *out = sound;
    return 0;
}
