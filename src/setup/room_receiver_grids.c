#include "src/setup/room_receiver_grids.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/response/acoustics/kept_response.h"
#include "src/response/signal/response.h"

/* Room for as many. */
static int allocate_grids(struct room_grid *grid, size_t count, struct failure *failure)
{
    grid->receiver_grids = grid->grid_points = 0;
    grid->receiver_grid = calloc(count + 1, sizeof *grid->receiver_grid);
    return grid->receiver_grid == NULL
               ? failure_memory(failure, count * sizeof *grid->receiver_grid, "receiver grids")
               : 0;
}

static void print_grid(const struct room_setup *setup, const struct receiver_grid *grid)
{
    char left[240] = "", words[AUDIENCE_WORDS_MAX] = "";
    if (grid->covered + grid->solid + grid->confined + grid->ledges > 0) {
        snprintf(left, sizeof left,
                 "; left out: %zu above something on the floor, %zu not in air, %zu less than %s cell from a "
                 "surface or source",
                 grid->covered, grid->solid, grid->confined, grid->audience ? "half a" : "a");
        if (grid->audience)
            text_append(left, sizeof left, ", %zu where nobody sits", grid->ledges);
    }
    if (grid->audience)
        (void)audience_floor_words(&grid->floor, &setup->model.mesh, words);
    room_say(&setup->notices, "receiver grid %s: %zu point%s, %.4g m apart and %.4g m above the floor%s%s%s",
             grid->name, grid->count, grid->count == 1 ? "" : "s", grid->spacing, grid->height,
             grid->audience ? ", where people sit: " : "", words, left);
}

int room_receiver_grids_make(struct room_setup *setup, struct failure *failure)
{
    const struct option_grids *asked = &setup->request.points.receiver_grid;
    if (asked->count == 0)
        return 0;
    struct clearance tree = {0};
    TRY(allocate_grids(&setup->grid, asked->count, failure));
    double(*source)[3] = calloc(setup->points.sources + 1, sizeof *source);
    int code = source == NULL ? failure_memory(failure, setup->points.sources * sizeof *source, "positions")
                              : clearance_make(&setup->model.mesh, &tree, failure);
    for (size_t s = 0; code == 0 && s < setup->points.sources; s++)
        memcpy(source[s], setup->points.point[s].position, sizeof source[s]);
    const struct receiver_air air = {.tree = &tree,
                                     .use = setup->model.use,
                                     .grid = &setup->grid.packed,
                                     .sources = setup->points.sources,
                                     .source = (const double(*)[3])source};
    int refused = code; /* by grids without a point left: all are reported */
    for (size_t g = 0; code == 0 && g < asked->count; g++) {
        struct receiver_grid *grid = &setup->grid.receiver_grid[setup->grid.receiver_grids];
        struct failure next = {0};
        const int made = receiver_grid_make(&air, &setup->request.points, &asked->grid[g], grid, &next);
        if (made == FAILURE_INPUT && asked->by_itself) {
            room_say(&setup->notices, "no map: %s", next.sentence);
            continue;
        }
        refused = failure_join(refused, failure, &next);
        if (refused != 0 && refused != FAILURE_INPUT)
            break;
        if (refused != 0)
            continue;
        setup->grid.receiver_grids++;
        setup->grid.grid_points += grid->count;
        print_grid(setup, grid);
    }
    clearance_free(&tree);
    free(source);
    return refused;
}

int room_receiver_grids_move(const struct room_grid *from, struct room_grid *to, struct failure *failure)
{
    TRY(allocate_grids(to, from->receiver_grids, failure));
    for (size_t g = 0; g < from->receiver_grids; g++) {
        TRY(receiver_grid_move(&from->receiver_grid[g], &to->packed, &to->receiver_grid[g], failure));
        to->receiver_grids++;
        to->grid_points += to->receiver_grid[g].count;
    }
    return 0;
}

double room_grid_points_most(const struct room_setup *setup)
{
    return setup->grid.receiver_grid != NULL ? (double)setup->grid.grid_points : setup->points.floor_points;
}

size_t room_maps_every(const struct room_setup *setup, double highest)
{
    return setup->request.plan.rays ? 1 : kept_every(highest);
}

#define JOIN_FLOATS 24 /* a sample: transforms that join rays to a response */

/* A thread holds a group of converted responses, and one of them to measure. Their results take about as much
 * again. */
double room_maps_bytes(const struct room_setup *setup, double highest, double duration)
{
    const int threads =
        setup->request.engine.threads > 0 ? (int)setup->request.engine.threads : omp_get_max_threads();
    const size_t of_thirds =
        setup->request.plan.bands == BANDS_THIRD ? PRESSURE_FIGURES * BANDS_MAX * sizeof(double) : 0;
    double largest = setup->grid.receiver_grid == NULL ? setup->points.floor_most : 0;
    for (size_t g = 0; g < setup->grid.receiver_grids; g++)
        largest = fmax(largest, (double)setup->grid.receiver_grid[g].count);
    const double groups = fmin(threads, ceil(largest / RESPONSE_GROUP)), samples = duration * RESPONSE_RATE,
                 of_group = 2 * (RESPONSE_GROUP + 1) + (setup->request.plan.rays ? JOIN_FLOATS : 0);
    return (largest / (double)room_maps_every(setup, highest) + of_group * groups) * samples * sizeof(float) +
           largest * (double)(sizeof(struct acoustic_figures) + of_thirds);
}
