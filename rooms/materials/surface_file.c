/* Implements surface_table_read(): the forms of a file of materials. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/regular_file.h"
#include "rooms/materials/absorption_bands.h"
#include "rooms/materials/absorption_uncertainty.h"
#include "rooms/materials/material.h"
#include "rooms/materials/surface_table.h"
#include "rooms/materials/wall_branches.h"
#include "rooms/text/table_text.h"

#define MATERIALS_MAX 10000u
#define COLUMNS_MAX   64u

/* ---- columns ---- */

/* The content of a column: below ABSORPTION_BANDS the absorption in that band, or: */
enum {
    COLUMN_IGNORED = ABSORPTION_BANDS,
    COLUMN_SCATTERING, /* of the first octave, and so on */
    COLUMN_SCATTERING_ALL = COLUMN_SCATTERING + SCATTERING_OCTAVES,
};

/* A table that is being read. Rows are found by name in constant time: numbers of entries from 1, 0 for
 * none, in the first free place from the name's hash on. */
#define PLACES 32768u /* a power of 2, more than twice MATERIALS_MAX */
struct reading {
    struct csv *csv;
    struct surface_table *table;
    const char *file; /* its name without folders */
    size_t before;    /* entries of the table from other files */
    bool branches;    /* every row is a branch, with D, E, F before the columns; else bands */
    bool thirds;      /* the bands are third octaves */
    size_t columns;
    size_t column[COLUMNS_MAX]; /* the content of each */
    uint64_t given;             /* bit c: there is a column that has c */
    uint16_t number[PLACES];
    bool down; /* frequencies stand down the rows, and each column is a material */
    struct {
        char name[256];
        struct absorption_bands bands;
    } material[COLUMNS_MAX]; /* of each column then */
};

#define ABSORPTION_COLUMNS ((UINT64_C(1) << ABSORPTION_BANDS) - 1)
#define SCATTERING_COLUMNS (((UINT64_C(1) << SCATTERING_OCTAVES) - 1) << COLUMN_SCATTERING)

/* "500 Hz", "scattering 500 Hz", "scattering". */
static const char *label(size_t column, char text[40])
{
    if (column == COLUMN_SCATTERING_ALL)
        return "scattering";
    (void)snprintf(text, 40, "%s%u Hz", column < ABSORPTION_BANDS ? "" : "scattering ",
                   column < ABSORPTION_BANDS ? absorption_band[column]
                                             : scattering_octave[column - COLUMN_SCATTERING]);
    return text;
}

/* Find a column's content from its heading. False if invalid. */
static bool find_column(const char *heading, size_t *column)
{
    static const char word[] = "scattering";
    const bool scatters = strncasecmp(heading, word, sizeof word - 1) == 0;
    double frequency;
    int band;
    *column = COLUMN_SCATTERING_ALL;
    if (scatters)
        heading += sizeof word - 1 + strspn(heading + sizeof word - 1, " _");
    if (scatters && heading[0] == '\0')
        return true;
    if (!text_frequency(heading, &frequency) || !absorption_band_find(frequency, &band) ||
        (scatters && (band + 30) % 3 != 1))
        return false;
    *column = COLUMN_IGNORED;
    if (!scatters && band >= 0 && band < ABSORPTION_BANDS)
        *column = (size_t)band;
    else if (scatters && band >= 0 && band < 3 * SCATTERING_OCTAVES)
        *column = COLUMN_SCATTERING + (size_t)band / 3;
    return true;
}

static int refuse_branch_column(const char *field, size_t number, struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT,
                       "the header of a table of branches is material,D,E,F, not \"%.80s\" in column %zu",
                       field == NULL ? "" : field, number);
}

/* From the heading `field` to the end of the header. */
static int read_headings(struct reading *r, char *field, struct failure *failure)
{
    for (; field != NULL; r->columns++) {
        size_t column;
        char text[40];
        const bool valid = find_column(field, &column);
        if (r->branches && (!valid || column < COLUMN_SCATTERING))
            return refuse_branch_column(field, r->columns + 5, failure);
        if (!valid)
            return failure_set(
                failure, FAILURE_INPUT,
                "the column \"%.80s\" is not an octave centre in Hz (63, 125, 250, 500, 1000, 2000, "
                "4000, 8000) or that of a third octave (50, 63, 80, .. 10000), nor scattering, nor D, E or F "
                "of a "
                "table of branches",
                field);
        if (r->columns == COLUMNS_MAX)
            return failure_set(failure, FAILURE_INPUT, "more than %u columns", COLUMNS_MAX);
        r->column[r->columns] = column;
        if (column != COLUMN_IGNORED && (r->given >> column & 1) != 0)
            return failure_set(failure, FAILURE_INPUT, "two %s columns", label(column, text));
        r->given |= UINT64_C(1) << column;
        TRY(csv_next_field(r->csv, &field, failure));
    }
    r->thirds = absorption_bands_are_thirds((uint32_t)(r->given & ABSORPTION_COLUMNS));
    if ((r->given >> COLUMN_SCATTERING_ALL & 1) != 0 && (r->given & SCATTERING_COLUMNS) != 0)
        return failure_set(failure, FAILURE_INPUT,
                           "a column of scattering for all octaves and others for one: keep one form");
    return r->branches || (r->given & ABSORPTION_COLUMNS) != 0
               ? 0
               : failure_set(failure, FAILURE_INPUT,
                             "no column of an octave from 63 to 8000 Hz, nor of a third octave: expected a "
                             "header like "
                             "material,125,250,500,1000");
}

/* ---- values ---- */

static int refuse_value(const char *what, const char *field, const char *name, const char *limits,
                        struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT, "the %s %.80s of \"%.200s\" must lie from %s", what, field,
                       name, limits);
}

/* A number, with a decimal comma or point; one with % is a hundredth. */
static bool read_value(const char *field, double *value)
{
    size_t length = strlen(field);
    const bool percent = length > 1 && field[length - 1] == '%';
    if (!text_comma_number(field, length - percent, value))
        return false;
    *value /= percent ? 100 : 1;
    return true;
}

/* A field of absorption: `band` of `bands`, or beyond them (ABSORPTION_BANDS), which is left out. */
static int read_absorption(char *field, const char *name, struct absorption_bands *bands, size_t band,
                           struct failure *failure)
{
    size_t width;
    char *plus = (char *)absorption_plus_minus(field, &width);
    const bool stated = plus != NULL;
    double number, uncertainty = NAN, *value = &number;
    const bool valid = !stated || absorption_read_bar(plus + width, true, &uncertainty);
    if (stated)
        *plus = '\0';
    size_t length = strlen(field);
    const char *begin = field;
    text_trim(&begin, &length);
    field[(size_t)(begin - field) + length] = '\0';
    if (!valid || !read_value(begin, value))
        return failure_set(failure, FAILURE_INPUT, "\"%.80s%s%.80s\" for \"%.200s\" is not a number", field,
                           stated ? " +-" : "", stated ? plus + width : "", name);
    if (band < ABSORPTION_BANDS) {
        bands->given |= 1u << band;
        bands->stated |= stated ? 1u << band : 0;
        bands->value[band] = number;
        bands->uncertainty[band] = uncertainty;
    }
    return *value >= 0 && *value <= ABSORPTION_GIVEN_MAX
               ? 0
               : refuse_value("absorption", field, name,
                              ABSORPTION_GIVEN_TEXT "; a percentage is written with %", failure);
}

/* Refuse a field behind the last column. */
static int expect_end(struct reading *r, const char *name, struct failure *failure)
{
    char *field;
    do {
        TRY(csv_next_field(r->csv, &field, failure));
    } while (field != NULL && field[0] == '\0');
    return field == NULL
               ? 0
               : failure_set(failure, FAILURE_INPUT,
                             "\"%.80s\" for \"%.200s\" is beyond the last column (with decimal commas the "
                             "columns are separated by semicolons)",
                             field, name);
}

/* ---- frequencies down the rows ---- */

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcasecmp(text, *words) == 0)
            return true;
    return false;
}

/* Go to a header of frequencies, below whatever a laboratory writes above its table. */
static int find_frequencies(struct reading *r, char *first, struct failure *failure)
{
    enum { LINES = 100 };
    const size_t line = r->csv->line;
    bool more = true;
    for (char *field = first; more && r->csv->line < LINES;) {
        r->down = field != NULL && text_is_of_frequencies(field) && r->csv->at != NULL;
        if (r->down)
            return 0;
        r->csv->separator = '\0';
        TRY(csv_next_line(r->csv, &more, failure));
        if (more)
            TRY(csv_next_field(r->csv, &field, failure));
    }
    r->csv->line = line;
    return 0;
}

/* The names of materials in the header. */
static int read_names(struct reading *r, struct failure *failure)
{
    static const char *const nothing[] = {
        "",        "\xCE\xB1", "\xCE\xB1s", "\xCE\xB1p",  "\xCE\xB1_s",      "\xCE\xB1_p", "alpha", "alpha_s",
        "alpha_p", "as",       "ap",        "absorption", "absorptionsgrad", "scattering", NULL};
    char *field;
    TRY(csv_next_field(r->csv, &field, failure));
    for (; field != NULL; r->columns++) {
        if (r->columns == COLUMNS_MAX)
            return failure_set(failure, FAILURE_INPUT, "more than %u columns", COLUMNS_MAX);
        char *const name = r->material[r->columns].name;
        if ((is_one_of(field, nothing) && field[0] != '\0') || strlen(field) >= sizeof r->material->name)
            return failure_set(failure, FAILURE_INPUT,
                               "the column \"%.80s\" is not named like a surface: write the name that the "
                               "surface has in the model above its absorption",
                               field);
        (void)strcpy(name, field);
        for (size_t c = 0; c < r->columns; c++)
            if (name[0] != '\0' && strcasecmp(r->material[c].name, name) == 0)
                return failure_set(failure, FAILURE_INPUT, "two columns \"%.200s\"", name);
        TRY(csv_next_field(r->csv, &field, failure));
    }
    return 0;
}

/* A line of units or ratings, or the absorption of every column at one frequency. */
static int read_frequency_row(struct reading *r, struct failure *failure)
{
    static const char *const others[] = {"",   "hz",  "[hz]", "\xCE\xB1w", "\xCE\xB1_w", "alpha_w", "alpha w",
                                         "aw", "nrc", "saa",  "class",     "klasse",     NULL};
    char *field;
    double frequency;
    int band;
    TRY(csv_next_field(r->csv, &field, failure));
    if (field == NULL || is_one_of(field, others))
        return 0;
    if (!text_frequency(field, &frequency) || !absorption_band_find(frequency, &band))
        return failure_set(failure, FAILURE_INPUT,
                           "\"%.80s\" is not the centre of an octave or third octave in Hz (50, 63, 80, .. "
                           "10000)",
                           field);
    const bool counts = band >= 0 && band < ABSORPTION_BANDS;
    if (counts && (r->given >> band & 1) != 0)
        return failure_set(failure, FAILURE_INPUT, "two lines of %u Hz", absorption_band[band]);
    r->given |= counts ? UINT64_C(1) << band : 0;
    for (size_t c = 0; c < r->columns; c++) {
        struct absorption_bands *const bands = &r->material[c].bands;
        TRY(csv_next_field(r->csv, &field, failure));
        if (field == NULL || field[0] == '\0')
            continue;
        TRY(read_absorption(field, r->material[c].name, bands, counts ? (size_t)band : ABSORPTION_BANDS,
                            failure));
    }
    return expect_end(r, "a frequency", failure);
}

/* Add the materials of the columns, once all frequencies are known. */
static int add_columns(struct reading *r, struct failure *failure)
{
    char where[300];
    r->thirds = absorption_bands_are_thirds((uint32_t)r->given);
    for (size_t c = 0; c < r->columns; c++) {
        struct surface_entry entry = {.giver = SURFACE_BY_FILE};
        const char *const name = r->material[c].name;
        const bool has_values = r->material[c].bands.given != 0;
        if (name[0] == '\0' && !has_values)
            continue;
        if (name[0] == '\0' || !has_values)
            return failure_set(failure, FAILURE_INPUT, "column %zu, \"%.200s\", has no %s", c + 2, name,
                               has_values ? "name above its values" : "value from 50 to 10000 Hz");
        (void)snprintf(where, sizeof where, "%.100s, column %zu: \"%.100s\"", r->file, c + 2, name);
        absorption_of_bands(&r->material[c].bands, r->thirds, where, &entry, r->table);
        TRY(surface_table_append(r->table, &entry, name, strlen(name), failure));
    }
    return 0;
}

/* ---- the header ---- */

/* Read the header of octaves, of branches (material,D,E,F), or of materials beside frequencies. */
static int read_header(struct reading *r, struct failure *failure)
{
    char *field;
    TRY(csv_first_field(r->csv, &field, failure));
    if (field == NULL || strcasecmp(field, "material") != 0) {
        char begins[81];
        (void)snprintf(begins, sizeof begins, "%s", field == NULL ? "" : field);
        TRY(find_frequencies(r, field, failure));
        return r->down
                   ? read_names(r, failure)
                   : failure_set(failure, FAILURE_INPUT,
                                 "the table begins with \"%s\": expected a header like "
                                 "material,125,250,500,1000 (octave centres in Hz), frequency,panel,curtain "
                                 "(materials, with frequencies below each other) or material,D,E,F; a "
                                 "library in YAML is a file ending in .yaml",
                                 begins);
    }
    TRY(csv_next_field(r->csv, &field, failure));
    r->branches = field != NULL && strcasecmp(field, "D") == 0;
    for (size_t k = 1; r->branches && k < 3; k++) {
        TRY(csv_next_field(r->csv, &field, failure));
        const char wanted[2] = {"DEF"[k], '\0'};
        if (field == NULL || strcasecmp(field, wanted) != 0)
            return refuse_branch_column(field, k + 2, failure);
    }
    if (r->branches)
        TRY(csv_next_field(r->csv, &field, failure));
    return read_headings(r, field, failure);
}

/* ---- rows ---- */

/* The row's fields of the columns of the header. */
static int read_columns(struct reading *r, const char *name, struct surface_entry *entry,
                        struct absorption_bands *bands, struct failure *failure)
{
    for (size_t at = 0; at < r->columns; at++) {
        const size_t column = r->column[at];
        char *field, text[40];
        double value = 0;
        TRY(csv_next_field(r->csv, &field, failure));
        if (field == NULL && column != COLUMN_IGNORED)
            return failure_set(failure, FAILURE_INPUT, "\"%.200s\" has no value in column %zu (%s)", name,
                               at + (r->branches ? 5 : 2), label(column, text));
        if (field == NULL || field[0] == '\0')
            continue;
        if (column <= COLUMN_IGNORED)
            TRY(read_absorption(field, name, bands, column, failure));
        else if (!read_value(field, &value))
            return failure_set(failure, FAILURE_INPUT, "\"%.80s\" for \"%.200s\" is not a number", field,
                               name);
        if (column > COLUMN_IGNORED && !(value >= 0 && value <= 1))
            return refuse_value("scattering", field, name,
                                "0 (a mirror) to 1 (scatters all that it reflects); " SCATTERING_ABOVE_ONE,
                                failure);
        if (column == COLUMN_SCATTERING_ALL) {
            entry->scattering = scattering_of_number(value);
        } else if (column > COLUMN_IGNORED) {
            entry->scattering.given |= 1u << (column - COLUMN_SCATTERING);
            entry->scattering.octave[column - COLUMN_SCATTERING] = value;
        }
    }
    if (entry->scattering.given != 0)
        scattering_fill(&entry->scattering);
    return 0;
}

static int read_bands(struct reading *r, const char *name, struct surface_entry *entry,
                      struct failure *failure)
{
    struct absorption_bands bands = {.given = 0};
    char where[300];
    TRY(read_columns(r, name, entry, &bands, failure));
    if (bands.given == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "\"%.200s\" has no value in any octave: give it one, or take the line out", name);
    (void)snprintf(where, sizeof where, "%.100s, line %zu: \"%.100s\"", r->file, r->csv->line, name);
    absorption_of_bands(&bands, r->thirds, where, entry, r->table);
    return 0;
}

static int read_branch(struct reading *r, const char *name, struct surface_entry *entry,
                       struct failure *failure)
{
    double *const value[3] = {&entry->branch[0].D, &entry->branch[0].E, &entry->branch[0].F};
    for (size_t k = 0; k < 3; k++) {
        char *field;
        TRY(csv_next_field(r->csv, &field, failure));
        if (field == NULL)
            return failure_set(failure, FAILURE_INPUT, "\"%.200s\" has no value for %c", name, "DEF"[k]);
        if (!text_comma_number(field, strlen(field), value[k]))
            return failure_set(failure, FAILURE_INPUT, "\"%.80s\" for %c of \"%.200s\" is not a number",
                               field, "DEF"[k], name);
    }
    entry->form = SURFACE_BRANCHES;
    entry->branches = 1;
    TRY(wall_branches_check(entry->branch, 1, name, failure));
    return read_columns(r, name, entry, &(struct absorption_bands){.given = 0}, failure);
}

static uint16_t *number_of(struct reading *r, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (uint32_t)tolower((unsigned char)*c)) * 16777619u;
    unsigned place = hash % PLACES;
    while (r->number[place] != 0 &&
           strcasecmp(r->table->entry[r->before + r->number[place] - 1].name, name) != 0)
        place = (place + 1) % PLACES;
    return &r->number[place];
}

/* A repeated name has a further branch, or the same octaves; a scattering that it gives must be the same. */
static int add_again(struct reading *r, struct surface_entry *earlier, const struct surface_entry *entry,
                     const char *name, struct failure *failure)
{
    if (r->branches && earlier->branches == WALL_BRANCHES_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "\"%.200s\" has more than %d branches, the most that one has", name,
                           WALL_BRANCHES_MAX);
    if (r->branches)
        earlier->branch[earlier->branches++] = entry->branch[0];
    /* Compare the columns first, so that the sentence names one. Rows with different blanks may differ in
     * repeated octaves alone. */
    for (size_t at = 0; at < r->columns + MATERIAL_OCTAVES; at++) {
        const size_t o = at < r->columns ? r->column[at] / 3 : at - r->columns;
        if (o < MATERIAL_OCTAVES && earlier->absorption[o] != entry->absorption[o])
            return failure_set(failure, FAILURE_INPUT,
                               "\"%.200s\" is given as %g at %u Hz, in an earlier line as %g: keep one", name,
                               entry->absorption[o], material_octave[o], earlier->absorption[o]);
    }
    for (size_t t = 0; earlier->in_thirds && t < MATERIAL_THIRDS; t++)
        if (earlier->third[t] != entry->third[t])
            return failure_set(failure, FAILURE_INPUT,
                               "\"%.200s\" is given as %g at %u Hz, in an earlier line as %g: keep one", name,
                               entry->third[t], absorption_band[t], earlier->third[t]);
    const struct scattering *was = &earlier->scattering, *is = &entry->scattering;
    for (size_t o = 0; was->given != 0 && is->given != 0 && o < SCATTERING_OCTAVES; o++)
        if (was->octave[o] != is->octave[o])
            return failure_set(
                failure, FAILURE_INPUT,
                "the scattering of \"%.200s\" is given as %g at %u Hz, in an earlier line as %g: "
                "keep one",
                name, is->octave[o], scattering_octave[o], was->octave[o]);
    if (is->given != 0)
        earlier->scattering = *is;
    return 0;
}

static int read_row(struct reading *r, struct failure *failure)
{
    struct surface_entry entry = {.giver = SURFACE_BY_FILE};
    char *name;
    TRY(csv_next_field(r->csv, &name, failure));
    if (name == NULL || name[0] == '\0')
        return failure_set(failure, FAILURE_INPUT, "the line begins without a material's name");
    TRY(r->branches ? read_branch(r, name, &entry, failure) : read_bands(r, name, &entry, failure));
    TRY(expect_end(r, name, failure));
    uint16_t *const number = number_of(r, name);
    if (*number != 0)
        return add_again(r, &r->table->entry[r->before + *number - 1], &entry, name, failure);
    if (r->table->count - r->before == MATERIALS_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "more than %u materials; remove those that the room does not have", MATERIALS_MAX);
    TRY(surface_table_append(r->table, &entry, name, strlen(name), failure));
    *number = (uint16_t)(r->table->count - r->before);
    return 0;
}

/* `source` becomes "branches of 8 materials" or the octaves. */
static int read_rows(struct reading *r, char *source, size_t size, struct failure *failure)
{
    TRY(read_header(r, failure));
    for (bool more;;) {
        TRY(csv_next_line(r->csv, &more, failure));
        if (!more)
            break;
        TRY(r->down ? read_frequency_row(r, failure) : read_row(r, failure));
    }
    if (r->down)
        TRY(add_columns(r, failure));
    const size_t count = r->table->count - r->before;
    if (count == 0)
        return failure_set(failure, FAILURE_INPUT, "the table names no material");
    size_t first = ABSORPTION_BANDS, last = 0;
    for (size_t b = 0; b < ABSORPTION_BANDS; b++)
        if ((r->given >> b & 1) != 0) {
            first = first == ABSORPTION_BANDS ? b : first;
            last = b;
        }
    if (r->branches)
        text_append(source, size, "branches of %zu material%s", count, count == 1 ? "" : "s");
    else if (first == last)
        text_append(source, size, "its %u Hz column", absorption_band[first]);
    else
        text_append(source, size, "%soctaves %u to %u Hz", r->thirds ? "third " : "", absorption_band[first],
                    absorption_band[last]);
    if (r->down)
        text_append(source, size, " of %zu material%s in columns", count, count == 1 ? "" : "s");
    if (r->given >> COLUMN_SCATTERING != 0)
        text_append(source, size, ", scattering");
    return 0;
}

static int read_csv(struct surface_table *table, const char *path, char *source, size_t size,
                    struct failure *failure)
{
    struct reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL)
        return failure_memory(failure, sizeof *reading, "reading a table of materials");
    const char *const slash = strrchr(path, '/');
    const struct surface_note above = table->above, missing = table->missing;
    reading->table = table;
    reading->file = slash == NULL ? path : slash + 1;
    reading->before = table->count;
    int code = csv_open(&reading->csv, path, failure);
    if (code == 0) {
        code = read_rows(reading, source, size, failure);
        if (code == FAILURE_INPUT)
            failure_at(code, failure, path, reading->csv->line);
        csv_close(reading->csv);
    }
    while (code != 0 && table->count > reading->before)
        free(table->entry[--table->count].name);
    if (code != 0) {
        table->above = above;
        table->missing = missing;
    }
    free(reading);
    return code;
}

static bool is_yaml(const char *path)
{
    const char *point = strrchr(path, '.');
    return point != NULL && (strcasecmp(point, ".yaml") == 0 || strcasecmp(point, ".yml") == 0);
}

static int read_yaml(struct surface_table *table, const char *path, char *source, size_t size,
                     struct failure *failure)
{
    char *text = NULL;
    size_t length = 0;
    if (table->own.count > 0)
        return failure_at(failure_set(failure, FAILURE_INPUT, "there is a library of materials already"),
                          failure, path, 0);
    TRY(regular_file_read(path, TABLE_BYTES_MAX, &text, &length, failure));
    const int code =
        length == 0 ? failure_at(failure_set(failure, FAILURE_INPUT, "the file is empty"), failure, path, 0)
                    : material_library_read(text, length, path, &table->own, failure);
    free(text);
    if (code == 0)
        text_append(source, size, "a library of %zu material%s", table->own.count,
                    table->own.count == 1 ? "" : "s");
    return code;
}

int surface_table_read(struct surface_table *table, const char *path, struct failure *failure)
{
    const char *slash = strrchr(path, '/');
    char source[120] = "";
    TRY((is_yaml(path) ? read_yaml : read_csv)(table, path, source, sizeof source, failure));
    text_append(table->source, sizeof table->source, "%s%s, %s", table->source[0] != '\0' ? "; " : "",
                slash == NULL ? path : slash + 1, source);
    return 0;
}
