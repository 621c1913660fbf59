#include "blocks/parts/partition.h"

#include <math.h>
#include <stdlib.h>

#include "blocks/block_numbering.h"

static double weight_of(const struct block_grid *grid, block_id b, double wall_cost)
{
    const uint64_t *const first = grid->has_records ? grid->cut_first : grid->wall_first;
    return BLOCK_NODES + wall_cost * (double)(first[b + 1] - first[b]);
}

/* End each part where its share of the weight is reached, with a block left for each later part. */
static void cut_dense(const struct block_grid *grid, double wall_cost, struct partition *out)
{
    const block_id end = block_list_first(grid);
    double whole = 0.0, sum = 0.0;
    for (block_id b = 1; b < end; b++)
        whole += weight_of(grid, b, wall_cost);
    block_id b = 1;
    out->dense[0] = 1;
    for (unsigned p = 1; p < out->parts; p++) {
        const double level = whole * p / out->parts;
        const block_id last = end - (out->parts - p);
        do
            sum += weight_of(grid, b++, wall_cost);
        while (b < last && sum + 0.5 * weight_of(grid, b, wall_cost) < level);
        out->dense[p] = b;
    }
    out->dense[out->parts] = end;
}

/* The block with the voxel of a list node, or 0. */
static block_id voxel_block(const struct block_grid *grid, uint64_t node)
{
    int32_t place[3];
    for (int a = 0; a < 3; a++)
        place[a] = (int32_t)block_place_of(grid->list_voxel[node][a]);
    return block_grid_find(grid, place);
}

static void cut_list(const struct block_grid *grid, struct partition *out)
{
    const block_id first = block_list_first(grid);
    block_id b = first;
    out->list[0] = first;
    for (unsigned p = 1; p < out->parts; p++) {
        while (b <= grid->blocks && voxel_block(grid, (uint64_t)(b - first) * BLOCK_NODES) < out->dense[p])
            b++;
        out->list[p] = b;
    }
    out->list[out->parts] = grid->blocks + 1;
}

int partition_make(const struct block_grid *grid, unsigned parts, double wall_cost, struct partition *out,
                   struct failure *failure)
{
    const uint32_t placed = block_list_first(grid) - 1;
    if (parts == 0 || parts > PARTITION_MOST)
        return failure_set(failure, FAILURE_INPUT, "a room is stepped in 1 to %u parts, not %u",
                           PARTITION_MOST, parts);
    if (parts > placed)
        return failure_set(failure, FAILURE_INPUT,
                           "the room has %u blocks of air and %u parts were requested: every part needs one",
                           placed, parts);
    if (!(wall_cost >= 0.0 && isfinite(wall_cost)))
        return failure_set(failure, FAILURE_INPUT,
                           "the cost of a node at a wall is %g: it must be finite and not negative",
                           wall_cost);
    const size_t ends = (size_t)parts + 1;
    struct partition made = {parts, malloc(ends * sizeof *made.dense), malloc(ends * sizeof *made.list)};
    if (made.dense == NULL || made.list == NULL) {
        partition_free(&made);
        return failure_memory(failure, ends * (sizeof *made.dense + sizeof *made.list), "a room's parts");
    }
    cut_dense(grid, wall_cost, &made);
    cut_list(grid, &made);
    *out = made;
    return 0;
}

void partition_free(struct partition *partition)
{
    free(partition->dense);
    free(partition->list);
    *partition = (struct partition){0};
}

unsigned partition_owner(const struct partition *partition, block_id block)
{
    const block_id *const end = block < partition->list[0] ? partition->dense : partition->list;
    uint64_t low = 0, high = partition->parts - 1;
    LOWER_BOUND(low, high, at, end[at + 1] <= block);
    return (unsigned)low;
}
