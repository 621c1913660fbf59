/** What a run that is over tells about itself: its run.json, read again. */
#ifndef SRC_RUN_FACTS_H
#define SRC_RUN_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/acoustics/statistical_reverberation.h"
#include "src/signal/air.h"

#define RUN_RECORD_MOST ((size_t)256 << 20) /* bytes of a run.json */

/** One file of a response; strings are owned by the run. What run.json does not tell is NaN or NULL. */
struct run_response {
    char *file; /* name in the run's folder: no path */
    char *source, *receiver;
    bool mono;       /* the pressure alone */
    double distance; /* from source to receiver [m] */
    double onset;    /* when sound arrives [s] */
    bool clear;      /* the straight path */
};

/** Zeroed is empty, freed by run_facts_free(). */
struct run_facts {
    double fmax;        /* [Hz] */
    double sound_speed; /* [m/s] */
    struct air air;
    bool lossy;              /* air took its part of the responses */
    double volume;           /* of the air up to its walls [m3]; NaN where the run does not tell it */
    double cells_volume;     /* of the cells that were simulated [m3] */
    double spacing, courant; /* of the grid [m], (-); NaN likewise */
    double box_size[3];      /* of the box around the air [m]; NaN likewise */
    size_t surface_count;
    struct statistical_surface
        *surface; /* in the octaves from 63 Hz to 16 kHz; none where a material lacks some */
    size_t response_count;
    struct run_response *response; /* every file of every pair, mono first; not those of a moved grid */
};

/** Is there a run.json in `folder`? */
bool run_facts_are_in(const char *folder);

/** Which folders in `folder` are of runs, such as those of variants: their names in order, "base, carpet", at
 * most three and then "and others", as many as `size` bytes (> 0) hold whole. Returns how many there are; 0
 * also without memory. */
size_t run_facts_within(const char *folder, char *text, size_t size);

/** Read `folder`/run.json. FAILURE_INPUT names it and what is wrong: not there, larger than 256 MB, no JSON,
 * not of a run, a figure that is none, a file name with a path in it. FAILURE_CAPACITY without memory. */
int run_facts_read(const char *folder, struct run_facts *out, struct failure *failure);
void run_facts_free(struct run_facts *facts);

/** The response whose file is called `file`, or NULL. */
const struct run_response *run_facts_find(const struct run_facts *facts, const char *file);

#endif
