/** A box of air with a sheet across it, in both layouts and for both schemes, for suites on sheets. */
#ifndef TESTS_SHEET_ROOM_H
#define TESTS_SHEET_ROOM_H

#include "blocks/sheets/sheet_links.h"
#include "kernels/scheme/sheet_law.h"
#include "tests/support/back_ends.h"
#include "tests/support/test_support.h"
#include "tests/support/walled_box.h"

/** Which links have a sheet: layers of it, 0 for none. */
typedef double sheet_at(void *context, const int64_t node[3], int axis);

static inline double sheet_room_share(const void *of, uint16_t material, double layers)
{
    (void)material;
    (void)layers;
    return *(const double *)of;
}

/** Hang sheets of material 0 into a room that is not yet widened, and widen it. */
static inline void sheet_room_hang(struct walled_box *room, const struct time_step *step, double share,
                                   const struct sheet_law *law, sheet_at *at, void *context)
{
    struct sheet_cuts cuts = {0};
    const size_t most = 3 * (size_t)room->nodes[0] * (size_t)room->nodes[1] * (size_t)room->nodes[2];
    cuts.cut = calloc(most, sizeof *cuts.cut);
    cr_assert(cuts.cut != NULL);
    int64_t n[3];
    for (n[2] = 0; n[2] < room->nodes[2]; ++n[2])
        for (n[1] = 0; n[1] < room->nodes[1]; ++n[1])
            for (n[0] = 0; n[0] < room->nodes[0]; ++n[0])
                for (int axis = 0; axis < 3; ++axis) {
                    const double layers = at(context, n, axis);
                    if (layers > 0 && n[axis] + 1 < room->nodes[axis])
                        cuts.cut[cuts.count++] =
                            (struct sheet_cut){{n[0], n[1], n[2]}, (uint8_t)axis, 0, layers, 1};
                }
    MUST(block_grid_hang(&room->blocks, &cuts, sheet_room_share, &share, &failure));
    cr_assert(room->blocks.sheets == cuts.count);
    sheet_cuts_free(&cuts);
    link_grids_widen(&room->blocks, &room->box, step);
    MUST(block_grid_give_laws(&room->blocks, law, 1, &failure));
    MUST(block_grid_check(&room->blocks, &failure));
}

#endif
