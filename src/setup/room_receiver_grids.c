/** The receiver grids of a room: laid out in its air, told, moved with its grid. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/acoustics/acoustic_figures.h"
#include "src/setup/receiver_area.h"
#include "src/setup/room_setup.h"
#include "src/signal/response.h"

/* All points of a floor; where these are too many to be listed, as many as a grid may keep. */
static double count_floor(const struct receiver_area *area, double spacing)
{
    struct floor_point *point = NULL;
    size_t count = 0;
    const int code = receiver_area_points(area, spacing, &point, &count, NULL);
    free(point);
    return code != 0 ? RECEIVER_GRID_POINTS_MAX : fmin((double)count, RECEIVER_GRID_POINTS_MAX);
}

int room_receiver_grids_check(struct room_setup *setup, struct failure *failure)
{
    const struct option_grids *asked = &setup->options->receiver_grid;
    setup->floor_points = setup->floor_most = 0;
    for (size_t g = 0; g < asked->count; g++) {
        const struct option_grid *grid = &asked->grid[g];
        struct receiver_area area = {0};
        TRY(receiver_area_make(&setup->mesh, grid, &area, failure));
        const double points =
            count_floor(&area, grid->spacing > 0 ? grid->spacing : setup->options->grid_spacing);
        setup->floor_points += points;
        setup->floor_most = fmax(setup->floor_most, points);
        receiver_area_free(&area);
    }
    return 0;
}

void room_receiver_grids_free(struct room_setup *setup)
{
    for (size_t g = 0; g < setup->receiver_grids; g++)
        receiver_grid_free(&setup->receiver_grid[g]);
    free(setup->receiver_grid);
    setup->receiver_grid = NULL;
    setup->receiver_grids = setup->grid_points = 0;
}

/* Room for as many as are asked for. */
static int start(struct room_setup *setup, struct failure *failure)
{
    const size_t count = setup->options->receiver_grid.count;
    setup->receiver_grids = setup->grid_points = 0;
    setup->receiver_grid = calloc(count + 1, sizeof *setup->receiver_grid);
    return setup->receiver_grid == NULL
               ? failure_memory(failure, count * sizeof *setup->receiver_grid, "receiver grids")
               : 0;
}

static void tell(const struct room_setup *setup, const struct receiver_grid *grid)
{
    char left[200] = "";
    if (grid->covered + grid->solid + grid->confined > 0)
        snprintf(left, sizeof left,
                 "; left out: %zu over whose floor something stands, %zu in no air, %zu less than a "
                 "cell from a surface or source",
                 grid->covered, grid->solid, grid->confined);
    room_say(setup, "receiver grid %s: %zu point%s, %.4g m apart and %.4g m above the floor%s", grid->name,
             grid->count, grid->count == 1 ? "" : "s", grid->spacing, grid->height, left);
}

int room_receiver_grids_make(struct room_setup *setup, struct failure *failure)
{
    const struct option_grids *asked = &setup->options->receiver_grid;
    room_receiver_grids_free(setup);
    if (asked->count == 0)
        return 0;
    struct clearance tree = {0};
    TRY(start(setup, failure));
    double(*source)[3] = calloc(setup->sources + 1, sizeof *source);
    int code = source == NULL ? failure_memory(failure, setup->sources * sizeof *source, "positions")
                              : clearance_make(&setup->mesh, &tree, failure);
    for (size_t s = 0; code == 0 && s < setup->sources; s++)
        memcpy(source[s], setup->point[s].position, sizeof source[s]);
    const struct receiver_air air = {
        .tree = &tree, .grid = &setup->grid, .sources = setup->sources, .source = (const double(*)[3])source};
    for (size_t g = 0; code == 0 && g < asked->count; g++) {
        struct receiver_grid *grid = &setup->receiver_grid[g];
        code = receiver_grid_make(&air, setup->options, &asked->grid[g], grid, failure);
        if (code != 0)
            break;
        setup->receiver_grids++;
        setup->grid_points += grid->count;
        tell(setup, grid);
    }
    clearance_free(&tree);
    free(source);
    return code;
}

int room_receiver_grids_move(const struct room_setup *setup, struct room_setup *shifted,
                             struct failure *failure)
{
    shifted->receiver_grid = NULL;
    TRY(start(shifted, failure));
    for (size_t g = 0; g < setup->receiver_grids; g++) {
        TRY(receiver_grid_move(&setup->receiver_grid[g], &shifted->grid, &shifted->receiver_grid[g],
                               failure));
        shifted->receiver_grids++;
        shifted->grid_points += shifted->receiver_grid[g].count;
    }
    return 0;
}

double room_grid_points_most(const struct room_setup *setup)
{
    return setup->receiver_grid != NULL ? (double)setup->grid_points : setup->floor_points;
}

/* A thread holds a group as it comes out of the conversion, and one of it to measure; what those make of it
 * is about as much again. */
double room_maps_bytes(const struct room_setup *setup, double duration)
{
    const int threads = setup->options->threads > 0 ? (int)setup->options->threads : omp_get_max_threads();
    double largest = setup->receiver_grid == NULL ? setup->floor_most : 0;
    for (size_t g = 0; g < setup->receiver_grids; g++)
        largest = fmax(largest, (double)setup->receiver_grid[g].count);
    const double groups = fmin(threads, ceil(largest / RESPONSE_GROUP)), samples = duration * RESPONSE_RATE;
    return (largest + 2 * (RESPONSE_GROUP + 1) * groups) * samples * sizeof(float) +
           largest * sizeof(struct acoustic_figures);
}
