/* Sources and receivers near a sheet use only nodes on their side of it. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "geometry/voxel/seed_node.h"
#include "kernels/scheme/fitted_stencil.h"
#include "tests/sheets/sheet_room.h"

#define PI    3.14159265358979323846
#define SIDE  24
#define SHEET 11 /* on the links from this node to the next */

/* Across x, or (slanting) through that place. */
static double across(void *context, const int64_t node[3], int axis)
{
    (void)context;
    return axis == 0 && node[0] == SHEET ? 1.0 : 0.0;
}

static bool beyond(const int64_t node[3])
{
    return 3 * node[0] + node[1] > 3 * SHEET + SIDE / 2;
}

static double slanting(void *context, const int64_t node[3], int axis)
{
    int64_t there[3] = {node[0], node[1], node[2]};
    (void)context;
    ++there[axis];
    return axis < 2 && beyond(node) != beyond(there) ? sqrt(10.0) / (axis == 0 ? 3 : 1) : 0.0;
}

static struct walled_box *room_of(const struct time_step *step, double share, sheet_at *at)
{
    static const int64_t nodes[3] = {SIDE, SIDE, SIDE};
    const struct sheet_law heavy = {.mass = 1e6};
    struct walled_box *room = walled_box_make(nodes, walled_box_rigid);
    sheet_room_hang(room, step, share, &heavy, at, NULL);
    return room;
}

enum { TAPS = 4 };

/* A pressure and three slopes. */
static void taps_of(const struct walled_box *room, enum scheme scheme, const double position[3],
                    const int64_t base[3], struct stencil tap[TAPS])
{
    const double most = 2.0 * PI / 6.0;
    for (int t = 0; t < TAPS; ++t)
        if (scheme == SCHEME_ISOTROPIC && t < 3)
            MUST(stencil_make_fitted_gradient(&room->blocks, position, base, most, t, &tap[t], &failure));
        else if (scheme == SCHEME_ISOTROPIC)
            MUST(stencil_make_fitted(&room->blocks, position, base, most, &tap[t], &failure));
        else if (t < 3)
            MUST(stencil_make_gradient(&room->blocks, position, base, INTERPOLATION_CUBIC, t, &tap[t],
                                       &failure));
        else
            MUST(stencil_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &tap[t], &failure));
}

TEST_SCHEMES(sheet_taps, no_tap_reaches_through_a_sheet_light_or_heavy_straight_or_slanting)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    for (int kind = 0; kind < 4; ++kind) {
        struct walled_box *room = room_of(&step, kind % 2 == 0 ? 0.0 : 0.6, kind < 2 ? across : slanting);
        uint64_t random = 3;
        for (int trial = 0; trial < 60; ++trial) {
            struct stencil tap[TAPS];
            const int64_t base[3] = {SHEET - 3 + trial % 8, SIDE / 2 + trial % 3, SIDE / 2};
            double position[3];
            for (int k = 0; k < 3; ++k)
                position[k] = (double)base[k] + test_uniform(&random, -0.5, 0.5);
            taps_of(room, scheme, position, base, tap);
            for (int t = 0; t < TAPS; ++t)
                for (unsigned n = 0; n < tap[t].count; ++n) {
                    const int64_t *const node = tap[t].node[n];
                    cr_assert(kind < 2 ? (node[0] > SHEET) == (base[0] > SHEET)
                                       : beyond(node) == beyond(base),
                              "kind %d, trial %d, tap %d", kind, trial, t);
                }
        }
        walled_box_free(room);
    }
}

static double complex heard(const struct stencil *tap, const double k[3], bool mirrored)
{
    double complex sum = 0.0;
    for (unsigned n = 0; n < tap->count; ++n) {
        const double x = (double)tap->node[n][0] - SHEET - 0.5,
                     along = k[1] * (double)tap->node[n][1] + k[2] * (double)tap->node[n][2];
        sum += tap->weight[n] * cexp(I * along) * (mirrored ? 2.0 * cos(k[0] * x) : cexp(I * k[0] * x));
    }
    return sum;
}

/* Error of a pressure [dB of the field's crest], and of a slope over wavenumber and crest, before a sheet. */
static void worst_before(double share, double away, bool mirrored, double worst[2])
{
    const struct time_step step = time_step_for(SCHEME_ISOTROPIC, 1.0, 343.2, 0);
    struct walled_box *room = room_of(&step, share, across);
    uint64_t random = 9;
    worst[0] = worst[1] = 0.0;
    for (int trial = 0; trial < 30; ++trial) {
        struct stencil tap[TAPS];
        const double position[3] = {SHEET + 0.5 - away, test_uniform(&random, 10, 13),
                                    test_uniform(&random, 10, 13)};
        const int64_t base[3] = {llround(fmin(position[0], SHEET)), llround(position[1]),
                                 llround(position[2])};
        taps_of(room, SCHEME_ISOTROPIC, position, base, tap);
        for (int wave = 0; wave < 20; ++wave) {
            const double z = test_uniform(&random, -1, 1), turn = test_uniform(&random, 0, 2 * PI),
                         size = 2.0 * PI / 6.0 * test_uniform(&random, 0.2, 1),
                         k[3] = {size * z, size * sqrt(1 - z * z) * cos(turn),
                                 size * sqrt(1 - z * z) * sin(turn)},
                         crest = mirrored ? 2.0 : 1.0;
            const double complex along = cexp(I * (k[1] * position[1] + k[2] * position[2]));
            const double complex right = along * (mirrored ? 2.0 * cos(k[0] * away) : cexp(-I * k[0] * away));
            const double complex slope =
                along * (mirrored ? 2.0 * k[0] * sin(k[0] * away) : I * k[0] * cexp(-I * k[0] * away));
            worst[0] = fmax(worst[0], 20 / log(10) * cabs(heard(&tap[3], k, mirrored) - right) / crest);
            worst[1] = fmax(worst[1], cabs(heard(&tap[0], k, mirrored) - slope) / (crest * size));
        }
    }
    walled_box_free(room);
}

/* Before a heavy one as before a wall, of which the nodes beside it are trusted less for their masses; before
 * a light one any wave, from one side. */
Test(sheet_taps, fitted_taps_hear_what_is_before_a_sheet)
{
    static const double away[] = {0.05, 0.25, 0.5, 0.9, 1.4, 2.2};
    for (size_t a = 0; a < sizeof away / sizeof *away; ++a) {
        double heavy[2], light[2];
        worst_before(0.0, away[a], true, heavy);
        worst_before(0.6, away[a], false, light);
        (void)fprintf(stderr, "%.2f before a sheet: heavy %.4f dB, slope %.4f; light %.4f dB, slope %.4f\n",
                      away[a], heavy[0], heavy[1], light[0], light[1]);
        cr_assert(heavy[0] < 0.13 && heavy[1] < 0.01);
        cr_assert(light[0] < 0.25 && light[1] < 0.2);
    }
}

/* Mean square pressure behind the sheet over that before it, after a click at that distance before it. */
static double passed(enum scheme scheme, double away)
{
    enum { STEPS = 300 };
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    struct walled_box *room = room_of(&step, 0.0, across);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 2};
    const double hard = 0.0, position[3] = {SHEET + 0.5 - away, 10.3, 12.6};
    const int64_t base[3] = {llround(fmin(position[0], SHEET)), 10, 13};
    struct engine *engine = engine_of(&room->blocks, &room->box, &step, &hard, 1, NULL, &options);
    struct stencil tap[TAPS];
    double drive[STEPS] = {1.0, -1.0}, square[2] = {0.0};
    taps_of(room, scheme, position, base, tap);
    MUST(engine_add_source(engine, &tap[3], &failure));
    engine_run(engine, STEPS, drive, NULL);
    int64_t node[3];
    for (node[2] = 0; node[2] < SIDE; ++node[2])
        for (node[1] = 0; node[1] < SIDE; ++node[1])
            for (node[0] = 0; node[0] < SIDE; ++node[0]) {
                const double change = engine_get(engine, 0, node) - engine_get(engine, 1, node);
                square[node[0] > SHEET] += change * change;
            }
    engine_free(engine);
    walled_box_free(room);
    return square[1] / square[0];
}

/* A mass m on a link passes 1 / (1 + m) of a flow at most, in each of the steps that a click takes to be gone
 * from both sides: far below what a single node on the far side would be driven with. Sources before the
 * sheet push twice the flow through it that one far off does, 6 dB, in a field of chance 3 dB more. */
TEST_SCHEMES(sheet_taps, the_level_behind_a_heavy_partition_does_not_depend_on_how_near_the_source_is)
{
    const double far = 10 * log10(passed(scheme, 6.4));
    static const double away[] = {3.1, 1.7, 0.9, 0.5, 0.2};
    for (size_t a = 0; a < sizeof away / sizeof *away; ++a) {
        const double near = 10 * log10(passed(scheme, away[a]));
        (void)fprintf(stderr, "%s, %.1f before it: %.1f dB behind, %.1f from afar\n",
                      scheme == SCHEME_ISOTROPIC ? "isotropic" : "standard", away[a], near, far);
        cr_assert(near < far + 9.0 && near > far - 9.0);
    }
}

/* A cell with a sheet through it: a place before it belongs to a corner before it though one behind is
 * nearer. */
Test(sheet_taps, a_position_belongs_to_a_node_on_its_side_of_the_sheet)
{
    struct mesh mesh = {0};
    uint16_t wall, cloth;
    MUST(mesh_add_material(&mesh, "wall", &wall, &failure));
    MUST(mesh_add_material(&mesh, "cloth", &cloth, &failure));
    static const double place[7][3] = {{0.5, 0.5, 0.5}, {9, 0.5, 0.5}, {0.5, 9, 0.5}, {4.7, -9, -9},
                                       {4.7, 30, -9},   {4.7, -9, 30}, {9, 9, 9}};
    for (int n = 0; n < 7; ++n)
        MUST(mesh_add_vertex(&mesh, place[n], NULL, &failure));
    MUST(mesh_add_triangle(&mesh, (const uint32_t[3]){0, 1, 2}, wall, &failure));
    MUST(mesh_add_triangle(&mesh, (const uint32_t[3]){3, 4, 5}, cloth, &failure));
    const bool sheet[2] = {false, true};
    MUST(mesh_set_sheets(&mesh, sheet, &failure));
    struct lattice lattice;
    struct cut_field field;
    struct snapped_triangle snapped[1];
    MUST(lattice_fit((const double[3]){0, 0, 0}, (const double[3]){9, 9, 9}, 1.0, NULL, &lattice, &failure));
    MUST(cut_field_make(&mesh, &lattice, 1, &field, &failure));
    MUST(snap_triangles(&mesh, &lattice, snapped, &failure));
    double node[3];
    lattice_position(&lattice, (const int64_t[3]){4, 4, 4}, node);
    for (double x = 0.05; x < 1.0; x += 0.1) {
        int64_t corner[8][3];
        double first[3];
        const double position[3] = {node[0] + x, node[1] + 0.2, node[2] + 0.3};
        cr_assert(seed_corners(&field, &mesh, snapped, position, corner) == 8);
        lattice_position(&lattice, corner[0], first);
        const bool same = (first[0] > 4.7) == (position[0] > 4.7);
        cr_assert(same, "at %g", position[0]);
    }
    cut_field_free(&field);
    mesh_free(&mesh);
}
