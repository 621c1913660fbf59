#include "src/base/name_index.h"
#include "src/setup/room_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/vector.h"
#include "rooms/text/table_text.h"
#include "src/base/options/option_values.h"
#include "src/setup/area/receiver_area.h"
#include "src/setup/receiver_grid.h"

static const char *kind_name(enum seed_kind kind)
{
    return kind == SEED_SOURCE ? "source" : "receiver";
}

/* A marker may have any name, a file may not. Runs of other characters become one _. */
static void file_name_of_marker(const char *name, char out[OPTION_NAME_MAX])
{
    size_t n = 0;
    for (; *name != '\0' && n + 1 < OPTION_NAME_MAX; name++) {
        const char c[2] = {*name, '\0'};
        if (option_name_is_valid(c))
            out[n++] = *name;
        else if (n == 0 || out[n - 1] != '_')
            out[n++] = '_';
    }
    out[n] = '\0';
}

static bool is_of(const struct mesh_marker *marker, enum seed_kind kind)
{
    return (marker->kind == MARKER_SOURCE) == (kind == SEED_SOURCE);
}

typedef char file_name[OPTION_NAME_MAX];

static size_t count_alike(const struct mesh *mesh, file_name *name, size_t count, enum seed_kind kind,
                          const char *wanted)
{
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        alike += is_of(&mesh->marker[i], kind) && strcasecmp(name[i], wanted) == 0;
    return alike;
}

/* The markers of a kind, as file names call them; `*out` is the caller's. Some disks do not distinguish
 * capitals from small letters, and different names may become the same here: the later one gets a number
 * then. */
static int name_markers(const struct mesh *mesh, enum seed_kind kind, file_name **out,
                        struct failure *failure)
{
    const size_t count = mesh->marker_count;
    file_name *name = *out = calloc(2 * count + 1, sizeof *name), *plain = name + count;
    if (name == NULL)
        return failure_memory(failure, 2 * count * sizeof *name, "names of positions");
    for (size_t i = 0; i < count; i++) {
        if (!is_of(&mesh->marker[i], kind))
            continue;
        file_name_of_marker(mesh->marker[i].name, plain[i]);
        file_name base;
        memcpy(base, plain[i], sizeof base);
        memcpy(name[i], base, sizeof base);
        const size_t alike = count_alike(mesh, plain, i, kind, plain[i]);
        size_t number = alike > 1 ? alike + 1 : 2;
        while (plain[i][0] != '\0' && count_alike(mesh, name, i, kind, name[i]) > 0)
            (void)snprintf(name[i], sizeof *name, "%.50s-%zu", base, number++);
    }
    return 0;
}

/* The marker that file names call `name`; FAILURE_INPUT lists those there are. */
static int find_marker(const struct mesh *mesh, file_name *names, enum seed_kind kind, const char *name,
                       const struct mesh_marker **out, struct failure *failure)
{
    char known[600] = "";
    for (size_t i = 0; i < mesh->marker_count; i++) {
        if (!is_of(&mesh->marker[i], kind))
            continue;
        if (strcmp(names[i], name) == 0) {
            *out = &mesh->marker[i];
            return 0;
        }
        text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "it has ", names[i]);
    }
    return failure_about(failure_set(failure, FAILURE_INPUT,
                                     "the model has no %s called %s (%s): give x,y,z[,name] in metres",
                                     kind_name(kind), name, known[0] != '\0' ? known : "it has none"),
                         failure, SUBJECT_POSITION, name);
}

/* Append the points of one kind; `given` by options, else those of the model. */
static int add_named(const struct mesh *mesh, file_name *names, const struct room_notices *notices,
                     enum seed_kind kind, const struct option_places *given, struct room_point *point,
                     size_t *added, struct failure *failure)
{
    size_t count = 0, markers = 0;
    bool named = false;
    int code = 0;
    for (size_t i = 0; i < mesh->marker_count; i++)
        markers += is_of(&mesh->marker[i], kind);
    for (size_t i = 0; i < given->count; i++)
        named |= given->place[i].of_model;
    if (given->count > 0 && markers > 0 && !named)
        room_say(notices, "the %zu %s%s of the model %s replaced by the %zu given", markers, kind_name(kind),
                 markers == 1 ? "" : "s", markers == 1 ? "is" : "are", given->count - given->below);
    for (size_t i = 0; i < given->count; i++) {
        struct room_point *at = &point[count++];
        *at = (struct room_point){.kind = kind};
        memcpy(at->position, given->place[i].position, sizeof at->position);
        memcpy(at->name, given->place[i].name, sizeof at->name);
        if (given->place[i].of_model) {
            const struct mesh_marker *marker = NULL;
            const struct option_place *asked = &given->place[i];
            ALSO(code, failure,
                 asked->file != NULL ? failure_at(find_marker(mesh, names, kind, at->name, &marker, &next),
                                                  &next, asked->file, asked->line)
                                     : find_marker(mesh, names, kind, at->name, &marker, &next));
            if (marker != NULL)
                memcpy(at->position, marker->position, sizeof at->position);
            at->of_model = true;
        }
    }
    for (size_t i = 0; given->count == 0 && i < mesh->marker_count; i++) {
        const struct mesh_marker *marker = &mesh->marker[i];
        if (!is_of(marker, kind))
            continue;
        struct room_point *at = &point[count++];
        *at = (struct room_point){.kind = kind, .of_model = true};
        memcpy(at->position, marker->position, sizeof at->position);
        memcpy(at->name, names[i], sizeof at->name);
        if (at->name[0] != '\0' && strcmp(at->name, marker->name) != 0)
            room_say(notices, "%s \"%s\" is called %s in file names", kind_name(kind), marker->name,
                     at->name);
    }
    for (size_t i = 0; i < count; i++)
        if (point[i].name[0] == '\0')
            snprintf(point[i].name, sizeof point[i].name, "%c%zu", kind == SEED_SOURCE ? 'S' : 'R', i + 1);
    *added = count;
    return code;
}

static int add_kind(const struct mesh *mesh, const struct room_notices *notices, enum seed_kind kind,
                    const struct option_places *given, struct room_point *point, size_t *added,
                    struct failure *failure)
{
    file_name *names = NULL;
    int code = name_markers(mesh, kind, &names, failure);
    if (code == 0)
        code = add_named(mesh, names, notices, kind, given, point, added, failure);
    free(names);
    return code;
}

/* A response is a file and a row of samples: more are a mistake, and are refused before they cost anything.
 */
#define SOURCES_MAX   1000
#define RECEIVERS_MAX 10000
#define PAIRS_MAX     100000

static int refuse_too_many(size_t sources, size_t receivers, struct failure *failure)
{
    if (sources > SOURCES_MAX)
        return failure_set(failure, FAILURE_INPUT, "there are %zu sources; the limit is %d: leave some out",
                           sources, SOURCES_MAX);
    if (receivers > RECEIVERS_MAX)
        return failure_set(failure, FAILURE_INPUT, "there are %zu receivers; the limit is %d: leave some out",
                           receivers, RECEIVERS_MAX);
    if (sources * receivers > PAIRS_MAX)
        return failure_set(
            failure, FAILURE_INPUT,
            "%zu sources and %zu receivers make %zu responses; the limit is %d: leave some out", sources,
            receivers, sources * receivers, PAIRS_MAX);
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* A receiver, or behind them a receiver grid. */
static const char *heard_name(const struct room_request *request, const struct room_points *points,
                              size_t index)
{
    return index < points->receivers ? points->point[points->sources + index].name
                                     : request->points.receiver_grid.grid[index - points->receivers].name;
}

static int refuse_name_twice(const char *what, const char *name, const char *other, struct failure *failure)
{
    const int code =
        strcmp(name, other) == 0
            ? failure_set(failure, FAILURE_INPUT, "two %ss are called %s: give them different names", what,
                          name)
            : failure_set(failure, FAILURE_INPUT,
                          "the %ss %s and %s have names that differ by capital letters only, and some disks "
                          "keep one file for both: give them different names",
                          what, name, other);
    return failure_about(code, failure, SUBJECT_POSITION, name);
}

/* Two points of a kind with one name (a receiver grid counts as a receiver), or two pairs that would share
 * one file. */
static int refuse_duplicates(const struct room_request *request, const struct room_points *points,
                             struct failure *failure)
{
    const size_t sources = points->sources, heard = points->receivers + request->points.receiver_grid.count;
    struct name_index index = {.ignore_case = true};
    int code = 0;
    for (size_t i = 0; code == 0 && i < sources; i++)
        code = name_index_add(&index, points->point[i].name, i, failure);
    name_index_sort(&index);
    for (size_t i = 0; code == 0 && i < sources; i++) {
        const size_t first = name_index_find(&index, points->point[i].name);
        if (first != i)
            code = refuse_name_twice(points->below > 0 ? "drum" : "source", points->point[first].name,
                                     points->point[i].name, failure);
    }
    name_index_free(&index);
    index.ignore_case = true;
    for (size_t i = 0; code == 0 && i < heard; i++)
        code = name_index_add(&index, heard_name(request, points, i), i, failure);
    name_index_sort(&index);
    for (size_t i = 0; code == 0 && i < heard; i++) {
        const size_t first = name_index_find(&index, heard_name(request, points, i));
        if (first != i)
            code = refuse_name_twice(i < points->receivers ? "receiver" : "receivers or receiver grid",
                                     heard_name(request, points, first), heard_name(request, points, i),
                                     failure);
    }
    name_index_free(&index);
    TRY(code);
    if (sources == 0 || heard == 0)
        return 0;
    /* The mono response of every pair, and the directional ones next to it. */
    static const char *const kind[] = {"", "_ambix", "_binaural"};
    const size_t kinds = room_has_gradients(request) ? sizeof kind / sizeof *kind : 1;
    const size_t pairs = sources * heard * kinds;
    char(*name)[2 * OPTION_NAME_MAX + 16] = calloc(pairs, sizeof *name);
    const char **order = calloc(pairs, sizeof *order);
    if (name == NULL || order == NULL)
        code = failure_memory(failure, pairs * sizeof *name, "names of files");
    for (size_t p = 0; code == 0 && p < pairs; p++) {
        snprintf(name[p], sizeof *name, "%s_%s%s", points->point[p / kinds / heard].name,
                 heard_name(request, points, p / kinds % heard), kind[p % kinds]);
        order[p] = name[p];
    }
    if (code == 0)
        qsort(order, pairs, sizeof *order, compare_names);
    for (size_t p = 1; code == 0 && p < pairs; p++)
        if (strcasecmp(order[p - 1], order[p]) == 0)
            code = failure_set(
                failure, FAILURE_INPUT,
                "two pairs of source and receiver would both be written to ir_%s.wav: change a name",
                order[p]);
    free(order);
    free(name);
    return code;
}

/* Nearer receivers would get the grid's value at the source itself, which depends little on the room. */
#define SAME_PLACE 1e-3 /* [m] */

static int refuse_same_place(const struct room_points *points, struct failure *failure)
{
    for (size_t s = 0; s < points->sources; s++)
        for (size_t r = points->sources; r < points->sources + points->receivers; r++) {
            const double *from = points->point[s].position, *to = points->point[r].position;
            char place[ROOM_PLACE_MAX];
            if (vector_distance(from, to) < SAME_PLACE)
                return failure_set(failure, FAILURE_INPUT,
                                   "source %s and receiver %s are at the same place, %s, where the level is "
                                   "infinite: move one of them by more than %g m",
                                   points->point[s].name, points->point[r].name, room_place(from, place),
                                   SAME_PLACE);
        }
    return 0;
}

void room_points_audience(const struct room_model *model, struct point_request *request)
{
    static struct option_grid audience = {.name = "audience"};
    const struct mesh *mesh = &model->mesh;
    struct receiver_area area = {0};
    bool heard = request->receiver.count > 0 || request->receiver_grid.count > 0 ||
                 request->receiver_grid.none || !request->audience;
    for (size_t i = 0; i < mesh->marker_count; i++)
        heard |= is_of(&mesh->marker[i], SEED_RECEIVER);
    if (!heard && receiver_area_make(mesh, &audience, &area, NULL) == 0) {
        request->receiver_grid = (struct option_grids){.by_itself = true, .count = 1, .grid = &audience};
        request->place_receiver = true;
    }
    receiver_area_free(&area);
}

int room_points_collect(const struct room_request *request, const struct room_model *model,
                        const struct room_notices *notices, struct room_points *out, struct failure *failure)
{
    const struct point_request *asked = &request->points;
    const size_t most = asked->source.count + asked->receiver.count + model->mesh.marker_count +
                        request->radiation.together.count + request->listening.dummy_head.count;
    /* Two more: a source and a receiver that may be placed automatically. */
    *out = (struct room_points){.point = calloc(most + 2, sizeof *out->point)};
    if (out->point == NULL)
        return failure_memory(failure, (most + 2) * sizeof *out->point, "sources and receivers");
    int code = 0;
    ALSO(code, failure,
         add_kind(&model->mesh, notices, SEED_SOURCE, &asked->source, out->point, &out->sources, &next));
    out->below = asked->source.below;
    for (size_t s = 0; code == 0 && out->below > 0 && s < out->sources; s++)
        out->point[s].noun = s < room_points_named(out) ? "the air above drum" : "the air below drum";
    ALSO(code, failure,
         add_kind(&model->mesh, notices, SEED_RECEIVER, &asked->receiver, out->point + out->sources,
                  &out->receivers, &next));
    if (code != 0)
        return code;
    const bool heard = out->receivers > 0 || asked->receiver_grid.count > 0;
    if (request->model.complete && (out->sources == 0 || !heard)) {
        failure_set(failure, FAILURE_INPUT,
                    "there is no %s inside x %.4g..%.4g, y %.4g..%.4g, z %.4g..%.4g m, where the model is",
                    out->sources == 0 ? "source" : "receiver", model->low[0], model->high[0], model->low[1],
                    model->high[1], model->low[2], model->high[2]);
        return failure_advise(FAILURE_INPUT, failure,
                              out->sources == 0 ? ADVICE_PLACE_SOURCE : ADVICE_PLACE_RECEIVER, 0);
    }
    return room_points_check(request, out, failure);
}

int room_points_check(const struct room_request *request, const struct room_points *points,
                      struct failure *failure)
{
    TRY(refuse_too_many(points->sources, points->receivers, failure));
    return refuse_duplicates(request, points, failure);
}

int room_points_print(const struct room_request *request, const struct room_points *points,
                      const struct room_notices *notices, struct failure *failure)
{
    if (request->model.complete && !request->points.source_walks)
        TRY(refuse_same_place(points, failure));
    for (size_t i = 0; i < points->sources + points->receivers; i++) {
        const struct room_point *point = &points->point[i];
        char place[ROOM_PLACE_MAX];
        if (!point->group && point->noun == NULL) /* source_directions_print(), play_place() */
            room_say(notices, "%s %s at %s%s", kind_name(point->kind), point->name,
                     room_place(point->position, place), point->of_model ? " (of the model)" : "");
    }
    for (size_t h = 0; h < points->heads; h++) {
        const struct dummy_head *head = &points->head[h];
        char place[ROOM_PLACE_MAX];
        room_say(notices, "dummy head %s at %s, of a radius of %.3g m, looks towards %.4g degrees",
                 head->name, room_place(head->position, place), head->radius, head->azimuth);
    }
    return 0;
}

/* All points of a floor; where these are too many to be listed, as many as a grid keeps at most. Of an
 * audience's, what is above all others in a square is the ceiling. */
static double count_floor(const struct point_request *request, const struct option_grid *asked,
                          const struct receiver_area *area)
{
    struct floor_point *point = NULL;
    size_t count = 0;
    const size_t most =
        receiver_grid_spacing_given(request, asked) ? RECEIVER_GRID_POINTS_MAX : AUDIENCE_POINTS;
    const int code = receiver_area_points(area, receiver_grid_spacing(request, asked), &point, &count, NULL);
    const size_t all = count;
    for (size_t i = 1; code == 0 && i < all && asked->material == NULL && asked->corners == 0; i++)
        count -= point[i - 1].row == point[i].row && point[i - 1].column == point[i].column &&
                 (i + 1 == all || point[i + 1].row != point[i].row || point[i + 1].column != point[i].column);
    free(point);
    return (double)(code != 0 || count > most ? most : count);
}

int room_points_floors(const struct point_request *request, const struct room_model *model,
                       struct room_points *points, struct failure *failure)
{
    const struct option_grids *asked = &request->receiver_grid;
    int code = 0;
    points->floor_points = points->floor_most = 0;
    for (size_t g = 0; g < asked->count; g++) {
        const struct option_grid *grid = &asked->grid[g];
        struct receiver_area area = {0};
        ALSO(code, failure, receiver_area_make(&model->mesh, grid, &area, &next));
        const double floor = area.count > 0 ? count_floor(request, grid, &area) : 0;
        points->floor_points += floor;
        points->floor_most = fmax(points->floor_most, floor);
        receiver_area_free(&area);
    }
    return code;
}

size_t room_points_find(const struct room_point *point, size_t count, const char *name, size_t length)
{
    size_t i = 0;
    while (i < count && (strlen(point[i].name) != length || memcmp(point[i].name, name, length) != 0))
        i++;
    return i;
}

const char *room_points_list(const struct room_point *point, size_t count, char text[ROOM_POINTS_LIST])
{
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        text_append(text, ROOM_POINTS_LIST, "%s%s", i == 0 ? "" : ", ", point[i].name);
    return text;
}

/* ---- dummy heads ---- */

#define LEFT "_left"

const struct dummy_head *room_points_head(const struct room_points *points, const char *name, size_t length)
{
    for (size_t h = 0; h < points->heads; h++)
        if (strlen(points->head[h].name) == length && memcmp(points->head[h].name, name, length) == 0)
            return &points->head[h];
    return NULL;
}

size_t room_points_left_ear(const struct room_points *points, const struct dummy_head *head)
{
    char name[OPTION_NAME_MAX + sizeof LEFT];
    (void)snprintf(name, sizeof name, "%s" LEFT, head->name);
    return room_points_find(points->point + points->sources, points->receivers, name, strlen(name));
}

const struct dummy_head *room_points_head_of(const struct room_points *points, size_t receiver)
{
    for (size_t h = 0; h < points->heads; h++) {
        const size_t left = room_points_left_ear(points, &points->head[h]);
        if (receiver == left || receiver == left + 1)
            return &points->head[h];
    }
    return NULL;
}

int room_points_give_ears(struct room_points *points, struct dummy_head *heads, size_t count,
                          struct failure *failure)
{
    static const char *const ear[] = {LEFT, "_right"};
    struct room_point *const receiver = points->point + points->sources;
    points->head = heads;
    points->heads = count;
    for (size_t h = 0; h < count; h++) {
        char both[OPTION_NAME_MAX + 16];
        const size_t at = room_points_find(receiver, points->receivers, heads[h].name, strlen(heads[h].name));
        struct room_point *const left = &receiver[at];
        (void)snprintf(both, sizeof both, "%s_binaural", heads[h].name);
        if (room_points_find(receiver, points->receivers, both, strlen(both)) < points->receivers)
            return failure_set(
                failure, FAILURE_INPUT,
                "a receiver %s would be written to the file of the dummy head %s: change a name", both,
                heads[h].name);
        memmove(left + 1, left, (points->receivers - at) * sizeof *left);
        points->receivers++;
        for (int e = 0; e < 2; e++) {
            left[e] = (struct room_point){.kind = SEED_RECEIVER};
            (void)snprintf(left[e].name, sizeof left[e].name, "%.*s%s", OPTION_NAME_MAX - 8, heads[h].name,
                           ear[e]);
            memcpy(left[e].position, heads[h].ear[e], sizeof left[e].position);
        }
    }
    return 0;
}

size_t room_points_named(const struct room_points *points)
{
    return points->sources - points->below;
}

size_t room_points_runs(const struct room_points *points)
{
    size_t runs = 0;
    for (size_t s = 0; s < points->sources; s++)
        runs += points->point == NULL || !points->point[s].member; /* of a plan there may be numbers alone */
    return runs;
}

void room_points_free(struct room_points *points)
{
    free(points->point);
    free(points->head);
    *points = (struct room_points){0};
}

bool room_has_gradients(const struct room_request *request)
{
    return request->listening.ambisonics || request->listening.head != NULL;
}
