#include "src/setup/room_space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/import/mesh_import.h"
#include "geometry/leak/leak.h"
#include "geometry/room/largest_space.h"
#include "geometry/voxel/clearance.h"
#include "src/base/interrupt.h"
#include "src/record/run_geometry.h"
#include "src/setup/automatic_place.h"
#include "src/setup/room_leak.h"

/* ---- the larger space ---- */

static double volume_between(const double low[3], const double high[3])
{
    double box = 1;
    for (int axis = 0; axis < 3; axis++)
        box *= high[axis] - low[axis];
    return box;
}

/* Its leak path on that grid. */
static int find_way(const struct mesh *mesh, const struct lattice *lattice,
                    const struct voxelise_options *options, struct larger_space *larger,
                    struct voxel_leak *way, struct failure *failure)
{
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = ""};
    struct voxels voxels = {0};
    struct failure why = {0};
    memcpy(seed.position, larger->position, sizeof seed.position);
    const int code = voxelise(mesh, lattice, &seed, 1, options, &voxels, NULL, way, &why);
    voxels_free(&voxels);
    if (code != 0 && code != FAILURE_INPUT) {
        voxel_leak_free(way);
        return failure_forward(failure, &why);
    }
    larger->open = way->point_count > 0;
    memcpy(larger->gap, way->gap, sizeof larger->gap);
    larger->gap_size = way->gap_size;
    return 0;
}

int room_space_larger(const struct mesh *mesh, const struct lattice *lattice,
                      const struct voxelise_options *options, const double (*place)[3], size_t count,
                      double volume, struct larger_space *out, struct voxel_leak *way,
                      struct failure *failure)
{
    struct largest_space largest = {0};
    const double least = volume * (1 + ROOM_SPACE_MARGIN);
    double low[3], high[3];
    *out = (struct larger_space){0};
    *way = (struct voxel_leak){0};
    TRY(mesh_bounds(mesh, low, high, failure));
    if (volume + least > volume_between(low, high))
        return 0;
    TRY(largest_space_find(mesh, options, place, count, least, &largest, failure));
    if (largest.volume == 0 || largest.holds_place)
        return 0;
    out->volume = largest.volume;
    memcpy(out->position, largest.position, sizeof out->position);
    return find_way(mesh, lattice != NULL ? lattice : &largest.lattice, options, out, way, failure);
}

/* ---- words ---- */

const char *room_space_words(const struct larger_space *larger, char text[ROOM_SPACE_WORDS_MAX])
{
    char place[ROOM_PLACE_MAX], gap[ROOM_PLACE_MAX];
    room_place(larger->position, place);
    if (larger->open)
        snprintf(text, ROOM_SPACE_WORDS_MAX,
                 "the largest space of the model, about %.4g m3 around %s, is not closed: a path leads out "
                 "of it through a gap about %.2g m wide at %s",
                 larger->volume, place, larger->gap_size, room_place(larger->gap, gap));
    else
        snprintf(text, ROOM_SPACE_WORDS_MAX, "the largest space of the model holds about %.4g m3 around %s",
                 larger->volume, place);
    return text;
}

/* What makes the larger space one that can be taken. */
#define FIX_MAX 200
static const char *open_fix(const struct larger_space *larger, char text[FIX_MAX])
{
    char seal[48] = "";
    if (larger->gap_size <= LEAK_SEAL_SUGGESTED)
        snprintf(seal, sizeof seal, ", or with --seal %.1fcm", leak_seal_centimetres(larger->gap_size));
    snprintf(text, FIX_MAX, "close the gap in the model%s, or accept an open scene with --open", seal);
    return text;
}

#define BY_HAND "give --source and --receiver (or objects source:NAME and receiver:NAME in the model)"

/* `taken` begins the sentence, `then` ends it. */
static int refuse(const char *taken, const double position[3], double volume, double clearance,
                  const struct larger_space *larger, const char *then, struct failure *failure)
{
    char place[ROOM_PLACE_MAX], words[ROOM_SPACE_WORDS_MAX], fix[FIX_MAX];
    return failure_set(
        failure, FAILURE_INPUT,
        "%s, %.4g m3 around %s, looks like the inside of furniture, a floor or a wall: no place "
        "in it is %g m from every surface (that of the source %.2g m); %s; %s%s" BY_HAND
        " in the one that is meant%s",
        taken, volume, room_place(position, place), AUTOMATIC_CLEARANCE, clearance,
        room_space_words(larger, words), larger->open ? open_fix(larger, fix) : "",
        larger->open ? ", or " : "", then);
}

/* ---- a room that was set up ---- */

/* Did `transept new` choose these positions? It calls them so, and only the command line goes over them. */
struct named_points {
    size_t sources, receivers;
    const char *source, *receiver[2]; /* names of the first ones; NULL past their end */
};

static bool are_of_new(const struct named_points *points)
{
    return points->sources == 1 && points->receivers == 2 && strcmp(points->source, "S1") == 0 &&
           strcmp(points->receiver[0], "near") == 0 && strcmp(points->receiver[1], "far") == 0;
}

bool room_space_by_hand(const char *argument)
{
    return strncmp(argument, "--source", 8) == 0 || strncmp(argument, "--receiver", 10) == 0;
}

static bool stands_automatically(const struct room_setup *setup)
{
    const struct room_request *request = &setup->request;
    if (setup->points.source_is_cavity)
        return setup->points.receivers == 0 || setup->points.receiver_is_placed;
    const struct room_point *point = setup->points.point;
    const struct named_points points = {
        setup->points.sources,
        setup->points.receivers,
        point[0].name,
        {setup->points.receivers > 0 ? point[setup->points.sources].name : NULL,
         setup->points.receivers > 1 ? point[setup->points.sources + 1].name : NULL}};
    return !request->points.by_hand && request->model.project != NULL && !point[0].of_model &&
           are_of_new(&points);
}

/* Infinite where it is enough for a source or a listener. */
static int tightness_at(const struct mesh *mesh, const double position[3], double *clearance,
                        struct failure *failure)
{
    struct clearance tree = {0};
    TRY(clearance_make(mesh, &tree, failure));
    const double clear = clearance_at(&tree, position, INFINITY);
    *clearance = clear < AUTOMATIC_CLEARANCE * (1 - 1e-9) ? clear : INFINITY;
    clearance_free(&tree);
    return 0;
}

int room_space_tightness(const struct room_setup *setup, double *clearance, struct failure *failure)
{
    *clearance = INFINITY;
    if (setup->grid.larger.volume == 0 || !stands_automatically(setup))
        return 0;
    return tightness_at(&setup->model.mesh, setup->points.point[0].position, clearance, failure);
}

int room_space_judge(struct room_setup *setup, struct failure *failure)
{
    const struct voxelise_options options = room_voxelise_options(&setup->request, &setup->model);
    const double air = setup->grid.findings.air_volume;
    struct voxel_leak way = {0};
    double clearance = INFINITY, (*place)[3] = malloc(setup->points.sources * sizeof *place);
    if (place == NULL)
        return failure_memory(failure, setup->points.sources * sizeof *place, "positions");
    for (size_t s = 0; s < setup->points.sources; s++)
        memcpy(place[s], setup->points.point[s].position, sizeof *place);
    int code =
        room_space_larger(&setup->model.mesh, &setup->grid.lattice, &options, (const double(*)[3])place,
                          setup->points.sources, air, &setup->grid.larger, &way, failure);
    free(place);
    if (code == 0 && !setup->request.grid.any_space)
        code = room_space_tightness(setup, &clearance, failure);
    if (code == 0 && isfinite(clearance)) {
        code = refuse("the space that is taken", setup->points.point[0].position, air, clearance,
                      &setup->grid.larger, "", failure);
        if (setup->grid.larger.open && failure != NULL)
            room_tell_leak(setup, &way, failure);
    }
    voxel_leak_free(&way);
    return code;
}

bool room_cavity_is_small(const struct room_setup *setup, double volume)
{
    return volume < 0.05 * room_box_volume(&setup->model) && volume < 30;
}

void room_space_tell(struct room_setup *setup)
{
    const struct larger_space *larger = &setup->grid.larger;
    const double air = setup->grid.findings.air_volume;
    char place[ROOM_PLACE_MAX], words[ROOM_SPACE_WORDS_MAX], fix[FIX_MAX];
    if (larger->volume > 0)
        room_warn(&setup->notices,
                  "a space of %.4g m3 around %s is taken; %s; to have that one, %s%s" BY_HAND " in it", air,
                  room_place(setup->points.point[0].position, place), room_space_words(larger, words),
                  larger->open ? open_fix(larger, fix) : "", larger->open ? ", and " : "");
    else if (setup->points.source_is_cavity && room_cavity_is_small(setup, air))
        room_warn(
            &setup->notices,
            "the largest enclosed cavity holds %.3g m3, the model's bounding box %.3g m3: if that cavity "
            "is not the room, the room is open; give a --source inside it to see the leak path",
            air, room_box_volume(&setup->model));
}

int room_space_refuse_none(const struct room_setup *setup, struct failure *failure)
{
    const struct voxelise_options options = room_voxelise_options(&setup->request, &setup->model);
    struct larger_space largest;
    struct voxel_leak way;
    char words[ROOM_SPACE_WORDS_MAX], fix[FIX_MAX];
    TRY(room_space_larger(&setup->model.mesh, &setup->grid.lattice, &options, NULL, 0, 0, &largest, &way,
                          failure));
    if (largest.open) {
        failure_set(failure, FAILURE_INPUT, "the model encloses no air at a spacing of %.4g m: %s; %s",
                    setup->grid.lattice.spacing, room_space_words(&largest, words), open_fix(&largest, fix));
        if (failure != NULL)
            room_tell_leak(setup, &way, failure);
    }
    voxel_leak_free(&way);
    return FAILURE_INPUT;
}

/* ---- a run that is over ---- */

/* Nothing wider is sealed [m]: the option's limit. */
#define SEAL_MOST 0.5

static bool was_automatic(const struct run_model *run)
{
    const struct record_point *source = run->points.sources.item, *receiver = run->points.receivers.item;
    const size_t sources = run->points.sources.count, receivers = run->points.receivers.count;
    const struct named_points points = {
        sources,
        receivers,
        sources > 0 ? source[0].name : NULL,
        {receivers > 0 ? receiver[0].name : NULL, receivers > 1 ? receiver[1].name : NULL}};
    for (size_t i = 0; i < run->room.arguments.count; i++) {
        const char *argument = json_text_of(&run->room.arguments, i);
        if (argument != NULL && room_space_by_hand(argument))
            return false;
    }
    return run->room.project != NULL && points.source != NULL && points.receiver[0] != NULL &&
           points.receiver[1] != NULL && are_of_new(&points);
}

static int judge_mesh(const struct run_folder *folder, const struct mesh *mesh, struct failure *failure)
{
    const struct run_model *run = &folder->model;
    const struct voxelise_options options = {
        .seal_width = run->room.seal, .open = run->room.open, .interrupted = &interrupt_seen};
    const double volume = run->size.air_volume;
    struct larger_space larger;
    struct voxel_leak way;
    double source[1][3], clearance;
    char taken[300];
    memcpy(source[0], run->points.sources.item[0].position, sizeof source[0]);
    /* What the record does not tell cannot speak against the run. */
    if (!isfinite(source[0][0] + source[0][1] + source[0][2] + volume) || !(options.seal_width <= SEAL_MOST))
        return 0;
    TRY(tightness_at(mesh, source[0], &clearance, failure));
    if (!isfinite(clearance))
        return 0;
    TRY(room_space_larger(mesh, NULL, &options, (const double(*)[3])source, 1, volume, &larger, &way,
                          failure));
    voxel_leak_free(&way);
    snprintf(taken, sizeof taken, "%.200s: the space that was simulated", folder->path);
    return larger.volume > 0
               ? refuse(taken, source[0], volume, clearance, &larger, ", and simulate it again", failure)
               : 0;
}

int room_space_judge_run(const struct run_folder *folder, struct failure *failure)
{
    const struct mesh_import_options import = {.interrupted = &interrupt_seen};
    struct mesh mesh = {0};
    struct failure why = {0};
    if (folder->model.room.larger_space_known || !was_automatic(&folder->model))
        return 0;
    char *path = run_folder_file(folder, RUN_MESH_FILE);
    if (path == NULL)
        return failure_memory(failure, 100, "a path");
    int code = mesh_import(path, &import, &mesh, NULL, &why);
    free(path);
    if (code == 0)
        code = judge_mesh(folder, &mesh, failure);
    else
        code = code == FAILURE_INPUT ? 0 : failure_forward(failure, &why);
    mesh_free(&mesh);
    return code;
}
