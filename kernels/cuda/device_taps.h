/** Sources and receivers on the device: their tables, and the batches of drives and samples. */
#ifndef KERNELS_DEVICE_TAPS_H
#define KERNELS_DEVICE_TAPS_H

#include "kernels/cuda/device_layout.h"
#include "kernels/cuda/step/gpu_iso.cuh"
#include "kernels/cuda/step/gpu_taps.cuh"

/** Owned: `memory`, laid out as the base says, and `batches`; freed by device_taps_free(). Zeroed is empty.
 */
struct device_taps : device_tap_layout {
    char *memory;
    double *batches; /* on the host, page-locked: a batch of drives, then one of samples */
    uint64_t sources, receivers, source_nodes;
    uint32_t source_blocks; /* found by device_mark_blocks() */
};

/** Tables for all taps; `out` must be empty. FAILURE_CAPACITY with the bytes, FAILURE_OUTPUT. */
int device_taps_make(const struct device_layout *layout, const struct box_grid *box, uint64_t sources,
                     const struct engine_tap *source, uint64_t receivers, const struct engine_tap *receiver,
                     struct device_taps *out, struct failure *failure);
void device_taps_free(struct device_taps *taps);

/** The taps as kernels see them. */
template <typename real> gpu_taps<real> taps_of(const struct device_taps &taps, uint32_t step)
{
    const auto at = [&taps](uint64_t offset) { return static_cast<void *>(taps.memory + offset); };
    gpu_taps<real> out = {};
    out.receivers = (uint32_t)taps.receivers;
    out.node_count = static_cast<const uint32_t *>(at(taps.node_count));
    out.node = static_cast<const uint64_t *>(at(taps.node));
    out.weight = static_cast<const double *>(at(taps.weight));
    out.output = static_cast<double *>(at(taps.output));
    out.source = static_cast<const struct gpu_source_node *>(at(taps.source));
    out.source_nodes = (uint32_t)taps.source_nodes;
    out.source_blocks = taps.source_blocks;
    out.source_block = static_cast<const struct gpu_block *>(at(taps.source_block));
    out.drive = static_cast<const double *>(at(taps.drive));
    out.batch = taps.batch;
    out.done = static_cast<const uint64_t *>(at(taps.done));
    out.step = step;
    return out;
}

/** Start a batch of `steps` (at most taps->batch) on a stream: its drives, zeros where `drive` is NULL. Row s
 * of `drive` starts at drive + s stride. The batch before must have been received. */
int device_taps_send(const struct device_taps *taps, uint64_t steps, const double *drive, uint64_t stride,
                     cudaStream_t stream, struct failure *failure);
/** End it: wait for the stream; samples go to `output` where that is not NULL. */
int device_taps_receive(const struct device_taps *taps, uint64_t steps, double *output, uint64_t stride,
                        cudaStream_t stream, struct failure *failure);
/** Count steps as done, from within a stream or graph. */
cudaError_t device_taps_advance(const struct device_taps *taps, uint64_t steps, cudaStream_t stream);

/** Mark exactly the places with source nodes: blocks in launch order, which are also listed in `taps`, or
 * link bytes of the box, whose marks of `before` (may be empty) are cleared. */
int device_mark_blocks(struct gpu_block *block, uint32_t slots, struct device_taps *taps,
                       struct failure *failure);
/** The same of rows of the isotropic scheme, of which no list is made. */
int device_mark_rows(struct gpu_iso_row *row, uint32_t slots, const struct device_taps *taps,
                     struct failure *failure);
int device_mark_box(uint8_t *links, const struct device_taps *before, const struct device_taps *taps,
                    struct failure *failure);

#endif
