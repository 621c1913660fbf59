/** One source in a mesh, voxelised: what the tests of the voxeliser and of its seeds share. */
#ifndef TESTS_FLOODED_ROOM_H
#define TESTS_FLOODED_ROOM_H

#include "geometry/room/voxeliser.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

static inline struct lattice fit(const struct mesh *mesh, double spacing)
{
    double low[3], high[3];
    struct lattice lattice = {0};
    cr_assert(eq(int, mesh_bounds(mesh, low, high, &failure), 0), "%s", failure.sentence);
    cr_assert(eq(int, lattice_fit(low, high, spacing, NULL, &lattice, &failure), 0), "%s", failure.sentence);
    return lattice;
}

static inline struct voxel_seed source_at(double x, double y, double z)
{
    return (struct voxel_seed){.kind = SEED_SOURCE, .name = "S1", .position = {x, y, z}};
}

static inline struct voxel_seed receiver_at(double x, double y, double z)
{
    return (struct voxel_seed){.kind = SEED_RECEIVER, .name = "R1", .position = {x, y, z}};
}

/* Voxelise with one source; every result passes the check. */
static inline struct voxels flood_room(const struct mesh *mesh, const struct lattice *lattice,
                                       struct voxel_seed source)
{
    const struct voxelise_options options = {.threads = 2};
    struct voxels voxels = {0};
    cr_assert(eq(int, voxelise(mesh, lattice, &source, 1, &options, &voxels, NULL, NULL, &failure), 0), "%s",
              failure.sentence);
    cr_assert(eq(int, voxels_check(&voxels, &failure), 0), "%s", failure.sentence);
    return voxels;
}

static inline bool same_voxels(const struct voxels *a, const struct voxels *b)
{
    return a->block_count == b->block_count && a->detail_count == b->detail_count &&
           a->contact_count == b->contact_count && a->air_nodes == b->air_nodes &&
           memcmp(a->block, b->block, a->block_count * sizeof *a->block) == 0 &&
           memcmp(a->detail, b->detail, a->detail_count * sizeof *a->detail) == 0 &&
           (a->contact_count == 0 ||
            memcmp(a->contact, b->contact, a->contact_count * sizeof *a->contact) == 0);
}

static inline int refusal(const struct mesh *mesh, double spacing, const struct voxel_seed *seed,
                          size_t seeds, struct failure *why)
{
    const struct voxelise_options options = {0};
    const struct lattice lattice = fit(mesh, spacing);
    struct voxels voxels = {0};
    const int code = voxelise(mesh, &lattice, seed, seeds, &options, &voxels, NULL, NULL, why);
    voxels_free(&voxels);
    return code;
}

/* The point that a sentence recommends. */
static inline bool advised_point(const char *sentence, double point[3])
{
    const char *at = strstr(sentence, "nearest valid point (");
    return at != NULL &&
           sscanf(at, "nearest valid point (%lf, %lf, %lf) m", point, point + 1, point + 2) == 3;
}

/* Two rooms on both sides of one sheet, which joins the outer walls in edges of more than two faces. */
static inline void add_divided_box(struct mesh *mesh, const struct solid_pose *pose)
{
    solid_box(mesh, pose, (const double[3]){0, 0, 0}, (const double[3]){3, 1, 1}, NULL, -1);
    solid_panel(mesh, pose, 0, 1.3, (const double[2]){0, 0}, (const double[2]){1, 1},
                solid_material(mesh, "sheet"));
}

#endif
