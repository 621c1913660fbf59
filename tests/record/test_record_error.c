/** Error bars of figures from rays: of an octave, of single numbers, of means over responses. */
#include "src/response/acoustics/figure_table.h"
#include "src/run_folder/record_error.h"
#include "tests/support/record_of.h"
#include "tests/support/test_support.h"

/* Two responses of 250 Hz to 2 kHz. Waves hold the octaves up to 500 Hz of the first, and of the second. */
static const char text[] =
    "{\"rays\": {\"crossover_hz\": 597, \"octave_hz\": 501.2, \"sources\": []}, \"responses\": ["
    "{\"octaves_hz\": [251.2, 501.2, 1000, 1995], \"from\": [\"waves\", \"waves\", \"rays\", \"rays\"], "
    "\"t30_s\": [1, 2, 2, 2], \"t30_s_error\": [null, null, 0.2, 0.4], "
    "\"t30_s_scattering\": [null, null, 0.1, 0.3], \"c80_db\": [1, 1, 0.5, null], "
    "\"c80_db_error\": [null, null, 1, 1], \"c80_db_scattering\": [null, null, 1.5, 1], "
    "\"single_numbers\": {\"t30_s\": 2, \"c80_db\": 0.75}, \"sti\": 0.5, \"sti_error\": 0.02}, "
    "{\"octaves_hz\": [251.2, 501.2, 1000, 1995], \"from\": [\"waves\", \"waves\", \"rays\", \"rays\"], "
    "\"t30_s\": [1, 2, 4, null], \"t30_s_error\": [null, null, 0.6, null], "
    "\"t30_s_scattering\": [null, null, 0.6, null], "
    "\"single_numbers\": {\"t30_s\": 3}, \"sti\": 0.6}]}";

static struct run_model run;

static void read_run(void)
{
    record_of(text, &run);
}

static void free_run(void)
{
    run_model_free(&run);
}

TestSuite(record_error, .init = read_run, .fini = free_run);

Test(record_error, octaves_of_rays_alone_have_error_bars)
{
    const struct record_response *one = &run.responses.item[0];
    cr_assert(record_is_from_rays(one, 2) && !record_is_from_rays(one, 1));
    cr_assert(record_rays_hold(&run, 1000) && !record_rays_hold(&run, 501.2));
    cr_assert(isnan(record_octave_error(one, FIGURE_T30, 1)));
    cr_assert(test_near(record_octave_error(one, FIGURE_T30, 2), 0.2, 1e-12));
    cr_assert(isnan(record_octave_error(one, FIGURE_C80, 3)), "the figure is absent");
}

/* 500 Hz is of the waves, and 1 kHz has 0.2 s. */
Test(record_error, a_single_number_has_the_mean_of_its_octaves_where_waves_have_none)
{
    const struct record_response *one = &run.responses.item[0];
    cr_assert(test_near(record_single_error(one, FIGURE_T30), 0.1, 1e-12));
    cr_assert(test_near(record_single_error(one, FIGURE_C80), 0.5, 1e-12));
    cr_assert(test_near(record_single_error(one, FIGURE_STI), 0.02, 1e-12));
    cr_assert(isnan(record_single_error(&run.responses.item[1], FIGURE_STI)));
    cr_assert(isnan(record_single_error(one, FIGURE_EDT)), "absent in the octaves");
}

Test(record_error, a_mean_over_responses_has_the_mean_of_those_that_have_the_figure)
{
    cr_assert(test_near(record_mean_error(&run, FIGURE_T30, 2), 0.4, 1e-12));
    cr_assert(test_near(record_mean_error(&run, FIGURE_T30, 3), 0.4, 1e-12), "of the first alone");
    cr_assert(isnan(record_mean_error(&run, FIGURE_T30, 1)));
    cr_assert(test_near(record_mean_single_error(&run, FIGURE_T30), 0.2, 1e-12));
    cr_assert(test_near(record_mean_single_error(&run, FIGURE_STI), 0.01, 1e-12));
}

/* 0.1 of 2 s is 1 JND of 5 %, 0.6 of 4 s are 3. */
Test(record_error, what_scattering_changes_is_counted_in_just_noticeable_differences)
{
    const struct record_response *one = &run.responses.item[0];
    cr_assert(test_near(record_scattering_steps(one, FIGURE_T30, 2), 1, 1e-12));
    cr_assert(test_near(record_scattering_steps(one, FIGURE_C80, 2), 1.5, 1e-12));
    cr_assert(isnan(record_scattering_steps(one, FIGURE_T30, 1)));
    cr_assert(test_near(record_mean_scattering_steps(&run, FIGURE_T30, 2), sqrt(5), 1e-12));
}
