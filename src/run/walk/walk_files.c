#include "src/run/walk/walk_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/signal/response.h"
#include "src/response/signal/wav_stream.h"

#define PIECE      4096 /* frames written at once */
#define FILES_MOST 3    /* of one source */

static void add_file(struct walk_files *files, const struct walked_source *of, const char *kind,
                     const float *sample, size_t channels)
{
    const bool mono = channels == 1;
    struct walk_file *file = &files->file[files->count++];
    *file = (struct walk_file){
        .source = of->name, .kind = kind, .sample = sample, .frames = of->sound.frames, .channels = channels};
    (void)snprintf(file->name, sizeof file->name, "walk_%s%s%s.wav", of->name, mono ? "" : "_",
                   mono ? "" : kind);
}

static int list_files(const struct walked_source *source, size_t sources, struct walk_files *out,
                      struct failure *failure)
{
    out->file = calloc(FILES_MOST * sources + 1, sizeof *out->file);
    if (out->file == NULL)
        return failure_memory(failure, FILES_MOST * sources * sizeof *out->file, "a list of files");
    for (size_t s = 0; s < sources; s++) {
        add_file(out, &source[s], "mono", source[s].mono, 1);
        if (source[s].sound.channels > 1)
            add_file(out, &source[s], "ambix", source[s].sound.sample, AMBISONIC_CHANNELS);
        if (source[s].ears != NULL)
            add_file(out, &source[s], "binaural", source[s].ears, EARS);
    }
    return 0;
}

/* Through a meter, and where `stream` is not NULL into it. */
static int pass_sound(const struct walk_file *file, double gain, enum loudness_what what,
                      struct wav_stream *stream, struct loudness *out, struct failure *failure)
{
    double piece[PIECE * AMBISONIC_CHANNELS];
    struct loudness_meter meter = {0};
    int code = loudness_begin(&meter, what, file->channels, RESPONSE_RATE, failure);
    for (size_t n = 0; code == 0 && n < file->frames; n += PIECE) {
        const size_t some = file->frames - n < PIECE ? file->frames - n : PIECE;
        for (size_t i = 0; i < some * file->channels; i++)
            piece[i] = gain * (double)file->sample[n * file->channels + i];
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

static int find_gain(struct walk_files *files, enum auralisation_level level, struct failure *failure)
{
    double peak = 0.0;
    for (size_t i = 0; i < files->count; i++) {
        struct walk_file *file = &files->file[i];
        TRY(pass_sound(file, 1.0, LOUDNESS_PEAK, NULL, &file->loudness, failure));
        peak = fmax(peak, file->loudness.peak);
    }
    files->gain = auralisation_gain(peak, level);
    return 0;
}

static int stage_file(struct walk_file *file, double gain, const struct output_folder *folder,
                      struct failure *failure)
{
    struct wav_stream stream = {0};
    struct loudness loudness = {0};
    char *path = output_folder_file(folder, file->name);
    int code = path == NULL
                   ? failure_memory(failure, strlen(file->name), "a path")
                   : wav_stream_begin(&stream, path, file->frames, file->channels, RESPONSE_RATE, failure);
    if (code == 0)
        code = pass_sound(file, gain, LOUDNESS_LUFS, &stream, &loudness, failure);
    if (code == 0)
        code = wav_stream_end(&stream, &file->content, failure);
    wav_stream_abandon(&stream);
    free(path);
    file->loudness = (struct loudness){.lufs = loudness.lufs, .peak = gain * file->loudness.peak};
    return code;
}

int walk_files_stage(const struct walked_source *source, size_t sources, enum auralisation_level level,
                     const struct output_folder *folder, struct walk_files *out, struct failure *failure)
{
    *out = (struct walk_files){0};
    TRY(list_files(source, sources, out, failure));
    TRY(find_gain(out, level, failure));
    for (size_t i = 0; i < out->count; i++)
        TRY(stage_file(&out->file[i], out->gain, folder, failure));
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
    free(source->mono);
    free(source->ears);
}
