#include "src/setup/radiation/array_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rooms/text/table_text.h"
#include "src/base/options/option_values.h"
#include "src/base/path_text.h"

enum column { X, Y, Z, AZIMUTH, ELEVATION, GAIN, DELAY, NUMBERS, NAME = NUMBERS, DIRECTIVITY, COLUMNS };
static const char *const column_word[COLUMNS] = {"x",       "y",        "z",    "azimuth",    "elevation",
                                                 "gain_db", "delay_ms", "name", "directivity"};

struct reading {
    struct array_tables *out;
    struct csv *csv;
    const char *path;
    char name[OPTION_NAME_MAX]; /* of the array */
    size_t columns, column[COLUMNS], rows;
    char *members; /* "=S1:-3:0,S2.." so far; owned */
};

#define MEMBERS_MOST                                                                                         \
    ((size_t)ARRAY_SOURCES_MOST * 4 * OPTION_NAME_MAX) /* text_number() takes no longer ones */

void array_tables_free(struct array_tables *tables)
{
    for (size_t t = 0; t < tables->texts; t++)
        free(tables->text[t]);
    free(tables->text);
    free(tables->source.place);
    option_texts_free(&tables->directivity);
    option_texts_free(&tables->aim);
    option_texts_free(&tables->together);
    *tables = (struct array_tables){0};
}

/* Add a formatted text to a list, and keep it. */
__attribute__((format(printf, 4, 5))) static int add_text(struct array_tables *tables,
                                                          struct option_texts *list, struct failure *failure,
                                                          const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, values) + 1;
    char **const grown = realloc(tables->text, (tables->texts + 1) * sizeof *grown), *const text =
                                                                                         malloc(size);
    if (text != NULL)
        (void)vsnprintf(text, size, format, again);
    va_end(again);
    va_end(values);
    if (grown != NULL)
        tables->text = grown;
    if (grown == NULL || text == NULL) {
        free(text);
        return failure_memory(failure, size, "an array of loudspeakers");
    }
    tables->text[tables->texts++] = text;
    return option_text_add(text, list, failure);
}

static int read_header(struct reading *reading, struct failure *failure)
{
    bool given[COLUMNS] = {false};
    char *field;
    TRY(csv_first_field(reading->csv, &field, failure));
    for (; field != NULL; reading->columns++) {
        size_t c = 0;
        while (c < COLUMNS && strcasecmp(field, column_word[c]) != 0)
            c++;
        if (c == COLUMNS)
            return failure_set(
                failure, FAILURE_INPUT,
                "the column \"%.80s\" is not x, y, z, name, azimuth, elevation, gain_db, delay_ms "
                "or directivity",
                field);
        if (given[c])
            return failure_set(failure, FAILURE_INPUT, "two columns %s", column_word[c]);
        given[c] = true;
        reading->column[reading->columns] = c;
        TRY(csv_next_field(reading->csv, &field, failure));
    }
    for (size_t c = X; c <= Z; c++)
        if (!given[c])
            return failure_set(failure, FAILURE_INPUT,
                               "there is no column %s: a source has x, y and z in metres", column_word[c]);
    return 0;
}

/* The cells of a row; NULL where one is empty. The line of the table holds them. */
static int read_cells(struct reading *reading, const char *cell[COLUMNS], struct failure *failure)
{
    char *field;
    double value;
    TRY(csv_next_field(reading->csv, &field, failure));
    for (size_t n = 0; field != NULL; n++) {
        if (n == reading->columns)
            return failure_set(failure, FAILURE_INPUT, "the row has more cells than the header");
        const size_t c = reading->column[n];
        cell[c] = field[0] != '\0' ? field : NULL;
        if (cell[c] != NULL && c < NUMBERS && !text_number(field, strlen(field), &value))
            return failure_set(failure, FAILURE_INPUT, "%s is \"%.40s\", which is not a number",
                               column_word[c], field);
        TRY(csv_next_field(reading->csv, &field, failure));
    }
    for (size_t c = X; c <= Z; c++)
        if (cell[c] == NULL)
            return failure_set(failure, FAILURE_INPUT, "the row has no %s", column_word[c]);
    return cell[AZIMUTH] != NULL || cell[ELEVATION] == NULL
               ? 0
               : failure_set(failure, FAILURE_INPUT, "there is an elevation without an azimuth");
}

static int add_place(struct array_tables *tables, const char *const cell[COLUMNS], const char *name,
                     struct failure *failure)
{
    struct option_places *const source = &tables->source;
    struct option_place *const grown = realloc(source->place, (source->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (source->count + 1) * sizeof *grown, "an array of loudspeakers");
    source->place = grown;
    struct option_place *const place = &source->place[source->count++];
    *place = (struct option_place){0};
    memcpy(place->name, name, strlen(name) + 1); /* option_name_is_valid() */
    for (size_t k = 0; k < 3; k++)
        (void)text_number(cell[X + k], strlen(cell[X + k]), &place->position[k]);
    return 0;
}

static int read_row(struct reading *reading, struct failure *failure)
{
    struct array_tables *const tables = reading->out;
    const char *cell[COLUMNS] = {NULL};
    char name[OPTION_NAME_MAX + 24];
    TRY(read_cells(reading, cell, failure));
    if (++reading->rows > ARRAY_SOURCES_MOST)
        return failure_set(failure, FAILURE_INPUT, "more than %d sources", ARRAY_SOURCES_MOST);
    (void)snprintf(name, sizeof name, "%s_%zu", reading->name, reading->rows);
    const char *const called = cell[NAME] != NULL ? cell[NAME] : name;
    if (!option_name_is_valid(called))
        return failure_set(failure, FAILURE_INPUT,
                           "%.80s is not a name: it needs 1 to 63 letters, digits, _ or -", called);
    TRY(add_place(tables, cell, called, failure));
    const char *const directivity = cell[DIRECTIVITY];
    if (directivity != NULL) {
        const bool near = strchr(directivity, '.') != NULL && directivity[0] != '/';
        const size_t folder = near ? (size_t)(path_name(reading->path) - reading->path) : 0;
        TRY(add_text(tables, &tables->directivity, failure, "%s=%.*s%s", called, (int)folder, reading->path,
                     directivity));
    }
    if (cell[AZIMUTH] != NULL)
        TRY(add_text(tables, &tables->aim, failure, "%s=%s,%s", called, cell[AZIMUTH],
                     cell[ELEVATION] != NULL ? cell[ELEVATION] : "0"));
    text_append(reading->members, MEMBERS_MOST, "%c%s:%s:%s", reading->rows == 1 ? '=' : ',', called,
                cell[GAIN] != NULL ? cell[GAIN] : "0", cell[DELAY] != NULL ? cell[DELAY] : "0");
    return 0;
}

static int read_rows(struct reading *reading, struct failure *failure)
{
    bool more = true;
    TRY(read_header(reading, failure));
    for (;;) {
        TRY(csv_next_line(reading->csv, &more, failure));
        if (!more)
            break;
        TRY(read_row(reading, failure));
    }
    if (reading->rows == 0)
        return failure_set(failure, FAILURE_INPUT, "the table has no sources");
    return add_text(reading->out, &reading->out->together, failure, "%s%s", reading->name, reading->members);
}

static int read_table(const char *text, struct array_tables *tables, struct failure *failure)
{
    const char *const at = strchr(text, '=');
    struct reading reading = {.out = tables};
    if (at == NULL || at == text || at[1] == '\0')
        return failure_set(failure, FAILURE_INPUT, "expected NAME=FILE.csv");
    (void)snprintf(reading.name, sizeof reading.name, "%.*s", (int)(at - text), text);
    reading.path = at + 1;
    TRY(csv_open(&reading.csv, reading.path, failure));
    reading.members = calloc(1, MEMBERS_MOST);
    int code = reading.members == NULL ? failure_memory(failure, MEMBERS_MOST, "an array of loudspeakers")
                                       : read_rows(&reading, failure);
    if (code == FAILURE_INPUT)
        failure_at(code, failure, reading.path, reading.csv->line);
    csv_close(reading.csv);
    free(reading.members);
    return code;
}

/* ---- added to those of a request ----------------------------------------------------------------------- */

static int copy_texts(const struct option_texts *from, struct option_texts *to, struct failure *failure)
{
    for (size_t i = 0; i < from->count; i++)
        TRY(from->line != NULL ? option_text_add_at(from->text[i], from->file, from->line[i], to, failure)
                               : option_text_add(from->text[i], to, failure));
    to->option = from->count > 0 ? from->option : "array";
    return 0;
}

int array_tables_read(struct room_request *request, struct array_tables *out, struct failure *failure)
{
    const struct option_texts *const array = &request->radiation.array;
    const struct option_places *const source = &request->points.source;
    if (array->count == 0)
        return 0;
    out->source.place = malloc((source->count + 1) * sizeof *source->place);
    if (out->source.place == NULL)
        return failure_memory(failure, source->count * sizeof *source->place, "an array of loudspeakers");
    if (source->count > 0)
        memcpy(out->source.place, source->place, source->count * sizeof *source->place);
    out->source.count = source->count;
    TRY(copy_texts(&request->radiation.directivity, &out->directivity, failure));
    TRY(copy_texts(&request->radiation.aim, &out->aim, failure));
    TRY(copy_texts(&request->radiation.together, &out->together, failure));
    for (size_t i = 0; i < array->count; i++) {
        struct failure why = {0};
        if (read_table(array->text[i], out, &why) != 0)
            return option_text_refuse(array, i, &why, failure);
    }
    request->points.source = out->source;
    request->radiation.directivity = out->directivity;
    request->radiation.aim = out->aim;
    request->radiation.together = out->together;
    return 0;
}
