#include "src/run/whole_band.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/base/table/number_text.h"
#include "src/base/words/words.h"
#include "src/rays/ray_cost.h"
#include "src/rays/ray_pressure.h"
#include "src/response/diffuse/random_sound.h"
#include "src/response/signal/fourier.h"
#include "src/run_folder/figure_record.h"
#include "src/run/whole_ears.h"

#define PI         3.14159265358979323846
#define IMAGE_RAYS 100000 /* that look for images */
#define RINGING    0.05   /* of surfaces after the last image [s] */
#define SEED       20

/* ---- the room ---- */

static void free_source(struct whole_source *source)
{
    for (size_t e = 0; source->images != NULL && e < source->emitters; e++)
        ray_images_free(&source->images[e]);
    free(source->images);
    free(source->emitter);
    free(source->difference);
    ray_result_free(&source->rays);
}

void whole_band_free(struct whole_band *whole)
{
    if (whole == NULL)
        return;
    for (size_t s = 0; whole->source != NULL && s < whole->run->setup->points.sources; s++)
        free_source(&whole->source[s]);
    free(whole->source);
    free(whole->law);
    ray_patches_free(&whole->patches);
    ray_planes_free(&whole->planes);
    ray_room_free(&whole->room);
    free(whole);
}

static int make_laws(struct whole_band *whole, struct failure *failure)
{
    const struct room_model *model = &whole->run->setup->model;
    whole->law = calloc(model->mesh.material_count + 1, sizeof *whole->law);
    if (whole->law == NULL)
        return failure_memory(failure, model->mesh.material_count * sizeof *whole->law, "the walls of rays");
    for (size_t m = 0; m < model->mesh.material_count; m++) {
        const struct surface *surface = &model->surface[m];
        whole->law[m] = surface->is_sheet
                            ? (struct ray_law){.sheet = &surface->sheet, .rho_c = air_impedance(&model->air)}
                            : (struct ray_law){.branch = surface->branch, .count = surface->branches};
    }
    return 0;
}

static int make_room(struct whole_band *whole, struct failure *failure)
{
    const struct room_setup *setup = whole->run->setup;
    const struct room_points *points = &setup->points;
    const struct room_grid *grid = whole->run->grid;
    size_t places = points->receivers;
    double(*place)[3] = calloc(places + grid->grid_points + 1, sizeof *place);
    whole->source = calloc(points->sources + 1, sizeof *whole->source);
    if (place == NULL || whole->source == NULL) {
        free(place);
        return failure_memory(failure, (places + grid->grid_points) * sizeof *place, "positions");
    }
    for (size_t r = 0; r < points->receivers; r++) {
        const struct dummy_head *head = room_points_head_of(points, r);
        memcpy(place[r], head != NULL ? head->position : points->point[points->sources + r].position,
               sizeof place[r]);
    }
    for (size_t g = 0; g < grid->receiver_grids; g++) {
        memcpy(place + places, grid->receiver_grid[g].position, grid->receiver_grid[g].count * sizeof *place);
        places += grid->receiver_grid[g].count;
    }
    int code = ray_room_make(setup, (const double(*)[3])place, places, &whole->room, failure);
    free(place);
    if (code == 0)
        code = ray_room_refuse_near(&whole->room, failure);
    if (code == 0)
        code = make_laws(whole, failure);
    if (code == 0)
        code = ray_planes_make(&whole->room.scene, &whole->planes, failure);
    return code == 0 ? ray_patches_make(&whole->room.scene, &whole->planes, &whole->patches, failure) : code;
}

static int check_request(const struct grid_run *run, struct failure *failure)
{
    if (ray_join_octave(run->grid->fmax) >= 0)
        return 0;
    return failure_set(failure, FAILURE_INPUT,
                       "rays are joined to waves in an octave that both have, and %.4g Hz holds none; "
                       "simulate up to 89 Hz at least",
                       run->grid->fmax);
}

static struct ray_room_settings settings_of(const struct whole_band *whole, size_t source)
{
    const struct room_setup *setup = whole->run->setup;
    return (struct ray_room_settings){
        .noise = setup->request.plan.ray_noise / 100,
        .early = WHOLE_BAND_EARLY,
        .directional =
            whole->run->rows.directional > 0 || setup->points.heads > 0 ? setup->points.receivers : 0,
        .speech = setup->points.receivers,
        .label = setup->points.point[source].name,
        .progress = whole->run->notices->quiet ? NULL : stderr};
}

/* Of the source that needs most: they are traced one after the other, while the engine stays. */
static int check_memory(const struct whole_band *whole, const struct room_estimate *estimate,
                        struct failure *failure)
{
    const struct room_points *points = &whole->run->setup->points;
    struct room_needs needs = whole->run->needs;
    double most = 0;
    for (size_t s = 0; s < points->sources; s++) {
        const struct ray_room_settings settings = settings_of(whole, s);
        double bytes;
        if (points->point[s].member)
            continue;
        TRY(ray_room_bytes(&whole->room, s, &settings, &bytes, failure));
        most = fmax(most, bytes);
    }
    char rays[32], waves[32], available[32];
    needs.bytes_peak += most;
    if (estimate_fits(estimate, &needs, 1))
        return 0;
    return failure_set(
        failure, FAILURE_CAPACITY,
        "rays to %zu positions need %s beside the %s of the waves, and %s are available; leave "
        "positions out",
        whole->room.places, format_bytes(most, rays), format_bytes(whole->run->needs.bytes_peak, waves),
        format_bytes(estimate->available, available));
}

int whole_band_make(const struct grid_run *run, const struct room_estimate *estimate, struct whole_band **out,
                    struct failure *failure)
{
    TRY(check_request(run, failure));
    struct whole_band *whole = calloc(1, sizeof *whole);
    if (whole == NULL)
        return failure_memory(failure, sizeof *whole, "the rays of a run");
    whole->run = run;
    whole->octave = ray_join_octave(run->grid->fmax);
    int code = make_room(whole, failure);
    if (code == 0)
        code = check_memory(whole, estimate, failure);
    if (code != 0)
        whole_band_free(whole);
    else
        *out = whole;
    return code;
}

/* ---- rays ---- */

static int find_images(const struct whole_band *whole, struct whole_source *source, size_t emitter,
                       struct failure *failure)
{
    const struct ray_task room = {.scene = &whole->room.scene,
                                  .wall = whole->room.wall[0],
                                  .emitters = source->emitters,
                                  .emitter = source->emitter,
                                  .sound_speed = whole->run->setup->model.sound_speed,
                                  .receivers = whole->room.places,
                                  .receiver = whole->room.place,
                                  .seed = SEED,
                                  .stop = &interrupt_seen};
    const struct ray_image_task task = {.room = &room,
                                        .planes = &whole->planes,
                                        .patches = &whole->patches,
                                        .emitter = emitter,
                                        .window = WHOLE_BAND_EARLY,
                                        .rays = IMAGE_RAYS,
                                        .most = RAY_SEQUENCES};
    TRY(ray_images_make(&task, &source->images[emitter], failure));
    return interrupt_stop(failure);
}

int whole_band_trace(struct whole_band *whole, size_t source, struct failure *failure)
{
    const struct room_setup *setup = whole->run->setup;
    struct whole_source *of = &whole->source[source];
    const struct ray_room_settings settings = settings_of(whole, source);
    progress_json_begin("rays", setup->points.point[source].name);
    TRY(ray_room_emitters(&whole->room, source, &of->emitter, &of->emitters, failure));
    of->images = calloc(of->emitters, sizeof *of->images);
    of->difference = calloc(setup->points.receivers + 1, sizeof *of->difference);
    if (of->images == NULL || of->difference == NULL)
        return failure_memory(failure, of->emitters * sizeof *of->images, "the images of a source");
    for (size_t e = 0; e < of->emitters; e++)
        TRY(find_images(whole, of, e, failure));
    return ray_room_trace(&whole->room, source, &settings, &of->rays, failure);
}

void whole_band_finish(struct whole_band *whole, size_t source)
{
    struct whole_source *of = &whole->source[source];
    for (size_t e = 0; e < of->emitters; e++)
        ray_images_free(&of->images[e]);
    ray_energy_shrink(&of->rays.energy, whole->run->setup->points.receivers);
}

bool whole_band_is_traced(const struct whole_band *whole, size_t source)
{
    return whole->source[source].rays.figures != NULL;
}

/* What scattering changes T30 by in the octave of the join: mean of the receivers [JND]. */
static double mean_spread(const struct whole_band *whole, const struct whole_source *of)
{
    double sum = 0;
    const size_t receivers = whole->run->setup->points.receivers;
    for (size_t r = 0; r < receivers; r++) {
        const double t30 = of->rays.figures[r].value[FIGURE_T30][whole->octave];
        sum += ray_figure_steps(FIGURE_T30, t30, t30 + of->rays.spread[r].value[FIGURE_T30][whole->octave]);
    }
    return sum / (double)receivers;
}

static int find_figures(const struct whole_band *whole, struct whole_source *of, size_t place,
                        struct failure *failure)
{
    const struct ray_energy *energy = &of->rays.energy;
    struct ray_head head;
    if (place < whole->run->setup->points.receivers && whole_ears_head(whole->run->setup, place, &head))
        return whole_ears_figures(&head, energy, place, whole->room.place[place].position, of->emitter,
                                  &of->rays.figures[place], failure);
    return ray_figures_make(energy, RAY_PARTS, place, &of->rays.figures[place], failure);
}

/* Rays against waves, and the means. */
static int compare_with_waves(const struct whole_band *whole, size_t source, struct ray_join_check *out,
                              struct failure *failure)
{
    const size_t receivers = whole->run->setup->points.receivers;
    const struct grid_pair *pair = &whole->run->pair[source * receivers];
    struct whole_source *of = &whole->source[source];
    for (size_t r = 0; r < receivers; r++) {
        TRY(find_figures(whole, of, r, failure));
        of->difference[r] =
            ray_join_compare(&pair[r].figures.octave[whole->octave], &of->rays.figures[r], whole->octave);
    }
    *out = ray_join_check_make(of->difference, receivers);
    return 0;
}

/* With their level and decay changed. */
static int correct_rays(const struct whole_band *whole, struct whole_source *of, const double decibels[],
                        const double rate[], struct failure *failure)
{
    ray_energy_correct(&of->rays.energy, decibels, rate);
    for (size_t r = 0; r < whole->room.places; r++)
        if (whole->room.place[r].radius > 0)
            TRY(find_figures(whole, of, r, failure));
    return 0;
}

/* What the figures of rays differ by from those of waves, rms of the receivers [JND]. */
static int find_join_errors(const struct whole_band *whole, size_t source, double join[PRESSURE_FIGURES],
                            struct failure *failure)
{
    const size_t receivers = whole->run->setup->points.receivers;
    const struct band_figures **waves = calloc(receivers + 1, sizeof *waves);
    if (waves == NULL)
        return failure_memory(failure, receivers * sizeof *waves, "the error of rays");
    for (size_t r = 0; r < receivers; r++)
        waves[r] = &whole->run->pair[source * receivers + r].figures.octave[whole->octave];
    ray_join_errors(waves, whole->source[source].rays.figures, receivers, whole->octave, join);
    free(waves);
    return 0;
}

int whole_band_settle(struct whole_band *whole, size_t source, struct failure *failure)
{
    static const double none[RAY_OCTAVES];
    struct ray_join_check decayed;
    double before[PRESSURE_FIGURES], join[PRESSURE_FIGURES];
    struct whole_source *of = &whole->source[source];
    TRY(compare_with_waves(whole, source, &of->check, failure));
    TRY(find_join_errors(whole, source, before, failure));
    ray_join_decay(of->check.rate, mean_spread(whole, of), whole->octave, of->rate);
    TRY(correct_rays(whole, of, none, of->rate, failure));
    TRY(compare_with_waves(whole, source, &decayed, failure));
    ray_join_correction(decayed.level, whole->octave, of->correction);
    TRY(correct_rays(whole, of, of->correction, none, failure));
    TRY(find_join_errors(whole, source, join, failure));
    /* What a correction is worth in octaves above is not known better than by half. */
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        join[f] = fmax(join[f], before[f] / 2);
    ray_room_widen(&whole->room, join, &of->rays);
    return 0;
}

/* ---- paths in phase ---- */

struct departing {
    const struct ray_emitter *emitter;
    const struct ray_pressure *pressure;
    double front;                /* of the receiver [rad] */
    const struct ray_head *head; /* it is an ear of it; NULL: none */
};

static void hear_path(const void *context, const struct ray_path *path, double complex *weight)
{
    const struct departing *of = context;
    const double *to = path->arrival, *ear = of->head->ear;
    const double cosine = to[0] * ear[0] + to[1] * ear[1] + to[2] * ear[2];
#pragma omp parallel for
    for (size_t k = 0; k < of->pressure->frequencies; k++)
        ray_head_at(of->head, of->pressure->frequency[k], path->length, 1, &cosine, &weight[k]);
}

/* AmbiX of order 1: W, Y, Z, X. */
static void weigh_arrival(const void *context, const double arrival[3], double *weight)
{
    const struct departing *of = context;
    weight[0] = 1;
    weight[1] = arrival[1] * cos(of->front) - arrival[0] * sin(of->front);
    weight[2] = arrival[2];
    weight[3] = arrival[0] * cos(of->front) + arrival[1] * sin(of->front);
}

/* What a response is made of. */
struct wish {
    const struct whole_band *whole;
    const struct whole_source *of;
    size_t source, place, channels, count;
    double front; /* [degrees] */
    bool at_ear;  /* of .. */
    struct ray_head head;
};

/* The emitter's gain, delay and directivity: linear between octaves in log f. */
static void weigh_departure(const void *context, const double departure[3], double complex *weight)
{
    const struct departing *of = context;
    double value[HARMONICS];
    double complex octave[RAY_OCTAVES];
    solid_harmonics(departure, value);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        octave[o] = of->emitter->directed ? 0 : 1;
        for (int i = 0; of->emitter->directed && i < HARMONICS; i++)
            octave[o] += of->emitter->harmonic[o][i] * value[i];
    }
    for (size_t k = 0; k < of->pressure->frequencies; k++) {
        const double f = of->pressure->frequency[k];
        const double at = fmin(fmax(log2(f / ray_octave_centre(0)), 0), RAY_OCTAVES - 1);
        const int low = at < RAY_OCTAVES - 1 ? (int)at : RAY_OCTAVES - 2;
        weight[k] = of->emitter->gain * cexp(-2 * PI * I * f * of->emitter->delay) *
                    (octave[low] + (at - low) * (octave[low + 1] - octave[low]));
    }
}

/* When the last image of any emitter has arrived at a place [s]. */
static double latest_image(const struct whole_band *whole, const struct whole_source *of, size_t place)
{
    double latest = 0;
    for (size_t e = 0; e < of->emitters; e++) {
        const struct ray_images *images = &of->images[e];
        for (size_t p = images->first[place]; p < images->first[place + 1]; p++)
            latest = fmax(latest, of->emitter[e].delay +
                                      images->path[p].length / whole->run->setup->model.sound_speed);
    }
    return latest;
}

/* Direct sound and images by frequency: (channels, lines). */
static int sum_paths(const struct wish *wish, const double *frequency, size_t lines, double complex *sum,
                     struct failure *failure)
{
    const struct room_setup *setup = wish->whole->run->setup;
    struct ray_pressure pressure = {0};
    struct air_losses losses;
    double complex *one = calloc(wish->channels * lines, sizeof *one);
    if (one == NULL)
        return failure_memory(failure, wish->channels * lines * sizeof *one, "early sound");
    air_losses_make(&setup->model.air, &losses);
    int code = ray_pressure_make(wish->whole->law, wish->whole->room.wall[0],
                                 setup->model.mesh.material_count, setup->model.sound_speed,
                                 setup->request.model.air_method == AIR_OFF ? NULL : &losses, frequency,
                                 lines, &pressure, failure);
    for (size_t e = 0; code == 0 && e < wish->of->emitters; e++) {
        const struct departing departing = {&wish->of->emitter[e], &pressure, wish->front * PI / 180,
                                            &wish->head};
        const struct ray_weights weights = {.context = &departing,
                                            .channels = wish->channels,
                                            .receive = wish->channels > 1 ? weigh_arrival : NULL,
                                            .send = weigh_departure,
                                            .hear = wish->at_ear ? hear_path : NULL};
        code = ray_pressure_sum(&pressure, &wish->of->images[e], wish->place, &weights, one, failure);
        for (size_t k = 0; code == 0 && k < wish->channels * lines; k++)
            sum[k] += one[k];
    }
    ray_pressure_free(&pressure);
    free(one);
    return code;
}

/* One channel as a signal; line k is at (k + 1) RESPONSE_RATE / length. */
static void transform_lines(const struct fourier *fourier, const double complex *sum, double complex *value,
                            const struct wish *wish, size_t channel, float *out)
{
    const size_t length = fourier->length, lines = length / 2 - 1;
    value[0] = value[length / 2] = 0;
    for (size_t k = 0; k < lines; k++) {
        value[k + 1] = sum[k];
        value[length - k - 1] = conj(sum[k]);
    }
    fourier_inverse(fourier, value);
    for (size_t n = 0; n < length && n < wish->count; n++)
        out[n * wish->channels + channel] = (float)creal(value[n]);
}

/* `out` (count, channels), zeroed. */
static int make_early(const struct wish *wish, float *out, struct failure *failure)
{
    struct fourier fourier = {0};
    size_t length = 1024;
    while ((double)length < (latest_image(wish->whole, wish->of, wish->place) + RINGING) * RESPONSE_RATE)
        length *= 2;
    const size_t lines = length / 2 - 1;
    double *frequency = calloc(lines, sizeof *frequency);
    double complex *sum = calloc(wish->channels * lines, sizeof *sum), *value = calloc(length, sizeof *value);
    int code = frequency == NULL || sum == NULL || value == NULL
                   ? failure_memory(failure, wish->channels * length * sizeof *value, "early sound")
                   : fourier_make(length, &fourier, failure);
    for (size_t k = 0; code == 0 && k < lines; k++)
        frequency[k] = (double)(k + 1) * RESPONSE_RATE / (double)length;
    if (code == 0)
        code = sum_paths(wish, frequency, lines, sum, failure);
    for (size_t channel = 0; code == 0 && channel < wish->channels; channel++)
        transform_lines(&fourier, sum + channel * lines, value, wish, channel, out);
    fourier_free(&fourier);
    free(frequency);
    free(sum);
    free(value);
    return code;
}

/* ---- random sound ---- */

/* When the window of the images ends at a place [s]. */
static double images_end(const struct wish *wish)
{
    double end = 0;
    for (size_t e = 0; e < wish->of->emitters; e++) {
        const struct ray_emitter *emitter = &wish->of->emitter[e];
        const double direct =
            vector_distance(emitter->position, wish->whole->room.place[wish->place].position);
        end = fmax(end, emitter->delay + direct / wish->whole->run->setup->model.sound_speed +
                            wish->of->images[e].window);
    }
    return end;
}

/* What images carry of mirrored energy: `share` (early bins, octaves). */
static int find_carried(const struct wish *wish, double *share, struct failure *failure)
{
    const struct whole_source *of = wish->of;
    const struct ray_room *room = &wish->whole->room;
    const size_t cells = of->rays.energy.early_bins * RAY_OCTAVES;
    double *whole = calloc(cells + 1, sizeof *whole);
    if (whole == NULL)
        return failure_memory(failure, cells * sizeof *whole, "early sound");
    for (size_t e = 0; e < of->emitters; e++) {
        const struct ray_early early = {.bin = of->rays.energy.bin,
                                        .bins = of->rays.energy.early_bins,
                                        .radius = room->place[wish->place].radius,
                                        .delay = of->emitter[e].delay,
                                        .gain = of->emitter[e].gain,
                                        .sound_speed = wish->whole->run->setup->model.sound_speed,
                                        .carried = share,
                                        .whole = whole};
        ray_early_add(&of->images[e], wish->place, room->wall[0], room->air, &early);
    }
    for (size_t i = 0; i < cells; i++)
        share[i] = whole[i] > 0 ? share[i] / whole[i] : 1;
    free(whole);
    return 0;
}

/* Energy that is not in the images: (bins, octaves). */
static int find_late(const struct wish *wish, double *out, struct failure *failure)
{
    const struct ray_energy *energy = &wish->of->rays.energy;
    const double end = images_end(wish) / energy->bin;
    double *share = calloc(energy->early_bins * RAY_OCTAVES + 1, sizeof *share);
    int code = share == NULL ? failure_memory(failure, energy->early_bins * sizeof *share, "early sound")
                             : find_carried(wish, share, failure);
    for (size_t b = 0; code == 0 && b < energy->bins; b++)
        for (int o = 0; o < RAY_OCTAVES; o++) {
            const size_t at = b * RAY_OCTAVES + (size_t)o;
            const double in_window = fmin(fmax(end - (double)b, 0), 1); /* of the bin */
            const double carried =
                in_window > 0 ? in_window * share[at] * ray_mirrored_at(energy, wish->place, b, o) : 0;
            out[at] = fmax(0, ray_energy_at(energy, RAY_PARTS, wish->place, b, o) - carried);
        }
    free(share);
    return code;
}

/* Where it comes from: (bins, groups, cells). */
static void find_directions(const struct ray_energy *energy, size_t receiver, double (*toward)[3],
                            float *from, struct sound_directions *out)
{
    static const int octave_of[RAY_GROUPS] = {0, 4, 6};
    for (size_t c = 0; c < RAY_CELLS; c++)
        ray_cell_middle(c, toward[c]);
    for (size_t b = 0; b < energy->bins; b++)
        for (size_t g = 0; g < RAY_GROUPS; g++)
            for (size_t c = 0; c < RAY_CELLS; c++)
                from[(b * RAY_GROUPS + g) * RAY_CELLS + c] =
                    (float)ray_from_at(energy, receiver, b, c, octave_of[g]);
    *out = (struct sound_directions){
        .cells = RAY_CELLS, .toward = toward[0], .groups = RAY_GROUPS, .energy = from};
    for (int o = 0; o < RAY_OCTAVES; o++)
        out->group[o] = ray_octave_group(o);
}

static int make_random(const struct wish *wish, float *out, struct failure *failure)
{
    const struct ray_energy *energy = &wish->of->rays.energy;
    const struct room_points *points = &wish->whole->run->setup->points;
    const size_t cells = wish->channels > 1 || wish->at_ear ? energy->bins * RAY_GROUPS * RAY_CELLS : 0;
    const size_t drawn = wish->at_ear ? room_points_left_ear(points, room_points_head_of(points, wish->place))
                                      : wish->place; /* one draw for both ears */
    double *late = calloc(energy->bins * RAY_OCTAVES + 1, sizeof *late), toward[RAY_CELLS][3];
    float *from = calloc(cells + 1, sizeof *from);
    struct sound_directions directions;
    if (late == NULL || from == NULL) {
        free(late);
        free(from);
        return failure_memory(failure, energy->bins * RAY_OCTAVES * sizeof *late, "late sound");
    }
    int code = find_late(wish, late, failure);
    if (code == 0 && cells > 0)
        find_directions(energy, wish->place, toward, from, &directions);
    const struct random_sound_task task = {.bin = energy->bin,
                                           .bins = energy->bins,
                                           .energy = late,
                                           .volume = wish->whole->run->grid->findings.air_volume,
                                           .sound_speed = wish->whole->run->setup->model.sound_speed,
                                           .seed = SEED + wish->source * wish->whole->room.places + drawn,
                                           .order = wish->channels > 1 ? 1 : 0,
                                           .directions = cells > 0 ? &directions : NULL,
                                           .front = wish->front};
    if (code == 0)
        code = wish->at_ear ? ray_head_sound(&wish->head, &task, wish->count, out, failure)
                            : random_sound_make(&task, wish->count, out, failure);
    free(late);
    free(from);
    return code;
}

/* ---- results ---- */

int whole_band_response(const struct whole_band *whole, size_t source, size_t place, size_t channels,
                        double front, const float *wave, size_t count, float *out, struct failure *failure)
{
    struct wish wish = {.whole = whole,
                        .of = &whole->source[source],
                        .source = source,
                        .place = place,
                        .channels = channels,
                        .count = count,
                        .front = front};
    wish.at_ear = channels == 1 && place < whole->run->setup->points.receivers &&
                  whole_ears_head(whole->run->setup, place, &wish.head);
    if (whole->room.place[place].radius == 0) {
        memcpy(out, wave, count * channels * sizeof *out);
        return 0;
    }
    float *random = calloc(2 * count * channels + 1, sizeof *random), *early = random + count * channels;
    if (random == NULL)
        return failure_memory(failure, 2 * count * channels * sizeof *random, "a response of the whole band");
    int code = make_random(&wish, random, failure);
    if (code == 0)
        code = make_early(&wish, early, failure);
    const struct ray_join_parts parts = {.fmax = whole->run->grid->fmax,
                                         .channels = channels,
                                         .wave_channels = channels,
                                         .wave_count = count,
                                         .wave = wave,
                                         .random = random,
                                         .coherent = early};
    if (code == 0)
        code = ray_join_make(&parts, count, out, failure);
    free(random);
    return code;
}

void whole_band_map_figures(const struct whole_band *whole, size_t source, size_t first, size_t points,
                            struct acoustic_figures *figures)
{
    const struct ray_figures *rays = &whole->source[source].rays.figures[whole->run->setup->points.receivers];
    for (size_t i = 0; i < points; i++)
        ray_figures_put(&rays[first + i], figures[i].bands, &figures[i]);
}

const struct ray_figures *whole_band_map_errors(const struct whole_band *whole, size_t source, size_t first,
                                                size_t *waves)
{
    *waves = (size_t)whole->octave + 1;
    return whole_band_is_traced(whole, source)
               ? &whole->source[source].rays.error[whole->run->setup->points.receivers + first]
               : NULL;
}

void whole_band_figures(const struct whole_band *whole, size_t source, size_t receiver,
                        struct acoustic_figures *figures, struct speech_transmission *speech)
{
    const struct ray_result *rays = &whole->source[source].rays;
    const size_t first = figures->bands;
    ray_figures_put(&rays->figures[receiver], first, figures);
    ray_speech_put(&rays->energy, receiver, first > 0 ? first - 1 : 0, speech);
}

/* ---- the record ---- */

/* Where the energy of a source's rays went; surfaces of the mesh, then open faces. */
static bool fill_absorbed(const struct whole_band *whole, const struct ray_energy *energy,
                          struct record_ray_source *out)
{
    const struct mesh *mesh = &whole->room.mesh;
    struct ray_account account = {0};
    struct failure ignored;
    bool done = ray_account_make(energy, &account, &ignored) == 0 &&
                JSON_LIST_MAKE(&record_absorbed_table, &out->absorbed, mesh->material_count + 1);
    for (size_t m = 0; done && m <= mesh->material_count; m++) {
        struct record_absorbed *entry = &out->absorbed.item[m];
        const bool open = m == mesh->material_count;
        done = json_text_set(&entry->material, open ? ENERGY_OPEN_FACES : mesh->material[m]) &&
               json_numbers_set(&entry->share, open ? account.escaped : account.absorbed[m], RAY_OCTAVES);
    }
    free(account.absorbed);
    return done;
}

static bool fill_source(const struct whole_band *whole, size_t source, struct record_ray_source *out)
{
    const struct whole_source *of = &whole->source[source];
    out->rays = (double)of->rays.energy.rays;
    out->noise = of->rays.noise_reached;
    out->seconds = of->rays.seconds;
    out->level = of->check.level;
    out->decay = of->check.decay;
    return json_text_set(&out->source, whole->run->setup->points.point[source].name) &&
           json_numbers_set(&out->correction, of->correction, RAY_OCTAVES) &&
           json_numbers_set(&out->rate, of->rate, RAY_OCTAVES) && fill_absorbed(whole, &of->rays.energy, out);
}

bool whole_band_record(const struct whole_band *whole, struct run_model *model)
{
    size_t traced = 0, filled = 0;
    const size_t sources = whole->run->setup->points.sources;
    struct record_rays *rays = model->rays = json_make(&record_rays_table);
    for (size_t s = 0; s < sources; s++)
        traced += whole_band_is_traced(whole, s);
    if (rays == NULL || !JSON_LIST_MAKE(&record_ray_source_table, &rays->sources, traced))
        return false;
    if (traced == room_points_runs(&whole->run->setup->points))
        model->calibration->to = WHOLE_BAND_HIGHEST;
    rays->crossover = whole->run->grid->fmax * exp2(-OCTAVE_CROSSOVER_WIDTH / 2);
    rays->octave = ray_octave_centre(whole->octave);
    for (size_t s = 0; s < sources; s++)
        if (whole_band_is_traced(whole, s) && !fill_source(whole, s, &rays->sources.item[filled++]))
            return false;
    return true;
}

bool whole_band_record_response(const struct whole_band *whole, size_t source, size_t receiver,
                                struct record_response *response)
{
    const struct ray_result *rays = &whole->source[source].rays;
    return !whole_band_is_traced(whole, source) ||
           record_fill_rays(response, (size_t)whole->octave + 1, rays->spread[receiver].value[0],
                            rays->error[receiver].value[0], rays->chance[receiver].value[0],
                            rays->sti_spread[receiver]);
}

void whole_band_warn(const struct whole_band *whole, size_t source, struct room_notices *notices)
{
    const struct ray_join_check *check = &whole->source[source].check;
    const double gaps = whole->source[source].rays.gaps;
    if (gaps >= RAY_GAPS_LEAST)
        room_say(notices,
                 "%s: gaps of the model would let out %.0f %% of the sound; they are closed for rays, as on "
                 "the grid",
                 whole->run->setup->points.point[source].name, 100 * gaps);
    char decay[40] = "";
    if (isfinite(check->decay))
        (void)snprintf(decay, sizeof decay, SAID(" and %.1f JND of T30"), check->decay);
    if (check->far_apart)
        room_warn(notices,
                  "%s: in the octave of %d Hz rays differ from the waves by %.1f dB%s, too much for the "
                  "octaves above to be relied on; simulate one octave higher",
                  whole->run->setup->points.point[source].name,
                  band_nominal(ray_octave_centre(whole->octave)), check->level, decay);
}
