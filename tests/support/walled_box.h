/** A box of air with one material on each of its six faces, in both layouts: the room of the tests that hold
 * the scheme against closed forms. Its nodes are 0 .. nodes - 1 along each axis, the walls half a spacing
 * before and after them. */
#ifndef TESTS_WALLED_BOX_H
#define TESTS_WALLED_BOX_H

#include "tests/support/link_grids.h"
#include "tests/support/test_support.h"

struct walled_box {
    int64_t nodes[3];
    uint16_t face[DIRECTIONS]; /* material of the wall in that direction */
    struct box_grid box;
    struct block_grid blocks;
};

/** Six rigid faces. */
static const uint16_t walled_box_rigid[DIRECTIONS] = {VOXELS_NO_MATERIAL, VOXELS_NO_MATERIAL,
                                                      VOXELS_NO_MATERIAL, VOXELS_NO_MATERIAL,
                                                      VOXELS_NO_MATERIAL, VOXELS_NO_MATERIAL};

static inline void walled_box_wall_at(void *context, const int64_t node[3], enum direction direction,
                                      uint16_t *material, uint16_t *cosine)
{
    const struct walled_box *room = context;
    (void)node; /* only faces of the box have cut links */
    *material = room->face[direction];
    *cosine = VOXELS_COSINE_ONE;
}

/** On the heap, because engines keep pointers to the grids. */
static inline struct walled_box *walled_box_make(const int64_t nodes[3], const uint16_t face[DIRECTIONS])
{
    const int64_t low[3] = {0, 0, 0};
    const size_t count = (size_t)nodes[0] * (size_t)nodes[1] * (size_t)nodes[2];
    struct walled_box *room = calloc(1, sizeof *room);
    uint8_t *links = malloc(count);
    cr_assert(room != NULL && links != NULL);
    memset(links, 63, count);
    memcpy(room->nodes, nodes, sizeof room->nodes);
    memcpy(room->face, face, sizeof room->face);
    link_grids(low, nodes, links, walled_box_wall_at, room, &room->blocks, &room->box);
    free(links);
    return room;
}

/** For the scheme of a step. */
static inline struct walled_box *walled_box_for(const int64_t nodes[3], const uint16_t face[DIRECTIONS],
                                                const struct time_step *step)
{
    struct walled_box *room = walled_box_make(nodes, face);
    link_grids_widen(&room->blocks, &room->box, step);
    return room;
}

static inline void walled_box_free(struct walled_box *room)
{
    block_grid_free(&room->blocks);
    box_grid_free(&room->box);
    free(room);
}

static inline struct engine *walled_box_engine(const struct walled_box *room, const struct time_step *step,
                                               const double *admittance, size_t materials,
                                               const struct engine_options *options)
{
    return engine_of(&room->blocks, &room->box, step, admittance, materials, NULL, options);
}

/** A source or receiver on one node. */
static inline struct stencil walled_box_stencil(const int64_t node[3])
{
    struct stencil stencil = {.count = 1, .weight = {1.0}, .used = INTERPOLATION_CUBIC};
    memcpy(stencil.node[0], node, sizeof stencil.node[0]);
    return stencil;
}

#endif
