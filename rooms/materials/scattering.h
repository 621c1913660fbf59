/** The random-incidence scattering coefficient of a surface (ISO 17497-1): the share of the reflected energy
 * that does not leave in the direction of the mirrored sound.
 *
 * Rays use it. Waves do not: they see the shape of the model. */
#ifndef ROOMS_SCATTERING_H
#define ROOMS_SCATTERING_H

#include "rooms/text/yaml_tree.h"

#define SCATTERING_OCTAVES 9

/** Scattering (-) of a surface without data, chosen by comparison with wave runs in three rooms. With 0 the
 * decay of rays is too long in all three. From 0.05 to 0.4 T30 changes by at most 0.2 just noticeable
 * differences in a seminar room, 2 in a concert hall, and more than 15 in a church with very uneven
 * absorption. */
#define SCATTERING_DEFAULT 0.1

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
 * SCATTERING_DEFAULT to all. */
void scattering_fill(struct scattering *scattering);

/** Give the octaves without their bit in `given` the nearest value that has one, of two the lower octave's.
 * No bit: nothing changes. */
void octaves_extend(unsigned given, size_t count, double value[]);

/** From YAML: a number, or a mapping of octaves [Hz], {125: 0.3, 1000: 0.6}. FAILURE_INPUT. */
int scattering_read(const struct yaml_spot *spot, struct scattering *out, struct failure *failure);

#endif
