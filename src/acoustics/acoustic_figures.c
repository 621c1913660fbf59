#include "src/acoustics/acoustic_figures.h"

#include <math.h>

#include "src/acoustics/figure_reason.h"
#include "src/acoustics/octave_energy.h"
#include "src/signal/low_pass.h"
#include "src/signal/octave_filters.h"

#define SILENCE     0.1  /* that ends a complete response, at least; and at least as long as its sound [s] */
#define LEAST_RANGE 15.0 /* of a decay: what falls by less may be chance [dB] */
#define WHOLE_NOISE 1e-4 /* of the energy: noise that may stay in, for it is subtracted without harm */

bool acoustic_figures_is_calibrated(const struct acoustic_figures *figures)
{
    return figures->reference > 0.0;
}

double acoustic_figure_of(const struct octave_figures *octave, enum figure figure)
{
    switch (figure) {
    case FIGURE_EDT:
        return octave->times.edt;
    case FIGURE_T20:
        return octave->times.t20;
    case FIGURE_T30:
        return octave->times.t30;
    case FIGURE_C50:
        return octave->c50;
    case FIGURE_C80:
        return octave->c80;
    case FIGURE_D50:
        return octave->d50;
    case FIGURE_TS:
        return octave->ts;
    case FIGURE_G:
        return octave->g;
    default:
        return NAN;
    }
}

double acoustic_figure_single(const struct acoustic_figures *figures, enum figure figure)
{
    enum { HZ_500 = 3, HZ_1000 = 4 };
    if (figures->bands <= HZ_1000)
        return NAN;
    return 0.5 * (acoustic_figure_of(&figures->octave[HZ_500], figure) +
                  acoustic_figure_of(&figures->octave[HZ_1000], figure));
}

/* ---- one octave's energies ---- */

enum part { EARLY_50, LATE_50, EARLY_80, LATE_80, WHOLE, PARTS };

/* The limits as they are, and moved by what the onset may be wrong by. */
enum limit { AS_IT_IS, SOONER, LATER, LIMITS };

/* What is measured of a response that is cut somewhere; of the early parts what the moved limits take. */
struct measured {
    struct octave_energy part[PARTS], moved[LIMITS][2];
};

/* A response, its limits as samples, which may lie after its end: what belongs to it begins at `begin`. */
struct response {
    const float *sample;
    size_t begin, limit_50, limit_80, count;
    double rate, highest, onset;
};

/* The parts of a response that is cut at `end`, in all octaves. */
static int measure(const struct response *response, size_t end, struct measured *out, struct failure *failure)
{
    const size_t cut[2] = {response->limit_50, response->limit_80};
    struct octave_parts parts;
    TRY(octave_energy_cut(response->sample, response->begin, cut,
                          (size_t)lround(FIGURES_ONSET_SURE * response->rate), end, response->rate,
                          response->highest, response->onset, &parts, failure));
    out->part[EARLY_50] = parts.early[0];
    out->part[LATE_50] = parts.late[0];
    out->part[EARLY_80] = parts.early[1];
    out->part[LATE_80] = parts.late[1];
    out->part[WHOLE] = parts.whole;
    for (int c = 0; c < 2; c++) {
        out->moved[AS_IT_IS][c] = parts.early[c];
        out->moved[SOONER][c] = parts.sooner[c];
        out->moved[LATER][c] = parts.later[c];
    }
    return 0;
}

/* One part of one octave: as it was measured, and what of it is noise; what it holds after the end. */
struct share {
    double measured, noise, tail;
};

/* Everything that the figures of an octave are made of. */
struct shares {
    struct share part[PARTS];
    struct share moment;     /* of the whole */
    double moved[LIMITS][2]; /* from late to early at 50 and 80 ms, when the limit moves */
    double range; /* that it is seen to fall by [dB]; infinite where the file shows that nothing comes
                     after it, 0 where it does not die away */
};

/* With both corrections; with that of the noise only, the least that it may be; and with neither but the
 * tail, the most. */
enum correction { BEST, LEAST, MOST, CORRECTIONS };

static double corrected(const struct share *share, enum correction correction)
{
    return share->measured - (correction == MOST ? 0.0 : share->noise) +
           (correction == LEAST ? 0.0 : share->tail);
}

/* NaN where a part has no energy: what is below its noise, or was never there. */
static double decibels(double energy, double over)
{
    return energy > 0.0 && over > 0.0 ? 10.0 * log10(energy / over) : NAN;
}

/* The late part wants correcting; what the early one has of noise is taken off it throughout. */
static double figure_with(const struct shares *shares, enum figure figure, enum correction correction,
                          enum limit limit, double reference)
{
    const int late = figure == FIGURE_C80 ? LATE_80 : LATE_50, early = late - 1;
    const double moved = shares->moved[limit][figure == FIGURE_C80];
    const double unmoved = corrected(&shares->part[late], correction);
    const double after = fmax(unmoved - moved, fmin(unmoved, 0.0)); /* no limit takes more than there is */
    const double before = corrected(&shares->part[early], BEST) + moved;
    const double whole = corrected(&shares->part[WHOLE], correction);
    switch (figure) {
    case FIGURE_C50:
    case FIGURE_C80:
        return decibels(before, after);
    case FIGURE_D50:
        return before > 0.0 && after >= 0.0 ? before / (before + after) : NAN;
    case FIGURE_TS:
        return whole > 0.0 ? corrected(&shares->moment, correction) / whole : NAN;
    default:
        return decibels(whole, reference);
    }
}

/* ---- one octave ---- */

/* Where the record of an octave is cut, and what of it is known beyond its samples. */
struct record_end {
    size_t end;   /* sample */
    double noise; /* per second, as a share of the energy */
    double tail;  /* after the end, likewise */
    double time;  /* reverberation time of the tail [s] */
};

/* Does the octave die away, and not as its filter alone does? */
static bool dies_away(const struct octave_times *times)
{
    return times->range > 0.0 && octave_bandwidth(times->centre) * times->tail > OCTAVE_LEAST_BT;
}

static struct record_end find_end(const struct response *response, const struct octave_times *times)
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

static void take_shares(const struct response *response, const struct measured *measured, size_t band,
                        const struct record_end *end, struct shares *out)
{
    const struct octave_energy *part = measured->part;
    const double begin = (double)response->begin / response->rate - response->onset;
    const double last = (double)end->end / response->rate - response->onset;
    const double from[PARTS] = {begin, 0.05, begin, 0.08, begin};
    const double to[PARTS] = {0.05, last, 0.08, last, last};
    const double whole = part[WHOLE].energy[band] /
                         (1.0 + end->noise * (last - begin) - end->tail); /* as decay_times has it */
    for (int p = 0; p < PARTS; p++) {
        const double length = fmax(0.0, fmin(to[p], last) - from[p]);
        out->part[p] = (struct share){.measured = part[p].energy[band], .noise = whole * end->noise * length};
        if (p == LATE_50 || p == LATE_80 || p == WHOLE)
            out->part[p].tail = whole * end->tail;
    }
    out->moment = (struct share){.measured = part[WHOLE].moment[band],
                                 .noise = whole * end->noise * 0.5 * (last * last - begin * begin),
                                 .tail = whole * end->tail * (last + end->time / (6.0 * log(10.0)))};
    for (int limit = 0; limit < LIMITS; limit++)
        for (int c = 0; c < 2; c++)
            out->moved[limit][c] =
                measured->moved[limit][c].energy[band] - part[EARLY_50 + 2 * c].energy[band];
}

/* Why a figure is absent. */
enum reason { PRESENT, NO_DECAY, TOO_SHORT, NOTHING_LATE, AT_THE_LIMIT, REASONS };

static enum reason judge(const struct shares *shares, enum figure figure, double reference, double *value)
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

/* Why figures, by their bits, are absent. */
#define SAY(out, absent, ...) figure_reason_add((out)->why, sizeof(out)->why, absent, __VA_ARGS__)

static void explain(unsigned absent, enum reason reason, double end, struct octave_figures *out)
{
    if (absent == 0)
        return;
    if (reason == NO_DECAY)
        SAY(out, absent, "no decay is found after the direct sound: a longer run may show one");
    else if (reason == NOTHING_LATE)
        SAY(out, absent, "no sound that late");
    else if (reason == AT_THE_LIMIT)
        SAY(out, absent,
            "sound right at the time limit decides: an onset %g ms earlier or later changes it by more than "
            "a "
            "just noticeable difference",
            1000.0 * FIGURES_ONSET_SURE);
    else
        SAY(out, absent,
            "the response %s after %.3g s, %.1f dB down, and what comes later could change them by more than "
            "a "
            "just noticeable difference",
            isfinite(out->times.floor) ? "levels off in noise" : "ends", end, out->times.range);
}

static double *value_of(struct octave_figures *octave, enum figure figure)
{
    switch (figure) {
    case FIGURE_C50:
        return &octave->c50;
    case FIGURE_C80:
        return &octave->c80;
    case FIGURE_D50:
        return &octave->d50;
    case FIGURE_TS:
        return &octave->ts;
    default:
        return &octave->g;
    }
}

static void octave_figures(const struct shares *shares, double reference, double end,
                           struct octave_figures *out)
{
    unsigned absent[REASONS] = {0};
    out->c50 = out->c80 = out->d50 = out->ts = out->g = NAN;
    for (int f = FIGURE_C50; f <= FIGURE_G; f++) {
        if (f == FIGURE_G && !(reference > 0.0))
            continue;
        const enum reason reason = judge(shares, (enum figure)f, reference, value_of(out, (enum figure)f));
        absent[reason] |= FIGURE_BIT(f);
    }
    for (int reason = NO_DECAY; reason < REASONS; reason++)
        explain(absent[reason], (enum reason)reason, end, out);
}

/* ---- all of them ---- */

static size_t sample_at(double time, double rate, size_t count)
{
    return (size_t)fmin(fmax(0.0, round(time * rate)), (double)count);
}

/* Of a flat |X| of `reference` from 0 to `highest` the energy is 2 highest / rate reference^2. */
static double strength_of(const float *sample, size_t count, double rate, double highest, double reference)
{
    double energy = 0.0;
    for (size_t n = 0; n < count; n++)
        energy += (double)sample[n] * (double)sample[n];
    return 10.0 * log10(energy / (reference * reference * 2.0 * highest / rate));
}

int acoustic_figures_make(const float *sample, size_t count, double rate, double highest, double onset,
                          double reference, struct acoustic_figures *out, struct failure *failure)
{
    struct decay_times times;
    struct measured measured = {0};
    size_t last = count, cut = 0;
    TRY(decay_times_make(sample, count, rate, highest, onset, &times, failure));
    while (last > 0 && sample[last - 1] == 0.0F)
        last--;
    const struct response response = {.sample = sample,
                                      .begin = sample_at(onset - LOW_PASS_REACH / highest, rate, last),
                                      .limit_50 = (size_t)round(fmax(0.0, onset + 0.05) * rate),
                                      .limit_80 = (size_t)round(fmax(0.0, onset + 0.08) * rate),
                                      .count = last,
                                      .rate = rate,
                                      .highest = highest,
                                      .onset = onset};
    const double sound = (double)last / rate - onset, silence = (double)(count - last) / rate;
    const bool complete = last > 0 && silence >= fmax(sound, SILENCE);
    *out = (struct acoustic_figures){.reference = reference,
                                     .strength = strength_of(sample, count, rate, highest, reference),
                                     .bands = times.bands};
    for (size_t b = 0; b < times.bands; b++) {
        struct octave_figures *octave = &out->octave[b];
        octave->times = times.octave[b];
        const struct record_end end = find_end(&response, &octave->times);
        if (b == 0 || end.end != cut)
            TRY(measure(&response, end.end, &measured, failure));
        cut = end.end;
        struct shares shares;
        take_shares(&response, &measured, b, &end, &shares);
        shares.range = dies_away(&octave->times) ? octave->times.range : complete ? INFINITY : 0.0;
        octave_figures(&shares,
                       reference * reference * octave_energy_of_impulse(octave->times.centre, rate, highest),
                       (double)end.end / rate - onset, octave);
    }
    return 0;
}
