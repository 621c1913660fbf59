#include "src/report/report_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/record/run_folder.h"
#include "src/report/report_response.h"

#define DECIMALS 9 /* behind the point, of a share */

static int no_memory(struct failure *failure)
{
    return failure_memory(failure, 0, "the shares of the sound");
}

static double last_of(const cJSON *array)
{
    const cJSON *last = cJSON_GetArrayItem(array, cJSON_GetArraySize(array) - 1);
    return cJSON_IsNumber(last) ? last->valuedouble : NAN;
}

/* One surface of a ledger. */
struct taken {
    const cJSON *surface; /* in run.json */
    double raw;           /* share of what the source gave */
};

static int greater(const void *a, const void *b)
{
    const double one = ((const struct taken *)a)->raw, other = ((const struct taken *)b)->raw;
    return (one < other) - (one > other);
}

static bool add_surface(cJSON *surfaces, const struct taken *taken, double sum)
{
    cJSON *entry = cJSON_CreateObject();
    const double exposed = record_number(taken->surface, "area_exposed_m2");
    const double area = isfinite(exposed) ? exposed : record_number(taken->surface, "area_m2");
    const char *name = record_text(taken->surface, "material");
    return cJSON_AddItemToArray(surfaces, entry) &&
           cJSON_AddStringToObject(entry, "material", name != NULL ? name : "") != NULL &&
           cJSON_AddItemToObject(entry, "area_m2", cJSON_CreateNumber(area)) && /* NaN is null */
           cJSON_AddItemToObject(entry, "share", report_rounded(taken->raw / sum, DECIMALS));
}

static bool add_account(cJSON *accounts, const cJSON *entry, const struct taken *taken, int count,
                        double stored)
{
    const cJSON *energy = record_at(entry, "energy");
    const double given = last_of(record_at(energy, "injected"));
    double sum = stored;
    for (int m = 0; m < count; m++)
        sum += taken[m].raw;
    if (!(sum > 0 && isfinite(sum)))
        return cJSON_AddItemToArray(accounts, cJSON_CreateNull());
    cJSON *account = cJSON_CreateObject();
    const char *source = record_text(entry, "source");
    if (!cJSON_AddItemToArray(accounts, account) ||
        cJSON_AddStringToObject(account, "source", source != NULL ? source : "") == NULL ||
        !cJSON_AddItemToObject(account, "stored", report_rounded(stored / sum, DECIMALS)) ||
        !cJSON_AddItemToObject(account, "rest",
                               report_rounded((isfinite(given) ? given : 1) - sum, DECIMALS)) ||
        cJSON_AddBoolToObject(account, "complete", !cJSON_IsFalse(record_at(energy, "complete"))) == NULL)
        return false;
    cJSON *surfaces = cJSON_AddArrayToObject(account, "surfaces");
    bool there = surfaces != NULL;
    for (int m = 0; there && m < count; m++)
        there = add_surface(surfaces, &taken[m], sum);
    return there;
}

static int add_source(cJSON *accounts, const cJSON *entry, struct failure *failure)
{
    const cJSON *absorbed = record_at(entry, "energy.absorbed"), *surface;
    const double stored = last_of(record_at(entry, "energy.stored"));
    struct taken *taken = calloc((size_t)cJSON_GetArraySize(absorbed) + 1, sizeof *taken);
    if (taken == NULL)
        return no_memory(failure);
    int count = 0;
    cJSON_ArrayForEach(surface, absorbed)
    {
        taken[count].surface = surface;
        taken[count++].raw = last_of(record_at(surface, "share"));
    }
    qsort(taken, (size_t)count, sizeof *taken, greater);
    const bool done = add_account(accounts, entry, taken, count, stored);
    free(taken);
    return done ? 0 : no_memory(failure);
}

int report_shares_add(cJSON *run, struct failure *failure)
{
    cJSON *accounts = cJSON_AddArrayToObject(run, "energy");
    const cJSON *entry;
    if (accounts == NULL)
        return no_memory(failure);
    cJSON_ArrayForEach(entry, record_at(run, "run.runs")) TRY(add_source(accounts, entry, failure));
    return 0;
}

/* The share of a material in one account; NaN where it is not there. */
static double share_of(const cJSON *account, const char *material)
{
    const cJSON *surface;
    cJSON_ArrayForEach(surface, record_at(account, "surfaces"))
    {
        const char *name = record_text(surface, "material");
        if (name != NULL && strcmp(name, material) == 0)
            return record_number(surface, "share");
    }
    return NAN;
}

struct report_largest_share report_shares_largest(const cJSON *run)
{
    const cJSON *accounts = record_at(run, "energy"), *account, *surface;
    struct report_largest_share largest = {.complete = true};
    double whole = 0, area = 0;
    const int sources = cJSON_GetArraySize(accounts);
    cJSON_ArrayForEach(account, accounts)
    {
        largest.stored += record_number(account, "stored") / sources;
        largest.complete = largest.complete && cJSON_IsTrue(record_at(account, "complete"));
    }
    const cJSON *surfaces = record_at(accounts, "0.surfaces");
    cJSON_ArrayForEach(surface, surfaces)
    {
        const char *name = record_text(surface, "material");
        const double faces = record_number(surface, "area_m2");
        double mean = 0;
        cJSON_ArrayForEach(account, accounts) mean += share_of(account, name) / sources;
        whole += isfinite(faces) ? faces : 0;
        if (mean > largest.share) {
            largest.share = mean;
            largest.material = name;
            area = faces;
        }
    }
    largest.area = area / whole;
    if (cJSON_GetArraySize(surfaces) < 2 || !isfinite(largest.stored))
        largest.material = NULL;
    return largest;
}
