/* Body of step_reference.c, included once for each REAL with its SUFFIX; no include guard for that reason. */

#define PASTE_(name, suffix) name##_##suffix
#define PASTE(name, suffix)  PASTE_(name, suffix)
#define NAME(name)           PASTE(name, SUFFIX)

#include "kernels/cpu/step_node_body.h"

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
    const REAL *u = u_level, *wall_q = room->wall_q,
               whole = (REAL)(grid->isotropic ? room->lambda2 / 6 : room->lambda2);
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
            u_old[here] =
                NAME(step_reference_node)(walls, walls == NULL && count > 0 ? wall_q[entry] : (REAL)0, entry,
                                          count, row, &pull, u[here], u_old[here]);
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
    const REAL *u = u_level, *wall_q = room->wall_q,
               whole = (REAL)(box->isotropic ? room->lambda2 / 6 : room->lambda2);
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
            u_old[here] =
                NAME(step_reference_node)(walls, walls == NULL && count > 0 ? wall_q[entry] : (REAL)0, entry,
                                          count, row_of, &pull, u[here], u_old[here]);
        }
    }
}

#undef NAME
#undef PASTE
#undef PASTE_
#undef SUFFIX
#undef REAL
