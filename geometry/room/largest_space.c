#include "geometry/room/largest_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/leak/room_cuts.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/seed_node.h"

/* At most so many of a node's six directions may meet no wall. The voxeliser also uses a third to distinguish
 * a room that leaks from the outside. */
#define FREE_DIRECTIONS_MOST 2
/* Spaces with a leak path that may turn out to be outside before the search ends. */
#define ATTEMPTS 16

#define ALL_LINKS 0x3fu
#define PEELED    0x80u /* in free_directions, while a place is searched */

/** The grid, every node in its place: x fastest, then y, then z. Freed by survey_free(). */
struct survey {
    struct room_cuts room;
    int64_t stride[3]; /* from a node to the next one along each axis */
    size_t nodes;
    uint8_t *links;           /* (nodes) uncut links by direction */
    uint8_t *free_directions; /* (nodes) directions without any wall */
    bool *outside;            /* (nodes) a path leads out of the box */
    uint32_t *label;          /* (nodes) of the space it is in; 0: in none */
    uint32_t *queue;          /* (nodes) */
};

static void survey_free(struct survey *survey)
{
    room_cuts_free(&survey->room);
    free(survey->links);
    free(survey->free_directions);
    free(survey->outside);
    free(survey->label);
    free(survey->queue);
}

/** A grid of about LARGEST_SPACE_NODES, also over a box as thin as a sheet. */
static int make_lattice(const struct mesh *mesh, struct lattice *out, struct failure *failure)
{
    double low[3], high[3], nodes = INFINITY, spacing = 0;
    TRY(mesh_bounds(mesh, low, high, failure));
    for (int axis = 0; axis < 3; axis++)
        spacing = fmax(spacing, (high[axis] - low[axis]) / LARGEST_SPACE_NODES);
    spacing = fmax(spacing, 1e-6);
    while (nodes > LARGEST_SPACE_NODES) {
        spacing *= 1.02;
        nodes = 1;
        for (int axis = 0; axis < 3; axis++)
            nodes *= ceil((high[axis] - low[axis]) / spacing) + 1;
    }
    return lattice_fit(low, high, spacing, NULL, out, failure);
}

static int survey_make(const struct mesh *mesh, const struct voxelise_options *options, struct survey *survey,
                       struct failure *failure)
{
    struct lattice lattice;
    TRY(make_lattice(mesh, &lattice, failure));
    TRY(room_cuts_make(mesh, &lattice, options, NULL, 0, &survey->room, failure));
    survey->stride[0] = 1;
    survey->stride[1] = lattice.nodes[0];
    survey->stride[2] = lattice.nodes[0] * lattice.nodes[1];
    survey->nodes = (size_t)(survey->stride[2] * lattice.nodes[2]);
    survey->links = malloc(survey->nodes);
    survey->free_directions = calloc(survey->nodes, 1);
    survey->outside = calloc(survey->nodes, sizeof *survey->outside);
    survey->label = calloc(survey->nodes, sizeof *survey->label);
    survey->queue = malloc(survey->nodes * sizeof *survey->queue);
    if (survey->links == NULL || survey->free_directions == NULL || survey->outside == NULL ||
        survey->label == NULL || survey->queue == NULL)
        return failure_memory(failure, survey->nodes * 11, "the spaces of the model");
    memset(survey->links, ALL_LINKS, survey->nodes);
    return 0;
}

static size_t index_of(const struct survey *survey, const int64_t node[3])
{
    return (size_t)(node[0] + node[1] * survey->stride[1] + node[2] * survey->stride[2]);
}

/** The neighbour that an uncut link leads to. */
static size_t next_to(const struct survey *survey, size_t index, int direction)
{
    return (size_t)((int64_t)index + (direction % 2 ? 1 : -1) * survey->stride[direction / 2]);
}

static void copy_links(struct survey *survey)
{
    const struct cut_field *field = &survey->room.field;
    int32_t place[3];
    for (place[2] = 0; place[2] < field->blocks[2]; place[2]++)
        for (place[1] = 0; place[1] < field->blocks[1]; place[1]++)
            for (place[0] = 0; place[0] < field->blocks[0]; place[0]++) {
                uint64_t cut[6][8];
                if (!cut_field_block_cuts(field, place, cut))
                    continue;
                for (unsigned slot = 0; slot < 512; slot++) {
                    int64_t node[3];
                    block_bits_node(place, slot, node);
                    if (!lattice_has(&field->lattice, node))
                        continue;
                    for (int d = 0; d < DIRECTIONS; d++)
                        if (block_bits_has(cut[d], slot))
                            survey->links[index_of(survey, node)] &= (uint8_t) ~(1u << d);
                }
            }
}

/** Count, for every node, the directions in which its lattice line leaves the box without meeting a wall. */
static void count_free_directions(struct survey *survey)
{
    const int64_t *nodes = survey->room.field.lattice.nodes;
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const int64_t step = survey->stride[axis];
        for (int64_t line = 0; line < nodes[u] * nodes[v]; line++) {
            const int64_t start = line % nodes[u] * survey->stride[u] + line / nodes[u] * survey->stride[v];
            for (int back = 0; back < 2; back++) {
                bool met = false;
                for (int64_t n = 0; n < nodes[axis] && !met; n++) {
                    const int64_t i = start + (back ? nodes[axis] - 1 - n : n) * step;
                    /* The link towards this end of the line. */
                    met = (survey->links[i] >> (2 * axis + back) & 1) == 0;
                    survey->free_directions[i] += !met;
                }
            }
        }
    }
}

/** Follow uncut links from queue[0..count) to all nodes that may be in a space, and label them; label 0 marks
 * all nodes as outside. Returns the new count. */
static size_t spread_label(struct survey *survey, size_t count, uint32_t label)
{
    for (size_t head = 0; head < count; head++) {
        const size_t at = survey->queue[head];
        for (int d = 0; d < DIRECTIONS; d++) {
            if ((survey->links[at] >> d & 1) == 0)
                continue;
            const size_t next = next_to(survey, at, d);
            if (label == 0
                    ? survey->outside[next]
                    : survey->label[next] != 0 ||
                          (survey->outside[next] && survey->free_directions[next] > FREE_DIRECTIONS_MOST))
                continue;
            if (label == 0)
                survey->outside[next] = true;
            else
                survey->label[next] = label;
            survey->queue[count++] = (uint32_t)next;
        }
    }
    return count;
}

/** Cut the links that leave the box. Air joined to the outside of the box by them is outside. */
static void close_box(struct survey *survey)
{
    const int64_t *nodes = survey->room.field.lattice.nodes;
    size_t count = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        const int axis = d / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        const int64_t face = d % 2 ? (nodes[axis] - 1) * survey->stride[axis] : 0;
        for (int64_t at = 0; at < nodes[u] * nodes[v]; at++) {
            const int64_t i = face + at % nodes[u] * survey->stride[u] + at / nodes[u] * survey->stride[v];
            if ((survey->links[i] >> d & 1) == 0)
                continue;
            survey->links[i] &= (uint8_t) ~(1u << d);
            if (survey->outside[i])
                continue;
            survey->outside[i] = true;
            survey->queue[count++] = (uint32_t)i;
        }
    }
    (void)spread_label(survey, count, 0);
}

struct found_space {
    uint32_t label;
    size_t nodes;
    bool open;
};

static int larger_first(const void *a, const void *b)
{
    const struct found_space *x = a, *y = b;
    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? 1 : -1;
    return x->label > y->label ? 1 : -1;
}

/** All spaces of more than `least` nodes, largest first; `*space` is the caller's. */
static int find_spaces(struct survey *survey, double least, struct found_space **space, size_t *count,
                       struct failure *failure)
{
    uint32_t label = 0;
    size_t room = 0;
    for (size_t i = 0; i < survey->nodes; i++) {
        if (survey->links[i] == 0 || survey->label[i] != 0 ||
            (survey->outside[i] && survey->free_directions[i] > FREE_DIRECTIONS_MOST))
            continue;
        survey->label[i] = ++label;
        survey->queue[0] = (uint32_t)i;
        const size_t nodes = spread_label(survey, 1, label);
        if (!((double)nodes > least))
            continue;
        struct found_space *grown =
            array_room(*space, &room, *count + 1, sizeof *grown, "the spaces of the model", failure);
        if (grown == NULL)
            return FAILURE_CAPACITY;
        *space = grown;
        (*space)[(*count)++] =
            (struct found_space){.label = label, .nodes = nodes, .open = survey->outside[i]};
    }
    if (*count > 0)
        qsort(*space, *count, sizeof **space, larger_first);
    return 0;
}

/** The node of a space with the most steps to walls and leak paths: the last one when layers are removed one
 * by one. */
static void deepest_place(struct survey *survey, uint32_t label, double position[3])
{
    size_t count = 0;
    int64_t node[3];
    for (size_t i = 0; i < survey->nodes; i++) {
        bool inner = survey->links[i] == ALL_LINKS;
        for (int d = 0; inner && d < DIRECTIONS; d++)
            inner = survey->label[next_to(survey, i, d)] == label;
        if (survey->label[i] != label || inner)
            continue;
        survey->free_directions[i] |= PEELED;
        survey->queue[count++] = (uint32_t)i;
    }
    for (size_t head = 0; head < count; head++)
        for (int d = 0; d < DIRECTIONS; d++) {
            const size_t at = survey->queue[head];
            const size_t next = (survey->links[at] >> d & 1) != 0 ? next_to(survey, at, d) : at;
            if (survey->label[next] != label || (survey->free_directions[next] & PEELED) != 0)
                continue;
            survey->free_directions[next] |= PEELED;
            survey->queue[count++] = (uint32_t)next;
        }
    const size_t last = survey->queue[count - 1];
    node[2] = (int64_t)last / survey->stride[2];
    node[1] = (int64_t)last % survey->stride[2] / survey->stride[1];
    node[0] = (int64_t)last % survey->stride[1];
    lattice_position(&survey->room.field.lattice, node, position);
}

static bool has_label(const struct survey *survey, uint32_t label, const double place[3])
{
    int64_t corner[8][3];
    return seed_corners(&survey->room.field, survey->room.walls, survey->room.snapped, place, corner) > 0 &&
           survey->label[index_of(survey, corner[0])] == label;
}

int largest_space_find(const struct mesh *mesh, const struct voxelise_options *options,
                       const double (*place)[3], size_t place_count, double least, struct largest_space *out,
                       struct failure *failure)
{
    struct survey survey = {0};
    struct found_space *space = NULL;
    size_t count = 0;
    *out = (struct largest_space){0};
    int code = survey_make(mesh, options, &survey, failure);
    if (code != 0)
        goto done;
    out->lattice = survey.room.field.lattice;
    const double h = out->lattice.spacing, cell = h * h * h;
    copy_links(&survey);
    count_free_directions(&survey);
    close_box(&survey);
    if ((code = find_spaces(&survey, least / cell, &space, &count, failure)) != 0)
        goto done;
    for (size_t s = 0; s < count && s < ATTEMPTS && out->volume == 0; s++) {
        deepest_place(&survey, space[s].label, out->position);
        if (space[s].open && !seed_stands_inside(mesh, out->position))
            continue;
        out->volume = (double)space[s].nodes * cell;
        out->open = space[s].open;
        for (size_t p = 0; p < place_count; p++)
            out->holds_place = out->holds_place || has_label(&survey, space[s].label, place[p]);
    }
done:
    free(space);
    survey_free(&survey);
    return code;
}
