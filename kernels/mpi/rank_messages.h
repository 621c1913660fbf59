/** Messages between ranks, also after one of them has ended. Private to kernels/mpi.
 *
 * No rank blocks in MPI. It tests for a message, with pauses, and between two tests it checks whether the
 * other ranks still run (rank_watch.h).
 */
#ifndef KERNELS_RANK_MESSAGES_H
#define KERNELS_RANK_MESSAGES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"

/** The kinds of messages. */
enum { RANK_TAG_ORDER = 1, RANK_TAG_BYTES, RANK_TAG_ANSWER, RANK_TAG_VALUES, RANK_TAG_LOST };

/** True between the start of MPI and rank_leave(). Otherwise there is one rank, 0. */
bool rank_is_running(void);
unsigned rank_count(void);
unsigned rank_own(void);
void rank_leave(void);

/** Tell every rank where the others run. FAILURE_CAPACITY without memory. */
int rank_meet(struct failure *failure);

/** True if a rank was found to have ended. */
bool rank_is_lost(void);

/** End all ranks if a call of MPI failed: otherwise the others would wait for ever. */
void rank_must(int error);

/** On rank 0: true if a rank is lost. Its messages will not arrive. From then on only MPI_Abort() of MPI is
 * called, since messages on their way may use freed memory. */
bool rank_is_over(void);

/** FAILURE_OUTPUT with the number of the lost rank. */
int rank_tell_lost(struct failure *failure);

/** Set the text that this rank prints if rank 0 ends early. Takes `word`; NULL: nothing. */
void rank_keep_word(char *word);

/** Pause between two tests for a message; `*looks` counts them, from 0. */
void rank_wait_a_while(unsigned *looks, long most_nanoseconds);

/** Wait until all requests are done, or rank_is_over(). `status` (count) is scratch. */
#define RANK_PAUSE_FOR_VALUES 50000 /* [ns] */
#define RANK_PAUSE_FOR_BYTES  200000
void rank_wait_for_all(int count, MPI_Request *request, MPI_Status *status, long nanoseconds);

/** Send or receive any number of bytes, in messages of RANK_CHUNK, since a count of MPI is an int. After a
 * rank is lost nothing is received. */
#define RANK_CHUNK (UINT64_C(1) << 30)
void rank_send(const void *bytes, uint64_t count, int to, int tag);
void rank_receive(void *bytes, uint64_t count, int from, int tag);

#endif
