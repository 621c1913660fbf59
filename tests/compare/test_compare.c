/** `transept compare`: two layouts of a room are identical, a comparison that can say no, and the places that
 * it takes where none are given. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "geometry/import/mesh_import.h"
#include "geometry/room/voxeliser.h"
#include "geometry/voxel/clearance.h"
#include "src/base/options/scheme_options.h"
#include "src/run/plan/layout_pair.h"
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(compare, .init = enter_folder, .fini = leave_folder);

/* ---- the core: two engines of one room ---- */

struct pair_room {
    struct lossy_room *room;
    struct layout_pair pair;
};

/* Both engines with noise in them; the box's walls by `box_admittance`. */
static struct pair_room make_pair_on(enum backend backend, enum precision precision,
                                     const double *box_admittance)
{
    struct pair_room of = {.room = room_ragged(7, 30, 21, 18, 0.15, 0.05, 4)};
    struct time_step step;
    MUST(time_step_choose(SCHEME_STANDARD, 1.0, 340.0, 0.57, &step, &failure));
    of.pair.grid = &of.room->blocks;
    for (int layout = 0; layout < 2; layout++) {
        const struct engine_options options = {
            .layout = (enum layout)layout, .precision = precision, .backend = backend, .threads = 1};
        cr_assert(engine_create(&of.pair.engine[layout], &of.room->blocks,
                                layout == LAYOUT_BOX ? &of.room->box : NULL, &step,
                                layout == LAYOUT_BOX ? box_admittance : room_admittance, ROOM_MATERIALS,
                                &options, &failure) == 0,
                  "%s", failure.sentence);
    }
    layout_pair_excite(&of.pair);
    return of;
}

/* On the CPU, and on the device if there is one. */
static void on_all(void (*test)(enum backend backend))
{
    test(BACKEND_CPU);
    if (back_ends_is_thorough(false) && back_ends_device() != NULL)
        test(back_ends_backend());
}

static void free_pair(struct pair_room *of)
{
    engine_free(of->pair.engine[0]);
    engine_free(of->pair.engine[1]);
    room_free(of->room);
}

/* The `which`-th node of air. */
static void air_node(const struct lossy_room *room, size_t which, int64_t node[3])
{
    for (size_t n = 0; n < room_size(room); n++)
        if (room->link[n] != 0 && which-- == 0) {
            room_node(room, n, node);
            return;
        }
    cr_assert(false, "the room has no such node");
}

static void add_points(struct pair_room *of, const int64_t source[3], const int64_t receiver[3])
{
    for (int layout = 0; layout < 2; layout++) {
        struct stencil tap = {.count = 1, .weight = {1.0}};
        if (source != NULL) {
            memcpy(tap.node[0], source, sizeof tap.node[0]);
            cr_assert(eq(int, engine_add_source(of->pair.engine[layout], &tap, NULL), 0));
        }
        memcpy(tap.node[0], receiver, sizeof tap.node[0]);
        cr_assert(eq(int, engine_add_receiver(of->pair.engine[layout], &tap, NULL), 0));
    }
    of->pair.sources += source != NULL;
    of->pair.receivers++;
}

static struct layout_pair_result result;

static int run_pair(const struct pair_room *of, uint64_t steps)
{
    static const char *const names[] = {"pew", "choir", "door"};
    const struct layout_pair_settings settings = {.steps = steps, .receiver_name = names};
    failure = (struct failure){0};
    return layout_pair_run(&of->pair, &settings, &result, &failure);
}

static void next_value(const struct pair_room *of, int layout, int level, const int64_t node[3])
{
    struct engine *engine = of->pair.engine[layout];
    const double value = engine_get(engine, level, node);
    engine_set(engine, level, node, nextafterf((float)value, 2.0f));
    cr_assert(engine_get(engine, level, node) != value);
}

static void compare_ragged_rooms(enum backend backend)
{
    for (int precision = 0; precision < 2; precision++) {
        struct pair_room of = make_pair_on(backend, (enum precision)precision, room_admittance);
        int64_t node[2][3];
        air_node(of.room, 100, node[0]);
        air_node(of.room, 2000, node[1]);
        add_points(&of, node[0], node[1]);
        add_points(&of, NULL, node[0]);
        MUST(run_pair(&of, 350));
        cr_assert(result.identical);
        cr_assert(eq(u64, result.steps, 350));
        cr_assert(eq(u64, result.samples, 700));
        cr_assert(eq(u64, result.hashes, 4)); /* 100, 200, 300, 350 */
        cr_assert(eq(u64, result.hash, engine_hash(of.pair.engine[LAYOUT_BOX])));
        cr_assert(eq(u64, engine_steps(of.pair.engine[LAYOUT_BLOCKS]), 350));
        cr_assert(eq(u64, engine_steps(of.pair.engine[LAYOUT_BOX]), 350));
        for (int layout = 0; layout < 2; layout++)
            cr_assert(result.seconds_per_step[layout] > 0 && result.seconds_per_step[layout] < 1);
        free_pair(&of);

        /* One engine alone, without batches, driven by (1, -1). */
        of = make_pair_on(backend, (enum precision)precision, room_admittance);
        add_points(&of, node[0], node[1]);
        static double drive[350] = {1, -1}, output[350];
        engine_run(of.pair.engine[LAYOUT_BLOCKS], 350, drive, output);
        cr_assert(eq(u64, result.hash, engine_hash(of.pair.engine[LAYOUT_BLOCKS])));
        free_pair(&of);
    }
}

Test(compare, ragged_rooms_are_identical_in_either_precision_with_every_sample_and_hash_counted)
{
    on_all(compare_ragged_rooms);
}

Test(compare, noise_lies_on_every_node_of_both_layouts_alike_and_at_rest)
{
    struct pair_room of = make_pair_on(BACKEND_CPU, PRECISION_SINGLE, room_admittance);
    double sum = 0, largest = 0;
    size_t count = 0;
    for (size_t n = 0; n < room_size(of.room); n++) {
        int64_t node[3];
        if (of.room->link[n] == 0)
            continue;
        room_node(of.room, n, node);
        const double value = engine_get(of.pair.engine[LAYOUT_BLOCKS], 0, node);
        cr_assert(value != 0);
        for (int layout = 0; layout < 2; layout++)
            for (int level = 0; level < 2; level++)
                cr_assert(engine_get(of.pair.engine[layout], level, node) == value);
        sum += value;
        largest = fmax(largest, fabs(value));
        count++;
    }
    cr_assert(largest > 0.9 / 128 && largest < 1.0 / 128, "%g", largest);
    /* Of a mean of uniform noise, five standard deviations. */
    cr_assert(fabs(sum / (double)count) < 5 * largest / sqrt(3.0 * (double)count));
    free_pair(&of);
}

static void change_one_last_digit(enum backend backend)
{
    for (int layout = 0; layout < 2; layout++) {
        /* By the hash alone: no receiver. */
        struct pair_room of = make_pair_on(backend, PRECISION_SINGLE, room_admittance);
        int64_t node[3], other[3];
        air_node(of.room, 1234, node);
        MUST(run_pair(&of, 150));
        next_value(&of, layout, 0, node);
        MUST_FAIL(run_pair(&of, 250), FAILURE_ANSWER_NO, "hash of the field at step 100 ");
        cr_assert(not(result.identical));
        cr_assert(eq(u64, result.steps, 100));
        cr_assert(eq(u64, result.hashes, 1));
        free_pair(&of);

        /* By the last hash, between two hundreds. */
        of = make_pair_on(backend, PRECISION_SINGLE, room_admittance);
        next_value(&of, layout, 1, node);
        MUST_FAIL(run_pair(&of, 30), FAILURE_ANSWER_NO, "hash of the field at step 30 ");
        MUST_FAIL(run_pair(&of, 1), FAILURE_ANSWER_NO, "blocks and ");
        free_pair(&of);

        /* By a receiver at the node: u at once, u_old one step later; the other receiver is not blamed. */
        for (int level = 0; level < 2; level++) {
            of = make_pair_on(backend, PRECISION_SINGLE, room_admittance);
            air_node(of.room, 20, other);
            add_points(&of, NULL, other);
            add_points(&of, NULL, node);
            next_value(&of, layout, level, node);
            MUST_FAIL(run_pair(&of, 50), FAILURE_ANSWER_NO,
                      level == 0 ? "at step 0 the sample of receiver choir is "
                                 : "at step 1 the sample of receiver choir is ");
            free_pair(&of);
        }
    }
}

Test(compare, one_last_digit_of_one_node_is_seen_and_the_step_named)
{
    on_all(change_one_last_digit);
}

Test(compare, one_admittance_that_differs_is_seen_in_the_first_step_wherever_its_walls_are)
{
    for (int material = 0; material < ROOM_MATERIALS; material++) {
        double other[ROOM_MATERIALS];
        memcpy(other, room_admittance, sizeof other);
        other[material] += 1e-6; /* a few last digits of kappa */
        struct pair_room of = make_pair_on(BACKEND_CPU, PRECISION_DOUBLE, other);
        MUST_FAIL(run_pair(&of, 2), FAILURE_ANSWER_NO, "hash of the field at step 2 ");
        free_pair(&of);
    }
}

static void poison_fields(enum backend backend)
{
    static const double poison[] = {NAN, INFINITY, -INFINITY};
    for (int p = 0; p < 3; p++)
        for (int with_receiver = 0; with_receiver < 2; with_receiver++)
            for (int only = -1; only < 2; only++) { /* -1: in both */
                struct pair_room of = make_pair_on(backend, PRECISION_SINGLE, room_admittance);
                int64_t node[3];
                air_node(of.room, 1234, node);
                if (with_receiver)
                    add_points(&of, NULL, node);
                for (int layout = 0; layout < 2; layout++)
                    if (only < 0 || layout == only)
                        engine_set(of.pair.engine[layout], 0, node, poison[p]);
                MUST_FAIL(run_pair(&of, 3), FAILURE_ANSWER_NO,
                          with_receiver ? "at step 0 the sample of receiver pew is not finite in "
                                        : "pressures are not finite at step 3 ");
                cr_assert(not(result.identical));
                free_pair(&of);
            }
}

Test(compare, nothing_that_is_not_finite_passes_even_when_both_layouts_have_it)
{
    on_all(poison_fields);
}

Test(compare, a_comparison_can_be_interrupted)
{
    struct pair_room of = make_pair_on(BACKEND_CPU, PRECISION_SINGLE, room_admittance);
    const volatile sig_atomic_t seen = 1;
    const struct layout_pair_settings settings = {.steps = 10, .interrupt = &seen};
    cr_assert(eq(int, layout_pair_run(&of.pair, &settings, &result, &failure), FAILURE_INTERRUPTED));
    cr_assert(not(result.identical));
    cr_assert(eq(u64, result.steps, 0));
    free_pair(&of);
}

/* ---- the command ---- */

/* The object of a comparison that must be identical, on a grid of 6.5 cm. */
static cJSON *compare_room(const char *path, const char *precision, const char *scheme)
{
    expect_status(RUN("compare", path, "--scheme", scheme, "--spacing", "9cm", "--absorption", "0.3",
                      "--absorption", "stone_floor=0.02", "--precision", precision, "--steps", "120",
                      "--json", "--quiet"),
                  0);
    cJSON *object = read_json("out");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(object, "identical")));
    cr_assert(test_at_least(number(object, "air_nodes"), 4e5));
    cr_assert(eq(dbl, number(object, "steps"), 120));
    cr_assert(eq(dbl, number(object, "hashes_compared"), 2));
    const int receivers = cJSON_GetArraySize(cJSON_GetObjectItem(object, "receivers"));
    cr_assert(eq(dbl, number(object, "samples_compared"), 120.0 * receivers));
    static const char *const names[] = {"seconds_per_step_box",
                                        "seconds_per_step_blocks",
                                        "node_updates_per_second",
                                        "bytes_blocks",
                                        "bytes_walls",
                                        "bytes_ideal",
                                        "bytes_seed_blocks",
                                        "blocks"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert(number(object, names[i]) > 0, "%s", names[i]);
    cr_assert(test_above(number(object, "bytes_peak"),
                         number(object, "bytes_box") + number(object, "bytes_blocks")));
    return object;
}

Test(compare, a_church_is_identical_in_both_layouts)
{
    expect_status(RUN("room", "church", "-o", "church.obj", "--quiet", "--nave-length", "10", "--nave-width",
                      "6", "--nave-height", "5.5", "--bays", "3", "--aisle-height", "3", "--transept-length",
                      "3", "--transept-width", "4", "--transept-height", "4", "--chancel-length", "4",
                      "--apse-radius", "2.5", "--apse-height", "3", "--column-height", "2.2", "--roof-pitch",
                      "30"),
                  0);
    cJSON *object = compare_room("church.obj", "single", SCHEME_OF_CHOICE);
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "receivers")), 5));
    cr_assert(lt(dbl, number(object, "occupancy"), 0.8));
}

Test(compare, a_cross_turned_by_30_degrees_is_identical_in_both_layouts)
{
    expect_status(RUN("room", "cross", "-o", "cross.obj", "--quiet", "--size", "4", "--turn", "30"), 0);
    cJSON *object = compare_room("cross.obj", "double", SCHEME_OF_CHOICE);
    /* Turned, its box is (3 cos 30 + sin 30)^2 / 9 of that of the straight cross, seen from above. */
    const double straight = 12.0 * 12.0 * 4.0 / pow(number(object, "spacing_m"), 3);
    const double turned = pow((3 * cos(M_PI / 6) + sin(M_PI / 6)) / 3, 2);
    cr_assert(test_near(number(object, "box_nodes") / straight, turned, 0.02));
    cr_assert(test_near(number(object, "air_volume_m3"), 5 * 64.0, 3));
}

Test(compare, surfaces_without_absorption_are_named_and_taken_as_0_1)
{
    write_cube();
    expect_status(RUN("compare", "cube.obj", CUBE_PLACES, "--fmax", "200", "--steps", "101"), 0);
    expect_words("err", "1 of 1 materials have no absorption and count as 0.1");
    expect_words("out", "identical: every pressure (2 hashes ", "all 101 output samples of 101 steps",
                 "ms a step");
    expect_status(RUN("compare", "cube.obj", "--fmax", "200", "--steps", "0"), 2);
    expect_status(RUN("compare", "cube.obj", "--layout", "box"), 2);
}

Test(compare, interrupting_a_comparison_is_status_130)
{
    write_cube();
    const pid_t child = start(NULL, (const char *const[]){TEST_PROGRAM, "compare", "cube.obj", "--fmax",
                                                          "1000", "--steps", "1000000", NULL});
    const struct timespec wait = {.tv_nsec = 20000000};
    bool running = false;
    for (int i = 0; i < 3000 && !running; i++) {
        nanosleep(&wait, NULL);
        char *err = exists("err") ? read_text("err") : NULL;
        running = err != NULL && strstr(err, ", box, single") != NULL;
    }
    cr_assert(running);
    kill(child, SIGINT);
    cr_assert(eq(int, finish(child), 130));
    expect_words("err", "interrupted");
    char *out = read_text("out");
    cr_assert(eq(str, out, ""));
}

Test(compare, what_does_not_fit_twice_is_status_3_and_the_fmax_that_it_names_does_fit)
{
#if defined(__SANITIZE_ADDRESS__)
    cr_skip_test("AddressSanitizer takes more address space than the limit of this test");
#endif
    write_cube();
    /* Threads reserve address space, not memory, and the limit is one of address space. So do drivers: what a
     * device does in so little is not asked here. */
    setenv("OMP_NUM_THREADS", "1", 1);
    /* What is freed must be no address space any more either: glibc keeps more of it the more was freed. */
    setenv("MALLOC_MMAP_THRESHOLD_", "65536", 1);
    space_limit = 450000000;
    expect_status(RUN("plan", "cube.obj", "--fmax", "5600", "--backend", "cpu", "--threads", "1", "--json"),
                  0);
    cJSON *plan = read_json("out");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "fits")));
    expect_status(
        RUN("compare", "cube.obj", "--fmax", "5600", "--backend", "cpu", "--threads", "1", "--steps", "1"),
        3);
    expect_words("err", "holding both layouts at once takes ", " bytes)");
    char *err = read_text("err");
    const char *named = strstr(err, "--fmax ");
    cr_assert(named != NULL);
    char hertz[32] = "";
    cr_assert(eq(int, sscanf(named, "--fmax %31[0-9]", hertz), 1));
    cr_assert(atof(hertz) > 2600 && atof(hertz) < 5600, "%s", hertz);
    expect_status(
        RUN("compare", "cube.obj", "--fmax", hertz, "--backend", "cpu", "--threads", "1", "--steps", "1"), 0);
}

/* ---- the places it takes ---- */

/* A tetrahedron, a corridor, a step in the floor: closed shells as OBJ, one after the other in a file. */
struct shell {
    double low[3], high[3];
};

static void write_shells(const char *path, const struct shell *shell, size_t count)
{
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    fprintf(file, "usemtl wall\n");
    for (size_t s = 0; s < count; s++) {
        for (int i = 0; i < 8; i++)
            fprintf(file, "v %g %g %g\n", i & 1 ? shell[s].high[0] : shell[s].low[0],
                    i & 2 ? shell[s].high[1] : shell[s].low[1], i & 4 ? shell[s].high[2] : shell[s].low[2]);
        static const int face[6][4] = {{1, 3, 4, 2}, {1, 2, 6, 5}, {3, 7, 8, 4},
                                       {1, 5, 7, 3}, {2, 4, 8, 6}, {5, 6, 8, 7}};
        for (int f = 0; f < 6; f++)
            fprintf(file, "f %zu %zu %zu %zu\n", 8 * s + (size_t)face[f][0], 8 * s + (size_t)face[f][1],
                    8 * s + (size_t)face[f][2], 8 * s + (size_t)face[f][3]);
    }
    fclose(file);
}

struct odd_room {
    const char *name;
    double spacing;
    struct shell shell[4]; /* up to the first without height; none: a shape of `room` */
    const char *shape[12];
    double floor; /* of the main level [m]; NAN: places in this room do not stand at the heights of people */
};

static const struct odd_room odd_rooms[] = {
    {"hall", 0.2, {{{0, 0, 0}, {12, 8, 5}}}, {NULL}, 0},
    {"small room first", 0.1, {{{0, 0, 0}, {2, 2, 2}}, {{4, 0, 3}, {9, 6, 6}}}, {NULL}, 3},
    {"with a platform as wide as half of it",
     0.15,
     {{{0, 0, 0}, {10, 6, 6}}, {{0.5, 0.5, 0}, {5, 5.5, 1}}},
     {NULL},
     0},
    {"too low to stand 1.5 m", 0.1, {{{0, 0, 0}, {6, 5, 2.2}}}, {NULL}, NAN},
    {"a crawl space", 0.1, {{{0, 0, 0}, {9, 7, 0.8}}}, {NULL}, NAN},
    {"a corridor", 0.1, {{{0, 0, 0}, {15, 1.4, 2.6}}}, {NULL}, NAN},
    {"a shaft far from the origin", 0.2, {{{500, -300, -40}, {503, -297, -10}}}, {NULL}, -40},
    {"a box for shoes", 0.02, {{{0, 0, 0}, {0.3, 0.2, 0.15}}}, {NULL}, NAN},
    {"a sphere",
     0.15,
     {{{0}, {0}}},
     {"room", "sphere", "-o", "room.obj", "--force", "--radius", "2.5", "--quiet"},
     NAN},
    {"a turned cross",
     0.15,
     {{{0}, {0}}},
     {"room", "cross", "-o", "room.obj", "--force", "--size", "4", "--turn", "17", "--quiet"},
     0},
    {"a church with pews", 0.2, {{{0}, {0}}}, {"room", "church", "-o", "room.obj", "--force", "--quiet"}, 0},
};

static void write_odd_room(const struct odd_room *room)
{
    size_t count = 0;
    while (count < 4 && room->shell[count].high[2] != room->shell[count].low[2])
        count++;
    if (count > 0) {
        write_shells("room.obj", room->shell, count);
        return;
    }
    const char *argument[14] = {TEST_PROGRAM};
    for (int i = 0; i < 12; i++)
        argument[i + 1] = room->shape[i];
    expect_status(run(NULL, argument), 0);
    /* Without the positions that it carries. */
    expect_status(
        run("bare.obj", (const char *const[]){"/bin/sh", "-c", "sed '/^o source:/,$d' room.obj", NULL}), 0);
    cr_assert(eq(int, rename("bare.obj", "room.obj"), 0));
}

static void read_place(const cJSON *object, const char *list, double position[3])
{
    const cJSON *all = cJSON_GetObjectItem(object, list);
    cr_assert(eq(int, cJSON_GetArraySize(all), 1));
    const cJSON *place = cJSON_GetObjectItem(cJSON_GetArrayItem(all, 0), "position_m");
    for (int axis = 0; axis < 3; axis++)
        position[axis] = cJSON_GetArrayItem(place, axis)->valuedouble;
}

/* Nodes of the largest cavity as a run by the isotropic scheme has it, and the largest distance of one of
 * them from the walls. */
static void measure_room(double spacing, struct clearance *tree, struct mesh *mesh, uint64_t *air_nodes,
                         double *clearest)
{
    struct mesh_import_facts facts;
    const struct mesh_import_options import = {.metres_per_unit = 1};
    const struct voxelise_options options = {.cells = true};
    struct voxel_cavity cavity = {0};
    struct block_grid grid = {0};
    struct voxels voxels = {0};
    struct lattice lattice;
    double low[3], high[3];
    size_t found = 0;
    MUST(mesh_import("room.obj", &import, mesh, &facts, &failure));
    cr_assert(eq(int, mesh_bounds(mesh, low, high, NULL), 0));
    cr_assert(eq(int, lattice_fit(low, high, spacing, NULL, &lattice, NULL), 0));
    cr_assert(eq(int, voxel_cavities(mesh, &lattice, &options, 1, &cavity, &found, NULL), 0));
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "S1"};
    memcpy(seed.position, cavity.position, sizeof seed.position);
    cr_assert(eq(int, voxelise(mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, NULL), 0));
    cr_assert(eq(int, clearance_make(mesh, tree, NULL), 0));
    cr_assert(eq(int, block_grid_pack_slabs(&voxels, &grid, NULL), 0));
    *air_nodes = grid.air_nodes;
    block_grid_free(&grid);
    *clearest = 0;
    for (int64_t z = 0; z < lattice.nodes[2]; z++)
        for (int64_t y = 0; y < lattice.nodes[1]; y++)
            for (int64_t x = 0; x < lattice.nodes[0]; x++) {
                double position[3];
                if (!voxels_is_air(&voxels, (const int64_t[3]){x, y, z}))
                    continue;
                lattice_position(&lattice, (const int64_t[3]){x, y, z}, position);
                *clearest = fmax(*clearest, clearance_at(tree, position, 2));
            }
    voxels_free(&voxels);
}

Test(compare, places_are_taken_in_the_largest_cavity_clear_of_walls_and_can_be_typed)
{
    for (size_t i = 0; i < sizeof odd_rooms / sizeof odd_rooms[0]; i++) {
        const struct odd_room *room = &odd_rooms[i];
        struct clearance tree = {0};
        struct mesh mesh = {0};
        uint64_t air_nodes;
        double clearest, place[2][3];
        char spacing[32], typed[2][96];
        static const char *const list[] = {"sources", "receivers"};
        static const double height[] = {1.5, 1.2};
        write_odd_room(room);
        measure_room(room->spacing, &tree, &mesh, &air_nodes, &clearest);
        snprintf(spacing, sizeof spacing, "%g", room->spacing);
        expect_status(RUN("compare", "room.obj", "--spacing", spacing, "--steps", "20", "--json"), 0);
        expect_words("err", "no source: the largest enclosed cavity is taken, at ",
                     "no receiver: one is placed at ");
        cJSON *object = read_json("out");
        cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(object, "source_is_cavity")));
        cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(object, "receiver_is_placed")));
        cr_assert(eq(dbl, number(object, "air_nodes"), (double)air_nodes), "%s", room->name);
        for (int p = 0; p < 2; p++) {
            read_place(object, list[p], place[p]);
            const double clear = clearance_at(&tree, place[p], 10);
            cr_expect(clear >= (clearest >= 1 ? 1 - 1e-9 : 0.7 * clearest - 1e-9), "%s: %s at %g of %g m",
                      room->name, list[p], clear, clearest);
            if (!isnan(room->floor))
                cr_expect(fabs(place[p][2] - room->floor - height[p]) <= 0.0011,
                          "%s: %s %g m above the floor", room->name, list[p], place[p][2] - room->floor);
            snprintf(typed[p], sizeof typed[p], "%.17g,%.17g,%.17g", place[p][0], place[p][1], place[p][2]);
        }
        double apart = 0;
        for (int axis = 0; axis < 3; axis++)
            apart += pow(place[0][axis] - place[1][axis], 2);
        cr_expect(sqrt(apart) >= 2 * room->spacing, "%s: %g m apart", room->name, sqrt(apart));

        char source[110], receiver[110];
        snprintf(source, sizeof source, "--source=%s", typed[0]);
        snprintf(receiver, sizeof receiver, "--receiver=%s", typed[1]);
        expect_status(
            RUN("compare", "room.obj", "--spacing", spacing, "--steps", "20", "--json", source, receiver), 0);
        cJSON *again = read_json("out");
        /* The same air, and the same nodes driven: the field has the same bits. */
        cr_assert(eq(str, (char *)text_of(again, "grid_hash"), (char *)text_of(object, "grid_hash")));
        cr_assert(eq(str, (char *)text_of(again, "field_hash"), (char *)text_of(object, "field_hash")), "%s",
                  room->name);
        clearance_free(&tree);
        mesh_free(&mesh);
    }
}

Test(compare, a_receiver_is_placed_in_the_air_of_a_source_that_is_given)
{
    const struct odd_room *room = &odd_rooms[1]; /* the source is in the smaller of two rooms */
    write_shells("room.obj", room->shell, 2);
    expect_status(
        RUN("compare", "room.obj", "--spacing", "0.1", "--steps", "1", "--json", "--source", "0.7,0.8,1"), 0);
    cJSON *object = read_json("out");
    double place[3];
    read_place(object, "receivers", place);
    cr_assert(not(cJSON_IsTrue(cJSON_GetObjectItem(object, "source_is_cavity"))));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(object, "receiver_is_placed")));
    /* That of 2 m; walls may cut a layer of cells beyond it. */
    cr_assert(number(object, "air_nodes") >= 20 * 20 * 20 && number(object, "air_nodes") <= 22 * 22 * 22);
    for (int axis = 0; axis < 3; axis++)
        cr_assert(place[axis] > 0.5 && place[axis] < 1.5, "%g", place[axis]);
}
