/** The energy ledger at the end of a run: which surface took how much of the sound.
 *
 * On paper, means over the sources, the greatest share first:
 *
 *     where the sound went            area    share    of it a m2
 *       pews occupied             214.3 m2   61.25 %     0.2858 %
 *       ..
 *       still in the room                     0.02 %
 *
 * In JSON, for each source, all samples as shares of what it gave.
 */
#ifndef SRC_ENERGY_REPORT_H
#define SRC_ENERGY_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "blocks/wall_areas.h"
#include "src/run/energy_ledger.h"

/** Whose ledger it is. Borrowed. */
struct energy_room {
    size_t materials;             /* of the mesh; a ledger has one surface more, or none */
    char *const *name;            /* (materials) */
    const double *area;           /* (materials) of the mesh [m2] */
    const struct wall_area *wall; /* (materials) whose `exposed` the table names; NULL: `area` */
    double rate;                  /* of the engine [Hz] */
    uint64_t lead;                /* steps before the emission */
    bool open;                    /* are there open faces? */
};

/** Had the source given all when the ledger ended? Before that shares say little. */
bool energy_report_complete(const struct energy_ledger *ledger, const struct energy_room *room);

/** What run.json calls the faces of an open scene among the surfaces, where they come last. */
#define ENERGY_OPEN_FACES "open faces"

/** Share of what the source gave that a surface has taken at the end; materials: the open faces. NaN without
 * samples. */
double energy_report_share(const struct energy_ledger *ledger, size_t surface);

/** `energy`: `given` in the units of `energy_start`, `times_s` since the emission, `injected` and `stored`
 * (shares), `absorbed` (by material: `material`, `area_m2` of the mesh and `area_exposed_m2` that faces
 * air, as in `materials`, `share`), `imbalance`, `source_at_wall`. Numbers that are not finite are null. Of
 * surfaces that a ledger has none of all shares are 0: nothing there absorbs. */
void energy_report_record(cJSON *object, const struct energy_ledger *ledger, const struct energy_room *room);

/** The table of `ledgers` sources, with the areas that face air, which took the sound; one line where one of
 * them had not given all. At most 24 materials. Where the account is off by more than 1e-4 a line says by how
 * much, and why: only a source at a wall is a reason. */
void energy_report_print(FILE *stream, const struct energy_ledger *const *ledger, size_t ledgers,
                         const struct energy_room *room);

#endif
