#include "src/cli/material_fit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/whole_file.h"
#include "src/draw/fit_drawing.h"
#include "src/record/run_model.h"

_Static_assert(FIT_OCTAVES == MATERIAL_OCTAVES, "a material has the octaves that are fitted");

static int check_file(const char *path, bool force, struct failure *failure)
{
    const size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".svg") != 0)
        return failure_set(failure, FAILURE_INPUT, "-o: %s: the drawing of a fit is a file ending in .svg",
                           path);
    if (!force && access(path, F_OK) == 0)
        return failure_set(failure, FAILURE_INPUT, "-o: %s exists; --force replaces it", path);
    return 0;
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

static cJSON *branch_json(const struct wall_branch *branch)
{
    const struct record_branch record = {branch->D, branch->E, branch->F};
    cJSON *entry = cJSON_CreateObject();
    (void)json_write(&record_branch_table, &record, entry); /* json_memory.h knows where there is none */
    return entry;
}

cJSON *material_fit_json(const struct branch_fit *fit)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *branches = cJSON_AddArrayToObject(object, "branches");
    for (size_t b = 0; b < fit->count; b++)
        cJSON_AddItemToArray(branches, branch_json(&fit->branch[b]));
    cJSON_AddItemToObject(object, "target", cJSON_CreateDoubleArray(fit->target, FIT_OCTAVES));
    cJSON_AddItemToObject(object, "centre", cJSON_CreateDoubleArray(fit->centre, FIT_OCTAVES));
    cJSON_AddItemToObject(object, "mean", cJSON_CreateDoubleArray(fit->mean, FIT_OCTAVES));
    cJSON_AddBoolToObject(object, "holds", branch_fit_holds(fit));
    cJSON_AddNumberToObject(object, "largest_admittance", fit->largest);
    return object;
}
