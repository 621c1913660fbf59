/** Where people sit: from points on floors and seats to the floor under them, and no ledges. */
#ifndef SRC_AUDIENCE_FLOOR_H
#define SRC_AUDIENCE_FLOOR_H

#include "geometry/voxel/clearance.h"
#include "src/setup/area/receiver_area.h"

/** Put points on the floor: those of floors stay; one on seats gets the height of what is beneath it, the
 * highest surface that is not a seat and at most `height` [m], that of the ears, lower; without one that of
 * the nearest point of a floor, where the face is level and lies 0.6 m to `height` above that (an audience
 * drawn as a block, with no floor in it); else it is a floor itself, as a raked plane of seats is. Each floor
 * counts once in a square.
 * @param tree of the mesh
 * @param use  (material_count) of its materials
 * @param point (*count) as receiver_area_points() gives them, changed in place */
void audience_stand(const struct clearance *tree, const enum surface_use *use, double height,
                    struct floor_point *point, size_t *count);

/** Leave out what nobody sits on: altars, steps of a column, organ cases. That is what hangs together in
 * plan, in steps of up to half a metre, over less than 6 m2, and is more than that step above the nearest
 * point of something larger. Returns how many points went. FAILURE_CAPACITY for memory. O(count^2).
 * @param spacing of the points [m] */
int audience_drop_ledges(double spacing, struct floor_point *point, size_t *count, size_t *dropped,
                         struct failure *failure);

#endif
