#include "src/base/table/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_memory.h"

/* One more of an array of `*count`, zeroed, which grows by doubling; NULL without memory. */
static void *grow_array(void *array, size_t *count, size_t size)
{
    void **const at = array;
    if ((*count & (*count - 1)) == 0) {
        void *const grown = json_memory_take((*count > 0 ? 2 * *count : 1) * size);
        if (grown == NULL)
            return NULL;
        if (*count > 0)
            memcpy(grown, *at, *count * size);
        free(*at);
        *at = grown;
    }
    return (char *)*at + (*count)++ * size;
}

static char *text_of(const char *text, size_t length)
{
    char *const copy = json_memory_take(length + 1);
    return copy != NULL ? memcpy(copy, text, length) : NULL;
}

static char *format_text(const char *format, va_list values)
{
    char text[200];
    const int length = vsnprintf(text, sizeof text, format, values);
    return text_of(text, length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void table_begin(struct table *table, const char *class)
{
    *table = (struct table){.class = class};
    (void)grow_array(&table->cell, &table->cells, sizeof *table->cell);
}

void table_free(struct table *table)
{
    for (size_t p = 0; p < table->pieces; p++) {
        free(table->piece[p].text);
        free(table->piece[p].key);
    }
    free(table->piece);
    free(table->cell);
    free(table->row);
    free(table->name);
    *table = (struct table){0};
}

void table_name(struct table *table, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    free(table->name);
    table->name = format_text(format, values);
    va_end(values);
}

/* ---- rows and cells ---- */

void table_row(struct table *table, const char *class)
{
    struct table_row *const row = grow_array(&table->row, &table->rows, sizeof *row);
    if (row != NULL)
        *row = (struct table_row){.class = class, .cell = table->cells};
}

static void add_heads(struct table *table)
{
    table->headed = true;
    table_row(table, NULL);
}

static void add_cell(struct table *table, bool head, const char *class)
{
    struct table_cell *const cell =
        table->rows > 0 ? grow_array(&table->cell, &table->cells, sizeof *cell) : NULL;
    if (cell == NULL)
        return;
    *cell = (struct table_cell){.head = head, .class = class, .piece = table->pieces};
    table->row[table->rows - 1].cells++;
}

void table_head(struct table *table)
{
    add_cell(table, true, NULL);
}

void table_cell(struct table *table, const char *class)
{
    add_cell(table, false, class);
}

void table_heads_of(struct table *table, size_t count, const char *const head[])
{
    add_heads(table);
    for (size_t i = 0; i < count; i++) {
        table_head(table);
        table_words(table, head[i]);
    }
}

/* ---- pieces ---- */

/* Owns `key` from now on. */
static struct table_piece *add_piece(struct table *table, enum piece_kind kind, const char *text, char *key)
{
    struct table_piece *const piece =
        table->cells > 0 ? grow_array(&table->piece, &table->pieces, sizeof *piece) : NULL;
    if (piece == NULL) {
        free(key);
        return NULL;
    }
    *piece = (struct table_piece){.kind = kind, .value = NAN, .scale = 1, .key = key};
    if (text != NULL)
        piece->text = text_of(text, strlen(text));
    table->cell[table->cells - 1].pieces++;
    return piece;
}

void table_words(struct table *table, const char *words)
{
    (void)add_piece(table, PIECE_WORDS, words, NULL);
}

void table_explained(struct table *table, const char *words, const char *meaning)
{
    (void)add_piece(table, PIECE_WORDS, words, text_of(meaning, strlen(meaning)));
}

void table_unit(struct table *table, const char *unit)
{
    char text[32];
    snprintf(text, sizeof text, "&nbsp;%s", unit);
    if (unit[0] != '\0')
        table_words(table, text);
}

void table_marks(struct table *table, const char *marks)
{
    if (marks[0] != '\0')
        (void)add_piece(table, PIECE_MARKS, marks, NULL);
}

void table_markup(struct table *table, const char *markup)
{
    (void)add_piece(table, PIECE_MARKUP, markup, NULL);
}

void table_text(struct table *table, const char *text)
{
    (void)add_piece(table, PIECE_STRING, text, NULL);
}

/* The key of the caller's last arguments. */
#define FORMATTED_KEY(out, key)                                                                              \
    va_list values;                                                                                          \
    va_start(values, key);                                                                                   \
    char *const out = format_text(key, values);                                                              \
    va_end(values)

void table_string(struct table *table, const char *text, const char *key, ...)
{
    FORMATTED_KEY(place, key);
    (void)add_piece(table, PIECE_STRING, text, place);
}

void table_word(struct table *table, const char *word, const char *key, ...)
{
    FORMATTED_KEY(place, key);
    (void)add_piece(table, PIECE_WORD, word, place);
}

static bool add_number(struct table *table, double value, int decimals, double scale, char *key)
{
    struct table_piece *const piece = add_piece(table, PIECE_NUMBER, NULL, key);
    if (piece != NULL) {
        piece->value = value;
        piece->decimals = decimals;
        piece->scale = scale;
    }
    return isfinite(value);
}

bool table_number(struct table *table, double value, int decimals, double scale, const char *key, ...)
{
    FORMATTED_KEY(place, key);
    return add_number(table, value, decimals, scale, place);
}

bool table_value(struct table *table, double value, int decimals, double scale)
{
    return add_number(table, value, decimals, scale, NULL);
}

void table_whole(struct table *table, enum piece_kind kind, double value, const char *key, ...)
{
    FORMATTED_KEY(place, key);
    struct table_piece *const piece = add_piece(table, kind, NULL, place);
    if (piece != NULL)
        piece->value = value;
}
