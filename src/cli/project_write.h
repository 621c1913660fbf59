/** A project to start from, as text: what `transept new` writes. */
#ifndef SRC_PROJECT_WRITE_H
#define SRC_PROJECT_WRITE_H

#include <stdio.h>

#include "src/plan/estimate.h"
#include "src/project/project.h"

/** Absorption of a surface whose name means nothing: between bare stone (0.03) and a carpet (0.3). */
#define PROJECT_NEUTRAL_ABSORPTION 0.1

struct project_draft {
    const struct room_setup
        *setup; /* read, with every point; of a built-in room request.model.project has the shape */
    const struct room_estimate *estimate; /* with a speed: what other frequencies would take */
    const char *room;                     /* of a mesh: its path as seen from the project; NULL: built in */
    const char *folder;                   /* for results, beside the project */
    double fmax;                          /* [Hz] */
};

/** The material of the library that a surface's name means, or may mean; NULL where none is near. */
const struct material *project_guess(const struct material_library *library, const char *name);

/** Write it. Errors show when the stream is closed. */
void project_write(FILE *stream, const struct project_draft *draft);

/** `text` as a YAML scalar that is read back as the same: plain where that is possible, else in double
 * quotes. */
void project_write_text(FILE *stream, const char *text);

#endif
