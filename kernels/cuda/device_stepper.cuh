/** The engine behind device_engine.h: what its C functions see, and who makes one. */
#ifndef KERNELS_DEVICE_STEPPER_CUH
#define KERNELS_DEVICE_STEPPER_CUH

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/device_port.h"

struct engine_halo;
struct engine_layer;
struct engine_sheets;

/** Each function as its namesake in device_engine.h; the rest of an engine knows the precision. */
struct device_engine {
    virtual ~device_engine() = default;
    virtual int set_taps(size_t sources, const struct engine_tap *source, size_t receivers,
                         const struct engine_tap *receiver, struct failure *failure) = 0;
    virtual int run(uint64_t steps, const double *drive, double *output, struct failure *failure) = 0;
    virtual int reset(struct failure *failure) = 0;
    virtual int read(int level, void *values, struct failure *failure) = 0;
    virtual int write(int level, const void *values, struct failure *failure) = 0;
    virtual int read_part(int level, uint64_t first, uint64_t count, void *values,
                          struct failure *failure) = 0;
    virtual int write_part(int level, uint64_t first, uint64_t count, const void *values,
                           struct failure *failure) = 0;
    virtual int measure(struct engine_partial *found, struct failure *failure) = 0;
    virtual int energy(double *energy, struct failure *failure) = 0;
    virtual int hash(uint64_t *hash, struct failure *failure) = 0;
    virtual int fill(uint64_t seed, struct failure *failure) = 0;
    virtual int wall_energy(const struct wall_terms *terms, double courant, bool inertance, double *energy,
                            struct failure *failure) = 0;
    virtual int add_absorbed(const struct wall_terms *terms, double courant, double *absorbed,
                             struct failure *failure) = 0;
    virtual int read_states(void *state, struct failure *failure) = 0;
    virtual int read_states_part(uint64_t first, uint64_t count, void *state, uint64_t stride,
                                 struct failure *failure) = 0;
    virtual int take_losses(void *loss, struct failure *failure) = 0;
    virtual int read_entries(uint64_t first, uint64_t count, void *values, struct failure *failure) = 0;
    virtual int write_entries(uint64_t first, uint64_t count, const void *values,
                              struct failure *failure) = 0;
    virtual int copy(bool *made, struct failure *failure) = 0;
    virtual int read_copied_part(int level, uint64_t first, uint64_t count, void *values,
                                 struct failure *failure) = 0;
    virtual int read_copied_entries(uint64_t first, uint64_t count, void *values,
                                    struct failure *failure) = 0;
    virtual int set_sheets(const struct engine_sheets *sheets, struct failure *failure) = 0;
    virtual int read_sheets(double (*out)[5], struct failure *failure) = 0;
    virtual int write_sheets(const double (*in)[3], struct failure *failure) = 0;
    virtual int forget_sheet_losses(struct failure *failure) = 0;
    virtual int set_layer(const struct engine_layer *layer, struct failure *failure) = 0;
    virtual int move_layer(void *state, void *loss, bool write, struct failure *failure) = 0;
    virtual int set_port(uint64_t count, const uint64_t *index,
                         void (*exchange)(void *, const double *, double *), void *context,
                         struct failure *failure) = 0;
    virtual uint64_t bytes() const = 0;
    virtual int join(const struct engine_halo *halo, struct failure *failure) = 0;
    virtual int exchange(int level, struct failure *failure) = 0;
    virtual void port(struct device_port *out) const = 0;

    char name[192];
    unsigned card;
};

/** As device_engine_create(), on a device that was found and in a precision that fits `request`. */
template <typename real>
int device_stepper_make(struct device_engine **out, const struct device_request *request,
                        const struct device &device, struct failure *failure);

#endif
