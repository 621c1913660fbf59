#include "src/draw/table_html.h"

#include "src/response/acoustics/figure_table.h"
#include "src/draw/html.h"
#include "src/base/words/words.h"

void html_marks(FILE *page, unsigned marks)
{
    char text[FIGURE_MARKS_MAX];
    const char *comma = "";
    if (marks == 0)
        return;
    fputs("<sup class=\"marks\" title=\"", page);
    for (size_t i = 0; i < FIGURE_MARKS; i++)
        if ((marks >> i & 1) != 0) {
            fputs(comma, page);
            html_text(page, T(figure_mark_words[i]));
            comma = "; ";
        }
    fprintf(page, "\">%s</sup>", figure_marks_text(marks, text));
}

static void put_piece(FILE *page, const struct table_piece *piece)
{
    const char *const key = piece->key;
    switch (piece->kind) {
    case PIECE_WORDS:
        if (key != NULL) {
            fputs("<abbr title=\"", page);
            html_text(page, key);
            fprintf(page, "\">%s</abbr>", piece->text);
            break;
        } /* fall through */
    case PIECE_MARKUP:
        fputs(piece->text != NULL ? piece->text : "", page);
        break;
    case PIECE_MARKS:
        html_marks(page, figure_marks_read(piece->text));
        break;
    case PIECE_STRING:
        if (key != NULL)
            html_string(page, piece->text, "%s", key);
        else
            html_text(page, piece->text);
        break;
    case PIECE_WORD:
        html_word(page, piece->text, "%s", key);
        break;
    case PIECE_NUMBER:
        html_number(page, piece->value, piece->decimals, piece->scale, "%s", key);
        break;
    case PIECE_COUNT:
        html_count(page, piece->value, "%s", key);
        break;
    case PIECE_BYTES:
        html_bytes(page, piece->value, "%s", key);
        break;
    }
}

static void put_pieces(FILE *page, const struct table *table, const struct table_cell *cell)
{
    for (size_t p = 0; p < cell->pieces; p++)
        put_piece(page, &table->piece[cell->piece + p]);
}

static void put_class(FILE *page, const char *class)
{
    if (class != NULL)
        fprintf(page, " class=\"%s\"", class);
}

static void put_row(FILE *page, const struct table *table, size_t r)
{
    const struct table_row *const row = &table->row[r];
    const bool heads = r == 0 && table->headed;
    fputs(heads ? "<thead><tr" : "<tr", page);
    put_class(page, row->class);
    fputs(">", page);
    for (size_t c = 0; c < row->cells; c++) {
        const struct table_cell *const cell = &table->cell[row->cell + c];
        fputs(cell->head ? "<th" : "<td", page);
        if (cell->head)
            fprintf(page, " scope=\"%s\"", heads ? "col" : "row");
        put_class(page, cell->class);
        fputs(">", page);
        put_pieces(page, table, cell);
        fputs(cell->head ? "</th>" : "</td>", page);
    }
    fputs(heads ? "</tr></thead>\n<tbody>\n" : "</tr>\n", page);
}

void table_html(FILE *page, const struct table *table)
{
    fputs("<table", page);
    put_class(page, table->class);
    if (table->name != NULL) {
        fputs(" data-table=\"", page);
        html_text(page, table->name);
        fputs("\"", page);
    }
    fputs(">\n", page);
    if (table->cells > 0 && table->cell[0].pieces > 0) {
        fputs("<caption>", page);
        put_pieces(page, table, &table->cell[0]);
        fputs("</caption>\n", page);
    }
    if (!table->headed)
        fputs("<tbody>\n", page);
    for (size_t r = 0; r < table->rows; r++)
        put_row(page, table, r);
    fputs("</tbody>\n</table>\n", page);
}
