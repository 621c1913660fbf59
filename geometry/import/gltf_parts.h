/** What gltf_check knows about a file while it works; internal to the gltf_*.c files. */
#ifndef GEOMETRY_GLTF_PARTS_H
#define GEOMETRY_GLTF_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"
#include "geometry/import/import_notes.h"

#define GLTF_NONE UINT32_MAX

struct gltf_instances; /* gltf_check.h */
struct gltf_plain;

/** Component types. */
enum { GLTF_BYTE = 5120, GLTF_UBYTE, GLTF_SHORT, GLTF_USHORT, GLTF_UINT = 5125, GLTF_FLOAT };

/** What an object has under a key; NULL: nothing. */
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
    uint64_t index_limit; /* of one that holds indices: the fewest vertices they refer to; 0: it holds none */
};

/** With POSITION; others are left out. */
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
    bool *needed;         /* (buffers) do a primitive or instances refer to it? */
    const char **no_data; /* (buffers) the extension that packs what belongs there; NULL: it is there */
    bool *hidden;         /* (nodes) left out, but for its children's numbers */
    uint32_t *instanced;  /* (nodes) its number in `instances`, or GLTF_NONE */
    size_t instances_count, placed; /* nodes with instances, and these together */
    struct gltf_instances *instances;
    struct import_notes *notes; /* borrowed */
    const cJSON *scene;         /* the one to read */
    uint64_t vertices, triangles;
    struct failure *failure;
};
void gltf_parts_free(struct gltf_parts *parts);

/** "accessors[3]: ..." as FAILURE_INPUT. */
__attribute__((format(printf, 4, 5))) int gltf_refuse(const struct gltf_parts *parts, const char *list,
                                                      size_t index, const char *format, ...);

/** The JSON text of a file (gltf_json.c): in `*text` and `*size`, and of a GLB the chunk with its buffer
 * (NULL without one). */
int gltf_find_text(const unsigned char *bytes, size_t size, bool binary, const char **text, size_t *text_size,
                   const unsigned char **chunk, size_t *chunk_size, struct failure *failure);

/** Parse it, within GLTF_JSON_DEPTH_MAX and GLTF_JSON_VALUES_MAX. `*root` is freed by cJSON_Delete(). */
int gltf_parse(const char *text, size_t size, cJSON **root, struct failure *failure);

/** Is it a whole number of 0 to `count` - 1? `*number` is it, NaN for what is no number. */
bool gltf_is_index(const cJSON *item, uint64_t count, double *number);

/** A whole number of 0 to `limit` - 1 (at most 2^53) under `key`; `*value` stays where there is none.
 * `what` says in the sentence what the limit is. */
int gltf_read_number(const struct gltf_parts *parts, const char *list, size_t index, const cJSON *object,
                     const char *key, uint64_t limit, const char *what, uint64_t *value);

/** The same for the number of another object; `*value` becomes GLTF_NONE where there is none. */
int gltf_read_reference(const struct gltf_parts *parts, const char *list, size_t index, const cJSON *object,
                        const char *key, size_t count, uint32_t *value);

/** Bytes of a number of a component type; 0: unknown. */
unsigned gltf_component_bytes(int component);

/** Extensions (gltf_extensions.c). The names that a file gives: FAILURE_INPUT for one that it requires and
 * that is not read; of unknown ones that it uses a note. */
int gltf_check_extensions(const struct gltf_parts *parts);

/** The extension by which a primitive's or buffer's data are packed; NULL: none. */
const char *gltf_packed_by(const cJSON *object);

bool gltf_is_hidden(const cJSON *node);
bool gltf_is_morphed(const struct gltf_parts *parts, const cJSON *node, uint32_t mesh);

/** Where the instances of a node are (count 0: it has none); what they need is marked in parts->needed. */
int gltf_read_instances(struct gltf_parts *parts, size_t node, struct gltf_instances *out);

void gltf_note_variants(const struct gltf_parts *parts);

/** The node graph (gltf_graph.c): a forest, and what the instances in the scene come to, added to
 * parts->vertices and parts->triangles. */
int gltf_check_graph(struct gltf_parts *parts);

/** Write the scene anew (gltf_text.c) into plain->text, its nodes last; where the instances begin in it is
 * plain->placed_at. */
int gltf_write_plain(const struct gltf_parts *parts, struct gltf_plain *plain);

#endif
