/* Sheets in rooms of chance: their energy, their bits on every back end, their states in images. */
#include <math.h>
#include <stdio.h>

#include "kernels/engine/engine_image.h"
#include "tests/sheets/sheet_room.h"

#define SIDE 19

static uint64_t draw(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *random >> 33;
}

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
                const double value = (double)(draw(&random) % 2001) / 1000.0 - 1.0;
                engine_set(engine, 0, node, value);
                engine_set(engine, 1, node, value + (double)(draw(&random) % 201) / 1000.0 - 0.1);
            }
}

static const struct sheet_law laws[] = {
    {.resistance = 0.5, .mass = 0.7, .pores_resistance = 1.5, .pores_mass = 2.0},
    {.pores_resistance = 0.4, .pores_mass = INFINITY},
    {.mass = 30.0},
    {.resistance = 1e4},
    {.pores_resistance = 1e-3, .pores_mass = 1e-3},
};

TEST_SCHEMES(sheet_rooms, what_sheets_take_is_all_that_the_energy_loses)
{
    double worst = 0.0;
    for (unsigned n = 0; n < sizeof laws / sizeof *laws; ++n)
        for (int layout = 0; layout < 2; ++layout) {
            const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
            struct walled_box *room = make_room(&step, &laws[n], n == 2 ? 0.0 : 0.5, false);
            const struct wall_material hard = {0};
            const struct wall_materials walls = {1, &hard, false, true};
            const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU,
                                                   SIMD_AUTO, 2};
            struct engine *engine = engine_of(&room->blocks, &room->box, &step, NULL, 1, &walls, &options);
            double absorbed[2], most = 0.0;
            fill(engine, room);
            const double start = engine_energy(engine);
            for (int batch = 0; batch < 40; ++batch) {
                const double before = absorbed[0] = batch == 0 ? 0.0 : absorbed[0];
                engine_run(engine, 17 + (uint64_t)batch, NULL, NULL);
                engine_absorbed(engine, absorbed);
                cr_assert(absorbed[0] >= before);
                most = fmax(most, fabs(engine_energy(engine) + absorbed[0] - start) / start);
            }
            cr_assert(n == 2 || absorbed[0] > 1e-6 * start);
            cr_assert(most < 1e-13, "law %u: the balance is off by %g", n, most);
            worst = fmax(worst, most);
            engine_free(engine);
            walled_box_free(room);
        }
    (void)fprintf(stderr, "energy of rooms with sheets: off by %.1e at most\n", worst);
}

/* Where sheets end at lossy walls, what these take is in the account to rounding, too. */
TEST_SCHEMES(sheet_rooms, sheets_that_end_at_lossy_walls_leave_the_account_closed)
{
    double worst = 0.0;
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_material material = {
        3, {{0.4 / 343.2, 3.0, 100.0}, {.E = 20.0}, {0.1 / 343.2, 1.0, 30.0}}};
    for (int layout = 0; layout < 2; ++layout) {
        struct walled_box *room = make_room(&step, &laws[0], 0.5, true);
        const struct wall_materials walls = {1, &material, scheme == SCHEME_STANDARD, true};
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                               2};
        struct engine *engine = engine_of(&room->blocks, &room->box, &step, NULL, 1, &walls, &options);
        double absorbed[2];
        fill(engine, room);
        engine_run(engine, 1, NULL, NULL);
        engine_absorbed(engine, absorbed);
        const double start = engine_energy(engine) + absorbed[0];
        for (int batch = 0; batch < 40; ++batch) {
            engine_run(engine, 17, NULL, NULL);
            engine_absorbed(engine, absorbed);
            worst = fmax(worst, fabs(engine_energy(engine) + absorbed[0] - start) / start);
        }
        cr_assert(worst < 1e-13, "the balance is off by %g", worst);
        engine_free(engine);
        walled_box_free(room);
    }
    (void)fprintf(stderr, "with lossy walls: off by %.1e at most\n", worst);
}

/* A law without resistance and mass leaves the field of the open room, bit for bit. */
TEST_SCHEMES(sheet_rooms, a_sheet_of_nothing_is_not_there)
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
        struct sheet_cuts cuts = {0};
        cuts.cut = calloc(81, sizeof *cuts.cut);
        cr_assert(cuts.cut != NULL);
        for (int64_t z = 0; z < 9; ++z)
            for (int64_t y = 0; y < 9; ++y)
                cuts.cut[cuts.count++] = (struct sheet_cut){{11, y, z}, 0, 0, 1.0, 1};
        const double share = 0;
        MUST(block_grid_hang(&room->blocks, &cuts, sheet_room_share, &share, &failure));
        MUST(block_grid_give_laws(&room->blocks, &law, 1, &failure));
        sheet_cuts_free(&cuts);
        struct engine *engine = engine_of(&room->blocks, &room->box, &step, &hard, 1, NULL, &options);
        engine_set(engine, 0, (int64_t[3]){3, 4, 4}, 1.0);
        engine_run(engine, 200, NULL, NULL);
        const double behind = fabs(engine_get(engine, 0, (int64_t[3]){18, 4, 4}));
        cr_assert(n == 0 ? behind < 1e-5 : behind > 1e-3, "%g", behind);
        engine_free(engine);
        walled_box_free(room);
    }
}

/* A device takes the weights of walls from rounded shares in single precision, as device_pair.h says. */
static double figures_off(const struct engine *engine)
{
    return engine->device != NULL && engine->real_bytes == sizeof(float) ? 1e-5 : 1e-12;
}

TEST_SCHEMES(sheet_rooms, every_back_end_gives_the_same_bits_with_a_source_at_the_sheet_and_lossy_walls)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    struct walled_box *room = make_room(&step, &laws[0], 0.5, true);
    const struct wall_material material = {2, {{0.4 / 343.2, 3.0, 100.0}, {.E = 20.0}}};
    for (int states = 0; states < 2; ++states)
        for (int precision = 0; precision < 2; ++precision) {
            const struct wall_materials walls = {1, &material, scheme == SCHEME_STANDARD, true};
            const double admittance = 0.3;
            struct back_ends all = {
                .mask = BACK_ENDS_EVERY, .one_precision = true, .precision = (enum precision)precision};
            uint64_t hash = 0;
            double energy = 0.0, absorbed[2] = {0}, first[2] = {0};
            while (back_ends_next(&all)) {
                struct engine *engine = engine_of(&room->blocks, &room->box, &step, &admittance, 1,
                                                  states ? &walls : NULL, &all.options);
                double drive[97];
                const struct sheet_link *const link = &room->blocks.sheet[room->blocks.sheets / 2];
                int64_t node[3];
                block_node(&room->blocks.block[link->block], link->slot, node);
                const struct stencil stencil = walled_box_stencil(node);
                for (int n = 0; n < 97; ++n)
                    drive[n] = sin(0.3 * n);
                MUST(engine_add_source(engine, &stencil, &failure));
                fill(engine, room);
                for (int n = 0; n < 3; ++n)
                    engine_run(engine, 97, drive, NULL);
                if (states)
                    engine_absorbed(engine, absorbed);
                back_ends_sound(engine);
                if (hash == 0) {
                    hash = engine_hash(engine);
                    energy = engine_energy(engine);
                    memcpy(first, absorbed, sizeof first);
                }
                cr_assert(engine_hash(engine) == hash, "%s", engine_description(engine));
                cr_assert(fabs(engine_energy(engine) - energy) <= figures_off(engine) * energy,
                          "%s: %.17g and %.17g", engine_description(engine), engine_energy(engine), energy);
                cr_assert(fabs(absorbed[0] - first[0]) <= figures_off(engine) * fabs(first[0]),
                          "%s: %.17g and %.17g", engine_description(engine), absorbed[0], first[0]);
                engine_free(engine);
            }
        }
    walled_box_free(room);
}

TEST_SCHEMES(sheet_rooms, an_image_carries_the_flows_from_any_back_end_to_any_other)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    struct walled_box *room = make_room(&step, &laws[0], 0.5, true);
    const struct wall_material material = {2, {{0.4 / 343.2, 3.0, 100.0}, {.E = 20.0}}};
    const struct wall_materials walls = {1, &material, scheme == SCHEME_STANDARD, true};
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        struct engine *from = engine_of(&room->blocks, &room->box, &step, NULL, 1, &walls, &all.options);
        fill(from, room);
        engine_run(from, 61, NULL, NULL);
        struct back_ends others = {
            .mask = BACK_ENDS_ALL, .one_precision = true, .precision = all.options.precision};
        struct engine_image *image;
        const uint32_t end = room->blocks.blocks + 1;
        const uint64_t size = engine_image_bytes(from, 1, end);
        char *bytes = malloc(size);
        double sums[2], absorbed[2], again[2];
        cr_assert(bytes != NULL);
        const uint64_t steps = engine_image_get_steps(from, sums);
        MUST(engine_image_open(from, false, &image, &failure));
        MUST(engine_image_get(image, 1, end, bytes, &failure));
        MUST(engine_image_close(image, &failure));
        engine_run(from, 44, NULL, NULL);
        engine_absorbed(from, absorbed);
        while (back_ends_next(&others)) {
            struct engine *to = engine_of(&room->blocks, &room->box, &step, NULL, 1, &walls, &others.options);
            engine_run(to, 5, NULL, NULL);
            MUST(engine_image_open(to, true, &image, &failure));
            for (uint32_t block = 1; block < end; ++block)
                MUST(engine_image_set(image, block, block + 1, bytes + engine_image_bytes(from, 1, block),
                                      &failure));
            engine_image_set_steps(to, steps, sums);
            MUST(engine_image_close(image, &failure));
            engine_run(to, 44, NULL, NULL);
            engine_absorbed(to, again);
            cr_assert(engine_hash(to) == engine_hash(from), "%s to %s", engine_description(from),
                      engine_description(to));
            cr_assert(fabs(again[0] - absorbed[0]) <= fmax(figures_off(to), figures_off(from)) * absorbed[0]);
            engine_free(to);
        }
        free(bytes);
        engine_free(from);
    }
    walled_box_free(room);
}
