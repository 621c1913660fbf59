/* Without GraphBLAS. */
#include "kernels/matrix/sparse_matrix.h"

bool sparse_steps_known(void)
{
    return false;
}

int sparse_steps_create(struct sparse_steps **out, const struct step_matrix *step, int threads,
                        struct failure *failure)
{
    (void)out;
    (void)step;
    (void)threads;
    return failure_set(failure, FAILURE_CAPACITY,
                       "this program was built without SuiteSparse:GraphBLAS, which multiplies by sparse "
                       "matrices (Debian: libgraphblas-dev)");
}

void sparse_steps_free(struct sparse_steps *steps)
{
    (void)steps;
}

double *sparse_steps_level(struct sparse_steps *steps, int level)
{
    (void)steps;
    (void)level;
    return NULL;
}

int sparse_steps_run(struct sparse_steps *steps, uint64_t count, struct failure *failure)
{
    (void)steps;
    (void)count;
    (void)failure;
    return 0;
}
