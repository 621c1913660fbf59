/* A step of any scheme of offsets and weights, for one `real`, eight lanes at once.
 *
 * A block and the nodes around it that its offsets reach are copied into a tile, rows of 16 values. A plane
 * of 8 x 8 sums stays in registers while the offsets pass by, each a shift of the plane within the tile.
 * Nodes that are not free keep their u_old there and are stepped after that, from the same tile, one at a
 * time.
 *
 * Before inclusion: real, whole (an integer of its size), fused, NAMED(x); FUSE_LANES(a, b, c) for c = fma(a,
 * b, c) of vectors where that is better than one lane at a time. */
typedef real NAMED(vec) __attribute__((vector_size(8 * sizeof(real)), aligned(sizeof(real)), may_alias));
typedef whole NAMED(mask) __attribute__((vector_size(8 * sizeof(real)), aligned(sizeof(real)), may_alias));
#define vec  NAMED(vec)
#define mask NAMED(mask)

#ifndef FUSE_LANES
static inline void NAMED(fuse)(const vec *a, const vec *b, vec *c)
{
    for (int lane = 0; lane < 8; ++lane)
        (*c)[lane] = fused((*a)[lane], (*b)[lane], (*c)[lane]);
}
#define FUSE_LANES(a, b, c) NAMED(fuse)(&(a), &(b), &(c))
#endif

static void NAMED(bring)(const struct peer_room *room, const real *u, uint64_t id, real *tile)
{
    const int reach = room->reach, rows = BLOCK_EDGE + 2 * reach;
    for (int z = -reach; z < BLOCK_EDGE + reach; ++z)
        for (int y = -reach; y < BLOCK_EDGE + reach; ++y) {
            const int beyond_y = y < 0            ? 0
                                 : y < BLOCK_EDGE ? 1
                                                  : 2,
                      beyond_z = z < 0            ? 0
                                 : z < BLOCK_EDGE ? 1
                                                  : 2;
            const int axes = (beyond_y != 1) + (beyond_z != 1);
            if (axes > room->axes)
                continue;
            const block_id *const beside = room->round[id] + 3 * beyond_y + 9 * beyond_z;
            const size_t at = (size_t)(y & 7) << 3 | (size_t)(z & 7) << 6;
            real *const row = tile + PEER_ROW * ((z + reach) * rows + y + reach);
            memcpy(row + PEER_LEFT, u + (size_t)beside[1] * BLOCK_NODES + at, 8 * sizeof *row);
            if (axes == room->axes)
                continue;
            memcpy(row, u + (size_t)beside[0] * BLOCK_NODES + at + 4, 4 * sizeof *row);
            memcpy(row + PEER_LEFT + 8, u + (size_t)beside[2] * BLOCK_NODES + at, 4 * sizeof *row);
        }
}

static inline void NAMED(plane)(const struct peer_room *room, const real *plane, unsigned z, uint64_t free,
                                real *u_old)
{
    vec sum[8] = {{0}};
    for (int o = 0; o < room->offsets; ++o) {
        const vec weight = (real)room->offset[o].weight - (vec){0};
        const real *const even = plane + room->shift[z & 1][o], *const odd = plane + room->shift[~z & 1][o];
#pragma GCC unroll 8
        for (int y = 0; y < 8; ++y) {
            const vec there = *(const vec *)((y & 1 ? odd : even) + PEER_ROW * y);
            const vec difference = there - *(const vec *)(plane + PEER_ROW * y);
            FUSE_LANES(weight, difference, sum[y]);
        }
    }
    const vec gain = (real)(room->lambda2 / room->scheme->parts) - (vec){0};
#pragma GCC unroll 8
    for (int y = 0; y < 8; ++y) {
        const vec u = *(const vec *)(plane + PEER_ROW * y);
        vec *const old = (vec *)(u_old + 8 * y);
        vec v = u - *old;
        FUSE_LANES(gain, sum[y], v);
        const vec next = u + v;
        const whole row = (whole)(free >> 8 * y & 0xFF);
        const mask keep = (((mask){1, 2, 4, 8, 16, 32, 64, 128} & row) == 0);
        *old = (vec)(((mask)next & ~keep) | ((mask)*old & keep));
    }
}

static void NAMED(others)(const struct peer_room *room, const real *tile, uint64_t id, real *u_old)
{
    const int reach = room->reach, rows = BLOCK_EDGE + 2 * reach, offsets = room->offsets;
    const real air = (real)(room->lambda2 / room->scheme->parts);
    real weight[PEER_OFFSETS_MOST];
    for (int o = 0; o < offsets; ++o)
        weight[o] = (real)room->offset[o].weight;
    for (uint64_t r = room->first[id]; r < room->first[id + 1]; ++r) {
        const int at = room->slot[r];
        const real *const u =
            tile + PEER_LEFT + (at & 7) + PEER_ROW * (((at >> 6) + reach) * rows + (at >> 3 & 7) + reach);
        const int16_t *const target = room->target + r * (uint64_t)offsets;
        real sum = 0;
        if (room->weight == NULL)
            for (int o = 0; o < offsets; ++o)
                sum = fused(weight[o], u[target[o]] - *u, sum);
        else
            for (int o = 0; o < offsets; ++o)
                sum = fused((real)room->weight[r * (uint64_t)offsets + (uint64_t)o], u[target[o]] - *u, sum);
        const real gain = room->gain == NULL ? air : (real)room->gain[r];
        u_old[at] = *u + fused(gain, sum, *u - u_old[at]);
    }
}

static void NAMED(step)(const struct peer_room *room, const void *u, void *u_old, uint64_t first,
                        uint64_t last)
{
    const int reach = room->reach, rows = BLOCK_EDGE + 2 * reach;
    real tile[PEER_TILE] __attribute__((aligned(64)));
    for (uint64_t id = first; id < last; ++id) {
        real *const old = (real *)u_old + id * BLOCK_NODES;
        NAMED(bring)(room, u, id, tile);
        for (unsigned z = 0; z < BLOCK_EDGE; ++z)
            if (room->free[id][z] != 0)
                NAMED(plane)
        (room, tile + PEER_LEFT + PEER_ROW * (((int)z + reach) * rows + reach), z, room->free[id][z],
         old + 64 * z);
        NAMED(others)(room, tile, id, old);
    }
}
#undef vec
#undef mask
#undef FUSE_LANES
