
#include <omp.h>

#include "blocks/block_grid.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"

/* A box of 9.3 x 7.1 x 6.2, turned. */
static const double box_size[3] = {9.3, 7.1, 6.2}, box_centre[3] = {2.13, -1.4, 4.77},
                    box_angle[3] = {0.4, -0.7, 1.1};

Test(cut_cells, voxels_of_a_turned_box_fill_it_and_close_around_their_air)
{
    struct cell_plane plane[6];
    cell_box_planes(box_centre, box_size, box_angle, 6, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    double volume = (double)voxels.air_nodes, area[6] = {0}, worst = 0;
    for (size_t d = 0; d < voxels.detail_count; d++) {
        const struct voxel_detail *const detail = &voxels.detail[d];
        const struct voxel_area *wall = voxels.area + detail->first_area;
        for (size_t c = detail->first_cell; c < detail->first_cell + detail->cell_count; c++) {
            const struct voxel_cell *const cell = &voxels.cell[c];
            double closed[3];
            volume += (double)cell->volume - 1;
            for (int a = 0; a < 3; a++)
                closed[a] = (double)cell->open[2 * a + 1] - (double)cell->open[2 * a];
            for (int m = 0; m < cell->areas; m++, wall++) {
                area[wall->material] += (double)wall->area;
                for (int a = 0; a < 3; a++)
                    closed[a] += (double)wall->area * plane[wall->material].normal[a];
            }
            for (int a = 0; a < 3; a++)
                worst = fmax(worst, fabs(closed[a]));
        }
    }
    cr_assert(test_at_most(fabs(volume - box_size[0] * box_size[1] * box_size[2]), 1e-5));
    for (int d = 0; d < DIRECTIONS; d++)
        cr_assert(test_at_most(fabs(area[d] - box_size[(d / 2 + 1) % 3] * box_size[(d / 2 + 2) % 3]), 1e-5));
    cr_assert(test_at_most(worst, 1e-6), "floats of an open surface");
    voxels_free(&voxels);
}

Test(cut_cells, a_box_on_the_faces_of_voxels_is_whole_voxels)
{
    const double centre[3] = {3.5, 2, 2.5}, size[3] = {8, 5, 6};
    struct cell_plane plane[6];
    cell_box_planes(centre, size, NULL, 2, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    cr_assert(eq(u64, voxels.air_nodes, 8 * 5 * 6));
    cr_assert(eq(sz, voxels.cell_count, 8 * 5 * 6 - 6 * 3 * 4));
    for (size_t c = 0; c < voxels.cell_count; c++) {
        cr_assert(voxels.cell[c].volume == 1.0f);
        for (int d = 0; d < DIRECTIONS; d++)
            cr_assert(voxels.cell[c].open[d] == 0 || voxels.cell[c].open[d] == 1.0f);
    }
    double area = 0;
    for (size_t m = 0; m < voxels.area_count; m++)
        area += (double)voxels.area[m].area;
    cr_assert(area == 2 * (8 * 5 + 5 * 6 + 6 * 8));
    voxels_free(&voxels);
}

/* Slivers are those of test_cut_slivers.c. */
static struct voxels soup_without_slivers(uint64_t seed)
{
    struct voxels voxels = cell_room_soup(seed, &cell_soup_usual);
    for (size_t c = 0; c < voxels.cell_count; c++)
        voxels.cell[c].volume = fmaxf(voxels.cell[c].volume, 0.004f);
    for (size_t p = 0; p < voxels.piece_count; p++)
        voxels.piece[p].cell.volume = fmaxf(voxels.piece[p].cell.volume, 0.004f);
    return voxels;
}

/* What a dense node must have: its links and record from the voxels, rounded here in another way. */
Test(cut_cells, packing_keeps_every_opening_that_a_byte_can_hold)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct voxels voxels = soup_without_slivers(seed);
        struct block_grid grid = {0};
        MUST(block_grid_pack(&voxels, &grid, &failure));
        MUST(block_grid_check(&grid, &failure));
        cr_assert(grid.has_records && grid.lambda2 == 0);
        uint64_t records = 0, narrow = 0;
        for (size_t b = 0; b < voxels.block_count; b++) {
            const struct voxel_block *const block = &voxels.block[b];
            if (block->detail == VOXELS_OPEN_AIR)
                continue;
            const struct voxel_detail *const detail = &voxels.detail[block->detail];
            const block_id id = block_grid_find(&grid, block->place);
            const struct voxel_area *area = voxels.area + detail->first_area;
            for (size_t c = detail->first_cell; c < detail->first_cell + detail->cell_count; c++) {
                const struct voxel_cell *const cell = &voxels.cell[c];
                if (id == 0 || !block_is_air(&grid, id, cell->slot)) {
                    for (int d = 0; d < DIRECTIONS; d++)
                        cr_assert(cell->open[d] < 0.0025f);
                    area += cell->areas;
                    continue;
                }
                static const struct cut_cell whole = {{200, 200, 200, 200, 200, 200}, 200, 0};
                const uint32_t tile = grid.block[id].tile;
                const uint8_t links = grid.tile[tile][cell->slot];
                const bool has = grid.marks[tile].cut[cell->slot >> 6] >> (cell->slot & 63) & 1;
                const struct cut_cell *const cut =
                    has ? &grid.cut[block_cut_record(&grid, id, cell->slot)] : &whole;
                records += has;
                for (int d = 0; d < DIRECTIONS; d++) {
                    cr_assert(eq(int, cut->open[d], (int)lround(200 * (double)cell->open[d])));
                    cr_assert(eq(int, cut->open[d] != 0, links >> d & 1));
                    narrow += cut->open[d] == 0 && cell->open[d] > 0;
                }
                cr_assert(eq(int, cut->volume, (int)fmax(1, round(200 * (double)cell->volume))));
                uint64_t w = grid.wall_first[id];
                while (w < grid.wall_first[id + 1] && (grid.wall[w].slot & WALL_SLOT) < cell->slot)
                    w++;
                for (int m = 0; m < cell->areas; m++, w++, area++) {
                    cr_assert(eq(int, grid.wall[w].slot, cell->slot | (m > 0 ? WALL_CONTINUES : 0)));
                    cr_assert(grid.wall[w].material == area->material && grid.wall[w].weight == area->area);
                }
            }
        }
        cr_assert(records + grid.list_nodes == grid.cuts && narrow > 1000 && grid.list_nodes > 1000);
        block_grid_free(&grid);
        voxels_free(&voxels);
    }
}

/* A soup in both layouts. */
struct both {
    struct voxels voxels;
    struct block_grid blocks;
    struct box_grid box;
};

static struct both both_of(struct voxels voxels, double lambda2)
{
    struct both both = {.voxels = voxels};
    cell_room_grids(&both.voxels, lambda2, &both.blocks, &both.box);
    return both;
}

static struct both both_make(uint64_t seed, double lambda2)
{
    return both_of(cell_room_soup(seed, &cell_soup_usual), lambda2);
}

static void both_free(struct both *both)
{
    voxels_free(&both->voxels);
    block_grid_free(&both->blocks);
    box_grid_free(&both->box);
}

/* Of a piece by its index: (voxel, which of the voxel's kept pieces). */
Test(cut_cells, every_opening_of_a_piece_is_an_extra_link_from_both_ends)
{
    struct both both = both_of(soup_without_slivers(4), 0);
    const struct voxels *const voxels = &both.voxels;
    const struct block_grid *const grid = &both.blocks;
    /* List nodes are the kept pieces: find each by its voxel, volume and areas, in order. */
    uint64_t wide = 0, joined = 0;
    uint64_t *node = calloc(voxels->piece_count, sizeof *node);
    cr_assert(node != NULL);
    for (size_t o = 0; o < voxels->opening_count; o++)
        for (int e = 0; e < 2; e++)
            if (voxels->opening[o].end[e] & VOXELS_PIECE && voxels->opening[o].open >= 0.0025f)
                node[voxels->opening[o].end[e] & ~VOXELS_PIECE] = 1;
    for (uint64_t n = 0, seen = 0; n < grid->list_nodes; n++) {
        const int64_t *const voxel = grid->list_voxel[n];
        const bool again = n > 0 && memcmp(voxel, grid->list_voxel[n - 1], sizeof *grid->list_voxel) == 0;
        seen = again ? seen + 1 : 0;
        for (size_t p = 0, same = 0; p < voxels->piece_count; p++) {
            const struct voxel_piece *const piece = &voxels->piece[p];
            const int32_t *const place = voxels->block[piece->block].place;
            const struct block block = {.place = {place[0], place[1], place[2]}};
            int64_t at[3];
            block_node(&block, piece->cell.slot, at);
            if (node[p] != 0 && memcmp(at, voxel, sizeof at) == 0 && same++ == seen) {
                node[p] = (uint64_t)block_list_first(grid) * BLOCK_NODES + n;
                const struct cut_cell *const cut =
                    &grid->cut[block_cut_record(grid, (block_id)(node[p] / BLOCK_NODES), n % BLOCK_NODES)];
                cr_assert(eq(int, cut->volume, (int)fmax(1, round(200 * (double)piece->cell.volume))));
                break;
            }
        }
    }
    for (size_t o = 0; o < voxels->opening_count; o++) {
        const struct voxel_opening *const opening = &voxels->opening[o];
        uint64_t end[2], found = 0;
        for (int e = 0; e < 2; e++)
            end[e] = opening->end[e] & VOXELS_PIECE
                         ? node[opening->end[e] & ~VOXELS_PIECE]
                         : block_grid_find(grid, voxels->block[opening->end[e] / BLOCK_NODES].place) *
                                   (uint64_t)BLOCK_NODES +
                               opening->end[e] % BLOCK_NODES;
        const int open = (int)lround(200 * (double)opening->open);
        if (open == 0)
            continue;
        wide++;
        for (uint64_t n = 0; n < grid->extra_nodes; n++) {
            const struct extra_node *const from = &grid->extra_node[n];
            const uint64_t at = (uint64_t)from->block * BLOCK_NODES + from->slot;
            for (int e = 0; e < 2; e++)
                for (unsigned k = 0; at == end[e] && k < from->links; k++) {
                    const struct extra_link *const link = &grid->extra_link[from->first + k];
                    found +=
                        (uint64_t)link->block * BLOCK_NODES + link->slot == end[1 - e] && link->open == open;
                }
        }
        cr_assert(eq(u64, found, 2), "opening %zu", o);
        joined += (opening->end[0] & VOXELS_PIECE) != 0;
    }
    cr_assert(eq(u64, grid->extra_links, 2 * wide));
    cr_assert(test_above((double)joined, 50.0), "%llu", (unsigned long long)joined);
    free(node);
    both_free(&both);
}

Test(cut_cells, a_box_has_the_records_walls_and_extra_links_of_its_blocks)
{
    struct both both = both_make(5, 0.3);
    const struct block_grid *const grid = &both.blocks;
    const struct box_grid *const box = &both.box;
    uint64_t air = 0, in_box = 0;
    cr_assert(box->cuts == grid->cuts && box->walls == grid->walls && box->air_nodes == grid->air_nodes &&
              box->extra_nodes == grid->extra_nodes && box->extra_links == grid->extra_links);
    const int64_t plane = box->nodes[0] * box->nodes[1];
    cr_assert(eq(i64, box->list_plane, grid->air_high[2] - grid->air_low[2] + 1));
    cr_assert(eq(i64, box->nodes[2], box->list_plane + ((int64_t)grid->list_nodes + plane - 1) / plane));
    for (uint64_t n = 0; n < box->length; n++)
        in_box += box->links[n] != 0;
    for (block_id b = 1; b <= grid->blocks; b++) {
        uint64_t record = grid->cut_first[b];
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            const uint64_t index = box_grid_block_index(box, grid, b, slot);
            const uint8_t links = grid->tile[grid->block[b].tile][slot];
            if (!block_is_air(grid, b, slot))
                continue;
            cr_assert(eq(u8, box->links[index], links));
            air += links != 0;
            if (!(grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1))
                continue;
            uint64_t c = 0, end = box->cuts;
            while (end - c > 1) {
                const uint64_t middle = (c + end) / 2;
                *(box->cut_node[middle] <= index ? &c : &end) = middle;
            }
            cr_assert(eq(u64, box->cut_node[c], index));
            cr_assert(memcmp(&box->cut[c], &grid->cut[record], sizeof *box->cut) == 0);
            cr_assert(box->gain[c] == grid->gain[record]);
            record++;
        }
    }
    cr_assert(eq(u64, air, in_box));
    for (uint64_t n = 0; n < box->extra_nodes; n++) {
        const struct box_extra_node *const node = &box->extra_node[n];
        uint64_t m = 0;
        while (box_grid_block_index(box, grid, grid->extra_node[m].block, grid->extra_node[m].slot) !=
               node->node)
            m++;
        cr_assert(n == 0 || node->node > node[-1].node);
        cr_assert(eq(u32, node->links, grid->extra_node[m].links));
        for (unsigned k = 0; k < node->links; k++) {
            const struct extra_link *const link = &grid->extra_link[grid->extra_node[m].first + k];
            cr_assert(eq(u64, box->extra_link[node->first + k].node,
                         box_grid_block_index(box, grid, link->block, link->slot)));
            cr_assert(eq(u8, box->extra_link[node->first + k].open, link->open));
        }
    }
    /* Past the box of the air, row by row. */
    const uint64_t last = grid->list_nodes - 1, row = (uint64_t)box->nodes[0];
    cr_assert(eq(u64, box_grid_block_index(box, grid, grid->blocks, last % BLOCK_NODES),
                 box_index(box, (int64_t)(last % row), (int64_t)(last / row) % box->nodes[1],
                           box->list_plane + (int64_t)last / plane)));
    for (uint64_t w = 1; w < box->walls; w++) {
        const struct box_wall *const wall = &box->wall[w];
        const bool same =
            wall->node == (wall[-1].node | BOX_WALL_CONTINUES) && wall->material > wall[-1].material;
        cr_assert(same || (wall->node & ~BOX_WALL_CONTINUES) > (wall[-1].node & ~BOX_WALL_CONTINUES));
    }
    both_free(&both);
}

Test(cut_cells, fields_of_list_nodes_hash_alike_in_both_layouts)
{
    struct both both = both_make(6, 0);
    const struct block_grid *const grid = &both.blocks;
    float *field = calloc(((size_t)grid->blocks + 1) * BLOCK_NODES, sizeof *field);
    float *in_box = calloc(both.box.length, sizeof *in_box);
    cr_assert(field != NULL && in_box != NULL);
    uint64_t random = 1;
    for (block_id b = 1; b <= grid->blocks; b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            if (block_is_air(grid, b, slot))
                field[(size_t)b * BLOCK_NODES + slot] =
                    in_box[box_grid_block_index(&both.box, grid, b, slot)] =
                        (float)test_uniform(&random, -1, 1);
    const uint64_t hash = block_field_hash(grid, sizeof *field, field);
    cr_assert(eq(u64, box_field_hash(&both.box, sizeof *field, in_box), hash));
    /* Two pieces of one voxel trade places. */
    uint64_t twin = 1;
    while (memcmp(grid->list_voxel[twin], grid->list_voxel[twin - 1], sizeof *grid->list_voxel) != 0)
        twin++;
    float *const pair = field + (size_t)block_list_first(grid) * BLOCK_NODES + twin - 1;
    const float first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
    cr_assert(ne(u64, block_field_hash(grid, sizeof *field, field), hash));
    free(field);
    free(in_box);
    both_free(&both);
}

Test(cut_cells, the_hash_of_a_grid_sees_one_opening_one_gain_one_extra_link)
{
    struct both both = both_make(7, 0.3);
    struct block_grid *const grid = &both.blocks;
    const uint64_t hash = block_grid_hash(grid);
    uint8_t *const bytes[] = {&grid->cut[9].open[2], &grid->cut[9].volume, (uint8_t *)&grid->gain[9],
                              &grid->extra_link[5].open, (uint8_t *)&grid->list_voxel[3]};
    for (size_t n = 0; n < sizeof bytes / sizeof *bytes; n++) {
        *bytes[n] ^= 1;
        cr_assert(ne(u64, block_grid_hash(grid), hash), "byte %zu", n);
        *bytes[n] ^= 1;
    }
    cr_assert(eq(u64, block_grid_hash(grid), hash));
    both_free(&both);
}

Test(cut_cells, a_cut_node_takes_12_bytes_and_measuring_says_so)
{
    struct both both = both_make(8, 0);
    const struct block_grid *const grid = &both.blocks;
    struct block_grid measured = {0}, plain = *grid;
    MUST(block_grid_measure(&both.voxels, &measured, &failure));
    plain.has_records = false;
    plain.list_nodes = 0;
    const struct block_bytes bytes = block_grid_bytes(grid, 4), without = block_grid_bytes(&plain, 4);
    cr_assert(eq(u64, bytes.blocks, without.blocks));
    cr_assert(eq(u64, bytes.walls - without.walls,
                 12 * grid->cuts + 24 * grid->list_nodes + 16 * grid->extra_nodes + 12 * grid->extra_links +
                     20 * grid->merged + 128 * grid->tiles + 8 * ((uint64_t)grid->blocks + 2)));
    cr_assert(eq(u64, bytes.box, both.box.length * 9));
    cr_assert(measured.blocks == grid->blocks && measured.cuts == grid->cuts &&
              measured.walls == grid->walls && measured.wall_nodes == grid->wall_nodes &&
              measured.air_nodes == grid->air_nodes && measured.list_nodes == grid->list_nodes &&
              measured.extra_nodes == grid->extra_nodes && measured.extra_links == grid->extra_links &&
              measured.marks == NULL);
    both_free(&both);
}

Test(cut_cells, whole_open_blocks_stay_full_and_without_marks)
{
    struct cell_plane plane[6];
    const double centre[3] = {20.3, 19.7, 20.1}, size[3] = {31.7, 33.3, 32.2}, angle[3] = {0.1, 0.2, 0.3};
    cell_box_planes(centre, size, angle, 3, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    struct block_grid grid;
    cell_room_grids(&voxels, 0.9 / 3, &grid, NULL);
    uint32_t full = 0;
    for (block_id b = 1; b <= grid.blocks; b++)
        full += grid.block[b].tile == TILE_FULL;
    cr_assert(test_at_most(15.0, (double)full));
    for (int z = 0; z < BLOCK_EDGE; z++)
        cr_assert(eq(u64, grid.marks[TILE_FULL].cut[z] | grid.marks[TILE_FULL].wall[z], 0));
    block_grid_free(&grid);
    voxels_free(&voxels);
}

static bool same_cuts(const struct block_grid *a, const struct block_grid *b)
{
    return a->cuts == b->cuts && a->extra_links == b->extra_links && a->list_nodes == b->list_nodes &&
           same_bytes(a->marks, b->marks, a->tiles * sizeof *a->marks) &&
           same_bytes(a->cut_first, b->cut_first, ((size_t)a->blocks + 2) * sizeof *a->cut_first) &&
           same_bytes(a->cut, b->cut, (size_t)a->cuts * sizeof *a->cut) &&
           same_bytes(a->gain, b->gain, (size_t)a->cuts * sizeof *a->gain) &&
           same_bytes(a->list_voxel, b->list_voxel, (size_t)a->list_nodes * sizeof *a->list_voxel) &&
           same_bytes(a->extra_node, b->extra_node, (size_t)a->extra_nodes * sizeof *a->extra_node) &&
           same_bytes(a->extra_link, b->extra_link, (size_t)a->extra_links * sizeof *a->extra_link);
}

Test(cut_cells, one_thread_and_many_pack_the_same_bits)
{
    omp_set_num_threads(1);
    struct both one = both_make(9, 0.28);
    omp_set_num_threads(5);
    struct both many = both_make(9, 0.28);
    cr_assert(voxel_room_same_grid(&one.blocks, &many.blocks) && same_cuts(&one.blocks, &many.blocks));
    both_free(&one);
    both_free(&many);
}

Test(cut_cells, a_box_on_the_faces_of_voxels_has_the_links_and_walls_of_its_stairs)
{
    const double centre[3] = {3.5, 2, 2.5}, size[3] = {8, 5, 6};
    const int64_t low[3] = {0, 0, 0}, nodes[3] = {8, 5, 6};
    uint8_t links[8 * 5 * 6];
    struct cell_plane plane[6];
    struct block_grid grid, stairs = {0};
    struct box_grid box = {0};
    memset(links, BLOCK_LINKS_ALL, sizeof links);
    link_grids(low, nodes, links, NULL, NULL, &stairs, &box);
    cell_box_planes(centre, size, NULL, 1, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    cell_room_grids(&voxels, 0, &grid, NULL);
    cr_assert(grid.blocks == stairs.blocks && grid.walls == stairs.walls &&
              grid.wall_nodes == stairs.wall_nodes && grid.air_nodes == stairs.air_nodes &&
              grid.cuts == stairs.wall_nodes);
    for (block_id b = 1; b <= grid.blocks; b++)
        cr_assert(same_bytes(grid.tile[grid.block[b].tile], stairs.tile[stairs.block[b].tile], BLOCK_NODES));
    cr_assert(same_bytes(grid.wall, stairs.wall, (size_t)grid.walls * sizeof *grid.wall));
    cr_assert(
        same_bytes(grid.wall_first, stairs.wall_first, ((size_t)grid.blocks + 2) * sizeof *grid.wall_first));
    for (uint64_t c = 0; c < grid.cuts; c++)
        cr_assert(eq(u8, grid.cut[c].volume, CUT_WHOLE));
    block_grid_free(&grid);
    block_grid_free(&stairs);
    box_grid_free(&box);
    voxels_free(&voxels);
}
