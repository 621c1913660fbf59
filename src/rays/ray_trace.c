#include "src/rays/ray_trace.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define PI         3.14159265358979323846
#define UNIT       0x1p34 /* integers of an energy of 1 */
#define ENERGY_END 1e-7f  /* of the start: a ray ends where all octaves are below */
#define CHUNK      64     /* rays that a thread takes at once */
/* A share of rays of each kind where octaves differ, so that no weight is unbounded. */
#define CHANCE_LEAST 0.05f

enum { GIVEN, AIR, ESCAPED, LEFT, OTHERS };

/* ---- random numbers ---- */

/* splitmix64 (Steele, Lea and Flood 2014): a hash whose outputs for consecutive inputs are independent. */
static uint64_t mix_bits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct dice {
    uint64_t state;
};

/* 0 <= value < 1 */
static float throw_die(struct dice *dice)
{
    dice->state = mix_bits(dice->state);
    return (float)(dice->state >> 40) * 0x1p-24f;
}

/* Directions by the additive sequence of the plastic number (Roberts 2018), shifted by the seed. */
static void start_direction(uint64_t seed, uint64_t ray, float out[3])
{
    static const uint64_t step[2] = {13925015375153453056u, 10511510236396929024u}; /* 2^64 / g, / g^2 */
    const uint64_t u = mix_bits(seed) + step[0] * ray, v = mix_bits(seed + 1) + step[1] * ray;
    const double z = 1 - 2 * ((double)(u >> 11) + 0.5) * 0x1p-53,
                 angle = 2 * PI * (double)(v >> 11) * 0x1p-53;
    const double ring = sqrt(1 - z * z);
    out[0] = (float)(ring * cos(angle));
    out[1] = (float)(ring * sin(angle));
    out[2] = (float)z;
}

/* By the cosine about `normal`. Returns that cosine. */
static float scattered_direction(const float normal[3], struct dice *dice, float out[3])
{
    const float square = throw_die(dice), angle = 2 * (float)PI * throw_die(dice);
    const float ring = sqrtf(square), cosine = sqrtf(1 - square);
    /* Two unit vectors across it (Duff and others 2017). */
    const float sign = copysignf(1, normal[2]), a = -1 / (sign + normal[2]), b = normal[0] * normal[1] * a;
    const float first[3] = {1 + sign * normal[0] * normal[0] * a, sign * b, -sign * normal[0]};
    const float second[3] = {b, sign + normal[1] * normal[1] * a, -normal[1]};
    for (int axis = 0; axis < 3; axis++)
        out[axis] = ring * (cosf(angle) * first[axis] + sinf(angle) * second[axis]) + cosine * normal[axis];
    return cosine;
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
    bool direct;     /* nothing has turned it */
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

static void add_chord(const struct ray_task *task, const struct spheres *spheres, const struct ray *ray,
                      size_t r, float apart, float length, int64_t *sum)
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
    int64_t *const out = &sum[(r * task->bins + (size_t)bin) * RAY_OCTAVES];
    const double weight = spheres->factor[r] * (double)(to - from);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        const int64_t units = llrint(weight * (double)ray->energy[o] * exp(-task->air[o] * middle));
#pragma omp atomic
        out[o] += units;
    }
}

static void detect(const struct ray_task *task, const struct spheres *spheres, const struct ray *ray,
                   float length, int64_t *sum)
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
            add_chord(task, spheres, ray, r, apart[r], length, sum);
}

/* ---- surfaces ---- */

static float mean_of(const float value[RAY_OCTAVES])
{
    float sum = 0;
    for (int o = 0; o < RAY_OCTAVES; o++)
        sum += value[o];
    return sum / RAY_OCTAVES;
}

/* The probability of a branch that has `share` of the energy of both in each octave. */
static float branch_chance(const float share[RAY_OCTAVES])
{
    float least = 1, most = 0;
    for (int o = 0; o < RAY_OCTAVES; o++) {
        least = fminf(least, share[o]);
        most = fmaxf(most, share[o]);
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
                    const float reflected[RAY_OCTAVES], struct dice *dice, struct ray *ray)
{
    const float chance = branch_chance(wall->scattering);
    const bool scattered = throw_die(dice) < chance;
    take_branch(ray->energy, wall->scattering, scattered, chance);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] *= reflected[o];
    ray->direct = false;
    if (!scattered) {
        mirror(hit, ray->direction);
        return;
    }
    float out[RAY_OCTAVES];
    ray_wall_reflected(wall, scattered_direction(hit->normal, dice, ray->direction), out);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] *= wall->mean[o] > 0 ? out[o] / wall->mean[o] : 0;
}

/* Absorbed is what does not leave: exact for each ray, right in the mean for each surface, since weights of
 * branches are random. */
static void meet_surface(const struct ray_task *task, const struct ray_hit *hit, struct dice *dice,
                         int64_t *taken, struct ray *ray)
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
    const bool through = chance > 0 && throw_die(dice) < chance;
    if (through) {
        for (int o = 0; o < RAY_OCTAVES; o++)
            ray->energy[o] *= transmitted[o] / chance;
        side = -1;
    } else {
        for (int o = 0; o < RAY_OCTAVES; o++)
            reflected[o] /= 1 - chance;
        reflect(wall, hit, reflected, dice, ray);
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

static void pass_air(const struct ray_task *task, float length, int64_t *air, struct ray *ray)
{
    float before[RAY_OCTAVES];
    memcpy(before, ray->energy, sizeof before);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] *= expf((float)-task->air[o] * length);
    add_loss(air, before, ray->energy);
}

static void trace_one(const struct ray_task *task, const struct spheres *spheres, uint64_t number,
                      int64_t *sum, int64_t *taken, struct ray *ray)
{
    int64_t *const other = &taken[task->scene->mesh->material_count * RAY_OCTAVES];
    struct dice dice = {mix_bits(task->seed ^ mix_bits(number))};
    const float far = (float)(task->sound_speed * task->bin * (double)task->bins);
    add_octaves(&other[GIVEN * RAY_OCTAVES], ray->energy);
    while (is_alive(ray)) {
        struct ray_hit hit;
        const bool met = ray_scene_hit(task->scene, ray->at, ray->direction, INFINITY, &hit);
        const float length = met ? fminf(hit.distance, far - ray->travelled) : far - ray->travelled;
        if (!ray->direct)
            detect(task, spheres, ray, length, sum);
        if (!met) {
            add_octaves(&other[ESCAPED * RAY_OCTAVES], ray->energy);
            return;
        }
        pass_air(task, length, &other[AIR * RAY_OCTAVES], ray);
        ray->travelled += length;
        if (!(ray->travelled < far))
            break;
        for (int axis = 0; axis < 3; axis++)
            ray->at[axis] += length * ray->direction[axis];
        meet_surface(task, &hit, &dice, taken, ray);
    }
    add_octaves(&other[LEFT * RAY_OCTAVES], ray->energy);
}

/* ---- the source ---- */

static void source_energy(const struct ray_task *task, const double direction[3], double out[RAY_OCTAVES])
{
    double value[HARMONICS];
    if (task->harmonic != NULL)
        solid_harmonics(direction, value);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double complex sum = 1;
        if (task->harmonic != NULL) {
            sum = 0;
            for (int i = 0; i < HARMONICS; i++)
                sum += task->harmonic[o][i] * value[i];
        }
        out[o] = creal(sum) * creal(sum) + cimag(sum) * cimag(sum);
    }
}

static void start_ray(const struct ray_task *task, uint64_t number, struct ray *ray)
{
    double direction[3], energy[RAY_OCTAVES];
    start_direction(task->seed, number, ray->direction);
    for (int axis = 0; axis < 3; axis++) {
        ray->at[axis] = (float)(task->source[axis] - task->scene->middle[axis]);
        direction[axis] = (double)ray->direction[axis];
    }
    source_energy(task, direction, energy);
    for (int o = 0; o < RAY_OCTAVES; o++)
        ray->energy[o] = ray->start[o] = (float)energy[o];
    ray->travelled = 0;
    ray->direct = true;
}

/* Direct sound at one receiver: through sheets, stopped by walls. */
static void trace_direct(const struct ray_task *task, const struct ray_receiver *receiver,
                         double out[RAY_OCTAVES], double *arrival)
{
    double way[3], square = 0;
    float at[3], direction[3], transmitted[RAY_OCTAVES];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = receiver->position[axis] - task->source[axis];
        square += way[axis] * way[axis];
    }
    const double distance = sqrt(square);
    for (int axis = 0; axis < 3; axis++) {
        way[axis] /= distance;
        direction[axis] = (float)way[axis];
        at[axis] = (float)(task->source[axis] - task->scene->middle[axis]);
    }
    source_energy(task, way, out);
    for (int o = 0; o < RAY_OCTAVES; o++)
        out[o] *= exp(-task->air[o] * distance) / square;
    *arrival = distance / task->sound_speed;
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

int ray_energy_make(const struct ray_task *task, struct ray_energy *out, struct failure *failure)
{
    const size_t receivers = task->receivers, materials = task->scene->mesh->material_count;
    const size_t cells = RAY_PARTS * receivers * task->bins * RAY_OCTAVES;
    *out = (struct ray_energy){
        .receivers = receivers, .bins = task->bins, .materials = materials, .bin = task->bin};
    out->sum = calloc(cells + 1, sizeof *out->sum);
    out->direct = calloc(receivers + 1, sizeof *out->direct);
    out->arrival = calloc(receivers + 1, sizeof *out->arrival);
    out->taken = calloc((materials + OTHERS) * RAY_OCTAVES, sizeof *out->taken);
    if (out->sum == NULL || out->direct == NULL || out->arrival == NULL || out->taken == NULL) {
        ray_energy_free(out);
        return failure_memory(failure, cells * sizeof *out->sum, "the energy of rays");
    }
    for (size_t r = 0; r < receivers; r++)
        trace_direct(task, &task->receiver[r], out->direct[r], &out->arrival[r]);
    return 0;
}

void ray_energy_free(struct ray_energy *energy)
{
    free(energy->sum);
    free(energy->direct);
    free(energy->arrival);
    free(energy->taken);
    *energy = (struct ray_energy){0};
}

int ray_trace(const struct ray_task *task, uint64_t rays, struct ray_energy *energy, struct failure *failure)
{
    const uint64_t first = energy->rays;
    const size_t part = energy->receivers * energy->bins * RAY_OCTAVES;
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
        trace_one(task, &spheres, n, &energy->sum[n % RAY_PARTS * part],
                  &taken[(size_t)omp_get_thread_num() * account], &ray);
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
    for (size_t p = 0; p < RAY_PARTS; p++)
        sum += energy->sum[p * stride + at];
    return (double)sum / (UNIT * (double)energy->rays);
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
    }
    return 0;
}
