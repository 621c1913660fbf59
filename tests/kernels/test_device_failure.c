/* What a failed CUDA call is told as. Needs no device: the error codes are given, as CUDA numbers them. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "kernels/cuda/device.h"
#include "kernels/cuda/device_check.h"
#include "src/options/failure_text.h"

struct told {
    int cuda_error;
    const char *name;
    int code;
    const char *says;
};

/* Does every failure of the table come with its code, call, purpose, CUDA's own name and what to do? */
static void expect_told(const struct told *told, size_t count)
{
    if (device_toolkit() == NULL) {
        (void)fprintf(stderr, "SKIPPED: built without CUDA\n");
        return;
    }
    for (size_t n = 0; n < count; ++n) {
        struct failure failure = {0};
        const int code = device_failure(told[n].cuda_error, "cudaWork(&where, 7 * sizeof(float))",
                                        "a batch of steps", &failure);
        cr_expect(code == told[n].code, "%s: %d, not %d", told[n].name, code, told[n].code);
        cr_expect(failure.code == (enum failure_code)told[n].code, "%s", told[n].name);
        cr_expect(strncmp(failure.sentence, "cudaWork failed for a batch of steps: ", 38) == 0, "%s",
                  failure.sentence);
        cr_expect(strstr(failure.sentence, told[n].name) != NULL, "%s is not named in: %s", told[n].name,
                  failure.sentence);
        char text[FAILURE_TEXT_MAX];
        cr_expect(strstr(failure_text(&failure, text), told[n].says) != NULL, "%s: no \"%s\" in: %s",
                  told[n].name, told[n].says, text);
    }
}

Test(device_failure, a_failed_device_ends_with_5_and_says_what_to_do)
{
    static const struct told told[] = {
        {214, "cudaErrorECCUncorrectable", FAILURE_OUTPUT, "nvidia-smi -q -d ECC"},
        {220, "cudaErrorNvlinkUncorrectable", FAILURE_OUTPUT, "nvidia-smi nvlink -e"},
        {46, "cudaErrorDevicesUnavailable", FAILURE_OUTPUT, "is busy"},
        {201, "cudaErrorDeviceUninitialized", FAILURE_OUTPUT, "look in `dmesg` for lines with Xid"},
        {714, "cudaErrorHardwareStackError", FAILURE_OUTPUT, "look in `dmesg` for lines with Xid"},
        {802, "cudaErrorSystemNotReady", FAILURE_OUTPUT, "nvidia-fabricmanager"},
        {999, "cudaErrorUnknown", FAILURE_OUTPUT, "Xid"},
        {702, "cudaErrorLaunchTimeout", FAILURE_OUTPUT, "display"},
        {810, "cudaErrorMpsClientTerminated", FAILURE_OUTPUT, "MPS"},
    };
    expect_told(told, sizeof told / sizeof *told);
}

Test(device_failure, a_fault_of_our_own_ends_with_5_and_asks_for_a_report)
{
    static const struct told told[] = {
        {700, "cudaErrorIllegalAddress", FAILURE_OUTPUT, "please report it"},
        {719, "cudaErrorLaunchFailure", FAILURE_OUTPUT, "please report it"},
        {716, "cudaErrorMisalignedAddress", FAILURE_OUTPUT, "please report it"},
        {1, "cudaErrorInvalidValue", FAILURE_OUTPUT, "please report it"},
        {9, "cudaErrorInvalidConfiguration", FAILURE_OUTPUT, "please report it"},
    };
    expect_told(told, sizeof told / sizeof *told);
}

Test(device_failure, short_memory_or_no_device_ends_with_3)
{
    static const struct told told[] = {
        {2, "cudaErrorMemoryAllocation", FAILURE_CAPACITY, "--fmax"},
        {35, "cudaErrorInsufficientDriver", FAILURE_CAPACITY, "--backend cpu"},
        {100, "cudaErrorNoDevice", FAILURE_CAPACITY, "CUDA_VISIBLE_DEVICES"},
        {34, "cudaErrorStubLibrary", FAILURE_CAPACITY, "LD_LIBRARY_PATH"},
        {803, "cudaErrorSystemDriverMismatch", FAILURE_CAPACITY, "kernel module"},
        {209, "cudaErrorNoKernelImageForDevice", FAILURE_CAPACITY, "no code"},
        {222, "cudaErrorUnsupportedPtxVersion", FAILURE_CAPACITY, "no code"},
    };
    expect_told(told, sizeof told / sizeof *told);
}

Test(device_failure, a_code_that_nobody_knows_still_ends_with_5)
{
    static const struct told told = {98765, "unrecognized error code", FAILURE_OUTPUT, "please report it"};
    expect_told(&told, 1);
}
