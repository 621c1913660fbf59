/** The parts of voxels that are or may be air, and their openings, for all blocks, while cells are made.
 *
 * A part is numbered by its block (index into cell_field.block), voxel and place among the voxel's parts.
 * Openings between nodes that are known as such at once are in cell[].open (first of the lower voxel alone),
 * all others are links.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_AIR_PARTS_H
#define GEOMETRY_AIR_PARTS_H

#include "geometry/air/contact_face.h"
#include "geometry/cell/block_cut.h"
#include "geometry/voxel/voxels.h"

/** Numbers of ends of links. */
#define PART_OUTSIDE   UINT64_MAX       /* anything that is not air */
#define PART_FACE      (UINT64_MAX - 1) /* a face of an open scene: `open` is the area on it */
#define PART_VOXEL(id) ((id) >> 7)      /* block x 512 + slot */
#define PART_WHOLE     PARTS_MOST       /* a whole voxel of air without triangles */

static inline uint64_t part_id(uint64_t block, unsigned slot, unsigned part)
{
    return block << 16 | (uint64_t)slot << 7 | part;
}
static inline bool part_is_whole(uint64_t id)
{
    return (id & 127) == PART_WHOLE;
}

struct part_link {
    uint64_t end[2];
    uint32_t at[2]; /* index of the ends into cell[]; NO_PART if not listed */
    float open;
    uint8_t direction; /* from the first end to the other */
};
#define NO_PART UINT32_MAX

#define PART_STATE     3u /* enum part_state */
#define PART_DENSE     4u /* the node of its voxel */
#define PART_CONNECTED 8u /* opens to other air */

/** Owned, freed by air_parts_free(); zeroed is empty. */
struct air_parts {
    size_t *first;      /* (block_count + 1) into cell and state */
    size_t *first_area; /* (block_count + 1) into area */
    size_t count;
    struct voxel_cell *cell; /* rising in number; slot is voxel slot x 128 + place among parts */
    uint8_t *state;
    size_t area_count;
    struct voxel_area *area; /* in the order of cells */
    size_t link_count;
    struct part_link *link;
    size_t cell_room, state_room, area_room, link_room;
};
void air_parts_free(struct air_parts *parts);

/** Make field->block and list the parts of all its blocks.
 * @param face  of all triangles of field->room->mesh
 * FAILURE_CAPACITY, FAILURE_INTERRUPTED. */
int air_parts_make(struct cell_field *field, const struct contact_face *face, int threads,
                   struct air_parts *out, struct failure *failure);

/** Decide all undecided parts by their links, the widest first: a part takes the state of the other end.
 * Parts that remain undecided are not air. FAILURE_CAPACITY. */
int air_parts_decide(struct air_parts *parts, struct failure *failure);

/** True if an end of a link is air: an air part, or a whole voxel. */
static inline bool part_end_is_air(const struct air_parts *parts, const struct part_link *link, int end)
{
    return link->at[end] != NO_PART ? (parts->state[link->at[end]] & PART_STATE) == PART_AIR
                                    : link->end[end] < PART_FACE && part_is_whole(link->end[end]);
}

#endif
