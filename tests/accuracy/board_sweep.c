/* Do bodies thinner than a cell stay where they are when the grid moves? Rooms on a grid of 92 mm, moved in
 * steps of an eighth of a cell along each axis, against the same rooms on a fine grid: with a bench of two
 * boards of 4 cm, with three rows of the real church's chairs, and that room empty.
 *
 *   board_sweep [CHURCH.obj [FINEST]]
 *
 * Without the church's file only the bench is swept. FINEST: spacing of the fine grid in metres (0.0153).
 *
 * For every receiver and place of the grid: correlation with the finest run over the first 75 ms, 80 to 355
 * Hz, and with the mean of all places, which leaves out what the grid's dispersion does everywhere; with
 * conformal walls and with stairs. What is lost in the empty room is no body's doing. A quarter of a minute
 * on two cores for each 8 million nodes: the bench has 9, the chairs' room 15. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/thin_rooms.h"

#define COARSE 0.092
#define PLACES 8

static void sweep(const char *name, const struct thin_room *room, double spacing)
{
    enum { COUNT = 3 * PLACES };
    static double finest[THIN_RECEIVERS][THIN_SAMPLES], heard[COUNT][THIN_RECEIVERS][THIN_SAMPLES],
        mean[THIN_RECEIVERS][THIN_SAMPLES];
    static const double nowhere[3] = {0.003, 0.004, 0.002};
    thin_room_hear(room, spacing, nowhere, false, finest);
    for (int kind = 0; kind < 2; kind++) {
        double least[2] = {1, 1};
        memset(mean, 0, sizeof mean);
        for (int place = 0; place < COUNT; place++) {
            double phase[3] = {0.011, 0.017, 0.005};
            phase[place / PLACES] = 0.003 + COARSE / PLACES * (place % PLACES);
            thin_room_hear(room, COARSE, phase, kind == 1, heard[place]);
            for (int r = 0; r < THIN_RECEIVERS; r++)
                for (int k = 0; k < THIN_SAMPLES; k++)
                    mean[r][k] += heard[place][r][k] / COUNT;
        }
        printf("%s, %s: with the finest (with the mean), receivers 1 to %d\n", name,
               kind == 0 ? "conformal" : "stairs", THIN_RECEIVERS);
        for (int place = 0; place < COUNT; place++) {
            printf("%c + %d/%d ", "xyz"[place / PLACES], place % PLACES, PLACES);
            for (int r = 0; r < THIN_RECEIVERS; r++) {
                const double with[2] = {thin_room_correlation(heard[place][r], finest[r]),
                                        thin_room_correlation(heard[place][r], mean[r])};
                for (int i = 0; i < 2; i++)
                    least[i] = fmin(least[i], with[i]);
                printf("  %.4f (%.4f)", with[0], with[1]);
            }
            printf("\n");
        }
        printf("least %.4f (%.4f)\n", least[0], least[1]);
    }
}

int main(int argc, char **argv)
{
    const double spacing = argc > 2 ? strtod(argv[2], NULL) : 0.0153;
    struct thin_room room;
    if (!(spacing > 0) || argc > 3) {
        (void)fprintf(stderr, "usage: board_sweep [CHURCH.obj [FINEST]]\n");
        return 2;
    }
    thin_room_bench(&room);
    sweep("bench", &room, spacing);
    mesh_free(&room.mesh);
    if (argc > 1) {
        thin_room_chairs(argv[1], &room);
        sweep("chairs", &room, spacing);
        room.mesh.triangle_count = THIN_WALLS;
        sweep("without chairs", &room, spacing);
        mesh_free(&room.mesh);
    }
    return 0;
}
