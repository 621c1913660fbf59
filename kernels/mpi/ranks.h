/** A room in parts on several processes (MPI ranks), on one host or many.
 *
 * Rank 0 is the program: it reads, voxelises, divides the room, writes and prints. The other ranks receive
 * their part of the grid by messages and serve requests of rank 0.
 *
 *   rank 0    start() .. engine_in_parts() with parts() .. end()
 *   others    start(), serve()
 *
 * The functions are a table, which is NULL without MPI at build time: then there is one rank.
 */
#ifndef KERNELS_RANKS_H
#define KERNELS_RANKS_H

#include "kernels/parts/engine_in_parts.h"

/** The host of a rank and its memory, as machine_memory.h counts it. */
#define RANK_HOST_NAME 64
struct rank_host {
    char name[RANK_HOST_NAME];
    uint64_t shared, own; /* bytes free to all ranks there together, and to this rank alone */
    uint64_t peak;        /* most bytes that it has used */
};

struct ranks_table {
    const char *library; /* that the program was built with: "Open MPI 4.1.4" */
    /** Version of NCCL that it was built with, as 22703 for 2.27.3; 0: without. */
    int (*nccl)(void);
    /** True if this process is one of several that mpirun or srun started. Reads the environment and does not
     * start MPI. */
    bool (*expected)(void);
    /** Start MPI. FAILURE_CAPACITY if it cannot be started; FAILURE_INPUT if it finds no other process, as
     * with the mpirun of another MPI. */
    int (*start)(int *argc, char ***argv, struct failure *failure);
    /** Number of ranks, and which this is; 1 and 0 before start(). */
    unsigned (*count)(void);
    unsigned (*own)(void);
    /** Serve until rank 0 ends; then MPI has ended too. A rank that fails sends its failure to rank 0.
     * Returns the exit status of rank 0. */
    int (*serve)(void);

    /* On rank 0. */
    /** Ask every rank for its host, while no rank steps. `out` (count()). */
    void (*hosts)(struct rank_host *out);
    /** A link for engine_in_parts(): one part a rank. Devices exchange values by MPI messages in device
     * memory if the MPI of every rank supports that; else by NCCL if the program has it and each rank has a
     * device of its own; else through the host. `what` names the way once all parts are started.
     * FAILURE_CAPACITY for memory. One link at a time. */
    int (*parts)(struct part_link *out, struct failure *failure);
    /** The program ends with this status, and so do all ranks. */
    void (*end)(int status);
    /** True if another rank ended before its work was done. Then requests to its engine fail with
     * FAILURE_OUTPUT and the number of the rank, within milliseconds if other ranks run on the same host;
     * end() ends the remaining ranks. If a rank is alone on its host, its launcher must end the others:
     * mpirun does, srun does with --kill-on-bad-exit. */
    bool (*lost)(void);
    /** Text that another rank prints if rank 0 is the one that ends early, after "rank 0 of 3 (process 123),
     * which writes the results, has ended: ". Before the first call nothing is printed. */
    void (*leave_word)(const char *text);
};

/** NULL: built without MPI. */
extern const struct ranks_table *const ranks_table;

static inline unsigned ranks_count(void)
{
    return ranks_table != NULL ? ranks_table->count() : 1;
}

static inline bool ranks_lost(void)
{
    return ranks_table != NULL && ranks_table->lost();
}

#endif
