/** Speed of sound in air and its losses over distance.
 *
 * ISO 9613-1 with its speed of sound; pressures are absolute. */
#ifndef SRC_AIR_H
#define SRC_AIR_H

#include "kernels/scheme/air_loss.h"
#include "src/base/options/air_options.h"

/** 343.2 sqrt(T / 293.15) [m/s], T in kelvin: ISO 9613-1's, which leaves out humidity and pressure. The
 * vapour in saturated air makes sound faster by 0.37 % at 20 C and by 0.10 % at 0 C (ideal gas). */
double air_sound_speed(double temperature);

/** rho c [Pa s/m], rho of dry air as an ideal gas (0.028965 kg/mol): 413.3 at 20 C and 101.325 kPa. */
double air_impedance(const struct air *air);

/** Constants of the losses in one air, so that a spectrum of a million lines can be computed. */
struct air_losses {
    double sound_speed;            /* [m/s] */
    double classical;              /* [Np/m per Hz^2] */
    double oxygen, nitrogen;       /* strength of the relaxations [Np/m per Hz] */
    double at_oxygen, at_nitrogen; /* their frequencies [Hz] */
};

/** ISO 9613-1. It states 10 % for 0.05 to 5 % of vapour, -20 to 50 C, up to 200 kPa, 40 Hz to 1 MHz at one
 * atmosphere; outside that the same formula is used, down to 0 at 0 Hz. */
void air_losses_make(const struct air *air, struct air_losses *out);

/** Words for the parts of this air outside the standard: "ISO 9613-1 goes from -20 to 50 C, and it is -30 C".
 * Into `text`, returned; NULL if there are none. */
#define AIR_DOUBT_MAX 80
const char *air_doubt(const struct air *air, char text[AIR_DOUBT_MAX]);

/** Amplitude falls as exp(-air_losses_nepers() x) over x metres [Np/m]. 0 at 0 Hz. */
static inline double air_losses_nepers(const struct air_losses *losses, double f)
{
    const double square = f * f;
    return square *
           (losses->classical +
            losses->oxygen * losses->at_oxygen / (losses->at_oxygen * losses->at_oxygen + square) +
            losses->nitrogen * losses->at_nitrogen / (losses->at_nitrogen * losses->at_nitrogen + square));
}

/** [dB/m] */
double air_losses_decibels(const struct air_losses *losses, double f);

/** Sound that has travelled for t seconds has lost exp(-air_losses_damping() t) of its amplitude [1/s]. */
static inline double air_losses_damping(const struct air_losses *losses, double f)
{
    return losses->sound_speed * air_losses_nepers(losses, f);
}

/** These losses within the steps of a field (air_loss.h): one state for all that is fitted at .5 or .3 and at
 * .97 fmax; or such a one beside nitrogen with its own frequency; or, where oxygen relaxes within the band,
 * in cold and dry air, beside both. The cheapest of the first two, by traffic a step, that follows ISO 9613-1
 * within AIR_FIT, else of the last; else the nearest. All air that options allow is within it (-50 to 100 C,
 * 0 to 100 %, 30 to 200 kPa; 6 to 18 samples in a period of fmax, 178 to 11360 Hz). Damping in time is
 * fitted, so the dispersion of a grid does not matter.
 * @param rate [Hz] of the steps  @param fmax [Hz]
 * @return the greatest relative error of the loss per metre from AIR_FIT_FROM (or fmax / 2, if that is lower)
 *         to fmax; INFINITY, with out->states = 0, if nothing fits */
#define AIR_FIT      0.03
#define AIR_FIT_FROM 125.0 /* [Hz] */
double air_loss_fit(const struct air_losses *losses, double rate, double fmax, struct air_loss *out);

#endif
