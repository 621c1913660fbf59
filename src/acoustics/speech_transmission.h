/** How much of the modulations of speech a response passes on: modulation transfer, and the speech
 * transmission index (STI) after IEC 60268-16:2020, from the impulse response (indirect method), male speech.
 *
 * In each octave h of the response (Schroeder, Acustica 49, 1981), at 14 modulation frequencies F:
 *
 *     m(F) = |integral of h^2 exp(-2 pi j F t) dt| / integral of h^2 dt
 *
 * A filter has a modulation transfer too. That of an octave at 125 Hz, 88 Hz wide, is 0.86 or less at 12.5 Hz
 * whatever its phase, and no channel would be perfect. So the octave is filtered with zero phase, the phase
 * whose m is largest, and m is divided by that of the filter alone,
 *
 *     g(F) = integral of G(f) G(f - F) df / integral of G(f)^2 df
 *
 * What is left is 1 for an impulse, and for a response that reverberates as noise does its own in the mean.
 * G is that of a Butterworth band-pass with seven poles on a side, edges centre x 10^(+-0.15): 46 dB less in
 * the middle of a neighbour (the standard asks for 42 dB, as other programs quote it), which
 * octave_filters.h does not have.
 */
#ifndef SRC_SPEECH_TRANSMISSION_H
#define SRC_SPEECH_TRANSMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

#define SPEECH_OCTAVES     7 /* 125 Hz to 8 kHz */
#define SPEECH_MODULATIONS 14

extern const double speech_modulation[SPEECH_MODULATIONS]; /* 0.63 to 12.5 [Hz] */

/** Levels at the listener in octaves 125 Hz to 8 kHz [dB SPL]. */
struct speech_levels {
    bool with_speech; /* else nothing masks, and m is that of the response */
    double speech[SPEECH_OCTAVES];
    bool with_noise; /* else there is none; means something beside speech only */
    double noise[SPEECH_OCTAVES];
};

struct speech_octave {
    double centre;                       /* [Hz]; 0 where the response does not reach */
    double transfer[SPEECH_MODULATIONS]; /* m(F) of the response, 0 to 1; NaN where absent */
    double mti;    /* modulation transfer index, 0 to 1: with noise, masking and threshold where levels are
                      given;    NaN where absent */
    char why[160]; /* empty where it is there */
};

struct speech_transmission {
    struct speech_octave octave[SPEECH_OCTAVES];
    double sti;    /* 0 to 1; NaN where absent */
    char why[200]; /* empty where it is there */
};

/** @param sample (count) of a response at `rate` [Hz], low-passed at `highest` [Hz], 1.02 highest < rate / 2
 * @param onset   when the direct sound arrives, after sample 0 [s]
 * @param levels  may be NULL: none
 * An octave is absent where its upper edge is above 1.01 `highest`, and where the decay has not fallen by 30
 * dB, all energy against what is missing at the end, before the response ends or drowns in noise: from there
 * on what is missing moves no m by more than 0.002. Noise of the response is taken off (decay_tail.h). STI is
 * absent where an octave is. FAILURE_CAPACITY without memory (50 to 100 bytes a sample while it runs); 15 s
 * at 48 kHz take 0.06 s of one processor up to 1 kHz and 0.17 s up to 8 kHz. */
int speech_transmission_make(const float *sample, size_t count, double rate, double highest, double onset,
                             const struct speech_levels *levels, struct speech_transmission *out,
                             struct failure *failure);

/** 0 to 1 for m from 0 to 1: (SNR + 15) / 30 of the signal-to-noise ratio 10 lg(m / (1 - m)) that would do
 * the same, between -15 and 15 dB. */
double speech_transfer_index(double m);

/** Level of what masks an octave, relative to the level [dB] of the octave below, which is its argument. */
double speech_masking_slope(double level);

/** STI from the seven indices, at most 1: their weighted sum less what neighbours have in common. */
double speech_index(const double mti[SPEECH_OCTAVES]);

#endif
