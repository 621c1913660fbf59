#include "src/draw/html.h"
#include "src/report/sections/report_page.h"
#include "src/words/words.h"

/* "pews taken as wooden pews", or, where no material of the library is named, by what it absorbs. */
static void put_guess(FILE *page, const struct record_material *material, size_t run, size_t m)
{
    fputs("<li>", page);
    html_string(page, material->name, "runs.%zu.run.materials.%zu.name", run, m);
    fputs(T(" taken as "), page);
    if (material->library_name != NULL) {
        html_string(page, material->library_name, "runs.%zu.run.materials.%zu.library_name", run, m);
    } else {
        fputs(T("what absorbs "), page);
        html_number(page, material->absorption, -2, 100, "runs.%zu.run.materials.%zu.absorption", run, m);
        fputs(T("&nbsp;% of the sound at 500&nbsp;Hz"), page);
    }
    fputs("</li>\n", page);
}

void report_guesses(FILE *page, const struct report *report, size_t run)
{
    const struct record_room *room = &report->run[run].model->room;
    int guessed = 0;
    for (size_t m = 0; m < room->materials.count; m++) {
        if (!room->materials.item[m].guessed)
            continue;
        if (guessed++ == 0)
            fprintf(page, "<div class=\"guessed\">\n<p>%s</p>\n<ul>\n",
                    T("What these surfaces absorb was guessed from their names, and somebody who knows the "
                      "building "
                      "should confirm it:"));
        put_guess(page, &room->materials.item[m], run, m);
    }
    if (guessed > 0)
        fputs("</ul>\n</div>\n", page);
}
