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
#include "kernels/engine/engine_walls.h"

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

double engine_fetched_wall_energy(struct engine *engine)
{
    const struct step_walls *const walls = &engine->walls;
    const uint64_t bytes = 2 * walls->branches * walls->stride * engine->real_bytes;
    struct failure failure = {0};
    double held = NAN;
    if (engine->room.walls == NULL || walls->branches == 0)
        return 0.0;
    void *const state = malloc(bytes);
    if (engine_keep(engine, state != NULL ? 0 : failure_memory(&failure, bytes, "the states of walls"),
                    &failure) &&
        engine_read_states(engine, 0, engine_wall_count(engine), state, walls->stride))
        held = engine_wall_energy(engine, state, 0, engine_wall_count(engine)) / (2.0 * engine->step.courant);
    free(state);
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

/* Of a device that does not add them itself. */
static bool collect_fetched(struct engine *engine)
{
    const uint64_t bytes = engine_wall_count(engine) * engine->real_bytes;
    struct failure failure = {0};
    void *const loss = malloc(bytes + 1);
    const bool sound =
        engine_keep(engine, loss != NULL ? 0 : failure_memory(&failure, bytes, "the losses of walls"),
                    &failure) &&
        ENGINE_ASK(engine, take_losses, loss, &engine->failure);
    if (sound)
        add_all_losses(engine, loss);
    free(loss);
    return sound;
}

bool engine_collect_losses(struct engine *engine)
{
    if (engine->device == NULL)
        engine_collect_losses_here(engine);
    else if (engine->device->ops->add_absorbed == NULL) {
        if (!collect_fetched(engine))
            return false;
    } else if (!ENGINE_ASK(engine, add_absorbed, engine->terms, engine->step.courant, engine->absorbed,
                           &engine->failure))
        return false;
    return engine_collect_sheets(engine, engine->absorbed) && engine_collect_layer(engine, engine->absorbed);
}
