#include "geometry/leak/seed_check.h"

#include <stdio.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/leak.h"
#include "geometry/voxel/nearest_air.h"
#include "geometry/voxel/seed_node.h"

enum trouble { TROUBLE_BEYOND_BOX, TROUBLE_OUTSIDE, TROUBLE_IN_WALL, TROUBLE_OTHER_CAVITY };

/** "(8, 6.65, 1.7) m": to a micrometre, which is finer than the sub-lattice, without trailing zeros. */
static void format_position(const double position[3], char *text, size_t size)
{
    char number[3][32];
    for (int axis = 0; axis < 3; axis++) {
        int length = snprintf(number[axis], sizeof number[axis], "%.6f", position[axis] + 0.0);
        if (length < 0 || length >= (int)sizeof number[axis]) {
            (void)snprintf(number[axis], sizeof number[axis], "%g", position[axis]);
            continue;
        }
        while (number[axis][length - 1] == '0')
            number[axis][--length] = '\0';
        if (number[axis][length - 1] == '.')
            number[axis][--length] = '\0';
    }
    (void)snprintf(text, size, "(%s, %s, %s) m", number[0], number[1], number[2]);
}

/** The sentence for a seed outside valid air, which is that of `air` or its complement. */
static int explain_seed(const struct room_cuts *room, const struct voxel_seed *seed, enum trouble trouble,
                        const struct flood *air, bool complement, struct failure *failure)
{
    char title[SEED_TITLE_MAX], place[120], reason[200];
    format_position(seed->position, place, sizeof place);
    if (trouble == TROUBLE_BEYOND_BOX)
        (void)snprintf(reason, sizeof reason,
                       "is outside the room, beyond the model's bounding box (positions are in metres)");
    else if (trouble == TROUBLE_OUTSIDE)
        (void)snprintf(
            reason, sizeof reason,
            "is outside the room or where a wall is missing: %d of %d directions from it meet no wall",
            SEED_DIRECTIONS - seed_directions_met(room->walls, seed->position), SEED_DIRECTIONS);
    else if (trouble == TROUBLE_IN_WALL)
        (void)snprintf(reason, sizeof reason,
                       "is in a wall: a surface lies on it, or hides every node of the grid around it");
    else
        (void)snprintf(reason, sizeof reason,
                       "is in a cavity without a source: no path through the air leads to it");
    const int code =
        failure_set(failure, FAILURE_INPUT, "%s at %s %s", voxel_seed_title(seed, title), place, reason);
    if (seed->name != NULL)
        (void)failure_about(code, failure, SUBJECT_POSITION, seed->name);
    if (trouble == TROUBLE_BEYOND_BOX)
        (void)failure_advise(code, failure, ADVICE_UNITS, 0);
    int64_t node[3];
    if (!nearest_air(air, complement, seed->position, node))
        return failure_advise(code, failure, ADVICE_CLOSED_ROOM, 0);
    double position[3];
    char nearest[120];
    lattice_position(&room->field.lattice, node, position);
    format_position(position, nearest, sizeof nearest);
    return failure_fix(code, failure, "move it to the nearest valid point %s, %.3g m away", nearest,
                       vector_distance(position, seed->position));
}

/** True if a flood from `node` leaves the box. */
static int flood_escapes(const struct room_cuts *room, const int64_t node[3], bool *escaped,
                         struct failure *failure)
{
    struct flood flood;
    TRY(flood_start(&room->field, room->open, &flood, failure));
    const int result = flood_from(&flood, node, NULL, failure);
    *escaped = flood.escaped;
    flood_free(&flood);
    return result;
}

/** Why the seed is not in valid air, given its node (NULL: none). */
static int explain_bad_seed(const struct room_cuts *room, const struct voxel_seed *seed, const int64_t *node,
                            enum trouble *trouble, bool *leaks, struct failure *failure)
{
    *leaks = false;
    if (node == NULL) {
        double low[3], high[3];
        TRY(mesh_bounds(room->walls, low, high, failure));
        *trouble = TROUBLE_IN_WALL;
        for (int axis = 0; axis < 3; axis++)
            if (seed->position[axis] < low[axis] || seed->position[axis] > high[axis])
                *trouble = TROUBLE_BEYOND_BOX;
        return 0;
    }
    bool escaped = false;
    TRY(flood_escapes(room, node, &escaped, failure));
    *trouble = escaped ? TROUBLE_OUTSIDE : TROUBLE_OTHER_CAVITY;
    *leaks = escaped && seed->kind == SEED_SOURCE && seed_stands_inside(room->walls, seed->position);
    return 0;
}

/** Flood the valid air for a bad source: the air of enclosed sources; if there is none, everything outside,
 * so that the complement is the enclosed cavities. */
static int flood_valid_air(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                           struct flood *air, bool *complement, struct failure *failure)
{
    *complement = true;
    for (size_t i = 0; i < seed_count; i++) {
        int64_t corner[8][3];
        bool escaped = true;
        if (seed[i].kind != SEED_SOURCE ||
            seed_corners(&room->field, room->walls, room->snapped, seed[i].position, corner) == 0)
            continue;
        TRY(flood_escapes(room, corner[0], &escaped, failure));
        if (escaped)
            continue;
        TRY(flood_from(air, corner[0], NULL, failure));
        *complement = false;
    }
    return *complement && !room->open ? flood_from_outside(air, failure) : 0;
}

static int bad_source(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                      size_t bad, const int64_t *node, struct voxel_leak *leak, struct failure *failure)
{
    enum trouble trouble;
    bool leaks = false, complement = false;
    TRY(explain_bad_seed(room, &seed[bad], node, &trouble, &leaks, failure));
    if (leaks) {
        char title[SEED_TITLE_MAX];
        TRY(leak_find(room->walls, &room->field, node, voxel_seed_title(&seed[bad], title), leak, failure));
    }
    struct flood air;
    TRY(flood_start(&room->field, room->open, &air, failure));
    int result = flood_valid_air(room, seed, seed_count, &air, &complement, failure);
    if (result == 0)
        result = explain_seed(room, &seed[bad], trouble, &air, complement, failure);
    flood_free(&air);
    return result;
}

int seeds_flood(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                struct flood *flood, int64_t (*node)[3], struct voxel_leak *leak, struct failure *failure)
{
    for (size_t i = 0; i < seed_count; i++) {
        if (seed[i].kind != SEED_SOURCE)
            continue;
        int64_t corner[8][3];
        const int corners = seed_corners(&room->field, room->walls, room->snapped, seed[i].position, corner);
        if (corners == 0)
            return bad_source(room, seed, seed_count, i, NULL, leak, failure);
        TRY(flood_from(flood, corner[0], NULL, failure));
        if (flood->escaped)
            return bad_source(room, seed, seed_count, i, corner[0], leak, failure);
        memcpy(node[i], corner[0], sizeof node[i]);
    }
    return 0;
}

static int place_receiver(const struct room_cuts *room, const struct voxel_seed *seed,
                          const struct flood *flood, int64_t node[3], struct failure *failure)
{
    int64_t corner[8][3];
    const int corners = seed_corners(&room->field, room->walls, room->snapped, seed->position, corner);
    int at = 0;
    while (at < corners && !flood_is_air(flood, corner[at]))
        at++;
    if (at == corners) {
        enum trouble trouble;
        bool leaks;
        TRY(explain_bad_seed(room, seed, corners != 0 ? corner[0] : NULL, &trouble, &leaks, failure));
        return explain_seed(room, seed, trouble, flood, false, failure);
    }
    memcpy(node, corner[at], sizeof corner[at]);
    return 0;
}

int seeds_place_receivers(const struct room_cuts *room, const struct voxel_seed *seed, size_t seed_count,
                          const struct flood *flood, int64_t (*node)[3], struct failure *failure)
{
    enum { EXPLAINED = 10 }; /* each may take a flood */
    int code = 0;
    for (size_t i = 0, bad = 0; i < seed_count && bad < EXPLAINED; i++) {
        if (seed[i].kind != SEED_RECEIVER)
            continue;
        bool is_bad = false;
        ALSO(code, failure, is_bad = place_receiver(room, &seed[i], flood, node[i], &next) != 0);
        bad += is_bad;
    }
    return code;
}
