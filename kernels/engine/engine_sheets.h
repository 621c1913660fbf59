/** The sheets of a room that sound goes through, as an engine steps them (kernels/scheme/sheet_law.h).
 *
 * The step first updates every link that a sheet cuts as open; then it adds the flow that the sheet holds
 * back to the nodes at its ends, like a source. A flow depends only on u, which is constant within a step,
 * and on states of the step before, of which there are two copies. Both ends of a link compute the flow, in
 * any order and by any thread, and one of them stores it; if the link joins two parts of a room, one end in
 * each part.
 */
#ifndef KERNELS_ENGINE_SHEETS_H
#define KERNELS_ENGINE_SHEETS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/sheet_tables.h"

struct engine;

/** Make engine->sheets for the links that sheets cut, if there are any. The terms of walls must exist.
 * FAILURE_INPUT for a sheet whose material has no law. */
int engine_make_sheets(struct engine *engine, struct failure *failure);
void engine_free_sheets(struct engine *engine);

/** Set states and losses to 0. */
void engine_zero_sheets(struct engine *engine);

/** Before a batch of steps: compute the differences of the states from u_old. */
void engine_begin_sheets(struct engine *engine);
/** Before step n of a batch, after losses of the air have changed u_old since the step before: the part of
 * u_i - u_j that a sheet holds back stays, so V changes as u_i - u_j. Then V + (the change of u_i - u_j) / 2
 * stays, as the mean of u and u_old does, and of a link's energy only m_s V^2 changes (sheet_law.h), which
 * the proof of air_loss.h leaves out; test_air_loss looks for more energy. */
void engine_shift_sheets(const struct engine *engine, const void *u_old, uint64_t n);

/** Before the update of these indices: keep the states of walls at sheets, for their losses. */
void engine_hold_sheets(const struct engine *engine, const void *u_old, uint64_t begin, uint64_t end);

/** In step n of a batch, after the update of these indices: step the sheets of their nodes. `outer`: NULL, or
 * only the blocks where it equals `wanted`. */
void engine_step_sheets(const struct engine *engine, const void *u, void *u_new, uint64_t begin, uint64_t end,
                        uint64_t n, const bool *outer, bool wanted);

/** Energy of the sheets, less that of their links as open ones, in the units of engine_energy(). In a part:
 * of the links that begin in it. */
double engine_sheet_energy(const struct engine *engine);

/** Add the energy that they absorbed since the last call to `absorbed`, by row. False if the engine is
 * lost. */
bool engine_collect_sheets(struct engine *engine, double *absorbed);

/** Bytes of the arrays by link and node. */
uint64_t engine_sheet_bytes(const struct engine *engine);
/** An upper bound of them before there is an engine. */
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

/** Reals of a link in an image: V, w, and its loss. */
#define SHEET_IMAGE_REALS 3u
/** Read or write all links, in the order of the grid. FAILURE_OUTPUT if the device fails. */
int engine_sheets_get(struct engine *engine, void *reals, struct failure *failure);
int engine_sheets_set(struct engine *engine, const void *reals, struct failure *failure);

/** True if one of the blocks first .. last-1 has a node at a sheet. */
bool engine_sheets_among(const struct engine *engine, uint64_t first, uint64_t last);

#endif
