#include "src/run/plan/step_time.h"

#include "src/base/progress_line.h"

double step_time(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    const double start = progress_clock();
    engine_run(engine, steps, drive, output);
    return (progress_clock() - start) / (double)steps;
}
