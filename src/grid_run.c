#include "src/grid_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands.h"
#include "src/grid_direction.h"
#include "src/response.h"
#include "src/room_walls.h"
#include "src/source_run.h"
#include "src/wav_file.h"

void grid_run_stop(struct grid_run *run)
{
    engine_free(run->engine);
    box_grid_free(&run->box);
    run->engine = NULL;
}

void grid_run_free(struct grid_run *run)
{
    grid_run_stop(run);
    free(run->description);
    free(run->tap);
    free(run->followed);
    free(run->gradient);
    free(run->look);
    free(run->direction);
    free(run->pair);
    for (size_t s = 0; run->source != NULL && s < run->setup->sources; s++)
        energy_ledger_free(&run->source[s].ledger);
    free(run->source);
    *run = (struct grid_run){0};
}

/* ---- before the first step ---- */

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static int find_taps(struct grid_run *run, struct failure *failure)
{
    struct room_setup *setup = run->setup;
    const size_t count = setup->sources + setup->receivers;
    run->tap = calloc(count, sizeof *run->tap);
    if (run->tap == NULL)
        return failure_memory(failure, count * sizeof *run->tap, "sources and receivers");
    for (size_t i = 0; i < count; i++) {
        const struct room_point *point = &setup->point[i];
        TRY(tap_make(&setup->grid, point->position, setup->findings.seed_node[i],
                     (enum interpolation)setup->options->interpolation, &run->tap[i], failure));
        if (run->tap[i].shift > 1e-9)
            room_warn(setup, "%s %s is so near a wall that it is heard %.2g m beside its place",
                      point->kind == SEED_SOURCE ? "source" : "receiver", point->name, run->tap[i].shift);
    }
    return 0;
}

static int find_paths(struct grid_run *run, struct failure *failure)
{
    struct room_setup *setup = run->setup;
    const size_t receivers = setup->receivers;
    double(*to)[3] = calloc(receivers, sizeof *to);
    struct onset_path *path = calloc(receivers, sizeof *path);
    struct failure inner = {0};
    int code = to == NULL || path == NULL ? failure_memory(failure, receivers * sizeof *to, "positions") : 0;
    for (size_t r = 0; code == 0 && r < receivers; r++)
        memcpy(to[r], setup->point[setup->sources + r].position, sizeof to[r]);
    for (size_t s = 0; code == 0 && s < setup->sources; s++) {
        const double *from = setup->point[s].position;
        code = onset_find(&setup->mesh, &setup->grid, from, setup->findings.seed_node[s], receivers,
                          (const double(*)[3])to,
                          (const int64_t(*)[3])setup->findings.seed_node + setup->sources, path, &inner);
        if (code != 0)
            failure_set(failure, code, "source \"%s\": %s", setup->point[s].name, inner.sentence);
        for (size_t r = 0; code == 0 && r < receivers; r++) {
            struct grid_pair *pair = &run->pair[s * receivers + r];
            pair->path = path[r];
            pair->distance = distance(from, to[r]);
            if (pair->distance < setup->step.spacing)
                room_warn(setup,
                          "receiver %s stands %.2g m from source %s, less than the grid's spacing of %.3g m: "
                          "its level is the grid's own",
                          setup->point[setup->sources + r].name, pair->distance, setup->point[s].name,
                          setup->step.spacing);
        }
    }
    free(path);
    free(to);
    return code;
}

int grid_run_place(struct grid_run *run, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    run->pair = calloc(setup->sources * setup->receivers, sizeof *run->pair);
    run->source = calloc(setup->sources, sizeof *run->source);
    run->followed = calloc(setup->receivers + 1, sizeof *run->followed);
    if (run->pair == NULL || run->source == NULL || run->followed == NULL)
        return failure_memory(failure, setup->sources * setup->receivers * sizeof *run->pair, "responses");
    for (size_t r = 0; r < setup->receivers; r++)
        run->followed[r] = r;
    TRY(find_taps(run, failure));
    TRY(grid_direction_place(run, failure));
    return find_paths(run, failure);
}

int grid_run_start(struct grid_run *run, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const struct engine_options options = room_engine_options(setup, run->needs.stored_nodes);
    const bool boxed = options.layout == LAYOUT_BOX;
    if (boxed)
        TRY(box_grid_from_blocks(&setup->grid, &run->box, failure));
    const int code = room_engine_create(&run->engine, setup, &setup->grid, boxed ? &run->box : NULL, &options,
                                        true, failure);
    run->engine_lost = code == FAILURE_OUTPUT; /* a device alone can fail so */
    if (code != 0)
        return code;
    for (size_t i = 0; i < setup->sources + setup->receivers; i++)
        TRY(i < setup->sources ? engine_add_source(run->engine, &run->tap[i], NULL, failure)
                               : engine_add_receiver(run->engine, &run->tap[i], NULL, failure));
    TRY(grid_direction_listen(run, failure));
    for (size_t s = 0; s < setup->sources; s++) /* for the energy ledger */
        TRY(engine_add_receiver(run->engine, &run->tap[s], NULL, failure));
    run->description = strdup(engine_description(run->engine));
    return run->description == NULL ? failure_memory(failure, 100, "a name") : 0;
}

/* ---- running ---- */

/* `gradient`: raw, of the first gradient of the receiver; NULL without --ambisonics. */
static int write_pair(struct grid_run *run, size_t source, size_t receiver, const char *prefix,
                      struct output_folder *folder, const double *raw, const double *gradient, uint64_t steps,
                      struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    struct grid_pair *pair = &run->pair[source * setup->receivers + receiver];
    float *sample = NULL;
    char name[sizeof pair->file];
    snprintf(name, sizeof name, "%s%s_%s.wav", prefix, setup->point[source].name,
             setup->point[setup->sources + receiver].name);
    char *path = output_folder_file(folder, name);
    int code = path == NULL ? failure_memory(failure, sizeof name, "a path") : 0;
    if (code == 0)
        code = response_make_in_air(
            raw, (size_t)steps, setup->step.rate, setup->fmax, pair->path.length / setup->sound_speed,
            (enum air_method)setup->options->air, &setup->air, &sample, &pair->samples, failure);
    /* A receiver at its source hears it at once: one sample later is as good. */
    const double onset = fmax(pair->path.length / setup->sound_speed, 1.0 / RESPONSE_RATE);
    if (code == 0)
        code = acoustic_figures_make(sample, pair->samples, RESPONSE_RATE, setup->fmax, onset,
                                     FIGURES_REFERENCE, &pair->figures, failure);
    struct whole_file file = {0};
    if (code == 0)
        code = wav_stage(path, sample, pair->samples, RESPONSE_RATE, &file, failure);
    if (code == 0)
        code = output_folder_put(folder, &file, failure);
    if (code == 0)
        memcpy(pair->file, name, sizeof name);
    if (code == 0 && gradient != NULL)
        code = grid_direction_write(run, source, receiver, prefix, folder, sample, pair->samples, gradient,
                                    steps, &pair->figures, failure);
    free(sample);
    free(path);
    return code;
}

int grid_run_source(struct grid_run *run, size_t source, const struct grid_run_settings *settings,
                    struct output_folder *folder, struct failure *failure)
{
    struct room_setup *setup = run->setup;
    const struct options *options = setup->options;
    struct grid_source *report = &run->source[source];
    char label[OPTION_NAME_MAX + 80];
    snprintf(label, sizeof label, "%s (%zu of %zu)%s", setup->point[source].name, source + 1, setup->sources,
             settings->label);
    struct air_losses losses;
    air_losses_make(&setup->air, &losses);
    const struct field_room room = {.lambda2 = setup->step.lambda2,
                                    .spacing = setup->step.spacing,
                                    .air_nodes = setup->grid.air_nodes,
                                    .precision = (enum precision)options->precision,
                                    .hard = room_walls_hard(setup)};
    /* How long a run goes on is for the pressures to say. */
    const size_t rows = setup->receivers + grid_direction_receivers(setup);
    const struct source_run_settings source_settings = {
        .rate = setup->step.rate,
        .fmax = setup->fmax,
        .duration = settings->duration,
        .first_duration = run->needs.duration,
        .longest_duration = DURATION_LONGEST,
        .losses = options->air != AIR_OFF ? &losses : NULL,
        .stored_nodes =
            (uint64_t)(options->layout == LAYOUT_BOX ? run->needs.box_nodes : run->needs.stored_nodes),
        .room = &room,
        .label = label,
        .progress = options->quiet ? NULL : stderr,
        .ledger = &report->ledger,
        .followed = run->followed,
        .followed_count = setup->receivers,
        .interrupt = &interrupt_seen,
    };
    struct source_run_result result = {0};
    TRY(energy_ledger_make(setup->step.spacing, room_ledger_surfaces(setup), &report->ledger, failure));
    report->ledger.at_wall = tap_touches_wall(&setup->grid, &run->tap[source]);
    int code = source_run(run->engine, &setup->lattice, source, setup->sources, rows, &source_settings,
                          &result, failure);
    report->steps = result.steps;
    report->lead = result.lead;
    report->seconds = result.seconds;
    report->capped = result.capped;
    report->interrupted = result.interrupted;
    report->field = result.field;
    run->sources_run = source + 1;
    run->engine_lost = engine_failed(run->engine, NULL) != 0;
    if (result.capped)
        room_warn(
            setup,
            "%s: stopped at %.0f s, after the quietest fall of an octave of %.1f dB; 50 dB were asked for",
            setup->point[source].name, DURATION_LONGEST, result.fall);
    if (result.field.near > 0)
        room_warn(
            setup,
            "%s: from step %llu on, %.0f %% of the field or more is a drift of its mean pressure, which is "
            "rounding, not sound: use --precision double or a shorter --duration",
            setup->point[source].name, (unsigned long long)result.field.near,
            floor(100.0 * result.field.near_share));
    /* Also of a run that went wrong, as far as it came; then it is that which is told. */
    const bool cut_short = code == FAILURE_SIMULATION || run->engine_lost;
    int written = code == 0 || cut_short ? 0 : code;
    for (size_t r = 0; written == 0 && result.steps > result.lead && r < setup->receivers; r++)
        written = write_pair(run, source, r, settings->prefix, folder, result.raw + r * result.steps,
                             rows > setup->receivers ? result.raw + (setup->receivers + 3 * r) * result.steps
                                                     : NULL,
                             result.steps, cut_short ? NULL : failure);
    if (code == 0)
        code = written;
    if (code == 0 && result.interrupted)
        code = FAILURE_INTERRUPTED;
    free(result.raw);
    return code;
}

void grid_run_summary(const struct grid_run *run, struct figure_summary *out)
{
    *out = (struct figure_summary){0};
    for (size_t p = 0; run->pair != NULL && p < run->setup->sources * run->setup->receivers; p++)
        if (run->pair[p].file[0] != '\0')
            figure_summary_add(out, &run->pair[p].figures);
}
