/** Flutter between flat parallel walls while another surface absorbs, such as an absorbing ceiling over bare
 * walls. The decay then has two slopes, and no formula for diffuse sound holds.
 *
 * Found where responses fall in two slopes and the room is a box, turned any way about the vertical: nine
 * tenths of its surfaces are within 15 degrees of three axes. Among the three pairs of opposite walls the
 * hardest takes a tenth of the sound or less, and the softest RINGING_UNEVEN times as much.
 */
#ifndef SRC_REPORT_RINGING_H
#define SRC_REPORT_RINGING_H

#include "src/present/report/report_figures.h"

#define RINGING_UNEVEN 4.0
#define RINGING_HARD   0.1

struct report_ringing {
    struct report_slopes slopes; /* of the middle octaves, or of the highest that has two */
    double hard, soft;           /* mean absorption of the two pairs */
    const char *material;        /* that takes the most; borrowed */
};

/** False where it is not so, or not known. */
bool report_ringing_find(const struct report_run *run, struct report_ringing *out);

#endif
