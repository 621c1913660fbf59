/** Times a step as a product with a sparse matrix next to the stencil, and compares the fields. */
#ifndef SRC_BENCH_MATRIX_H
#define SRC_BENCH_MATRIX_H

#include "src/bench/bench.h"

/** Membranes of two sizes and a cube of bench->own.edge nodes (64 by default), in double, on so many threads
 * (a membrane's stencil on one); prints a line, or an object of JSON. FAILURE_ANSWER_NO if the two fields
 * differ by more than rounding, FAILURE_CAPACITY without GraphBLAS. */
int bench_matrix(struct bench *bench, struct failure *failure);

#endif
