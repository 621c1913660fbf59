#include <math.h>

#include "src/check/check_words.h"
#include "src/base/options/failure_text.h"
#include "src/run/setup_record.h"
#include "src/base/table/json_values.h"

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
    for (cJSON *entry = materials != NULL ? materials->child : NULL; entry != NULL; entry = entry->next, m++)
        JSON_PUT(entry, {"absorption_given", OF_TRUTH(report->material[m].given)},
                 {"reached_area_m2", OF_NUMBER(report->reached_known ? report->material[m].reached : NAN)},
                 {"touched_area_m2", OF_NUMBER(report->reached_known ? report->material[m].touched : NAN)});
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
    return object;
}
