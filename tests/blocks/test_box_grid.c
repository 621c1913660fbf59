
#include <omp.h>

#include "blocks/box_grid.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"

/* A random room in both layouts. */
struct both {
    struct block_grid blocks;
    struct box_grid box;
};

static struct both both_make(uint64_t seed)
{
    struct voxel_room room = voxel_room_make(seed);
    struct both both = {0};
    link_grids(room.low, room.nodes, room.links, voxel_room_wall_at, &room, &both.blocks, &both.box);
    voxel_room_free(&room);
    return both;
}

static void both_free(struct both *both)
{
    block_grid_free(&both->blocks);
    box_grid_free(&both->box);
}

Test(box_grid, a_box_has_the_links_and_walls_of_its_blocks_and_an_empty_halo)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct both both = both_make(seed);
        must_be_box_of(&both.box, &both.blocks);
        const uint64_t row = (uint64_t)both.box.nodes[0] + 2, plane = row * ((uint64_t)both.box.nodes[1] + 2);
        cr_assert(eq(u64, box_grid_index(&both.box, both.box.low), plane + row + 1));
        cr_assert(eq(u64, both.box.length, plane * ((uint64_t)both.box.nodes[2] + 2)));
        both_free(&both);
    }
}

Test(box_grid, fields_hash_alike_in_both_layouts_on_any_number_of_threads_and_minus_zero_as_zero)
{
    for (unsigned real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
        struct both both = both_make(30 + real_bytes);
        const struct block_grid *const blocks = &both.blocks;
        uint8_t *field = calloc(((size_t)blocks->blocks + 1) * BLOCK_NODES, real_bytes);
        uint8_t *in_box = calloc(both.box.length, real_bytes);
        cr_assert(field != NULL && in_box != NULL);
        uint64_t random = real_bytes, at[2] = {0};
        for (int minus = 0; minus < 2; minus++) { /* noise, then zeros of either sign */
            for (block_id b = 1; b <= blocks->blocks; b++)
                for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
                    const uint64_t bits = minus ? 0 : test_random(&random);
                    int64_t node[3];
                    if (blocks->tile[blocks->block[b].tile][slot] == 0)
                        continue;
                    block_node(&blocks->block[b], slot, node);
                    at[slot & 1] = box_grid_index(&both.box, node);
                    memcpy(field + ((size_t)b * BLOCK_NODES + slot) * real_bytes, &bits, real_bytes);
                    memcpy(in_box + at[slot & 1] * real_bytes, &bits, real_bytes);
                    if (minus)
                        in_box[(at[slot & 1] + 1) * real_bytes - 1] = 0x80;
                }
            const uint64_t hash = block_field_hash(blocks, real_bytes, field);
            for (int threads = 1; threads <= 3; threads += 2) {
                omp_set_num_threads(threads);
                cr_assert(eq(u64, box_field_hash(&both.box, real_bytes, in_box), hash));
                cr_assert(eq(u64, block_field_hash(blocks, real_bytes, field), hash));
            }
            if (minus)
                continue;
            /* Values are hashed with their node: two that trade places are seen, and so is one bit. */
            for (int trade = 0; trade < 2; trade++) {
                for (unsigned byte = 0; byte < real_bytes; byte++) {
                    const uint8_t one = in_box[at[0] * real_bytes + byte];
                    in_box[at[0] * real_bytes + byte] = in_box[at[1] * real_bytes + byte];
                    in_box[at[1] * real_bytes + byte] = one;
                }
                cr_assert(trade == (box_field_hash(&both.box, real_bytes, in_box) == hash));
            }
            in_box[at[1] * real_bytes] ^= 1;
            cr_assert(ne(u64, box_field_hash(&both.box, real_bytes, in_box), hash));
        }
        free(field);
        free(in_box);
        both_free(&both);
    }
}

Test(box_grid, a_room_too_sparse_for_a_box_is_refused_with_a_reason)
{
    /* Two pairs of nodes at opposite corners of the largest lattice: four nodes of air, a box of 2^60 bytes.
     */
    const uint8_t links[10] = {1u << DIRECTION_XP, 1u << DIRECTION_XM, [8] = 1u << DIRECTION_XP,
                               1u << DIRECTION_XM};
    const int64_t low[3] = {0, 0, 0}, nodes[3] = {10, 1, 1};
    struct voxels voxels = link_voxels(low, nodes, links, NULL, NULL, NULL);
    for (int a = 0; a < 3; a++)
        voxels.block[1].place[a] = (1 << 17) - 1;
    struct block_grid grid = {0};
    MUST(block_grid_pack(&voxels, &grid, &failure));
    MUST(block_grid_check(&grid, &failure));
    cr_assert(eq(u32, grid.blocks, 2));
    struct box_grid box = {0};
    MUST_FAIL(box_grid_from_blocks(&grid, &box, &failure), FAILURE_CAPACITY, "1048570 x 1048569");
    cr_assert(box.links == NULL);
    block_grid_free(&grid);
    voxels_free(&voxels);
}
