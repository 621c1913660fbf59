/** Figures of two runs side by side, in just noticeable differences (JND, figure_table.h), as rows that every
 * form of a comparison walks: JSON, tables, sentences.
 *
 *     difference = second - first,   JNDs = difference / JND;   of reverberation times the JND is 5 % of the
 * first
 *
 * A run with --repeat-shifted has for each figure how far an offset of the grid changes it; a difference of
 * two runs is uncertain by the sum of that of both (`spread`).
 */
#ifndef SRC_COMPARED_ROWS_H
#define SRC_COMPARED_ROWS_H

#include "src/response/acoustics/octave_decay.h"
#include "src/run_folder/run_model.h"

/** NaN where absent. */
struct compared_value {
    double first, second, difference, jnds;
    double spread;     /* by which an offset of the grid may change the difference; NaN: not known */
    unsigned marks[2]; /* of the decay, first and second; of a mean those of any place: figure_table.h */
};

enum certainty {
    CERTAINTY_UNKNOWN, /* no spread, or no difference */
    CERTAINTY_WITHIN,  /* not farther apart than an offset of the grid moves them */
    CERTAINTY_BEYOND
};
enum certainty compared_certainty(const struct compared_value *value);

/** One figure from both runs; each spread may be NaN. */
struct compared_value compared_value_make(enum figure figure, double first, double second,
                                          double first_spread, double second_spread);

extern const struct compared_value compared_absent;

/* ---- octaves ---- */

struct octave_list {
    size_t count;
    int hz[OCTAVE_BANDS_MAX]; /* as they are called, rising */
};

/** Add the octaves that both lists of centres have [Hz], in order and each once. */
void octave_list_add(struct octave_list *list, const struct json_numbers *first,
                     const struct json_numbers *second);

/** The number in the octave called `hz`, of those that stand beside `centres`; NaN where there is none. */
double octave_number(const struct json_numbers *centres, const struct json_numbers *numbers, int hz);

/** Where the figures of a response or of a map are kept. */
struct recorded_figures {
    const struct json_numbers *octaves;
    const struct figure_values *value, *spread;
    const struct record_response *response; /* NULL: of a map, */
    const struct json_texts *marks;         /* whose decays have these */
};
struct recorded_figures figures_of_response(const struct record_response *response);
struct recorded_figures figures_of_map(const struct record_map *map);

struct compared_value compared_in_octave(enum figure figure, const struct recorded_figures run[2], int hz);
struct compared_value compared_single(enum figure figure, const struct recorded_figures run[2]);

/* ---- rows ---- */

/** One figure in one octave, or its single number: the mean over the places that have it in both runs. */
struct compared_row {
    enum figure figure;
    int octave;  /* as it is called [Hz]; 0: the single number */
    size_t band; /* of that octave among those compared */
    struct compared_value value;
    size_t places;  /* so many */
    size_t noticed; /* with 1 JND or more */
    double largest; /* the JNDs of the place that differs most; NaN without */
    size_t where;   /* that place, by number */
};

#define COMPARED_ROWS_MOST (OCTAVE_FIGURES * OCTAVE_BANDS_MAX + ALL_FIGURES)

/** Zeroed is empty. Only figures that both runs have at some place: first, in the order of enum figure, those
 * by octave, with a row for each octave that is compared; then the single numbers. */
struct compared_rows {
    size_t count;
    struct compared_row row[COMPARED_ROWS_MOST];
};

/** Is that a single number of a figure that is compared by octave too? */
bool compared_is_repeated(const struct compared_row *row);

/** The row as the mean of `count` values, each `stride` bytes after the one before. */
void compared_row_mean(struct compared_row *row, const struct compared_value *value, size_t count,
                       size_t stride);

/** Add a figure's rows; where none of them has a difference they are left out. */
void compared_rows_add(struct compared_rows *rows, const struct compared_row *row, size_t count);

#endif
