/* A step by a sparse matrix gives the field of the stencil, for a membrane and for a room. */
#include "kernels/matrix/sparse_matrix.h"

#include <math.h>
#include <stdio.h>

#include "kernels/drum/membrane.h"
#include "kernels/engine/engine_state.h"
#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"

#define NEEDS_LIBRARY()                                                                                      \
    do {                                                                                                     \
        if (sparse_table == NULL) {                                                                          \
            (void)fprintf(stderr, "SKIPPED: built without GraphBLAS\n");                                     \
            cr_skip("no GraphBLAS");                                                                         \
        }                                                                                                    \
    } while (0)

Test(step_matrix, a_membrane_moves_as_by_its_stencil)
{
    NEEDS_LIBRARY();
    for (int lossy = 0; lossy < 2; ++lossy) {
        const struct membrane_kind kind = {.radius = 0.328,
                                           .tension = 3500,
                                           .density = 0.262,
                                           .loss = lossy ? 4 : 0,
                                           .high_loss = lossy ? 0.01 : 0};
        struct membrane membrane;
        struct step_matrix matrix;
        struct sparse_steps *steps;
        MUST(membrane_make(&kind, 5e-5, 0, &membrane, &failure));
        MUST(step_matrix_of_membrane(&membrane, &matrix, &failure));
        MUST(sparse_table->create(&steps, &matrix, 2, &failure));
        uint64_t random = 5;
        for (size_t n = 0; n < membrane.nodes; ++n) {
            const size_t at = membrane.node[n];
            sparse_table->level(steps, 0)[n] = membrane.w[at] = test_uniform(&random, -1, 1);
            sparse_table->level(steps, 1)[n] = membrane.w_old[at] = membrane.w[at];
        }
        for (int step = 0; step < 500; ++step)
            membrane_step(&membrane);
        MUST(sparse_table->run(steps, 500, &failure));
        double largest = 0, worst = 0;
        for (size_t n = 0; n < membrane.nodes; ++n) {
            largest = fmax(largest, fabs(membrane.w[membrane.node[n]]));
            worst = fmax(worst, fabs(membrane.w[membrane.node[n]] - sparse_table->level(steps, 0)[n]));
        }
        cr_assert(largest > 0.1 && worst < 1e-12 * largest, "off by %g of %g", worst, largest);
        sparse_table->free(steps);
        step_matrix_free(&matrix);
        membrane_free(&membrane);
    }
}

Test(step_matrix, a_room_is_stepped_as_by_its_stencil)
{
    NEEDS_LIBRARY();
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct lossy_room *room = room_ragged(31, 21, 14, 18, 0.12, 0.05, 9);
    struct engine *engine = room_engine(room, 0.57, &options);
    struct step_matrix matrix;
    struct sparse_steps *steps;
    uint64_t *index;
    room_excite(room, engine, 8);
    MUST(step_matrix_of_room(engine, &matrix, &index, &failure));
    MUST(sparse_table->create(&steps, &matrix, 2, &failure));
    for (uint64_t row = 0; row < matrix.a.rows; ++row) {
        sparse_table->level(steps, 0)[row] = engine_value(engine, engine->u, index[row]);
        sparse_table->level(steps, 1)[row] = engine_value(engine, engine->u_old, index[row]);
    }
    engine_run(engine, 300, NULL, NULL);
    MUST(sparse_table->run(steps, 300, &failure));
    double largest = 0, worst = 0;
    for (uint64_t row = 0; row < matrix.a.rows; ++row) {
        const double u = engine_value(engine, engine->u, index[row]);
        largest = fmax(largest, fabs(u));
        worst = fmax(worst, fabs(u - sparse_table->level(steps, 0)[row]));
    }
    cr_assert(matrix.a.rows == room->blocks.air_nodes && largest > 1e-3, "%g", largest);
    cr_assert(worst < 1e-12 * fmax(largest, 1), "off by %g of %g", worst, largest);
    sparse_table->free(steps);
    step_matrix_free(&matrix);
    free(index);
    engine_free(engine);
    room_free(room);
}
