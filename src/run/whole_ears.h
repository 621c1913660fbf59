/** The ears of a dummy head above fmax: two on a rigid sphere (src/rays/ray_head.h), with rays at its centre.
 */
#ifndef SRC_WHOLE_EARS_H
#define SRC_WHOLE_EARS_H

#include "src/rays/ray_figures.h"
#include "src/rays/ray_head.h"
#include "src/setup/room_setup.h"

/** The sphere of a receiver that is an ear, and its own ear; false for other receivers. */
bool whole_ears_head(const struct room_setup *setup, size_t receiver, struct ray_head *out);

/** Figures at the ear from the energy at the centre: of each direction by what the ear hears of it. `emitter`
 * (energy->emitters). FAILURE_CAPACITY for memory. */
int whole_ears_figures(const struct ray_head *head, const struct ray_energy *energy, size_t receiver,
                       const double centre[3], const struct ray_emitter *emitter, struct ray_figures *out,
                       struct failure *failure);

#endif
