/** The energy ledger at the end of a run: which surface took how much of the sound.
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

/** All samples as shares. Of surfaces that a ledger has none of all shares are 0: nothing there absorbs.
 * False without memory. */
bool energy_report_record(struct record_energy *energy, const struct grid_source *source,
                          const struct room_setup *setup);

/** The table of so many sources, with the areas that face air, which took the sound; one line where one of
 * them had not given all. At most 24 materials. Where the account is off by more than 1e-4 a line says by how
 * much, and why: only a source at a wall is a reason. */
void energy_report_print(FILE *stream, const struct grid_source *source, size_t sources,
                         const struct room_setup *setup);

#endif
