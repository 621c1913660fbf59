#include "src/calibrate/calibration_words.h"

#include <math.h>
#include <string.h>

#include "rooms/materials/absorption_uncertainty.h"
#include "rooms/text/table_text.h"
#include "rooms/text/yaml_write.h"
#include "src/base/table/json_values.h"
#include "src/base/table/table_columns.h"

#define NAME_WIDTH 40

const char *calibration_octaves(const struct calibration *calibration, enum calibrated_octave like,
                                char text[CALIBRATION_OCTAVES_MAX])
{
    text[0] = '\0';
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        if (calibration->octave[o] == like)
            text_append(text, CALIBRATION_OCTAVES_MAX, "%s%u", text[0] != '\0' ? ", " : "",
                        material_octave[o]);
    if (text[0] != '\0')
        text_append(text, CALIBRATION_OCTAVES_MAX, " Hz");
    return text;
}

double calibrated_surface_reach(const struct calibrated_surface *surface)
{
    double most = 0;
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        if (surface->uncertainty[o] > 0)
            most = fmax(most, fabs(surface->value[o] - surface->start[o]) / surface->uncertainty[o]);
    return most;
}

/* ---- printed ---- */

static void add_row(struct table *table, const char *head, const char *more, const double *value,
                    int decimals)
{
    char text[NAME_WIDTH + 20];
    (void)snprintf(text, sizeof text, "  %.*s%s", NAME_WIDTH, head, more);
    TABLE_ROW_WORDS(table, "");
    table_text(table, text);
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        TABLE_VALUE_CELL(table, value[o], decimals, 1);
}

static void add_heads(struct table *table, const char *what)
{
    char hertz[24];
    table_row(table, NULL);
    TABLE_WORDS_CELL(table, what);
    for (int o = 0; o < MATERIAL_OCTAVES; o++) {
        (void)snprintf(hertz, sizeof hertz, "%u Hz", material_octave[o]);
        TABLE_WORDS_CELL(table, hertz);
    }
}

void calibration_print(FILE *stream, const struct calibration *calibration)
{
    struct table table;
    char what[80];
    size_t width = 24;
    table_begin(&table, "calibration");
    (void)snprintf(what, sizeof what, "%s [s], the pairs measured",
                   figure_kind[calibration->measured->figure].word);
    add_heads(&table, what);
    add_row(&table, "measured", "", calibration->asked, 2);
    add_row(&table, "before", "", calibration->first, 2);
    if (calibration->runs > 1)
        add_row(&table, "after", "", calibration->last, 2);
    bool any = false;
    for (size_t s = 0; s < calibration->surfaces; s++) {
        const struct calibrated_surface *surface = &calibration->surface[s];
        const size_t length = strnlen(surface->name, NAME_WIDTH) + 10;
        if (!calibrated_surface_changed(surface))
            continue;
        if (!any)
            add_heads(&table, "absorption");
        any = true;
        width = length > width ? length : width;
        add_row(&table, surface->name, ", before", surface->start, 3);
        add_row(&table, surface->name, ", after", surface->value, 3);
    }
    table_columns(stream, &table, 2, (const int[]){-(int)width - 2, 9});
    table_free(&table);
}

/* ---- the variant ---- */

static void put_times(FILE *stream, const char *head, const double *time)
{
    fprintf(stream, "#   %-9s", head);
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        if (isfinite(time[o]))
            fprintf(stream, " %6.2f", time[o]);
        else
            fputs("      -", stream);
    fputc('\n', stream);
}

static void put_octaves(FILE *stream, const double *value, double scale)
{
    fputc('[', stream);
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        fprintf(stream, "%s%.3f", o > 0 ? ", " : "", scale * value[o]);
    fputc(']', stream);
}

static void put_scattering(FILE *stream, const struct scattering *scattering)
{
    const char *between = "    scattering: {";
    for (int o = 0; o < SCATTERING_OCTAVES; o++)
        if ((scattering->given >> o & 1) != 0) {
            fprintf(stream, "%s%u: %.9g", between, scattering_octave[o], scattering->octave[o]);
            between = ", ";
        }
    if (scattering->given != 0)
        fputs("}\n", stream);
}

static void put_surface(FILE *stream, const struct calibrated_surface *surface)
{
    fputs("  ", stream);
    yaml_put_text(stream, surface->name);
    fprintf(stream, ":  # changed by up to %.1f standard uncertainties\n", calibrated_surface_reach(surface));
    fputs("    octaves: ", stream);
    put_octaves(stream, surface->value, 1);
    fputs("\n    # before ", stream);
    put_octaves(stream, surface->start, 1);
    fputs("\n    #    +-  ", stream);
    put_octaves(stream, surface->uncertainty, UNCERTAINTY_BAR); /* as projects write it */
    fputc('\n', stream);
    put_scattering(stream, &surface->scattering);
    if (surface->guessed)
        fputs("    guessed: true\n", stream);
}

void calibration_put_variant(FILE *stream, const struct calibration *calibration, const char *from)
{
    const char *word = figure_kind[calibration->measured->figure].word;
    fprintf(stream,
            "# By `transept calibrate`: the smallest changes of absorption, in units of their standard\n"
            "# uncertainties, that give the %s of %s, in seconds:\n",
            word, from);
    fputs("#   Hz       ", stream);
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        fprintf(stream, " %6u", material_octave[o]);
    fputc('\n', stream);
    put_times(stream, "measured", calibration->asked);
    put_times(stream, "before", calibration->first);
    put_times(stream, "after", calibration->last);
    fputs("materials:\n", stream);
    for (size_t s = 0; s < calibration->surfaces; s++)
        if (calibrated_surface_changed(&calibration->surface[s]))
            put_surface(stream, &calibration->surface[s]);
}

/* ---- JSON ---- */

static cJSON *octaves_json(const double *value)
{
    cJSON *list = cJSON_CreateArray();
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        json_append(list, json_of_number(value[o]));
    return list;
}

void calibration_put_json(cJSON *object, const struct calibration *calibration)
{
    double octave[MATERIAL_OCTAVES];
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        octave[o] = material_octave[o];
    JSON_PUT(object, {"figure", OF_TEXT(figure_kind[calibration->measured->figure].word)},
             {"runs", OF_NUMBER(calibration->runs)}, {"octaves_hz", octaves_json(octave)},
             {"measured_s", octaves_json(calibration->asked)}, {"before_s", octaves_json(calibration->first)},
             {"after_s", octaves_json(calibration->last)});
    cJSON *list = json_list_in(object, "materials");
    for (size_t s = 0; s < calibration->surfaces; s++) {
        const struct calibrated_surface *surface = &calibration->surface[s];
        JSON_PUT(json_append_object(list), {"name", OF_TEXT(surface->name)},
                 {"absorption_before", octaves_json(surface->start)},
                 {"uncertainty", octaves_json(surface->uncertainty)},
                 {"absorption_after", octaves_json(surface->value)});
    }
}
