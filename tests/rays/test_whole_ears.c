/** The ears of a dummy head above fmax: a rigid sphere against its exact solution. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "src/rays/ray_head.h"
#include "src/rays/ray_trace.h"
#include "src/response/signal/wav_file.h"
#include "tests/accuracy/exact/rigid_sphere.h"
#include "tests/rays/with_rays.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

#define PI    3.14159265358979323846
#define SPEED 343.0

TestSuite(whole_ears, .init = enter_folder, .fini = leave_folder, .timeout = 300);

Test(whole_ears, one_path_is_heard_as_the_series_of_a_sphere_has_it)
{
    const struct ray_head head = {.radius = 0.0875, .sound_speed = SPEED};
    for (double f = 30; f < 20000; f *= 1.9)
        for (double cosine = -1; cosine <= 1; cosine += 0.4) {
            double complex heard;
            const double k = 2 * PI * f / SPEED, r = 1.3;
            ray_head_at(&head, f, r, 1, &cosine, &heard);
            const double complex exact =
                rigid_sphere_pressure(k, head.radius, r, cosine) * r * cexp(I * k * r);
            cr_assert(test_near(cabs(heard - exact), 0, 1e-9), "%g Hz", f);
        }
}

static double complex spectrum_at(const float *sample, size_t from, size_t to, size_t channels, double f)
{
    double complex sum = 0;
    for (size_t n = from; n < to; n++)
        sum += (double)sample[n * channels] * cexp(-2 * PI * I * f * (double)n / 48000);
    return sum;
}

/* ---- random sound ---- */

#define COUNT 48000
#define BIN   0.002

/* From all cells alike: levels and coherence of two ears are the sums over the cells. */
Test(whole_ears, random_sound_has_levels_and_coherence_of_its_directions)
{
    static float ear[2][COUNT], from[COUNT / 96][1][RAY_CELLS];
    static double energy[COUNT / 96][RAY_OCTAVES], toward[RAY_CELLS][3];
    struct ray_head head[2] = {{.radius = 0.0875, .sound_speed = SPEED, .ear = {0, 1, 0}},
                               {.radius = 0.0875, .sound_speed = SPEED, .ear = {0.6, -0.8, 0}}};
    struct sound_directions directions = {
        .cells = RAY_CELLS, .toward = toward[0], .groups = 1, .energy = from[0][0]};
    for (size_t c = 0; c < RAY_CELLS; c++)
        ray_cell_middle(c, toward[c]);
    for (size_t b = 0; b < COUNT / 96; b++) {
        for (size_t c = 0; c < RAY_CELLS; c++)
            from[b][0][c] = 1;
        for (size_t o = 0; o < RAY_OCTAVES; o++)
            energy[b][o] = 1;
    }
    const struct random_sound_task task = {.bin = BIN,
                                           .bins = COUNT / 96,
                                           .energy = energy[0],
                                           .volume = 200,
                                           .sound_speed = SPEED,
                                           .seed = 5,
                                           .directions = &directions};
    for (int e = 0; e < 2; e++)
        MUST(ray_head_sound(&head[e], &task, COUNT, ear[e], &failure));
    for (double low = 200; low < 8000; low *= 2) {
        double power[2] = {0}, expected[2] = {0}, number = 0;
        double complex cross = 0, expected_cross = 0;
        for (double f = low; f < 1.4 * low; f += 2, number++) {
            double complex heard[2], exact[2];
            for (int e = 0; e < 2; e++) {
                heard[e] = spectrum_at(ear[e], 0, COUNT, 1, f);
                power[e] += creal(heard[e] * conj(heard[e]));
            }
            cross += heard[0] * conj(heard[1]);
            for (size_t c = 0; c < RAY_CELLS; c++) {
                for (int e = 0; e < 2; e++) {
                    const double *a = toward[c], *b = head[e].ear;
                    exact[e] = rigid_sphere_pressure(2 * PI * f / SPEED, head[e].radius, RAY_HEAD_FAR,
                                                     a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) *
                               RAY_HEAD_FAR;
                    expected[e] += creal(exact[e] * conj(exact[e])) / RAY_CELLS;
                }
                expected_cross += exact[0] * conj(exact[1]) / RAY_CELLS;
            }
        }
        const double chance = 1 / sqrt(number);
        for (int e = 0; e < 2; e++) /* an energy of 1 in each bin */
            cr_assert(test_near(power[e] / (expected[e] * COUNT / 96), 1, 4 * chance), "%g Hz", low);
        cr_assert(test_near(cabs(cross / sqrt(power[0] * power[1]) -
                                 expected_cross / sqrt(expected[0] * expected[1])),
                            0, 4 * chance),
                  "%g Hz", low);
    }
}

/* ---- a run ---- */

/* A head of 30 cm, waves to 1650 Hz; the first reflection is 5 ms after the direct sound. */
Test(whole_ears, direct_sound_from_the_side_differs_between_the_ears_by_the_series)
{
    if (!rays_are_here())
        return;
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? 4.2 : 0, i & 2 ? 3.6 : 0, i & 4 ? 3.4 : 0);
    fprintf(file, "usemtl wall\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\nf 1 3 4 2\n");
    fclose(file);
    expect_status(RUN("simulate", "room.obj", "--fmax", "1650", "--duration", "0.05", "--absorption", "0.5",
                      "--source", "2.1,2.6,1.7,S", "--receiver", "2.1,1.4,1.7,head", "--dummy-head",
                      "head=0.3", "--look", "head=0", "--quiet", "--backend", "cpu", "--rays", "on", "-o",
                      "run"),
                  0);
    struct wav_sound both;
    MUST(wav_response_read("run/ir_S_head_binaural.wav", "", &both, &failure));
    const cJSON *record = read_json("run/run.json");
    const double speed = record_number(record, "sound_speed_m_s"), distance = 1.2;
    cr_assert(eq(dbl, record_number(record, "dummy_heads.0.sphere_above_hz"), 1650));
    const size_t onset = (size_t)(distance / speed * 48000);
    for (double octave = 2000; octave < 10000; octave *= 2) {
        double power[2] = {0}, exact[2] = {0};
        for (double f = octave * 0.8; f < octave * 1.25; f *= 1.01)
            for (int e = 0; e < 2; e++) {
                const double complex p =
                    spectrum_at(both.sample + e, onset - 60, onset + 130, both.channels, f);
                const double complex q =
                    rigid_sphere_pressure(2 * PI * f / speed, 0.3, distance, cos((e ? 170 : 10) * PI / 180));
                power[e] += creal(p * conj(p));
                exact[e] += creal(q * conj(q));
            }
        const double heard = 10 * log10(power[0] / power[1]), right = 10 * log10(exact[0] / exact[1]);
        cr_assert(test_near(heard, right, 0.7), "%g Hz: %g dB, exactly %g", octave, heard, right);
    }
    wav_sound_free(&both);
}
