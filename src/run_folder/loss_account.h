/** What took the sound of a finished run, octave by octave, and how its decay depends on each material: from
 * run.json alone.
 *
 * Shares are means over the sources. In octaves from rays they are those of the rays (`absorbed` of struct
 * record_ray_source). In octaves from waves they follow from the energy account of the waves, which is of the
 * whole band, by loss_shares_by_octave(); the drive of a source has energy in proportion to the square of
 * frequency in each Hz. loss_sensitivity.h has the rest. */
#ifndef SRC_LOSS_ACCOUNT_H
#define SRC_LOSS_ACCOUNT_H

#include "src/run_folder/run_model.h"
#include "src/response/acoustics/octave_edges.h"

/** Zeroed is empty; owned: loss_account_free(). Matrices are (materials, octaves), row m material m of
 * run->room.materials, octave o that of the means over the responses, from 63 Hz
 * on. */
struct loss_account {
    size_t materials, octaves;
    double *absorption;              /* of the wall in the run (-) */
    double *share;                   /* of the energy that surfaces and openings took (-) */
    double *sensitivity;             /* d ln T / d alpha (-); NaN: no account, or no time in that octave */
    double open[OCTAVE_BANDS_MAX];   /* share of openings (-) */
    double time[OCTAVE_BANDS_MAX];   /* mean T30, else T20, else EDT of the responses [s]; NaN: none */
    double in_air[OCTAVE_BANDS_MAX]; /* share of the air in the rate of decay (-) */
};

/** FAILURE_CAPACITY without memory. Octaves without an account (a source had not given all its energy, a
 * material lacks octaves, nothing absorbs) have NaN in `share` and `sensitivity`. */
int loss_account_make(const struct run_model *run, struct loss_account *out, struct failure *failure);
void loss_account_free(struct loss_account *account);

#endif
