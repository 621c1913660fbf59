#include "src/response/acoustics/decay_tail.h"

#include <math.h>

#define LEAST_WINDOWS 8
#define LATE_RANGE    316.0 /* the fit begins where the level is 25 dB above the end of the record */
#define LEAST_DROP    0.5   /* nepers: what falls by less is flat */
#define ROUNDS        200
#define SETTLED       1e-9
#define CHANCE        3.0 /* standard deviations: what is within them may be chance */

/* level exp(-fall t) + floor exp(-slow t) + rest, t in windows since the first that is fitted. */
struct curve {
    double level, fall, floor, slow, rest;
};

enum { UNKNOWNS = 5 };

/* One step of Fisher's scoring for the first `unknowns` of ln level, fall, floor, slow and rest. Returns how
 * far it wants to move the first part, in nepers, over the `falling` windows. `sure` becomes the information
 * on the last unknown: the inverse of its variance for windows that average one value. */
static double score_step(const double *energy, size_t first, size_t end, double falling, int unknowns,
                         struct curve *curve, double *sure)
{
    double m[UNKNOWNS][UNKNOWNS + 1] = {{0}};
    for (size_t i = first; i < end; i++) {
        const double t = (double)(i - first);
        const double early = curve->level * exp(-curve->fall * t), late = exp(-curve->slow * t);
        const double expected = early + curve->floor * late + curve->rest;
        const double slope[UNKNOWNS] = {early / expected, -t * early / expected, late / expected,
                                        -t * curve->floor * late / expected, 1.0 / expected};
        const double misfit = energy[i] / expected - 1.0;
        for (int a = 0; a < unknowns; a++) {
            for (int b = 0; b < unknowns; b++)
                m[a][b] += slope[a] * slope[b];
            m[a][UNKNOWNS] += slope[a] * misfit;
        }
    }
    for (int a = 0; a < unknowns; a++) /* Gauss; the matrix is positive definite */
        for (int b = 0; b < unknowns; b++) {
            if (b == a || !(m[a][a] > 0.0))
                continue;
            const double share = m[b][a] / m[a][a];
            for (int c = 0; c <= UNKNOWNS; c++)
                m[b][c] -= share * m[a][c];
        }
    double step[UNKNOWNS] = {0};
    for (int a = 0; a < unknowns; a++)
        step[a] = m[a][a] > 0.0 ? m[a][UNKNOWNS] / m[a][a] : 0.0;
    *sure = m[unknowns - 1][unknowns - 1];
    const double wish =
        fmax(fmax(fabs(step[0]), fabs(step[1]) * falling), fabs(step[3]) * (double)(end - first));
    const double part = wish > 1.0 ? 1.0 / wish : 1.0;
    curve->level *= exp(part * step[0]);
    curve->fall += part * step[1];
    curve->floor = fmax(0.0, curve->floor + part * step[2]);
    curve->slow = fmax(0.0, curve->slow + part * step[3]);
    curve->rest = fmax(0.0, curve->rest + part * step[4]);
    return wish;
}

static double mean_energy(const double *energy, size_t first, size_t end)
{
    double sum = 0.0;
    for (size_t i = first; i < end; i++)
        sum += energy[i];
    return sum / (double)(end - first);
}

static bool is_usable(const struct curve *curve)
{
    return isfinite(curve->level) && isfinite(curve->fall) && isfinite(curve->floor) &&
           isfinite(curve->rest) && curve->fall > 0.0;
}

/* -2 ln of the likelihood of `curve`, but for what does not depend on it, of windows that average one value.
 */
static double minus_log_likelihood(const double *energy, size_t first, size_t end, const struct curve *curve)
{
    double sum = 0.0;
    for (size_t i = first; i < end; i++) {
        const double t = (double)(i - first);
        const double expected =
            curve->level * exp(-curve->fall * t) + curve->floor * exp(-curve->slow * t) + curve->rest;
        sum += 2.0 * (log(expected) + energy[i] / expected);
    }
    return sum;
}

/* From `curve` to the best fit near it. Returns the information of score_step() on the last unknown. */
static double climb_to_fit(const double *energy, size_t first, size_t end, double falling, int unknowns,
                           struct curve *curve)
{
    double wish = 1.0, sure = 0.0;
    for (int round = 0; round < ROUNDS && wish > SETTLED; round++)
        wish = score_step(energy, first, end, falling, unknowns, curve, &sure);
    return sure;
}

/* As one decay alone, which has one best fit that is found from anywhere. */
static struct curve fit_alone(const double *energy, size_t first, size_t end)
{
    const size_t half = (end - first) / 2;
    const double early = mean_energy(energy, first, first + half),
                 late = mean_energy(energy, end - half, end);
    struct curve curve = {.level = early, .fall = log(early / late) / (double)half};
    (void)climb_to_fit(energy, first, end, (double)(end - first), 2, &curve);
    return curve;
}

/* Windows first to end as one decay, over a floor where that fits better by more than chance lets it. With a
 * floor there may be several best fits: the search starts from each quarter. */
static bool fit_floor(const double *energy, size_t first, size_t end, double freedom, struct curve *out)
{
    *out = fit_alone(energy, first, end);
    double best = is_usable(out)
                      ? minus_log_likelihood(energy, first, end, out) - CHANCE * CHANCE / fmax(freedom, 0.1)
                      : INFINITY;
    for (size_t quarter = 1; quarter < 4; quarter++) {
        const size_t meet = first + quarter * (end - first) / 4;
        struct curve over = fit_alone(energy, first, meet);
        over.floor = mean_energy(energy, meet, end);
        (void)climb_to_fit(energy, first, end, (double)(meet - first), 3, &over);
        const double found = is_usable(&over) ? minus_log_likelihood(energy, first, end, &over) : INFINITY;
        if (found < best) {
            best = found;
            *out = over;
        }
    }
    return is_usable(out);
}

/* Does what `curve` has for a floor fall, and by more than chance lets it? `curve` becomes two decays then,
 * over a floor where that fits better still. */
static bool floor_falls(const double *energy, size_t first, size_t end, double freedom, struct curve *curve)
{
    struct curve two = *curve;
    const double length = (double)(end - first), falling = fmin(length, 10.0 / two.fall);
    const double sure = climb_to_fit(energy, first, end, falling, 4, &two);
    if (!is_usable(&two) || !(two.floor > 0.0) || !(two.slow < 0.9 * two.fall) || !(sure > 0.0))
        return false;
    const double chance = 1.0 / sqrt(sure * fmax(freedom, 0.1));
    if (!(two.slow * length > LEAST_DROP + CHANCE * chance * length))
        return false;
    struct curve over = two; /* one that levels off at once seems slower than it is */
    over.rest = mean_energy(energy, end - 2, end);
    (void)climb_to_fit(energy, first, end, falling, UNKNOWNS, &over);
    const bool levels_off =
        is_usable(&over) && over.floor > over.rest && over.slow < 0.9 * over.fall &&
        minus_log_likelihood(energy, first, end, &over) + CHANCE * CHANCE / fmax(freedom, 0.1) <
            minus_log_likelihood(energy, first, end, &two);
    *curve = levels_off ? over : two;
    return true;
}

void decay_tail_fit(const double *energy, size_t count, double freedom, struct decay_tail *out)
{
    *out = (struct decay_tail){0};
    if (count < LEAST_WINDOWS)
        return;
    const size_t tenth = count / 10 > 2 ? count / 10 : 2;
    const double floor = mean_energy(energy, count - tenth, count);
    size_t first = 0;
    for (size_t i = 0; i < count; i++)
        if (energy[i] > energy[first])
            first = i;
    if (!(floor > 0.0) || !(energy[first] > 0.0))
        return;
    while (first < count && energy[first] > LATE_RANGE * floor)
        first++;
    if (first > count - LEAST_WINDOWS)
        first = count - LEAST_WINDOWS;
    struct curve curve;
    if (!fit_floor(energy, first, count, freedom, &curve) || curve.level <= curve.floor)
        return;
    const double start = (double)first;
    struct decay_tail tail = {.found = true};
    if (curve.floor > 0.0 && floor_falls(energy, first, count, freedom, &curve)) {
        tail.level = curve.floor * exp(curve.slow * start);
        tail.fall = curve.slow;
        tail.floor = curve.rest;
    } else {
        tail.level = curve.level * exp(curve.fall * start);
        tail.fall = curve.fall;
        tail.floor = curve.floor;
    }
    if (isfinite(tail.level))
        *out = tail;
}

double decay_tail_crossing(const struct decay_tail *tail)
{
    return tail->floor > 0.0 ? log(tail->level / tail->floor) / tail->fall : INFINITY;
}
