#include "kernels/engine/engine_passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "kernels/engine/engine_state.h"

/* Steps of a turn of the trial: whole passes of each way. */
#define TURN_STEPS 6
/* Turns of each way. The first fills caches and is not counted. */
#define TURNS 4
_Static_assert(TURNS *WAYS *TURN_STEPS == ENGINE_TRIAL_STEPS, "as long as promised");
_Static_assert(ENGINE_PASS_MOST == FRONT_STEPS_MOST, "as many steps as an order has");

static bool has_ways(const struct engine *engine)
{
    return engine->passes != NULL && engine->options.backend == BACKEND_CPU && engine->room.box == NULL &&
           engine->halo == NULL && engine->port == NULL;
}

/* Can an engine make several steps a pass? */
static bool has_passes(const struct engine *engine)
{
    return has_ways(engine) && engine->sheets == NULL && engine->layer == NULL && engine->air == NULL;
}

static unsigned ways_of(const struct engine *engine)
{
    return has_passes(engine) ? WAYS : WAY_SINGLE + 1;
}

static bool is_on_trial(const struct engine *engine)
{
    return has_ways(engine) && engine->passes->fixed == 0 && !engine->passes->over &&
           2 * engine_level_bytes(engine) > engine->passes->cache;
}

/* Steps a pass of a way. */
static unsigned pass_of(unsigned way)
{
    return way > WAY_SINGLE ? way : 1;
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
    const bool timed = is_on_trial(engine);
    const unsigned way = timed                                           ? passes->tried % ways_of(engine)
                         : !has_ways(engine)                             ? WAY_SINGLE
                         : passes->fixed > 0 && has_passes(engine)       ? passes->fixed
                         : passes->over && passes->way < ways_of(engine) ? passes->way
                                                                         : WAY_SINGLE;
    struct engine_stretch stretch = stretch_of(engine, pass_of(way), left, timed ? TURN_STEPS : UINT64_MAX);
    stretch.fetchless = way == WAY_FETCHLESS;
    stretch.timed = timed && stretch.pass == pass_of(way);
    return stretch;
}

void engine_keep_turn(struct engine *engine, const struct engine_stretch *stretch, double seconds)
{
    struct engine_passes *const passes = engine->passes;
    const unsigned ways = ways_of(engine);
    if (!stretch->timed)
        return;
    if (passes->tried >= ways)
        passes->seconds[passes->tried % ways] += seconds / (double)stretch->steps;
    if (++passes->tried < TURNS * ways)
        return;
    passes->over = true;
    passes->way = WAY_SINGLE;
    for (unsigned way = 0; way < ways; ++way)
        if (passes->seconds[way] < ENGINE_PASS_GAIN * passes->seconds[passes->way])
            passes->way = way;
    const size_t described = strlen(engine->description);
    char *const end = engine->description + described;
    const size_t room = sizeof engine->description - described;
    if (passes->way > WAY_SINGLE)
        (void)snprintf(end, room, ", %u steps a pass", pass_of(passes->way));
    else if (passes->way == WAY_FETCHLESS)
        (void)snprintf(end, room, ", without prefetching");
}

void engine_set_pass(struct engine *engine, unsigned steps)
{
    if (engine->passes != NULL)
        engine->passes->fixed = steps;
}

unsigned engine_pass(const struct engine *engine)
{
    const struct engine_passes *const passes = engine->passes;
    if (!has_passes(engine))
        return 1;
    return is_on_trial(engine) ? FRONT_STEPS_MOST
           : passes->fixed > 0 ? passes->fixed
           : passes->over      ? pass_of(passes->way)
                               : 1;
}

double engine_pass_late(const struct engine *engine, unsigned steps)
{
    return engine->passes != NULL ? step_fronts_late(&engine->passes->fronts[steps]) : 0.0;
}

uint64_t engine_trial_left(const struct engine *engine)
{
    return is_on_trial(engine) ? (uint64_t)(TURNS * ways_of(engine) - engine->passes->tried) * TURN_STEPS : 0;
}

void engine_free_passes(struct engine *engine)
{
    for (unsigned pass = 0; engine->passes != NULL && pass <= FRONT_STEPS_MOST; ++pass)
        step_fronts_free(&engine->passes->fronts[pass]);
    free(engine->passes);
}
