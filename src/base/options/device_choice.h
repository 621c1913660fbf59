/** Which cards of this machine step a room: `all`, how many, or their numbers. */
#ifndef SRC_DEVICE_CHOICE_H
#define SRC_DEVICE_CHOICE_H

#include <stdbool.h>

#include "geometry/base/failure.h"

#define DEVICES_MOST 64

struct device_choice {
    bool all;
    unsigned count;              /* 1 .. DEVICES_MOST; 0: all */
    unsigned card[DEVICES_MOST]; /* (count) as the driver numbers them; the first ones where no numbers are
                                    given */
};

/** "all", "2" (the first two), "0,2" (these). FAILURE_INPUT for anything else, no card, one that is named
 * twice. */
int device_choice_read(const char *text, struct device_choice *out, struct failure *failure);

/** Of a machine that has so many: all of them become numbers. FAILURE_CAPACITY where there are fewer. */
int device_choice_settle(struct device_choice *choice, unsigned there, struct failure *failure);

/** Cards beside something else that says what computes the steps. FAILURE_INPUT. */
int device_choice_no_cards(const char *backend, struct failure *failure);
int device_choice_in_ranks(unsigned ranks, struct failure *failure);
int device_choice_in_box(struct failure *failure);

#endif
