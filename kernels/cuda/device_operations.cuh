/** Operations of an engine on a device, as device_ops.h declares them; set_taps(), set_air() and join() are
 * in device_start.cuh, run(), exchange() and reset() in device_steps.cuh. */
#ifndef KERNELS_DEVICE_OPERATIONS_CUH
#define KERNELS_DEVICE_OPERATIONS_CUH

#include "kernels/cuda/engine_on_device.cuh"

/* ---- the field ---------------------------------------------------------------------------------------- */

template <typename real> int engine_on_device<real>::read(int which, void *host, struct failure *failure)
{
    const struct device_values form = values();
    return device_values_read(&form, level(which), host, failure);
}

template <typename real>
int engine_on_device<real>::write(int which, const void *host, struct failure *failure)
{
    const struct device_values form = values();
    return device_values_write(&form, level(which), host, failure);
}

template <typename real>
int engine_on_device<real>::read_part(int which, uint64_t first, uint64_t count, void *host,
                                      struct failure *failure)
{
    const struct device_values form = values();
    return device_values_read_part(&form, level(which), first, count, host, failure);
}

template <typename real>
int engine_on_device<real>::write_part(int which, uint64_t first, uint64_t count, const void *host,
                                       struct failure *failure)
{
    const struct device_values form = values();
    return device_values_write_part(&form, level(which), first, count, host, failure);
}

template <typename real>
int engine_on_device<real>::measure(struct engine_partial *found, struct failure *failure)
{
    return device_measure(field(), found, failure);
}

template <typename real> int engine_on_device<real>::energy(double *energy, struct failure *failure)
{
    return device_energy(field(), energy, failure);
}

template <typename real> int engine_on_device<real>::hash(uint64_t *hash, struct failure *failure)
{
    return device_hash(field(), hash, failure);
}

template <typename real> int engine_on_device<real>::fill(uint64_t seed, struct failure *failure)
{
    TRY(reset(failure));
    return device_fill(field(), seed, failure);
}

/* ---- walls -------------------------------------------------------------------------------------------- */

template <typename real>
int engine_on_device<real>::wall_energy(const struct wall_terms *terms, double courant, bool inertance,
                                        double *energy, struct failure *failure)
{
    const struct device_wall_terms all = wall_terms_of(terms, courant, inertance);
    return device_wall_energy(device_walls_of<real>(layout, *walls, memory), all, stream, energy, failure);
}

template <typename real>
int engine_on_device<real>::add_absorbed(const struct wall_terms *terms, double courant, double *absorbed,
                                         struct failure *failure)
{
    const struct device_wall_terms all = wall_terms_of(terms, courant, false);
    return device_wall_losses(device_walls_of<real>(layout, *walls, memory), all, walls->materials + 1u,
                              stream, absorbed, failure);
}

template <typename real>
int engine_on_device<real>::read_states(uint64_t first, uint64_t count, void *state, uint64_t stride,
                                        struct failure *failure)
{
    return move_states(*walls, sizeof(real), layout, memory, first, count, 0, 2 * walls->branches, state,
                       stride, false, failure);
}

template <typename real> int engine_on_device<real>::take_losses(void *loss, struct failure *failure)
{
    return ::take_losses(*walls, entries(), sizeof(real), layout, memory, loss, failure);
}

template <typename real>
int engine_on_device<real>::read_entries(uint64_t first, uint64_t count, void *host, struct failure *failure)
{
    return move_states(*walls, sizeof(real), layout, memory, first, count, 0, planes(), host, count, false,
                       failure);
}

template <typename real>
int engine_on_device<real>::write_entries(uint64_t first, uint64_t count, const void *host,
                                          struct failure *failure)
{
    return move_states(*walls, sizeof(real), layout, memory, first, count, 0, planes(),
                       const_cast<void *>(host), count, true, failure);
}

/* ---- sheets, layer, ports ----------------------------------------------------------------------------- */

template <typename real>
int engine_on_device<real>::set_sheets(const struct engine_sheets *host, struct failure *failure)
{
    graphs.drop();
    return sheets.make(*host, layout, box, failure);
}

template <typename real> int engine_on_device<real>::read_sheets(double (*out)[5], struct failure *failure)
{
    return sheets.read(level(0), level(1), out, stream, failure);
}

template <typename real>
int engine_on_device<real>::write_sheets(const double (*in)[3], struct failure *failure)
{
    return sheets.write(in, failure);
}

template <typename real> int engine_on_device<real>::forget_sheet_losses(struct failure *failure)
{
    return sheets.forget_losses(failure);
}

template <typename real>
int engine_on_device<real>::set_layer(const struct engine_layer *host, struct failure *failure)
{
    graphs.drop();
    return open.make(*host, layout, box, failure);
}

template <typename real>
int engine_on_device<real>::move_layer(void *state, void *loss, bool write, struct failure *failure)
{
    return open.move(state, loss, write, stream, failure);
}

template <typename real>
int engine_on_device<real>::add_port(uint64_t count, const uint64_t *index, const double *weight,
                                     const struct membrane_plan *plan, struct failure *failure)
{
    std::vector<uint64_t> there(index, index + count);
    for (uint64_t &at : there)
        at = device_index(&layout, box, at);
    graphs.drop();
    return membranes.add(*plan, there.data(), weight, failure);
}

template <typename real>
int engine_on_device<real>::move_port(uint64_t port, double *state, bool back, struct failure *failure)
{
    return membranes.one[port]->move(state, back, stream, failure);
}

/* ---- a second copy ------------------------------------------------------------------------------------- */

template <typename real> int engine_on_device<real>::copy(bool *made, struct failure *failure)
{
    const uint64_t states = planes() * layout.entries * sizeof(real), level_size = level_bytes();
    *made = box == nullptr && halo.with == nullptr &&
            device_copy_make(&second, (uint64_t)levels() * level_size + states);
    if (!*made)
        return 0;
    char *at = second.memory;
    for (int which = 0; which < levels(); ++which, at += level_size)
        DEVICE_TRY(cudaMemcpyAsync(at, level(which), level_size, cudaMemcpyDeviceToDevice, stream),
                   "a checkpoint", failure);
    if (states > 0)
        DEVICE_TRY(cudaMemcpyAsync(at, memory + layout.state, states, cudaMemcpyDeviceToDevice, stream),
                   "a checkpoint", failure);
    DEVICE_TRY(cudaStreamSynchronize(stream), "a checkpoint", failure);
    return 0;
}

template <typename real>
int engine_on_device<real>::read_copied_part(int which, uint64_t first, uint64_t count, void *host,
                                             struct failure *failure)
{
    return device_copy_read(&second, which * level_bytes() + first * sizeof(real), count * sizeof(real), host,
                            failure);
}

template <typename real>
int engine_on_device<real>::read_copied_entries(uint64_t first, uint64_t count, void *host,
                                                struct failure *failure)
{
    const auto move = [&](uint64_t offset, uint64_t bytes, char *piece, bool) {
        return device_copy_read(&second, (uint64_t)levels() * level_bytes() + offset, bytes, piece, failure);
    };
    return planes() == 0 ? 0
                         : move_entries(*walls, sizeof(real), first, count, 0, planes(), host, count, false,
                                        move, failure);
}

#endif
