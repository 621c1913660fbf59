/* Modulation transfer and STI of channels whose own are known: to a tenth of the just noticeable difference
 * of STI. */
#include <complex.h>

#include "src/response/acoustics/figure_table.h"
#include "src/response/acoustics/speech_transmission.h"
#include "src/response/signal/noise.h"
#include "src/response/signal/band_filters.h"
#include "tests/support/sounds.h"
#include "tests/support/test_support.h"

#define PI    3.14159265358979323846
#define RATE  48000.0
#define FULL  11300.0 /* reaches all octaves [Hz] */
#define TENTH (0.1 * JND_STI)
#define ONSET 0.05

static struct speech_transmission transmission(const float *sample, size_t count, double highest,
                                               const struct speech_levels *levels)
{
    struct speech_transmission found;
    MUST(speech_transmission_make(sample, count, RATE, highest, ONSET, levels, &found, &failure));
    return found;
}

static float *silence(size_t *count, double seconds)
{
    *count = (size_t)(seconds * RATE);
    float *sample = calloc(*count, sizeof *sample);
    cr_assert(sample != NULL);
    return sample;
}

/* Steeneken and Houtgast, with 6 ln 10 for the customary 13.8. */
static double of_decay(double modulation, double time)
{
    const double x = 2 * PI * modulation * time / (6 * log(10));
    return 1 / sqrt(1 + x * x);
}

Test(speech_transmission, a_perfect_channel_passes_everything)
{
    for (int later = 0; later < 2; later++) {
        size_t count;
        float *sample = silence(&count, 0.6);
        sample[(size_t)(ONSET * RATE) + (later ? 7 : 0)] = -0.3F;
        const struct speech_transmission found = transmission(sample, count, FULL, NULL);
        for (int k = 0; k < SPEECH_OCTAVES; k++) {
            cr_assert(test_near(found.octave[k].centre, octave_middle(k + 1), 1e-9));
            for (int i = 0; i < SPEECH_MODULATIONS; i++)
                cr_assert(test_near(found.octave[k].transfer[i], 1, 2e-4), "octave %d, %g Hz: %.6f", k,
                          speech_modulation[i], found.octave[k].transfer[i]);
            cr_assert(test_near(found.octave[k].mti, 1, 1e-12));
        }
        cr_assert(test_near(found.sti, 1, 1e-12));
        cr_assert(found.why[0] == '\0');
        free(sample);
    }
}

/* Impulses so far apart that octaves ring out between them, each exp(-g) of the one before: their h^2 is that
 * of one, repeated, and the sum a geometric series. No chance is in it, so that every octave can be held to
 * the closed form. */
Test(speech_transmission, a_row_of_impulses_has_the_transfer_of_its_geometric_series)
{
    const double apart = 0.15;
    for (double time = 0.6; time < 10; time *= 3.5) {
        size_t count;
        float *sample = silence(&count, ONSET + 2.0 * time + 0.5);
        const double ratio = fallen(apart, time);
        for (int n = 0; n * apart < 2.0 * time; n++)
            sample[(size_t)((ONSET + n * apart) * RATE + 0.5)] = (float)pow(ratio, n);
        const struct speech_transmission found = transmission(sample, count, FULL, NULL);
        double worst = 0, mti[SPEECH_OCTAVES] = {0};
        for (int k = 0; k < SPEECH_OCTAVES; k++)
            for (int i = 0; i < SPEECH_MODULATIONS; i++) {
                const double turn = 2 * PI * speech_modulation[i] * apart, q = ratio * ratio;
                const double m = (1 - q) / cabs(1 - q * cexp(-I * turn));
                worst = fmax(worst, fabs(found.octave[k].transfer[i] - m));
                mti[k] += speech_transfer_index(m) / SPEECH_MODULATIONS;
            }
        cr_log_info("%g s: m within %.2g, STI %.5f for %.5f", time, worst, found.sti, speech_index(mti));
        cr_assert(test_at_most(worst, 1e-3), "%g s: %g", time, worst);
        for (int k = 0; k < SPEECH_OCTAVES; k++)
            cr_assert(test_near(found.octave[k].mti, mti[k], TENTH));
        cr_assert(test_near(found.sti, speech_index(mti), TENTH));
        free(sample);
    }
}

/* One response scatters, as rooms do: m of 125 Hz by about 1 / sqrt(bandwidth times time). The mean over many
 * has to be right. Octaves from 500 Hz: below, where m is small, its magnitude is raised by the scatter
 * itself.
 */
Test(speech_transmission, noise_that_decays_has_the_closed_form_in_the_mean)
{
    enum { SEEDS = 24, FIRST = 2 };
    for (double time = 0.5; time < 2; time += 1) {
        double mti[SPEECH_OCTAVES] = {0}, expected = 0;
        for (int i = 0; i < SPEECH_MODULATIONS; i++)
            expected += speech_transfer_index(of_decay(speech_modulation[i], time)) / SPEECH_MODULATIONS;
        struct noise noise = noise_start(5);
        for (int s = 0; s < SEEDS; s++) {
            size_t count;
            float *sample = silence(&count, ONSET + 0.9 * time);
            for (size_t n = (size_t)(ONSET * RATE); n < count; n++)
                sample[n] = (float)(noise_normal(&noise) * fallen((double)n / RATE - ONSET, time));
            const struct speech_transmission found = transmission(sample, count, FULL, NULL);
            for (int k = 0; k < SPEECH_OCTAVES; k++)
                mti[k] += found.octave[k].mti / SEEDS;
            free(sample);
        }
        double mean = 0;
        for (int k = FIRST; k < SPEECH_OCTAVES; k++) {
            cr_log_info("%g s, octave %d: %.4f for %.4f", time, k, mti[k], expected);
            mean += mti[k] / (SPEECH_OCTAVES - FIRST);
        }
        cr_assert(test_near(mean, expected, TENTH), "%g s: %.4f for %.4f", time, mean, expected);
    }
}

/* An impulse, and a tone in the middle of a neighbour that rings on for so long that its modulation transfer
 * is next to nothing: 1 / m - 1 is what of its energy gets through, over that of the impulse. */
Test(speech_transmission, the_middle_of_a_neighbour_is_46_dB_down)
{
    const double time = 8, amplitude = 0.03;
    for (int octave = 4; octave < 6; octave++)
        for (int side = -1; side <= 1; side += 2) {
            size_t count;
            float *sample = silence(&count, ONSET + 5);
            const double centre = octave_middle(octave + 1), f = centre * pow(2, side);
            for (size_t n = (size_t)(ONSET * RATE); n < count; n++) {
                const double t = (double)n / RATE - ONSET;
                sample[n] = (float)(amplitude * fallen(t, time) * fmin(t / 0.1, 1) * sin(2 * PI * f * t));
            }
            sample[(size_t)(ONSET * RATE)] += 1;
            const struct speech_transmission found = transmission(sample, count, FULL, NULL);
            const double tone = 0.5 * amplitude * amplitude * time / (6 * log(10)) * RATE;
            const double impulse = 2 * band_width(BANDS_OCTAVE, centre) / RATE;
            const double through = 1 / found.octave[octave].transfer[SPEECH_MODULATIONS - 1] - 1;
            const double down = -10 * log10(through * impulse / tone);
            cr_assert(test_near(down, 46, 1.5), "octave %d, %g Hz: %.2f dB", octave, f, down);
            free(sample);
        }
}

Test(speech_transmission, noise_takes_what_its_level_says)
{
    size_t count;
    float *sample = silence(&count, 0.6);
    sample[(size_t)(ONSET * RATE)] = 1;
    for (double ratio = -20; ratio <= 20; ratio += 4) {
        struct speech_levels levels = {.with_speech = true, .with_noise = true};
        for (int k = 0; k < SPEECH_OCTAVES; k++) {
            levels.speech[k] = 85;
            levels.noise[k] = 85 - ratio;
        }
        const struct speech_transmission found = transmission(sample, count, FULL, &levels);
        /* Nothing masks the lowest octave, and its threshold is 39 dB below the speech. */
        const double index = (fmin(fmax(ratio, -15), 15) + 15) / 30;
        cr_assert(test_near(found.octave[0].mti, index, 0.1 * TENTH), "%g dB: %.5f for %.5f", ratio,
                  found.octave[0].mti, index);
        /* The others are masked by speech and noise of the octave below. */
        const double below = 85 + 10 * log10(1 + pow(10, -0.1 * ratio));
        const double masked = below + (below < 100 ? 0.5 * below - 59.8 : -10);
        const double left = 1 / (1 + pow(10, -0.1 * ratio) + pow(10, 0.1 * (masked - 85)));
        cr_assert(test_near(found.octave[3].mti, speech_transfer_index(left), 0.1 * TENTH), "%g dB: %.5f",
                  ratio, found.octave[3].mti);
    }
    free(sample);
}

/* At the threshold of reception half of the intensity is speech, less what the octave below masks. */
Test(speech_transmission, quiet_speech_is_lost_below_the_threshold)
{
    static const double threshold[SPEECH_OCTAVES] = {46, 27, 12, 6.5, 7.5, 8, 12};
    struct speech_levels levels = {.with_speech = true};
    size_t count;
    float *sample = silence(&count, 0.6);
    sample[(size_t)(ONSET * RATE)] = 1;
    memcpy(levels.speech, threshold, sizeof threshold);
    memcpy(levels.noise, threshold, sizeof threshold);
    for (int noisy = 0; noisy < 2; noisy++) {
        levels.with_noise = noisy;
        const struct speech_transmission found = transmission(sample, count, FULL, &levels);
        for (int k = 0; k < SPEECH_OCTAVES; k++) {
            const double own = pow(10, 0.1 * threshold[k]), twice = noisy ? 10 * log10(2) : 0;
            const double below = k == 0 ? -INFINITY : threshold[k - 1] + twice;
            const double left = own / ((2 + noisy) * own + pow(10, 0.1 * (below + 0.5 * below - 65)));
            cr_assert(test_near(found.octave[k].mti, speech_transfer_index(left), 0.1 * TENTH),
                      "octave %d: %g", k, found.octave[k].mti);
        }
    }
    free(sample);
}

Test(speech_transmission, masking_follows_its_table_without_steps)
{
    const double level[] = {20, 50, 63, 67, 80, 100, 120},
                 slope[] = {-55, -40, -33.5, -26.3, -19.8, -10, -10};
    for (int n = 0; n < 7; n++)
        cr_assert(test_near(speech_masking_slope(level[n]), slope[n], 1e-9));
    cr_assert(test_near(speech_masking_slope(62.9999), -33.5, 1e-3));
    cr_assert(test_near(speech_masking_slope(66.9999), -26.3, 1e-3));
    cr_assert(test_near(speech_masking_slope(99.9999), -9.8, 1e-3)); /* as the standard has it */
}

Test(speech_transmission, the_transfer_index_is_clipped_at_15_dB)
{
    const double limit = pow(10, 1.5);
    cr_assert(test_near(speech_transfer_index(1), 1, 0));
    cr_assert(test_near(speech_transfer_index(limit / (1 + limit)), 1, 1e-12));
    cr_assert(test_near(speech_transfer_index(0.5), 0.5, 1e-12));
    cr_assert(test_near(speech_transfer_index(1 / (1 + limit)), 0, 1e-12));
    cr_assert(test_near(speech_transfer_index(0), 0, 0));
    cr_assert(test_near(speech_transfer_index(10.0 / 11), 25.0 / 30, 1e-12));
    cr_assert(isnan(speech_transfer_index(NAN)));
}

/* The standard's weights and redundancies, one octave and two neighbours at a time. */
Test(speech_transmission, the_index_weighs_octaves_and_takes_off_what_neighbours_share)
{
    static const double weight[SPEECH_OCTAVES] = {0.085, 0.127, 0.230, 0.233, 0.309, 0.224, 0.173},
                        shared[SPEECH_OCTAVES - 1] = {0.085, 0.078, 0.065, 0.011, 0.047, 0.095};
    double same[SPEECH_OCTAVES];
    for (int k = 0; k < SPEECH_OCTAVES; k++) {
        double mti[SPEECH_OCTAVES] = {0};
        same[k] = 0.4;
        mti[k] = 1;
        cr_assert(test_near(speech_index(mti), weight[k], 1e-12), "%d", k);
        if (k + 1 == SPEECH_OCTAVES)
            break;
        mti[k + 1] = 0.25;
        cr_assert(test_near(speech_index(mti), weight[k] + 0.25 * weight[k + 1] - 0.5 * shared[k], 1e-12),
                  "%d", k);
    }
    cr_assert(test_near(speech_index(same), 0.4, 1e-12));
    same[3] = NAN;
    cr_assert(isnan(speech_index(same)));
}

/* A response that ends in noise, 34 dB below its start: cut off where it drowns, the noise up to there taken
 * off, it has the indices it had without. The noise scatters them, so in the mean of octaves and responses.
 */
Test(speech_transmission, noise_of_the_response_is_taken_off)
{
    enum { RESPONSES = 5 };
    const double time = 1;
    double mean[2] = {0};
    for (uint64_t r = 0; r < RESPONSES; r++)
        for (int noisy = 0; noisy < 2; noisy++) {
            size_t count;
            struct noise noise = noise_start(9 + r), other = noise_start(1000 + r);
            float *sample = silence(&count, 2.5);
            for (size_t n = 0; n < count; n++) {
                const double t = (double)n / RATE - ONSET;
                sample[n] = (float)((t >= 0 ? noise_normal(&noise) * fallen(t, time) : 0) +
                                    0.02 * noisy * noise_normal(&other));
            }
            const struct speech_transmission found = transmission(sample, count, FULL, NULL);
            for (int k = 2; k < SPEECH_OCTAVES; k++)
                mean[noisy] += found.octave[k].mti / (5 * RESPONSES);
            free(sample);
        }
    cr_assert(test_near(mean[1], mean[0], 0.3 * TENTH), "%.5f for %.5f", mean[1], mean[0]);
}

Test(speech_transmission, unknown_indices_are_absent_with_their_reason)
{
    size_t count;
    struct noise noise = noise_start(3);
    float *sample = silence(&count, ONSET + 0.6);
    struct speech_transmission found = transmission(sample, count, FULL, NULL);
    cr_assert(isnan(found.sti) && isnan(found.octave[2].mti));
    cr_assert(strstr(found.octave[2].why, "silent") != NULL);
    for (size_t n = (size_t)(ONSET * RATE); n < count; n++)
        sample[n] = (float)(noise_normal(&noise) * fallen((double)n / RATE - ONSET, 2));
    found = transmission(sample, count, FULL, NULL); /* falls by 18 dB */
    cr_assert(isnan(found.sti) && isnan(found.octave[4].mti));
    cr_assert(strstr(found.octave[4].why, "needs 30 dB: a longer run is needed") != NULL, "%s",
              found.octave[4].why);
    cr_assert(strstr(found.why, "octave 125 Hz") != NULL, "%s", found.why);
    for (size_t n = (size_t)(ONSET * RATE); n < count; n++)
        sample[n] = (float)(noise_normal(&noise) * fallen((double)n / RATE - ONSET, 0.5));
    found = transmission(sample, count, 1420, NULL); /* octaves to 1 kHz */
    cr_assert(isnan(found.sti));
    cr_assert(strstr(found.why, "STI needs the octaves 125 Hz to 8 kHz") != NULL, "%s", found.why);
    for (int k = 0; k < SPEECH_OCTAVES; k++) {
        cr_assert(isnan(found.octave[k].mti) == (k > 3));
        cr_assert(eq(int, found.octave[k].why[0] == 0, k <= 3));
    }
    found = transmission(sample, count, 100, NULL);
    cr_assert(isnan(found.sti) && isnan(found.octave[0].mti));
    found = transmission(sample, 0, FULL, NULL);
    cr_assert(isnan(found.sti) && found.why[0] != '\0');
    free(sample);
}
