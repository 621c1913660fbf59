/* Estimates the bytes of MPI ranks that step a room in parts. */
#include <math.h>

#include "blocks/parts/thin_grid.h"
#include "kernels/engine/engine_sheets.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_engine.h"

/* A run has a ledger, `compare` does not. */
double estimate_kept_by_entry(const struct room_setup *setup)
{
    const struct wall_materials walls =
        room_wall_materials(setup, &setup->grid, !setup->request.plan.both_layouts);
    return (double)engine_wall_entry_bytes(&walls, setup->request.engine.precision);
}

/* The parts of rank 0 and of the largest other rank. */
struct two_parts {
    struct part_counts first, other;
};

static double bytes_of(const struct room_setup *setup, unsigned levels, const struct part_counts *part)
{
    const unsigned real = (unsigned)estimate_real_bytes(setup);
    return part_bytes(part, levels, real, estimate_kept_by_entry(setup)) +
           part->sheets * (double)engine_sheet_bytes_of(1, real);
}

static double wall_cost(const struct room_setup *setup)
{
    return backend_is_device(setup->backend.backend) ? PARTITION_WALL_COST_DEVICE : PARTITION_WALL_COST;
}

/* False if the room cannot be divided so, or memory ran out; making the engine reports it. */
static bool count_parts(const struct room_setup *setup, const struct block_grid *grid, unsigned levels,
                        struct two_parts *out)
{
    struct partition partition = {0};
    bool counted = partition_make(grid, setup->hosts.ranks, wall_cost(setup), &partition, NULL) == 0 &&
                   part_count(grid, &partition, 0, &out->first, NULL) == 0;
    out->other = (struct part_counts){0};
    for (unsigned p = 1; counted && p < setup->hosts.ranks; p++) {
        struct part_counts part;
        counted = part_count(grid, &partition, p, &part, NULL) == 0;
        if (counted && bytes_of(setup, levels, &part) > bytes_of(setup, levels, &out->other))
            out->other = part;
    }
    partition_free(&partition);
    return counted;
}

void estimate_ranks(const struct room_setup *setup, const struct part_counts *whole,
                    const struct block_grid *grid, unsigned levels, double samples, struct room_needs *needs)
{
    struct two_parts parts;
    if (grid == NULL || !count_parts(setup, grid, levels, &parts)) {
        part_count_largest(whole, setup->hosts.ranks, wall_cost(setup), &parts.first);
        parts.other = parts.first;
    }
    struct part_counts alone = *whole;
    alone.ghosts = alone.values = 0;
    const double topology = part_grid_bytes(&alone),
                 thin = block_grid_thin_bytes(whole->blocks, whole->tiles, whole->cuts, whole->list_nodes,
                                              whole->has_records) +
                        whole->sheets * (double)sizeof(struct sheet_link),
                 cut = fmax(part_grid_bytes(&parts.first), part_grid_bytes(&parts.other));
    needs->bytes_first = fmax(topology + cut, thin + bytes_of(setup, levels, &parts.first) + samples);
    needs->bytes_rank = bytes_of(setup, levels, &parts.other);
}
