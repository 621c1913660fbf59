#include "src/present/compare/ray_coverage.h"

#include <math.h>

#include "src/response/acoustics/figure_table.h"

const enum figure covered_figure[COVERED_FIGURES] = {FIGURE_EDT, FIGURE_T30, FIGURE_C80, FIGURE_D50,
                                                     FIGURE_G};

static struct ray_coverage_entry entry_of(const struct run_comparison *comparison, enum figure figure,
                                          size_t band)
{
    const int rays = comparison->rays[1][band];
    struct ray_coverage_entry entry = {0};
    double squares = 0, chance = 0;
    for (size_t p = 0; p < comparison->pairs; p++) {
        const struct compared_value *value = &comparison->pair[p].octave[figure][band];
        const struct record_response *response = comparison->pair[p].response[rays];
        const double step = figure_step(figure, rays ? value->first : value->second);
        const double deviation = octave_number(&response->octaves, &response->interference.octave[figure],
                                               comparison->octaves.hz[band]);
        if (!isfinite(value->difference / step) || !isfinite(value->error))
            continue;
        entry.cells++;
        entry.within += compared_is_within_error(value);
        squares += pow(value->difference / step, 2);
        chance += pow(deviation / step, 2);
    }
    entry.rms = sqrt(squares / (double)entry.cells);
    entry.floor = sqrt(chance / (double)entry.cells);
    return entry;
}

bool ray_coverage_make(const struct run_comparison *comparison, struct ray_coverage *out)
{
    *out = (struct ray_coverage){0};
    for (size_t b = 0; b < comparison->octaves.count; b++) {
        out->octave[b] = comparison->rays[0][b] != comparison->rays[1][b];
        for (size_t f = 0; out->octave[b] && f < COVERED_FIGURES; f++) {
            out->entry[f][b] = entry_of(comparison, covered_figure[f], b);
            out->cells += out->entry[f][b].cells;
            out->within += out->entry[f][b].within;
        }
    }
    return out->cells > 0;
}
