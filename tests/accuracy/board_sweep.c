/* Does a board of 4 cm stay where it is when the grid moves? A room with a bench of two boards on a grid of
 * 92 mm, moved in steps of an eighth of a cell, against the same room on a grid of 15 mm.
 *
 *   board_sweep [FINEST]      spacing of the finest grid in metres (0.0153)
 *
 * For every receiver and place of the grid: correlation with the finest run over the first 60 ms, 80 to 355
 * Hz, and with the mean of all places, which leaves out what the grid's dispersion does everywhere; with
 * conformal walls and with stairs. Half a minute for each 8 million nodes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench_room.h"

#define COARSE 0.092
#define PLACES 8

int main(int argc, char **argv)
{
    static double finest[BENCH_RECEIVERS][BENCH_SAMPLES], heard[2 * PLACES][BENCH_RECEIVERS][BENCH_SAMPLES],
        mean[BENCH_RECEIVERS][BENCH_SAMPLES];
    const double spacing = argc > 1 ? strtod(argv[1], NULL) : 0.0153, nowhere[3] = {0.003, 0.004, 0.002};
    if (!(spacing > 0)) {
        (void)fprintf(stderr, "usage: board_sweep [FINEST]\n");
        return 2;
    }
    bench_room_hear(spacing, nowhere, false, finest);
    for (int kind = 0; kind < 2; kind++) {
        double least[2] = {1, 1};
        memset(mean, 0, sizeof mean);
        for (int place = 0; place < 2 * PLACES; place++) {
            const double moved = COARSE / PLACES * (place % PLACES);
            const double phase[3] = {0.011, place < PLACES ? moved + 0.003 : 0.017,
                                     place < PLACES ? 0.005 : moved + 0.002};
            bench_room_hear(COARSE, phase, kind == 1, heard[place]);
            for (int r = 0; r < BENCH_RECEIVERS; r++)
                for (int k = 0; k < BENCH_SAMPLES; k++)
                    mean[r][k] += heard[place][r][k] / (2 * PLACES);
        }
        printf("%s: with the finest (with the mean), receivers 1 to %d\n", kind == 0 ? "conformal" : "stairs",
               BENCH_RECEIVERS);
        for (int place = 0; place < 2 * PLACES; place++) {
            printf("%c + %d/8 ", place < PLACES ? 'y' : 'z', place % PLACES);
            for (int r = 0; r < BENCH_RECEIVERS; r++) {
                const double with[2] = {bench_room_correlation(heard[place][r], finest[r]),
                                        bench_room_correlation(heard[place][r], mean[r])};
                for (int i = 0; i < 2; i++)
                    least[i] = fmin(least[i], with[i]);
                printf("  %.4f (%.4f)", with[0], with[1]);
            }
            printf("\n");
        }
        printf("least %.4f (%.4f)\n", least[0], least[1]);
    }
    return 0;
}
