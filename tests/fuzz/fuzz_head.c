/* Heads: a SOFA file of any bytes is finite responses from unit directions, or a sentence.
 *
 *   tools/fuzz 600 head  # build with clang and run for ten minutes */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/response/signal/head_data.h"
#include "tests/fuzz/fuzz_claims.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct head_data head = {0};
    char path[64];
    const int file = memfd_create("head", MFD_CLOEXEC);
    CLAIM(file >= 0 && write(file, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);

    const int code = head_data_load(path, path, size, &head, &failure); /* without its process of its own */
    claim_outcome(code, &failure);
    CLAIM((code == 0) == (head.sample != NULL));
    for (size_t m = 0; m < head.directions; ++m) {
        const double *towards = head.towards[m];
        CLAIM(fabs(towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2] - 1.0) < 1e-6);
        for (size_t n = 0; n < EARS * head.length; ++n)
            CLAIM(isfinite(head.sample[EARS * head.length * m + n]));
    }
    head_data_free(&head);
    (void)close(file);
    return 0;
}
