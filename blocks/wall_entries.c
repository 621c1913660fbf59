#include "blocks/wall_entries.h"

#include <string.h>

unsigned wall_entries_merge(const struct voxel_contact *contact, unsigned count, struct wall *entry)
{
    unsigned entries = 0;
    for (unsigned c = 0; c < count; c++) {
        /* Multiples of 2^-15 up to 6: their sums are exact in float, in any order. */
        const float weight = (float)contact[c].cosine / VOXELS_COSINE_ONE;
        unsigned at = 0;
        while (at < entries && entry[at].material < contact[c].material)
            at++;
        if (at < entries && entry[at].material == contact[c].material) {
            entry[at].weight += weight;
            continue;
        }
        memmove(entry + at + 1, entry + at, (entries - at) * sizeof *entry);
        entry[at] = (struct wall){.material = contact[c].material, .weight = weight};
        entries++;
    }
    for (unsigned e = 0; e < entries; e++)
        entry[e].slot = (uint16_t)(contact->slot | (e > 0 ? WALL_CONTINUES : 0));
    return entries;
}
