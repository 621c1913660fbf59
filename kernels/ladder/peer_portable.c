/* The loop of peer_step_body.h, with eight lanes as the compiler implements them. */
#include <math.h>
#include <string.h>

#include "kernels/ladder/peer_room.h"

#define real     float
#define whole    int32_t
#define fused    fmaf
#define NAMED(x) x##_single
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

peer_step_function *const peer_portable[2] = {step_single, step_double};
