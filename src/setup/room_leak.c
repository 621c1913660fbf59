#include "src/setup/room_leak.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/regular_file.h"
#include "geometry/mesh/mesh_write.h"
#include "src/base/interrupt.h"
#include "src/options/failure_text.h"

/* Object name in the OBJ of a path: how a later run knows that the file is its own to replace. */
#define LEAK_OBJECT "transept_leak"

/* May `path` be written as the path of a leak: is it free, or an earlier one of ours? */
static bool may_replace(const char *path)
{
    int descriptor;
    if (regular_file_open(path, &descriptor, NULL, NULL) != 0)
        return access(path, F_OK) != 0;
    char head[4096];
    size_t got = 0;
    (void)regular_file_fill(descriptor, path, head, sizeof head - 1, &got, NULL);
    head[got] = '\0';
    (void)close(descriptor);
    return strstr(head, LEAK_OBJECT) != NULL;
}

/* "FOLDER/leak.obj", or leak-2.obj and so on where a file of somebody else has that name. */
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

/* From room axes in metres back to the units of the model's file, and to the axes in which a modeller that
 * imports both shows them in one place: those of the file itself where that is OBJ too; else y up, as Blender
 * takes every OBJ, while it takes glTF for y up and STL and PLY for z up. */
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
        if (!setup->request.grid.force && !may_replace(path))
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
    if (setup->request.model.mesh != NULL && setup->request.grid.leak == NULL)
        return; /* beside which file? */
    if (room_write_leak(setup, leak, path, &second))
        snprintf(failure->note, sizeof failure->note,
                 "the leak path is in %s: open it beside the model; `transept check` names every opening",
                 path);
    else
        snprintf(failure->note, sizeof failure->note, "the leak path could not be written: %.1200s",
                 failure_text(&second, why));
}
