/** The random-incidence scattering coefficient of a surface (ISO 17497-1): the share of the reflected energy
 * that does not leave in the direction of the mirrored sound.
 *
 * Rays use it. Waves do not: they see the shape of the model. */
#ifndef ROOMS_SCATTERING_H
#define ROOMS_SCATTERING_H

#include "rooms/text/yaml_tree.h"

#define SCATTERING_OCTAVES 9

/** Scattering (-) of a surface without data, by octave: 0.1 up to 500 Hz, halved in each of the next two
 * octaves. Flat surfaces scatter by diffraction at their edges, which decreases with frequency. Chosen by
 * comparison with wave runs in six rooms. The scattering with which the mean T30 of rays is right, in the four
 * rooms where T30 depends on it (class room with an absorbing ceiling, office, chapel, church):
 *
 *     500 Hz   0.05   0.11   0.08   0.16
 *     1 kHz    0.03   0.06   0.02   0.05
 *     2 kHz    0.04   0.02   0.01   0.02
 */
extern const double scattering_default[];

/** Remedy for a refused value: reverberation rooms give values above 1. */
#define SCATTERING_ABOVE_ONE "write 1 for a measured value above 1"

/** 63, 125, .. 16000 [Hz]. */
extern const unsigned scattering_octave[SCATTERING_OCTAVES];

/** Zeroed is not known. */
struct scattering {
    double octave[SCATTERING_OCTAVES]; /* 0..1 (-) */
    unsigned given; /* bit o: octave o is given, the others repeat the nearest; 0: none is known */
};

/** One number for all octaves. */
struct scattering scattering_of_number(double value);

/** Give the octaves that are not given the nearest value, of two the lower octave's; where none is,
 * scattering_default. */
void scattering_fill(struct scattering *scattering);

/** Give the octaves without their bit in `given` the nearest value that has one, of two the lower octave's.
 * No bit: nothing changes. */
void octaves_extend(unsigned given, size_t count, double value[]);

/** From YAML: a number, or a mapping of octaves [Hz], {125: 0.3, 1000: 0.6}. FAILURE_INPUT. */
int scattering_read(const struct yaml_spot *spot, struct scattering *out, struct failure *failure);

#endif
