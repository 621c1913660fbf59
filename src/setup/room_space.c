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
#include "src/options/options.h"
#include "src/record/run_geometry.h"
#include "src/setup/automatic_place.h"
#include "src/setup/room_leak.h"

/* ---- the larger space ---- */

/* Its leak path on that grid. */
static int find_path(const struct mesh *mesh, const struct lattice *lattice,
                     const struct voxelise_options *options, struct larger_space *larger,
                     struct voxel_leak *path, struct failure *failure)
{
    struct voxel_seed seed = {.kind = SEED_SOURCE, .name = ""};
    struct voxels voxels = {0};
    struct failure why = {0};
    memcpy(seed.position, larger->position, sizeof seed.position);
    const int code = voxelise(mesh, lattice, &seed, 1, options, &voxels, NULL, path, &why);
    voxels_free(&voxels);
    if (code != 0 && code != FAILURE_INPUT) {
        voxel_leak_free(path);
        return failure_forward(failure, &why);
    }
    larger->open = path->point_count > 0;
    memcpy(larger->gap, path->gap, sizeof larger->gap);
    larger->gap_size = path->gap_size;
    return 0;
}

int room_space_larger(const struct mesh *mesh, const struct lattice *lattice,
                      const struct voxelise_options *options, const double (*place)[3], size_t count,
                      double volume, struct larger_space *out, struct voxel_leak *path,
                      struct failure *failure)
{
    struct largest_space largest = {0};
    const double least = volume * (1 + ROOM_SPACE_MARGIN);
    double low[3], high[3];
    *out = (struct larger_space){0};
    *path = (struct voxel_leak){0};
    TRY(mesh_bounds(mesh, low, high, failure));
    if (volume + least > box_volume(low, high))
        return 0;
    TRY(largest_space_find(mesh, options, place, count, least, &largest, failure));
    if (largest.volume == 0 || largest.holds_place)
        return 0;
    out->volume = largest.volume;
    memcpy(out->position, largest.position, sizeof out->position);
    return find_path(mesh, lattice != NULL ? lattice : &largest.lattice, options, out, path, failure);
}

/* ---- words ---- */

/* Width of the cracks whose closing makes the larger space one that can be taken; 0: none is narrow enough.
 */
static double seal_of(const struct larger_space *larger)
{
    return larger->gap_size <= LEAK_SEAL_SUGGESTED ? leak_seal_centimetres(larger->gap_size) / 100 : 0;
}

/* What makes the larger space one that can be taken; the code of an input that is refused. */
static int advise(const struct larger_space *larger, enum failure_advice open, struct failure *failure)
{
    if (!larger->open)
        return failure_advise(FAILURE_INPUT, failure, ADVICE_PLACE_BOTH, 0);
    failure_fix(FAILURE_INPUT, failure, "close the gap in the model");
    return failure_advise(FAILURE_INPUT, failure, open, seal_of(larger));
}

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

/* `taken` begins the sentence. */
static int refuse(const char *taken, const double position[3], double volume, double clearance,
                  const struct larger_space *larger, struct failure *failure)
{
    char place[ROOM_PLACE_MAX], words[ROOM_SPACE_WORDS_MAX];
    failure_set(
        failure, FAILURE_INPUT,
        "%s, %.4g m3 around %s, looks like the inside of furniture, a floor or a wall: no place in it "
        "is %g m from every surface (that of the source %.2g m); %s",
        taken, volume, room_place(position, place), AUTOMATIC_CLEARANCE, clearance,
        room_space_words(larger, words));
    return advise(larger, ADVICE_OPEN_SEAL_OR_PLACE, failure);
}

/* ---- a room that was set up ---- */

/* Did `transept new` choose these positions? It calls them S1, near and far, and only the command line goes
 * over them. */
static bool are_of_new(const char *source, const char *first, const char *second)
{
    return strcmp(source, "S1") == 0 && strcmp(first, "near") == 0 && strcmp(second, "far") == 0;
}

static bool is_automatic(const struct room_setup *setup)
{
    const struct room_request *request = &setup->request;
    const struct room_points *points = &setup->points;
    const struct room_point *point = points->point;
    if (points->source_is_cavity)
        return points->receivers == 0 || points->receiver_is_placed;
    return !request->points.by_hand && request->model.project != NULL && !point[0].of_model &&
           points->sources == 1 && points->receivers == 2 &&
           are_of_new(point[0].name, point[1].name, point[2].name);
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
    if (setup->grid.larger.volume == 0 || !is_automatic(setup))
        return 0;
    return tightness_at(&setup->model.mesh, setup->points.point[0].position, clearance, failure);
}

int room_space_judge(struct room_setup *setup, struct failure *failure)
{
    const struct voxelise_options options = room_voxelise_options(&setup->request, &setup->model);
    const double air = setup->grid.findings.air_volume;
    struct voxel_leak path = {0};
    double clearance = INFINITY, (*place)[3] = malloc(setup->points.sources * sizeof *place);
    if (place == NULL)
        return failure_memory(failure, setup->points.sources * sizeof *place, "positions");
    for (size_t s = 0; s < setup->points.sources; s++)
        memcpy(place[s], setup->points.point[s].position, sizeof *place);
    int code =
        room_space_larger(&setup->model.mesh, &setup->grid.lattice, &options, (const double(*)[3])place,
                          setup->points.sources, air, &setup->grid.larger, &path, failure);
    free(place);
    if (code == 0 && !setup->request.grid.any_space)
        code = room_space_tightness(setup, &clearance, failure);
    if (code == 0 && isfinite(clearance)) {
        code = refuse("the space that is taken", setup->points.point[0].position, air, clearance,
                      &setup->grid.larger, failure);
        if (setup->grid.larger.open && failure != NULL)
            room_note_leak(setup, &path, failure);
    }
    voxel_leak_free(&path);
    return code;
}

bool room_cavity_is_small(const struct room_setup *setup, double volume)
{
    return volume < 0.05 * room_box_volume(&setup->model) && volume < 30;
}

void room_space_print(struct room_setup *setup)
{
    const struct larger_space *larger = &setup->grid.larger;
    const double air = setup->grid.findings.air_volume;
    char place[ROOM_PLACE_MAX], words[ROOM_SPACE_WORDS_MAX];
    if (larger->volume > 0)
        room_warn_advise(&setup->notices, larger->open ? ADVICE_OPEN_SEAL_OR_PLACE : ADVICE_PLACE_BOTH,
                         seal_of(larger), "a space of %.4g m3 around %s is taken; %s%s", air,
                         room_place(setup->points.point[0].position, place), room_space_words(larger, words),
                         larger->open ? "; to have that one, close the gap in the model" : "");
    else if (setup->points.source_is_cavity && room_cavity_is_small(setup, air))
        room_warn_advise(
            &setup->notices, ADVICE_GIVE_SOURCE_OR_OPEN, 0,
            "the largest enclosed cavity holds %.3g m3, the model's bounding box %.3g m3: if that cavity "
            "is not the room, the room is open",
            air, room_box_volume(&setup->model));
}

int room_space_refuse_none(const struct room_setup *setup, struct failure *failure)
{
    const struct voxelise_options options = room_voxelise_options(&setup->request, &setup->model);
    struct larger_space largest;
    struct voxel_leak path;
    char words[ROOM_SPACE_WORDS_MAX];
    TRY(room_space_larger(&setup->model.mesh, &setup->grid.lattice, &options, NULL, 0, 0, &largest, &path,
                          failure));
    if (largest.open) {
        failure_set(failure, FAILURE_INPUT, "the model encloses no air at a spacing of %.4g m: %s",
                    setup->grid.lattice.spacing, room_space_words(&largest, words));
        advise(&largest, ADVICE_OPEN_OR_SEAL, failure);
        if (failure != NULL)
            room_note_leak(setup, &path, failure);
    }
    voxel_leak_free(&path);
    return FAILURE_INPUT;
}

/* ---- a run that is over ---- */

/* Nothing wider is sealed [m]: the option's limit. */
#define SEAL_MOST 0.5

static bool was_automatic(const struct run_model *run)
{
    const struct record_point *source = run->points.sources.item, *receiver = run->points.receivers.item;
    for (size_t i = 0; i < run->room.arguments.count; i++) {
        const char *argument = json_text_of(&run->room.arguments, i);
        if (argument != NULL && option_places_point(argument))
            return false;
    }
    return run->room.project != NULL && run->points.sources.count == 1 && run->points.receivers.count == 2 &&
           source[0].name != NULL && receiver[0].name != NULL && receiver[1].name != NULL &&
           are_of_new(source[0].name, receiver[0].name, receiver[1].name);
}

static int judge_mesh(const struct run_folder *folder, const struct mesh *mesh, struct failure *failure)
{
    const struct run_model *run = &folder->model;
    const struct voxelise_options options = {
        .seal_width = run->room.seal, .open = run->room.open, .interrupted = &interrupt_seen};
    const double volume = run->size.air_volume;
    struct larger_space larger;
    struct voxel_leak path;
    double source[1][3], clearance;
    char taken[300];
    memcpy(source[0], run->points.sources.item[0].position, sizeof source[0]);
    /* What the record does not hold cannot speak against the run. */
    if (!isfinite(source[0][0] + source[0][1] + source[0][2] + volume) || !(options.seal_width <= SEAL_MOST))
        return 0;
    TRY(tightness_at(mesh, source[0], &clearance, failure));
    if (!isfinite(clearance))
        return 0;
    TRY(room_space_larger(mesh, NULL, &options, (const double(*)[3])source, 1, volume, &larger, &path,
                          failure));
    voxel_leak_free(&path);
    snprintf(taken, sizeof taken, "%.200s has to be simulated again: the space that was taken", folder->path);
    return larger.volume > 0 ? refuse(taken, source[0], volume, clearance, &larger, failure) : 0;
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
