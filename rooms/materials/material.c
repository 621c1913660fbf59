#include "rooms/materials/material.h"

#include <complex.h>
#include <math.h>
#include <string.h>

const unsigned material_octave[MATERIAL_OCTAVES] = {63, 125, 250, 500, 1000, 2000, 4000, 8000};

/* The shares of which a material consists. */
struct mixture {
    const struct material *empty, *occupied;
    double audience; /* share of `occupied` */
};

static struct mixture mix(const struct material *material, double audience)
{
    if (material->pair == NULL || isnan(audience))
        return (struct mixture){material, material, 0};
    return material->kind == MATERIAL_AUDIENCE ? (struct mixture){material->pair, material, audience}
                                               : (struct mixture){material, material->pair, audience};
}

void material_absorption(const struct material *material, double audience,
                         double absorption[MATERIAL_OCTAVES])
{
    const struct mixture of = mix(material, audience);
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        absorption[o] =
            (1 - of.audience) * of.empty->absorption[o] + of.audience * of.occupied->absorption[o];
}

struct scattering material_scattering(const struct material *material, double audience)
{
    const struct mixture of = mix(material, audience);
    struct scattering empty = of.empty->scattering, occupied = of.occupied->scattering;
    struct scattering mixed = {.given = (of.audience < 1 ? empty.given : 0) |
                                        (of.audience > 0 ? occupied.given : 0)};
    scattering_fill(&empty);
    scattering_fill(&occupied);
    for (size_t o = 0; mixed.given != 0 && o < SCATTERING_OCTAVES; o++)
        mixed.octave[o] = (1 - of.audience) * empty.octave[o] + of.audience * occupied.octave[o];
    return mixed;
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
