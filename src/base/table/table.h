/** One typed table and its forms: HTML (src/draw/table_html.h), CSV, columns of text and JSON
 * (table_columns.h). A cell is a list of pieces. A piece has a kind: fixed words, a text or a number of the
 * data with its scale and decimals, or the marks of a decay. An absent value (NaN, NULL) is a piece too; each
 * form has its own sign for it. The reason of absence follows as words.
 *
 *     struct table table;
 *     table_begin(&table, "figures");
 *     table_words(&table, "Means over 6 responses");            the caption
 *     TABLE_HEADS(&table, "octave", "125 Hz");
 *     table_row(&table, NULL);
 *     table_head(&table);
 *     table_words(&table, "T30 s");
 *     table_cell(&table, NULL);
 *     table_number(&table, 1.33, 2, 1, "means.t30_s.%zu", band);
 *     table_marks(&table, "c");
 *     ..
 *     table_free(&table);
 *
 * Memory comes from json_memory.h. If it runs out the table is incomplete; a writer of a file asks
 * json_memory_ran_out() before it keeps the file.
 */
#ifndef SRC_TABLE_H
#define SRC_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum piece_kind {
    PIECE_WORDS,  /* of this program: UTF-8 and &nbsp;, not escaped */
    PIECE_STRING, /* a text of the data; NULL: absent */
    PIECE_WORD,   /* a choice in the data, translated when shown; NULL: absent */
    PIECE_NUMBER, /* NaN: absent */
    PIECE_COUNT,  /* a whole number, shown with thin blanks */
    PIECE_BYTES,  /* shown in B to TB */
    PIECE_MARKS,  /* letters of enum figure_mark */
    PIECE_MARKUP, /* of HTML alone */
};

struct table_piece {
    enum piece_kind kind;
    int decimals;        /* as number_text() takes them */
    double value, scale; /* shown is their product */
    char *text;          /* owned */
    char *key; /* owned: its place in the data of a page, "runs.0.run.means.t30_s.2", or what explains words;
                  NULL: none */
};

struct table_cell {
    bool head;         /* of its row, or of its column */
    const char *class; /* borrowed, as all classes are; NULL: none */
    size_t piece, pieces;
};

struct table_row {
    const char *class;
    size_t cell, cells;
};

/** Begun by table_begin(), freed by table_free(). */
struct table {
    const char *class;
    char *name;  /* owned: of its file; NULL: the last word of its class */
    bool headed; /* the first row holds the heads of the columns */
    size_t rows, cells, pieces;
    struct table_row *row;
    struct table_cell *cell; /* the first is the caption */
    struct table_piece *piece;
};

/** Start an empty table; the next pieces are the caption. */
void table_begin(struct table *table, const char *class);
void table_free(struct table *table);
__attribute__((format(printf, 2, 3))) void table_name(struct table *table, const char *format, ...);

/** Rows and cells, one after the other; the row of heads, if any, is the first. */
void table_row(struct table *table, const char *class);
void table_head(struct table *table);
void table_cell(struct table *table, const char *class);

/** Pieces of the last cell. Texts are copied. */
void table_words(struct table *table, const char *words);
void table_text(struct table *table, const char *text); /* a string without a key */
void table_explained(struct table *table, const char *words, const char *meaning);
void table_unit(struct table *table, const char *unit); /* behind its number; "" is none */
void table_marks(struct table *table, const char *marks);
void table_markup(struct table *table, const char *markup);
__attribute__((format(printf, 3, 4))) void table_string(struct table *table, const char *text,
                                                        const char *key, ...);
__attribute__((format(printf, 3, 4))) void table_word(struct table *table, const char *word, const char *key,
                                                      ...);
/** True if the value is present. */
__attribute__((format(printf, 5, 6))) bool table_number(struct table *table, double value, int decimals,
                                                        double scale, const char *key, ...);
bool table_value(struct table *table, double value, int decimals, double scale); /* without a key */
__attribute__((format(printf, 4, 5))) void table_whole(struct table *table, enum piece_kind kind,
                                                       double value, const char *key, ...);

/** A cell of one piece; a row that begins with a head of one. */
#define TABLE_NUMBER_CELL(table, ...) (table_cell(table, NULL), (void)table_number(table, __VA_ARGS__))
#define TABLE_VALUE_CELL(table, ...)  (table_cell(table, NULL), (void)table_value(table, __VA_ARGS__))
#define TABLE_WORD_CELL(table, ...)   (table_cell(table, NULL), table_word(table, __VA_ARGS__))
#define TABLE_WORDS_CELL(table, ...)  (table_cell(table, NULL), table_words(table, __VA_ARGS__))
#define TABLE_ROW_WORDS(table, ...)                                                                          \
    (table_row(table, NULL), table_head(table), table_words(table, __VA_ARGS__))
#define TABLE_ROW_STRING(table, ...)                                                                         \
    (table_row(table, NULL), table_head(table), table_string(table, __VA_ARGS__))

/** The row of heads of these words. */
void table_heads_of(struct table *table, size_t count, const char *const head[]);
#define TABLE_HEADS(table, ...)                                                                              \
    table_heads_of(table, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *),                 \
                   (const char *const[]){__VA_ARGS__})

#endif
