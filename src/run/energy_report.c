#include "src/run/energy_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/options/failure_text.h"
#include "src/base/table/table_columns.h"

#define ROWS_MAX       24
#define NAME_MAX_WIDTH 40
#define IMBALANCE_MOST 1e-4 /* of an account that is not reported */

/* True if the source had given all its energy when the ledger ended; before that the shares mean little. */
static bool is_complete(const struct source_progress *source)
{
    const struct energy_ledger *ledger = &source->ledger;
    const uint64_t least = 2 * source->lead + 2, driven = source->driven > least ? source->driven : least;
    return ledger->samples > 0 && ledger->sample[ledger->samples - 1].step >= driven;
}

/* The materials of the mesh, and the open faces where there are any. */
static size_t surfaces_of(const struct room_setup *setup)
{
    return setup->model.mesh.material_count + (setup->grid.findings.open_face_links > 0 ? 1 : 0);
}

static const char *surface_name(const struct room_setup *setup, size_t surface)
{
    return surface < setup->model.mesh.material_count ? setup->model.mesh.material[surface]
                                                      : ENERGY_OPEN_FACES;
}

/* The share of the source's energy that a surface had absorbed at a sample; 0 without absorption. */
static double share_of(const struct energy_ledger *ledger, size_t sample, size_t surface)
{
    return (surface < ledger->surfaces ? energy_ledger_absorbed(ledger, sample)[surface] : 0.0) /
           ledger->injected;
}

/* ---- in the model ---- */

static bool fill_samples(struct record_energy *energy, const struct source_progress *source, double rate)
{
    const struct energy_ledger *ledger = &source->ledger;
    double time[LEDGER_SAMPLES], injected[LEDGER_SAMPLES], stored[LEDGER_SAMPLES];
    for (size_t n = 0; n < ledger->samples; n++) {
        const struct energy_sample *sample = &ledger->sample[n];
        time[n] = ((double)sample->step - (double)source->lead) / rate;
        injected[n] = sample->injected / ledger->injected;
        stored[n] = sample->stored / ledger->injected;
    }
    return json_numbers_set(&energy->times, time, ledger->samples) &&
           json_numbers_set(&energy->injected, injected, ledger->samples) &&
           json_numbers_set(&energy->stored, stored, ledger->samples);
}

static bool fill_absorbed(struct record_absorbed *absorbed, const struct energy_ledger *ledger,
                          const struct room_setup *setup, size_t surface)
{
    double share[LEDGER_SAMPLES];
    for (size_t n = 0; n < ledger->samples; n++)
        share[n] = share_of(ledger, n, surface);
    if (surface < setup->model.mesh.material_count) {
        absorbed->area = setup->model.area[surface];
        if (setup->grid.areas.material != NULL)
            absorbed->area_exposed = setup->grid.areas.material[surface].exposed;
    }
    return json_text_set(&absorbed->material, surface_name(setup, surface)) &&
           json_numbers_set(&absorbed->share, share, ledger->samples);
}

bool energy_report_record(struct record_energy *energy, const struct source_progress *source,
                          const struct room_setup *setup)
{
    energy->given = source->ledger.injected;
    energy->complete = is_complete(source);
    energy->imbalance = energy_ledger_imbalance(&source->ledger);
    energy->source_at_wall = source->ledger.at_wall;
    if (!json_text_set(&energy->quantity,
                       "shares of the energy supplied by the source, without air absorption") ||
        !fill_samples(energy, source, setup->grid.step.rate) ||
        !JSON_LIST_MAKE(&record_absorbed_table, &energy->absorbed, surfaces_of(setup)))
        return false;
    for (size_t m = 0; m < energy->absorbed.count; m++)
        if (!fill_absorbed(&energy->absorbed.item[m], &source->ledger, setup, m))
            return false;
    return true;
}

/* ---- printed ---- */

/* Mean over the sources. */
struct surface_share {
    const char *name;
    double area, share; /* 0: none */
};

static int compare_shares(const void *a, const void *b)
{
    const struct surface_share *one = a, *other = b;
    return (one->share < other->share) - (one->share > other->share);
}

static void add_row(struct table *table, const struct surface_share *row)
{
    char name[NAME_MAX_WIDTH + 3];
    snprintf(name, sizeof name, "  %s", row->name);
    table_row(table, NULL);
    table_cell(table, NULL);
    table_text(table, name);
    table_cell(table, NULL);
    if (row->area > 0.0) {
        table_value(table, row->area, 1, 1);
        table_words(table, " m2");
    }
    TABLE_VALUE_CELL(table, row->share, 2, 100);
    table_words(table, " %");
    if (row->area > 0.0) {
        TABLE_VALUE_CELL(table, row->share / row->area, -2, 100);
        table_words(table, " %");
    }
}

/* Rows of surfaces, the greatest share first. */
static void add_rows(struct table *table, struct surface_share *row, size_t rows)
{
    struct surface_share others = {.name = "others"};
    qsort(row, rows, sizeof *row, compare_shares);
    for (size_t n = 0; n < rows; n++) {
        if (n < ROWS_MAX || rows == ROWS_MAX + 1) {
            add_row(table, &row[n]);
        } else {
            others.area += row[n].area;
            others.share += row[n].share;
        }
    }
    if (rows > ROWS_MAX + 1)
        add_row(table, &others);
}

/* The largest imbalance of sources at a wall, which explains it, and of all others. NaN has no such reason.
 */
static void print_imbalance(FILE *stream, const struct run_model *run)
{
    double at_wall = 0.0, other = 0.0;
    char advice[ADVICE_TEXT_MAX];
    for (size_t s = 0; s < run->runs.count; s++) {
        const struct record_energy *energy = run->runs.item[s].energy;
        double *worst = energy->source_at_wall && isfinite(energy->imbalance) ? &at_wall : &other;
        if (!(energy->imbalance <= *worst)) /* fmax() would drop a NaN */
            *worst = energy->imbalance;
    }
    if (!(at_wall <= IMBALANCE_MOST))
        fprintf(stream,
                "  these do not add up to all, by up to %.2g %%: the energy that a source supplies to a wall "
                "that it touches is missing\n",
                100.0 * at_wall);
    if (isnan(other))
        fprintf(stream, "  this balance does not close: a part of it is not a number, and the shares are "
                        "invalid; please report it\n");
    else if (!(other <= IMBALANCE_MOST))
        fprintf(stream,
                "  this balance does not close, by up to %.2g %% of the supplied energy, and each share may "
                "be wrong by as much: %s\n",
                100.0 * other, advice_text(ADVICE_DOUBLE_OR_REPORT, 0, advice));
}

static double last_of(const struct json_numbers *numbers)
{
    return json_number_of(numbers, numbers->count - 1);
}

static void sum_shares(const struct run_model *run, struct surface_share *row, struct surface_share *stored)
{
    for (size_t s = 0; s < run->runs.count; s++) {
        const struct record_energy *energy = run->runs.item[s].energy;
        stored->share += last_of(&energy->stored) / (double)run->runs.count;
        for (size_t m = 0; m < energy->absorbed.count; m++) {
            const struct record_absorbed *surface = &energy->absorbed.item[m];
            const double area = isnan(surface->area_exposed) ? surface->area : surface->area_exposed;
            row[m].name = surface->material;
            row[m].area = isnan(area) ? 0.0 : area;
            row[m].share += last_of(&surface->share) / (double)run->runs.count;
        }
    }
}

void energy_report_print(FILE *stream, const struct run_model *run)
{
    for (size_t s = 0; s < run->runs.count; s++)
        if (!run->runs.item[s].energy->complete) {
            fprintf(stream,
                    "too short to say which surface absorbed the sound: the source alone lasts %.3g s\n",
                    run->runs.item[s].steps_before_emission / run->room.rate);
            return;
        }
    const size_t rows = run->runs.count > 0 ? run->runs.item[0].energy->absorbed.count : 0;
    struct surface_share *row = calloc(rows + 1, sizeof *row), stored = {.name = "still in the room"};
    size_t width = strlen(stored.name);
    if (row == NULL || run->runs.count == 0) {
        free(row);
        return;
    }
    sum_shares(run, row, &stored);
    for (size_t m = 0; m < rows; m++) {
        const size_t length = strnlen(row[m].name, NAME_MAX_WIDTH);
        width = length > width ? length : width;
    }
    struct table table;
    table_begin(&table, "energy");
    TABLE_HEADS(&table, "where the sound went", "area", "share", "per m2");
    add_rows(&table, row, rows);
    add_row(&table, &stored);
    table_columns(stream, &table, 4, (const int[]){-(int)(width + 2), 13, 11, 14});
    table_free(&table);
    free(row);
    print_imbalance(stream, run);
}
