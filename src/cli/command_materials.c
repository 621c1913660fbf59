#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/text_buffer.h"
#include "rooms/materials/absorption_bands.h"
#include "rooms/materials/absorption_uncertainty.h"
#include "rooms/materials/material_library.h"
#include "rooms/materials/material_words.h"
#include "rooms/materials/surfaces.h"
#include "src/base/print_json.h"
#include "src/base/wrapped_text.h"
#include "src/cli/commands.h"
#include "src/cli/material_fit.h"
#include "src/response/signal/band_filters.h"
#include "src/base/table/json_values.h"

#define NEAR_TOLD 4

/* ---- words ---- */

static void print_octaves(int indent, const unsigned *octave, size_t count)
{
    printf("%*s", indent, "Hz");
    for (size_t o = 0; o < count; o++)
        printf("%6u", octave[o]);
}

static bool is_of_hundredths(double value)
{
    return fabs(100 * value - round(100 * value)) < 1e-6;
}

static void print_values(const double *value, size_t count)
{
    for (size_t o = 0; o < count; o++)
        printf("%6.*f", is_of_hundredths(value[o]) ? 2 : 3, value[o]);
}

static void print_absorption(const struct material *material)
{
    print_values(material->absorption, MATERIAL_OCTAVES);
}

/* How well an absorption is known, as projects write it. */
static void print_bars(int width, const double *uncertainty, const char *from)
{
    printf("%-*s", width, width > 0 ? "+-" : "");
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        printf("%6.2f", UNCERTAINTY_BAR * uncertainty[o]);
    printf("  %s\n", from);
}

static const char *source_id(const struct material *material)
{
    return material->source_id != NULL ? material->source_id : "-";
}

static int longest_name(const struct material_library *library)
{
    size_t longest = 0;
    for (size_t m = 0; m < library->count; m++)
        if (strlen(library->material[m].name) > longest)
            longest = strlen(library->material[m].name);
    return (int)longest;
}

static void print_table(const struct material_library *library)
{
    const int width = longest_name(library);
    print_octaves(width + 1, material_octave, MATERIAL_OCTAVES);
    puts(" source");
    for (int kind = 0; kind < MATERIAL_KINDS; kind++) {
        bool headed = false;
        for (size_t m = 0; m < library->count; m++) {
            const struct material *material = &library->material[m];
            if (material->kind != (enum material_kind)kind)
                continue;
            if (!headed)
                printf("\n%s\n", material_kind_name(material->kind));
            headed = true;
            printf(" %-*s", width, material->name);
            print_absorption(material);
            printf(" %s\n", source_id(material));
        }
    }
    printf(
        "\n%zu materials, absorption of sound from all directions. Octaves that a source lacks repeat the\n"
        "nearest that it has. `transept materials NAME` says which, how well it is known, other names, its\n"
        "scattering, and where the values come from.\n\nSources:\n",
        library->count);
    for (size_t s = 0; s < library->source_count; s++) {
        printf("  %-14s", library->source[s].id);
        print_wrapped(stdout, library->source[s].title, 16);
    }
}

static int print_aliases(const struct material *material, struct failure *failure)
{
    struct text_buffer line = {0};
    int code = 0;
    for (unsigned a = 0; code == 0 && a < material->alias_count; a++)
        code = text_print(&line, failure, "%s%s", a > 0 ? ", " : "", material->alias[a]);
    if (code == 0 && line.size > 0) {
        fputs("also called ", stdout);
        print_wrapped(stdout, line.data, 12);
    }
    free(line.data);
    return code;
}

static void print_source(const struct material_source *source, const char *row, const char *heading)
{
    if (source == NULL)
        return;
    printf("\n%ssource   ", heading);
    print_wrapped(stdout, source->title, 9);
    fputs("table    ", stdout);
    print_wrapped(stdout, source->table, 9);
    if (row != NULL)
        printf("row      %s\n", row);
    printf("link     %s\nlicence  ", source->link);
    print_wrapped(stdout, source->licence, 9);
}

static void print_scattering(const struct material *material, int width)
{
    const struct scattering *scattering = &material->scattering;
    if (scattering->given == 0) {
        printf("\nscattering not known: rays take %g up to 500 Hz, %g at 1 kHz, %g above\n",
               scattering_default[3], scattering_default[4], scattering_default[5]);
        return;
    }
    putchar('\n');
    print_octaves(width, scattering_octave, SCATTERING_OCTAVES);
    printf("\n%-*s", width, "scattering");
    print_values(scattering->octave, SCATTERING_OCTAVES);
    putchar('\n');
    bool any = false;
    for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
        if ((scattering->given >> o & 1) == 0) {
            printf("%s%u", any ? " and " : "\n", scattering_octave[o]);
            any = true;
        }
    if (any)
        printf(" Hz: not in the source of the scattering; the nearest octave repeated\n");
}

static int print_one(const struct material *material, struct failure *failure)
{
    const struct material *pair = material->pair;
    const size_t own = strlen(material->name), other = pair != NULL ? strlen(pair->name) : 0;
    const int width = (int)(own > other ? own : other);
    double uncertainty[MATERIAL_OCTAVES];
    absorption_uncertainty_fill(material->absorption, false, false, uncertainty);
    printf("%s: %s\n", material->name, material_kind_name(material->kind));
    TRY(print_aliases(material, failure));
    putchar('\n');
    print_octaves(width, material_octave, MATERIAL_OCTAVES);
    printf("\n%-*s", width, material->name);
    print_absorption(material);
    putchar('\n');
    print_bars(width, uncertainty, "nine of ten are within it, by ISO 12999-2");
    if (pair != NULL) {
        printf("%-*s", width, pair->name);
        print_absorption(pair);
        putchar('\n');
    }
    if (material->kind == MATERIAL_SHEET) {
        printf("\nsound goes through: flow resistance %.4g Pa s/m", material->sheet.flow_resistance);
        if (isfinite(material->sheet.mass))
            printf(", %.3g kg/m2, in %s\n", material->sheet.mass,
                   material->sheet.series ? "series" : "parallel");
        else
            printf(", held still\n");
        printf("the absorption is the share that one side neither reflects nor transmits\n");
    }
    for (unsigned e = 0; e < material->extended_count; e++)
        printf("%s%u", e == 0 ? "\n" : " and ", material->extended[e]);
    if (material->extended_count > 0)
        printf(" Hz: not in the source; the nearest octave repeated\n");
    print_scattering(material, width > 10 ? width : 10);
    print_source(material->source, material->row, "");
    print_source(material->scattering_source, material->scattering_row, "of the scattering:\n");
    return 0;
}

/* ---- JSON ---- */

static cJSON *octaves_json(const double *value)
{
    return cJSON_CreateDoubleArray(value, MATERIAL_OCTAVES);
}

static cJSON *bars_json(const double *uncertainty)
{
    double bar[MATERIAL_OCTAVES];
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        bar[o] = UNCERTAINTY_BAR * uncertainty[o];
    return octaves_json(bar);
}

static cJSON *material_json(const struct material *material)
{
    cJSON *entry = cJSON_CreateObject();
    double uncertainty[MATERIAL_OCTAVES];
    absorption_uncertainty_fill(material->absorption, false, false, uncertainty);
    JSON_PUT(entry, {"name", OF_TEXT(material->name)}, {"kind", OF_TEXT(material_kind_name(material->kind))},
             {"aliases", OF_TEXTS(material->alias_count, material->alias)},
             {"absorption", octaves_json(material->absorption)},
             {"absorption_error_octaves", bars_json(uncertainty)});
    if (material->kind == MATERIAL_SHEET)
        JSON_PUT(entry, {"flow_resistance_pa_s_m", OF_NUMBER(material->sheet.flow_resistance)},
                 {"mass_kg_m2", OF_NUMBER(material->sheet.mass)},
                 {"combination", OF_TEXT(material->sheet.series ? "series" : "parallel")});
    cJSON *extended = json_list_in(entry, "extended_hz");
    for (unsigned e = 0; e < material->extended_count; e++)
        json_append(extended, cJSON_CreateNumber(material->extended[e]));
    JSON_PUT(entry, {"pair", OF_TEXT(material->pair != NULL ? material->pair->name : NULL)},
             {"source", OF_TEXT(material->source_id)}, {"row", OF_TEXT(material->row)});
    if (material->scattering.given == 0)
        return entry;
    JSON_PUT(entry, {"scattering", cJSON_CreateDoubleArray(material->scattering.octave, SCATTERING_OCTAVES)},
             {"scattering_source", OF_TEXT(material->scattering_source_id)},
             {"scattering_row", OF_TEXT(material->scattering_row)});
    cJSON *given = json_list_in(entry, "scattering_given_hz");
    for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
        if ((material->scattering.given >> o & 1) != 0)
            json_append(given, cJSON_CreateNumber(scattering_octave[o]));
    return entry;
}

/* All materials, or `one` with its source. */
static cJSON *library_json(const struct material_library *library, const struct material *one)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *octaves = json_list_in(object, "octaves_hz");
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        json_append(octaves, cJSON_CreateNumber(material_octave[o]));
    JSON_PUT(object, {"nominal_hz", cJSON_Duplicate(octaves, true)});
    cJSON *of_scattering = json_list_in(object, "scattering_octaves_hz");
    for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
        json_append(of_scattering, cJSON_CreateNumber(scattering_octave[o]));
    cJSON *materials = json_list_in(object, "materials");
    for (size_t m = 0; m < library->count; m++)
        if (one == NULL || one == &library->material[m])
            json_append(materials, material_json(&library->material[m]));
    cJSON *sources = json_list_in(object, "sources");
    for (size_t s = 0; s < library->source_count; s++) {
        const struct material_source *source = &library->source[s];
        if (one != NULL && one->source != source && one->scattering_source != source)
            continue;
        JSON_PUT(json_append_object(sources), {"id", OF_TEXT(source->id)}, {"title", OF_TEXT(source->title)},
                 {"table", OF_TEXT(source->table)}, {"link", OF_TEXT(source->link)},
                 {"licence", OF_TEXT(source->licence)});
    }
    return object;
}

/* ---- a file of the user's ---- */

/* Absorption as a run takes it, of branches the mean over each octave, and its standard uncertainty. */
static void entry_absorption(const struct surface_entry *entry, double octave[MATERIAL_OCTAVES],
                             double uncertainty[MATERIAL_OCTAVES])
{
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        octave[o] = entry->form == SURFACE_BRANCHES ? surface_octave_mean(entry->branch, entry->branches, o)
                                                    : entry->absorption[o];
    memcpy(uncertainty, entry->uncertainty, sizeof entry->uncertainty);
    absorption_uncertainty_fill(octave, entry->stated, false, uncertainty);
}

/* A line for each octave: its value, and those of its thirds; dashes where they are NULL. */
static void print_thirds(const char *name, const double octave[MATERIAL_OCTAVES], const double *third)
{
    printf("%s\n", name);
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        printf("%6u Hz", material_octave[o]);
        print_values(&octave[o], 1);
        for (size_t t = 3 * o; t < 3 * o + 3; t++) {
            printf("  %6u:", absorption_band[t]);
            if (third != NULL)
                print_values(&third[t], 1);
            else
                printf("%6s", "-");
        }
        putchar('\n');
    }
}

static cJSON *table_json(const struct surface_table *table, bool thirds)
{
    cJSON *object = library_json(&table->own, NULL);
    cJSON *names = thirds ? json_list_in(object, "thirds_hz") : NULL;
    for (size_t t = 0; thirds && t < MATERIAL_THIRDS; t++)
        json_append(names, cJSON_CreateNumber(absorption_band[t]));
    cJSON *materials = cJSON_GetObjectItemCaseSensitive(object, "materials");
    for (size_t e = 0; e < table->count; e++) {
        double octave[MATERIAL_OCTAVES], uncertainty[MATERIAL_OCTAVES];
        cJSON *entry = json_append_object(materials);
        entry_absorption(&table->entry[e], octave, uncertainty);
        JSON_PUT(entry, {"name", OF_TEXT(table->entry[e].name)}, {"absorption", octaves_json(octave)},
                 {"absorption_error_octaves", bars_json(uncertainty)},
                 {"absorption_error_given", OF_TRUTH(table->entry[e].stated)});
        if (thirds)
            JSON_PUT(entry, {"absorption_thirds",
                             table->entry[e].in_thirds
                                 ? cJSON_CreateDoubleArray(table->entry[e].third, MATERIAL_THIRDS)
                                 : cJSON_CreateNull()});
        if (table->entry[e].scattering.given != 0)
            JSON_PUT(entry, {"scattering",
                             cJSON_CreateDoubleArray(table->entry[e].scattering.octave, SCATTERING_OCTAVES)});
    }
    JSON_PUT(object, {"above_one", OF_TEXT(table->above.count > 0 ? table->above.first : NULL)});
    return object;
}

static int list_file(const struct options *options, struct failure *failure)
{
    const bool thirds = options->request.plan.bands == BANDS_THIRD;
    struct surface_table table = {0};
    int code = surface_table_read(&table, options->request.surfaces.materials, failure);
    if (code == 0 && options->json)
        code = print_json(table_json(&table, thirds), failure);
    else if (code == 0 && table.count == 0)
        print_table(&table.own);
    for (size_t e = 0; code == 0 && !options->json && e < table.count; e++) {
        double octave[MATERIAL_OCTAVES], uncertainty[MATERIAL_OCTAVES];
        entry_absorption(&table.entry[e], octave, uncertainty);
        if (thirds) {
            print_thirds(table.entry[e].name, octave, table.entry[e].in_thirds ? table.entry[e].third : NULL);
            continue;
        }
        print_values(octave, MATERIAL_OCTAVES);
        printf("  %s\n", table.entry[e].name);
        print_bars(0, uncertainty, table.entry[e].stated ? "+-, as given" : "+-, by ISO 12999-2");
    }
    surface_table_free(&table);
    return code;
}

/* ---- the command ---- */

static int refuse_unknown(const struct material_library *library, const char *name, struct failure *failure)
{
    const struct material *near[NEAR_TOLD];
    const size_t count = material_suggest(library, name, near, NEAR_TOLD);
    struct text_buffer list = {0};
    for (size_t n = 0; n < count; n++)
        (void)text_print(&list, NULL, "%s%s", n > 0 ? ", " : "near are: ", near[n]->name);
    int code = failure_set(failure, FAILURE_INPUT, "there is no material \"%s\" in the library", name);
    code = failure_fix(code, failure, "%s", list.size > 0 ? list.data : "transept materials lists them");
    free(list.data);
    return code;
}

/* Print one material, with its fit if requested. */
static int show_one(const struct material_library *library, const struct material *one,
                    const struct options *options, struct failure *failure)
{
    const bool thirds = options->request.plan.bands == BANDS_THIRD;
    struct branch_fit fit;
    if (options->fit && one->kind == MATERIAL_SHEET)
        return failure_set(
            failure, FAILURE_INPUT,
            "--fit is for walls, but \"%s\" is a sheet: its model is fitted to the grid of a run", one->name);
    if (options->fit)
        TRY(material_fit(one, options->output, options->request.force, &fit, failure));
    if (options->json) {
        cJSON *object = library_json(library, one);
        if (options->fit)
            JSON_PUT(object, {"fit", material_fit_json(&fit)});
        if (options->fit && thirds)
            JSON_PUT(object, {"fit_thirds", cJSON_CreateDoubleArray(fit.mean_third, MATERIAL_THIRDS)});
        return print_json(object, failure);
    }
    TRY(print_one(one, failure));
    if (!options->fit)
        return 0;
    putchar('\n');
    TRY(material_fit_print(one->name, &fit, failure));
    if (thirds)
        print_thirds("mean of the fit over", fit.mean, fit.mean_third);
    return 0;
}

static int check_options(const struct options *options, struct failure *failure)
{
    if (options->fit && options->subject == NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "--fit needs the name of a material: transept materials NAME --fit");
    if (options->output != NULL && !options->fit && options->build == NULL)
        return failure_set(failure, FAILURE_INPUT, "-o draws a fit, so it needs --fit or --build");
    if (options->build != NULL && (options->fit || options->subject != NULL))
        return failure_set(failure, FAILURE_INPUT,
                           "--build is a wall of its own, without --fit and the name of a material");
    if (options->request.plan.bands == BANDS_THIRD && !options->fit &&
        options->request.surfaces.materials == NULL)
        return failure_set(
            failure, FAILURE_INPUT,
            "--bands third is for a file (--materials) or a fit (NAME --fit): the library has octaves");
    if (options->request.surfaces.materials != NULL && options->subject != NULL)
        return failure_set(failure, FAILURE_INPUT, "--materials lists a file, so it takes no name");
    return 0;
}

int command_materials(const struct options *options, struct failure *failure)
{
    struct material_library library = {0};
    TRY(check_options(options, failure));
    if (options->build != NULL)
        return material_build(options, failure);
    if (options->request.surfaces.materials != NULL)
        return list_file(options, failure);
    TRY(material_library_load(&library, failure));
    const struct material *one = NULL;
    int code = 0;
    if (options->subject != NULL && (one = material_library_find(&library, options->subject)) == NULL)
        code = refuse_unknown(&library, options->subject, failure);
    else if (one != NULL)
        code = show_one(&library, one, options, failure);
    else if (options->json)
        code = print_json(library_json(&library, NULL), failure);
    else
        print_table(&library);
    material_library_free(&library);
    return code;
}
