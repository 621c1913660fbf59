#include "geometry/voxel/cut_field.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/link_test.h"
#include "geometry/voxel/triangle_bins.h"

/* Blocks that one thread takes at a time. Small enough to share evenly, large enough that the array of hits
 * of a batch is one allocation for many blocks. */
#define BATCH_BLOCKS 64

/** What one batch of blocks produced; arrays are owned. */
struct batch {
    size_t block_count, hit_count;
    struct cut_block *block; /* first_hit counts from the batch's first hit */
    struct cut_hit *hit;
};

static uint32_t place_hash(const int32_t place[3])
{
    const uint64_t key = block_key(place) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(key >> 32);
}

void cut_field_free(struct cut_field *field)
{
    free(field->block);
    free(field->hit);
    free(field->met);
    free(field->find_table);
    *field = (struct cut_field){0};
}

size_t cut_field_find(const struct cut_field *field, const int32_t place[3])
{
    if (field->find_slots == 0)
        return SIZE_MAX;
    for (uint32_t slot = place_hash(place);; slot++) {
        const uint32_t entry = field->find_table[slot & (field->find_slots - 1)];
        if (entry == 0)
            return SIZE_MAX;
        const int32_t *found = field->block[entry - 1].place;
        if (found[0] == place[0] && found[1] == place[1] && found[2] == place[2])
            return entry - 1;
    }
}

bool cut_field_is_cut(const struct cut_field *field, const int64_t node[3], enum direction direction)
{
    int64_t low[3] = {node[0], node[1], node[2]};
    const int axis = (int)direction / 2;
    low[axis] -= direction % 2 == 0;
    int32_t place[3];
    for (int i = 0; i < 3; i++) {
        /* Nothing is cut outside the places that a block can have. */
        if (low[i] < -8 || low[i] > LATTICE_NODES_MAX)
            return false;
        place[i] = (int32_t)(low[i] >> 3);
    }
    const size_t block = cut_field_find(field, place);
    if (block == SIZE_MAX)
        return false;
    return block_bits_has(field->block[block].cut[axis], block_bits_slot(low));
}

bool cut_field_block_cuts(const struct cut_field *field, const int32_t place[3], uint64_t cut[6][8])
{
    static const uint64_t none[8] = {0};
    const size_t own = cut_field_find(field, place);
    uint64_t any = own != SIZE_MAX;
    for (int axis = 0; axis < 3; axis++) {
        const uint64_t *above = own != SIZE_MAX ? field->block[own].cut[axis] : none;
        int32_t before[3] = {place[0], place[1], place[2]};
        before[axis]--;
        const size_t found = cut_field_find(field, before);
        /* The first nodes' links in a negative direction belong to the block before. */
        block_bits_move(above, found != SIZE_MAX ? field->block[found].cut[axis] : NULL,
                        (enum direction)(2 * axis + 1), cut[2 * axis]);
        memcpy(cut[2 * axis + 1], above, sizeof none);
        for (int z = 0; z < 8; z++)
            any |= cut[2 * axis][z];
    }
    return any != 0;
}

static int make_find_table(struct cut_field *field, struct failure *failure)
{
    if (field->block_count > UINT32_MAX / 4)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "%zu blocks touch a wall, but at most %u can be numbered",
                                          field->block_count, UINT32_MAX / 4),
                              failure, ADVICE_LARGER_SPACING, 0);
    uint32_t slots = 16;
    while (slots < 2 * field->block_count)
        slots *= 2;
    field->find_table = calloc(slots, sizeof *field->find_table);
    if (field->find_table == NULL)
        return failure_memory(failure, slots * sizeof *field->find_table, "finding blocks by place");
    field->find_slots = slots;
    for (size_t block = 0; block < field->block_count; block++) {
        uint32_t slot = place_hash(field->block[block].place) & (slots - 1);
        while (field->find_table[slot] != 0)
            slot = (slot + 1) & (slots - 1);
        field->find_table[slot] = (uint32_t)block + 1;
    }
    return 0;
}

static uint32_t count_cuts(const struct block_cuts *cuts)
{
    unsigned count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int z = 0; z < 8; z++)
            count += (unsigned)__builtin_popcountll(cuts->cut[axis][z]);
    return count;
}

static void copy_hits(const struct block_cuts *cuts, struct cut_hit *hit)
{
    for (int axis = 0; axis < 3; axis++)
        for (int z = 0; z < 8; z++)
            for (uint64_t left = cuts->cut[axis][z]; left != 0; left &= left - 1) {
                const unsigned slot = (unsigned)__builtin_ctzll(left) | (unsigned)z << 6;
                *hit++ = (struct cut_hit){.slot = (uint16_t)slot,
                                          .axis = (uint8_t)axis,
                                          .low_triangle = cuts->low_triangle[axis][slot],
                                          .high_triangle = cuts->high_triangle[axis][slot]};
            }
}

/** Add what a triangle met in one block; blocks of other threads may hold it, too. */
static void add_met(const struct block_cuts *cuts, uint64_t met[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (cuts->met[axis] != 0) {
#pragma omp atomic
            met[axis] += cuts->met[axis];
        }
}

/** Cut the links of blocks [first, last) of the bins. False when memory runs out. */
static bool cut_batch(const struct triangle_bins *bins, size_t first, size_t last, struct block_cuts *cuts,
                      uint64_t (*met)[3], struct batch *batch)
{
    size_t capacity = 0;
    batch->block = malloc((last - first) * sizeof *batch->block);
    if (batch->block == NULL)
        return false;
    for (size_t at = first; at < last; at++) {
        block_key_place(bins->key[at], cuts->place);
        memset(cuts->cut, 0, sizeof cuts->cut);
        for (size_t i = bins->first[at]; i < bins->first[at + 1]; i++) {
            memset(cuts->met, 0, sizeof cuts->met);
            link_test_apply(bins->snapped, bins->triangle[i], cuts);
            add_met(cuts, met[bins->triangle[i]]);
        }
        const uint32_t hits = count_cuts(cuts);
        if (hits == 0)
            continue;
        if (batch->hit_count + hits > capacity) {
            capacity = 2 * capacity + hits;
            struct cut_hit *grown = realloc(batch->hit, capacity * sizeof *grown);
            if (grown == NULL)
                return false;
            batch->hit = grown;
        }
        copy_hits(cuts, batch->hit + batch->hit_count);
        struct cut_block *block = &batch->block[batch->block_count++];
        memcpy(block->place, cuts->place, sizeof block->place);
        memcpy(block->cut, cuts->cut, sizeof block->cut);
        block->hit_count = hits;
        block->first_hit = batch->hit_count;
        batch->hit_count += hits;
    }
    return true;
}

static void free_batches(struct batch *batch, size_t count)
{
    for (size_t i = 0; batch != NULL && i < count; i++) {
        free(batch[i].block);
        free(batch[i].hit);
    }
    free(batch);
}

/** Join the batches in order, whoever computed them; each is freed once copied. */
static int join_batches(struct batch *batch, size_t count, struct cut_field *field, struct failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        field->block_count += batch[i].block_count;
        field->hit_count += batch[i].hit_count;
    }
    field->block = malloc((field->block_count + 1) * sizeof *field->block);
    field->hit = malloc((field->hit_count + 1) * sizeof *field->hit);
    if (field->block == NULL || field->hit == NULL)
        return failure_memory(
            failure, field->block_count * sizeof *field->block + field->hit_count * sizeof *field->hit,
            "the links that walls cut");
    size_t blocks = 0, hits = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < batch[i].block_count; b++) {
            field->block[blocks] = batch[i].block[b];
            field->block[blocks++].first_hit += hits;
        }
        if (batch[i].hit_count != 0)
            memcpy(field->hit + hits, batch[i].hit, batch[i].hit_count * sizeof *field->hit);
        hits += batch[i].hit_count;
        free(batch[i].block);
        free(batch[i].hit);
        batch[i] = (struct batch){0};
    }
    return make_find_table(field, failure);
}

int cut_field_make(const struct mesh *mesh, const struct lattice *lattice, int threads, struct cut_field *out,
                   struct failure *failure)
{
    struct cut_field field = {.lattice = *lattice, .triangle_count = mesh->triangle_count};
    struct triangle_bins bins = {0};
    struct batch *batch = NULL;
    size_t batches = 0;
    int result = 0;
    for (int axis = 0; axis < 3; axis++)
        field.blocks[axis] = (lattice->nodes[axis] + 7) / 8;
    if ((result = triangle_bins_make(mesh, lattice, &bins, failure)) != 0)
        goto done;
    batches = (bins.block_count + BATCH_BLOCKS - 1) / BATCH_BLOCKS;
    batch = calloc(batches + 1, sizeof *batch);
    field.met = calloc(mesh->triangle_count + 1, sizeof *field.met);
    if (batch == NULL || field.met == NULL) {
        result = failure_memory(failure, batches * sizeof *batch, "the links that walls cut");
        goto done;
    }
    bool complete = true;
    const int team = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel num_threads(team) reduction(&& : complete)
    {
        struct block_cuts *cuts = malloc(sizeof *cuts);
        complete = cuts != NULL;
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < batches; i++) {
            const size_t first = i * BATCH_BLOCKS, last = first + BATCH_BLOCKS;
            if (complete)
                complete = cut_batch(&bins, first, last < bins.block_count ? last : bins.block_count, cuts,
                                     field.met, &batch[i]);
        }
        free(cuts);
    }
    if (!complete) {
        result = failure_memory(failure, bins.block_count * sizeof *field.block, "the links that walls cut");
        goto done;
    }
    triangle_bins_free(&bins);
    if ((result = join_batches(batch, batches, &field, failure)) != 0)
        goto done;
    *out = field;
    field = (struct cut_field){0};
done:
    free_batches(batch, batches);
    triangle_bins_free(&bins);
    cut_field_free(&field);
    return result;
}
