#include "src/calibrate/measured_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rooms/materials/absorption_bands.h"
#include "rooms/text/table_text.h"

#define COLUMNS_MAX 256

/* What a column has: an octave below MATERIAL_OCTAVES, or: */
enum { COLUMN_SOURCE = MATERIAL_OCTAVES, COLUMN_RECEIVER, COLUMN_FIGURE, COLUMN_IGNORED };

struct reading {
    struct csv *csv;
    const char *file; /* without folders */
    struct measured_times *times;
    size_t columns;
    int column[COLUMNS_MAX];   /* with octaves in columns */
    struct measured_row *down; /* (columns) with frequencies down the rows; owned; NULL: in columns */
    bool left_out[COLUMNS_MAX];
    char other[40]; /* a figure of a row that was left out; empty: none was */
};

void measured_times_free(struct measured_times *times)
{
    free(times->row);
    *times = (struct measured_times){.figure = times->figure};
}

int measured_times_add(struct measured_times *times, const struct measured_row *row, struct failure *failure)
{
    if (times->count == times->capacity) {
        const size_t capacity = 2 * times->capacity + 8;
        struct measured_row *grown = realloc(times->row, capacity * sizeof *grown);
        if (grown == NULL)
            return failure_memory(failure, capacity * sizeof *grown, "measured times");
        times->row = grown;
        times->capacity = capacity;
    }
    times->row[times->count++] = *row;
    return 0;
}

/* ---- pairs ---- */

bool measured_row_is_of_all(const struct measured_row *row)
{
    return row->source[0] == '\0' && row->receiver[0] == '\0' && row->label[0] == '\0';
}

static bool is_label_of(const char *label, const char *source, const char *receiver)
{
    if (strcmp(label, receiver) == 0)
        return true;
    const size_t length = strlen(source);
    label += strncmp(label, "ir_", 3) == 0 ? 3 : 0;
    return strncmp(label, source, length) == 0 && label[length] != '\0' &&
           strchr("_- ", label[length]) != NULL && strcmp(label + length + 1, receiver) == 0;
}

bool measured_row_names(const struct measured_row *row, const char *source, const char *receiver)
{
    if (row->label[0] != '\0')
        return is_label_of(row->label, source, receiver);
    return (row->source[0] == '\0' || strcmp(row->source, source) == 0) &&
           (row->receiver[0] == '\0' || strcmp(row->receiver, receiver) == 0);
}

/* ---- tables ---- */

int measured_octave(double centre)
{
    const int octave = (int)lround(log2(centre / 1000)) + 4; /* 63 Hz is the first, 1 kHz the fifth */
    return octave >= 0 && octave < MATERIAL_OCTAVES ? octave : -1;
}

/* "T30", "t30_s", "T30 [s]": the figure of that word, with or without its unit. */
static bool is_figure(const char *text, enum figure figure)
{
    const size_t length = strlen(figure_kind[figure].word);
    return strncasecmp(text, figure_kind[figure].word, length) == 0 &&
           (text[length] == '\0' || strcmp(text + length, "_s") == 0 || strcmp(text + length, " [s]") == 0 ||
            strcmp(text + length, " (s)") == 0);
}

/* True for the wanted one; another is noted. */
static bool is_wanted(struct reading *r, const char *text)
{
    if (is_figure(text, r->times->figure))
        return true;
    for (int f = FIGURE_EDT; f <= FIGURE_T30; f++)
        if (is_figure(text, (enum figure)f))
            (void)snprintf(r->other, sizeof r->other, "%s", figure_kind[f].word);
    return false;
}

static bool find_octave(const char *heading, int *octave)
{
    double frequency;
    int band;
    if (!text_frequency(heading, &frequency) || !absorption_band_find(frequency, &band) ||
        (band + 30) % 3 != 1)
        return false;
    *octave = band >= 0 && band < ABSORPTION_BANDS ? band / 3 : COLUMN_IGNORED;
    return true;
}

static struct measured_row empty_row(const struct reading *r)
{
    struct measured_row row = {0};
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        row.seconds[o] = NAN;
    (void)snprintf(row.place, sizeof row.place, "%.120s, line %zu", r->file, r->csv->line);
    return row;
}

static int read_seconds(const char *field, double *seconds, struct failure *failure)
{
    if (field[0] == '\0' || strcmp(field, "-") == 0)
        return 0;
    if (!text_comma_number(field, strlen(field), seconds) || !(*seconds > 0 && *seconds <= MEASURED_MOST))
        return failure_set(failure, FAILURE_INPUT,
                           "\"%.80s\" is no reverberation time: expected seconds, more than 0 and at most %g",
                           field, MEASURED_MOST);
    return 0;
}

static int read_headings(struct reading *r, char *field, struct failure *failure)
{
    static const char *const word[] = {"source", "receiver", "figure", "quantity"};
    for (; field != NULL; r->columns++) {
        int *const column = &r->column[r->columns];
        if (r->columns == COLUMNS_MAX)
            return failure_set(failure, FAILURE_INPUT, "more than %d columns", COLUMNS_MAX);
        *column = -1;
        for (int w = 0; w < 4; w++)
            if (strcasecmp(field, word[w]) == 0)
                *column = w < 2 ? COLUMN_SOURCE + w : COLUMN_FIGURE;
        if (*column < 0 && !find_octave(field, column))
            return failure_set(
                failure, FAILURE_INPUT,
                "the column \"%.80s\" is neither source, receiver, figure nor the centre of an "
                "octave in Hz (63, 125, 250, .. 8000)",
                field);
        for (size_t c = 0; c < r->columns; c++)
            if (r->column[c] == *column && *column != COLUMN_IGNORED)
                return failure_set(failure, FAILURE_INPUT, "two columns \"%.80s\"", field);
        TRY(csv_next_field(r->csv, &field, failure));
    }
    return 0;
}

static int read_row(struct reading *r, char *field, struct failure *failure)
{
    struct measured_row row = empty_row(r);
    bool wanted = true;
    for (size_t c = 0; field != NULL; c++) {
        const int column = c < r->columns ? r->column[c] : COLUMN_IGNORED;
        if (c >= r->columns && field[0] != '\0')
            return failure_set(failure, FAILURE_INPUT,
                               "\"%.80s\" is beyond the last column (with decimal commas the columns are "
                               "separated by semicolons)",
                               field);
        if (column == COLUMN_SOURCE)
            (void)snprintf(row.source, sizeof row.source, "%s", field);
        else if (column == COLUMN_RECEIVER)
            (void)snprintf(row.receiver, sizeof row.receiver, "%s", field);
        else if (column == COLUMN_FIGURE)
            wanted = is_wanted(r, field);
        else if (column < MATERIAL_OCTAVES && wanted)
            TRY(read_seconds(field, &row.seconds[column], failure));
        TRY(csv_next_field(r->csv, &field, failure));
    }
    return wanted ? measured_times_add(r->times, &row, failure) : 0;
}

/* The names of the columns below which times stand. */
static int read_names(struct reading *r, struct failure *failure)
{
    char *field;
    if ((r->down = calloc(COLUMNS_MAX, sizeof *r->down)) == NULL)
        return failure_memory(failure, COLUMNS_MAX * sizeof *r->down, "measured times");
    TRY(csv_next_field(r->csv, &field, failure));
    for (; field != NULL; r->columns++) {
        if (r->columns == COLUMNS_MAX)
            return failure_set(failure, FAILURE_INPUT, "more than %d columns", COLUMNS_MAX);
        struct measured_row *const row = &r->down[r->columns];
        *row = empty_row(r);
        r->other[0] = '\0';
        const bool wanted = is_wanted(r, field);
        r->left_out[r->columns] = r->other[0] != '\0' || field[0] == '\0';
        if (!wanted)
            (void)snprintf(row->label, sizeof row->label, "%s", field);
        TRY(csv_next_field(r->csv, &field, failure));
    }
    return 0;
}

static int read_frequency(struct reading *r, char *field, struct failure *failure)
{
    int octave;
    if (field == NULL || field[0] == '\0')
        return 0;
    if (!find_octave(field, &octave))
        return failure_set(failure, FAILURE_INPUT,
                           "\"%.80s\" is not the centre of an octave in Hz (63, 125, 250, .. 8000)", field);
    for (size_t c = 0; c < r->columns; c++) {
        TRY(csv_next_field(r->csv, &field, failure));
        if (field == NULL)
            break;
        if (octave == COLUMN_IGNORED || r->left_out[c])
            continue;
        if (!isnan(r->down[c].seconds[octave]))
            return failure_set(failure, FAILURE_INPUT, "two lines of %u Hz", material_octave[octave]);
        TRY(read_seconds(field, &r->down[c].seconds[octave], failure));
    }
    return 0;
}

static int read_lines(struct reading *r, struct failure *failure)
{
    char *field;
    bool more;
    TRY(csv_first_field(r->csv, &field, failure));
    if (field != NULL && text_is_of_frequencies(field))
        TRY(read_names(r, failure));
    else
        TRY(read_headings(r, field, failure));
    for (;;) {
        TRY(csv_next_line(r->csv, &more, failure));
        if (!more)
            break;
        TRY(csv_next_field(r->csv, &field, failure));
        TRY(r->down != NULL ? read_frequency(r, field, failure) : read_row(r, field, failure));
    }
    for (size_t c = 0; r->down != NULL && c < r->columns; c++)
        if (!r->left_out[c])
            TRY(measured_times_add(r->times, &r->down[c], failure));
    return 0;
}

static size_t count_times(const struct measured_times *times, size_t from)
{
    size_t count = 0;
    for (size_t i = from; i < times->count; i++)
        for (int o = 0; o < MATERIAL_OCTAVES; o++)
            count += isfinite(times->row[i].seconds[o]);
    return count;
}

int measured_times_read(struct measured_times *times, const char *path, struct failure *failure)
{
    const char *slash = strrchr(path, '/');
    struct reading r = {.file = slash == NULL ? path : slash + 1, .times = times};
    const size_t before = times->count;
    struct failure inner = {0};
    TRY(csv_open(&r.csv, path, failure));
    int code = read_lines(&r, &inner);
    if (code == FAILURE_INPUT && r.csv->line > 0)
        code = failure_wrap(failure, &inner, "%s, line %zu: ", path, r.csv->line);
    else if (code != 0)
        code = failure_wrap(failure, &inner, "%s: ", path);
    else if (count_times(times, before) == 0)
        code = failure_set(failure, FAILURE_INPUT, "%s has no %s from 63 to 8000 Hz%s%s", path,
                           figure_kind[times->figure].word, r.other[0] != '\0' ? ", but " : "", r.other);
    csv_close(r.csv);
    free(r.down);
    return code;
}
