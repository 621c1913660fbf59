/** Cuts the voxels of one block and decides their parts as far as nearby openings allow.
 *
 * A part is air, or not, or open to both: undecided until openings further off are known (part_links.h). The
 * anchor of a voxel and the target of its widest opening are known locally, so the decision does not depend
 * on the block that asks.
 *
 * Inside the voxeliser only. */
#ifndef GEOMETRY_BLOCK_CUT_H
#define GEOMETRY_BLOCK_CUT_H

#include "geometry/cell/cell_field.h"
#include "geometry/cell/cell_parts.h"

enum part_state { PART_NOT, PART_AIR, PART_OPEN };

#define PARTS_MOST    127 /* of a voxel; smaller ones are not air */
#define DENSE_NONE    254 /* no part is the voxel's node */
#define DENSE_UNKNOWN 255

struct cut_part {
    double volume, face[DIRECTIONS];
    float factor[DIRECTIONS]; /* share of its openings that thin bodies leave */
    bool holds_centre;
    uint8_t state;   /* enum part_state */
    uint32_t record; /* for the code that lists parts */
};

struct cut_voxel {
    bool cut;
    uint8_t dense; /* part that is the node, or DENSE_* */
    uint32_t parts, polygons;
    size_t first_part, first_polygon, first_corner;
};

#define CUT_SIDE 9 /* the block and a layer of voxels behind it along every axis */

struct voxel_triangle {
    uint16_t voxel;
    uint32_t triangle;
};

/** Reused from block to block; zeroed is empty. Freed by block_cut_free(). */
struct block_cut {
    struct cell_window window;
    struct cut_voxel voxel[CUT_SIDE * CUT_SIDE * CUT_SIDE];
    size_t parts;
    struct cut_part *part;
    struct cell_parts last; /* the voxel that was cut last, with patches */

    size_t first_triangle[CUT_SIDE * CUT_SIDE * CUT_SIDE + 1];
    size_t pairs, pair_room, triangle_room, part_room;
    struct voxel_triangle *pair;
    uint32_t *triangle;
    /* Data that openings need, for all voxels. */
    size_t polygons, corners, shape_room, polygon_room, corner_room;
    struct cell_part *shape; /* (parts) */
    struct cell_polygon *polygon;
    double (*corner)[2];
};
void block_cut_free(struct block_cut *cut);

static inline struct cut_voxel *block_cut_voxel(struct block_cut *cut, const int at[3])
{
    return &cut->voxel[(at[2] * CUT_SIDE + at[1]) * CUT_SIDE + at[0]];
}

/** Begin a block without cut voxels. With `behind`, voxels behind the block's high faces can be cut, too.
 * FAILURE_CAPACITY. */
int block_cut_start(const struct cell_field *field, const int32_t place[3], bool behind,
                    struct block_cut *cut, struct failure *failure);

/** Cut a voxel and decide its parts. FAILURE_CAPACITY. */
int block_cut_voxel_at(const struct cell_field *field, struct block_cut *cut, const int at[3],
                       struct failure *failure);

/** Opening between part `a` of a voxel and part `b` of the next one up `axis`, both cut [h^2]; without the
 * effect of thin bodies. */
double block_cut_opening(struct block_cut *cut, const int at[3], size_t a, int axis, size_t b);

/** Opening between parts with these factors of thin bodies. */
static inline double opening_left(double open, float factor_here, float factor_there)
{
    const double left = (double)factor_here + (double)factor_there - 1;
    return left > 0 ? open * left : 0;
}

#endif
