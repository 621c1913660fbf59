/** Arrays that grow at their end. */
#ifndef GEOMETRY_ARRAY_ROOM_H
#define GEOMETRY_ARRAY_ROOM_H

#include <stddef.h>

#include "geometry/base/failure.h"

/** `array`, of `*room` items of `size` bytes, or a longer one in its place where that is too short for
 * `count` (twice as long, so that items may come one by one). Owned: free(). NULL, and the array as it was,
 * with FAILURE_CAPACITY where memory ran out; `purpose` is what it was for, as in failure_memory(). */
void *array_room(void *array, size_t *room, size_t count, size_t size, const char *purpose,
                 struct failure *failure);

#endif
