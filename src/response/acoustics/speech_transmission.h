/** Modulation transfer and the speech transmission index (STI) after IEC 60268-16:2020, from the impulse
 * response (indirect method), male speech.
 *
 * In each octave h of the response (Schroeder, Acustica 49, 1981), at 14 modulation frequencies F:
 *
 *     m(F) = |integral of h^2 exp(-2 pi j F t) dt| / integral of h^2 dt
 *
 * A filter has a modulation transfer too. That of an octave at 125 Hz, 88 Hz wide, is at most 0.86 at 12.5
 * Hz, so no channel would be perfect. Therefore the octave is filtered with zero phase, the phase whose m is
 * largest, and m is divided by that of the filter alone,
 *
 *     g(F) = integral of G(f) G(f - F) df / integral of G(f)^2 df
 *
 * The quotient is 1 for an impulse, and for a noise-like response its own modulation transfer in the mean. G
 * is that of a Butterworth band-pass with seven poles on a side, edges centre x 10^(+-0.15): 46 dB less in
 * the middle of a neighbour (the standard requires 42 dB, as quoted by other programs), which
 * band_filters.h does not have. */
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
    bool with_speech; /* false: no masking; m is that of the response */
    double speech[SPEECH_OCTAVES];
    bool with_noise; /* false: no noise; used only with speech */
    double noise[SPEECH_OCTAVES];
};

struct speech_octave {
    double centre;                       /* [Hz]; 0 if the response does not reach it */
    double transfer[SPEECH_MODULATIONS]; /* m(F) of the response, 0 to 1; NaN if absent */
    double mti; /* modulation transfer index, 0 to 1: with noise, masking and threshold if levels are given;
                   NaN if absent */
    char why[160]; /* empty if present */
};

struct speech_transmission {
    struct speech_octave octave[SPEECH_OCTAVES];
    double sti;    /* 0 to 1; NaN if absent */
    char why[200]; /* empty if present */
};

/** @param sample (count) of a response at `rate` [Hz], low-passed at `highest` [Hz], 1.02 highest < rate / 2
 * @param onset   when the direct sound arrives, after sample 0 [s]
 * @param levels  may be NULL: none
 * An octave is absent if its upper edge is above 1.01 `highest`, or if the decay, all energy over the missing
 * energy at the end, falls by less than 30 dB before the response ends or meets noise. Beyond 30 dB the
 * missing part changes m by at most 0.002. Noise of the response is subtracted (decay_tail.h). STI is absent
 * if an octave is. FAILURE_CAPACITY without memory (50 to 100 bytes a sample while it runs); 15 s at 48 kHz
 * take 0.06 s of one processor up to 1 kHz and 0.17 s up to 8 kHz. */
int speech_transmission_make(const float *sample, size_t count, double rate, double highest, double onset,
                             const struct speech_levels *levels, struct speech_transmission *out,
                             struct failure *failure);

/** 0 to 1 for m from 0 to 1: (SNR + 15) / 30 of the equivalent signal-to-noise ratio 10 lg(m / (1 - m)),
 * clamped to -15 .. 15 dB. */
double speech_transfer_index(double m);

/** Level of the masking of an octave, relative to the level [dB] of the octave below, which is its argument.
 */
double speech_masking_slope(double level);

/** STI from the seven indices, at most 1: their weighted sum less the redundancy of neighbours. */
double speech_index(const double mti[SPEECH_OCTAVES]);

#endif
