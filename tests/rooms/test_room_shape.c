/* The built-in rooms: closed, one cavity, of the right size, with positions that can be used. */
#include "geometry/base/vector.h"
#include "geometry/room/voxeliser.h"
#include "geometry/voxel/clearance.h"
#include "rooms/shapes/room_shape.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/flooded_room.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

/* Build with options given as name, text pairs, ended by NULL. */
static struct mesh build(const char *name, const char *const *option)
{
    const struct room_shape *shape = room_shape_find(name);
    cr_assert(shape != NULL);
    double value[ROOM_PARAMETERS_MAX];
    room_defaults(shape, value);
    for (size_t i = 0; option && option[i]; i += 2)
        MUST(room_set(shape, value, option[i], option[i + 1], &failure));
    struct mesh mesh = {0};
    MUST(room_build(shape, value, &mesh, &failure));
    return mesh;
}

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(room_shape, default_rooms_are_closed_and_look_inwards)
{
    size_t count;
    const struct room_shape *shape = room_shapes(&count);
    cr_assert(count == 4);
    for (size_t i = 0; i < count; ++i) {
        struct mesh mesh = build(shape[i].name, NULL);
        struct mesh_census census;
        cr_expect(is_watertight(&mesh), "%s", shape[i].name);
        cr_expect(enclosed_volume(&mesh) > 0, "%s", shape[i].name);
        cr_expect(mesh_check(&mesh, &failure) == 0, "%s: %s", shape[i].name, failure.sentence);
        cr_expect(mesh_count_oddities(&mesh, &census, &failure) == 0);
        cr_expect(census.degenerate + census.duplicate + census.open_edges + census.nonmanifold_edges == 0,
                  "%s", shape[i].name);
        mesh_free(&mesh);
    }
}

Test(room_shape, cube_stands_with_its_corner_at_the_origin)
{
    struct mesh mesh = build("cube", NULL);
    double low[3], high[3];
    cr_assert(mesh_bounds(&mesh, low, high, NULL) == 0);
    for (int axis = 0; axis < 3; ++axis) {
        cr_expect(low[axis] == 0);
        cr_expect(high[axis] == 3);
    }
    cr_expect(test_near(enclosed_volume(&mesh), 27, 1e-9));
    mesh_free(&mesh);
}

Test(room_shape, cross_is_five_cubes)
{
    struct mesh mesh = build("cross", OPTIONS("size", "2"));
    double low[3], high[3];
    cr_assert(mesh_bounds(&mesh, low, high, NULL) == 0);
    cr_expect(high[0] == 6 && high[1] == 6 && high[2] == 2);
    cr_expect(test_near(enclosed_volume(&mesh), 40, 1e-9));
    double area[8], total = 0;
    mesh_material_areas(&mesh, area);
    for (size_t m = 0; m < mesh.material_count; ++m)
        total += area[m];
    cr_expect(test_near(total, 2 * 20 + 12 * 4, 1e-9));
    mesh_free(&mesh);
}

Test(room_shape, sphere_has_its_corners_on_the_radius_and_tends_to_its_volume)
{
    double miss[2];
    const char *const segments[2] = {"8", "16"};
    for (int i = 0; i < 2; ++i) {
        struct mesh mesh = build("sphere", OPTIONS("radius", "2", "segments", segments[i]));
        for (size_t v = 0; v < mesh.vertex_count; ++v) {
            const double from[3] = {mesh.vertex[v][0] - 2, mesh.vertex[v][1] - 2, mesh.vertex[v][2] - 2};
            cr_assert(test_near(vector_length(from), 2, 1e-12));
        }
        const double n = atof(segments[i]);
        cr_expect(20 * n * n == (double)mesh.triangle_count);
        cr_expect(10 * n * n + 2 == (double)mesh.vertex_count);
        cr_expect(is_watertight(&mesh));
        miss[i] = 1 - enclosed_volume(&mesh) / (4.0 / 3 * PI * 8);
        mesh_free(&mesh);
    }
    cr_expect(miss[0] > 0 && miss[0] < 0.03);
    cr_expect(test_near(miss[0] / miss[1], 4, 0.15)); /* chords miss a round by the square of their length */
}

/* A plain chapel of a box and a roof, whose volume is known without any plan. */
#define CHAPEL                                                                                               \
    "aisles", "none", "transept", "none", "apse", "none", "pews", "none", "nave-length", "20",               \
        "chancel-length", "5", "nave-width", "8", "nave-height", "6"
static const double altar = 1.0 * 2.4 * 1.0;

Test(room_shape, a_chapel_has_the_volume_of_its_box_and_of_a_gable_or_half_a_polygon)
{
    const char *const *roof[2] = {OPTIONS(CHAPEL, "roof-pitch", "45"),
                                  OPTIONS(CHAPEL, "roof", "vaulted", "segments", "16")};
    const double section[2] = {16, 16.0 / 2 * sin(PI / 16) * 16};
    for (int i = 0; i < 2; ++i) {
        struct mesh mesh = build("church", roof[i]);
        cr_expect(test_near(enclosed_volume(&mesh), 25 * (8 * 6 + section[i]) - altar, 0.05));
        mesh_free(&mesh);
    }
}

Test(room_shape, crossing_roofs_of_one_height_enclose_both_prisms_less_what_they_share)
{
    struct mesh mesh = build("church", OPTIONS("aisles", "none", "apse", "none", "pews", "none",
                                               "nave-length", "20", "chancel-length", "5", "nave-width", "8",
                                               "nave-height", "6", "transept-width", "8", "transept-height",
                                               "6", "transept-length", "7", "roof-pitch", "45"));
    /* Over the square of 8 m the higher of 4-|x| and 4-|y|: the shared part is a pyramid of height 4. */
    const double boxes = (33 * 8 + 14 * 8) * 6.0;
    const double roofs = (33 + 22) * 16.0 - 8 * 8 * 4 / 3.0;
    cr_expect(test_near(enclosed_volume(&mesh), boxes + roofs - altar, 0.1));
    cr_expect(is_watertight(&mesh));
    mesh_free(&mesh);
}

Test(room_shape, crossing_roofs_of_different_heights_follow_the_higher_everywhere)
{
    const struct {
        const char *width[2], *height[2]; /* of nave and transept */
    } shape[2] = {{{"8", "6"}, {"6", "7"}}, {{"6", "8"}, {"7", "6"}}};
    for (int i = 0; i < 2; ++i) {
        struct mesh mesh = build(
            "church", OPTIONS("aisles", "none", "apse", "none", "pews", "none", "nave-length", "20",
                              "chancel-length", "5", "transept-length", "7", "roof-pitch", "60", "nave-width",
                              shape[i].width[0], "nave-height", shape[i].height[0], "transept-width",
                              shape[i].width[1], "transept-height", shape[i].height[1]));
        const double slope = sqrt(3), cell = 1.0 / 128;
        const double half[2] = {atof(shape[i].width[0]) / 2, atof(shape[i].width[1]) / 2};
        const double wall[2] = {atof(shape[i].height[0]), atof(shape[i].height[1])};
        double crossing = 0;
        for (double x = cell / 2; x < half[1]; x += cell)
            for (double y = cell / 2; y < half[0]; y += cell)
                crossing +=
                    4 * cell * cell * fmax(wall[1] + (half[1] - x) * slope, wall[0] + (half[0] - y) * slope);
        const double nave = 25 * (2 * half[0] * wall[0] + half[0] * half[0] * slope);
        const double arms = 14 * (2 * half[1] * wall[1] + half[1] * half[1] * slope);
        cr_expect(test_near(enclosed_volume(&mesh), nave + arms + crossing - altar, 0.05));
        mesh_free(&mesh);
    }
}

Test(room_shape, a_tower_adds_its_box_and_its_pyramid_above_the_ridge)
{
    struct mesh without = build("church", OPTIONS(CHAPEL, "tower", "lantern", "transept-width", "8",
                                                  "tower-height", "5", "spire-height", "0"));
    struct mesh with = build("church", OPTIONS(CHAPEL, "tower", "lantern", "transept-width", "8",
                                               "tower-height", "7", "spire-height", "6"));
    cr_expect(test_near(enclosed_volume(&with) - enclosed_volume(&without), 64 * 2 + 64 * 6 / 3.0, 0.05));
    mesh_free(&without);
    mesh_free(&with);
}

Test(room_shape, sound_passes_behind_every_column)
{
    /* Each free-standing column or pier is a handle of the surface: V - E + F = 2 - 2 handles. Seven bays
     * have six columns on each side and a pier at the crossing, which without a transept stands in the end
     * wall. */
    const struct {
        const char *transept;
        long handles;
    } expected[] = {{"both", 14}, {"none", 12}};
    for (size_t i = 0; i < 2; ++i) {
        struct mesh mesh = build("church", OPTIONS("bays", "7", "transept", expected[i].transept));
        const struct edge_faults faults = count_edge_faults(&mesh);
        const long euler = (long)mesh.vertex_count - (long)faults.edges + (long)mesh.triangle_count;
        cr_expect(euler == 2 - 2 * expected[i].handles, "%ld", euler);
        mesh_free(&mesh);
    }
}

static void random_values(const struct room_shape *shape, uint64_t *state, double *value)
{
    for (size_t i = 0; i < shape->parameter_count; ++i) {
        const struct room_parameter *p = &shape->parameter[i];
        value[i] =
            p->whole ? floor(test_uniform(state, p->low, p->high + 1)) : test_uniform(state, p->low, p->high);
    }
}

/* The next setting that is not contradictory in itself; counts those refused. */
static struct mesh random_room(const struct room_shape *shape, uint64_t *state, double *value,
                               size_t *refused)
{
    struct mesh mesh = {0};
    for (;;) {
        random_values(shape, state, value);
        if (room_build(shape, value, &mesh, &failure) == 0)
            return mesh;
        cr_assert(failure.code == FAILURE_INPUT, "%s", failure.sentence);
        ++*refused;
        cr_assert(100000 > *refused);
    }
}

static void print_setting(const struct room_shape *shape, const double *value)
{
    for (size_t i = 0; i < shape->parameter_count; ++i)
        (void)fprintf(stderr, " --%s %.17g", shape->parameter[i].name, value[i]);
    (void)fprintf(stderr, "\n");
}

/* One cavity without a leak, and nearly nothing cut off from it. */
static bool is_one_cavity(const struct mesh *mesh, double spacing, struct voxel_cavity *largest)
{
    const struct lattice lattice = fit(mesh, spacing);
    struct voxel_cavity cavity[4] = {0};
    size_t cavities = 0;
    const struct voxelise_options options = {.threads = 1};
    bool good = voxel_cavities(mesh, &lattice, &options, 4, cavity, &cavities, &failure) == 0;
    uint64_t apart = 0;
    for (size_t i = 1; i < cavities; ++i)
        apart += cavity[i].air_nodes;
    /* A node or two may be pinched off in the sharp edge of a roof. */
    good = good && apart * 1000 <= cavity[0].air_nodes;
    if (!good)
        (void)fprintf(stderr, "%zu cavities, %llu nodes in the largest, %llu beside it; %s\n", cavities,
                      (unsigned long long)cavity[0].air_nodes, (unsigned long long)apart, failure.sentence);
    *largest = cavity[0];
    return good;
}

/* The flood from all positions fills that cavity. */
static bool positions_flood_it(const struct mesh *mesh, double spacing, uint64_t air_nodes)
{
    const struct lattice lattice = fit(mesh, spacing);
    struct voxel_seed seed[16];
    cr_assert(mesh->marker_count <= 16);
    for (size_t i = 0; i < mesh->marker_count; ++i) {
        const struct mesh_marker *marker = &mesh->marker[i];
        seed[i] =
            (struct voxel_seed){.kind = marker->kind == MARKER_SOURCE ? SEED_SOURCE : SEED_RECEIVER,
                                .name = marker->name,
                                .position = {marker->position[0], marker->position[1], marker->position[2]}};
    }
    struct voxels voxels = {0};
    const struct voxelise_options options = {.threads = 1};
    const bool good =
        voxelise(mesh, &lattice, seed, mesh->marker_count, &options, &voxels, NULL, NULL, &failure) == 0 &&
        voxels.air_nodes == air_nodes;
    if (!good)
        (void)fprintf(stderr, "%llu nodes of %llu reached; %s\n", (unsigned long long)voxels.air_nodes,
                      (unsigned long long)air_nodes, failure.sentence);
    voxels_free(&voxels);
    return good;
}

/* The solid angle that the surface covers around a point: all of it inside, none outside (van Oosterom and
 * Strackee, IEEE Trans. Biomed. Eng. 30, 1983). */
static bool is_inside(const struct mesh *mesh, const double point[3])
{
    double half_angle = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        double r[3][3], length[3];
        for (int k = 0; k < 3; ++k) {
            vector_subtract(mesh->vertex[mesh->triangle[t][k]], point, r[k]);
            length[k] = vector_length(r[k]);
        }
        double cross[3];
        vector_cross(r[1], r[2], cross);
        half_angle += atan2(vector_dot(r[0], cross),
                            length[0] * length[1] * length[2] + vector_dot(r[0], r[1]) * length[2] +
                                vector_dot(r[1], r[2]) * length[0] + vector_dot(r[2], r[0]) * length[1]);
    }
    return test_near(half_angle, -2 * PI, 1e-6); /* the fronts look inwards */
}

static bool has_clear_positions(const struct mesh *mesh)
{
    size_t sources = 0, receivers = 0;
    bool good = true;
    struct clearance tree = {0};
    MUST(clearance_make(mesh, &tree, &failure));
    for (size_t i = 0; i < mesh->marker_count; ++i) {
        const struct mesh_marker *marker = &mesh->marker[i];
        const bool source = marker->kind == MARKER_SOURCE;
        sources += source;
        receivers += !source;
        const double clear = clearance_at(&tree, marker->position, 2);
        if (!is_inside(mesh, marker->position) || !(clear >= 1 - 1e-9) ||
            marker->position[2] != (source ? 1.5 : 1.2)) {
            (void)fprintf(stderr, "%s at height %g is outside, or %.4f m from the nearest surface\n",
                          marker->name, marker->position[2], clear);
            good = false;
        }
    }
    clearance_free(&tree);
    return good && sources > 0 && receivers > 0;
}

#define RANDOM_CHURCHES 400

Test(room_shape, random_churches_are_closed_and_their_positions_clear)
{
    const struct room_shape *shape = room_shape_find("church");
    uint64_t state = 20;
    double value[ROOM_PARAMETERS_MAX];
    size_t refused = 0;
    for (size_t i = 0; i < test_share(RANDOM_CHURCHES); ++i) {
        struct mesh mesh = random_room(shape, &state, value, &refused);
        if (!is_watertight(&mesh) || !has_clear_positions(&mesh)) {
            print_setting(shape, value);
            cr_assert(false, "church %zu of seed 20", i);
        }
        mesh_free(&mesh);
    }
    (void)fprintf(stderr, "%zu contradictory settings refused on the way to %zu\n", refused,
                  test_share(RANDOM_CHURCHES));
}

Test(room_shape, random_churches_flood_to_one_cavity)
{
    const struct room_shape *shape = room_shape_find("church");
    const double spacing = 0.4; /* a third of the narrowest way between columns */
    uint64_t state = 20;        /* the same churches */
    double value[ROOM_PARAMETERS_MAX];
    size_t refused = 0;
    for (size_t i = 0; i < test_share(RANDOM_CHURCHES); ++i) {
        struct mesh mesh = random_room(shape, &state, value, &refused);
        struct voxel_cavity cavity;
        if (!is_one_cavity(&mesh, spacing, &cavity) ||
            (i % 25 == 0 && !positions_flood_it(&mesh, spacing, cavity.air_nodes))) {
            print_setting(shape, value);
            cr_assert(false, "church %zu of seed 20", i);
        }
        mesh_free(&mesh);
    }
}

Test(room_shape, other_random_rooms_are_closed_and_flood_to_one_cavity)
{
    size_t count;
    const struct room_shape *shape = room_shapes(&count);
    uint64_t state = 21;
    double value[ROOM_PARAMETERS_MAX];
    for (size_t s = 0; s < count; ++s) {
        if (strcmp(shape[s].name, "church") == 0)
            continue;
        for (int i = 0; i < 3; ++i) {
            size_t refused = 0;
            struct mesh mesh = random_room(&shape[s], &state, value, &refused);
            cr_expect(refused == 0);
            double low[3], high[3];
            cr_assert(mesh_bounds(&mesh, low, high, NULL) == 0);
            cr_expect(is_watertight(&mesh), "%s", shape[s].name);
            const double spacing = (high[0] - low[0]) / 30;
            struct voxel_cavity cavity;
            cr_expect(is_one_cavity(&mesh, spacing, &cavity), "%s", shape[s].name);
            cr_expect(positions_flood_it(&mesh, spacing, cavity.air_nodes), "%s", shape[s].name);
            mesh_free(&mesh);
        }
    }
}

Test(room_shape, default_church_fills_at_most_half_of_its_box_on_a_grid_of_9_cm)
{
    struct mesh mesh = build("church", NULL);
    const struct lattice lattice = fit(&mesh, 0.09);
    const double *at = mesh.marker[0].position;
    struct voxels voxels = flood_room(&mesh, &lattice, source_at(at[0], at[1], at[2]));
    double box = 1;
    for (int axis = 0; axis < 3; ++axis)
        box *= (double)(voxels.air_high[axis] - voxels.air_low[axis] + 1);
    const double occupancy = 512.0 * (double)voxels.block_count / box;
    (void)fprintf(stderr, "the default church fills %.4f of its box, %.0f m3 of air\n", occupancy,
                  enclosed_volume(&mesh));
    cr_expect(occupancy <= 0.5);
    const double h3 = pow(lattice.spacing, 3);
    cr_expect(test_near((double)voxels.air_nodes * h3 / enclosed_volume(&mesh), 1, 0.01));
    voxels_free(&voxels);
    mesh_free(&mesh);
}

Test(room_shape, every_option_of_the_church_changes_it)
{
    const struct room_shape *shape = room_shape_find("church");
    /* Some options matter only with others. */
    const char *const *base[] = {OPTIONS("tower", "lantern"), OPTIONS("roof", "vaulted")};
    for (size_t i = 0; i < shape->parameter_count; ++i) {
        const struct room_parameter *p = &shape->parameter[i];
        bool changed = false;
        for (size_t b = 0; b < 2; ++b) {
            double value[ROOM_PARAMETERS_MAX];
            room_defaults(shape, value);
            cr_assert(room_set(shape, value, base[b][0], base[b][1], NULL) == 0);
            struct mesh before = {0}, after = {0};
            MUST(room_build(shape, value, &before, &failure));
            value[i] = p->words        ? value[i] == 0
                       : p->whole      ? value[i] + 1
                       : value[i] == 0 ? 1
                                       : value[i] * 1.0625;
            if (value[i] > p->high || room_build(shape, value, &after, &failure) != 0)
                value[i] = p->standard * 0.9375;
            if (after.triangle_count == 0)
                MUST(room_build(shape, value, &after, &failure));
            changed = changed || before.vertex_count != after.vertex_count ||
                      memcmp(before.vertex, after.vertex, before.vertex_count * sizeof *before.vertex) != 0;
            mesh_free(&before);
            mesh_free(&after);
        }
        cr_expect(changed, "%s", p->name);
    }
}

Test(room_shape, refusals_name_the_option_and_its_limit)
{
    static const struct {
        const char *option, *text, *words;
    } refused[] = {
        {"nave-length", "7.5", "nave-length is 7.5 m; it must be from 8 to 120 m"},
        {"nave-length", "nan", "nave-length is nan"},
        {"nave-length", "12 m", "\"12 m\""},
        {"bays", "2.5", "whole number from 1 to 24"},
        {"roof", "thatched", "pitched or vaulted"},
        {"spire", "3", "spire-height"},
        {"bays", "24", "between columns of radius"},
        {"apse-radius", "6", "half the nave's width of 9 m"},
        {"column-height", "9", "do not leave 0.5 m for arches"},
        {"nave-height", "4", "above the nave's walls of 4 m"},
    };
    const struct room_shape *shape = room_shape_find("church");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        double value[ROOM_PARAMETERS_MAX];
        struct mesh mesh = {0};
        room_defaults(shape, value);
        int code = room_set(shape, value, refused[i].option, refused[i].text, &failure);
        MUST_FAIL(code != 0 ? code : room_build(shape, value, &mesh, &failure), FAILURE_INPUT,
                  refused[i].words);
        cr_expect(mesh.triangle_count == 0);
    }
}
