/** How two runs differ to the ear: every figure of every response that both have, in just noticeable
 * differences (JND, acoustic_figures.h).
 *
 *     difference = second - first,   JNDs = difference / JND;   of reverberation times the JND is 5 % of the
 * first
 *
 * Responses belong together where source and receiver have the same names, octaves where they are called the
 * same. Means are over the pairs that have a figure in both runs, so that both means are of the same places.
 *
 * A run with --repeat-shifted tells of each figure how far it moves with the place of the grid; a difference
 * of two runs is known to the sum of that of both (`spread`).
 */
#ifndef SRC_RUN_COMPARE_H
#define SRC_RUN_COMPARE_H

#include <cjson/cJSON.h>

#include "src/acoustics/acoustic_figures.h"
#include "src/record/run_folder.h"
#include "src/setup/receiver_grid.h"

/** NaN where absent. */
struct compared_value {
    double first, second, difference, jnds;
    double spread; /* how far the difference may be off by the place of the grid; NaN: no run tells */
};

enum certainty {
    CERTAINTY_UNKNOWN, /* no spread, or no difference */
    CERTAINTY_WITHIN,  /* not farther apart than the place of the grid moves them */
    CERTAINTY_BEYOND
};
enum certainty compared_certainty(const struct compared_value *value);

/** One figure from both runs; in_jnds() is its last step. `spread` of each run may be NaN. */
struct compared_value compared_value_make(const struct figure_kind *kind, double first, double second,
                                          double first_spread, double second_spread);

/** A source and a receiver that both runs have. */
struct compared_pair {
    const cJSON *response[2]; /* borrowed from the records, as the names */
    const char *source, *receiver;
    double source_moved, receiver_moved; /* how far their positions are apart [m]; NaN: not told */
    struct compared_value octave[OCTAVE_FIGURES][OCTAVE_BANDS_MAX];
    struct compared_value single[ALL_FIGURES];
};

/** Means over the places that have a figure in both runs. */
struct compared_mean {
    struct compared_value value;
    size_t places;  /* so many */
    size_t noticed; /* with 1 JND or more */
    double largest; /* the JNDs of the place that differs most; NaN without */
    size_t where;   /* that place, by number */
};

/** One receiver grid heard from one source. */
struct compared_grid {
    const char *name, *source; /* borrowed, as the maps in run.json */
    const cJSON *map[2];
    bool by_point; /* mean, noticed and largest are over points that both have; else both means are each run's
                      own over all its points, `places` is the fewer, `noticed` 0 and `largest` NaN */
    char why[400]; /* it is not by point; empty where it is */
    char (*place)[RECEIVER_GRID_NAME_MAX]; /* (points) their names, where by_point; owned */
    size_t points[2];
    struct compared_mean mean[PRESSURE_FIGURES][OCTAVE_BANDS_MAX];
};

/** What differs in the set-up of two runs. */
struct run_change {
    const char *key;             /* in run.json: "fmax_hz", "materials" */
    bool caution;                /* it makes the comparison less than it seems */
    const cJSON *first, *second; /* borrowed, or NULL */
    char words[600];
};

/** Zeroed is empty, freed by run_comparison_free(). Borrows both folders. */
struct run_comparison {
    const struct run_folder *run[2];
    size_t bands; /* octaves that both have in some pair or map */
    int octave[OCTAVE_BANDS_MAX];
    size_t pairs;
    struct compared_pair *pair;
    size_t unpaired[2]; /* responses of either run without a partner */
    const cJSON **alone[2];
    struct compared_mean mean[OCTAVE_FIGURES][OCTAVE_BANDS_MAX];
    struct compared_mean single[ALL_FIGURES];
    struct compared_value sabine[OCTAVE_BANDS_MAX], eyring[OCTAVE_BANDS_MAX]; /* expected */
    size_t grids;
    struct compared_grid *grid;
    size_t changes; /* cautions first */
    struct run_change *change;
};

/** Compare the second run with the first. What one of them lacks is absent, never 0; a map's table that
 * cannot be read is a reason in its grid. FAILURE_CAPACITY without memory. */
int run_compare(const struct run_folder *first, const struct run_folder *second, struct run_comparison *out,
                struct failure *failure);
void run_comparison_free(struct run_comparison *comparison);

/** The whole comparison as JSON, owned by the caller; NULL without memory. Absent values are null.
 *
 *     first, second  names of the folders
 *     finding     what a listener would notice, in words
 *     matched     how many pairs of responses there are
 *     unmatched_first, unmatched_second   source, receiver of responses without a partner
 *     only_first, only_second   what else only one run has: run_compare_alone_add() in run_compare_grids.h
 *     octaves_hz  those that both runs have, as they are called
 *     figures     of each that both have: `name` (in JSON), `word`, `unit`, `jnd`, `relative`, and by
 *                 octave: `first`, `second` (means), `difference`, `jnds`, `largest_jnds` (of one pair,
 *                 without sign), `largest_at` (its number in `pairs`), `noticed` (so many pairs by 1 JND
 *                 or more), `pairs`, `spread`, `certain` (beyond the spread; null: not known)
 *
 *     single_numbers   likewise, each one number
 *
 *     largest     the figure and octave whose mean differs by the most: `word`, `octave_hz`, `jnds`; or null
 *
 *     expected    `sabine_s` and `eyring_s`: first, second, difference, jnds by octave
 *
 *     pairs       every pair: source, receiver, source_moved_m, receiver_moved_m, octaves of each figure
 *                 and single numbers
 *
 *     grids       name, source, by_point, why, points_first, points_second and figures as above
 *
 *     changes     key, caution, words, first, second */
cJSON *run_comparison_json(const struct run_comparison *comparison);

#endif
