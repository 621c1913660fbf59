/* surface_table_read(): the three forms of a file of materials. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/regular_file.h"
#include "rooms/materials/surface_table.h"
#include "rooms/materials/wall_branches.h"
#include "rooms/text/table_text.h"

#define MATERIALS_MAX 10000u
#define COLUMNS_MAX   64u

/* ---- octaves ---- */

#define OCTAVE_IGNORED MATERIAL_OCTAVES /* a column whose values are not taken */

/* Which octave of each column, from the header. */
struct octave_columns {
    size_t count; /* columns behind the name */
    size_t octave[COLUMNS_MAX];
    bool given[MATERIAL_OCTAVES];
};

/* The octave that a column means, by its nominal or its exact centre; MATERIAL_OCTAVES for one that is left
 * out; false where it is none. */
static bool find_octave(double frequency, size_t *octave)
{
    static const double ignored[] = {16, 31.5, 16000};
    for (*octave = 0; *octave < MATERIAL_OCTAVES; ++*octave)
        if (fabs(frequency / material_octave[*octave] - 1) < 0.02)
            return true;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (fabs(frequency / ignored[i] - 1) < 0.03)
            return true;
    return false;
}

static int read_octave_header(struct csv *csv, char *field, struct octave_columns *columns,
                              struct failure *failure)
{
    bool any = false;
    for (columns->count = 0; field != NULL; columns->count++) {
        double frequency;
        size_t octave, length = strlen(field);
        if (length > 2 && strcasecmp(field + length - 2, "Hz") == 0)
            length -= 2;
        if (!text_number(field, length, &frequency) || !find_octave(frequency, &octave))
            return failure_set(failure, FAILURE_INPUT,
                               "the column \"%.80s\" is no octave centre in Hz (63, 125, 250, "
                               "500, 1000, 2000, 4000, 8000), nor D, E or F of a table of branches",
                               field);
        if (columns->count == COLUMNS_MAX)
            return failure_set(failure, FAILURE_INPUT, "more than %u columns", COLUMNS_MAX);
        columns->octave[columns->count] = octave;
        if (octave != OCTAVE_IGNORED && columns->given[octave])
            return failure_set(failure, FAILURE_INPUT, "two %u Hz columns", material_octave[octave]);
        if (octave != OCTAVE_IGNORED)
            any = columns->given[octave] = true;
        TRY(csv_next_field(csv, &field, failure));
    }
    if (!any)
        return failure_set(failure, FAILURE_INPUT,
                           "no column of an octave from 63 to 8000 Hz: expected a header "
                           "like material,125,250,500,1000");
    return 0;
}

/* What a row has not repeats the nearest octave that it has, of two the lower. */
static void extend(const bool given[MATERIAL_OCTAVES], double absorption[MATERIAL_OCTAVES])
{
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        for (int away = 1; !given[o] && away < MATERIAL_OCTAVES; away++) {
            const int near = o - away >= 0 && given[o - away]                 ? o - away
                             : o + away < MATERIAL_OCTAVES && given[o + away] ? o + away
                                                                              : -1;
            if (near < 0)
                continue;
            absorption[o] = absorption[near];
            break;
        }
}

/* One value of a row; blank: not there. */
static int read_absorption(const char *name, const char *field, bool *there, double *value,
                           struct failure *failure)
{
    *there = field[0] != '\0';
    if (!*there)
        return 0;
    if (!text_number(field, strlen(field), value))
        return failure_set(failure, FAILURE_INPUT, "\"%.80s\" for \"%.200s\" is not a number", field, name);
    if (!(*value >= 0 && *value <= 1))
        return failure_set(failure, FAILURE_INPUT,
                           "the absorption %s of \"%.200s\" must lie from 0 (reflects all) to 1 "
                           "(absorbs all)",
                           field, name);
    return 0;
}

static int refuse_further(struct csv *csv, const char *name, struct failure *failure)
{
    for (;;) {
        char *field;
        TRY(csv_next_field(csv, &field, failure));
        if (field == NULL)
            return 0;
        if (field[0] != '\0')
            return failure_set(failure, FAILURE_INPUT,
                               "\"%.80s\" for \"%.200s\" is beyond the last column (a "
                               "decimal is written with a point)",
                               field, name);
    }
}

static int read_octave_values(struct csv *csv, const struct octave_columns *columns, const char *name,
                              struct surface_entry *entry, struct failure *failure)
{
    bool given[MATERIAL_OCTAVES] = {false};
    size_t count = 0;
    for (size_t at = 0; at < columns->count; at++) {
        const size_t octave = columns->octave[at];
        char *field;
        bool there;
        double value;
        TRY(csv_next_field(csv, &field, failure));
        if (field == NULL && octave == OCTAVE_IGNORED)
            continue;
        if (field == NULL)
            return failure_set(failure, FAILURE_INPUT, "\"%.200s\" has no value in column %zu (%u Hz)", name,
                               at + 2, material_octave[octave]);
        TRY(read_absorption(name, field, &there, &value, failure));
        if (!there || octave == OCTAVE_IGNORED)
            continue;
        given[octave] = true;
        entry->absorption[octave] = value;
        count++;
    }
    if (count == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "\"%.200s\" has no value in any octave: give it one, or take the line "
                           "out",
                           name);
    entry->form = count == 1 ? SURFACE_NUMBER : SURFACE_OCTAVES;
    extend(given, entry->absorption);
    return refuse_further(csv, name, failure);
}

/* Rows by name, so that a long file takes no longer a row than a short one: numbers of entries from 1, 0 for
 * none, in the first free place from the name's hash on. */
#define PLACES 32768u /* a power of 2, more than twice MATERIALS_MAX */
struct row_index {
    uint16_t number[PLACES];
};

static unsigned place_of(const struct surface_table *rows, const struct row_index *index, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (uint32_t)tolower((unsigned char)*c)) * 16777619u;
    unsigned place = hash % PLACES;
    while (index->number[place] != 0 && strcasecmp(rows->entry[index->number[place] - 1].name, name) != 0)
        place = (place + 1) % PLACES;
    return place;
}

static struct surface_entry *find_row(const struct surface_table *rows, const struct row_index *index,
                                      const char *name)
{
    const unsigned number = index->number[place_of(rows, index, name)];
    return number == 0 ? NULL : &rows->entry[number - 1];
}

static int add_row(struct surface_table *rows, struct row_index *index, const struct surface_entry *entry,
                   const char *name, struct failure *failure)
{
    if (rows->count == MATERIALS_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "more than %u materials; remove those that the room does not have", MATERIALS_MAX);
    TRY(surface_table_append(rows, entry, name, strlen(name), failure));
    index->number[place_of(rows, index, name)] = (uint16_t)rows->count;
    return 0;
}

static int read_octave_row(struct csv *csv, const struct octave_columns *columns, const char *name,
                           struct surface_table *rows, struct row_index *index, struct failure *failure)
{
    struct surface_entry entry = {.giver = SURFACE_BY_FILE};
    TRY(read_octave_values(csv, columns, name, &entry, failure));
    const struct surface_entry *earlier = find_row(rows, index, name);
    if (earlier == NULL)
        return add_row(rows, index, &entry, name, failure);
    /* Told of a column; two rows that leave different ones blank may differ elsewhere alone. */
    for (size_t at = 0; at < columns->count + MATERIAL_OCTAVES; at++) {
        const size_t o = at < columns->count ? columns->octave[at] : at - columns->count;
        if (o != OCTAVE_IGNORED && earlier->absorption[o] != entry.absorption[o])
            return failure_set(failure, FAILURE_INPUT,
                               "\"%.200s\" is given as %g at %u Hz, in an earlier line as %g: keep one", name,
                               entry.absorption[o], material_octave[o], earlier->absorption[o]);
    }
    return 0;
}

/* ---- branches ---- */

static int read_branch_row(struct csv *csv, const char *name, struct surface_table *rows,
                           struct row_index *index, struct failure *failure)
{
    struct wall_branch branch = {0};
    double *const value[3] = {&branch.D, &branch.E, &branch.F};
    for (size_t k = 0; k < 3; k++) {
        char *field;
        TRY(csv_next_field(csv, &field, failure));
        if (field == NULL)
            return failure_set(failure, FAILURE_INPUT, "\"%.200s\" has no value for %c", name, "DEF"[k]);
        if (!text_number(field, strlen(field), value[k]))
            return failure_set(failure, FAILURE_INPUT, "\"%.80s\" for %c of \"%.200s\" is not a number",
                               field, "DEF"[k], name);
    }
    TRY(refuse_further(csv, name, failure));
    TRY(wall_branches_check(&branch, 1, name, failure));
    struct surface_entry *earlier = find_row(rows, index, name);
    if (earlier == NULL) {
        const struct surface_entry entry = {
            .giver = SURFACE_BY_FILE, .form = SURFACE_BRANCHES, .branches = 1, .branch = {branch}};
        return add_row(rows, index, &entry, name, failure);
    }
    if (earlier->branches == WALL_BRANCHES_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "\"%.200s\" has more than %d branches, the most that one has", name,
                           WALL_BRANCHES_MAX);
    earlier->branch[earlier->branches++] = branch;
    return 0;
}

/* ---- tables ---- */

/* Octaves or branches? `*branches` is true for a header material,D,E,F. */
static int read_header(struct csv *csv, struct octave_columns *columns, bool *branches,
                       struct failure *failure)
{
    char *field;
    bool more;
    TRY(csv_next_line(csv, &more, failure));
    if (!more)
        return failure_set(failure, FAILURE_INPUT, "the table is empty");
    const bool semicolons = strchr(csv->text, ';') != NULL;
    TRY(csv_next_field(csv, &field, failure));
    if (field == NULL || strcasecmp(field, "material") != 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "the table begins with \"%.80s\": expected a header like material,125,250,500,1000 "
            "(octave centres in Hz) or material,D,E,F%s; a library in YAML is a file ending in .yaml",
            field == NULL ? "" : field, semicolons ? "; separate the columns by commas" : "");
    TRY(csv_next_field(csv, &field, failure));
    *branches = field != NULL && strcasecmp(field, "D") == 0;
    if (!*branches)
        return read_octave_header(csv, field, columns, failure);
    for (size_t k = 1; k < 4; k++) {
        TRY(csv_next_field(csv, &field, failure));
        const char wanted[2] = {"DEF"[k], '\0'};
        if (k < 3 ? field == NULL || strcasecmp(field, wanted) != 0 : field != NULL)
            return failure_set(failure, FAILURE_INPUT,
                               "the header of a table of branches is material,D,E,F, not "
                               "\"%.80s\" in column %zu",
                               field == NULL ? "" : field, k + 2);
    }
    return 0;
}

static int read_rows(struct csv *csv, struct surface_table *rows, struct row_index *index,
                     struct failure *failure)
{
    struct octave_columns columns = {0};
    bool branches = false, more;
    TRY(read_header(csv, &columns, &branches, failure));
    for (;;) {
        char *name;
        TRY(csv_next_line(csv, &more, failure));
        if (!more)
            break;
        TRY(csv_next_field(csv, &name, failure));
        if (name == NULL || name[0] == '\0')
            return failure_set(failure, FAILURE_INPUT, "the line begins without a material's name");
        TRY(branches ? read_branch_row(csv, name, rows, index, failure)
                     : read_octave_row(csv, &columns, name, rows, index, failure));
    }
    if (rows->count == 0)
        return failure_set(failure, FAILURE_INPUT, "the table names no material");
    size_t first = MATERIAL_OCTAVES, last = 0, given = 0;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        if (columns.given[o]) {
            first = given++ == 0 ? o : first;
            last = o;
        }
    if (branches)
        text_append(rows->source, sizeof rows->source, "branches of %zu material%s", rows->count,
                    rows->count == 1 ? "" : "s");
    else if (given == 1)
        text_append(rows->source, sizeof rows->source, "its %u Hz column", material_octave[first]);
    else
        text_append(rows->source, sizeof rows->source, "octaves %u to %u Hz", material_octave[first],
                    material_octave[last]);
    return 0;
}

static int read_csv(struct surface_table *rows, const char *path, struct failure *failure)
{
    struct csv *csv;
    TRY(csv_open(&csv, path, failure));
    struct row_index *index = calloc(1, sizeof *index);
    const int code = index == NULL ? failure_memory(failure, sizeof *index, "reading a table of materials")
                                   : read_rows(csv, rows, index, failure);
    if (code == FAILURE_INPUT)
        failure_at(code, failure, path, csv->line);
    free(index);
    csv_close(csv);
    return code;
}

static bool is_yaml(const char *path)
{
    const char *point = strrchr(path, '.');
    return point != NULL && (strcasecmp(point, ".yaml") == 0 || strcasecmp(point, ".yml") == 0);
}

static int read_yaml(struct surface_table *rows, const char *path, struct failure *failure)
{
    char *text = NULL;
    size_t length = 0;
    TRY(regular_file_read(path, TABLE_BYTES_MAX, &text, &length, failure));
    const int code =
        length == 0 ? failure_at(failure_set(failure, FAILURE_INPUT, "the file is empty"), failure, path, 0)
                    : material_library_read(text, length, path, &rows->own, failure);
    free(text);
    if (code == 0)
        text_append(rows->source, sizeof rows->source, "a library of %zu material%s", rows->own.count,
                    rows->own.count == 1 ? "" : "s");
    return code;
}

int surface_table_read(struct surface_table *table, const char *path, struct failure *failure)
{
    struct surface_table rows = {0};
    int code = 0;
    if (is_yaml(path) && table->own.count > 0)
        code = failure_at(failure_set(failure, FAILURE_INPUT, "there is a library of materials already"),
                          failure, path, 0);
    else
        code = is_yaml(path) ? read_yaml(&rows, path, failure) : read_csv(&rows, path, failure);
    if (code == 0 && rows.count > 0) {
        const size_t bytes = (table->count + rows.count) * sizeof table->entry[0];
        struct surface_entry *grown = realloc(table->entry, bytes);
        if (grown == NULL) {
            code = failure_memory(failure, bytes, "materials of surfaces");
        } else {
            table->entry = grown;
            memcpy(table->entry + table->count, rows.entry, rows.count * sizeof rows.entry[0]);
            table->count += rows.count;
            table->capacity = table->count;
            rows.count = 0; /* the names have moved */
        }
    }
    if (code == 0) {
        const char *slash = strrchr(path, '/');
        if (rows.own.count > 0) {
            table->own = rows.own;
            rows.own = (struct material_library){0};
        }
        text_append(table->source, sizeof table->source, "%s%s, %s", table->source[0] != '\0' ? "; " : "",
                    slash == NULL ? path : slash + 1, rows.source);
    }
    surface_table_free(&rows);
    return code;
}
