/** How an engine on processors makes its passes over the blocks: with how many steps each
 * (kernels/cpu/step_fronts.h), and whether it prefetches.
 *
 * More than one step only in a room of plain blocks: no sheets, layer, port, losses of the air or halo. A
 * room whose field is larger than the last cache, or than 64 MiB, is timed at its start in each way that it
 * can be stepped, in turns, and keeps the fastest. These steps count as any others, since the bits are the
 * same. (In a virtual machine the last cache is that of the host, and others use it too.)
 */
#ifndef KERNELS_ENGINE_PASSES_H
#define KERNELS_ENGINE_PASSES_H

#include "kernels/cpu/step_fronts.h"

struct engine;

#define PASSES_CACHE_MOST (UINT64_C(64) << 20)

/* Single steps without prefetching, single steps, 2 and more steps a pass. */
enum { WAY_FETCHLESS, WAY_SINGLE, WAYS = FRONT_STEPS_MOST + 1 };

struct engine_passes {
    uint64_t cache;                                  /* a smaller field is not timed [bytes] */
    unsigned fixed;                                  /* steps a pass, by engine_set_pass(); 0: by trial */
    bool over;                                       /* the trial */
    unsigned way;                                    /* after it */
    unsigned tried;                                  /* turns of the trial that are over */
    double seconds[WAYS];                            /* a step of each, summed over turns */
    struct step_fronts fronts[FRONT_STEPS_MOST + 1]; /* for 2 steps and more; made when first needed */
};

/** Some of the next steps of an engine, all in passes of `pass`. */
struct engine_stretch {
    uint64_t steps;
    unsigned pass;              /* divides steps */
    struct step_fronts *fronts; /* NULL for 1 */
    bool fetchless;             /* as struct step_room's */
    bool timed;                 /* a turn of the trial */
};

/** What to step next of `left` steps (at least 1). */
struct engine_stretch engine_next_stretch(struct engine *engine, uint64_t left);

/** That stretch took so long. */
void engine_keep_turn(struct engine *engine, const struct engine_stretch *stretch, double seconds);

void engine_free_passes(struct engine *engine);

#endif
