#include "src/decay_tail.h"

#include <math.h>

#define LEAST_WINDOWS 8
#define LATE_RANGE    316.0  /* the fit begins where the level is 25 dB above the end of the record */
#define WELL_BELOW    4.6052 /* nepers: a decay that is 20 dB below what follows it no longer disturbs */
#define LEAST_DROP    0.5    /* nepers: what falls by less is flat */
#define ROUNDS        200
#define SETTLED       1e-9
#define STAGES        4 /* decays in a row, each slower than the one before */

/* level exp(-fall t) + floor exp(-slow t), t in windows since the first that is fitted. */
struct curve {
    double level, fall, floor, slow;
};

/* One step of Fisher's scoring for the first `unknowns` of ln level, fall, floor and slow. Returns how far it
 * wants to move the first part, in nepers, over the `falling` windows. `sure` becomes the information on the
 * last unknown: the inverse of its variance for windows that average one value. */
static double score(const double *energy, size_t first, size_t end, double falling, int unknowns,
                    struct curve *curve, double *sure)
{
    double m[4][5] = {{0}};
    for (size_t i = first; i < end; i++) {
        const double t = (double)(i - first);
        const double early = curve->level * exp(-curve->fall * t), late = exp(-curve->slow * t);
        const double expected = early + curve->floor * late;
        const double slope[4] = {early / expected, -t * early / expected, late / expected,
                                 -t * curve->floor * late / expected};
        const double misfit = energy[i] / expected - 1.0;
        for (int a = 0; a < unknowns; a++) {
            for (int b = 0; b < unknowns; b++)
                m[a][b] += slope[a] * slope[b];
            m[a][4] += slope[a] * misfit;
        }
    }
    for (int a = 0; a < unknowns; a++) /* Gauss; the matrix is positive definite */
        for (int b = 0; b < unknowns; b++) {
            if (b == a || !(m[a][a] > 0.0))
                continue;
            const double share = m[b][a] / m[a][a];
            for (int c = 0; c < 5; c++)
                m[b][c] -= share * m[a][c];
        }
    double step[4] = {0};
    for (int a = 0; a < unknowns; a++)
        step[a] = m[a][a] > 0.0 ? m[a][4] / m[a][a] : 0.0;
    *sure = m[unknowns - 1][unknowns - 1];
    const double wish =
        fmax(fmax(fabs(step[0]), fabs(step[1]) * falling), fabs(step[3]) * (double)(end - first));
    const double part = wish > 1.0 ? 1.0 / wish : 1.0;
    curve->level *= exp(part * step[0]);
    curve->fall += part * step[1];
    curve->floor = fmax(0.0, curve->floor + part * step[2]);
    curve->slow = fmax(0.0, curve->slow + part * step[3]);
    return wish;
}

static double mean(const double *energy, size_t first, size_t end)
{
    double sum = 0.0;
    for (size_t i = first; i < end; i++)
        sum += energy[i];
    return sum / (double)(end - first);
}

static bool usable(const struct curve *curve)
{
    return isfinite(curve->level) && isfinite(curve->fall) && isfinite(curve->floor) && curve->fall > 0.0;
}

/* Windows first to end as one decay over a floor. */
static bool fit_floor(const double *energy, size_t first, size_t end, double floor, struct curve *out)
{
    size_t last = first;
    while (last < end && energy[last] > 4.0 * floor)
        last++;
    const double early = mean(energy, first, first + 2), falling = fmax((double)(last - first), 2.0);
    *out = (struct curve){.level = early, .floor = floor};
    out->fall = fmax(log(early / (4.0 * floor)), 0.1) / falling;
    double wish = 1.0, sure = 0.0;
    for (int round = 0; round < ROUNDS && wish > SETTLED; round++)
        wish = score(energy, first, end, falling, 3, out, &sure);
    if (out->floor <= 0.0) /* at the bound: the other two alone */
        for (int round = 0; round < ROUNDS && (round == 0 || wish > SETTLED); round++)
            wish = score(energy, first, end, falling, 2, out, &sure);
    return usable(out);
}

/* Does what `curve` has for a floor fall, and by more than chance lets it? `curve` becomes two decays then.
 */
static bool floor_falls(const double *energy, size_t first, size_t end, double freedom, struct curve *curve)
{
    struct curve two = *curve;
    const double length = (double)(end - first), falling = fmin(length, 10.0 / two.fall);
    double wish = 1.0, sure = 0.0;
    for (int round = 0; round < ROUNDS && wish > SETTLED; round++)
        wish = score(energy, first, end, falling, 4, &two, &sure);
    if (!usable(&two) || !(two.floor > 0.0) || !(two.slow < 0.9 * two.fall) || !(sure > 0.0))
        return false;
    const double chance = 1.0 / sqrt(sure * fmax(freedom, 0.1));
    if (!(two.slow * length > LEAST_DROP + 3.0 * chance * length))
        return false;
    *curve = two;
    return true;
}

void decay_tail_fit(const double *energy, size_t count, double freedom, struct decay_tail *out)
{
    *out = (struct decay_tail){0};
    if (count < LEAST_WINDOWS)
        return;
    const size_t tenth = count / 10 > 2 ? count / 10 : 2;
    const double floor = mean(energy, count - tenth, count);
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
    for (int stage = 0; stage < STAGES; stage++) {
        struct curve curve;
        /* Too few windows between peak and end to see it fall, from above its floor: with more before. */
        for (size_t more = LEAST_WINDOWS;
             !fit_floor(energy, first, count, floor, &curve) || (stage == 0 && curve.level <= curve.floor);
             more *= 2) {
            if (stage > 0 || first == 0)
                return;
            first = first > more ? first - more : 0;
        }
        const bool falls = curve.floor > 0.0 && floor_falls(energy, first, count, freedom, &curve);
        const double start = (double)first;
        struct decay_tail tail = {.found = true};
        if (falls) {
            tail.level = curve.floor * exp(curve.slow * start);
            tail.fall = curve.slow;
        } else {
            tail.level = curve.level * exp(curve.fall * start);
            tail.fall = curve.fall;
            tail.floor = curve.floor;
        }
        if (!isfinite(tail.level))
            return;
        /* A later stage knows less of the decay: it has a say only where it finds noise, or a decay again. */
        if (stage == 0 || falls || decay_tail_crossing(&tail) < (double)count)
            *out = tail;
        if (!falls)
            return;
        const double crossing = fmax(0.0, log(curve.level / curve.floor) / (curve.fall - curve.slow));
        const double well = start + crossing + WELL_BELOW / (curve.fall - curve.slow);
        if (!(well < (double)(count - LEAST_WINDOWS)))
            return;
        first = (size_t)well;
    }
}

double decay_tail_crossing(const struct decay_tail *tail)
{
    return tail->floor > 0.0 ? log(tail->level / tail->floor) / tail->fall : INFINITY;
}
