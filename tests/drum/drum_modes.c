/* Modes of a membrane in vacuum and in air, against Bessel functions, theory and a measured timpano: the
 * tables of tests/ACCURACY.md, "Drums".
 *
 *     build/default/tests/drum_modes
 */
#include <stdio.h>

#include "tests/drum/drum_ring.h"
#include "tests/drum/membrane_modes.h"

#define TENSION 3520 /* for which the bare head has (1,1) at the measured 155 Hz */

static const double measured[2][DRUM_MODES] = {{0.53, 1, 1.48, 1.92, 2.36}, {0.85, 1, 1.51, 1.99, 2.44}};

static void vacuum(void)
{
    const double speed = sqrt(membrane_usual.tension / membrane_usual.density);
    printf("| mode | 20 nodes a radius | 41 | 82 |\n|---|---|---|---|\n");
    for (size_t mode = 0; mode < MEMBRANE_MODES; ++mode) {
        printf("| (%d,%d) |", membrane_mode[mode].m, membrane_mode[mode].n);
        for (int finer = 1; finer <= 4; finer *= 2) {
            double nodes;
            printf(" %.3f %% |",
                   100 * membrane_off(mode, MEMBRANE_RADIUS / speed / (41.01 * finer), 0, &nodes));
        }
        printf("\n");
    }
}

static void air(enum drum_surroundings in, enum scheme scheme, const char *name, double spacing)
{
    const struct membrane_kind kind = drum_head(TENSION);
    double found[DRUM_MODES];
    drum_ring(in, scheme, TENSION, spacing, found);
    for (size_t m = 0; m < DRUM_MODES; ++m) {
        printf("| %s, %g mm | (%d,%d) | %.1f | %.1f |", name, 1000 * spacing, drum_mode[m].m, drum_mode[m].n,
               drum_frequency(&kind, 0, drum_mode[m].m, drum_mode[m].n, NULL), found[m]);
        if (in == BARE)
            printf(" - |");
        else
            printf(" %.1f |", drum_frequency(&kind, in == KETTLE ? 0.14 : 0, drum_mode[m].m, drum_mode[m].n,
                                             &drum_air_usual));
        if (in == BAFFLE)
            printf(" %.3f | - |\n", found[m] / found[1]);
        else
            printf(" %.3f | %.2f |\n", found[m] / found[1], measured[in == KETTLE][m]);
    }
}

int main(void)
{
    vacuum();
    printf("\n| around it, spacing | mode | vacuum [Hz] | in air | theory | of (1,1) | measured |\n"
           "|---|---|---|---|---|---|---|\n");
    for (enum scheme scheme = SCHEME_STANDARD; scheme <= SCHEME_ISOTROPIC; ++scheme) {
        printf("%s\n", scheme == SCHEME_STANDARD ? "7 points" : "19 points");
        air(BAFFLE, scheme, "baffle", 0.05);
        air(KETTLE, scheme, "kettle", 0.04);
        air(BARE, scheme, "nothing", 0.04);
    }
    return 0;
}
