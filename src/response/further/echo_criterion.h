/** The echo criterion of Dietsch and Kraak (Acustica 60, 1986, 205-216; as quoted by Ahnert in Ballou,
 * Handbook for Sound Engineers, section 7.2.2.5): how steeply the centre of gravity of the sound so far
 * rises.
 *
 *     t(tau) = integral 0..tau of |p|^n t dt / integral 0..tau of |p|^n dt
 *     EK     = max over tau of (t(tau) - t(tau - D)) / D
 *
 *              n     D        band               half of the listeners perceive an echo from
 *     speech   2/3    9 ms    1 kHz octave       1.0
 *     music    1     14 ms    1 and 2 kHz        1.8
 *
 * Times count from the onset; p is filtered without delay, with the magnitude of a Butterworth filter of
 * second order on each side, since those of octaves ring on for longer than D. An echo of amplitude a and
 * delay T after the direct sound alone has EK = T/D a^n / (1 + a^n); a decay without an echo about 1/2, at
 * its beginning. */
#ifndef SRC_ECHO_CRITERION_H
#define SRC_ECHO_CRITERION_H

#include "src/base/words/words.h"
#include "src/response/further/further_figures.h"

enum echo_kind { ECHO_SPEECH, ECHO_MUSIC, ECHO_KINDS };

/** Half of the listeners perceive an echo from here on; and the figure of each kind. */
extern const double echo_limit[ECHO_KINDS];
extern const enum figure echo_figure[ECHO_KINDS];

/** Warning: receiver, source, "speech" or "music", EK, limit, time after the direct sound [ms], ", reflected
 * by " and the path or two empty texts. */
#define ECHO_SENTENCE                                                                                        \
    SAID("receiver %s hears an echo of source %s in %s: EK is %.2f, and from %.1f on half of the listeners " \
         "perceive it; it comes %.0f ms after the direct sound%s%s")

/** Fill EK of speech and of music, and the time of the largest |p| where each rises most. Absent if the
 * response ends below the band (1414 Hz, 2828 Hz), or is silent there.
 * @param sample (count) at `rate` [Hz], low-passed at `highest` [Hz]
 * @param onset  of the direct sound, after sample 0 [s]
 * FAILURE_CAPACITY without memory: 32 bytes a sample. 2 s at 48 kHz take 20 ms. */
int echo_criterion_make(const float *sample, size_t count, double rate, double highest, double onset,
                        struct further_figures *out, struct failure *failure);

#endif
