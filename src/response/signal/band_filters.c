#include "src/response/signal/band_filters.h"

#include <complex.h>
#include <math.h>

#define PI 3.14159265358979323846

/* ---- sets of bands ---- */

/* Centres are 1000 x 10^(step n); the first has this n. */
static const struct {
    double step, first;
    size_t most;
} row[] = {[BANDS_OCTAVE] = {0.3, -4.0, OCTAVE_BANDS_MAX}, [BANDS_THIRD] = {0.1, -13.0, BANDS_MAX}};

/* Edges over the centre: constants, since energies ask for them at every frequency. */
static double upper_edge(enum band_kind kind)
{
    return kind == BANDS_OCTAVE ? pow(10.0, 0.15) : pow(10.0, 0.05);
}

static double lower_edge(enum band_kind kind)
{
    return kind == BANDS_OCTAVE ? pow(10.0, -0.15) : pow(10.0, -0.05);
}

void bands_make(enum band_kind kind, double highest, struct bands *out)
{
    *out = (struct bands){.kind = kind};
    while (out->count < row[kind].most) {
        const double middle = 1000.0 * pow(10.0, row[kind].step * ((double)out->count + row[kind].first));
        if (middle * upper_edge(kind) > BANDS_EDGE_MARGIN * highest)
            break;
        out->centre[out->count++] = middle;
    }
}

size_t bands_middle_first(enum band_kind kind)
{
    return kind == BANDS_OCTAVE ? 3 : 9;
}

size_t bands_middle_last(enum band_kind kind)
{
    return kind == BANDS_OCTAVE ? 4 : 14;
}

int band_nominal(double centre)
{
    static const double preferred[] = {1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0};
    const long number = lround(10.0 * log10(centre));
    return number >= 10 && number <= 50
               ? (int)lround(preferred[number % 10] * pow(10.0, (double)(number / 10)))
               : (int)lround(centre);
}

double band_width(enum band_kind kind, double centre)
{
    return centre * (upper_edge(kind) - lower_edge(kind));
}

double band_ringing(enum band_kind kind, double centre)
{
    /* The slowest poles are at -sin(22.5 degrees) of half the bandwidth: exp(-0.383 pi B t), e^-4.8 here. */
    return 4.0 / band_width(kind, centre);
}

/* ---- filters ---- */

/* width s / (s^2 + damping s + square), s = (1 - z) / (1 + z) */
static struct biquad bilinear_section(double width, double damping, double square)
{
    const double norm = 1.0 + damping + square;
    return (struct biquad){
        .b0 = width / norm,
        .b1 = 0.0,
        .b2 = -width / norm,
        .a1 = 2.0 * (square - 1.0) / norm,
        .a2 = (1.0 - damping + square) / norm,
    };
}

/* Edges as the bilinear transform has them. */
static void band_pass(double low, double high, int order, struct biquad *section)
{
    const double middle2 = low * high, width = high - low;
    /* s -> (s^2 + middle2) / (width s) makes one section of the low-pass's real pole, and two poles of each
     * pole p of its upper half plane: one section for each of them and its conjugate. */
    if (order % 2 != 0)
        *section++ = bilinear_section(width, width, middle2);
    for (int k = 0; k < order / 2; k++) {
        const double complex p = cexp(I * PI * (order + 1 + 2 * k) / (2.0 * order));
        const double complex root = csqrt(p * p * width * width - 4.0 * middle2);
        for (int sign = 1; sign >= -1; sign -= 2) {
            const double complex pole = 0.5 * (p * width + sign * root);
            *section++ = bilinear_section(width, -2.0 * creal(pole), creal(pole * conj(pole)));
        }
    }
}

void band_filter_make(enum band_kind kind, double centre, double rate, int order, struct biquad *section)
{
    const double half = upper_edge(kind);
    band_pass(tan(PI * centre / half / rate), tan(PI * centre * half / rate), order, section);
}

void band_filter_backwards(enum band_kind kind, const float *sample, size_t count, double rate, double centre,
                           double *out)
{
    struct biquad section[BAND_FILTER_ORDER];
    band_filter_make(kind, centre, rate, BAND_FILTER_ORDER, section);
    for (size_t n = count; n-- > 0;) {
        double x = (double)sample[n];
        for (int s = 0; s < BAND_FILTER_ORDER; s++)
            x = biquad_step(&section[s], x);
        out[n] = x;
    }
}
