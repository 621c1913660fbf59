/** What a receiver gets of the drive of a run, from what it gets of the drive (1, -1): the engine is linear
 * (test_linearity), so it is the same through the low-pass. For rooms so small that a test can only evaluate
 * them before their walls answer, which a drive of 13 periods of fmax does not leave time for. */
#ifndef TESTS_DRIVEN_H
#define TESTS_DRIVEN_H

#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/signal/response.h"
#include "tests/support/outcome.h"

/** @param raw (count), sample 0 at the emission; silence follows
 * @return (count + lead) samples from the beginning of the drive, to be freed */
static inline double *driven(const double *raw, size_t count, const struct time_step *step, double fmax,
                             size_t *driven_count)
{
    struct response_drive drive = {0};
    MUST(response_drive_make(step, fmax, &drive, &failure));
    for (size_t k = 1; k < drive.count; k++) /* (1, -1) apart from the low-pass */
        drive.sample[k] += drive.sample[k - 1];
    const size_t total = count + drive.lead;
    double *out = calloc(total + 1, sizeof *out);
    cr_assert(out != NULL);
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; raw[n] != 0.0 && k < drive.count && n + k < total; k++)
            out[n + k] += drive.sample[k] * raw[n];
    *driven_count = total;
    response_drive_free(&drive);
    return out;
}

/** The response that the chain makes of it; to be freed. @param first as response_make() */
static inline float *driven_response(const struct response_chain *chain, const double *raw, size_t count,
                                     double first, size_t *out_count)
{
    size_t driven_count = 0;
    float *out = NULL;
    double *heard = driven(raw, count, &chain->step, chain->fmax, &driven_count);
    MUST(response_make(chain, heard, driven_count, first, &out, out_count, &failure));
    free(heard);
    return out;
}

#endif
