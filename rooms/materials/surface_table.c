#include "rooms/materials/surface_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rooms/materials/absorption_uncertainty.h"
#include "rooms/materials/material.h"
#include "rooms/text/table_text.h"

void surface_table_free(struct surface_table *table)
{
    for (size_t e = 0; e < table->count; ++e)
        free(table->entry[e].name);
    free(table->entry);
    material_library_free(&table->own);
    *table = (struct surface_table){0};
}

int surface_table_append(struct surface_table *table, const struct surface_entry *entry, const char *name,
                         size_t length, struct failure *failure)
{
    if (table->count == table->capacity) {
        const size_t capacity = 2 * table->capacity + 8, bytes = capacity * sizeof table->entry[0];
        struct surface_entry *grown = realloc(table->entry, bytes);
        if (grown == NULL)
            return failure_memory(failure, bytes, "materials of surfaces");
        table->entry = grown;
        table->capacity = capacity;
    }
    struct surface_entry *added = &table->entry[table->count];
    *added = *entry;
    added->name = NULL;
    if (name != NULL) {
        added->name = strndup(name, length);
        if (added->name == NULL)
            return failure_memory(failure, length + 1, "a material's name");
    }
    ++table->count;
    return 0;
}

/* The value of an option's entry. */
static double given_value(const struct surface_entry *entry)
{
    return entry->giver == SURFACE_BY_OPTION ? entry->absorption[0] : entry->scattering.octave[0];
}

/* True for two entries of the same name, or two without one, with different values. */
static int refuse_contradiction(const struct surface_table *table, const struct surface_entry *added,
                                const char *name, size_t length, struct failure *failure)
{
    for (size_t e = 0; e < table->count; e++) {
        const struct surface_entry *entry = &table->entry[e];
        if (entry->giver != added->giver || (entry->name == NULL) != (name == NULL) ||
            given_value(entry) == given_value(added))
            continue;
        if (name == NULL)
            return failure_set(failure, FAILURE_INPUT,
                               "all surfaces without another value were given %g before: keep one",
                               given_value(entry));
        if (strlen(entry->name) == length && strncasecmp(entry->name, name, length) == 0)
            return failure_set(failure, FAILURE_INPUT, "%.200s was given %g before: keep one", entry->name,
                               given_value(entry));
    }
    return 0;
}

static int add_value(struct surface_table *table, const char *text, enum surface_giver giver,
                     const char *limits, struct failure *failure)
{
    const char *divider = strrchr(text, '=');
    const char *number = divider == NULL ? text : divider + 1;
    const char *name = divider == NULL ? NULL : text;
    size_t name_length = divider == NULL ? 0 : (size_t)(divider - text);
    size_t width;
    const char *plus = giver == SURFACE_BY_OPTION ? absorption_plus_minus(number, &width) : NULL;
    double value, uncertainty = NAN;
    if (name != NULL)
        text_trim(&name, &name_length);
    if (plus != NULL && !absorption_read_bar(plus + width, false, &uncertainty))
        return failure_set(failure, FAILURE_INPUT,
                           "expected a number of at least 0 behind +-, as 0.3 +- 0.05");
    if (!text_number(number, plus != NULL ? (size_t)(plus - number) : strlen(number), &value) ||
        (name != NULL && name_length == 0))
        return failure_set(failure, FAILURE_INPUT,
                           "expected a number from 0 to 1, or NAME=number for one material");
    if (!(value >= 0 && value <= 1))
        return failure_set(failure, FAILURE_INPUT, "the value must lie from %s", limits);
    struct surface_entry entry = {.giver = giver, .form = SURFACE_NUMBER};
    if (giver == SURFACE_BY_SCATTERING_OPTION)
        entry.scattering = scattering_of_number(value);
    entry.stated = plus != NULL;
    for (size_t o = 0; giver == SURFACE_BY_OPTION && o < MATERIAL_OCTAVES; o++) {
        entry.absorption[o] = value;
        entry.uncertainty[o] = uncertainty;
    }
    TRY(refuse_contradiction(table, &entry, name, name_length, failure));
    return surface_table_append(table, &entry, name, name_length, failure);
}

int surface_table_add(struct surface_table *table, const char *text, struct failure *failure)
{
    return add_value(table, text, SURFACE_BY_OPTION,
                     "0 (reflects all) to 1 (absorbs all); " MATERIAL_ABOVE_ONE, failure);
}

int surface_table_add_scattering(struct surface_table *table, const char *text, struct failure *failure)
{
    return add_value(table, text, SURFACE_BY_SCATTERING_OPTION,
                     "0 (a mirror) to 1 (scatters all that it reflects); " SCATTERING_ABOVE_ONE, failure);
}

bool surface_name_means(const char *entry, const char *material)
{
    char name[MATERIAL_NAME_MAX];
    if (strcasecmp(entry, material) == 0)
        return true;
    if (strlen(entry) >= sizeof name)
        return false;
    strcpy(name, entry);
    const struct material alone = {.name = name};
    return material_library_find(&(struct material_library){.count = 1, .material = &alone}, material) !=
           NULL;
}

const struct surface_entry *surface_table_find(const struct surface_table *table, const char *material,
                                               enum surface_giver giver)
{
    const struct surface_entry *found = NULL;
    for (int loose = 0; found == NULL && loose < 2; loose++)
        for (size_t e = table->count; found == NULL && e-- > 0;) {
            const struct surface_entry *entry = &table->entry[e];
            if (entry->name != NULL && entry->giver == giver &&
                (loose ? surface_name_means(entry->name, material) : strcasecmp(entry->name, material) == 0))
                found = entry;
        }
    return found;
}

const struct surface_entry *surface_table_fallback(const struct surface_table *table)
{
    const struct surface_entry *found = NULL;
    for (size_t e = 0; e < table->count; e++)
        if (table->entry[e].name == NULL && table->entry[e].giver != SURFACE_BY_SCATTERING_OPTION &&
            (found == NULL || table->entry[e].giver < found->giver))
            found = &table->entry[e];
    return found;
}

const struct surface_entry *surface_table_fallback_scattering(const struct surface_table *table)
{
    for (size_t e = 0; e < table->count; e++)
        if (table->entry[e].name == NULL && table->entry[e].giver == SURFACE_BY_SCATTERING_OPTION)
            return &table->entry[e];
    return NULL;
}
