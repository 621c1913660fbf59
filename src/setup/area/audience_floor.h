/** Places of an audience: from points on floors and seats to the floor under them, without ledges. */
#ifndef SRC_AUDIENCE_FLOOR_H
#define SRC_AUDIENCE_FLOOR_H

#include "geometry/voxel/clearance.h"
#include "src/setup/area/receiver_area.h"

/** Put points on the floor. Those on floors are unchanged. A point on seats gets the height of the highest
 * surface beneath it that is not a seat, at most `height` [m] (of the ears) lower. If there is no such
 * surface, a level face 0.6 m to `height` above the nearest point of a floor gets the height of that point
 * (an audience drawn as a block, without a floor). Any other face is itself a floor, as a raked plane of
 * seats. Each floor counts once in a square.
 * @param tree of the mesh
 * @param use  (material_count) of its materials
 * @param point (*count) as receiver_area_points() gives them, changed in place */
void audience_stand(const struct clearance *tree, const enum surface_use *use, double height,
                    struct floor_point *point, size_t *count);

/** Leave out surfaces without seats: altars, steps of a column, organ cases. These are connected in plan, in
 * steps of up to half a metre, over less than 6 m2. They are more than that step above the nearest point of a
 * larger surface. `*dropped` receives the number of points removed. FAILURE_CAPACITY for memory. O(count^2).
 * @param spacing of the points [m] */
int audience_drop_ledges(double spacing, struct floor_point *point, size_t *count, size_t *dropped,
                         struct failure *failure);

#endif
