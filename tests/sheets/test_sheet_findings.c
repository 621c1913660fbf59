/* What plan and check say of sheets that a grid does not hold, and of two on one link. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/support/checked_model.h"

TestSuite(sheet_findings, .init = enter_folder, .fini = leave_folder);

#define ROOM                                                                                                 \
    {                                                                                                        \
        "plaster", {0, 0, 0}, {8, 5, 3}, 0                                                                   \
    }
#define SPACING  "--spacing", "0.2"
#define CURTAINS "--materials", "own.yaml"

static void write_materials(void)
{
    write_text("own.yaml",
               "materials:\n"
               "- {name: plaster, kind: plaster, absorption: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]}\n"
               "- {name: curtain, kind: sheet, flow_resistance: 100, mass: 0.5}\n"
               "- {name: pane, kind: sheet, mass: 10}\n");
}

/* Nodes of the box are half a spacing from its walls. */
Test(sheet_findings, a_curtain_that_vanishes_in_the_wall_is_warned_of_and_doubtful)
{
    write_materials();
    MODEL("near.obj", ROOM, {"curtain", {0.05, 0.5, 0.5}, {0.05, 4.5, 2.5}, 0});
    MODEL("far.obj", ROOM, {"curtain", {0.5, 0.5, 0.5}, {0.5, 4.5, 2.5}, 0});
    expect_status(RUN("plan", "near.obj", SPACING, CURTAINS, PLACES), 0);
    expect_words("err", "of the sheet curtain 0 of 8 m2 hang in this grid");
    expect_words("err", "a smaller --spacing");
    cJSON *report = judged(RUN("check", "near.obj", SPACING, CURTAINS, PLACES, "--json"), 0);
    expect_verdict(report, "fit with doubts");
    cr_assert(test_near(number(expect_finding(report, "sheets_lost", "doubtful"), "value"), 8, 1e-9));
    cJSON_Delete(report);

    expect_status(RUN("plan", "far.obj", SPACING, CURTAINS, PLACES), 0);
    expect_no_words("err", "hang in this grid");
    report = judged(RUN("check", "far.obj", SPACING, CURTAINS, PLACES, "--json"), 0);
    expect_none(report, "sheets_lost");
    cJSON_Delete(report);
}

/* One link has one of them. */
Test(sheet_findings, of_two_sheets_of_different_materials_on_a_link_the_lost_one_is_named)
{
    write_materials();
    MODEL("two.obj", ROOM, {"curtain", {4.18, 0.5, 0.5}, {4.18, 4.5, 2.5}, 0},
          {"pane", {4.22, 0.5, 0.5}, {4.22, 4.5, 2.5}, 0});
    expect_status(RUN("plan", "two.obj", SPACING, CURTAINS, PLACES), 0);
    expect_words("err", "of the sheet pane 0 of 8 m2 hang in this grid");
    expect_no_words("err", "of the sheet curtain");
}

static double sabine_of(const char *model)
{
    expect_status(RUN("plan", model, SPACING, CURTAINS, PLACES, "--json"), 0);
    cJSON *plan = read_json("out");
    const double sabine = cJSON_GetArrayItem(cJSON_GetObjectItem(plan, "sabine_s"), 1)->valuedouble;
    cJSON_Delete(plan);
    return sabine;
}

/* 100 Pa s/m take more when they are 200. */
Test(sheet_findings, a_second_curtain_behind_the_first_takes_no_area_from_it_and_shortens_reverberation)
{
    write_materials();
    MODEL("one.obj", ROOM, {"curtain", {4.18, 0.5, 0.5}, {4.18, 4.5, 2.5}, 0});
    MODEL("two.obj", ROOM, {"curtain", {4.18, 0.5, 0.5}, {4.18, 4.5, 2.5}, 0},
          {NULL, {4.22, 0.5, 0.5}, {4.22, 4.5, 2.5}, 0});
    const double one = sabine_of("one.obj"), two = sabine_of("two.obj");
    expect_words("err", "its 16 m2 (16 m2 in the grid");
    expect_no_words("err", "hang in this grid");
    cr_assert(two < 0.97 * one, "%g and %g s", one, two);
}
