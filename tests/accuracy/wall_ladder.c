/* How well walls at any angle and any offset on the grid are where they are drawn: boxes with conformal walls
 * and with stairs against the exact solution.
 *
 *   wall_ladder [modes] [offset] [decay] [scatter] [enough [POINTS ..]]      all five without arguments
 *
 *   modes    hard boxes turned on the grid: error of frequency of the 20 lowest modes, per cent, root of the
 *            mean square over them and three places on the grid, without the dispersion of the middle of the
 *            room
 *   offset   a flat wall at any offset on the grid: by how many cells it seems to stand elsewhere, for sound
 *            at right angles to it
 *   decay    absorbing boxes of 2 x 1.66 x 1.38 wavelengths: error of the decay rates of the modes of the
 *            uppermost octave, per cent: root of the mean square, and mean. Walls are as in the program: with
 *            the air of half a cell in front of stairs, without it before conformal walls
 *   scatter  a hard wall of slope 3/17: what is not reflected as by a mirror, dB of energy
 *
 *   enough   the same boxes and balls by both schemes at 4 to 10.5 points: frequency, decay and T30 of the
 *            uppermost octave, at four places on the grid, walls as a run has them (grid_enough.h); of these
 * POINTS alone
 *
 * "added" is the mass that no neighbour had to lend, as a share of all. Twenty minutes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/accuracy/grid_enough.h"
#include "tests/support/box_room.h"

#define PI      3.14159265358979323846
#define DEGREES (PI / 180)

/* Turned about x, then z. */
static const struct {
    const char *name;
    double about_x, about_z;
} turns[] = {{"straight", 0, 0},
             {"10 degrees", 0, 10},
             {"27 and 35 degrees", 35, 27},
             {"45 degrees", 0, 45},
             {"45 and 35.26 degrees", 35.264389682754654, 45}};

static const struct {
    const char *name;
    bool stairs;
    double share;
} kinds[] = {{"stairs", true, 1},
             {"conformal, .95", false, 0.95},
             {"conformal, .9", false, 0.9},
             {"conformal, .85", false, 0.85},
             {"conformal, .7", false, 0.7}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct box_shape box(const double size[3], int turn, int kind, int place)
{
    static const double places[3][3] = {{0.13, 0.27, 0.41}, {0.71, 0.38, 0.92}, {0.49, 0.83, 0.06}};
    struct box_shape shape = {.angle = {turns[turn].about_x * DEGREES, 0, turns[turn].about_z * DEGREES},
                              .stairs = kinds[kind].stairs,
                              .share = kinds[kind].share};
    memcpy(shape.size, size, sizeof shape.size);
    memcpy(shape.centre, places[place], sizeof shape.centre);
    return shape;
}

static void modes(void)
{
    enum { MODES = 20, PLACES = 3 };
    static const double length[] = {12, 18, 26};
    printf("frequencies of a hard box L x .83 L x .69 L, L = 12, 18, 26 cells (added)\n");
    for (int turn = 1; turn < 4; turn++)
        for (int kind = 0; kind < KINDS; kind++) {
            printf("%-18s %-15s", turns[turn].name, kinds[kind].name);
            for (int l = 0; l < 3; l++) {
                const double size[3] = {length[l], 0.83 * length[l], 0.69 * length[l]};
                double sum = 0, added = 0;
                for (int place = 0; place < PLACES; place++) {
                    const struct box_shape shape = box(size, turn, kind, place);
                    struct box_room room;
                    int q[MODES][3];
                    box_room_make(&shape, &room);
                    const size_t found = box_modes_between(&shape, 0, 9 * PI / length[l], MODES, q);
                    for (size_t m = 0; m < found; m++)
                        sum += pow(box_room_rings(&room, q[m]).walls, 2) / (PLACES * MODES);
                    added = fmax(added, room.added);
                    box_room_free(&room);
                }
                printf("  %7.4f (%.0e)", 100 * sqrt(sum), added);
                (void)fflush(stdout);
            }
            printf("\n");
        }
}

static void offset(void)
{
    static const double offsets[] = {0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98};
    static const double points[] = {10.5, 21};
    enum { OFFSETS = sizeof offsets / sizeof *offsets };
    printf("\nwall seems further out by so many cells, at offsets of");
    for (int o = 0; o < OFFSETS; o++)
        printf(" %g", offsets[o]);
    printf("\n");
    for (int p = 0; p < 2; p++)
        for (int kind = 1; kind < KINDS; kind++) {
            printf("%4g points %-15s", points[p], kinds[kind].name);
            for (int o = 0; o < OFFSETS; o++) {
                const struct box_shape shape = {
                    .size = BOX_BETWEEN(offsets[o]), .centre = {0.5, 0.5, 0.5}, .share = kinds[kind].share};
                printf(" %+.4f", box_wall_shift(&shape, points[p]));
                (void)fflush(stdout);
            }
            printf("\n");
        }
}

static void decay(void)
{
    static const struct wall_material plain[3] = {
        {1, {{.E = 1 / 0.02}}}, {1, {{.E = 1 / 0.05}}}, {1, {{.E = 1 / 0.1}}}};
    static const double points[] = {6, 8, 10.5, 21};
    static const int rows[] = {0, 2, 3};
    printf(
        "\ndecay in a box with walls of admittance .02, .05, .1: rms (mean) %% at 6, 8, 10.5, 21 points\n");
    for (int turn = 0; turn < 5; turn++)
        for (int r = 0; r < 3; r++) {
            printf("%-21s %-15s", turns[turn].name, kinds[rows[r]].name);
            for (int p = 0; p < 4; p++) {
                const double size[3] = {2 * points[p], 1.66 * points[p], 1.38 * points[p]};
                const struct box_shape shape = box(size, turn, rows[r], 0);
                const struct box_decays found = box_octave_decays(&shape, plain, points[p], 1);
                printf("  %6.2f (%+6.2f)", 100 * found.spread, 100 * found.mean);
                (void)fflush(stdout);
            }
            printf("\n");
        }
}

static double asked_points[20];
static int asked_count;

static void enough(void)
{
    grid_enough(asked_points, asked_count);
}

static void scatter(void)
{
    static const double points[] = {4.5, 6, 8, 10.5, 15};
    static const int rows[] = {0, 1, 2, 3};
    printf("\nscatter out of the specular direction, dB, slope 3/17, at 4.5, 6, 8, 10.5, 15 points\n");
    for (int r = 0; r < 5; r++) {
        const struct box_shape shape = {.size = BOX_BEAM_SIZE,
                                        .angle = {0, 0, r < 4 ? atan(3.0 / 17.0) : 0},
                                        .centre = {0.5, 0.5, 0},
                                        .stairs = r == 4 || kinds[rows[r]].stairs,
                                        .share = r == 4 ? 1 : kinds[rows[r]].share};
        struct box_room room;
        box_room_make(&shape, &room);
        printf("%-28s", r == 4 ? "none (level, what is measured)" : kinds[rows[r]].name);
        for (int p = 0; p < 5; p++) {
            printf(" %6.1f", 10 * log10(fabs(box_room_scatters(&room, points[p]))));
            (void)fflush(stdout);
        }
        printf("\n");
        box_room_free(&room);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } part[] = {
        {"modes", modes}, {"offset", offset}, {"decay", decay}, {"scatter", scatter}, {"enough", enough}};
    for (int a = 1; a < argc && asked_count < 20; a++)
        if (atof(argv[a]) > 0)
            asked_points[asked_count++] = atof(argv[a]);
    for (int p = 0; p < 5; p++) {
        bool asked = argc == 1;
        for (int a = 1; a < argc; a++)
            asked = asked || strcmp(argv[a], part[p].name) == 0;
        if (asked)
            part[p].print();
    }
    return 0;
}
