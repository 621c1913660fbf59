/** The checks that `bench` makes before it times: is every pressure the right one, bit for bit?
 *
 *   bench_check_small()  on the room at a small size: whole numbers against the textbook recurrence, where
 *                        no rounding happens, and the scheme with its walls against the
 *                        reference back end
 *   bench_check_same()   at any size: two engines of one room hold the same field
 *   bench_check_far_end()  at any size, without a second engine: bench_far_end.h
 */
#ifndef SRC_BENCH_CHECK_H
#define SRC_BENCH_CHECK_H

#include "kernels/engine/engine.h"
#include "src/bench/bench_rooms.h"

/** Steps of every check: whole numbers stay exact in single precision at least as long, those of the
 * isotropic scheme half as long. */
#define BENCH_CHECK_STEPS     8
#define BENCH_ISOTROPIC_STEPS 4
/** Seed of the field that every check starts from (engine_fill). */
#define BENCH_FILL_SEED UINT64_C(1)

/** How many pressures were compared, and how many of them were wrong. */
struct bench_tally {
    uint64_t compared, wrong;
};

/** The step of bench_engine(). */
int bench_room_step(const struct bench_room *room, double courant, bool rigid, struct time_step *step,
                    struct failure *failure);

/** An engine of the room on spacing 1 m at a Courant number (0: the default; a room with masses has its own),
 * its field filled by engine_fill(). `rigid`: no wall absorbs. */
int bench_engine(const struct bench_room *room, const struct engine_options *options, double courant,
                 bool rigid, struct engine **out, struct failure *failure);

/** Do `engine` and `expected`, both of `room` and in one precision, hold the same bits at every node of the
 * air? Hashes are compared, and where they differ the nodes are counted. FAILURE_ANSWER_NO names the first
 * one; engine_failed() of either is asked before. */
int bench_check_same(const struct bench_room *room, const struct engine *engine,
                     const struct engine *expected, struct bench_tally *tally, struct failure *failure);

/** Does `engine`, so many steps after bench_engine(.., BENCH_TEXTBOOK_COURANT, rigid), hold the whole numbers
 * that the textbook recurrence gives where it knows them? FAILURE_ANSWER_NO names the first node that does
 * not. */
int bench_check_exact(const struct bench_room *room, const struct engine *engine, struct bench_tally *tally,
                      struct failure *failure);

/** Is a node of a grid for the isotropic scheme whole and open, without a record? False where there is none.
 */
bool bench_is_whole(const struct block_grid *grid, const int64_t node[3]);

/** FAILURE_ANSWER_NO where a pressure is not finite. */
int bench_check_finite(const struct bench_room *room, const struct engine *engine, struct failure *failure);

/** All of it for one case on a small room, its box included; adds to `tally`. FAILURE_ANSWER_NO where a value
 * is wrong. */
int bench_check_small(const struct bench_room *room, const struct engine_options *options,
                      struct bench_tally *tally, struct failure *failure);

#endif
