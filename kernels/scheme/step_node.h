/** What the update of a node reads besides pressures: its walls and the weights of its faces; for C, CUDA and
 * OpenCL C. */
#ifndef KERNELS_STEP_NODE_H
#define KERNELS_STEP_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "blocks/block_layout.h"

#ifndef SCHEME_SHARED
#define SCHEME_SHARED
#endif

/** Frequency-dependent walls. All arrays but `material` are by wall entry of the layout, in the run's real.
 */
struct step_walls {
    unsigned branches;         /* of the material that has most */
    uint64_t stride;           /* values from one plane of `state` to the next */
    SCHEME_SHARED void *state; /* (2 branches, stride): V of branch 0, 1, .. then g of branch 0, 1, .. */
    SCHEME_SHARED const void *share; /* lambda s / (2 mass (1 + kappa)), mass and kappa of the whole node */
    SCHEME_SHARED void *loss;        /* sums of scheme_wall_keep(); NULL without a ledger */
    bool ledger;                     /* on a device state and loss are the device's own, NULL here */
    SCHEME_SHARED const void
        *material;      /* struct scheme_material_f32 or _f64: of the mesh, open face, no material */
    uint16_t materials; /* of the mesh */
};

/** Most entries of one node: a material for each of its six links; VOXELS_AREAS_MAX with conformal walls. */
#define STEP_NODE_ENTRIES 6

/** Weights of the six faces of a cut node of the isotropic scheme: 6 open - (sum of b of the four plaquettes
 * on the link). */
static inline void step_face_weights(const struct cut_cell *cut, const uint8_t plaquette[EDGES],
                                     int weight[DIRECTIONS])
{
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        weight[d] = 6 * cut->open[d];
    for (unsigned e = 0; e < EDGES; ++e) {
        weight[edge_first_direction(e)] -= plaquette[e];
        weight[edge_second_direction(e)] -= plaquette[e];
    }
}

#endif
