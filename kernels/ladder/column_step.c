/* Columns on a processor. Between two places where it or one of the four columns around begins or ends, all
 * nodes of a column have the same links: one loop without a look at the room, as long as the compiler's
 * vectors. */
#include <math.h>

#include "kernels/ladder/column_extents.h"
#include "kernels/scheme/scheme.h"

/* Compiled twice, and chosen as the program starts: with vectors and fma, and without. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define WITH_VECTORS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WITH_VECTORS
#endif

/* Where a column is air from z on, and up to where that holds. */
struct column_cursor {
    const struct column_run *run, *past;
};

static struct column_cursor cursor_at(const struct column_extents *extents, uint64_t column)
{
    return (struct column_cursor){extents->run + extents->begin[column],
                                  extents->run + extents->begin[column + 1]};
}

static bool cursor_move(struct column_cursor *cursor, int32_t z, int32_t *until)
{
    while (cursor->run != cursor->past && cursor->run->past <= z)
        ++cursor->run;
    const bool ends = cursor->run == cursor->past, air = !ends && cursor->run->low <= z;
    const int32_t change = ends ? INT32_MAX : air ? cursor->run->past : cursor->run->low;
    *until = change < *until ? change : *until;
    return air;
}

/* `count` nodes with the same links; x and y are the distances of columns. A cut link's difference is 0 times
 * that of a node that holds 0. */
#define STRETCH(real, suffix)                                                                                \
    WITH_VECTORS static void open_##suffix(const real *restrict u, real *restrict u_old, int32_t count,      \
                                           int64_t x, int64_t y, real lambda2)                               \
    {                                                                                                        \
        for (int32_t n = 0; n < count; ++n) {                                                                \
            const real c = u[n], sum = scheme_sum_##suffix(u[n - x] - c, u[n + x] - c, u[n - y] - c,         \
                                                           u[n + y] - c, u[n - 1] - c, u[n + 1] - c);        \
            u_old[n] = c + scheme_move_##suffix(c - u_old[n], sum, lambda2);                                 \
        }                                                                                                    \
    }                                                                                                        \
    WITH_VECTORS static void walled_##suffix(const real *restrict u, real *restrict u_old, int32_t count,    \
                                             int64_t x, int64_t y, unsigned links, real lambda2, real q)     \
    {                                                                                                        \
        real open[6];                                                                                        \
        for (int d = 0; d < 6; ++d)                                                                          \
            open[d] = (real)(links >> d & 1u);                                                               \
        for (int32_t n = 0; n < count; ++n) {                                                                \
            const real c = u[n];                                                                             \
            const real sum = scheme_sum_##suffix(open[0] * (u[n - x] - c), open[1] * (u[n + x] - c),         \
                                                 open[2] * (u[n - y] - c), open[3] * (u[n + y] - c),         \
                                                 open[4] * (u[n - 1] - c), open[5] * (u[n + 1] - c));        \
            u_old[n] = scheme_update_##suffix(c, u_old[n], sum, lambda2, q);                                 \
        }                                                                                                    \
    }                                                                                                        \
    static void stretch_##suffix(const void *u_, void *u_old_, uint64_t at, int32_t count, int64_t x,        \
                                 int64_t y, unsigned links, double lambda2, const double q[7])               \
    {                                                                                                        \
        const real *const u = (const real *)u_ + at;                                                         \
        real *const u_old = (real *)u_old_ + at;                                                             \
        if (links == BLOCK_LINKS_ALL)                                                                        \
            open_##suffix(u, u_old, count, x, y, (real)lambda2);                                             \
        else                                                                                                 \
            walled_##suffix(u, u_old, count, x, y, links, (real)lambda2,                                     \
                            (real)q[6 - __builtin_popcount(links)]);                                         \
    }
STRETCH(float, f32)
STRETCH(double, f64)

uint64_t column_pitch(const struct column_extents *extents)
{
    return ((uint64_t)extents->nodes[2] + 2 + 15) / 16 * 16;
}

void column_step(const struct column_extents *extents, enum precision precision, double lambda2,
                 const double q[7], const void *u, void *u_old, uint64_t first, uint64_t past)
{
    const uint64_t row = (uint64_t)extents->nodes[0] + 2, pitch = column_pitch(extents);
    const int64_t x = (int64_t)pitch, y = (int64_t)(row * pitch);
    for (uint64_t column = first; column < past; ++column) {
        const struct column_cursor own = cursor_at(extents, column);
        if (own.run == own.past) /* the ring, too */
            continue;
        struct column_cursor beside[4] = {cursor_at(extents, column - 1), cursor_at(extents, column + 1),
                                          cursor_at(extents, column - row), cursor_at(extents, column + row)};
        for (const struct column_run *run = own.run; run != own.past; ++run)
            for (int32_t z = run->low, until; z < run->past; z = until) {
                unsigned links = (z > run->low ? 16u : 0u) | (z + 1 < run->past ? 32u : 0u);
                /* The ends of a stretch of air are nodes of their own. */
                until = z == run->low || z + 1 == run->past ? z + 1 : run->past - 1;
                for (int d = 0; d < 4; ++d)
                    links |= cursor_move(&beside[d], z, &until) ? 1u << d : 0u;
                (precision == PRECISION_SINGLE ? stretch_f32 : stretch_f64)(
                    u, u_old, column * pitch + (uint64_t)z + 1, until - z, x, y, links, lambda2, q);
            }
    }
}
