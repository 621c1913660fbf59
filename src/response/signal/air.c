#include "src/response/signal/air.h"
#include "src/base/words/words.h"

#include <math.h>
#include <stdio.h>

#define ZERO_CELSIUS   273.15
#define TRIPLE_POINT   273.16  /* of water [K] */
#define REFERENCE      293.15  /* [K] */
#define ATMOSPHERE     101.325 /* [kPa] */
#define NEPER_DECIBELS 8.686   /* the factor in the standard, so that its tables are met in decibels */

static double to_kelvin(const struct air *air)
{
    return air->temperature + ZERO_CELSIUS;
}

double air_sound_speed(double temperature)
{
    return 343.2 * sqrt((temperature + ZERO_CELSIUS) / REFERENCE);
}

#define GAS_CONSTANT 8.314462618 /* [J/(mol K)] */
#define MOLAR_MASS   0.028965    /* of dry air [kg/mol] */

double air_impedance(const struct air *air)
{
    return 1000 * air->pressure * MOLAR_MASS / (GAS_CONSTANT * to_kelvin(air)) *
           air_sound_speed(air->temperature);
}

/* Share of the molecules that are water [%]. */
static double vapour_share(const struct air *air)
{
    const double saturation = pow(10.0, 4.6151 - 6.8346 * pow(TRIPLE_POINT / to_kelvin(air), 1.261));
    return air->humidity * saturation / (air->pressure / ATMOSPHERE);
}

void air_losses_make(const struct air *air, struct air_losses *out)
{
    const double t = to_kelvin(air), warm = t / REFERENCE, p = air->pressure / ATMOSPHERE;
    const double vapour = vapour_share(air), relaxing = pow(warm, -2.5);
    *out = (struct air_losses){
        .sound_speed = air_sound_speed(air->temperature),
        .classical = 1.84e-11 * sqrt(warm) / p,
        .oxygen = relaxing * 0.01275 * exp(-2239.1 / t),
        .nitrogen = relaxing * 0.1068 * exp(-3352.0 / t),
        .at_oxygen = p * (24.0 + 4.04e4 * vapour * (0.02 + vapour) / (0.391 + vapour)),
        .at_nitrogen = p / sqrt(warm) * (9.0 + 280.0 * vapour * exp(-4.170 * (1.0 / cbrt(warm) - 1.0))),
    };
}

double air_losses_decibels(const struct air_losses *losses, double f)
{
    return NEPER_DECIBELS * air_losses_nepers(losses, f);
}

const char *air_doubt(const struct air *air, char text[AIR_DOUBT_MAX])
{
    const double vapour = vapour_share(air);
    if (!(air->temperature >= -20.0 && air->temperature <= 50.0))
        snprintf(text, AIR_DOUBT_MAX, SAID("ISO 9613-1 goes from -20 to 50 C, and it is %.4g C"),
                 air->temperature);
    else if (!(air->pressure <= 200.0))
        snprintf(text, AIR_DOUBT_MAX, SAID("ISO 9613-1 goes to 200 kPa, and this is %.4g kPa"),
                 air->pressure);
    else if (!(vapour >= 0.05 && vapour <= 5.0))
        snprintf(text, AIR_DOUBT_MAX,
                 SAID("ISO 9613-1 goes from 0.05 to 5 %% of vapour, and this is %.2g %%"), vapour);
    else
        return NULL;
    return text;
}
