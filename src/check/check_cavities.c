/** Names each closed space of a model by its size, shape and place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "rooms/text/table_text.h"
#include "src/check/room_check.h"
#include "src/setup/room_space.h"

/* A gap between two leaves is thinner than this, and so many times wider. */
#define LEAVES_THICKNESS 0.6 /* [m] */
#define LEAVES_SLENDER   4.0
/* A closed body in the room has less than this share of its volume. */
#define BODY_SHARE 0.02
/* A space above or below begins beyond this share of the main space's height. */
#define ABOVE_SHARE 0.4

static double box_extent(const struct cavity *cavity, int axis)
{
    return cavity->high[axis] - cavity->low[axis];
}

/* True if two boxes overlap in plan. */
static bool over_one_another(const struct cavity *a, const struct cavity *b)
{
    for (int axis = 0; axis < 2; axis++)
        if (a->high[axis] <= b->low[axis] || b->high[axis] <= a->low[axis])
            return false;
    return true;
}

static bool is_within(const struct cavity *inner, const struct cavity *outer)
{
    for (int axis = 0; axis < 3; axis++)
        if (inner->low[axis] < outer->low[axis] || inner->high[axis] > outer->high[axis])
            return false;
    return true;
}

static const char *kind_of(const struct cavity *cavity, const struct cavity *home)
{
    if (cavity == home)
        return "main space";
    const double height = box_extent(home, 2), widest = larger(box_extent(cavity, 0), box_extent(cavity, 1));
    const double tallest = larger(widest, box_extent(cavity, 2));
    const bool thin = cavity->thickness < LEAVES_THICKNESS && tallest > LEAVES_SLENDER * cavity->thickness;
    const bool body = is_within(cavity, home) && cavity->volume < BODY_SHARE * home->volume;
    if (body)
        return "inside a closed body";
    if (thin && tallest > 1)
        return box_extent(cavity, 2) < LEAVES_THICKNESS ? "between layers of floor or ceiling"
                                                        : "between wall leaves";
    if (over_one_another(cavity, home)) {
        if (cavity->low[2] > home->low[2] + ABOVE_SHARE * height && cavity->high[2] > home->high[2])
            return "roof void";
        if (cavity->high[2] < home->low[2] + (1 - ABOVE_SHARE) * height && cavity->low[2] < home->low[2])
            return "crypt or floor void";
    }
    if (is_within(home, cavity))
        return "around the main space";
    return cavity->volume > home->volume ? "larger space" : "side room";
}

static void name_points(const struct room_check *check, size_t index, struct check_cavity *cavity)
{
    const struct room_setup *setup = &check->setup;
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++)
        if (check->map.place_cavity[i] == (int32_t)index)
            text_append(cavity->points, sizeof cavity->points, "%s%s %s",
                        cavity->points[0] != '\0' ? ", " : "",
                        setup->points.point[i].kind == SEED_SOURCE ? "source" : "receiver",
                        setup->points.point[i].name);
}

bool check_is_small(const struct room_setup *setup, const struct cavity_map *map)
{
    return map->count == 0 || room_cavity_is_small(setup, map->cavity[0].volume);
}

int check_cavities(struct room_check *check, struct failure *failure)
{
    const struct cavity_map *map = &check->map;
    struct check_report *report = &check->report;
    const size_t home = check->home > 0 ? (size_t)check->home : 0; /* the largest if the run has none */
    double volume = map->further_volume;
    report->cavity = calloc(map->count + 1, sizeof *report->cavity);
    if (report->cavity == NULL)
        return failure_memory(failure, map->count * sizeof *report->cavity, "cavities");
    for (size_t i = 0; i < map->count; i++)
        volume += map->cavity[i].volume;
    /* If the room itself leaks, a closed space is something else. */
    const bool named = check->seed_count > 0 || (map->count > 0 && !check_is_small(&check->setup, map));
    for (size_t i = 0; i < map->count; i++) {
        const struct cavity *cavity = &map->cavity[i];
        struct check_cavity *out = &report->cavity[i];
        out->volume = cavity->volume;
        out->thickness = cavity->thickness;
        out->share = cavity->volume / volume;
        memcpy(out->position, cavity->position, sizeof out->position);
        memcpy(out->low, cavity->low, sizeof out->low);
        memcpy(out->high, cavity->high, sizeof out->high);
        out->taken = i == home && check->seed_count > 0;
        out->kind = named ? kind_of(cavity, &map->cavity[home]) : "closed space";
        name_points(check, i, out);
    }
    report->cavity_count = map->count;
    report->cavities_further = map->further_count;
    report->volume_further = map->further_volume;
    return 0;
}
