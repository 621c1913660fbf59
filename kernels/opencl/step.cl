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
/* Blocks in local memory, each with the values around it: RUN blocks a group, 64 work items a block, a column
 * of eight nodes each. Where the block before or after in a group is the neighbour (struct step_row), its tile
 * is read and not the values beyond the face, of which a load brings one in eight.
 *
 * A tile is 10 x 10 rows of eight; then as many rows of which the first value is beyond the right end of a row
 * and the last beyond the left one. So the 32 work items that read the neighbours of four rows read every
 * bank of local memory once. */
#define TILE_ROW    8
#define TILE_PLANE  80
#define TILE_BEYOND 800
#define TILE_VALUES 1600
#define IN_TILE(x, y, z)     ((x) + TILE_ROW * ((y) + 1) + TILE_PLANE * ((z) + 1))
#define BEYOND(right, y, z)  (TILE_BEYOND + IN_TILE((right) ? 0 : 7, y, z))
/* To the neighbours along x of a node: in its row, in the tile of a neighbour in the group, or beyond. */
#define TO_LEFT(x, shared)  ((x) > 0 ? -1 : (shared) ? 7 - TILE_VALUES : TILE_BEYOND + 7)
#define TO_RIGHT(x, shared) ((x) < 7 ? 1 : (shared) ? TILE_VALUES - 7 : TILE_BEYOND - 7)

/* Fill the tile of a block around its own values. left, right: those values are in another tile. */
static void fill_around(__global const REAL *u, __local REAL *tile, __global const struct step_row *row,
                        uint column, bool left, bool right)
{
    const int low = (int)(column & 7), high = (int)(column >> 3);
    __global const uint *const beside = row->beside;
    /* Faces of whole rows, four values an item: z-, z+, y-, y+. */
    const uint face = column >> 4, along = column >> 1 & 7, half_row = 4 * (column & 1);
    const uint start = face < 2 ? 8 * along + (face == 0 ? 448 : 0) : 64 * along + (face == 2 ? 56 : 0);
    const int outside = face & 1 ? 8 : -1, y = face < 2 ? (int)along : outside,
              z = face < 2 ? outside : (int)along;
    *(__local REAL4 *)(tile + IN_TILE((int)half_row, y, z)) =
        *(__global const REAL4 *)(u + beside[face < 2 ? face + 4 : face] * (ulong)BLOCK_NODES + start + half_row);
    if (!left)
        tile[BEYOND(false, low, high)] = u[beside[0] * (ulong)BLOCK_NODES + 8 * column + 7];
    if (!right)
        tile[BEYOND(true, low, high)] = u[beside[1] * (ulong)BLOCK_NODES + 8 * column];
#if ISOTROPIC
    for (uint n = column; n < 8 * EDGES; n += 64) {
        const uint e = n >> 3, along = n & 7, first = e & 1, second = e >> 1 & 1;
        const int beyond_first = first ? 8 : -1, beyond_second = second ? 8 : -1;
        const uint in_first = first ? 0 : 7, in_second = second ? 0 : 7;
        if (e < 8 && (first ? right : left))
            continue;
        const ulong from = row->edge[e] * (ulong)BLOCK_NODES;
        if (e < 4)
            tile[BEYOND(first, beyond_second, (int)along)] =
                u[from + in_first + 8 * in_second + 64 * along];
        else if (e < 8)
            tile[BEYOND(first, (int)along, beyond_second)] =
                u[from + in_first + 8 * along + 64 * in_second];
        else
            tile[IN_TILE((int)along, beyond_first, beyond_second)] =
                u[from + along + 8 * in_first + 64 * in_second];
    }
#endif
}

/* The four faces of a node of a tile in its plane, about itself. */
static REAL faces_of(__local const REAL *at, int minus, int plus)
{
    return NAME(step_reference_plane)(at[minus], at[plus], at[-TILE_ROW], at[TILE_ROW], at[0]);
}

__kernel __attribute__((reqd_work_group_size(64 * RUN, 1, 1))) void
step_whole(__global const REAL *u, __global REAL *u_old, ulong count, __global const uchar *links, REAL weight,
           __global const struct step_row *rows)
{
    __local REAL tiles[RUN * TILE_VALUES] __attribute__((aligned(32)));
    const uint column = get_local_id(0) & 63, own = get_local_id(0) >> 6;
    __global const struct step_row *const row = rows + get_group_id(0) * RUN + own;
    const uint tile_id = row->tile & STEP_TILE;
    const ulong first = row->self * (ulong)BLOCK_NODES + column;
    const bool left = (row->tile & STEP_LEFT) != 0, right = (row->tile & STEP_RIGHT) != 0;
    __local REAL *const tile = tiles + own * TILE_VALUES;
    __local const REAL *at = tile + IN_TILE((int)(column & 7), (int)(column >> 3), 0);
    REAL old[BLOCK_EDGE];
    uint whole = tile_id == TILE_FULL ? 255 : 0;
#pragma unroll
    for (uint n = column; n < BLOCK_NODES / 4; n += 64)
        *(__local REAL4 *)(tile + IN_TILE(4 * (int)(n & 1), (int)(n >> 1 & 7), (int)(n >> 4))) =
            *(__global const REAL4 *)(u + row->self * (ulong)BLOCK_NODES + 4 * n);
    fill_around(u, tile, row, column, left, right);
#pragma unroll
    for (int z = 0; z < BLOCK_EDGE; ++z)
        old[z] = u_old[first + 64 * z];
    if (tile_id > TILE_FULL)
        for (int z = 0; z < BLOCK_EDGE; ++z)
            whole |= (uint)(links[tile_id * (ulong)BLOCK_NODES + 64 * z + column] == STEP_WHOLE) << z;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int minus = TO_LEFT(column & 7, left), plus = TO_RIGHT(column & 7, right);
    struct NAME(step_reference_pull) pull = {.weight = weight};
#if ISOTROPIC
    REAL below = faces_of(at - TILE_PLANE, minus, plus), own_faces = faces_of(at, minus, plus);
#endif
#pragma unroll
    for (int z = 0; z < BLOCK_EDGE; ++z, at += TILE_PLANE) {
        const REAL here = at[0], low = at[-TILE_PLANE], high = at[TILE_PLANE];
#if ISOTROPIC
        const REAL above = faces_of(at + TILE_PLANE, minus, plus);
        const REAL edges = NAME(step_reference_plane)(at[minus - TILE_ROW], at[plus + TILE_ROW],
                                                      at[plus - TILE_ROW], at[minus + TILE_ROW], here);
        pull.sum = NAME(scheme_isotropic_sum)(own_faces, below, above, edges, (low - here) + (high - here));
        below = own_faces;
        own_faces = above;
#else
        const REAL face[DIRECTIONS] = {at[minus], at[plus], at[-TILE_ROW], at[TILE_ROW], low, high};
        pull.sum = NAME(step_reference_seven)(0, STEP_WHOLE, here, face);
#endif
        if (whole >> z & 1)
            u_old[first + 64 * z] = NAME(step_reference_node)(0, (REAL)0, 0, 0, 0, &pull, here, old[z]);
    }
}
#endif

/* A work item a node of the list. */
__kernel void step_list(__global const REAL *u, __global REAL *u_old, ulong count, REAL weight,
                        PLACE_PARAMETERS, LIST_PARAMETERS)
{
    const ulong n = get_global_id(0);
    if (n >= count)
        return;
    const struct step_listed node = listed[n];
    REAL face[DIRECTIONS], edge[EDGES];
    if (node.links != 0)
        gather(u, node.index, face, edge, PLACE_ARGUMENTS);
    update_listed(u, u_old, weight, n, &node, u[node.index], face, edge, LIST_ARGUMENTS);
}
