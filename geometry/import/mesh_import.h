/** Imports a model: glTF, GLB, STL, Collada, FBX, 3DS and IFC through Assimp's C API, OBJ, PLY and DXF by
 * readers of our own (obj_file.h, ply_file.h, dxf_file.h).
 *
 * What the formats keep, with Assimp 5.2:
 * - Coordinates arrive as 32-bit floats with 24 bits, so a coordinate of 100 m has steps of 4 um. They are
 * kept as the doubles that equal these floats, times the unit. Equal coordinates in the file stay equal bits,
 * so walls that share vertices stay closed. Nothing is welded with a tolerance.
 * - Node transforms are multiplied in double, and the result is rounded to float, so that a corner reached
 * through two different transforms usually has the same bits. If not (rotated nodes that meet in a wall), the
 * two corners differ in the last bit and may be a pair of odd sub-steps of the lattice: a gap of h/512,
 * through which a link passes only if it lies on a lattice line. Sealing closes it (seal.h).
 * - OBJ: materials are the names after `usemtl`. The .mtl has only colours and is not read; nor is any other
 * file. An `o` line ends only at the next `o`: a group in a position's object belongs to the position.
 * - STL and PLY have no materials: every face is "default", as are faces without a material in other formats.
 * - glTF: triangles of every node of the scene that is not hidden, and of its instances. In a mirrored node
 * the corners of a face are reversed, so that its sides stay. Skins, morphs, cameras, lights and images are
 * ignored. The file is checked and written anew first (gltf_check.h); sparse or compressed positions are
 * refused.
 * - Collada, FBX: the unit and the upward axis that the file states. FBX: hidden nodes are left out with all
 * below. 3DS: z up, no unit; hidden objects are left out. exchange_file.h describes the checks.
 * - IFC (2x3): materials are the names of surface styles; z up, and the unit that the file states. Elements
 * of which nothing arrives, and walls that are not closed, are in the notes.
 * - DXF: materials are the names of layers; z up, and the unit that the file states. Content of any format
 * that is not read is in the notes (import_notes.h).
 */
#ifndef GEOMETRY_MESH_IMPORT_H
#define GEOMETRY_MESH_IMPORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/import/import_notes.h"
#include "geometry/import/model_content.h"
#include "geometry/mesh/mesh.h"

/** The endings of files that can be read, for sentences. */
#define MESH_IMPORT_ENDINGS ".obj, .gltf, .glb, .ply, .stl, .dae, .fbx, .3ds, .dxf or .ifc"

/** True if the ending of `path` is one of these, in any case. */
bool mesh_import_knows(const char *path);

struct mesh_import_options {
    double metres_per_unit; /* 1, 0.01, 0.001, 0.0254, 0.3048; 0: as the file states, else 1 */
    enum up_axis up;        /* UP_Y turns (x, y, z) to (x, -z, y) */
    uint64_t memory_bytes;  /* that reading and the result may take; 0 means what the machine has */
    const volatile sig_atomic_t *interrupted; /* not 0: end the reading; may be NULL */
};

/** Findings and assumptions of the importer, for the program to print. */
struct mesh_import_facts {
    char format[16];           /* "OBJ", "glTF", "GLB", "PLY", "STL", "DAE", "FBX", "3DS", "DXF", "IFC" */
    double metres_per_unit;    /* as used */
    bool unit_stated;          /* by the file, and used */
    enum up_axis up;           /* as used, never UP_AUTO */
    size_t polygons;           /* faces in the file that had more than three corners */
    size_t instances;          /* mesh instances expanded (node x mesh pairs; a mesh has one material) */
    size_t lines_and_points;   /* faces of one or two corners, ignored */
    struct import_notes notes; /* content that is not read, or is changed */
    struct mesh_census census; /* of the file's triangles, before any was dropped */
    double size[3];            /* of the bounding box [m] */
    char warning[300]; /* empty, or: a size that makes no sense for a room, and the units in which it would
                          make one; without a full stop */
    enum failure_advice advice; /* what to do about it: ADVICE_UNIT with the likeliest of these, or another */
    double likely_unit;         /* [m]; 0: none would make it a room */
};

/** Import `path`. Polygons are triangulated (polygon.h), node transforms applied and instances expanded.
 * Materials are kept by name, one entry for each that a triangle uses, in order of appearance.
 *
 * Markers: a node or OBJ object named `source:NAME` or `receiver:NAME` (prefix in any case) is a position
 * and, with all below it, no wall. The position is the centroid of its vertices (each place once), or the
 * origin of a glTF node that has none. Letters, digits, `_` and `-` of the name stay; every other character
 * becomes `_`.
 *
 * Triangles that use a corner twice are dropped. The first of duplicates is kept with its material. Both are
 * counted in `facts->census`. mesh_drop_redundant() explains why flat triangles and the other face of a sheet
 * stay. Vertices at exactly the same position are one afterwards. `out` is owned by the caller on success
 * (mesh_free) and untouched on failure; `facts` may be NULL. FAILURE_INPUT for a file that is missing,
 * unreadable, of unknown kind, broken or without triangles, or whose coordinates are not numbers within 1e6
 * m. Also if Assimp, which runs in its own process (model_file.h), crashes or never ends. FAILURE_CAPACITY
 * for a model that does not fit `memory_bytes`; FAILURE_INTERRUPTED. Nothing but `path` and, of glTF, buffers
 * beneath its folder is opened. */
int mesh_import(const char *path, const struct mesh_import_options *options, struct mesh *out,
                struct mesh_import_facts *facts, struct failure *failure);

#endif
