#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/words/words.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_speech.h"
#include "src/present/report/sections/report_drawing.h"
#include "src/present/report/sections/report_page.h"
#include "src/response/acoustics/octave_edges.h"

#define PLACES_MOST 12 /* of the table */

struct place {
    size_t response;
    double sti;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    return (one->sti > other->sti) - (one->sti < other->sti);
}

/* The responses that have an STI, the worst first; owned by the caller. NULL without any. */
static struct place *find_places(const struct report_run *run, size_t *count)
{
    struct place *place = calloc(run->responses.count + 1, sizeof *place);
    *count = 0;
    for (size_t i = 0; place != NULL && i < run->responses.count; i++) {
        const double sti = run->responses.item[i].record->figures.single[FIGURE_STI];
        if (isfinite(sti))
            place[(*count)++] = (struct place){i, sti};
    }
    if (place != NULL)
        qsort(place, *count, sizeof *place, compare_places);
    return place;
}

static void put_extremes(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *of = &report->run[run];
    size_t count;
    struct place *place = find_places(of, &count);
    if (place != NULL && count > 0) {
        enum report_verdict verdict;
        const struct place *first = &place[0], *last = &place[count - 1];
        const struct record_response *worst = of->responses.item[first->response].record,
                                     *best = of->responses.item[last->response].record;
        const struct words_number lowest = words_number("%.2f", first->sti),
                                  highest = words_number("%.2f", last->sti);
        REPORT_FILL(page, report, run, REPORT_TEMPLATE(extremes), {"one", .holds = count == 1},
                    {"several", .holds = count > 1}, {"worst", .text = worst->receiver},
                    {"source", .text = worst->source}, {"best", .text = best->receiver},
                    {"least", .text = T(report_speech_word(first->sti, &verdict))},
                    {"most", .text = T(report_speech_word(last->sti, &verdict))},
                    {"lowest", .text = lowest.text}, {"highest", .text = highest.text});
    }
    free(place);
}

static void add_place(struct table *table, const struct report *report, size_t run, const struct place *place)
{
    const size_t i = place->response;
    const struct record_response *record = report->run[run].responses.item[i].record;
    enum report_verdict verdict;
    TABLE_ROW_STRING(table, record->receiver, "runs.%zu.responses.%zu.receiver", run, i);
    table_cell(table, NULL);
    table_string(table, record->source, "runs.%zu.responses.%zu.source", run, i);
    TABLE_WORDS_CELL(table, T(report_speech_word(place->sti, &verdict)));
    TABLE_NUMBER_CELL(table, place->sti, 2, 1, "runs.%zu.responses.%zu.%s", run, i,
                      figure_kind[FIGURE_STI].single);
}

static void put_places(FILE *page, const struct report *report, size_t run)
{
    struct table table;
    size_t count;
    struct place *place = find_places(&report->run[run], &count);
    table_begin(&table, "places");
    table_words(&table, T("Speech at each place, the worst first"));
    TABLE_HEADS(&table, T("place"), T("from"), T("speech is"), "STI");
    for (size_t p = 0; place != NULL && p < count && p < PLACES_MOST; p++)
        add_place(&table, report, run, &place[p]);
    if (count > 0)
        report_table_put(page, report, &table, (int)run);
    table_free(&table);
    free(place);
}

static void put_map(FILE *page, const struct report *report, size_t run)
{
    report_map_of(page, report, run, FIGURE_D50,
                  T("How clear speech is, as the share of the sound in the first 50 ms (D50),"));
}

void report_places(FILE *page, const struct report *report)
{
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(places), {"extremes", .part = put_extremes},
                {"plan", .part = report_plan_figure}, {"map", .part = put_map},
                {"table", .part = put_places});
}

/* ---- what is uncertain ---- */

/* Nobody is there. */
static bool is_empty(const struct report *report)
{
    for (size_t r = 0; r < report->runs; r++) {
        const struct record_room *room = &report->run[r].model->room;
        for (size_t m = 0; m < room->materials.count; m++)
            if (room->materials.item[m].audience > 0)
                return false;
    }
    return true;
}

void report_rays_octave(FILE *page, const struct report *report, size_t run)
{
    const struct record_rays *rays = report->run[run].model->rays;
    if (rays != NULL && rays->octave > 0)
        fprintf(page, "%d", band_nominal(rays->octave));
}

void report_doubts(FILE *page, const struct report *report)
{
    const bool alike = report->runs == 2 && report_guesses_alike(report);
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(doubts), {"alike", .holds = alike},
                {"empty", .holds = is_empty(report)}, {"guesses", .part = report_guesses},
                {"octave", .part = report_rays_octave}, {"leak_table", .part = report_leak_table});
}
