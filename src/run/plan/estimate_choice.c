/* Chooses fmax and back end of a run, and refuses a run that does not fit. */
#include <math.h>
#include <stdio.h>

#include "kernels/machine/machine_memory.h"
#include "kernels/scheme/air_loss.h"
#include "src/base/options/failure_text.h"
#include "src/base/table/number_text.h"
#include "src/base/disk_space.h"
#include "src/run/plan/estimate.h"

/* ---- refusing ---- */

/* Append if ranks do not fit their hosts; rank 0 alone is not considered. */
static const struct room_host *lacking_host(const struct room_estimate *estimate,
                                            const struct room_needs *needs, bool *alone)
{
    return needs->bytes_rank > 0 && needs->bytes_peak <= estimate->available
               ? room_hosts_lacking(estimate->hosts, needs->bytes_first, needs->bytes_rank, 1, alone)
               : NULL;
}

static int refuse_ranks(const struct room_host *host, const struct room_needs *needs, bool alone,
                        const char *fits, double highest, struct failure *failure)
{
    char needed[32], available[32];
    const double bytes =
        alone ? needs->bytes_rank : room_host_bytes(host, needs->bytes_first, needs->bytes_rank);
    if (alone)
        failure_set(failure, FAILURE_CAPACITY,
                    "a rank of the run takes %s (%.0f bytes), and on host %s it can have %s; %s",
                    format_bytes(bytes, needed), bytes, host->name, format_bytes(host->each, available),
                    fits);
    else
        failure_set(failure, FAILURE_CAPACITY,
                    "the run takes %s (%.0f bytes) in %u rank%s on host %s, and %s are available there; with "
                    "as many ranks %s",
                    format_bytes(bytes, needed), bytes, host->ranks, host->ranks == 1 ? "" : "s", host->name,
                    format_bytes(host->available, available), fits);
    return failure_advise(FAILURE_CAPACITY, failure, highest == 0 ? ADVICE_UNITS : ADVICE_FMAX_OR_HOSTS,
                          highest);
}

int estimate_refuse_too_large(const struct room_setup *setup, const struct room_estimate *estimate,
                              const struct room_needs *needs, struct failure *failure)
{
    if (estimate_fits(estimate, needs, 1))
        return 0;
    const bool on_host = needs->bytes_peak > estimate->available;
    const bool processors_hold_it = !on_host && needs->bytes_cpu <= estimate->available;
    const bool boxed = setup->request.engine.layout == LAYOUT_BOX;
    const double bytes = on_host ? needs->bytes_peak : needs->bytes_device;
    const double highest = estimate_highest_fmax(setup, estimate, ESTIMATE_PREDICTED_SHARE, 0);
    char needed[32], available[32], hertz[32], has[400], fits[80] = "not even 20 Hz fit";
    if (highest > 0)
        snprintf(fits, sizeof fits, "the highest frequency that fits is %s Hz", format_hertz(highest, hertz));
    bool alone = false;
    const struct room_host *const host = lacking_host(estimate, needs, &alone);
    if (host != NULL)
        return refuse_ranks(host, needs, alone, fits, highest, failure);
    if (on_host)
        snprintf(has, sizeof has, "%s are available", format_bytes(estimate->available, available));
    else
        snprintf(has, sizeof has, "%.300s has %s (%.0f bytes) free", setup->backend.device.name,
                 format_bytes(estimate->device_available, available), estimate->device_available);
    failure_set(failure, FAILURE_CAPACITY, "%s takes %s (%.0f bytes)%s and %s; %s%s",
                on_host && needs->bytes_peak <= needs->bytes_fill ? "finding the air alone"
                : setup->request.plan.both_layouts                ? "holding both layouts at once"
                : needs->bytes_rank > 0                           ? "rank 0 of the run"
                                                                  : "the run",
                format_bytes(bytes, needed), bytes, on_host ? "" : " of device memory", has, fits,
                processors_hold_it ? ", and the processors hold it whole" : "");
    return failure_advise(FAILURE_CAPACITY, failure,
                          highest == 0         ? processors_hold_it ? ADVICE_PROCESSORS : ADVICE_UNITS
                          : processors_hold_it ? ADVICE_FMAX_OR_PROCESSORS
                          : boxed              ? ADVICE_FMAX_OR_BLOCKS
                                               : ADVICE_FMAX,
                          highest);
}

/* ---- the back end ---- */

unsigned estimate_cards(const struct room_setup *setup, const struct room_estimate *estimate, unsigned most)
{
    struct room_setup trial = *setup;
    for (unsigned cards = 1; cards <= most; cards++) {
        trial.backend.cards = cards > 1 ? cards : 0;
        const struct room_needs needs = estimate_needs_of_run(&trial, estimate);
        if (needs.bytes_device <= estimate->device_available)
            return cards;
    }
    return 0;
}

/* Use the needs, limits and speeds of `backend` from here on. */
static void turn_to(struct room_setup *setup, struct room_estimate *estimate, enum backend backend)
{
    const struct backend_choice *choice = &setup->backend;
    if (!choice->settled)
        setup->backend.backend = backend;
    estimate->backend = backend;
    estimate->device_available = choice->found ? (double)choice->device.bytes_free : 0;
}

/* If a run fits neither the device nor the processors: true if the device reaches the higher fmax. */
static bool device_reaches_further(struct room_setup *setup, struct room_estimate *estimate)
{
    turn_to(setup, estimate, BACKEND_CPU);
    const double cpu = estimate_highest_fmax(setup, estimate, ESTIMATE_PREDICTED_SHARE, 0);
    turn_to(setup, estimate, setup->backend.devices);
    return estimate_highest_fmax(setup, estimate, ESTIMATE_PREDICTED_SHARE, 0) > cpu;
}

/* Times a piece of the room on `backend`, if that was not done before; seconds of a step of the room, 0 if it
 * cannot be told. The estimate is of that backend from then on. */
static double try_backend(struct room_setup *setup, struct room_estimate *estimate, enum backend backend,
                          struct failure *failure)
{
    const struct block_grid *grid = &setup->grid.packed;
    turn_to(setup, estimate, backend);
    if (estimate->speed[backend].samples == 0 && estimate_measure(setup, grid, estimate, failure) != 0)
        return 0;
    return estimate_step_seconds(estimate, (double)grid->blocks * BLOCK_NODES, (double)grid->cuts,
                                 (double)grid->walls);
}

/* True if the processors step the room as fast as a device of OpenCL, which may share their memory, or if it
 * fails. */
static bool trial_is_lost(struct room_setup *setup, struct room_estimate *estimate)
{
    struct backend_choice *choice = &setup->backend;
    struct failure failure = {0};
    char text[FAILURE_TEXT_MAX];
    if (choice->devices == BACKEND_CUDA)
        return false;
    const double device = try_backend(setup, estimate, choice->devices, &failure);
    if (failure.code != FAILURE_NONE) {
        backend_choice_lose(choice, failure_text(&failure, text));
        backend_choice_take(choice, BACKEND_CPU, "%s", choice->absence);
        return true;
    }
    const double cpu = try_backend(setup, estimate, BACKEND_CPU, &failure);
    turn_to(setup, estimate, setup->backend.devices);
    if (!(cpu > 0) || device < cpu)
        return false;
    backend_choice_take(choice, BACKEND_CPU, "a step takes %.3g ms here, and %.3g ms on %s", 1e3 * cpu,
                        1e3 * device, choice->device.name);
    return true;
}

/* Choose whether an existing device gets the run. */
static void weigh_device(struct room_setup *setup, struct room_estimate *estimate, bool processors_hold_it)
{
    struct backend_choice *choice = &setup->backend;
    char bytes[32], available[32];
    turn_to(setup, estimate, setup->backend.devices);
    const struct room_needs needs = estimate_needs_of_run(setup, estimate);
    format_bytes(estimate->device_available, available);
    if (processors_hold_it && estimate_fits(estimate, &needs, 1) && trial_is_lost(setup, estimate))
        return;
    if (estimate_fits(estimate, &needs, 1) ||
        (!processors_hold_it && device_reaches_further(setup, estimate)))
        backend_choice_take(choice, choice->devices, "%s, %s free", choice->device.name, available);
    else if (needs.bytes_device > estimate->device_available)
        backend_choice_take(choice, BACKEND_CPU, "the run takes %s of device memory and %s has %s free",
                            format_bytes(needs.bytes_device, bytes), choice->device.name, available);
    else
        backend_choice_take(choice, BACKEND_CPU,
                            "next to %s the run takes %s of this machine's memory, and %s are free",
                            choice->device.name, format_bytes(needs.bytes_peak, bytes),
                            format_bytes(estimate->available, available));
}

static void decide_backend(struct room_setup *setup, struct room_estimate *estimate)
{
    struct backend_choice *choice = &setup->backend;
    turn_to(setup, estimate, BACKEND_CPU);
    const struct room_needs needs = estimate_needs_of_run(setup, estimate);
    const bool processors_hold_it = estimate_fits(estimate, &needs, 1);
    if (processors_hold_it && needs.updates < ESTIMATE_SHORT_UPDATES)
        backend_choice_take(
            choice, BACKEND_CPU,
            "the run takes less than about a second on the processors, and a GPU as long to start");
    else if (!backend_choice_look(choice))
        backend_choice_take(choice, BACKEND_CPU, "%s", choice->absence);
    else
        weigh_device(setup, estimate, processors_hold_it);
}

void estimate_choose_backend(struct room_setup *setup, struct room_estimate *estimate)
{
    const struct backend_choice *choice = &setup->backend;
    estimate_from_grid(setup, estimate);
    if (!choice->settled)
        decide_backend(setup, estimate);
    turn_to(setup, estimate, choice->backend);
    if (choice->asked == OPTION_BACKEND_AUTO)
        room_say(&setup->notices, "on the %s: %s", backend_is_device(choice->backend) ? "GPU" : "CPU",
                 choice->because);
}

/* ---- fmax ---- */

/* The octave edge of an automatic fmax, or 0. With an automatic back end it is the better of processors
 * and device. At equal edges it is the device's, unless the run is short. The estimate changes to that
 * back end. */
static double choose_edge(struct room_setup *setup, struct room_estimate *estimate)
{
    const double edge = estimate_octave_edge(setup, estimate);
    if (setup->backend.settled || estimate->speed[setup->backend.devices].samples == 0)
        return edge;
    const double run = edge > 0 ? edge : octave_edge[0];
    const bool is_short = estimate_needs(setup, estimate, run).updates < ESTIMATE_SHORT_UPDATES;
    turn_to(setup, estimate, setup->backend.devices);
    const double of_device = estimate_octave_edge(setup, estimate);
    const struct room_needs needs = estimate_needs(setup, estimate, run);
    if (of_device > edge ||
        (of_device >= edge && !is_short && estimate_fits(estimate, &needs, ESTIMATE_PREDICTED_SHARE)))
        return of_device;
    turn_to(setup, estimate, BACKEND_CPU);
    return edge;
}

/* "2.1 GB", "2.1 GB and 1.4 GB on the GPU". */
static const char *memory_words(const struct room_needs *needs, char text[96])
{
    char bytes[32], device[32];
    snprintf(text, 96, "%s", format_bytes(needs->bytes_peak, bytes));
    if (needs->bytes_device > 0)
        snprintf(text, 96, "%s and %s on the GPU", bytes, format_bytes(needs->bytes_device, device));
    return text;
}

struct next_octave estimate_next_octave(const struct room_setup *setup, const struct room_estimate *estimate,
                                        double fmax)
{
    struct next_octave next = {0};
    double edge;
    if (!octave_above(fmax, &next.octave, &edge))
        return (struct next_octave){0};
    next.needs = estimate_needs(setup, estimate, edge);
    next.needs.bytes_peak = estimate_bytes_in_all(&next.needs);
    return next;
}

const char *estimate_next_words(const struct room_estimate *estimate, const struct next_octave *next,
                                char text[NEXT_OCTAVE_WORDS])
{
    char hertz[32], memory[96], time[32];
    text[0] = '\0';
    if (next->octave > 0)
        snprintf(text, NEXT_OCTAVE_WORDS, "the next octave, %.0f Hz, needs fmax %s Hz: %s and about %s%s",
                 next->octave, format_hertz(next->needs.fmax, hertz), memory_words(&next->needs, memory),
                 format_seconds(next->needs.seconds, time),
                 estimate_fits(estimate, &next->needs, 1) ? "" : ", more memory than is available");
    return text;
}

#define CHOICE_LONGEST 86400.0 /* [s] */

const char *estimate_choice_words(const struct room_setup *setup, const struct room_estimate *estimate,
                                  char text[FMAX_CHOICE_WORDS])
{
    char hertz[32], time[32];
    int used = 0;
    text[0] = '\0';
    for (int e = 0; e < OCTAVE_EDGES && used < FMAX_CHOICE_WORDS; e++) {
        const struct room_needs needs = estimate_needs(setup, estimate, octave_edge[e]);
        if (e > 0 && needs.seconds > CHOICE_LONGEST)
            break;
        used += snprintf(text + used, FMAX_CHOICE_WORDS - (size_t)used, "%sto %s Hz%s: %s",
                         e > 0 ? "; " : "waves ", format_hertz(octave_edge[e], hertz),
                         e == 0 && needs.seconds_rays > 0 ? " and rays" : "",
                         format_seconds(needs.seconds, time));
    }
    return text;
}

static int choose_automatic(struct room_setup *setup, struct room_estimate *estimate, struct failure *failure)
{
    TRY(estimate_survey(setup, true, estimate, failure));
    double fmax = choose_edge(setup, estimate);
    char time[32], budget[32];
    format_seconds(setup->request.plan.budget, budget);
    if (fmax == 0) {
        fmax = octave_edge[0];
        const struct room_needs least = estimate_needs(setup, estimate, fmax);
        TRY(estimate_refuse_too_large(setup, estimate, &least, failure));
        room_warn(&setup->notices, "even %.0f Hz take about %s here, longer than the budget of %s", fmax,
                  format_seconds(least.seconds, time), budget);
    }
    setup->grid.fmax_automatic = true;
    TRY(room_grid_resolution(&setup->request, &setup->model, fmax, &setup->grid, failure));
    struct room_needs needs = estimate_needs(setup, estimate, fmax);
    needs.bytes_peak = estimate_bytes_in_all(&needs);
    const struct next_octave next = estimate_next_octave(setup, estimate, fmax);
    char memory[96], words[NEXT_OCTAVE_WORDS];
    room_say(&setup->notices, "fmax %.0f Hz chosen: about %s and %s (budget %s)%s%s", fmax,
             format_seconds(needs.seconds, time), memory_words(&needs, memory), budget,
             next.octave > 0 ? "; " : "", estimate_next_words(estimate, &next, words));
    return 0;
}

/* An upper limit: the whole bounding box of the mesh as air, with a wall at every node. */
static double most_bytes(const struct room_setup *setup)
{
    const unsigned levels = 2 + (setup->request.model.air_in_steps ? AIR_LOSS_STATES : 0);
    double nodes = setup->request.plan.both_layouts ? 2 : 1;
    for (int axis = 0; axis < 3; axis++)
        nodes *= (double)setup->grid.lattice.nodes[axis] + 16;
    return nodes * (levels * estimate_real_bytes(setup) + 60);
}

/* Refuse a run that cannot fit, by prediction. With an automatic back end either may hold it; the
 * estimate changes to that back end, or to the larger one. */
static int refuse_predicted(struct room_setup *setup, struct room_estimate *estimate, double fmax,
                            struct failure *failure)
{
    struct room_needs needs = estimate_needs(setup, estimate, fmax);
    if (!estimate_fits(estimate, &needs, 1) && !setup->backend.settled &&
        backend_choice_look(&setup->backend)) {
        turn_to(setup, estimate, setup->backend.devices);
        needs = estimate_needs(setup, estimate, fmax);
        if (!estimate_fits(estimate, &needs, 1) && !device_reaches_further(setup, estimate))
            turn_to(setup, estimate, BACKEND_CPU);
        needs = estimate_needs(setup, estimate, fmax);
    }
    return estimate_refuse_too_large(setup, estimate, &needs, failure);
}

bool estimate_is_scaled(const struct room_setup *setup)
{
    const int64_t *const nodes = setup->grid.lattice.nodes;
    return setup->request.plan.counted > 0 &&
           (double)nodes[0] * (double)nodes[1] * (double)nodes[2] > setup->request.plan.counted;
}

int estimate_choose_resolution(struct room_setup *setup, bool strict, struct room_estimate *estimate,
                               struct failure *failure)
{
    const struct room_request *request = &setup->request;
    estimate->available = (double)machine_memory_available();
    estimate->hosts = &setup->hosts;
    turn_to(setup, estimate, setup->backend.backend);
    const bool chosen = request->grid.fmax == 0 && request->grid.spacing == 0;
    const double asked = chosen ? request->plan.fmax_kept : request->grid.fmax;
    if (chosen && asked == 0)
        return choose_automatic(setup, estimate, failure);
    setup->grid.fmax_automatic = chosen;
    TRY(room_grid_resolution(&setup->request, &setup->model, asked, &setup->grid, failure));
    if (estimate_is_scaled(setup))
        return 0;
    if (most_bytes(setup) <= 0.5 * estimate->available &&
        (!backend_is_device(estimate->backend) || most_bytes(setup) <= 0.5 * estimate->device_available))
        return 0;
    TRY(estimate_survey(setup, false, estimate, failure));
    TRY(room_grid_resolution(&setup->request, &setup->model, asked, &setup->grid,
                             failure)); /* the survey had its own */
    const double fmax =
        setup->model.sound_speed / (room_points_per_wavelength(&request->grid) * setup->grid.step.spacing);
    if (strict)
        return refuse_predicted(setup, estimate, fmax, failure);
    struct room_needs needs = estimate_needs(setup, estimate, fmax);
    needs.bytes_peak = needs.bytes_fill;
    needs.bytes_device = needs.bytes_rank = 0;
    return estimate_refuse_too_large(setup, estimate, &needs, failure);
}

int estimate_check_disk(const struct room_needs *needs, const char *path, struct failure *failure)
{
    char wanted[32], there[32];
    const double left = disk_free(path);
    if (needs->bytes_disk <= left)
        return 0;
    (void)failure_set(
        failure, FAILURE_CAPACITY, "the results take about %s (%.0f bytes), and the disk of %s has %s left",
        format_bytes(needs->bytes_disk, wanted), needs->bytes_disk, path, format_bytes(left, there));
    return failure_fix(FAILURE_CAPACITY, failure,
                       "write them to another disk, or take fewer receivers or a coarser grid of them");
}
