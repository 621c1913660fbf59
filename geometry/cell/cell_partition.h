/** Divides one voxel into pieces by the planes of its walls: a binary space partition, with the data from
 * which cell_parts.c finds visible walls and joins pieces.
 *
 * Inside cell_parts and cell_partition only. */
#ifndef GEOMETRY_CELL_PARTITION_H
#define GEOMETRY_CELL_PARTITION_H

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "geometry/cell/cell_wall.h"
#include "geometry/cell/convex.h"

#define CELL_AREA_LEAST     1e-13 /* of a fragment or patch: smaller ones only touch the voxel or the part */
#define CELL_PURPOSE        "the parts of a voxel"
#define CELL_LEAF(number)   (-1 - (int32_t)(number)) /* as a child of a split, and back */
#define CELL_LEAF_OF(child) ((uint32_t)(-1 - (child)))
#define CELL_NO_PARENT      UINT32_MAX
#define CELL_NO_PART        UINT32_MAX

/* The part of a wall in the piece that is being divided. */
struct fragment {
    uint32_t wall;
    uint32_t first, corners; /* into memory.corner */
    bool rim;                /* not a wall, but beside the rim of one */
    int sides;               /* of the plane that divides it */
    uint32_t half_first[2], half_corners[2];
};

/* A plane that divides a piece, and the walls in it. */
struct split {
    struct plane plane;
    int centre;    /* of the voxel: 1 above, -1 below, 0 in the plane */
    uint32_t face; /* face_rank.plane of the wall whose plane this is */
    int32_t child[2];
    uint32_t parent; /* the split above, and the child of it that this is */
    int side;
    bool rim; /* beside it lies the rim of a wall */
    uint32_t first_cover, covers;
};

/* A piece that is not divided further. */
struct leaf {
    double volume, surface;
    uint32_t group; /* towards the first of those that are joined */
    uint32_t part;
    uint32_t piece; /* the first of those that are joined by more than cracks */
    bool wide;      /* joined by more than a crack, in a face of the voxel */
    bool crumb;     /* of a piece: it is thin, and */
    bool shut;      /* its areas in faces open to nothing */
};

/* The part of a polygon in one leaf. */
struct piece {
    uint32_t leaf;
    uint32_t first, corners; /* into memory.corner */
    uint32_t face;           /* of the voxel, if the polygon lies in one */
    double area;
};

/* Area in which two leaves meet without a wall between them, and its part wider than a crack. */
struct opening {
    uint32_t end[2];
    double area, wide;
};

/* The part of one side of a wall seen from a leaf. */
struct sight {
    uint32_t leaf, part, side; /* 2 x wall + back */
    uint32_t order;
    double area, moment[3];
};

struct cell_memory {
    struct cell_wall *wall;
    struct fragment *fragment;
    double (*corner)[3];
    struct split *split;
    struct leaf *leaf;
    uint32_t *cover;
    struct piece *piece;
    struct opening *opening;
    struct sight *sight;
    uint32_t *group; /* representative leaf of each part */
    size_t walls, fragments, corners, splits, leaves, covers, pieces, openings, sights, groups, rims;
    size_t wall_room, fragment_room, corner_room, split_room, leaf_room, cover_room, piece_room, opening_room,
        sight_room, group_room;
};

#define CELL_ROOM(array, room, count)                                                                        \
    do {                                                                                                     \
        void *room_ = (count) <= (room)                                                                      \
                          ? (void *)(array)                                                                  \
                          : array_room((array), &(room), (count), sizeof *(array), CELL_PURPOSE, failure);   \
        if (room_ == NULL && (count) > 0)                                                                    \
            return FAILURE_CAPACITY;                                                                         \
        (array) = room_;                                                                                     \
    } while (0)

static inline struct outline outline_of(const struct cell_memory *memory, uint32_t first, uint32_t corners)
{
    return (struct outline){(const double(*)[3])memory->corner + first, corners};
}

/* True if the space above (1) or below (0) the plane lies in front of a wall in it. */
static inline bool is_front(const struct plane *plane, const struct cell_wall *wall, uint32_t side)
{
    return (vector_dot(wall->plane.normal, plane->normal) > 0) == (side == 1);
}

/** Keep a polygon's corners in memory->corner. FAILURE_CAPACITY. */
int cell_keep_corners(struct cell_memory *memory, struct outline polygon, uint32_t *first, uint32_t *corners,
                      struct failure *failure);

/** Divide the voxel of `node` by its walls until no piece holds any. Fills in walls, splits, covers and
 * leaves; sights only of leaves in which the partition had to end. `root` is a split, or a leaf as CELL_LEAF;
 * `centre_on_wall`: the voxel's centre is on a triangle. FAILURE_CAPACITY. */
int cell_partition_make(struct cell_memory *memory, const int64_t node[3],
                        const struct snapped_triangle *snapped, const uint32_t *index, size_t count,
                        int32_t *root, bool *centre_on_wall, struct failure *failure);

#endif
