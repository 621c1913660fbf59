/** A model, or a failure, as bytes from the confined reader to the program.
 *
 * A hostile file may have taken the reader over, so the decoder checks that the sizes add up to the message
 * and that every text ends. Indices and coordinates are left to mesh_check().
 *
 *   [struct model_message_header][vertex (v,3) f64][marker position (m,3) f64]
 *   [triangle (t,3) u32][triangle material (t) u16][marker kind (m) u8]
 *   [names of materials, then of markers, each with its zero]
 * or
 *   [struct model_message_header][struct failure]
 *
 * Both ends are one program on one machine: numbers are in its byte order.
 */
#ifndef GEOMETRY_MODEL_MESSAGE_H
#define GEOMETRY_MODEL_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/import/model_content.h"

#define MODEL_MESSAGE_MAGIC        UINT64_C(0x6c65646f6d207274) /* "tr model" on a little-endian machine */
#define MODEL_MESSAGE_NAME_MAX     4096u                        /* bytes of a name without its zero */
#define MODEL_MESSAGE_MARKERS_MAX  1000000u
#define MODEL_MESSAGE_ELEMENTS_MAX (UINT64_C(1) << 31) /* vertices, triangles */

struct model_message_header {
    uint64_t magic;
    uint64_t status; /* a failure_code; 0: the model follows */
    uint64_t vertices, triangles, materials, markers, name_bytes;
    uint64_t polygons, instances, lines_and_points;
    uint64_t up; /* an enum up_axis */
    double unit;
    struct import_notes notes;
};

/** Send `model` (status 0), or `failure` with its code, through `descriptor` with confined_write(). Returns
 * 0, or -1 if the reading end is closed. */
int model_message_send(int descriptor, int status, const struct model_file *model,
                       const struct failure *failure);

/** Read `size` bytes of any content and alignment. Returns 0 and the model, or the failure in the message
 * (sentence, fix, file and line; control characters become `?`), or FAILURE_INPUT with a sentence that begins
 * "the answer" if the bytes are not a message. `out` owns its arrays on success (mesh_free) and is untouched
 * on failure; they may grow by mesh_add_*(). Time and memory O(size). */
int model_message_decode(const void *bytes, size_t size, struct model_file *out, struct failure *failure);

#endif
