#include <math.h>
#include <stdlib.h>

#include "src/html.h"
#include "src/report_page.h"
#include "src/svg_plot.h"

#define BAR 260.0 /* of 100 % [px] */

/* Where the sound of one source went. */
struct ledger {
    size_t run;
    int source;
    const cJSON *energy;
    int samples; /* over time */
    int materials;
};

static double share_of(const struct ledger *ledger, int material)
{
    char key[64];
    snprintf(key, sizeof key, "absorbed.%d.share.%d", material, ledger->samples - 1);
    return record_number(ledger->energy, key);
}

/* Order by the share at the end, the greatest first. */
static void order(const struct ledger *ledger, int *index)
{
    for (int m = 0; m < ledger->materials; m++) {
        int at = m;
        for (; at > 0 && share_of(ledger, index[at - 1]) < share_of(ledger, m); at--)
            index[at] = index[at - 1];
        index[at] = m;
    }
}

static void put_bar(FILE *page, double share)
{
    if (share > 0)
        fprintf(page,
                "<svg class=\"bar\" width=\"%.0f\" height=\"12\" aria-hidden=\"true\"><rect width=\"%.1f\" "
                "height=\"12\" fill=\"%s\"/></svg>",
                BAR, BAR * fmin(share, 1), svg_colour(0));
}

static void put_ledger(FILE *page, const struct report *report, const struct ledger *ledger)
{
    const cJSON *root = report->root;
    const int last = ledger->samples - 1;
    int *index = calloc((size_t)ledger->materials + 1, sizeof *index);
    if (index == NULL)
        return;
    order(ledger, index);
    fputs("<table class=\"energy\">\n<caption>Where the sound of ", page);
    html_string(page, root, "runs.%zu.run.runs.%d.source", ledger->run, ledger->source);
    fputs(" went, by the end of the run</caption>\n<thead><tr><th scope=\"col\">surface</th><th "
          "scope=\"col\">area "
          "m\xC2\xB2</th><th scope=\"col\">share %</th><td></td></tr></thead>\n<tbody>\n",
          page);
    for (int i = 0; i < ledger->materials; i++) {
        const int m = index[i];
        char key[96];
        snprintf(key, sizeof key, "absorbed.%d.area_exposed_m2", m);
        const char *area = isfinite(record_number(ledger->energy, key)) ? "area_exposed_m2" : "area_m2";
        fputs("<tr><th scope=\"row\">", page);
        html_string(page, root, "runs.%zu.run.runs.%d.energy.absorbed.%d.material", ledger->run,
                    ledger->source, m);
        fputs("</th><td>", page);
        html_number(page, root, 1, 1, "runs.%zu.run.runs.%d.energy.absorbed.%d.%s", ledger->run,
                    ledger->source, m, area);
        fputs("</td><td>", page);
        html_number(page, root, 2, 100, "runs.%zu.run.runs.%d.energy.absorbed.%d.share.%d", ledger->run,
                    ledger->source, m, last);
        fputs("</td><td>", page);
        put_bar(page, share_of(ledger, m));
        fputs("</td></tr>\n", page);
    }
    fputs("<tr><th scope=\"row\">still in the room</th><td></td><td>", page);
    html_number(page, root, 2, 100, "runs.%zu.run.runs.%d.energy.stored.%d", ledger->run, ledger->source,
                last);
    fputs("</td><td></td></tr>\n</tbody>\n</table>\n", page);
    free(index);
}

void report_energy(FILE *page, const struct report *report)
{
    report_section_begin(page, "energy", "Where the sound went");
    fputs("<p>Every surface takes a share of the sound. The account is of the room alone, without the air, "
          "and of all "
          "frequencies of the run together.</p>\n",
          page);
    for (size_t r = 0; r < report->runs; r++) {
        char key[64];
        report_run_begin(page, report, r);
        snprintf(key, sizeof key, "runs.%zu.run.runs", r);
        const int sources = cJSON_GetArraySize(record_at(report->root, key));
        bool any = false;
        for (int s = 0; s < sources; s++) {
            snprintf(key, sizeof key, "runs.%zu.run.runs.%d.energy", r, s);
            struct ledger ledger = {.run = r, .source = s, .energy = record_at(report->root, key)};
            ledger.samples = cJSON_GetArraySize(record_at(ledger.energy, "times_s"));
            ledger.materials = cJSON_GetArraySize(record_at(ledger.energy, "absorbed"));
            if (ledger.samples == 0)
                continue;
            put_ledger(page, report, &ledger);
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
