

#include "src/response/acoustics/statistical_reverberation.h"
#include "tests/support/test_support.h"

static const struct air room = {.temperature = 20, .humidity = 50, .pressure = 101.325};
static const double centre[3] = {125.8925, 1000, 7943.282};

/* 55.262 s / 343.2 m/s = 0.16102 s/m. A box of 5 x 4 x 3 m: V = 60, floor and ceiling 40, walls 54 m2. */
static const struct statistical_surface box[2] = {{40, {0.1, 0.3, 1}}, {54, {0.02, 0.3, 1}}};

Test(statistical_reverberation, sabine_and_eyring_are_those_of_a_box)
{
    struct statistical_reverberation times;
    statistical_reverberation_make(60, box, 2, 3, centre, &room, false, &times);
    cr_assert(test_near(times.sabine[0], 0.161020 * 60 / (40 * 0.1 + 54 * 0.02), 2e-5));
    cr_assert(test_near(times.sabine[1], 0.161020 * 60 / (94 * 0.3), 2e-6));
    cr_assert(test_near(times.eyring[0], 0.161020 * 60 / (-94 * log(1 - 5.08 / 94)), 2e-5));
    cr_assert(test_near(times.eyring[1], 0.161020 * 60 / (94 * 0.3566749), 2e-6));
    cr_assert(test_near(times.sabine[2], 0.161020 * 60 / 94, 2e-6));
    cr_assert(times.eyring[2] == 0, "%g", times.eyring[2]);
}

/* 103.9 dB/km at 8 kHz are an energy loss of 103.9 / (10 lg e) = 23.92 per km: 4 m V = 5.74 m2 here. */
Test(statistical_reverberation, air_absorbs_like_a_surface_of_4mV)
{
    struct statistical_reverberation times, still;
    const struct statistical_surface hard = {94, {0}};
    statistical_reverberation_make(60, &hard, 1, 3, centre, &room, true, &times);
    statistical_reverberation_make(60, &hard, 1, 3, centre, &room, false, &still);
    const double expected = 0.161020 * 60 / (4 * 60 * 0.1039 / (10 / log(10)));
    cr_assert(test_near(times.sabine[2], expected, 1e-3 * expected), "%g for %g s", times.sabine[2],
              expected);
    cr_assert(times.sabine[2] == times.eyring[2]);
    cr_assert(isinf(still.sabine[0]) && isinf(still.eyring[0]) && still.eyring[0] > 0);
    statistical_reverberation_make(60, box, 2, 3, centre, &room, true, &times);
    statistical_reverberation_make(60, box, 2, 3, centre, &room, false, &still);
    for (int b = 0; b < 3; b++) /* conductances add, in both */
        cr_assert(test_near(1 / times.sabine[b] - 1 / still.sabine[b],
                            b < 2 ? 1 / times.eyring[b] - 1 / still.eyring[b] : 1 / expected,
                            2e-3 / expected));
}

Test(statistical_reverberation, warm_air_makes_the_room_die_away_sooner)
{
    struct statistical_reverberation cold, warm;
    statistical_reverberation_make(60, box, 2, 3, centre, &(struct air){0, 50, 101.325}, false, &cold);
    statistical_reverberation_make(60, box, 2, 3, centre, &(struct air){30, 50, 101.325}, false, &warm);
    cr_assert(test_near(cold.sabine[0] / warm.sabine[0], sqrt(303.15 / 273.15), 1e-12));
}
