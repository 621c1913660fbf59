#include <math.h>

#include "src/draw/svg_plot.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

#define BAR 260.0 /* of 100 % [px] */

static void put_bar(struct table *table, double share)
{
    char text[160];
    snprintf(text, sizeof text,
             "<svg class=\"bar\" width=\"%.0f\" height=\"12\" aria-hidden=\"true\"><rect width=\"%.1f\" "
             "height=\"12\" fill=\"%s\"/></svg>",
             BAR, BAR * fmin(share, 1), svg_colour(0));
    if (share > 0)
        table_markup(table, text);
}

/* The account of one source: report_shares.h. */
static void put_account(FILE *page, const struct report *report, size_t run, size_t source)
{
    const struct report_account *account = &report->run[run].energy.item[source];
    struct table table;
    table_begin(&table, "energy");
    table_name(&table, "energy_%s", account->source);
    table_words(&table, T("Where the sound of "));
    table_string(&table, account->source, "runs.%zu.energy.%zu.source", run, source);
    table_words(&table, T(" went, by the end of the run"));
    TABLE_HEADS(&table, T("surface"), T("area m\xC2\xB2"), T("share %"));
    table_cell(&table, NULL);
    for (size_t m = 0; m < account->surfaces.count; m++) {
        const struct report_share *surface = &account->surfaces.item[m];
        TABLE_ROW_STRING(&table, surface->material, "runs.%zu.energy.%zu.surfaces.%zu.material", run, source,
                         m);
        TABLE_NUMBER_CELL(&table, surface->area, 1, 1, "runs.%zu.energy.%zu.surfaces.%zu.area_m2", run,
                          source, m);
        TABLE_NUMBER_CELL(&table, surface->share, 2, 100, "runs.%zu.energy.%zu.surfaces.%zu.share", run,
                          source, m);
        table_cell(&table, NULL);
        put_bar(&table, surface->share);
    }
    TABLE_ROW_WORDS(&table, T("still in the room"));
    table_cell(&table, NULL);
    TABLE_NUMBER_CELL(&table, account->stored, 2, 100, "runs.%zu.energy.%zu.stored", run, source);
    table_cell(&table, NULL);
    report_table_put(page, report, &table, (int)run);
}

static void put_accounts(FILE *page, const struct report *report, size_t run)
{
    bool any = false;
    for (size_t s = 0; s < report->run[run].energy.count; s++) {
        if (report->run[run].energy.item[s].source == NULL)
            continue;
        put_account(page, report, run, s);
        any = true;
    }
    if (!any)
        fprintf(page, "<p class=\"why\">%s</p>\n", T("This run kept no account of its energy."));
}

void report_energy(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(energy), {"accounts", .part = put_accounts});
}
