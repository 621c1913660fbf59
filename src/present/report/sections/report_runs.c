#include "src/present/report/sections/report_runs.h"

#include "src/draw/html.h"

void report_run_begin(FILE *page, const struct report *report, size_t run)
{
    if (report->runs < 2)
        return;
    if (run == 0)
        fputs("<div class=\"runs\">\n", page);
    fprintf(page, "<div class=\"run run-%zu\">\n<h3><span class=\"run-mark\">%c</span> ", run,
            'A' + (int)run);
    report_run_name(page, report, run);
    fputs("</h3>\n", page);
}

void report_run_end(FILE *page, const struct report *report)
{
    fputs(report->runs > 1 ? "</div>\n" : "", page);
}

void report_run_mark(FILE *page, size_t run)
{
    fprintf(page, "<b class=\"run-mark of-%zu\">%c</b>", run, 'A' + (int)run);
}

void report_run_name(FILE *page, const struct report *report, size_t run)
{
    html_string(page, report->run[run].name, "runs.%zu.name", run);
}
