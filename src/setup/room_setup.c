#include "src/setup/room_setup.h"

#include "src/base/interrupt.h"
#include "src/setup/orientation.h"
#include "src/setup/room_walls.h"
#include "src/setup/two_sided.h"

int room_interrupted(struct failure *failure)
{
    return interrupt_seen ? failure_interrupted(failure) : 0;
}

/* Losses are put on responses only, so only commands that make them warn. */
static void warn_of_air(const struct model_request *request, struct room_notices *notices)
{
    char doubt[AIR_DOUBT_MAX];
    if (request->complete && request->air_method != AIR_OFF && air_doubt(&request->air, doubt) != NULL)
        room_warn(notices, "the losses of the air may be wrong by more than 10 %%: %s", doubt);
}

int room_setup_read(const struct room_request *request, struct room_setup *out, struct failure *failure)
{
    *out = (struct room_setup){.request = *request,
                               .notices = {.quiet = request->quiet, .silent = request->silent}};
    struct room_notices *notices = &out->notices;
    struct room_model *model = &out->model;
    struct room_points *points = &out->points;
    TRY(room_request_check(request, failure));
    TRY(backend_choice_begin(request->engine.backend, &out->backend, failure));
    TRY(room_model_read(&request->model, notices, model, failure));
    TRY(room_two_sided(&request->surfaces, model, failure));
    TRY(room_walls_read(request, notices, model, failure));
    TRY(room_points_collect(request, model, notices, points, failure));
    TRY(orientation_check(&request->listening, points, failure));
    TRY(room_points_print(request, points, notices, failure));
    TRY(room_points_floors(&request->points, model, points, failure));
    warn_of_air(&request->model, notices);
    return room_interrupted(failure);
}

void room_setup_free(struct room_setup *setup)
{
    room_model_free(&setup->model);
    room_points_free(&setup->points);
    room_grid_free(&setup->grid);
    room_notices_free(&setup->notices);
    *setup = (struct room_setup){0};
}
