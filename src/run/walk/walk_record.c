#include "src/run/walk/walk_record.h"

#include <math.h>

#include "src/base/path_text.h"
#include "src/base/table/json_values.h"
#include "src/listen/auralisation.h"
#include "src/response/signal/response.h"

static void put_if_known(cJSON *object, const char *name, double value)
{
    if (!isnan(value))
        JSON_PUT(object, {name, OF_NUMBER(value)});
}

static double seconds_of(const struct walk_file *file)
{
    return (double)file->frames / RESPONSE_RATE;
}

static void add_file(cJSON *list, const struct walk_file *file, double gain)
{
    cJSON *const object = json_append_object(list);
    JSON_PUT(object, {"file", OF_TEXT(file->name)}, {"source", OF_TEXT(file->source)},
             {"kind", OF_TEXT(file->kind)}, {"channels", OF_NUMBER(file->channels)},
             {"seconds", OF_NUMBER(seconds_of(file))}, {"gain_db", OF_NUMBER(loudness_decibels(gain))},
             {"loudness_lufs", OF_NUMBER(file->loudness.lufs)});
    if (isnan(file->loudness.lufs))
        JSON_PUT(object, {"loudness_why", OF_TEXT(LOUDNESS_WHY)});
    JSON_PUT(object, {"true_peak_dbfs", OF_NUMBER(loudness_decibels(file->loudness.peak))});
}

cJSON *walk_record(const struct walk_summary *walk)
{
    const struct options *options = walk->options;
    cJSON *const object = cJSON_CreateObject();
    JSON_PUT(object, {"program", OF_TEXT("transept")}, {"version", OF_TEXT(TRANSEPT_VERSION)},
             {"command", OF_TEXT("auralise")},
             {"arguments", OF_TEXTS(options->request.argument_count, options->request.argument)},
             {"room", OF_TEXT(walk->run)}, {"method", OF_TEXT(walk->stepped ? "stepped" : "responses")},
             {"from", OF_TEXT(walk->rays ? "waves and rays" : "waves")}, {"look", OF_TEXT(options->facing)},
             {"path_m", OF_POINTS(walk->path->corners, walk->path->corner)},
             {"speed_m_s", OF_NUMBER(walk->path->speed)},
             {"length_m", OF_NUMBER(walk_path_length(walk->path))},
             {"seconds", OF_NUMBER(walk_path_seconds(walk->path))}, {"fmax_hz", OF_NUMBER(walk->fmax)});
    if (walk->sounds != NULL)
        JSON_PUT(object, {"source_path_m", OF_POINTS(walk->sounds->corners, walk->sounds->corner)},
                 {"source_speed_m_s", OF_NUMBER(walk->sounds->speed)},
                 {"source_places", OF_NUMBER(walk->source_places)});
    put_if_known(object, "responses", walk->responses);
    put_if_known(object, "farthest_m", walk->farthest);
    put_if_known(object, "receivers", walk->receivers);
    put_if_known(object, "spacing_m", walk->spacing);
    put_if_known(object, "step_rate_hz", walk->rate);
    if (walk->no_air)
        JSON_PUT(object, {"air", OF_TEXT("without losses")});
    JSON_PUT(json_object_in(object, "dry"), {"sound", OF_TEXT(walk->dry_name)},
             {"rate_hz", OF_NUMBER(walk->dry->rate)}, {"seconds", OF_NUMBER(walk->dry->seconds)},
             {"times", OF_NUMBER(walk->dry_times)});
    JSON_PUT(object, {"level", OF_TEXT(options->level == LEVEL_TRUE ? "true" : "normalised")},
             {"gain_db", OF_NUMBER(loudness_decibels(walk->gain))});
    cJSON *const files = json_list_in(object, "files");
    for (size_t i = 0; i < walk->files; i++)
        add_file(files, &walk->file[i], walk->gain);
    return object;
}

void walk_print(FILE *stream, const struct walk_summary *walk)
{
    const double length = walk_path_length(walk->path);
    if (length > 0.0)
        fprintf(stream, "a walk of %.1f m at %g m/s, %.1f s", length, walk->path->speed,
                walk_path_seconds(walk->path));
    else
        fprintf(stream, "standing at %g,%g,%g m", walk->path->corner[0][0], walk->path->corner[0][1],
                walk->path->corner[0][2]);
    if (walk->sounds != NULL)
        fprintf(stream, ", while the source walks %.1f m at %g m/s by %.0f places",
                walk_path_length(walk->sounds), walk->sounds->speed, walk->source_places);
    if (walk->stepped)
        fprintf(stream, ", stepped at %.0f Hz, read at %.0f places", walk->rate, walk->receivers);
    else
        fprintf(stream, ", from %.0f responses, never more than %.2f m from one", walk->responses,
                walk->farthest);
    if (isfinite(walk->fmax))
        fprintf(stream, "; up to %g Hz", walk->fmax);
    if (walk->no_air)
        fprintf(stream, "; without losses of the air");
    fprintf(stream, "\n%s, %.3g s of sound", PATH_SHOWN(walk->dry_name), walk->dry->seconds);
    if (walk->dry_times > 1)
        fprintf(stream, ", %zu times", walk->dry_times);
    fprintf(stream, "; gain %+.1f dB, one for all\n", loudness_decibels(walk->gain));
    for (size_t i = 0; i < walk->files; i++) {
        const struct walk_file *file = &walk->file[i];
        char loudness[32] = "-";
        if (isfinite(file->loudness.lufs))
            (void)snprintf(loudness, sizeof loudness, "%.1f LUFS", file->loudness.lufs);
        fprintf(stream, "  %s  %.1f s  %s  peak %.1f dBFS", PATH_SHOWN(file->name), seconds_of(file),
                loudness, loudness_decibels(file->loudness.peak));
        if (file->channels > 1)
            fprintf(stream, ", %zu channels", file->channels);
        fputc('\n', stream);
    }
}
