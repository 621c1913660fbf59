#include "src/setup/room_leak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "geometry/base/regular_file.h"
#include "geometry/leak/fine_leak.h"
#include "geometry/leak/leak.h"
#include "geometry/mesh/mesh_write.h"
#include "kernels/machine/machine_memory.h"
#include "src/base/interrupt.h"
#include "src/base/options/failure_text.h"

/* Object name in the OBJ of a path, by which a later run recognises a file that it may replace. */
#define LEAK_OBJECT "transept_leak"

/* May `path` be written as the path of a leak: is it free, or an earlier one of ours? */
static bool may_replace(const char *path)
{
    int descriptor;
    struct stat about;
    if (regular_file_open(path, &descriptor, NULL, NULL) != 0)
        return lstat(path, &about) != 0;
    char head[4096];
    size_t got = 0;
    (void)regular_file_fill(descriptor, path, head, sizeof head - 1, &got, NULL);
    head[got] = '\0';
    (void)close(descriptor);
    return strstr(head, LEAK_OBJECT) != NULL;
}

/* "FOLDER/leak.obj", or leak-2.obj and so on if another program's file has that name. */
static bool find_free_name(const char *folder, size_t length, char path[LEAK_PATH_MAX])
{
    for (int i = 1; i < 100; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        if (snprintf(path, LEAK_PATH_MAX, "%.*sleak%s.obj", (int)length, folder, number) >= LEAK_PATH_MAX)
            return false;
        if (may_replace(path))
            return true;
    }
    return false;
}

/* From room axes in metres back to the units of the model's file, and to axes in which a modeller shows both
 * in one place: those of the file if it is OBJ, else y up. Blender imports every OBJ as y up, glTF as y up,
 * STL and PLY as z up. */
static void turn_to_model(const struct room_setup *setup, struct voxel_leak *leak)
{
    const struct mesh_import_facts *facts = &setup->model.facts;
    const double unit = facts->metres_per_unit;
    const bool up_y = strcmp(facts->format, "OBJ") != 0 || facts->up == UP_Y;
    for (size_t i = 0; i < leak->point_count; i++) {
        double *at = leak->point[i];
        const double y = at[1];
        if (up_y) {
            at[1] = at[2];
            at[2] = 0.0 - y;
        }
        for (int axis = 0; axis < 3; axis++)
            at[axis] /= unit;
    }
}

bool room_write_leak(const struct room_setup *setup, struct voxel_leak *leak, char path[LEAK_PATH_MAX],
                     struct failure *failure)
{
    const char *model = setup->request.model.file, *slash = strrchr(model, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - model) + 1 : 0;
    const sig_atomic_t ends = interrupt_ends;
    bool written = false;
    interrupt_ends = 0;
    turn_to_model(setup, leak);
    const double(*point)[3] = (const double(*)[3])leak->point;
    if (setup->request.grid.leak != NULL) {
        snprintf(path, LEAK_PATH_MAX, "%s", setup->request.grid.leak);
        if (!setup->request.force && !may_replace(path))
            failure_set(failure, FAILURE_OUTPUT, "%s exists and is not a leak path", path);
        else
            written = mesh_write_path(path, LEAK_OBJECT, point, leak->point_count, failure) == 0;
    } else {
        failure_advise(failure_set(failure, FAILURE_OUTPUT, "no name is free"), failure, ADVICE_NAME_LEAK, 0);
        for (int at = 0; at < 2 && !written; at++)
            written = find_free_name(model, at == 0 ? folder : 0, path) &&
                      mesh_write_path(path, LEAK_OBJECT, point, leak->point_count, failure) == 0;
    }
    interrupt_ends = ends;
    return written;
}

void room_note_leak(const struct room_setup *setup, struct voxel_leak *leak, struct failure *failure)
{
    char path[LEAK_PATH_MAX], why[FAILURE_TEXT_MAX];
    struct failure second = {0};
    const bool beside_nothing = setup->request.model.mesh != NULL && setup->request.grid.leak == NULL;
    if (beside_nothing || setup->request.grid.no_leak_file)
        return;
    if (room_write_leak(setup, leak, path, &second))
        snprintf(failure->note, sizeof failure->note,
                 "the leak path is in %s: open it beside the model; `transept check` names every opening",
                 path);
    else
        snprintf(failure->note, sizeof failure->note, "the leak path could not be written: %.1200s",
                 failure_text(&second, why));
}

static int search_cracks(const struct room_setup *setup, struct fine_leak *found, struct failure *failure)
{
    const struct room_points *points = &setup->points;
    const uint64_t available = machine_memory_available() / 4;
    const struct fine_leak_options options = {
        .spacing = ROOM_CRACK_SPACING,
        .coarse = setup->grid.step.spacing,
        .memory_bytes = available < ROOM_CRACK_BYTES ? available : ROOM_CRACK_BYTES,
        .seal_width = setup->request.grid.seal,
        .threads = (int)setup->request.engine.threads,
        .interrupted = &interrupt_seen,
    };
    struct voxel_seed *seed = calloc(points->sources + 1, sizeof *seed);
    if (seed == NULL)
        return failure_memory(failure, (points->sources + 1) * sizeof *seed, "the places of sources");
    for (size_t s = 0; s < points->sources; s++) {
        seed[s] = (struct voxel_seed){.kind = SEED_SOURCE, .name = points->point[s].name};
        memcpy(seed[s].position, points->point[s].position, sizeof seed[s].position);
    }
    const int code = fine_leak_find(&setup->model.mesh, seed, points->sources, &options, found, failure);
    free(seed);
    return code;
}

int room_warn_of_cracks(struct room_setup *setup, struct failure *failure)
{
    struct fine_leak found = {0};
    struct failure why = {0};
    char place[ROOM_PLACE_MAX];
    if (setup->request.grid.open || setup->grid.step.spacing <= ROOM_CRACK_SPACING)
        return 0;
    const int code = search_cracks(setup, &found, &why);
    if (code == FAILURE_INPUT || code == FAILURE_CAPACITY) /* only a warning is lost */
        return 0;
    if (code != 0)
        return failure_forward(failure, &why);
    if (found.leaks)
        room_warn_advise(
            &setup->notices, ADVICE_SEAL, leak_seal_centimetres(found.leak.gap_size) / 100,
            "this grid of %.3g m closes a gap about %.2g m wide at %s, through which the room leaks on "
            "one of %.2g m; `transept check` shows its path",
            setup->grid.step.spacing, found.leak.gap_size, room_place(found.leak.gap, place), found.spacing);
    fine_leak_free(&found);
    return 0;
}
