/* Parts of a room on several simulated devices (stand_in_cards.h): the bits of one room on the CPU and its
 * energies to rounding, with any delay of any stream, from device to device and through the host. A device
 * that fails ends the run, and no part waits for ever. */
#include <math.h>

#include "kernels/parts/local_parts.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"
#include "tests/parts/stand_in_cards.h"

#define MATERIALS 4
#define RECEIVERS 5
#define STEPS     17
#define BATCHES   2

static const double admittance[MATERIALS] = {0.0, 0.03, 0.5, 2.5};
static const unsigned card[] = {2, 0, 1, 0};

/* Of the air in all rooms from now on; without states: none. */
static struct air_loss air;

struct trace {
    uint64_t hash;
    double output[BATCHES][RECEIVERS * STEPS], energy[BATCHES], absorbed[BATCHES][MATERIALS + 1], largest;
    double order[BATCHES]; /* energy_order() of one room on the host */
};

/* On the CPU without cards. */
static struct engine *engine_on(const struct block_grid *grid, struct part_setup setup, unsigned cards,
                                enum halo_way way)
{
    struct engine *engine = NULL;
    struct part_link link;
    if (cards == 0)
        return engine_of(grid, NULL, &setup.step, setup.admittance, setup.materials, setup.walls,
                         &setup.options);
    setup.options.backend = BACKEND_CUDA;
    setup.back_ends = &pretended_back_ends;
    MUST(local_devices(&pretended_table, cards, card, way, &link, &failure));
    MUST(engine_in_parts(&engine, grid, &setup, PARTITION_WALL_COST, &link, &failure));
    return engine;
}

/* Single nodes far from each other; the field is set at some, so that ghosts must be updated. */
static void node_of(const struct block_grid *grid, uint64_t *random, struct stencil *out)
{
    for (;;) {
        const block_id id = 1 + (block_id)(test_random(random) % (block_list_first(grid) - 1));
        const unsigned slot = (unsigned)(test_random(random) % BLOCK_NODES);
        if (!block_is_air(grid, id, slot))
            continue;
        *out = (struct stencil){.count = 1, .weight = {1.0}};
        block_node(&grid->block[id], slot, out->node[0]);
        return;
    }
}

static void run(const struct block_grid *grid, const struct part_setup *setup, unsigned cards,
                enum halo_way way, struct trace *trace)
{
    struct engine *engine = engine_on(grid, *setup, cards, way);
    struct stencil stencil;
    uint64_t random = 7;
    *trace = (struct trace){0};
    MUST(engine_set_air(engine, &air, &failure));
    for (int n = 0; n < RECEIVERS; n++) {
        node_of(grid, &random, &stencil);
        MUST(engine_add_receiver(engine, &stencil, &failure));
    }
    for (int batch = 0; batch < BATCHES; batch++) {
        for (int n = 0; n < 20; n++) {
            node_of(grid, &random, &stencil);
            engine_set(engine, n & 1, stencil.node[0], test_uniform(&random, -1.0, 1.0));
        }
        engine_run(engine, STEPS, NULL, trace->output[batch]);
        if (setup->walls != NULL)
            engine_absorbed(engine, trace->absorbed[batch]);
        trace->energy[batch] = engine_energy(engine);
        if (cards == 0)
            trace->order[batch] = energy_order(engine, trace->energy[batch]);
    }
    trace->hash = engine_hash(engine);
    trace->largest = engine_health(engine).largest;
    MUST(engine_failed(engine, &failure));
    engine_free(engine);
}

static void same_on_cards(const struct block_grid *grid, const struct wall_materials *walls)
{
    static struct trace one, parts;
    for (int precision = 0; precision < 2; precision++) {
        const struct part_setup setup = {
            .options = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_CPU, SIMD_AUTO, 1},
            .step = time_step_for(grid->isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD, 1.0, 340.0, 0.0),
            .materials = MATERIALS,
            .admittance = walls != NULL ? NULL : admittance,
            .walls = walls};
        run(grid, &setup, 0, HALO_HOST, &one);
        cr_assert(one.largest > 1e-4);
        for (unsigned cards = 1; cards <= 4; cards += cards)
            for (int way = HALO_HOST; way <= HALO_QUEUED; way += HALO_QUEUED) {
                run(grid, &setup, cards, (enum halo_way)way, &parts);
                cr_assert(one.hash == parts.hash, "the field on %u cards, way %d", cards, way);
                cr_assert(memcmp(one.output, parts.output, sizeof one.output) == 0);
                for (int n = 0; n < BATCHES; n++) {
                    cr_assert(test_near(one.energy[n], parts.energy[n], one.order[n]),
                              "energy %.17g, not %.17g", parts.energy[n], one.energy[n]);
                    for (int m = 0; m <= MATERIALS; m++)
                        cr_assert(test_near(one.absorbed[n][m], parts.absorbed[n][m],
                                            absorbed_order(grid, one.absorbed[n][m])));
                }
                cr_assert(one.largest == parts.largest);
            }
    }
    cr_assert(pretended.copies > 0 && pretended.transfers_to_host > 0);
}

/* Not after every step, and not after the last of a batch. */
static void lose_in_air(void)
{
    air = (struct air_loss){.states = 2, .every = 3, .follow = {0.03, 1.2}, .share = {0.5, 0.3}};
}

TEST_SCHEMES(local_devices, have_the_bits_of_one_room_whose_air_loses_sound)
{
    struct cell_grids *room = cell_grids_box_for(28.3, 17.8, 20.1, MATERIALS, scheme);
    lose_in_air();
    same_on_cards(&room->blocks, NULL);
    cell_grids_free(room);
}

Test(local_devices, go_on_without_losses_of_the_air_where_a_card_has_no_memory_for_them)
{
    struct cell_grids *room = cell_grids_soup_for(83, MATERIALS, SCHEME_STANDARD);
    const struct part_setup setup = {.options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1},
                                     .step = time_step_for(SCHEME_STANDARD, 1.0, 340.0, 0.0),
                                     .materials = MATERIALS,
                                     .admittance = admittance};
    struct engine *engine = engine_on(&room->blocks, setup, 2, HALO_HOST);
    const uint64_t bytes = engine_bytes(engine);
    lose_in_air();
    pretended.fails_on = card[1];
    pretended.no_air = true;
    MUST_FAIL(engine_set_air(engine, &air, &failure), FAILURE_CAPACITY, "no room for losses of the air");
    cr_assert(engine_air_loss(engine) == NULL && engine_bytes(engine) == bytes);
    engine_run(engine, 3, NULL, NULL);
    MUST(engine_failed(engine, &failure));
    pretended.no_air = false;
    MUST(engine_set_air(engine, &air, &failure));
    cr_assert(engine_bytes(engine) == 2 * bytes);
    engine_free(engine);
    cell_grids_free(room);
}

TEST_SCHEMES(local_devices, have_the_bits_of_one_room_between_walls_with_states)
{
    struct wall_material material[MATERIALS];
    struct cell_grids *room = cell_grids_soup_for(81, MATERIALS, scheme);
    const struct time_step step = time_step_for(scheme, 1.0, 340.0, 0.0);
    uint64_t random = 82;
    draw_materials(&random, step.period, MATERIALS, 3, material);
    const struct wall_materials walls = {MATERIALS, material, false, true};
    same_on_cards(&room->blocks, &walls);
    cell_grids_free(room);
}

TEST_SCHEMES(local_devices, have_the_bits_of_one_room_between_plain_walls)
{
    struct cell_grids *room = cell_grids_box_for(28.3, 17.8, 20.1, MATERIALS, scheme);
    same_on_cards(&room->blocks, NULL);
    cell_grids_free(room);
}

Test(local_devices, a_card_that_fails_ends_the_run_and_nobody_waits_for_it)
{
    struct cell_grids *room = cell_grids_box_for(28.3, 17.8, 20.1, MATERIALS, SCHEME_ISOTROPIC);
    const struct part_setup setup = {.options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1},
                                     .step = time_step_for(SCHEME_ISOTROPIC, 1.0, 340.0, 0.0),
                                     .materials = MATERIALS,
                                     .admittance = admittance};
    for (int way = HALO_HOST; way <= HALO_QUEUED; way += HALO_QUEUED) {
        double output[STEPS];
        struct stencil stencil;
        uint64_t random = 9;
        pretended.fails_on = 0;
        pretended.fails_after = 13;
        struct engine *engine = engine_on(&room->blocks, setup, 3, (enum halo_way)way);
        node_of(&room->blocks, &random, &stencil);
        MUST(engine_add_receiver(engine, &stencil, &failure));
        engine_set(engine, 0, stencil.node[0], 1.0);
        engine_run(engine, STEPS, NULL, output);
        MUST_FAIL(engine_failed(engine, &failure), FAILURE_OUTPUT, "card 0 fell off the bus");
        cr_assert(isnan(output[0]) && isnan(output[STEPS - 1]));
        engine_run(engine, STEPS, NULL, output);
        cr_assert(isnan(engine_energy(engine)) && isnan(output[0]));
        engine_free(engine);
        pretended.no_taps = true;
        engine = engine_on(&room->blocks, setup, 3, (enum halo_way)way);
        engine_run(engine, STEPS, NULL, NULL);
        MUST_FAIL(engine_failed(engine, &failure), FAILURE_CAPACITY, "card 0 has no room for receivers");
        engine_free(engine);
        pretended.no_taps = false;
    }
    cell_grids_free(room);
}

Test(local_devices, go_from_card_to_card_where_all_reach_one_another)
{
    struct cell_grids *room = cell_grids_box_for(28.3, 17.8, 20.1, MATERIALS, SCHEME_STANDARD);
    const struct part_setup setup = {.options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1},
                                     .step = time_step_for(SCHEME_STANDARD, 1.0, 340.0, 0.0),
                                     .materials = MATERIALS,
                                     .admittance = admittance};
    static const unsigned three[] = {0, 1, 2}, twice[] = {1, 1}, missing[] = {0, 7};
    struct part_link link;
    struct engine *engine = NULL;
    cr_assert(local_devices_way(&pretended_table, 3, three) == HALO_QUEUED);
    pretended.apart = true;
    cr_assert(local_devices_way(&pretended_table, 3, three) == HALO_HOST &&
              local_devices_way(&pretended_table, 2, twice) == HALO_QUEUED);
    struct part_setup on = setup;
    on.options.backend = BACKEND_CUDA;
    on.back_ends = &pretended_back_ends;
    MUST(local_devices(&pretended_table, 2, missing, HALO_HOST, &link, &failure));
    MUST_FAIL(engine_in_parts(&engine, &room->blocks, &on, PARTITION_WALL_COST, &link, &failure),
              FAILURE_CAPACITY, "there is no GPU 7");
    engine = engine_on(&room->blocks, setup, 2, HALO_QUEUED);
    cr_assert(strstr(engine_description(engine), "cuda in 2 cards, blocks, single") != NULL, "%s",
              engine_description(engine));
    engine_free(engine);
    cell_grids_free(room);
}

/* On one device: the copy is in its memory, and steps continue while a thread reads it. Without memory for
 * the copy there is no failure. */
TEST_SCHEMES(local_devices, a_card_hands_out_a_copy_of_its_field_while_it_steps)
{
    struct wall_material material[MATERIALS];
    uint64_t random = 9;
    struct cell_grids *room = cell_grids_box_for(28.3, 17.8, 20.1, MATERIALS, scheme);
    const struct time_step step = time_step_for(scheme, 1.0, 340.0, 0.0);
    draw_materials(&random, step.period, MATERIALS, 3, material);
    const struct wall_materials walls = {MATERIALS, material, false, true};
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CUDA, SIMD_AUTO, 1};
    for (int w = 0; w < 3; w++) { /* plain walls, walls with states, and losses of the air */
        const struct engine_settings settings = {.back_ends = &pretended_back_ends,
                                                 .blocks = &room->blocks,
                                                 .step = &step,
                                                 .materials = MATERIALS,
                                                 .admittance = admittance,
                                                 .walls = w == 1 ? &walls : NULL,
                                                 .options = &options};
        struct engine *engine = NULL;
        MUST(engine_create_with(&engine, &settings, &failure));
        if (w == 2)
            lose_in_air();
        MUST(engine_set_air(engine, &air, &failure));
        for (int turn = 0; turn < 3; turn++) {
            struct taken waited, copy, end, again;
            for (int n = 0; n < 20; n++) {
                struct stencil stencil;
                node_of(&room->blocks, &random, &stencil);
                engine_set(engine, n & 1, stencil.node[0], test_uniform(&random, -1.0, 1.0));
            }
            engine_run(engine, STEPS, NULL, NULL);
            take(engine, 300, &waited);
            pretended.no_copy = turn == 1;
            cr_assert(take_beside(engine, 7, STEPS, &copy) == (turn != 1));
            take(engine, 3, &end);
            if (turn != 1) {
                cr_assert(memcmp(copy.image, waited.image, (size_t)waited.bytes) == 0);
                cr_assert(memcmp(copy.image, end.image, (size_t)end.bytes) != 0);
                free(copy.image);
            }
            if (w != 1) {
                put(engine, 5, &waited);
                engine_run(engine, turn != 1 ? STEPS : 0, NULL, NULL);
                take(engine, 4, &again);
                cr_assert(same_reals(&again, &end));
                free(again.image);
            }
            free(waited.image);
            free(end.image);
        }
        MUST(engine_failed(engine, &failure));
        engine_free(engine);
    }
    cell_grids_free(room);
}
