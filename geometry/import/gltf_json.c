#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "geometry/import/gltf_parts.h"

#define GLB_MAGIC  UINT32_C(0x46546c67) /* "glTF" */
#define CHUNK_JSON UINT32_C(0x4e4f534a)
#define CHUNK_BIN  UINT32_C(0x004e4942)
enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };

static uint32_t u32(const unsigned char *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int find_chunks(const unsigned char *bytes, size_t size, const char **text, size_t *text_size,
                       const unsigned char **chunk, size_t *chunk_size, struct failure *failure)
{
    size_t at = GLB_HEADER;
    for (size_t number = 0; at < size; ++number) {
        if (size - at < CHUNK_HEADER)
            return failure_set(failure, FAILURE_INPUT, "chunk %zu of the GLB is cut short", number);
        const size_t length = u32(bytes + at), left = size - at - CHUNK_HEADER;
        const uint32_t kind = u32(bytes + at + 4);
        if (length > left)
            return failure_set(
                failure, FAILURE_INPUT,
                "chunk %zu of the GLB has %zu bytes by its header, but only %zu are left in the "
                "file",
                number, length, left);
        if ((number == 0) != (kind == CHUNK_JSON))
            return failure_set(
                failure, FAILURE_INPUT,
                "chunk %zu of the GLB %s: the scene's JSON must be the first chunk, and only that", number,
                number == 0 ? "is not JSON" : "is JSON again");
        if (number == 0) {
            *text = (const char *)bytes + at + CHUNK_HEADER;
            *text_size = length;
            /* Chunks are padded with blanks to 4 bytes; some programs pad with zeros. */
            while (*text_size > 0 && (*text)[*text_size - 1] == '\0')
                --*text_size;
        } else if (kind == CHUNK_BIN && *chunk == NULL) {
            *chunk = bytes + at + CHUNK_HEADER;
            *chunk_size = length;
        }
        at += CHUNK_HEADER + length;
    }
    return *text != NULL ? 0 : failure_set(failure, FAILURE_INPUT, "the GLB has no chunk");
}

int gltf_find_text(const unsigned char *bytes, size_t size, bool binary, const char **text, size_t *text_size,
                   const unsigned char **chunk, size_t *chunk_size, struct failure *failure)
{
    const bool is_glb = size >= 4 && u32(bytes) == GLB_MAGIC;
    *text = NULL;
    *chunk = NULL;
    *text_size = *chunk_size = 0;
    if (!binary && is_glb)
        return failure_set(failure, FAILURE_INPUT, "it is a GLB: rename it so that it ends in .glb");
    if (!binary) {
        *text = (const char *)bytes;
        *text_size = size;
        return 0;
    }
    if (!is_glb) {
        size_t first = 0;
        while (first < size && is_blank(bytes[first]))
            ++first;
        return failure_set(failure, FAILURE_INPUT,
                           first < size && bytes[first] == '{'
                               ? "it is JSON text, not a GLB: rename it so that it ends in .gltf"
                               : "it is not a GLB: it does not begin with \"glTF\"");
    }
    if (size < GLB_HEADER)
        return failure_set(failure, FAILURE_INPUT, "the GLB's header is cut short");
    if (u32(bytes + 4) != 2)
        return failure_set(failure, FAILURE_INPUT,
                           "it is version %u of GLB; only version 2 is read: export it as glTF 2.0",
                           u32(bytes + 4));
    if (u32(bytes + 8) != size)
        return failure_set(failure, FAILURE_INPUT,
                           "the GLB has %u bytes by its header, but the file has %zu: it is incomplete or "
                           "something was added",
                           u32(bytes + 8), size);
    return find_chunks(bytes, size, text, text_size, chunk, chunk_size, failure);
}

/* Limit the number of values before a tree of them is built. Brackets and commas in strings count, too. */
static int count_values(const char *text, size_t size, struct failure *failure)
{
    size_t values = 1;
    for (size_t k = 0; k < size; ++k)
        values += text[k] == '[' || text[k] == '{' || text[k] == ',';
    if (values > GLTF_JSON_VALUES_MAX)
        return failure_set(failure, FAILURE_INPUT, "its JSON has more than %u values: export it simpler",
                           GLTF_JSON_VALUES_MAX);
    return 0;
}

int gltf_parse(const char *text, size_t size, cJSON **root, struct failure *failure)
{
    const char *end = text;
    size_t first = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (first < size && is_blank((unsigned char)text[first]))
        ++first;
    if (first == size)
        return failure_set(failure, FAILURE_INPUT, "it contains no JSON text");
    if (text[first] != '{')
        return failure_set(failure, FAILURE_INPUT, "it is not JSON text: it does not begin with {");
    TRY(count_values(text, size, failure));
    errno = 0;
    cJSON *parsed = cJSON_ParseWithLengthOpts(text, size, &end, 0);
    if (parsed == NULL && errno == ENOMEM)
        return failure_memory(failure, 0, "its JSON text");
    if (parsed == NULL) {
        size_t line = 1;
        const char *stop = end >= text && end <= text + size ? end : text + size;
        for (const char *at = text; at < stop; ++at)
            line += *at == '\n' ? 1 : 0;
        return failure_at(failure_set(failure, FAILURE_INPUT,
                                      "its JSON text is broken, nested too deep or cut off at byte %zu",
                                      (size_t)(stop - text) + 1),
                          failure, NULL, line);
    }
    while (end < text + size && is_blank((unsigned char)*end))
        ++end;
    if (end < text + size) {
        cJSON_Delete(parsed);
        return failure_set(failure, FAILURE_INPUT, "something follows the end of its JSON text");
    }
    *root = parsed;
    return 0;
}
