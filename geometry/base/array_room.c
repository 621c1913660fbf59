#include "geometry/base/array_room.h"

#include <stdlib.h>

#define ROOM_AT_FIRST 256

void *array_room(void *array, size_t *room, size_t count, size_t size, const char *purpose,
                 struct failure *failure)
{
    size_t wider = *room > 0 ? *room : ROOM_AT_FIRST;
    if (count <= *room)
        return array;
    while (wider < count)
        wider *= 2;
    void *grown = realloc(array, wider * size);
    if (grown == NULL)
        (void)failure_memory(failure, wider * size, purpose);
    else
        *room = wider;
    return grown;
}
