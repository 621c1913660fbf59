/* Sheets that end at a wall, with several positions of the grid. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

TestSuite(sheet_edges, .init = enter_folder, .fini = leave_folder);

/* 4 x 2.5 x 2 m, with a face of `curtain` at x = 2.03 from wall to wall, or that much above the floor. */
static void write_hall(double gap)
{
    static const double corner[8][3] = {{0, 0, 0}, {4, 0, 0}, {4, 2.5, 0}, {0, 2.5, 0},
                                        {0, 0, 2}, {4, 0, 2}, {4, 2.5, 2}, {0, 2.5, 2}};
    FILE *file = fopen("hall.obj", "w");
    cr_assert(file != NULL);
    for (int n = 0; n < 8; ++n)
        fprintf(file, "v %g %g %g\n", corner[n][0], corner[n][1], corner[n][2]);
    fprintf(file, "v 2.03 0 %g\nv 2.03 2.5 %g\nv 2.03 2.5 2\nv 2.03 0 2\n", gap, gap);
    fputs("usemtl plaster\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
          "usemtl curtain\nf 9 10 11 12\n",
          file);
    cr_assert(fclose(file) == 0);
    write_text("own.yaml", "materials:\n- {name: curtain, kind: sheet, flow_resistance: 1e9}\n");
}

static double level(const char *path)
{
    size_t count;
    int rate;
    float *const sample = read_mono(path, &count, &rate);
    double sum = 1e-300;
    for (size_t n = 0; n < count; ++n)
        sum += (double)sample[n] * (double)sample[n];
    return 10 * log10(sum);
}

/* How far below the front it is behind the sheet [dB]. */
static double held_back(const char *spacing, const char *scheme)
{
    expect_status(RUN("simulate", "hall.obj", "-o", "run", "--force", "--quiet", "--spacing", spacing,
                      "--scheme", scheme, "--duration", "0.1", "--materials", "own.yaml", "--absorption",
                      "0.1", "--source", "3.1,1.3,1.1,S", "--receiver", "0.8,1.2,0.9,behind", "--receiver",
                      "3.3,0.7,0.8,front"),
                  0);
    return level("run/ir_S_front.wav") - level("run/ir_S_behind.wav");
}

Test(sheet_edges, a_sheet_from_wall_to_wall_is_tight_wherever_the_grid_falls)
{
    static const char *const spacing[] = {"0.16", "0.17", "0.18", "0.19", "0.2"};
    write_hall(0);
    for (int n = 0; n < 5; ++n)
        for (int scheme = 0; scheme < 2; ++scheme) {
            const double held = held_back(spacing[n], scheme ? "standard" : "isotropic");
            cr_assert(held > 90, "%s m: only %.1f dB", spacing[n], held);
        }
}

Test(sheet_edges, a_gap_of_more_than_a_cell_stays_open)
{
    write_hall(0.4);
    const double held = held_back("0.17", "isotropic");
    cr_assert(held < 20, "%.1f dB", held);
}
