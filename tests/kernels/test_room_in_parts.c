/* A room stepped in parts has the bits of the room as one: fields and outputs, whatever the scheme, the
 * walls, the precision, the number of parts and of threads. Energies and ledger are its to rounding. */
#include <math.h>

#include "kernels/engine/engine_back_ends.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/parts/local_parts.h"
#include "kernels/scheme/layer_law.h"
#include "tests/support/back_ends.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/support/hung_sheets.h"

#define MATERIALS  4
#define SOURCES    3
#define RECEIVERS  12
#define STEPS      12
#define BATCHES    2
#define CARD_PARTS 3

static const unsigned counts[] = {1, 2, 3, 7};
static const double admittance[MATERIALS] = {0.0, 0.03, 0.5, 2.5};

struct trace {
    uint64_t hash;
    double output[BATCHES][RECEIVERS * STEPS];
    double energy[BATCHES], absorbed[BATCHES][MATERIALS + 1], weight; /* error of a wall entry's weight */
    double order[BATCHES]; /* energy_order() of one room on the host */
    double largest;
};

/* Of the air in all rooms from now on; without states: none. */
static struct air_loss air;

/* Of parts on cards: how their values travel; and as many different cards as there are, in turn. */
static enum halo_way way = HALO_HOST;
static const unsigned *cards(unsigned parts)
{
    static unsigned card[CARD_PARTS];
    const unsigned there = device_count(back_ends_built.device[BACKEND_CUDA]);
    for (unsigned n = 0; n < parts && n < CARD_PARTS; n++)
        card[n] = n % there;
    return card;
}

/* The room as one with no parts, else in so many. */
static struct engine *engine_for(const struct block_grid *grid, const struct part_setup *setup,
                                 unsigned parts)
{
    struct engine *engine = NULL;
    struct part_link link;
    if (parts == 0)
        return engine_of(grid, NULL, &setup->step, setup->admittance, setup->materials, setup->walls,
                         &setup->options);
    if (setup->options.backend == BACKEND_CUDA)
        MUST(local_devices(back_ends_built.device[BACKEND_CUDA], parts, cards(parts), way, &link, &failure));
    else
        MUST(local_parts(parts, &link, &failure));
    MUST(engine_in_parts(&engine, grid, setup, PARTITION_WALL_COST, &link, &failure));
    return engine;
}

/* About an air node drawn at random: cubic where there is room. */
static struct stencil tap(const struct block_grid *grid, uint64_t *random)
{
    for (;;) {
        struct stencil stencil;
        int64_t node[3];
        double position[3];
        for (int a = 0; a < 3; a++)
            node[a] = grid->air_low[a] +
                      (int64_t)(test_random(random) % (uint64_t)(grid->air_high[a] - grid->air_low[a] + 1));
        const uint64_t index = block_grid_index(grid, node);
        if (index == UINT64_MAX ||
            !block_is_air(grid, (block_id)(index / BLOCK_NODES), (unsigned)(index % BLOCK_NODES)))
            continue;
        for (int a = 0; a < 3; a++)
            position[a] = grid->lattice.origin[a] +
                          grid->lattice.spacing * ((double)node[a] + test_uniform(random, -0.5, 0.5));
        MUST(stencil_make(grid, position, node, INTERPOLATION_CUBIC, &stencil, &failure));
        return stencil;
    }
}

static unsigned straddling(const struct block_grid *grid, const struct stencil *stencil, unsigned parts)
{
    struct partition partition;
    unsigned others = 0;
    MUST(partition_make(grid, parts, PARTITION_WALL_COST, &partition, &failure));
    const unsigned own =
        partition_owner(&partition, (block_id)(block_grid_index(grid, stencil->node[0]) / BLOCK_NODES));
    for (unsigned n = 1; n < stencil->count; n++)
        others += own != partition_owner(&partition,
                                         (block_id)(block_grid_index(grid, stencil->node[n]) / BLOCK_NODES));
    partition_free(&partition);
    return others > 0;
}

static void run(const struct block_grid *grid, const struct part_setup *setup, unsigned parts,
                struct trace *trace, unsigned *straddle)
{
    static double drive[SOURCES * STEPS];
    struct engine *engine = engine_for(grid, setup, parts);
    uint64_t random = 7;
    for (unsigned n = 0; n < SOURCES + RECEIVERS; n++) {
        struct stencil stencil = tap(grid, &random);
        while (n % SOURCES == 0 && !straddling(grid, &stencil, 3))
            stencil = tap(grid, &random);
        MUST(n < SOURCES ? engine_add_source(engine, &stencil, &failure)
                         : engine_add_receiver(engine, &stencil, &failure));
        straddle[n >= SOURCES] += parts > 1 && straddling(grid, &stencil, parts);
    }
    *trace = (struct trace){.weight = weight_error(engine)};
    if (air.states > 0)
        MUST(engine_set_air(engine, &air, &failure));
    engine_fill(engine, 5);
    for (int batch = 0; batch < BATCHES; batch++) {
        for (size_t n = 0; n < SOURCES * STEPS; n++)
            drive[n] = test_uniform(&random, -1.0, 1.0);
        engine_run(engine, STEPS, drive, trace->output[batch]);
        if (setup->walls != NULL && setup->walls->ledger)
            engine_absorbed(engine, trace->absorbed[batch]);
        trace->energy[batch] = engine_energy(engine);
        if (parts == 0)
            trace->order[batch] = energy_order(engine, trace->energy[batch]);
    }
    trace->hash = engine_hash(engine);
    const struct engine_health health = engine_health(engine);
    cr_assert(health.finite && engine_steps(engine) == BATCHES * STEPS);
    trace->largest = health.largest;
    MUST(engine_failed(engine, &failure));
    engine_free(engine);
}

static void agree(const struct block_grid *grid, const struct trace *one, const struct trace *parts,
                  const struct part_setup *setup, unsigned count)
{
    const char *const where = setup->options.precision == PRECISION_SINGLE ? "single" : "double";
    cr_assert(one->largest > 1e-3);
    cr_assert(one->hash == parts->hash, "%s in %u parts: the field differs", where, count);
    cr_assert(memcmp(one->output, parts->output, sizeof one->output) == 0, "%s in %u parts: outputs differ",
              where, count);
    for (int n = 0; n < BATCHES; n++) {
        cr_assert(
            test_near(one->energy[n], parts->energy[n], one->order[n] + parts->weight * fabs(one->energy[n])),
            "%s in %u parts: energy %.17g, not %.17g", where, count, parts->energy[n], one->energy[n]);
        for (int m = 0; m <= MATERIALS; m++)
            cr_assert(test_near(one->absorbed[n][m], parts->absorbed[n][m],
                                absorbed_order(grid, one->absorbed[n][m]) +
                                    parts->weight * fabs(one->absorbed[n][m])),
                      "%s in %u parts: absorbed %.17g, not %.17g", where, count, parts->absorbed[n][m],
                      one->absorbed[n][m]);
    }
    cr_assert(one->largest == parts->largest);
}

/* `walls` NULL: the admittances above. */
static struct part_setup setup_of(const struct time_step *step, const struct wall_materials *walls,
                                  enum precision precision, enum backend backend)
{
    return (struct part_setup){.options = {LAYOUT_BLOCKS, precision, backend, SIMD_AUTO, 1},
                               .step = *step,
                               .materials = MATERIALS,
                               .admittance = walls != NULL ? NULL : admittance,
                               .walls = walls};
}

/* Both precisions, all numbers of parts; each part by one thread or, in three, by two. */
static void same_in_parts(const struct block_grid *grid, const struct time_step *step,
                          const struct wall_materials *walls, enum backend backend)
{
    static struct trace one, parts;
    unsigned straddle[2] = {0, 0};
    for (int precision = 0; precision < 2; precision++) {
        struct part_setup setup = setup_of(step, walls, (enum precision)precision, backend);
        run(grid, &setup, 0, &one, straddle);
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            setup.options.threads = counts[n] == 3 ? 6 : 1;
            run(grid, &setup, counts[n], &parts, straddle);
            agree(grid, &one, &parts, &setup, counts[n]);
        }
    }
    cr_assert(straddle[0] > 0 && straddle[1] > 0, "no source or no receiver lies in several parts");
}

static struct time_step step_of(const struct block_grid *grid)
{
    return time_step_for(grid->isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD, 1.0, 340.0, 0.0);
}

/* A card steps each part, and all are held against processors that step the room as one. With one card its
 * parts share it: everything but the copies from card to card is done then. */
static void same_on_cards(const struct block_grid *grid, const struct time_step *step,
                          const struct wall_materials *walls)
{
    static struct trace one, parts;
    unsigned straddle[2] = {0, 0};
    if (back_ends_device() == NULL || back_ends_backend() != BACKEND_CUDA)
        return;
    if (device_count(back_ends_built.device[BACKEND_CUDA]) < 2)
        (void)fprintf(stderr, "SKIPPED: one CUDA device: no values went from card to card\n");
    for (int precision = 0; precision < 2; precision++) {
        struct part_setup setup = setup_of(step, walls, (enum precision)precision, BACKEND_CPU);
        run(grid, &setup, 0, &one, straddle);
        setup.options.backend = BACKEND_CUDA;
        for (unsigned count = 1; count <= CARD_PARTS; count++)
            for (int queued = 0; queued < 2; queued++) {
                way = queued ? local_devices_way(back_ends_built.device[BACKEND_CUDA], count, cards(count))
                             : HALO_HOST;
                run(grid, &setup, count, &parts, straddle);
                agree(grid, &one, &parts, &setup, count);
            }
    }
}

enum where { PROCESSORS = 1, CARDS = 2, OPEN = 4 };

/* A room of chance with further pieces of air between conformal walls, or one of stairs; its walls have so
 * many branches, inertance where they can, and a ledger. 0 branches: admittances. Sheets run from part to
 * part. OPEN: five faces of its box have a layer. */
static void same_room(enum scheme scheme, bool stairs, uint64_t seed, size_t branches, bool sheets,
                      unsigned where)
{
    struct wall_material material[MATERIALS];
    struct cell_grids *cells = stairs ? NULL : cell_grids_soup_for(seed, MATERIALS, scheme);
    struct lossy_room *room = stairs ? room_for(scheme, room_ragged(seed, 40, 31, 23, 0.2, 0.2, 24)) : NULL;
    struct block_grid *grid = stairs ? &room->blocks : &cells->blocks;
    const struct time_step step =
        stairs ? time_step_for(scheme, 1.0, 340.0, exact_courant(scheme)) : step_of(grid);
    cr_assert(stairs || (grid->list_nodes > 600 && grid->extra_links > 1000));
    draw_materials(&seed, step.period, MATERIALS, branches > 0 ? branches : 1, material);
    const struct wall_materials walls = {MATERIALS, material, stairs && scheme == SCHEME_STANDARD, true};
    if (sheets)
        hung_sheets(grid);
    for (int d = 0; where & OPEN && d < DIRECTIONS; d++)
        grid->layer[d] = d == 4 ? 0 : LAYER_CELLS;
    for (unsigned parts = 2; sheets && parts < 4; parts++)
        cr_assert(hung_sheets_between(grid, parts) > 10);
    if (where & PROCESSORS)
        same_in_parts(grid, &step, branches > 0 ? &walls : NULL, BACKEND_CPU);
    if (where & CARDS)
        same_on_cards(grid, &step, branches > 0 ? &walls : NULL);
    if (stairs)
        room_free(room);
    else
        cell_grids_free(cells);
}

TEST_SCHEMES(room_in_parts, conformal_walls_of_admittances_and_of_branches)
{
    same_room(scheme, false, 61, 0, false, PROCESSORS);
    same_room(scheme, false, 62, 4, false, PROCESSORS);
}

TEST_SCHEMES(room_in_parts, staircases_of_admittances_and_of_branches)
{
    same_room(scheme, true, 64, 0, false, PROCESSORS);
    same_room(scheme, true, 64, 3, false, PROCESSORS);
}

/* Sheets end at walls that have states, too. */
TEST_SCHEMES(room_in_parts, sheets_between_either_walls)
{
    same_room(scheme, false, 77, 0, true, PROCESSORS | CARDS);
    same_room(scheme, true, 78, 3, true, PROCESSORS | CARDS);
}

TEST_SCHEMES(room_in_parts, layers_behind_open_faces_with_either_walls)
{
    same_room(scheme, false, 81, 3, false, PROCESSORS | CARDS | OPEN);
    same_room(scheme, true, 82, 0, false, PROCESSORS | CARDS | OPEN);
}

/* States of every node in every part, and ghosts that lose as their owners do: after every step, and after
 * every fifth of batches of 12. */
TEST_SCHEMES(room_in_parts, losses_of_the_air_between_either_walls)
{
    air = (struct air_loss){.states = 2, .every = 1, .follow = {0.03, 1.2}, .share = {0.5, 0.3}};
    same_room(scheme, false, 84, 3, true, PROCESSORS | CARDS);
    same_room(scheme, true, 85, 0, false, PROCESSORS | OPEN);
    air = (struct air_loss){.states = 1, .every = 5, .follow = {0.7}, .share = {1.25}};
    same_room(scheme, true, 86, 3, true, PROCESSORS | CARDS);
}

TEST_SCHEMES(room_in_parts, on_cards_between_either_walls)
{
    for (int stairs = 0; stairs < 2; stairs++) {
        same_room(scheme, stairs, 72, 0, false, CARDS);
        same_room(scheme, stairs, 72, 4, false, CARDS);
    }
}

/* The definition, too; and its turned box has blocks of open air. */
TEST_SCHEMES(room_in_parts, the_reference)
{
    struct cell_grids *room = cell_grids_box_for(28.3, 17.8, 20.1, MATERIALS, scheme);
    const struct time_step step = step_of(&room->blocks);
    same_in_parts(&room->blocks, &step, NULL, BACKEND_REFERENCE);
    cell_grids_free(room);
}

/* Of walls so many that threads add them up by chunks, asked for twice. */
Test(room_in_parts, a_ledger_of_several_chunks)
{
    struct wall_material material[ROOM_MATERIALS];
    struct lossy_room *room = room_ragged(66, 70, 64, 64, 0.25, 0.25, 8);
    const struct time_step step = step_of(&room->blocks);
    uint64_t random = 67;
    cr_assert(room->blocks.walls > 2 * 65536);
    draw_materials(&random, step.period, ROOM_MATERIALS, 2, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, true, true};
    const struct part_setup setup = setup_of(&step, &walls, PRECISION_SINGLE, BACKEND_CPU);
    static double absorbed[2][ROOM_MATERIALS + 1];
    for (unsigned n = 0; n < 2; n++) {
        struct engine *engine = engine_for(&room->blocks, &setup, n == 0 ? 0 : 5);
        engine_fill(engine, 5);
        engine_run(engine, 5, NULL, NULL);
        engine_absorbed(engine, absorbed[n]);
        engine_run(engine, 3, NULL, NULL);
        engine_absorbed(engine, absorbed[n]);
        engine_free(engine);
    }
    for (int m = 0; m <= ROOM_MATERIALS; m++)
        cr_assert(test_near(absorbed[0][m], absorbed[1][m], absorbed_order(&room->blocks, absorbed[0][m])));
    cr_assert(absorbed[0][1] > 0.0);
    room_free(room);
}

/* Of many steps, so that what a lost value would do has come everywhere. */
Test(room_in_parts, hundreds_of_steps)
{
    struct cell_grids *room = cell_grids_soup_for(71, MATERIALS, SCHEME_ISOTROPIC);
    const struct time_step step = step_of(&room->blocks);
    const struct part_setup setup = setup_of(&step, NULL, PRECISION_SINGLE, BACKEND_CPU);
    uint64_t hash[2];
    for (unsigned n = 0; n < 2; n++) {
        struct engine *engine = engine_for(&room->blocks, &setup, n == 0 ? 0 : 3);
        engine_fill(engine, 5);
        engine_run(engine, 301, NULL, NULL);
        hash[n] = engine_hash(engine);
        engine_free(engine);
    }
    cr_assert(hash[0] == hash[1]);
    cell_grids_free(room);
}

Test(room_in_parts, single_nodes_blocks_and_a_reset)
{
    struct cell_grids *room = cell_grids_soup_for(68, MATERIALS, SCHEME_ISOTROPIC);
    const struct time_step step = step_of(&room->blocks);
    const struct part_setup setup = setup_of(&step, NULL, PRECISION_DOUBLE, BACKEND_CPU);
    struct engine *engine[2] = {engine_for(&room->blocks, &setup, 0), engine_for(&room->blocks, &setup, 3)};
    double values[2][BLOCK_NODES];
    int64_t node[3];
    for (int n = 0; n < 2; n++) {
        uint64_t random = 69;
        engine_fill(engine[n], 6);
        engine_run(engine[n], 3, NULL, NULL);
        engine_reset(engine[n]);
        for (int m = 0; m < 40; m++) {
            const struct stencil stencil = tap(&room->blocks, &random);
            engine_set(engine[n], m & 1, stencil.node[0], test_uniform(&random, -1.0, 1.0));
        }
        engine_run(engine[n], 20, NULL, NULL);
    }
    for (block_id b = 1; b <= room->blocks.blocks; b++) {
        engine_read_block(engine[0], b, values[0]);
        engine_read_block(engine[1], b, values[1]);
        cr_assert(memcmp(values[0], values[1], sizeof values[0]) == 0, "block %u", b);
    }
    uint64_t random = 70;
    const struct stencil stencil = tap(&room->blocks, &random);
    memcpy(node, stencil.node[0], sizeof node);
    for (int level = 0; level < 2; level++)
        cr_assert(engine_get(engine[0], level, node) == engine_get(engine[1], level, node));
    cr_assert(engine_hash(engine[0]) == engine_hash(engine[1]));

    /* The first node that is not finite, in the order of the room. */
    for (int m = 0; m < 5; m++) {
        const struct stencil bad = tap(&room->blocks, &random);
        for (int n = 0; n < 2; n++)
            engine_set(engine[n], 0, bad.node[0], NAN);
    }
    const struct engine_health health[2] = {engine_health(engine[0]), engine_health(engine[1])};
    cr_assert(health[0].finite == false && health[1].finite == false &&
              memcmp(health[0].bad_node, health[1].bad_node, sizeof node) == 0);
    engine_free(engine[0]);
    engine_free(engine[1]);
    cell_grids_free(room);
}

Test(room_in_parts, what_does_not_fit_is_refused)
{
    const int64_t low[3] = {0, 0, 0};
    struct lossy_room *room = room_box(16, 16, 8, low);
    struct part_setup setup = {.options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1},
                               .step = step_of(&room->blocks),
                               .materials = 1,
                               .admittance = admittance};
    struct engine *engine = NULL;
    struct part_link link;
    MUST(local_parts(5, &link, &failure));
    MUST_FAIL(engine_in_parts(&engine, &room->blocks, &setup, PARTITION_WALL_COST, &link, &failure),
              FAILURE_INPUT, "4 blocks of air and 5 parts");
    MUST(local_parts(2, &link, &failure));
    MUST_FAIL(engine_in_parts(&engine, &room->blocks, &setup, PARTITION_WALL_COST, &link, &failure),
              FAILURE_INPUT, "names material");
    setup.materials = ROOM_MATERIALS;
    MUST(local_parts(2, &link, &failure));
    MUST(engine_in_parts(&engine, &room->blocks, &setup, PARTITION_WALL_COST, &link, &failure));
    const struct stencil outside = {.count = 1, .node = {{-1, 0, 0}}, .weight = {1.0}};
    MUST_FAIL(engine_add_receiver(engine, &outside, &failure), FAILURE_INPUT, "which is not air");
    engine_free(engine);
    room_free(room);
}
