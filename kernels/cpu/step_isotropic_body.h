/* The part of step_cpu_body.h for the isotropic scheme, included there for each vector type; no include guard
 * for that reason.
 *
 * A block is stepped plane by plane in two stages, which keep what they share in the first level cache:
 *
 *   flat(z)     P(z), and of planes of the block itself Q = fma(2, P, D), from rows and their neighbours in
 * the plane update(z)   fma(6, Z, Q + (P(z-1) + P(z+1))) and the new pressures, once P(z+1) is there
 *
 * so each P is computed once and every row of u is shifted once for all that use it. In a block with records
 * only whole nodes are written by that: neither nodes that are not air nor cut nodes, whose old pressures the
 * pass over records still needs. It works on a copy of the block and of what lies around it.
 */

/* Rows of a plane that one vector holds. */
#define ROWS (WIDTH > 8 ? WIDTH / 8 : 1)

#if WIDTH == 16
#define Y_MINUS(before, own) VEC_Y_BEFORE(before, own)
#define Y_PLUS(own, after)   VEC_Y_AFTER(own, after)
#else
#define Y_MINUS(before, own) (before)
#define Y_PLUS(own, after)   (after)
#endif

/* The nodes at the same height in a block and around it: its own, and those across its faces and edges. */
struct NAME(around) {
    const REAL *own, *xm, *xp, *ym, *yp, *mm, *pm, *mp, *pp;
};

/* Plane z = -1 .. 8. What is across edges matters only of 0 .. 7. */
ALWAYS_INLINE struct NAME(around)
    NAME(around)(const struct block_grid *grid, const REAL *u, uint64_t id, int z)
{
    const block_id *face = grid->block[id].neighbour, *edge = grid->edge[id];
    const int level = z < 0 ? 4 : 6; /* edges 4 5 8 9 below, 6 7 10 11 above */
    const REAL *const plane = u + 64 * (z & 7);
    if (z >= 0 && z < BLOCK_EDGE)
        return (struct NAME(around)){plane + id * BLOCK_NODES,
                                     plane + (size_t)face[DIRECTION_XM] * BLOCK_NODES,
                                     plane + (size_t)face[DIRECTION_XP] * BLOCK_NODES,
                                     plane + (size_t)face[DIRECTION_YM] * BLOCK_NODES,
                                     plane + (size_t)face[DIRECTION_YP] * BLOCK_NODES,
                                     plane + (size_t)edge[0] * BLOCK_NODES,
                                     plane + (size_t)edge[1] * BLOCK_NODES,
                                     plane + (size_t)edge[2] * BLOCK_NODES,
                                     plane + (size_t)edge[3] * BLOCK_NODES};
    return (struct NAME(around)){plane + (size_t)face[z < 0 ? DIRECTION_ZM : DIRECTION_ZP] * BLOCK_NODES,
                                 plane + (size_t)edge[level] * BLOCK_NODES,
                                 plane + (size_t)edge[level + 1] * BLOCK_NODES,
                                 plane + (size_t)edge[level + 4] * BLOCK_NODES,
                                 plane + (size_t)edge[level + 5] * BLOCK_NODES,
                                 plane,
                                 plane,
                                 plane,
                                 plane};
}

/* A vector of nodes and the same moved by one node along x. */
struct NAME(row) {
    VEC own, minus, plus;
};

/* Row y of a plane, -ROWS .. 8, from `part` on. */
ALWAYS_INLINE struct NAME(row)
    NAME(row)(const struct NAME(around) * around, int y, int part, const bool shifted)
{
    const REAL *own = y < 0 ? around->ym + 64 : y < 8 ? around->own : around->yp - 64;
    const REAL *before = y < 0 ? around->mm + 64 : y < 8 ? around->xm : around->mp - 64;
    const REAL *after = y < 0 ? around->pm + 64 : y < 8 ? around->xp : around->pp - 64;
    const int at = 8 * y + part;
    struct NAME(row) row = {.own = VEC_LOAD(own + at)};
    row.minus = row.plus = row.own;
    if (shifted) {
        row.minus =
            VEC_X_BEFORE(VEC_LOAD(part == 0 ? before + at + 8 - ROW_PART : own + at - ROW_PART), row.own);
        row.plus = VEC_X_AFTER(
            row.own, VEC_LOAD(part + ROW_PART == 8 ? after + at - 8 + ROW_PART : own + at + ROW_PART));
    }
    return row;
}

ALWAYS_INLINE VEC NAME(plane_sum)(VEC a0, VEC a1, VEC b0, VEC b1, VEC own)
{
    return VEC_ADD(VEC_ADD(VEC_SUB(a0, own), VEC_SUB(a1, own)), VEC_ADD(VEC_SUB(b0, own), VEC_SUB(b1, own)));
}

/* P of a plane and, inside of the block, Q. */
ALWAYS_INLINE void NAME(flat)(const struct NAME(around) * around, REAL *p, REAL *q, const bool inside)
{
    const VEC two = VEC_SET((REAL)2);
#pragma GCC unroll 2
    for (int part = 0; part < 8; part += ROW_PART) {
        struct NAME(row) below = NAME(row)(around, -ROWS, part, inside),
                         own = NAME(row)(around, 0, part, true);
#pragma GCC unroll 8
        for (int y = 0; y < 8; y += ROWS) {
            const struct NAME(row) above = NAME(row)(around, y + ROWS, part, inside || y + ROWS < 8);
            const VEC here = own.own;
            const VEC sum =
                NAME(plane_sum)(own.minus, own.plus, Y_MINUS(below.own, here), Y_PLUS(here, above.own), here);
            VEC_STORE(p + 8 * y + part, sum);
            if (inside) {
                const VEC edges =
                    NAME(plane_sum)(Y_MINUS(below.minus, own.minus), Y_PLUS(own.plus, above.plus),
                                    Y_MINUS(below.plus, own.plus), Y_PLUS(own.minus, above.minus), here);
                VEC_STORE(q + 8 * y + part, VEC_FMA(two, sum, edges));
            }
            below = own;
            own = above;
        }
    }
}

/* New pressures of a plane where bits of `whole` are set, of all of it unless masked. */
ALWAYS_INLINE void NAME(isotropic_update)(const REAL *own, const REAL *zm, const REAL *zp, REAL *old,
                                          const REAL *below, const REAL *above, const REAL *q, VEC sixth,
                                          uint64_t whole, const bool masked)
{
    const VEC six = VEC_SET((REAL)6);
#pragma GCC unroll 16
    for (int i = 0; i < 64; i += WIDTH) {
        const VEC here = VEC_LOAD(own + i), before = VEC_LOAD(old + i);
        const VEC z = VEC_ADD(VEC_SUB(VEC_LOAD(zm + i), here), VEC_SUB(VEC_LOAD(zp + i), here));
        const VEC sum =
            VEC_FMA(six, z, VEC_ADD(VEC_LOAD(q + i), VEC_ADD(VEC_LOAD(below + i), VEC_LOAD(above + i))));
        const VEC next = VEC_ADD(here, VEC_FMA(sixth, sum, VEC_SUB(here, before)));
        VEC_STORE(old + i, masked ? VEC_SELECT(whole >> i, next, before) : next);
    }
}

/* Fetch, beside what fetch() does, plane z of what lies across the upright edges of `id`, and a row of what
 * lies across the others. */
ALWAYS_INLINE void NAME(fetch_edges)(const REAL *u, const struct block_grid *grid, uint64_t id, int z)
{
    const block_id *edge = grid->edge[id];
    __builtin_prefetch(u + (size_t)edge[0] * BLOCK_NODES + 64 * z + 63);
    __builtin_prefetch(u + (size_t)edge[1] * BLOCK_NODES + 64 * z + 56);
    __builtin_prefetch(u + (size_t)edge[2] * BLOCK_NODES + 64 * z + 7);
    __builtin_prefetch(u + (size_t)edge[3] * BLOCK_NODES + 64 * z);
    __builtin_prefetch(u + (size_t)edge[4] * BLOCK_NODES + 64 * 7 + 8 * z);
    __builtin_prefetch(u + (size_t)edge[5] * BLOCK_NODES + 64 * 7 + 8 * z);
    __builtin_prefetch(u + (size_t)edge[6] * BLOCK_NODES + 8 * z);
    __builtin_prefetch(u + (size_t)edge[7] * BLOCK_NODES + 8 * z);
    if (z < 4)
        __builtin_prefetch(u + (size_t)edge[8 + z] * BLOCK_NODES + (z & 2 ? 0 : 64 * 7) + (z & 1 ? 0 : 56));
}

/* The whole nodes of a block: of each plane those of `whole`, or all of them unless masked. */
ALWAYS_INLINE void NAME(isotropic_block)(const struct block_grid *grid, const REAL *restrict u,
                                         REAL *restrict u_old, uint64_t id, uint64_t next, REAL sixth,
                                         const uint64_t *whole, const bool masked)
{
    _Alignas(64) REAL p[BLOCK_EDGE + 2][64], q[BLOCK_EDGE][64];
    const VEC sixths = VEC_SET(sixth);
    struct NAME(around) around[3]; /* of the plane to update, the one below and the one above */
    around[1] = NAME(around)(grid, u, id, -1);
    around[2] = NAME(around)(grid, u, id, 0);
    if (!masked || whole[0] != 0) {
        NAME(flat)(&around[1], p[0], NULL, false);
        NAME(flat)(&around[2], p[1], q[0], true);
    }
    for (int z = 0; z < BLOCK_EDGE; ++z) {
        around[0] = around[1];
        around[1] = around[2];
        around[2] = NAME(around)(grid, u, id, z + 1);
        NAME(fetch)(u, u_old, &grid->block[next], next, z);
        NAME(fetch_edges)(u, grid, next, z);
        if (masked && whole[z] == 0) {
            /* The planes that the next one needs, as far as they are not there. */
            if (z + 1 < BLOCK_EDGE && whole[z + 1] != 0) {
                NAME(flat)(&around[1], p[z + 1], q[z], true);
                NAME(flat)(&around[2], p[z + 2], q[z + 1], true);
            }
            continue;
        }
        if (z + 1 < BLOCK_EDGE)
            NAME(flat)(&around[2], p[z + 2], q[z + 1], true);
        else
            NAME(flat)(&around[2], p[z + 2], NULL, false);
        NAME(isotropic_update)
        (around[1].own, around[0].own, around[2].own, u_old + id * BLOCK_NODES + 64 * z, p[z], p[z + 2], q[z],
         sixths, masked ? whole[z] : 0, masked);
    }
}

/* Blocks of open air and others, apart from all that follows: they want the registers. */
static __attribute__((noinline)) void NAME(isotropic_open)(const struct block_grid *grid, const REAL *u,
                                                           REAL *u_old, uint64_t id, uint64_t next,
                                                           REAL sixth)
{
    NAME(isotropic_block)(grid, u, u_old, id, next, sixth, NULL, false);
}

static __attribute__((noinline)) void NAME(isotropic_mixed)(const struct block_grid *grid, const REAL *u,
                                                            REAL *u_old, uint64_t id, uint64_t next,
                                                            REAL sixth)
{
    const uint32_t tile = grid->block[id].tile;
    uint64_t whole[BLOCK_EDGE];
    for (int z = 0; z < BLOCK_EDGE; ++z)
        whole[z] = step_air_bits(grid->tile[tile] + 64 * z) & ~grid->marks[tile].cut[z];
    NAME(isotropic_block)(grid, u, u_old, id, next, sixth, whole, true);
}

/* ---- cut nodes ----------------------------------------------------------------------------------------- */

/* Four values side by side, and four of two such by number. */
typedef REAL NAME(four) __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#define FOUR_AT(p)             (*(const NAME(four) *)(const void *)(p))
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

/* The sum of a cut node at `u`, whose neighbours are so many values away. Planes of four edges and four faces
 * are four values each. Weights 0 need no test: their neighbours are finite. */
ALWAYS_INLINE REAL NAME(isotropic_cut)(const struct cut_cell *cut, const uint8_t plaquette[EDGES],
                                       const REAL *u, ptrdiff_t row, ptrdiff_t plane)
{
    REAL open[sizeof *cut], b[EDGES];
    EIGHT_BYTES(cut, open);
    EIGHT_BYTES(plaquette, b);
    EIGHT_BYTES(plaquette + 4, b + 4);
    /* Weights: whole numbers, so in any order. Edges -- +- -+ ++ of a plane; faces -x +x -y +y, and -z -z +z
     * +z of which the first and the third count. */
    const NAME(four) xy = FOUR_AT(b), xz = FOUR_AT(b + 4), yz = FOUR_AT(b + 8), both = xz + yz;
    const NAME(four) flat = 6 * FOUR_AT(open) - ((PICK(xy, xy, 0, 1, 0, 2) + PICK(xy, xy, 2, 3, 1, 3)) +
                                                 (PICK(xz, yz, 0, 1, 4, 5) + PICK(xz, yz, 2, 3, 6, 7)));
    const NAME(four) upright =
        6 * PICK(FOUR_AT(open + 4), FOUR_AT(open + 4), 0, 0, 1, 1) - (both + PICK(both, both, 1, 0, 3, 2));
    /* Neighbours: rows from the node before to two behind. */
    const REAL here = *u;
    const NAME(four) own = FOUR_AT(u - 1), ym = FOUR_AT(u - row - 1), yp = FOUR_AT(u + row - 1),
                     zm = FOUR_AT(u - plane - 1), zp = FOUR_AT(u + plane - 1);
    const NAME(four) corners = {u[-plane - row], u[-plane + row], u[plane - row], u[plane + row]};
    const NAME(four) on_xy = xy * (PICK(ym, yp, 0, 2, 4, 6) - here),
                     on_xz = xz * (PICK(zm, zp, 0, 2, 4, 6) - here), on_yz = yz * (corners - here),
                     on_flat = flat * (PICK(PICK(own, ym, 0, 2, 5, 5), yp, 0, 1, 2, 5) - here),
                     on_upright = upright * (PICK(zm, zp, 1, 1, 5, 5) - here);
    /* (-- + ++) + (+- + -+) of three planes and (-x + +x) + (-y + +y), all four at once. */
    const NAME(four) first = PICK(on_xy, on_xz, 0, 1, 4, 5), first_too = PICK(on_xy, on_xz, 3, 2, 7, 6);
    const NAME(four) second = PICK(on_yz, on_flat, 0, 1, 4, 6), second_too = PICK(on_yz, on_flat, 3, 2, 5, 7);
    const NAME(four) one = first + first_too, other = second + second_too;
    const NAME(four) sums = PICK(one, other, 0, 2, 4, 6) + PICK(one, other, 1, 3, 5, 7);
    return SCHEME(scheme_isotropic_cut)(sums[3] + (on_upright[0] + on_upright[2]), sums[0], sums[1], sums[2]);
}

/* v, d + v and the new pressure, as if away from walls, of a cut node. */
ALWAYS_INLINE void NAME(isotropic_keep)(REAL v, REAL d, REAL u, REAL *u_old, unsigned place,
                                        struct NAME(kept) * keep)
{
    keep->v[place] = v;
    keep->dv[place] = d + v;
    u_old[place] = u + v;
}

/* The copy: rows of 8 nodes with one before and one after, which is where the next row's values before its
 * own begin. */
#define TILE_ROW   16
#define TILE_PLANE (10 * TILE_ROW)
#define TILE_FIRST (TILE_PLANE + TILE_ROW + 8) /* node (0,0,0) */

static void NAME(copy_row)(REAL *to, const REAL *before, const REAL *own, const REAL *after)
{
    to[-1] = before[7];
    memcpy(to, own, 8 * sizeof *own);
    to[8] = after[0];
}

/* Plane z = -1 .. 8. */
static void NAME(copy_plane)(const struct NAME(around) * around, int z, REAL *tile)
{
    REAL *const to = tile + TILE_FIRST + z * TILE_PLANE;
    NAME(copy_row)(to - TILE_ROW, around->mm + 56, around->ym + 56, around->pm + 56);
    for (int y = 0; y < 8; ++y)
        NAME(copy_row)(to + y * TILE_ROW, around->xm + 8 * y, around->own + 8 * y, around->xp + 8 * y);
    NAME(copy_row)(to + 8 * TILE_ROW, around->mp, around->yp, around->pp);
}

/* The cut nodes of a block. */
static __attribute__((noinline)) void NAME(isotropic_cuts)(const struct block_grid *grid, uint64_t id,
                                                           struct NAME(next) * next, const REAL *u,
                                                           REAL *u_old, struct NAME(kept) * keep)
{
    _Alignas(64) REAL tile[10 * TILE_PLANE + TILE_ROW];
    const uint64_t *const cut = grid->marks[grid->block[id].tile].cut;
    REAL *const old = u_old + id * BLOCK_NODES;
    unsigned planes = 0; /* bit z + 1: plane z */
    for (int z = 0; z < BLOCK_EDGE; ++z)
        planes |= cut[z] != 0 ? 7u << z : 0u;
    for (int z = -1; z <= BLOCK_EDGE; ++z)
        if (planes >> (z + 1) & 1u) {
            const struct NAME(around) around = NAME(around)(grid, u, id, z);
            NAME(copy_plane)(&around, z, tile);
        }
    uint64_t record = grid->cut_first[id];
    for (unsigned z = 0; z < BLOCK_EDGE; ++z)
        for (uint64_t rest = cut[z]; rest != 0; rest &= rest - 1, ++record) {
            const unsigned at = (unsigned)__builtin_ctzll(rest), slot = 64 * z + at;
            const REAL *const here = tile + TILE_FIRST + z * TILE_PLANE + (at >> 3) * TILE_ROW + (at & 7u);
            const REAL d = *here - old[slot], gain = (REAL)grid->gain[record];
            REAL v = SCHEME(scheme_move)(
                d,
                NAME(isotropic_cut)(&grid->cut[record], grid->plaquette[record], here, TILE_ROW, TILE_PLANE),
                gain);
            if (next->extra < grid->extra_nodes && grid->extra_node[next->extra].block == id &&
                grid->extra_node[next->extra].slot == slot) {
                const struct extra_node *node = &grid->extra_node[next->extra++];
                const struct extra_link *link = &grid->extra_link[node->first];
                REAL sum = (REAL)0;
                for (unsigned n = 0; n < node->links; ++n) {
                    const REAL more = SCHEME(scheme_link)(
                        6u * link[n].open, u[(size_t)link[n].block * BLOCK_NODES + link[n].slot], *here);
                    sum = n > 0 ? sum + more : more;
                }
                v = SCHEME(scheme_move)(v, sum, gain);
            }
            NAME(isotropic_keep)(v, d, *here, old, slot, keep);
        }
}

/* ---- the box ------------------------------------------------------------------------------------------- */

/* The cut nodes under `stop` of a stretch of the box that starts at `index`: those of its last part. */
static __attribute__((noinline)) void NAME(isotropic_box_cuts)(const struct box_grid *box, uint64_t index,
                                                               uint64_t stop, struct NAME(next) * next,
                                                               const REAL *u, REAL *u_old,
                                                               struct NAME(kept) * keep)
{
    const uint64_t row = (uint64_t)box->nodes[0] + 2, plane = row * ((uint64_t)box->nodes[1] + 2);
    for (; next->record < box->cuts && box->cut_node[next->record] < stop; ++next->record) {
        const uint64_t node = box->cut_node[next->record];
        const REAL *const here = u + node;
        const REAL d = *here - u_old[node], gain = (REAL)box->gain[next->record];
        REAL v =
            SCHEME(scheme_move)(d,
                                NAME(isotropic_cut)(&box->cut[next->record], box->plaquette[next->record],
                                                    here, (ptrdiff_t)row, (ptrdiff_t)plane),
                                gain);
        if (next->extra < box->extra_nodes && box->extra_node[next->extra].node == node) {
            const struct box_extra_node *extra = &box->extra_node[next->extra++];
            const struct box_extra_link *link = &box->extra_link[extra->first];
            REAL sum = (REAL)0;
            for (unsigned n = 0; n < extra->links; ++n) {
                const REAL more = SCHEME(scheme_link)(6u * link[n].open, u[link[n].node], *here);
                sum = n > 0 ? sum + more : more;
            }
            v = SCHEME(scheme_move)(v, sum, gain);
        }
        NAME(isotropic_keep)(v, d, *here, u_old + index, (unsigned)(node - index), keep);
    }
}

ALWAYS_INLINE VEC NAME(box_plane)(const REAL *at, uint64_t a, uint64_t b)
{
    const VEC own = VEC_LOAD(at);
    return NAME(plane_sum)(VEC_LOAD(at - a), VEC_LOAD(at + a), VEC_LOAD(at - b), VEC_LOAD(at + b), own);
}

static REAL NAME(box_plane_of_one)(const REAL *at, uint64_t a, uint64_t b)
{
    return SCHEME(scheme_plane)(*(at - a) - *at, at[a] - *at, *(at - b) - *at, at[b] - *at);
}

/* Whole nodes of a part of the box: those of `count` with a bit in `whole`, or all unless masked. */
ALWAYS_INLINE void NAME(isotropic_part)(const REAL *restrict u, REAL *restrict u_old, uint64_t row,
                                        uint64_t plane, unsigned count, REAL sixth, uint64_t whole,
                                        const bool masked)
{
    const VEC sixths = VEC_SET(sixth), two = VEC_SET((REAL)2), six = VEC_SET((REAL)6);
    unsigned i = 0;
    for (; i + WIDTH <= count; i += WIDTH) {
        const REAL *own = u + i;
        __builtin_prefetch(own + plane + row + FETCH_AHEAD);
        __builtin_prefetch(u_old + i + FETCH_AHEAD, 1);
        const VEC here = VEC_LOAD(own), before = VEC_LOAD(u_old + i);
        const VEC edges = NAME(box_plane)(own, row + 1, row - 1);
        const VEC q = VEC_FMA(two, NAME(box_plane)(own, 1, row), edges);
        const VEC sides = VEC_ADD(NAME(box_plane)(own - plane, 1, row), NAME(box_plane)(own + plane, 1, row));
        const VEC z = VEC_ADD(VEC_SUB(VEC_LOAD(own - plane), here), VEC_SUB(VEC_LOAD(own + plane), here));
        const VEC sum = VEC_FMA(six, z, VEC_ADD(q, sides));
        const VEC next = VEC_ADD(here, VEC_FMA(sixths, sum, VEC_SUB(here, before)));
        VEC_STORE(u_old + i, masked ? VEC_SELECT(whole >> i, next, before) : next);
    }
    for (; i < count; ++i) {
        const REAL *own = u + i;
        if (masked && (whole >> i & 1) == 0)
            continue;
        const REAL sum = SCHEME(scheme_isotropic_sum)(
            NAME(box_plane_of_one)(own, 1, row), NAME(box_plane_of_one)(own - plane, 1, row),
            NAME(box_plane_of_one)(own + plane, 1, row), NAME(box_plane_of_one)(own, row + 1, row - 1),
            (*(own - plane) - *own) + (own[plane] - *own));
        u_old[i] = *own + SCHEME(scheme_move)(*own - u_old[i], sum, sixth);
    }
}

/* Nodes index .. stop-1 of the box. Those before its first and after its last are halo, and have no
 * neighbours in the arrays. */
ALWAYS_INLINE void NAME(isotropic_stretch)(const struct box_grid *box, const REAL *restrict u,
                                           REAL *restrict u_old, uint64_t index, uint64_t stop, REAL sixth,
                                           struct NAME(next) * next, struct NAME(kept) * keep)
{
    const uint64_t row = (uint64_t)box->nodes[0] + 2, plane = row * ((uint64_t)box->nodes[1] + 2);
    const uint64_t first = plane + row + 1, past = box->length - first;
    const uint64_t end = stop < past ? stop : past;
    for (uint64_t from = index > first ? index : first, to; from < end; from = to) {
        to = from + PART < end ? from + PART : end;
        uint64_t whole = step_air_bits(box->links + from);
        for (uint64_t record = next->record; record < box->cuts && box->cut_node[record] < to; ++record)
            whole &= ~(UINT64_C(1) << (box->cut_node[record] - from));
        if (whole == UINT64_MAX)
            NAME(isotropic_part)
        (u + from, u_old + from, row, plane, (unsigned)(to - from), sixth, whole, false);
        else if (whole != 0) NAME(isotropic_part)(u + from, u_old + from, row, plane, (unsigned)(to - from),
                                                  sixth, whole, true);
        NAME(isotropic_box_cuts)(box, index, to, next, u, u_old, keep);
    }
}

#undef PICK
#undef FOUR_AT
#undef TILE_FIRST
#undef TILE_PLANE
#undef TILE_ROW
#undef Y_PLUS
#undef Y_MINUS
#undef ROWS
