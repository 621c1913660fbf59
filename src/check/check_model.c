#include "src/check/check_model.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/vector.h"
#include "geometry/voxel/intersections.h"
#include "src/base/interrupt.h"
#include "src/base/options/failure_text.h"
#include "src/base/options/options.h"
#include "src/setup/room_walls.h"

/* ---- size and place ---- */

static void check_units(const struct room_setup *setup, struct check_report *report)
{
    const struct mesh_import_facts *facts = &setup->model.facts;
    if (facts->warning[0] == '\0')
        return;
    struct check_finding *finding = check_report_add(
        report, facts->likely_unit > 0 ? CHECK_UNFIT : CHECK_DOUBTFUL, CHECK_UNITS, "%s", facts->warning);
    finding->value = larger(facts->size[0], larger(facts->size[1], facts->size[2]));
    failure_advise(0, &finding->what, facts->advice, facts->likely_unit);
}

static void check_unread(const struct import_notes *notes, struct check_report *report)
{
    static const enum check_severity severity[] = {[IMPORT_HARMLESS] = CHECK_HARMLESS,
                                                   [IMPORT_DOUBTFUL] = CHECK_DOUBTFUL,
                                                   [IMPORT_INCOMPLETE] = CHECK_UNFIT};
    for (size_t n = 0; n < notes->count; n++) {
        const struct import_note *note = &notes->note[n];
        struct check_finding *finding =
            check_report_add(report, severity[note->weight], CHECK_UNREAD, "%s", note->what);
        failure_fix(0, &finding->what, "%s", note->fix);
    }
}

/* Coordinates are read as floats; their rounding is reported from this value on. */
#define ROUNDING_REPORTED 1e-3 /* [m] */

static void check_origin(const struct room_setup *setup, struct check_report *report)
{
    double farthest = 0, middle[3];
    char distance[CHECK_LENGTH_MAX], rounding_text[CHECK_LENGTH_MAX], place[ROOM_PLACE_MAX];
    for (int axis = 0; axis < 3; axis++) {
        farthest = larger(farthest, larger(fabs(setup->model.low[axis]), fabs(setup->model.high[axis])));
        middle[axis] = 0.5 * (setup->model.low[axis] + setup->model.high[axis]);
    }
    const double rounding = farthest * FLT_EPSILON / 2;
    /* In a wrong unit only the unit is reported. */
    if (rounding <= ROUNDING_REPORTED || setup->model.facts.warning[0] != '\0')
        return;
    struct check_finding *finding = check_report_add(
        report, CHECK_DOUBTFUL, CHECK_ORIGIN,
        "the model is %s from the origin, around %s, where its coordinates are rounded by up to %s",
        check_length(farthest, distance), room_place(middle, place), check_length(rounding, rounding_text));
    finding->value = rounding;
    check_finding_place(finding, middle, NAN);
    failure_fix(0, &finding->what,
                "move it to the origin and export it again; walls that met there may not meet here");
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

/* Edges of one kind: how many, how long, and the longest few. */
#define EDGES_LISTED 5
struct edge_count {
    size_t count, listed;
    double length; /* of all [m] */
    struct {
        double length, middle[3]; /* [m] */
    } longest[EDGES_LISTED];      /* falling */
};

static void count_edge(const struct mesh *mesh, const struct side *side, struct edge_count *edges)
{
    const double *low = mesh->vertex[side->low], *high = mesh->vertex[side->high];
    const double length = vector_distance(high, low);
    edges->count++;
    edges->length += length;
    size_t at = edges->listed;
    while (at > 0 && edges->longest[at - 1].length < length)
        at--;
    if (at == EDGES_LISTED)
        return;
    const size_t last = edges->listed < EDGES_LISTED ? edges->listed++ : EDGES_LISTED - 1;
    memmove(&edges->longest[at + 1], &edges->longest[at], (last - at) * sizeof edges->longest[0]);
    edges->longest[at].length = length;
    for (int axis = 0; axis < 3; axis++)
        edges->longest[at].middle[axis] = 0.5 * (low[axis] + high[axis]);
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
        if (next - i != 2)
            count_edge(mesh, &side[i], next - i == 1 ? open : shared);
    }
    free(side);
    return 0;
}

/* Words before the longest of several. */
static const char *lead_of(size_t listed)
{
    return listed > 1 ? ": the longest" : ":";
}

static void list_longest(const struct edge_count *edges, struct check_finding *finding)
{
    finding->value = (double)edges->count;
    for (size_t i = 0; i < edges->listed; i++)
        check_finding_list(finding, lead_of(edges->listed), edges->longest[i].middle,
                           edges->longest[i].length, "");
}

static int check_edges(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    struct edge_count open = {0}, shared = {0};
    char length[CHECK_LENGTH_MAX];
    TRY(count_edges(&setup->model.mesh, &open, &shared, failure));
    if (open.count > 0) {
        struct check_finding *finding = check_report_add(
            report, CHECK_HARMLESS, CHECK_OPEN_EDGES,
            "%zu edge%s only one face, %s in all (a hole, a crack, or a surface without thickness)",
            open.count, open.count == 1 ? " has" : "s have", check_length(open.length, length));
        list_longest(&open, finding);
        failure_fix(0, &finding->what, "nothing, if the room is closed; if it leaks, look there first");
    }
    if (shared.count > 0)
        list_longest(&shared, check_report_add(report, CHECK_HARMLESS, CHECK_NONMANIFOLD_EDGES,
                                               "%zu edge%s more than two faces (where walls branch, or "
                                               "bodies touch)",
                                               shared.count, shared.count == 1 ? " has" : "s have"));
    return 0;
}

/* ---- faces ---- */

static void check_faces(const struct room_setup *setup, struct check_report *report)
{
    const struct mesh_census *census = &setup->model.facts.census;
    if (census->duplicate > 0) {
        struct check_finding *finding =
            check_report_add(report, CHECK_HARMLESS, CHECK_DUPLICATES,
                             "%zu triangle%s on the same corners as an earlier one of the same material, and "
                             "%s left out",
                             census->duplicate, census->duplicate == 1 ? " lies" : "s lie",
                             census->duplicate == 1 ? "is" : "are");
        finding->value = (double)census->duplicate;
    }
    if (census->degenerate > 0)
        check_report_add(report, CHECK_HARMLESS, CHECK_DEGENERATE,
                         "%zu triangle%s no area and make%s no wall", census->degenerate,
                         census->degenerate == 1 ? " has" : "s have", census->degenerate == 1 ? "s" : "")
            ->value = (double)census->degenerate;
}

/* Corners that should touch differ in the last digits of the file's numbers. */
static int check_crossings(const struct room_setup *setup, struct check_report *report,
                           struct failure *failure)
{
    enum { LISTED = 5 };
    struct mesh_intersections found = {0};
    TRY(mesh_intersections_find(&setup->model.mesh, mesh_touch_tolerance(&setup->model.mesh), LISTED,
                                (int)setup->request.engine.threads, &found, failure));
    if (found.pairs > 0) {
        struct check_finding *finding = check_report_add(
            report, CHECK_HARMLESS, CHECK_INTERSECTIONS, "%s%llu pair%s of faces pass%s through each other",
            found.complete ? "" : "at least ", (unsigned long long)found.pairs, found.pairs == 1 ? "" : "s",
            found.pairs == 1 ? "es" : "");
        finding->value = (double)found.pairs;
        for (size_t i = 0; i < found.listed; i++)
            check_finding_list(finding, lead_of(found.listed), found.crossing[i].point,
                               found.crossing[i].length, found.crossing[i].one_plane ? " in one plane" : "");
        failure_fix(0, &finding->what,
                    "nothing: bodies may run into one another; of faces that share a plane the smaller one "
                    "counts");
    }
    mesh_intersections_free(&found);
    return 0;
}

/* True if two materials absorb differently. */
static bool absorb_differently(const struct surface *one, const struct surface *other)
{
    return one->is_sheet != other->is_sheet || memcmp(one->octave, other->octave, sizeof one->octave) != 0;
}

/* True if the two absorb differently and the air of the room touches the overlap. */
static bool overlap_matters(const struct room_model *model, const struct reached *reached,
                            const struct check_report *report, const struct face_overlap *overlap)
{
    return absorb_differently(&model->surface[overlap->over], &model->surface[overlap->under]) &&
           (reached->triangle[overlap->triangle] ||
            (overlap->equal && report->material[overlap->under].exposed > 0));
}

/* Add up the area of all faces of the same two materials from `first` on; false if an earlier face has
 * the same two. */
static bool sum_alike(const struct face_overlaps *overlaps, size_t first, const bool *matters, double *area)
{
    const struct face_overlap *one = &overlaps->overlap[first];
    *area = 0;
    for (size_t i = 0; i < overlaps->count; i++) {
        const struct face_overlap *other = &overlaps->overlap[i];
        if (!matters[i] || other->over != one->over || other->under != one->under ||
            other->equal != one->equal)
            continue;
        if (i < first)
            return false;
        *area += other->area;
    }
    return true;
}

int check_coplanar(const struct room_setup *setup, const struct reached *reached, struct check_report *report,
                   struct failure *failure)
{
    const struct room_model *model = &setup->model;
    const struct face_overlaps *overlaps = model->mesh.overlaps;
    struct check_finding *finding = NULL;
    if (overlaps == NULL)
        return 0;
    bool *matters = malloc(overlaps->count + 1);
    if (matters == NULL)
        return failure_memory(failure, overlaps->count + 1, "faces in one plane");
    for (size_t i = 0; i < overlaps->count; i++)
        matters[i] = overlap_matters(model, reached, report, &overlaps->overlap[i]);
    for (size_t i = 0; i < overlaps->count; i++) {
        const struct face_overlap *overlap = &overlaps->overlap[i];
        char over[CHECK_NAME_MAX], under[CHECK_NAME_MAX], place[ROOM_PLACE_MAX];
        double area;
        if (!matters[i] || !sum_alike(overlaps, i, matters, &area))
            continue;
        if (finding == NULL) {
            finding = check_report_add(
                report, CHECK_DOUBTFUL, CHECK_COPLANAR,
                "faces of two materials lie in one plane and overlap; sound meets the smaller face:");
            finding->value = 0;
        }
        finding->value += area;
        if (finding->place_count < CHECK_PLACES_SAID)
            check_finding_say(
                finding, "%s %.4g m2 of \"%s\" %s \"%s\" at %s", finding->place_count > 0 ? ";" : "", area,
                check_name(model->mesh.material[overlap->over], over),
                overlap->equal ? "and as large a face of" : "on",
                check_name(model->mesh.material[overlap->under], under), room_place(overlap->place, place));
        if (overlap->equal && finding->place_count < CHECK_PLACES_SAID)
            check_finding_say(finding, ", of which each side has the one that turns its front to it, or the "
                                       "first in the file");
        check_finding_place(finding, overlap->place, NAN);
    }
    free(matters);
    if (finding != NULL)
        failure_fix(
            0, &finding->what,
            "nothing, if the smaller face is meant to cover the other; otherwise delete the wrong face");
    if (finding != NULL && !overlaps->complete)
        check_finding_say(finding, " (there are too many to compare them all)");
    return 0;
}

int check_model(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    check_units(setup, report);
    check_unread(&setup->model.facts.notes, report);
    check_axes(setup, report);
    check_origin(setup, report);
    TRY(check_edges(setup, report, failure));
    check_faces(setup, report);
    TRY(interrupt_stop(failure));
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

/* The unused name of the table that is nearest to `name`, by one letter; or NULL. */
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

static void report_missing(const struct room_setup *setup, struct check_report *report)
{
    enum { NAMED = 6 };
    const size_t count = setup->model.mesh.material_count;
    const bool none_given = setup->model.uncovered == count && setup->model.table.count == 0;
    struct check_finding *finding;
    if (none_given)
        finding = check_report_add(
            report, CHECK_MISSING, CHECK_ABSORPTION_MISSING,
            "no absorption is known, so simulate stops, and every surface counts as %.2g here:",
            ROOM_MISSING_ABSORPTION);
    else
        finding = check_report_add(
            report, CHECK_MISSING, CHECK_ABSORPTION_MISSING,
            "%zu of %zu materials have no absorption, so simulate stops, and count as %.2g here:",
            setup->model.uncovered, count, ROOM_MISSING_ABSORPTION);
    finding->value = 0;
    size_t named = 0;
    for (size_t m = 0; m < count; m++) {
        char name[CHECK_NAME_MAX], near_name[CHECK_NAME_MAX];
        if (report->material[m].given)
            continue;
        finding->value += setup->model.area[m];
        if (named++ >= NAMED)
            continue;
        const char *nearest = nearest_unused(setup, setup->model.mesh.material[m]);
        check_finding_say(finding, "%s \"%s\" (%.4g m2", named > 1 ? "," : "",
                          check_name(setup->model.mesh.material[m], name), setup->model.area[m]);
        if (nearest != NULL)
            check_finding_say(finding, "; \"%s\" is given and matches no surface",
                              check_name(nearest, near_name));
        else
            surface_append_nearest(&setup->model.table, &setup->model.library, setup->model.mesh.material[m],
                                   finding->what.sentence, sizeof finding->what.sentence);
        check_finding_say(finding, ")");
    }
    if (named > NAMED)
        check_finding_say(finding, " and others");
    failure_advise(0, &finding->what, ADVICE_GIVE_ABSORPTION, 0);
}

int check_absorption(const struct room_setup *setup, struct check_report *report, struct failure *failure)
{
    const size_t count = setup->model.mesh.material_count;
    report->material = calloc(count + 1, sizeof *report->material);
    if (report->material == NULL)
        return failure_memory(failure, count * sizeof *report->material, "materials");
    for (size_t m = 0; m < count; m++) {
        report->material[m].exposed = NAN;
        report->material[m].given = setup->model.surface[m].origin != SURFACE_ASSUMED;
    }
    if (setup->model.uncovered > 0)
        report_missing(setup, report);
    for (size_t m = 0; m < count; m++) {
        char name[CHECK_NAME_MAX], limited[ROOM_LIMITED_MAX];
        if (room_surface_limited(&setup->model.surface[m], limited)[0] == '\0')
            continue;
        struct check_finding *finding =
            check_report_add(report, CHECK_HARMLESS, CHECK_ABSORPTION_LIMITED, "\"%s\": %s",
                             check_name(setup->model.mesh.material[m], name), limited);
        finding->value = 0;
        for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
            finding->value = fmax(finding->value, setup->model.surface[m].octave[o]);
    }
    return 0;
}
