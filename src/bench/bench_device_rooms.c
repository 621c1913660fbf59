#include "src/bench/bench_device_rooms.h"

#include <math.h>
#include <stdio.h>

#include "kernels/machine/machine_memory.h"
#include "src/base/table/number_text.h"
#include "src/bench/bench_points.h"
#include "src/run/plan/estimate.h"

int bench_leave_out(struct bench *bench, bool must_fit, const char *what, double needed, double available,
                    const char *where, struct failure *failure)
{
    char needs[32], has[32];
    format_bytes(needed, needs);
    format_bytes(available, has);
    if (must_fit)
        return failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "%s takes %s (%.0f bytes) of %s, which has %s free", what, needs,
                                          needed, where, has),
                              failure, ADVICE_SMALLER_SHAPES_OR_BLOCKS, 0);
    bench_say(bench, "left out: %s takes %s of %s, which has %s free", what, needs, where, has);
    return 0;
}

int bench_fits_device(struct bench *bench, const struct bench_target *target, const struct bench_room *room,
                      int precision, int layout, bool *fits, struct failure *failure)
{
    const struct block_grid *const grid = &room->blocks;
    struct device_room needs = {.layout = (enum layout)layout,
                                .precision = (enum precision)precision,
                                .blocks = grid->blocks,
                                .tiles = grid->tiles,
                                .wall_nodes = (double)grid->wall_nodes,
                                .has_records = grid->has_records,
                                .isotropic = grid->isotropic,
                                .cuts = (double)grid->cuts,
                                .linked_nodes = (double)grid->extra_nodes,
                                .extra_links = (double)grid->extra_links,
                                .sources = 1,
                                .receivers = BENCH_RECEIVERS};
    struct device now;
    char name[BENCH_NAME_MAX], what[96];
    for (int axis = 0; axis < 3; axis++)
        needs.box_nodes[axis] = (double)(grid->air_high[axis] - grid->air_low[axis] + 1);
    needs.box_nodes[2] += ceil((double)grid->list_nodes / (needs.box_nodes[0] * needs.box_nodes[1]));
    device_room_walls(&needs, &room->walls, (double)grid->walls);
    TRY(device_find_card(backend_choice_devices(&bench->choice), bench->choice.card[0], &now, failure));
    const double bytes = device_room_bytes(backend_choice_devices(&bench->choice), &now, &needs);
    *fits = bytes <= (double)now.bytes_free;
    if (*fits)
        return 0;
    (void)snprintf(what, sizeof what, "%s in %s, %s,", bench_room_name(target->shape, target->nodes, name),
                   layout == LAYOUT_BOX ? "its box" : "blocks", bench_precision_name[precision]);
    const bool must_fit = target->must_fit && (layout == LAYOUT_BLOCKS || bench->own.layout != 0);
    return bench_leave_out(bench, must_fit, what, bytes, (double)now.bytes_free, now.name, failure);
}

int bench_make_target(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                      bool *made, struct failure *failure)
{
    uint64_t bytes = 0;
    char name[BENCH_NAME_MAX];
    *made = true;
    if (target->shape == BENCH_ROOM)
        return bench_room_read(&bench->request, room, failure);
    bench_room_name(target->shape, target->nodes, name);
    bench_show(bench, "%s: making the room", name);
    TRY(bench_room_bytes(target->shape, target->nodes, 0, false, &bytes, failure));
    const double available = (double)machine_memory_available();
    *made = (double)bytes <= available;
    return *made ? bench_room_make(target->shape, bench->request.grid.scheme, target->nodes, bench->threads,
                                   room, failure)
                 : bench_leave_out(bench, target->must_fit, name, (double)bytes, available,
                                   "this machine's memory", failure);
}

int bench_make_target_box(struct bench *bench, const struct bench_target *target, struct bench_room *room,
                          bool *made, struct failure *failure)
{
    /* Link bytes, wall entries, and memory to sort them. */
    double bytes = 32.0 * (double)room->blocks.walls, halo = 1;
    char name[BENCH_NAME_MAX], what[64];
    *made = true;
    if (room->box.length > 0)
        return 0;
    for (int axis = 0; axis < 3; axis++)
        halo *= (double)(room->blocks.air_high[axis] - room->blocks.air_low[axis] + 3);
    bytes += halo;
    const double available = (double)machine_memory_available();
    *made = bytes <= available;
    if (*made)
        return bench_room_add_box(room, failure);
    (void)snprintf(what, sizeof what, "the box of %s", bench_room_name(target->shape, target->nodes, name));
    return bench_leave_out(bench, target->must_fit && bench->own.layout != 0, what, bytes, available,
                           "this machine's memory", failure);
}
