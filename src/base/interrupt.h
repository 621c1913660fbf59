/** Ctrl-C, for long work. main.c installs the handlers. */
#ifndef SRC_INTERRUPT_H
#define SRC_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

#include "geometry/base/failure.h"

/** Set by the first SIGINT, SIGTERM or SIGHUP, unless the caller ignores it. Long work checks it. A
 * further signal more than a second later ends the program at once. */
extern volatile sig_atomic_t interrupt_seen;

/** While set, the first signal also ends the program at once, with status 130. Commands set it while no
 * file would be left incomplete and nothing has to be reported. Libraries and loops over 10^10 nodes need
 * not check then. */
extern volatile sig_atomic_t interrupt_ends;

/** The user waits a second at most. This part is for making results of the computed data; the rest is for
 * running work and for writing [s]. */
#define INTERRUPT_GRACE 0.4

/** Record the first signal. For a signal handler. */
void interrupt_note(void);

/** Forget the signal, before another command of the same process. */
void interrupt_forget(void);

/** Seconds since then; 0 without a signal. */
double interrupt_age(void);

/** From now on no results are made of computed data. Call it before any other thread runs. */
void interrupt_leaves_nothing(void);

/** True if the time for making results, INTERRUPT_GRACE, is over: then nothing new is begun. */
bool interrupt_overdue(void);

/** FAILURE_INTERRUPTED if Ctrl-C was seen. */
int interrupt_stop(struct failure *failure);

/** FAILURE_INTERRUPTED, without a sentence, when interrupt_overdue(). */
int interrupt_check(void);

#endif
