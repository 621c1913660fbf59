#include <math.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "rooms/materials/absorption_uncertainty.h"
#include "src/base/options/failure_text.h"
#include "src/base/table/json_values.h"
#include "src/check/check_words.h"
#include "src/run/setup_record.h"
#include "src/setup/head/dummy_head.h"
#include "src/setup/path/shortest_path.h"

/* The key of a project that corrects it, and its value. */
static void add_fix(cJSON *entry, const struct failure *what)
{
    struct advice_key fix;
    if (!advice_key(what->advice, what->advice_value, &fix)) {
        JSON_PUT(entry, {"fix", NULL});
        return;
    }
    cJSON *const object = json_object_in(entry, "fix");
    JSON_PUT(object, {"key", OF_TEXT(fix.key)});
    if (fix.word != NULL)
        JSON_PUT(object, {"value", OF_TEXT(fix.word)});
    else
        JSON_PUT(object, {"value", OF_NUMBER(fix.number)});
}

static void add_findings(cJSON *object, const struct check_report *report)
{
    static const char *const severity[CHECK_SEVERITIES] = {[CHECK_UNFIT] = "unfit",
                                                           [CHECK_MISSING] = "missing",
                                                           [CHECK_DOUBTFUL] = "doubtful",
                                                           [CHECK_HARMLESS] = "harmless"};
    cJSON *findings = json_list_in(object, "findings");
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct check_finding *finding = &report->finding[i];
        char text[CHECK_TEXT_MAX];
        cJSON *entry = json_append_object(findings);
        JSON_PUT(entry, {"severity", OF_TEXT(severity[finding->severity])},
                 {"kind", OF_TEXT(check_kinds[finding->kind].name)},
                 {"sentence", OF_TEXT(check_finding_sentence(finding, text))},
                 {"advice", OF_TEXT(check_finding_advice(finding, text))},
                 {"position_m", finding->place_count > 0 ? OF_POINT(finding->place[0]) : NULL},
                 {"value", OF_NUMBER(finding->value)}, {"unit", OF_TEXT(check_kinds[finding->kind].unit)});
        add_fix(entry, &finding->what);
        cJSON *places = json_list_in(entry, "places");
        for (size_t p = 0; p < finding->place_count; p++)
            JSON_PUT(json_append_object(places), {"position_m", OF_POINT(finding->place[p])},
                     {"size_m", OF_NUMBER(finding->size[p])}, {"length_m", OF_NUMBER(finding->length[p])});
    }
}

static void add_cavities(cJSON *object, const struct check_report *report)
{
    cJSON *cavities = json_list_in(object, "cavities");
    for (size_t i = 0; i < report->cavity_count; i++) {
        const struct check_cavity *cavity = &report->cavity[i];
        JSON_PUT(json_append_object(cavities), {"name", OF_TEXT(cavity->kind)},
                 {"volume_m3", OF_NUMBER(cavity->volume)}, {"share", OF_NUMBER(cavity->share)},
                 {"thickness_m", OF_NUMBER(cavity->thickness)}, {"position_m", OF_POINT(cavity->position)},
                 {"low_m", OF_POINT(cavity->low)}, {"high_m", OF_POINT(cavity->high)},
                 {"points", OF_TEXT(cavity->points)}, {"taken", OF_TRUTH(cavity->taken)});
    }
    JSON_PUT(object, {"cavities_further", OF_NUMBER(report->cavities_further)},
             {"cavities_further_volume_m3", OF_NUMBER(report->volume_further)});
}

/* The list is that of record_subject(), in the order of the mesh's materials; it is missing if memory ran
 * out. */
static void add_to_materials(cJSON *object, const struct check_report *report)
{
    size_t m = 0;
    const cJSON *materials = cJSON_GetObjectItemCaseSensitive(object, "materials");
    for (cJSON *entry = materials != NULL ? materials->child : NULL; entry != NULL;
         entry = entry->next, m++) {
        cJSON *bars = json_list_in(entry, "absorption_error_octaves");
        const cJSON *known;
        cJSON_ArrayForEach(known, cJSON_GetObjectItemCaseSensitive(entry, "absorption_uncertainty_octaves"))
            json_append(bars, cJSON_CreateNumber(UNCERTAINTY_BAR * known->valuedouble));
        JSON_PUT(entry, {"absorption_given", OF_TRUTH(report->material[m].given)},
                 {"reached_area_m2", OF_NUMBER(report->reached_known ? report->material[m].reached : NAN)},
                 {"touched_area_m2", OF_NUMBER(report->reached_known ? report->material[m].touched : NAN)});
    }
}

static void add_leaks(cJSON *object, const struct check_report *report)
{
    cJSON *leaks = json_list_in(object, "leaks");
    for (size_t i = 0; i < report->leak_count; i++) {
        const struct check_leak *leak = &report->leak[i];
        JSON_PUT(json_append_object(leaks), {"from", OF_TEXT(leak->from)},
                 {"spacing_m", OF_NUMBER(leak->spacing)}, {"finer", OF_TRUTH(leak->finer)},
                 {"position_m", OF_POINT(leak->leak.gap)}, {"gap_m", OF_NUMBER(leak->leak.gap_size)},
                 {"path_m", OF_POINTS(leak->leak.point_count, leak->leak.point)},
                 {"file", OF_TEXT(leak->file[0] != '\0' ? leak->file : NULL)});
    }
}

static void add_grids(cJSON *object, const struct room_check *check)
{
    cJSON *grids = json_list_in(object, "grids");
    for (size_t g = 0; g < check->grids; g++) {
        const struct receiver_grid *grid = &check->grid[g];
        JSON_PUT(json_append_object(grids), {"name", OF_TEXT(grid->name)},
                 {"audience", OF_TRUTH(grid->audience)}, {"spacing_m", OF_NUMBER(grid->spacing)},
                 {"height_m", OF_NUMBER(grid->height)}, {"points", OF_NUMBER(grid->count)},
                 {"positions_m", OF_POINTS(grid->count, grid->position)});
    }
}

/* ---- straight paths ---- */

#define PATHS_MOST     1000
#define OBSTACLES_MOST 8    /* of one path: the nearest to its source */
#define SAME_OBSTACLE  1e-6 /* triangles with a common edge, as a share of the path */

struct obstacle {
    double share; /* of the path, from its source */
    uint16_t material;
};

/* Keep it, in their order, unless it is there. Returns how many there are. */
static size_t keep_obstacle(struct obstacle list[OBSTACLES_MOST], size_t count, struct obstacle one)
{
    size_t at = count;
    for (size_t i = 0; i < count; i++)
        if (list[i].material == one.material && fabs(list[i].share - one.share) < SAME_OBSTACLE)
            return count;
    while (at > 0 && list[at - 1].share > one.share)
        at--;
    if (at == OBSTACLES_MOST)
        return count;
    count = count < OBSTACLES_MOST ? count + 1 : count;
    for (size_t i = count - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = one;
    return count;
}

static size_t find_obstacles(const struct mesh *mesh, const double from[3], const double to[3],
                             struct obstacle list[OBSTACLES_MOST])
{
    size_t count = 0;
    double along[3], e1[3], e2[3], normal[3], away[3];
    uint16_t heads = MESH_MATERIALS_MAX; /* a listener's own head is no obstacle */
    for (size_t m = 0; m < mesh->material_count; m++)
        if (strcmp(mesh->material[m], DUMMY_HEAD_MATERIAL) == 0)
            heads = (uint16_t)m;
    vector_subtract(to, from, along);
    for (size_t t = 0; t < mesh->triangle_count + mesh->sheet_count; t++) {
        const double *p = mesh->vertex[mesh->triangle[t][0]], *q = mesh->vertex[mesh->triangle[t][1]],
                     *r = mesh->vertex[mesh->triangle[t][2]];
        if (mesh->triangle_material[t] == heads || !segment_meets_triangle(from, to, p, q, r))
            continue;
        vector_subtract(q, p, e1);
        vector_subtract(r, p, e2);
        vector_cross(e1, e2, normal);
        vector_subtract(p, from, away);
        count = keep_obstacle(list, count,
                              (struct obstacle){vector_dot(normal, away) / vector_dot(normal, along),
                                                mesh->triangle_material[t]});
    }
    return count;
}

static void add_paths(cJSON *object, const struct room_setup *setup)
{
    cJSON *paths = json_list_in(object, "paths");
    const struct room_points *points = &setup->points;
    const struct mesh *mesh = &setup->model.mesh;
    for (size_t pair = 0; pair < points->sources * points->receivers && pair < PATHS_MOST; pair++) {
        const struct room_point *source = &points->point[pair / points->receivers],
                                *receiver = &points->point[points->sources + pair % points->receivers];
        struct obstacle obstacle[OBSTACLES_MOST];
        const size_t count = find_obstacles(mesh, source->position, receiver->position, obstacle);
        double along[3], at[3];
        cJSON *entry = json_append_object(paths);
        JSON_PUT(entry, {"source", OF_TEXT(source->name)}, {"receiver", OF_TEXT(receiver->name)},
                 {"distance_m", OF_NUMBER(vector_distance(source->position, receiver->position))},
                 {"clear", OF_TRUTH(count == 0)});
        cJSON *obstacles = json_list_in(entry, "obstacles");
        vector_subtract(receiver->position, source->position, along);
        for (size_t i = 0; i < count; i++) {
            vector_along(source->position, obstacle[i].share, along, at);
            JSON_PUT(json_append_object(obstacles), {"position_m", OF_POINT(at)},
                     {"material", OF_TEXT(mesh->material[obstacle[i].material])});
        }
    }
}

cJSON *check_make_json(const struct room_check *check)
{
    const struct check_report *report = &check->report;
    char why[CHECK_WHY_MAX];
    cJSON *object = cJSON_CreateObject();
    if (object == NULL)
        return NULL;
    JSON_PUT(object, {"verdict", OF_TEXT(check_report_verdict(report))},
             {"why", OF_TEXT(check_report_why(report, why))});
    const bool stops = check_report_missing(report, why)[0] != '\0';
    JSON_PUT(object, {"simulate_stops", OF_TEXT(stops ? why : NULL)});
    record_subject(object, "check", &check->setup);
    add_to_materials(object, report);
    JSON_PUT(object, {"checked_spacing_m", OF_NUMBER(report->spacing)},
             {"finer_spacing_m", OF_NUMBER(report->spacing_finer > 0 ? report->spacing_finer : NAN)},
             {"air_nodes", OF_NUMBER(check->seed_count > 0 ? (double)report->air_nodes : NAN)});
    if (report->air_nodes > 0)
        record_volume(object, &check->setup.grid.findings, report->cells_volume);
    else
        JSON_PUT(object, {"air_volume_m3", NULL}, {"air_volume_from", NULL}, {"cells_volume_m3", NULL});
    if (check->voxels.cells)
        JSON_PUT(json_object_in(object, "cut_cells"), {"nodes", OF_NUMBER(report->cut_cells)},
                 {"pieces", OF_NUMBER(report->cut_pieces)});
    add_findings(object, report);
    add_cavities(object, report);
    add_leaks(object, report);
    add_grids(object, check);
    add_paths(object, &check->setup);
    return object;
}
