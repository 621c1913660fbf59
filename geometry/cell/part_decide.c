#include <stdlib.h>
#include <string.h>

#include "geometry/base/join_groups.h"
#include "geometry/cell/air_parts.h"

/** Links in the order in which they are followed: the widest first, then as listed. Openings are above 0, so
 * their bits rise with them. */
struct wide_link {
    uint32_t narrow, link; /* complement of the bits of the opening; index */
};

static struct wide_link wide_link_of(float open, size_t link)
{
    uint32_t bits;
    memcpy(&bits, &open, sizeof bits);
    return (struct wide_link){~bits, (uint32_t)link};
}

/** Radix sort, last digit first; `spare` has the same size. Returns the sorted array. */
static struct wide_link *sort_links(struct wide_link *link, struct wide_link *spare, size_t count)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = 0; shift < 32; shift += DIGIT_BITS) {
        size_t first[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            first[(link[i].narrow >> shift & (DIGITS - 1)) + 1]++;
        for (unsigned digit = 1; digit < DIGITS; digit++)
            first[digit] += first[digit - 1];
        for (size_t i = 0; i < count; i++)
            spare[first[link[i].narrow >> shift & (DIGITS - 1)]++] = link[i];
        struct wide_link *const swap = link;
        link = spare;
        spare = swap;
    }
    return link;
}

static enum part_state state_of(const struct air_parts *parts, size_t part)
{
    return (enum part_state)(parts->state[part] & PART_STATE);
}

static void set_state(struct air_parts *parts, size_t part, enum part_state state)
{
    parts->state[part] = (uint8_t)((parts->state[part] & ~PART_STATE) | state);
}

static bool is_open(const struct air_parts *parts, const struct part_link *link, int end)
{
    return link->at[end] != NO_PART && state_of(parts, link->at[end]) == PART_OPEN;
}

/** True if the link can decide a part. */
static bool is_undecided(const struct air_parts *parts, const struct part_link *link)
{
    return link->end[1] != PART_FACE && (is_open(parts, link, 0) || is_open(parts, link, 1));
}

/** Follow one link: a decided end decides the other; two undecided ends become equal. */
static void follow_link(struct air_parts *parts, uint32_t *above, const struct part_link *link)
{
    uint32_t root[2];
    enum part_state state[2];
    for (int end = 0; end < 2; end++) {
        root[end] = link->at[end] != NO_PART ? group_root(above, link->at[end]) : NO_PART;
        state[end] = root[end] != NO_PART                ? state_of(parts, root[end])
                     : part_end_is_air(parts, link, end) ? PART_AIR
                                                         : PART_NOT;
    }
    if (state[0] == PART_OPEN && state[1] == PART_OPEN)
        above[root[0] > root[1] ? root[0] : root[1]] = root[0] > root[1] ? root[1] : root[0];
    else if (state[0] == PART_OPEN)
        set_state(parts, root[0], state[1]);
    else if (state[1] == PART_OPEN)
        set_state(parts, root[1], state[0]);
}

int air_parts_decide(struct air_parts *parts, struct failure *failure)
{
    uint32_t *above = malloc((parts->count + 1) * sizeof *above);
    struct wide_link *wide = NULL;
    size_t count = 0, open = 0;
    for (size_t i = 0; i < parts->link_count; i++)
        count += is_undecided(parts, &parts->link[i]);
    wide = malloc((2 * count + 1) * sizeof *wide);
    if (above == NULL || wide == NULL) {
        free(above);
        free(wide);
        return failure_memory(failure, parts->count * sizeof *above + 2 * count * sizeof *wide,
                              "openings between pieces of voxels");
    }
    for (size_t i = 0; i < parts->count; i++)
        above[i] = (uint32_t)i;
    for (size_t i = 0; i < parts->link_count; i++)
        if (is_undecided(parts, &parts->link[i]))
            wide[open++] = wide_link_of(parts->link[i].open, i);
    const struct wide_link *const sorted = sort_links(wide, wide + count, count);
    for (size_t i = 0; i < count; i++)
        follow_link(parts, above, &parts->link[sorted[i].link]);
    /* Parts below a root keep their own state until all have been read. */
    for (size_t i = 0; i < parts->count; i++)
        if (state_of(parts, i) == PART_OPEN && group_root(above, (uint32_t)i) != i)
            set_state(parts, i, state_of(parts, group_root(above, (uint32_t)i)));
    for (size_t i = 0; i < parts->count; i++)
        if (state_of(parts, i) == PART_OPEN)
            set_state(parts, i, PART_NOT);
    free(above);
    free(wide);
    return 0;
}
