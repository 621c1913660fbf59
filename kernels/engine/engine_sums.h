/** Sums over the blocks or wall entries of a room that may be made in pieces, by several engines, and have
 * the bits of one engine's: each is a chain of additions that goes on where it was left.
 */
#ifndef KERNELS_ENGINE_SUMS_H
#define KERNELS_ENGINE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/scheme/engine_parts.h"

struct engine;

/** engine_energy() of `units` blocks is the sum over this many pieces, the n-th from unit 1 + units n /
 * pieces on, and then of the sheets (engine_sheet_energy()). */
static inline uint64_t engine_energy_pieces_of(uint64_t units)
{
    return units / 64 + 1;
}

/** To be called before engine_energy_add() of any of the units first .. last-1 while the field is as it is:
 * fetches what an engine with a device has found there, and does nothing on processors. False when the engine
 * is lost; then nothing is added. Takes 16 bytes a unit and 8 an extra link and wall entry; units are looked
 * at so many at a time at most. */
bool engine_energy_look(struct engine *engine, uint64_t first, uint64_t last);
#define ENGINE_LOOK_UNITS (UINT64_C(1) << 20)

/** Of one piece. Starts zeroed. */
struct engine_energy_sums {
    double moving, stretched, extra, held;
};
/** Add the units first .. last-1 with their walls to what is there. */
void engine_energy_add(const struct engine *engine, uint64_t first, uint64_t last,
                       struct engine_energy_sums *sums);
/** The energy of a piece that is complete. */
double engine_energy_total(const struct engine *engine, const struct engine_energy_sums *sums);

/** engine_absorbed() adds up entries by chunks of so many. */
#define ENGINE_LOSS_CHUNK 65536u
/** The same before engine_loss_add(); a real an entry. */
bool engine_loss_look(struct engine *engine, uint64_t first, uint64_t last);
#define ENGINE_LOOK_CHUNKS UINT64_C(64)
/** Losses of the wall entries first .. last-1, added to `absorbed` by material as engine_absorbed() has them.
 */
void engine_loss_add(const struct engine *engine, uint64_t first, uint64_t last, double *absorbed);
/** All of them have been taken: count from 0 again. */
void engine_loss_clear(struct engine *engine);

/** What engine_health() is made of: sums over u, and the pressure index of the first node
 * that is not finite. */
struct engine_partial engine_measure(const struct engine *engine);

#endif
