/** A room in parts on several processes (MPI ranks), on one host or many.
 *
 * Rank 0 is the program: it reads, voxelises, cuts the room, writes and prints. The others wait for what it
 * asks: they get their part of the grid by messages and keep nothing else of the room.
 *
 *   rank 0    ranks_start() .. engine_in_parts() with ranks_parts() .. ranks_end()
 *   others    ranks_start(), ranks_serve()
 *
 * Without MPI at build time (`ranks_absent.c`) there is one rank, and no other function is to be called.
 */
#ifndef KERNELS_RANKS_H
#define KERNELS_RANKS_H

#include "kernels/parts/engine_in_parts.h"

/** "Open MPI 4.1.4", what this program was built with; NULL: without MPI. */
const char *ranks_library(void);

/** NCCL that it was built with, as 22703 for 2.27.3; 0: without. */
int ranks_nccl(void);

/** Was this process started as one of several, by mpirun or srun? From the environment: MPI is not started
 * for that. */
bool ranks_expected(void);

/** Start MPI. FAILURE_CAPACITY where it cannot be, FAILURE_INPUT where it finds no other process, as with the
 * mpirun of another MPI. */
int ranks_start(int *argc, char ***argv, struct failure *failure);

/** How many there are, and which this is; 1 and 0 before ranks_start(). */
unsigned ranks_count(void);
unsigned ranks_own(void);

/** Which of the processes of its host this one is, from 0 on, as its launcher says; else its rank. With
 * devices each takes the card of that number, or where there are fewer they share them in turn. */
unsigned ranks_on_host(void);

/** Serve until rank 0 ends; then MPI is over too. A rank that fails tells rank 0, whose failure it becomes.
 * Returns the exit status of rank 0. */
int ranks_serve(void);

/** The host of a rank, and what can be had there; as machine_memory.h has it. */
#define RANK_HOST_NAME 64
struct rank_host {
    char name[RANK_HOST_NAME];
    uint64_t shared, own; /* bytes that all ranks there share, and that this one can have alone */
    uint64_t peak;        /* most that it has held */
};

/** On rank 0: ask every rank, while none of them steps. `out` (ranks_count()). */
void ranks_hosts(struct rank_host *out);

/** A link for engine_in_parts() on rank 0: one part a rank. Cards exchange their values by messages in their
 * memory where the MPI of every rank takes these, else by NCCL where there is one and each rank has a card of
 * its own, else through the host; `what` says which once all parts are there. FAILURE_MEMORY. One at a time.
 */
int ranks_parts(struct part_link *out, struct failure *failure);

/** On rank 0: the program ends with that status, and so do all. */
void ranks_end(int status);

/** On rank 0: has one of the others ended before its work was done, killed or failed? Then all that is asked
 * of their engine fails with FAILURE_OUTPUT and which it was, within milliseconds where it ran on a host of
 * others, and ranks_end() ends who is left. A rank that was alone on its host is missed by who started them
 * alone: mpirun ends all, srun with --kill-on-bad-exit. */
bool ranks_lost(void);

/** On rank 0: what another rank shall print should rank 0 be the one that ends so, behind "rank 0 of 3
 * (process 123), which writes the results, has ended: ". Before the first there is nothing to be lost, and
 * nothing is printed. */
void ranks_leave_word(const char *text);

#endif
