/* The table and the drawing of a fit: XML that is well formed, with every target where the axes say. */

#include "src/draw/fit_drawing.h"
#include "tests/support/test_support.h"

static const double rows[][FIT_OCTAVES] = {
    {0.05, 0.05, 0.12, 0.35, 0.45, 0.38, 0.36, 0.36},
    {0.01, 0.01, 0.01, 0.01, 0.02, 0.02, 0.02, 0.02},
    {0.48, 0.48, 0.97, 1, 0.97, 1, 1, 1},
    {0.1, 0.1, 0.45, 0.85, 0.3, 0.1, 0.05, 0.05},
    {0, 0, 0, 0, 0, 0, 0, 0},
    {0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03},
};
#define ROWS (sizeof rows / sizeof rows[0])

static struct branch_fit fit_of(size_t row)
{
    struct branch_fit fit;
    cr_assert(branch_fit(rows[row], 6, &fit, NULL) == 0);
    return fit;
}

static char *drawn(const char *name, const struct branch_fit *fit)
{
    struct text_buffer out = {0};
    cr_assert(fit_drawing_svg(name, fit, &out, NULL) == 0);
    cr_assert(eq(sz, strlen(out.data), out.size));
    return out.data;
}

/* The number after `attribute` in the element that holds `at`. */
static double attribute_before(const char *text, const char *at, const char *attribute)
{
    const char *begin = at;
    while (begin > text && *begin != '<')
        --begin;
    const char *found = strstr(begin, attribute);
    cr_assert(found != NULL && found < at, "%s", attribute);
    return strtod(found + strlen(attribute), NULL);
}

/* Where a label of the axis is. */
static double label_at(const char *text, const char *label, const char *attribute)
{
    char mark[32];
    (void)snprintf(mark, sizeof mark, ">%s</text>", label);
    const char *found = strstr(text, mark);
    cr_assert(found != NULL, "no label %s", label);
    return attribute_before(text, found, attribute);
}

Test(fit_drawing, targets_and_curve_are_where_the_axes_have_them)
{
    static const char *const octave[FIT_OCTAVES] = {"63",   "125",  "250",  "500",
                                                    "1000", "2000", "4000", "8000"};
    static const char *const top[ROWS] = {"0.5", "0.05", "1", "1", "0.05", "0.05"};
    for (size_t row = 0; row < ROWS; ++row) {
        const struct branch_fit fit = fit_of(row);
        char *text = drawn("x", &fit);
        const double most = strtod(top[row], NULL), zero = label_at(text, "0", " y=\"") - 4;
        const double rise = (zero - (label_at(text, top[row], " y=\"") - 4)) / most;
        int circles = 0;
        cr_assert(test_above(rise * most, 200));
        for (const char *at = text; (at = strstr(at, "<circle ")) != NULL; ++circles) {
            cr_assert(test_at_most((double)circles, FIT_OCTAVES - 1));
            const char *end = strchr(at, '>');
            const double target = fmin(0.95, rows[row][circles]), x = attribute_before(text, end, " cx=\"");
            cr_assert(test_near(x, label_at(text, octave[circles], " x=\""), 0.011));
            cr_assert(test_near(attribute_before(text, end, " cy=\""), zero - rise * target, 0.03), "%s Hz",
                      octave[circles]);
            const bool filled = strncmp(strstr(at, "fill=\"") + 6, "#fff", 4) != 0;
            cr_assert(filled == (rows[row][circles] > 0.95));
            /* the curve at the centre, between its points */
            const char *points = strstr(strstr(text, "<polyline "), "points=\"") + 8;
            double before_x = NAN, before_y = NAN, y = NAN;
            while (*points != '"') {
                char *next;
                const double here_x = strtod(points, &next), here_y = strtod(next + 1, &next);
                if (before_x <= x && x <= here_x)
                    y = before_y + (here_y - before_y) * (x - before_x) / (here_x - before_x);
                before_x = here_x;
                before_y = here_y;
                points = next + 1;
            }
            cr_assert(test_near(y, zero - rise * fit.centre[circles], 0.5),
                      "%s Hz: the curve is at %g, not %g", octave[circles], y,
                      zero - rise * fit.centre[circles]);
            at = end;
        }
        cr_assert(eq(int, circles, FIT_OCTAVES));
        free(text);
    }
}

static char *tabulated(const char *name, const struct branch_fit *fit)
{
    struct text_buffer out = {0};
    cr_assert(fit_drawing_table(name, fit, &out, NULL) == 0);
    return out.data;
}

Test(fit_drawing, the_table_holds_octaves_and_branches_as_they_are)
{
    for (size_t row = 0; row < ROWS; ++row) {
        const struct branch_fit fit = fit_of(row);
        char *text = tabulated("red velvet", &fit), *line;
        cr_assert(strncmp(text, "red velvet: ", 12) == 0);
        size_t octaves = 0, branches = 0;
        for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            double value[5];
            const int count =
                sscanf(line, "%lf %lf %lf %lf %lf", &value[0], &value[1], &value[2], &value[3], &value[4]);
            cr_assert(test_at_most((double)strlen(line), 100), "%s", line);
            if (count == 5 && octaves < FIT_OCTAVES) {
                cr_assert(test_near(value[1], fit.target[octaves], 5.1e-4));
                cr_assert(test_near(value[2], fit.centre[octaves], 5.1e-5));
                cr_assert(test_near(value[3], fit.mean[octaves], 5.1e-5));
                const bool printed = strstr(line, "clamped") != NULL;
                cr_assert(printed == (rows[row][octaves] > 0.95));
                ++octaves;
            } else if (octaves == FIT_OCTAVES && branches < fit.count && count >= 4) {
                const struct wall_branch *branch = &fit.branch[branches++];
                cr_assert(test_near(value[0], (double)branches, 0));
                cr_assert(test_near(value[1], branch->D, 1e-4 * branch->D));
                cr_assert(test_near(value[2], branch->E, 1e-4 * branch->E));
                cr_assert(test_near(value[3], branch->F, 1e-4 * branch->F));
                const double omega = 2 * 3.14159265358979 * value[4];
                if (branch->D > 0 && branch->F > 0)
                    cr_assert(test_near(omega * omega * branch->D, branch->F, 0.12 / value[4] * branch->F));
                else
                    cr_assert(strstr(line, "none") != NULL);
            }
        }
        cr_assert(octaves == FIT_OCTAVES && branches == fit.count);
        free(text);
    }
}
