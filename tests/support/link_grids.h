/** Rooms from bare link bytes: any geometry at all, without a mesh; and engines on them. For suites that take
 * their links from here and not from what they test. */
#ifndef TESTS_LINK_GRIDS_H
#define TESTS_LINK_GRIDS_H

#include <math.h>

#include "blocks/box_grid.h"
#include "kernels/engine/engine.h"

/** Which wall a node touches at a cut link; `cosine` in units of 1 / VOXELS_COSINE_ONE. */
typedef void link_wall_at(void *context, const int64_t node[3], enum direction direction, uint16_t *material,
                          uint16_t *cosine);

/** What the voxeliser would make of it, with a spacing of 1 m and the origin at (0,0,0). voxels_free().
 * @param low     lattice node of links[0]
 * @param nodes   extent of `links` (nodes[2], nodes[1], nodes[0]), x fastest
 * @param links   bits 0..5 as in block_layout.h; a link counts when both its ends have it and lie in the
 * array
 * @param air     (as links) NULL: the nodes that keep a link
 * @param wall_at asked for every cut link of an air node; NULL: material 0, cosine 1 */
struct voxels link_voxels(const int64_t low[3], const int64_t nodes[3], const uint8_t *links, const bool *air,
                          link_wall_at *wall_at, void *context);

/** A test of one claim about both schemes:
 *
 *     TEST_SCHEMES(suite, claim)
 *     { .. scheme .. } */
#define TEST_SCHEMES(suite, claim)                                                                           \
    static void suite##_##claim(enum scheme scheme);                                                         \
    Test(suite, claim)                                                                                       \
    {                                                                                                        \
        suite##_##claim(SCHEME_STANDARD);                                                                    \
        suite##_##claim(SCHEME_ISOTROPIC);                                                                   \
    }                                                                                                        \
    static void suite##_##claim(enum scheme scheme)

/** The same room in both layouts. */
void link_grids(const int64_t low[3], const int64_t nodes[3], const uint8_t *links, link_wall_at *wall_at,
                void *context, struct block_grid *blocks, struct box_grid *box);

/** Is a box the same room as its blocks, node by node and wall by wall? Ends the test where not. */
void must_be_box_of(const struct box_grid *box, const struct block_grid *blocks);

/** time_step_choose() that must succeed. */
struct time_step time_step_of(double spacing, double sound_speed, double courant);
struct time_step time_step_for(enum scheme scheme, double spacing, double sound_speed, double courant);

/** A Courant number near a scheme's default, whose gains of mass 1 (lambda^2 / 1200 of the isotropic scheme)
 * are floats without rounding: so whole cells at walls are exactly that in double precision, too. */
static inline double exact_courant(enum scheme scheme)
{
    return scheme == SCHEME_ISOTROPIC ? sqrt(6.0 * 25.0 * 16777.0 * 0x1p-22) * (1.0 + 0x1p-50) : 0.0;
}

/** For the isotropic scheme of such a step: the grid widened and with its masses, and the box once more.
 * `box` may be NULL. For the standard scheme nothing happens. */
void link_grids_widen(struct block_grid *blocks, struct box_grid *box, const struct time_step *step);

/** An engine that must come to be; of `box` only where the options ask for it. `walls`, or `admittance` where
 * that is NULL. */
struct engine *engine_of(const struct block_grid *blocks, const struct box_grid *box,
                         const struct time_step *step, const double *admittance, size_t materials,
                         const struct wall_materials *walls, const struct engine_options *options);

#endif
