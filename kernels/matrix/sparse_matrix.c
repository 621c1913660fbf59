#include "kernels/matrix/sparse_matrix.h"

#include <GraphBLAS.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The library has 180 MB and takes 20 ms to load, so it is loaded only when such steps are made. The
 * functions and objects that are used: */
#define USED(X)                                                                                              \
    X(GrB_init)                                                                                              \
    X(GxB_Global_Option_set)                                                                                 \
    X(GxB_Matrix_import_CSR)                                                                                 \
    X(GrB_Matrix_free)                                                                                       \
    X(GrB_Vector_new)                                                                                        \
    X(GrB_Vector_free)                                                                                       \
    X(GxB_Vector_pack_Full)                                                                                  \
    X(GxB_Vector_unpack_Full)                                                                                \
    X(GrB_mxv)                                                                                               \
    X(GrB_FP64)                                                                                              \
    X(GrB_PLUS_FP64)                                                                                         \
    X(GrB_PLUS_TIMES_SEMIRING_FP64)
#define MEMBER(name) __typeof__(&name) at_##name;

struct graphblas {
    void *handle;
    USED(MEMBER)
};

static int load_library(struct graphblas *out, struct failure *failure)
{
    out->handle = dlopen(TRANSEPT_GRAPHBLAS_FILE, RTLD_NOW | RTLD_LOCAL);
    const char *missing = out->handle == NULL ? dlerror() : NULL;
#define FIND(name)                                                                                           \
    if (missing == NULL) {                                                                                   \
        void *found = dlsym(out->handle, #name);                                                             \
        missing = found == NULL ? #name : NULL;                                                              \
        memcpy(&out->at_##name, &found, sizeof found);                                                       \
    }
    USED(FIND)
    return missing == NULL
               ? 0
               : failure_set(failure, FAILURE_CAPACITY,
                             "SuiteSparse:GraphBLAS cannot be loaded (%s): install libgraphblas7", missing);
}

struct sparse_steps {
    struct graphblas library;
    uint64_t rows;
    double *d, *level[2]; /* (rows); level[now] is the newest */
    int now;
    GrB_Matrix a, c;     /* c NULL: none */
    GrB_Vector from, to; /* without values between products */
};

static int check_info(GrB_Info info, const char *what, struct failure *failure)
{
    if (info == GrB_SUCCESS)
        return 0;
    return info == GrB_OUT_OF_MEMORY ? failure_memory(failure, 0, what)
                                     : failure_set(failure, FAILURE_OUTPUT,
                                                   "GraphBLAS could not make %s (error %d)", what, (int)info);
}

/* Copy the arrays; GraphBLAS owns the copies. */
static int make_matrix(const struct graphblas *library, const struct csr *csr, GrB_Matrix *out,
                       struct failure *failure)
{
    const uint64_t entries = csr->first[csr->rows];
    GrB_Index *first = malloc((csr->rows + 1) * sizeof *first),
              *column = malloc((entries + 1) * sizeof *column);
    double *value = malloc((entries + 1) * sizeof *value);
    int code = first == NULL || column == NULL || value == NULL
                   ? failure_memory(failure, csr_bytes(csr), "a sparse matrix")
                   : 0;
    if (code == 0) {
        memcpy(first, csr->first, (csr->rows + 1) * sizeof *first);
        memcpy(column, csr->column, entries * sizeof *column);
        memcpy(value, csr->value, entries * sizeof *value);
        code =
            check_info(library->at_GxB_Matrix_import_CSR(
                           out, *library->at_GrB_FP64, csr->rows, csr->rows, &first, &column, (void **)&value,
                           (csr->rows + 1) * sizeof *first, (entries + 1) * sizeof *column,
                           (entries + 1) * sizeof *value, false, false, NULL),
                       "a sparse matrix", failure);
    }
    free(first); /* NULL after GraphBLAS has taken them */
    free(column);
    free(value);
    return code;
}

static void free_steps(struct sparse_steps *steps)
{
    if (steps == NULL)
        return;
    if (steps->from != NULL)
        (void)steps->library.at_GrB_Vector_free(&steps->from);
    if (steps->to != NULL)
        (void)steps->library.at_GrB_Vector_free(&steps->to);
    if (steps->a != NULL)
        (void)steps->library.at_GrB_Matrix_free(&steps->a);
    if (steps->c != NULL)
        (void)steps->library.at_GrB_Matrix_free(&steps->c);
    free(steps->d);
    free(steps->level[0]);
    free(steps->level[1]);
    free(steps);
}

static int create_steps(struct sparse_steps **out, const struct step_matrix *step, int threads,
                        struct failure *failure)
{
    struct sparse_steps *const steps = calloc(1, sizeof *steps);
    const uint64_t rows = step->a.rows;
    if (steps == NULL)
        return failure_memory(failure, sizeof *steps, "sparse steps");
    const struct graphblas *const library = &steps->library;
    int code = load_library(&steps->library, failure);
    if (code == 0) {
        /* Once in a process; later calls fail without effect. */
        (void)library->at_GrB_init(GrB_NONBLOCKING);
        (void)library->at_GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads);
    }
    steps->rows = rows;
    steps->d = malloc((rows + 1) * sizeof *steps->d);
    steps->level[0] = calloc(rows + 1, sizeof(double));
    steps->level[1] = calloc(rows + 1, sizeof(double));
    if (code == 0 && (steps->d == NULL || steps->level[0] == NULL || steps->level[1] == NULL))
        code = failure_memory(failure, 3 * rows * sizeof(double), "sparse steps");
    if (code == 0)
        memcpy(steps->d, step->d, rows * sizeof *steps->d);
    if (code == 0)
        code = make_matrix(library, &step->a, &steps->a, failure);
    if (code == 0 && step->c.first != NULL)
        code = make_matrix(library, &step->c, &steps->c, failure);
    if (code == 0)
        code = check_info(library->at_GrB_Vector_new(&steps->from, *library->at_GrB_FP64, rows), "a vector",
                          failure);
    if (code == 0)
        code = check_info(library->at_GrB_Vector_new(&steps->to, *library->at_GrB_FP64, rows), "a vector",
                          failure);
    if (code == 0)
        *out = steps;
    else
        free_steps(steps);
    return code;
}

static double *get_level(struct sparse_steps *steps, int level)
{
    return steps->level[steps->now ^ level];
}

/* to += matrix from, on arrays that the vectors borrow. */
static int add_product(struct sparse_steps *steps, GrB_Matrix matrix, double **from, double **to,
                       struct failure *failure)
{
    const struct graphblas *const library = &steps->library;
    const size_t bytes = (steps->rows + 1) * sizeof(double);
    GrB_Index size;
    bool iso;
    GrB_Info info = library->at_GxB_Vector_pack_Full(steps->from, (void **)from, bytes, false, NULL);
    if (info == GrB_SUCCESS)
        info = library->at_GxB_Vector_pack_Full(steps->to, (void **)to, bytes, false, NULL);
    if (info == GrB_SUCCESS)
        info = library->at_GrB_mxv(steps->to, NULL, *library->at_GrB_PLUS_FP64,
                                   *library->at_GrB_PLUS_TIMES_SEMIRING_FP64, matrix, steps->from, NULL);
    if (info == GrB_SUCCESS)
        info = library->at_GxB_Vector_unpack_Full(steps->to, (void **)to, &size, &iso, NULL);
    if (info == GrB_SUCCESS)
        info = library->at_GxB_Vector_unpack_Full(steps->from, (void **)from, &size, &iso, NULL);
    return check_info(info, "a product", failure);
}

static int run_steps(struct sparse_steps *steps, uint64_t count, struct failure *failure)
{
    for (uint64_t n = 0; n < count; ++n) {
        double **const now = &steps->level[steps->now], **const old = &steps->level[steps->now ^ 1];
        if (steps->c != NULL) {
            double *next = calloc(steps->rows + 1, sizeof *next);
            if (next == NULL)
                return failure_memory(failure, steps->rows * sizeof *next, "a step");
            for (uint64_t i = 0; i < steps->rows; ++i)
                next[i] = steps->d[i] * (*old)[i];
            const int code = add_product(steps, steps->c, old, &next, failure);
            free(*old);
            *old = next;
            if (code != 0)
                return code;
        } else {
            for (uint64_t i = 0; i < steps->rows; ++i)
                (*old)[i] *= steps->d[i];
        }
        TRY(add_product(steps, steps->a, now, old, failure));
        steps->now ^= 1;
    }
    return 0;
}

const struct sparse_table sparse_of_graphblas = {
    .create = create_steps, .free = free_steps, .level = get_level, .run = run_steps};
