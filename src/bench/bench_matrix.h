/** A step as a product with a sparse matrix, beside the stencil: how many times slower, and is it the same?
 */
#ifndef SRC_BENCH_MATRIX_H
#define SRC_BENCH_MATRIX_H

#include "src/bench/bench.h"

/** Membranes of two sizes and a cube of bench->own.edge nodes (64 unless that is asked for), in double, on so
 * many threads (a membrane's stencil on one); prints a line, or an object of JSON. FAILURE_ANSWER_NO where
 * the two fields differ by more than rounding, FAILURE_CAPACITY where the program has no GraphBLAS. */
int bench_matrix(struct bench *bench, struct failure *failure);

#endif
