#include <math.h>

#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/report/report_page.h"

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
static void put_account(FILE *page, const struct report *report, size_t run, int source)
{
    const cJSON *root = report->root;
    const int count = cJSON_GetArraySize(report_at(report, "runs.%zu.energy.%d.surfaces", run, source));
    fputs("<table class=\"energy\">\n<caption>Where the sound of ", page);
    html_string(page, root, "runs.%zu.energy.%d.source", run, source);
    fputs(" went, by the end of the run</caption>\n<thead><tr><th scope=\"col\">surface</th><th "
          "scope=\"col\">area m\xC2\xB2</th><th scope=\"col\">share %</th><td></td></tr></thead>\n<tbody>\n",
          page);
    for (int m = 0; m < count; m++) {
        fputs("<tr><th scope=\"row\">", page);
        html_string(page, root, "runs.%zu.energy.%d.surfaces.%d.material", run, source, m);
        fputs("</th><td>", page);
        html_number(page, root, 1, 1, "runs.%zu.energy.%d.surfaces.%d.area_m2", run, source, m);
        fputs("</td><td>", page);
        html_number(page, root, 2, 100, "runs.%zu.energy.%d.surfaces.%d.share", run, source, m);
        fputs("</td><td>", page);
        put_bar(page,
                record_number(report_at(report, "runs.%zu.energy.%d.surfaces.%d", run, source, m), "share"));
        fputs("</td></tr>\n", page);
    }
    fputs("<tr><th scope=\"row\">still in the room</th><td></td><td>", page);
    html_number(page, root, 2, 100, "runs.%zu.energy.%d.stored", run, source);
    fputs("</td><td></td></tr>\n</tbody>\n</table>\n", page);
}

void report_energy(FILE *page, const struct report *report)
{
    report_section_begin(page, "energy", "Where the sound went");
    fputs("<p>Every surface takes a share of the sound. The account is of the room alone, without the air, "
          "and of all "
          "frequencies of the run together.</p>\n",
          page);
    for (size_t r = 0; r < report->runs; r++) {
        report_run_begin(page, report, r);
        const int sources = cJSON_GetArraySize(report_at(report, "runs.%zu.energy", r));
        bool any = false;
        for (int s = 0; s < sources; s++) {
            if (!cJSON_IsObject(report_at(report, "runs.%zu.energy.%d", r, s)))
                continue;
            put_account(page, report, r, s);
            any = true;
        }
        if (!any)
            fputs("<p class=\"why\">This run kept no account of its energy.</p>\n", page);
        if (report->runs > 1)
            report_run_end(page);
    }
    if (report->runs > 1)
        fputs("</div>\n", page);
    report_section_end(page);
}
