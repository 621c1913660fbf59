#include "src/draw/html.h"
#include "src/report/report_page.h"

/* "pews taken as wooden pews", or, where no material of the library is named, by what it absorbs. */
static void put_guess(FILE *page, const struct report *report, size_t run, int material)
{
    fputs("<li>", page);
    html_string(page, report->root, "runs.%zu.run.materials.%d.name", run, material);
    fputs(" taken as ", page);
    if (record_text(report_at(report, "runs.%zu.run.materials.%d", run, material), "library_name") != NULL) {
        html_string(page, report->root, "runs.%zu.run.materials.%d.library_name", run, material);
    } else {
        fputs("what absorbs ", page);
        html_number(page, report->root, -2, 100, "runs.%zu.run.materials.%d.absorption", run, material);
        fputs("&nbsp;% of the sound at 500&nbsp;Hz", page);
    }
    fputs("</li>\n", page);
}

void report_guesses(FILE *page, const struct report *report, size_t run)
{
    const int count = cJSON_GetArraySize(report_at(report, "runs.%zu.run.materials", run));
    int guessed = 0;
    for (int m = 0; m < count; m++) {
        if (!cJSON_IsTrue(report_at(report, "runs.%zu.run.materials.%d.guessed", run, m)))
            continue;
        if (guessed++ == 0)
            fputs("<div class=\"guessed\">\n<p>What these surfaces absorb was guessed from their names, and "
                  "somebody who "
                  "knows the building should confirm it:</p>\n<ul>\n",
                  page);
        put_guess(page, report, run, m);
    }
    if (guessed > 0)
        fputs("</ul>\n</div>\n", page);
}
