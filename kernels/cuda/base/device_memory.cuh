/** Device memory with one owner. It is allocated once and freed with its owner. */
#ifndef KERNELS_DEVICE_MEMORY_CUH
#define KERNELS_DEVICE_MEMORY_CUH

#include <cstdio>

#include "kernels/cuda/step/gpu_headers.cuh"

#include "kernels/cuda/base/device_check.h"

template <typename item> class device_memory {
  public:
    device_memory() = default;
    device_memory(const device_memory &) = delete;
    device_memory &operator=(const device_memory &) = delete;
    ~device_memory()
    {
        (void)cudaFree(items_); /* fails only after another call has failed, and that one was reported */
    }
    /** Contents are undefined. @param count > 0. FAILURE_CAPACITY with the bytes. */
    int allocate(uint64_t count, const char *purpose, struct failure *failure)
    {
        char wanted[256];
        const uint64_t bytes = count * sizeof(item);
        (void)std::snprintf(wanted, sizeof wanted, "%s (%llu bytes)", purpose, (unsigned long long)bytes);
        DEVICE_TRY(cudaMalloc(&items_, bytes), wanted, failure);
        return 0;
    }
    item *data() const
    {
        return items_;
    }

  private:
    item *items_ = nullptr;
};

#endif
