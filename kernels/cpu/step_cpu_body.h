/* The CPU step, written once over a vector type; included by step_portable.c, step_avx2.c and step_avx512.c
 * for each precision, so no include guard. The including file defines these macros; this file undefines the
 * first two lines at its end:
 *
 *   REAL, SUFFIX      element type; f32 or f64 (names of the functions of scheme.h)
 *   VEC, WIDTH        vector type and its elements: 4, 8 or 16
 *   VARIANT           portable, avx2 or avx512
 *   VEC_LOAD(p) VEC_STORE(p,a) VEC_SET(x) VEC_SUB(a,b) VEC_ADD(a,b) VEC_FMA(a,b,c)       any alignment
 *   VEC_MUL(a,b)
 *   VEC_FIRST(p,n) VEC_STORE_FIRST(p,a,n)     of n < WIDTH values; what lies past them is not touched
 *   VEC_LINKS, VEC_LINKS_LOAD(p)      link bytes of WIDTH nodes
 *   VEC_DIFFERENCE(links,d,a,b)       a - b where bit d is set, +0 elsewhere
 *   VEC_SELECT(bits,a,b)              lanes of a where the bit of a uint64_t is set, of b elsewhere
 *   EIGHT_BYTES(p,to)                 8 bytes at p as 8 REALs at to
 *   VEC_BYTES(p) VEC_SHORTS(p) VEC_FLOATS(p)  WIDTH values of uint8_t, int16_t or float
 *   VEC_GATHER(p,at)                  p[at[0]] .. p[at[WIDTH - 1]], `at` of uint16_t
 *   VEC_X_BEFORE(before,own)          the row(s) moved by one node: each row's first value is the last of
 * `before` VEC_X_AFTER(own,after)            each row's last value is the first of `after`
 *   VEC_ROW_BEFORE(before,own,v)      the same of the vector v, which is at `own` between others of an array,
 * VEC_ROW_AFTER(v,own,after)        `before` and `after` being rows of eight
 *   VEC_LOAD_HALVES(p,half)           WIDTH 16: eight at p and eight at p + half; else as VEC_LOAD
 *   VEC_Y_BEFORE(before,own)          WIDTH 16 only: the second row of `before`, then the first of `own`
 *   VEC_Y_AFTER(own,after)            WIDTH 16 only: the second row of `own`, then the first of `after`
 *
 *   STEP_LAYER                        WIDTH up to 8: step the layer behind open faces, too
 *
 * A block is walked slot by slot. A row is 8 nodes: WIDTH 16 holds two rows, WIDTH 4 half of one.
 *
 * Walls: where a block (or a stretch of the box) has wall nodes, the sweep keeps v and d + v of scheme.h in a
 * small buffer, and the wall nodes are then written again from it: u + fma(-q, d + v, v). Nothing is computed
 * twice and no neighbour is read twice.
 */

#define PASTE_(a, b, c) a##_##b##_##c
#define PASTE(a, b, c)  PASTE_(a, b, c)
#define NAME(name)      PASTE(name, VARIANT, SUFFIX)
#define SCHEME_(a, b)   a##_##b
#define SCHEME__(a, b)  SCHEME_(a, b)
#define SCHEME(name)    SCHEME__(name, SUFFIX)
#define ALWAYS_INLINE   static inline __attribute__((always_inline))

/* Nodes of a row that one vector holds, and how far away the vector with the neighbouring row is. */
#define ROW_PART (WIDTH < 8 ? WIDTH : 8)
#define Y_STRIDE (WIDTH > 8 ? WIDTH : 8)

/* Prefetch distance of the box in the plane that no row has read yet: 1 KiB. */
#define FETCH_AHEAD (1024 / sizeof(REAL))

/* Space for three planes of a tile of the box in the second-level cache, which has 1 or 2 MiB. */
#define TILE_BYTES (UINT64_C(512) * 1024)

/* Nodes of a plane of a block, and of a part of a stretch of the box: their kept values stay in the
 * first-level cache. */
#define PART STEP_PART

/* Rows of a plane of a block that one vector holds, and nodes of rows that are taken side by side. */
#define ROWS  (WIDTH > 8 ? WIDTH / 8 : 1)
#define LANES (8 * ROWS)

/* The isotropic scheme: the values of a group of step_plan.h. */
struct NAME(group) {
    float gain[LANES];
    int16_t face[DIRECTIONS][LANES];
    uint8_t edge[EDGES][LANES];
};
_Static_assert(sizeof(struct NAME(group)) == STEP_GROUP_BYTES(LANES), "as step_plan.c fills it");

/* v and d + v of one block, or of one stretch of the box. With conformal walls the sweep keeps d and the six
 * differences of one part of that instead, and the pass over cut nodes makes v and d + v of theirs. */
struct NAME(kept) {
    _Alignas(64) REAL v[BLOCK_NODES];
    _Alignas(64) REAL dv[BLOCK_NODES];
    _Alignas(64) REAL d[PART];
    _Alignas(64) REAL difference[DIRECTIONS][PART];
};

#ifndef STEP_KEEPS
#define STEP_KEEPS
/* The values that a sweep keeps, and the kind of room it is for. */
enum step_keeps { KEEP_NOTHING, KEEP_WALLS, KEEP_CUTS };
enum step_walks { WALK_STAIRS, WALK_CUTS, WALK_ISOTROPIC };

/* The nodes of 64 that have links, from their link bytes. */
ALWAYS_INLINE uint64_t step_air_bits(const uint8_t *links)
{
    uint64_t air = 0;
    for (unsigned n = 0; n < 64; n += 8) {
        uint64_t bytes;
        memcpy(&bytes, links + n, sizeof bytes);
        /* The top bit of each byte, then all eight side by side. */
        bytes = (bytes + UINT64_C(0x7F7F7F7F7F7F7F7F)) & UINT64_C(0x8080808080808080);
        air |= (bytes >> 7) * UINT64_C(0x0102040810204080) >> 56 << n;
    }
    return air;
}
#endif

/* One vector of nodes from its six neighbours. `links` matters only where `masked`; kept values go to place
 * `at`. Cuts are kept only where `masked`. */
ALWAYS_INLINE void NAME(update)(REAL *u_old, VEC own, VEC xm, VEC xp, VEC ym, VEC yp, VEC zm, VEC zp,
                                const uint8_t *links, VEC lambda2, const bool masked,
                                const enum step_keeps keeps, struct NAME(kept) * keep, unsigned at)
{
    VEC sum;
    if (masked) {
        const VEC_LINKS bits = VEC_LINKS_LOAD(links);
        const VEC x0 = VEC_DIFFERENCE(bits, 0, xm, own), x1 = VEC_DIFFERENCE(bits, 1, xp, own);
        const VEC y0 = VEC_DIFFERENCE(bits, 2, ym, own), y1 = VEC_DIFFERENCE(bits, 3, yp, own);
        const VEC z0 = VEC_DIFFERENCE(bits, 4, zm, own), z1 = VEC_DIFFERENCE(bits, 5, zp, own);
        sum = VEC_ADD(VEC_ADD(VEC_ADD(x0, x1), VEC_ADD(y0, y1)), VEC_ADD(z0, z1));
        if (keeps == KEEP_CUTS) {
            VEC_STORE(keep->difference[0] + at % PART, x0);
            VEC_STORE(keep->difference[1] + at % PART, x1);
            VEC_STORE(keep->difference[2] + at % PART, y0);
            VEC_STORE(keep->difference[3] + at % PART, y1);
            VEC_STORE(keep->difference[4] + at % PART, z0);
            VEC_STORE(keep->difference[5] + at % PART, z1);
        }
    } else {
        const VEC x = VEC_ADD(VEC_SUB(xm, own), VEC_SUB(xp, own));
        const VEC y = VEC_ADD(VEC_SUB(ym, own), VEC_SUB(yp, own));
        const VEC z = VEC_ADD(VEC_SUB(zm, own), VEC_SUB(zp, own));
        sum = VEC_ADD(VEC_ADD(x, y), z);
    }
    const VEC d = VEC_SUB(own, VEC_LOAD(u_old));
    const VEC v = VEC_FMA(lambda2, sum, d);
    VEC_STORE(u_old, VEC_ADD(own, v));
    if (keeps == KEEP_WALLS) {
        VEC_STORE(keep->v + at, v);
        VEC_STORE(keep->dv + at, VEC_ADD(d, v));
    } else if (keeps == KEEP_CUTS) {
        VEC_STORE(keep->d + at % PART, d);
    }
}

/* Prefetch plane z for the step of `block`. A block that no neighbour has read yet comes from memory, and the
 * hardware prefetcher cannot predict it. Nothing for block 0. */
ALWAYS_INLINE void NAME(fetch)(const REAL *u, const REAL *u_old, const struct block *block, uint64_t id,
                               int z)
{
    if (id == 0)
        return;
    const size_t line = 64 / sizeof(REAL);
    const REAL *own = u + id * BLOCK_NODES + 64 * z, *old = u_old + id * BLOCK_NODES + 64 * z;
    const REAL *xm = u + (size_t)block->neighbour[DIRECTION_XM] * BLOCK_NODES + 64 * z;
    const REAL *xp = u + (size_t)block->neighbour[DIRECTION_XP] * BLOCK_NODES + 64 * z;
    const REAL *ym = u + (size_t)block->neighbour[DIRECTION_YM] * BLOCK_NODES + 64 * z;
    const REAL *yp = u + (size_t)block->neighbour[DIRECTION_YP] * BLOCK_NODES + 64 * z;
    const REAL *zm = u + (size_t)block->neighbour[DIRECTION_ZM] * BLOCK_NODES + 64 * 7;
    const REAL *zp = u + (size_t)block->neighbour[DIRECTION_ZP] * BLOCK_NODES;
    for (size_t i = 0; i < 64; i += line) {
        __builtin_prefetch(own + i);
        __builtin_prefetch(old + i, 1);
        __builtin_prefetch(xm + i);
        __builtin_prefetch(xp + i);
    }
    __builtin_prefetch(ym + 56);
    __builtin_prefetch(yp);
    __builtin_prefetch(zm + 8 * z);
    __builtin_prefetch(zp + 8 * z);
}

/* Plane z of a block; `next` is the block that follows. Vectors at a face of the block load values beyond it
 * from the neighbour. The compiler knows these vectors once it has unrolled the loop. */
ALWAYS_INLINE void NAME(plane)(const REAL *restrict u, REAL *restrict u_old, const struct block *blocks,
                               uint64_t id, uint64_t next, int z, const uint8_t *links, VEC lambda2,
                               const bool masked, const enum step_keeps keeps, struct NAME(kept) * keep)
{
    const struct block *block = &blocks[id];
    const REAL *own = u + id * BLOCK_NODES + 64 * z;
    REAL *old = u_old + id * BLOCK_NODES + 64 * z;
    const REAL *xm = u + (size_t)block->neighbour[DIRECTION_XM] * BLOCK_NODES + 64 * z;
    const REAL *xp = u + (size_t)block->neighbour[DIRECTION_XP] * BLOCK_NODES + 64 * z;
    const REAL *ym = u + (size_t)block->neighbour[DIRECTION_YM] * BLOCK_NODES + 64 * z;
    const REAL *yp = u + (size_t)block->neighbour[DIRECTION_YP] * BLOCK_NODES + 64 * z;
    const REAL *zm = z > 0 ? own - 64 : u + (size_t)block->neighbour[DIRECTION_ZM] * BLOCK_NODES + 64 * 7;
    const REAL *zp = z < 7 ? own + 64 : u + (size_t)block->neighbour[DIRECTION_ZP] * BLOCK_NODES;
    NAME(fetch)(u, u_old, &blocks[next], next, z);
#pragma GCC unroll 16
    for (int i = 0; i < 64; i += WIDTH) {
        const VEC here = VEC_LOAD(own + i);
        const VEC x_before = VEC_LOAD(i % 8 == 0 ? xm + i + 8 - ROW_PART : own + i - ROW_PART);
        const VEC x_after = VEC_LOAD((i + ROW_PART) % 8 == 0 ? xp + i - 8 + ROW_PART : own + i + ROW_PART);
        const VEC y_before = VEC_LOAD(i < 8 ? ym + i + 64 - Y_STRIDE : own + i - Y_STRIDE);
        const VEC y_after = VEC_LOAD(i + Y_STRIDE >= 64 ? yp + i - 64 + Y_STRIDE : own + i + Y_STRIDE);
#if WIDTH == 16
        const VEC y_minus = VEC_Y_BEFORE(y_before, here), y_plus = VEC_Y_AFTER(here, y_after);
#else
        const VEC y_minus = y_before, y_plus = y_after;
#endif
        NAME(update)
        (old + i, here, VEC_X_BEFORE(x_before, here), VEC_X_AFTER(here, x_after), y_minus, y_plus,
         VEC_LOAD(zm + i), VEC_LOAD(zp + i), masked ? links + 64 * z + i : NULL, lambda2, masked, keeps, keep,
         (unsigned)(64 * z + i));
    }
}

ALWAYS_INLINE void NAME(block)(const REAL *restrict u, REAL *restrict u_old, const struct block *blocks,
                               uint64_t id, uint64_t next, const uint8_t *links, VEC lambda2,
                               const bool masked, const enum step_keeps keeps, struct NAME(kept) * keep)
{
    for (int z = 0; z < 8; ++z)
        NAME(plane)(u, u_old, blocks, id, next, z, links, lambda2, masked, keeps, keep);
}

/* ---- cut nodes ----------------------------------------------------------------------------------------- */

/* v, d + v and the new pressure, as if away from walls, of the cut node at a place of the kept values, where
 * u and u_old point too. */
ALWAYS_INLINE void NAME(cut_node)(const struct cut_cell *cut, float gain, unsigned place, const REAL *u,
                                  REAL *u_old, struct NAME(kept) * keep)
{
    const unsigned at = place % PART;
    REAL open[sizeof *cut];
    EIGHT_BYTES(cut, open);
    const REAL sum = SCHEME(scheme_sum)(open[0] * keep->difference[0][at], open[1] * keep->difference[1][at],
                                        open[2] * keep->difference[2][at], open[3] * keep->difference[3][at],
                                        open[4] * keep->difference[4][at], open[5] * keep->difference[5][at]);
    const REAL d = keep->d[at], v = SCHEME(scheme_move)(d, sum, (REAL)gain);
    keep->v[place] = v;
    keep->dv[place] = d + v;
    u_old[place] = u[place] + v;
}

/* The same once more, with the sum over its extra links. */
ALWAYS_INLINE void NAME(extra_move)(REAL extra, float gain, unsigned place, const REAL *u, REAL *u_old,
                                    struct NAME(kept) * keep)
{
    const REAL v = SCHEME(scheme_move)(keep->v[place], extra, (REAL)gain);
    keep->v[place] = v;
    keep->dv[place] = keep->d[place % PART] + v;
    u_old[place] = u[place] + v;
}

/* Numbers of the next wall entry, record, group of the plan and extra node. */
struct NAME(next) {
    uint64_t wall, record, group, extra;
};

/* The nodes of a plane of a block that have extra links; the weight of a link is `parts` times its
 * opening, less what crosses it. */
static void NAME(block_extras)(const struct block_grid *grid, uint64_t id, unsigned z, unsigned parts,
                               struct NAME(next) * next, const REAL *u, REAL *u_old, struct NAME(kept) * keep)
{
    const size_t first = (size_t)(id * BLOCK_NODES);
    for (; next->extra < grid->extra_nodes; ++next->extra) {
        const struct extra_node *node = &grid->extra_node[next->extra];
        const struct extra_link *link = &grid->extra_link[node->first];
        REAL sum = (REAL)0;
        if (node->block != id || node->slot >> 6 != z)
            return;
        for (unsigned n = 0; n < node->links; ++n) {
            const REAL more = SCHEME(scheme_weighted)((int)(parts * link[n].open) - link[n].crossed,
                                                      u[(size_t)link[n].block * BLOCK_NODES + link[n].slot],
                                                      u[first + node->slot]);
            sum = n > 0 ? sum + more : more;
        }
        NAME(extra_move)
        (sum, grid->gain[block_cut_record(grid, (block_id)id, node->slot)], node->slot, u + first,
         u_old + first, keep);
    }
}

/* The cut nodes of a plane of a block: bits of marks. */
static __attribute__((noinline)) void NAME(plane_cuts)(const struct block_grid *grid, uint64_t id, unsigned z,
                                                       uint64_t bits, struct NAME(next) * next, const REAL *u,
                                                       REAL *u_old, struct NAME(kept) * keep)
{
    const size_t first = (size_t)(id * BLOCK_NODES);
    for (uint64_t rest = bits; rest != 0; rest &= rest - 1, ++next->record)
        NAME(cut_node)
    (&grid->cut[next->record], grid->gain[next->record], 64 * z + (unsigned)__builtin_ctzll(rest), u + first,
     u_old + first, keep);
    NAME(block_extras)(grid, id, z, 1, next, u, u_old, keep);
}

/* One block of those with cut nodes. */
ALWAYS_INLINE void NAME(cut_block)(const struct block_grid *grid, const REAL *restrict u,
                                   REAL *restrict u_old, uint64_t id, uint64_t following, VEC lambda2,
                                   struct NAME(next) * next, struct NAME(kept) * keep)
{
    const uint32_t tile = grid->block[id].tile;
    const uint8_t *links = grid->tile[tile];
    next->record = grid->cut_first[id];
    for (int z = 0; z < 8; ++z) {
        const uint64_t bits = grid->marks[tile].cut[z];
        if (bits == 0) {
            NAME(plane)
            (u, u_old, grid->block, id, following, z, links, lambda2, true, KEEP_NOTHING, keep);
        } else {
            NAME(plane)(u, u_old, grid->block, id, following, z, links, lambda2, true, KEEP_CUTS, keep);
            NAME(plane_cuts)(grid, id, (unsigned)z, bits, next, u, u_old, keep);
        }
    }
}

/* The nodes under `stop` of a stretch of the box that have extra links, whose records are from `record` on.
 */
static void NAME(box_extras)(const struct box_grid *box, uint64_t index, uint64_t stop, unsigned parts,
                             uint64_t record, struct NAME(next) * next, const REAL *u, REAL *u_old,
                             struct NAME(kept) * keep)
{
    for (; next->extra < box->extra_nodes && box->extra_node[next->extra].node < stop; ++next->extra) {
        const struct box_extra_node *node = &box->extra_node[next->extra];
        const struct box_extra_link *link = &box->extra_link[node->first];
        REAL sum = (REAL)0;
        while (box->cut_node[record] < node->node)
            ++record;
        for (unsigned n = 0; n < node->links; ++n) {
            const REAL more = SCHEME(scheme_weighted)((int)(parts * link[n].open) - link[n].crossed,
                                                      u[link[n].node], u[node->node]);
            sum = n > 0 ? sum + more : more;
        }
        NAME(extra_move)
        (sum, box->gain[record], (unsigned)(node->node - index), u + index, u_old + index, keep);
    }
}

/* The cut nodes under `stop` of a stretch of the box that starts at `index`: those of its last part. */
static __attribute__((noinline)) void NAME(box_cuts)(const struct box_grid *box, uint64_t index,
                                                     uint64_t stop, struct NAME(next) * next, const REAL *u,
                                                     REAL *u_old, struct NAME(kept) * keep)
{
    const uint64_t first = next->record;
    for (; next->record < box->cuts && box->cut_node[next->record] < stop; ++next->record)
        NAME(cut_node)
    (&box->cut[next->record], box->gain[next->record], (unsigned)(box->cut_node[next->record] - index),
     u + index, u_old + index, keep);
    NAME(box_extras)(box, index, stop, 1, first, next, u, u_old, keep);
}

/* ---- frequency-dependent walls; the isotropic scheme ----------------------------------------------------
 */

#include "kernels/cpu/step_walls_body.h"

#include "kernels/cpu/step_isotropic_body.h"

/* ---- sweeps -------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void NAME(sweep_blocks)(const struct step_room *room, const void *u_level, void *u_old_level,
                                      uint64_t first, uint64_t last, const bool states,
                                      const enum step_walks walk)
{
    const struct block_grid *grid = room->blocks;
    const REAL *u = u_level, *wall_q = room->wall_q;
    REAL *u_old = u_old_level;
    const VEC lambda2 = VEC_SET((REAL)room->lambda2);
    const REAL sixth = (REAL)(room->lambda2 / 6);
    struct NAME(kept) keep;
    struct NAME(next) cuts = {.extra = walk != WALK_STAIRS ? block_extra_from(grid, first) : 0};
    for (uint64_t id = first; id < last; ++id) {
        const struct block *block = &grid->block[id];
        const uint64_t next = room->fetchless ? 0 : id + 1 < last ? id + 1 : id;
        if (block->tile == TILE_FULL && walk == WALK_ISOTROPIC) {
            NAME(isotropic_open)(grid, u, u_old, id, next, sixth);
            continue;
        }
        if (block->tile == TILE_FULL) {
            NAME(block)(u, u_old, grid->block, id, next, NULL, lambda2, false, KEEP_NOTHING, &keep);
            continue;
        }
        if (walk == WALK_ISOTROPIC) {
            NAME(isotropic_mixed)(room, u, u_old, id, next, sixth, &cuts, &keep);
        } else if (walk == WALK_CUTS)
            NAME(cut_block)(grid, u, u_old, id, next, lambda2, &cuts, &keep);
        else
            NAME(block)
        (u, u_old, grid->block, id, next, grid->tile[block->tile], lambda2, true, KEEP_WALLS, &keep);
        if (states) {
            NAME(block_walls)(room, id, u + id * BLOCK_NODES, u_old + id * BLOCK_NODES, &keep);
            continue;
        }
        for (uint64_t wall = grid->wall_first[id]; wall < grid->wall_first[id + 1]; ++wall) {
            const unsigned slot = grid->wall[wall].slot;
            if (slot & WALL_CONTINUES)
                continue;
            const uint64_t here = id * BLOCK_NODES + slot;
            u_old[here] = SCHEME(scheme_wall)(u[here], keep.v[slot], keep.dv[slot], wall_q[wall]);
        }
    }
}

/* The step over a layout: a sweep for every kind of room, each compiled by itself. */
#define SWEEP_APART(step, sweep, walk)                                                                       \
    static __attribute__((noinline)) void NAME(step)(const struct step_room *room, const void *u,            \
                                                     void *u_old, uint64_t first, uint64_t last)             \
    {                                                                                                        \
        if (room->walls != NULL)                                                                             \
            NAME(sweep)(room, u, u_old, first, last, true, walk);                                            \
        else                                                                                                 \
            NAME(sweep)(room, u, u_old, first, last, false, walk);                                           \
    }
#define STEP_LAYOUT(step, sweep)                                                                             \
    SWEEP_APART(step##_cuts, sweep, WALK_CUTS)                                                               \
    SWEEP_APART(step##_isotropic, sweep, WALK_ISOTROPIC)                                                     \
    static __attribute__((noinline)) void NAME(step##_states)(const struct step_room *room, const void *u,   \
                                                              void *u_old, uint64_t first, uint64_t last)    \
    {                                                                                                        \
        NAME(sweep)(room, u, u_old, first, last, true, WALK_STAIRS);                                         \
    }                                                                                                        \
    static void NAME(step)(const struct step_room *room, const void *u, void *u_old, uint64_t first,         \
                           uint64_t last)                                                                    \
    {                                                                                                        \
        if (room->blocks->isotropic)                                                                         \
            NAME(step##_isotropic)(room, u, u_old, first, last);                                             \
        else if (room->blocks->has_records)                                                                  \
            NAME(step##_cuts)(room, u, u_old, first, last);                                                  \
        else if (room->walls != NULL)                                                                        \
            NAME(step##_states)(room, u, u_old, first, last);                                                \
        else                                                                                                 \
            NAME(sweep)(room, u, u_old, first, last, false, WALK_STAIRS);                                    \
    }

STEP_LAYOUT(step_blocks, sweep_blocks)

/* Nodes index .. index+count-1 of the box, halo included: its links are 0 and its pressures stay 0. */
ALWAYS_INLINE void NAME(box_stretch)(const REAL *restrict u, REAL *restrict u_old, const uint8_t *links,
                                     uint64_t row, uint64_t plane, uint64_t index, unsigned count,
                                     REAL lambda2, const enum step_keeps keeps, struct NAME(kept) * keep)
{
    const VEC lambda2_all = VEC_SET(lambda2);
    unsigned i = 0;
    for (; i + WIDTH <= count; i += WIDTH) {
        const REAL *own = u + index + i;
        __builtin_prefetch(own + plane + FETCH_AHEAD);
        __builtin_prefetch(u_old + index + i + FETCH_AHEAD, 1);
        NAME(update)
        (u_old + index + i, VEC_LOAD(own), VEC_LOAD(own - 1), VEC_LOAD(own + 1), VEC_LOAD(own - row),
         VEC_LOAD(own + row), VEC_LOAD(own - plane), VEC_LOAD(own + plane), links + index + i, lambda2_all,
         true, keeps, keep, i);
    }
    for (; i < count; ++i) {
        const REAL *own = u + index + i;
        const unsigned bits = links[index + i];
        const REAL x[DIRECTIONS] = {
            bits & 1 ? own[-1] - *own : (REAL)0,         bits & 2 ? own[1] - *own : (REAL)0,
            bits & 4 ? *(own - row) - *own : (REAL)0,    bits & 8 ? own[row] - *own : (REAL)0,
            bits & 16 ? *(own - plane) - *own : (REAL)0, bits & 32 ? own[plane] - *own : (REAL)0};
        const REAL sum = SCHEME(scheme_sum)(x[0], x[1], x[2], x[3], x[4], x[5]);
        const REAL d = *own - u_old[index + i], v = SCHEME(scheme_move)(d, sum, lambda2);
        u_old[index + i] = *own + v;
        if (keeps == KEEP_WALLS) {
            keep->v[i] = v;
            keep->dv[i] = d + v;
        } else if (keeps == KEEP_CUTS) {
            keep->d[i % PART] = d;
            for (unsigned k = 0; k < DIRECTIONS; ++k)
                keep->difference[k][i % PART] = x[k];
        }
    }
}

/* The same nodes including cut ones, in parts. */
ALWAYS_INLINE void NAME(cut_stretch)(const struct box_grid *box, const REAL *restrict u, REAL *restrict u_old,
                                     uint64_t index, uint64_t stop, REAL lambda2, struct NAME(next) * next,
                                     struct NAME(kept) * keep)
{
    const uint64_t row = (uint64_t)box->nodes[0] + 2, plane = row * ((uint64_t)box->nodes[1] + 2);
    for (uint64_t from = index; from < stop; from += PART) {
        const uint64_t to = from + PART < stop ? from + PART : stop;
        if (next->record == box->cuts || box->cut_node[next->record] >= to) {
            NAME(box_stretch)
            (u, u_old, box->links, row, plane, from, (unsigned)(to - from), lambda2, KEEP_NOTHING, keep);
            continue;
        }
        NAME(box_stretch)
        (u, u_old, box->links, row, plane, from, (unsigned)(to - from), lambda2, KEEP_CUTS, keep);
        NAME(box_cuts)(box, index, to, next, u, u_old, keep);
    }
}

/* Nodes begin .. end-1 of the box, in stretches, each with its wall nodes. */
ALWAYS_INLINE void NAME(box_run)(const struct step_room *room, const REAL *u, REAL *u_old, uint64_t begin,
                                 uint64_t end, struct NAME(kept) * keep, const bool states,
                                 const enum step_walks walk)
{
    const struct box_grid *box = room->box;
    const REAL *wall_q = room->wall_q, lambda2 = (REAL)room->lambda2;
    const REAL sixth = (REAL)(room->lambda2 / 6);
    const uint64_t row = (uint64_t)box->nodes[0] + 2, plane = row * ((uint64_t)box->nodes[1] + 2);
    uint64_t index = begin;
    struct NAME(next) next = {.wall = step_box_wall_from(box, index)};
    if (walk != WALK_STAIRS) {
        next.record = walk == WALK_CUTS ? step_box_record_from(box, index) : 0;
        next.group = walk == WALK_ISOTROPIC ? step_plan_group_from(room->plan, index) : 0;
        next.extra = step_box_extra_from(box, index);
    }
    while (index < end) {
        /* Stretches end at multiples of their length, so that all but the first start aligned. */
        const uint64_t stop =
            (index / BLOCK_NODES + 1) * BLOCK_NODES < end ? (index / BLOCK_NODES + 1) * BLOCK_NODES : end;
        const bool has_wall =
            next.wall < box->walls && (box->wall[next.wall].node & ~BOX_WALL_CONTINUES) < stop;
        if (walk == WALK_ISOTROPIC)
            NAME(isotropic_stretch)(room, u, u_old, index, stop, sixth, &next, keep);
        else if (walk == WALK_CUTS)
            NAME(cut_stretch)(box, u, u_old, index, stop, lambda2, &next, keep);
        else if (has_wall)
            NAME(box_stretch)
        (u, u_old, box->links, row, plane, index, (unsigned)(stop - index), lambda2, KEEP_WALLS, keep);
        else NAME(box_stretch)(u, u_old, box->links, row, plane, index, (unsigned)(stop - index), lambda2,
                               KEEP_NOTHING, keep);
        if (has_wall) {
            if (states)
                next.wall = NAME(box_walls)(room, next.wall, index, stop, u + index, u_old + index, keep);
            for (; !states && next.wall < box->walls &&
                   (box->wall[next.wall].node & ~BOX_WALL_CONTINUES) < stop;
                 ++next.wall) {
                const uint64_t here = box->wall[next.wall].node;
                if (here & BOX_WALL_CONTINUES)
                    continue;
                u_old[here] = SCHEME(scheme_wall)(u[here], keep->v[here - index], keep->dv[here - index],
                                                  wall_q[next.wall]);
            }
        }
        index = stop;
    }
}

/* The box is stepped in tiles of rows, each from the lowest plane to the highest: a node of u is read in
 * three planes, and the second and third time it must still be in the cache of this core. */
ALWAYS_INLINE void NAME(sweep_box)(const struct step_room *room, const void *u, void *u_old, uint64_t first,
                                   uint64_t last, const bool states, const enum step_walks walk)
{
    const uint64_t row = (uint64_t)room->box->nodes[0] + 2, rows = (uint64_t)room->box->nodes[1] + 2;
    const uint64_t fit = TILE_BYTES / (3 * row * sizeof(REAL));
    const uint64_t tiles = fit > 0 ? (rows + fit - 1) / fit : rows, deep = (rows + tiles - 1) / tiles;
    struct NAME(kept) keep;
    for (uint64_t y = 0; y < rows; y += deep)
        for (uint64_t z = first / rows; z * rows < last; ++z) {
            const uint64_t from = z * rows + y, to = z * rows + (y + deep < rows ? y + deep : rows);
            const uint64_t begin = from > first ? from : first, end = to < last ? to : last;
            if (begin < end)
                NAME(box_run)
            (room, u, u_old, step_unit_index(room, begin), step_unit_index(room, end), &keep, states, walk);
        }
}

STEP_LAYOUT(step_box, sweep_box)

#ifdef STEP_LAYER
#include "kernels/cpu/step_layer_body.h"
#endif

#undef SWEEP_APART
#undef STEP_LAYOUT
#undef PART
#undef LANES
#undef ROWS
#undef TILE_BYTES
#undef FETCH_AHEAD
#undef Y_STRIDE
#undef ROW_PART
#undef ALWAYS_INLINE
#undef SCHEME
#undef SCHEME__
#undef SCHEME_
#undef NAME
#undef PASTE
#undef PASTE_
#undef WIDTH
#undef VEC
#undef SUFFIX
#undef REAL
