/** The level behind a slit, as the warning of narrow openings has it. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <complex.h>

#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(slit_level, .init = enter_folder, .fini = leave_folder);

#define RECEIVERS 3
#define OCTAVES   3

static void write_quad(FILE *file, const char *material, const double corner[4][3])
{
    for (int n = 0; n < 4; ++n)
        (void)fprintf(file, "v %g %g %g\n", corner[n][0], corner[n][1], corner[n][2]);
    (void)fprintf(file, "usemtl %s\nf -4 -3 -2 -1\n", material);
}

static void write_cuboid(FILE *file, const char *material, const double low[3], const double high[3])
{
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            double corner[4][3];
            for (int n = 0; n < 4; ++n) {
                corner[n][axis] = side ? high[axis] : low[axis];
                corner[n][u] = n == 1 || n == 2 ? high[u] : low[u];
                corner[n][v] = n > 1 ? high[v] : low[v];
            }
            write_quad(file, material, (const double(*)[3])corner);
        }
}

/* Two rooms that absorb, with a rigid wall of 10 cm between them, and in it a slit from floor to ceiling. */
static void write_rooms(double width)
{
    static const double zero[3] = {0, 0, 0}, size[3] = {3.2, 1.427, 0.719};
    const double from = 1.613, to = 1.713, slit = 0.611;
    FILE *const file = fopen("slit.obj", "w");
    cr_assert(file != NULL);
    write_cuboid(file, "soft", zero, size);
    write_cuboid(file, "hard", (const double[]){from, 0, 0}, (const double[]){to, slit, size[2]});
    write_cuboid(file, "hard", (const double[]){from, slit + width, 0},
                 (const double[]){to, size[1], size[2]});
    cr_assert(fclose(file) == 0);
}

/* Levels of octaves from 88 Hz on, from 30 frequencies each [dB]. */
static void measure_levels(const char *spacing, double level[RECEIVERS][OCTAVES])
{
    expect_status(RUN("simulate", "slit.obj", "--spacing", spacing, "--absorption", "soft=0.9",
                      "--absorption", "hard=0", "--source", "0.5,0.7,0.36", "--receiver", "2.4,0.9,0.3",
                      "--receiver", "2.7,0.4,0.4", "--receiver", "2.2,0.7,0.5", "--duration", "0.08",
                      "--force", "-o", "run"),
                  0);
    for (int r = 0; r < RECEIVERS; ++r) {
        char path[60];
        (void)snprintf(path, sizeof path, "run/ir_S1_R%d.wav", r + 1);
        const struct wav_sound sound = read_sound(path);
        for (int octave = 0; octave < OCTAVES; ++octave) {
            double energy = 0;
            for (int n = 0; n < 30; ++n) {
                const double hertz = 88.4 * pow(2, octave + (n + 0.5) / 30);
                const double complex turn = cexp(-2 * 3.14159265358979 * I * hertz / sound.rate);
                double complex sum = 0;
                for (size_t k = sound.frames; k-- > 0;)
                    sum = sum * turn + (double)sound.sample[k];
                energy += pow(cabs(sum) / sound.rate, 2);
            }
            level[r][octave] = 10 * log10(energy);
        }
    }
}

Test(slit_level, it_is_as_far_off_as_the_warning_of_narrow_openings_says)
{
    static const struct {
        double width;
        const char *spacing;
        double least, most; /* of the greatest difference from 20 mm [dB] */
        bool warned;
    } row[] = {{0.08, "80mm", 0.8, 1.65, true},  /* 1 point */
               {0.08, "55mm", 0.0, 0.7, true},   /* 1.5 points, whose nodes lie well */
               {0.12, "80mm", 0.8, 1.65, true},  /* 1.5 points */
               {0.12, "55mm", 0.0, 0.7, true},   /* 2.2 points */
               {0.12, "40mm", 0.0, 0.5, false}}; /* 3 points */
    double fine[RECEIVERS][OCTAVES], level[RECEIVERS][OCTAVES];
    for (size_t n = 0; n < sizeof row / sizeof *row; ++n) {
        if (n == 0 || row[n].width != row[n - 1].width) {
            write_rooms(row[n].width);
            measure_levels("20mm", fine);
        }
        double most = 0;
        measure_levels(row[n].spacing, level);
        for (int r = 0; r < RECEIVERS; ++r)
            for (int octave = 0; octave < OCTAVES; ++octave)
                most = fmax(most, fabs(level[r][octave] - fine[r][octave]));
        cr_assert(most >= row[n].least && most < row[n].most, "%g m at %s: %g dB", row[n].width,
                  row[n].spacing, most);
        if (row[n].warned)
            expect_words("err", "by up to 0.7 dB at two points and 1.6 dB at one");
        else
            expect_no_words("err", "under three grid points");
    }
}
