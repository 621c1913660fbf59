/* Energy rays against decays that are known: a sphere and a cube whose walls scatter by Lambert's law. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/materials/surfaces.h"
#include "rooms/materials/wall_branches.h"
#include "rooms/shapes/room_shape.h"
#include "src/rays/ray_figures.h"
#include "src/rays/ray_space.h"
#include "tests/support/outcome.h"
#include "tests/rays/with_rays.h"

#define PI          3.14159265358979323846
#define SOUND_SPEED 343.0
#define BIN         0.002

static struct mesh mesh;
static struct ray_scene scene;
static struct ray_wall wall[8];

static void leave(void)
{
    ray_scene_free(&scene);
    mesh_free(&mesh);
}
TestSuite(rays, .fini = leave);

static void build(const char *name, const char *option, const char *value)
{
    const struct room_shape *shape = room_shape_find(name);
    double values[ROOM_PARAMETERS_MAX];
    room_defaults(shape, values);
    MUST(room_set(shape, values, option, value, &failure));
    MUST(room_build(shape, values, &mesh, &failure));
    MUST(ray_scene_make(&mesh, NULL, &scene, &failure));
    cr_assert(le(sz, mesh.material_count, sizeof wall / sizeof *wall));
}

static struct ray_task task_of(const double source[3], const struct ray_receiver *receiver, size_t receivers,
                               double seconds)
{
    static struct ray_emitter emitter[8]; /* tasks of a test have their own */
    static size_t used;
    struct ray_emitter *own = &emitter[used++ % 8];
    *own = (struct ray_emitter){.position = {source[0], source[1], source[2]}, .gain = 1};
    return (struct ray_task){.scene = &scene,
                             .wall = wall,
                             .emitters = 1,
                             .emitter = own,
                             .sound_speed = SOUND_SPEED,
                             .receivers = receivers,
                             .receiver = receiver,
                             .bin = BIN,
                             .bins = (size_t)(seconds / BIN),
                             .seed = 7};
}

static struct ray_energy traced(const struct ray_task *task, uint64_t rays)
{
    struct ray_energy energy;
    MUST(ray_energy_make(task, &energy, &failure));
    MUST(ray_trace(task, rays, &energy, &failure));
    return energy;
}

/* ---- decays ---- */

/* T by the receivers' T30, all together. */
static double measured_time(const struct ray_energy *energy)
{
    double sum = 0;
    for (size_t r = 0; r < energy->receivers; r++) {
        struct ray_figures figures;
        MUST(ray_figures_make(energy, RAY_PARTS, r, &figures, &failure));
        sum += figures.value[FIGURE_T30][4];
    }
    return sum / (double)energy->receivers;
}

/* Chords of a sphere from a point of its surface, by Lambert's law, have the density l / (2 R^2) up to 2 R,
 * and follow one another independently: energy falls as exp(-x t) where (1 - a) integral of l / (2 R^2) exp(x
 * l / c) dl = 1. */
static double sphere_time(double radius, double absorption)
{
    double low = 0, high = 1000;
    for (int i = 0; i < 100; i++) {
        const double x = (low + high) / 2, u = 2 * radius * x / SOUND_SPEED;
        const double mean = 2 * (exp(u) * (u - 1) + 1) / (u * u);
        *((1 - absorption) * mean > 1 ? &high : &low) = x;
    }
    return 6 * log(10) / low;
}

Test(rays, a_sphere_of_lambert_walls_decays_as_independent_chords)
{
    if (!rays_are_here())
        return;
    build("sphere", "radius", "5");
    for (size_t m = 0; m < mesh.material_count; m++)
        ray_wall_make_even(0.3, 1, &wall[m]);
    double low[3], high[3];
    MUST(mesh_bounds(&mesh, low, high, &failure));
    const double middle[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
    const struct ray_receiver receiver = {{middle[0] + 2, middle[1] + 1, middle[2]}, 1.5};
    const double source[3] = {middle[0] - 2, middle[1], middle[2] + 1}, exact = sphere_time(5, 0.3);
    const struct ray_task task = task_of(source, &receiver, 1, 2 * exact);
    struct ray_energy energy = traced(&task, 400000);
    cr_assert(epsilon_eq(dbl, measured_time(&energy) / exact, 1, 0.005));
    ray_energy_free(&energy);
}

/* From a source in the middle of a sphere of Lambert walls the walls are lit evenly, so that the reflected
 * sound is the same at every place and in every direction: 16 pi (1 - a) / (a S), in units of the direct
 * sound's 1/r^2. */
Test(rays, the_level_in_a_sphere_of_lambert_walls_is_that_of_a_diffuse_field)
{
    if (!rays_are_here())
        return;
    build("sphere", "radius", "5");
    for (size_t m = 0; m < mesh.material_count; m++)
        ray_wall_make_even(0.3, 1, &wall[m]);
    double low[3], high[3], area = 0, areas[8];
    MUST(mesh_bounds(&mesh, low, high, &failure));
    mesh_material_areas(&mesh, areas);
    for (size_t m = 0; m < mesh.material_count; m++)
        area += areas[m];
    const double middle[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
    const struct ray_receiver receiver = {{middle[0] + 2, middle[1] + 1, middle[2]}, 1.5};
    const struct ray_task task = task_of(middle, &receiver, 1, 2);
    struct ray_energy energy = traced(&task, 100000);
    double sum = 0;
    for (size_t b = 0; b < energy.bins; b++)
        sum += ray_energy_at(&energy, RAY_PARTS, 0, b, 4);
    cr_assert(epsilon_eq(dbl, sum * 0.3 * area / (16 * PI * (1 - 0.3)), 1, 0.01));
    ray_energy_free(&energy);
}

/* ---- Kuttruff's integral equation in a cube ---- */

struct patches {
    int side;                         /* patches along an edge */
    double size;                      /* of the cube [m] */
    double *factor, *distance, *last; /* (6 side^2, 6 side^2) twice, (2, 6 side^2) */
};

static int patch_count(const struct patches *patches)
{
    return 6 * patches->side * patches->side;
}

static void patch_place(const struct patches *patches, int patch, double u, double v, double place[3])
{
    const int side = patches->side, face = patch / (side * side), axis = face / 2;
    place[axis] = face % 2 == 0 ? 0 : patches->size;
    place[(axis + 1) % 3] = (patch / side % side + u) * patches->size / side;
    place[(axis + 2) % 3] = (patch % side + v) * patches->size / side;
}

/* The share of Lambert's law that a patch takes of a point of another face: Lambert's sum over its edges. */
static double form_factor(const struct patches *patches, const double point[3], int axis, int patch)
{
    double corner[4][3], sum = 0;
    for (int k = 0; k < 4; k++) {
        patch_place(patches, patch, k == 1 || k == 2, k > 1, corner[k]);
        double square = 0;
        for (int i = 0; i < 3; i++) {
            corner[k][i] -= point[i];
            square += corner[k][i] * corner[k][i];
        }
        for (int i = 0; i < 3; i++)
            corner[k][i] /= sqrt(square);
    }
    for (int k = 0; k < 4; k++) {
        const double *one = corner[k], *other = corner[(k + 1) % 4];
        double cross[3], dot = 0, square = 0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            cross[i] = one[j] * other[l] - one[l] * other[j];
            dot += one[i] * other[i];
            square += cross[i] * cross[i];
        }
        if (square > 0)
            sum += atan2(sqrt(square), dot) * cross[axis] / sqrt(square);
    }
    return fabs(sum) / (2 * PI);
}

static void patches_make(struct patches *patches)
{
    const int count = patch_count(patches), face = patches->side * patches->side;
    patches->factor = calloc((size_t)count * (size_t)count, sizeof(double));
    patches->distance = calloc((size_t)count * (size_t)count, sizeof(double));
    patches->last = calloc(2 * (size_t)count, sizeof(double));
    for (int i = 0; i < count; i++) {
        double one[3], other[3];
        patch_place(patches, i, 0.5, 0.5, one);
        for (int j = 0; j < count; j++) {
            patch_place(patches, j, 0.5, 0.5, other);
            patches->distance[i * count + j] =
                hypot(hypot(one[0] - other[0], one[1] - other[1]), one[2] - other[2]);
            if (i / face != j / face)
                patches->factor[i * count + j] = form_factor(patches, one, i / face / 2, j);
        }
    }
}

/* Irradiation B of the walls that falls alike everywhere, as exp(-x t), has B(i) = (1 - a) sum over j of
 * factor(i, j) exp(x r / c) B(j). By how much the sum is larger, by power iteration. */
static double irradiation_growth(const struct patches *patches, double absorption, double x)
{
    const int count = patch_count(patches);
    double *before = patches->last, *after = &patches->last[count], growth = 0;
    for (int i = 0; i < count; i++)
        before[i] = 1.0 / count;
    for (int round = 0; round < 6; round++) {
        growth = 0;
        for (int i = 0; i < count; i++) {
            after[i] = 0;
            for (int j = 0; j < count; j++)
                if (patches->factor[i * count + j] > 0)
                    after[i] += (1 - absorption) * patches->factor[i * count + j] * before[j] *
                                exp(x * patches->distance[i * count + j] / SOUND_SPEED);
            growth += after[i];
        }
        for (int i = 0; i < count; i++)
            before[i] = after[i] / growth;
    }
    return growth;
}

static double patches_time(int side, double size, double absorption)
{
    struct patches patches = {.side = side, .size = size};
    double low = 20, high = 60;
    patches_make(&patches);
    for (int i = 0; i < 20; i++) {
        const double x = (low + high) / 2;
        *(irradiation_growth(&patches, absorption, x) > 1 ? &high : &low) = x;
    }
    free(patches.factor);
    free(patches.distance);
    free(patches.last);
    return 6 * log(10) / low;
}

/* The error of patches is of second order in their size. */
static double cube_time(double size, double absorption)
{
    const double coarse = patches_time(5, size, absorption), fine = patches_time(10, size, absorption);
    return fine + (fine - coarse) / 3;
}

Test(rays, a_cube_of_lambert_walls_decays_as_kuttruffs_integral_equation_says)
{
    if (!rays_are_here())
        return;
    build("cube", "size", "6");
    for (size_t m = 0; m < mesh.material_count; m++)
        ray_wall_make_even(0.4, 1, &wall[m]);
    const struct ray_receiver receiver = {{3.5, 3, 2.7}, 1.5};
    const double source[3] = {1.5, 1.8, 3.3}, exact = cube_time(6, 0.4);
    const struct ray_task task = task_of(source, &receiver, 1, 2 * exact);
    struct ray_energy energy = traced(&task, 400000);
    cr_assert(epsilon_eq(dbl, measured_time(&energy) / exact, 1, 0.005));
    ray_energy_free(&energy);
}

/* ---- what must hold in every room ---- */

/* A cube whose walls differ, of branches, with some scattering. */
static void build_uneven_cube(double scattering)
{
    build("cube", "size", "6");
    for (size_t m = 0; m < mesh.material_count; m++) {
        const struct wall_branch branch = {.D = 1e-4 * (double)m, .E = 1.2 + 4 * (double)m, .F = 100};
        ray_wall_make(&branch, 1, scattering_of_number(scattering).octave, &wall[m]);
    }
}

static double whole_energy(const struct ray_energy *energy, size_t receiver, int octave)
{
    double sum = energy->direct[receiver][octave];
    for (size_t b = 0; b < energy->bins; b++)
        sum += ray_energy_at(energy, RAY_PARTS, receiver, b, octave);
    return sum;
}

Test(rays, source_and_receiver_can_change_places)
{
    if (!rays_are_here())
        return;
    build("cube", "size", "6");
    for (size_t m = 0; m < mesh.material_count; m++)
        ray_wall_make(&(struct wall_branch){.E = 1.1}, 1, scattering_of_number(1).octave,
                      &wall[m]); /* one reflection counts most */
    static const double one[3] = {0.9, 0.9, 0.9}, other[3] = {3, 3, 3};
    const struct ray_receiver at_other = {{other[0], other[1], other[2]}, 0.8},
                              at_one = {{one[0], one[1], one[2]}, 0.8};
    const struct ray_task there = task_of(one, &at_other, 1, 1), back = task_of(other, &at_one, 1, 1);
    struct ray_energy forth = traced(&there, 200000), home = traced(&back, 200000);
    struct ray_figures noise[2];
    MUST(ray_figures_noise(&forth, 0, &noise[0], &failure));
    MUST(ray_figures_noise(&home, 0, &noise[1], &failure));
    for (int o = 0; o < RAY_OCTAVES; o++) {
        const double step = 10 * log10(whole_energy(&forth, 0, o) / whole_energy(&home, 0, o));
        const double sure = hypot(noise[0].value[FIGURE_G][o], noise[1].value[FIGURE_G][o]);
        cr_assert(lt(dbl, fabs(step), 4 * sure), "octave %d: %g dB, noise %g dB", o, step, sure);
        cr_assert(lt(dbl, sure, 0.15));
    }
    ray_energy_free(&forth);
    ray_energy_free(&home);
}

Test(rays, all_energy_is_accounted_for)
{
    if (!rays_are_here())
        return;
    build_uneven_cube(0.3);
    static const double source[3] = {1.2, 4.5, 2};
    struct ray_task task = task_of(source, NULL, 0, 1);
    struct ray_account account;
    for (int o = 0; o < RAY_OCTAVES; o++)
        task.air[o] = 0.002 * o;
    struct ray_energy energy = traced(&task, 4000);
    MUST(ray_account_make(&energy, &account, &failure));
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double sum = account.air[o] + account.escaped[o] + account.left[o];
        for (size_t m = 0; m < mesh.material_count; m++)
            sum += account.absorbed[m][o];
        cr_assert(epsilon_eq(dbl, sum, 1, 1e-9));
        cr_assert(eq(dbl, account.escaped[o], 0), "a closed room loses no ray");
    }
    free(account.absorbed);
    ray_energy_free(&energy);
}

/* Rounding can put a ray outside at an edge. From there half the ways meet no wall in either direction. */
Test(rays, a_ray_that_turns_twice_without_a_wall_between_has_escaped)
{
    if (!rays_are_here())
        return;
    build_uneven_cube(0.3);
    enum { CELLS = 64, AIR = 16 };
    static uint64_t near[CELLS * CELLS];
    struct ray_space space = {
        .cell = 0.2F, .origin = {-6.4F, -6.4F, -6.4F}, .low = {-3, -3, -3}, .high = {3, 3, 3}, .near = near};
    double outside[3];
    for (int axis = 0; axis < 3; axis++) {
        space.cells[axis] = CELLS;
        outside[axis] = scene.middle[axis] + (axis < 2 ? 3.1 : 0);
    }
    for (int z = CELLS / 2 - AIR; z < CELLS / 2 + AIR; z++)
        for (int y = CELLS / 2 - AIR; y < CELLS / 2 + AIR; y++)
            near[z * CELLS + y] = ((UINT64_C(1) << 2 * AIR) - 1) << (CELLS / 2 - AIR);
    struct ray_task task = task_of(outside, NULL, 0, 30);
    struct ray_account account;
    task.space = &space;
    struct ray_energy energy = traced(&task, 400);
    MUST(ray_account_make(&energy, &account, &failure));
    cr_assert(account.escaped[3] > 0.2 && account.left[3] < 1e-3, "%g escaped, %g are left",
              account.escaped[3], account.left[3]);
    free(account.absorbed);
    ray_energy_free(&energy);
}

Test(rays, a_result_does_not_depend_on_threads_or_on_batches)
{
    if (!rays_are_here())
        return;
    build_uneven_cube(0.3);
    static const double source[3] = {1.2, 4.5, 2};
    const struct ray_receiver receiver = {{4, 2, 3}, 0.5};
    const struct ray_task task = task_of(source, &receiver, 1, 0.5);
    omp_set_num_threads(1);
    struct ray_energy one = traced(&task, 3000);
    omp_set_num_threads(3);
    struct ray_energy other = traced(&task, 1000);
    MUST(ray_trace(&task, 2000, &other, &failure));
    cr_assert(eq(int, memcmp(one.sum, other.sum, RAY_PARTS * one.bins * RAY_OCTAVES * sizeof *one.sum), 0));
    ray_energy_free(&one);
    ray_energy_free(&other);
}

/* The energies of two receivers in all bins and octaves add up to this, each with a weight of its own. */
static double weighed(const struct ray_energy *energy, size_t receivers)
{
    double sum = 0, weight = 1;
    for (size_t r = 0; r < receivers; r++)
        for (size_t b = 0; b < energy->bins; b++)
            for (int o = 0; o < RAY_OCTAVES; o++)
                sum += ray_energy_at(energy, RAY_PARTS, r, b, o) * (weight += 0.01);
    return sum;
}

Test(rays, parts_add_up_to_the_whole)
{
    if (!rays_are_here())
        return;
    build_uneven_cube(0.3);
    static const double source[3] = {1.2, 4.5, 2};
    const struct ray_receiver receiver[2] = {{{4, 2, 3}, 0.5}, {{2, 2, 4}, 0.5}};
    struct ray_task task = task_of(source, receiver, 2, 0.5);
    task.directional = 2;
    struct ray_energy parts = traced(&task, 3000);
    const double bytes = ray_energy_bytes(&task), both = weighed(&parts, 2), first = weighed(&parts, 1);
    task.directional = 0;
    task.whole = true;
    struct ray_energy whole = traced(&task, 3000);
    cr_assert(both > first && first > 0);
    cr_assert(eq(dbl, weighed(&whole, 2), both));
    ray_energy_shrink(&parts, 1);
    cr_assert(eq(dbl, weighed(&parts, 1), first));
    ray_energy_shrink(&whole, 1);
    cr_assert(eq(dbl, weighed(&whole, 1), first));
    /* 8 parts of 9 octaves, and 32 directions in 3 groups, against 9 octaves; 8 bytes each */
    cr_assert(eq(dbl, bytes, 2.0 * (double)parts.bins * (8 * 9 + 32 * 3) * 8));
    cr_assert(eq(dbl, ray_energy_bytes(&task), 2.0 * (double)parts.bins * 9 * 8));
    ray_energy_free(&parts);
    ray_energy_free(&whole);
}

Test(rays, the_direct_sound_is_that_of_the_free_field)
{
    if (!rays_are_here())
        return;
    build_uneven_cube(0.3);
    static const double source[3] = {1, 1, 1};
    const struct ray_receiver receiver = {{3, 4, 1}, 0.5};
    struct ray_task task = task_of(source, &receiver, 1, 0.5);
    task.air[8] = 0.1;
    struct ray_energy energy = traced(&task, 0);
    cr_assert(epsilon_eq(dbl, energy.direct[0][0], 1.0 / 13, 1e-12));
    cr_assert(epsilon_eq(dbl, energy.direct[0][8], exp(-0.1 * sqrt(13)) / 13, 1e-12));
    cr_assert(epsilon_eq(dbl, energy.arrival[0], sqrt(13) / SOUND_SPEED, 1e-12));
    ray_energy_free(&energy);
}

/* ---- laws of surfaces ---- */

Test(rays, a_wall_absorbs_in_a_diffuse_field_what_its_branches_do)
{
    static const struct wall_branch branch[2] = {{1e-3, 4, 2000}, {0, 30, 0}};
    struct ray_wall rigid;
    static const double scattering[RAY_OCTAVES] = {0, .1, .2, .3, .4, .5, .6, .7, .8};
    ray_wall_make(branch, 2, scattering, &wall[0]);
    ray_wall_make(branch, 0, scattering, &rigid);
    for (int o = 0; o < RAY_OCTAVES; o++)
        cr_assert(wall[0].scattering[o] == (float)scattering[o]);
    for (int o = 0; o < MATERIAL_OCTAVES; o++) {
        cr_assert(epsilon_eq(dbl, 1 - (double)wall[0].mean[o], surface_octave_mean(branch, 2, o), 2e-3));
        cr_assert(epsilon_eq(dbl, (double)rigid.mean[o], 1, 1e-6));
    }
}

/* A held screen of the resistance 2 rho c takes half of a sound that meets it squarely, and lets a quarter
 * pass. */
Test(rays, a_sheet_reflects_and_passes_what_its_impedance_says)
{
    const struct material_sheet held = {.flow_resistance = 800, .mass = INFINITY};
    const struct material_sheet film = {.flow_resistance = 0, .mass = 0.5, .series = true};
    float value[RAY_OCTAVES];
    ray_wall_make_sheet(&held, 400, (double[RAY_OCTAVES]){0}, &wall[0]);
    ray_wall_reflected(&wall[0], 1, value);
    cr_assert(epsilon_eq(flt, value[3], 0.25f, 1e-6f));
    ray_wall_transmitted(&wall[0], 1, value);
    cr_assert(epsilon_eq(flt, value[3], 0.25f, 1e-6f));
    ray_wall_make_sheet(&film, 400, (double[RAY_OCTAVES]){0}, &wall[1]);
    for (int a = 0; a < RAY_ANGLES; a++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            cr_assert(epsilon_eq(flt, wall[1].reflected[a][o] + wall[1].transmitted[a][o], 1, 1e-6f),
                      "a film without resistance takes nothing");
}
