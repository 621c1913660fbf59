/** Reverberation times that were measured in a room, and the pairs of source and receiver that they are of.
 *
 * A table has octaves in its columns or down its rows, numbers in seconds, `-` or nothing where there is
 * none:
 *
 *     source,receiver,figure,125,250,500          frequency,T30          f [Hz];S1_R1;S1_R2
 *     S1,R1,T30,0.96,1.07,1.08                    125,0.92               125;0,96;0,94
 *
 * `source`, `receiver` and `figure` may be absent: times of any pair, times of the figure that is wanted.
 * Rows of other figures and rows of deviations (T30_std) are left out. The third form names pairs or
 * receivers.
 */
#ifndef SRC_MEASURED_TIMES_H
#define SRC_MEASURED_TIMES_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "rooms/materials/material.h"
#include "src/response/acoustics/figure_table.h"

#define MEASURED_NAME_MAX 120
#define MEASURED_MOST     60.0 /* a longer time is refused [s] */

struct measured_row {
    char source[MEASURED_NAME_MAX], receiver[MEASURED_NAME_MAX]; /* empty: of any */
    char label[MEASURED_NAME_MAX]; /* empty, or what may name a pair: a heading, a file without its ending */
    bool of_file;                  /* the label is that of a file, which need not name one */
    double seconds[MATERIAL_OCTAVES]; /* NaN: none */
    char place[200];                  /* "T.csv, line 3", for sentences */
};

/** Owned, freed by measured_times_free(); zeroed is empty. */
struct measured_times {
    enum figure figure; /* set before the first: FIGURE_EDT, _T20 or _T30 */
    size_t count, capacity;
    struct measured_row *row;
};
void measured_times_free(struct measured_times *times);

/** Append a copy. FAILURE_CAPACITY. */
int measured_times_add(struct measured_times *times, const struct measured_row *row, struct failure *failure);

/** Append the rows of a table. FAILURE_INPUT names file, line and value of a fault; also for a table without
 * a time of the wanted figure. FAILURE_CAPACITY. */
int measured_times_read(struct measured_times *times, const char *path, struct failure *failure);

/** The number of a material's octave by its exact or nominal centre [Hz]; -1: it has none there. */
int measured_octave(double centre);

/** True if the row is of that pair. A label names it as SOURCE and RECEIVER with `_`, `-` or a blank between
 * them, behind `ir_` or not, or as the receiver alone. */
bool measured_row_names(const struct measured_row *row, const char *source, const char *receiver);

/** True if the row names no pair, and is of all. */
bool measured_row_is_of_all(const struct measured_row *row);

#endif
