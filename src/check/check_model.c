#include "src/check/check_model.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/vector.h"
#include "geometry/voxel/intersections.h"
#include "src/options/failure_text.h"
#include "src/options/options.h"
#include "src/setup/room_walls.h"

/* ---- size and place ---- */

bool check_unit_is_wrong(const struct room_setup *setup)
{
    return setup->model.facts.likely_unit > 0;
}

static int check_units(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    const struct mesh_import_facts *facts = &setup->model.facts;
    char advice[ADVICE_TEXT_MAX];
    if (facts->warning[0] == '\0')
        return 0;
    struct check_finding finding =
        check_finding_make(check_unit_is_wrong(setup) ? CHECK_UNFIT : CHECK_DOUBTFUL, CHECK_UNITS);
    finding.value = larger(facts->size[0], larger(facts->size[1], facts->size[2]));
    snprintf(finding.sentence, sizeof finding.sentence, "T%s.", facts->warning + 1);
    advice_text(facts->advice, facts->likely_unit, advice);
    snprintf(finding.advice, sizeof finding.advice, "%c%s.", toupper((unsigned char)advice[0]), advice + 1);
    return check_report_add(report, &finding, failure);
}

/* Coordinates are read as floats: said from this rounding on. */
#define ROUNDING_SAID 1e-3 /* [m] */

static int check_origin(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    double farthest = 0, middle[3];
    char distance[CHECK_LENGTH_MAX], moved[CHECK_LENGTH_MAX], place[ROOM_PLACE_MAX];
    for (int axis = 0; axis < 3; axis++) {
        farthest = larger(farthest, larger(fabs(setup->model.low[axis]), fabs(setup->model.high[axis])));
        middle[axis] = 0.5 * (setup->model.low[axis] + setup->model.high[axis]);
    }
    struct check_finding finding = check_finding_make(CHECK_DOUBTFUL, CHECK_ORIGIN);
    finding.value = farthest * FLT_EPSILON / 2;
    /* Of a model in the wrong unit the unit is reported instead. */
    if (finding.value <= ROUNDING_SAID || setup->model.facts.warning[0] != '\0')
        return 0;
    check_finding_place(&finding, middle, NAN);
    snprintf(finding.sentence, sizeof finding.sentence,
             "The model is %s from the origin, around %s, where its coordinates are rounded by up to %s.",
             check_length(farthest, distance), room_place(middle, place), check_length(finding.value, moved));
    snprintf(finding.advice, sizeof finding.advice,
             "Move it to the origin and export it again; walls that met there may not meet here.");
    return check_report_add(report, &finding, failure);
}

/* ---- edges ---- */

struct side {
    uint32_t low, high; /* vertices; equal positions are one vertex after an import */
};

static int compare_sides(const void *a, const void *b)
{
    const struct side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

static double side_length(const struct mesh *mesh, const struct side *side)
{
    double along[3];
    vector_subtract(mesh->vertex[side->high], mesh->vertex[side->low], along);
    return vector_length(along);
}

/* Edges of one kind: how many, how long, and the longest few. */
#define EDGES_LISTED 5
struct edge_count {
    size_t count, listed;
    double length;                /* of all [m] */
    double longest[EDGES_LISTED]; /* falling [m] */
    double middle[EDGES_LISTED][3];
};

static void count_edge(const struct mesh *mesh, const struct side *side, struct edge_count *edges)
{
    const double length = side_length(mesh, side);
    edges->count++;
    edges->length += length;
    size_t at = edges->listed;
    while (at > 0 && edges->longest[at - 1] < length)
        at--;
    if (at == EDGES_LISTED)
        return;
    const size_t last = edges->listed < EDGES_LISTED ? edges->listed++ : EDGES_LISTED - 1;
    for (size_t i = last; i > at; i--) {
        edges->longest[i] = edges->longest[i - 1];
        memcpy(edges->middle[i], edges->middle[i - 1], sizeof edges->middle[i]);
    }
    edges->longest[at] = length;
    for (int axis = 0; axis < 3; axis++)
        edges->middle[at][axis] = 0.5 * (mesh->vertex[side->low][axis] + mesh->vertex[side->high][axis]);
}

static int count_edges(const struct mesh *mesh, struct edge_count *open, struct edge_count *shared,
                       struct failure *failure)
{
    const size_t count = 3 * mesh->triangle_count;
    struct side *side = malloc((count + 1) * sizeof *side);
    if (side == NULL)
        return failure_memory(failure, count * sizeof *side, "the edges of the model");
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = mesh->triangle[i / 3][i % 3], b = mesh->triangle[i / 3][(i + 1) % 3];
        side[i] = (struct side){.low = a < b ? a : b, .high = a < b ? b : a};
    }
    qsort(side, count, sizeof *side, compare_sides);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && compare_sides(&side[i], &side[next]) == 0;)
            next++;
        if (next - i == 1)
            count_edge(mesh, &side[i], open);
        else if (next - i > 2)
            count_edge(mesh, &side[i], shared);
    }
    free(side);
    return 0;
}

/* "; the longest are 2 m at (..), ..": up to three. */
static void tell_longest(const struct edge_count *edges, struct check_finding *finding)
{
    enum { TOLD = 3 };
    finding->value = (double)edges->count;
    for (size_t i = 0; i < edges->listed; i++) {
        char place[ROOM_PLACE_MAX], length[CHECK_LENGTH_MAX];
        check_finding_place(finding, edges->middle[i], edges->longest[i]);
        if (i < TOLD)
            check_append(finding->sentence, sizeof finding->sentence, "%s%s at %s",
                         i > 0               ? "; "
                         : edges->listed > 1 ? ": the longest "
                                             : ": ",
                         check_length(edges->longest[i], length), room_place(edges->middle[i], place));
    }
    check_append(finding->sentence, sizeof finding->sentence, ".");
}

static int check_edges(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    struct edge_count open = {0}, shared = {0};
    char length[CHECK_LENGTH_MAX];
    TRY(count_edges(&setup->model.mesh, &open, &shared, failure));
    if (open.count > 0) {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_OPEN_EDGES);
        snprintf(finding.sentence, sizeof finding.sentence,
                 "%zu edge%s only one face, %s in all (a hole, a crack, or a surface without thickness)",
                 open.count, open.count == 1 ? " has" : "s have", check_length(open.length, length));
        tell_longest(&open, &finding);
        snprintf(finding.advice, sizeof finding.advice,
                 "Nothing while the room is closed; where it leaks, look there first.");
        TRY(check_report_add(report, &finding, failure));
    }
    if (shared.count > 0) {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_NONMANIFOLD_EDGES);
        snprintf(finding.sentence, sizeof finding.sentence,
                 "%zu edge%s more than two faces (where walls branch, or bodies touch)", shared.count,
                 shared.count == 1 ? " has" : "s have");
        tell_longest(&shared, &finding);
        TRY(check_report_add(report, &finding, failure));
    }
    return 0;
}

/* ---- faces ---- */

static int check_faces(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    const struct mesh_census *census = &setup->model.facts.census;
    if (census->duplicate > 0) {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_DUPLICATES);
        finding.value = (double)census->duplicate;
        snprintf(finding.sentence, sizeof finding.sentence,
                 "%zu triangle%s on the same corners as an earlier one; the first of each is kept, with its "
                 "material.",
                 census->duplicate, census->duplicate == 1 ? " lies" : "s lie");
        snprintf(finding.advice, sizeof finding.advice,
                 "Nothing, unless two materials lie there: then delete the face that is not meant.");
        TRY(check_report_add(report, &finding, failure));
    }
    if (census->degenerate > 0) {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_DEGENERATE);
        finding.value = (double)census->degenerate;
        snprintf(finding.sentence, sizeof finding.sentence, "%zu triangle%s no area and make%s no wall.",
                 census->degenerate, census->degenerate == 1 ? " has" : "s have",
                 census->degenerate == 1 ? "s" : "");
        TRY(check_report_add(report, &finding, failure));
    }
    return 0;
}

/* Corners that were meant to touch miss each other by the last bits of the file's numbers. */
static int check_crossings(const struct room_setup *setup, struct check_report *report,
                           struct failure *failure)
{
    enum { LISTED = 5, TOLD = 3 };
    struct mesh_intersections found = {0};
    TRY(mesh_intersections_find(&setup->model.mesh, mesh_touch_tolerance(&setup->model.mesh), LISTED,
                                (int)setup->request.engine.threads, &found, failure));
    int code = 0;
    if (found.pairs > 0) {
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_INTERSECTIONS);
        finding.value = (double)found.pairs;
        snprintf(finding.sentence, sizeof finding.sentence,
                 "%s%llu pair%s of faces pass%s through each other", found.complete ? "" : "At least ",
                 (unsigned long long)found.pairs, found.pairs == 1 ? "" : "s", found.pairs == 1 ? "es" : "");
        for (size_t i = 0; i < found.listed; i++) {
            const struct mesh_crossing *crossing = &found.crossing[i];
            char place[ROOM_PLACE_MAX], length[CHECK_LENGTH_MAX];
            check_finding_place(&finding, crossing->point, crossing->length);
            if (i < TOLD)
                check_append(finding.sentence, sizeof finding.sentence, "%s%s%s at %s",
                             i > 0              ? "; "
                             : found.listed > 1 ? ": the longest "
                                                : ": ",
                             check_length(crossing->length, length),
                             crossing->one_plane ? " in one plane" : "", room_place(crossing->point, place));
        }
        check_append(finding.sentence, sizeof finding.sentence, ".");
        snprintf(
            finding.advice, sizeof finding.advice,
            "Nothing: bodies may run into one another; where faces share a plane, the material of either "
            "may be taken.");
        code = check_report_add(report, &finding, failure);
    }
    mesh_intersections_free(&found);
    return code;
}

int check_model(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    TRY(check_units(setup, report, failure));
    TRY(check_axes(setup, report, failure));
    TRY(check_origin(setup, report, failure));
    TRY(check_edges(setup, report, failure));
    TRY(check_faces(setup, report, failure));
    TRY(room_interrupted(failure));
    return check_crossings(setup, report, failure);
}

/* ---- absorption ---- */

static bool is_material(const struct mesh *mesh, const char *name)
{
    for (size_t m = 0; m < mesh->material_count; m++)
        if (strcasecmp(mesh->material[m], name) == 0)
            return true;
    return false;
}

/* The name of the table that nobody uses and that is nearest to `name`, or NULL: a letter off. */
static const char *nearest_unused(const struct room_setup *setup, const char *name)
{
    const struct surface_table *table = &setup->model.table;
    const char *nearest = NULL, **unused = calloc(table->count + 1, sizeof *unused);
    size_t count = 0;
    for (size_t i = 0; unused != NULL && i < table->count; i++)
        if (table->entry[i].name != NULL && !is_material(&setup->model.mesh, table->entry[i].name))
            unused[count++] = table->entry[i].name;
    if (count > 0)
        nearest = options_nearest(name, unused, count);
    free(unused);
    return nearest;
}

static int tell_missing(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    enum { TOLD = 6 };
    const size_t count = setup->model.mesh.material_count;
    const bool none_given = setup->model.uncovered == count && setup->model.table.count == 0;
    struct check_finding finding =
        check_finding_make(none_given ? CHECK_HARMLESS : CHECK_DOUBTFUL, CHECK_ABSORPTION_MISSING);
    finding.value = 0;
    if (none_given)
        snprintf(finding.sentence, sizeof finding.sentence,
                 "No absorption is known, so every surface counts as %.2g here:", ROOM_MISSING_ABSORPTION);
    else
        snprintf(finding.sentence, sizeof finding.sentence,
                 "%zu of %zu materials have no absorption and count as %.2g here:", setup->model.uncovered,
                 count, ROOM_MISSING_ABSORPTION);
    size_t told = 0;
    for (size_t m = 0; m < count; m++) {
        char name[CHECK_NAME_MAX], near_name[CHECK_NAME_MAX];
        if (report->material[m].given)
            continue;
        finding.value += setup->model.area[m];
        if (told++ >= TOLD)
            continue;
        const char *nearest = nearest_unused(setup, setup->model.mesh.material[m]);
        check_append(finding.sentence, sizeof finding.sentence, "%s \"%s\" (%.4g m2", told > 1 ? "," : "",
                     check_name(setup->model.mesh.material[m], name), setup->model.area[m]);
        if (nearest != NULL)
            check_append(finding.sentence, sizeof finding.sentence,
                         "; \"%s\" is given and matches no surface", check_name(nearest, near_name));
        else
            surface_append_nearest(&setup->model.table, &setup->model.library, setup->model.mesh.material[m],
                                   finding.sentence, sizeof finding.sentence);
        check_append(finding.sentence, sizeof finding.sentence, ")");
    }
    check_append(finding.sentence, sizeof finding.sentence, "%s", told > TOLD ? " and others." : ".");
    snprintf(finding.advice, sizeof finding.advice,
             "simulate asks for it: --materials FILE, or --absorption NAME=A for one and --absorption A for "
             "all others (0.03 bare stone, 0.08 plaster and wood, 0.25 full pews), or names in the model as "
             "`transept materials` has them.");
    return check_report_add(report, &finding, failure);
}

int check_absorption(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    const size_t count = setup->model.mesh.material_count;
    int code = 0;
    report->material = calloc(count + 1, sizeof *report->material);
    if (report->material == NULL)
        return failure_memory(failure, count * sizeof *report->material, "materials");
    for (size_t m = 0; m < count; m++)
        report->material[m].given = setup->model.surface[m].origin != SURFACE_ASSUMED;
    if (setup->model.uncovered > 0)
        TRY(tell_missing(setup, report, failure));
    for (size_t m = 0; m < count && code == 0; m++) {
        char name[CHECK_NAME_MAX], limited[ROOM_LIMITED_MAX];
        if (room_surface_limited(&setup->model.surface[m], limited)[0] == '\0')
            continue;
        struct check_finding finding = check_finding_make(CHECK_HARMLESS, CHECK_ABSORPTION_LIMITED);
        finding.value = 0;
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            finding.value = fmax(finding.value, setup->model.surface[m].octave[o]);
        snprintf(finding.sentence, sizeof finding.sentence, "\"%s\": %s.",
                 check_name(setup->model.mesh.material[m], name), limited);
        code = check_report_add(report, &finding, failure);
    }
    return code;
}
