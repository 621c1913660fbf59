/* A room in parts: who owns what, and do the parts together say what the whole grid says? */
#include <math.h>

#include "blocks/box_grid.h"
#include "blocks/cut_masses.h"
#include "blocks/parts/part_arrays.h"
#include "blocks/parts/part_count.h"
#include "blocks/parts/thin_grid.h"
#include "tests/support/cell_grids.h"
#include "tests/support/hung_sheets.h"
#include "tests/support/lossy_room.h"

static const unsigned counts[] = {1, 2, 3, 7};

/* Rooms of chance with records, list nodes and extra links of both schemes, and one of staircases; two
 * of them with sheets. */
static void each_room(void (*claim)(const struct block_grid *grid, unsigned parts))
{
    struct cell_grids *rooms[] = {cell_grids_soup_for(41, 3, SCHEME_STANDARD),
                                  cell_grids_soup_for(42, 3, SCHEME_ISOTROPIC),
                                  cell_grids_box_for(28.3, 17.8, 20.1, 3, SCHEME_ISOTROPIC)};
    struct lossy_room *stairs = room_ragged(43, 50, 41, 33, 0.2, 0.2, 20);
    hung_sheets(&rooms[0]->blocks);
    hung_sheets(&stairs->blocks);
    cr_assert(rooms[0]->blocks.list_nodes > 600 && rooms[1]->blocks.list_nodes > 600);
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        for (int r = 0; r < 3; r++)
            claim(&rooms[r]->blocks, counts[n]);
        claim(&stairs->blocks, counts[n]);
    }
    for (int r = 0; r < 3; r++)
        cell_grids_free(rooms[r]);
    room_free(stairs);
}

static struct part_grid *parts_of(const struct block_grid *grid, unsigned parts, struct partition *partition)
{
    struct part_grid *part = calloc(parts, sizeof *part);
    cr_assert(part != NULL);
    MUST(partition_make(grid, parts, PARTITION_WALL_COST, partition, &failure));
    for (unsigned p = 0; p < parts; p++)
        MUST(part_grid_make(grid, partition, p, &part[p], &failure));
    return part;
}

static void free_parts(struct part_grid *part, struct partition *partition)
{
    for (unsigned p = 0; p < partition->parts; p++)
        part_grid_free(&part[p]);
    free(part);
    partition_free(partition);
}

static void owners_agree(const struct block_grid *grid, unsigned parts)
{
    struct partition partition;
    MUST(partition_make(grid, parts, PARTITION_WALL_COST, &partition, &failure));
    for (unsigned p = 0; p < parts; p++) {
        cr_assert(partition.dense[p] < partition.dense[p + 1] && partition.list[p] <= partition.list[p + 1]);
        for (block_id b = partition.dense[p]; b < partition.dense[p + 1]; b++)
            cr_assert(eq(uint, partition_owner(&partition, b), p));
        for (block_id b = partition.list[p]; b < partition.list[p + 1]; b++)
            cr_assert(eq(uint, partition_owner(&partition, b), p));
    }
    cr_assert(partition.dense[0] == 1 && partition.dense[parts] == block_list_first(grid) &&
              partition.list[0] == block_list_first(grid) && partition.list[parts] == grid->blocks + 1);
    partition_free(&partition);
}

Test(part_grid, every_block_has_one_owner)
{
    each_room(owners_agree);
}

Test(part_grid, parts_weigh_the_same_within_a_block)
{
    struct lossy_room *room = room_ragged(44, 90, 66, 50, 0.2, 0.2, 40);
    const struct block_grid *grid = &room->blocks;
    double most = 0.0;
    for (block_id b = 1; b <= grid->blocks; b++)
        most = fmax(most, 512 + 10.0 * (double)(grid->wall_first[b + 1] - grid->wall_first[b]));
    for (unsigned parts = 2; parts < 9; parts++) {
        struct partition partition;
        MUST(partition_make(grid, parts, 10.0, &partition, &failure));
        const double mean = (512.0 * grid->blocks + 10.0 * (double)grid->walls) / parts;
        for (unsigned p = 0; p < parts; p++) {
            const block_id *const dense = &partition.dense[p], *const list = &partition.list[p];
            const uint64_t walls = grid->wall_first[dense[1]] - grid->wall_first[dense[0]] +
                                   grid->wall_first[list[1]] - grid->wall_first[list[0]];
            const double weight = 512.0 * (dense[1] - dense[0] + list[1] - list[0]) + 10.0 * (double)walls;
            cr_assert(test_at_most(weight, mean + most));
        }
        partition_free(&partition);
    }
    room_free(room);
}

Test(part_grid, every_block_can_be_a_part_and_no_more)
{
    struct lossy_room *room = room_ragged(45, 20, 17, 12, 0.1, 0.1, 4);
    struct partition partition = {0};
    const unsigned blocks = room->blocks.blocks;
    MUST(partition_make(&room->blocks, blocks, PARTITION_WALL_COST, &partition, &failure));
    partition_free(&partition);
    MUST_FAIL(partition_make(&room->blocks, blocks + 1, PARTITION_WALL_COST, &partition, &failure),
              FAILURE_INPUT, "every part needs one");
    MUST_FAIL(partition_make(&room->blocks, 0, PARTITION_WALL_COST, &partition, &failure), FAILURE_INPUT,
              "not 0");
    MUST_FAIL(partition_make(&room->blocks, 2, NAN, &partition, &failure), FAILURE_INPUT, "must be finite");
    room_free(room);
}

static void parts_are_right(const struct block_grid *grid, unsigned parts)
{
    struct partition partition;
    struct part_grid *part = parts_of(grid, parts, &partition);
    uint64_t air = 0, walls = 0, cuts = 0, nodes = 0, links = 0, hash = 0;
    for (unsigned p = 0; p < parts; p++) {
        MUST(part_grid_check(grid, &partition, &part[p], &failure));
        air += part[p].grid.air_nodes;
        walls += part[p].grid.walls;
        cuts += part[p].grid.cuts;
        nodes += part[p].grid.list_nodes;
        links += part[p].grid.extra_links;
        for (block_id b = 1; b <= part[p].grid.blocks; b++)
            cr_assert(eq(u32, part_local(&part[p], part_global(&part[p], b)), b));
    }
    cr_assert(air == grid->air_nodes && walls == grid->walls && cuts == grid->cuts &&
              nodes == grid->list_nodes && links == grid->extra_links);
    if (grid->list_nodes == 0) { /* hashes of links need the places of ghosts that list nodes lack */
        for (unsigned p = 0; p < parts; p++)
            hash += block_grid_hash(&part[p].grid);
        cr_assert(eq(u64, hash, block_grid_hash(grid)));
    }
    free_parts(part, &partition);
}

Test(part_grid, parts_hold_the_room_and_receive_all_they_read)
{
    each_room(parts_are_right);
}

/* What is counted before a part is cut is what it has; its arrays take the bytes of the formula, but for list
 * nodes of a last block that is not full, what is surface, and values that are counted twice. */
static void counts_are_right(const struct block_grid *grid, unsigned parts)
{
    struct partition partition;
    struct part_grid *part = parts_of(grid, parts, &partition);
    for (unsigned p = 0; p < parts; p++) {
        const struct block_grid *const own = &part[p].grid;
        struct part_counts count;
        MUST(part_count(grid, &partition, p, &count, &failure));
        cr_assert(count.blocks == own->blocks && count.ghosts == own->ghosts && count.tiles == own->tiles &&
                  count.walls == (double)own->walls && count.cuts == (double)own->cuts &&
                  count.linked_nodes == (double)own->extra_nodes &&
                  count.extra_links == (double)own->extra_links && count.sheets == (double)own->sheets);
        cr_assert(count.values >= (double)part[p].receives && count.list_nodes >= (double)own->list_nodes);
        cr_assert(count.values <= 1.6 * (double)part[p].receives);
        struct part_array array[PART_ARRAYS];
        double bytes = 0;
        part_arrays(&part[p], array);
        for (int n = 0; n < PART_ARRAYS; n++)
            bytes += (double)array[n].bytes;
        const double spare = (count.list_nodes - (double)own->list_nodes) * 24 +
                             (2 * count.values - (double)(part[p].sends + part[p].receives)) * 8 +
                             8.0 * count.ghosts + 200;
        cr_assert(part_grid_bytes(&count) >= bytes - 4.0 * part[p].surfaces - 40.0 * (part[p].peers + 1) -
                                                 12.0 * (double)own->merged * 2 -
                                                 (double)(own->laws * sizeof *own->law));
        cr_assert(part_grid_bytes(&count) <= bytes + spare);
        cr_assert(test_near(part_bytes(&count, 2, 8, 0) - part_bytes(&count, 2, 4, 0),
                            4 * (1024 * (count.blocks + count.ghosts + 1) + 2 * count.values), 1));
    }
    free_parts(part, &partition);
}

Test(part_grid, a_part_is_as_large_as_was_counted_before_it_was_cut)
{
    each_room(counts_are_right);
}

static void largest_is_no_smaller(const struct block_grid *grid, unsigned parts)
{
    struct partition partition;
    struct part_counts whole, largest;
    MUST(partition_make(grid, parts, PARTITION_WALL_COST, &partition, &failure));
    part_count_whole(grid, &whole);
    part_count_largest(&whole, parts, PARTITION_WALL_COST, &largest);
    for (unsigned p = 0; p < parts; p++) {
        struct part_counts count;
        MUST(part_count(grid, &partition, p, &count, &failure));
        cr_assert(part_bytes(&count, 2, 4, 0) <= part_bytes(&largest, 2, 4, 0) * 1.1);
    }
    partition_free(&partition);
}

Test(part_grid, no_part_is_larger_than_the_largest_that_is_predicted)
{
    each_room(largest_is_no_smaller);
}

/* 10^11 nodes: 195 million blocks, whose pressure indices, bytes and messages need 64 bits. */
Test(part_grid, a_room_of_1e11_nodes_is_predicted_without_overflow)
{
    const struct part_counts whole = {.blocks = 1e11 / 512,
                                      .tiles = 1e6,
                                      .walls = 5e8,
                                      .cuts = 4e8,
                                      .has_records = true,
                                      .isotropic = true};
    struct part_counts part;
    cr_assert(whole.blocks < BLOCKS_MAX);
    part_count_largest(&whole, 2, PARTITION_WALL_COST, &part);
    cr_assert(part_bytes(&part, 2, 4, 16) > 4e11 && part_bytes(&part, 2, 4, 16) < 5e11);
    part_count_largest(&whole, 1024, PARTITION_WALL_COST, &part);
    cr_assert(part_bytes(&part, 2, 4, 16) > 8e8 && part_bytes(&part, 2, 4, 16) < 2e9);
}

/* Every place, link, mass and pressure index. */
static uint64_t places_of(const struct block_grid *grid)
{
    uint64_t hash = 0;
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            block_node(&grid->block[b], slot, node);
            hash = hash * 31 + block_grid_index(grid, node) + block_grid_links(grid, node) +
                   (block_grid_home(grid, node) << 8);
        }
    return hash;
}

Test(part_grid, a_thin_grid_still_finds_nodes_and_their_masses)
{
    struct cell_grids *room = cell_grids_soup_for(42, 3, SCHEME_ISOTROPIC);
    struct block_grid *grid = &room->blocks;
    const uint64_t before = places_of(grid);
    const double mass = grid->lambda2 > 0 ? cut_masses_sum(grid) : 0;
    block_grid_thin(grid);
    cr_assert(grid->edge == NULL && grid->wall == NULL && grid->plaquette == NULL &&
              grid->extra_link == NULL);
    cr_assert(eq(u64, places_of(grid), before));
    cr_assert(test_near(grid->lambda2 > 0 ? cut_masses_sum(grid) : 0, mass, 0));
    cell_grids_free(room);
}

/* The node at a pressure index of a part, as one of the whole room. */
static uint64_t global_index(const struct part_grid *part, uint64_t index)
{
    return (uint64_t)part_global(part, (block_id)(index / BLOCK_NODES)) * BLOCK_NODES + index % BLOCK_NODES;
}

static const struct part_peer *peer_of(const struct part_grid *part, unsigned other)
{
    for (unsigned n = 0; n < part->peers; n++)
        if (part->peer[n].part == other)
            return &part->peer[n];
    return NULL;
}

static void both_sides_agree(const struct block_grid *grid, unsigned parts)
{
    struct partition partition;
    struct part_grid *part = parts_of(grid, parts, &partition);
    for (unsigned p = 0; p < parts; p++) {
        uint64_t sends = 0;
        for (unsigned n = 0; n < part[p].peers; n++) {
            const struct part_peer *out = &part[p].peer[n], *in = peer_of(&part[out->part], p);
            cr_assert(in != NULL && in->receives == out->sends);
            for (uint64_t k = 0; k < out->sends; k++) {
                const uint64_t own = part[p].send[out->send + k];
                cr_assert(own / BLOCK_NODES <= part[p].grid.blocks);
                cr_assert(eq(u64, global_index(&part[p], own),
                             global_index(&part[out->part], part[out->part].receive[in->receive + k])));
            }
            sends += out->sends;
        }
        cr_assert(eq(u64, sends, part[p].sends));
        cr_assert(parts > 1 || (part[p].peers == 0 && part[p].grid.ghosts == 0 && part[p].surfaces == 0));
    }
    free_parts(part, &partition);
}

Test(part_grid, what_one_part_sends_is_what_the_other_receives_in_that_order)
{
    each_room(both_sides_agree);
}

/* Two halves of a box of 16 x 8 x 8 nodes: one face of 64 values; at a corner of four blocks also an edge
 * of 8. */
Test(part_grid, a_face_is_64_values_and_an_edge_8)
{
    const int64_t low[3] = {0, 0, 0};
    struct partition partition;
    struct lossy_room *room = room_box(16, 8, 8, low);
    struct part_grid *part = parts_of(&room->blocks, 2, &partition);
    cr_assert(part[0].sends == 64 && part[1].sends == 64 && part[0].surfaces == 1);
    cr_assert(part_step_bytes(&part[0], 4) == 256);
    free_parts(part, &partition);
    room_free(room);
    room = room_for(SCHEME_ISOTROPIC, room_box(16, 16, 8, low));
    part = parts_of(&room->blocks, 4, &partition);
    for (int p = 0; p < 4; p++)
        cr_assert(part[p].sends == 64 + 64 + 8 && part[p].peers == 3);
    free_parts(part, &partition);
    room_free(room);
}

/* A node that others read and that its owner leaves out of the message; a neighbour that is another block. */
Test(part_grid, the_check_sees_faults)
{
    struct partition partition;
    struct cell_grids *room = cell_grids_soup_for(46, 3, SCHEME_ISOTROPIC);
    struct part_grid *part = parts_of(&room->blocks, 3, &partition);
    part[1].receive[0] = part[1].receive[1];
    cr_assert(part_grid_check(&room->blocks, &partition, &part[1], &failure) == FAILURE_ANSWER_NO);
    part[0].grid.edge[1][0] ^= 1;
    MUST_FAIL(part_grid_check(&room->blocks, &partition, &part[0], &failure), FAILURE_ANSWER_NO,
              "across edge 0");
    part[2].grid.cut[0].volume++;
    MUST_FAIL(part_grid_check(&room->blocks, &partition, &part[2], &failure), FAILURE_ANSWER_NO, "records");
    free_parts(part, &partition);
    cell_grids_free(room);
}

/* The second piece of a voxel in another part than the first: a field hashes as it does in one. */
Test(part_grid, pieces_of_a_voxel_in_two_parts_keep_their_numbers)
{
    struct partition partition;
    struct cell_grids *room = NULL;
    unsigned cut = 0;
    for (uint64_t seed = 50; cut == 0; seed++) {
        room = cell_grids_soup_for(seed, 3, SCHEME_STANDARD);
        const int64_t(*const voxel)[3] = (const int64_t(*)[3])room->blocks.list_voxel;
        if (room->blocks.list_nodes > BLOCK_NODES &&
            memcmp(voxel[BLOCK_NODES - 1], voxel[BLOCK_NODES], sizeof *voxel) == 0)
            cut = 1;
        else
            cell_grids_free(room);
    }
    struct part_grid *part = parts_of(&room->blocks, 7, &partition);
    uint64_t *const value = calloc(((size_t)room->blocks.blocks + 1) * BLOCK_NODES, sizeof *value), hash = 0;
    cr_assert(value != NULL);
    for (unsigned p = 0; p < 7; p++) {
        cut += part[p].grid.list_before > 0;
        hash += block_field_hash(&part[p].grid, sizeof *value, value);
    }
    cr_assert(cut == 2 && hash == block_field_hash(&room->blocks, sizeof *value, value));
    free(value);
    free_parts(part, &partition);
    cell_grids_free(room);
}
