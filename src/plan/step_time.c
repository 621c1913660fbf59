#include "src/plan/step_time.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/progress_line.h"

double step_time(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    const double start = progress_clock();
    engine_run(engine, steps, drive, output);
    return (progress_clock() - start) / (double)steps;
}

struct step_batch step_batch_time(struct engine *engine, uint64_t steps)
{
    const double worked = progress_worked();
    struct step_batch out = {.steps = steps, .wall = step_time(engine, steps, NULL, NULL) * (double)steps};
    out.worked = progress_worked() - worked;
    return out;
}

/* fmin() takes the wall where what was worked is not known. */
static double step_alone(const struct step_batch *batch, int processors)
{
    const double most = processors > 0 ? STEP_PACE_BUSY * batch->worked / processors : NAN;
    return fmin(batch->wall, most) / (double)batch->steps;
}

static int by_wall(const void *a, const void *b)
{
    const double x = ((const struct step_batch *)a)->wall, y = ((const struct step_batch *)b)->wall;
    return (x > y) - (x < y);
}

struct step_pace step_pace_of(struct step_batch *batch, size_t count, int processors)
{
    double wall = 0, steps = 0;
    for (size_t n = 0; n < count; n++) {
        wall += batch[n].wall;
        steps += (double)batch[n].steps;
        batch[n] = (struct step_batch){1, step_alone(&batch[n], processors), NAN};
    }
    qsort(batch, count, sizeof *batch, by_wall);
    const double now = wall / steps;
    return (struct step_pace){.alone = fmin(batch[count / 4].wall, now), .now = now};
}
