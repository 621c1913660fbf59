

#include "src/response/acoustics/decay_tail.h"
#include "tests/support/test_support.h"

enum { COUNT = 400, FREEDOM = 5 };
static double energy[COUNT];

Test(decay_tail, level_fall_and_floor_are_found_as_they_are)
{
    static const double fall[] = {0.03, 0.1, 0.4}, floor[] = {1e-2, 1e-5, 1e-8, 0};
    for (int f = 0; f < 3; f++)
        for (int n = 0; n < 4; n++) {
            struct decay_tail tail;
            for (int i = 0; i < COUNT; i++)
                energy[i] = 3 * exp(-fall[f] * i) + floor[n];
            decay_tail_fit(energy, COUNT, FREEDOM, &tail);
            cr_assert(tail.found);
            const double crossing = floor[n] > 0 ? log(3 / floor[n]) / fall[f] : INFINITY;
            const bool seen = crossing<COUNT - 5 / fall[f], far = crossing> COUNT + 5 / fall[f];
            /* What is hardly seen of a floor may be chance, and moves the fall by no more than that: three
             * standard deviations of a slope through the windows of 25 dB. */
            const double windows = 2.5 * log(10) / fall[f];
            const double chance = 3 / sqrt(FREEDOM * pow(windows, 3) / 12);
            cr_assert(test_near(tail.fall, fall[f],
                                seen  ? 1e-6 * fall[f]
                                : far ? 0.01 * fall[f]
                                      : chance),
                      "%g for %g", tail.fall, fall[f]);
            if (seen) {
                cr_assert(test_near(tail.floor, floor[n], 1e-6 * floor[n]), "%g for %g", tail.floor,
                          floor[n]);
                cr_assert(test_near(decay_tail_crossing(&tail), crossing, 1e-4 * crossing));
                cr_assert(test_near(tail.level, 3, 1e-4));
            }
            if (n == 3 && f < 2) /* of 17 and 5 orders of magnitude, none of it noise */
                cr_assert(decay_tail_crossing(&tail) > COUNT, "%g", decay_tail_crossing(&tail));
        }
}

/* The second slope is not taken for noise, however slow, as long as it falls. */
Test(decay_tail, the_later_of_two_slopes_is_found)
{
    static const double slow[] = {0.05, 0.03, 0.016, 0.008, 0.004}; /* 87 to 7 dB of it are seen */
    for (int s = 0; s < 5; s++)
        for (double share = 1e-1; share > 1e-5; share /= 10) {
            struct decay_tail tail;
            for (int i = 0; i < COUNT; i++)
                energy[i] = exp(-0.2 * i) + share * exp(-slow[s] * i);
            decay_tail_fit(energy, COUNT, 5, &tail);
            cr_assert(tail.found && test_near(tail.fall, slow[s], 0.05 * slow[s]), "%g at %g: %g", slow[s],
                      share, tail.fall);
            cr_assert(test_at_least(decay_tail_crossing(&tail), COUNT), "%g at %g: crossing %g", slow[s],
                      share, decay_tail_crossing(&tail));
        }
}

/* All within 25 dB of the noise: a decay, a slower one, the floor. */
Test(decay_tail, noise_is_found_below_the_second_slope)
{
    for (double slow = 0.014; slow < 0.0205; slow += 0.002) {
        struct decay_tail tail;
        for (int i = 0; i < COUNT; i++)
            energy[i] = exp(-0.2 * i) + 1e-4 * exp(-slow * i) + 1e-6;
        decay_tail_fit(energy, COUNT, 5, &tail);
        cr_assert(tail.found && test_near(tail.fall, slow, 0.05 * slow), "%g: %g", slow, tail.fall);
        cr_assert(test_near(tail.floor, 1e-6, 0.05 * 1e-6), "%g: %g", slow, tail.floor);
    }
}

/* Energies with two degrees of freedom (the logarithm of a uniform number): as ragged as they come. Of 100
 * decays over noise the mean is right within four standard errors, and so is each one within what the fit of
 * its windows allows. */
Test(decay_tail, ragged_windows_are_not_fitted_too_low)
{
    enum { TRIALS = 100 };
    uint64_t seed = 41;
    double sum[3] = {0}, square[3] = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int i = 0; i < COUNT; i++)
            energy[i] = (exp(-0.05 * i) + 1e-5) * -log(1 - test_uniform(&seed, 0, 1));
        struct decay_tail tail;
        decay_tail_fit(energy, COUNT, 1, &tail);
        cr_assert(tail.found);
        const double off[3] = {tail.fall / 0.05 - 1, tail.floor / 1e-5 - 1,
                               decay_tail_crossing(&tail) * 0.05 / log(1e5) - 1};
        for (int k = 0; k < 3; k++) {
            sum[k] += off[k];
            square[k] += off[k] * off[k];
        }
    }
    static const double spread[3] = {0.12, 0.12, 0.05};
    for (int k = 0; k < 3; k++) {
        const double mean = sum[k] / TRIALS, deviation = sqrt(square[k] / TRIALS);
        cr_assert(test_at_most(deviation, spread[k]), "%d: %g", k, deviation);
        cr_assert(test_at_most(fabs(mean), 4 * deviation / sqrt(TRIALS)), "%d: %g of %g", k, mean, deviation);
    }
}

/* The same without noise, in one slope or in two, seen by 30 to 90 dB. The slope of each is known to a few
 * per cent, so that nothing but a fit gone astray is off by half; and none levels off before its end. */
Test(decay_tail, ragged_decays_are_neither_lost_nor_cut_short)
{
    enum { TRIALS = 2000, WINDOWS = 240 };
    uint64_t seed = 4;
    for (int trial = 0; trial < TRIALS; trial++) {
        const double fall = (trial % 3 + 1) * 3 * log(10) / WINDOWS, early = trial / 3 % 2 * 3;
        for (int i = 0; i < WINDOWS; i++)
            energy[i] = (exp(-fall * i) + early * exp(-2 * fall * i)) * -log(1 - test_uniform(&seed, 0, 1));
        struct decay_tail tail;
        decay_tail_fit(energy, WINDOWS, 1, &tail);
        cr_expect(tail.found && test_near(tail.fall / fall, 1, 0.5) &&
                      decay_tail_crossing(&tail) > 0.7 * WINDOWS,
                  "trial %d: found %d, fall %g for %g, level with its floor at window %g", trial, tail.found,
                  tail.fall, fall, decay_tail_crossing(&tail));
    }
}

Test(decay_tail, a_level_that_does_not_fall_or_is_too_short_is_no_decay)
{
    struct decay_tail tail;
    for (int i = 0; i < COUNT; i++)
        energy[i] = 0;
    decay_tail_fit(energy, COUNT, 5, &tail);
    cr_assert(tail.found == false);
    for (int i = 0; i < COUNT; i++)
        energy[i] = exp(0.1 * i);
    decay_tail_fit(energy, COUNT, 5, &tail);
    cr_assert(tail.found == false);
    for (int i = 0; i < COUNT; i++)
        energy[i] = exp(-0.1 * i);
    decay_tail_fit(energy, 7, 5, &tail);
    cr_assert(tail.found == false);
    decay_tail_fit(energy, 0, 5, &tail);
    cr_assert(tail.found == false);
}
