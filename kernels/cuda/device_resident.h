/** Rooms of few blocks, which never leave the chip while they are stepped, by step_resident and by
 * step_iso_resident, with sources and receivers. Single precision only, where they are the fastest. */
#ifndef KERNELS_DEVICE_RESIDENT_H
#define KERNELS_DEVICE_RESIDENT_H

#include "kernels/cuda/device_layout.h"
#include "kernels/cuda/device_taps.h"
#include "kernels/cuda/step/step_iso_resident.cuh"

/** Owned memory; zeroed is empty. */
struct device_resident {
    bool fits;      /* the room can be stepped this way */
    bool taps_fit;  /* and with its present sources and receivers too */
    char *memory;   /* topology and messages */
    char *sampled;  /* tables of sources and receivers, and the values of a batch */
    uint64_t bytes; /* of memory */
    uint64_t sampled_bytes;
    uint64_t shared_most;  /* shared memory that a CTA may have [bytes] */
    uint64_t source_bytes; /* of it, for values of sources */
    bool isotropic;
    gpu_resident<float> room;    /* of the one scheme, */
    gpu_iso_resident<float> iso; /* or the other */
    uint32_t ctas, blocks_each;  /* of either */
    uint64_t shared_bytes;
    uint4 *mail;
    uint64_t mail_bytes;
    resident_taps<float> taps;
    const uint32_t *first; /* (receivers + 1) where each receiver's nodes begin in .. */
    const uint32_t *place; /* .. their places in a row of values and .. */
    const double *weight;  /* .. their weights */
    uint32_t receivers;
    uint32_t tag; /* of the next step's messages */
};

/** Find out whether a room fits, memory for its tables included, and if so send its topology. FAILURE_OUTPUT.
 */
int device_resident_make(const struct device *device, const struct block_grid *grid,
                         const gpu_room<float> &room, struct device_resident *out, struct failure *failure);
/** The same of the isotropic scheme. @param walls   those with states, else zeroed; they cannot be driven. */
int device_resident_make_iso(const struct device *device, const struct block_grid *grid,
                             const gpu_iso<float> &room, const gpu_walls<float> &walls,
                             struct device_resident *out, struct failure *failure);
void device_resident_free(struct device_resident *resident);

/** Sources and receivers, whose batches are in `taps`. Sets taps_fit. FAILURE_OUTPUT. */
int device_resident_set_taps(struct device_resident *resident, const struct device_taps *taps,
                             uint64_t sources, const struct engine_tap *source, uint64_t receivers,
                             const struct engine_tap *receiver, struct failure *failure);

/** Step a batch: u and u_old hold the newest two levels again at its end. */
int device_resident_run(struct device_resident *resident, const struct device_taps *taps, float *u,
                        float *u_old, uint32_t steps, cudaStream_t stream, struct failure *failure);

#endif
