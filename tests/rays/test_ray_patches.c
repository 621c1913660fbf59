/** A facet that is small beside the Fresnel zone reflects less, and the rest is not lost. */
#include <complex.h>
#include <math.h>

#include "src/rays/ray_pressure.h"
#include "tests/rays/with_rays.h"
#include "tests/support/outcome.h"

#define PI    3.14159265358979323846
#define SPEED 343.0
#define WIDE  0.8 /* of the panel, along x [m] */
#define LONG  0.5

static struct mesh mesh;
static struct ray_scene scene;
static struct ray_planes planes;
static struct ray_patches patches;
static struct ray_images images;

static void leave_room(void)
{
    ray_images_free(&images);
    ray_patches_free(&patches);
    ray_planes_free(&planes);
    ray_scene_free(&scene);
    mesh_free(&mesh);
}

TestSuite(ray_patches, .fini = leave_room);

static void add_rectangle(double low_x, double low_y, double high_x, double high_y)
{
    const double corner[4][3] = {{low_x, low_y}, {high_x, low_y}, {high_x, high_y}, {low_x, high_y}};
    uint32_t at[4];
    uint16_t material;
    MUST(mesh_add_material(&mesh, "wall", &material, &failure));
    for (int k = 0; k < 4; k++)
        MUST(mesh_add_vertex(&mesh, corner[k], &at[k], &failure));
    MUST(mesh_add_triangle(&mesh, (const uint32_t[3]){at[0], at[1], at[2]}, material, &failure));
    MUST(mesh_add_triangle(&mesh, (const uint32_t[3]){at[0], at[2], at[3]}, material, &failure));
}

/* A panel about the origin, of parts that meet between their corners; others beside it in the same plane. The
 * source is at x above it, the receiver at -x. */
static void find_reflection(double x, double source, double receiver)
{
    static struct ray_emitter emitter;
    static struct ray_receiver place;
    static struct ray_wall wall;
    static const double none[RAY_OCTAVES];
    add_rectangle(-WIDE / 2, -LONG / 2, 0.1, LONG / 2);
    add_rectangle(0.1, -LONG / 2, WIDE / 2, -0.1);
    add_rectangle(0.1, -0.1, WIDE / 2, LONG / 2);
    add_rectangle(3, -2, 5, 2);
    add_rectangle(-5, -2, -3, 2);
    MUST(ray_scene_make(&mesh, NULL, &scene, &failure));
    MUST(ray_planes_make(&scene, &planes, &failure));
    MUST(ray_patches_make(&scene, &planes, &patches, &failure));
    ray_wall_make(NULL, 0, none, &wall);
    emitter = (struct ray_emitter){.position = {x * source / receiver, 0, source}, .gain = 1};
    place = (struct ray_receiver){.position = {-x, 0, receiver}, .radius = 0.3};
    const struct ray_task room = {.scene = &scene,
                                  .wall = &wall,
                                  .emitters = 1,
                                  .emitter = &emitter,
                                  .sound_speed = SPEED,
                                  .receivers = 1,
                                  .receiver = &place,
                                  .seed = 7};
    const struct ray_image_task task = {.room = &room,
                                        .planes = &planes,
                                        .patches = &patches,
                                        .window = 0.05,
                                        .rays = 20000,
                                        .most = RAY_SEQUENCES_LEAST};
    MUST(ray_images_make(&task, &images, &failure));
    cr_assert(eq(sz, images.first[1], 2), "direct sound and one reflection");
}

Test(ray_patches, parts_that_touch_are_one_panel_of_known_limits)
{
    if (!rays_are_here())
        return;
    find_reflection(1.5, 2, 3);
    const double cosine = 3 / hypot(1.5, 3), a = hypot(1, 2), b = hypot(1.5, 3), star = 2 * a * b / (a + b);
    const double *limit = images.surface[images.path[1].first].limit;
    cr_assert(test_near(limit[0] / (SPEED * star / (2 * pow(WIDE * cosine, 2))), 1, 1e-6));
    cr_assert(test_near(limit[1] / (SPEED * star / (2 * LONG * LONG)), 1, 1e-6));
}

/* Kirchhoff's integral over the panel at nearly normal incidence, over the image's pressure. */
static double exact_energy(double f, double source, double receiver)
{
    enum { N = 400 };
    const double k = 2 * PI * f / SPEED;
    double complex sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double x = WIDE * ((i + 0.5) / N - 0.5), y = LONG * ((j + 0.5) / N - 0.5);
            const double one = hypot(hypot(x, y), source), other = hypot(hypot(x, y), receiver);
            sum += (source / one + receiver / other) / 2 * cexp(-I * k * (one + other)) / (one * other);
        }
    const double over = cabs(sum) * k / (2 * PI) * WIDE * LONG / (N * N) * (source + receiver);
    return over * over;
}

Test(ray_patches, a_panel_reflects_as_the_integral_of_kirchhoff_below_its_limits_and_in_the_mean_above)
{
    if (!rays_are_here())
        return;
    find_reflection(0.02, 2, 3);
    enum { LINES = 60 };
    double frequency[LINES];
    double complex pressure[LINES];
    const struct ray_law law = {0};
    const double none[RAY_OCTAVES] = {0};
    struct ray_wall wall;
    struct ray_pressure of;
    ray_wall_make(NULL, 0, none, &wall);
    for (int i = 0; i < LINES; i++)
        frequency[i] = 60 * pow(2, i / 8.0); /* the limits are 643 and 1646 Hz */
    MUST(ray_pressure_make(&law, &wall, 1, SPEED, NULL, frequency, LINES, &of, &failure));
    ray_path_pressure(&of, &images, &images.path[1], pressure);
    ray_pressure_free(&of);
    double above = 0, kept = 0;
    for (int i = 0; i < LINES; i++) {
        const double exact = exact_energy(frequency[i], 2, 3), length = images.path[1].length;
        const double energy = pow(cabs(pressure[i]) * length, 2);
        if (frequency[i] < 300)
            cr_assert(test_near(10 * log10(energy / exact), 0, 0.5), "%g Hz: %g, exactly %g", frequency[i],
                      energy, exact);
        if (frequency[i] > 1700) {
            above += exact;
            kept += energy;
        }
    }
    cr_assert(test_near(10 * log10(kept / above), 0, 2.5), "%g; it overshoots at the middle", kept / above);
}

Test(ray_patches, what_a_panel_does_not_carry_is_left_to_rays)
{
    if (!rays_are_here())
        return;
    enum { BINS = 20 };
    double carried[BINS][RAY_OCTAVES] = {{0}}, whole[BINS][RAY_OCTAVES] = {{0}};
    const double none[RAY_OCTAVES] = {0};
    struct ray_wall wall;
    find_reflection(0.02, 2, 3);
    ray_wall_make(NULL, 0, none, &wall);
    const struct ray_early early = {.bin = 0.002,
                                    .bins = BINS,
                                    .radius = 0.3,
                                    .gain = 1,
                                    .sound_speed = SPEED,
                                    .carried = carried[0],
                                    .whole = whole[0]};
    ray_early_add(&images, 0, &wall, none, &early);
    const double star = 2.4, length = images.path[1].length;
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double sum = 0, of = 0;
        for (int b = 0; b < BINS; b++) {
            sum += carried[b][o];
            of += whole[b][o];
        }
        const double f = ray_octave_centre(o);
        const double share =
            fmin(1, f * 2 * WIDE * WIDE / (SPEED * star)) * fmin(1, f * 2 * LONG * LONG / (SPEED * star));
        cr_assert(test_near(of * length * length, 1, 1e-5), "all of a plane's");
        cr_assert(test_near(sum / of, share, 1e-3), "octave %d", o);
    }
}
