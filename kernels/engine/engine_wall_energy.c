/* Energy of frequency-dependent walls, and energy that each material has absorbed. */
#include "kernels/engine/engine_wall_energy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine_ask.h"
#include "kernels/engine/engine_layer.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/engine/engine_wall_entries.h"

/* ---- held ---------------------------------------------------------------------------------------------- */

double engine_wall_energy(const struct engine *engine, const void *state, uint64_t first, uint64_t last)
{
    double held = 0.0;
    const struct step_walls *walls = &engine->walls;
    const double lambda = engine->step.courant;
    for (uint64_t entry = first; entry < last; ++entry) {
        const struct wall_terms *terms = &engine->terms[step_wall_row(walls, wall_material(engine, entry))];
        double sum = 0.0, flow = 0.0;
        for (unsigned m = 0; m < terms->scheme.branches; ++m) {
            const double v = engine_value(engine, state, m * walls->stride + entry);
            const double g = engine_value(engine, state, (walls->branches + m) * walls->stride + entry);
            sum += wall_terms_branch_energy(terms, m, v, g);
            flow += v;
        }
        sum += wall_terms_air_energy(engine->inertance, lambda, flow);
        held += wall_weight(engine, entry) * sum;
    }
    return held;
}

/* ---- absorbed ------------------------------------------------------------------------------------------ */

void engine_forget_absorbed(struct engine *engine)
{
    for (unsigned m = 0; engine->absorbed != NULL && m <= engine->walls.materials; ++m)
        engine->absorbed[m] = 0.0;
}

/* Add the losses of the entries first .. last-1, by row of the table. */
static void add_losses(const struct engine *engine, const void *loss, uint64_t first, uint64_t last,
                       double *absorbed)
{
    const struct step_walls *walls = &engine->walls;
    for (uint64_t entry = first; entry < last; ++entry) {
        const unsigned row = step_wall_row(walls, wall_material(engine, entry));
        if (row <= walls->materials)
            absorbed[row] +=
                wall_weight(engine, entry) / (4.0 * engine->step.courant) * engine_value(engine, loss, entry);
    }
}

/* Add the losses of all entries, by threads. Chunks are added in order, so the sum does not depend on the
 * threads. */
static void add_all_losses(struct engine *engine, const void *loss)
{
    const uint64_t chunk_size = 65536, entries = engine_wall_count(engine),
                   chunks = (entries + chunk_size - 1) / chunk_size;
    const size_t rows = (size_t)engine->walls.materials + 1;
    double *sum = calloc(chunks * rows + 1, sizeof *sum);
    if (sum == NULL) {
        add_losses(engine, loss, 0, entries, engine->absorbed);
        return;
    }
#pragma omp parallel for num_threads(engine->threads)
    for (uint64_t chunk = 0; chunk < chunks; ++chunk)
        add_losses(engine, loss, chunk * chunk_size, chunk + 1 < chunks ? (chunk + 1) * chunk_size : entries,
                   sum + chunk * rows);
    for (uint64_t n = 0; n < chunks * rows; ++n)
        engine->absorbed[n % rows] += sum[n];
    free(sum);
}

void engine_collect_losses_here(struct engine *engine)
{
    add_all_losses(engine, engine->walls.loss);
    memset(engine->walls.loss, 0, (size_t)(engine_wall_count(engine) * engine->real_bytes));
}

bool engine_collect_losses(struct engine *engine)
{
    if (engine->device == NULL)
        engine_collect_losses_here(engine);
    else if (!ENGINE_ASK(engine, add_absorbed, engine->terms, engine->step.courant, engine->absorbed,
                         &engine->failure))
        return false;
    return engine_collect_sheets(engine, engine->absorbed) && engine_collect_layer(engine, engine->absorbed);
}
