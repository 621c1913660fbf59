/* The CPU step in plain C: a vector is eight values in a struct, which the compiler maps to its
 * instructions. */
#include "kernels/scheme/scheme.h"
#include "kernels/scheme/step.h"

#include <assert.h>
#include <string.h>

#include "kernels/cpu/step_layer.h"
#include "kernels/cpu/step_plan.h"

#define VARIANT portable
#define STEP_LAYER

struct links8 {
    uint8_t byte[8];
};

#define DEFINE_VECTOR(vector, real, fused)                                                                   \
    struct vector {                                                                                          \
        real at[8];                                                                                          \
    };                                                                                                       \
    static inline struct vector vector##_load(const real *from)                                              \
    {                                                                                                        \
        struct vector a;                                                                                     \
        memcpy(a.at, from, sizeof a.at);                                                                     \
        return a;                                                                                            \
    }                                                                                                        \
    static inline void vector##_store(real *to, struct vector a)                                             \
    {                                                                                                        \
        memcpy(to, a.at, sizeof a.at);                                                                       \
    }                                                                                                        \
    static inline struct vector vector##_set(real x)                                                         \
    {                                                                                                        \
        struct vector a;                                                                                     \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = x;                                                                                     \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_add(struct vector a, struct vector b)                               \
    {                                                                                                        \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = a.at[i] + b.at[i];                                                                     \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_sub(struct vector a, struct vector b)                               \
    {                                                                                                        \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = a.at[i] - b.at[i];                                                                     \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_mul(struct vector a, struct vector b)                               \
    {                                                                                                        \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = a.at[i] * b.at[i];                                                                     \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_first(const real *from, unsigned count)                             \
    {                                                                                                        \
        struct vector a = {{0}};                                                                             \
        memcpy(a.at, from, count * sizeof *from);                                                            \
        return a;                                                                                            \
    }                                                                                                        \
    static inline void vector##_store_first(real *to, struct vector a, unsigned count)                       \
    {                                                                                                        \
        memcpy(to, a.at, count * sizeof *to);                                                                \
    }                                                                                                        \
    static inline struct vector vector##_fma(struct vector a, struct vector b, struct vector c)              \
    {                                                                                                        \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = fused(a.at[i], b.at[i], c.at[i]);                                                      \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_difference(struct links8 links, unsigned direction,                 \
                                                    struct vector a, struct vector b)                        \
    {                                                                                                        \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = links.byte[i] >> direction & 1 ? a.at[i] - b.at[i] : (real)0;                          \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_select(uint64_t bits, struct vector a, struct vector b)             \
    {                                                                                                        \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = bits >> i & 1 ? a.at[i] : b.at[i];                                                     \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_x_before(struct vector before, struct vector own)                   \
    {                                                                                                        \
        struct vector a;                                                                                     \
        a.at[0] = before.at[7];                                                                              \
        for (int i = 1; i < 8; ++i)                                                                          \
            a.at[i] = own.at[i - 1];                                                                         \
        return a;                                                                                            \
    }                                                                                                        \
    static inline struct vector vector##_x_after(struct vector own, struct vector after)                     \
    {                                                                                                        \
        struct vector a;                                                                                     \
        for (int i = 0; i < 7; ++i)                                                                          \
            a.at[i] = own.at[i + 1];                                                                         \
        a.at[7] = after.at[0];                                                                               \
        return a;                                                                                            \
    }

/* Eight values of another type, or at places of an array, as reals. */
#define DEFINE_EIGHT(vector, name, real, from_type, value)                                                   \
    static inline struct vector vector##_##name(const from_type *from, const uint16_t *at)                   \
    {                                                                                                        \
        struct vector a;                                                                                     \
        (void)at;                                                                                            \
        for (int i = 0; i < 8; ++i)                                                                          \
            a.at[i] = (real)(value);                                                                         \
        return a;                                                                                            \
    }
#define DEFINE_EIGHTS(vector, real)                                                                          \
    DEFINE_EIGHT(vector, bytes, real, uint8_t, from[i])                                                      \
    DEFINE_EIGHT(vector, shorts, real, int16_t, from[i])                                                     \
    DEFINE_EIGHT(vector, floats, real, float, from[i])                                                       \
    DEFINE_EIGHT(vector, gather, real, real, from[at[i]])

DEFINE_VECTOR(float8, float, fmaf)
DEFINE_VECTOR(double8, double, fma)
DEFINE_EIGHTS(float8, float)
DEFINE_EIGHTS(double8, double)

static inline struct links8 links8_load(const uint8_t *from)
{
    struct links8 links;
    memcpy(links.byte, from, sizeof links.byte);
    return links;
}

#define EIGHT_BYTES(p, to)                                                                                   \
    for (int i = 0; i < 8; ++i)                                                                              \
    (to)[i] = (REAL)((const uint8_t *)(p))[i]

/* Of the precision in hand. */
#define PASTED(a, b)                   a##_##b
#define JOIN(a, b)                     PASTED(a, b)
#define OP(name)                       JOIN(VECTOR, name)
#define VEC_LOAD(p)                    OP(load)(p)
#define VEC_LOAD_HALVES(p, half)       ((void)(half), VEC_LOAD(p))
#define VEC_STORE(p, a)                OP(store)(p, a)
#define VEC_SET(x)                     OP(set)(x)
#define VEC_SUB(a, b)                  OP(sub)(a, b)
#define VEC_ADD(a, b)                  OP(add)(a, b)
#define VEC_FMA(a, b, c)               OP(fma)(a, b, c)
#define VEC_MUL(a, b)                  OP(mul)(a, b)
#define VEC_FIRST(p, n)                OP(first)(p, n)
#define VEC_STORE_FIRST(p, a, n)       OP(store_first)(p, a, n)
#define VEC_LINKS                      struct links8
#define VEC_LINKS_LOAD(p)              links8_load(p)
#define VEC_BYTES(p)                   OP(bytes)(p, NULL)
#define VEC_SHORTS(p)                  OP(shorts)(p, NULL)
#define VEC_FLOATS(p)                  OP(floats)(p, NULL)
#define VEC_GATHER(p, at)              OP(gather)(p, at)
#define VEC_DIFFERENCE(links, d, a, b) OP(difference)(links, d, a, b)
#define VEC_SELECT(bits, a, b)         OP(select)(bits, a, b)
#define VEC_X_BEFORE(before, own)      OP(x_before)(before, own)
#define VEC_X_AFTER(own, after)        OP(x_after)(own, after)
#define VEC_ROW_BEFORE(before, own, v) OP(x_before)(OP(load)(before), v)
#define VEC_ROW_AFTER(v, own, after)   OP(x_after)(v, OP(load)(after))

#define REAL   float
#define SUFFIX f32
#define VECTOR float8
#define VEC    struct VECTOR
#define WIDTH  8
#include "kernels/cpu/step_cpu_body.h"

#undef VECTOR
#define REAL   double
#define SUFFIX f64
#define VECTOR double8
#define VEC    struct VECTOR
#define WIDTH  8
#include "kernels/cpu/step_cpu_body.h"

const step_table step_portable = {
    {step_blocks_portable_f32, step_blocks_portable_f64},
    {step_box_portable_f32, step_box_portable_f64},
};
step_layer_function *const step_layer_portable[2] = {step_layer_portable_f32, step_layer_portable_f64};
