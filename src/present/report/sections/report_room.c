#include <math.h>
#include <string.h>

#include "src/present/compare/setup_change.h"
#include "src/draw/html.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

/* The colour of every material, as in the plan. */
static void put_materials(FILE *page, const struct report *report, size_t run)
{
    const struct report_mesh *mesh = report->run[run].mesh;
    if (mesh == NULL || mesh->surfaces.count == 0)
        return;
    fputs("<ul class=\"key\">\n", page);
    for (size_t m = 0; m < mesh->surfaces.count; m++) {
        const struct report_surface *surface = &mesh->surfaces.item[m];
        unsigned part[3];
        for (int c = 0; c < 3; c++)
            part[c] = (unsigned)(surface->colour[c] * REPORT_PLAN_SHADE + 0.5);
        fprintf(
            page,
            "<li><svg class=\"swatch\" width=\"14\" height=\"14\" aria-hidden=\"true\"><rect width=\"14\" "
            "height=\"14\" fill=\"#%02x%02x%02x\" stroke=\"#666\"/></svg> ",
            part[0], part[1], part[2]);
        html_string(page, surface->name, "runs.%zu.mesh.materials.%zu.name", run, m);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
}

static void put_points(FILE *page, const struct report *report, size_t run, bool of_both)
{
    struct table table;
    table_begin(&table, "points");
    table_words(&table, T("Sources and receivers"));
    if (of_both) {
        table_words(&table, T(" of both runs"));
    } else if (report->runs > 1) {
        table_words(&table, T(" of "));
        table_string(&table, report->run[run].name, "runs.%zu.name", run);
    }
    TABLE_HEADS(&table, T("what"), T("name"), "x m", "y m", "z m");
    for (size_t p = 0; p < report->run[run].points.count; p++) {
        const struct report_point *point = &report->run[run].points.item[p];
        table_row(&table, NULL);
        TABLE_WORD_CELL(&table, point->is_source ? T_LATER("source") : T_LATER("receiver"),
                        "runs.%zu.points.%zu.kind", run, p);
        table_head(&table);
        table_string(&table, point->name, "runs.%zu.points.%zu.name", run, p);
        for (int axis = 0; axis < 3; axis++)
            TABLE_NUMBER_CELL(&table, point->position[axis], 2, 1, "runs.%zu.points.%zu.position_m.%d", run,
                              p, axis);
    }
    report_table_put(page, report, &table, (int)run);
}

static void put_absent(FILE *page, const char *why, size_t run, const char *name, const char *what)
{
    if (why == NULL)
        return;
    fprintf(page, "<p class=\"why\">%s", what);
    html_string(page, why, "runs.%zu.%s_why", run, name);
    fputs(".</p>\n", page);
}

static bool same_point(const struct report_point *a, const struct report_point *b)
{
    bool same = a->is_source == b->is_source &&
                strcmp(a->name != NULL ? a->name : "", b->name != NULL ? b->name : "") == 0;
    for (int axis = 0; axis < 3; axis++)
        same = same && fabs(a->position[axis] - b->position[axis]) <=
                           1e-12 * fmax(fabs(a->position[axis]), fabs(b->position[axis]));
    return same;
}

/* Two runs most often have the same places. */
static bool same_points(const struct report *report)
{
    const struct report_run *a = &report->run[0], *b = &report->run[1];
    if (report->runs != 2 || a->points.count != b->points.count)
        return false;
    for (size_t p = 0; p < a->points.count; p++)
        if (!same_point(&a->points.item[p], &b->points.item[p]))
            return false;
    return true;
}

static void put_heads(FILE *page, const struct record_points *points)
{
    for (size_t h = 0; h < points->heads.count; h++) {
        const struct record_dummy_head *head = &points->heads.item[h];
        char text[SETUP_CHANGE_MAX];
        head_words(head, text);
        fprintf(page, "<p class=\"why\">%s", T("Dummy head "));
        html_text(page, head->name != NULL ? head->name : "");
        fputs(": ", page);
        html_text(page, text);
        fputs(".</p>\n", page);
    }
}

static void put_run(FILE *page, const struct report *report, size_t run)
{
    fprintf(page, "<div class=\"room-view\" data-run=\"%zu\">\n", run);
    report_plan_figure(page, report, run);
    put_materials(page, report, run);
    fputs("</div>\n", page);
    put_absent(page, report->run[run].mesh_why, run, "mesh", T("The model is not in this page: "));
    put_absent(page, report->run[run].blocks_why, run, "blocks", T("The blocks are not in this page: "));
    report_leak_table(page, report, run);
    put_heads(page, &report->run[run].model->points);
}

void report_room(FILE *page, const struct report *report)
{
    report_section_begin(page, "room", T("The room"));
    fputs("<figure id=\"room-figure\">\n", page);
    report_every_run(page, report, put_run);
    fputs("</figure>\n", page);
    const bool alike = same_points(report);
    for (size_t r = 0; r < (alike ? 1 : report->runs); r++)
        put_points(page, report, r, alike);
    report_section_end(page);
}
