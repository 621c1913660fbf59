/* Leaks on a finer grid than the run's: slots that 5 mm see and 5 cm do not, and what is tight. */
#include "geometry/leak/fine_leak.h"
#include "tests/support/holed_room.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

#define COARSE 0.05

static const struct voxel_seed source = {.kind = SEED_SOURCE, .name = "S1", .position = {1.03, 0.62, 0.71}};

static const struct fine_leak_options at_5_mm = {.spacing = 0.005, .coarse = COARSE, .threads = 2};

static struct fine_leak find(const struct mesh *mesh, const struct fine_leak_options *options)
{
    struct fine_leak found = {0};
    MUST(fine_leak_find(mesh, &source, 1, options, &found, &failure));
    return found;
}

/* A slot `width` x `height` m in the wall x = 2, its centre at (2, 0.6033, 0.5527) m of the room's own axes.
 * A cupboard stands 2 mm off the opposite wall, which is narrower than the slot but no leak. */
static struct mesh slotted(double width, double height, const struct room_pose *pose)
{
    struct mesh mesh = {0};
    uint16_t wall;
    cr_assert(mesh_add_material(&mesh, "wall", &wall, NULL) == 0);
    const double y = 0.6033, z = 0.5527;
    const double hole[4][2] = {{y - width / 2, z - height / 2},
                               {y + width / 2, z - height / 2},
                               {y + width / 2, z + height / 2},
                               {y - width / 2, z + height / 2}};
    room_add_box(&mesh, pose, (double[]){0, 0, 0}, (double[]){2, 1.3, 1.1}, 1, hole, 4);
    room_add_box(&mesh, pose, (double[]){0.002, 0.3, 0.2}, (double[]){0.3, 0.8, 0.9}, -1, NULL, 0);
    return mesh;
}

static void expect_gap(const struct fine_leak *found, const struct room_pose *pose, double width,
                       double height)
{
    double slot[2][3], along[3], to[3], length = 0, share = 0, away = 0;
    room_pose_place(pose, (double[]){2, 0.6033, 0.5527 - height / 2}, slot[0]);
    room_pose_place(pose, (double[]){2, 0.6033, 0.5527 + height / 2}, slot[1]);
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = slot[1][axis] - slot[0][axis];
        to[axis] = found->leak.gap[axis] - slot[0][axis];
        length += along[axis] * along[axis];
        share += along[axis] * to[axis];
    }
    share = fmin(fmax(share / length, 0), 1);
    for (int axis = 0; axis < 3; axis++)
        away += pow(to[axis] - share * along[axis], 2);
    cr_assert(sqrt(away) < 0.004, "the gap is %g m beside the slot", sqrt(away));
    cr_assert(test_near(found->leak.gap_size, width, 0.2 * width), "%g m wide", found->leak.gap_size);
    /* A path of single steps from near the source to outside. */
    const struct voxel_leak *leak = &found->leak;
    for (size_t i = 1; i < leak->point_count; i++) {
        double step = 0;
        for (int axis = 0; axis < 3; axis++)
            step += fabs(leak->point[i][axis] - leak->point[i - 1][axis]);
        cr_assert(test_near(step, found->spacing, 1e-9));
    }
    for (int axis = 0; axis < 3; axis++)
        cr_assert(test_near(leak->point[0][axis], source.position[axis], found->spacing));
}

Test(fine_leak, a_slot_of_7_mm_leaks_at_5_mm_and_not_at_50_mm)
{
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = slotted(0.007, 0.4, &pose);
    struct fine_leak found = find(&mesh, &at_5_mm);
    cr_assert(found.leaks && found.spacing == 0.005 && found.source == 0);
    expect_gap(&found, &pose, 0.007, 0.4);
    cr_assert(strstr(found.why.sentence, "source \"S1\"") != NULL &&
                  strstr(found.why.sentence, "7.0 mm wide") != NULL && found.why.advice == ADVICE_SEAL,
              "%s", found.why.sentence);
    fine_leak_free(&found);
    /* Sealed, or searched no finer than the run, it is tight. */
    found = find(&mesh, &(struct fine_leak_options){
                            .spacing = 0.005, .coarse = COARSE, .seal_width = 0.01, .threads = 2});
    cr_assert(found.leaks == false && found.spacing == 0.005);
    found = find(&mesh, &(struct fine_leak_options){.spacing = COARSE, .coarse = COARSE, .threads = 2});
    cr_assert(found.leaks == false && found.spacing == COARSE);
    mesh_free(&mesh);
}

Test(fine_leak, the_gap_is_found_in_rooms_at_any_angle)
{
    uint64_t seed = 5;
    int fine = 0;
    for (int trial = 0; trial < 8; trial++) {
        struct room_pose pose = room_pose_random(&seed);
        double at[3];
        room_pose_place(&pose, source.position, at);
        for (int axis = 0; axis < 3; axis++) /* the source stays where it is */
            pose.shift[axis] += source.position[axis] - at[axis];
        struct mesh mesh = slotted(0.009, 0.08, &pose);
        struct fine_leak found = find(&mesh, &at_5_mm);
        cr_assert(found.leaks && found.spacing <= COARSE, "trial %d", trial);
        if (found.spacing < COARSE) {
            expect_gap(&found, &pose, 0.009, 0.08);
            fine++;
        }
        fine_leak_free(&found);
        mesh_free(&mesh);
    }
    cr_assert(fine >= 4, "%d of 8 were tight at 5 cm", fine);
}

Test(fine_leak, a_closed_room_is_tight_and_all_of_its_nodes_were_looked_at)
{
    struct mesh mesh = {0};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){2, 1.3, 1.1}, NULL, -1);
    struct fine_leak found = find(&mesh, &at_5_mm);
    cr_assert(found.leaks == false && found.spacing == 0.005);
    cr_assert(found.air_nodes == 400u * 260 * 220, "%llu", (unsigned long long)found.air_nodes);
    cr_assert(found.bytes == found.bytes_wished && found.bytes == fine_leak_bytes(&mesh, 0.005));
    mesh_free(&mesh);
}

Test(fine_leak, a_closed_room_at_any_angle_is_tight_and_has_its_volume)
{
    uint64_t seed = 11;
    for (int trial = 0; trial < 3; trial++) {
        struct room_pose pose = room_pose_random(&seed);
        struct mesh mesh = {0};
        uint16_t wall;
        double at[3];
        room_pose_place(&pose, source.position, at);
        for (int axis = 0; axis < 3; axis++)
            pose.shift[axis] += source.position[axis] - at[axis];
        cr_assert(mesh_add_material(&mesh, "wall", &wall, NULL) == 0);
        room_add_box(&mesh, &pose, (double[]){0, 0, 0}, (double[]){2, 1.3, 1.1}, -1, NULL, 0);
        struct fine_leak found =
            find(&mesh, &(struct fine_leak_options){.spacing = 0.01, .coarse = COARSE, .threads = 2});
        cr_assert(found.leaks == false && found.spacing == 0.01, "trial %d", trial);
        cr_assert(test_near((double)found.air_nodes * 1e-6, 2.86, 0.005), "%g m3",
                  (double)found.air_nodes * 1e-6);
        mesh_free(&mesh);
    }
}

/* Half as far from the floor as the slot is wide: the narrowest place of the path is where it starts. */
Test(fine_leak, a_source_beside_a_wall_is_not_taken_for_the_gap)
{
    const struct room_pose pose = room_pose_none();
    const struct voxel_seed low = {.kind = SEED_SOURCE, .name = "low", .position = {1.03, 0.62, 0.0024}};
    struct mesh mesh = slotted(0.007, 0.4, &pose);
    struct fine_leak found = {0};
    cr_assert(fine_leak_find(&mesh, &low, 1, &at_5_mm, &found, NULL) == 0);
    cr_assert(found.leaks && test_near(found.leak.gap[0], 2, 0.004) &&
                  test_near(found.leak.gap[1], 0.6033, 0.004),
              "(%g, %g, %g)", found.leak.gap[0], found.leak.gap[1], found.leak.gap[2]);
    fine_leak_free(&found);
    mesh_free(&mesh);
}

Test(fine_leak, a_slot_in_the_inner_leaf_of_a_double_wall_is_no_leak)
{
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = slotted(0.007, 0.4, &pose);
    room_add_box(&mesh, &pose, (double[]){-0.1, -0.1, -0.1}, (double[]){2.1, 1.4, 1.2}, -1, NULL, 0);
    struct fine_leak found = find(&mesh, &at_5_mm);
    cr_assert(found.leaks == false && found.spacing == 0.005);
    mesh_free(&mesh);
}

Test(fine_leak, memory_that_is_short_gives_a_coarser_answer_and_says_which)
{
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = slotted(0.007, 0.4, &pose);
    struct fine_leak_options options = at_5_mm;
    options.memory_bytes = fine_leak_bytes(&mesh, 0.02);
    struct fine_leak found = find(&mesh, &options);
    cr_assert(found.leaks == false && found.spacing > 0.015 && found.spacing < 0.02 * 1.05, "%g",
              found.spacing);
    cr_assert(found.bytes <= options.memory_bytes && found.bytes_wished > options.memory_bytes);
    options.memory_bytes = 1;
    found = find(&mesh, &options);
    cr_assert(found.leaks == false && found.spacing == COARSE);
    mesh_free(&mesh);
}

Test(fine_leak, a_room_that_leaks_on_its_own_grid_is_reported_at_that_spacing)
{
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = slotted(0.2, 0.4, &pose);
    struct fine_leak found = find(&mesh, &at_5_mm);
    cr_assert(found.leaks && found.spacing == COARSE);
    cr_assert(test_near(found.leak.gap_size, 0.2, 0.02), "%g", found.leak.gap_size);
    fine_leak_free(&found);
    mesh_free(&mesh);
}

Test(fine_leak, a_source_in_a_wall_is_named)
{
    struct mesh mesh = {0};
    struct fine_leak found = {0};
    const struct voxel_seed bad = {.kind = SEED_SOURCE, .name = "pulpit", .position = {0, 0.5, 0.5}};
    const struct fine_leak_options options = {.spacing = 0.01, .coarse = COARSE};
    solid_box(&mesh, NULL, (double[]){0, 0, 0}, (double[]){1, 1, 1}, NULL, -1);
    MUST_FAIL(fine_leak_find(&mesh, &bad, 1, &options, &found, &failure), FAILURE_INPUT,
              "source \"pulpit\" at (0, 0.5, 0.5) m");
    mesh_free(&mesh);
}

/* Six slabs around a room that do not meet, by 1 to 3 cm. Ribbons leave holes that are plugged on the fine
 * grid; with a seal narrower than the widest slit a leak is left, whose gap is searched after that. */
Test(fine_leak, what_a_plug_adds_on_the_fine_grid_is_none_of_the_coarse_one)
{
    static const double slab[6][2][3] = {
        {{-0.2, -0.2, -0.2}, {3.2, 2.7, 0}}, {{-0.2, -0.2, 0.01}, {3.2, 0, 2}},
        {{-0.2, 2.5, 0.02}, {3.2, 2.7, 2}},  {{-0.2, 0.012, 0.01}, {0, 2.488, 2}},
        {{3, 0.015, 0.01}, {3.2, 2.485, 2}}, {{-0.2, -0.2, 2.03}, {3.2, 2.7, 2.2}}};
    const struct room_pose pose = room_pose_none();
    struct mesh mesh = {0};
    MUST(mesh_add_material(&mesh, "wall", NULL, &failure));
    for (int n = 0; n < 6; n++)
        room_add_box(&mesh, &pose, slab[n][0], slab[n][1], -1, NULL, 0);
    for (int n = 0; n < 2; n++) {
        const double seal = n == 0 ? 0.014 : 0.04;
        const struct fine_leak_options options = {
            .spacing = 0.008, .coarse = 0.2, .seal_width = seal, .threads = 2};
        struct fine_leak found = find(&mesh, &options);
        cr_expect(eq(int, found.leaks, n == 0));
        cr_expect(found.leaks ? found.leak.gap_size > seal : found.air_nodes > 0);
        fine_leak_free(&found);
    }
    mesh_free(&mesh);
}
