#include "geometry/import/model_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "geometry/import/assimp_read.h"
#include "geometry/base/confined.h"
#include "geometry/import/dxf_file.h"
#include "geometry/import/model_input.h"
#include "geometry/import/model_message.h"
#include "geometry/import/obj_file.h"
#include "geometry/import/ply_file.h"

#define MEBIBYTE 1048576.0
#define GIBIBYTE (UINT64_C(1) << 30)
/* Bytes of the returned arrays for each vertex or triangle: 24 or 14, and space to grow. */
#define RESULT_BYTES 48u

struct reading {
    const struct model_input *input;
    const char *format, *who;
    const struct confined_limits *limits;
};

typedef int (*own_reader)(const char *text, size_t size, struct model_file *out, struct failure *failure);

/* NULL: Assimp reads the format. */
static own_reader find_own_reader(const char *format)
{
    return strcmp(format, "OBJ") == 0   ? obj_read
           : strcmp(format, "PLY") == 0 ? ply_read
           : strcmp(format, "DXF") == 0 ? dxf_read
                                        : NULL;
}

/* Runs in the child. */
static void read_confined(void *context, int answer)
{
    const struct reading *reading = context;
    struct model_file model = {.notes = reading->input->notes};
    struct failure failure = {0};
    const struct model_bytes *file = &reading->input->file[0];
    const own_reader read = find_own_reader(reading->format);
    int status = read != NULL ? read(file->data, file->size, &model, &failure)
                              : assimp_read(reading->input, reading->format, &model, &failure);
    /* The memory limit follows from the file's size, so a coarser grid would not help. */
    if (status != 0 && failure.memory_short)
        status = confined_out_of_memory(reading->who, reading->limits, &failure);
    (void)model_message_send(answer, status, &model, &failure);
    mesh_free(&model.mesh);
}

static uint64_t machine_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 4 * GIBIBYTE;
}

/* The limits are in model_file.h. */
static struct confined_limits limits_for(const struct model_input *input, uint64_t memory_bytes)
{
    uint64_t bytes = 0;
    for (size_t f = 0; f < input->file_count; ++f)
        bytes += input->file[f].size;
    const uint64_t wanted = GIBIBYTE + 100 * bytes + 300 * input->elements + 40960 * input->objects;
    const double slow = SANITIZED ? 10 : 1;
    const double seconds = slow * (20 + 5 * ((double)bytes / MEBIBYTE) + 2e-6 * (double)input->elements);
    return (struct confined_limits){
        .memory_bytes = wanted < memory_bytes ? wanted : memory_bytes,
        .answer_bytes = wanted < memory_bytes ? wanted : memory_bytes,
        .cpu_seconds = seconds,
        .wall_seconds = 60 + 4 * seconds,
    };
}

int model_file_read(const char *path, const char *format, uint64_t memory_bytes,
                    const volatile sig_atomic_t *interrupted, struct model_file *out, struct failure *failure)
{
    int status;
    char who[64];
    struct model_input input = {0};
    struct confined_answer answer = {0};
    if (memory_bytes == 0)
        memory_bytes = machine_bytes();
    TRY(model_input_read(path, format, memory_bytes, &input, failure));
    if (input.elements > memory_bytes / RESULT_BYTES) {
        status = failure_set(
            failure, FAILURE_CAPACITY,
            "its meshes and their instances have %llu vertices and triangles, which take %.3g GiB, and the "
            "machine has %.3g GiB: export it simpler",
            (unsigned long long)input.elements, (double)input.elements * RESULT_BYTES / (double)GIBIBYTE,
            (double)memory_bytes / (double)GIBIBYTE);
        goto done;
    }
    struct confined_limits limits = limits_for(&input, memory_bytes);
    limits.interrupted = interrupted;
    (void)snprintf(
        who, sizeof who,
        find_own_reader(format) != NULL ? "the reader of %s files" : "Assimp, which reads %s files,", format);
    struct reading reading = {.input = &input, .format = format, .who = who, .limits = &limits};
    status = confined_run(read_confined, &reading, who, &limits, &answer, failure);
    if (status == 0)
        status = model_message_decode(answer.bytes, answer.size, out, failure);
done:
    if (status != 0 && status != FAILURE_INTERRUPTED)
        (void)failure_at(status, failure, path, 0);
    confined_answer_free(&answer);
    model_input_free(&input);
    return status;
}
