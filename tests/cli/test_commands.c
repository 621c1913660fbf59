/** The built program, run as a user would: statuses, files, JSON, what is refused and what is left behind. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "geometry/base/cage.h"
#include "src/cli/commands.h"
#include "src/base/options/scheme_options.h"
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(commands, .init = enter_folder, .fini = leave_folder);

#define OF_CUBE "cube.obj", "--absorption", "0.1", CUBE_PLACES

Test(commands, simulate_writes_a_response_per_pair_and_every_figure)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1", "--source", "0.6,2.2,1.4,altar", "--receiver",
                      "2,2,2", "--receiver", "2,1,1.2,pew", "-o", "run"),
                  0);
    cr_assert(eq(sz, count_entries("run", ""), 7));
    cr_assert(eq(sz, count_entries(".", ".part"), 0));
    cJSON *record = read_json("run/run.json");
    char names[] =
        "spacing_m rate_hz courant steps steps_before_emission box_nodes air_nodes stored_nodes blocks "
        "occupancy bytes_box bytes_blocks bytes_walls bytes_ideal bytes_seed_blocks air_volume_m3 "
        "seconds_per_step_blocks node_updates_per_second fmax_hz duration_s sound_speed_m_s";
    for (const char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " "))
        cr_assert(test_above(number(record, name), 0), "%s", name);
    const double points = scheme_points[scheme_of_word(text_of(record, "scheme"))][QUALITY_STANDARD];
    cr_assert(test_near(number(record, "spacing_m"), 343.2 / (points * 200), 1e-12));
    cr_assert(test_near(number(record, "stored_nodes"), 512 * number(record, "blocks"), 0));
    cr_assert(test_near(number(record, "bytes_seed_blocks"), 8728 * number(record, "blocks"), 0));
    cr_assert(test_near(number(record, "bytes_ideal"), 9 * number(record, "air_nodes"), 0));
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(record, "partial")));
    const cJSON *responses = cJSON_GetObjectItem(record, "responses"), *response;
    cr_assert(eq(int, cJSON_GetArraySize(responses), 4));
    cJSON_ArrayForEach(response, responses)
    {
        char path[200];
        snprintf(path, sizeof path, "run/%s", text_of(response, "file"));
        struct wav_sound sound = read_sound(path);
        cr_assert(sound.rate == 48000 && sound.channels == 1);
        cr_assert(test_near((double)sound.frames, 0.1 * 48000, 48000 / number(record, "rate_hz") + 1));
        cr_assert(test_near((double)sound.frames, number(response, "samples"), 0));
        /* Loudest in the first milliseconds is the direct sound, at distance / c. */
        cr_assert(test_near(number(response, "onset_s"), number(response, "distance_m") / 343.2, 1e-12));
        double before = 0, around = 0;
        for (size_t i = 0; i < sound.frames; i++) {
            const double t = (double)i / 48000 - number(response, "onset_s"),
                         x = fabs((double)sound.sample[i]);
            if (t < -2.0 / 200)
                before = fmax(before, x);
            if (fabs(t) < 1.0 / 200)
                around = fmax(around, x);
        }
        cr_assert(test_above(around, 0));
        cr_assert(lt(dbl, before, 0.2 * around));
    }
    cr_assert(exists("run/ir_S1_R1.wav") && exists("run/ir_altar_pew.wav"));
    cr_assert(test_near(record_number(record, "responses.0.distance_m"), sqrt(3), 1e-12));
    expect_words("out", "run: 4 responses");
}

Test(commands, json_is_one_object_and_the_same_as_run_json)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--json", "--quiet"), 0);
    cJSON *printed = read_json("out"), *record = read_json("run/run.json");
    cr_assert(eq(str, (char *)text_of(printed, "directory"), "run"));
    cJSON_DeleteItemFromObject(printed, "directory");
    cr_assert(cJSON_Compare(printed, record, true));
    char *err = read_text("err");
    cr_assert(eq(str, err, ""));
}

Test(commands, layouts_and_threads_write_the_same_bits)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "a", "--threads", "1"), 0);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "b", "--threads", "2", "--layout", "box"), 0);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "c", "--backend", "reference"), 0);
    cr_assert(same_file("a/ir_S1_R1.wav", "b/ir_S1_R1.wav") && same_file("a/ir_S1_R1.wav", "c/ir_S1_R1.wav"));
    cJSON *a = read_json("a/run.json"), *b = read_json("b/run.json");
    cr_assert(eq(str, (char *)text_of(a, "grid_hash"), (char *)text_of(b, "grid_hash")));
    cr_assert(test_above(number(b, "seconds_per_step_box"), 0));
}

/* How often libgomp has its threads look before they sleep, by its own words. */
Test(commands, idle_threads_sleep_unless_the_user_says_otherwise)
{
    setenv("OMP_DISPLAY_ENV", "verbose", 1);
    unsetenv("OMP_WAIT_POLICY");
    expect_status(RUN("--version"), 0);
    expect_words("err", "GOMP_SPINCOUNT = '0'");
    setenv("OMP_WAIT_POLICY", "active", 1);
    expect_status(RUN("--version"), 0);
    expect_words("err", "GOMP_SPINCOUNT = '30000000000'");
    unsetenv("OMP_WAIT_POLICY");
    setenv("GOMP_SPINCOUNT", "77", 1);
    expect_status(RUN("--version"), 0);
    expect_words("err", "GOMP_SPINCOUNT = '77'");
}

/* Once its environment says that it began anew. */
Test(commands, the_program_is_listed_under_its_own_name)
{
    static const char script[] =
        "\"$0\" bench --nodes 24 --time 20 --backend cpu --quiet >/dev/null & c=$!\n"
        "while kill -0 $c 2>/dev/null && ! grep -q OMP_WAIT_POLICY /proc/$c/environ; do :; done\n"
        "cat /proc/$c/comm; kill $c; wait $c; true";
    unsetenv("OMP_WAIT_POLICY");
    expect_status(run("out", (const char *const[]){"/bin/sh", "-c", script, TEST_PROGRAM, NULL}), 0);
    expect_words("out", "transept");
}

Test(commands, an_existing_folder_is_refused_and_force_replaces_only_results)
{
    write_cube();
    cr_assert(eq(int, mkdir("run", 0777), 0));
    write_text("run/notes.txt", "mine");
    write_text("run/ir_old_one.wav", "old");
    write_text("run/.transept-1-0.part", "left by a killed run");
    write_text("run/other.wav", "mine too");
    REFUSED("--force", "simulate", CUBE, CUBE_PLACES, "-o", "run");
    cr_assert(eq(sz, count_entries("run", ""), 4));
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--force"), 0);
    cr_assert(exists("run/notes.txt") && exists("run/other.wav") && exists("run/run.json"));
    cr_assert(not(exists("run/ir_old_one.wav")));
    cr_assert(not(exists("run/.transept-1-0.part")));
    cr_assert(eq(sz, count_entries("run", ""), 6));
}

Test(commands, earlier_results_stay_when_the_input_is_refused)
{
    write_cube();
    cr_assert(eq(int, mkdir("run", 0777), 0));
    write_text("run/ir_old_one.wav", "old");
    expect_status(RUN("simulate", CUBE, "--source", "5,5,5", "--receiver", "2,2,2", "-o", "run", "--force"),
                  2);
    cr_assert(exists("run/ir_old_one.wav"));
}

Test(commands, a_leak_is_status_2_with_its_path_beside_the_model)
{
    cr_assert(eq(int, mkdir("model", 0777), 0));
    write_box("model/open.obj", 3, 3, 3, false);
    write_text("model/leak.obj", "o drawing of somebody else\n");
    REFUSED("model/leak-2.obj", "simulate", "model/open.obj", "--fmax", "200", "--absorption", "0.1",
            CUBE_PLACES, "-o", "run");
    expect_words("model/leak-2.obj", "\nl ");
    expect_words("model/leak.obj", "somebody else");
    cr_assert(not(exists("run")));
    expect_status(RUN("plan", "model/open.obj", "--fmax", "200", "--source", "1,1,1", "--leak", "way.obj"),
                  2);
    expect_words("way.obj", "\nl ");
    expect_status(RUN("simulate", "model/open.obj", "--fmax", "200", "--absorption", "0.1", "--duration",
                      "0.05", "--open", CUBE_PLACES, "-o", "run"),
                  0);
}

Test(commands, the_path_of_a_leak_is_in_the_units_and_axes_of_the_model)
{
    /* 6 m wide, 5 m deep (towards -z of the file), 3 m high, in millimetres, y up, without a ceiling. */
    write_text("open.obj", "usemtl wall\n"
                           "v 0 0 0\nv 6000 0 0\nv 0 0 -5000\nv 6000 0 -5000\n"
                           "v 0 3000 0\nv 6000 3000 0\nv 0 3000 -5000\nv 6000 3000 -5000\n"
                           "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    expect_status(RUN("plan", "open.obj", "--units", "mm", "--up", "y", "--fmax", "200", "--source", "4,1,1"),
                  2);
    char *text = read_text("leak.obj");
    const char *first = strstr(text, "\nv ");
    double x = 0, y = 0, z = 0;
    cr_assert(first != NULL && sscanf(first, "\nv %lf %lf %lf", &x, &y, &z) == 3, "%s", text);
    /* From the source, within a spacing of 164 mm. */
    cr_assert(test_near(x, 4000, 164) && test_near(y, 1000, 164) && test_near(z, -1000, 164), "%g %g %g", x,
              y, z);
}

/* Blender takes an OBJ for y up and an STL for z up: its window shows both in one place. */
Test(commands, the_path_of_a_leak_of_an_stl_stands_beside_it_where_obj_is_y_up)
{
    static const int face[][3] = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7},
                                  {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    FILE *file = fopen("open.stl", "w");
    cr_assert(file != NULL);
    fputs("solid open\n", file);
    for (size_t f = 0; f < sizeof face / sizeof face[0]; f++) {
        fputs("facet normal 0 0 0\nouter loop\n", file);
        for (int c = 0; c < 3; c++)
            fprintf(file, "vertex %d %d %d\n", face[f][c] & 1 ? 6 : 0, face[f][c] & 2 ? 5 : 0,
                    face[f][c] & 4 ? 3 : 0);
        fputs("endloop\nendfacet\n", file);
    }
    fputs("endsolid open\n", file);
    fclose(file);
    expect_status(RUN("plan", "open.stl", "--fmax", "200", "--source", "4,2,1"), 2);
    char *text = read_text("leak.obj");
    const char *first = strstr(text, "\nv ");
    double x = 0, y = 0, z = 0;
    cr_assert(first != NULL && sscanf(first, "\nv %lf %lf %lf", &x, &y, &z) == 3, "%s", text);
    cr_assert(test_near(x, 4, 0.164) && test_near(y, 1, 0.164) && test_near(z, -2, 0.164), "%g %g %g", x, y,
              z);
}

Test(commands, surfaces_without_absorption_stop_simulate_and_not_plan)
{
    write_cube();
    REFUSED("wall", "simulate", "cube.obj", "--fmax", "200", CUBE_PLACES, "-o", "run");
    expect_words("err", "54", "0.03");
    cr_assert(not(exists("run")));
    expect_status(RUN("plan", "cube.obj", "--fmax", "200", "--json"), 0);
    expect_words("err", "0.1");
}

Test(commands, positions_of_the_model_are_used_unless_options_give_their_kind)
{
    expect_status(RUN("room", "cube", "-o", "cube.obj", "--json"), 0);
    cJSON *room = read_json("out");
    const char *source = record_text(room, "sources.0.name"),
               *receiver = record_text(room, "receivers.0.name");
    char path[300];
    expect_status(RUN("simulate", CUBE, "-o", "run"), 0);
    snprintf(path, sizeof path, "run/ir_%s_%s.wav", source, receiver);
    cr_assert(exists(path), "%s", path);
    expect_status(RUN("simulate", CUBE, "-o", "other", "--source", "1,1,1"), 0);
    expect_words("err", "the 1 source of the model is replaced by the 1 given");
    snprintf(path, sizeof path, "other/ir_S1_%s.wav", receiver);
    cr_assert(exists(path), "%s", path);
    cr_assert(eq(sz, count_entries("other", ""), 4));
}

Test(commands, a_position_of_the_model_can_be_chosen_by_its_name)
{
    expect_status(RUN("room", "church", "-o", "church.obj", "--nave-length", "20"), 0);
#define OF_CHURCH "church.obj", "--fmax", "60", "--duration", "0.02", "--absorption", "0.1"
    expect_status(RUN("simulate", OF_CHURCH, "-o", "run", "--source", "pulpit", "--receiver", "nave_front"),
                  0);
    cr_assert(exists("run/ir_pulpit_nave_front.wav"));
    cr_assert(eq(sz, count_entries("run", ""), 4));
    REFUSED("no source called organ (it has pulpit", "simulate", OF_CHURCH, "-o", "other", "--source",
            "organ");
    cr_assert(not(exists("other")));
}

Test(commands, a_full_disk_leaves_the_results_of_an_earlier_run_alone)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run"), 0);
    char *before = read_text("run/run.json");
    /* The first limit stops the response, the second lets it through and stops run.json. */
    static const rlim_t limits[] = {1000, 2600};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        file_limit = limits[i];
        const int status = RUN("simulate", "cube.obj", "--fmax", "200", "--duration", "0.012", "--absorption",
                               "0.1", CUBE_PLACES, "-o", "run", "--force");
        file_limit = RLIM_INFINITY;
        expect_status(status, 5);
        expect_words("err", i == 0 ? "ir_S1_R1.wav" : "run.json");
        char *after = read_text("run/run.json");
        cr_assert(eq(str, after, before));
        struct wav_sound sound = read_sound("run/ir_S1_R1.wav");
        cr_assert(gt(sz, sound.frames, 4000)); /* the 0.1 s of the first run, not 0.012 s */
        cr_assert(eq(sz, count_entries("run", ""), 4));
    }
    /* A second response that cannot be put in place: of two new ones one is not enough to replace the old. */
    cr_assert(eq(int, mkdir("run/ir_S1_R2.wav", 0777), 0));
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "--receiver", "2,1,1", "-o", "run", "--force"), 5);
    char *after = read_text("run/run.json");
    cr_assert(eq(str, after, before));
    cr_assert(eq(sz, count_entries("run", ".part"), 0));
}

Test(commands, sound_reaches_a_hidden_receiver_by_the_shortest_path_round_the_corner)
{
    expect_status(RUN("room", "cross", "-o", "cross.obj"), 0);
    /* From the west arm to the north arm round the edge at (3, 6): unfolded, the two legs are one straight
     * line. */
    expect_status(RUN("simulate", "cross.obj", "--fmax", "525", "--duration", "0.02", "--absorption", "0.1",
                      "--source", "1.1,3.6,1.5", "--receiver", "3.4,8.2,0.5,hidden", "--receiver",
                      "7.5,4.5,1,seen", "-o", "run"),
                  0);
    cJSON *record = read_json("run/run.json");
    const cJSON *hidden = record_at(record, "responses.0"), *seen = record_at(record, "responses.1");
    const double legs = hypot(3 - 1.1, 6 - 3.6) + hypot(3.4 - 3, 8.2 - 6), shortest = hypot(legs, 1.0);
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(hidden, "direct_path_clear")));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(seen, "direct_path_clear")));
    cr_assert(test_at_least(number(hidden, "path_m"), shortest - 1e-6));
    cr_assert(test_at_most(number(hidden, "path_m"), shortest + 0.02));
    cr_assert(test_near(number(hidden, "onset_s"), number(hidden, "path_m") / 343.2, 1e-12));
    cr_assert(test_near(number(seen, "path_m"), number(seen, "distance_m"), 0));
}

Test(commands, the_energy_in_run_json_stays_where_nothing_absorbs_and_falls_where_walls_do)
{
#define LONGER "cube.obj", "--fmax", "200", "--duration", "0.2", "--absorption", "0.1" /* than the source */
    write_cube();
    expect_status(
        RUN("simulate", LONGER, "--absorption", "wall=0", "--precision", "double", CUBE_PLACES, "-o", "a"),
        0);
    expect_status(RUN("simulate", LONGER, "--precision", "double", CUBE_PLACES, "-o", "b"), 0);
    cJSON *a = read_json("a/run.json"), *b = read_json("b/run.json");
    cr_assert(test_above(record_number(a, "runs.0.energy_start"), 0));
    cr_assert(test_near(record_number(a, "runs.0.energy_change"), 0, 1e-12));
    cr_assert(test_at_most(record_number(b, "runs.0.energy_change"), -0.1));
}

/* 27 m3, which cells of 0.2 m cannot make but where the walls cut them. Volumes of cut cells are in parts of
 * 1/200, and none is 0: on 54 m2 of wall that is 0.27 m3 for each metre of spacing at most. */
Test(commands, check_plan_and_run_print_one_volume_up_to_the_walls)
{
    write_cube();
    cJSON *record[3];
    expect_status(RUN("check", OF_CUBE, "--spacing", "0.2", "--json"), 0);
    record[0] = read_json("out");
    expect_status(RUN("plan", OF_CUBE, "--spacing", "0.17", "--json"), 0);
    record[1] = read_json("out");
    expect_status(RUN("simulate", OF_CUBE, "--spacing", "0.21", "--duration", "0.05", "-o", "run"), 0);
    record[2] = read_json("run/run.json");
    for (int i = 0; i < 3; i++) {
        const double h = number(record[i], i == 0 ? "checked_spacing_m" : "spacing_m");
        const double cells = number(record[i], "cells_volume_m3");
        cr_expect(test_near(number(record[i], "air_volume_m3"), 27, 1e-3), "%d", i);
        cr_expect(eq(str, (char *)text_of(record[i], "air_volume_from"), "walls"));
        if (i > 0)
            cr_expect(test_near(cells, 27, 54 * h / 200), "%d: %g m3", i, cells);
        cJSON_Delete(record[i]);
    }
}

Test(commands, spacing_sets_the_grid_and_fmax_only_the_low_pass)
{
    write_cube();
    expect_status(RUN("simulate", OF_CUBE, "--duration", "0.05", "--spacing", "15cm", "-o", "a"), 0);
    expect_status(
        RUN("simulate", OF_CUBE, "--duration", "0.05", "--spacing", "0.15", "--fmax", "150", "-o", "b"), 0);
    cJSON *a = read_json("a/run.json"), *b = read_json("b/run.json");
    const double points = scheme_points[scheme_of_word(text_of(a, "scheme"))][QUALITY_STANDARD];
    cr_assert(test_near(number(a, "fmax_hz"), 343.2 / (points * 0.15), 1e-9));
    cr_assert(eq(dbl, number(a, "spacing_m"), 0.15));
    cr_assert(eq(str, (char *)text_of(a, "grid_hash"), (char *)text_of(b, "grid_hash")));
    cr_assert(test_near(number(b, "fmax_hz"), 150, 0));
}

Test(commands, narrow_openings_are_one_warning_with_the_narrowest)
{
    /* A room of 8 x 4 x 3 m, parted at x = 4 by three walls that leave slots of 15 and 5 cm. */
    write_text("slots.obj",
               "usemtl wall\nv 0 0 0\nv 8 0 0\nv 0 4 0\nv 8 4 0\nv 0 0 3\nv 8 0 3\nv 0 4 3\nv 8 4 3\n"
               "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n"
               "v 4 0 0\nv 4 1 0\nv 4 1 3\nv 4 0 3\nf 9 10 11 12\n"
               "v 4 1.15 0\nv 4 3 0\nv 4 3 3\nv 4 1.15 3\nf 13 14 15 16\n"
               "v 4 3.05 0\nv 4 4 0\nv 4 4 3\nv 4 3.05 3\nf 17 18 19 20\n");
    expect_status(
        RUN("plan", "slots.obj", "--spacing", "0.06", "--absorption", "0.1", "--source", "1,1,1", "--json"),
        0);
    cJSON *plan = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(plan, "warnings")), 1));
    const char *words = record_text(plan, "warnings.0");
    cr_assert(strstr(words, "2 openings are under three grid points") != NULL, "%s", words);
    cr_assert(strstr(words, "; others at ") != NULL, "%s", words);
    /* The narrowest is the slot at y = 3 to 3.05. */
    double x = 0, y = 0;
    const char *at = strstr(words, " m at ");
    cr_assert(at != NULL && sscanf(at, " m at %lf, %lf", &x, &y) == 2, "%s", words);
    cr_assert(test_near(x, 4, 0.12) && test_near(y, 3.025, 0.06), "%s", words);
}

Test(commands, a_receiver_in_a_source_is_warned_of_and_one_beside_it_is_not)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1", "--receiver", "1,1.1,1,near", "--receiver",
                      "1,1.3,1,beside", "-o", "run", "--json"),
                  0);
    expect_words("err", "receiver near is 0.1 m from source S1");
    cJSON *record = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(record, "warnings")), 1));
}

/* ---- models as other programs write them ---- */

Test(commands, a_surveyed_model_is_warned_of_its_rounding_and_its_places_stay_whole)
{
    FILE *file = fopen("site.obj", "w");
    cr_assert(file != NULL);
    fprintf(file, "usemtl wall\n");
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %d %d %d\n", 452000 + (i & 1 ? 6 : 0), 541000 + (i & 2 ? 5 : 0), i & 4 ? 3 : 0);
    fprintf(file, "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n");
    fclose(file);
    expect_status(
        RUN("plan", "site.obj", "--fmax", "200", "--absorption", "0.1", "--source", "452001.25,541001.5,1.5"),
        0);
    expect_words("err", "rounded by up to 0.03 m", "source S1 at 452001.25, 541001.5, 1.5 m");
    write_cube();
    expect_status(RUN("plan", CUBE), 0);
    expect_no_words("err", "rounded");
    write_text("far.obj", "v 0 0 0\nv 1 0 0\nv 0 5400000 0\nf 1 2 3\n");
    REFUSED("has y = 5.4e+06 m", "plan", "far.obj");
    expect_words("err", "move the model there");
}

Test(commands, a_pair_in_two_cavities_is_named_before_anything_is_written)
{
    /* A closed box in the room, with a source in each and one receiver. */
    write_text("two.obj",
               "usemtl wall\nv 0 0 0\nv 6 0 0\nv 0 5 0\nv 6 5 0\nv 0 0 3\nv 6 0 3\nv 0 5 3\nv 6 5 3\n"
               "v 3 2 1\nv 4 2 1\nv 3 3 1\nv 4 3 1\nv 3 2 2\nv 4 2 2\nv 3 3 2\nv 4 3 2\n"
               "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n"
               "f 9 11 12 10\nf 9 10 14 13\nf 11 15 16 12\nf 9 13 15 11\nf 10 12 16 14\n"
               "f 13 14 16 15\n");
    REFUSED("source \"inside\": no path through the air", "simulate", "two.obj", "--fmax", "300",
            "--absorption", "0.1", "--source", "3.5,2.5,1.5,inside", "--source", "1,1,1", "--receiver",
            "2,2,2", "-o", "run");
    expect_words("err", "(2, 2, 2)");
    cr_assert(not(exists("run")));
}

Test(commands, usage_errors_are_status_2_and_print_one_sentence)
{
    REFUSED("did you mean simulate?", "simlate");
    char *err = read_text("err");
    cr_assert(eq(sz, strcspn(err, "\n") + 1, strlen(err)));
    expect_status(run(NULL, (const char *const[]){TEST_PROGRAM, NULL}), 2);
    REFUSED("missing.obj", "simulate", "missing.obj", "-o", "run");
    expect_status(RUN("simulate", "missing.obj"), 2);
    expect_status(RUN("plan", "--frobnicate"), 2);
    expect_status(RUN("--version"), 0);
    expect_words("out", "transept 0.1.0\ncuda: ");
    char cage[64];
    (void)snprintf(cage, sizeof cage, "\ncage: %s\n", cage_words(cage_parts()));
    expect_words("out", cage);
    expect_status(RUN("--help"), 0);
    expect_words("out", "simulate");
    expect_status(RUN("room", "church", "--help"), 0);
    expect_words("out", "--nave-length", "--output");
}

/* An answer that is no is lost with its output, too. */
Test(commands, a_full_disk_is_reported_whatever_the_answer)
{
    if (!exists("/dev/full"))
        cr_skip_test("no /dev/full on this system");
    write_box("open.obj", 3, 3, 3, false);
    expect_status(RUN("check", "open.obj", "--fmax", "200"), 1);
    expect_status(
        run("/dev/full", (const char *const[]){TEST_PROGRAM, "check", "open.obj", "--fmax", "200", NULL}), 5);
    expect_words("err", "standard output could not be written: No space left");
}

/* Started with a pipe for output that nobody reads. */
static int run_unread(const char *const *argument)
{
    int unread[2];
    cr_assert(pipe(unread) == 0);
    close(unread[0]);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        const int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (err < 0 || dup2(unread[1], 1) < 0 || dup2(err, 2) < 0)
            _exit(99);
        execv(argument[0], (char *const *)argument);
        _exit(98);
    }
    close(unread[1]);
    return finish(child);
}

/* Less than stdio keeps, more than that, and all in one piece. */
Test(commands, a_reader_that_goes_away_is_no_word_and_status_141)
{
    static const char *const words[][2] = {
        {"--version", NULL}, {"simulate", "--help"}, {"materials", NULL}, {"materials", "--json"}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const char *const argument[] = {TEST_PROGRAM, words[k][0], words[k][1], NULL};
        cr_assert(eq(int, run_unread(argument), 141), "%s", words[k][0]);
        char *err = read_text("err");
        cr_assert(eq(str, err, ""));
    }
    write_box("open.obj", 3, 3, 3, false);
    expect_status(run_unread((const char *const[]){TEST_PROGRAM, "check", "open.obj", "--fmax", "200", NULL}),
                  1);
    expect_words("err", "open.obj is unfit");
    expect_status(run_unread((const char *const[]){TEST_PROGRAM, "check", "no.obj", NULL}), 2);
    expect_words("err", "no.obj");
}

/* The files of a run are worth having, whoever reads its words. */
Test(commands, a_run_that_nobody_reads_writes_its_files)
{
    write_cube();
    cr_assert(eq(int,
                 run_unread((const char *const[]){TEST_PROGRAM, "simulate", "--rays", "off", CUBE,
                                                  CUBE_PLACES, "-o", "run", NULL}),
                 141));
    cr_assert(exists("run/ir_S1_R1.wav") && exists("run/run.json"));
}
