/** The few operations on three-vectors that geometry needs, in double. */
#ifndef GEOMETRY_VECTOR_H
#define GEOMETRY_VECTOR_H

#include <math.h>
#include <stdbool.h>

/* Unlike fmin() and fmax() these are one instruction; no NaN is expected. */
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline bool vector_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static inline void vector_subtract(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = a[axis] - b[axis];
}

static inline double vector_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vector_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double vector_length(const double a[3])
{
    return sqrt(vector_dot(a, a));
}

static inline double vector_distance(const double a[3], const double b[3])
{
    double apart[3];
    vector_subtract(a, b, apart);
    return vector_length(apart);
}

/** base + scale * direction */
static inline void vector_along(const double base[3], double scale, const double direction[3], double out[3])
{
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = base[axis] + scale * direction[axis];
}

#endif
