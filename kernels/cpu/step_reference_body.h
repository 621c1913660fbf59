/* Body of step_reference.c, included once for each REAL with its SUFFIX; no include guard for that reason. */

#define PASTE_(name, suffix) name##_##suffix
#define PASTE(name, suffix)  PASTE_(name, suffix)
#define NAME(name)           PASTE(name, SUFFIX)

/* The new pressure of a wall node with frequency-dependent walls, from its `count` entries from `entry` on,
 * whose materials are rows row[0], .. of the table. */
static REAL NAME(step_reference_wall)(const struct step_walls *walls, uint64_t entry, unsigned count,
                                      const unsigned *row, REAL u, REAL u_old, REAL sum, REAL lambda2)
{
    const struct NAME(scheme_material) *material = walls->material;
    const uint64_t springs = walls->branches * walls->stride;
    const REAL *share = walls->share;
    REAL *state = walls->state, *loss = walls->loss, change[STEP_NODE_ENTRIES];
    const REAL d = u - u_old, v = NAME(scheme_move)(d, sum, lambda2), dv = d + v;
    REAL w = v;
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

/* One node, given its differences and its `count` wall entries from `entry` on. */
static void NAME(step_reference_node)(const struct step_room *room, uint64_t entry, unsigned count,
                                      const unsigned *row, const REAL difference[DIRECTIONS], REAL u,
                                      REAL *u_old)
{
    const REAL sum = NAME(scheme_sum)(difference[0], difference[1], difference[2], difference[3],
                                      difference[4], difference[5]);
    const REAL *wall_q = room->wall_q, lambda2 = (REAL)room->lambda2;
    if (room->walls != NULL && count > 0)
        *u_old = NAME(step_reference_wall)(room->walls, entry, count, row, u, *u_old, sum, lambda2);
    else
        *u_old = NAME(scheme_update)(u, *u_old, sum, lambda2, count > 0 ? wall_q[entry] : (REAL)0);
}

static void NAME(step_reference_blocks)(const struct step_room *room, const void *u_level, void *u_old_level,
                                        uint64_t first, uint64_t last)
{
    const struct block_grid *grid = room->blocks;
    const struct step_walls *walls = room->walls;
    const REAL *u = u_level;
    REAL *u_old = u_old_level;
    for (uint64_t id = first; id < last; ++id) {
        const struct block *block = &grid->block[id];
        uint64_t wall = grid->wall_first[id];
        for (unsigned slot = 0; slot < BLOCK_NODES; ++slot) {
            const uint64_t here = id * BLOCK_NODES + slot;
            const unsigned links = grid->tile[block->tile][slot];
            REAL difference[DIRECTIONS];
            for (unsigned d = 0; d < DIRECTIONS; ++d)
                difference[d] =
                    links >> d & 1 ? u[step_block_neighbour(block, id, slot, d)] - u[here] : (REAL)0;

            const uint64_t entry = wall;
            unsigned count = 0, row[STEP_NODE_ENTRIES];
            while (wall < grid->wall_first[id + 1] && (grid->wall[wall].slot & WALL_SLOT) == slot) {
                row[count++] = walls != NULL ? step_wall_row(walls, grid->wall[wall].material) : 0;
                ++wall;
            }
            NAME(step_reference_node)(room, entry, count, row, difference, u[here], &u_old[here]);
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
    uint64_t wall = step_box_wall_from(box, step_unit_index(room, first));
    for (uint64_t unit = first; unit < last; ++unit) {
        const uint64_t row = step_unit_index(room, unit);
        for (uint64_t x = 1; x <= (uint64_t)box->nodes[0]; ++x) {
            const uint64_t here = row + x;
            const unsigned links = box->links[here];
            REAL difference[DIRECTIONS];
            for (unsigned d = 0; d < DIRECTIONS; ++d)
                difference[d] = links >> d & 1 ? u[step_box_neighbour(box, here, d)] - u[here] : (REAL)0;

            const uint64_t entry = wall;
            unsigned count = 0, row_of[STEP_NODE_ENTRIES];
            while (wall < box->walls && (box->wall[wall].node & ~BOX_WALL_CONTINUES) == here) {
                row_of[count++] = walls != NULL ? step_wall_row(walls, box->wall[wall].material) : 0;
                ++wall;
            }
            NAME(step_reference_node)(room, entry, count, row_of, difference, u[here], &u_old[here]);
        }
    }
}

#undef NAME
#undef PASTE
#undef PASTE_
#undef SUFFIX
#undef REAL
