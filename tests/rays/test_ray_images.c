/* Image sources against the lattice of images of a box, and against what rays detect. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "src/rays/ray_pressure.h"
#include "tests/support/outcome.h"
#include "tests/rays/with_rays.h"

#define PI          3.14159265358979323846
#define SOUND_SPEED 343.0
#define RAYS        20000

static struct mesh mesh;
static struct ray_scene scene;
static struct ray_planes planes;
static struct ray_images images;
static struct ray_wall wall[16];
static struct ray_law law[16];

static void leave(void)
{
    ray_images_free(&images);
    ray_planes_free(&planes);
    ray_scene_free(&scene);
    mesh_free(&mesh);
}
TestSuite(ray_images, .fini = leave);

/* ---- rooms ---- */

/* A rectangle by its corner and two edges, of a material of its own. */
static void add_rectangle(const double corner[3], const double one[3], const double other[3],
                          const char *name)
{
    uint32_t at[4];
    uint16_t material;
    MUST(mesh_add_material(&mesh, name, &material, &failure));
    for (int k = 0; k < 4; k++) {
        double place[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = corner[axis] + (k == 1 || k == 2 ? one[axis] : 0) + (k >= 2 ? other[axis] : 0);
        MUST(mesh_add_vertex(&mesh, place, &at[k], &failure));
    }
    MUST(mesh_add_triangle(&mesh, (uint32_t[3]){at[0], at[1], at[2]}, material, &failure));
    MUST(mesh_add_triangle(&mesh, (uint32_t[3]){at[0], at[2], at[3]}, material, &failure));
}

/* Faces 0 and size of each axis: materials 2 axis and 2 axis + 1. */
static void add_box(const double size[3])
{
    static const char *const name[6] = {"west", "east", "south", "north", "floor", "ceiling"};
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, one = (axis + 1) % 3, other = (axis + 2) % 3;
        double corner[3] = {0}, edge[2][3] = {{0}};
        corner[axis] = face % 2 == 0 ? 0 : size[axis];
        edge[0][one] = size[one];
        edge[1][other] = size[other];
        add_rectangle(corner, edge[0], edge[1], name[face]);
    }
}

static void finish_room(void)
{
    MUST(ray_scene_make(&mesh, NULL, &scene, &failure));
    MUST(ray_planes_make(&scene, &planes, &failure));
}

/* Walls that differ; rigid ones if not `absorbing`. */
static void set_walls(bool absorbing, double scattering)
{
    static struct wall_branch branch[16];
    for (size_t m = 0; m < mesh.material_count; m++) {
        branch[m] = (struct wall_branch){.D = 2e-4, .E = 2 + (double)m, .F = 300};
        law[m] = (struct ray_law){.branch = &branch[m], .count = absorbing ? 1 : 0};
        ray_wall_make(law[m].branch, law[m].count, scattering_of_number(scattering).octave, &wall[m]);
    }
}

static struct ray_task task_of(const double source[3], const struct ray_receiver *receiver)
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
                             .receivers = 1,
                             .receiver = receiver,
                             .seed = 7};
}

static void find_images(const struct ray_task *room, double window, size_t most)
{
    const struct ray_image_task task = {
        .room = room, .planes = &planes, .window = window, .rays = RAYS, .most = most};
    MUST(ray_images_make(&task, &images, &failure));
}

static size_t path_count(void)
{
    return images.first[1];
}

static int reflections_of(const struct ray_path *path)
{
    int count = 0;
    for (uint32_t s = 0; s < path->surfaces; s++)
        count += !images.surface[path->first + s].transmitted;
    return count;
}

/* ---- the lattice of a box ---- */

struct lattice_image {
    double position[3];
    int hits[6]; /* of each face */
    bool odd[3];
};

static struct lattice_image lattice_image(const double size[3], const double source[3], const int number[3])
{
    struct lattice_image image;
    for (int axis = 0; axis < 3; axis++) {
        const int q = number[axis], size_of = abs(q);
        image.odd[axis] = size_of % 2 == 1;
        image.position[axis] = q * size[axis] + (image.odd[axis] ? size[axis] - source[axis] : source[axis]);
        image.hits[2 * axis] = q < 0 ? (size_of + 1) / 2 : size_of / 2;
        image.hits[2 * axis + 1] = size_of - image.hits[2 * axis];
    }
    return image;
}

/* The path whose image is there. */
static const struct ray_path *find_path(const double receiver[3], const double position[3])
{
    const struct ray_path *found = NULL;
    for (size_t p = 0; p < path_count(); p++) {
        const struct ray_path *path = &images.path[p];
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double apart = receiver[axis] + path->length * path->arrival[axis] - position[axis];
            square += apart * apart;
        }
        if (square < 1e-18) {
            cr_assert(found == NULL, "one image, two paths");
            found = path;
        }
    }
    return found;
}

/* R by branches, as the header of ray_wall.h writes it. */
static double complex reflection(size_t material, double m, double frequency)
{
    const double omega = 2 * PI * frequency;
    const double complex y =
        law[material].count > 0 ? 1 / (2 + (double)material + I * (2e-4 * omega - 300 / omega)) : 0;
    return (m - y) / (m + y);
}

static void check_lattice_path(const double size[3], const double source[3], const double receiver[3],
                               const int number[3], double scattering)
{
    const struct lattice_image image = lattice_image(size, source, number);
    const struct ray_path *path = find_path(receiver, image.position);
    cr_assert(path != NULL, "no image %d %d %d", number[0], number[1], number[2]);
    const int order = abs(number[0]) + abs(number[1]) + abs(number[2]);
    cr_assert(eq(int, reflections_of(path), order));
    static const double frequency[2] = {250, 4000};
    double complex p[2];
    struct ray_pressure pressure;
    MUST(ray_pressure_make(law, wall, mesh.material_count, SOUND_SPEED, NULL, frequency, 2, &pressure,
                           &failure));
    ray_path_pressure(&pressure, &images, path, p);
    double way[3], length = 0;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = image.position[axis] - receiver[axis];
        length += way[axis] * way[axis];
    }
    length = sqrt(length);
    for (int f = 0; f < 2; f++) {
        double complex exact = cexp(-I * 2 * PI * frequency[f] * length / SOUND_SPEED) / length;
        for (size_t face = 0; face < 6; face++)
            for (int i = 0; i < image.hits[face]; i++)
                exact *= reflection(face, fabs(way[face / 2]) / length, frequency[f]) * sqrt(1 - scattering);
        cr_assert(lt(dbl, cabs(p[f] - exact), 1e-6 * cabs(exact)));
    }
    double energy[RAY_OCTAVES];
    ray_path_energy(&images, path, wall, (double[RAY_OCTAVES]){0}, energy);
    if (law[0].count == 0)
        cr_assert(epsilon_eq(dbl, energy[4] * length * length, pow(1 - scattering, order), 1e-6));
    for (int axis = 0; axis < 3; axis++) {
        const double there = way[axis] / length;
        cr_assert(epsilon_eq(dbl, path->arrival[axis], there, 1e-9));
        cr_assert(epsilon_eq(dbl, path->departure[axis], image.odd[axis] ? there : -there, 1e-9));
    }
    ray_pressure_free(&pressure);
}

/* All images up to an order, and none besides. */
static void check_lattice(const double size[3], const double source[3], const double receiver[3], int order,
                          double scattering)
{
    int expected = 0, found = 0;
    for (int x = -order; x <= order; x++)
        for (int y = -order; y <= order; y++)
            for (int z = -order; z <= order; z++)
                if (abs(x) + abs(y) + abs(z) <= order) {
                    check_lattice_path(size, source, receiver, (int[3]){x, y, z}, scattering);
                    expected++;
                }
    for (size_t p = 0; p < path_count(); p++)
        found += reflections_of(&images.path[p]) <= order;
    cr_assert(eq(int, found, expected));
}

Test(ray_images, a_box_has_the_images_of_its_lattice)
{
    static const double size[3] = {4, 3, 2.5}, source[3] = {1.1, 0.7, 1.2};
    const struct ray_receiver receiver = {.position = {2.9, 2.2, 1.7}};
    if (!rays_are_here())
        return;
    add_box(size);
    finish_room();
    for (int absorbing = 0; absorbing < 2; absorbing++) {
        set_walls(absorbing != 0, 0.2);
        const struct ray_task room = task_of(source, &receiver);
        find_images(&room, 0.04, RAY_SEQUENCES);
        cr_assert(epsilon_eq(dbl, images.window, 0.04, 1e-12));
        check_lattice(size, source, receiver.position, 3, 0.2);
        ray_images_free(&images);
    }
}

/* On diagonals paths meet edges and corners, where planes change places. */
Test(ray_images, an_image_through_an_edge_counts_once)
{
    static const double size[3] = {3, 3, 3}, source[3] = {1, 1, 1};
    const struct ray_receiver receiver = {.position = {2, 2, 2}};
    if (!rays_are_here())
        return;
    add_box(size);
    finish_room();
    set_walls(true, 0);
    const struct ray_task room = task_of(source, &receiver);
    find_images(&room, 0.04, RAY_SEQUENCES);
    check_lattice(size, source, receiver.position, 3, 0);
}

/* A plate across the way, and what it lets pass as a held screen of 2 rho c. */
static void build_divided_box(bool is_sheet)
{
    static const double size[3] = {4, 3, 2.5}, corner[3] = {2, 0.5, 0.5}, up[3] = {0, 0, 1.5},
                        along[3] = {0, 2, 0};
    static const struct material_sheet held = {.flow_resistance = 800, .mass = INFINITY};
    const bool sheet[7] = {[6] = is_sheet};
    add_box(size);
    add_rectangle(corner, along, up, "screen");
    MUST(mesh_set_sheets(&mesh, sheet, &failure));
    finish_room();
    set_walls(true, 0);
    if (is_sheet) {
        law[6] = (struct ray_law){.sheet = &held, .rho_c = 400};
        ray_wall_make_sheet(&held, 400, (double[RAY_OCTAVES]){0}, &wall[6]);
    }
}

static const double screen_source[3] = {1, 1.5, 1.2};
static const struct ray_receiver screen_receiver = {.position = {3.2, 1.7, 1.4}};

Test(ray_images, a_plate_stops_sound)
{
    if (!rays_are_here())
        return;
    build_divided_box(false);
    const struct ray_task room = task_of(screen_source, &screen_receiver);
    find_images(&room, 0.01, RAY_SEQUENCES);
    cr_assert(gt(dbl, images.path[0].length, 2.5), "the direct sound passed");
    int plate = 0;
    for (size_t p = 0; p < path_count(); p++)
        for (uint32_t s = 0; s < images.path[p].surfaces; s++)
            plate += images.surface[images.path[p].first + s].material == 6;
    cr_assert(gt(int, plate, 0));
}

Test(ray_images, a_sheet_lets_pass_its_share_and_mirrors_the_rest)
{
    if (!rays_are_here())
        return;
    build_divided_box(true);
    const struct ray_receiver here = {.position = {1.3, 1.7, 1.4}};
    const double frequency = 1000;
    double complex p;
    struct ray_pressure pressure;
    MUST(ray_pressure_make(law, wall, mesh.material_count, SOUND_SPEED, NULL, &frequency, 1, &pressure,
                           &failure));
    const struct ray_task through = task_of(screen_source, &screen_receiver),
                          back = task_of(screen_source, &here);
    find_images(&through, 0.01, RAY_SEQUENCES);
    const double length = sqrt(2.2 * 2.2 + 0.2 * 0.2 + 0.2 * 0.2);
    cr_assert(epsilon_eq(dbl, images.path[0].length, length, 1e-9));
    ray_path_pressure(&pressure, &images, &images.path[0], &p);
    cr_assert(epsilon_eq(dbl, cabs(p), 2 / (2 + 2 * 2.2 / length) / length, 1e-6 / length));
    ray_images_free(&images);
    find_images(&back, 0.01, RAY_SEQUENCES);
    const double image[3] = {3, 1.5, 1.2}, mirrored = sqrt(1.7 * 1.7 + 0.2 * 0.2 + 0.2 * 0.2);
    const struct ray_path *path = find_path(here.position, image);
    cr_assert(path != NULL);
    ray_path_pressure(&pressure, &images, path, &p);
    const double zeta = 2 * 1.7 / mirrored;
    cr_assert(epsilon_eq(dbl, cabs(p), zeta / (2 + zeta) / mirrored, 1e-6 / mirrored));
    ray_pressure_free(&pressure);
}

/* A box of 4 x 4 x 3 m without its quarter beyond 2 m. */
static void build_corner_room(void)
{
    static const double plan[6][2] = {{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}};
    static const char *const name[6] = {"south", "east", "step", "inner", "north", "west"};
    for (int i = 0; i < 6; i++) {
        const double *from = plan[i], *to = plan[(i + 1) % 6];
        add_rectangle((double[3]){from[0], from[1], 0}, (double[3]){to[0] - from[0], to[1] - from[1], 0},
                      (double[3]){0, 0, 3}, name[i]);
    }
    for (int level = 0; level < 2; level++) {
        const double z = 3 * level;
        add_rectangle((double[3]){0, 0, z}, (double[3]){4, 0, 0}, (double[3]){0, 2, 0},
                      level ? "top" : "base");
        add_rectangle((double[3]){0, 2, z}, (double[3]){2, 0, 0}, (double[3]){0, 2, 0},
                      level ? "top" : "base");
    }
    finish_room();
    set_walls(true, 0);
}

static const double corner_source[3] = {1, 3.5, 1.5};
static const struct ray_receiver corner_receiver = {.position = {3.5, 1, 1.2}, .radius = 0.1};

/* Of direct sound and first images only those of the south and west walls are seen around the corner. */
Test(ray_images, images_out_of_sight_are_refused)
{
    if (!rays_are_here())
        return;
    build_corner_room();
    cr_assert(eq(sz, planes.count, 8));
    const struct ray_task room = task_of(corner_source, &corner_receiver);
    find_images(&room, 0.02, RAY_SEQUENCES);
    int seen = 0;
    for (size_t p = 0; p < path_count() && images.path[p].surfaces <= 1; p++, seen++)
        cr_assert(epsilon_eq(dbl, images.path[p].length, sqrt(4.5 * 4.5 + 2.5 * 2.5 + 0.3 * 0.3), 1e-9));
    cr_assert(eq(int, seen, 2));
}

/* In a room without scattering all energy is that of images. */
Test(ray_images, images_carry_the_energy_that_rays_detect)
{
    if (!rays_are_here())
        return;
    build_corner_room();
    struct ray_task room = task_of(corner_source, &corner_receiver);
    struct ray_energy energy;
    double of_images[RAY_OCTAVES] = {0};
    room.bin = 0.001;
    room.bins = 40;
    for (int o = 0; o < RAY_OCTAVES; o++)
        room.air[o] = 0.01 * o;
    MUST(ray_energy_make(&room, &energy, &failure));
    MUST(ray_trace(&room, 200000, &energy, &failure));
    find_images(&room, 0.03, RAY_SEQUENCES);
    for (size_t p = 0; p < path_count(); p++) {
        double one[RAY_OCTAVES];
        if (images.path[p].length >= SOUND_SPEED * 0.035)
            continue;
        ray_path_energy(&images, &images.path[p], wall, room.air, one);
        for (int o = 0; o < RAY_OCTAVES; o++)
            of_images[o] += one[o];
    }
    for (int o = 0; o < RAY_OCTAVES; o++) {
        double of_rays = 0;
        for (size_t b = 0; b < 35; b++)
            of_rays += ray_energy_at(&energy, RAY_PARTS, 0, b, o);
        cr_assert(epsilon_eq(dbl, of_images[o] / of_rays, 1, 0.02), "octave %d: %g", o,
                  of_images[o] / of_rays);
    }
    ray_energy_free(&energy);
}

/* ---- sums ---- */

static void weigh_arrival(const void *context, const double arrival[3], double *weight)
{
    (void)context;
    memcpy(weight, arrival, 3 * sizeof *weight);
}

static void weigh_departure(const void *context, const double departure[3], double complex *weight)
{
    for (int f = 0; f < 2; f++)
        weight[f] = (1 + departure[0] + I * f) * *(const double *)context;
}

/* In rigid walls whose scattering rises by .1 an octave, at an octave and halfway to the next. */
Test(ray_images, a_sum_weighs_each_path_by_its_directions)
{
    static const double size[3] = {4, 3, 2.5}, source[3] = {1.1, 0.7, 1.2};
    const double frequency[2] = {ray_octave_centre(3), sqrt(ray_octave_centre(3) * ray_octave_centre(4))};
    const struct ray_receiver receiver = {.position = {2.9, 2.2, 1.7}};
    const double factor = 3;
    const struct ray_weights weights = {
        .context = &factor, .channels = 3, .receive = weigh_arrival, .send = weigh_departure};
    struct air_losses air;
    struct ray_pressure pressure;
    double complex sum[3][2], exact[3][2] = {{0}};
    if (!rays_are_here())
        return;
    add_box(size);
    finish_room();
    set_walls(false, 0);
    for (int m = 0; m < 6; m++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            wall[m].scattering[o] = 0.1f * (float)o;
    air_losses_make(&(struct air){.temperature = 20, .humidity = 50, .pressure = 101.325}, &air);
    const struct ray_task room = task_of(source, &receiver);
    find_images(&room, 0.005, RAY_SEQUENCES);
    cr_assert(gt(sz, path_count(), 4));
    MUST(ray_pressure_make(law, wall, 6, SOUND_SPEED, &air, frequency, 2, &pressure, &failure));
    MUST(ray_pressure_sum(&pressure, &images, 0, &weights, &sum[0][0], &failure));
    for (size_t p = 0; p < path_count(); p++)
        for (int f = 0; f < 2; f++)
            for (int c = 0; c < 3; c++) {
                const struct ray_path *path = &images.path[p];
                const double kept = pow(1 - 0.3 - 0.05 * f, 0.5 * path->surfaces);
                exact[c][f] +=
                    path->arrival[c] * factor * (1 + path->departure[0] + I * f) * kept / path->length *
                    cexp(-path->length *
                         (air_losses_nepers(&air, frequency[f]) + I * 2 * PI * frequency[f] / SOUND_SPEED));
            }
    for (int f = 0; f < 2; f++)
        for (int c = 0; c < 3; c++)
            cr_assert(lt(dbl, cabs(sum[c][f] - exact[c][f]), 1e-7));
    ray_pressure_free(&pressure);
}

/* ---- limits ---- */

Test(ray_images, images_do_not_depend_on_threads)
{
    if (!rays_are_here())
        return;
    build_corner_room();
    const struct ray_task room = task_of(corner_source, &corner_receiver);
    omp_set_num_threads(1);
    find_images(&room, 0.02, 500);
    struct ray_images one = images;
    omp_set_num_threads(3);
    find_images(&room, 0.02, 500);
    cr_assert(eq(dbl, one.window, images.window));
    cr_assert(eq(sz, one.first[1], path_count()));
    for (size_t p = 0; p < path_count(); p++) {
        cr_assert(eq(dbl, one.path[p].length, images.path[p].length));
        cr_assert(eq(u32, one.path[p].surfaces, images.path[p].surfaces));
        for (size_t s = one.path[p].first; s < one.path[p].first + one.path[p].surfaces; s++)
            cr_assert(eq(u16, one.surface[s].material, images.surface[s].material));
    }
    ray_images_free(&one);
}

/* With few sequences the window is shorter, and nothing is missing in it. */
Test(ray_images, too_many_sequences_shorten_the_window)
{
    if (!rays_are_here())
        return;
    build_corner_room();
    const struct ray_task room = task_of(corner_source, &corner_receiver);
    find_images(&room, 0.03, RAY_SEQUENCES);
    struct ray_images all = images;
    cr_assert(eq(dbl, all.window, 0.03));
    find_images(&room, 0.03, 1000);
    cr_assert(lt(dbl, images.window, 0.03));
    cr_assert(gt(dbl, images.window, 0.01));
    cr_assert(le(sz, images.sequences, 1000));
    const double direct = sqrt(2.5 * 2.5 + 2.5 * 2.5 + 0.3 * 0.3);
    size_t within = 0;
    while (within < all.first[1] && all.path[within].length < direct + images.window * SOUND_SPEED)
        within++;
    cr_assert(eq(sz, path_count(), within));
    ray_images_free(&all);
}

/* Between plates 1 cm apart images of the 65th order come .55 ms late. */
Test(ray_images, too_many_reflections_shorten_the_window)
{
    static const double size[3] = {3, 3, 0.01}, source[3] = {1, 1.5, 0.005};
    const struct ray_receiver receiver = {.position = {2, 1.5, 0.005}};
    const double late = (hypot(1, 0.01 * (RAY_REFLECTIONS_MAX + 1)) - 1) / SOUND_SPEED;
    if (!rays_are_here())
        return;
    add_box(size);
    finish_room();
    set_walls(false, 0);
    const struct ray_task room = task_of(source, &receiver);
    find_images(&room, 0.002, RAY_SEQUENCES);
    cr_assert(le(dbl, images.window, late));
    cr_assert(gt(dbl, images.window, 0.9 * late));
    size_t expected = 0;
    for (int q = -2 * RAY_REFLECTIONS_MAX; q <= 2 * RAY_REFLECTIONS_MAX; q++)
        expected += hypot(1, 0.01 * q) - 1 < images.window * SOUND_SPEED;
    cr_assert(eq(sz, path_count(), expected));
}

/* ---- planes ---- */

/* A wall turned by some angle, divided into tiles of both windings and two materials, and a plate 1 mm before
 * it. */
Test(ray_images, tiles_of_one_wall_are_one_plane)
{
    static const double one[3] = {0.48, 0.6, 0.64}, other[3] = {0.8, -0.64, 0};
    if (!rays_are_here())
        return;
    for (int i = 0; i < 64; i++) {
        double corner[3], edge[2][3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = 0.1 + i / 8 * one[axis] + i % 8 * other[axis];
            edge[i % 2][axis] = one[axis];
            edge[1 - i % 2][axis] = other[axis];
        }
        add_rectangle(corner, edge[0], edge[1], i % 3 == 0 ? "oak" : "ash");
    }
    const double normal[3] = {0.4096, 0.512, -0.7872}; /* of about unit length */
    add_rectangle((double[3]){0.1 + 1e-3 * normal[0], 0.1 + 1e-3 * normal[1], 0.1 + 1e-3 * normal[2]}, one,
                  other, "plate");
    finish_room();
    cr_assert(eq(sz, planes.count, 2));
    for (size_t t = 0; t < mesh.triangle_count; t++)
        cr_assert(eq(u32, planes.of_triangle[t], t < 128 ? 0 : 1));
}

/* The floor has a strip of .2 mm, too narrow for a plane of its own, where the path meets it. */
Test(ray_images, a_reflection_by_a_sliver_counts)
{
    static const double source[3] = {1, 1, 1}, image[3] = {1, 1, -1}, width = 2e-4;
    const struct ray_receiver receiver = {.position = {3, 1, 1}};
    if (!rays_are_here())
        return;
    add_rectangle((double[3]){0, 0, 0}, (double[3]){2 - width / 2, 0, 0}, (double[3]){0, 2, 0}, "west");
    add_rectangle((double[3]){2 - width / 2, 0, 0}, (double[3]){width, 0, 0}, (double[3]){0, 2, 0}, "strip");
    add_rectangle((double[3]){2 + width / 2, 0, 0}, (double[3]){2 - width / 2, 0, 0}, (double[3]){0, 2, 0},
                  "east");
    finish_room();
    set_walls(false, 0);
    cr_assert(eq(u32, planes.of_triangle[2], RAY_NO_PLANE));
    const struct ray_task room = task_of(source, &receiver);
    find_images(&room, 0.02, RAY_SEQUENCES);
    const struct ray_path *path = find_path(receiver.position, image);
    cr_assert(path != NULL);
    cr_assert(eq(u16, images.surface[path->first].material, 1));
}
