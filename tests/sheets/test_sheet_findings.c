/* Messages of plan and check about sheets that are lost in a grid, and about two sheets on one link. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/checked_model.h"
#include "tests/support/test_support.h"

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
    expect_words("err", "the sheet curtain has 0 of its 8 m2 in this grid", "a smaller --spacing");
    cJSON *report = judged(RUN("check", "near.obj", SPACING, CURTAINS, PLACES, "--json"), 0);
    expect_verdict(report, "fit with doubts");
    cr_assert(test_near(number(expect_finding(report, "sheets_lost", "doubtful"), "value"), 8, 1e-9));

    expect_status(RUN("plan", "far.obj", SPACING, CURTAINS, PLACES), 0);
    expect_no_words("err", "m2 in this grid");
    report = judged(RUN("check", "far.obj", SPACING, CURTAINS, PLACES, "--json"), 0);
    expect_none(report, "sheets_lost");
}

/* One link has one of them. */
Test(sheet_findings, of_two_sheets_of_different_materials_on_a_link_the_lost_one_is_named)
{
    write_materials();
    MODEL("two.obj", ROOM, {"curtain", {4.18, 0.5, 0.5}, {4.18, 4.5, 2.5}, 0},
          {"pane", {4.22, 0.5, 0.5}, {4.22, 4.5, 2.5}, 0});
    expect_status(RUN("plan", "two.obj", SPACING, CURTAINS, PLACES), 0);
    expect_words("err", "the sheet pane has 0 of its 8 m2 in this grid");
    expect_no_words("err", "the sheet curtain");
}

static double sabine_of(const char *model)
{
    const bool mesh = strstr(model, ".obj") != NULL; /* a project has its own materials */
    expect_status(mesh ? RUN("plan", model, SPACING, CURTAINS, PLACES, "--json")
                       : RUN("plan", model, SPACING, PLACES, "--json"),
                  0);
    return cJSON_GetArrayItem(cJSON_GetObjectItem(read_json("out"), "sabine_s"), 1)->valuedouble;
}

/* 100 Pa s/m take more when they are 200. */
Test(sheet_findings, a_second_curtain_behind_the_first_takes_no_area_from_it_and_shortens_reverberation)
{
    write_materials();
    MODEL("one.obj", ROOM, {"curtain", {4.18, 0.5, 0.5}, {4.18, 4.5, 2.5}, 0});
    MODEL("two.obj", ROOM, {"curtain", {4.18, 0.5, 0.5}, {4.18, 4.5, 2.5}, 0},
          {NULL, {4.22, 0.5, 0.5}, {4.22, 4.5, 2.5}, 0});
    const double one = sabine_of("one.obj"), two = sabine_of("two.obj");
    expect_words("err", "a sheet of 16 m2 (16 m2 in the grid");
    expect_no_words("err", "m2 in this grid");
    cr_assert(two < 0.97 * one, "%g and %g s", one, two);
}

/* A wall of the room that is a sheet. */
Test(sheet_findings, a_room_that_a_sheet_alone_closes_is_open_and_the_sheet_is_named)
{
    write_materials();
    MODEL("open.obj", {"plaster", {0, 0, 0}, {8, 5, 3}, FACE_XP}, {"curtain", {8, 0, 0}, {8, 5, 3}, 0});
    expect_status(RUN("plan", "open.obj", SPACING, CURTAINS, PLACES), 2);
    expect_words("err", "only the sheet \"curtain\" is there, and a sheet transmits sound");
    expect_no_words("err", "--seal");
    expect_status(RUN("check", "open.obj", SPACING, CURTAINS, PLACES), 1);
    expect_words("out", "Only the sheet \"curtain\" is there");
    expect_no_words("out", "--seal");
}

/* Beside a hole, a curtain within the room is not to blame. */
Test(sheet_findings, a_leak_elsewhere_is_no_sheets_fault)
{
    write_materials();
    MODEL("slot.obj", {"plaster", {0, 0, 0}, {8, 5, 3}, FACE_XP}, {NULL, {8, 0, 0}, {8, 5, 2}, 0},
          {"curtain", {6, 0, 0}, {6, 5, 3}, 0});
    expect_status(RUN("plan", "slot.obj", SPACING, CURTAINS, PLACES), 2);
    expect_words("err", "close the gap in the model");
}

Test(sheet_findings, a_curtain_in_the_air_that_is_no_sheet_is_told_of_and_one_at_a_wall_is_not)
{
    MODEL("hung.obj", ROOM, {"Vorhang rot", {4.1, 0.5, 0.5}, {4.1, 4.5, 2.5}, 0});
    MODEL("wall.obj", {"plaster", {0, 0, 0}, {8, 5, 3}, FACE_XP}, {"curtain", {8, 0, 0}, {8, 5, 3}, 0});
    cJSON *report = judged(RUN("check", "hung.obj", SPACING, "--absorption", "0.1", PLACES, "--json"), 0);
    cr_assert(test_near(number(expect_finding(report, "curtain", "harmless"), "value"), 8, 1e-9));
    report = judged(RUN("check", "wall.obj", SPACING, "--absorption", "0.1", PLACES, "--json"), 0);
    expect_none(report, "curtain");
    expect_status(RUN("new", "hung.obj", "-o", "hung.yaml"), 0);
    expect_words("hung.yaml", "transmits nothing");
}

/* In a project as in a library. */
Test(sheet_findings, a_project_says_what_a_sheet_is_made_of)
{
    write_materials();
    MODEL("one.obj", ROOM, {"curtain", {4.18, 0.5, 0.5}, {4.18, 4.5, 2.5}, 0});
    const double wanted = sabine_of("one.obj");
    write_text("p.yaml", "room: one.obj\nmaterials:\n"
                         "  plaster: {octaves: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]}\n"
                         "  curtain: {flow_resistance: 100, mass: 0.5}\n");
    const double sabine = sabine_of("p.yaml");
    cr_assert(sabine == wanted, "%.17g and %.17g s", sabine, wanted);
    static const char *const faulty[][2] = {
        {"flow_resistance: 100, absorption: 0.5", "has more than one of library, absorption"},
        {"kind: sheet", "has no flow_resistance"}};
    for (int n = 0; n < 2; n++) {
        char text[200], words[200];
        (void)snprintf(text, sizeof text, "room: one.obj\nmaterials:\n  plaster: 0.1\n  curtain: {%s}\n",
                       faulty[n][0]);
        (void)snprintf(words, sizeof words, "p.yaml, line 4: materials.curtain %s", faulty[n][1]);
        write_text("p.yaml", text);
        expect_status(RUN("plan", "p.yaml", SPACING, PLACES), 2);
        expect_words("err", words);
    }
}
