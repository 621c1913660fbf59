#include "geometry/import/model_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/open_beneath.h"
#include "geometry/base/regular_file.h"
#include "geometry/base/utf16_text.h"
#include "geometry/import/exchange_file.h"
#include "geometry/import/gltf_check.h"
#include "geometry/import/stl_file.h"

void model_input_free(struct model_input *input)
{
    for (size_t f = 0; f < input->file_count; ++f)
        free(input->file[f].owned);
    free(input->file);
    free(input->raw.owned);
    *input = (struct model_input){0};
}

/* ---- reading ---- */

/* Read the first `wanted` bytes of a file, or all if that is 0, and close `descriptor`. */
static int read_descriptor(int descriptor, const char *name, size_t wanted, uint64_t memory_bytes,
                           struct model_bytes *out, struct failure *failure)
{
    int status = 0;
    uint64_t bytes = 0;
    char *data = NULL;
    size_t size = 0;
    if ((status = regular_file_check(descriptor, name, &bytes, failure)) != 0)
        goto done;
    const size_t expected = wanted > 0 ? wanted : (size_t)bytes;
    if (wanted == 0 && bytes > (uint64_t)MODEL_INPUT_BYTES_MAX) {
        status = failure_set(failure, FAILURE_INPUT, "%s has %llu bytes; the limit is 4 GiB", name,
                             (unsigned long long)bytes);
        goto done;
    }
    if (wanted > 0 && bytes < wanted) {
        status = failure_set(failure, FAILURE_INPUT, "%s has %llu bytes, but the model needs %zu", name,
                             (unsigned long long)bytes, wanted);
        goto done;
    }
    if (expected > memory_bytes || (data = malloc(expected + 1)) == NULL) {
        status = failure_set(failure, FAILURE_CAPACITY,
                             "%s has %zu bytes, and the machine lacks memory for them: make it smaller", name,
                             expected);
        goto done;
    }
    if ((status = regular_file_fill(descriptor, name, data, expected, &size, failure)) != 0)
        goto done;
    if (size < wanted) {
        status = failure_set(failure, FAILURE_INPUT, "%s became shorter while it was read", name);
        goto done;
    }
    data[size] = '\0';
    out->data = out->owned = data;
    out->size = size;
    data = NULL;
done:
    free(data);
    (void)close(descriptor);
    return status;
}

#define HEAD_BYTES 4096

/* True if a file of this format can begin with these bytes. Gigabytes of something else are then refused
 * unread. */
static bool head_fits(const char *format, const char *head, size_t size)
{
    if (strcmp(format, "GLB") == 0)
        return size >= 4 && memcmp(head, "glTF", 4) == 0;
    if (strcmp(format, "PLY") == 0)
        return size >= 3 && memcmp(head, "ply", 3) == 0;
    if (strcmp(format, "STL") == 0) /* a binary one begins with any bytes */
        return true;
    if (strcmp(format, "3DS") == 0)
        return size >= 6 && memcmp(head, "MM", 2) == 0;
    if (strcmp(format, "FBX") == 0 && size >= 18 && memcmp(head, "Kaydara FBX Binary", 18) == 0)
        return true;
    return memchr(head, 0, size) == NULL;
}

static int read_model(const char *path, const char *format, uint64_t memory_bytes, struct model_bytes *out,
                      struct failure *failure)
{
    char head[HEAD_BYTES];
    int descriptor;
    uint64_t bytes;
    TRY(regular_file_open(path, &descriptor, &bytes, failure));
    /* To refuse something else its first bytes are enough. */
    const bool fits = bytes <= (uint64_t)MODEL_INPUT_BYTES_MAX;
    const ssize_t got = fits ? pread(descriptor, head, sizeof head, 0) : 0;
    const size_t wanted = got > 0 && !head_fits(format, head, (size_t)got) ? (size_t)got : 0;
    TRY(read_descriptor(descriptor, path, wanted, memory_bytes, out, failure));
    return out->size > 0 ? 0 : failure_set(failure, FAILURE_INPUT, "%s is empty", path);
}

static int open_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = slash == NULL ? strdup(".") : strndup(path, length);
    if (folder == NULL)
        return -1;
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = errno;
    free(folder);
    errno = error;
    return descriptor;
}

/* ---- checks of each format ---- */

static int read_buffer(int folder, const struct gltf_buffer *buffer, uint64_t memory_bytes,
                       struct model_bytes *out, struct failure *failure)
{
    const int descriptor = open_beneath(folder, buffer->path);
    if (descriptor < 0)
        return failure_set(failure, FAILURE_INPUT, "%s could not be opened: %s", buffer->path,
                           errno == ELOOP || errno == EXDEV
                               ? "its path has a symbolic link, which is not followed"
                               : strerror(errno));
    return read_descriptor(descriptor, buffer->path, buffer->size, memory_bytes, out, failure);
}

/* Read the buffers that meshes use, each under its name in the new text. */
static int read_buffers(const char *path, struct gltf_plain *plain, uint64_t memory_bytes,
                        struct model_input *input, struct failure *failure)
{
    int status = 0;
    uint64_t total = 0;
    const int folder = open_folder_of(path);
    if (folder < 0)
        return failure_set(failure, FAILURE_INPUT, "the folder of the model could not be opened: %s",
                           strerror(errno));
    for (size_t b = 0; status == 0 && b < plain->buffer_count; ++b) {
        struct failure inner = {0};
        struct gltf_buffer *buffer = &plain->buffer[b];
        struct model_bytes *file = &input->file[input->file_count];
        total += buffer->size;
        if (buffer->size == 0)
            continue;
        if (total > (uint64_t)MODEL_INPUT_BYTES_MAX) {
            status = failure_set(failure, FAILURE_INPUT, "its buffers have more than 4 GiB in all");
            break;
        }
        gltf_buffer_name(b, file->name);
        ++input->file_count;
        if (buffer->path != NULL) {
            if (read_buffer(folder, buffer, memory_bytes < total ? 0 : memory_bytes, file, &inner) != 0)
                status = failure_wrap(failure, &inner, "buffers[%zu]: ", b);
            buffer->bytes = (const unsigned char *)file->data;
        } else {
            file->data = (const char *)buffer->bytes;
            file->owned = (char *)buffer->decoded;
            file->size = buffer->size;
            buffer->decoded = NULL;
        }
    }
    (void)close(folder);
    return status == 0 ? gltf_check_indices(plain, failure) : status;
}

/* A few nodes and children can repeat a mesh any number of times, so the result is limited by the file's
 * size. A hall of a thousand chairs is far below the limit. */
#define ELEMENTS_FREE     UINT64_C(4000000)
#define ELEMENTS_PER_BYTE 50

static int refuse_repetition(const struct model_input *input, struct failure *failure)
{
    uint64_t bytes = 0;
    for (size_t f = 0; f < input->file_count; ++f)
        bytes += input->file[f].size;
    if (input->elements <= ELEMENTS_FREE + ELEMENTS_PER_BYTE * bytes)
        return 0;
    return failure_set(
        failure, FAILURE_INPUT,
        "its nodes repeat meshes: they have %llu vertices and triangles, and the limit is %llu for "
        "its %llu bytes; leave repetitions out, or export it in parts",
        (unsigned long long)input->elements, (unsigned long long)(ELEMENTS_FREE + ELEMENTS_PER_BYTE * bytes),
        (unsigned long long)bytes);
}

static int prepare_gltf(const char *path, bool binary, uint64_t memory_bytes, struct model_input *input,
                        struct failure *failure)
{
    int status;
    struct gltf_plain plain = {0};
    TRY(gltf_check(input->file[0].data, input->file[0].size, binary, &plain, failure));
    struct model_bytes *file = realloc(input->file, (plain.buffer_count + 1) * sizeof *file);
    if (file == NULL) {
        status = failure_memory(failure, (plain.buffer_count + 1) * sizeof *file, "the buffers of a model");
        goto done;
    }
    input->file = file;
    memset(file + 1, 0, plain.buffer_count * sizeof *file);
    input->raw = file[0];
    file[0] = (struct model_bytes){.name = "model.gltf", .size = plain.size};
    input->elements = plain.vertices + plain.triangles;
    input->objects = plain.objects;
    input->notes = plain.notes;
    if ((status = read_buffers(path, &plain, memory_bytes, input, failure)) == 0 &&
        (status = refuse_repetition(input, failure)) == 0)
        status = gltf_place_instances(&plain, failure);
    /* From here on the first file owns the text. */
    input->file[0].data = input->file[0].owned = plain.text;
    input->file[0].size = plain.size;
    plain.text = NULL;
done:
    gltf_plain_free(&plain);
    return status;
}

static int prepare_model(const char *path, const char *format, uint64_t memory_bytes,
                         struct model_input *input, struct failure *failure)
{
    struct model_bytes *model = &input->file[0];
    if (strcmp(format, "STL") == 0)
        return stl_prepare(model->owned, &model->size, &input->notes, failure);
    if (strcmp(format, "3DS") != 0)
        TRY(utf16_refuse(model->data, model->size, failure));
    if (strcmp(format, "OBJ") == 0 || strcmp(format, "PLY") == 0 || strcmp(format, "DXF") == 0)
        return 0; /* their readers check them */
    if (strcmp(format, "DAE") == 0 || strcmp(format, "FBX") == 0 || strcmp(format, "3DS") == 0) {
        if (!head_fits(format, model->data, model->size < HEAD_BYTES ? model->size : HEAD_BYTES))
            return failure_set(failure, FAILURE_INPUT, "its first bytes are not those of a %s file", format);
        exchange_prepare(format, model->owned, model->size, &input->notes);
        return 0;
    }
    if (strcmp(format, "IFC") == 0)
        return exchange_prepare_ifc(model->owned, model->size, &input->unit, failure);
    return prepare_gltf(path, strcmp(format, "GLB") == 0, memory_bytes, input, failure);
}

int model_input_read(const char *path, const char *format, uint64_t memory_bytes, struct model_input *out,
                     struct failure *failure)
{
    int status;
    struct model_input input = {.file = calloc(1, sizeof input.file[0])};
    if (input.file == NULL)
        return failure_memory(failure, sizeof input.file[0], "a model");
    input.file_count = 1;
    /* Assimp chooses its reader by the ending, in any case. */
    (void)snprintf(input.file[0].name, sizeof input.file[0].name, "model.%s", format);
    if ((status = read_model(path, format, memory_bytes, &input.file[0], failure)) != 0)
        goto done;
    if ((status = prepare_model(path, format, memory_bytes, &input, failure)) != 0)
        (void)failure_at(status, failure, path, 0);
done:
    if (status == 0)
        *out = input;
    else
        model_input_free(&input);
    return status;
}
