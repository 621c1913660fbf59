/* The CPU step with AVX-512 (F, BW, DQ, VL): 16 floats are two rows of a block, 8 doubles one. Compiled with
 * its own flags; called only where the processor has them. */
#include "kernels/scheme/scheme.h"
#include "kernels/scheme/step.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <assert.h>
#include <string.h>

#include "kernels/cpu/step_plan.h"

#define VARIANT avx512

/* Bit `direction` of 16 (or, from the low half, 8) link bytes as a mask; the first n lanes of fewer than all.
 */
static inline __mmask16 link_mask_f32(__m128i links, int direction)
{
    return _mm_test_epi8_mask(links, _mm_set1_epi8((char)(1 << direction)));
}
static inline __mmask8 link_mask_f64(__m128i links, int direction)
{
    return (__mmask8)link_mask_f32(links, direction);
}
static inline __mmask16 first_mask_f32(unsigned n)
{
    return (__mmask16)((1u << n) - 1u);
}
static inline __mmask8 first_mask_f64(unsigned n)
{
    return (__mmask8)first_mask_f32(n);
}
static inline __mmask16 lane_mask_f32(uint64_t bits)
{
    return (__mmask16)bits;
}
static inline __mmask8 lane_mask_f64(uint64_t bits)
{
    return (__mmask8)bits;
}
/* Bytes, shorts and floats as reals, and reals at given places. */
static inline __m512 bytes_f32(const uint8_t *p)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
static inline __m512 shorts_f32(const int16_t *p)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p)));
}
static inline __m512 floats_f32(const float *p)
{
    return _mm512_loadu_ps(p);
}
/* Without optimisation gathers are macros of the compiler, whose full mask changes sign. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
static inline __m512 gather_f32(const float *p, const uint16_t *at)
{
    const __m256i places = _mm256_loadu_si256((const __m256i *)(const void *)at);
    return _mm512_i32gather_ps(_mm512_cvtepu16_epi32(places), p, 4);
}
static inline __m512d bytes_f64(const uint8_t *p)
{
    return _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
static inline __m512d shorts_f64(const int16_t *p)
{
    return _mm512_cvtepi32_pd(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
static inline __m512d floats_f64(const float *p)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}
static inline __m512d gather_f64(const double *p, const uint16_t *at)
{
    const __m128i places = _mm_loadu_si128((const __m128i *)(const void *)at);
    return _mm512_i32gather_pd(_mm256_cvtepu16_epi32(places), p, 8);
}
#pragma GCC diagnostic pop
/* Eight bytes as reals. */
static inline void eight_bytes_f32(const void *from, float *to)
{
    _mm256_storeu_ps(to, _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from))));
}
static inline void eight_bytes_f64(const void *from, double *to)
{
    _mm512_storeu_pd(to, _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from))));
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

/* Operations and the functions above, of the precision in hand. */
#define PASTED(a, b)                   a##_##b
#define JOIN(a, b)                     PASTED(a, b)
#define OF(name)                       JOIN(name, SUFFIX)
#define OP(name)                       JOIN(_mm512_##name, KIND)
#define VEC_LOAD(p)                    OP(loadu)(p)
#define VEC_STORE(p, a)                OP(storeu)(p, a)
#define VEC_SET(x)                     OP(set1)(x)
#define VEC_SUB(a, b)                  OP(sub)(a, b)
#define VEC_ADD(a, b)                  OP(add)(a, b)
#define VEC_FMA(a, b, c)               OP(fmadd)(a, b, c)
#define VEC_MUL(a, b)                  OP(mul)(a, b)
#define VEC_FIRST(p, n)                OP(maskz_loadu)(OF(first_mask)(n), p)
#define VEC_STORE_FIRST(p, a, n)       OP(mask_storeu)(p, OF(first_mask)(n), a)
#define VEC_LINKS                      __m128i
#define VEC_DIFFERENCE(links, d, a, b) OP(maskz_sub)(OF(link_mask)(links, d), a, b)
#define VEC_SELECT(bits, a, b)         OP(mask_mov)(b, OF(lane_mask)(bits), a)
#define EIGHT_BYTES(p, to)             OF(eight_bytes)(p, to)
#define VEC_BYTES(p)                   OF(bytes)(p)
#define VEC_SHORTS(p)                  OF(shorts)(p)
#define VEC_FLOATS(p)                  OF(floats)(p)
#define VEC_GATHER(p, at)              OF(gather)(p, at)
#define VEC_X_BEFORE(before, own)      OF(x_before)(before, own)
#define VEC_X_AFTER(own, after)        OF(x_after)(own, after)
#define VEC_ROW_BEFORE(before, own, v) OF(x_before)(VEC_LOAD(before), v)
#define VEC_ROW_AFTER(v, own, after)   OF(x_after)(v, VEC_LOAD(after))
#define VEC_Y_BEFORE(before, own)      _mm512_shuffle_f32x4(before, own, _MM_SHUFFLE(1, 0, 3, 2))
#define VEC_Y_AFTER(own, after)        _mm512_shuffle_f32x4(own, after, _MM_SHUFFLE(1, 0, 3, 2))

#define REAL   float
#define SUFFIX f32
#define KIND   ps
#define VEC    __m512
#define WIDTH  16
#define VEC_LOAD_HALVES(p, half)                                                                             \
    _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)), _mm256_loadu_ps((p) + (half)), 1)
#define VEC_LINKS_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#include "kernels/cpu/step_cpu_body.h"

#undef KIND
#undef VEC_LINKS_LOAD
#undef VEC_LOAD_HALVES
#define VEC_LOAD_HALVES(p, half) ((void)(half), VEC_LOAD(p))
#define REAL                     double
#define SUFFIX                   f64
#define KIND                     pd
#define VEC                      __m512d
#define WIDTH                    8
#define VEC_LINKS_LOAD(p)        _mm_loadl_epi64((const __m128i *)(const void *)(p))
#include "kernels/cpu/step_cpu_body.h"

const step_table step_avx512 = {
    {step_blocks_avx512_f32, step_blocks_avx512_f64},
    {step_box_avx512_f32, step_box_avx512_f64},
};

#endif
