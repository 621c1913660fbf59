#include "src/run/simulation_checkpoints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/options/messages.h"
#include "src/base/path_text.h"
#include "src/run/run_identity.h"
#include "src/run_folder/run_read.h"
#include "src/setup/project/project_input.h"

#define CHECKPOINT_APART 600.0 /* unless a spacing is given [s] */
#define SLOW_UPDATES     2e8   /* node updates a second, if no speed was measured */

bool simulation_resumes(const struct options *options)
{
    return (options->resume != NULL || !options->request.force) && checkpoint_is_unfinished(options->output);
}

/* Seconds from one checkpoint to the next; INFINITY: only when it is interrupted; 0: none. A resumed run that
 * shall write no more leaves those that exist. */
static double choose_spacing(const struct simulation *simulation, const struct options *options)
{
    const struct room_needs *needs = &simulation->run.needs;
    const double predicted = needs->seconds > 0 ? needs->seconds : needs->updates / SLOW_UPDATES;
    const bool resumes = simulation->resumes;
    if (resumes && options->discard)
        return INFINITY;
    if (options_given(options, "checkpoint"))
        return options->checkpoint > 0 ? options->checkpoint : resumes ? INFINITY : 0;
    return resumes || predicted > CHECKPOINT_APART ? CHECKPOINT_APART : options->discard ? 0 : INFINITY;
}

static int check_space(struct simulation *simulation, const struct options *options, struct failure *failure)
{
    const struct grid_run *run = &simulation->run;
    const struct room_setup *setup = &simulation->setup;
    const size_t rows = rows_kept(&run->rows),
                 runs = room_points_runs(&setup->points) * (setup->request.plan.repeat_shifted ? 2 : 1);
    const double ended = (double)(runs * rows) * run->needs.steps * sizeof(double);
    const double bytes =
        3 * source_keep_bytes(run->engine, rows, run->needs.steps) + ended + run->needs.bytes_disk;
    struct failure inner = {0};
    if (simulation->keep_apart == 0 || simulation->resumes ||
        checkpoint_space(options->output, bytes, &inner) == 0)
        return 0;
    if (options_given(options, "checkpoint"))
        return failure_advise(failure_forward(failure, &inner), failure, ADVICE_NO_CHECKPOINT, 0);
    if (isfinite(simulation->keep_apart))
        message_warning(stderr, "", "%s: none are made", inner.sentence);
    simulation->keep_apart = 0;
    return 0;
}

bool simulation_has_record(const char *folder)
{
    char *record = path_in(folder, "%s", RUN_RECORD_FILE);
    const bool has = record == NULL || access(record, F_OK) == 0;
    free(record);
    return has;
}

/* The command of another run alone, without its files, cannot be resumed. */
static int check_begun(struct simulation *simulation, const struct options *options, struct failure *failure)
{
    struct failure other = {0};
    if (!simulation->resumes ||
        checkpoint_command_check(&simulation->checkpoint, &simulation->begun, &other) == 0)
        return 0;
    if (options->resume != NULL || simulation_has_record(options->output) ||
        checkpoint_is_any(options->output))
        return failure_forward(failure, &other);
    checkpoint_command_free(&simulation->begun);
    simulation->resumes = false;
    simulation->keep_apart = choose_spacing(simulation, options);
    return 0;
}

int simulation_checkpoints_prepare(struct simulation *simulation, const struct options *options,
                                   struct failure *failure)
{
    cJSON *identity = NULL;
    simulation->keep_apart = choose_spacing(simulation, options);
    TRY(check_space(simulation, options, failure));
    if (simulation->keep_apart == 0)
        return 0;
    const int code = run_identity(simulation, &identity, failure);
    const int started = checkpoint_folder_start(&simulation->checkpoint, options->output, identity,
                                                code == 0 ? failure : NULL);
    TRY(code != 0 ? code : started);
    TRY(check_begun(simulation, options, failure));
    simulation->keep = (struct source_keep){.folder = &simulation->checkpoint,
                                            .notices = &simulation->setup.notices,
                                            .beside = backend_is_device(simulation->setup.backend.backend),
                                            .discards = options->discard,
                                            .spacing_asked = options_given(options, "checkpoint")};
    return 0;
}

int simulation_checkpoints_start(struct simulation *simulation, const struct options *options,
                                 struct failure *failure)
{
    simulation->checkpoint.held = &simulation->folder.lock;
    checkpoint_remove(options->output, !simulation->resumes);
    if (simulation->keep.folder == NULL || simulation->resumes)
        return 0;
    const struct room_setup *setup = &simulation->setup;
    const struct checkpoint_command begun = {.argument_count = setup->request.argument_count,
                                             .argument = setup->request.argument,
                                             .input = project_input_text(),
                                             .fmax = setup->grid.fmax_automatic ? setup->grid.fmax : 0};
    const bool needed = simulation_is_kept(simulation);
    const int code = checkpoint_command_write(&simulation->checkpoint, &begun, needed ? failure : NULL);
    if (code == 0 || needed)
        return code;
    simulation->keep.folder = NULL;
    return 0;
}

struct source_keep *simulation_keep(struct simulation *simulation)
{
    return simulation->keep.folder != NULL ? &simulation->keep : NULL;
}

bool simulation_is_kept(const struct simulation *simulation)
{
    return simulation->keep.folder != NULL && isfinite(simulation->keep_apart);
}

void simulation_checkpoints_remove(struct simulation *simulation)
{
    if (output_folder_locate(&simulation->folder))
        checkpoint_remove(simulation->folder.path, true);
}
