/* Body of step_reference.c, included once for each REAL with its SUFFIX; no include guard for that reason. */

#define PASTE_(name, suffix) name##_##suffix
#define PASTE(name, suffix)  PASTE_(name, suffix)
#define NAME(name)           PASTE(name, SUFFIX)

static void NAME(step_reference_blocks)(const struct step_room *room, const void *u_level, void *u_old_level,
                                        uint64_t first, uint64_t last)
{
    const struct block_grid *grid = room->blocks;
    const REAL *u = u_level, *wall_q = room->wall_q;
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

            REAL q = 0;
            if (wall < grid->wall_first[id + 1] && grid->wall[wall].slot == slot) {
                q = wall_q[wall++];
                while (wall < grid->wall_first[id + 1] && (grid->wall[wall].slot & WALL_CONTINUES))
                    ++wall;
            }
            const REAL sum = NAME(scheme_sum)(difference[0], difference[1], difference[2], difference[3],
                                              difference[4], difference[5]);
            u_old[here] = NAME(scheme_update)(u[here], u_old[here], sum, (REAL)room->lambda2, q);
        }
    }
}

static void NAME(step_reference_box)(const struct step_room *room, const void *u_level, void *u_old_level,
                                     uint64_t first, uint64_t last)
{
    const struct box_grid *box = room->box;
    const REAL *u = u_level, *wall_q = room->wall_q;
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

            REAL q = 0;
            if (wall < box->walls && box->wall[wall].node == here) {
                q = wall_q[wall++];
                while (wall < box->walls && (box->wall[wall].node & BOX_WALL_CONTINUES))
                    ++wall;
            }
            const REAL sum = NAME(scheme_sum)(difference[0], difference[1], difference[2], difference[3],
                                              difference[4], difference[5]);
            u_old[here] = NAME(scheme_update)(u[here], u_old[here], sum, (REAL)room->lambda2, q);
        }
    }
}

#undef NAME
#undef PASTE
#undef PASTE_
#undef SUFFIX
#undef REAL
