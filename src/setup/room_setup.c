#include "src/setup/room_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/options/option_values.h"
#include "src/setup/orientation.h"
#include "src/setup/room_walls.h"
#include "src/setup/two_sided.h"
#include "src/response/signal/response.h"

/* Only commands that make responses, or step with losses, warn. */
static void warn_of_air(const struct model_request *request, struct room_notices *notices)
{
    char doubt[AIR_DOUBT_MAX];
    if ((request->complete || request->air_in_steps) && request->air_method != AIR_OFF &&
        air_doubt(&request->air, doubt) != NULL)
        room_warn(notices, "the losses of the air may be wrong by more than 10 %%: %s", doubt);
}

/* ---- dummy heads ---- */

static int put_head(const struct room_points *points, const struct orientation *look, size_t number,
                    struct dummy_head *all, struct room_model *model, struct failure *failure)
{
    struct dummy_head *head = &all[number];
    const struct room_point *receivers = points->point + points->sources;
    char known[ROOM_POINTS_LIST];
    const size_t r = room_points_find(receivers, points->receivers, head->name, strlen(head->name));
    if (r == points->receivers)
        return failure_set(failure, FAILURE_INPUT, "no receiver is called %s; there are %s", head->name,
                           room_points_list(receivers, points->receivers, known));
    for (size_t h = 0; h < number; h++)
        if (strcmp(all[h].name, head->name) == 0)
            return failure_set(failure, FAILURE_INPUT, "the head %s is given twice", head->name);
    memcpy(head->position, receivers[r].position, sizeof head->position);
    head->azimuth = orientation_azimuth(&look[r], points, 0, r);
    return dummy_head_put(head, &model->mesh, model->low, model->high, failure);
}

/* Put heads into the model at their receivers, which must be known before surfaces. `*out` (as many as
 * requested) is owned by the caller. */
static int put_heads(const struct room_request *request, struct room_model *model, struct dummy_head **out,
                     struct failure *failure)
{
    static const struct room_notices silent = {.quiet = true, .silent = true};
    const struct option_texts *asked = &request->listening.dummy_head;
    struct room_points points = {0};
    struct orientation *look = NULL;
    if (asked->count == 0)
        return 0;
    int code = room_points_collect(request, model, &silent, &points, failure);
    if (code == 0) {
        *out = calloc(asked->count, sizeof **out);
        look = calloc(points.receivers + 1, sizeof *look);
        code = *out == NULL || look == NULL
                   ? failure_memory(failure, asked->count * sizeof **out, "dummy heads")
                   : orientation_read(&request->listening.look, &points, look, failure);
    }
    for (size_t h = 0; code == 0 && h < asked->count; h++) {
        struct failure why = {0};
        if (dummy_head_read(asked->text[h], &(*out)[h], &why) != 0 ||
            put_head(&points, look, h, *out, model, &why) != 0)
            code = option_text_refuse(asked, h, &why, failure);
    }
    free(look);
    room_points_free(&points);
    return code;
}

/* A place for each receiver that is a head becomes two. */
static int give_ears(const struct room_request *request, struct room_points *points,
                     struct dummy_head **heads, struct failure *failure)
{
    struct dummy_head *const taken = *heads;
    *heads = NULL;
    return taken == NULL ? 0
                         : room_points_give_ears(points, taken, request->listening.dummy_head.count, failure);
}

/* Read surfaces, points and heads, in that order. */
static int read_content(struct room_setup *setup, struct dummy_head **heads, struct failure *failure)
{
    struct room_request *const request = &setup->request;
    struct room_model *const model = &setup->model;
    struct room_points *const points = &setup->points;
    int code = 0;
    TRY(put_heads(request, model, heads, failure));
    TRY(room_two_sided(&request->surfaces, model, failure));
    ALSO(code, failure, room_walls_read(request, &setup->notices, model, &next));
    room_points_audience(model, &request->points);
    ALSO(code, failure, room_points_collect(request, model, &setup->notices, points, &next));
    ALSO(code, failure, room_points_floors(&request->points, model, points, &next));
    return code != 0 ? code : give_ears(request, points, heads, failure);
}

int room_setup_read(const struct room_request *request, struct room_setup *out, struct failure *failure)
{
    *out = (struct room_setup){.request = *request,
                               .notices = {.quiet = request->quiet, .silent = request->silent}};
    struct room_notices *notices = &out->notices;
    struct room_model *model = &out->model;
    struct room_points *points = &out->points;
    TRY(room_request_check(request, failure));
    TRY(array_tables_read(&out->request, &out->arrays, failure));
    request = &out->request;
    TRY(backend_choice_begin_on(request->engine.backend, request->engine.back_ends, request->engine.devices,
                                (unsigned)request->engine.device, &out->backend, failure));
    if (request->engine.bits == OPTION_BITS_ANY && out->backend.backend == BACKEND_OPENCL)
        room_warn(notices, "a GPU that rounds otherwise than processors is accepted: results may differ from "
                           "theirs in the last digits");
    TRY(room_model_read(&request->model, notices, model, failure));
    struct dummy_head *heads = NULL;
    const int code = read_content(out, &heads, failure);
    free(heads);
    if (code != 0)
        return code;
    TRY(orientation_check(&request->listening, points, failure));
    TRY(source_groups_collect(&request->radiation.together, points, failure));
    TRY(room_points_check(request, points, failure));
    TRY(source_directions_read(&request->radiation, points, request->plan.duration, &out->directions,
                               failure));
    TRY(room_points_print(request, points, notices, failure));
    source_directions_print(&out->directions, points, notices);
    warn_of_air(&request->model, notices);
    return interrupt_stop(failure);
}

void room_setup_free(struct room_setup *setup)
{
    room_model_free(&setup->model);
    room_points_free(&setup->points);
    source_directions_free(&setup->directions);
    array_tables_free(&setup->arrays);
    room_grid_free(&setup->grid);
    room_notices_free(&setup->notices);
    room_hosts_free(&setup->hosts);
    *setup = (struct room_setup){0};
}
