/* What parts of a room cost: memory by rank, and time at walls.
 *
 *   part_costs memory ROOM [options of `transept simulate`]   bytes of ranks, predicted up to 10^11 nodes
 *   part_costs walls ROOM [options of `transept simulate`]    a node at a wall beside one of open air
 *
 * `memory` prints for 2 to 1024 ranks what src/run/plan/estimate_ranks.c predicts, from a coarse grid of the
 * room alone; and of the room's own grid the two factors of blocks/parts/part_count.h, which bound the
 * surface of parts. What ranks of a run have held in the end is in its run.json.
 *
 * `walls` cuts the room's grid into 24 parts of as many blocks each, steps every one by itself on one thread,
 * takes the least processor time of many turns, and fits seconds = a x nodes + b x nodes at walls by least
 * squares: b / a is PARTITION_WALL_COST (blocks/parts/partition.h). Parts must be larger than the caches:
 * 5 x 10^7 nodes or more. Status: 0; 1 failed; 2 bad usage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks/parts/part_count.h"
#include "kernels/parts/part_server.h"
#include "src/base/table/number_text.h"
#include "src/cli/request_from_options.h"
#include "src/base/options/failure_text.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_engine.h"
#include "src/setup/room_voxelise.h"

#define PARTS 24
#define TURNS 12
#define STEPS 4

/* ---- memory -------------------------------------------------------------------------------------------- */

static void print_ranks(struct room_setup *setup, const struct room_estimate *estimate, double nodes)
{
    const double h = estimate->counts.spacing * cbrt(estimate->counts.air_nodes / nodes),
                 fmax = setup->model.sound_speed / (room_points_per_wavelength(&setup->request.grid) * h);
    char fill[32], first[32], each[32];
    for (unsigned ranks = 2; ranks <= 1024; ranks *= 8) {
        setup->hosts.ranks = ranks;
        const struct room_needs needs = estimate_needs(setup, estimate, fmax);
        printf("%8.0e nodes, %6.0f Hz, %4u ranks: finding the air %8s (%.2f bytes a node), then rank 0 %8s, "
               "each of the others %8s\n",
               nodes, fmax, ranks, format_bytes(needs.bytes_fill, fill), needs.bytes_fill / nodes,
               format_bytes(needs.bytes_first, first), format_bytes(needs.bytes_rank, each));
    }
    setup->hosts.ranks = 0;
}

/* The most over all parts of the room's own grid. */
static int print_factors(const struct block_grid *grid, struct failure *failure)
{
    for (unsigned parts = 2; parts <= 64; parts *= 2) {
        struct partition partition = {0};
        double ghosts = 0, values = 0;
        TRY(partition_make(grid, parts, PARTITION_WALL_COST, &partition, failure));
        for (unsigned p = 0; p < parts; p++) {
            struct part_counts part;
            TRY(part_count(grid, &partition, p, &part, failure));
            ghosts = fmax(ghosts, part.ghosts / pow(part.blocks, 2.0 / 3));
            values = fmax(values, part.values / part.ghosts);
        }
        printf("%u blocks in %2u parts: ghosts at most %.2f x blocks^(2/3), %.1f values each\n", grid->blocks,
               parts, ghosts, values);
        partition_free(&partition);
    }
    return 0;
}

static int memory(struct room_setup *setup, struct failure *failure)
{
    struct room_estimate estimate = {0};
    TRY(print_factors(&setup->grid.packed, failure));
    TRY(estimate_survey(setup, false, &estimate, failure));
    for (double nodes = 1e8; nodes < 2e11; nodes *= 10)
        print_ranks(setup, &estimate, nodes);
    return 0;
}

/* ---- walls --------------------------------------------------------------------------------------------- */

static double processor_time(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double turn(struct engine *engine)
{
    const double start = processor_time();
    engine_run(engine, STEPS, NULL, NULL);
    return (processor_time() - start) / STEPS;
}

/* Seconds of a part: a nodes + b walls, over all parts with the same weight. */
static void fit(const double *nodes, const double *walls, const double *seconds, double *a, double *b)
{
    double nn = 0, nw = 0, ww = 0, ns = 0, ws = 0;
    for (int p = 0; p < PARTS; p++) {
        nn += nodes[p] * nodes[p];
        nw += nodes[p] * walls[p];
        ww += walls[p] * walls[p];
        ns += nodes[p] * seconds[p];
        ws += walls[p] * seconds[p];
    }
    *a = (ns * ww - ws * nw) / (nn * ww - nw * nw);
    *b = (ws * nn - ns * nw) / (nn * ww - nw * nw);
}

static void print_fit(const double *nodes, const double *walls, const double *seconds)
{
    double a, b, worst = 0;
    fit(nodes, walls, seconds, &a, &b);
    for (int p = 0; p < PARTS; p++) {
        printf("part %2d: %9.0f nodes, %8.0f at walls, %8.3f ms\n", p, nodes[p], walls[p], 1e3 * seconds[p]);
        worst = fmax(worst, fabs(seconds[p] / (a * nodes[p] + b * walls[p]) - 1));
    }
    printf("%.3f ns a node and %.3f ns more at a wall, %.1f times as much; the fit is within %.1f %%\n",
           1e9 * a, 1e9 * b, b / a, 100 * worst);
}

static int walls(struct room_setup *setup, struct failure *failure)
{
    const struct block_grid *const grid = &setup->grid.packed;
    const struct wall_materials materials = room_wall_materials(setup, &setup->grid, true);
    const struct part_setup parts = {.options = {.layout = LAYOUT_BLOCKS,
                                                 .precision = setup->request.engine.precision,
                                                 .backend = BACKEND_CPU,
                                                 .simd = SIMD_AUTO,
                                                 .threads = 1},
                                     .step = setup->grid.step,
                                     .materials = materials.count,
                                     .walls = &materials};
    struct part_server *server[PARTS] = {NULL};
    double nodes[PARTS], at_walls[PARTS], seconds[PARTS];
    struct partition partition = {0};
    int code = partition_make(grid, PARTS, 0.0, &partition, failure);
    for (unsigned p = 0; code == 0 && p < PARTS; p++) {
        struct part_grid part = {0};
        code = part_grid_make(grid, &partition, p, &part, failure);
        nodes[p] = (double)part.grid.blocks * BLOCK_NODES;
        at_walls[p] = (double)(grid->has_records ? part.grid.cuts : part.grid.walls);
        seconds[p] = INFINITY;
        if (code == 0)
            code = part_server_create(&server[p], &part, &parts, failure);
    }
    for (int n = 0; code == 0 && n < TURNS; n++)
        for (int p = 0; p < PARTS; p++)
            seconds[p] = fmin(seconds[p], turn(server[p]->engine));
    if (code == 0)
        print_fit(nodes, at_walls, seconds);
    for (int p = 0; p < PARTS; p++)
        part_server_free(server[p]);
    partition_free(&partition);
    return code;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct failure failure = {0};
    struct room_setup setup = {0};
    struct room_estimate estimate = {0};
    const bool of_walls = argc > 1 && strcmp(argv[1], "walls") == 0;
    if (argc < 3 || (!of_walls && strcmp(argv[1], "memory") != 0)) {
        (void)fprintf(stderr, "usage: part_costs memory|walls ROOM [options of `transept simulate`]\n");
        return 2;
    }
    int code =
        options_parse(COMMAND_SIMULATE, "part_costs", "ROOM", argc - 2, argv + 2, NULL, &options, &failure);
    const struct room_request request = request_from_options(&options);
    if (code == 0)
        code = room_setup_read(&request, &setup, &failure);
    if (code == 0)
        code = estimate_choose_resolution(&setup, false, &estimate, &failure);
    if (code == 0)
        code = room_voxelise(&setup, &failure);
    if (code == 0)
        code = of_walls ? walls(&setup, &failure) : memory(&setup, &failure);
    char text[FAILURE_TEXT_MAX];
    if (code != 0)
        (void)fprintf(stderr, "%s\n", failure_text(&failure, text));
    room_setup_free(&setup);
    options_free(&options);
    return code != 0;
}
