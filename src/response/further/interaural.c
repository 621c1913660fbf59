#include "src/response/further/interaural.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/band_filters.h"

#define LARGEST_LAG   0.001   /* [s] */
#define LOWEST_CENTRE 63.0957 /* the octave that rings longest [Hz] */
#define HZ_500        3
#define HZ_2000       5

/* The transform of one part: left as the real, right as the imaginary half. */
struct part {
    struct fourier fourier;
    double complex *both, *product;
    double rate, highest;
};

static int transform_part(const float *frames, size_t from, size_t to, struct part *part,
                          struct failure *failure)
{
    const size_t ring = (size_t)ceil(2.0 * band_ringing(BANDS_OCTAVE, LOWEST_CENTRE) * part->rate);
    const size_t length = fourier_length(to - from + ring);
    part->both = calloc(2 * length, sizeof *part->both);
    if (part->both == NULL)
        return failure_memory(failure, (unsigned long long)(2 * length * sizeof *part->both), "two ears");
    part->product = part->both + length;
    TRY(fourier_make(length, &part->fourier, failure));
    for (size_t n = from; n < to; n++)
        part->both[n - from] = (double)frames[2 * n] + I * (double)frames[2 * n + 1];
    fourier_forward(&part->fourier, part->both);
    return 0;
}

/* The top of the parabola through three values, of which the middle is the largest. */
static double parabola_top(double before, double middle, double after)
{
    const double bend = before - 2.0 * middle + after;
    return bend < 0.0 ? middle - 0.125 * (after - before) * (after - before) / bend : middle;
}

/* NaN if an ear hears nothing. */
static double correlate_octave(struct part *part, double centre)
{
    const size_t length = part->fourier.length;
    const size_t most = (size_t)(LARGEST_LAG * part->rate);
    double energy[2] = {0.0, 0.0}, largest = 0.0;
    for (size_t k = 0; k < length; k++)
        part->product[k] = 0.0;
    for (size_t k = 1; k < length / 2; k++) {
        const double f = part->rate * (double)k / (double)length;
        const double passed = f <= part->highest ? band_energy_passed(BANDS_OCTAVE, f, centre) : 0.0;
        const double complex plus = part->both[k], minus = conj(part->both[length - k]);
        const double complex left = 0.5 * (plus + minus), right = -0.5 * I * (plus - minus);
        part->product[k] = passed * fourier_product(conj(left), right);
        part->product[length - k] = conj(part->product[k]);
        energy[0] += passed * (creal(left) * creal(left) + cimag(left) * cimag(left));
        energy[1] += passed * (creal(right) * creal(right) + cimag(right) * cimag(right));
    }
    if (!(energy[0] > 0.0) || !(energy[1] > 0.0))
        return NAN;
    fourier_inverse(&part->fourier, part->product);
    for (size_t lag = 0; lag <= 2 * most; lag++) {
        const size_t at = (length + lag - most) % length;
        double value[3];
        for (size_t i = 0; i < 3; i++)
            value[i] = fabs(creal(part->product[(at + length + i - 1) % length]));
        if (value[1] >= value[0] && value[1] >= value[2])
            value[1] = parabola_top(value[0], value[1], value[2]);
        largest = fmax(largest, value[1]);
    }
    return fmin(1.0, largest * (double)length / (2.0 * sqrt(energy[0] * energy[1])));
}

static int correlate_part(const float *frames, size_t from, size_t to, double rate, double highest,
                          double out[OCTAVE_BANDS_MAX], struct failure *failure)
{
    struct part part = {.rate = rate, .highest = highest};
    double centre[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(highest, centre);
    if (from >= to)
        return 0;
    const int code = transform_part(frames, from, to, &part, failure);
    for (size_t b = 0; code == 0 && b < bands; b++)
        out[b] = correlate_octave(&part, centre[b]);
    fourier_free(&part.fourier);
    free(part.both);
    return code;
}

int interaural_make(const float *frames, size_t count, double rate, double highest, double onset,
                    const struct acoustic_figures *pressure, struct further_figures *out,
                    struct failure *failure)
{
    const size_t begin = sample_at(onset - LOW_PASS_REACH / highest, rate, count);
    const size_t limit = sample_at(onset + 0.08, rate, count);
    double *const early = out->octave[FIGURE_IACC_EARLY], *const late = out->octave[FIGURE_IACC_LATE];
    TRY(correlate_part(frames, begin, limit, rate, highest, early, failure));
    TRY(correlate_part(frames, limit, count, rate, highest, late, failure));
    for (size_t b = 0; pressure != NULL && b < OCTAVE_BANDS_MAX; b++)
        if (b >= pressure->bands || !isfinite(pressure->octave[b].c80))
            late[b] = NAN;
    further_figures_average(out, FIGURE_IACC_EARLY, HZ_500, HZ_2000);
    further_figures_average(out, FIGURE_IACC_LATE, HZ_500, HZ_2000);
    return 0;
}
