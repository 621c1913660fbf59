#include "src/setup/source_directions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "rooms/text/table_text.h"
#include "geometry/base/byte_hash.h"
#include "src/base/options/option_values.h"
#include "src/base/path_text.h"
#include "src/setup/radiation/clf_pattern.h"
#include "src/setup/radiation/pattern_drive.h"
#include "src/setup/radiation/sofa_pattern.h"

#define PI 3.14159265358979323846

#define PLACE_MOST 1e6    /* coordinate of an aim [m] */
#define GAIN_MOST  60.0   /* of a member, either way [dB] */
#define DELAY_MOST 1000.0 /* of a member [ms] */
#define SAME_PLACE 1e-6   /* a source and its aim [m] */

/* Numbers joined by commas and nothing else: how many, at most `most`; 0 where it is anything else. */
static size_t read_numbers(const char *text, double *value, size_t most)
{
    size_t count = 0;
    for (const char *at = text; count < most; at++) {
        char *end;
        if (!((*at >= '0' && *at <= '9') || *at == '-' || *at == '+' || *at == '.'))
            return 0;
        value[count] = strtod(at, &end);
        if (end == at || !isfinite(value[count]))
            return 0;
        count++;
        at = end;
        if (*at == '\0')
            return count;
        if (*at != ',')
            return 0;
    }
    return 0;
}

/* ---- sounding together --------------------------------------------------------------------------------- */

/* "S1", "S1:-3" or "S1:-3:2.5", up to `end`. */
static int read_member(const struct room_points *points, const char *text, const char *end,
                       struct source_member *out, struct failure *failure)
{
    char name[OPTION_NAME_MAX + 80], known[400], *colon;
    if ((size_t)(end - text) >= sizeof name)
        return failure_set(failure, FAILURE_INPUT, "%.60s.. is longer than a source's name", text);
    memcpy(name, text, (size_t)(end - text));
    name[end - text] = '\0';
    double value[2] = {0.0, 0.0};
    char *field = strchr(name, ':');
    if (field != NULL)
        *field++ = '\0';
    for (int n = 0; field != NULL; n++) {
        colon = strchr(field, ':');
        if (colon != NULL)
            *colon++ = '\0';
        if (n == 2 || read_numbers(field, &value[n], 1) != 1)
            return failure_set(
                failure, FAILURE_INPUT,
                "%s is not a %s: a source is followed by its gain in dB and its delay in ms, as in %s:-3:2.5",
                field, n == 0 ? "gain in dB" : "delay in ms", name);
        field = colon;
    }
    if (!(fabs(value[0]) <= GAIN_MOST))
        return failure_set(failure, FAILURE_INPUT, "the gain of %s is %g dB; from %g to %g dB are taken",
                           name, value[0], -GAIN_MOST, GAIN_MOST);
    if (!(value[1] >= 0.0 && value[1] <= DELAY_MOST))
        return failure_set(failure, FAILURE_INPUT, "the delay of %s is %g ms; from 0 to %g ms are taken",
                           name, value[1], DELAY_MOST);
    out->source = room_points_find(points->point, points->sources, name, strlen(name));
    if (out->source == points->sources)
        return failure_set(failure, FAILURE_INPUT, "no source is called %s; there are %s", name,
                           room_points_list(points->point, points->sources, known));
    out->gain = pow(10.0, value[0] / 20.0);
    out->delay = 1e-3 * value[1];
    return 0;
}

/* The members of one text into `member` (at most `most`). */
static int read_group(const struct room_points *points, const char *text, struct source_member *member,
                      size_t most, size_t *count, struct failure *failure)
{
    const char *at = strchr(text, '=');
    *count = 0;
    if (at == NULL || at == text || at[1] == '\0')
        return failure_set(failure, FAILURE_INPUT, "expected NAME=SOURCE[:GAIN[:DELAY]],SOURCE..");
    while (at != NULL) {
        const char *from = at + 1, *end = strchr(from, ',');
        struct source_member found;
        TRY(read_member(points, from, end != NULL ? end : from + strlen(from), &found, failure));
        if (points->point[found.source].group)
            return failure_set(failure, FAILURE_INPUT, "%s is itself several sources",
                               points->point[found.source].name);
        for (size_t m = 0; m < *count; m++)
            if (member[m].source == found.source)
                return failure_set(failure, FAILURE_INPUT, "%s is in it twice",
                                   points->point[found.source].name);
        if (*count == most)
            return failure_set(failure, FAILURE_INPUT, "more than %zu sources are in it", most);
        member[(*count)++] = found;
        at = end;
    }
    return 0;
}

static int collect_one(const char *text, struct room_points *points, struct failure *failure)
{
    const char *at = strchr(text, '=');
    struct source_member *member = calloc(points->sources + 1, sizeof *member);
    struct room_point group = {.kind = SEED_SOURCE, .group = true};
    size_t count = 0;
    if (member == NULL)
        return failure_memory(failure, points->sources * sizeof *member, "sources that sound together");
    int code = read_group(points, text, member, points->sources, &count, failure);
    for (size_t m = 0; code == 0 && m < count; m++)
        if (points->point[member[m].source].member)
            code = failure_set(failure, FAILURE_INPUT, "%s sounds together with others already",
                               points->point[member[m].source].name);
    if (code == 0) {
        (void)snprintf(group.name, sizeof group.name, "%.*s", (int)(at - text), text);
        if ((size_t)(at - text) >= sizeof group.name || !option_name_is_valid(group.name))
            code = failure_set(failure, FAILURE_INPUT,
                               "%.*s is not a name: it needs 1 to 63 letters, digits, _ or -, because it "
                               "goes into file names",
                               (int)(at - text), text);
    }
    if (code == 0) {
        memcpy(group.position, points->point[member[0].source].position, sizeof group.position);
        for (size_t m = 0; m < count; m++)
            points->point[member[m].source].member = true;
        memmove(points->point + points->sources + 1, points->point + points->sources,
                points->receivers * sizeof *points->point);
        points->point[points->sources++] = group;
    }
    free(member);
    return code;
}

int source_groups_collect(const struct option_texts *texts, struct room_points *points,
                          struct failure *failure)
{
    for (size_t i = 0; i < texts->count; i++) {
        struct failure why = {0};
        if (collect_one(texts->text[i], points, &why) != 0)
            return option_text_refuse(texts, i, &why, failure);
    }
    return 0;
}

/* ---- directions ---------------------------------------------------------------------------------------- */

void source_directions_free(struct source_directions *directions)
{
    for (size_t s = 0; s < directions->count; s++) {
        pattern_free(&directions->of[s].pattern);
        free(directions->of[s].member);
    }
    free(directions->of);
    *directions = (struct source_directions){0};
}

/* The source of "NAME=..", and the text after the sign. */
static int read_name(const struct room_points *points, const char *text, const char *expected, size_t *source,
                     const char **value, struct failure *failure)
{
    const char *at = strchr(text, '=');
    char known[ROOM_POINTS_LIST];
    if (at == NULL || at[1] == '\0')
        return failure_set(failure, FAILURE_INPUT, "expected NAME=%s, NAME being a source's", expected);
    *source = room_points_find(points->point, points->sources, text, (size_t)(at - text));
    *value = at + 1;
    if (*source == points->sources)
        return failure_set(failure, FAILURE_INPUT, "no source is called %.*s; there are %s", (int)(at - text),
                           text, room_points_list(points->point, points->sources, known));
    if (points->point[*source].group)
        return failure_set(failure, FAILURE_INPUT,
                           "%s is several sources that sound together: give each its own",
                           points->point[*source].name);
    return 0;
}

static int read_file(const char *path, struct source_direction *out, struct failure *failure)
{
    TRY(path_ends_with(path, ".sofa") ? sofa_pattern_read(path, &out->pattern, failure)
                                      : clf_pattern_read(path, &out->pattern, failure));
    return hash_file(path, &out->hash, failure);
}

static int read_pattern(const struct room_points *points, const char *text, struct source_directions *out,
                        struct failure *failure)
{
    size_t source;
    const char *value;
    TRY(read_name(points, text, "omni, voice, cardioid or a file", &source, &value, failure));
    struct source_direction *direction = &out->of[source];
    if (direction->what != NULL)
        return failure_set(failure, FAILURE_INPUT, "the directivity of %s is given twice",
                           points->point[source].name);
    direction->what = value;
    if (strcmp(value, "omni") == 0)
        return 0;
    if (strcmp(value, "voice") == 0)
        return pattern_make_voice(&direction->pattern, failure);
    if (strcmp(value, "cardioid") == 0)
        return pattern_make_cardioid(&direction->pattern, failure);
    static const char *const ending[] = {".sofa", ".tab", ".txt", ".clf", ".cf1", ".cf2", ".CF1", ".CF2"};
    for (size_t e = 0; e < sizeof ending / sizeof *ending; e++)
        if (path_ends_with(value, ending[e]))
            return read_file(value, direction, failure);
    return failure_set(
        failure, FAILURE_INPUT,
        "%s is not a directivity: give omni, voice, cardioid, a SOFA file (.sofa) or a text of "
        "CLF (.tab, .txt, .clf)",
        value);
}

static int check_aim(const struct room_point *source, const double at[3], struct failure *failure)
{
    char place[ROOM_PLACE_MAX];
    if (vector_distance(source->position, at) > SAME_PLACE)
        return 0;
    return failure_set(failure, FAILURE_INPUT, "%s is at %s and cannot be aimed at its own position",
                       source->name, room_place(source->position, place));
}

static int read_aim(const struct room_points *points, const char *text, struct source_directions *out,
                    struct failure *failure)
{
    size_t source;
    const char *value;
    double number[3];
    char known[ROOM_POINTS_LIST];
    TRY(read_name(points, text, "AZIMUTH[,ELEVATION] in degrees, X,Y,Z in metres or a receiver", &source,
                  &value, failure));
    struct source_direction *direction = &out->of[source];
    if (!source_has_direction(direction))
        return failure_set(failure, FAILURE_INPUT,
                           "%s is omnidirectional, and cannot be aimed: give it a directivity",
                           points->point[source].name);
    if (direction->aim != AIM_RECEIVERS)
        return failure_set(failure, FAILURE_INPUT, "the aim of %s is given twice",
                           points->point[source].name);
    const size_t receiver =
        room_points_find(points->point + points->sources, points->receivers, value, strlen(value));
    const size_t count = receiver < points->receivers ? 3 : read_numbers(value, number, 3);
    if (count == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "%s is neither an azimuth with or without an elevation in degrees, nor a place "
                           "x,y,z in metres, nor a receiver (%s)",
                           value,
                           points->receivers > 0
                               ? room_points_list(points->point + points->sources, points->receivers, known)
                               : "there is none");
    direction->aim = count == 3 ? AIM_PLACE : AIM_FRONT;
    if (receiver < points->receivers) {
        memcpy(direction->at, points->point[points->sources + receiver].position, sizeof direction->at);
        return check_aim(&points->point[source], direction->at, failure);
    }
    for (size_t k = 0; count == 3 && k < 3; k++) {
        if (!(fabs(number[k]) <= PLACE_MOST))
            return failure_set(failure, FAILURE_INPUT, "%g m is farther than %g m", number[k], PLACE_MOST);
        direction->at[k] = number[k];
    }
    if (count == 3)
        return check_aim(&points->point[source], direction->at, failure);
    const double azimuth = number[0], elevation = count == 2 ? number[1] : 0.0;
    if (!(fabs(azimuth) <= 360.0 && fabs(elevation) <= 90.0))
        return failure_set(failure, FAILURE_INPUT,
                           "an azimuth is from -360 to 360 degrees, an elevation from -90 to 90");
    direction->at[0] = cos(elevation * PI / 180.0) * cos(azimuth * PI / 180.0);
    direction->at[1] = cos(elevation * PI / 180.0) * sin(azimuth * PI / 180.0);
    direction->at[2] = sin(elevation * PI / 180.0);
    return 0;
}

/* Read a group again, which source_groups_collect() has checked: its list is kept here. */
static int read_together(const struct room_points *points, const char *text, struct source_directions *out,
                         struct failure *failure)
{
    const size_t group =
        room_points_find(points->point, points->sources, text, (size_t)(strchr(text, '=') - text));
    struct source_direction *direction = &out->of[group];
    direction->member = calloc(points->sources, sizeof *direction->member);
    if (direction->member == NULL)
        return failure_memory(failure, points->sources * sizeof *direction->member,
                              "sources that sound together");
    return read_group(points, text, direction->member, points->sources, &direction->members, failure);
}

static int read_each(const struct option_texts *texts, const struct room_points *points,
                     int (*read)(const struct room_points *points, const char *text,
                                 struct source_directions *out, struct failure *failure),
                     struct source_directions *out, struct failure *failure)
{
    for (size_t i = 0; i < texts->count; i++) {
        struct failure why = {0};
        if (read(points, texts->text[i], out, &why) != 0)
            return option_text_refuse(texts, i, &why, failure);
    }
    return 0;
}

/* Check the number of taps: a run has room for no more. */
static int check_taps(const struct source_directions *directions, const struct room_points *points,
                      struct failure *failure)
{
    for (size_t s = 0; s < directions->count; s++) {
        const struct source_direction *direction = &directions->of[s];
        size_t taps = 0;
        for (size_t m = 0; m < direction->members; m++)
            taps += source_channels(&directions->of[direction->member[m].source]);
        if (taps > RESPONSE_DRIVES_MOST)
            return failure_set(failure, FAILURE_INPUT,
                               "%s drives %zu taps at once, 1, 4 or %d for each of its %zu sources by its "
                               "directivity; a run has %d at most: make several groups of it, and add up "
                               "their responses",
                               points->point[s].name, taps, HARMONICS, direction->members,
                               RESPONSE_DRIVES_MOST);
    }
    return 0;
}

/* For responses of `duration` [s]; 0: automatic. */
static int check_delays(const struct source_directions *directions, const struct room_points *points,
                        double duration, struct failure *failure)
{
    for (size_t s = 0; duration > 0.0 && s < directions->count; s++)
        for (size_t m = 0; m < directions->of[s].members; m++) {
            const struct source_member *member = &directions->of[s].member[m];
            if (member->delay >= duration)
                return failure_set(failure, FAILURE_INPUT,
                                   "%s in %s is delayed by %g ms, but the responses end after %g ms: use a "
                                   "longer duration or a shorter delay",
                                   points->point[member->source].name, points->point[s].name,
                                   1e3 * member->delay, 1e3 * duration);
        }
    return 0;
}

int source_directions_read(const struct radiation_request *request, const struct room_points *points,
                           double duration, struct source_directions *out, struct failure *failure)
{
    /* A source may still be placed automatically if there is none. */
    *out = (struct source_directions){.count = points->sources > 0 ? points->sources : 1};
    out->of = calloc(out->count, sizeof *out->of);
    if (out->of == NULL)
        return failure_memory(failure, out->count * sizeof *out->of, "the directivity of sources");
    TRY(read_each(&request->directivity, points, read_pattern, out, failure));
    TRY(read_each(&request->aim, points, read_aim, out, failure));
    TRY(read_each(&request->together, points, read_together, out, failure));
    TRY(check_taps(out, points, failure));
    return check_delays(out, points, duration, failure);
}

static void print_group(const struct source_direction *direction, const char *name,
                        const struct room_points *points, const struct room_notices *notices)
{
    char text[600] = "";
    for (size_t m = 0; m < direction->members; m++) {
        const struct source_member *member = &direction->member[m];
        text_append(text, sizeof text, "%s%s", m == 0 ? "" : ", ", points->point[member->source].name);
        if (member->gain != 1.0 || member->delay != 0.0)
            text_append(text, sizeof text, " (%+.3g dB, %.4g ms)", 20.0 * log10(member->gain),
                        1e3 * member->delay);
    }
    room_say(notices, "source %s is %s at once", name, text);
}

void source_directions_print(const struct source_directions *directions, const struct room_points *points,
                             const struct room_notices *notices)
{
    for (size_t s = 0; s < directions->count && s < points->sources; s++) {
        const struct source_direction *direction = &directions->of[s];
        const char *name = points->point[s].name;
        char place[ROOM_PLACE_MAX];
        if (direction->members > 0)
            print_group(direction, name, points, notices);
        if (!source_has_direction(direction))
            continue;
        if (direction->aim == AIM_FRONT)
            room_say(notices, "source %s has the directivity %s, aimed along %.3f, %.3f, %.3f", name,
                     direction->what, direction->at[0], direction->at[1], direction->at[2]);
        else
            room_say(notices, "source %s has the directivity %s, aimed at %s", name, direction->what,
                     direction->aim == AIM_PLACE ? room_place(direction->at, place)
                                                 : "the middle of the receivers");
        if (isfinite(direction->pattern.carried))
            room_say(notices,
                     "source %s: from %.4g Hz on, spherical harmonics of order %d do not represent %s within "
                     "%g dB",
                     name, direction->pattern.carried, HARMONICS_ORDER, direction->what, PATTERN_WITHIN);
    }
}

bool source_has_direction(const struct source_direction *direction)
{
    return direction->pattern.lines > 0;
}

size_t source_channels(const struct source_direction *direction)
{
    const struct pattern *pattern = &direction->pattern;
    if (direction->members > 0 || pattern->lines == 0)
        return direction->members > 0 ? 0 : 1;
    for (size_t l = 0; l < pattern->lines; l++)
        for (int i = 4; i < HARMONICS; i++)
            if (pattern->harmonic[l][i] != 0.0)
                return HARMONICS;
    return 4;
}

size_t source_first_channel(const struct source_directions *directions, size_t source)
{
    size_t first = 0;
    for (size_t s = 0; s < source; s++)
        first += s < directions->count ? source_channels(&directions->of[s]) : 1;
    return first;
}

size_t source_longer_lead(const struct source_directions *directions, size_t source,
                          const struct time_step *step, double fmax)
{
    if (source >= directions->count)
        return 0;
    const struct source_direction *direction = &directions->of[source];
    size_t most = pattern_drive_lead(step, fmax, &direction->pattern);
    for (size_t m = 0; m < direction->members; m++) {
        const size_t one = source_longer_lead(directions, direction->member[m].source, step, fmax);
        most = one > most ? one : most;
    }
    return most;
}

static double drives_bytes(const struct source_directions *directions, size_t source,
                           const struct time_step *step, double fmax)
{
    const struct source_direction *direction = &directions->of[source];
    const struct source_member alone = {.source = source};
    const size_t members = direction->members > 0 ? direction->members : 1;
    struct pattern_drive drive = {.step = *step,
                                  .fmax = fmax,
                                  .lead = response_lead(step, fmax) +
                                          source_longer_lead(directions, source, step, fmax)};
    double samples = 0;
    if (direction->members == 0 && !source_has_direction(direction))
        return 0;
    for (size_t m = 0; m < members; m++) {
        const struct source_member *member = direction->members > 0 ? &direction->member[m] : &alone;
        drive.delay = member->delay;
        samples +=
            (double)source_channels(&directions->of[member->source]) * (double)pattern_drive_count(&drive);
    }
    return samples * (double)sizeof(double);
}

double source_drives_bytes(const struct source_directions *directions, const struct time_step *step,
                           double fmax)
{
    double most = 0;
    for (size_t s = 0; s < directions->count; s++)
        most = larger(most, drives_bytes(directions, s, step, fmax));
    return most;
}

double source_latest(const struct source_directions *directions)
{
    double latest = 0.0;
    for (size_t s = 0; s < directions->count; s++)
        for (size_t m = 0; m < directions->of[s].members; m++)
            latest = fmax(latest, directions->of[s].member[m].delay);
    return latest;
}

void source_front(const struct source_direction *direction, const double position[3], const double middle[3],
                  double front[3])
{
    const double *place = direction->aim == AIM_PLACE ? direction->at : middle;
    const double distance = vector_distance(position, place);
    for (int k = 0; k < 3; k++)
        front[k] = direction->aim == AIM_FRONT ? direction->at[k]
                   : distance > SAME_PLACE     ? (place[k] - position[k]) / distance
                                               : (double)(k == 0);
}
