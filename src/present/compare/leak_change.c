#include "src/present/compare/leak_change.h"

#include <math.h>
#include <stdio.h>

#include "geometry/base/vector.h"
#include "rooms/text/table_text.h"
#include "src/present/compare/distinct_numbers.h"
#include "src/base/words/words.h"

#define NEAR  0.5 /* on two grids the same opening is found this near at least [m] */
#define NAMED 3

#define METRES(value) words_number("%.2f", value).text

static double size_of(const struct record_leak *leak)
{
    return fmax(fmax(leak->gap, sqrt(leak->area)), NEAR);
}

/* A leak without its place is of no use. */
static bool is_somewhere(const struct record_leak *leak)
{
    return isfinite(vector_length(leak->position));
}

static bool has_opening(const struct run_model *run, const struct record_leak *sought)
{
    for (size_t i = 0; i < run->leaks.count; i++) {
        const struct record_leak *leak = &run->leaks.item[i];
        if (!leak->sealed &&
            vector_distance(leak->position, sought->position) <= fmax(size_of(leak), size_of(sought)))
            return true;
    }
    return false;
}

/* " of about 0.46 m2", else " 0.6 m wide", and where. */
static void put_opening(const struct record_leak *leak, char *text, size_t size)
{
    char what[64] = "";
    if (isfinite(leak->area))
        snprintf(what, sizeof what, T(" of about %s m2"), distinct_digits(leak->area, leak->area, 2).first);
    else if (isfinite(leak->gap))
        snprintf(what, sizeof what, T(" %s m wide"), distinct_digits(leak->gap, leak->gap, 2).first);
    text_append(text, size, T("an opening%s at (%s, %s, %s) m"), what, METRES(leak->position[0]),
                METRES(leak->position[1]), METRES(leak->position[2]));
}

static bool have_lists(const struct run_model *run, const struct run_model *other)
{
    return run->leaks.item != NULL && other->leaks.item != NULL;
}

void leak_change_openings(const struct run_model *run, const struct run_model *other, char *text, size_t size)
{
    size_t count = 0;
    text[0] = '\0';
    if (!have_lists(run, other))
        return;
    for (size_t i = 0; i < run->leaks.count; i++) {
        const struct record_leak *leak = &run->leaks.item[i];
        if (leak->sealed || !is_somewhere(leak) || has_opening(other, leak) || count++ >= NAMED)
            continue;
        text_append(text, size, "%s", count > 1 ? ", " : "");
        put_opening(leak, text, size);
    }
    if (count > NAMED)
        text_append(text, size, T(" and %zu more"), count - NAMED);
}

void leak_change_cracks(const struct run_model *run, const struct run_model *other, char *text, size_t size)
{
    const struct record_leak *widest = NULL;
    size_t count = 0;
    text[0] = '\0';
    if (!have_lists(run, other))
        return;
    for (size_t i = 0; i < other->leaks.count; i++)
        if (other->leaks.item[i].sealed)
            return;
    for (size_t i = 0; i < run->leaks.count; i++) {
        const struct record_leak *leak = &run->leaks.item[i];
        if (!leak->sealed || !is_somewhere(leak) || !isfinite(leak->gap))
            continue;
        count++;
        if (widest == NULL || leak->gap > widest->gap)
            widest = leak;
    }
    if (widest == NULL)
        return;
    const double wide = 100 * widest->gap;
    snprintf(text, size,
             count == 1 ? T("%zu crack, %s cm wide, at (%s, %s, %s) m")
                        : T("%zu cracks, the widest %s cm wide, at (%s, %s, %s) m"),
             count, distinct_digits(wide, wide, 2).first, METRES(widest->position[0]),
             METRES(widest->position[1]), METRES(widest->position[2]));
}
