/** What is known of a room before it is run, as run.json has it (run_model.h), and what `plan`, `check`,
 * `film`, `compare` and `bench` print of it.
 */
#ifndef SRC_SETUP_RECORD_H
#define SRC_SETUP_RECORD_H

#include <cjson/cJSON.h>

#include "kernels/scheme/stencil.h"
#include "src/run/plan/estimate.h"
#include "src/run_folder/run_model.h"
#include "src/setup/room_setup.h"

/* ---- into the model; false where memory runs out ---- */

/** Program, model, materials, options as used, resolution, warnings; sources and receivers with their
 * positions, `tap` (one per point) may be NULL. */
bool record_fill_subject(struct run_model *run, const char *command, const struct room_setup *setup,
                         const struct stencil *tap);

/** Nodes, volumes of grid->findings, and bytes, of the setup's grid or another of its room. */
bool record_fill_size(struct record_size *size, const struct room_grid *grid, const struct room_setup *setup,
                      const struct room_needs *needs);

/** Method of the air's losses, temperature, humidity, pressure, and what it takes by octave. */
bool record_fill_air(struct run_model *run, const struct room_setup *setup);

/** What a project says of its page; `*out` stays NULL where it says nothing. */
bool record_fill_page(struct record_page **out, const struct project *project);

/** The receiver grids without their maps. */
bool record_fill_grids(struct run_model *run, const struct room_setup *setup);

/* ---- beside the other values of `object`; json_memory.h knows where memory ran out ---- */

/** The subject. */
void record_subject(cJSON *object, const char *command, const struct room_setup *setup);

/** The subject and the size; `tap` as above. */
void record_setup(cJSON *object, const char *command, const struct room_setup *setup,
                  const struct stencil *tap, const struct room_needs *needs);

/** These, receiver grids, air, and how long the room is expected to reverberate. */
void record_plan(cJSON *object, const struct room_setup *setup, const struct room_estimate *estimate,
                 const struct room_needs *needs);

/** The volume of the air up to the walls as they are drawn (air_volume.h), whether walls or cells give it,
 * and `cells`, that of the cells that the simulation has of it [m3]. */
void record_volume(cJSON *object, const struct voxel_findings *findings, double cells);

/** The back end, what was asked for, why it was taken, and the device if it is one. */
void record_backend(cJSON *object, const struct backend_choice *choice);

#endif
