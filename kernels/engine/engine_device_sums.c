/* Sums of an engine with a device that may be made in pieces (engine_sums.h): the device finds what each
 * block, extra link and wall entry adds, with the bits of a processor, and the host adds it up in their
 * order. */
#include "kernels/engine/engine_device_sums.h"

#include <assert.h>
#include <stdlib.h>

#include "kernels/cuda/device_engine.h"
#include "kernels/engine/engine_wall_entries.h"

struct device_sums {
    uint64_t unit, units;                     /* what the first three are of */
    uint64_t first_link, links, first, count; /* extra links and wall entries of these */
    double (*block)[2], *link, *entry;        /* owned */
    uint64_t first_loss, losses;              /* entries that .. */
    void *loss;                               /* .. this is of; owned */
};

void engine_device_sums_free(struct device_sums *sums)
{
    if (sums == NULL)
        return;
    free(sums->block);
    free(sums->link);
    free(sums->entry);
    free(sums->loss);
    free(sums);
}

/* `bytes` in place of what was there. */
static bool make_room(void **array, uint64_t bytes)
{
    free(*array);
    *array = malloc((size_t)bytes + 1);
    return *array != NULL;
}

static int no_memory(uint64_t bytes, struct failure *failure)
{
    return failure_memory(failure, bytes, "sums of a device's field");
}

/* The extra links of the units first .. last-1. */
static void links_of(const struct block_grid *grid, uint64_t first, uint64_t last, uint64_t *begin,
                     uint64_t *count)
{
    *begin = *count = 0;
    if (!grid->has_records)
        return;
    const uint64_t from = block_extra_from(grid, first), to = block_extra_from(grid, last);
    if (from == to)
        return;
    *begin = grid->extra_node[from].first;
    *count = grid->extra_node[to - 1].first + grid->extra_node[to - 1].links - *begin;
}

static int fetch(struct engine *engine, struct device_sums *sums, struct failure *failure)
{
    struct device_engine *const device = engine->device;
    if (!make_room((void **)&sums->block, sums->units * sizeof *sums->block) ||
        !make_room((void **)&sums->link, sums->links * sizeof *sums->link) ||
        !make_room((void **)&sums->entry, sums->count * sizeof *sums->entry))
        return no_memory(sums->units * 16 + (sums->links + sums->count) * 8, failure);
    TRY(device_engine_block_energies(device, (uint32_t)sums->unit, (uint32_t)sums->units, sums->block,
                                     failure));
    TRY(device_engine_link_energies(device, sums->first_link, sums->links, sums->link, failure));
    return sums->count == 0
               ? 0
               : device_engine_entry_energies(device, engine->terms, engine->step.courant, engine->inertance,
                                              sums->first, sums->count, sums->entry, failure);
}

/* Made when first needed. */
static struct device_sums *sums_of(struct engine *engine, struct failure *failure)
{
    if (engine->device_sums == NULL)
        engine->device_sums = calloc(1, sizeof *engine->device_sums);
    if (engine->device_sums == NULL)
        (void)engine_keep(engine, no_memory(sizeof *engine->device_sums, failure), failure);
    return engine->device_sums;
}

bool engine_energy_look(struct engine *engine, uint64_t first, uint64_t last)
{
    struct failure failure = {0};
    if (engine->device == NULL)
        return true;
    struct device_sums *const sums = engine_send(engine) ? sums_of(engine, &failure) : NULL;
    if (sums == NULL)
        return false;
    const bool states = engine->room.walls != NULL && engine->walls.branches > 0;
    sums->unit = first;
    sums->units = last - first;
    links_of(engine->room.blocks, first, last, &sums->first_link, &sums->links);
    sums->first = engine_unit_wall(engine, first);
    sums->count = states ? engine_unit_wall(engine, last) - sums->first : 0;
    return engine_keep(engine, fetch(engine, sums, &failure), &failure);
}

void engine_device_energy_add(const struct engine *engine, uint64_t first, uint64_t last,
                              struct engine_energy_sums *sums)
{
    const struct device_sums *const found = engine->device_sums;
    uint64_t link, links;
    if (engine->failure.code != FAILURE_NONE)
        return;
    assert(found != NULL && first >= found->unit && last <= found->unit + found->units);
    for (uint64_t id = first; id < last; ++id) {
        sums->moving += found->block[id - found->unit][0];
        sums->stretched += found->block[id - found->unit][1];
    }
    links_of(engine->room.blocks, first, last, &link, &links);
    for (uint64_t n = 0; n < links; ++n)
        sums->extra += found->link[link + n - found->first_link];
    if (found->count == 0)
        return;
    const uint64_t end = engine_unit_wall(engine, last);
    for (uint64_t entry = engine_unit_wall(engine, first); entry < end; ++entry)
        sums->held += wall_weight(engine, entry) * found->entry[entry - found->first];
}

bool engine_loss_look(struct engine *engine, uint64_t first, uint64_t last)
{
    struct failure failure = {0};
    if (engine->device == NULL)
        return true;
    struct device_sums *const sums = engine_send(engine) ? sums_of(engine, &failure) : NULL;
    if (sums == NULL)
        return false;
    const uint64_t bytes = (last - first) * engine->real_bytes;
    sums->first_loss = first;
    sums->losses = last - first;
    return engine_keep(
        engine,
        !make_room(&sums->loss, bytes) ? no_memory(bytes, &failure)
        : bytes > 0 ? device_engine_read_losses(engine->device, first, last - first, sums->loss, &failure)
                    : 0,
        &failure);
}

double engine_device_loss(const struct engine *engine, uint64_t entry)
{
    const struct device_sums *const found = engine->device_sums;
    if (engine->failure.code != FAILURE_NONE)
        return 0.0;
    assert(found != NULL && entry >= found->first_loss && entry < found->first_loss + found->losses);
    return engine_value(engine, found->loss, entry - found->first_loss);
}

void engine_device_loss_clear(struct engine *engine)
{
    struct failure failure = {0};
    if (engine->failure.code == FAILURE_NONE)
        (void)engine_keep(engine, device_engine_clear_losses(engine->device, &failure), &failure);
}
