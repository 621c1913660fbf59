/** Rooms with bodies thinner than a cell, at an angle to the grid, and what is heard in them: for the places
 * of such bodies on a grid. */
#ifndef TESTS_THIN_ROOMS_H
#define TESTS_THIN_ROOMS_H

#include <stdbool.h>

#include "geometry/mesh/mesh.h"

#define THIN_RECEIVERS 4
#define THIN_WALLS     12   /* triangles of the room's walls */
#define THIN_SAMPLES   1800 /* from the emission on, over 75 ms */

struct thin_room {
    struct mesh mesh;  /* owned: mesh_free(); first the walls (admittance .05), then the bodies */
    double admittance; /* of the bodies */
    double source[3], receiver[THIN_RECEIVERS][3];
};

/** A bench of two boards of 4 cm in a room of 33 m3; admittance .02. Receivers: far away, under the seat,
 * behind the back, in front. */
void thin_room_bench(struct thin_room *out);

/** Three rows of the real church's chairs, seats of 8 cm and backs of 5 cm of upholstery (admittance .1,
 * which absorbs .49 of sound from all directions), in a room of 55 m3. Receivers: between two rows, under a
 * seat, at a seated head, behind a back.
 * @param obj  the church's file */
void thin_room_chairs(const char *obj, struct thin_room *out);

/** A pulse of 80 to 355 Hz. Ends the program where the room cannot be made, as do the two above.
 * @param phase   of the grid (lattice_fit())
 * @param stairs  the usual walls, with inertance; else conformal ones, with .85 of the largest lambda2 */
void thin_room_hear(const struct thin_room *room, double spacing, const double phase[3], bool stairs,
                    double heard[THIN_RECEIVERS][THIN_SAMPLES]);

/** Of two receivers' samples (-). */
double thin_room_correlation(const double a[THIN_SAMPLES], const double b[THIN_SAMPLES]);

#endif
