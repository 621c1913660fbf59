#include "src/present/compare/absorption_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/present/compare/compared_rows.h"

static bool same_numbers(const struct json_numbers *one, const struct json_numbers *other)
{
    return one->count == other->count && one->count > 0 &&
           memcmp(one->value, other->value, one->count * sizeof *one->value) == 0;
}

/* One error in both rooms. */
static bool errs_alike(const struct record_material *one, const struct record_material *other)
{
    return one->name != NULL && other->name != NULL && strcmp(one->name, other->name) == 0 &&
           same_numbers(&one->octaves_asked, &other->octaves_asked) &&
           same_numbers(&one->uncertainty, &other->uncertainty);
}

int absorption_change_make(const struct run_model *first, const struct run_model *second,
                           struct absorption_change *out, struct failure *failure)
{
    const size_t own = first->room.materials.count, others = second->room.materials.count;
    *out = (struct absorption_change){.run = {first, second}};
    int code = 0;
    for (int r = 0; code == 0 && r < 2; r++)
        code = loss_account_make(out->run[r], &out->account[r], failure);
    out->partner = calloc(own + 1, sizeof *out->partner);
    out->shared = calloc(others + 1, sizeof *out->shared);
    if (code == 0 && (out->partner == NULL || out->shared == NULL))
        code = failure_memory(failure, own * sizeof *out->partner, "surfaces of two runs");
    for (size_t m = 0; code == 0 && m < own; m++) {
        out->partner[m] = NOT_SHARED;
        for (size_t n = 0; n < others && out->partner[m] == NOT_SHARED; n++)
            if (!out->shared[n] &&
                errs_alike(&first->room.materials.item[m], &second->room.materials.item[n])) {
                out->partner[m] = n;
                out->shared[n] = true;
            }
    }
    if (code != 0)
        absorption_change_free(out);
    return code;
}

void absorption_change_free(struct absorption_change *change)
{
    for (int r = 0; r < 2; r++)
        loss_account_free(&change->account[r]);
    free(change->partner);
    free(change->shared);
    *change = (struct absorption_change){0};
}

/* Of the responses of a run; its number of octaves without it. */
static size_t band_of(const struct record_response *response, const struct loss_account *account, int hz)
{
    for (size_t b = 0; b < response->octaves.count && b < account->octaves; b++)
        if (response->octaves.value[b] > 0 && band_nominal(response->octaves.value[b]) == hz)
            return b;
    return account->octaves;
}

double absorption_change_error(const struct absorption_change *change,
                               const struct record_response *const response[2], enum figure figure, int hz)
{
    size_t band[2];
    double slope[2], sum = 0;
    bool any = false;
    for (int r = 0; r < 2; r++) {
        const struct loss_account *account = &change->account[r];
        band[r] = band_of(response[r], account, hz);
        slope[r] = band[r] < account->octaves
                       ? absorption_error_slope(change->run[r], account, response[r], figure, band[r])
                       : NAN;
    }
    for (size_t m = 0; isfinite(slope[0]) && m < change->account[0].materials; m++) {
        const size_t n = change->partner[m];
        const double one = slope[0] * absorption_error_part(change->run[0], &change->account[0], m, band[0]);
        const double other =
            n != NOT_SHARED && isfinite(slope[1])
                ? slope[1] * absorption_error_part(change->run[1], &change->account[1], n, band[1])
                : 0;
        any = any || isfinite(other - one);
        sum += isfinite(other - one) ? (other - one) * (other - one) : 0;
    }
    for (size_t n = 0; isfinite(slope[1]) && n < change->account[1].materials; n++) {
        const double other =
            slope[1] * absorption_error_part(change->run[1], &change->account[1], n, band[1]);
        if (change->shared[n] || !isfinite(other))
            continue;
        any = true;
        sum += other * other;
    }
    return any ? sqrt(sum) : NAN;
}
