/** Ctrl-C, as the program's long work sees it. main.c installs the handlers. */
#ifndef SRC_INTERRUPT_H
#define SRC_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

#include "geometry/base/failure.h"

/** Set by the first SIGINT, SIGTERM or SIGHUP that the caller has not ignored, and checked by whatever
 * takes long; one that comes more than a second later ends the program at once. */
extern volatile sig_atomic_t interrupt_seen;

/** While it is set the first one does so too, with status 130. For as long as nothing is on a disk that
 * would be left half-done, and nothing is to be reported of what was done: libraries, and loops over 10^10
 * nodes, need not check then. Commands set it. */
extern volatile sig_atomic_t interrupt_ends;

/** Of the second that a user waits at most, what may go into making something of what there is: the rest is
 * for what is under way and for writing [s]. */
#define INTERRUPT_GRACE 0.4

/** The first one is here. For a handler of signals. */
void interrupt_note(void);

/** Nobody wants to stop any more: before another command of the same process. */
void interrupt_forget(void);

/** Seconds since then; 0 where there was none. */
double interrupt_age(void);

/** From now on nothing is made of what there is. Before any other thread runs. */
void interrupt_leaves_nothing(void);

/** Is no time left, since INTERRUPT_GRACE, to make something of what there is? Whoever does so begins nothing
 * new then. */
bool interrupt_overdue(void);

/** FAILURE_INTERRUPTED if Ctrl-C was seen. */
int interrupt_stop(struct failure *failure);

/** FAILURE_INTERRUPTED, without a sentence, when interrupt_overdue(). */
int interrupt_check(void);

#endif
