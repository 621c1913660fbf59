/** The sheets of a room that sound goes through, as an engine steps them (kernels/scheme/sheet_law.h).
 *
 * The sweep takes every link that a sheet cuts for open; after it each node with such links gets back what
 * the sheets hold back, as a source would add it. A flow is worked out from u alone, which no one writes
 * within a step, and from states of the step before, of which there are two copies: both ends of a link work
 * it out for themselves, whoever steps them and when, and one of them writes it down; of a link between two
 * parts of a room one in each.
 */
#ifndef KERNELS_ENGINE_SHEETS_H
#define KERNELS_ENGINE_SHEETS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/sheet_tables.h"

struct engine;

/** Set up engine->sheets for the links of its grid, and on its device; nothing where there are none. Terms of
 * walls are made already. FAILURE_INPUT for a sheet whose material has no law. */
int engine_make_sheets(struct engine *engine, struct failure *failure);
void engine_free_sheets(struct engine *engine);

/** States and losses to 0. */
void engine_zero_sheets(struct engine *engine);

/** Before a batch of steps: the differences that states are of, from u_old. */
void engine_begin_sheets(struct engine *engine);

/** Before the sweep of these indices: what walls at sheets are like, for their losses. */
void engine_hold_sheets(const struct engine *engine, const void *u_old, uint64_t begin, uint64_t end);

/** In step n of a batch, after the sweep of these indices: the sheets of their nodes. `outer`: NULL, or the
 * blocks that are meant are those where it is `wanted`. */
void engine_step_sheets(const struct engine *engine, const void *u, void *u_new, uint64_t begin, uint64_t end,
                        uint64_t n, const bool *outer, bool wanted);

/** Add to `sum` what sheets hold, less what their links would hold open, as engine_energy() has it: in the
 * order of their links, those of a part that begin in it, so that parts can go on with one sum. */
double engine_sheet_energy(const struct engine *engine, double sum);

/** Likewise add to `absorbed` by row what they took since then; count from 0 again. False when the engine is
 * lost. */
bool engine_collect_sheets(struct engine *engine, double *absorbed);

/** Bytes of what is kept by link and node. */
uint64_t engine_sheet_bytes(const struct engine *engine);
/** The same before there is an engine; no less than that. */
#define SHEET_PLANES 3
static inline uint64_t sheet_terms_bytes(unsigned real_bytes)
{
    return real_bytes == sizeof(float) ? sizeof(struct scheme_sheet_f32) : sizeof(struct scheme_sheet_f64);
}
static inline uint64_t engine_sheet_bytes_of(uint64_t links, unsigned real_bytes)
{
    const uint64_t by_link = sizeof(uint64_t[2]) + sizeof(uint16_t) + sizeof(double) +
                             sizeof(struct sheet_law) + sheet_terms_bytes(real_bytes) +
                             (2 * SHEET_PLANES + 1) * real_bytes;
    return links * (by_link + 2 * (sizeof(struct sheet_node) + sizeof(uint64_t) + real_bytes));
}

/** Reals of a link in an image: V, w, and what it has lost. */
#define SHEET_IMAGE_REALS 3u
/** All links in the grid's order, out of the engine or into it. FAILURE_OUTPUT when its device fails. */
int engine_sheets_get(struct engine *engine, void *reals, struct failure *failure);
int engine_sheets_set(struct engine *engine, const void *reals, struct failure *failure);

/** Has one of the blocks first .. last-1 a node that a sheet moves? */
bool engine_sheets_among(const struct engine *engine, uint64_t first, uint64_t last);

#endif
