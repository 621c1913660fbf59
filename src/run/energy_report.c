#include "src/run/energy_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX       24
#define NAME_MAX_WIDTH 40
#define IMBALANCE_TOLD 1e-4

bool energy_report_complete(const struct energy_ledger *ledger, const struct energy_room *room)
{
    return ledger->samples > 0 && ledger->sample[ledger->samples - 1].step >= 2 * room->lead + 2;
}

static double last_stored(const struct energy_ledger *ledger)
{
    return ledger->samples > 0 ? ledger->sample[ledger->samples - 1].stored / ledger->injected : NAN;
}

double energy_report_share(const struct energy_ledger *ledger, size_t surface)
{
    if (ledger->samples == 0)
        return NAN;
    if (surface >= ledger->surfaces)
        return 0.0 / ledger->injected;
    return energy_ledger_absorbed(ledger, ledger->samples - 1)[surface] / ledger->injected;
}

/* ---- in the model ---- */

static bool fill_samples(struct record_energy *energy, const struct energy_ledger *ledger,
                         const struct energy_room *room)
{
    double time[LEDGER_SAMPLES], injected[LEDGER_SAMPLES], stored[LEDGER_SAMPLES];
    for (size_t n = 0; n < ledger->samples; n++) {
        const struct energy_sample *sample = &ledger->sample[n];
        time[n] = ((double)sample->step - (double)room->lead) / room->rate;
        injected[n] = sample->injected / ledger->injected;
        stored[n] = sample->stored / ledger->injected;
    }
    return json_numbers_set(&energy->times, time, ledger->samples) &&
           json_numbers_set(&energy->injected, injected, ledger->samples) &&
           json_numbers_set(&energy->stored, stored, ledger->samples);
}

static bool fill_absorbed(struct record_absorbed *absorbed, const struct energy_ledger *ledger,
                          const struct energy_room *room, size_t surface)
{
    const bool is_material = surface < room->materials;
    double share[LEDGER_SAMPLES];
    for (size_t n = 0; n < ledger->samples; n++)
        share[n] = (surface < ledger->surfaces ? energy_ledger_absorbed(ledger, n)[surface] : 0.0) /
                   ledger->injected;
    if (is_material)
        absorbed->area = room->area[surface];
    if (is_material && room->wall != NULL)
        absorbed->area_exposed = room->wall[surface].exposed;
    return json_text_set(&absorbed->material, is_material ? room->name[surface] : ENERGY_OPEN_FACES) &&
           json_numbers_set(&absorbed->share, share, ledger->samples);
}

bool energy_report_record(struct record_energy *energy, const struct energy_ledger *ledger,
                          const struct energy_room *room)
{
    const size_t surfaces = room->materials + (room->open ? 1 : 0);
    energy->given = ledger->injected;
    energy->complete = energy_report_complete(ledger, room);
    energy->imbalance = energy_ledger_imbalance(ledger);
    energy->source_at_wall = ledger->at_wall;
    if (!json_text_set(&energy->quantity,
                       "shares of the energy that the source gave; losses of the air are not in it") ||
        !fill_samples(energy, ledger, room) ||
        !JSON_LIST_MAKE(&record_absorbed_table, &energy->absorbed, surfaces))
        return false;
    for (size_t m = 0; m < surfaces; m++)
        if (!fill_absorbed(&energy->absorbed.item[m], ledger, room, m))
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
static void print_imbalance(FILE *stream, const struct energy_ledger *const *ledger, size_t ledgers)
{
    double at_wall = 0.0, other = 0.0;
    for (size_t l = 0; l < ledgers; l++) {
        const double imbalance = energy_ledger_imbalance(ledger[l]);
        double *worst = ledger[l]->at_wall && isfinite(imbalance) ? &at_wall : &other;
        if (!(imbalance <= *worst)) /* fmax() would drop a NaN */
            *worst = imbalance;
    }
    if (!(at_wall <= IMBALANCE_TOLD))
        fprintf(stream,
                "  these do not add up to all, by up to %.2g %%: what a source pushes into a wall that it "
                "touches is missing\n",
                100.0 * at_wall);
    if (isnan(other))
        fprintf(stream, "  this account does not close: a part of it is not a number, and the shares cannot "
                        "be trusted; please report it\n");
    else if (!(other <= IMBALANCE_TOLD))
        fprintf(
            stream,
            "  this account does not close, by up to %.2g %% of what the source gave, and each share may be "
            "off by as much: use --precision double, and report it if that does not help\n",
            100.0 * other);
}

void energy_report_print(FILE *stream, const struct energy_ledger *const *ledger, size_t ledgers,
                         const struct energy_room *room)
{
    const size_t rows = room->materials + (room->open ? 1 : 0);
    struct row *row = calloc(rows + 1, sizeof *row), stored = {.name = "still in the room"};
    int width = (int)strlen(stored.name);
    if (row == NULL || ledgers == 0)
        goto done;
    for (size_t l = 0; l < ledgers; l++)
        if (!energy_report_complete(ledger[l], room)) {
            fprintf(stream,
                    "too short to say which surface absorbed the sound: the source alone lasts %.3g s\n",
                    (double)room->lead / room->rate);
            goto done;
        }
    for (size_t m = 0; m < rows; m++) {
        row[m].name = m < room->materials ? room->name[m] : ENERGY_OPEN_FACES;
        if (m < room->materials)
            row[m].area = room->wall != NULL ? room->wall[m].exposed : room->area[m];
        const int length = (int)strnlen(row[m].name, NAME_MAX_WIDTH);
        width = length > width ? length : width;
        for (size_t l = 0; l < ledgers; l++)
            row[m].share += energy_report_share(ledger[l], m) / (double)ledgers;
    }
    for (size_t l = 0; l < ledgers; l++)
        stored.share += last_stored(ledger[l]) / (double)ledgers;
    fprintf(stream, "%-*s %12s %10s  %12s\n", width + 2, "where the sound went", "area", "share", "per m2");
    print_surfaces(stream, row, rows, width);
    print_row(stream, width, &stored);
    print_imbalance(stream, ledger, ledgers);
done:
    free(row);
}
