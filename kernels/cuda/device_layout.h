/** The layout of a room in the single allocation of an engine on a device, the memory of its sources and
 * receivers, and the kernel that steps it. Pure arithmetic over counts, so that a prediction and an
 * allocation cannot differ. */
#ifndef KERNELS_DEVICE_LAYOUT_H
#define KERNELS_DEVICE_LAYOUT_H

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/step/gpu_room.cuh"

/** The kernel that steps a room. */
enum device_kernel {
    DEVICE_CACHED_BLOCKS, /* rooms about as large as the second-level cache; also where few blocks stay on the
                             chip (device_resident.h) */
    DEVICE_BLOCKS,        /* larger rooms */
    DEVICE_ISO_BLOCKS,    /* the isotropic scheme in blocks */
    DEVICE_BOX            /* the box layout, of either scheme */
};

/** Byte offsets are multiples of 256. */
struct device_layout {
    enum device_kernel kernel;
    bool turns;      /* every other step goes backwards: rooms that largely fit into the cache */
    uint64_t values; /* of a level */
    uint64_t origin; /* values before node (0,0,0) of the box; 0 in blocks */
    uint64_t pitch;  /* of a row of the box */
    uint32_t slots;  /* of the launch order */
    uint64_t level[2], q, wall_first;             /* both layouts */
    uint64_t block, tile, plane_first, wall_slot; /* blocks; wall_slot for the march */
    uint64_t links;                               /* box */
    /* Conformal walls: planes instead of tile, plane_first and wall_slot, kinds in `links` (gpu_cuts.cuh). */
    bool has_records;
    uint64_t linked_nodes;
    uint64_t plane, cut_first, cell, gain, linked, link; /* plane: blocks */
    uint64_t wall_gain;                                  /* by wall node, where they have states */
    /* The isotropic scheme: row and plane in blocks, and other records (gpu_iso.cuh). */
    bool isotropic;
    uint64_t row, iso_first, iso_second; /* instead of block, cell and gain */
    /* Frequency-dependent walls: these instead of q and wall_slot (gpu_walls.cuh). */
    bool has_states;
    uint64_t wall_nodes, entries; /* entries: with those that fill the last group */
    uint32_t unit_nodes;          /* of a block or a stretch of rows */
    bool wide_rows;               /* wall_row has two planes, not one */
    uint64_t wall_node, wall_group, wall_unit, wall_row, share, material, state, aside;
    uint64_t bytes;
};

/** Offset of the next array of `count` items of `each` bytes in device memory of which *bytes are used; adds
 * the array to *bytes. */
static inline uint64_t device_take(uint64_t *bytes, uint64_t count, uint64_t each)
{
    const uint64_t at = *bytes;
    *bytes += (count * each + 255) / 256 * 256;
    return at;
}

/** Places of a launch order of so many blocks: whole CTAs of every kernel. */
static inline uint64_t device_order_slots(uint64_t blocks)
{
    return (blocks + GPU_ORDER_PAD - 1) / GPU_ORDER_PAD * GPU_ORDER_PAD;
}

/** Lay out a room whose counts are whole numbers, or nearly so. */
struct device_layout device_lay_out(const struct device *device, const struct device_room *room);

/** The same for the tables and batches of sources and receivers, in a piece of memory of their own. */
struct device_tap_layout {
    uint64_t batch;                                                               /* steps of a batch */
    uint64_t done, node_count, node, weight, source, source_block, output, drive; /* offsets */
    uint64_t bytes;
};
struct device_tap_layout device_lay_out_taps(uint64_t sources, uint64_t receivers);

/** The same for the values that a part of a room exchanges with the others in a step. */
struct device_halo_layout {
    uint64_t send, receive, outer, out[2], in;
    uint64_t bytes;
};
struct device_halo_layout device_lay_out_halo(uint64_t sends, uint64_t receives, uint64_t blocks,
                                              uint64_t real_bytes);

/** The pressure index on the device of a host's index. */
uint64_t device_index(const struct device_layout *layout, const struct box_grid *box, uint64_t index);

#endif
