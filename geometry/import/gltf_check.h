/** glTF 2.0 and GLB, checked and made plain before Assimp reads them.
 *
 * Everything that a reader could trip over is checked first: the chunks of a GLB, the depth and the number
 * of values of the JSON text, every index, every buffer view within its buffer, every accessor within its
 * view (no sum wraps), the node graph (a forest, GLTF_NODE_DEPTH_MAX deep), what instances expand to,
 * and the URIs. Then the scene is written anew with nothing but nodes (name, mesh, children, transform),
 * meshes (POSITION, indices, mode, material), names of materials, accessors, buffer views and buffers, the
 * last under the names that gltf_buffer_name() gives. Images, skins, animations and extensions never get
 * further than this check. Of the extensions that change what is where, hidden nodes (KHR_node_visibility)
 * are left out, and instances (EXT_mesh_gpu_instancing) become nodes; gltf_extensions.c has the list of all.
 */
#ifndef GEOMETRY_GLTF_CHECK_H
#define GEOMETRY_GLTF_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"

#define GLTF_JSON_DEPTH_MAX 64
#define GLTF_JSON_VALUES_MAX                                                                                 \
    8000000u /* of the JSON text: what bounds the memory of its tree to about 1 GB                           \
              */
#define GLTF_NODES_MAX        1000000u
#define GLTF_NODE_DEPTH_MAX   500
#define GLTF_ELEMENTS_MAX     (UINT64_C(1) << 31) /* vertices, triangles, after instances are expanded */
#define GLTF_BUFFERS_MAX      1000u
#define GLTF_BUFFER_BYTES_MAX (UINT64_C(4) << 30)

/** A buffer: in `path`, or in `bytes`. */
struct gltf_buffer {
    char *path; /* relative to the model's folder, percent-decoded, safe to open beneath it; owned; NULL when
                   the bytes are at hand */
    const unsigned char *bytes; /* of the GLB's own chunk (borrowed) or `decoded` */
    unsigned char *decoded;     /* of a data: URI; owned */
    size_t size;                /* byteLength: the file must hold at least that; 0 (without path and bytes)
                                   for a buffer that no mesh uses */
};

/** Indices of triangles: numbers in a buffer, each of which must be below `limit`. */
struct gltf_indices {
    size_t accessor, buffer;
    uint64_t offset, stride, count; /* in the buffer [bytes] */
    unsigned bytes;                 /* of a number: 1, 2, 4 */
    uint64_t limit;                 /* the fewest vertices of the primitives that use it */
};

/** One attribute of instances: numbers in a buffer. */
struct gltf_values {
    unsigned components; /* 3 or 4; 0: the attribute is not given */
    int component;       /* 5126, or of turns 5120 and 5122, which stand for -1 to 1 */
    unsigned bytes;      /* of a number */
    size_t buffer;
    uint64_t offset, stride; /* [bytes] */
};

/** Places at which a node's mesh stands. */
struct gltf_instances {
    size_t node, first; /* whose they are, and the number of the first one's own node */
    uint32_t mesh;
    uint64_t count;
    struct gltf_values value[3]; /* translation, rotation, scale */
};

/** Owned, freed by gltf_plain_free(); zeroed is empty. Borrows from the bytes that were checked. */
struct gltf_plain {
    char *text; /* JSON of a .gltf that holds only what matters, and a zero behind it */
    size_t size;
    size_t buffer_count; /* at most GLTF_BUFFERS_MAX */
    struct gltf_buffer *buffer;
    size_t indices_count; /* accessors of indices that primitives use */
    struct gltf_indices *indices;
    size_t instances_count; /* nodes that have some */
    struct gltf_instances *instances;
    size_t placed_at; /* of the nodes for the instances, which end the text, in it */
    struct import_notes notes;
    uint64_t vertices, triangles; /* that reading makes: of every mesh, and of every instance in the scene */
    uint64_t objects;             /* nodes, primitives, materials: each costs Assimp some kilobytes */
};
void gltf_plain_free(struct gltf_plain *plain);

/** Name of buffer `index` in the plain text: "buffer7". */
#define GLTF_BUFFER_NAME_SIZE 32
void gltf_buffer_name(size_t index, char name[GLTF_BUFFER_NAME_SIZE]);

/** Check `size` bytes (any content; no zero needed behind them): a GLB when `binary`, else JSON text. Nothing
 * is opened. FAILURE_INPUT with a sentence that names the object and the cause: `accessors[3]: ...`;
 * FAILURE_CAPACITY for memory. `out` is untouched on failure. Time and memory O(size). */
int gltf_check(const void *bytes, size_t size, bool binary, struct gltf_plain *out, struct failure *failure);

/** Once the bytes of every buffer in use are at hand (those of files put into `buffer[b].bytes` by the
 * caller): is every index below its limit? Assimp leaves out triangles with others and says nothing.
 * FAILURE_INPUT. */
int gltf_check_indices(const struct gltf_plain *plain, struct failure *failure);

/** After that: give the nodes that stand for instances their places, which are in the buffers. FAILURE_INPUT
 * for a place that is not finite; FAILURE_CAPACITY. */
int gltf_place_instances(struct gltf_plain *plain, struct failure *failure);

#endif
