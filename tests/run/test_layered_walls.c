/* Walls that a project gives by their layers, in runs. */
#define _XOPEN_SOURCE 700
#include "rooms/layers/wall_layers.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

#define LAYERS "wool 60 mm 12 kPa s/m2, air 90 mm"
#define LENGTH 1.5 /* of the tube [m] */

/* A tube of 0.2 x 0.2 m with hard walls; layers at its end x = LENGTH. */
static void write_tube(void)
{
    FILE *file = fopen("tube.obj", "w");
    cr_assert(file != NULL);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? LENGTH : 0, i & 2 ? 0.2 : 0, i & 4 ? 0.2 : 0);
    fprintf(file, "usemtl hard\nf 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 5 6 8 7\n"
                  "usemtl end\nf 2 4 8 6\n");
    fclose(file);
    write_text("tube.yaml", "room: tube.obj\n"
                            "materials: {hard: 0, end: {build: [" LAYERS "]}}\n"
                            "sources: [{name: S, position: [0.1, 0.1, 0.1]}]\n"
                            "receivers: [{name: A, position: [0.9, 0.1, 0.1]},"
                            " {name: B, position: [1.05, 0.1, 0.1]}]\n"
                            "spacing_m: 0.04\nduration_s: 0.8\n");
}

TestSuite(layered_walls, .init = enter_folder, .fini = leave_folder);

Test(layered_walls, reflect_in_a_run_as_their_layers_do)
{
    size_t count[2];
    int rate;
    write_tube();
    expect_status(RUN("simulate", "tube.yaml", "-o", "run"), 0);
    const float *near = read_mono("run/ir_S_A.wav", &count[0], &rate),
                *far = read_mono("run/ir_S_B.wav", &count[1], &rate);
    struct wall_layers layers;
    MUST(wall_layers_read(LAYERS, &layers, &failure));
    for (double f = 63; f < 700; f *= 1.26) {
        /* waves to and from the end, by two receivers (ISO 10534-2); 1 for exp(+j k x), R for exp(-j k x) */
        const double k = 2 * 3.14159265358979323846 * f / 343.2, a = LENGTH - 0.9, b = LENGTH - 1.05;
        const double complex h = spectrum_at(far, count[1], f, rate) / spectrum_at(near, count[0], f, rate);
        const double complex is =
            (cexp(I * k * b) - h * cexp(I * k * a)) / (h * cexp(-I * k * a) - cexp(-I * k * b));
        const struct wall_admittance y = wall_layers_admittance(&layers, f, 1);
        const double complex wanted = (1 - (y.g + y.b * I)) / (1 + (y.g + y.b * I));
        cr_assert(test_at_most(cabs(is - wanted), 0.02), "%.0f Hz: %.3f %+.3f i, not %.3f %+.3f i", f,
                  creal(is), cimag(is), creal(wanted), cimag(wanted));
    }
}

Test(layered_walls, are_warned_of_where_a_variant_has_them)
{
    static const char words[] = "walls are locally reacting here";
    write_cube();
    write_text("cube.yaml", "room: cube.obj\n"
                            "materials: {wall: {build: [wool 20 mm 10 kPa s/m2, air 300 mm]}}\n"
                            "variants: {hard: {materials: {wall: {build: plaster 20 mm 500 kPa s/m2}}}}\n");
    expect_status(RUN("plan", "cube.yaml", "--fmax", "200"), 0);
    expect_words("err", words, "cube.yaml, line 2: \"wall\" absorbs 0.");
    expect_status(RUN("plan", "cube.yaml", "--fmax", "200", "--variant", "hard"), 0);
    expect_no_words("err", words);
}

/* An undamped cavity has more resonances below 2840 Hz than six branches, below 200 Hz it has one. */
Test(layered_walls, are_warned_of_where_their_branches_follow_them_coarsely)
{
    static const char words[] = "reflects otherwise than its layers: its reflection factor is wrong by ";
    write_cube();
    write_text("cube.yaml", "room: cube.obj\n"
                            "materials: {wall: {build: ['cloth 100 Pa s/m', air 150 mm]}}\n"
                            "variants: {damped: {materials: {wall: {build: [wool 150 mm 8 kPa s/m2]}}}}\n");
    expect_status(RUN("plan", "cube.yaml", "--fmax", "2840"), 0);
    expect_words("err", words, "cube.yaml, line 2: \"wall\"", "in the octave of 2000 Hz");
    expect_status(RUN("plan", "cube.yaml", "--fmax", "200"), 0);
    expect_no_words("err", words);
    expect_status(RUN("plan", "cube.yaml", "--fmax", "2840", "--variant", "damped"), 0);
    expect_no_words("err", words);
}
