/** `transept export`: responses of a finished run as a SOFA file, or those of its receiver grids as HDF5. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "geometry/import/mesh_import.h"
#include "geometry/mesh/collada_write.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/cli/commands.h"
#include "src/export/grid_file.h"
#include "src/export/sofa_file.h"
#include "src/base/options/messages.h"
#include "src/run_folder/run_geometry.h"
#include "src/base/table/json_values.h"

/* One call; freed by work_free(). */
struct work {
    const struct options *options;
    struct run_folder folder;
    struct sofa_measurements all;
    char *geometry;            /* path of the COLLADA file next to a SOFA file; owned; NULL: none */
    struct whole_file file[2]; /* the requested responses, and the geometry */
};

static void work_free(struct work *work)
{
    for (size_t f = 0; f < 2; f++)
        whole_file_abandon(&work->file[f]);
    free(work->geometry);
    sofa_measurements_free(&work->all);
    run_folder_free(&work->folder);
}

static bool ends_in(const char *path, const char *ending)
{
    const char *dot = strrchr(path_name(path), '.');
    return dot != NULL && strcasecmp(dot, ending) == 0;
}

static bool is_grid_file(const char *path)
{
    return ends_in(path, ".h5") || ends_in(path, ".hdf5");
}

static int check_options(const struct options *options, struct failure *failure)
{
    const char *path = options->output;
    if (path == NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "export needs -o FILE: .sofa for the responses of receivers, .h5 for those of "
                           "receiver grids");
    if (!ends_in(path, ".sofa") && !is_grid_file(path))
        return failure_set(failure, FAILURE_INPUT,
                           "-o %s: its ending must be .sofa, for the responses of receivers, or .h5, for "
                           "those of receiver grids",
                           path);
    if (is_grid_file(path) && options_given(options, "convention"))
        return failure_set(failure, FAILURE_INPUT,
                           "--convention is for SOFA files: give an -o that ends in .sofa");
    return command_refuse_existing(path, options->request.force, failure);
}

/* "FILE.dae" of "FILE.sofa". */
static char *geometry_path(const char *path)
{
    static const char ending[] = ".dae";
    const size_t stem = (size_t)(strrchr(path, '.') - path);
    char *out = malloc(stem + sizeof ending);
    if (out != NULL) {
        memcpy(out, path, stem);
        memcpy(out + stem, ending, sizeof ending);
    }
    return out;
}

/* The room next to the file; without it if the run has none or it cannot be read. */
static int stage_geometry(struct work *work, time_t now, struct failure *failure)
{
    char date[40] = "1970-01-01T00:00:00Z", *path = run_folder_file(&work->folder, RUN_MESH_FILE),
         *beside = geometry_path(work->options->output);
    struct mesh mesh = {0};
    struct tm parts;
    struct failure why = {0};
    int code = path == NULL || beside == NULL ? failure_memory(failure, 100, "a path") : 0;
    const int read = code == 0
                         ? mesh_import(path, &(struct mesh_import_options){.interrupted = &interrupt_seen},
                                       &mesh, NULL, &why)
                         : code;
    if (code == 0 && read == 0) {
        if (gmtime_r(&now, &parts) != NULL)
            (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
        code = command_refuse_existing(beside, work->options->request.force, failure);
        if (code == 0)
            code = collada_stage(&mesh, date, beside, &work->file[1], failure);
        work->geometry = beside;
        beside = NULL;
    } else if (code == 0 && read != FAILURE_INPUT) {
        code = failure_forward(failure, &why);
    } else if (code == 0) {
        message_warning(
            stderr, "",
            "%s has no %s that can be read: the file has no geometry of the room (RoomType is reverberant)",
            PATH_SHOWN(work->folder.path), RUN_MESH_FILE);
    }
    mesh_free(&mesh);
    free(beside);
    free(path);
    return code;
}

static int stage_sofa(struct work *work, struct failure *failure)
{
    const time_t now = time(NULL);
    TRY(sofa_measurements_make(&work->folder, (enum sofa_convention)work->options->convention, &work->all,
                               failure));
    TRY(stage_geometry(work, now, failure));
    return sofa_stage(&work->all, work->geometry != NULL ? path_name(work->geometry) : NULL, (int64_t)now,
                      work->options->output, &work->file[0], failure);
}

/* ---- written files ---- */

static cJSON *sofa_json(const struct work *work)
{
    const struct sofa_measurements *all = &work->all;
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"file", OF_TEXT(work->options->output)}, {"run", OF_TEXT(work->options->subject)},
             {"convention", OF_TEXT(sofa_convention_name(all->convention))});
    if (work->geometry != NULL)
        JSON_PUT(object, {"geometry", OF_TEXT(work->geometry)});
    JSON_PUT(object, {"measurements", OF_NUMBER(all->measurements)}, {"receivers", OF_NUMBER(all->receivers)},
             {"emitters", OF_NUMBER(all->emitters)}, {"samples", OF_NUMBER(all->samples)},
             {"rate_hz", OF_NUMBER(all->rate)});
    return object;
}

static cJSON *grids_json(const struct work *work)
{
    cJSON *object = cJSON_CreateObject(), *grids;
    JSON_PUT(object, {"file", OF_TEXT(work->options->output)}, {"run", OF_TEXT(work->options->subject)});
    grids = json_list_in(object, "grids");
    for (size_t g = 0; g < work->folder.model.grids.count; g++) {
        const struct record_grid *grid = &work->folder.model.grids.item[g];
        for (size_t m = 0; m < grid->maps.count; m++)
            JSON_PUT(json_append_object(grids), {"grid", OF_TEXT(grid->name)},
                     {"source", OF_TEXT(grid->maps.item[m].source)},
                     {"points", OF_NUMBER(grid->positions.count)},
                     {"samples", OF_NUMBER(grid->maps.item[m].samples)},
                     {"rate_hz", OF_NUMBER(grid->maps.item[m].rate)});
    }
    return object;
}

static void print_words(const struct work *work)
{
    const char *path = work->options->output;
    if (is_grid_file(path)) {
        for (size_t g = 0; g < work->folder.model.grids.count; g++) {
            const struct record_grid *grid = &work->folder.model.grids.item[g];
            printf("%s: grid %s, %zu points, responses from %zu source%s\n", PATH_SHOWN(path), grid->name,
                   grid->positions.count, grid->maps.count, grid->maps.count == 1 ? "" : "s");
        }
        return;
    }
    const struct sofa_measurements *all = &work->all;
    printf("%s: %s, %zu measurement%s of %zu receiver%s and %zu emitter%s, %.3g s at %.0f Hz\n",
           PATH_SHOWN(path), sofa_convention_name(all->convention), all->measurements,
           all->measurements == 1 ? "" : "s", all->receivers, all->receivers == 1 ? "" : "s", all->emitters,
           all->emitters == 1 ? "" : "s", (double)all->samples / all->rate, all->rate);
    if (work->geometry != NULL)
        printf("%s: the room, which it names\n", PATH_SHOWN(work->geometry));
}

static int print_result(const struct work *work, struct failure *failure)
{
    if (work->options->json)
        return print_json(is_grid_file(work->options->output) ? grids_json(work) : sofa_json(work), failure);
    if (!work->options->request.quiet)
        print_words(work);
    return 0;
}

/* Write the geometry first, so that no file names a missing one, and remove it if the file fails. */
static int commit_files(struct work *work, struct failure *failure)
{
    TRY(whole_file_settle(&work->file[0], failure));
    if (work->geometry != NULL)
        TRY(whole_file_commit(&work->file[1], failure));
    const int code = whole_file_commit(&work->file[0], failure);
    if (code != 0 && work->geometry != NULL && access(work->options->output, F_OK) != 0)
        (void)remove(work->geometry);
    return code;
}

int command_export(const struct options *options, struct failure *failure)
{
    struct work work = {.options = options};
    int code = check_options(options, failure);
    if (code == 0)
        code = run_folder_read(options->subject, &work.folder, failure);
    if (code == 0)
        code = is_grid_file(options->output)
                   ? grid_file_stage(&work.folder, options->output, &work.file[0], failure)
                   : stage_sofa(&work, failure);
    if (code == 0)
        code = commit_files(&work, failure);
    if (code == 0)
        code = print_result(&work, failure);
    work_free(&work);
    return code;
}
