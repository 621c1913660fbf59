#include "rooms/layers/layer_media.h"

#include <math.h>
#include <stdbool.h>

#define PI            3.14159265358979323846
#define HEAT_RATIO    1.4
#define PRANDTL       0.71
#define PRESSURE      101325.0
#define POISSON_RATIO 0.3

static struct layer_medium medium_of_miki(double resistivity, double frequency)
{
    const double x = frequency / resistivity, k = 2 * PI * frequency / LAYER_SPEED;
    return (struct layer_medium){
        .impedance = LAYER_IMPEDANCE * (1 + 0.0699 * pow(x, -0.632) - 0.1071 * pow(x, -0.632) * I),
        .wavenumber = k * (1 + 0.1093 * pow(x, -0.618) - 0.1597 * pow(x, -0.618) * I)};
}

static struct layer_medium medium_of_allard(const struct wall_layer *layer, double frequency)
{
    const double omega = 2 * PI * frequency, sigma = layer->flow_resistivity, phi = layer->porosity;
    const double bend = layer->tortuosity, viscous = layer->viscous_length, thermal = layer->thermal_length;
    const double complex flow = csqrt(1 + 4 * I * bend * bend * LAYER_VISCOSITY * LAYER_DENSITY * omega /
                                              (sigma * sigma * viscous * viscous * phi * phi));
    const double complex density =
        LAYER_DENSITY * bend / phi * (1 + sigma * phi / (I * omega * LAYER_DENSITY * bend) * flow);
    const double heat = PRANDTL * omega * LAYER_DENSITY * thermal * thermal / LAYER_VISCOSITY;
    const double complex slow = 1 + 8 / (I * heat) * csqrt(1 + I * heat / 16);
    const double complex stiffness = HEAT_RATIO * PRESSURE / phi / (HEAT_RATIO - (HEAT_RATIO - 1) / slow);
    return (struct layer_medium){.impedance = csqrt(density * stiffness),
                                 .wavenumber = omega * csqrt(density / stiffness)};
}

struct layer_medium layer_medium_of(const struct wall_layer *layer, double frequency)
{
    if (layer->kind == LAYER_AIR)
        return (struct layer_medium){2 * PI * frequency / LAYER_SPEED, LAYER_IMPEDANCE};
    return layer->porosity > 0 ? medium_of_allard(layer, frequency)
                               : medium_of_miki(layer->flow_resistivity, frequency);
}

/* J1(z) / J0(z), by the continued fraction of the recurrence: exact to rounding for every z with Im z != 0.
 */
static double complex quotient_of_bessel(double complex z)
{
    const double complex square = z * z / 4;
    double complex below = 0;
    for (int n = (int)cabs(z) + 40; n >= 1; n--)
        below = square / (n - below);
    return 2 * below / z;
}

/* Fok's function: how much less mass the ends of a hole have among others (V. A. Fok 1941; Melling, J. Sound
 * Vib. 29, 1973, 1-65). */
static double end_share_of_hole(double open_share)
{
    const double x = sqrt(open_share);
    return 1 - 1.4092 * x + 0.33818 * pow(x, 3) + 0.06793 * pow(x, 5) - 0.02287 * pow(x, 6) +
           0.03015 * pow(x, 7) - 0.01641 * pow(x, 8);
}

static double complex openings_of(const struct wall_layer *layer, const struct layer_medium *front,
                                  const struct layer_medium *back, double omega)
{
    const bool round = layer->kind == LAYER_HOLES;
    /* the wave of viscosity across an opening, of which the argument is radius or half width */
    const double complex z =
        layer->opening / 2 * sqrt(omega * LAYER_DENSITY / LAYER_VISCOSITY) * csqrt(round ? -I : I);
    const double complex still = round ? 2 * quotient_of_bessel(z) / z : ctanh(z) / z;
    const double complex tube = I * omega * LAYER_DENSITY * layer->thickness / (1 - still);
    const double ends = layer->opening * (round ? 0.85 * end_share_of_hole(layer->open_share)
                                                : -2 / PI * log(sin(PI / 2 * layer->open_share)));
    const double complex beside =
        (front->impedance * front->wavenumber + back->impedance * back->wavenumber) / (2 * omega);
    const double rub = 0.5 * sqrt(2 * omega * LAYER_DENSITY * LAYER_VISCOSITY);
    return (tube + I * omega * beside * ends + rub) / layer->open_share;
}

/* Bending of a thin plate: without stiffness a mass, at coincidence only its loss. */
static double complex panel_of(const struct wall_layer *layer, double omega, double sine)
{
    const double rigidity =
        layer->modulus * pow(layer->thickness, 3) / (12 * (1 - POISSON_RATIO * POISSON_RATIO));
    const double trace = omega * sine / LAYER_SPEED;
    return I * omega * layer->mass + rigidity * pow(trace, 4) * (1 + I * layer->loss) / (I * omega);
}

double complex layer_thin_impedance(const struct wall_layer *layer, const struct layer_medium *front,
                                    const struct layer_medium *back, double frequency, double sine)
{
    const double omega = 2 * PI * frequency;
    if (layer->kind == LAYER_PANEL)
        return panel_of(layer, omega, sine);
    const double complex pores =
        layer->kind == LAYER_SCREEN ? layer->flow_resistance : openings_of(layer, front, back, omega);
    if (layer->mass == 0)
        return pores;
    const double complex inertia = I * omega * layer->mass;
    return pores * inertia / (pores + inertia);
}
