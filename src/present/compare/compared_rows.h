/** Differences of two runs by figure, in just noticeable differences (JND, figure_table.h): the rows from
 * which JSON, tables and sentences are made.
 *
 *     difference = second - first,   JNDs = difference / JND   (of reverberation times 5 % of the first)
 *
 * A run with --repeat-shifted has for each figure its change with an offset of the grid. The difference of
 * two runs is uncertain by the sum of both changes (`spread`).
 *
 * Figures have error bars (record_error.h). What rays have of that of a difference is the root of the sum of
 * both squares, as if the errors of the runs were independent; a figure of waves adds nothing. Two runs of
 * one room share the error of the scattering and much of the interference, and the record does not say with
 * which sign. Their difference is then known better, so that the bar is on the safe side. What absorption has
 * is that of the surfaces that differ (absorption_change.h). The bar of a mean over places is the mean of
 * their bars, since places share errors too.
 */
#ifndef SRC_COMPARED_ROWS_H
#define SRC_COMPARED_ROWS_H

#include "src/response/acoustics/octave_edges.h"
#include "src/run_folder/run_model.h"

/** NaN where absent. */
struct compared_value {
    double first, second, difference, jnds;
    double spread;     /* the difference may change as much with an offset of the grid; NaN: unknown */
    double error;      /* its error bar; NaN: neither figure has one */
    unsigned marks[2]; /* of the decay, first and second (figure_table.h); of a mean those of any place */
};

enum certainty {
    CERTAINTY_UNKNOWN, /* neither spread nor error bar, or no difference */
    CERTAINTY_WITHIN,  /* the difference is at most one of these */
    CERTAINTY_BEYOND
};
enum certainty compared_certainty(const struct compared_value *value);

/** True if it is at most its error bar. */
bool compared_is_within_error(const struct compared_value *value);

/** One figure of both runs; each spread may be NaN. */
struct compared_value compared_value_make(enum figure figure, double first, double second,
                                          double first_spread, double second_spread);

extern const struct compared_value compared_absent;

/** Give it the error bars of both figures; NaN: none. */
void compared_value_errors(struct compared_value *value, double first, double second);

/** The error bar of a figure of a response in an octave without what absorption has of it; NaN: none. */
double compared_rest_of_error(const struct record_response *response, enum figure figure, int hz);

/* ---- octaves ---- */

struct octave_list {
    size_t count;
    int hz[BANDS_MAX]; /* nominal, rising */
};

/** Add the octaves whose centres are in both lists [Hz], in order and each once. */
void octave_list_add(struct octave_list *list, const struct json_numbers *first,
                     const struct json_numbers *second);

/** The number in the nominal octave `hz`; `numbers` are in the octaves `centres`. NaN: absent. */
double octave_number(const struct json_numbers *centres, const struct json_numbers *numbers, int hz);

/** The figures of a response or of a map; borrowed. */
struct recorded_figures {
    const struct json_numbers *octaves;
    const struct figure_values *value, *spread, *error;
    const struct record_response *response; /* NULL: of a map */
    const struct json_texts *marks;         /* of the decays of a map */
};
struct recorded_figures figures_of_response(const struct record_response *response);
struct recorded_figures figures_of_map(const struct record_map *map);

struct compared_value compared_in_octave(enum figure figure, const struct recorded_figures run[2], int hz);
struct compared_value compared_single(enum figure figure, const struct recorded_figures run[2]);

/* ---- rows ---- */

/** One figure in one octave, or its single number: the mean over the places that have it in both runs. */
struct compared_row {
    enum figure figure;
    int octave;  /* nominal [Hz]; 0: the single number */
    size_t band; /* of that octave among those compared */
    struct compared_value value;
    size_t places;  /* number of places */
    size_t noticed; /* of them, with 1 JND or more */
    double largest; /* JNDs of the place that differs most; NaN: none */
    size_t where;   /* its number */
};

#define COMPARED_ROWS_MOST (OCTAVE_FIGURES * OCTAVE_BANDS_MAX + ALL_FIGURES)

/** Zeroed is empty. Figures that both runs have at some place: first those by octave, in the order of enum
 * figure, with a row for each compared octave; then the single numbers. */
struct compared_rows {
    size_t count;
    struct compared_row row[COMPARED_ROWS_MOST];
};

/** True for a single number whose figure is compared by octave too. */
bool compared_is_repeated(const struct compared_row *row);

/** The row as the mean of `count` values, each `stride` bytes after the one before. */
void compared_row_mean(struct compared_row *row, const struct compared_value *value, size_t count,
                       size_t stride);

/** Add the rows of a figure, unless none of them has a difference. */
void compared_rows_add(struct compared_rows *rows, const struct compared_row *row, size_t count);

#endif
