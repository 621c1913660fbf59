/* The chain from the engine's output to a calibrated impulse response, against its own definitions: every
 * filter by its transfer function, evaluated here from taps and samples, and the whole by the spectrum and
 * time of arrival of a pulse put in by hand. */
#include <complex.h>

#include "src/response/signal/integrator.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/response.h"
#include "tests/support/driven.h"
#include "tests/support/outcome.h"
#include "tests/support/sounds.h"

#define PI 3.14159265358979323846

/* Rate of the engine at the default 10.5 points per wavelength and Courant number. */
static double rate_for(double fmax)
{
    return fmax * 10.5 * sqrt(3.0) / 0.999;
}

static double decibel(double complex value)
{
    return 20.0 * log10(cabs(value));
}

/* sum x[n] exp(-2 pi j f (n - zero) / rate) */
static double complex spectrum(const double *x, size_t count, double zero, double f, double rate)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += x[n] * cexp(-2.0 * PI * I * f / rate * ((double)n - zero));
    return sum;
}

Test(response, the_low_pass_is_flat_to_fmax_and_60_dB_down_from_1_15_fmax_and_symmetric_where_it_has_room)
{
    const double points[] = {2.4, 6.0, 18.205, 91.3};                      /* rate over fmax */
    const double leads[] = {0.0, 0.5157, 1.0, 2.07, 4.0, 8.3, 13.0, 20.0}; /* periods of fmax */
    double worst_pass = 0.0, worst_stop = -INFINITY;
    for (size_t p = 0; p < sizeof points / sizeof points[0]; p++) {
        for (size_t l = 0; l < sizeof leads / sizeof leads[0]; l++) {
            struct low_pass filter = {0};
            const size_t lead = (size_t)(leads[l] * points[p]);
            MUST(low_pass_design(1.0, points[p], lead, &filter, &failure));
            cr_assert(filter.lead <= lead && (double)filter.lead < LOW_PASS_REACH * points[p] + 1.0,
                      "the filter responds earlier than it may");
            for (size_t k = 0; lead >= low_pass_lead(1.0, points[p]) && k < filter.count; k++)
                cr_assert(filter.count == 2 * filter.lead + 1 &&
                          filter.tap[k] == filter.tap[filter.count - 1 - k]);
            for (double f = 0.0; f <= 1.0; f += 0.004) {
                const double level = decibel(spectrum(filter.tap, filter.count, 0.0, f, points[p]));
                cr_assert(test_near(level, 0.0, 0.02), "%g dB at %g fmax, rate %g, lead %zu", level, f,
                          points[p], lead);
                worst_pass = fmax(worst_pass, fabs(level));
            }
            for (double f = 1.15; f <= 0.5 * points[p]; f += f < 1.4 ? 0.003 : 0.037) {
                const double level = decibel(spectrum(filter.tap, filter.count, 0.0, f, points[p]));
                cr_assert(level <= (f < 2.0 ? -60.0 : -80.0), "%g dB at %g fmax, rate %g, lead %zu", level, f,
                          points[p], lead);
                worst_stop = fmax(worst_stop, level);
            }
            low_pass_free(&filter);
        }
    }
    (void)fprintf(stderr, "low-pass: ripple %.4f dB, stop band %.1f dB\n", worst_pass, worst_stop);
}

/* What drives a run, and what is behind the emission of it. */
Test(response, a_drive_is_the_low_pass_differenced_and_of_zero_mean)
{
    const double highest[] = {177.0, 1420.0, 150.0}, rates[] = {3222.0, 25852.0, 9000.0};
    for (size_t h = 0; h < 3; h++) {
        struct response_drive drive = {0};
        double sum = 0.0, largest = 0.0;
        const struct time_step step = step_at(rates[h]);
        MUST(response_drive_make(&step, highest[h], &drive, &failure));
        cr_assert(drive.lead == response_lead(&step, highest[h]) && drive.count == 2 * drive.lead + 2);
        cr_assert(
            test_near((double)drive.lead, LOW_PASS_REACH / highest[h] * rates[h], 0.01 * (double)drive.lead));
        for (size_t n = 0; n < drive.count; n++) {
            sum += drive.sample[n];
            largest = fmax(largest, fabs(drive.sample[n]));
        }
        cr_assert(test_near(sum, 0.0, 1e-15 * largest * (double)drive.count));
        for (double f = 20.0; f < 0.5 * rates[h]; f *= 1.05) {
            const double complex got = spectrum(drive.sample, drive.count, (double)drive.lead, f, rates[h]) /
                                       (1.0 - cexp(-2.0 * PI * I * f / rates[h]));
            const double wanted = f <= highest[h] ? 1.0 : 0.0;
            const double apart = f <= highest[h] ? 0.002 : f < 1.15 * highest[h] ? 1.0 : 0.001;
            cr_assert(test_near(cabs(got - wanted), 0.0, apart), "%g Hz: %g", f, cabs(got));
        }
        response_drive_free(&drive);
    }
}

/* The table in low_pass.h, and that the phase vanishes with growing lead. */
Test(response, a_short_lead_bends_the_phase_by_no_more_than_documented)
{
    const double lead[] = {1.0, 2.0, 4.0, 8.0};
    const double limit[][3] = {
        {0.24, 0.46, 1.0}, {0.05, 0.10, 0.05}, {0.02, 0.03, 0.06}, {0.005, 0.01, 0.02}};
    const double f[] = {1.0 / 3.0, 0.5, 0.7};
    for (size_t l = 0; l < 4; l++) {
        struct low_pass filter = {0};
        MUST(low_pass_design(1.0, 20.0, (size_t)(20.0 * lead[l]), &filter, &failure));
        for (size_t n = 0; n < 3; n++) {
            const double phase = carg(spectrum(filter.tap, filter.count, (double)filter.lead, f[n], 20.0));
            cr_assert(fabs(phase) <= limit[l][n], "%g rad at %g fmax, lead %g", phase, f[n], lead[l]);
        }
        low_pass_free(&filter);
    }
}

/* Overlap-add against the sum that defines it. */
Test(response, filtering_by_transforms_is_the_convolution)
{
    enum { COUNT = 3001 };
    struct low_pass filter = {0};
    MUST(low_pass_design(300.0, 3000.0, 17, &filter, &failure));
    double x[COUNT], y[COUNT];
    uint64_t seed = 5;
    for (int n = 0; n < COUNT; n++)
        y[n] = x[n] = test_uniform(&seed, -1.0, 1.0);
    MUST(low_pass_apply(&filter, y, COUNT, &failure));
    for (int n = 0; n < COUNT; n++) {
        double sum = 0.0;
        for (size_t k = 0; k < filter.count; k++) {
            const long at = n + (long)filter.lead - (long)k;
            if (at >= 0 && at < COUNT)
                sum += filter.tap[k] * x[at];
        }
        cr_assert(test_near(y[n], sum, 1e-13), "sample %d: %g for %g", n, y[n], sum);
    }
    low_pass_free(&filter);
}

/* From 10 Hz up at every rate the engine may have: near z = 1 the poles lie within 1e-4 of the unit circle.
 */
Test(response, the_integrator_undoes_the_drive_and_is_a_butterworth_high_pass)
{
    const double rates[] = {400.0, 3222.25, 48000.0, 205706.5, 400000.0};
    const double f[] = {1.0, 5.0, 10.0, 20.0, 30.0, 90.0};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        struct integrator integrator;
        integrator_make(rates[r], &integrator);
        const size_t count = (size_t)(1.5 * rates[r]);
        double *x = calloc(count, sizeof *x);
        x[0] = 1.0;
        x[1] = -1.0;
        integrator_run(&integrator, x, count);
        for (size_t n = 0; n < sizeof f / sizeof f[0]; n++) {
            const double complex got = spectrum(x, count, 0.0, f[n], rates[r]);
            cr_assert(cabs(got - high_pass(f[n], rates[r])) < 1e-8, "rate %g, %g Hz: off by %g", rates[r],
                      f[n], cabs(got - high_pass(f[n], rates[r])));
        }
        cr_assert(fabs(decibel(spectrum(x, count, 0.0, 10.0, rates[r])) + 10.0 * log10(2.0)) < 1e-6);
        free(x);
    }
}

/* Once more integrated, by the trapezoidal rule. */
Test(response, integrating_twice_is_the_trapezoidal_sum_of_integrating_once)
{
    const double rates[] = {400.0, 3222.25, 25852.0, 205706.5};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        struct integrator once, twice;
        integrator_make(rates[r], &once);
        integrator_make(rates[r], &twice);
        double sum = 0.0, before = 0.0, largest = 0.0, worst = 0.0;
        uint64_t seed = 3;
        for (int n = 0; n < 20000; n++) {
            double x = test_uniform(&seed, -1.0, 1.0), y = x;
            integrator_run(&once, &x, 1);
            integrator_run_twice(&twice, &y, 1);
            sum += 0.5 * (x + before);
            before = x;
            largest = fmax(largest, fabs(sum));
            worst = fmax(worst, fabs(y - sum));
        }
        cr_assert(test_at_most(worst, 1e-9 * largest), "rate %g: %g of %g", rates[r], worst, largest);
    }
}

/* A drift in the engine's output (which fp32 rounding leaves) must die out, not grow; in a gradient too,
 * where it grows in proportion to time. */
Test(response, a_constant_output_or_gradient_leaves_no_drift)
{
    for (int gradient = 0; gradient < 2; gradient++) {
        struct integrator integrator;
        integrator_make(12886.0, &integrator);
        double value = 0.0;
        for (int n = 0; n < 12886 * 2; n++) {
            value = 1.0;
            (gradient ? integrator_run_twice : integrator_run)(&integrator, &value, 1);
        }
        cr_assert(fabs(value) < (gradient ? 1e-4 : 1e-6), "%g", value);
    }
}

/* From what a receiver gets of the drive (1, -1). */
static float *make(const double *raw, size_t count, double rate, double fmax, double first, size_t *out_count)
{
    const struct response_chain chain = {.step = step_at(rate), .fmax = fmax, .method = AIR_OFF};
    float *out = driven_response(&chain, raw, count, first, out_count);
    cr_assert(ceil((double)count * 48000.0 / rate) == (double)*out_count);
    return out;
}

/* What a pulse of area 1 / (4 pi r) gives of that drive, band-limited to 0.4 of the rate, at a sample or
 * between two of them; (count). */
#define REACH 120
static double *pulse(size_t count, double at, double r)
{
    double *raw = calloc(count, sizeof *raw);
    cr_assert(raw != NULL);
    for (size_t n = (size_t)at - REACH; n <= (size_t)at + REACH; n++) {
        const double x = (double)n - at, window = 0.5 + 0.5 * cos(PI * x / (REACH + 1.0)),
                     turn = 0.8 * PI * x;
        const double sample = 0.8 * (fabs(turn) < 1e-9 ? 1 : sin(turn) / turn) * window / (4.0 * PI * r);
        raw[n] += sample;
        raw[n + 1] -= sample;
    }
    return raw;
}

/* At 48 kHz its spectrum has magnitude 1/r, and but for the known high-pass its phase is that of its time. */
Test(response, a_pulse_between_samples_keeps_its_spectrum_to_0_01_dB_and_its_time_to_2_us)
{
    const double highest[] = {177.0, 355.0, 710.0, 2840.0, 11300.0, 3000.0};
    double worst_level = 0.0, worst_time = 0.0;
    for (size_t h = 0; h < sizeof highest / sizeof highest[0]; h++) {
        const double limit = highest[h];
        const double rate = h == 5 ? 400000.0 : rate_for(limit); /* a grid much finer than fmax needs */
        const double time = 14.0 / limit + (REACH + 0.37) / rate, r = 25.0;
        const size_t count = (size_t)((time + 0.6) * rate);
        size_t out_count = 0;
        double *raw = pulse(count, time * rate, r);
        float *out = make(raw, count, rate, limit, 14.0 / limit, &out_count);
        for (double f = 30.0; f < 0.98 * limit; f *= 1.13) {
            const double complex got = spectrum_at(out, out_count, f, 48000.0) / high_pass(f, rate) * r;
            const double late = -carg(got * cexp(2.0 * PI * I * f * time)) / (2.0 * PI * f);
            cr_assert(test_near(decibel(got), 0.0, 0.01), "fmax %g, %g Hz: %g dB", limit, f, decibel(got));
            cr_assert(test_near(late, 0.0, 2e-6), "fmax %g, %g Hz: %g us late", limit, f, 1e6 * late);
            worst_level = fmax(worst_level, fabs(decibel(got)));
            worst_time = fmax(worst_time, fabs(late));
        }
        free(out);
        free(raw);
    }
    (void)fprintf(stderr, "whole chain: %.4f dB, %.3f us\n", worst_level, 1e6 * worst_time);
}

/* The same pulse after r metres of air: each frequency has lost what ISO 9613-1 says, and no time. Not lost
 * once more in rate conversion, nor from another moment than the emission on. */
Test(response, a_pulse_has_lost_what_the_air_takes_on_its_way)
{
    static const struct air air[] = {{20, 50, 101.325}, {5, 20, 95}};
    static const double highest[] = {355, 2840, 11300}, metres[] = {15, 60, 400};
    double worst[2] = {0};
    for (size_t h = 0; h < 3; h++)
        for (size_t d = 0; d < 3; d++)
            for (size_t a = 0; a < 2; a++) {
                struct air_losses losses;
                air_losses_make(&air[a], &losses);
                const double limit = highest[h], rate = rate_for(limit);
                const double time = fmax(metres[d] / losses.sound_speed, 14.0 / limit + REACH / rate);
                const double r = time * losses.sound_speed;
                const size_t count = (size_t)((time + 0.5) * rate);
                double *raw = pulse(count, time * rate, r);
                for (int method = AIR_MODAL; method <= AIR_FAST; method++) {
                    const struct response_chain chain = {.step = step_at(rate),
                                                         .fmax = limit,
                                                         .method = (enum air_method)method,
                                                         .air = &air[a]};
                    size_t length = 0;
                    float *out = driven_response(&chain, raw, count, time - REACH / rate, &length);
                    for (double f = 40.0; f < 0.98 * limit; f *= 1.3) {
                        const double loss = r * air_losses_decibels(&losses, f);
                        const double complex got =
                            spectrum_at(out, length, f, 48000.0) / high_pass(f, rate) * r;
                        const double late = -carg(got * cexp(2.0 * PI * I * f * time)) / (2.0 * PI * f);
                        cr_assert(loss > 40 || test_near(decibel(got), -loss, 0.01),
                                  "fmax %g, %g m, %g Hz, method %d: %g for %g dB", limit, r, f, method,
                                  decibel(got), -loss);
                        cr_assert(loss > 40 || test_near(late, 0.0, 2e-5), "fmax %g, %g m, %g Hz: %g us late",
                                  limit, r, f, 1e6 * late);
                        if (loss <= 40)
                            worst[method] = fmax(worst[method], fabs(decibel(got) + loss));
                    }
                    free(out);
                }
                free(raw);
            }
    (void)fprintf(stderr, "air: %.4f dB off, fast %.4f dB\n", worst[AIR_MODAL], worst[AIR_FAST]);
}

/* At 1 m the pulse is 2.9 ms after the emission, up to half a period of fmax: where a zero-phase filter
 * would lose what rings before sample 0. */
Test(response, at_1_m_and_nearer_the_spectrum_is_1_over_r_although_the_file_begins_with_the_emission)
{
    const double highest[] = {177.0, 355.0, 710.0, 1420.0, 2840.0};
    const double distance[] = {0.3, 1.0, 2.5, 10.0};
    double worst = 0.0;
    for (size_t h = 0; h < 5; h++) {
        for (size_t d = 0; d < 4; d++) {
            const double limit = highest[h], r = distance[d], rate = rate_for(limit);
            const size_t count = (size_t)(0.7 * rate), at = (size_t)(r / 343.2 * rate);
            double *raw = calloc(count, sizeof *raw);
            raw[at] = 1.0 / (4.0 * PI * r);
            raw[at + 1] = -raw[at];
            size_t out_count = 0;
            float *out = make(raw, count, rate, limit, r / 343.2, &out_count);
            for (double f = 30.0; f <= limit; f *= 1.07) {
                const double level = decibel(spectrum_at(out, out_count, f, 48000.0) * r);
                cr_assert(test_near(level, 0.0, 0.03), "fmax %g, %g m, %g Hz: %g dB", limit, r, f, level);
                worst = fmax(worst, fabs(level));
            }
            free(out);
            free(raw);
        }
    }
    (void)fprintf(stderr, "1/r near the source: %.4f dB\n", worst);
}

/* What is dropped before sample 0, where sound arrives within the reach of the low-pass. */
Test(response, at_a_near_receiver_nothing_is_left_before_the_emission)
{
    const double limit = 355.0, rate = rate_for(limit);
    const size_t lead = low_pass_lead(limit, rate);
    double worst = 0.0;
    struct low_pass_roots roots = {0};
    MUST(low_pass_roots_make(limit, rate, &roots, &failure));
    for (size_t at = 1; at < lead; at += 9) {
        struct low_pass wanted = {0}, from = {0}, change = {0};
        MUST(low_pass_design(limit, rate, lead, &from, &failure));
        MUST(low_pass_design(limit, rate, at, &wanted, &failure));
        MUST(low_pass_change_lead(&roots, at, &change, &failure));
        const size_t count = 20 * lead;
        double *x = calloc(count, sizeof *x), all = 0.0, early = 0.0;
        memcpy(x + 9 * lead, from.tap, from.count * sizeof *x);
        MUST(low_pass_apply(&change, x, count, &failure));
        for (size_t n = 0; n < count; n++) {
            all += x[n] * x[n];
            early += n + at < 10 * lead ? x[n] * x[n] : 0.0;
        }
        cr_assert(early <= 1e-5 * all, "lead %zu: %g of the energy is too early", at, early / all);
        worst = fmax(worst, early / all);
        for (double f = 0.0; f <= limit; f += 5.0) {
            const double complex got = spectrum(x, count, (double)(10 * lead), f, rate),
                                 right = spectrum(wanted.tap, wanted.count, (double)wanted.lead, f, rate);
            cr_assert(test_near(cabs(got - right), 0.0, 0.004), "lead %zu, %g Hz: %g off", at, f,
                      cabs(got - right));
        }
        free(x);
        low_pass_free(&change);
        low_pass_free(&wanted);
        low_pass_free(&from);
    }
    (void)fprintf(stderr, "%.1e of the energy is left before the emission\n", worst);
    low_pass_roots_free(&roots);
}

Test(response, nothing_is_left_above_the_stop_band_and_before_the_sound)
{
    const double limit = 710.0, rate = rate_for(limit), time = 0.1;
    const size_t count = (size_t)(0.7 * rate), at = (size_t)(time * rate);
    double *raw = calloc(count, sizeof *raw);
    raw[at] = 1.0;
    raw[at + 1] = -1.0;
    size_t out_count = 0;
    float *out = make(raw, count, rate, limit, time, &out_count);
    const double pass = cabs(spectrum_at(out, out_count, 500.0, 48000.0));
    for (double f = 1.15 * limit; f < 24000.0; f *= 1.01)
        cr_assert(cabs(spectrum_at(out, out_count, f, 48000.0)) <= 1e-3 * pass, "at %g Hz", f);
    size_t largest = 0;
    for (size_t n = 0; n < out_count; n++)
        if (fabsf(out[n]) > fabsf(out[largest]))
            largest = n;
    /* The high-pass, causal as it is, turns phases ahead: by 2 samples at the peak. */
    cr_assert(test_near((double)largest, 48000.0 * (double)at / rate, 3.0), "peak at sample %zu", largest);
    for (size_t n = 0; n + 200 < largest - (size_t)(48000.0 * LOW_PASS_REACH / limit); n++)
        cr_assert(fabsf(out[n]) <= 1e-6f * fabsf(out[largest]), "sample %zu", n);
    free(out);
    free(raw);
}

Test(response, invalid_chains_are_refused_and_samples_that_are_not_finite_named)
{
    static const struct {
        double rate, fmax, first;
        const char *words;
    } row[] = {{1000, 440, 0, "440"},
               {1000, 20, 0, "fmax is 20"},
               {1e6, 20001, 0, "fmax"},
               {100, 25, 0, "too high"},
               {(double)NAN, 100, 0, "too high"},
               {3000, 177, -1e-6, "cannot arrive"},
               {3000, 177, (double)NAN, "cannot arrive"}};
    double raw[400] = {0};
    float *out = NULL;
    size_t out_count = 0;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        MUST_FAIL(response_make(&(struct response_chain){.step = step_at(row[i].rate),
                                                         .fmax = row[i].fmax,
                                                         .method = AIR_OFF},
                                raw, 400, row[i].first, &out, &out_count, &failure),
                  FAILURE_INPUT, row[i].words);
    raw[123] = INFINITY;
    MUST_FAIL(response_make(&(struct response_chain){.step = step_at(3000), .fmax = 177, .method = AIR_OFF},
                            raw, 400, 0, &out, &out_count, &failure),
              FAILURE_SIMULATION, "123");
    cr_assert(out == NULL);
}

Test(response, silence_and_a_single_sample_give_files_of_the_right_length)
{
    const double raw[2] = {0.0, 0.0};
    for (size_t count = 0; count <= 2; count++) {
        size_t out_count = 99;
        float *out = make(raw, count, 3222.0, 177.0, 0.0, &out_count);
        for (size_t n = 0; n < out_count; n++)
            cr_assert(out[n] == 0.0f);
        free(out);
    }
}

/* Of every number of channels, also the ones for which libsamplerate has no code of its own; some sound
 * arrives so early that its lead is changed. */
Test(response, several_receivers_at_once_give_the_bits_of_each_alone)
{
    enum { COUNT = 3000 };
    const struct air air = {20.0, 50.0, 101.325};
    const struct response_chain chain = {
        .step = step_at(rate_for(355.0)), .fmax = 355.0, .method = AIR_MODAL, .air = &air};
    const double first[RESPONSE_GROUP] = {0.002, 0.1, 0.01, 0.05};
    double *raw[RESPONSE_GROUP];
    uint64_t state = 3;
    for (size_t c = 0; c < RESPONSE_GROUP; c++) {
        raw[c] = malloc(COUNT * sizeof *raw[c]);
        for (size_t n = 0; n < COUNT; n++)
            raw[c][n] = test_uniform(&state, -1, 1) * exp(-1e-3 * (double)n);
    }
    for (size_t channels = 1; channels <= RESPONSE_GROUP; channels++) {
        const size_t samples = response_samples(&chain, COUNT);
        float *together = malloc(samples * channels * sizeof *together);
        MUST(response_make_group(&chain, (const double *const *)raw, channels, COUNT, first, together,
                                 &failure));
        for (size_t c = 0; c < channels; c++) {
            float *alone = NULL;
            size_t count = 0, differ = 0;
            MUST(response_make(&chain, raw[c], COUNT, first[c], &alone, &count, &failure));
            cr_assert(count == samples);
            for (size_t n = 0; n < count; n++)
                differ += memcmp(&alone[n], &together[n * channels + c], sizeof *alone) != 0;
            cr_assert(differ == 0, "%zu of %zu samples of channel %zu of %zu differ", differ, count, c,
                      channels);
            free(alone);
        }
        free(together);
    }
    raw[2][77] = NAN;
    MUST_FAIL(response_make_group(&chain, (const double *const *)raw, 4, COUNT, first, NULL, &failure),
              FAILURE_SIMULATION, "step 77");
    for (size_t c = 0; c < RESPONSE_GROUP; c++)
        free(raw[c]);
}
