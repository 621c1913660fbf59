#include "src/bench/bench.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "src/base/interrupt.h"

const char *const bench_layout_name[BENCH_LAYOUTS] = {"blocks", "box"};
const char *const bench_precision_name[BENCH_PRECISIONS] = {"single", "double"};

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
    if (always && !bench->options->request.quiet) {
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

double bench_node_bytes(int precision, int layout)
{
    return 3.0 * (precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double)) +
           (layout == LAYOUT_BOX ? 1 : 0);
}

bool bench_wants_shape(const struct bench *bench, enum bench_shape shape)
{
    return bench->own.shape == 0 || bench->own.shape == (int)shape + 1;
}

void bench_add_shapes(struct bench *bench, int64_t edge, bool must_fit)
{
    for (enum bench_shape shape = 0; shape < BENCH_SHAPES; shape++)
        if (bench_wants_shape(bench, shape))
            bench->target[bench->targets++] = (struct bench_target){
                .shape = shape, .nodes = bench_room_nodes(shape, edge), .must_fit = must_fit};
}

int bench_check_cases(struct bench *bench, const struct bench_room *room, struct failure *failure)
{
    for (int precision = 0; precision < BENCH_PRECISIONS; precision++)
        for (int layout = 0; layout < BENCH_LAYOUTS; layout++) {
            const struct engine_options options = bench_engine_options(bench, precision, layout);
            if (bench_wants(bench, precision, layout))
                TRY(bench_check_small(room, &options, &bench->small[room->shape][precision][layout],
                                      failure));
        }
    return 0;
}

int bench_check_shape(struct bench *bench, enum bench_shape shape, int64_t edge, struct failure *failure)
{
    struct bench_room room = {0};
    bench_show(bench, "%s: checking about %" PRId64 "^3 nodes", bench_shape_name[shape], edge);
    TRY(interrupt_stop(failure));
    int code = bench_room_make(shape, bench->request.grid.scheme, bench_room_nodes(shape, edge),
                               bench->threads, &room, failure);
    room.card = bench->choice.card[0];
    if (code == 0)
        code = bench_room_add_box(&room, failure);
    if (code == 0)
        code = bench_check_cases(bench, &room, failure);
    bench_room_free(&room);
    return code;
}

void bench_show_checks(struct bench *bench, const struct bench_target *target, enum bench_shape checked)
{
    for (int precision = 0; precision < BENCH_PRECISIONS; precision++)
        for (int layout = 0; layout < BENCH_LAYOUTS; layout++) {
            const struct bench_tally *tally = &bench->small[checked][precision][layout];
            if (tally->compared > 0)
                bench_case_of(bench, target, precision, layout)->tally = *tally;
        }
}
