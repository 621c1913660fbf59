/** Where sound is made and heard: --source and --receiver, or the markers of the model. */
#include "src/setup/room_setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/setup/look.h"

static const char *kind_name(enum seed_kind kind)
{
    return kind == SEED_SOURCE ? "source" : "receiver";
}

/* A marker may be called anything; what goes into file names may not. Runs of other characters become one _.
 */
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

static size_t markers_of_kind(const struct mesh *mesh, enum seed_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < mesh->marker_count; i++)
        count += (mesh->marker[i].kind == MARKER_SOURCE) == (kind == SEED_SOURCE);
    return count;
}

/* The marker that file names call `name`; FAILURE_INPUT lists those there are. */
static int find_marker(const struct mesh *mesh, enum seed_kind kind, const char *name,
                       const struct mesh_marker **out, struct failure *failure)
{
    char known[600] = "";
    for (size_t i = 0; i < mesh->marker_count; i++) {
        char file_name[OPTION_NAME_MAX];
        if ((mesh->marker[i].kind == MARKER_SOURCE) != (kind == SEED_SOURCE))
            continue;
        file_name_of_marker(mesh->marker[i].name, file_name);
        if (strcmp(file_name, name) == 0) {
            *out = &mesh->marker[i];
            return 0;
        }
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", file_name);
    }
    return failure_set(failure, FAILURE_INPUT,
                       "--%s %s: the model has no %s of that name (%s%s): give x,y,z[,name] in metres",
                       kind_name(kind), name, kind_name(kind), known[0] != '\0' ? "it has " : "it has none",
                       known);
}

/* Append the points of one kind; `given` by options, else those of the model. */
static int add_kind(struct room_setup *setup, enum seed_kind kind, const struct option_places *given,
                    struct room_point *point, size_t *added, struct failure *failure)
{
    size_t count = 0;
    const size_t markers = markers_of_kind(&setup->mesh, kind);
    bool named = false;
    for (size_t i = 0; i < given->count; i++)
        named |= given->place[i].of_model;
    if (given->count > 0 && markers > 0 && !named)
        room_say(setup, "the %zu %s%s of the model give%s way to --%s", markers, kind_name(kind),
                 markers == 1 ? "" : "s", markers == 1 ? "s" : "", kind_name(kind));
    for (size_t i = 0; i < given->count; i++) {
        struct room_point *at = &point[count++];
        *at = (struct room_point){.kind = kind};
        memcpy(at->position, given->place[i].position, sizeof at->position);
        memcpy(at->name, given->place[i].name, sizeof at->name);
        if (given->place[i].of_model) {
            const struct mesh_marker *marker = NULL;
            TRY(find_marker(&setup->mesh, kind, at->name, &marker, failure));
            memcpy(at->position, marker->position, sizeof at->position);
            at->of_model = true;
        }
    }
    for (size_t i = 0; given->count == 0 && i < setup->mesh.marker_count; i++) {
        const struct mesh_marker *marker = &setup->mesh.marker[i];
        if ((marker->kind == MARKER_SOURCE) != (kind == SEED_SOURCE))
            continue;
        struct room_point *at = &point[count++];
        *at = (struct room_point){.kind = kind, .of_model = true};
        memcpy(at->position, marker->position, sizeof at->position);
        file_name_of_marker(marker->name, at->name);
        if (at->name[0] != '\0' && strcmp(at->name, marker->name) != 0)
            room_say(setup, "%s \"%s\" is called %s in file names", kind_name(kind), marker->name, at->name);
    }
    for (size_t i = 0; i < count; i++)
        if (point[i].name[0] == '\0')
            snprintf(point[i].name, sizeof point[i].name, "%c%zu", kind == SEED_SOURCE ? 'S' : 'R', i + 1);
    *added = count;
    return 0;
}

/* A response is a file and a row of samples: more are a mistake, and are to be told before they cost
 * anything.
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
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A receiver, or behind them a receiver grid. */
static const char *heard_name(const struct room_setup *setup, size_t index)
{
    return index < setup->receivers ? setup->point[setup->sources + index].name
                                    : setup->options->receiver_grid.grid[index - setup->receivers].name;
}

static int refuse_name_twice(const char *what, const char *name, struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT, "two %ss are called %s: give them different names", what,
                       name);
}

/* Two points of a kind with one name (a receiver grid counts as a receiver), or two pairs that would share
 * one file. */
static int refuse_duplicates(const struct room_setup *setup, struct failure *failure)
{
    const size_t sources = setup->sources, heard = setup->receivers + setup->options->receiver_grid.count;
    for (size_t i = 0; i < sources; i++)
        for (size_t j = i + 1; j < sources; j++)
            if (strcmp(setup->point[i].name, setup->point[j].name) == 0)
                return refuse_name_twice("source", setup->point[i].name, failure);
    for (size_t i = 0; i < heard; i++)
        for (size_t j = i + 1; j < heard; j++)
            if (strcmp(heard_name(setup, i), heard_name(setup, j)) == 0)
                return refuse_name_twice(j < setup->receivers ? "receiver" : "receivers or receiver grid",
                                         heard_name(setup, i), failure);
    if (sources == 0 || heard == 0)
        return 0;
    /* Of every pair the mono response and those that --ambisonics puts beside it. */
    static const char *const kind[] = {"", "_ambix", "_binaural"};
    const size_t kinds =
        setup->options->ambisonics || setup->options->head != NULL ? sizeof kind / sizeof *kind : 1;
    const size_t pairs = sources * heard * kinds;
    char(*name)[2 * OPTION_NAME_MAX + 16] = calloc(pairs, sizeof *name);
    const char **order = calloc(pairs, sizeof *order);
    int code = 0;
    if (name == NULL || order == NULL)
        code = failure_memory(failure, pairs * sizeof *name, "names of files");
    for (size_t p = 0; code == 0 && p < pairs; p++) {
        snprintf(name[p], sizeof *name, "%s_%s%s", setup->point[p / kinds / heard].name,
                 heard_name(setup, p / kinds % heard), kind[p % kinds]);
        order[p] = name[p];
    }
    if (code == 0)
        qsort(order, pairs, sizeof *order, compare_names);
    for (size_t p = 1; code == 0 && p < pairs; p++)
        if (strcmp(order[p - 1], order[p]) == 0)
            code = failure_set(
                failure, FAILURE_INPUT,
                "two pairs of source and receiver would both be written to ir_%s.wav: change a name",
                order[p]);
    free(order);
    free(name);
    return code;
}

/* Nearer, what is heard is the grid's value at the source itself, which says nothing about the room. */
#define SAME_PLACE 1e-3 /* [m] */

static int refuse_same_place(const struct room_setup *setup, struct failure *failure)
{
    for (size_t s = 0; s < setup->sources; s++)
        for (size_t r = setup->sources; r < setup->sources + setup->receivers; r++) {
            const double *from = setup->point[s].position, *to = setup->point[r].position;
            const double distance = hypot(hypot(from[0] - to[0], from[1] - to[1]), from[2] - to[2]);
            char place[ROOM_PLACE_MAX];
            if (distance < SAME_PLACE)
                return failure_set(
                    failure, FAILURE_INPUT,
                    "source %s and receiver %s stand at the same place, %s, where the level has "
                    "no limit: move one of them by more than %g m",
                    setup->point[s].name, setup->point[r].name, room_place(from, place), SAME_PLACE);
        }
    return 0;
}

int room_points_collect(struct room_setup *setup, bool strict, struct failure *failure)
{
    const struct options *options = setup->options;
    const size_t most = options->source.count + options->receiver.count + setup->mesh.marker_count;
    /* Two more: a source and a receiver that may be placed automatically. */
    setup->point = calloc(most + 2, sizeof *setup->point);
    if (setup->point == NULL)
        return failure_memory(failure, (most + 2) * sizeof *setup->point, "sources and receivers");
    TRY(add_kind(setup, SEED_SOURCE, &options->source, setup->point, &setup->sources, failure));
    TRY(add_kind(setup, SEED_RECEIVER, &options->receiver, setup->point + setup->sources, &setup->receivers,
                 failure));
    const bool heard = setup->receivers > 0 || options->receiver_grid.count > 0;
    if (strict && (setup->sources == 0 || !heard)) {
        const char *kind = setup->sources == 0 ? "source" : "receiver";
        return failure_set(
            failure, FAILURE_INPUT,
            "there is no %s: give --%s x,y,z[,name] in metres inside x %.4g..%.4g, y %.4g..%.4g, z "
            "%.4g..%.4g, or an object called `%s:NAME` in the model",
            kind, kind, setup->low[0], setup->high[0], setup->low[1], setup->high[1], setup->low[2],
            setup->high[2], kind);
    }
    TRY(refuse_too_many(setup->sources, setup->receivers, failure));
    TRY(refuse_duplicates(setup, failure));
    TRY(look_check(setup, failure));
    if (strict)
        TRY(refuse_same_place(setup, failure));
    for (size_t i = 0; i < setup->sources + setup->receivers; i++) {
        const struct room_point *point = &setup->point[i];
        char place[ROOM_PLACE_MAX];
        room_say(setup, "%s %s at %s%s", kind_name(point->kind), point->name,
                 room_place(point->position, place), point->of_model ? " (of the model)" : "");
    }
    return 0;
}

bool room_has_gradients(const struct room_setup *setup)
{
    return setup->options->ambisonics || setup->options->head != NULL;
}

size_t room_gradient_receivers(const struct room_setup *setup)
{
    return room_has_gradients(setup) ? 3 * setup->receivers : 0;
}
