#include "kernels/cuda/device_layout.h"

#include <algorithm>
#include <cmath>

#include "kernels/cuda/step/step_iso_box.cuh"

#define LARGE_PIECE  (UINT64_C(2) << 20) /* unit of the driver's allocations */
#define BATCH_MOST   512
#define BATCH_BYTES  (UINT64_C(64) << 20)
#define LANES_CACHES 2  /* pressures of so many second levels are stepped by lanes, measured on an H200 */
#define TURNS_CACHES 4  /* and of so many to and fro */
#define ENTRY_PLANE  64 /* entries of a room are a multiple of this, at least GPU_ENTRIES */

static uint64_t round_up(double count)
{
    return count > 0 ? (uint64_t)std::ceil(count) : 0;
}

static uint64_t whole_pieces(uint64_t bytes)
{
    return (bytes + LARGE_PIECE - 1) / LARGE_PIECE * LARGE_PIECE;
}

/* Coefficients of the wall nodes, in units (blocks, or stretches of rows) of `unit_nodes`, of which one past
 * the last is known too. */
static void lay_out_walls(const struct device_room *room, uint64_t real, uint64_t units, uint64_t unit_nodes,
                          struct device_layout *out)
{
    const uint64_t nodes = std::max<uint64_t>(round_up(room->wall_nodes), 1),
                   entries = round_up(room->wall_entries), rows = round_up(room->wall_materials) + 2;
    const uint64_t material =
        real == sizeof(float) ? sizeof(struct scheme_material_f32) : sizeof(struct scheme_material_f64);
    out->has_states = entries > 0;
    out->wall_first = device_take(&out->bytes, units + 1, sizeof(uint64_t));
    if (!out->has_states) {
        out->q = device_take(&out->bytes, nodes, real);
        return;
    }
    out->entries = (entries + ENTRY_PLANE - 1) / ENTRY_PLANE * ENTRY_PLANE;
    out->wall_nodes = round_up(room->wall_nodes);
    out->unit_nodes = (uint32_t)unit_nodes;
    out->wide_rows = rows > GPU_NARROW_ROWS;
    out->wall_node = device_take(&out->bytes, nodes, sizeof(uint16_t));
    out->wall_group = device_take(&out->bytes, nodes / GPU_NODE_GROUP + 1, sizeof(struct gpu_node_group));
    out->wall_unit = device_take(&out->bytes, std::min(nodes, units), sizeof(uint32_t));
    out->wall_row = device_take(&out->bytes, out->entries, out->wide_rows ? 2 : 1);
    out->share = device_take(&out->bytes, entries, real);
    out->material = device_take(&out->bytes, rows, material);
    out->state =
        device_take(&out->bytes, (2 * round_up(room->wall_branches) + room->ledger) * out->entries, real);
    if (room->has_records)
        out->wall_gain = device_take(&out->bytes, nodes, sizeof(float));
    /* Walls of the isotropic scheme's blocks are finished in the sweep. */
    out->aside = device_take(&out->bytes, room->isotropic && room->layout == LAYOUT_BLOCKS ? 0 : nodes, real);
    out->q = out->aside; /* as many; kernels find a node's place by it */
}

/* Records by the same units, and nodes with extra links. */
static void lay_out_cuts(const struct device_room *room, uint64_t units, struct device_layout *out)
{
    const uint64_t cuts = round_up(room->cuts);
    out->has_records = true;
    out->linked_nodes = round_up(room->linked_nodes);
    out->link = device_take(&out->bytes, round_up(room->extra_links), sizeof(struct gpu_link));
    if (room->isotropic) {
        out->isotropic = true;
        out->iso_first = device_take(&out->bytes, cuts, sizeof(uint4));
        out->iso_second = device_take(&out->bytes, cuts, sizeof(uint2));
        out->linked = device_take(&out->bytes, out->linked_nodes, sizeof(struct gpu_iso_linked));
        if (room->layout == LAYOUT_BOX)
            out->cut_first = device_take(&out->bytes, units + 1, sizeof(uint64_t));
        return;
    }
    out->cut_first = device_take(&out->bytes, units + 1, sizeof(uint64_t));
    out->cell = device_take(&out->bytes, cuts, sizeof(struct cut_cell));
    out->gain = device_take(&out->bytes, cuts, sizeof(float));
    out->linked = device_take(&out->bytes, out->linked_nodes, sizeof(struct gpu_linked_node));
}

static void lay_out_blocks(const struct device *device, const struct device_room *room, uint64_t real,
                           struct device_layout *out)
{
    const uint64_t blocks = round_up(room->blocks), tiles = round_up(room->tiles),
                   walls = round_up(room->wall_nodes);
    const uint64_t ghosts = round_up(room->ghosts);
    out->values = (blocks + ghosts + 1) * BLOCK_NODES;
    out->slots = (uint32_t)device_order_slots(blocks);
    if (ghosts > 0) /* the surface is padded, and the rest by itself */
        out->slots += GPU_ORDER_PAD;
    const double pressures = 2.0 * (double)(out->values * real), cache = (double)device->cache;
    out->kernel = pressures <= LANES_CACHES * cache ? DEVICE_CACHED_BLOCKS : DEVICE_BLOCKS;
    out->turns = pressures <= TURNS_CACHES * cache;
    if (room->isotropic)
        out->kernel = DEVICE_ISO_BLOCKS;
    for (int i = 0; i < 2; ++i)
        out->level[i] = device_take(&out->bytes, out->values, real);
    lay_out_walls(room, real, blocks + 1, BLOCK_NODES, out);
    if (room->isotropic)
        out->row = device_take(&out->bytes, out->slots, sizeof(struct gpu_iso_row));
    else
        out->block = device_take(&out->bytes, out->slots, sizeof(struct gpu_block));
    if (room->has_records) {
        lay_out_cuts(room, blocks + 1, out);
        out->plane = device_take(&out->bytes, tiles * BLOCK_EDGE, sizeof(struct gpu_plane));
        return;
    }
    out->tile = device_take(&out->bytes, tiles, BLOCK_NODES);
    if (out->kernel == DEVICE_BLOCKS && !out->has_states)
        out->wall_slot = device_take(&out->bytes, std::max<uint64_t>(walls, 1), sizeof(uint16_t));
    out->plane_first = device_take(&out->bytes, tiles * 8, sizeof(uint16_t));
}

static void lay_out_box(const struct device_room *room, uint64_t real, struct device_layout *out)
{
    const uint64_t x = round_up(room->box_nodes[0]), y = round_up(room->box_nodes[1]),
                   z = round_up(room->box_nodes[2]);
    const uint64_t stretch = real == sizeof(float) ? box_stretch<float>() : box_stretch<double>();
    out->kernel = DEVICE_BOX;
    out->pitch = (x + BOX_PITCH - 1) / BOX_PITCH * BOX_PITCH;
    out->origin = y * out->pitch;
    out->values = out->origin * (z + 2);
    for (int i = 0; i < 2; ++i)
        out->level[i] = device_take(&out->bytes, out->values, real);
    lay_out_walls(room, real, out->origin * z / stretch, stretch, out);
    if (room->has_records)
        lay_out_cuts(room, out->origin * z / stretch, out);
    out->links = device_take(&out->bytes, out->values, 1);
}

struct device_layout device_lay_out(const struct device *device, const struct device_room *room)
{
    struct device_layout out = {};
    const uint64_t real = room->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    if (room->layout == LAYOUT_BOX)
        lay_out_box(room, real, &out);
    else
        lay_out_blocks(device, room, real, &out);
    out.bytes = whole_pieces(out.bytes);
    return out;
}

struct device_tap_layout device_lay_out_taps(uint64_t sources, uint64_t receivers)
{
    struct device_tap_layout out = {};
    const uint64_t rows = std::max<uint64_t>(sources + receivers, 1);
    out.batch = std::clamp<uint64_t>(BATCH_BYTES / (rows * sizeof(double)), 1, BATCH_MOST);
    out.done = device_take(&out.bytes, 1, sizeof(uint64_t));
    out.node_count = device_take(&out.bytes, receivers, sizeof(uint32_t));
    out.node = device_take(&out.bytes, receivers * GPU_TAP_NODES, sizeof(uint64_t));
    out.weight = device_take(&out.bytes, receivers * GPU_TAP_NODES, sizeof(double));
    out.source = device_take(&out.bytes, sources * STENCIL_NODES_MAX, sizeof(struct gpu_source_node));
    out.source_block = device_take(&out.bytes, sources * STENCIL_NODES_MAX, sizeof(struct gpu_block));
    out.output = device_take(&out.bytes, receivers * out.batch, sizeof(double));
    out.drive = device_take(&out.bytes, sources * out.batch, sizeof(double));
    return out;
}

struct device_halo_layout device_lay_out_halo(uint64_t sends, uint64_t receives, uint64_t blocks,
                                              uint64_t real_bytes)
{
    struct device_halo_layout out = {};
    out.send = device_take(&out.bytes, sends, sizeof(uint64_t));
    out.receive = device_take(&out.bytes, receives, sizeof(uint64_t));
    out.outer = device_take(&out.bytes, blocks + 1, 1);
    for (int n = 0; n < 2; ++n)
        out.out[n] = device_take(&out.bytes, sends, real_bytes);
    out.in = device_take(&out.bytes, receives, real_bytes);
    return out;
}

double cuda_room_bytes(const struct device *device, const struct device_room *room)
{
    const struct device_tap_layout taps =
        device_lay_out_taps(round_up(room->sources), round_up(room->receivers));
    const uint64_t exchanged = round_up(room->exchanged), states = round_up(room->air_states),
                   real = room->precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    const struct device_halo_layout halo =
        device_lay_out_halo(exchanged, exchanged, round_up(room->blocks), real);
    const struct device_layout layout = device_lay_out(device, room);
    return (double)(layout.bytes + whole_pieces(taps.bytes) + whole_pieces(states * layout.values * real) +
                    (exchanged > 0 ? whole_pieces(halo.bytes) : 0));
}

uint64_t device_index(const struct device_layout *layout, const struct box_grid *box, uint64_t index)
{
    if (layout->kernel != DEVICE_BOX)
        return index;
    const uint64_t row = (uint64_t)box->nodes[0] + 2, rows = (uint64_t)box->nodes[1] + 2;
    const uint64_t x = index % row - 1, y = index / row % rows - 1, z = index / row / rows - 1;
    return (z * (uint64_t)box->nodes[1] + y) * layout->pitch + x;
}
