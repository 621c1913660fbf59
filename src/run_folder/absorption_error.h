/** What the figures of a run are uncertain by because absorption is: from run.json alone, to first order.
 *
 * Each material has a standard uncertainty u in each octave (`uncertainty` of struct record_material). Errors
 * of two materials are independent; the error of one is the same on all its surfaces. With the sensitivity of
 * loss_account.h the relative standard uncertainty of a reverberation time is
 *
 *     u(ln T)^2 = sum over materials of (d ln T / d alpha u)^2
 *
 * and that of other figures follows with decay_law_slope() at the place of the response. A run's account is
 * of the absorption that it has; where u is near alpha, errors are no longer proportional
 * (tests/ACCURACY.md).
 */
#ifndef SRC_ABSORPTION_ERROR_H
#define SRC_ABSORPTION_ERROR_H

#include "rooms/materials/absorption_uncertainty.h"
#include "src/run_folder/loss_account.h"

/** Of a material in an octave of a run: d ln T / d alpha times u (at most 0); NaN: unknown. */
double absorption_error_part(const struct run_model *run, const struct loss_account *account, size_t material,
                             size_t octave);

/** u(ln T) in an octave; NaN: no account, or no material has an uncertainty. */
double absorption_error_relative(const struct run_model *run, const struct loss_account *account,
                                 size_t octave);

/** The material whose part is largest in an octave, and its share of the square; `materials` if none is. */
size_t absorption_error_largest(const struct run_model *run, const struct loss_account *account,
                                size_t octave, double *share);

/** d figure / d ln T of a response in an octave, in the figure's unit; NaN: unknown. Times, D50 and Ts change
 * in proportion to the response's own (D50 as the share that has the law's change of C50). */
double absorption_error_slope(const struct run_model *run, const struct loss_account *account,
                              const struct record_response *response, enum figure figure, size_t octave);

/** Fill `absorption` of all responses, and add it to their `error` as squares. For a model that is otherwise
 * complete. FAILURE_CAPACITY without memory. */
int absorption_error_fill(struct run_model *run, struct failure *failure);

#endif
