#include <math.h>
#include <string.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/draw/html.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

/* The origin of a surface's absorption, in words. */
static const char *origin_words(const char *origin, bool guessed)
{
    static const char *const words[][2] = {{"option", T_LATER("given on the command line")},
                                           {"file", T_LATER("given in a file")},
                                           {"project", T_LATER("given in the project")},
                                           {"library", T_LATER("found in the library by its name")},
                                           {"program", T_LATER("rigid, as the program put it there")},
                                           {"fallback", T_LATER("the value for all other surfaces")},
                                           {"assumed", T_LATER("assumed")}};
    if (guessed)
        return T("guessed");
    for (size_t i = 0; origin != NULL && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(origin, words[i][0]) == 0)
            return T(words[i][1]);
    return "";
}

static void add_surface(struct table *table, const struct record_room *room, size_t run, size_t m)
{
    const struct record_material *material = &room->materials.item[m];
    table_row(table, material->guessed ? "guessed" : NULL);
    table_head(table);
    table_string(table, material->name, "runs.%zu.run.materials.%zu.name", run, m);
    TABLE_NUMBER_CELL(table, material->area, 1, 1, "runs.%zu.run.materials.%zu.area_m2", run, m);
    for (size_t o = 0; o < room->material_octaves.count; o++)
        TABLE_NUMBER_CELL(table, json_number_of(&material->octaves_used, o), 2, 1,
                          "runs.%zu.run.materials.%zu.absorption_used_octaves.%zu", run, m, o);
    TABLE_WORDS_CELL(table, origin_words(material->origin, material->guessed));
    if (material->library_name != NULL) {
        table_words(table, ": ");
        table_word(table, material->library_name, "runs.%zu.run.materials.%zu.library_name", run, m);
    }
}

static void put_sheets(FILE *page, const struct report *report, size_t run)
{
    const struct record_room *room = &report->run[run].model->room;
    size_t m = 0;
    while (m < room->materials.count && room->materials.item[m].combination == NULL)
        m++;
    if (m < room->materials.count)
        report_fill(page, report, run, REPORT_TEMPLATE(sheets), NULL, 0);
}

/* Surfaces of which a part has no effect, as the run warned of them. */
static void put_hidden(FILE *page, const struct report *report, size_t run)
{
    const struct record_room *room = &report->run[run].model->room;
    bool any = false;
    for (size_t m = 0; m < room->materials.count; m++) {
        const struct record_material *material = &room->materials.item[m];
        if (material->combination != NULL || material->back != NULL ||
            !(material->area_exposed < 0.9 * material->area))
            continue;
        if (!any)
            fprintf(page, "<p class=\"warning\">%s",
                    T("Less than nine tenths of these surfaces is in effect; the rest is under other "
                      "faces or has no air in front: "));
        fputs(any ? ", " : "", page);
        html_string(page, material->name, "runs.%zu.run.materials.%zu.name", run, m);
        fputs(" ", page);
        html_number(page, material->area_exposed, 1, 1, "runs.%zu.run.materials.%zu.area_exposed_m2", run, m);
        fputs(T(" of "), page);
        html_number(page, material->area, 1, 1, "runs.%zu.run.materials.%zu.area_m2", run, m);
        fputs("&nbsp;m\xC2\xB2", page);
        any = true;
    }
    fputs(any ? ".</p>\n" : "", page);
}

static void put_table(FILE *page, const struct report *report, size_t run)
{
    const struct record_room *room = &report->run[run].model->room;
    struct table table;
    table_begin(&table, "surfaces");
    table_words(&table, T("Surfaces by material"));
    TABLE_HEADS(&table, T("material"), T("area m\xC2\xB2"));
    for (size_t o = 0; o < room->material_octaves.count; o++)
        report_octave_head(&table, band_nominal(room->material_octaves.value[o]), false);
    table_head(&table);
    table_words(&table, T("from where"));
    for (size_t m = 0; m < room->materials.count; m++)
        add_surface(&table, room, run, m);
    report_table_put(page, report, &table, (int)run);
}

void report_surfaces(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(surfaces), {"table", .part = put_table},
                {"hidden", .part = put_hidden}, {"sheets", .part = put_sheets});
}
