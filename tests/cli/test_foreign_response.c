/* What can be found out about a response of unknown origin. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/foreign_response.h"
#include "src/signal/octave_filters.h"
#include "src/signal/low_pass.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

Test(foreign_response, sound_arrives_at_the_first_sample_within_20_db_of_the_largest)
{
    float sample[1000] = {0};
    sample[100] = 0.099F;
    sample[200] = -0.101F;
    sample[300] = 1;
    cr_assert(test_near(foreign_onset(sample, 1000, 48000), 200 / 48000.0, 1e-12));
    sample[300] = 0;
    cr_assert(test_near(foreign_onset(sample, 1000, 8000), 100 / 8000.0, 1e-12));
    const float silence[10] = {0};
    cr_assert(foreign_onset(silence, 10, 48000) == 0);
}

Test(foreign_response, a_constant_offset_is_taken_off_and_nothing_else)
{
    enum { COUNT = 48000 };
    float *sample = malloc(COUNT * sizeof *sample), *clean = malloc(COUNT * sizeof *clean);
    uint64_t seed = 9;
    for (int n = 0; n < COUNT; n++)
        clean[n] = (float)(test_uniform(&seed, -1, 1) * exp(-n / 4000.0));
    static const double offset[] = {0.1, -0.001, 0};
    for (int o = 0; o < 3; o++) {
        for (int n = 0; n < COUNT; n++)
            sample[n] = clean[n] + (float)offset[o];
        cr_assert(test_near(foreign_take_offset(sample, COUNT, 48000), offset[o], 1e-6));
        for (int n = 0; n < COUNT; n++)
            cr_assert(test_near((double)sample[n], (double)clean[n], 1e-6));
    }
    for (int n = 0; n < COUNT; n++) /* 30 Hz that goes on */
        sample[n] = (float)cos(2 * 3.14159265358979 * 30 * n / 48000.0);
    cr_assert(foreign_take_offset(sample, COUNT, 48000) == 0 && sample[0] == 1.0F);
    const float pulse[2] = {1, 1};
    memcpy(sample, pulse, sizeof pulse);
    cr_assert(foreign_take_offset(sample, 2, 48000) == 0 && foreign_take_offset(sample, 0, 48000) == 0);
    cr_assert(foreign_take_offset(sample, 2, 1) == 0);
    free(sample);
    free(clean);
}

static double highest_of(const float *sample, size_t count, double rate)
{
    double highest = 0;
    MUST(foreign_highest(sample, count, rate, &highest, &failure));
    return highest;
}

Test(foreign_response, a_spectrum_that_was_cut_off_ends_there_and_one_that_falls_gently_does_not)
{
    enum { COUNT = 48000 };
    double *signal = malloc(COUNT * sizeof *signal);
    float *sample = malloc(COUNT * sizeof *sample);
    static const double tops[] = {355, 1420, 5680};
    for (int t = 0; t < 3; t++) {
        uint64_t seed = 4;
        struct low_pass filter = {0};
        for (int n = 0; n < COUNT; n++)
            signal[n] = n < 9600 ? 0 : test_uniform(&seed, -1, 1) * exp(-n / 5000.0);
        MUST(low_pass_design(tops[t], 48000, low_pass_lead(tops[t], 48000), &filter, &failure));
        MUST(low_pass_apply(&filter, signal, COUNT, &failure));
        for (int n = 0; n < COUNT; n++)
            sample[n] = (float)signal[n];
        const double highest = highest_of(sample, COUNT, 48000);
        cr_expect(highest > 0.9 * tops[t] && highest < 1.3 * tops[t], "%g for %g", highest, tops[t]);
        low_pass_free(&filter);
    }
    /* 12 dB an octave, as of a loudspeaker or of air: no end. */
    uint64_t seed = 4;
    double y[2] = {0};
    for (int n = 0; n < COUNT; n++) {
        y[0] += 0.05 * (test_uniform(&seed, -1, 1) * exp(-n / 8000.0) - y[0]);
        y[1] += 0.05 * (y[0] - y[1]);
        sample[n] = (float)y[1];
    }
    cr_expect(highest_of(sample, COUNT, 48000) == foreign_carried(48000));
    /* Neither a single pulse nor a very short file ends anywhere. */
    const float pulse[40] = {[3] = 1};
    cr_expect(highest_of(pulse, 40, 44100) == foreign_carried(44100));
    free(signal);
    free(sample);
}
