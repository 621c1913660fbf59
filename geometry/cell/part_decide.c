#include <stdlib.h>
#include <string.h>

#include "geometry/cell/air_parts.h"

/** Links in the order in which they are followed: the widest first, then as listed. Openings are above 0, so
 * their bits rise with them. */
static uint64_t key_of(float open, size_t link)
{
    uint32_t bits;
    memcpy(&bits, &open, sizeof bits);
    return (uint64_t)~bits << 32 | link;
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
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

/** The part that stands for all that are known to be alike. */
static uint32_t root_of(uint32_t *above, uint32_t part)
{
    while (above[part] != part) {
        above[part] = above[above[part]];
        part = above[part];
    }
    return part;
}

/** Follow one link: what is decided decides the other end; what is not becomes alike. */
static void follow(struct air_parts *parts, uint32_t *above, const struct part_link *link)
{
    uint32_t root[2];
    enum part_state state[2];
    for (int end = 0; end < 2; end++) {
        root[end] = link->at[end] != NO_PART ? root_of(above, link->at[end]) : NO_PART;
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
    uint64_t *key = malloc((parts->link_count + 1) * sizeof *key);
    size_t count = 0;
    if (above == NULL || key == NULL) {
        free(above);
        free(key);
        return failure_memory(failure, parts->count * sizeof *above + parts->link_count * sizeof *key,
                              "openings between pieces of voxels");
    }
    for (size_t i = 0; i < parts->count; i++)
        above[i] = (uint32_t)i;
    for (size_t i = 0; i < parts->link_count; i++)
        if (parts->link[i].end[1] != PART_FACE &&
            (is_open(parts, &parts->link[i], 0) || is_open(parts, &parts->link[i], 1)))
            key[count++] = key_of(parts->link[i].open, i);
    qsort(key, count, sizeof *key, compare_keys);
    for (size_t i = 0; i < count; i++)
        follow(parts, above, &parts->link[key[i] & UINT32_MAX]);
    /* What is below a root keeps its own state until all have looked. */
    for (size_t i = 0; i < parts->count; i++)
        if (state_of(parts, i) == PART_OPEN && root_of(above, (uint32_t)i) != i)
            set_state(parts, i, state_of(parts, root_of(above, (uint32_t)i)));
    for (size_t i = 0; i < parts->count; i++)
        if (state_of(parts, i) == PART_OPEN)
            set_state(parts, i, PART_NOT);
    free(above);
    free(key);
    return 0;
}
