#include "src/setup/orientation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/base/options/option_values.h"

#define PI 3.14159265358979323846

#define STRAIGHT_UP 1e-3 /* of the distance */

static int read_one(const struct room_points *points, const char *text, struct orientation *all, bool *given,
                    struct failure *failure)
{
    static const struct option_spec number = {.kind = OPTION_NUMBER, .low = -360.0, .high = 360.0};
    const struct room_point *receivers = points->point + points->sources;
    const char *at = strchr(text, '=');
    char known[ROOM_POINTS_LIST];
    if (at == NULL || at[1] == '\0')
        return failure_set(failure, FAILURE_INPUT,
                           "expected NAME=SOURCE or NAME=DEGREES, NAME being a receiver's");
    const size_t receiver = room_points_find(receivers, points->receivers, text, (size_t)(at - text));
    if (room_points_head(points, text, (size_t)(at - text)) !=
        NULL) /* read before it was put into the room */
        return 0;
    if (receiver == points->receivers)
        return failure_set(failure, FAILURE_INPUT, "no receiver is called %.*s; there are %s",
                           (int)(at - text), text, room_points_list(receivers, points->receivers, known));
    if (given[receiver])
        return failure_set(failure, FAILURE_INPUT, "the orientation of %s is given twice",
                           receivers[receiver].name);
    given[receiver] = true;
    struct orientation *out = &all[receiver];
    at++;
    const size_t sources = room_points_named(points);
    out->source = room_points_find(points->point, sources, at, strlen(at));
    if (out->source < sources) {
        out->kind = FACING_SOURCE;
        return 0;
    }
    if (option_read_value(&number, at, &out->azimuth, NULL) != 0)
        return failure_set(failure, FAILURE_INPUT,
                           "%s is neither a source (%s) nor an azimuth from -360 to 360 degrees", at,
                           room_points_list(points->point, sources, known));
    out->kind = FACING_AZIMUTH;
    out->azimuth = fmod(out->azimuth + 360.0, 360.0);
    return 0;
}

int orientation_read(const struct option_texts *texts, const struct room_points *points,
                     struct orientation *out, struct failure *failure)
{
    bool *given = calloc(points->receivers + 1, sizeof *given);
    if (given == NULL)
        return failure_memory(failure, points->receivers, "the orientations of receivers");
    int code = 0;
    for (size_t r = 0; r < points->receivers; r++)
        out[r] = (struct orientation){0};
    for (size_t i = 0; code == 0 && i < texts->count; i++) {
        struct failure why = {0};
        if (read_one(points, texts->text[i], out, given, &why) != 0)
            code = option_text_refuse(texts, i, &why, failure);
    }
    free(given);
    return code;
}

int orientation_check(const struct listening_request *request, const struct room_points *points,
                      struct failure *failure)
{
    const struct {
        const char *what;
        double degrees;
    } turn[] = {{"yaw", request->yaw}, {"pitch", request->pitch}, {"roll", request->roll}};
    for (size_t t = 0; request->head == NULL && t < sizeof turn / sizeof turn[0]; t++)
        if (turn[t].degrees != 0.0)
            return failure_advise(failure_set(failure, FAILURE_INPUT,
                                              "a %s of %g degrees turns a head, and there is none",
                                              turn[t].what, turn[t].degrees),
                                  failure, ADVICE_GIVE_HEAD, 0);
    size_t own = 0; /* the first that is of no dummy head */
    while (own < request->look.count &&
           room_points_head(points, request->look.text[own], strcspn(request->look.text[own], "=")) != NULL)
        own++;
    if (own == request->look.count)
        return 0;
    if (!request->ambisonics && request->head == NULL)
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "the orientation %s needs a directional receiver, and there is none",
                        request->look.text[own]),
            failure, ADVICE_DIRECTIONAL, 0);
    struct orientation *all = calloc(points->receivers + 1, sizeof *all);
    if (all == NULL)
        return failure_memory(failure, points->receivers * sizeof *all, "the orientations of receivers");
    const int code = orientation_read(&request->look, points, all, failure);
    free(all);
    return code;
}

double azimuth_to(const double from[3], const double to[3])
{
    const double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2];
    if (!(hypot(x, y) > STRAIGHT_UP * fabs(z)))
        return NAN;
    const double degrees = atan2(y, x) * 180.0 / PI;
    return degrees < 0.0 ? fmod(degrees + 360.0, 360.0) : degrees;
}

size_t orientation_source(const struct orientation *orientation, const struct room_points *points,
                          size_t source)
{
    return orientation->kind == FACING_AZIMUTH  ? points->sources
           : orientation->kind == FACING_SOURCE ? orientation->source
                                                : source;
}

double orientation_azimuth(const struct orientation *orientation, const struct room_points *points,
                           size_t source, size_t receiver)
{
    const size_t at = orientation_source(orientation, points, source);
    if (at == points->sources)
        return orientation->azimuth;
    const double azimuth =
        azimuth_to(points->point[points->sources + receiver].position, points->point[at].position);
    return isnan(azimuth) ? 0.0 : azimuth;
}
