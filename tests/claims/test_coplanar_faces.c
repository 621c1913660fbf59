/** Panels drawn on walls, from the file to the responses and the page. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/checked_model.h"
#include "tests/support/test_support.h"

TestSuite(coplanar_faces, .init = enter_folder, .fini = leave_folder);

#define WALLS                                                                                                \
    {                                                                                                        \
        "wall", {0, 0, 0}, {4, 3, 3}, 0                                                                      \
    }
#define PANELS                                                                                               \
    {"panel", {0.5, 0, 0.5}, {3.5, 0, 2.5}, 0},                                                              \
    {                                                                                                        \
        NULL, {0.5, 3, 0.5}, {3.5, 3, 2.5}, 0                                                                \
    }
#define HALL   "--fmax", "177", "--absorption", "panel=0.9", "--absorption", "0.03"
#define PLACED "--source", "1,1,1.2", "--receiver", "3,2,1.5"

Test(coplanar_faces, the_order_of_a_file_changes_no_response)
{
    MODEL("a.obj", PANELS, WALLS);
    MODEL("b.obj", WALLS, PANELS);
    static const char *const model[] = {"a.obj", "b.obj"};
    for (int i = 0; i < 2; i++) {
        expect_status(RUN("simulate", model[i], PLACED, HALL, "--duration", "0.3", "-o", i == 0 ? "a" : "b"),
                      0);
        cJSON *run = read_json(i == 0 ? "a/run.json" : "b/run.json");
        cr_assert(test_near(number(material_of(run, "panel"), "area_exposed_m2"), 12, 0.01));
        cr_assert(test_near(number(material_of(run, "wall"), "area_exposed_m2"), 54, 0.01));
        /* Of the wall less than nine tenths is in effect. */
        char *warnings = cJSON_Print(cJSON_GetObjectItem(run, "warnings"));
        cr_assert(strstr(warnings, "54 of 66 m2 (12 m2 under") != NULL, "%s", warnings);
        cJSON_free(warnings);
    }
    cr_assert(same_file("a/ir_S1_R1.wav", "b/ir_S1_R1.wav"));
    expect_status(RUN("report", "b", "-o", "b.html"), 0);
    expect_words("b.html", "Less than nine tenths of these surfaces is in effect");
}

Test(coplanar_faces, check_tells_which_of_two_materials_counts)
{
    MODEL("b.obj", WALLS, PANELS);
    cJSON *report = judged(RUN("check", "b.obj", PLACED, HALL, "--json"), 0);
    const cJSON *finding = expect_finding(report, "coplanar_faces", "doubtful");
    cr_assert(test_near(number(finding, "value"), 12, 1e-6));
    expect_in(finding, "sentence", "12 m2 of \"panel\" on \"wall\"");
    cr_assert(test_near(number(material_of(report, "wall"), "reached_area_m2"), 54, 1e-6));
    cr_assert(test_near(number(material_of(report, "panel"), "reached_area_m2"), 12, 1e-6));
    /* Where both absorb alike, nothing hangs on it. */
    report = judged(RUN("check", "b.obj", "--fmax", "177", "--absorption", "0.1", PLACED, "--json"), 0);
    expect_none(report, "coplanar_faces");
}
