#include <stdlib.h>

#include "kernels/drum/membrane.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_state.h"
#include "kernels/engine/engine_walls.h"
#include "kernels/matrix/sparse_matrix.h"

#ifdef TRANSEPT_HAS_GRAPHBLAS
extern const struct sparse_table sparse_of_graphblas;
const struct sparse_table *const sparse_table = &sparse_of_graphblas;
#else
const struct sparse_table *const sparse_table = NULL;
#endif

#define ROW_MOST 7

static void csr_free(struct csr *csr)
{
    free(csr->first);
    free(csr->column);
    free(csr->value);
    *csr = (struct csr){0};
}

uint64_t csr_bytes(const struct csr *csr)
{
    return csr->first == NULL ? 0
                              : (csr->rows + 1) * sizeof *csr->first +
                                    csr->first[csr->rows] * (sizeof *csr->column + sizeof *csr->value);
}

void step_matrix_free(struct step_matrix *step)
{
    csr_free(&step->a);
    csr_free(&step->c);
    free(step->d);
    *step = (struct step_matrix){0};
}

static int make_csr(struct csr *out, uint64_t rows, struct failure *failure)
{
    out->rows = rows;
    out->first = calloc(rows + 1, sizeof *out->first);
    out->column = calloc(ROW_MOST * rows + 1, sizeof *out->column);
    out->value = calloc(ROW_MOST * rows + 1, sizeof *out->value);
    return out->first != NULL && out->column != NULL && out->value != NULL
               ? 0
               : failure_memory(failure, ROW_MOST * rows * 16, "a sparse matrix");
}

static void append_entry(struct csr *csr, uint64_t row, uint64_t column, double value)
{
    csr->column[csr->first[row + 1]] = column;
    csr->value[csr->first[row + 1]++] = value;
}

static void begin_row(struct csr *csr, uint64_t row)
{
    csr->first[row + 1] = csr->first[row];
}

static int make_step(struct step_matrix *out, uint64_t rows, bool with_c, struct failure *failure)
{
    *out = (struct step_matrix){0};
    out->d = calloc(rows + 1, sizeof *out->d);
    int code = out->d == NULL ? failure_memory(failure, rows * sizeof *out->d, "a sparse matrix") : 0;
    if (code == 0)
        code = make_csr(&out->a, rows, failure);
    if (code == 0 && with_c)
        code = make_csr(&out->c, rows, failure);
    if (code != 0)
        step_matrix_free(out);
    return code;
}

int step_matrix_of_membrane(const struct membrane *membrane, struct step_matrix *out, struct failure *failure)
{
    const struct membrane_kind *const kind = &membrane->kind;
    const double k = membrane->k, g2 = membrane->pitch * membrane->pitch, keep = 1 / (1 + kind->loss * k);
    const double b = 2 * kind->high_loss * k / g2 * keep,
                 a = kind->tension * k * k / (kind->density * g2) * keep + b;
    const ptrdiff_t side = (ptrdiff_t)membrane->side, next[5] = {-side, -1, 0, 1, side};
    uint64_t *number = calloc(membrane->side * membrane->side, sizeof *number);
    if (number == NULL)
        return failure_memory(failure, membrane->side * membrane->side * sizeof *number, "a sparse matrix");
    const int code = make_step(out, membrane->nodes, b > 0, failure);
    for (size_t n = 0; n < membrane->nodes; ++n)
        number[membrane->node[n]] = n;
    for (size_t n = 0; code == 0 && n < membrane->nodes; ++n) {
        const ptrdiff_t at = membrane->node[n];
        begin_row(&out->a, n);
        if (b > 0)
            begin_row(&out->c, n);
        out->d[n] = -(1 - kind->loss * k) * keep + b * membrane->diagonal[at];
        for (int e = 0; e < 5; ++e) {
            if (membrane->there[at + next[e]] == 0)
                continue;
            append_entry(&out->a, n, number[at + next[e]],
                         next[e] == 0 ? 2 * keep - a * membrane->diagonal[at] : a);
            if (b > 0 && next[e] != 0)
                append_entry(&out->c, n, number[at + next[e]], -b);
        }
    }
    free(number);
    return code;
}

/* The row of one node, in rising columns: the pressure indices of the six neighbours are not in order. */
static void put_room_row(const struct engine *engine, const uint64_t *number, struct step_matrix *out,
                         uint64_t row, uint64_t index)
{
    const struct block_grid *const grid = engine->room.blocks;
    const uint64_t id = index / BLOCK_NODES;
    const unsigned slot = (unsigned)(index % BLOCK_NODES), links = engine_links(engine, index);
    const double q = engine_wall_q_at(engine, index), share = (1 - q) * engine->room.lambda2;
    uint64_t column[ROW_MOST];
    unsigned count = 1;
    column[0] = row;
    for (unsigned d = 0; d < DIRECTIONS; ++d)
        if ((links >> d & 1) != 0)
            column[count++] = number[step_block_neighbour(&grid->block[id], id, slot, d)];
    for (unsigned n = 1; n < count; ++n)
        for (unsigned m = n; m > 0 && column[m] < column[m - 1]; --m) {
            const uint64_t swap = column[m];
            column[m] = column[m - 1];
            column[m - 1] = swap;
        }
    begin_row(&out->a, row);
    for (unsigned n = 0; n < count; ++n)
        append_entry(&out->a, row, column[n], column[n] == row ? 2 - 2 * q - (count - 1) * share : share);
    out->d[row] = 2 * q - 1;
}

int step_matrix_of_room(const struct engine *engine, struct step_matrix *out, uint64_t **index,
                        struct failure *failure)
{
    const struct block_grid *const grid = engine->room.blocks;
    const uint64_t length = ((uint64_t)grid->blocks + 1) * BLOCK_NODES;
    if (engine->ops->fetch == NULL || engine->room.box != NULL || grid->has_records ||
        engine->room.walls != NULL || engine->sheets != NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "a matrix is made of rooms in blocks with first-order staircase walls alone");
    uint64_t *number = calloc(length, sizeof *number), rows = 0;
    *index = calloc(grid->air_nodes + 1, sizeof **index);
    int code = number == NULL || *index == NULL
                   ? failure_memory(failure, length * sizeof *number, "a sparse matrix")
                   : make_step(out, grid->air_nodes, false, failure);
    for (uint64_t at = 0; code == 0 && at < length; ++at)
        if (engine_links(engine, at) != 0) {
            (*index)[rows] = at;
            number[at] = rows++;
        }
    for (uint64_t row = 0; code == 0 && row < rows; ++row)
        put_room_row(engine, number, out, row, (*index)[row]);
    free(number);
    if (code != 0) {
        free(*index);
        *index = NULL;
    }
    return code;
}
