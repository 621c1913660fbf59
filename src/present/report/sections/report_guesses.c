#include "src/draw/html.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

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

/* The next one from `m` on, or their number. */
static size_t next_guess(const struct record_room *room, size_t m)
{
    while (m < room->materials.count && !room->materials.item[m].guessed)
        m++;
    return m;
}

bool report_guesses_alike(const struct report_run *first, const struct report_run *second)
{
    const struct record_room *one = &first->model->room, *other = &second->model->room;
    size_t m = next_guess(one, 0), n = next_guess(other, 0);
    for (; m < one->materials.count && n < other->materials.count;
         m = next_guess(one, m + 1), n = next_guess(other, n + 1)) {
        const struct record_material *a = &one->materials.item[m], *b = &other->materials.item[n];
        if (!report_alike_texts(a->name, b->name) || !report_alike_texts(a->library_name, b->library_name) ||
            (a->library_name == NULL && !report_alike_numbers(a->absorption, b->absorption)))
            return false;
    }
    return m == one->materials.count && n == other->materials.count;
}

void report_guesses(FILE *page, const struct report *report, size_t run)
{
    const struct record_room *room = &report->run[run].model->room;
    size_t m = next_guess(room, 0);
    if (m == room->materials.count)
        return;
    fprintf(page, "<div class=\"guessed\">\n<p>%s</p>\n<ul>\n",
            T("What these surfaces absorb was guessed from their names, and somebody who knows the "
              "building "
              "should confirm it:"));
    for (; m < room->materials.count; m = next_guess(room, m + 1))
        put_guess(page, &room->materials.item[m], run, m);
    fputs("</ul>\n</div>\n", page);
}
