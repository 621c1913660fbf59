#include "src/response/acoustics/room_modes.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/response/acoustics/damped_waves.h"
#include "src/response/signal/band_decimator.h"

#define PI         3.14159265358979323846
#define SIXTY      6.907755278982137 /* ln 1000: nepers of 60 dB */
#define CORE       20.0              /* / T: requested width of a band [Hz] */
#define EDGE       30.0              /* / T: width of its fade-out, on each side */
#define LONGEST    6.0               /* T for which bands are made [s] */
#define FALL       15.0              /* least fall of the responses [dB] */
#define MOST       160               /* samples of a band that are searched */
#define LEAST      16
#define WEAKEST    3e-5 /* singular values: a filter passes 5e-5 of its stop band */
#define LATER      0.12 /* of the samples: where the second search begins */
#define SAME       0.1 /* of the half-width: largest distance of a mode of the second search from the first */
#define FAINT      40.0 /* dB below the loudest: not reported */
#define REFERENCE  0.1  /* |X| at 10 m */
#define LASTING    15.0 /* [s]: the search ends where modes of a room with this T overlap */
#define NEIGHBOURS 6    /* whose decays make the mean bandwidth at a frequency */

/* The responses from their starts on, decimated to a rate above that needed by the search. */
struct search {
    const struct mode_record *record;
    size_t records;
    const struct mode_space *space;
    struct band_decimator coarse; /* owned */
    size_t count;                 /* samples of each */
    double rate;                  /* of them [Hz] */
    double complex *value;        /* (records, count), owned */
    struct band_decimator fine;   /* owned */
    double complex *band;         /* (records, MOST), owned: of the current band */
    double complex *part;         /* (records, MOST), owned: the second search's part of it */
    double half_core;             /* [Hz] */
    double reverberation;         /* [s] */
};

/* Modes per Hz at `f`. */
static double mode_density(const struct mode_space *space, double f)
{
    const double c = space->sound_speed;
    return 4.0 * PI * space->volume * f * f / (c * c * c) + 0.5 * PI * space->surface * f / (c * c);
}

void room_modes_free(struct room_modes *modes)
{
    free(modes->mode);
    *modes = (struct room_modes){0};
}

static void search_free(struct search *search)
{
    band_decimator_free(&search->coarse);
    band_decimator_free(&search->fine);
    free(search->value);
    free(search->band);
    free(search->part);
}

/* ---- preparation of the responses ---- */

static int decimate_responses(struct search *search, double rate, struct failure *failure)
{
    const double highest = search->space->highest;
    size_t shortest = SIZE_MAX;
    for (size_t r = 0; r < search->records; r++) {
        const size_t start = (size_t)ceil(search->record[r].start * rate), count = search->record[r].count;
        const size_t left = count > start ? count - start : 0;
        shortest = left < shortest ? left : shortest;
    }
    TRY(band_decimator_make(rate, 1.1 * highest, 1.8 * highest, &search->coarse, failure));
    search->rate = rate / (double)search->coarse.step;
    search->count = band_decimator_outputs(&search->coarse, shortest);
    const size_t all = search->count * search->records;
    double complex *input = malloc((shortest + 1) * sizeof *input);
    search->value = malloc((all + 1) * sizeof *search->value);
    if (input == NULL || search->value == NULL) {
        free(input);
        return failure_memory(failure, (shortest + all) * sizeof *input, "the search for modes");
    }
    for (size_t r = 0; r < search->records; r++) {
        const float *sample = search->record[r].sample + (size_t)ceil(search->record[r].start * rate);
        for (size_t n = 0; n < shortest; n++)
            input[n] = (double)sample[n];
        band_decimator_apply(&search->coarse, input, 0.0, search->count, search->value + r * search->count);
    }
    free(input);
    return 0;
}

/* T, from the time in which all energy together falls by 20 dB, or by its whole fall. NaN if that is less
 * than FALL. */
static double reverberation_time(const struct search *search)
{
    double *energy = calloc(search->count + 1, sizeof *energy);
    if (energy == NULL)
        return NAN;
    for (size_t n = search->count; n-- > 0;) {
        energy[n] = energy[n + 1];
        for (size_t r = 0; r < search->records; r++) {
            const double complex x = search->value[r * search->count + n];
            energy[n] += creal(x) * creal(x) + cimag(x) * cimag(x);
        }
    }
    size_t fallen = 0;
    /* The last tenth misses the sound after the end. */
    while (fallen < search->count - search->count / 10 && energy[fallen] > 0.01 * energy[0])
        fallen++;
    const double fall = 10.0 * log10(energy[0] / energy[fallen]);
    free(energy);
    return fall >= FALL && isfinite(fall) ? 60.0 / fall * (double)fallen / search->rate : NAN;
}

/* ---- one band ---- */

/* Samples of the band around `centre`, moved to 0 Hz. */
static size_t filter_band(struct search *search, double centre)
{
    size_t count = band_decimator_outputs(&search->fine, search->count);
    /* At 70 dB down only the least damped mode remains. */
    const double rate = search->rate / (double)search->fine.step;
    count = (size_t)fmin((double)count, fmin(MOST, ceil(70.0 / 60.0 * search->reverberation * rate)));
    for (size_t r = 0; r < search->records; r++)
        band_decimator_apply(&search->fine, search->value + r * search->count, centre, count,
                             search->band + r * count);
    return count;
}

/* The frequency of a wave of the band in the room: s of exp(s t) [1/s]. */
static double complex pole_of_wave(const struct search *search, double complex z, double centre)
{
    return clog(z) * search->rate / (double)search->fine.step + 2.0 * PI * I * centre;
}

/* True if a wave is within SAME of `s`. */
static bool found_again(const struct search *search, const struct damped_waves *again, double centre,
                        double complex s)
{
    for (size_t m = 0; m < again->count; m++)
        if (cabs(pole_of_wave(search, again->z[m], centre) - s) < SAME * -creal(s))
            return true;
    return false;
}

/* |X| of wave m's peak, mean square over the responses. */
static double peak_of_wave(const struct search *search, const struct damped_waves *waves, size_t m,
                           double centre, double complex s)
{
    const double rate = search->coarse.rate;
    const double gain = cabs(band_decimator_gain(&search->fine, s, centre)) *
                        cabs(band_decimator_gain(&search->coarse, s, 0.0));
    double square = 0.0;
    for (size_t r = 0; r < search->records; r++) {
        /* A wave a exp(-decay t) cos(..) has amplitude a / 2 here, and |X| = a / 2 rate / decay at its peak.
         */
        const double start = ceil(search->record[r].start * rate) / rate;
        const double amplitude = cabs(waves->amplitude[m * waves->records + r]) / gain;
        square += pow(amplitude * exp(-creal(s) * start), 2.0) / (double)search->records;
    }
    return sqrt(square) * rate / -creal(s);
}

static int add_mode(struct room_modes *modes, double complex s, double height, struct failure *failure)
{
    struct room_mode *grown = realloc(modes->mode, (modes->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (modes->count + 1) * sizeof *grown, "the modes");
    modes->mode = grown;
    size_t at = modes->count++;
    const double f = cimag(s) / (2.0 * PI);
    for (; at > 0 && grown[at - 1].frequency > f; at--)
        grown[at] = grown[at - 1];
    grown[at] = (struct room_mode){.frequency = f,
                                   .decay = -creal(s),
                                   .quality = PI * f / -creal(s),
                                   .level = 20.0 * log10(height / REFERENCE)};
    return 0;
}

static int search_band(struct search *search, double centre, struct room_modes *out, struct failure *failure)
{
    const size_t count = filter_band(search, centre), skipped = (size_t)ceil(LATER * (double)count);
    struct damped_waves waves = {0}, again = {0};
    if (count < LEAST)
        return 0;
    for (size_t r = 0; r < search->records; r++)
        for (size_t n = skipped; n < count; n++)
            search->part[r * (count - skipped) + n - skipped] = search->band[r * count + n];
    int code = damped_waves_find(search->band, count, search->records, WEAKEST, &waves, failure);
    if (code == 0)
        code = damped_waves_find(search->part, count - skipped, search->records, WEAKEST, &again, failure);
    for (size_t m = 0; code == 0 && m < waves.count; m++) {
        const double complex s = pole_of_wave(search, waves.z[m], centre);
        const double f = cimag(s) / (2.0 * PI);
        if (creal(s) < 0.0 && f >= centre - search->half_core && f < centre + search->half_core &&
            found_again(search, &again, centre, s))
            code = add_mode(out, s, peak_of_wave(search, &waves, m, centre, s), failure);
    }
    damped_waves_free(&waves);
    damped_waves_free(&again);
    return code;
}

/* ---- all bands ---- */

/* Bandwidth of the modes nearest below `f`, or of a decay of T without any [Hz]. */
static double bandwidth_near(const struct room_modes *modes, double f)
{
    double sum = 0.0;
    size_t used = 0;
    for (size_t m = modes->count; m-- > 0 && used < NEIGHBOURS;)
        if (modes->mode[m].frequency <= f) {
            sum += modes->mode[m].decay / PI;
            used++;
        }
    return used > 0 ? sum / (double)used : SIXTY / modes->reverberation / PI;
}

/* Cut off the part with too much overlap; true if it did. */
static bool cut_overlap(const struct mode_space *space, size_t from, struct room_modes *out)
{
    for (size_t m = from; m < out->count; m++) {
        struct room_mode *mode = &out->mode[m];
        mode->overlap = mode_density(space, mode->frequency) * bandwidth_near(out, mode->frequency);
        if (!(mode->overlap <= MODES_OVERLAP)) {
            out->limit = mode->frequency;
            out->count = m;
            return true;
        }
    }
    return false;
}

/* Remove what the filter passed of other bands, and modes too weak to be visible in the spectrum. */
static void drop_faint(struct room_modes *out)
{
    double loudest = -INFINITY;
    for (size_t m = 0; m < out->count; m++)
        loudest = fmax(loudest, out->mode[m].level);
    size_t kept = 0;
    for (size_t m = 0; m < out->count; m++)
        if (out->mode[m].level >= loudest - FAINT)
            out->mode[kept++] = out->mode[m];
    out->count = kept;
}

/* Ranges that no search reaches. */
static double farthest_frequency(const struct mode_space *space)
{
    double f = MODES_LOWEST;
    while (f < space->highest && mode_density(space, f) * SIXTY / PI / LASTING <= MODES_OVERLAP)
        f *= 1.01;
    return fmin(f, space->highest);
}

static int search_bands(struct search *search, struct room_modes *out, struct failure *failure)
{
    const double highest = search->space->highest;
    /* No band may be wider than the pass band of the coarse filter. */
    const double T = fmin(fmax(out->reverberation, (0.5 * CORE + EDGE) / (1.3 * highest)), LONGEST);
    search->reverberation = out->reverberation;
    search->half_core = 0.5 * CORE / T;
    TRY(band_decimator_make(search->rate, search->half_core, search->half_core + EDGE / T, &search->fine,
                            failure));
    search->band = malloc((search->records * MOST + 1) * sizeof *search->band);
    search->part = malloc((search->records * MOST + 1) * sizeof *search->part);
    if (search->band == NULL || search->part == NULL)
        return failure_memory(failure, 2 * search->records * MOST * sizeof *search->band,
                              "the search for modes");
    for (double low = MODES_LOWEST; low < highest; low += 2.0 * search->half_core) {
        const size_t from = out->count;
        TRY(search_band(search, low + search->half_core, out, failure));
        while (out->count > 0 && out->mode[out->count - 1].frequency > highest)
            out->count--;
        const double edge = fmin(low + 2.0 * search->half_core, highest);
        const double overlap = mode_density(search->space, edge) * bandwidth_near(out, edge);
        out->limit = edge;
        if (cut_overlap(search->space, from < out->count ? from : out->count, out) ||
            !(overlap <= MODES_OVERLAP))
            return 0;
    }
    return 0;
}

/* The reason why the search ended. */
static void explain_end(const struct mode_space *space, struct room_modes *out)
{
    if (out->limit < space->highest)
        snprintf(out->why, sizeof out->why,
                 "above %.4g Hz modes are wider than their distance, and peaks of the spectrum are not "
                 "single modes",
                 out->limit);
    else
        snprintf(out->why, sizeof out->why, "the responses end at %.5g Hz", space->highest);
}

int room_modes_find(const struct mode_record *record, size_t records, double rate,
                    const struct mode_space *space, struct room_modes *out, struct failure *failure)
{
    struct mode_space reached = *space;
    reached.highest = farthest_frequency(space);
    struct search search = {.record = record, .records = records, .space = &reached};
    *out = (struct room_modes){.reverberation = NAN, .schroeder = NAN, .limit = MODES_LOWEST};
    int code = decimate_responses(&search, rate, failure);
    if (code == 0) {
        out->reverberation = reverberation_time(&search);
        out->schroeder = 2000.0 * sqrt(out->reverberation / space->volume);
        if (isnan(out->reverberation))
            snprintf(out->why, sizeof out->why,
                     "the responses are silent, too short, or do not decay by %g dB: make the run longer",
                     FALL);
        else
            code = search_bands(&search, out, failure);
    }
    if (code == 0 && out->why[0] == '\0') {
        drop_faint(out);
        explain_end(space, out);
    }
    search_free(&search);
    if (code != 0)
        room_modes_free(out);
    return code;
}
