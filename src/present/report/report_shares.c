#include "src/present/report/report_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECIMALS 9 /* behind the point, of a share */

static double last_of(const struct json_numbers *numbers)
{
    return numbers->count > 0 ? json_number_of(numbers, numbers->count - 1) : NAN;
}

/* One surface of a ledger. */
struct taken {
    const struct record_absorbed *surface;
    double raw; /* share of the source's energy */
};

static int compare_shares(const void *a, const void *b)
{
    const double one = ((const struct taken *)a)->raw, other = ((const struct taken *)b)->raw;
    return (one < other) - (one > other);
}

static bool fill_account(struct report_account *account, const struct record_run *run,
                         const struct taken *taken, size_t count)
{
    const double stored = last_of(&run->energy->stored), given = last_of(&run->energy->injected);
    double sum = stored;
    for (size_t m = 0; m < count; m++)
        sum += taken[m].raw;
    if (!(sum > 0 && isfinite(sum)))
        return true;
    account->source = run->source != NULL ? run->source : "";
    account->stored = report_rounded(stored / sum, DECIMALS);
    account->rest = report_rounded((isfinite(given) ? given : 1) - sum, DECIMALS);
    account->complete = run->energy->complete;
    if (!JSON_LIST_MAKE(&report_share_table, &account->surfaces, count))
        return false;
    for (size_t m = 0; m < count; m++) {
        const struct record_absorbed *surface = taken[m].surface;
        struct report_share *share = &account->surfaces.item[m];
        share->material = surface->material != NULL ? surface->material : "";
        share->area = isfinite(surface->area_exposed) ? surface->area_exposed : surface->area;
        share->share = report_rounded(taken[m].raw / sum, DECIMALS);
    }
    return true;
}

static int add_source(struct report_run *run, const struct record_run *of, struct failure *failure)
{
    struct report_account *account = report_list_add(&report_account_table, &run->energy);
    const struct record_energy *energy = of->energy;
    if (account == NULL)
        return report_no_memory(failure);
    if (energy == NULL)
        return 0;
    const size_t count = energy->absorbed.count;
    struct taken *taken = calloc(count + 1, sizeof *taken);
    if (taken == NULL)
        return report_no_memory(failure);
    for (size_t m = 0; m < count; m++)
        taken[m] = (struct taken){&energy->absorbed.item[m], last_of(&energy->absorbed.item[m].share)};
    qsort(taken, count, sizeof *taken, compare_shares);
    const bool done = fill_account(account, of, taken, count);
    free(taken);
    return done ? 0 : report_no_memory(failure);
}

int report_shares_add(struct report_run *run, struct failure *failure)
{
    for (size_t s = 0; s < run->model->runs.count; s++)
        TRY(add_source(run, &run->model->runs.item[s], failure));
    return 0;
}

/* The share of a material in one account; NaN where it is not there. */
static double share_of(const struct report_account *account, const char *material)
{
    for (size_t m = 0; m < account->surfaces.count; m++)
        if (strcmp(account->surfaces.item[m].material, material) == 0)
            return account->surfaces.item[m].share;
    return NAN;
}

struct report_largest_share report_shares_largest(const struct report_run *run)
{
    struct report_largest_share largest = {.complete = true};
    double whole = 0, area = 0;
    const double sources = (double)run->energy.count;
    if (run->energy.count == 0)
        return largest;
    for (size_t s = 0; s < run->energy.count; s++) {
        largest.stored += run->energy.item[s].stored / sources;
        largest.complete = largest.complete && run->energy.item[s].complete;
    }
    const struct report_account *first = &run->energy.item[0];
    for (size_t m = 0; m < first->surfaces.count; m++) {
        const struct report_share *surface = &first->surfaces.item[m];
        double mean = 0;
        for (size_t s = 0; s < run->energy.count; s++)
            mean += share_of(&run->energy.item[s], surface->material) / sources;
        whole += isfinite(surface->area) ? surface->area : 0;
        if (mean > largest.share) {
            largest.share = mean;
            largest.material = surface->material;
            area = surface->area;
        }
    }
    largest.area = area / whole;
    if (first->surfaces.count < 2 || !isfinite(largest.stored))
        largest.material = NULL;
    return largest;
}
