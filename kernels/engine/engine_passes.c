#include "kernels/engine/engine_passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_state.h"

/* Steps of a turn of the trial: whole passes of each kind. */
#define TURN_STEPS 6
/* Turns of the trial. */
#define TURNS (ENGINE_TRIAL_STEPS / TURN_STEPS)
_Static_assert(TURNS % FRONT_STEPS_MOST == 0, "as many turns of each kind");
/* More steps a pass are kept only if they take less than this part of the time: other programs slow them
 * more, since a list cannot be shared by threads as a step can. */
#define GAIN 0.95

/* Can an engine make several steps a pass? */
static bool has_passes(const struct engine *engine)
{
    return engine->passes != NULL && engine->options.backend == BACKEND_CPU && engine->room.box == NULL &&
           engine->halo == NULL && engine->sheets == NULL && engine->layer == NULL && engine->port == NULL;
}

static bool is_on_trial(const struct engine *engine)
{
    return has_passes(engine) && engine->passes->fixed == 0 && engine->passes->chosen == 0 &&
           2 * engine_level_bytes(engine) > engine->passes->cache;
}

/* The order for that many steps, made for the sources and receivers of now; NULL if it cannot be made. */
static struct step_fronts *fronts_of(struct engine *engine, unsigned pass)
{
    struct step_fronts *const fronts = &engine->passes->fronts[pass];
    const struct front_taps taps = {engine->sources, engine->receivers, engine->source, engine->receiver};
    if (fronts->steps != 0 && fronts->sources == engine->sources && fronts->receivers == engine->receivers)
        return fronts;
    step_fronts_free(fronts);
    if (step_fronts_make(engine->room.blocks, &taps, engine->threads, pass, fronts))
        return fronts;
    step_fronts_free(fronts);
    engine->passes->fixed = 1;
    return NULL;
}

/* The steps of most passes of `pass` that fit, at most `most` steps; single steps where none does. */
static struct engine_stretch stretch_of(struct engine *engine, unsigned pass, uint64_t left, uint64_t most)
{
    const uint64_t fit = left < most ? left : most;
    struct engine_stretch stretch = {.steps = fit, .pass = 1};
    if (pass < 2 || fit < pass || (stretch.fronts = fronts_of(engine, pass)) == NULL)
        return stretch;
    stretch.pass = pass;
    stretch.steps = fit / pass * pass;
    return stretch;
}

struct engine_stretch engine_next_stretch(struct engine *engine, uint64_t left)
{
    const struct engine_passes *const passes = engine->passes;
    if (is_on_trial(engine)) {
        const unsigned pass = passes->tried % FRONT_STEPS_MOST + 1;
        struct engine_stretch turn = stretch_of(engine, pass, left, TURN_STEPS);
        turn.timed = turn.pass == pass;
        return turn;
    }
    return stretch_of(engine,
                      !has_passes(engine) ? 1
                      : passes->fixed > 0 ? passes->fixed
                                          : passes->chosen,
                      left, UINT64_MAX);
}

void engine_keep_turn(struct engine *engine, const struct engine_stretch *stretch, double seconds)
{
    struct engine_passes *const passes = engine->passes;
    const double step = seconds / (double)stretch->steps;
    if (!stretch->timed)
        return;
    if (passes->tried >= FRONT_STEPS_MOST) /* the first turn of each kind fills caches */
        passes->seconds[stretch->pass] += step;
    if (++passes->tried < TURNS)
        return;
    passes->chosen = 1;
    for (unsigned pass = 2; pass <= FRONT_STEPS_MOST; ++pass)
        if (passes->seconds[pass] < GAIN * passes->seconds[passes->chosen])
            passes->chosen = pass;
    const size_t described = strlen(engine->description);
    if (passes->chosen > 1)
        (void)snprintf(engine->description + described, sizeof engine->description - described,
                       ", %u steps a pass", passes->chosen);
}

void engine_set_pass(struct engine *engine, unsigned steps)
{
    if (engine->passes != NULL)
        engine->passes->fixed = steps;
}

unsigned engine_pass(const struct engine *engine)
{
    const struct engine_passes *const passes = engine->passes;
    if (is_on_trial(engine))
        return FRONT_STEPS_MOST;
    if (!has_passes(engine))
        return 1;
    return passes->fixed > 0 ? passes->fixed : passes->chosen > 0 ? passes->chosen : 1;
}

void engine_free_passes(struct engine *engine)
{
    for (unsigned pass = 0; engine->passes != NULL && pass <= FRONT_STEPS_MOST; ++pass)
        step_fronts_free(&engine->passes->fronts[pass]);
    free(engine->passes);
}
