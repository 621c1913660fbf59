#include "src/present/report/sections/report_page.h"

/* The next one from `m` on, or their number. */
static size_t next_guess(const struct record_room *room, size_t m)
{
    while (m < room->materials.count && !room->materials.item[m].guessed)
        m++;
    return m;
}

bool report_guesses_alike(const struct report *report)
{
    const struct record_room *one = &report->run[0].model->room, *other = &report->run[1].model->room;
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
    const size_t first = run == REPORT_NO_RUN ? 0 : run; /* of both */
    const struct record_room *room = &report->run[first].model->room;
    if (next_guess(room, 0) < room->materials.count)
        report_fill(page, report, first, REPORT_TEMPLATE(guesses), NULL, 0);
}
