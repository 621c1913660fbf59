/* Does a width that closes every crack do so on every grid? Random halls of free panels (panel_hall.h),
 * sealed with the width of their widest hole on grids of 30 cm to 5 mm.
 *
 *   seal_halls [HALLS [FINEST]]     200 of them, down to grids of FINEST metres (0.005)
 *
 * A line for each hall that leaks, then for each grid how many did and how long all took. Status: 0 none
 * leaked, 1 some did, 2 bad usage. Minutes; a second for each ten halls down to 0.03. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "geometry/room/voxeliser.h"
#include "tests/support/panel_hall.h"

#define GRIDS 11

static double seconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    static const double grid[GRIDS] = {0.3, 0.2, 0.12, 0.08, 0.046, 0.03, 0.023, 0.015, 0.01, 0.007, 0.005};
    const long halls = argc > 1 ? strtol(argv[1], NULL, 10) : 200;
    const double finest = argc > 2 ? strtod(argv[2], NULL) : 0.005;
    if (halls < 1 || !(finest > 0)) {
        (void)fprintf(stderr, "usage: seal_halls [HALLS [FINEST]]\n");
        return 2;
    }
    long leaks[GRIDS] = {0}, leaky = 0;
    double took[GRIDS] = {0};
    for (long n = 1; n <= halls; ++n) {
        struct panel_hall hall;
        panel_hall_make((uint64_t)n, &hall);
        bool leaked = false;
        for (int g = 0; g < GRIDS && grid[g] > 0.999 * finest; ++g) {
            struct failure failure = {0};
            const double start = seconds();
            if (panel_hall_seal(&hall, grid[g], hall.gap, NULL, &failure) != 0) {
                ++leaks[g];
                leaked = true;
                printf("hall %ld, %.4g mm wide at most, on %g mm: %s\n", n, 1000 * hall.gap, 1000 * grid[g],
                       failure.sentence);
            }
            took[g] += seconds() - start;
        }
        leaky += leaked;
        mesh_free(&hall.mesh);
    }
    for (int g = 0; g < GRIDS && grid[g] > 0.999 * finest; ++g)
        printf("%4g mm: %3ld of %ld leak, %.1f s\n", 1000 * grid[g], leaks[g], halls, took[g]);
    printf("%ld of %ld halls leak on one grid or more\n", leaky, halls);
    return leaky > 0;
}
