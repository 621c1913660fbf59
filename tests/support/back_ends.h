/** Every back end that is here, for suites that are to run on all of them.
 *
 * A device is looked for once in a process, which is once in a test. Where there is none, one line on
 * standard error says so: "SKIPPED: no device (no OpenCL driver is installed): bits/claim was not run on
 * it". The rest of the test goes on.
 */
#ifndef TESTS_BACK_ENDS_H
#define TESTS_BACK_ENDS_H

#include <float.h>
#include <pthread.h>

#include "kernels/engine/engine_back_ends.h"
#include "kernels/cuda/base/device.h"
#include "kernels/engine/engine.h"
#include "kernels/engine/engine_image.h"
#include "kernels/engine/engine_state.h"
#include "tests/support/link_grids.h"
#include "tests/support/outcome.h"

/** The back end of the device: CUDA, or OpenCL where there is no CUDA device. TRANSEPT_TEST_DEVICE (cuda,
 * opencl) names one of them. */
static inline enum backend back_ends_backend(void)
{
    static enum backend found;
    const char *const asked = getenv("TRANSEPT_TEST_DEVICE");
    if (found == BACKEND_REFERENCE)
        found = asked != NULL ? (strcmp(asked, "opencl") == 0 ? BACKEND_OPENCL : BACKEND_CUDA)
                : device_count(back_ends_built.device[BACKEND_CUDA]) > 0 ? BACKEND_CUDA
                                                                         : BACKEND_OPENCL;
    return found;
}

/** Is a comparison made on the device? An OpenCL device, which may be the processors, has the longer ones
 * only if it was named; `every`: those of every width of the processors, which it always has. */
static inline bool back_ends_is_thorough(bool every)
{
    return every || back_ends_backend() == BACKEND_CUDA || getenv("TRANSEPT_TEST_DEVICE") != NULL;
}

/** As --backend has it. */
static inline const char *back_ends_word(void)
{
    return back_ends_backend() == BACKEND_CUDA ? "cuda" : "opencl";
}

/** The device, or NULL (after saying so once) where there is none. */
static inline const struct device *back_ends_device(void)
{
    static struct device device;
    static enum { NOT_LOOKED, FOUND, MISSING } looked;
    if (looked == NOT_LOOKED) {
        const int code = device_find(back_ends_built.device[back_ends_backend()], &device, &failure);
        cr_assert(code == 0 || code == FAILURE_CAPACITY, "code %d: %s", code, failure.sentence);
        looked = code == 0 ? FOUND : MISSING;
        if (looked == MISSING)
            (void)fprintf(stderr, "SKIPPED: no device (%s): %s/%s was not run on it\n", failure.sentence,
                          criterion_current_suite->name, criterion_current_test->name);
    }
    return looked == FOUND ? &device : NULL;
}

/** Has this processor the instructions? Says so once in a process where not, so that a log shows what was not
 * compared. */
static inline bool back_ends_width(enum simd simd)
{
    static const char *const name[] = {"auto", "portable", "avx2", "avx512"};
    static bool reported[4];
    bool here = simd == SIMD_AUTO || simd == SIMD_PORTABLE;
#if defined(__x86_64__)
    if (simd == SIMD_AVX2)
        here = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (simd == SIMD_AVX512)
        here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
#endif
    if (!here && !reported[simd])
        (void)fprintf(stderr, "SKIPPED: this processor has no %s\n", name[simd]);
    reported[simd] = !here;
    return here;
}

/* ---- every way of stepping a room ---- */

#define BACK_ENDS_REFERENCE 1u
#define BACK_ENDS_CPU       2u /* the widest instructions, two threads */
#define BACK_ENDS_WIDTHS    4u /* every width of the processor, with one thread and with three */
#define BACK_ENDS_DEVICE    8u
#define BACK_ENDS_ALL       (BACK_ENDS_REFERENCE | BACK_ENDS_CPU | BACK_ENDS_DEVICE)
#define BACK_ENDS_EVERY     (BACK_ENDS_REFERENCE | BACK_ENDS_WIDTHS | BACK_ENDS_DEVICE)

/** Walks over both layouts, both precisions unless one is fixed, and the ways of the mask:
 *
 *     struct back_ends all = {.mask = BACK_ENDS_ALL};
 *     while (back_ends_next(&all))
 *         try(&all.options);
 */
struct back_ends {
    unsigned mask;
    bool one_precision; /* only that of `precision` */
    enum precision precision;
    unsigned next;
    struct engine_options options;
};

static inline bool back_ends_next(struct back_ends *all)
{
    static const struct {
        unsigned mask;
        enum backend backend;
        enum simd simd;
        int threads;
    } way[] = {{BACK_ENDS_REFERENCE, BACKEND_REFERENCE, SIMD_AUTO, 1},
               {BACK_ENDS_CPU, BACKEND_CPU, SIMD_AUTO, 2},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_AUTO, 1},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_AUTO, 3},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_PORTABLE, 1},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_PORTABLE, 3},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_AVX2, 1},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_AVX2, 3},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_AVX512, 1},
               {BACK_ENDS_WIDTHS, BACKEND_CPU, SIMD_AVX512, 3},
               {BACK_ENDS_DEVICE, BACKEND_CUDA, SIMD_AUTO, 1}};
    while (all->next < 4 * sizeof way / sizeof *way) {
        const unsigned n = all->next++, precision = n >> 1 & 1u, w = n >> 2;
        if (!(way[w].mask & all->mask) || (all->one_precision && precision != all->precision) ||
            !back_ends_width(way[w].simd) ||
            (way[w].mask == BACK_ENDS_DEVICE &&
             (!back_ends_is_thorough((all->mask & BACK_ENDS_WIDTHS) != 0) || back_ends_device() == NULL)))
            continue;
        all->options =
            (struct engine_options){(enum layout)(n & 1u), (enum precision)precision,
                                    way[w].mask == BACK_ENDS_DEVICE ? back_ends_backend() : way[w].backend,
                                    way[w].simd, way[w].threads};
        return true;
    }
    return false;
}

/** Ends the test when the device of an engine has failed, saying why. */
static inline void back_ends_sound(const struct engine *engine)
{
    cr_assert(engine_failed(engine, &failure) == 0, "%s: %s", engine_description(engine), failure.sentence);
}

/* ---- the same on the device ---- */

/** Outputs of two engines, sample for sample. */
static inline void back_ends_same_output(const struct engine *engine, uint64_t steps, const double *expected,
                                         const double *found)
{
    for (size_t n = 0; n < engine->receivers * steps; ++n)
        cr_assert(expected[n] == found[n], "%s: receiver %zu, sample %zu of %zu is %.17g, not %.17g",
                  engine_description(engine), n / (size_t)steps, n % (size_t)steps, (size_t)steps, found[n],
                  expected[n]);
}

/** An engine on the device with the room, taps and field of another, but not with the states of its walls;
 * NULL without a device. `admittance`, or `walls` where that is not NULL, is what the other was made with. */
static inline struct engine *back_ends_twin(const struct engine *engine, const double *admittance,
                                            size_t materials, const struct wall_materials *walls)
{
    struct engine_options options = engine->options;
    if (!back_ends_is_thorough(false) || back_ends_device() == NULL)
        return NULL;
    options.backend = back_ends_backend();
    struct engine *twin = engine_of(engine->room.blocks, engine->room.box, &engine->step, admittance,
                                    materials, walls, &options);
    engine_map(twin);
    back_ends_sound(twin);
    memcpy(twin->u, engine->u, (size_t)engine_level_bytes(engine));
    memcpy(twin->u_old, engine->u_old, (size_t)engine_level_bytes(engine));
    /* Nodes and weights as they were found, so that taps of any kind come along. */
    const size_t sources = engine->sources * sizeof *engine->source,
                 receivers = engine->receivers * sizeof *engine->receiver;
    twin->source = malloc(sources + 1);
    twin->receiver = malloc(receivers + 1);
    cr_assert(twin->source != NULL && twin->receiver != NULL);
    if (sources > 0)
        memcpy(twin->source, engine->source, sources);
    if (receivers > 0)
        memcpy(twin->receiver, engine->receiver, receivers);
    twin->sources = engine->sources;
    twin->receivers = engine->receivers;
    return twin;
}

/** engine_run() of an engine on this machine's processors; where there is a device, the same run there must
 * give the same samples and the same field, bit for bit. What a suite then finds in them, it has found for
 * both, and only one of them has to be slow. */
static inline void back_ends_run_walls(struct engine *engine, const double *admittance, size_t materials,
                                       const struct wall_materials *walls, uint64_t steps,
                                       const double *drive, double *output)
{
    struct engine *twin = back_ends_twin(engine, admittance, materials, walls);
    engine_run(engine, steps, drive, output);
    if (twin == NULL)
        return;
    double *sampled = malloc((engine->receivers * (size_t)steps + 1) * sizeof *sampled);
    cr_assert(sampled != NULL);
    engine_run(twin, steps, drive, output == NULL ? NULL : sampled);
    back_ends_sound(twin);
    if (output != NULL)
        back_ends_same_output(twin, steps, output, sampled);
    cr_assert(engine_hash(twin) == engine_hash(engine), "%s: another field than %s", engine_description(twin),
              engine_description(engine));
    free(sampled);
    engine_free(twin);
}
static inline void back_ends_run(struct engine *engine, const double *admittance, size_t materials,
                                 uint64_t steps, const double *drive, double *output)
{
    back_ends_run_walls(engine, admittance, materials, NULL, steps, drive, output);
}

/* ---- the state of one, to be put into another ---- */

#define TAKEN_SUMS 8u /* materials and 1, at most */

struct taken {
    struct engine_image_form form;
    uint64_t steps, bytes;
    double absorbed[TAKEN_SUMS];
    char *image;
};

/* The same from a copy, pieces by a thread, while the engine makes `steps` steps and is looked at. False
 * where no copy can be made. */
struct taking {
    struct engine *engine;
    struct engine_image *image;
    struct taken *out;
    uint32_t piece;
    int code;
    struct failure why;
};

static inline void *take_pieces(void *context)
{
    struct taking *taking = context;
    const uint32_t end = taking->out->form.blocks + 1;
    for (uint32_t first = 1; taking->code == 0 && first < end; first += taking->piece) {
        const uint32_t last = first + taking->piece < end ? first + taking->piece : end;
        taking->code =
            engine_image_get(taking->image, first, last,
                             taking->out->image + engine_image_bytes(taking->engine, 1, first), &taking->why);
    }
    return NULL;
}

static inline bool take_beside(struct engine *engine, uint32_t piece, uint64_t steps, struct taken *out)
{
    struct taking taking = {.engine = engine, .out = out, .piece = piece};
    pthread_t thread;
    out->form = engine_image_form(engine);
    out->bytes = engine_image_bytes(engine, 1, out->form.blocks + 1);
    out->steps = engine_image_get_steps(engine, out->absorbed);
    MUST(engine_image_open_copy(engine, &taking.image, &failure));
    if (taking.image == NULL)
        return false;
    out->image = malloc((size_t)out->bytes);
    cr_assert(out->image != NULL);
    engine_run(engine, 1, NULL, NULL); /* before the first piece, whoever is faster */
    cr_assert(pthread_create(&thread, NULL, take_pieces, &taking) == 0);
    engine_run(engine, steps - 1, NULL, NULL);
    cr_assert(engine_hash(engine) != 0);
    cr_assert(pthread_join(thread, NULL) == 0);
    cr_assert(taking.code == 0, "%s", taking.why.sentence);
    MUST(engine_image_close(taking.image, &failure));
    return true;
}

/* In pieces of `piece` blocks. */
static inline void take(struct engine *engine, uint32_t piece, struct taken *out)
{
    struct engine_image *image = NULL;
    out->form = engine_image_form(engine);
    const uint32_t end = out->form.blocks + 1;
    out->bytes = engine_image_bytes(engine, 1, end);
    out->image = malloc((size_t)out->bytes);
    cr_assert(out->image != NULL && out->form.absorbed <= TAKEN_SUMS);
    MUST(engine_image_open(engine, false, &image, &failure));
    for (uint32_t first = 1; first < end; first += piece) {
        const uint32_t last = first + piece < end ? first + piece : end;
        MUST(engine_image_get(image, first, last, out->image + engine_image_bytes(engine, 1, first),
                              &failure));
    }
    MUST(engine_image_close(image, &failure));
    out->steps = engine_image_get_steps(engine, out->absorbed);
}

static inline void put(struct engine *engine, uint32_t piece, const struct taken *taken)
{
    struct engine_image *image = NULL;
    const uint32_t end = taken->form.blocks + 1;
    MUST(engine_image_open(engine, true, &image, &failure));
    for (uint32_t first = 1; first < end; first += piece) {
        const uint32_t last = first + piece < end ? first + piece : end;
        MUST(engine_image_set(image, first, last, taken->image + engine_image_bytes(engine, 1, first),
                              &failure));
    }
    MUST(engine_image_close(image, &failure));
    engine_image_set_steps(engine, taken->steps, taken->absorbed);
}

/* Signed zeros are the same pressure in every layout, and not the same bytes. */
static inline bool same_reals(const struct taken *a, const struct taken *b)
{
    if (a->bytes != b->bytes || a->steps != b->steps)
        return false;
    bool same = true;
    for (uint64_t n = 0; n < a->bytes / a->form.real_bytes; ++n)
        same = same &&
               (a->form.real_bytes == sizeof(float)
                    ? ((const float *)(const void *)a->image)[n] == ((const float *)(const void *)b->image)[n]
                    : ((const double *)(const void *)a->image)[n] ==
                          ((const double *)(const void *)b->image)[n]);
    return same;
}

/* ---- sums in another order ----------------------------------------------------------------------------- */

/** How far apart sums may be that add the same terms in different orders, as energies and ledgers of a room
 * in parts or on a device are added up: of n terms each sum is off by at most (n - 1) u of the sum of their
 * magnitudes, u = DBL_EPSILON / 2 (Higham, Accuracy and Stability of Numerical Algorithms, 4.2). */
static inline double sum_order(double terms, double magnitudes)
{
    return terms * DBL_EPSILON * magnitudes;
}

/** Relative error of an entry's weight that a device works out from its share (device_engine.h), which is
 * rounded to the run's real; kappa is at most some tens. */
static inline double weight_error(const struct engine *engine)
{
    const bool device = engine->device != NULL || backend_is_device(engine->options.backend);
    return !device ? 0.0 : engine->real_bytes == sizeof(float) ? 1e-5 : 1e-12;
}

/** What a material has absorbed: all terms are positive. */
static inline double absorbed_order(const struct block_grid *grid, double absorbed)
{
    /* A layer also gives back what it stored; its losses almost all have the sign of their sum. */
    const double nodes = block_has_layer(grid) ? (double)grid->air_nodes : 0.0;
    return sum_order((double)grid->walls + (double)grid->sheets + nodes, fabs(absorbed));
}

/** Energy: the magnitudes of its terms are at most as here, from the field of an engine on the host that
 * holds all of it. Of a node u, before it v, they are (u - v)^2 / (2 lambda^2) <= (u^2 + v^2) / lambda^2, and
 * half of a pair's |(u_i - u_j) (v_i - v_j)| <= u_i^2 + u_j^2 + v_i^2 + v_j^2, of which a node has six at
 * most, or their weight in plaquettes; what walls and sheets hold is the energy less these. */
static inline double energy_order(const struct engine *engine, double energy)
{
    const struct block_grid *const grid = engine->room.blocks;
    double squares = 0.0;
    for (uint64_t n = 0; n < engine->length; n++) {
        const double u = engine_value(engine, engine->u, n), v = engine_value(engine, engine->u_old, n);
        squares += u * u + v * v;
    }
    return sum_order(10 * (double)grid->air_nodes + (double)grid->walls + (double)grid->sheets,
                     fabs(energy) + 2 * (1 / engine->room.lambda2 + 6) * squares);
}

/* ---- one course on all back ends ------------------------------------------------------------------------
 */

/** An engine with its field and at most one source, which is driven. */
typedef struct engine *back_ends_make(const void *context, const struct engine_options *options);

struct back_ends_course {
    uint64_t hash;
    double energy, absorbed[TAKEN_SUMS];
};

static inline struct back_ends_course back_ends_go_on(struct engine *engine)
{
    struct back_ends_course found = {0};
    double drive[40];
    for (int n = 0; n < 40; ++n)
        drive[n] = sin(0.3 * n);
    engine_run(engine, 40, engine_sources(engine) > 0 ? drive : NULL, NULL);
    if (engine_image_form(engine).absorbed > 0)
        engine_absorbed(engine, found.absorbed);
    back_ends_sound(engine);
    found.hash = engine_hash(engine);
    found.energy = engine_energy(engine);
    return found;
}

static inline void back_ends_same_course(const struct engine *engine, const struct back_ends_course *expected,
                                         const struct back_ends_course *found)
{
    const double off = fmax(weight_error(engine), 1e-12);
    cr_assert(found->hash == expected->hash, "%s: another field", engine_description(engine));
    cr_assert(fabs(found->energy - expected->energy) <= off * expected->energy, "%s: energy %.17g, not %.17g",
              engine_description(engine), found->energy, expected->energy);
    for (unsigned m = 0; m < TAKEN_SUMS; ++m)
        cr_assert(fabs(found->absorbed[m] - expected->absorbed[m]) <= off * expected->absorbed[m],
                  "%s: %.17g absorbed, not %.17g", engine_description(engine), found->absorbed[m],
                  expected->absorbed[m]);
}

/** On every back end, in both precisions: the bits of the reference, its image, and from that image the same
 * bits again; energy and losses to rounding. */
static inline void back_ends_agree(back_ends_make *make, const void *context)
{
    for (int precision = 0; precision < 2; ++precision) {
        struct taken first = {0};
        struct back_ends_course expected = {0};
        struct back_ends all = {
            .mask = BACK_ENDS_EVERY, .one_precision = true, .precision = (enum precision)precision};
        while (back_ends_next(&all)) {
            struct engine *engine = make(context, &all.options);
            struct taken taken = {0};
            (void)back_ends_go_on(engine);
            take(engine, 3, &taken);
            const struct back_ends_course found = back_ends_go_on(engine);
            if (first.image == NULL) {
                first = taken;
                expected = found;
            }
            cr_assert(same_reals(&first, &taken), "%s: another image", engine_description(engine));
            back_ends_same_course(engine, &expected, &found);
            engine_reset(engine);
            put(engine, 2, &first);
            const struct back_ends_course again = back_ends_go_on(engine);
            back_ends_same_course(engine, &expected, &again);
            if (taken.image != first.image)
                free(taken.image);
            engine_free(engine);
        }
        free(first.image);
    }
}

#endif
