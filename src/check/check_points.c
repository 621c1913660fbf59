/** Which cavities a model has, and where sources and receivers stand: in good air, outside, in a wall, in a
 * room that is not closed. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/leak/leak.h"
#include "src/check/room_check.h"
#include "src/options/failure_text.h"
#include "src/setup/room_leak.h"
#include "src/setup/room_space.h"

/* Positions that are explained in detail, each for the price of a voxelisation; further ones are only named.
 */
#define EXPLAINED_MAX 8

static const char *kind_word(enum seed_kind kind)
{
    return kind == SEED_SOURCE ? "source" : "receiver";
}

static struct voxel_seed seed_of(const struct room_point *point)
{
    struct voxel_seed seed = {.kind = point->kind, .name = point->name};
    memcpy(seed.position, point->position, sizeof seed.position);
    return seed;
}

/* ---- leaks ---- */

static const char *leak_advice(const struct check_leak *found, char *text, size_t size)
{
    snprintf(text, size, "Close it in the model: a closed door or window must be a face, with a material");
    if (found->leak.gap_size <= LEAK_SEAL_SUGGESTED)
        check_append(text, size, "; or have cracks of that width closed by --seal %.1fcm",
                     leak_seal_centimetres(found->leak.gap_size));
    check_append(text, size, ". Then check again: a smaller gap may stand behind this one.");
    return text;
}

int check_leak(struct room_check *check, struct check_leak *leak, struct failure *failure)
{
    struct check_report *report = &check->report;
    const struct voxel_leak *way = &leak->leak;
    char gap[LEAK_WIDTH_MAX], spacing[CHECK_LENGTH_MAX], run[CHECK_LENGTH_MAX], place[ROOM_PLACE_MAX];
    struct check_finding finding = leak->finer ? check_finding_make(CHECK_DOUBTFUL, CHECK_LEAK_FINER)
                                               : check_finding_make(CHECK_UNFIT, CHECK_LEAK);
    finding.value = way->gap_size;
    check_finding_place(&finding, way->gap, way->gap_size);
    room_place(way->gap, place);
    leak_width(way->gap_size, gap);
    check_length(leak->spacing, spacing);
    if (leak->finer)
        snprintf(
            finding.sentence, sizeof finding.sentence,
            "The room is closed on the run's grid of %s but not on another of %s: from %s a path leads out "
            "of the model through a gap about %s wide at %s. Runs at a higher --fmax will stop there.",
            check_length(report->spacing, run), spacing, leak->from, gap, place);
    else
        snprintf(
            finding.sentence, sizeof finding.sentence,
            "The room is not closed: from %s a path leads out of the model through a gap about %s wide at "
            "%s.",
            leak->from, gap, place);
    leak_advice(leak, finding.advice, sizeof finding.advice);
    if (report->leak_count == 0) {
        /* Written in the units and axes of the model, kept in metres. */
        struct voxel_leak turned = *way;
        turned.point = malloc(way->point_count * sizeof *turned.point);
        if (turned.point == NULL)
            return failure_memory(failure, way->point_count * sizeof *turned.point, "the path of a leak");
        memcpy(turned.point, way->point, way->point_count * sizeof *turned.point);
        struct failure why = {0};
        const bool written = room_write_leak(&check->setup, &turned, leak->file, &why);
        free(turned.point);
        if (!written) {
            leak->file[0] = '\0';
            if (check->setup.request.grid.leak != NULL)
                return failure_set(failure, FAILURE_OUTPUT, "the path of the leak could not be written: %s",
                                   why.sentence);
        }
        check_append(finding.advice, sizeof finding.advice,
                     written ? " The leak path is drawn in %s: open it beside the model."
                             : " (The leak path could not be written: %s.)",
                     written                   ? leak->file
                     : why.sentence[0] != '\0' ? why.sentence
                                               : "no name is free; see --leak");
    }
    TRY(check_report_add(report, &finding, failure));
    return check_report_add_leak(report, leak, failure);
}

/* Is it the gap of a leak that is known already? */
static struct check_leak *known_leak(struct check_report *report, const struct voxel_leak *leak)
{
    for (size_t i = 0; i < report->leak_count; i++) {
        double squared = 0;
        for (int axis = 0; axis < 3; axis++)
            squared += pow(report->leak[i].leak.gap[axis] - leak->gap[axis], 2);
        if (sqrt(squared) <= fmax(2 * report->spacing, leak->gap_size))
            return &report->leak[i];
    }
    return NULL;
}

/* ---- positions that stand wrong ---- */

/* `text` as a sentence of its own. */
static void put_sentence(const char *text, char *out, size_t size)
{
    snprintf(out, size, "%.*s.", (int)size - 2, text);
    out[0] = (char)toupper((unsigned char)out[0]);
}

/* Ask the voxeliser what is wrong with a point, given the seeds that are good. */
static int explain(struct room_check *check, const struct room_point *point, int32_t where,
                   struct failure *failure)
{
    const struct voxelise_options options = room_voxelise_options(&check->setup.request, &check->setup.model);
    struct voxels voxels = {0};
    struct check_leak leak = {.spacing = check->report.spacing};
    struct failure why = {0};
    size_t count = 0;
    char place[ROOM_PLACE_MAX], fix[FAILURE_FIX_MAX];
    struct voxel_seed *seed = calloc(check->seed_count + 2, sizeof *seed);
    if (seed == NULL)
        return failure_memory(failure, (check->seed_count + 2) * sizeof *seed, "positions");
    for (size_t i = 0; i < check->seed_count; i++)
        if (check->seed[i].kind == SEED_SOURCE)
            seed[count++] = check->seed[i];
    if (count == 0 && point->kind == SEED_RECEIVER) {
        seed[count] = (struct voxel_seed){.kind = SEED_SOURCE, .name = ""};
        memcpy(seed[count++].position, check->cavity_source, sizeof seed[0].position);
    }
    seed[count++] = seed_of(point);
    snprintf(leak.from, sizeof leak.from, "%s \"%s\"", kind_word(point->kind), point->name);
    int code = voxelise(&check->setup.model.mesh, &check->setup.grid.lattice, seed, count, &options, &voxels,
                        NULL, &leak.leak, &why);
    if (code == FAILURE_CAPACITY) {
        failure_forward(failure, &why);
        goto done;
    }
    struct check_finding finding = check_finding_make(
        CHECK_UNFIT, where == CAVITY_OUTSIDE
                         ? CHECK_POINT_OUTSIDE
                         : (where == CAVITY_IN_WALL ? CHECK_POINT_IN_WALL : CHECK_POINT_APART));
    check_finding_place(&finding, point->position, NAN);
    if (leak.leak.point_count > 0) {
        struct check_leak *known = known_leak(&check->report, &leak.leak);
        if (known == NULL)
            code = check_leak(check, &leak, failure);
        else
            code = 0;
        goto done;
    }
    if (code == 0) { /* its own cavity is sound, and not that of the others, or not even on the list */
        const bool another = check->seed_count > 0;
        failure_set(&why, FAILURE_INPUT, "%s \"%s\" at %s is in %s", kind_word(point->kind), point->name,
                    room_place(point->position, place),
                    another ? "another closed space than the first source: no path through the air joins them"
                            : "one of the smallest closed spaces of the model");
        failure_fix(FAILURE_INPUT, &why, "%s",
                    another ? "give each space a run of its own, or open a way in the model"
                            : "move it into the room");
    }
    put_sentence(why.sentence, finding.sentence, sizeof finding.sentence);
    if (failure_fix_text(&why, fix)[0] != '\0')
        put_sentence(fix, finding.advice, sizeof finding.advice);
    code = check_report_add(&check->report, &finding, failure);
done:
    voxel_leak_free(&leak.leak);
    voxels_free(&voxels);
    free(seed);
    return code;
}

static int name_only(struct room_check *check, const struct room_point *point, int32_t where,
                     struct failure *failure)
{
    char place[ROOM_PLACE_MAX];
    struct check_finding finding = check_finding_make(
        CHECK_UNFIT, where == CAVITY_OUTSIDE
                         ? CHECK_POINT_OUTSIDE
                         : (where == CAVITY_IN_WALL ? CHECK_POINT_IN_WALL : CHECK_POINT_APART));
    check_finding_place(&finding, point->position, NAN);
    snprintf(finding.sentence, sizeof finding.sentence, "%s \"%s\" at %s %s.",
             point->kind == SEED_SOURCE ? "Source" : "Receiver", point->name,
             room_place(point->position, place),
             where == CAVITY_OUTSIDE   ? "is outside the room, or where it is not closed"
             : where == CAVITY_IN_WALL ? "is in a wall"
                                       : "has no air in common with the first source");
    snprintf(finding.advice, sizeof finding.advice, "Move it into the room.");
    return check_report_add(&check->report, &finding, failure);
}

/* ---- another space than the largest ---- */

bool check_is_small(const struct room_setup *setup, const struct cavity_map *map)
{
    return map->count == 0 || room_cavity_is_small(setup, map->cavity[0].volume);
}

/* Without a source: spaces of this share of the largest, and at least so thick [m], may be meant as well. */
#define WHICH_ROOM_SHARE     0.1
#define WHICH_ROOM_THICKNESS 1.0

/* Is a space larger than that of the places, of `volume`? Its leak path is reported as a leak, unless the
 * sources were put into another one. */
static int find_larger(struct room_check *check, const double (*place)[3], size_t count, double volume,
                       struct failure *failure)
{
    struct room_setup *setup = &check->setup;
    const struct voxelise_options options = room_voxelise_options(&setup->request, &setup->model);
    struct check_leak leak = {.spacing = check->report.spacing};
    char text[ROOM_PLACE_MAX];
    int code = room_space_larger(&setup->model.mesh, &setup->grid.lattice, &options, place, count, volume,
                                 &setup->grid.larger, &leak.leak, failure);
    if (code == 0 && setup->grid.larger.open && setup->points.sources == 0) {
        snprintf(leak.from, sizeof leak.from, "inside, %s,", room_place(setup->grid.larger.position, text));
        code = check_leak(check, &leak, failure);
    }
    voxel_leak_free(&leak.leak);
    return code;
}

/* A roof void may hold more air than the room below it: with two large spaces the largest is a guess. */
static int which_room(struct room_check *check, struct failure *failure)
{
    enum { TOLD = 4 };
    const struct cavity_map *map = &check->map;
    struct check_finding finding = check_finding_make(CHECK_DOUBTFUL, CHECK_WHICH_ROOM);
    size_t large = 0;
    snprintf(finding.advice, sizeof finding.advice, "Say which one is the room:");
    while (large < map->count && map->cavity[large].volume >= WHICH_ROOM_SHARE * map->cavity[0].volume &&
           map->cavity[large].thickness >= WHICH_ROOM_THICKNESS) {
        const double *at = map->cavity[large].position;
        check_finding_place(&finding, at, NAN);
        if (large < TOLD)
            check_append(finding.advice, sizeof finding.advice, "%s --source %.2f,%.2f,%.2f (%.4g m3)",
                         large > 0 ? "," : "", at[0], at[1], at[2], map->cavity[large].volume);
        large++;
    }
    if (large < 2)
        return 0;
    check_append(finding.advice, sizeof finding.advice, "%s.", large > TOLD ? ", .." : "");
    finding.value = (double)large;
    snprintf(finding.sentence, sizeof finding.sentence,
             "%zu closed spaces are large enough to be the room, the largest is taken: it may be a roof void "
             "or a neighbour's.",
             large);
    return check_report_add(&check->report, &finding, failure);
}

static int no_source(struct room_check *check, struct failure *failure)
{
    const struct cavity_map *map = &check->map;
    const struct room_setup *setup = &check->setup;
    const double closed = map->count > 0 ? map->cavity[0].volume : 0;
    TRY(find_larger(check, (const double(*)[3]) & check->cavity_source, map->count > 0, closed, failure));
    const bool leaks = setup->grid.larger.open;
    if (leaks || check_is_small(setup, map)) {
        struct check_finding finding =
            check_finding_make(map->count == 0 || leaks ? CHECK_UNFIT : CHECK_DOUBTFUL, CHECK_NOT_ENCLOSED);
        char words[ROOM_SPACE_WORDS_MAX];
        finding.value = closed;
        if (map->count == 0)
            snprintf(finding.sentence, sizeof finding.sentence, "The model encloses no air.");
        else if (leaks)
            snprintf(finding.sentence, sizeof finding.sentence,
                     "The largest closed space holds %.4g m3, but %s.", closed,
                     room_space_words(&setup->grid.larger, words));
        else
            snprintf(
                finding.sentence, sizeof finding.sentence,
                "The largest closed space holds %.3g m3, where the box around the model holds %.3g m3: it "
                "may be a piece of furniture, and the room itself open.",
                closed, room_box_volume(&setup->model));
        snprintf(finding.advice, sizeof finding.advice,
                 leaks ? "Close the leak above, or give a --source in the space that is meant."
                       : "Give a --source x,y,z inside the room to see the leak path; check --units.");
        TRY(check_report_add(&check->report, &finding, failure));
    }
    if (map->count == 0 || leaks)
        return 0;
    char place[ROOM_PLACE_MAX];
    struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_NO_SOURCE);
    check_finding_place(&finding, check->cavity_source, NAN);
    snprintf(finding.sentence, sizeof finding.sentence,
             "No source was given: the largest closed space, %.4g m3 around %s, is taken for the room.",
             closed, room_place(check->cavity_source, place));
    snprintf(finding.advice, sizeof finding.advice,
             "simulate needs --source x,y,z in metres, or an object called source:NAME in the model.");
    TRY(check_report_add(&check->report, &finding, failure));
    check->seed[check->seed_count] = (struct voxel_seed){.kind = SEED_SOURCE, .name = "S1"};
    memcpy(check->seed[check->seed_count++].position, check->cavity_source, sizeof check->cavity_source);
    return which_room(check, failure);
}

/* ---- all positions ---- */

static int look_up(struct room_check *check, struct failure *failure)
{
    const struct room_setup *setup = &check->setup;
    const struct voxelise_options options = room_voxelise_options(&check->setup.request, &check->setup.model);
    const size_t count = setup->points.sources + setup->points.receivers;
    double(*place)[3] = malloc((count + 1) * sizeof *place);
    check->seed = calloc(count + 2, sizeof *check->seed);
    if (place == NULL || check->seed == NULL) {
        free(place);
        return failure_memory(failure, (count + 1) * sizeof *place, "positions");
    }
    for (size_t i = 0; i < count; i++)
        memcpy(place[i], setup->points.point[i].position, sizeof *place);
    const int code = cavity_map_make(&setup->model.mesh, &setup->grid.lattice, &options, CHECK_CAVITIES,
                                     (const double(*)[3])place, count, &check->map, failure);
    free(place);
    if (code == 0 && check->map.count > 0)
        memcpy(check->cavity_source, check->map.cavity[0].position, sizeof check->cavity_source);
    return code;
}

/* Points of one kind: those in the air of the first good source become seeds, the others are explained.
 * `*main` is the cavity of that source, CAVITY_OUTSIDE before there is one. */
static int sort_points(struct room_check *check, enum seed_kind kind, int32_t *home, size_t *explained,
                       struct failure *failure)
{
    const struct room_setup *setup = &check->setup;
    const int32_t *cavity = check->map.place_cavity;
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        const struct room_point *point = &setup->points.point[i];
        if (point->kind != kind)
            continue;
        if (*home == CAVITY_OUTSIDE && kind == SEED_SOURCE && cavity[i] >= 0)
            *home = cavity[i];
        if (cavity[i] >= 0 && cavity[i] == *home)
            check->seed[check->seed_count++] = seed_of(point);
    }
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        const struct room_point *point = &setup->points.point[i];
        if (point->kind != kind || (cavity[i] >= 0 && cavity[i] == *home))
            continue;
        /* Beside a source that leaks a receiver has nowhere to be. */
        if (kind == SEED_RECEIVER && check->seed_count == 0 && cavity[i] != CAVITY_IN_WALL)
            continue;
        TRY(room_interrupted(failure));
        if ((*explained)++ < EXPLAINED_MAX &&
            (kind == SEED_SOURCE || check->seed_count > 0 || check->map.count > 0))
            TRY(explain(check, point, cavity[i], failure));
        else
            TRY(name_only(check, point, cavity[i], failure));
    }
    return 0;
}

/* The sources stand in the listed cavity `home`: is that the largest space? */
static int side_cavity(struct room_check *check, int32_t home, struct failure *failure)
{
    const struct room_setup *setup = &check->setup;
    const double volume = check->map.cavity[home].volume;
    char words[ROOM_SPACE_WORDS_MAX];
    TRY(find_larger(check, (const double(*)[3])check->seed[0].position, 1, volume, failure));
    if (setup->grid.larger.volume == 0)
        return 0;
    double clearance;
    TRY(room_space_tightness(setup, &clearance, failure));
    struct check_finding finding =
        check_finding_make(isfinite(clearance) ? CHECK_UNFIT : CHECK_DOUBTFUL, CHECK_SIDE_CAVITY);
    check_finding_place(&finding, setup->grid.larger.position, NAN);
    snprintf(finding.sentence, sizeof finding.sentence, "The sources are in a space of %.4g m3, but %s.",
             volume, room_space_words(&setup->grid.larger, words));
    snprintf(finding.advice, sizeof finding.advice, "%s",
             isfinite(clearance)
                 ? "It looks like the inside of furniture, a floor or a wall: give --source and --receiver."
                 : "Nothing, if that is what is meant; else move the sources there.");
    return check_report_add(&check->report, &finding, failure);
}

int check_points(struct room_check *check, struct failure *failure)
{
    int32_t home = CAVITY_OUTSIDE;
    size_t explained = 0;
    TRY(look_up(check, failure));
    TRY(room_interrupted(failure));
    if (check->setup.points.sources == 0) {
        TRY(no_source(check, failure));
        if (check->seed_count > 0)
            home = 0;
    } else {
        TRY(sort_points(check, SEED_SOURCE, &home, &explained, failure));
        if (home >= 0)
            TRY(side_cavity(check, home, failure));
    }
    if (check->setup.points.receivers > 0) {
        TRY(sort_points(check, SEED_RECEIVER, &home, &explained, failure));
    } else {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_NO_RECEIVER);
        snprintf(finding.sentence, sizeof finding.sentence, "No receiver was given.");
        snprintf(
            finding.advice, sizeof finding.advice,
            "simulate needs --receiver x,y,z in metres, or an object called receiver:NAME in the model.");
        TRY(check_report_add(&check->report, &finding, failure));
    }
    return check_cavities(check, failure);
}
