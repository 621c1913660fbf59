#include "src/export/grid_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/hdf5_writer.h"
#include "src/base/interrupt.h"
#include "src/base/options/option_values.h"
#include "src/response/signal/wav_file.h"

#define CHUNK_BYTES 1048576

static void put_known_text(struct hdf5_writer *writer, hid_t at, const char *name, const char *text)
{
    if (text != NULL)
        hdf5_text(writer, at, name, text);
}

static void put_known_real(struct hdf5_writer *writer, hid_t at, const char *name, double value)
{
    if (isfinite(value))
        hdf5_real(writer, at, name, value);
}

static void put_run(struct hdf5_writer *writer, const struct run_model *run)
{
    const struct record_room *room = &run->room;
    const hid_t at = writer->root;
    put_known_text(writer, at, "program", room->program);
    put_known_text(writer, at, "version", room->version);
    hdf5_text(writer, at, "exported_by", "transept " TRANSEPT_VERSION);
    put_known_text(writer, at, "room", room->mesh != NULL ? room->mesh->file : NULL);
    put_known_text(writer, at, "scheme", room->scheme);
    put_known_real(writer, at, "fmax_hz", room->fmax);
    put_known_real(writer, at, "crossover_hz", run->rays != NULL ? run->rays->crossover : NAN);
    put_known_real(writer, at, "spacing_m", room->spacing);
    put_known_real(writer, at, "sound_speed_m_s", room->sound_speed);
    put_known_real(writer, at, "temperature_c", run->air != NULL ? run->air->temperature : room->temperature);
    put_known_real(writer, at, "humidity_percent", run->air != NULL ? run->air->humidity : NAN);
    put_known_real(writer, at, "pressure_kpa", run->air != NULL ? run->air->pressure : NAN);
    put_known_real(writer, at, "air_volume_m3", run->size.air_volume);
    put_known_text(writer, at, "calibration", run->calibration != NULL ? run->calibration->quantity : NULL);
}

/* Responses of a file, (frames, channels), as an array (channels, frames), some channels at a time. */
static int put_turned(struct hdf5_writer *writer, hid_t array, const struct wav_sound *sound, size_t together,
                      struct failure *failure)
{
    const size_t frames = sound->frames, channels = (size_t)sound->channels;
    float *some = malloc(together * frames * sizeof *some);
    if (some == NULL)
        return failure_memory(failure, together * frames * sizeof *some, "the responses of a grid");
    for (size_t c = 0; writer->fine && c < channels; c += together) {
        const size_t now = channels - c < together ? channels - c : together;
        for (size_t i = 0; i < now; i++)
            for (size_t n = 0; n < frames; n++)
                some[i * frames + n] = sound->sample[n * channels + c + i];
        const hsize_t first[2] = {c, 0}, count[2] = {now, frames};
        hdf5_array_put(writer, array, H5T_NATIVE_FLOAT, 2, first, count, some);
    }
    free(some);
    return 0;
}

static void put_about(struct hdf5_writer *writer, hid_t array, const struct run_model *run,
                      const struct record_map *map, int rate)
{
    hdf5_real(writer, array, "rate_hz", rate);
    hdf5_text(writer, array, "units", "1/m");
    hdf5_text(writer, array, "axes", "point, sample");
    if (run->calibration != NULL) {
        put_known_text(writer, array, "quantity", run->calibration->quantity);
        put_known_text(writer, array, "time_zero", run->calibration->time_zero);
    }
    for (size_t s = 0; s < run->points.sources.count; s++) {
        const struct record_point *point = &run->points.sources.item[s];
        if (point->name != NULL && strcmp(point->name, map->source) == 0 && isfinite(point->position[0]))
            hdf5_reals(writer, array, "source_position_m", 3, point->position);
    }
}

static int check_sound(const char *path, const struct wav_sound *sound, const struct record_grid *grid,
                       const struct record_map *map, struct failure *failure)
{
    if ((size_t)sound->channels == grid->positions.count && (isnan(map->rate) || map->rate == sound->rate))
        return 0;
    return failure_set(failure, FAILURE_INPUT,
                       "%s: has %d channels at %d Hz, and run.json says %zu points at %.6g Hz: simulate once "
                       "more",
                       path, sound->channels, sound->rate, grid->positions.count, map->rate);
}

/* The responses from one source, `file`, to one grid. */
static int put_responses(struct hdf5_writer *writer, hid_t at, const struct run_folder *folder,
                         const struct record_grid *grid, const struct record_map *map, const char *file,
                         struct failure *failure)
{
    struct wav_sound sound = {0};
    char *path = run_folder_file(folder, file);
    if (path == NULL)
        return failure_memory(failure, strlen(folder->path), "a path");
    int code = interrupt_seen ? FAILURE_INTERRUPTED : wav_sound_read(path, &sound, failure);
    if (code == 0)
        code = check_sound(path, &sound, grid, map, failure);
    if (code == 0) {
        const size_t all = (size_t)sound.channels, fit = CHUNK_BYTES / (sound.frames * sizeof(float)),
                     together = fit < 1     ? 1
                                : fit < all ? fit
                                            : all;
        const hsize_t size[2] = {all, sound.frames}, chunk[2] = {together, sound.frames};
        const hid_t array = hdf5_array(writer, at, map->source, H5T_IEEE_F32LE, 2, size, chunk);
        put_about(writer, array, &folder->model, map, sound.rate);
        code = put_turned(writer, array, &sound, together, failure);
        hdf5_array_close(writer, array);
    }
    wav_sound_free(&sound);
    free(path);
    return code;
}

/* Maps of all sources, into a group of their own; `shifted`: those of the repetition. */
static int put_maps(struct hdf5_writer *writer, hid_t at, const struct run_folder *folder,
                    const struct record_grid *grid, bool shifted, struct failure *failure)
{
    hid_t group = H5I_INVALID_HID;
    int code = 0;
    for (size_t m = 0; code == 0 && m < grid->maps.count; m++) {
        const struct record_map *map = &grid->maps.item[m];
        const char *file = shifted ? map->file_shifted : map->file;
        if (file == NULL || map->source == NULL)
            continue;
        if (group < 0)
            group = hdf5_group(writer, at, shifted ? "responses_shifted" : "responses");
        code = put_responses(writer, group, folder, grid, map, file, failure);
    }
    hdf5_group_close(writer, group);
    return code;
}

static int put_grid(struct hdf5_writer *writer, hid_t at, const struct run_folder *folder,
                    const struct record_grid *grid, struct failure *failure)
{
    const hid_t group = hdf5_group(writer, at, grid->name);
    put_known_text(writer, group, "material", grid->material);
    put_known_real(writer, group, "spacing_m", grid->spacing);
    put_known_real(writer, group, "height_m", grid->height);
    const hsize_t size[2] = {grid->positions.count, 3};
    const hid_t positions = hdf5_array(writer, group, "positions", H5T_IEEE_F64LE, 2, size, size);
    hdf5_array_put(writer, positions, H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){0, 0}, size,
                   grid->positions.point);
    hdf5_text(writer, positions, "units", "m");
    hdf5_text(writer, positions, "axes", "point, x y z (z up)");
    hdf5_array_close(writer, positions);
    int code = put_maps(writer, group, folder, grid, false, failure);
    if (code == 0)
        code = put_maps(writer, group, folder, grid, true, failure);
    hdf5_group_close(writer, group);
    return code;
}

static int put_grids(struct hdf5_writer *writer, const void *what, struct failure *failure)
{
    const struct run_folder *folder = what;
    put_run(writer, &folder->model);
    const hid_t group = hdf5_group(writer, writer->root, "grids");
    int code = 0;
    for (size_t g = 0; code == 0 && g < folder->model.grids.count; g++)
        code = put_grid(writer, group, folder, &folder->model.grids.item[g], failure);
    hdf5_group_close(writer, group);
    return code;
}

/* Grids, and of each the sources, are groups and data sets: HDF5 takes no name twice, nor one that is a path.
 */
static int check_names(const struct run_folder *folder, size_t index, struct failure *failure)
{
    const struct record_grid *grids = folder->model.grids.item, *grid = &grids[index];
    bool twice = false;
    const char *name = grid->name;
    for (size_t g = 0; g < index; g++)
        twice |= strcmp(grids[g].name, name) == 0;
    bool sound = !twice && option_name_is_valid(name);
    for (size_t m = 0; sound && m < grid->maps.count; m++) {
        const char *source = grid->maps.item[m].source;
        name = source != NULL ? source : "S";
        sound = option_name_is_valid(name);
        for (size_t n = 0; source != NULL && n < m; n++)
            twice |= grid->maps.item[n].source != NULL && strcmp(grid->maps.item[n].source, source) == 0;
        sound = sound && !twice;
    }
    return sound
               ? 0
               : failure_set(failure, FAILURE_INPUT,
                             twice ? "%s: run.json has two receiver grids, or two maps of one grid, called "
                                     "%s: simulate once more"
                                   : "%s: run.json has a receiver grid or source called \"%s\", which is not "
                                     "a name of 1 to 63 letters, digits, _ or -: simulate once more",
                             folder->path, name);
}

/* No file is started for a run without grids, or with an incomplete record of one. */
static int check_grids(const struct run_folder *folder, struct failure *failure)
{
    const struct run_model *run = &folder->model;
    if (run->grids.count == 0)
        return failure_set(failure, FAILURE_INPUT, "%s has no receiver grid%s", folder->path,
                           run->responses.count > 0
                               ? ", and .h5 is for the responses of those: name the file .sofa to export "
                                 "responses of receivers, or simulate with a receiver grid"
                               : ": simulate with one");
    for (size_t g = 0; g < run->grids.count; g++) {
        if (run->grids.item[g].name == NULL || run->grids.item[g].positions.count == 0)
            return failure_set(
                failure, FAILURE_INPUT,
                "%s: run.json has no positions of the points of its receiver grid %s: simulate "
                "once more",
                folder->path, run->grids.item[g].name != NULL ? run->grids.item[g].name : "");
    }
    for (size_t g = 0; g < run->grids.count; g++)
        TRY(check_names(folder, g, failure));
    return 0;
}

int grid_file_stage(const struct run_folder *folder, const char *path, struct whole_file *out,
                    struct failure *failure)
{
    TRY(check_grids(folder, failure));
    return hdf5_stage(path, put_grids, folder, out, failure);
}
