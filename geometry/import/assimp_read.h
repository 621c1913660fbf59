/** From the bytes of a model to plain arrays: the only module that calls Assimp.
 *
 * It runs in the child (model_file.h) and opens nothing: when Assimp opens a file by name, it gets bytes that
 * the program has read.
 */
#ifndef GEOMETRY_ASSIMP_READ_H
#define GEOMETRY_ASSIMP_READ_H

#include "geometry/import/model_content.h"
#include "geometry/import/model_input.h"

/** Read `input`; `format` is its name for sentences. FAILURE_INPUT if Assimp cannot read it or returns an
 * invalid index, unit or axis. `out` is untouched on failure. */
int assimp_read(const struct model_input *input, const char *format, struct model_file *out,
                struct failure *failure);

#endif
