#include "geometry/import/model_message.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/base/confined.h"

/* ---- sending ---- */

static uint64_t name_bytes(const struct mesh *mesh)
{
    uint64_t bytes = 0;
    for (size_t m = 0; m < mesh->material_count; ++m)
        bytes += strlen(mesh->material[m]) + 1;
    for (size_t m = 0; m < mesh->marker_count; ++m)
        bytes += strlen(mesh->marker[m].name) + 1;
    return bytes;
}

static int send_mesh(int descriptor, const struct mesh *mesh)
{
    TRY(confined_write(descriptor, mesh->vertex, mesh->vertex_count * sizeof mesh->vertex[0]));
    for (size_t m = 0; m < mesh->marker_count; ++m)
        TRY(confined_write(descriptor, mesh->marker[m].position, sizeof mesh->marker[m].position));
    TRY(confined_write(descriptor, mesh->triangle, mesh->triangle_count * sizeof mesh->triangle[0]));
    TRY(confined_write(descriptor, mesh->triangle_material,
                       mesh->triangle_count * sizeof mesh->triangle_material[0]));
    for (size_t m = 0; m < mesh->marker_count; ++m) {
        const unsigned char kind = (unsigned char)mesh->marker[m].kind;
        TRY(confined_write(descriptor, &kind, 1));
    }
    for (size_t m = 0; m < mesh->material_count; ++m)
        TRY(confined_write(descriptor, mesh->material[m], strlen(mesh->material[m]) + 1));
    for (size_t m = 0; m < mesh->marker_count; ++m)
        TRY(confined_write(descriptor, mesh->marker[m].name, strlen(mesh->marker[m].name) + 1));
    return 0;
}

int model_message_send(int descriptor, int status, const struct model_file *model,
                       const struct failure *failure)
{
    struct model_message_header header = {.magic = MODEL_MESSAGE_MAGIC, .status = (uint64_t)status};
    if (status == 0) {
        header.name_bytes = name_bytes(&model->mesh);
        header.vertices = model->mesh.vertex_count;
        header.triangles = model->mesh.triangle_count;
        header.materials = model->mesh.material_count;
        header.markers = model->mesh.marker_count;
        header.polygons = model->polygons;
        header.instances = model->instances;
        header.lines_and_points = model->lines_and_points;
        header.up = (uint64_t)model->up;
        header.unit = model->unit;
        header.notes = model->notes;
    }
    TRY(confined_write(descriptor, &header, sizeof header));
    return status == 0 ? send_mesh(descriptor, &model->mesh)
                       : confined_write(descriptor, failure, sizeof *failure);
}

/* ---- receiving ---- */

struct decoding {
    const unsigned char *at, *end; /* from `at` on not read yet */
    struct model_message_header header;
    struct mesh mesh;
    struct failure *failure;
};

static int refuse_answer(const struct decoding *decoding, const char *why)
{
    return failure_set(decoding->failure, FAILURE_INPUT,
                       "the answer of the reader %s: the model is most likely broken; export it again", why);
}

/* Counts are small enough that no sum below wraps. */
static int check_header(const struct decoding *decoding, size_t size)
{
    const struct model_message_header *header = &decoding->header;
    if (header->magic != MODEL_MESSAGE_MAGIC)
        return refuse_answer(decoding, "does not begin as it should");
    if (header->status != 0 && header->status != FAILURE_INPUT && header->status != FAILURE_CAPACITY)
        return refuse_answer(decoding, "has an unknown status");
    if (header->vertices > MODEL_MESSAGE_ELEMENTS_MAX || header->triangles > MODEL_MESSAGE_ELEMENTS_MAX ||
        header->materials > MESH_MATERIALS_MAX || header->markers > MODEL_MESSAGE_MARKERS_MAX ||
        header->polygons > SIZE_MAX / 2 || header->instances > SIZE_MAX / 2 ||
        header->lines_and_points > SIZE_MAX / 2)
        return refuse_answer(decoding, "counts more than a model may hold");
    if (header->name_bytes > (header->materials + header->markers) * (MODEL_MESSAGE_NAME_MAX + 1u))
        return refuse_answer(decoding, "has names of an impossible length");
    if (header->up > UP_Z || !(header->unit >= 0 && header->unit <= MESH_COORDINATE_MAX))
        return refuse_answer(decoding, "has an unknown axis or unit");
    const uint64_t follows = header->status != 0 ? sizeof(struct failure)
                                                 : header->vertices * 24 + header->markers * 25 +
                                                       header->triangles * 14 + header->name_bytes;
    return sizeof *header + follows == size ? 0 : refuse_answer(decoding, "has the wrong size");
}

/* The child's own failure. Its texts may come from the file. */
static int decode_failure(const struct decoding *decoding)
{
    struct failure sent;
    memcpy(&sent, decoding->at, sizeof sent);
    sent.sentence[sizeof sent.sentence - 1] = sent.file[sizeof sent.file - 1] = '\0';
    sent.fix[sizeof sent.fix - 1] = '\0';
    const int code =
        failure_set(decoding->failure, (enum failure_code)decoding->header.status, "%s", sent.sentence);
    if (sent.fix[0] != '\0')
        (void)failure_fix(code, decoding->failure, "%s", sent.fix);
    return failure_at(code, decoding->failure, sent.file, sent.line);
}

static int decode_notes(const struct decoding *decoding, struct import_notes *notes)
{
    *notes = decoding->header.notes;
    if (notes->count > IMPORT_NOTES_MAX)
        return refuse_answer(decoding, "has more notes than there may be");
    for (size_t n = 0; n < notes->count; ++n) {
        struct import_note *note = &notes->note[n];
        if (note->weight > IMPORT_INCOMPLETE)
            return refuse_answer(decoding, "has a note of an unknown weight");
        note->what[sizeof note->what - 1] = note->fix[sizeof note->fix - 1] = '\0';
        blot_control_characters(note->what);
        blot_control_characters(note->fix);
    }
    return 0;
}

/* Copy the next `count` elements into a new array, which mesh_add_*() may grow. */
static int decode_array(struct decoding *decoding, void *array, uint64_t count, size_t size)
{
    if (count == 0)
        return 0;
    const size_t bytes = mesh_capacity((size_t)count) * size;
    void *made = malloc(bytes);
    if (made == NULL)
        return failure_memory(decoding->failure, bytes, "the model");
    memcpy(made, decoding->at, (size_t)count * size);
    decoding->at += (size_t)count * size;
    memcpy(array, &made, sizeof made);
    return 0;
}

static int decode_name(struct decoding *decoding, char **name)
{
    const size_t left = (size_t)(decoding->end - decoding->at);
    const unsigned char *zero = left == 0 ? NULL : memchr(decoding->at, 0, left);
    if (zero == NULL)
        return refuse_answer(decoding, "has a name without an end");
    if (zero - decoding->at > (ptrdiff_t)MODEL_MESSAGE_NAME_MAX)
        return refuse_answer(decoding, "has a name of an impossible length");
    const size_t bytes = (size_t)(zero - decoding->at) + 1;
    *name = malloc(bytes);
    if (*name == NULL)
        return failure_memory(decoding->failure, bytes, "a name of the model");
    memcpy(*name, decoding->at, bytes);
    decoding->at += bytes;
    return 0;
}

/* The positions of markers come before the triangles, their kinds behind these, their names last. */
static int make_markers(struct decoding *decoding)
{
    const size_t count = (size_t)decoding->header.markers;
    struct mesh *mesh = &decoding->mesh;
    if (count == 0)
        return 0;
    mesh->marker = calloc(mesh_capacity(count), sizeof mesh->marker[0]);
    if (mesh->marker == NULL)
        return failure_memory(decoding->failure, mesh_capacity(count) * sizeof mesh->marker[0],
                              "the model's positions");
    mesh->marker_count = count;
    for (size_t m = 0; m < count; ++m) {
        memcpy(mesh->marker[m].position, decoding->at, sizeof mesh->marker[m].position);
        decoding->at += sizeof mesh->marker[m].position;
    }
    return 0;
}

static int decode_kinds(struct decoding *decoding)
{
    for (size_t m = 0; m < decoding->mesh.marker_count; ++m) {
        const unsigned char kind = *decoding->at++;
        if (kind != MARKER_SOURCE && kind != MARKER_RECEIVER)
            return refuse_answer(decoding, "has a position of an unknown kind");
        decoding->mesh.marker[m].kind = (enum marker_kind)kind;
    }
    return 0;
}

static int decode_names(struct decoding *decoding)
{
    const size_t count = (size_t)decoding->header.materials;
    struct mesh *mesh = &decoding->mesh;
    if (count > 0) {
        mesh->material = calloc(mesh_capacity(count), sizeof mesh->material[0]);
        if (mesh->material == NULL)
            return failure_memory(decoding->failure, mesh_capacity(count) * sizeof mesh->material[0],
                                  "the model's materials");
        mesh->material_count = count;
    }
    for (size_t m = 0; m < count; ++m)
        TRY(decode_name(decoding, &mesh->material[m]));
    for (size_t m = 0; m < mesh->marker_count; ++m)
        TRY(decode_name(decoding, &mesh->marker[m].name));
    return decoding->at == decoding->end ? 0 : refuse_answer(decoding, "has bytes behind its last name");
}

static int decode_mesh(struct decoding *decoding)
{
    const struct model_message_header *header = &decoding->header;
    struct mesh *mesh = &decoding->mesh;
    TRY(decode_array(decoding, &mesh->vertex, header->vertices, sizeof mesh->vertex[0]));
    mesh->vertex_count = (size_t)header->vertices;
    TRY(make_markers(decoding));
    TRY(decode_array(decoding, &mesh->triangle, header->triangles, sizeof mesh->triangle[0]));
    TRY(decode_array(decoding, &mesh->triangle_material, header->triangles,
                     sizeof mesh->triangle_material[0]));
    mesh->triangle_count = (size_t)header->triangles;
    TRY(decode_kinds(decoding));
    return decode_names(decoding);
}

int model_message_decode(const void *bytes, size_t size, struct model_file *out, struct failure *failure)
{
    int status;
    struct decoding decoding = {.failure = failure};
    if (size < sizeof decoding.header)
        return refuse_answer(&decoding, size == 0 ? "is empty" : "is cut short");
    memcpy(&decoding.header, bytes, sizeof decoding.header);
    decoding.at = (const unsigned char *)bytes + sizeof decoding.header;
    decoding.end = (const unsigned char *)bytes + size;
    if ((status = check_header(&decoding, size)) != 0)
        return status;
    if (decoding.header.status != 0)
        return decode_failure(&decoding);
    struct import_notes notes;
    if ((status = decode_notes(&decoding, &notes)) != 0 || (status = decode_mesh(&decoding)) != 0) {
        mesh_free(&decoding.mesh);
        return status;
    }
    *out = (struct model_file){.mesh = decoding.mesh,
                               .polygons = (size_t)decoding.header.polygons,
                               .instances = (size_t)decoding.header.instances,
                               .lines_and_points = (size_t)decoding.header.lines_and_points,
                               .unit = decoding.header.unit,
                               .up = (enum up_axis)decoding.header.up,
                               .notes = notes};
    return 0;
}
