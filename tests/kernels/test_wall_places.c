/* Walls where they are: what boxes at any angle and at any offset on the grid ring at, and how fast they die
 * away, against the exact solution. wall_ladder prints the tables; these are its lighter rows. */
#include "tests/support/box_room.h"
#include "tests/support/test_support.h"

#define PI      3.14159265358979323846
#define DEGREES (PI / 180)

/* ---- turned boxes ---- */

/* Root of the mean square over the lowest modes, the lattice's dispersion apart. */
static double error_of(double length, double about_z, double about_x, int modes)
{
    const struct box_shape shape = {.size = {length, 0.83 * length, 0.69 * length},
                                    .angle = {about_x * DEGREES, 0, about_z * DEGREES},
                                    .centre = {0.13, 0.27, 0.41},
                                    .share = 0.85};
    struct box_room room;
    int q[20][3];
    double sum = 0;
    box_room_make(&shape, &room);
    cr_expect(test_at_most(room.added, 1e-4), "%g of the mass had to be added", room.added);
    cr_assert(box_modes_between(&shape, 0, 6 * PI / length, (size_t)modes, q) == (size_t)modes);
    for (int m = 0; m < modes; m++)
        sum += pow(box_room_rings(&room, q[m]).walls, 2);
    box_room_free(&room);
    return sqrt(sum / modes);
}

Test(wall_places, modes_of_turned_boxes_are_right_to_second_order)
{
    static const double turn[3][2] = {{10, 0}, {27, 35}, {45, 0}}, most[3] = {0.0020, 0.0012, 0.0015};
    for (int t = 0; t < 3; t++) {
        const double coarse = error_of(12, turn[t][0], turn[t][1], 12),
                     fine = error_of(24, turn[t][0], turn[t][1], 12), order = log2(coarse / fine);
        (void)fprintf(stderr, "turned by %g and %g degrees: %.4f and %.4f %%, order %.2f\n", turn[t][0],
                      turn[t][1], 100 * coarse, 100 * fine, order);
        cr_expect(test_at_most(coarse, most[t]), "turned by %g: off by %g", turn[t][0], coarse);
        cr_expect(test_at_least(order, 1.8), "turned by %g: order %g", turn[t][0], order);
    }
}

/* ---- flat walls at any offset ---- */

Test(wall_places, a_flat_wall_stands_within_hundredths_of_a_cell_at_any_offset)
{
    static const double offset[] = {0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98},
                        points[] = {10.5, 21}, most[2][2] = {{0.04, 0.01}, {0.02, 0.004}},
                        share[] = {0.9, 0.85};
    for (int p = 0; p < 2; p++)
        for (int s = 0; s < 2; s++) {
            double worst = 0;
            for (size_t o = 0; o < sizeof offset / sizeof *offset; o++) {
                const struct box_shape shape = {
                    .size = BOX_BETWEEN(offset[o]), .centre = {0.5, 0.5, 0.5}, .share = share[s]};
                const double shift = box_wall_shift(&shape, points[p]);
                worst = fmax(worst, fabs(shift));
                cr_expect(test_near(shift, 0, most[p][s]), "offset %g, %g points, share %g: %g cells",
                          offset[o], points[p], share[s], shift);
            }
            (void)fprintf(stderr, "%g points a wavelength, share %g: %.4f cells at most\n", points[p],
                          share[s], worst);
        }
}

/* ---- lossy boxes ---- */

Test(wall_places, turned_boxes_with_absorbing_walls_die_away_as_they_should)
{
    static const struct wall_material plain[3] = {
        {1, {{.E = 1 / 0.02}}}, {1, {{.E = 1 / 0.05}}}, {1, {{.E = 1 / 0.1}}}};
    /* Resonances at, above and below the octave, in spacings and their time: F D = (angular frequency)^2. */
    static const struct wall_material resonant[3] = {
        {1, {{.D = 20, .E = 15, .F = 5}}},
        {2, {{.D = 10, .E = 30, .F = 6}, {.E = 60}}},
        {2, {{.D = 60, .E = 20, .F = 5}, {.D = 5, .E = 40, .F = 8}}}};
    static const double turn[] = {10, 27, 45};
    for (int w = 0; w < 2; w++)
        for (int t = 0; t < 3; t++) {
            const struct box_shape shape = {.size = {21, 17.4, 14.5},
                                            .angle = {0, 0, turn[t] * DEGREES},
                                            .centre = {0.13, 0.27, 0.41},
                                            .share = 0.85};
            const struct box_decays found = box_octave_decays(&shape, w == 0 ? plain : resonant, 10.5, 3);
            (void)fprintf(stderr,
                          "%s walls turned by %g degrees: decay off by %.2f %%, %+.2f %% on average\n",
                          w == 0 ? "plain" : "resonant", turn[t], 100 * found.spread, 100 * found.mean);
            cr_expect(test_at_most(found.spread, 0.01), "turned by %g: %g", turn[t], found.spread);
            cr_expect(test_near(found.mean, 0, w == 0 ? 0.008 : 0.005), "turned by %g: %g on average",
                      turn[t], found.mean);
        }
}

/* ---- tilted walls ---- */

Test(wall_places, a_tilted_hard_wall_is_a_mirror)
{
    const struct box_shape shape = {
        .size = BOX_BEAM_SIZE, .angle = {0, 0, atan(3.0 / 17.0)}, .centre = {0.5, 0.5, 0}, .share = 0.9};
    struct box_room room;
    box_room_make(&shape, &room);
    const double share = box_room_scatters(&room, 10.5);
    box_room_free(&room);
    (void)fprintf(stderr, "scattered: %.1f dB\n", 10 * log10(share));
    cr_expect(test_at_most(share, 1e-5), "%g of the energy goes elsewhere", share);
}
