/** Ctrl-C, as the program's long work sees it. main.c installs the handlers. */
#ifndef SRC_INTERRUPT_H
#define SRC_INTERRUPT_H

#include <signal.h>

/** Set by the first SIGINT, SIGTERM or SIGHUP that the caller has not ignored, and checked by whatever
 * takes long; one that comes more than a second later ends the program at once. */
extern volatile sig_atomic_t interrupt_seen;

/** While it is set the first one does so too, with status 130. For as long as nothing is on a disk that
 * would be left half-done, and nothing is to be reported of what was done: libraries, and loops over 10^10
 * nodes, need not check then. Commands set it. */
extern volatile sig_atomic_t interrupt_ends;

#endif
