/** What one response says in numbers: its level over the band and in octaves.
 *
 * Strength is level relative to the same source heard 10 m away in free field through the same filter (the
 * sound strength G of ISO 3382-1; a response is calibrated to |X| = 1/r, so the reference is |X| = 0.1).
 */
#ifndef SRC_RESPONSE_FIGURES_H
#define SRC_RESPONSE_FIGURES_H

#include <stddef.h>

#include "src/octave_decay.h"

struct response_figures {
    double strength;                 /* from 0 to fmax [dB] */
    size_t bands;                    /* octaves whose upper edge is at most fmax; 0 below 177 Hz */
    double centre[OCTAVE_BANDS_MAX]; /* [Hz] */
    double octave[OCTAVE_BANDS_MAX]; /* strength in each [dB] */
};

/** @param sample (count) of a response at RESPONSE_RATE, low-passed at `fmax` [Hz]. -infinity dB for silence.
 * O(count x bands). */
void response_figures_make(const float *sample, size_t count, double fmax, struct response_figures *out);

#endif
