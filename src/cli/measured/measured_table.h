/** Measured figures in a table, for `compare RUN TABLE.csv`: one row a response and figure.
 *
 *     state,source,receiver,quantity,125,250,500,..
 *     open,S1,R1,T30_s,0.96,1.07,1.08,..
 *     open,S1,R1,T30_s_std,0.05,0.03,0.04,..
 *
 * The columns `source`, `receiver` and `quantity` are needed, and those of octaves have their nominal
 * frequencies as names [Hz]. A quantity is the word of a figure (figure_table.h, in letters of any case), its
 * unit (s, ms, dB, percent; none: a share) and, of a row of standard deviations, _std; other quantities are
 * left out. Another column, as `state` here, tells several tables apart: TABLE.csv=open takes the rows that
 * have this word in it. */
#ifndef SRC_MEASURED_TABLE_H
#define SRC_MEASURED_TABLE_H

#include "src/run_folder/run_model.h"

/** Zeroed is empty, freed by measured_table_free(). */
struct measured_table {
    size_t count;                 /* responses, each of a source and a receiver */
    struct record_response *item; /* source, receiver, octaves, figures, and error, 1.645 deviations; owned */
    size_t left_out;              /* rows of other quantities */
};

/** @param state the word of the rows; NULL: all. FAILURE_INPUT with the line: a column that is missing, a
 * number that is none, a row that comes twice, or no row at all; FAILURE_CAPACITY. */
int measured_table_read(const char *path, const char *state, struct measured_table *out,
                        struct failure *failure);
void measured_table_free(struct measured_table *table);

#endif
