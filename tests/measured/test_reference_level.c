/* G by a reference at a known distance. */
#include "src/response/measured/reference_level.h"
#include "tests/support/outcome.h"

#define RATE    44100
#define COUNT   88200
#define HIGHEST 11300.0
#define ONSET   0.1

static float near_source[COUNT], in_room[COUNT];

static void add(float *sample, double time, double size)
{
    sample[(size_t)lround((ONSET + time) * RATE)] += (float)size;
}

static struct acoustic_figures measure(const struct reference_level *reference)
{
    struct acoustic_figures out;
    MUST(acoustic_figures_make(in_room, COUNT, RATE, HIGHEST, ONSET, 1.0, &out, &failure));
    reference_level_apply(reference, HIGHEST, &out);
    return out;
}

/* The source gives 3 at 2 m, so 0.6 at 10 m; 1.2 and 0.6 of it are 5 times that energy: 7 dB, at any gain. */
Test(reference_level, strength_is_the_energy_over_that_at_10_m)
{
    for (double gain = 1e-3; gain < 1e3; gain *= 10.0) {
        struct reference_level reference;
        memset(near_source, 0, sizeof near_source);
        memset(in_room, 0, sizeof in_room);
        add(near_source, 0.0, 3.0 * gain);
        add(near_source, 0.2, 2.0 * gain); /* a reflection, gated */
        add(in_room, 0.0, 1.2 * gain);
        add(in_room, 0.15, 0.6 * gain);
        MUST(reference_level_make(near_source, COUNT, RATE, HIGHEST, ONSET, 2.0, 0.1, &reference, &failure));
        const struct acoustic_figures figures = measure(&reference);
        cr_assert(acoustic_figures_is_calibrated(&figures));
        for (size_t b = 1; b < figures.bands; b++)
            cr_assert(test_near(figures.octave[b].g, 10.0 * log10(5.0), 0.1), "%zu: %g", b,
                      figures.octave[b].g);
        cr_assert(test_near(figures.strength, 10.0 * log10(5.0), 0.05), "%g", figures.strength);
        MUST(reference_level_make(near_source, COUNT, RATE, HIGHEST, ONSET, 2.0, INFINITY, &reference,
                                  &failure));
        cr_assert(test_near(measure(&reference).octave[4].g, 10.0 * log10(5.0 / (1.0 + 4.0 / 9.0)), 0.1));
    }
}

Test(reference_level, a_silent_reference_is_refused)
{
    struct reference_level reference;
    memset(near_source, 0, sizeof near_source);
    MUST_FAIL(
        reference_level_make(near_source, COUNT, RATE, HIGHEST, ONSET, 1.0, INFINITY, &reference, &failure),
        FAILURE_INPUT, "no sound in the octave of 63 Hz");
}
