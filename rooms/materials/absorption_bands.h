/** Absorption as laboratories give it, in octaves or third octaves and up to some 1.3, as octaves of a
 * surface. */
#ifndef ROOMS_ABSORPTION_BANDS_H
#define ROOMS_ABSORPTION_BANDS_H

#include <stdint.h>

#include "rooms/materials/surface_table.h"

/** Third octaves from 50 to 10000 Hz: three for each octave of a material, the second of them its centre. */
#define ABSORPTION_BANDS MATERIAL_THIRDS
extern const unsigned absorption_band[ABSORPTION_BANDS]; /* nominal centres [Hz] */

/** What is accepted; reverberation rooms give up to some 1.3 (ISO 354: edges absorb, too). */
#define ABSORPTION_GIVEN_MAX  1.5
#define ABSORPTION_GIVEN_TEXT "0 (reflects all) to 1.5 (laboratories find more than 1)"

struct absorption_bands {
    double value[ABSORPTION_BANDS]; /* 0..ABSORPTION_GIVEN_MAX (-) */
    uint32_t given;                 /* bit b: value[b] */
    uint32_t stated;                /* bit b: its standard uncertainty */
    double uncertainty[ABSORPTION_BANDS];
};

/** Number of the third octave with that nominal or exact centre [Hz], from -7 (10 Hz) to 27 (25 kHz); 0 is 50
 * Hz. False for other frequencies. */
bool absorption_band_find(double frequency, int *band);

/** True if a band is given that is no octave's centre: then all are third octaves. */
bool absorption_bands_are_thirds(uint32_t given);

/** Set form, absorption and `highest` of `entry`, of thirds these too; at least one band must be given.
 *
 * Thirds are kept as they are: a wall is fitted to them. Those without a value repeat the nearest, and one
 * above 1 counts as ABSORPTION_ABOVE_ONE. An octave of them, which rays and tables have, is the arithmetic
 * mean of those of its three that are given. The practical coefficient of ISO 11654 is this mean, rounded to
 * 0.05; it is not rounded here, which would add an error of up to 0.025. A mean above 1 counts as
 * ABSORPTION_ABOVE_ONE and is noted in table->above. Octaves without a value repeat the nearest, of two the
 * lower, with its uncertainty, which is the mean of those of its bands that have one (as if they erred
 * alike); bands that are missing between others are noted in table->missing. A single octave is one number
 * for all frequencies.
 * @param where place and name for the notes: `lab.csv, line 3: "panel"` */
void absorption_of_bands(const struct absorption_bands *bands, bool thirds, const char *where,
                         struct surface_entry *entry, struct surface_table *table);

/** A value at all frequencies or at `octave` [Hz] (0: all), 0..ABSORPTION_GIVEN_MAX: itself, or
 * ABSORPTION_ABOVE_ONE for one above 1, which is noted. */
double absorption_at_most_one(double value, unsigned octave, const char *where, struct surface_table *table);

#endif
