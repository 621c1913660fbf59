#include "src/run_folder/loss_account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/loss_sensitivity.h"
#include "src/run_folder/record_error.h"
#include "src/run_folder/run_read.h"

void loss_account_free(struct loss_account *account)
{
    free(account->absorption);
    *account = (struct loss_account){0};
}

/* ---- shares ---- */

static double last_of(const struct json_numbers *numbers)
{
    return numbers->count > 0 ? json_number_of(numbers, numbers->count - 1) : NAN;
}

/* Of a material, or of the open faces (m = materials), the entry in a list of accounts; NULL: none. */
static const struct record_absorbed *find_entry(const struct run_model *run,
                                                const struct record_absorbed *entry, size_t count, size_t m)
{
    const char *name = m < run->room.materials.count ? run->room.materials.item[m].name : ENERGY_OPEN_FACES;
    for (size_t i = 0; i < count; i++)
        if (name != NULL && entry[i].material != NULL && strcmp(entry[i].material, name) == 0)
            return &entry[i];
    return NULL;
}

/* Energy of the drive in each octave, of which a run to `highest` has a part or nothing. */
static void weigh_octaves(double highest, size_t octaves, const double *centre, double *weight)
{
    const double half = pow(10, 0.15);
    for (size_t o = 0; o < octaves; o++) {
        const double low = o > 0 ? centre[o] / half : 0, high = fmin(centre[o] * half, highest);
        weight[o] = fmax(pow(high, 3) - pow(low, 3), 0);
    }
}

/* Parts of the whole band's energy of waves, sums over the sources; false where a source has no account. */
static bool sum_waves(const struct run_model *run, double *whole)
{
    for (size_t s = 0; s < run->runs.count; s++) {
        const struct record_energy *energy = run->runs.item[s].energy;
        if (energy == NULL || !energy->complete)
            return false;
        for (size_t m = 0; m <= run->room.materials.count; m++) {
            const struct record_absorbed *entry =
                find_entry(run, energy->absorbed.item, energy->absorbed.count, m);
            whole[m] += entry != NULL ? last_of(&entry->share) : 0;
        }
    }
    return run->runs.count > 0;
}

/* By octave, (materials + 1, OCTAVE_BANDS_MAX). */
static bool share_waves(const struct run_model *run, const struct run_losses *losses, double *share,
                        double *memory)
{
    const size_t materials = run->room.materials.count, rows = materials + 1;
    double *whole = memory, *area = whole + rows, *absorption = area + rows;
    double centre[OCTAVE_BANDS_MAX], weight[OCTAVE_BANDS_MAX];
    const size_t octaves = octave_centres(INFINITY, centre);
    for (size_t m = 0; m < rows; m++) {
        area[m] = m < materials ? losses->surface[m].area : 1;
        for (size_t o = 0; o < octaves; o++)
            absorption[m * octaves + o] = m < materials ? losses->surface[m].absorption[o] : 1;
    }
    if (!sum_waves(run, whole))
        return false;
    weigh_octaves(run->room.fmax, octaves, centre, weight);
    loss_shares_by_octave(whole, weight, area, absorption, rows, octaves, share);
    return true;
}

/* Of rays, where they were traced. */
static void share_rays(const struct run_model *run, size_t first, double *share)
{
    const size_t rows = run->room.materials.count + 1;
    for (size_t o = first; run->rays != NULL && o < OCTAVE_BANDS_MAX; o++) {
        double sum = 0;
        for (size_t m = 0; m < rows; m++) {
            double *of = &share[m * OCTAVE_BANDS_MAX + o];
            *of = 0;
            for (size_t s = 0; s < run->rays->sources.count; s++) {
                const struct record_ray_source *source = &run->rays->sources.item[s];
                const struct record_absorbed *entry =
                    find_entry(run, source->absorbed.item, source->absorbed.count, m);
                *of += entry != NULL ? json_number_of(&entry->share, o) : 0;
            }
            sum += *of;
        }
        for (size_t m = 0; m < rows; m++)
            share[m * OCTAVE_BANDS_MAX + o] /= sum;
    }
}

/* ---- the account ---- */

/* Those of the means, which rays widen. */
static const struct json_numbers *octaves_of(const struct run_model *run)
{
    return run->means != NULL && run->means->octaves.count > 0 ? &run->means->octaves : &run->octaves;
}

static double mean_time(const struct run_model *run, size_t octave)
{
    static const enum figure times[] = {FIGURE_T30, FIGURE_T20, FIGURE_EDT};
    for (int i = 0; i < 3 && run->means != NULL; i++) {
        const double time = figure_values_octave(&run->means->mean, times[i], octave);
        if (time > 0)
            return time;
    }
    return NAN;
}

static void fill_octave(const struct run_model *run, const struct run_losses *losses, const double *share,
                        size_t o, struct loss_account *out)
{
    const double c = run->room.sound_speed, volume = run->size.air_volume;
    struct air_losses air;
    double area = 0;
    air_losses_make(&losses->air, &air);
    for (size_t m = 0; m < out->materials; m++)
        area += losses->surface[m].area;
    const struct loss_octave octave = {
        .time = mean_time(run, o),
        .air = losses->lossy ? loss_in_air(&air, octaves_of(run)->value[o], mean_time(run, o)) : 0,
        .reflections = c * area / (4 * volume)};
    out->time[o] = octave.time;
    out->in_air[o] = fmin(octave.air * octave.time / (6 * log(10)), 1);
    out->open[o] = share[out->materials * OCTAVE_BANDS_MAX + o];
    for (size_t m = 0; m < out->materials; m++) {
        const size_t i = m * out->octaves + o;
        out->absorption[i] = losses->surface[m].absorption[o];
        out->share[i] = share[m * OCTAVE_BANDS_MAX + o];
        out->sensitivity[i] = loss_sensitivity(&octave, out->share[i], out->absorption[i]);
    }
}

int loss_account_make(const struct run_model *run, struct loss_account *out, struct failure *failure)
{
    const size_t materials = run->room.materials.count, rows = materials + 1;
    const size_t given = octaves_of(run)->count,
                 octaves = given < OCTAVE_BANDS_MAX ? given : OCTAVE_BANDS_MAX;
    struct run_losses losses;
    *out = (struct loss_account){.materials = materials, .octaves = octaves};
    TRY(run_losses_make(run, &losses, failure));
    double *memory = calloc(2 * rows * (1 + OCTAVE_BANDS_MAX), sizeof *memory);
    double *share = memory + 2 * rows + rows * OCTAVE_BANDS_MAX;
    out->absorption = calloc(3 * materials * octaves + 1, sizeof *out->absorption);
    if (memory == NULL || out->absorption == NULL) {
        free(memory);
        loss_account_free(out);
        run_losses_free(&losses);
        return failure_memory(failure, 3 * rows * octaves * sizeof *memory, "the account of a run");
    }
    out->share = out->absorption + materials * octaves;
    out->sensitivity = out->share + materials * octaves;
    for (size_t i = 0; i < rows * OCTAVE_BANDS_MAX; i++)
        share[i] = NAN;
    for (size_t i = 0; i < 3 * materials * octaves; i++)
        out->absorption[i] = NAN;
    const bool complete = losses.surface_count == materials && materials > 0;
    if (complete)
        share_waves(run, &losses, share, memory);
    for (size_t o = 0; o < octaves; o++) {
        if (record_rays_hold(run, octaves_of(run)->value[o])) {
            share_rays(run, o, share);
            break;
        }
    }
    for (size_t o = 0; complete && o < octaves; o++)
        fill_octave(run, &losses, share, o, out);
    free(memory);
    run_losses_free(&losses);
    return 0;
}
