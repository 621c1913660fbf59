#include <math.h>
#include <string.h>

#include "src/present/compare/setup_change.h"
#include "src/draw/html.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

/* The colour of a material, as in the plan. */
static void put_colour(FILE *page, const struct report *report, size_t run, size_t m)
{
    const struct report_surface *surface = &report->run[run].mesh->surfaces.item[m];
    unsigned part[3];
    for (int c = 0; c < 3; c++)
        part[c] = (unsigned)(surface->colour[c] * REPORT_PLAN_SHADE + 0.5);
    fprintf(page, "#%02x%02x%02x", part[0], part[1], part[2]);
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

static void put_head(FILE *page, const struct report *report, size_t run, size_t index)
{
    char text[SETUP_CHANGE_MAX];
    head_words(&report->run[run].model->points.heads.item[index], text);
    html_text(page, text);
}

static void put_all_points(FILE *page, const struct report *report)
{
    const bool alike = same_points(report);
    for (size_t r = 0; r < (alike ? 1 : report->runs); r++)
        put_points(page, report, r, alike);
}

void report_room(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(room), {"plan", .part = report_plan_figure},
                {"colour", .item = put_colour}, {"leak_table", .part = report_leak_table},
                {"head", .item = put_head}, {"points", .section = put_all_points});
}
