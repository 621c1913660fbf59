#include "src/run/walk/walk_record.h"

#include <math.h>
#include <string.h>

#include "src/base/json_entries.h"
#include "src/base/path_text.h"
#include "src/listen/auralisation.h"

#define TYPE walked_dry
OWN_TABLE(walked_dry, TEXT("sound", name), NUMBER("rate_hz", rate), NUMBER("seconds", seconds),
          NUMBER("times", times));
#undef TYPE

#define TYPE walked_file
OWN_TABLE(walked_file, TEXT("file", file), TEXT("source", source), TEXT("kind", kind),
          NUMBER("channels", channels), NUMBER("seconds", seconds), NUMBER("gain_db", gain),
          NUMBER("loudness_lufs", loudness), TEXT_IF("loudness_why", loudness_why),
          NUMBER("true_peak_dbfs", true_peak));
#undef TYPE

#define TYPE walked
TABLE(walked, TEXT("program", program), TEXT("version", version), TEXT("command", command),
      TEXTS("arguments", arguments), TEXT("room", run), TEXT("method", method), TEXT("look", look),
      POINTS("path_m", path), NUMBER("speed_m_s", speed), NUMBER("length_m", length),
      NUMBER("seconds", seconds), NUMBER("fmax_hz", fmax), NUMBER_IF("responses", responses),
      NUMBER_IF("farthest_m", farthest), NUMBER_IF("receivers", receivers), NUMBER_IF("spacing_m", spacing),
      NUMBER_IF("step_rate_hz", rate), TEXT_IF("air", air), OBJECT("dry", dry, walked_dry),
      TEXT("level", level), NUMBER("gain_db", gain), LIST("files", files, walked_file));
#undef TYPE

static double ratio_decibels(double ratio)
{
    return 20.0 * log10(ratio);
}

static bool fill_file(struct walked_file *record, const struct walk_made *made)
{
    record->channels = (double)made->channels;
    record->seconds = made->seconds;
    record->gain = ratio_decibels(made->gain);
    record->loudness = made->loudness.lufs;
    record->true_peak = ratio_decibels(made->loudness.peak);
    return json_text_set(&record->file, made->name) && json_text_set(&record->source, made->source) &&
           json_text_set(&record->kind, made->kind) &&
           json_text_set(&record->loudness_why, isnan(made->loudness.lufs) ? LOUDNESS_WHY : NULL);
}

static bool fill_record(struct walked *model, const struct walk_told *told)
{
    const struct options *options = told->options;
    model->speed = told->path->speed;
    model->length = walk_path_length(told->path);
    model->seconds = walk_path_seconds(told->path);
    model->fmax = told->fmax;
    model->responses = told->responses;
    model->farthest = told->farthest;
    model->receivers = told->receivers;
    model->spacing = told->spacing;
    model->rate = told->rate;
    model->gain = ratio_decibels(told->gain);
    model->dry = json_make(&walked_dry_table);
    if (model->dry == NULL || !json_text_set(&model->dry->name, told->dry) ||
        !json_text_set(&model->program, "transept") || !json_text_set(&model->version, TRANSEPT_VERSION) ||
        !json_text_set(&model->command, "auralise") ||
        !json_texts_set(&model->arguments, (const char *const *)options->argument,
                        (size_t)options->argument_count) ||
        !json_text_set(&model->run, told->run) || !json_text_set(&model->look, options->facing) ||
        !json_text_set(&model->method, told->stepped ? "stepped" : "responses") ||
        !json_text_set(&model->air, told->no_air ? "without losses" : NULL) ||
        !json_text_set(&model->level, options->level == LEVEL_TRUE ? "true" : "normalised") ||
        !json_points_set(&model->path, (const double(*)[3])told->path->corner, told->path->corners) ||
        !JSON_LIST_MAKE(&walked_file_table, &model->files, told->files))
        return false;
    model->dry->rate = told->dry_rate;
    model->dry->seconds = told->dry_seconds;
    model->dry->times = told->dry_times;
    for (size_t i = 0; i < told->files; i++)
        if (!fill_file(&model->files.item[i], &told->file[i]))
            return false;
    return true;
}

cJSON *walk_record(const struct walk_told *told)
{
    struct walked model;
    cJSON *object = cJSON_CreateObject();
    json_clear(&walked_table, &model);
    if (object != NULL && fill_record(&model, told))
        (void)json_write(&walked_table, &model, object);
    json_free_members(&walked_table, &model);
    return object;
}

void walk_print(FILE *stream, const struct walk_told *told)
{
    const double length = walk_path_length(told->path);
    if (length > 0.0)
        fprintf(stream, "a walk of %.1f m at %g m/s, %.1f s", length, told->path->speed,
                walk_path_seconds(told->path));
    else
        fprintf(stream, "standing at %g,%g,%g m", told->path->corner[0][0], told->path->corner[0][1],
                told->path->corner[0][2]);
    if (told->stepped)
        fprintf(stream, ", stepped at %.0f Hz, read at %.0f places", told->rate, told->receivers);
    else
        fprintf(stream, ", from %.0f responses, never more than %.2f m from one", told->responses,
                told->farthest);
    if (isfinite(told->fmax))
        fprintf(stream, "; up to %g Hz", told->fmax);
    if (told->no_air)
        fprintf(stream, "; without losses of the air");
    fprintf(stream, "\n%s, %.3g s of sound", PATH_SHOWN(told->dry), told->dry_seconds);
    if (told->dry_times > 1.0)
        fprintf(stream, ", %.0f times", told->dry_times);
    fprintf(stream, "; gain %+.1f dB, one for all\n", ratio_decibels(told->gain));
    for (size_t i = 0; i < told->files; i++) {
        const struct walk_made *made = &told->file[i];
        char loudness[32] = "-";
        if (isfinite(made->loudness.lufs))
            (void)snprintf(loudness, sizeof loudness, "%.1f LUFS", made->loudness.lufs);
        fprintf(stream, "  %s  %.1f s  %s  peak %.1f dBFS", PATH_SHOWN(made->name), made->seconds, loudness,
                ratio_decibels(made->loudness.peak));
        if (made->channels > 1)
            fprintf(stream, ", %zu channels", made->channels);
        if (strcmp(made->kind, "extended") == 0)
            fprintf(stream, ", above %g Hz statistical tails", told->fmax);
        if (made->gain != told->gain)
            fprintf(stream, ", gain %.1f dB lower", ratio_decibels(told->gain / made->gain));
        fputc('\n', stream);
    }
}
