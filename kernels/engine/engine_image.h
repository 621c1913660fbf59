/** The whole state of an engine, read and written in pieces, for checkpoints. Its form does not depend on
 * back end, layout, vector width, threads or parts.
 *
 * An image has the blocks 1 .. blocks in the order of the grid, each in the run's real:
 *
 *   u (512), u_old (512), and with losses of the air (engine_set_air()) each of their states (512)
 *   each wall entry of the block: V of branch 0, 1, .., g of branch 0, 1, .., and with a ledger its loss
 *       since the last engine_absorbed()
 *   each link that begins in the block and that a sheet cuts: V, w, its loss
 *   each node of the layer behind open faces (engine_layer.h): its states, its loss
 *
 * Nodes that are not air are 0. The rest of the state is the number of steps, the energy that materials
 * have absorbed up to the last engine_absorbed(), and the state of a port (engine_port.h). An engine that is
 * given all of it continues with the same bits.
 *
 * Memory: none on a CPU; a piece for blocks on a device; a copy of everything for a box on a device. In parts
 * each block is read from and written to its part: a piece at both ends if parts are in other processes.
 */
#ifndef KERNELS_ENGINE_IMAGE_H
#define KERNELS_ENGINE_IMAGE_H

#include "kernels/engine/engine.h"

/** An image can be written to another engine if all of this is equal. */
struct engine_image_form {
    uint32_t blocks;
    uint32_t real_bytes;
    uint32_t planes; /* reals of a wall entry: 2 for each branch of the material that has most, 1 of a ledger;
                        0 for walls without states */
    uint32_t absorbed; /* sums of engine_absorbed(): materials and 1 with a ledger, else 0 */
    uint64_t walls;    /* wall entries of the grid */
    uint64_t port;     /* engine_port_state() */
    uint64_t levels;   /* u, u_old and the states of the air's losses */
};
struct engine_image_form engine_image_form(const struct engine *engine);

/** Bytes of the blocks first .. last-1, 1 <= first <= last <= blocks + 1. */
uint64_t engine_image_bytes(const struct engine *engine, uint32_t first, uint32_t last);

struct engine_image;

/** Begin to read an image, or (`set`) to write one. The engine must not be stepped before
 * engine_image_close(). FAILURE_CAPACITY for memory; FAILURE_OUTPUT if the device failed. */
int engine_image_open(struct engine *engine, bool set, struct engine_image **out, struct failure *failure);

/** Copy the state within the memory where the field is, and begin to read that copy. The engine may then be
 * stepped, reset and measured while one other thread reads the image, until engine_image_close(). One copy at
 * a time. `*out` NULL without a failure: there is no memory for it, or the engine is in parts or steps a box
 * on a device; use engine_image_open(). Failures as there. Call engine_image_get_steps() and
 * engine_port_get_state() at once, before the next step. Takes the time to copy the field; a device keeps the
 * memory until engine_free(). */
int engine_image_open_copy(struct engine *engine, struct engine_image **out, struct failure *failure);

/** The blocks first .. last-1: engine_image_bytes() of them. Any order, each block once. Failures as above.
 */
int engine_image_get(struct engine_image *image, uint32_t first, uint32_t last, void *bytes,
                     struct failure *failure);
int engine_image_set(struct engine_image *image, uint32_t first, uint32_t last, const void *bytes,
                     struct failure *failure);

/** Number of steps and absorbed energy, (form.absorbed); may be NULL if that is 0. */
uint64_t engine_image_get_steps(const struct engine *engine, double *absorbed);
void engine_image_set_steps(struct engine *engine, uint64_t steps, const double *absorbed);

/** End an image, after the last piece or a failure. With `set` a device receives its state here. Failures as
 * engine_image_open(). NULL is accepted. */
int engine_image_close(struct engine_image *image, struct failure *failure);

#endif
