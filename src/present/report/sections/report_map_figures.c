#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/draw/html.h"
#include "src/draw/table_html.h"
#include "src/present/report/report_maps.h"
#include "src/present/report/sections/report_page.h"
#include "src/draw/map_drawing.h"
#include "src/base/words/words.h"

#define AUDIENCE   T_LATER("audience") /* a grid: its name is translated */
#define DRAWN_MOST 40                  /* of a run: later ones are left to the script */

static bool same_map(const struct report_map *a, const struct report_map *b)
{
    return a->figure == b->figure && same_name(a->grid, b->grid) && same_name(a->source, b->source);
}

/* The map of the other run that is drawn beside this one: of the same figure, octave, grid and source; or
 * NULL. */
static const struct report_map *find_beside(const struct report *report, size_t run,
                                            const struct report_map *map)
{
    if (report->runs < 2)
        return NULL;
    const struct report_run *other = &report->run[1 - run];
    for (size_t i = 0; i < other->maps.count; i++)
        if (same_map(&other->maps.item[i], map) && other->maps.item[i].octave == map->octave)
            return &other->maps.item[i];
    return NULL;
}

/* One octave of each figure is drawn: the highest up to 1 kHz, common to both runs if they share one. */
static bool is_drawn(const struct report *report, size_t run, const struct report_map *map)
{
    const struct report_run *of = &report->run[run];
    const bool shared = find_beside(report, run, map) != NULL;
    if (!(map->octave <= 1000))
        return false;
    for (size_t i = 0; i < of->maps.count; i++) {
        const struct report_map *other = &of->maps.item[i];
        if (!same_map(map, other) || !(other->octave <= 1000))
            continue;
        const bool other_shared = find_beside(report, run, other) != NULL;
        if (other_shared == shared ? other->octave > map->octave : other_shared)
            return false;
    }
    return true;
}

/* NULL where the source is not known. */
static const double *position_of(const struct report_run *run, const char *source)
{
    for (size_t p = 0; p < run->points.count; p++)
        if (run->points.item[p].is_source && same_name(run->points.item[p].name, source))
            return run->points.item[p].position;
    return NULL;
}

/* At how many places the time is of no straight decay. */
static void put_map_marks(FILE *page, const struct report_map *map, size_t run, size_t index)
{
    if (!(map->marked > 0))
        return;
    fputs("<figcaption class=\"why\">", page);
    html_number(page, map->marked, 0, 1, "runs.%zu.maps.%zu.marked_points", run, index);
    fprintf(page, T(" of %zu places have a decay that no one time describes"), map->points.count);
    html_marks(page, map->marks);
    fputs(".</figcaption>\n", page);
}

/* `words`: NULL for the name of the figure. */
static void put_drawing(FILE *page, const struct report *report, size_t run, size_t index, const char *words)
{
    const struct report_run *of = &report->run[run];
    const struct report_map *map = &of->maps.item[index], *other = find_beside(report, run, map);
    const double *position = position_of(of, map->source);
    char octave[40];
    struct text_buffer svg = {0};
    struct failure failure = {0};
    if (map->source == NULL || map->grid == NULL || of->shape.triangle_count == 0 || position == NULL ||
        !(map->spacing > 0))
        return;
    snprintf(octave, sizeof octave,
             same_name(map->from, "rays") ? T("%.0f Hz octave, from rays") : T("%.0f Hz octave"),
             map->octave);
    const struct map_drawing drawing = {.mesh = &of->shape,
                                        .grid = {.name = map->grid,
                                                 .spacing = map->spacing,
                                                 .height = map->height,
                                                 .count = map->points.count,
                                                 .position = map->points.point},
                                        .source = map->source,
                                        .source_position = position,
                                        .figure = map->figure,
                                        .octave = octave,
                                        .value = map->values.value,
                                        .other = other != NULL ? other->values.value : NULL,
                                        .other_points = other != NULL ? other->values.count : 0,
                                        .inside = true};
    if (map_drawing_svg(&drawing, &svg, &failure) == 0) {
        fprintf(page, "<figure class=\"map\" data-map=\"%zu\">\n<p class=\"caption\"><b>%s</b>%s", index,
                words != NULL ? words : T(figure_kind[map->figure].word), T(" over "));
        html_text(page, T(map->grid));
        fputs(T(", from "), page);
        html_text(page, map->source);
        fprintf(page, " (%s)</p>\n", octave);
        fwrite(svg.data, 1, svg.size, page);
        put_map_marks(page, map, run, index);
        fputs("</figure>\n", page);
    }
    free(svg.data);
}

void report_map_of(FILE *page, const struct report *report, size_t run, enum figure figure, const char *words)
{
    const struct report_run *of = &report->run[run];
    for (size_t i = 0; i < of->maps.count; i++)
        if (of->maps.item[i].figure == figure && is_drawn(report, run, &of->maps.item[i])) {
            put_drawing(page, report, run, i, words);
            return;
        }
}

bool report_has_maps(const struct report *report)
{
    for (size_t r = 0; r < report->runs; r++)
        if (report->run[r].maps.count > 0 || report->run[r].maps_left_out.count > 0)
            return true;
    return false;
}

static void put_drawings(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *of = &report->run[run];
    int drawn = 0;
    for (size_t i = 0; i < of->maps.count && drawn < DRAWN_MOST; i++)
        if (is_drawn(report, run, &of->maps.item[i])) {
            put_drawing(page, report, run, i, NULL);
            drawn++;
        }
}

void report_maps(FILE *page, const struct report *report)
{
    char least[16], part[16];
    if (!report_has_maps(report))
        return;
    snprintf(least, sizeof least, "%d", REPORT_MAP_LEAST);
    snprintf(part, sizeof part, "%d", REPORT_MAP_PART);
    REPORT_FILL(page, report, REPORT_NO_RUN, REPORT_TEMPLATE(maps), {"drawings", .part = put_drawings},
                {"least", .text = least}, {"part", .text = part});
}
