/** `transept materials NAME --fit`: the branches that have a material's absorption, as table, drawing, JSON.
 */
#ifndef SRC_MATERIAL_FIT_H
#define SRC_MATERIAL_FIT_H

#include <cjson/cJSON.h>

#include "rooms/materials/branch_fit.h"
#include "rooms/materials/material_library.h"
#include "src/base/options/options.h"

/** Fit a material and, if `drawing` names a file (.svg), draw it there, whole or not at all.
 * FAILURE_INPUT for an existing file (unless `force`) or another ending, FAILURE_OUTPUT if it cannot be
 * written. */
int material_fit(const struct material *material, const char *drawing, bool force, struct branch_fit *fit,
                 struct failure *failure);

/** Print the table. */
int material_fit_print(const char *name, const struct branch_fit *fit, struct failure *failure);

/** `transept materials --build LAYERS`: print what a wall of these layers absorbs and its fit, as tables or
 * as JSON, and draw the fit as above. FAILURE_INPUT also for layers that cannot be read. */
int material_build(const struct options *options, struct failure *failure);

/** An object: branches (D_s, E, F_per_s), and per octave target, centre and mean. */
cJSON *material_fit_json(struct branch_fit *fit);

#endif
