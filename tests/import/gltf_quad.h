/** The text of a glTF file with one quad of two triangles, any part of which a test can replace. */
#ifndef TESTS_GLTF_QUAD_H
#define TESTS_GLTF_QUAD_H

#include "tests/support/test_support.h"

enum gltf_part { NODES, MESHES, ACCESSORS, VIEWS, BUFFERS, SCENE, REST, PARTS };

static const char *const gltf_quad_part[PARTS] = {
    "[{\"mesh\":0}]",
    "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]",
    "[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]",
    "[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}]",
    "[{\"byteLength\":60,\"uri\":\"room.bin\"}]",
    "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],",
    "",
};

/* NULL: the part of the quad. The text is owned by the caller. */
static inline char *gltf_quad_text(const char *const replaced[PARTS])
{
    const char *part[PARTS];
    size_t size = 400;
    for (int p = 0; p < PARTS; ++p) {
        part[p] = replaced[p] != NULL ? replaced[p] : gltf_quad_part[p];
        size += strlen(part[p]);
    }
    char *text = malloc(size);
    cr_assert(text != NULL);
    (void)snprintf(text, size,
                   "{\"asset\":{\"version\":\"2.0\"},%s%s\"nodes\":%s,\"meshes\":%s,\"accessors\":%s,"
                   "\"bufferViews\":%s,\"buffers\":%s}",
                   part[SCENE], part[REST], part[NODES], part[MESHES], part[ACCESSORS], part[VIEWS],
                   part[BUFFERS]);
    return text;
}

#endif
