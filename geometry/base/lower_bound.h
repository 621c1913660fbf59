/** Searching what is sorted.
 *
 *   uint64_t low = 0, high = count;
 *   LOWER_BOUND(low, high, at, key[at] < wanted);
 *
 * leaves in `low` the first index that the condition on `at` does not hold for, `high` where there is none:
 * it holds for no index after one that it does not hold for. O(log (high - low)).
 */
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
