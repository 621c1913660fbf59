/** What a film shows: the options of `film` that no other command has, and the times that they mean. */
#ifndef SRC_FILM_OPTIONS_H
#define SRC_FILM_OPTIONS_H

#include <stddef.h>

#include "src/options/options.h"

#define FILM_SLICES_MAX 16
#define FILM_TIMES_MAX  10000 /* pictures of a slice, and fields */

enum film_files { FILM_PNG, FILM_VTKHDF, FILM_BOTH };

/** As typed; defaults are set by film_options_default(). */
struct film_options {
    struct option_texts slice; /* AXIS=METRES */
    const char *field;         /* TIME[,TIME..]; NULL: none */
    double from, until, every; /* of slices, from the emission on [s] */
    int files;                 /* enum film_files: of slices */
    int scale;                 /* enum paint_scale */
    double full;               /* pressure of full colour */
};

/** The table, for options_parse(): its base is a struct film_options. */
struct option_set film_option_set(struct film_options *own);

/** FAILURE_INPUT never: it reads the table's own words. */
int film_options_default(struct film_options *own, struct failure *failure);
void film_options_free(struct film_options *own);

/** "x=1.5": the axis and where [m]. FAILURE_INPUT with an example. */
int film_read_slice(const char *text, int *axis, double *position, struct failure *failure);

/** Times of slices [s] into `time` (FILM_TIMES_MAX). FAILURE_INPUT where --until is before --from, or there
 * would be more of them. */
int film_slice_times(const struct film_options *own, double *time, size_t *count, struct failure *failure);

/** Times of --field, rising. FAILURE_INPUT for what is no time, one before the emission or after 9.9 s, one
 * twice, or too many. */
int film_field_times(const struct film_options *own, double *time, size_t *count, struct failure *failure);

#endif
