#include <math.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/sections/report_page.h"
#include "src/base/words/words.h"

#define NAMED 3 /* openings in the summary */

static size_t count_leaks(const struct run_model *model, bool sealed)
{
    size_t count = 0;
    for (size_t i = 0; i < model->leaks.count; i++)
        count += model->leaks.item[i].sealed == sealed;
    return count;
}

static void put_place(FILE *page, const struct record_leak *leak, size_t run, size_t i)
{
    for (int axis = 0; axis < 3; axis++) {
        fputs(axis == 0 ? "(" : ", ", page);
        html_number(page, leak->position[axis], 2, 1, "runs.%zu.run.leaks.%zu.position_m.%d", run, i, axis);
    }
    fputs(") m", page);
}

/* "of about 0.46 m2, 0.6 m wide, at (4.00, 1.40, 1.30) m": without unknown values. */
static void put_opening(FILE *page, const struct record_leak *leak, size_t run, size_t i)
{
    const bool area = isfinite(leak->area), wide = isfinite(leak->gap);
    if (area) {
        fputs(T(" of about "), page);
        html_number(page, leak->area, -2, 1, "runs.%zu.run.leaks.%zu.area_m2", run, i);
        fputs("&nbsp;m\xC2\xB2", page);
    }
    if (wide) {
        fputs(area ? ", " : " ", page);
        html_number(page, leak->gap, -2, 1, "runs.%zu.run.leaks.%zu.gap_m", run, i);
        fputs(T("&nbsp;m wide"), page);
    }
    fputs(area && wide ? T(", at ") : T(" at "), page);
    put_place(page, leak, run, i);
}

/* The share of a source's sound that left by the open faces; NULL if the run has no account of it. */
static const struct record_absorbed *open_faces_of(const struct run_model *model, size_t source)
{
    const struct record_energy *energy = model->runs.item[source].energy;
    if (energy == NULL || energy->absorbed.count == 0)
        return NULL;
    const struct record_absorbed *entry = &energy->absorbed.item[energy->absorbed.count - 1];
    return entry->share.count > 0 && entry->material != NULL &&
                   strcmp(entry->material, ENERGY_OPEN_FACES) == 0
               ? entry
               : NULL;
}

/* How much of a source's sound had left by the end, where the run kept account. */
static void put_share(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *const model = report->run[run].model;
    int named = 0;
    for (size_t s = 0; s < model->runs.count && named < NAMED; s++) {
        const struct record_absorbed *entry = open_faces_of(model, s);
        if (entry == NULL)
            continue;
        const size_t faces = model->runs.item[s].energy->absorbed.count - 1, last = entry->share.count - 1;
        fputs(named++ == 0 ? T(" By the end of the run ") : ", ", page);
        html_number(page, entry->share.value[last], -2, 100,
                    "runs.%zu.run.runs.%zu.energy.absorbed.%zu.share.%zu", run, s, faces, last);
        fputs(T("&nbsp;% of the sound of "), page);
        html_string(page, model->runs.item[s].source, "runs.%zu.run.runs.%zu.source", run, s);
    }
    fputs(named > 0 ? T(" had left the simulation there.") : "", page);
}

static void put_openings(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *const model = report->run[run].model;
    const size_t count = count_leaks(model, false);
    size_t named = 0;
    bool on_box = false;
    for (size_t i = 0; i < model->leaks.count && named < NAMED; i++) {
        const struct record_leak *leak = &model->leaks.item[i];
        if (leak->sealed)
            continue;
        fputs(named == 0           ? T(" through an opening")
              : named + 1 == count ? T(", and another")
                                   : T(", another"),
              page);
        put_opening(page, leak, run, i);
        on_box = on_box || isfinite(leak->area);
        named++;
    }
    if (count > named)
        fprintf(page, T(", and %zu more, listed with the drawing of the room"), count - named);
    fputs(count > 0 && !on_box ? T(". There may be more: only the widest was looked for.") : ".", page);
}

/* Its number, or that of all leaks without one. */
static size_t find_widest_crack(const struct run_model *model)
{
    size_t widest = model->leaks.count;
    for (size_t i = 0; i < model->leaks.count; i++) {
        const struct record_leak *leak = &model->leaks.item[i];
        if (leak->sealed && leak->gap > (widest < i ? model->leaks.item[widest].gap : -1))
            widest = i;
    }
    return widest;
}

/* "3 cm wide, at (4.00, 1.40, 1.30) m" */
static void put_widest(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *const model = report->run[run].model;
    const size_t i = find_widest_crack(model);
    html_number(page, model->leaks.item[i].gap, -2, 100, "runs.%zu.run.leaks.%zu.gap_m", run, i);
    fputs(T("&nbsp;cm wide, at "), page);
    put_place(page, &model->leaks.item[i], run, i);
}

static bool same_shares(const struct run_model *one, const struct run_model *other)
{
    bool same = one->runs.count == other->runs.count;
    for (size_t s = 0; same && s < one->runs.count; s++) {
        const struct record_absorbed *a = open_faces_of(one, s), *b = open_faces_of(other, s);
        same = (a == NULL) == (b == NULL) &&
               (a == NULL || (report_alike_texts(one->runs.item[s].source, other->runs.item[s].source) &&
                              report_alike_numbers(a->share.value[a->share.count - 1],
                                                   b->share.value[b->share.count - 1])));
    }
    return same;
}

bool report_leaks_alike(const struct report *report)
{
    const struct run_model *one = report->run[0].model, *other = report->run[1].model;
    const bool open = report_lets_out(one);
    return open == report_lets_out(other) && report_same_data(report, "run.leaks") &&
           (!open || (same_shares(one, other) && report_same_data(report, "run.air_volume_m3")));
}

void report_leaks(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *model = report->run[run].model;
    const size_t count = find_widest_crack(model) < model->leaks.count ? count_leaks(model, true) : 0;
    char cracks[32];
    snprintf(cracks, sizeof cracks, "%zu", count);
    REPORT_FILL(page, report, run, REPORT_TEMPLATE(leaks), {"open", .holds = report_lets_out(model)},
                {"one", .holds = count == 1}, {"cracks", .text = count > 1 ? cracks : NULL},
                {"at_least", .holds = count >= LEAKS_LISTED}, {"openings", .part = put_openings},
                {"share", .part = put_share}, {"widest", .part = put_widest});
}

void report_leak_table(FILE *page, const struct report *report, size_t run)
{
    const struct run_model *model = report->run[run].model;
    if (model->leaks.count == 0)
        return;
    struct table table;
    table_begin(&table, "leaks");
    table_words(&table, T("Where sound leaves the model"));
    TABLE_HEADS(&table, T("which"), "x m", "y m", "z m", T("width m"), T("area m\xC2\xB2"));
    for (size_t i = 0; i < model->leaks.count; i++) {
        const struct record_leak *leak = &model->leaks.item[i];
        TABLE_ROW_WORDS(&table, leak->sealed ? T("closed crack") : T("opening"));
        for (int axis = 0; axis < 3; axis++)
            TABLE_NUMBER_CELL(&table, leak->position[axis], 2, 1, "runs.%zu.run.leaks.%zu.position_m.%d", run,
                              i, axis);
        TABLE_NUMBER_CELL(&table, leak->gap, -2, 1, "runs.%zu.run.leaks.%zu.gap_m", run, i);
        TABLE_NUMBER_CELL(&table, leak->area, -2, 1, "runs.%zu.run.leaks.%zu.area_m2", run, i);
    }
    report_table_put(page, report, &table, (int)run);
}
