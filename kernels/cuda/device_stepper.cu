/* The engine behind device_engine.h: its table of operations, in either precision. */
#include <cstdio>
#include <new>

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_operations.cuh"
#include "kernels/cuda/device_start.cuh"
#include "kernels/cuda/device_steps.cuh"
#include "kernels/cuda/device_table.h"

/* ---- the table ---------------------------------------------------------------------------------------- */

/* Methods of an engine as functions of device_ops, with its device current in the thread. */
template <class method> struct on_card;
template <class engine, class... types> struct on_card<int (engine::*)(types...)> {
    template <int (engine::*METHOD)(types...)> static int call(device_engine *device, types... given)
    {
        (void)cudaSetDevice((int)device->card);
        return (static_cast<engine *>(device)->*METHOD)(given...);
    }
};

template <typename real> device_ops engine_on_device<real>::make_ops()
{
    device_ops all = {};
#define OPERATION(name, ...)                                                                                 \
    all.name = on_card<decltype(&engine_on_device::name)>::template call<&engine_on_device::name>
#include "kernels/cuda/device_ops.h"
    all.free = [](device_engine *device) {
        (void)cudaSetDevice((int)device->card);
        delete static_cast<engine_on_device *>(device);
    };
    all.bytes = [](const device_engine *device) {
        return static_cast<const engine_on_device *>(device)->bytes();
    };
    all.port = [](const device_engine *device, device_port *out) {
        static_cast<const engine_on_device *>(device)->port(out);
    };
    return all;
}

/* ---- made ---------------------------------------------------------------------------------------------- */

template <typename real>
static int make_engine(struct device_engine **out, const struct device_request *request,
                       const struct device &device, struct failure *failure)
{
    engine_on_device<real> *const engine = new (std::nothrow) engine_on_device<real>(*request);
    if (engine == nullptr)
        return failure_memory(failure, sizeof *engine, "an engine");
    const int code = engine->create(device, static_cast<const real *>(request->room->wall_q), failure);
    if (code != 0)
        delete engine;
    else
        *out = engine;
    return code;
}

int cuda_engine_create(struct device_engine **out, const struct device_request *request,
                       struct failure *failure)
{
    struct device device = {};
    struct failure absent = {};
    const int code = device_find_card(&device_cuda, request->card, &device, &absent);
    if (code != 0)
        return failure_advise(failure_wrap(failure, &absent, "no CUDA device can be used: "), failure,
                              ADVICE_PROCESSORS, 0);
    return request->precision == PRECISION_SINGLE ? make_engine<float>(out, request, device, failure)
                                                  : make_engine<double>(out, request, device, failure);
}
