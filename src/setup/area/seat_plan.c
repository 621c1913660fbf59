#include "src/setup/area/seat_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "geometry/base/text_buffer.h"
#include "geometry/base/whole_file.h"
#include "src/base/words/words.h"

#define WIDTH     900.0 /* of the plan at most [px] */
#define HEIGHT    600.0
#define MARGIN    30.0
#define LINE      20.0
#define SEAM      0.5 /* [px]: that rows overlap */
#define FURNITURE 0.4 /* [m]: height of the cut through seats */

struct plan {
    const struct receiver_grid *grid;
    const struct mesh *mesh;
    double low[2], high[2]; /* of what is drawn [m] */
    double pixels;          /* a metre */
    FILE *stream;
};

/* People on the largest floor, on others, and nobody. */
static const char *colour_of(const struct plan *plan, size_t part)
{
    static const char *const colour[] = {[AUDIENCE_SITS] = "#2a9d8f",
                                         [AUDIENCE_STAGE] = "#e76f51",
                                         [AUDIENCE_PLACE] = "#f4a261",
                                         [AUDIENCE_HIDDEN] = "#8d99ae"};
    const enum audience_verdict verdict = plan->grid->floor.part[part].verdict;
    return part > 0 && verdict == AUDIENCE_SITS ? "#3a6ea5" : colour[verdict];
}

static double x_of(const struct plan *plan, double x)
{
    return MARGIN + (x - plan->low[0]) * plan->pixels;
}

static double y_of(const struct plan *plan, double y)
{
    return MARGIN + (plan->high[1] - y) * plan->pixels;
}

static void measure(struct plan *plan)
{
    for (int axis = 0; axis < 2; axis++) {
        plan->low[axis] = INFINITY;
        plan->high[axis] = -INFINITY;
    }
    const struct audience_floor *floor = &plan->grid->floor;
    for (size_t i = 0; i < floor->samples.count; i++)
        for (int axis = 0; axis < 2; axis++) {
            plan->low[axis] = fmin(plan->low[axis], floor->samples.point[i].position[axis] - 1);
            plan->high[axis] = fmax(plan->high[axis], floor->samples.point[i].position[axis] + 1);
        }
    plan->pixels = fmin(WIDTH / (plan->high[0] - plan->low[0]), HEIGHT / (plan->high[1] - plan->low[1]));
}

/* Its samples, a rectangle for each row of neighbours. */
static void put_part(const struct plan *plan, uint32_t part)
{
    const struct audience_floor *floor = &plan->grid->floor;
    const double side = floor->samples.spacing * plan->pixels;
    fprintf(plan->stream, "<path fill=\"%s\" fill-opacity=\"0.5\" d=\"", colour_of(plan, part));
    for (size_t i = 0, end; i < floor->samples.count; i = end) {
        uint32_t last = floor->samples.point[i].column;
        end = i + 1;
        if (floor->part_of[i] != part)
            continue;
        while (end < floor->samples.count && floor->samples.point[end].row == floor->samples.point[i].row &&
               (floor->part_of[end] != part || floor->samples.point[end].column <= last + 1)) {
            last = floor->part_of[end] == part ? floor->samples.point[end].column : last;
            end++;
        }
        fprintf(plan->stream, "M%.1f %.1fh%.1fv%.1fh%.1fz",
                x_of(plan, floor->samples.point[i].position[0]) - side / 2,
                y_of(plan, floor->samples.point[i].position[1]) - side / 2,
                side * (last - floor->samples.point[i].column + 1), side + SEAM,
                -side * (last - floor->samples.point[i].column + 1));
    }
    fputs("\"/>\n", plan->stream);
}

static void put_cut(const struct plan *plan, double height, const char *stroke)
{
    fprintf(plan->stream, "<path fill=\"none\" stroke=\"%s\" d=\"", stroke);
    for (size_t t = 0; t < plan->mesh->triangle_count; t++) {
        int found = 0;
        for (int side = 0; side < 3; side++) {
            const double *a = plan->mesh->vertex[plan->mesh->triangle[t][side]],
                         *b = plan->mesh->vertex[plan->mesh->triangle[t][(side + 1) % 3]];
            if ((a[2] > height) == (b[2] > height))
                continue;
            const double along = (height - a[2]) / (b[2] - a[2]);
            fprintf(plan->stream, "%c%.1f %.1f", found++ == 0 ? 'M' : 'L',
                    x_of(plan, a[0] + along * (b[0] - a[0])), y_of(plan, a[1] + along * (b[1] - a[1])));
        }
    }
    fputs("\"/>\n", plan->stream);
}

static int put_words(const struct plan *plan, double top, struct failure *failure)
{
    const struct audience_floor *floor = &plan->grid->floor;
    for (size_t p = 0; p < floor->parts; p++, top += LINE) {
        char words[AUDIENCE_WORDS_MAX];
        struct text_buffer text = {0};
        const struct audience_floor one = {.parts = 1, .part = &floor->part[p]};
        const bool sits = floor->part[p].verdict == AUDIENCE_SITS;
        int code = text_put_xml(&text, audience_floor_words(&one, plan->mesh, words), failure);
        if (code == 0)
            fprintf(
                plan->stream,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"12\" fill=\"%s\" fill-opacity=\"0.5\"/>"
                "<text x=\"%.0f\" y=\"%.0f\">%s%.*s</text>\n",
                MARGIN, top - 10, colour_of(plan, p), MARGIN + 20, top,
                sits ? T("people sit on ") : T("nobody sits on "), (int)text.size, text.data);
        free(text.data);
        if (code != 0)
            return code;
    }
    return 0;
}

static int draw(struct plan *plan, size_t sources, const double (*source)[3], struct failure *failure)
{
    const struct receiver_grid *grid = plan->grid;
    const double width = (plan->high[0] - plan->low[0]) * plan->pixels + 2 * MARGIN,
                 bottom = (plan->high[1] - plan->low[1]) * plan->pixels + 2 * MARGIN,
                 floor = grid->floor.part[0].middle[2],
                 bar = plan->high[0] - plan->low[0] > 30  ? 10
                       : plan->high[0] - plan->low[0] > 8 ? 2
                                                          : 1;
    fprintf(
        plan->stream,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" "
        "fill=\"#fff\"/>\n",
        fmax(width, 620), bottom + LINE * (double)(grid->floor.parts + 2), fmax(width, 620),
        bottom + LINE * (double)(grid->floor.parts + 2));
    for (uint32_t p = 0; p < grid->floor.parts; p++)
        put_part(plan, p);
    put_cut(plan, floor + FURNITURE, "#999");
    put_cut(plan, floor + grid->height, "#222");
    for (size_t i = 0; i < grid->count; i++)
        fprintf(plan->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"#1d3557\"/>\n",
                x_of(plan, grid->position[i][0]), y_of(plan, grid->position[i][1]));
    for (size_t s = 0; s < sources; s++)
        fprintf(plan->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#c1121f\"/>\n",
                x_of(plan, source[s][0]), y_of(plan, source[s][1]));
    fprintf(plan->stream,
            "<path stroke=\"#222\" stroke-width=\"3\" d=\"M%.1f %.1fh%.1f\"/><text x=\"%.1f\" y=\"%.1f\">",
            MARGIN, bottom - 8, bar * plan->pixels, MARGIN + 8 + bar * plan->pixels, bottom - 4);
    const struct words_number apart = words_number("%.4g", grid->spacing),
                              height = words_number("%.4g", grid->height);
    fprintf(plan->stream,
            T("%g m; %zu listeners (dots), %s m apart, ears %s m above the floor; red: sources"), bar,
            grid->count, apart.text, height.text);
    fputs("</text>\n", plan->stream);
    TRY(put_words(plan, bottom + LINE, failure));
    fputs("</svg>\n", plan->stream);
    return 0;
}

int seat_plan_write(const struct receiver_grid *grid, const struct mesh *mesh, size_t sources,
                    const double (*source)[3], const char *path, struct failure *failure)
{
    struct plan plan = {.grid = grid, .mesh = mesh};
    struct whole_file file = {0};
    if (grid->floor.parts == 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "%s: there is no audience to draw; its places are given, or nobody can sit anywhere", path);
    measure(&plan);
    TRY(whole_file_open(&file, path, failure));
    plan.stream = file.stream;
    int code = draw(&plan, sources, source, failure);
    if (code == 0)
        code = whole_file_commit(&file, failure);
    whole_file_abandon(&file);
    return code;
}
