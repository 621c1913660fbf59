#include "src/cli/material_fit.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/whole_file.h"
#include "src/base/json_entries.h"
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

static int write_drawing(const struct material *material, const struct branch_fit *fit, const char *path,
                         struct failure *failure)
{
    struct text_buffer drawing = {0};
    struct whole_file file = {0};
    int code = fit_drawing_svg(material->name, fit, &drawing, failure);
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
    return drawing != NULL ? write_drawing(material, fit, drawing, failure) : 0;
}

int material_fit_print(const struct material *material, const struct branch_fit *fit, struct failure *failure)
{
    struct text_buffer table = {0};
    const int code = fit_drawing_table(material->name, fit, &table, failure);
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
