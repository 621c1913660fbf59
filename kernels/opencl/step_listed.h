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

/** A block in the order in which groups of work items take blocks; all zeros where the last group has none.
 */
struct step_row {
    uint32_t self, beside[6], edge[12];
    uint32_t tile; /* with marks: is the block before it in its group its neighbour, is the one after it? */
};
#define STEP_LEFT  0x80000000u
#define STEP_RIGHT 0x40000000u
#define STEP_TILE  0x3FFFFFFFu

/** A node that sources drive: its pushes are consecutive. */
struct step_driven {
    uint64_t index;
    uint32_t first, pushes;
    uint32_t entry, walls; /* wall entries with states */
};

#endif
