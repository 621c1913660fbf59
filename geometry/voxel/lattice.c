#include "geometry/voxel/lattice.h"

#include <math.h>
#include <stddef.h>

/* A value this little below a tie counts as the tie [sub-steps]. */
#define TIE_MARGIN 0.0625

/* Far beyond every coordinate that cut_field_make() accepts, and far within int64. */
#define SUBSTEP_LIMIT 0x1p40

static const char axis_letter[3] = {'x', 'y', 'z'};

static double position_in_substeps(const struct lattice *lattice, int axis, double position)
{
    const double value = (position - lattice->origin[axis]) / lattice->spacing * LATTICE_SUBSTEPS;
    if (!(value > -SUBSTEP_LIMIT))
        return -SUBSTEP_LIMIT;
    return value < SUBSTEP_LIMIT ? value : SUBSTEP_LIMIT;
}

int64_t lattice_snap(const struct lattice *lattice, int axis, double position)
{
    return 2 * (int64_t)floor((position_in_substeps(lattice, axis, position) + TIE_MARGIN) / 2) + 1;
}

int64_t lattice_substep(const struct lattice *lattice, int axis, double position)
{
    return (int64_t)floor(position_in_substeps(lattice, axis, position) + 0.5);
}

int lattice_fit(const double low[3], const double high[3], double spacing, const double *phase,
                struct lattice *out, struct failure *failure)
{
    if (!(spacing > 0) || !isfinite(spacing))
        return failure_set(failure, FAILURE_INPUT,
                           "the grid spacing is %g m, but must be above zero and finite", spacing);
    struct lattice lattice = {.spacing = spacing};
    for (int axis = 0; axis < 3; axis++) {
        if (!isfinite(low[axis]) || !isfinite(high[axis]) || high[axis] < low[axis])
            return failure_set(failure, FAILURE_INPUT,
                               "the box to cut into nodes runs from %g to %g m along %c", low[axis],
                               high[axis], axis_letter[axis]);
        if (phase != NULL && !isfinite(phase[axis]))
            return failure_set(failure, FAILURE_INPUT, "the grid origin is %g m along %c, but must be finite",
                               phase[axis], axis_letter[axis]);
        const double count = (high[axis] - low[axis]) / spacing;
        if (!(count < (double)LATTICE_NODES_MAX - 2))
            return failure_advise(
                failure_set(
                    failure, FAILURE_CAPACITY,
                    "%.6g m along %c at a spacing of %.6g m is %.4g nodes, but at most %lld fit along "
                    "an axis",
                    high[axis] - low[axis], axis_letter[axis], spacing, count, (long long)LATTICE_NODES_MAX),
                failure, ADVICE_COARSER_GRID_OR_UNITS, 0);
        lattice.origin[axis] = low[axis] + spacing / 2;
        if (phase != NULL) {
            const double steps = (low[axis] - phase[axis]) / spacing;
            lattice.origin[axis] = phase[axis] + ceil(steps - TIE_MARGIN / LATTICE_SUBSTEPS) * spacing;
        }
        lattice.nodes[axis] = (lattice_snap(&lattice, axis, high[axis]) >> 10) + 1;
        if (lattice.nodes[axis] < 1)
            lattice.nodes[axis] = 1;
    }
    *out = lattice;
    return 0;
}

void lattice_position(const struct lattice *lattice, const int64_t node[3], double position[3])
{
    for (int axis = 0; axis < 3; axis++)
        position[axis] = lattice->origin[axis] + (double)node[axis] * lattice->spacing;
}

void lattice_coordinate(const struct lattice *lattice, const double position[3], double coordinate[3])
{
    for (int axis = 0; axis < 3; axis++)
        coordinate[axis] = (position[axis] - lattice->origin[axis]) / lattice->spacing;
}

void lattice_nearest(const struct lattice *lattice, const double position[3], int64_t node[3])
{
    double coordinate[3];
    lattice_coordinate(lattice, position, coordinate);
    for (int axis = 0; axis < 3; axis++)
        node[axis] = (int64_t)round(coordinate[axis]);
}
