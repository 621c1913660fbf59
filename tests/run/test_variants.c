/** simulate --variant: one variant of a project, or the project and all of them. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

TestSuite(variants, .init = enter_folder, .fini = leave_folder);

#define REST                                                                                                 \
    "\nfmax_hz: 60\nduration_s: 0.05\nsources: [{name: s, position: [1, 1, 1]}]\n"                           \
    "receivers: [{name: r, position: [2, 2, 2]}]\nmaterials: {wall: 0.1}\noutputs: {folder: runs}\n"
#define PROJECT                                                                                              \
    "room: cube.obj" REST "variants:\n  soft: {materials: {wall: 0.6}}\n  large: {room: hall.obj}\n"

static void make_project(const char *text)
{
    write_cube();
    write_box("hall.obj", 6, 5, 4, true);
    write_text("p.yaml", text);
}

static void expect_record(const char *path, const char *variant, double absorption, double volume)
{
    cJSON *record = read_json(path);
    const cJSON *name = cJSON_GetObjectItem(cJSON_GetObjectItem(record, "project"), "variant");
    cr_assert(variant == NULL ? cJSON_IsNull(name) : strcmp(name->valuestring, variant) == 0, "%s", path);
    cr_assert(number(material_of(record, "wall"), "absorption") == absorption, "%s", path);
    cr_assert(test_near(number(record, "air_volume_m3"), volume, 0.3 * volume), "%s", path);
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(record, "partial")));
}

Test(variants, all_of_them_run_beside_one_another_and_the_project_as_base)
{
    make_project(PROJECT);
    expect_status(RUN("simulate", "p.yaml", "--variant", "all"), 0);
    expect_words("out", "3 runs in runs");
    expect_words("err", "variant large (3 of 3)");
    cr_assert(eq(sz, count_entries("runs", ""), 3));
    expect_record("runs/base/run.json", NULL, 0.1, 27);
    expect_record("runs/soft/run.json", "soft", 0.6, 27);
    expect_record("runs/large/run.json", "large", 0.1, 120);
    cr_assert(exists("runs/soft/ir_s_r.wav"));
    expect_status(RUN("simulate", "p.yaml", "--variant", "soft", "-o", "one"), 0);
    expect_record("one/run.json", "soft", 0.6, 27);
}

/* Where no receiver is given the audience is, in a variant as alone. */
Test(variants, a_project_without_receivers_has_its_audience_in_every_variant)
{
    make_project("room: hall.obj\nmaterials: {floor: {absorption: 0.2}}\n"
                 "sources: [{name: s, position: [1.5, 1.5, 1.5]}]\nfmax_hz: 100\nduration_s: 0.3\n"
                 "outputs: {folder: runs}\nvariants: {warm: {air: {temperature_c: 25}}}\n");
    expect_status(system("sed -i 's/^usemtl.*/usemtl floor/' hall.obj"), 0);
    expect_status(RUN("simulate", "p.yaml", "--variant", "all"), 0);
    cr_assert(exists("runs/base/ir_s_audience.wav") && exists("runs/warm/ir_s_audience.wav"));
}

Test(variants, a_blank_in_a_name_becomes_a_line_in_its_folder)
{
    make_project("room: cube.obj" REST "variants:\n  light roof: {materials: {wall: 0.6}}\n");
    expect_status(RUN("simulate", "p.yaml", "--variant", "all"), 0);
    expect_record("runs/light_roof/run.json", "light_roof", 0.6, 27);
    expect_status(RUN("plan", "p.yaml", "--variant", "light roof"), 0);
    expect_status(RUN("plan", "p.yaml", "--variant", "light_roof"), 0);
    make_project("room: cube.obj" REST "variants:\n  a b: {audience: 1}\n  a_b: {audience: 0.5}\n");
    REFUSED("variants.a_b would have the same folder as a b, a_b", "plan", "p.yaml");
}

Test(variants, one_object_holds_the_records_of_all)
{
    make_project(PROJECT);
    expect_status(RUN("simulate", "p.yaml", "--variant", "all", "--json", "-o", "here"), 0);
    cJSON *object = read_json("out");
    cr_assert(eq(str, (char *)text_of(object, "directory"), "here"));
    const cJSON *all = cJSON_GetObjectItem(object, "variants");
    cr_assert(eq(int, cJSON_GetArraySize(all), 3));
    cr_assert(number(material_of(cJSON_GetObjectItem(all, "soft"), "wall"), "absorption") == 0.6);
}

Test(variants, what_exists_is_refused_before_the_first_run_begins)
{
    make_project(PROJECT);
    cr_assert(mkdir("runs", 0777) == 0 && mkdir("runs/large", 0777) == 0);
    write_text("runs/large/notes.txt", "mine");
    expect_status(RUN("simulate", "p.yaml", "--variant", "all"), 2);
    expect_words("err", "runs exists");
    cr_assert(eq(sz, count_entries("runs", ""), 1));
    expect_status(RUN("simulate", "p.yaml", "--variant", "all", "--force"), 0);
    expect_words("runs/large/notes.txt", "mine");
    expect_record("runs/large/run.json", "large", 0.1, 120);
}

Test(variants, what_is_wrong_with_any_is_refused_before_the_first_run_begins)
{
    static const struct {
        const char *variants, *says;
    } wrong[] = {
        {"  a: {audience: 1}\n  b: {materials: {wall: marbel floor}}\n", "variant b: variants.b"},
        {"  a: {room: absent.obj}\n", "variant a: absent.obj"},
        {"  a: {materials: {curtain: 0.5}}\n", "variants.a.materials.curtain: the room has no surface"},
        {"  a: {audience: 2}\n", "variants.a.audience is 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1000];
        (void)snprintf(text, sizeof text, "room: cube.obj" REST "variants:\n%s", wrong[i].variants);
        make_project(text);
        expect_status(RUN("simulate", "p.yaml", "--variant", "all"), 2);
        expect_words("err", wrong[i].says);
        cr_assert(not(exists("runs")));
    }
    make_project("room: cube.obj" REST);
    expect_status(RUN("simulate", "p.yaml", "--variant", "all"), 2);
    expect_words("err", "p.yaml has no variants");
    expect_status(RUN("simulate", "cube.obj", "--variant", "all", "-o", "runs"), 2);
    expect_words("err", "--variant all is for a project (.yaml), and cube.obj is not one");
    expect_status(RUN("plan", "p.yaml", "--variant", "all"), 2);
    expect_words("err", "--variant all is for simulate");
}

Test(variants, an_interrupt_keeps_what_is_done)
{
    make_project("room: cube.obj" REST "variants:\n  vast: {room: {shape: cube, size: 100}, materials: "
                 "{plaster_wall: 0.1}}\n  never: {audience: 1}\n");
    const pid_t child =
        start(NULL, (const char *const[]){TEST_PROGRAM, "simulate", "p.yaml", "--variant", "all", NULL});
    const struct timespec pause = {.tv_nsec = 5000000};
    for (int i = 0; i < 4000 && !exists("runs/base/run.json"); i++)
        nanosleep(&pause, NULL);
    kill(child, SIGINT);
    expect_status(finish(child), 130);
    expect_words("err", "variant vast: interrupted", "base is done, in runs");
    expect_record("runs/base/run.json", NULL, 0.1, 27);
    cr_assert(not(exists("runs/never")));
}
