#include "src/cli/material_fit.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/whole_file.h"
#include "rooms/layers/wall_layers.h"
#include "src/base/json_entries.h"
#include "src/base/print_json.h"
#include "src/base/table/json_values.h"
#include "src/cli/commands.h"
#include "src/draw/fit_drawing.h"
#include "src/run_folder/run_model.h"

_Static_assert(FIT_OCTAVES == MATERIAL_OCTAVES, "a material has the octaves that are fitted");

static int check_file(const char *path, bool force, struct failure *failure)
{
    const size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".svg") != 0)
        return failure_set(failure, FAILURE_INPUT, "-o: %s: the drawing of a fit is a file ending in .svg",
                           path);
    return command_refuse_existing(path, force, failure);
}

static int write_drawing(const char *name, const struct branch_fit *fit, const char *path,
                         struct failure *failure)
{
    struct text_buffer drawing = {0};
    struct whole_file file = {0};
    int code = fit_drawing_svg(name, fit, &drawing, failure);
    if (code == 0)
        code = whole_file_open(&file, path, failure);
    if (code == 0) {
        (void)fwrite(drawing.data, 1, drawing.size,
                     file.stream); /* an error shows when the file is settled */
        code = whole_file_commit(&file, failure);
    }
    whole_file_abandon(&file);
    free(drawing.data);
    return code;
}

int material_fit(const struct material *material, const char *drawing, bool force, struct branch_fit *fit,
                 struct failure *failure)
{
    if (drawing != NULL)
        TRY(check_file(drawing, force, failure));
    TRY(branch_fit(material->absorption, FIT_BRANCHES_MAX, fit, failure));
    return drawing != NULL ? write_drawing(material->name, fit, drawing, failure) : 0;
}

int material_fit_print(const char *name, const struct branch_fit *fit, struct failure *failure)
{
    struct text_buffer table = {0};
    const int code = fit_drawing_table(name, fit, &table, failure);
    if (code == 0)
        (void)fwrite(table.data, 1, table.size, stdout);
    free(table.data);
    return code;
}

struct fit_record {
    JSON_LIST_OF(struct record_branch) branches;
    struct json_numbers target, centre, mean;
    bool holds;
    double largest;
};

#define TYPE fit_record
OWN_TABLE(fit, LIST("branches", branches, record_branch), NUMBERS("target", target),
          NUMBERS("centre", centre), NUMBERS("mean", mean), BOOL("holds", holds),
          NUMBER("largest_admittance", largest));
#undef TYPE

cJSON *material_fit_json(struct branch_fit *fit)
{
    struct record_branch branch[FIT_BRANCHES_MAX];
    cJSON *object = cJSON_CreateObject();
    for (size_t b = 0; b < fit->count; b++)
        branch[b] = (struct record_branch){fit->branch[b].D, fit->branch[b].E, fit->branch[b].F};
    const struct fit_record record = {{fit->count, branch},       {FIT_OCTAVES, fit->target},
                                      {FIT_OCTAVES, fit->centre}, {FIT_OCTAVES, fit->mean},
                                      branch_fit_holds(fit),      fit->largest};
    (void)json_write(&fit_table, &record, object); /* print_json() knows where memory ran out */
    return object;
}

static void print_row(const char *name, const double value[FIT_OCTAVES])
{
    printf("%-34s", name);
    for (int o = 0; o < FIT_OCTAVES; o++)
        printf("%7.2f", value[o]);
    putchar('\n');
}

static int print_build(const char *text, const struct layer_absorption *absorption,
                       const struct layer_fit *fit, struct failure *failure)
{
    printf("%-34s", "absorption of octaves [Hz]");
    for (int o = 0; o < FIT_OCTAVES; o++)
        printf("%7u", material_octave[o]);
    putchar('\n');
    print_row("normal incidence", absorption->normal);
    print_row("random incidence", absorption->diffuse);
    print_row("random incidence, locally reacting", absorption->local);
    print_row("the same, by its fitted branches", fit->fit.mean);
    printf("\nThe simulation has locally reacting walls: sound does not spread along the layers.\n");
    for (int o = 0; o < FIT_OCTAVES; o++)
        if (wall_layers_mislead(absorption, o))
            printf("at %u Hz such a wall absorbs %.2f instead of %.2f\n", material_octave[o],
                   absorption->local[o], absorption->diffuse[o]);
    printf("\nerror of the fit from 20 to %.0f Hz, in the reflection factor at normal incidence: rms %.3f, "
           "at most "
           "%.3f at %.0f Hz\n\n",
           LAYERS_TOP, fit->error, fit->largest, fit->largest_at);
    return material_fit_print(text, &fit->fit, failure);
}

static cJSON *octaves_of(const double value[FIT_OCTAVES])
{
    return cJSON_CreateDoubleArray(value, FIT_OCTAVES);
}

int material_build(const struct options *options, struct failure *failure)
{
    struct wall_layers layers;
    struct layer_absorption absorption;
    struct layer_fit fit;
    const char *const drawing = options->output;
    TRY(wall_layers_read(options->build, &layers, failure));
    if (drawing != NULL)
        TRY(check_file(drawing, options->request.force, failure));
    wall_layers_absorption(&layers, &absorption);
    wall_layers_fit(&layers, LAYERS_TOP, &fit);
    if (drawing != NULL)
        TRY(write_drawing(options->build, &fit.fit, drawing, failure));
    if (!options->json)
        return print_build(options->build, &absorption, &fit, failure);
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"build", OF_TEXT(options->build)}, {"normal", octaves_of(absorption.normal)},
             {"diffuse", octaves_of(absorption.diffuse)}, {"local", octaves_of(absorption.local)},
             {"fit", material_fit_json(&fit.fit)}, {"fit_error_rms", OF_NUMBER(fit.error)},
             {"fit_error_most", OF_NUMBER(fit.largest)}, {"fit_error_most_hz", OF_NUMBER(fit.largest_at)});
    return print_json(object, failure);
}
