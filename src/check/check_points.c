/** Finds the cavities of a model, and where sources and receivers are: in usable air, outside, in a wall,
 * or in a room that is not closed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/leak.h"
#include "geometry/room/openings.h"
#include "rooms/text/table_text.h"
#include "src/base/interrupt.h"
#include "src/check/room_check.h"
#include "src/setup/room_leak.h"
#include "src/setup/room_space.h"

/* Most positions that are explained; each takes a voxelisation. Further ones are only named. */
#define EXPLAINED_MAX 8

static struct voxel_seed seed_at(enum seed_kind kind, const char *name, const double position[3])
{
    struct voxel_seed seed = {.kind = kind, .name = name};
    memcpy(seed.position, position, sizeof seed.position);
    return seed;
}

/* ---- positions that are wrong ---- */

/* Its sentence begins with the name of the point. */
static struct check_finding *add_misplaced(struct room_check *check, const struct room_point *point,
                                           int32_t where)
{
    struct check_finding *finding =
        check_report_add(&check->report, CHECK_UNFIT,
                         where == CAVITY_OUTSIDE   ? CHECK_POINT_OUTSIDE
                         : where == CAVITY_IN_WALL ? CHECK_POINT_IN_WALL
                                                   : CHECK_POINT_APART,
                         "%s", point->kind == SEED_SOURCE ? "source" : "receiver");
    check_finding_place(finding, point->position, NAN);
    return finding;
}

/* "source "S1" at 1, 2, 3 m `is`" */
static void name_misplaced(struct room_check *check, const struct room_point *point, int32_t where,
                           const char *is, const char *fix)
{
    char place[ROOM_PLACE_MAX];
    struct check_finding *finding = add_misplaced(check, point, where);
    check_finding_say(finding, " \"%s\" at %s %s", point->name, room_place(point->position, place), is);
    failure_fix(0, &finding->what, "%s", fix);
}

/* Let the voxeliser find the fault of a point, together with the first good source. */
static int explain_point(struct room_check *check, const struct room_point *point, int32_t where,
                         struct failure *failure)
{
    struct voxels voxels = {0};
    struct check_leak leak = {.spacing = check->report.spacing};
    struct failure why = {0};
    struct voxel_seed seed[2];
    size_t count = 0;
    if (check->seed_count > 0)
        seed[count++] = check->seed[0];
    else if (point->kind == SEED_RECEIVER)
        seed[count++] = seed_at(SEED_SOURCE, "", check->map.cavity[0].position);
    seed[count++] = seed_at(point->kind, point->name, point->position);
    snprintf(leak.from, sizeof leak.from, "%s \"%s\"", point->kind == SEED_SOURCE ? "source" : "receiver",
             point->name);
    int code = voxelise(&check->setup.model.mesh, &check->setup.grid.lattice, seed, count, &check->voxelise,
                        &voxels, NULL, &leak.leak, &why);
    voxels_free(&voxels);
    if (code != 0 && code != FAILURE_INPUT)
        return failure_forward(failure, &why);
    const bool refused = code != 0;
    code = 0; /* this is a finding */
    if (leak.leak.point_count > 0)
        code = check_leak(check, &leak, point->position, failure);
    else if (refused)
        (void)failure_forward(&add_misplaced(check, point, where)->what, &why);
    else if (check->seed_count > 0) /* its own cavity is closed, and differs from that of the others .. */
        name_misplaced(check, point, where,
                       "is in another closed space than the first source: no path through the air joins them",
                       "give each space a run of its own, or join them by an opening in the model");
    else /* .. or is not on the list */
        name_misplaced(check, point, where, "is in one of the smallest closed spaces of the model",
                       "move it into the room");
    voxel_leak_free(&leak.leak);
    return code;
}

/* ---- another space than the largest ---- */

/* Without a source, spaces of this share of the largest one and of this thickness [m] may be meant as
 * well. */
#define WHICH_ROOM_SHARE     0.1
#define WHICH_ROOM_THICKNESS 1.0

/* True if a larger space than `volume`, that of the positions, exists. Its leak path is reported as a
 * leak, unless the sources are in another space. */
static int find_larger(struct room_check *check, const double (*place)[3], size_t count, double volume,
                       struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    struct check_leak leak = {.spacing = check->report.spacing};
    char text[ROOM_PLACE_MAX];
    int code = room_space_larger(&setup->model.mesh, &setup->grid.lattice, &check->voxelise, place, count,
                                 volume, &setup->grid.larger, &leak.leak, failure);
    if (code == 0 && setup->grid.larger.open && setup->points.sources == 0) {
        snprintf(leak.from, sizeof leak.from, "inside, %s,", room_place(setup->grid.larger.position, text));
        code = check_leak(check, &leak, setup->grid.larger.position, failure);
        if (code == 0 && check->report.leak_count > 0) {
            const struct voxel_leak *const told = &check->report.leak[0].leak;
            memcpy(setup->grid.larger.gap, told->gap, sizeof told->gap);
            setup->grid.larger.gap_size = told->gap_size;
        }
    }
    voxel_leak_free(&leak.leak);
    return code;
}

/* A roof void may hold more air than the room below it: with two large spaces the largest is a guess. */
static void report_which_room(struct room_check *check)
{
    const struct cavity_map *map = &check->map;
    size_t large = 0;
    while (large < map->count && map->cavity[large].volume >= WHICH_ROOM_SHARE * map->cavity[0].volume &&
           map->cavity[large].thickness >= WHICH_ROOM_THICKNESS)
        large++;
    if (large < 2)
        return;
    struct check_finding *finding = check_report_add(
        &check->report, CHECK_DOUBTFUL, CHECK_WHICH_ROOM,
        "%zu closed spaces are large enough to be the room, the largest is taken: it may be a roof void or a "
        "neighbour's",
        large);
    finding->value = (double)large;
    for (size_t i = 0; i < large; i++) {
        char place[ROOM_PLACE_MAX];
        if (i < CHECK_PLACES_SAID)
            check_finding_say(finding, "%s %.4g m3 around %s", i > 0 ? ";" : ". They hold",
                              map->cavity[i].volume, room_place(map->cavity[i].position, place));
        check_finding_place(finding, map->cavity[i].position, NAN);
    }
    if (large > CHECK_PLACES_SAID)
        check_finding_say(finding, "; ..");
    failure_advise(0, &finding->what, ADVICE_SOURCE_IN_ROOM, 0);
}

static int no_source(struct room_check *check, struct failure *failure)
{
    const struct cavity_map *map = &check->map;
    const struct room_setup *setup = &check->setup;
    struct check_report *report = &check->report;
    const bool none = map->count == 0;
    const double closed = none ? 0 : map->cavity[0].volume, *middle = none ? NULL : map->cavity[0].position;
    struct check_finding *finding;
    char words[ROOM_SPACE_WORDS_MAX], place[ROOM_PLACE_MAX];
    TRY(find_larger(check, (const double(*)[3])middle, !none, closed, failure));
    const bool leaks = setup->grid.larger.open;
    if (leaks || check_is_small(setup, map)) {
        finding =
            check_report_add(report, none || leaks ? CHECK_UNFIT : CHECK_DOUBTFUL, CHECK_NOT_ENCLOSED, "%s",
                             none ? "the model encloses no air" : "the largest closed space holds ");
        finding->value = closed;
        if (!none && leaks)
            check_finding_say(finding, "%.4g m3, but %s", closed,
                              room_space_words(&setup->grid.larger, words));
        else if (!none)
            check_finding_say(finding,
                              "%.3g m3, while the box around the model holds %.3g m3: it may be a piece of "
                              "furniture, and the room itself open",
                              closed, room_box_volume(&setup->model));
        if (leaks)
            failure_fix(0, &finding->what, "close the leak above");
        failure_advise(0, &finding->what, leaks ? ADVICE_SOURCE_IN_ROOM : ADVICE_GIVE_SOURCE_OR_UNITS, 0);
    }
    if (none || leaks)
        return 0;
    finding = check_report_add(
        report, CHECK_MISSING, CHECK_NO_SOURCE,
        "no source was given: the largest closed space, %.4g m3 around %s, is taken for the room", closed,
        room_place(middle, place));
    check_finding_place(finding, middle, NAN);
    failure_advise(0, &finding->what, ADVICE_PLACE_SOURCE, 0);
    check->seed[check->seed_count++] = seed_at(SEED_SOURCE, "S1", middle);
    check->home = 0;
    report_which_room(check);
    return 0;
}

/* ---- all positions ---- */

/* Points `first` .. `end` - 1 are of one kind: those in the air of the first good source become seeds,
 * the others are reported. */
static int sort_points(struct room_check *check, size_t first, size_t end, size_t *explained,
                       struct failure *failure)
{
    const struct room_point *point = check->setup.points.point;
    const int32_t *cavity = check->map.place_cavity, home = check->home;
    for (size_t i = first; i < end; i++)
        if (cavity[i] >= 0 && cavity[i] == home)
            check->seed[check->seed_count++] = seed_at(point[i].kind, point[i].name, point[i].position);
    for (size_t i = first; i < end; i++) {
        const bool receiver = point[i].kind == SEED_RECEIVER;
        if (cavity[i] >= 0 && cavity[i] == home)
            continue;
        /* If the source leaks, a receiver has no air to be in. */
        if (receiver && check->seed_count == 0 && cavity[i] != CAVITY_IN_WALL)
            continue;
        TRY(interrupt_stop(failure));
        if ((*explained)++ < EXPLAINED_MAX && (!receiver || check->seed_count > 0 || check->map.count > 0))
            TRY(explain_point(check, &point[i], cavity[i], failure));
        else
            name_misplaced(check, &point[i], cavity[i],
                           cavity[i] == CAVITY_OUTSIDE   ? "is outside the room, or where it is not closed"
                           : cavity[i] == CAVITY_IN_WALL ? "is in a wall"
                                                         : "is not in the same space as the first source",
                           "move it into the room");
    }
    return 0;
}

/* True if the space of the sources is the largest. */
static int side_cavity(struct room_check *check, struct failure *failure)
{
    const struct room_setup *setup = &check->setup;
    const double volume = check->map.cavity[check->home].volume;
    char words[ROOM_SPACE_WORDS_MAX];
    double clearance;
    TRY(find_larger(check, (const double(*)[3])check->seed[0].position, 1, volume, failure));
    if (setup->grid.larger.volume == 0)
        return 0;
    TRY(room_space_tightness(setup, &clearance, failure));
    const bool furniture = isfinite(clearance);
    struct check_finding *finding = check_report_add(
        &check->report, furniture ? CHECK_UNFIT : CHECK_DOUBTFUL, CHECK_SIDE_CAVITY,
        "the sources are in a space of %.4g m3, but %s%s", volume,
        room_space_words(&setup->grid.larger, words),
        furniture ? "; this space looks like the inside of furniture, a floor or a wall" : "");
    check_finding_place(finding, setup->grid.larger.position, NAN);
    if (furniture)
        failure_advise(0, &finding->what, ADVICE_GIVE_POSITIONS, 0);
    else
        failure_fix(0, &finding->what, "nothing, if that is intended; otherwise move the sources there");
    return 0;
}

int32_t check_home(const struct room_points *points, const struct cavity_map *map)
{
    for (size_t i = 0; i < points->sources; i++)
        if (map->place_cavity[i] >= 0)
            return map->place_cavity[i];
    return CAVITY_OUTSIDE;
}

int check_points(struct room_check *check, struct failure *failure)
{
    const struct room_points *points = &check->setup.points;
    const size_t count = points->sources + points->receivers;
    size_t explained = 0;
    check->seed = calloc(count + 1, sizeof *check->seed);
    if (check->seed == NULL)
        return failure_memory(failure, (count + 1) * sizeof *check->seed, "positions");
    TRY(cavity_map_make(&check->setup.model.mesh, &check->setup.grid.lattice, &check->voxelise,
                        CHECK_CAVITIES, (const double(*)[3])check->place, count, &check->map, failure));
    TRY(interrupt_stop(failure));
    check->home = check_home(points, &check->map);
    if (points->sources == 0)
        TRY(no_source(check, failure));
    else
        TRY(sort_points(check, 0, points->sources, &explained, failure));
    if (points->sources > 0 && check->home >= 0)
        TRY(side_cavity(check, failure));
    if (points->receivers > 0)
        TRY(sort_points(check, points->sources, count, &explained, failure));
    else if (check->setup.request.points.receiver_grid.count == 0)
        failure_advise(
            0,
            &check_report_add(&check->report, CHECK_MISSING, CHECK_NO_RECEIVER, "no receiver was given")
                 ->what,
            ADVICE_PLACE_RECEIVER, 0);
    return check_cavities(check, failure);
}
