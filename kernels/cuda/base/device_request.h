/** The input from which a device's engine is made. */
#ifndef KERNELS_DEVICE_REQUEST_H
#define KERNELS_DEVICE_REQUEST_H

#include "kernels/scheme/engine_kinds.h"
#include "kernels/scheme/step.h"

/** Its grids are borrowed for as long as the engine exists. */
struct device_request {
    enum layout layout;
    enum precision precision;
    const struct step_room *room; /* wall_q, or walls, which stay as long as the engine (no state, no loss) */
    unsigned card;
    uint64_t length;   /* values of a pressure array on the host */
    bool any_rounding; /* of OpenCL: do not refuse a device that rounds otherwise than C */
};

#endif
