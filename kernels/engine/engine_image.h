/** The whole state of an engine, handed out and taken back piece by piece, in a form that says nothing of
 * back end, layout, vectors, threads or parts: what a checkpoint keeps.
 *
 * An image is one of each block after the other, in the run's real:
 *
 *   u (512), u_old (512), then for each wall entry of the block: V of branch 0, 1, .., g of branch 0, 1, ..,
 *   and with a ledger what the entry has lost since engine_absorbed() was last called, then for each link
 * from the block on that a sheet cuts: V, w, and what it has lost
 *
 * blocks 1 .. blocks in the grid's order, slots and entries in theirs; what is not air is 0. Beside the
 * blocks there are only the number of steps and what materials have absorbed up to the last
 * engine_absorbed(). An engine that has been given all of it goes on as the one that it was taken from would
 * have: the same bits.
 *
 * A processor's engine needs no memory for this; a device's with blocks as much as a piece; a device's box a
 * copy of everything on the host. Of an engine in parts each block comes from the part that has it, and goes
 * there: as much memory as a piece at either end where parts are in other processes.
 */
#ifndef KERNELS_ENGINE_IMAGE_H
#define KERNELS_ENGINE_IMAGE_H

#include "kernels/engine/engine.h"

/** What an image is of. Images go from one engine to another where all of this agrees. */
struct engine_image_form {
    uint32_t blocks;
    uint32_t real_bytes;
    uint32_t planes; /* reals of a wall entry: 2 for each branch of the material that has most, 1 of a ledger;
                        0 for walls without states */
    uint32_t absorbed; /* sums of engine_absorbed(): materials and 1 with a ledger, else 0 */
    uint64_t walls;    /* wall entries of the grid */
};
struct engine_image_form engine_image_form(const struct engine *engine);

/** Bytes of the blocks first .. last-1, 1 <= first <= last <= blocks + 1. */
uint64_t engine_image_bytes(const struct engine *engine, uint32_t first, uint32_t last);

struct engine_image;

/** Begin to take an image, or (`set`) to put one in. The engine must not be stepped before
 * engine_image_close(), which also ends a failed one; NULL is accepted there. FAILURE_CAPACITY for memory;
 * FAILURE_OUTPUT when the device failed. */
int engine_image_open(struct engine *engine, bool set, struct engine_image **out, struct failure *failure);

/** The image of now, of which a second copy is made first, in the memory where the field is: from then on the
 * engine may be stepped, reset and looked at, while one other thread reads the image, until
 * engine_image_close(). One at a time. `*out` NULL and no failure: there is no memory for it, or the engine
 * is one of parts or a device's box; then engine_image_open() is left. Failures as there. Steps and sums are
 * those of the engine: engine_image_get_steps() is to be asked at once. Costs what it takes to copy the field
 * there; a device keeps the memory until engine_free(). */
int engine_image_open_copy(struct engine *engine, struct engine_image **out, struct failure *failure);

/** The blocks first .. last-1: engine_image_bytes() of them. Any order, each block once. Failures as above.
 */
int engine_image_get(struct engine_image *image, uint32_t first, uint32_t last, void *bytes,
                     struct failure *failure);
int engine_image_set(struct engine_image *image, uint32_t first, uint32_t last, const void *bytes,
                     struct failure *failure);

/** Steps done and what was absorbed (form.absorbed; may be NULL where that is 0). */
uint64_t engine_image_get_steps(const struct engine *engine, double *absorbed);
void engine_image_set_steps(struct engine *engine, uint64_t steps, const double *absorbed);

/** After the last piece. Fails as engine_image_open(): with `set` a device gets here what was put in. */
int engine_image_close(struct engine_image *image, struct failure *failure);

#endif
