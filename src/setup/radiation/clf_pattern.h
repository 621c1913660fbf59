/** A measured source: a text file of the Common Loudspeaker Format, CLF1 (octaves, every 10 degrees) or CLF2
 * (third octaves, every 5 degrees), version 1.
 *
 * Lines of cells between tabs; # begins a comment. A line that begins with <BAND> and a frequency is followed
 * by arcs, a line each: levels in dB from 0 degrees, the axis, to 180, behind. The first arc rises to the
 * top, the next ones follow by the left, the bottom and the right (reversed: by the right). Given are all
 * arcs or, by <BALLOON-SYMMETRY>, those from the top to the bottom (<horizontal>: left as right), from the
 * top to the left (<full>: also below as above), or one (<rotational>).
 *
 * Sources: the tags and lines of the sample of the CLF Group's authoring kit, and angles and symmetries of
 * its CLF_specs.pdf (12.3) as cited by two programs that were checked against its viewer or a maker's
 * figures.
 *
 * Only differences to the axis are taken, whatever <BALLOON-REF> is, and no phase, which version 1 does not
 * have. A missing band is interpolated (pattern_at()). Refused is what is not certain: other symmetries,
 * <ROTATE>, a <SIGN> but <actual>, version 2, and loudspeakers that were measured in a wall (<halfsphere>).
 */
#ifndef SRC_CLF_PATTERN_H
#define SRC_CLF_PATTERN_H

#include "src/setup/radiation/pattern.h"

#define CLF_BYTES_MAX   16777216
#define CLF_LEVEL_MOST  300.0 /* either way [dB] */
#define CLF_AXIS_WITHIN 1.0   /* of the levels of all arcs on the axis, and of those behind [dB] */

/** FAILURE_INPUT with one sentence, and the line, for a file that is missing or is not such a text, CF1 and
 * CF2, which are not text, among them; FAILURE_CAPACITY. `out` is untouched then. */
int clf_pattern_read(const char *path, struct pattern *out, struct failure *failure);

#endif
