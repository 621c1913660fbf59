#include "src/response/acoustics/decay_times.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/response/acoustics/decay_tail.h"
#include "src/response/acoustics/double_slope.h"
#include "src/response/acoustics/figure_reason.h"
#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/band_filters.h"
#include "src/base/words/words.h"

#define SHORTEST_WINDOW 0.002   /* [s] */
#define LATE_SLOPE      0.5     /* of the time of the whole fall: a faster fall at its end is not a decay */
#define SLOPES_FROM     0.31623 /* -5 dB: where the search for two slopes begins */
#define EARLY_SEEN      5.0     /* of the early slope, down to where they meet [dB] */
#define LATE_SEEN       10.0    /* of the late one, from there [dB] */
#define LATE_FALL       7.0 /* of the late decay itself, from there to t1: a smaller fall is a floor [dB] */
#define LOWEST_SLOPE    (-100.0) /* where they meet: below, samples are rounded [dB] */

enum { EDT, T20, T30, FIGURES }; /* as in the table of figures */
static const double top[FIGURES] = {0.0, -5.0, -5.0};
static const double bottom[FIGURES] = {-10.0, -25.0, -35.0};
#define HEADROOM (DECAY_RANGE_T30 - 35.0) /* from the lower end of the evaluated range to t1 [dB] */

/* A straight line by least squares: sums over the points so far. */
struct line {
    double n, x, y, xx, xy, yy;
    double first, last; /* x */
};

static void line_add(struct line *line, double x, double y)
{
    line->first = line->n > 0.0 ? line->first : x;
    line->last = x;
    line->n += 1.0;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
    line->yy += y * y;
}

static double line_slope(const struct line *line)
{
    return (line->n * line->xy - line->x * line->y) / (line->n * line->xx - line->x * line->x);
}

/* 1 - r^2 */
static double line_scatter(const struct line *line)
{
    const double xy = line->n * line->xy - line->x * line->y;
    const double xx = line->n * line->xx - line->x * line->x;
    const double yy = line->n * line->yy - line->y * line->y;
    return 1.0 - xy * xy / (xx * yy);
}

/* The octave and its evaluated part, in samples. */
struct octave {
    double *pressure; /* borrowed; becomes E. It begins where the filter begins to ring with the onset */
    size_t onset;
    size_t end;    /* where the filter begins to miss the sound after the end */
    size_t window; /* of the tail's fit */
    bool silent;   /* the response holds nothing */
    enum band_kind kind;
};

/* Replace the squares by E. Returns E before the onset, 0 if nothing dies away; `end` becomes t1, `tail`
 * the level there. */
static double backwards_energy(struct octave *octave, double freedom, double *window, struct decay_tail *fit,
                               double *tail)
{
    const size_t windows = (octave->end - octave->onset) / octave->window;
    for (size_t i = 0; i < windows; i++) {
        const double *p = octave->pressure + octave->onset + i * octave->window;
        window[i] = 0.0;
        for (size_t n = 0; n < octave->window; n++)
            window[i] += p[n] * p[n];
    }
    decay_tail_fit(window, windows, freedom, fit);
    if (!fit->found)
        return 0.0;
    const double crossing = decay_tail_crossing(fit);
    if (crossing >= (double)windows) /* indistinguishable from zero by the fit */
        fit->floor = 0.0;
    const double last = fmax(0.0, fmin(crossing, (double)windows));
    *tail = fit->level * exp(-fit->fall * last) / (1.0 - exp(-fit->fall));
    octave->end = octave->onset + (size_t)(last * (double)octave->window);
    const double floor = fit->floor / (double)octave->window;
    double energy = *tail;
    for (size_t n = octave->end; n-- > 0;) {
        energy += octave->pressure[n] * octave->pressure[n] - floor;
        octave->pressure[n] = energy;
    }
    return energy;
}

static void fit_lines(const struct octave *octave, double total, double rate, struct line line[FIGURES])
{
    bool begun[FIGURES] = {false}, done[FIGURES] = {false};
    for (size_t n = octave->onset; n < octave->end && !done[T30]; n++) {
        const double level = 10.0 * log10(octave->pressure[n] / total);
        for (int f = 0; f < FIGURES; f++) {
            begun[f] = begun[f] || level <= top[f];
            done[f] = done[f] || level < bottom[f];
            if (begun[f] && !done[f])
                line_add(&line[f], (double)(n - octave->onset) / rate, level);
        }
    }
}

/* Slope of the early decay for an onset at sample `n`. */
static double early_slope(const struct octave *octave, double total, size_t n)
{
    struct line line = {0};
    for (double level = 0.0; n < octave->end && level >= bottom[EDT]; n++) {
        level = 10.0 * log10(octave->pressure[n] / total);
        if (level >= bottom[EDT])
            line_add(&line, (double)n, level);
    }
    return line_slope(&line);
}

/* True if the early decay depends on the uncertainty of the onset. */
static bool early_depends_on_onset(const struct octave *octave, double total, double rate)
{
    const size_t most = (size_t)lround(FIGURES_ONSET_SURE * rate);
    const size_t move = most < octave->onset ? most : octave->onset;
    const double slope = early_slope(octave, total, octave->onset);
    return !(fabs(slope / early_slope(octave, total, octave->onset - move) - 1.0) < JND_TIME) ||
           !(fabs(slope / early_slope(octave, total, octave->onset + move) - 1.0) < JND_TIME);
}

/* Set the valid times, and the reasons for the absence of the others. */
static void set_valid_times(const struct line line[FIGURES], bool noisy, bool unsure, enum band_kind kind,
                            struct band_times *out)
{
    double *const figure[FIGURES] = {&out->edt, &out->t20, &out->t30};
    unsigned shallow = 0, steep = 0, ringing = 0;
    double least = INFINITY;
    const double bandwidth = out->width;
    for (int f = 0; f < FIGURES; f++) {
        const double time = -60.0 / line_slope(&line[f]);
        if (!(out->range >= HEADROOM - bottom[f]))
            shallow |= FIGURE_BIT(f);
        else if (!(time > 0.0 && isfinite(time)))
            steep |= FIGURE_BIT(f);
        else if (!(bandwidth * time > BAND_LEAST_BT)) {
            ringing |= FIGURE_BIT(f);
            least = fmin(least, bandwidth * time);
        } else
            *figure[f] = time;
    }
    figure_reason_add(
        out->why, sizeof out->why, shallow,
        "the sound decays by %.1f dB before %s, and EDT needs 20 dB, T20 35 dB and T30 45 dB: %s", out->range,
        noisy ? SAID("it levels off") : SAID("the response ends"),
        noisy ? SAID("there is noise, or the response is too short") : SAID("a longer run is needed"));
    figure_reason_add(out->why, sizeof out->why, steep, "the decay ends with the direct sound");
    figure_reason_add(out->why, sizeof out->why, kind == BANDS_OCTAVE ? ringing : 0,
                      "the sound decays nearly as fast as the octave filter itself: bandwidth times "
                      "reverberation time is %.1f and must exceed %g",
                      least, BAND_LEAST_BT);
    figure_reason_add(out->why, sizeof out->why, kind == BANDS_THIRD ? ringing : 0,
                      "the sound decays nearly as fast as the third-octave filter itself: bandwidth times "
                      "reverberation time is %.1f and must exceed %g",
                      least, BAND_LEAST_BT);
    if (unsure && !isnan(out->edt)) {
        out->edt = NAN;
        figure_reason_add(
            out->why, sizeof out->why, FIGURE_BIT(EDT),
            "the direct sound decides: an onset %g ms earlier or later changes it by more than a just "
            "noticeable difference",
            1000.0 * FIGURES_ONSET_SURE);
    }
    out->curvature = 100.0 * (out->t30 / out->t20 - 1.0);
    out->nonlinearity = 1000.0 * (isfinite(out->t30)   ? line_scatter(&line[T30])
                                  : isfinite(out->t20) ? line_scatter(&line[T20])
                                                       : NAN);
}

/* True for two slopes. Both must be visible: the early one over EARLY_SEEN below -5 dB, the late one over
 * LATE_SEEN above the end. */
static void find_slopes(const struct octave *octave, const double *window, size_t windows, double rate,
                        double freedom, double total, struct band_times *out)
{
    size_t first = 0;
    while (first < windows) {
        const size_t at = octave->onset + first * octave->window;
        if (at >= octave->end || octave->pressure[at] <= SLOPES_FROM * total)
            break;
        first++;
    }
    struct double_slope_fit fit;
    double_slope_fit(window + first, windows - first, freedom, &fit);
    if (!fit.found)
        return;
    const double early = fit.level[0] / -expm1(-fit.fall[0]), late = fit.level[1] / -expm1(-fit.fall[1]);
    const double knee = log(early / late) / (fit.fall[0] - fit.fall[1]);
    const double width = (double)octave->window / rate;
    const struct double_slope slopes = {.found = true,
                                        .early = 6.0 * log(10.0) / fit.fall[0] * width,
                                        .late = 6.0 * log(10.0) / fit.fall[1] * width,
                                        .time = ((double)first + knee) * width,
                                        .level = 10.0 * log10(2.0 * late * exp(-fit.fall[1] * knee) / total)};
    const double windows_seen =
        (double)(octave->end - octave->onset) / (double)octave->window - (double)first - knee;
    const double late_fall = 10.0 / log(10.0) * fit.fall[1] * windows_seen;
    if (late_fall >= LATE_FALL && slopes.level >= LOWEST_SLOPE &&
        slopes.level <= 10.0 * log10(SLOPES_FROM) - EARLY_SEEN && out->range + slopes.level >= LATE_SEEN &&
        out->width * slopes.early > BAND_LEAST_BT)
        out->slopes = slopes;
}

/* The curve from the onset to t1, decimated, and the lines of the existing figures. */
static void keep_trace(const struct octave *octave, double total, double rate,
                       const struct line line[FIGURES], const struct band_times *times, size_t points,
                       struct decay_trace *out)
{
    const double figure[FIGURES] = {times->edt, times->t20, times->t30};
    const size_t length = octave->end - octave->onset, stride = (length + points - 1) / points;
    for (size_t n = 0; n < length && out->count < points; n += stride)
        out->level[out->count++] = 10.0 * log10(octave->pressure[octave->onset + n] / total);
    out->step = (double)stride / rate;
    for (int f = 0; f < FIGURES; f++) {
        if (!isfinite(figure[f]))
            continue;
        const double slope = line_slope(&line[f]);
        out->line[f] = (struct decay_line){.from = line[f].first,
                                           .to = line[f].last,
                                           .slope = slope,
                                           .intercept = (line[f].y - slope * line[f].x) / line[f].n};
    }
}

static double fall_of(const double *window, size_t windows)
{
    const size_t tenth = (windows + 9) / 10;
    double largest = 0.0, last = 0.0;
    for (size_t i = 0; i < windows; i++) {
        largest = fmax(largest, window[i]);
        last += i >= windows - tenth ? window[i] / (double)tenth : 0.0;
    }
    return largest > 0.0 ? 10.0 * log10(largest / last) : 0.0;
}

/* `trace` may be NULL. */
static void band_times(struct octave *octave, double rate, double *window, size_t points,
                       struct band_times *out, struct decay_trace *trace)
{
    const double freedom = out->width * (double)octave->window / rate;
    const size_t windows = (octave->end - octave->onset) / octave->window;
    const unsigned all = FIGURE_BIT(EDT) | FIGURE_BIT(T20) | FIGURE_BIT(T30);
    struct decay_tail fit = {0};
    double tail = 0.0;
    const double total = backwards_energy(octave, freedom, window, &fit, &tail);
    out->fall = fall_of(window, windows);
    if (!(total > 0.0) || !(tail > 0.0)) {
        figure_reason_add(out->why, sizeof out->why, all, "%s",
                          octave->silent
                              ? SAID("the response is silent")
                              : SAID("no decay is found after the direct sound: a longer run may show one"));
        return;
    }
    out->range = 10.0 * log10(total / tail);
    out->end = (double)(octave->end - octave->onset) / rate;
    out->tail = 6.0 * log(10.0) / fit.fall * (double)octave->window / rate;
    if (!(out->tail > LATE_SLOPE * 60.0 * out->end / out->range)) {
        out->range = 0.0;
        out->end = out->tail = NAN;
        figure_reason_add(
            out->why, sizeof out->why, all,
            "the level stays constant and falls only at the end: noise, or sound that arrives later");
        return;
    }
    out->floor = 10.0 * log10(fit.floor / (double)octave->window * rate / total);
    struct line line[FIGURES] = {{0}};
    fit_lines(octave, total, rate, line);
    set_valid_times(line, fit.floor > 0.0, early_depends_on_onset(octave, total, rate), octave->kind, out);
    if (trace != NULL)
        keep_trace(octave, total, rate, line, out, points, trace);
    find_slopes(octave, window, windows, rate, freedom, total, out);
}

int decay_times_trace(enum band_kind kind, const float *sample, size_t count, double rate, double highest,
                      double onset, size_t points, struct decay_times *out, struct decay_trace *trace,
                      struct failure *failure)
{
    assert(trace == NULL || (points >= 2 && points <= DECAY_TRACE_POINTS));
    struct bands bands;
    bands_make(kind, highest, &bands);
    for (size_t b = 0; trace != NULL && b < bands.count; b++)
        trace[b] = (struct decay_trace){0};
    *out = (struct decay_times){.bands = bands.count};
    while (count > 0 && sample[count - 1] == 0.0F)
        count--;
    const size_t begin = sample_at(onset, rate, count);
    double *pressure = malloc((count + 1) * sizeof *pressure);
    double *window = malloc((count + 1) * sizeof *window);
    int code = 0;
    if (pressure == NULL || window == NULL)
        code = failure_memory(failure, 2ULL * (count + 1) * sizeof *pressure, "the reverberation times");
    for (size_t b = 0; code == 0 && b < out->bands; b++) {
        const double centre = bands.centre[b];
        const size_t ring = (size_t)ceil(band_ringing(kind, centre) * rate);
        const double width = fmax(SHORTEST_WINDOW, 1.0 / band_width(kind, centre));
        struct octave octave = {.window = (size_t)ceil(width * rate), .silent = count == 0, .kind = kind};
        /* From `ring` before the onset to the end: earlier sound is not of this response. */
        const size_t skipped = begin > ring ? begin - ring : 0;
        band_filter_backwards(kind, sample + skipped, count - skipped, rate, centre, pressure);
        octave.pressure = pressure;
        octave.onset = begin - skipped;
        octave.end = count - begin > ring ? count - skipped - ring : octave.onset;
        out->octave[b] = (struct band_times){.centre = centre,
                                             .width = band_width(kind, centre),
                                             .edt = NAN,
                                             .t20 = NAN,
                                             .t30 = NAN,
                                             .floor = -INFINITY,
                                             .end = NAN,
                                             .tail = NAN,
                                             .curvature = NAN,
                                             .nonlinearity = NAN};
        band_times(&octave, rate, window, points, &out->octave[b], trace != NULL ? &trace[b] : NULL);
    }
    free(pressure);
    free(window);
    return code;
}

int decay_times_make(enum band_kind kind, const float *sample, size_t count, double rate, double highest,
                     double onset, struct decay_times *out, struct failure *failure)
{
    return decay_times_trace(kind, sample, count, rate, highest, onset, DECAY_TRACE_POINTS, out, NULL,
                             failure);
}
