#include "geometry/leak/narrow.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "geometry/leak/link_groups.h"
#include "geometry/leak/narrow_window.h"
#include "geometry/voxel/block_bits.h"

struct found {
    struct lattice_link *link;
    size_t count, room;
};

static int by_place(const void *left, const void *right)
{
    const struct lattice_link *a = left, *b = right;
    for (int axis = 2; axis >= 0; --axis) {
        if (a->low[axis] != b->low[axis])
            return a->low[axis] < b->low[axis] ? -1 : 1;
    }
    return (a->axis > b->axis) - (a->axis < b->axis);
}

static int by_links(const void *left, const void *right)
{
    const struct voxel_place *a = left, *b = right;
    if (a->links != b->links)
        return a->links > b->links ? -1 : 1;
    for (int axis = 2; axis >= 0; --axis) {
        if (a->position[axis] != b->position[axis])
            return a->position[axis] < b->position[axis] ? -1 : 1;
    }
    return 0;
}

static int add_openings(const struct voxel_block *block, struct narrow_window *window, unsigned more,
                        struct found *found)
{
    struct lattice_link *grown =
        array_room(found->link, &found->room, found->count + more, sizeof *grown, "narrow openings", NULL);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    found->link = grown;
    for (int axis = 0; axis < 3; ++axis) {
        for (int slot = 0; slot < 512; ++slot) {
            const int at[3] = {slot & 7, slot >> 3 & 7, slot >> 6};
            if (!(window->opening[axis][window_row(8 + at[2], 8 + at[1])] >> (8 + at[0]) & 1))
                continue;
            struct lattice_link *link = &found->link[found->count++];
            block_bits_node(block->place, (unsigned)slot, link->low);
            link->axis = (uint8_t)axis;
        }
    }
    return 0;
}

static int find_links(const struct voxels *voxels, int threads, struct found *found)
{
    int code = 0;
    const int team = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel for schedule(dynamic, 64) num_threads(team)
    for (size_t n = 0; n < voxels->block_count; ++n) {
        if (voxels->block[n].detail == VOXELS_OPEN_AIR)
            continue;
        struct narrow_window window;
        narrow_window_load(voxels, n, &window);
        const unsigned more = narrow_window_search(&window);
        if (more > 0) {
#pragma omp critical(narrow_openings)
            if (code == 0)
                code = add_openings(&voxels->block[n], &window, more, found);
        }
    }
    return code;
}

/* Extent of the links of an opening, and their number along each axis. */
struct extent {
    uint64_t links[3];
    double low[3], high[3];
};

/* Width of an opening from the links through it. A plane piece of area A with normal n is crossed by A |n_a|
 * / h^2 links along axis a, so A is h^2 times the length of the vector of counts. Its diagonal d is the
 * spread of the links and about 1.2 h, as each link represents h across. The rectangle of that area and
 * diagonal has the shorter side (sqrt(d^2 + 2A) - sqrt(d^2 - 2A)) / 2; without the second root if the piece
 * is rounder than a square. */
static double opening_width(const struct extent *extent, double spacing)
{
    const double counts[3] = {(double)extent->links[0], (double)extent->links[1], (double)extent->links[2]};
    double spread[3];
    vector_subtract(extent->high, extent->low, spread);
    const double area = vector_length(counts);
    const double diagonal = vector_length(spread) / spacing + 1.2;
    const double square = diagonal * diagonal;
    return spacing * 0.5 * (sqrt(square + 2 * area) - sqrt(larger(0, square - 2 * area)));
}

static int measure_widths(const struct voxels *voxels, const struct found *found, const uint32_t *group,
                          size_t groups, struct voxel_place *place, struct failure *failure)
{
    struct extent *extent = malloc(groups * sizeof *extent);
    if (extent == NULL)
        return failure_memory(failure, groups * sizeof *extent, "narrow openings");
    for (size_t at = 0; at < groups; ++at)
        extent[at] =
            (struct extent){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t n = 0; n < found->count; ++n) {
        struct extent *at = &extent[group[n]];
        ++at->links[found->link[n].axis];
        double middle[3];
        lattice_link_middle(&voxels->lattice, &found->link[n], middle);
        for (int axis = 0; axis < 3; ++axis) {
            at->low[axis] = smaller(at->low[axis], middle[axis]);
            at->high[axis] = larger(at->high[axis], middle[axis]);
        }
    }
    for (size_t at = 0; at < groups; ++at)
        place[at].width = opening_width(&extent[at], voxels->lattice.spacing);
    free(extent);
    return 0;
}

int narrow_find(const struct voxels *voxels, int threads, struct voxel_place *place, size_t *count,
                struct failure *failure)
{
    struct found found = {0};
    uint32_t *group = NULL;
    struct voxel_place *all = NULL;
    size_t groups = 0;
    int code = 0;
    *count = 0;
    if ((code = find_links(voxels, threads, &found)) != 0) {
        code = failure_memory(failure, found.count * sizeof *found.link, "narrow openings");
        goto done;
    }
    if (found.count == 0)
        goto done;
    qsort(found.link, found.count, sizeof *found.link, by_place);
    group = malloc(found.count * sizeof *group);
    all = malloc(found.count * sizeof *all);
    if (group == NULL || all == NULL) {
        code = failure_memory(failure, found.count * (sizeof *group + sizeof *all), "narrow openings");
        goto done;
    }
    if ((code = link_groups_make(found.link, found.count, group, &groups, failure)) != 0 ||
        (code = link_groups_places(&voxels->lattice, found.link, found.count, group, groups, all, failure)) !=
            0 ||
        (code = measure_widths(voxels, &found, group, groups, all, failure)) != 0)
        goto done;
    qsort(all, groups, sizeof *all, by_links);
    for (size_t n = 0; n < groups && *count < NARROW_LISTED_MAX; ++n) {
        if (all[n].width < NARROW_WIDTH * voxels->lattice.spacing)
            place[(*count)++] = all[n];
    }
done:
    free(found.link);
    free(group);
    free(all);
    return code;
}
