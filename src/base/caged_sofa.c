#include "src/base/caged_sofa.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/regular_file.h"

#define MEBIBYTE 1048576.0

int caged_sofa_run(const struct caged_sofa *cage, const char *path, confined_work *work,
                   struct confined_answer *answer, struct failure *failure)
{
    int descriptor;
    struct caged_sofa_file file = {.path = path};
    char who[1200];
    TRY(regular_file_open(path, &descriptor, &file.bytes, failure));
    const double bytes = (double)file.bytes,
                 seconds = (SANITIZED ? 10.0 : 1.0) * (30.0 + 2.0 * bytes / MEBIBYTE);
    const struct confined_limits limits = {.memory_bytes = (UINT64_C(1) << 30) + 64 * file.bytes,
                                           .answer_bytes = cage->answer_most,
                                           .cpu_seconds = seconds,
                                           .wall_seconds = 60.0 + 4.0 * seconds,
                                           .file = descriptor};
    (void)snprintf(who, sizeof who, "%s: %s, which reads SOFA files,", path, cage->reader);
    const int code =
        bytes > cage->file_most
            ? failure_set(failure, FAILURE_INPUT, "%s: has %g GB; a SOFA file of %s has %g at most", path,
                          bytes * 1e-9, cage->of, cage->file_most * 1e-9)
            : confined_run(work, &file, who, &limits, answer, failure);
    (void)close(descriptor);
    return code;
}

int caged_sofa_derailed(const char *path, struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT, "%s: crashed its reader: the file is broken", path);
}

int caged_sofa_failed(const char *path, int64_t status, size_t begin, const struct confined_answer *answer,
                      struct failure *failure)
{
    struct failure sent;
    if (answer->size != begin + sizeof sent || (status != FAILURE_INPUT && status != FAILURE_CAPACITY))
        return caged_sofa_derailed(path, failure);
    memcpy(&sent, answer->bytes + begin, sizeof sent);
    sent.sentence[sizeof sent.sentence - 1] = '\0';
    return failure_set(failure, (enum failure_code)status, "%s", sent.sentence);
}
