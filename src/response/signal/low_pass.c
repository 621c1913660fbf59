#include "src/response/signal/low_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Kaiser's estimates (Oppenheim and Schafer, Discrete-Time Signal Processing, section 7.5). */
#define KAISER_SHAPE(attenuation)        (0.1102 * ((attenuation)-8.7))
#define KAISER_WIDTH(attenuation, width) (((attenuation)-7.95) / (14.36 * (width)))

/* Magnitudes below a floor are raised to it before their logarithm is taken: the zeros of the stop band
 * lie on the unit circle, and no minimum-phase filter of finite length could follow them. The floor falls
 * from the edge on as the window's side lobes do. */
#define MAGNITUDE_FLOOR 2.5e-4 /* at the edge */
#define EARLY_FLOOR     3e-4   /* of the early half, likewise */
#define OVERSAMPLING    16     /* of the transforms over the taps: the cepstrum of a steep edge is long */

/* Between two filters: the rest in the stop band is not divided by less than this. The quotient rings for
 * some lengths of the filters, because they are steep and turn phases there. */
#define QUOTIENT_FLOOR 1e-3
#define QUOTIENT_REACH 6 /* half length of the quotient over that of the linear-phase filter */

void low_pass_free(struct low_pass *filter)
{
    free(filter->tap);
    *filter = (struct low_pass){0};
}

/* `width` from the pass band to the stop band, in parts of the rate. */
static size_t half_length(double attenuation, double width)
{
    return (size_t)ceil(0.5 * KAISER_WIDTH(attenuation, width));
}

size_t low_pass_lead(double fmax, double rate)
{
    return half_length(LOW_PASS_ATTENUATION, (LOW_PASS_STOP_RATIO - 1.0) * fmax / rate);
}

/* `cutoff` in parts of the rate. */
static int windowed_sinc(double cutoff, size_t half, double attenuation, struct low_pass *out,
                         struct failure *failure)
{
    const size_t count = 2 * half + 1;
    double *tap = malloc(count * sizeof *tap);
    if (tap == NULL)
        return failure_memory(failure, (unsigned long long)(count * sizeof *tap), "the low-pass filter");
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) {
        const double n = (double)k - (double)half;
        const double place = n / (double)half;
        const double ideal = k == half ? 2.0 * cutoff : sin(2.0 * PI * cutoff * n) / (PI * n);
        tap[k] = ideal * bessel_i0(KAISER_SHAPE(attenuation) * sqrt(1.0 - place * place));
        sum += tap[k];
    }
    for (size_t k = 0; k < count; k++)
        tap[k] /= sum;
    *out = (struct low_pass){.count = count, .lead = half, .tap = tap};
    return 0;
}

static int linear_phase(double fmax, double rate, struct low_pass *out, struct failure *failure)
{
    const double cutoff = 0.5 * (LOW_PASS_STOP_RATIO + 1.0) * fmax / rate;
    return windowed_sinc(cutoff, low_pass_lead(fmax, rate), LOW_PASS_ATTENUATION, out, failure);
}

size_t low_pass_sharp_lead(const double edge[2], double rate)
{
    return half_length(LOW_PASS_SHARP, (edge[1] - edge[0]) / rate);
}

int low_pass_sharp(const double edge[2], double rate, struct low_pass *out, struct failure *failure)
{
    return windowed_sinc(0.5 * (edge[0] + edge[1]) / rate, low_pass_sharp_lead(edge, rate), LOW_PASS_SHARP,
                         out, failure);
}

/* From a logarithmic magnitude (real, even) to the transform of its minimum-phase filter: keep the causal
 * half of the cepstrum (Oppenheim and Schafer, section 12.7). `share` 1 gives the whole magnitude, 1/2
 * its root. */
static void minimum_phase(const struct fourier *fourier, double complex *value, double share)
{
    const size_t length = fourier->length;
    fourier_inverse(fourier, value);
    for (size_t n = 0; n < length; n++) {
        const double fold = n == 0 || n == length / 2 ? 1.0 : n < length / 2 ? 2.0 : 0.0;
        value[n] = share * fold * creal(value[n]);
    }
    fourier_forward(fourier, value);
    for (size_t n = 0; n < length; n++)
        value[n] = cexp(value[n]);
}

/* `f` in units of fmax. */
static double magnitude_floor(double f)
{
    const double width = 0.5 * (LOW_PASS_STOP_RATIO - 1.0), away = fabs(f - (1.0 + width));
    return MAGNITUDE_FLOOR * (away > width ? width / away : 1.0);
}

void low_pass_roots_free(struct low_pass_roots *roots)
{
    low_pass_free(&roots->filter);
    fourier_free(&roots->fourier);
    free(roots->level);
    *roots = (struct low_pass_roots){0};
}

/* Takes over the filter `made`. */
static int make_roots(struct low_pass *made, double fmax, double rate, struct low_pass_roots *out,
                      struct failure *failure)
{
    struct low_pass_roots roots = {.filter = *made};
    double complex *value = NULL;
    const struct low_pass *filter = &roots.filter;
    const size_t half = filter->lead, length = fourier_length(OVERSAMPLING * filter->count);
    int code = fourier_make(length, &roots.fourier, failure);
    if (code == 0) {
        roots.level = malloc(3 * length * sizeof *roots.level);
        value = malloc(length * sizeof *value);
        if (roots.level == NULL || value == NULL)
            code = failure_memory(failure, (unsigned long long)(5 * length * sizeof(double)), "the low-pass");
    }
    if (code != 0) {
        free(value);
        low_pass_roots_free(&roots);
        return code;
    }
    roots.magnitude = roots.level + length;
    roots.early = roots.level + 2 * length;
    for (size_t n = 0; n < length; n++)
        value[n] = n <= half            ? filter->tap[half + n]
                   : n >= length - half ? filter->tap[half - (length - n)]
                                        : 0.0;
    fourier_forward(&roots.fourier, value);
    for (size_t n = 0; n < length; n++) {
        const double f = (double)(n < length / 2 ? n : length - n) / (double)length * rate / fmax;
        roots.level[n] = creal(value[n]);
        roots.magnitude[n] = hypot(roots.level[n], magnitude_floor(f));
        value[n] = log(roots.magnitude[n]);
    }
    minimum_phase(&roots.fourier, value, 0.5);
    fourier_inverse(&roots.fourier, value);
    for (size_t n = 0; n < length; n++)
        roots.early[n] = creal(value[n]);
    free(value);
    *out = roots;
    return 0;
}

int low_pass_roots_make(double fmax, double rate, struct low_pass_roots *out, struct failure *failure)
{
    struct low_pass filter = {0};
    TRY(linear_phase(fmax, rate, &filter, failure));
    return make_roots(&filter, fmax, rate, out, failure);
}

int low_pass_roots_sharp(double fmax, double rate, struct low_pass_roots *out, struct failure *failure)
{
    const double edge[2] = {fmax, LOW_PASS_STOP_RATIO * fmax};
    struct low_pass filter = {0};
    TRY(low_pass_sharp(edge, rate, &filter, failure));
    return make_roots(&filter, fmax, rate, out, failure);
}

/* The filter of the same magnitude that starts `lead` samples before time 0. */
static int restrict_lead(const struct low_pass_roots *roots, size_t lead, struct low_pass *out,
                         struct failure *failure)
{
    const struct fourier *fourier = &roots->fourier;
    const size_t length = fourier->length;
    const size_t tail = 2 * roots->filter.lead; /* a minimum-phase filter is as long as the linear-phase one
                                                   it came from */
    double complex *early = malloc(2 * length * sizeof *early);
    double *tap = malloc((lead + tail + 1) * sizeof *tap);
    if (early == NULL || tap == NULL) {
        free(tap);
        free(early);
        return failure_memory(failure, (unsigned long long)(2 * length * sizeof *early), "the low-pass");
    }
    double complex *late = early + length;
    /* The early half: the root of the magnitude, mirrored in time (conjugate), faded out within the lead. */
    for (size_t n = 0; n < length; n++)
        early[n] = n <= lead ? roots->early[n] * (0.5 + 0.5 * cos(PI * (double)n / (double)(lead + 1))) : 0.0;
    fourier_forward(fourier, early);
    const double early_floor = EARLY_FLOOR * cabs(early[0]);

    /* The late half restores the magnitude. Deep in the stop band of the early half it is not divided out
     * fully, so the product is smaller than requested, never larger. */
    for (size_t n = 0; n < length; n++)
        late[n] = log(roots->magnitude[n] / hypot(cabs(early[n]), early_floor));
    minimum_phase(fourier, late, 1.0);
    for (size_t n = 0; n < length; n++)
        late[n] *= conj(early[n]);
    fourier_inverse(fourier, late);
    for (size_t k = 0; k < lead + tail + 1; k++)
        tap[k] = creal(late[(k + length - lead) % length]);
    *out = (struct low_pass){.count = lead + tail + 1, .lead = lead, .tap = tap};
    free(early);
    return 0;
}

int low_pass_design(double fmax, double rate, size_t lead, struct low_pass *out, struct failure *failure)
{
    struct low_pass_roots roots = {0};
    if (lead >= low_pass_lead(fmax, rate))
        return linear_phase(fmax, rate, out, failure);
    TRY(low_pass_roots_make(fmax, rate, &roots, failure));
    const int code = restrict_lead(&roots, lead, out, failure);
    low_pass_roots_free(&roots);
    return code;
}

int low_pass_change_lead(const struct low_pass_roots *roots, size_t lead, struct low_pass *out,
                         struct failure *failure)
{
    const struct fourier *fourier = &roots->fourier;
    const size_t length = fourier->length, half = QUOTIENT_REACH * roots->filter.lead, count = 2 * half + 1;
    struct low_pass to = {0};
    TRY(restrict_lead(roots, lead, &to, failure));
    double complex *quotient = calloc(length, sizeof *quotient);
    double *tap = malloc(count * sizeof *tap);
    if (quotient == NULL || tap == NULL) {
        free(tap);
        free(quotient);
        low_pass_free(&to);
        return failure_memory(failure, (unsigned long long)(length * sizeof *quotient), "the low-pass");
    }
    for (size_t k = 0; k < to.count; k++)
        quotient[(k + length - to.lead) % length] = to.tap[k];
    fourier_forward(fourier, quotient);
    for (size_t n = 0; n < length; n++) {
        const double level = roots->level[n];
        quotient[n] *= level / (level * level + QUOTIENT_FLOOR * QUOTIENT_FLOOR);
    }
    fourier_inverse(fourier, quotient);
    for (size_t k = 0; k < count; k++)
        tap[k] = creal(quotient[(k + length - half) % length]);
    *out = (struct low_pass){.count = count, .lead = half, .tap = tap};
    free(quotient);
    low_pass_free(&to);
    return 0;
}

int low_pass_apply(const struct low_pass *filter, double *signal, size_t count, struct failure *failure)
{
    const size_t length = fourier_length(4 * filter->count);
    const size_t piece = length - filter->count + 1;
    struct fourier fourier = {0};
    double complex *response = calloc(2 * length, sizeof *response);
    double *sum = calloc(count + 1, sizeof *sum);
    int code = fourier_make(length, &fourier, failure);
    if (code == 0 && (response == NULL || sum == NULL))
        code =
            failure_memory(failure, (unsigned long long)(2 * length * sizeof *response + count * sizeof *sum),
                           "filtering a response");
    if (code != 0)
        goto done;
    double complex *block = response + length;
    for (size_t k = 0; k < filter->count; k++)
        response[k] = filter->tap[k];
    fourier_forward(&fourier, response);

    /* Two pieces at a time, as real and imaginary part: the taps are real, so the two stay separate. */
    for (size_t first = 0; first < count; first += 2 * piece) {
        const size_t second = first + piece;
        for (size_t n = 0; n < length; n++) {
            const double real = n < piece && first + n < count ? signal[first + n] : 0.0;
            const double imaginary = n < piece && second + n < count ? signal[second + n] : 0.0;
            block[n] = real + I * imaginary;
        }
        fourier_forward(&fourier, block);
        for (size_t n = 0; n < length; n++)
            block[n] = fourier_product(block[n], response[n]);
        fourier_inverse(&fourier, block);
        for (size_t n = 0; n < length; n++) {
            if (first + n >= filter->lead && first + n - filter->lead < count)
                sum[first + n - filter->lead] += creal(block[n]);
            if (second + n - filter->lead < count) /* a piece is longer than all the taps */
                sum[second + n - filter->lead] += cimag(block[n]);
        }
    }
    memcpy(signal, sum, count * sizeof *signal);
done:
    fourier_free(&fourier);
    free(sum);
    free(response);
    return code;
}
