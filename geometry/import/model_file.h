/** Reads a model file in a child process.
 *
 * The program reads the bytes of the file and of its buffers and checks them (model_input.h). A forked child
 * gives them to a reader (confined.h) and sends plain arrays back (model_message.h). A crash, an endless loop
 * or too much memory in the child becomes a sentence.
 */
#ifndef GEOMETRY_MODEL_FILE_H
#define GEOMETRY_MODEL_FILE_H

#include <signal.h>
#include <stdint.h>

#include "geometry/import/model_content.h"

/** Read `path`; `format` is a name of mesh_import_facts. `memory_bytes` is what the machine
 * has for it (0: all that it has); `interrupted` may be NULL (confined.h). FAILURE_INPUT for a file that is
 * missing, refused by a check, or that Assimp cannot read or crashes on; FAILURE_CAPACITY
 * for one that does not fit the memory or the limits below; FAILURE_INTERRUPTED. `out` is untouched on
 * failure.
 *
 * The child may take 1 GiB and 100 bytes for each byte of the input, 300 for each vertex and triangle and 40
 * KiB for each node, mesh and material, never more than `memory_bytes`; and 20 s of processor time, 5 s for
 * each MiB and 2 s for each million of vertices and triangles, under AddressSanitizer ten times that. Models
 * of 10^6 triangles or nodes (OBJ, PLY, STL, glTF of 19 to 52 MB) took at most a seventh of either. */
int model_file_read(const char *path, const char *format, uint64_t memory_bytes,
                    const volatile sig_atomic_t *interrupted, struct model_file *out,
                    struct failure *failure);

#endif
