/* The scheme does not know left from right: a room seen in a mirror sounds the same to the last bit, because
 * the differences are summed as ((x-) + (x+)) + ((y-) + (y+)) + ((z-) + (z+)) and addition commutes. The room
 * is ragged, its walls of many materials at many angles; its image lies elsewhere on the grid, so that its
 * blocks, rows and wall entries are cut differently. */
#include "blocks/plaquettes.h"
#include "kernels/engine/engine.h"
#include "tests/support/back_ends.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"

#define STEPS     30
#define RECEIVERS 3
#define MATERIALS 8

static const double admittance[MATERIALS] = {0.0, 0.0, 0.01, 0.1, 0.3, 0.7, 1.5, 4.0};

/* Places as fractions of the room: in the open half, in the speckle, and near a wall. */
static const double source_at[3] = {0.75, 0.5, 0.5};
static const double receiver_at[RECEIVERS][3] = {{0.8, 0.3, 0.7}, {0.2, 0.4, 0.6}, {0.99, 0.99, 0.99}};

struct stage {
    struct time_step step;
    struct voxel_room room;
    struct box_grid box;
    struct block_grid blocks;
};

static void make_stage(enum scheme scheme, struct voxel_room room, struct stage *stage)
{
    memset(stage, 0, sizeof *stage);
    stage->step = time_step_for(scheme, 1.0, 340.0, 0.0);
    stage->room = room;
    link_grids(room.low, room.nodes, room.links, voxel_room_wall_at, &stage->room, &stage->blocks,
               &stage->box);
    if (scheme == SCHEME_STANDARD)
        return;
    /* Masses are not told from their mirror image's to the last bit, nor which whole nodes lend some and get
     * a record, and it is the step that is looked at: two cells' worth each, which is more than any node
     * needs. */
    MUST(block_grid_widen(&stage->blocks, &failure));
    stage->blocks.lambda2 = stage->step.lambda2;
    for (uint64_t n = 0; n < stage->blocks.cuts; ++n)
        stage->blocks.gain[n] = (float)(stage->step.lambda2 / (2 * block_gain_parts(&stage->blocks)));
    box_grid_free(&stage->box);
    MUST(box_grid_from_blocks(&stage->blocks, &stage->box, &failure));
}

static void free_stage(struct stage *stage)
{
    block_grid_free(&stage->blocks);
    box_grid_free(&stage->box);
    voxel_room_free(&stage->room);
}

static size_t node_index(const struct voxel_room *room, const int64_t node[3])
{
    return voxel_room_index(room, node[0], node[1], node[2]);
}

/* Node n of the room's arrays, counted from its low corner. */
static void place_of(const struct voxel_room *room, size_t n, int64_t node[3])
{
    node[0] = (int64_t)n % room->nodes[0];
    node[1] = (int64_t)n / room->nodes[0] % room->nodes[1];
    node[2] = (int64_t)n / room->nodes[0] / room->nodes[1];
}

/* Node (x, y, z), counted from the room's low corner, seen in a mirror across `axis`; itself where axis < 0.
 */
static void mirror(const struct voxel_room *room, int axis, const int64_t node[3], int64_t image[3])
{
    memcpy(image, node, 3 * sizeof *image);
    if (axis >= 0)
        image[axis] = room->nodes[axis] - 1 - node[axis];
}

/* The room of a seed in a mirror, moved by a few nodes that are no whole block. */
static struct voxel_room mirrored_room(uint64_t seed, int axis)
{
    struct voxel_room room = voxel_room_make(seed);
    struct voxel_room image = voxel_room_make(seed);
    image.low[0] += 3;
    image.low[1] -= 2;
    image.low[2] += 5;
    for (size_t n = 0; n < room.count; ++n) {
        int64_t node[3], there[3];
        place_of(&room, n, node);
        mirror(&room, axis, node, there);
        const size_t to = node_index(&room, there);
        image.air[to] = room.air[n];
        image.links[to] = 0;
        for (int d = 0; d < DIRECTIONS; ++d) {
            const int image_d = d / 2 == axis ? d ^ 1 : d;
            image.links[to] |= (uint8_t)((room.links[n] >> d & 1) << image_d);
            image.material[to * DIRECTIONS + (size_t)image_d] = room.material[n * DIRECTIONS + (size_t)d];
            image.cosine[to * DIRECTIONS + (size_t)image_d] = room.cosine[n * DIRECTIONS + (size_t)d];
        }
    }
    voxel_room_free(&room);
    return image;
}

/* The first node of air at or past a place. */
static void find_air(const struct voxel_room *room, const double at[3], int64_t node[3])
{
    for (int a = 0; a < 3; ++a)
        node[a] = (int64_t)(at[a] * (double)(room->nodes[a] - 1));
    while (room->links[node_index(room, node)] == 0)
        node[2] = (node[2] + 1) % room->nodes[2];
}

/* A source between nodes and receivers on nodes, a noisy drive on top of a noisy field. `room` is the room
 * that places are chosen in, which the stage shows as it is (axis < 0) or in a mirror. */
static struct engine *start(const struct stage *stage, const struct voxel_room *room, int axis,
                            const struct engine_options *options, const double *drive, double *output)
{
    struct engine *engine =
        engine_of(&stage->blocks, &stage->box, &stage->step, admittance, MATERIALS, NULL, options);
    struct stencil stencil;
    int64_t node[3], base[3];
    /* Quarters of a cell, whose weights round alike from either side. */
    const double off[3] = {0.25, -0.5, 0.125};
    double position[3];
    find_air(room, source_at, node);
    mirror(room, axis, node, base);
    for (int a = 0; a < 3; ++a) {
        base[a] += stage->room.low[a];
        position[a] = (double)base[a] + (a == axis ? -off[a] : off[a]);
    }
    MUST(stencil_make(&stage->blocks, position, base, INTERPOLATION_CUBIC, &stencil, &failure));
    cr_assert(stencil.used == INTERPOLATION_CUBIC && stencil.count == 64);
    MUST(engine_add_source(engine, &stencil, &failure));
    for (int r = 0; r < RECEIVERS; ++r) {
        stencil = (struct stencil){.count = 1, .weight = {1.0}};
        find_air(room, receiver_at[r], node);
        mirror(room, axis, node, stencil.node[0]);
        for (int a = 0; a < 3; ++a)
            stencil.node[0][a] += stage->room.low[a];
        MUST(engine_add_receiver(engine, &stencil, &failure));
    }
    uint64_t random = 31;
    for (size_t n = 0; n < room->count; ++n) {
        const double now = test_uniform(&random, -1.0, 1.0), old = test_uniform(&random, -1.0, 1.0);
        if (room->links[n] == 0)
            continue;
        place_of(room, n, node);
        mirror(room, axis, node, base);
        for (int a = 0; a < 3; ++a)
            base[a] += stage->room.low[a];
        engine_set(engine, 0, base, now);
        engine_set(engine, 1, base, old);
    }
    engine_run(engine, STEPS, drive, output);
    return engine;
}

/* Both rooms with one engine each: outputs and both levels of the whole field. */
static void compare(const struct stage *room, const struct stage *image, int axis,
                    const struct engine_options *options)
{
    static double drive[STEPS], sampled[2][RECEIVERS * STEPS];
    uint64_t random = 8;
    for (int n = 0; n < STEPS; ++n)
        drive[n] = test_uniform(&random, -1.0, 1.0);
    struct engine *one = start(room, &room->room, -1, options, drive, sampled[0]);
    struct engine *other = start(image, &room->room, axis, options, drive, sampled[1]);
    for (int r = 0; r < RECEIVERS; ++r) {
        double largest = 0.0;
        for (int n = 0; n < STEPS; ++n) {
            largest = fmax(largest, fabs(sampled[0][r * STEPS + n]));
            cr_assert(sampled[0][r * STEPS + n] == sampled[1][r * STEPS + n],
                      "%s, mirrored across axis %d, receiver %d, step %d: %.17g and %.17g",
                      engine_description(one), axis, r, n, sampled[0][r * STEPS + n],
                      sampled[1][r * STEPS + n]);
        }
        cr_assert(largest > 1e-4, "receiver %d is silent", r);
    }
    for (size_t n = 0; n < room->room.count; ++n) {
        int64_t node[3], there[3];
        if (room->room.links[n] == 0)
            continue;
        place_of(&room->room, n, node);
        mirror(&room->room, axis, node, there);
        for (int a = 0; a < 3; ++a) {
            node[a] += room->room.low[a];
            there[a] += image->room.low[a];
        }
        for (int level = 0; level < 2; ++level)
            cr_assert(engine_get(one, level, node) == engine_get(other, level, there),
                      "%s, mirrored across axis %d: node (%d,%d,%d)", engine_description(one), axis,
                      (int)node[0], (int)node[1], (int)node[2]);
    }
    engine_free(one);
    engine_free(other);
}

TEST_SCHEMES(symmetry, a_mirrored_room_sounds_the_same_to_the_last_bit)
{
    const uint64_t seed = 2024;
    struct stage room, image;
    make_stage(scheme, voxel_room_make(seed), &room);
    for (int axis = 0; axis < 3; ++axis) {
        make_stage(scheme, mirrored_room(seed, axis), &image);
        cr_assert(image.blocks.walls > 1000 && image.blocks.air_nodes == room.blocks.air_nodes);
        struct back_ends all = {.mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE}; /* test_bits: the reference, too */
        while (back_ends_next(&all))
            compare(&room, &image, axis, &all.options);
        free_stage(&image);
    }
    free_stage(&room);
}
