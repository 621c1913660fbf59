#include "src/walk/walk_responses.h"

#include <math.h>
#include <samplerate.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/acoustics/kept_response.h"
#include "src/base/progress_json.h"
#include "src/signal/fourier.h"
#include "src/signal/low_pass.h"
#include "src/signal/wav_file.h"

#define PI             3.14159265358979323846
#define NEAREST        4
#define PARTS          2 /* what comes early, and the rest */
#define BANDS_MOST     9
#define FIRST_EDGE     88.388 /* of the bands: octaves from here on [Hz] */
#define EARLY          0.05   /* after the direct sound, until the early part begins to go .. [s] */
#define EARLY_ENDS     0.11   /* .. and is gone */
#define LOOKS          100.0  /* at weights and gains in a second */
#define GAIN_MOST      4.0
#define DISTANCE_LEAST 0.1 /* [m] */
#define MARGIN         0.2 /* on either side of a block, for the filters of octaves and for shifts [s] */
#define SHIFT_MOST     0.1 /* [s] */
#define SINC_HALF      16  /* samples on either side of a time between samples */
#define SINC_PHASES    512
#define SINC_BETA      9.0
#define BLOCK_LEAST    1.0 /* [s] */

/* The places about the listener, and what each weighs. */
struct near {
    size_t count, station[NEAREST];
    double weight[NEAREST];
    double distance,
        late; /* of the listener from the source [m]; of the sound, behind the straight way [s] */
};

/* One response at the low rate. */
struct loaded {
    bool used;
    double distance, onset; /* from the source [m]; [s] */
    size_t frames;
    float *part[PARTS];          /* (frames, channels) owned */
    double complex *line[PARTS]; /* (lines) of the first channel, its direct sound at time 0; owned */
};

struct mix {
    const struct walk_field *field;
    const struct walk_path *path;
    double rate;
    size_t channels, bands, longest; /* .., .., frames of the longest response */
    double *distance;                /* (stations) from the source; owned */
    struct loaded *loaded;           /* (stations) owned */
    size_t looks;
    struct near *near;    /* (looks) owned */
    float *gain;          /* (looks, PARTS, bands) owned */
    struct fourier lines; /* of the products of responses; owned */
    float *line_share;    /* as make_shares(), of these; owned */
    double *product;      /* (stations, stations, PARTS, bands) of those used, NaN: not known yet; owned */
    size_t *number;       /* (stations) among those used; owned */
    size_t used;
    float *sinc; /* (SINC_PHASES + 1, 2 SINC_HALF) owned */
};

static void mix_free(struct mix *mix)
{
    for (size_t i = 0; mix->loaded != NULL && i < mix->field->stations; i++)
        for (int p = 0; p < PARTS; p++) {
            free(mix->loaded[i].part[p]);
            free(mix->loaded[i].line[p]);
        }
    free(mix->distance);
    free(mix->loaded);
    free(mix->near);
    free(mix->gain);
    free(mix->product);
    free(mix->number);
    free(mix->sinc);
    free(mix->line_share);
    fourier_free(&mix->lines);
}

/* ---- who is near ---- */

/* The five nearest, in order; how many there are. */
static size_t find_nearest(const struct walk_field *field, const double place[3], size_t index[NEAREST + 1],
                           double distance[NEAREST + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < field->stations; i++) {
        const double d = vector_distance(field->station[i].position, place);
        size_t at = count < NEAREST + 1 ? count++ : NEAREST + 1;
        while (at > 0 && d < distance[at - 1]) {
            if (at <= NEAREST) {
                distance[at] = distance[at - 1];
                index[at] = index[at - 1];
            }
            at--;
        }
        if (at <= NEAREST) {
            distance[at] = d;
            index[at] = i;
        }
    }
    return count;
}

static void weigh(const struct walk_field *field, const double place[3], struct near *out)
{
    size_t index[NEAREST + 1];
    double distance[NEAREST + 1], sum = 0.0;
    const size_t found = find_nearest(field, place, index, distance);
    const double reach = found > NEAREST ? distance[NEAREST] : INFINITY;
    *out = (struct near){.count = 0};
    for (size_t i = 0; i < found && i < NEAREST && distance[i] < reach; i++) {
        const bool here = distance[i] < 1e-6;
        const double w = here ? 1.0 : pow(1.0 / distance[i] - 1.0 / reach, 2.0);
        out->station[out->count] = index[i];
        out->weight[out->count++] = w;
        sum += w;
        if (here)
            break;
    }
    for (size_t i = 0; i < out->count; i++)
        out->weight[i] /= sum;
}

int walk_responses_check(const struct walk_field *field, const struct walk_path *path,
                         struct walk_responses_facts *facts, struct failure *failure)
{
    const double length = walk_path_length(path);
    const size_t looks = 1 + (size_t)ceil(length / 0.05);
    facts->farthest = 0.0;
    for (size_t n = 0; n < looks; n++) {
        const double along = looks > 1 ? length * (double)n / (double)(looks - 1) : 0.0;
        double place[3], distance[NEAREST + 1];
        size_t index[NEAREST + 1];
        walk_path_place(path, along, place);
        const size_t found = find_nearest(field, place, index, distance);
        if (found == 0 || distance[0] > WALK_REACH)
            return failure_fix(
                failure_set(failure, FAILURE_INPUT,
                            "at %.2f,%.2f,%.2f m, %.1f m from its start, the walk is %.1f m from the nearest "
                            "response (%s); it may be %g m at most",
                            place[0], place[1], place[2], along, found > 0 ? distance[0] : INFINITY,
                            found > 0 ? field->station[index[0]].name : "there is none", WALK_REACH),
                failure, "simulate with receivers along the walk, or have it stepped");
        facts->farthest = fmax(facts->farthest, distance[0]);
    }
    return 0;
}

static double seconds_of_look(size_t look)
{
    return (double)look / LOOKS;
}

static int look_around(struct mix *mix, double seconds, struct failure *failure)
{
    const struct walk_field *field = mix->field;
    mix->looks = 2 + (size_t)ceil(seconds * LOOKS);
    mix->near = calloc(mix->looks, sizeof *mix->near);
    mix->gain = calloc(mix->looks * PARTS * mix->bands, sizeof *mix->gain);
    if (mix->near == NULL || mix->gain == NULL)
        return failure_memory(failure, mix->looks * (sizeof *mix->near + PARTS * mix->bands * sizeof(float)),
                              "a walk");
    for (size_t n = 0; n < mix->looks; n++) {
        struct near *near = &mix->near[n];
        double place[3];
        walk_path_place(mix->path, mix->path->speed * seconds_of_look(n), place);
        weigh(field, place, near);
        near->distance = fmax(vector_distance(place, field->source), DISTANCE_LEAST);
        for (size_t i = 0; i < near->count; i++) {
            struct loaded *of = &mix->loaded[near->station[i]];
            of->used = true;
            near->late += near->weight[i] * (of->onset - of->distance / field->sound_speed);
        }
    }
    return 0;
}

/* ---- the responses ---- */

/* To the rate of the walk; a sample stands for a time of one over its rate. */
static int convert(struct wav_sound *sound, double rate, const char *path, struct failure *failure)
{
    const double ratio = rate / sound->rate;
    const size_t channels = (size_t)sound->channels, frames = (size_t)ceil((double)sound->frames * ratio),
                 silence = 512 + (size_t)(512.0 / fmin(ratio, 1.0)), in = sound->frames + silence;
    float *from = realloc(sound->sample, in * channels * sizeof *from);
    if (from == NULL)
        return failure_memory(failure, in * channels * sizeof *from, path);
    sound->sample = from;
    memset(from + sound->frames * channels, 0, silence * channels * sizeof *from);
    float *made = calloc(frames * channels, sizeof *made);
    if (made == NULL)
        return failure_memory(failure, frames * channels * sizeof *made, path);
    SRC_DATA data = {.data_in = from,
                     .data_out = made,
                     .input_frames = (long)in,
                     .output_frames = (long)frames,
                     .src_ratio = ratio};
    const int error = ratio != 1.0 ? src_simple(&data, SRC_SINC_BEST_QUALITY, (int)channels) : 0;
    if (error != 0) {
        free(made);
        return failure_set(failure, FAILURE_INPUT, "%s: its rate of %d Hz cannot be converted: %s", path,
                           sound->rate, src_strerror(error));
    }
    for (size_t n = 0; n < frames * channels; n++)
        made[n] = ratio != 1.0 ? (float)((double)made[n] / ratio) : from[n];
    free(from);
    *sound = (struct wav_sound){
        .sample = made, .frames = frames, .channels = (int)channels, .rate = (int)lround(rate)};
    return 0;
}

/* What is meant of a file: one channel, so that of hundreds of points one is converted, or all four. */
static int take_channels(const struct wav_sound *file, size_t channel, size_t wanted, struct wav_sound *out,
                         struct failure *failure)
{
    const size_t from = wanted == 1 ? channel : 0, stride = (size_t)file->channels;
    *out = (struct wav_sound){.sample = malloc((file->frames * wanted + 1) * sizeof(float)),
                              .frames = file->frames,
                              .channels = (int)wanted,
                              .rate = file->rate};
    if (out->sample == NULL)
        return failure_memory(failure, file->frames * wanted * sizeof(float), "responses along the walk");
    for (size_t n = 0; n < file->frames; n++)
        memcpy(out->sample + n * wanted, file->sample + n * stride + from, wanted * sizeof(float));
    return 0;
}

/* Its frame becomes that of the room. */
static void turn_to_room(struct wav_sound *sound, double front)
{
    const double c = cos(front * PI / 180.0), s = sin(front * PI / 180.0);
    for (size_t n = 0; n < sound->frames; n++) {
        float *frame = sound->sample + n * AMBISONIC_CHANNELS;
        const double x = (double)frame[AMBISONIC_X], y = (double)frame[AMBISONIC_Y];
        frame[AMBISONIC_X] = (float)(c * x - s * y);
        frame[AMBISONIC_Y] = (float)(s * x + c * y);
    }
}

/* How much of a response at time t belongs to its early part. */
static double early_share(double t)
{
    const double x = fmin(fmax((t - EARLY) / (EARLY_ENDS - EARLY), 0.0), 1.0);
    return pow(cos(0.5 * PI * x), 2.0);
}

static int split(struct mix *mix, const struct wav_sound *sound, struct loaded *out, struct failure *failure)
{
    const size_t channels = mix->channels, samples = sound->frames * channels;
    out->frames = sound->frames;
    mix->longest = sound->frames > mix->longest ? sound->frames : mix->longest;
    for (int p = 0; p < PARTS; p++) {
        out->part[p] = malloc((samples + 1) * sizeof(float));
        if (out->part[p] == NULL)
            return failure_memory(failure, samples * sizeof(float), "responses along the walk");
    }
    for (size_t n = 0; n < sound->frames; n++) {
        const double early = early_share((double)n / mix->rate - out->onset);
        for (size_t c = 0; c < channels; c++) {
            const float whole = sound->sample[n * channels + c], first = (float)(early * (double)whole);
            out->part[0][n * channels + c] = first;
            out->part[1][n * channels + c] = whole - first;
        }
    }
    return 0;
}

/* `file` is the one that was read last, from `*path`: points of a receiver grid share one. */
static int load(struct mix *mix, size_t station, struct wav_sound *file, const char **path,
                struct failure *failure)
{
    const struct walk_station *of = &mix->field->station[station];
    const size_t wanted = mix->channels;
    struct wav_sound sound = {0};
    struct extension_record how;
    if (*path == NULL || strcmp(*path, of->path) != 0) {
        wav_sound_free(file);
        *path = NULL;
        TRY(wav_response_read(of->path, "is it a response?", file, failure));
        *path = of->path;
    }
    if (wanted == 1 ? of->channel >= (size_t)file->channels : (size_t)file->channels != wanted)
        return failure_set(failure, FAILURE_INPUT, "%s has %d channels; a walk needs %s %zu of it", of->path,
                           file->channels, wanted == 1 ? "number" : "all",
                           wanted == 1 ? of->channel + 1 : wanted);
    int code = take_channels(file, of->channel, wanted, &sound, failure);
    if (code == 0)
        code = convert(&sound, mix->rate, of->path, failure);
    if (code == 0 && mix->field->extended)
        code = response_extend(of->path, mix->field->fmax, mix->field->losses, of->of, &sound, &how, failure);
    if (code == 0 && wanted > 1)
        turn_to_room(&sound, of->front);
    if (code == 0)
        code = split(mix, &sound, &mix->loaded[station], failure);
    wav_sound_free(&sound);
    return code;
}

static int load_all(struct mix *mix, size_t *used, struct failure *failure)
{
    struct wav_sound file = {0};
    const char *path = NULL;
    int code = 0;
    for (size_t i = 0; code == 0 && i < mix->field->stations; i++)
        if (mix->loaded[i].used) {
            ++*used;
            code = load(mix, i, &file, &path, failure);
        }
    wav_sound_free(&file);
    return code;
}

/* ---- octaves ---- */

/* The share of frequency f that is below an edge: cosine over a third of an octave. */
static double below(double f, double edge)
{
    const double x = f > 0.0 ? fmin(fmax(0.5 + 3.0 * log2(f / edge), 0.0), 1.0) : 0.0;
    return pow(cos(0.5 * PI * x), 2.0);
}

static double band_share(const struct mix *mix, size_t band, double f)
{
    const double over = band > 0 ? below(f, FIRST_EDGE * pow(2.0, (double)band - 1.0)) : 0.0;
    const double under = band + 1 < mix->bands ? below(f, FIRST_EDGE * pow(2.0, (double)band)) : 1.0;
    return under - over;
}

/* Of all lines of a transform: (length / 2 + 1, bands), owned by the caller. */
static int make_shares(const struct mix *mix, size_t length, float **out, struct failure *failure)
{
    float *share = malloc((length / 2 + 1) * mix->bands * sizeof *share);
    if (share == NULL)
        return failure_memory(failure, (length / 2 + 1) * mix->bands * sizeof *share, "octaves");
    for (size_t k = 0; k <= length / 2; k++)
        for (size_t b = 0; b < mix->bands; b++)
            share[k * mix->bands + b] = (float)band_share(mix, b, mix->rate * (double)k / (double)length);
    *out = share;
    return 0;
}

static int transform_lines(struct mix *mix, struct loaded *of, struct failure *failure)
{
    const size_t length = mix->lines.length;
    for (int p = 0; p < PARTS; p++) {
        double complex *line = of->line[p] = calloc(length, sizeof *line);
        if (line == NULL)
            return failure_memory(failure, length * sizeof *line, "responses along the walk");
        for (size_t n = 0; n < of->frames; n++)
            line[n] = (double)of->part[p][n * mix->channels];
        fourier_forward(&mix->lines, line);
        for (size_t k = 0; k <= length / 2; k++) {
            const double angle = 2.0 * PI * (double)k * mix->rate / (double)length * of->onset;
            line[k] = fourier_product(line[k], cos(angle) + I * sin(angle));
        }
    }
    return 0;
}

/* Of two responses in one octave, aligned; both parts. */
static double product(struct mix *mix, size_t i, size_t j, int part, size_t band)
{
    const size_t a = mix->number[i], b = mix->number[j];
    double *known = mix->product + ((a * mix->used + b) * PARTS + (size_t)part) * mix->bands;
    if (!isnan(known[band]))
        return known[band];
    const double complex *x = mix->loaded[i].line[part], *y = mix->loaded[j].line[part];
    memset(known, 0, mix->bands * sizeof *known);
    for (size_t k = 0; k <= mix->lines.length / 2; k++) {
        const double both = creal(x[k]) * creal(y[k]) + cimag(x[k]) * cimag(y[k]);
        for (size_t n = 0; n < mix->bands; n++) {
            const double share = (double)mix->line_share[k * mix->bands + n];
            known[n] += share * share * both;
        }
    }
    memcpy(mix->product + ((b * mix->used + a) * PARTS + (size_t)part) * mix->bands, known,
           mix->bands * sizeof *known);
    return known[band];
}

static double gain_of(struct mix *mix, const struct near *near, int part, size_t band)
{
    double sum = 0.0, wanted = 0.0;
    for (size_t i = 0; i < near->count; i++) {
        const size_t station = near->station[i];
        const double nearer = part == 0 ? mix->loaded[station].distance / near->distance : 1.0;
        for (size_t j = 0; j < near->count; j++)
            sum += near->weight[i] * near->weight[j] * product(mix, station, near->station[j], part, band);
        wanted += near->weight[i] * nearer * nearer * product(mix, station, station, part, band);
    }
    return near->count > 1 && sum > 0.0 ? fmin(sqrt(wanted / sum), GAIN_MOST) : 1.0;
}

static int find_gains(struct mix *mix, struct failure *failure)
{
    const size_t stations = mix->field->stations;
    mix->number = calloc(stations, sizeof *mix->number);
    for (size_t i = 0; mix->number != NULL && i < stations; i++)
        if (mix->loaded[i].used)
            mix->number[i] = mix->used++;
    const size_t products = mix->used * mix->used * PARTS * mix->bands;
    mix->product = malloc((products + 1) * sizeof *mix->product);
    if (mix->number == NULL || mix->product == NULL)
        return failure_memory(failure, products * sizeof *mix->product, "responses along the walk");
    for (size_t n = 0; n < products; n++)
        mix->product[n] = NAN;
    TRY(fourier_make(fourier_length(mix->longest), &mix->lines, failure));
    TRY(make_shares(mix, mix->lines.length, &mix->line_share, failure));
    for (size_t i = 0; i < stations; i++)
        if (mix->loaded[i].used)
            TRY(transform_lines(mix, &mix->loaded[i], failure));
    for (size_t n = 0; n < mix->looks; n++)
        for (int p = 0; p < PARTS; p++)
            for (size_t b = 0; b < mix->bands; b++)
                mix->gain[(n * PARTS + (size_t)p) * mix->bands + b] =
                    (float)gain_of(mix, &mix->near[n], p, b);
    return 0;
}

/* ---- the sum ---- */

static int make_sinc(struct mix *mix, struct failure *failure)
{
    mix->sinc = malloc((SINC_PHASES + 1) * 2 * SINC_HALF * sizeof *mix->sinc);
    if (mix->sinc == NULL)
        return failure_memory(failure, (SINC_PHASES + 1) * 2 * SINC_HALF * sizeof *mix->sinc, "a table");
    for (int phase = 0; phase <= SINC_PHASES; phase++)
        for (int k = 0; k < 2 * SINC_HALF; k++) {
            const double x = (double)(k - SINC_HALF + 1) - (double)phase / SINC_PHASES, side = x / SINC_HALF;
            const double window = fabs(side) < 1.0
                                      ? bessel_i0(SINC_BETA * sqrt(1.0 - side * side)) / bessel_i0(SINC_BETA)
                                      : 0.0;
            mix->sinc[phase * 2 * SINC_HALF + k] =
                (float)(window * (fabs(x) < 1e-12              ? 1.0
                                  : fabs(x - round(x)) < 1e-12 ? 0.0
                                                               : sin(PI * x) / (PI * x)));
        }
    return 0;
}

/* A signal between its samples. */
static double read_between(const struct mix *mix, const double *signal, double at)
{
    const double whole = floor(at), phase = (at - whole) * SINC_PHASES;
    const size_t low = (size_t)phase;
    const double share = phase - (double)low;
    const float *a = mix->sinc + low * 2 * SINC_HALF, *b = low < SINC_PHASES ? a + 2 * SINC_HALF : a;
    const double *from = signal + (ptrdiff_t)whole - SINC_HALF + 1;
    double sum = 0.0;
    for (int k = 0; k < 2 * SINC_HALF; k++)
        sum += ((1.0 - share) * (double)a[k] + share * (double)b[k]) * from[k];
    return sum;
}

/* The looks before and behind a time [samples], and where between them it is. */
static double look_at(const struct mix *mix, double sample, size_t *look)
{
    const double at = fmin(fmax(sample / mix->rate * LOOKS, 0.0), (double)(mix->looks - 2));
    *look = (size_t)at;
    if (*look > mix->looks - 2)
        *look = mix->looks - 2;
    return at - (double)*look;
}

static double weight_of(const struct near *near, size_t station)
{
    for (size_t i = 0; i < near->count; i++)
        if (near->station[i] == station)
            return near->weight[i];
    return 0.0;
}

/* A block of the walk, and what its transforms work in. */
struct block {
    ptrdiff_t base;      /* the time of sample 0 of the transforms [samples] */
    size_t first, count; /* frames that it makes */
    struct fourier fourier;
    double complex *dry, *wet, *work; /* (length) each; owned */
    double *z;                        /* (length) owned */
    float *share;                     /* of make_shares(); owned */
};

static bool is_heard(const struct mix *mix, const struct block *block, size_t station)
{
    size_t from, to;
    (void)look_at(mix, (double)block->first, &from);
    (void)look_at(mix, (double)(block->first + block->count), &to);
    for (size_t n = from; n <= to + 1; n++)
        if (weight_of(&mix->near[n], station) > 0.0)
            return true;
    return false;
}

/* Two octaves of one part through the response, with their gains, into z: one in the real part, one in the
 * imaginary one. */
static void add_octaves(const struct mix *mix, struct block *block, int part, size_t band)
{
    const size_t length = block->fourier.length;
    for (size_t k = 0; k < length; k++) {
        const float *share = block->share + (k <= length / 2 ? k : length - k) * mix->bands + band;
        const double two = band + 1 < mix->bands ? (double)share[1] : 0.0;
        block->work[k] = fourier_product(block->wet[k], (double)share[0] + I * two);
    }
    fourier_inverse(&block->fourier, block->work);
    for (size_t n = 0; n < length; n++) {
        size_t look;
        const double share = look_at(mix, (double)(block->base + (ptrdiff_t)n), &look);
        const float *a = mix->gain + (look * PARTS + (size_t)part) * mix->bands, *b = a + PARTS * mix->bands;
        block->z[n] += ((1.0 - share) * (double)a[band] + share * (double)b[band]) * creal(block->work[n]);
        if (band + 1 < mix->bands)
            block->z[n] +=
                ((1.0 - share) * (double)a[band + 1] + share * (double)b[band + 1]) * cimag(block->work[n]);
    }
}

static void add_channel(const struct mix *mix, struct block *block, size_t station, size_t channel,
                        float *out)
{
    const struct loaded *of = &mix->loaded[station];
    const size_t length = block->fourier.length;
    memset(block->z, 0, length * sizeof *block->z);
    for (int p = 0; p < PARTS; p++) {
        for (size_t n = 0; n < length; n++)
            block->wet[n] = n < of->frames ? (double)of->part[p][n * mix->channels + channel] : 0.0;
        fourier_forward(&block->fourier, block->wet);
        for (size_t k = 0; k < length; k++)
            block->wet[k] = fourier_product(block->wet[k], block->dry[k]);
        for (size_t b = 0; b < mix->bands; b += 2)
            add_octaves(mix, block, p, b);
    }
    for (size_t n = 0; n < block->count; n++) {
        const double time = (double)(block->first + n);
        size_t look;
        const double share = look_at(mix, time, &look);
        const struct near *a = &mix->near[look], *b = a + 1;
        const double weight = (1.0 - share) * weight_of(a, station) + share * weight_of(b, station);
        if (weight == 0.0)
            continue;
        double place[3];
        walk_path_place(mix->path, mix->path->speed * time / mix->rate, place);
        const double arrives = vector_distance(place, mix->field->source) / mix->field->sound_speed +
                               (1.0 - share) * a->late + share * b->late;
        const double shift = fmin(fmax(of->onset - arrives, -SHIFT_MOST), SHIFT_MOST);
        out[n * mix->channels + channel] +=
            (float)(weight * read_between(mix, block->z, time - (double)block->base + shift * mix->rate));
    }
}

static void make_block(const struct mix *mix, struct block *block, const double *dry, size_t dry_count,
                       struct walk_sound *out)
{
    const size_t length = block->fourier.length;
    for (size_t n = 0; n < length; n++) {
        const ptrdiff_t at = block->base + (ptrdiff_t)n;
        block->dry[n] = at >= 0 && (size_t)at < dry_count ? dry[at] : 0.0;
    }
    fourier_forward(&block->fourier, block->dry);
    for (size_t i = 0; i < mix->field->stations; i++)
        for (size_t c = 0; mix->loaded[i].used && c < mix->channels && is_heard(mix, block, i); c++)
            add_channel(mix, block, i, c, out->sample + block->first * mix->channels);
}

static int make_blocks(struct mix *mix, const double *dry, size_t dry_count,
                       const volatile sig_atomic_t *stop, struct walk_sound *out, struct failure *failure)
{
    const size_t margin = (size_t)(MARGIN * mix->rate) + SINC_HALF, before = mix->longest + margin;
    const size_t least = (size_t)(BLOCK_LEAST * mix->rate);
    struct block block = {0};
    TRY(fourier_make(fourier_length(before + margin + (mix->longest > least ? mix->longest : least)),
                     &block.fourier, failure));
    const size_t length = block.fourier.length, step = length - before - margin;
    block.dry = malloc(3 * length * sizeof *block.dry);
    block.z = malloc(length * sizeof *block.z);
    int code = make_shares(mix, length, &block.share, failure);
    if (block.dry == NULL || block.z == NULL)
        code = failure_memory(failure, 56 * length, "a block of sound");
    if (code == 0) {
        block.wet = block.dry + length;
        block.work = block.wet + length;
    }
    for (size_t first = 0; code == 0 && first < out->frames; first += step) {
        progress_json_show((double)first / (double)out->frames);
        block.first = first;
        block.count = out->frames - first < step ? out->frames - first : step;
        block.base = (ptrdiff_t)first - (ptrdiff_t)before;
        if (*stop != 0)
            code = failure_interrupted(failure);
        else
            make_block(mix, &block, dry, dry_count, out);
    }
    free(block.dry);
    free(block.share);
    free(block.z);
    fourier_free(&block.fourier);
    return code;
}

/* ---- all together ---- */

static int begin(struct mix *mix, double seconds, struct walk_responses_facts *facts, struct failure *failure)
{
    const struct walk_field *field = mix->field;
    mix->loaded = calloc(field->stations + 1, sizeof *mix->loaded);
    if (mix->loaded == NULL)
        return failure_memory(failure, field->stations * sizeof *mix->loaded, "responses along the walk");
    mix->bands = 1;
    while (mix->bands < BANDS_MOST && FIRST_EDGE * pow(2.0, (double)mix->bands - 1.0) < 0.5 * mix->rate)
        mix->bands++;
    for (size_t i = 0; i < field->stations; i++) {
        struct loaded *of = &mix->loaded[i];
        of->distance = vector_distance(field->station[i].position, field->source);
        of->onset =
            isfinite(field->station[i].onset) ? field->station[i].onset : of->distance / field->sound_speed;
    }
    TRY(look_around(mix, seconds, failure));
    TRY(load_all(mix, &facts->used, failure));
    TRY(find_gains(mix, failure));
    return make_sinc(mix, failure);
}

int walk_responses_make(const struct walk_field *field, const struct walk_path *path, struct dry_sound *dry,
                        const volatile sig_atomic_t *stop, struct walk_sound *out,
                        struct walk_responses_facts *facts, struct failure *failure)
{
    *facts = (struct walk_responses_facts){0};
    TRY(walk_responses_check(field, path, facts, failure));
    struct mix mix = {.field = field, .path = path, .channels = field->channels, .rate = RESPONSE_RATE};
    if (isfinite(field->fmax) && !field->extended)
        mix.rate /= (double)kept_every(LOW_PASS_STOP_RATIO * field->fmax);
    double sounds = 0.0, *sample = NULL;
    const size_t times = walk_dry_times(dry, path, &sounds);
    int code = begin(&mix, fmax(walk_path_seconds(path), 0.1), facts, failure);
    const size_t count = (size_t)ceil(sounds * mix.rate);
    struct walk_sound sound = {.rate = mix.rate, .frames = count + mix.longest, .channels = mix.channels};
    if (code == 0)
        code = walk_dry_at(dry, times, mix.rate, count, &sample, failure);
    if (code == 0 && (sound.sample = calloc(sound.frames * sound.channels, sizeof *sound.sample)) == NULL)
        code = failure_memory(failure, sound.frames * sound.channels * sizeof *sound.sample,
                              "what is heard on the walk");
    if (code == 0)
        code = make_blocks(&mix, sample, count, stop, &sound, failure);
    free(sample);
    mix_free(&mix);
    if (code != 0) {
        walk_sound_free(&sound);
        return code;
    }
    *out = sound;
    return 0;
}
