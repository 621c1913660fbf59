#include "kernels/parts/part_flows.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/sheets/sheet_links.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_state.h"

static int no_memory(struct failure *failure, uint64_t bytes)
{
    return failure_memory(failure, bytes, "the flows between parts");
}

/* ---- of a part ----------------------------------------------------------------------------------------- */

/* `out` or `in` is NULL. */
static int move_flows(struct engine *engine, char *out, const char *in, struct failure *failure)
{
    const struct block_grid *const grid = engine->room.blocks;
    const size_t flow = SHEET_IMAGE_REALS * engine->real_bytes;
    if (grid->sheets == 0)
        return 0;
    char *const all = malloc((size_t)grid->sheets * flow);
    if (all == NULL)
        return no_memory(failure, grid->sheets * flow);
    int code = engine_sheets_get(engine, all, failure);
    for (uint64_t n = 0; code == 0 && n < grid->sheets; n++) {
        const struct sheet_link *const link = &grid->sheet[n];
        if (in != NULL && link->block > grid->blocks) {
            memcpy(all + n * flow, in, flow);
            in += flow;
        } else if (out != NULL && sheet_link_high(grid, link) > grid->blocks) {
            memcpy(out, all + n * flow, flow);
            out += flow;
        }
    }
    if (code == 0 && in != NULL)
        code = engine_sheets_set(engine, all, failure);
    free(all);
    return code;
}

int part_flows_give(struct engine *engine, void *flows, struct failure *failure)
{
    return move_flows(engine, flows, NULL, failure);
}

int part_flows_take(struct engine *engine, const void *flows, struct failure *failure)
{
    return move_flows(engine, NULL, flows, failure);
}

/* ---- of all -------------------------------------------------------------------------------------------- */

/* The part that a link ends in, or `parts` if it begins there too. */
static unsigned end_of(const struct block_grid *whole, const struct partition *partition,
                       const struct sheet_link *link, unsigned *begin)
{
    const unsigned end = partition_owner(partition, sheet_link_high(whole, link));
    *begin = partition_owner(partition, link->block);
    return end != *begin ? end : partition->parts;
}

int part_flows_find(const struct block_grid *whole, const struct partition *partition, struct part_flows *out,
                    struct failure *failure)
{
    const unsigned parts = partition->parts;
    struct part_flows flows = {.gives = calloc(parts, sizeof *flows.gives),
                               .takes = calloc(parts, sizeof *flows.takes)};
    uint64_t *const at = calloc(parts, sizeof *at);
    unsigned begin;
    bool there = flows.gives != NULL && flows.takes != NULL && at != NULL;
    for (uint64_t n = 0; there && n < whole->sheets; n++) {
        const unsigned end = end_of(whole, partition, &whole->sheet[n], &begin);
        if (end == parts)
            continue;
        flows.gives[begin]++;
        flows.takes[end]++;
        flows.flows++;
    }
    if (there)
        flows.given = malloc((size_t)(flows.flows + 1) * sizeof *flows.given);
    there = there && flows.given != NULL;
    for (unsigned p = 1; there && p < parts; p++)
        at[p] = at[p - 1] + flows.takes[p - 1];
    /* Links are in the order of their blocks, so the flows that a part gives are consecutive. */
    for (uint64_t n = 0, given = 0; there && n < whole->sheets; n++) {
        const unsigned end = end_of(whole, partition, &whole->sheet[n], &begin);
        if (end != parts)
            flows.given[at[end]++] = given++;
    }
    free(at);
    if (!there) {
        part_flows_free(&flows);
        return no_memory(failure, (3 * parts + flows.flows) * sizeof *at);
    }
    *out = flows;
    return 0;
}

void part_flows_free(struct part_flows *flows)
{
    free(flows->gives);
    free(flows->takes);
    free(flows->given);
    *flows = (struct part_flows){0};
}
