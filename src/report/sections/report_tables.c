#include "src/report/sections/report_tables.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/sections/report_page.h"
#include "src/run/result_file.h"
#include "src/words/words.h"

#define NUMBERS 4 /* of a cell */
#define PART    32
#define NAME    120

struct number {
    double value;
    char part[PART]; /* the last word of its key: "t30_s", "first" */
};

struct cell {
    char *text; /* owned */
    bool words; /* beside numbers */
    size_t numbers;
    struct number number[NUMBERS];
};

struct row {
    size_t count;
    struct cell *cell; /* owned */
};

struct table {
    char name[NAME], *caption; /* owned */
    bool headed;
    int run; /* -1: of both, or of none */
    size_t rows;
    struct row *row; /* owned */
};

static void free_table(struct table *table)
{
    for (size_t r = 0; r < table->rows; r++) {
        for (size_t c = 0; c < table->row[r].count; c++)
            free(table->row[r].cell[c].text);
        free(table->row[r].cell);
    }
    free(table->row);
    free(table->caption);
    *table = (struct table){0};
}

/* ---- reading what html.h writes ---- */

/* The value of an attribute of the tag that begins at `tag`, into `out`, cut where it is longer. */
static bool attribute(const char *tag, const char *name, char *out, size_t size)
{
    char sought[40];
    snprintf(sought, sizeof sought, " %s=\"", name);
    const char *end = strchr(tag, '>'), *at = strstr(tag, sought);
    out[0] = '\0';
    if (end == NULL || at == NULL || at > end)
        return false;
    at += strlen(sought);
    const size_t length = strcspn(at, "\"");
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), at);
    return true;
}

static bool opens(const char *tag, const char *name)
{
    const size_t length = strlen(name);
    return tag[0] == '<' && strncmp(tag + 1, name, length) == 0 && strchr(" >", tag[1 + length]) != NULL;
}

/* Copies the text of markup, where a run of blanks is one. */
static void put_text(FILE *out, const char *from, const char *to)
{
    static const char *const entity[][2] = {{"&nbsp;", " "},  {"&amp;", "&"}, {"&lt;", "<"},    {"&gt;", ">"},
                                            {"&quot;", "\""}, {"&#39;", "'"}, {"\xC2\xA0", " "}};
    while (from < to) {
        size_t e = 0;
        while (e < sizeof entity / sizeof entity[0] && strncmp(from, entity[e][0], strlen(entity[e][0])) != 0)
            e++;
        if (*from == '<') {
            from = strchr(from, '>') + 1;
        } else if (e < sizeof entity / sizeof entity[0]) {
            fputs(entity[e][1], out);
            from += strlen(entity[e][0]);
        } else {
            fputc(*from == '\n' ? ' ' : *from, out);
            from++;
        }
    }
}

static char *text_between(const char *from, const char *to)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    put_text(out, from, to);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* A number of the data, or one that is absent; false for other elements. */
static bool read_number(const char *tag, struct number *out, struct table *table, int *run_before)
{
    char value[64], scale[64], key[200], kind[20];
    if (!attribute(tag, "data-key", key, sizeof key))
        return false;
    if (strncmp(key, "runs.", 5) == 0) {
        const int run = key[5] == '1';
        table->run = *run_before >= 0 && *run_before != run ? -1 : run;
        *run_before = table->run < 0 ? 2 : run;
    }
    const bool absent = attribute(tag, "class", kind, sizeof kind) && strcmp(kind, "absent") == 0;
    char *end = value;
    if (!absent) {
        if (!opens(tag, "data") || !attribute(tag, "value", value, sizeof value))
            return false;
        out->value = strtod(value, &end);
        if (end == value || *end != '\0')
            return false;
        if (attribute(tag, "data-scale", scale, sizeof scale))
            out->value *= strtod(scale, NULL);
    } else {
        out->value = NAN;
    }
    char *dot = strrchr(key, '.');
    if (dot != NULL && isdigit((unsigned char)dot[1]))
        *dot = '\0';
    dot = strrchr(key, '.');
    snprintf(out->part, sizeof out->part, "%.*s", PART - 1, dot != NULL ? dot + 1 : key);
    return true;
}

/* Letters beside numbers, outside of the tags and entities between `from` and `to`. */
static bool has_letters(const char *from, const char *to)
{
    for (const char *at = from; at < to; at++) {
        if (*at == '<' || *at == '&')
            at += strcspn(at, *at == '<' ? ">" : ";");
        else if (isalpha((unsigned char)*at))
            return true;
    }
    return false;
}

static bool read_cell(const char *from, const char *to, struct table *table, int *run_before,
                      struct cell *cell)
{
    const char *outside = from;
    for (const char *tag = strchr(from, '<'); tag != NULL && tag < to; tag = strchr(tag + 1, '<')) {
        struct number number;
        if (!read_number(tag, &number, table, run_before))
            continue;
        cell->words = cell->words || has_letters(outside, tag) || cell->numbers == NUMBERS;
        if (cell->numbers < NUMBERS)
            cell->number[cell->numbers++] = number;
        tag = strstr(tag, "</");
        outside = tag;
    }
    cell->words = cell->words || has_letters(outside, to);
    cell->text = text_between(from, to);
    return cell->text != NULL;
}

static bool add_row(struct table *table)
{
    struct row *grown = realloc(table->row, (table->rows + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    table->row = grown;
    table->row[table->rows++] = (struct row){0};
    return true;
}

static struct cell *add_cell(struct table *table)
{
    if (table->rows == 0)
        return NULL;
    struct row *row = &table->row[table->rows - 1];
    struct cell *grown = realloc(row->cell, (row->count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    row->cell = grown;
    row->cell[row->count] = (struct cell){0};
    return &row->cell[row->count++];
}

/* File names hold letters, digits, `_` and `-`. */
static void make_name(const char *tag, struct table *table)
{
    char kind[NAME - 20];
    if (!attribute(tag, "data-table", table->name, NAME - 20) && attribute(tag, "class", kind, sizeof kind)) {
        const char *blank = strrchr(kind, ' ');
        snprintf(table->name, NAME - 20, "%s", blank != NULL ? blank + 1 : kind);
    }
    for (char *at = table->name; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && *at != '-')
            *at = '_';
}

/* From "<table" on; `*end` is behind it. */
static bool read_table(const char *at, struct table *table, const char **end)
{
    int run_before = -1;
    make_name(at, table);
    table->run = -1;
    *end = strstr(at, "</table>");
    for (const char *tag = at; tag != NULL && tag < *end; tag = strchr(tag + 1, '<')) {
        const bool head = opens(tag, "th");
        if (opens(tag, "caption"))
            table->caption = text_between(strchr(tag, '>') + 1, strstr(tag, "</caption>"));
        if (opens(tag, "thead"))
            table->headed = true;
        if (opens(tag, "tr") && !add_row(table))
            return false;
        if (!head && !opens(tag, "td"))
            continue;
        const char *from = strchr(tag, '>') + 1, *to = strstr(from, head ? "</th>" : "</td>");
        struct cell *cell = add_cell(table);
        if (cell == NULL || !read_cell(from, to, table, &run_before, cell))
            return false;
        tag = to;
    }
    return true;
}

/* ---- writing ---- */

/* What a spreadsheet would take for a formula, since it begins as one, gets an apostrophe, which says that it
 * is text: names come from models of strangers. */
static bool begins_formula(const char *text)
{
    char *end;
    if (text[0] == '\0' || strchr("=+-@\t\r", text[0]) == NULL || text[1] == '\0')
        return false;
    (void)strtod(text, &end);
    return end == text || *end != '\0';
}

static void put_field(FILE *out, const char *text)
{
    while (*text == ' ')
        text++;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    const char *mark = begins_formula(text) ? "'" : "";
    if (strcspn(text, ",\"") >= length) {
        fprintf(out, "%s%.*s", mark, (int)length, text);
        return;
    }
    fprintf(out, "\"%s", mark);
    for (size_t i = 0; i < length; i++)
        fprintf(out, text[i] == '"' ? "\"\"" : "%c", text[i]);
    fputc('"', out);
}

/* The cell of a column with the most numbers, none of them beside words; NULL: it holds texts. Cells of words
 * alone, as verdicts are, may be in it too. */
static const struct cell *model_of(const struct table *table, size_t column)
{
    const struct cell *most = NULL;
    for (size_t r = table->headed; r < table->rows; r++) {
        const struct cell *cell = column < table->row[r].count ? &table->row[r].cell[column] : NULL;
        if (cell != NULL && cell->words && cell->numbers > 0)
            return NULL;
        if (cell != NULL && cell->numbers > (most != NULL ? most->numbers : 0))
            most = cell;
    }
    return most;
}

/* "125 Hz deviation"; the first of "t30_s" and "t30_s_deviation" has the heading alone. */
static void put_heading(FILE *out, const struct cell *head, const struct cell *model, size_t number)
{
    char text[200];
    const char *part = model->number[number].part, *first = model->number[0].part;
    const size_t length = strlen(first);
    const bool derived = model->numbers > 1 && strncmp(model->number[1].part, first, length) == 0;
    if (derived)
        part = number == 0 ? "" : part[length] == '_' ? part + length + 1 : part;
    snprintf(text, sizeof text, "%s %s", head->text, model->numbers > 1 ? part : "");
    put_field(out, text);
}

static void put_row(FILE *out, const struct table *table, size_t r)
{
    const struct row *row = &table->row[r];
    for (size_t c = 0; c < row->count; c++) {
        const struct cell *cell = &row->cell[c], *model = model_of(table, c);
        fputs(c > 0 ? "," : "", out);
        if (model == NULL) {
            put_field(out, cell->text);
            continue;
        }
        for (size_t n = 0; n < model->numbers; n++) {
            fputs(n > 0 ? "," : "", out);
            if (r == 0 && table->headed)
                put_heading(out, cell, model, n);
            else if (n == 0 && cell->numbers == 0)
                put_field(out, cell->text);
            else if (n < cell->numbers && isfinite(cell->number[n].value))
                fprintf(out, "%.10g", cell->number[n].value);
        }
    }
    fputc('\n', out);
}

static int put_file(struct output_folder *folder, const char *name, char *data, size_t size,
                    struct failure *failure)
{
    const struct text_buffer text = {.data = data, .size = size};
    return data != NULL ? result_put_text(folder, name, &text, failure) : report_no_memory(failure);
}

static int put_table(const struct table *table, struct output_folder *folder, const char *name,
                     struct failure *failure)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    if (out == NULL)
        return report_no_memory(failure);
    for (size_t r = 0; r < table->rows; r++)
        put_row(out, table, r);
    const int code =
        fclose(out) == 0 ? put_file(folder, name, data, size, failure) : report_no_memory(failure);
    free(data);
    return code;
}

/* "table_means_b_2.csv": `list` has the names before it. */
static void file_name(const struct table *table, size_t runs, const char *list, char name[NAME + 20])
{
    for (int again = 1;; again++) {
        char number[16] = "";
        if (again > 1)
            snprintf(number, sizeof number, "_%d", again);
        const int length = snprintf(name, NAME + 20, "table_%s%s%s.csv", table->name,
                                    runs < 2 || table->run < 0 ? ""
                                    : table->run == 0          ? "_a"
                                                               : "_b",
                                    number);
        const char *at = strstr(list, name);
        while (at != NULL && (at == list || at[-1] != '\n' || at[length] != ','))
            at = strstr(at + 1, name);
        if (at == NULL)
            return;
    }
}

static int put_tables(const char *page, size_t runs, struct output_folder *folder, struct failure *failure)
{
    char *list = NULL;
    size_t size = 0;
    int code = 0;
    FILE *out = open_memstream(&list, &size);
    if (out == NULL)
        return report_no_memory(failure);
    fprintf(out, "%s,%s\n", T("file"), T("table"));
    for (const char *at = page, *end = NULL; code == 0 && (at = strstr(at, "<table")) != NULL; at = end) {
        struct table table = {0};
        char name[NAME + 20];
        if (fflush(out) != 0 || !read_table(at, &table, &end)) {
            code = report_no_memory(failure);
        } else {
            file_name(&table, runs, list, name);
            code = put_table(&table, folder, name, failure);
            fprintf(out, "%s,", name);
            put_field(out, table.caption != NULL ? table.caption : "");
            fputc('\n', out);
        }
        free_table(&table);
        if (code != 0)
            break;
    }
    const bool whole = fclose(out) == 0;
    if (code == 0)
        code = whole ? put_file(folder, REPORT_TABLES_LIST, list, size, failure) : report_no_memory(failure);
    free(list);
    return code;
}

int report_tables_put(const struct report *report, struct output_folder *folder, struct failure *failure)
{
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);
    if (out == NULL)
        return report_no_memory(failure);
    report_page_sections(out, report, &(const struct report_sounds){0});
    const int code =
        fclose(out) == 0 ? put_tables(page, report->runs, folder, failure) : report_no_memory(failure);
    free(page);
    return code;
}

bool report_tables_name_is_ours(const char *name)
{
    const size_t length = strlen(name);
    return strcmp(name, REPORT_TABLES_LIST) == 0 ||
           (strncmp(name, "table_", 6) == 0 && length > 10 && strcmp(name + length - 4, ".csv") == 0);
}
