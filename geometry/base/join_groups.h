/** Groups of joined things: each names one of its group, and a root names itself. */
#ifndef GEOMETRY_JOIN_GROUPS_H
#define GEOMETRY_JOIN_GROUPS_H

#include <stdint.h>

/** The root of the group of `at`; shortens the way there. */
static inline uint32_t group_root(uint32_t *above, uint32_t at)
{
    while (above[at] != at)
        at = above[at] = above[above[at]];
    return at;
}

#endif
