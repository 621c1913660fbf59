/* Sound bent round a wedge and a screen, from a model to a response, against the exact solution; and that one
 * itself. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "tests/accuracy/exact/wedge_diffraction.h"
#include "tests/support/sounds.h"

TestSuite(diffraction, .init = enter_folder, .fini = leave_folder);

#define PI 3.14159265358979323846

/* ---- the exact solution ---- */

/* Of the free field of a source and its images, in the plane of the wedge's coordinates. */
static double complex images(const struct wedge *wedge, int count, const double angle[], double f)
{
    double complex sum = 0.0;
    for (int n = 0; n < count; n++) {
        const double x = wedge->source[0] * cos(angle[n]) - wedge->receiver[0] * cos(wedge->receiver[1]),
                     y = wedge->source[0] * sin(angle[n]) - wedge->receiver[0] * sin(wedge->receiver[1]),
                     z = wedge->source[2] - wedge->receiver[2], d = sqrt(x * x + y * y + z * z);
        sum += cexp(-2.0 * PI * I * f * d / wedge->speed) / d;
    }
    return sum;
}

static struct wedge wedge_of(double air, double from, double to)
{
    return (struct wedge){
        .air = air, .source = {0.5, from, 0.1}, .receiver = {0.7, to, -0.2}, .speed = 343.2, .until = 0.03};
}

Test(diffraction, a_flat_wall_is_an_image_and_an_inner_corner_is_three)
{
    for (double f = 100.0; f < 4000.0; f *= 1.7)
        for (double b = 0.2; b < 1.5; b += 0.3) {
            const double a = 0.45;
            struct wedge wall = wedge_of(PI, a, 2.0 * b), corner = wedge_of(PI / 2.0, a, b);
            const double complex one = images(&wall, 2, (const double[]){a, -a}, f),
                                 three = images(&corner, 4, (const double[]){a, -a, PI - a, PI + a}, f);
            cr_assert(test_near(cabs(wedge_spectrum(&wall, f) - one), 0.0, 1e-9));
            cr_assert(test_near(cabs(wedge_spectrum(&corner, f) - three), 0.0, 1e-9));
        }
}

/* Where the shadow and the reflection begin, the edge makes up for what the geometry loses. */
Test(diffraction, the_field_of_an_edge_is_continuous_and_the_same_with_source_and_receiver_changed)
{
    for (int screen = 0; screen < 2; screen++) {
        const double air = screen ? 2.0 * PI : 1.5 * PI, a = 0.6, little = 1e-5;
        for (double f = 200.0; f < 4000.0; f *= 2.1) {
            const double at[] = {PI - a, PI + a};
            for (int k = 0; k < 2; k++) {
                struct wedge before = wedge_of(air, a, at[k] - little),
                             after = wedge_of(air, a, at[k] + little);
                const double complex one = wedge_spectrum(&before, f), other = wedge_spectrum(&after, f);
                cr_assert(test_near(cabs(one - other), 0.0, 2e-3 * cabs(one)), "%g Hz", f);
            }
            struct wedge there = wedge_of(air, a, 4.0), back = there;
            memcpy(back.source, there.receiver, sizeof back.source);
            memcpy(back.receiver, there.source, sizeof back.receiver);
            cr_assert(test_near(cabs(wedge_spectrum(&there, f) - wedge_spectrum(&back, f)), 0.0, 1e-12));
        }
    }
}

/* ---- in rooms ---- */

/* Thirds of an octave from 250 Hz to `highest`. `origin` of the grid, or NULL. */
static void expect_room(const struct wedge_room *room, const char *spacing, const char *fmax,
                        const char *courant, const char *origin, double highest, double most)
{
    cr_assert(eq(int, wedge_room_write(room, "room.obj"), 0));
    expect_status(RUN("simulate", "room.obj", "-o", "run", "--force", "--spacing", spacing, "--fmax", fmax,
                      "--absorption", "rigid=0", "--absorption", "wall=0.95", "--air", "off", "--duration",
                      "0.0042", "--backend", "cpu", "--courant", courant,
                      origin != NULL ? "--grid-origin" : NULL, origin),
                  0);
    for (size_t r = 0; r < WEDGE_RECEIVERS; r++) {
        char name[40];
        (void)snprintf(name, sizeof name, "run/ir_S_P%zu.wav", r);
        struct wav_sound sound = read_sound(name);
        const struct wedge wedge = wedge_room_case(room, r, 343.2);
        for (double f = 250.0; f <= highest; f *= cbrt(2.0)) {
            const double off = wedge_room_off(&wedge, sound.sample, sound.frames, f);
            cr_expect(test_near(off, 0.0, most), "%g degrees, %g Hz: %g dB", wedge_room_angle(room, r), f,
                      off);
        }
    }
}

Test(diffraction, a_wedge_along_the_grid_and_askew_bends_sound_as_the_exact_one)
{
    expect_room(&(struct wedge_room){1.5 * PI, {0, 0}}, "0.03", "1900", "89%", NULL, 1000.0, 0.3);
    expect_room(&(struct wedge_room){1.5 * PI, {31, 13}}, "0.03", "1900", "89%", NULL, 1000.0, 0.3);
}

/* At the usual time step, as at a shorter one: nodes of divided voxels do not borrow mass from the air. */
Test(diffraction, a_screen_without_thickness_askew_bends_sound_as_the_exact_one)
{
    expect_room(&(struct wedge_room){2.0 * PI, {17, 0}}, "0.03", "1900", "89%", NULL, 1000.0, 0.4);
    expect_room(&(struct wedge_room){2.0 * PI, {31, 13}}, "0.03", "1900", "89%", NULL, 1000.0, 0.4);
}

/* The edge, at 2 m along x and y, is .47 spacings before the middle of its voxel and .41 beside it: the
 * screen divides that voxel almost, and hides one of its openings to straight lines. */
Test(diffraction, a_screen_may_end_at_the_far_face_of_a_voxel)
{
    expect_room(&(struct wedge_room){2.0 * PI, {17, 0}}, "0.03", "1900", "89%", "0.0041,0.0023,0", 1700.0,
                1.2);
}
