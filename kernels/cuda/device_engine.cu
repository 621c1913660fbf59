/* The functions of device_engine.h: each hands on to the engine of its precision. */
#include "kernels/cuda/device_stepper.cuh"

#include "kernels/cuda/device_engine.h"

/* The calling thread's CUDA calls are about the engine's card from now on. */
static struct device_engine *on_card(struct device_engine *device)
{
    (void)cudaSetDevice((int)device->card);
    return device;
}

extern "C" {

int device_engine_create(struct device_engine **out, const struct device_request *request,
                         struct failure *failure)
{
    struct device device = {};
    struct failure absent = {};
    const int code = device_find_card(request->card, &device, &absent);
    if (code != 0)
        return failure_advise(failure_wrap(failure, &absent, "no CUDA device can be used: "), failure,
                              ADVICE_PROCESSORS, 0);
    return request->precision == PRECISION_SINGLE
               ? device_stepper_make<float>(out, request, device, failure)
               : device_stepper_make<double>(out, request, device, failure);
}

void device_engine_free(struct device_engine *device)
{
    if (device != nullptr)
        delete on_card(device);
}

const char *device_engine_name(const struct device_engine *device)
{
    return device->name;
}

uint64_t device_engine_bytes(const struct device_engine *device)
{
    return device->bytes();
}

int device_engine_set_taps(struct device_engine *device, size_t sources, const struct engine_tap *source,
                           size_t receivers, const struct engine_tap *receiver, struct failure *failure)
{
    return on_card(device)->set_taps(sources, source, receivers, receiver, failure);
}

int device_engine_run(struct device_engine *device, uint64_t steps, const double *drive, double *output,
                      struct failure *failure)
{
    return on_card(device)->run(steps, drive, output, failure);
}

int device_engine_reset(struct device_engine *device, struct failure *failure)
{
    return on_card(device)->reset(failure);
}

int device_engine_read(struct device_engine *device, int level, void *values, struct failure *failure)
{
    return on_card(device)->read(level, values, failure);
}

int device_engine_write(struct device_engine *device, int level, const void *values, struct failure *failure)
{
    return on_card(device)->write(level, values, failure);
}

int device_engine_read_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                            void *values, struct failure *failure)
{
    return on_card(device)->read_part(level, first, count, values, failure);
}

int device_engine_write_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                             const void *values, struct failure *failure)
{
    return on_card(device)->write_part(level, first, count, values, failure);
}

int device_engine_measure(struct device_engine *device, struct engine_partial *found, struct failure *failure)
{
    return on_card(device)->measure(found, failure);
}

int device_engine_energy(struct device_engine *device, double *energy, struct failure *failure)
{
    return on_card(device)->energy(energy, failure);
}

int device_engine_hash(struct device_engine *device, uint64_t *hash, struct failure *failure)
{
    return on_card(device)->hash(hash, failure);
}

int device_engine_fill(struct device_engine *device, uint64_t seed, struct failure *failure)
{
    return on_card(device)->fill(seed, failure);
}

int device_engine_wall_energy(struct device_engine *device, const struct wall_terms *terms, double courant,
                              bool inertance, double *energy, struct failure *failure)
{
    return on_card(device)->wall_energy(terms, courant, inertance, energy, failure);
}

int device_engine_add_absorbed(struct device_engine *device, const struct wall_terms *terms, double courant,
                               double *absorbed, struct failure *failure)
{
    return on_card(device)->add_absorbed(terms, courant, absorbed, failure);
}

int device_engine_read_states(struct device_engine *device, void *state, struct failure *failure)
{
    return on_card(device)->read_states(state, failure);
}

int device_engine_read_states_part(struct device_engine *device, uint64_t first, uint64_t count, void *state,
                                   uint64_t stride, struct failure *failure)
{
    return on_card(device)->read_states_part(first, count, state, stride, failure);
}

int device_engine_take_losses(struct device_engine *device, void *loss, struct failure *failure)
{
    return on_card(device)->take_losses(loss, failure);
}

int device_engine_read_entries(struct device_engine *device, uint64_t first, uint64_t count, void *values,
                               struct failure *failure)
{
    return on_card(device)->read_entries(first, count, values, failure);
}

int device_engine_write_entries(struct device_engine *device, uint64_t first, uint64_t count,
                                const void *values, struct failure *failure)
{
    return on_card(device)->write_entries(first, count, values, failure);
}

int device_engine_copy(struct device_engine *device, bool *made, struct failure *failure)
{
    return on_card(device)->copy(made, failure);
}

int device_engine_read_copied_part(struct device_engine *device, int level, uint64_t first, uint64_t count,
                                   void *values, struct failure *failure)
{
    return on_card(device)->read_copied_part(level, first, count, values, failure);
}

int device_engine_read_copied_entries(struct device_engine *device, uint64_t first, uint64_t count,
                                      void *values, struct failure *failure)
{
    return on_card(device)->read_copied_entries(first, count, values, failure);
}

int device_engine_set_sheets(struct device_engine *device, const struct engine_sheets *sheets,
                             struct failure *failure)
{
    return on_card(device)->set_sheets(sheets, failure);
}

int device_engine_read_sheets(struct device_engine *device, double (*out)[5], struct failure *failure)
{
    return on_card(device)->read_sheets(out, failure);
}

int device_engine_write_sheets(struct device_engine *device, const double (*in)[3], struct failure *failure)
{
    return on_card(device)->write_sheets(in, failure);
}

int device_engine_forget_sheet_losses(struct device_engine *device, struct failure *failure)
{
    return on_card(device)->forget_sheet_losses(failure);
}

int device_engine_set_layer(struct device_engine *device, const struct engine_layer *layer,
                            struct failure *failure)
{
    return on_card(device)->set_layer(layer, failure);
}

int device_engine_layer(struct device_engine *device, void *state, void *loss, bool write,
                        struct failure *failure)
{
    return on_card(device)->move_layer(state, loss, write, failure);
}

int device_engine_set_port(struct device_engine *device, uint64_t count, const uint64_t *index,
                           device_exchange *exchange, void *context, struct failure *failure)
{
    return on_card(device)->set_port(count, index, exchange, context, failure);
}

int device_engine_join(struct device_engine *device, const struct engine_halo *halo, struct failure *failure)
{
    return on_card(device)->join(halo, failure);
}

int device_engine_exchange(struct device_engine *device, int level, struct failure *failure)
{
    return on_card(device)->exchange(level, failure);
}

void device_engine_port(const struct device_engine *device, struct device_port *out)
{
    device->port(out);
}
}
