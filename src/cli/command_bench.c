/** `transept bench`: check every case, then time it against the streaming limit, or a card's copy. */
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/machine/machine_memory.h"
#include "kernels/mpi/ranks.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/bench/bench.h"
#include "src/bench/bench_cards.h"
#include "src/bench/bench_matrix.h"
#include "src/bench/bench_parts.h"
#include "src/cli/commands.h"
#include "src/cli/request_from_options.h"
#include "src/setup/project/project.h"

#define CACHE_UNKNOWN (32 << 20) /* [bytes] */

const char *const bench_layout_name[BENCH_LAYOUTS] = {"blocks", "box"};
const char *const bench_precision_name[BENCH_PRECISIONS] = {"single", "double"};

static const struct option_spec bench_option_table[] = {
    OPTION_ENTRY(WORD, "shape", struct bench_options, shape, .group = "What is stepped",
                 OPTION_WORDS("all", "cube", "sphere", "cross", "church"),
                 .standard = "all; on a device sphere and cross",
                 .help = "the rooms, where no ROOM is given"),
    OPTION_ENTRY(COUNT, "nodes", struct bench_options, edge, .low = BENCH_EDGE_LEAST, .high = BENCH_EDGE_MOST,
                 .value = "N",
                 .help =
                     "every room holds about N x N x N nodes of air: a cross five cubes of 0.585 N (default: "
                     "so many that their fields are 3 times the last cache, or what fits the memory; on a "
                     "device a sphere of 768 nodes across and crosses of 5 x 512^3, 5 x 48^3 and 5 x 96^3)"),
    OPTION_ENTRY(WORD, "scaling", struct bench_options, scaling, OPTION_WORDS("weak", "strong", "ends"),
                 .standard = "weak",
                 .help =
                     "of shapes on several cards: weak: as large for each card as on one; strong: the same "
                     "room on one, two, four .. cards; ends: as weak, on one card and on all, none between"),
    OPTION_ENTRY(WORD, "layout", struct bench_options, layout, OPTION_WORDS("both", "blocks", "box"),
                 .standard = "both", .help = "how the field is stored: the air only, or its whole box"),
    OPTION_ENTRY(WORD, "precision", struct bench_options, precision, OPTION_WORDS("both", "single", "double"),
                 .standard = "both", .help = "of the pressures"),
    OPTION_ENTRY(
        COUNT, "parts", struct bench_options, parts, .low = 1, .high = 1024, .value = "N",
        .help = "on processors, step every room in N parts, which share the threads, beside one part: the "
                "share of its speed that is left, and what parts send one another (a hard cube and the "
                "church of 256^3 nodes in both schemes, or ROOM); under mpirun there is a part in each "
                "rank"),
    OPTION_ENTRY(FLAG, "matrix", struct bench_options, matrix,
                 .help =
                     "instead, how many times slower a step is as a product with a sparse matrix, by "
                     "SuiteSparse:GraphBLAS on processors, in double: of a drum's membrane, and of a whole "
                     "cube (--nodes, 64 by default)"),
    OPTION_ENTRY(NUMBER, "arrays", struct bench_options, arrays, .low = 0.01, .high = 1000, .value = "X",
                 .standard = "8",
                 .help = "on processors, each of the two arrays of the streaming limit is X times the last "
                         "cache, or what fits the memory; with less than 8 the limit is that of the cache"),
    OPTION_ENTRY(TIME, "time", struct bench_options, time, .above_low = true, .high = 86400, .value = "TIME",
                 .standard = "1min; on a device 0.5s a case",
                 .help = "time for measuring; making rooms and checking come on top"),
};

bool bench_wants(const struct bench *bench, int precision, int layout)
{
    return (bench->own.precision == 0 || bench->own.precision == precision + 1) &&
           (bench->own.layout == 0 || bench->own.layout == layout + 1);
}

struct engine_options bench_engine_options(const struct bench *bench, int precision, int layout)
{
    return (struct engine_options){.layout = (enum layout)layout,
                                   .precision = (enum precision)precision,
                                   .backend = bench->choice.backend,
                                   .simd = SIMD_AUTO,
                                   .threads = bench->threads};
}

struct bench_case *bench_case_of(struct bench *bench, const struct bench_target *target, int precision,
                                 int layout)
{
    for (size_t i = 0; i < bench->cases; i++) {
        struct bench_case *entry = &bench->entry[i];
        if (entry->room.shape == target->shape && entry->room.nodes == target->nodes &&
            entry->precision == precision && entry->layout == layout)
            return entry;
    }
    struct bench_case *added = &bench->entry[bench->cases++];
    *added = (struct bench_case){.room = *target, .precision = precision, .layout = layout};
    return added;
}

static void show_text(struct bench *bench, bool always, const char *format, va_list values)
{
    char text[320];
    (void)vsnprintf(text, sizeof text, format, values);
    const double now = progress_clock();
    if (always && !bench->options->quiet) {
        progress_line_end(&bench->progress);
        (void)fprintf(stderr, "%s\n", text);
    } else if (!always && progress_line_due(&bench->progress, now)) {
        progress_line_show(&bench->progress, now, text);
    }
}

void bench_show(struct bench *bench, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    show_text(bench, false, format, values);
    va_end(values);
}

void bench_say(struct bench *bench, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    show_text(bench, true, format, values);
    va_end(values);
}

static bool is_of_models(const char *name)
{
    static const char *const others[] = {"json",    "quiet",  "progress", "backend",
                                         "threads", "scheme", "devices"};
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        other = other || strcmp(name, others[i]) == 0;
    return !other;
}

/* What makes a grid of a model means nothing without one, and a shape's size nothing with one. */
static int check_options(const struct bench *bench, struct failure *failure)
{
    const struct options *options = bench->options;
    if (options->subject != NULL && (bench->own.shape != 0 || bench->own.edge != 0))
        return failure_set(
            failure, FAILURE_INPUT,
            "bench steps ROOM (%s) or shapes, not both: --%s is for shapes; a model's size is set "
            "by --fmax or --spacing",
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
    if (bench->own.layout == LAYOUT_BOX + 1 || bench->choice.backend == BACKEND_CUDA)
        return failure_set(failure, FAILURE_INPUT, "bench steps parts in blocks on processors: leave out %s",
                           bench->own.layout == LAYOUT_BOX + 1 ? "--layout box" : "--backend cuda");
    if (bench->own.parts > 0 && ranks_count() > 1)
        return failure_set(failure, FAILURE_INPUT, "--parts is for one process; %u ranks step as many parts",
                           ranks_count());
    return 0;
}

static int choose_backend(struct bench *bench, struct failure *failure)
{
    const enum option_backend asked = (enum option_backend)bench->options->backend;
    struct backend_choice *choice = &bench->choice;
    if (asked == OPTION_BACKEND_CUDA && bench->own.arrays > 0)
        return failure_set(
            failure, FAILURE_INPUT,
            "--arrays is for the streaming limit of processors; with --backend cuda the limit is "
            "the copy within the card's memory");
    if (bench->options->devices != NULL && bench->own.arrays > 0)
        return failure_set(failure, FAILURE_INPUT, "--arrays is for processors, --devices for cards");
    TRY(backend_choice_begin_on(asked, bench->options->devices, choice, failure));
    if (!choice->settled && bench->own.arrays > 0)
        backend_choice_take(choice, BACKEND_CPU, "--arrays is for the streaming limit of processors");
    else if (!choice->settled && (bench->own.parts > 0 || bench->own.matrix))
        backend_choice_take(choice, BACKEND_CPU, "--%s is for processors",
                            bench->own.parts > 0 ? "parts" : "matrix");
    else if (!choice->settled && backend_choice_look(choice))
        backend_choice_take(choice, BACKEND_CUDA, "%s is there; --backend cpu measures the processors",
                            choice->device.name);
    else if (!choice->settled)
        backend_choice_take(choice, BACKEND_CPU, "%s", choice->absence);
    if (asked == OPTION_BACKEND_AUTO)
        bench_say(bench, "on the %s: %s", choice->backend == BACKEND_CUDA ? "GPU" : "CPU", choice->because);
    return 0;
}

static int run(struct bench *bench, struct failure *failure)
{
    const struct options *options = bench->options;
    const uint64_t cache = machine_memory_cache();
    TRY(check_options(bench, failure));
    progress_line_start(&bench->progress, options->quiet ? NULL : stderr, progress_clock());
    TRY(choose_backend(bench, failure));
    bench->threads = bench->choice.backend == BACKEND_REFERENCE ? 1
                     : options->threads > 0                     ? (int)options->threads
                                                                : omp_get_max_threads();
    const bool ranks_with_cards =
        ranks_count() > 1 && bench->choice.backend == BACKEND_CUDA && bench->own.parts == 0;
    if (bench_wants_parts(bench) && !ranks_with_cards) {
        TRY(check_parts(bench, failure));
        const int parts = bench_parts(bench, failure);
        progress_line_end(&bench->progress);
        return parts;
    }
    if (bench->own.matrix) {
        if (bench->choice.backend == BACKEND_CUDA || options->subject != NULL || ranks_count() > 1)
            return failure_set(failure, FAILURE_INPUT,
                               "--matrix is for shapes on the processors of one process: leave out ROOM "
                               "and --backend cuda");
        return bench_matrix(bench, failure);
    }
    const bool several = bench->choice.cards > 1 || ranks_with_cards;
    if (bench->own.scaling != BENCH_WEAK && (!several || options->subject != NULL))
        return failure_set(failure, FAILURE_INPUT, "--scaling is for shapes on several cards: %s",
                           several ? "ROOM is the same on all" : "--devices all, --devices 2");
    bench->cache = cache > 0 ? cache : CACHE_UNKNOWN;
    if (several)
        return bench_on_cards(bench, failure);
    if (options->subject != NULL)
        bench->target[bench->targets++] = (struct bench_target){.shape = BENCH_ROOM, .must_fit = true};
    int code = bench->choice.backend == BACKEND_CUDA ? bench_on_device(bench, failure)
                                                     : bench_on_host(bench, failure);
    progress_line_end(&bench->progress);
    /* A wrong value is a result too. */
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

static int bench(const struct options *options, struct failure *failure)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return failure_memory(failure, sizeof *bench, "a benchmark");
    bench->options = options;
    bench->own = *(const struct bench_options *)options->own;
    bench->request = request_from_options(options);
    interrupt_ends = 1;
    progress_json_begin("bench", NULL);
    const int code = run(bench, failure);
    stream_limit_free(&bench->limit);
    free(bench);
    return code;
}

int command_bench(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct bench_options own = {0};
    const struct option_set set = bench_option_set(&own);
    return command_with_options(command, argc, argv, &set, bench, failure);
}
