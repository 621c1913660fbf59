/** Times several GPUs that step one room in parts, relative to the rate of one GPU times their number.
 *
 *   shapes    of one size per GPU: cross and church of about 5 x 256^3 and 5 x 512^3 nodes each
 *   a model   the same room on one GPU and on more
 *
 * First, a small room must be the same on one GPU and on all, bit for bit. */
#ifndef SRC_BENCH_CARDS_H
#define SRC_BENCH_CARDS_H

#include "src/bench/bench.h"

/** Time and print the GPUs of bench->choice, at least two: 1, 2, 4 .. and all. With ranks of MPI: one GPU,
 * and one of each rank. FAILURE_ANSWER_NO if the small room differs; failures of the GPUs, the rooms and the
 * output. */
int bench_on_cards(struct bench *bench, struct failure *failure);

/** Numbers of GPUs to be timed, rising: powers of two below `cards`, with `ends` only 1, and `cards`. Returns
 * how many. */
#define BENCH_COUNTS_MOST 16
unsigned bench_card_counts(unsigned cards, bool ends, unsigned count[BENCH_COUNTS_MOST]);

#endif
