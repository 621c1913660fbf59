/** Are the other ranks still there? One that is killed sends nothing more, and who waits for its values would
 * wait for ever: mpirun ends all then, srun does not by itself, and neither says what is to be done.
 *
 * A rank sees the processes of its own host and no others; of those elsewhere it is told.
 */
#ifndef KERNELS_RANK_WATCH_H
#define KERNELS_RANK_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where a rank runs: ranks of the same `place` see one another's processes by number. 0: nobody knows. */
struct rank_place {
    uint64_t place;
    int64_t process;
};

/** Of this process: its host since it was started, and its space of process numbers, as containers have their
 * own. */
struct rank_place rank_place_own(void);

/** `place` is of `ranks` ranks, owned; NULL: nothing is seen. */
struct rank_watch {
    unsigned ranks, own;
    struct rank_place *place;
};

/** The lowest rank from `from` on, this one excepted, whose process was seen and is no more; `ranks` where
 * there is none. A system call a rank of this host. */
unsigned rank_watch_gone(const struct rank_watch *watch, unsigned from);

/** Is this the lowest rank above 0 that is still there, as far as can be seen? It speaks for the others. */
bool rank_watch_speaks(const struct rank_watch *watch);

#endif
