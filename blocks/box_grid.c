#include "blocks/box_grid.h"

#include <stdlib.h>
#include <string.h>

void box_grid_free(struct box_grid *grid)
{
    free(grid->links);
    free(grid->wall);
    *grid = (struct box_grid){0};
}

uint64_t box_grid_index(const struct box_grid *grid, const int64_t node[3])
{
    int64_t at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = node[a] - grid->low[a];
        if (at[a] < 0 || at[a] >= grid->nodes[a])
            return UINT64_MAX;
    }
    return box_index(grid, at[0], at[1], at[2]);
}

static int allocate_links(struct box_grid *box, struct failure *failure)
{
    box->length = 1;
    for (int a = 0; a < 3; a++)
        if (__builtin_mul_overflow(box->length, (uint64_t)box->nodes[a] + 2, &box->length) ||
            box->length > SIZE_MAX / 64)
            return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                              "a bounding box of %lld x %lld x %lld nodes cannot be held",
                                              (long long)box->nodes[0], (long long)box->nodes[1],
                                              (long long)box->nodes[2]),
                                  failure, ADVICE_BLOCKS_OR_COARSER, 0);
    box->links = calloc(box->length, 1);
    if (box->links == NULL)
        return failure_memory(failure, box->length, "the link bytes of the bounding box");
    return 0;
}

/* The part of a block's links that lies in the box, row by row along x. */
static void copy_links(const struct block *block, const uint8_t links[BLOCK_NODES], struct box_grid *box)
{
    int64_t corner[3];
    int begin[3], end[3];
    for (int a = 0; a < 3; a++) {
        corner[a] = (int64_t)block->place[a] * BLOCK_EDGE - box->low[a];
        begin[a] = corner[a] < 0 ? (int)-corner[a] : 0;
        end[a] = box->nodes[a] - corner[a] < BLOCK_EDGE ? (int)(box->nodes[a] - corner[a]) : BLOCK_EDGE;
    }
    for (int z = begin[2]; z < end[2]; z++)
        for (int y = begin[1]; y < end[1]; y++)
            memcpy(box->links + box_index(box, corner[0] + begin[0], corner[1] + y, corner[2] + z),
                   links + block_slot(begin[0], y, z), (size_t)(end[0] - begin[0]));
}

static int by_node_then_material(const void *a, const void *b)
{
    const struct box_wall *left = a, *right = b;
    const uint64_t left_node = left->node & ~BOX_WALL_CONTINUES,
                   right_node = right->node & ~BOX_WALL_CONTINUES;
    if (left_node != right_node)
        return left_node < right_node ? -1 : 1;
    return (left->material > right->material) - (left->material < right->material);
}

/* Wall entries in the box's order: counted into its rows along x, then sorted within each row. */
static int walls_to_box(const struct block_grid *grid, struct box_grid *box, struct failure *failure)
{
    const uint64_t row_length = (uint64_t)box->nodes[0] + 2, rows = box->length / row_length;
    const size_t wall_bytes = ((size_t)grid->walls + 1) * sizeof *box->wall;
    uint64_t *row_end = calloc(rows + 1, sizeof *row_end);
    int code = 0;
    box->wall = malloc(wall_bytes);
    if (row_end == NULL || box->wall == NULL) {
        code =
            failure_memory(failure, wall_bytes + (rows + 1) * sizeof *row_end, "walls of the bounding box");
        goto done;
    }
    for (int fill = 0; fill < 2; fill++) {
        for (block_id b = 1; b <= grid->blocks; b++) {
            for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
                const struct wall *wall = &grid->wall[w];
                int64_t node[3];
                block_node(&grid->block[b], wall->slot & WALL_SLOT, node);
                const uint64_t index = box_grid_index(box, node);
                const uint64_t row = index / row_length;
                if (!fill)
                    row_end[row + 1]++;
                else
                    box->wall[row_end[row]++] = (struct box_wall){
                        .node = index | (wall->slot & WALL_CONTINUES ? BOX_WALL_CONTINUES : 0),
                        .material = wall->material,
                        .weight = wall->weight};
            }
        }
        if (!fill)
            for (uint64_t row = 0; row < rows; row++)
                row_end[row + 1] += row_end[row];
    }
#pragma omp parallel for schedule(dynamic, 256)
    for (uint64_t row = 0; row < rows; row++) {
        const uint64_t begin = row == 0 ? 0 : row_end[row - 1];
        if (row_end[row] - begin > 1)
            qsort(box->wall + begin, row_end[row] - begin, sizeof *box->wall, by_node_then_material);
    }
    box->walls = grid->walls;
    box->wall_nodes = grid->wall_nodes;
done:
    free(row_end);
    return code;
}

int box_grid_from_blocks(const struct block_grid *grid, struct box_grid *out, struct failure *failure)
{
    struct box_grid box = {.air_nodes = grid->air_nodes};
    int code = 0;
    for (int a = 0; a < 3; a++) {
        box.low[a] = grid->air_low[a];
        box.nodes[a] = grid->air_high[a] - grid->air_low[a] + 1;
    }
    if ((code = allocate_links(&box, failure)) != 0)
        goto done;
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b <= grid->blocks; b++)
        copy_links(&grid->block[b], grid->tile[grid->block[b].tile], &box);
    if ((code = walls_to_box(grid, &box, failure)) != 0)
        goto done;
    *out = box;
    box = (struct box_grid){0};
done:
    box_grid_free(&box);
    return code;
}
