#include "src/compare/way_change.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "src/base/told_apart.h"
#include "src/record/run_folder.h"

#define NEAR  0.5 /* the same opening on two grids is told this near at least [m] */
#define NAMED 3

static const cJSON *leaks_of(const cJSON *record)
{
    const cJSON *leaks = record_at(record, "leaks");
    return cJSON_IsArray(leaks) ? leaks : NULL;
}

static bool is_sealed(const cJSON *leak)
{
    return cJSON_IsTrue(record_at(leak, "sealed"));
}

static double size_of(const cJSON *leak)
{
    return fmax(fmax(record_number(leak, "gap_m"), sqrt(record_number(leak, "area_m2"))), NEAR);
}

static double apart(const cJSON *a, const cJSON *b)
{
    static const char *const key[3] = {"position_m.0", "position_m.1", "position_m.2"};
    double squared = 0;
    for (int axis = 0; axis < 3; axis++)
        squared += pow(record_number(a, key[axis]) - record_number(b, key[axis]), 2);
    return sqrt(squared);
}

/* A record that does not say where a way out is tells nothing of it. */
static bool is_somewhere(const cJSON *leak)
{
    return isfinite(apart(leak, leak));
}

static bool has_it(const cJSON *leaks, const cJSON *sought)
{
    const cJSON *leak;
    cJSON_ArrayForEach(leak,
                       leaks) if (!is_sealed(leak) &&
                                  apart(leak, sought) <= fmax(size_of(leak), size_of(sought))) return true;
    return false;
}

/* " of about 0.46 m2", else " 0.6 m wide", and where. */
static size_t put_opening(const cJSON *leak, char *text, size_t size)
{
    const double area = record_number(leak, "area_m2"), gap = record_number(leak, "gap_m");
    char what[64] = "";
    if (isfinite(area))
        snprintf(what, sizeof what, " of about %s m2", told_digits(area, area, 2).first);
    else if (isfinite(gap))
        snprintf(what, sizeof what, " %s m wide", told_digits(gap, gap, 2).first);
    const int used = snprintf(text, size, "an opening%s at (%.2f, %.2f, %.2f) m", what,
                              record_number(leak, "position_m.0"), record_number(leak, "position_m.1"),
                              record_number(leak, "position_m.2"));
    return used > 0 ? (size_t)used : 0;
}

void way_change_openings(const cJSON *record, const cJSON *other, char *text, size_t size)
{
    const cJSON *leaks = leaks_of(record), *others = leaks_of(other), *leak;
    size_t used = 0, count = 0;
    text[0] = '\0';
    if (leaks == NULL || others == NULL)
        return;
    cJSON_ArrayForEach(leak, leaks)
    {
        if (is_sealed(leak) || !is_somewhere(leak) || has_it(others, leak) || count++ >= NAMED ||
            used >= size)
            continue;
        if (count > 1)
            used += (size_t)snprintf(text + used, size - used, ", ");
        if (used < size)
            used += put_opening(leak, text + used, size - used);
    }
    if (count > NAMED && used < size)
        snprintf(text + used, size - used, " and %zu more", count - NAMED);
}

void way_change_cracks(const cJSON *record, const cJSON *other, char *text, size_t size)
{
    const cJSON *leaks = leaks_of(record), *others = leaks_of(other), *leak, *widest = NULL;
    size_t count = 0;
    text[0] = '\0';
    if (leaks == NULL || others == NULL)
        return;
    cJSON_ArrayForEach(leak, others) if (is_sealed(leak)) return;
    cJSON_ArrayForEach(leak, leaks)
    {
        if (!is_sealed(leak) || !is_somewhere(leak) || !isfinite(record_number(leak, "gap_m")))
            continue;
        count++;
        if (widest == NULL || record_number(leak, "gap_m") > record_number(widest, "gap_m"))
            widest = leak;
    }
    if (widest == NULL)
        return;
    const double wide = 100 * record_number(widest, "gap_m");
    snprintf(text, size, "%zu crack%s, %s%s cm wide, at (%.2f, %.2f, %.2f) m", count, count == 1 ? "" : "s",
             count == 1 ? "" : "the widest ", told_digits(wide, wide, 2).first,
             record_number(widest, "position_m.0"), record_number(widest, "position_m.1"),
             record_number(widest, "position_m.2"));
}
