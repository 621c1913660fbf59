/** The rows of an engine's output. Its receivers are added in this order.
 *
 *   receivers    pressure at each receiver
 *   grid points  pressure at each point of the receiver grids, grid by grid
 *   gradients    along x, y and z, of each directional receiver in turn
 *   sources      at each source its own taps (source_channels()), for the energy ledger
 *
 * A run keeps all rows but those of the sources, in the same order.
 */
#ifndef SRC_ENGINE_ROWS_H
#define SRC_ENGINE_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct engine_rows {
    size_t receivers, grid_points;
    size_t directional; /* receivers that have gradients: all or none */
    size_t sources;     /* 0 without a ledger */
};

/** Rows of pressure at receivers and grid points; rows that a run keeps; rows of the whole output. */
static inline size_t rows_of_pressure(const struct engine_rows *rows)
{
    return rows->receivers + rows->grid_points;
}

static inline size_t rows_kept(const struct engine_rows *rows)
{
    return rows_of_pressure(rows) + 3 * rows->directional;
}

static inline size_t rows_in_all(const struct engine_rows *rows)
{
    return rows_kept(rows) + rows->sources;
}

/** Row of a receiver, of a point of the receiver grids (counted through all of them), of a receiver's
 * gradient (0: along x), of a source. */
static inline size_t row_of_receiver(const struct engine_rows *rows, size_t receiver)
{
    (void)rows;
    return receiver;
}

static inline size_t row_of_grid_point(const struct engine_rows *rows, size_t point)
{
    return rows->receivers + point;
}

static inline size_t row_of_gradient(const struct engine_rows *rows, size_t receiver, size_t axis)
{
    return rows_of_pressure(rows) + 3 * receiver + axis;
}

static inline size_t row_of_source(const struct engine_rows *rows, size_t source)
{
    return rows_kept(rows) + source;
}

/** A row of an output (rows, steps). */
static inline const double *engine_row(const double *output, uint64_t steps, size_t row)
{
    return output + row * steps;
}

#endif
