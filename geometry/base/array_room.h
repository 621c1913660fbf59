/** Arrays that grow at their end. */
#ifndef GEOMETRY_ARRAY_ROOM_H
#define GEOMETRY_ARRAY_ROOM_H

#include <stddef.h>

#include "geometry/base/failure.h"

/** Grow `array`, of `*room` items of `size` bytes, if it is too short for `count`. It doubles, so items may
 * be added one by one. Owned: free(). FAILURE_CAPACITY and NULL if memory ran out; the array is then
 * unchanged. `purpose` as in failure_memory(). */
void *array_room(void *array, size_t *room, size_t count, size_t size, const char *purpose,
                 struct failure *failure);

#endif
