#include "kernels/scheme/sheet_law.h"

#include <math.h>

struct sheet_law sheet_law_of(const struct sheet *sheet, double impedance, const struct time_step *step)
{
    /* R T / (rho h) = R / (rho c) lambda;  m / (rho h) = m c / (rho c h) */
    const double resistance = sheet->flow_resistance / impedance * step->courant;
    const double mass = sheet->mass * step->sound_speed / (impedance * step->spacing);
    if (sheet->series)
        return (struct sheet_law){.resistance = resistance, .mass = mass};
    return (struct sheet_law){.pores_resistance = resistance, .pores_mass = mass};
}

static bool has_pores(const struct sheet_law *law)
{
    return law->pores_resistance > 0 && law->pores_mass > 0;
}

bool sheet_law_holds(const struct sheet_law *law)
{
    return law->resistance > 0 || law->mass > 0 || has_pores(law);
}

struct scheme_sheet_f64 sheet_law_terms(const struct sheet_law *law, double layers)
{
    const double resistance = layers * law->resistance, mass = layers * law->mass,
                 pores = has_pores(law) ? layers * law->pores_resistance : 0,
                 moved = layers * law->pores_mass;
    const double d = pores > 0 && isfinite(moved) ? pores / (moved + pores / 2) : 0;
    const double c = pores > 0 && isfinite(moved) ? moved * d : pores;
    return (struct scheme_sheet_f64){.a = 1 / (1 + mass + resistance / 2 + c / 2),
                                     .c = c,
                                     .d = d,
                                     .resistance = resistance,
                                     .pores = pores};
}

struct scheme_sheet_f32 sheet_law_round(const struct scheme_sheet_f64 *terms)
{
    return (struct scheme_sheet_f32){(float)terms->a, (float)terms->c, (float)terms->d,
                                     (float)terms->resistance, (float)terms->pores};
}
