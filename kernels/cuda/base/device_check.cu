#include <cstring>

#include "kernels/cuda/step/gpu_headers.cuh"

#include "kernels/cuda/base/device_check.h"

/* Errors of one kind: what happened and what to do about it. */
struct remedy {
    enum failure_code code;
    const char *cause, *fix;
    enum failure_advice advice;
};

static const struct remedy memory_is_short = {FAILURE_CAPACITY, "the CUDA device has no memory left",
                                              "end what else runs on the device", ADVICE_LESS_ON_DEVICE};
static const struct remedy no_driver = {FAILURE_CAPACITY, "there is no NVIDIA driver that fits this program",
                                        "install or update the NVIDIA driver (`nvidia-smi` shows it)",
                                        ADVICE_PROCESSORS};
static const struct remedy driver_stub = {FAILURE_CAPACITY,
                                          "the CUDA driver library that was found is only the toolkit's stub",
                                          "take its folder (stubs) out of LD_LIBRARY_PATH", ADVICE_NONE};
static const struct remedy driver_mismatch = {
    FAILURE_CAPACITY, "the NVIDIA driver's library and its kernel module have different versions",
    "restart the machine, or load the module again", ADVICE_NONE};
static const struct remedy no_device = {
    FAILURE_CAPACITY, "there is no usable CUDA device",
    "see whether `nvidia-smi` lists one and what CUDA_VISIBLE_DEVICES says", ADVICE_PROCESSORS};
static const struct remedy no_code = {FAILURE_CAPACITY,
                                      "this program has no code that the device and its driver can run",
                                      "build it for the device's compute capability with "
                                      "CMAKE_CUDA_ARCHITECTURES",
                                      ADVICE_PROCESSORS};

static const struct remedy memory_fault = {
    FAILURE_OUTPUT, "the GPU's memory has an error that could not be corrected",
    "look at `nvidia-smi -q -d ECC`, then reset the GPU or have it replaced; its results are lost",
    ADVICE_NONE};
static const struct remedy link_fault = {FAILURE_OUTPUT,
                                         "a link between GPUs has an error that could not be corrected",
                                         "look at `nvidia-smi nvlink -e`, then reset the GPUs", ADVICE_NONE};
static const struct remedy device_busy = {
    FAILURE_OUTPUT, "the device is busy, or another process has exclusive use of it",
    "look with `nvidia-smi` which processes use it, wait for them or end them, and run again", ADVICE_NONE};
static const struct remedy not_ready = {
    FAILURE_OUTPUT, "the machine's device services are not ready",
    "wait until they have started; if GPUs share a switch, check that nvidia-fabricmanager runs",
    ADVICE_NONE};
static const struct remedy device_lost = {
    FAILURE_OUTPUT, "the device was lost",
    "look in `dmesg` for lines with Xid, then reset the GPU or restart the machine", ADVICE_NONE};
static const struct remedy too_long = {
    FAILURE_OUTPUT, "the driver ended work that took too long, because this GPU drives a display",
    "use a GPU without a display, or end the graphical session", ADVICE_NONE};
static const struct remedy service_lost = {
    FAILURE_OUTPUT, "the service that shares the device between processes (MPS) failed",
    "restart it, or run without it", ADVICE_NONE};
static const struct remedy program_fault = {
    FAILURE_OUTPUT, "this is a fault of this program, or of the GPU if `dmesg` shows a line with Xid",
    "please report it with this sentence", ADVICE_NONE};

static const struct remedy *remedy_for(cudaError_t code)
{
    switch (code) {
    case cudaErrorMemoryAllocation:
        return &memory_is_short;
    case cudaErrorInitializationError:
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorStartupFailure:
        return &no_driver;
    case cudaErrorStubLibrary:
        return &driver_stub;
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
        return &driver_mismatch;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorDeviceNotLicensed:
        return &no_device;
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidKernelImage:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidPtx:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
    case cudaErrorJitCompilationDisabled:
        return &no_code;
    case cudaErrorECCUncorrectable:
        return &memory_fault;
    case cudaErrorNvlinkUncorrectable:
        return &link_fault;
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
        return &device_busy;
    case cudaErrorSystemNotReady:
        return &not_ready;
    case cudaErrorDeviceUninitialized:
    case cudaErrorContained:
    case cudaErrorContextIsDestroyed:
    case cudaErrorHardwareStackError:
    case cudaErrorOperatingSystem:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
        return &device_lost;
    case cudaErrorLaunchTimeout:
    case cudaErrorTimeout:
        return &too_long;
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsServerNotReady:
    case cudaErrorMpsMaxClientsReached:
    case cudaErrorMpsMaxConnectionsReached:
    case cudaErrorMpsClientTerminated:
        return &service_lost;
    default: /* cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorInvalidValue and their like */
        return &program_fault;
    }
}

int cuda_failure(int cuda_error, const char *call, const char *purpose, struct failure *failure)
{
    const cudaError_t code = (cudaError_t)cuda_error;
    const struct remedy *const remedy = remedy_for(code);
    const int failed =
        failure_set(failure, remedy->code, "%.*s failed for %s: %s (%s: %s)", (int)std::strcspn(call, "(<"),
                    call, purpose, remedy->cause, cudaGetErrorName(code), cudaGetErrorString(code));
    (void)failure_fix(failed, failure, "%s", remedy->fix);
    return failure_advise(failed, failure, remedy->advice, 0);
}
