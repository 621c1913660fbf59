/* Walls of the isotropic scheme: branches whose numerical answer, seen after the warp, absorbs what was asked
 * for. What is seen is worked out here from the symbol of an axis and of a diagonal, in complex arithmetic,
 * with nothing of the code under test but the branches. */
#include <complex.h>

#include "kernels/scheme/dispersion.h"
#include "rooms/materials/branch_fit.h"
#include "rooms/materials/material_library.h"
#include "src/setup/room_walls.h"
#include "tests/support/outcome.h"

#define PI    3.14159265358979323846
#define SOUND 343.2

/* At today's grids too, six branches do not follow it. */
static const char missed[] = "microperforated glass";

static struct grid_wall grid_of(double fmax, double points, double lambda2, double distance)
{
    struct grid_wall wall = {.fmax = fmax, .distance = distance, .reach = distance};
    MUST(time_step_choose(SCHEME_ISOTROPIC, SOUND / (points * fmax), SOUND, sqrt(lambda2), &wall.step,
                          &failure));
    return wall;
}

/* Midway between an axis and a face diagonal. */
static double symbol(double kappa)
{
    const double axis = 4 * pow(sin(kappa / 2), 2), slant = 4 * pow(sin(kappa / sqrt(8)), 2);
    return 0.5 * (axis + 2 * slant - slant * slant / 6);
}

static double complex answer(const struct wall_branch *branch, size_t count, double complex s)
{
    double complex own = 0;
    for (size_t m = 0; m < count; ++m)
        own += 1 / (s * branch[m].D + branch[m].E + branch[m].F / s);
    return own;
}

/* Admittance of the wall that is seen at a true frequency. */
static double complex seen_admittance(const struct grid_wall *wall, const struct wall_branch *branch,
                                      size_t count, double frequency)
{
    const double kappa = 2 * PI * frequency * wall->step.spacing / SOUND, small = 1e-5;
    const double slope = (symbol(kappa + small) - symbol(kappa - small)) / (4 * small * kappa);
    const double theta = 2 * asin(0.5 * sqrt(wall->step.lambda2 * symbol(kappa)));
    const double d = wall->distance, turn = 2 * kappa * wall->reach;
    double node = wall->reach == 0 ? 1 : 0.5 * (1 + (wall->reach > 0 ? sin(turn) : sinh(turn)) / turn);
    if (wall->slanting != NULL) {
        const double complex y =
            answer(wall->slanting->branch, wall->slanting->branches, 2 * PI * I * frequency);
        node *= 1 - kappa * kappa / 6 * fmax(-0.4, fmin(0.4, creal(y * y)));
    }
    const double c = sqrt(wall->step.lambda2) * kappa * slope / (sin(theta) * node);
    const double complex s = I * 2 / wall->step.period * tan(theta / 2), own = answer(branch, count, s);
    return count == 0 ? 0 : 1 / (c / own - I * kappa * d);
}

/* And its absorption of incidence from all sides. */
static double seen(const struct grid_wall *wall, const struct wall_branch *branch, size_t count,
                   double frequency)
{
    const double complex y = seen_admittance(wall, branch, count, frequency);
    return wall_absorption_diffuse((struct wall_admittance){creal(y), cimag(y)});
}

static double allowed(double target)
{
    return fmin(0.02, fmax(0.002, 0.05 * target));
}

/* The largest error at octave centres, in octave means and, over twice what is allowed, between, of the
 * octaves that a run to fmax has. */
static double measure(const struct grid_wall *wall, const struct branch_fit *fit,
                      const double target[FIT_OCTAVES])
{
    enum { FINE = 36 };
    double worst = 0;
    for (int o = 0; o < FIT_OCTAVES && fit_centre(o) < 0.8 * wall->fmax; ++o) {
        double mean = 0, line = 0;
        for (int k = 0; k < FINE; ++k) {
            const double f = fit_centre(o) * pow(10, 0.3 * ((k + 0.5) / FINE - 0.5));
            const double here = seen(wall, fit->branch, fit->count, f), wanted = fit_target_at(target, f);
            worst = fmax(worst, fabs(here - wanted) / (2 * allowed(wanted)));
            mean += here / FINE;
            line += wanted / FINE;
        }
        const double from = fabs(line - target[o]) <= 1.8 * allowed(target[o]) ? target[o] : line;
        worst = fmax(worst, fabs(mean - from) / allowed(target[o]));
        worst = fmax(worst, fabs(seen(wall, fit->branch, fit->count, fit_centre(o)) - target[o]) /
                                allowed(target[o]));
    }
    return worst;
}

/* A slanting wall is given each material as its own. */
static void expect_library(struct grid_wall *wall, bool slanting, size_t first, size_t each)
{
    struct material_library library = {0};
    struct wall_material own = {0};
    const struct wall_view view = room_wall_view(wall);
    wall->slanting = slanting ? &own : NULL;
    MUST(material_library_load(&library, &failure));
    for (size_t m = first; m < library.count; m += each) {
        double target[FIT_OCTAVES];
        struct branch_fit fit;
        for (int o = 0; o < FIT_OCTAVES; ++o)
            target[o] = fmin(library.material[m].absorption[o], FIT_ABSORPTION_MAX);
        if (slanting) {
            MUST(branch_fit(target, FIT_BRANCHES_MAX, &fit, &failure));
            own.branches = fit.count;
            memcpy(own.branch, fit.branch, fit.count * sizeof fit.branch[0]);
        }
        MUST(branch_fit_seen(target, NULL, FIT_BRANCHES_MAX, &view, &fit, &failure));
        MUST(wall_branches_check(fit.branch, fit.count, "seen", &failure));
        const double worst = measure(wall, &fit, target);
        const double most = wall->distance < 0.4 ? 1.05 : 1.15;
        cr_expect(test_at_most(worst, strcmp(library.material[m].name, missed) == 0 ? 1.7 : most),
                  "%s to %g Hz, lambda2 %g, %g h away: %.3f", library.material[m].name, wall->fmax,
                  wall->step.lambda2, wall->distance, worst);
        cr_expect(branch_fit_worst(&fit) <= most || strcmp(library.material[m].name, missed) == 0, "%s",
                  library.material[m].name);
    }
    material_library_free(&library);
}

/* Every material at two of 20 choices of frequency, resolution and time step, of the whole test at five. */
Test(branch_fit_seen, every_material_of_the_library_is_seen_right_to_any_fmax)
{
    static const double fmax[] = {355, 710, 1420, 2840, 5680}, points[] = {5, 6}, lambda2[] = {0.6, 0.525};
    for (size_t f = 0; f < 5; ++f)
        for (size_t k = 0; k < 4; ++k) {
            struct grid_wall wall = grid_of(fmax[f], points[k % 2], lambda2[k / 2], 0);
            const size_t apart = test_share(10) == 10 ? 4 : 10;
            expect_library(&wall, false, (4 * f + k) % apart, apart);
        }
}

/* Of stairs half a cell, of conformal walls up to what a sliver leaves. */
Test(branch_fit_seen, materials_are_seen_right_from_nodes_at_any_distance)
{
    static const double distance[] = {-0.3, 0.3, 0.5, 0.7};
    for (size_t d = 0; d < 4; ++d) {
        struct grid_wall wall = grid_of(1420, 5, 0.6, distance[d]);
        expect_library(&wall, false, d, 8);
    }
}

Test(branch_fit_seen, materials_are_seen_right_at_slanting_walls)
{
    static const double points[] = {5, 6};
    for (size_t p = 0; p < 2; ++p) {
        struct grid_wall wall = grid_of(1420, points[p], 0.6, 0);
        wall.reach = -0.38;
        expect_library(&wall, true, p, 6);
    }
}

/* Seen as they are, branches differ from what was asked for by what c makes of it: the fit matters. */
Test(branch_fit_seen, one_absorption_at_all_frequencies_is_seen_as_that_within_one_per_cent)
{
    for (double points = 4; points <= 8; points += 2)
        for (double a = 0.02; a < 0.9; a += 0.12) {
            const struct grid_wall wall = grid_of(1420, points, 0.6, 0);
            const struct wall_view view = room_wall_view(&wall);
            double row[FIT_OCTAVES], worst = 0, plain = 0;
            struct branch_fit fit, as_it_is;
            for (int o = 0; o < FIT_OCTAVES; ++o)
                row[o] = a;
            MUST(branch_fit_seen(row, NULL, FIT_BRANCHES_MAX, &view, &fit, &failure));
            MUST(branch_fit(row, FIT_BRANCHES_MAX, &as_it_is, &failure));
            for (double f = 45; f <= wall.fmax; f *= 1.02) {
                worst = fmax(worst, fabs(seen(&wall, fit.branch, fit.count, f) / a - 1));
                plain = fmax(plain, fabs(seen(&wall, as_it_is.branch, as_it_is.count, f) / a - 1));
            }
            cr_expect(test_at_most(worst, FIT_EVEN), "%g points, %g: %.4f", points, a, worst);
            cr_expect(a > 0.6 || test_above(plain, 0.02), "%g points, %g: %.4f without", points, a, plain);
        }
}

/* How far the admittance that is seen is from that of the wall as it is, at most, over the latter. */
static double furthest(const struct grid_wall *wall, const double row[FIT_OCTAVES],
                       const struct branch_fit *plain)
{
    const struct wall_view view = room_wall_view(wall);
    struct branch_fit fit;
    double most = 0;
    MUST(branch_fit_seen(row, NULL, FIT_BRANCHES_MAX, &view, &fit, &failure));
    for (double f = 45; f <= wall->fmax; f *= 1.05) {
        const struct wall_admittance own = wall_admittance_at(plain->branch, plain->count, f);
        const double complex wanted = own.g + I * own.b;
        most = fmax(most, cabs(seen_admittance(wall, fit.branch, fit.count, f) - wanted) / cabs(wanted));
    }
    return most;
}

/* Two admittances absorb the same: the fit must not take the other one. */
Test(branch_fit_seen, one_absorption_at_all_frequencies_is_seen_with_its_own_admittance)
{
    for (double points = 4; points <= 8; points += 2)
        for (int d = -4; d <= 9; d += 3)
            for (int a = 1; a <= 19; a += 3) {
                const struct grid_wall wall = grid_of(355, points, 0.6, 0.1 * d);
                double row[FIT_OCTAVES];
                struct branch_fit plain;
                for (int o = 0; o < FIT_OCTAVES; ++o)
                    row[o] = 0.05 * a;
                MUST(branch_fit(row, FIT_BRANCHES_MAX, &plain, &failure));
                cr_expect(test_at_most(furthest(&wall, row, &plain), d > 6 ? 0.45 : 0.25),
                          "%g points, %g, %g h away", points, row[0], wall.distance);
            }
}

/* Every material that is hard at all frequencies. */
Test(branch_fit_seen, hard_materials_are_seen_with_their_own_admittance)
{
    static const double distance[] = {-0.4, 0, 0.2, 0.4, 0.6};
    struct material_library library = {0};
    MUST(material_library_load(&library, &failure));
    for (size_t m = 0; m < library.count; ++m) {
        double row[FIT_OCTAVES];
        struct branch_fit plain;
        for (int o = 0; o < FIT_OCTAVES; ++o)
            row[o] = fmin(library.material[m].absorption[o], FIT_ABSORPTION_MAX);
        MUST(branch_fit(row, FIT_BRANCHES_MAX, &plain, &failure));
        for (size_t d = m % 5; d < 5 && plain.largest <= FIT_SOFT; d += 5) {
            const struct grid_wall wall = grid_of(1420, (d + m) % 2 == 0 ? 4 : 5, 0.6, distance[d]);
            cr_expect(test_at_most(furthest(&wall, row, &plain), distance[d] < 0 ? 0.6 : 0.4),
                      "%s at %g points, %g h away", library.material[m].name, (d + m) % 2 == 0 ? 4.0 : 5.0,
                      wall.distance);
        }
    }
    material_library_free(&library);
}

Test(branch_fit_seen, branches_of_a_file_are_seen_as_what_they_are)
{
    const struct wall_branch own[2] = {{2e-4, 0.8, 300}, {1e-4, 4, 4000}};
    for (int d = 0; d < 2; ++d) {
        const struct grid_wall wall = grid_of(1420, 5, 0.6, 0.5 * d);
        const struct wall_view view = room_wall_view(&wall);
        struct branch_fit fit;
        double plain = 0, worst = 0;
        branch_fit_again(own, 2, &view, &fit);
        cr_assert(eq(sz, fit.count, 2));
        for (double f = 45; f <= wall.fmax; f *= 1.02) {
            const double wanted = wall_absorption_diffuse(wall_admittance_at(own, 2, f));
            worst = fmax(worst, fabs(seen(&wall, fit.branch, 2, f) - wanted) / allowed(wanted));
            plain = fmax(plain, fabs(seen(&wall, own, 2, f) - wanted) / allowed(wanted));
        }
        cr_expect(test_at_most(worst, fmin(0.5, 0.6 * plain)), "%g, as they are %g", worst, plain);
    }
}

Test(branch_fit_seen, more_branches_than_a_fit_has_are_fitted_by_their_absorption)
{
    struct wall_branch own[WALL_BRANCHES_MAX];
    const struct grid_wall wall = grid_of(1420, 5, 0.6, 0);
    const struct wall_view view = room_wall_view(&wall);
    struct branch_fit fit;
    for (int m = 0; m < WALL_BRANCHES_MAX; ++m) {
        const double place = 300 * pow(1.7, m);
        own[m] = (struct wall_branch){8 / place, 12, 8 * place};
    }
    branch_fit_again(own, WALL_BRANCHES_MAX, &view, &fit);
    cr_assert(fit.count > 0 && fit.count <= FIT_BRANCHES_MAX);
    for (double f = 45; f <= wall.fmax; f *= 1.05) {
        const double wanted = wall_absorption_diffuse(wall_admittance_at(own, WALL_BRANCHES_MAX, f));
        cr_expect(test_near(seen(&wall, fit.branch, fit.count, f), wanted, 2 * allowed(wanted)), "%g Hz", f);
    }
}

Test(branch_fit_seen, walls_of_the_standard_scheme_are_fitted_unchanged)
{
    const double row[FIT_OCTAVES] = {0.36, 0.36, 0.44, 0.31, 0.29, 0.39, 0.25, 0.25};
    struct grid_wall wall = {.fmax = 20000, .distance = 0.5, .reach = 0.5};
    struct branch_fit plain, none, standard;
    MUST(time_step_choose(SCHEME_STANDARD, 0.01, SOUND, 0, &wall.step, &failure));
    const struct wall_view view = room_wall_view(&wall);
    MUST(branch_fit(row, 6, &plain, &failure));
    MUST(branch_fit_seen(row, NULL, 6, NULL, &none, &failure));
    MUST(branch_fit_seen(row, NULL, 6, &view, &standard, &failure));
    cr_assert(eq(sz, plain.count, none.count));
    cr_assert(memcmp(plain.branch, none.branch, plain.count * sizeof plain.branch[0]) == 0);
    for (double f = 45; f <= 11000; f *= 1.05) {
        const struct wall_admittance own = wall_admittance_at(plain.branch, plain.count, f),
                                     other = wall_admittance_at(standard.branch, standard.count, f);
        cr_assert(test_at_most(hypot(own.g - other.g, own.b - other.b) / hypot(own.g, own.b), 0.05), "%g Hz",
                  f);
    }
}
