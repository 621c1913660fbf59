#include <math.h>
#include <stdio.h>

#include "src/base/table/number_text.h"
#include "src/response/acoustics/figure_report.h"
#include "src/base/path_text.h"
#include "rooms/text/table_text.h"
#include "src/response/acoustics/octave_decay.h"
#include "src/run/energy_report.h"
#include "src/run/map_files.h"
#include "src/rays/ray_room.h"
#include "src/run/simulation.h"
#include "src/run_folder/figure_spread.h"
#include "src/response/signal/response.h"

/* Figures that ISO 3382 does not have. */
static void print_directions(const struct simulation *simulation)
{
    const struct room_setup *setup = &simulation->setup;
    for (size_t s = 0; s < setup->directions.count && s < setup->points.sources; s++) {
        const struct source_direction *direction = &setup->directions.of[s];
        const char *name = setup->points.point[s].name;
        if (source_has_direction(direction))
            printf("source %s is directional (%s), but ISO 3382 requires an omnidirectional one; G and C80 "
                   "are those of this source, calibrated on its axis\n",
                   name, direction->what);
        if (direction->members > 0)
            printf("source %s is several sources at once: their level is not the G of ISO 3382\n", name);
    }
}

/* Their number, length and level. */
static void print_responses(const struct simulation *simulation)
{
    const struct run_model *model = &simulation->model;
    const size_t count = model->responses.count;
    char bytes[32];
    double least = INFINITY, most = -INFINITY, samples = 0, longest = 0;
    for (size_t r = 0; r < count; r++) {
        const struct record_response *response = &model->responses.item[r];
        least = fmin(least, response->figures.single[FIGURE_STRENGTH]);
        most = fmax(most, response->figures.single[FIGURE_STRENGTH]);
        samples += response->samples;
        longest = fmax(longest, response->samples);
    }
    if (count == 0) {
        printf("%s%s\n", PATH_SHOWN(simulation->folder.path),
               simulation->partial ? ": partial, see run.json" : "");
        return;
    }
    printf("%s: %zu response%s ir_<source>_<receiver>.wav, %s%s\n", PATH_SHOWN(simulation->folder.path),
           count, count == 1 ? "" : "s", format_bytes(4 * samples, bytes),
           simulation->partial ? "; partial, see run.json" : "");
    printf("each is the sound of one source at one receiver: 30 to %.5g Hz, %.3g s long, 48 kHz\n",
           model->calibration->to, longest / RESPONSE_RATE);
    char interrupted[SIMULATION_INTERRUPTED_MAX];
    if (simulation_interrupted(simulation, interrupted)[0] != '\0')
        printf("%s; figures that need more are absent\n", interrupted);
    if (isfinite(model->warp_share))
        printf("the run was longer than the responses by %.0f %%, for the correction of the dispersion\n",
               100.0 * (1.0 / (1.0 - model->warp_share) - 1.0));
    if (least < most - 0.05)
        printf("level %.1f to %.1f dB", least, most);
    else
        printf("level %.1f dB", most);
    printf(" over the band; 0 dB is the same source at 10 m in free field\n");
}

/* Root mean square over responses of what scattering changes, in just noticeable differences. */
static double scattering_steps(const struct run_model *model, enum figure figure, size_t octave)
{
    double sum = 0, count = 0;
    for (size_t r = 0; r < model->responses.count; r++) {
        const struct record_response *response = &model->responses.item[r];
        const double value = figure_values_octave(&response->figures, figure, octave);
        const double change = figure_values_octave(&response->scattering, figure, octave);
        const double steps = ray_figure_steps(figure, value, value + change);
        if (isfinite(steps)) {
            sum += steps * steps;
            count++;
        }
    }
    return sqrt(sum / count);
}

static void print_unsure(const struct run_model *model)
{
    static const enum figure shown[] = {FIGURE_EDT, FIGURE_T30, FIGURE_C80, FIGURE_D50, FIGURE_G};
    char text[400] = "";
    for (size_t f = 0; f < sizeof shown / sizeof *shown; f++) {
        bool any = false;
        for (size_t o = 0; o < RAY_OCTAVES; o++) {
            if (!(scattering_steps(model, shown[f], o) > RAY_UNSURE))
                continue;
            if (!any)
                text_append(text, sizeof text, "%s%s at ", text[0] != '\0' ? "; " : "",
                            figure_kind[shown[f]].word);
            text_append(text, sizeof text, "%s%d", any ? ", " : "",
                        octave_nominal(ray_octave_centre((int)o)));
            any = true;
        }
        if (any)
            text_append(text, sizeof text, " Hz");
    }
    if (text[0] != '\0')
        printf(
            "unsure, since absorption is uneven and half or twice the scattering changes them by more than "
            "%.0f JND: %s\n",
            RAY_UNSURE, text);
}

/* What rays add, and how they fit the waves. */
static void print_rays(const struct run_model *model)
{
    if (model->rays == NULL)
        return;
    const int octave = octave_nominal(model->rays->octave);
    for (size_t s = 0; s < model->rays->sources.count; s++) {
        const struct record_ray_source *of = &model->rays->sources.item[s];
        char join[160];
        (void)snprintf(join, sizeof join, "%+.1f dB (corrected)", of->level);
        if (isfinite(of->decay))
            text_append(join, sizeof join, " and %+.1f JND of T30", of->decay);
        printf("rays of %s above %.4g Hz: %.0f in %.1f s; in the octave of %d Hz ", of->source,
               model->rays->crossover, of->rays, of->seconds, octave);
        if (isfinite(of->level))
            printf("they were %s from the waves\n", join);
        else
            printf("the waves have no figures to compare them with\n");
    }
    print_unsure(model);
}

void simulation_print(const struct simulation *simulation)
{
    const struct run_model *model = &simulation->model;
    const struct grid_run *run = &simulation->run;
    struct figure_summary summary;
    grid_run_summary(run, &summary);
    double stepped = 0;
    for (size_t s = 0; s < model->runs.count; s++)
        stepped += model->runs.item[s].seconds + fmax(0, model->runs.item[s].seconds_shifted);
    char time[32];
    print_responses(simulation);
    print_rays(model);
    print_directions(simulation);
    figure_report_print(stdout, &summary, &simulation->estimate.reverberation);
    map_files_print(stdout, run);
    energy_report_print(stdout, model);
    figure_spread_print(stdout, model);
    printf("computed in %s", format_seconds(stepped, time));
    if (run->needs.seconds > 0)
        printf(" (%s was predicted)", format_seconds(run->needs.seconds, time));
    if (model->grids.count > 0)
        printf(", responses and figures of %zu points in %s", simulation->setup.grid.grid_points,
               format_seconds(map_files_seconds(run) + map_files_seconds(&simulation->shifted), time));
    printf(", %.0f million node updates a second; run.json holds every figure\n",
           fmax(0, model->node_updates_per_second) / 1e6);
}
