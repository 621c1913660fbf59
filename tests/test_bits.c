/* Every way of computing a step gives the same bits, and the bits that arithmetic demands where it is exact.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

#include "kernels/engine_state.h"
#include "tests/lossy_room.h"

#define STEPS 60

static const char *width_name[] = {"auto", "portable", "avx2", "avx512"};

/* Is this width here? Says so when not, so that a log shows what was not compared. */
static bool width_here(enum simd simd)
{
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool here = simd == SIMD_AVX512
                          ? __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
                      : simd == SIMD_AVX2 ? avx2
                                          : true;
#else
    const bool here = simd == SIMD_AUTO || simd == SIMD_PORTABLE;
#endif
    if (!here)
        (void)fprintf(stderr, "SKIPPED: this processor has no %s\n", width_name[simd]);
    return here;
}

struct trace {
    uint64_t hash[STEPS / 10];
    double output[2][STEPS];
};

/* Two sources, one of them in the corner at a wall, two receivers; a hash every ten steps. */
static void run_trace(const struct lossy_room *room, const struct engine_options *options,
                      struct trace *trace)
{
    struct engine *engine = room_engine(room, 0.0, options);
    struct failure failure = {0};
    double drive[2][STEPS], piece[2][10], heard[2][10];
    uint64_t random = 77;
    for (int n = 0; n < STEPS; ++n)
        for (int s = 0; s < 2; ++s)
            drive[s][n] = n % 7 == 3 ? 0.0 : test_uniform(&random, -1.0, 1.0);
    for (int t = 0; t < 4; ++t) {
        struct tap tap;
        int64_t node[3];
        size_t n = (size_t)t * (room_size(room) / 4);
        while (room->link[n] == 0)
            ++n;
        room_node(room, n, node);
        const double position[3] = {(double)node[0] + 0.3, (double)node[1] - 0.2, (double)node[2] + 0.1};
        cr_assert(tap_make(&room->blocks, position, node, INTERPOLATION_CUBIC, &tap, &failure) == 0, "%s",
                  failure.sentence);
        if (t < 2)
            cr_assert(engine_add_source(engine, &tap, NULL, &failure) == 0, "%s", failure.sentence);
        else
            cr_assert(engine_add_receiver(engine, &tap, NULL, &failure) == 0, "%s", failure.sentence);
    }
    room_excite(room, engine, 5);
    for (int part = 0; part < STEPS / 10; ++part) {
        for (int s = 0; s < 2; ++s)
            memcpy(piece[s], drive[s] + 10 * part, sizeof piece[s]);
        engine_run(engine, 10, piece[0], heard[0]);
        for (int r = 0; r < 2; ++r)
            memcpy(trace->output[r] + 10 * part, heard[r], sizeof heard[r]);
        trace->hash[part] = engine_hash(engine);
    }
    cr_assert(engine_health(engine).finite);
    cr_assert(engine_health(engine).largest > 1e-3);

    /* What is not air never moves. */
    for (uint64_t index = 0; index < engine->length; ++index)
        if (engine_links(engine, index) == 0)
            cr_assert(engine_value(engine, engine->u, index) == 0.0 &&
                          engine_value(engine, engine->u_old, index) == 0.0,
                      "%s: index %llu is not air, but has a pressure", engine_description(engine),
                      (unsigned long long)index);
    engine_free(engine);
}

static void compare_traces(const struct lossy_room *room, enum precision precision)
{
    struct trace reference, other;
    const struct engine_options first = {LAYOUT_BLOCKS, precision, BACKEND_REFERENCE, SIMD_AUTO, 1};
    run_trace(room, &first, &reference);
    const struct engine_options box = {LAYOUT_BOX, precision, BACKEND_REFERENCE, SIMD_AUTO, 1};
    run_trace(room, &box, &other);
    cr_assert(memcmp(&reference, &other, sizeof other) == 0, "reference in a box");
    for (int layout = 0; layout < 2; ++layout)
        for (int simd = SIMD_AUTO; simd <= SIMD_AVX512; ++simd)
            for (int threads = 1; threads <= 3; threads += 2) {
                const struct engine_options options = {(enum layout)layout, precision, BACKEND_CPU,
                                                       (enum simd)simd, threads};
                if (!width_here((enum simd)simd))
                    continue;
                run_trace(room, &options, &other);
                for (int part = 0; part < STEPS / 10; ++part)
                    cr_assert(reference.hash[part] == other.hash[part],
                              "layout %d, %s, %d threads: field at step %d", layout, width_name[simd],
                              threads, 10 * (part + 1));
                cr_assert(memcmp(reference.output, other.output, sizeof other.output) == 0,
                          "layout %d, %s, %d threads: output", layout, width_name[simd], threads);
            }
}

Test(bits, layouts_back_ends_widths_and_threads_agree_in_single)
{
    struct lossy_room *room = room_ragged(11, 37, 29, 26, 0.1, 0.05, 26);
    /* Both kinds of block are there: open air, and mixed. */
    uint32_t open_air = 0;
    for (uint32_t b = 1; b <= room->blocks.blocks; ++b)
        open_air += room->blocks.block[b].tile == TILE_FULL;
    cr_assert(open_air > 0 && open_air < room->blocks.blocks);
    compare_traces(room, PRECISION_SINGLE);
    room_free(room);
}

Test(bits, layouts_back_ends_widths_and_threads_agree_in_double)
{
    struct lossy_room *room = room_ragged(12, 35, 27, 30, 0.1, 0.05, 26);
    compare_traces(room, PRECISION_DOUBLE);
    room_free(room);
}

Test(bits, a_room_smaller_than_a_vector_agrees)
{
    struct lossy_room *room = room_ragged(13, 3, 2, 5, 0.0, 0.0, 0);
    compare_traces(room, PRECISION_SINGLE);
    compare_traces(room, PRECISION_DOUBLE);
    room_free(room);
}

Test(bits, small_integers_at_a_quarter_are_exact_in_every_engine)
{
    /* lambda2 = 1/4 and values -3..3: eight steps stay exact in float, so the plain textbook form in double,
     * in whatever order, is the only possible answer. Walls are rigid here: nothing divides. */
    enum { EXACT_STEPS = 8 };
    struct lossy_room *room = room_ragged(14, 33, 21, 19, 0.15, 0.1, 17);
    const size_t size = room_size(room);
    double *now = calloc(size, sizeof *now), *old = calloc(size, sizeof *old),
           *start = calloc(2 * size, sizeof *start);
    uint64_t random = 3;
    cr_assert(now && old && start);
    for (size_t n = 0; n < size; ++n) {
        start[n] = (double)(test_random(&random) % 7) - 3.0;
        start[size + n] = (double)(test_random(&random) % 7) - 3.0;
        now[n] = room->link[n] ? start[n] : 0.0;
        old[n] = room->link[n] ? start[size + n] : 0.0;
    }
    for (int step = 0; step < EXACT_STEPS; ++step) {
        for (size_t n = 0; n < size; ++n) {
            double next = 2.0 * now[n] - old[n];
            for (int axis = 2; axis >= 0; --axis) {
                if (room->link[n] >> (2 * axis + 1) & 1)
                    next += 0.25 * (now[n + room_stride(room, axis)] - now[n]);
                if (room->link[n] >> (2 * axis) & 1)
                    next += 0.25 * (now[n - room_stride(room, axis)] - now[n]);
            }
            old[n] = next;
        }
        double *swap = now;
        now = old;
        old = swap;
    }
    const double rigid[ROOM_MATERIALS] = {0.0};
    /* An open face is never rigid; rooms drawn with one keep it, so give every wall material 0 here. */
    for (uint64_t w = 0; w < room->blocks.walls; ++w)
        room->blocks.wall[w].material = 0;
    for (uint64_t w = 0; w < room->box.walls; ++w)
        room->box.wall[w].material = 0;
    struct failure failure = {0};
    struct time_step step;
    cr_assert(time_step_choose(1.0, 340.0, 0.5, &step, &failure) == 0);
    cr_assert(step.lambda2 == 0.25);
    for (int layout = 0; layout < 2; ++layout)
        for (int precision = 0; precision < 2; ++precision)
            for (int simd = -1; simd <= SIMD_AVX512; ++simd) {
                const struct engine_options options = {(enum layout)layout, (enum precision)precision,
                                                       simd < 0 ? BACKEND_REFERENCE : BACKEND_CPU,
                                                       simd < 0 ? SIMD_AUTO : (enum simd)simd, 2};
                struct engine *engine = NULL;
                if (!width_here(options.simd))
                    continue;
                cr_assert(engine_create(&engine, &room->blocks, layout == LAYOUT_BOX ? &room->box : NULL,
                                        &step, rigid, ROOM_MATERIALS, &options, &failure) == 0,
                          "%s", failure.sentence);
                for (size_t n = 0; n < size; ++n) {
                    int64_t node[3];
                    room_node(room, n, node);
                    if (room->link[n] == 0)
                        continue;
                    engine_set(engine, 0, node, start[n]);
                    engine_set(engine, 1, node, start[size + n]);
                }
                engine_run(engine, EXACT_STEPS, NULL, NULL);
                for (size_t n = 0; n < size; ++n) {
                    int64_t node[3];
                    room_node(room, n, node);
                    if (room->link[n] != 0)
                        cr_assert(engine_get(engine, 0, node) == now[n],
                                  "%s: node (%d,%d,%d) is %.9g, not %.9g", engine_description(engine),
                                  (int)node[0], (int)node[1], (int)node[2], engine_get(engine, 0, node),
                                  now[n]);
                }
                engine_free(engine);
            }
    free(now);
    free(old);
    free(start);
    room_free(room);
}

/* A room seen in a mirror across `axis`. */
static struct lossy_room *mirrored(const struct lossy_room *room, int axis)
{
    struct lossy_room *image = room_blank(room->nodes[0], room->nodes[1], room->nodes[2], room->low);
    image->axis_walls = true;
    for (size_t n = 0; n < room_size(room); ++n) {
        int64_t node[3];
        room_node(room, n, node);
        for (int d = 0; d < 3; ++d)
            node[d] -= room->low[d];
        node[axis] = room->nodes[axis] - 1 - node[axis];
        unsigned link = room->link[n];
        const unsigned pair = link >> (2 * axis) & 3u;
        link = (link & ~(3u << (2 * axis))) | ((pair >> 1 | pair << 1) & 3u) << (2 * axis);
        image->link[room_index(image, node[0], node[1], node[2])] = (uint8_t)link;
    }
    room_finish(image);
    return image;
}

Test(bits, a_mirrored_room_gives_the_mirrored_field)
{
    for (int axis = 0; axis < 3; ++axis) {
        struct lossy_room *drawn = room_ragged(15, 19, 22, 17, 0.1, 0.05, 10);
        struct lossy_room *room = room_blank(drawn->nodes[0], drawn->nodes[1], drawn->nodes[2], drawn->low);
        /* Walls by axis, so that the mirror keeps their materials. */
        room->axis_walls = true;
        memcpy(room->link, drawn->link, room_size(drawn));
        room_finish(room);
        struct lossy_room *image = mirrored(room, axis);
        const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
        struct engine *a = room_engine(room, 0.0, &options), *b = room_engine(image, 0.0, &options);
        room_excite(room, a, 9);
        for (int pass = 0; pass < 2; ++pass) {
            for (size_t n = 0; n < room_size(room); ++n) {
                int64_t node[3], there[3];
                room_node(room, n, node);
                memcpy(there, node, sizeof there);
                there[axis] = 2 * room->low[axis] + room->nodes[axis] - 1 - node[axis];
                if (room->link[n] == 0)
                    continue;
                if (pass == 0) {
                    engine_set(b, 0, there, engine_get(a, 0, node));
                    engine_set(b, 1, there, engine_get(a, 1, node));
                } else {
                    cr_assert(engine_get(b, 0, there) == engine_get(a, 0, node), "axis %d", axis);
                }
            }
            if (pass == 0) {
                engine_run(a, 200, NULL, NULL);
                engine_run(b, 200, NULL, NULL);
            }
        }
        engine_free(a);
        engine_free(b);
        room_free(image);
        room_free(room);
        room_free(drawn);
    }
}

Test(bits, twice_the_drive_gives_twice_the_output_and_a_later_drive_the_later_output)
{
    enum { LONG = 300, LATE = 37 };
    static double drive[LONG], heard[LONG], doubled[LONG], delayed[LONG];
    struct lossy_room *room = room_ragged(16, 20, 20, 20, 0.1, 0.05, 12);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = room_engine(room, 0.0, &options);
    struct failure failure = {0};
    struct tap tap;
    const int64_t node[3] = {room->low[0] + 4, room->low[1] + 4, room->low[2] + 4};
    const double source[3] = {(double)node[0] + 0.4, (double)node[1] + 0.1, (double)node[2]};
    const int64_t far_node[3] = {node[0] + 5, node[1] + 2, node[2] + 5};
    const double receiver[3] = {(double)far_node[0] - 0.2, (double)far_node[1], (double)far_node[2] + 0.3};
    cr_assert(tap_make(&room->blocks, source, node, INTERPOLATION_CUBIC, &tap, &failure) == 0);
    cr_assert(engine_add_source(engine, &tap, NULL, &failure) == 0);
    cr_assert(tap_make(&room->blocks, receiver, far_node, INTERPOLATION_CUBIC, &tap, &failure) == 0);
    cr_assert(engine_add_receiver(engine, &tap, NULL, &failure) == 0);

    uint64_t random = 21;
    for (int n = 0; n < 20; ++n)
        drive[n] = test_uniform(&random, -1.0, 1.0);
    engine_run(engine, LONG, drive, heard);
    cr_assert(engine_steps(engine) == LONG);
    engine_reset(engine);
    cr_assert(engine_steps(engine) == 0 && engine_health(engine).largest == 0.0);
    for (int n = 0; n < 20; ++n)
        drive[n] *= 2.0;
    engine_run(engine, LONG, drive, doubled);
    engine_reset(engine);
    memmove(drive + LATE, drive, 20 * sizeof *drive);
    memset(drive, 0, LATE * sizeof *drive);
    engine_run(engine, LONG, drive, delayed);
    double largest = 0.0;
    for (int n = 0; n < LONG; ++n) {
        largest = fmax(largest, fabs(heard[n]));
        cr_assert(doubled[n] == 2.0 * heard[n]);
        cr_assert(n < LATE ? delayed[n] == 0.0 : delayed[n] == doubled[n - LATE]);
    }
    cr_assert(largest > 1e-4);
    engine_free(engine);
    room_free(room);
}
