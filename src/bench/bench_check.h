/** The checks of `bench` before it times: every pressure must be right, bit for bit.
 *
 *   bench_check_small()  on the room at a small size: whole numbers compared with the textbook recurrence,
 * without rounding, and the scheme with its walls compared with the reference back end bench_check_same() at
 * any size: two engines of one room hold the same field bench_check_far_end()  at any size, without a second
 * engine: bench_far_end.h */
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

/** Number of compared pressures, and of wrong ones. */
struct bench_tally {
    uint64_t compared, wrong;
};

/** The time step of bench_engine(). */
int bench_step(const struct bench_room *room, double courant, bool rigid, struct time_step *out,
               struct failure *failure);

/** An engine of the room on spacing 1 m at a Courant number (0: the default; a room with masses has its own),
 * its field filled by engine_fill(). `rigid`: walls do not absorb. */
int bench_engine(const struct bench_room *room, const struct engine_options *options, double courant,
                 bool rigid, struct engine **out, struct failure *failure);

/** Compare `engine` with `expected`, both of `room` and in one precision, bit by bit at every node of the
 * air. Hashes are compared first; if they differ the nodes are counted. FAILURE_ANSWER_NO names the first
 * different node; engine_failed() of either is checked before. */
int bench_check_same(const struct bench_room *room, const struct engine *engine,
                     const struct engine *expected, struct bench_tally *tally, struct failure *failure);

/** Check that `engine`, so many steps after bench_engine(.., BENCH_TEXTBOOK_COURANT, rigid), holds the whole
 * numbers of the textbook recurrence where these are known. FAILURE_ANSWER_NO names the first wrong node. */
int bench_check_exact(const struct bench_room *room, const struct engine *engine, struct bench_tally *tally,
                      struct failure *failure);

/** FAILURE_ANSWER_NO if a pressure is not finite. */
int bench_check_finite(const struct bench_room *room, const struct engine *engine, struct failure *failure);

/** All checks for one case on a small room, its box included; adds to `tally`. FAILURE_ANSWER_NO if a value
 * is wrong. */
int bench_check_small(const struct bench_room *room, const struct engine_options *options,
                      struct bench_tally *tally, struct failure *failure);

#endif
