/** run.json and what `plan --json`, `compare --json` and `bench --json` share with it: every parameter and
 * derived figure, under the names that design and documentation use. */
#ifndef SRC_RUN_RECORD_H
#define SRC_RUN_RECORD_H

#include <cjson/cJSON.h>

#include "geometry/base/whole_file.h"
#include "kernels/scheme/tap.h"
#include "src/plan/estimate.h"
#include "src/setup/room_setup.h"

/** Program, model, materials, options as used, resolution, warnings. */
void record_room(cJSON *object, const char *command, const struct room_setup *setup);

/** `air`: method of its losses, temperature, humidity, pressure, and what it takes by octave [dB/m]. */
void record_air(cJSON *object, const struct room_setup *setup);

/** The back end, what was asked for, why it was taken, and the device if it is one. */
void record_backend(cJSON *object, const struct backend_choice *choice);

/** The volume of the air up to the walls as they are drawn (air_volume.h), whether walls or cells tell it,
 * and `cells`, that of the cells that the simulation has of it [m3]. */
void record_volume(cJSON *object, const struct voxel_findings *findings, double cells);

/** Nodes, volumes of grid->findings and bytes. */
void record_size(cJSON *object, const struct room_grid *grid, const struct backend_choice *backend,
                 const struct room_needs *needs);

/** Sources and receivers with their positions; `tap` (one per point) may be NULL. */
void record_points(cJSON *object, const struct room_setup *setup, const struct tap *tap);

/** Write `object` under the temporary name of `path` and settle it; as wav_stage(). FAILURE_CAPACITY
 * when memory ran out for any JSON (json_memory.h). */
int record_stage(const cJSON *object, const char *path, struct whole_file *out, struct failure *failure);

#endif
