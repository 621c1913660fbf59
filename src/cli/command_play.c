/** `transept play`: timpani in a room. */
#include <math.h>
#include <stdio.h>

#include "src/base/table/number_text.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/run/instruments/play.h"
#include "src/base/options/play_options.h"
#include "src/run/plan/estimate.h"
#include "src/setup/project/project.h"
#include "src/run/prepare_grid.h"
#include "src/run_folder/result_file.h"
#include "src/run/setup_record.h"
#include "src/response/signal/response.h"
#include "src/base/table/json_values.h"

struct playing {
    struct play play;
    struct room_setup setup;
    struct room_estimate estimate;
    struct room_needs needs;
    struct output_folder folder;
};

static void playing_free(struct playing *playing)
{
    output_folder_undo(&playing->folder);
    play_free(&playing->play);
    room_setup_free(&playing->setup);
}

/* Set up score, room, air and membranes before the folder is made, so that every refusal comes first. */
static int prepare_play(struct playing *playing, const struct options *options, struct failure *failure)
{
    const struct play_options *const own = options->own;
    struct play *const play = &playing->play;
    struct room_setup *const setup = &playing->setup;
    struct room_request request = options->request;
    request.engine.layout = LAYOUT_BLOCKS; /* outputs that a project sets for its runs are ignored */
    request.listening = (struct listening_request){0};
    request.radiation = (struct radiation_request){0};
    request.points.receiver_grid = (struct option_grids){.none = true};
    request.points.place_receiver = true;
    if (own->score != NULL)
        TRY(score_read(own->score, &play->score, failure));
    for (size_t d = 0; d < own->drum.count; d++)
        TRY(score_add_drum(&play->score, &own->drum.place[d], (double)d, failure));
    for (size_t d = 0; own->linear && d < play->score.drums; d++)
        play->score.drum[d].stretch = 0;
    TRY(play_request(play, &request, own->duration, failure));
    progress_json_begin("model", NULL);
    TRY(room_setup_read(&request, setup, failure));
    TRY(estimate_choose_resolution(setup, true, &playing->estimate, failure));
    setup->request.grid.fmax = setup->grid.fmax;
    TRY(play_settle(play, setup, failure));
    TRY(prepare_grid(setup, &playing->estimate, &playing->needs, failure));
    progress_json_begin("engine", NULL);
    TRY(play_start(play, playing->needs.stored_nodes, failure));
    for (size_t d = 0; d < play->score.drums; d++) {
        const struct score_drum *const drum = &play->score.drum[d];
        const struct drum_facts facts = drums_facts(play->drums, d);
        room_say(
            &setup->notices,
            "drum %s at %.3f, %.3f, %.3f m: %.4g N/m, (1,1) near %.1f Hz in air; %zu nodes, %zu of the air "
            "above and %zu below",
            drum->name, play->site[d].centre[0], play->site[d].centre[1], play->site[d].centre[2],
            drum->tension, drum->frequency, facts.nodes, facts.above, facts.below);
    }
    return interrupt_stop(failure);
}

static int put_sounds(struct playing *playing, struct failure *failure)
{
    for (size_t r = 0; r < playing->play.sounds; r++) {
        const struct play_sound *const sound = &playing->play.sound[r];
        char file[OPTION_NAME_MAX + 16];
        (void)snprintf(file, sizeof file, PLAY_SOUND_NAME, sound->name);
        TRY(result_put_wav(&playing->folder, file, sound->sample, sound->frames, 1, RESPONSE_RATE, failure));
    }
    return 0;
}

static void print_words(const struct playing *playing)
{
    const struct play *const play = &playing->play;
    char time[32];
    for (size_t r = 0; r < play->sounds; r++)
        printf("%s/" PLAY_SOUND_NAME ": %.1f s, peak %.3g Pa, %.1f dB re 20 uPa\n",
               PATH_SHOWN(playing->folder.path), play->sound[r].name,
               (double)play->sound[r].frames / RESPONSE_RATE, play->sound[r].peak, play->sound[r].level);
    for (size_t d = 0; d < play->score.drums; d++) {
        const double tension = play->score.drum[d].tension, rise = drums_facts(play->drums, d).rise;
        if (rise > 0)
            printf("drum %s: strokes raise its tension by up to %.1f %%, its pitch by %.0f cents\n",
                   play->score.drum[d].name, 100 * rise / tension, 600 * log2(1 + rise / tension));
    }
    printf("%zu stroke%s gave %.3g J; computed in %s\n", play->score.strikes,
           play->score.strikes == 1 ? "" : "s", play->work, format_seconds(play->seconds, time));
}

static int perform_score(struct playing *playing, const struct options *options, struct failure *failure)
{
    struct room_setup *const setup = &playing->setup;
    if (options->output == NULL)
        return failure_set(failure, FAILURE_INPUT, "play needs -o DIR, a folder for the sounds");
    TRY(output_folder_check(options->output, options->request.force, failure));
    interrupt_ends = 1;
    TRY(prepare_play(playing, options, failure));
    room_say(&setup->notices, "%s", engine_description(playing->play.engine));
    progress_json_begin("steps", NULL);
    TRY(play_run(&playing->play, setup->notices.quiet ? NULL : stderr, failure));
    interrupt_ends = 0;
    TRY(output_folder_make(&playing->folder, options->output, options->request.force, failure));
    playing->folder.is_ours = play_name_is_ours;
    TRY(put_sounds(playing, failure));
    cJSON *record = cJSON_CreateObject();
    record_setup(record, "play", setup, NULL, &playing->needs);
    play_record(record, &playing->play);
    int code = output_folder_put_json(&playing->folder, PLAY_RECORD_FILE, record, failure);
    if (code == 0)
        code = output_folder_publish(&playing->folder, PLAY_RECORD_FILE, stderr, failure);
    if (code == 0 && options->json) {
        JSON_PUT(record, {"directory", OF_TEXT(playing->folder.path)});
        code = print_json(record, failure);
        record = NULL;
    } else if (code == 0 && !options->request.quiet) {
        print_words(playing);
    }
    cJSON_Delete(record);
    return code;
}

static int play_with(const struct options *options, struct failure *failure)
{
    struct playing playing = {0};
    struct options own = *options;
    if (options->request.model.project != NULL &&
        options->output == options->request.model.project->value.output)
        own.output = NULL; /* a project's folder is for its runs */
    const int code = perform_score(&playing, &own, failure);
    playing_free(&playing);
    return code;
}

int command_play(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct play_options own;
    const struct option_set set = play_option_set(&own);
    int code = play_options_default(&own, failure);
    if (code == 0)
        code = command_with_options(command, argc, argv, &set, play_with, failure);
    play_options_free(&own);
    return code;
}
