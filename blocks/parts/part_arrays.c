#include "blocks/parts/part_arrays.h"

#include <stdlib.h>

/* Spare bytes beyond the end, which a vector load at the last item may read. */
#define SPARE 64

void part_arrays(struct part_grid *part, struct part_array out[PART_ARRAYS])
{
    struct block_grid *const g = &part->grid;
    const uint64_t blocks = (uint64_t)g->blocks + 1, stored = blocks + g->ghosts,
                   records = g->has_records ? 1 : 0, wide = g->isotropic ? 1 : 0;
    const struct part_array all[PART_ARRAYS] = {
        {(void **)&g->block, stored * sizeof *g->block},
        {(void **)&g->tile, g->tiles * sizeof *g->tile},
        {(void **)&g->wall_first, (blocks + 1) * sizeof *g->wall_first},
        {(void **)&g->wall, g->walls * sizeof *g->wall},
        {(void **)&g->find_table, g->find_slots * sizeof *g->find_table},
        {(void **)&g->marks, records * g->tiles * sizeof *g->marks},
        {(void **)&g->cut_first, records * (blocks + 1) * sizeof *g->cut_first},
        {(void **)&g->cut, g->cuts * sizeof *g->cut},
        {(void **)&g->gain, g->cuts * sizeof *g->gain},
        {(void **)&g->list_voxel, g->list_nodes * sizeof *g->list_voxel},
        {(void **)&g->extra_node, g->extra_nodes * sizeof *g->extra_node},
        {(void **)&g->extra_link, g->extra_links * sizeof *g->extra_link},
        {(void **)&g->merged_node, g->merged * sizeof *g->merged_node},
        {(void **)&g->edge, wide * stored * sizeof *g->edge},
        {(void **)&g->plaquette, wide * g->cuts * sizeof *g->plaquette},
        {(void **)&g->sheet, g->sheets * sizeof *g->sheet},
        {(void **)&g->law, g->laws * sizeof *g->law},
        {(void **)&g->ghost_open, g->ghost_opens * sizeof *g->ghost_open},
        {(void **)&part->ghost, g->ghosts * sizeof *part->ghost},
        {(void **)&part->peer, part->peers * sizeof *part->peer},
        {(void **)&part->send, part->sends * sizeof *part->send},
        {(void **)&part->receive, part->receives * sizeof *part->receive},
        {(void **)&part->surface, part->surfaces * sizeof *part->surface},
    };
    for (int n = 0; n < PART_ARRAYS; n++)
        out[n] = all[n];
}

int part_arrays_allocate(struct part_grid *part, struct failure *failure)
{
    struct part_array array[PART_ARRAYS];
    uint64_t bytes = 0;
    bool there = true;
    part_arrays(part, array);
    for (int n = 0; n < PART_ARRAYS; n++)
        *array[n].where = NULL;
    for (int n = 0; n < PART_ARRAYS; n++) {
        *array[n].where = malloc((size_t)array[n].bytes + SPARE);
        there = there && *array[n].where != NULL;
        bytes += array[n].bytes;
    }
    return there ? 0 : failure_memory(failure, bytes, "a part of the room");
}
