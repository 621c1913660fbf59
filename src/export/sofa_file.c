#include "src/export/sofa_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "geometry/base/text_buffer.h"
#include "src/base/interrupt.h"
#include "src/export/netcdf_writer.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/run_folder/record_error.h"

#define PI             3.14159265358979323846
#define KELVIN         273.15 /* 0 C */
#define TEXT_ENOUGH    3000   /* bytes of a list, after which it is cut: netcdf_text() */
#define NOT_GIVEN      "not given"
#define TIME_TEXT_SIZE 20

const char *sofa_convention_name(enum sofa_convention convention)
{
    return convention == SOFA_SINGLE_ROOM_SRIR ? "SingleRoomSRIR" : "SingleRoomMIMOSRIR";
}

/* The content of the file. */
struct content {
    const struct sofa_measurements *all;
    const char *geometry;
    int64_t time;
    struct text_buffer title, contact, room, comment, history, sources; /* owned */
    struct text_buffer range, crossover, octaves;                       /* of a run with rays; owned */
};

/* ---- texts ---- */

static const char *or_else(const char *text, const char *otherwise)
{
    return text != NULL && text[0] != '\0' ? text : otherwise;
}

static const char *room_name(const struct run_model *run)
{
    const char *file = run->room.mesh != NULL ? run->room.mesh->file : NULL;
    if (file == NULL && run->room.project != NULL)
        file = or_else(run->room.project->file, run->room.project->shape);
    return or_else(file, "room");
}

static int tell_room(const struct run_model *run, struct text_buffer *out, struct failure *failure)
{
    TRY(text_print(out, failure, "%.300s", room_name(run)));
    if (run->size.air_volume > 0.0)
        TRY(text_print(out, failure, ", %.6g m3 of air", run->size.air_volume));
    size_t m = 0;
    for (; m < run->room.materials.count && out->size < TEXT_ENOUGH; m++) {
        const struct record_material *material = &run->room.materials.item[m];
        TRY(text_print(out, failure, "%s%.150s", m == 0 ? "; surfaces: " : ", ",
                       or_else(material->name, "-")));
        if (isfinite(material->area))
            TRY(text_print(out, failure, " %.4g m2", material->area));
        if (isfinite(material->absorption))
            TRY(text_print(out, failure, " (absorption %.3g at 500 Hz)", material->absorption));
    }
    return m < run->room.materials.count
               ? text_print(out, failure, " and %zu more", run->room.materials.count - m)
               : 0;
}

static int tell_contact(const struct run_model *run, struct text_buffer *out, struct failure *failure)
{
    const struct record_page *page = run->page;
    if (page == NULL || page->name == NULL)
        return text_print(out, failure, NOT_GIVEN);
    TRY(text_print(out, failure, "%.300s", page->name));
    for (size_t i = 0; i < page->lines.count && out->size < TEXT_ENOUGH; i++)
        TRY(text_print(out, failure, ", %.300s", or_else(json_text_of(&page->lines, i), "")));
    return 0;
}

static int tell_calibration(const struct sofa_measurements *all, struct text_buffer *out,
                            struct failure *failure)
{
    const struct record_calibration *known = all->folder->model.calibration;
    if (known == NULL || known->quantity == NULL)
        return text_print(out, failure,
                          "The level of these responses is not known: run.json has no calibration.");
    TRY(text_print(out, failure, "Calibration: %.300s", known->quantity));
    TRY(text_print(out, failure, ", from %.4g to %.4g Hz, with x the pressure%s.", known->from, known->to,
                   all->receivers > 1 ? ", which is sqrt(4 pi) times the first receiver" : ""));
    TRY(text_print(out, failure, " Time: %.200s.", or_else(known->time_zero, "sample 0 is the emission")));
    if (all->receivers > 1)
        TRY(text_print(out, failure,
                       " Receivers are spherical harmonics of order 0 and 1 (ACN), real and orthonormal "
                       "over the sphere: AmbiX (SN3D) times sqrt((2 n + 1) / (4 pi)), n the order."));
    return 0;
}

/* Describe each source, if one of them is not an omnidirectional point. */
static int tell_sources(const struct run_model *run, struct text_buffer *out, struct failure *failure)
{
    TRY(text_print(out, failure, "A point"));
    for (size_t s = 0; s < run->points.sources.count && out->size < TEXT_ENOUGH; s++) {
        const struct record_point *point = &run->points.sources.item[s];
        const char *name = or_else(point->name, "-");
        if (point->directivity != NULL)
            TRY(text_print(out, failure, "; %.100s radiates as %.200s, towards its view", name,
                           or_else(point->directivity->pattern, "a pattern")));
        for (size_t m = 0; m < point->together.count && out->size < TEXT_ENOUGH; m++)
            TRY(text_print(out, failure, "; %.100s sounds with %.100s at %.4g dB, %.4g ms later", name,
                           or_else(point->together.item[m].source, "-"), point->together.item[m].gain,
                           point->together.item[m].delay));
    }
    return text_print(out, failure, "; else alike in all directions");
}

/* Which part of the band is from rays. */
static int tell_rays(const struct run_model *run, struct content *content, struct failure *failure)
{
    if (run->rays == NULL || run->calibration == NULL)
        return 0;
    TRY(text_print(&content->range, failure, "%.5g to %.5g Hz", run->calibration->from,
                   run->calibration->to));
    TRY(text_print(&content->crossover, failure, "%.4g Hz", run->rays->crossover));
    TRY(text_print(&content->history, failure,
                   " Above %.4g Hz: energy along rays, with random sound for its late part.",
                   run->rays->crossover));
    double centre[OCTAVE_BANDS_MAX];
    const size_t octaves = octave_centres(run->calibration->to, centre);
    for (size_t o = 0; o < octaves; o++)
        if (record_rays_hold(run, centre[o]))
            TRY(text_print(&content->octaves, failure, "%s%d", content->octaves.size > 0 ? ", " : "",
                           band_nominal(centre[o])));
    return content->octaves.size > 0 ? text_print(&content->octaves, failure, " Hz") : 0;
}

static int tell_all(struct content *content, struct failure *failure)
{
    const struct sofa_measurements *all = content->all;
    const struct run_model *run = &all->folder->model;
    const struct record_room *room = &run->room;
    if (run->page != NULL && run->page->title != NULL)
        TRY(text_print(&content->title, failure, "%.300s", run->page->title));
    else
        TRY(text_print(&content->title, failure, "Room impulse responses of %.300s", room_name(run)));
    TRY(tell_contact(run, &content->contact, failure));
    TRY(tell_room(run, &content->room, failure));
    TRY(tell_calibration(all, &content->comment, failure));
    TRY(tell_sources(run, &content->sources, failure));
    TRY(text_print(
        &content->history, failure,
        "Simulated by transept %.40s: finite differences in time, scheme %.40s, %.4g m from point to "
        "point, up to %.6g Hz. Exported by transept %s.",
        or_else(room->version, "of unknown version"), or_else(room->scheme, "standard"), room->spacing,
        room->fmax, TRANSEPT_VERSION));
    return tell_rays(run, content, failure);
}

static void tell_time(int64_t time, char text[TIME_TEXT_SIZE])
{
    struct tm parts;
    const time_t clock = (time_t)time;
    if (gmtime_r(&clock, &parts) == NULL || strftime(text, TIME_TEXT_SIZE, "%Y-%m-%d %H:%M:%S", &parts) == 0)
        strcpy(text, "1970-01-01 00:00:00");
}

static void put_global(struct hdf5_writer *writer, const struct content *content)
{
    const struct sofa_measurements *all = content->all;
    const struct run_model *run = &all->folder->model;
    const bool single = all->convention == SOFA_SINGLE_ROOM_SRIR, ambisonic = all->receivers > 1;
    char date[TIME_TEXT_SIZE];
    tell_time(content->time, date);
    const char *const attribute[][2] = {
        {"Conventions", "SOFA"},
        {"Version", "2.1"},
        {"SOFAConventions", sofa_convention_name(all->convention)},
        {"SOFAConventionsVersion", single ? "1.1" : "1.0"},
        {"DataType", single ? "FIR" : "FIR-E"},
        {"RoomType", content->geometry != NULL ? "dae" : "reverberant"},
        {"Title", content->title.data},
        {"DateCreated", date},
        {"DateModified", date},
        {"APIName", "transept"},
        {"APIVersion", TRANSEPT_VERSION},
        {"AuthorContact", content->contact.data},
        {"Organization", or_else(run->page != NULL ? run->page->name : NULL, NOT_GIVEN)},
        {"License", "No license provided, ask the author for permission"},
        {"ApplicationName", "transept"},
        {"ApplicationVersion", or_else(run->room.version, TRANSEPT_VERSION)},
        {"Comment", content->comment.data},
        {"History", content->history.data},
        {"Origin", "simulated"},
        {"DatabaseName", all->folder->name},
        {"RoomShortName", room_name(run)},
        {"RoomDescription", content->room.data},
        {"ListenerShortName", ambisonic ? "ambisonic" : "omnidirectional"},
        {"ListenerDescription", ambisonic ? "A point with the direction that sound comes from, without a body"
                                          : "A point, without a body"},
        {"ReceiverDescription", ambisonic
                                    ? "First-order spherical harmonics (ACN) of the sound at the listener"
                                    : "Pressure at the listener"},
        {"SourceShortName", "point"},
        {"SourceDescription", content->sources.data},
        {"EmitterDescription", content->sources.data},
    };
    for (size_t a = 0; a < sizeof attribute / sizeof attribute[0]; a++)
        netcdf_text(writer, writer->root, attribute[a][0], attribute[a][1]);
    if (content->geometry != NULL)
        netcdf_text(writer, writer->root, "RoomGeometry", content->geometry);
    const struct {
        const char *name;
        const struct text_buffer *text;
    } of_rays[] = {{"FrequencyRange", &content->range},
                   {"CrossoverFrequency", &content->crossover},
                   {"OctavesFromRays", &content->octaves}};
    for (size_t a = 0; a < sizeof of_rays / sizeof of_rays[0]; a++)
        if (of_rays[a].text->size > 0)
            netcdf_text(writer, writer->root, of_rays[a].name, of_rays[a].text->data);
}

/* ---- variables ---- */

/* With its attributes; NULL: it has none of that name. */
static void put_reals(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions,
                      const char *name, const char *on, const double *values, const char *type,
                      const char *units)
{
    const hid_t variable = netcdf_reals(writer, dimensions, name, on, values);
    if (type != NULL)
        netcdf_text(writer, variable, "Type", type);
    if (units != NULL)
        netcdf_text(writer, variable, "Units", units);
    hdf5_array_close(writer, variable);
}

/* Write the view of each source, +x if it has no axis, and its up direction. */
static void put_axes(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions, const char *view,
                     const char *up, const char *on, const struct record_point *const *source, size_t count,
                     double *work)
{
    static const double front[3] = {1, 0, 0}, zenith[3] = {0, 0, 1};
    for (size_t s = 0; s < count; s++) {
        const struct record_directivity *of = source[s]->directivity;
        const bool pointed = of != NULL && isfinite(of->axis[0] + of->axis[1] + of->axis[2]);
        memcpy(work + 3 * s, pointed ? of->axis : front, sizeof front);
    }
    put_reals(writer, dimensions, view, on, work, "cartesian", "metre");
    for (size_t s = 0; s < count; s++)
        memcpy(work + 3 * s, fabs(work[3 * s + 2]) > 0.999 ? front : zenith, sizeof front);
    put_reals(writer, dimensions, up, on, work, NULL, NULL);
}

/* Write positions and views of listeners and sources. `work` holds three numbers a measurement. */
static void put_places(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions,
                       const struct sofa_measurements *all, double *work)
{
    static const char cartesian[] = "cartesian", metre[] = "metre";
    static const double front[3] = {1, 0, 0}, up[3] = {0, 0, 1};
    for (size_t m = 0; m < all->measurements; m++)
        memcpy(work + 3 * m, all->listener[m]->position, 3 * sizeof *work);
    put_reals(writer, dimensions, "ListenerPosition", "MC", work, cartesian, metre);
    for (size_t m = 0; m < all->measurements; m++) {
        const double azimuth = sofa_listener_azimuth(all, m) * PI / 180.0;
        work[3 * m] = cos(azimuth);
        work[3 * m + 1] = sin(azimuth);
        work[3 * m + 2] = 0.0;
    }
    put_reals(writer, dimensions, "ListenerView", "MC", work, cartesian, metre);
    put_reals(writer, dimensions, "ListenerUp", "IC", up, NULL, NULL);
    for (size_t m = 0; m < all->measurements; m++)
        for (size_t d = 0; d < 3; d++)
            work[3 * m + d] = all->convention == SOFA_SINGLE_ROOM_SRIR ? all->source[m]->position[d] : 0.0;
    put_reals(writer, dimensions, "SourcePosition", "MC", work, cartesian, metre);
    if (all->convention == SOFA_SINGLE_ROOM_SRIR) {
        put_axes(writer, dimensions, "SourceView", "SourceUp", "MC", all->source, all->measurements, work);
    } else {
        put_reals(writer, dimensions, "SourceView", "IC", front, cartesian, metre);
        put_reals(writer, dimensions, "SourceUp", "IC", up, NULL, NULL);
        put_axes(writer, dimensions, "EmitterView", "EmitterUp", "ECI", all->source, all->emitters, work);
    }
    for (size_t e = 0; e < all->emitters; e++)
        for (size_t d = 0; d < 3; d++)
            work[3 * e + d] = all->convention == SOFA_SINGLE_ROOM_SRIR ? 0.0 : all->source[e]->position[d];
    put_reals(writer, dimensions, "EmitterPosition", "ECI", work, cartesian, metre);
    memset(work, 0, 3 * all->receivers * all->measurements * sizeof *work);
    put_reals(writer, dimensions, "ReceiverPosition", "RCM", work,
              all->receivers > 1 ? "spherical harmonics" : cartesian,
              all->receivers > 1 ? "degree, degree, metre" : metre);
}

/* Names as letters, each of S with zeros behind. */
static int put_names(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions, const char *name,
                     const char *on, const struct record_point *const *point, struct failure *failure)
{
    const size_t size = netcdf_values(dimensions, on), letters = netcdf_values(dimensions, "S");
    char *text = calloc(size, 1);
    if (text == NULL)
        return failure_memory(failure, size, "the names of positions");
    for (size_t p = 0; p < size / letters; p++)
        memcpy(text + p * letters, point[p]->name, strlen(point[p]->name));
    const hid_t variable = netcdf_variable(writer, dimensions, name, on, H5T_C_S1, on);
    if (writer->fine)
        hdf5_keep(writer, H5Dwrite(variable, H5T_C_S1, H5S_ALL, H5S_ALL, H5P_DEFAULT, text));
    hdf5_array_close(writer, variable);
    free(text);
    return 0;
}

static int put_responses(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions,
                         const struct sofa_measurements *all, struct failure *failure)
{
    const bool single = all->convention == SOFA_SINGLE_ROOM_SRIR;
    const size_t bytes = all->receivers * all->samples * sizeof(double);
    double *sample = malloc(bytes);
    if (sample == NULL)
        return failure_memory(failure, bytes, "a response");
    const int rank = single ? 3 : 4;
    /* A chunk for each response of a receiver: they are written, and read, one by one. */
    const hid_t variable =
        netcdf_variable(writer, dimensions, "Data.IR", single ? "MRN" : "MRNE", H5T_IEEE_F64LE, "N");
    int code = 0;
    for (size_t m = 0; code == 0 && m < all->measurements; m++)
        for (size_t e = 0; code == 0 && e < all->emitters; e++) {
            const hsize_t first[4] = {m, 0, 0, e}, count[4] = {1, all->receivers, all->samples, 1};
            code = interrupt_seen ? FAILURE_INTERRUPTED : sofa_measurement_read(all, m, e, sample, failure);
            if (code == 0)
                hdf5_array_put(writer, variable, H5T_NATIVE_DOUBLE, rank, first, count, sample);
        }
    hdf5_array_close(writer, variable);
    free(sample);
    return code;
}

static void put_room(struct hdf5_writer *writer, const struct netcdf_dimensions *dimensions,
                     const struct run_model *run)
{
    const double celsius = run->air != NULL ? run->air->temperature : run->room.temperature;
    const double kelvin = celsius + KELVIN, volume = run->size.air_volume;
    if (isfinite(kelvin))
        put_reals(writer, dimensions, "RoomTemperature", "I", &kelvin, NULL, "kelvin");
    if (volume > 0.0)
        put_reals(writer, dimensions, "RoomVolume", "I", &volume, NULL, "cubic metre");
}

static size_t longest_name(const struct sofa_measurements *all)
{
    const bool single = all->convention == SOFA_SINGLE_ROOM_SRIR;
    size_t most = 1;
    for (size_t m = 0; m < all->measurements; m++) {
        const size_t length = strlen(all->listener[m]->name);
        most = length > most ? length : most;
    }
    for (size_t s = 0; s < (single ? all->measurements : all->emitters); s++) {
        const size_t length = strlen(all->source[s]->name);
        most = length > most ? length : most;
    }
    return most;
}

static int put_variables(struct hdf5_writer *writer, struct netcdf_dimensions *dimensions,
                         const struct content *content, struct failure *failure)
{
    static const double none[4] = {0};
    const struct sofa_measurements *all = content->all;
    const bool single = all->convention == SOFA_SINGLE_ROOM_SRIR;
    const size_t most = all->measurements * all->receivers + all->emitters;
    double *work = calloc(3 * most, sizeof *work);
    if (work == NULL)
        return failure_memory(failure, 3 * most * sizeof *work, "positions");
    put_places(writer, dimensions, all, work);
    free(work);
    put_room(writer, dimensions, &all->folder->model);
    put_reals(writer, dimensions, "Data.SamplingRate", "I", &all->rate, NULL, "hertz");
    put_reals(writer, dimensions, "Data.Delay", single ? "IR" : "IRI", none, NULL, NULL);
    int code =
        put_names(writer, dimensions, "ReceiverDescriptions", single ? "MS" : "MSI", all->listener, failure);
    if (code == 0)
        code =
            put_names(writer, dimensions, "EmitterDescriptions", single ? "MS" : "ESI", all->source, failure);
    return code != 0 ? code : put_responses(writer, dimensions, all, failure);
}

static int put_file(struct hdf5_writer *writer, const void *what, struct failure *failure)
{
    const struct content *content = what;
    const struct sofa_measurements *all = content->all;
    struct netcdf_dimensions dimensions = {0};
    put_global(writer, content);
    netcdf_dimension(writer, &dimensions, 'I', 1);
    netcdf_dimension(writer, &dimensions, 'C', 3);
    netcdf_dimension(writer, &dimensions, 'R', all->receivers);
    netcdf_dimension(writer, &dimensions, 'E', all->emitters);
    netcdf_dimension(writer, &dimensions, 'N', all->samples);
    netcdf_dimension(writer, &dimensions, 'M', all->measurements);
    netcdf_dimension(writer, &dimensions, 'S', longest_name(all));
    const int code = put_variables(writer, &dimensions, content, failure);
    netcdf_dimensions_close(writer, &dimensions);
    return code;
}

int sofa_stage(const struct sofa_measurements *all, const char *geometry, int64_t time, const char *path,
               struct whole_file *out, struct failure *failure)
{
    struct content content = {.all = all, .geometry = geometry, .time = time};
    int code = tell_all(&content, failure);
    if (code == 0)
        code = hdf5_stage(path, put_file, &content, out, failure);
    free(content.title.data);
    free(content.contact.data);
    free(content.room.data);
    free(content.comment.data);
    free(content.history.data);
    free(content.sources.data);
    free(content.range.data);
    free(content.crossover.data);
    free(content.octaves.data);
    return code;
}
