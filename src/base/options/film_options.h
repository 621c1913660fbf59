/** The options that only `film` has, and the planes and times that they mean.
 */
#ifndef SRC_FILM_OPTIONS_H
#define SRC_FILM_OPTIONS_H

#include <stddef.h>

#include "src/base/options/options.h"

#define FILM_SLICES_MAX 16
#define FILM_TIMES_MAX  10000 /* pictures of a slice, and fields */

enum film_files { FILM_PNG, FILM_VTKHDF, FILM_BOTH };

/** Start with film_options_default(); owned: film_options_free(). */
struct film_options {
    struct option_texts slice; /* AXIS=METRES */
    const char *field;         /* TIME[,TIME..]; NULL: none */
    double from, until;        /* of slices, from the emission on [s] */
    double every;              /* 0: auto, at most one a step [s] */
    int files;                 /* enum film_files: of slices */
    int scale;                 /* enum paint_scale */
    double full;               /* pressure of full colour */
    bool plain;                /* slices without time and scale below */

    /* film_options_read() */
    struct {
        int axis;
        double position;      /* [m] */
    } plane[FILM_SLICES_MAX]; /* (slice.count); if none and no field: a level one */
    size_t slice_times, field_times;
    double *slice_time, *field_time; /* rising [s] */
};

/** The table, for options_parse(): its base is a struct film_options. */
struct option_set film_option_set(struct film_options *own);

/** FAILURE_INPUT never: it reads the table's own words. */
int film_options_default(struct film_options *own, struct failure *failure);
void film_options_free(struct film_options *own);

/** Planes and times from what was typed. FAILURE_INPUT, with an example: no slice, --until before --from, no
 * time, a time before the emission or after 9.9 s, a time of --field twice, or too many. */
int film_options_read(struct film_options *own, struct failure *failure);

#endif
