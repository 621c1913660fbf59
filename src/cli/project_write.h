/** A project to start from, as text: what `transept new` writes. */
#ifndef SRC_PROJECT_WRITE_H
#define SRC_PROJECT_WRITE_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "src/run/plan/estimate.h"
#include "src/setup/project/project.h"
#include "src/setup/room_receiver_grids.h"

/** Absorption of a surface with an unknown name: between bare stone (0.03) and a carpet (0.3). */
#define PROJECT_NEUTRAL_ABSORPTION 0.1

struct project_draft {
    const struct room_setup
        *setup; /* read, with every point; of a built-in room request.model.project has the shape */
    const struct room_estimate *estimate; /* with a speed: the times of other frequencies */
    const char *room;                     /* of a mesh: its path as seen from the project; NULL: built in */
    const char *folder;                   /* folder of results, next to the project */
    double fmax;                          /* [Hz] */
    struct receiver_grid audience;        /* without points: nobody can sit anywhere */
};

/** Write it. Errors show when the stream is closed. */
void project_write(FILE *stream, const struct project_draft *draft);

/** The written and guessed values, for `new --json`; `path` is the project's. NULL or incomplete if
 * memory ran out, which print_json() reports. */
cJSON *project_draft_json(const struct project_draft *draft, const char *path);

#endif
