/** The table and the drawing of a material's fit for `transept materials NAME --fit`. */
#ifndef SRC_FIT_DRAWING_H
#define SRC_FIT_DRAWING_H

#include "geometry/base/text_buffer.h"
#include "rooms/materials/branch_fit.h"

/** Append the table: per octave the target, the fit at the centre, its mean over the octave and the largest
 * of both errors over the allowed one; the branches with D, E, F and their resonances; one sentence each for
 * clamped targets, for a fit that misses, and for a wall with a pressure-releasing frequency. Lines of at
 * most 100 columns, each ended. */
int fit_drawing_table(const char *name, const struct branch_fit *fit, struct text_buffer *out,
                      struct failure *failure);

/** Append one SVG 1.1 document: absorption over log f from 44.7 Hz to 11.2 kHz, upwards from 0 to the first
 * of 0.05, 0.1, 0.2, 0.5, 1 that contains all values; the targets as circles, the allowed range between them
 * as a band, the fit as a line. No scripts, style sheets or external files; `name` (UTF-8) is the title,
 * escaped. */
int fit_drawing_svg(const char *name, const struct branch_fit *fit, struct text_buffer *out,
                    struct failure *failure);

#endif
