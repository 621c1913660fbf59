/** The triangles of a room for rays: the nearest surface along a direction (Embree 3, robust mode, so that no
 * ray passes between two triangles that share an edge).
 *
 * Coordinates are floats about the middle of the room. Where two faces overlap in a plane the face that
 * counts is that of the wave run (face_rank of mesh.h).
 */
#ifndef SRC_RAY_SCENE_H
#define SRC_RAY_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"

/** Faces are in one plane if they are hit within so many steps of one another. */
#define RAY_PLANE_STEPS 2.0f

/** Is this build without Embree? Then ray_scene_make() fails. */
bool rays_are_absent(void);

/** Owned: ray_scene_free(); zeroed is empty. Borrows the mesh and the backs. */
struct ray_scene {
    void *device, *scene; /* Embree's */
    const struct mesh *mesh;
    const uint16_t
        *back_material; /* (material_count) of the side opposite to a triangle's normal; NULL: none */
    double middle[3];   /* of the mesh's bounding box [m] */
    float step;         /* off a surface at which the next ray starts [m] */
    float (*normal)[3]; /* (triangles with sheets) unit vectors */
};

/** Walls and sheets of `mesh`. FAILURE_CAPACITY for memory and in a build without Embree. O(n log n). */
int ray_scene_make(const struct mesh *mesh, const uint16_t *back_material, struct ray_scene *out,
                   struct failure *failure);
void ray_scene_free(struct ray_scene *scene);

struct ray_hit {
    uint32_t triangle;
    uint16_t material; /* of the side that was hit */
    float distance;    /* [m] */
    float normal[3];   /* unit, towards the side that the ray comes from */
    float cosine;      /* of the angle of incidence, 0..1 */
};

/** The nearest surface from `origin` [m, about the middle] in the unit direction, within `far` [m]; false:
 * none. Any number of threads may ask at once. */
bool ray_scene_hit(const struct ray_scene *scene, const float origin[3], const float direction[3], float far,
                   struct ray_hit *hit);

/** Material of a triangle's side: of the one to which its normal points, or of the other. */
uint16_t ray_scene_material(const struct ray_scene *scene, uint32_t triangle, bool back);

#endif
