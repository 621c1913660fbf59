/** Two materials on the two sides of a wall: two faces back to back, two faces apart, and --two-sided. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "blocks/block_grid.h"
#include "geometry/import/mesh_import.h"
#include "kernels/engine/engine.h"
#include "tests/support/flooded_room.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"

enum { WALL, STONE, WOOD, MATERIALS };
#define SPACING 0.1

/* How the screen says that it is stone towards +x and wood towards -x. */
enum way { BACK_TO_BACK, WOOD_FIRST, APART, BY_OPTION };

/* A room of 3 x 2 x 1.6 m with a screen across x = 1.53, midway between two nodes when it stands straight:
 * `low` and `high` are its corners in (y, z). `turned`: its faces show their other sides. */
static struct mesh build(enum way way, const struct solid_pose *pose, const double low[2],
                         const double high[2], bool turned)
{
    struct mesh mesh = {0};
    const double at = 1.5, front = way == APART ? at + 0.01 : at, back = way == APART ? at - 0.01 : at;
    cr_assert(solid_material(&mesh, "wall") == WALL && solid_material(&mesh, "stone") == STONE &&
              solid_material(&mesh, "wood") == WOOD);
    solid_box(&mesh, pose, (const double[3]){0, 0, 0}, (const double[3]){3, 2, 1.6}, NULL, -1);
    if (way == WOOD_FIRST)
        solid_panel(&mesh, pose, 0, back, low, high, WOOD);
    solid_panel(&mesh, pose, 0, front, low, high, STONE);
    if (way == BACK_TO_BACK || way == APART)
        solid_panel(&mesh, pose, 0, back, low, high, WOOD);
    /* Panels show their front to +x; wood is to show it to -x. */
    for (size_t t = 0; t < mesh.triangle_count; t++)
        if (mesh.triangle_material[t] != WALL && (mesh.triangle_material[t] == WOOD) != turned) {
            const uint32_t second = mesh.triangle[t][1];
            mesh.triangle[t][1] = mesh.triangle[t][2];
            mesh.triangle[t][2] = second;
        }
    return mesh;
}

static struct block_grid grid_of(const struct mesh *mesh, enum way way, const double source[3])
{
    static const uint16_t back[MATERIALS] = {WALL, WOOD, WOOD};
    const struct lattice lattice = fit(mesh, SPACING);
    const struct voxel_seed seed = source_at(source[0], source[1], source[2]);
    const struct voxelise_options options = {.threads = 2, .back_material = way == BY_OPTION ? back : NULL};
    struct voxels voxels = {0};
    struct block_grid grid = {0};
    MUST(voxelise(mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    MUST(voxels_check(&voxels, &failure));
    MUST(block_grid_pack(&voxels, &grid, &failure));
    MUST(block_grid_check(&grid, &failure));
    voxels_free(&voxels);
    return grid;
}

static struct block_grid screened(enum way way, const struct solid_pose *pose, bool turned)
{
    struct mesh mesh = build(way, pose, (const double[2]){0.3, 0.2}, (const double[2]){1.5, 1.3}, turned);
    double source[3];
    solid_place(pose, (const double[3]){0.7, 1, 0.7}, source);
    struct block_grid grid = grid_of(&mesh, way, source);
    mesh_free(&mesh);
    return grid;
}

/* Sums of weights of stone and wood at nodes on either side of the screen. */
static void sum_sides(const struct block_grid *grid, const struct solid_pose *pose, double sum[2][2])
{
    memset(sum, 0, 4 * sizeof sum[0][0]);
    for (block_id b = 1; b <= grid->blocks; b++)
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
            const struct wall *wall = &grid->wall[w];
            const unsigned slot = wall->slot & WALL_SLOT;
            const int64_t node[3] = {8 * (int64_t)grid->block[b].place[0] + (slot & 7),
                                     8 * (int64_t)grid->block[b].place[1] + (slot >> 3 & 7),
                                     8 * (int64_t)grid->block[b].place[2] + (slot >> 6)};
            double position[3], local[3];
            lattice_position(&grid->lattice, node, position);
            solid_unplace(pose, position, local);
            if (wall->material != WALL)
                sum[local[0] > 1.5][wall->material == WOOD] += (double)wall->weight;
        }
}

static const double nowhere[3] = {0, 0, 0};

Test(two_sided, faces_back_to_back_faces_apart_and_the_option_give_the_same_grid)
{
    for (int turned = 0; turned < 2; turned++) {
        const struct solid_pose pose = solid_pose_make(0, 0, nowhere);
        struct block_grid first = screened(BACK_TO_BACK, &pose, turned != 0);
        for (enum way way = WOOD_FIRST; way <= BY_OPTION; way++) {
            if (way == APART && turned != 0)
                continue; /* each of them is seen from one side, whatever its front */
            struct block_grid other = screened(way, &pose, turned != 0);
            cr_assert(voxel_room_same_grid(&first, &other), "way %d, turned %d", way, turned);
            block_grid_free(&other);
        }
        block_grid_free(&first);
    }
}

Test(two_sided, each_side_has_its_own_material_and_turning_the_faces_swaps_them)
{
    for (int askew = 0; askew < 2; askew++)
        for (enum way way = BACK_TO_BACK; way <= BY_OPTION; way++)
            for (int turned = 0; turned < 2; turned++) {
                if (askew != 0 && way == APART)
                    continue; /* some nodes stand between the faces and see their insides */
                const struct solid_pose pose = solid_pose_make(0.7 * askew, 0.4 * askew, nowhere);
                struct block_grid grid = screened(way, &pose, turned != 0);
                double sum[2][2];
                sum_sides(&grid, &pose, sum);
                const int swapped = way == APART ? 0 : turned;
                cr_assert(sum[1][swapped] > 100 && sum[0][1 - swapped] > 100);
                cr_assert(sum[1][1 - swapped] == 0 && sum[0][swapped] == 0, "way %d, turned %d: %g %g", way,
                          turned, sum[1][1 - swapped], sum[0][swapped]);
                block_grid_free(&grid);
            }
}

/* Energy left in the half towards -x of a room that the screen divides. */
static double left(bool turned)
{
    const struct solid_pose pose = solid_pose_make(0, 0, nowhere);
    struct mesh mesh = build(BY_OPTION, &pose, (const double[2]){0, 0}, (const double[2]){2, 1.6}, turned);
    struct block_grid grid = grid_of(&mesh, BY_OPTION, (const double[3]){0.7, 1, 0.7});
    const double admittance[MATERIALS] = {0, 0, 0.3};
    const struct engine_options options = {
        .precision = PRECISION_DOUBLE, .backend = BACKEND_CPU, .threads = 1};
    struct time_step step;
    struct engine *engine = NULL;
    MUST(time_step_choose(SCHEME_STANDARD, SPACING, 343.2, 0, &step, &failure));
    MUST(engine_create(&engine, &grid, NULL, &step, admittance, MATERIALS, &options, &failure));
    engine_set(engine, 0, (const int64_t[3]){7, 10, 7}, 1);
    engine_set(engine, 0, (const int64_t[3]){8, 10, 7}, -1);
    const double before = engine_energy(engine);
    engine_run(engine, 300, NULL, NULL);
    const double share = engine_energy(engine) / before;
    engine_free(engine);
    block_grid_free(&grid);
    mesh_free(&mesh);
    return share;
}

Test(two_sided, sound_is_absorbed_on_the_absorbing_side_alone)
{
    cr_assert(test_near(left(true), 1, 1e-9), "hard stone towards the sound");
    cr_assert(test_above(0.5, left(false)), "absorbing wood towards the sound");
}

#define SHEET "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

Test(two_sided, the_other_face_of_a_sheet_is_imported_and_copies_are_not, .init = enter_folder,
     .fini = leave_folder)
{
    static const struct {
        const char *text;
        size_t triangles, materials, copies;
    } row[] = {
        {SHEET "usemtl stone\nf 1 2 3\nusemtl wood\nf 3 2 1\n", 2, 2, 0},
        {SHEET "usemtl stone\nf 1 2 3 4\nusemtl wood\nf 4 3 1\nf 3 2 1\n", 4, 2, 0},
        {SHEET "usemtl stone\nf 1 2 3\nf 3 2 1\n", 1, 1, 1},
        {SHEET "usemtl stone\nf 1 2 3\nusemtl wood\nf 2 3 1\n", 2, 2, 0},
        /* One of each material is kept: which of them counts is for their faces to tell. */
        {SHEET "usemtl stone\nf 1 2 3\nf 3 2 1\nusemtl wood\nf 3 2 1\n", 2, 2, 1},
        {SHEET "usemtl stone\nf 1 2 3\nusemtl wood\nf 3 2 1\nusemtl glass\nf 3 2 1\nf 1 2 3\n", 3, 3, 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct mesh_import_options import = {.metres_per_unit = 1, .up = UP_Z};
        struct mesh mesh = {0};
        struct mesh_import_facts facts;
        write_text("sheet.obj", row[i].text);
        MUST(mesh_import("sheet.obj", &import, &mesh, &facts, &failure));
        cr_expect(eq(sz, mesh.triangle_count, row[i].triangles), "row %zu", i);
        cr_expect(eq(sz, mesh.material_count, row[i].materials), "row %zu", i);
        cr_expect(eq(sz, facts.census.duplicate, row[i].copies), "row %zu", i);
        cr_expect(eq(sz, facts.census.nonmanifold_edges, 0), "both faces are one sheet");
        mesh_free(&mesh);
    }
}

/* A closed room with a sheet across, whose front is up. */
#define ROOM                                                                                                 \
    "usemtl wall\nv 0 0 0\nv 3 0 0\nv 0 3 0\nv 3 3 0\nv 0 0 3\nv 3 0 3\nv 0 3 3\nv 3 3 3\n"                  \
    "v 1 1 1.4\nv 2 1 1.4\nv 2 2 1.4\nv 1 2 1.4\n"                                                           \
    "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\nusemtl screen=x\nf 9 10 11 12\n"

static cJSON *two_sided(const char *command, const char *model, const char *sides)
{
    expect_status(RUN(command, model, "--spacing", "0.1", "--absorption", "0.1", "--two-sided", sides,
                      "--source", "0.5,0.5,0.5", "--receiver", "2.5,2.5,2.5", "--json"),
                  0);
    return read_json("out");
}

Test(two_sided, the_option_names_surfaces_whatever_their_case_and_reports_both_areas, .init = enter_folder,
     .fini = leave_folder)
{
    write_text("room.obj", ROOM);
    cJSON *plan = two_sided("plan", "room.obj", "SCREEN=X=cloth");
    const cJSON *screen = material_of(plan, "screen=x"), *cloth = material_of(plan, "cloth");
    cr_assert(strcmp(text_of(screen, "back"), "cloth") == 0);
    cr_assert(cJSON_GetObjectItem(cloth, "back") == NULL);
    cr_assert(test_near(number(screen, "area_exposed_m2"), 1, 1e-9));
    cr_assert(test_near(number(cloth, "area_exposed_m2"), 1, 1e-9));
    cr_assert(test_near(number(cloth, "area_m2"), 1, 1e-9));
    cr_assert(cJSON_GetObjectItem(cloth, "area_residual_percent") == NULL);
    /* Openings of less than 1/400 of a face are closed: along an edge of the room that is so much of two
     * walls. */
    const double edges = 36 * 2 * 0.1 / 400;
    cr_assert(test_near(number(material_of(plan, "wall"), "area_exposed_m2"), 54, edges));
    plan = two_sided("plan", "room.obj", "screen=x=WALL");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(plan, "materials")), 2));
    cr_assert(test_near(number(material_of(plan, "wall"), "area_exposed_m2"), 55, edges));
}

/* A cube of 3 m has 27.3 cells of 0.11 m. */
Test(two_sided, walls_as_the_peer_has_them_keep_their_staircase_areas, .init = enter_folder,
     .fini = leave_folder)
{
    write_cube();
    for (int peer = 0; peer < 2; peer++) {
        expect_status(RUN("plan", "cube.obj", "--scheme", "standard", "--spacing", "0.11", "--absorption",
                          "0.1", "--source", "1,1,1", "--receiver", "2,2,2", "--walls",
                          peer ? "first-order" : "staircase", "--json"),
                      0);
        cJSON *plan = read_json("out");
        const cJSON *wall = material_of(plan, "wall");
        const double exposed = number(wall, "area_exposed_m2"), staircase = number(wall, "area_staircase_m2");
        cr_assert(test_near(exposed, 54, 1e-9));
        cr_assert(test_near(staircase, 6 * pow(27 * 0.11, 2), 1e-9));
        cr_assert(test_near(number(wall, "area_factor"), peer ? 1 : exposed / staircase, 1e-12));
        cr_assert(test_near(number(wall, "area_residual_percent"), peer ? 100 * (staircase / exposed - 1) : 0,
                            1e-4));
        cr_assert(test_near(number(plan, "open_face_area_m2"), 0, 0));
    }
}

Test(two_sided, a_front_that_faces_no_air_is_warned_of, .init = enter_folder, .fini = leave_folder)
{
    write_cube(); /* its faces look outwards */
    (void)two_sided("plan", "cube.obj", "wall=brick");
    expect_words("err", "no air is in front of \\\"wall");
}

Test(two_sided, check_reports_what_air_reaches_of_either_side, .init = enter_folder, .fini = leave_folder)
{
    write_text("room.obj", ROOM);
    cJSON *check = two_sided("check", "room.obj", "screen=x=cloth");
    static const char *const side[2] = {"screen=x", "cloth"};
    for (int i = 0; i < 2; i++) {
        const cJSON *material = material_of(check, side[i]);
        cr_expect(test_near(number(material, "area_m2"), 1, 1e-9));
        cr_expect(test_near(number(material, "reached_area_m2"), 1, 1e-9));
        cr_expect(test_near(number(material, "touched_area_m2"), 1, 1e-9));
    }
    write_cube(); /* its faces look outwards, where no air is */
    check = two_sided("check", "cube.obj", "wall=brick");
    cr_expect(number(material_of(check, "wall"), "reached_area_m2") == 0);
    cr_expect(test_near(number(material_of(check, "brick"), "reached_area_m2"), 54, 1e-9));
}
