/** `auralise` with a walk: who is asked for the sound, and the files. */
#ifndef SRC_AURALISE_WALK_H
#define SRC_AURALISE_WALK_H

#include "src/cli/commands.h"

/** FAILURE_INPUT where what goes with a walk is given without one. */
int auralise_check_walk(const struct options *options, struct failure *failure);

/** From the responses of a run, or with options->stepped or for a room that has not been run by stepping it:
 * walk_<source>.wav for each source, _ambix and _binaural beside it, and walk.json. */
int auralise_walk(const struct options *options, struct failure *failure);

#endif
