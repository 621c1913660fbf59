/** Times several cards that step one room in parts, relative to the rate of one card times their number.
 *
 *   shapes    as large for each card as on one: cross and church of about 5 x 256^3 and 5 x 512^3 nodes a
 * card a model   the same room on one card and on more
 *
 * Before anything is timed a small room must be the same on one card and on all, bit for bit. */
#ifndef SRC_BENCH_CARDS_H
#define SRC_BENCH_CARDS_H

#include "src/bench/bench.h"

/** On the cards of bench->choice, of which there are two at least: 1, 2, 4 .. and all, or with ranks of MPI
 * on one card and on one of each rank; timed and printed. FAILURE_ANSWER_NO if the small room differs;
 * failures of the cards, the rooms and the output. */
int bench_on_cards(struct bench *bench, struct failure *failure);

/** Numbers of cards to be timed, rising: powers of two below `cards`, or of them one alone (`ends`), and
 * `cards`. Returns how many. */
#define BENCH_COUNTS_MOST 16
unsigned bench_card_counts(unsigned cards, bool ends, unsigned count[BENCH_COUNTS_MOST]);

#endif
