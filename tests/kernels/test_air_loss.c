/* Losses of the air within the steps: ISO 9613-1 in the decay of modes, energy, and bits. */
#include "kernels/cuda/device_engine.h"
#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_recheck.h"
#include "src/response/signal/air.h"
#include "tests/support/back_ends.h"
#include "tests/support/box_mode.h"
#include "tests/support/branch_materials.h"
#include "tests/support/hung_sheets.h"
#include "tests/support/lossy_room.h"
#include "tests/support/walled_box.h"

#define FMAX 1420.0

/* As strong as they may be: shares and the faster state add up to 2. */
static const struct air_loss strongest[] = {
    {.states = 1, .every = 1, .follow = {1.25}, .share = {0.75}},
    {.states = 2, .every = 1, .follow = {0.03, 1.2}, .share = {0.5, 0.3}},
    {.states = 2, .every = 3, .follow = {1.0, 0.4}, .share = {0.1, 0.9}},
    {.states = 3, .every = 2, .follow = {0.02, 0.3, 1.1}, .share = {0.4, 0.2, 0.3}},
};

/* How much faster than cos(turn n) a mode became in the n steps of the engine, as a share, from its pressure
 * at x = 0. */
static double faster_by(const struct engine *engine, double shape, double turn)
{
    static const int64_t node[3] = {0, 0, 0};
    const double now = engine_get(engine, 0, node) / shape, old = engine_get(engine, 1, node) / shape;
    const double steps = (double)engine_steps(engine);
    const double phase = atan2((old - now * cos(turn)) / sin(turn), now);
    return remainder(phase - turn * steps, 2.0 * PI) / (turn * steps);
}

/* A mode of a rigid box along x is a standing plane wave. Returns its loss of amplitude [1/s], from the
 * energy.
 */
static double decay_of(const struct walled_box *box, const struct time_step *step,
                       const struct air_loss *loss, enum precision precision, double turn, int mode,
                       double *faster)
{
    enum { EARLIER = 2400 }; /* until the states have their amplitude */
    const double periods = round(5000.0 * turn / (2.0 * PI)) * 2.0 * PI / turn; /* about 5000 steps */
    const uint64_t steps = (uint64_t)lround(periods / loss->every) * loss->every;
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CPU, SIMD_AUTO, 1};
    const double rigid = 0.0;
    struct engine *engine = walled_box_engine(box, step, &rigid, 1, &options);
    MUST(engine_set_air(engine, loss, &failure));
    for (int64_t x = 0; x < box->nodes[0]; ++x)
        for (int64_t side = 0; side < 4; ++side) {
            const int64_t node[3] = {x, side & 1, side >> 1};
            const double shape = cos(PI * mode * ((double)x + 0.5) / (double)box->nodes[0]);
            engine_set(engine, 0, node, shape);
            engine_set(engine, 1, node, shape * cos(turn));
        }
    engine_run(engine, EARLIER, NULL, NULL);
    const double before = engine_energy(engine);
    engine_run(engine, steps, NULL, NULL);
    const double after = engine_energy(engine);
    *faster = faster_by(engine, cos(PI * mode * 0.5 / (double)box->nodes[0]), turn);
    engine_free(engine);
    return 0.5 * log(before / after) / ((double)steps * step->period);
}

TEST_SCHEMES(air_loss, modes_of_a_rigid_box_decay_as_iso_9613_says)
{
    static const struct air airs[] = {{20, 50, 101.325}, {10, 70, 101.325}, {0, 40, 90}, {-10, 10, 101.325}};
    const int64_t nodes[3] = {scheme == SCHEME_STANDARD ? 128 : 72, 2, 2};
    const double asked[] = {125, 250, 500, 1000, FMAX};
    for (size_t a = 0; a < sizeof airs / sizeof *airs; ++a) {
        struct air_losses iso;
        struct air_loss loss;
        air_losses_make(&airs[a], &iso);
        const double points = scheme == SCHEME_STANDARD ? 10.5 : 6.0;
        const struct time_step step =
            time_step_for(scheme, iso.sound_speed / (points * FMAX), iso.sound_speed, exact_courant(scheme));
        struct walled_box *box = walled_box_for(nodes, walled_box_rigid, &step);
        cr_assert(air_loss_fit(&iso, step.rate, FMAX, &loss) <= AIR_FIT);
        for (size_t n = 0; n < sizeof asked / sizeof *asked; ++n) {
            const double half = asin(sin(PI * asked[n] / step.rate) / sqrt(step.lambda2));
            const int mode = (int)lround(half / PI * 2.0 * (double)nodes[0]);
            const double turn = 2.0 * asin(sqrt(step.lambda2) * sin(PI * mode / 2.0 / (double)nodes[0]));
            const double f = turn * step.rate / (2.0 * PI), expected = air_losses_damping(&iso, f);
            const double law = air_loss_share(&loss, turn / (2.0 * PI) * loss.every) * step.rate / loss.every;
            double faster;
            const double found = decay_of(box, &step, &loss, PRECISION_DOUBLE, turn, mode, &faster);
            cr_assert(test_near(faster, 0.0, 2e-4), "%.0f Hz: %g", f, faster);
            const double single = decay_of(box, &step, &loss, PRECISION_SINGLE, turn, mode, &faster);
            cr_assert(test_near(found, law, 5e-3 * law), "%.0f Hz: %g, the law has %g /s", f, found, law);
            cr_assert(test_near(found, expected, 0.05 * expected), "%.0f Hz: %g for %g /s", f, found,
                      expected);
            cr_assert(test_near(single, expected, 0.05 * expected), "%.0f Hz: %g for %g /s", f, single,
                      expected);
        }
        walled_box_free(box);
    }
}

TEST_SCHEMES(air_loss, the_energy_never_grows_between_walls_of_branches)
{
    uint64_t random = 5;
    struct lossy_room *room = room_for(scheme, room_ragged(21, 19, 17, 15, 0.1, 0.05, 12));
    const struct time_step step = room_step(room, exact_courant(scheme));
    for (size_t l = 0; l < sizeof strongest / sizeof *strongest; ++l) {
        struct wall_material material[ROOM_MATERIALS];
        draw_materials(&random, step.period, ROOM_MATERIALS, 5, material);
        const struct wall_materials walls = {.count = ROOM_MATERIALS, .material = material};
        const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
        struct engine *engine = room_engine_of(room, exact_courant(scheme), &walls, &options);
        cr_assert(air_loss_is_stable(&strongest[l]));
        MUST(engine_set_air(engine, &strongest[l], &failure));
        room_excite(room, engine, 3);
        const double first = engine_energy(engine);
        double now = first;
        for (int n = 0; n < 3000; ++n) {
            engine_run(engine, 1, NULL, NULL);
            now = engine_energy(engine);
            cr_assert(test_at_most(now, first * (1.0 + 1e-12)), "loss %zu: %g after %d steps, at first %g", l,
                      now, n + 1, first);
        }
        cr_assert(test_at_most(now, 0.5 * first));
        engine_free(engine);
    }
    room_free(room);
}

/* One field, in runs of lengths that are not whole intervals, with sources and receivers. */
static uint64_t hash_after(const struct lossy_room *room, const struct air_loss *loss,
                           const struct engine_options *options, double output[75])
{
    static const uint64_t runs[] = {1, 7, 64, 3};
    static double drive[75];
    struct engine *engine =
        room_engine(room, room->blocks.isotropic ? exact_courant(SCHEME_ISOTROPIC) : 0.57, options);
    int64_t node[3];
    size_t n = room_size(room) / 3;
    uint64_t random = 9, done = 0;
    (void)room_air(room, &n, node);
    const struct stencil tap = room_stencil(room, node, 0.1, 0.2, 0.0);
    MUST(engine_add_source(engine, &tap, &failure));
    MUST(engine_add_receiver(engine, &tap, &failure));
    MUST(engine_set_air(engine, loss, &failure));
    engine_set_pass(engine, 2); /* steps between which the air loses nothing */
    room_excite(room, engine, 4);
    for (size_t d = 0; d < 75; ++d)
        drive[d] = test_uniform(&random, -1.0, 1.0);
    for (size_t r = 0; r < 4; done += runs[r++])
        engine_run(engine, runs[r], drive + done, output + done);
    const uint64_t hash = engine_hash(engine);
    engine_free(engine);
    return hash;
}

TEST_SCHEMES(air_loss, layouts_widths_and_threads_have_the_bits_of_the_reference)
{
    struct lossy_room *room = room_for(scheme, room_ragged(23, 37, 29, 18, 0.1, 0.05, 12));
    for (size_t l = 0; l < sizeof strongest / sizeof *strongest; ++l)
        for (int precision = 0; precision < 2; ++precision) {
            double expected[75], output[75];
            const struct engine_options first = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_REFERENCE,
                                                 SIMD_AUTO, 1};
            const uint64_t hash = hash_after(room, &strongest[l], &first, expected);
            struct back_ends all = {.mask = BACK_ENDS_ALL | BACK_ENDS_WIDTHS,
                                    .one_precision = true,
                                    .precision = (enum precision)precision};
            while (back_ends_next(&all)) {
                cr_assert(hash_after(room, &strongest[l], &all.options, output) == hash,
                          "loss %zu, layout %d, width %d, %d threads", l, (int)all.options.layout,
                          (int)all.options.simd, all.options.threads);
                cr_assert(memcmp(output, expected, sizeof output) == 0);
            }
        }
    room_free(room);
}

/* Flows through sheets follow the changes of u, and the air changes u too. */
TEST_SCHEMES(air_loss, runs_of_any_length_have_the_same_bits_and_no_more_energy_between_sheets)
{
    struct lossy_room *room = room_for(scheme, room_ragged(35, 37, 29, 18, 0.1, 0.05, 12));
    hung_sheets(&room->blocks);
    for (size_t l = 0; l < sizeof strongest / sizeof *strongest; ++l) {
        uint64_t hash[2];
        for (int single = 0; single < 2; ++single) {
            const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                                   1 + single};
            struct engine *engine = room_engine(room, exact_courant(scheme), &options);
            MUST(engine_set_air(engine, &strongest[l], &failure));
            room_excite(room, engine, 3);
            const double first = engine_energy(engine);
            for (int n = 0; single && n < 200; ++n) {
                engine_run(engine, 1, NULL, NULL);
                const double now = engine_energy(engine);
                cr_assert(test_at_most(now, first * (1.0 + 1e-12)),
                          "loss %zu: %g after %d steps, at first %g", l, now, n + 1, first);
            }
            if (!single)
                engine_run(engine, 200, NULL, NULL);
            hash[single] = engine_hash(engine);
            engine_free(engine);
        }
        cr_assert(hash[0] == hash[1], "loss %zu", l);
    }
    room_free(room);
}

TEST_SCHEMES(air_loss, between_sheets_too_back_ends_have_the_bits_of_the_reference)
{
    struct lossy_room *room = room_for(scheme, room_ragged(31, 17, 14, 13, 0.1, 0.05, 9));
    hung_sheets(&room->blocks);
    for (int precision = 0; precision < 2; ++precision) {
        double expected[75], output[75];
        const struct engine_options first = {LAYOUT_BLOCKS, (enum precision)precision, BACKEND_REFERENCE,
                                             SIMD_AUTO, 1};
        const uint64_t hash = hash_after(room, &strongest[2], &first, expected);
        struct back_ends all = {
            .mask = BACK_ENDS_ALL, .one_precision = true, .precision = (enum precision)precision};
        while (back_ends_next(&all))
            if (all.options.layout == LAYOUT_BLOCKS)
                cr_assert(hash_after(room, &strongest[2], &all.options, output) == hash, "back end %d",
                          (int)all.options.backend);
    }
    room_free(room);
}

/* Of the second state. */
static void change_states(struct engine *engine)
{
    const uint64_t bytes = engine_level_bytes(engine);
    float *const values = engine->device != NULL ? malloc(bytes) : engine_level(engine, 3);
    cr_assert(values != NULL);
    for (uint64_t n = 0; n < engine->length; ++n)
        values[n] = 1.0F + (engine->device != NULL ? 0.0F : values[n]);
    if (engine->device == NULL)
        return;
    MUST(engine->device->ops->write(engine->device, 3, values, &failure));
    free(values);
}

/* Stopped at any step, recomputed there, and with a state that changed by itself. */
Test(air_loss, blocks_computed_again_agree_and_a_changed_state_is_found)
{
    struct lossy_room *room = room_ragged(29, 27, 19, 18, 0.1, 0.05, 9);
    struct back_ends all = {
        .mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE, .one_precision = true, .precision = PRECISION_SINGLE};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.57, &all.options);
        MUST(engine_set_air(engine, &strongest[1], &failure));
        room_excite(room, engine, 6);
        for (int n = 0; n < 40; ++n) {
            struct engine_recheck *check = engine_recheck_begin(engine);
            cr_assert(check != NULL);
            engine_run(engine, 1, NULL, NULL);
            MUST(engine_recheck_end(check, engine, &failure));
        }
        block_id first;
        (void)engine_recheck_range(engine, &first);
        struct engine_recheck *check = engine_recheck_begin(engine);
        change_states(engine);
        engine_run(engine, 1, NULL, NULL);
        MUST_FAIL(engine_recheck_end(check, engine, &failure), FAILURE_SIMULATION, "the reference computes");
        engine_free(engine);
    }
    room_free(room);
}

Test(air_loss, a_reset_engine_begins_without_states_and_growing_losses_are_refused)
{
    struct lossy_room *room = room_ragged(31, 17, 14, 13, 0.1, 0.05, 9);
    struct back_ends all = {.mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine(room, 0.57, &all.options);
        const uint64_t bytes = engine_bytes(engine);
        uint64_t hash[2];
        const struct air_loss growing = {.states = 2, .every = 1, .follow = {1.0, 0.4}, .share = {0.2, 0.9}};
        MUST_FAIL(engine_set_air(engine, &growing, &failure), FAILURE_INPUT, "must not make the energy grow");
        cr_assert(engine_air_loss(engine) == NULL);
        MUST(engine_set_air(engine, &strongest[1], &failure));
        /* Of a device: test_device_memory. */
        cr_assert(engine->device != NULL || engine_bytes(engine) == bytes + 2 * engine_level_bytes(engine));
        for (int n = 0; n < 2; ++n) {
            room_excite(room, engine, 8);
            engine_run(engine, 50, NULL, NULL);
            hash[n] = engine_hash(engine);
            engine_reset(engine);
        }
        cr_assert(hash[0] == hash[1]);
        MUST(engine_set_air(engine, &(struct air_loss){0}, &failure));
        cr_assert(engine_air_loss(engine) == NULL);
        cr_assert(engine->device != NULL || engine_bytes(engine) == bytes);
        engine_free(engine);
    }
    room_free(room);
}

/* Read at once, and as a copy while the engine goes on; written to either layout. */
Test(air_loss, an_engine_goes_on_from_an_image_with_the_same_bits)
{
    struct lossy_room *room = room_ragged(31, 17, 14, 13, 0.1, 0.05, 9);
    const struct back_ends every = {
        .mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE, .one_precision = true, .precision = PRECISION_SINGLE};
    struct back_ends from = every;
    while (back_ends_next(&from))
        for (int copied = 0; copied < 2; ++copied) {
            struct back_ends to = every;
            struct engine *engine = room_engine(room, 0.57, &from.options);
            struct taken taken = {0};
            MUST(engine_set_air(engine, &strongest[2], &failure));
            room_excite(room, engine, 8);
            engine_run(engine, 25, NULL, NULL);
            if (!copied || !take_beside(engine, 3, 90, &taken)) { /* a box on a device makes no copy */
                take(engine, 3, &taken);
                engine_run(engine, 90, NULL, NULL);
            }
            const uint64_t hash = engine_hash(engine);
            engine_free(engine);
            while (back_ends_next(&to)) {
                engine = room_engine(room, 0.57, &to.options);
                MUST(engine_set_air(engine, &strongest[2], &failure));
                put(engine, 5, &taken);
                engine_run(engine, 90, NULL, NULL);
                cr_assert(engine_hash(engine) == hash, "from layout %d, copied %d, to %s",
                          (int)from.options.layout, copied, engine_description(engine));
                engine_free(engine);
            }
            free(taken.image);
        }
    room_free(room);
}
