/* How well the faces of an open scene absorb, measured in ducts and held against the exact discrete
 * reflection coefficient of a wall with admittance 1 (numerics of the scheme: R = (S - W e^{jk/2}) / (S + W
 * e^{-jk/2}), S = 2 lambda sin(k/2), W = sin(omega T), k the wavenumber x h along the duct).
 *
 * A duct of 2,000 x width nodes carries one transverse mode, which meets the face at one angle per frequency.
 * The same duct made longer gives the field without the reflection; the difference at a point before the face
 * is the reflected wave alone. Waves near the mode's cut-off crawl and are faded out, which bounds the
 * accuracy at 60 degrees to 0.003. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/engine.h"
#include "tests/test_support.h"

#define PI       3.14159265358979323846
#define LENGTH   2000
#define LONGER   3600
#define START    1500
#define RECEIVER 1960
#define STEPS    5000
#define FADE     2000

static void face_of_duct(void *length, const int64_t node[3], enum direction direction, uint16_t *material,
                         uint16_t *cosine)
{
    const int at_end = direction == DIRECTION_XP && node[0] == *(int64_t *)length - 1;
    *material = at_end ? VOXELS_OPEN_FACE : VOXELS_NO_MATERIAL;
    *cosine = VOXELS_COSINE_ONE;
}

/* Pressure at (RECEIVER, 0, 0) over STEPS steps of a duct started with a smooth bump of transverse mode 1 (or
 * a plane one when `width` is 1). */
static void run_duct(int64_t length, int64_t width, double *out)
{
    const int64_t low[3] = {0, 0, 0}, nodes[3] = {length, width, 1};
    uint8_t *links = malloc((size_t)(length * width));
    cr_assert(links != NULL);
    for (int64_t y = 0; y < width; ++y) {
        for (int64_t x = 0; x < length; ++x) {
            unsigned byte = 0;
            byte |= x > 0 ? 1u << DIRECTION_XM : 0;
            byte |= x < length - 1 ? 1u << DIRECTION_XP : 0;
            byte |= y > 0 ? 1u << DIRECTION_YM : 0;
            byte |= y < width - 1 ? 1u << DIRECTION_YP : 0;
            links[y * length + x] = (uint8_t)byte;
        }
    }
    struct failure failure = {0};
    struct box_grid box = {0};
    struct block_grid blocks = {0};
    struct engine *engine = NULL;
    struct time_step step;
    const double rigid = 0;
    const struct engine_options options = {LAYOUT_BOX, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    cr_assert(box_grid_from_links(low, nodes, links, face_of_duct, &length, &box, &failure) == 0, "%s",
              failure.sentence);
    cr_assert(block_grid_from_box(&box, &blocks, &failure) == 0, "%s", failure.sentence);
    cr_assert(time_step_choose(1.0, 343.2, 0, &step, &failure) == 0, "%s", failure.sentence);
    cr_assert(engine_create(&engine, &blocks, &box, &step, &rigid, 1, &options, &failure) == 0, "%s",
              failure.sentence);
    for (int64_t y = 0; y < width; ++y) {
        const double mode = width == 1 ? 1.0 : cos(PI * ((double)y + 0.5) / (double)width);
        for (int64_t x = START - 40; x <= START + 40; ++x) {
            const double bump = exp(-0.5 * (double)((x - START) * (x - START)) / 4.0);
            const int64_t node[3] = {x, y, 0};
            engine_set(engine, 0, node, mode * bump);
            engine_set(engine, 1, node,
                       mode * bump); /* at rest: a moving start leaves a pressure that stays */
        }
    }
    const struct tap receiver = {.count = 1, .node = {{RECEIVER, 0, 0}}, .weight = {1.0}};
    cr_assert(engine_add_receiver(engine, &receiver, NULL, &failure) == 0, "%s", failure.sentence);
    engine_run(engine, STEPS, NULL, out);
    engine_free(engine);
    block_grid_free(&blocks);
    box_grid_free(&box);
    free(links);
}

static double complex spectrum(const double *sample, double phase_step)
{
    double complex sum = 0;
    for (int n = 0; n < STEPS; ++n) {
        const double left = (double)(STEPS - n) / FADE; /* waves near the duct's cut-off never quite pass */
        const double fade = left < 1 ? 0.5 - 0.5 * cos(PI * left) : 1;
        sum += fade * sample[n] * cexp(-I * phase_step * n);
    }
    return sum;
}

Test(open_faces, reflect_as_the_discrete_theory_of_admittance_one_says)
{
    static double ended[STEPS], endless[STEPS], reflected[STEPS];
    static const double degrees[] = {0, 30, 45, 60};
    static const double points[] = {10.5, 21, 42};
    struct time_step step;
    cr_assert(time_step_choose(1.0, 343.2, 0, &step, NULL) == 0);
    (void)fprintf(stderr, "reflection of an open face: angle, points per wavelength, level\n");
    for (size_t a = 0; a < sizeof degrees / sizeof *degrees; ++a) {
        for (size_t p = 0; p < sizeof points / sizeof *points; ++p) {
            const double angle = degrees[a] * PI / 180;
            const int64_t width =
                a == 0 ? 1 : (int64_t)lround(PI / (2 * PI / points[p] * sin(angle))); /* half a wave across */
            const double ky = a == 0 ? 0 : PI / (double)width;
            const double kx = a == 0 ? 2 * PI / points[p] : ky / tan(angle);
            const double half = step.courant * sqrt(sin(kx / 2) * sin(kx / 2) + sin(ky / 2) * sin(ky / 2));
            const double omega_t = 2 * asin(half);
            if (a == 0 && p > 0)
                goto analyse; /* the plane duct is the same for every frequency */
            run_duct(LENGTH, width, ended);
            run_duct(LONGER, width, endless);
            for (int n = 0; n < STEPS; ++n)
                reflected[n] = ended[n] - endless[n];
        analyse:;
            const double measured = cabs(spectrum(reflected, omega_t) / spectrum(endless, omega_t));
            const double s = 2 * step.courant * sin(kx / 2), w = sin(omega_t);
            const double expected = cabs((s - w * cexp(I * kx / 2)) / (s + w * cexp(-I * kx / 2)));
            (void)fprintf(stderr, "  %2.0f deg  %5.1f  %6.1f dB\n", degrees[a],
                          2 * PI * step.courant / omega_t, 20 * log10(measured));
            cr_expect(test_near(measured, expected, 4e-3), "at %.0f deg and %.1f points: %.6f, theory %.6f",
                      degrees[a], points[p], measured, expected);
        }
    }
}
