/** The materials of the walls of a room, as an engine uses them. */
#ifndef KERNELS_WALL_MATERIAL_H
#define KERNELS_WALL_MATERIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/wall_branch.h"

/** No branches: a hard wall. */
struct wall_material {
    size_t branches;
    struct wall_branch branch[WALL_BRANCHES_MAX]; /* (branches) D, F >= 0; E >= 0, and D + E + F > 0 */
};

/** Borrowed. */
struct wall_materials {
    size_t count;
    const struct wall_material *material; /* (count) by mesh material */
    /* Half a cell of air, h/(2c) of mass, in series with every wall. A wall's node lies h/2 in front of it;
     * this makes reflection second order in h. Without it the walls are those of most published schemes. */
    bool inertance;
    bool ledger; /* keep account of the energy that each material absorbs: engine_absorbed() */
};

#ifdef __cplusplus
extern "C" {
#endif

/** Branches with a state (all of them with inertance, else those with D or F), of the material that has most.
 */
size_t wall_materials_states(const struct wall_materials *walls);

#ifdef __cplusplus
}
#endif

#endif
