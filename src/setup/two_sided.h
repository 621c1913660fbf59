/** Surfaces without thickness that have another material behind them. */
#ifndef SRC_TWO_SIDED_H
#define SRC_TWO_SIDED_H

#include "src/setup/room_model.h"

/** Resolve the backs into model->back_material, and add a material to the mesh for every back that it does
 * not have. FAILURE_INPUT: a name that no surface has, no back, or two. */
int room_two_sided(const struct surface_request *request, struct room_model *model, struct failure *failure);

/** A back has no triangles: add to its area in model->area those of the surfaces that it is behind. */
void room_two_sided_areas(struct room_model *model);

#endif
