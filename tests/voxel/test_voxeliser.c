#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "geometry/voxel/cut_field.h"
#include "geometry/voxel/flood.h"
#include "geometry/voxel/nearest_air.h"
#include "geometry/voxel/seed_node.h"
#include "tests/support/flooded_room.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

Test(voxeliser, a_cube_of_30_cells_holds_30_cubed_nodes_on_and_between_walls)
{
    for (int phase = 0; phase < 2; phase++) {
        struct mesh mesh = {0};
        struct lattice lattice;
        const double low[3] = {0, 0, 0}, high[3] = {3, 3, 3};
        solid_box(&mesh, NULL, low, high, NULL, -1);
        cr_assert(eq(int, lattice_fit(low, high, 0.1, phase ? low : NULL, &lattice, NULL), 0));
        struct voxels voxels = flood_room(&mesh, &lattice, source_at(1.5, 1.5, 1.5));
        cr_assert(eq(u64, voxels.air_nodes, 27000));
        for (int axis = 0; axis < 3; axis++)
            cr_assert(eq(i64, voxels.air_high[axis] - voxels.air_low[axis], 29));
        /* 5400 wall contacts, all of cosine one. */
        cr_assert(eq(sz, voxels.contact_count, 6 * 900));
        for (size_t i = 0; i < voxels.contact_count; i++)
            cr_assert(eq(int, voxels.contact[i].cosine, VOXELS_COSINE_ONE));
        voxels_free(&voxels);
        mesh_free(&mesh);
    }
}

Test(voxeliser, rotated_boxes_hold_exactly_the_nodes_inside)
{
    uint64_t state = 1;
    for (int trial = 0; trial < 60; trial++) {
        struct mesh mesh = {0};
        double shift[3], middle[3];
        for (int axis = 0; axis < 3; axis++)
            shift[axis] = test_uniform(&state, -5, 5);
        /* Multiples of 15 degrees among the angles, where walls pass through rows of nodes. */
        const double pi = 3.14159265358979323846;
        const double turn = trial % 2 == 0 ? (trial % 24) * pi / 12 : test_uniform(&state, 0, 7);
        const double tilt = trial % 3 == 0 ? 0 : trial % 3 == 1 ? pi / 4 : test_uniform(&state, 0, 7);
        const struct solid_pose pose = solid_pose_make(turn, tilt, shift);
        const double size[3] = {2, 1.5, 1.2};
        solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, size, NULL, -1);
        const double spacing = test_uniform(&state, 0.04, 0.15);
        const struct lattice lattice = fit(&mesh, spacing);
        solid_place(&pose, (const double[3]){1, 0.75, 0.6}, middle);
        struct voxels voxels = flood_room(&mesh, &lattice, source_at(middle[0], middle[1], middle[2]));
        size_t wrong = 0;
        int64_t node[3];
        for (node[2] = -1; node[2] <= lattice.nodes[2]; node[2]++)
            for (node[1] = -1; node[1] <= lattice.nodes[1]; node[1]++)
                for (node[0] = -1; node[0] <= lattice.nodes[0]; node[0]++) {
                    double position[3], local[3], clear = INFINITY;
                    lattice_position(&lattice, node, position);
                    solid_unplace(&pose, position, local);
                    for (int axis = 0; axis < 3; axis++)
                        clear = fmin(clear, fmin(local[axis], size[axis] - local[axis]));
                    /* Snapping moves walls by up to sqrt(3) sub-steps. */
                    if (fabs(clear) > 2.0 / 1024 * spacing)
                        wrong += voxels_is_air(&voxels, node) != (clear > 0);
                }
        cr_assert(eq(sz, wrong, 0), "turn %g, tilt %g, spacing %g", turn, tilt, spacing);
        voxels_free(&voxels);
        mesh_free(&mesh);
    }
}

Test(voxeliser, flipped_normals_and_duplicate_faces_change_nothing)
{
    const struct solid_pose pose = solid_pose_make(0.5, 0.25, (const double[3]){0, 0, 0});
    struct mesh plain = {0}, untidy = {0};
    double middle[3];
    const uint16_t material[6] = {0, 1, 0, 1, 0, 1};
    (void)solid_material(&plain, "stone");
    (void)solid_material(&plain, "wood");
    solid_box(&plain, &pose, (const double[3]){0, 0, 0}, (const double[3]){2, 2, 1}, material, -1);
    (void)solid_material(&untidy, "stone");
    (void)solid_material(&untidy, "wood");
    for (size_t v = 0; v < plain.vertex_count; v++)
        (void)solid_vertex(&untidy, NULL, plain.vertex[v]);
    for (size_t copy = 0; copy < 2; copy++)
        for (size_t t = 0; t < plain.triangle_count; t++) {
            const uint32_t *corner = plain.triangle[t];
            if ((t + copy) % 2 == 0)
                solid_triangle(&untidy, corner[0], corner[2], corner[1], plain.triangle_material[t]);
            else
                solid_triangle(&untidy, corner[0], corner[1], corner[2], plain.triangle_material[t]);
        }
    /* A triangle without area across the room. */
    solid_triangle(&untidy, untidy.triangle[0][0], untidy.triangle[6][1], untidy.triangle[6][1], 0);
    const struct lattice lattice = fit(&plain, 0.06);
    solid_place(&pose, (const double[3]){1, 1, 0.5}, middle);
    struct voxels a = flood_room(&plain, &lattice, source_at(middle[0], middle[1], middle[2]));
    struct voxels b = flood_room(&untidy, &lattice, source_at(middle[0], middle[1], middle[2]));
    cr_assert(same_voxels(&a, &b));
    voxels_free(&a);
    voxels_free(&b);
    mesh_free(&plain);
    mesh_free(&untidy);
}

/* The cuts, the air, the areas that air sees, and the volume. */
Test(voxeliser, the_result_is_the_same_for_any_number_of_threads)
{
    struct mesh mesh = {0};
    solid_icosphere(&mesh, (const double[3]){0, 0, 0}, 1, 3);
    const struct lattice lattice = fit(&mesh, 0.011);
    const struct voxel_seed seed = source_at(0, 0, 0);
    struct voxels voxels[2] = {0};
    struct voxel_findings findings[2] = {0};
    for (int i = 0; i < 2; i++) {
        const struct voxelise_options options = {.threads = i == 0 ? 1 : 5};
        MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels[i], &findings[i], NULL, &failure));
    }
    cr_assert(same_voxels(&voxels[0], &voxels[1]));
    cr_assert(test_above((double)(voxels[0].block_count), (double)(4000)));
    cr_assert(eq(dbl, findings[0].air_volume, findings[1].air_volume));
    cr_assert(memcmp(findings[0].exposure, findings[1].exposure, sizeof *findings[0].exposure) == 0);
    for (int i = 0; i < 2; i++) {
        voxel_findings_free(&findings[i]);
        voxels_free(&voxels[i]);
    }
    mesh_free(&mesh);
}

Test(voxeliser, of_intersecting_shells_only_the_common_part_is_flooded)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){2, 2, 2}, NULL, -1);
    solid_box(&mesh, NULL, (const double[3]){1, 0.5, 0.5}, (const double[3]){3, 1.5, 1.5}, NULL, -1);
    const struct lattice lattice = fit(&mesh, 0.1);
    struct voxels both = flood_room(&mesh, &lattice, source_at(1.5, 1, 1));
    struct voxels first = flood_room(&mesh, &lattice, source_at(0.5, 1, 1));
    struct voxels second = flood_room(&mesh, &lattice, source_at(2.5, 1, 1));
    cr_assert(eq(u64, both.air_nodes, 10 * 10 * 10));
    cr_assert(eq(u64, first.air_nodes, 20 * 20 * 20 - 10 * 10 * 10));
    cr_assert(eq(u64, second.air_nodes, 10 * 10 * 10));
    voxels_free(&both);
    voxels_free(&first);
    voxels_free(&second);
    mesh_free(&mesh);
}

Test(voxeliser, rooms_that_share_one_thin_wall_stay_apart)
{
    for (int turned = 0; turned < 2; turned++) {
        struct mesh mesh = {0};
        double left[3], right[3];
        const struct solid_pose pose =
            solid_pose_make(turned ? 0.4 : 0, turned ? 0.7 : 0, (const double[3]){0.01, 0.02, 0.03});
        add_divided_box(&mesh, &pose);
        const struct lattice lattice = fit(&mesh, 0.05);
        solid_place(&pose, (const double[3]){0.6, 0.5, 0.5}, left);
        solid_place(&pose, (const double[3]){2, 0.5, 0.5}, right);
        struct voxels a = flood_room(&mesh, &lattice, source_at(left[0], left[1], left[2]));
        struct voxels b = flood_room(&mesh, &lattice, source_at(right[0], right[1], right[2]));
        if (!turned) {
            cr_assert(eq(u64, a.air_nodes, 26 * 20 * 20));
            cr_assert(eq(u64, b.air_nodes, 34 * 20 * 20));
        }
        cr_assert(test_near((double)a.air_nodes * pow(0.05, 3), 1.3, 0.05));
        cr_assert(test_near((double)b.air_nodes * pow(0.05, 3), 1.7, 0.05));
        const struct voxel_seed seeds[2] = {source_at(left[0], left[1], left[2]),
                                            receiver_at(right[0], right[1], right[2])};
        MUST_FAIL(refusal(&mesh, 0.05, seeds, 2, &failure), FAILURE_INPUT, "receiver \"R1\"");
        cr_assert(strstr(failure.sentence, "a cavity without a source") != NULL, "%s", failure.sentence);
        double point[3], local[3];
        cr_assert(advised_point(failure.fix, point), "%s", failure.sentence);
        solid_unplace(&pose, point, local);
        cr_assert(local[0] < 1.3 && local[0] > 1.2);
        voxels_free(&a);
        voxels_free(&b);
        mesh_free(&mesh);
    }
}

Test(voxeliser, two_sources_flood_both_of_two_rooms)
{
    struct mesh mesh = {0};
    add_divided_box(&mesh, NULL);
    const struct lattice lattice = fit(&mesh, 0.05);
    const struct voxel_seed seeds[3] = {source_at(0.6, 0.5, 0.5), receiver_at(2, 0.5, 0.5),
                                        source_at(2.5, 0.5, 0.5)};
    const struct voxelise_options options = {0};
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    MUST(voxelise(&mesh, &lattice, seeds, 3, &options, &voxels, &findings, NULL, &failure));
    cr_assert(eq(u64, voxels.air_nodes, 60 * 20 * 20));
    /* Both sides of the sheet are walls of their room. */
    size_t sheet = 0;
    for (size_t i = 0; i < voxels.contact_count; i++)
        sheet += voxels.contact[i].material == 1;
    cr_assert(eq(sz, sheet, 2 * 20 * 20));
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            double position[3];
            lattice_position(&lattice, findings.seed_node[i], position);
            cr_assert(test_near(position[axis], seeds[i].position[axis], 0.0251));
        }
    voxel_findings_free(&findings);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(voxeliser, a_contact_names_the_wall_nearest_to_its_node_and_the_slope)
{
    struct mesh mesh = {0};
    uint16_t material[6];
    static const char *const name[6] = {"west", "east", "south", "north", "floor", "ceiling"};
    for (int i = 0; i < 6; i++)
        material[i] = solid_material(&mesh, name[i]);
    const double turn = 0.35;
    const struct solid_pose pose = solid_pose_make(turn, 0, (const double[3]){0, 0, 0});
    solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){3, 3, 3}, material, -1);
    const uint16_t left = solid_material(&mesh, "left of sheet"),
                   right = solid_material(&mesh, "right of sheet");
    /* Two sheets much closer than the grid: each side must see its own, although both cut the same links. */
    solid_panel(&mesh, &pose, 0, 1.50, (const double[2]){0, 0}, (const double[2]){3, 3}, left);
    solid_panel(&mesh, &pose, 0, 1.51, (const double[2]){0, 0}, (const double[2]){3, 3}, right);
    const struct lattice lattice = fit(&mesh, 0.1);
    double at[2][3];
    solid_place(&pose, (const double[3]){0.7, 1.5, 1.5}, at[0]);
    solid_place(&pose, (const double[3]){2.2, 1.5, 1.5}, at[1]);
    size_t seen[8] = {0};
    for (int side = 0; side < 2; side++) {
        struct voxels voxels = flood_room(&mesh, &lattice, source_at(at[side][0], at[side][1], at[side][2]));
        for (size_t b = 0; b < voxels.block_count; b++) {
            if (voxels.block[b].detail == VOXELS_OPEN_AIR)
                continue;
            const struct voxel_detail *detail = &voxels.detail[voxels.block[b].detail];
            for (uint32_t i = 0; i < detail->contact_count; i++) {
                const struct voxel_contact *contact = &voxels.contact[detail->first_contact + i];
                seen[contact->material]++;
                if (contact->material >= 6) {
                    cr_assert(eq(int, contact->material, side == 0 ? left : right));
                    const double cosine = contact->direction / 2 == 0 ? cos(turn) : sin(turn);
                    cr_assert(test_near(contact->cosine, cosine * VOXELS_COSINE_ONE, 0.51));
                }
                if (contact->material >= 4 && contact->material < 6) {
                    cr_assert(
                        eq(int, contact->direction, contact->material == 4 ? DIRECTION_ZM : DIRECTION_ZP));
                    cr_assert(eq(int, contact->cosine, VOXELS_COSINE_ONE));
                }
            }
        }
        voxels_free(&voxels);
    }
    for (int i = 0; i < 8; i++)
        cr_assert(test_above((double)(seen[i]), (double)(100)));
    mesh_free(&mesh);
}

/* Flood by single links, as the definition reads. */
static size_t reference_flood(const struct cut_field *field, const int64_t start[3], uint8_t *air,
                              bool *escaped)
{
    const int64_t *nodes = field->lattice.nodes;
    const size_t total = (size_t)(nodes[0] * nodes[1] * nodes[2]);
    size_t *stack = malloc(total * sizeof *stack), height = 0, count = 0;
    if (stack == NULL)
        abort();
    const size_t first = (size_t)((start[2] * nodes[1] + start[1]) * nodes[0] + start[0]);
    memset(air, 0, total);
    *escaped = false;
    air[first] = 1;
    stack[height++] = first;
    while (height > 0) {
        const int64_t at = (int64_t)stack[--height];
        const int64_t node[3] = {at % nodes[0], at / nodes[0] % nodes[1], at / nodes[0] / nodes[1]};
        count++;
        for (int d = 0; d < DIRECTIONS; d++) {
            int64_t next[3] = {node[0], node[1], node[2]};
            next[d / 2] += d % 2 == 0 ? -1 : 1;
            if (cut_field_is_cut(field, node, (enum direction)d))
                continue;
            if (!lattice_has(&field->lattice, next)) {
                *escaped = true;
                continue;
            }
            const size_t index = (size_t)((next[2] * nodes[1] + next[1]) * nodes[0] + next[0]);
            if (air[index] == 0) {
                air[index] = 1;
                stack[height++] = index;
            }
        }
    }
    free(stack);
    return count;
}

Test(voxeliser, the_flood_in_words_agrees_with_one_link_at_a_time)
{
    uint64_t state = 7;
    int escapes = 0, mazes = 0;
    for (int trial = 0; trial < 40; trial++) {
        /* A closed box full of random sheets: caves, tunnels and slits; in every third the box has a hole. */
        struct mesh mesh = {0};
        const double size[3] = {2.3, 1.9, 2.7};
        solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, size, NULL, trial % 3 == 0 ? trial % 6 : -1);
        for (int t = 0; t < 90; t++) {
            double corner[3][3];
            uint32_t index[3];
            for (int axis = 0; axis < 3; axis++) {
                const double middle = test_uniform(&state, 0, size[axis]);
                for (int i = 0; i < 3; i++)
                    corner[i][axis] = fmin(fmax(middle + test_uniform(&state, -0.8, 0.8), 0), size[axis]);
            }
            for (int i = 0; i < 3; i++)
                index[i] = solid_vertex(&mesh, NULL, corner[i]);
            solid_triangle(&mesh, index[0], index[1], index[2], 0);
        }
        const struct lattice lattice = fit(&mesh, 0.1);
        struct cut_field field = {0};
        MUST(cut_field_make(&mesh, &lattice, 0, &field, &failure));
        const size_t total = (size_t)(lattice.nodes[0] * lattice.nodes[1] * lattice.nodes[2]);
        uint8_t *air = malloc(total);
        cr_assert(air != NULL);
        const int64_t start[3] = {(int64_t)(test_random(&state) % (uint64_t)lattice.nodes[0]),
                                  (int64_t)(test_random(&state) % (uint64_t)lattice.nodes[1]),
                                  (int64_t)(test_random(&state) % (uint64_t)lattice.nodes[2])};
        bool escaped;
        const size_t reached = reference_flood(&field, start, air, &escaped);
        for (int open = 0; open < 2; open++) {
            struct flood flood;
            uint64_t count = 0;
            MUST(flood_start(&field, open != 0, &flood, &failure));
            MUST(flood_from(&flood, start, &count, &failure));
            cr_assert(eq(int, flood.escaped, !open && escaped));
            if (!flood.escaped) {
                cr_assert(eq(u64, count, reached));
                size_t wrong = 0;
                for (size_t i = 0; i < total; i++) {
                    const int64_t at = (int64_t)i;
                    const int64_t node[3] = {at % lattice.nodes[0], at / lattice.nodes[0] % lattice.nodes[1],
                                             at / lattice.nodes[0] / lattice.nodes[1]};
                    wrong += flood_is_air(&flood, node) != air[i];
                }
                cr_assert(eq(sz, wrong, 0));
            }
            flood_free(&flood);
        }
        escapes += escaped;
        mazes += reached > 100 && reached < total;
        free(air);
        cut_field_free(&field);
        mesh_free(&mesh);
    }
    cr_assert(test_above((double)(escapes), (double)(3)));
    cr_assert(test_above((double)(mazes), (double)(20)));
}

Test(voxeliser, a_room_without_a_wall_leaks_and_as_an_open_scene_absorbs_there)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, NULL, DIRECTION_XP);
    const struct voxel_seed seed = source_at(0.3, 0.5, 0.5);
    const struct lattice lattice = fit(&mesh, 0.05);
    const struct voxelise_options closed = {0}, options = {.open = true};
    struct voxels voxels = {0};
    struct voxel_leak leak = {0};
    struct voxel_findings findings = {0};
    MUST_FAIL(voxelise(&mesh, &lattice, &seed, 1, &closed, &voxels, &findings, &leak, &failure),
              FAILURE_INPUT, "source \"S1\"");
    cr_assert(test_at_least((double)(leak.point_count),
                            (double)(14))); /* 13 steps from x = 0.325 to the open face at 1 */
    cr_assert(test_above(leak.gap_size, 0));
    cr_assert(eq(sz, voxels.block_count, 0));
    cr_assert(findings.seed_node == NULL);
    voxel_leak_free(&leak);
    MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, &findings, NULL, &failure));
    MUST(voxels_check(&voxels, &failure));
    cr_assert(eq(u64, voxels.air_nodes, 8000));
    cr_assert(eq(u64, findings.open_face_links, 400));
    for (size_t i = 0; i < voxels.contact_count; i++)
        if (voxels.contact[i].material == VOXELS_OPEN_FACE) {
            cr_assert(eq(int, voxels.contact[i].direction, DIRECTION_XP));
            cr_assert(eq(int, voxels.contact[i].cosine, VOXELS_COSINE_ONE));
        }
    voxel_findings_free(&findings);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(voxeliser, a_sealed_crack_closes_the_room_and_moves_nothing_else)
{
    /* A lid that ends 1 cm short of the wall. */
    struct mesh whole = {0}, cracked = {0};
    solid_box(&whole, NULL, (const double[3]){0, 0, 0}, (const double[3]){0.5, 0.25, 0.25}, NULL, -1);
    solid_box(&cracked, NULL, (const double[3]){0, 0, 0}, (const double[3]){0.5, 0.25, 0.25}, NULL,
              DIRECTION_ZP);
    solid_panel(&cracked, NULL, 2, 0.25, (const double[2]){0, 0}, (const double[2]){0.49, 0.25},
                solid_material(&cracked, "wall"));
    const struct voxel_seed seed = source_at(0.2, 0.1, 0.1);
    const struct lattice lattice = fit(&whole, 0.005);
    const struct voxelise_options options = {.seal_width = 0.02}, plain = {0};
    struct voxels voxels = {0};
    struct voxel_findings findings = {0};
    cr_assert(eq(int, voxelise(&cracked, &lattice, &seed, 1, &plain, &voxels, NULL, NULL, &failure),
                 FAILURE_INPUT));
    MUST(voxelise(&cracked, &lattice, &seed, 1, &options, &voxels, &findings, NULL, &failure));
    MUST(voxels_check(&voxels, &failure));
    struct voxels reference = flood_room(&whole, &lattice, seed);
    cr_assert(eq(u64, voxels.air_nodes, reference.air_nodes));
    cr_assert(eq(sz, findings.sealed_count, 1));
    cr_assert(eq(u64, findings.sealed_links, 2 * 50));
    cr_assert(test_near(findings.sealed[0].width, 0.01, 0.005), "%g", findings.sealed[0].width);
    cr_assert(test_near(findings.sealed[0].position[0], 0.495, 0.01));
    voxel_findings_free(&findings);
    voxels_free(&voxels);
    voxels_free(&reference);
    mesh_free(&whole);
    mesh_free(&cracked);
}

Test(voxeliser, the_church_holds_its_published_volume_at_5_and_10_cm)
{
    const char *path = test_shared_data("ctk_church/church.obj");
    if (path == NULL)
        return;
    struct mesh mesh = {0};
    MUST(mesh_import(path, &(struct mesh_import_options){0}, &mesh, NULL, &failure));
    cr_assert(eq(sz, mesh.triangle_count, 1234));
    for (int step = 1; step <= 2; step++) {
        const double spacing = 0.05 * step;
        const struct lattice lattice = fit(&mesh, spacing);
        struct voxels voxels = flood_room(&mesh, &lattice, source_at(8, 6.65, 1.7));
        /* The mesh's own integral says 1540.9 m3. */
        cr_assert(test_near((double)voxels.air_nodes * pow(spacing, 3), 1541, 1.6));
        voxels_free(&voxels);
    }
    mesh_free(&mesh);
}
