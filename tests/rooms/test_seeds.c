/** Where sources and receivers may be, and how others are refused. */
#include "geometry/room/voxeliser.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/nearest_air.h"
#include "geometry/voxel/seed_node.h"
#include "tests/support/flooded_room.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

Test(seeds, seeds_outside_and_in_walls_are_named_with_the_reason)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){2, 2, 2}, NULL, -1);
    /* A pillar that stops below the ceiling, so outside of the room but inside of its box there is nothing.
     */
    solid_box(&mesh, NULL, (const double[3]){0.5, 0.5, 0.5}, (const double[3]){0.52, 0.52, 1}, NULL, -1);
    const struct voxel_seed good = source_at(1.5, 1.5, 1.5);
    const struct {
        struct voxel_seed seed;
        const char *reason;
    } bad[] = {
        {source_at(2.7, 1, 1), "outside"},
        {receiver_at(1, 1, -3), "outside"},
        {receiver_at(2.03, 1, 1), "outside"}, /* less than a cell from the last node */
        {receiver_at(NAN, 1, 1), "not finite"},
        {receiver_at(1e9, 1, 1), "outside"},
        {source_at(0.51, 0.51, 0.7), "in a wall"}, /* inside a pillar thinner than the grid */
        {receiver_at(0.51, 0.51, 0.7), "in a wall"},
        {receiver_at(2, 1, 1), "in a wall"}, /* on a wall's surface */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct voxel_seed seeds[2] = {good, bad[i].seed};
        cr_assert(eq(int, refusal(&mesh, 0.1, seeds, 2, &failure), FAILURE_INPUT));
        cr_assert(strstr(failure.sentence, bad[i].reason) != NULL, "%zu: %s", i, failure.sentence);
        cr_assert(strstr(failure.sentence,
                         bad[i].seed.kind == SEED_SOURCE ? "source \"S1\"" : "receiver \"R1\"") != NULL,
                  "%s", failure.sentence);
        double point[3];
        cr_assert(isnan(bad[i].seed.position[0]) || advised_point(failure.fix, point), "%s",
                  failure.sentence);
    }
    const struct voxel_seed none = receiver_at(1, 1, 1);
    cr_assert(eq(int, refusal(&mesh, 0.1, &none, 1, &failure), FAILURE_INPUT));
    cr_assert(failure.advice == ADVICE_GIVE_SOURCE);
    mesh_free(&mesh);
}

Test(seeds, a_source_beside_a_house_is_outside_and_not_a_leak)
{
    struct mesh mesh = {0};
    /* Two houses that are not aligned: the air between them lies inside the box of the lattice. */
    const struct solid_pose pose = solid_pose_make(0.6, 0, (const double[3]){4, 0, 0});
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){2, 2, 2}, NULL, -1);
    solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){2, 2, 2}, NULL, -1);
    for (int with_good = 0; with_good < 2; with_good++) {
        const struct voxel_seed seeds[2] = {source_at(2.2, 1, 1), source_at(0.5, 1, 1)};
        MUST_FAIL(refusal(&mesh, 0.1, seeds, 1 + (size_t)with_good, &failure), FAILURE_INPUT,
                  "outside the room");
        double point[3];
        cr_assert(advised_point(failure.fix, point), "%s", failure.sentence);
        cr_assert(test_near(point[0], 1.95, 1e-5), "%s", failure.sentence);
    }
    mesh_free(&mesh);
}

Test(seeds, a_wall_between_a_position_and_a_node_hides_the_node)
{
    struct mesh mesh = {0};
    add_divided_box(&mesh, NULL);
    const struct lattice lattice = fit(&mesh, 0.1); /* nodes at 1.25 and 1.35, the sheet at 1.3 */
    for (int side = 0; side < 2; side++) {
        const double x = side == 0 ? 1.2995 : 1.3005;
        const struct voxel_seed seed = source_at(x, 0.5, 0.5);
        const struct voxelise_options options = {0};
        struct voxels voxels = {0};
        struct voxel_findings findings = {0};
        MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, &findings, NULL, &failure));
        cr_assert(eq(i64, findings.seed_node[0][0], side == 0 ? 12 : 13));
        cr_assert(eq(u64, voxels.air_nodes, side == 0 ? 1300 : 1700));
        voxel_findings_free(&findings);
        voxels_free(&voxels);
    }
    /* The sheet stands nearer to one node now: what counts is the side, not the distance. */
    const double phase[3] = {0.02, 0.05, 0.05};
    struct lattice shifted;
    cr_assert(eq(
        int, lattice_fit((const double[3]){0, 0, 0}, (const double[3]){3, 1, 1}, 0.1, phase, &shifted, NULL),
        0));
    const struct voxel_seed seed = source_at(1.305, 0.5, 0.5); /* nodes at 1.22 and 1.32 */
    const struct voxelise_options options = {0};
    struct voxels voxels = {0};
    MUST(voxelise(&mesh, &shifted, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    cr_assert(eq(u64, voxels.air_nodes, 1700));
    voxels_free(&voxels);
    const struct voxel_seed other = source_at(1.295, 0.5, 0.5);
    MUST(voxelise(&mesh, &shifted, &other, 1, &options, &voxels, NULL, NULL, &failure));
    cr_assert(eq(u64, voxels.air_nodes, 1300));
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(seeds, a_shut_in_node_is_no_place_for_a_source)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, NULL, -1);
    /* A box around the node at (0.55, 0.55, 0.55) and no other. */
    solid_box(&mesh, NULL, (const double[3]){0.51, 0.51, 0.51}, (const double[3]){0.59, 0.59, 0.59}, NULL,
              -1);
    const struct voxel_seed seed = source_at(0.55, 0.55, 0.55);
    MUST_FAIL(refusal(&mesh, 0.1, &seed, 1, &failure), FAILURE_INPUT, "in a wall");
    const struct lattice lattice = fit(&mesh, 0.1);
    struct voxels voxels = flood_room(&mesh, &lattice, source_at(0.25, 0.25, 0.25));
    cr_assert(eq(u64, voxels.air_nodes, 999));
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(seeds, the_recommended_point_is_air_and_no_air_is_nearer)
{
    /* A tilted room with a box in it, and a second room that no source reaches. */
    uint64_t state = 11;
    struct mesh mesh = {0};
    const struct solid_pose pose = solid_pose_make(0.4, 0.3, (const double[3]){0, 0, 0});
    solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){2, 1.6, 1.3}, NULL, -1);
    solid_box(&mesh, &pose, (const double[3]){0.3, 0.3, 0.3}, (const double[3]){0.9, 0.9, 0.9}, NULL, -1);
    solid_box(&mesh, &pose, (const double[3]){2.2, 0, 0}, (const double[3]){3, 1.6, 1.3}, NULL, -1);
    const double spacing = 0.07;
    const struct lattice lattice = fit(&mesh, spacing);
    double start[3];
    solid_place(&pose, (const double[3]){1.6, 1.2, 1}, start);
    const struct voxel_seed good = source_at(start[0], start[1], start[2]);
    struct voxels voxels = flood_room(&mesh, &lattice, good);
    int bad_points = 0;
    while (bad_points < 50) {
        double local[3], at[3];
        for (int axis = 0; axis < 3; axis++)
            local[axis] = test_uniform(&state, -1, 4);
        solid_place(&pose, local, at);
        /* Receivers and sources in turn; a bad source is judged by the good one. */
        struct voxel_seed seeds[2] = {good, bad_points % 2 == 0 ? receiver_at(at[0], at[1], at[2])
                                                                : source_at(at[0], at[1], at[2])};
        if (bad_points % 2 == 1 && local[0] > 0.3 && local[0] < 3)
            continue; /* another enclosed room is good air for a second source */
        if (refusal(&mesh, spacing, seeds, 2, &failure) == 0)
            continue;
        bad_points++;
        double point[3], nearest = INFINITY, advised = 0;
        cr_assert(advised_point(failure.fix, point), "%s", failure.sentence);
        for (int axis = 0; axis < 3; axis++)
            advised += (point[axis] - at[axis]) * (point[axis] - at[axis]);
        int64_t node[3];
        for (node[2] = 0; node[2] < lattice.nodes[2]; node[2]++)
            for (node[1] = 0; node[1] < lattice.nodes[1]; node[1]++)
                for (node[0] = 0; node[0] < lattice.nodes[0]; node[0]++) {
                    if (!voxels_is_air(&voxels, node))
                        continue;
                    double position[3], squared = 0;
                    lattice_position(&lattice, node, position);
                    for (int axis = 0; axis < 3; axis++)
                        squared += (position[axis] - at[axis]) * (position[axis] - at[axis]);
                    nearest = fmin(nearest, squared);
                }
        cr_assert(test_near(sqrt(advised), sqrt(nearest), 2e-6), "%s", failure.sentence);
        double coordinate[3];
        lattice_coordinate(&lattice, point, coordinate);
        for (int axis = 0; axis < 3; axis++)
            node[axis] = (int64_t)floor(coordinate[axis] + 0.5);
        cr_assert(eq(int, voxels_is_air(&voxels, node), 1));
        /* Taking the advice works. */
        memcpy(seeds[1].position, point, sizeof point);
        MUST(refusal(&mesh, spacing, seeds, 2, &failure));
    }
    voxels_free(&voxels);
    mesh_free(&mesh);
}
