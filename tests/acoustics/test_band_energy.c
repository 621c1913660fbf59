/* Energies of parts of a response in octaves, against what they must be. */
#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/band_filters.h"
#include "tests/support/sounds.h"
#include "tests/support/test_support.h"

#define PI 3.14159265358979323846

static struct band_energy energies(const float *sample, size_t from, size_t to, double rate, double highest,
                                   double zero)
{
    struct band_energy out;
    MUST(band_energy_make(BANDS_OCTAVE, sample, from, to, rate, highest, zero, &out, &failure));
    return out;
}

/* The whole ringing of the recursive filter, run on for long after the sound, holds the same energy where its
 * bilinear bend does not yet matter. */
Test(band_energy, equals_that_of_the_recursive_filter_rung_out)
{
    enum { COUNT = 2000, LONG = 96000 };
    float *sample = calloc(LONG, sizeof *sample);
    double *out = malloc(LONG * sizeof *out);
    uint64_t seed = 5;
    for (int n = 0; n < COUNT; n++)
        sample[LONG / 2 + n] = (float)test_uniform(&seed, -1, 1);
    const struct band_energy found = energies(sample, LONG / 2, LONG / 2 + COUNT, 48000, 2840, 0);
    cr_assert(eq(sz, found.bands, 6));
    for (size_t b = 0; b < 5; b++) {
        double energy = 0;
        band_filter_backwards(BANDS_OCTAVE, sample, LONG, 48000, octave_middle((int)b), out);
        for (int n = 0; n < LONG; n++)
            energy += out[n] * out[n];
        cr_expect(test_near(found.energy[b] / energy, 1, 0.004), "%g Hz: %g for %g", octave_middle((int)b),
                  found.energy[b], energy);
    }
    free(sample);
    free(out);
}

Test(band_energy, one_sample_has_the_reference_energy_at_every_rate_and_its_time_as_moment)
{
    static const double rates[] = {48000, 44100, 96000, 8000};
    float sample[3000] = {0};
    sample[1234] = -3;
    for (int r = 0; r < 4; r++) {
        const double rate = rates[r], highest = rate < 10000 ? 3600 : 17000;
        const struct band_energy found = energies(sample, 1000, 2000, rate, highest, 0.01);
        for (size_t b = 0; b < found.bands; b++) {
            const double wanted =
                9 * band_energy_of_impulse(BANDS_OCTAVE, octave_middle((int)b), rate, highest);
            cr_expect(test_near(found.energy[b] / wanted, 1, 1e-5), "%g Hz at %g: %g for %g",
                      octave_middle((int)b), rate, found.energy[b], wanted);
            const double time = found.moment[b] / found.energy[b];
            cr_expect(test_near(time, 1234 / rate - 0.01, 1e-9), "%g Hz at %g: %.9g s", octave_middle((int)b),
                      rate, time);
        }
    }
}

/* A Butterworth of fourth order on each side lets pass pi / 8 / sin(pi / 8) of its bandwidth; `highest` takes
 * off what is above. */
Test(band_energy, an_impulse_has_the_energy_of_a_butterworth_up_to_the_highest_frequency)
{
    const double whole = band_energy_of_impulse(BANDS_OCTAVE, 1000, 48000, 24000);
    cr_expect(test_near(whole / (2 * band_width(BANDS_OCTAVE, 1000) / 48000 * PI / 8 / sin(PI / 8)), 1, 1e-4),
              "%g", whole);
    const double cut = band_energy_of_impulse(BANDS_OCTAVE, 1000, 48000, 1412.5);
    cr_expect(cut < 0.97 * whole && cut > 0.93 * whole, "%g of %g", cut, whole);
    const double far = band_energy_of_impulse(BANDS_OCTAVE, 1000, 96000, 24000);
    cr_expect(test_near(2 * far, whole, 1e-9 * whole));
}

/* What is filtered first is cut wrongly: the ringing of an early sound counts as late. */
Test(band_energy, the_energy_of_a_stretch_is_independent_of_samples_outside)
{
    float sample[2000] = {0}, other[2000] = {0};
    for (int n = 0; n < 2000; n++)
        other[n] = 1000;
    for (int n = 700; n < 900; n++)
        sample[n] = other[n] = (float)sin(n);
    const struct band_energy a = energies(sample, 700, 900, 48000, 11300, 0);
    const struct band_energy b = energies(other, 700, 900, 48000, 11300, 0);
    for (size_t i = 0; i < a.bands; i++)
        cr_expect(a.energy[i] == b.energy[i] && a.moment[i] == b.moment[i] && a.energy[i] > 0);
    const struct band_energy none = energies(other, 900, 900, 48000, 11300, 0);
    cr_expect(none.bands == a.bands && none.energy[3] == 0);
}

/* Of a flat spectrum every filter lets pass the same share of its bandwidth. Of a tone in the octave the
 * thirds take what it takes within 0.2 dB, and near its edges, which theirs are steeper at, up to 1.3 dB
 * more. */
Test(band_energy, three_thirds_add_up_to_their_octave)
{
    float sample[3000] = {0};
    struct band_energy octave, third;
    sample[500] = 1;
    MUST(band_energy_make(BANDS_OCTAVE, sample, 0, 3000, 48000, 24000, 0, &octave, &failure));
    MUST(band_energy_make(BANDS_THIRD, sample, 0, 3000, 48000, 24000, 0, &third, &failure));
    cr_assert(octave.bands == 9 && third.bands == 27);
    for (size_t b = 0; b < 8; b++) { /* the flank of the ninth is cut */
        const double *of = &third.energy[3 * b];
        cr_expect(test_near((of[0] + of[1] + of[2]) / octave.energy[b], 1, 2e-3), "octave %zu: %g", b,
                  (of[0] + of[1] + of[2]) / octave.energy[b]);
    }
    for (int i = -9; i <= 9; i++) {
        const double f = 1000 * pow(10, 0.15 * i / 10);
        double sum = 0;
        for (int t = -1; t <= 1; t++)
            sum += band_energy_passed(BANDS_THIRD, f, 1000 * pow(10, 0.1 * t));
        cr_expect(test_near(sum / band_energy_passed(BANDS_OCTAVE, f, 1000), 1, abs(i) <= 6 ? 0.05 : 0.35),
                  "%g Hz: %g", f, sum / band_energy_passed(BANDS_OCTAVE, f, 1000));
    }
}
