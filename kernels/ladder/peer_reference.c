#include <math.h>

#include "kernels/ladder/peer_room.h"

#define real  float
#define fused fmaf
#define NAME  reference_single
#include "kernels/ladder/peer_reference_body.h"
#undef real
#undef fused
#undef NAME
#define real  double
#define fused fma
#define NAME  reference_double
#include "kernels/ladder/peer_reference_body.h"

peer_step_function *const peer_reference[2] = {reference_single, reference_double};
