/** `transept bench`: check every case, then time it against the streaming limit, or a GPU's copy rate. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/machine/machine_memory.h"
#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/bench/bench.h"
#include "src/bench/bench_cards.h"
#include "src/bench/bench_parts.h"
#include "src/cli/commands.h"
#include "src/setup/project/project.h"

#define CACHE_UNKNOWN (32 << 20) /* [bytes] */

static const struct option_spec bench_option_table[] = {
    OPTION_ENTRY(WORD, "shape", struct bench_options, shape, .group = "Measurement",
                 OPTION_WORDS("all", "cube", "sphere", "cross", "church"),
                 .standard = "all; on a device sphere and cross",
                 .help = "built-in shapes to simulate if no ROOM is given"),
    OPTION_ENTRY(
        COUNT, "nodes", struct bench_options, edge, .low = BENCH_EDGE_LEAST, .high = BENCH_EDGE_MOST,
        .value = "N",
        .help =
            "every room has about N x N x N nodes of air; the five cubes of a cross have edges of 0.585 N "
            "(default: a field of 3 times the last-level cache, or as large as the memory allows; on a "
            "device a sphere with a diameter of 768 nodes and crosses of 5 x 512^3, 5 x 48^3 and 5 x 96^3)"),
    OPTION_ENTRY(
        WORD, "scaling", struct bench_options, scaling, OPTION_WORDS("weak", "strong", "ends"),
        .standard = "weak",
        .help = "size of the shapes on several GPUs; weak: each GPU has as many nodes as a single one; "
                "strong: the same room on 1, 2, 4 .. GPUs; ends: like weak, but only on one GPU and on all"),
    OPTION_ENTRY(WORD, "layout", struct bench_options, layout, OPTION_WORDS("both", "blocks", "box"),
                 .standard = "both",
                 .help = "storage of the field: blocks that contain air, or the whole bounding box"),
    OPTION_ENTRY(WORD, "precision", struct bench_options, precision, OPTION_WORDS("both", "single", "double"),
                 .standard = "both", .help = "precision of the sound pressure"),
    OPTION_ENTRY(COUNT, "parts", struct bench_options, parts, .low = 1, .high = 1024, .value = "N",
                 .help = "on CPUs, simulate every room in N parts, which share the threads, and print the "
                         "speed relative to one part and the bytes that parts exchange (a rigid cube and the "
                         "church of 256^3 nodes in both schemes, or ROOM); under mpirun each rank is a part"),
    OPTION_ENTRY(
        NUMBER, "arrays", struct bench_options, arrays, .low = 0.01, .high = 1000, .value = "X",
        .standard = "8",
        .help = "on CPUs, the memory bandwidth is measured with two arrays, each X times the last-level "
                "cache, or as large as the memory allows; below 8 it is partly the bandwidth of the cache"),
    OPTION_ENTRY(TIME, "time", struct bench_options, time, .above_low = true, .high = 86400, .value = "TIME",
                 .standard = "1min; on a device 0.5s a case",
                 .help = "time of the measurements, without that for making and checking the rooms"),
};

static bool is_of_models(const char *name)
{
    static const char *const others[] = {"json",    "quiet",  "progress", "backend",
                                         "threads", "scheme", "devices",  "device"};
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        other = other || strcmp(name, others[i]) == 0;
    return !other;
}

/* Options of a model's grid need a model. The size of a shape is not allowed with one. */
static int check_options(const struct bench *bench, struct failure *failure)
{
    const struct options *options = bench->options;
    if (options->subject != NULL && (bench->own.shape != 0 || bench->own.edge != 0))
        return failure_set(
            failure, FAILURE_INPUT,
            "bench steps ROOM (%s) or shapes, not both: --%s is for shapes; a model's size is set by --fmax "
            "or --spacing",
            options->subject, bench->own.shape != 0 ? "shape" : "nodes");
    for (size_t i = 0; options->subject == NULL && i < option_table_count; i++)
        if (options->given[i] && is_of_models(option_table[i].name))
            return failure_set(failure, FAILURE_INPUT,
                               "bench takes --%s only with a ROOM; shapes have --nodes and --shape",
                               option_table[i].name);
    return 0;
}

static int check_parts(const struct bench *bench, struct failure *failure)
{
    if (bench->own.layout == LAYOUT_BOX + 1 || backend_is_device(bench->choice.backend))
        return failure_set(failure, FAILURE_INPUT, "--parts measures blocks on CPUs: leave out %s",
                           bench->own.layout == LAYOUT_BOX + 1 ? "--layout box" : "the GPU (--backend cpu)");
    if (bench->own.parts > 0 && ranks_count() > 1)
        return failure_set(failure, FAILURE_INPUT, "--parts is for one process; %u ranks step as many parts",
                           ranks_count());
    return 0;
}

static int choose_backend(struct bench *bench, struct failure *failure)
{
    const enum option_backend asked = bench->options->request.engine.backend;
    struct backend_choice *choice = &bench->choice;
    if ((asked == OPTION_BACKEND_CUDA || asked == OPTION_BACKEND_OPENCL) && bench->own.arrays > 0)
        return failure_set(failure, FAILURE_INPUT,
                           "--arrays is for the memory bandwidth of CPUs; with --backend %s the bandwidth "
                           "is the copy rate of the GPU's memory",
                           backend_asked_word(asked));
    if (bench->options->request.engine.devices != NULL && bench->own.arrays > 0)
        return failure_set(failure, FAILURE_INPUT, "--arrays is for CPUs, --devices for GPUs");
    TRY(backend_choice_begin_on(asked, NULL, bench->options->request.engine.devices,
                                (unsigned)bench->options->request.engine.device, choice, failure));
    if (!choice->settled && bench->own.arrays > 0)
        backend_choice_take(choice, BACKEND_CPU, "--arrays is for the memory bandwidth of CPUs");
    else if (!choice->settled && bench->own.parts > 0)
        backend_choice_take(choice, BACKEND_CPU, "--parts is for processors");
    else if (!choice->settled && backend_choice_look(choice))
        backend_choice_take(choice, choice->devices, "%s is there; --backend cpu measures the CPUs",
                            choice->device.name);
    else if (!choice->settled)
        backend_choice_take(choice, BACKEND_CPU, "%s", choice->absence);
    if (asked == OPTION_BACKEND_AUTO)
        bench_say(bench, "on the %s: %s", backend_is_device(choice->backend) ? "GPU" : "CPU",
                  choice->because);
    return 0;
}

static int run_bench(struct bench *bench, struct failure *failure)
{
    const struct options *options = bench->options;
    const uint64_t cache = machine_memory_cache();
    TRY(check_options(bench, failure));
    progress_line_start(&bench->progress, options->request.quiet ? NULL : stderr, progress_clock());
    TRY(choose_backend(bench, failure));
    bench->threads = bench->choice.backend == BACKEND_REFERENCE ? 1
                     : options->request.engine.threads > 0      ? (int)options->request.engine.threads
                                                                : omp_get_max_threads();
    const bool ranks_with_cards =
        ranks_count() > 1 && backend_is_device(bench->choice.backend) && bench->own.parts == 0;
    if (bench_wants_parts(bench) && !ranks_with_cards) {
        TRY(check_parts(bench, failure));
        const int parts = bench_parts(bench, failure);
        progress_line_end(&bench->progress);
        return parts;
    }
    const bool several = bench->choice.cards > 1 || ranks_with_cards;
    if (bench->own.scaling != BENCH_WEAK && (!several || options->subject != NULL))
        return failure_set(failure, FAILURE_INPUT, "--scaling is for shapes on several GPUs: %s",
                           several ? "ROOM is the same on all" : "--devices all, --devices 2");
    bench->cache = cache > 0 ? cache : CACHE_UNKNOWN;
    if (several)
        return bench_on_cards(bench, failure);
    if (options->subject != NULL)
        bench->target[bench->targets++] = (struct bench_target){.shape = BENCH_ROOM, .must_fit = true};
    int code = backend_is_device(bench->choice.backend) ? bench_on_device(bench, failure)
                                                        : bench_on_host(bench, failure);
    progress_line_end(&bench->progress);
    /* The results are printed after a wrong value, too. */
    if (code != 0 && code != FAILURE_ANSWER_NO)
        return code;
    if (!options->json)
        bench_print_words(bench);
    else if (code == 0)
        code = bench_print_json(bench, failure);
    else
        (void)bench_print_json(bench, NULL);
    return code;
}

struct option_set bench_option_set(void *base)
{
    return (struct option_set){.count = sizeof bench_option_table / sizeof *bench_option_table,
                               .spec = bench_option_table,
                               .base = base};
}

static int bench_with(const struct options *options, struct failure *failure)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return failure_memory(failure, sizeof *bench, "a benchmark");
    bench->options = options;
    bench->own = *(const struct bench_options *)options->own;
    bench->request = options->request;
    interrupt_ends = 1;
    progress_json_begin("bench", NULL);
    const int code = run_bench(bench, failure);
    stream_limit_free(&bench->limit);
    free(bench);
    return code;
}

int command_bench(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct bench_options own = {0};
    const struct option_set set = bench_option_set(&own);
    return command_with_options(command, argc, argv, &set, bench_with, failure);
}
