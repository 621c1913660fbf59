#include <math.h>

#include "src/base/words/words.h"
#include "src/present/report/sections/report_difference_tables.h"
#include "src/present/report/sections/report_page.h"

static bool is_shared(const struct run_comparison *comparison)
{
    return comparison->pairs > 0 || comparison->grids > 0;
}

/* Changes of the set-up: those that are cautions, or the others. */
static size_t count_changes(const struct run_comparison *comparison, bool caution)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->changes; i++)
        count += comparison->change[i].caution == caution;
    return count;
}

static bool is_alone(const struct only_one_run *only)
{
    return only->octaves.count > 0 || only->figures > 0 || only->maps > 0;
}

void report_two_runs(FILE *page, const struct report *report)
{
    const struct run_comparison *comparison = report->comparison;
    if (comparison != NULL)
        REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(two_runs),
                    {"shared", .holds = is_shared(comparison)});
}

static void put_octave_table(FILE *page, const struct report *report)
{
    const struct run_comparison *comparison = report->comparison;
    report_difference_table(page, report, &comparison->rows, "differences.figures", comparison->pairs, true,
                            comparison->pairs > 1 ? T("Means over the places") : T("At the one place"));
}

static void put_pair_table(FILE *page, const struct report *report, size_t run, size_t pair)
{
    (void)run;
    report_difference_pair(page, report, pair);
}

static void put_grid_table(FILE *page, const struct report *report, size_t run, size_t g)
{
    const struct compared_grid *grid = &report->comparison->grid[g];
    char key[64], what[200];
    (void)run;
    if (grid->by_point)
        snprintf(what, sizeof what, T("Means over the %zu points"), grid->points[0]);
    else
        snprintf(what, sizeof what, "%s", T("Means of each run over its own points"));
    snprintf(key, sizeof key, "differences.grids.%zu.figures", g);
    report_difference_table(page, report, &grid->rows, key, grid->by_point ? grid->points[0] : 0, false,
                            what);
}

void report_differences(FILE *page, const struct report *report)
{
    const struct run_comparison *comparison = report->comparison;
    if (comparison == NULL)
        return;
    REPORT_FILL(
        page, report, REPORT_NO_RUN, REPORT_TEMPLATE(differences), {"shared", .holds = is_shared(comparison)},
        {"cautions", .holds = count_changes(comparison, true) > 0},
        {"changes", .holds = count_changes(comparison, false) > 0},
        {"by_octave", .holds = comparison->rows.count > 0 && comparison->rows.row[0].octave > 0},
        {"several", .holds = comparison->pairs > 1}, {"paired", .holds = comparison->pairs > 0},
        {"first_alone", .holds = is_alone(&comparison->only[0])},
        {"second_alone", .holds = is_alone(&comparison->only[1])},
        {"caution_list", .include = REPORT_TEMPLATE(cautions)}, {"only", .include = REPORT_TEMPLATE(only)},
        {"octaves", .include = REPORT_TEMPLATE(octaves)}, {"octave_table", .section = put_octave_table},
        {"singles", .section = report_difference_singles}, {"pair_table", .item = put_pair_table},
        {"grid_table", .item = put_grid_table});
}
