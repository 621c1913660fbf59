/* The CPU step with AVX-512 (F, BW, DQ, VL): 16 floats are two rows of a block, 8 doubles one. Compiled with
 * its own flags; called only where the processor has them. */
#include "kernels/scheme/scheme.h"
#include "kernels/scheme/step.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define VARIANT avx512

/* Bit `direction` of 16 (or, from the low half, 8) link bytes as a mask. */
static inline __mmask16 link_mask(__m128i links, int direction)
{
    return _mm_test_epi8_mask(links, _mm_set1_epi8((char)(1 << direction)));
}

/* The first n < 16 lanes. */
static inline __mmask16 first_mask(unsigned n)
{
    return (__mmask16)((1u << n) - 1u);
}

/* permutex2var: index 0..15 takes from the first operand, 16..31 from the second. */
static inline __m512 x_before_f32(__m512 before, __m512 own)
{
    const __m512i from = _mm512_setr_epi32(7, 16, 17, 18, 19, 20, 21, 22, 15, 24, 25, 26, 27, 28, 29, 30);
    return _mm512_permutex2var_ps(before, from, own);
}
static inline __m512 x_after_f32(__m512 own, __m512 after)
{
    const __m512i from = _mm512_setr_epi32(1, 2, 3, 4, 5, 6, 7, 16, 9, 10, 11, 12, 13, 14, 15, 24);
    return _mm512_permutex2var_ps(own, from, after);
}
static inline __m512d x_before_f64(__m512d before, __m512d own)
{
    return _mm512_permutex2var_pd(before, _mm512_setr_epi64(7, 8, 9, 10, 11, 12, 13, 14), own);
}
static inline __m512d x_after_f64(__m512d own, __m512d after)
{
    return _mm512_permutex2var_pd(own, _mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 8), after);
}

#define REAL                           float
#define SUFFIX                         f32
#define VEC                            __m512
#define WIDTH                          16
#define VEC_LOAD(p)                    _mm512_loadu_ps(p)
#define VEC_STORE(p, a)                _mm512_storeu_ps(p, a)
#define VEC_SET(x)                     _mm512_set1_ps(x)
#define VEC_SUB(a, b)                  _mm512_sub_ps(a, b)
#define VEC_ADD(a, b)                  _mm512_add_ps(a, b)
#define VEC_FMA(a, b, c)               _mm512_fmadd_ps(a, b, c)
#define VEC_MUL(a, b)                  _mm512_mul_ps(a, b)
#define VEC_FIRST(p, n)                _mm512_maskz_loadu_ps(first_mask(n), p)
#define VEC_STORE_FIRST(p, a, n)       _mm512_mask_storeu_ps(p, first_mask(n), a)
#define VEC_LINKS                      __m128i
#define VEC_LINKS_LOAD(p)              _mm_loadu_si128((const __m128i *)(const void *)(p))
#define VEC_DIFFERENCE(links, d, a, b) _mm512_maskz_sub_ps(link_mask(links, d), a, b)
#define VEC_X_BEFORE(before, own)      x_before_f32(before, own)
#define VEC_X_AFTER(own, after)        x_after_f32(own, after)
#define VEC_Y_BEFORE(before, own)      _mm512_shuffle_f32x4(before, own, _MM_SHUFFLE(1, 0, 3, 2))
#define VEC_Y_AFTER(own, after)        _mm512_shuffle_f32x4(own, after, _MM_SHUFFLE(1, 0, 3, 2))
#include "kernels/cpu/step_cpu_body.h"

#define REAL                           double
#define SUFFIX                         f64
#define VEC                            __m512d
#define WIDTH                          8
#define VEC_LOAD(p)                    _mm512_loadu_pd(p)
#define VEC_STORE(p, a)                _mm512_storeu_pd(p, a)
#define VEC_SET(x)                     _mm512_set1_pd(x)
#define VEC_SUB(a, b)                  _mm512_sub_pd(a, b)
#define VEC_ADD(a, b)                  _mm512_add_pd(a, b)
#define VEC_FMA(a, b, c)               _mm512_fmadd_pd(a, b, c)
#define VEC_MUL(a, b)                  _mm512_mul_pd(a, b)
#define VEC_FIRST(p, n)                _mm512_maskz_loadu_pd((__mmask8)first_mask(n), p)
#define VEC_STORE_FIRST(p, a, n)       _mm512_mask_storeu_pd(p, (__mmask8)first_mask(n), a)
#define VEC_LINKS                      __m128i
#define VEC_LINKS_LOAD(p)              _mm_loadl_epi64((const __m128i *)(const void *)(p))
#define VEC_DIFFERENCE(links, d, a, b) _mm512_maskz_sub_pd((__mmask8)link_mask(links, d), a, b)
#define VEC_X_BEFORE(before, own)      x_before_f64(before, own)
#define VEC_X_AFTER(own, after)        x_after_f64(own, after)
#include "kernels/cpu/step_cpu_body.h"

const step_table step_avx512 = {
    {step_blocks_avx512_f32, step_blocks_avx512_f64},
    {step_box_avx512_f32, step_box_avx512_f64},
};

#endif
