#include "src/run/walk/walk_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/signal/response.h"
#include "src/response/signal/wav_stream.h"

#define PIECE 4096 /* frames written at once */

/* The content of a file: (frames, channels). */
struct heard_file {
    const struct walked_source *source;
    const float *sample;
    size_t frames, channels;
    const char *kind;
};

/* The files of one source, as many as there are. */
#define FILES_MOST 4

static size_t list_kinds(const struct walked_source *of, struct heard_file file[FILES_MOST])
{
    const size_t frames = of->sound.frames;
    size_t count = 0;
    file[count++] = (struct heard_file){of, of->mono, frames, 1, ""};
    if (of->sound.channels > 1)
        file[count++] = (struct heard_file){of, of->sound.sample, frames, AMBISONIC_CHANNELS, "_ambix"};
    if (of->ears != NULL)
        file[count++] = (struct heard_file){of, of->ears, frames, EARS, "_binaural"};
    if (of->extended.sample != NULL)
        file[count++] = (struct heard_file){of, of->extended.sample, of->extended.frames, 1, "_extended"};
    return count;
}

static struct heard_file file_of(const struct walk_files *files, size_t i)
{
    struct heard_file file[FILES_MOST];
    const size_t each = list_kinds(&files->source[0], file);
    (void)list_kinds(&files->source[i / each], file);
    return file[i % each];
}

/* Through a meter, and where `stream` is not NULL into it. */
static int pass_sound(const struct heard_file *of, double gain, enum loudness_what what,
                      struct wav_stream *stream, struct loudness *out, struct failure *failure)
{
    double piece[PIECE * AMBISONIC_CHANNELS];
    struct loudness_meter meter = {0};
    const size_t frames = of->frames;
    int code = loudness_begin(&meter, what, of->channels, RESPONSE_RATE, failure);
    for (size_t n = 0; code == 0 && n < frames; n += PIECE) {
        const size_t some = frames - n < PIECE ? frames - n : PIECE;
        for (size_t i = 0; i < some * of->channels; i++)
            piece[i] = gain * (double)of->sample[n * of->channels + i];
        if (stream != NULL)
            code = wav_stream_add(stream, piece, some, failure);
        if (code == 0)
            code = loudness_add(&meter, piece, some, failure);
    }
    if (code == 0)
        code = loudness_end(&meter, out, failure);
    loudness_free(&meter);
    return code;
}

static bool is_extended(const struct heard_file *of)
{
    return of->sample == of->source->extended.sample;
}

/* One gain for all, as of other sounds of this command. */
static int find_gain(struct walk_files *files, enum auralisation_level level, struct failure *failure)
{
    struct heard *heard = calloc(files->count, sizeof *heard);
    if (heard == NULL)
        return failure_memory(failure, files->count * sizeof *heard, "levels");
    int code = 0;
    for (size_t i = 0; code == 0 && i < files->count; i++) {
        const struct heard_file of = file_of(files, i);
        struct loudness loudness = {0};
        heard[i].kind = is_extended(&of) ? HEARD_EXTENDED : HEARD_RESPONSE;
        code = pass_sound(&of, 1.0, LOUDNESS_PEAK, NULL, &loudness, failure);
        heard[i].peak = files->file[i].loudness.peak = loudness.peak;
    }
    if (code == 0)
        files->gain = auralisation_set_gains(heard, files->count, level);
    for (size_t i = 0; i < files->count; i++)
        files->file[i].gain = heard[i].gain;
    free(heard);
    return code;
}

static int stage_file(struct walk_files *files, size_t i, const struct output_folder *folder,
                      struct failure *failure)
{
    const struct heard_file of = file_of(files, i);
    struct walk_file *file = &files->file[i];
    struct wav_stream stream = {0};
    struct loudness loudness = {0};
    char *path = output_folder_file(folder, file->name);
    int code = path == NULL ? failure_memory(failure, strlen(file->name), "a path")
                            : wav_stream_begin(&stream, path, of.frames, of.channels, RESPONSE_RATE, failure);
    if (code == 0)
        code = pass_sound(&of, file->gain, LOUDNESS_LUFS, &stream, &loudness, failure);
    if (code == 0)
        code = wav_stream_end(&stream, &file->content, failure);
    wav_stream_abandon(&stream);
    free(path);
    file->loudness = (struct loudness){.lufs = loudness.lufs, .peak = file->gain * file->loudness.peak};
    return code;
}

static int list_files(struct walk_files *files, struct failure *failure)
{
    struct heard_file each[FILES_MOST];
    files->count = files->sources * list_kinds(&files->source[0], each);
    files->file = calloc(files->count, sizeof *files->file);
    if (files->file == NULL)
        return failure_memory(failure, files->count * sizeof *files->file, "a list of files");
    for (size_t i = 0; i < files->count; i++) {
        const struct heard_file of = file_of(files, i);
        struct walk_file *file = &files->file[i];
        *file = (struct walk_file){.source = of.source->name,
                                   .kind = of.kind[0] == '\0' ? "mono" : of.kind + 1,
                                   .channels = of.channels,
                                   .seconds = (double)of.frames / RESPONSE_RATE};
        (void)snprintf(file->name, sizeof file->name, "walk_%s%s.wav", of.source->name, of.kind);
    }
    return 0;
}

int walk_files_stage(const struct walked_source *source, size_t sources, enum auralisation_level level,
                     const struct output_folder *folder, struct walk_files *out, struct failure *failure)
{
    *out = (struct walk_files){.sources = sources, .source = source};
    TRY(list_files(out, failure));
    TRY(find_gain(out, level, failure));
    for (size_t i = 0; i < out->count; i++)
        TRY(stage_file(out, i, folder, failure));
    return 0;
}

void walk_files_free(struct walk_files *files)
{
    for (size_t i = 0; files->file != NULL && i < files->count; i++)
        whole_file_abandon(&files->file[i].content);
    free(files->file);
    *files = (struct walk_files){0};
}

void walked_source_free(struct walked_source *source)
{
    walk_sound_free(&source->sound);
    walk_sound_free(&source->extended);
    free(source->mono);
    free(source->ears);
}
