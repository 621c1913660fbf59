#include "src/rays/ray_room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/materials/absorption_uncertainty.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/base/progress_line.h"

#define AIR_LENGTHS     2600 /* to RAY_DURATION_MAX */
#define AIR_LENGTH      4.0  /* [m] */
#define AIR_LINES       32   /* frequencies of an octave */
#define VARIANTS        3
#define VARIANT_SHARE   8 /* the rays for half and twice the scattering are fewer by this */
#define PILOT_RAYS      2048
#define PILOT_BIN       0.02 /* [s] */
#define DURATION_LEAST  0.2  /* [s] */
#define RAYS_FIRST      4096
#define RAYS_APART      4096 /* between two looks at Ctrl-C and progress */
#define SEED            20
#define FIRST_OCTAVE    1    /* of those whose noise decides: 125 Hz */
#define LAST_OCTAVE     6    /* 4 kHz */
#define FIELD_ROUGH     1e-3 /* of the energy at the start: less is not found by the first pilot */
#define FIELD_FINE      1e-6 /* .. by the second */
#define FIELD_END       1e-9 /* no octave needs rays for less */
#define FIELD_LEAST     1e-30
#define GAP_OCTAVE      4    /* 1 kHz */
#define FALL            1e-6 /* of the slowest octave ends a histogram */
#define NO_RESULT_NOISE 1.0  /* of a figure that has none yet */

/* ---- the room ---- */

void ray_room_free(struct ray_room *room)
{
    ray_scene_free(&room->scene);
    ray_space_free(&room->space);
    for (int v = 0; v < VARIANTS; v++)
        free(room->wall[v]);
    free(room->triangle);
    free(room->place);
    free(room->air_mean);
    *room = (struct ray_room){0};
}

static void make_wall(const struct room_model *model, size_t m, double factor, struct ray_wall *out)
{
    const struct surface *surface = &model->surface[m];
    double scattering[RAY_OCTAVES];
    for (int o = 0; o < RAY_OCTAVES; o++)
        scattering[o] = fmin(1, factor * surface->scattering.octave[o]);
    if (surface->is_sheet)
        ray_wall_make_sheet(&surface->sheet, air_impedance(&model->air), scattering, out);
    else
        ray_wall_make(surface->branch, surface->branches, scattering, out);
}

static int make_walls(struct ray_room *room, struct failure *failure)
{
    static const double factor[VARIANTS] = {1, 0.5, 2};
    const struct room_model *model = &room->setup->model;
    for (int v = 0; v < VARIANTS; v++) {
        room->wall[v] = calloc(model->mesh.material_count + 1, sizeof *room->wall[v]);
        if (room->wall[v] == NULL)
            return failure_memory(failure, model->mesh.material_count * sizeof **room->wall,
                                  "the walls of rays");
        for (size_t m = 0; m < model->mesh.material_count; m++)
            make_wall(model, m, factor[v], &room->wall[v][m]);
    }
    return 0;
}

double ray_radius_most(const struct room_model *model)
{
    return fmin(RAY_RADIUS_MAX, RAY_ROOM_SHARE * cbrt(room_box_volume(model)));
}

double ray_place_radius(const struct room_model *model, const struct clearance *tree,
                        const double position[3])
{
    const double radius =
        RAY_CLEARANCE * clearance_at(tree, position, ray_radius_most(model) / RAY_CLEARANCE);
    return radius >= RAY_RADIUS_MIN ? radius : 0;
}

static int make_places(struct ray_room *room, const double (*position)[3], struct failure *failure)
{
    const struct room_model *model = &room->setup->model;
    const struct mesh whole = mesh_whole(&room->mesh);
    struct clearance tree = {0};
    room->place = calloc(room->places + 1, sizeof *room->place);
    if (room->place == NULL)
        return failure_memory(failure, room->places * sizeof *room->place, "the receivers of rays");
    TRY(clearance_make(&whole, &tree, failure));
    for (size_t r = 0; r < room->places; r++) {
        memcpy(room->place[r].position, position[r], sizeof room->place[r].position);
        room->place[r].radius = ray_place_radius(model, &tree, position[r]);
    }
    clearance_free(&tree);
    return 0;
}

/* Their triangles shrink to a corner of the first one, so that others keep their numbers: rays are at the
 * centres of heads. */
static int leave_heads_out(struct ray_room *room, struct failure *failure)
{
    const struct mesh *mesh = &room->setup->model.mesh;
    const size_t triangles = mesh->triangle_count + mesh->sheet_count;
    room->mesh = *mesh;
    if (room->setup->points.heads == 0)
        return 0;
    room->triangle = malloc((triangles + 1) * sizeof *room->triangle);
    if (room->triangle == NULL)
        return failure_memory(failure, triangles * sizeof *room->triangle, "the triangles of rays");
    memcpy(room->triangle, mesh->triangle, triangles * sizeof *room->triangle);
    room->mesh.triangle = room->triangle;
    for (size_t t = 0; t < triangles; t++)
        if (strcmp(mesh->material[mesh->triangle_material[t]], DUMMY_HEAD_MATERIAL) == 0)
            for (int k = 0; k < 3; k++)
                room->triangle[t][k] = mesh->triangle[0][0];
    return 0;
}

/* The energy of an impulse is spread evenly over frequency. */
static int find_air(struct ray_room *room, struct failure *failure)
{
    struct air_losses losses;
    if (room->setup->request.model.air_method == AIR_OFF)
        return 0;
    room->air_mean = calloc(AIR_LENGTHS + 1, sizeof *room->air_mean);
    if (room->air_mean == NULL)
        return failure_memory(failure, AIR_LENGTHS * sizeof *room->air_mean, "the losses of air");
    air_losses_make(&room->setup->model.air, &losses);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        const double centre = ray_octave_centre(o), low = centre * sqrt(0.5), width = centre * sqrt(0.5);
        room->air[o] = 2 * air_losses_nepers(&losses, centre);
        for (size_t l = 0; l <= AIR_LENGTHS; l++) {
            double sum = 0;
            for (int i = 0; i < AIR_LINES; i++) {
                const double f = low + width * (i + 0.5) / AIR_LINES;
                sum += exp((room->air[o] - 2 * air_losses_nepers(&losses, f)) * AIR_LENGTH * (double)l);
            }
            room->air_mean[l][o] = (float)(sum / AIR_LINES);
        }
    }
    return 0;
}

int ray_room_make(const struct room_setup *setup, const double (*position)[3], size_t places,
                  struct ray_room *out, struct failure *failure)
{
    *out = (struct ray_room){.setup = setup, .places = places};
    int code = leave_heads_out(out, failure);
    if (code == 0)
        code = ray_scene_make(&out->mesh, setup->model.back_material, &out->scene, failure);
    if (code == 0 && setup->grid.packed.blocks > 0)
        code = ray_space_make(&setup->grid.packed, setup->model.low, setup->model.high, out->scene.middle,
                              &out->space, failure);
    if (code == 0)
        code = make_walls(out, failure);
    if (code == 0)
        code = make_places(out, position, failure);
    if (code == 0)
        code = find_air(out, failure);
    if (code != 0)
        ray_room_free(out);
    return code;
}

int ray_room_refuse_near(const struct ray_room *room, struct failure *failure)
{
    const struct room_points *points = &room->setup->points;
    for (size_t r = 0; r < points->receivers; r++)
        if (room->place[r].radius == 0)
            return failure_set(failure, FAILURE_INPUT,
                               "receiver %s is less than %.2g m from a surface, too near for the sphere in "
                               "which rays are counted; move it into the room",
                               points->point[points->sources + r].name, RAY_RADIUS_MIN / RAY_CLEARANCE);
    return 0;
}

/* ---- emitters ---- */

static void aim_emitter(const struct source_direction *direction, struct ray_emitter *emitter)
{
    double matrix[HARMONICS][HARMONICS];
    emitter->directed = source_has_direction(direction);
    if (!emitter->directed)
        return;
    pattern_turn(direction->front, matrix);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double complex harmonic[HARMONICS];
        pattern_at(&direction->pattern, 0, ray_octave_centre(o), harmonic);
        pattern_turned(matrix, harmonic, emitter->harmonic[o]);
    }
}

int ray_room_emitters(const struct ray_room *room, size_t source, struct ray_emitter **out, size_t *count,
                      struct failure *failure)
{
    const struct room_setup *setup = room->setup;
    const struct source_member alone = {.source = source, .gain = 1};
    const struct source_direction *direction = &setup->directions.of[source];
    const struct source_member *member = direction->members > 0 ? direction->member : &alone;
    *count = direction->members > 0 ? direction->members : 1;
    *out = calloc(*count, sizeof **out);
    if (*out == NULL)
        return failure_memory(failure, *count * sizeof **out, "the sources of rays");
    for (size_t i = 0; i < *count; i++) {
        struct ray_emitter *emitter = &(*out)[i];
        memcpy(emitter->position, setup->points.point[member[i].source].position, sizeof emitter->position);
        emitter->gain = member[i].gain;
        emitter->delay = member[i].delay;
        aim_emitter(&setup->directions.of[member[i].source], emitter);
    }
    return 0;
}

/* ---- how long, and how many rays when ---- */

/* The energy after each time over all, which is as the energy itself where it decays exponentially. Below
 * `sure`, where few rays may be left, it falls on as over the last half of the levels [dB] before: where
 * absorption is distributed unevenly the end is slower than the start. */
static void integrate_field(const struct ray_field *field, int octave, double sure, double *left)
{
    double sum = 0;
    size_t from = 0, to = 1;
    for (size_t b = field->bins; b-- > 0;)
        left[b] = sum += (double)field->sum[b][octave];
    for (size_t b = 0; b < field->bins; b++)
        left[b] = sum > 0 ? left[b] / sum : 0;
    while (to + 1 < field->bins && left[to + 1] > sure)
        to++;
    while (from + 1 < to && left[from + 1] > sqrt(sure))
        from++;
    const double rate = log(fmax(left[to], sure) / fmax(left[from], sure)) / (double)(to - from);
    for (size_t b = to + 1; b < field->bins; b++)
        left[b] = fmax(left[to], sure) * exp(rate * (double)(b - to));
}

/* The number of rays falls as the root of their energy. An octave counts until `end` of its energy is left.
 */
static int make_window(const struct ray_field *field, uint64_t rays, double sure, double end,
                       struct ray_window *window, double *duration, struct failure *failure)
{
    double *left = malloc(RAY_OCTAVES * field->bins * sizeof *left);
    if (left == NULL)
        return failure_memory(failure, RAY_OCTAVES * field->bins * sizeof *left, "the decay of rays");
    *duration = 0;
    for (int o = 0; o < RAY_OCTAVES; o++)
        integrate_field(field, o, sure, &left[(size_t)o * field->bins]);
    for (size_t b = 0; b < field->bins; b++) {
        double mean = 0, octaves = 0;
        for (size_t o = 0; o < RAY_OCTAVES; o++) {
            mean += left[o * field->bins + b] / RAY_OCTAVES;
            octaves += left[o * field->bins + b] > end;
            if (left[o * field->bins + b] > FALL)
                *duration = (double)(b + 1) * field->bin;
        }
        for (size_t o = 0; o < RAY_OCTAVES; o++) {
            const double start = (double)field->sum[0][o] / (RAY_UNIT * (double)rays);
            const double should = fmax(start * left[o * field->bins + b], FIELD_LEAST);
            window->share[b][o] =
                left[o * field->bins + b] > end ? (float)(sqrt(mean) / (octaves * should)) : 0;
        }
    }
    free(left);
    return 0;
}

/* Fill the window by the decay of a few rays, which have one themselves if `pilot` has. */
static int trace_pilot(const struct ray_task *pilot, double sure, double end, struct ray_window *window,
                       double *duration, struct failure *failure)
{
    struct ray_energy energy = {0};
    memset(pilot->field->sum, 0, pilot->field->bins * sizeof *pilot->field->sum);
    int code = ray_energy_make(pilot, &energy, failure);
    if (code == 0)
        code = ray_trace(pilot, PILOT_RAYS, &energy, failure);
    if (code == 0)
        code = make_window(pilot->field, PILOT_RAYS, sure, end, window, duration, failure);
    ray_energy_free(&energy);
    return code;
}

/* Trace a few rays to learn how the energy of the room decays, and a few again for the end of the decay.
 * `window` gets its share, owned by the caller. */
static int find_window(const struct ray_task *task, struct ray_window *window, double *duration,
                       struct failure *failure)
{
    struct ray_task pilot = *task;
    struct ray_field field = {.bin = PILOT_BIN, .bins = (size_t)(RAY_DURATION_MAX / PILOT_BIN)};
    struct ray_window rough = {.bin = field.bin, .bins = field.bins};
    pilot.field = &field;
    pilot.bin = PILOT_BIN;
    pilot.bins = field.bins;
    pilot.receivers = pilot.directional = 0;
    *window = rough;
    field.sum = calloc(field.bins, sizeof *field.sum);
    rough.share = calloc(field.bins, sizeof *rough.share);
    window->share = calloc(field.bins, sizeof *window->share);
    int code = field.sum == NULL || rough.share == NULL || window->share == NULL
                   ? failure_memory(failure, field.bins * sizeof *field.sum, "the decay of rays")
                   : trace_pilot(&pilot, FIELD_ROUGH, FALL, &rough, duration, failure);
    pilot.window = &rough;
    if (code == 0)
        code = trace_pilot(&pilot, FIELD_FINE, FIELD_END, window, duration, failure);
    free(rough.share);
    free(field.sum);
    return code;
}

/* ---- until the noise is small enough ---- */

struct work {
    const struct ray_room *room;
    const struct ray_room_settings *settings;
    struct ray_task task;
    struct ray_window window;
    struct progress_line line;
    double begun;
    double done, all; /* rays of all three scatterings, as far as is known */
};

static void show_progress(struct work *work)
{
    char text[160];
    const double now = progress_clock(), share = fmin(1, work->done / work->all);
    progress_json_show(share);
    if (!progress_line_due(&work->line, now))
        return;
    (void)snprintf(text, sizeof text, "rays%s%s: %.0f %%, %.0f s left",
                   work->settings->label[0] ? " of " : "", work->settings->label, 100 * share,
                   share > 0 ? (now - work->begun) * (1 - share) / share : 0);
    progress_line_show(&work->line, now, text);
}

static int trace_rays(struct work *work, uint64_t rays, struct ray_energy *energy, struct failure *failure)
{
    for (uint64_t left = rays; left > 0;) {
        const uint64_t now = left < RAYS_APART ? left : RAYS_APART;
        TRY(ray_trace(&work->task, now, energy, failure));
        TRY(interrupt_stop(failure));
        left -= now;
        work->done += (double)now;
        show_progress(work);
    }
    return 0;
}

static int compare_doubles(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double squared_noise(double noise, double scale)
{
    const double share = noise / scale;
    return share < NO_RESULT_NOISE ? share * share : NO_RESULT_NOISE;
}

/* Fill figures and noise of all places; `reached` is the larger one of G and T30 at the median place. */
static int find_noise(const struct ray_room *room, struct ray_result *result, struct failure *failure)
{
    double *at = calloc(2 * room->places + 1, sizeof *at), *of[2] = {at, at + room->places};
    size_t count = 0;
    int code = at == NULL ? failure_memory(failure, room->places * sizeof *at, "the noise of rays") : 0;
    for (size_t r = 0; code == 0 && r < room->places; r++) {
        struct ray_figures *figures = &result->figures[r], *noise = &result->noise[r];
        if (room->place[r].radius == 0)
            continue;
        code = ray_figures_make(&result->energy, RAY_PARTS, r, figures, failure);
        if (code == 0)
            code = ray_figures_noise(&result->energy, r, noise, failure);
        for (int o = FIRST_OCTAVE; o <= LAST_OCTAVE; o++) {
            of[0][count] += squared_noise(noise->value[FIGURE_G][o], 10 / log(10));
            of[1][count] += squared_noise(noise->value[FIGURE_T30][o], figures->value[FIGURE_T30][o]);
        }
        count++;
    }
    result->noise_reached = 0;
    for (int f = 0; code == 0 && count > 0 && f < 2; f++) {
        qsort(of[f], count, sizeof *at, compare_doubles);
        result->noise_reached =
            fmax(result->noise_reached, sqrt(of[f][count / 2] / (LAST_OCTAVE - FIRST_OCTAVE + 1)));
    }
    free(at);
    return code;
}

static int trace_main(struct work *work, struct ray_result *result, struct failure *failure)
{
    uint64_t next = RAYS_FIRST;
    work->all = 1.5 * RAYS_FIRST / fmin(1, work->settings->noise * work->settings->noise * 100);
    for (;;) {
        struct ray_energy *energy = &result->energy;
        TRY(trace_rays(work, next - energy->rays, energy, failure));
        TRY(find_noise(work->room, result, failure));
        const double over = result->noise_reached / work->settings->noise;
        if (!(over > 1) || energy->rays == RAYS_MAX)
            return 0;
        const double needed = (double)energy->rays * fmin(over * over * 1.05, 16);
        next = needed < RAYS_MAX ? (uint64_t)needed : RAYS_MAX;
        work->all = fmax(work->done, (double)next * (1 + 2.0 / VARIANT_SHARE));
    }
}

/* By how much figures change, but for what the noise of both is expected to change them by. */
static void widen_spread(const struct ray_figures *one, const struct ray_figures *noise,
                         const struct ray_figures *other, struct ray_figures *spread)
{
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (int o = 0; o < RAY_OCTAVES; o++) {
            const double change = other->value[f][o] - one->value[f][o];
            const double expected = (1 + VARIANT_SHARE) * noise->value[f][o] * noise->value[f][o];
            const double widest = sqrt(fmax(change * change - expected, 0));
            if (!(widest <= spread->value[f][o]))
                spread->value[f][o] = isfinite(change) ? widest : NAN;
        }
}

/* What a variant keeps beside the result. */
static void keep_little(struct ray_task *task)
{
    task->directional = task->early_bins = 0;
    task->whole = true;
}

static double find_sti(const struct ray_energy *energy, size_t place)
{
    struct speech_transmission speech = {0};
    ray_speech_put(energy, place, 0, &speech);
    return speech.sti;
}

/* Half or twice the scattering, with fewer rays. */
static int trace_variant(struct work *work, int variant, struct ray_result *result, struct failure *failure)
{
    struct ray_energy energy;
    work->task.wall = work->room->wall[variant];
    keep_little(&work->task);
    TRY(ray_energy_make(&work->task, &energy, failure));
    int code = trace_rays(work, result->energy.rays / VARIANT_SHARE, &energy, failure);
    for (size_t r = 0; code == 0 && r < work->room->places; r++) {
        struct ray_figures figures;
        if (work->room->place[r].radius == 0)
            continue;
        code = ray_figures_make(&energy, RAY_PARTS, r, &figures, failure);
        if (code == 0)
            widen_spread(&result->figures[r], &result->noise[r], &figures, &result->spread[r]);
        if (r < work->settings->speech)
            result->sti_spread[r] =
                fmax(result->sti_spread[r], fabs(find_sti(&energy, r) - find_sti(&result->energy, r)));
    }
    ray_energy_free(&energy);
    return code;
}

void ray_room_widen(const struct ray_room *room, const double join[PRESSURE_FIGURES],
                    struct ray_result *result)
{
    for (size_t r = 0; r < room->places; r++)
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            for (int o = 0; o < RAY_OCTAVES; o++) {
                const double step = figure_step((enum figure)f, result->figures[r].value[f][o]);
                const double random = fmax(result->chance[r].value[f][o], join != NULL ? join[f] * step : 0);
                result->error[r].value[f][o] =
                    hypot(result->spread[r].value[f][o],
                          UNCERTAINTY_BAR * hypot(result->noise[r].value[f][o], random));
            }
}

static int find_chance(const struct ray_room *room, struct ray_result *result, struct failure *failure)
{
    int code = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t r = 0; r < room->places; r++) {
        struct failure own = {0};
        if (room->place[r].radius == 0)
            continue;
        const int done = ray_figures_interference(&result->energy, r, &result->chance[r], &own);
#pragma omp critical(ray_errors)
        if (done != 0 && code == 0)
            code = failure_forward(failure, &own);
    }
    return code;
}

static int make_result(const struct ray_room *room, struct ray_result *out, struct failure *failure)
{
    out->figures = malloc((5 * room->places + 1) * sizeof *out->figures);
    if (out->figures == NULL)
        return failure_memory(failure, room->places * sizeof *out->figures, "the figures of rays");
    out->sti_spread = calloc(room->places + 1, sizeof *out->sti_spread);
    if (out->sti_spread == NULL)
        return failure_memory(failure, room->places * sizeof *out->sti_spread, "the figures of rays");
    out->noise = out->figures + room->places;
    out->chance = out->noise + room->places;
    out->error = out->chance + room->places;
    out->spread = out->error + room->places;
    for (size_t i = 0; i < 5 * room->places; i++)
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            for (int o = 0; o < RAY_OCTAVES; o++)
                out->figures[i].value[f][o] = i < 4 * room->places ? NAN : 0;
    return 0;
}

/* Of the last direct sound, or of what would be it. */
static double latest_arrival(const struct ray_task *task)
{
    double latest = 0;
    for (size_t e = 0; e < task->emitters; e++)
        for (size_t r = 0; r < task->receivers; r++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square += pow(task->receiver[r].position[axis] - task->emitter[e].position[axis], 2);
            latest = fmax(latest, task->emitter[e].delay + sqrt(square) / task->sound_speed);
        }
    return latest;
}

/* If so much of the given energy comes back, summed over all times, open gaps would take it once. */
static int find_gaps(struct ray_result *result, struct failure *failure)
{
    struct ray_account account;
    TRY(ray_account_make(&result->energy, &account, failure));
    result->gaps = account.gaps[GAP_OCTAVE] / (1 + account.gaps[GAP_OCTAVE]);
    free(account.absorbed);
    return 0;
}

/* How long the histograms are. */
static int find_bins(struct work *work, struct failure *failure)
{
    const struct ray_room_settings *settings = work->settings;
    double duration = 0;
    TRY(find_window(&work->task, &work->window, &duration, failure));
    work->task.window = &work->window;
    if (settings->duration > 0)
        duration = settings->duration;
    work->task.bins = (size_t)ceil(fmax(duration, DURATION_LEAST) / RAY_BIN);
    if (settings->early > 0)
        work->task.early_bins = (size_t)ceil((latest_arrival(&work->task) + settings->early) / RAY_BIN);
    return 0;
}

static int trace_all(struct work *work, struct ray_result *out, struct failure *failure)
{
    TRY(find_bins(work, failure));
    TRY(ray_energy_make(&work->task, &out->energy, failure));
    TRY(trace_main(work, out, failure));
    TRY(find_gaps(out, failure));
    for (int variant = 1; variant < VARIANTS; variant++)
        TRY(trace_variant(work, variant, out, failure));
    TRY(find_chance(work->room, out, failure));
    ray_room_widen(work->room, NULL, out);
    return 0;
}

/* Free with end_work(), also on failure. */
static int begin_work(const struct ray_room *room, size_t source, const struct ray_room_settings *settings,
                      struct ray_emitter **emitter, struct work *work, struct failure *failure)
{
    *work = (struct work){.room = room, .settings = settings, .begun = progress_clock(), .all = 1};
    work->task = (struct ray_task){.scene = &room->scene,
                                   .wall = room->wall[0],
                                   .space = room->space.near != NULL ? &room->space : NULL,
                                   .sound_speed = room->setup->model.sound_speed,
                                   .air_mean = (const float(*)[RAY_OCTAVES])room->air_mean,
                                   .lengths = AIR_LENGTHS,
                                   .length = AIR_LENGTH,
                                   .receivers = room->places,
                                   .receiver = room->place,
                                   .directional = settings->directional,
                                   .bin = RAY_BIN,
                                   .seed = SEED,
                                   .stop = &interrupt_seen};
    memcpy(work->task.air, room->air, sizeof room->air);
    *emitter = NULL;
    TRY(ray_room_emitters(room, source, emitter, &work->task.emitters, failure));
    work->task.emitter = *emitter;
    return 0;
}

static void end_work(struct ray_emitter *emitter, struct work *work)
{
    free(work->window.share);
    free(emitter);
}

int ray_room_bytes(const struct ray_room *room, size_t source, const struct ray_room_settings *settings,
                   double *bytes, struct failure *failure)
{
    struct ray_emitter *emitter;
    struct work work;
    int code = begin_work(room, source, settings, &emitter, &work, failure);
    if (code == 0)
        code = find_bins(&work, failure);
    *bytes = ray_energy_bytes(&work.task) + 5 * (double)room->places * sizeof(struct ray_figures);
    keep_little(&work.task);
    *bytes += ray_energy_bytes(&work.task);
    end_work(emitter, &work);
    return code;
}

int ray_room_trace(const struct ray_room *room, size_t source, const struct ray_room_settings *settings,
                   struct ray_result *out, struct failure *failure)
{
    struct ray_emitter *emitter;
    struct work work;
    *out = (struct ray_result){0};
    int code = begin_work(room, source, settings, &emitter, &work, failure);
    progress_line_start(&work.line, settings->progress, work.begun);
    if (code == 0)
        code = make_result(room, out, failure);
    if (code == 0)
        code = trace_all(&work, out, failure);
    progress_line_end(&work.line);
    end_work(emitter, &work);
    out->seconds = progress_clock() - work.begun;
    if (code != 0)
        ray_result_free(out);
    return code;
}

void ray_result_free(struct ray_result *result)
{
    ray_energy_free(&result->energy);
    free(result->figures);
    free(result->sti_spread);
    *result = (struct ray_result){0};
}
