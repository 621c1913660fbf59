/** Where the sound of each source went, as shares that add up to 1: what the table of energies and the
 * finding about surfaces both show.
 *
 * run.json has shares of what the source gave. Added up they miss that by the balance error of the ledger
 * (energy_ledger.h): rounding, and what a source at a wall pushes into that wall, which is in no account.
 * Here all shares are divided by their sum, so that error is spread over the surfaces and what is still in
 * the room in proportion; `rest` keeps it for the engineers' section.
 */
#ifndef SRC_REPORT_SHARES_H
#define SRC_REPORT_SHARES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Add `energy` to a run of a report's data, an entry for each of `run.runs`: `source`; `surfaces`, by
 * `material` with `area_m2` (what of it faces air, where that is known) and `share`, the greatest first;
 * `stored`, the share still in the room at the end; `rest`, what the source gave less the sum that all were
 * divided by, as a share of what it gave; `complete`, whether it had given all. Of a source without an
 * account the entry is null. FAILURE_CAPACITY without memory. */
int report_shares_add(cJSON *run, struct failure *failure);

/** The surface that took most, over all sources. */
struct report_largest_share {
    const char *material; /* NULL: no account, or fewer than two surfaces; borrowed */
    double share;         /* mean over the sources */
    double area;          /* as a share of all surfaces */
    double stored;        /* mean over the sources */
    bool complete;        /* all sources had given all */
};

/** From `energy` as above. */
struct report_largest_share report_shares_largest(const cJSON *run);

#endif
