/* Title, language and letterhead of a page, from the project. */
#define _XOPEN_SOURCE 700
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

TestSuite(letterhead, .init = enter_folder, .fini = leave_folder);

#define HEAD  "report:\n  title: Musterkirche\n  language: de\n  letterhead:\n    name: Muster & Sohn\n"
#define LINES "    lines: [Am Markt 1, <b>Musterstadt</b>]\n"
#define ROOM  "room:\n  shape: cube\n  size: 3\nother_surfaces: 0.5\nfmax_hz: 177\nduration_s: 0.2\n"
#define LOGO  "    logo: logo.png\n"

/* As a PNG begins: what a browser makes of it is no matter here. */
static void write_logo(const char *name, const char *begin, size_t size)
{
    FILE *file = fopen(name, "wb");
    cr_assert(file != NULL && fwrite(begin, 1, strlen(begin), file) == strlen(begin));
    for (size_t i = 0; i < size; i++)
        fputc('x', file);
    fclose(file);
}

static void simulate(void)
{
    write_logo("logo.png", "\x89PNG\r\n\x1A\n", 20);
    expect_status(RUN("simulate", "room.yaml", "-o", "run", "--quiet"), 0);
}

static void refuses(const char *words)
{
    expect_status(RUN("simulate", "room.yaml", "-o", "run", "--quiet"), 2);
    expect_words("err", words);
}

Test(letterhead, title_language_and_letterhead_come_from_the_project)
{
    write_text("room.yaml", ROOM HEAD LINES LOGO);
    simulate();
    expect_status(RUN("report", "run"), 0);
    expect_words("run/report.html", "<html lang=\"de\">", "<title>Musterkirche</title>");
    expect_words("run/report.html",
                 "<strong>Muster &amp; Sohn</strong><br>Am Markt 1<br>&lt;b&gt;Musterstadt&lt;/b&gt;");
    expect_words("run/report.html",
                 "<img alt=\"Muster &amp; Sohn\" src=\"data:image/png;base64,iVBORw0KGgp4eHh4");
}

Test(letterhead, the_command_line_goes_over_the_project)
{
    write_text("room.yaml", ROOM HEAD LINES LOGO);
    simulate();
    expect_status(RUN("report", "run", "--language", "en", "--title", "Mine"), 0);
    expect_words("run/report.html", "<html lang=\"en\">", "<title>Mine</title>");
    write_text("later.yaml", ROOM "report: {letterhead: {name: Another}}\n");
    expect_status(RUN("report", "run", "--project", "later.yaml", "--force"), 0);
    expect_words("run/report.html", "<strong>Another</strong>");
    expect_no_words("run/report.html", "&gt;Musterstadt");
    expect_no_words("run/report.html", "<title>Musterkirche");
}

Test(letterhead, a_run_without_one_has_none)
{
    write_text("room.yaml", ROOM);
    simulate();
    expect_status(RUN("report", "run"), 0);
    expect_no_words("run/report.html", "class=\"letterhead\"");
    expect_words("run/report.html", "<html lang=\"en\">");
}

Test(letterhead, what_is_no_small_picture_is_refused_before_anything_is_computed)
{
    write_text("room.yaml", ROOM HEAD LOGO);
    refuses("logo.png");
    write_logo("logo.png", "<svg onload='alert(1)'>", 20);
    refuses("room.yaml, line 12: report.letterhead.logo is logo.png; expected a picture, PNG or JPEG");
    write_logo("logo.png", "\x89PNG\r\n\x1A\n", 300000);
    refuses("200000");
    write_text("room.yaml", ROOM "report: {language: fr}\n");
    refuses("one of en, de");
}

/* A folder may come from anybody. */
Test(letterhead, what_a_record_calls_a_logo_becomes_no_markup_and_fetches_nothing)
{
    static const char *const bad[] = {"https://example.org/x.png", "data:image/svg+xml;base64,PHN2Zz4=",
                                      "data:image/png;base64,AA\"onerror=\"alert(1)",
                                      "data:text/html;base64,AAAA"};
    write_text("room.yaml", ROOM HEAD LOGO);
    simulate();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cJSON *record = read_json("run/run.json"), *report = cJSON_GetObjectItem(record, "report");
        cr_assert(cJSON_ReplaceItemInObject(report, "logo", cJSON_CreateString(bad[i])));
        char *text = cJSON_Print(record);
        FILE *file = fopen("run/run.json", "w");
        fprintf(file, "%s\n", text);
        fclose(file);
        cJSON_free(text);
        expect_status(RUN("report", "run", "--force"), 0);
        expect_no_words("run/report.html", "<img alt=\"Muster");
    }
}
