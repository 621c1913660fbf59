/** Error bars of figures where absorption is uncertain, from a record. */
#include "src/run_folder/absorption_error.h"
#include "src/run_folder/record_error.h"
#include "tests/support/outcome.h"
#include "tests/support/record_of.h"
#include "tests/support/test_support.h"

/* Rays alone from 125 Hz on, so that shares are in the record: 0.6 of floor, 0.4 of wall. In so large a room
 * M is 1 to 1e-3. */
static const char text[] =
    "{\"materials\": ["
    "{\"name\": \"floor\", \"area_m2\": 40, \"absorption_used_octaves\": [0.1, 0.1, 0, 0, 0, 0, 0, 0], "
    "\"absorption_uncertainty_octaves\": [0.05, 0.01, 0, 0, 0, 0, 0, 0], \"guessed\": true},"
    "{\"name\": \"wall\", \"area_m2\": 4e6, \"absorption_used_octaves\": [0.2, 0.2, 0, 0, 0, 0, 0, 0], "
    "\"absorption_uncertainty_octaves\": [0.05, 0.02, 0, 0, 0, 0, 0, 0]}],"
    "\"fmax_hz\": 89, \"sound_speed_m_s\": 343.2, \"air_volume_m3\": 6e4, \"air\": {\"method\": \"off\"},"
    "\"octaves_hz\": [63.1], \"means\": {\"octaves_hz\": [63.1, 125.9], \"t30_s\": [4, 2]},"
    "\"rays\": {\"octave_hz\": 63.1, \"sources\": [{\"source\": \"S1\", \"absorbed\": ["
    "{\"material\": \"floor\", \"share\": [0.6, 0.6]}, {\"material\": \"wall\", \"share\": [0.4, 0.4]}]}]},"
    "\"responses\": [{\"distance_m\": 10, \"octaves_hz\": [63.1, 125.9], \"from\": [\"waves\", \"rays\"], "
    "\"t30_s\": [4, 2], \"edt_s\": [null, 3], \"g_db\": [5, 5], \"c50_db\": [0, 0], \"d50\": [0.2, 0.2], "
    "\"t30_s_error\": [null, 0.3]}]}";

static struct run_model run;

static void read_run(void)
{
    record_of(text, &run);
}

static void free_run(void)
{
    run_model_free(&run);
}

TestSuite(absorption_error, .init = read_run, .fini = free_run);

/* 125 Hz: 0.6 0.01 / 0.1 = 0.06 and 0.4 0.02 / 0.2 = 0.04, together 0.0721. */
Test(absorption_error, materials_add_up_as_squares_and_the_largest_is_named)
{
    struct loss_account account;
    double share;
    MUST(loss_account_make(&run, &account, &failure));
    cr_assert(test_near(absorption_error_part(&run, &account, 0, 1), -0.06, 1e-3));
    cr_assert(test_near(absorption_error_relative(&run, &account, 1), hypot(0.06, 0.04), 1e-3));
    cr_assert(eq(sz, absorption_error_largest(&run, &account, 1, &share), 0));
    cr_assert(test_near(share, 0.36 / 0.52, 1e-3), "%g", share);
    cr_assert(isnan(absorption_error_relative(&run, &account, 0)), "waves without an account");
    loss_account_free(&account);
}

/* T30: 2 s 0.0721 = 0.144 s, with the rays' 0.3 s a bar of hypot(0.3, 1.645 0.144). EDT has its own time. */
Test(absorption_error, bars_are_those_of_rays_and_absorption_together)
{
    MUST(absorption_error_fill(&run, &failure));
    const struct record_response *response = &run.responses.item[0];
    const double relative = hypot(0.06, 0.04);
    cr_assert(test_near(figure_values_octave(&response->absorption, FIGURE_T30, 1), 2 * relative, 2e-3));
    cr_assert(
        test_near(record_octave_error(response, FIGURE_T30, 1), hypot(0.3, 1.645 * 2 * relative), 3e-3));
    cr_assert(test_near(record_octave_error(response, FIGURE_EDT, 1), 1.645 * 3 * relative, 5e-3));
    cr_assert(isnan(record_octave_error(response, FIGURE_T30, 0)));
    cr_assert(isnan(record_octave_error(response, FIGURE_C80, 1)), "absent");
    const double c50 = figure_values_octave(&response->absorption, FIGURE_C50, 1),
                 d50 = figure_values_octave(&response->absorption, FIGURE_D50, 1);
    cr_assert(test_near(d50, 0.2 * 0.8 * log(10) / 10 * c50, 1e-9), "%g and %g dB", d50, c50);
    const double g = record_octave_error(response, FIGURE_G, 1);
    cr_assert(g > 0 && g < 10 / log(10) * 1.645 * relative * 1.3, "%g", g);
}
