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

/** Was this process started as one of several, by mpirun or srun? From the environment: MPI is not started
 * for that. */
bool ranks_expected(void);

/** Start MPI. FAILURE_CAPACITY where it cannot be. */
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

/** A link for engine_in_parts() on rank 0: one part a rank. FAILURE_MEMORY. One at a time. */
int ranks_parts(struct part_link *out, struct failure *failure);

/** On rank 0: the program ends with that status, and so do all. */
void ranks_end(int status);

#endif
