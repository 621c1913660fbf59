#include "src/base/interrupt.h"
#include "src/bench/bench.h"

#include <inttypes.h>

#include "src/setup/room_setup.h"

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
