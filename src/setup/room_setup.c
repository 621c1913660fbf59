#include "src/setup/room_setup.h"

#include <math.h>

#include "src/base/interrupt.h"
#include "src/setup/orientation.h"
#include "src/setup/room_walls.h"
#include "src/setup/two_sided.h"
#include "src/signal/response.h"

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

/* Node updates of a second of sound, but for a factor: nodes of a wavelength's cube times steps of a period,
 * of a grid whose time step is not yet settled. */
static double updates_of(enum scheme scheme, double points)
{
    struct room_request request = {.grid.scheme = scheme};
    struct time_step step = {0};
    if (time_step_choose(scheme, 1, 1, room_courant_first(&request), &step, NULL) != 0)
        return NAN;
    return pow(points, 4) / (step.courant * response_share(&step, 1 / points));
}

static void say_scheme_kept(const struct room_request *request, const struct room_notices *notices)
{
    const double points = scheme_points[SCHEME_ISOTROPIC][QUALITY_STANDARD];
    if (request->grid.scheme_kept)
        room_say(notices,
                 "%g points per wavelength and no scheme: the project keeps the standard scheme of earlier "
                 "versions; the isotropic one at its %g takes about %.2g %% of the node updates (scheme: "
                 "isotropic, without points_per_wavelength)",
                 request->grid.points_per_wavelength, points,
                 100 * updates_of(SCHEME_ISOTROPIC, points) /
                     updates_of(SCHEME_STANDARD, request->grid.points_per_wavelength));
}

int room_setup_read(const struct room_request *request, struct room_setup *out, struct failure *failure)
{
    *out = (struct room_setup){.request = *request,
                               .notices = {.quiet = request->quiet, .silent = request->silent}};
    struct room_notices *notices = &out->notices;
    struct room_model *model = &out->model;
    struct room_points *points = &out->points;
    TRY(room_request_check(request, failure));
    say_scheme_kept(request, notices);
    TRY(backend_choice_begin_on(request->engine.backend, request->engine.devices, &out->backend, failure));
    TRY(room_model_read(&request->model, notices, model, failure));
    TRY(room_two_sided(&request->surfaces, model, failure));
    int code = 0;
    ALSO(code, failure, room_walls_read(request, notices, model, &next));
    room_points_audience(model, &out->request.points);
    request = &out->request;
    ALSO(code, failure, room_points_collect(request, model, notices, points, &next));
    ALSO(code, failure, room_points_floors(&request->points, model, points, &next));
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
    return room_interrupted(failure);
}

void room_setup_free(struct room_setup *setup)
{
    room_model_free(&setup->model);
    room_points_free(&setup->points);
    source_directions_free(&setup->directions);
    room_grid_free(&setup->grid);
    room_notices_free(&setup->notices);
    room_hosts_free(&setup->hosts);
    *setup = (struct room_setup){0};
}
