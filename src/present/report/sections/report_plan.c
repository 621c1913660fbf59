#include "src/present/report/sections/report_drawing.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/base/sorted_doubles.h"
#include "src/draw/html.h"
#include "src/draw/svg_plot.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_targets.h"
#include "src/present/report/report_geometry.h"
#include "src/present/report/report_speech.h"
#include "src/base/words/words.h"

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

/* The middle one of the receivers' heights; without receivers that of the sources. NaN without points. */
static double ear_height(const struct report_run *run)
{
    double height[512];
    for (int k = 0; k < 2; k++) {
        size_t count = 0;
        for (size_t p = 0; p < run->points.count && count < 512; p++) {
            const struct report_point *point = &run->points.item[p];
            if (point->is_source == (k == 1) && isfinite(point->position[2]))
                height[count++] = point->position[2];
        }
        if (count > 0) {
            sort_doubles(height, count);
            return height[count / 2];
        }
    }
    return NAN;
}

/* The name of a material in the page; NULL if the page has no mesh. */
static const char *name_of(const struct report_run *run, size_t material)
{
    return run->mesh != NULL && material < run->mesh->surfaces.count ? run->mesh->surfaces.item[material].name
                                                                     : NULL;
}

/* Cut a triangle by the plane z = height: `end`, in x and y. A triangle in the plane has no line. Corners at
 * the height count as above it, so an edge in the plane is cut by at most one of its two triangles. */
static bool cut_triangle(const struct mesh *mesh, size_t triangle, double height, double end[2][2])
{
    int ends = 0;
    for (int c = 0; c < 3; c++) {
        const double *a = mesh->vertex[mesh->triangle[triangle][c]],
                     *b = mesh->vertex[mesh->triangle[triangle][(c + 1) % 3]];
        if ((a[2] < height) == (b[2] < height))
            continue;
        const double part = (height - a[2]) / (b[2] - a[2]);
        for (int axis = 0; axis < 2; axis++)
            end[ends][axis] = a[axis] + part * (b[axis] - a[axis]);
        ends++;
    }
    return ends == 2;
}

static void put_walls(const struct plan *plan, const struct report_run *run, double height)
{
    const struct mesh *mesh = &run->shape;
    double end[2][2];
    fputs("<g stroke-width=\"2\" stroke-linecap=\"round\">\n", plan->page);
    for (size_t m = 0; m < mesh->material_count; m++) {
        double rgb[3];
        bool any = false;
        if (run->mesh != NULL)
            memcpy(rgb, run->mesh->surfaces.item[m].colour, sizeof rgb);
        else
            report_surface_colour(run->model, mesh->material[m], rgb);
        for (size_t t = 0; t < mesh->triangle_count; t++) {
            if (mesh->triangle_material[t] != m || !cut_triangle(mesh, t, height, end))
                continue;
            if (!any)
                fprintf(plan->page, "<path fill=\"none\" stroke=\"#%02x%02x%02x\" d=\"",
                        (unsigned)lround(rgb[0] * REPORT_PLAN_SHADE),
                        (unsigned)lround(rgb[1] * REPORT_PLAN_SHADE),
                        (unsigned)lround(rgb[2] * REPORT_PLAN_SHADE));
            any = true;
            fprintf(plan->page, "M%.1f %.1fL%.1f %.1f", x_of(plan, end[0][0]), y_of(plan, end[0][1]),
                    x_of(plan, end[1][0]), y_of(plan, end[1][1]));
        }
        if (any) {
            fputs("\"><title>", plan->page);
            html_text(plan->page, name_of(run, m));
            fputs("</title></path>\n", plan->page);
        }
    }
    fputs("</g>\n", plan->page);
}

#define LETTER 11.0 /* wide, as on a telephone [px] */
#define NAMES  400

struct names {
    size_t count;
    double box[NAMES][4];
};

/* Is there room for a name, beside those before? */
static bool take_place(struct names *names, double x, double y, double width)
{
    const double box[4] = {x, y - 17, x + width, y + 6};
    for (size_t i = 0; i < names->count; i++) {
        const double *other = names->box[i];
        if (box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])
            return false;
    }
    if (names->count == NAMES)
        return false;
    memcpy(names->box[names->count++], box, sizeof box);
    return true;
}

/* Beside its point, on the right side of the plan to the left, else above or below; left out where all is
 * taken. */
static void put_name(const struct plan *plan, struct names *names, const double at[2], const char *name,
                     const char *word)
{
    static const double down[] = {4, -14, 24, -36, 44};
    const double width = LETTER * (double)(strlen(name) + (word != NULL ? strlen(word) + 2 : 0));
    const bool left = at[0] > 0.6 * plan->width;
    size_t d = 0;
    while (d < sizeof down / sizeof *down &&
           !take_place(names, left ? at[0] - 9 - width : at[0] + 9, at[1] + down[d], width))
        d++;
    if (d == sizeof down / sizeof *down)
        return;
    fprintf(plan->page, "<text x=\"%.1f\" y=\"%.1f\"%s>", left ? at[0] - 9 : at[0] + 9, at[1] + down[d],
            left ? " text-anchor=\"end\"" : "");
    html_text(plan->page, name);
    fprintf(plan->page, "%s%s</text>\n", word != NULL ? ": " : "", word != NULL ? word : "");
}

/* What the worst heard source is like there; NULL: not known. */
static const char *speech_at(const struct report_run *run, const char *receiver, enum report_verdict *verdict)
{
    const char *found = NULL;
    double least = INFINITY;
    *verdict = VERDICT_NOTE;
    for (size_t i = 0; i < run->responses.count; i++) {
        const struct record_response *record = run->responses.item[i].record;
        const double sti = record->figures.single[FIGURE_STI];
        if (sti < least && same_name(record->receiver, receiver)) {
            found = report_speech_word(sti, verdict);
            least = sti;
        }
    }
    return found;
}

static void put_points(const struct plan *plan, const struct report_run *run)
{
    static const char *const fill[] = {[VERDICT_POOR] = "#c8372d",
                                       [VERDICT_FAIR] = "#c47a00",
                                       [VERDICT_UNSURE] = "#0072B2",
                                       [VERDICT_GOOD] = "#1f8a4c",
                                       [VERDICT_NOTE] = "#0072B2"};
    struct names names = {0};
    for (size_t p = 0; p < run->points.count; p++) {
        const struct report_point *point = &run->points.item[p];
        if (!isfinite(point->position[0]))
            continue;
        const double at[2] = {x_of(plan, point->position[0]), y_of(plan, point->position[1])};
        enum report_verdict verdict;
        const char *const word = point->is_source ? NULL : speech_at(run, point->name, &verdict);
        if (point->is_source)
            fprintf(plan->page, "<path fill=\"#D55E00\" d=\"M%.1f %.1fl7 12h-14z\"/>", at[0], at[1] - 8);
        else
            fprintf(plan->page, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>", fill[verdict], at[0],
                    at[1]);
        put_name(plan, &names, at, point->name, word != NULL ? T(word) : NULL);
    }
}

/* Has a leak a path, and is every point of it a place? */
static bool has_path(const struct record_leak *leak)
{
    for (size_t i = 0; i < leak->path.count; i++)
        if (!isfinite(leak->path.point[i][0]))
            return false;
    return leak->path.count > 1;
}

static void put_path(const struct plan *plan, const struct json_points *path)
{
    fputs("<path stroke-width=\"1.5\" d=\"", plan->page);
    for (size_t i = 0; i < path->count; i++)
        fprintf(plan->page, "%c%.1f %.1f", i == 0 ? 'M' : 'L', x_of(plan, path->point[i][0]),
                y_of(plan, path->point[i][1]));
    fputs("\"/>", plan->page);
}

/* Leak paths seen from above, with a ring of the opening's size where they are narrowest; dashed where it was
 * closed. */
static void put_leaks(const struct plan *plan, const struct run_model *model)
{
    for (size_t i = 0; i < model->leaks.count; i++) {
        const struct record_leak *leak = &model->leaks.item[i];
        const double across = isfinite(leak->gap) ? leak->gap : 2 * sqrt(leak->area / PI);
        if (!isfinite(leak->position[0]))
            continue;
        fprintf(plan->page,
                "<g class=\"leak\" data-leak=\"%zu\" fill=\"none\" stroke=\"#b0003a\"%s><title>%s</title>", i,
                leak->sealed ? " stroke-dasharray=\"3 2\"" : "",
                leak->sealed ? T("closed crack") : T("opening"));
        if (has_path(leak))
            put_path(plan, &leak->path);
        fprintf(plan->page, "<circle stroke-width=\"2.5\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n",
                x_of(plan, leak->position[0]), y_of(plan, leak->position[1]),
                fmax(isfinite(across) ? across / 2 * plan->pixels : 0, 4));
    }
}

/* Leak paths end outside of the model: the drawing is as large as to show them. */
static void widen_by_paths(struct plan *plan, const struct run_model *model)
{
    for (size_t i = 0; i < model->leaks.count; i++) {
        const struct record_leak *leak = &model->leaks.item[i];
        for (size_t p = 0; has_path(leak) && p < leak->path.count; p++)
            for (int axis = 0; axis < 2; axis++) {
                plan->low[axis] = fmin(plan->low[axis], leak->path.point[p][axis]);
                plan->high[axis] = fmax(plan->high[axis], leak->path.point[p][axis]);
            }
    }
}

static void put_scale(const struct plan *plan)
{
    const double metres = svg_nice_step(plan->high[0] - plan->low[0], 4), y = plan->height - 14;
    fprintf(plan->page,
            "<path stroke=\"currentColor\" fill=\"none\" d=\"M%.1f %.1fv6h%.1fv-6\"/><text x=\"%.1f\" "
            "y=\"%.1f\">%s m</text>\n",
            BORDER, y - 6, metres * plan->pixels, BORDER + metres * plan->pixels + 8, y,
            words_number("%g", metres).text);
}

/* Open a drawing of at most `width` by `height` [px]; false if there is nothing to draw. */
static bool begin_plan(struct plan *plan, const struct report_run *run, const char *class, double width,
                       double height)
{
    struct failure failure = {0};
    double low[3], high[3];
    if (!isfinite(ear_height(run)) || mesh_bounds(&run->shape, low, high, &failure) != 0)
        return false;
    for (int axis = 0; axis < 2; axis++) {
        plan->low[axis] = low[axis];
        plan->high[axis] = high[axis];
    }
    widen_by_paths(plan, run->model);
    plan->pixels = fmin((width - 2 * BORDER) / fmax(plan->high[0] - plan->low[0], 0.1),
                        (height - BORDER - SCALE) / fmax(plan->high[1] - plan->low[1], 0.1));
    plan->width = (plan->high[0] - plan->low[0]) * plan->pixels + 2 * BORDER;
    plan->height = (plan->high[1] - plan->low[1]) * plan->pixels + BORDER + SCALE;
    fprintf(plan->page,
            "<svg class=\"%s\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\"><title>",
            class, plan->width, plan->height, plan->width, plan->height);
    return true;
}

void report_plan_figure(FILE *page, const struct report *report, size_t run)
{
    const struct report_run *of = &report->run[run];
    struct plan plan = {.page = page};
    if (!begin_plan(&plan, of, "plan", 680, 460))
        return;
    fprintf(page, T("Plan of the room, cut %s m up, with sources (triangles) and receivers (dots)"),
            words_number("%.2f", ear_height(of)).text);
    fputs("</title>\n", page);
    put_walls(&plan, of, ear_height(of));
    put_leaks(&plan, of->model);
    put_points(&plan, of);
    put_scale(&plan);
    fprintf(page, "</svg>\n<p class=\"caption\">%s%s.</p>\n",
            T("The walls at the height of the ears, seen from above: sources are triangles, receivers dots"),
            of->model->leaks.count > 0
                ? T(", the paths by which sound leaves red lines with a ring where they are "
                    "narrowest, dashed where they were closed")
                : "");
}

/* A dot meets the target, a cross misses it, a ring may do either; a short line has no value. */
static void put_seat(const struct plan *plan, const double *position, const char *verdict)
{
    const double x = x_of(plan, position[0]), y = y_of(plan, position[1]);
    if (strcmp(verdict, "met") == 0)
        fprintf(plan->page, "<circle class=\"met\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"/>", x, y);
    else if (strcmp(verdict, "unsure") == 0)
        fprintf(plan->page, "<circle class=\"unsure\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\"/>", x, y);
    else if (strcmp(verdict, "not met") == 0)
        fprintf(plan->page, "<path class=\"not-met\" d=\"M%.1f %.1fl5 5m0-5l-5 5\"/>", x - 2.5, y - 2.5);
    else
        fprintf(plan->page, "<path class=\"not-known\" d=\"M%.1f %.1fh4\"/>", x - 2, y);
}

void report_seat_plan(FILE *page, const struct report_run *run, const struct report_cell *cell)
{
    const struct report_seats *seats = &cell->seats;
    struct plan plan = {.page = page};
    double low, high;
    if (!report_target_limits(cell->aim->target, report_room_volume(run->model), &low, &high) ||
        !begin_plan(&plan, run, "seats", 340, 260))
        return;
    fprintf(page, "%s</title>\n", T("Plan of the room with the places that meet the recommendation, or not"));
    put_walls(&plan, run, ear_height(run));
    for (size_t i = 0; i < seats->count; i++)
        put_seat(&plan, seats->position[i],
                 report_target_verdict(low, high, seats->value[i], seats->error[i]));
    for (size_t i = 0; i < seats->count; i++)
        if (seats->value[i] == cell->worst)
            fprintf(page, "<circle class=\"worst\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>",
                    x_of(&plan, seats->position[i][0]), y_of(&plan, seats->position[i][1]));
    put_scale(&plan);
    fputs("</svg>\n", page);
}
