#include "kernels/cuda/device_values.h"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/base/device_check.h"

#define PURPOSE      "the pressures"
#define COPY_PURPOSE "a checkpoint"

/* Device memory left free for later allocations: tables of taps, sums, other programs. */
#define COPY_SPARE   ((uint64_t)512 << 20)
#define COPY_THROUGH ((uint64_t)8 << 20)

/* The nodes of the box between the host's array with its halo and the device's with its pitch. */
static cudaMemcpy3DParms box_copy(const struct device_values *values, void *level, void *host, bool to_host)
{
    const size_t x = (size_t)values->box->nodes[0], y = (size_t)values->box->nodes[1],
                 real = values->real_bytes, pitch = values->layout->pitch;
    cudaMemcpy3DParms copy = {};
    const cudaPitchedPtr on_host = make_cudaPitchedPtr(host, (x + 2) * real, x + 2, y + 2);
    const cudaPitchedPtr on_device = make_cudaPitchedPtr(level, pitch * real, pitch, y);
    const cudaPos in_halo = make_cudaPos(real, 1, 1);
    copy.srcPtr = to_host ? on_device : on_host;
    copy.dstPtr = to_host ? on_host : on_device;
    if (to_host)
        copy.dstPos = in_halo;
    else
        copy.srcPos = in_halo;
    copy.extent = make_cudaExtent(x * real, y, (size_t)values->box->nodes[2]);
    copy.kind = to_host ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    return copy;
}

int device_values_read(const struct device_values *values, const void *level, void *host,
                       struct failure *failure)
{
    if (values->box == nullptr)
        return device_values_read_part(values, level, 0, values->host_length, host, failure);
    std::memset(host, 0, (size_t)values->host_length * values->real_bytes);
    const cudaMemcpy3DParms copy = box_copy(values, const_cast<void *>(level), host, true);
    DEVICE_TRY(cudaMemcpy3D(&copy), PURPOSE, failure);
    return 0;
}

int device_values_write(const struct device_values *values, void *level, const void *host,
                        struct failure *failure)
{
    if (values->box == nullptr) {
        DEVICE_TRY(
            cudaMemcpy(level, host, (size_t)values->host_length * values->real_bytes, cudaMemcpyHostToDevice),
            PURPOSE, failure);
        return 0;
    }
    const cudaMemcpy3DParms copy = box_copy(values, level, const_cast<void *>(host), false);
    DEVICE_TRY(cudaMemcpy3D(&copy), PURPOSE, failure);
    return 0;
}

int device_values_read_part(const struct device_values *values, const void *level, uint64_t first,
                            uint64_t count, void *host, struct failure *failure)
{
    const struct box_grid *const box = values->box;
    const size_t real = values->real_bytes;
    const char *const from = static_cast<const char *>(level);
    char *const to = static_cast<char *>(host);
    if (box == nullptr) {
        DEVICE_TRY(cudaMemcpy(to, from + first * real, (size_t)count * real, cudaMemcpyDeviceToHost), PURPOSE,
                   failure);
        return 0;
    }
    /* Row by row; the halo is not on the device. */
    const uint64_t row = (uint64_t)box->nodes[0] + 2, rows = (uint64_t)box->nodes[1] + 2;
    for (uint64_t index = first, next; index < first + count; index = next) {
        const uint64_t x = index % row, y = index / row % rows, z = index / row / rows;
        const bool halo =
            x == 0 || x + 1 == row || y == 0 || y + 1 == rows || z == 0 || z > (uint64_t)box->nodes[2];
        char *const at = to + (index - first) * real;
        next = halo ? index + 1 : std::min(index + (row - 1 - x), first + count);
        if (halo)
            std::memset(at, 0, real);
        else
            DEVICE_TRY(cudaMemcpy(at, from + device_index(values->layout, box, index) * real,
                                  (size_t)(next - index) * real, cudaMemcpyDeviceToHost),
                       PURPOSE, failure);
    }
    return 0;
}

int device_values_write_part(const struct device_values *values, void *level, uint64_t first, uint64_t count,
                             const void *host, struct failure *failure)
{
    const size_t real = values->real_bytes;
    DEVICE_TRY(cudaMemcpy(static_cast<char *>(level) + first * real, host, (size_t)count * real,
                          cudaMemcpyHostToDevice),
               PURPOSE, failure);
    return 0;
}

/* ---- a second copy ------------------------------------------------------------------------------------- */

void device_copy_free(struct device_copy *copy)
{
    if (copy->stream != nullptr)
        (void)cudaStreamDestroy(copy->stream);
    (void)cudaFreeHost(copy->through);
    (void)cudaFree(copy->memory);
    *copy = {};
}

/* A lost device is reported by the next call that must not fail. */
bool device_copy_make(struct device_copy *copy, uint64_t bytes)
{
    size_t available = 0, total = 0;
    if (copy->memory != nullptr)
        return true;
    const bool made = cudaMemGetInfo(&available, &total) == cudaSuccess && available >= COPY_SPARE &&
                      bytes <= available - COPY_SPARE && cudaMalloc(&copy->memory, bytes) == cudaSuccess &&
                      cudaMallocHost(&copy->through, COPY_THROUGH) == cudaSuccess &&
                      cudaStreamCreateWithFlags(&copy->stream, cudaStreamNonBlocking) == cudaSuccess;
    if (!made) {
        device_copy_free(copy);
        (void)cudaGetLastError();
    }
    return made;
}

int device_copy_read(const struct device_copy *copy, uint64_t first, uint64_t bytes, void *host,
                     struct failure *failure)
{
    for (uint64_t done = 0; done < bytes; done += COPY_THROUGH) {
        const uint64_t piece = std::min(bytes - done, COPY_THROUGH);
        DEVICE_TRY(cudaMemcpyAsync(copy->through, copy->memory + first + done, piece, cudaMemcpyDeviceToHost,
                                   copy->stream),
                   COPY_PURPOSE, failure);
        DEVICE_TRY(cudaStreamSynchronize(copy->stream), COPY_PURPOSE, failure);
        std::memcpy(static_cast<char *>(host) + done, copy->through, piece);
    }
    return 0;
}
