/** The connected parts of planes, and how large they are: a facet that is small beside the Fresnel zone
 * reflects less than a plane.
 *
 * With a* = 2 a b / (a + b), a and b the distances of source and receiver from the point of reflection along
 * the path, a facet as wide as w in the plane of incidence and l across it reflects less below
 *
 *   f_w = c a* / (2 (w cos)^2),  f_l = c a* / (2 l^2),  the energy is min(1, f / f_w) min(1, f / f_l)
 *
 * (J. H. Rindel, Attenuation of sound reflections due to diffraction, Nordic Acoustical Meeting 1986, and
 * Acoustic design of reflectors in auditoria, Proc. Institute of Acoustics 14, 1992). Widths are root of 12
 * times the variance of the area along a direction: exact for rectangles along their sides.
 */
#ifndef SRC_RAY_PATCHES_H
#define SRC_RAY_PATCHES_H

#include "src/rays/ray_planes.h"

struct ray_patch {
    double area;           /* [m2] */
    double variance[3][3]; /* of the area about its middle [m2] */
};

/** Owned: ray_patches_free(); zeroed is empty. */
struct ray_patches {
    size_t triangles;
    uint32_t *of_triangle;   /* (triangles) the patch: the number of one of its triangles */
    struct ray_patch *patch; /* (triangles) filled where a triangle is its own patch */
};

/** Triangles of one plane that touch are one patch; so are all of a plane of more than RAY_PATCH_TRIANGLES.
 * O(sum over planes of the square of their triangles). FAILURE_CAPACITY for memory. */
#define RAY_PATCH_TRIANGLES 4096
int ray_patches_make(const struct ray_scene *scene, const struct ray_planes *planes, struct ray_patches *out,
                     struct failure *failure);
void ray_patches_free(struct ray_patches *patches);

/** f_w and f_l of a triangle's patch [Hz]: for the unit direction `way` of incidence, the normal of the
 * plane, and a* c [m2/s]. */
void ray_patch_limits(const struct ray_patches *patches, uint32_t triangle, const double way[3],
                      const double normal[3], double speed_distance, double out[2]);

#endif
