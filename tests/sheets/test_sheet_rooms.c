/* Sheets in rooms with random fields: energy, bits on every back end, states in images. */
#include <math.h>
#include <stdio.h>

#include "tests/sheets/sheet_room.h"

#define SIDE 19

/* A slanting sheet with an edge within the room, so that links of all axes are cut. */
static double slanting(void *context, const int64_t node[3], int axis)
{
    (void)context;
    int64_t there[3] = {node[0], node[1], node[2]};
    ++there[axis];
    const int64_t here = 3 * node[0] + 2 * node[1] - node[2] - 35,
                  beyond = 3 * there[0] + 2 * there[1] - there[2] - 35;
    return node[2] < SIDE - 4 && (here < 0) != (beyond < 0) ? sqrt(14.0) / fabs((double)(beyond - here))
                                                            : 0.0;
}

static struct walled_box *make_room(const struct time_step *step, const struct sheet_law *law, double share,
                                    bool lossy)
{
    static const int64_t nodes[3] = {SIDE, SIDE - 2, SIDE + 2};
    uint16_t face[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; ++d)
        face[d] = lossy ? 0 : VOXELS_NO_MATERIAL;
    struct walled_box *room = walled_box_make(nodes, face);
    sheet_room_hang(room, step, share, law, slanting, NULL);
    cr_assert(room->blocks.sheets > 300);
    return room;
}

static void fill(struct engine *engine, const struct walled_box *room)
{
    uint64_t random = 7;
    int64_t node[3];
    for (node[2] = 0; node[2] < room->nodes[2]; ++node[2])
        for (node[1] = 0; node[1] < room->nodes[1]; ++node[1])
            for (node[0] = 0; node[0] < room->nodes[0]; ++node[0]) {
                const double value = test_uniform(&random, -1.0, 1.0);
                engine_set(engine, 0, node, value);
                engine_set(engine, 1, node, value + test_uniform(&random, -0.1, 0.1));
            }
}

static const struct sheet_law laws[] = {
    {.resistance = 0.5, .mass = 0.7, .pores_resistance = 1.5, .pores_mass = 2.0},
    {.pores_resistance = 0.4, .pores_mass = INFINITY},
    {.mass = 30.0},
    {.resistance = 1e4},
    {.pores_resistance = 1e-3, .pores_mass = 1e-3},
};

/* Largest change of energy and absorbed energy together, over the energy at the start. */
static double unbalanced(enum scheme scheme, const struct sheet_law *law, bool lossy, enum layout layout)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_material material[2] = {
        {0}, {3, {{0.4 / 343.2, 3.0, 100.0}, {.E = 20.0}, {0.1 / 343.2, 1.0, 30.0}}}};
    const struct wall_materials walls = {1, &material[lossy], lossy && scheme == SCHEME_STANDARD, true};
    const struct engine_options options = {layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 2};
    const bool loses = law->resistance > 0 || law->pores_resistance > 0;
    struct walled_box *room = make_room(&step, law, loses ? 0.5 : 0.0, lossy);
    struct engine *engine = engine_of(&room->blocks, &room->box, &step, NULL, 1, &walls, &options);
    double absorbed[2], most = 0.0;
    fill(engine, room);
    engine_run(engine, 1, NULL, NULL);
    engine_absorbed(engine, absorbed);
    const double start = engine_energy(engine) + absorbed[0];
    for (int batch = 0; batch < 40; ++batch) {
        const double before = absorbed[0];
        engine_run(engine, 17 + (uint64_t)batch, NULL, NULL);
        engine_absorbed(engine, absorbed);
        cr_assert(absorbed[0] >= before);
        most = fmax(most, fabs(engine_energy(engine) + absorbed[0] - start) / start);
    }
    cr_assert(absorbed[0] > 1e-6 * start || !loses);
    engine_free(engine);
    walled_box_free(room);
    return most;
}

TEST_SCHEMES(sheet_rooms, what_sheets_and_the_walls_they_end_at_take_is_all_that_the_energy_loses)
{
    double worst = 0.0;
    for (unsigned n = 0; n <= sizeof laws / sizeof *laws; ++n)
        for (int layout = 0; layout < 2; ++layout) {
            const bool lossy = n == sizeof laws / sizeof *laws;
            const double off = unbalanced(scheme, &laws[lossy ? 0 : n], lossy, (enum layout)layout);
            cr_assert(off < 1e-13, "law %u: the balance is off by %g", n, off);
            worst = fmax(worst, off);
        }
    (void)fprintf(stderr, "energy of rooms with sheets: off by %.1e at most\n", worst);
}

/* A law without resistance and mass leaves the field of the open room, bit for bit. */
TEST_SCHEMES(sheet_rooms, a_sheet_without_resistance_and_mass_changes_no_bit)
{
    static const struct sheet_law nothing[] = {{0}, {.pores_resistance = 5.0}, {.pores_mass = 5.0}};
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    for (int n = 0; n < 3; ++n) {
        struct walled_box *room = make_room(&step, &nothing[n], 1.0, false);
        const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
        const double hard = 0.0;
        struct engine *with = engine_of(&room->blocks, &room->box, &step, &hard, 1, NULL, &options);
        fill(with, room);
        engine_run(with, 300, NULL, NULL);
        struct walled_box *open = walled_box_for(room->nodes, room->face, &step);
        struct engine *without = engine_of(&open->blocks, &open->box, &step, &hard, 1, NULL, &options);
        fill(without, room);
        engine_run(without, 300, NULL, NULL);
        cr_assert(engine_hash(with) == engine_hash(without));
        engine_free(with);
        engine_free(without);
        walled_box_free(room);
        walled_box_free(open);
    }
}

static double across_x(void *context, const int64_t node[3], int axis)
{
    (void)context;
    return axis == 0 && node[0] == 11 ? 1.0 : 0.0;
}

/* A heavy sheet over the whole room is a rigid wall; a light one lets nearly all pass. */
Test(sheet_rooms, the_room_behind_a_heavy_sheet_stays_silent)
{
    static const int64_t nodes[3] = {24, 9, 9};
    const struct time_step step = time_step_for(SCHEME_STANDARD, 1.0, 343.2, 0);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    const double hard = 0.0;
    for (int n = 0; n < 2; ++n) {
        const struct sheet_law law = {.mass = n == 0 ? 1e9 : 1e-9};
        struct walled_box *room = walled_box_make(nodes, walled_box_rigid);
        sheet_room_hang(room, &step, 0, &law, across_x, NULL);
        struct engine *engine = engine_of(&room->blocks, &room->box, &step, &hard, 1, NULL, &options);
        engine_set(engine, 0, (int64_t[3]){3, 4, 4}, 1.0);
        engine_run(engine, 200, NULL, NULL);
        const double behind = fabs(engine_get(engine, 0, (int64_t[3]){18, 4, 4}));
        cr_assert(n == 0 ? behind < 1e-5 : behind > 1e-3, "%g", behind);
        engine_free(engine);
        walled_box_free(room);
    }
}

struct sheet_engine {
    const struct walled_box *room;
    const struct time_step *step;
    const struct wall_materials *walls; /* NULL: an admittance */
};

/* With a source at the sheet. */
static struct engine *make_engine(const void *context, const struct engine_options *options)
{
    const struct sheet_engine *made = context;
    const struct block_grid *const grid = &made->room->blocks;
    const struct sheet_link *const link = &grid->sheet[grid->sheets / 2];
    const double admittance = 0.3;
    struct engine *engine =
        engine_of(grid, &made->room->box, made->step, &admittance, 1, made->walls, options);
    int64_t node[3];
    block_node(&grid->block[link->block], link->slot, node);
    const struct stencil stencil = walled_box_stencil(node);
    MUST(engine_add_source(engine, &stencil, &failure));
    fill(engine, made->room);
    return engine;
}

TEST_SCHEMES(sheet_rooms, every_back_end_gives_the_same_bits_and_carries_on_the_flows_of_any_other)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    struct walled_box *room = make_room(&step, &laws[0], 0.5, true);
    const struct wall_material material = {2, {{0.4 / 343.2, 3.0, 100.0}, {.E = 20.0}}};
    const struct wall_materials walls = {1, &material, scheme == SCHEME_STANDARD, true};
    for (int states = 0; states < 2; ++states)
        back_ends_agree(make_engine, &(const struct sheet_engine){room, &step, states ? &walls : NULL});
    walled_box_free(room);
}
