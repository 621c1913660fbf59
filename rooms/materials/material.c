#include "rooms/materials/material.h"

#include <complex.h>
#include <math.h>
#include <string.h>

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

#define AIR 413.0 /* rho c at 20 degrees [Pa s/m] */
#define PI  3.14159265358979323846

void sheet_absorption(const struct material_sheet *sheet, double absorption[MATERIAL_OCTAVES])
{
    enum { ANGLES = 200 };
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++) {
        const double complex inert = I * 2 * PI * 1000 * pow(10, 0.3 * ((double)o - 4)) * sheet->mass;
        double complex z = sheet->flow_resistance;
        if (sheet->series)
            z += inert;
        else if (isfinite(sheet->mass))
            z = sheet->flow_resistance * inert / (sheet->flow_resistance + inert);
        absorption[o] = 0;
        for (int n = 0; n < ANGLES; n++) {
            const double square = (n + 0.5) / ANGLES; /* sin^2, of which all are alike in a diffuse field */
            const double complex zeta = z * sqrt(1 - square) / (2 * AIR);
            absorption[o] += 2 * creal(zeta) / (creal((1 + zeta) * conj(1 + zeta)) * ANGLES);
        }
        absorption[o] = round(1000 * absorption[o]) / 1000;
    }
}

bool material_is_extended(const struct material *material, size_t octave)
{
    for (size_t e = 0; e < material->extended_count; e++)
        if (material->extended[e] == material_octave[octave])
            return true;
    return false;
}

bool material_is_curtain(const struct material *material)
{
    return material->kind == MATERIAL_TEXTILE && strncmp(material->name, "curtain", strlen("curtain")) == 0;
}
