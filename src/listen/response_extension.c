#include "src/listen/response_extension.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/decay_tail.h"
#include "src/listen/extension_rates.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/noise.h"
#include "src/response/signal/octave_filters.h"
#include "src/response/signal/response.h"

#define PI     3.14159265358979323846
#define WINDOW 480  /* for the energy: 10 ms */
#define FRAME  1024 /* of noise with one spectrum: 21 ms */
#define HOP    (FRAME / 2)
#define SEED   355

#define TOP_FLAT     20000.0 /* [Hz] */
#define TOP_END      22000.0
#define SILENCE      1e-12 /* energy of a window over the largest */
#define LEAST_LEFT   1e-30 /* of the energy after the onset */
#define SMOOTH_SHARE 0.15  /* of the time since the onset: half the width over which energy is averaged */

/* One response on its way. */
struct extension {
    double fmax, middle;  /* [Hz] */
    size_t count, length; /* of the response; of transforms, at least twice that */
    bool direct;
    double distance, onset;   /* of the direct sound [m], [s] */
    struct fourier fourier;   /* (length) */
    double complex *added;    /* (length) the added part: noise in time, then all of it by frequency */
    double complex *straight; /* (length) the direct sound that is in the response, by frequency */
    size_t windows;
    double *energy; /* (windows) of the octave below fmax, per sample and as if it were white */
    double *lost;   /* (windows) decay of the energy after the onset so far [nepers] */
    double rate;    /* at which it falls at last [1/s] */
    struct extension_rates rates;
};

static void extension_free(struct extension *work)
{
    fourier_free(&work->fourier);
    free(work->added);
    free(work->straight);
    free(work->energy);
    free(work->lost);
}

static int allocate_work(struct extension *work, struct failure *failure)
{
    work->length = fourier_length(2 * work->count);
    work->windows = work->count / WINDOW + 1;
    work->added = calloc(work->length, sizeof *work->added);
    work->straight = calloc(work->length, sizeof *work->straight);
    work->energy = calloc(work->windows, sizeof *work->energy);
    work->lost = calloc(work->windows, sizeof *work->lost);
    if (work->added == NULL || work->straight == NULL || work->energy == NULL || work->lost == NULL)
        return failure_memory(failure, 2 * work->length * sizeof *work->added, "extending a response");
    return fourier_make(work->length, &work->fourier, failure);
}

/* The frequency of a line of the transform, negative in its upper half [Hz]. */
static double frequency_of(const struct extension *work, size_t line)
{
    const double n = line <= work->length / 2 ? (double)line : (double)line - (double)work->length;
    return n * RESPONSE_RATE / (double)work->length;
}

/* ---- direct sound ---- */

/* The direct sound: loss in air, and delay. `f` may be negative. */
static double complex direct_at(const struct extension *work, double f)
{
    const double loss =
        work->rates.lossy ? air_losses_nepers(&work->rates.air, fabs(f)) * work->distance : 0.0;
    const double angle = -2.0 * PI * f * work->onset;
    return exp(-loss) / work->distance * (cos(angle) + I * sin(angle));
}

/* As it is in the response: through the low-pass that starts no earlier than sample 0. */
static int make_straight(struct extension *work, struct failure *failure)
{
    struct low_pass filter = {0};
    const size_t lead = (size_t)(RESPONSE_RATE * work->onset);
    TRY(low_pass_design(work->fmax, RESPONSE_RATE, lead, &filter, failure));
    for (size_t k = 0; k < filter.count; k++)
        work->straight[(k + work->length - filter.lead) % work->length] = filter.tap[k];
    low_pass_free(&filter);
    fourier_forward(&work->fourier, work->straight);
    for (size_t k = 0; k < work->length; k++)
        work->straight[k] = fourier_product(work->straight[k], direct_at(work, frequency_of(work, k)));
    return 0;
}

/* The response without it. */
static int remove_direct(struct extension *work, const float *sample, float *rest, struct failure *failure)
{
    memcpy(rest, sample, work->count * sizeof *rest);
    if (!work->direct)
        return 0;
    TRY(make_straight(work, failure));
    memcpy(work->added, work->straight, work->length * sizeof *work->added);
    fourier_inverse(&work->fourier, work->added);
    for (size_t n = 0; n < work->count; n++)
        rest[n] -= (float)creal(work->added[n]);
    memset(work->added, 0, work->length * sizeof *work->added);
    return 0;
}

/* ---- energy below fmax ---- */

/* Bandwidth [Hz] of white noise behind the octave filter, up to the middle of the low-pass's edge. */
static double noise_bandwidth(double middle, double highest)
{
    enum { LINES = 4000 };
    struct biquad section[OCTAVE_FILTER_ORDER];
    octave_filter_make(middle, RESPONSE_RATE, OCTAVE_FILTER_ORDER, section);
    double sum = 0.0;
    for (int i = 0; i < LINES; i++) {
        const double angle = 2.0 * PI * highest * (i + 0.5) / LINES / RESPONSE_RATE;
        const double complex z = cos(angle) - I * sin(angle);
        double power = 1.0;
        for (int s = 0; s < OCTAVE_FILTER_ORDER; s++) {
            const struct biquad *b = &section[s];
            const double complex top = b->b0 + z * (b->b1 + z * b->b2),
                                 bottom = 1.0 + z * (b->a1 + z * b->a2);
            power *= creal(top * conj(top)) / creal(bottom * conj(bottom));
        }
        sum += power;
    }
    return sum * highest / LINES;
}

/* The window of the onset that no run has on record: the first within 20 dB of the largest (ISO 3382-1). */
static size_t find_onset(const struct extension *work)
{
    double largest = 0.0;
    size_t first = 0;
    for (size_t w = 0; w < work->windows; w++)
        largest = fmax(largest, work->energy[w]);
    while (first < work->windows && !(work->energy[first] >= 0.01 * largest))
        first++;
    return first;
}

/* Silence before the onset. After the start of the noise the late decay continues instead. */
static void go_on(struct extension *work, size_t first, const struct decay_tail *tail)
{
    const double crossing = (double)first + decay_tail_crossing(tail);
    for (size_t w = 0; w < work->windows; w++) {
        if (w < first)
            work->energy[w] = 0.0;
        else if ((double)w >= crossing)
            work->energy[w] = tail->level * exp(-tail->fall * (double)(w - first));
    }
}

/* The decay so far, from the remaining energy (Schroeder). The late decay continues beyond the end. */
static void add_up(struct extension *work, double fall)
{
    double left = work->energy[work->windows - 1] / expm1(fall), all = left;
    for (size_t w = 0; w < work->windows; w++)
        all += work->energy[w];
    for (size_t w = work->windows; w-- > 0;) {
        /* In the middle of the window; a response may end in silence. */
        work->lost[w] = -log(fmin(fmax((left + 0.5 * work->energy[w]) / all, LEAST_LEFT), 1.0));
        left += work->energy[w];
    }
}

/* Averages over time, along the decay so that its slope does not count. */
static int smooth_level(struct extension *work, size_t first, struct failure *failure)
{
    double *level = malloc(work->windows * sizeof *level);
    if (level == NULL)
        return failure_memory(failure, work->windows * sizeof *level, "the energy of a response");
    for (size_t w = 0; w < work->windows; w++)
        level[w] = work->energy[w] * exp(work->lost[w]);
    for (size_t w = first; w < work->windows; w++) {
        const size_t most = (size_t)fmax(1.0, SMOOTH_SHARE * (double)(w - first));
        const size_t low = w - first < most ? first : w - most;
        const size_t high = w + most < work->windows ? w + most : work->windows - 1;
        double sum = 0.0;
        for (size_t n = low; n <= high; n++)
            sum += level[n];
        work->energy[w] = sum / (double)(high - low + 1) * exp(-work->lost[w]);
    }
    free(level);
    return 0;
}

/* From the response without its direct sound. */
static int find_energy(struct extension *work, const char *path, const float *rest, struct failure *failure)
{
    double *octave = malloc(work->count * sizeof *octave);
    if (octave == NULL)
        return failure_memory(failure, work->count * sizeof *octave, "an octave of a response");
    octave_filter_backwards(rest, work->count, RESPONSE_RATE, work->middle, octave);
    const double edge = 0.5 * (1.0 + LOW_PASS_STOP_RATIO) * work->fmax;
    const double bandwidth = noise_bandwidth(work->middle, edge);
    const double white = RESPONSE_RATE / (2.0 * bandwidth) / WINDOW;
    /* The last window is not whole. */
    work->windows -= work->windows > 1;
    for (size_t n = 0; n < work->windows * WINDOW && n < work->count; n++)
        work->energy[n / WINDOW] += white * octave[n] * octave[n];
    free(octave);
    const size_t first = work->direct ? (size_t)(work->onset * RESPONSE_RATE / WINDOW) : find_onset(work);
    /* Ringing before the onset counts as sound of the onset. */
    for (size_t w = 0; w < first && first < work->windows; w++)
        work->energy[first] += work->energy[w];
    const size_t missing = (size_t)(octave_ringing(work->middle) * RESPONSE_RATE / WINDOW) + 1;
    /* A response may end in silence before its file does. */
    double largest = 0.0;
    for (size_t w = 0; w < work->windows; w++)
        largest = fmax(largest, work->energy[w]);
    size_t end = work->windows;
    while (end > 0 && !(work->energy[end - 1] > SILENCE * largest))
        end--;
    struct decay_tail tail = {0};
    if (end > first + missing)
        decay_tail_fit(work->energy + first, end - first - missing, bandwidth * WINDOW / RESPONSE_RATE,
                       &tail);
    if (!tail.found || !(tail.fall > 0.0))
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "%s: does not decay in the octave below %g Hz, so it cannot be extended", path,
                        work->fmax),
            failure, ADVICE_LEAVE_OUT_EXTEND, 0);
    work->rate = tail.fall * RESPONSE_RATE / WINDOW;
    go_on(work, first, &tail);
    add_up(work, tail.fall);
    return smooth_level(work, first, failure);
}

/* ---- noise ---- */

/* Energy and decay at one time, interpolated linearly between the middles of windows. */
struct moment {
    double energy; /* of a sample */
    double lost;   /* [nepers] */
};

static struct moment moment_at(const struct extension *work, double sample)
{
    const double window = sample / WINDOW - 0.5;
    const size_t last = work->windows - 1, before = window > 0.0 ? (size_t)window : 0;
    if (window <= 0.0)
        return (struct moment){work->energy[0], work->lost[0]};
    if (before >= last) {
        const double after = work->rate * (window - (double)last) * WINDOW / RESPONSE_RATE;
        return (struct moment){work->energy[last] * exp(-after), work->lost[last] + after};
    }
    const double share = window - (double)before;
    return (struct moment){(1.0 - share) * work->energy[before] + share * work->energy[before + 1],
                           (1.0 - share) * work->lost[before] + share * work->lost[before + 1]};
}

/* Frames of noise, each with the spectrum of its time, half over each other under windows whose squares add
 * up to 1; nothing before the direct sound. */
static int add_noise(struct extension *work, struct failure *failure)
{
    struct fourier fourier = {0};
    TRY(fourier_make(FRAME, &fourier, failure));
    struct noise noise = noise_start(SEED);
    const double at_middle = extension_air(&work->rates, work->middle);
    double walls[FRAME / 2 + 1] = {0}, air[FRAME / 2 + 1] = {0}; /* more than at the middle */
    for (int k = 1; k <= FRAME / 2; k++) {
        const double f = (double)k * RESPONSE_RATE / FRAME;
        walls[k] = extension_walls(&work->rates, f) - 1.0;
        air[k] = extension_air(&work->rates, f) - at_middle;
    }
    const size_t gate = work->direct ? (size_t)ceil(work->onset * RESPONSE_RATE) : 0;
    for (size_t start = 0; start < work->count + HOP; start += HOP) {
        /* The frame begins half its length before `start`. */
        double complex value[FRAME] = {0};
        const struct moment now = moment_at(work, (double)start);
        const double t = (double)start / RESPONSE_RATE;
        const double to_walls = fmax(now.lost - at_middle * t, 0.0);
        for (int k = 1; k <= FRAME / 2; k++) {
            const double strength = sqrt(2.0 * FRAME * now.energy * exp(-walls[k] * to_walls - air[k] * t));
            const double real = noise_normal(&noise), imaginary = noise_normal(&noise);
            value[k] = strength * (real + I * imaginary);
        }
        fourier_inverse(&fourier, value);
        for (size_t n = 0; n < FRAME; n++) {
            const size_t at = start + n;
            if (at < HOP + gate || at - HOP >= work->count)
                continue;
            work->added[at - HOP] += sin(PI * ((double)n + 0.5) / FRAME) * creal(value[n]);
        }
    }
    fourier_free(&fourier);
    return 0;
}

/* ---- together ---- */

/* Its square and that of the low-pass add up to 0.75 or more where both fall. */
static double above_fmax(const struct extension *work, double f)
{
    const double place = (f / work->fmax - 1.0) / (LOW_PASS_STOP_RATIO - 1.0);
    return place <= 0.0 ? 0.0 : place < 1.0 ? sin(0.5 * PI * place) : 1.0;
}

static double below_top(double f)
{
    const double place = (f - TOP_FLAT) / (TOP_END - TOP_FLAT);
    return place <= 0.0 ? 1.0 : place < 1.0 ? 0.5 + 0.5 * cos(PI * place) : 0.0;
}

/* Add noise above fmax, and the part of the direct sound that the low-pass removed. */
static void join_bands(struct extension *work)
{
    fourier_forward(&work->fourier, work->added);
    for (size_t k = 0; k < work->length; k++) {
        const double f = frequency_of(work, k), size = fabs(f);
        work->added[k] *= above_fmax(work, size) * below_top(size);
        if (work->direct && size > work->fmax)
            work->added[k] += below_top(size) * direct_at(work, f) - work->straight[k];
    }
    fourier_inverse(&work->fourier, work->added);
}

static void make_record(const struct extension *work, struct extension_record *record)
{
    *record = (struct extension_record){.fmax = work->fmax,
                                        .middle = work->middle,
                                        .decay = 6.0 * log(10.0) / work->rate,
                                        .materials = work->rates.materials,
                                        .direct = work->direct};
    double centre[OCTAVE_BANDS_MAX];
    const size_t octaves = octave_centres(0.5 * RESPONSE_RATE, centre);
    for (size_t b = 0; b < octaves; b++)
        if (centre[b] > work->fmax) {
            record->centre[record->octaves] = centre[b];
            record->time[record->octaves++] = 6.0 * log(10.0) / extension_rate(&work->rates, centre[b]);
        }
}

static int check_response(const char *path, double fmax, const struct wav_sound *response,
                          struct failure *failure)
{
    if (response->channels != 1)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: has %d channels, and only mono responses can be extended: directions above "
                           "%g Hz are unknown",
                           path, response->channels, fmax);
    if (!(fmax <= EXTENSION_FMAX_MOST))
        return failure_set(failure, FAILURE_INPUT, "%s: reaches %g Hz: above %g Hz there is nothing to fill",
                           path, fmax, EXTENSION_FMAX_MOST);
    return 0;
}

int response_extend(const char *path, double fmax, const struct run_losses *losses,
                    const struct record_response *of, struct wav_sound *response,
                    struct extension_record *record, struct failure *failure)
{
    TRY(check_response(path, fmax, response, failure));
    struct extension work = {.fmax = fmax,
                             .middle = fmax / pow(10.0, 0.15),
                             .count = response->frames,
                             .direct = of != NULL && of->direct_path_clear && of->distance > 0.0 &&
                                       of->onset >= 0.0};
    work.distance = work.direct ? of->distance : NAN;
    work.onset = work.direct ? of->onset : NAN;
    extension_rates_make(losses, work.middle, 1.0, &work.rates); /* for the air; the decay is not known yet */
    float *rest = malloc(work.count * sizeof *rest);
    int code = rest == NULL ? failure_memory(failure, work.count * sizeof *rest, "a response") : 0;
    if (code != 0 || (code = allocate_work(&work, failure)) ||
        (code = remove_direct(&work, response->sample, rest, failure)) ||
        (code = find_energy(&work, path, rest, failure)))
        goto done;
    extension_rates_make(losses, work.middle, work.rate, &work.rates);
    if ((code = add_noise(&work, failure)))
        goto done;
    join_bands(&work);
    for (size_t n = 0; n < work.count; n++)
        response->sample[n] += (float)creal(work.added[n]);
    make_record(&work, record);
done:
    free(rest);
    extension_free(&work);
    return code;
}
