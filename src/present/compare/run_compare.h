/** Compares two runs: every figure of every response that both have, in just noticeable differences.
 *
 * Two responses form a pair if their sources and receivers have the same names. Octaves are compared if they
 * have the same nominal frequency. Means are over the pairs that have a figure in both runs, so that both
 * means are of the same places.
 */
#ifndef SRC_RUN_COMPARE_H
#define SRC_RUN_COMPARE_H

#include "src/present/compare/compared_rows.h"
#include "src/run_folder/run_folder.h"
#include "src/draw/map_drawing.h"

/** A source and a receiver that both runs have. */
struct compared_pair {
    const struct record_response *response[2]; /* borrowed, as the names */
    const char *source, *receiver;
    double source_moved, receiver_moved; /* distance between their positions [m]; NaN: unknown */
    struct compared_value octave[OCTAVE_FIGURES][OCTAVE_BANDS_MAX];
    struct compared_value single[ALL_FIGURES];
};

/** The value of a pair for a row of the means. */
const struct compared_value *compared_of_pair(const struct compared_pair *pair,
                                              const struct compared_row *row);

/** One receiver grid and source. */
struct compared_grid {
    const char *name, *source; /* borrowed, as the maps */
    const struct record_map *map[2];
    bool by_point; /* true: rows are over points that both have; false: means are each run's own over all its
                      points, `places` is the smaller number, `noticed` 0 and `largest` NaN */
    char why[400]; /* reason if it is not by point, else empty */
    char (*place)[MAP_POINT_NAME_MAX]; /* (points) their names, where by_point; owned */
    size_t points[2];
    struct compared_rows rows; /* of figures of a pressure response by octave */
};

/** A figure that only one run has in a pair. */
struct only_figure {
    enum figure figure;
    struct octave_list octaves; /* of those that are compared */
    bool single;                /* as a single number */
};

struct only_map {
    const char *grid, *source; /* borrowed */
};

/** Octaves, figures and maps that only one run has. */
struct only_one_run {
    struct octave_list octaves;
    size_t figures;
    struct only_figure figure[ALL_FIGURES];
    size_t maps;          /* without a partner */
    struct only_map *map; /* owned */
};

/** One difference between the set-ups of two runs. */
struct run_change {
    const char *key;         /* in run.json: "fmax_hz", "materials" */
    bool caution;            /* it limits the comparison */
    struct json_field field; /* kind, and table, of the values */
    const void *value[2];    /* members of both runs' models; borrowed, NULL: none */
    char words[600];
};

/** Zeroed is empty, freed by run_comparison_free(). Borrows both folders. */
struct run_comparison {
    const struct run_folder *run[2];
    struct octave_list octaves;     /* that both have in some pair or map */
    bool rays[2][OCTAVE_BANDS_MAX]; /* figures of that run in that octave are from rays */
    size_t pairs;
    struct compared_pair *pair;
    size_t unpaired[2]; /* responses of either run without a partner */
    const struct record_response **alone[2];
    struct compared_rows rows;                                                /* means over the pairs */
    struct compared_value sabine[OCTAVE_BANDS_MAX], eyring[OCTAVE_BANDS_MAX]; /* expected */
    struct octave_list thirds; /* that all pairs have in both runs; none if one was made without them */
    struct compared_row third[PRESSURE_FIGURES][BANDS_MAX]; /* means over the pairs in them */
    size_t grids;
    struct compared_grid *grid;
    struct only_one_run only[2];
    size_t changes; /* cautions first */
    struct run_change *change;
};

/** Compare the second run with the first. Values that one of them lacks are absent, never 0. If the table of
 * a map cannot be read, its grid has the reason. FAILURE_CAPACITY without memory. */
int run_compare(const struct run_folder *first, const struct run_folder *second, struct run_comparison *out,
                struct failure *failure);
void run_comparison_free(struct run_comparison *comparison);

/* ---- its parts, in this order; FAILURE_CAPACITY ---- */

/** Find grids of the same name with maps from sources of the same name, and add their octaves
 * (compare_maps.c). */
int compare_maps_find(struct run_comparison *comparison, struct failure *failure);

/** Compare them once all octaves are known: point by point if both tables can be read and have the same
 * points (to 1 mm), otherwise their means. */
int compare_maps(struct run_comparison *comparison, struct failure *failure);

/** Fill comparison->only once pairs, maps and octaves are known (only_one_run.c). */
int only_one_run_find(struct run_comparison *comparison, struct failure *failure);

/** Fill comparison->change after responses and grids were paired: differences of the set-up, and limits of
 * the comparison first (run_changes.c). */
int run_changes_find(struct run_comparison *comparison, struct failure *failure);

/** True if both names are present and equal. */
bool same_name(const char *one, const char *other);

#endif
