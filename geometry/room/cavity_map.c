#include "geometry/room/cavity_map.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/air/air_hits.h"
#include "geometry/room/cavity_list.h"
#include "geometry/room/voxeliser.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/seed_node.h"

/** A position's node; `given` false: none, or outside. */
struct looked_up {
    int64_t node[3];
    bool given;
};

/** Sum of |n.e| over contacts. */
struct wall_sum {
    const struct mesh *mesh;
    double cosines;
};

void cavity_map_free(struct cavity_map *map)
{
    free(map->cavity);
    free(map->place_cavity);
    *map = (struct cavity_map){0};
}

static void add_wall(uint32_t triangle, enum direction direction, void *context)
{
    struct wall_sum *sum = context;
    double cosine[3];
    air_hits_cosines(sum->mesh, triangle, cosine);
    sum->cosines += cosine[direction / 2];
}

/** Locate positions before any cavity is known: outside, in a wall, or at a node to be searched in the
 * cavities. `flood` holds the air from outside. */
static int locate_positions(const struct room_cuts *room, const struct flood *flood, const double (*place)[3],
                            struct looked_up *looked_up, struct cavity_map *map, struct failure *failure)
{
    double low[3], high[3];
    TRY(mesh_bounds(room->walls, low, high, failure));
    for (size_t i = 0; i < map->place_count; i++) {
        int64_t corner[8][3];
        bool beyond = false;
        for (int axis = 0; axis < 3; axis++)
            beyond = beyond || !(place[i][axis] >= low[axis] && place[i][axis] <= high[axis]);
        const int corners =
            beyond ? 0 : seed_corners(&room->field, room->walls, room->snapped, place[i], corner);
        if (beyond || (corners != 0 && flood_is_air(flood, corner[0]))) {
            map->place_cavity[i] = CAVITY_OUTSIDE;
        } else if (corners == 0) {
            map->place_cavity[i] = CAVITY_IN_WALL;
        } else {
            map->place_cavity[i] = CAVITY_FURTHER;
            looked_up[i].given = true;
            memcpy(looked_up[i].node, corner[0], sizeof looked_up[i].node);
        }
    }
    return 0;
}

/** Bounding box of the cells of the air. */
static void air_bounds(const struct flood *flood, double low[3], double high[3])
{
    const struct cut_field *field = flood->field;
    int64_t first[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, last[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    int32_t place[3];
    uint64_t index = 0;
    for (place[2] = 0; place[2] < field->blocks[2]; place[2]++)
        for (place[1] = 0; place[1] < field->blocks[1]; place[1]++)
            for (place[0] = 0; place[0] < field->blocks[0]; place[0]++, index++) {
                if ((flood->state[index] & FLOOD_REACHED) == 0)
                    continue;
                uint64_t air[8];
                flood_block_air(flood, place, air);
                for (unsigned slot = 0; slot < 512; slot++) {
                    int64_t at[3];
                    block_bits_node(place, slot, at);
                    for (int axis = 0; axis < 3 && block_bits_has(air, slot); axis++) {
                        first[axis] = at[axis] < first[axis] ? at[axis] : first[axis];
                        last[axis] = at[axis] > last[axis] ? at[axis] : last[axis];
                    }
                }
            }
    lattice_position(&field->lattice, first, low);
    lattice_position(&field->lattice, last, high);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] -= field->lattice.spacing / 2;
        high[axis] += field->lattice.spacing / 2;
    }
}

/** Everything about one cavity, whose air `flood` holds and nothing else. */
static int describe_cavity(const struct room_cuts *room, const struct flood *flood,
                           const struct clearance *tree, const struct found_cavity *found,
                           struct cavity *cavity, struct failure *failure)
{
    const struct lattice *lattice = &room->field.lattice;
    const double h = lattice->spacing;
    struct wall_sum sum = {.mesh = room->mesh};
    int64_t node[3] = {found->node[0], found->node[1], found->node[2]};
    TRY(cavity_clear_node(flood, tree, node, failure));
    lattice_position(lattice, node, cavity->position);
    cavity->air_nodes = found->air_nodes;
    cavity->volume = (double)found->air_nodes * h * h * h;
    air_bounds(flood, cavity->low, cavity->high);
    air_hits_visit(flood, add_wall, &sum);
    cavity->surface = sum.cosines * h * h;
    cavity->thickness = cavity->surface > 0 ? 2 * cavity->volume / cavity->surface : 0;
    return 0;
}

int cavity_map_make(const struct mesh *mesh, const struct lattice *lattice,
                    const struct voxelise_options *options, size_t limit, const double (*place)[3],
                    size_t place_count, struct cavity_map *out, struct failure *failure)
{
    struct room_cuts room = {0};
    struct flood flood = {0};
    struct clearance tree = {0};
    struct cavity_list list = {.limit = limit < CAVITY_MAP_LIMIT ? limit : CAVITY_MAP_LIMIT};
    struct cavity_map map = {.place_count = place_count};
    int result = 0;
    struct looked_up *looked_up = calloc(place_count + 1, sizeof *looked_up);
    list.cavity = calloc(list.limit + 1, sizeof *list.cavity);
    map.cavity = calloc(list.limit + 1, sizeof *map.cavity);
    map.place_cavity = calloc(place_count + 1, sizeof *map.place_cavity);
    if (looked_up == NULL || list.cavity == NULL || map.cavity == NULL || map.place_cavity == NULL) {
        result = failure_memory(failure, list.limit * (sizeof *list.cavity + sizeof *map.cavity),
                                "the map of cavities");
        goto done;
    }
    if ((result = room_cuts_make(mesh, lattice, options, place, place_count, &room, failure)) != 0 ||
        (result = flood_start(&room.field, options->open, &flood, failure)) != 0)
        goto done;
    if (!options->open && (result = flood_from_outside(&flood, failure)) != 0)
        goto done;
    if ((result = locate_positions(&room, &flood, place, looked_up, &map, failure)) != 0 ||
        (result = cavity_list_find(&flood, &list, failure)) != 0 ||
        (result = clearance_make(room.mesh, &tree, failure)) != 0)
        goto done;
    map.count = list.count;
    map.further_count = list.all_count - list.count;
    map.further_air_nodes = list.all_air_nodes;
    for (size_t i = 0; i < list.count; i++) {
        flood_free(&flood);
        if ((result = flood_start(&room.field, options->open, &flood, failure)) != 0 ||
            (result = flood_from(&flood, list.cavity[i].node, NULL, failure)) != 0 ||
            (result = describe_cavity(&room, &flood, &tree, &list.cavity[i], &map.cavity[i], failure)) != 0)
            goto done;
        map.further_air_nodes -= list.cavity[i].air_nodes;
        for (size_t p = 0; p < place_count; p++)
            if (looked_up[p].given && flood_is_air(&flood, looked_up[p].node))
                map.place_cavity[p] = (int32_t)i;
    }
    map.further_volume =
        (double)map.further_air_nodes * lattice->spacing * lattice->spacing * lattice->spacing;
    *out = map;
    map = (struct cavity_map){0};
done:
    free(looked_up);
    free(list.cavity);
    cavity_map_free(&map);
    clearance_free(&tree);
    flood_free(&flood);
    room_cuts_free(&room);
    return result;
}

int voxel_cavities(const struct mesh *mesh, const struct lattice *lattice,
                   const struct voxelise_options *options, size_t limit, struct voxel_cavity *cavity,
                   size_t *count, struct failure *failure)
{
    struct cavity_map map = {0};
    TRY(cavity_map_make(mesh, lattice, options, limit, NULL, 0, &map, failure));
    *count = map.count;
    for (size_t i = 0; i < map.count; i++) {
        memcpy(cavity[i].position, map.cavity[i].position, sizeof cavity[i].position);
        cavity[i].air_nodes = map.cavity[i].air_nodes;
    }
    cavity_map_free(&map);
    if (*count > 0)
        return 0;
    return failure_advise(
        failure_set(failure, FAILURE_INPUT,
                    "the model encloses no air at a spacing of %.4g m: every node has a path to the outside",
                    lattice->spacing),
        failure, ADVICE_GIVE_SOURCE_OR_OPEN, 0);
}
