#include "src/setup/two_sided.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/options/options.h"

/* The material called so whatever the case, exactly so first; SIZE_MAX for none. */
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

static int refuse_name(const struct room_model *model, size_t count, const char *text,
                       struct failure *failure)
{
    const char *nearest;
    char name[OPTION_NAME_MAX];
    const char *equals = strchr(text, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    nearest = options_nearest(name, (const char *const *)model->mesh.material, count);
    return failure_set(
        failure, FAILURE_INPUT,
        "--two-sided %.200s: no surface of the model is called \"%s\"%s%.100s%s; `transept check` "
        "lists them",
        text, name, nearest != NULL ? " (did you mean \"" : "", nearest != NULL ? nearest : "",
        nearest != NULL ? "\"?)" : "");
}

/* One NAME=BACK. Names may hold `=`: the first one that leaves a material before it divides. */
static int add(struct room_model *model, size_t count, const char *text, struct failure *failure)
{
    size_t front = SIZE_MAX;
    const char *equals = strchr(text, '=');
    if (equals == NULL)
        return failure_set(
            failure, FAILURE_INPUT,
            "--two-sided %.200s names one material: write NAME=BACK, the surfaces of the model and "
            "what is behind them",
            text);
    while (equals != NULL &&
           (front = find_material(&model->mesh, count, text, (size_t)(equals - text))) == SIZE_MAX)
        equals = strchr(equals + 1, '=');
    if (equals == NULL)
        return refuse_name(model, count, text, failure);
    const char *name = equals + 1;
    if (*name == '\0')
        return failure_set(failure, FAILURE_INPUT, "--two-sided %.200s: the material behind has no name",
                           text);
    uint16_t back = 0;
    const size_t known = find_material(&model->mesh, model->mesh.material_count, name, strlen(name));
    if (known != SIZE_MAX)
        back = (uint16_t)known;
    else
        TRY(mesh_add_material(&model->mesh, name, &back, failure));
    if (back == front)
        return failure_set(failure, FAILURE_INPUT, "--two-sided %.200s gives a material itself as its back",
                           text);
    if (model->back_material[front] != front && model->back_material[front] != back)
        return failure_set(failure, FAILURE_INPUT,
                           "--two-sided gives \"%.100s\" two backs: \"%.100s\" and \"%.100s\"",
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
        return failure_memory(failure, most * sizeof *model->back_material, "--two-sided");
    for (size_t m = 0; m < most; m++)
        model->back_material[m] = (uint16_t)m;
    for (size_t i = 0; i < given->count; i++)
        TRY(add(model, count, given->text[i], failure));
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
