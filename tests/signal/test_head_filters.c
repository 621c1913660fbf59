/* Filters from a head to two ears, against a head whose field is known in closed form, and a measured one. */
#include <complex.h>
#include <unistd.h>

#include "src/response/signal/binaural.h"
#include "tests/support/outcome.h"
#include "tests/support/two_ears.h"

#define PI 3.14159265358979323846

static double complex transfer(const struct head_filters *filters, int ear, int channel, double f)
{
    const double *tap = filters->tap + (size_t)(ear * AMBISONIC_CHANNELS + channel) * filters->count;
    double complex sum = 0.0;
    for (size_t n = 0; n < filters->count; n++)
        sum += tap[n] * cexp(-2.0 * PI * I * f / filters->rate * ((double)n - (double)filters->lead));
    return sum;
}

static struct head_filters filters_of(struct head_data head, double rate)
{
    struct head_filters filters = {0};
    MUST(head_filters_make(&head, rate, &filters, &failure));
    head_data_free(&head);
    return filters;
}

/* In a diffuse field both ears together have the level of W. */
static void check_level(const struct head_filters *filters, double highest)
{
    for (double f = 30.0; f <= highest; f *= 1.1) {
        double power = 0.0;
        for (int ear = 0; ear < EARS; ear++)
            for (int c = 0; c < AMBISONIC_CHANNELS; c++)
                power +=
                    0.5 * pow(cabs(transfer(filters, ear, c, f)), 2.0) * (c == AMBISONIC_W ? 1.0 : 1.0 / 3.0);
        cr_assert(test_near(10.0 * log10(power), 0.0, 0.25), "%g Hz: %g dB", f, 10.0 * log10(power));
    }
}

/* exp(j k a y) = j0(ka) + 3 j j1(ka) y + .., whatever the gain, the delay and the polarity of the
 * measurement; equalised, both over the root of j0^2 + 3 j1^2. Below 400 Hz the model of a small body takes
 * over. */
Test(head_filters, two_points_in_the_open_give_spherical_bessel_functions_at_the_level_of_the_diffuse_field)
{
    const double gain[] = {1.0, -0.03}, delay[] = {60.0, 131.4};
    for (int n = 0; n < 2; n++) {
        struct head_filters filters = filters_of(two_ears(gain[n], delay[n]), 48000.0);
        for (double f = 30.0; f <= 650.0; f += 10.0) {
            const double x = 2.0 * PI * f * TWO_EARS_RADIUS / TWO_EARS_SPEED, j0 = sin(x) / x,
                         j1 = sin(x) / (x * x) - cos(x) / x, size = sqrt(j0 * j0 + 3.0 * j1 * j1);
            const double near = f < 450.0 ? 0.03 : 0.02;
            for (int ear = 0; ear < EARS; ear++) {
                const double side = ear == EAR_LEFT ? 1.0 : -1.0;
                const double complex w = transfer(&filters, ear, AMBISONIC_W, f),
                                     y = transfer(&filters, ear, AMBISONIC_Y, f);
                cr_assert(test_at_most(cabs(w - j0 / size), near), "%g Hz: W %g%+gi for %g", f, creal(w),
                          cimag(w), j0 / size);
                cr_assert(test_at_most(cabs(y - 3.0 * I * side * j1 / size), near), "%g Hz: Y %g%+gi for %g",
                          f, creal(y), cimag(y), 3.0 * side * j1 / size);
                cr_assert(test_at_most(cabs(transfer(&filters, ear, AMBISONIC_X, f)), near));
                cr_assert(test_at_most(cabs(transfer(&filters, ear, AMBISONIC_Z, f)), near));
            }
        }
        check_level(&filters, 15000.0);
        head_filters_free(&filters);
    }
}

/* Above 750 Hz magnitudes alone are fitted, and those of the two points are 1 from everywhere. */
Test(head_filters, above_750_Hz_the_magnitude_is_that_of_the_head)
{
    struct head_filters filters = filters_of(two_ears(1.0, 60.0), 48000.0);
    const double f[] = {1000.0, 1500.0, 2500.0, 5000.0};
    for (size_t n = 0; n < 4; n++)
        for (double y = -1.0; y <= 1.0; y += 0.1) {
            const double complex heard = transfer(&filters, EAR_LEFT, AMBISONIC_W, f[n]) +
                                         y * transfer(&filters, EAR_LEFT, AMBISONIC_Y, f[n]);
            cr_assert(test_near(20.0 * log10(cabs(heard)), 0.0, 1.5), "%g Hz, y %g: %g dB", f[n], y,
                      20.0 * log10(cabs(heard)));
        }
    head_filters_free(&filters);
}

Test(head_filters, another_rate_is_the_same_filter)
{
    const double rates[] = {8000.0, 44100.0, 96000.0};
    struct head_filters filters = filters_of(two_ears(1.0, 60.0), 48000.0);
    for (size_t r = 0; r < 3; r++) {
        struct head_filters other = filters_of(two_ears(1.0, 60.0), rates[r]);
        for (double f = 50.0; f < 0.4 * rates[r] && f < 18000.0; f *= 1.5)
            for (int c = 0; c < AMBISONIC_CHANNELS; c++)
                cr_assert(
                    test_at_most(
                        cabs(transfer(&filters, EAR_RIGHT, c, f) - transfer(&other, EAR_RIGHT, c, f)), 1e-3),
                    "%g Hz at %g", f, rates[r]);
        head_filters_free(&other);
    }
    head_filters_free(&filters);
}

Test(head_filters, heads_without_height_or_sound_are_refused)
{
    struct head_filters filters = {0};
    struct head_data flat = two_ears(1.0, 60.0), mute = two_ears(1.0, 60.0);
    for (size_t m = 0; m < flat.directions; m++)
        flat.towards[m][2] = 0.0;
    MUST_FAIL(head_filters_make(&flat, 48000.0, &filters, &failure), FAILURE_INPUT, "plane");
    memset(mute.sample, 0, EARS * mute.directions * mute.length * sizeof *mute.sample);
    MUST_FAIL(head_filters_make(&mute, 48000.0, &filters, &failure), FAILURE_INPUT, "no sound");
    head_data_free(&flat);
    head_data_free(&mute);
}

/* ---- ears and fields ---- */

/* A plane pulse from an azimuth and an elevation [degrees]. */
#define COUNT 6000
#define AT    3000
static float frames[4 * COUNT];
static void from(double azimuth, double elevation)
{
    const double a = azimuth * PI / 180.0, e = elevation * PI / 180.0;
    memset(frames, 0, sizeof frames);
    float *frame = frames + (size_t)4 * AT;
    frame[AMBISONIC_W] = 1.0F;
    frame[AMBISONIC_X] = (float)(cos(a) * cos(e));
    frame[AMBISONIC_Y] = (float)(sin(a) * cos(e));
    frame[AMBISONIC_Z] = (float)sin(e);
}

static float *ears_of(const struct head_filters *filters, double yaw, double pitch, double roll)
{
    const struct head_orientation orientation = {yaw, pitch, roll};
    float *ears = NULL;
    MUST(binaural_make(frames, COUNT, filters, &orientation, &ears, &failure));
    return ears;
}

static double complex at_ear(const float *ears, int ear, double f)
{
    double complex sum = 0.0;
    for (int n = 0; n < COUNT; n++)
        sum += (double)ears[EARS * n + ear] * cexp(-2.0 * PI * I * f / 48000.0 * (n - AT));
    return sum;
}

/* Earlier at the left ear is positive [s]. */
static double time_difference(const float *ears, double f)
{
    return carg(at_ear(ears, EAR_LEFT, f) / at_ear(ears, EAR_RIGHT, f)) / (2.0 * PI * f);
}
static double level_difference(const float *ears, double f)
{
    return 20.0 * log10(cabs(at_ear(ears, EAR_LEFT, f) / at_ear(ears, EAR_RIGHT, f)));
}

/* First order holds the time difference to a tenth at 300 Hz; the two points have no level difference then.
 */
Test(head_filters, the_nearer_ear_hears_sound_earlier_by_the_path_difference)
{
    struct head_filters filters = filters_of(two_ears(1.0, 60.0), 48000.0);
    for (int d = 0; d < 8; d++) {
        const double most = 2.0 * TWO_EARS_RADIUS / TWO_EARS_SPEED, wanted = most * sin(PI / 4.0 * d);
        from(45.0 * d, 0.0);
        float *ears = ears_of(&filters, 0.0, 0.0, 0.0);
        cr_assert(test_near(time_difference(ears, 300.0), wanted, 0.1 * most), "%d: %g for %g s", d,
                  time_difference(ears, 300.0), wanted);
        cr_assert(test_near(level_difference(ears, 300.0), 0.0, 0.3), "%d: %g dB", d,
                  level_difference(ears, 300.0));
        free(ears);
    }
    head_filters_free(&filters);
}

/* First the head turns left, then lifts its nose, then leans to the right. */
Test(head_filters, a_head_that_turns_is_a_field_that_turns_the_other_way)
{
    static const struct {
        double yaw, pitch, roll, azimuth, elevation; /* of the sound.. */
        double still[2];                             /* ..and where it is from to a head that is straight */
    } row[] = {
        {90, 0, 0, 70, 20, {-20, 20}},
        {0, 90, 0, 0, 80, {0, -10}},   /* nose up: what is a little before the zenith is a little below the
                                          front */
        {0, 0, 90, 0, 90, {90, 0}},    /* leaning: what is above is at the left ear */
        {90, 45, 30, 90, 45, {0, 0}},  /* the nose */
        {90, 45, 30, 0, 0, {-90, 30}}, /* right, where the ear is lower by 30 degrees */
    };
    struct head_filters filters = filters_of(two_ears(1.0, 60.0), 48000.0);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        from(row[i].azimuth, row[i].elevation);
        float *turned = ears_of(&filters, row[i].yaw, row[i].pitch, row[i].roll);
        from(row[i].still[0], row[i].still[1]);
        float *still = ears_of(&filters, 0.0, 0.0, 0.0);
        for (int n = 0; n < EARS * COUNT; n++)
            cr_assert(test_near((double)turned[n], (double)still[n], 1e-6), "row %zu, sample %d: %g and %g",
                      i, n, (double)turned[n], (double)still[n]);
        free(turned);
        free(still);
    }
    head_filters_free(&filters);
}

/* ---- a measured head ---- */

#define KEMAR "/usr/share/libmysofa/default.sofa" /* of Debian's libmysofa1 */

/* Woodworth's formula for a sphere of 8.75 cm is (a / c) (sin + angle): 0.26 ms at 30 degrees, 0.66 at 90; at
 * low frequencies half as much again (Kuhn 1977). */
Test(head_filters, a_measured_head_hears_sides_times_and_levels)
{
    if (access(KEMAR, R_OK) != 0) {
        (void)fprintf(stderr, "SKIPPED: %s is missing\n", KEMAR);
        return;
    }
    struct head_data head = {0};
    MUST(head_data_read(KEMAR, &head, &failure));
    cr_assert(head.directions == 710 && head.length == 512 && head.rate == 44100.0);
    struct head_filters filters = filters_of(head, 48000.0);
    check_level(&filters, 15000.0);
    for (int d = 0; d < 8; d++) {
        from(45.0 * d, 0.0);
        float *ears = ears_of(&filters, 0.0, 0.0, 0.0);
        from(-45.0 * d, 0.0);
        float *mirrored = ears_of(&filters, 0.0, 0.0, 0.0);
        const double side = sin(PI / 4.0 * d), time = time_difference(ears, 400.0),
                     level = level_difference(ears, 2000.0);
        (void)fprintf(stderr, "azimuth %3d: %+.3f ms at 400 Hz, %+.1f dB at 2 kHz\n", 45 * d, 1e3 * time,
                      level);
        cr_assert(test_near(time, 0.75e-3 * side, 0.1e-3), "%d: %g ms", 45 * d, 1e3 * time);
        cr_assert(fabs(side) < 0.1 ? fabs(level) < 0.3 : level * side > 5.0, "%d: %g dB", 45 * d, level);
        cr_assert(test_near(time_difference(mirrored, 400.0), -time, 5e-6));
        cr_assert(test_near(level_difference(mirrored, 2000.0), -level, 0.3));
        /* Towards 0 Hz the head vanishes: both ears hear the pulse as it is. */
        cr_assert(test_near(cabs(at_ear(ears, EAR_LEFT, 40.0)), 1.0, 0.02));
        free(ears);
        free(mirrored);
    }
    head_filters_free(&filters);
}

/* ---- what a reader that was derailed may answer ---- */

/* In a buffer of exactly that size: `change` is done to a right answer of 8 directions and 2 samples. */
static int take_answer(void (*change)(struct head_answer *begin, double *towards, float *sample,
                                      double *delay),
                       size_t cut, struct head_data *head)
{
    enum { DIRECTIONS = 8, LENGTH = 2, RESPONSES = DIRECTIONS * EARS };
    struct head_answer begin = {.directions = DIRECTIONS, .length = LENGTH, .rate = 48000.0};
    double towards[3 * DIRECTIONS], delay[RESPONSES] = {0};
    float sample[RESPONSES * LENGTH];
    struct confined_answer answer = {.size =
                                         sizeof begin + sizeof towards + sizeof sample + sizeof delay - cut};
    for (int n = 0; n < 3 * DIRECTIONS; n++)
        towards[n] = n % 3 == 0;
    for (int n = 0; n < RESPONSES * LENGTH; n++)
        sample[n] = 0.5f;
    if (change != NULL)
        change(&begin, towards, sample, delay);
    unsigned char whole[sizeof begin + sizeof towards + sizeof sample + sizeof delay], *at = whole;
    memcpy(at, &begin, sizeof begin);
    memcpy(at += sizeof begin, towards, sizeof towards);
    memcpy(at += sizeof towards, sample, sizeof sample);
    memcpy(at + sizeof sample, delay, sizeof delay);
    answer.bytes = malloc(answer.size);
    cr_assert(answer.bytes != NULL);
    memcpy(answer.bytes, whole, answer.size);
    const int code = head_data_take("head.sofa", &answer, head, &failure);
    confined_answer_free(&answer);
    return code;
}

static void fail_unknown(struct head_answer *begin, double *towards, float *sample, double *delay)
{
    (void)towards, (void)sample, (void)delay;
    begin->status = 77;
}
static void many_directions(struct head_answer *begin, double *towards, float *sample, double *delay)
{
    (void)towards, (void)sample, (void)delay;
    begin->directions = 100000;
    begin->length = 16384;
}
static void wrapping_directions(struct head_answer *begin, double *towards, float *sample, double *delay)
{
    (void)towards, (void)sample, (void)delay;
    begin->directions = UINT64_C(1) << 61;
}
static void long_direction(struct head_answer *begin, double *towards, float *sample, double *delay)
{
    (void)begin, (void)sample, (void)delay;
    towards[3] = 2.0;
}
static void sample_not_finite(struct head_answer *begin, double *towards, float *sample, double *delay)
{
    (void)begin, (void)towards, (void)delay;
    sample[31] = NAN;
}
static void delay_not_finite(struct head_answer *begin, double *towards, float *sample, double *delay)
{
    (void)begin, (void)towards, (void)sample;
    delay[15] = NAN;
}
static void no_rate(struct head_answer *begin, double *towards, float *sample, double *delay)
{
    (void)towards, (void)sample, (void)delay;
    begin->rate = NAN;
}

Test(head_filters, the_answer_of_a_derailed_reader_is_no_head)
{
    void (*const changes[])(struct head_answer *, double *, float *, double *) = {
        fail_unknown,     many_directions, wrapping_directions, long_direction, sample_not_finite,
        delay_not_finite, no_rate};
    struct head_data head = {0};
    MUST(take_answer(NULL, 0, &head));
    cr_assert(head.directions == 8 && head.length == 2);
    head_data_free(&head);
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++)
        MUST_FAIL(take_answer(changes[k], 0, &head), FAILURE_INPUT, "head.sofa: crashed its reader");
    for (size_t cut = 1; cut < 400; cut += 13)
        MUST_FAIL(take_answer(NULL, cut, &head), FAILURE_INPUT, "crashed");
    cr_assert(head.sample == NULL);
}
