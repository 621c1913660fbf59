/* What a failed CUDA call is reported as. Needs no device: the error codes are given, as CUDA numbers them.
 */
#include "kernels/engine/engine_back_ends.h"
#include "kernels/cuda/base/device.h"
#include "kernels/cuda/device_table.h"
#include "src/base/options/failure_text.h"
#include "tests/support/outcome.h"

/* 5: a device that failed, with what to do, or a fault of our own, to be reported; 3: short memory or no
 * device. */
static const struct {
    int cuda_error;
    const char *name;
    int code;
    const char *words;
} cases[] = {
    {214, "cudaErrorECCUncorrectable", FAILURE_OUTPUT, "nvidia-smi -q -d ECC"},
    {220, "cudaErrorNvlinkUncorrectable", FAILURE_OUTPUT, "nvidia-smi nvlink -e"},
    {46, "cudaErrorDevicesUnavailable", FAILURE_OUTPUT, "is busy"},
    {201, "cudaErrorDeviceUninitialized", FAILURE_OUTPUT, "look in `dmesg` for lines with Xid"},
    {714, "cudaErrorHardwareStackError", FAILURE_OUTPUT, "look in `dmesg` for lines with Xid"},
    {802, "cudaErrorSystemNotReady", FAILURE_OUTPUT, "nvidia-fabricmanager"},
    {999, "cudaErrorUnknown", FAILURE_OUTPUT, "Xid"},
    {702, "cudaErrorLaunchTimeout", FAILURE_OUTPUT, "display"},
    {810, "cudaErrorMpsClientTerminated", FAILURE_OUTPUT, "MPS"},
    {700, "cudaErrorIllegalAddress", FAILURE_OUTPUT, "please report it"},
    {719, "cudaErrorLaunchFailure", FAILURE_OUTPUT, "please report it"},
    {716, "cudaErrorMisalignedAddress", FAILURE_OUTPUT, "please report it"},
    {1, "cudaErrorInvalidValue", FAILURE_OUTPUT, "please report it"},
    {9, "cudaErrorInvalidConfiguration", FAILURE_OUTPUT, "please report it"},
    {2, "cudaErrorMemoryAllocation", FAILURE_CAPACITY, "--fmax"},
    {35, "cudaErrorInsufficientDriver", FAILURE_CAPACITY, "--backend cpu"},
    {100, "cudaErrorNoDevice", FAILURE_CAPACITY, "CUDA_VISIBLE_DEVICES"},
    {34, "cudaErrorStubLibrary", FAILURE_CAPACITY, "LD_LIBRARY_PATH"},
    {803, "cudaErrorSystemDriverMismatch", FAILURE_CAPACITY, "kernel module"},
    {209, "cudaErrorNoKernelImageForDevice", FAILURE_CAPACITY, "no code"},
    {222, "cudaErrorUnsupportedPtxVersion", FAILURE_CAPACITY, "no code"},
    {98765, "unrecognized error code", FAILURE_OUTPUT, "please report it"},
};

Test(device_failure, every_failure_ends_with_its_code_the_call_cudas_own_name_and_what_to_do)
{
    if (device_toolkit(back_ends_built.device[BACKEND_CUDA]) == NULL) {
        (void)fprintf(stderr, "SKIPPED: built without CUDA\n");
        return;
    }
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        const int code = back_ends_built.device[BACKEND_CUDA]->failure(
            cases[n].cuda_error, "cudaWork(&where, 7 * sizeof(float))", "a batch of steps", &failure);
        cr_expect(code == cases[n].code, "%s: %d, not %d", cases[n].name, code, cases[n].code);
        cr_expect(failure.code == (enum failure_code)cases[n].code, "%s", cases[n].name);
        cr_expect(strncmp(failure.sentence, "cudaWork failed for a batch of steps: ", 38) == 0, "%s",
                  failure.sentence);
        cr_expect(strstr(failure.sentence, cases[n].name) != NULL, "%s is not named in: %s", cases[n].name,
                  failure.sentence);
        char text[FAILURE_TEXT_MAX];
        cr_expect(strstr(failure_text(&failure, text), cases[n].words) != NULL, "%s: no \"%s\" in: %s",
                  cases[n].name, cases[n].words, text);
    }
}
