/* Templates of a page: places, blocks, translation, and that no name of theirs is a mistake. */
#define _XOPEN_SOURCE 700
#include "src/base/words/words.h"
#include "src/present/report/report_template.h"
#include "tests/support/program_run.h"

static char *page;
static cJSON *data;

static void begin(void)
{
    data = cJSON_Parse(
        "{\"title\": \"a < b\", \"runs\": [{\"name\": \"hall\", \"x\": 1.5, \"off\": false, \"kind\": "
        "\"wet\", \"list\": [{\"n\": \"p\"}, null, {\"n\": \"q\"}], \"run\": {\"fmax_hz\": 500}}]}");
    cr_assert(data != NULL);
}

static void end(void)
{
    cJSON_Delete(data);
    free(page);
    words_set(WORDS_ENGLISH);
}

TestSuite(report_template, .init = begin, .fini = end);

/* What a template becomes with these values; stays until the next. */
static const char *fill(const char *text, const struct report_value *value, size_t count)
{
    const struct report report = {.runs = 1, .data = data};
    size_t size;
    free(page);
    FILE *out = open_memstream(&page, &size);
    report_fill(out, &report, 0, (struct report_text){text, strlen(text)}, value, count);
    cr_assert(eq(int, fclose(out), 0));
    return page;
}

Test(report_template, places_show_the_data_with_its_place)
{
    static const char *const expected[][2] = {
        {"{{title}}", "<span data-key=\"title\">a &lt; b</span>"},
        {"{{title:plain}}", "a &lt; b"},
        {"{{x:1}}", "<data data-key=\"runs.0.x\" value=\"1.5\">1.5</data>"},
        {"{{x:0*100}}", "<data data-key=\"runs.0.x\" value=\"1.5\" data-scale=\"100\">150</data>"},
        {"{{run.fmax_hz:count}}", "<data data-key=\"runs.0.run.fmax_hz\" value=\"500\">500</data>"},
        {"{{gone}}", "<span class=\"absent\" data-key=\"runs.0.gone\">\xE2\x80\x93</span>"},
        {"{{list@count}}", "3"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert(eq(str, (char *)fill(expected[i][0], NULL, 0), (char *)expected[i][1]));
}

Test(report_template, blocks_repeat_lists_and_leave_out_what_is_absent)
{
    static const char *const expected[][2] = {
        {"{{#list}}{{^@first}}, {{/@first}}{{@index}}{{n:plain}}{{#@last}}.{{/@last}}{{/list}}", "0p, 2q."},
        {"{{#off}}a{{/off}}{{^off}}b{{/off}}{{#gone}}c{{/gone}}{{^gone}}d{{/gone}}", "bd"},
        {"{{#kind=wet}}a{{/kind=wet}}{{#kind=dry}}b{{/kind=dry}}{{^list@count=3}}c{{/list@count=3}}", "a"},
        {"{{#x}}{{#x=1.5}}{{.:2}}{{/x=1.5}}{{/x}}", "<data data-key=\"runs.0.x\" value=\"1.5\">1.50</data>"},
        {"{{#run}}{{name:plain}}{{#run}}{{/run}}{{/run}}", "hall"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert(eq(str, (char *)fill(expected[i][0], NULL, 0), (char *)expected[i][1]));
}

Test(report_template, values_are_escaped_and_a_name_without_its_other_side_stays_to_be_seen)
{
    static const struct report_value value[] = {{"text", .text = "{{x}} <b>"}, {"yes", .holds = true}};
    cr_assert(
        eq(str, (char *)fill("{{>text}}{{?yes}}1{{/yes}}{{!yes}}0{{/yes}}", value, 2), "{{x}} &lt;b&gt;1"));
    cr_assert(eq(str, (char *)fill("{{>text}}", value, 2), "{{yes}}{{x}} &lt;b&gt;"));
    cr_assert(eq(str, (char *)fill("{{>txet}}{{?on}}1{{/on}}", NULL, 0), "{{>txet}}{{?on}}"));
}

Test(report_template, texts_are_translated_with_their_places)
{
    static const char text[] = "[[up to\n  {{run.fmax_hz:0}}&nbsp;Hz]]";
    cr_assert(strncmp(fill(text, NULL, 0), "up to <data", 11) == 0, "%s", page);
    words_set(WORDS_GERMAN);
    cr_assert(strncmp(fill(text, NULL, 0), "bis <data", 9) == 0, "%s", page);
}

/* ---- the templates of the program ---- */

static char *sources;

/* Is a part of a path a member of the data? Its writers have it between quotes. */
static bool is_member(const char *name, size_t length)
{
    char quoted[100];
    snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)length, name);
    return length == 0 || name[0] == '@' || strspn(name, "0123456789") == length ||
           strstr(sources, quoted) != NULL;
}

static void check_path(const char *template, const char *path, size_t length)
{
    for (size_t used = 0; used < length;) {
        const size_t part = strcspn(path + used, ".@:=}");
        cr_assert(is_member(path + used, part), "%s: %.*s is not in the data", template, (int)length, path);
        used += part;
        if (path[used] != '.')
            return;
        used++;
    }
}

static void check_template(const char *name, struct report_text of)
{
    char *text = strndup(of.text, of.bytes);
    long depth = 0;
    for (const char *at = strstr(text, "{{"); at != NULL; at = strstr(at + 2, "{{")) {
        const bool opens = strchr("#^?!", at[2]) != NULL, of_data = strchr("?!/>", at[2]) == NULL;
        const char *const path = at + 2 + (opens && of_data);
        depth += opens - (at[2] == '/');
        cr_assert(strstr(at, "}}") != NULL && depth >= 0, "%s: %.20s", name, at);
        if (of_data)
            check_path(name, path, strcspn(path, "}"));
    }
    cr_assert(eq(long, depth, 0), "%s: a block is not closed", name);
    free(text);
}

#define READ(path)  read_text(test_source_file(path))
#define CHECK(name) check_template(#name, REPORT_TEMPLATE(name));

Test(report_template, every_name_is_in_the_data_and_every_block_is_closed)
{
    sources = NULL;
    size_t size;
    FILE *all = open_memstream(&sources, &size);
    static const char *const writer[] = {"src/present/report/report_model.c", "src/run_folder/run_model.c",
                                         "src/present/compare/run_compare_json.c"};
    for (size_t i = 0; i < sizeof writer / sizeof writer[0]; i++)
        fputs(READ(writer[i]), all);
    fclose(all);
    cr_assert(not(is_member("findigs", 7)));
    REPORT_TEMPLATES(CHECK)
    free(sources);
}
