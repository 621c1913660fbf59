/** The back ends that step rooms, as tables of functions. Callers that make an engine or look for a device
 * pass the tables; those that the program was built with are back_ends_built.
 */
#ifndef KERNELS_ENGINE_BACK_ENDS_H
#define KERNELS_ENGINE_BACK_ENDS_H

#include "kernels/scheme/engine_kinds.h"

struct device_table;
struct engine_ops;

struct engine_back_ends {
    /* By enum backend; engine_ops.h and device_table.h. Without a table there are none of these devices. */
    const struct engine_ops *engine[BACKENDS];
    const struct device_table *device[BACKENDS];
};

extern const struct engine_back_ends back_ends_built;

#endif
