#include "src/setup/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/options/option_values.h"

#define PI 3.14159265358979323846

#define STRAIGHT_UP 1e-3 /* of the distance */

static int find(const struct room_point *point, size_t count, const char *name, size_t length, size_t *found)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(point[i].name) == length && memcmp(point[i].name, name, length) == 0) {
            *found = i;
            return 1;
        }
    return 0;
}

/* " (there are A, B)" */
static void list(const struct room_point *point, size_t count, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        strncat(text, i == 0 ? "" : ", ", size - strlen(text) - 1);
        strncat(text, point[i].name, size - strlen(text) - 1);
    }
}

static int read_one(const struct room_points *points, const char *text, struct look *all, bool *given,
                    struct failure *failure)
{
    const char *at = strchr(text, '=');
    char known[400];
    size_t receiver = 0;
    if (at == NULL || at[1] == '\0')
        return failure_set(failure, FAILURE_INPUT,
                           "--look %s is not NAME=SOURCE or NAME=DEGREES, NAME being a receiver's", text);
    if (!find(points->point + points->sources, points->receivers, text, (size_t)(at - text), &receiver)) {
        list(points->point + points->sources, points->receivers, known, sizeof known);
        return failure_set(failure, FAILURE_INPUT, "--look %s: no receiver is called %.*s; there are %s",
                           text, (int)(at - text), text, known);
    }
    if (given[receiver])
        return failure_set(failure, FAILURE_INPUT, "--look %s: the orientation of %s is given twice", text,
                           points->point[points->sources + receiver].name);
    given[receiver] = true;
    struct look *look = &all[receiver];
    if (find(points->point, points->sources, at + 1, strlen(at + 1), &look->source)) {
        look->kind = LOOK_AT_SOURCE;
        return 0;
    }
    const struct option_spec number = {.name = "look", .kind = OPTION_NUMBER, .low = -360.0, .high = 360.0};
    struct failure unsaid = {0};
    look->kind = LOOK_AT_AZIMUTH;
    if (option_read_value(&number, at + 1, &look->azimuth, &unsaid) == 0) {
        look->azimuth = fmod(look->azimuth + 360.0, 360.0);
        return 0;
    }
    list(points->point, points->sources, known, sizeof known);
    return failure_set(failure, FAILURE_INPUT,
                       "--look %s: %s is neither a source (%s) nor an azimuth from -360 to 360 degrees", text,
                       at + 1, known);
}

int look_read(const struct listening_request *request, const struct room_points *points, struct look *out,
              struct failure *failure)
{
    const struct option_texts *texts = &request->look;
    bool *given = calloc(points->receivers + 1, sizeof *given);
    int code =
        given == NULL ? failure_memory(failure, points->receivers, "the orientations of receivers") : 0;
    for (size_t r = 0; r < points->receivers; r++)
        out[r] = (struct look){0};
    for (size_t i = 0; code == 0 && i < texts->count; i++)
        code = read_one(points, texts->text[i], out, given, failure);
    free(given);
    return code;
}

/* A head that is turned, and none to turn. */
static int check_turn(const struct listening_request *request, struct failure *failure)
{
    const struct {
        const char *option;
        double degrees;
    } turn[] = {{"yaw", request->yaw}, {"pitch", request->pitch}, {"roll", request->roll}};
    for (size_t t = 0; request->head == NULL && t < sizeof turn / sizeof turn[0]; t++)
        if (turn[t].degrees != 0.0)
            return failure_set(failure, FAILURE_INPUT,
                               "--%s %g turns a head, and there is none: give --head FILE.sofa",
                               turn[t].option, turn[t].degrees);
    return 0;
}

int look_check(const struct listening_request *request, const struct room_points *points,
               struct failure *failure)
{
    TRY(check_turn(request, failure));
    if (request->look.count == 0)
        return 0;
    if (!request->ambisonics && request->head == NULL)
        return failure_set(failure, FAILURE_INPUT,
                           "--look %s orients a directional receiver: add --ambisonics",
                           request->look.text[0]);
    struct look *look = calloc(points->receivers + 1, sizeof *look);
    const int code = look == NULL ? failure_memory(failure, points->receivers * sizeof *look,
                                                   "the orientations of receivers")
                                  : look_read(request, points, look, failure);
    free(look);
    return code;
}

double look_azimuth_to(const double from[3], const double to[3])
{
    const double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2];
    if (!(hypot(x, y) > STRAIGHT_UP * fabs(z)))
        return NAN;
    const double degrees = atan2(y, x) * 180.0 / PI;
    return degrees < 0.0 ? fmod(degrees + 360.0, 360.0) : degrees;
}

size_t look_source(const struct look *look, const struct room_points *points, size_t source)
{
    return look->kind == LOOK_AT_AZIMUTH  ? points->sources
           : look->kind == LOOK_AT_SOURCE ? look->source
                                          : source;
}

double look_azimuth(const struct look *look, const struct room_points *points, size_t source, size_t receiver)
{
    const size_t at = look_source(look, points, source);
    if (at == points->sources)
        return look->azimuth;
    const double azimuth =
        look_azimuth_to(points->point[points->sources + receiver].position, points->point[at].position);
    return isnan(azimuth) ? 0.0 : azimuth;
}
