#include "src/rays/ray_trace.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/rays/ray_directions.h"
#include "src/rays/ray_interference.h"

#define PI         3.14159265358979323846
#define UNIT       0x1p34 /* integers of an energy of 1 */
#define ENERGY_END 1e-6f  /* of the start: a ray ends where all octaves are below, without a window */
#define SPLIT_MOST 8      /* copies of a ray at once */
#define COPIES     64     /* that wait */
#define SPLIT_ALL  500 /* copies of a ray in all: a window that fits no ray must not multiply it for ever */
#define CHUNK      64  /* rays that a thread takes at once */
/* A share of rays of each kind where octaves differ, so that no weight is unbounded. */
#define CHANCE_LEAST 0.05f

enum { GIVEN, AIR, ESCAPED, LEFT, GAPS, OTHERS };

/* ---- directions ---- */

/* At an angle to `normal`. */
static void turned_direction(const float normal[3], float cosine, float turn, float out[3])
{
    const float ring = sqrtf(1 - cosine * cosine), angle = 2 * (float)PI * turn;
    /* Two unit vectors across it (Duff and others 2017). */
    const float sign = copysignf(1, normal[2]), a = -1 / (sign + normal[2]), b = normal[0] * normal[1] * a;
    const float first[3] = {1 + sign * normal[0] * normal[0] * a, sign * b, -sign * normal[0]};
    const float second[3] = {b, sign + normal[1] * normal[1] * a, -normal[1]};
    for (int axis = 0; axis < 3; axis++)
        out[axis] = ring * (cosf(angle) * first[axis] + sinf(angle) * second[axis]) + cosine * normal[axis];
}

/* ---- receivers ---- */

/* Receivers as arrays, about the middle of the scene. */
struct spheres {
    size_t count;
    float *x, *y, *z, *square; /* square of the radius */
    double *factor;            /* 4 pi UNIT / volume */
    float *apart;              /* (threads, count) square of the distance to a ray */
};

static void free_spheres(struct spheres *spheres)
{
    free(spheres->x);
    free(spheres->factor);
    free(spheres->apart);
}

/* ---- a ray ---- */

struct ray {
    float at[3], direction[3];
    float energy[RAY_OCTAVES], start[RAY_OCTAVES];
    float travelled; /* [m] */
    struct ray_dice dice;
    bool direct;   /* nothing has turned it */
    bool mirrored; /* nothing but mirrors has */
};

static void add_octaves(int64_t *to, const float value[RAY_OCTAVES])
{
    for (int o = 0; o < RAY_OCTAVES; o++)
        to[o] += llrint((double)value[o] * UNIT);
}

static void add_loss(int64_t *to, const float before[RAY_OCTAVES], const float after[RAY_OCTAVES])
{
    for (int o = 0; o < RAY_OCTAVES; o++)
        to[o] += llrint(((double)before[o] - (double)after[o]) * UNIT);
}

/* Rings of cells by z. */
static const double ring_edge[] = {-0.75, -0.25, 0.25, 0.75};
static const double ring_middle[] = {-0.875, -0.5, 0, 0.5, 0.875};
static const size_t ring_first[] = {0, 4, 12, 20, 28}, ring_count[] = {4, 8, 8, 8, 4};

size_t ray_cell(const double direction[3])
{
    size_t ring = 0;
    while (ring < 4 && direction[2] >= ring_edge[ring])
        ring++;
    const double turn = atan2(direction[1], direction[0]) / (2 * PI) + 0.5;
    const size_t sector = (size_t)(turn * (double)ring_count[ring]);
    return ring_first[ring] + (sector < ring_count[ring] ? sector : ring_count[ring] - 1);
}

void ray_cell_middle(size_t cell, double out[3])
{
    size_t ring = 0;
    while (ring < 4 && cell >= ring_first[ring + 1])
        ring++;
    const double sector = (double)(cell - ring_first[ring]) + 0.5;
    const double angle = 2 * PI * (sector / (double)ring_count[ring] - 0.5);
    const double z = ring_middle[ring], across = sqrt(1 - z * z);
    out[0] = across * cos(angle);
    out[1] = across * sin(angle);
    out[2] = z;
}

size_t ray_octave_group(int octave)
{
    return octave < 4 ? 0 : octave < 6 ? 1 : 2;
}

/* What a chord adds to a receiver at a time. */
static void add_energy(const struct ray *ray, struct ray_energy *energy, size_t part, size_t receiver,
                       size_t bin, const int64_t units[RAY_OCTAVES])
{
    const size_t row = receiver * energy->bins + bin;
    int64_t *const sum = &energy->sum[(part * energy->receivers * energy->bins + row) * RAY_OCTAVES];
    for (int o = 0; o < RAY_OCTAVES; o++) {
#pragma omp atomic
        sum[o] += units[o];
    }
    if (ray->mirrored && bin < energy->early_bins)
        for (int o = 0; o < RAY_OCTAVES; o++) {
#pragma omp atomic
            energy->mirrored[(receiver * energy->early_bins + bin) * RAY_OCTAVES + (size_t)o] += units[o];
        }
    if (receiver >= energy->directional)
        return;
    const double from[3] = {-(double)ray->direction[0], -(double)ray->direction[1],
                            -(double)ray->direction[2]};
    int64_t *const cell = &energy->from[(row * RAY_CELLS + ray_cell(from)) * RAY_GROUPS];
    for (int o = 0; o < RAY_OCTAVES; o++) {
#pragma omp atomic
        cell[ray_octave_group(o)] += units[o];
    }
}

/* Of the air on the way of so many metres, over that at the centres of octaves. */
static double mean_air(const struct ray_task *task, double length, int octave)
{
    if (task->air_mean == NULL)
        return 1;
    const double at = fmin(length / task->length, (double)task->lengths - 1e-9);
    const size_t low = (size_t)at;
    const double one = (double)task->air_mean[low][octave], other = (double)task->air_mean[low + 1][octave];
    return one + (at - (double)low) * (other - one);
}

static void add_chord(const struct ray_task *task, const struct spheres *spheres, const struct ray *ray,
                      size_t r, float apart, float length, size_t part, struct ray_energy *energy)
{
    const float along = (spheres->x[r] - ray->at[0]) * ray->direction[0] +
                        (spheres->y[r] - ray->at[1]) * ray->direction[1] +
                        (spheres->z[r] - ray->at[2]) * ray->direction[2];
    const float half = sqrtf(spheres->square[r] - apart);
    const float from = fmaxf(along - half, 0), to = fminf(along + half, length);
    if (!(to > from))
        return;
    const double middle = (double)(from + to) / 2;
    const double bin = ((double)ray->travelled + middle) / (task->sound_speed * task->bin);
    if (!(bin < (double)task->bins))
        return;
    int64_t units[RAY_OCTAVES];
    const double weight = spheres->factor[r] * (double)(to - from);
    for (int o = 0; o < RAY_OCTAVES; o++)
        units[o] = llrint(weight * (double)ray->energy[o] * exp(-task->air[o] * middle) *
                          mean_air(task, (double)ray->travelled + middle, o));
    add_energy(ray, energy, part, r, (size_t)bin, units);
}

static void detect(const struct ray_task *task, const struct spheres *spheres, const struct ray *ray,
                   float length, size_t part, struct ray_energy *energy)
{
    const float *const at = ray->at, *const d = ray->direction;
    float *const apart = &spheres->apart[(size_t)omp_get_thread_num() * spheres->count];
    int any = 0;
#pragma omp simd reduction(| : any)
    for (size_t r = 0; r < spheres->count; r++) {
        const float x = spheres->x[r] - at[0], y = spheres->y[r] - at[1], z = spheres->z[r] - at[2];
        const float along = x * d[0] + y * d[1] + z * d[2];
        const float a = x - along * d[0], b = y - along * d[1], c = z - along * d[2];
        apart[r] = a * a + b * b + c * c;
        any |= apart[r] < spheres->square[r];
    }
    for (size_t r = 0; any && r < spheres->count; r++)
        if (apart[r] < spheres->square[r])
            add_chord(task, spheres, ray, r, apart[r], length, part, energy);
}

/* ---- surfaces ---- */

static float mean_of(const float value[RAY_OCTAVES])
{
    float sum = 0;
    for (int o = 0; o < RAY_OCTAVES; o++)
        sum += value[o];
    return sum / RAY_OCTAVES;
}

static float lesser(float a, float b)
{
    return a < b ? a : b;
}

/* The probability of a branch that has `share` of the energy of both in each octave. */
static float branch_chance(const float share[RAY_OCTAVES])
{
    float least = 1, most = 0;
    for (int o = 0; o < RAY_OCTAVES; o++) {
        least = lesser(least, share[o]);
        most = -lesser(-most, -share[o]);
    }
    if (!(most > 0) || !(least < 1))
        return most > 0 ? 1 : 0;
    const float mean = mean_of(share);
    return least == most ? mean : fminf(fmaxf(mean, CHANCE_LEAST), 1 - CHANCE_LEAST);
}

static void mirror(const struct ray_hit *hit, float direction[3])
{
    const float twice =
        2 * (direction[0] * hit->normal[0] + direction[1] * hit->normal[1] + direction[2] * hit->normal[2]);
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        direction[axis] -= twice * hit->normal[axis];
        square += direction[axis] * direction[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        direction[axis] /= sqrtf(square);
}

/* Multiply by the share of one branch over its chance. */
static void take_branch(float energy[RAY_OCTAVES], const float share[RAY_OCTAVES], bool taken, float chance)
{
    for (int o = 0; o < RAY_OCTAVES; o++)
        energy[o] *= taken ? share[o] / chance : (1 - share[o]) / (1 - chance);
}

static void reflect(const struct ray_wall *wall, const struct ray_hit *hit,
                    const float reflected[RAY_OCTAVES], struct ray *ray)
{
    const float chance = branch_chance(wall->scattering);
    const bool scattered = (float)ray_dice_throw(&ray->dice) < chance;
    take_branch(ray->energy, wall->scattering, scattered, chance);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] *= reflected[o];
    ray->direct = false;
    if (!scattered) {
        mirror(hit, ray->direction);
        return;
    }
    float factor[RAY_OCTAVES];
    const float cosine = ray_wall_scatter(wall, (float)ray_dice_throw(&ray->dice), factor);
    turned_direction(hit->normal, cosine, (float)ray_dice_throw(&ray->dice), ray->direction);
    ray->mirrored = false;
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] *= factor[o];
}

/* Absorbed is what does not leave: exact for each ray, right in the mean for each surface, since weights of
 * branches are random. */
static void meet_surface(const struct ray_task *task, const struct ray_hit *hit, int64_t *taken,
                         struct ray *ray)
{
    const struct ray_wall *wall = &task->wall[hit->material];
    float reflected[RAY_OCTAVES], transmitted[RAY_OCTAVES] = {0}, share[RAY_OCTAVES] = {0};
    float before[RAY_OCTAVES], side = 1;
    ray_wall_reflected(wall, hit->cosine, reflected);
    if (wall->is_sheet)
        ray_wall_transmitted(wall, hit->cosine, transmitted);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        const float kept = reflected[o] + transmitted[o];
        share[o] = kept > 0 ? transmitted[o] / kept : 0;
    }
    memcpy(before, ray->energy, sizeof before);
    const float chance = branch_chance(share);
    const bool through = chance > 0 && (float)ray_dice_throw(&ray->dice) < chance;
    if (through) {
        for (int o = 0; o < RAY_OCTAVES; o++)
            ray->energy[o] *= transmitted[o] / chance;
        side = -1;
    } else {
        for (int o = 0; o < RAY_OCTAVES; o++)
            reflected[o] /= 1 - chance;
        reflect(wall, hit, reflected, ray);
    }
    add_loss(&taken[(size_t)hit->material * RAY_OCTAVES], before, ray->energy);
    for (int axis = 0; axis < 3; axis++)
        ray->at[axis] += side * task->scene->step * hit->normal[axis];
}

static bool is_alive(const struct ray *ray)
{
    bool alive = false;
    for (int o = 0; o < RAY_OCTAVES; o++)
        alive |= ray->energy[o] > ENERGY_END * ray->start[o];
    return alive;
}

/* Energy over what a ray should have at this time: the mean over octaves. */
static float window_ratio(const struct ray_task *task, const struct ray *ray)
{
    const size_t bin = (size_t)((double)ray->travelled / (task->sound_speed * task->window->bin));
    const float *share = task->window->share[bin < task->window->bins ? bin : task->window->bins - 1];
    float sum = 0;
    for (int o = 0; o < RAY_OCTAVES; o++)
        sum += ray->energy[o] * share[o];
    return sum;
}

static void scale_energy(float factor, int64_t *left, struct ray *ray)
{
    float before[RAY_OCTAVES];
    memcpy(before, ray->energy, sizeof before);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] *= factor;
    add_loss(left, before, ray->energy);
}

enum { WAITING, MADE }; /* copies of a ray */

/* Copies that go on by other random numbers; together they have the energy of the ray. */
static void split_ray(unsigned count, int64_t *left, struct ray *ray, struct ray *copy, unsigned copies[2])
{
    float before[RAY_OCTAVES];
    memcpy(before, ray->energy, sizeof before);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] /= (float)count;
    for (unsigned i = 1; i < count; i++) {
        copy[copies[WAITING]] = *ray;
        copy[copies[WAITING]++].dice.state = ray_mix_bits(ray->dice.state + i);
        copies[MADE]++;
    }
    for (int o = 0; o < RAY_OCTAVES; o++)
        left[o] += llrint(((double)before[o] - (double)count * (double)ray->energy[o]) * UNIT);
}

/* Ends faint rays at random and lets the others count for them (Russian roulette), and splits strong ones.
 * False: the ray has ended. */
static bool keep_window(const struct ray_task *task, int64_t *left, struct ray *ray, struct ray *copy,
                        unsigned copies[2])
{
    if (task->window == NULL)
        return is_alive(ray);
    const float ratio = window_ratio(task, ray);
    if (ratio < 0.5f) {
        if (!(ray_dice_throw(&ray->dice) < (double)ratio))
            return false;
        scale_energy(1 / ratio, left, ray);
    } else if (ratio >= 2 && copies[WAITING] + SPLIT_MOST <= COPIES && copies[MADE] < SPLIT_ALL) {
        split_ray(ratio < SPLIT_MOST ? (unsigned)ratio : SPLIT_MOST, left, ray, copy, copies);
    }
    return true;
}

static void pass_air(const struct ray_task *task, float length, int64_t *air, struct ray *ray)
{
    float before[RAY_OCTAVES];
    memcpy(before, ray->energy, sizeof before);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] *= expf((float)-task->air[o] * length);
    add_loss(air, before, ray->energy);
}

/* The energy on the way, for the window of later rays. */
static void add_field(const struct ray_task *task, const struct ray *ray, float length)
{
    struct ray_field *field = task->field;
    const double unit = task->sound_speed * field->bin;
    double from = (double)ray->travelled / unit;
    const double end = ((double)ray->travelled + (double)length) / unit;
    for (size_t bin = (size_t)from; bin < field->bins && from < end; bin++) {
        const double to = fmin(end, (double)(bin + 1));
        for (int o = 0; o < RAY_OCTAVES; o++) {
            const int64_t units = llrint((double)ray->energy[o] * (to - from) * UNIT);
#pragma omp atomic
            field->sum[bin][o] += units;
        }
        from = to;
    }
}

static void turn_back(int64_t *gaps, struct ray *ray)
{
    add_octaves(gaps, ray->energy);
    ray->direct = ray->mirrored = false;
    for (int axis = 0; axis < 3; axis++)
        ray->direction[axis] = -ray->direction[axis];
}

/* To the end of a ray or of its part in a split one; copies of it are left in `copy`. */
static void trace_part(const struct ray_task *task, const struct spheres *spheres, size_t part,
                       struct ray_energy *energy, int64_t *taken, struct ray *ray, struct ray *copy,
                       unsigned copies[2])
{
    int64_t *const other = &taken[task->scene->mesh->material_count * RAY_OCTAVES];
    int64_t *const left = &other[LEFT * RAY_OCTAVES];
    const float far = (float)(task->sound_speed * task->bin * (double)task->bins);
    bool turned = false;
    while (ray->travelled < far && keep_window(task, left, ray, copy, copies)) {
        struct ray_hit hit;
        const bool met = ray_scene_hit(task->scene, ray->at, ray->direction, INFINITY, &hit);
        float whole = met ? hit.distance : INFINITY;
        const enum ray_way way = task->space != NULL
                                     ? ray_space_way(task->space, ray->at, ray->direction, &whole)
                                     : (met ? RAY_MEETS : RAY_ESCAPES);
        const float length = fminf(whole, far - ray->travelled);
        if (!ray->direct)
            detect(task, spheres, ray, length, part, energy);
        if (task->field != NULL)
            add_field(task, ray, length);
        /* Outside the room, a ray would turn at both ends of its way for ever. */
        if (way == RAY_ESCAPES || (way == RAY_IN_GAP && turned)) {
            add_octaves(&other[ESCAPED * RAY_OCTAVES], ray->energy);
            return;
        }
        pass_air(task, length, &other[AIR * RAY_OCTAVES], ray);
        ray->travelled += length;
        if (!(ray->travelled < far))
            break;
        for (int axis = 0; axis < 3; axis++)
            ray->at[axis] += length * ray->direction[axis];
        turned = way == RAY_IN_GAP;
        if (turned)
            turn_back(&other[GAPS * RAY_OCTAVES], ray);
        else
            meet_surface(task, &hit, taken, ray);
    }
    add_octaves(left, ray->energy);
}

static void trace_one(const struct ray_task *task, const struct spheres *spheres, uint64_t number,
                      struct ray_energy *energy, int64_t *taken, struct ray *ray)
{
    struct ray copy[COPIES];
    unsigned copies[2] = {0};
    add_octaves(&taken[(task->scene->mesh->material_count + GIVEN) * RAY_OCTAVES], ray->energy);
    const size_t part = energy->whole ? 0 : number % RAY_PARTS;
    trace_part(task, spheres, part, energy, taken, ray, copy, copies);
    while (copies[WAITING] > 0) {
        *ray = copy[--copies[WAITING]];
        trace_part(task, spheres, part, energy, taken, ray, copy, copies);
    }
}

/* ---- the source ---- */

static void emitted_pressure(const struct ray_emitter *emitter, const double direction[3],
                             double complex out[RAY_OCTAVES])
{
    double value[HARMONICS];
    if (emitter->directed)
        solid_harmonics(direction, value);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        out[o] = emitter->directed ? 0 : emitter->gain;
        for (int i = 0; emitter->directed && i < HARMONICS; i++)
            out[o] += emitter->gain * emitter->harmonic[o][i] * value[i];
    }
}

static double energy_of(double complex pressure)
{
    return creal(pressure) * creal(pressure) + cimag(pressure) * cimag(pressure);
}

/* How the emitters interfere far away in a direction. */
static void interfere_far(const struct ray_task *task, const double direction[3], double over[RAY_OCTAVES])
{
    double complex pressure[RAY_INTERFERE_MOST][RAY_OCTAVES];
    double time[RAY_INTERFERE_MOST];
    const bool some = task->emitters > 1 && task->emitters <= RAY_INTERFERE_MOST;
    for (size_t e = 0; some && e < task->emitters; e++) {
        emitted_pressure(&task->emitter[e], direction, pressure[e]);
        time[e] =
            task->emitter[e].delay - vector_dot(task->emitter[e].position, direction) / task->sound_speed;
    }
    ray_interference(some ? task->emitters : 0, (const double complex(*)[RAY_OCTAVES])pressure, time, over);
}

static void start_ray(const struct ray_task *task, uint64_t number, struct ray *ray)
{
    const struct ray_emitter *emitter = &task->emitter[number / RAY_PARTS % task->emitters];
    double direction[3], over[RAY_OCTAVES];
    double complex pressure[RAY_OCTAVES];
    ray_start_direction(task->seed, number, ray->direction);
    for (int axis = 0; axis < 3; axis++) {
        ray->at[axis] = (float)(emitter->position[axis] - task->scene->middle[axis]);
        direction[axis] = (double)ray->direction[axis];
    }
    emitted_pressure(emitter, direction, pressure);
    interfere_far(task, direction, over);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] = ray->start[o] = (float)(energy_of(pressure[o]) * over[o] * (double)task->emitters);
    ray->travelled = (float)(emitter->delay * task->sound_speed);
    ray->dice.state = ray_mix_bits(task->seed ^ ray_mix_bits(number));
    ray->direct = ray->mirrored = true;
}

/* Direct sound at one receiver: through sheets, stopped by walls. `pressure`: as it leaves the emitter. */
static void trace_direct(const struct ray_task *task, const struct ray_emitter *emitter,
                         const struct ray_receiver *receiver, double complex pressure[RAY_OCTAVES],
                         double out[RAY_OCTAVES], double *arrival)
{
    double way[3], square = 0;
    float at[3], direction[3], transmitted[RAY_OCTAVES];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = receiver->position[axis] - emitter->position[axis];
        square += way[axis] * way[axis];
    }
    const double distance = sqrt(square);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] /= distance;
        direction[axis] = (float)way[axis];
        at[axis] = (float)(emitter->position[axis] - task->scene->middle[axis]);
    }
    emitted_pressure(emitter, way, pressure);
    for (int o = 0; o < RAY_OCTAVES; o++)
        out[o] =
            energy_of(pressure[o]) * (exp(-task->air[o] * distance) * mean_air(task, distance, o) / square);
    *arrival = emitter->delay + distance / task->sound_speed;
    float left = (float)distance;
    struct ray_hit hit;
    while (ray_scene_hit(task->scene, at, direction, left, &hit)) {
        const struct ray_wall *wall = &task->wall[hit.material];
        if (!wall->is_sheet) {
            memset(out, 0, RAY_OCTAVES * sizeof *out);
            *arrival = INFINITY;
            return;
        }
        ray_wall_transmitted(wall, hit.cosine, transmitted);
        for (int o = 0; o < RAY_OCTAVES; o++)
            out[o] *= (double)transmitted[o];
        left -= hit.distance;
        for (int axis = 0; axis < 3; axis++)
            at[axis] += hit.distance * direction[axis] - task->scene->step * hit.normal[axis];
    }
}

/* Energies of all emitters at a receiver; `pressure` (emitters) is scratch. */
static void find_direct(const struct ray_task *task, const struct ray_receiver *receiver,
                        double complex (*pressure)[RAY_OCTAVES], double (*energy)[RAY_OCTAVES],
                        double *arrival)
{
    double over[RAY_OCTAVES];
    for (size_t e = 0; e < task->emitters; e++) {
        trace_direct(task, &task->emitter[e], receiver, pressure[e], energy[e], &arrival[e]);
        for (int o = 0; o < RAY_OCTAVES; o++)
            pressure[e][o] *= energy[e][o] > 0 ? sqrt(energy[e][o] / energy_of(pressure[e][o])) : 0;
    }
    ray_interference(task->emitters, (const double complex(*)[RAY_OCTAVES])pressure, arrival, over);
    for (size_t e = 0; e < task->emitters; e++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            energy[e][o] *= task->emitters > 1 ? over[o] : 1;
}

/* ---- all of them ---- */

static bool make_spheres(const struct ray_task *task, struct spheres *out)
{
    const size_t count = task->receivers;
    *out = (struct spheres){.count = count};
    out->x = malloc(4 * (count + 1) * sizeof *out->x);
    out->factor = malloc((count + 1) * sizeof *out->factor);
    out->apart = malloc(((size_t)omp_get_max_threads() * count + 1) * sizeof *out->apart);
    if (out->x == NULL || out->factor == NULL || out->apart == NULL)
        return false;
    out->y = out->x + count;
    out->z = out->y + count;
    out->square = out->z + count;
    for (size_t r = 0; r < count; r++) {
        const struct ray_receiver *receiver = &task->receiver[r];
        const double radius = receiver->radius;
        out->x[r] = (float)(receiver->position[0] - task->scene->middle[0]);
        out->y[r] = (float)(receiver->position[1] - task->scene->middle[1]);
        out->z[r] = (float)(receiver->position[2] - task->scene->middle[2]);
        out->square[r] = (float)(radius * radius);
        out->factor[r] = 3 * UNIT / (radius * radius * radius); /* 4 pi over 4 pi r^3 / 3 */
    }
    return true;
}

/* Numbers of integers. */
struct counts {
    size_t sum, mirrored, from;
};

static struct counts count_sums(const struct ray_task *task)
{
    const size_t early = task->early_bins < task->bins ? task->early_bins : task->bins;
    return (struct counts){
        .sum = (task->whole ? 1 : RAY_PARTS) * task->receivers * task->bins * RAY_OCTAVES,
        .mirrored = task->receivers * early * RAY_OCTAVES,
        .from = task->directional * task->bins * RAY_CELLS * RAY_GROUPS,
    };
}

double ray_energy_bytes(const struct ray_task *task)
{
    const struct counts counts = count_sums(task);
    return (double)(counts.sum + counts.mirrored + counts.from) * sizeof(int64_t);
}

int ray_energy_make(const struct ray_task *task, struct ray_energy *out, struct failure *failure)
{
    const size_t receivers = task->receivers, materials = task->scene->mesh->material_count;
    const struct counts counts = count_sums(task);
    *out = (struct ray_energy){.receivers = receivers,
                               .bins = task->bins,
                               .early_bins = task->early_bins < task->bins ? task->early_bins : task->bins,
                               .directional = task->directional,
                               .materials = materials,
                               .emitters = task->emitters,
                               .whole = task->whole,
                               .bin = task->bin};
    assert(task->directional <= receivers);
    out->sum = calloc(counts.sum + 1, sizeof *out->sum);
    out->mirrored = calloc(counts.mirrored + 1, sizeof *out->mirrored);
    out->from = calloc(counts.from + 1, sizeof *out->from);
    out->direct = calloc(receivers * task->emitters + 1, sizeof *out->direct);
    out->arrival = calloc(receivers * task->emitters + 1, sizeof *out->arrival);
    out->taken = calloc((materials + OTHERS) * RAY_OCTAVES, sizeof *out->taken);
    double complex(*const pressure)[RAY_OCTAVES] = malloc((task->emitters + 1) * sizeof *pressure);
    if (out->sum == NULL || out->mirrored == NULL || out->from == NULL || out->direct == NULL ||
        out->arrival == NULL || out->taken == NULL || pressure == NULL) {
        free(pressure);
        ray_energy_free(out);
        return failure_memory(failure, (size_t)ray_energy_bytes(task), "the energy of rays");
    }
    for (size_t r = 0; r < receivers; r++)
        find_direct(task, &task->receiver[r], pressure, &out->direct[r * task->emitters],
                    &out->arrival[r * task->emitters]);
    free(pressure);
    return 0;
}

void ray_energy_free(struct ray_energy *energy)
{
    free(energy->sum);
    free(energy->mirrored);
    free(energy->from);
    free(energy->direct);
    free(energy->arrival);
    free(energy->taken);
    *energy = (struct ray_energy){0};
}

void ray_energy_shrink(struct ray_energy *energy, size_t receivers)
{
    const size_t row = energy->bins * RAY_OCTAVES, stride = energy->receivers * row, kept = receivers * row;
    for (size_t p = 1; p < (energy->whole ? 1 : RAY_PARTS); p++)
        for (size_t i = 0; i < kept; i++)
            energy->sum[i] += energy->sum[p * stride + i];
    int64_t *const sum = realloc(energy->sum, (kept + 1) * sizeof *sum);
    if (sum != NULL)
        energy->sum = sum;
    free(energy->mirrored);
    free(energy->from);
    energy->mirrored = energy->from = NULL;
    energy->early_bins = energy->directional = 0;
    energy->receivers = receivers;
    energy->whole = true;
}

int ray_trace(const struct ray_task *task, uint64_t rays, struct ray_energy *energy, struct failure *failure)
{
    const uint64_t first = energy->rays;
    const size_t account = (energy->materials + OTHERS) * RAY_OCTAVES,
                 threads = (size_t)omp_get_max_threads();
    int64_t *taken = calloc(threads * account, sizeof *taken); /* each thread's own */
    struct spheres spheres;
    assert(rays <= RAYS_MAX - first);
    if (!make_spheres(task, &spheres) || taken == NULL) {
        free_spheres(&spheres);
        free(taken);
        return failure_memory(failure, task->receivers * sizeof spheres, "the receivers of rays");
    }
#pragma omp parallel for schedule(dynamic, CHUNK)
    for (uint64_t n = first; n < first + rays; n++) {
        struct ray ray;
        if (task->stop != NULL && *task->stop != 0)
            continue;
        start_ray(task, n, &ray);
        trace_one(task, &spheres, n, energy, &taken[(size_t)omp_get_thread_num() * account], &ray);
    }
    for (size_t i = 0; i < threads * account; i++)
        energy->taken[i % account] += taken[i];
    energy->rays += rays;
    free_spheres(&spheres);
    free(taken);
    return 0;
}

/* ---- results ---- */

double ray_energy_at(const struct ray_energy *energy, size_t part, size_t receiver, size_t bin, int octave)
{
    const size_t stride = energy->receivers * energy->bins * RAY_OCTAVES;
    const size_t at = (receiver * energy->bins + bin) * RAY_OCTAVES + (size_t)octave;
    int64_t sum = 0;
    if (part < RAY_PARTS)
        return (double)energy->sum[part * stride + at] * RAY_PARTS / (UNIT * (double)energy->rays);
    for (size_t p = 0; p < (energy->whole ? 1 : RAY_PARTS); p++)
        sum += energy->sum[p * stride + at];
    return (double)sum / (UNIT * (double)energy->rays);
}

/* `sum` (rows, bins, RAY_OCTAVES). */
static void correct_rows(int64_t *sum, size_t rows, size_t bins, double bin, const double decibels[],
                         const double rate[])
{
    for (size_t b = 0; b < bins; b++)
        for (size_t o = 0; o < RAY_OCTAVES; o++) {
            const double factor = pow(10, decibels[o] / 10) * exp(-rate[o] * ((double)b + 0.5) * bin);
            for (size_t r = 0; r < rows; r++) {
                int64_t *const at = &sum[(r * bins + b) * RAY_OCTAVES + o];
                *at = llrint((double)*at * factor);
            }
        }
}

void ray_energy_correct(struct ray_energy *energy, const double decibels[RAY_OCTAVES],
                        const double rate[RAY_OCTAVES])
{
    const size_t parts = energy->whole ? 1 : RAY_PARTS;
    correct_rows(energy->sum, parts * energy->receivers, energy->bins, energy->bin, decibels, rate);
    correct_rows(energy->mirrored, energy->receivers, energy->early_bins, energy->bin, decibels, rate);
}

double ray_mirrored_at(const struct ray_energy *energy, size_t receiver, size_t bin, int octave)
{
    if (bin >= energy->early_bins)
        return 0;
    const size_t at = (receiver * energy->early_bins + bin) * RAY_OCTAVES + (size_t)octave;
    return (double)energy->mirrored[at] / (UNIT * (double)energy->rays);
}

double ray_from_at(const struct ray_energy *energy, size_t receiver, size_t bin, size_t cell, int octave)
{
    const size_t at =
        ((receiver * energy->bins + bin) * RAY_CELLS + cell) * RAY_GROUPS + ray_octave_group(octave);
    return (double)energy->from[at] / (UNIT * (double)energy->rays);
}

int ray_account_make(const struct ray_energy *energy, struct ray_account *out, struct failure *failure)
{
    const int64_t *other = &energy->taken[energy->materials * RAY_OCTAVES];
    *out = (struct ray_account){.absorbed = calloc(energy->materials + 1, sizeof *out->absorbed)};
    if (out->absorbed == NULL)
        return failure_memory(failure, energy->materials * sizeof *out->absorbed, "the account of rays");
    for (int o = 0; o < RAY_OCTAVES; o++) {
        const double given = (double)other[GIVEN * RAY_OCTAVES + o];
        out->given[o] = given / (UNIT * (double)energy->rays);
        for (size_t m = 0; m < energy->materials; m++)
            out->absorbed[m][o] = (double)energy->taken[m * RAY_OCTAVES + (size_t)o] / given;
        out->air[o] = (double)other[AIR * RAY_OCTAVES + o] / given;
        out->escaped[o] = (double)other[ESCAPED * RAY_OCTAVES + o] / given;
        out->left[o] = (double)other[LEFT * RAY_OCTAVES + o] / given;
        out->gaps[o] = (double)other[GAPS * RAY_OCTAVES + o] / given;
    }
    return 0;
}
