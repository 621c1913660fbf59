/** Fills the part of run.json that is known before a run (run_model.h), and writes it as JSON for `plan`,
 * `check`, `film`, `compare` and `bench`. */
#ifndef SRC_SETUP_RECORD_H
#define SRC_SETUP_RECORD_H

#include <cjson/cJSON.h>

#include "kernels/scheme/stencil.h"
#include "src/run/plan/estimate.h"
#include "src/run_folder/run_model.h"
#include "src/setup/room_setup.h"

/* ---- into the model; false without memory ---- */

/** Program, model, materials, options as used, resolution, warnings; sources and receivers with their
 * positions, `tap` (one per point) may be NULL. */
bool record_fill_subject(struct run_model *run, const char *command, const struct room_setup *setup,
                         const struct stencil *tap);

/** Nodes, volumes of grid->findings, and bytes, of the setup's grid or another of its room. */
bool record_fill_size(struct record_size *size, const struct room_grid *grid, const struct room_setup *setup,
                      const struct room_needs *needs);

/** Method of the air's losses, temperature, humidity, pressure, and loss by octave. */
bool record_fill_air(struct run_model *run, const struct room_setup *setup);

/** The project's texts for the page of its runs; `*out` stays NULL without any. */
bool record_fill_page(struct record_page **out, const struct project *project);

/** The receiver grids without their maps. */
bool record_fill_grids(struct run_model *run, const struct room_setup *setup);

/* ---- into a JSON object; json_memory_ran_out() reports a lack of memory ---- */

/** The subject. */
void record_subject(cJSON *object, const char *command, const struct room_setup *setup);

/** The subject and the size; `tap` as above. */
void record_setup(cJSON *object, const char *command, const struct room_setup *setup,
                  const struct stencil *tap, const struct room_needs *needs);

/** These, receiver grids, air, and the expected reverberation times. */
void record_plan(cJSON *object, const struct room_setup *setup, const struct room_estimate *estimate,
                 const struct room_needs *needs);

/** The volume of the air up to the drawn walls (air_volume.h), whether it follows from walls or cells, and
 * `cells`, the volume of the simulated cells [m3]. */
void record_volume(cJSON *object, const struct voxel_findings *findings, double cells);

/** The back end, the requested one, the reason of the choice, and the device if there is one. */
void record_backend(cJSON *object, const struct backend_choice *choice);

#endif
