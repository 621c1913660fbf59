#include "src/response/signal/head_filters.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/signal/fourier.h"

#define PI 3.14159265358979323846

#define LENGTH_LEAST  2048
#define BASS_FROM     200.0 /* measured heads are used from here.. */
#define BASS_TO       400.0 /* ..wholly [Hz] */
#define TIME_TO       500.0 /* the delay is taken from BASS_FROM to here */
#define SPHERE_POINTS 10000 /* that share out the solid angle */
#define PIVOT_LEAST   1e-3  /* of the normal equations, whose trace is 2 */
#define FADE_FROM     0.9   /* of the lower Nyquist frequency */

enum { CHANNELS = AMBISONIC_CHANNELS };

/* One ear's four filters at one frequency, as the channels come. */
typedef double complex ear_filters[CHANNELS];

struct design {
    const struct head_data *head;
    size_t length;  /* of transforms at the head's rate */
    size_t bins;    /* length / 2 + 1 */
    double *weight; /* (directions) sum 1 */
    double inverse[CHANNELS][CHANNELS];
    float *size;               /* (directions, EARS, bins) |H| */
    ear_filters *filter[EARS]; /* (bins) */
};

static void design_free(struct design *design)
{
    free(design->weight);
    free(design->size);
    free(design->filter[EAR_LEFT]);
    free(design->filter[EAR_RIGHT]);
}

static double frequency_of(const struct design *design, size_t k)
{
    return (double)k * design->head->rate / (double)design->length;
}

/* What a plane wave of size 1 from there gives each channel. */
static void channels_of(const double towards[3], double channel[CHANNELS])
{
    channel[AMBISONIC_W] = 1.0;
    channel[AMBISONIC_X] = towards[0];
    channel[AMBISONIC_Y] = towards[1];
    channel[AMBISONIC_Z] = towards[2];
}

/* ---- directions ---- */

/* Points spread evenly over a sphere (Fibonacci's spiral) go to the direction that is nearest. */
static void share_solid_angle(struct design *design)
{
    const struct head_data *head = design->head;
    const double turn = PI * (3.0 - sqrt(5.0));
    for (int n = 0; n < SPHERE_POINTS; n++) {
        const double z = 1.0 - (2.0 * n + 1.0) / SPHERE_POINTS, flat = sqrt(1.0 - z * z);
        const double point[3] = {flat * cos(turn * n), flat * sin(turn * n), z};
        size_t nearest = 0;
        double most = -2.0;
        for (size_t m = 0; m < head->directions; m++) {
            const double *to = head->towards[m];
            const double cosine = point[0] * to[0] + point[1] * to[1] + point[2] * to[2];
            if (cosine > most) {
                most = cosine;
                nearest = m;
            }
        }
        design->weight[nearest] += 1.0 / SPHERE_POINTS;
    }
}

/* The inverse of the normal equations (Gauss and Jordan; they are positive). False where it has none. */
static bool invert_normal(const struct design *design, double inverse[CHANNELS][CHANNELS])
{
    double a[CHANNELS][2 * CHANNELS] = {{0.0}};
    for (size_t m = 0; m < design->head->directions; m++) {
        double y[CHANNELS];
        channels_of(design->head->towards[m], y);
        for (int i = 0; i < CHANNELS; i++)
            for (int j = 0; j < CHANNELS; j++)
                a[i][j] += design->weight[m] * y[i] * y[j];
    }
    for (int i = 0; i < CHANNELS; i++)
        a[i][CHANNELS + i] = 1.0;
    for (int i = 0; i < CHANNELS; i++) {
        const double pivot = a[i][i];
        if (!(pivot > PIVOT_LEAST))
            return false;
        for (int j = 0; j < 2 * CHANNELS; j++)
            a[i][j] /= pivot;
        for (int r = 0; r < CHANNELS; r++) {
            const double factor = r == i ? 0.0 : a[r][i];
            for (int j = 0; j < 2 * CHANNELS; j++)
                a[r][j] -= factor * a[i][j];
        }
    }
    for (int i = 0; i < CHANNELS; i++)
        for (int j = 0; j < CHANNELS; j++)
            inverse[i][j] = a[i][CHANNELS + j];
    return true;
}

/* ---- fits ---- */

/* Right sides become filters. */
static void solve_filters(const struct design *design, ear_filters filter)
{
    ear_filters right;
    memcpy(right, filter, sizeof right);
    for (int i = 0; i < CHANNELS; i++) {
        filter[i] = 0.0;
        for (int j = 0; j < CHANNELS; j++)
            filter[i] += design->inverse[i][j] * right[j];
    }
}

/* Least squares at every frequency; the magnitudes are kept. */
static int fit_filters(struct design *design, struct failure *failure)
{
    const struct head_data *head = design->head;
    struct fourier fourier = {0};
    double complex *value = malloc(design->length * sizeof *value);
    if (value == NULL)
        return failure_memory(failure, design->length * sizeof *value, "the filters of a head");
    const int code = fourier_make(design->length, &fourier, failure);
    for (size_t row = 0; code == 0 && row < EARS * head->directions; row++) {
        const size_t m = row / EARS, ear = row % EARS;
        double y[CHANNELS];
        channels_of(head->towards[m], y);
        for (size_t n = 0; n < design->length; n++)
            value[n] = n < head->length ? (double)head->sample[row * head->length + n] : 0.0;
        fourier_forward(&fourier, value);
        for (size_t k = 0; k < design->bins; k++) {
            const double late = -2.0 * PI * (double)k * head->delay[row] / (double)design->length;
            const double complex h = fourier_product(value[k], cos(late) + I * sin(late));
            design->size[row * design->bins + k] = (float)cabs(h);
            for (int c = 0; c < CHANNELS; c++)
                design->filter[ear][k][c] += design->weight[m] * y[c] * h;
        }
    }
    for (size_t k = 0; k < design->bins; k++)
        for (int ear = 0; ear < EARS; ear++)
            solve_filters(design, design->filter[ear][k]);
    fourier_free(&fourier);
    free(value);
    return code;
}

static double complex respond_to(const ear_filters filter, const double y[CHANNELS])
{
    return filter[0] * y[0] + filter[1] * y[1] + filter[2] * y[2] + filter[3] * y[3];
}

/* The phase of the frequency below goes on; the magnitude is that of the head. */
static void fit_magnitude(struct design *design)
{
    const struct head_data *head = design->head;
    const size_t first = (size_t)ceil(HEAD_MAGNITUDE_FROM * (double)design->length / head->rate);
    for (int ear = 0; ear < EARS; ear++)
        for (size_t k = first; k < design->bins; k++) {
            ear_filters sum = {0.0};
            for (size_t m = 0; m < head->directions; m++) {
                double y[CHANNELS];
                channels_of(head->towards[m], y);
                const double complex before = respond_to(design->filter[ear][k - 1], y);
                const double size = cabs(before),
                             wanted = (double)design->size[(EARS * m + (size_t)ear) * design->bins + k];
                for (int c = 0; size > 0.0 && c < CHANNELS; c++)
                    sum[c] += design->weight[m] * y[c] * wanted / size * before;
            }
            solve_filters(design, sum);
            memcpy(design->filter[ear][k], sum, sizeof sum);
        }
}

/* ---- level, time, bass ---- */

/* In sound from everywhere an ear gets what F_W and the three others carry, a third of each of those. */
static void equalise_diffuse(struct design *design)
{
    for (size_t k = 0; k < design->bins; k++) {
        double power = 0.0;
        for (int ear = 0; ear < EARS; ear++)
            for (int c = 0; c < CHANNELS; c++) {
                const double size = cabs(design->filter[ear][k][c]);
                power += 0.5 * size * size * (c == AMBISONIC_W ? 1.0 : 1.0 / 3.0);
            }
        for (int ear = 0; power > 0.0 && ear < EARS; ear++)
            for (int c = 0; c < CHANNELS; c++)
                design->filter[ear][k][c] /= sqrt(power);
    }
}

/* A straight line through phases that are followed from one frequency to the next. */
struct line {
    double count, f, p, ff, fp; /* sums */
    double before, phase;
};

static void line_add(struct line *line, double f, double wrapped)
{
    line->phase = line->count > 0.0 ? line->phase + remainder(wrapped - line->before, 2.0 * PI) : wrapped;
    line->before = wrapped;
    line->count += 1.0;
    line->f += f;
    line->p += line->phase;
    line->ff += f * f;
    line->fp += f * line->phase;
}

/* The common delay of the measurement, and its polarity where that is reversed: those of F_W, both ears
 * together, which has neither at a head. */
static int remove_delay(struct design *design, struct failure *failure)
{
    struct line line = {0};
    for (size_t k = 1; k < design->bins && frequency_of(design, k) <= TIME_TO; k++) {
        const double complex middle =
            design->filter[EAR_LEFT][k][AMBISONIC_W] + design->filter[EAR_RIGHT][k][AMBISONIC_W];
        if (frequency_of(design, k) >= BASS_FROM && cabs(middle) > 0.0)
            line_add(&line, frequency_of(design, k), carg(middle));
    }
    if (line.count < 3.0)
        return failure_set(failure, FAILURE_INPUT, "the head has no sound between %g and %g Hz", BASS_FROM,
                           TIME_TO);
    const double slope = (line.count * line.fp - line.f * line.p) / (line.count * line.ff - line.f * line.f);
    /* Where the line meets 0 Hz: a multiple of pi, odd when the polarity is reversed. */
    const double start = PI * round((line.p - slope * line.f) / line.count / PI);
    const double sign = fabs(remainder(start, 2.0 * PI)) > 0.5 * PI ? -1.0 : 1.0;
    const double through = (line.fp - start * line.f) / line.ff;
    for (size_t k = 0; k < design->bins; k++) {
        const double complex factor = sign * cexp(-I * through * frequency_of(design, k));
        for (int ear = 0; ear < EARS; ear++)
            for (int c = 0; c < CHANNELS; c++)
                design->filter[ear][k][c] *= factor;
    }
    return 0;
}

/* What a loudspeaker cannot measure. */
static void extend_bass(struct design *design)
{
    for (int ear = 0; ear < EARS; ear++) {
        double slope[CHANNELS] = {0.0}, squares = 0.0, steep = 0.0;
        for (size_t k = 1; k < design->bins && frequency_of(design, k) <= BASS_TO; k++) {
            const double f = frequency_of(design, k);
            if (f < BASS_FROM)
                continue;
            squares += f * f;
            for (int c = 0; c < CHANNELS; c++)
                slope[c] += f * cimag(design->filter[ear][k][c]);
        }
        for (int c = 0; c < CHANNELS; c++) {
            slope[c] /= squares;
            steep += c == AMBISONIC_W ? 0.0 : slope[c] * slope[c] / 3.0;
        }
        for (size_t k = 0; k < design->bins && frequency_of(design, k) < BASS_TO; k++) {
            const double f = frequency_of(design, k),
                         measured = fmax(0.0, (f - BASS_FROM) / (BASS_TO - BASS_FROM));
            for (int c = 0; c < CHANNELS; c++) {
                const double complex small =
                    c == AMBISONIC_W ? sqrt(fmax(0.0, 1.0 - steep * f * f)) : I * f * slope[c];
                design->filter[ear][k][c] =
                    measured > 0.0 ? measured * design->filter[ear][k][c] + (1.0 - measured) * small : small;
            }
        }
    }
}

/* ---- taps ---- */

/* 0 to 1 over `width` from `at` on. */
static double cosine_rise(double x, double at, double width)
{
    return x <= at ? 0.0 : x >= at + width ? 1.0 : 0.5 - 0.5 * cos(PI * (x - at) / width);
}

/* Taps at the head's rate, of which `lead` come before time 0, faded at both ends. */
static void make_taps(const struct design *design, const struct fourier *fourier, int ear, int channel,
                      double complex *value, double *tap)
{
    const size_t length = design->length, lead = length / 8;
    for (size_t k = 0; k < length; k++) {
        const size_t bin = k < design->bins ? k : length - k;
        const double complex at = design->filter[ear][bin][channel];
        value[k] = bin == 0 || bin == length / 2 ? creal(at) : k < design->bins ? at : conj(at);
    }
    fourier_inverse(fourier, value);
    for (size_t n = 0; n < length; n++) {
        const double in = cosine_rise((double)n, -1.0, (double)lead / 2.0),
                     out = cosine_rise((double)(length - n), 0.0, (double)length / 8.0);
        tap[n] = creal(value[(n + length - lead) % length]) * in * out;
    }
}

/* The same filter at another rate: its spectrum, as far as both rates go, on that rate's frequencies. */
static void change_rate(const struct design *design, const double *tap, const struct fourier *fourier,
                        double rate, size_t lead, double complex *value, double *out)
{
    const size_t length = fourier->length;
    const double native = design->head->rate, end = 0.5 * fmin(native, rate);
    const double late = (double)(design->length / 8);
    for (size_t k = 0; k <= length / 2; k++) {
        const double f = (double)k * rate / (double)length;
        const double complex turn = cexp(-2.0 * PI * I * f / native);
        double complex sum = 0.0;
        for (size_t n = design->length; f < end && n-- > 0;)
            sum = fourier_product(sum, turn) + tap[n];
        sum *= cexp(2.0 * PI * I * f * (late / native - (double)lead / rate)) *
               (1.0 - cosine_rise(f, FADE_FROM * end, (1.0 - FADE_FROM) * end));
        value[k] = k == 0 || k == length / 2 ? creal(sum) : sum;
        if (k > 0 && k < length / 2)
            value[length - k] = conj(sum);
    }
    fourier_inverse(fourier, value);
    for (size_t n = 0; n < length; n++)
        out[n] = creal(value[n]);
}

static int make_filters(const struct design *design, double rate, struct head_filters *out,
                        struct failure *failure)
{
    const size_t count = fourier_length((size_t)ceil((double)design->length * rate / design->head->rate));
    struct head_filters filters = {.rate = rate, .count = count, .lead = count / 8};
    struct fourier here = {0}, there = {0};
    double complex *value = malloc((count + design->length) * sizeof *value);
    double *tap = malloc(design->length * sizeof *tap);
    filters.tap = malloc(EARS * CHANNELS * count * sizeof *filters.tap);
    int code = 0;
    if (value == NULL || tap == NULL || filters.tap == NULL)
        code = failure_memory(failure, (unsigned long long)(EARS * CHANNELS * count * sizeof *filters.tap),
                              "the filters of a head");
    if (code == 0)
        code = fourier_make(design->length, &here, failure);
    if (code == 0)
        code = fourier_make(count, &there, failure);
    for (int f = 0; code == 0 && f < EARS * CHANNELS; f++) {
        make_taps(design, &here, f / CHANNELS, f % CHANNELS, value, tap);
        change_rate(design, tap, &there, rate, filters.lead, value, filters.tap + (size_t)f * count);
    }
    fourier_free(&here);
    fourier_free(&there);
    free(value);
    free(tap);
    if (code != 0)
        head_filters_free(&filters);
    else
        *out = filters;
    return code;
}

static int design_make(const struct head_data *head, struct design *out, struct failure *failure)
{
    double latest = 0.0;
    for (size_t row = 0; row < EARS * head->directions; row++)
        latest = fmax(latest, head->delay[row]);
    const size_t longest = 2 * (head->length + (size_t)latest);
    out->head = head;
    out->length = fourier_length(longest > LENGTH_LEAST ? longest : LENGTH_LEAST);
    out->bins = out->length / 2 + 1;
    out->weight = calloc(head->directions, sizeof *out->weight);
    out->size = malloc(EARS * head->directions * out->bins * sizeof *out->size);
    for (int ear = 0; ear < EARS; ear++)
        out->filter[ear] = calloc(out->bins, sizeof *out->filter[ear]);
    if (out->weight == NULL || out->size == NULL || out->filter[0] == NULL || out->filter[1] == NULL)
        return failure_memory(failure,
                              (unsigned long long)(EARS * head->directions * out->bins * sizeof *out->size),
                              "the spectra of a head");
    share_solid_angle(out);
    if (!invert_normal(out, out->inverse))
        return failure_set(failure, FAILURE_INPUT,
                           "the %zu directions of the head lie too close to a plane or a point",
                           head->directions);
    TRY(fit_filters(out, failure));
    return remove_delay(out, failure);
}

int head_filters_make(const struct head_data *head, double rate, struct head_filters *out,
                      struct failure *failure)
{
    struct design design = {0};
    int code = design_make(head, &design, failure);
    if (code == 0) {
        fit_magnitude(&design);
        equalise_diffuse(&design);
        extend_bass(&design);
        equalise_diffuse(&design);
        code = make_filters(&design, rate, out, failure);
    }
    design_free(&design);
    return code;
}

void head_filters_free(struct head_filters *filters)
{
    free(filters->tap);
    *filters = (struct head_filters){0};
}
