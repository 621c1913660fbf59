#include "src/acoustics/octave_decay.h"
#include "src/draw/html.h"
#include "src/report/report_page.h"

/* Where a surface's absorption comes from, in words. */
static const char *origin_words(const char *origin, bool guessed)
{
    static const char *const words[][2] = {{"option", "given on the command line"},
                                           {"file", "given in a file"},
                                           {"project", "given in the project"},
                                           {"library", "found in the library by its name"},
                                           {"fallback", "the value for all other surfaces"},
                                           {"assumed", "assumed"}};
    if (guessed)
        return "guessed";
    for (size_t i = 0; origin != NULL && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(origin, words[i][0]) == 0)
            return words[i][1];
    return "";
}

static void put_surface(FILE *page, const struct report *report, size_t run, int m, int octaves)
{
    const cJSON *root = report->root;
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.run.materials.%d", run, m);
    const cJSON *entry = record_at(root, key);
    fprintf(page, "<tr%s><th scope=\"row\">",
            cJSON_IsTrue(record_at(entry, "guessed")) ? " class=\"guessed\"" : "");
    html_string(page, root, "runs.%zu.run.materials.%d.name", run, m);
    fputs("</th><td>", page);
    html_number(page, root, 1, 1, "runs.%zu.run.materials.%d.area_m2", run, m);
    fputs("</td>", page);
    for (int o = 0; o < octaves; o++) {
        fputs("<td>", page);
        html_number(page, root, 2, 1, "runs.%zu.run.materials.%d.absorption_used_octaves.%d", run, m, o);
        fputs("</td>", page);
    }
    fprintf(page, "<td>%s",
            origin_words(record_text(entry, "origin"), cJSON_IsTrue(record_at(entry, "guessed"))));
    if (record_text(entry, "library_name") != NULL) {
        fputs(": ", page);
        html_string(page, root, "runs.%zu.run.materials.%d.library_name", run, m);
    }
    fputs("</td></tr>\n", page);
}

void report_surfaces(FILE *page, const struct report *report)
{
    report_section_begin(page, "surfaces", "Surfaces and what they absorb");
    fputs("<p>The share of the sound that a surface takes when it comes from all sides, as it was used in "
          "the run; 0 is "
          "a mirror, 1 an open window.</p>\n",
          page);
    for (size_t r = 0; r < report->runs; r++) {
        char key[64];
        report_run_begin(page, report, r);
        snprintf(key, sizeof key, "runs.%zu.run.materials", r);
        const int count = cJSON_GetArraySize(record_at(report->root, key));
        snprintf(key, sizeof key, "runs.%zu.run.material_octaves_hz", r);
        const cJSON *octaves = record_at(report->root, key), *item;
        fputs("<table class=\"surfaces\">\n<caption>Surfaces by material</caption>\n<thead><tr><th "
              "scope=\"col\">material</th><th scope=\"col\">area m\xC2\xB2</th>",
              page);
        cJSON_ArrayForEach(item, octaves)
            fprintf(page, "<th scope=\"col\">%d&nbsp;Hz</th>", octave_nominal(item->valuedouble));
        fputs("<th scope=\"col\">from where</th></tr></thead>\n<tbody>\n", page);
        for (int m = 0; m < count; m++)
            put_surface(page, report, r, m, cJSON_GetArraySize(octaves));
        fputs("</tbody>\n</table>\n", page);
        if (report->runs > 1)
            report_run_end(page);
    }
    if (report->runs > 1)
        fputs("</div>\n", page);
    report_section_end(page);
}
