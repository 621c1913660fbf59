#include "src/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/machine_memory.h"
#include "rooms/seed_shape.h"
#include "src/layout_pair.h"
#include "src/progress_line.h"

const double estimate_octave_edges[OCTAVE_EDGES] = {177, 355, 710, 1420, 2840, 5680, 11300};

/* Predictions are allowed this share of what is available: they may err by some per cent. */
#define PREDICTED_SHARE 0.9

static double real_bytes(const struct room_setup *setup)
{
    return setup->options->precision == PRECISION_DOUBLE ? 8 : 4;
}

/* ---- words ---- */

const char *format_bytes(double bytes, char text[32])
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int u = 0;
    while (u < 5 && bytes >= 999.5) {
        bytes /= 1000;
        u++;
    }
    snprintf(text, 32, u == 0 ? "%.0f %s" : "%.3g %s", bytes, unit[u]);
    return text;
}

const char *format_seconds(double seconds, char text[32])
{
    if (!(seconds < 1e9))
        snprintf(text, 32, "more than 30 years");
    else if (seconds < 59.5)
        snprintf(text, 32, "%.2g s", seconds);
    else if (seconds < 3570)
        snprintf(text, 32, "%d min %d s", (int)(seconds + 0.5) / 60, (int)(seconds + 0.5) % 60);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600);
    return text;
}

const char *format_hertz(double hertz, char text[32])
{
    snprintf(text, 32, hertz < 100 ? "%.3g" : "%.0f", hertz);
    return text;
}

/* ---- one grid, counted; another, predicted ---- */

/* Sabine's and Eyring's times from the walls as the scheme weighs them; Sabine's is never the shorter one,
 * but both are looked at because Eyring's is the one that ends where everything absorbs. */
static double reverberation_of(const struct room_setup *setup, const struct block_grid *grid)
{
    const double h = grid->lattice.spacing;
    double area = 0, absorbing = 0;
    for (uint64_t w = 0; w < grid->walls; w++) {
        const uint16_t material = grid->wall[w].material;
        const double share = (double)grid->wall[w].weight * h * h;
        area += share;
        if (material == VOXELS_OPEN_FACE)
            absorbing += share * absorption_from_admittance(1);
        else if (material < setup->mesh.material_count)
            absorbing += share * absorption_from_admittance(setup->admittance[material]);
    }
    if (!(absorbing > 0))
        return INFINITY;
    const double volume = (double)grid->air_nodes * h * h * h, c = setup->sound_speed;
    const double sabine = 24 * log(10) * volume / (c * absorbing);
    const double eyring = 24 * log(10) * volume / (c * -area * log1p(-absorbing / area));
    return fmax(sabine, eyring);
}

static void scaling_from(const struct room_setup *setup, const struct block_grid *grid, uint64_t voxels,
                         struct room_estimate *estimate)
{
    const double h = grid->lattice.spacing, face = 64 * h * h;
    struct room_scaling *scaling = &estimate->scaling;
    scaling->air_volume = (double)grid->air_nodes * h * h * h;
    scaling->stored_excess = ((double)grid->blocks - scaling->air_volume / (face * 8 * h)) * face;
    scaling->walls = (double)grid->walls * h * h;
    scaling->wall_nodes = (double)grid->wall_nodes * h * h;
    scaling->tiles = (double)grid->tiles * h * h;
    scaling->voxels_bytes = (double)voxels * h * h;
    for (int axis = 0; axis < 3; axis++)
        scaling->box[axis] = (double)(grid->air_high[axis] - grid->air_low[axis] + 1) * h;
    estimate->reverberation = reverberation_of(setup, grid);
    estimate->available = (double)machine_memory_available();
    estimate->known = true;
}

void estimate_from_grid(const struct room_setup *setup, struct room_estimate *estimate)
{
    scaling_from(setup, &setup->grid, setup->voxels_bytes, estimate);
}

double estimate_duration(const struct room_setup *setup, const struct room_estimate *estimate)
{
    if (setup->options->duration > 0)
        return setup->options->duration;
    return fmax(DURATION_LEAST, fmin(1.3 * estimate->reverberation, DURATION_LONGEST));
}

double estimate_step_seconds(const struct room_estimate *estimate, double nodes)
{
    if (estimate->samples == 0)
        return 0;
    if (nodes > estimate->cached_nodes && estimate->seconds_a_node_uncached > 0)
        return nodes * estimate->seconds_a_node_uncached;
    const struct speed_sample *small = &estimate->sample[0],
                              *large = &estimate->sample[estimate->samples - 1];
    if (nodes >= large->nodes || large->nodes <= small->nodes)
        return large->seconds * nodes / large->nodes;
    const double share = fmax(0, (nodes - small->nodes) / (large->nodes - small->nodes));
    return small->seconds + share * (large->seconds - small->seconds);
}

static void add_sample(struct room_estimate *estimate, double nodes, double seconds)
{
    const struct speed_sample sample = {nodes, seconds};
    const bool first = estimate->samples > 0 && nodes < estimate->sample[0].nodes;
    if (first)
        estimate->sample[1] = estimate->sample[0];
    estimate->sample[first || estimate->samples == 0 ? 0 : 1] = sample;
    estimate->samples = estimate->samples == 0 ? 1 : 2;
}

/* The part that is the same for counted and predicted grids: what a run holds at its largest, and how long it
 * takes. While the air is found, cuts and air stand side by side; a cut is kept in about the bytes of its
 * air. */
static void finish_needs(const struct room_setup *setup, const struct room_estimate *estimate, double walls,
                         double tiles, double voxels, double box_with_halo, struct room_needs *needs)
{
    const double real = real_bytes(setup);
    const double topology = needs->blocks * (40 + 8 + 8) + tiles * BLOCK_NODES + walls * 8;
    double mesh_blocks = 1;
    for (int axis = 0; axis < 3; axis++)
        mesh_blocks *= (setup->high[axis] - setup->low[axis]) / (8 * needs->spacing) + 2;
    needs->bytes_fill = 2.2 * voxels + topology + mesh_blocks;
    const bool box = setup->options->layout == LAYOUT_BOX, both = setup->both_layouts;
    const double held_box = needs->bytes_box + walls * (16 + real);
    const double held_blocks = needs->bytes_blocks + needs->bytes_walls + 8 * needs->blocks;
    const double held = both ? held_blocks + held_box : box ? topology + held_box : held_blocks;
    needs->duration = both ? (double)setup->options->steps / needs->rate : estimate_duration(setup, estimate);
    needs->steps = both ? (double)setup->options->steps : ceil(needs->duration * needs->rate);
    /* A receiver's samples stand once as they come and, one receiver at a time, as they are filtered. */
    const double samples =
        both ? layout_pair_bytes((uint64_t)setup->options->steps, setup->sources + 1, setup->receivers + 1)
             : needs->steps * 8 * ((double)setup->receivers + 4);
    /* Of a second grid only what is no pressure stands beside the first. */
    const double second = setup->options->repeat_shifted ? topology : 0;
    needs->bytes_peak = fmax(needs->bytes_fill, held + samples) + second;
    const double sources = setup->sources > 0 ? (double)setup->sources : 1;
    double runs = setup->options->repeat_shifted ? 2 * sources : sources;
    double step = estimate_step_seconds(estimate, box ? box_with_halo : needs->stored_nodes);
    if (both) { /* all sources at once; a node of the box takes about as long as one in a block */
        runs = 1;
        step += estimate_step_seconds(estimate, box_with_halo);
    }
    needs->seconds = runs * needs->steps * step;
}

struct room_needs estimate_needs(const struct room_setup *setup, const struct room_estimate *estimate,
                                 double fmax)
{
    const struct room_scaling *scaling = &estimate->scaling;
    const double h = setup->sound_speed / (setup->options->points * fmax), real = real_bytes(setup);
    struct time_step step = {0};
    struct room_needs needs = {.fmax = fmax, .spacing = h};
    if (time_step_choose(h, setup->sound_speed, setup->options->courant, &step, NULL) == 0)
        needs.rate = step.rate;
    const double volume = 512 * h * h * h, surface = h * h;
    needs.air_nodes = scaling->air_volume / (h * h * h);
    needs.blocks = ceil(scaling->air_volume / volume + scaling->stored_excess / (64 * surface));
    needs.stored_nodes = 512 * needs.blocks;
    needs.wall_nodes = scaling->wall_nodes / surface;
    const double walls = scaling->walls / surface, tiles = scaling->tiles / surface;
    double halo = 1;
    needs.box_nodes = 1;
    for (int axis = 0; axis < 3; axis++) {
        needs.box_nodes *= scaling->box[axis] / h;
        halo *= scaling->box[axis] / h + 2;
    }
    needs.bytes_blocks =
        (needs.blocks + 1) * (2 * BLOCK_NODES * real + (double)sizeof(struct block)) + tiles * BLOCK_NODES;
    needs.bytes_walls = walls * ((double)sizeof(struct wall) + real) + (needs.blocks + 2) * 8;
    needs.bytes_box = halo * (2 * real + 1);
    needs.bytes_ideal = needs.air_nodes * (2 * real + 1);
    needs.bytes_seed_blocks = 8728 * needs.blocks;
    finish_needs(setup, estimate, walls, tiles, scaling->voxels_bytes / surface, halo, &needs);
    return needs;
}

struct room_needs estimate_needs_of_grid(const struct room_setup *setup, const struct room_estimate *estimate)
{
    const struct block_grid *grid = &setup->grid;
    const struct block_bytes bytes = block_grid_bytes(grid, (unsigned)real_bytes(setup));
    struct room_needs needs = {
        .fmax = setup->fmax,
        .spacing = setup->step.spacing,
        .rate = setup->step.rate,
        .air_nodes = (double)grid->air_nodes,
        .stored_nodes = (double)bytes.stored_nodes,
        .blocks = grid->blocks,
        .box_nodes = (double)bytes.box_nodes,
        .wall_nodes = (double)grid->wall_nodes,
        .bytes_blocks = (double)bytes.blocks,
        .bytes_walls = (double)bytes.walls,
        .bytes_box = (double)bytes.box,
        .bytes_ideal = (double)bytes.ideal,
        .bytes_seed_blocks = (double)bytes.seed_blocks,
    };
    double halo = 1;
    for (int axis = 0; axis < 3; axis++)
        halo *= (double)(grid->air_high[axis] - grid->air_low[axis] + 3);
    finish_needs(setup, estimate, (double)grid->walls, grid->tiles, (double)setup->voxels_bytes, halo,
                 &needs);
    return needs;
}

/* ---- speed ---- */

/* The first `count` blocks of a grid as a grid of their own. Tiles and walls are borrowed; blocks outside are
 * replaced by the empty one. NULL when memory ran out. */
static struct block *cut_piece(const struct block_grid *grid, uint32_t count, struct block_grid *piece)
{
    struct block *block = malloc(((size_t)count + 1) * sizeof *block);
    if (block == NULL)
        return NULL;
    memcpy(block, grid->block, ((size_t)count + 1) * sizeof *block);
    for (uint32_t b = 1; b <= count; b++)
        for (int d = 0; d < DIRECTIONS; d++)
            if (block[b].neighbour[d] > count)
                block[b].neighbour[d] = 0;
    *piece = *grid;
    piece->blocks = count;
    piece->block = block;
    piece->walls = grid->wall_first[count + 1];
    return block;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Step until the time is used up; seconds of a step: the median over short batches, because whatever else
 * this machine does in the meantime stretches some of them many times. The first step warms the caches; with
 * `cold` every step starts with the pressures out of them, as they are in a room that no cache holds. */
static double time_steps(struct engine *engine, double end, bool cold)
{
    enum { BATCHES = 256 };
    double seconds[BATCHES], last = progress_clock();
    engine_run(engine, 1, NULL, NULL);
    seconds[0] = progress_clock() - last;
    size_t count = 0;
    const uint64_t batch = !cold && seconds[0] < 0.0005 ? (uint64_t)(0.0005 / fmax(seconds[0], 1e-6)) : 1;
    double round = (double)batch * seconds[0];
    for (double begun = progress_clock(); count < BATCHES && begun + round < end;) {
        if (cold)
            engine_evict(engine);
        last = progress_clock();
        engine_run(engine, batch, NULL, NULL);
        const double now = progress_clock();
        seconds[count++] = (now - last) / (double)batch;
        round = now - begun;
        begun = now;
    }
    if (count == 0)
        return seconds[0];
    qsort(seconds, count, sizeof *seconds, compare_doubles);
    return seconds[count / 2];
}

/* A cube in a box: every node is stored, so the speed is that of any box. */
static int make_cube(double bytes, struct block_grid *grid, struct box_grid *box, double real,
                     struct failure *failure)
{
    struct voxels voxels = {0};
    const int64_t edge = (int64_t)cbrt(bytes / (2 * real + 1)) - 2;
    int code = seed_shape_voxels(SEED_CUBE, edge < 8 ? 8 : edge, &voxels, failure);
    if (code == 0)
        code = block_grid_pack(&voxels, grid, failure);
    if (code == 0)
        code = box_grid_from_blocks(grid, box, failure);
    voxels_free(&voxels);
    return code;
}

int estimate_measure(const struct room_setup *setup, const struct block_grid *grid,
                     struct room_estimate *estimate, struct failure *failure)
{
    const double started = progress_clock(), real = real_bytes(setup);
    const struct engine_options engine_options =
        room_engine_options(setup->options, (double)grid->blocks * BLOCK_NODES);
    /* The reference takes its time: a sixteenth of the nodes keeps its first step short. */
    const double bytes =
        0.9 * (double)ESTIMATE_SPEED_BYTES / (engine_options.backend == BACKEND_REFERENCE ? 16 : 1);
    struct block_grid piece = {0}, cube = {0};
    struct box_grid box = {0};
    struct block *block = NULL;
    struct engine *engine = NULL;
    double nodes = 0;
    int code = 0;
    if (estimate->samples == 2)
        return 0;
    if (engine_options.layout == LAYOUT_BOX) {
        double wanted = 2 * real + 1;
        for (int axis = 0; axis < 3; axis++)
            wanted *= (double)(grid->air_high[axis] - grid->air_low[axis] + 3);
        if ((code = make_cube(fmin(bytes, wanted), &cube, &box, real, failure)) != 0)
            goto done;
        nodes = (double)box.length;
    } else {
        const double walls_of_block = (double)grid->walls / grid->blocks * real;
        const double most = bytes / (2 * BLOCK_NODES * real + (double)sizeof *block + walls_of_block);
        const uint32_t count = most < grid->blocks ? (uint32_t)most : grid->blocks;
        block = cut_piece(grid, count, &piece);
        if (block == NULL) {
            code =
                failure_memory(failure, (count + UINT64_C(1)) * sizeof *block, "a measurement of the speed");
            goto done;
        }
        nodes = (double)count * BLOCK_NODES;
    }
    const bool boxed = engine_options.layout == LAYOUT_BOX;
    code = engine_create(&engine, boxed ? &cube : &piece, boxed ? &box : NULL, &setup->step,
                         setup->admittance, setup->mesh.material_count, &engine_options, failure);
    if (code != 0)
        goto done;
    /* A piece that is much smaller than the caches says nothing about rooms that are larger. */
    const double end = started + 0.9 * ESTIMATE_SPEED_SECONDS;
    const bool tells_of_memory = nodes * 2 * real >= (double)ESTIMATE_SPEED_BYTES / 8;
    add_sample(estimate, nodes,
               time_steps(engine, tells_of_memory ? 0.5 * (progress_clock() + end) : end, false));
    if (tells_of_memory) {
        estimate->cached_nodes = (double)machine_memory_cache() / (2 * real);
        estimate->seconds_a_node_uncached = time_steps(engine, end, true) / nodes;
    }
done:
    engine_free(engine);
    free(block);
    box_grid_free(&box);
    block_grid_free(&cube);
    return code;
}

/* ---- choosing ---- */

static bool fits(const struct room_needs *needs, double bytes, double seconds)
{
    return needs->rate > 0 && (bytes == 0 || needs->bytes_peak <= bytes) &&
           (seconds == 0 || needs->seconds <= seconds);
}

double estimate_highest_fmax(const struct room_setup *setup, const struct room_estimate *estimate,
                             double bytes, double seconds)
{
    double low = 20, high = 20000;
    struct room_needs needs = estimate_needs(setup, estimate, high);
    if (fits(&needs, bytes, seconds))
        return high;
    needs = estimate_needs(setup, estimate, low);
    if (!fits(&needs, bytes, seconds))
        return 0;
    while (high / low > 1.0005) {
        const double middle = sqrt(low * high);
        needs = estimate_needs(setup, estimate, middle);
        if (fits(&needs, bytes, seconds))
            low = middle;
        else
            high = middle;
    }
    const double unit = pow(10, floor(log10(low)) - 2);
    return floor(low / unit) * unit;
}

double estimate_octave_edge(const struct room_setup *setup, const struct room_estimate *estimate)
{
    for (int i = OCTAVE_EDGES; i-- > 0;) {
        const struct room_needs needs = estimate_needs(setup, estimate, estimate_octave_edges[i]);
        if (fits(&needs, PREDICTED_SHARE * estimate->available, setup->options->budget))
            return estimate_octave_edges[i];
    }
    return 0;
}

/* Nodes of the bounding box that voxelise in about 0.2 s on two cores. */
#define SURVEY_NODES 6e6

/* The grid of a survey; leaves its lattice and time step in `setup`. */
static int survey_grid(struct room_setup *setup, struct block_grid *grid, uint64_t *voxels,
                       struct failure *failure)
{
    double volume = 1;
    for (int axis = 0; axis < 3; axis++)
        volume *= fmax(setup->high[axis] - setup->low[axis], 1e-3);
    double spacing = cbrt(volume / SURVEY_NODES);
    int code = 0;
    for (int attempt = 0; attempt < 3; attempt++, spacing *= 0.6) {
        TRY(time_step_choose(spacing, setup->sound_speed, setup->options->courant, &setup->step, failure));
        TRY(room_setup_lattice(setup, spacing, &setup->lattice, failure));
        code = room_setup_fill_on(setup, &setup->lattice, grid, voxels, failure);
        if (code != FAILURE_INPUT)
            break;
        TRY(room_interrupted(failure));
    }
    return code;
}

int estimate_survey(struct room_setup *setup, bool with_speed, struct room_estimate *estimate,
                    struct failure *failure)
{
    struct block_grid grid = {0};
    uint64_t voxels = 0;
    struct failure first = {0};
    int code = survey_grid(setup, &grid, &voxels, &first);
    if (code == FAILURE_INPUT) {
        /* Said as the run itself would say it, with the path of a leak. */
        TRY(room_setup_fill(setup, failure));
        estimate_from_grid(setup, estimate);
        return 0;
    }
    if (code != 0) {
        *failure = first;
        return code;
    }
    scaling_from(setup, &grid, voxels, estimate);
    if (with_speed)
        code = estimate_measure(setup, &grid, estimate, failure);
    block_grid_free(&grid);
    return code;
}

int estimate_measure_room(struct room_setup *setup, struct room_estimate *estimate, struct failure *failure)
{
    const double large = (double)ESTIMATE_SPEED_BYTES / (2 * real_bytes(setup)) / 4;
    const double nodes = (double)setup->grid.blocks * BLOCK_NODES;
    if (estimate->samples == 0 || nodes < large)
        TRY(estimate_measure(setup, &setup->grid, estimate, failure));
    if (nodes < large && estimate->samples < 2) {
        const struct lattice lattice = setup->lattice;
        const struct time_step step = setup->step;
        const struct room_point first = setup->point[0];
        struct block_grid grid = {0};
        uint64_t voxels = 0;
        /* Where this fails, times at other fmax are told from the small grid alone. */
        if (survey_grid(setup, &grid, &voxels, NULL) == 0)
            (void)estimate_measure(setup, &grid, estimate, NULL);
        block_grid_free(&grid);
        setup->lattice = lattice;
        setup->step = step;
        setup->point[0] = first;
    }
    estimate_from_grid(setup, estimate);
    return 0;
}

/* What nothing can exceed: the whole bounding box of the mesh as air, with a wall at every node. */
static double most_bytes(const struct room_setup *setup)
{
    double nodes = setup->both_layouts ? 2 : 1;
    for (int axis = 0; axis < 3; axis++)
        nodes *= (double)setup->lattice.nodes[axis] + 16;
    return nodes * (2 * real_bytes(setup) + 60);
}

int estimate_refuse_too_large(const struct room_setup *setup, const struct room_estimate *estimate,
                              const struct room_needs *needs, struct failure *failure)
{
    if (needs->bytes_peak <= estimate->available)
        return 0;
    char bytes[32], available[32], fmax[32];
    format_bytes(needs->bytes_peak, bytes);
    format_bytes(estimate->available, available);
    const char *what = !(needs->bytes_peak > needs->bytes_fill) ? "finding the air alone"
                       : setup->both_layouts                    ? "holding both layouts at once"
                                                                : "the run";
    const double highest = estimate_highest_fmax(setup, estimate, PREDICTED_SHARE * estimate->available, 0);
    if (highest == 0)
        return failure_set(
            failure, FAILURE_CAPACITY,
            "%s takes %s (%.0f bytes) and %s are available: not even --fmax 20 fits this machine; "
            "check --units",
            what, bytes, needs->bytes_peak, available);
    return failure_set(failure, FAILURE_CAPACITY,
                       "%s takes %s (%.0f bytes) and %s are available; the highest that fits this machine is "
                       "--fmax %s%s",
                       what, bytes, needs->bytes_peak, available, format_hertz(highest, fmax),
                       setup->options->layout == LAYOUT_BOX ? " (or --layout blocks)" : "");
}

static int choose_automatic(struct room_setup *setup, struct room_estimate *estimate, struct failure *failure)
{
    TRY(estimate_survey(setup, true, estimate, failure));
    double fmax = estimate_octave_edge(setup, estimate);
    char time[32], budget[32];
    format_seconds(setup->options->budget, budget);
    if (fmax == 0) {
        fmax = estimate_octave_edges[0];
        const struct room_needs least = estimate_needs(setup, estimate, fmax);
        TRY(estimate_refuse_too_large(setup, estimate, &least, failure));
        room_warn(setup, "even --fmax %.0f takes about %s here, longer than the --budget of %s", fmax,
                  format_seconds(least.seconds, time), budget);
    }
    setup->fmax_automatic = true;
    TRY(room_setup_resolution(setup, fmax, failure));
    const struct room_needs needs = estimate_needs(setup, estimate, fmax);
    char bytes[32];
    room_say(setup, "fmax %.0f Hz chosen: about %s and %s (budget %s)", fmax,
             format_seconds(needs.seconds, time), format_bytes(needs.bytes_peak, bytes), budget);
    return 0;
}

int estimate_choose_resolution(struct room_setup *setup, bool strict, struct room_estimate *estimate,
                               struct failure *failure)
{
    const struct options *options = setup->options;
    estimate->available = (double)machine_memory_available();
    if (options->fmax == 0 && options->spacing == 0)
        return choose_automatic(setup, estimate, failure);
    TRY(room_setup_resolution(setup, options->fmax, failure));
    if (most_bytes(setup) <= 0.5 * estimate->available)
        return 0;
    TRY(estimate_survey(setup, false, estimate, failure));
    TRY(room_setup_resolution(setup, options->fmax, failure)); /* the survey had its own */
    struct room_needs needs =
        estimate_needs(setup, estimate, setup->sound_speed / (options->points * setup->step.spacing));
    if (!strict)
        needs.bytes_peak = needs.bytes_fill;
    return estimate_refuse_too_large(setup, estimate, &needs, failure);
}

int estimate_make_grid(struct room_setup *setup, struct room_estimate *estimate, struct room_needs *needs,
                       struct failure *failure)
{
    char blocks[32], box[32];
    TRY(estimate_choose_resolution(setup, true, estimate, failure));
    TRY(room_setup_fill(setup, failure));
    estimate_from_grid(setup, estimate);
    *needs = estimate_needs_of_grid(setup, estimate);
    TRY(estimate_refuse_too_large(setup, estimate, needs, failure));
    room_say(setup, "spacing %.4g m, %.0f air nodes, %.0f blocks; %s in blocks, %s in a box",
             setup->step.spacing, needs->air_nodes, needs->blocks, format_bytes(needs->bytes_blocks, blocks),
             format_bytes(needs->bytes_box, box));
    return 0;
}
