/* The warp without an engine: sounds whose run of the isotropic scheme is known exactly. */
#include <complex.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/scheme/dispersion.h"
#include "src/signal/low_pass.h"
#include "src/signal/warp.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

#define PI    3.14159265358979323846
#define SPEED 343.2
#define FMAX  700.0
#define MODES 60

/* A room is its modes: (v+ - 2 v + v-) + s (v+ - v-) = lambda2 (a q - F_m v) for each. */
struct modes {
    struct time_step step;
    double kappa[MODES], strength[MODES], loss; /* s */
};

static struct time_step step_for(double points)
{
    struct time_step step;
    MUST(time_step_choose(SCHEME_ISOTROPIC, SPEED / (points * FMAX), SPEED, 0, &step, &failure));
    return step;
}

static struct modes modes_for(double points, double loss)
{
    struct modes modes = {.step = step_for(points), .loss = loss};
    uint64_t seed = 7;
    for (size_t m = 0; m < MODES; m++) {
        const double f = 40.0 + (1.12 * FMAX - 40.0) * (double)m / (MODES - 1) + test_uniform(&seed, -3, 3);
        modes.kappa[m] = dispersion_kappa_of(&modes.step, f);
        modes.strength[m] = test_uniform(&seed, 0.5, 1.0) * (m % 3 == 0 ? -1.0 : 1.0);
    }
    return modes;
}

static double *run_modes(const struct modes *modes, size_t steps)
{
    struct response_drive drive = {0};
    MUST(response_drive_make(&modes->step, FMAX, &drive, &failure));
    double *out = calloc(steps, sizeof *out);
    for (size_t m = 0; m < MODES; m++) {
        const double spring = modes->step.lambda2 * dispersion_symbol(modes->kappa[m]);
        double now = 0.0, moved = 0.0; /* v, v - v- */
        for (size_t n = 0; n < steps; n++) {
            out[n] += now;
            const double q = n < drive.count ? drive.sample[n] : 0.0;
            moved =
                ((1.0 - modes->loss) * moved + modes->step.lambda2 * modes->strength[m] * q - spring * now) /
                (1.0 + modes->loss);
            now += moved;
        }
    }
    response_drive_free(&drive);
    return out;
}

/* Seconds of a run to its number of steps. */
static size_t steps_of(const struct time_step *step, double seconds)
{
    return response_lead(step, FMAX) + (size_t)ceil(seconds * step->rate);
}

static double *warped(const struct time_step *step, const double *raw, size_t steps, double first,
                      bool gradient, size_t *samples, double *band_rate)
{
    struct warp warp = {0};
    const struct response_chain chain = {.step = *step, .fmax = FMAX};
    *samples = response_samples(&chain, steps);
    double *out = malloc((*samples + 1) * sizeof *out);
    MUST(warp_make(step, FMAX, steps, &warp, &failure));
    MUST(warp_apply(&warp, &raw, 1, &first, gradient, &out, *samples, &failure));
    *band_rate = warp.band_rate;
    warp_free(&warp);
    return out;
}

/* ---- what is expected, at a true frequency ---- */

static double complex high_pass(double f)
{
    const double complex s = I * f / 10.0;
    double complex all = 1.0;
    for (int pole = 0; pole < 4; pole++)
        all *= s / (s - cexp(I * PI * (5.0 + 2.0 * pole) / 8.0));
    return all;
}

static double low_pass(double f, double rate)
{
    struct low_pass filter = {0};
    static double tap[4000];
    static size_t half;
    if (half == 0) {
        MUST(low_pass_design(FMAX, rate, low_pass_lead(FMAX, rate), &filter, &failure));
        half = filter.lead;
        for (size_t k = 0; k <= half; k++)
            tap[k] = filter.tap[half + k];
        low_pass_free(&filter);
    }
    double sum = tap[0];
    for (size_t k = 1; k <= half; k++)
        sum += 2.0 * tap[k] * cos(2.0 * PI * f * (double)k / rate);
    return sum;
}

/* What the drive's own low-pass leaves of the band, which ends where that does. */
static double floor_of(const struct response_drive *drive, double theta)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < drive->count; n++)
        sum += drive->sample[n] * cexp(-I * theta * ((double)n - (double)drive->lead));
    const double level = cabs(sum / (1.0 - cexp(-I * theta)));
    return level * level / (level * level + WARP_FLOOR * WARP_FLOOR);
}

/* The transform of the response, but for the end of the run. */
static double complex response_at(const struct modes *modes, const struct response_drive *drive, double f,
                                  double band_rate)
{
    const double kappa = dispersion_kappa_of(&modes->step, f), theta = dispersion_theta(&modes->step, kappa);
    const double complex here =
        dispersion_symbol(kappa) - 2.0 * I * modes->loss * sin(theta) / modes->step.lambda2;
    double complex sum = 0.0;
    for (size_t m = 0; m < MODES; m++)
        sum += modes->strength[m] / (dispersion_symbol(modes->kappa[m]) - here);
    return 4.0 * PI * dispersion_symbol_slope(kappa) * sum * high_pass(f) * low_pass(f, band_rate) *
           floor_of(drive, theta);
}

Test(warp, a_damped_room_is_its_transform_at_true_frequencies_to_1e9)
{
    static const double points[] = {4.0, 5.0, 6.0};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        const struct modes modes = modes_for(points[p], 0.004);
        const size_t steps = steps_of(&modes.step, 1.7), lines = 4000, length = 1 << 17;
        double *raw = run_modes(&modes, steps), band_rate, most = 0.0, largest = 0.0;
        double complex *line = malloc(lines * sizeof *line);
        size_t samples;
        struct response_drive drive = {0};
        MUST(response_drive_make(&modes.step, FMAX, &drive, &failure));
        double *out = warped(&modes.step, raw, steps, 1.0, false, &samples, &band_rate);
        const size_t used = (size_t)(1.15 * FMAX * (double)length / RESPONSE_RATE);
        cr_assert(used < lines && samples > 60000);
        for (size_t k = 1; k <= used; k++)
            line[k] = response_at(&modes, &drive, (double)k * RESPONSE_RATE / (double)length, band_rate);
        for (size_t n = 0; n < samples; n += 331) {
            double wanted = 0.0;
            for (size_t k = 1; k <= used; k++) {
                const double angle = 2.0 * PI * (double)((k * n) % length) / (double)length;
                wanted += 2.0 * creal(line[k] * cexp(I * angle));
            }
            wanted /= (double)length;
            largest = fmax(largest, fabs(wanted));
            most = fmax(most, fabs(out[n] - wanted));
        }
        (void)fprintf(stderr, "damped room at %g points: %.1e of the largest off\n", points[p],
                      most / largest);
        cr_assert(most < 1e-9 * largest, "%g of %g", most, largest);
        response_drive_free(&drive);
        free(line);
        free(out);
        free(raw);
    }
}

/* Sum of sin(w t) / w, as the continuous room has it, band and high-pass being at their steady state. */
static double mode_sum(const struct modes *modes, double t, const double complex *gain)
{
    const double per_cell = modes->step.sound_speed / modes->step.spacing;
    double sum = 0.0;
    for (size_t m = 0; m < MODES; m++) {
        const double omega = modes->kappa[m] * per_cell;
        sum += modes->strength[m] * per_cell * per_cell / omega * cimag(gain[m] * cexp(I * omega * t));
    }
    return 4.0 * PI / RESPONSE_RATE * sum;
}

Test(warp, an_undamped_room_rings_with_its_true_modes_until_what_the_run_can_give_ends)
{
    static const double points[] = {4.0, 5.0, 6.0}, limit[] = {2e-3, 1e-4, 1e-5};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        const struct modes modes = modes_for(points[p], 0.0);
        const size_t steps = steps_of(&modes.step, 6.0);
        double *raw = run_modes(&modes, steps), band_rate;
        double complex gain[MODES];
        size_t samples;
        double *out = warped(&modes.step, raw, steps, 1.0, false, &samples, &band_rate);
        for (size_t m = 0; m < MODES; m++) {
            const double f = modes.kappa[m] * SPEED / modes.step.spacing / (2.0 * PI);
            gain[m] = high_pass(f) * low_pass(f, band_rate);
        }
        double square = 0.0, error[2] = {0.0, 0.0};
        for (size_t n = (size_t)(1.2 * RESPONSE_RATE); n < samples; n++) {
            const double wanted = mode_sum(&modes, (double)n / RESPONSE_RATE, gain);
            const bool late = (double)n > 0.9 * (double)samples;
            square = fmax(square, wanted * wanted);
            error[late] = fmax(error[late], fabs(out[n] - wanted));
        }
        (void)fprintf(stderr, "undamped room at %g points: %.1e of the largest off, %.1e in the last tenth\n",
                      points[p], error[0] / sqrt(square), error[1] / sqrt(square));
        cr_assert(error[0] < 1e-6 * sqrt(square) && error[1] < limit[p] * sqrt(square));
        free(out);
        free(raw);
    }
}
