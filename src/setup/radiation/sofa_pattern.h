/** A measured source: a SOFA file (AES69) of the conventions FreeFieldDirectivityTF.
 *
 * Transfer functions of one emitter to microphones all around, over frequency. The axis is the file's
 * SourceView, up its SourceUp (+x and +z without them). All values are divided by that of the axis, magnitude
 * and phase, so only the dependence on direction remains. The weight of a microphone is the part of the
 * sphere nearest to it. */
#ifndef SRC_SOFA_PATTERN_H
#define SRC_SOFA_PATTERN_H

#include "src/setup/radiation/pattern.h"

#define SOFA_PATTERN_DIRECTIONS_LEAST 16
#define SOFA_PATTERN_DIRECTIONS_MOST  100000
#define SOFA_PATTERN_LINES_MOST       100000
#define SOFA_PATTERN_HOLE             45.0 /* degrees from a direction to the nearest measured one */

/** FAILURE_INPUT with one sentence for a file that is missing, not HDF5, of other conventions, not finite,
 * with more than one emitter or measurement, with directions that leave a larger hole or frequencies that do
 * not rise, and for one that is silent on its axis; FAILURE_CAPACITY. HDF5 works in a process of its own, in
 * a cage (geometry/base/confined.h). `out` is untouched then. */
int sofa_pattern_read(const char *path, struct pattern *out, struct failure *failure);

#endif
