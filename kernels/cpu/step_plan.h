/** What the steps of a processor read at cut nodes of the isotropic scheme and at walls with states, in the
 * order of their vectors. Made once for a room.
 *
 * A group is `lanes` nodes side by side, of which one or more have a record: one or two rows of a block, or,
 * in a box, nodes of one row within 64 indices that end at a multiple of 64. It has values of all its nodes,
 * 0 of those without a record:
 *
 *   float   gain[lanes]
 *   int16_t face[6][lanes]     step_face_weights()
 *   uint8_t edge[12][lanes]    b of the plaquettes
 *
 * Equal values are stored once: a fifth of them are distinct in a church whose walls are along the axes.
 *
 * A run is of blocks: wall entries in a row that are alone at their nodes and have one material, at most as
 * many as a vector has lanes; or the entries of one node.
 */
#ifndef KERNELS_STEP_PLAN_H
#define KERNELS_STEP_PLAN_H

#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/step.h"

/** Most lanes of a vector or a group. */
#define STEP_LANES_MAX 16
/** Indices of a part of a box. */
#define STEP_PART UINT64_C(64)

struct step_run {
    uint16_t row;   /* of the table of materials, or STEP_RUN_NODE for the entries of one node */
    uint16_t count; /* entries */
};
#define STEP_RUN_NODE UINT16_MAX

/** Arrays are owned; a zeroed plan is empty and may be freed. */
struct step_plan {
    unsigned lanes;        /* of a group */
    unsigned width;        /* most entries of a run */
    uint64_t groups;       /* rising in their first cut node */
    uint32_t *values_of;   /* (groups) number of each one's values */
    uint64_t distinct;     /* values */
    void *values;          /* (distinct) of STEP_GROUP_BYTES(lanes); allocated for up to twice as many */
    uint64_t *first_group; /* blocks: (blocks + 2) */
    uint64_t *start;       /* box: (groups) pressure index of the first lane */
    uint16_t *cut;         /* box: (groups) lanes with a record */
    uint64_t runs;
    struct step_run *run;
    uint64_t *first_run; /* (blocks + 2) */
    uint16_t *slot;      /* (entries + STEP_LANES_MAX) of each entry's node */
};

#define STEP_GROUP_BYTES(lanes) (28 * (size_t)(lanes))

/** Bytes of a plan a record, for predictions: 4 of 8 lanes or 7 of 16 had one in a church, if no two groups
 * have equal values. */
#define STEP_PLAN_RECORD_BYTES 64

/** Count the groups of a room for steps with that many lanes, and the runs for vectors of `width` values.
 * `plan` gets no array. O(records + entries). */
void step_plan_count(const struct step_room *room, unsigned lanes, unsigned width, struct step_plan *plan);

/** Bytes of the arrays of a plan; of one that is only counted, without values. */
uint64_t step_plan_bytes(const struct step_room *room, struct step_plan *plan);

/** Allocate and fill them. @return FAILURE_MEMORY */
int step_plan_make(const struct step_room *room, struct step_plan *plan, struct failure *failure);

void step_plan_free(struct step_plan *plan);

/** The first group of a box whose first cut node is at or past a pressure index. O(log groups). */
uint64_t step_plan_group_from(const struct step_plan *plan, uint64_t index);

#endif
