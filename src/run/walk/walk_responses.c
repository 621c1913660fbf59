#include <math.h>
#include <samplerate.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/response/acoustics/kept_response.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/wav_file.h"
#include "src/run/walk/walk_mix.h"
#include "src/run/walk/walk_responses.h"

#define PI             3.14159265358979323846
#define EARLY          0.05 /* after the direct sound, until the early part begins to fade .. [s] */
#define EARLY_ENDS     0.11 /* .. and has faded */
#define DISTANCE_LEAST 0.1  /* [m] */
#define REACH_BEYOND   3e-3 /* the fifth response, so that four as far as it have weight [m] */

static void mix_free(struct walk_mix *mix)
{
    for (size_t i = 0; mix->loaded != NULL && i < mix->field->stations; i++)
        for (int p = 0; p < WALK_PARTS; p++) {
            free(mix->loaded[i].part[p]);
            free(mix->loaded[i].line[p]);
        }
    free(mix->loaded);
    free(mix->near);
    free(mix->gain);
    free(mix->product);
    free(mix->number);
    free(mix->sinc);
    free(mix->line_share);
    fourier_free(&mix->lines);
}

/* ---- who is near ---- */

/* A station by its distance from a place. */
struct distant {
    double distance;
    size_t index;
};

static bool is_nearer(const struct distant *one, const struct distant *other)
{
    return one->distance < other->distance || (one->distance == other->distance && one->index < other->index);
}

/* Moves the item at `at` down to its place in a binary heap with the nearest on top. */
static void sink_item(struct distant *heap, size_t count, size_t at)
{
    const struct distant one = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_nearer(&heap[child + 1], &heap[child]))
            child++;
        if (!is_nearer(&heap[child], &one))
            break;
        heap[at] = heap[child];
    }
    heap[at] = one;
}

/* The five nearest without a wall between, in order; how many there are. `heap` (stations) is scratch: one
 * pass over all stations, and as many more steps as there are walls in the way. */
static size_t find_nearest(const struct walk_field *field, const double place[3], struct distant *heap,
                           size_t index[WALK_NEAREST + 1], double distance[WALK_NEAREST + 1])
{
    size_t count = 0, left = 0;
    for (size_t i = 0; i < field->stations; i++) {
        const double d = vector_distance(field->station[i].position, place);
        if (d < INFINITY) /* no NaN */
            heap[left++] = (struct distant){d, i};
    }
    for (size_t i = left / 2; i-- > 0;)
        sink_item(heap, left, i);
    while (left > 0 && count <= WALK_NEAREST) {
        const struct distant nearest = heap[0];
        heap[0] = heap[--left];
        if (left > 0)
            sink_item(heap, left, 0);
        if (field->walls != NULL &&
            !walk_path_sees(place, field->station[nearest.index].position, field->walls))
            continue;
        distance[count] = nearest.distance;
        index[count++] = nearest.index;
    }
    return count;
}

static void weigh_nearest(const struct walk_field *field, const double place[3], struct distant *heap,
                          struct walk_near *out)
{
    size_t index[WALK_NEAREST + 1];
    double distance[WALK_NEAREST + 1], sum = 0.0;
    const size_t found = find_nearest(field, place, heap, index, distance);
    const double reach = found > WALK_NEAREST ? 1.001 * distance[WALK_NEAREST] + REACH_BEYOND : INFINITY;
    *out = (struct walk_near){.count = 0};
    for (size_t i = 0; i < found && i < WALK_NEAREST; i++) {
        const bool here = distance[i] < 1e-6;
        const double w = here ? 1.0 : pow(1.0 / distance[i] - 1.0 / reach, 2.0);
        out->station[out->count] = index[i];
        out->weight[out->count++] = w;
        sum += w;
        if (here)
            break;
    }
    for (size_t i = 0; i < out->count; i++)
        out->weight[i] /= sum;
}

static int refuse_far(const struct walk_field *field, const double place[3], double along, size_t found,
                      size_t nearest, double distance, struct failure *failure)
{
    static const char fix[] =
        "simulate with receivers along the walk, or compute the sound while the room is stepped";
    if (found == 0)
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "at %.2f,%.2f,%.2f m, %.1f m from its start, the walk is inside a wall, or one is "
                        "between it and each of %zu responses",
                        place[0], place[1], place[2], along, field->stations),
            failure, fix);
    if (distance > WALK_REACH)
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "at %.2f,%.2f,%.2f m, %.1f m from its start, the walk is %.1f m from the nearest "
                        "response (%s); it may be %g m at most",
                        place[0], place[1], place[2], along, distance, field->station[nearest].name,
                        WALK_REACH),
            failure, fix);
    return 0;
}

static int take_heap(const struct walk_field *field, struct distant **heap, struct failure *failure)
{
    *heap = calloc(field->stations + 1, sizeof **heap);
    return *heap == NULL
               ? failure_memory(failure, field->stations * sizeof **heap, "responses along the walk")
               : 0;
}

int walk_responses_check(const struct walk_field *field, const struct walk_path *path,
                         struct walk_responses_facts *facts, struct failure *failure)
{
    struct distant *heap = NULL;
    int code = take_heap(field, &heap, failure);
    const double length = walk_path_length(path);
    const size_t looks = 1 + (size_t)ceil(length / 0.05);
    facts->farthest = 0.0;
    for (size_t n = 0; code == 0 && n < looks; n++) {
        const double along = looks > 1 ? length * (double)n / (double)(looks - 1) : 0.0;
        double place[3], distance[WALK_NEAREST + 1] = {0};
        size_t index[WALK_NEAREST + 1] = {0};
        walk_path_place(path, along, place);
        const size_t found = find_nearest(field, place, heap, index, distance);
        code = refuse_far(field, place, along, found, index[0], distance[0], failure);
        facts->farthest = fmax(facts->farthest, distance[0]);
    }
    free(heap);
    return code;
}

static double seconds_of_look(size_t look)
{
    return (double)look / WALK_LOOKS;
}

static int look_around(struct walk_mix *mix, double seconds, struct distant *heap, struct failure *failure)
{
    const struct walk_field *field = mix->field;
    mix->looks = 2 + (size_t)ceil(seconds * WALK_LOOKS);
    mix->near = calloc(mix->looks, sizeof *mix->near);
    mix->gain = calloc(mix->looks * WALK_PARTS * mix->bands, sizeof *mix->gain);
    if (mix->near == NULL || mix->gain == NULL)
        return failure_memory(
            failure, mix->looks * (sizeof *mix->near + WALK_PARTS * mix->bands * sizeof(float)), "a walk");
    for (size_t n = 0; n < mix->looks; n++) {
        struct walk_near *near = &mix->near[n];
        double place[3];
        walk_path_place(mix->path, mix->path->speed * seconds_of_look(n), place);
        weigh_nearest(field, place, heap, near);
        if (near->count == 0)
            return refuse_far(field, place, mix->path->speed * seconds_of_look(n), 0, 0, 0.0, failure);
        near->distance = fmax(vector_distance(place, field->source), DISTANCE_LEAST);
        for (size_t i = 0; i < near->count; i++) {
            struct walk_loaded *of = &mix->loaded[near->station[i]];
            of->used = true;
            near->late += near->weight[i] * (of->onset - of->distance / field->sound_speed);
        }
    }
    return 0;
}

/* ---- the responses ---- */

/* To the rate of the walk; a sample lasts one over its rate. */
static int convert_rate(struct wav_sound *sound, double rate, const char *path, struct failure *failure)
{
    const double ratio = rate / sound->rate;
    const size_t channels = (size_t)sound->channels, frames = (size_t)ceil((double)sound->frames * ratio),
                 silence = 512 + (size_t)(512.0 / fmin(ratio, 1.0)), in = sound->frames + silence;
    float *from = realloc(sound->sample, in * channels * sizeof *from);
    if (from == NULL)
        return failure_memory(failure, in * channels * sizeof *from, path);
    sound->sample = from;
    memset(from + sound->frames * channels, 0, silence * channels * sizeof *from);
    float *made = calloc(frames * channels, sizeof *made);
    if (made == NULL)
        return failure_memory(failure, frames * channels * sizeof *made, path);
    SRC_DATA data = {.data_in = from,
                     .data_out = made,
                     .input_frames = (long)in,
                     .output_frames = (long)frames,
                     .src_ratio = ratio};
    const int error = ratio != 1.0 ? src_simple(&data, SRC_SINC_BEST_QUALITY, (int)channels) : 0;
    if (error != 0) {
        free(made);
        return failure_set(failure, FAILURE_INPUT, "%s: its rate of %d Hz cannot be converted: %s", path,
                           sound->rate, src_strerror(error));
    }
    for (size_t n = 0; n < frames * channels; n++)
        made[n] = ratio != 1.0 ? (float)((double)made[n] / ratio) : from[n];
    free(from);
    *sound = (struct wav_sound){
        .sample = made, .frames = frames, .channels = (int)channels, .rate = (int)lround(rate)};
    return 0;
}

/* Take one channel of a file, so that one of hundreds of points is converted, or all four. */
static int take_channels(const struct wav_sound *file, size_t channel, size_t wanted, struct wav_sound *out,
                         struct failure *failure)
{
    const size_t from = wanted == 1 ? channel : 0, stride = (size_t)file->channels;
    *out = (struct wav_sound){.sample = malloc((file->frames * wanted + 1) * sizeof(float)),
                              .frames = file->frames,
                              .channels = (int)wanted,
                              .rate = file->rate};
    if (out->sample == NULL)
        return failure_memory(failure, file->frames * wanted * sizeof(float), "responses along the walk");
    for (size_t n = 0; n < file->frames; n++)
        memcpy(out->sample + n * wanted, file->sample + n * stride + from, wanted * sizeof(float));
    return 0;
}

/* Its frame becomes that of the room. */
static void turn_to_room(struct wav_sound *sound, double front)
{
    const double c = cos(front * PI / 180.0), s = sin(front * PI / 180.0);
    for (size_t n = 0; n < sound->frames; n++) {
        float *frame = sound->sample + n * AMBISONIC_CHANNELS;
        const double x = (double)frame[AMBISONIC_X], y = (double)frame[AMBISONIC_Y];
        frame[AMBISONIC_X] = (float)(c * x - s * y);
        frame[AMBISONIC_Y] = (float)(s * x + c * y);
    }
}

/* How much of a response at time t belongs to its early part. */
static double early_share(double t)
{
    const double x = fmin(fmax((t - EARLY) / (EARLY_ENDS - EARLY), 0.0), 1.0);
    return pow(cos(0.5 * PI * x), 2.0);
}

static int split_response(struct walk_mix *mix, const struct wav_sound *sound, struct walk_loaded *out,
                          struct failure *failure)
{
    const size_t channels = mix->channels, samples = sound->frames * channels;
    out->frames = sound->frames;
    mix->longest = sound->frames > mix->longest ? sound->frames : mix->longest;
    for (int p = 0; p < WALK_PARTS; p++) {
        out->part[p] = malloc((samples + 1) * sizeof(float));
        if (out->part[p] == NULL)
            return failure_memory(failure, samples * sizeof(float), "responses along the walk");
    }
    for (size_t n = 0; n < sound->frames; n++) {
        const double early = early_share((double)n / mix->rate - out->onset);
        for (size_t c = 0; c < channels; c++) {
            const float whole = sound->sample[n * channels + c], first = (float)(early * (double)whole);
            out->part[0][n * channels + c] = first;
            out->part[1][n * channels + c] = whole - first;
        }
    }
    return 0;
}

/* `file` is the one that was read last, from `*path`: points of a receiver grid share one. */
static int load_station(struct walk_mix *mix, size_t station, struct wav_sound *file, const char **path,
                        struct failure *failure)
{
    const struct walk_station *of = &mix->field->station[station];
    const size_t wanted = mix->channels;
    struct wav_sound sound = {0};
    if (*path == NULL || strcmp(*path, of->path) != 0) {
        wav_sound_free(file);
        *path = NULL;
        TRY(wav_response_read(of->path, "is it a response?", file, failure));
        *path = of->path;
    }
    if (wanted == 1 ? of->channel >= (size_t)file->channels : (size_t)file->channels != wanted)
        return failure_set(failure, FAILURE_INPUT, "%s has %d channels; a walk needs %s %zu of it", of->path,
                           file->channels, wanted == 1 ? "number" : "all",
                           wanted == 1 ? of->channel + 1 : wanted);
    int code = take_channels(file, of->channel, wanted, &sound, failure);
    if (code == 0)
        code = convert_rate(&sound, mix->rate, of->path, failure);
    if (code == 0 && wanted > 1)
        turn_to_room(&sound, of->front);
    if (code == 0)
        code = split_response(mix, &sound, &mix->loaded[station], failure);
    wav_sound_free(&sound);
    return code;
}

static int load_all(struct walk_mix *mix, size_t *used, struct failure *failure)
{
    struct wav_sound file = {0};
    const char *path = NULL;
    int code = 0;
    for (size_t i = 0; code == 0 && i < mix->field->stations; i++)
        if (mix->loaded[i].used) {
            ++*used;
            code = load_station(mix, i, &file, &path, failure);
        }
    wav_sound_free(&file);
    return code;
}

/* ---- all together ---- */

static int begin_mix(struct walk_mix *mix, double seconds, struct walk_responses_facts *facts,
                     struct failure *failure)
{
    const struct walk_field *field = mix->field;
    mix->loaded = calloc(field->stations + 1, sizeof *mix->loaded);
    if (mix->loaded == NULL)
        return failure_memory(failure, field->stations * sizeof *mix->loaded, "responses along the walk");
    mix->bands = walk_bands(mix->rate);
    for (size_t i = 0; i < field->stations; i++) {
        struct walk_loaded *of = &mix->loaded[i];
        of->distance = vector_distance(field->station[i].position, field->source);
        of->onset =
            isfinite(field->station[i].onset) ? field->station[i].onset : of->distance / field->sound_speed;
    }
    struct distant *heap = NULL;
    TRY(take_heap(field, &heap, failure));
    const int code = look_around(mix, seconds, heap, failure);
    free(heap);
    TRY(code);
    TRY(load_all(mix, &facts->used, failure));
    return walk_find_gains(mix, failure);
}

int walk_responses_make(const struct walk_field *field, const struct walk_path *path, struct dry_sound *dry,
                        const volatile sig_atomic_t *stop, struct walk_sound *out,
                        struct walk_responses_facts *facts, struct failure *failure)
{
    *facts = (struct walk_responses_facts){0};
    TRY(walk_responses_check(field, path, facts, failure));
    struct walk_mix mix = {.field = field, .path = path, .channels = field->channels, .rate = RESPONSE_RATE};
    if (isfinite(field->fmax))
        mix.rate /= (double)kept_every(LOW_PASS_STOP_RATIO * field->fmax);
    double sounds = 0.0, *sample = NULL;
    const size_t times = walk_dry_times(dry, path, &sounds);
    int code = begin_mix(&mix, fmax(walk_path_seconds(path), 0.1), facts, failure);
    const size_t count = (size_t)ceil(sounds * mix.rate);
    struct walk_sound sound = {.rate = mix.rate, .frames = count + mix.longest, .channels = mix.channels};
    if (code == 0)
        code = walk_dry_at(dry, times, mix.rate, count, &sample, failure);
    if (code == 0 && (sound.sample = calloc(sound.frames * sound.channels, sizeof *sound.sample)) == NULL)
        code = failure_memory(failure, sound.frames * sound.channels * sizeof *sound.sample,
                              "what is heard on the walk");
    if (code == 0)
        code = walk_make_blocks(&mix, sample, count, stop, &sound, failure);
    free(sample);
    mix_free(&mix);
    if (code != 0) {
        walk_sound_free(&sound);
        return code;
    }
    *out = sound;
    return 0;
}
