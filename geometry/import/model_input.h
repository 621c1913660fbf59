/** A model file and the files it refers to, read and checked before any import library sees them. */
#ifndef GEOMETRY_MODEL_INPUT_H
#define GEOMETRY_MODEL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/import/import_notes.h"
#include "geometry/mesh/mesh.h"

#define MODEL_INPUT_BYTES_MAX (INT64_C(4) << 30) /* of the model, and of all its buffers */

/** Bytes under the name by which the import library asks for them. */
struct model_bytes {
    char name[32]; /* "model.obj", "buffer0" */
    const char *data;
    char *owned; /* to be freed, or NULL where `data` lies in another's */
    size_t size; /* a zero follows them where `owned` is `data` */
};

/** Freed by model_input_free(); zeroed is empty. */
struct model_input {
    size_t file_count;
    struct model_bytes *file; /* [0] is the model; owned */
    struct model_bytes raw;   /* the file as it was, when file[0] is written anew */
    struct import_notes notes;
    uint64_t elements; /* of glTF: vertices and triangles that reading makes; 0 where the size is enough */
    uint64_t objects;  /* nodes, meshes, materials: each costs Assimp some kilobytes */
};
void model_input_free(struct model_input *input);

/** Read and check `path`, whose format is "OBJ", "glTF", "GLB", "PLY" or "STL". Buffers of a glTF file are
 * opened beneath its folder (open_beneath.h); nothing else is opened. FAILURE_INPUT for a file that is
 * missing, empty, no regular file, over 4 GiB, or whose content a check of its format refuses;
 * FAILURE_CAPACITY when it does not fit `memory_bytes`. The failure's file or its
 * sentence names `path`. `out` is untouched on failure. */
int model_input_read(const char *path, const char *format, uint64_t memory_bytes, struct model_input *out,
                     struct failure *failure);

#endif
