#include "src/report/sections/report_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh/material_colour.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/report/sections/plan_section.h"

#define WIDTH  680.0
#define HEIGHT 460.0
#define BORDER 24.0
#define PI     3.14159265358979323846
#define SCALE  34.0 /* below, for the scale bar */

struct plan {
    FILE *page;
    double low[2], high[2]; /* [m] */
    double pixels;          /* a metre */
    double width, height;   /* [px] */
};

static double x_of(const struct plan *plan, double x)
{
    return BORDER + (x - plan->low[0]) * plan->pixels;
}

static double y_of(const struct plan *plan, double y)
{
    return plan->height - SCALE - (y - plan->low[1]) * plan->pixels;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle one of the receivers' heights; without receivers that of the sources. NaN without points. */
static double ear_height(const cJSON *points)
{
    double height[512];
    for (int k = 0; k < 2; k++) {
        size_t count = 0;
        const cJSON *point;
        cJSON_ArrayForEach(point, points)
        {
            const char *kind = record_text(point, "kind");
            const double z = record_number(point, "position_m.2");
            if (kind != NULL && strcmp(kind, k == 0 ? "receiver" : "source") == 0 && isfinite(z) &&
                count < 512)
                height[count++] = z;
        }
        if (count > 0) {
            qsort(height, count, sizeof height[0], compare_doubles);
            return height[count / 2];
        }
    }
    return NAN;
}

/* `materials` are those of the mesh, as they are called in the page. */
static void put_walls(const struct plan *plan, const struct mesh *mesh, const cJSON *materials,
                      const struct plan_line *line, size_t count)
{
    fputs("<g stroke-width=\"2\" stroke-linecap=\"round\">\n", plan->page);
    for (size_t m = 0; m < mesh->material_count; m++) {
        double rgb[3];
        bool any = false;
        material_colour(mesh->material[m], rgb);
        for (size_t i = 0; i < count; i++) {
            if (mesh->triangle_material[line[i].triangle] != m)
                continue;
            if (!any)
                fprintf(plan->page, "<path fill=\"none\" stroke=\"#%02x%02x%02x\" d=\"",
                        (unsigned)lround(rgb[0] * REPORT_PLAN_SHADE),
                        (unsigned)lround(rgb[1] * REPORT_PLAN_SHADE),
                        (unsigned)lround(rgb[2] * REPORT_PLAN_SHADE));
            any = true;
            fprintf(plan->page, "M%.1f %.1fL%.1f %.1f", x_of(plan, line[i].end[0][0]),
                    y_of(plan, line[i].end[0][1]), x_of(plan, line[i].end[1][0]),
                    y_of(plan, line[i].end[1][1]));
        }
        if (any) {
            fputs("\"><title>", plan->page);
            html_text(plan->page, record_text(cJSON_GetArrayItem(materials, (int)m), "name"));
            fputs("</title></path>\n", plan->page);
        }
    }
    fputs("</g>\n", plan->page);
}

static void put_points(const struct plan *plan, const cJSON *points)
{
    const cJSON *point;
    cJSON_ArrayForEach(point, points)
    {
        const double x = record_number(point, "position_m.0"), y = record_number(point, "position_m.1");
        const char *kind = record_text(point, "kind");
        if (!isfinite(x) || !isfinite(y) || kind == NULL)
            continue;
        const bool source = strcmp(kind, "source") == 0;
        const double at[2] = {x_of(plan, x), y_of(plan, y)};
        if (source)
            fprintf(plan->page, "<path fill=\"#D55E00\" d=\"M%.1f %.1fl7 12h-14z\"/>", at[0], at[1] - 8);
        else
            fprintf(plan->page, "<circle fill=\"#0072B2\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>", at[0], at[1]);
        fprintf(plan->page, "<text x=\"%.1f\" y=\"%.1f\">", at[0] + 9, at[1] + 4);
        html_text(plan->page, record_text(point, "name"));
        fputs("</text>\n", plan->page);
    }
}

/* The points of a way; NULL where there are none, or one is no place. */
static const cJSON *path_of(const cJSON *leak)
{
    const cJSON *path = record_at(leak, "path_m"), *point;
    cJSON_ArrayForEach(point, path)
    {
        if (!isfinite(record_number(point, "0")) || !isfinite(record_number(point, "1")))
            return NULL;
    }
    return cJSON_GetArraySize(path) > 1 ? path : NULL;
}

static void put_path(const struct plan *plan, const cJSON *path)
{
    const cJSON *point;
    char move = 'M';
    fputs("<path stroke-width=\"1.5\" d=\"", plan->page);
    cJSON_ArrayForEach(point, path)
    {
        fprintf(plan->page, "%c%.1f %.1f", move, x_of(plan, record_number(point, "0")),
                y_of(plan, record_number(point, "1")));
        move = 'L';
    }
    fputs("\"/>", plan->page);
}

/* The ways out seen from above: the path, and a ring of the opening's size where it is narrowest; dashed
 * where it was closed. */
static void put_ways_out(const struct plan *plan, const cJSON *leaks)
{
    const cJSON *leak;
    int number = -1;
    cJSON_ArrayForEach(leak, leaks)
    {
        const bool sealed = cJSON_IsTrue(record_at(leak, "sealed"));
        const double x = record_number(leak, "position_m.0"), y = record_number(leak, "position_m.1");
        const double gap = record_number(leak, "gap_m"), area = record_number(leak, "area_m2");
        const double across = isfinite(gap) ? gap : 2 * sqrt(area / PI);
        number++;
        if (!isfinite(x) || !isfinite(y))
            continue;
        fprintf(plan->page,
                "<g class=\"way-out\" data-leak=\"%d\" fill=\"none\" stroke=\"#b0003a\"%s><title>%s</title>",
                number, sealed ? " stroke-dasharray=\"3 2\"" : "", sealed ? "closed crack" : "opening");
        if (path_of(leak) != NULL)
            put_path(plan, path_of(leak));
        fprintf(plan->page, "<circle stroke-width=\"2.5\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n",
                x_of(plan, x), y_of(plan, y), fmax(isfinite(across) ? across / 2 * plan->pixels : 0, 4));
    }
}

/* Paths end outside of the model: the drawing is as large as to show them. */
static void widen(struct plan *plan, const cJSON *leaks)
{
    const cJSON *leak, *point;
    cJSON_ArrayForEach(leak, leaks)
    {
        cJSON_ArrayForEach(point, path_of(leak))
        {
            for (int axis = 0; axis < 2; axis++) {
                const double at = record_number(point, axis == 0 ? "0" : "1");
                plan->low[axis] = fmin(plan->low[axis], at);
                plan->high[axis] = fmax(plan->high[axis], at);
            }
        }
    }
}

static void put_scale(const struct plan *plan)
{
    const double metres = svg_nice_step(plan->high[0] - plan->low[0], 4), y = plan->height - 14;
    fprintf(plan->page,
            "<path stroke=\"currentColor\" fill=\"none\" d=\"M%.1f %.1fv6h%.1fv-6\"/><text x=\"%.1f\" "
            "y=\"%.1f\">%g m</text>\n",
            BORDER, y - 6, metres * plan->pixels, BORDER + metres * plan->pixels + 8, y, metres);
}

void report_plan_figure(FILE *page, const struct report *report, size_t run)
{
    const struct mesh *mesh = &report->mesh[run];
    struct failure failure = {0};
    struct plan_line *line = NULL;
    size_t count = 0;
    double low[3], high[3];
    char key[32];
    snprintf(key, sizeof key, "runs.%zu.points", run);
    const cJSON *points = record_at(report->root, key), *leaks = report_at(report, "runs.%zu.run.leaks", run);
    const double height = ear_height(points);
    if (!isfinite(height) || mesh_bounds(mesh, low, high, &failure) != 0 ||
        plan_section(mesh, height, &line, &count, &failure) != 0)
        return;
    struct plan plan = {.page = page, .low = {low[0], low[1]}, .high = {high[0], high[1]}};
    widen(&plan, leaks);
    plan.pixels = fmin((WIDTH - 2 * BORDER) / fmax(plan.high[0] - plan.low[0], 0.1),
                       (HEIGHT - BORDER - SCALE) / fmax(plan.high[1] - plan.low[1], 0.1));
    plan.width = (plan.high[0] - plan.low[0]) * plan.pixels + 2 * BORDER;
    plan.height = (plan.high[1] - plan.low[1]) * plan.pixels + BORDER + SCALE;
    fprintf(page,
            "<svg class=\"plan\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\"><title>Plan of the room, cut "
            "%.2f m "
            "up, with sources (triangles) and receivers (dots)</title>\n",
            plan.width, plan.height, plan.width, plan.height, height);
    put_walls(&plan, mesh, report_at(report, "runs.%zu.mesh.materials", run), line, count);
    put_ways_out(&plan, leaks);
    put_points(&plan, points);
    put_scale(&plan);
    fprintf(page,
            "</svg>\n<p class=\"caption\">The walls at the height of the ears, seen from above: sources are "
            "triangles, receivers dots%s.</p>\n",
            cJSON_GetArraySize(leaks) > 0
                ? ", ways out red lines with a ring where they are narrowest, dashed where "
                  "they were closed"
                : "");
    free(line);
}
