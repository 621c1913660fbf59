#include "geometry/cell/cell_field.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/cell/cell_parts.h"

void cell_field_free(struct cell_field *field)
{
    triangle_bins_free(&field->bins);
    free(field->met);
    free(field->wanted);
    free(field->block);
    *field = (struct cell_field){0};
}

size_t cell_field_bin(const struct cell_field *field, const int32_t place[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < -1)
            return SIZE_MAX;
    const uint64_t key = block_key(place);
    size_t first = 0, count = field->bins.block_count;
    while (count != 0) {
        const size_t half = count / 2;
        if (field->bins.key[first + half] < key) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first < field->bins.block_count && field->bins.key[first] == key ? first : SIZE_MAX;
}

size_t cell_field_block(const struct cell_field *field, const int32_t place[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < -1)
            return SIZE_MAX;
    const uint64_t key = block_key(place);
    size_t first = 0, count = field->block_count;
    while (count != 0) {
        const size_t half = count / 2;
        if (block_key(field->block[first + half]) < key) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first < field->block_count && block_key(field->block[first]) == key ? first : SIZE_MAX;
}

void cell_field_air(const struct cell_field *field, const int32_t place[3], uint64_t air[8])
{
    if (box_has_place(field->flood->field->blocks, place))
        flood_block_air(field->flood, place, air);
    else
        memset(air, 0, 8 * sizeof *air);
}

void cell_window_look(const struct cell_field *field, const int32_t place[3], struct cell_window *out)
{
    memcpy(out->place, place, sizeof out->place);
    for (int n = 0; n < 27; n++) {
        const int32_t other[3] = {place[0] + n % 3 - 1, place[1] + n / 3 % 3 - 1, place[2] + n / 9 - 1};
        out->bin[n] = cell_field_bin(field, other);
        cell_field_air(field, other, out->air[n]);
        if (out->bin[n] != SIZE_MAX)
            memcpy(out->met[n], field->met[out->bin[n]], sizeof out->met[n]);
        else
            memset(out->met[n], 0, sizeof out->met[n]);
    }
}

struct marking {
    const struct snapped_triangle *triangle;
    uint64_t *met;
};

static int mark_slot(void *context, const int32_t place[3])
{
    const struct marking *marking = context;
    const int64_t node[3] = {place[0], place[1], place[2]};
    const unsigned slot = block_bits_slot(node);
    if (!block_bits_has(marking->met, slot) && cell_meets(node, marking->triangle))
        block_bits_add(marking->met, slot);
    return 0;
}

static void mark_met_voxels(struct cell_field *field, size_t bin)
{
    struct cube_range range = {.log2 = 10, .shift = VOXEL_SHIFT};
    int32_t place[3];
    block_key_place(field->bins.key[bin], place);
    for (int axis = 0; axis < 3; axis++) {
        range.first[axis] = 8 * place[axis];
        range.last[axis] = 8 * place[axis] + 7;
    }
    for (size_t i = field->bins.first[bin]; i < field->bins.first[bin + 1]; i++) {
        struct marking marking = {&field->room->snapped[field->bins.triangle[i]], field->met[bin]};
        (void)triangle_cubes(marking.triangle, &range, mark_slot, &marking);
    }
}

static bool holds_air(const struct flood *flood, const int32_t place[3])
{
    return box_has_place(flood->field->blocks, place) &&
           (flood->state[box_place_index(flood->field->blocks, place)] & FLOOD_REACHED) != 0;
}

static bool is_near_air(const struct cell_field *field, const int32_t place[3])
{
    bool near = holds_air(field->flood, place);
    for (int direction = 0; direction < DIRECTIONS && !near; direction++) {
        int32_t next[3];
        box_place_next(place, direction, next);
        near = holds_air(field->flood, next);
    }
    return near;
}

int cell_field_make(const struct room_cuts *room, const struct flood *flood, int threads,
                    struct cell_field *out, struct failure *failure)
{
    struct cell_field field = {.room = room, .flood = flood};
    int result =
        triangle_bins_of(room->snapped, room->mesh->triangle_count, VOXEL_SHIFT, &field.bins, failure);
    if (result != 0)
        return result;
    const size_t blocks = field.bins.block_count;
    field.met = calloc(blocks + 1, sizeof *field.met);
    field.wanted = calloc(blocks + 1, sizeof *field.wanted);
    if (field.met == NULL || field.wanted == NULL) {
        cell_field_free(&field);
        return failure_memory(failure, blocks * sizeof *field.met, "the voxels that walls pass through");
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (size_t bin = 0; bin < blocks; bin++) {
        int32_t place[3];
        block_key_place(field.bins.key[bin], place);
        mark_met_voxels(&field, bin);
        field.wanted[bin] = is_near_air(&field, place);
    }
    *out = field;
    return 0;
}
