#include "rooms/absorption.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MEBIBYTES_MAX 16
#define LINE_BYTES_MAX     65536
#define ROWS_MAX           10000u /* names are compared each with each */
#define OCTAVE             500.0  /* [Hz] the column that stands for a surface as long as it has one number */

void absorption_table_free(struct absorption_table *table)
{
    for (size_t e = 0; e < table->count; ++e)
        free(table->entry[e].name);
    free(table->entry);
    *table = (struct absorption_table){0};
}

/* Owns a copy of name[0..length); name NULL is the fallback. */
static int append(struct absorption_table *table, const char *name, size_t length, double value,
                  bool from_file, struct failure *failure)
{
    const size_t bytes = (table->count + 1) * sizeof table->entry[0];
    struct absorption_entry *grown = realloc(table->entry, bytes);
    if (grown == NULL)
        return failure_memory(failure, bytes, "absorption values");
    table->entry = grown;
    struct absorption_entry *entry = &table->entry[table->count];
    *entry = (struct absorption_entry){.value = value, .from_file = from_file};
    if (name != NULL) {
        entry->name = strndup(name, length);
        if (entry->name == NULL)
            return failure_memory(failure, length + 1, "a material's name");
    }
    ++table->count;
    return 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && is_blank((*text)[0])) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_blank((*text)[*length - 1]))
        --*length;
}

/* A plain decimal number and nothing else; false for words, hexadecimal, "nan" and "inf". */
static bool parse_number(const char *text, size_t length, double *value)
{
    char copy[64], *end;
    trim(&text, &length);
    if (length == 0 || length >= sizeof copy || strspn(text, "0123456789.eE+-") < length)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    return *end == '\0';
}

static bool is_absorption(double value)
{
    return value >= 0 && value <= 1; /* false for NaN */
}

int absorption_table_add(struct absorption_table *table, const char *text, struct failure *failure)
{
    const char *divider = strrchr(text, '=');
    const char *number = divider == NULL ? text : divider + 1;
    const char *name = divider == NULL ? NULL : text;
    size_t name_length = divider == NULL ? 0 : (size_t)(divider - text);
    double value;
    if (name != NULL)
        trim(&name, &name_length);
    if (!parse_number(number, strlen(number), &value) || (name != NULL && name_length == 0))
        return failure_set(failure, FAILURE_INPUT,
                           "--absorption %s: expected a number from 0 to 1, or NAME=number for one material",
                           text);
    if (!is_absorption(value))
        return failure_set(failure, FAILURE_INPUT,
                           "--absorption %s: the value must lie from 0 (reflects all) to 1 (absorbs all)",
                           text);
    return append(table, name, name_length, value, false, failure);
}

/* ---- CSV ---- */

struct csv {
    const char *path;
    FILE *stream;
    size_t line;
    char text[LINE_BYTES_MAX]; /* the line in hand */
    char *at;                  /* what is left of it; NULL after the last field */
};

static int csv_open(struct csv *csv, const char *path, struct failure *failure)
{
    int status = 0;
    struct stat about;
    csv->path = path;
    csv->line = 0;
    csv->stream = NULL;
    /* Not blocking: a FIFO must be refused, not waited for. */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &about) != 0)
        status = failure_set(failure, FAILURE_INPUT, "%s could not be opened: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = failure_set(failure, FAILURE_INPUT, "%s is %s, not a file with a table in it", path,
                             S_ISDIR(about.st_mode) ? "a folder" : "a device or pipe");
    else if (about.st_size > (off_t)FILE_MEBIBYTES_MAX << 20)
        status =
            failure_set(failure, FAILURE_INPUT, "%s has %lld bytes; a table of absorption has at most %d MiB",
                        path, (long long)about.st_size, FILE_MEBIBYTES_MAX);
    else if ((csv->stream = fdopen(descriptor, "r")) == NULL)
        status = failure_set(failure, FAILURE_INPUT, "%s could not be opened: %s", path, strerror(errno));
    if (csv->stream == NULL && descriptor >= 0)
        (void)close(descriptor);
    return status;
}

/* The next line that holds anything; `*more` is false at the end of the file. */
static int csv_next_line(struct csv *csv, bool *more, struct failure *failure)
{
    for (;;) {
        size_t length = 0;
        int c = 0;
        errno = 0;
        while (length + 1 < sizeof csv->text && c != '\n' && (c = getc(csv->stream)) != EOF)
            csv->text[length++] = (char)c;
        csv->text[length] = '\0';
        if (ferror(csv->stream))
            return failure_set(failure, FAILURE_INPUT, "%s could not be read: %s", csv->path,
                               strerror(errno));
        if (length == 0) {
            *more = false;
            return 0;
        }
        ++csv->line;
        if (strlen(csv->text) < length)
            return failure_set(failure, FAILURE_INPUT,
                               "%s, line %zu holds a zero byte: save the table as CSV in UTF-8", csv->path,
                               csv->line);
        if (length + 1 == sizeof csv->text && c != '\n')
            return failure_set(failure, FAILURE_INPUT, "%s, line %zu is longer than %d bytes", csv->path,
                               csv->line, LINE_BYTES_MAX - 2);
        csv->at = csv->text;
        if (csv->line == 1 && strncmp(csv->at, "\xEF\xBB\xBF", 3) == 0)
            csv->at += 3;
        const char *content = csv->at + strspn(csv->at, " \t\r\n");
        if (*content != '\0' && *content != '#') {
            *more = true;
            return 0;
        }
    }
}

/* The next field of the line, trimmed and without its quotes (the text is changed in place). `*field` is NULL
 * when there is none left. */
static int csv_next_field(struct csv *csv, char **field, struct failure *failure)
{
    *field = NULL;
    if (csv->at == NULL)
        return 0;
    char *begin = csv->at + strspn(csv->at, " \t"), *end;
    if (*begin == '"') {
        char *to = ++begin, *from = begin;
        while (*from != '\0' && !(from[0] == '"' && from[1] != '"')) {
            from += from[0] == '"' ? 1 : 0; /* "" is one " */
            *to++ = *from++;
        }
        const char *rest = *from == '"' ? from + 1 + strspn(from + 1, " \t\r\n") : from;
        if (*from != '"' || (*rest != ',' && *rest != '\0'))
            return failure_set(failure, FAILURE_INPUT, "%s, line %zu: a quote is not closed before a comma",
                               csv->path, csv->line);
        csv->at = *rest == ',' ? (char *)rest + 1 : NULL;
        *to = '\0';
        *field = begin;
        return 0;
    }
    end = strchr(begin, ',');
    csv->at = end == NULL ? NULL : end + 1;
    if (end == NULL)
        end = begin + strlen(begin);
    while (end > begin && is_blank(end[-1]))
        --end;
    *end = '\0';
    *field = begin;
    return 0;
}

/* Number of the 500 Hz column, from the header. */
static int find_octave(struct csv *csv, size_t *column, struct failure *failure)
{
    char *field;
    bool semicolons = strchr(csv->text, ';') != NULL;
    TRY(csv_next_field(csv, &field, failure));
    if (field == NULL || strcasecmp(field, "material") != 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "%s, line %zu begins with \"%.80s\": expected a header like material,125,250,500,1000 "
            "(octave centres in Hz)%s",
            csv->path, csv->line, field == NULL ? "" : field,
            semicolons ? "; separate the columns by commas" : "");
    *column = 0;
    for (size_t at = 1;; ++at) {
        double octave;
        TRY(csv_next_field(csv, &field, failure));
        if (field == NULL)
            break;
        size_t length = strlen(field);
        if (length > 2 && strcasecmp(field + length - 2, "Hz") == 0)
            length -= 2;
        if (!parse_number(field, length, &octave))
            return failure_set(failure, FAILURE_INPUT,
                               "%s, line %zu: the column \"%.80s\" is no octave centre in Hz", csv->path,
                               csv->line, field);
        if (octave == OCTAVE && *column != 0)
            return failure_set(failure, FAILURE_INPUT, "%s, line %zu has two 500 Hz columns", csv->path,
                               csv->line);
        if (octave == OCTAVE)
            *column = at;
    }
    if (*column == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "%s, line %zu has no 500 Hz column, the one that is taken for every frequency",
                           csv->path, csv->line);
    return 0;
}

static int read_row(struct csv *csv, size_t column, struct absorption_table *rows, struct failure *failure)
{
    char *name, *field = NULL;
    double value;
    TRY(csv_next_field(csv, &name, failure));
    if (name == NULL || name[0] == '\0')
        return failure_set(failure, FAILURE_INPUT, "%s, line %zu begins without a material's name", csv->path,
                           csv->line);
    for (size_t at = 1; at <= column; ++at) {
        TRY(csv_next_field(csv, &field, failure));
        if (field == NULL)
            return failure_set(failure, FAILURE_INPUT,
                               "%s, line %zu: \"%.200s\" has no value in column %zu (500 Hz)", csv->path,
                               csv->line, name, column + 1);
    }
    if (!parse_number(field, strlen(field), &value))
        return failure_set(failure, FAILURE_INPUT, "%s, line %zu: \"%.80s\" for \"%.200s\" is not a number",
                           csv->path, csv->line, field, name);
    if (!is_absorption(value))
        return failure_set(
            failure, FAILURE_INPUT,
            "%s, line %zu: the absorption %s of \"%.200s\" must lie from 0 (reflects all) to 1 "
            "(absorbs all)",
            csv->path, csv->line, field, name);
    for (size_t e = 0; e < rows->count; ++e)
        if (strcasecmp(rows->entry[e].name, name) == 0) {
            if (rows->entry[e].value == value)
                return 0;
            return failure_set(
                failure, FAILURE_INPUT,
                "%s, line %zu gives \"%.200s\" as %g at 500 Hz, an earlier line as %g: keep one", csv->path,
                csv->line, name, value, rows->entry[e].value);
        }
    if (rows->count == ROWS_MAX)
        return failure_set(failure, FAILURE_INPUT,
                           "%s, line %zu: more than %u materials; take out what the room has not", csv->path,
                           csv->line, ROWS_MAX);
    return append(rows, name, strlen(name), value, true, failure);
}

static int read_rows(struct csv *csv, struct absorption_table *rows, struct failure *failure)
{
    bool more;
    size_t column = 0;
    TRY(csv_next_line(csv, &more, failure));
    if (!more)
        return failure_set(failure, FAILURE_INPUT, "%s is empty", csv->path);
    TRY(find_octave(csv, &column, failure));
    for (;;) {
        TRY(csv_next_line(csv, &more, failure));
        if (!more)
            break;
        TRY(read_row(csv, column, rows, failure));
    }
    if (rows->count == 0)
        return failure_set(failure, FAILURE_INPUT, "%s names no material", csv->path);
    return 0;
}

int absorption_table_read(struct absorption_table *table, const char *path, struct failure *failure)
{
    int status;
    struct absorption_table rows = {0};
    struct csv *csv = malloc(sizeof *csv);
    if (csv == NULL)
        return failure_memory(failure, sizeof *csv, "reading absorption values");
    if ((status = csv_open(csv, path, failure)) != 0)
        goto done;
    if ((status = read_rows(csv, &rows, failure)) != 0)
        goto done;
    const size_t bytes = (table->count + rows.count) * sizeof table->entry[0];
    struct absorption_entry *grown = realloc(table->entry, bytes);
    if (grown == NULL) {
        status = failure_memory(failure, bytes, "absorption values");
        goto done;
    }
    table->entry = grown;
    memcpy(table->entry + table->count, rows.entry, rows.count * sizeof rows.entry[0]);
    table->count += rows.count;
    rows.count = 0; /* the names have moved */
    const char *slash = strrchr(path, '/');
    const size_t used = strlen(table->source);
    (void)snprintf(table->source + used, sizeof table->source - used, "%s%s, its 500 Hz column",
                   used > 0 ? "; " : "", slash == NULL ? path : slash + 1);
done:
    if (csv->stream != NULL)
        (void)fclose(csv->stream);
    free(csv);
    absorption_table_free(&rows);
    return status;
}

/* ---- who gets what ---- */

/* The entry for a material: --absorption by name, then files, then the fallback; the last of each. */
static const struct absorption_entry *find_entry(const struct absorption_table *table, const char *material)
{
    const struct absorption_entry *given = NULL, *filed = NULL, *fallback = NULL;
    for (size_t e = 0; e < table->count; ++e) {
        const struct absorption_entry *entry = &table->entry[e];
        if (entry->name == NULL)
            fallback = entry;
        else if (strcasecmp(entry->name, material) == 0)
            *(entry->from_file ? &filed : &given) = entry;
    }
    return given != NULL ? given : filed != NULL ? filed : fallback;
}

/* Append to a list in a sentence; a list that does not fit ends where it is full. */
__attribute__((format(printf, 3, 4))) static void add_text(char *list, size_t capacity, const char *format,
                                                           ...)
{
    const size_t used = strlen(list);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(list + used, capacity - used, format, arguments);
    va_end(arguments);
}

#define LISTED 20

/* Every entry of --absorption with a name must mean a surface: a slip of the pen would else go unseen. */
static int check_names(const struct absorption_table *table, const struct mesh *mesh, struct failure *failure)
{
    for (size_t e = 0; e < table->count; ++e) {
        const struct absorption_entry *entry = &table->entry[e];
        bool found = entry->name == NULL || entry->from_file;
        for (size_t m = 0; !found && m < mesh->material_count; ++m)
            found = strcasecmp(entry->name, mesh->material[m]) == 0;
        if (found)
            continue;
        char list[1200] = "";
        for (size_t m = 0; m < mesh->material_count && m < LISTED; ++m)
            add_text(list, sizeof list, "%s\"%.100s\"", m > 0 ? ", " : "", mesh->material[m]);
        if (mesh->material_count > LISTED)
            add_text(list, sizeof list, " and %zu more", mesh->material_count - LISTED);
        return failure_set(failure, FAILURE_INPUT,
                           "--absorption %.200s=%g: the room has no surface of that name; it has %s",
                           entry->name, entry->value, list);
    }
    return 0;
}

static int list_uncovered(const struct absorption_table *table, const struct mesh *mesh,
                          struct failure *failure)
{
    double *area = calloc(mesh->material_count, sizeof area[0]);
    if (area == NULL)
        return failure_memory(failure, mesh->material_count * sizeof area[0], "areas of surfaces");
    mesh_material_areas(mesh, area);
    char list[1200] = "";
    size_t uncovered = 0;
    for (size_t m = 0; m < mesh->material_count; ++m) {
        if (find_entry(table, mesh->material[m]) != NULL)
            continue;
        if (uncovered < LISTED)
            add_text(list, sizeof list, "%s\"%.100s\" (%.4g m2)", uncovered > 0 ? ", " : "",
                     mesh->material[m], area[m]);
        ++uncovered;
    }
    free(area);
    if (uncovered > LISTED)
        add_text(list, sizeof list, " and %zu more", uncovered - LISTED);
    return failure_set(
        failure, FAILURE_INPUT,
        "no absorption is known for %s: give --absorption NAME=A for each, --absorption A for all "
        "that have no other, or --materials FILE; typical values are 0.03 for bare stone, 0.08 for "
        "plaster and wood, 0.25 for full pews",
        list);
}

int absorption_resolve(const struct absorption_table *table, const struct mesh *mesh, double missing,
                       double *value, size_t *uncovered, struct failure *failure)
{
    size_t without = 0;
    TRY(check_names(table, mesh, failure));
    for (size_t m = 0; m < mesh->material_count; ++m) {
        const struct absorption_entry *entry = find_entry(table, mesh->material[m]);
        value[m] = entry != NULL ? entry->value : missing;
        without += entry == NULL ? 1 : 0;
    }
    if (uncovered != NULL)
        *uncovered = without;
    return without > 0 && isnan(missing) ? list_uncovered(table, mesh, failure) : 0;
}

/* ---- admittance ---- */

#define SERIES_FROM  16.0 /* where the formula has lost two of its digits and the series needs few terms */
#define SERIES_TERMS 16   /* 16^-16 is below the last bit */

double absorption_from_admittance(double admittance)
{
    const double g = admittance;
    if (!(g > 0))
        return 0;
    if (g < SERIES_FROM)
        return 8 * g * (1 + g / (1 + g) - 2 * g * log1p(1 / g));
    /* For soft walls the bracket cancels to order 1/g^2; in x = 1/g it is the sum over k >= 2 of
     * (-1)^k x^k (k-1)/(k+1). */
    const double x = 1 / g;
    double sum = 0;
    for (int k = SERIES_TERMS; k >= 2; --k)
        sum = (double)(k - 1) / (double)(k + 1) - x * sum;
    return 8 * x * sum;
}

double admittance_from_absorption(double absorption, bool *clamped)
{
    if (clamped != NULL)
        *clamped = absorption > ABSORPTION_MAX;
    if (!(absorption > 0))
        return 0;
    if (absorption >= ABSORPTION_MAX)
        return ABSORPTION_MAX_AT;
    /* Rising all the way to the maximum: bisection cannot fail, and costs nothing here. */
    double low = 0, high = ABSORPTION_MAX_AT;
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            return middle;
        if (absorption_from_admittance(middle) < absorption)
            low = middle;
        else
            high = middle;
    }
}
