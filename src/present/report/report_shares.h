/** The sound of each source by where it went, in shares that add up to 1, for the table of energies and the
 * finding about surfaces.
 *
 * run.json has shares of the energy of the source. Their sum differs from 1 by the balance error of the
 * ledger (energy_ledger.h): rounding, and the energy that a source at a wall pushes into that wall, which no
 * account contains. Here all shares are divided by their sum, which spreads the error in proportion over
 * surfaces and the energy still in the room. `rest` keeps it for the engineers' section.
 */
#ifndef SRC_REPORT_SHARES_H
#define SRC_REPORT_SHARES_H

#include <stdbool.h>

#include "src/present/report/report_model.h"

/** Fill `energy` of a run, an item for each of its sources: `surfaces`, the greatest share first; `stored`,
 * the share still in the room at the end; `rest`, the source's energy less the sum that all were divided by,
 * as a share of that energy; `complete`, whether the source had given all its energy. For a source without an
 * account `source` is NULL. FAILURE_CAPACITY without memory. */
int report_shares_add(struct report_run *run, struct failure *failure);

/** The surface that took most, over all sources. */
struct report_largest_share {
    const char *material; /* NULL: no account, or fewer than two surfaces; borrowed */
    double share;         /* mean over the sources */
    double area;          /* as a share of all surfaces */
    double stored;        /* mean over the sources */
    bool complete;        /* all sources had given all */
};

/** From `energy` as above. */
struct report_largest_share report_shares_largest(const struct report_run *run);

#endif
