#include "geometry/room/room_gaps.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/room/cavity_map.h"

#define CAVITIES 256
#define TRIES    2 /* places that are tried on each side, at rising distances .. */
static const double distance[TRIES] = {0.3, 1.0}; /* .. in spacings */

struct judged_gap {
    double width;
    size_t gap;
};

static int widest_first(const void *a, const void *b)
{
    const struct judged_gap *const one = a, *const other = b;
    if (one->width != other->width)
        return one->width < other->width ? 1 : -1;
    return (one->gap > other->gap) - (one->gap < other->gap);
}

/** Spaces that open cracks join; the last one is the outside. */
struct spaces {
    size_t count, parent[CAVITIES + 1];
};

static size_t root_of(struct spaces *spaces, size_t n)
{
    while (spaces->parent[n] != n)
        n = spaces->parent[n] = spaces->parent[spaces->parent[n]];
    return n;
}

/** The space of the first place of one side that is in any; false: none. */
static bool side_of(struct spaces *spaces, const int32_t *cavity, size_t *space)
{
    for (int n = 0; n < TRIES; ++n)
        if (cavity[n] >= 0 || cavity[n] == CAVITY_OUTSIDE) {
            *space = root_of(spaces, cavity[n] >= 0 ? (size_t)cavity[n] : spaces->count);
            return true;
        }
    return false;
}

static void open_widest_first(const struct cavity_map *map, const struct judged_gap *gap, size_t count,
                              size_t home, bool *closed)
{
    struct spaces spaces = {.count = map->count};
    for (size_t n = 0; n <= spaces.count; ++n)
        spaces.parent[n] = n;
    for (size_t n = 0; n < count; ++n) {
        const int32_t *const cavity = &map->place_cavity[1 + n * 2 * TRIES];
        size_t one, other;
        closed[gap[n].gap] = false;
        if (!side_of(&spaces, cavity, &one) || !side_of(&spaces, cavity + TRIES, &other))
            continue;
        const size_t room = root_of(&spaces, home), outside = root_of(&spaces, spaces.count);
        if ((one == room && other == outside) || (one == outside && other == room))
            closed[gap[n].gap] = true;
        else
            spaces.parent[one] = other;
    }
}

int room_gaps_judge(const struct mesh *mesh, const struct lattice *lattice, const double source[3],
                    const struct voxelise_options *options, const struct edge_gaps *gaps, bool *closed,
                    bool *judged, struct failure *failure)
{
    struct judged_gap *const gap = malloc((gaps->gap_count + 1) * sizeof *gap);
    double(*const place)[3] = malloc((ROOM_GAPS_MOST * 2 * TRIES + 1) * sizeof *place);
    struct cavity_map map = {0};
    size_t count = 0;
    int code = 0;
    *judged = false;
    if (gap == NULL || place == NULL) {
        code = failure_memory(failure, gaps->gap_count * sizeof *gap, "cracks");
        goto done;
    }
    for (size_t n = 0; n < gaps->gap_count; ++n)
        if (closed[n])
            gap[count++] = (struct judged_gap){gaps->gap[n].width, n};
    qsort(gap, count, sizeof *gap, widest_first);
    const size_t listed = count < ROOM_GAPS_MOST ? count : ROOM_GAPS_MOST;
    memcpy(place[0], source, sizeof place[0]);
    for (size_t n = 0; n < listed; ++n)
        for (int side = 0; side < 2; ++side)
            for (int i = 0; i < TRIES; ++i)
                vector_along(gaps->gap[gap[n].gap].position, (side ? 1 : -1) * distance[i] * lattice->spacing,
                             gaps->gap[gap[n].gap].normal,
                             place[1 + (2 * n + (size_t)side) * TRIES + (size_t)i]);
    code = cavity_map_make(mesh, lattice, options, CAVITIES, (const double(*)[3])place,
                           1 + listed * 2 * TRIES, &map, failure);
    if (code != 0 || map.place_cavity[0] < 0)
        goto done;
    *judged = true;
    open_widest_first(&map, gap, listed, (size_t)map.place_cavity[0], closed);
    for (size_t n = listed; n < count; ++n)
        closed[gap[n].gap] = false;
done:
    cavity_map_free(&map);
    free(gap);
    free(place);
    return code;
}
