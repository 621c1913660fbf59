#include "src/run_folder/figure_spread.h"

#include <math.h>

#include "rooms/text/table_text.h"
#include "src/base/wrapped_text.h"
#include "src/response/acoustics/octave_edges.h"

#define TEXT_MAX 600

/* Over all responses, in the unit of the figure or as a share of it; figures that one grid lacks do not
 * count. */
static double worst_in_octave(const struct run_model *run, enum figure figure, size_t band)
{
    double most = 0.0;
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *response = &run->responses.item[r];
        const double apart = figure_values_octave(&response->spread, figure, band);
        most = fmax(most, figure_kind[figure].relative
                              ? apart / figure_values_octave(&response->figures, figure, band)
                              : apart);
    }
    return most;
}

void figure_spread_print(FILE *stream, const struct run_model *run)
{
    char text[TEXT_MAX] = "";
    const struct json_numbers *octaves = NULL;
    double level = 0.0;
    for (size_t r = 0; r < run->responses.count; r++)
        if (run->responses.item[r].file_shifted != NULL) {
            octaves = &run->responses.item[r].octaves;
            level = fmax(level, run->responses.item[r].spread.single[FIGURE_STRENGTH]);
        }
    if (octaves == NULL)
        return;
    text_append(text, TEXT_MAX, "on the grid offset by half a cell the level differs by at most %.2f dB",
                level);
    for (size_t b = 0; b < octaves->count; b++)
        text_append(text, TEXT_MAX, "%s %d Hz %.2f dB", b == 0 ? "; by octave:" : ",",
                    band_nominal(octaves->value[b]), worst_in_octave(run, FIGURE_G, b));
    for (int f = 0; f < PRESSURE_FIGURES && octaves->count > 0; f++) {
        const struct figure_kind *kind = &figure_kind[f];
        const char *unit = kind->relative ? "%" : kind->unit;
        double most = 0.0;
        for (size_t b = 0; b < octaves->count; b++)
            most = fmax(most, worst_in_octave(run, (enum figure)f, b));
        text_append(text, TEXT_MAX, "%s %s %.*f%s%s", f == 0 ? "; figures:" : ",", kind->word,
                    kind->relative ? 0 : kind->decimals, most * (kind->relative ? 100.0 : 1.0),
                    unit[0] != '\0' ? " " : "", unit);
    }
    print_wrapped(stream, text, 2);
}
