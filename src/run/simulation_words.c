#include <math.h>
#include <stdio.h>

#include "src/base/table/number_text.h"
#include "src/response/acoustics/figure_report.h"
#include "src/response/acoustics/figure_spread.h"
#include "src/base/path_text.h"
#include "src/run/energy_report.h"
#include "src/run/map_files.h"
#include "src/run/simulation.h"
#include "src/response/signal/response.h"

/* How far the offset grid is from the first. */
static void print_spread(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    struct figure_spread spread = {0};
    for (size_t p = 0; p < setup->points.sources * setup->points.receivers; p++) {
        const struct grid_pair *other = simulation_shifted_pair(simulation, p);
        if (other != NULL)
            figure_spread_add(&spread, &simulation->run.pair[p].figures, &other->figures);
    }
    figure_spread_print(stdout, &spread);
}

/* Figures that ISO 3382 does not have. */
static void print_directions(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    for (size_t s = 0; s < setup->directions.count && s < setup->points.sources; s++) {
        const struct source_direction *direction = &setup->directions.of[s];
        const char *name = setup->points.point[s].name;
        if (source_has_direction(direction))
            printf(
                "source %s has a direction (%s): ISO 3382 asks for one without; G and C80 are those of this "
                "source, calibrated on its axis\n",
                name, direction->what);
        if (direction->members > 0)
            printf("source %s is several at once: their level is not G of ISO 3382\n", name);
    }
}

/* How many, how long, how loud. */
static void print_responses(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    char bytes[32];
    double least = INFINITY, most = -INFINITY, samples = 0, longest = 0;
    for (size_t p = 0; p < setup->points.sources * setup->points.receivers; p++) {
        const struct grid_pair *pair = &run->pair[p];
        if (pair->file[0] == '\0')
            continue;
        least = fmin(least, pair->figures.strength);
        most = fmax(most, pair->figures.strength);
        samples += (double)pair->samples;
        longest = fmax(longest, (double)pair->samples);
    }
    const size_t count = simulation_pairs(run);
    if (count == 0) {
        printf("%s%s\n", PATH_SHOWN(simulation->folder.path),
               simulation->partial ? ": partial, see run.json" : "");
        return;
    }
    printf("%s: %zu response%s ir_<source>_<receiver>.wav, %s%s\n", PATH_SHOWN(simulation->folder.path),
           count, count == 1 ? "" : "s", format_bytes(4 * samples, bytes),
           simulation->partial ? "; partial, see run.json" : "");
    printf("each is the sound of one source at one receiver: 30 to %.5g Hz, %.3g s long, 48 kHz\n",
           setup->grid.fmax, longest / RESPONSE_RATE);
    char interrupted[SIMULATION_INTERRUPTED_MAX];
    if (simulation_interrupted(simulation, interrupted)[0] != '\0')
        printf("%s; figures that need more are absent\n", interrupted);
    const double share = response_share(&setup->grid.step, setup->grid.fmax);
    if (share < 1.0)
        printf("the run was longer by %.0f %%, which removing the dispersion of its grid takes\n",
               100.0 * (1.0 / share - 1.0));
    if (least < most - 0.05)
        printf("level %.1f to %.1f dB", least, most);
    else
        printf("level %.1f dB", most);
    printf(" over the band; 0 dB is the same source at 10 m in free field\n");
}

void simulation_print(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    const struct grid_run *run = &simulation->run;
    struct figure_summary summary;
    grid_run_summary(run, &summary);
    double seconds = 0, steps = 0, repeated = 0;
    for (size_t s = 0; s < run->sources_run; s++) {
        seconds += run->source[s].seconds;
        steps += (double)run->source[s].steps;
    }
    for (size_t s = 0; s < simulation->shifted.sources_run; s++)
        repeated += simulation->shifted.source[s].seconds;
    char time[32];
    print_responses(simulation);
    print_directions(simulation);
    figure_report_print(stdout, &summary, &simulation->estimate.reverberation);
    map_files_print(stdout, run);
    if (run->sources_run > 0)
        energy_report_print(stdout, run->source, run->sources_run, setup);
    if (simulation_responses(&simulation->shifted) > 0)
        print_spread(simulation);
    printf("computed in %s", format_seconds(seconds + repeated, time));
    if (run->needs.seconds > 0)
        printf(" (%s was predicted)", format_seconds(run->needs.seconds, time));
    if (setup->grid.receiver_grids > 0)
        printf(", responses and figures of %zu points in %s", setup->grid.grid_points,
               format_seconds(map_files_seconds(run) + map_files_seconds(&simulation->shifted), time));
    printf(", %.0f million node updates a second; run.json holds every figure\n",
           steps *
               (setup->request.engine.layout == LAYOUT_BOX ? run->needs.box_nodes : run->needs.stored_nodes) /
               fmax(seconds, 1e-9) / 1e6);
}
