/* The CPU step with AVX2 and FMA: 8 floats are a row of a block, 4 doubles half of one. Compiled with its own
 * flags; called only where the processor has them. */
#include "kernels/scheme/scheme.h"
#include "kernels/scheme/step.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <assert.h>
#include <string.h>

#include "kernels/cpu/step_layer.h"
#include "kernels/cpu/step_plan.h"

#define VARIANT avx2
#define STEP_LAYER

/* All bits of a lane set where bit `direction` of its link byte is. */
static inline __m256 link_mask_f32(__m256i links, int direction)
{
    const __m256i bit = _mm256_set1_epi32(1 << direction);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(links, bit), bit));
}
static inline __m256d link_mask_f64(__m256i links, int direction)
{
    const __m256i bit = _mm256_set1_epi64x(1 << direction);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(links, bit), bit));
}
static inline __m128i load_32(const void *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm_cvtsi32_si128(four);
}
static inline __m256i links4_load(const uint8_t *from)
{
    return _mm256_cvtepu8_epi64(load_32(from));
}

/* Bytes, shorts and floats as reals, and reals at given places. */
static inline __m256 bytes_f32(const uint8_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
static inline __m256 shorts_f32(const int16_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
static inline __m256 floats_f32(const float *p)
{
    return _mm256_loadu_ps(p);
}
static inline __m256 gather_f32(const float *p, const uint16_t *at)
{
    const __m128i places = _mm_loadu_si128((const __m128i *)(const void *)at);
    return _mm256_i32gather_ps(p, _mm256_cvtepu16_epi32(places), 4);
}
static inline __m256d bytes_f64(const uint8_t *p)
{
    return _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(load_32(p)));
}
static inline __m256d shorts_f64(const int16_t *p)
{
    return _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
static inline __m256d floats_f64(const float *p)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
}
static inline __m256d gather_f64(const double *p, const uint16_t *at)
{
    const __m128i places = _mm_loadl_epi64((const __m128i *)(const void *)at);
    return _mm256_i32gather_pd(p, _mm_cvtepu16_epi32(places), 8);
}
/* Eight bytes as reals. */
static inline void eight_bytes_f32(const void *from, float *to)
{
    _mm256_storeu_ps(to, _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from))));
}
static inline void eight_bytes_f64(const void *from, double *to)
{
    const __m128i bytes = _mm_loadl_epi64((const __m128i *)from);
    _mm256_storeu_pd(to, _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(bytes)));
    _mm256_storeu_pd(to + 4, _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_srli_si128(bytes, 4))));
}

/* All bits of the first n lanes set. */
static inline __m256i first_mask_f32(unsigned n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
static inline __m256i first_mask_f64(unsigned n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)n), _mm256_setr_epi64x(0, 1, 2, 3));
}

/* All bits of the lanes set whose bit is. */
static inline __m256 lane_mask_f32(uint64_t bits)
{
    const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(uint32_t)bits), lane), lane));
}
static inline __m256d lane_mask_f64(uint64_t bits)
{
    const __m256i lane = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_castsi256_pd(
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)bits), lane), lane));
}

static inline __m256 x_before_f32(__m256 before, __m256 own)
{
    const __m256i turn = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    return _mm256_permutevar8x32_ps(_mm256_blend_ps(own, before, 0x80), turn);
}
static inline __m256 x_after_f32(__m256 own, __m256 after)
{
    const __m256i turn = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
    return _mm256_permutevar8x32_ps(_mm256_blend_ps(own, after, 0x01), turn);
}
static inline __m256d x_before_f64(__m256d before, __m256d own)
{
    return _mm256_permute4x64_pd(_mm256_blend_pd(own, before, 0x8), _MM_SHUFFLE(2, 1, 0, 3));
}
static inline __m256d x_after_f64(__m256d own, __m256d after)
{
    return _mm256_permute4x64_pd(_mm256_blend_pd(own, after, 0x1), _MM_SHUFFLE(0, 3, 2, 1));
}

/* The same for vectors between others of an array, by loads from there. */
static inline __m256 row_before_f32(const float *before, const float *own)
{
    return _mm256_blend_ps(_mm256_loadu_ps(own - 1), _mm256_broadcast_ss(before + 7), 0x01);
}
static inline __m256 row_after_f32(const float *own, const float *after)
{
    return _mm256_blend_ps(_mm256_loadu_ps(own + 1), _mm256_broadcast_ss(after), 0x80);
}
static inline __m256d row_before_f64(const double *before, const double *own)
{
    return _mm256_blend_pd(_mm256_loadu_pd(own - 1), _mm256_broadcast_sd(before + 7), 0x1);
}
static inline __m256d row_after_f64(const double *own, const double *after)
{
    return _mm256_blend_pd(_mm256_loadu_pd(own + 1), _mm256_broadcast_sd(after), 0x8);
}

/* Operations and the functions above, of the precision in hand. */
#define PASTED(a, b)                   a##_##b
#define JOIN(a, b)                     PASTED(a, b)
#define OF(name)                       JOIN(name, SUFFIX)
#define OP(name)                       JOIN(_mm256_##name, KIND)
#define VEC_LOAD(p)                    OP(loadu)(p)
#define VEC_LOAD_HALVES(p, half)       ((void)(half), VEC_LOAD(p))
#define VEC_STORE(p, a)                OP(storeu)(p, a)
#define VEC_SET(x)                     OP(set1)(x)
#define VEC_SUB(a, b)                  OP(sub)(a, b)
#define VEC_ADD(a, b)                  OP(add)(a, b)
#define VEC_FMA(a, b, c)               OP(fmadd)(a, b, c)
#define VEC_MUL(a, b)                  OP(mul)(a, b)
#define VEC_FIRST(p, n)                OP(maskload)(p, OF(first_mask)(n))
#define VEC_STORE_FIRST(p, a, n)       OP(maskstore)(p, OF(first_mask)(n), a)
#define VEC_LINKS                      __m256i
#define VEC_DIFFERENCE(links, d, a, b) JOIN(_mm256_and, KIND)(OF(link_mask)(links, d), OP(sub)(a, b))
#define VEC_SELECT(bits, a, b)         OP(blendv)(b, a, OF(lane_mask)(bits))
#define EIGHT_BYTES(p, to)             OF(eight_bytes)(p, to)
#define VEC_BYTES(p)                   OF(bytes)(p)
#define VEC_SHORTS(p)                  OF(shorts)(p)
#define VEC_FLOATS(p)                  OF(floats)(p)
#define VEC_GATHER(p, at)              OF(gather)(p, at)
#define VEC_X_BEFORE(before, own)      OF(x_before)(before, own)
#define VEC_X_AFTER(own, after)        OF(x_after)(own, after)
#define VEC_ROW_BEFORE(before, own, v) OF(row_before)(before, own)
#define VEC_ROW_AFTER(v, own, after)   OF(row_after)(own, after)

#define REAL              float
#define SUFFIX            f32
#define KIND              ps
#define VEC               __m256
#define WIDTH             8
#define VEC_LINKS_LOAD(p) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(p)))
#include "kernels/cpu/step_cpu_body.h"

#undef KIND
#undef VEC_LINKS_LOAD
#define REAL              double
#define SUFFIX            f64
#define KIND              pd
#define VEC               __m256d
#define WIDTH             4
#define VEC_LINKS_LOAD(p) links4_load(p)
#include "kernels/cpu/step_cpu_body.h"

const step_table step_avx2 = {
    {step_blocks_avx2_f32, step_blocks_avx2_f64},
    {step_box_avx2_f32, step_box_avx2_f64},
};
step_layer_function *const step_layer_avx2[2] = {step_layer_avx2_f32, step_layer_avx2_f64};

#endif
