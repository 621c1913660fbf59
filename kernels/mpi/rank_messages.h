/** What ranks say to one another, and what becomes of it when one of them is gone: inside kernels/mpi alone
 * (ranks.h is for all others).
 *
 * Nobody waits in MPI: a message is looked for until it is there, with pauses, and between two looks a rank
 * sees whether the others still run (rank_watch.h).
 */
#ifndef KERNELS_RANK_MESSAGES_H
#define KERNELS_RANK_MESSAGES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "geometry/base/failure.h"

/** The kinds of messages. */
enum { RANK_TAG_ORDER = 1, RANK_TAG_BYTES, RANK_TAG_ANSWER, RANK_TAG_VALUES, RANK_TAG_LOST };

/** Between the start of MPI and rank_leave(). Outside of it there is one rank, 0. */
bool rank_is_running(void);
unsigned rank_count(void);
unsigned rank_own(void);
void rank_leave(void);

/** Every rank learns where the others are. FAILURE_CAPACITY without memory. */
int rank_meet(struct failure *failure);

/** Was a rank found gone? */
bool rank_is_lost(void);

/** All ranks end where a call of MPI failed: without its messages a rank can do nothing, and the others would
 * wait for it for ever. */
void rank_must(int error);

/** On rank 0: a rank is lost. What rank 0 waits for will not come, and nothing of MPI is called any more but
 * MPI_Abort(), since messages that are under way have memory that may be gone. */
bool rank_is_over(void);

/** Says so: FAILURE_OUTPUT. */
int rank_tell_lost(struct failure *failure);

/** What this rank is to say when rank 0 is gone: taken over; NULL: nothing. */
void rank_keep_word(char *word);

/** Between two looks at what is waited for; `*looks` counts them, from 0. */
void rank_wait_a_while(unsigned *looks, long most_nanoseconds);

/** Until all requests are done, or rank_is_over(). `status` (count) is scratch. */
#define RANK_PAUSE_FOR_VALUES 50000 /* [ns] */
#define RANK_PAUSE_FOR_BYTES  200000
void rank_wait_for_all(int count, MPI_Request *request, MPI_Status *status, long nanoseconds);

/** Any number of bytes, in messages of RANK_CHUNK: a count of MPI is an int. Nothing is received once a rank
 * is lost. */
#define RANK_CHUNK (UINT64_C(1) << 30)
void rank_send(const void *bytes, uint64_t count, int to, int tag);
void rank_receive(void *bytes, uint64_t count, int from, int tag);

#endif
