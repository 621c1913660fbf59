#include "src/base/table/table_csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/utf8.h"
#include "src/base/table/number_text.h"
#include "src/base/words/words.h"

/* ---- what a reader of the page sees ---- */

/* Words of ours with a blank for &nbsp;, texts of the data as html_text() has them. */
static void put_text(FILE *out, const char *text, bool ours)
{
    static const char space[] = "&nbsp;";
    for (const char *at = text; *at != '\0';) {
        const size_t length = utf8_length((const unsigned char *)at, NULL);
        if (ours && strncmp(at, space, sizeof space - 1) == 0) {
            fputc(' ', out);
            at += sizeof space - 1;
            continue;
        }
        if (length == 2 && memcmp(at, "\xC2\xA0", 2) == 0)
            fputc(' ', out);
        else if (length == 0 || (unsigned char)*at < 0x20 || *at == 0x7F)
            fputc('?', out);
        else
            fwrite(at, 1, length, out);
        at += length > 0 ? length : 1;
    }
}

static bool is_number(const struct table_piece *piece)
{
    return piece->kind == PIECE_NUMBER || piece->kind == PIECE_COUNT || piece->kind == PIECE_BYTES;
}

static bool is_absent(const struct table_piece *piece)
{
    return is_number(piece) ? !isfinite(piece->value) : piece->text == NULL;
}

static void put_piece(FILE *out, const struct table_piece *piece)
{
    char text[NUMBER_TEXT_MAX];
    double scale = piece->scale;
    const char *unit;
    if (piece->kind == PIECE_MARKUP)
        return;
    if (is_absent(piece)) {
        fputs("\xE2\x80\x93", out);
        return;
    }
    switch (piece->kind) {
    case PIECE_NUMBER:
        fputs(number_text(piece->value * scale, piece->decimals, text), out);
        break;
    case PIECE_COUNT:
        fputs(number_text_count(piece->value, text), out);
        break;
    case PIECE_BYTES:
        unit = number_bytes_unit(piece->value, &scale);
        fprintf(out, "%s %s", number_text(piece->value * scale, -3, text), unit);
        break;
    default:
        put_text(out, piece->kind == PIECE_WORD ? T(piece->text) : piece->text, piece->kind == PIECE_WORDS);
    }
}

/* NULL without memory. */
static char *cell_text(const struct table *table, const struct table_cell *cell)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    for (size_t p = 0; p < cell->pieces; p++)
        put_piece(out, &table->piece[cell->piece + p]);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- fields ---- */

static bool begins_formula(const char *text)
{
    char *end;
    if (text[0] == '\0' || strchr("=+-@\t\r", text[0]) == NULL || text[1] == '\0')
        return false;
    (void)strtod(text, &end);
    return end == text || *end != '\0';
}

void table_csv_field(FILE *out, const char *text)
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

static void put_cell_text(FILE *out, const struct table *table, const struct table_cell *cell)
{
    char *const text = cell_text(table, cell);
    table_csv_field(out, text != NULL ? text : "");
    free(text);
}

void table_csv_caption(FILE *out, const struct table *table)
{
    if (table->cells > 0)
        put_cell_text(out, table, &table->cell[0]);
}

/* ---- columns ---- */

/* What is absent may have been a number. */
static bool counts_as_number(const struct table_piece *piece)
{
    return is_number(piece) || (is_absent(piece) && piece->kind != PIECE_MARKUP);
}

static size_t count_numbers(const struct table *table, const struct table_cell *cell)
{
    size_t count = 0;
    for (size_t p = 0; p < cell->pieces; p++)
        count += counts_as_number(&table->piece[cell->piece + p]);
    return count;
}

static const struct table_piece *number_of(const struct table *table, const struct table_cell *cell, size_t n)
{
    for (size_t p = 0; p < cell->pieces; p++)
        if (counts_as_number(&table->piece[cell->piece + p]) && n-- == 0)
            return &table->piece[cell->piece + p];
    return NULL;
}

/* Letters beside numbers. */
static bool has_words(const struct table *table, const struct table_cell *cell)
{
    for (size_t p = 0; p < cell->pieces; p++) {
        const struct table_piece *piece = &table->piece[cell->piece + p];
        if (piece->kind == PIECE_BYTES)
            return true;
        if (piece->kind == PIECE_MARKUP || counts_as_number(piece))
            continue;
        for (const char *at = piece->text; *at != '\0'; at++)
            if (piece->kind == PIECE_WORDS && *at == '&')
                at += strcspn(at, ";") - (at[strcspn(at, ";")] == '\0');
            else if (isalpha((unsigned char)*at))
                return true;
    }
    return false;
}

/* The cell of a column with the most numbers, none of them beside words; NULL: it holds texts. Cells of words
 * alone, as verdicts are, may be in it too. */
static const struct table_cell *model_of(const struct table *table, size_t column)
{
    const struct table_cell *most = NULL;
    for (size_t r = table->headed; r < table->rows; r++) {
        const struct table_row *row = &table->row[r];
        const struct table_cell *cell = column < row->cells ? &table->cell[row->cell + column] : NULL;
        const size_t numbers = cell != NULL ? count_numbers(table, cell) : 0;
        if (numbers > 0 && has_words(table, cell))
            return NULL;
        if (numbers > (most != NULL ? count_numbers(table, most) : 0))
            most = cell;
    }
    return most;
}

/* The last word of a key, which may end in a number: "t30_s". */
static const char *part_of(const struct table_piece *piece, size_t *length)
{
    const char *key = piece->key != NULL ? piece->key : "", *end = key + strlen(key), *at = end;
    while (at > key && isdigit((unsigned char)at[-1]))
        at--;
    if (at > key && at < end && at[-1] == '.')
        end = at - 1;
    for (at = end; at > key && at[-1] != '.';)
        at--;
    *length = (size_t)(end - at);
    return at;
}

/* "125 Hz deviation"; the first of "t30_s" and "t30_s_deviation" has the heading alone. */
static void put_heading(FILE *out, const struct table *table, const struct table_cell *head,
                        const struct table_cell *model, size_t number)
{
    char text[300];
    char *const words = cell_text(table, head);
    size_t length, first_length, second_length = 0;
    const char *part = part_of(number_of(table, model, number), &length);
    const char *first = part_of(number_of(table, model, 0), &first_length), *second = "";
    const size_t numbers = count_numbers(table, model);
    if (numbers > 1)
        second = part_of(number_of(table, model, 1), &second_length);
    if (numbers < 2) {
        length = 0;
    } else if (second_length >= first_length && strncmp(second, first, first_length) == 0) {
        const size_t skip = number == 0 ? length : first_length + (part[first_length] == '_');
        part += skip;
        length -= skip;
    }
    snprintf(text, sizeof text, "%s %.*s", words != NULL ? words : "", (int)length, part);
    table_csv_field(out, text);
    free(words);
}

static void put_row(FILE *out, const struct table *table, size_t r)
{
    const struct table_row *row = &table->row[r];
    for (size_t c = 0; c < row->cells; c++) {
        const struct table_cell *cell = &table->cell[row->cell + c], *model = model_of(table, c);
        fputs(c > 0 ? "," : "", out);
        if (model == NULL) {
            put_cell_text(out, table, cell);
            continue;
        }
        for (size_t n = 0; n < count_numbers(table, model); n++) {
            const struct table_piece *number = number_of(table, cell, n);
            fputs(n > 0 ? "," : "", out);
            if (r == 0 && table->headed)
                put_heading(out, table, cell, model, n);
            else if (n == 0 && count_numbers(table, cell) == 0)
                put_cell_text(out, table, cell);
            else if (number != NULL && isfinite(number->value))
                fprintf(out, "%.10g", number->value * number->scale);
        }
    }
    fputc('\n', out);
}

void table_csv(FILE *out, const struct table *table)
{
    for (size_t r = 0; r < table->rows; r++)
        put_row(out, table, r);
}
