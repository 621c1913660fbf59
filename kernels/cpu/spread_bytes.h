/** Bytes of records to the lanes of their nodes, with AVX2; for the step files of x86 processors.
 *
 * A row has eight nodes, and those with a bit in `lanes` have records, which follow one another. Lanes
 * without one get 0. Eight records are read whatever their number.
 */
#ifndef KERNELS_SPREAD_BYTES_H
#define KERNELS_SPREAD_BYTES_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* True if this number of bytes is equal. */
static inline int spread_same(const void *a, const void *b, size_t bytes)
{
    const char *left = (const char *)a, *right = (const char *)b;
    int same = 1;
    for (; same && bytes >= 32; bytes -= 32, left += 32, right += 32)
        same = _mm256_movemask_epi8(
                   _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)left),
                                     _mm256_loadu_si256((const __m256i *)(const void *)right))) == -1;
    for (; same && bytes >= 4; bytes -= 4, left += 4, right += 4) {
        uint32_t x, y;
        memcpy(&x, left, sizeof x);
        memcpy(&y, right, sizeof y);
        same = x == y;
    }
    return same;
}

/* The record of each of eight lanes: its number, or 0x80 for none. */
static inline uint64_t spread_ranks(unsigned lanes)
{
    const uint64_t every = UINT64_C(0x0101010101010101);
    /* Bit i of `lanes` alone in byte i, then 1 there if it is set. */
    const uint64_t bit = (lanes * every) & UINT64_C(0x8040201008040201);
    const uint64_t one = (bit + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & every;
    return (one * every - one) | (one ^ every) << 7;
}

/* Eight bytes of each of eight records, `stride` bytes apart, by place in the record: byte 2 k of all in the
 * low half of out[k], byte 2 k + 1 in the high half. */
static inline void spread_bytes(const uint8_t *from, size_t stride, unsigned lanes, __m128i out[4])
{
    const uint64_t rank = spread_ranks(lanes);
    const __m128i take = _mm_set_epi64x((long long)(rank + UINT64_C(0x0808080808080808)), (long long)rank);
    __m128i pair[4];
    for (size_t i = 0; i < 4; ++i)
        pair[i] =
            _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)(from + 2 * i * stride)),
                              _mm_loadl_epi64((const __m128i *)(const void *)(from + (2 * i + 1) * stride)));
    const __m128i low = _mm_unpacklo_epi16(pair[0], pair[1]), low_too = _mm_unpacklo_epi16(pair[2], pair[3]),
                  high = _mm_unpackhi_epi16(pair[0], pair[1]),
                  high_too = _mm_unpackhi_epi16(pair[2], pair[3]);
    out[0] = _mm_shuffle_epi8(_mm_unpacklo_epi32(low, low_too), take);
    out[1] = _mm_shuffle_epi8(_mm_unpackhi_epi32(low, low_too), take);
    out[2] = _mm_shuffle_epi8(_mm_unpacklo_epi32(high, high_too), take);
    out[3] = _mm_shuffle_epi8(_mm_unpackhi_epi32(high, high_too), take);
}

static inline __m256 spread_reals_f32(__m128i bytes)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
}

/* Byte j of the record of each lane at to[j * pitch + lane]. */
static inline void spread_bytes_f32(const uint8_t *from, size_t stride, unsigned lanes, float *to,
                                    size_t pitch)
{
    __m128i out[4];
    spread_bytes(from, stride, lanes, out);
    for (size_t k = 0; k < 4; ++k) {
        _mm256_storeu_ps(to + 2 * k * pitch, spread_reals_f32(out[k]));
        _mm256_storeu_ps(to + (2 * k + 1) * pitch, spread_reals_f32(_mm_srli_si128(out[k], 8)));
    }
}
static inline void spread_bytes_f64(const uint8_t *from, size_t stride, unsigned lanes, double *to,
                                    size_t pitch)
{
    __m128i out[4];
    spread_bytes(from, stride, lanes, out);
    for (size_t j = 0; j < 8; ++j) {
        const __m128i bytes = j % 2 == 0 ? out[j / 2] : _mm_srli_si128(out[j / 2], 8);
        _mm256_storeu_pd(to + j * pitch, _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(bytes)));
        _mm256_storeu_pd(to + j * pitch + 4, _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_srli_si128(bytes, 4))));
    }
}

/* One float of each record. The permutation ignores a rank's upper bits, so lanes without a record are
 * cleared. */
static inline __m256 spread_floats(const float *from, unsigned lanes)
{
    const __m256i take = _mm256_cvtepi8_epi32(_mm_cvtsi64_si128((long long)spread_ranks(lanes)));
    const __m256 all = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), take);
    return _mm256_andnot_ps(_mm256_castsi256_ps(_mm256_srai_epi32(take, 31)), all);
}
static inline void spread_floats_f32(const float *from, unsigned lanes, float *to)
{
    _mm256_storeu_ps(to, spread_floats(from, lanes));
}
static inline void spread_floats_f64(const float *from, unsigned lanes, double *to)
{
    const __m256 all = spread_floats(from, lanes);
    _mm256_storeu_pd(to, _mm256_cvtps_pd(_mm256_castps256_ps128(all)));
    _mm256_storeu_pd(to + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(all, 1)));
}

#endif
