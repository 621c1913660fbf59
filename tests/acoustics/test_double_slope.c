/* Decays in two slopes, as coupled rooms have them: found with their times where they are clear, and not
 * where there is one. */
#include "src/response/acoustics/decay_times.h"
#include "src/response/acoustics/double_slope.h"
#include "src/response/signal/noise.h"
#include "tests/support/sounds.h"
#include "tests/support/test_support.h"

/* Noise that decays in two, over a floor: energies a second, so that E is the sum of both at time 0. */
struct coupled {
    double early, late; /* reverberation times [s] */
    double share;       /* of E at the onset, of the late decay; 0: one decay */
    double floor;       /* energy a second */
    double direct;      /* energy of an impulse at the onset */
};

/* Its octave, at a rate just high enough for that. */
static struct band_times decayed(int band, struct coupled room, struct noise *noise)
{
    const double rate = fmax(400, 6 * octave_middle(band)), onset = 0.2;
    const double k1 = 6 * log(10) / room.early, k2 = 6 * log(10) / room.late;
    const size_t count = (size_t)((onset + 1.2 * room.late) * rate), first = (size_t)(onset * rate);
    float *sample = malloc(count * sizeof *sample);
    for (size_t n = 0; n < count; n++) {
        const double t = (double)n / rate - onset;
        const double energy =
            n < first ? 0 : (1 - room.share) * k1 * exp(-k1 * t) + room.share * k2 * exp(-k2 * t);
        sample[n] = (float)(noise_normal(noise) * sqrt((energy + room.floor) / rate));
    }
    sample[first] += (float)sqrt(room.direct);
    struct decay_times times;
    MUST(decay_times_make(BANDS_OCTAVE, sample, count, rate, 1.42 * octave_middle(band), onset, &times,
                          &failure));
    free(sample);
    return times.octave[times.bands - 1];
}

/* 11,520 decays of 0.5 to 5 s in the octaves 63 Hz to 8 kHz, with and without direct sound and noise 50 and
 * 60 dB below, gave none when this was written; here a part of them. */
Test(double_slope, one_decay_of_noise_is_not_taken_for_two)
{
    static const double times[] = {0.5, 1, 2}, floors[] = {0, 1e-5};
    struct noise noise = noise_start(2024);
    size_t found = 0, count = 0;
    for (int band = 0; band < 6; band++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < (band < 4 ? 40 : 8); k++) {
                const struct coupled room = {times[i], times[i], 0, floors[k % 2], k % 4 < 2 ? 0 : 1};
                const struct band_times octave = decayed(band, room, &noise);
                found += octave.slopes.found;
                count++;
                cr_assert(octave.slopes.found || octave.slopes.early == 0);
            }
    cr_assert(found * 200 <= count, "%zu of %zu", found, count);
}

static double crossing(double early, double late, double share)
{
    const double k1 = 6 * log(10) / early, k2 = 6 * log(10) / late;
    const double t = log((1 - share) / share) / (k1 - k2);
    return 10 * log10(2 * share * exp(-k2 * t));
}

Test(double_slope, two_clear_decays_are_found_with_their_times_and_where_they_cross)
{
    static const struct coupled rooms[] = {
        {1, 3, 0.09, 1e-6, 0}, {0.8, 2.4, 0.045, 1e-6, 0}, {2, 8, 0.03, 1e-6, 0}, {1, 3, 0.09, 0, 1}};
    struct noise noise = noise_start(7);
    for (int band = 2; band < 6; band++)
        for (int r = 0; r < 4; r++) {
            enum { SEEDS = 6 };
            double early = 0, late = 0, level = 0;
            int found = 0;
            for (int k = 0; k < SEEDS; k++) {
                const struct band_times octave = decayed(band, rooms[r], &noise);
                found += octave.slopes.found;
                early += octave.slopes.early / SEEDS;
                late += octave.slopes.late / SEEDS;
                level += octave.slopes.level / SEEDS;
            }
            const struct coupled *room = &rooms[r];
            const double wanted =
                crossing(room->early, room->late, room->share) - 10 * log10(1 + room->direct);
            cr_expect(found >= SEEDS - (band < 4), "%g Hz, room %d: %d of %d", octave_middle(band), r, found,
                      SEEDS);
            if (found == SEEDS)
                cr_expect(test_near(early / room->early, 1, 0.12) && test_near(late / room->late, 1, 0.06) &&
                              test_near(level, wanted, 2.5),
                          "%g Hz, room %d: %g s for %g, %g s for %g, at %g dB for %g", octave_middle(band), r,
                          early, room->early, late, room->late, level, wanted);
        }
}

/* Windows without scatter: the two exponentials themselves come back. */
Test(double_slope, exact_windows_give_back_what_they_were_made_of)
{
    double window[700];
    for (size_t n = 0; n < 700; n++)
        window[n] = 3 * exp(-0.05 * (double)n) + 0.02 * exp(-0.01 * (double)n) + 1e-9;
    struct double_slope_fit fit;
    double_slope_fit(window, 700, 1, &fit);
    cr_assert(fit.found && fit.ratio > 30);
    cr_assert(test_near(fit.fall[0], 0.05, 1e-4) && test_near(fit.fall[1], 0.01, 1e-5), "%g %g", fit.fall[0],
              fit.fall[1]);
    cr_assert(test_near(fit.level[0], 3, 0.01) && test_near(fit.level[1], 0.02, 1e-4), "%g %g", fit.level[0],
              fit.level[1]);
    for (size_t n = 0; n < 700; n++)
        window[n] = 3 * exp(-0.05 * (double)n) + 1e-9;
    double_slope_fit(window, 700, 1, &fit);
    cr_assert(fit.found == false);
    double_slope_fit(window, 11, 1, &fit);
    cr_assert(fit.found == false && fit.ratio == 0);
}
