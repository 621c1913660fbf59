/** Reverberation times of one response in octaves or thirds (ISO 3382-1): early decay time, T20 and T30.
 *
 * Each band is filtered backwards in time (band_filters.h) and its squares are added up from the end
 * (Schroeder):
 *
 *     E(t) = integral from t to t1 of (p^2 - floor) dt + tail,   L(t) = 10 lg(E(t) / E(before the onset))
 *
 * t1 is the time at which the decay meets the noise or, without noise, the end of the response (less the
 * ringing of the filter). The tail is the energy after t1 of the continued late decay (decay_tail.h). Ringing
 * before the onset counts as sound at the onset: the direct sound keeps its part in E, and the slope is
 * unchanged. T = -60 / slope of the straight line through L with the least squares: EDT 0 to -10 dB, T20 -5
 * to -25, T30 -5 to -35.
 *
 * A decay in a room never falls faster at its end than before (a sum of exponentials). If the tail falls more
 * than twice as fast as the level from the onset down to t1, it is noise, not a decay.
 *
 * Ringing before sample 0 is lost, as in any program that filters the file: at 63 Hz this is most of a direct
 * sound that arrives within 10 ms. */
#ifndef SRC_DECAY_TIMES_H
#define SRC_DECAY_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/response/acoustics/octave_edges.h"

/** Uncertainty of an onset: behind corners it is right within the spacing of a grid [s]. */
#define FIGURES_ONSET_SURE 0.0005

/** Two decays in one, as in two coupled rooms (double_slope.h): the level falls along `early` first, along
 * `late` after `time`. */
struct double_slope {
    bool found;
    double early, late; /* reverberation times, early < late [s] */
    double time;        /* time after the onset at which both have equal energy in E [s] */
    double level;       /* L at that time [dB] */
};

/** The range of L that T30 needs, as that of T20 and EDT is 10 dB more than the end of its line [dB]. */
#define DECAY_RANGE_T30 45.0

/** A time is given if L at t1 is 10 dB below its range (20, 35, 45 dB below the start), if L does not cross
 * the whole range in one step (a direct sound 10 dB above all the rest has no EDT), and if the time times the
 * bandwidth of the octave is above 4. Else it is NaN, and `why` gives the figure and the reason. EDT is also
 * absent if an onset FIGURES_ONSET_SURE earlier or later changes it by the just noticeable difference. */
struct band_times {
    double centre, width; /* of the octave or third [Hz] */
    double edt, t20, t30; /* [s]; NaN if absent */
    double range;         /* of L down to t1 [dB]; 0 without a decay */
    double fall;         /* from the loudest window to the last tenth of them, with or without a decay [dB] */
    double floor;        /* of noise, in level below the start of E per second; -infinity: none found [dB] */
    double end;          /* t1, after the onset [s]; NaN without a decay */
    double tail;         /* reverberation time of the tail, the decay of E after t1 [s]; NaN likewise */
    double curvature;    /* 100 (T30 / T20 - 1) [%]: above 10 the decay is not straight and no single time
                            describes it (ISO 3382-2, annex B); NaN if either is absent */
    double nonlinearity; /* 1000 (1 - r^2) of the longest of T20 and T30 that is there [per mille]: above 10
                            likewise */
    struct double_slope slopes; /* zeroed for a single slope, or if a second cannot be seen */
    char why[700];              /* empty if no figure is absent */
};

struct decay_times {
    size_t bands; /* of bands_make() */
    struct band_times octave[BANDS_MAX];
};

/** @param sample (count) of a response at `rate` [Hz], low-passed at `highest` [Hz], 1.02 highest < rate / 2
 * @param onset   when the direct sound arrives, after sample 0 [s]
 * FAILURE_CAPACITY without memory. O(count x bands): 15 s at 48 kHz in 8 octaves take 0.05 to
 * 0.2 s of one processor. */
int decay_times_make(enum band_kind kind, const float *sample, size_t count, double rate, double highest,
                     double onset, struct decay_times *out, struct failure *failure);

/** A figure's straight line: level = intercept + slope t from `from` to `to` after the onset. */
struct decay_line {
    double from, to;         /* [s] */
    double slope, intercept; /* [dB/s], [dB] */
};

/** The level curve of one octave, L(t) from the onset to t1 at equal distances, and the lines of EDT, T20,
 * T30. */
#define DECAY_TRACE_POINTS 200
struct decay_trace {
    size_t count;                     /* 0 without a decay */
    double step;                      /* from point to point [s] */
    double level[DECAY_TRACE_POINTS]; /* [dB] */
    struct decay_line line[3];        /* zeroed if the figure is absent */
};

/** decay_times_make() with its curves.
 * @param points at most so many of each, 2 to DECAY_TRACE_POINTS
 * @param trace  (BANDS_MAX), of octaves (OCTAVE_BANDS_MAX) */
int decay_times_trace(enum band_kind kind, const float *sample, size_t count, double rate, double highest,
                      double onset, size_t points, struct decay_times *out, struct decay_trace *trace,
                      struct failure *failure);

#endif
