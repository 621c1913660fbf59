#include "geometry/base/name_distance.h"

#include <string.h>

/* Optimal string alignment: three rows of the table of distances between beginnings. */
size_t name_distance(const char *a, const char *b)
{
    const size_t m = strlen(a), n = strlen(b);
    if (m >= NAME_DISTANCE_MAX || n >= NAME_DISTANCE_MAX)
        return NAME_DISTANCE_MAX;
    size_t row[3][NAME_DISTANCE_MAX];
    for (size_t j = 0; j <= n; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < best)
                best = before[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && earlier[j - 2] + 1 < best)
                best = earlier[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[m % 3][n];
}
