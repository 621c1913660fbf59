/* A space other than the largest of a model is warned of, and furniture is not taken for a room. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/checked_model.h"

TestSuite(room_space, .init = enter_folder, .fini = leave_folder);

/* ---- models ---- */

/* A hall 12 x 8 x 5 m with a hollow gallery of 6 x 4 x 0.3 m, pews and a pillar that are hollow too; in the
 * wall at x = 12 a door of 2 x 2.4 m, or a slot so wide over the wall's whole width. */
static struct model hall_begin(const char *path, bool door, double slot)
{
    struct model model = model_open(path);
    model_material(&model, "plaster");
    model_box(&model, AT(0, 0, 0), AT(12, 8, 5), FACE_XP);
    if (door) {
        model_panel(&model, 0, 12, 0, 0, 3, 5);
        model_panel(&model, 0, 12, 5, 0, 8, 5);
        model_panel(&model, 0, 12, 3, 2.4, 5, 5);
    } else {
        model_panel(&model, 0, 12, 0, 0, 8, 1);
        model_panel(&model, 0, 12, 0, 1 + slot, 8, 5);
    }
    model_material(&model, "wood");
    model_box(&model, AT(2, 2, 3), AT(8, 6, 3.3), 0);
    for (int pew = 0; pew < 3; pew++)
        model_box(&model, AT(2, 1.5 + pew, 0), AT(6, 1.9 + pew, 0.9), 0);
    model_box(&model, AT(9, 2, 0), AT(9.8, 2.8, 4.5), 0);
    return model;
}

static void write_hall_with(const char *path, bool door, double slot)
{
    fclose(hall_begin(path, door, slot).file);
}

/* The same with a sacristy of 4 x 4 x 3 m that no path joins to it. */
static void write_with_sacristy(const char *path, bool door)
{
    struct model model = hall_begin(path, door, 0);
    model_box(&model, AT(0, 8.5, 0), AT(4, 12.5, 3), 0);
    fclose(model.file);
}

#define SLAB  "--source", "4,4,3.15,S1", "--receiver", "5,4,3.15,near", "--receiver", "6,4,3.15,far"
#define GRID  "--spacing", "0.1", "--absorption", "0.1"
#define QUICK GRID, "--fmax", "100", "--duration", "0.05"

/* The refusal, with both spaces and the leak path of the larger one. */
static void expect_furniture(int status)
{
    expect_status(status, 2);
    expect_words("err", "7.2 m3 around ", "looks like the inside of furniture",
                 "no place in it is 1 m from every surface", "the largest space of the model, about ",
                 "is not closed: a path leads out of it through a gap about 2 m wide at 11.", "--open");
}

/* ---- automatically ---- */

Test(room_space, the_inside_of_a_gallery_is_no_room_when_the_hall_stands_open)
{
    write_hall_with("hall.obj", true, 0);
    expect_furniture(RUN("new", "hall.obj", "-o", "hall.yaml"));
    cr_assert(exists("leak.obj") && !exists("hall.yaml"));
    expect_furniture(RUN("compare", "hall.obj", GRID));
    expect_furniture(RUN("film", "hall.obj", GRID, "--slice", "z=1.5", "-o", "film"));
    cr_assert(not(exists("film")));
    /* `plan` only warns. */
    expect_status(RUN("plan", "hall.obj", QUICK, "--json"), 0);
    expect_words("err", "{\"warning\":{\"message\":\"a space of 7.2 m3 around ",
                 "is not closed: a path leads out of it through a gap about 2 m wide at 11.");
    cJSON *plan = read_json("out");
    const cJSON *larger = cJSON_GetObjectItem(plan, "larger_space");
    cr_assert(test_near(number(larger, "volume_m3"), 470, 25));
    cr_assert(test_near(number(larger, "gap_m"), 2, 0.05) &&
              cJSON_IsTrue(cJSON_GetObjectItem(larger, "open")));
    cJSON *report = judged(RUN("check", "hall.obj", GRID, "--json"), 1);
    cr_assert(test_near(number(expect_finding(report, "leak", "unfit"), "value"), 2, 0.05));
    expect_in(expect_finding(report, "not_enclosed", "unfit"), "sentence", "is not closed");
    expect_none(report, "no_source");
}

Test(room_space, a_hall_that_leaks_and_encloses_nothing_has_its_leak_path_written)
{
    MODEL("hall.obj", {NULL, {0, 0, 0}, {8, 6, 4}, FACE_XP}, {NULL, {8, 0, 0}, {8, 6, 3}, 0});
    expect_status(RUN("plan", "hall.obj", GRID), 2);
    expect_words("err", "encloses no air", "through a gap about 0.95 m wide at 7.8",
                 "the leak path is in leak.obj");
}

Test(room_space, closing_sealing_or_accepting_the_gap_gives_the_hall)
{
    write_hall_with("shut.obj", false, 0);
    expect_status(RUN("new", "shut.obj", "-o", "shut.yaml"), 0);
    expect_no_words("err", "is taken");
    write_hall_with("slot.obj", false, 0.06);
    expect_status(RUN("plan", "slot.obj", "--spacing", "0.05"), 0);
    expect_words("err", "close cracks of that width with --seal 6.9cm");
    expect_status(RUN("plan", "slot.obj", "--spacing", "0.05", "--seal", "6.9cm"), 0);
    expect_no_words("err", "is taken; ");
    write_hall_with("open.obj", true, 0);
    expect_status(RUN("new", "open.obj", "-o", "open.yaml", "--open"), 0);
    expect_no_words("err", "is taken");
}

Test(room_space, a_sacristy_is_taken_where_the_church_stands_open_with_a_warning)
{
    write_with_sacristy("church.obj", true);
    expect_status(RUN("new", "church.obj", "-o", "church.yaml", "--quiet"), 0);
    expect_words("err", "warning: a space of 48 m3 around ", "is not closed: a path leads out");
    expect_status(RUN("simulate", "church.yaml", QUICK, "-o", "run"), 0);
    expect_words("err", "warning: a space of 48 m3 around ");
}

Test(room_space, the_only_space_of_a_model_is_a_room_however_small)
{
    static const double size[][3] = {{0.1, 0.1, 6}, {2, 1.5, 0.2}};
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        write_box("box.obj", size[i][0], size[i][1], size[i][2], true);
        expect_status(RUN("new", "box.obj", "-o", "box.yaml", "--force"), 0);
        expect_status(
            RUN("simulate", "box.yaml", "--fmax", "600", "--duration", "0.02", "-o", "run", "--force"), 0);
        expect_no_words("err", "is taken");
    }
}

/* ---- by hand ---- */

Test(room_space, a_position_by_hand_goes_anywhere_and_the_larger_space_is_warned_of)
{
    write_hall_with("hall.obj", true, 0);
    expect_status(RUN("simulate", "hall.obj", QUICK, SLAB, "-o", "run"), 0);
    expect_words("err",
                 "warning: a space of 7.2 m3 around 4, 4, 3.15 m is taken; the largest space of the model");
    cJSON *record = read_json("run/run.json");
    cr_assert(test_near(number(cJSON_GetObjectItem(record, "larger_space"), "volume_m3"), 470, 25));
    expect_status(RUN("report", "run"), 0);
    expect_words("run/report.html", "is taken; the largest space of the model, about ");
    expect_status(RUN("compare", "hall.obj", GRID, "--steps", "10", SLAB), 0);
    expect_words("err", "is taken");
    /* In the model, and in a project of a person's. */
    struct model model = hall_begin("named.obj", true, 0);
    fprintf(model.file, "o source:organ\n");
    model_box(&model, AT(3.9, 3.9, 3.1), AT(4.1, 4.1, 3.2), 0);
    fclose(model.file);
    expect_status(RUN("plan", "named.obj", "--spacing", "0.1"), 0);
    expect_status(RUN("compare", "named.obj", "--spacing", "0.1", "--steps", "10"), 0);
    write_text("mine.yaml", "room: hall.obj\nmaterials: {plaster: 0.1, wood: 0.1}\n"
                            "sources: [{name: bellows, position: [4, 4, 3.15]}]\n"
                            "receivers: [{name: inside, position: [5, 4, 3.15]}]\n");
    expect_status(
        RUN("simulate", "mine.yaml", "--fmax", "100", "--spacing", "0.1", "--duration", "0.05", "-o", "mine"),
        0);
}

Test(room_space, a_side_room_by_hand_is_warned_of_with_both_volumes)
{
    write_with_sacristy("church.obj", false);
    expect_status(
        RUN("simulate", "church.obj", QUICK, "--source", "2,10,1.5", "--receiver", "3,11,1.2", "-o", "run"),
        0);
    expect_words(
        "err", "a space of 48 m3 around 2, 10, 1.5 m is taken; the largest space of the model holds about 4");
    cJSON *record = read_json("run/run.json");
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetObjectItem(record, "larger_space"), "open")));
    expect_status(
        RUN("simulate", "church.obj", QUICK, "--source", "7,1,1.5", "--receiver", "10,5,1.2", "-o", "hall"),
        0);
    expect_no_words("err", "is taken");
    record = read_json("hall/run.json");
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(record, "larger_space")));
}

/* ---- what older programs left ---- */

#define OLD_PLACES                                                                                           \
    "sources: [{name: S1, position: [4, 4, 3.15]}]\n"                                                        \
    "receivers: [{name: near, position: [5, 4, 3.15]}, {name: far, position: [6, 4, 3.15]}]\n"

Test(room_space, a_project_that_new_once_put_into_a_gallery_is_refused_until_a_person_chooses_it)
{
    write_hall_with("hall.obj", true, 0);
    write_text("old.yaml", "room: hall.obj\nmaterials: {plaster: 0.1, wood: 0.1}\n" OLD_PLACES);
    expect_furniture(RUN("simulate", "old.yaml", "--spacing", "0.1", "-o", "run"));
    cr_assert(not(exists("run")));
    expect_furniture(RUN("compare", "old.yaml", "--spacing", "0.1"));
    cJSON *report = judged(RUN("check", "old.yaml", "--spacing", "0.1", "--json"), 1);
    expect_in(expect_finding(report, "source_in_side_cavity", "unfit"), "advice", "--source");
    expect_status(RUN("simulate", "old.yaml", "--fmax", "100", "--spacing", "0.1", "--duration", "0.05", "-o",
                      "run", "--source", "4,4,3.15,S1"),
                  0);
    /* Where the hall is shut these are still no places for a room. */
    write_hall_with("hall.obj", false, 0);
    expect_status(RUN("simulate", "old.yaml", "--spacing", "0.1", "-o", "again"), 2);
    expect_words("err", "the largest space of the model holds about 4");
}
