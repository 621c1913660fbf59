#include "src/run/plan/room_reverberation.h"

#include <math.h>

#include "blocks/sheets/sheet_links.h"
#include "rooms/materials/absorption.h"
#include "rooms/materials/material.h"
#include "src/setup/room_grid.h"

/* The highest frequency of a response, so that octave_centres() gives all of them. */
#define HIGHEST_EDGE 24000.0

/* Random-incidence absorption of a wall material in each octave, from its branches; above 8 kHz as at 8
 * kHz. The open faces of a scene have admittance 1, and walls without a material are rigid. */
static void absorption_of(const struct room_model *model, uint16_t material, size_t bands,
                          double absorption[OCTAVE_BANDS_MAX])
{
    for (size_t b = 0; b < bands; b++) {
        const size_t octave = b < MATERIAL_OCTAVES ? b : MATERIAL_OCTAVES - 1;
        absorption[b] = material == VOXELS_OPEN_FACE            ? absorption_from_admittance(1)
                        : material < model->mesh.material_count ? model->surface[material].used[octave]
                                                                : 0;
    }
}

/* Absorption of one side of the sheets on a link; two sheets count as one of twice the resistance and
 * mass. */
static void absorption_of_sheets(const struct room_model *model, const struct sheet_link *link, size_t bands,
                                 double absorption[OCTAVE_BANDS_MAX])
{
    struct material_sheet both = model->surface[link->material].sheet;
    double taken[MATERIAL_OCTAVES];
    absorption_of(model, link->material, bands, absorption);
    if (link->sheets < 2)
        return;
    both.flow_resistance *= 2;
    both.mass *= 2;
    sheet_absorption(&both, taken);
    for (size_t b = 0; b < bands; b++)
        absorption[b] = taken[b < MATERIAL_OCTAVES ? b : MATERIAL_OCTAVES - 1];
}

static uint16_t material_of(const struct wall_kinds *kinds, uint16_t number)
{
    return kinds != NULL && number < kinds->count ? kinds->kind[number].material : number;
}

void room_reverberation_make(const struct room_model *model, const struct block_grid *grid,
                             const struct wall_kinds *kinds, bool lossy,
                             struct statistical_reverberation *out)
{
    const double h = grid->lattice.spacing, face = h * h;
    double centre[OCTAVE_BANDS_MAX], absorption[OCTAVE_BANDS_MAX] = {0};
    const size_t bands = octave_centres(HIGHEST_EDGE, centre);
    struct statistical_surface room = {0};
    for (uint64_t w = 0; w < grid->walls; w++) {
        const double area = (double)grid->wall[w].weight * face;
        if (w == 0 || grid->wall[w].material != grid->wall[w - 1].material)
            absorption_of(model, material_of(kinds, grid->wall[w].material), bands, absorption);
        room.area += area;
        for (size_t b = 0; b < bands; b++)
            room.absorption[b] += area * absorption[b];
    }
    for (uint64_t n = 0; n < grid->sheets; n++) { /* both sides */
        const struct sheet_link *const link = &grid->sheet[n];
        const double area = 2 * face * sheet_link_area(link);
        if (n == 0 || link->material != link[-1].material || link->sheets != link[-1].sheets)
            absorption_of_sheets(model, link, bands, absorption);
        room.area += area;
        for (size_t b = 0; b < bands; b++)
            room.absorption[b] += area * absorption[b];
    }
    for (size_t b = 0; b < bands && room.area > 0.0; b++)
        room.absorption[b] /= room.area;
    statistical_reverberation_make(room_cells(grid) * face * h, &room, 1, bands, centre, &model->air, lossy,
                                   out);
}

double room_reverberation_surface(const struct block_grid *grid)
{
    const double face = grid->lattice.spacing * grid->lattice.spacing;
    double area = 0;
    for (uint64_t w = 0; w < grid->walls; w++)
        area += (double)grid->wall[w].weight * face;
    for (uint64_t n = 0; n < grid->sheets; n++)
        area += 2 * face * sheet_link_area(&grid->sheet[n]);
    return area;
}

double room_reverberation_longest(const struct statistical_reverberation *times, double highest)
{
    double centre[OCTAVE_BANDS_MAX], longest = 0.0;
    const size_t bands = octave_centres(highest, centre);
    for (size_t b = 0; b < (bands > 0 ? bands : 1); b++)
        longest = fmax(longest, fmax(times->sabine[b], times->eyring[b]));
    return longest;
}
