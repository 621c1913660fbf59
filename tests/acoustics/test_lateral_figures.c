/* Lateral energies against closed forms: plane pulses from known directions, and sound from all of them. */
#include "src/response/acoustics/lateral_figures.h"
#include "src/response/signal/ambisonic_response.h"
#include "tests/support/outcome.h"

#define PI      3.14159265358979323846
#define RATE    48000
#define COUNT   96000
#define HIGHEST 2840.0
#define ONSET   0.02

static float frames[4 * COUNT];

/* A plane pulse from an azimuth (to the left of the front) and an elevation, in degrees. */
static void add(double time, double size, double azimuth, double elevation)
{
    float *frame = frames + 4 * (size_t)lround((ONSET + time) * RATE);
    const double a = azimuth * PI / 180.0, e = elevation * PI / 180.0;
    frame[AMBISONIC_W] += (float)size;
    frame[AMBISONIC_Y] += (float)(size * sin(a) * cos(e));
    frame[AMBISONIC_Z] += (float)(size * sin(e));
    frame[AMBISONIC_X] += (float)(size * cos(a) * cos(e));
}

static struct lateral_figures make(double source, double highest, size_t count)
{
    struct lateral_figures out;
    struct acoustic_figures figures;
    float *pressure = malloc(count * sizeof *pressure);
    for (size_t n = 0; n < count; n++)
        pressure[n] = frames[4 * n];
    MUST(acoustic_figures_make(pressure, count, RATE, highest, ONSET, FIGURES_REFERENCE, &figures, &failure));
    MUST(lateral_figures_make(frames, count, RATE, highest, ONSET, source, FIGURES_REFERENCE, &figures, &out,
                              &failure));
    free(pressure);
    return out;
}

/* A tenth of a just noticeable difference of LF is 0.005. */
Test(lateral_figures, a_plane_wave_at_an_angle_gives_the_square_of_its_cosine)
{
    for (double angle = -90.0; angle <= 180.0; angle += 15.0) {
        memset(frames, 0, sizeof frames);
        const double share = cos(angle * PI / 180.0); /* of the axis that points left */
        add(0.0, 1.0, 0.0, 0.0);
        add(0.07, 0.5, 90.0 + angle, 0.0);
        add(0.5, 0.25, 90.0 + angle, 0.0);
        const struct lateral_figures out = make(0.0, HIGHEST, COUNT);
        cr_assert(out.bands == 6);
        for (size_t b = 0; b < out.bands; b++) {
            const struct lateral_octave *o = &out.octave[b];
            /* At 63 Hz the two pulses still overlap as the filter rings, and their energies do not add up. */
            const double near = b == 0 ? 0.02 : b == 1 ? 0.005 : 0.001;
            cr_assert(test_near(o->lf, 0.25 * share * share / 1.25, near), "%g: %g", o->centre, o->lf);
            cr_assert(test_near(o->lfc, 0.25 * fabs(share) / 1.25, near), "%g: %g", o->centre, o->lfc);
            if (fabs(share) > 1e-6) /* 20 lg(0.25 share / 0.1) */
                cr_assert(test_near(o->lj, 20.0 * log10(2.5 * fabs(share)), 0.1), "%g: %g", o->centre, o->lj);
        }
        cr_assert(test_near(out.lf, 0.2 * share * share, 0.001) &&
                  test_near(out.lfc, 0.2 * fabs(share), 0.001));
    }
}

/* Elevated sound counts by its share along the axis too, and the null follows the source. */
Test(lateral_figures, the_null_points_at_the_source_wherever_the_front_is)
{
    memset(frames, 0, sizeof frames);
    add(0.0, 1.0, 50.0, 20.0);
    add(0.03, 1.0, 50.0 + 90.0, 60.0);
    const struct lateral_figures at_source = make(50.0, HIGHEST, COUNT), at_front = make(0.0, HIGHEST, COUNT);
    cr_assert(test_near(at_source.lf, 0.5 * 0.25, 0.002) && test_near(at_source.lfc, 0.5 * 0.5, 0.002));
    cr_assert(fabs(at_front.lf - at_source.lf) > 0.02);
}

/* A direct sound from the side comes before 5 ms and is not lateral; one at 10 ms is. */
Test(lateral_figures, the_first_5_ms_are_left_out)
{
    memset(frames, 0, sizeof frames);
    add(0.0, 1.0, 0.0, 0.0);
    add(0.002, 1.0, 90.0, 0.0);
    const double early = make(0.0, HIGHEST, COUNT).octave[5].lf;
    add(0.010, 1.0, 90.0, 0.0);
    const double later = make(0.0, HIGHEST, COUNT).octave[5].lf;
    cr_assert(early == 0.0 && test_near(later, 1.0 / 3.0, 0.05), "%g and %g", early, later);
}

/* So dense that p and p_L are noise: then LFC is 2 / pi of the product of their levels. Of the octave at 2
 * kHz, with 106 independent samples in 75 ms, one LF scatters by a fifth; here are the means of many. */
Test(lateral_figures, dense_sound_from_everywhere_gives_a_third)
{
    enum { TRIALS = 60 };
    uint64_t seed = 11;
    double lf = 0.0, lfc = 0.0;
    for (int trial = 0; trial < TRIALS; trial++) {
        memset(frames, 0, sizeof frames);
        for (int n = 0; n < 6000; n++) {
            const double time = test_uniform(&seed, 0.0, 0.16), up = test_uniform(&seed, -1.0, 1.0);
            add(time, test_random(&seed) & 1 ? 1.0 : -1.0, test_uniform(&seed, 0.0, 360.0),
                asin(up) * 180.0 / PI);
        }
        const struct lateral_figures out = make(0.0, HIGHEST, COUNT / 4);
        lf += out.octave[5].lf / TRIALS;
        lfc += out.octave[5].lfc / TRIALS;
    }
    (void)fprintf(stderr, "LF %.4f, LFC %.4f\n", lf, lfc);
    cr_assert(test_near(lf, 75.0 / 80.0 / 3.0, 0.03));
    cr_assert(test_near(lfc, 75.0 / 80.0 * 2.0 / PI / sqrt(3.0), 0.03));
}

Test(lateral_figures, unknown_figures_are_absent_with_their_reason)
{
    memset(frames, 0, sizeof frames);
    add(0.0, 1.0, 0.0, 0.0);
    add(0.04, 0.5, 90.0, 0.0);
    struct lateral_figures out = make(NAN, HIGHEST, COUNT);
    cr_assert(isnan(out.octave[3].lf) && isnan(out.lf) && strstr(out.octave[3].why, "above") != NULL);
    out = make(0.0, HIGHEST, (size_t)(0.09 * RATE));
    cr_assert(isnan(out.octave[3].lf) && strstr(out.octave[3].why, "ends") != NULL);
    out = make(0.0, 710.0, COUNT);
    cr_assert(out.bands == 4 && !isnan(out.octave[3].lf) && isnan(out.lf) && isnan(out.lj));
}
