/** The figures of one response, octave by octave or in third octaves (ISO 3382-1): reverberation times,
 * clarity, definition, centre time and strength.
 *
 *     C_te = 10 lg(E(0..te) / E(te..)),  te = 50, 80 ms      D50 = E(0..50 ms) / (E(0..50 ms) + E(50 ms..))
 *     Ts   = integral of t p^2 dt / integral of p^2 dt       G   = 10 lg(E / E of the same source at 10 m)
 *
 * Times count from the onset. Energies are those of band_energy.h: the broadband response is cut at onset +
 * te and the parts are filtered. Sound before the onset by less than LOW_PASS_REACH / highest, the reach of
 * the low-pass, belongs to the direct sound; earlier sound is left out.
 *
 * The strength of the whole band is that of a source whose |X| is the reference up to `highest`.
 *
 * The end of a response is treated as decay_times.h does it. If an octave meets noise, the response is cut
 * there, the noise before is subtracted, and the energy of the continued decay after that point, or after the
 * end of the file, is added. A figure is absent if these corrections change it by more than the just
 * noticeable difference, or if the octave falls by less than 15 dB. A response without a decay is complete if
 * it ends in exact silence as long as its sound.
 *
 * The onset is uncertain by FIGURES_ONSET_SURE: behind corners it is right within the spacing of a grid. EDT,
 * C50, C80 and D50 are absent if limits that much earlier or later change them by the just noticeable
 * difference or more. A strong reflection at the limit has this effect on the last three. So has loud low
 * sound cut at the limit, which leaks into nearly silent octaves above.
 *
 * The figures of an octave bound one another; a figure outside a bound is absent. E(t) is the energy after t
 * over all energy, which never rises; L = 10 lg E; D50 and C80 give E at 50 and 80 ms. Let T be the longest
 * of the octave's later times (T20, T30, the tail, a late slope).
 *
 * - Too long. The slope of a least-squares line through L is the mean of L' with weights of a parabola, zero
 * at its ends. If L is convex, as for every sum of decays with or without a direct sound, L' is flattest at
 * the end: EDT <= T, and likewise for T20 and T30 and later times. If E at 50 ms is below the range of EDT
 * (-10 dB), L falls by that in less than 50 ms, or 60 dB in 0.3 s. A line that exceeds both this and 1.5 T
 * crosses a step (80 ms likewise for T20 and T30).
 * - Too short. Those weights are at most 1.5 times their mean, so EDT >= 4 t if L(t) is above -10 dB, for any
 * E: above 0.2 s if E at 50 ms is above -9 dB, 0.32 s if E at 80 ms is.
 * - Too late. A sum of decays no longer than T has C80 >= that of a single one, 10 lg(exp(1.105 s / T) - 1).
 * Behind corners and in coupled rooms, where the level rises first, it is less by up to 10 dB (two equal
 * decays in a row). If it is 12 dB less and negative, the sound begins later than the assumed onset, and EDT,
 * C50, C80, D50 and Ts, which count from it, are absent (`late`). */
#ifndef SRC_ACOUSTIC_FIGURES_H
#define SRC_ACOUSTIC_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/response/acoustics/decay_times.h"
#include "src/response/acoustics/figure_table.h"

/** |X| of a calibrated response at 10 m, the reference of G. */
#define FIGURES_REFERENCE 0.1

/** One octave or third. NaN if absent; `why` then gives the figure and the reason (for EDT, T20, T30:
 * times.why). */
struct band_figures {
    struct band_times times;
    double c50, c80; /* [dB] */
    double d50;      /* 0 to 1 */
    double ts;       /* [s] */
    double g;        /* [dB]; absent if the level of the source is unknown */
    bool late;       /* its sound begins later than the onset */
    char why[480];
};

struct acoustic_figures {
    double reference; /* as given; NaN: the level of the source is unknown */
    double strength;  /* G of the whole band, 0 to the highest frequency [dB]; -infinity for silence, NaN if
                         the level is unknown */
    size_t bands;     /* octaves whose upper edge is at most the highest frequency */
    struct band_figures octave[OCTAVE_BANDS_MAX];
};

/** The same in third octaves, which some want beside the octaves. Rays are traced in octaves, and a third
 * above the waves would be an octave's figure under another name: thirds are of waves alone. */
struct third_figures {
    double reference; /* as given */
    size_t bands;     /* thirds likewise */
    struct band_figures third[BANDS_MAX];
};

/** @param sample   (count) of a response at `rate` [Hz], low-passed at `highest` [Hz], 1.02 highest < rate /
 * 2
 * @param onset     when the direct sound arrives, after sample 0 [s]
 * @param reference |X| that the source gives at 10 m in free field: FIGURES_REFERENCE in our files; NaN:
 * unknown FAILURE_CAPACITY without memory. 2 s at 48 kHz in 5 octaves take 25 ms of one processor, 15 s in 8
 * octaves 0.25 s; if octaves end in significant noise, up to three times that. */
int acoustic_figures_make(const float *sample, size_t count, double rate, double highest, double onset,
                          double reference, struct acoustic_figures *out, struct failure *failure);

/** With thirds: two to three times as long as acoustic_figures_make(). */
int third_figures_make(const float *sample, size_t count, double rate, double highest, double onset,
                       double reference, struct third_figures *out, struct failure *failure);

/** True if the level of the source is known. */
bool acoustic_figures_is_calibrated(const struct acoustic_figures *figures);

/** NaN if absent. */
double acoustic_figure_of(const struct band_figures *octave, enum figure figure);

/** The standard's single number of a response: the mean of 500 and 1000 Hz. NaN if either is absent, as in
 * every response that ends below 1.4 kHz. */
double acoustic_figure_single(const struct acoustic_figures *figures, enum figure figure);

/** The same of any bands, (count): of thirds the mean of the six from 400 to 1250 Hz. */
double band_figure_single(enum band_kind kind, const struct band_figures *band, size_t count,
                          enum figure figure);

#endif
