/** What each surface has of the loss and of the uncertainty, and which one a finding names. */
#include "src/present/report/sections/report_inputs.h"

#include "src/present/report/report_figures.h"
#include "src/run_folder/absorption_error.h"
#include "tests/support/outcome.h"
#include "tests/support/record_of.h"
#include "tests/support/test_support.h"

/* Rays from 125 Hz on; the roof has .6 of the loss and is a guess of .06, the wall .3, openings .1. */
static const char text[] =
    "{\"materials\": ["
    "{\"name\": \"roof\", \"area_m2\": 40, \"absorption_used_octaves\": [0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1], "
    "\"absorption_uncertainty_octaves\": [0.06,0.06,0.06,0.06,0.06,0.06,0.06,0.06], "
    "\"absorption_uncertainty_from\": \"guess\"},"
    "{\"name\": \"wall\", \"area_m2\": 4e6, \"absorption_used_octaves\": [0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2], "
    "\"absorption_uncertainty_octaves\": [0.02,0.02,0.02,0.02,0.02,0.02,0.02,0.02], "
    "\"absorption_uncertainty_from\": \"laboratory\"}],"
    "\"fmax_hz\": 89, \"sound_speed_m_s\": 343.2, \"air_volume_m3\": 6e4, \"air\": {\"method\": \"off\"},"
    "\"octaves_hz\": [63.1], \"means\": {\"octaves_hz\": [63.1, 125.9, 251.2, 501.2, 1000, 1995], "
    "\"t30_s\": [2, 2, 2, 2, 2, 2]}, \"rays\": {\"octave_hz\": 63.1, \"sources\": [{\"source\": \"S\", "
    "\"absorbed\": ["
    "{\"material\": \"roof\", \"share\": [0.6, 0.6, 0.6, 0.6, 0.6, 0.6]}, "
    "{\"material\": \"wall\", \"share\": [0.3, 0.3, 0.3, 0.3, 0.3, 0.3]}, "
    "{\"material\": \"open faces\", \"share\": [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]}]}]},"
    "\"responses\": [{\"source\": \"S\", \"receiver\": \"R\", \"distance_m\": 10, "
    "\"octaves_hz\": [63.1, 125.9, 251.2, 501.2, 1000, 1995], \"t30_s\": [2, 2, 2, 2, 2, 2], "
    "\"t30_s_error\": [0.3, 0.3, 0.3, 0.3, 0.3, 0.3]}]}";

static struct run_model model;
static struct report_run made;

static void make_report(void)
{
    record_of(text, &model);
    MUST(absorption_error_fill(&model, &failure));
    cr_assert(report_run_make(&made, &model, "run"));
    MUST(report_inputs_add(&made, &failure));
}

static void free_report(void)
{
    report_run_free(&made);
    run_model_free(&model);
}

TestSuite(report_inputs, .init = make_report, .fini = free_report);

/* Parts of ln T: .6 .06 / .1 = .36 and .3 .02 / .2 = .03. */
Test(report_inputs, each_surface_has_its_share_of_the_loss_and_of_the_uncertainty)
{
    cr_assert(eq(sz, made.inputs.count, 2));
    cr_assert(test_near(json_number_of(&made.inputs.item[0].share, 3), 0.6, 1e-6));
    cr_assert(test_near(json_number_of(&made.inputs.item[1].share, 3), 0.3, 1e-6));
    cr_assert(test_near(json_number_of(&made.inputs.item[1].part, 3), 0.0009 / 0.1305, 1e-4));
    cr_assert(isnan(json_number_of(&made.inputs.item[0].share, 0)), "of waves without an account");
}

/* The bar is hypot(0.3, 1.645 2 .361 = 1.19) s: nearly all of it is the roof. With 3 s of rays it is not. */
Test(report_inputs, a_finding_names_the_surface_that_most_of_the_bar_is_from)
{
    bool guessed = false;
    const char *named = report_inputs_doubt(&made, FIGURE_T30, REPORT_BAND_MIDDLE, &guessed);
    cr_assert(named != NULL && strcmp(named, "roof") == 0 && guessed);
    for (size_t o = 0; o < 6; o++)
        model.responses.item[0].error.octave[FIGURE_T30].value[o] = 3;
    cr_assert(report_inputs_doubt(&made, FIGURE_T30, REPORT_BAND_MIDDLE, &guessed) == NULL);
}
