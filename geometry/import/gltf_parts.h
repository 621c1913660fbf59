/** A glTF file while it is checked; internal to the gltf_*.c files. */
#ifndef GEOMETRY_GLTF_PARTS_H
#define GEOMETRY_GLTF_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"
#include "geometry/import/gltf_plain.h"
#include "geometry/import/import_notes.h"

#define GLTF_JSON_VALUES_MAX 8000000u /* bounds the memory of the JSON tree to about 1 GB */
#define GLTF_NODES_MAX       1000000u
#define GLTF_NODE_DEPTH_MAX  500

#define GLTF_NONE UINT32_MAX

/** The value of a key in an object; NULL if it has none. */
static inline const cJSON *gltf_item(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/** A list at the top of the file: its objects by number, because cJSON's lists are chains. */
struct gltf_list {
    const cJSON **item; /* (count); owned */
    size_t count;
};

struct gltf_view {
    uint32_t buffer;
    uint64_t offset, length, stride; /* stride 0: none given */
};

struct gltf_accessor {
    uint32_t view; /* GLTF_NONE: zeros, or compressed */
    uint64_t offset, count;
    int component;       /* 5120 to 5126 */
    unsigned components; /* 1 for SCALAR, 3 for VEC3 .. */
    bool sparse;
    uint64_t index_limit; /* of indices: the fewest vertices of a primitive that uses them; else 0 */
};

/** A primitive with POSITION; others are left out. */
struct gltf_primitive {
    uint32_t position, indices; /* accessors; indices may be GLTF_NONE */
    uint32_t material;          /* or GLTF_NONE */
    int mode;                   /* 0 points .. 4 triangles .. 6 fan */
};

struct gltf_mesh {
    size_t first, count;          /* of its primitives */
    uint64_t vertices, triangles; /* of one instance */
};

/** Every array is owned, freed by gltf_parts_free(). */
struct gltf_parts {
    cJSON *root; /* owned */
    struct gltf_list nodes, meshes, materials, accessors, views, buffers;
    struct gltf_view *view;
    struct gltf_accessor *accessor;
    size_t primitive_count;
    struct gltf_primitive *primitive;
    struct gltf_mesh *mesh;
    bool *needed;         /* (buffers) a primitive or instances refer to it */
    const char **no_data; /* (buffers) the extension that packs its data; NULL if the data are there */
    bool *hidden;         /* (nodes) written without name and mesh, so that numbers of nodes stay */
    uint32_t *instanced;  /* (nodes) its number in `instances`, or GLTF_NONE */
    size_t instances_count, placed; /* nodes with instances; instances in all */
    struct gltf_instances *instances;
    struct import_notes *notes; /* borrowed */
    const cJSON *scene;         /* that is read */
    uint64_t vertices, triangles;
    struct failure *failure;
};
void gltf_parts_free(struct gltf_parts *parts);

/** FAILURE_INPUT with the sentence "accessors[3]: ...". */
__attribute__((format(printf, 4, 5))) int gltf_refuse(const struct gltf_parts *parts, const char *list,
                                                      size_t index, const char *format, ...);

/** True if the item is a whole number from 0 to `count` - 1. `*number` is its value, NaN if it has none. */
bool gltf_is_index(const cJSON *item, uint64_t count, double *number);

/** Read a whole number from 0 to `limit` - 1 (at most 2^53) under `key`; `*value` stays if the key is absent.
 * `what` describes the limit in the sentence. */
int gltf_read_number(const struct gltf_parts *parts, const char *list, size_t index, const cJSON *object,
                     const char *key, uint64_t limit, const char *what, uint64_t *value);

/** Read the number of another object; `*value` becomes GLTF_NONE if the key is absent. */
int gltf_read_reference(const struct gltf_parts *parts, const char *list, size_t index, const cJSON *object,
                        const char *key, size_t count, uint32_t *value);

/** Count `times` instances of `vertices` and `triangles` (each at most GLTF_ELEMENTS_MAX, `times` at most
 * GLTF_NODES_MAX). FAILURE_INPUT if the sums exceed GLTF_ELEMENTS_MAX. */
int gltf_add_elements(struct gltf_parts *parts, uint64_t times, uint64_t vertices, uint64_t triangles);

/** Find the JSON text of a file (gltf_json.c) and, in a GLB, the chunk with its buffer (NULL without one). */
int gltf_find_text(const unsigned char *bytes, size_t size, bool binary, const char **text, size_t *text_size,
                   const unsigned char **chunk, size_t *chunk_size, struct failure *failure);

/** Parse it, within GLTF_JSON_VALUES_MAX and the depth that cJSON allows. `*root` is freed by cJSON_Delete().
 */
int gltf_parse(const char *text, size_t size, cJSON **root, struct failure *failure);

/** Extensions (gltf_extensions.c). FAILURE_INPUT if the file requires one that is not read; a note if it uses
 * an unknown one. */
int gltf_check_extensions(const struct gltf_parts *parts);

/** The extension that packs the data of a primitive or buffer; NULL: none. */
const char *gltf_packed_by(const cJSON *object);

bool gltf_is_hidden(const cJSON *node);
bool gltf_is_morphed(const struct gltf_parts *parts, const cJSON *node, uint32_t mesh);

/** Find the instances of a node (count 0 if it has none) and mark their buffers in parts->needed. */
int gltf_read_instances(struct gltf_parts *parts, size_t node, struct gltf_instances *out);

void gltf_note_variants(const struct gltf_parts *parts);

/** Check that the nodes form a forest (gltf_graph.c), find hidden nodes and instances, and count the elements
 * of the scene in parts->vertices and parts->triangles. */
int gltf_check_graph(struct gltf_parts *parts);

/** Write the scene anew (gltf_text.c) into plain->text, its nodes last. */
int gltf_write_plain(const struct gltf_parts *parts, struct gltf_plain *plain);

#endif
