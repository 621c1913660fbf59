#include "rooms/materials/material.h"

#include <math.h>

const unsigned material_octave[MATERIAL_OCTAVES] = {63, 125, 250, 500, 1000, 2000, 4000, 8000};

void material_absorption(const struct material *material, double audience,
                         double absorption[MATERIAL_OCTAVES])
{
    const struct material *empty = material, *occupied = material;
    if (material->pair != NULL && !isnan(audience)) {
        empty = material->kind == MATERIAL_AUDIENCE ? material->pair : material;
        occupied = material->kind == MATERIAL_AUDIENCE ? material : material->pair;
    } else {
        audience = 0;
    }
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        absorption[o] = (1 - audience) * empty->absorption[o] + audience * occupied->absorption[o];
}

bool material_is_extended(const struct material *material, size_t octave)
{
    for (size_t e = 0; e < material->extended_count; e++)
        if (material->extended[e] == material_octave[octave])
            return true;
    return false;
}
