#include <math.h>
#include <stdio.h>

#include "src/base/table/number_text.h"
#include "src/base/disk_space.h"
#include "src/base/interrupt.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/run/plan/estimate_scaled.h"
#include "src/run/map_files.h"
#include "src/run/setup_record.h"
#include "src/base/table/json_values.h"

/* The highest fmax of this machine: by memory, by time, by both, and by --fmax auto. 0: none. And the
 * cost of the octave above the run. */
struct affordable {
    double memory, time, both, automatic;
    struct next_octave next;
};

static struct affordable find_affordable(const struct room_setup *setup, const struct room_estimate *estimate)
{
    const double budget = setup->request.plan.budget;
    return (struct affordable){
        .memory = estimate_highest_fmax(setup, estimate, 1, 0),
        .time = estimate_highest_fmax(setup, estimate, 0, budget),
        .both = estimate_highest_fmax(setup, estimate, 1, budget),
        .automatic = estimate_octave_edge(setup, estimate),
        .next = estimate_next_octave(setup, estimate, setup->grid.fmax),
    };
}

/* The assumption of a predicted time. */
static const char *assumed_words(const struct room_setup *setup, const struct room_estimate *estimate,
                                 char text[64])
{
    const int threads = estimate_threads(setup, estimate->backend);
    if (threads == 0)
        return "a device that does nothing else";
    snprintf(text, 64, "%d thread%s of an idle machine", threads, threads == 1 ? "" : "s");
    return text;
}

/* An object; null if no octave is missing. */
static void add_next(cJSON *object, const struct room_estimate *estimate, const struct next_octave *next)
{
    if (next->octave == 0) {
        JSON_PUT(object, {"next_octave", NULL});
        return;
    }
    cJSON *of = json_object_in(object, "next_octave");
    JSON_PUT(of, {"octave_hz", OF_NUMBER(next->octave)}, {"fmax_hz", OF_NUMBER(next->needs.fmax)},
             {"bytes_peak", OF_NUMBER(next->needs.bytes_peak)});
    if (backend_is_device(estimate->backend))
        JSON_PUT(of, {"bytes_device", OF_NUMBER(next->needs.bytes_device)});
    JSON_PUT(of, {"seconds_predicted", OF_NUMBER(next->needs.seconds)},
             {"fits", OF_TRUTH(estimate_fits(estimate, &next->needs, 1))});
}

/* What waves up to `fmax` judge without rays: the bass (63 and 125 Hz), the middle by which rooms are judged
 * (500 and 1000 Hz), speech (125 Hz to 8 kHz). */
static void add_judges(cJSON *object, double fmax)
{
    static const struct {
        const char *word;
        int highest;
    } judged[] = {{"bass", 125}, {"middle", 1000}, {"speech", 8000}};
    double centre[OCTAVE_BANDS_MAX];
    const size_t count = octave_centres(fmax, centre);
    cJSON *judges = json_list_in(object, "judges");
    for (size_t j = 0; j < sizeof judged / sizeof *judged; j++)
        if (count > 0 && band_nominal(centre[count - 1]) >= judged[j].highest)
            json_append(judges, OF_TEXT(judged[j].word));
}

/* The cost of runs up to the edges of octaves, and what they give. */
static void add_choices(cJSON *object, const struct room_setup *setup, const struct room_estimate *estimate)
{
    cJSON *list = json_list_in(object, "choices");
    for (int e = 0; e < OCTAVE_EDGES; e++) {
        struct room_needs needs = estimate_needs(setup, estimate, octave_edge[e]);
        needs.bytes_peak = estimate_bytes_in_all(&needs);
        cJSON *const choice = json_append_object(list);
        JSON_PUT(choice, {"fmax_hz", OF_NUMBER(octave_edge[e])},
                 {"seconds_predicted", OF_NUMBER(needs.seconds)}, {"bytes_peak", OF_NUMBER(needs.bytes_peak)},
                 {"bytes_disk", OF_NUMBER(needs.bytes_disk)},
                 {"fits", OF_TRUTH(estimate_fits(estimate, &needs, 1))});
        double centre[OCTAVE_BANDS_MAX];
        const size_t count = octave_centres(octave_edge[e], centre);
        cJSON *nominal = json_list_in(choice, "nominal_hz");
        for (size_t o = 0; o < count; o++)
            json_append(nominal, OF_NUMBER(band_nominal(centre[o])));
        add_judges(choice, octave_edge[e]);
    }
}

static int print_object(const struct room_setup *setup, const struct room_estimate *estimate,
                        const struct room_needs *needs, const struct affordable *affordable,
                        const char *results, struct failure *failure)
{
    cJSON *object = cJSON_CreateObject();
    char assumed[64];
    record_plan(object, setup, estimate, needs);
    JSON_PUT(object, {"scaled", OF_TRUTH(setup->request.plan.scaled_to > 0)});
    if (setup->request.plan.scaled_to > 0)
        JSON_PUT(object, {"scaled_from_spacing_m", OF_NUMBER(setup->grid.packed.lattice.spacing)},
                 {"scaled_error", OF_NUMBER(ESTIMATE_SCALED_ERROR)},
                 {"scaled_error_steps", OF_NUMBER(ESTIMATE_SCALED_STEP)});
    JSON_PUT(object, {"source_is_cavity", OF_TRUTH(setup->points.source_is_cavity)},
             {"bytes_available", OF_NUMBER(estimate->available)});
    if (backend_is_device(estimate->backend))
        JSON_PUT(object, {"bytes_device_available", OF_NUMBER(estimate->device_available)},
                 {"devices", OF_NUMBER(setup->backend.cards > 1 ? setup->backend.cards : 1)},
                 {"devices_least", OF_NUMBER(estimate_cards(setup, estimate, DEVICES_MOST))});
    JSON_PUT(
        object, {"bytes_disk", OF_NUMBER(needs->bytes_disk)},
        {"bytes_disk_available", OF_NUMBER(disk_free(results))},
        {"fits", OF_TRUTH(estimate_fits(estimate, needs, 1))},
        {"reverberation_s", OF_NUMBER(room_reverberation_longest(&estimate->reverberation, needs->fmax))},
        {"duration_s", OF_NUMBER(needs->duration)},
        {"duration_automatic", OF_TRUTH(setup->request.plan.duration == 0)},
        {"steps", OF_NUMBER(needs->steps)},
        {"node_updates_per_second", OF_NUMBER(needs->updates / needs->seconds_steps)},
        {"seconds_predicted", OF_NUMBER(needs->seconds)},
        {"seconds_predicted_steps", OF_NUMBER(needs->seconds_steps)},
        {"seconds_predicted_rays", OF_NUMBER(needs->seconds_rays)},
        {"bytes_rays", OF_NUMBER(needs->bytes_rays)},
        {"seconds_predicted_on", OF_TEXT(assumed_words(setup, estimate, assumed))},
        {"budget_s", OF_NUMBER(setup->request.plan.budget)},
        {"affordable_fmax_hz", OF_NUMBER(affordable->both)},
        {"affordable_fmax_memory_hz", OF_NUMBER(affordable->memory)},
        {"affordable_fmax_time_hz", OF_NUMBER(affordable->time)},
        {"automatic_fmax_hz", OF_NUMBER(affordable->automatic)});
    add_next(object, estimate, &affordable->next);
    add_judges(object, needs->fmax);
    add_choices(object, setup, estimate);
    return print_json(object, failure);
}

static void print_fmax(const char *what, double fmax)
{
    char hertz[32];
    if (fmax > 0)
        printf("  --fmax %-6s %s\n", format_hertz(fmax, hertz), what);
    else
        printf("  no --fmax     %s\n", what);
}

/* All its ranks together. */
static void print_host(const struct room_host *host, const struct room_needs *needs)
{
    char a[32], b[32], c[32];
    const double bytes = room_host_bytes(host, needs->bytes_first, needs->bytes_rank);
    const bool fits = bytes <= host->available && needs->bytes_rank <= host->each;
    printf("%u rank%s on %s: ", host->ranks, host->ranks == 1 ? "" : "s", host->name);
    if (host->first == 0)
        printf("rank 0 takes %s, the others ", format_bytes(needs->bytes_first, c));
    printf("at most %s each; %s in all, %s are available there: %s\n", format_bytes(needs->bytes_rank, c),
           format_bytes(bytes, a), format_bytes(host->available, b), fits ? "fits" : "does not fit");
}

/* Print the number of GPUs that hold the run, if there are several. */
static void print_cards(const struct room_setup *setup, const struct room_estimate *estimate)
{
    const unsigned there =
        backend_is_device(estimate->backend) && setup->request.engine.layout == LAYOUT_BLOCKS
            ? device_count(backend_choice_devices(&setup->backend))
            : 0;
    const unsigned least = there > 1 ? estimate_cards(setup, estimate, there) : 0;
    if (there > 1 && least > 0)
        printf("of the %u GPUs here %u hold%s the run: --devices %u\n", there, least, least == 1 ? "s" : "",
               least);
    else if (there > 1)
        printf("the %u GPUs here have too little memory in all\n", there);
}

static void print_words(const struct room_setup *setup, const struct room_estimate *estimate,
                        const struct room_needs *needs, const struct affordable *affordable,
                        const char *results)
{
    char a[32], b[32], c[32], assumed[64];
    const double h = needs->spacing;
    printf("fmax %.5g Hz%s: spacing %.4g m, rate %.6g Hz, %.4g points per wavelength, %s scheme\n",
           setup->grid.fmax, setup->grid.fmax_automatic ? " (auto)" : "", h, needs->rate,
           setup->grid.points_per_wavelength, scheme_words[setup->grid.step.scheme]);
    if (setup->request.plan.scaled_to > 0)
        printf("scaled: this grid was not made; the values below are counted on one of %.3g m and scaled, "
               "nodes and bytes within %.0f %%, steps and time within %.0f %%\n",
               setup->grid.packed.lattice.spacing, 100 * ESTIMATE_SCALED_ERROR, 100 * ESTIMATE_SCALED_STEP);
    printf("air: %.5g m3%s, %.0f nodes; box of the air: %.0f nodes\n", setup->grid.findings.air_volume,
           setup->grid.findings.air_volume_is_cells ? " (of its cells)" : "", needs->air_nodes,
           needs->box_nodes);
    printf("blocks: %.0f of 8x8x8, %.0f nodes, %.1f %% of the box; %.0f nodes touch a wall\n", needs->blocks,
           needs->stored_nodes, 100 * needs->stored_nodes / needs->box_nodes, needs->wall_nodes);
    printf("memory, %s precision: blocks %s (and walls %s), box %s; air alone %s, blocks as first published "
           "%s\n",
           setup->request.engine.precision == PRECISION_DOUBLE ? "double" : "single",
           format_bytes(needs->bytes_blocks, a), format_bytes(needs->bytes_walls, b),
           format_bytes(needs->bytes_box, c), format_bytes(needs->bytes_ideal, (char[32]){0}),
           format_bytes(needs->bytes_seed_blocks, (char[32]){0}));
    printf("whole run, %s%s: at most %s, %s are available: %s\n",
           setup->request.engine.layout == LAYOUT_BOX ? "box" : "blocks",
           backend_is_device(estimate->backend) ? ", on the host" : "", format_bytes(needs->bytes_peak, a),
           format_bytes(estimate->available, b),
           needs->bytes_peak <= estimate->available ? "fits" : "does not fit");
    if (backend_is_device(estimate->backend) && setup->backend.cards > 1)
        printf("on each of %u GPUs: %s; the fullest has %s free: %s\n", setup->backend.cards,
               format_bytes(needs->bytes_device, a), format_bytes(estimate->device_available, b),
               needs->bytes_device <= estimate->device_available ? "fits" : "does not fit");
    else if (backend_is_device(estimate->backend))
        printf("on %s: %s, %s are free: %s\n", setup->backend.device.name,
               format_bytes(needs->bytes_device, a), format_bytes(estimate->device_available, b),
               needs->bytes_device <= estimate->device_available ? "fits" : "does not fit");
    for (size_t n = 0; needs->bytes_rank > 0 && n < setup->hosts.count; n++)
        print_host(&setup->hosts.host[n], needs);
    print_cards(setup, estimate);
    printf("results: about %s on the disk, %s are free\n", format_bytes(needs->bytes_disk, a),
           format_bytes(disk_free(results), b));
    const double sources = fmax((double)room_points_runs(&setup->points), 1);
    printf("steps: %.0f for %.3g s", needs->steps, needs->duration);
    if (setup->request.plan.duration == 0)
        printf(" (auto: as is likely; %.3g s to start with, then until every octave has %g dB of decay, as a "
               "rule at .75 to 1.4 times the longest Sabine time)",
               needs->first_duration, DECAY_RANGE_T30);
    printf("; time: about %s for %.0f source%s%s (%.0f million node updates a second) on %s\n",
           format_seconds(needs->seconds, a), sources, sources > 1 ? "s" : "",
           setup->request.plan.repeat_shifted ? ", on two grids" : "",
           needs->updates / needs->seconds_steps / 1e6, assumed_words(setup, estimate, assumed));
    if (needs->seconds_rays > 0)
        printf("of these for rays: about %s (within a factor of two) and %s\n",
               format_seconds(needs->seconds_rays, a), format_bytes(needs->bytes_rays, b));
    else if (needs->bytes_rays > 0)
        printf("rays need %s beside the waves, more than is available\n", format_bytes(needs->bytes_rays, b));
    printf("highest frequencies on this machine:\n");
    print_fmax("by its memory", affordable->memory);
    snprintf(b, sizeof b, "within %s", format_seconds(setup->request.plan.budget, a));
    print_fmax(b, affordable->time);
    print_fmax("by both", affordable->both);
    print_fmax("chosen by --fmax auto", affordable->automatic);
    char words[NEXT_OCTAVE_WORDS], choices[FMAX_CHOICE_WORDS];
    printf("%s\n", estimate_choice_words(setup, estimate, choices));
    if (affordable->next.octave > 0)
        printf("%s\n", estimate_next_words(estimate, &affordable->next, words));
}

int command_plan(const struct options *options, struct failure *failure)
{
    struct room_setup setup = {0};
    struct room_estimate estimate = {0};
    struct room_request request = options->request;
    const char *results = options->output != NULL ? options->output : "."; /* of a project, its folder */
    interrupt_ends = 1;
    request.grid.any_space = request.points.audience = true;
    request.plan.counted = ESTIMATE_COUNTED_NODES;
    request.plan.joins_rays = request.plan.rays != RAYS_OFF && !request.plan.waves_only;
    progress_json_begin("model", NULL);
    int code = room_setup_read(&request, &setup, failure);
    if (code == 0)
        code = room_hosts_ask(&setup.hosts, failure);
    if (code == 0) {
        progress_json_begin("survey", NULL);
        code = estimate_choose_resolution(&setup, false, &estimate, failure);
    }
    if (code == 0) {
        progress_json_begin("grid", NULL);
        code = estimate_voxelise(&setup, failure);
    }
    if (code == 0) {
        progress_json_begin("speed", NULL);
        estimate_choose_backend(&setup, &estimate);
        code = estimate_measure_room(&setup, &estimate, failure);
    }
    if (code == 0) {
        struct room_needs needs = estimate_needs_of_run(&setup, &estimate);
        needs.bytes_peak = estimate_bytes_in_all(&needs);
        const struct affordable affordable = find_affordable(&setup, &estimate);
        estimate_scaled_end(&setup);
        if (options->json)
            code = print_object(&setup, &estimate, &needs, &affordable, results, failure);
        else
            print_words(&setup, &estimate, &needs, &affordable, results);
    }
    room_setup_free(&setup);
    return code;
}
