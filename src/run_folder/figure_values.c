#include "src/run_folder/figure_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/response/acoustics/octave_edges.h"

#define NAME_MAX_BYTES 48

/* The figures of a pressure response are kept together. */
static const char single_numbers[] = "single_numbers";

static bool is_apart(int figure)
{
    return figure < PRESSURE_FIGURES;
}

static const char *name_of(const char *name, const char *suffix, char text[NAME_MAX_BYTES])
{
    snprintf(text, NAME_MAX_BYTES, "%s%s", name, suffix);
    return text;
}

void figure_values_clear(struct figure_values *values)
{
    *values = (struct figure_values){0};
    for (int f = 0; f < ALL_FIGURES; f++)
        values->single[f] = NAN;
}

void figure_values_free(struct figure_values *values)
{
    for (int f = 0; f < OCTAVE_FIGURES; f++)
        free(values->octave[f].value);
    figure_values_clear(values);
}

void figure_values_single(struct figure_values *values, enum figure figure, double value)
{
    values->single[figure] = value;
    values->single_there[figure] = true;
}

double figure_values_octave(const struct figure_values *values, enum figure figure, size_t band)
{
    return json_number_of(&values->octave[figure], band);
}

static cJSON *object_in(cJSON *object, const char *name)
{
    cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return found != NULL ? found : cJSON_AddObjectToObject(object, name);
}

static bool write_values(const void *member, cJSON *object, const void *suffix)
{
    const struct figure_values *values = member;
    char name[NAME_MAX_BYTES];
    for (int f = 0; f < OCTAVE_FIGURES; f++) {
        const struct json_numbers *octave = &values->octave[f];
        if (octave->value == NULL)
            continue;
        cJSON *item = cJSON_CreateDoubleArray(octave->value, (int)octave->count);
        if (item == NULL ||
            !cJSON_AddItemToObject(object, name_of(figure_kind[f].name, suffix, name), item)) {
            cJSON_Delete(item);
            return false;
        }
    }
    for (int f = 0; f < ALL_FIGURES; f++) {
        if (!values->single_there[f])
            continue;
        cJSON *to = is_apart(f) ? object_in(object, single_numbers) : object;
        if (to == NULL || cJSON_AddNumberToObject(to, name_of(figure_kind[f].single, suffix, name),
                                                  values->single[f]) == NULL)
            return false;
    }
    return true;
}

static bool read_values(void *member, const cJSON *object, const void *suffix)
{
    struct figure_values *values = member;
    char name[NAME_MAX_BYTES];
    const cJSON *item;
    for (int f = 0; f < OCTAVE_FIGURES; f++) {
        item = cJSON_GetObjectItemCaseSensitive(object, name_of(figure_kind[f].name, suffix, name));
        if (!json_numbers_read(item, &values->octave[f]))
            return false;
    }
    for (int f = 0; f < ALL_FIGURES; f++) {
        const cJSON *from = is_apart(f) ? cJSON_GetObjectItemCaseSensitive(object, single_numbers) : object;
        if (figure_kind[f].single == NULL)
            continue;
        item = cJSON_GetObjectItemCaseSensitive(from, name_of(figure_kind[f].single, suffix, name));
        values->single_there[f] = item != NULL;
        values->single[f] = json_number_read(item);
    }
    return true;
}

static void clear_values(void *member)
{
    figure_values_clear(member);
}

static void free_values(void *member)
{
    figure_values_free(member);
}

const struct json_own figure_values_json = {write_values, read_values, clear_values, free_values};

static bool write_nominal(const void *member, cJSON *object, const void *with)
{
    const struct json_numbers *octaves = member;
    (void)with;
    if (octaves->value == NULL)
        return true;
    cJSON *list = cJSON_AddArrayToObject(object, "nominal_hz");
    for (size_t b = 0; list != NULL && b < octaves->count; b++) {
        const double centre = octaves->value[b];
        if (!cJSON_AddItemToArray(list,
                                  centre > 0 ? cJSON_CreateNumber(band_nominal(centre)) : cJSON_CreateNull()))
            return false;
    }
    return list != NULL;
}

const struct json_own nominal_octaves_json = {.write = write_nominal};
