#include "src/run/plan/estimate.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

#include "blocks/box_grid.h"
#include "kernels/cpu/step_plan.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/machine/machine_memory.h"
#include "src/base/table/number_text.h"
#include "src/rays/ray_cost.h"
#include "src/rays/ray_join.h"
#include "src/rays/ray_room.h"
#include "src/run/plan/layout_pair.h"
#include "src/setup/room_engine.h"
#include "src/setup/room_areas.h"
#include "src/run/plan/run_disk.h"
#include "src/setup/room_receiver_grids.h"
#include "src/response/signal/air_filter.h"
#include "src/response/signal/response.h"
#include "src/response/signal/warp.h"

/* ---- one grid, counted; another, scaled ---- */

static struct room_counts count_grid(const struct block_grid *grid, double voxels, double seconds)
{
    uint64_t layer;
    (void)room_layer_cells(grid, &layer);
    struct room_counts counts = {.spacing = grid->lattice.spacing,
                                 .air_nodes = (double)grid->air_nodes,
                                 .layer = (double)layer,
                                 .blocks = grid->blocks,
                                 .tiles = grid->tiles,
                                 .walls = (double)grid->walls,
                                 .wall_nodes = (double)grid->wall_nodes,
                                 .cuts = (double)grid->cuts,
                                 .merged = (double)grid->merged,
                                 .list_nodes = (double)grid->list_nodes,
                                 .linked_nodes = (double)grid->extra_nodes,
                                 .extra_links = (double)grid->extra_links,
                                 .sheets = (double)grid->sheets,
                                 .voxels_bytes = voxels,
                                 .fill = seconds,
                                 .grid = grid};
    for (int axis = 0; axis < 3; axis++)
        counts.box[axis] = (double)(grid->air_high[axis] - grid->air_low[axis] + 1);
    return counts;
}

static bool may_join_rays(const struct room_setup *setup)
{
    const struct room_request *request = &setup->request;
    return request->plan.joins_rays && !request->plan.both_layouts && !rays_are_absent();
}

bool estimate_joins_rays(const struct room_setup *setup, double fmax)
{
    return may_join_rays(setup) && ray_join_octave(fmax) >= 0;
}

void estimate_count(const struct room_setup *setup, const struct block_grid *grid, uint64_t voxels,
                    double seconds, struct room_estimate *estimate)
{
    const double h = grid->lattice.spacing;
    struct room_counts *counts = &estimate->counts;
    *counts = count_grid(grid, (double)voxels, seconds);
    counts->grid = NULL; /* the grid may be freed before the estimate */
    counts->cells = room_cells(grid);
    for (int axis = 0; axis < 3 && !block_has_layer(grid); axis++) {
        /* Only a part of a cut cell is in the room. */
        const double low = grid->lattice.origin[axis] + h * ((double)grid->air_low[axis] - 0.5);
        counts->box[axis] =
            (fmin(low + h * counts->box[axis], setup->model.high[axis]) - fmax(low, setup->model.low[axis])) /
            h;
    }
    room_reverberation_make(&setup->model, grid,
                            grid == &setup->grid.packed && setup->grid.kinds.count > 0 ? &setup->grid.kinds
                                                                                       : NULL,
                            setup->request.model.air_method != AIR_OFF, &estimate->reverberation);
    estimate->surface = room_reverberation_surface(grid);
    if (estimate->ray_radius == 0 && may_join_rays(setup) &&
        ray_cost_radius(setup, &estimate->ray_radius, NULL) != 0)
        estimate->ray_radius = ray_radius_most(&setup->model);
    estimate->available = (double)machine_memory_available();
    estimate->hosts = &setup->hosts;
    estimate->known = true;
}

void estimate_from_grid(const struct room_setup *setup, struct room_estimate *estimate)
{
    estimate_count(setup, &setup->grid.packed, setup->grid.voxels_bytes, setup->grid.fill_seconds, estimate);
    /* The memory of the grid is part of what a run on it needs. */
    const struct block_bytes held = block_grid_bytes(&setup->grid.packed, 0);
    estimate->available += (double)(held.blocks + held.walls);
}

/* Scale to another spacing: air with the volume; walls, and blocks that are only partly air, with the
 * surface. */
static struct room_counts scale_counts(const struct room_setup *setup, const struct room_counts *from,
                                       double h)
{
    const double edge = from->spacing / h, surface = edge * edge, volume = surface * edge;
    struct room_counts to = {
        .spacing = h,
        .air_nodes = volume * from->cells + surface * (from->air_nodes - from->cells),
        .layer = surface * from->layer,
        .blocks =
            ceil(volume * from->cells / BLOCK_NODES + surface * (from->blocks - from->cells / BLOCK_NODES)),
        .tiles = surface * from->tiles,
        .walls = surface * from->walls,
        .wall_nodes = surface * from->wall_nodes,
        .cuts = surface * from->cuts,
        .merged = surface * from->merged,
        .list_nodes = surface * from->list_nodes,
        .linked_nodes = surface * from->linked_nodes,
        .extra_links = surface * from->extra_links,
        .sheets = room_sheet_links(&setup->model, h),
        .voxels_bytes = surface * from->voxels_bytes,
        .fill = surface * from->fill,
    };
    for (int axis = 0; axis < 3; axis++)
        to.box[axis] = edge * from->box[axis];
    return to;
}

/* Length of responses up to `highest` [Hz], of automatic ones for so many reverberation times. */
static double duration_of(const struct room_setup *setup, const struct room_estimate *estimate,
                          double highest, double times)
{
    if (setup->request.plan.duration > 0)
        return setup->request.plan.duration;
    const double longest = room_reverberation_longest(&estimate->reverberation, highest);
    const double alone = fmax(DURATION_LEAST, fmin(times * longest, DURATION_LONGEST));
    return fmin(alone + source_latest(&setup->directions), DURATION_LONGEST);
}

/* Bytes per node of the layer of an open scene. */
static double layer_bytes(const struct room_setup *setup, double nodes)
{
    return (double)engine_layer_bytes_of((uint64_t)nodes, (unsigned)estimate_real_bytes(setup));
}

/* Bytes of further pieces of air. */
static double piece_bytes(const struct room_counts *counts, size_t node_bytes, size_t link_bytes)
{
    return counts->list_nodes * 3 * sizeof(int64_t) + counts->linked_nodes * (double)node_bytes +
           counts->extra_links * (double)link_bytes;
}

/* Bytes of the record of a cut node, of the isotropic scheme with its plaquettes. */
static double record_bytes(const struct room_setup *setup)
{
    return (double)(sizeof(struct cut_cell) + sizeof(float)) +
           (setup->request.grid.scheme == SCHEME_ISOTROPIC ? EDGES : 0);
}

/* Bytes of cut nodes in blocks: records, where those of a block begin, marks of tiles, pieces. */
static double cut_bytes(const struct room_setup *setup, const struct room_counts *counts)
{
    return !room_has_masses(&setup->request)
               ? 0
               : counts->cuts * record_bytes(setup) + (counts->blocks + 2) * 8 +
                     counts->tiles * (double)sizeof(struct tile_marks) +
                     piece_bytes(counts, sizeof(struct extra_node), sizeof(struct extra_link));
}

/* Add the blocks across the edges of each. */
static double edge_bytes(const struct room_setup *setup, double blocks)
{
    return setup->request.grid.scheme == SCHEME_ISOTROPIC ? (blocks + 1) * EDGES * (double)sizeof(block_id)
                                                          : 0;
}

/* The largest value over all sources. */
static size_t longer_lead(const struct room_setup *setup, const struct time_step *step, double fmax)
{
    size_t most = 0;
    for (size_t s = 0; s < setup->directions.count; s++) {
        const size_t one = source_longer_lead(&setup->directions, s, step, fmax);
        most = one > most ? one : most;
    }
    return most;
}

/* Rows of samples that an engine of the run has; `compare` has no ledger. */
static struct engine_rows rows_of(const struct room_setup *setup)
{
    return room_engine_rows(setup, (size_t)room_grid_points_most(setup), !setup->request.plan.both_layouts);
}

/* The share of one device of several, with blocks next to its own: parts are compact, and have half as
 * much more surface than a cube of as many blocks; they differ by a hundredth. */
#define PART_SURFACE   1.5
#define PART_IMBALANCE 1.01

static void share_among(struct device_room *room, unsigned parts)
{
    if (parts == 1)
        return;
    const double share = PART_IMBALANCE / parts;
    room->blocks = ceil(room->blocks * share);
    room->wall_nodes = ceil(room->wall_nodes * share);
    room->wall_entries = ceil(room->wall_entries * share);
    room->cuts = ceil(room->cuts * share);
    room->linked_nodes = ceil(room->linked_nodes * share);
    room->extra_links = ceil(room->extra_links * share);
    room->ghosts = ceil(PART_SURFACE * 6 * pow(room->blocks, 2.0 / 3.0));
    room->exchanged = room->ghosts * BLOCK_EDGE * BLOCK_EDGE;
}

/* Planes of a box that its list nodes fill. */
static double list_planes(const struct room_counts *counts)
{
    return ceil(counts->list_nodes / (counts->box[0] * counts->box[1]));
}

/* Bytes on the device, or on each of several, in the requested layout or in both. */
static double device_bytes(const struct room_setup *setup, const struct room_counts *counts,
                           unsigned air_states)
{
    const struct engine_rows rows = rows_of(setup);
    struct device_room room = {
        .precision = setup->request.engine.precision,
        .blocks = counts->blocks,
        .tiles = counts->tiles,
        .wall_nodes = counts->wall_nodes,
        .box_nodes = {counts->box[0], counts->box[1], counts->box[2] + list_planes(counts)},
        .sources = (double)source_first_channel(&setup->directions, setup->points.sources),
        .receivers = (double)rows_in_all(&rows),
        .has_records = room_has_masses(&setup->request),
        .isotropic = setup->request.grid.scheme == SCHEME_ISOTROPIC,
        .cuts = counts->cuts,
        .linked_nodes = counts->linked_nodes,
        .extra_links = counts->extra_links,
        .air_states = air_states,
    };
    const struct wall_materials walls =
        room_wall_materials(setup, &setup->grid, !setup->request.plan.both_layouts);
    double bytes = 0;
    device_room_walls(&room, &walls, counts->walls);
    share_among(&room, backend_choice_parts(&setup->backend));
    for (int layout = 0; layout < 2; layout++) {
        room.layout = (enum layout)layout;
        if (setup->request.plan.both_layouts || room.layout == setup->request.engine.layout)
            bytes +=
                device_room_bytes(backend_choice_devices(&setup->backend), &setup->backend.device, &room) +
                room_sheet_bytes(setup, counts->sheets) + /* they may all be in one part */
                layer_bytes(setup, counts->layer);
    }
    return bytes;
}

/* Bytes for making responses. In the standard scheme receivers are filtered one at a time. In the
 * isotropic scheme they share a warp, and threads make those of receiver grids. */
static double response_bytes(const struct room_setup *setup, const struct time_step *time,
                             const struct room_needs *needs)
{
    const int threads =
        setup->request.engine.threads > 0 ? (int)setup->request.engine.threads : omp_get_max_threads();
    const double at_once = room_grid_points_most(setup) > 0 ? (double)threads : 1;
    return time->scheme == SCHEME_ISOTROPIC
               ? warp_bytes(time, needs->fmax, needs->steps, RESPONSE_RATE, at_once)
               : needs->steps * 8 * 8;
}

/* Time in addition to steps. Checks of the field and the energy account each take one part in a hundred
 * (source_run.c). Each response takes its warp, figures and file, in seconds and in seconds per second of
 * it. */
#define LOOKS_SHARE      0.02
#define RESPONSE_SECONDS 0.01
#define RESPONSE_SHARE   0.02
#define JOINED_SHARE     0.05 /* further ones of a response of the whole band, a channel */

/* Of a run with rays: their bytes, and their time if they fit. */
static void predict_rays(const struct room_setup *setup, const struct room_estimate *estimate, double runs,
                         struct room_needs *needs)
{
    const double receivers = (double)setup->points.receivers;
    const bool directional = room_has_gradients(&setup->request);
    const struct ray_cost_room room = {
        .surface = estimate->surface,
        .longest =
            room_reverberation_longest(&estimate->reverberation, 1.5 * ray_octave_centre(RAY_OCTAVES - 1)),
        .noise = setup->request.plan.ray_noise / 100,
        .radius = estimate->ray_radius,
        .places = receivers + room_grid_points_most(setup),
        .directional = directional ? receivers : 0,
        .threads =
            setup->request.engine.threads > 0 ? (int)setup->request.engine.threads : omp_get_max_threads()};
    if (!estimate_joins_rays(setup, needs->fmax))
        return;
    needs->bytes_rays = ray_cost_bytes(&room);
    if (needs->bytes_peak + needs->bytes_rays <= estimate->available)
        needs->seconds_rays = runs * (ray_cost_seconds(&room) +
                                      receivers * JOINED_SHARE * (directional ? 4 : 1) * needs->duration);
}

static double whole_seconds(const struct room_setup *setup, const struct room_counts *counts,
                            const struct room_needs *needs, double runs)
{
    const double points = (double)setup->points.receivers + room_grid_points_most(setup);
    return counts->fill * (setup->request.plan.repeat_shifted ? 2 : 1) +
           (1 + LOOKS_SHARE) * needs->seconds_steps + needs->seconds_rays +
           runs * points * (RESPONSE_SECONDS + RESPONSE_SHARE * needs->duration);
}

/* Both layouts are stepped together, with all sources; a node of a box takes about as long as one in a
 * block. */
static void predict_time(const struct room_setup *setup, const struct room_estimate *estimate,
                         const struct room_counts *counts, double box_nodes, const struct air_loss *loss,
                         struct room_needs *needs)
{
    const bool both = setup->request.plan.both_layouts, box = setup->request.engine.layout == LAYOUT_BOX;
    const double runs = both ? 1
                             : fmax((double)room_points_runs(&setup->points), 1) *
                                   (setup->request.plan.repeat_shifted ? 2 : 1);
    const unsigned parts =
        backend_is_device(estimate->backend) && !box ? backend_choice_parts(&setup->backend) : 1;
    double step = 0;
    if (box || both)
        step += estimate_step_seconds(estimate, box_nodes, counts->cuts, counts->walls);
    if (!box || both)
        step += estimate_step_seconds(estimate, needs->stored_nodes / parts, counts->cuts, counts->walls);
    step += estimate_air_seconds(estimate, box ? box_nodes : needs->stored_nodes / parts, loss);
    needs->updates = runs * needs->steps *
                     (both  ? needs->stored_nodes + needs->box_nodes
                      : box ? needs->box_nodes
                            : needs->stored_nodes);
    needs->seconds_steps = runs * needs->steps * step;
    predict_rays(setup, estimate, runs, needs);
    needs->seconds =
        needs->seconds_steps == 0 || both ? needs->seconds_steps : whole_seconds(setup, counts, needs, runs);
}

/* The peak memory of a run on a grid of these counts, and its time. While the air is found, cuts and air
 * exist together; a cut takes about the bytes of its air. */
static struct room_needs needs_of(const struct room_setup *setup, const struct room_estimate *estimate,
                                  const struct room_counts *counts, const struct time_step *time,
                                  double highest)
{
    const double real = estimate_real_bytes(setup), kept_by_entry = estimate_kept_by_entry(setup);
    const double walls = counts->walls, blocks = counts->blocks;
    double mesh_blocks = 1, box_with_halo = 1, box_nodes = 1;
    for (int axis = 0; axis < 3; axis++) {
        mesh_blocks *= (setup->model.high[axis] - setup->model.low[axis]) / (8 * counts->spacing) + 2;
        box_with_halo *= counts->box[axis] + 2 + (axis == 2 ? list_planes(counts) : 0);
        box_nodes *= counts->box[axis];
    }
    struct room_needs needs = {
        .fmax = highest,
        .spacing = counts->spacing,
        .rate = time->rate,
        .air_nodes = counts->air_nodes,
        .stored_nodes = BLOCK_NODES * blocks,
        .blocks = blocks,
        .box_nodes = box_nodes,
        .wall_nodes = counts->wall_nodes,
        .bytes_blocks = (blocks + 1) * (2 * BLOCK_NODES * real + (double)sizeof(struct block)) +
                        counts->tiles * BLOCK_NODES + edge_bytes(setup, blocks),
        .bytes_walls = walls * ((double)sizeof(struct wall) + kept_by_entry) + (blocks + 2) * 8 +
                       cut_bytes(setup, counts) + counts->merged * (double)sizeof *counts->grid->merged_node +
                       room_sheet_bytes(setup, counts->sheets) + layer_bytes(setup, counts->layer),
        .bytes_box = box_with_halo * (2 * real + 1),
        .bytes_ideal = counts->air_nodes * (2 * real + 1),
        .bytes_seed_blocks = BLOCK_SEED_BYTES * blocks,
    };
    const double topology = blocks * (40 + 8 + 8) + counts->tiles * BLOCK_NODES + walls * 8 +
                            cut_bytes(setup, counts) + edge_bytes(setup, blocks);
    needs.bytes_fill = 2.2 * counts->voxels_bytes + topology + mesh_blocks;
    const bool box = setup->request.engine.layout == LAYOUT_BOX, both = setup->request.plan.both_layouts;
    const bool on_device = backend_is_device(estimate->backend);
    const double held_box = needs.bytes_box + walls * (16 + kept_by_entry) +
                            counts->cuts * ((double)sizeof(uint64_t) + record_bytes(setup)) +
                            piece_bytes(counts, sizeof(struct box_extra_node), sizeof(struct box_extra_link));
    const double plan_bytes =
        setup->request.grid.scheme == SCHEME_ISOTROPIC ? counts->cuts * STEP_PLAN_RECORD_BYTES : 0;
    const double held_blocks = needs.bytes_blocks + needs.bytes_walls + 8 * blocks;
    struct air_loss loss;
    room_air_loss(setup, time->rate, highest, &loss);
    const double level = real * (box ? box_with_halo : (blocks + 1) * BLOCK_NODES),
                 air_bytes = loss.states * level;
    const double held = (both  ? held_blocks + held_box
                         : box ? topology + held_box
                               : held_blocks) +
                        plan_bytes + air_bytes;
    needs.first_duration = duration_of(setup, estimate, needs.fmax, DURATION_FIRST);
    needs.duration = both ? (double)setup->request.plan.steps / needs.rate
                          : duration_of(setup, estimate, needs.fmax, DURATION_LIKELY);
    needs.steps = both ? (double)setup->request.plan.steps
                  : setup->request.grid.drums
                      ? ceil(needs.duration * needs.rate)
                      : (double)(response_lead(time, needs.fmax) + longer_lead(setup, time, needs.fmax)) +
                            ceil(needs.duration * needs.rate / response_share(time, needs.fmax));
    needs.bytes_disk = both ? 0 : run_disk_bytes(setup, needs.fmax, needs.duration);
    const struct engine_rows rows = rows_of(setup);
    /* A receiver's samples exist once as recorded and once while responses are made. A listener's
     * channels exist together with the dry sound and the result, and with what the eight places about a
     * walking source play. */
    const size_t listened = (rows.directional > 0 ? 8U : 5U) + (setup->request.points.source_walks ? 9U : 0U),
                 kept = setup->request.plan.rows_pass ? listened : rows_kept(&rows);
    const double samples =
        both ? layout_pair_bytes((uint64_t)setup->request.plan.steps, setup->points.sources + 1,
                                 setup->points.receivers + 1)
             : needs.steps * 8 * (double)kept + source_drives_bytes(&setup->directions, time, needs.fmax) +
                   response_bytes(setup, time, &needs) + room_maps_bytes(setup, needs.fmax, needs.duration);
    /* The pressures of a second grid do not exist together with those of the first. */
    const double second = setup->request.plan.repeat_shifted ? topology : 0;
    needs.bytes_cpu = fmax(needs.bytes_fill, held + samples) + second;
    if (setup->hosts.ranks > 1) {
        const struct part_counts whole = {.blocks = blocks,
                                          .tiles = counts->tiles,
                                          .walls = walls,
                                          .cuts = counts->cuts,
                                          .list_nodes = counts->list_nodes,
                                          .linked_nodes = counts->linked_nodes,
                                          .extra_links = counts->extra_links,
                                          .sheets = counts->sheets,
                                          .has_records = room_has_masses(&setup->request),
                                          .isotropic = setup->request.grid.scheme == SCHEME_ISOTROPIC};
        estimate_ranks(setup, &whole, counts->grid, on_device ? 2 : 2 + loss.states, samples + second,
                       &needs);
        needs.bytes_cpu = fmax(needs.bytes_fill + second, needs.bytes_first);
    }
    /* The host has none of a device's pressures and no plan of its steps, except in `compare`, which copies
     * either layout to write the same noise into both, and with OpenCL, whose sums it takes from a copy. */
    const double copied = estimate->backend == BACKEND_OPENCL ? 2 * level : 0;
    const double held_beside = both ? held : held - 2 * level - plan_bytes - air_bytes + copied;
    /* The grids of parts exist together with that of the room. */
    const double beside_parts = backend_choice_parts(&setup->backend) > 1 ? topology : 0;
    needs.bytes_peak =
        on_device ? fmax(needs.bytes_fill, held_beside + samples + beside_parts) + second : needs.bytes_cpu;
    needs.bytes_device = on_device ? device_bytes(setup, counts, loss.states) : 0;
    predict_time(setup, estimate, counts, box_with_halo, &loss, &needs);
    return needs;
}

struct room_needs estimate_needs(const struct room_setup *setup, const struct room_estimate *estimate,
                                 double fmax)
{
    const double h = setup->model.sound_speed / (room_points_per_wavelength(&setup->request.grid) * fmax);
    struct time_step step = {0};
    const double courant =
        setup->request.plan.scaled_to > 0 ? setup->grid.step.courant : room_courant_first(&setup->request);
    (void)time_step_choose(setup->request.grid.scheme, h, setup->model.sound_speed, courant, &step, NULL);
    const struct room_counts counts = scale_counts(setup, &estimate->counts, h);
    return needs_of(setup, estimate, &counts, &step, fmax);
}

struct room_needs estimate_needs_of_grid(const struct room_setup *setup, const struct room_grid *grid,
                                         const struct room_estimate *estimate)
{
    const struct room_counts counts =
        count_grid(&grid->packed, (double)grid->voxels_bytes, grid->fill_seconds);
    return needs_of(setup, estimate, &counts, &grid->step, grid->fmax);
}

struct room_needs estimate_needs_of_run(const struct room_setup *setup, const struct room_estimate *estimate)
{
    const double h = setup->request.plan.scaled_to;
    if (!(h > 0))
        return estimate_needs_of_grid(setup, &setup->grid, estimate);
    return estimate_needs(setup, estimate,
                          setup->model.sound_speed / (room_points_per_wavelength(&setup->request.grid) * h));
}

/* ---- the highest fmax that fits ---- */

bool estimate_fits(const struct room_estimate *estimate, const struct room_needs *needs, double share)
{
    bool alone;
    return needs->bytes_peak <= share * estimate->available &&
           (needs->bytes_rank <= 0 || room_hosts_lacking(estimate->hosts, needs->bytes_first,
                                                         needs->bytes_rank, share, &alone) == NULL) &&
           (needs->bytes_device <= 0 || needs->bytes_device <= share * estimate->device_available);
}

/* A prediction cannot see one more layer of blocks along each axis. In small rooms, where it would be
 * large, other bytes dominate. */
#define ROUNDING_MOST 0.1
static double rounding_to_blocks(const struct room_needs *needs)
{
    const double edge = cbrt(fmax(1.0, (double)needs->stored_nodes / BLOCK_NODES));
    return 1.0 + fmin(3.0 / edge, ROUNDING_MOST);
}

static bool can_afford(const struct room_estimate *estimate, const struct room_needs *needs, double share,
                       double seconds)
{
    struct room_needs all = *needs;
    all.bytes_peak = estimate_bytes_in_all(needs);
    return needs->rate > 0 &&
           (share <= 0 || estimate_fits(estimate, &all, share / rounding_to_blocks(needs))) &&
           (seconds <= 0 || needs->seconds <= seconds);
}

double estimate_highest_fmax(const struct room_setup *setup, const struct room_estimate *estimate,
                             double share, double seconds)
{
    double low = 20, high = 20000;
    struct room_needs needs = estimate_needs(setup, estimate, high);
    if (can_afford(estimate, &needs, share, seconds))
        return high;
    needs = estimate_needs(setup, estimate, low);
    if (!can_afford(estimate, &needs, share, seconds))
        return 0;
    while (high / low > 1.0005) {
        const double middle = sqrt(low * high);
        needs = estimate_needs(setup, estimate, middle);
        if (can_afford(estimate, &needs, share, seconds))
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
        const struct room_needs needs = estimate_needs(setup, estimate, octave_edge[i]);
        if (can_afford(estimate, &needs, ESTIMATE_PREDICTED_SHARE, setup->request.plan.budget))
            return octave_edge[i];
    }
    return 0;
}
