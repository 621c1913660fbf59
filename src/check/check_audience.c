/** Finds where the points of receiver grids would be: the requested grids, or else the audience. */
#include <stdlib.h>

#include "src/check/room_check.h"
#include "src/setup/room_receiver_grids.h"

/* Describe a layout that succeeded. */
static void report_points(struct room_check *check, const struct receiver_grid *grid)
{
    char words[AUDIENCE_WORDS_MAX];
    struct check_finding *finding =
        check_report_add(&check->report, CHECK_HARMLESS, CHECK_RECEIVER_GRID,
                         "a receiver grid %s would have %zu point%s, %.4g m apart and %.4g m above the floor",
                         grid->name, grid->count, grid->count == 1 ? "" : "s", grid->spacing, grid->height);
    finding->value = (double)grid->count;
    if (grid->audience)
        check_finding_say(finding, ", where people sit: %s",
                          audience_floor_words(&grid->floor, &check->setup.model.mesh, words));
}

static int lay_out(struct room_check *check, const struct receiver_air *air, const struct option_grid *asked,
                   bool wanted, struct failure *failure)
{
    struct receiver_grid grid = {0};
    struct failure why = {0};
    const int code = receiver_grid_make(air, &check->setup.request.points, asked, &grid, &why);
    if (code == 0)
        report_points(check, &grid);
    else if (code != FAILURE_INPUT)
        return failure_forward(failure, &why);
    else if (wanted)
        failure_fix(
            0,
            &check_report_add(&check->report, CHECK_MISSING, CHECK_RECEIVER_GRID, "%s", why.sentence)->what,
            "%s", why.fix);
    if (code == 0)
        check->grid[check->grids++] = grid;
    if (grid.audience && check->audience.count == 0)
        check->audience = grid;
    return 0;
}

int check_audience(struct room_check *check, struct failure *failure)
{
    static const struct option_grid audience = {.name = "audience"};
    const struct option_grids *asked = &check->setup.request.points.receiver_grid;
    const size_t sources = check->setup.points.sources, count = asked->count > 0 ? asked->count : 1;
    struct clearance tree = {0};
    struct block_grid packed = {0};
    if (asked->none)
        return 0;
    check->grid = calloc(count, sizeof *check->grid);
    if (check->grid == NULL)
        return failure_memory(failure, count * sizeof *check->grid, "receiver grids");
    TRY(block_grid_pack(&check->voxels, &packed, failure));
    int code = clearance_make(&check->setup.model.mesh, &tree, failure);
    const struct receiver_air air = {.tree = &tree,
                                     .use = check->setup.model.use,
                                     .grid = &packed,
                                     .sources = sources,
                                     .source = (const double(*)[3])check->place};
    for (size_t g = 0; code == 0 && g < count; g++)
        code =
            lay_out(check, &air, asked->count > 0 ? &asked->grid[g] : &audience, asked->count > 0, failure);
    clearance_free(&tree);
    block_grid_free(&packed);
    return code;
}
