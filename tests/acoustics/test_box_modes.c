/* Frequencies of a box get their own modes, each once. */
#include "src/response/acoustics/box_modes.h"
#include "tests/support/outcome.h"

#define PI 3.14159265358979323846

static double box(const double size[3], int x, int y, int z)
{
    return 0.5 * 343 * sqrt(pow(x / size[0], 2) + pow(y / size[1], 2) + pow(z / size[2], 2));
}

Test(box_modes, frequencies_get_their_own_mode)
{
    const double size[3] = {5.3, 4.1, 2.9};
    const int mode[][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {2, 0, 0}, {1, 1, 1}};
    double frequency[6];
    struct box_guess guess[6];
    for (int m = 0; m < 6; m++) /* half a per cent low, as walls and lattices have it */
        frequency[m] = 0.997 * box(size, mode[m][0], mode[m][1], mode[m][2]);
    MUST(box_modes_guess(&(struct box_room){{size[0], size[1], size[2]}, 343, 0, 0}, frequency, 6, guess,
                         &failure));
    for (int m = 0; m < 6; m++) {
        cr_assert(eq(sz, guess[m].count, 1), "%d", m);
        cr_assert(memcmp(guess[m].n[0], mode[m], sizeof mode[m]) == 0);
        cr_assert(test_near(guess[m].frequency, frequency[m] / 0.997, 1e-9));
    }
}

Test(box_modes, modes_of_one_frequency_stand_together_and_serve_as_often_as_they_are)
{
    const double size[3] = {3, 3, 3};
    const double frequency[] = {57.0, 57.1, 57.2, 57.3, box(size, 1, 1, 0), box(size, 2, 2, 1), 30};
    struct box_guess guess[7];
    MUST(box_modes_guess(&(struct box_room){{size[0], size[1], size[2]}, 343, 0, 0}, frequency, 7, guess,
                         &failure));
    for (int m = 1; m < 4; m++) { /* the nearest three of four */
        cr_assert(eq(sz, guess[m].count, 3));
        for (int k = 0; k < 3; k++)
            cr_assert(eq(int, guess[m].n[k][0] + guess[m].n[k][1] + guess[m].n[k][2], 1));
    }
    cr_assert(eq(sz, guess[0].count, 0));
    cr_assert(eq(sz, guess[4].count, 3));
    cr_assert(eq(sz, guess[5].count, 6)); /* (2,2,1) and (3,0,0), each in three orders */
    cr_assert(eq(sz, guess[6].count, 0));
}

/* 20 cells a side: the sixth axial mode is 3 % low, and lower than one that the first formula has below it.
 */
Test(box_modes, frequencies_of_a_grid_are_compared_on_it)
{
    const struct box_room room = {{3, 3, 3}, 343, 0.15, 0.57};
    const int mode[][3] = {{6, 0, 0}, {5, 3, 1}};
    double frequency[2];
    struct box_guess guess[2];
    for (int m = 0; m < 2; m++) {
        double sum = 0;
        for (int d = 0; d < 3; d++)
            sum += pow(sin(mode[m][d] * PI / 40), 2);
        frequency[m] = asin(0.57 * sqrt(sum)) * 343 / (PI * 0.57 * 0.15);
    }
    cr_assert(frequency[0] < frequency[1]);
    MUST(box_modes_guess(&room, frequency, 2, guess, &failure));
    cr_assert(test_near(guess[0].frequency, 343, 1e-9));
    cr_assert(eq(sz, guess[0].count, 3));
    cr_assert(eq(int, guess[0].n[0][0] + guess[0].n[0][1] + guess[0].n[0][2], 6));
    cr_assert(test_near(guess[1].frequency, 343 * sqrt(35) / 6, 1e-9));
    cr_assert(eq(sz, guess[1].count, 6));
}

Test(box_modes, no_frequencies_no_guess)
{
    const double size[3] = {3, 3, 3};
    MUST(
        box_modes_guess(&(struct box_room){{size[0], size[1], size[2]}, 343, 0, 0}, NULL, 0, NULL, &failure));
}
