/** Measure and fill a field on the device, as engine_monitor.c and engine_fill.c do on a CPU.
 *
 * CUDA C++. Each call asks for at most 3 MB of device memory (and 1 kB a material), works on the field's
 * stream, waits for it and frees its memory. Failures: FAILURE_CAPACITY when that memory is not available,
 * FAILURE_OUTPUT when the device failed (device_check.h); the result is then not written.
 */
#ifndef KERNELS_DEVICE_MONITOR_H
#define KERNELS_DEVICE_MONITOR_H

#include "kernels/cuda/base/device_headers.cuh"

#include "kernels/cuda/step/gpu_room.cuh"
#include "kernels/cuda/step/step_iso_box.cuh"

/** Both levels of a field and their room; all borrowed.
 *
 *   blocks   u, u_old (blocks + 1, 512) at index 0; room with its launch order and tiles
 *   box      u, u_old and box.links at node (0,0,0): index (z nodes_y + y) pitch + x, a plane of padding
 *            before and after; 0 outside the air, padding included
 */
template <typename real> struct device_field {
    enum layout layout;
    real *u, *u_old;
    gpu_room<real> room; /* LAYOUT_BLOCKS */
    gpu_box<real> box;   /* LAYOUT_BOX */
    gpu_cuts cuts;       /* conformal walls */
    gpu_iso<real> iso;   /* LAYOUT_BLOCKS of the isotropic scheme */
    gpu_iso_box<gpu_box<real>> iso_box;
    const struct block_grid *blocks; /* on the host: places of the blocks */
    const struct box_grid *host_box; /* on the host, LAYOUT_BOX: its low corner and halo */
    double lambda2;
    cudaStream_t stream;
};

/** Over u: sum of squares, sum (in a conformal room of mass x u^2, mass x u) and largest finite magnitude,
 * and the index *on the host* of the first node that is not finite, or UINT64_MAX. The sums are the same at
 * every call: their order depends on the field's size alone. */
template <typename real>
int device_measure(const device_field<real> &field, struct engine_partial *found, struct failure *failure);

/** As engine_energy(); the order of summation is fixed as above. */
template <typename real>
int device_energy(const device_field<real> &field, double *energy, struct failure *failure);

/** Data of the walls' materials, on the host; borrowed. */
struct device_wall_terms {
    const struct wall_terms *terms; /* (rows) as gpu_walls.material */
    size_t rows;
    double courant;
    bool inertance;
    const float *gain;          /* on the device, by wall node: conformal walls; else NULL */
    double lambda2, gain_parts; /* block_gain_parts() */
};

/** Energy that frequency-dependent walls hold: device_ops.wall_energy. The order of summation depends on the
 * number of wall nodes alone. */
template <typename real>
int device_wall_energy(const gpu_walls<real> &walls, const struct device_wall_terms &of, cudaStream_t stream,
                       double *energy, struct failure *failure);

/** Add what each of the first `rows` materials has absorbed since the last call to absorbed[] (rows), and set
 * the losses of all entries to 0: device_ops.add_absorbed. O(rows x wall nodes). */
template <typename real>
int device_wall_losses(const gpu_walls<real> &walls, const struct device_wall_terms &of, size_t rows,
                       cudaStream_t stream, double *absorbed, struct failure *failure);

/** As block_field_hash() or box_field_hash() of u: the same number. */
template <typename real>
int device_hash(const device_field<real> &field, uint64_t *hash, struct failure *failure);

/** As engine_fill(): both levels of every node of the air; other nodes do not change. */
template <typename real>
int device_fill(const device_field<real> &field, uint64_t seed, struct failure *failure);

#endif
