/* Finds the devices, and measures how fast they copy. */
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <dlfcn.h>

#include "kernels/cuda/base/device_memory.cuh"
#include "kernels/cuda/base/device_stopwatch.cuh"

#include "kernels/cuda/base/device.h"

#define OLDEST_CAPABILITY 75

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)
#define TOOLKIT_VERSION TEXT(__CUDACC_VER_MAJOR__) "." TEXT(__CUDACC_VER_MINOR__)
static_assert(CUDART_VERSION == 1000 * __CUDACC_VER_MAJOR__ + 10 * __CUDACC_VER_MINOR__,
              "compiler and runtime come from one toolkit");

const char *cuda_toolkit(void)
{
    return TOOLKIT_VERSION;
}

/* Found as the CUDA run-time finds it. */
bool cuda_driver_installed(void)
{
    void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver == nullptr)
        return false;
    (void)dlclose(driver);
    return true;
}

/* Representative of all kernels: is there code for this device? */
static __global__ void probe_kernel(int *out)
{
    *out = 1;
}

/* A device that is only unavailable has not failed. */
static int cannot_use(cudaError_t code, const char *call, struct failure *failure)
{
    struct failure why = {};
    (void)device_fail(code, call, "finding a device", &why);
    if (code == cudaErrorSystemNotReady)
        why.code = FAILURE_CAPACITY;
    return failure_forward(failure, &why);
}

/* The reason why the driver reports no device. */
static int explain_no_count(cudaError_t code, struct failure *failure)
{
    int driver = 0;
    if (code == cudaErrorNoDevice || code == cudaSuccess) {
        const char *const visible = std::getenv("CUDA_VISIBLE_DEVICES");
        if (visible != NULL)
            return failure_set(
                failure, FAILURE_CAPACITY,
                "the NVIDIA driver sees no device (of those that CUDA_VISIBLE_DEVICES=%s names)", visible);
        return failure_set(failure, FAILURE_CAPACITY, "the NVIDIA driver sees no device");
    }
    if (code != cudaErrorInsufficientDriver)
        return cannot_use(code, "cudaGetDeviceCount", failure);
    DEVICE_TRY(cudaDriverGetVersion(&driver), "finding a device", failure);
    if (driver == 0)
        return failure_set(failure, FAILURE_CAPACITY, "no NVIDIA driver is installed");
    return failure_set(failure, FAILURE_CAPACITY,
                       "the NVIDIA driver is too old (it knows CUDA %d.%d) for this program (CUDA %s)",
                       driver / 1000, driver % 1000 / 10, TOOLKIT_VERSION);
}

/* Can this process have a context on a device? Creates it. */
static int open_device(int card, const char *name, struct failure *failure)
{
    int mode = cudaComputeModeDefault;
    DEVICE_TRY(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, card), "finding a device", failure);
    if (mode == cudaComputeModeProhibited)
        return failure_set(failure, FAILURE_CAPACITY,
                           "the device %s is closed to programs (compute mode Prohibited; `nvidia-smi -c "
                           "DEFAULT` opens it)",
                           name);
    cudaError_t code = cudaSetDevice(card);
    if (code == cudaSuccess)
        code = cudaFree(NULL);
    if (code == cudaErrorDevicesUnavailable || code == cudaErrorDeviceAlreadyInUse) {
        (void)cudaGetLastError();
        return failure_set(failure, FAILURE_CAPACITY,
                           mode == cudaComputeModeExclusiveProcess
                               ? "another process has exclusive use of the device %s (compute mode "
                                 "Exclusive_Process; `nvidia-smi` shows which)"
                               : "the device %s is busy (`nvidia-smi` shows with what)",
                           name);
    }
    if (code != cudaSuccess)
        return cannot_use(code, "cudaSetDevice", failure);
    return 0;
}

/* Has this program code that the device runs? */
static int look_for_code(int major, int minor, struct failure *failure)
{
    cudaFuncAttributes attributes;
    const cudaError_t code = cudaFuncGetAttributes(&attributes, probe_kernel);
    if (code == cudaSuccess)
        return 0;
    struct failure why = {};
    (void)device_fail(code, "cudaFuncGetAttributes", "finding a device", &why);
    if (why.code != FAILURE_CAPACITY || code == cudaErrorMemoryAllocation)
        return failure_forward(failure, &why);
    return failure_set(failure, FAILURE_CAPACITY,
                       "this program has no code for compute capability %d.%d (%s)", major, minor,
                       cudaGetErrorName(code));
}

unsigned cuda_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        (void)cudaGetLastError();
    return count > 0 ? (unsigned)count : 0;
}

/* One direction; a second call finds it enabled. */
static bool open_way(unsigned from, unsigned to)
{
    int can = 0;
    if (cudaDeviceCanAccessPeer(&can, (int)from, (int)to) != cudaSuccess || !can ||
        cudaSetDevice((int)from) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    const cudaError_t code = cudaDeviceEnablePeerAccess((int)to, 0);
    (void)cudaGetLastError();
    return code == cudaSuccess || code == cudaErrorPeerAccessAlreadyEnabled;
}

bool cuda_reach(unsigned one, unsigned other)
{
    return one == other || (open_way(one, other) && open_way(other, one));
}

int cuda_find_card(unsigned card, struct device *out, struct failure *failure)
{
    int count = 0;
    const cudaError_t counted = cudaGetDeviceCount(&count);
    if (counted != cudaSuccess || count == 0) {
        (void)cudaGetLastError();
        return explain_no_count(counted, failure);
    }
    if (card >= (unsigned)count)
        return failure_set(failure, FAILURE_CAPACITY,
                           "there is no GPU %u: the NVIDIA driver lists %d, counted from 0", card, count);
    struct device found = {};
    cudaDeviceProp properties;
    DEVICE_TRY(cudaGetDeviceProperties(&properties, (int)card), "finding a device", failure);
    (void)std::snprintf(found.name, sizeof found.name, "%.*s", (int)sizeof found.name - 1, properties.name);
    found.card = card;
    static_assert(sizeof found.identity == sizeof properties.uuid, "as the driver has it");
    std::memcpy(found.identity, &properties.uuid, sizeof found.identity);
    found.compute_major = properties.major;
    found.compute_minor = properties.minor;
    found.processors = properties.multiProcessorCount;
    found.cache = properties.l2CacheSize > 0 ? (uint64_t)properties.l2CacheSize : 0;
    if (10 * properties.major + properties.minor < OLDEST_CAPABILITY)
        return failure_set(
            failure, FAILURE_CAPACITY,
            "the device %s has compute capability %d.%d, and this program needs %d.%d or newer", found.name,
            properties.major, properties.minor, OLDEST_CAPABILITY / 10, OLDEST_CAPABILITY % 10);
    TRY(open_device((int)card, found.name, failure));
    TRY(look_for_code(properties.major, properties.minor, failure));
    DEVICE_TRY(cudaDriverGetVersion(&found.driver_version), "finding a device", failure);
    size_t bytes_free = 0, bytes_total = 0;
    DEVICE_TRY(cudaMemGetInfo(&bytes_free, &bytes_total), "finding a device", failure);
    found.bytes_free = bytes_free;
    found.bytes_total = bytes_total;
    *out = found;
    return 0;
}

/* The best of `passes`, in bytes copied per second. Both may be the same device; `from` is current. */
static int time_copies(unsigned from, unsigned to, uint64_t bytes, int passes, double *rate,
                       struct failure *failure)
{
    static const char purpose[] = "timing copies of a device";
    device_memory<unsigned char> source, target;
    device_stopwatch watch;
    double seconds = 0.0;
    *rate = 0.0;
    DEVICE_TRY(cudaSetDevice((int)to), purpose, failure);
    TRY(target.allocate(bytes, purpose, failure));
    DEVICE_TRY(cudaMemset(target.data(), 2, bytes), purpose, failure);
    DEVICE_TRY(cudaSetDevice((int)from), purpose, failure);
    TRY(source.allocate(bytes, purpose, failure));
    DEVICE_TRY(cudaMemset(source.data(), 1, bytes), purpose, failure);
    for (int pass = 0; pass < passes; ++pass) {
        TRY(watch.begin(purpose, failure));
        DEVICE_TRY(from == to ? cudaMemcpyAsync(target.data(), source.data(), bytes, cudaMemcpyDeviceToDevice)
                              : cudaMemcpyPeerAsync(target.data(), (int)to, source.data(), (int)from, bytes),
                   purpose, failure);
        TRY(watch.end(purpose, &seconds, failure));
        const double reached = seconds > 0.0 ? (double)bytes / seconds : 0.0;
        *rate = reached > *rate ? reached : *rate;
    }
    return 0;
}

int cuda_copy_rate(uint64_t bytes, int passes, double *rate, struct failure *failure)
{
    int card = 0;
    DEVICE_TRY(cudaGetDevice(&card), "timing copies on the device", failure);
    TRY(time_copies((unsigned)card, (unsigned)card, bytes, passes, rate, failure));
    *rate *= 2.0;
    return 0;
}

int cuda_link_rate(unsigned from, unsigned to, uint64_t bytes, int passes, double *rate,
                   struct failure *failure)
{
    return time_copies(from, to, bytes, passes, rate, failure);
}
