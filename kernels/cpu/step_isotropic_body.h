/* The part of step_cpu_body.h for the isotropic scheme, included there for each vector type; no include guard
 * for that reason.
 *
 * A block is walked plane by plane. At plane z every row is loaded and shifted once for all that use it, P(z)
 * and Q(z) = fma(2, P, D) are kept in the first level cache, and the new pressures of the plane below are
 * finished: fma(6, Z, Q(z-1) + (P(z-2) + P(z))). In a block with records this writes only whole nodes. Cut
 * nodes are stepped a row at a time right after their plane: all nodes of the row side by side, with the
 * weights of the plan (step_plan.h).
 */

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

/* Plane z = -1 .. 8. Values across edges are needed only for 0 .. 7. */
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

/* Row y of a plane, -ROWS .. 8, from `part` on. If the compiler knows y (`known`), an inner row of a plane is
 * loaded again one value further on, which is cheaper than a shuffle. */
ALWAYS_INLINE struct NAME(row)
    NAME(row)(const struct NAME(around) * around, int y, int part, const bool shifted, const bool known)
{
    const REAL *own = (y < 0 ? around->ym + 64 : y < 8 ? around->own : around->yp - 64) + 8 * y + part;
    const REAL *before = (y < 0 ? around->mm + 64 : y < 8 ? around->xm : around->mp - 64) + 8 * y;
    const REAL *after = (y < 0 ? around->pm + 64 : y < 8 ? around->xp : around->pp - 64) + 8 * y;
    struct NAME(row) row = {.own = VEC_LOAD(own)};
    row.minus = row.plus = row.own;
    if (shifted) {
        row.minus = part > 0                  ? VEC_LOAD(own - 1)
                    : known && y > 0 && y < 8 ? VEC_ROW_BEFORE(before, own, row.own)
                                              : VEC_X_BEFORE(VEC_LOAD(before + 8 - ROW_PART), row.own);
        row.plus = part + ROW_PART < 8        ? VEC_LOAD(own + 1)
                   : known && y >= 0 && y < 7 ? VEC_ROW_AFTER(row.own, own, after)
                                              : VEC_X_AFTER(row.own, VEC_LOAD(after));
    }
    return row;
}

ALWAYS_INLINE VEC NAME(plane_sum)(VEC a0, VEC a1, VEC b0, VEC b1, VEC own)
{
    return VEC_ADD(VEC_ADD(VEC_SUB(a0, own), VEC_SUB(a1, own)), VEC_ADD(VEC_SUB(b0, own), VEC_SUB(b1, own)));
}

/* P of three planes and Q of two. The walk points to those of the current plane, of the one below (mid) and
 * of the one below that (low), and to the pressures of the latter two. */
struct NAME(sums) {
    _Alignas(64) REAL p[3][64];
    _Alignas(64) REAL q[2][64];
};
struct NAME(walk) {
    REAL *p, *p_mid, *p_low, *q, *q_mid;
    const REAL *mid, *low;
};

static struct NAME(walk) NAME(walk_start)(struct NAME(sums) * sums)
{
    return (struct NAME(walk)){
        .p = sums->p[0], .p_mid = sums->p[1], .p_low = sums->p[2], .q = sums->q[0], .q_mid = sums->q[1]};
}

/* From the plane at `own` to the next. */
ALWAYS_INLINE void NAME(walk_on)(struct NAME(walk) * walk, const REAL *own)
{
    *walk = (struct NAME(walk)){.p = walk->p_low,
                                .p_mid = walk->p,
                                .p_low = walk->p_mid,
                                .q = walk->q_mid,
                                .q_mid = walk->q,
                                .mid = own,
                                .low = walk->mid};
}

/* One plane of a block, or the one before or after its own. Compute P; if it is `inside` also Q; with
 * `update` write the new pressures of the plane below: all nodes or, if masked, those in `whole`. */
ALWAYS_INLINE void NAME(isotropic_plane)(const struct NAME(around) * at, struct NAME(walk) * walk, REAL *old,
                                         VEC sixth, uint64_t whole, const bool inside, const bool update,
                                         const bool masked)
{
    const VEC two = VEC_SET((REAL)2), six = VEC_SET((REAL)6);
#pragma GCC unroll 2
    for (int part = 0; part < 8; part += ROW_PART) {
        struct NAME(row) below = NAME(row)(at, -ROWS, part, inside, true),
                         own = NAME(row)(at, 0, part, true, true);
#pragma GCC unroll 8
        for (int y = 0; y < 8; y += ROWS) {
            const struct NAME(row) above = NAME(row)(at, y + ROWS, part, inside || y + ROWS < 8, true);
            const VEC here = own.own;
            const int i = 8 * y + part;
            const VEC sum =
                NAME(plane_sum)(own.minus, own.plus, Y_MINUS(below.own, here), Y_PLUS(here, above.own), here);
            VEC_STORE(walk->p + i, sum);
            if (update) {
                const VEC mid = VEC_LOAD(walk->mid + i), before = VEC_LOAD(old + i);
                const VEC upright = VEC_ADD(VEC_SUB(VEC_LOAD(walk->low + i), mid), VEC_SUB(here, mid));
                const VEC level = VEC_ADD(VEC_LOAD(walk->p_low + i), sum);
                const VEC all = VEC_FMA(six, upright, VEC_ADD(VEC_LOAD(walk->q_mid + i), level));
                const VEC next = VEC_ADD(mid, VEC_FMA(sixth, all, VEC_SUB(mid, before)));
                VEC_STORE(old + i, masked ? VEC_SELECT(whole >> i, next, before) : next);
            }
            if (inside) {
                const VEC edges =
                    NAME(plane_sum)(Y_MINUS(below.minus, own.minus), Y_PLUS(own.plus, above.plus),
                                    Y_MINUS(below.plus, own.plus), Y_PLUS(own.minus, above.minus), here);
                VEC_STORE(walk->q + i, VEC_FMA(two, sum, edges));
            }
            below = own;
            own = above;
        }
    }
    NAME(walk_on)(walk, at->own);
}

/* Prefetch what the step of a block reads at plane z and no block before it has read: its x+ face, which
 * touches every line of that neighbour, its edges and its old pressures. Along x blocks are mostly stepped in
 * order, so the block itself was such a face before. Nothing for block 0. */
ALWAYS_INLINE void NAME(fetch_isotropic)(const struct block_grid *grid, const REAL *u, const REAL *u_old,
                                         uint64_t id, int z)
{
    if (id == 0)
        return;
    const block_id *edge = grid->edge[id];
    const REAL *xp = u + (size_t)grid->block[id].neighbour[DIRECTION_XP] * BLOCK_NODES + 64 * z;
    const REAL *old = u_old + id * BLOCK_NODES + 64 * z;
    for (size_t i = 0; i < 64; i += 64 / sizeof(REAL)) {
        __builtin_prefetch(xp + i);
        __builtin_prefetch(old + i, 1);
    }
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

/* Blocks of open air, in a function of their own, since they need the registers. */
static __attribute__((noinline)) void NAME(isotropic_open)(const struct block_grid *grid,
                                                           const REAL *restrict u, REAL *restrict u_old,
                                                           uint64_t id, uint64_t next, REAL sixth)
{
    struct NAME(sums) sums;
    struct NAME(walk) walk = NAME(walk_start)(&sums);
    const VEC sixths = VEC_SET(sixth);
    REAL *const old = u_old + id * BLOCK_NODES;
    struct NAME(around) at = NAME(around)(grid, u, id, -1);
    NAME(isotropic_plane)(&at, &walk, NULL, sixths, 0, false, false, false);
    at = NAME(around)(grid, u, id, 0);
    NAME(isotropic_plane)(&at, &walk, NULL, sixths, 0, true, false, false);
    for (int z = 1; z < BLOCK_EDGE; ++z) {
        at = NAME(around)(grid, u, id, z);
        NAME(fetch_isotropic)(grid, u, u_old, next, z - 1);
        NAME(isotropic_plane)(&at, &walk, old + 64 * (z - 1), sixths, 0, true, true, false);
    }
    at = NAME(around)(grid, u, id, BLOCK_EDGE);
    NAME(fetch_isotropic)(grid, u, u_old, next, BLOCK_EDGE - 1);
    NAME(isotropic_plane)(&at, &walk, old + 64 * (BLOCK_EDGE - 1), sixths, 0, false, true, false);
}

/* ---- cut nodes ----------------------------------------------------------------------------------------- */

/* The term of a link or an edge in the sum of cut nodes. Weights 0 need no test: their neighbours are finite.
 */
ALWAYS_INLINE VEC NAME(weighted)(VEC weight, const REAL *neighbour, ptrdiff_t half, VEC here)
{
    return VEC_MUL(weight, VEC_SUB(VEC_LOAD_HALVES(neighbour, half), here));
}

/* v and d of cut nodes from lane `part` on. The first is at u, its neighbours at the given distances; a
 * second row of eight, if there is one, starts at u + half. */
ALWAYS_INLINE VEC NAME(cut_moves)(const REAL *u, ptrdiff_t row, ptrdiff_t plane, ptrdiff_t half, VEC here,
                                  VEC d, const struct NAME(group) * group, int part)
{
#define EDGE(e, at) NAME(weighted)(VEC_BYTES(&group->edge[e][part]), u + (at), half, here)
#define FACE(k, at) NAME(weighted)(VEC_SHORTS(&group->face[k][part]), u + (at), half, here)
    const VEC xy =
        VEC_ADD(VEC_ADD(EDGE(0, -row - 1), EDGE(3, row + 1)), VEC_ADD(EDGE(1, -row + 1), EDGE(2, row - 1)));
    const VEC xz = VEC_ADD(VEC_ADD(EDGE(4, -plane - 1), EDGE(7, plane + 1)),
                           VEC_ADD(EDGE(5, -plane + 1), EDGE(6, plane - 1)));
    const VEC yz = VEC_ADD(VEC_ADD(EDGE(8, -plane - row), EDGE(11, plane + row)),
                           VEC_ADD(EDGE(9, -plane + row), EDGE(10, plane - row)));
    const VEC flat = VEC_ADD(VEC_ADD(FACE(0, -1), FACE(1, 1)), VEC_ADD(FACE(2, -row), FACE(3, row)));
    const VEC faces = VEC_ADD(flat, VEC_ADD(FACE(4, -plane), FACE(5, plane)));
#undef EDGE
#undef FACE
    const VEC sum = VEC_ADD(faces, VEC_ADD(VEC_ADD(xy, xz), yz));
    return VEC_FMA(VEC_FLOATS(&group->gain[part]), sum, d);
}

/* A copy of a block and the nodes around it, for its cut nodes: rows of 8 nodes with one before and one
 * after, at a distance of TILE_ROW. */
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

/* The cut nodes of plane z of a block, `bits`. */
static __attribute__((noinline)) void NAME(isotropic_cuts)(const struct step_room *room, uint64_t id, int z,
                                                           uint64_t bits, const REAL *tile,
                                                           struct NAME(next) * next, const REAL *u,
                                                           REAL *u_old, struct NAME(kept) * keep)
{
    const struct NAME(group) *const values = room->plan->values;
    for (int y = 0; y < BLOCK_EDGE; y += ROWS) {
        const unsigned lanes = (unsigned)(bits >> 8 * y) & ((1u << LANES) - 1u);
        if (lanes == 0)
            continue;
        const struct NAME(group) *const group = &values[room->plan->values_of[next->group++]];
#pragma GCC unroll 2
        for (int part = 0; part < 8; part += ROW_PART) {
            const REAL *const at = tile + TILE_FIRST + z * TILE_PLANE + y * TILE_ROW + part;
            const unsigned place = (unsigned)(64 * z + 8 * y + part);
            REAL *const old = u_old + id * BLOCK_NODES + place;
            const VEC here = VEC_LOAD_HALVES(at, TILE_ROW), before = VEC_LOAD(old), d = VEC_SUB(here, before);
            const VEC v = NAME(cut_moves)(at, TILE_ROW, TILE_PLANE, TILE_ROW, here, d, group, part);
            VEC_STORE(keep->d + place % PART, d);
            VEC_STORE(keep->v + place, v);
            VEC_STORE(keep->dv + place, VEC_ADD(d, v));
            VEC_STORE(old, VEC_SELECT(lanes >> part, VEC_ADD(here, v), before));
        }
    }
    NAME(block_extras)(room->blocks, id, (unsigned)z, 6, next, u, u_old, keep);
}

/* Blocks with walls or solid nodes. */
static __attribute__((noinline)) void NAME(isotropic_mixed)(const struct step_room *room, const REAL *u,
                                                            REAL *u_old, uint64_t id, uint64_t following,
                                                            REAL sixth, struct NAME(next) * next,
                                                            struct NAME(kept) * keep)
{
    const struct block_grid *const grid = room->blocks;
    const uint32_t marks = grid->block[id].tile;
    struct NAME(sums) sums;
    struct NAME(walk) walk = NAME(walk_start)(&sums);
    const VEC sixths = VEC_SET(sixth);
    REAL *const old = u_old + id * BLOCK_NODES;
    _Alignas(64) REAL tile[10 * TILE_PLANE + TILE_ROW];
    uint64_t whole[BLOCK_EDGE + 4] = {0}, cuts[BLOCK_EDGE + 4] = {0}; /* of plane z + 2 */
    for (int z = 0; z < BLOCK_EDGE; ++z) {
        cuts[z + 2] = grid->marks[marks].cut[z];
        whole[z + 2] = step_air_bits(grid->tile[marks] + 64 * z) & ~cuts[z + 2];
    }
    next->group = room->plan->first_group[id];
    for (int z = -1; z <= BLOCK_EDGE; ++z) {
        const struct NAME(around) at = NAME(around)(grid, u, id, z);
        const uint64_t low = whole[z + 1];
        if (z >= 0 && z < BLOCK_EDGE)
            NAME(fetch_isotropic)(grid, u, u_old, following, z);
        if ((cuts[z + 1] | cuts[z + 2] | cuts[z + 3]) != 0)
            NAME(copy_plane)(&at, z, tile);
        if (low != 0)
            NAME(isotropic_plane)(&at, &walk, old + 64 * (z - 1), sixths, low, true, true, true);
        else if ((whole[z + 2] | whole[z + 3]) != 0)
            NAME(isotropic_plane)(&at, &walk, NULL, sixths, 0, true, false, true);
        else
            NAME(walk_on)(&walk, at.own);
        if (cuts[z + 1] != 0)
            NAME(isotropic_cuts)(room, id, z - 1, cuts[z + 1], tile, next, u, u_old, keep);
    }
}

/* ---- the box ------------------------------------------------------------------------------------------- */

/* Boxes so small that LANES nodes with their neighbours do not fit hold fewer values than this. */
#define SMALL_BOX 256

/* The cut nodes of the groups from next->group to `last` - 1, of a part of the box that starts at `from`, in
 * a stretch that starts at `index`. */
static __attribute__((noinline)) void NAME(isotropic_box_cuts)(const struct step_room *room, uint64_t index,
                                                               uint64_t from, uint64_t stop, uint64_t last,
                                                               struct NAME(next) * next, const REAL *u,
                                                               REAL *u_old, struct NAME(kept) * keep)
{
    const struct box_grid *const box = room->box;
    const struct step_plan *const plan = room->plan;
    const uint64_t row = (uint64_t)box->nodes[0] + 2, plane = row * ((uint64_t)box->nodes[1] + 2);
    REAL small[SMALL_BOX + LANES];
    const REAL *now = u;
    if (box->length < 2 * (plane + row + 1) + LANES) {
        assert(box->length <= SMALL_BOX);
        memset(small, 0, sizeof small);
        now = memcpy(small, u, box->length * sizeof *u);
    }
    for (; next->group < last; ++next->group) {
        const struct NAME(group) *const group =
            (const struct NAME(group) *)plan->values + plan->values_of[next->group];
        const uint64_t start = plan->start[next->group];
        const unsigned lanes = plan->cut[next->group];
        /* Read old pressures of these nodes only: other threads may write the others. */
        _Alignas(64) REAL before[LANES] = {0};
        for (unsigned bits = lanes; bits != 0; bits &= bits - 1)
            before[__builtin_ctz(bits)] = u_old[start + (unsigned)__builtin_ctz(bits)];
#pragma GCC unroll 2
        for (int part = 0; part < LANES; part += WIDTH) {
            const REAL *const at = now + start + part;
            const VEC here = VEC_LOAD(at), d = VEC_SUB(here, VEC_LOAD(before + part));
            const VEC v = NAME(cut_moves)(at, (ptrdiff_t)row, (ptrdiff_t)plane, 8, here, d, group, part);
            REAL done[4][WIDTH];
            VEC_STORE(done[0], d);
            VEC_STORE(done[1], v);
            VEC_STORE(done[2], VEC_ADD(d, v));
            VEC_STORE(done[3], VEC_ADD(here, v));
            for (unsigned bits = lanes >> part & (unsigned)((UINT64_C(1) << WIDTH) - 1); bits != 0;
                 bits &= bits - 1) {
                const unsigned lane = (unsigned)__builtin_ctz(bits);
                const uint64_t at_node = start + (unsigned)part + lane, place = at_node - index;
                keep->d[place % PART] = done[0][lane];
                keep->v[place] = done[1][lane];
                keep->dv[place] = done[2][lane];
                u_old[at_node] = done[3][lane];
            }
        }
    }
    if (next->extra < box->extra_nodes && box->extra_node[next->extra].node < stop)
        NAME(box_extras)(box, index, stop, 6, step_box_record_from(box, from), next, u, u_old, keep);
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
 * neighbours in the arrays. Parts end where groups do. */
ALWAYS_INLINE void NAME(isotropic_stretch)(const struct step_room *room, const REAL *restrict u,
                                           REAL *restrict u_old, uint64_t index, uint64_t stop, REAL sixth,
                                           struct NAME(next) * next, struct NAME(kept) * keep)
{
    const struct box_grid *const box = room->box;
    const struct step_plan *const plan = room->plan;
    const uint64_t row = (uint64_t)box->nodes[0] + 2, plane = row * ((uint64_t)box->nodes[1] + 2);
    const uint64_t first = plane + row + 1, past = box->length - first;
    const uint64_t end = stop < past ? stop : past;
    for (uint64_t from = index > first ? index : first, to; from < end; from = to) {
        uint64_t last = next->group;
        to = (from / PART + 1) * PART < end ? (from / PART + 1) * PART : end;
        uint8_t links[PART] = {0};
        memcpy(links, box->links + from, to - from);
        uint64_t whole = step_air_bits(links);
        for (; last < plan->groups && plan->start[last] + (unsigned)__builtin_ctz(plan->cut[last]) < to;
             ++last)
            whole &= ~(plan->start[last] >= from ? (uint64_t)plan->cut[last] << (plan->start[last] - from)
                                                 : (uint64_t)plan->cut[last] >> (from - plan->start[last]));
        if (whole == UINT64_MAX)
            NAME(isotropic_part)
        (u + from, u_old + from, row, plane, (unsigned)(to - from), sixth, whole, false);
        else if (whole != 0) NAME(isotropic_part)(u + from, u_old + from, row, plane, (unsigned)(to - from),
                                                  sixth, whole, true);
        NAME(isotropic_box_cuts)(room, index, from, to, last, next, u, u_old, keep);
    }
}

#undef SMALL_BOX
#undef TILE_FIRST
#undef TILE_PLANE
#undef TILE_ROW
#undef Y_PLUS
#undef Y_MINUS
