/* Sources with a direction in free field: what their taps and drives make together, in twelve directions,
 * against what is wanted; before the walls of a cube answer. */
#include <complex.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/scheme/dispersion.h"
#include "kernels/scheme/fitted_stencil.h"
#include "src/radiation/pattern_drive.h"
#include "tests/support/outcome.h"
#include "tests/support/walled_box.h"

#define PI    3.14159265358979323846
#define SPEED 343.2
#define FMAX  1000.0

#define NODES      88
#define DIRECTIONS_HEARD 12
#define DISTANCE   22.0 /* of receivers [h] */

/* The vertices of an icosahedron, turned off the axes; then an axis and diagonals would be left out, so every
 * third is moved there. */
static void directions(double out[DIRECTIONS_HEARD][3])
{
    static const double fixed[5][3] = {{1, 0, 0}, {0, 0, -1}, {1, -1, 0}, {-1, -1, 1}, {0, 1, 1}};
    for (int n = 0; n < DIRECTIONS_HEARD; n++) {
        double length = 0.0;
        const double z = 1.0 - 2.0 * (n + 0.5) / DIRECTIONS_HEARD, angle = 2.399963 * n;
        out[n][0] = sqrt(1.0 - z * z) * cos(angle);
        out[n][1] = sqrt(1.0 - z * z) * sin(angle);
        out[n][2] = z;
        for (int k = 0; k < 3; k++) {
            out[n][k] = n < 5 ? fixed[n][k] : out[n][k];
            length += out[n][k] * out[n][k];
        }
        for (int k = 0; k < 3; k++)
            out[n][k] /= sqrt(length);
    }
}

struct field {
    struct time_step step;
    double points; /* a wavelength at FMAX */
    double source[3]; /* [h], from node 0 */
    size_t steps;
    double *heard; /* (HARMONICS, DIRECTIONS_HEARD, steps) of each harmonic's pulse */
};

/* Each harmonic is driven by (1, -1) through a short low-pass: what is above the band is slow in a lattice,
 * and would still be on its way when the walls answer. */
#define PULSE 10
static const double pulse[PULSE] = {1, 7, 20, 28, 14, -14, -28, -20, -7, -1};

static struct stencil tap_of(const struct field *field, const struct walled_box *room, const double at[3],
                             int number, bool source)
{
    struct stencil tap;
    int64_t base[3];
    double position[3];
    const double h = field->step.spacing, kappa = 2.0 * PI / field->points;
    for (int k = 0; k < 3; k++) {
        base[k] = (int64_t)floor(at[k]);
        position[k] = room->blocks.lattice.origin[k] + at[k] * h;
    }
    if (number > 0)
        MUST(stencil_make_multipole(&room->blocks, position, base, kappa, number, &tap, NULL, &failure));
    else if (!source || field->step.scheme == SCHEME_ISOTROPIC)
        MUST(stencil_make_fitted(&room->blocks, position, base, kappa, &tap, &failure));
    else
        MUST(stencil_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &tap, &failure));
    return tap;
}

static struct field simulate(enum scheme scheme, double points, const double in_cell[3])
{
    const int64_t nodes[3] = {NODES, NODES, NODES};
    const double rigid = 0.0;
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct field field = {.points = points};
    double unit[DIRECTIONS_HEARD][3];
    directions(unit);
    MUST(time_step_choose(scheme, SPEED / (points * FMAX), SPEED, 0.0, &field.step, &failure));
    field.steps = (size_t)((NODES - DISTANCE - 6.0) / field.step.courant);
    struct walled_box *room = walled_box_for(nodes, walled_box_rigid, &field.step);
    room->blocks.lattice.spacing = field.step.spacing;
    struct engine *engine = walled_box_engine(room, &field.step, &rigid, 1, &options);
    for (int k = 0; k < 3; k++)
        field.source[k] = NODES / 2 - 1 + in_cell[k];
    for (int i = 0; i < HARMONICS; i++) {
        const struct stencil tap = tap_of(&field, room, field.source, i, true);
        MUST(engine_add_source(engine, &tap, &failure));
    }
    for (int d = 0; d < DIRECTIONS_HEARD; d++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = field.source[k] + DISTANCE * unit[d][k];
        const struct stencil tap = tap_of(&field, room, at, 0, false);
        MUST(engine_add_receiver(engine, &tap, &failure));
    }
    double *drive = calloc(HARMONICS * field.steps, sizeof *drive);
    field.heard = malloc((size_t)HARMONICS * DIRECTIONS_HEARD * field.steps * sizeof *field.heard);
    cr_assert(drive != NULL && field.heard != NULL);
    for (size_t i = 0; i < HARMONICS; i++) {
        memset(drive, 0, HARMONICS * field.steps * sizeof *drive);
        memcpy(drive + i * field.steps, pulse, sizeof pulse);
        engine_reset(engine);
        engine_run(engine, field.steps, drive, field.heard + i * DIRECTIONS_HEARD * field.steps);
    }
    free(drive);
    engine_free(engine);
    walled_box_free(room);
    return field;
}

static double complex transform(const double *x, size_t count, double theta)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += x[n] * cexp(-I * theta * (double)n);
    return sum;
}

/* Of what is heard, faded out after the slowest sound of the band. */
static double complex heard_at(const struct field *field, int harmonic, int direction, double theta)
{
    const double *x = field->heard + ((size_t)harmonic * DIRECTIONS_HEARD + (size_t)direction) * field->steps;
    const double arrival = DISTANCE / field->step.courant;
    double complex sum = 0.0;
    for (size_t n = 0; n < field->steps; n++) {
        const double late = 2.0 * ((double)n - arrival) / ((double)field->steps - arrival) - 1.0;
        sum += x[n] * (late < 0.0 ? 1.0 : 0.5 + 0.5 * cos(PI * late)) * cexp(-I * theta * (double)n);
    }
    return sum;
}

/* j^-(n+1) h_n(x) x e^(jx): how much more of an order there is near by than far away. */
static double complex nearness(int order, double x)
{
    double complex before = 1.0, now = 1.0 - I / x; /* orders 0 and 1, by h_n+1 = (2n+1)/x h_n - h_n-1 */
    if (order == 0)
        return before;
    for (int n = 1; n < order; n++) {
        const double complex next = before + (2.0 * n + 1.0) / (I * x) * now;
        before = now;
        now = next;
    }
    return now;
}

/* The largest error in decibels where the pattern is above -15 dB of the axis, and elsewhere of the
 * difference in decibels of the axis; over frequencies from `lowest` of FMAX on. */
struct found {
    double loud, quiet, axis;
};

static void compare(const struct field *field, const struct pattern *pattern, const double front[3],
                    double lowest, struct found *found)
{
    struct response_drive base = {0}, drive[HARMONICS];
    double unit[DIRECTIONS_HEARD][3], matrix[HARMONICS][HARMONICS];
    directions(unit);
    pattern_turn(front, matrix);
    MUST(response_drive_make(&field->step, FMAX, &base, &failure));
    const struct pattern_drive of = {.step = field->step,
                                     .fmax = FMAX,
                                     .pattern = pattern,
                                     .front = {front[0], front[1], front[2]},
                                     .gain = 1.0,
                                     .lead = base.lead + pattern_drive_lead(&field->step, FMAX, pattern)};
    MUST(pattern_drive_make(&of, drive, &failure));
    for (double f = lowest * FMAX; f <= 1.0001 * FMAX; f *= pow(1.0 / lowest, 0.125)) {
        const double kappa = dispersion_kappa_of(&field->step, f), theta = dispersion_theta(&field->step, kappa),
                     x = kappa * DISTANCE;
        const double slope = field->step.scheme == SCHEME_ISOTROPIC ? dispersion_symbol_slope(kappa) : 1.0;
        const double complex over = transform(base.sample, base.count, theta) *
                                    cexp(I * theta * (double)base.lead) * transform(pulse, PULSE, theta);
        double complex own[HARMONICS], turned[HARMONICS], share[HARMONICS] = {0.0};
        pattern_at(pattern, FMAX, f, own);
        pattern_turned(matrix, own, turned);
        for (int i = 0; i < HARMONICS; i++)
            if (drive[i].sample != NULL)
                share[i] = transform(drive[i].sample, drive[i].count, theta) *
                           cexp(I * theta * (double)of.lead) / over;
        for (int d = 0; d < DIRECTIONS_HEARD; d++) {
            double y[HARMONICS];
            double complex heard = 0.0, wanted = 0.0;
            solid_harmonics(unit[d], y);
            for (int i = 0; i < HARMONICS; i++) {
                if (share[i] != 0.0)
                    heard += share[i] * heard_at(field, i, d, theta);
                wanted += turned[i] * y[i] * nearness(harmonic_order(i), x);
            }
            heard *= 4.0 * PI * slope * DISTANCE * field->step.spacing;
            const double level = 20.0 * log10(cabs(wanted)), off = 20.0 * log10(cabs(heard)) - level;
            if (level >= -15.0)
                found->loud = fmax(found->loud, fabs(off));
            else
                found->quiet = fmax(found->quiet, 20.0 * log10(fabs(cabs(heard) - cabs(wanted))));
            if (getenv("SHOW") != NULL)
                fprintf(stderr, "  f %.0f d %d wanted %.2f off %.3f\n", f, d, level, off);
        }
    }
    for (int i = 0; i < HARMONICS; i++)
        response_drive_free(&drive[i]);
    response_drive_free(&base);
}

Test(directed_sources, patterns_are_heard_in_twelve_directions)
{
    static const double place[][3] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.31, 0.77, 0.12}};
    static const double fronts[][3] = {{1, 0, 0}, {0.6, -0.48, 0.64}};
    struct pattern omni = {0}, cardioid = {0}, voice = {0}, third = {0};
    MUST(pattern_make_cardioid(&cardioid, &failure));
    MUST(pattern_make_voice(&voice, &failure));
    MUST(pattern_allocate(1, &third, &failure));
    third.frequency[0] = 500.0;
    for (int i = 0; i < HARMONICS; i++)
        third.harmonic[0][i] = (1.0 + 0.4 * sin(3.0 * i) + I * 0.4 * cos(5.0 * i)) / (1 + harmonic_order(i));
    const struct {
        const char *name;
        const struct pattern *pattern;
        double lowest;
    } of[] = {{"omni", &omni, 0.2}, {"cardioid", &cardioid, 0.2}, {"voice", &voice, 0.2}, {"order 3", &third, 0.2}};
    for (int s = 0; s < 2; s++)
        for (size_t p = 0; p < sizeof place / sizeof *place; p++) {
            struct field field = simulate(s == 0 ? SCHEME_ISOTROPIC : SCHEME_STANDARD, s == 0 ? 6.0 : 10.5, place[p]);
            for (size_t q = 0; q < sizeof of / sizeof *of; q++)
                for (size_t a = 0; a < 2; a++) {
                    struct found found = {0.0, -INFINITY, 0.0};
                    compare(&field, of[q].pattern, fronts[a], of[q].lowest, &found);
                    fprintf(stderr, "scheme %d place %zu %s front %zu: %.2f dB, quiet %.1f dB\n", s, p, of[q].name, a,
                            found.loud, found.quiet);
                }
            free(field.heard);
        }
}
