#include "src/run/watch/field_monitor.h"

#include <float.h>
#include <math.h>

#define NEAR_SHARE  0.1 /* of the field's level: so much drift is reported */
#define NEAR_GROWTH 2.0 /* over the mean of the first half of the run */

void field_monitor_start(const struct field_room *room, const double *drive, size_t count,
                         struct field_monitor *monitor)
{
    *monitor = (struct field_monitor){.room = *room,
                                      .record = {.energy_start = NAN,
                                                 .energy_end = NAN,
                                                 .energy_rise = NAN,
                                                 .mean_start = NAN,
                                                 .mean_end = NAN,
                                                 .mean_drift = NAN}};
    field_monitor_drive(monitor, room->push, 1.0, drive, count);
}

void field_monitor_drive(struct field_monitor *monitor, double push, double sum, const double *drive,
                         size_t count)
{
    const struct field_room *room = &monitor->room;
    const double gain = room->lambda2 / room->spacing;
    double running = 0.0;
    for (size_t n = 0; n < count; n++) {
        running += drive[n];
        monitor->constant += sum * gain / room->mass * running;
        monitor->most += gain * push / sqrt(room->mass) * fabs(running);
        monitor->drive += gain * fabs(drive[n]);
    }
}

static double roundoff_of(const struct field_room *room)
{
    return room->precision == PRECISION_SINGLE ? 0x1p-24 : 0x1p-53;
}

/* |w|: of the field less its mean. A field may be checked as it passes through 0, when its energy is all in
 * its rate of change. */
static double moving_size(const struct field_room *room, const struct field_look *look)
{
    const double square = look->mean_square - look->mean * look->mean;
    return sqrt(fmax(room->mass * fmax(square, 0.0), 2.0 * room->lambda2 * fmax(look->energy, 0.0)));
}

/* |r|: the bound of a step's rounding error. Below the smallest normal number it no longer shrinks with the
 * field. */
static double rounding_size(const struct field_room *room, const struct field_look *look)
{
    const double smallest = room->precision == PRECISION_SINGLE ? (double)FLT_MIN : DBL_MIN;
    const double size = sqrt(room->mass) * (sqrt(look->mean_square) + smallest);
    return roundoff_of(room) * (size + 32.0 * moving_size(room, look));
}

/* The error of summing every term of the energy in double. */
static double summing_error(const struct field_room *room, const struct field_look *look)
{
    const double size = moving_size(room, look);
    return 2.0 * (double)room->air_nodes * DBL_EPSILON * (1.0 / room->lambda2 + 3.0) * size * size;
}

static int judge_energy(struct field_monitor *monitor, const struct field_look *look, struct failure *failure)
{
    const struct field_room *room = &monitor->room;
    const struct field_look *last = &monitor->last, *least = &monitor->least;
    const double rounding = fmax(rounding_size(room, last), rounding_size(room, look));
    const double moving = fmax(moving_size(room, last), moving_size(room, look));
    const double steps = (double)(look->step - last->step), step = 2.0 * rounding * moving / room->lambda2;
    monitor->variance += steps * step * step;
    monitor->bias += steps * (rounding * rounding / room->lambda2 + 2.0 * roundoff_of(room) * least->energy);
    const double allowed =
        sqrt(monitor->variance) + monitor->bias + summing_error(room, last) + summing_error(room, look);
    const double rise = look->energy - least->energy;
    monitor->record.energy_rise =
        fmax(monitor->record.energy_rise, rise / fmax(monitor->record.energy_start, DBL_MIN));
    if (!(rise <= allowed))
        return failure_advise(failure_set(failure, FAILURE_SIMULATION,
                                          "the energy of the field grew from %.6g at step %llu by %.3g up to "
                                          "step %llu without a source; rounding explains at most %.2g",
                                          least->energy, (unsigned long long)least->step, rise,
                                          (unsigned long long)look->step, allowed),
                              failure, ADVICE_STEADIER, 0);
    if (look->energy <= least->energy) {
        monitor->least = *look;
        monitor->variance = monitor->bias = 0.0;
    }
    return 0;
}

/* How large the mean was before half of the steps so far, or fewer. */
static double early_mean(struct field_monitor *monitor, const struct field_look *look)
{
    while (look->step >= 2 * monitor->span) {
        monitor->early = fmax(monitor->early, monitor->between);
        monitor->between = monitor->recent;
        monitor->recent = 0.0;
        monitor->span *= 2;
    }
    monitor->recent = fmax(monitor->recent, fabs(look->mean));
    return monitor->early;
}

static int judge_mean(struct field_monitor *monitor, const struct field_look *look, struct failure *failure)
{
    const struct field_room *room = &monitor->room;
    struct field_record *record = &monitor->record;
    const double steps = (double)look->step, level = sqrt(look->mean_square);
    const double rounding = monitor->loudest / room->mass * (sqrt(steps * steps * steps / 3.0) + steps) +
                            steps * roundoff_of(room) * monitor->drive / room->mass +
                            2.0 * (double)room->air_nodes * DBL_EPSILON * level;
    const double from = room->hard ? monitor->constant : 0.0, drift = fabs(look->mean - record->mean_start);
    const double limit = room->hard ? rounding : monitor->most + rounding;
    record->mean_drift = fmax(record->mean_drift, drift);
    if (!(fabs(look->mean - from) <= limit))
        return failure_advise(
            failure_set(
                failure, FAILURE_SIMULATION,
                "the mean pressure drifted to %.6g between step %llu and step %llu; %s, so it must lie "
                "within %.3g of %.6g",
                look->mean, (unsigned long long)monitor->last.step, (unsigned long long)look->step,
                room->hard ? "between rigid walls only rounding changes it" : "walls only absorb", limit,
                from),
            failure, ADVICE_STEADIER_OR_SHORTER, 0);
    const double early = early_mean(monitor, look);
    double grown = drift;
    if (!room->hard)
        grown = fabs(look->mean) >= NEAR_GROWTH * early ? fabs(look->mean) : 0.0;
    if (record->near == 0 && grown >= NEAR_SHARE * level && grown > 0.0 && monitor->looks > 1) {
        record->near = look->step;
        record->near_share = fmin(grown / level, 1.0);
    }
    return 0;
}

int field_monitor_look(struct field_monitor *monitor, const struct field_look *look, struct failure *failure)
{
    struct field_record *record = &monitor->record;
    if (!isfinite(look->energy) || !isfinite(look->mean))
        return failure_set(failure, FAILURE_SIMULATION,
                           "the field is so loud at step %llu that its energy is not finite: this is a fault "
                           "of the program, please report it",
                           (unsigned long long)look->step);
    if (monitor->looks++ == 0) {
        *record = (struct field_record){.energy_start = look->energy, .mean_start = look->mean};
        monitor->last = monitor->least = *look;
        monitor->span = look->step > 0 ? look->step : 1;
        monitor->early = fabs(look->mean);
    }
    record->energy_end = look->energy;
    record->mean_end = look->mean;
    monitor->loudest = fmax(monitor->loudest, rounding_size(&monitor->room, look));
    TRY(judge_energy(monitor, look, failure));
    TRY(judge_mean(monitor, look, failure));
    monitor->last = *look;
    return 0;
}
