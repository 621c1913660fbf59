/* The warp without an engine: sounds whose run of the isotropic scheme is known exactly. */
#include <complex.h>
#include <malloc.h>

#include "kernels/scheme/dispersion.h"
#include "src/response/signal/response.h"
#include "src/response/signal/warp.h"
#include "tests/support/outcome.h"
#include "tests/support/driven.h"

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
                      bool gradient, size_t *samples)
{
    struct warp warp = {0};
    const struct response_chain chain = {.step = *step, .fmax = FMAX};
    *samples = response_samples(&chain, steps);
    double *out = malloc((*samples + 1) * sizeof *out);
    MUST(warp_make(step, FMAX, response_lead(step, FMAX), steps, RESPONSE_RATE, &warp, &failure));
    MUST(warp_apply(&warp, &raw, 1, &first, gradient, &out, *samples, &failure));
    warp_free(&warp);
    return out;
}

/* ---- what is expected, at a true frequency ---- */

/* The transform of the response, but for the end of the run. */
static double complex response_at(const struct modes *modes, const struct response_drive *drive, double f)
{
    const double kappa = dispersion_kappa_of(&modes->step, f), theta = dispersion_theta(&modes->step, kappa);
    const double complex here =
        dispersion_symbol(kappa) - 2.0 * I * modes->loss * sin(theta) / modes->step.lambda2;
    double complex sum = 0.0;
    for (size_t m = 0; m < MODES; m++)
        sum += modes->strength[m] / (dispersion_symbol(modes->kappa[m]) - here);
    return 4.0 * PI * dispersion_symbol_slope(kappa) * sum * response_band_high(f) *
           response_band_drive(drive, theta);
}

Test(warp, a_damped_room_is_its_transform_at_true_frequencies_to_1e9)
{
    static const double points[] = {4.0, 5.0, 6.0};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        const struct modes modes = modes_for(points[p], 0.004);
        const size_t steps = steps_of(&modes.step, 1.7), lines = 4000, length = 1 << 17;
        double *raw = run_modes(&modes, steps), most = 0.0, largest = 0.0;
        double complex *line = malloc(lines * sizeof *line);
        size_t samples;
        struct response_drive drive = {0};
        MUST(response_drive_make(&modes.step, FMAX, &drive, &failure));
        double *out = warped(&modes.step, raw, steps, 1.0, false, &samples);
        const size_t used = (size_t)(1.15 * FMAX * (double)length / RESPONSE_RATE);
        cr_assert(used < lines && samples > 60000);
        for (size_t k = 1; k <= used; k++)
            line[k] = response_at(&modes, &drive, (double)k * RESPONSE_RATE / (double)length);
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
        double *raw = run_modes(&modes, steps);
        double complex gain[MODES];
        size_t samples;
        double *out = warped(&modes.step, raw, steps, 1.0, false, &samples);
        for (size_t m = 0; m < MODES; m++) {
            const double f = modes.kappa[m] * SPEED / modes.step.spacing / (2.0 * PI);
            gain[m] = response_band_high(f) * response_band_low(&modes.step, FMAX, f);
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

/* ---- a wave that spreads from a point ---- */

/* What a run in free field puts out at `r` metres, or of it the derivative along the way of the sound: its
 * transform at all angles is known. */
static double *run_wave(const struct time_step *step, double r, bool slope, size_t steps)
{
    struct response_drive drive = {0};
    struct fourier fourier = {0};
    double complex *value = calloc(steps, sizeof *value);
    double *out = malloc(steps * sizeof *out);
    MUST(response_drive_make(step, FMAX, &drive, &failure));
    MUST(fourier_make(steps, &fourier, &failure));
    for (size_t n = 0; n < drive.count; n++)
        value[n] = drive.sample[n];
    fourier_forward(&fourier, value);
    value[0] = value[steps / 2] = 0.0;
    for (size_t k = 1; k < steps / 2; k++) {
        const double kappa = dispersion_kappa(step, 2.0 * PI * (double)k / (double)steps);
        if (isnan(kappa)) /* 106 dB down */
            value[k] = 0.0;
        else
            value[k] *= cexp(-I * kappa * r / step->spacing) /
                        (4.0 * PI * r * dispersion_symbol_slope(kappa)) *
                        (slope ? I * kappa / step->spacing : 1.0);
        value[steps - k] = conj(value[k]);
    }
    fourier_inverse(&fourier, value);
    for (size_t n = 0; n < steps; n++)
        out[n] = creal(value[n]);
    fourier_free(&fourier);
    response_drive_free(&drive);
    free(value);
    return out;
}

static double complex spectrum(const double *x, size_t count, double f)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += x[n] * cexp(-2.0 * PI * I * f * (double)n / RESPONSE_RATE);
    return sum;
}

Test(warp, sound_is_1_over_r_at_r_over_c_and_so_is_its_gradient_towards_the_source)
{
    const double r = 12.3;
    double most = 0.0;
    for (int slope = 0; slope < 2; slope++) {
        const struct time_step step = step_for(5.0);
        const size_t steps = 1 << 14;
        size_t samples;
        double *raw = run_wave(&step, r, slope == 1, steps);
        double *out = warped(&step, raw, steps, r / SPEED, slope == 1, &samples);
        for (double f = 30.0; f <= FMAX; f *= 1.03) {
            const double complex got = r * cexp(2.0 * PI * I * f * r / SPEED) * spectrum(out, samples, f) /
                                       (response_band_high(f) * response_band_low(&step, FMAX, f));
            most = fmax(most, cabs(got - 1.0));
        }
        free(raw);
        free(out);
    }
    (void)fprintf(stderr, "a spreading wave: %.1e off\n", most);
    cr_assert(most < 3e-5, "%g", most); /* what the low-pass rings before the emission is cut off */
}

/* Less than the low-pass rings before the first sound. */
Test(warp, near_the_source_the_level_stays_and_the_phase_gives_way)
{
    double most = 0.0;
    for (double r = 0.35; r < 6.0; r *= 2.0) {
        const struct time_step step = step_for(5.0);
        const size_t steps = 1 << 13;
        size_t samples;
        double *raw = run_wave(&step, r, false, steps);
        double *out = warped(&step, raw, steps, r / SPEED, false, &samples);
        for (double f = 30.0; f <= FMAX; f *= 1.05)
            most =
                fmax(most, fabs(20.0 * log10(r * cabs(spectrum(out, samples, f) / response_band_high(f)))));
        cr_assert(cabs(r * cexp(2.0 * PI * I * 60.0 * r / SPEED) * spectrum(out, samples, 60.0) /
                           response_band_high(60.0) -
                       1.0) < 0.2);
        free(raw);
        free(out);
    }
    (void)fprintf(stderr, "near the source: %.3f dB\n", most);
    cr_assert(most < 0.1, "%g dB", most);
}

/* ---- drives and refusals ---- */

Test(warp, a_drive_is_100_db_down_where_a_run_has_nothing_to_hear)
{
    static const double points[] = {4.0, 5.0, 7.0};
    double ripple = 0.0, worst = -INFINITY;
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        struct response_drive drive = {0};
        const struct time_step step = step_for(points[p]);
        MUST(response_drive_make(&step, FMAX, &drive, &failure));
        const double pass = 2.0 * PI * dispersion_numerical(&step, FMAX) / step.rate;
        const double stop = 2.0 * PI * dispersion_numerical(&step, 1.15 * FMAX) / step.rate;
        cr_assert(eq(sz, drive.lead, response_lead(&step, FMAX)));
        for (double theta = 0.01; theta < PI; theta += 0.003) {
            const double level = 20.0 * log10(fabs(response_band_drive(&drive, theta)));
            ripple = theta <= pass ? fmax(ripple, fabs(level)) : ripple;
            worst = theta >= stop ? fmax(worst, level) : worst;
        }
        response_drive_free(&drive);
    }
    (void)fprintf(stderr, "drive: ripple %.1e dB, stop band %.1f dB\n", ripple, worst);
    cr_assert(ripple < 1e-3 && worst <= -100.0, "%g and %g dB", ripple, worst);
}

Test(warp, a_band_past_what_the_scheme_carries_along_an_axis_is_refused)
{
    struct time_step step = step_for(2.7);
    MUST(response_check(&step, FMAX, &failure));
    step = step_for(2.6);
    MUST_FAIL(response_check(&step, FMAX, &failure), FAILURE_INPUT, "along an axis");
    struct response_drive drive = {0};
    MUST_FAIL(response_drive_make(&step, FMAX, &drive, &failure), FAILURE_INPUT, "700 Hz");
}

/* One warp for all, or one each; in groups or alone. */
/* Bytes that are allocated. */
static double allocated(void)
{
    const struct mallinfo2 now = mallinfo2();
    return (double)now.uordblks + (double)now.hblkhd;
}

/* What several at once work in is told beside what they share. */
Test(warp, its_memory_is_what_is_told_before_there_is_any)
{
#if defined(__SANITIZE_ADDRESS__)
    cr_skip_test("the heap of AddressSanitizer is not counted");
#endif
    struct time_step step;
    struct warp warp = {0};
    MUST(time_step_choose(SCHEME_ISOTROPIC, 0.04, 343.2, 0.7746, &step, &failure));
    for (int n = 0; n < 3; n++) {
        static const double fmax[3] = {1420, 700, 1420};
        static const size_t steps[3] = {20000, 20000, 90000};
        const double before = allocated();
        MUST(warp_make(&step, fmax[n], 100, steps[n], RESPONSE_RATE, &warp, &failure));
        const double shared = allocated() - before,
                     told = warp_bytes(&step, fmax[n], (double)steps[n], RESPONSE_RATE, 0);
        cr_assert(test_near(shared / told, 1, 0.05), "%g bytes, %g told", shared, told);
        const double one = warp_bytes(&step, fmax[n], (double)steps[n], RESPONSE_RATE, 1) - told;
        cr_assert(one > (double)(warp.whole.length + 2 * warp.lines + warp.angles.fine.length) * 16);
        warp_free(&warp);
    }
}

Test(warp, shared_and_grouped_responses_are_those_of_one)
{
    enum { ROWS = 3 };
    const struct time_step step = step_for(5.0);
    const size_t steps = 3000;
    struct warp warp = {0};
    struct air air = {20, 50, 101.325};
    struct response_chain chain = {.step = step, .fmax = FMAX, .method = AIR_MODAL, .air = &air};
    const double *raw[ROWS], first[ROWS] = {0.5, 0.001, 0.5};
    float *together, *alone;
    size_t samples;
    for (size_t c = 0; c < ROWS; c++)
        raw[c] = run_wave(&step, 5.0 + (double)c, false, 4096);
    cr_assert(eq(sz, samples = response_samples(&chain, steps),
                 (size_t)ceil(response_share(&step, FMAX) * (double)(steps - response_lead(&step, FMAX)) *
                              RESPONSE_RATE / step.rate)));
    together = malloc(samples * ROWS * sizeof *together);
    MUST(warp_make(&step, FMAX, response_lead(&step, FMAX), steps, RESPONSE_RATE, &warp, &failure));
    chain.warp = &warp;
    MUST(response_make_group(&chain, raw, ROWS, steps, first, together, &failure));
    chain.warp = NULL;
    for (size_t c = 0; c < ROWS; c++) {
        double largest = 0.0, most = 0.0;
        MUST(response_make(&chain, raw[c], steps, first[c], &alone, &samples, &failure));
        for (size_t n = 0; n < samples; n++) {
            largest = fmax(largest, fabs((double)alone[n]));
            most = fmax(most, fabs((double)alone[n] - (double)together[n * ROWS + c]));
        }
        cr_assert(largest > 0.0 && most <= 1e-7 * largest, "%g of %g", most, largest);
        free(alone);
        free((double *)(uintptr_t)raw[c]);
    }
    warp_free(&warp);
    free(together);
}
