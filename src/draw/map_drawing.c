#include "src/draw/map_drawing.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/sorted_doubles.h"
#include "src/draw/map_scale.h"
#include "src/base/words/words.h"

#define PLAN_WIDTH     660.0 /* of the plan at most [px] */
#define PLAN_HEIGHT    560.0
#define LEFT           52.0
#define TOP            72.0
#define TOP_INSIDE     18.0
#define GAP            28.0  /* between plan and legend */
#define LEGEND         190.0 /* its width, for so many characters */
#define LEGEND_COLUMNS 27
#define SWATCH         20.0
#define CAPTION        22.0 /* above a plan, where there are several */
#define AXIS           48.0 /* below a plan */
#define LINE           16.0
#define BORDER         0.02 /* around the plan, of its larger side */

struct drawing {
    const struct map_drawing *map;
    struct map_scale scale;
    size_t present; /* values that are there; 0: `scale` has no meaning */
    double mean, least, most;
    size_t levels, *level;  /* (points) 0 where nothing of the grid is below */
    double (*heights)[3];   /* (levels) of its points: lowest, median, highest [m] */
    double low[2], high[2]; /* of the plan [m] */
    double pixels;          /* a metre */
    double width, height;   /* of one plan [px] */
    struct text_buffer *out;
    int code; /* of the first failure to write, after which nothing is written */
    struct failure *failure;
};

/* ---- writing ---- */

__attribute__((format(printf, 2, 3))) static void put(struct drawing *drawing, const char *format, ...)
{
    char text[TEXT_BUFFER_LINE];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof text);
    if (drawing->code == 0)
        drawing->code = text_put(drawing->out, text, (size_t)length, drawing->failure);
}

static void put_xml(struct drawing *drawing, const char *text)
{
    if (drawing->code == 0)
        drawing->code = text_put_xml(drawing->out, text, drawing->failure);
}

const char *map_point_name(const char *grid, size_t index, char name[MAP_POINT_NAME_MAX])
{
    snprintf(name, MAP_POINT_NAME_MAX, "%s-%zu", grid, index + 1);
    return name;
}

/* ---- where things are ---- */

static int find_levels(struct drawing *drawing, struct failure *failure)
{
    const struct map_points *grid = &drawing->map->grid;
    double *z = calloc(grid->count + 1, sizeof *z);
    drawing->level = calloc(grid->count + 1, sizeof *drawing->level);
    drawing->heights = calloc(grid->count + 1, sizeof *drawing->heights);
    if (z == NULL || drawing->level == NULL || drawing->heights == NULL) {
        free(z);
        return failure_memory(failure, grid->count * sizeof *drawing->heights, "a map");
    }
    drawing->levels = 1;
    for (size_t i = 1; i < grid->count; i++) {
        const double *at = grid->position[i], *last = grid->position[i - 1];
        if (at[0] == last[0] && at[1] == last[1])
            drawing->level[i] = drawing->level[i - 1] + 1;
        if (drawing->level[i] >= drawing->levels)
            drawing->levels = drawing->level[i] + 1;
    }
    for (size_t level = 0; level < drawing->levels; level++) {
        size_t count = 0;
        for (size_t i = 0; i < grid->count; i++)
            if (drawing->level[i] == level)
                z[count++] = grid->position[i][2];
        sort_doubles(z, count);
        memcpy(drawing->heights[level], (const double[3]){z[0], z[count / 2], z[count - 1]},
               sizeof *drawing->heights);
    }
    free(z);
    return 0;
}

/* Cut a triangle by the plane z = height: two ends in plan. False if they do not meet. */
static bool cut_triangle(const struct mesh *mesh, size_t triangle, double height, double end[2][2])
{
    int found = 0;
    for (int side = 0; side < 3 && found < 2; side++) {
        const double *a = mesh->vertex[mesh->triangle[triangle][side]],
                     *b = mesh->vertex[mesh->triangle[triangle][(side + 1) % 3]];
        if ((a[2] > height) == (b[2] > height))
            continue;
        const double t = (height - a[2]) / (b[2] - a[2]);
        end[found][0] = a[0] + t * (b[0] - a[0]);
        end[found][1] = a[1] + t * (b[1] - a[1]);
        found++;
    }
    return found == 2;
}

static void include_point(struct drawing *drawing, double x, double y)
{
    drawing->low[0] = fmin(drawing->low[0], x);
    drawing->low[1] = fmin(drawing->low[1], y);
    drawing->high[0] = fmax(drawing->high[0], x);
    drawing->high[1] = fmax(drawing->high[1], y);
}

/* The plan holds every level's cut, all squares and the source. */
static void find_extent(struct drawing *drawing)
{
    const struct map_drawing *map = drawing->map;
    const double half = map->grid.spacing / 2;
    drawing->low[0] = drawing->low[1] = INFINITY;
    drawing->high[0] = drawing->high[1] = -INFINITY;
    for (size_t level = 0; level < drawing->levels; level++) {
        double end[2][2];
        for (size_t t = 0; t < map->mesh->triangle_count; t++)
            if (cut_triangle(map->mesh, t, drawing->heights[level][1], end)) {
                include_point(drawing, end[0][0], end[0][1]);
                include_point(drawing, end[1][0], end[1][1]);
            }
    }
    for (size_t i = 0; i < map->grid.count; i++) {
        include_point(drawing, map->grid.position[i][0] - half, map->grid.position[i][1] - half);
        include_point(drawing, map->grid.position[i][0] + half, map->grid.position[i][1] + half);
    }
    include_point(drawing, map->source_position[0], map->source_position[1]);
    const double border =
        BORDER * fmax(drawing->high[0] - drawing->low[0], drawing->high[1] - drawing->low[1]);
    for (int axis = 0; axis < 2; axis++) {
        drawing->low[axis] -= border;
        drawing->high[axis] += border;
    }
    const double size[2] = {drawing->high[0] - drawing->low[0], drawing->high[1] - drawing->low[1]};
    drawing->pixels = fmin(PLAN_WIDTH / size[0], PLAN_HEIGHT / size[1]);
    drawing->width = size[0] * drawing->pixels;
    drawing->height = size[1] * drawing->pixels;
}

static double x_of(const struct drawing *drawing, double x)
{
    return LEFT + (x - drawing->low[0]) * drawing->pixels;
}

static double y_of(const struct drawing *drawing, double top, double y)
{
    return top + (drawing->high[1] - y) * drawing->pixels;
}

/* A whole 1, 2 or 5 times a power of ten metres, `share` of the larger side or less. */
static double round_length(const struct drawing *drawing, double share)
{
    const double wanted = share * fmax(drawing->width, drawing->height) / drawing->pixels;
    const double ten = pow(10, floor(log10(wanted)));
    return wanted >= 5 * ten ? 5 * ten : wanted >= 2 * ten ? 2 * ten : ten;
}

/* ---- the plan ---- */

static void put_ticks(struct drawing *drawing, double top)
{
    const double step = round_length(drawing, 0.15), bottom = top + drawing->height;
    for (double x = ceil(drawing->low[0] / step) * step; x <= drawing->high[0]; x += step)
        put(drawing,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888\"/>"
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"11\">%s</text>\n",
            x_of(drawing, x), bottom, x_of(drawing, x), bottom + 4, x_of(drawing, x), bottom + 16,
            words_number("%g", x + 0.0).text);
    for (double y = ceil(drawing->low[1] / step) * step; y <= drawing->high[1]; y += step)
        put(drawing,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888\"/>"
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" font-size=\"11\">%s</text>\n",
            LEFT - 4, y_of(drawing, top, y), LEFT, y_of(drawing, top, y), LEFT - 7, y_of(drawing, top, y) + 4,
            words_number("%g", y + 0.0).text);
    put(drawing,
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
        "stroke=\"#bbb\"/>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" font-size=\"11\">x [m]"
        "</text>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" font-size=\"11\">y [m]</text>\n",
        LEFT, top, drawing->width, drawing->height, LEFT + drawing->width, bottom + 34, LEFT - 4, top - 4);
}

static void put_cells(struct drawing *drawing, size_t level, double top)
{
    const struct map_drawing *map = drawing->map;
    const struct figure_kind *kind = &figure_kind[map->figure];
    const double side = map->grid.spacing * drawing->pixels;
    put(drawing, "<g shape-rendering=\"crispEdges\">\n");
    for (size_t i = 0; i < map->grid.count; i++) {
        char colour[MAP_COLOUR_MAX], name[MAP_POINT_NAME_MAX];
        const double *at = map->grid.position[i];
        const bool present = isfinite(map->value[i]);
        if (drawing->level[i] != level)
            continue;
        put(drawing,
            "<rect class=\"cell\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"><title>",
            x_of(drawing, at[0]) - side / 2, y_of(drawing, top, at[1]) - side / 2, side, side,
            present
                ? map_scale_colour(&drawing->scale, map_scale_class(&drawing->scale, map->value[i]), colour)
                : "url(#absent)");
        put_xml(drawing, map_point_name(map->grid.name, i, name));
        if (present)
            put(drawing, ": %s %s</title></rect>\n",
                words_number("%.*f", kind->decimals + 1, map->value[i]).text, kind->unit);
        else
            put(drawing, ": %s</title></rect>\n", T("absent"));
    }
    put(drawing, "</g>\n");
}

#define DIGIT 5.0 /* width of a digit of VALUE [px] */
#define VALUE 9   /* size of the numbers in cells [px] */

/* The text of a cell on hover, for paper too: its value, where all of them fit into their cells.
 * Light on the darker half of the colours. */
static void put_values(struct drawing *drawing, size_t level, double top)
{
    const struct map_drawing *map = drawing->map;
    const int decimals = figure_kind[map->figure].decimals;
    const double side = map->grid.spacing * drawing->pixels;
    for (size_t i = 0; i < map->grid.count; i++)
        if (side < DIGIT * (double)(strlen(words_number("%.*f", decimals, map->value[i]).text) + 1))
            return;
    put(drawing, "<g font-size=\"%d\" text-anchor=\"middle\">\n", VALUE);
    for (size_t i = 0; i < map->grid.count; i++) {
        const double *at = map->grid.position[i], value = map->value[i];
        if (drawing->level[i] != level || !isfinite(value))
            continue;
        const bool dark = 2 * map_scale_class(&drawing->scale, value) < drawing->scale.classes;
        put(drawing, "<text class=\"value\" x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n",
            x_of(drawing, at[0]), y_of(drawing, top, at[1]) + VALUE / 3.0, dark ? "#fff" : "#111",
            words_number("%.*f", decimals, value).text);
    }
    put(drawing, "</g>\n");
}

static void put_walls(struct drawing *drawing, double height, double top)
{
    const struct mesh *mesh = drawing->map->mesh;
    double end[2][2];
    put(drawing, "<path fill=\"none\" stroke=\"#222\" stroke-width=\"1.2\" stroke-linecap=\"round\" d=\"");
    for (size_t t = 0; t < mesh->triangle_count; t++)
        if (cut_triangle(mesh, t, height, end))
            put(drawing, "M%.1f %.1fL%.1f %.1f", x_of(drawing, end[0][0]), y_of(drawing, top, end[0][1]),
                x_of(drawing, end[1][0]), y_of(drawing, top, end[1][1]));
    put(drawing, "\"/>\n");
}

static void put_source(struct drawing *drawing, double top)
{
    const struct map_drawing *map = drawing->map;
    const double x = x_of(drawing, map->source_position[0]), y = y_of(drawing, top, map->source_position[1]);
    const bool right = x < LEFT + 0.7 * drawing->width;
    put(drawing,
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#fff\" stroke=\"#c1121f\" stroke-width=\"2.5\"/>"
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\" fill=\"#c1121f\"/>\n"
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-weight=\"bold\" fill=\"#c1121f\" "
        "stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">",
        x, y, x, y, right ? x + 11 : x - 11, y + 4, right ? "start" : "end");
    put_xml(drawing, map->source);
    put(drawing, "</text>\n");
}

static void put_scale_bar(struct drawing *drawing, double top)
{
    const double length = round_length(drawing, 0.25), bottom = top + drawing->height + 38;
    put(drawing,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#222\" stroke-width=\"3\"/>"
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\">%s m</text>\n",
        LEFT, bottom, LEFT + length * drawing->pixels, bottom, LEFT + length * drawing->pixels + 6,
        bottom + 4, words_number("%g", length).text);
}

static void put_plan(struct drawing *drawing, size_t level, double top)
{
    const double *height = drawing->heights[level];
    if (drawing->levels > 1) {
        char range[64] = "";
        if (height[2] > height[0] + 0.005)
            snprintf(range, sizeof range, T(" to %s"), words_number("%.2f", height[2]).text);
        put(drawing, "<text x=\"%.1f\" y=\"%.1f\">", LEFT + 8, top - 6);
        put(drawing, T("level %zu: ears at %s%s m"), level + 1, words_number("%.2f", height[0]).text, range);
        put(drawing, "</text>\n");
    }
    put_cells(drawing, level, top);
    put_values(drawing, level, top);
    put_walls(drawing, height[1], top);
    put_ticks(drawing, top);
    put_source(drawing, top);
    put_scale_bar(drawing, top);
}

/* ---- the legend ---- */

static void put_classes(struct drawing *drawing, double x, double top)
{
    const struct map_scale *scale = &drawing->scale;
    const double bottom = top + SWATCH * (double)scale->classes;
    for (size_t c = 0; c < scale->classes; c++) {
        char colour[MAP_COLOUR_MAX];
        put(drawing, "<rect x=\"%.1f\" y=\"%.1f\" width=\"26\" height=\"%.1f\" fill=\"%s\"/>\n", x,
            bottom - SWATCH * (double)(c + 1), SWATCH, map_scale_colour(scale, c, colour));
    }
    for (size_t c = 0; c <= scale->classes; c++) {
        const double y = bottom - SWATCH * (double)c;
        const bool open = (c == 0 && scale->below) || (c == scale->classes && scale->above);
        if (open)
            put(drawing, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x + 35, y + 4,
                c == 0 ? T("and less") : T("and more"));
        else
            put(drawing,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#222\"/>"
                "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                x + 26, y, x + 31, y, x + 35, y + 4,
                words_number("%.*f", scale->decimals, scale->low + scale->step * (double)c + 0.0).text);
    }
}

/* In lines of `columns` characters, broken at blanks. */
static void put_words(struct drawing *drawing, double x, double *y, size_t columns, const char *text)
{
    while (*text != '\0') {
        size_t length = strlen(text);
        char line[200];
        if (length > columns) {
            length = columns;
            while (length > 0 && text[length] != ' ')
                length--;
            length = length == 0 ? columns : length;
        }
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        put(drawing, "<text x=\"%.1f\" y=\"%.1f\">", x, *y);
        put_xml(drawing, line);
        put(drawing, "</text>\n");
        *y += LINE;
        text += length;
        text += strspn(text, " ");
    }
}

/* What a step of the scale is, and the values: into `text`, of 2 lines. */
static void find_statistics(const struct drawing *drawing, char text[2][160])
{
    const struct figure_kind *kind = &figure_kind[drawing->map->figure];
    const int decimals = kind->decimals;
    if (kind->relative)
        snprintf(text[0], sizeof text[0], T("one step: %d JND of %s %% of the mean%s (ISO 3382-1)"),
                 drawing->scale.differences, words_number("%g", 100 * kind->jnd).text,
                 drawing->map->other != NULL ? T(" of both runs") : "");
    else
        snprintf(text[0], sizeof text[0], T("one step: %d JND of %s%s%s (ISO 3382-1)"),
                 drawing->scale.differences, words_number("%g", kind->jnd).text,
                 kind->unit[0] != '\0' ? " " : "", kind->unit);
    snprintf(text[1], sizeof text[1], T("mean %s, from %s to %s%s%s"),
             words_number("%.*f", decimals, drawing->mean).text,
             words_number("%.*f", decimals, drawing->least).text,
             words_number("%.*f", decimals, drawing->most).text, kind->unit[0] != '\0' ? " " : "",
             kind->unit);
}

/* How high the legend is, with at most three lines a paragraph. */
static double legend_height(const struct drawing *drawing)
{
    return 30 + SWATCH * (double)drawing->scale.classes + 12 * LINE;
}

static void put_legend(struct drawing *drawing, double x, double top)
{
    const struct map_drawing *map = drawing->map;
    const struct figure_kind *kind = &figure_kind[map->figure];
    char text[160], statistics[2][160];
    double y = top + 14;
    snprintf(text, sizeof text, kind->unit[0] != '\0' ? "%s [%s]" : "%s", kind->word, kind->unit);
    put(drawing, "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">%s</text>\n", x, y, text);
    y += 12;
    if (drawing->present > 0) {
        put_classes(drawing, x, y);
        y += SWATCH * (double)drawing->scale.classes + 2 * LINE;
        find_statistics(drawing, statistics);
        put_words(drawing, x, &y, LEGEND_COLUMNS, statistics[0]);
        y += 6;
        put_words(drawing, x, &y, LEGEND_COLUMNS, statistics[1]);
    }
    y += 6;
    snprintf(text, sizeof text, T("%zu points, %s m apart, %s m above the floor"), map->grid.count,
             words_number("%.4g", map->grid.spacing).text, words_number("%.4g", map->grid.height).text);
    put_words(drawing, x, &y, LEGEND_COLUMNS, text);
    if (drawing->present == map->grid.count)
        return;
    y += 10;
    put(drawing,
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"26\" height=\"16\" fill=\"url(#absent)\" stroke=\"#999\"/>"
        "<text x=\"%.1f\" y=\"%.1f\">",
        x, y, x + 33, y + 13);
    put(drawing, T("absent: %zu of %zu"), map->grid.count - drawing->present, map->grid.count);
    put(drawing, "</text>\n");
}

/* A class as "\xE2\x88\x929 to \xE2\x88\x927 dB". */
static void put_class_item(struct drawing *drawing, size_t c)
{
    const struct map_scale *scale = &drawing->scale;
    const char *const unit = figure_kind[drawing->map->figure].unit;
    const double low = scale->low + scale->step * (double)c, high = low + scale->step;
    const struct words_number from = words_number("%.*f", scale->decimals, low + 0.0),
                              to = words_number("%.*f", scale->decimals, high + 0.0);
    char colour[MAP_COLOUR_MAX];
    put(drawing,
        "<li><svg class=\"swatch\" width=\"14\" height=\"14\" aria-hidden=\"true\"><rect width=\"14\" "
        "height=\"14\" fill=\"%s\"/></svg>",
        map_scale_colour(scale, c, colour));
    if (c == 0 && scale->below)
        put(drawing, T("below %s"), to.text);
    else if (c + 1 == scale->classes && scale->above)
        put(drawing, T("above %s"), from.text);
    else
        put(drawing, T("%s to %s"), from.text, to.text);
    put(drawing, "%s%s</li>\n", unit[0] != '\0' ? "&nbsp;" : "", unit);
}

static void put_key(struct drawing *drawing)
{
    const struct map_points *grid = &drawing->map->grid;
    char statistics[2][160];
    put(drawing, "<ul class=\"key\">\n");
    for (size_t c = 0; drawing->present > 0 && c < drawing->scale.classes; c++)
        put_class_item(drawing, c);
    if (drawing->present < grid->count) {
        put(drawing, "<li><svg class=\"swatch\" width=\"14\" height=\"14\" aria-hidden=\"true\"><rect "
                     "width=\"14\" height=\"14\" fill=\"url(#absent)\"/></svg>");
        put(drawing, T("absent: %zu of %zu"), grid->count - drawing->present, grid->count);
        put(drawing, "</li>\n");
    }
    put(drawing, "</ul>\n<p class=\"why\">");
    if (drawing->present > 0) {
        find_statistics(drawing, statistics);
        put(drawing, "%s; %s; ", statistics[1], statistics[0]);
    }
    put(drawing, T("%zu points, %s m apart, %s m above the floor"), grid->count,
        words_number("%.4g", grid->spacing).text, words_number("%.4g", grid->height).text);
    put(drawing, ".</p>\n");
}

/* ---- the whole ---- */

static void put_head(struct drawing *drawing, double width, double height)
{
    const struct map_drawing *map = drawing->map;
    if (map->inside) {
        put(drawing,
            "<svg role=\"img\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\"><title>%s, %s</title>\n",
            width, height, width, height, figure_kind[map->figure].word, map->octave);
        return;
    }
    put(drawing,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
        "%.0f\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n",
        width, height, width, height);
    for (int place = 0; place < 2; place++) {
        put(drawing, place == 0 ? "<title>" : "<text x=\"%.1f\" y=\"28\" font-size=\"17\">", LEFT);
        put(drawing, "%s, %s", figure_kind[map->figure].word, map->octave);
        put(drawing,
            place == 0 ? "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n" : "</text>\n",
            width, height);
    }
    put(drawing, "<text x=\"%.1f\" y=\"47\">%s", LEFT, T("source "));
    put_xml(drawing, map->source);
    put(drawing, "%s", T(", receiver grid "));
    put_xml(drawing, map->grid.name);
    put(drawing, "</text>\n<defs><pattern id=\"absent\" width=\"5\" height=\"5\" "
                 "patternUnits=\"userSpaceOnUse\"><rect width=\"5\" height=\"5\" fill=\"#f4f4f4\"/>"
                 "<path d=\"M-1 1L1 -1M0 5L5 0M4 6L6 4\" stroke=\"#888\" stroke-width=\"0.9\"/></pattern>"
                 "</defs>\n");
}

/* A scale for all values of the map. */
static int make_scale(struct drawing *drawing, struct failure *failure)
{
    const struct map_drawing *map = drawing->map;
    drawing->least = INFINITY;
    drawing->most = -INFINITY;
    for (size_t i = 0; i < map->grid.count; i++)
        if (isfinite(map->value[i])) {
            drawing->least = fmin(drawing->least, map->value[i]);
            drawing->most = fmax(drawing->most, map->value[i]);
            drawing->mean += map->value[i];
            drawing->present++;
        }
    if (drawing->present == 0)
        return 0;
    drawing->mean /= (double)drawing->present;
    const size_t own = map->grid.count, count = own + map->other_points;
    double *value = calloc(count + 1, sizeof *value);
    if (value == NULL)
        return failure_memory(failure, count * sizeof *value, "the scale of a map");
    for (size_t i = 0; i < count; i++)
        value[i] = i < own ? map->value[i] : map->other[i - own];
    const int code = map_scale_make(map->figure, value, count, &drawing->scale, failure);
    free(value);
    return code;
}

static int draw_map(struct drawing *drawing, struct failure *failure)
{
    const struct map_drawing *map = drawing->map;
    TRY(make_scale(drawing, failure));
    TRY(find_levels(drawing, failure));
    find_extent(drawing);
    const double caption = drawing->levels > 1 ? CAPTION : 0, panel = caption + drawing->height + AXIS;
    const double top = map->inside ? TOP_INSIDE : TOP, plans = top + panel * (double)drawing->levels;
    const size_t columns = (size_t)((drawing->width + GAP + LEGEND) / 6.4);
    const double words = map->why != NULL ? LINE * (double)(strlen(map->why) / (columns / 2) + 2) : 0;
    const double bottom = map->inside ? plans : fmax(plans, top + legend_height(drawing));
    const double width = LEFT + drawing->width + (map->inside ? 12 : GAP + LEGEND);
    put_head(drawing, width, bottom + words + (map->inside ? 0 : 12));
    for (size_t level = 0; level < drawing->levels; level++)
        put_plan(drawing, level, top + panel * (double)level + caption);
    if (map->inside) {
        put(drawing, "</svg>\n");
        put_key(drawing);
        return drawing->code;
    }
    put_legend(drawing, LEFT + drawing->width + GAP, TOP);
    if (map->why != NULL) {
        char text[400];
        double y = bottom + LINE;
        snprintf(text, sizeof text, T("absent, the first of them because: %s"), map->why);
        put_words(drawing, LEFT, &y, columns, text);
    }
    put(drawing, "</svg>\n");
    return drawing->code;
}

int map_drawing_svg(const struct map_drawing *map, struct text_buffer *out, struct failure *failure)
{
    struct drawing drawing = {.map = map, .out = out, .failure = failure};
    const int code = draw_map(&drawing, failure);
    free(drawing.level);
    free(drawing.heights);
    return code;
}
