#include "src/run/checkpoint/progress_check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANY (-DBL_MAX) /* the least of a number that need only be finite */

void progress_take_known(struct source_progress *to, const struct source_progress *from)
{
    to->monitor.room = from->monitor.room;
    to->monitor.constant = from->monitor.constant;
    to->monitor.most = from->monitor.most;
    to->monitor.drive = from->monitor.drive;
    to->ledger.spacing = from->ledger.spacing;
    to->ledger.at_wall = from->ledger.at_wall;
    to->ledger.absorbed = from->ledger.absorbed;
    to->ledger.scratch = from->ledger.scratch;
    to->ledger.kinds = from->ledger.kinds;
    to->driven = from->driven;
    to->interrupted = from->interrupted;
    to->capacity = from->capacity;
    to->raw = from->raw;
}

bool progress_check_count(const char *name, uint64_t value, uint64_t least, uint64_t most,
                          char wrong[PROGRESS_WRONG_MAX])
{
    const unsigned long long is = value, low = least, high = most;
    if (value >= least && value <= most)
        return true;
    if (least == most)
        (void)snprintf(wrong, PROGRESS_WRONG_MAX, "its %s is %llu, and %llu in this run", name, is, low);
    else
        (void)snprintf(wrong, PROGRESS_WRONG_MAX, "its %s is %llu, and from %llu to %llu in this run", name,
                       is, low, high);
    return false;
}

static bool check_real(const char *name, double value, double least, char wrong[PROGRESS_WRONG_MAX])
{
    if (isfinite(value) && value >= least)
        return true;
    (void)snprintf(wrong, PROGRESS_WRONG_MAX, "its %s is %g, and %s in every run", name, value,
                   least == ANY ? "finite" : "finite and 0 or more");
    return false;
}

static bool check_look(const struct field_look *look, uint64_t last, char wrong[PROGRESS_WRONG_MAX])
{
    return progress_check_count("step of a look at the field", look->step, 0, last, wrong) &&
           check_real("energy at a look", look->energy, ANY, wrong) &&
           check_real("mean pressure at a look", look->mean, ANY, wrong) &&
           check_real("mean square at a look", look->mean_square, 0, wrong);
}

/* The other numbers of its record are NaN before the first look. */
static bool check_monitor(const struct field_monitor *monitor, uint64_t steps, char wrong[PROGRESS_WRONG_MAX])
{
    const bool looked = monitor->looks > 0;
    const struct field_record *record = &monitor->record;
    return progress_check_count("number of looks at the field", monitor->looks, 0, steps, wrong) &&
           progress_check_count("step of a drift of the mean", record->near, 0, steps, wrong) &&
           check_real("share of a drift of the mean", record->near_share, 0, wrong) &&
           check_look(&monitor->last, steps, wrong) &&
           check_look(&monitor->least, monitor->last.step, wrong) &&
           check_real("variance of the energy", monitor->variance, 0, wrong) &&
           check_real("bias of the energy", monitor->bias, 0, wrong) &&
           check_real("loudest rounding", monitor->loudest, 0, wrong) &&
           progress_check_count("span of looks", monitor->span, looked, looked ? steps : 0, wrong) &&
           check_real("early mean", monitor->early, 0, wrong) &&
           check_real("mean between", monitor->between, 0, wrong) &&
           check_real("recent mean", monitor->recent, 0, wrong);
}

/* A power of two times the run's initial value. */
static bool check_apart(uint64_t apart, uint64_t begin, uint64_t most, char wrong[PROGRESS_WRONG_MAX])
{
    if (!progress_check_count("number of steps between samples", apart, begin, most > begin ? most : begin,
                              wrong))
        return false;
    const uint64_t times = apart / begin;
    if (apart % begin == 0 && (times & (times - 1)) == 0)
        return true;
    (void)snprintf(wrong, PROGRESS_WRONG_MAX,
                   "its number of steps between samples is %llu, and a power of two times %llu in this run",
                   (unsigned long long)apart, (unsigned long long)begin);
    return false;
}

/* The injected energy of the last sample may wait for the next step: NaN. */
static bool check_samples(const struct energy_ledger *ledger, uint64_t steps, char wrong[PROGRESS_WRONG_MAX])
{
    uint64_t before = 0;
    for (size_t n = 0; n < ledger->samples; before = ledger->sample[n++].step) {
        const struct energy_sample *sample = &ledger->sample[n];
        if (!progress_check_count("step of a sample of the energy", sample->step, before + 1, steps, wrong) ||
            !check_real("stored energy of a sample", sample->stored, ANY, wrong) ||
            (n + 1 < ledger->samples &&
             !check_real("injected energy of a sample", sample->injected, ANY, wrong)))
            return false;
    }
    return true;
}

static bool check_channels(const struct energy_ledger *ledger, char wrong[PROGRESS_WRONG_MAX])
{
    for (size_t c = 0; c < energy_ledger_channels(ledger); c++)
        if (!check_real("pressure at the source", ledger->pressure[c][0], ANY, wrong) ||
            !check_real("pressure at the source a step before", ledger->pressure[c][1], ANY, wrong) ||
            !check_real("drive of the source", ledger->drive[c], ANY, wrong))
            return false;
    return true;
}

static bool check_ledger(const struct energy_ledger *ledger, const struct energy_ledger *run, uint64_t steps,
                         uint64_t most, char wrong[PROGRESS_WRONG_MAX])
{
    return progress_check_count("number of surfaces", ledger->surfaces, run->surfaces, run->surfaces,
                                wrong) &&
           progress_check_count("number of taps of the source", ledger->channels, run->channels,
                                run->channels, wrong) &&
           check_apart(ledger->apart, run->apart, most, wrong) &&
           progress_check_count("number of samples of the energy", ledger->samples, 0, LEDGER_SAMPLES,
                                wrong) &&
           progress_check_count("number of steps of the energy", ledger->steps, steps, steps, wrong) &&
           check_channels(ledger, wrong) && check_real("injected energy", ledger->injected, ANY, wrong) &&
           check_samples(ledger, steps, wrong);
}

bool progress_check(const struct source_progress *found, const struct source_progress *run, bool ended,
                    char wrong[PROGRESS_WRONG_MAX])
{
    const uint64_t first = run->planned, most = run->limit, steps = found->steps;
    const uint64_t least = steps + 1 > first ? steps + 1 : first;
    /* field_level is for the progress line alone; fall is worked out again. */
    return progress_check_count("number of steps", steps, ended ? first : 1, ended ? most : most - 1,
                                wrong) &&
           progress_check_count("number of steps before the emission", found->lead, run->lead, run->lead,
                                wrong) &&
           progress_check_count("number of planned steps", found->planned, ended ? steps : least,
                                ended ? steps : most, wrong) &&
           progress_check_count("greatest number of steps", found->limit, most, most, wrong) &&
           progress_check_count("number of steps between looks", found->look_apart, run->look_apart,
                                run->look_apart, wrong) &&
           progress_check_count("step of the last check of the field", found->health_step, 0, steps, wrong) &&
           progress_check_count("step of the last energy", found->energy_step, 0, steps, wrong) &&
           progress_check_count("mark of a run that was stopped", found->capped, 0, 1, wrong) &&
           progress_check_count("number of rows", found->rows, run->rows, run->rows, wrong) &&
           check_real("energy", found->energy, ANY, wrong) &&
           check_real("largest mean square", found->loudest, 0, wrong) &&
           check_real("time of stepping", found->seconds, 0, wrong) &&
           check_monitor(&found->monitor, steps, wrong) &&
           (!source_has_ledger(run) || check_ledger(&found->ledger, &run->ledger, steps, most, wrong));
}
