/** The GPUs of this machine that step a room: `all`, how many, or their numbers. */
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

/** "all", "2" (the first two), "0,2" (these). FAILURE_INPUT: anything else, no GPU, or one twice. */
int device_choice_read(const char *text, struct device_choice *out, struct failure *failure);

/** Replace `all` by the numbers of the GPUs that are there. FAILURE_CAPACITY if there are fewer. */
int device_choice_settle(struct device_choice *choice, unsigned there, struct failure *failure);

/** FAILURE_INPUT: GPUs together with another choice of back end. */
int device_choice_no_cards(const char *option, const char *backend, struct failure *failure);
/** FAILURE_INPUT: several GPUs together with one (`device`, if it is not 0), or with OpenCL. */
int device_choice_of_one(unsigned device, struct failure *failure);
int device_choice_in_ranks(unsigned ranks, struct failure *failure);
int device_choice_in_box(struct failure *failure);

#endif
