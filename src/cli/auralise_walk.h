/** `auralise` with a walk: the choice of responses, and the files. */
#ifndef SRC_AURALISE_WALK_H
#define SRC_AURALISE_WALK_H

#include "src/cli/commands.h"

/** FAILURE_INPUT if options that need a walk are given without one. */
int auralise_check_walk(const struct options *options, struct failure *failure);

/** Use the responses of a run. With options->stepped, or for a room that has not been run, step it.
 * Writes walk_<source>.wav for each source, next to it _ambix and _binaural, and walk.json. */
int auralise_walk(const struct options *options, struct failure *failure);

#endif
