/* The engine behind device_engine.h: its table of operations, in either precision. */
#include <cstdio>
#include <new>

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_start.cuh"
#include "kernels/cuda/device_steps.cuh"
#include "kernels/cuda/device_table.h"

/* ---- a second copy ------------------------------------------------------------------------------------- */

template <typename real> int engine_on_device<real>::copy(bool *made, struct failure *failure)
{
    const uint64_t plane = layout.entries * sizeof(real), level_size = level_bytes();
    const bool ledger = walls != nullptr && walls->ledger;
    *made = box == nullptr && halo.with == nullptr &&
            device_copy_make(&second, 2 * level_size + (states() + ledger) * plane);
    if (!*made)
        return 0;
    char *at = second.memory;
    for (int which = 0; which < 2; ++which, at += level_size)
        DEVICE_TRY(cudaMemcpyAsync(at, level(which), level_size, cudaMemcpyDeviceToDevice, stream),
                   "a checkpoint", failure);
    if (states() > 0)
        DEVICE_TRY(
            cudaMemcpyAsync(at, memory + layout.state, states() * plane, cudaMemcpyDeviceToDevice, stream),
            "a checkpoint", failure);
    if (ledger)
        DEVICE_TRY(cudaMemcpyAsync(at + states() * plane, memory + layout.loss, plane,
                                   cudaMemcpyDeviceToDevice, stream),
                   "a checkpoint", failure);
    DEVICE_TRY(cudaStreamSynchronize(stream), "a checkpoint", failure);
    return 0;
}

template <typename real>
int engine_on_device<real>::read_copied_entries(uint64_t first, uint64_t count, void *host,
                                                struct failure *failure)
{
    const uint64_t planes = states() + (walls != nullptr && walls->ledger);
    for (uint64_t plane = 0; plane < planes; ++plane)
        TRY(device_copy_read(&second, 2 * level_bytes() + (plane * layout.entries + first) * sizeof(real),
                             count * sizeof(real), static_cast<real *>(host) + plane * count, failure));
    return 0;
}

/* ---- the table ---------------------------------------------------------------------------------------- */

/* Methods of an engine as functions of device_ops, called with its card as the thread's. */
template <class method> struct on_card;
template <class engine, class result, class... types> struct on_card<result (engine::*)(types...)> {
    template <result (engine::*METHOD)(types...)> static result call(device_engine *device, types... given)
    {
        (void)cudaSetDevice((int)device->card);
        return (static_cast<engine *>(device)->*METHOD)(given...);
    }
};
template <class engine, class result, class... types> struct on_card<result (engine::*)(types...) const> {
    template <result (engine::*METHOD)(types...) const>
    static result call(const device_engine *device, types... given)
    {
        return (static_cast<const engine *>(device)->*METHOD)(given...);
    }
};

template <typename real> device_ops engine_on_device<real>::make_ops()
{
    device_ops all = {};
    all.free = [](device_engine *device) {
        (void)cudaSetDevice((int)device->card);
        delete static_cast<engine_on_device *>(device);
    };
#define HAS(name)                                                                                            \
    all.name = on_card<decltype(&engine_on_device::name)>::template call<&engine_on_device::name>
    HAS(set_taps);
    HAS(run);
    HAS(reset);
    HAS(read);
    HAS(write);
    HAS(read_part);
    HAS(write_part);
    HAS(measure);
    HAS(energy);
    HAS(hash);
    HAS(fill);
    HAS(wall_energy);
    HAS(add_absorbed);
    HAS(read_states_part);
    HAS(take_losses);
    HAS(read_entries);
    HAS(write_entries);
    HAS(copy);
    HAS(read_copied_part);
    HAS(read_copied_entries);
    HAS(set_sheets);
    HAS(read_sheets);
    HAS(write_sheets);
    HAS(forget_sheet_losses);
    HAS(set_layer);
    HAS(move_layer);
    HAS(set_port);
    HAS(join);
    HAS(exchange);
    HAS(bytes);
    HAS(port);
#undef HAS
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
