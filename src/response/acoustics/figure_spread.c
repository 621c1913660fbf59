#include "src/response/acoustics/figure_spread.h"

#include <math.h>

#include "src/base/wrapped_text.h"

void figure_spread_add(struct figure_spread *spread, const struct acoustic_figures *figures,
                       const struct acoustic_figures *shifted)
{
    spread->responses++;
    spread->bands = figures->bands;
    spread->band = fmax(spread->band, fabs(shifted->strength - figures->strength));
    for (size_t b = 0; b < figures->bands; b++) {
        spread->centre[b] = figures->octave[b].times.centre;
        for (int f = 0; f < PRESSURE_FIGURES; f++) {
            const double value = acoustic_figure_of(&figures->octave[b], (enum figure)f);
            const double offset = acoustic_figure_of(&shifted->octave[b], (enum figure)f);
            const double apart = fabs(offset - value) / (figure_kind[f].relative ? value : 1.0);
            spread->most[f][b] = fmax(spread->most[f][b], apart); /* which leaves NaN out */
        }
    }
}

static double worst_spread(const struct figure_spread *spread, int figure)
{
    double most = 0.0;
    for (size_t b = 0; b < spread->bands; b++)
        most = fmax(most, spread->most[figure][b]);
    return most;
}

void figure_spread_print(FILE *stream, const struct figure_spread *spread)
{
    char text[600];
    if (spread->responses == 0)
        return;
    int used =
        snprintf(text, sizeof text, "on the grid offset by half a cell the level differs by at most %.2f dB",
                 spread->band);
    for (size_t b = 0; b < spread->bands; b++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d Hz %.2f dB",
                         b == 0 ? "; by octave:" : ",", octave_nominal(spread->centre[b]),
                         spread->most[FIGURE_G][b]);
    for (int f = 0; f < PRESSURE_FIGURES && spread->bands > 0; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        const char *unit = kind->relative ? "%" : kind->unit;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %.*f%s%s",
                         f == 0 ? "; figures:" : ",", kind->word, kind->relative ? 0 : kind->decimals,
                         worst_spread(spread, f) * (kind->relative ? 100.0 : 1.0), unit[0] != '\0' ? " " : "",
                         unit);
    }
    print_wrapped(stream, text, 2);
}
