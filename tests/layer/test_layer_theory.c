/* Reflection of the layer behind open faces by exact discrete theory, next to that of Engquist and Majda's
 * conditions. (tests/layer/test_layer_waves.c compares the program with this theory.) Prints the table of
 * ACCURACY.md. */
#include "tests/layer/layer_theory.h"
#include "tests/support/test_support.h"

#define PI 3.14159265358979323846

static const struct resolution {
    enum scheme scheme;
    double courant2, points; /* lambda^2, points a wavelength at fmax */
} used[] = {{SCHEME_ISOTROPIC, 0.6, 6.0}, {SCHEME_STANDARD, 0.998 / 3.0, 10.5}};

static double level(double reflection)
{
    return 20.0 * log10(reflection);
}

/* Mur's discrete forms (IEEE Trans. EMC 23, 1981) of the first and the second condition of Engquist and Majda
 * (Math. Comp. 31, 1977), half a cell behind a node. */
static double face_of_first_order(const struct layer_wave *wave, double k)
{
    const double t = tan(0.5 * wave->turn) / wave->courant, x = tan(0.5 * k);
    return fabs(t - x) / fabs(t + x);
}
static double face_of_second_order(const struct layer_wave *wave, double k)
{
    const double l = wave->courant, p = 2.0 * l * sin(0.5 * k) * sin(wave->turn),
                 q = cos(0.5 * k) * (4.0 * pow(sin(0.5 * wave->turn), 2.0) -
                                     0.5 * l * l * (wave->along[0] + wave->along[1]));
    return fabs(p - q) / fabs(p + q);
}

Test(layer_theory, at_most_forty_decibels_come_back_up_to_75_degrees_from_fmax_down_to_an_eighth)
{
    for (size_t s = 0; s < sizeof used / sizeof *used; ++s) {
        double worst = 0.0;
        for (double part = 1.0; part <= 8.0; part *= 1.1)
            for (int degrees = 0; degrees <= 75; degrees += 3)
                for (int around = 0; around <= 45; around += 15) {
                    struct layer_wave wave;
                    const double normal =
                        layer_theory_wave(used[s].scheme, sqrt(used[s].courant2), used[s].points * part,
                                          degrees * PI / 180.0, around * PI / 180.0, &wave);
                    worst = fmax(worst, cabs(layer_theory_reflection(&wave, normal)));
                }
        (void)fprintf(stderr, "%s: at most %.1f dB\n",
                      used[s].scheme == SCHEME_STANDARD ? "7 points" : "19 points", level(worst));
        cr_expect(worst <= 0.01, "%g", level(worst));
    }
}

Test(layer_theory, table)
{
    static const double degrees[] = {0.0, 30.0, 45.0, 60.0, 70.0, 75.0}, parts[] = {1.0, 2.0, 4.0, 8.0};
    for (size_t s = 0; s < sizeof used / sizeof *used; ++s)
        for (size_t p = 0; p < sizeof parts / sizeof *parts; ++p)
            for (size_t d = 0; d < sizeof degrees / sizeof *degrees; ++d) {
                struct layer_wave wave;
                const double normal =
                    layer_theory_wave(used[s].scheme, sqrt(used[s].courant2), used[s].points * parts[p],
                                      degrees[d] * PI / 180.0, 0.3, &wave);
                (void)fprintf(
                    stderr,
                    "%2s points, fmax/%.0f, %2.0f degrees: %6.1f dB (first order %6.1f, second %6.1f)\n",
                    used[s].scheme == SCHEME_STANDARD ? "7" : "19", parts[p], degrees[d],
                    level(cabs(layer_theory_reflection(&wave, normal))),
                    level(face_of_first_order(&wave, normal)), level(face_of_second_order(&wave, normal)));
            }
}

/* Any wave along the face, at any frequency: also those that do not propagate towards it. What is outside of
 * the layer can then not gain from it, whatever it is. */
Test(layer_theory, no_wave_gets_energy_out_of_the_layer)
{
    for (size_t s = 0; s < sizeof used / sizeof *used; ++s) {
        double least = INFINITY;
        for (double turn = 0.0005; turn < 3.14; turn *= 1.09)
            for (int n = 0; n <= 400; ++n)
                for (int even = 0; even < 2; ++even) {
                    /* Close to where the wave stops to propagate, and everywhere. */
                    const double sum = 4.0 * pow(sin(0.5 * turn), 2.0) / used[s].courant2 *
                                       (1.0 + 1e-4 * pow(1e9, n / 400.0));
                    const double one = sum < 8.0 ? sum : n / 50.0;
                    const struct layer_wave wave = {
                        .scheme = used[s].scheme,
                        .courant = sqrt(used[s].courant2),
                        .along = {even ? 0.5 * one : fmin(one, 4.0), even ? 0.5 * one : fmax(one - 4.0, 0.0)},
                        .turn = turn};
                    least = fmin(least, layer_theory_takes(&wave));
                }
        (void)fprintf(stderr, "takes at least %.2g of what air does\n", least);
        cr_expect(least > -1e-4, "%g", least);
    }
}
