/* Images of rooms in parts: from any number of parts to any other number, layout and back end, with the same
 * bits afterwards. And parts compare their steps with the reference. */
#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_recheck.h"
#include "kernels/parts/local_parts.h"
#include "kernels/scheme/layer_law.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/support/hung_sheets.h"

struct parted_room {
    const struct block_grid *blocks;
    const struct box_grid *box; /* NULL: blocks alone */
    struct part_setup setup;
};

/* Of the air in all rooms from now on; without states: none. */
static struct air_loss air;

/* In so many parts; 0: in one engine. */
static struct engine *in_parts(const struct parted_room *room, unsigned parts)
{
    struct engine *engine = NULL;
    struct part_link link;
    if (parts == 0) {
        engine = engine_of(room->blocks, NULL, &room->setup.step, room_admittance, ROOM_MATERIALS,
                           room->setup.walls, &room->setup.options);
    } else {
        MUST(local_parts(parts, &link, &failure));
        MUST(engine_in_parts(&engine, room->blocks, &room->setup, PARTITION_WALL_COST, &link, &failure));
    }
    MUST(engine_set_air(engine, &air, &failure));
    return engine;
}

/* In two parts on cards; with one card both are there. */
static struct engine *on_cards(const struct parted_room *room)
{
    const unsigned last = device_count(back_ends_built.device[BACKEND_CUDA]) > 1, cards[] = {0, last};
    struct part_setup setup = room->setup;
    struct engine *engine = NULL;
    struct part_link link;
    setup.options.backend = BACKEND_CUDA;
    MUST(local_devices(back_ends_built.device[BACKEND_CUDA], 2, cards, HALO_HOST, &link, &failure));
    MUST(engine_in_parts(&engine, room->blocks, &setup, PARTITION_WALL_COST, &link, &failure));
    return engine;
}

/* ---- from one to the other ---- */

struct course {
    struct taken begin, end;
    uint64_t hash;
    double absorbed[ROOM_MATERIALS + 1], weight; /* weight_error() of its engine */
};

static void absorb(struct engine *engine, double *absorbed)
{
    if (engine_image_form(engine).absorbed > 0)
        engine_absorbed(engine, absorbed);
}

/* The steps after the image was read. */
static void go_on(struct engine *engine, struct course *course)
{
    engine_run(engine, 12, NULL, NULL);
    take(engine, 7, &course->end);
    absorb(engine, course->absorbed);
    course->hash = engine_hash(engine);
}

static void begin(struct engine *engine, struct course *course)
{
    *course = (struct course){.weight = weight_error(engine)};
    engine_fill(engine, 5);
    engine_run(engine, 20, NULL, NULL);
    absorb(engine, course->absorbed);
    engine_run(engine, 7, NULL, NULL); /* with losses since the last engine_absorbed() */
    take(engine, 3, &course->begin);
    go_on(engine, course);
}

static void course_free(struct course *course)
{
    free(course->begin.image);
    free(course->end.image);
}

static void same_absorbed(const struct block_grid *grid, double weight, const struct course *a,
                          const struct course *b)
{
    for (unsigned m = 0; m <= ROOM_MATERIALS; m++)
        cr_assert(test_near(a->absorbed[m], b->absorbed[m],
                            absorbed_order(grid, a->absorbed[m]) + weight * fabs(a->absorbed[m])),
                  "material %u absorbed %.17g, not %.17g", m, b->absorbed[m], a->absorbed[m]);
}

/* Write the image to another engine, which has stepped before, and step it. */
static void follow(const struct block_grid *grid, struct engine *other, const struct course *course)
{
    struct course again = {0};
    double scratch[ROOM_MATERIALS + 1];
    engine_fill(other, 77); /* to be overwritten */
    engine_run(other, 4, NULL, NULL);
    absorb(other, scratch);
    put(other, 5, &course->begin);
    take(other, 2, &again.begin);
    cr_assert(same_reals(&course->begin, &again.begin), "%s: not the image that was written",
              engine_description(other));
    go_on(other, &again);
    cr_assert(course->hash == again.hash && same_reals(&course->end, &again.end),
              "%s continues with other bits", engine_description(other));
    same_absorbed(grid, fmax(weight_error(other), course->weight), course, &again);
    MUST(engine_failed(other, &failure));
    course_free(&again);
    engine_free(other);
}

static bool same_form(const struct taken *a, const struct taken *b)
{
    return memcmp(&a->form, &b->form, sizeof a->form) == 0;
}

static void check_in(const struct parted_room *room)
{
    static const unsigned counts[] = {0, 1, 2, 3};
    struct course one, three;
    struct engine *engine = in_parts(room, 0);
    begin(engine, &one);
    engine_free(engine);
    engine = in_parts(room, 3);
    begin(engine, &three);
    engine_free(engine);
    cr_assert(same_form(&one.begin, &three.begin) && same_reals(&one.begin, &three.begin));
    same_absorbed(room->blocks, 0.0, &one, &three);
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
        follow(room->blocks, in_parts(room, counts[n]), &three);
    follow(room->blocks, in_parts(room, 3), &one);
    /* The image of cards goes to one engine, too. */
    if (air.states == 0 && back_ends_backend() == BACKEND_CUDA && back_ends_device() != NULL) {
        struct course two;
        follow(room->blocks, on_cards(room), &three);
        engine = on_cards(room);
        begin(engine, &two);
        engine_free(engine);
        cr_assert(same_reals(&one.begin, &two.begin));
        follow(room->blocks, in_parts(room, 0), &two);
        course_free(&two);
    }
    struct back_ends all = {
        .mask = BACK_ENDS_ALL, .one_precision = true, .precision = room->setup.options.precision};
    while (room->box != NULL && back_ends_next(&all))
        follow(room->blocks,
               engine_of(room->blocks, room->box, &room->setup.step, room_admittance, ROOM_MATERIALS,
                         room->setup.walls, &all.options),
               &three);
    course_free(&one);
    course_free(&three);
}

/* Staircases of the isotropic scheme have masses of the exact step, cut cells those of the usual one. */
static struct time_step step_of(const struct block_grid *grid)
{
    const enum scheme scheme = grid->isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD;
    const double exact = exact_courant(scheme);
    const struct time_step usual = time_step_for(scheme, 1.0, 340.0, 0.0);
    return grid->isotropic && grid->lambda2 != usual.lambda2 ? time_step_for(scheme, 1.0, 340.0, exact)
                                                             : usual;
}

/* Without walls' states, with branches and a ledger; both precisions. */
static void check_room(const struct block_grid *blocks, const struct box_grid *box)
{
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 9;
    const struct time_step step = step_of(blocks);
    draw_materials(&random, step.period, ROOM_MATERIALS, 3, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, false, true};
    for (int w = 0; w < 2; ++w)
        for (int precision = 0; precision < 2; ++precision) {
            const struct parted_room room = {
                blocks,
                box,
                {.options = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_CPU, SIMD_AUTO, 3},
                 .step = step,
                 .materials = ROOM_MATERIALS,
                 .admittance = w == 0 ? room_admittance : NULL,
                 .walls = w == 1 ? &walls : NULL}};
            check_in(&room);
        }
}

/* Sheets cross the borders of its parts: flows that begin in one are told to the other. */
TEST_SCHEMES(parts_image, a_room_of_staircases_and_sheets_in_three_parts_goes_on_in_any_other_way)
{
    struct lossy_room *room = room_for(scheme, room_ragged(13, 43, 21, 20, 0.1, 0.05, 17));
    hung_sheets(&room->blocks);
    cr_assert(hung_sheets_between(&room->blocks, 2) > 10 && hung_sheets_between(&room->blocks, 3) > 10);
    check_room(&room->blocks, &room->box);
    room_free(room);
}

TEST_SCHEMES(parts_image, and_one_with_conformal_walls_and_further_pieces_of_air)
{
    struct cell_grids *grids = cell_grids_soup_for(3, ROOM_MATERIALS, scheme);
    cr_assert(grids->blocks.list_nodes > 600 && grids->blocks.walls > 0);
    check_room(&grids->blocks, &grids->box);
    cell_grids_free(grids);
}

TEST_SCHEMES(parts_image, and_an_open_scene)
{
    struct lossy_room *room = room_for(scheme, room_ragged(14, 43, 31, 20, 0.1, 0.05, 17));
    room->blocks.layer[0] = room->blocks.layer[3] = room->blocks.layer[5] = LAYER_CELLS;
    check_room(&room->blocks, &room->box);
    room_free(room);
}

/* Not after the step of the image, and not after every step. */
static void lose_in_air(void)
{
    air = (struct air_loss){.states = 2, .every = 4, .follow = {0.03, 1.2}, .share = {0.5, 0.3}};
}

TEST_SCHEMES(parts_image, and_one_whose_air_loses_sound)
{
    struct lossy_room *room = room_for(scheme, room_ragged(13, 43, 21, 20, 0.1, 0.05, 17));
    lose_in_air();
    check_room(&room->blocks, NULL);
    room_free(room);
}

/* Hard walls with a ledger: only entries of open faces have states, and only one part has some. Sheets come
 * behind them. */
Test(parts_image, an_open_face_in_one_part_gives_all_parts_its_form)
{
    struct wall_material material[ROOM_MATERIALS] = {{.branches = 0}};
    const int64_t low[3] = {0, 0, 0};
    struct lossy_room *room = room_box(64, 16, 16, low);
    hung_sheets(&room->blocks);
    const struct wall_materials walls = {ROOM_MATERIALS, material, true, true};
    for (uint64_t w = room->blocks.walls - 200; w < room->blocks.walls; w++)
        room->blocks.wall[w].material = VOXELS_OPEN_FACE;
    const struct parted_room parted = {
        &room->blocks,
        NULL,
        {.options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1},
         .step = step_of(&room->blocks),
         .materials = ROOM_MATERIALS,
         .walls = &walls}};
    check_in(&parted);
    room_free(room);
}

/* ---- compared with the reference ---- */

static int recheck_with(struct engine *engine, const struct block_grid *grid, block_id first, block_id end)
{
    struct engine_recheck *check = engine_recheck_begin(engine);
    cr_assert(check != NULL);
    engine_run(engine, 1, NULL, NULL);
    for (block_id block = first; block < end; block++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            if (block_is_air(grid, block, slot)) {
                int64_t node[3];
                block_node(&grid->block[block], slot, node);
                engine_set(engine, 0, node, 1.25 * engine_get(engine, 0, node) + 0.5);
                break;
            }
    return engine_recheck_end(check, engine, &failure);
}

/* Each block of a part has a wrong value, so that any choice of blocks finds one. */
static void check_differences(const struct block_grid *grid, const struct wall_materials *walls)
{
    const struct parted_room room = {grid,
                                     NULL,
                                     {.options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1},
                                      .step = step_of(grid),
                                      .materials = ROOM_MATERIALS,
                                      .admittance = walls == NULL ? room_admittance : NULL,
                                      .walls = walls}};
    struct engine *engine = in_parts(&room, 3);
    struct partition cut;
    MUST(partition_make(grid, 3, PARTITION_WALL_COST, &cut, &failure));
    engine_fill(engine, 5);
    for (int n = 0; n < 60; n++) {
        MUST(recheck_with(engine, grid, 1, 1));
        engine_run(engine, (uint64_t)n % 3, NULL, NULL);
    }
    unsigned found = 0;
    for (unsigned n = 0; n < 12; n++) {
        char words[60];
        const unsigned p = n % 3;
        engine_fill(engine, 6 + n);
        if (recheck_with(engine, grid, cut.dense[p], cut.dense[p + 1]) == 0)
            continue; /* it checked list nodes */
        (void)snprintf(words, sizeof words, "part %u of the room: the pressure in block ", p);
        cr_assert(strstr(failure.sentence, words) == failure.sentence, "%s", failure.sentence);
        found++;
    }
    cr_assert(found >= (grid->list_nodes > 0 ? 6 : 12), "%u", found);
    MUST(engine_failed(engine, &failure)); /* a difference does not lose the engine */
    engine_free(engine);
    partition_free(&cut);
}

TEST_SCHEMES(parts_image, a_wrong_value_in_any_part_is_found_and_a_correct_run_has_no_difference)
{
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 9;
    struct lossy_room *room = room_for(scheme, room_ragged(13, 43, 41, 20, 0.1, 0.05, 17));
    struct cell_grids *cells = cell_grids_soup_for(3, ROOM_MATERIALS, scheme);
    draw_materials(&random, step_of(&room->blocks).period, ROOM_MATERIALS, 3, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, false, true};
    check_differences(&room->blocks, NULL);
    check_differences(&cells->blocks, &walls);
    cell_grids_free(cells);
    room_free(room);
}

TEST_SCHEMES(parts_image, and_neither_has_one_whose_air_loses_sound)
{
    struct lossy_room *room = room_for(scheme, room_ragged(13, 43, 41, 20, 0.1, 0.05, 17));
    lose_in_air();
    check_differences(&room->blocks, NULL);
    room_free(room);
}

TEST_SCHEMES(parts_image, a_difference_after_an_image_was_written_has_the_step_of_the_room)
{
    struct lossy_room *room = room_for(scheme, room_ragged(13, 43, 21, 20, 0.1, 0.05, 17));
    const struct parted_room parted = {
        &room->blocks,
        NULL,
        {.options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1},
         .step = step_of(&room->blocks),
         .materials = ROOM_MATERIALS,
         .admittance = room_admittance}};
    struct engine *two = in_parts(&parted, 2), *three = in_parts(&parted, 3);
    struct taken taken;
    engine_fill(two, 5);
    engine_run(two, 27, NULL, NULL);
    take(two, 7, &taken);
    put(three, 7, &taken);
    MUST_FAIL(recheck_with(three, &room->blocks, 1, block_list_first(&room->blocks)), FAILURE_SIMULATION,
              "in step 28, and the reference");
    free(taken.image);
    engine_free(two);
    engine_free(three);
    room_free(room);
}
