#include "src/draw/fit_drawing.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PI 3.14159265358979323846

static const char *const octave_name[FIT_OCTAVES] = {"63",   "125",  "250",  "500",
                                                     "1000", "2000", "4000", "8000"};

static double absorption_at(const struct branch_fit *fit, double frequency)
{
    return wall_absorption_diffuse(wall_admittance_at(fit->branch, fit->count, frequency));
}

/* "500, 1000, 2000": the octaves that were clamped */
static void name_clamped(const struct branch_fit *fit, char text[64])
{
    text[0] = '\0';
    for (int o = 0; o < FIT_OCTAVES; ++o)
        if ((fit->clamped >> o & 1) != 0) {
            if (text[0] != '\0')
                strcat(text, ", ");
            strcat(text, octave_name[o]);
        }
}

/* ---- the table ---- */

/* The mean counts from the table's value or from that of its straight lines, whichever is nearer. */
static double over_allowed(const struct branch_fit *fit, int octave)
{
    const double target = fit->target[octave], mean = fit->mean[octave];
    const double of_mean = fmin(fabs(mean - target), fabs(mean - fit->line_mean[octave]));
    return fmax(fabs(fit->centre[octave] - target), of_mean) / fit_tolerance(target);
}

static int put_octaves(const struct branch_fit *fit, struct text_buffer *out, struct failure *failure)
{
    TRY(text_print(out, failure, "      Hz    wanted   at centre   octave mean   error/allowed\n"));
    for (int o = 0; o < FIT_OCTAVES; ++o)
        TRY(text_print(out, failure, "%8s  %8.3f  %10.4f  %12.4f  %14.2f%s\n", octave_name[o], fit->target[o],
                       fit->centre[o], fit->mean[o], over_allowed(fit, o),
                       (fit->clamped >> o & 1) != 0 ? "  clamped" : ""));
    return 0;
}

static int put_branches(const struct branch_fit *fit, struct text_buffer *out, struct failure *failure)
{
    if (fit->count == 0)
        return text_print(out, failure, "\nNo branch: the wall is rigid.\n");
    TRY(text_print(out, failure, "\n  branch         D [s]         E (-)       F [1/s]   resonance [Hz]\n"));
    for (size_t m = 0; m < fit->count; ++m) {
        const struct wall_branch *branch = &fit->branch[m];
        TRY(text_print(out, failure, "%8zu  %12.5g  %12.5g  %12.5g  ", m + 1, branch->D, branch->E,
                       branch->F));
        if (branch->D > 0 && branch->F > 0)
            TRY(text_print(out, failure, "%15.1f\n", sqrt(branch->F / branch->D) / (2 * PI)));
        else
            TRY(text_print(out, failure, "%15s\n", "none"));
    }
    return 0;
}

static int put_sentences(const struct branch_fit *fit, struct text_buffer *out, struct failure *failure)
{
    TRY(text_print(
        out, failure,
        "\nLargest error over what is allowed: %.2f at centres, %.2f in octave means, %.2f between.\n",
        fit->worst_centre, fit->worst_mean, fit->worst_between));
    if (fit->clamped != 0) {
        char octaves[64];
        name_clamped(fit, octaves);
        TRY(text_print(out, failure,
                       "More than %.2f is wanted at %s Hz and taken as %.2f:\n"
                       "a wall that reacts locally absorbs no more of sound from all directions.\n",
                       FIT_ABSORPTION_MAX, octaves, FIT_ABSORPTION_MAX));
    }
    for (int o = 0; o < FIT_OCTAVES; ++o)
        if (fabs(fit->line_mean[o] - fit->target[o]) > fit_tolerance(fit->target[o]))
            TRY(text_print(
                out, failure,
                "The slope changes at %s Hz: the mean of the straight lines there is %.4f, not %.3f.\n",
                octave_name[o], fit->line_mean[o], fit->target[o]));
    if (!branch_fit_holds(fit))
        TRY(text_print(
            out, failure,
            "The fit misses: absorption changes faster from octave to octave than %d branches follow.\n",
            FIT_BRANCHES_MAX));
    if (fit->largest > FIT_SOFT)
        TRY(text_print(out, failure,
                       "The wall is soft somewhere (admittance up to %.1f): it absorbs little there because "
                       "it\nyields, and reflects with the opposite sign.\n",
                       fit->largest));
    return 0;
}

int fit_drawing_table(const char *name, const struct branch_fit *fit, struct text_buffer *out,
                      struct failure *failure)
{
    char shown[200];
    strncpy(shown, name, sizeof shown - 1);
    shown[sizeof shown - 1] = '\0';
    blot_control_characters(shown);
    TRY(text_print(out, failure, "%s: %zu %s\n\n", shown, fit->count,
                   fit->count == 1 ? "branch" : "branches"));
    TRY(put_octaves(fit, out, failure));
    TRY(put_branches(fit, out, failure));
    return put_sentences(fit, out, failure);
}

/* ---- the drawing ---- */

/* Frame of the curves in a picture of 640 x 400. */
#define LEFT   64.0
#define RIGHT  624.0
#define TOP    56.0
#define BOTTOM 344.0
#define STEPS  (24 * FIT_OCTAVES) /* of the curve */

static double x_of(double octaves)
{
    return LEFT + (RIGHT - LEFT) * (octaves + 0.5) / FIT_OCTAVES;
}

static double y_of(double absorption, double most)
{
    return BOTTOM - (BOTTOM - TOP) * absorption / most;
}

static double frequency_of(double octaves)
{
    return fit_centre(0) * pow(10, 0.3 * octaves);
}

static double octaves_of(int step)
{
    return (double)step * FIT_OCTAVES / STEPS - 0.5;
}

static double scale_of(const struct branch_fit *fit)
{
    static const double scale[] = {0.05, 0.1, 0.2, 0.5, 1};
    double most = 0;
    size_t s = 0;
    for (int k = 0; k <= STEPS; ++k) {
        const double frequency = frequency_of(octaves_of(k)), target = fit_target_at(fit->target, frequency);
        most = fmax(most, fmax(absorption_at(fit, frequency), target + 2 * fit_tolerance(target)));
    }
    while (s + 1 < sizeof scale / sizeof scale[0] && scale[s] < most)
        ++s;
    return scale[s];
}

static int put_axes(double most, struct text_buffer *out, struct failure *failure)
{
    for (int n = 0; n <= 5; ++n) {
        const double value = most * n / 5, y = y_of(value, most);
        TRY(text_print(out, failure,
                       "<line x1=\"%.1f\" y1=\"%.2f\" x2=\"%.1f\" y2=\"%.2f\" stroke=\"#ddd\"/>\n"
                       "<text x=\"%.1f\" y=\"%.2f\" text-anchor=\"end\">%g</text>\n",
                       LEFT, y, RIGHT, y, LEFT - 8, y + 4, value));
    }
    for (int o = 0; o < FIT_OCTAVES; ++o)
        TRY(text_print(out, failure,
                       "<line x1=\"%.2f\" y1=\"%.1f\" x2=\"%.2f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
                       "<text x=\"%.2f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
                       x_of(o), TOP, x_of(o), BOTTOM, x_of(o), BOTTOM + 18, octave_name[o]));
    return text_print(
        out, failure,
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#666\"/>\n"
        "<text x=\"%.1f\" y=\"386\" text-anchor=\"middle\">frequency in Hz</text>\n"
        "<text transform=\"translate(18 %.1f) rotate(-90)\" text-anchor=\"middle\">absorption, "
        "random incidence</text>\n",
        LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, 0.5 * (LEFT + RIGHT), 0.5 * (TOP + BOTTOM));
}

/* Draw the tolerance, also between the octaves' centres. */
static int put_band(const struct branch_fit *fit, double most, struct text_buffer *out,
                    struct failure *failure)
{
    TRY(text_print(out, failure, "<polygon fill=\"#d8e6f3\" points=\""));
    for (int side = 1; side >= -1; side -= 2)
        for (int n = 0; n <= STEPS; ++n) {
            const double octaves = octaves_of(side > 0 ? n : STEPS - n);
            const double target = fit_target_at(fit->target, frequency_of(octaves));
            const double edge = fmax(0, fmin(most, target + side * 2 * fit_tolerance(target)));
            TRY(text_print(out, failure, "%.2f,%.2f ", x_of(octaves), y_of(edge, most)));
        }
    return text_print(out, failure, "\"/>\n");
}

static int put_curve(const struct branch_fit *fit, double most, struct text_buffer *out,
                     struct failure *failure)
{
    TRY(text_print(out, failure,
                   "<polyline fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"1.8\" points=\""));
    for (int n = 0; n <= STEPS; ++n) {
        const double octaves = octaves_of(n), value = absorption_at(fit, frequency_of(octaves));
        TRY(text_print(out, failure, "%.2f,%.2f ", x_of(octaves), y_of(value, most)));
    }
    return text_print(out, failure, "\"/>\n");
}

static int put_targets(const struct branch_fit *fit, double most, struct text_buffer *out,
                       struct failure *failure)
{
    for (int o = 0; o < FIT_OCTAVES; ++o)
        TRY(text_print(
            out, failure,
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"%s\" stroke=\"#b3361b\" stroke-width=\"1.5\">"
            "<title>%s Hz: wanted %.3f, fit %.4f</title></circle>\n",
            x_of(o), y_of(fit->target[o], most), (fit->clamped >> o & 1) != 0 ? "#b3361b" : "#fff",
            octave_name[o], fit->target[o], fit->centre[o]));
    return 0;
}

int fit_drawing_svg(const char *name, const struct branch_fit *fit, struct text_buffer *out,
                    struct failure *failure)
{
    const double most = scale_of(fit);
    TRY(text_print(
        out, failure,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" viewBox=\"0 0 640 400\" "
        "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>"));
    TRY(text_put_xml(out, name, failure));
    TRY(text_print(out, failure, "</title>\n<rect width=\"640\" height=\"400\" fill=\"#fff\"/>\n"));
    TRY(text_print(out, failure, "<text x=\"%.1f\" y=\"24\" font-size=\"15\">", LEFT));
    TRY(text_put_xml(out, name, failure));
    TRY(text_print(out, failure,
                   "</text>\n<text x=\"%.1f\" y=\"44\">%zu %s; circles: wanted%s; band: allowed</text>\n",
                   LEFT, fit->count, fit->count == 1 ? "branch" : "branches",
                   fit->clamped != 0 ? " (filled: more than 0.95, taken as that)" : ""));
    TRY(put_band(fit, most, out, failure));
    TRY(put_axes(most, out, failure));
    TRY(put_curve(fit, most, out, failure));
    TRY(put_targets(fit, most, out, failure));
    return text_print(out, failure, "</svg>\n");
}
