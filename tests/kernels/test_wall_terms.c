/* From a material's branches to the coefficients of a step. */
#include <math.h>
#include <string.h>

#include "kernels/scheme/wall_terms.h"
#include "tests/support/branch_materials.h"

Test(wall_terms, what_no_wall_is_made_of_is_refused_with_material_branch_and_value)
{
    static const struct {
        struct wall_branch branch;
        const char *words;
    } bad[] = {
        {{NAN, 1.0, 0.0}, "material 3, branch 2 has D = nan"},
        {{0.0, -1.0, 0.0}, "material 3, branch 2 has E = -1"},
        {{0.0, 1.0, INFINITY}, "material 3, branch 2 has F = inf"},
        {{0.0, 0.0, 0.0}, "material 3, branch 2 has D = E = F = 0"},
        {{0.0, 1e-300, 0.0}, "material 3, branch 2 (D = 0 s, E = 1e-300, F = 0 /s)"},
        {{1e300, 0.0, 0.0}, "1e-12 to 1e+30"},
        {{1e308, 1e308, 1e308}, "1e-12 to 1e+30"},
    };
    const struct time_step step = time_step_of(0.1, 343.2, 0.0);
    for (size_t n = 0; n < sizeof bad / sizeof *bad; ++n) {
        struct wall_material material = {2, {{.E = 1.0}, bad[n].branch}};
        struct wall_terms terms;
        memset(&terms, 0x5A, sizeof terms);
        const struct wall_terms before = terms;
        MUST_FAIL(wall_terms_make(&material, 3, &step, true, &terms, &failure), FAILURE_INPUT, bad[n].words);
        cr_assert(memcmp(&before, &terms, sizeof terms) == 0);
    }
    const struct wall_material many = {WALL_BRANCHES_MAX + 1, {{.E = 1.0}}};
    struct wall_terms terms;
    MUST_FAIL(wall_terms_make(&many, 3, &step, true, &terms, &failure), FAILURE_INPUT,
              "material 3 has 13 branches: the limit is 12");
}

Test(wall_terms, an_engine_refuses_what_its_materials_refuse_and_materials_that_are_missing)
{
    struct lossy_room *room = room_ragged(11, 9, 8, 7, 0.1, 0.05, 3);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
    const struct time_step step = time_step_of(0.1, 343.2, 0.0);
    struct wall_material material[ROOM_MATERIALS] = {{0}};
    struct engine *engine = NULL;
    struct wall_materials walls = {ROOM_MATERIALS - 1, material, true, true};
    MUST_FAIL(engine_create_walls(&engine, &room->blocks, NULL, &step, &walls, &options, &failure),
              FAILURE_INPUT, "names material 3, but the table of materials has 3");
    walls.count = ROOM_MATERIALS;
    material[1] = (struct wall_material){1, {{.E = 0.0}}};
    MUST_FAIL(engine_create_walls(&engine, &room->blocks, NULL, &step, &walls, &options, &failure),
              FAILURE_INPUT, "material 1, branch 1");
    cr_assert(engine == NULL);
    room_free(room);
}

/* Left alone, a branch goes by the matrix (memory, -spring; (1 + memory)/2, 1 - spring/2) in (V, g). Its
 * determinant is memory + spring/2, and its eigenvalues lie within the unit circle where that is at most 1
 * and |trace| <= 1 + determinant. */
Test(wall_terms, rounded_to_single_precision_no_branch_gains_energy_by_itself)
{
    uint64_t random = 91;
    unsigned nearly_lossless = 0;
    for (int n = 0; n < 20000; ++n) {
        const struct time_step step = time_step_of(0.1, 343.2, n & 1 ? 0.0 : 0.3);
        struct wall_material material = {1, {draw_branch(&random, step.period)}};
        struct wall_terms terms;
        struct scheme_material_f32 rounded;
        if (n % 3 != 0)
            material.branch[0].E *= 1e-9;
        if (n % 3 == 1)
            material.branch[0].E = material.branch[0].D > 0.0 || material.branch[0].F > 0.0 ? 0.0 : 1.0;
        MUST(wall_terms_make(&material, 0, &step, true, &terms, &failure));
        wall_terms_round(&terms, &rounded);
        const double memory = (double)rounded.branch[0].memory, spring = (double)rounded.branch[0].spring,
                     determinant = memory + 0.5 * spring, trace = memory + 1.0 - 0.5 * spring;
        cr_assert(determinant <= 1.0 && fabs(trace) <= 1.0 + determinant, "memory %.9g, spring %.9g", memory,
                  spring);
        nearly_lossless += determinant > 1.0 - 1e-6;
    }
    cr_assert(nearly_lossless > 5000);
}
