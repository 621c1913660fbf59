/** The nodes of a room that are not whole, in one form for both layouts, as a device reads them; for C and
 * OpenCL C. Number n of a grid with records has record n. */
#ifndef KERNELS_STEP_LISTED_H
#define KERNELS_STEP_LISTED_H

#include <stdint.h>

struct step_listed {
    uint64_t index; /* pressure index */
    uint32_t entry; /* first wall entry */
    uint8_t walls;  /* wall entries */
    uint8_t links;  /* link byte */
    uint8_t extras; /* has it extra links? */
    uint8_t reserved;
};

/** Link byte of a whole node, which is not listed; other nodes that have all links are marked. */
#define STEP_WHOLE  0x3Fu
#define STEP_MARKED 0x40u

/** A node that sources drive: its pushes are consecutive. */
struct step_driven {
    uint64_t index;
    uint32_t first, pushes;
    uint32_t entry, walls; /* wall entries with states */
};

#endif
