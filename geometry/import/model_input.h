/** A model file and its buffers, read and checked before a reader gets them. */
#ifndef GEOMETRY_MODEL_INPUT_H
#define GEOMETRY_MODEL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/import/import_notes.h"
#include "geometry/mesh/mesh.h"

#define MODEL_INPUT_BYTES_MAX (INT64_C(4) << 30) /* of the model, and of all its buffers */

/** Bytes, and the name under which Assimp opens them. */
struct model_bytes {
    char name[32]; /* "model.obj", "buffer0" */
    const char *data;
    char *owned; /* to be freed; NULL if `data` belongs to another */
    size_t size; /* a zero byte follows if `owned` is `data` */
};

/** Freed by model_input_free(); zeroed is empty. */
struct model_input {
    size_t file_count;
    struct model_bytes *file; /* [0] is the model; owned */
    struct model_bytes raw;   /* the original file if file[0] is written anew */
    struct import_notes notes;
    double unit;       /* IFC: as the file states [m]; 0: none, or Assimp reads it */
    uint64_t elements; /* glTF: vertices and triangles of the result; else 0 */
    uint64_t objects;  /* nodes, meshes, materials: each costs Assimp some kilobytes */
};
void model_input_free(struct model_input *input);

/** Read and check `path`, whose format is one of mesh_import_facts. Buffers of a glTF file are opened beneath
 * its folder (open_beneath.h); nothing else is opened. FAILURE_INPUT for a file that is missing, empty, not a
 * regular file, above 4 GiB, or refused by a check; FAILURE_CAPACITY if it does not fit `memory_bytes`. The
 * failure's file or its sentence names `path`. `out` is untouched on failure. */
int model_input_read(const char *path, const char *format, uint64_t memory_bytes, struct model_input *out,
                     struct failure *failure);

#endif
