/* Body of step_reference.c, included once for each REAL with its SUFFIX; no include guard for that reason. */

#define PASTE_(name, suffix) name##_##suffix
#define PASTE(name, suffix)  PASTE_(name, suffix)
#define NAME(name)           PASTE(name, SUFFIX)

/* The new pressure of a wall node with frequency-dependent walls, from its `count` entries from `entry` on,
 * whose materials are rows row[0], .. of the table. */
static REAL NAME(step_reference_wall)(const struct step_walls *walls, uint64_t entry, unsigned count,
                                      const unsigned *row, REAL u, REAL v, REAL dv)
{
    const struct NAME(scheme_material) *material = walls->material;
    const uint64_t springs = walls->branches * walls->stride;
    const REAL *share = walls->share;
    REAL *state = walls->state, *loss = walls->loss, change[STEP_NODE_ENTRIES], w = v;
    for (unsigned n = 0; n < count; ++n) {
        const REAL pull = NAME(scheme_wall_pull)(&material[row[n]], material[row[n]].branches,
                                                 state + entry + n, walls->stride, springs, dv, &change[n]);
        w = NAME(scheme_wall_take)(w, share[entry + n], pull);
    }
    const REAL y = (dv - v) + w;
    for (unsigned n = 0; n < count; ++n) {
        const REAL kept = NAME(scheme_wall_keep)(&material[row[n]], material[row[n]].branches,
                                                 state + entry + n, walls->stride, springs, y, change[n],
                                                 loss != NULL ? loss[entry + n] : (REAL)0);
        if (loss != NULL)
            loss[entry + n] = kept;
    }
    return u + w;
}

/* The terms of a node's change: `sum` over its links times `weight`, then the sum over its extra links. */
struct NAME(step_reference_pull) {
    const struct cut_cell *cut; /* NULL: a whole node, or none */
    const uint8_t *plaquette;   /* of a cut node of the isotropic scheme */
    REAL weight;                /* lambda2, lambda2 / 6 or gain */
    REAL sum;
    unsigned extras; /* links in `extra` */
    REAL extra;
};

/* 7 points: the sum over the faces of a node with these links. */
static REAL NAME(step_reference_seven)(const struct cut_cell *cut, unsigned links, REAL u,
                                       const REAL face[DIRECTIONS])
{
    REAL x[DIRECTIONS];
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        x[d] = NAME(scheme_link)(cut != NULL ? cut->open[d] : links >> d & 1u, face[d], u);
    return NAME(scheme_sum)(x[0], x[1], x[2], x[3], x[4], x[5]);
}

/* Four values of a plane, edges of it or nodes in it: differences from u. */
static REAL NAME(step_reference_plane)(REAL a0, REAL a1, REAL b0, REAL b1, REAL u)
{
    return NAME(scheme_plane)(a0 - u, a1 - u, b0 - u, b1 - u);
}

/* 19 points, of a whole node: faces -x +x -y +y -z +z, edges as EDGES has them. */
static REAL NAME(step_reference_whole)(REAL u, const REAL face[DIRECTIONS], const REAL edge[EDGES])
{
    const REAL own = NAME(step_reference_plane)(face[0], face[1], face[2], face[3], u);
    const REAL below = NAME(step_reference_plane)(edge[4], edge[5], edge[8], edge[9], face[4]);
    const REAL above = NAME(step_reference_plane)(edge[6], edge[7], edge[10], edge[11], face[5]);
    const REAL edges = NAME(step_reference_plane)(edge[0], edge[3], edge[1], edge[2], u);
    return NAME(scheme_isotropic_sum)(own, below, above, edges, (face[4] - u) + (face[5] - u));
}

/* The same for a cut node. */
static REAL NAME(step_reference_cut)(const struct cut_cell *cut, const uint8_t plaquette[EDGES], REAL u,
                                     const REAL face[DIRECTIONS], const REAL edge[EDGES])
{
    int weight[DIRECTIONS];
    REAL x[DIRECTIONS], e[EDGES], plane[3];
    step_face_weights(cut, plaquette, weight);
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        x[d] = NAME(scheme_weighted)(weight[d], face[d], u);
    for (unsigned n = 0; n < EDGES; ++n)
        e[n] = NAME(scheme_weighted)(plaquette[n], edge[n], u);
    for (unsigned n = 0; n < 3; ++n)
        plane[n] = NAME(scheme_plane)(e[4 * n], e[4 * n + 3], e[4 * n + 1], e[4 * n + 2]);
    return NAME(scheme_isotropic_cut)(NAME(scheme_sum)(x[0], x[1], x[2], x[3], x[4], x[5]), plane[0],
                                      plane[1], plane[2]);
}

static void NAME(step_reference_add)(struct NAME(step_reference_pull) * pull, unsigned open, int crossed,
                                     REAL other, REAL u)
{
    const REAL more =
        NAME(scheme_weighted)((int)(pull->plaquette != NULL ? 6 * open : open) - crossed, other, u);
    pull->extra = pull->extras++ > 0 ? pull->extra + more : more;
}

/* One node and its `count` wall entries from `entry` on. */
static void NAME(step_reference_node)(const struct step_room *room, uint64_t entry, unsigned count,
                                      const unsigned *row, const struct NAME(step_reference_pull) * pull,
                                      REAL u, REAL *u_old)
{
    const REAL *wall_q = room->wall_q, d = u - *u_old;
    REAL v = NAME(scheme_move)(d, pull->sum, pull->weight);
    if (pull->extras > 0)
        v = NAME(scheme_move)(v, pull->extra, pull->weight);
    if (room->walls != NULL && count > 0)
        *u_old = NAME(step_reference_wall)(room->walls, entry, count, row, u, v, d + v);
    else
        *u_old = NAME(scheme_wall)(u, v, d + v, count > 0 ? wall_q[entry] : (REAL)0);
}

/* The sum over the links of a node of a block; 0 if it is not air. */
static REAL NAME(step_reference_block_sum)(const struct block_grid *grid, uint64_t id, unsigned slot,
                                           const struct NAME(step_reference_pull) * pull, const REAL *u)
{
    const struct block *block = &grid->block[id];
    const unsigned links = grid->tile[block->tile][slot];
    const REAL here = u[id * BLOCK_NODES + slot];
    REAL face[DIRECTIONS], edge[EDGES];
    if (links == 0)
        return (REAL)0;
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        face[d] = u[step_block_neighbour(block, id, slot, d)];
    if (!grid->isotropic)
        return NAME(step_reference_seven)(pull->cut, links, here, face);
    for (unsigned e = 0; e < EDGES; ++e)
        edge[e] = u[step_block_across(grid, id, slot, e)];
    return pull->cut != NULL ? NAME(step_reference_cut)(pull->cut, pull->plaquette, here, face, edge)
                             : NAME(step_reference_whole)(here, face, edge);
}

static void NAME(step_reference_blocks)(const struct step_room *room, const void *u_level, void *u_old_level,
                                        uint64_t first, uint64_t last)
{
    const struct block_grid *grid = room->blocks;
    const struct step_walls *walls = room->walls;
    const REAL *u = u_level, whole = (REAL)(grid->isotropic ? room->lambda2 / 6 : room->lambda2);
    REAL *u_old = u_old_level;
    uint64_t extra = block_extra_from(grid, first);
    for (uint64_t id = first; id < last; ++id) {
        uint64_t wall = grid->wall_first[id], record = grid->has_records ? grid->cut_first[id] : 0;
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
            const uint64_t here = id * BLOCK_NODES + slot;
            struct NAME(step_reference_pull) pull = {.weight = whole};
            if (grid->has_records && step_block_is_cut(grid, id, slot)) {
                pull.cut = &grid->cut[record];
                pull.plaquette = grid->isotropic ? grid->plaquette[record] : NULL;
                pull.weight = (REAL)grid->gain[record++];
            }
            pull.sum = NAME(step_reference_block_sum)(grid, id, slot, &pull, u);
            if (extra < grid->extra_nodes && grid->extra_node[extra].block == id &&
                grid->extra_node[extra].slot == slot) {
                const struct extra_link *link = &grid->extra_link[grid->extra_node[extra].first];
                for (unsigned n = 0; n < grid->extra_node[extra].links; ++n)
                    NAME(step_reference_add)
                (&pull, link[n].open, link[n].crossed,
                 u[(uint64_t)link[n].block * BLOCK_NODES + link[n].slot], u[here]);
                ++extra;
            }

            const uint64_t entry = wall;
            unsigned count = 0, row[STEP_NODE_ENTRIES];
            while (wall < grid->wall_first[id + 1] && (grid->wall[wall].slot & WALL_SLOT) == slot) {
                row[count++] = walls != NULL ? step_wall_row(walls, grid->wall[wall].material) : 0;
                ++wall;
            }
            NAME(step_reference_node)(room, entry, count, row, &pull, u[here], &u_old[here]);
        }
    }
}

/* The same of the box. */
static REAL NAME(step_reference_box_sum)(const struct box_grid *box, uint64_t index,
                                         const struct NAME(step_reference_pull) * pull, const REAL *u)
{
    REAL face[DIRECTIONS], edge[EDGES];
    if (box->links[index] == 0)
        return (REAL)0;
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        face[d] = u[step_box_neighbour(box, index, d)];
    if (!box->isotropic)
        return NAME(step_reference_seven)(pull->cut, box->links[index], u[index], face);
    for (unsigned e = 0; e < EDGES; ++e)
        edge[e] = u[step_box_across(box, index, e)];
    return pull->cut != NULL ? NAME(step_reference_cut)(pull->cut, pull->plaquette, u[index], face, edge)
                             : NAME(step_reference_whole)(u[index], face, edge);
}

static void NAME(step_reference_box)(const struct step_room *room, const void *u_level, void *u_old_level,
                                     uint64_t first, uint64_t last)
{
    const struct box_grid *box = room->box;
    const struct step_walls *walls = room->walls;
    const REAL *u = u_level, whole = (REAL)(box->isotropic ? room->lambda2 / 6 : room->lambda2);
    REAL *u_old = u_old_level;
    const uint64_t begin = step_unit_index(room, first);
    uint64_t wall = step_box_wall_from(box, begin), record = step_box_record_from(box, begin),
             extra = step_box_extra_from(box, begin);
    for (uint64_t unit = first; unit < last; ++unit) {
        const uint64_t row = step_unit_index(room, unit);
        for (uint64_t x = 1; x <= (uint64_t)box->nodes[0]; ++x) {
            const uint64_t here = row + x;
            struct NAME(step_reference_pull) pull = {.weight = whole};
            if (record < box->cuts && box->cut_node[record] == here) {
                pull.cut = &box->cut[record];
                pull.plaquette = box->isotropic ? box->plaquette[record] : NULL;
                pull.weight = (REAL)box->gain[record++];
            }
            pull.sum = NAME(step_reference_box_sum)(box, here, &pull, u);
            if (extra < box->extra_nodes && box->extra_node[extra].node == here) {
                const struct box_extra_link *link = &box->extra_link[box->extra_node[extra].first];
                for (unsigned n = 0; n < box->extra_node[extra].links; ++n)
                    NAME(step_reference_add)(&pull, link[n].open, link[n].crossed, u[link[n].node], u[here]);
                ++extra;
            }

            const uint64_t entry = wall;
            unsigned count = 0, row_of[STEP_NODE_ENTRIES];
            while (wall < box->walls && (box->wall[wall].node & ~BOX_WALL_CONTINUES) == here) {
                row_of[count++] = walls != NULL ? step_wall_row(walls, box->wall[wall].material) : 0;
                ++wall;
            }
            NAME(step_reference_node)(room, entry, count, row_of, &pull, u[here], &u_old[here]);
        }
    }
}

#undef NAME
#undef PASTE
#undef PASTE_
#undef SUFFIX
#undef REAL
