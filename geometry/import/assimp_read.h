/** From the bytes of a model to plain arrays: the only module that calls Assimp.
 *
 * It runs in a process of its own (model_file.c). It opens nothing: Assimp asks for files by name and gets
 * what was read beforehand.
 */
#ifndef GEOMETRY_ASSIMP_READ_H
#define GEOMETRY_ASSIMP_READ_H

#include "geometry/import/model_content.h"
#include "geometry/import/model_input.h"

/** Read `input`; `format` is its name for sentences. FAILURE_INPUT for what Assimp cannot read or what makes
 * no sense in what it read. `out` is untouched on failure. */
int assimp_read(const struct model_input *input, const char *format, struct model_file *out,
                struct failure *failure);

#endif
