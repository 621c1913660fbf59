#include "src/cli/measured/measured_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rooms/text/table_text.h"
#include "src/response/acoustics/octave_edges.h"

#define NINE_OF_TEN  1.645 /* standard deviations */
#define COLUMNS_MOST 64

void measured_table_free(struct measured_table *table)
{
    for (size_t r = 0; r < table->count; r++)
        json_free_members(&record_response_table, &table->item[r]);
    free(table->item);
    *table = (struct measured_table){0};
}

/* ---- columns ---- */

enum column { COLUMN_OTHER = -4, COLUMN_QUANTITY, COLUMN_RECEIVER, COLUMN_SOURCE }; /* 0 on: an octave */

struct columns {
    size_t count;
    int kind[COLUMNS_MOST];
};

static int octave_of(const char *name)
{
    double hz, centre[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(30000.0, centre);
    if (text_number(name, strlen(name), &hz))
        for (size_t b = 0; b < bands; b++)
            if (hz == band_nominal(centre[b]))
                return (int)b;
    return COLUMN_OTHER;
}

static int read_heads(struct csv *csv, struct columns *out, struct failure *failure)
{
    bool more, there[3] = {false, false, false};
    char *field;
    *out = (struct columns){0};
    TRY(csv_next_line(csv, &more, failure));
    for (field = more ? csv->text : NULL; field != NULL && out->count < COLUMNS_MOST;) {
        TRY(csv_next_field(csv, &field, failure));
        if (field == NULL)
            break;
        const int kind = strcasecmp(field, "source") == 0     ? COLUMN_SOURCE
                         : strcasecmp(field, "receiver") == 0 ? COLUMN_RECEIVER
                         : strcasecmp(field, "quantity") == 0 ? COLUMN_QUANTITY
                                                              : octave_of(field);
        if (kind < 0 && kind > COLUMN_OTHER)
            there[kind - COLUMN_QUANTITY] = true;
        out->kind[out->count++] = kind;
    }
    if (there[0] && there[1] && there[2])
        return 0;
    return failure_set(
        failure, FAILURE_INPUT,
        "its first line must name the columns source, receiver and quantity, and octaves by their "
        "frequencies");
}

/* ---- quantities ---- */

/* "T30_s_std": the figure, what its value is multiplied by, and whether it is a deviation; false: another
 * one. */
static bool read_quantity(const char *text, enum figure *figure, double *scale, bool *deviation)
{
    static const struct {
        const char *word;
        double scale;
    } unit[] = {{"", 1.0}, {"_s", 1.0}, {"_ms", 1e-3}, {"_db", 1.0}, {"_percent", 1e-2}};
    size_t length = strlen(text);
    *deviation = length > 4 && strcasecmp(text + length - 4, "_std") == 0;
    length -= *deviation ? 4 : 0;
    for (int f = 0; f < OCTAVE_FIGURES; f++) {
        const size_t word = strlen(figure_kind[f].word);
        if (word > length || strncasecmp(text, figure_kind[f].word, word) != 0)
            continue;
        for (size_t u = 0; u < sizeof unit / sizeof unit[0]; u++)
            if (strlen(unit[u].word) == length - word &&
                strncasecmp(text + word, unit[u].word, length - word) == 0) {
                *figure = (enum figure)f;
                *scale = unit[u].scale;
                return true;
            }
    }
    return false;
}

/* ---- rows ---- */

struct row {
    const char *source, *receiver, *quantity;
    bool of_state;
    double value[OCTAVE_BANDS_MAX];
};

static int read_row(struct csv *csv, const struct columns *columns, const char *state, struct row *out,
                    struct failure *failure)
{
    *out = (struct row){.of_state = state == NULL};
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        out->value[b] = NAN;
    for (size_t c = 0; c < columns->count; c++) {
        char *field;
        const int kind = columns->kind[c];
        TRY(csv_next_field(csv, &field, failure));
        if (field == NULL)
            break;
        if (kind == COLUMN_OTHER)
            out->of_state = out->of_state || strcmp(field, state) == 0;
        else if (kind < 0)
            *(kind == COLUMN_SOURCE     ? &out->source
              : kind == COLUMN_RECEIVER ? &out->receiver
                                        : &out->quantity) = field;
        else if (field[0] != '\0' && !text_number(field, strlen(field), &out->value[kind]))
            return failure_set(failure, FAILURE_INPUT, "%s is no number", field);
    }
    if (out->source != NULL && out->receiver != NULL && out->quantity != NULL)
        return 0;
    return failure_set(failure, FAILURE_INPUT, "the row ends before source, receiver and quantity");
}

static struct record_response *find_item(struct measured_table *table, const struct row *row)
{
    for (size_t r = 0; r < table->count; r++)
        if (strcmp(table->item[r].source, row->source) == 0 &&
            strcmp(table->item[r].receiver, row->receiver) == 0)
            return &table->item[r];
    struct record_response *grown = realloc(table->item, (table->count + 1) * sizeof *grown);
    double centre[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(30000.0, centre);
    if (grown == NULL)
        return NULL;
    table->item = grown;
    struct record_response *item = &grown[table->count++];
    json_clear(&record_response_table, item);
    return json_text_set(&item->source, row->source) && json_text_set(&item->receiver, row->receiver) &&
                   json_numbers_set(&item->octaves, centre, bands)
               ? item
               : NULL;
}

static int take_row(struct measured_table *table, struct row *row, struct failure *failure)
{
    enum figure figure;
    double scale;
    bool deviation;
    if (!row->of_state)
        return 0;
    if (!read_quantity(row->quantity, &figure, &scale, &deviation)) {
        table->left_out++;
        return 0;
    }
    struct record_response *item = find_item(table, row);
    if (item == NULL)
        return failure_memory(failure, sizeof *item, "measured figures");
    struct json_numbers *to = deviation ? &item->error.octave[figure] : &item->figures.octave[figure];
    if (to->value != NULL)
        return failure_set(
            failure, FAILURE_INPUT,
            "%s of %s at %s comes twice: say which rows count, as TABLE.csv=WORD of a further column",
            row->quantity, row->source, row->receiver);
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        row->value[b] *= scale * (deviation ? NINE_OF_TEN : 1.0);
    return json_numbers_set(to, row->value, item->octaves.count)
               ? 0
               : failure_memory(failure, sizeof row->value, "measured figures");
}

static int read_rows(struct csv *csv, const char *state, struct measured_table *out, struct failure *failure)
{
    struct columns columns;
    struct row row;
    bool more = true;
    TRY(read_heads(csv, &columns, failure));
    for (;;) {
        TRY(csv_next_line(csv, &more, failure));
        if (!more)
            break;
        TRY(read_row(csv, &columns, state, &row, failure));
        TRY(take_row(out, &row, failure));
    }
    return out->count > 0 ? 0
                          : failure_set(failure, FAILURE_INPUT, "has no row of a figure%s%s",
                                        state != NULL ? " with " : "", state != NULL ? state : "");
}

int measured_table_read(const char *path, const char *state, struct measured_table *out,
                        struct failure *failure)
{
    struct csv *csv = NULL;
    *out = (struct measured_table){0};
    TRY(csv_open(&csv, path, failure));
    const int code = read_rows(csv, state, out, failure);
    if (code != 0) {
        failure_at(code, failure, path, csv->line);
        measured_table_free(out);
    }
    csv_close(csv);
    return code;
}
