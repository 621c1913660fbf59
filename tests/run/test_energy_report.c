/* What is said of the energy of a run, on paper and in run.json, from ledgers made by hand and of the
 * program. */
#define _XOPEN_SOURCE 700
#include "src/run/energy_report.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

#include <stdlib.h>

static char *const name[] = {"plaster", "pews, occupied", "door"};
static const double area[] = {200.0, 50.0, 4.0};
static const struct energy_room room = {
    .materials = 3, .name = name, .area = area, .rate = 1000.0, .lead = 40, .open = true};

/* 8 given; a quarter to the plaster, half to the pews, none to the door, an eighth into the open. */
static void make_ledger(struct energy_ledger *ledger, uint64_t last)
{
    MUST(energy_ledger_make(0.5, 4, ledger, &failure));
    energy_ledger_clear(ledger, 1);
    energy_ledger_hear(ledger, 1.0, 0.0);
    for (uint64_t step = 1; step <= last; step++) {
        energy_ledger_hear(ledger, 0.0, 8.0);
        if (step % 40 != 0)
            continue;
        const double part = (double)step / (double)last;
        ledger->scratch[0] = 2.0 * part;
        ledger->scratch[1] = 4.0 * part;
        ledger->scratch[3] = 1.0 * part;
        energy_ledger_take(ledger, step, 8.0 - 7.0 * part);
    }
}

Test(energy_report, the_table_has_shares_the_greatest_first_and_what_is_left)
{
    enum { LINES = 6 };
    struct energy_ledger ledger[2];
    const struct energy_ledger *const both[2] = {&ledger[0], &ledger[1]};
    char line[LINES][200];
    FILE *paper = tmpfile();
    make_ledger(&ledger[0], 120);
    make_ledger(&ledger[1], 240);
    energy_report_print(paper, both, 2, &room);
    rewind(paper);
    for (int n = 0; n < LINES; n++)
        cr_assert(fgets(line[n], sizeof line[n], paper) != NULL, "line %d", n);
    cr_assert(strstr(line[0], "where the sound went") == line[0]);
    cr_assert(strstr(line[1], "  pews, occupied") == line[1] && strstr(line[1], "50.0 m2") != NULL &&
                  strstr(line[1], " 50.00 %") != NULL && strstr(line[1], " 1 %") != NULL,
              "%s", line[1]);
    cr_assert(strstr(line[2], "  plaster") == line[2] && strstr(line[2], " 25.00 %") != NULL, "%s", line[2]);
    cr_assert(strstr(line[3], "  open faces") == line[3] && strstr(line[3], " 12.50 %") != NULL, "%s",
              line[3]);
    cr_assert(strstr(line[4], "  door") == line[4] && strstr(line[4], " 0.00 %") != NULL, "%s", line[4]);
    cr_assert(strstr(line[5], "  still in the room") == line[5] && strstr(line[5], " 12.50 %") != NULL, "%s",
              line[5]);
    cr_assert(fgets(line[0], sizeof line[0], paper) == NULL);
    (void)fclose(paper);
    energy_ledger_free(&ledger[0]);
    energy_ledger_free(&ledger[1]);
}

Test(energy_report, the_table_names_the_area_that_faces_air_where_it_is_known)
{
    const struct wall_area wall[3] = {{.exposed = 200.0}, {.exposed = 25.0}, {.exposed = 0.0}};
    struct energy_ledger ledger;
    const struct energy_ledger *const one[1] = {&ledger};
    struct energy_room hidden = room;
    char line[2][200];
    FILE *paper = tmpfile();
    make_ledger(&ledger, 120);
    hidden.wall = wall;
    energy_report_print(paper, one, 1, &hidden);
    rewind(paper);
    for (int n = 0; n < 2; n++)
        cr_assert(fgets(line[n], sizeof line[n], paper) != NULL, "line %d", n);
    cr_assert(strstr(line[1], "  pews, occupied") == line[1] && strstr(line[1], " 25.0 m2") != NULL &&
                  strstr(line[1], " 2 %") != NULL,
              "%s", line[1]);
    (void)fclose(paper);
    struct record_energy record;
    json_clear(&record_energy_table, &record);
    cr_assert(energy_report_record(&record, &ledger, &hidden));
    for (int m = 0; m < 3; m++) {
        cr_assert(record.absorbed.item[m].area == area[m]);
        cr_assert(record.absorbed.item[m].area_exposed == wall[m].exposed);
    }
    json_free_members(&record_energy_table, &record);
    energy_ledger_free(&ledger);
}

Test(energy_report, a_run_that_ends_before_the_source_has_none)
{
    struct energy_ledger ledger;
    const struct energy_ledger *const one = &ledger;
    char line[200];
    FILE *paper = tmpfile();
    make_ledger(&ledger, 80); /* of 82 */
    cr_assert(energy_report_complete(&ledger, &room) == false);
    energy_report_print(paper, &one, 1, &room);
    rewind(paper);
    cr_assert(fgets(line, sizeof line, paper) != NULL && strstr(line, "too short") == line, "%s", line);
    cr_assert(fgets(line, sizeof line, paper) == NULL);
    (void)fclose(paper);
    energy_ledger_free(&ledger);
}

/* A hundredth of what was given lies nowhere, or is no number. */
Test(energy_report, an_account_that_does_not_add_up_is_told_and_a_wall_blamed_only_where_there_is_one)
{
    for (int kind = 0; kind < 3; kind++)
        for (int at_wall = 0; at_wall < 2; at_wall++) {
            struct energy_ledger ledger;
            const struct energy_ledger *const one = &ledger;
            char text[2000] = "";
            FILE *paper = tmpfile();
            make_ledger(&ledger, 120);
            ledger.at_wall = at_wall;
            ledger.sample[1].stored = kind == 2 ? (double)NAN : ledger.sample[1].stored + 0.08 * kind;
            energy_report_print(paper, &one, 1, &room);
            rewind(paper);
            cr_assert(fread(text, 1, sizeof text - 1, paper) > 0);
            const bool wall =
                           strstr(text, "do not add up to all, by up to 1 %: what a source pushes") != NULL,
                       open = strstr(text, "does not close, by up to 1 % of what the source gave") != NULL,
                       none = strstr(text, "does not close: a part of it is not a number") != NULL;
            cr_assert(wall == (kind == 1 && at_wall), "%d: %s", kind, text);
            cr_assert(open == (kind == 1 && !at_wall), "%d: %s", kind, text);
            cr_assert(none == (kind == 2), "%d: %s", kind, text);
            (void)fclose(paper);
            energy_ledger_free(&ledger);
        }
}

/* 2 cm from the floor, and in the middle of the room. */
Test(energy_report, the_program_knows_a_source_that_stands_at_a_wall)
{
    enter_folder();
    write_cube();
    for (int at_wall = 0; at_wall < 2; at_wall++) {
        expect_status(RUN("simulate", "cube.obj", "--fmax", "200", "--duration", "0.1", "--absorption", "0.5",
                          "--source", at_wall ? "1,1,0.02" : "1.5,1.5,1.5", "--receiver", "2,2,2", "-o",
                          "run", "--force"),
                      0);
        cJSON *record = read_json("run/run.json");
        const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "runs"), 0),
                    *energy = cJSON_GetObjectItem(run, "energy");
        cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(energy, "source_at_wall")) == at_wall);
        cr_assert(at_wall ? test_above(number(energy, "imbalance"), 1e-4)
                          : test_near(number(energy, "imbalance"), 0, 1e-6));
        char *out = read_text("out");
        cr_assert(at_wall == (strstr(out, "into a wall that it touches") != NULL), "%s", out);
        cr_assert(strstr(out, "does not close") == NULL, "%s", out);
        free(out);
        cJSON_Delete(record);
    }
    leave_folder();
}

Test(energy_report, between_hard_walls_the_program_gives_all_back_and_names_every_surface)
{
    enter_folder();
    expect_status(RUN("room", "cube", "-o", "cube.obj"), 0);
    expect_status(RUN("simulate", "cube.obj", "--fmax", "200", "--duration", "0.1", "--absorption",
                      "plaster_wall=0", "--absorption", "plaster_ceiling=0", "--absorption", "stone_floor=0",
                      "-o", "run"),
                  0);
    expect_words("out", "still in the room ");
    expect_words("out", " 100.00 %");
    cJSON *record = read_json("run/run.json");
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "runs"), 0),
                *energy = cJSON_GetObjectItem(run, "energy"), *entry = NULL, *share = NULL,
                *stored = cJSON_GetObjectItem(energy, "stored");
    cr_assert(test_near(number(energy, "imbalance"), 0, 1e-5), "%g", number(energy, "imbalance"));
    cr_assert(test_above(number(energy, "given"), 0.0));
    const int samples = cJSON_GetArraySize(stored);
    cr_assert(samples >= 4 && test_near(cJSON_GetArrayItem(stored, samples - 1)->valuedouble, 1.0, 1e-5));
    cr_assert(cJSON_GetArraySize(cJSON_GetObjectItem(energy, "absorbed")) ==
              cJSON_GetArraySize(cJSON_GetObjectItem(record, "materials")));
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(energy, "absorbed"))
    {
        cr_assert(cJSON_GetArraySize(cJSON_GetObjectItem(entry, "share")) == samples);
        cJSON_ArrayForEach(share, cJSON_GetObjectItem(entry, "share")) cr_assert(share->valuedouble == 0.0);
    }
    cJSON_Delete(record);
    leave_folder();
}

Test(energy_report, the_record_has_shares_by_time_and_material)
{
    struct energy_ledger ledger;
    struct record_energy record;
    cJSON *energy = cJSON_CreateObject();
    make_ledger(&ledger, 120);
    json_clear(&record_energy_table, &record);
    cr_assert(energy_report_record(&record, &ledger, &room) &&
              json_write(&record_energy_table, &record, energy));
    const cJSON *absorbed = cJSON_GetObjectItem(energy, "absorbed");
    cr_assert(number(energy, "given") == 8.0 && cJSON_IsTrue(cJSON_GetObjectItem(energy, "complete")));
    cr_assert(test_near(number(energy, "imbalance"), 0.0, 1e-15));
    cr_assert(cJSON_GetArraySize(absorbed) == 4);
    const double share[] = {0.25, 0.5, 0.0, 0.125};
    for (int m = 0; m < 4; m++) {
        const cJSON *entry = cJSON_GetArrayItem(absorbed, m), *shares = cJSON_GetObjectItem(entry, "share");
        cr_assert(strcmp(text_of(entry, "material"), m < 3 ? name[m] : "open faces") == 0);
        cr_assert(m == 3 || number(entry, "area_m2") == area[m]);
        cr_assert(cJSON_HasObjectItem(entry, "area_exposed_m2") == false);
        cr_assert(cJSON_GetArraySize(shares) == 3);
        for (int n = 0; n < 3; n++)
            cr_assert(test_near(cJSON_GetArrayItem(shares, n)->valuedouble, share[m] * (n + 1) / 3.0, 1e-15));
    }
    const cJSON *times = cJSON_GetObjectItem(energy, "times_s");
    for (int n = 0; n < 3; n++)
        cr_assert(test_near(cJSON_GetArrayItem(times, n)->valuedouble, 0.04 * n, 1e-15));
    cJSON_Delete(energy);
    json_free_members(&record_energy_table, &record);
    energy_ledger_free(&ledger);
}

/* Ends, in steps of the ledger's last sample, with the run; all shares add up to 1. */
Test(energy_report, the_programs_account_adds_up_and_is_told)
{
    enter_folder();
    expect_status(RUN("room", "cube", "-o", "cube.obj"), 0);
    for (int box = 0; box < 2; box++) {
        expect_status(RUN("simulate", "cube.obj", "--fmax", "200", "--duration", "0.5", "--absorption", "0.1",
                          "--absorption", "stone_floor=0.5", "--layout", box ? "box" : "blocks", "-o", "run",
                          "--force"),
                      0);
        expect_words("out", "where the sound went");
        expect_words("out", "stone_floor ");
        expect_words("out", "still in the room ");
        cJSON *record = read_json("run/run.json");
        const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "runs"), 0),
                    *energy = cJSON_GetObjectItem(run, "energy"), *entry = NULL;
        const int samples = cJSON_GetArraySize(cJSON_GetObjectItem(energy, "times_s"));
        cr_assert(samples >= 4 && samples <= LEDGER_SAMPLES, "%d samples", samples);
        double sum = cJSON_GetArrayItem(cJSON_GetObjectItem(energy, "stored"), samples - 1)->valuedouble;
        double per_area[2] = {0.0, 0.0};
        cJSON_ArrayForEach(entry, cJSON_GetObjectItem(energy, "absorbed"))
        {
            const double share =
                cJSON_GetArrayItem(cJSON_GetObjectItem(entry, "share"), samples - 1)->valuedouble;
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
        const double last =
            cJSON_GetArrayItem(cJSON_GetObjectItem(energy, "times_s"), samples - 1)->valuedouble;
        cr_assert(test_near(last, number(record, "duration_s"), 1e-9));
        cJSON_Delete(record);
    }
    leave_folder();
}
