#include <math.h>

#include "src/check/check_words.h"
#include "src/run/setup_record.h"

static void add_vector(cJSON *object, const char *name, const double vector[3])
{
    cJSON_AddItemToObject(object, name, cJSON_CreateDoubleArray(vector, 3));
}

static void add_number_or_null(cJSON *object, const char *name, bool known, double value)
{
    if (known && isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_findings(cJSON *object, const struct check_report *report)
{
    static const char *const severity[CHECK_SEVERITIES] = {[CHECK_UNFIT] = "unfit",
                                                           [CHECK_MISSING] = "missing",
                                                           [CHECK_DOUBTFUL] = "doubtful",
                                                           [CHECK_HARMLESS] = "harmless"};
    cJSON *findings = cJSON_AddArrayToObject(object, "findings");
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct check_finding *finding = &report->finding[i];
        char text[CHECK_TEXT_MAX];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "severity", severity[finding->severity]);
        cJSON_AddStringToObject(entry, "kind", check_kinds[finding->kind].name);
        cJSON_AddStringToObject(entry, "sentence", check_finding_sentence(finding, text));
        cJSON_AddStringToObject(entry, "advice", check_finding_advice(finding, text));
        if (finding->place_count > 0)
            add_vector(entry, "position_m", finding->place[0]);
        else
            cJSON_AddNullToObject(entry, "position_m");
        add_number_or_null(entry, "value", true, finding->value);
        cJSON_AddStringToObject(entry, "unit", check_kinds[finding->kind].unit);
        cJSON *places = cJSON_AddArrayToObject(entry, "places");
        for (size_t p = 0; p < finding->place_count; p++) {
            cJSON *place = cJSON_CreateObject();
            add_vector(place, "position_m", finding->place[p]);
            add_number_or_null(place, "size_m", true, finding->size[p]);
            add_number_or_null(place, "length_m", true, finding->length[p]);
            cJSON_AddItemToArray(places, place);
        }
        cJSON_AddItemToArray(findings, entry);
    }
}

static void add_cavities(cJSON *object, const struct check_report *report)
{
    cJSON *cavities = cJSON_AddArrayToObject(object, "cavities");
    for (size_t i = 0; i < report->cavity_count; i++) {
        const struct check_cavity *cavity = &report->cavity[i];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", cavity->kind);
        cJSON_AddNumberToObject(entry, "volume_m3", cavity->volume);
        cJSON_AddNumberToObject(entry, "share", cavity->share);
        cJSON_AddNumberToObject(entry, "thickness_m", cavity->thickness);
        add_vector(entry, "position_m", cavity->position);
        add_vector(entry, "low_m", cavity->low);
        add_vector(entry, "high_m", cavity->high);
        cJSON_AddStringToObject(entry, "points", cavity->points);
        cJSON_AddBoolToObject(entry, "taken", cavity->taken);
        cJSON_AddItemToArray(cavities, entry);
    }
    cJSON_AddNumberToObject(object, "cavities_further", (double)report->cavities_further);
    cJSON_AddNumberToObject(object, "cavities_further_volume_m3", report->volume_further);
}

/* The list is that of record_subject(), in the order of the mesh's materials; none where memory ran out. */
static void add_to_materials(cJSON *object, const struct check_report *report)
{
    size_t m = 0;
    const cJSON *materials = cJSON_GetObjectItemCaseSensitive(object, "materials");
    for (cJSON *entry = materials != NULL ? materials->child : NULL; entry != NULL;
         entry = entry->next, m++) {
        cJSON_AddBoolToObject(entry, "absorption_given", report->material[m].given);
        add_number_or_null(entry, "reached_area_m2", report->reached_known, report->material[m].reached);
        add_number_or_null(entry, "touched_area_m2", report->reached_known, report->material[m].touched);
    }
}

static void add_leaks(cJSON *object, const struct check_report *report)
{
    cJSON *leaks = cJSON_AddArrayToObject(object, "leaks");
    for (size_t i = 0; i < report->leak_count; i++) {
        const struct check_leak *leak = &report->leak[i];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "from", leak->from);
        cJSON_AddNumberToObject(entry, "spacing_m", leak->spacing);
        cJSON_AddBoolToObject(entry, "finer", leak->finer);
        add_vector(entry, "position_m", leak->leak.gap);
        cJSON_AddNumberToObject(entry, "gap_m", leak->leak.gap_size);
        cJSON *path = cJSON_AddArrayToObject(entry, "path_m");
        for (size_t p = 0; p < leak->leak.point_count; p++)
            cJSON_AddItemToArray(path, cJSON_CreateDoubleArray(leak->leak.point[p], 3));
        if (leak->file[0] != '\0')
            cJSON_AddStringToObject(entry, "file", leak->file);
        else
            cJSON_AddNullToObject(entry, "file");
        cJSON_AddItemToArray(leaks, entry);
    }
}

cJSON *check_make_json(const struct room_check *check)
{
    const struct check_report *report = &check->report;
    char why[CHECK_WHY_MAX];
    cJSON *object = cJSON_CreateObject();
    if (object == NULL)
        return NULL;
    cJSON_AddStringToObject(object, "verdict", check_report_verdict(report));
    cJSON_AddStringToObject(object, "why", check_report_why(report, why));
    if (check_report_missing(report, why)[0] != '\0')
        cJSON_AddStringToObject(object, "simulate_stops", why);
    else
        cJSON_AddNullToObject(object, "simulate_stops");
    record_subject(object, "check", &check->setup);
    add_to_materials(object, report);
    cJSON_AddNumberToObject(object, "checked_spacing_m", report->spacing);
    add_number_or_null(object, "finer_spacing_m", report->spacing_finer > 0, report->spacing_finer);
    add_number_or_null(object, "air_nodes", check->seed_count > 0, (double)report->air_nodes);
    if (report->air_nodes > 0)
        record_volume(object, &check->setup.grid.findings, report->cells_volume);
    else {
        cJSON_AddNullToObject(object, "air_volume_m3");
        cJSON_AddNullToObject(object, "air_volume_from");
        cJSON_AddNullToObject(object, "cells_volume_m3");
    }
    if (check->voxels.cells) {
        cJSON *cells = cJSON_AddObjectToObject(object, "cut_cells");
        cJSON_AddNumberToObject(cells, "nodes", (double)report->cut_cells);
        cJSON_AddNumberToObject(cells, "pieces", (double)report->cut_pieces);
    }
    add_findings(object, report);
    add_cavities(object, report);
    add_leaks(object, report);
    return object;
}
