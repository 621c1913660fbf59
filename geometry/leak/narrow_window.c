#include "geometry/leak/narrow_window.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define SIDE       WINDOW_SIDE
#define STRIDE     WINDOW_STRIDE
#define FIRST_ROW  (STRIDE + 1)
#define LAST_ROW   (WINDOW_ROWS - STRIDE - 2)
#define CORE       UINT32_C(0x00ff00) /* the block: 8..15 */
#define CORE_FIRST 8
#define CORE_LAST  15
/* Narrow passages are followed two nodes beyond the block, so that they join parts on both sides of it. */
#define NEAR       UINT32_C(0x03ffc0)
#define NEAR_FIRST 6
#define NEAR_LAST  17

/* Functions that take an axis are inlined with a constant one, so that each becomes three plain loops. */
#define PER_AXIS static inline __attribute__((always_inline))

/* The rows of a block of open air; `first` is the row of its first node. */
static void load_open_air(struct narrow_window *window, int first, int shift)
{
    const uint32_t all = UINT32_C(0xff) << shift;
    for (int z = 0; z < 8; ++z)
        for (int y = 0; y < 8; ++y) {
            const int row = first + z * STRIDE + y;
            window->air[row] |= all;
            for (int axis = 0; axis < 3; ++axis)
                window->link[axis][row] |= all;
        }
}

/* The rows of one set of bits of a block: `air` without `cut`, which may be NULL. */
static void load_plane_by_plane(const uint64_t air[8], const uint64_t *cut, uint32_t *bits, int first,
                                int shift)
{
    for (int z = 0; z < 8; ++z) {
        const uint64_t plane = cut != NULL ? air[z] & ~cut[z] : air[z];
        for (int y = 0; y < 8; ++y)
            bits[first + z * STRIDE + y] |= (uint32_t)(plane >> (8 * y) & 0xff) << shift;
    }
}

void narrow_window_load(const struct voxels *voxels, size_t index, struct narrow_window *window)
{
    memset(window, 0, offsetof(struct narrow_window, opening));
    const int32_t *centre = voxels->block[index].place;
    size_t found = 0; /* the next existing block of a row of three */
    for (int around = 0; around < 27; ++around) {
        const int at[3] = {around % 3, around / 3 % 3, around / 9};
        const int32_t place[3] = {centre[0] + at[0] - 1, centre[1] + at[1] - 1, centre[2] + at[2] - 1};
        if (at[0] == 0)
            found = voxels_find_from(voxels, place);
        if (found == voxels->block_count || memcmp(voxels->block[found].place, place, sizeof place) != 0)
            continue;
        const uint32_t number = voxels->block[found].detail;
        const int row = window_row(8 * at[2], 8 * at[1]), shift = 8 * at[0];
        ++found;
        if (number == VOXELS_OPEN_AIR) {
            load_open_air(window, row, shift);
            continue;
        }
        const struct voxel_detail *detail = &voxels->detail[number];
        load_plane_by_plane(detail->air, NULL, window->air, row, shift);
        for (int axis = 0; axis < 3; ++axis)
            load_plane_by_plane(detail->air, detail->cut[2 * axis + 1], window->link[axis], row, shift);
    }
    for (int n = 0; n < SIDE; ++n) {
        for (int m = 0; m < SIDE; ++m)
            window->link[0][window_row(n, m)] &= (UINT32_C(1) << (SIDE - 1)) - 1;
        window->link[1][window_row(n, SIDE - 1)] = 0;
        window->link[2][window_row(SIDE - 1, n)] = 0;
    }
}

/* Bit n of the result is the bit one node on along the axis, or one node back. */
PER_AXIS uint32_t ahead(const uint32_t *bits, int axis, int row)
{
    return axis == 0 ? bits[row] >> 1 : bits[row + (axis == 1 ? 1 : STRIDE)];
}

PER_AXIS uint32_t behind(const uint32_t *bits, int axis, int row)
{
    return axis == 0 ? bits[row] << 1 : bits[row - (axis == 1 ? 1 : STRIDE)];
}

/* Keep the bits whose two neighbours along an axis are set as well. */
PER_AXIS void shrink(uint32_t *bits, int axis)
{
    window_bits kept = {0};
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row)
        kept[row] = bits[row] & ahead(bits, axis, row) & behind(bits, axis, row);
    memcpy(bits, kept, sizeof kept);
}

/* Set the bits whose neighbour along an axis is set. */
PER_AXIS void widen(uint32_t *bits, int axis)
{
    window_bits wider = {0};
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row)
        wider[row] = bits[row] | ahead(bits, axis, row) | behind(bits, axis, row);
    memcpy(bits, wider, sizeof wider);
}

/* Keep of `cubes` the middles of 3x3x3 nodes whose links along an axis are uncut. */
PER_AXIS void find_cubes_along(const struct narrow_window *window, int axis, uint32_t *cubes)
{
    const uint32_t *link = window->link[axis];
    window_bits line = {0};
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row)
        line[row] = link[row] & behind(link, axis, row);
    shrink(line, (axis + 1) % 3);
    shrink(line, (axis + 2) % 3);
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row)
        cubes[row] &= line[row];
}

/* Grow `bits` along links to everything they join; `link` joins nodes of the window only. */
static void flood_links(uint32_t *bits, const window_bits *link)
{
    bool grown = true;
    for (bool up = true; grown; up = !up) {
        grown = false;
        for (int n = FIRST_ROW; n <= LAST_ROW; ++n) {
            const int row = up ? n : FIRST_ROW + LAST_ROW - n;
            uint32_t now = bits[row] | (ahead(bits, 1, row) & link[1][row]) |
                           (ahead(bits, 2, row) & link[2][row]) |
                           (behind(bits, 1, row) & behind(link[1], 1, row)) |
                           (behind(bits, 2, row) & behind(link[2], 2, row));
            if (now == bits[row])
                continue;
            uint32_t before;
            do {
                before = now;
                now |= (now & link[0][row]) << 1 | (now >> 1 & link[0][row]);
            } while (now != before);
            bits[row] = now;
            grown = true;
        }
    }
}

/* Move the first set bit of `from` and the bits that x links join to it to the empty `to`; false if there is
 * none. */
static bool take_connected(const uint32_t *from, uint32_t *to, const uint32_t *link)
{
    memset(to, 0, sizeof(window_bits));
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row) {
        if (from[row] == 0)
            continue;
        uint32_t now = from[row] & (~from[row] + 1), before;
        do {
            before = now;
            now |= (now & link[row]) << 1 | (now >> 1 & link[row]);
        } while (now != before);
        to[row] = now;
        return true;
    }
    return false;
}

static void remove_bits(uint32_t *from, const uint32_t *what)
{
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row)
        from[row] &= ~what[row];
}

/* Steps along an axis between two nodes of a set. */
PER_AXIS void find_steps(const uint32_t *bits, int axis, uint32_t *steps)
{
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row)
        steps[row] = bits[row] & ahead(bits, axis, row);
}

/* Move a cube of 3x3x3 from each place where one of 5x5x5 fits; false if all these are one part. */
static bool find_parts(struct narrow_window *window)
{
    window_bits cubes, seeds, steps[3] = {{0}};
    memset(cubes, 0xff, sizeof cubes);
    find_cubes_along(window, 0, cubes);
    find_cubes_along(window, 1, cubes);
    find_cubes_along(window, 2, cubes);
    for (int row = 0; row < WINDOW_ROWS; ++row)
        cubes[row] &= window->air[row]; /* clear the rim */
    memcpy(seeds, cubes, sizeof seeds);
    shrink(seeds, 0);
    shrink(seeds, 1);
    shrink(seeds, 2);
    find_steps(cubes, 0, steps[0]);
    find_steps(cubes, 1, steps[1]);
    find_steps(cubes, 2, steps[2]);
    window->parts = 0;
    while (window->parts < WINDOW_PARTS && take_connected(seeds, window->part[window->parts], steps[0])) {
        flood_links(window->part[window->parts], (const window_bits *)steps);
        remove_bits(seeds, window->part[window->parts]);
        ++window->parts;
    }
    return window->parts > 1;
}

/* Extend middles of cubes to all their nodes. In a slanted opening a corner of a cube may be on the far side,
 * so two parts may claim a node; the first one gets it. */
static void fill_parts(struct narrow_window *window)
{
    for (int n = 0; n < window->parts; ++n) {
        widen(window->part[n], 0);
        widen(window->part[n], 1);
        widen(window->part[n], 2);
        for (int row = 0; row < WINDOW_ROWS; ++row)
            window->part[n][row] &= window->air[row];
        for (int m = 0; m < n; ++m)
            remove_bits(window->part[n], window->part[m]);
    }
}

/* Uncut links along an axis between a and b. */
PER_AXIS uint32_t between(const struct narrow_window *window, const uint32_t *a, const uint32_t *b, int axis,
                          int row)
{
    return window->link[axis][row] & ((a[row] & ahead(b, axis, row)) | (b[row] & ahead(a, axis, row)));
}

/* Mark the uncut links between a and b with their low end in the block; returns how many. */
static unsigned mark_between(struct narrow_window *window, const uint32_t *a, const uint32_t *b)
{
    unsigned marked = 0;
    for (int z = CORE_FIRST; z <= CORE_LAST; ++z) {
        for (int y = CORE_FIRST; y <= CORE_LAST; ++y) {
            const int row = window_row(z, y);
            const uint32_t links[3] = {between(window, a, b, 0, row) & CORE,
                                       between(window, a, b, 1, row) & CORE,
                                       between(window, a, b, 2, row) & CORE};
            for (int axis = 0; axis < 3; ++axis) {
                marked += (unsigned)__builtin_popcount(links[axis] & ~window->opening[axis][row]);
                window->opening[axis][row] |= links[axis];
            }
        }
    }
    return marked;
}

/* True if an uncut link joins the two. */
static bool are_linked(const struct narrow_window *window, const uint32_t *a, const uint32_t *b)
{
    uint32_t links = 0;
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row)
        links |=
            between(window, a, b, 0, row) | between(window, a, b, 1, row) | between(window, a, b, 2, row);
    return links != 0;
}

/* Find narrow air outside all parts in connected pieces. A piece that touches two parts is the inside of an
 * opening, marked where it leaves the first of them. */
static unsigned mark_passages(struct narrow_window *window)
{
    window_bits rest = {0}, piece, inner[3];
    unsigned marked = 0;
    for (int z = NEAR_FIRST; z <= NEAR_LAST; ++z) {
        for (int y = NEAR_FIRST; y <= NEAR_LAST; ++y)
            rest[window_row(z, y)] = window->air[window_row(z, y)] & NEAR;
    }
    for (int n = 0; n < window->parts; ++n)
        remove_bits(rest, window->part[n]);
    memset(inner, 0, sizeof inner);
    for (int row = FIRST_ROW; row <= LAST_ROW; ++row) {
        inner[0][row] = between(window, rest, rest, 0, row);
        inner[1][row] = between(window, rest, rest, 1, row);
        inner[2][row] = between(window, rest, rest, 2, row);
    }
    while (take_connected(rest, piece, inner[0])) {
        flood_links(piece, (const window_bits *)inner);
        remove_bits(rest, piece);
        int first = -1;
        bool opening = false;
        for (int n = 0; n < window->parts && !opening; ++n) {
            if (are_linked(window, piece, window->part[n])) {
                opening = first >= 0;
                if (first < 0)
                    first = n;
            }
        }
        if (opening)
            marked += mark_between(window, piece, window->part[first]);
    }
    return marked;
}

unsigned narrow_window_search(struct narrow_window *window)
{
    if (!find_parts(window))
        return 0;
    fill_parts(window);
    unsigned marked = 0;
    memset(window->opening, 0, sizeof window->opening);
    for (int a = 0; a < window->parts; ++a) {
        for (int b = a + 1; b < window->parts; ++b)
            marked += mark_between(window, window->part[a], window->part[b]);
    }
    return marked + mark_passages(window);
}
