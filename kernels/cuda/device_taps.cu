#include "kernels/cuda/device_taps.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernels/cuda/base/device_check.h"
#include "kernels/cuda/step/step_box.cuh"

#define PURPOSE "sources and receivers"
#define THREADS 256u

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Host arrays while tables are made. */
struct tap_tables {
    uint32_t *count;
    uint64_t *node;
    double *weight;
    struct gpu_source_node *source;
};

static int allocate_tables(uint64_t receivers, uint64_t source_nodes, struct tap_tables *tables,
                           struct failure *failure)
{
    const size_t sampled = (size_t)receivers * GPU_TAP_NODES;
    tables->count = static_cast<uint32_t *>(std::malloc((receivers + 1) * sizeof(uint32_t)));
    tables->node = static_cast<uint64_t *>(std::calloc(sampled + 1, sizeof(uint64_t)));
    tables->weight = static_cast<double *>(std::calloc(sampled + 1, sizeof(double)));
    tables->source =
        static_cast<struct gpu_source_node *>(std::malloc((source_nodes + 1) * sizeof *tables->source));
    if (tables->count == nullptr || tables->node == nullptr || tables->weight == nullptr ||
        tables->source == nullptr)
        return failure_memory(failure, sampled * 16 + source_nodes * sizeof *tables->source, PURPOSE);
    return 0;
}

static void fill_tables(const struct device_layout *layout, const struct box_grid *box, uint64_t sources,
                        const struct engine_tap *source, uint64_t receivers,
                        const struct engine_tap *receiver, struct tap_tables *tables)
{
    uint64_t nodes = 0;
    for (uint64_t r = 0; r < receivers; ++r) {
        tables->count[r] = receiver[r].count;
        for (unsigned k = 0; k < receiver[r].count; ++k) {
            tables->node[r * GPU_TAP_NODES + k] = device_index(layout, box, receiver[r].index[k]);
            tables->weight[r * GPU_TAP_NODES + k] = receiver[r].weight[k];
        }
    }
    for (uint64_t s = 0; s < sources; ++s)
        for (unsigned k = 0; k < source[s].count; ++k)
            tables->source[nodes++] = {device_index(layout, box, source[s].index[k]), source[s].weight[k], s};
    std::stable_sort(
        tables->source, tables->source + nodes,
        [](const struct gpu_source_node &a, const struct gpu_source_node &b) { return a.index < b.index; });
}

static int send_tables(const struct tap_tables *tables, const struct device_taps *taps,
                       struct failure *failure)
{
    const size_t sampled = (size_t)taps->receivers * GPU_TAP_NODES;
    DEVICE_TRY(cudaMemcpy(taps->memory + taps->node_count, tables->count, taps->receivers * sizeof(uint32_t),
                          cudaMemcpyHostToDevice),
               PURPOSE, failure);
    DEVICE_TRY(cudaMemcpy(taps->memory + taps->node, tables->node, sampled * sizeof(uint64_t),
                          cudaMemcpyHostToDevice),
               PURPOSE, failure);
    DEVICE_TRY(cudaMemcpy(taps->memory + taps->weight, tables->weight, sampled * sizeof(double),
                          cudaMemcpyHostToDevice),
               PURPOSE, failure);
    DEVICE_TRY(cudaMemcpy(taps->memory + taps->source, tables->source,
                          taps->source_nodes * sizeof *tables->source, cudaMemcpyHostToDevice),
               PURPOSE, failure);
    return 0;
}

static int allocate_batches(struct device_taps *taps, struct failure *failure)
{
    const uint64_t values = (taps->sources + taps->receivers) * taps->batch;
    DEVICE_TRY(cudaMallocHost(&taps->batches, std::max<uint64_t>(values, 1) * sizeof(double)),
               "batches of drives and samples", failure);
    return 0;
}

int device_taps_make(const struct device_layout *layout, const struct box_grid *box, uint64_t sources,
                     const struct engine_tap *source, uint64_t receivers, const struct engine_tap *receiver,
                     struct device_taps *out, struct failure *failure)
{
    struct device_taps taps = {};
    struct tap_tables tables = {};
    char wanted[96];
    static_cast<struct device_tap_layout &>(taps) = device_lay_out_taps(sources, receivers);
    taps.sources = sources;
    taps.receivers = receivers;
    for (uint64_t s = 0; s < sources; ++s)
        taps.source_nodes += source[s].count;
    (void)std::snprintf(wanted, sizeof wanted, PURPOSE " (%llu bytes)", (unsigned long long)taps.bytes);
    DEVICE_TRY(cudaMalloc(&taps.memory, taps.bytes), wanted, failure);
    int code = allocate_batches(&taps, failure);
    if (code == 0)
        code = allocate_tables(receivers, taps.source_nodes, &tables, failure);
    if (code == 0) {
        fill_tables(layout, box, sources, source, receivers, receiver, &tables);
        code = send_tables(&tables, &taps, failure);
    }
    std::free(tables.count);
    std::free(tables.node);
    std::free(tables.weight);
    std::free(tables.source);
    if (code != 0)
        device_taps_free(&taps);
    else
        *out = taps;
    return code;
}

void device_taps_free(struct device_taps *taps)
{
    (void)cudaFree(taps->memory);
    (void)cudaFreeHost(taps->batches);
    *taps = {};
}

/* ---- batches ------------------------------------------------------------------------------------------- */

/* Rows of a batch between the caller's memory, with its stride, and ours. */
static void copy_rows(double *to, uint64_t to_stride, const double *from, uint64_t from_stride, uint64_t rows,
                      uint64_t steps)
{
    for (uint64_t r = 0; r < rows; ++r)
        std::memcpy(to + r * to_stride, from + r * from_stride, (size_t)steps * sizeof(double));
}

int device_taps_send(const struct device_taps *taps, uint64_t steps, const double *drive, uint64_t stride,
                     cudaStream_t stream, struct failure *failure)
{
    const size_t row = taps->batch * sizeof(double), width = steps * sizeof(double);
    char *const drives = taps->memory + taps->drive;
    DEVICE_TRY(cudaMemsetAsync(taps->memory + taps->done, 0, sizeof(uint64_t), stream), "a batch of steps",
               failure);
    if (taps->sources == 0)
        return 0;
    if (drive == nullptr) {
        DEVICE_TRY(cudaMemset2DAsync(drives, row, 0, width, (size_t)taps->sources, stream),
                   "a batch of drives", failure);
        return 0;
    }
    copy_rows(taps->batches, steps, drive, stride, taps->sources, steps);
    DEVICE_TRY(cudaMemcpy2DAsync(drives, row, taps->batches, width, width, (size_t)taps->sources,
                                 cudaMemcpyHostToDevice, stream),
               "a batch of drives", failure);
    return 0;
}

int device_taps_receive(const struct device_taps *taps, uint64_t steps, double *output, uint64_t stride,
                        cudaStream_t stream, struct failure *failure)
{
    const size_t row = taps->batch * sizeof(double), width = steps * sizeof(double);
    double *const samples = taps->batches + taps->sources * taps->batch;
    const bool wanted = output != nullptr && taps->receivers > 0;
    if (wanted)
        DEVICE_TRY(cudaMemcpy2DAsync(samples, width, taps->memory + taps->output, row, width,
                                     (size_t)taps->receivers, cudaMemcpyDeviceToHost, stream),
                   "a batch of samples", failure);
    DEVICE_TRY(cudaStreamSynchronize(stream), "a batch of steps", failure);
    if (wanted)
        copy_rows(output, stride, samples, steps, taps->receivers, steps);
    return 0;
}

__global__ void advance_kernel(uint64_t *done, uint64_t steps)
{
    *done += steps;
}

cudaError_t device_taps_advance(const struct device_taps *taps, uint64_t steps, cudaStream_t stream)
{
    advance_kernel<<<1, 1, 0, stream>>>(reinterpret_cast<uint64_t *>(taps->memory + taps->done), steps);
    return cudaGetLastError();
}

/* ---- marks --------------------------------------------------------------------------------------------- */

__global__ void mark_blocks_kernel(struct gpu_block *block, uint32_t slots, gpu_taps<float> taps,
                                   struct gpu_block *list, uint64_t *count)
{
    const uint32_t slot = blockIdx.x * THREADS + threadIdx.x;
    if (slot >= slots)
        return;
    struct gpu_block entry = block[slot];
    const uint64_t begin = block_index(entry.self);
    const uint32_t first = first_source(taps, begin);
    const bool holds =
        entry.self != 0 && first < taps.source_nodes && taps.source[first].index < begin + GPU_BLOCK_NODES;
    entry.tile = (entry.tile & ~GPU_SOURCE) | (holds ? GPU_SOURCE : 0u);
    block[slot] = entry;
    if (holds)
        list[atomicAdd(reinterpret_cast<unsigned long long *>(count), 1ull)] = entry;
}

int device_mark_blocks(struct gpu_block *block, uint32_t slots, struct device_taps *taps,
                       struct failure *failure)
{
    /* No batch is under way, so its counter is free. */
    uint64_t *const counter = reinterpret_cast<uint64_t *>(taps->memory + taps->done);
    uint64_t count = 0;
    DEVICE_TRY(cudaMemset(counter, 0, sizeof *counter), PURPOSE, failure);
    mark_blocks_kernel<<<(slots + THREADS - 1) / THREADS, THREADS>>>(
        block, slots, taps_of<float>(*taps, 0),
        reinterpret_cast<struct gpu_block *>(taps->memory + taps->source_block), counter);
    DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
    DEVICE_TRY(cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost), PURPOSE, failure);
    taps->source_blocks = (uint32_t)count;
    return 0;
}

__global__ void mark_rows_kernel(struct gpu_iso_row *row, uint32_t slots, gpu_taps<float> taps)
{
    const uint32_t slot = blockIdx.x * THREADS + threadIdx.x;
    if (slot >= slots)
        return;
    const uint64_t begin = block_index(row[slot].self);
    const uint32_t first = first_source(taps, begin);
    const bool holds = row[slot].self != 0 && first < taps.source_nodes &&
                       taps.source[first].index < begin + GPU_BLOCK_NODES;
    row[slot].tile = (row[slot].tile & ~GPU_ISO_SOURCE) | (holds ? GPU_ISO_SOURCE : 0u);
}

int device_mark_rows(struct gpu_iso_row *row, uint32_t slots, const struct device_taps *taps,
                     struct failure *failure)
{
    mark_rows_kernel<<<(slots + THREADS - 1) / THREADS, THREADS>>>(row, slots, taps_of<float>(*taps, 0));
    DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
    DEVICE_TRY(cudaDeviceSynchronize(), PURPOSE, failure);
    return 0;
}

/* Several entries may name one node: they write the same byte. */
__global__ void mark_box_kernel(uint8_t *links, const struct gpu_source_node *source, uint32_t nodes,
                                uint8_t mark)
{
    const uint32_t n = blockIdx.x * THREADS + threadIdx.x;
    if (n < nodes)
        links[source[n].index] = (uint8_t)((links[source[n].index] & 0x3Fu) | mark);
}

static int mark_box(uint8_t *links, const struct device_taps *taps, uint8_t mark, struct failure *failure)
{
    const uint32_t nodes = (uint32_t)taps->source_nodes;
    if (nodes == 0)
        return 0;
    mark_box_kernel<<<(nodes + THREADS - 1) / THREADS, THREADS>>>(
        links, reinterpret_cast<const struct gpu_source_node *>(taps->memory + taps->source), nodes, mark);
    DEVICE_TRY(cudaGetLastError(), PURPOSE, failure);
    DEVICE_TRY(cudaDeviceSynchronize(), PURPOSE, failure);
    return 0;
}

int device_mark_box(uint8_t *links, const struct device_taps *before, const struct device_taps *taps,
                    struct failure *failure)
{
    TRY(mark_box(links, before, 0, failure));
    return mark_box(links, taps, GPU_BOX_SOURCE, failure);
}
