#include "src/response/acoustics/octave_edges.h"

#include <string.h>

#define LOWEST_EDGE 89 /* of the octave of 63 Hz [Hz] */

const double octave_edge[OCTAVE_EDGES] = {177, 355, 710, 1420, 2840, 5680, 11300};

size_t octave_centres(double highest, double centre[OCTAVE_BANDS_MAX])
{
    struct bands bands;
    bands_make(BANDS_OCTAVE, highest, &bands);
    memcpy(centre, bands.centre, bands.count * sizeof *centre);
    return bands.count;
}

bool octave_above(double fmax, double *octave, double *edge)
{
    *octave = 63;
    *edge = LOWEST_EDGE;
    for (int i = 0; i < OCTAVE_EDGES && !(*edge > BANDS_EDGE_MARGIN * fmax); i++) {
        *octave = 125 << i;
        *edge = octave_edge[i];
    }
    return *edge > BANDS_EDGE_MARGIN * fmax;
}
