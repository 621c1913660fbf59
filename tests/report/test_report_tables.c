/* The tables of a page as CSV, and the page in German. */
#define _XOPEN_SOURCE 700
#include <sys/stat.h>

#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

static void make_run(void)
{
    enter_folder();
    expect_status(RUN("room", "cube", "-o", "cube.obj"), 0);
    expect_status(RUN("simulate", "cube.obj", "--fmax", "360", "--duration", "2", "--absorption", "0.3",
                      "--source", "1,1,1.5,pulpit", "--receiver", "2,2,1.2,pew", "--receiver",
                      "2,1,1.2,choir", "-o", "run", "--quiet"),
                  0);
}

TestSuite(report_tables, .init = make_run, .fini = leave_folder);

static bool has_line(const char *path, const char *start)
{
    char *text = read_text(path);
    bool found = strncmp(text, start, strlen(start)) == 0;
    for (const char *at = text; !found && (at = strchr(at, '\n')) != NULL; at++)
        found = strncmp(at + 1, start, strlen(start)) == 0;
    return found;
}

/* The second field of the line that begins with `start`. */
static double number_in(const char *path, const char *start)
{
    char *text = read_text(path);
    const char *at = strstr(text, start);
    cr_assert(at != NULL, "%s lacks %s", path, start);
    const double number = strtod(at + strlen(start), NULL);
    return number;
}

Test(report_tables, numbers_are_those_of_the_run_with_all_their_digits_in_every_language)
{
    cJSON *record = read_json("run/run.json");
    const double g = record_number(record, "responses.0.g_db.0");
    for (int german = 0; german < 2; german++) {
        expect_status(
            RUN("report", "run", "--force", "--tables", "tables", "--language", german ? "de" : "en"), 0);
        cr_assert(fabs(number_in("tables/table_response_pulpit_pew.csv", "\nG dB,") - g) <= 1e-8 * fabs(g));
        cr_assert(has_line("tables/table_means.csv", german ? "Oktave,63 Hz,63 Hz deviation,125 Hz"
                                                            : "octave,63 Hz,63 Hz deviation,125 Hz"));
        cr_assert(has_line("tables/tables.csv", german ? "table_surfaces.csv,Flächen nach Material"
                                                       : "table_surfaces.csv,Surfaces by material"));
    }
}

Test(report_tables, of_every_table_of_the_page_there_is_a_file)
{
    expect_status(RUN("report", "run", "--tables", "tables"), 0);
    char *page = read_text("run/report.html"), *list = read_text("tables/tables.csv");
    size_t tables = 0, lines = 0;
    for (const char *at = page; (at = strstr(at, "<table")) != NULL; at++)
        tables++;
    for (const char *at = list; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    cr_assert(eq(sz, lines, tables + 1));
    for (char *line = strchr(list, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        char path[200];
        struct stat there;
        snprintf(path, sizeof path, "tables/%.*s", (int)strcspn(line, ","), line);
        cr_assert(stat(path, &there) == 0 && there.st_size > 0, "%s", path);
    }
}

Test(report_tables, a_folder_that_exists_is_refused_and_by_force_only_tables_in_it_are_replaced)
{
    cr_assert(mkdir("tables", 0777) == 0);
    write_text("tables/mine.csv", "1,2\n");
    write_text("tables/table_of_before.csv", "1,2\n");
    expect_status(RUN("report", "run", "--tables", "tables"), 2);
    cr_assert(not(has_line("tables/mine.csv", "octave")));
    expect_status(RUN("report", "run", "--tables", "tables", "--force"), 0);
    struct stat there;
    cr_assert(stat("tables/mine.csv", &there) == 0);
    cr_assert(stat("tables/table_of_before.csv", &there) != 0, "a table of an earlier page is left");
    cr_assert(stat("tables/table_means.csv", &there) == 0);
}

Test(report_tables, the_folder_of_a_run_is_no_folder_for_tables)
{
    expect_status(RUN("report", "run", "--force", "--tables", "run"), 2);
    expect_status(RUN("report", "run", "--force", "--tables", "run/."), 2);
    struct stat there;
    cr_assert(stat("run/tables.csv", &there) != 0);
}

Test(report_tables, the_folder_of_the_page_is_no_folder_for_tables)
{
    cr_assert(eq(int, mkdir("both", 0777), 0));
    expect_status(RUN("report", "run", "-o", "both/page.html", "--tables", "both"), 2);
    expect_words("err", "a folder of their own");
    expect_status(RUN("report", "run", "-o", "one", "--tables", "one"), 2);
    cr_assert(eq(sz, count_entries("both", ""), 0));
}

/* Words, numbers and data of a German page are what report_page_check wants of any page. */
Test(report_tables, a_german_page_is_true_to_its_data)
{
    char script[1000];
    expect_status(RUN("report", "run", "--language", "de"), 0);
    snprintf(script, sizeof script, "%s", test_source_file("tests/accuracy/report_page_check"));
    const int status =
        run(NULL, (const char *const[]){"/usr/bin/env", "python3", script, "run/report.html", NULL});
    char *found = read_text("out");
    cr_assert(eq(int, status, 0), "%s", found);
    expect_words("run/report.html", "<html lang=\"de\">", ">Quelle</data>", "Zusammenfassung");
}

/* Names are those of a model that a stranger wrote. */
Test(report_tables, no_name_begins_a_formula_and_numbers_stay_numbers)
{
    cJSON *record = read_json("run/run.json");
    static const char *const name[] = {"=1+1", "+1+cmd", "@sum", "-2+3,a"};
    cJSON *materials = cJSON_GetObjectItem(record, "materials");
    const int count = cJSON_GetArraySize(materials);
    for (int m = 0; m < count; m++)
        cJSON_ReplaceItemInObject(cJSON_GetArrayItem(materials, m), "name", cJSON_CreateString(name[m % 4]));
    cJSON *shares = cJSON_GetObjectItem(cJSON_GetObjectItem(record, "energy"), "materials");
    for (int m = 0; m < cJSON_GetArraySize(shares); m++)
        cJSON_ReplaceItemInObject(cJSON_GetArrayItem(shares, m), "name", cJSON_CreateString(name[m % 4]));
    char *text = cJSON_Print(record);
    write_text("run/run.json", text);
    expect_status(RUN("report", "run", "--force", "--tables", "tables"), 0);
    expect_status(run("cells", (const char *const[]){"/bin/sh", "-c",
                                                     "cat tables/*.csv | tr -d '\"' | tr , '\\n'", NULL}),
                  0);
    cr_assert(has_line("cells", "'=1+1"));
    cr_assert(not(has_line("cells", "=")));
    cr_assert(not(has_line("cells", "@")));
    cr_assert(not(has_line("cells", "+1+")));
    cJSON_free(text);
}
