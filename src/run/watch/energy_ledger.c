#include "src/run/watch/energy_ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int energy_ledger_make(double spacing, size_t surfaces, struct energy_ledger *out, struct failure *failure)
{
    double *absorbed = calloc((LEDGER_SAMPLES + 1) * surfaces + 1, sizeof *absorbed);
    if (absorbed == NULL)
        return failure_memory(failure, LEDGER_SAMPLES * surfaces * sizeof *absorbed, "the energy ledger");
    *out = (struct energy_ledger){.spacing = spacing,
                                  .surfaces = surfaces,
                                  .apart = 1,
                                  .absorbed = absorbed,
                                  .scratch = absorbed + LEDGER_SAMPLES * surfaces};
    return 0;
}

int energy_ledger_of_kinds(struct energy_ledger *ledger, const struct wall_kinds *kinds,
                           struct failure *failure)
{
    const size_t kept = LEDGER_SAMPLES * ledger->surfaces;
    double *absorbed = realloc(ledger->absorbed, (kept + kinds->count + 2) * sizeof *absorbed);
    if (absorbed == NULL)
        return failure_memory(failure, (kept + kinds->count) * sizeof *absorbed, "the energy ledger");
    ledger->absorbed = absorbed;
    ledger->scratch = absorbed + kept;
    ledger->kinds = kinds;
    return 0;
}

/* The first of the kinds are the materials, and the open faces come behind all. */
static void fold_kinds(struct energy_ledger *ledger)
{
    const size_t materials = ledger->surfaces - 1, count = ledger->kinds->count;
    const double open = ledger->scratch[count];
    for (size_t k = materials; k < count; k++)
        ledger->scratch[ledger->kinds->kind[k].material] += ledger->scratch[k];
    ledger->scratch[materials] = open;
}

void energy_ledger_free(struct energy_ledger *ledger)
{
    free(ledger->absorbed);
    *ledger = (struct energy_ledger){0};
}

void energy_ledger_clear(struct energy_ledger *ledger, uint64_t steps)
{
    ledger->apart = 1;
    while (LEDGER_SAMPLES * ledger->apart < steps)
        ledger->apart *= 2;
    ledger->samples = 0;
    ledger->steps = 0;
    ledger->injected = 0.0;
    memset(ledger->drive, 0, sizeof ledger->drive);
    memset(ledger->pressure, 0, sizeof ledger->pressure);
}

/* True if nothing drives the field at the newest step. */
static bool is_silent(const struct energy_ledger *ledger)
{
    bool silent = true;
    for (size_t c = 0; c < energy_ledger_channels(ledger); c++)
        silent = silent && ledger->drive[c] == 0.0;
    return silent;
}

/* The newest sample may wait for the last drive before it. */
static void settle_sample(struct energy_ledger *ledger)
{
    struct energy_sample *last = ledger->samples > 0 ? &ledger->sample[ledger->samples - 1] : NULL;
    if (last != NULL && isnan(last->injected) &&
        (ledger->steps == last->step + 1 || (ledger->steps == last->step && is_silent(ledger))))
        last->injected = ledger->injected;
}

void energy_ledger_step(struct energy_ledger *ledger, const double *drive, const double *pressure)
{
    for (size_t c = 0; c < energy_ledger_channels(ledger); c++) {
        if (ledger->drive[c] != 0.0) /* a pressure that is not finite matters only while the source works */
            ledger->injected +=
                ledger->drive[c] * (pressure[c] - ledger->pressure[c][1]) / (2.0 * ledger->spacing);
        ledger->pressure[c][1] = ledger->pressure[c][0];
        ledger->pressure[c][0] = pressure[c];
        ledger->drive[c] = drive[c];
    }
    ledger->steps++;
    settle_sample(ledger);
}

uint64_t energy_ledger_next(const struct energy_ledger *ledger, uint64_t step)
{
    return (step / ledger->apart + 1) * ledger->apart;
}

void energy_ledger_decimate(struct energy_ledger *ledger)
{
    size_t kept = 0;
    ledger->apart *= 2;
    for (size_t n = 0; n < ledger->samples; n++)
        if (ledger->sample[n].step % ledger->apart == 0) {
            ledger->sample[kept] = ledger->sample[n];
            memmove(ledger->absorbed + kept++ * ledger->surfaces, energy_ledger_absorbed(ledger, n),
                    ledger->surfaces * sizeof *ledger->absorbed);
        }
    ledger->samples = kept;
}

void energy_ledger_sample(struct energy_ledger *ledger, uint64_t step, double stored)
{
    if (energy_ledger_ends_at(ledger, step))
        ledger->samples--;
    if (ledger->samples >= LEDGER_SAMPLES)
        energy_ledger_decimate(ledger);
    if (ledger->kinds != NULL && ledger->surfaces > 0)
        fold_kinds(ledger);
    const size_t n = ledger->samples++;
    ledger->sample[n] = (struct energy_sample){.step = step, .injected = NAN, .stored = stored};
    memcpy(ledger->absorbed + n * ledger->surfaces, ledger->scratch,
           ledger->surfaces * sizeof *ledger->absorbed);
    settle_sample(ledger);
}

bool energy_ledger_ends_at(const struct energy_ledger *ledger, uint64_t step)
{
    return ledger->samples > 0 && ledger->sample[ledger->samples - 1].step == step;
}

void energy_ledger_close(struct energy_ledger *ledger)
{
    if (ledger->samples > 0 && ledger->steps <= ledger->sample[ledger->samples - 1].step &&
        isnan(ledger->sample[ledger->samples - 1].injected))
        ledger->samples--;
}

const double *energy_ledger_absorbed(const struct energy_ledger *ledger, size_t sample)
{
    return ledger->absorbed + sample * ledger->surfaces;
}

double energy_ledger_imbalance(const struct energy_ledger *ledger)
{
    double worst = ledger->samples > 0 ? 0.0 : NAN;
    for (size_t n = 0; n < ledger->samples; n++) {
        double off = ledger->sample[n].injected - ledger->sample[n].stored;
        for (size_t s = 0; s < ledger->surfaces; s++)
            off -= energy_ledger_absorbed(ledger, n)[s];
        if (!(fabs(off) <= worst)) /* fmax() would drop a NaN */
            worst = fabs(off);
        if (!isfinite(worst))
            return NAN;
    }
    return ledger->injected > 0.0 ? worst / ledger->injected : NAN;
}
