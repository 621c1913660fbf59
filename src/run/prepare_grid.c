#include "src/run/prepare_grid.h"

#include "src/base/table/number_text.h"
#include "src/base/progress_json.h"
#include "src/setup/room_leak.h"
#include "src/setup/room_voxelise.h"

int prepare_grid(struct room_setup *setup, struct room_estimate *estimate, struct room_needs *needs,
                 struct failure *failure)
{
    char blocks[32], box[32];
    progress_json_begin("survey", NULL);
    TRY(estimate_choose_resolution(setup, true, estimate, failure));
    progress_json_begin("grid", NULL);
    TRY(room_voxelise(setup, failure));
    TRY(room_warn_of_cracks(setup, failure));
    estimate_choose_backend(setup, estimate);
    *needs = estimate_needs_of_grid(setup, &setup->grid, estimate);
    TRY(estimate_refuse_too_large(setup, estimate, needs, failure));
    room_say(&setup->notices, "spacing %.4g m, %.0f air nodes, %.0f blocks; %s in blocks, %s in a box",
             setup->grid.step.spacing, needs->air_nodes, needs->blocks,
             format_bytes(needs->bytes_blocks, blocks), format_bytes(needs->bytes_box, box));
    return 0;
}
