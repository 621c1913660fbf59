/** A dummy head in the room: a rigid sphere, or a mesh, with two ears on its surface.
 *
 * The sphere has its ears DUMMY_HEAD_EAR_DEGREES from its front, in the horizontal plane through its centre
 * (R. O. Duda and W. L. Martens, J. Acoust. Soc. Am. 104, 1998; 8.75 cm and 100 degrees after J. Blauert,
 * Spatial Hearing, and E. A. G. Shaw). A mesh has its front along +x, its left along +y, its top along +z,
 * the origin at the receiver that it replaces, and positions receiver:left and receiver:right. */
#ifndef SRC_DUMMY_HEAD_H
#define SRC_DUMMY_HEAD_H

#include <stdint.h>

#include "geometry/mesh/mesh.h"
#include "src/base/options/option_types.h"

#define DUMMY_HEAD_RADIUS      0.0875 /* [m] */
#define DUMMY_HEAD_EAR_DEGREES 100.0
/** The material of every head, rigid by default. */
#define DUMMY_HEAD_MATERIAL "dummy_head"
/** Distance of an ear from its surface, since a receiver must be in air [m]. */
#define DUMMY_HEAD_EAR_CLEAR 0.5e-3
/** Air that a head has around it at least [m]. */
#define DUMMY_HEAD_CLEAR 0.01
/** Least grid spacings in a radius: with 8.75 the differences between the ears of a sphere are within 1 dB
 * and 5 us of the exact solution, with 7 within 2.4 dB and 8 us, from all sides at 6 points a wavelength
 * (tests/accuracy/head_sweep). */
#define DUMMY_HEAD_SPACINGS 8.5

/** Strings are borrowed from the text that was read. */
struct dummy_head {
    char name[OPTION_NAME_MAX]; /* of the receiver that it replaces */
    const char *file;           /* of its mesh; NULL: a sphere */
    uint64_t hash;              /* of that file */
    double radius;              /* of a mesh half the distance of its ears [m] */
    double position[3];         /* set by the caller [m] */
    double azimuth;             /* direction of its front, from +x towards +y; set by the caller [degrees] */
    double ear[2][3];           /* left, right: dummy_head_put() [m] */
};

/** From "NAME", "NAME=RADIUS" or "NAME=FILE". FAILURE_INPUT for a name that is invalid or too long for those
 * of its ears, and for a radius beyond 2 to 30 cm. */
int dummy_head_read(const char *text, struct dummy_head *out, struct failure *failure);

/** Add it to `room`, whose bounding box is `low`..`high`, at its place; fills hash, radius (of a mesh) and
 * ears, which are moved along the surface's normal until they are DUMMY_HEAD_EAR_CLEAR before it.
 * FAILURE_INPUT for a mesh that is not closed, has no ears or a strange size, and for a place in a wall or
 * outside the room; mesh_import() for faults of a file. */
int dummy_head_put(struct dummy_head *head, struct mesh *room, const double low[3], const double high[3],
                   struct failure *failure);

#endif
