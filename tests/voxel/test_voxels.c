#include "geometry/room/voxeliser.h"
#include "geometry/voxel/voxels.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

/* A tilted box: blocks of open air, mixed blocks, cuts at every kind of face. */
static struct voxels tilted_box(void)
{
    struct mesh mesh = {0};
    double at[3];
    const struct solid_pose pose = solid_pose_make(0.3, 0.2, (const double[3]){1, 2, 3});
    solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){3, 2.5, 2.8}, NULL, -1);
    solid_place(&pose, (const double[3]){1.4, 1.3, 1.2}, at);
    const struct lattice lattice = fit(&mesh, 0.09);
    struct voxels voxels = flood_room(&mesh, &lattice, source_at(at[0], at[1], at[2]));
    mesh_free(&mesh);
    return voxels;
}

Test(voxels, a_voxelised_room_passes_the_check)
{
    struct voxels voxels = tilted_box();
    MUST(voxels_check(&voxels, &failure));
    cr_assert(test_above((double)(voxels_bytes(&voxels)), (double)(voxels.contact_count * 8)));
    voxels_free(&voxels);
    cr_assert(eq(u64, voxels_bytes(&voxels), 0));
    MUST(voxels_check(&voxels, &failure));
    voxels_free(&voxels);
}

Test(voxels, blocks_are_found_by_place_and_nothing_else_is)
{
    struct voxels voxels = tilted_box();
    size_t found = 0;
    for (int32_t z = -2; z < 12; z++)
        for (int32_t y = -2; y < 12; y++)
            for (int32_t x = -2; x < 12; x++) {
                const int32_t place[3] = {x, y, z};
                const size_t block = voxels_find(&voxels, place);
                if (block == SIZE_MAX)
                    continue;
                cr_assert(eq(int, memcmp(voxels.block[block].place, place, sizeof place), 0));
                found++;
            }
    cr_assert(eq(sz, found, voxels.block_count));
    cr_assert(eq(int, voxels_is_air(&voxels, (const int64_t[3]){-1, 0, INT64_C(1) << 40}), 0));
    voxels_free(&voxels);
}
