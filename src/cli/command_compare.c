#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/table/number_text.h"
#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/command_compare_runs.h"
#include "src/cli/commands.h"
#include "src/run/plan/layout_pair.h"
#include "src/run/prepare_grid.h"
#include "src/run/setup_record.h"
#include "src/setup/room_engine.h"
#include "src/base/table/json_values.h"

struct comparison {
    struct room_setup setup;
    struct room_estimate estimate;
    struct room_needs needs;
    struct stencil *tap; /* per point */
    struct box_grid box;
    struct engine *engine[2];   /* by enum layout */
    const char **receiver_name; /* (receivers), borrowed from the points */
    struct layout_pair_result result;
};

static void comparison_free(struct comparison *run)
{
    engine_free(run->engine[LAYOUT_BLOCKS]);
    engine_free(run->engine[LAYOUT_BOX]);
    box_grid_free(&run->box);
    free(run->tap);
    free(run->receiver_name);
    room_setup_free(&run->setup);
}

/* Make both engines, alike except for the layout, with the same taps. */
static int make_engines(struct comparison *run, struct failure *failure)
{
    struct room_setup *setup = &run->setup;
    const size_t count = setup->points.sources + setup->points.receivers;
    run->tap = calloc(count, sizeof *run->tap);
    run->receiver_name = calloc(setup->points.receivers + 1, sizeof *run->receiver_name);
    if (run->tap == NULL || run->receiver_name == NULL)
        return failure_memory(failure, count * sizeof *run->tap, "sources and receivers");
    for (size_t i = 0; i < count; i++)
        TRY(room_tap(setup, &setup->grid, setup->points.point[i].position, setup->grid.findings.seed_node[i],
                     &run->tap[i], failure));
    for (size_t r = 0; r < setup->points.receivers; r++)
        run->receiver_name[r] = setup->points.point[setup->points.sources + r].name;
    TRY(box_grid_from_blocks(&setup->grid.packed, &run->box, failure));
    struct engine_options options = room_engine_options(setup, run->needs.stored_nodes);
    for (int layout = 0; layout < 2; layout++) {
        options.layout = (enum layout)layout;
        TRY(room_engine_create(&run->engine[layout], setup, &setup->grid, &setup->grid.packed,
                               layout == LAYOUT_BOX ? &run->box : NULL, &setup->grid.step, &options, false,
                               failure));
        for (size_t i = 0; i < count; i++)
            TRY(i < setup->points.sources ? engine_add_source(run->engine[layout], &run->tap[i], failure)
                                          : engine_add_receiver(run->engine[layout], &run->tap[i], failure));
    }
    return interrupt_stop(failure);
}

static int prepare_engines(struct comparison *run, const struct options *options, struct failure *failure)
{
    struct room_setup *setup = &run->setup;
    struct room_request request = options->request;
    request.plan.both_layouts = request.points.place_receiver = true;
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, setup, failure));
    TRY(prepare_grid(setup, &run->estimate, &run->needs, failure));
    progress_json_begin("engine", NULL);
    TRY(make_engines(run, failure));
    room_say(&setup->notices, "%s", engine_description(run->engine[LAYOUT_BLOCKS]));
    room_say(&setup->notices, "%s", engine_description(run->engine[LAYOUT_BOX]));
    return 0;
}

/* ---- results ---- */

static int print_object(const struct comparison *run, const char *sentence, struct failure *failure)
{
    const struct room_setup *setup = &run->setup;
    const struct layout_pair_result *result = &run->result;
    cJSON *object = cJSON_CreateObject();
    record_setup(object, "compare", setup, run->tap, &run->needs);
    cJSON_DeleteItemFromObject(object, "layout"); /* one grid serves both */
    JSON_PUT(object, {"source_is_cavity", OF_TRUTH(setup->points.source_is_cavity)},
             {"receiver_is_placed", OF_TRUTH(setup->points.receiver_is_placed)},
             {"identical", OF_TRUTH(result->identical)});
    if (!result->identical)
        JSON_PUT(object, {"difference", OF_TEXT(sentence)});
    JSON_PUT(object, {"steps", OF_NUMBER(result->steps)}, {"samples_compared", OF_NUMBER(result->samples)},
             {"hashes_compared", OF_NUMBER(result->hashes)});
    char hash[40];
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    JSON_PUT(object, {"field_hash", OF_TEXT(hash)},
             {"engine_blocks", OF_TEXT(engine_description(run->engine[LAYOUT_BLOCKS]))},
             {"engine_box", OF_TEXT(engine_description(run->engine[LAYOUT_BOX]))},
             {"batches_timed", OF_NUMBER(result->batches)},
             {"seconds_per_step_box", OF_NUMBER(result->seconds_per_step[LAYOUT_BOX])},
             {"seconds_per_step_blocks", OF_NUMBER(result->seconds_per_step[LAYOUT_BLOCKS])},
             {"node_updates_per_second",
              OF_NUMBER(run->needs.stored_nodes / result->seconds_per_step[LAYOUT_BLOCKS])});
    return print_json(object, failure);
}

static void print_layout(const char *name, double nodes, double bytes, double seconds, double air)
{
    char text[32];
    printf("  %-7s %12.0f nodes %10s %10.4g ms a step, %5.0f million air nodes a second\n", name, nodes,
           format_bytes(bytes, text), 1000 * seconds, air / seconds / 1e6);
}

static void print_words(const struct comparison *run)
{
    const struct layout_pair_result *result = &run->result;
    const struct room_needs *needs = &run->needs;
    const double blocks = result->seconds_per_step[LAYOUT_BLOCKS], box = result->seconds_per_step[LAYOUT_BOX];
    char text[32];
    if (result->identical)
        printf("identical: every pressure (%" PRIu64
               " hash%s of the field of %.0f air nodes) and all %" PRIu64 " output samples of %" PRIu64
               " steps\n",
               result->hashes, result->hashes == 1 ? "" : "es", needs->air_nodes, result->samples,
               result->steps);
    else
        printf("not identical\n");
    print_layout("box", needs->box_nodes, needs->bytes_box, box, needs->air_nodes);
    print_layout("blocks", needs->stored_nodes, needs->bytes_blocks, blocks, needs->air_nodes);
    printf("blocks take %.3g times the bytes of the box and %.3g times its time (medians of %zu batches); "
           "walls take %s more in either layout\n",
           needs->bytes_blocks / needs->bytes_box, blocks / box, result->batches,
           format_bytes(needs->bytes_walls, text));
}

static int compare_layouts(const struct options *options, struct failure *failure)
{
    struct comparison run = {0};
    struct room_setup *setup = &run.setup;
    int code = prepare_engines(&run, options, failure);
    if (code == 0) {
        const struct layout_pair pair = {
            .grid = &setup->grid.packed,
            .engine = {run.engine[LAYOUT_BLOCKS], run.engine[LAYOUT_BOX]},
            .sources = setup->points.sources,
            .receivers = setup->points.receivers,
        };
        const struct layout_pair_settings settings = {
            .steps = (uint64_t)options->request.plan.steps,
            .receiver_name = run.receiver_name,
            .progress = options->request.quiet ? NULL : stderr,
            .interrupt = &interrupt_seen,
        };
        progress_json_begin("steps", NULL);
        layout_pair_excite(&pair);
        code = layout_pair_run(&pair, &settings, &run.result, failure);
    }
    if ((code == 0 || code == FAILURE_ANSWER_NO) && setup->grid.packed.blocks > 0) {
        struct failure second = {0};
        const int printed =
            options->json ? print_object(&run, failure != NULL ? failure->sentence : "", &second) : 0;
        if (printed != 0) {
            failure_forward(failure, &second);
            code = printed;
        } else if (!options->json && !options->request.quiet) {
            print_words(&run);
        }
    }
    comparison_free(&run);
    return code;
}

int command_compare(const struct options *options, struct failure *failure)
{
    interrupt_ends = 1;
    if (compare_is_of_runs(options))
        return compare_runs(options, failure);
    for (size_t i = 0; i < option_table_count; i++)
        if (options->given[i] && (option_table[i].commands & COMMAND_COMPARE) != 0 &&
            compare_is_of_recordings(option_table[i].name))
            return failure_set(failure, FAILURE_INPUT, "--%s is for a run and its measured responses",
                               option_table[i].name);
    return compare_layouts(options, failure);
}
