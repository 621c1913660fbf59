/** The links that a mesh cuts, before any flood: sparse over blocks, exact, the same for any thread count.
 *
 * A link is cut exactly when its closed segment meets a triangle that has an area, after snapping. So a node
 * that lies on a triangle has all six links cut, and a watertight mesh lets no path through.
 *
 * Block positions run over 0 .. blocks-1 per axis (block (0,0,0) starts at lattice node (0,0,0)); the box has
 * no wall outside the mesh's bounding box, so everything past it is free. A cut belongs to the block of its
 * low end (the node with the smaller coordinate), which may have coordinate -1: cuts between node -1 and node
 * 0 of an axis are kept too, in blocks of position -1.
 */
#ifndef GEOMETRY_CUT_FIELD_H
#define GEOMETRY_CUT_FIELD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"
#include "geometry/voxel/triangle_bins.h"

/** One cut link, seen from both ends: the triangle hit nearest to each. Among overlapping faces in one plane
 * it is the smallest (coplanar.h). Among several at one depth it is one whose front faces that end (corners
 * counter-clockwise), then the lower index. So of two coincident triangles back to back each end has the one
 * that faces it. */
struct cut_hit {
    uint16_t slot; /* of the low end in its block */
    uint8_t axis;  /* 0 x, 1 y, 2 z */
    uint8_t reserved;
    uint32_t low_triangle;  /* nearest to the low end */
    uint32_t high_triangle; /* nearest to the high end */
};

struct cut_block {
    int32_t place[3];
    uint32_t reserved;  /* 0 */
    uint64_t cut[3][8]; /* by axis: links from this block's nodes in the + direction that are cut */
};

/** Heap bytes for each block of a field without hits, with the table. */
#define CUT_BLOCK_BYTES (sizeof(struct cut_block) + 16)

/** Owned, freed by cut_field_free(); zeroed is empty. */
struct cut_field {
    struct lattice lattice;
    int64_t blocks[3];       /* block positions that cover lattice.nodes */
    size_t block_count;      /* blocks with at least one cut */
    struct cut_block *block; /* rising in (z,y,x) of place */
    /* All of these NULL in a field of cuts alone. */
    uint64_t *first_hit; /* (block_count + 1) into hit; the last is how many there are */
    struct cut_hit *hit; /* per block by rising axis, then slot */
    uint64_t (*met)[3];  /* (triangle_count, 3) crossings of each triangle with the lattice lines along each
                            axis, by  CROSSING_WHOLE of link_test.h, whether a nearer hit hides them or not */
    uint32_t find_slots; /* power of two: open addressing place -> index + 1, 0 free */
    uint32_t *find_table;
    /* Floods over the field end with FAILURE_INTERRUPTED when it is set; borrowed, may be NULL. */
    const volatile sig_atomic_t *interrupted;
};

/** Apply the closed exact link test to every triangle (numerics.md section 3): vertices snapped to odd
 * sub-steps, int64 edge functions inclusive, depth as an exact rational in 128 bits. O(triangles + surface /
 * h^2), threads. FAILURE_CAPACITY for memory or coordinates past 2^30 sub-steps. `out` untouched on failure.
 */
int cut_field_make(const struct mesh *mesh, const struct lattice *lattice, int threads, struct cut_field *out,
                   struct failure *failure);
void cut_field_free(struct cut_field *field);

/** The same cuts without the triangles behind them, for a flood on a very fine lattice: a quarter of the
 * memory. `bins` are those of the lattice. */
int cut_field_make_bare(const struct triangle_bins *bins, const struct lattice *lattice, int threads,
                        struct cut_field *out, struct failure *failure);

/** Index of the block at a place, or SIZE_MAX. O(1). */
size_t cut_field_find(const struct cut_field *field, const int32_t place[3]);

/** The block at a place, or NULL. O(1). */
static inline const struct cut_block *cut_field_block(const struct cut_field *field, const int32_t place[3])
{
    const size_t found = cut_field_find(field, place);
    return found != SIZE_MAX ? &field->block[found] : NULL;
}

/** Cut links of the block at `place` by direction: cut[d][z] has bit x + 8y if the link of that node in
 * direction d is cut. False (and all zero) if none is. O(1). */
bool cut_field_block_cuts(const struct cut_field *field, const int32_t place[3], uint64_t cut[6][8]);

/** True if the link from `node` in `direction` is cut. Any node, also outside the box. O(1). */
bool cut_field_is_cut(const struct cut_field *field, const int64_t node[3], enum direction direction);

#endif
