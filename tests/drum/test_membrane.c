/* A membrane alone: its modes compared with the zeros of Bessel functions, and its energy. */
#include "tests/drum/membrane_modes.h"
#include "tests/support/test_support.h"

Test(membrane, modes_are_those_of_bessel_functions_to_second_order)
{
    /* Five points are late by (q g)^2 / 24 times 3/4, steps early by (omega k)^2 / 24, which is (q g)^2 / 4
     * of that at the finest pitch; what the rim adds is as small (membrane.h): under (q g)^2 / 24 in all, and
     * a quarter of it, or nearly, with twice the nodes. */
    const double speed = sqrt(membrane_usual.tension / membrane_usual.density);
    double worst[2] = {0};
    for (size_t mode = 0; mode < MEMBRANE_MODES; ++mode)
        for (int finer = 0; finer < 2; ++finer) {
            double nodes;
            const double q = membrane_mode[mode].zero,
                         found = membrane_off(mode, MEMBRANE_RADIUS / speed / (finer ? 82 : 41), 0, &nodes);
            const double unit = q * q / (24 * nodes * nodes);
            cr_assert(fabs(found) < unit, "(%d,%d): off by %g, (q g)^2/24 is %g", membrane_mode[mode].m,
                      membrane_mode[mode].n, found, unit);
            worst[finer] = fmax(worst[finer], fabs(found));
        }
    cr_assert(worst[1] < worst[0] / 3, "%g, with twice the nodes %g", worst[0], worst[1]);
}

/* Pressures of up to `most`, at times. */
static void expect_balance(double stretch, double most)
{
    struct membrane_kind lossy = membrane_usual;
    lossy.loss = 3;
    lossy.high_loss = 0.01;
    lossy.stretch = stretch;
    struct membrane membrane;
    MUST(membrane_make(&lossy, 5e-5, 0, &membrane, &failure));
    uint64_t random = 3;
    double start = 0, account = 0, largest = 0, taken = 0, rise = 0;
    for (int step = 0; step < 2000; ++step) {
        for (size_t n = 0; n < membrane.nodes && step % 200 < 2; ++n)
            membrane.pressure[membrane.node[n]] = step % 200 == 0 ? test_uniform(&random, -most, most) : 0;
        membrane_step(&membrane);
        taken += membrane_lost(&membrane);
        account += membrane_gained(&membrane) - membrane_lost(&membrane);
        const double now = membrane_energy(&membrane);
        largest = fmax(largest, now);
        rise = fmax(rise, membrane.rise);
        cr_assert(fabs(now - start - account) <= 1e-12 * largest, "step %d: %g of %g J", step, now - account,
                  largest);
    }
    cr_assert(taken > largest, "losses took %g J of %g", taken, largest);
    cr_assert(stretch == 0 ? rise == 0 : rise > membrane_usual.tension, "the tension rose by %g N/m", rise);
    membrane_free(&membrane);
}

Test(membrane, losses_and_pressure_account_for_every_change_of_its_energy)
{
    expect_balance(0, 100);
    expect_balance(4.2e5, 1e6); /* 1e6 Pa stretch it far beyond what a membrane bears */
}

/* One mode is Duffing's oscillator, q'' + a q + b q^3 = 0: from rest at q = 1 its period is 4 K(m) /
 * sqrt(a + b), m = b / (2 (a + b)), with K by the arithmetic-geometric mean (Abramowitz and Stegun 17.6). */
Test(membrane, a_mode_with_stretch_has_the_period_of_duffings_oscillator)
{
    const double q = membrane_mode[0].zero / MEMBRANE_RADIUS, height = 16e-3, k = 2e-5;
    struct membrane_kind kind = membrane_usual;
    kind.stretch = 4.2e5;
    struct membrane membrane;
    MUST(membrane_make(&kind, k, 0, &membrane, &failure));
    const double mean_square = pow(height * bessel_j(1, membrane_mode[0].zero), 2); /* of the displacement */
    const double a = q * q * kind.tension / kind.density,
                 b = q * q * kind.stretch * q * q * mean_square / kind.density, m = b / (2 * (a + b));
    double one = 1, other = sqrt(1 - m);
    for (int n = 0; n < 8; ++n) {
        const double mean = (one + other) / 2;
        other = sqrt(one * other);
        one = mean;
    }
    const double period = 2 * 3.14159265358979323846 / (one * sqrt(a + b));
    for (size_t n = 0; n < membrane.nodes; ++n) {
        const size_t at = membrane.node[n];
        const double x = ((double)(at % membrane.side) - (double)membrane.middle) * membrane.pitch,
                     y = ((double)(at / membrane.side) - (double)membrane.middle) * membrane.pitch;
        membrane.w[at] = height * bessel_j(0, q * hypot(x, y));
        membrane.w_old[at] = membrane.w[at] * (1 - (a + b) * k * k / 2);
    }
    /* The first fall through 0 at the centre, and the one ten periods later. */
    const size_t centre = membrane.middle * membrane.side + membrane.middle;
    double first = 0, last = 0;
    for (int step = 0, falls = 0; falls <= 10; ++step) {
        cr_assert(step < 100000);
        membrane_step(&membrane);
        const double now = membrane.w[centre], before = membrane.w_old[centre];
        if (before >= 0 && now < 0) {
            last = step + before / (before - now);
            first = falls++ == 0 ? last : first;
        }
    }
    cr_assert(m > 0.1, "m is %g", m);
    cr_assert(test_near((last - first) * k / (10 * period), 1, 1e-3), "%g s, %g expected",
              (last - first) * k / 10, period);
    membrane_free(&membrane);
}

/* ---- a hard stroke, in modes --------------------------------------------------------------------------- */

enum { ORDERS = 12, RADIAL = 8, SERIES = ORDERS * RADIAL, PARTS = 4 };

#define FELT 0.06 /* radius of what strikes; under a point the slope would have no bound [m] */

/* Modes J_m(q r) cos m theta of a membrane that is struck about (x, 0). The mean of a mode over a disc is its
 * value at the middle times 2 J1(q FELT) / (q FELT). */
struct series {
    double square[SERIES], norm[SERIES], there[SERIES]; /* q^2; integral of the shape's square; that mean */
    double now[SERIES], speed[SERIES];
};

static void make_series(double x, struct series *out)
{
    const double area = 3.14159265358979323846 * MEMBRANE_RADIUS * MEMBRANE_RADIUS;
    *out = (struct series){0};
    for (int m = 0; m < ORDERS; ++m)
        for (int n = 0; n < RADIAL; ++n) {
            const double zero = bessel_zero(m, n + 1), end = bessel_j(m + 1, zero);
            const int i = m * RADIAL + n;
            out->square[i] = zero * zero / (MEMBRANE_RADIUS * MEMBRANE_RADIUS);
            out->norm[i] = area * end * end * (m > 0 ? 0.5 : 1);
            const double felt = FELT * zero / MEMBRANE_RADIUS;
            out->there[i] = bessel_j(m, zero * x / MEMBRANE_RADIUS) * 2 * bessel_j(1, felt) / felt;
        }
}

/* Y times the mean square slope [N/m]. */
static double series_rise(const struct series *series, double stretch)
{
    double sum = 0;
    for (int i = 0; i < SERIES; ++i)
        sum += series->square[i] * series->norm[i] * series->now[i] * series->now[i];
    return stretch / (3.14159265358979323846 * MEMBRANE_RADIUS * MEMBRANE_RADIUS) * sum;
}

/* By velocity and place in turn, both second order. */
static void step_series(struct series *series, const struct membrane_kind *kind, double force, double k)
{
    const double tension = kind->tension + series_rise(series, kind->stretch);
    for (int i = 0; i < SERIES; ++i)
        series->speed[i] +=
            k / kind->density *
            (force * series->there[i] / series->norm[i] - tension * series->square[i] * series->now[i]);
    for (int i = 0; i < SERIES; ++i)
        series->now[i] += k * series->speed[i];
}

static bool is_under_felt(const struct membrane *membrane, size_t place, double x)
{
    const double middle = (double)membrane->middle, g = membrane->pitch;
    return hypot(((double)(place % membrane->side) - middle) * g - x,
                 ((double)(place / membrane->side) - middle) * g) < FELT;
}

Test(membrane, a_hard_stroke_raises_the_tension_as_the_modes_of_its_equation_do)
{
    const double k = 2e-5, contact = 4e-3, force = 300;
    static struct series series;
    struct membrane_kind kind = membrane_usual;
    kind.stretch = 4.2e5;
    struct membrane membrane;
    MUST(membrane_make(&kind, k, 0, &membrane, &failure));
    const double x = 0.7 * MEMBRANE_RADIUS, g = membrane.pitch;
    size_t under = 0;
    for (size_t n = 0; n < membrane.nodes; ++n)
        under += is_under_felt(&membrane, membrane.node[n], x);
    make_series(x, &series);
    double peak = 0, off = 0, mean[2] = {0};
    for (int step = 0; step < 2500; ++step) {
        const double since = step * k;
        const double push =
            since < contact ? -force / 2 * (1 - cos(2 * 3.14159265358979323846 * since / contact)) : 0;
        const double expected = series_rise(&series, kind.stretch);
        for (size_t n = 0; n < membrane.nodes; ++n)
            if (is_under_felt(&membrane, membrane.node[n], x))
                membrane.pressure[membrane.node[n]] = push / ((double)under * g * g);
        membrane_step(&membrane);
        for (int part = 0; part < PARTS; ++part)
            step_series(&series, &kind, push, k / PARTS);
        peak = fmax(peak, expected);
        off = fmax(off, fabs(membrane.rise - expected));
        mean[0] += expected;
        mean[1] += membrane.rise;
    }
    cr_assert(peak > 0.2 * kind.tension, "%g N/m", peak);
    cr_assert(off < 0.03 * peak && test_near(mean[1] / mean[0], 1, 0.01), "peak %g, off %g, means %g %g",
              peak, off, mean[0], mean[1]);
    membrane_free(&membrane);
}

Test(membrane, a_time_step_that_it_cannot_take_is_refused)
{
    struct membrane membrane;
    MUST_FAIL(membrane_make(&membrane_usual, 1e-3, 0, &membrane, &failure), FAILURE_INPUT,
              "take a finer grid");
    MUST_FAIL(membrane_make(&(struct membrane_kind){.radius = 0.3, .tension = 4000, .density = -1}, 1e-5, 0,
                            &membrane, &failure),
              FAILURE_INPUT, "a surface density of -1 kg/m2: it must be above 0");
}
