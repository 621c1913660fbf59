/** The energy at the end of a run: which share of the sound each surface absorbed.
 *
 * Printed, means over the sources, the greatest share first:
 *
 *     where the sound went         area      share        per m2
 *       pews occupied         214.3 m2    61.25 %        0.29 %
 *       ..
 *       still in the room                  0.02 %
 */
#ifndef SRC_ENERGY_REPORT_H
#define SRC_ENERGY_REPORT_H

#include <stdio.h>

#include "src/run_folder/run_model.h"
#include "src/run/grid_parts.h"

/** Fill `energy` with all samples of a ledger as shares. Surfaces that the ledger does not have absorb
 * nothing, and their shares are 0. False without memory. */
bool energy_report_record(struct record_energy *energy, const struct source_progress *source,
                          const struct room_setup *setup);

/** Print the table of run->runs, each with its energy; areas are those that face air, if they are known. At
 * most 24 materials. If one source had not given all its energy, print one line instead. If the account is
 * off by more than 1e-4, a line says by how much, and why: a source at a wall is the only known reason. */
void energy_report_print(FILE *stream, const struct run_model *run);

#endif
