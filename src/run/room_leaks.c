#include "src/run/room_leaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/setup/path/air_route.h"
#include "src/setup/path/shortest_path.h"

/* Default length of a path beyond the box, in spacings. */
#define BEYOND 4

/* ---- paths ---- */

static int append_points(struct json_points *path, const double (*point)[3], size_t count,
                         struct failure *failure)
{
    double(*grown)[3] = realloc(path->point, (path->count + count) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (path->count + count) * sizeof *grown, "a leak");
    memcpy(grown + path->count, point, count * sizeof *point);
    path->point = grown;
    path->count += count;
    return 0;
}

/* Append `point[0..count)`, shortened; the first only where the path is empty. */
static int append_shortest(const struct room_setup *setup, struct json_points *path, const double (*point)[3],
                           size_t count, struct failure *failure)
{
    double(*shortest)[3] = NULL;
    size_t points = 0;
    TRY(shortest_path_pull(&setup->model.mesh, setup->grid.lattice.spacing, point, count, &shortest, &points,
                           failure));
    const size_t known = path->count > 0 ? 1 : 0;
    const int code = append_points(path, (const double(*)[3])shortest + known, points - known, failure);
    free(shortest);
    return code;
}

/* The shortest path from `start` over the nodes of a leak to its gap, and the shortest on from there: the
 * shortest from end to end would pass the gap's edge. */
static int append_leak(const struct room_setup *setup, const double start[3], const struct voxel_leak *leak,
                       struct json_points *path, struct failure *failure)
{
    size_t nearest = 0;
    for (size_t p = 1; p < leak->point_count; p++)
        if (vector_distance(leak->point[p], leak->gap) < vector_distance(leak->point[nearest], leak->gap))
            nearest = p;
    /* start, nodes up to the gap, the gap, the nodes after it */
    const size_t gap = nearest + 2, after = leak->point_count - nearest - 1;
    double(*all)[3] = malloc((leak->point_count + 2) * sizeof *all);
    if (all == NULL)
        return failure_memory(failure, (leak->point_count + 2) * sizeof *all, "a leak");
    memcpy(all[0], start, sizeof *all);
    memcpy(all[1], leak->point, (nearest + 1) * sizeof *all);
    memcpy(all[gap], leak->gap, sizeof *all);
    memcpy(all + gap + 1, leak->point + nearest + 1, after * sizeof *all);
    int code = append_shortest(setup, path, (const double(*)[3])all, gap + 1, failure);
    if (code == 0 && after > 0)
        code = append_shortest(setup, path, (const double(*)[3])all + gap, after + 1, failure);
    free(all);
    return code;
}

/* From the first source through the air to an opening of the box, and straight out. The leak's position moves
 * from the middle of a link to the face itself. No path where that source's air does not reach it. */
static int append_route(const struct room_setup *setup, const struct air_route *route,
                        const struct voxel_exit *exit, struct record_leak *leak, struct failure *failure)
{
    const struct lattice *lattice = &setup->grid.lattice;
    const struct room_point *source = &setup->points.point[0];
    const int axis = exit->face / 2;
    const bool high = exit->face % 2;
    struct failure why = {0};
    int64_t node[3];
    double coordinate[3], inside[3], end[2][3], (*point)[3] = NULL;
    size_t count = 0;
    lattice_coordinate(lattice, exit->position, coordinate);
    for (int other = 0; other < 3; other++)
        node[other] = llround(coordinate[other]);
    node[axis] = high ? lattice->nodes[axis] - 1 : 0;
    lattice_position(lattice, node, inside);
    leak->position[axis] = high ? setup->model.high[axis] : setup->model.low[axis];
    int code = air_route_trace(route, source->position, inside, node, &point, &count, &why);
    if (code == FAILURE_INPUT)
        return 0;
    if (code != 0)
        return failure_forward(failure, &why);
    code = append_shortest(setup, &leak->path, (const double(*)[3])point, count, failure);
    free(point);
    memcpy(end[0], leak->position, sizeof end[0]);
    memcpy(end[1], leak->position, sizeof end[1]);
    end[1][axis] += (high ? BEYOND : -BEYOND) * lattice->spacing;
    if (code == 0)
        code = append_points(&leak->path, (const double(*)[3])end, 2, failure);
    if (code == 0 && !json_text_set(&leak->from, source->name))
        code = failure_memory(failure, 0, "a leak");
    return code;
}

/* ---- open scenes ---- */

/* The list of the model has space for the maximum. */
static struct record_leak *add_leak(struct run_model *model, const double position[3])
{
    struct record_leak *leak = &model->leaks.item[model->leaks.count++];
    memcpy(leak->position, position, sizeof leak->position);
    return leak;
}

/* The area of an exit, where the gap lies in the face that it is in; else NaN. In a hole without depth the
 * clearance hardly changes along the path, and the gap is found some way before or behind it. */
static double area_at(const struct room_setup *setup, const struct voxel_leak_path *path)
{
    const double h = setup->grid.lattice.spacing;
    if (path->sealed || path->exit == VOXEL_NO_EXIT || !setup->grid.findings.exit[path->exit].flat)
        return NAN;
    const struct voxel_exit *exit = &setup->grid.findings.exit[path->exit];
    const double before = fabs(path->leak.gap[exit->face / 2] - exit->position[exit->face / 2]);
    return before <= h + 0.25 * path->leak.gap_size ? h * h * (double)exit->links : NAN;
}

static int add_path(const struct room_setup *setup, const struct voxel_leak_path *path,
                    struct run_model *model, struct failure *failure)
{
    const struct room_point *source = &setup->points.point[path->seed];
    struct record_leak *leak = add_leak(model, path->leak.gap);
    leak->sealed = path->sealed;
    leak->gap = path->leak.gap_size;
    leak->area = area_at(setup, path);
    return json_text_set(&leak->from, source->name)
               ? append_leak(setup, source->position, &path->leak, &leak->path, failure)
               : failure_memory(failure, 0, "a leak");
}

static bool has_way(const struct voxel_findings *findings, size_t exit)
{
    for (size_t w = 0; w < findings->path_count; w++)
        if (findings->path[w].exit == exit)
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

/* Exits that no leak path passes, of a room whose walls lie in the faces of its box. */
static int add_exits(const struct room_setup *setup, struct run_model *model, struct failure *failure)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    const double h = setup->grid.lattice.spacing;
    struct air_route route = {0};
    TRY(air_route_search(&setup->grid.packed, findings->seed_node[0], &route, failure));
    int code = 0;
    for (size_t e = next_exit(findings, VOXEL_NO_EXIT);
         code == 0 && e != VOXEL_NO_EXIT && model->leaks.count < LEAKS_LISTED; e = next_exit(findings, e)) {
        if (has_way(findings, e) || !findings->exit[e].flat)
            continue;
        struct record_leak *leak = add_leak(model, findings->exit[e].position);
        leak->area = h * h * (double)findings->exit[e].links;
        code = append_route(setup, &route, &findings->exit[e], leak, failure);
    }
    air_route_free(&route);
    return code;
}

/* ---- sealed ones ---- */

/* Does the path lead through the crack? Its links are no more than two nodes apart, so that many long. */
static bool leads_through(const struct room_setup *setup, const struct voxel_leak_path *path,
                          const struct voxel_place *crack)
{
    return vector_distance(path->leak.gap, crack->position) <=
           2 * setup->grid.lattice.spacing * (double)(crack->links + 1) + setup->request.grid.seal;
}

static int add_cracks(const struct room_setup *setup, struct run_model *model, struct failure *failure)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    const struct voxel_place *sealed = findings->sealed;
    bool through[LEAKS_LISTED] = {false};
    for (size_t w = 0; w < findings->path_count; w++) {
        const struct voxel_leak_path *path = &findings->path[w];
        size_t nearest = 0;
        if (!path->sealed)
            continue;
        for (size_t i = 1; i < findings->sealed_count; i++)
            if (vector_distance(sealed[i].position, path->leak.gap) <
                vector_distance(sealed[nearest].position, path->leak.gap))
                nearest = i;
        if (nearest < LEAKS_LISTED && nearest < findings->sealed_count &&
            leads_through(setup, path, &sealed[nearest]))
            through[nearest] = true;
        TRY(add_path(setup, path, model, failure));
    }
    for (size_t i = 0; i < findings->sealed_count && i < LEAKS_LISTED; i++)
        if (!through[i]) {
            struct record_leak *leak = add_leak(model, sealed[i].position);
            leak->sealed = true;
            leak->gap = sealed[i].width;
        }
    return 0;
}

static int add_all_leaks(const struct room_setup *setup, struct run_model *model, struct failure *failure)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    bool on_box = false;
    for (size_t w = 0; w < findings->path_count; w++) {
        if (findings->path[w].sealed)
            continue;
        TRY(add_path(setup, &findings->path[w], model, failure));
        on_box = on_box || isfinite(model->leaks.item[model->leaks.count - 1].area);
    }
    if (on_box && setup->points.sources > 0)
        TRY(add_exits(setup, model, failure));
    return add_cracks(setup, model, failure);
}

int room_leaks_find(const struct room_setup *setup, struct run_model *model, struct failure *failure)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    const size_t most = findings->path_count + findings->exit_count + findings->sealed_count;
    model->leaks.item = json_items_make(&record_leak_table, most);
    if (model->leaks.item == NULL)
        return failure_memory(failure, most * sizeof *model->leaks.item, "leaks");
    return add_all_leaks(setup, model, failure);
}
