/* glTF and GLB: the check before Assimp takes any bytes, and its plain text passes it again.
 *
 *   tools/fuzz 600 gltf       # build with clang and run for ten minutes */
#include "geometry/import/gltf_check.h"
#include "tests/fuzz/fuzz_claims.h"

static void claim_buffers(const struct gltf_plain *plain)
{
    CLAIM(plain->buffer_count <= GLTF_BUFFERS_MAX);
    for (size_t b = 0; b < plain->buffer_count; b++) {
        const struct gltf_buffer *buffer = &plain->buffer[b];
        CLAIM(buffer->size <= GLTF_BUFFER_BYTES_MAX);
        if (buffer->size == 0) { /* no mesh uses it */
            CLAIM(buffer->path == NULL && buffer->bytes == NULL);
            continue;
        }
        CLAIM((buffer->path == NULL) == (buffer->bytes != NULL));
        if (buffer->path != NULL) {
            CLAIM(buffer->path[0] != '/' && buffer->path[0] != '\0');
            CLAIM(strcmp(buffer->path, "..") != 0 && strncmp(buffer->path, "../", 3) != 0 &&
                  strstr(buffer->path, "/../") == NULL);
            continue;
        }
        /* All of it can be read: AddressSanitizer sees where it cannot. */
        unsigned sum = 0;
        for (size_t i = 0; i < buffer->size; i++)
            sum += buffer->bytes[i];
        CLAIM(sum <= 255u * buffer->size);
    }
}

/* Every number that may be read as an index lies in its buffer. */
static void claim_indices(const struct gltf_plain *plain)
{
    for (size_t i = 0; i < plain->indices_count; i++) {
        const struct gltf_indices *indices = &plain->indices[i];
        CLAIM(indices->buffer < plain->buffer_count);
        CLAIM(indices->bytes == 1 || indices->bytes == 2 || indices->bytes == 4);
        const uint64_t size = plain->buffer[indices->buffer].size;
        if (indices->count > 0) {
            CLAIM(indices->bytes <= size && indices->offset <= size - indices->bytes && indices->stride > 0);
            CLAIM(indices->count - 1 <= (size - indices->bytes - indices->offset) / indices->stride);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct gltf_plain first, untouched;
    memset(&first, 0x5A, sizeof first);
    untouched = first;
    const int code = gltf_check(data, size, size >= 4 && memcmp(data, "glTF", 4) == 0, &first, &failure);
    claim_outcome(code, &failure);
    if (code != 0) {
        CLAIM(memcmp(&first, &untouched, sizeof first) == 0);
        return 0;
    }
    CLAIM(first.text != NULL && first.text[first.size] == '\0');
    CLAIM(first.vertices <= GLTF_ELEMENTS_MAX && first.triangles <= GLTF_ELEMENTS_MAX);
    claim_buffers(&first);
    claim_indices(&first);
    struct gltf_plain second = {0};
    CLAIM(gltf_check(first.text, first.size, false, &second, &failure) == 0);
    CLAIM(second.vertices == first.vertices && second.triangles == first.triangles);
    CLAIM(second.buffer_count == first.buffer_count);
    gltf_plain_free(&second);
    gltf_plain_free(&first);
    return 0;
}
