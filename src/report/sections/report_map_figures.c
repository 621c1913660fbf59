#include <math.h>
#include <stdlib.h>

#include "geometry/base/base64.h"
#include "src/draw/html.h"
#include "src/report/report_maps.h"
#include "src/report/report_page.h"
#include "src/run/map_drawing.h"

#define DRAWN_MOST 40 /* of a run: later ones are left to the script */

static int figure_of(const char *name)
{
    for (int f = 0; name != NULL && f < PRESSURE_FIGURES; f++)
        if (strcmp(figure_kind[f].name, name) == 0)
            return f;
    return -1;
}

static bool same_text(const cJSON *a, const cJSON *b, const char *name)
{
    const char *p = record_text(a, name), *q = record_text(b, name);
    return p != NULL && q != NULL && strcmp(p, q) == 0;
}

static bool same_map(const cJSON *a, const cJSON *b)
{
    return same_text(a, b, "figure") && same_text(a, b, "grid") && same_text(a, b, "source");
}

/* The map of the other run that is drawn beside this one: of the same figure, octave, grid and source; or
 * NULL. */
static const cJSON *beside(const struct report *report, size_t run, const cJSON *map)
{
    const cJSON *other;
    if (report->runs < 2)
        return NULL;
    cJSON_ArrayForEach(other, report_at(report, "runs.%zu.maps", 1 - run))
    {
        if (same_map(other, map) && record_number(other, "octave_hz") == record_number(map, "octave_hz"))
            return other;
    }
    return NULL;
}

/* One octave of each figure is drawn: the highest up to 1 kHz, of those that both runs have where they share
 * one. */
static bool is_drawn(const struct report *report, size_t run, const cJSON *map)
{
    const double octave = record_number(map, "octave_hz");
    const cJSON *const maps = report_at(report, "runs.%zu.maps", run), *other;
    const bool shared = beside(report, run, map) != NULL;
    if (!(octave <= 1000))
        return false;
    cJSON_ArrayForEach(other, maps)
    {
        const double another = record_number(other, "octave_hz");
        if (!same_map(map, other) || !(another <= 1000))
            continue;
        const bool other_shared = beside(report, run, other) != NULL;
        if (other_shared == shared ? another > octave : other_shared)
            return false;
    }
    return true;
}

static const double *position_of(const struct report *report, size_t run, const char *source,
                                 double position[3])
{
    const cJSON *point;
    cJSON_ArrayForEach(point, report_at(report, "runs.%zu.points", run))
    {
        const char *kind = record_text(point, "kind"), *name = record_text(point, "name");
        if (kind == NULL || name == NULL || strcmp(kind, "source") != 0 || strcmp(name, source) != 0)
            continue;
        position[0] = record_number(point, "position_m.0");
        position[1] = record_number(point, "position_m.1");
        position[2] = record_number(point, "position_m.2");
        return position;
    }
    return NULL;
}

/* The points of a map as a grid, for its drawing. `value` (count) goes with it. False without memory. */
static bool read_points(const cJSON *map, struct receiver_grid *grid, double **value)
{
    const cJSON *point, *item = record_at(map, "values");
    const size_t count = (size_t)cJSON_GetArraySize(record_at(map, "points"));
    grid->position = malloc((count + 1) * sizeof *grid->position);
    *value = malloc((count + 1) * sizeof **value);
    if (grid->position == NULL || *value == NULL)
        return false;
    item = item != NULL ? item->child : NULL;
    cJSON_ArrayForEach(point, record_at(map, "points"))
    {
        for (int axis = 0; axis < 3; axis++)
            grid->position[grid->count][axis] = cJSON_GetNumberValue(cJSON_GetArrayItem(point, axis));
        (*value)[grid->count++] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
        item = item != NULL ? item->next : NULL;
    }
    return true;
}

/* Of two, in the name of a picture. */
static void put_run_name(FILE *page, const struct report *report, size_t run)
{
    if (report->runs < 2)
        return;
    fprintf(page, ", %c ", 'A' + (int)run);
    html_text(page, record_text(report_at(report, "runs.%zu", run), "name"));
}

static void put_drawing(FILE *page, const struct report *report, size_t run, int index)
{
    const cJSON *map = report_at(report, "runs.%zu.maps.%d", run, index);
    const char *source = record_text(map, "source"), *name = record_text(map, "grid");
    const int figure = figure_of(record_text(map, "figure"));
    const cJSON *other = beside(report, run, map);
    struct receiver_grid grid = {.spacing = record_number(map, "spacing_m"),
                                 .height = record_number(map, "height_m")},
                         other_grid = {0};
    double *value = NULL, *other_value = NULL, position[3];
    char octave[40];
    struct text_buffer svg = {0};
    struct failure failure = {0};
    if (source == NULL || name == NULL || figure < 0 || report->mesh[run].triangle_count == 0 ||
        position_of(report, run, source, position) == NULL || !(grid.spacing > 0))
        return;
    snprintf(octave, sizeof octave, "%.0f Hz octave", record_number(map, "octave_hz"));
    snprintf(grid.name, sizeof grid.name, "%s", name);
    const bool read =
        read_points(map, &grid, &value) && (other == NULL || read_points(other, &other_grid, &other_value));
    const struct map_drawing drawing = {.mesh = &report->mesh[run],
                                        .grid = &grid,
                                        .source = source,
                                        .source_position = position,
                                        .figure = (enum figure)figure,
                                        .octave = octave,
                                        .value = value,
                                        .other = other_value,
                                        .other_points = other_grid.count,
                                        .narrow = report->runs > 1};
    if (read && map_drawing_svg(&drawing, &svg, &failure) == 0) {
        fprintf(page, "<figure class=\"map\" data-map=\"%d\">\n<img alt=\"%s over ", index,
                figure_kind[figure].word);
        html_text(page, name);
        fputs(", from ", page);
        html_text(page, source);
        put_run_name(page, report, run);
        fputs("\" src=\"data:image/svg+xml;base64,", page);
        base64_write(page, svg.data, svg.size);
        fputs("\">\n</figure>\n", page);
    }
    free(svg.data);
    free(value);
    free(other_value);
    free(grid.position);
    free(other_grid.position);
}

bool report_has_maps(const struct report *report)
{
    for (size_t r = 0; r < report->runs; r++)
        if (cJSON_GetArraySize(report_at(report, "runs.%zu.maps", r)) > 0 ||
            cJSON_GetArraySize(report_at(report, "runs.%zu.maps_left_out", r)) > 0)
            return true;
    return false;
}

/* The next octave of the same figure, grid and source? */
static bool goes_on(const cJSON *map)
{
    return map->next != NULL && same_text(map, map->next, "word") && same_text(map, map->next, "grid") &&
           same_text(map, map->next, "source");
}

/* Which maps are not there, a line for each figure, grid and source. */
static void put_left_out(FILE *page, const struct report *report, size_t run)
{
    const cJSON *root = report->root, *map;
    const int count = cJSON_GetArraySize(report_at(report, "runs.%zu.maps_left_out", run));
    int index = 0;
    bool begun = false;
    if (count == 0)
        return;
    fprintf(page,
            "<details class=\"left-out\"><summary>%d map%s left out, for too few places have a "
            "value</summary>\n<p>A map is shown where at least %d places, and at least one in %d, have a "
            "value. Under "
            "Every response stands why a value is absent.</p>\n<ul>\n",
            count, count == 1 ? " is" : "s are", REPORT_MAP_LEAST, REPORT_MAP_PART);
    cJSON_ArrayForEach(map, report_at(report, "runs.%zu.maps_left_out", run))
    {
        if (!begun) {
            fputs("<li>", page);
            html_string(page, root, "runs.%zu.maps_left_out.%d.word", run, index);
            fputs(" over ", page);
            html_string(page, root, "runs.%zu.maps_left_out.%d.grid", run, index);
            fputs(" from ", page);
            html_string(page, root, "runs.%zu.maps_left_out.%d.source", run, index);
            fputs(": ", page);
        }
        html_number(page, root, 0, 1, "runs.%zu.maps_left_out.%d.octave_hz", run, index);
        fputs("&nbsp;Hz (", page);
        html_number(page, root, 0, 1, "runs.%zu.maps_left_out.%d.known", run, index);
        fputs(" of ", page);
        html_number(page, root, 0, 1, "runs.%zu.maps_left_out.%d.places", run, index);
        begun = goes_on(map);
        fputs(begun ? "), " : " places)</li>\n", page);
        index++;
    }
    fputs("</ul>\n</details>\n", page);
}

void report_maps(FILE *page, const struct report *report)
{
    if (!report_has_maps(report))
        return;
    report_section_begin(page, "maps", "Maps");
    fputs(
        "<p>Each map shows one figure over an area of the room, and each of its squares is a place to listen "
        "at. One step of colour is a just noticeable difference, or several where the legend says so; a "
        "hatched place has no value.",
        page);
    fputs(report->runs > 1 ? " Maps of the same figure have one scale in both runs.</p>\n" : "</p>\n", page);
    for (size_t r = 0; r < report->runs; r++) {
        const cJSON *maps = report_at(report, "runs.%zu.maps", r), *map;
        int index = 0, drawn = 0;
        report_run_begin(page, report, r);
        cJSON_ArrayForEach(map, maps)
        {
            if (drawn < DRAWN_MOST && is_drawn(report, r, map)) {
                put_drawing(page, report, r, index);
                drawn++;
            }
            index++;
        }
        put_left_out(page, report, r);
        if (report->runs > 1)
            report_run_end(page);
    }
    if (report->runs > 1)
        fputs("</div>\n", page);
    report_section_end(page);
}
