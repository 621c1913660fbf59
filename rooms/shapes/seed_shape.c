#include "rooms/shapes/seed_shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* In all three shapes every line along x meets the air in one interval, so a shape is a table of intervals
 * over (y,z). Blocks that their own and their neighbours' rows all cross from side to side are open air. */
struct interval {
    int64_t begin, end; /* nodes begin .. end-1; begin >= end: none */
};

struct shape {
    enum seed_shape kind;
    int64_t nodes;
    int64_t box[3];
};

/* The rows of one layer of blocks and of the node layers on both sides of it. */
enum { LAYER_ROWS = 10, BLOCK = 8 };
struct layer {
    struct interval *row; /* (LAYER_ROWS, row_stride): z - 8 place + 1, y + 1 */
    int64_t row_stride;
};

static struct shape shape_of(enum seed_shape kind, int64_t nodes)
{
    const int64_t side = kind == SEED_CROSS ? 3 * nodes : nodes;
    return (struct shape){.kind = kind, .nodes = nodes, .box = {side, side, nodes}};
}

/* Largest integer whose square is below n > 0. */
static int64_t root_below(int64_t n)
{
    int64_t root = (int64_t)sqrt((double)n);
    while (root * root >= n)
        root--;
    while ((root + 1) * (root + 1) < n)
        root++;
    return root;
}

static struct interval row_of(const struct shape *shape, int64_t y, int64_t z)
{
    const int64_t d = shape->nodes;
    if (y < 0 || y >= shape->box[1] || z < 0 || z >= shape->box[2])
        return (struct interval){0, 0};
    if (shape->kind == SEED_CROSS && (y < d || y >= 2 * d))
        return (struct interval){d, 2 * d};
    if (shape->kind != SEED_SPHERE)
        return (struct interval){0, shape->box[0]};
    /* In half nodes, so that an odd diameter stays exact: (2x - (d+2))^2 < d^2 - ... */
    const int64_t from_y = 2 * y - (d + 2), from_z = 2 * z - (d + 2);
    const int64_t left = d * d - from_y * from_y - from_z * from_z;
    if (left <= 0)
        return (struct interval){0, 0};
    const int64_t reach = root_below(left);
    const int64_t begin = (d + 2 - reach + 1) / 2, end = (d + 2 + reach) / 2 + 1; /* rounded inwards */
    return (struct interval){begin > 0 ? begin : 0, end < d ? end : d};
}

static struct interval layer_row(const struct layer *layer, int64_t y, int z)
{
    return layer->row[(z + 1) * layer->row_stride + y + 1];
}

/* Bits 0..7 of the nodes x .. x+7 that the interval holds. */
static uint64_t interval_bits(struct interval interval, int64_t x)
{
    const int64_t begin = interval.begin > x ? interval.begin - x : 0;
    const int64_t end = interval.end - x < BLOCK ? interval.end - x : BLOCK;
    return begin >= end ? 0 : (UINT64_C(0xFF) >> (BLOCK - end)) & UINT64_C(0xFF) << begin;
}

/* Air and cuts of the block whose first node is (x, y, 0) in the layer. */
static void fill_detail(const struct layer *layer, int64_t x, int64_t y, struct voxel_detail *detail)
{
    memset(detail, 0, sizeof *detail);
    for (int z = 0; z < BLOCK; z++)
        for (int j = 0; j < BLOCK; j++) {
            const struct interval row = layer_row(layer, y + j, z);
            const uint64_t air = interval_bits(row, x);
            const struct interval beside[DIRECTIONS] = {
                {row.begin + 1, row.end + 1},   {row.begin - 1, row.end - 1},
                layer_row(layer, y + j - 1, z), layer_row(layer, y + j + 1, z),
                layer_row(layer, y + j, z - 1), layer_row(layer, y + j, z + 1)};
            detail->air[z] |= air << (BLOCK * j);
            for (int d = 0; d < DIRECTIONS; d++)
                detail->cut[d][z] |= (air & ~interval_bits(beside[d], x)) << (BLOCK * j);
        }
}

static unsigned write_contacts(const struct voxel_detail *detail, struct voxel_contact *contact)
{
    unsigned count = 0;
    for (unsigned slot = 0; slot < BLOCK * BLOCK * BLOCK; slot++)
        for (int d = 0; d < DIRECTIONS; d++)
            if (detail->cut[d][slot >> 6] >> (slot & 63) & 1)
                contact[count++] = (struct voxel_contact){.slot = (uint16_t)slot,
                                                          .material = VOXELS_NO_MATERIAL,
                                                          .direction = (uint8_t)d,
                                                          .cosine = VOXELS_COSINE_ONE};
    return count;
}

/* One run of blocks along x: the range that holds air, and within it the range of open air. */
struct block_run {
    int64_t first, past;
    int64_t open_first, open_past;
};

static struct block_run run_of(const struct layer *layer, int64_t y)
{
    struct interval any = {INT64_MAX, INT64_MIN}, all = {INT64_MIN, INT64_MAX};
    for (int z = -1; z <= BLOCK; z++)
        for (int j = -1; j <= BLOCK; j++) {
            const bool outside_z = z < 0 || z == BLOCK, outside_y = j < 0 || j == BLOCK;
            if (outside_z && outside_y)
                continue;
            const struct interval row = layer_row(layer, y + j, z);
            const bool none = row.begin >= row.end;
            /* Rows beside the block cut its links where they end; rows of its own also at their own ends. */
            const int64_t margin = outside_y || outside_z ? 0 : 1;
            all.begin = none ? INT64_MAX : row.begin + margin > all.begin ? row.begin + margin : all.begin;
            all.end = none ? INT64_MIN : row.end - margin < all.end ? row.end - margin : all.end;
            if (!none && margin == 1) {
                any.begin = row.begin < any.begin ? row.begin : any.begin;
                any.end = row.end > any.end ? row.end : any.end;
            }
        }
    struct block_run run = {0};
    if (any.begin < any.end) {
        run.first = any.begin / BLOCK;
        run.past = (any.end + BLOCK - 1) / BLOCK;
    }
    if (all.begin < all.end) {
        run.open_first = (all.begin + BLOCK - 1) / BLOCK;
        run.open_past = all.end / BLOCK;
    }
    return run;
}

/* Append a mixed block. Arrays grow by doubling. */
static int add_detail(struct voxels *room, size_t *detail_capacity, size_t *contact_capacity,
                      const struct voxel_detail *detail, struct failure *failure)
{
    const size_t contacts_most = DIRECTIONS * BLOCK * BLOCK * BLOCK;
    if (room->detail_count == *detail_capacity) {
        const size_t more = 2 * *detail_capacity + 64;
        struct voxel_detail *grown = realloc(room->detail, more * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, more * sizeof *grown, "the mixed blocks of the shape");
        room->detail = grown;
        *detail_capacity = more;
    }
    if (room->contact_count + contacts_most > *contact_capacity) {
        const size_t more = 2 * *contact_capacity + contacts_most;
        struct voxel_contact *grown = realloc(room->contact, more * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, more * sizeof *grown, "the wall contacts of the shape");
        room->contact = grown;
        *contact_capacity = more;
    }
    struct voxel_detail *const added = &room->detail[room->detail_count++];
    *added = *detail;
    added->first_contact = room->contact_count;
    added->contact_count = write_contacts(detail, room->contact + room->contact_count);
    room->contact_count += added->contact_count;
    return 0;
}

static void count_air(const struct shape *shape, struct voxels *room)
{
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {0, 0, 0};
    for (int64_t z = 0; z < shape->box[2]; z++)
        for (int64_t y = 0; y < shape->box[1]; y++) {
            const struct interval row = row_of(shape, y, z);
            if (row.begin >= row.end)
                continue;
            room->air_nodes += (uint64_t)(row.end - row.begin);
            const int64_t first[3] = {row.begin, y, z}, last[3] = {row.end - 1, y, z};
            for (int a = 0; a < 3; a++) {
                low[a] = first[a] < low[a] ? first[a] : low[a];
                high[a] = last[a] > high[a] ? last[a] : high[a];
            }
        }
    for (int a = 0; a < 3 && room->air_nodes > 0; a++) {
        room->air_low[a] = low[a];
        room->air_high[a] = high[a];
    }
}

static void fill_layer(const struct shape *shape, int64_t place_z, struct layer *layer)
{
    for (int z = -1; z <= BLOCK; z++)
        for (int64_t y = -1; y < layer->row_stride - 1; y++)
            layer->row[(z + 1) * layer->row_stride + y + 1] = row_of(shape, y, place_z * BLOCK + z);
}

int seed_shape_voxels(enum seed_shape shape_kind, int64_t nodes, struct voxels *out, struct failure *failure)
{
    if (nodes < 1 || nodes > SEED_SHAPE_NODES_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "%lld nodes: simple shapes take 1 to %d nodes along an edge", (long long)nodes,
                           SEED_SHAPE_NODES_MAX);
    const struct shape shape = shape_of(shape_kind, nodes);
    struct voxels room = {.lattice = {.spacing = 1}};
    struct layer layer = {0};
    size_t detail_capacity = 0, contact_capacity = 0;
    int64_t places[3];
    int code = 0;
    for (int a = 0; a < 3; a++) {
        room.lattice.nodes[a] = shape.box[a];
        places[a] = (shape.box[a] + BLOCK - 1) / BLOCK;
    }
    layer.row_stride = places[1] * BLOCK + 2;
    layer.row = malloc((size_t)(LAYER_ROWS * layer.row_stride) * sizeof *layer.row);
    if (layer.row == NULL) {
        code = failure_memory(failure, (size_t)(LAYER_ROWS * layer.row_stride) * sizeof *layer.row,
                              "the rows of the shape");
        goto done;
    }
    for (int64_t pz = 0; pz < places[2]; pz++) {
        fill_layer(&shape, pz, &layer);
        for (int64_t py = 0; py < places[1]; py++) {
            const struct block_run run = run_of(&layer, py * BLOCK);
            room.block_count += (size_t)(run.past - run.first);
        }
    }
    room.block = malloc((room.block_count + 1) * sizeof *room.block);
    if (room.block == NULL) {
        code = failure_memory(failure, room.block_count * sizeof *room.block, "the blocks of the shape");
        goto done;
    }
    size_t filled = 0;
    for (int64_t pz = 0; pz < places[2]; pz++) {
        fill_layer(&shape, pz, &layer);
        for (int64_t py = 0; py < places[1]; py++) {
            const struct block_run run = run_of(&layer, py * BLOCK);
            for (int64_t px = run.first; px < run.past; px++) {
                struct voxel_block *const block = &room.block[filled++];
                *block = (struct voxel_block){.place = {(int32_t)px, (int32_t)py, (int32_t)pz},
                                              .detail = VOXELS_OPEN_AIR};
                if (px >= run.open_first && px < run.open_past)
                    continue;
                struct voxel_detail detail;
                fill_detail(&layer, px * BLOCK, py * BLOCK, &detail);
                block->detail = (uint32_t)room.detail_count;
                if ((code = add_detail(&room, &detail_capacity, &contact_capacity, &detail, failure)) != 0)
                    goto done;
            }
        }
    }
    count_air(&shape, &room);
    *out = room;
    room = (struct voxels){0};
done:
    free(layer.row);
    free(room.block);
    free(room.detail);
    free(room.contact);
    return code;
}

uint64_t seed_shape_box_nodes(enum seed_shape shape_kind, int64_t nodes)
{
    const struct shape shape = shape_of(shape_kind, nodes);
    return (uint64_t)shape.box[0] * (uint64_t)shape.box[1] * (uint64_t)shape.box[2];
}
