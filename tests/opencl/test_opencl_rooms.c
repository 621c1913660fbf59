/* Rooms on an OpenCL device: the processor's bits, in all that suites over every back end do not have (long
 * batches, many taps, runs of blocks of every length), and the sentences of what it refuses. */
#include "kernels/opencl/opencl_engine.h"
#include "kernels/opencl/opencl_table.h"
#include "kernels/opencl/opencl_trial.h"
#include "tests/support/device_pair.h"

#define NEEDS_OPENCL()                                                                                       \
    do {                                                                                                     \
        if (back_ends_backend() != BACKEND_OPENCL || back_ends_device() == NULL)                             \
            cr_skip("no OpenCL device");                                                                     \
    } while (0)

static void compare(const struct lossy_room *room, enum precision precision, size_t steps)
{
    for (int layout = 0; layout < 2; ++layout) {
        struct device_pair pair =
            device_pair_make(&room->blocks, layout == LAYOUT_BOX ? &room->box : NULL, precision);
        engine_fill(pair.host, 7);
        engine_fill(pair.device, 7);
        device_pair_same(&pair);
        device_pair_spread(&pair, 3, true);
        device_pair_spread(&pair, 9, false);
        device_pair_run(&pair, steps);
        device_pair_run(&pair, 1);
        const struct engine_health health = engine_health(pair.device);
        cr_assert(health.finite && test_above(health.largest, 0.0));
        cr_assert(health.largest == engine_health(pair.host).largest);
        engine_reset(pair.device);
        cr_assert(engine_health(pair.device).largest == 0.0);
        device_pair_free(&pair);
    }
}

static void compare_both(struct lossy_room *room, size_t steps)
{
    struct lossy_room *const wide = room_widened(room, 0.0);
    compare(room, PRECISION_SINGLE, steps);
    compare(room, PRECISION_DOUBLE, steps);
    compare(wide, PRECISION_SINGLE, steps);
    compare(wide, PRECISION_DOUBLE, steps);
    room_free(wide);
    room_free(room);
}

Test(opencl_rooms, runs_of_blocks_of_every_length_give_the_processors_bits)
{
    static const int64_t below[3] = {-21, -13, -7};
    NEEDS_OPENCL();
    compare_both(room_box(47, 17, 9, below), 20);
    compare_both(room_ragged(91, 45, 26, 19, 0.2, 0.06, 8), 20);
}

Test(opencl_rooms, more_steps_than_a_batch_give_the_processors_bits)
{
    NEEDS_OPENCL();
    struct lossy_room *const room = room_ragged(93, 6, 5, 7, 0.0, 0.06, 0);
    compare(room, PRECISION_SINGLE, 2050);
    room_free(room);
}

/* What an engine without taps takes, against the prediction, which counts whole buffers. */
static void check_bytes(const struct lossy_room *room, enum layout layout, enum precision precision)
{
    struct device_pair pair =
        device_pair_make(&room->blocks, layout == LAYOUT_BOX ? &room->box : NULL, precision);
    const struct engine *const engine = pair.device;
    const struct device_request request = {layout, precision, &engine->room, 0, engine->length, false};
    static const struct air_loss air = {.states = 2, .every = 3, .follow = {0.03, 1.2}, .share = {0.5, 0.3}};
    struct device_room counts = opencl_count_room(&request);
    MUST(engine_set_air(pair.device, &air, &failure));
    counts.air_states = air.states;
    const double predicted =
        device_room_bytes(back_ends_built.device[BACKEND_OPENCL], back_ends_device(), &counts);
    const double taken = (double)engine_bytes(engine);
    cr_assert(fabs(taken - predicted) <= 0.02 * predicted + 1024, "%s: %.0f bytes, not %.0f",
              engine_description(engine), taken, predicted);
    device_pair_free(&pair);
}

Test(opencl_rooms, a_room_takes_the_bytes_that_were_predicted)
{
    NEEDS_OPENCL();
    struct lossy_room *const room = room_ragged(91, 45, 26, 19, 0.2, 0.06, 8);
    struct lossy_room *const wide = room_widened(room, 0.0);
    for (int n = 0; n < 4; ++n) {
        check_bytes(room, (enum layout)(n & 1), (enum precision)(n >> 1));
        check_bytes(wide, (enum layout)(n & 1), (enum precision)(n >> 1));
    }
    room_free(wide);
    room_free(room);
}

Test(opencl_rooms, a_device_that_is_not_there_is_named)
{
    struct device device;
    MUST_FAIL(device_find_card(back_ends_built.device[BACKEND_OPENCL], 77, &device, &failure),
              FAILURE_CAPACITY, "OpenCL");
}

Test(opencl_rooms, a_part_of_a_room_and_a_link_are_refused)
{
    NEEDS_OPENCL();
    struct lossy_room *const room = room_ragged(93, 6, 5, 7, 0.0, 0.06, 0);
    struct device_pair pair = device_pair_make(&room->blocks, NULL, PRECISION_SINGLE);
    MUST_FAIL(pair.device->device->ops->join(pair.device->device, NULL, &failure), FAILURE_INPUT,
              "a whole room");
    MUST_FAIL(pair.device->device->ops->add_port(pair.device->device, 0, NULL, NULL, NULL, &failure),
              FAILURE_INPUT, "no membranes");
    double rate;
    MUST_FAIL(device_link_rate(back_ends_built.device[BACKEND_OPENCL], 0, 1, 1024, 1, &rate, &failure),
              FAILURE_CAPACITY, "OpenCL devices have no");
    MUST(device_copy_rate(back_ends_built.device[BACKEND_OPENCL], 1 << 20, 2, &rate, &failure));
    cr_assert(test_above(rate, 1e6));
    device_pair_free(&pair);
    room_free(room);
}

/* ---- a device that is lost ---- */

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define LOST (-36) /* CL_INVALID_COMMAND_QUEUE */

static int32_t lose_launch(opencl_queue queue, opencl_kernel kernel, uint32_t axes, const size_t *offset,
                           const size_t *items, const size_t *group, uint32_t events,
                           const opencl_event *wait, opencl_event *event)
{
    return LOST;
}
static int32_t lose_read(opencl_queue queue, opencl_memory from, uint32_t block, size_t offset, size_t bytes,
                         void *to, uint32_t events, const opencl_event *wait, opencl_event *event)
{
    return LOST;
}
static int32_t lose_write(opencl_queue queue, opencl_memory to, uint32_t block, size_t offset, size_t bytes,
                          const void *from, uint32_t events, const opencl_event *wait, opencl_event *event)
{
    return LOST;
}
static int32_t lose_finish(opencl_queue queue)
{
    return LOST;
}

Test(opencl_rooms, a_device_that_is_lost_ends_the_run_with_one_sentence)
{
    NEEDS_OPENCL();
    struct lossy_room *const room = room_ragged(93, 6, 5, 7, 0.0, 0.06, 0);
    for (int fault = 0; fault < 4; ++fault) {
        struct device_pair pair = device_pair_make(&room->blocks, NULL, PRECISION_SINGLE);
        struct engine *const engine = pair.device;
        double drive[2] = {1.0, 0.0}, output[2];
        device_pair_spread(&pair, 1, true);
        device_pair_spread(&pair, 1, false);
        engine_run(engine, 2, drive, output);
        back_ends_sound(engine);
        struct opencl_card *const card = (struct opencl_card *)((struct opencl_engine *)engine->device)->card;
        const struct opencl *const sound = card->call;
        struct opencl broken = *sound;
        if (fault == 0)
            broken.EnqueueNDRangeKernel = lose_launch;
        else if (fault == 1)
            broken.EnqueueReadBuffer = lose_read;
        else if (fault == 2)
            broken.EnqueueWriteBuffer = lose_write;
        else
            broken.Finish = lose_finish;
        card->call = &broken;
        engine_run(engine, 2, drive, output);
        card->call = sound; /* it stays lost */
        MUST_FAIL(engine_failed(engine, &failure), FAILURE_OUTPUT, "the device was lost (error -36)");
        cr_assert(isnan(output[1]) && engine_health(engine).finite == false, "fault %d", fault);
        engine_free(pair.host);
        engine_free(engine);
    }
    room_free(room);
}

static int32_t no_context;
static opencl_context refuse_context(const intptr_t *properties, uint32_t count, const opencl_device *device,
                                     void (*told)(const char *, const void *, size_t, void *), void *with,
                                     int32_t *error)
{
    *error = no_context;
    return NULL;
}

Test(opencl_rooms, a_device_that_another_program_has_is_refused_and_not_called_lost)
{
    if (opencl_count() == 0)
        cr_skip("no OpenCL device");
    const struct opencl_card *card;
    ((struct opencl *)opencl_load())->CreateContext = refuse_context;
    for (no_context = -5; no_context <= -2; no_context += 3)
        MUST_FAIL(opencl_open(0, &card, &failure), FAILURE_CAPACITY, "in use by another program or not");
    MUST_FAIL(opencl_check(-5, "a step", &failure), FAILURE_OUTPUT,
              "a step: the device was lost or has no resources left (error -5)");
    cr_assert(strstr(failure.fix, "try fewer nodes") != NULL);
}

/* Answers of a device that joins products with sums, or takes subnormal numbers for 0. */
Test(opencl_rooms, a_device_that_rounds_otherwise_fails_the_trial)
{
    float right[OPENCL_TRIALS][3], joined[OPENCL_TRIALS][3], flushed[OPENCL_TRIALS][3];
    double twice[OPENCL_TRIALS][3];
    for (int n = 0; n < OPENCL_TRIALS; ++n) {
        const float *const in = opencl_trial_f32[n];
        const double *const wide = opencl_trial_f64[n];
        const volatile float product = in[0] * in[1];
        const float all[3] = {product + in[2], fmaf(in[0], in[1], in[2]), in[0] + in[2]};
        for (int k = 0; k < 3; ++k) {
            right[n][k] = all[k];
            joined[n][k] = k == 0 ? all[1] : all[k];
            flushed[n][k] = fabsf(all[k]) < FLT_MIN ? 0.0F : all[k];
        }
        twice[n][0] = wide[0] * wide[1] + wide[2];
        twice[n][1] = fma(wide[0], wide[1], wide[2]);
        twice[n][2] = wide[0] + wide[2];
    }
    cr_assert(opencl_trial_holds_f32((const float(*)[3])right));
    cr_assert(opencl_trial_holds_f64((const double(*)[3])twice));
    cr_assert(opencl_trial_holds_f32((const float(*)[3])joined) == false);
    cr_assert(opencl_trial_holds_f32((const float(*)[3])flushed) == false);
    right[0][0] = NAN;
    cr_assert(opencl_trial_holds_f32((const float(*)[3])right) == false);
}
