#include "src/base/table/table_csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/utf8.h"
#include "src/base/table/number_text.h"
#include "src/base/words/words.h"

/* ---- texts as on the page ---- */

/* Words of the program with a blank for &nbsp;, texts of the data as html_text() writes them. */
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
    char *said;
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
    case PIECE_WORD:
        said = words_of_said(piece->text);
        put_text(out, said, false);
        free(said);
        break;
    default:
        put_text(out, piece->text, piece->kind == PIECE_WORDS);
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

static void write_field(FILE *out, const char *text)
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
    write_field(out, text != NULL ? text : "");
    free(text);
}

void table_csv_caption(FILE *out, const struct table *table)
{
    if (table->cells > 0)
        put_cell_text(out, table, &table->cell[0]);
}

/* ---- columns ---- */

/* Number `n` of a cell, or NULL. An absent value of any kind counts as a number. */
static const struct table_piece *number_of(const struct table *table, const struct table_cell *cell, size_t n)
{
    for (size_t p = 0; cell != NULL && p < cell->pieces; p++) {
        const struct table_piece *piece = &table->piece[cell->piece + p];
        if ((is_number(piece) || (is_absent(piece) && piece->kind != PIECE_MARKUP)) && n-- == 0)
            return piece;
    }
    return NULL;
}

static size_t count_numbers(const struct table *table, const struct table_cell *cell)
{
    size_t count = 0;
    while (number_of(table, cell, count) != NULL)
        count++;
    return count;
}

static bool has_letters(const struct table *table, const struct table_cell *cell)
{
    for (size_t p = 0; p < cell->pieces; p++) {
        const struct table_piece *piece = &table->piece[cell->piece + p];
        if (piece->kind == PIECE_BYTES)
            return true;
        const char *at = piece->kind == PIECE_MARKUP || piece->text == NULL ? "" : piece->text;
        for (; *at != '\0'; at++)
            if (piece->kind == PIECE_WORDS && strncmp(at, "&nbsp;", 6) == 0)
                at += 5;
            else if (isalpha((unsigned char)*at))
                return true;
    }
    return false;
}

/* The cell of a column with the most numbers, without letters beside them; NULL: it is a column of texts. It
 * may have cells of words alone, as verdicts are. */
static const struct table_cell *model_of(const struct table *table, size_t column)
{
    const struct table_cell *most = NULL;
    for (size_t r = table->headed; r < table->rows; r++) {
        const struct table_row *row = &table->row[r];
        const struct table_cell *cell = column < row->cells ? &table->cell[row->cell + column] : NULL;
        const size_t numbers = count_numbers(table, cell);
        if (numbers > 0 && has_letters(table, cell))
            return NULL;
        if (numbers > count_numbers(table, most))
            most = cell;
    }
    return most;
}

/* The last word of a key, without a number that follows it: "t30_s" of "means.t30_s.2". */
static const char *last_word(const struct table_piece *piece, size_t *length)
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

/* "125 Hz deviation". If the second word begins with the first ("t30_s", "t30_s_deviation"), that beginning
 * is left out of both. */
static void put_heading(FILE *out, const struct table *table, const struct table_cell *head,
                        const struct table_cell *model, size_t number)
{
    char text[300], *const words = cell_text(table, head);
    size_t length = 0, first, second, skip = 0;
    const char *word = "";
    if (count_numbers(table, model) > 1) {
        const char *start = last_word(number_of(table, model, 0), &first);
        if (strncmp(last_word(number_of(table, model, 1), &second), start, first) == 0)
            skip = first;
        word = last_word(number_of(table, model, number), &length) + skip;
        if (skip < length && *word == '_') {
            word++;
            skip++;
        }
    }
    snprintf(text, sizeof text, "%s %.*s", words != NULL ? words : "", (int)(length - skip), word);
    write_field(out, text);
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
