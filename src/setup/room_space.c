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
#include "src/base/words/words.h"
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

/* Add the advice that makes the larger space usable. Returns the code of refused input. */
static int choose_advice(const struct larger_space *larger, enum failure_advice open, struct failure *failure)
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
        snprintf(
            text, ROOM_SPACE_WORDS_MAX,
            SAID("the largest space of the model, about %.4g m3 around %s, is not closed: a path leads out "
                 "of it through a gap about %.2g m wide at %s"),
            larger->volume, place, larger->gap_size, room_place(larger->gap, gap));
    else
        snprintf(text, ROOM_SPACE_WORDS_MAX,
                 SAID("the largest space of the model holds about %.4g m3 around %s"), larger->volume, place);
    return text;
}

static int refuse_space(const double position[3], double volume, double clearance,
                        const struct larger_space *larger, struct failure *failure)
{
    char place[ROOM_PLACE_MAX], words[ROOM_SPACE_WORDS_MAX];
    failure_set(failure, FAILURE_INPUT,
                "the space that is taken, %.4g m3 around %s, looks like the inside of furniture, a floor or "
                "a wall: no place in it is %g m from every surface (that of the source %.2g m); %s",
                volume, room_place(position, place), AUTOMATIC_CLEARANCE, clearance,
                room_space_words(larger, words));
    return choose_advice(larger, ADVICE_OPEN_SEAL_OR_PLACE, failure);
}

/* ---- a room that was set up ---- */

/* True if `transept new` chose these positions. It calls them S1, near and far, and only the command line
 * goes over them. */
static bool is_automatic(const struct room_setup *setup)
{
    const struct room_request *request = &setup->request;
    const struct room_points *points = &setup->points;
    const struct room_point *point = points->point;
    if (points->source_is_cavity)
        return points->receivers == 0 || points->receiver_is_placed;
    return !request->points.by_hand && request->model.project != NULL && !point[0].of_model &&
           points->sources == 1 && points->receivers == 2 && strcmp(point[0].name, "S1") == 0 &&
           strcmp(point[1].name, "near") == 0 && strcmp(point[2].name, "far") == 0;
}

int room_space_tightness(const struct room_setup *setup, double *clearance, struct failure *failure)
{
    *clearance = INFINITY;
    if (setup->grid.larger.volume == 0 || !is_automatic(setup))
        return 0;
    struct clearance tree = {0};
    TRY(clearance_make(&setup->model.mesh, &tree, failure));
    const double clear = clearance_at(&tree, setup->points.point[0].position, INFINITY);
    if (clear < AUTOMATIC_CLEARANCE * (1 - 1e-9)) /* less than a source or a listener needs */
        *clearance = clear;
    clearance_free(&tree);
    return 0;
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
        code = refuse_space(setup->points.point[0].position, air, clearance, &setup->grid.larger, failure);
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
                         larger->open ? "; to simulate that one, close the gap in the model" : "");
    else if (setup->points.source_is_cavity && room_cavity_is_small(setup, air))
        room_warn_advise(
            &setup->notices, ADVICE_GIVE_SOURCE_OR_OPEN, 0,
            "the largest enclosed cavity holds %.3g m3, the model's bounding box %.3g m3: if that cavity is "
            "not the room, the room is open",
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
        choose_advice(&largest, ADVICE_OPEN_OR_SEAL, failure);
        if (failure != NULL)
            room_note_leak(setup, &path, failure);
    }
    voxel_leak_free(&path);
    return FAILURE_INPUT;
}
