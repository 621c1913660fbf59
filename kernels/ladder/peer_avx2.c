/* The loop of peer_step_body.h for processors with AVX2 and FMA. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "kernels/ladder/peer_room.h"

#define real                float
#define whole               int32_t
#define fused               fmaf
#define NAMED(x)            x##_single
#define FUSE_LANES(a, b, c) ((c) = (vec)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#include "kernels/ladder/peer_step_body.h"
#undef real
#undef whole
#undef fused
#undef NAMED
#define real     double
#define whole    int64_t
#define fused    fma
#define NAMED(x) x##_double
#include "kernels/ladder/peer_step_body.h"

peer_step_function *const peer_avx2[2] = {step_single, step_double};
#else
typedef int peer_no_avx2;
#endif
