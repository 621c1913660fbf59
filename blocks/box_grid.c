#include "blocks/box_grid.h"

#include <stdlib.h>
#include <string.h>

void box_grid_free(struct box_grid *grid)
{
    free(grid->links);
    free(grid->wall);
    free(grid->cut_node);
    free(grid->cut);
    free(grid->gain);
    free(grid->plaquette);
    free(grid->list_voxel);
    free(grid->extra_node);
    free(grid->extra_link);
    *grid = (struct box_grid){0};
}

uint64_t box_grid_index(const struct box_grid *grid, const int64_t node[3])
{
    int64_t at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = node[a] - grid->low[a];
        if (at[a] < 0 || at[a] >= (a == 2 && grid->has_records ? grid->list_plane : grid->nodes[a]))
            return UINT64_MAX;
    }
    return box_index(grid, at[0], at[1], at[2]);
}

uint64_t box_grid_list_index(const struct box_grid *grid, uint64_t n)
{
    const uint64_t row = (uint64_t)grid->nodes[0], plane = row * (uint64_t)grid->nodes[1];
    return box_index(grid, (int64_t)(n % row), (int64_t)(n % plane / row),
                     grid->list_plane + (int64_t)(n / plane));
}

uint64_t box_grid_block_index(const struct box_grid *grid, const struct block_grid *of, block_id b,
                              unsigned slot)
{
    int64_t node[3];
    if (b >= block_list_first(of))
        return box_grid_list_index(grid, (uint64_t)(b - block_list_first(of)) * BLOCK_NODES + slot);
    block_node(&of->block[b], slot, node);
    return box_grid_index(grid, node);
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
                const uint64_t index = box_grid_block_index(box, grid, b, wall->slot & WALL_SLOT);
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

/* An item of the grid and its index in the box. */
struct box_place {
    uint64_t node, of;
};

static int by_node(const void *a, const void *b)
{
    const struct box_place *left = a, *right = b;
    return (left->node > right->node) - (left->node < right->node);
}

/* Records in the box's order. */
static int cuts_to_box(const struct block_grid *grid, struct box_grid *box, struct failure *failure)
{
    const size_t count = (size_t)grid->cuts + 1;
    struct box_place *place = malloc(count * sizeof *place);
    box->cut_node = malloc(count * sizeof *box->cut_node);
    box->cut = malloc(count * sizeof *box->cut);
    box->gain = malloc(count * sizeof *box->gain);
    box->plaquette = grid->isotropic ? malloc(count * sizeof *box->plaquette) : NULL;
    if (place == NULL || box->cut_node == NULL || box->cut == NULL || box->gain == NULL ||
        (grid->isotropic && box->plaquette == NULL)) {
        free(place);
        return failure_memory(failure,
                              count * (sizeof *place + sizeof *box->cut_node + sizeof *box->cut +
                                       sizeof *box->gain + (grid->isotropic ? sizeof *box->plaquette : 0)),
                              "cut nodes of the bounding box");
    }
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b <= grid->blocks; b++) {
        const uint64_t *const cut = grid->marks[grid->block[b].tile].cut;
        uint64_t record = grid->cut_first[b];
        for (unsigned z = 0; z < BLOCK_EDGE; z++)
            for (uint64_t rest = cut[z]; rest != 0; rest &= rest - 1, record++)
                place[record] = (struct box_place){
                    box_grid_block_index(box, grid, b, 64 * z + (unsigned)__builtin_ctzll(rest)), record};
    }
    qsort(place, (size_t)grid->cuts, sizeof *place, by_node);
    for (uint64_t c = 0; c < grid->cuts; c++) {
        box->cut_node[c] = place[c].node;
        box->cut[c] = grid->cut[place[c].of];
        box->gain[c] = grid->gain[place[c].of];
        if (grid->isotropic)
            memcpy(box->plaquette[c], grid->plaquette[place[c].of], sizeof *box->plaquette);
    }
    free(place);
    box->cuts = grid->cuts;
    return 0;
}

/* Extra links; those of one node stay in the grid's order. */
static int links_to_box(const struct block_grid *grid, struct box_grid *box, struct failure *failure)
{
    const size_t nodes = (size_t)grid->extra_nodes + 1, links = (size_t)grid->extra_links + 1,
                 list = (size_t)grid->list_nodes + 1;
    struct box_place *place = malloc(nodes * sizeof *place);
    box->extra_node = malloc(nodes * sizeof *box->extra_node);
    box->extra_link = malloc(links * sizeof *box->extra_link);
    box->list_voxel = malloc(list * sizeof *box->list_voxel);
    if (place == NULL || box->extra_node == NULL || box->extra_link == NULL || box->list_voxel == NULL) {
        free(place);
        return failure_memory(failure,
                              nodes * (sizeof *place + sizeof *box->extra_node) +
                                  links * sizeof *box->extra_link + list * sizeof *box->list_voxel,
                              "extra links of the bounding box");
    }
    for (uint64_t n = 0; n < grid->extra_nodes; n++)
        place[n] = (struct box_place){
            box_grid_block_index(box, grid, grid->extra_node[n].block, grid->extra_node[n].slot), n};
    qsort(place, (size_t)grid->extra_nodes, sizeof *place, by_node);
    for (uint64_t n = 0; n < grid->extra_nodes; n++) {
        const struct extra_node *const from = &grid->extra_node[place[n].of];
        box->extra_node[n] =
            (struct box_extra_node){.node = place[n].node, .first = box->extra_links, .links = from->links};
        for (uint64_t k = from->first; k < from->first + from->links; k++) {
            const struct extra_link *const link = &grid->extra_link[k];
            box->extra_link[box->extra_links++] =
                (struct box_extra_link){.node = box_grid_block_index(box, grid, link->block, link->slot),
                                        .crossed = link->crossed,
                                        .open = link->open};
        }
    }
    free(place);
    memcpy(box->list_voxel, grid->list_voxel, (size_t)grid->list_nodes * sizeof *box->list_voxel);
    box->extra_nodes = grid->extra_nodes;
    return 0;
}

int box_grid_from_blocks(const struct block_grid *grid, struct box_grid *out, struct failure *failure)
{
    struct box_grid box = {.air_nodes = grid->air_nodes, .isotropic = grid->isotropic};
    int code = 0;
    for (int a = 0; a < 3; a++) {
        box.low[a] = grid->air_low[a];
        box.nodes[a] = grid->air_high[a] - grid->air_low[a] + 1;
    }
    if (grid->has_records) {
        const uint64_t plane = (uint64_t)box.nodes[0] * (uint64_t)box.nodes[1];
        box.has_records = true;
        box.list_plane = box.nodes[2];
        box.list_nodes = grid->list_nodes;
        box.nodes[2] += (int64_t)((grid->list_nodes + plane - 1) / plane);
    }
    if ((code = allocate_links(&box, failure)) != 0)
        goto done;
#pragma omp parallel for schedule(static)
    for (block_id b = 1; b < block_list_first(grid); b++)
        copy_links(&grid->block[b], grid->tile[grid->block[b].tile], &box);
    if ((code = walls_to_box(grid, &box, failure)) != 0)
        goto done;
    if (grid->has_records &&
        ((code = cuts_to_box(grid, &box, failure)) != 0 || (code = links_to_box(grid, &box, failure)) != 0))
        goto done;
    *out = box;
    box = (struct box_grid){0};
done:
    box_grid_free(&box);
    return code;
}
