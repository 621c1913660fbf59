/** Binary search.
 *
 *   uint64_t low = 0, high = count; LOWER_BOUND(low, high, at, key[at] < wanted);
 *
 * sets `low` to the first index for which the condition on `at` is false, or to `high` if there is none. The
 * condition must be false for all later indices. O(log (high - low)). */
#ifndef GEOMETRY_LOWER_BOUND_H
#define GEOMETRY_LOWER_BOUND_H

#include <stdint.h>

#define LOWER_BOUND(low, high, at, is_before)                                                                \
    while ((low) < (high)) {                                                                                 \
        const uint64_t at = (low) + ((high) - (low)) / 2;                                                    \
        if (is_before)                                                                                       \
            (low) = at + 1;                                                                                  \
        else                                                                                                 \
            (high) = at;                                                                                     \
    }

#endif
