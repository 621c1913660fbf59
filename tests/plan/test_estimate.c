/* What a run takes on a device and on the host, which back end it gets, and how one that does not
 * fit is refused: with a device that is none (stand_in_device.h). */
#include "blocks/plaquettes.h"
#include "rooms/shapes/seed_shape.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_engine.h"
#include "tests/support/flooded_room.h"
#include "tests/support/outcome.h"
#include "tests/support/stand_in_device.h"

#define EDGE 64

/* A rigid cube of EDGE cells, 3.2 m wide, as the commands hold it; freed with its test. */
static struct room_setup setup;
static struct room_estimate estimate;

static void make_room(void)
{
    struct voxels voxels = {0};
    setup = (struct room_setup){
        .request = {.grid = {.points_per_wavelength = 10.5},
                    .plan = {.duration = 1, .budget = 600},
                    .engine = {.threads = 1}},
        .backend = {.back_ends = &stand_in_back_ends, .devices = BACKEND_CUDA},
        .notices = {.quiet = true},
        .model = {.high = {3.2, 3.2, 3.2}, .air = {20, 50, 101.325}, .sound_speed = 343.2},
        .points = {.sources = 2, .receivers = 3},
        .grid = {.fmax = 653}};
    estimate = (struct room_estimate){0};
    MUST(seed_shape_voxels(SEED_CUBE, EDGE, &voxels, &failure));
    voxels.lattice.spacing = 3.2 / EDGE;
    MUST(block_grid_pack(&voxels, &setup.grid.packed, &failure));
    setup.grid.voxels_bytes = 1000;
    voxels_free(&voxels);
    MUST(time_step_choose(SCHEME_STANDARD, 3.2 / EDGE, 343.2, 0, &setup.grid.step, &failure));
}

static void free_room(void)
{
    block_grid_free(&setup.grid.packed);
}

TestSuite(estimate, .init = make_room, .fini = free_room);

static int choose(enum option_backend asked_for, struct failure *why)
{
    TRY(backend_choice_begin(asked_for, &stand_in_back_ends, 0, &setup.backend, why));
    estimate_choose_backend(&setup, &estimate);
    return 0;
}

/* The room counted on a back end, with all the memory of both. */
static struct room_needs needs_on(enum backend backend)
{
    estimate_from_grid(&setup, &estimate);
    setup.backend.device = stand_in.device;
    setup.backend.found = true;
    estimate.backend = backend;
    estimate.device_available = (double)stand_in.device.bytes_free;
    return estimate_needs_of_grid(&setup, &setup.grid, &estimate);
}

/* ---- bytes ---- */

Test(estimate, a_device_is_asked_for_the_exact_counts_of_the_grid)
{
    struct wall_material soft = {.branches = 1};
    setup.model.mesh.material_count = 1;
    setup.model.wall = &soft;
    setup.backend.device = stand_in.device;
    const struct room_needs needs = needs_on(BACKEND_CUDA);
    const struct device_room *room = &asked.room[0];
    cr_assert(eq(uint, asked.room_count, 1));
    cr_assert(room->layout == LAYOUT_BLOCKS && room->precision == PRECISION_SINGLE);
    cr_assert(eq(dbl, room->blocks, 512));
    cr_assert(eq(dbl, room->tiles, (double)setup.grid.packed.tiles));
    cr_assert(eq(dbl, room->wall_nodes, (double)(EDGE * EDGE * EDGE - 62 * 62 * 62)));
    cr_assert(eq(dbl, room->wall_entries, (double)setup.grid.packed.walls));
    cr_assert(room->ledger, "a run keeps a ledger");
    for (int axis = 0; axis < 3; axis++)
        cr_assert(eq(dbl, room->box_nodes[axis], EDGE));
    cr_assert(eq(dbl, room->sources, 2));
    cr_assert(eq(dbl, room->receivers, 3 + room->sources)); /* the energy ledger hears the sources */
    cr_assert(eq(dbl, needs.bytes_device, 512 * stand_in.bytes_a_block));
    setup.request.engine.layout = LAYOUT_BOX;
    setup.request.engine.precision = PRECISION_DOUBLE;
    (void)needs_on(BACKEND_CUDA);
    cr_assert(asked.room[1].layout == LAYOUT_BOX && asked.room[1].precision == PRECISION_DOUBLE);
    soft.branches = 0;
    (void)needs_on(BACKEND_CUDA);
    cr_assert(asked.room[0].ledger == false, "hard walls have nothing to keep account of");
}

Test(estimate, each_of_several_cards_is_asked_for_its_part_and_what_is_beside_it)
{
    setup.backend.backend = BACKEND_CUDA;
    const double whole = needs_on(BACKEND_CUDA).bytes_device, host = needs_on(BACKEND_CUDA).bytes_peak;
    setup.backend.cards = 4;
    const struct room_needs needs = needs_on(BACKEND_CUDA);
    const struct device_room *room = &asked.room[(asked.room_count - 1) % 2];
    cr_assert(eq(dbl, room->blocks, 130)); /* of 512, a hundredth more than a quarter */
    cr_assert(room->ghosts > 5 * pow(130, 2.0 / 3) && room->ghosts < 12 * pow(130, 2.0 / 3));
    cr_assert(eq(dbl, room->exchanged, 64 * room->ghosts));
    cr_assert(needs.bytes_device < 0.26 * whole && needs.bytes_device >= 0.25 * whole);
    cr_assert(needs.bytes_peak > host, "the grids of parts stand beside that of the room");
    stand_in.device.bytes_free = (uint64_t)(needs.bytes_device + 1);
    setup.backend.cards = 0;
    (void)needs_on(BACKEND_CUDA);
    cr_assert(eq(uint, estimate_cards(&setup, &estimate, 8), 4));
    cr_assert(eq(uint, estimate_cards(&setup, &estimate, 3), 0));
    cr_assert(eq(uint, setup.backend.cards, 0), "the question changes nothing");
}

Test(estimate, cards_are_taken_by_number_or_not_at_all)
{
    const struct backend_choice *choice = &setup.backend;
    stand_in.cards = 4;
    MUST(backend_choice_begin_on(OPTION_BACKEND_AUTO, &stand_in_back_ends, "2,1", 0, &setup.backend,
                                 &failure));
    cr_assert(choice->settled && choice->backend == BACKEND_CUDA && choice->cards == 2);
    cr_assert(choice->card[0] == 2 && choice->card[1] == 1 && backend_choice_parts(choice) == 2);
    MUST(backend_choice_begin_on(OPTION_BACKEND_CUDA, &stand_in_back_ends, "1", 0, &setup.backend, &failure));
    cr_assert(choice->backend == BACKEND_CUDA && backend_choice_parts(choice) == 1, "one is as none named");
    MUST_FAIL(
        backend_choice_begin_on(OPTION_BACKEND_CUDA, &stand_in_back_ends, "5", 0, &setup.backend, &failure),
        FAILURE_CAPACITY, "GPU 4, but this machine has 4");
    MUST_FAIL(
        backend_choice_begin_on(OPTION_BACKEND_CPU, &stand_in_back_ends, "2", 0, &setup.backend, &failure),
        FAILURE_INPUT, "--backend cpu uses none");
    stand_in.present = false;
    MUST_FAIL(
        backend_choice_begin_on(OPTION_BACKEND_AUTO, &stand_in_back_ends, "2", 0, &setup.backend, &failure),
        FAILURE_CAPACITY, "no NVIDIA driver is installed");
}

Test(estimate, a_device_is_told_of_conformal_walls)
{
    struct block_grid *grid = &setup.grid.packed;
    setup.backend.device = stand_in.device;
    setup.request.engine.walls = WALLS_CONFORMAL;
    grid->cuts = 1700;
    grid->cut = calloc(grid->cuts, sizeof *grid->cut);
    cr_assert(grid->cut != NULL);
    grid->extra_nodes = 50;
    grid->extra_links = 90;
    grid->list_nodes = EDGE * EDGE + 1;
    (void)needs_on(BACKEND_CUDA);
    const struct device_room *room = &asked.room[0];
    cr_assert(room->has_records);
    cr_assert(eq(dbl, room->cuts, 1700));
    cr_assert(not(room->isotropic));
    cr_assert(eq(dbl, room->linked_nodes, 50));
    cr_assert(eq(dbl, room->extra_links, 90));
    cr_assert(eq(dbl, room->box_nodes[2], EDGE + 2), "list nodes fill planes of a box");
}

/* A hall of 4 x 3 x 2.5 m, turned, with five thin panels in it, on a grid with conformal walls. */
static void make_hall(double spacing)
{
    struct mesh mesh = {0};
    struct voxels voxels = {0};
    const struct solid_pose pose = solid_pose_make(0.4, 0.1, (const double[3]){0, 0, 0});
    const struct voxelise_options options = {.threads = 2, .cells = true};
    double middle[3];
    solid_box(&mesh, &pose, (const double[3]){0, 0, 0}, (const double[3]){4, 3, 2.5}, NULL, -1);
    for (int p = 1; p < 6; p++)
        solid_panel(&mesh, &pose, 0, 0.66 * p, (const double[2]){0.3, 0.3}, (const double[2]){2.7, 2.2}, 0);
    solid_place(&pose, (const double[3]){0.3, 1, 1}, middle);
    const struct lattice lattice = fit(&mesh, spacing);
    const struct voxel_seed seed = source_at(middle[0], middle[1], middle[2]);
    MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    block_grid_free(&setup.grid.packed);
    MUST(block_grid_pack(&voxels, &setup.grid.packed, &failure));
    if (setup.request.grid.scheme == SCHEME_ISOTROPIC)
        MUST(block_grid_widen(&setup.grid.packed, &failure));
    setup.grid.voxels_bytes = voxels_bytes(&voxels);
    setup.grid.fmax = 343.2 / (10.5 * spacing);
    setup.request.engine.walls = WALLS_CONFORMAL;
    MUST(time_step_choose(setup.request.grid.scheme, spacing, 343.2, room_courant_first(&setup.request),
                          &setup.grid.step, &failure));
    MUST(mesh_bounds(&mesh, setup.model.low, setup.model.high, &failure));
    voxels_free(&voxels);
    mesh_free(&mesh);
}

static double off(double predicted, double counted)
{
    return fabs(predicted / counted - 1);
}

/* From a grid of twice the spacing, as a run's share of the memory allows for: ESTIMATE_PREDICTED_SHARE. */
Test(estimate, cut_cells_and_pieces_of_thin_panels_are_predicted_to_a_tenth)
{
    for (int precision = 0; precision < 4; precision++)
        for (int layout = 0; layout < 2; layout++) {
            setup.request.grid.scheme = precision < 2 ? SCHEME_STANDARD : SCHEME_ISOTROPIC;
            setup.request.engine.precision = precision % 2 == 0 ? PRECISION_SINGLE : PRECISION_DOUBLE;
            setup.request.engine.layout = (enum layout)layout;
            make_hall(0.08);
            estimate_from_grid(&setup, &estimate);
            make_hall(0.04);
            const struct room_needs predicted = estimate_needs(&setup, &estimate, setup.grid.fmax),
                                    counted = estimate_needs_of_grid(&setup, &setup.grid, &estimate);
            cr_assert(test_above((double)setup.grid.packed.list_nodes, 10000));
            cr_assert(
                test_at_most(off(predicted.bytes_walls, counted.bytes_walls), 1 - ESTIMATE_PREDICTED_SHARE));
            cr_assert(test_at_most(off(predicted.bytes_blocks, counted.bytes_blocks),
                                   1 - ESTIMATE_PREDICTED_SHARE));
            cr_assert(
                test_at_most(off(predicted.bytes_peak, counted.bytes_peak), 1 - ESTIMATE_PREDICTED_SHARE));
            cr_assert(
                test_at_most(off(predicted.bytes_box, counted.bytes_box), 1 - ESTIMATE_PREDICTED_SHARE));
        }
}

/* Beyond the entries that stairs have too: records, gains, marks and where a block's begin. */
Test(estimate, a_cut_node_takes_less_than_24_bytes)
{
    make_hall(0.04);
    const struct block_grid *grid = &setup.grid.packed;
    const struct block_bytes bytes = block_grid_bytes(grid, 4);
    const double pieces = (double)grid->list_nodes * sizeof *grid->list_voxel +
                          (double)grid->extra_nodes * sizeof *grid->extra_node +
                          (double)grid->extra_links * sizeof *grid->extra_link;
    const double beyond = (double)bytes.walls - (double)grid->walls * (sizeof(struct wall) + 4) -
                          (double)(grid->blocks + 2) * sizeof *grid->wall_first;
    fprintf(stderr, "a cut node: %.2f bytes; a further piece of air: %.1f\n",
            (beyond - pieces) / (double)grid->cuts, pieces / (double)grid->list_nodes);
    cr_assert(test_at_most((beyond - pieces) / (double)grid->cuts, 24));
}

Test(estimate, the_host_of_a_device_holds_no_pressures_and_of_a_comparison_a_copy_of_them)
{
    for (int layout = 0; layout < 2; layout++) {
        setup.request.engine.layout = (enum layout)layout;
        const struct room_needs cpu = needs_on(BACKEND_CPU), cuda = needs_on(BACKEND_CUDA);
        const double edge = layout == LAYOUT_BOX ? EDGE + 2 : 0;
        const double pressures = 8 * (layout == LAYOUT_BOX ? edge * edge * edge : 513 * 512);
        cr_assert(eq(dbl, cpu.bytes_device, 0));
        cr_assert(test_near(cpu.bytes_peak - cuda.bytes_peak, pressures, 1e-6 * pressures));
        cr_assert(test_near(cuda.bytes_cpu, cpu.bytes_peak, 0));
    }
    setup.request.engine.layout = LAYOUT_BLOCKS;
    setup.request.plan.steps = 500;
    setup.request.plan.both_layouts = true;
    const struct room_needs cpu = needs_on(BACKEND_CPU), cuda = needs_on(BACKEND_CUDA);
    cr_assert(test_near(cuda.bytes_peak, cpu.bytes_peak, 0));
    cr_assert(eq(dbl, cuda.bytes_device, 2 * 512 * stand_in.bytes_a_block), "both layouts are on the device");
}

Test(estimate, the_highest_fmax_fits_host_and_device_alike)
{
    (void)needs_on(BACKEND_CUDA);
    estimate.available = 64e9;
    estimate.device_available = 8e9;
    const double by_device = estimate_highest_fmax(&setup, &estimate, 1, 0);
    struct room_needs needs = estimate_needs(&setup, &estimate, by_device);
    cr_assert(needs.bytes_device <= 8e9 && needs.bytes_peak <= 64e9);
    needs = estimate_needs(&setup, &estimate, 1.02 * by_device);
    cr_assert(test_above(needs.bytes_device, 8e9));
    estimate.available = 20e6;
    const double by_host = estimate_highest_fmax(&setup, &estimate, 1, 0);
    cr_assert(test_above(by_device, by_host));
    needs = estimate_needs(&setup, &estimate, by_host);
    cr_assert(needs.bytes_peak <= 20e6);
    const double edge = estimate_octave_edge(&setup, &estimate);
    estimate.device_available = 1e6;
    cr_assert(test_above(edge, estimate_octave_edge(&setup, &estimate)));
}

Test(estimate, a_run_too_large_for_the_device_is_status_3_with_bytes_name_and_fmax)
{
    struct room_needs needs = needs_on(BACKEND_CUDA);
    estimate.device_available = needs.bytes_device;
    MUST(estimate_refuse_too_large(&setup, &estimate, &needs, &failure));
    estimate.device_available = needs.bytes_device - 1;
    cr_assert(estimate_refuse_too_large(&setup, &estimate, &needs, &failure) == FAILURE_CAPACITY);
    char bytes[120];
    (void)snprintf(bytes, sizeof bytes, "(%.0f bytes) of device memory and Stand-in 9000 has",
                   needs.bytes_device);
    cr_assert(strstr(failure.sentence, bytes) != NULL, "%s", failure.sentence);
    (void)snprintf(bytes, sizeof bytes, "(%.0f bytes) free", estimate.device_available);
    cr_assert(strstr(failure.sentence, bytes) != NULL, "%s", failure.sentence);
    cr_assert(failure.advice == ADVICE_FMAX_OR_PROCESSORS);
    const char *const words = "the highest frequency that fits is ", *named = strstr(failure.sentence, words);
    cr_assert(named != NULL, "%s", failure.sentence);
    const double fmax = strtod(named + strlen(words), NULL);
    needs = estimate_needs(&setup, &estimate, fmax);
    cr_assert(test_above(fmax, 100) && needs.bytes_device <= estimate.device_available);

    /* No other back end where that would not hold the run either. */
    needs = needs_on(BACKEND_CUDA);
    estimate.device_available = needs.bytes_device / 2;
    estimate.available = needs.bytes_cpu - 1;
    cr_assert(estimate_refuse_too_large(&setup, &estimate, &needs, &failure) == FAILURE_CAPACITY);
    cr_assert(failure.advice == ADVICE_FMAX);
    estimate.device_available = 100;
    MUST_FAIL(estimate_refuse_too_large(&setup, &estimate, &needs, &failure), FAILURE_CAPACITY,
              "not even 20 Hz");
}

/* What an engine of the room takes with the losses of the air that its request asks for, and without. */
static double taken_by_air(struct engine *engine)
{
    const uint64_t without = engine_bytes(engine);
    MUST(room_engine_lose_in_air(engine, &setup, &failure));
    return (double)(engine_bytes(engine) - without);
}

Test(estimate, states_of_losses_of_the_air_are_counted_where_the_room_is_stepped)
{
    const struct engine_options options = room_engine_options(&setup, 0);
    const double rigid = 0;
    struct engine *engine = NULL;
    const double bytes = needs_on(BACKEND_CPU).bytes_peak, held = needs_on(BACKEND_CUDA).bytes_peak;
    MUST(engine_create(&engine, &setup.grid.packed, NULL, &setup.grid.step, &rigid, 1, &options, &failure));
    cr_assert(eq(dbl, taken_by_air(engine), 0));
    setup.request.model.air_in_steps = true;
    const double more = taken_by_air(engine);
    cr_assert(more >= 4.0 * BLOCK_NODES * 512);
    cr_assert(test_near(needs_on(BACKEND_CPU).bytes_peak, bytes + more, 1));
    cr_assert(asked.room[(asked.room_count - 1) % 2].air_states == 0);
    cr_assert(test_near(needs_on(BACKEND_CUDA).bytes_peak, held, 1));
    cr_assert(eq(dbl, asked.room[(asked.room_count - 1) % 2].air_states, engine_air_loss(engine)->states));
    setup.request.model.air_method = AIR_OFF;
    cr_assert(test_near(needs_on(BACKEND_CPU).bytes_peak, bytes, 1));
    engine_free(engine);
}

Test(estimate, losses_of_the_air_take_their_traffic_beyond_the_caches)
{
    const double nodes = 512.0 * BLOCK_NODES;
    for (int backend = BACKEND_CPU; backend <= BACKEND_CUDA; backend++) {
        struct air_loss loss;
        estimate.speed[backend] = (struct step_speed){.samples = 1,
                                                      .sample = {{1e3, 1e-6}},
                                                      .cached_nodes = 0.9 * nodes,
                                                      .seconds_a_node_uncached = 2e-9};
        setup.request.model.air_in_steps = false;
        const struct room_needs without = needs_on((enum backend)backend);
        setup.request.model.air_in_steps = true;
        const struct room_needs with = needs_on((enum backend)backend);
        room_air_loss(&setup, setup.grid.step.rate, setup.grid.fmax, &loss);
        /* Beside u, u_old and the new u of every step: u, u_new and each state, read and written. */
        const double reals = 2.0 * (2 + loss.states), share = reals / (3.0 * loss.every);
        cr_assert(loss.states > 0);
        cr_assert(test_near(with.seconds_steps - without.seconds_steps, 2 * with.steps * nodes * 2e-9 * share,
                            1e-9 * with.seconds_steps));
        estimate.speed[backend].cached_nodes = nodes * (2 + loss.states) / 2;
        const double held = needs_on((enum backend)backend).seconds_steps;
        setup.request.model.air_in_steps = false;
        cr_assert(eq(dbl, needs_on((enum backend)backend).seconds_steps, held));
    }
}

/* ---- ranks ---- */

/* Two hosts: ranks 0 and 1, and 2 alone. */
static void ask_hosts(double first, double second, double alone)
{
    const struct rank_host rank[] = {
        {.name = "near", .shared = (uint64_t)first, .own = (uint64_t)alone},
        {.name = "near", .shared = (uint64_t)first - 1000, .own = (uint64_t)alone},
        {.name = "far", .shared = (uint64_t)second, .own = (uint64_t)alone},
    };
    room_hosts_free(&setup.hosts);
    MUST(room_hosts_of(rank, 3, &setup.hosts, &failure));
}

Test(estimate, ranks_share_the_pressures_and_rank_0_alone_finds_the_air)
{
    const struct room_needs whole = needs_on(BACKEND_CPU);
    cr_assert(test_near(whole.bytes_rank, 0, 0));
    ask_hosts(1e9, 1e9, 1e9);
    cr_assert(setup.hosts.count == 2 && setup.hosts.ranks == 3);
    const struct room_needs needs = needs_on(BACKEND_CPU);
    const double pressures = 2 * 4 * whole.stored_nodes;
    cr_assert(needs.bytes_rank > pressures / 3 && needs.bytes_rank < 0.75 * pressures);
    cr_assert(needs.bytes_first > pressures / 3 && needs.bytes_first < whole.bytes_peak);
    cr_assert(needs.bytes_peak >= needs.bytes_fill && needs.bytes_peak >= needs.bytes_first);
    room_hosts_free(&setup.hosts);
}

Test(estimate, ranks_share_the_states_of_losses_of_the_air)
{
    struct partition cut = {0};
    struct part_counts first;
    struct air_loss loss;
    ask_hosts(1e9, 1e9, 1e9);
    const struct room_needs without = needs_on(BACKEND_CPU);
    setup.request.model.air_in_steps = true;
    (void)room_air_loss(&setup, setup.grid.step.rate, setup.grid.fmax, &loss);
    MUST(partition_make(&setup.grid.packed, 3, PARTITION_WALL_COST, &cut, &failure));
    MUST(part_count(&setup.grid.packed, &cut, 0, &first, &failure));
    const struct room_needs with = needs_on(BACKEND_CPU);
    const double level = 4 * BLOCK_NODES * (first.blocks + first.ghosts + 1);
    cr_assert(loss.states > 0 && test_near(with.bytes_first, without.bytes_first + loss.states * level, 1));
    cr_assert(test_above(with.bytes_rank, without.bytes_rank + loss.states * 4 * BLOCK_NODES * 512 / 3.1));
    partition_free(&cut);
    room_hosts_free(&setup.hosts);
}

Test(estimate, the_host_that_lacks_memory_for_its_ranks_is_named)
{
    ask_hosts(1e9, 1e9, 1e9);
    struct room_needs needs = needs_on(BACKEND_CPU);
    estimate.available = 1e9;
    MUST(estimate_refuse_too_large(&setup, &estimate, &needs, &failure));
    ask_hosts(needs.bytes_first + needs.bytes_rank + 2, needs.bytes_rank + 2, 1e9);
    MUST(estimate_refuse_too_large(&setup, &estimate, &needs, &failure));
    ask_hosts(needs.bytes_first + needs.bytes_rank - 2, needs.bytes_rank + 2, 1e9);
    MUST_FAIL(estimate_refuse_too_large(&setup, &estimate, &needs, &failure), FAILURE_CAPACITY,
              "in 2 ranks on host near");
    ask_hosts(1e9, needs.bytes_rank - 2, 1e9);
    MUST_FAIL(estimate_refuse_too_large(&setup, &estimate, &needs, &failure), FAILURE_CAPACITY,
              "in 1 rank on host far");
    cr_assert(failure.advice == ADVICE_FMAX_OR_HOSTS || failure.advice == ADVICE_UNITS);
    ask_hosts(1e9, 1e9, needs.bytes_rank - 2);
    MUST_FAIL(estimate_refuse_too_large(&setup, &estimate, &needs, &failure), FAILURE_CAPACITY,
              "a rank of the run takes");
    estimate.available = needs.bytes_peak - 1;
    MUST_FAIL(estimate_refuse_too_large(&setup, &estimate, &needs, &failure), FAILURE_CAPACITY,
              "rank 0 of the run takes");
    room_hosts_free(&setup.hosts);
}

/* ---- time ---- */

Test(estimate, a_room_beyond_the_cache_of_a_device_steps_at_its_copy_rate_and_nothing_is_evicted)
{
    (void)needs_on(BACKEND_CUDA);
    stand_in.seconds_a_step[BACKEND_CUDA] = 1e-6;
    MUST(estimate_measure(&setup, &setup.grid.packed, &estimate, &failure));
    cr_assert(asked.engines[BACKEND_CUDA] == 1 && asked.engines[BACKEND_CPU] == 0);
    cr_assert(eq(uint, asked.evictions, 0));
    cr_assert(eq(u64, asked.copied, UINT64_C(256) << 20));
    const double seconds = estimate_step_seconds(&estimate, 1e9, 0, 0);
    cr_assert(test_near(seconds, 1e9 * 12 / (0.9 * 4e12), 1e-9), "%g s", seconds);
    const double small = estimate_step_seconds(&estimate, EDGE * EDGE * EDGE, 0, 0);
    cr_assert(small >= 1e-6 && small < 1e-4, "%g s", small);
    /* Speeds of another back end are its own. */
    estimate.backend = BACKEND_CPU;
    cr_assert(eq(dbl, estimate_step_seconds(&estimate, 1e9, 0, 0), 0));
    /* Of a small device a tenth is enough. */
    setup.backend.device.bytes_free = 1000000000;
    estimate.speed[BACKEND_CUDA] = (struct step_speed){0};
    estimate.backend = BACKEND_CUDA;
    MUST(estimate_measure(&setup, &setup.grid.packed, &estimate, &failure));
    cr_assert(eq(u64, asked.copied, 100000000));
}

/* A device lays out as many wall nodes as the grid says, and reads what is not there. */
Test(estimate, a_piece_of_a_large_room_says_how_many_wall_nodes_it_has)
{
    struct voxels voxels = {0};
    (void)needs_on(BACKEND_CUDA);
    block_grid_free(&setup.grid.packed);
    MUST(seed_shape_voxels(SEED_CUBE, 200, &voxels, &failure));
    MUST(block_grid_pack(&voxels, &setup.grid.packed, &failure));
    voxels_free(&voxels);
    MUST(estimate_measure(&setup, &setup.grid.packed, &estimate, &failure));
    cr_assert(asked.blocks > 0 && asked.blocks < setup.grid.packed.blocks, "a piece");
    cr_assert(asked.wall_nodes_there > 0 && asked.wall_nodes_there < setup.grid.packed.wall_nodes);
    cr_assert(eq(u64, asked.wall_nodes, asked.wall_nodes_there));
}

Test(estimate, a_device_that_fails_while_it_is_timed_is_a_failure)
{
    (void)needs_on(BACKEND_CUDA);
    stand_in.lives = 10;
    MUST_FAIL(estimate_measure(&setup, &setup.grid.packed, &estimate, &failure), FAILURE_OUTPUT,
              "fell off the bus");
}

/* ---- the choice ---- */

Test(estimate, the_requested_back_end_is_taken)
{
    cr_assert(choose(OPTION_BACKEND_CPU, &failure) == 0 && setup.backend.backend == BACKEND_CPU);
    cr_assert(choose(OPTION_BACKEND_REFERENCE, &failure) == 0 && setup.backend.backend == BACKEND_REFERENCE);
    cr_assert(eq(uint, asked.looks, 0), "nobody asked for a device");
    cr_assert(choose(OPTION_BACKEND_CUDA, &failure) == 0 && setup.backend.backend == BACKEND_CUDA);
    cr_assert(estimate.backend == BACKEND_CUDA);
    cr_assert(eq(dbl, estimate.device_available, 150e9));
    cr_assert(room_engine_options(&setup, 1e6).backend == BACKEND_CUDA);
}

Test(estimate, auto_takes_the_device_that_holds_the_run)
{
    MUST(choose(OPTION_BACKEND_AUTO, &failure));
    cr_assert(setup.backend.backend == BACKEND_CUDA && estimate.backend == BACKEND_CUDA);
    cr_assert(eq(str, setup.backend.because, "Stand-in 9000, 150 GB free"));
    cr_assert(test_above(estimate_needs_of_grid(&setup, &setup.grid, &estimate).bytes_device, 0));
}

Test(estimate, auto_stays_with_the_processors_for_a_short_run_and_wakes_no_device)
{
    setup.request.plan.duration = 0.01;
    setup.points.sources = 1;
    MUST(choose(OPTION_BACKEND_AUTO, &failure));
    cr_assert(setup.backend.backend == BACKEND_CPU);
    cr_assert(eq(uint, asked.looks, 0));
    cr_assert(strstr(setup.backend.because, "less than about a second") != NULL, "%s", setup.backend.because);
}

Test(estimate, auto_without_a_device_or_with_a_small_one_takes_the_processors_and_gives_the_reason)
{
    stand_in.device.bytes_free = 3000000;
    MUST(choose(OPTION_BACKEND_AUTO, &failure));
    cr_assert(setup.backend.backend == BACKEND_CPU && estimate.backend == BACKEND_CPU);
    cr_assert(eq(str, setup.backend.because,
                 "the run takes 3.15 MB of device memory and Stand-in 9000 has 3 MB free"));
    cr_assert(eq(dbl, estimate_needs_of_grid(&setup, &setup.grid, &estimate).bytes_device, 0));
    stand_in.present = false;
    MUST(choose(OPTION_BACKEND_AUTO, &failure));
    cr_assert(setup.backend.backend == BACKEND_CPU);
    cr_assert(eq(str, setup.backend.because, "no NVIDIA driver is installed"));
}

Test(estimate, auto_without_a_driver_is_settled_at_once_and_measures_nothing)
{
    stand_in.present = false;
    MUST(choose(OPTION_BACKEND_AUTO, &failure));
    cr_assert(eq(str, setup.backend.because, "no NVIDIA driver is installed"));
    cr_assert(eq(uint, asked.engines[BACKEND_CPU], 0));
}

static void choose_with_opencl(double cpu, double device)
{
    stand_in.seconds_a_step[BACKEND_CPU] = cpu;
    stand_in.seconds_a_step[BACKEND_OPENCL] = device;
    estimate = (struct room_estimate){0};
    MUST(backend_choice_begin(OPTION_BACKEND_AUTO, &stand_in_opencl, 0, &setup.backend, &failure));
    estimate_choose_backend(&setup, &estimate);
}

Test(estimate, auto_takes_a_gpu_by_opencl_only_where_it_steps_a_piece_of_the_room_faster)
{
    choose_with_opencl(4e-3, 1e-3);
    cr_assert(setup.backend.backend == BACKEND_OPENCL && estimate.backend == BACKEND_OPENCL, "%s",
              setup.backend.because);
    choose_with_opencl(1e-3, 4e-3);
    cr_assert(setup.backend.backend == BACKEND_CPU && estimate.backend == BACKEND_CPU);
    cr_assert(strstr(setup.backend.because, "ms on Stand-in 9000") != NULL, "%s", setup.backend.because);
    stand_in.device.is_processor = true;
    choose_with_opencl(4e-3, 1e-3);
    cr_assert(setup.backend.backend == BACKEND_CPU);
}

Test(estimate, with_opencl_the_host_has_both_levels_for_its_sums)
{
    const double cuda = needs_on(BACKEND_CUDA).bytes_peak;
    setup.backend.back_ends = &stand_in_opencl;
    setup.backend.devices = BACKEND_OPENCL;
    cr_assert(eq(dbl, needs_on(BACKEND_OPENCL).bytes_peak - cuda, 513.0 * 512 * 2 * sizeof(float)));
}

Test(estimate, one_device_is_named_by_its_number_or_by_a_list)
{
    MUST(backend_choice_begin_on(OPTION_BACKEND_OPENCL, &stand_in_opencl, NULL, 0, &setup.backend, &failure));
    cr_assert(setup.backend.backend == BACKEND_OPENCL && setup.backend.devices == BACKEND_OPENCL);
    MUST_FAIL(
        backend_choice_begin_on(OPTION_BACKEND_OPENCL, &stand_in_opencl, NULL, 3, &setup.backend, &failure),
        FAILURE_CAPACITY, "no OpenCL device can be used");
    MUST_FAIL(
        backend_choice_begin_on(OPTION_BACKEND_OPENCL, &stand_in_opencl, "2", 0, &setup.backend, &failure),
        FAILURE_INPUT, "--backend opencl uses one");
    MUST_FAIL(
        backend_choice_begin_on(OPTION_BACKEND_AUTO, &stand_in_back_ends, "2", 1, &setup.backend, &failure),
        FAILURE_INPUT, "--device 1 and --devices both");
    MUST_FAIL(backend_choice_begin(OPTION_BACKEND_CPU, &stand_in_back_ends, 1, &setup.backend, &failure),
              FAILURE_INPUT, "--device names GPUs");
}

Test(estimate, a_run_whose_results_the_disk_does_not_hold_is_refused)
{
    struct room_needs needs = {.bytes_disk = 1};
    MUST(estimate_check_disk(&needs, "not/yet/there", &failure));
    needs.bytes_disk = 1e21;
    MUST_FAIL(estimate_check_disk(&needs, "run", &failure), FAILURE_CAPACITY,
              "(1000000000000000000000 bytes), and the disk of run has ");
}
