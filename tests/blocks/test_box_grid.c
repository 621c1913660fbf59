#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/box_grid.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"

/* A random room by both ways: through voxels, and through bare link bytes. */
struct both {
    struct voxel_room room;
    struct block_grid blocks; /* packed from voxels */
    struct box_grid box;      /* from link bytes */
};

static struct both both_make(uint64_t seed)
{
    struct both both = {.room = voxel_room_make(seed)};
    struct voxels voxels = voxel_room_voxels(&both.room);
    MUST(block_grid_pack(&voxels, &both.blocks, &failure));
    MUST(box_grid_from_links(both.room.low, both.room.nodes, both.room.links, voxel_room_wall_at, &both.room,
                             &both.box, &failure));
    voxels_free(&voxels);
    return both;
}

static void both_free(struct both *both)
{
    voxel_room_free(&both->room);
    block_grid_free(&both->blocks);
    box_grid_free(&both->box);
}

static bool same_box(const struct box_grid *a, const struct box_grid *b)
{
    return same_bytes(a->low, b->low, sizeof a->low) && same_bytes(a->nodes, b->nodes, sizeof a->nodes) &&
           a->length == b->length && a->walls == b->walls && a->wall_nodes == b->wall_nodes &&
           a->air_nodes == b->air_nodes && same_bytes(a->links, b->links, a->length) &&
           same_bytes(a->wall, b->wall, (size_t)a->walls * sizeof *a->wall);
}

Test(box_grid, voxels_and_link_bytes_give_the_same_grids_bit_for_bit)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct both both = both_make(seed);
        struct block_grid from_box = {0};
        struct box_grid from_blocks = {0};
        MUST(box_grid_check(&both.box, &failure));
        MUST(block_grid_from_box(&both.box, &from_box, &failure));
        MUST(box_grid_from_blocks(&both.blocks, &from_blocks, &failure));
        cr_assert(voxel_room_same_grid(&both.blocks, &from_box), "seed %llu", (unsigned long long)seed);
        cr_assert(same_box(&both.box, &from_blocks), "seed %llu", (unsigned long long)seed);
        cr_assert(eq(u64, block_grid_hash(&both.blocks), box_grid_hash(&both.box)));
        block_grid_free(&from_box);
        box_grid_free(&from_blocks);
        both_free(&both);
    }
}

Test(box_grid, there_and_back_gives_every_array_again)
{
    for (uint64_t seed = 11; seed <= 14; seed++) {
        struct both both = both_make(seed);
        struct box_grid box = {0};
        struct block_grid back = {0};
        cr_assert(eq(int, box_grid_from_blocks(&both.blocks, &box, NULL), 0));
        cr_assert(eq(int, block_grid_from_box(&box, &back, NULL), 0));
        cr_assert(voxel_room_same_grid(&both.blocks, &back));
        cr_assert(same_bytes(&both.blocks.lattice, &back.lattice, sizeof back.lattice));
        box_grid_free(&box);
        block_grid_free(&back);
        both_free(&both);
    }
}

Test(box_grid, every_node_has_the_links_of_the_room_and_the_halo_has_none)
{
    struct both both = both_make(21);
    for (int64_t z = -2; z < both.room.nodes[2] + 2; z++)
        for (int64_t y = -2; y < both.room.nodes[1] + 2; y++)
            for (int64_t x = -2; x < both.room.nodes[0] + 2; x++) {
                const int64_t node[3] = {both.room.low[0] + x, both.room.low[1] + y, both.room.low[2] + z};
                const bool inside = x >= 0 && y >= 0 && z >= 0 && x < both.room.nodes[0] &&
                                    y < both.room.nodes[1] && z < both.room.nodes[2];
                const uint64_t index = box_grid_index(&both.box, node);
                const uint8_t wanted = inside ? both.room.links[voxel_room_index(&both.room, x, y, z)] : 0;
                cr_assert(eq(u8, index == UINT64_MAX ? 0 : both.box.links[index], wanted));
            }
    const int64_t first[3] = {both.box.low[0], both.box.low[1], both.box.low[2]};
    const uint64_t row = (uint64_t)both.box.nodes[0] + 2, plane = row * ((uint64_t)both.box.nodes[1] + 2);
    cr_assert(eq(u64, box_grid_index(&both.box, first), plane + row + 1));
    uint64_t kept = 0, inside_halo = 0;
    for (uint64_t n = 0; n < both.box.length; n++) {
        const uint64_t x = n % row, y = n / row % (plane / row), z = n / plane;
        const bool halo = x == 0 || y == 0 || z == 0 || x == row - 1 || y == plane / row - 1 ||
                          z == both.box.length / plane - 1;
        kept += both.box.links[n] != 0;
        inside_halo += halo && both.box.links[n] != 0;
    }
    cr_assert(eq(u64, kept, both.box.air_nodes));
    cr_assert(eq(u64, inside_halo, 0));
    both_free(&both);
}

Test(box_grid, a_link_counts_only_when_both_ends_have_it)
{
    /* Four nodes in a row: the first knows of a link that the second denies; the last two agree, and the last
     * also claims one out of the array. */
    const uint8_t links[4] = {1u << DIRECTION_XP, 0, 1u << DIRECTION_XP,
                              1u << DIRECTION_XM | 1u << DIRECTION_XP};
    const int64_t low[3] = {-7, 100, -1}, nodes[3] = {4, 1, 1};
    struct box_grid box = {0};
    MUST(box_grid_from_links(low, nodes, links, NULL, NULL, &box, &failure));
    MUST(box_grid_check(&box, &failure));
    cr_assert(eq(u64, box.air_nodes, 2));
    cr_assert(eq(i64, box.low[0], -5));
    cr_assert(eq(i64, box.nodes[0], 2));
    cr_assert(eq(u64, box.walls, 2));
    cr_assert(eq(flt, box.wall[0].weight, 5.0f));
    box_grid_free(&box);
    const uint8_t none[4] = {1u << DIRECTION_XP, 0, 0, 1u << DIRECTION_XP};
    cr_assert(eq(int, box_grid_from_links(low, nodes, none, NULL, NULL, &box, &failure), FAILURE_INPUT));
    cr_assert(box.links == NULL);
}

Test(box_grid, fields_go_there_and_back_and_hash_alike)
{
    for (unsigned real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
        struct both both = both_make(30 + real_bytes);
        const size_t block_values = ((size_t)both.blocks.blocks + 1) * BLOCK_NODES;
        const size_t box_bytes = (size_t)both.box.length * real_bytes,
                     block_bytes = block_values * real_bytes;
        uint8_t *field = calloc(block_values, real_bytes), *back = malloc(block_bytes);
        uint8_t *in_box = malloc(box_bytes), *again = malloc(box_bytes);
        cr_assert(field != NULL && back != NULL && in_box != NULL && again != NULL);
        uint64_t random = real_bytes;
        uint64_t air = 0;
        for (block_id b = 1; b <= both.blocks.blocks; b++)
            for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
                const size_t n = (size_t)b * BLOCK_NODES + slot;
                if (both.blocks.tile[both.blocks.block[b].tile][slot] == 0)
                    continue;
                const uint64_t bits = test_random(&random);
                memcpy(field + n * real_bytes, &bits, real_bytes);
                air++;
            }
        cr_assert(eq(u64, air, both.blocks.air_nodes));
        memset(in_box, 0xAA, box_bytes);
        memset(back, 0xAA, block_bytes);
        field_to_box(&both.blocks, &both.box, real_bytes, field, in_box);
        field_to_blocks(&both.blocks, &both.box, real_bytes, in_box, back);
        cr_assert(same_bytes(field, back, block_bytes));
        field_to_box(&both.blocks, &both.box, real_bytes, back, again);
        cr_assert(same_bytes(in_box, again, box_bytes));
        for (uint64_t n = 0; n < both.box.length; n++)
            if (both.box.links[n] == 0)
                for (unsigned byte = 0; byte < real_bytes; byte++)
                    cr_assert(eq(u8, in_box[n * real_bytes + byte], 0));

        const uint64_t hash = block_field_hash(&both.blocks, real_bytes, field);
        cr_assert(eq(u64, box_field_hash(&both.box, real_bytes, in_box), hash));
        omp_set_num_threads(1);
        cr_assert(eq(u64, block_field_hash(&both.blocks, real_bytes, field), hash));
        omp_set_num_threads(3);
        cr_assert(eq(u64, box_field_hash(&both.box, real_bytes, in_box), hash));

        /* Values are hashed with their node: two that trade places are seen, and so is one bit. */
        uint64_t first = 0, second;
        while (both.box.links[first] == 0)
            first++;
        second = first + 1;
        while (both.box.links[second] == 0)
            second++;
        uint8_t one[8], other[8];
        memcpy(one, in_box + first * real_bytes, real_bytes);
        memcpy(other, in_box + second * real_bytes, real_bytes);
        memcpy(in_box + first * real_bytes, other, real_bytes);
        memcpy(in_box + second * real_bytes, one, real_bytes);
        cr_assert(ne(u64, box_field_hash(&both.box, real_bytes, in_box), hash));
        memcpy(in_box + first * real_bytes, one, real_bytes);
        memcpy(in_box + second * real_bytes, other, real_bytes);
        in_box[second * real_bytes] ^= 1;
        cr_assert(ne(u64, box_field_hash(&both.box, real_bytes, in_box), hash));
        free(field);
        free(back);
        free(in_box);
        free(again);
        both_free(&both);
    }
}

Test(box_grid, minus_zero_hashes_as_zero)
{
    struct both both = both_make(41);
    for (unsigned real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
        uint8_t *field = calloc(both.box.length, real_bytes);
        cr_assert(field != NULL);
        const uint64_t hash = box_field_hash(&both.box, real_bytes, field);
        for (uint64_t n = 0; n < both.box.length; n++)
            field[(n + 1) * real_bytes - 1] = 0x80;
        cr_assert(eq(u64, box_field_hash(&both.box, real_bytes, field), hash));
        free(field);
    }
    both_free(&both);
}

Test(box_grid, a_room_too_sparse_for_a_box_is_refused_with_a_reason)
{
    /* Two pairs of nodes at opposite corners of the largest lattice: four nodes of air, a box of 2^60 bytes.
     */
    const int32_t far = (1 << 17) - 1;
    struct voxel_detail detail[2] = {{.air = {3}}, {.air = {3}}};
    struct voxel_block block[2] = {{{0, 0, 0}, 0}, {{far, far, far}, 1}};
    struct voxel_contact contact[20];
    struct voxels voxels = {.block_count = 2,
                            .block = block,
                            .detail_count = 2,
                            .detail = detail,
                            .contact = contact,
                            .air_nodes = 4};
    for (unsigned m = 0; m < 2; m++) {
        detail[m].first_contact = voxels.contact_count;
        for (unsigned slot = 0; slot < 2; slot++)
            for (unsigned d = 0; d < DIRECTIONS; d++) {
                if (d == (slot == 0 ? DIRECTION_XP : DIRECTION_XM))
                    continue;
                detail[m].cut[d][0] |= UINT64_C(1) << slot;
                detail[m].contact_count++;
                contact[voxels.contact_count++] = (struct voxel_contact){
                    .slot = (uint16_t)slot, .direction = (uint8_t)d, .cosine = VOXELS_COSINE_ONE};
            }
    }
    struct block_grid grid = {0};
    MUST(block_grid_pack(&voxels, &grid, &failure));
    MUST(block_grid_check(&grid, &failure));
    cr_assert(eq(u32, grid.blocks, 2));
    struct box_grid box = {0};
    MUST_FAIL(box_grid_from_blocks(&grid, &box, &failure), FAILURE_CAPACITY, "1048570 x 1048569");
    cr_assert(box.links == NULL);
    block_grid_free(&grid);
}

static void halo_not_empty(struct box_grid *box)
{
    box->links[3] = 1;
}

static void one_sided(struct box_grid *box)
{
    const int64_t middle[3] = {box->low[0] + 50, box->low[1] + 20, box->low[2] + 20};
    box->links[box_grid_index(box, middle)] ^= 1u << DIRECTION_YP;
}

static void wall_lost(struct box_grid *box)
{
    do
        box->walls--;
    while (box->wall[box->walls].node & BOX_WALL_CONTINUES);
}

static void walls_out_of_order(struct box_grid *box)
{
    const struct box_wall first = box->wall[0];
    box->wall[0] = box->wall[9];
    box->wall[9] = first;
}

static void weight_too_large(struct box_grid *box)
{
    box->wall[5].weight = 25;
}

static void air_miscounted(struct box_grid *box)
{
    box->air_nodes++;
}

static void length_wrong(struct box_grid *box)
{
    box->length--;
}

Test(box_grid, the_validator_explains_every_planted_fault)
{
    static const struct {
        void (*plant)(struct box_grid *box);
        const char *word;
    } faults[] = {{halo_not_empty, "halo"},          {one_sided, "one-sided"},
                  {wall_lost, "wall entries"},       {walls_out_of_order, "wall"},
                  {weight_too_large, "weights sum"}, {air_miscounted, "counted"},
                  {length_wrong, "link bytes for"}};
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct both both = both_make(51);
        MUST(box_grid_check(&both.box, &failure));
        faults[f].plant(&both.box);
        cr_assert(eq(int, box_grid_check(&both.box, &failure), FAILURE_ANSWER_NO), "%s", faults[f].word);
        cr_assert(strstr(failure.sentence, faults[f].word) != NULL, "%s explained as: %s", faults[f].word,
                  failure.sentence);
        both_free(&both);
    }
}
