#include "src/base/table/table_columns.h"

#include <math.h>
#include <string.h>

#include "src/base/table/json_values.h"

#define CELL_MAX 200

static const char *text_of(const struct table_piece *piece, char text[CELL_MAX])
{
    const double value = piece->value * piece->scale;
    const bool number = piece->kind == PIECE_NUMBER;
    if (number ? !isfinite(value) : piece->text == NULL)
        return "-";
    if (!number)
        return piece->text;
    if (piece->decimals < 0)
        snprintf(text, CELL_MAX, "%.*g", -piece->decimals, value);
    else
        snprintf(text, CELL_MAX, "%.*f", piece->decimals,
                 fabs(value) < 0.5 * pow(10, -piece->decimals) ? 0 : value);
    return text;
}

static void put_cell(FILE *stream, const struct table *table, const struct table_cell *cell, int width)
{
    char line[CELL_MAX] = "", text[CELL_MAX];
    for (size_t p = 0; p < cell->pieces; p++) {
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s", text_of(&table->piece[cell->piece + p], text));
    }
    fprintf(stream, "%*s", width, line);
}

void table_columns(FILE *stream, const struct table *table, size_t widths, const int width[])
{
    for (size_t r = 0; r < table->rows; r++) {
        for (size_t c = 0; c < table->row[r].cells; c++) {
            const int columns = width[c < widths ? c : widths - 1];
            if (columns != COLUMN_HIDDEN)
                put_cell(stream, table, &table->cell[table->row[r].cell + c], columns);
        }
        fputc('\n', stream);
    }
}

void table_json(cJSON *list, const struct table *table, const char *const name[])
{
    for (size_t r = table->headed; r < table->rows; r++) {
        cJSON *const object = json_append_object(list);
        for (size_t c = 0; c < table->row[r].cells; c++) {
            const struct table_cell *const cell = &table->cell[table->row[r].cell + c];
            const struct table_piece *const piece = cell->pieces > 0 ? &table->piece[cell->piece] : NULL;
            if (name[c] != NULL && piece != NULL)
                JSON_PUT(object, {name[c], piece->kind == PIECE_NUMBER ? OF_NUMBER(piece->value)
                                                                       : OF_TEXT(piece->text)});
        }
    }
}
