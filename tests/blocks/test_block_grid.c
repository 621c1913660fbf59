
#include <omp.h>

#include "blocks/block_grid.h"
#include "blocks/hilbert.h"
#include "rooms/shapes/seed_shape.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"

static struct block_grid packed(const struct voxels *voxels)
{
    struct block_grid grid = {0};
    MUST(block_grid_pack(voxels, &grid, &failure));
    return grid;
}

/* A random room and its grid. */
struct packed_room {
    struct voxel_room room;
    struct voxels voxels;
    struct block_grid grid;
};

static struct packed_room pack_room(uint64_t seed)
{
    struct packed_room of = {.room = voxel_room_make(seed)};
    of.voxels = voxel_room_voxels(&of.room);
    of.grid = packed(&of.voxels);
    return of;
}

static void free_room(struct packed_room *of)
{
    block_grid_free(&of->grid);
    voxels_free(&of->voxels);
    voxel_room_free(&of->room);
}

static struct block_grid packed_shape(enum seed_shape shape, int64_t nodes)
{
    struct voxels voxels = {0};
    MUST(seed_shape_voxels(shape, nodes, &voxels, &failure));
    struct block_grid grid = packed(&voxels);
    voxels_free(&voxels);
    return grid;
}

Test(block_grid, consecutive_keys_of_a_full_cube_are_face_neighbours)
{
    for (unsigned bits = 1; bits <= 5; bits++) {
        const uint32_t side = 1u << bits;
        const size_t count = (size_t)side * side * side;
        uint32_t(*at)[3] = malloc(count * sizeof *at);
        bool *seen = calloc(count, 1);
        cr_assert(at != NULL && seen != NULL);
        for (uint32_t z = 0; z < side; z++)
            for (uint32_t y = 0; y < side; y++)
                for (uint32_t x = 0; x < side; x++) {
                    const uint32_t place[3] = {x, y, z};
                    const uint64_t key = hilbert_key(bits, place);
                    cr_assert(lt(u64, key, count));
                    cr_assert(not(seen[key]), "key %llu twice", (unsigned long long)key);
                    seen[key] = true;
                    memcpy(at[key], place, sizeof place);
                }
        for (size_t key = 1; key < count; key++) {
            unsigned distance = 0;
            for (int a = 0; a < 3; a++)
                distance += (unsigned)abs((int)at[key][a] - (int)at[key - 1][a]);
            cr_assert(eq(u32, distance, 1), "keys %zu and %zu of %u bits", key - 1, key, bits);
        }
        free(at);
        free(seen);
    }
}

Test(block_grid, keys_of_large_places_use_all_bits)
{
    const uint32_t last = (1u << HILBERT_BITS_MAX) - 1;
    const uint32_t corner[4][3] = {{0, 0, 0}, {last, 0, 0}, {0, last, 0}, {0, 0, last}};
    uint64_t largest = 0;
    for (int c = 0; c < 4; c++) {
        const uint64_t key = hilbert_key(HILBERT_BITS_MAX, corner[c]);
        largest = key > largest ? key : largest;
    }
    /* The curve starts at one corner of the cube and ends at the other end of an edge. */
    cr_assert(eq(u64, hilbert_key(HILBERT_BITS_MAX, corner[0]), 0));
    cr_assert(eq(u64, largest, (UINT64_C(1) << 3 * HILBERT_BITS_MAX) - 1));
}

Test(block_grid, a_range_of_ids_is_a_compact_region)
{
    struct block_grid grid = packed_shape(SEED_CUBE, 256);
    cr_assert(eq(u32, grid.blocks, 32768));
    for (block_id first = 1; first + 4096 <= grid.blocks + 1; first += 777) {
        uint64_t faces = 0;
        for (block_id b = first; b < first + 4096; b++)
            for (int d = 0; d < DIRECTIONS; d++) {
                const block_id there = grid.block[b].neighbour[d];
                faces += there < first || there >= first + 4096;
            }
        /* A cube of 16^3 blocks has 6 x 16^2 faces; four layers of 32 x 32 have 2,560. */
        cr_assert(test_at_most((double)(faces), (double)(2 * 6 * 16 * 16)), "blocks from %u: %llu faces",
                  first, (unsigned long long)faces);
    }
    block_grid_free(&grid);
}

Test(block_grid, packing_keeps_every_link_of_a_random_room)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct packed_room of = pack_room(seed);
        const struct voxel_room room = of.room;
        const struct block_grid grid = of.grid;
        MUST(voxels_check(&of.voxels, &failure));
        MUST(block_grid_check(&grid, &failure));
        uint64_t air = 0, walls = 0;
        for (int64_t z = -9; z < room.nodes[2] + 9; z++)
            for (int64_t y = -9; y < room.nodes[1] + 9; y++)
                for (int64_t x = -9; x < room.nodes[0] + 9; x++) {
                    const int64_t node[3] = {room.low[0] + x, room.low[1] + y, room.low[2] + z};
                    const bool inside = x >= 0 && y >= 0 && z >= 0 && x < room.nodes[0] &&
                                        y < room.nodes[1] && z < room.nodes[2];
                    const uint8_t wanted = inside ? room.links[voxel_room_index(&room, x, y, z)] : 0;
                    cr_assert(eq(u8, block_grid_links(&grid, node), wanted),
                              "seed %llu node (%lld,%lld,%lld)", (unsigned long long)seed, (long long)node[0],
                              (long long)node[1], (long long)node[2]);
                    air += wanted != 0;
                    walls += wanted != 0 && wanted != BLOCK_LINKS_ALL;
                }
        cr_assert(eq(u64, grid.air_nodes, air));
        cr_assert(lt(u64, air, of.voxels.air_nodes), "the room holds no node that is cut off");
        cr_assert(eq(u64, grid.wall_nodes, walls));
        free_room(&of);
    }
}

Test(block_grid, a_wall_entry_sums_the_cosines_of_one_node_and_material)
{
    struct packed_room of = pack_room(11);
    struct block_grid grid = of.grid;
    uint64_t several = 0;
    for (block_id b = 1; b <= grid.blocks; b++)
        for (uint64_t w = grid.wall_first[b]; w < grid.wall_first[b + 1]; w++) {
            int64_t node[3];
            block_node(&grid.block[b], grid.wall[w].slot & WALL_SLOT, node);
            const size_t n = voxel_room_index(&of.room, node[0] - of.room.low[0], node[1] - of.room.low[1],
                                              node[2] - of.room.low[2]);
            double sum = 0;
            unsigned materials = 0;
            uint16_t seen[DIRECTIONS];
            for (unsigned d = 0; d < DIRECTIONS; d++) {
                if (of.room.links[n] >> d & 1)
                    continue;
                const uint16_t material = of.room.material[n * DIRECTIONS + d];
                sum += material == grid.wall[w].material ? of.room.cosine[n * DIRECTIONS + d] / 32768.0 : 0;
                bool known = false;
                for (unsigned m = 0; m < materials; m++)
                    known = known || seen[m] == material;
                if (!known)
                    seen[materials++] = material;
            }
            cr_assert(eq(dbl, (double)grid.wall[w].weight, sum));
            if (!(grid.wall[w].slot & WALL_CONTINUES)) {
                uint64_t run = 1;
                while (w + run < grid.wall_first[b + 1] && grid.wall[w + run].slot & WALL_CONTINUES)
                    run++;
                cr_assert(eq(u64, run, materials));
                several += run > 1;
            }
        }
    cr_assert(test_above((double)(several), (double)(1000)));
    free_room(&of);
}

Test(block_grid, an_axis_parallel_wall_weighs_one_a_face)
{
    struct block_grid grid = packed_shape(SEED_CUBE, 20);
    double weight = 0;
    for (uint64_t w = 0; w < grid.walls; w++) {
        cr_assert(eq(u16, grid.wall[w].material, VOXELS_NO_MATERIAL));
        weight += (double)grid.wall[w].weight;
    }
    cr_assert(weight == 6 * 20 * 20);
    cr_assert(eq(u64, grid.wall_nodes, 20 * 20 * 20 - 18 * 18 * 18));
    cr_assert(eq(u64, grid.walls, grid.wall_nodes));
    block_grid_free(&grid);
}

Test(block_grid, one_thread_and_many_give_the_same_bits)
{
    omp_set_num_threads(1);
    struct packed_room of = pack_room(21);
    const uint64_t hash_one = block_grid_hash(&of.grid);
    omp_set_num_threads(5);
    struct block_grid many = packed(&of.voxels);
    cr_assert(voxel_room_same_grid(&of.grid, &many));
    cr_assert(eq(u64, block_grid_hash(&many), hash_one));
    block_grid_free(&many);
    free_room(&of);
}

Test(block_grid, a_room_moved_by_whole_blocks_is_numbered_alike)
{
    struct packed_room of = pack_room(22);
    const struct block_grid here = of.grid;
    const int32_t by[3] = {5, -3, 100};
    for (size_t n = 0; n < of.voxels.block_count; n++)
        for (int a = 0; a < 3; a++)
            of.voxels.block[n].place[a] += by[a];
    struct block_grid there = packed(&of.voxels);
    MUST(block_grid_check(&there, &failure));
    cr_assert(eq(u32, here.blocks, there.blocks));
    for (block_id b = 1; b <= here.blocks; b++)
        for (int a = 0; a < 3; a++) {
            there.block[b].place[a] -= by[a];
            cr_assert(eq(i64, there.air_low[a], here.air_low[a] + 8 * by[a]));
        }
    cr_assert(same_bytes(here.block, there.block, ((size_t)here.blocks + 1) * sizeof *here.block));
    cr_assert(eq(u64, here.walls, there.walls));
    cr_assert(same_bytes(here.wall, there.wall, (size_t)here.walls * sizeof *here.wall));
    block_grid_free(&there);
    free_room(&of);
}

Test(block_grid, find_knows_every_block_and_nothing_else)
{
    struct packed_room of = pack_room(31);
    struct block_grid grid = of.grid;
    block_id found = 0;
    for (int32_t z = -4; z < 10; z++)
        for (int32_t y = -4; y < 10; y++)
            for (int32_t x = -6; x < 10; x++) {
                const int32_t place[3] = {x, y, z};
                const block_id b = block_grid_find(&grid, place);
                if (b == 0)
                    continue;
                found++;
                cr_assert(same_bytes(grid.block[b].place, place, sizeof place));
            }
    cr_assert(eq(u32, found, grid.blocks));
    const int64_t far[3] = {INT64_MAX, INT64_MIN, 0};
    cr_assert(eq(u8, block_grid_links(&grid, far), 0));
    const struct block_grid none = {0};
    cr_assert(eq(u8, block_grid_links(&none, of.room.low), 0));
    free_room(&of);
}

Test(block_grid, equal_blocks_share_a_tile_and_the_fixed_tiles_are_always_there)
{
    struct block_grid grid = packed_shape(SEED_CUBE, 64);
    /* 8^3 blocks: inside, 6 faces, 12 edges, 8 corners; and the empty tile. */
    cr_assert(eq(u32, grid.tiles, 1 + 1 + 6 + 12 + 8));
    uint32_t inside = 0;
    for (block_id b = 1; b <= grid.blocks; b++)
        inside += grid.block[b].tile == TILE_FULL;
    cr_assert(eq(u32, inside, 6 * 6 * 6));
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        cr_assert(eq(u8, grid.tile[TILE_EMPTY][slot], 0));
        cr_assert(eq(u8, grid.tile[TILE_FULL][slot], BLOCK_LINKS_ALL));
    }
    block_grid_free(&grid);
    grid = packed_shape(SEED_CUBE, 2);
    cr_assert(eq(u32, grid.tiles, 3));
    MUST(block_grid_check(&grid, &failure));
    block_grid_free(&grid);
}

Test(block_grid, air_that_is_cut_off_on_all_sides_drops_out_with_its_block)
{
    /* Two nodes joined along x in block 0, and one alone in the block beside it. */
    const bool air[9] = {true, true, [8] = true};
    const uint8_t links[9] = {1u << DIRECTION_XP, 1u << DIRECTION_XM};
    const int64_t low[3] = {0, 0, 0}, nodes[3] = {9, 1, 1};
    struct voxels voxels = link_voxels(low, nodes, links, air, NULL, NULL);
    cr_assert(eq(sz, voxels.contact_count, 16));
    struct block_grid grid = packed(&voxels);
    MUST(block_grid_check(&grid, &failure));
    cr_assert(eq(u32, grid.blocks, 1));
    cr_assert(eq(u64, grid.air_nodes, 2));
    cr_assert(eq(i64, grid.air_high[0], 1));
    cr_assert(eq(u32, grid.block[1].neighbour[DIRECTION_XP], 0));
    cr_assert(eq(u64, grid.walls, 2));
    block_grid_free(&grid);

    voxels.block[0] = voxels.block[1];
    voxels.block_count = 1;
    memset(&grid, 0x5A, sizeof grid);
    const struct block_grid before = grid;
    MUST_FAIL(block_grid_pack(&voxels, &grid, &failure), FAILURE_INPUT, "no air");
    cr_assert(same_bytes(&grid, &before, sizeof grid));
    voxels_free(&voxels);
}

Test(block_grid, measuring_says_what_packing_makes)
{
    struct packed_room of = pack_room(42);
    const struct block_grid grid = of.grid;
    struct block_grid measured = {0};
    MUST(block_grid_measure(&of.voxels, &measured, &failure));
    cr_assert(measured.block == NULL);
    cr_assert(eq(u64, measured.wall_nodes, grid.wall_nodes));
    cr_assert(eq(u64, measured.air_nodes, grid.air_nodes));
    const struct block_bytes said = block_grid_bytes(&measured, 4), made = block_grid_bytes(&grid, 4);
    cr_assert(same_bytes(&said, &made, sizeof said));
    free_room(&of);
}

Test(block_grid, pressures_and_topology_take_at_most_8_25_bytes_a_node_and_walls_16)
{
    for (int64_t nodes = 256; nodes <= 400; nodes += 48)
        for (int shape = 0; shape < 2; shape++) {
            struct block_grid grid = packed_shape(shape ? SEED_CROSS : SEED_CUBE, nodes);
            const struct block_bytes bytes = block_grid_bytes(&grid, 4);
            cr_assert(test_at_most((double)bytes.blocks / (double)bytes.stored_nodes, 8.25));
            cr_assert(test_at_most((double)bytes.walls / (double)grid.wall_nodes, 16.0));
            block_grid_free(&grid);
        }
}

Test(block_grid, the_hash_sees_one_link_one_material_one_weight)
{
    struct packed_room of = pack_room(51);
    struct block_grid grid = of.grid;
    const uint64_t hash = block_grid_hash(&grid);
    /* One link of a node that keeps others, so that the node stays in the sum. */
    unsigned slot = 0;
    while (__builtin_popcount(grid.tile[5][slot]) < 3)
        slot++;
    const uint8_t links = grid.tile[5][slot];
    grid.tile[5][slot] = (uint8_t)(links & (links - 1));
    cr_assert(ne(u64, block_grid_hash(&grid), hash));
    grid.tile[5][slot] = links;
    grid.wall[77].material ^= 1;
    cr_assert(ne(u64, block_grid_hash(&grid), hash));
    grid.wall[77].material ^= 1;
    grid.wall[78].weight += 0.25f;
    cr_assert(ne(u64, block_grid_hash(&grid), hash));
    grid.wall[78].weight -= 0.25f;
    cr_assert(eq(u64, block_grid_hash(&grid), hash));
    grid.block[3].place[1] += 1;
    cr_assert(ne(u64, block_grid_hash(&grid), hash));
    free_room(&of);
}
