/** A checked glTF file as Assimp gets it: a new text and the buffers that it uses.
 *
 * gltf_check() makes it. Its caller reads the files of buffers, then calls gltf_check_indices() and
 * gltf_place_instances(), which need their bytes.
 */
#ifndef GEOMETRY_GLTF_PLAIN_H
#define GEOMETRY_GLTF_PLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"

#define GLTF_ELEMENTS_MAX     (UINT64_C(1) << 31) /* vertices, triangles, after instances are expanded */
#define GLTF_BUFFERS_MAX      1000u
#define GLTF_BUFFER_BYTES_MAX (UINT64_C(4) << 30)

/** Component types of accessors. */
enum { GLTF_BYTE = 5120, GLTF_UBYTE, GLTF_SHORT, GLTF_USHORT, GLTF_UINT = 5125, GLTF_FLOAT };

/** Bytes of a number of a component type; 0 if the type is unknown. */
unsigned gltf_component_bytes(int component);

/** A buffer: in `path`, or in `bytes`. */
struct gltf_buffer {
    char *path; /* relative to the model's folder, percent-decoded, safe to open beneath it; NULL if `bytes`
                   is set; owned */
    const unsigned char *bytes; /* the GLB's own chunk (borrowed) or `decoded` */
    unsigned char *decoded;     /* of a data: URI; owned */
    size_t size;                /* byteLength, which the file must hold; 0 if no mesh uses the buffer */
};

/** Indices of triangles in a buffer. Each must be below `limit`. */
struct gltf_indices {
    size_t accessor, buffer;
    uint64_t offset, stride, count; /* in the buffer [bytes] */
    unsigned bytes;                 /* of a number: 1, 2, 4 */
    uint64_t limit;                 /* the fewest vertices of the primitives that use it */
};

/** One attribute of instances: numbers in a buffer. */
struct gltf_values {
    unsigned components; /* 3 or 4; 0: the file does not give the attribute */
    int component;       /* GLTF_FLOAT; of rotations also GLTF_BYTE and GLTF_SHORT, which mean -1 to 1 */
    unsigned bytes;      /* of a number */
    size_t buffer;
    uint64_t offset, stride; /* [bytes] */
};

/** The instances of one node's mesh. */
struct gltf_instances {
    size_t node, first; /* the node in the file, and the first of the new nodes */
    uint32_t mesh;
    uint64_t count;
    struct gltf_values value[3]; /* translation, rotation, scale */
};

/** Owned, freed by gltf_plain_free(); zeroed is empty. Borrows from the bytes that were checked. */
struct gltf_plain {
    char *text; /* JSON of a .gltf with only the parts that are read; ends with a zero byte */
    size_t size;
    size_t buffer_count; /* at most GLTF_BUFFERS_MAX */
    struct gltf_buffer *buffer;
    size_t indices_count; /* accessors of indices that primitives use */
    struct gltf_indices *indices;
    size_t instances_count; /* nodes with instances */
    struct gltf_instances *instances;
    size_t placed_at; /* where the instances' nodes begin in `text`; they end it */
    struct import_notes notes;
    uint64_t vertices, triangles; /* of every mesh, and of every instance in the scene */
    uint64_t objects;             /* nodes, primitives, materials: each costs Assimp some kilobytes */
};
void gltf_plain_free(struct gltf_plain *plain);

/** Name of buffer `index` in the text: "buffer7". */
#define GLTF_BUFFER_NAME_SIZE 32
void gltf_buffer_name(size_t index, char name[GLTF_BUFFER_NAME_SIZE]);

/** Check that every index is below its limit. Assimp drops triangles with other indices silently. Needs the
 * bytes of every buffer in use. FAILURE_INPUT. */
int gltf_check_indices(const struct gltf_plain *plain, struct failure *failure);

/** Give the nodes of instances their transforms, which are in the buffers. Call it after
 * gltf_check_indices(). FAILURE_INPUT for a number that is not finite; FAILURE_CAPACITY. */
int gltf_place_instances(struct gltf_plain *plain, struct failure *failure);

#endif
