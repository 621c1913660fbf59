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

/* What moves a node: its links, or its openings and gain, and the sum over its extra links. */
struct NAME(step_reference_pull) {
    unsigned links;
    const struct cut_cell *cut; /* NULL: a whole node */
    REAL weight;                /* lambda2 or gain */
    REAL difference[DIRECTIONS];
    unsigned extras; /* links in `extra` */
    REAL extra;
};

static unsigned NAME(step_reference_open)(const struct NAME(step_reference_pull) * pull, unsigned direction)
{
    return pull->cut != NULL ? pull->cut->open[direction] : pull->links >> direction & 1u;
}

static void NAME(step_reference_add)(struct NAME(step_reference_pull) * pull, unsigned open, REAL other,
                                     REAL u)
{
    const REAL more = NAME(scheme_link)(open, other, u);
    pull->extra = pull->extras++ > 0 ? pull->extra + more : more;
}

/* One node and its `count` wall entries from `entry` on. */
static void NAME(step_reference_node)(const struct step_room *room, uint64_t entry, unsigned count,
                                      const unsigned *row, const struct NAME(step_reference_pull) * pull,
                                      REAL u, REAL *u_old)
{
    const REAL *wall_q = room->wall_q, *x = pull->difference, d = u - *u_old;
    REAL v = NAME(scheme_move)(d, NAME(scheme_sum)(x[0], x[1], x[2], x[3], x[4], x[5]), pull->weight);
    if (pull->extras > 0)
        v = NAME(scheme_move)(v, pull->extra, pull->weight);
    if (room->walls != NULL && count > 0)
        *u_old = NAME(step_reference_wall)(room->walls, entry, count, row, u, v, d + v);
    else
        *u_old = NAME(scheme_wall)(u, v, d + v, count > 0 ? wall_q[entry] : (REAL)0);
}

static void NAME(step_reference_blocks)(const struct step_room *room, const void *u_level, void *u_old_level,
                                        uint64_t first, uint64_t last)
{
    const struct block_grid *grid = room->blocks;
    const struct step_walls *walls = room->walls;
    const REAL *u = u_level;
    REAL *u_old = u_old_level;
    uint64_t extra = block_extra_from(grid, first);
    for (uint64_t id = first; id < last; ++id) {
        const struct block *block = &grid->block[id];
        uint64_t wall = grid->wall_first[id], record = grid->conformal ? grid->cut_first[id] : 0;
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
            const uint64_t here = id * BLOCK_NODES + slot;
            struct NAME(step_reference_pull)
                pull = {.links = grid->tile[block->tile][slot], .weight = (REAL)room->lambda2};
            if (grid->conformal && step_block_is_cut(grid, id, slot)) {
                pull.cut = &grid->cut[record];
                pull.weight = (REAL)grid->gain[record++];
            }
            for (unsigned d = 0; d < DIRECTIONS; ++d)
                pull.difference[d] = NAME(scheme_link)(NAME(step_reference_open)(&pull, d),
                                                       u[step_block_neighbour(block, id, slot, d)], u[here]);
            if (extra < grid->extra_nodes && grid->extra_node[extra].block == id &&
                grid->extra_node[extra].slot == slot) {
                const struct extra_link *link = &grid->extra_link[grid->extra_node[extra].first];
                for (unsigned n = 0; n < grid->extra_node[extra].links; ++n)
                    NAME(step_reference_add)
                (&pull, link[n].open, u[(uint64_t)link[n].block * BLOCK_NODES + link[n].slot], u[here]);
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

static void NAME(step_reference_box)(const struct step_room *room, const void *u_level, void *u_old_level,
                                     uint64_t first, uint64_t last)
{
    const struct box_grid *box = room->box;
    const struct step_walls *walls = room->walls;
    const REAL *u = u_level;
    REAL *u_old = u_old_level;
    const uint64_t begin = step_unit_index(room, first);
    uint64_t wall = step_box_wall_from(box, begin), record = step_box_record_from(box, begin),
             extra = step_box_extra_from(box, begin);
    for (uint64_t unit = first; unit < last; ++unit) {
        const uint64_t row = step_unit_index(room, unit);
        for (uint64_t x = 1; x <= (uint64_t)box->nodes[0]; ++x) {
            const uint64_t here = row + x;
            struct NAME(step_reference_pull)
                pull = {.links = box->links[here], .weight = (REAL)room->lambda2};
            if (record < box->cuts && box->cut_node[record] == here) {
                pull.cut = &box->cut[record];
                pull.weight = (REAL)box->gain[record++];
            }
            for (unsigned d = 0; d < DIRECTIONS; ++d)
                pull.difference[d] = NAME(scheme_link)(NAME(step_reference_open)(&pull, d),
                                                       u[step_box_neighbour(box, here, d)], u[here]);
            if (extra < box->extra_nodes && box->extra_node[extra].node == here) {
                const struct box_extra_link *link = &box->extra_link[box->extra_node[extra].first];
                for (unsigned n = 0; n < box->extra_node[extra].links; ++n)
                    NAME(step_reference_add)(&pull, link[n].open, u[link[n].node], u[here]);
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
