#include "src/present/report/report_decision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/words/words.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_seats.h"
#include "src/present/report/report_targets.h"

static bool is_word(const char *verdict, const char *word)
{
    return strcmp(verdict, word) == 0;
}

/* ---- cells ---- */

static const struct report_aim *find_aim(const struct report_run *run, const struct report_target *target)
{
    for (size_t i = 0; i < run->targets.count; i++)
        if (run->targets.item[i].target == target)
            return &run->targets.item[i];
    return NULL;
}

static double beyond(double low, double high, double value)
{
    return value < low ? low - value : value - high;
}

static void judge_seats(struct report_cell *cell, double volume)
{
    double low, high, farthest = -1;
    if (!report_target_limits(cell->aim->target, volume, &low, &high))
        return;
    cell->met = cell->not_met = cell->unsure = cell->places = 0;
    for (size_t i = 0; i < cell->seats.count; i++) {
        const double value = cell->seats.value[i];
        const char *verdict = report_target_verdict(low, high, value, cell->seats.error[i]);
        cell->met += is_word(verdict, "met");
        cell->not_met += is_word(verdict, "not met");
        cell->unsure += is_word(verdict, "unsure");
        cell->places += isfinite(value);
        if (is_word(verdict, "not met") && beyond(low, high, value) > farthest) {
            farthest = beyond(low, high, value);
            cell->worst = value;
        }
    }
}

static int add_cells(struct report_variant *variant, const struct report_run *base,
                     const struct report_run *run, struct failure *failure)
{
    variant->name = run->name;
    variant->met = variant->not_met = variant->unsure = 0;
    for (size_t t = 0; t < base->targets.count; t++) {
        struct report_cell *cell = report_list_add(&report_cell_table, &variant->cells);
        if (cell == NULL)
            return report_no_memory(failure);
        cell->aim = find_aim(run, base->targets.item[t].target);
        if (cell->aim == NULL)
            continue;
        variant->met += is_word(cell->aim->verdict, "met");
        variant->not_met += is_word(cell->aim->verdict, "not met");
        variant->unsure += is_word(cell->aim->verdict, "unsure");
        if (cell->aim->target->figure == FIGURE_T30)
            continue;
        TRY(report_seats_read(run, cell->aim->target->figure, &cell->seats, failure));
        if (cell->seats.count > 0)
            judge_seats(cell, report_room_volume(run->model));
    }
    return 0;
}

/* ---- order ---- */

/* How many more places meet a target than miss it. */
static double count_places(const struct report_variant *variant)
{
    double more = 0;
    for (size_t t = 0; t < variant->cells.count; t++)
        if (isfinite(variant->cells.item[t].places))
            more += variant->cells.item[t].met - variant->cells.item[t].not_met;
    return more;
}

static bool is_shared(const struct run_comparison *comparison)
{
    return comparison->pairs > 0 || comparison->grids > 0;
}

/* Does variant `v` come before `w`? */
static bool is_better(const struct report *report, size_t v, size_t w)
{
    const struct report_variant *a = &report->decision->variants.item[v],
                                *b = &report->decision->variants.item[w];
    const bool shared[] = {is_shared(&report->comparison[v - 1]), is_shared(&report->comparison[w - 1])};
    return shared[0] != shared[1]     ? shared[0]
           : a->met != b->met         ? a->met > b->met
           : a->not_met != b->not_met ? a->not_met < b->not_met
                                      : count_places(a) > count_places(b);
}

#define SWAP(a, b)                                                                                           \
    do {                                                                                                     \
        const __typeof__(a) kept = a;                                                                        \
        a = b;                                                                                               \
        b = kept;                                                                                            \
    } while (0)

static void sort_variants(struct report *report)
{
    struct report_variant *variant = report->decision->variants.item;
    for (size_t i = 2; i < report->given; i++)
        for (size_t v = i; v > 1 && is_better(report, v, v - 1); v--) {
            SWAP(variant[v], variant[v - 1]);
            SWAP(report->run[v], report->run[v - 1]);
            SWAP(report->comparison[v - 1], report->comparison[v - 2]);
        }
}

/* ---- costs ---- */

/* "speech (definition D50)" */
static void put_target(FILE *out, const struct report_aim *aim)
{
    fprintf(out, "%s (%s)", T(aim->target->use), report_figure_called(aim->target->figure));
}

static bool add_text(struct json_texts *list, const char *text)
{
    char **grown = realloc(list->text, (list->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    list->text = grown;
    list->text[list->count] = NULL;
    return json_text_set(&list->text[list->count++], text);
}

static bool add_lost(struct report_variant *variant, const struct report_variant *base)
{
    for (size_t t = 0; t < variant->cells.count; t++) {
        const struct report_aim *aim = variant->cells.item[t].aim, *before = base->cells.item[t].aim;
        char text[200] = "";
        if (aim == NULL || !is_word(before->verdict, "met") || is_word(aim->verdict, "met"))
            continue;
        FILE *out = fmemopen(text, sizeof text, "w");
        if (out == NULL)
            return false;
        put_target(out, aim);
        fclose(out);
        if (!add_text(&variant->lost, text))
            return false;
    }
    return true;
}

/* "acoustic plaster 25mm instead of pine boards, absorbs 0.66 instead of 0.10 at 500 Hz" */
static const char *name_material(const struct record_material *from, const struct record_material *to,
                                 char *text, size_t size)
{
    const char *format = T("%s instead of %s, absorbs %s instead of %s at 500 Hz");
    snprintf(text, size, format, T(to->library_name), T(from->library_name),
             words_number("%.2f", to->absorption_used).text,
             words_number("%.2f", from->absorption_used).text);
    return text;
}

static bool add_change(struct report_variant *variant, const struct run_change *change)
{
    const bool of_surface = change->field.kind == JSON_PART && change->field.table == &record_material_table;
    const struct record_material *from = change->value[0], *to = change->value[1];
    const struct report_change *last =
        variant->changes.count > 0 ? &variant->changes.item[variant->changes.count - 1] : NULL;
    const bool again = of_surface && last != NULL && report_alike_texts(last->surface, to->name);
    const bool other = of_surface && from->library_name != NULL && to->library_name != NULL &&
                       strcmp(from->library_name, to->library_name) != 0;
    char text[400];
    if (again && other)
        return true;
    struct report_change *added = report_list_add(&report_change_table, &variant->changes);
    if (added == NULL)
        return false;
    added->area = of_surface && !again ? to->area : NAN;
    return (!of_surface || json_text_set(&added->surface, to->name)) &&
           json_text_set(&added->words, other ? name_material(from, to, text, sizeof text) : change->words);
}

/* Of the room and what sounds in it, and not of the simulation. */
static bool is_bought(const struct run_change *change)
{
    static const char *const key[] = {"room", "materials", "leaks", "sources"};
    bool bought = false;
    for (size_t k = 0; k < sizeof key / sizeof key[0]; k++)
        bought = bought || strcmp(change->key, key[k]) == 0;
    return bought;
}

static bool add_costs(struct report_variant *variant, const struct report_variant *base,
                      const struct run_comparison *comparison)
{
    bool whole = add_lost(variant, base);
    for (size_t i = 0; whole && i < comparison->changes; i++) {
        const struct run_change *change = &comparison->change[i];
        whole = change->caution     ? add_text(&variant->cautions, change->words)
                : is_bought(change) ? add_change(variant, change)
                                    : true;
    }
    return whole;
}

/* ---- the answer ---- */

/* The targets of a verdict, after the words before them; false if there are none. */
static bool put_targets(FILE *out, const struct report_variant *variant, const char *verdict,
                        const char *before)
{
    size_t left = 0;
    for (size_t t = 0; t < variant->cells.count; t++)
        left += variant->cells.item[t].aim != NULL && is_word(variant->cells.item[t].aim->verdict, verdict);
    if (left == 0)
        return false;
    fputs(before, out);
    for (size_t t = 0; t < variant->cells.count; t++) {
        const struct report_aim *aim = variant->cells.item[t].aim;
        if (aim == NULL || !is_word(aim->verdict, verdict))
            continue;
        put_target(out, aim);
        fputs(--left == 0 ? "." : left == 1 ? T(" and ") : ", ", out);
    }
    return true;
}

/* Variants that meet as many as the best one. */
static void put_best(FILE *out, const struct report_decision *decision)
{
    const struct report_variant *variant = decision->variants.item;
    size_t last = 1;
    while (last + 1 < decision->variants.count && variant[last + 1].met == variant[1].met)
        last++;
    for (size_t v = 1; v <= last; v++)
        fprintf(out, "%s%s", v == 1 ? "" : v == last ? T(" and ") : ", ", variant[v].name);
}

static bool has_error_bar(const struct report_variant *variant)
{
    for (size_t t = 0; t < variant->cells.count; t++)
        if (variant->cells.item[t].aim != NULL && isfinite(variant->cells.item[t].aim->error))
            return true;
    return false;
}

static void put_answer(FILE *out, const struct report *report)
{
    const struct report_variant *base = &report->decision->variants.item[0], *best = base + 1;
    const bool better = best->met > base->met || (best->met == base->met && best->not_met < base->not_met);
    const struct report_variant *of = better && is_shared(&report->comparison[0]) ? best : base;
    char text[400];
    if (best->met > base->met && of == best) {
        fprintf(out, T("Most recommendations (%.0f of %zu) are met by "), best->met, base->cells.count);
        put_best(out, report->decision);
        fprintf(out, T("; %s meets %.0f."), base->name, base->met);
    } else {
        fprintf(out, T("No variant surely meets more recommendations than %s (%.0f of %zu)"), base->name,
                base->met, base->cells.count);
        if (of == best)
            fprintf(out, T(", but %s misses fewer (%.0f; %s misses %.0f)"), best->name, best->not_met,
                    base->name, base->not_met);
        fputs(".", out);
    }
    snprintf(text, sizeof text, T(" Not met by %.300s: "), of->name);
    (void)put_targets(out, of, "not met", text);
    if (of == best)
        for (size_t i = 0; i < best->lost.count; i++) {
            if (i == 0)
                fprintf(out, T(" Compared with %s it loses: "), base->name);
            fprintf(out, "%s%s", best->lost.text[i], i + 1 < best->lost.count ? ", " : ".");
        }
    if (put_targets(out, of, "unsure", T(" Unsure, since a limit is within the error bar: ")))
        fputs(T(" To be sure, simulate to a higher frequency."), out);
    else
        fputs(has_error_bar(of) ? T(" The error bars of its figures change none of this.")
                                : T(" Its figures are of waves, which have no error bar."),
              out);
    (void)put_targets(out, of, "not known", T(" Not known: "));
}

/* The reason why nothing is judged; NULL: some run is. */
static const char *why_not_judged(const struct report *report)
{
    const char *why = NULL;
    for (size_t r = 0; r < report->given; r++) {
        const struct report_variant *variant = &report->decision->variants.item[r];
        if (variant->met + variant->not_met + variant->unsure > 0)
            return NULL;
        why = why != NULL ? why : report->run[r].targets_why;
    }
    return why != NULL ? why : T("No recommendation can be judged from these runs.");
}

static int add_answer(struct report *report, struct failure *failure)
{
    size_t size = 0;
    const char *why = why_not_judged(report);
    FILE *out = open_memstream(&report->decision->answer, &size);
    if (out == NULL)
        return report_no_memory(failure);
    if (why != NULL)
        fputs(why, out);
    else
        put_answer(out, report);
    return fclose(out) == 0 ? 0 : report_no_memory(failure);
}

int report_decision_make(struct report *report, struct failure *failure)
{
    struct report_decision *decision = report->decision = json_make(&report_decision_table);
    if (decision == NULL)
        return report_no_memory(failure);
    for (size_t r = 0; r < report->given; r++) {
        struct report_variant *variant = report_list_add(&report_variant_table, &decision->variants);
        if (variant == NULL)
            return report_no_memory(failure);
        TRY(add_cells(variant, &report->run[0], &report->run[r], failure));
    }
    sort_variants(report);
    for (size_t r = 1; r < report->given; r++)
        if (!add_costs(&decision->variants.item[r], &decision->variants.item[0], &report->comparison[r - 1]))
            return report_no_memory(failure);
    return add_answer(report, failure);
}
