/** Steps as products with a sparse matrix, in compressed rows, by SuiteSparse:GraphBLAS (Apache-2.0;
 * CHOLMOD's and CSparse's products are not used: the first is under the GPL, the second knows one thread).
 *
 *   x+ = A x + d x_old [+ C x_old]        d: the diagonal of the matrix of x_old, C the rest of it
 *
 * No run uses this: `bench --matrix` compares it with stencils, and a test compares the values.
 */
#ifndef KERNELS_SPARSE_MATRIX_H
#define KERNELS_SPARSE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

struct engine;
struct membrane;

/** Square, row by row: entries first[i] .. first[i + 1] - 1 are of row i, columns rise. Owned. */
struct csr {
    uint64_t rows;
    uint64_t *first;  /* (rows + 1) */
    uint64_t *column; /* (first[rows]) */
    double *value;
};
uint64_t csr_bytes(const struct csr *csr);

/** A step: d is (rows); C is empty if d is the whole matrix. Owned: step_matrix_free(). */
struct step_matrix {
    struct csr a, c;
    double *d;
};
void step_matrix_free(struct step_matrix *step);

/** The step of a membrane without pressure; x has its nodes in the order of membrane->node. FAILURE_CAPACITY.
 */
int step_matrix_of_membrane(const struct membrane *membrane, struct step_matrix *out,
                            struct failure *failure);

/** The step of a room in blocks, with the standard scheme and staircase walls without states. x has the air
 * nodes in the order of their pressure indices `*index` (rows; free()). FAILURE_INPUT for another room;
 * FAILURE_CAPACITY. */
int step_matrix_of_room(const struct engine *engine, struct step_matrix *out, uint64_t **index,
                        struct failure *failure);

struct sparse_steps;

/** The library, loaded by create(). */
struct sparse_table {
    /** Steps in double by this number of threads. Copies `step`. FAILURE_CAPACITY for memory, or if the
     * library cannot be loaded. */
    int (*create)(struct sparse_steps **out, const struct step_matrix *step, int threads,
                  struct failure *failure);
    void (*free)(struct sparse_steps *steps);
    /** The newest level (0) and the one before (1), (rows) each, to be read and set between steps. */
    double *(*level)(struct sparse_steps *steps, int level);
    /** FAILURE_OUTPUT if the library reports a failure. */
    int (*run)(struct sparse_steps *steps, uint64_t count, struct failure *failure);
};

/** NULL: built without GraphBLAS. */
extern const struct sparse_table *const sparse_table;

#endif
