#include "src/listen/dry_sound.h"

#include <errno.h>
#include <math.h>
#include <samplerate.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/confined.h"
#include "geometry/base/regular_file.h"
#include "src/listen/dry_synthesis.h"
#include "src/response/signal/response.h"
#include "src/response/signal/wav_file.h"

#define PIECE           16384 /* frames read at once */
#define CHANNELS_MOST   1024  /* what libsndfile takes */
#define DRY_SAMPLE_MOST 1e6   /* 120 dB above full scale: with more, rate conversion could overflow */

/* Reads a file in a confined process (confined.h), since files come from any source, in any format. */
struct reader {
    const char *path;
    int answer;
    uint64_t given; /* frames at 48 kHz */
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

static int keep_samples(struct dry_sound *sound, const float *sample, size_t count, struct failure *failure)
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
        for (size_t n = 0; n < some && whole; n++) {
            out[done + n] = piece[n];
            if (!isfinite(piece[n]))
                return failure_set(failure, FAILURE_INPUT, "sample %llu of the dry sound is not finite",
                                   (unsigned long long)(first + done + n));
        }
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
    TRY(wav_open_descriptor(reader->path, CONFINED_DESCRIPTOR, &reader->info, &reader->file, failure));
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
static int average_channels(struct reader *reader, size_t count, struct failure *failure)
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

/* To the parent. */
static int give_samples(struct reader *reader, const float *sample, size_t count, struct failure *failure)
{
    if (confined_write(reader->answer, sample, count * sizeof *sample) != 0)
        return failure_set(failure, FAILURE_OUTPUT, "the pipe is closed");
    reader->given += count;
    return 0;
}

/* Converts the samples in `mean` and, at the end, those that the converter still holds. */
static int convert_rate(struct reader *reader, size_t count, bool end, struct failure *failure)
{
    if (reader->converter == NULL)
        return give_samples(reader, reader->mean, count, failure);
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
        TRY(give_samples(reader, reader->converted, (size_t)data.output_frames_gen, failure));
        data.data_in += data.input_frames_used;
        data.input_frames -= data.input_frames_used;
    } while (data.input_frames > 0 || (end && data.output_frames_gen > 0));
    return 0;
}

static int read_all(struct reader *reader, struct failure *failure)
{
    const uint64_t most = (uint64_t)DRY_HOURS_MOST * 3600u * (uint64_t)reader->info.samplerate;
    for (size_t count = PIECE; count > 0;) {
        count = (size_t)sf_readf_float(reader->file, reader->frame, PIECE);
        TRY(average_channels(reader, count, failure));
        if (reader->read > most)
            return failure_set(failure, FAILURE_INPUT, "%s: is longer than %d hours", reader->path,
                               DRY_HOURS_MOST);
        TRY(convert_rate(reader, count, count == 0, failure));
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
    /* The remainder is the rounding of channels that are each other's opposite. */
    if (!(reader->kept > 1e-10 * reader->energy))
        return failure_set(failure, FAILURE_INPUT,
                           "%s: its %d channels cancel each other: give one of them alone, since a source is "
                           "one point and plays their mean",
                           reader->path, reader->info.channels);
    return 0;
}

/* Follows the samples. */
struct last_words {
    int64_t status;
    uint64_t given;
    int32_t channels, rate;
    double seconds, cancelled;
    struct failure failure;
};

/* In the child. */
static void read_sound(void *context, int answer)
{
    struct reader reader = {.path = context, .answer = answer};
    struct last_words last = {0};
    last.status = open_reader(&reader, &last.failure);
    if (last.status == 0)
        last.status = read_all(&reader, &last.failure);
    last.given = reader.given;
    last.channels = reader.info.channels;
    last.rate = reader.info.samplerate;
    last.seconds = (double)reader.read / fmax(reader.info.samplerate, 1.0);
    last.cancelled = last.status == 0 ? 10.0 * log10(reader.energy / reader.kept) : 0.0;
    (void)confined_write(answer, &last, sizeof last);
    close_reader(&reader);
}

/* Check and take the child's last answer, which is as untrusted as the file. */
static int take_last_words(const char *path, struct dry_sound *out, struct failure *failure)
{
    struct last_words last;
    const off_t size = fseeko(out->stream, 0, SEEK_END) == 0 ? ftello(out->stream) : -1;
    const off_t from = size - (off_t)sizeof last;
    bool whole = from >= 0 && fseeko(out->stream, from, SEEK_SET) == 0 &&
                 fread(&last, sizeof last, 1, out->stream) == 1 && last.given <= (uint64_t)from &&
                 last.given * sizeof(float) == (uint64_t)from;
    if (whole && (last.status == FAILURE_INPUT || last.status == FAILURE_CAPACITY)) {
        last.failure.sentence[sizeof last.failure.sentence - 1] = '\0';
        return failure_set(failure, (enum failure_code)last.status, "%s", last.failure.sentence);
    }
    whole = whole && last.status == 0 && last.given > 0 && last.channels >= 1 &&
            last.channels <= CHANNELS_MOST && last.rate >= DRY_RATE_LEAST && last.rate <= DRY_RATE_MOST &&
            last.seconds > 0.0 && last.seconds <= 3600.0 * DRY_HOURS_MOST + 1.0 && isfinite(last.cancelled);
    if (!whole)
        return failure_set(failure, FAILURE_INPUT, "%s: crashed its reader: the file is broken", path);
    out->frames = last.given;
    out->channels = last.channels;
    out->rate = last.rate;
    out->seconds = last.seconds;
    out->cancelled = last.cancelled;
    return 0;
}

/* The file without a name has the samples first. The child's answer follows them and is not read again. */
static int open_file(const char *path, const volatile sig_atomic_t *stop, struct dry_sound *out,
                     struct failure *failure)
{
    int descriptor;
    uint64_t bytes;
    char who[1200];
    struct confined_answer answer = {0};
    TRY(regular_file_open(path, &descriptor, &bytes, failure));
    const double seconds = (SANITIZED ? 10.0 : 1.0) * (60.0 + 100.0 / 1048576.0 * (double)bytes);
    const struct confined_limits limits = {.memory_bytes = UINT64_C(1) << 30,
                                           .answer_bytes = DRY_HOURS_MOST * UINT64_C(3600) *
                                                           (RESPONSE_RATE + 1) * sizeof(float),
                                           .cpu_seconds = seconds,
                                           .wall_seconds = 60.0 + 4.0 * seconds,
                                           .file = descriptor,
                                           .sink = out->stream,
                                           .interrupted = stop};
    (void)snprintf(who, sizeof who, "%s: libsndfile, which reads sounds,", path);
    int code = confined_run(read_sound, (void *)(uintptr_t)path, who, &limits, &answer, failure);
    (void)close(descriptor);
    confined_answer_free(&answer);
    if (code == 0 && fflush(out->stream) != 0)
        code = not_kept(failure);
    return code == 0 ? take_last_words(path, out, failure) : code;
}

static int open_word(enum dry_word word, struct dry_sound *out, struct failure *failure)
{
    float *sample = NULL;
    size_t count = 0;
    TRY(dry_synthesise(word, &sample, &count, failure));
    const int code = keep_samples(out, sample, count, failure);
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
