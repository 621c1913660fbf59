/** The wave while a source is stepped: `wave.png` in the run's folder, a plan at the height of the source, a
 * pixel a node, colours by picture_paint.h over 40 dB below the loudest node of the picture.
 *
 * Written anew, whole, at most twice a second, and so that pictures take no more than WAVE_SHARE of the time.
 * The steps do not change. The file is gone when the source ends; what goes wrong with it only ends it. */
#ifndef SRC_WAVE_PICTURE_H
#define SRC_WAVE_PICTURE_H

#include "blocks/block_grid.h"
#include "kernels/engine/engine.h"
#include "src/draw/picture_plane.h"

#define WAVE_PICTURE "wave.png"
#define WAVE_APART   0.5 /* [s] */
#define WAVE_SHARE   0.015

/** Zeroed is none. */
struct wave_picture {
    const struct block_grid *grid; /* borrowed */
    struct picture_plane plane;    /* owned */
    char *path, *temporary;        /* owned */
    double due;                    /* of progress_clock() [s] */
};

/** A plan at `height` [m] into the folder. Where the plane has no air, or without memory, there is none. */
void wave_picture_start(struct wave_picture *picture, const struct block_grid *grid, double height,
                        const char *folder);

/** Take one if it is time. `*taken` says whether. A failure is one of the engine. */
int wave_picture_take(struct wave_picture *picture, const struct engine *engine, bool *taken,
                      struct failure *failure);

/** Remove the file. */
void wave_picture_end(struct wave_picture *picture);

#endif
