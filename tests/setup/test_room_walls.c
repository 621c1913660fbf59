/* Materials in the program: what run.json and the lists say, what is refused, and that engines get the walls.
 */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "rooms/materials/surfaces.h"

TestSuite(room_walls, .init = enter_folder, .fini = leave_folder);

#define SHORT "--fmax", "150", "--duration", "0.02", "--backend", "cpu"

/* A box of 3 m whose floor has the material `floor`, everything else `rest`. */
static void write_room(const char *floor, const char *rest)
{
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    fprintf(file,
            "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 3 3 0\nv 0 0 3\nv 3 0 3\nv 0 3 3\nv 3 3 3\nusemtl %s\nf 1 3 4 2\n"
            "usemtl %s\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n",
            floor, rest);
    fclose(file);
}

static double octave_of(const cJSON *entry, const char *list, int octave)
{
    const cJSON *array = cJSON_GetObjectItem(entry, list);
    cr_assert(eq(int, cJSON_GetArraySize(array), MATERIAL_OCTAVES));
    return cJSON_GetArrayItem(array, octave)->valuedouble;
}

/* The branches of run.json absorb what it says that they do. */
static void expect_branches_to_absorb(const cJSON *entry)
{
    struct wall_branch branch[WALL_BRANCHES_MAX];
    size_t count = 0;
    const cJSON *each;
    cJSON_ArrayForEach(each, cJSON_GetObjectItem(entry, "branches"))
    {
        branch[count++] =
            (struct wall_branch){number(each, "D_s"), number(each, "E"), number(each, "F_per_s")};
    }
    for (int o = 0; o < MATERIAL_OCTAVES; o++) {
        const double used = octave_of(entry, "absorption_used_octaves", o),
                     absorbed = surface_octave_mean(branch, count, o);
        cr_assert(test_near(used, absorbed, 2e-4), "%s, octave %d: %g, branches %g", text_of(entry, "name"),
                  o, used, absorbed);
    }
}

Test(room_walls, every_built_in_room_runs_with_what_the_library_knows)
{
    static const char *const shape[] = {"cube", "sphere", "cross", "church"};
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        expect_status(RUN("room", shape[s], "-o", "room.obj", "--force", "--quiet"), 0);
        expect_status(RUN("simulate", "room.obj", "--fmax", "70", "--duration", "0.02", "-o", "run",
                          "--force", "--quiet", "--backend", "cpu"),
                      0);
        cJSON *object = read_json("run/run.json");
        cr_assert(eq(str, (char *)text_of(object, "walls"), "conformal"));
        const cJSON *entry;
        cJSON_ArrayForEach(entry, cJSON_GetObjectItem(object, "materials"))
        {
            cr_assert(eq(str, (char *)text_of(entry, "origin"), "library"), "%s", text_of(entry, "name"));
            expect_branches_to_absorb(entry);
        }
        cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "warnings")), 0));
    }
}

Test(room_walls, run_json_and_the_list_have_the_origin_of_every_absorption)
{
    write_room("Marble.001", "some_wall");
    write_text("b.csv", "material,D,E,F\nsome_wall,0.01,4,300\nsome_wall,0,9,0\n");
    expect_status(RUN("simulate", "room.obj", SHORT, CUBE_PLACES, "-o", "run", "--materials", "b.csv"), 0);
    expect_words("err", "library: marble floor\n", "file, 2 branches\n");
    cJSON *object = read_json("run/run.json");
    const cJSON *floor = material_of(object, "Marble.001"), *rest = material_of(object, "some_wall");
    cr_assert(eq(str, (char *)text_of(floor, "library_name"), "marble floor"));
    cr_assert(test_near(octave_of(floor, "absorption_octaves", 5), 0.02, 1e-12));
    cr_assert(test_near(number(floor, "area_m2"), 9, 1e-9) && test_near(number(rest, "area_m2"), 45, 1e-9));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(floor, "audience")));
    cr_assert(eq(str, (char *)text_of(rest, "origin"), "file"));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(rest, "library_name")));
    const cJSON *branch = cJSON_GetArrayItem(cJSON_GetObjectItem(rest, "branches"), 0);
    cr_assert(number(branch, "D_s") == 0.01 && number(branch, "E") == 4 && number(branch, "F_per_s") == 300);
    expect_branches_to_absorb(floor);
    expect_branches_to_absorb(rest);
    cr_assert(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "material_octaves_hz"), 1)->valuedouble == 125);
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--absorption", "marble=0.5", "--absorption", "1",
                      "--json", "--backend", "cpu"),
                  0);
    object = read_json("out");
    cr_assert(eq(str, (char *)text_of(material_of(object, "Marble.001"), "origin"), "option"));
    cr_assert(number(material_of(object, "Marble.001"), "absorption") == 0.5);
    cr_assert(eq(str, (char *)text_of(material_of(object, "some_wall"), "origin"), "fallback"));
    expect_words("err", "some_wall: an absorption of 1 is more than");
}

Test(room_walls, names_of_a_file_that_the_room_lacks_are_listed)
{
    write_room("Marble.001", "some_wall");
    write_text("slip.csv", "material,125\nmarbel,0.3\nsome wall,0.1\nroof,0.2\n");
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--materials", "slip.csv"), 0);
    expect_words("err", "\n  no surface of this room is called \"marbel\", \"roof\"\n");
    write_text("right.csv", "material,125\nmarble,0.3\nsome wall,0.1\n");
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--materials", "right.csv"), 0);
    char *err = read_text("err");
    cr_assert(strstr(err, "no surface of this room") == NULL, "%s", err);
}

Test(room_walls, simulate_lists_what_is_unknown_and_the_others_go_on)
{
    write_room("Material.001", "marbel wall");
    expect_status(RUN("simulate", "room.obj", SHORT, CUBE_PLACES, "-o", "run"), 2);
    expect_words("err", "\"Material.001\" (9 m2)", "\"marbel wall\" (45 m2; known: \"");
    cr_assert(not(exists("run")));
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--json", "--backend", "cpu"), 0);
    expect_words("err", "2 of 2 materials have no absorption and count as 0.1");
    cJSON *object = read_json("out");
    cr_assert(eq(str, (char *)text_of(material_of(object, "Material.001"), "origin"), "assumed"));
    expect_status(RUN("check", "room.obj", "--spacing", "20cm"), 0);
    expect_words("out", "(45 m2; known: \"");
    expect_status(RUN("compare", "room.obj", "--fmax", "150", "--steps", "20", "--backend", "cpu"), 0);
    expect_words("err", "count as 0.1");
}

Test(room_walls, an_audience_is_mixed_into_the_pews_and_warned_of_where_there_are_none)
{
    write_room("pews", "stone");
    double absorption[3];
    for (int half = 0; half <= 2; half++) {
        char share[24];
        snprintf(share, sizeof share, "%g", 0.5 * half);
        expect_status(
            RUN("plan", "room.obj", "--fmax", "150", "--audience", share, "--json", "--backend", "cpu"), 0);
        cJSON *object = read_json("out");
        const cJSON *pews = material_of(object, "pews");
        cr_assert(number(pews, "audience") == 0.5 * half);
        absorption[half] = octave_of(pews, "absorption_octaves", 4);
        expect_branches_to_absorb(pews);
        cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(object, "warnings")), 0));
        char words[60];
        snprintf(words, sizeof words, "library: wooden pews empty, %d %% of the seats taken", 50 * half);
        expect_words("err", words);
    }
    cr_assert(test_above(absorption[2], absorption[0] + 0.2));
    cr_assert(test_near(absorption[1], (absorption[0] + absorption[2]) / 2, 1e-12));
    write_room("marble", "stone");
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--audience", "0.5", "--backend", "cpu"), 0);
    expect_words("err", "warning: an audience of 0.5 changes nothing");
}

Test(room_walls, an_absorption_of_all_others_is_noted_where_the_library_knows_every_surface)
{
    static const char note[] = "an absorption of 0.3 for other materials has no effect";
    write_room("marble", "stone");
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--absorption", "0.3", "--backend", "cpu"), 0);
    expect_words("err", note);
    write_room("marble", "Material.001");
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--absorption", "0.3", "--backend", "cpu"), 0);
    expect_no_words("err", note);
}

Test(room_walls, a_table_that_no_wall_follows_is_warned_of)
{
    write_room("wall", "wall");
    write_text("steep.csv", "material,125,250,500,1000,2000,4000\nwall,0.9,0.01,0.9,0.01,0.9,0.01\n");
    expect_status(RUN("plan", "room.obj", "--fmax", "150", "--materials", "steep.csv", "--backend", "cpu"),
                  0);
    expect_words("err", "warning: wall: the fitted wall misses the given absorption: in the octave of ");
}

/* ---- engines ---- */

static cJSON *planned(const char *walls, const char *materials)
{
    expect_status(RUN("plan", "room.obj", "--scheme", "standard", "--fmax", "150", "--walls", walls,
                      "--materials", materials, "--json", "--quiet", "--backend", "cpu"),
                  0);
    return read_json("out");
}

Test(room_walls, memory_counts_two_numbers_for_every_branch_with_a_state)
{
    write_room("wall", "wall"); /* one material: every node at a wall has one entry */
    write_text("number.csv", "material,500\nwall,0.3\n");
    write_text("branches.csv", "material,D,E,F\nwall,0.01,4,300\nwall,0.02,5,600\nwall,0,9,0\n");
    static const struct {
        const char *walls, *file;
        int states;
    } each[] = {{"first-order", "number.csv", 0},
                {"staircase", "number.csv", 1},
                {"first-order", "branches.csv", 2},
                {"staircase", "branches.csv", 3}};
    double first = 0;
    for (size_t r = 0; r < sizeof each / sizeof *each; r++) {
        cJSON *object = planned(each[r].walls, each[r].file);
        cr_assert(eq(str, (char *)text_of(object, "walls"), (char *)each[r].walls));
        const double bytes = number(object, "bytes_walls"), nodes = number(object, "wall_nodes");
        first = r == 0 ? bytes : first;
        cr_assert(eq(dbl, bytes - first, 2 * sizeof(float) * each[r].states * nodes), "%s, %s", each[r].walls,
                  each[r].file);
    }
}

Test(room_walls, hard_walls_keep_no_account)
{
    write_room("wall", "wall");
    write_text("hard.csv", "material,500\nwall,0\n");
    write_text("lossy.csv", "material,500\nwall,0.3\n");
    cJSON *hard = planned("staircase", "hard.csv"), *lossy = planned("first-order", "lossy.csv");
    cr_assert(number(hard, "wall_nodes") == number(lossy, "wall_nodes"));
    cr_assert(eq(dbl, number(lossy, "bytes_walls") - number(hard, "bytes_walls"),
                 sizeof(float) * number(hard, "wall_nodes")));
}

/* Largest |difference| of two responses' figures: their levels [dB]. */
static double level_of(const char *folder_name)
{
    char path[80];
    snprintf(path, sizeof path, "%s/run.json", folder_name);
    cJSON *object = read_json(path);
    const double level =
        number(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "responses"), 0), "strength_db");
    return level;
}

Test(room_walls, engines_step_the_walls_that_were_asked_for)
{
    write_room("wall", "wall");
    write_text("hard.csv", "material,D,E,F\nwall,0,900,0\n");
    write_text("second.csv", "material,D,E,F\nwall,0,900,0\nwall,0,2,0\n");
    write_text("mass.csv", "material,D,E,F\nwall,0,900,0\nwall,0.02,2,0\n");
    static const struct {
        const char *folder, *walls, *file;
    } each[] = {{"hard", "staircase", "hard.csv"},
                {"second", "staircase", "second.csv"},
                {"mass", "staircase", "mass.csv"},
                {"first", "first-order", "second.csv"}};
    for (size_t r = 0; r < sizeof each / sizeof *each; r++)
        expect_status(RUN("simulate", "room.obj", "--scheme", "standard", "--fmax", "300", "--duration",
                          "0.2", CUBE_PLACES, "--walls", each[r].walls, "--materials", each[r].file, "-o",
                          each[r].folder, "--quiet", "--backend", "cpu"),
                      0);
    const double hard = level_of("hard"), second = level_of("second"), mass = level_of("mass"),
                 first = level_of("first");
    cr_assert(test_above(hard, second + 5), "the second branch absorbs: %g and %g dB", hard, second);
    cr_assert(test_above(mass, second + 3), "its mass keeps it from it: %g and %g dB", mass, second);
    cr_assert(test_above(fabs(first - second), 0.005), "staircase: %g, first-order: %g dB", second, first);
    cr_assert(eq(int,
                 RUN("compare", "room.obj", "--fmax", "300", "--materials", "mass.csv", "--steps", "200",
                     "--backend", "cpu", "--quiet"),
                 0));
}
