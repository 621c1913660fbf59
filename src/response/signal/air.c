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

/* ---- within steps -------------------------------------------------------------------------------------- */

#define PI         3.14159265358979323846
#define EVERY_MOST 8   /* steps */
#define TURN_LEAST 2.5 /* samples of v in a period of fmax */
#define FIT_LOWS   2
#define FIT_HIGH   0.97 /* of fmax: where a state has the right loss, and at one of these */
#define FIT_POINTS 64
static const double fit_low[FIT_LOWS] = {0.5, 0.3};

/* S of air_loss.h. */
static double square_of(double turn)
{
    return 4 * sin(PI * turn) * sin(PI * turn);
}

/* The share that is lost in `interval` [s], less what `loss` has. */
static double share_left(const struct air_losses *losses, const struct air_loss *loss, double interval,
                         double f)
{
    return air_losses_damping(losses, f) * interval - air_loss_share(loss, f * interval);
}

/* Add a state that has what is left at two frequencies. */
static bool add_fitted(const struct air_losses *losses, double interval, double low, double high,
                       struct air_loss *loss)
{
    const double at_low = 1 / square_of(low * interval), at_high = 1 / square_of(high * interval);
    const double left_low = share_left(losses, loss, interval, low);
    const double left_high = share_left(losses, loss, interval, high);
    if (!(left_low > 0 && left_high > 0))
        return false;
    const double P = (1 / left_low - 1 / left_high) / (at_low - at_high);
    return air_loss_add(loss, P, 1 / left_low - P * at_low);
}

/* Add a relaxation with its own frequency. */
static bool add_relaxation(double sound_speed, double strength, double frequency, double interval,
                           struct air_loss *loss)
{
    const struct air_losses alone = {
        .sound_speed = sound_speed, .nitrogen = strength, .at_nitrogen = frequency};
    const double at = fmin(frequency, 0.25 / interval), S = square_of(at * interval);
    /* There P + Q S is 2 P, for Q / P = 1 / S. */
    return air_loss_add(loss, S / (2 * air_losses_damping(&alone, at) * interval),
                        1 / (2 * air_losses_damping(&alone, at) * interval));
}

static double worst_of(const struct air_losses *losses, double interval, double fmax,
                       const struct air_loss *loss)
{
    const double from = fmin(AIR_FIT_FROM, fmax / 2);
    double worst = 0;
    for (int n = 0; n <= FIT_POINTS; ++n) {
        const double f = from * pow(fmax / from, (double)n / FIT_POINTS);
        const double error =
            fabs(share_left(losses, loss, interval, f)) / (air_losses_damping(losses, f) * interval);
        worst = error <= worst ? worst : error;
    }
    return worst;
}

/* With so many states, of which the last is fitted. */
static bool fit_states(const struct air_losses *losses, unsigned states, double interval, double low,
                       double high, struct air_loss *loss)
{
    const double c = losses->sound_speed;
    return (states < 2 || add_relaxation(c, losses->nitrogen, losses->at_nitrogen, interval, loss)) &&
           (states < 3 || add_relaxation(c, losses->oxygen, losses->at_oxygen, interval, loss)) &&
           add_fitted(losses, interval, low, high, loss) && air_loss_is_stable(loss);
}

/* The same at the cheapest interval, if it is better than `out`, whose error is *best. */
static void fit_interval(const struct air_losses *losses, unsigned states, double rate, double fmax,
                         double low, struct air_loss *out, double *best)
{
    for (unsigned every = 1; every <= EVERY_MOST && (every == 1 || every * TURN_LEAST * fmax <= rate);
         ++every) {
        struct air_loss loss = {.every = every};
        if (!fit_states(losses, states, every / rate, low, FIT_HIGH * fmax, &loss))
            continue;
        const double worst = worst_of(losses, every / rate, fmax, &loss);
        const bool cheaper = *best > AIR_FIT || air_loss_traffic(&loss) < air_loss_traffic(out);
        if (worst <= AIR_FIT ? cheaper : worst < *best) {
            *best = worst;
            *out = loss;
        }
    }
}

double air_loss_fit(const struct air_losses *losses, double rate, double fmax, struct air_loss *out)
{
    double best = INFINITY;
    *out = (struct air_loss){.every = 1};
    for (unsigned states = 1; states <= AIR_LOSS_STATES && (states < 3 || best > AIR_FIT); ++states)
        for (int n = 0; n < FIT_LOWS; ++n)
            fit_interval(losses, states, rate, fmax, fit_low[n] * fmax, out, &best);
    return best;
}

/* ---- the standard's range ------------------------------------------------------------------------------ */

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
