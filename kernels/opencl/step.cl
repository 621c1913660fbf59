/* The update of the nodes of a room, whole ones and those of the list. u is step n around a node; step n + 1 is written over u_old. */

/* The tables of the nodes that are not whole, in the order of the host (argue_list()). */
#define LIST_PARAMETERS                                                                                      \
    __global const struct step_listed *listed, __global const struct cut_cell *cut,                          \
        __global const uchar *plaquette, __global const float *gain, ulong extra_nodes,                      \
        __global const struct box_extra_node *extra_node, __global const struct box_extra_link *extra_link,  \
        __global const REAL *wall_q, __global const ushort *wall_row, uint branches, ulong stride,           \
        __global REAL *state, __global const REAL *share, __global REAL *loss, __global const void *material
#define LIST_ARGUMENTS                                                                                       \
    listed, cut, plaquette, gain, extra_nodes, extra_node, extra_link, wall_q, wall_row, branches, stride,   \
        state, share, loss, material

/* Number n of the list, from the values around it (any where it has no links). */
static void update_listed(__global const REAL *u, __global REAL *u_old, REAL weight, ulong n,
                          const struct step_listed *node, REAL here, const REAL face[DIRECTIONS],
                          const REAL edge[EDGES], LIST_PARAMETERS)
{
    struct NAME(step_reference_pull) pull = {.weight = weight};
    struct cut_cell own;
    uchar planes[EDGES];
    if (cut != 0) {
        own = cut[n];
        pull.cut = &own;
        pull.weight = (REAL)gain[n];
#if ISOTROPIC
        for (unsigned e = 0; e < EDGES; ++e)
            planes[e] = plaquette[n * EDGES + e];
        pull.plaquette = planes;
#endif
    }
    pull.sum = (REAL)0;
    if (node->links != 0)
#if ISOTROPIC
        pull.sum = NAME(step_reference_cut)(pull.cut, planes, here, face, edge);
#else
        pull.sum = NAME(step_reference_seven)(pull.cut, node->links, here, face);
#endif
    if (node->extras != 0) {
        ulong low = 0, high = extra_nodes;
        LOWER_BOUND(low, high, middle, extra_node[middle].node < node->index);
        const struct box_extra_node extra = extra_node[low];
        for (unsigned k = 0; k < extra.links; ++k)
            NAME(step_reference_add)
        (&pull, extra_link[extra.first + k].open, extra_link[extra.first + k].crossed,
         u[extra_link[extra.first + k].node], here);
    }
    const struct step_walls walls = {.branches = branches,
                                     .stride = stride,
                                     .state = state,
                                     .share = share,
                                     .loss = loss,
                                     .material = material};
    unsigned rows[STEP_NODE_ENTRIES];
    for (unsigned k = 0; share != 0 && k < node->walls; ++k)
        rows[k] = wall_row[node->entry + k];
    u_old[node->index] = NAME(step_reference_node)(
        share != 0 ? &walls : 0, share == 0 ? wall_q[n] : (REAL)0, node->entry,
        node->walls, rows, &pull, here, u_old[node->index]);
}

/* Pressure index of the neighbour in a direction, and of the node across an edge. In blocks: their array and
 * (blocks + 1, EDGES) ids; in the box: values in a row and in a plane. */
#if BOX
#define PLACE_PARAMETERS ulong row, ulong plane
#define PLACE_ARGUMENTS  row, plane
static ulong beside(ulong index, unsigned d, PLACE_PARAMETERS)
{
    const ulong step = d < 2 ? 1 : d < 4 ? row : plane;
    return d & 1 ? index + step : index - step;
}
static ulong across(ulong index, unsigned e, PLACE_PARAMETERS)
{
    return beside(beside(index, edge_first_direction(e), row, plane), edge_second_direction(e), row, plane);
}
#else
#define PLACE_PARAMETERS __global const struct block *block, __global const uint *edge_block
#define PLACE_ARGUMENTS  block, edge_block
static ulong beside(ulong index, unsigned d, PLACE_PARAMETERS)
{
    bool leaves;
    const ulong id = index / BLOCK_NODES;
    const unsigned to = block_slot_beside((unsigned)(index % BLOCK_NODES), d, &leaves);
    return (leaves ? (ulong)block[id].neighbour[d] : id) * BLOCK_NODES + to;
}
static ulong across(ulong index, unsigned e, PLACE_PARAMETERS)
{
    unsigned beyond;
    const ulong id = index / BLOCK_NODES;
    const unsigned to = block_slot_across((unsigned)(index % BLOCK_NODES), e, &beyond);
    const ulong there = beyond == 0            ? id
                        : beyond <= DIRECTIONS ? block[id].neighbour[beyond - 1]
                                               : edge_block[id * EDGES + beyond - 1 - DIRECTIONS];
    return there * BLOCK_NODES + to;
}
#endif

static void gather(__global const REAL *u, ulong index, REAL face[DIRECTIONS], REAL edge[EDGES],
                   PLACE_PARAMETERS)
{
#pragma unroll
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        face[d] = u[beside(index, d, PLACE_ARGUMENTS)];
#if ISOTROPIC
#pragma unroll
    for (unsigned e = 0; e < EDGES; ++e)
        edge[e] = u[across(index, e, PLACE_ARGUMENTS)];
#endif
}

#if BOX
/* A work item a value of the box. */
__kernel void step_whole(__global const REAL *u, __global REAL *u_old, ulong count, __global const uchar *links,
                         REAL weight, ulong row, ulong plane)
{
    const ulong index = get_global_id(0);
    if (index >= count || links[index] != STEP_WHOLE)
        return;
    REAL face[DIRECTIONS], edge[EDGES];
    gather(u, index, face, edge, PLACE_ARGUMENTS);
    struct NAME(step_reference_pull) pull = {.weight = weight};
    const REAL here = u[index];
#if ISOTROPIC
    pull.sum = NAME(step_reference_whole)(here, face, edge);
#else
    pull.sum = NAME(step_reference_seven)(0, STEP_WHOLE, here, face);
#endif
    u_old[index] = NAME(step_reference_node)(0, (REAL)0, 0, 0, 0, &pull, here, u_old[index]);
}
#else
/* Blocks in local memory, each with the values around it: RUN blocks a group, STEP_LANES work items a block,
 * two columns of eight nodes each. Where the block before or after in a group is the neighbour (struct
 * step_row), its tile is read and not the values beyond the face, of which a load brings one in eight.
 *
 * A tile is 10 x 10 rows of eight; then as many rows of which the first value is beyond the right end of a row
 * and the last beyond the left one. */
#define TILE_ROW    8
#define TILE_PLANE  80
#define TILE_BEYOND 800
#define TILE_VALUES 1600
#define IN_TILE(x, y, z)     ((x) + TILE_ROW * ((y) + 1) + TILE_PLANE * ((z) + 1))
#define BEYOND(right, y, z)  (TILE_BEYOND + IN_TILE((right) ? 0 : 7, y, z))
#define AS4(pointer)         (*(__local REAL4 *)(pointer))
#define AS2(pointer)         (*(__local const REAL2 *)(pointer))

/* The block's own values into its tile, and those around them. left, right: those are in another tile. */
static void fill_tile(__global const REAL *u, __local REAL *tile, __global const struct step_row *row,
                      uint lane, bool left, bool right)
{
#pragma unroll
    for (uint n = lane; n < BLOCK_NODES / 4; n += STEP_LANES)
        AS4(tile + IN_TILE(4 * (int)(n & 1), (int)(n >> 1 & 7), (int)(n >> 4))) =
            *(__global const REAL4 *)(u + row->self * (ulong)BLOCK_NODES + 4 * n);
    /* Faces of whole rows, four values an item: z-, z+, y-, y+. */
#pragma unroll
    for (uint n = lane; n < 64; n += STEP_LANES) {
        const uint face = n >> 4, along = n >> 1 & 7, half_row = 4 * (n & 1);
        const uint start = face < 2 ? 8 * along + (face == 0 ? 448 : 0) : 64 * along + (face == 2 ? 56 : 0);
        const int outside = face & 1 ? 8 : -1, y = face < 2 ? (int)along : outside,
                  z = face < 2 ? outside : (int)along;
        AS4(tile + IN_TILE((int)half_row, y, z)) =
            *(__global const REAL4 *)(u + row->beside[face < 2 ? face + 4 : face] * (ulong)BLOCK_NODES + start +
                                      half_row);
    }
#pragma unroll
    for (uint n = lane; n < 64; n += STEP_LANES) {
        if (!left)
            tile[BEYOND(false, (int)(n & 7), (int)(n >> 3))] =
                u[row->beside[0] * (ulong)BLOCK_NODES + 8 * n + 7];
        if (!right)
            tile[BEYOND(true, (int)(n & 7), (int)(n >> 3))] = u[row->beside[1] * (ulong)BLOCK_NODES + 8 * n];
    }
#if ISOTROPIC
#pragma unroll
    for (uint n = lane; n < 8 * EDGES; n += STEP_LANES) {
        const uint e = n >> 3, along = n & 7, first = e & 1, second = e >> 1 & 1;
        const int beyond_first = first ? 8 : -1, beyond_second = second ? 8 : -1;
        const uint in_first = first ? 0 : 7, in_second = second ? 0 : 7;
        if (e < 8 && (first ? right : left))
            continue;
        const ulong from = row->edge[e] * (ulong)BLOCK_NODES;
        if (e < 4)
            tile[BEYOND(first, beyond_second, (int)along)] = u[from + in_first + 8 * in_second + 64 * along];
        else if (e < 8)
            tile[BEYOND(first, (int)along, beyond_second)] = u[from + in_first + 8 * along + 64 * in_second];
        else
            tile[IN_TILE((int)along, beyond_first, beyond_second)] =
                u[from + along + 8 * in_first + 64 * in_second];
    }
#endif
}

/* Two nodes beside one another in a plane of a tile, and what a sweep in z needs of it. left, right: the way
 * from the first to the values beside the two. SUM_WHOLE: over the links of one of them, x or y. */
#if ISOTROPIC
struct pair {
    REAL2 u, faces, edges;
};
static struct pair pair_of(__local const REAL *at, int left, int right)
{
    const REAL2 u = AS2(at), low = AS2(at - TILE_ROW), high = AS2(at + TILE_ROW);
    struct pair out = {.u = u};
    out.faces.x = NAME(step_reference_plane)(at[left], u.y, low.x, high.x, u.x);
    out.faces.y = NAME(step_reference_plane)(u.x, at[right], low.y, high.y, u.y);
    out.edges.x = NAME(step_reference_plane)(at[left - TILE_ROW], high.y, low.y, at[left + TILE_ROW], u.x);
    out.edges.y = NAME(step_reference_plane)(low.x, at[right + TILE_ROW], at[right - TILE_ROW], high.x, u.y);
    return out;
}
#define SUM_WHOLE(x)                                                                                         \
    NAME(scheme_isotropic_sum)(own.faces.x, below.faces.x, above.faces.x, own.edges.x,                       \
                               (below.u.x - own.u.x) + (above.u.x - own.u.x))
#else
struct pair {
    REAL2 u, left, right, low, high;
};
static struct pair pair_of(__local const REAL *at, int left, int right)
{
    const REAL2 u = AS2(at);
    struct pair out = {u, {at[left], u.x}, {u.y, at[right]}, AS2(at - TILE_ROW), AS2(at + TILE_ROW)};
    return out;
}
#define SUM_WHOLE(x)                                                                                         \
    NAME(scheme_sum)(own.left.x - own.u.x, own.right.x - own.u.x, own.low.x - own.u.x, own.high.x - own.u.x,  \
                     below.u.x - own.u.x, above.u.x - own.u.x)
#endif
static REAL move_whole(REAL sum, REAL weight, REAL here, REAL old)
{
    const struct NAME(step_reference_pull) pull = {.weight = weight, .sum = sum};
    return NAME(step_reference_node)(0, (REAL)0, 0, 0, 0, &pull, here, old);
}

/* The whole nodes of the blocks of a group. */
static void sweep(__local REAL *tiles, __global const REAL *u, __global REAL *u_old,
                  __global const uchar *links, REAL weight, __global const struct step_row *rows)
{
    const uint lane = get_local_id(0) % STEP_LANES, block = get_local_id(0) / STEP_LANES, pair = lane & 3;
    __global const struct step_row *const row = rows + block;
    const uint tile_id = row->tile & STEP_TILE;
    const bool shares_left = (row->tile & STEP_LEFT) != 0, shares_right = (row->tile & STEP_RIGHT) != 0;
    const ulong first = row->self * (ulong)BLOCK_NODES + 2 * lane;
    __local REAL *const tile = tiles + block * TILE_VALUES;
    __local const REAL *at = tile + IN_TILE((int)(2 * pair), (int)(lane >> 2), 0);
    const int left = pair > 0 ? -1 : shares_left ? 7 - TILE_VALUES : TILE_BEYOND + 7,
              right = pair < 3 ? 2 : shares_right ? TILE_VALUES - 6 : TILE_BEYOND - 6;
    REAL2 old[BLOCK_EDGE];
    uint whole = tile_id == TILE_FULL ? 0xFFFF : 0;
    fill_tile(u, tile, row, lane, shares_left, shares_right);
#pragma unroll
    for (int z = 0; z < BLOCK_EDGE; ++z)
        old[z] = *(__global const REAL2 *)(u_old + first + 64 * z);
    if (tile_id > TILE_FULL)
        for (int z = 0; z < BLOCK_EDGE; ++z) {
            const uchar2 two = *(__global const uchar2 *)(links + tile_id * (ulong)BLOCK_NODES + 64 * z + 2 * lane);
            whole |= ((uint)(two.x == STEP_WHOLE) | (uint)(two.y == STEP_WHOLE) << 1) << 2 * z;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    struct pair below = pair_of(at - TILE_PLANE, left, right), own = pair_of(at, left, right);
#pragma unroll
    for (int z = 0; z < BLOCK_EDGE; ++z, at += TILE_PLANE) {
        const struct pair above = pair_of(at + TILE_PLANE, left, right);
        const REAL2 next = {move_whole(SUM_WHOLE(x), weight, own.u.x, old[z].x),
                            move_whole(SUM_WHOLE(y), weight, own.u.y, old[z].y)};
        __global REAL *const to = u_old + first + 64 * z;
        const uint two = whole >> 2 * z & 3;
        if (two == 3)
            *(__global REAL2 *)to = next;
        else if (two != 0)
            to[two >> 1] = two == 1 ? next.x : next.y;
        below = own;
        own = above;
    }
}
#endif

/* A work item a node of the list. */
static void step_listed(__global const REAL *u, __global REAL *u_old, ulong n, ulong count, REAL weight,
                        PLACE_PARAMETERS, LIST_PARAMETERS)
{
    if (n >= count)
        return;
    const struct step_listed node = listed[n];
    REAL face[DIRECTIONS], edge[EDGES];
    if (node.links != 0)
        gather(u, node.index, face, edge, PLACE_ARGUMENTS);
    update_listed(u, u_old, weight, n, &node, u[node.index], face, edge, LIST_ARGUMENTS);
}
#if BOX
__kernel void step_list(__global const REAL *u, __global REAL *u_old, ulong count, REAL weight,
                        PLACE_PARAMETERS, LIST_PARAMETERS)
{
    step_listed(u, u_old, get_global_id(0), count, weight, PLACE_ARGUMENTS, LIST_ARGUMENTS);
}
#else
/* Groups of either kind, evenly mixed, so that the list's wait for memory and the sweep's work overlap. */
__kernel __attribute__((reqd_work_group_size(STEP_LANES * RUN, 1, 1))) void
step_blocks(__global const REAL *u, __global REAL *u_old, ulong count, REAL weight, PLACE_PARAMETERS,
            LIST_PARAMETERS, __global const uchar *links, __global const struct step_row *rows, ulong lists)
{
    __local REAL tiles[RUN * TILE_VALUES] __attribute__((aligned(32)));
    const ulong group = get_group_id(0), groups = get_num_groups(0), before = group * lists / groups;
    if (before != (group + 1) * lists / groups)
        step_listed(u, u_old, before * get_local_size(0) + get_local_id(0), count, weight, PLACE_ARGUMENTS,
                    LIST_ARGUMENTS);
    else
        sweep(tiles, u, u_old, links, weight, rows + (group - before) * RUN);
}
#endif
