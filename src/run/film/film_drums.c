/* Membranes as lines in vertical slices. */
#include <math.h>
#include <stdlib.h>

#include "src/run/film/film.h"
#include "src/run/instruments/play.h"

int film_draw_drums(const struct film *film, struct film_slice *slice, struct failure *failure)
{
    if (film->play == NULL || slice->plane.axis == 2)
        return 0;
    const size_t count = film->play->score.drums * slice->plane.size[0] * slice->paint.zoom;
    slice->curve = calloc(count, sizeof *slice->curve);
    if (slice->curve == NULL)
        return failure_memory(failure, count * sizeof *slice->curve, "lines of membranes");
    slice->paint.curves = film->play->score.drums;
    slice->paint.curve = slice->curve;
    return 0;
}

void film_bend(const struct film *film, struct film_slice *slice)
{
    const struct lattice *const lattice = &film->setup->grid.lattice;
    const struct picture_plane *const plane = &slice->plane;
    const size_t columns = plane->size[0] * slice->paint.zoom;
    for (size_t n = 0; slice->curve != NULL && n < slice->paint.curves * columns; n++) {
        const struct drum_site *const site = &film->play->site[n / columns];
        double away[2]; /* from the centre, along x and y */
        away[plane->axis] = plane->position - site->centre[plane->axis];
        away[plane->across] =
            lattice->origin[plane->across] - site->centre[plane->across] +
            ((double)plane->low[0] + ((double)(n % columns) + 0.5) / slice->paint.zoom - 0.5) *
                lattice->spacing;
        const double w =
            membrane_at(drums_membrane(film->play->drums, n / columns), away[0], away[1]) * FILM_ENLARGED;
        slice->curve[n] =
            hypot(away[0], away[1]) < site->kind.radius
                ? (site->centre[2] + w - lattice->origin[2]) / lattice->spacing - (double)plane->low[1] + 0.5
                : NAN;
    }
}
