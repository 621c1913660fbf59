/** Grids with conformal walls for tests, in both layouts, with masses for the scheme's usual step. */
#ifndef TESTS_CELL_GRIDS_H
#define TESTS_CELL_GRIDS_H

#include "blocks/box_grid.h"
#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "tests/support/back_ends.h"
#include "tests/support/cell_rooms.h"

struct cell_grids {
    struct block_grid blocks;
    struct box_grid box;
    struct time_step step;
};

/** For that step. Frees `voxels`; cell_grids_free(). */
static inline struct cell_grids *cell_grids_at(struct voxels *voxels, const struct time_step *step)
{
    struct cell_grids *grids = calloc(1, sizeof *grids);
    struct cut_masses masses;
    cr_assert(grids != NULL);
    grids->step = *step;
    MUST(block_grid_pack(voxels, &grids->blocks, &failure));
    if (step->scheme == SCHEME_ISOTROPIC)
        MUST(block_grid_widen(&grids->blocks, &failure));
    MUST(cut_masses_make(&grids->blocks, step->lambda2, &masses, &failure));
    MUST(box_grid_from_blocks(&grids->blocks, &grids->box, &failure));
    voxels_free(voxels);
    return grids;
}

/** For the usual step of either scheme. */
static inline struct cell_grids *cell_grids_for(struct voxels *voxels, enum scheme scheme)
{
    struct time_step step;
    MUST(time_step_choose(scheme, 1.0, 340.0, 0.0, &step, &failure));
    return cell_grids_at(voxels, &step);
}

static inline struct cell_grids *cell_grids_of(struct voxels *voxels)
{
    return cell_grids_for(voxels, SCHEME_STANDARD);
}

static inline void cell_grids_free(struct cell_grids *grids)
{
    block_grid_free(&grids->blocks);
    box_grid_free(&grids->box);
    free(grids);
}

static inline struct cell_grids *cell_grids_soup_for(uint64_t seed, unsigned materials, enum scheme scheme)
{
    struct cell_soup soup = cell_soup_usual;
    soup.materials = materials;
    struct voxels voxels = cell_room_soup(seed, &soup);
    return cell_grids_for(&voxels, scheme);
}
static inline struct cell_grids *cell_grids_soup(uint64_t seed, unsigned materials)
{
    return cell_grids_soup_for(seed, materials, SCHEME_STANDARD);
}

/** A box of so many spacings, turned about all axes and off the lattice. */
static inline struct cell_grids *cell_grids_box_for(double x, double y, double z, unsigned materials,
                                                    enum scheme scheme)
{
    static const double centre[3] = {0.3, -7.6, 4.1}, angle[3] = {0.4, 0.7, 0.2};
    const double size[3] = {x, y, z};
    struct cell_plane plane[6];
    cell_box_planes(centre, size, angle, materials, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    return cell_grids_for(&voxels, scheme);
}
static inline struct cell_grids *cell_grids_box(double x, double y, double z, unsigned materials)
{
    return cell_grids_box_for(x, y, z, materials, SCHEME_STANDARD);
}

#endif
