/* Against too long a reverberation: how much to add, of what, where, and what it does. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/cut_text.h"
#include "src/base/words/words.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_findings.h"
#include "src/response/acoustics/speech_transmission.h"

#define SABINE   0.161 /* [s/m] */
#define HARD     0.2   /* absorbs less than this at 500 Hz */
#define LEVEL    0.9   /* upward part of the normal of a floor */
#define NAMED    2     /* hard surfaces */
#define EAR_HIGH 1.2   /* [m] */

const char *const report_absorber[REPORT_ABSORBERS] = {
    T_LATER("acoustic plaster 25mm"), T_LATER("perforated gypsum ceiling"), T_LATER("microperforated foil")};

/* ---- where ---- */

/* Area of a triangle, and how much of its normal is upright. */
static double measure_triangle(const struct mesh *mesh, size_t t, double *upright)
{
    const double *a = mesh->vertex[mesh->triangle[t][0]], *b = mesh->vertex[mesh->triangle[t][1]],
                 *c = mesh->vertex[mesh->triangle[t][2]];
    double normal[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    *upright = length > 0 ? fabs(normal[2]) / length : 0;
    return length / 2;
}

/* The area of a surface that nobody walks or sits on: its share of it by the model, with what is level and
 * below the ears left out. */
static double find_free_area(const struct report_run *run, const struct record_material *material)
{
    const struct mesh *mesh = &run->shape;
    double ears = INFINITY, all = 0, free_part = 0;
    for (size_t p = 0; p < run->points.count; p++)
        if (!run->points.item[p].is_source)
            ears = fmin(ears, run->points.item[p].position[2]);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double upright;
        const double area = measure_triangle(mesh, t, &upright);
        if (!same_name(mesh->material[mesh->triangle_material[t]], material->name))
            continue;
        all += area;
        free_part += upright > LEVEL && !(mesh->vertex[mesh->triangle[t][0]][2] > ears) ? 0 : area;
    }
    return all > 0 ? material->area * free_part / all : material->area;
}

/* "plaster wall (1287 m2) and stone arch (77 m2)": those that reflect most of the late sound, which comes
 * from all sides; their area, or 0. */
static double name_hard(const struct report_run *run, char *text, size_t size)
{
    const struct record_room *room = &run->model->room;
    double before = INFINITY, sum = 0;
    text[0] = '\0';
    for (int n = 0; n < NAMED; n++) {
        const struct record_material *most = NULL;
        double area = 0;
        for (size_t m = 0; m < room->materials.count; m++) {
            const struct record_material *material = &room->materials.item[m];
            const double free_area = material->absorption_used < HARD && isnan(material->audience)
                                         ? find_free_area(run, material)
                                         : 0;
            if (free_area > area && free_area < before && free_area > sum / 4) {
                most = material;
                area = free_area;
            }
        }
        if (most == NULL)
            break;
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%.*s (%.0f m\xC2\xB2)", n > 0 ? T(" and ") : "",
                 CUT_TEXT(most->name, 60), area);
        before = area;
        sum += area;
    }
    return sum;
}

/* ---- what it does ---- */

/* The speech transmission index of a decay that is exponential in all octaves alike. */
static double index_of_decay(double time)
{
    double mti[SPEECH_OCTAVES] = {0};
    for (int f = 0; f < SPEECH_MODULATIONS; f++) {
        const double phase = 2 * acos(-1) * speech_modulation[f] * time / (6 * log(10));
        mti[0] += speech_transfer_index(1 / sqrt(1 + phase * phase)) / SPEECH_MODULATIONS;
    }
    for (int k = 1; k < SPEECH_OCTAVES; k++)
        mti[k] = mti[0];
    return speech_index(mti);
}

static void add_speech(const struct report_run *run, double mean, double aim, char *text, size_t size)
{
    const double sti = report_figure_spread(run, FIGURE_STI, REPORT_BAND_WHOLE, NULL).mean;
    if (isfinite(sti))
        snprintf(text, size,
                 T(" Speech would then have an STI of about %s instead of %s, if the sound decays evenly."),
                 words_number("%.2f", fmin(sti + index_of_decay(aim) - index_of_decay(mean), 1)).text,
                 words_number("%.2f", sti).text);
    else
        snprintf(text, size, "%s", T(" What it does to speech is not known: this run has no STI."));
}

/* ---- the advice ---- */

void report_absorber_advise(const struct report_run *run, double mean, double aim, struct report_finding *out)
{
    const double volume = report_room_volume(run->model);
    const double area = fabs(SABINE * volume * (1 / aim - 1 / mean)) / REPORT_ABSORBER;
    const double step = pow(10, floor(log10(fmax(area, 10)))) / 2, whole = round(area / step) * step;
    const double percent = 100 * REPORT_ABSORBER;
    const struct words_number time = words_number("%.1f", aim);
    char where[200], speech[200];
    if (!(volume > 0))
        return;
    if (aim > mean) {
        snprintf(out->advice, sizeof out->advice,
                 T("For more reverberation: take away about %.0f m\xC2\xB2 of what absorbs %.0f %% of the "
                   "sound, which brings it to %s s."),
                 whole, percent, time.text);
        return;
    }
    snprintf(out->advice, sizeof out->advice,
             T("Against the reverberation: add about %.0f m\xC2\xB2 of a surface that absorbs %.0f %% of "
               "the sound, as %s, %s and %s do. By Sabine's formula that brings it to %s s."),
             whole, percent, T(report_absorber[0]), T(report_absorber[1]), T(report_absorber[2]), time.text);
    add_speech(run, mean, aim, speech, sizeof speech);
    size_t used = strlen(out->advice);
    used += (size_t)snprintf(out->advice + used, sizeof out->advice - used, "%s", speech);
    const double hard = name_hard(run, where, sizeof where);
    if (hard > 0)
        used += (size_t)snprintf(out->advice + used, sizeof out->advice - used,
                                 hard < whole ? T(" The largest hard surfaces are too small for it: %s.")
                                              : T(" Begin where most of the late sound is reflected: %s."),
                                 where);
    snprintf(out->advice + used, sizeof out->advice - used, "%s",
             T(" People absorb, too: an occupied room needs less."));
}
