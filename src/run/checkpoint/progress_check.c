#include "src/run/checkpoint/progress_check.h"

#include <stdio.h>

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

static bool check_ledger(const struct energy_ledger *ledger, const struct energy_ledger *run, uint64_t steps,
                         uint64_t most, char wrong[PROGRESS_WRONG_MAX])
{
    const uint64_t begin = run->apart;
    bool good =
        progress_check_count("number of surfaces", ledger->surfaces, run->surfaces, run->surfaces, wrong) &&
        progress_check_count("number of taps of the source", ledger->channels, run->channels, run->channels,
                             wrong) &&
        progress_check_count("number of steps between samples", ledger->apart, begin,
                             most > begin ? most : begin, wrong) &&
        progress_check_count("number of samples of the energy", ledger->samples, 0, LEDGER_SAMPLES, wrong) &&
        progress_check_count("number of steps of the energy", ledger->steps, steps, steps, wrong);
    uint64_t before = 0;
    for (size_t n = 0; good && n < ledger->samples; before = ledger->sample[n++].step)
        good = progress_check_count("step of a sample of the energy", ledger->sample[n].step, before + 1,
                                    steps, wrong);
    return good;
}

bool progress_check(const struct source_progress *found, const struct source_progress *run, bool ended,
                    char wrong[PROGRESS_WRONG_MAX])
{
    const uint64_t first = run->planned, most = run->limit, steps = found->steps;
    /* A play that was stopped at its sounds has done them all. */
    const uint64_t least = steps > first ? steps : first;
    const struct field_monitor *monitor = &found->monitor;
    const bool looked = monitor->looks > 0;
    const struct {
        const char *name;
        uint64_t value, least, most;
    } count[] = {
        {"number of steps", steps, ended ? first : 1, most},
        {"number of steps before the emission", found->lead, run->lead, run->lead},
        {"number of planned steps", found->planned, ended ? steps : least, ended ? steps : most},
        {"greatest number of steps", found->limit, most, most},
        {"number of steps between looks", found->look_apart, run->look_apart, run->look_apart},
        {"step of the last check of the field", found->health_step, 0, steps},
        {"step of the last energy", found->energy_step, 0, steps},
        {"mark of a run that was stopped", found->capped, 0, 1},
        {"number of rows", found->rows, run->rows, run->rows},
        {"number of looks at the field", monitor->looks, 0, steps},
        {"step of a drift of the mean", monitor->record.near, 0, steps},
        {"step of a look at the field", monitor->last.step, 0, steps},
        {"step of a look at the field", monitor->least.step, 0, monitor->last.step},
        {"span of looks", monitor->span, looked, looked ? steps : 0},
    };
    for (size_t n = 0; n < sizeof count / sizeof *count; n++)
        if (!progress_check_count(count[n].name, count[n].value, count[n].least, count[n].most, wrong))
            return false;
    return !source_has_ledger(run) || check_ledger(&found->ledger, &run->ledger, steps, most, wrong);
}
