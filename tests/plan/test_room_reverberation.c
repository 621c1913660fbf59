/* Sabine's and Eyring's times of a room from the walls and the air of its grid. */
#include "src/run/plan/room_reverberation.h"
#include "tests/support/test_support.h"

#define SPACING 0.25

/* 4096 cells of air are 64 m3. Ten walls of two materials in mixed order, 0.625 m2 in all; one of an open
 * face, one without a material. */
static struct wall wall[] = {{0, 0, 1},
                             {1, 1, 0.5f},
                             {2, 0, 1},
                             {3, 0, 1},
                             {4, 1, 1.5f},
                             {5, 1, 1},
                             {6, VOXELS_OPEN_FACE, 1},
                             {7, 0, 1},
                             {8, VOXELS_NO_MATERIAL, 2}};
static const struct block_grid grid = {
    .lattice = {.spacing = SPACING}, .walls = sizeof wall / sizeof wall[0], .wall = wall, .air_nodes = 4096};
static struct surface surface[2];
static const struct room_model model = {
    .mesh = {.material_count = 2}, .surface = surface, .air = {20, 50, 101.325}};

/* What the two materials absorb at 63..8000 Hz: more and more, or the same in every octave. */
static void absorb(double first, double second, double rise)
{
    for (int o = 0; o < MATERIAL_OCTAVES; o++) {
        surface[0].used[o] = first + rise * o;
        surface[1].used[o] = second;
    }
}

Test(room_reverberation, walls_count_with_the_area_and_the_material_that_the_scheme_gives_them)
{
    absorb(0.1, 0.6, 0.02);
    struct statistical_reverberation times;
    room_reverberation_make(&model, &grid, NULL, false, &times);
    const double face = SPACING * SPACING, area = 10 * face;
    const double open = 8 * (1 + 0.5 - 2 * log(2)); /* Paris' formula at g = 1 */
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++) {
        const double first = 0.1 + 0.02 * (b < 8 ? b : 7); /* 16 kHz as 8 kHz */
        const double absorbing = face * (4 * first + 3 * 0.6 + open);
        const double sabine = 0.161020 * 64 / absorbing;
        const double eyring = 0.161020 * 64 / (-area * log(1 - absorbing / area));
        cr_assert(test_near(times.sabine[b], sabine, 1e-5 * sabine), "%g for %g", times.sabine[b], sabine);
        cr_assert(test_near(times.eyring[b], eyring, 1e-5 * eyring), "%g for %g", times.eyring[b], eyring);
    }
}

Test(room_reverberation, the_air_of_the_room_takes_its_part_in_every_octave)
{
    absorb(0, 0, 0);
    struct statistical_reverberation still, times;
    struct air_losses losses;
    double centre[OCTAVE_BANDS_MAX];
    cr_assert(eq(sz, octave_centres(24000, centre), OCTAVE_BANDS_MAX));
    air_losses_make(&model.air, &losses);
    room_reverberation_make(&model, &grid, NULL, false, &still);
    room_reverberation_make(&model, &grid, NULL, true, &times);
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++) { /* decays of level add [dB/s] */
        const double taken = 60 / times.sabine[b] - 60 / still.sabine[b];
        const double expected = 343.2 * air_losses_decibels(&losses, centre[b]);
        cr_assert(test_near(taken, expected, 1e-4 * expected), "octave %d: %g for %g", b, taken, expected);
    }
}

Test(room_reverberation, the_longest_is_looked_for_where_the_response_reports)
{
    struct statistical_reverberation times = {.sabine = {1, 2, 3, 4, 5, 6, 7, 8, 9},
                                              .eyring = {1.5, 1, 1, 1, 1, 1, 1, 1, 1}};
    cr_assert(room_reverberation_longest(&times, 40) == 1.5); /* nothing is reported: 63 Hz stands for it */
    cr_assert(room_reverberation_longest(&times, 100) == 1.5);
    cr_assert(room_reverberation_longest(&times, 177) == 2);
    cr_assert(room_reverberation_longest(&times, 1420) == 5);
    cr_assert(room_reverberation_longest(&times, 20000) == 8);
    times.eyring[2] = (double)INFINITY;
    cr_assert(isinf(room_reverberation_longest(&times, 710)));
}
