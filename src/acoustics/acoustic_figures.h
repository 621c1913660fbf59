/** The figures of one response, octave by octave (ISO 3382-1): reverberation times, clarity, definition,
 * centre time and strength.
 *
 *     C_te = 10 lg(E(0..te) / E(te..)),  te = 50, 80 ms      D50 = E(0..50 ms) / (E(0..50 ms) + E(50 ms..))
 *     Ts   = integral of t p^2 dt / integral of p^2 dt       G   = 10 lg(E / E of the same source at 10 m)
 *
 * Times count from the onset. Energies are those of octave_energy.h: the broadband response is cut at onset +
 * te and the parts are filtered. What comes before the onset by less than the low-pass responds early
 * (LOW_PASS_REACH / highest) belongs to the direct sound; what comes earlier is left out.
 *
 * The strength of the whole band is that of a source whose |X| is the reference up to `highest`.
 *
 * The end of a response is treated as decay_times.h does it. Where an octave meets noise the response is cut
 * there and the noise before is subtracted; what its decay would have held after that, or after the end of
 * the file, is added. Either correction may do little: where a figure with all of them and one with none are
 * further apart than the just noticeable difference, or the octave falls by less than 15 dB, it is absent. A
 * response in which nothing dies away, but which ends in exact silence as long as its sound, is complete.
 *
 * An onset is not known better than FIGURES_ONSET_SURE: behind corners it is right within the spacing of a
 * grid. So EDT, C50, C80 and D50 are absent where limits so much sooner or later change them by the just
 * noticeable difference or more, as a strong reflection right at the limit does to those three, or loud low
 * sound that the cut breaks off, of which the octaves above get a part, where they are all but silent before.
 *
 * The figures of an octave bound one another, and what breaks a bound is absent. E(t) is the energy after t
 * over all of it, which never rises; L = 10 lg E; D50 and C80 give E at 50 and 80 ms. Let T be the longest of
 * the times that the octave has later (T20, T30, the tail, a late slope).
 *
 * - Too long. The slope of a least-squares line through L is the mean of L' with weights of a parabola, zero
 * at its ends. Where L is convex, as of every sum of decays with or without a direct sound, L' is nowhere
 * flatter than at the end: EDT <= T, and likewise T20 and T30 against what comes after them. Where E at 50 ms
 * is below what EDT evaluates (-10 dB), L falls by that in less than 50 ms, which is 0.3 s for 60 dB; a line
 * that says more than both, and T by half again, goes through a step (80 ms likewise for T20 and T30).
 * - Too short. Those weights are at most 1.5 times their mean, so EDT >= 4 t where L(t) is above -10 dB, of
 * any E: above 0.2 s where E at 50 ms is above -9 dB, 0.32 s where E at 80 ms is.
 * - Too late. A sum of decays no longer than T has C80 >= that of a single one, 10 lg(exp(1.105 s / T) - 1).
 *   Behind corners and in coupled rooms, where the level rises first, it is less by up to 10 dB (two equal
 *   decays in a row). Where it is 12 dB less and negative, the sound begins later than the onset that was
 * taken, and EDT, C50, C80, D50 and Ts, which count from it, are absent (`late`).
 */
#ifndef SRC_ACOUSTIC_FIGURES_H
#define SRC_ACOUSTIC_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/acoustics/decay_times.h"
#include "src/acoustics/figure_table.h"

/** |X| of a calibrated response at 10 m, the reference of G. */
#define FIGURES_REFERENCE 0.1

/** One octave. NaN where absent; `why` then says which and why (of EDT, T20, T30: times.why). */
struct octave_figures {
    struct octave_times times;
    double c50, c80; /* [dB] */
    double d50;      /* 0 to 1 */
    double ts;       /* [s] */
    double g;        /* [dB]; absent where the level of the source is not known */
    bool late;       /* its sound begins later than the onset */
    char why[480];
};

struct acoustic_figures {
    double reference; /* as it was given; NaN: the level of the source is not known */
    double strength; /* G of the whole band, 0 to the highest frequency [dB]; -infinity for silence, NaN where
                        the level is not known */
    size_t bands;    /* octaves whose upper edge is at most the highest frequency */
    struct octave_figures octave[OCTAVE_BANDS_MAX];
};

/** @param sample   (count) of a response at `rate` [Hz], low-passed at `highest` [Hz], 1.02 highest < rate /
 * 2
 * @param onset     when the direct sound arrives, after sample 0 [s]
 * @param reference |X| that the source gives at 10 m in free field: FIGURES_REFERENCE in our files; NaN: not
 *                  known
 * FAILURE_CAPACITY without memory. 2 s at 48 kHz in 5 octaves take 25 ms of one processor, 15 s in 8 octaves
 * 0.25 s; where octaves end in noise that counts, up to three times that. */
int acoustic_figures_make(const float *sample, size_t count, double rate, double highest, double onset,
                          double reference, struct acoustic_figures *out, struct failure *failure);

/** Is the level of the source known? */
bool acoustic_figures_is_calibrated(const struct acoustic_figures *figures);

/** NaN where absent. */
double acoustic_figure_of(const struct octave_figures *octave, enum figure figure);

/** The standard's single number of a response: the mean of 500 and 1000 Hz. NaN where either is absent, as
 * for every response that ends below 1.4 kHz. */
double acoustic_figure_single(const struct acoustic_figures *figures, enum figure figure);

#endif
