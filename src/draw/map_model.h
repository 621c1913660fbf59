/** A map as a model, for viewers and modellers: at every point that has a figure a square at the height of
 * the ears, in the colour that the drawing's legend gives it (map_scale.h).
 */
#ifndef SRC_MAP_MODEL_H
#define SRC_MAP_MODEL_H

#include "src/draw/map_drawing.h"

/** A binary glTF 2.0: one mesh named after the figure and the octave, y up, with linear colours at its
 * corners (COLOR_0) and a material that no light changes. Nothing is appended where no point has the figure.
 * FAILURE_CAPACITY for memory. */
int map_model_glb(const struct map_drawing *map, struct text_buffer *out, struct failure *failure);

/** The same as a PLY in ASCII, z up, colours as of a screen (sRGB). */
int map_model_ply(const struct map_drawing *map, struct text_buffer *out, struct failure *failure);

#endif
