/** The state of a part's own blocks as the image of the whole room has it (engine_image.h): what a checkpoint
 * of a room in parts is made of, piece by piece, so that any other number of parts can go on from it. */
#ifndef KERNELS_PART_IMAGE_H
#define KERNELS_PART_IMAGE_H

#include "blocks/block_layout.h"
#include "kernels/engine/engine.h"

/** Planes of the own wall entries of a part's engine. A room has as many as the part that has most: an open
 * face is in some parts only. */
uint32_t part_image_planes(const struct engine *engine);

/** Take the blocks first .. last-1 of the part into `bytes`, or (`set`) put them in from there, with `planes`
 * planes of each wall entry, the first ones 0 where the part has fewer. Ghosts are not right
 * afterwards. FAILURE_CAPACITY for memory: a piece, and only where planes differ; FAILURE_OUTPUT of a device.
 */
int part_image_move(struct engine *engine, uint32_t planes, bool set, block_id first, block_id last,
                    void *bytes, struct failure *failure);

#endif
