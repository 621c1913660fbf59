/* All mistakes of a project at once: each with its line, the status that of the first. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "src/base/options/failure_text.h"
#include "src/setup/project/project.h"
#include "tests/support/outcome.h"

TestSuite(project_mistakes, .init = enter_folder, .fini = leave_folder);

static const char wrong[] = "room: cube.obj\n"
                            "fmax: 200\n"
                            "up: w\n"
                            "materials:\n"
                            "  floor: {absorption: 1.6, audence: 0.3}\n"
                            "  walls: {library: marbel, scattering: {125: 1.5}}\n"
                            "  roof: 3\n"
                            "  door: 0.3 +- wide\n"
                            "  leaf: oak door +- wide\n"
                            "sources:\n"
                            "- {name: \"a b\", position: [1, 1, x]}\n"
                            "receivers:\n"
                            "- {positon: [1, 2]}\n"
                            "- name: far\n"
                            "receiver_grids: [{name: g, spacing_m: -1}]\n"
                            "air: {temperature_c: 400}\n"
                            "variants:\n"
                            "  two words: {audience: 2}\n"
                            "  all: {audience: 0.5}\n"
                            "  other: {materials: {oak: wood pannel}, fmax_hz: 100}\n";
static const char *const lines[] = {
    "w.yaml, line 2: fmax is not a key",
    "\nw.yaml, line 3: up is w",
    "\nw.yaml, line 5: materials.floor.audence is not a key",
    "\nw.yaml, line 5: materials.floor.absorption is 1.6",
    "\nw.yaml, line 6: materials.walls.library is marbel: there is no material",
    "\nw.yaml, line 6: materials.walls.scattering.125 is 1.5",
    "\nw.yaml, line 7: materials.roof is 3",
    "\nw.yaml, line 8: materials.door is 0.3 +- wide; expected an absorption",
    "\nw.yaml, line 9: materials.leaf is oak door +- wide; expected a name of the material library",
    "\nw.yaml, line 11: sources[1].name is a b",
    "\nw.yaml, line 11: sources[1].position[3] is x",
    "\nw.yaml, line 13: receivers[1].positon is not a key",
    "\nw.yaml, line 14: receivers[2] has no position",
    "\nw.yaml, line 15: receiver_grids[1].spacing_m is -1",
    "\nw.yaml, line 16: air.temperature_c is 400",
    "\nw.yaml, line 18: variants.two words.audience is 2",
    "\nw.yaml, line 19: variants.all is not a name",
    "\nw.yaml, line 20: variants.other.materials.oak is wood pannel: there is no material",
    "\nw.yaml, line 20: variants.other.fmax_hz is the same for all variants",
};

Test(project_mistakes, every_mistake_of_a_file_is_told_with_its_line_and_no_other)
{
    struct project *project = NULL;
    char text[FAILURE_TEXT_MAX];
    write_text("w.yaml", wrong);
    cr_assert(eq(int, project_open("w.yaml", NULL, &project, &failure), FAILURE_INPUT));
    failure_text(&failure, text);
    size_t told = 1;
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
        cr_expect(strstr(text, lines[l]) != NULL, "%s\n-- is not in --\n%s", lines[l], text);
    for (const char *p = text; (p = strchr(p, '\n')) != NULL; p++)
        told++;
    cr_assert(eq(sz, told, sizeof lines / sizeof *lines), "%s", text);
    cr_assert(strncmp(text, lines[0], strlen(lines[0])) == 0, "%s", text);
}

Test(project_mistakes, more_than_fit_end_with_and_more)
{
    char many[6000] = "room: cube.obj\nmaterials:\n", text[FAILURE_TEXT_MAX];
    struct project *project = NULL;
    for (int m = 0; m < 200; m++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "  m%d: 7\n", m);
    write_text("w.yaml", many);
    cr_assert(eq(int, project_open("w.yaml", NULL, &project, &failure), FAILURE_INPUT));
    failure_text(&failure, text);
    cr_assert(strcmp(text + strlen(text) - 9, "\nand more") == 0, "%s", text);
    cr_assert(strstr(text, "w.yaml, line 12: materials.m9 is 7; expected") != NULL, "%s", text);
}

Test(project_mistakes, mistakes_that_need_the_model_come_in_the_same_list)
{
    write_box("cube.obj", 3, 3, 3, true);
    write_text("q.yaml", "room: cube.obj\nfmax_hz: 150\nmaterials:\n"
                         "  glas: {library: marbel}\n"
                         "  oak: {library: woood}\n"
                         "sources: [nowhere]\nreceivers: [elsewhere]\n");
    expect_status(RUN("plan", "q.yaml"), 2);
    expect_words("err", "q.yaml, line 4: materials.glas: the room has no surface of that name; it has ",
                 "q.yaml, line 4: materials.glas: there is no material \"marbel\"",
                 "q.yaml, line 5: materials.oak: there is no material \"woood\"",
                 "the model has no source called nowhere", "the model has no receiver called elsewhere");
}

Test(project_mistakes, every_receiver_outside_the_room_is_told_with_a_place_within)
{
    write_box("cube.obj", 3, 3, 3, true);
    expect_status(RUN("plan", "cube.obj", "--fmax", "150", "--absorption", "0.1", "--source", "1,1,1",
                      "--receiver", "9,9,9", "--receiver", "1,1,-4", "--receiver", "2,2,2"),
                  2);
    expect_words("err", "receiver \"R1\" at (9, 9, 9) m is outside the room",
                 "receiver \"R2\" at (1, 1, -4) m is outside the room",
                 "move it to the nearest valid point (0.95");
}

Test(project_mistakes, receiver_grids_that_the_model_has_no_place_for_are_told_with_the_positions)
{
    write_box("cube.obj", 3, 3, 3, true);
    expect_status(RUN("plan", "cube.obj", "--fmax", "150", "--absorption", "0.1", "--source", "nowhere",
                      "--receiver-grid", "a=nosuch", "--receiver-grid", "b=norsuch"),
                  2);
    expect_words("err", "the model has no source called nowhere",
                 "receiver grid a: no surface of the model is called \"nosuch\"",
                 "receiver grid b: no surface of the model is called \"norsuch\"");
}

Test(project_mistakes, every_receiver_grid_beside_the_room_is_told)
{
    write_box("cube.obj", 3, 3, 3, true);
    expect_status(RUN("simulate", "cube.obj", "-o", "run", "--fmax", "150", "--absorption", "0.1", "--source",
                      "1,1,1", "--receiver-grid", "a=8,8,0;9,8,0;9,9,0;8,9,0", "--receiver-grid",
                      "b=8,8,0;9,8,0;9,9,0;8,9,0"),
                  2);
    expect_words("err", "receiver grid a: no point is left", "receiver grid b: no point is left");
    cr_assert(exists("run") == false);
}

Test(project_mistakes, each_variant_has_its_mistakes_and_shared_ones_come_once)
{
    write_box("cube.obj", 3, 3, 3, true);
    write_box("low.obj", 3, 3, 1.5, true);
    write_box("short.obj", 1.5, 3, 3, true);
    write_text("v.yaml",
               "room: cube.obj\nfmax_hz: 150\nduration_s: 0.02\nother_surfaces: 0.1\n"
               "sources: [{name: s, position: [1, 1, 1]}]\n"
               "receivers: [{name: r, position: [2, 2, 2]}]\n"
               "variants:\n  low: {room: low.obj}\n  short: {room: short.obj}\n  dry: {audience: 0}\n");
    expect_status(RUN("simulate", "v.yaml", "-o", "runs", "--variant", "all"), 2);
    expect_words("err", "variant low: receiver r at 2, 2, 2 m is outside the model",
                 "variant short: receiver r at 2, 2, 2 m is outside the model");
    expect_no_words("err", "variant dry");
    cr_assert(exists("runs") == false);
    expect_status(RUN("simulate", "v.yaml", "-o", "runs", "--variant", "all", "--receiver", "7,7,7,far"), 2);
    expect_words("err", "variant base: receiver far at 7, 7, 7 m is outside the model");
    expect_no_words("err", "variant dry");
}
