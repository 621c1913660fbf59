#include "src/rays/ray_figures.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "src/rays/ray_directions.h"

#define PI        3.14159265358979323846
#define REFERENCE 0.01 /* 1 / (10 m)^2 */
#define DRAWS     24   /* of an interference pattern: their deviation is right within 15 % */
#define BANDWIDTH 0.707

/* The energy of a place in an octave, bin by bin: `of` (bins) without direct sound. */
struct curve {
    const struct ray_energy *energy;
    size_t receiver;
    int octave;
    const double *of;
    double start, whole;
};

/* Direct sound between two times. */
static double direct_energy(const struct curve *curve, double from, double to)
{
    const size_t first = curve->receiver * curve->energy->emitters;
    double sum = 0;
    for (size_t e = first; e < first + curve->energy->emitters; e++)
        if (curve->energy->arrival[e] >= from && curve->energy->arrival[e] < to)
            sum += curve->energy->direct[e][curve->octave];
    return sum;
}

/* Energy of up to `after` behind the start, at which the direct sound arrives. */
static double early_energy(const struct curve *curve, double after)
{
    const double end = (curve->start + after) / curve->energy->bin;
    double sum = direct_energy(curve, 0, curve->start + after);
    for (size_t b = 0; b < curve->energy->bins && (double)b < end; b++)
        sum += curve->of[b] * fmin(1, end - (double)b);
    return sum;
}

static double centre_time(const struct curve *curve)
{
    const size_t first = curve->receiver * curve->energy->emitters;
    double sum = 0;
    for (size_t b = 0; b < curve->energy->bins; b++)
        sum += curve->of[b] * fmax(0, ((double)b + 0.5) * curve->energy->bin - curve->start);
    for (size_t e = first; e < first + curve->energy->emitters; e++)
        if (isfinite(curve->energy->arrival[e]))
            sum += curve->energy->direct[e][curve->octave] * (curve->energy->arrival[e] - curve->start);
    return sum / curve->whole;
}

/* The line through the level between two levels below its start [dB]. It falls by a tenth of their difference
 * at least: between two arrivals the level is flat, and rounding would be its slope. */
static double reverberation_time(const struct curve *curve, double from, double to)
{
    double left = curve->whole, n = 0, x = 0, y = 0, xx = 0, xy = 0;
    bool reached = false;
    for (size_t b = 0; b < curve->energy->bins && !reached; b++) {
        const double bin = curve->energy->bin, t = (double)b * bin - curve->start,
                     level = 10 * log10(left / curve->whole);
        reached = !(level >= to);
        if (t >= 0 && level <= from && !reached) {
            n++;
            x += t;
            y += level;
            xx += t * t;
            xy += t * level;
        }
        left -= curve->of[b] + direct_energy(curve, (double)b * bin, (double)(b + 1) * bin);
    }
    const double slope = (n * xy - x * y) / (n * xx - x * x);
    return reached && n > 2 && -slope * n * curve->energy->bin > (from - to) / 10 ? -60 / slope : NAN;
}

/* Of one octave, whose energy is `of`. */
static void make_octave(const struct ray_energy *energy, size_t receiver, int octave, const double *of,
                        struct ray_figures *out)
{
    struct curve curve = {
        .energy = energy, .receiver = receiver, .octave = octave, .of = of, .start = INFINITY};
    size_t first = energy->bins;
    curve.whole = direct_energy(&curve, 0, INFINITY);
    for (size_t e = receiver * energy->emitters; e < (receiver + 1) * energy->emitters; e++)
        curve.start = fmin(curve.start, energy->arrival[e]);
    for (size_t b = energy->bins; b-- > 0;) {
        curve.whole += of[b];
        first = of[b] > 0 ? b : first;
    }
    if (!isfinite(curve.start))
        curve.start = (double)first * energy->bin;
    const double at_50 = early_energy(&curve, 0.05), at_80 = early_energy(&curve, 0.08);
    out->value[FIGURE_EDT][octave] = reverberation_time(&curve, 0, -10);
    out->value[FIGURE_T20][octave] = reverberation_time(&curve, -5, -25);
    out->value[FIGURE_T30][octave] = reverberation_time(&curve, -5, -35);
    out->value[FIGURE_C50][octave] = 10 * log10(at_50 / (curve.whole - at_50));
    out->value[FIGURE_C80][octave] = 10 * log10(at_80 / (curve.whole - at_80));
    out->value[FIGURE_D50][octave] = at_50 / curve.whole;
    out->value[FIGURE_TS][octave] = centre_time(&curve);
    out->value[FIGURE_G][octave] = 10 * log10(curve.whole / REFERENCE);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (!isfinite(out->value[f][octave]))
            out->value[f][octave] = NAN;
}

int ray_figures_make(const struct ray_energy *energy, size_t part, size_t receiver, struct ray_figures *out,
                     struct failure *failure)
{
    double *of = malloc((energy->bins + 1) * sizeof *of);
    if (of == NULL)
        return failure_memory(failure, energy->bins * sizeof *of, "the energy of an octave");
    for (int o = 0; o < RAY_OCTAVES; o++) {
        for (size_t b = 0; b < energy->bins; b++)
            of[b] = ray_energy_at(energy, part, receiver, b, o);
        make_octave(energy, receiver, o, of, out);
    }
    free(of);
    return 0;
}

/* The standard deviation of `count` sets of figures. */
static void find_deviation(const struct ray_figures *set, size_t count, struct ray_figures *out)
{
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (int o = 0; o < RAY_OCTAVES; o++) {
            double mean = 0, square = 0;
            for (size_t i = 0; i < count; i++)
                mean += set[i].value[f][o] / (double)count;
            for (size_t i = 0; i < count; i++)
                square += (set[i].value[f][o] - mean) * (set[i].value[f][o] - mean);
            out->value[f][o] = sqrt(square / (double)(count - 1));
        }
}

int ray_figures_noise(const struct ray_energy *energy, size_t receiver, struct ray_figures *out,
                      struct failure *failure)
{
    struct ray_figures part[RAY_PARTS];
    for (size_t p = 0; p < RAY_PARTS; p++)
        TRY(ray_figures_make(energy, p, receiver, &part[p], failure));
    find_deviation(part, RAY_PARTS, out);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            out->value[f][o] /= sqrt(RAY_PARTS);
    return 0;
}

/* Mean 1, `freedoms` complex degrees of freedom: a gamma distribution (Marsaglia and Tsang 2000). */
static double draw_energy(double freedoms, struct ray_dice *dice)
{
    const double shape = freedoms < 1 ? freedoms + 1 : freedoms;
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double u = 1 - ray_dice_throw(dice), v = 1 - ray_dice_throw(dice);
        const double x = sqrt(-2 * log(u)) * cos(2 * PI * v), w = 1 + c * x, cube = w * w * w;
        if (!(w > 0 && log(1 - ray_dice_throw(dice)) < x * x / 2 + d - d * cube + d * log(cube)))
            continue;
        const double lower = freedoms < 1 ? pow(1 - ray_dice_throw(dice), 1 / freedoms) : 1;
        return d * cube * lower / freedoms;
    }
}

int ray_figures_interference(const struct ray_energy *energy, size_t receiver, struct ray_figures *out,
                             struct failure *failure)
{
    struct ray_figures drawn[DRAWS];
    struct ray_dice dice = {receiver};
    double *of = malloc((energy->bins + 1) * sizeof *of);
    if (of == NULL)
        return failure_memory(failure, energy->bins * sizeof *of, "the energy of an octave");
    for (size_t n = 0; n < DRAWS; n++)
        for (int o = 0; o < RAY_OCTAVES; o++) {
            const double freedoms = BANDWIDTH * ray_octave_centre(o) * energy->bin;
            for (size_t b = 0; b < energy->bins; b++) {
                const double mean = ray_energy_at(energy, RAY_PARTS, receiver, b, o);
                of[b] = mean > 0 ? mean * draw_energy(freedoms, &dice) : 0;
            }
            make_octave(energy, receiver, o, of, &drawn[n]);
        }
    free(of);
    find_deviation(drawn, DRAWS, out);
    return 0;
}

void ray_figures_put(const struct ray_figures *figures, size_t first, struct acoustic_figures *out)
{
    out->bands = RAY_OCTAVES;
    for (size_t o = first; o < RAY_OCTAVES; o++) {
        struct band_figures *octave = &out->octave[o];
        *octave = (struct band_figures){.times = {.centre = ray_octave_centre((int)o),
                                                  .edt = figures->value[FIGURE_EDT][o],
                                                  .t20 = figures->value[FIGURE_T20][o],
                                                  .t30 = figures->value[FIGURE_T30][o],
                                                  .range = NAN,
                                                  .floor = -INFINITY,
                                                  .end = NAN,
                                                  .tail = NAN,
                                                  .nonlinearity = NAN},
                                        .c50 = figures->value[FIGURE_C50][o],
                                        .c80 = figures->value[FIGURE_C80][o],
                                        .d50 = figures->value[FIGURE_D50][o],
                                        .ts = figures->value[FIGURE_TS][o],
                                        .g = figures->value[FIGURE_G][o]};
        octave->times.curvature = 100 * (octave->times.t30 / octave->times.t20 - 1);
    }
}

static double modulation_at(const struct ray_energy *energy, size_t receiver, int octave, double frequency)
{
    double complex sum = 0;
    double whole = 0;
    const double turn = 2 * PI * frequency;
    for (size_t b = 0; b < energy->bins; b++) {
        const double e = ray_energy_at(energy, RAY_PARTS, receiver, b, octave);
        sum += e * cexp(-I * turn * ((double)b + 0.5) * energy->bin);
        whole += e;
    }
    for (size_t e = receiver * energy->emitters; e < (receiver + 1) * energy->emitters; e++) {
        if (!isfinite(energy->arrival[e]))
            continue;
        sum += energy->direct[e][octave] * cexp(-I * turn * energy->arrival[e]);
        whole += energy->direct[e][octave];
    }
    return cabs(sum) / whole;
}

void ray_speech_put(const struct ray_energy *energy, size_t receiver, size_t first,
                    struct speech_transmission *out)
{
    double mti[SPEECH_OCTAVES];
    bool whole = true;
    for (size_t i = 0; i < SPEECH_OCTAVES; i++) {
        struct speech_octave *octave = &out->octave[i];
        if (i >= first) {
            *octave = (struct speech_octave){.centre = ray_octave_centre((int)i + 1)};
            for (int f = 0; f < SPEECH_MODULATIONS; f++) {
                octave->transfer[f] = modulation_at(energy, receiver, (int)i + 1, speech_modulation[f]);
                octave->mti += speech_transfer_index(octave->transfer[f]) / SPEECH_MODULATIONS;
            }
        }
        mti[i] = octave->mti;
        whole = whole && isfinite(mti[i]);
    }
    out->sti = whole ? speech_index(mti) : NAN;
    if (whole)
        out->why[0] = '\0';
}

double ray_figure_steps(enum figure figure, double one, double other)
{
    return (other - one) / figure_step(figure, one);
}
