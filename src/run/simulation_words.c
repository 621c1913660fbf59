#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/table/number_text.h"
#include "src/response/acoustics/figure_report.h"
#include "src/base/path_text.h"
#include "rooms/text/table_text.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/run/energy_report.h"
#include "src/run/map_files.h"
#include "src/run/simulation.h"
#include "src/run_folder/absorption_error.h"
#include "src/run_folder/figure_record.h"
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

/* What rays add, and how they fit the waves. */
static void print_rays(const struct run_model *model)
{
    if (model->rays == NULL)
        return;
    const int octave = band_nominal(model->rays->octave);
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
}

/* Which surface the uncertainty by absorption is from most, in the highest octave up to 1 kHz that has one.
 */
static void print_doubt(const struct run_model *model)
{
    struct loss_account account;
    double share = 0;
    if (model->means->octaves.count == 0 || loss_account_make(model, &account, NULL) != 0)
        return;
    for (size_t o = account.octaves; o-- > 0;) {
        const int hz = band_nominal(model->means->octaves.value[o]);
        const size_t m =
            hz <= 1000 ? absorption_error_largest(model, &account, o, &share) : account.materials;
        if (m == account.materials)
            continue;
        const struct record_material *material = &model->room.materials.item[m];
        printf(
            "absorption makes T at %d Hz uncertain by %.0f %% (error bar); %.0f %% of its square is %s%s\n",
            hz, 100 * UNCERTAINTY_BAR * absorption_error_relative(model, &account, o), 100 * share,
            material->name,
            strcmp(material->uncertainty_from, uncertainty_origin_name(UNCERTAINTY_OF_GUESS)) == 0
                ? ", a guess"
                : "");
        break;
    }
    loss_account_free(&account);
}

void simulation_print(const struct simulation *simulation)
{
    const struct run_model *model = &simulation->model;
    const struct grid_run *run = &simulation->run;
    struct figure_summary summary, thirds;
    struct figure_bars bars;
    grid_run_summary(run, &summary);
    double stepped = 0;
    for (size_t s = 0; s < model->runs.count; s++)
        stepped += model->runs.item[s].seconds + fmax(0, model->runs.item[s].seconds_shifted);
    char time[32];
    print_responses(simulation);
    print_rays(model);
    print_directions(simulation);
    figure_report_print(stdout, &summary, record_fill_bars(model, &bars) ? &bars : NULL,
                        &simulation->estimate.reverberation);
    grid_run_thirds(run, &thirds);
    figure_report_thirds(stdout, &thirds);
    if (model->rays != NULL && thirds.responses > 0)
        printf("  thirds end with the waves: rays are traced in octaves\n");
    print_doubt(model);
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
