/** One run of the real church: mesh to raw output of the engine, offset on the grid as wanted. */
#ifndef TESTS_CHURCH_RUN_H
#define TESTS_CHURCH_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/engine/engine.h"
#include "tests/accuracy/church_data.h"

struct church_case {
    const char *folder; /* of the data; borrowed */
    double spacing;     /* [m] */
    double courant;     /* (-); 0: the default */
    double node[3];     /* where a node is [m] */
    enum church_walls walls;
    bool inertance;  /* half a cell of air in series with the walls */
    bool rescaled;   /* every material's area in the grid is made that of the mesh */
    double duration; /* [s] */
    struct engine_options engine;
};

/** Owned, freed by church_output_free(); zeroed is empty. */
struct church_output {
    size_t steps;
    double rate;    /* [Hz] */
    double *raw;    /* (CHURCH_RECEIVERS, steps): S1 driven with (1, -1), trilinear source and receivers */
    double seconds; /* of stepping */
    double nodes;   /* stored */
    char description[200]; /* of the engine */
};
void church_output_free(struct church_output *output);

/** FAILURE_INPUT for data that is missing or does not fit together, FAILURE_CAPACITY without memory or
 * device. */
int church_run(const struct church_case *wanted, struct church_output *out, struct failure *failure);

#endif
