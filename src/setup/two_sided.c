#include "src/setup/two_sided.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/options/option_values.h"

/* The material of that name: an exact match first, then one in any case. SIZE_MAX for none. */
static size_t find_material(const struct mesh *mesh, size_t count, const char *name, size_t length)
{
    size_t found = SIZE_MAX;
    for (size_t m = 0; m < count; m++) {
        const char *own = mesh->material[m];
        if (strlen(own) != length || strncasecmp(own, name, length) != 0)
            continue;
        if (strncmp(own, name, length) == 0)
            return m;
        found = found == SIZE_MAX ? m : found;
    }
    return found;
}

/* One NAME=BACK. Names may hold `=`: the first one that leaves a material before it divides. */
static int add_pair(struct room_model *model, size_t count, const char *text, struct failure *failure)
{
    size_t front = SIZE_MAX;
    const char *equals = strchr(text, '=');
    if (equals == NULL)
        return failure_set(
            failure, FAILURE_INPUT,
            "this is one material: write NAME=BACK, the surfaces of the model and what is behind them");
    while (equals != NULL &&
           (front = find_material(&model->mesh, count, text, (size_t)(equals - text))) == SIZE_MAX)
        equals = strchr(equals + 1, '=');
    if (equals == NULL) {
        char asked[OPTION_NAME_MAX];
        snprintf(asked, sizeof asked, "%.*s", (int)strcspn(text, "="), text);
        return surface_refuse_name(&model->mesh, asked, failure);
    }
    const char *name = equals + 1;
    if (*name == '\0')
        return failure_set(failure, FAILURE_INPUT, "the material behind has no name");
    uint16_t back = 0;
    const size_t known = find_material(&model->mesh, model->mesh.material_count, name, strlen(name));
    if (known != SIZE_MAX)
        back = (uint16_t)known;
    else
        TRY(mesh_add_material(&model->mesh, name, &back, failure));
    if (back == front)
        return failure_set(failure, FAILURE_INPUT, "a material is given itself as its back");
    if (model->back_material[front] != front && model->back_material[front] != back)
        return failure_set(failure, FAILURE_INPUT, "\"%.100s\" has two backs: \"%.100s\" and \"%.100s\"",
                           model->mesh.material[front], model->mesh.material[model->back_material[front]],
                           model->mesh.material[back]);
    model->back_material[front] = back;
    return 0;
}

int room_two_sided(const struct surface_request *request, struct room_model *model, struct failure *failure)
{
    const struct option_texts *given = &request->two_sided;
    const size_t count = model->mesh.material_count, most = count + given->count;
    if (given->count == 0)
        return 0;
    model->back_material = malloc((most + 1) * sizeof *model->back_material);
    if (model->back_material == NULL)
        return failure_memory(failure, most * sizeof *model->back_material, "two-sided surfaces");
    for (size_t m = 0; m < most; m++)
        model->back_material[m] = (uint16_t)m;
    for (size_t i = 0; i < given->count; i++) {
        struct failure why = {0};
        if (add_pair(model, count, given->text[i], &why) != 0)
            return option_text_refuse(given, i, &why, failure);
    }
    return 0;
}

void room_two_sided_areas(struct room_model *model)
{
    const size_t count = model->mesh.material_count;
    if (model->back_material == NULL)
        return;
    double *front = malloc((count + 1) * sizeof *front);
    if (front == NULL)
        return; /* only for figures that people read */
    memcpy(front, model->area, count * sizeof *front);
    for (size_t m = 0; m < count; m++)
        if (model->back_material[m] != m)
            model->area[model->back_material[m]] += front[m];
    free(front);
}
