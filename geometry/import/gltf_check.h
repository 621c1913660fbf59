/** glTF 2.0 and GLB, checked and written anew before Assimp reads them.
 *
 * The check covers the chunks of a GLB, the number of values in the JSON text, every reference, every view
 * within its buffer, every accessor within its view, the node graph (a forest), the number of triangles
 * after instances are expanded, and the URIs. The new text holds nodes (name, mesh, children, transform),
 * meshes (POSITION, indices, mode, material), names of materials, accessors, buffer views and buffers, and
 * nothing else. Buffers have the names that gltf_buffer_name() gives. Hidden nodes (KHR_node_visibility) are
 * left out, and instances (EXT_mesh_gpu_instancing) become nodes; gltf_extensions.c lists all extensions.
 *
 * The files build on each other in this order: gltf_plain, gltf_parts, gltf_json, gltf_extensions,
 * gltf_graph, gltf_text, gltf_check.
 */
#ifndef GEOMETRY_GLTF_CHECK_H
#define GEOMETRY_GLTF_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/import/gltf_plain.h"

/** Check `size` bytes (any content; no zero needed behind them): a GLB when `binary`, else JSON text. Nothing
 * is opened. FAILURE_INPUT with a sentence that names the object and the cause: `accessors[3]: ...`;
 * FAILURE_CAPACITY for memory. `out` is untouched on failure. Time and memory O(size). */
int gltf_check(const void *bytes, size_t size, bool binary, struct gltf_plain *out, struct failure *failure);

#endif
