/** Random open scenes: a box with layers behind some of its faces, and blocks and cut links anywhere in it,
 * also within the layers and where these meet. */
#ifndef TESTS_CHANCE_SCENE_H
#define TESTS_CHANCE_SCENE_H

#include "kernels/engine/engine_fill.h"
#include "kernels/scheme/layer_law.h"
#include "tests/support/back_ends.h"
#include "tests/support/test_support.h"

#define CHANCE_BLOCKS 24

struct chance_scene {
    struct block_grid blocks;
    struct box_grid box;
    uint16_t face[DIRECTIONS]; /* material behind the box: VOXELS_OPEN_FACE with a layer */
    int64_t nodes[3];
};

static inline void chance_scene_wall(void *context, const int64_t node[3], enum direction direction,
                                     uint16_t *material, uint16_t *cosine)
{
    const struct chance_scene *scene = context;
    const int64_t at = node[direction / 2];
    const bool edge = at == (direction % 2 == 0 ? 0 : scene->nodes[direction / 2] - 1);
    *material = edge ? scene->face[direction] : 0;
    *cosine = VOXELS_COSINE_ONE;
}

static inline int64_t chance_scene_below(uint64_t *random, int64_t end)
{
    return (int64_t)test_uniform(random, 0, (double)end);
}

/** @param open   which faces, bit by direction
 * @param empty  without blocks and cut links */
static inline struct chance_scene *chance_scene_make(uint64_t seed, unsigned open, int64_t side, bool empty,
                                                     const struct time_step *step)
{
    struct chance_scene *scene = calloc(1, sizeof *scene);
    const int64_t low[3] = {0, 0, 0};
    uint64_t random = seed;
    cr_assert(scene != NULL);
    for (int axis = 0; axis < 3; ++axis)
        scene->nodes[axis] = side + axis;
    for (int d = 0; d < DIRECTIONS; ++d)
        scene->face[d] = open >> d & 1 ? VOXELS_OPEN_FACE : 0;
    const int64_t *const n = scene->nodes;
    const size_t count = (size_t)(n[0] * n[1] * n[2]);
    uint8_t *links = malloc(count);
    cr_assert(links != NULL);
    memset(links, 63, count);
    for (int block = 0; !empty && block < CHANCE_BLOCKS; ++block) {
        int64_t from[3], to[3];
        for (int axis = 0; axis < 3; ++axis) {
            from[axis] = chance_scene_below(&random, n[axis]);
            to[axis] = from[axis] + 1 + chance_scene_below(&random, side / 3);
            to[axis] = to[axis] < n[axis] ? to[axis] : n[axis];
        }
        for (int64_t z = from[2]; z < to[2]; ++z)
            for (int64_t y = from[1]; y < to[1]; ++y)
                memset(links + (z * n[1] + y) * n[0] + from[0], 0, (size_t)(to[0] - from[0]));
    }
    for (size_t node = 0; !empty && node < count; ++node)
        if (chance_scene_below(&random, 20) == 0)
            links[node] &= (uint8_t) ~(1U << chance_scene_below(&random, 6));
    link_grids(low, n, links, chance_scene_wall, scene, &scene->blocks, &scene->box);
    free(links);
    link_grids_widen(&scene->blocks, &scene->box, step);
    for (int d = 0; d < DIRECTIONS; ++d)
        scene->blocks.layer[d] = open >> d & 1 ? LAYER_CELLS : 0;
    return scene;
}

static inline void chance_scene_free(struct chance_scene *scene)
{
    block_grid_free(&scene->blocks);
    box_grid_free(&scene->box);
    free(scene);
}

/** Filled, and at rest. */
static inline struct engine *chance_scene_engine(const struct chance_scene *scene,
                                                 const struct time_step *step,
                                                 const struct wall_materials *walls,
                                                 const struct engine_options *options)
{
    struct engine *engine = engine_of(&scene->blocks, &scene->box, step, NULL, 1, walls, options);
    engine_fill(engine, 5);
    engine_map(engine);
    for (uint64_t index = 0; index < engine->length; ++index)
        if (engine_is_air(engine, index))
            engine_put(engine, engine->u_old, index, engine_value(engine, engine->u, index));
    return engine;
}

#endif
