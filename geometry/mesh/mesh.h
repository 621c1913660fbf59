/** A room as triangles: metres, right-handed room axes with z up, a material for every triangle. */
#ifndef GEOMETRY_MESH_H
#define GEOMETRY_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"

enum marker_kind { MARKER_SOURCE, MARKER_RECEIVER };

/** A position named in the model: a node or object called `source:pulpit` or `receiver:pew 12`. */
struct mesh_marker {
    enum marker_kind kind;
    char *name;         /* without the prefix; after an import of letters, digits, `_`, `-` only; owned */
    double position[3]; /* room axes [m] */
};

/** If two faces of different materials overlap in one plane, sound meets the smaller one, drawn on the other.
 * A face is all connected area of one material in one plane (geometry/voxel/coplanar.h). */
struct face_rank {
    uint32_t plane; /* equal for faces that overlap in a plane; 0: there is no face of another material */
    uint32_t rank;  /* of two in one plane the lower one counts; faces of one size have one rank */
};

/** One material over another. */
struct face_overlap {
    uint16_t over, under; /* materials */
    bool equal; /* faces of equal size: each side meets the one whose front is visible there, or the first */
    uint32_t face;     /* a number of the face that counts */
    uint32_t triangle; /* of that face, in the largest part of the overlap */
    double area;       /* of the overlap, with all faces of `under` [m2] */
    double place[3];   /* in its largest part [m] */
};

/** Owned by its mesh, freed by face_overlaps_free(). */
struct face_overlaps {
    size_t triangle_count; /* later triangles have no rank: ribbons of seal.h */
    struct face_rank *rank;
    size_t count;
    struct face_overlap *overlap; /* by falling area */
    bool complete;                /* false: the search ended before all faces were compared */
};

/** Arrays are owned by the mesh and freed by mesh_free(); a zeroed mesh is empty and may be freed. */
struct mesh {
    size_t vertex_count;
    double (*vertex)[3]; /* (vertex_count, 3) room axes [m] */
    size_t triangle_count;
    uint32_t (*triangle)[3];     /* (triangle_count, 3) indices into vertex; either winding */
    uint16_t *triangle_material; /* (triangle_count) indices into material */
    size_t sheet_count;    /* triangles after triangle_count, in the same arrays: permeable sheets, ignored as
                              walls unless code asks for them (mesh_set_sheets()) */
    size_t material_count; /* at most MESH_MATERIALS_MAX */
    char **material;       /* (material_count) names, unique, UTF-8 */
    size_t marker_count;
    struct mesh_marker *marker;
    struct face_overlaps *overlaps; /* NULL: none was found or searched (face_overlaps_find()) */
};

#define MESH_MATERIALS_MAX  65000u
#define MESH_COORDINATE_MAX 1e6 /* [m] */

void mesh_free(struct mesh *mesh);
void face_overlaps_free(struct face_overlaps *overlaps);

/** Rank of a triangle; zeros without one. */
static inline struct face_rank mesh_face_rank(const struct mesh *mesh, size_t triangle)
{
    return mesh->overlaps != NULL && triangle < mesh->overlaps->triangle_count
               ? mesh->overlaps->rank[triangle]
               : (struct face_rank){0, 0};
}

/** Append one vertex, triangle, material (reused by name) or marker. Arrays grow by doubling and their room
 * follows from the count, so append only to arrays made by these functions. `*index` (may be NULL) receives
 * its index. FAILURE_CAPACITY if memory or an index range runs out. */
int mesh_add_vertex(struct mesh *mesh, const double position[3], uint32_t *index, struct failure *failure);
int mesh_add_triangle(struct mesh *mesh, const uint32_t vertex[3], uint16_t material,
                      struct failure *failure);
int mesh_add_material(struct mesh *mesh, const char *name, uint16_t *index, struct failure *failure);
int mesh_add_marker(struct mesh *mesh, enum marker_kind kind, const char *name, const double position[3],
                    struct failure *failure);

/** Append `in` without its markers to `out`, which is empty and can be added to. FAILURE_CAPACITY. */
int mesh_copy(const struct mesh *in, struct mesh *out, struct failure *failure);

/** Room of an array of `count` elements under the growth rule of mesh_add_*(), for code that fills arrays at
 * once. */
size_t mesh_capacity(size_t count);

/** Move the triangles of some materials, `sheet` (material_count), behind all others, both in their order,
 * and count them as sheets; ranks of faces are dropped. FAILURE_CAPACITY. */
int mesh_set_sheets(struct mesh *mesh, const bool *sheet, struct failure *failure);

/** The sheets of a mesh as a mesh that borrows its arrays; and walls and sheets together as triangles, for
 * pictures. */
struct mesh mesh_sheets(const struct mesh *mesh);
struct mesh mesh_whole(const struct mesh *mesh);

/** Bounding box of the vertices that triangles use [m]; FAILURE_INPUT when there is no triangle. */
int mesh_bounds(const struct mesh *mesh, double low[3], double high[3], struct failure *failure);

/** Normal of a triangle, with the length of twice its area [m2]; it points to the side from which the corners
 * run counter-clockwise. */
void mesh_normal(const struct mesh *mesh, size_t triangle, double normal[3]);

/** Area of every material [m2]: `area` holds material_count values. O(triangles). */
void mesh_material_areas(const struct mesh *mesh, double *area);

/** The lowest vertex at the same position (-0 is 0) as each vertex: `*first` (vertex_count) is the caller's.
 * FAILURE_CAPACITY. O(vertices). */
int mesh_first_of_place(const struct mesh *mesh, uint32_t **first, struct failure *failure);

/** Give vertices at exactly the same position (-0 is 0) one index, the first's, and drop vertices that no
 * triangle uses; order is kept. There is no tolerance: positions that differ in the last bit stay separate.
 * O(vertices). */
int mesh_weld(struct mesh *mesh, struct failure *failure);

/** Irregularities of a mesh; none prevents a simulation. Corners are compared by exact position. Edges are
 * counted over triangles with three different corners, once if several have the same three. O(triangles log
 * triangles). */
struct mesh_census {
    size_t degenerate; /* triangles without area: a corner used twice, or all three on a line (the height
                          over the longest side under 1e-12 of it) */
    size_t duplicate;  /* triangles on the same three positions as an earlier one that mesh_drop_redundant()
                          drops */
    size_t open_edges; /* edges with one triangle */
    size_t nonmanifold_edges; /* edges with more than two */
};
int mesh_count_oddities(const struct mesh *mesh, struct mesh_census *census, struct failure *failure);

/** Drop triangles that use a corner twice, and of triangles on the same three positions all but the first of
 * each material; their faces decide which material counts (cut_field.h). A triangle whose three different
 * corners are on a line stays: it has no area, but may keep the mesh closed once vertices are snapped to the
 * lattice. */
int mesh_drop_redundant(struct mesh *mesh, struct failure *failure);

/** Validate a mesh and name the first fault: finite coordinates within MESH_COORDINATE_MAX, indices in range,
 * names unique and not empty. FAILURE_INPUT. */
int mesh_check(const struct mesh *mesh, struct failure *failure);

#endif
