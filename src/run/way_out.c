#include "src/run/way_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/path/air_route.h"
#include "src/path/shortest_path.h"

/* How far past the box a path is drawn where nothing else tells, in spacings. */
#define BEYOND 4

void ways_out_free(struct ways_out *ways)
{
    for (size_t w = 0; w < ways->count; w++)
        free(ways->way[w].point);
    free(ways->way);
    *ways = (struct ways_out){0};
}

/* Takes the points over, also when it fails. */
static int add(struct ways_out *ways, const struct way_out *way, struct failure *failure)
{
    if (ways->count == ways->room) {
        const size_t room = ways->room > 0 ? 2 * ways->room : 8;
        struct way_out *grown = realloc(ways->way, room * sizeof *grown);
        if (grown == NULL) {
            free(way->point);
            return failure_memory(failure, room * sizeof *grown, "leaks");
        }
        ways->way = grown;
        ways->room = room;
    }
    ways->way[ways->count++] = *way;
    return 0;
}

static double apart(const double a[3], const double b[3])
{
    double way[3];
    vector_subtract(a, b, way);
    return vector_length(way);
}

/* ---- paths ---- */

static int put_point(struct way_out *way, const double (*more)[3], size_t count, struct failure *failure)
{
    double(*grown)[3] = realloc(way->point, (way->points + count) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (way->points + count) * sizeof *grown, "a leak");
    memcpy(grown + way->points, more, count * sizeof *more);
    way->point = grown;
    way->points += count;
    return 0;
}

/* Append `point[0..count)`, shortened; the first only where the path is empty. */
static int put_taut(const struct room_setup *setup, struct way_out *way, const double (*point)[3],
                    size_t count, struct failure *failure)
{
    double(*taut)[3] = NULL;
    size_t points = 0;
    TRY(shortest_path_pull(&setup->model.mesh, setup->grid.lattice.spacing, point, count, &taut, &points,
                           failure));
    const size_t known = way->points > 0 ? 1 : 0;
    const int code = put_point(way, (const double(*)[3])taut + known, points - known, failure);
    free(taut);
    return code;
}

/* From `start` over the nodes of a leak taut to its gap, and from there taut on: a string pulled taut from
 * end to end would lie at the gap's edge. */
static int put_leak(const struct room_setup *setup, const double start[3], const struct voxel_leak *leak,
                    struct way_out *way, struct failure *failure)
{
    size_t nearest = 0;
    for (size_t p = 1; p < leak->point_count; p++)
        if (apart(leak->point[p], leak->gap) < apart(leak->point[nearest], leak->gap))
            nearest = p;
    /* start, nodes up to the gap, the gap; then once more the gap and the nodes after it. */
    double(*all)[3] = malloc((leak->point_count + 3) * sizeof *all);
    if (all == NULL)
        return failure_memory(failure, (leak->point_count + 3) * sizeof *all, "a leak");
    memcpy(all[0], start, sizeof *all);
    memcpy(all[1], leak->point, (nearest + 1) * sizeof *all);
    memcpy(all[nearest + 2], leak->gap, sizeof *all);
    int code = put_taut(setup, way, (const double(*)[3])all, nearest + 3, failure);
    if (code == 0 && nearest + 1 < leak->point_count) {
        memcpy(all[0], leak->gap, sizeof *all);
        memcpy(all[1], leak->point[nearest + 1], (leak->point_count - nearest - 1) * sizeof *all);
        code = put_taut(setup, way, (const double(*)[3])all, leak->point_count - nearest, failure);
    }
    free(all);
    return code;
}

/* From the first source through the air to an opening of the box, and straight out. `position` moves from the
 * middle of a link to the face itself. No path where that
 * source's air does not reach it. */
static int put_route(const struct room_setup *setup, const struct air_route *route,
                     const struct voxel_exit *exit, struct way_out *way, struct failure *failure)
{
    const double h = setup->grid.lattice.spacing;
    const struct room_point *source = &setup->points.point[0];
    const int axis = exit->face / 2;
    const bool high = exit->face % 2;
    struct failure why = {0};
    int64_t node[3];
    double coordinate[3], inside[3], end[2][3], (*point)[3] = NULL;
    size_t count = 0;
    lattice_coordinate(&setup->grid.lattice, exit->position, coordinate);
    for (int other = 0; other < 3; other++)
        node[other] = llround(coordinate[other]);
    node[axis] = high ? setup->grid.lattice.nodes[axis] - 1 : 0;
    lattice_position(&setup->grid.lattice, node, inside);
    way->position[axis] = high ? setup->model.high[axis] : setup->model.low[axis];
    int code = air_route_trace(route, source->position, inside, node, &point, &count, &why);
    if (code == FAILURE_INPUT)
        return 0;
    if (code != 0)
        return failure_forward(failure, &why);
    code = put_taut(setup, way, (const double(*)[3])point, count, failure);
    free(point);
    memcpy(end[0], way->position, sizeof end[0]);
    memcpy(end[1], way->position, sizeof end[1]);
    end[1][axis] += high ? BEYOND * h : -BEYOND * h;
    if (code == 0)
        code = put_point(way, (const double(*)[3])end, 2, failure);
    way->from = source->name;
    return code;
}

/* ---- open scenes ---- */

/* The area of an exit, where the gap lies in the face that it is in; else NaN. In a hole without depth the
 * clearance hardly changes along the way, and the gap is found some way before or behind it. */
static double area_at(const struct room_setup *setup, const struct voxel_way *way)
{
    const double h = setup->grid.lattice.spacing;
    if (way->exit == VOXEL_NO_EXIT || !setup->grid.findings.exit[way->exit].flat)
        return NAN;
    const struct voxel_exit *exit = &setup->grid.findings.exit[way->exit];
    const double before = fabs(way->leak.gap[exit->face / 2] - exit->position[exit->face / 2]);
    return before <= h + 0.25 * way->leak.gap_size ? h * h * (double)exit->links : NAN;
}

static int add_way(const struct room_setup *setup, const struct voxel_way *found, struct ways_out *out,
                   struct failure *failure)
{
    const struct room_point *source = &setup->points.point[found->seed];
    struct way_out way = {.sealed = found->sealed,
                          .from = source->name,
                          .width = found->leak.gap_size,
                          .area = found->sealed ? NAN : area_at(setup, found)};
    memcpy(way.position, found->leak.gap, sizeof way.position);
    const int code = put_leak(setup, source->position, &found->leak, &way, failure);
    if (code == 0)
        return add(out, &way, failure);
    free(way.point);
    return code;
}

static bool is_told(const struct voxel_findings *findings, size_t exit)
{
    for (size_t w = 0; w < findings->way_count; w++)
        if (findings->way[w].exit == exit)
            return true;
    return false;
}

/* The exit with most links of those after `before`, in the order of links and number. */
static size_t next_exit(const struct voxel_findings *findings, size_t before)
{
    size_t best = VOXEL_NO_EXIT;
    for (size_t e = 0; e < findings->exit_count; e++) {
        const uint64_t links = findings->exit[e].links;
        const bool after = before == VOXEL_NO_EXIT || links < findings->exit[before].links ||
                           (links == findings->exit[before].links && e > before);
        if (after && (best == VOXEL_NO_EXIT || links > findings->exit[best].links))
            best = e;
    }
    return best;
}

/* Exits that no way leads through, of a room whose walls stand in the faces of its box. */
static int add_exits(const struct room_setup *setup, struct ways_out *out, struct failure *failure)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    const double h = setup->grid.lattice.spacing;
    struct air_route route = {0};
    TRY(air_route_search(&setup->grid.packed, findings->seed_node[0], &route, failure));
    int code = 0;
    size_t exit = next_exit(findings, VOXEL_NO_EXIT);
    for (; code == 0 && exit != VOXEL_NO_EXIT && out->count < WAYS_OUT_TOLD;
         exit = next_exit(findings, exit)) {
        struct way_out way = {.width = NAN, .area = h * h * (double)findings->exit[exit].links};
        if (is_told(findings, exit) || !findings->exit[exit].flat)
            continue;
        memcpy(way.position, findings->exit[exit].position, sizeof way.position);
        code = put_route(setup, &route, &findings->exit[exit], &way, failure);
        if (code == 0)
            code = add(out, &way, failure);
        else
            free(way.point);
    }
    air_route_free(&route);
    return code;
}

/* ---- sealed ones ---- */

/* Is it the crack that the way leads through? Its links are no more than two nodes apart, so that many long.
 */
static bool leads_through(const struct room_setup *setup, const struct voxel_way *way,
                          const struct voxel_place *crack)
{
    return apart(way->leak.gap, crack->position) <=
           2 * setup->grid.lattice.spacing * (double)(crack->links + 1) + setup->request.grid.seal;
}

static int add_cracks(const struct room_setup *setup, struct ways_out *out, struct failure *failure)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    bool through[WAYS_OUT_TOLD] = {false};
    for (size_t w = 0; w < findings->way_count; w++) {
        size_t nearest = 0;
        if (!findings->way[w].sealed)
            continue;
        for (size_t i = 1; i < findings->sealed_count; i++)
            if (apart(findings->sealed[i].position, findings->way[w].leak.gap) <
                apart(findings->sealed[nearest].position, findings->way[w].leak.gap))
                nearest = i;
        if (nearest < WAYS_OUT_TOLD && nearest < findings->sealed_count &&
            leads_through(setup, &findings->way[w], &findings->sealed[nearest]))
            through[nearest] = true;
        TRY(add_way(setup, &findings->way[w], out, failure));
    }
    for (size_t i = 0; i < findings->sealed_count && i < WAYS_OUT_TOLD; i++) {
        struct way_out way = {.sealed = true, .width = findings->sealed[i].width, .area = NAN};
        memcpy(way.position, findings->sealed[i].position, sizeof way.position);
        if (!through[i])
            TRY(add(out, &way, failure));
    }
    return 0;
}

static int make(const struct room_setup *setup, struct ways_out *out, struct failure *failure)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    bool on_box = false;
    for (size_t w = 0; w < findings->way_count; w++) {
        if (findings->way[w].sealed)
            continue;
        TRY(add_way(setup, &findings->way[w], out, failure));
        on_box = on_box || isfinite(out->way[out->count - 1].area);
    }
    if (on_box && setup->points.sources > 0)
        TRY(add_exits(setup, out, failure));
    return add_cracks(setup, out, failure);
}

int ways_out_make(const struct room_setup *setup, struct ways_out *out, struct failure *failure)
{
    struct ways_out ways = {0};
    const int code = setup->request.grid.find_ways ? make(setup, &ways, failure) : 0;
    if (code != 0) {
        ways_out_free(&ways);
        return code;
    }
    *out = ways;
    return 0;
}

/* ---- in the model ---- */

static bool fill(struct record_leak *leak, const struct way_out *way)
{
    leak->sealed = way->sealed;
    memcpy(leak->position, way->position, sizeof leak->position);
    leak->gap = way->width;
    leak->area = way->area;
    return json_text_set(&leak->from, way->from) &&
           (way->points == 0 || json_points_set(&leak->path, (const double(*)[3])way->point, way->points));
}

bool ways_out_record(struct run_model *model, const struct ways_out *ways)
{
    if (!JSON_LIST_MAKE(&record_leak_table, &model->leaks, ways->count))
        return false;
    for (size_t w = 0; w < ways->count; w++)
        if (!fill(&model->leaks.item[w], &ways->way[w]))
            return false;
    return true;
}
