#include <math.h>

#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/report/sections/report_page.h"
#include "src/words/words.h"

#define BAR 260.0 /* of 100 % [px] */

static void put_bar(FILE *page, double share)
{
    if (share > 0)
        fprintf(page,
                "<svg class=\"bar\" width=\"%.0f\" height=\"12\" aria-hidden=\"true\"><rect width=\"%.1f\" "
                "height=\"12\" fill=\"%s\"/></svg>",
                BAR, BAR * fmin(share, 1), svg_colour(0));
}

/* The account of one source: report_shares.h. */
static void put_account(FILE *page, const struct report *report, size_t run, size_t source)
{
    const struct report_account *account = &report->run[run].energy.item[source];
    fputs("<table class=\"energy\" data-table=\"energy", page);
    report_table_name(page, account->source);
    fprintf(page, "\">\n<caption>%s", T("Where the sound of "));
    html_string(page, account->source, "runs.%zu.energy.%zu.source", run, source);
    fprintf(
        page,
        "%s</caption>\n<thead><tr><th scope=\"col\">%s</th><th scope=\"col\">%s</th><th scope=\"col\">%s</th>"
        "<td></td></tr></thead>\n<tbody>\n",
        T(" went, by the end of the run"), T("surface"), T("area m\xC2\xB2"), T("share %"));
    for (size_t m = 0; m < account->surfaces.count; m++) {
        const struct report_share *surface = &account->surfaces.item[m];
        HTML_ROW_HEAD(page, surface->material, "runs.%zu.energy.%zu.surfaces.%zu.material", run, source, m);
        HTML_NUMBER_CELL(page, surface->area, 1, 1, "runs.%zu.energy.%zu.surfaces.%zu.area_m2", run, source,
                         m);
        HTML_NUMBER_CELL(page, surface->share, 2, 100, "runs.%zu.energy.%zu.surfaces.%zu.share", run, source,
                         m);
        fputs("<td>", page);
        put_bar(page, surface->share);
        fputs("</td>", page);
        html_row_end(page);
    }
    fprintf(page, "<tr><th scope=\"row\">%s</th><td></td>", T("still in the room"));
    HTML_NUMBER_CELL(page, account->stored, 2, 100, "runs.%zu.energy.%zu.stored", run, source);
    fputs("<td></td>", page);
    html_row_end(page);
    html_table_end(page);
}

static void put_run(FILE *page, const struct report *report, size_t run)
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
    report_section(
        page, report, "energy", T("Where the sound went"),
        T("Every surface absorbs a share of the sound. The account is of the room alone, without the air, "
          "and of all frequencies of the run together."),
        put_run);
}
