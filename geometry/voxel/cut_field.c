#include "geometry/voxel/cut_field.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/link_test.h"

/* Blocks of a batch, which one thread processes. Small batches balance the threads; large ones need fewer
 * allocations for hits. */
#define BATCH_BLOCKS 64

/** The result of one batch of blocks; arrays are owned. */
struct batch {
    size_t block_count, hit_count;
    struct cut_block *block;
    uint32_t *hits; /* (block_count) hits of each block */
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
    free(field->first_hit);
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
    /* No link outside the possible places of blocks is cut. */
    for (int i = 0; i < 3; i++)
        if (low[i] < -8 || low[i] > LATTICE_NODES_MAX)
            return false;
    int32_t place[3];
    block_bits_place(low, place);
    const struct cut_block *block = cut_field_block(field, place);
    return block != NULL && block_bits_has(block->cut[axis], block_bits_slot(low));
}

bool cut_field_block_cuts(const struct cut_field *field, const int32_t place[3], uint64_t cut[6][8])
{
    static const uint64_t none[8] = {0};
    const struct cut_block *own = cut_field_block(field, place);
    uint64_t any = own != NULL;
    for (int axis = 0; axis < 3; axis++) {
        const uint64_t *above = own != NULL ? own->cut[axis] : none;
        int32_t next[3];
        box_place_next(place, 2 * axis, next);
        const struct cut_block *before = cut_field_block(field, next);
        /* The first nodes' links in a negative direction belong to the block before. */
        block_bits_move(above, before != NULL ? before->cut[axis] : NULL, (enum direction)(2 * axis + 1),
                        cut[2 * axis]);
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

static uint32_t count_cuts(const uint64_t cut[3][8])
{
    unsigned count = 0;
    for (int axis = 0; axis < 3; axis++)
        count += block_bits_count(cut[axis]);
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

static void copy_cuts(const struct block_cuts *cuts, struct cut_block *block)
{
    memcpy(block->place, cuts->place, sizeof block->place);
    block->reserved = 0;
    memcpy(block->cut, cuts->cut, sizeof block->cut);
}

/** Add the crossings of a triangle in one block; other threads may add crossings of the same triangle. */
static void add_crossings(const struct block_cuts *cuts, uint64_t met[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (cuts->met[axis] != 0) {
#pragma omp atomic
            met[axis] += cuts->met[axis];
        }
}

/** Cut the links of blocks [first, last) of the bins; false without memory. */
static bool cut_batch(const struct triangle_bins *bins, size_t first, size_t last, struct block_cuts *cuts,
                      uint64_t (*met)[3], struct batch *batch)
{
    size_t capacity = 0;
    batch->block = malloc((last - first) * sizeof *batch->block);
    batch->hits = malloc((last - first) * sizeof *batch->hits);
    if (batch->block == NULL || batch->hits == NULL)
        return false;
    for (size_t at = first; at < last; at++) {
        block_key_place(bins->key[at], cuts->place);
        memset(cuts->cut, 0, sizeof cuts->cut);
        for (size_t i = bins->first[at]; i < bins->first[at + 1]; i++) {
            memset(cuts->met, 0, sizeof cuts->met);
            link_test_apply(bins->snapped, bins->triangle[i], cuts);
            add_crossings(cuts, met[bins->triangle[i]]);
        }
        const uint32_t hits = count_cuts((const uint64_t(*)[8])cuts->cut);
        if (hits == 0)
            continue;
        struct cut_hit *grown = array_room(batch->hit, &capacity, batch->hit_count + hits, sizeof *grown,
                                           "the links that walls cut", NULL);
        if (grown == NULL)
            return false;
        batch->hit = grown;
        copy_hits(cuts, batch->hit + batch->hit_count);
        copy_cuts(cuts, &batch->block[batch->block_count]);
        batch->hits[batch->block_count++] = hits;
        batch->hit_count += hits;
    }
    return true;
}

static void batch_free(struct batch *batch)
{
    free(batch->block);
    free(batch->hits);
    free(batch->hit);
    *batch = (struct batch){0};
}

/** Join the batches in order, so that the threads have no effect, and free them. */
static int join_batches(struct batch *batch, size_t count, struct cut_field *field, struct failure *failure)
{
    size_t blocks = 0, hits = 0;
    for (size_t i = 0; i < count; i++) {
        field->block_count += batch[i].block_count;
        hits += batch[i].hit_count;
    }
    field->block = malloc((field->block_count + 1) * sizeof *field->block);
    field->first_hit = malloc((field->block_count + 1) * sizeof *field->first_hit);
    field->hit = malloc((hits + 1) * sizeof *field->hit);
    if (field->block == NULL || field->first_hit == NULL || field->hit == NULL)
        return failure_memory(failure,
                              field->block_count * (sizeof *field->block + sizeof *field->first_hit) +
                                  hits * sizeof *field->hit,
                              "the links that walls cut");
    hits = 0;
    for (size_t i = 0; i < count; i++) {
        if (batch[i].hit_count != 0)
            memcpy(field->hit + hits, batch[i].hit, batch[i].hit_count * sizeof *field->hit);
        for (size_t b = 0; b < batch[i].block_count; b++, blocks++) {
            field->block[blocks] = batch[i].block[b];
            field->first_hit[blocks] = hits;
            hits += batch[i].hits[b];
        }
        batch_free(&batch[i]);
    }
    field->first_hit[blocks] = hits;
    return make_find_table(field, failure);
}

static struct cut_field field_on(const struct lattice *lattice)
{
    struct cut_field field = {.lattice = *lattice};
    for (int axis = 0; axis < 3; axis++)
        field.blocks[axis] = (lattice->nodes[axis] + 7) / 8;
    return field;
}

int cut_field_make(const struct mesh *mesh, const struct lattice *lattice, int threads, struct cut_field *out,
                   struct failure *failure)
{
    struct cut_field field = field_on(lattice);
    struct triangle_bins bins = {0};
    struct batch *batch = NULL;
    size_t batches = 0;
    int result = 0;
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
    for (size_t i = 0; batch != NULL && i < batches; i++)
        batch_free(&batch[i]);
    free(batch);
    triangle_bins_free(&bins);
    cut_field_free(&field);
    return result;
}

int cut_field_make_bare(const struct triangle_bins *bins, const struct lattice *lattice, int threads,
                        struct cut_field *out, struct failure *failure)
{
    struct cut_field field = field_on(lattice);
    const size_t bytes = (bins->block_count + 1) * sizeof *field.block;
    field.block = malloc(bytes);
    if (field.block == NULL)
        return failure_memory(failure, bytes, "the links that walls cut");
    bool complete = true;
    const int team = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel num_threads(team) reduction(&& : complete)
    {
        struct block_cuts *cuts = malloc(sizeof *cuts);
        complete = cuts != NULL;
#pragma omp for schedule(dynamic, 64)
        for (size_t b = 0; b < bins->block_count; b++) {
            if (!complete)
                continue;
            block_key_place(bins->key[b], cuts->place);
            memset(cuts->cut, 0, sizeof cuts->cut);
            memset(cuts->met, 0, sizeof cuts->met);
            for (size_t i = bins->first[b]; i < bins->first[b + 1]; i++)
                link_test_apply(bins->snapped, bins->triangle[i], cuts);
            copy_cuts(cuts, &field.block[b]);
        }
        free(cuts);
    }
    for (size_t b = 0; complete && b < bins->block_count; b++) {
        uint64_t any = 0;
        for (int n = 0; n < 24; n++)
            any |= field.block[b].cut[n / 8][n % 8];
        if (any != 0)
            field.block[field.block_count++] = field.block[b];
    }
    const int result = complete
                           ? make_find_table(&field, failure)
                           : failure_memory(failure, sizeof(struct block_cuts), "the links that walls cut");
    if (result == 0)
        *out = field;
    else
        cut_field_free(&field);
    return result;
}
