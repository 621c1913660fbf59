/* The energy of a run as it is printed and as run.json has it, from ledgers made by hand and of the program.
 */
#define _XOPEN_SOURCE 700
#include "src/run/energy_report.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

static char *name[] = {"plaster", "pews, occupied", "door"};
static double area[] = {200.0, 50.0, 4.0};
static struct wall_area faces_air[3] = {{.exposed = 200.0}, {.exposed = 25.0}, {.exposed = 0.0}};

/* An open room with these materials; `known`: the areas that face air. */
static struct room_setup room_of(bool known)
{
    return (struct room_setup){.model = {.mesh = {.material_count = 3, .material = name}, .area = area},
                               .grid = {.step.rate = 1000.0,
                                        .findings.open_face_links = 1,
                                        .areas.material = known ? faces_air : NULL}};
}

/* 8 given; a quarter to the plaster, half to the pews, none to the door, an eighth into the open. */
static void make_ledger(struct source_progress *source, uint64_t last)
{
    struct energy_ledger *ledger = &source->ledger;
    *source = (struct source_progress){.lead = 40};
    MUST(energy_ledger_make(0.5, 4, ledger, &failure));
    energy_ledger_clear(ledger, 1);
    energy_ledger_step(ledger, &(double){1.0}, &(double){0.0});
    for (uint64_t step = 1; step <= last; step++) {
        energy_ledger_step(ledger, &(double){0.0}, &(double){8.0});
        if (step % 40 != 0)
            continue;
        const double part = (double)step / (double)last;
        ledger->scratch[0] = 2.0 * part;
        ledger->scratch[1] = 4.0 * part;
        ledger->scratch[3] = 1.0 * part;
        energy_ledger_sample(ledger, step, 8.0 - 7.0 * part);
    }
}

/* What is printed of `sources` of them, which are freed. */
static char text[2000];
static void print(struct source_progress *source, size_t sources, bool known)
{
    const struct room_setup setup = room_of(known);
    struct run_model run;
    run_model_clear(&run);
    const bool listed = JSON_LIST_MAKE(&record_run_table, &run.runs, sources);
    cr_assert(listed);
    for (size_t s = 0; s < sources; s++) {
        struct record_energy *energy = run.runs.item[s].energy = json_make(&record_energy_table);
        cr_assert(energy != NULL && energy_report_record(energy, &source[s], &setup));
        energy_ledger_free(&source[s].ledger);
    }
    FILE *stream = fmemopen(text, sizeof text, "w");
    energy_report_print(stream, &run);
    (void)fclose(stream);
    run_model_free(&run);
}

Test(energy_report, the_table_has_shares_the_greatest_first_and_what_is_left)
{
    static const char expected[] = "where the sound went         area      share        per m2\n"
                                   "  pews, occupied         50.0 m2    50.00 %           1 %\n"
                                   "  plaster               200.0 m2    25.00 %        0.12 %\n"
                                   "  open faces                        12.50 %\n"
                                   "  door                    4.0 m2     0.00 %           0 %\n"
                                   "  still in the room                 12.50 %\n";
    struct source_progress both[2];
    make_ledger(&both[0], 120);
    make_ledger(&both[1], 240);
    print(both, 2, false);
    cr_assert(eq(str, (char *)text, (char *)expected));
}

Test(energy_report, the_table_names_the_area_that_faces_air_where_it_is_known)
{
    struct source_progress one;
    make_ledger(&one, 120);
    print(&one, 1, true);
    cr_assert(strstr(text, "  pews, occupied         25.0 m2    50.00 %           2 %") != NULL, "%s", text);
}

Test(energy_report, a_run_that_ends_before_the_source_has_none)
{
    struct source_progress one;
    make_ledger(&one, 80); /* of 82 */
    print(&one, 1, false);
    cr_assert(strstr(text, "too short") == text && strchr(text, '\n')[1] == '\0', "%s", text);
}

/* A hundredth of what was given lies nowhere, or is no number. */
Test(energy_report, an_account_that_does_not_add_up_is_reported_and_a_wall_blamed_only_where_there_is_one)
{
    for (int kind = 0; kind < 3; kind++)
        for (int at_wall = 0; at_wall < 2; at_wall++) {
            struct source_progress one;
            make_ledger(&one, 120);
            one.ledger.at_wall = at_wall;
            one.ledger.sample[1].stored = kind == 2 ? (double)NAN : one.ledger.sample[1].stored + 0.08 * kind;
            print(&one, 1, false);
            const bool wall = strstr(text, "do not add up to all, by up to 1 %: the energy that a source") !=
                              NULL,
                       open = strstr(text, "does not close, by up to 1 % of the supplied energy") != NULL,
                       none = strstr(text, "does not close: a part of it is not a number") != NULL;
            cr_assert(wall == (kind == 1 && at_wall), "%d: %s", kind, text);
            cr_assert(open == (kind == 1 && !at_wall), "%d: %s", kind, text);
            cr_assert(none == (kind == 2), "%d: %s", kind, text);
        }
}

/* ---- by the program ---- */

/* The last number of an array. */
static double last_of(const cJSON *object, const char *array)
{
    const cJSON *item = cJSON_GetObjectItem(object, array);
    return cJSON_GetArrayItem(item, cJSON_GetArraySize(item) - 1)->valuedouble;
}

/* 2 cm from the floor, and in the middle of the room. */
Test(energy_report, the_program_knows_a_source_that_stands_at_a_wall)
{
    enter_folder();
    write_cube();
    for (int at_wall = 0; at_wall < 2; at_wall++) {
        expect_status(RUN("simulate", "cube.obj", "--fmax", "200", "--duration", "0.2", "--absorption", "0.5",
                          "--source", at_wall ? "1,1,0.02" : "1.5,1.5,1.5", "--receiver", "2,2,2", "-o",
                          "run", "--force"),
                      0);
        cJSON *record = read_json("run/run.json");
        const cJSON *energy = record_at(record, "runs.0.energy");
        cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(energy, "source_at_wall")) == at_wall);
        cr_assert(at_wall ? test_above(number(energy, "imbalance"), 1e-4)
                          : test_near(number(energy, "imbalance"), 0, 1e-6));
        char *out = read_text("out");
        cr_assert(at_wall == (strstr(out, "to a wall that it touches") != NULL), "%s", out);
        cr_assert(strstr(out, "does not close") == NULL, "%s", out);
    }
    leave_folder();
}

Test(energy_report, between_hard_walls_the_program_gives_all_back_and_names_every_surface)
{
    enter_folder();
    expect_status(RUN("room", "cube", "-o", "cube.obj"), 0);
    expect_status(RUN("simulate", "cube.obj", "--fmax", "200", "--duration", "0.2", "--absorption",
                      "plaster_wall=0", "--absorption", "plaster_ceiling=0", "--absorption", "stone_floor=0",
                      "-o", "run"),
                  0);
    expect_words("out", "still in the room ", " 100.00 %");
    cJSON *record = read_json("run/run.json");
    const cJSON *energy = record_at(record, "runs.0.energy"), *entry = NULL, *share = NULL;
    cr_assert(test_near(number(energy, "imbalance"), 0, 1e-5), "%g", number(energy, "imbalance"));
    cr_assert(test_above(number(energy, "given"), 0.0));
    const int samples = cJSON_GetArraySize(record_at(energy, "stored"));
    cr_assert(samples >= 4 && test_near(last_of(energy, "stored"), 1.0, 1e-5));
    cr_assert(cJSON_GetArraySize(cJSON_GetObjectItem(energy, "absorbed")) ==
              cJSON_GetArraySize(cJSON_GetObjectItem(record, "materials")));
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(energy, "absorbed"))
    {
        cr_assert(cJSON_GetArraySize(cJSON_GetObjectItem(entry, "share")) == samples);
        cJSON_ArrayForEach(share, cJSON_GetObjectItem(entry, "share")) cr_assert(share->valuedouble == 0.0);
    }
    leave_folder();
}

Test(energy_report, the_record_has_shares_by_time_and_material)
{
    static const double share[] = {0.25, 0.5, 0.0, 0.125};
    for (int known = 0; known < 2; known++) {
        const struct room_setup setup = room_of(known);
        struct source_progress source;
        struct record_energy record;
        make_ledger(&source, 120);
        json_clear(&record_energy_table, &record);
        cr_assert(energy_report_record(&record, &source, &setup));
        cr_assert(record.given == 8.0 && record.complete && record.absorbed.count == 4);
        cr_assert(test_near(record.imbalance, 0.0, 1e-15));
        for (int m = 0; m < 4; m++) {
            const struct record_absorbed *entry = &record.absorbed.item[m];
            cr_assert(strcmp(entry->material, m < 3 ? name[m] : "open faces") == 0);
            cr_assert(m == 3 || entry->area == area[m]);
            cr_assert(known && m < 3 ? entry->area_exposed == faces_air[m].exposed
                                     : isnan(entry->area_exposed) != 0);
            cr_assert(eq(sz, entry->share.count, 3));
            for (int n = 0; n < 3; n++)
                cr_assert(test_near(entry->share.value[n], share[m] * (n + 1) / 3.0, 1e-15));
        }
        for (int n = 0; n < 3; n++)
            cr_assert(test_near(record.times.value[n], 0.04 * n, 1e-15));
        json_free_members(&record_energy_table, &record);
        energy_ledger_free(&source.ledger);
    }
}

/* Ends, in steps of the ledger's last sample, with the run; all shares add up to 1. */
Test(energy_report, the_programs_account_adds_up_and_is_printed)
{
    enter_folder();
    expect_status(RUN("room", "cube", "-o", "cube.obj"), 0);
    for (int box = 0; box < 2; box++) {
        expect_status(RUN("simulate", "cube.obj", "--fmax", "200", "--duration", "0.5", "--absorption", "0.1",
                          "--absorption", "stone_floor=0.5", "--layout", box ? "box" : "blocks", "-o", "run",
                          "--force"),
                      0);
        expect_words("out", "where the sound went", "stone_floor ", "still in the room ");
        cJSON *record = read_json("run/run.json");
        const cJSON *energy = record_at(record, "runs.0.energy"), *entry = NULL;
        const int samples = cJSON_GetArraySize(cJSON_GetObjectItem(energy, "times_s"));
        cr_assert(samples >= 4 && samples <= LEDGER_SAMPLES, "%d samples", samples);
        double sum = last_of(energy, "stored"), per_area[2] = {0.0, 0.0};
        cJSON_ArrayForEach(entry, cJSON_GetObjectItem(energy, "absorbed"))
        {
            const double share = last_of(entry, "share");
            const cJSON *material = material_of(record, text_of(entry, "material"));
            cr_assert(number(entry, "area_m2") == number(material, "area_m2"));
            cr_assert(number(entry, "area_exposed_m2") == number(material, "area_exposed_m2"));
            const bool floor = strcmp(text_of(entry, "material"), "stone_floor") == 0;
            sum += share;
            per_area[floor] = fmax(per_area[floor], share / number(entry, "area_m2"));
        }
        cr_assert(test_near(sum, 1.0, 1e-5), "%.9g", sum);
        cr_assert(test_near(number(energy, "imbalance"), 0.0, 1e-5));
        cr_assert(test_above(per_area[1], 2.0 * per_area[0]), "%g and %g", per_area[1], per_area[0]);
        /* Of the run, which is longer than its responses by what the warp takes. */
        const double steps = number(record, "steps") - number(record, "steps_before_emission"),
                     length = steps / number(record, "rate_hz");
        cr_assert(test_near(last_of(energy, "times_s"), length, 1e-9));
        cr_assert(test_at_least(length * (1 - number(record, "share_used_by_warp")),
                                number(record, "duration_s") - 1e-9));
    }
    leave_folder();
}
