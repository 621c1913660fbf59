/** The part of an engine on a CUDA device: pressures, topology, taps, batches of steps.
 *
 * Engines are the only callers. All values that pass here are laid out as on the CPU: blocks by id and slot,
 * the box with its halo. A new operation is a member of struct device_ops and a method of the engine on the
 * device (engine_on_device.cuh), which make_ops() of device_stepper.cu names.
 */
#ifndef KERNELS_DEVICE_ENGINE_H
#define KERNELS_DEVICE_ENGINE_H

#include "geometry/base/failure.h"
#include "kernels/cuda/base/device_request.h"
#include "kernels/scheme/engine_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device_engine;
struct wall_terms;
struct engine_halo;
struct engine_layer;
struct engine_sheets;
struct device_port;
struct device_table;

/** Called for an engine on the device with a sample of its port: what it adds. */
typedef void device_exchange(void *context, const double *value, double *push);

/** The operations of an engine on a device. The calling thread's CUDA calls are about its card from then
 * on. */
struct device_ops {
    void (*free)(struct device_engine *device);
    /** Bytes taken on the device so far. */
    uint64_t (*bytes)(const struct device_engine *device);

    /** All sources and receivers, in place of those before. Copied. FAILURE_CAPACITY with the bytes. */
    int (*set_taps)(struct device_engine *device, size_t sources, const struct engine_tap *source,
                    size_t receivers, const struct engine_tap *receiver, struct failure *failure);

    /** As engine_run(). Samples and drives travel in batches; no allocation, copy to the host or wait per
     * step. FAILURE_OUTPUT when the device fails: after that every call fails. */
    int (*run)(struct device_engine *device, uint64_t steps, const double *drive, double *output,
               struct failure *failure);

    /** Both levels to zero, and the states and losses of walls. */
    int (*reset)(struct device_engine *device, struct failure *failure);

    /** Level 0 is u, 1 u_old; `values` holds request.length reals. */
    int (*read)(struct device_engine *device, int level, void *values, struct failure *failure);
    int (*write)(struct device_engine *device, int level, const void *values, struct failure *failure);
    /** `count` values of a level from index `first` on; first + count is at most request.length. */
    int (*read_part)(struct device_engine *device, int level, uint64_t first, uint64_t count, void *values,
                     struct failure *failure);
    /** The same to the device, of blocks alone. */
    int (*write_part)(struct device_engine *device, int level, uint64_t first, uint64_t count,
                      const void *values, struct failure *failure);

    /** Sum of squares, sum, largest and first bad index over u, as engine_health() needs them. The same sums
     * at every call for the same field: the order of summation is fixed. */
    int (*measure)(struct device_engine *device, struct engine_partial *found, struct failure *failure);
    /** As engine_energy(), of the field alone. */
    int (*energy)(struct device_engine *device, double *energy, struct failure *failure);
    /** As engine_hash(). */
    int (*hash)(struct device_engine *device, uint64_t *hash, struct failure *failure);
    /** As engine_fill(). */
    int (*fill)(struct device_engine *device, uint64_t seed, struct failure *failure);

    /** Frequency-dependent walls: what all of them hold, in the units of engine_energy(). The weight of an
     * entry is worked out from its share, so in single precision it is known to (1 + kappa) of its node
     * roundings. The same sum at every call for the same states. O(wall entries).
     * @param terms by row as step_wall_row() counts
     * @param courant of the step; `inertance` as in wall_terms_make() */
    int (*wall_energy)(struct device_engine *device, const struct wall_terms *terms, double courant,
                       bool inertance, double *energy, struct failure *failure);
    /** With step_walls.ledger: add what each material has absorbed since the last call to absorbed[]
     * (step_walls.materials + 1), in the units of engine_absorbed(); what was added is forgotten. Weights and
     * order as above. O(materials x wall nodes). */
    int (*add_absorbed)(struct device_engine *device, const struct wall_terms *terms, double courant,
                        double *absorbed, struct failure *failure);
    /** The states of `count` entries from `first` on, in the run's real, as after the last step, sources
     * included: plane after plane as step_walls.state has them, `stride` reals apart. */
    int (*read_states_part)(struct device_engine *device, uint64_t first, uint64_t count, void *state,
                            uint64_t stride, struct failure *failure);
    /** With step_walls.ledger: what scheme_wall_keep() has added up since the last call, (wall entries)
     * reals; it starts from 0 again. For tests. */
    int (*take_losses)(struct device_engine *device, void *loss, struct failure *failure);

    /** What the wall entries first .. first+count-1 hold, plane by plane in the run's real: (2 branches,
     * count) ordered as step_walls.state and, with step_walls.ledger, (count) of what each has lost, which it
     * keeps. */
    int (*read_entries)(struct device_engine *device, uint64_t first, uint64_t count, void *values,
                        struct failure *failure);
    int (*write_entries)(struct device_engine *device, uint64_t first, uint64_t count, const void *values,
                         struct failure *failure);

    /** A second copy, on the device, of both levels and of what wall entries hold, as they are now; in the
     * place of the one before. Its memory stays until the engine is freed and is not in bytes(). `*made`
     * false: the device holds none, or steps a box or a part of a room. Takes as long as to read and write so
     * much there. */
    int (*copy)(struct device_engine *device, bool *made, struct failure *failure);
    /** From that copy, as read_part() and read_entries(): while another thread makes
     * any other call but the one above and free(). */
    int (*read_copied_part)(struct device_engine *device, int level, uint64_t first, uint64_t count,
                            void *values, struct failure *failure);
    int (*read_copied_entries)(struct device_engine *device, uint64_t first, uint64_t count, void *values,
                               struct failure *failure);

    /** The sheets of the room (../engine/engine_sheets.h), once; tables are copied, states are 0.
     * FAILURE_CAPACITY. */
    int (*set_sheets)(struct device_engine *device, const struct engine_sheets *sheets,
                      struct failure *failure);
    /** Of every link u_i - u_j of both levels, newest first, V, w, and what it has lost. */
    int (*read_sheets)(struct device_engine *device, double (*out)[5], struct failure *failure);
    /** V, w, loss of every link, which fit the run's real. */
    int (*write_sheets)(struct device_engine *device, const double (*in)[3], struct failure *failure);
    int (*forget_sheet_losses)(struct device_engine *device, struct failure *failure);

    /** The layer behind its open faces (../engine/engine_layer.h), once; and its states and losses in the
     * run's real, each NULL or the host's, from the device or to it. FAILURE_CAPACITY, FAILURE_OUTPUT. */
    int (*set_layer)(struct device_engine *device, const struct engine_layer *layer, struct failure *failure);
    int (*move_layer)(struct device_engine *device, void *state, void *loss, bool write,
                      struct failure *failure);
    /** The port of an engine (../engine/engine_port.h), once, of an engine that is not a part: from now on
     * every step ends with `exchange`, which is given u of the step's start at the nodes `index` (each once)
     * and says what is added to them. FAILURE_CAPACITY. */
    int (*set_port)(struct device_engine *device, uint64_t count, const uint64_t *index,
                    device_exchange *exchange, void *context, struct failure *failure);

    /** One part of a room: from now on every step exchanges values as engine_halo.h says, and taps are to be
     * set again. Blocks alone, not twice; `halo` is borrowed. FAILURE_CAPACITY with the bytes,
     * FAILURE_OUTPUT. */
    int (*join)(struct device_engine *device, const struct engine_halo *halo, struct failure *failure);
    /** As engine_exchange(). */
    int (*exchange)(struct device_engine *device, int level, struct failure *failure);
    /** Of an engine that has joined. */
    void (*port)(const struct device_engine *device, struct device_port *out);
};

/** What an engine on a device begins with. */
struct device_engine {
    const struct device_ops *ops;
    unsigned card;
    char name[192]; /* what runs, for people: "cuda NVIDIA H200 march" */
};

/** Zero pressure, no taps.
 * FAILURE_CAPACITY without a device, or with the bytes, before anything large is allocated, when they are
 * more than the device has free. */
int device_engine_create(const struct device_table *table, struct device_engine **out,
                         const struct device_request *request, struct failure *failure);

#ifdef __cplusplus
}
#endif

#endif
