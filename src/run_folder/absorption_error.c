#include "src/run_folder/absorption_error.h"

#include <math.h>

#include "src/response/diffuse/decay_law.h"
#include "src/run_folder/record_error.h"

double absorption_error_part(const struct run_model *run, const struct loss_account *account, size_t material,
                             size_t octave)
{
    const struct json_numbers *known = &run->room.materials.item[material].uncertainty;
    const size_t last = known->count > 0 ? known->count - 1 : 0;
    return account->sensitivity[material * account->octaves + octave] *
           json_number_of(known, octave < last ? octave : last);
}

double absorption_error_relative(const struct run_model *run, const struct loss_account *account,
                                 size_t octave)
{
    double sum = 0;
    bool any = false;
    for (size_t m = 0; m < account->materials; m++) {
        const double part = absorption_error_part(run, account, m, octave);
        any = any || isfinite(part);
        sum += isfinite(part) ? part * part : 0;
    }
    return any ? sqrt(sum) : NAN;
}

size_t absorption_error_largest(const struct run_model *run, const struct loss_account *account,
                                size_t octave, double *share)
{
    const double all = absorption_error_relative(run, account, octave);
    size_t largest = account->materials;
    *share = 0;
    for (size_t m = 0; m < account->materials; m++) {
        const double part = absorption_error_part(run, account, m, octave) / all;
        if (part * part > *share) {
            *share = part * part;
            largest = m;
        }
    }
    return largest;
}

double absorption_error_slope(const struct run_model *run, const struct loss_account *account,
                              const struct record_response *response, enum figure figure, size_t octave)
{
    const double value = figure_values_octave(&response->figures, figure, octave);
    const struct decay_law law = {account->time[octave], run->size.air_volume, response->distance,
                                  run->room.sound_speed};
    if (figure == FIGURE_EDT || figure == FIGURE_T20 || figure == FIGURE_T30)
        return value; /* of its own time */
    if (!(isfinite(value) && law.time > 0 && law.volume > 0 && law.distance > 0))
        return NAN;
    if (figure == FIGURE_D50) /* what clarity is in decibels */
        return value * (1 - value) * log(10) / 10 * decay_law_slope(&law, FIGURE_C50);
    return decay_law_slope(&law, figure) * (figure == FIGURE_TS ? value / decay_law_figure(&law, figure) : 1);
}

static bool fill_figure(const struct run_model *run, const struct loss_account *account,
                        const double *relative, struct record_response *response, enum figure figure)
{
    double part[OCTAVE_BANDS_MAX], error[OCTAVE_BANDS_MAX];
    size_t known = 0;
    for (size_t o = 0; o < account->octaves; o++) {
        const double other = figure_values_octave(&response->error, figure, o);
        part[o] = fabs(absorption_error_slope(run, account, response, figure, o)) * relative[o];
        error[o] = isfinite(part[o]) ? hypot(isfinite(other) ? other : 0, UNCERTAINTY_BAR * part[o]) : other;
        known += isfinite(part[o]);
    }
    return known == 0 || (json_numbers_set(&response->absorption.octave[figure], part, account->octaves) &&
                          json_numbers_set(&response->error.octave[figure], error, account->octaves));
}

int absorption_error_fill(struct run_model *run, struct failure *failure)
{
    struct loss_account account;
    double relative[OCTAVE_BANDS_MAX];
    bool done = true;
    TRY(loss_account_make(run, &account, failure));
    for (size_t o = 0; o < account.octaves; o++)
        relative[o] = absorption_error_relative(run, &account, o);
    for (size_t r = 0; r < run->responses.count; r++)
        for (int f = 0; done && f < PRESSURE_FIGURES; f++)
            done = fill_figure(run, &account, relative, &run->responses.item[r], (enum figure)f);
    loss_account_free(&account);
    return done ? 0 : failure_memory(failure, 0, "error bars");
}
