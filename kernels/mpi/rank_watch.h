/** Detect ranks that have ended. A killed rank sends nothing, and ranks that wait for its values would wait
 * for ever. mpirun then ends all ranks; srun does not by itself.
 *
 * A rank sees only the processes of its own host; ranks of other hosts report the rest.
 */
#ifndef KERNELS_RANK_WATCH_H
#define KERNELS_RANK_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The place of a rank: ranks with the same `place` see each other's processes by number. 0: unknown. */
struct rank_place {
    uint64_t place;
    int64_t process;
};

/** The place of this process: its host since the last boot, and its namespace of process numbers, since
 * containers have their own. */
struct rank_place rank_place_own(void);

struct rank_watch {
    unsigned ranks, own;
    struct rank_place *place; /* (ranks) owned; NULL: no rank is seen */
};

/** The lowest rank from `from` on, except this one, whose process has ended; `ranks` if there is none. One
 * system call for each rank of this host. */
unsigned rank_watch_gone(const struct rank_watch *watch, unsigned from);

/** True if this is the lowest rank above 0 that still runs, as far as it sees: it prints for the others. */
bool rank_watch_speaks(const struct rank_watch *watch);

#endif
