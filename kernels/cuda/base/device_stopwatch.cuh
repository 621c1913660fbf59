/** Seconds between two places of the default stream. */
#ifndef KERNELS_DEVICE_STOPWATCH_CUH
#define KERNELS_DEVICE_STOPWATCH_CUH

#include "kernels/cuda/step/gpu_headers.cuh"

#include "kernels/cuda/base/device_check.h"

class device_stopwatch {
  public:
    device_stopwatch() = default;
    device_stopwatch(const device_stopwatch &) = delete;
    device_stopwatch &operator=(const device_stopwatch &) = delete;
    ~device_stopwatch()
    {
        if (begin_ != nullptr)
            (void)cudaEventDestroy(begin_);
        if (end_ != nullptr)
            (void)cudaEventDestroy(end_);
    }
    int begin(const char *purpose, struct failure *failure)
    {
        if (begin_ == nullptr)
            DEVICE_TRY(cudaEventCreate(&begin_), purpose, failure);
        if (end_ == nullptr)
            DEVICE_TRY(cudaEventCreate(&end_), purpose, failure);
        DEVICE_TRY(cudaEventRecord(begin_), purpose, failure);
        return 0;
    }
    /** Waits for the work started in between. */
    int end(const char *purpose, double *seconds, struct failure *failure)
    {
        float milliseconds = 0.0f;
        DEVICE_TRY(cudaEventRecord(end_), purpose, failure);
        DEVICE_TRY(cudaEventSynchronize(end_), purpose, failure);
        DEVICE_TRY(cudaEventElapsedTime(&milliseconds, begin_, end_), purpose, failure);
        *seconds = 1e-3 * (double)milliseconds;
        return 0;
    }

  private:
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

#endif
