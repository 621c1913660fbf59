#include "src/run/energy_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/options/failure_text.h"

#define ROWS_MAX       24
#define NAME_MAX_WIDTH 40
#define CLOSES         1e-4 /* an account that is off by no more */

/* Had the source given all when the ledger ended? Before that shares say little. */
static bool is_complete(const struct grid_source *source)
{
    const struct energy_ledger *ledger = &source->ledger;
    const uint64_t least = 2 * source->lead + 2, driven = source->driven > least ? source->driven : least;
    return ledger->samples > 0 && ledger->sample[ledger->samples - 1].step >= driven;
}

/* A source that sounds with others has no account of its own: theirs is. */
static bool has_account(const struct room_setup *setup, size_t source)
{
    return setup->points.point == NULL || !setup->points.point[source].member;
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

/* Share of what the source gave that a surface had taken at a sample; none where nothing there absorbs. */
static double share_of(const struct energy_ledger *ledger, size_t sample, size_t surface)
{
    return (surface < ledger->surfaces ? energy_ledger_absorbed(ledger, sample)[surface] : 0.0) /
           ledger->injected;
}

/* ---- in the model ---- */

static bool fill_samples(struct record_energy *energy, const struct grid_source *source, double rate)
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

bool energy_report_record(struct record_energy *energy, const struct grid_source *source,
                          const struct room_setup *setup)
{
    energy->given = source->ledger.injected;
    energy->complete = is_complete(source);
    energy->imbalance = energy_ledger_imbalance(&source->ledger);
    energy->source_at_wall = source->ledger.at_wall;
    if (!json_text_set(&energy->quantity,
                       "shares of the energy that the source gave; losses of the air are not in it") ||
        !fill_samples(energy, source, setup->grid.step.rate) ||
        !JSON_LIST_MAKE(&record_absorbed_table, &energy->absorbed, surfaces_of(setup)))
        return false;
    for (size_t m = 0; m < energy->absorbed.count; m++)
        if (!fill_absorbed(&energy->absorbed.item[m], &source->ledger, setup, m))
            return false;
    return true;
}

/* ---- printed ---- */

struct row {
    const char *name;
    double area, share;
};

static int greater_share(const void *a, const void *b)
{
    const struct row *one = a, *other = b;
    return (one->share < other->share) - (one->share > other->share);
}

static void print_row(FILE *stream, int width, const struct row *row)
{
    fprintf(stream, "  %-*.*s", width, width, row->name);
    if (row->area > 0.0)
        fprintf(stream, " %9.1f m2 %8.2f %%  %10.2g %%\n", row->area, 100.0 * row->share,
                100.0 * row->share / row->area);
    else
        fprintf(stream, " %12s %8.2f %%\n", "", 100.0 * row->share);
}

/* Rows of surfaces, the greatest share first. */
static void print_surfaces(FILE *stream, struct row *row, size_t rows, int width)
{
    struct row others = {.name = "others"};
    qsort(row, rows, sizeof *row, greater_share);
    for (size_t n = 0; n < rows; n++) {
        if (n < ROWS_MAX || rows == ROWS_MAX + 1) {
            print_row(stream, width, &row[n]);
        } else {
            others.area += row[n].area;
            others.share += row[n].share;
        }
    }
    if (rows > ROWS_MAX + 1)
        print_row(stream, width, &others);
}

/* The worst of those that a wall at the source explains, and of the others: no wall makes what is no number.
 */
static void print_imbalance(FILE *stream, const struct grid_source *source, size_t sources,
                            const struct room_setup *setup)
{
    double at_wall = 0.0, other = 0.0;
    char advice[ADVICE_TEXT_MAX];
    for (size_t s = 0; s < sources; s++) {
        const double imbalance = has_account(setup, s) ? energy_ledger_imbalance(&source[s].ledger) : 0.0;
        double *worst = source[s].ledger.at_wall && isfinite(imbalance) ? &at_wall : &other;
        if (!(imbalance <= *worst)) /* fmax() would drop a NaN */
            *worst = imbalance;
    }
    if (!(at_wall <= CLOSES))
        fprintf(stream,
                "  these do not add up to all, by up to %.2g %%: what a source pushes into a wall that it "
                "touches is missing\n",
                100.0 * at_wall);
    if (isnan(other))
        fprintf(stream, "  this account does not close: a part of it is not a number, and the shares cannot "
                        "be trusted; please report it\n");
    else if (!(other <= CLOSES))
        fprintf(
            stream,
            "  this account does not close, by up to %.2g %% of what the source gave, and each share may be "
            "off by as much: %s\n",
            100.0 * other, advice_text(ADVICE_DOUBLE_OR_REPORT, 0, advice));
}

void energy_report_print(FILE *stream, const struct grid_source *source, size_t sources,
                         const struct room_setup *setup)
{
    const size_t rows = surfaces_of(setup);
    struct row *row = calloc(rows + 1, sizeof *row), stored = {.name = "still in the room"};
    int width = (int)strlen(stored.name);
    bool complete = row != NULL;
    size_t accounts = 0;
    for (size_t s = 0; s < sources; s++)
        accounts += has_account(setup, s);
    for (size_t s = 0; complete && s < sources; s++)
        if (has_account(setup, s) && !is_complete(&source[s])) {
            fprintf(stream,
                    "too short to say which surface absorbed the sound: the source alone lasts %.3g s\n",
                    (double)source[s].lead / setup->grid.step.rate);
            complete = false;
        }
    for (size_t m = 0; complete && m <= rows; m++) {
        struct row *this = m < rows ? &row[m] : &stored;
        if (m < rows)
            this->name = surface_name(setup, m);
        if (m < setup->model.mesh.material_count)
            this->area = setup->grid.areas.material != NULL ? setup->grid.areas.material[m].exposed
                                                            : setup->model.area[m];
        const int length = (int)strnlen(this->name, NAME_MAX_WIDTH);
        width = length > width ? length : width;
        for (size_t s = 0; s < sources; s++) {
            const struct energy_ledger *ledger = &source[s].ledger;
            const size_t last = ledger->samples - 1;
            if (has_account(setup, s))
                this->share +=
                    (m < rows ? share_of(ledger, last, m) : ledger->sample[last].stored / ledger->injected) /
                    (double)accounts;
        }
    }
    if (complete && accounts > 0) {
        fprintf(stream, "%-*s %12s %10s  %12s\n", width + 2, "where the sound went", "area", "share",
                "per m2");
        print_surfaces(stream, row, rows, width);
        print_row(stream, width, &stored);
        print_imbalance(stream, source, sources, setup);
    }
    free(row);
}
