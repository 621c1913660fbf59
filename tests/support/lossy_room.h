/** Rooms for the tests of kernels/: link bytes drawn at random (or a plain box) with walls that absorb, and
 * both layouts made from them. The bytes stay beside the grids, so that a test can take its links from here
 * and not from what it tests. */
#ifndef TESTS_LOSSY_ROOM_H
#define TESTS_LOSSY_ROOM_H

#include "tests/support/link_grids.h"
#include "tests/support/outcome.h"

#define ROOM_MATERIALS 4
/** Specific admittances of the materials, from rigid to more than air's own. */
static const double room_admittance[ROOM_MATERIALS] = {0.0, 0.03, 0.5, 2.5};

struct lossy_room {
    int64_t low[3], nodes[3]; /* lattice node of link[0]; extent of the array */
    uint8_t *link;            /* (nodes z,y,x), x fastest */
    uint64_t seed;
    bool axis_walls; /* walls across axis d carry material d + 1 and cosine 1; otherwise both are drawn */
    struct box_grid box;
    struct block_grid blocks;
};

static inline size_t room_index(const struct lossy_room *room, int64_t x, int64_t y, int64_t z)
{
    return (size_t)((z * room->nodes[1] + y) * room->nodes[0] + x);
}

/** Lattice node of array place n. */
static inline void room_node(const struct lossy_room *room, size_t n, int64_t node[3])
{
    node[0] = room->low[0] + (int64_t)n % room->nodes[0];
    node[1] = room->low[1] + (int64_t)n / room->nodes[0] % room->nodes[1];
    node[2] = room->low[2] + (int64_t)n / room->nodes[0] / room->nodes[1];
}

static inline size_t room_size(const struct lossy_room *room)
{
    return (size_t)(room->nodes[0] * room->nodes[1] * room->nodes[2]);
}

static inline size_t room_stride(const struct lossy_room *room, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? (size_t)room->nodes[0] : (size_t)(room->nodes[0] * room->nodes[1]);
}

/** The wall at a cut link, the same whenever it is asked. */
static inline void room_wall_at(void *context, const int64_t node[3], enum direction direction,
                                uint16_t *material, uint16_t *cosine)
{
    const struct lossy_room *room = context;
    if (room->axis_walls) {
        *material = (uint16_t)(1 + direction / 2);
        *cosine = VOXELS_COSINE_ONE;
        return;
    }
    uint64_t state = room->seed ^ (uint64_t)node[0] * 73856093u ^ (uint64_t)node[1] * 19349663u ^
                     (uint64_t)node[2] * 83492791u ^ (uint64_t)direction * 40503u;
    const uint64_t drawn = test_random(&state);
    const unsigned which = (unsigned)(drawn % 8);
    *material = which == 6   ? VOXELS_OPEN_FACE
                : which == 7 ? (uint16_t)VOXELS_NO_MATERIAL
                             : (uint16_t)(which % ROOM_MATERIALS);
    *cosine = (uint16_t)(1 + (drawn >> 8) % VOXELS_COSINE_ONE);
}

/** sum(weight g) of a node from its cut links: 2 kappa / lambda. */
static inline double room_wall_sum(const struct lossy_room *room, size_t n)
{
    double sum = 0.0;
    int64_t node[3];
    room_node(room, n, node);
    for (int d = 0; d < DIRECTIONS; ++d) {
        uint16_t material, cosine;
        if (room->link[n] == 0 || (room->link[n] >> d & 1))
            continue;
        room_wall_at((void *)(uintptr_t)room, node, (enum direction)d, &material, &cosine);
        const double g = material == VOXELS_OPEN_FACE     ? 1.0
                         : material == VOXELS_NO_MATERIAL ? 0.0
                                                          : room_admittance[material];
        sum += g * cosine / VOXELS_COSINE_ONE;
    }
    return sum;
}

static inline void room_finish(struct lossy_room *room)
{
    link_grids(room->low, room->nodes, room->link, room_wall_at, room, &room->blocks, &room->box);
}

static inline struct lossy_room *room_blank(int64_t x, int64_t y, int64_t z, const int64_t low[3])
{
    struct lossy_room *room = calloc(1, sizeof *room);
    cr_assert(room != NULL);
    *room = (struct lossy_room){.low = {low[0], low[1], low[2]}, .nodes = {x, y, z}};
    room->link = calloc(room_size(room), 1);
    cr_assert(room->link != NULL);
    return room;
}

/** Join all pairs of neighbours that are both air, but for a share `cut` of them. */
static inline void room_join(struct lossy_room *room, const uint8_t *air, double cut, uint64_t *random)
{
    const size_t size = room_size(room);
    for (size_t n = 0; n < size; ++n)
        for (int axis = 0; axis < 3; ++axis) {
            int64_t node[3];
            room_node(room, n, node);
            const size_t next = n + room_stride(room, axis);
            if (node[axis] + 1 < room->low[axis] + room->nodes[axis] && air[n] && air[next] &&
                test_uniform(random, 0.0, 1.0) >= cut) {
                room->link[n] |= (uint8_t)(1u << (2 * axis + 1));
                room->link[next] |= (uint8_t)(1u << (2 * axis));
            }
        }
}

/** A plain box of air; walls across axis d carry material d + 1. */
static inline struct lossy_room *room_box(int64_t x, int64_t y, int64_t z, const int64_t low[3])
{
    struct lossy_room *room = room_blank(x, y, z, low);
    memset(room->link, BLOCK_LINKS_ALL, room_size(room));
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        room_node(room, n, node);
        for (int axis = 0; axis < 3; ++axis) {
            if (node[axis] == low[axis])
                room->link[n] &= (uint8_t) ~(1u << (2 * axis));
            if (node[axis] == low[axis] + room->nodes[axis] - 1)
                room->link[n] &= (uint8_t) ~(2u << (2 * axis));
        }
    }
    room->axis_walls = true;
    room_finish(room);
    return room;
}

/** Ragged air: a share of nodes is solid and a share of links is cut, except in a clear corner of `clear`
 * nodes along each axis, which holds whole blocks of open air when it is 20 or more. */
static inline struct lossy_room *room_ragged(uint64_t seed, int64_t x, int64_t y, int64_t z, double solid,
                                             double cut, int64_t clear)
{
    const int64_t low[3] = {3, 8, 5};
    struct lossy_room *room = room_blank(x, y, z, low);
    uint8_t *air = malloc(room_size(room)), *corner = malloc(room_size(room));
    uint64_t random = seed;
    cr_assert(air != NULL);
    cr_assert(corner != NULL);
    room->seed = seed;
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        room_node(room, n, node);
        corner[n] = node[0] - low[0] < clear && node[1] - low[1] < clear && node[2] - low[2] < clear;
        air[n] = corner[n] || test_uniform(&random, 0.0, 1.0) >= solid;
    }
    room_join(room, air, cut, &random);
    room_join(room, corner, 0.0, &random);
    free(air);
    free(corner);
    room_finish(room);
    return room;
}

static inline void room_free(struct lossy_room *room)
{
    block_grid_free(&room->blocks);
    box_grid_free(&room->box);
    free(room->link);
    free(room);
}

/** The same room for the isotropic scheme with that Courant number (0: its default). */
static inline struct lossy_room *room_widened(const struct lossy_room *room, double courant)
{
    const struct time_step step = time_step_for(SCHEME_ISOTROPIC, 1.0, 340.0, courant);
    struct lossy_room *wide = room_blank(room->nodes[0], room->nodes[1], room->nodes[2], room->low);
    memcpy(wide->link, room->link, room_size(room));
    wide->seed = room->seed;
    wide->axis_walls = room->axis_walls;
    room_finish(wide);
    link_grids_widen(&wide->blocks, &wide->box, &step);
    return wide;
}

/** For either scheme, with exact_courant(), instead of a room of the standard one. */
static inline struct lossy_room *room_for(enum scheme scheme, struct lossy_room *room)
{
    if (scheme != SCHEME_ISOTROPIC)
        return room;
    struct lossy_room *wide = room_widened(room, exact_courant(scheme));
    room_free(room);
    return wide;
}

/** The next place of air from n on. False after the last:
 *
 *     for (size_t n = 0; room_air(room, &n, node); ++n) */
static inline bool room_air(const struct lossy_room *room, size_t *n, int64_t node[3])
{
    while (*n < room_size(room) && room->link[*n] == 0)
        ++*n;
    room_node(room, *n, node);
    return *n < room_size(room);
}

/** Every wall is of material 0, which is rigid, open faces too. */
static inline void room_harden(struct lossy_room *room)
{
    for (uint64_t w = 0; w < room->blocks.walls; ++w)
        room->blocks.wall[w].material = 0;
    for (uint64_t w = 0; w < room->box.walls; ++w)
        room->box.wall[w].material = 0;
}

/** Of the room's scheme. */
static inline struct time_step room_step(const struct lossy_room *room, double courant)
{
    return time_step_for(room->blocks.isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD, 1.0, 340.0, courant);
}

/** An engine on a spacing of 1 m with the materials above, and with others. */
static inline struct engine *room_engine(const struct lossy_room *room, double courant,
                                         const struct engine_options *options)
{
    const struct time_step step = room_step(room, courant);
    return engine_of(&room->blocks, &room->box, &step, room_admittance, ROOM_MATERIALS, NULL, options);
}
static inline struct engine *room_engine_of(const struct lossy_room *room, double courant,
                                            const struct wall_materials *walls,
                                            const struct engine_options *options)
{
    const struct time_step step = room_step(room, courant);
    return engine_of(&room->blocks, &room->box, &step, NULL, 0, walls, options);
}

/** A stencil about a place of air: off it by so much along each axis. */
static inline struct stencil room_stencil(const struct lossy_room *room, const int64_t node[3], double x,
                                          double y, double z)
{
    const double position[3] = {(double)node[0] + x, (double)node[1] + y, (double)node[2] + z};
    struct stencil stencil;
    MUST(stencil_make(&room->blocks, position, node, INTERPOLATION_CUBIC, &stencil, &failure));
    return stencil;
}

/** Both levels at random in [-1,1), the same for every engine of a room and a seed. */
static inline void room_excite(const struct lossy_room *room, struct engine *engine, uint64_t seed)
{
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        const double now = test_uniform(&seed, -1.0, 1.0), old = test_uniform(&seed, -1.0, 1.0);
        room_node(room, n, node);
        if (room->link[n] == 0)
            continue;
        engine_set(engine, 0, node, now);
        engine_set(engine, 1, node, old);
    }
}

#endif
