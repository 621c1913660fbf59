#include "src/draw/html.h"
#include "src/report/report_page.h"
#include "src/report/report_ways_out.h"
#include "src/report/sections/report_drawing.h"

/* The colour of every material, as in the plan. */
static void put_materials(FILE *page, const struct report *report, size_t run)
{
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.mesh.materials", run);
    const int count = cJSON_GetArraySize(record_at(report->root, key));
    if (count == 0)
        return;
    fputs("<ul class=\"key\">\n", page);
    for (int m = 0; m < count; m++) {
        unsigned part[3];
        for (int c = 0; c < 3; c++) {
            snprintf(key, sizeof key, "runs.%zu.mesh.materials.%d.color.%d", run, m, c);
            part[c] = (unsigned)(record_number(report->root, key) * REPORT_PLAN_SHADE + 0.5);
        }
        fprintf(
            page,
            "<li><svg class=\"swatch\" width=\"14\" height=\"14\" aria-hidden=\"true\"><rect width=\"14\" "
            "height=\"14\" fill=\"#%02x%02x%02x\" stroke=\"#666\"/></svg> ",
            part[0], part[1], part[2]);
        html_string(page, report->root, "runs.%zu.mesh.materials.%d.name", run, m);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
}

static void put_points(FILE *page, const struct report *report, size_t run, bool of_both)
{
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.points", run);
    const int count = cJSON_GetArraySize(record_at(report->root, key));
    fputs("<table class=\"points\">\n<caption>Sources and receivers", page);
    if (of_both) {
        fputs(" of both runs", page);
    } else if (report->runs > 1) {
        fputs(" of ", page);
        html_string(page, report->root, "runs.%zu.name", run);
    }
    fputs("</caption>\n<thead><tr><th "
          "scope=\"col\">what</th>"
          "<th scope=\"col\">name</th><th scope=\"col\">x m</th><th scope=\"col\">y m</th><th "
          "scope=\"col\">z m</th>"
          "</tr></thead>\n<tbody>\n",
          page);
    for (int p = 0; p < count; p++) {
        fputs("<tr><td>", page);
        html_string(page, report->root, "runs.%zu.points.%d.kind", run, p);
        fputs("</td><th scope=\"row\">", page);
        html_string(page, report->root, "runs.%zu.points.%d.name", run, p);
        fputs("</th>", page);
        for (int axis = 0; axis < 3; axis++) {
            fputs("<td>", page);
            html_number(page, report->root, 2, 1, "runs.%zu.points.%d.position_m.%d", run, p, axis);
            fputs("</td>", page);
        }
        fputs("</tr>\n", page);
    }
    fputs("</tbody>\n</table>\n", page);
}

static void put_absent(FILE *page, const struct report *report, size_t run, const char *name,
                       const char *what)
{
    char key[64];
    snprintf(key, sizeof key, "runs.%zu.%s_why", run, name);
    if (record_text(report->root, key) == NULL)
        return;
    fprintf(page, "<p class=\"why\">%s not in this page: ", what);
    html_string(page, report->root, "runs.%zu.%s_why", run, name);
    fputs(".</p>\n", page);
}

void report_room(FILE *page, const struct report *report)
{
    report_section_begin(page, "room", "The room");
    fputs("<figure id=\"room-figure\">\n", page);
    for (size_t r = 0; r < report->runs; r++) {
        report_run_begin(page, report, r);
        fprintf(page, "<div class=\"room-view\" data-run=\"%zu\">\n", r);
        report_plan_figure(page, report, r);
        put_materials(page, report, r);
        fputs("</div>\n", page);
        put_absent(page, report, r, "mesh", "The model is");
        put_absent(page, report, r, "blocks", "The blocks are");
        report_ways_out_table(page, report, r);
        if (report->runs > 1)
            report_run_end(page);
    }
    fputs(report->runs > 1 ? "</div>\n</figure>\n" : "</figure>\n", page);
    /* Two runs most often have the same places. */
    const bool alike = report->runs == 2 && cJSON_Compare(report_at(report, "runs.0.points"),
                                                          report_at(report, "runs.1.points"), true);
    for (size_t r = 0; r < (alike ? 1 : report->runs); r++)
        put_points(page, report, r, alike);
    report_section_end(page);
}
