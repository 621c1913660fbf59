/* The change of absorption from one run to the next, in rooms whose reverberation is known in closed form. */
#include "src/calibrate/calibration.h"

#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

#define SURFACES 3
#define OCTAVE   3

static const double area[SURFACES] = {0.5, 1.5, 1.0};
static struct calibrated_surface surface[SURFACES];
static struct measured_times measured = {.figure = FIGURE_T30};
static struct calibration room = {
    .measured = &measured, .surfaces = SURFACES, .groups = SURFACES, .surface = surface};

static void begin(double asked)
{
    static const double start[SURFACES] = {0.5, 0.05, 0.1}, uncertainty[SURFACES] = {0.05, 0.02, 0.1};
    static char name[SURFACES][2] = {"a", "b", "c"};
    for (int s = 0; s < SURFACES; s++) {
        surface[s] = (struct calibrated_surface){.name = name[s], .group = (size_t)s};
        for (int o = 0; o < MATERIAL_OCTAVES; o++) {
            surface[s].start[o] = surface[s].value[o] = start[s];
            surface[s].uncertainty[o] = uncertainty[s];
        }
    }
    room.asked[OCTAVE] = asked;
    room.effect[OCTAVE] = 1;
    room.promised[OCTAVE] = 0;
}

static double absorbed(void)
{
    double sum = 0;
    for (int s = 0; s < SURFACES; s++)
        sum += area[s] * surface[s].value[OCTAVE];
    return sum;
}

/* A run by Sabine's formula, or by Eyring's, whose derivative the weights are. */
static void run_room(bool eyring)
{
    double whole = 0;
    for (int s = 0; s < SURFACES; s++)
        whole += area[s];
    const double mean = absorbed() / whole, rate = eyring ? -whole * log(1 - mean) : absorbed();
    const double before = room.last[OCTAVE];
    room.last[OCTAVE] = 1 / rate;
    calibration_learn(&room, OCTAVE, before);
    for (int s = 0; s < SURFACES; s++)
        surface[s].weight[OCTAVE] = area[s] / (eyring ? 1 - mean : 1) / rate;
    room.octave[OCTAVE] = fabs(room.last[OCTAVE] / room.asked[OCTAVE] - 1) <= CALIBRATION_NEAR
                              ? CALIBRATION_MET
                              : CALIBRATION_OFF;
}

Test(calibrated_surfaces, one_change_is_enough_where_sabine_is_right)
{
    for (double asked = 1.6; asked < 3.5; asked += 0.3) {
        begin(asked);
        run_room(false);
        MUST(calibration_change(&room, &failure));
        run_room(false);
        cr_expect(test_near(room.last[OCTAVE], asked, 1e-9), "%g s, not %g", room.last[OCTAVE], asked);
    }
}

Test(calibrated_surfaces, three_runs_are_enough_where_eyring_is_right)
{
    for (double asked = 1.6; asked < 3.2; asked += 0.3) {
        begin(asked);
        run_room(true);
        for (int change = 0; change < 2 && room.octave[OCTAVE] == CALIBRATION_OFF; change++) {
            MUST(calibration_change(&room, &failure));
            run_room(true);
        }
        cr_expect(eq(int, (int)room.octave[OCTAVE], CALIBRATION_MET), "%g s, not %g", room.last[OCTAVE],
                  asked);
    }
}

/* Half of what surfaces take is not felt at the pairs: a change does half of what the account says. */
Test(calibrated_surfaces, what_a_change_did_not_do_is_learnt_from_the_next_run)
{
    begin(1.6);
    run_room(false);
    const double first = room.last[OCTAVE], at_start = absorbed();
    for (int change = 0; change < 2; change++) {
        MUST(calibration_change(&room, &failure));
        const double before = room.last[OCTAVE], rate = (1 / first) * (1 + 0.5 * (absorbed() / at_start - 1));
        room.last[OCTAVE] = 1 / rate;
        for (int s = 0; s < SURFACES; s++)
            surface[s].weight[OCTAVE] = area[s] / at_start / (rate * first);
        calibration_learn(&room, OCTAVE, before);
    }
    cr_expect(test_near(room.last[OCTAVE], 1.6, 1e-9), "%g s", room.last[OCTAVE]);
}

/* However many runs it takes, changes count from the project: in the end they are in the ratio u^2 S. */
Test(calibrated_surfaces, changes_count_from_the_project_and_not_from_the_last_run)
{
    begin(2.0);
    for (int run = 0; run < 6; run++) {
        run_room(true);
        surface[0].weight[OCTAVE] *= run == 0 ? 0.2 : 1; /* the account of the first run is wrong */
        room.octave[OCTAVE] = CALIBRATION_OFF;
        MUST(calibration_change(&room, &failure));
    }
    const double each = (surface[0].value[OCTAVE] - 0.5) / (0.05 * 0.05 * area[0]);
    cr_expect(test_above(fabs(each), 0.1));
    cr_expect(test_near(surface[1].value[OCTAVE], 0.05 + 0.02 * 0.02 * area[1] * each, 1e-9));
    cr_expect(test_near(surface[2].value[OCTAVE], 0.1 + 0.1 * 0.1 * area[2] * each, 1e-9));
}

Test(calibrated_surfaces, surfaces_of_one_number_change_together)
{
    begin(1.6);
    surface[1].group = surface[0].group;
    surface[0].start[OCTAVE] = surface[0].value[OCTAVE] = surface[1].start[OCTAVE];
    surface[1].uncertainty[OCTAVE] = surface[0].uncertainty[OCTAVE];
    run_room(false);
    MUST(calibration_change(&room, &failure));
    run_room(false);
    cr_expect(test_near(surface[0].value[OCTAVE], surface[1].value[OCTAVE], 0));
    cr_expect(test_near(room.last[OCTAVE], 1.6, 1e-9));
    surface[1].group = 1;
}

Test(calibrated_surfaces, absorption_stays_within_what_a_surface_can_and_its_data_allow)
{
    begin(1);
    surface[0].start[0] = 0.9;
    cr_expect(test_near(calibration_high(&surface[0], 0), ABSORPTION_ABOVE_ONE, 1e-12));
    cr_expect(test_near(calibration_low(&surface[0], 0), 0.75, 1e-12));
    cr_expect(test_near(calibration_low(&surface[2], 0), 0, 1e-12));
    cr_expect(test_near(calibration_high(&surface[2], 0), 0.4, 1e-12));
    surface[0].start[0] = 1; /* a project may say so */
    cr_expect(test_near(calibration_high(&surface[0], 0), 1, 1e-12));
}

Test(calibrated_surfaces, what_no_surface_could_absorb_is_refused_with_the_reason)
{
    begin(0.2);
    run_room(false);
    MUST(calibration_change(&room, &failure));
    for (int s = 0; s < SURFACES; s++)
        cr_expect(test_near(surface[s].value[OCTAVE], calibration_high(&surface[s], OCTAVE), 0));
    cr_expect(eq(int, room.bound[OCTAVE], 1));
    run_room(false);
    room.octave[OCTAVE] = CALIBRATION_BOUND;
    MUST_FAIL(
        calibration_change(&room, &failure), FAILURE_INPUT,
        "at 500 Hz T30 of 0.20 s was measured, and with every surface absorbing as much as it can (a 0.65, "
        "b 0.11, c 0.40) the room has");
}
