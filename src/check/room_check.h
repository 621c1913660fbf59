/** Is a model fit to be simulated? From a request to a report of what was found (check_report.h).
 *
 *   room_check_run()   file -> model (check_model, check_axes) -> grid -> cavities and positions
 *                      (check_points) -> the run's air (check_air) -> sorted report
 *
 * The grid is the run's, by --fmax or --spacing, else as `simulate` chooses it. If that does not fit this
 * machine, or nothing is enclosed, it is coarser, and the report says so. Prints nothing.
 */
#ifndef SRC_ROOM_CHECK_H
#define SRC_ROOM_CHECK_H

#include "geometry/room/cavity_map.h"
#include "geometry/voxel/voxels.h"
#include "src/check/check_report.h"
#include "src/setup/receiver_grid.h"
#include "src/setup/room_setup.h"

/** Cavities that are listed separately; the largest. */
#define CHECK_CAVITIES 64

struct room_check;

/** Called before each piece of work, and during long pieces. `what` is its name ("looking for cavities"),
 * `share` the part of the check that is done, 0 to 1. A failure ends the check. */
typedef int room_check_progress(void *context, const struct room_check *check, const char *what, double share,
                                struct failure *failure);

/** Everything is owned, freed by room_check_free(). Start zeroed and do not copy. */
struct room_check {
    room_check_progress *progress; /* borrowed */
    void *context;
    double share[2]; /* shares of the check before and after the current piece of work */
    struct room_setup setup;
    struct voxelise_options voxelise; /* for the grid of setup */
    double (*place)[3];               /* (sources + receivers) positions as in setup.points.point [m] */
    struct check_report report;
    struct cavity_map map;
    int32_t home;            /* the cavity of the run's air; < 0: none */
    size_t seed_count;       /* sources and receivers of a run: those in usable air */
    struct voxel_seed *seed; /* (seed_count) sources first; names and positions as in setup.points.point */
    struct voxels voxels;    /* the run's air; empty without any */
    size_t grids;
    struct receiver_grid *grid;    /* (grids) those that were laid out, and that of the audience; owned */
    struct receiver_grid audience; /* the first of an audience, a copy whose arrays are those of `grid`; else
                                      empty */
};

/** Check the requested room. Findings are not failures. FAILURE_INPUT for a file, material list or option
 * that cannot be used; FAILURE_OUTPUT if the path of a leak cannot be written; FAILURE_CAPACITY for
 * memory; FAILURE_INTERRUPTED, with the findings so far in the report. */
int room_check_run(const struct room_request *request, room_check_progress *progress, void *context,
                   struct room_check *check, struct failure *failure);
void room_check_free(struct room_check *check);

/** Steps of room_check_run(). */

/** Cavities, and where sources and receivers are: in good air, outside, in a wall; leaks. Fills map, home,
 * seeds, report->cavity. */
int check_points(struct room_check *check, struct failure *failure);

/** Check the run's air: narrow openings, sealed cracks, reached surfaces, leaks on a finer grid. Needs
 * seeds. */
int check_air(struct room_check *check, struct failure *failure);
int check_finer(struct room_check *check, struct failure *failure);
int check_reached(struct room_check *check, struct failure *failure);

/** Lay out the requested receiver grids. Without any, that of the audience, and report nothing if it has
 * none. Needs the run's air. */
int check_audience(struct room_check *check, struct failure *failure);

/** Add a leak of the run's grid that was found from `place`, unless it is known already. The first leak
 * adds all openings of the room. Takes the path over. */
int check_leak(struct room_check *check, struct check_leak *leak, const double place[3],
               struct failure *failure);

/** Fill report->cavity from the map. */
int check_cavities(struct room_check *check, struct failure *failure);

/** True without a cavity, or if the largest one is too small for the model's room. */
bool check_is_small(const struct room_setup *setup, const struct cavity_map *map);

/** The cavity of the first source that is in one; CAVITY_OUTSIDE if no source is. */
int32_t check_home(const struct room_points *points, const struct cavity_map *map);

#endif
