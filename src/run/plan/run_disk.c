#include "src/run/plan/run_disk.h"

#include <math.h>

#include "src/response/acoustics/figure_table.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/response/signal/response.h"
#include "src/setup/room_receiver_grids.h"

#define RECORD_BYTES   40e3  /* run.json, blocks.json */
#define TRIANGLE_BYTES 24.0  /* of room.glb */
#define CELL_BYTES     680.0 /* of a drawing and its models, a point */
#define DRAWING_BYTES  8e3   /* the rest of it */
#define FIELD_BYTES    9.0   /* of a table */

double run_disk_bytes(const struct room_setup *setup, double highest, double duration)
{
    const double sources = fmax((double)room_points_runs(&setup->points), 1);
    const double points = room_grid_points_most(setup), samples = duration * RESPONSE_RATE;
    const double grids = (double)setup->request.points.receiver_grid.count;
    const double channels =
        1 + (room_has_gradients(&setup->request) ? 4 : 0) + (setup->request.listening.head != NULL ? 2 : 0);
    double centre[OCTAVE_BANDS_MAX];
    const double octaves = (double)octave_centres(highest, centre);
    const double drawings = octaves == 0                                    ? 0
                            : setup->request.points.maps == OPTION_MAPS_ALL ? 1 + octaves
                                                                            : 1;
    const double responses =
        ((double)setup->points.receivers * channels + points / (double)room_maps_every(setup, highest)) *
        samples * sizeof(float);
    const double maps = PRESSURE_FIGURES * (drawings * (grids * DRAWING_BYTES + points * CELL_BYTES) +
                                            points * (octaves + 1) * FIELD_BYTES);
    return sources * (responses * (setup->request.plan.repeat_shifted ? 2 : 1) + maps) + RECORD_BYTES +
           (double)setup->model.mesh.triangle_count * TRIANGLE_BYTES;
}
