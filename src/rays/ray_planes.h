/** The planes of a scene's triangles. All triangles in one plane, of whatever material and winding, are one
 * facet for mirror images: else a wall of n triangles has n images of each order.
 */
#ifndef SRC_RAY_PLANES_H
#define SRC_RAY_PLANES_H

#include "src/rays/ray_scene.h"

#define RAY_NO_PLANE UINT32_MAX

struct ray_plane {
    double normal[3];       /* unit */
    double offset;          /* of the points x with normal . x = offset, room axes [m] */
    double low[3], high[3]; /* box of its triangles, room axes [m] */
};

/** Owned: ray_planes_free(); zeroed is empty. */
struct ray_planes {
    double tolerance; /* of corners from their plane: RAY_PLANE_STEPS steps of the scene [m] */
    size_t count;
    struct ray_plane *plane;
    size_t triangles;
    uint32_t *of_triangle; /* (triangles with sheets) RAY_NO_PLANE: so narrow that the tolerance turns it */
};

/** Each triangle, by falling area, joins the first plane that holds its corners, or makes one. O(triangles
 * log triangles) unless very many planes nearly coincide. FAILURE_CAPACITY for memory. */
int ray_planes_make(const struct ray_scene *scene, struct ray_planes *out, struct failure *failure);
void ray_planes_free(struct ray_planes *planes);

/** Signed distance of a point from a plane [m]. */
static inline double ray_plane_side(const struct ray_plane *plane, const double at[3])
{
    return plane->normal[0] * at[0] + plane->normal[1] * at[1] + plane->normal[2] * at[2] - plane->offset;
}

/** Mirror a point at a plane. */
static inline void ray_plane_mirror(const struct ray_plane *plane, double at[3])
{
    const double twice = 2 * ray_plane_side(plane, at);
    for (int axis = 0; axis < 3; axis++)
        at[axis] -= twice * plane->normal[axis];
}

#endif
