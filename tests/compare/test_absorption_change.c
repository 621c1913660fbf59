/** The difference of two runs where absorption is uncertain. */
#include "src/present/compare/absorption_change.h"
#include "tests/support/outcome.h"
#include "tests/support/record_of.h"
#include "tests/support/test_support.h"

#define ROOM(floor, asked, time, share)                                                                      \
    "{\"materials\": ["                                                                                      \
    "{\"name\": \"" floor "\", \"area_m2\": 40, \"absorption_octaves\": [" asked                             \
    ", 0.1, 0, 0, 0, 0, 0, 0], "                                                                             \
    "\"absorption_used_octaves\": [0.1, 0.1, 0, 0, 0, 0, 0, 0], "                                            \
    "\"absorption_uncertainty_octaves\": [0.05, 0.01, 0, 0, 0, 0, 0, 0]},"                                   \
    "{\"name\": \"wall\", \"area_m2\": 4e6, \"absorption_octaves\": [0.2, 0.2, 0, 0, 0, 0, 0, 0], "          \
    "\"absorption_used_octaves\": [0.2, 0.2, 0, 0, 0, 0, 0, 0], "                                            \
    "\"absorption_uncertainty_octaves\": [0.05, 0.02, 0, 0, 0, 0, 0, 0]}],"                                  \
    "\"fmax_hz\": 89, \"sound_speed_m_s\": 343.2, \"air_volume_m3\": 6e4, \"air\": {\"method\": \"off\"},"   \
    "\"octaves_hz\": [63.1], \"means\": {\"octaves_hz\": [63.1, 125.9], \"t30_s\": [4, " time "]},"          \
    "\"rays\": {\"octave_hz\": 63.1, \"sources\": [{\"source\": \"S1\", \"absorbed\": ["                     \
    "{\"material\": \"" floor                                                                                \
    "\", \"share\": [0.6, 0.6]}, {\"material\": \"wall\", \"share\": [0.4, 0.4]}]}]},"                       \
    "\"responses\": [{\"distance_m\": 10, \"octaves_hz\": [63.1, 125.9], \"t30_s\": [4, " time "]}]}"

static struct run_model run[2];
static struct absorption_change change;

static double error_of(const char *first, const char *second, int hz)
{
    const char *const text[2] = {first, second};
    for (int r = 0; r < 2; r++)
        record_of(text[r], &run[r]);
    MUST(absorption_change_make(&run[0], &run[1], &change, &failure));
    const struct record_response *const response[2] = {&run[0].responses.item[0], &run[1].responses.item[0]};
    const double error = absorption_change_error(&change, response, FIGURE_T30, hz);
    absorption_change_free(&change);
    run_model_free(&run[0]);
    run_model_free(&run[1]);
    return error;
}

Test(absorption_change, what_two_runs_share_moves_both_and_does_not_hide_their_difference)
{
    const char *const same = ROOM("floor", "0.1", "2", "0.6");
    cr_assert(test_near(error_of(same, same, 125), 0, 1e-12));
    cr_assert(isnan(error_of(same, same, 1000)), "no such octave");
    /* T30 of 2 and 1 s with equal shares: half of what either is uncertain by at 2 s. */
    cr_assert(test_near(error_of(same, ROOM("floor", "0.1", "1", "0.6"), 125), hypot(0.06, 0.04), 1e-3));
}

/* The floor is another: 2 s times 0.06 in each run, and the wall is shared. */
Test(absorption_change, a_surface_that_differs_errs_in_each_run_by_itself)
{
    const char *const first = ROOM("floor", "0.1", "2", "0.6");
    const double expected = 2 * 0.06 * sqrt(2);
    cr_assert(test_near(error_of(first, ROOM("carpet", "0.1", "2", "0.6"), 125), expected, 1e-3));
    cr_assert(test_near(error_of(first, ROOM("floor", "0.3", "2", "0.6"), 125), expected, 1e-3));
}
