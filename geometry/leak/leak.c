#include "geometry/leak/leak.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/search_queue.h"
#include "geometry/base/vector.h"
#include "geometry/leak/gap.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/clearance.h"
#include "geometry/voxel/node_path.h"
#include "geometry/voxel/wall_distance.h"

/* Growth is ordered by levels of clearance: 1 .. WALL_LEVELS for single nodes (wall_distance.h), higher ones
 * for blocks far from walls, LEVELS_PER_OCTAVE for each doubling of the clearance at the block's centre. */
#define LEVELS_PER_OCTAVE 6
#define FAR_LEVELS        55
#define LEVELS            (WALL_LEVELS + FAR_LEVELS + 1)

/* How a node or block was reached: the direction of the step into it. Bytes of near nodes start as their
 * level. */
#define NODE_LEVEL     0x0fu
#define NODE_DIRECTION 4
#define NODE_REACHED   0x80u
/* Far blocks: the slot by which the path entered, the direction of that step. */
#define FAR_SLOT      0x1ffu
#define FAR_DIRECTION 9
#define FAR_REACHED   0x8000u

/* Beyond the lattice's box the path continues for this many nodes if walls are near, so that it is visible
 * outside. */
#define NODES_OUTSIDE 4

struct search {
    const struct cut_field *field;
    const struct clearance *tree;
    struct wall_distance walls;
    uint16_t *far; /* (positions) */
    /* By level: node numbers (near index * 512 + slot), or positions of far blocks. First in, first out,
     * which keeps paths short at equal levels. */
    struct search_queue queue[LEVELS + 1];
    int top; /* queues above this one are empty */
    int64_t seed[3], last[3];
};

static int queue_push(struct search *search, int level, uint32_t entry, struct failure *failure)
{
    if (level > search->top)
        search->top = level;
    return search_queue_push(&search->queue[level], entry, "the search for a leak", failure);
}

static void search_free(struct search *search)
{
    wall_distance_free(&search->walls);
    free(search->far);
    for (int level = 0; level <= LEVELS; ++level)
        search_queue_free(&search->queue[level]);
}

static int far_level(const struct search *search, const int32_t place[3])
{
    const struct lattice *lattice = &search->field->lattice;
    double centre[3];
    for (int axis = 0; axis < 3; ++axis)
        centre[axis] = lattice->origin[axis] + (8.0 * place[axis] + 3.5) * lattice->spacing;
    const double clear = clearance_at(search->tree, centre, INFINITY) / lattice->spacing;
    const double level = floor(LEVELS_PER_OCTAVE * log2(larger(clear, 8.0) / 8.0));
    return WALL_LEVELS + 1 + (int)smaller(level, FAR_LEVELS - 1);
}

/* True if the node is `margin` or more nodes outside the box. */
static bool is_outside(const struct lattice *lattice, const int64_t node[3], int64_t margin)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (node[axis] <= -margin || node[axis] >= lattice->nodes[axis] - 1 + margin)
            return true;
    }
    return false;
}

/* Queue the step in `direction` to `node`, unless the node was reached before. */
static int reach_node(struct search *search, const int64_t node[3], int direction, struct failure *failure)
{
    int32_t place[3];
    block_bits_place(node, place);
    const uint32_t position = wall_position(&search->walls, place);
    if (position == WALL_NONE)
        return 0;
    const unsigned slot = block_bits_slot(node);
    const uint32_t near_index = wall_near(&search->walls, position);
    if (near_index == WALL_NONE) {
        if (search->far[position] & FAR_REACHED)
            return 0;
        search->far[position] = (uint16_t)(FAR_REACHED | (unsigned)direction << FAR_DIRECTION | slot);
        return queue_push(search, far_level(search, place), position, failure);
    }
    uint8_t *state = &search->walls.level[near_index][slot];
    if (*state & NODE_REACHED)
        return 0;
    const int level = *state & NODE_LEVEL;
    *state = (uint8_t)(NODE_REACHED | (unsigned)direction << NODE_DIRECTION | (unsigned)level);
    return queue_push(search, level, near_index * 512u + slot, failure);
}

/* From a block far from walls every neighbouring block is entered: by the middle of the common face if that
 * block is far as well, else by each of its 64 nodes. */
static int expand_far(struct search *search, uint32_t position, struct failure *failure)
{
    int32_t place[3];
    wall_place(&search->walls, position, place);
    for (int direction = 0; direction < DIRECTIONS; ++direction) {
        const int axis = direction / 2, first = (axis + 1) % 3, second = (axis + 2) % 3;
        int32_t next[3];
        box_place_next(place, direction, next);
        const uint32_t next_position = wall_position(&search->walls, next);
        if (next_position == WALL_NONE)
            continue;
        const bool whole = wall_near(&search->walls, next_position) == WALL_NONE;
        for (int at = 0; at < (whole ? 1 : 64); ++at) {
            int64_t node[3];
            node[axis] = 8 * (int64_t)next[axis] + (direction % 2 ? 0 : 7);
            node[first] = 8 * (int64_t)next[first] + (whole ? 4 : at % 8);
            node[second] = 8 * (int64_t)next[second] + (whole ? 4 : at / 8);
            TRY(reach_node(search, node, direction, failure));
        }
    }
    return 0;
}

static int expand_node(struct search *search, const int64_t node[3], uint32_t near_index,
                       struct failure *failure)
{
    for (int direction = 0; direction < DIRECTIONS; ++direction) {
        if (wall_is_cut(&search->walls, near_index, block_bits_slot(node), (enum direction)direction))
            continue;
        int64_t next[3] = {node[0], node[1], node[2]};
        lattice_step(next, direction);
        TRY(reach_node(search, next, direction, failure));
    }
    return 0;
}

/* Grow from the seed, the clearest place first; *escaped is true if it left the box, at search->last. */
static int grow_from_seed(struct search *search, bool *escaped, struct failure *failure)
{
    *escaped = false;
    TRY(reach_node(search, search->seed, 0, failure));
    while (search->top > 0) {
        uint64_t waiting;
        if (!search_queue_pop(&search->queue[search->top], &waiting)) {
            --search->top;
            continue;
        }
        const uint32_t entry = (uint32_t)waiting;
        if (search->top > WALL_LEVELS) {
            int32_t place[3];
            wall_place(&search->walls, entry, place);
            block_bits_node(place, search->far[entry] & FAR_SLOT, search->last);
            *escaped = is_outside(&search->field->lattice, search->last, 1);
            if (*escaped)
                return 0;
            TRY(expand_far(search, entry, failure));
        } else {
            block_bits_node(search->walls.near[entry / 512].place, entry % 512, search->last);
            *escaped = is_outside(&search->field->lattice, search->last, NODES_OUTSIDE);
            if (*escaped)
                return 0;
            TRY(expand_node(search, search->last, entry / 512, failure));
        }
    }
    return 0;
}

/* From search->last back to the seed, then reversed. */
static int trace_path(const struct search *search, struct node_path *path, struct failure *failure)
{
    int64_t node[3];
    memcpy(node, search->last, sizeof node);
    for (;;) {
        TRY(node_path_add(path, node, failure));
        int32_t place[3];
        block_bits_place(node, place);
        const uint32_t position = wall_position(&search->walls, place);
        const uint32_t near_index = wall_near(&search->walls, position);
        int direction;
        if (near_index == WALL_NONE) {
            int64_t entry[3];
            block_bits_node(place, search->far[position] & FAR_SLOT, entry);
            for (int axis = 0; axis < 3; ++axis) {
                while (node[axis] != entry[axis]) {
                    node[axis] += node[axis] < entry[axis] ? 1 : -1;
                    TRY(node_path_add(path, node, failure));
                }
            }
            direction = search->far[position] >> FAR_DIRECTION & 7;
        } else {
            direction = search->walls.level[near_index][block_bits_slot(node)] >> NODE_DIRECTION & 7;
        }
        if (memcmp(node, search->seed, sizeof node) == 0)
            break;
        lattice_step(node, direction ^ 1);
    }
    for (size_t low = 0, high = path->count - 1; low < high; ++low, --high) {
        int64_t swapped[3];
        memcpy(swapped, path->node[low], sizeof swapped);
        memcpy(path->node[low], path->node[high], sizeof swapped);
        memcpy(path->node[high], swapped, sizeof swapped);
    }
    return 0;
}

/* Walk from the end of `path` to `to` as straight as links allow. If a link is cut, *walked is false and
 * `path` is unchanged. */
static int walk_straight(const struct cut_field *field, struct node_path *path, const int64_t to[3],
                         bool *walked, struct failure *failure)
{
    const size_t before = path->count;
    int64_t node[3], done[3] = {0, 0, 0}, whole[3];
    memcpy(node, path->node[before - 1], sizeof node);
    for (int axis = 0; axis < 3; ++axis)
        whole[axis] = llabs(to[axis] - node[axis]);
    *walked = true;
    while (done[0] < whole[0] || done[1] < whole[1] || done[2] < whole[2]) {
        /* The axis whose next step comes first when all run from 0 to 1 together. */
        int axis = -1;
        double first = INFINITY;
        for (int other = 0; other < 3; ++other) {
            const double at = ((double)done[other] + 0.5) / (double)whole[other];
            if (done[other] < whole[other] && at < first) {
                first = at;
                axis = other;
            }
        }
        const int direction = 2 * axis + (to[axis] > node[axis]);
        if (cut_field_is_cut(field, node, (enum direction)direction)) {
            path->count = before;
            *walked = false;
            return 0;
        }
        lattice_step(node, direction);
        ++done[axis];
        TRY(node_path_add(path, node, failure));
    }
    return 0;
}

/* Append path[first..last] to `out`, whose end is path[first], with straight stretches if no wall is between.
 * Each stretch is as long as doubling and halving finds. */
static int straighten_path(const struct cut_field *field, const struct node_path *path, size_t first,
                           size_t last, struct node_path *out, struct failure *failure)
{
    size_t at = first, leap = 16;
    while (at < last) {
        const size_t to = at + leap < last ? at + leap : last;
        bool walked;
        TRY(walk_straight(field, out, path->node[to], &walked, failure));
        if (walked) {
            at = to;
            leap *= 2;
        } else {
            leap = leap > 2 ? leap / 2 : 1; /* a single step of the path is never cut */
        }
    }
    return 0;
}

/* Clearances along a path [m]: at each node, or half a link further if that is less. */
static double *path_clearances(const struct clearance *tree, const double (*point)[3], size_t count,
                               struct failure *failure)
{
    double *clear = malloc(count * sizeof *clear);
    if (clear == NULL) {
        (void)failure_memory(failure, count * sizeof *clear, "the path of a leak");
        return NULL;
    }
    for (size_t n = 0; n < count; ++n) {
        clear[n] = clearance_at(tree, point[n], INFINITY);
        if (n + 1 < count) {
            double middle[3];
            for (int axis = 0; axis < 3; ++axis)
                middle[axis] = 0.5 * (point[n][axis] + point[n + 1][axis]);
            clear[n] = smaller(clear[n], clearance_at(tree, middle, INFINITY));
        }
    }
    return clear;
}

/* Positions of a path's nodes, and `more` points straight beyond its end. */
static double (*positions(const struct lattice *lattice, const struct node_path *path, size_t more,
                          struct failure *failure))[3]
{
    double(*point)[3] = malloc((path->count + more) * sizeof *point);
    if (point == NULL) {
        (void)failure_memory(failure, (path->count + more) * sizeof *point, "the path of a leak");
        return NULL;
    }
    for (size_t n = 0; n < path->count; ++n)
        lattice_position(lattice, path->node[n], point[n]);
    const int64_t *end = path->node[path->count - 1];
    int64_t node[3] = {end[0], end[1], end[2]};
    for (size_t n = 0; n < more; ++n) {
        for (int axis = 0; axis < 3; ++axis) {
            if (end[axis] < 0 || end[axis] >= lattice->nodes[axis]) {
                node[axis] += end[axis] < 0 ? -1 : 1;
                break;
            }
        }
        lattice_position(lattice, node, point[path->count + n]);
    }
    return point;
}

/* The gap of a path, and the entry *trough next to it. Clearances of nodes vary by up to about h/4 by chance,
 * so this is added to all before they are compared. */
static int find_gap(const struct search *search, const struct node_path *path, size_t *trough,
                    struct gap *gap, struct failure *failure)
{
    const struct lattice *lattice = &search->field->lattice;
    const double spacing = lattice->spacing;
    int code = 0;
    double(*point)[3] = positions(lattice, path, 0, failure);
    if (point == NULL)
        return FAILURE_CAPACITY;
    double *clear = path_clearances(search->tree, (const double(*)[3])point, path->count, failure);
    if (clear == NULL) {
        code = FAILURE_CAPACITY;
        goto done;
    }
    *trough = gap_trough(clear, path->count, 0.25 * spacing);
    if (*trough == path->count) { /* a side of the model is missing at its box */
        do
            --*trough;
        while (*trough > 0 && is_outside(lattice, path->node[*trough], 1));
        memcpy(gap->position, point[*trough], sizeof gap->position);
        gap->size = 2 * clear[*trough];
        goto done;
    }
    const double rough = 1.5 * clear[*trough] + spacing;
    free(point);
    point = positions(lattice, path, (size_t)(2 * rough / spacing) + 1, failure);
    if (point == NULL) {
        code = FAILURE_CAPACITY;
        goto done;
    }
    code = gap_refine(search->tree, (const double(*)[3])point,
                      path->count + (size_t)(2 * rough / spacing) + 1, *trough, spacing, rough, gap, failure);
done:
    free(point);
    free(clear);
    return code;
}

double leak_seal_centimetres(double gap_size)
{
    return ceil(1100 * gap_size + 3) / 10;
}

const char *leak_width(double gap_size, char text[LEAK_WIDTH_MAX])
{
    if (gap_size >= 1)
        (void)snprintf(text, LEAK_WIDTH_MAX, "%.2f m", gap_size);
    else if (gap_size >= 0.00995) /* not "10.0 mm" */
        (void)snprintf(text, LEAK_WIDTH_MAX, "%.1f cm", 100 * gap_size);
    else if (gap_size >= 0.0001)
        (void)snprintf(text, LEAK_WIDTH_MAX, "%.1f mm", 1000 * gap_size);
    else
        (void)snprintf(text, LEAK_WIDTH_MAX, "less than 0.1 mm");
    return text;
}

/* Position along a segment, 0..1, where it meets a triangle; NaN if it does not. */
static double segment_meets(const double from[3], const double to[3], const double corner[3][3])
{
    double along[3], first[3], second[3], apart[3], across[3], turned[3];
    for (int axis = 0; axis < 3; ++axis) {
        along[axis] = to[axis] - from[axis];
        first[axis] = corner[1][axis] - corner[0][axis];
        second[axis] = corner[2][axis] - corner[0][axis];
        apart[axis] = from[axis] - corner[0][axis];
    }
    vector_cross(along, second, across);
    vector_cross(apart, first, turned);
    const double volume = vector_dot(first, across), u = vector_dot(apart, across) / volume,
                 v = vector_dot(along, turned) / volume, at = vector_dot(second, turned) / volume;
    return u >= 0 && v >= 0 && u + v <= 1 && at >= 0 && at <= 1 ? at : (double)NAN;
}

bool leak_through_sheet(const struct mesh *mesh, const struct voxel_leak *leak, uint16_t *material)
{
    for (size_t n = 1; n < leak->point_count; ++n)
        for (size_t t = mesh->triangle_count; t < mesh->triangle_count + mesh->sheet_count; ++t) {
            const double *const from = leak->point[n - 1], *const to = leak->point[n];
            double corner[3][3], place[3];
            for (int k = 0; k < 3; ++k)
                memcpy(corner[k], mesh->vertex[mesh->triangle[t][k]], sizeof corner[k]);
            const double at = segment_meets(from, to, (const double(*)[3])corner);
            for (int axis = 0; axis < 3; ++axis)
                place[axis] = from[axis] + at * (to[axis] - from[axis]);
            if (vector_distance(place, leak->gap) <= leak->gap_size) {
                *material = mesh->triangle_material[t];
                return true;
            }
        }
    return false;
}

int leak_fix_sheet(int code, const struct mesh *mesh, uint16_t material, struct failure *failure)
{
    return failure_fix(code, failure,
                       "only the sheet \"%.100s\" is there, and a sheet transmits sound: give that face the "
                       "material of a wall, or add a wall behind it",
                       mesh->material[material]);
}

static int leak_sentence(const struct mesh *mesh, const char *seed_name, const struct voxel_leak *leak,
                         struct failure *failure)
{
    uint16_t sheet;
    char size[LEAK_WIDTH_MAX];
    const double *end = leak->point[leak->point_count - 1];
    const bool sealable = leak->gap_size <= LEAK_SEAL_SUGGESTED;
    const int code = failure_set(
        failure, FAILURE_INPUT,
        "the room is not closed: a path leads from %s out of the model through a gap about %s wide at (%.3f, "
        "%.3f, %.3f) m and is outside at (%.3f, %.3f, %.3f) m",
        seed_name, leak_width(leak->gap_size, size), leak->gap[0], leak->gap[1], leak->gap[2], end[0], end[1],
        end[2]);
    if (leak_through_sheet(mesh, leak, &sheet))
        return leak_fix_sheet(code, mesh, sheet, failure);
    (void)failure_fix(code, failure, "close the gap in the model (a closed door or window must be a face)");
    return failure_advise(code, failure, ADVICE_OPEN_OR_SEAL,
                          sealable ? leak_seal_centimetres(leak->gap_size) / 100 : 0);
}

/* The path for display: straightened, but as found around the gap, 3 h to both sides or three times the gap's
 * half width. */
static int tidy_path(const struct search *search, const struct node_path *path, size_t trough,
                     double gap_size, struct node_path *tidied, struct failure *failure)
{
    const double keep_length = larger(3.0, 1.5 * gap_size / search->field->lattice.spacing);
    const size_t keep = (size_t)smaller(keep_length, 1e6);
    const size_t first = trough > keep ? trough - keep : 0;
    const size_t last = trough + keep < path->count ? trough + keep : path->count - 1;
    TRY(node_path_add(tidied, path->node[0], failure));
    TRY(straighten_path(search->field, path, 0, first, tidied, failure));
    for (size_t n = first + 1; n <= last; ++n)
        TRY(node_path_add(tidied, path->node[n], failure));
    return straighten_path(search->field, path, last, path->count - 1, tidied, failure);
}

int leak_find(const struct mesh *mesh, const struct cut_field *field, const int64_t seed_node[3],
              const char *seed_name, struct voxel_leak *out, struct failure *failure)
{
    struct clearance tree = {0};
    struct search search = {.field = field, .tree = &tree};
    struct node_path path = {0}, tidied = {0};
    struct voxel_leak leak = {0};
    struct gap gap;
    size_t trough;
    bool escaped = false;
    int code;

    *out = leak;
    memcpy(search.seed, seed_node, sizeof search.seed);
    if (is_outside(&field->lattice, seed_node, 1))
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "%s is outside the model, at node (%lld, %lld, %lld) of a lattice of %lld x %lld x "
                        "%lld nodes",
                        seed_name, (long long)seed_node[0], (long long)seed_node[1], (long long)seed_node[2],
                        (long long)field->lattice.nodes[0], (long long)field->lattice.nodes[1],
                        (long long)field->lattice.nodes[2]),
            failure, "move it inside");
    if ((code = clearance_make(mesh, &tree, failure)) != 0 ||
        (code = wall_distance_make(field, &search.walls, failure)) != 0)
        goto done;
    search.far = calloc(search.walls.position_count, sizeof *search.far);
    if (search.far == NULL) {
        code = failure_memory(failure, search.walls.position_count * sizeof *search.far,
                              "the search for a leak");
        goto done;
    }
    if ((code = grow_from_seed(&search, &escaped, failure)) != 0 || !escaped)
        goto done;
    if ((code = trace_path(&search, &path, failure)) != 0 ||
        (code = find_gap(&search, &path, &trough, &gap, failure)) != 0 ||
        (code = tidy_path(&search, &path, trough, gap.size, &tidied, failure)) != 0)
        goto done;
    leak.point = positions(&field->lattice, &tidied, 0, failure);
    if (leak.point == NULL) {
        code = FAILURE_CAPACITY;
        goto done;
    }
    leak.point_count = tidied.count;
    memcpy(leak.gap, gap.position, sizeof leak.gap);
    leak.gap_size = gap.size;
    *out = leak;
    code = leak_sentence(mesh, seed_name, out, failure);
done:
    search_free(&search);
    clearance_free(&tree);
    free(path.node);
    free(tidied.node);
    return code;
}
