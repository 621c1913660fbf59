/** Tables of an engine for the sheets of its room, usable in C and CUDA (kernels/engine/engine_sheets.h). */
#ifndef KERNELS_SHEET_TABLES_H
#define KERNELS_SHEET_TABLES_H

#include <stdint.h>

#include "kernels/scheme/sheet_law.h"

/** A node that sheets move. */
struct sheet_node {
    uint64_t index; /* pressure index */
    uint64_t first; /* its uses, up to those of the next node */
    uint64_t wall;  /* first wall entry with states, and how many */
    uint32_t walls;
    uint32_t reserved; /* 0 */
    uint64_t held;     /* where in held */
};

/** One end of a link. */
#define SHEET_WRITES 1u /* this end writes the states of the link */

/** Reals are the run's. Links are those of the grid, in its order. All owned. */
struct engine_sheets {
    uint64_t links, nodes, uses;
    uint64_t (*end)[2];    /* (links) pressure indices of the low and the high end */
    uint16_t *material;    /* (links) row of the ledger */
    double *opening;       /* (links) alpha (-) */
    struct sheet_law *law; /* (links) of all its layers */
    void *terms;           /* (links) struct scheme_sheet of the run's real */
    void *state[2];        /* (3, links) V, w, and the u_i - u_j that they are of; [now] is the newest */
    unsigned now;
    void *loss;              /* (links) since engine_absorbed() was last called, in units of alpha */
    struct sheet_node *node; /* (nodes + 1) rising */
    uint64_t *use;           /* (uses) 2 link + whether this end writes */
    void *held;              /* of nodes with such walls, as they were before a step: u_old, V of every branch
                                of every entry */
    uint64_t helds;
    void *weight; /* (uses) W alpha (1 - q), of the high end negative */
};

#endif
