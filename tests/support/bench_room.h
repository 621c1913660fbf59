/** A room with a bench of two boards of 4 cm, at an angle to the grid, and what is heard in it: for the
 * places of thin bodies on a grid. Walls of admittance .05, boards .02. */
#ifndef TESTS_BENCH_ROOM_H
#define TESTS_BENCH_ROOM_H

#include <stdbool.h>

#define BENCH_RECEIVERS 4    /* far away, under the seat, behind the back, in front */
#define BENCH_SAMPLES   1800 /* from the emission on, over 75 ms */

/** A pulse of 80 to 355 Hz. Ends the program where the room cannot be made.
 * @param phase   of the grid (lattice_fit())
 * @param stairs  the usual walls, with inertance; else conformal ones, with .85 of the largest lambda2 */
void bench_room_hear(double spacing, const double phase[3], bool stairs,
                     double heard[BENCH_RECEIVERS][BENCH_SAMPLES]);

/** Of two receivers' samples (-). */
double bench_room_correlation(const double a[BENCH_SAMPLES], const double b[BENCH_SAMPLES]);

#endif
