#include "src/response/acoustics/acoustic_figures.h"

#include <math.h>

#include "src/response/acoustics/figure_reason.h"
#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/band_filters.h"
#include "src/base/words/words.h"

#define SILENCE     0.1   /* least silence that ends a response; also at least its sound's length [s] */
#define LEAST_RANGE 15.0  /* of a decay: a smaller fall may be chance [dB] */
#define NOT_YET     0.126 /* E, -9 dB: EDT has not ended */
#define LONGER      1.5   /* compared with the later decay */
#define TOO_LATE    12.0  /* C80 under that of a straight decay [dB] */
#define WHOLE_NOISE 1e-4  /* share of the energy: less noise may stay in, since it is subtracted */

bool acoustic_figures_is_calibrated(const struct acoustic_figures *figures)
{
    return figures->reference > 0.0;
}

double acoustic_figure_of(const struct band_figures *octave, enum figure figure)
{
    const double value[PRESSURE_FIGURES] = {
        [FIGURE_EDT] = octave->times.edt, [FIGURE_T20] = octave->times.t20,
        [FIGURE_T30] = octave->times.t30, [FIGURE_C50] = octave->c50,
        [FIGURE_C80] = octave->c80,       [FIGURE_D50] = octave->d50,
        [FIGURE_TS] = octave->ts,         [FIGURE_G] = octave->g};
    return figure < PRESSURE_FIGURES ? value[figure] : NAN;
}

double band_figure_single(enum band_kind kind, const struct band_figures *band, size_t count,
                          enum figure figure)
{
    const size_t first = bands_middle_first(kind), last = bands_middle_last(kind);
    double sum = 0.0;
    if (count <= last)
        return NAN;
    for (size_t b = first; b <= last; b++)
        sum += acoustic_figure_of(&band[b], figure);
    return sum / (double)(last - first + 1);
}

double acoustic_figure_single(const struct acoustic_figures *figures, enum figure figure)
{
    return band_figure_single(BANDS_OCTAVE, figures->octave, figures->bands, figure);
}

/* ---- one octave's energies ---- */

enum part { EARLY_50, LATE_50, EARLY_80, LATE_80, WHOLE, PARTS };

/* The limits, and the limits shifted by the uncertainty of the onset. */
enum limit { AS_IT_IS, SOONER, LATER, LIMITS };

/* A response up to its last sound; it begins at sample `begin`. */
struct response {
    size_t begin, count;
    double rate, onset;
};

/* One part of one octave: as measured, its noise, and the energy after its end. */
struct share {
    double measured, noise, tail;
};

/* All data for the figures of an octave. */
struct shares {
    struct share part[PARTS];
    struct share moment;       /* of the whole */
    double shifted[LIMITS][2]; /* from late to early at 50 and 80 ms, when the limit is shifted */
    bool silent;               /* the response holds nothing */
    double range; /* its visible fall [dB]; infinite if the file shows that nothing comes after it, 0 if it
                     does not die away */
};

/* With both corrections; with that of the noise only, the lower bound; with that of the tail only, the
 * upper bound. */
enum correction { BEST, LEAST, MOST, CORRECTIONS };

static double corrected_energy(const struct share *share, enum correction correction)
{
    return share->measured - (correction == MOST ? 0.0 : share->noise) +
           (correction == LEAST ? 0.0 : share->tail);
}

/* NaN if a part has no energy, or less than its noise. */
static double ratio_decibels(double energy, double over)
{
    return energy > 0.0 && over > 0.0 ? 10.0 * log10(energy / over) : NAN;
}

/* The late part needs the correction; the noise of the early one is always subtracted. */
static double figure_with(const struct shares *shares, enum figure figure, enum correction correction,
                          enum limit limit, double reference)
{
    const int late = figure == FIGURE_C80 ? LATE_80 : LATE_50, early = late - 1;
    const double shifted = shares->shifted[limit][figure == FIGURE_C80];
    const double late_energy = corrected_energy(&shares->part[late], correction);
    const double after = fmax(late_energy - shifted, fmin(late_energy, 0.0)); /* no limit is beyond the end */
    const double before = corrected_energy(&shares->part[early], BEST) + shifted;
    const double whole = corrected_energy(&shares->part[WHOLE], correction);
    switch (figure) {
    case FIGURE_C50:
    case FIGURE_C80:
        return ratio_decibels(before, after);
    case FIGURE_D50:
        return before > 0.0 && after >= 0.0 ? before / (before + after) : NAN;
    case FIGURE_TS:
        return whole > 0.0 ? corrected_energy(&shares->moment, correction) / whole : NAN;
    default:
        return ratio_decibels(whole, reference);
    }
}

/* ---- one octave ---- */

/* The end of an octave's record, and its continuation beyond the samples. */
struct record_end {
    size_t end;   /* sample */
    double noise; /* per second, as a share of the energy */
    double tail;  /* after the end, likewise */
    double time;  /* reverberation time of the tail [s] */
};

/* True if the octave dies away, and not only as its filter does. */
static bool dies_away(const struct band_times *times)
{
    return times->range > 0.0 && times->width * times->tail > BAND_LEAST_BT;
}

static struct record_end find_end(const struct response *response, const struct band_times *times)
{
    struct record_end end = {.end = response->count};
    if (!dies_away(times))
        return end;
    const double length = ((double)response->count / response->rate) - response->onset;
    end.noise = isfinite(times->floor) ? pow(10.0, 0.1 * times->floor) : 0.0;
    end.time = times->tail;
    double beyond = length - times->end; /* of the record, after t1 [s] */
    if (end.noise * length > WHOLE_NOISE && beyond > 0.0) {
        const double at = round((response->onset + times->end) * response->rate);
        end.end = at < (double)response->count ? (size_t)at : response->count;
        beyond = 0.0;
    }
    end.tail = pow(10.0, -0.1 * times->range - 6.0 * beyond / times->tail);
    return end;
}

static void take_shares(const struct response *response, const struct band_parts *parts, size_t band,
                        const struct record_end *end, struct shares *out)
{
    const struct band_energy *const part[PARTS] = {&parts->early[0], &parts->late[0], &parts->early[1],
                                                   &parts->late[1], &parts->whole};
    const double begin = (double)response->begin / response->rate - response->onset;
    const double last = (double)end->end / response->rate - response->onset;
    const double from[PARTS] = {begin, 0.05, begin, 0.08, begin};
    const double to[PARTS] = {0.05, last, 0.08, last, last};
    const double whole = part[WHOLE]->energy[band] /
                         (1.0 + end->noise * (last - begin) - end->tail); /* as decay_times has it */
    for (int p = 0; p < PARTS; p++) {
        const double length = fmax(0.0, fmin(to[p], last) - from[p]);
        out->part[p] =
            (struct share){.measured = part[p]->energy[band], .noise = whole * end->noise * length};
        if (p == LATE_50 || p == LATE_80 || p == WHOLE)
            out->part[p].tail = whole * end->tail;
    }
    out->moment = (struct share){.measured = part[WHOLE]->moment[band],
                                 .noise = whole * end->noise * 0.5 * (last * last - begin * begin),
                                 .tail = whole * end->tail * (last + end->time / (6.0 * log(10.0)))};
    for (int c = 0; c < 2; c++) {
        out->shifted[AS_IT_IS][c] = 0.0;
        out->shifted[SOONER][c] = parts->sooner[c].energy[band] - parts->early[c].energy[band];
        out->shifted[LATER][c] = parts->later[c].energy[band] - parts->early[c].energy[band];
    }
}

/* Why a figure is absent. */
enum reason { PRESENT, NO_DECAY, TOO_SHORT, NOTHING_LATE, AT_THE_LIMIT, REASONS };

static enum reason judge_figure(const struct shares *shares, enum figure figure, double reference,
                                double *value)
{
    const double jnd = figure_kind[figure].jnd;
    const double best = figure_with(shares, figure, BEST, AS_IT_IS, reference);
    const double most = figure_with(shares, figure, MOST, AS_IT_IS, reference);
    const double least = figure_with(shares, figure, LEAST, AS_IT_IS, reference);
    const double sooner = figure_with(shares, figure, BEST, SOONER, reference);
    const double later = figure_with(shares, figure, BEST, LATER, reference);
    *value = NAN;
    if (!(shares->range > 0.0))
        return NO_DECAY;
    if (!isfinite(best) && !(shares->part[LATE_80].measured > 0.0))
        return NOTHING_LATE;
    if (!(fabs(most - least) <= jnd) || !(shares->range >= LEAST_RANGE))
        return TOO_SHORT;
    if (!(fabs(sooner - best) < jnd) || !(fabs(later - best) < jnd))
        return AT_THE_LIMIT;
    *value = best;
    return PRESENT;
}

static void band_figures(const struct shares *shares, double reference, double end, struct band_figures *out)
{
    unsigned absent[REASONS] = {0};
    double value[PRESSURE_FIGURES] = {[FIGURE_G] = NAN};
    for (int f = FIGURE_C50; f <= FIGURE_G; f++)
        if (f != FIGURE_G || reference > 0.0)
            absent[judge_figure(shares, (enum figure)f, reference, &value[f])] |= FIGURE_BIT(f);
    out->c50 = value[FIGURE_C50];
    out->c80 = value[FIGURE_C80];
    out->d50 = value[FIGURE_D50];
    out->ts = value[FIGURE_TS];
    out->g = value[FIGURE_G];
    figure_reason_add(
        out->why, sizeof out->why, absent[NO_DECAY], "%s",
        shares->silent
            ? SAID("the response is silent")
            : SAID("the sound after the end is unknown, since no decay is found: a longer run may show one"));
    figure_reason_add(out->why, sizeof out->why, absent[TOO_SHORT],
                      "the response %s after %.3g s, %.1f dB down%s, and later sound could change them by "
                      "more than a just noticeable difference",
                      isfinite(out->times.floor) ? SAID("levels off") : SAID("ends"), end, out->times.range,
                      isfinite(out->times.floor) ? SAID(" (there is noise, or it is too short)") : "");
    figure_reason_add(out->why, sizeof out->why, absent[NOTHING_LATE], "no sound that late");
    figure_reason_add(out->why, sizeof out->why, absent[AT_THE_LIMIT],
                      "the sound at the time limit decides: an onset %g ms earlier or later changes it by "
                      "more than a just noticeable difference",
                      1000.0 * FIGURES_ONSET_SURE);
}

/* ---- consistency of figures ---- */

/* The longest reverberation time of the octave from `figure` on. */
static double longest_after(const struct band_times *times, enum figure figure)
{
    double longest = isfinite(times->tail) ? times->tail : 0.0;
    if (figure < FIGURE_T20 && isfinite(times->t20))
        longest = fmax(longest, times->t20);
    if (figure < FIGURE_T30 && isfinite(times->t30))
        longest = fmax(longest, times->t30);
    return times->slopes.found ? fmax(longest, times->slopes.late) : longest;
}

/* `left`: E at 50 and 80 ms. */
static void bound_times(const double left[2], struct band_figures *out)
{
    static const double limit[2] = {0.05, 0.08}, bottom[] = {10.0, 25.0, 35.0}, span[] = {10.0, 20.0, 30.0};
    double *const time[] = {&out->times.edt, &out->times.t20, &out->times.t30};
    char *why = out->times.why;
    for (int f = FIGURE_EDT; f <= FIGURE_T30; f++) {
        double most = INFINITY, least = 0.0;
        for (int l = 0; l < 2; l++) {
            if (left[l] < pow(10.0, -0.1 * bottom[f]))
                most = fmin(most, limit[l] * 60.0 / span[f]);
            if (f == FIGURE_EDT && left[l] > NOT_YET)
                least = 4.0 * limit[l];
        }
        most = fmax(most, LONGER * longest_after(&out->times, (enum figure)f));
        if (*time[f] > most)
            figure_reason_add(why, sizeof out->times.why, FIGURE_BIT(f),
                              "a line through the step of the level gives %.2f s, but C50, C80 and the later "
                              "decay allow at most %.2f s",
                              *time[f], most);
        else if (*time[f] < least)
            figure_reason_add(why, sizeof out->times.why, FIGURE_BIT(f),
                              "the level curve gives %.2f s, but C50 and C80 allow no less than %.2f s",
                              *time[f], least);
        else
            continue;
        *time[f] = NAN;
    }
}

static void hold_together(const struct shares *shares, struct band_figures *out)
{
    const double d50 = figure_with(shares, FIGURE_D50, BEST, AS_IT_IS, 1.0);
    const bool nothing_early = !(corrected_energy(&shares->part[EARLY_80], BEST) > 0.0) &&
                               corrected_energy(&shares->part[LATE_80], BEST) > 0.0;
    const double c80 = nothing_early ? -INFINITY : figure_with(shares, FIGURE_C80, BEST, AS_IT_IS, 1.0);
    const double longest = longest_after(&out->times, FIGURE_EDT);
    const double straight = 10.0 * log10(expm1(6.0 * log(10.0) * 0.08 / longest));
    if (dies_away(&out->times) && c80 < fmin(0.0, straight - TOO_LATE)) {
        double *const early[] = {&out->times.edt, &out->c50, &out->c80, &out->d50, &out->ts};
        static const enum figure name[] = {FIGURE_EDT, FIGURE_C50, FIGURE_C80, FIGURE_D50, FIGURE_TS};
        unsigned absent = 0;
        for (int e = 0; e < 5; e++) {
            absent |= isfinite(*early[e]) ? FIGURE_BIT(name[e]) : 0U;
            *early[e] = NAN;
        }
        out->late = true;
        figure_reason_add(
            out->why, sizeof out->why, absent,
            "its sound begins later than the onset: C80 would be %.1f dB, and a decay of %.2f s has %.1f dB",
            c80, longest, straight);
        return;
    }
    if (out->ts < 0.0) {
        out->ts = NAN;
        figure_reason_add(out->why, sizeof out->why, FIGURE_BIT(FIGURE_TS),
                          "it would be negative: the sound is shorter than the uncertainty of the onset");
    }
    bound_times((const double[2]){1.0 - d50, 1.0 / (1.0 + pow(10.0, 0.1 * c80))}, out);
}

/* ---- all of them ---- */

/* For a flat |X| of `reference` from 0 to `highest` the energy is 2 highest / rate reference^2. */
static double strength_of(const float *sample, size_t count, double rate, double highest, double reference)
{
    double energy = 0.0;
    for (size_t n = 0; n < count; n++)
        energy += (double)sample[n] * (double)sample[n];
    return 10.0 * log10(energy / (reference * reference * 2.0 * highest / rate));
}

/* `out` (bands_make() of `kind`). */
static int measure_bands(enum band_kind kind, const float *sample, size_t count, double rate, double highest,
                         double onset, double reference, size_t *bands, struct band_figures *out,
                         struct failure *failure)
{
    struct decay_times times;
    struct band_parts parts;
    size_t last = count, cut = 0;
    TRY(decay_times_make(kind, sample, count, rate, highest, onset, &times, failure));
    while (last > 0 && sample[last - 1] == 0.0F)
        last--;
    const size_t limit[2] = {(size_t)round(fmax(0.0, onset + 0.05) * rate),
                             (size_t)round(fmax(0.0, onset + 0.08) * rate)};
    const struct response response = {sample_at(onset - LOW_PASS_REACH / highest, rate, last), last, rate,
                                      onset};
    const double sound = (double)last / rate - onset, silence = (double)(count - last) / rate;
    const bool complete = last > 0 && silence >= fmax(sound, SILENCE);
    *bands = times.bands;
    for (size_t b = 0; b < times.bands; b++) {
        struct band_figures *octave = &out[b];
        *octave = (struct band_figures){.times = times.octave[b]};
        const struct record_end end = find_end(&response, &octave->times);
        if (b == 0 || end.end != cut)
            TRY(band_energy_cut(kind, sample, response.begin, limit,
                                (size_t)lround(FIGURES_ONSET_SURE * rate), end.end, rate, highest, onset,
                                &parts, failure));
        cut = end.end;
        struct shares shares;
        take_shares(&response, &parts, b, &end, &shares);
        shares.silent = last == 0;
        shares.range = dies_away(&octave->times) ? octave->times.range : complete ? INFINITY : 0.0;
        const double impulse = band_energy_of_impulse(kind, octave->times.centre, rate, highest);
        band_figures(&shares, reference * reference * impulse, (double)end.end / rate - onset, octave);
        hold_together(&shares, octave);
    }
    return 0;
}

int acoustic_figures_make(const float *sample, size_t count, double rate, double highest, double onset,
                          double reference, struct acoustic_figures *out, struct failure *failure)
{
    *out = (struct acoustic_figures){.reference = reference,
                                     .strength = strength_of(sample, count, rate, highest, reference)};
    return measure_bands(BANDS_OCTAVE, sample, count, rate, highest, onset, reference, &out->bands,
                         out->octave, failure);
}

int third_figures_make(const float *sample, size_t count, double rate, double highest, double onset,
                       double reference, struct third_figures *out, struct failure *failure)
{
    *out = (struct third_figures){.reference = reference};
    return measure_bands(BANDS_THIRD, sample, count, rate, highest, onset, reference, &out->bands, out->third,
                         failure);
}
