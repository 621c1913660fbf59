/** Rooms as architects export them: OBJ files of up to 400 faces, quads and triangles, with faces drawn
 * twice, furniture that stands 1 or 2 cm off the floor, gaps of 1 to 3 cm, and names as offices write them.
 *
 *   church  57 m long, m, z up: nave and aisles (Sandstein), pews (Gestühl), a gallery with an organ in the
 *           west, a choir behind three steps with an altar in the east
 *   hall    24 m long, as SketchUp writes it: inches, y up, names of its library; a stage whose floor is that
 *           of the hall, chairs, and a balcony over the foyer end
 *   chapel  14 m long, m, z up: under an attic whose floor is as large as the chapel's and of its material;
 *           the ceiling ends 2 cm before a wall
 *   level church, level chapel   the same, but no step leads to the altar
 *
 * `build/.../tests/draw_rooms FOLDER` writes them for hands. */
#ifndef TESTS_DRAWINGS_H
#define TESTS_DRAWINGS_H

#include <stdbool.h>

struct drawing {
    const char *name;
    double source[3];    /* where somebody speaks: at the altar, on the stage [m] */
    const char *options; /* for this file and source: "--up y --source 20,8,2.6,stage" */
};

#define DRAWINGS 5
extern const struct drawing drawing[DRAWINGS];

/** Write drawing[which] to `path`. Returns the number of its faces; 0 if the file cannot be written. */
int drawing_write(int which, const char *path);

/** True if somebody sits there: ears 1.2 m above the floor of a nave, hall, aisle, balcony or gallery, and
 * not of a stage, a choir or an attic. Given for ears over such a floor, not in furniture. */
bool drawing_is_seat(int which, const double ears[3]);

#endif
