/* The confined reader's answer: what it sends arrives, and nothing that it could send does harm. */
#include <float.h>
#include <unistd.h>

#include "geometry/import/model_message.h"
#include "tests/support/outcome.h"

struct message {
    unsigned char *bytes;
    size_t size;
};

static struct model_file sample(void)
{
    static const double corner[4][3] = {{0, 0, 0}, {4, 0, 0}, {4, 3, 1e-30}, {-0.0, 3, FLT_MAX}};
    static const uint32_t triangle[3][3] = {{0, 1, 2}, {0, 2, 3}, {3, 3, 3}};
    struct model_file model = {
        .polygons = 5, .instances = 6, .lines_and_points = 7, .unit = 0.0254, .up = UP_Y};
    import_notes_add(&model.notes, IMPORT_DOUBTFUL, "mend it", "%d things", 3);
    uint16_t oak = 0, stone = 0;
    cr_assert(eq(int, mesh_add_material(&model.mesh, "oak", &oak, NULL), 0));
    cr_assert(eq(int, mesh_add_material(&model.mesh, "bare stone", &stone, NULL), 0));
    for (int v = 0; v < 4; ++v)
        cr_assert(eq(int, mesh_add_vertex(&model.mesh, corner[v], NULL, NULL), 0));
    for (int t = 0; t < 3; ++t)
        cr_assert(eq(int, mesh_add_triangle(&model.mesh, triangle[t], t == 1 ? stone : oak, NULL), 0));
    cr_assert(eq(int, mesh_add_marker(&model.mesh, MARKER_SOURCE, "pulpit", corner[1], NULL), 0));
    cr_assert(eq(int, mesh_add_marker(&model.mesh, MARKER_RECEIVER, "pew", corner[2], NULL), 0));
    return model;
}

/* As sent through a pipe, which takes 64 KiB before anybody reads. */
static struct message send(int status, const struct model_file *model, const struct failure *why)
{
    int ends[2];
    struct message message = {.bytes = malloc(65536)};
    cr_assert(message.bytes != NULL);
    cr_assert(eq(int, pipe(ends), 0));
    cr_assert(eq(int, model_message_send(ends[1], status, model, why), 0));
    (void)close(ends[1]);
    for (ssize_t got = 1; got > 0; message.size += got > 0 ? (size_t)got : 0)
        got = read(ends[0], message.bytes + message.size, 65536 - message.size);
    (void)close(ends[0]);
    message.bytes = realloc(message.bytes, message.size); /* a byte too far shows in a sanitizer */
    return message;
}

static struct message sample_message(void)
{
    struct model_file model = sample();
    struct message message = send(0, &model, NULL);
    mesh_free(&model.mesh);
    return message;
}

static void assert_refused(const struct message *message, const char *because)
{
    struct model_file model = {0};
    MUST_FAIL(model_message_decode(message->bytes, message->size, &model, &failure), FAILURE_INPUT, because);
    cr_assert(model.mesh.vertex == NULL && model.mesh.triangle == NULL);
    cr_assert(strncmp(failure.sentence, "the answer", 10) == 0, "%s", failure.sentence);
}

Test(model_message, a_model_arrives_as_it_was_sent)
{
    struct model_file model = sample(), again = {0};
    struct message message = send(0, &model, NULL);
    cr_assert(eq(int, model_message_decode(message.bytes, message.size, &again, NULL), 0));
    cr_assert(again.polygons == 5 && again.instances == 6 && again.lines_and_points == 7);
    cr_assert(again.unit == 0.0254 && again.up == UP_Y);
    cr_assert(again.notes.count == 1 && again.notes.note[0].weight == IMPORT_DOUBTFUL);
    cr_assert(eq(str, again.notes.note[0].what, "3 things"));
    cr_assert(eq(str, again.notes.note[0].fix, "mend it"));
    cr_assert(eq(sz, again.mesh.vertex_count, 4));
    cr_assert(memcmp(again.mesh.vertex, model.mesh.vertex, 4 * sizeof model.mesh.vertex[0]) == 0);
    cr_assert(eq(sz, again.mesh.triangle_count, 3));
    cr_assert(memcmp(again.mesh.triangle, model.mesh.triangle, 3 * sizeof model.mesh.triangle[0]) == 0);
    cr_assert(memcmp(again.mesh.triangle_material, model.mesh.triangle_material, 6) == 0);
    cr_assert(eq(sz, again.mesh.material_count, 2));
    cr_assert(eq(str, again.mesh.material[1], "bare stone"));
    cr_assert(eq(sz, again.mesh.marker_count, 2));
    cr_assert(again.mesh.marker[0].kind == MARKER_SOURCE && again.mesh.marker[1].kind == MARKER_RECEIVER);
    cr_assert(eq(str, again.mesh.marker[1].name, "pew"));
    cr_assert(again.mesh.marker[0].position[0] == 4);
    /* Its arrays grow as any mesh's. */
    for (int k = 0; k < 100; ++k) {
        const double position[3] = {k, 0, 0};
        const uint32_t corner[3] = {0, 1, (uint32_t)k};
        cr_assert(eq(int, mesh_add_vertex(&again.mesh, position, NULL, NULL), 0));
        cr_assert(eq(int, mesh_add_triangle(&again.mesh, corner, 0, NULL), 0));
        cr_assert(eq(int, mesh_add_marker(&again.mesh, MARKER_SOURCE, "more", position, NULL), 0));
    }
    mesh_free(&again.mesh);
    mesh_free(&model.mesh);
    free(message.bytes);
}

Test(model_message, an_empty_model_arrives)
{
    struct model_file model = {.lines_and_points = 3}, again = {0};
    struct message message = send(0, &model, NULL);
    cr_assert(eq(int, model_message_decode(message.bytes, message.size, &again, NULL), 0));
    cr_assert(again.mesh.triangle_count == 0 && again.lines_and_points == 3);
    free(message.bytes);
}

Test(model_message, a_failure_arrives_with_its_code_and_plain)
{
    const struct failure sent = {.code = FAILURE_CAPACITY,
                                 .sentence = "too\nbig \x1b[31m for \xC3\xA9glise",
                                 .fix = "mend\tit",
                                 .file = "hall\n.obj",
                                 .line = 7};
    struct failure got = {0};
    struct model_file model = {0};
    struct message message = send(FAILURE_CAPACITY, NULL, &sent);
    cr_assert(eq(int, model_message_decode(message.bytes, message.size, &model, &got), FAILURE_CAPACITY));
    cr_assert(eq(str, got.sentence, "too?big ?[31m for \xC3\xA9glise"));
    cr_assert(eq(str, got.file, "hall?.obj"));
    cr_assert(eq(str, got.fix, "mend?it"));
    cr_assert(eq(sz, got.line, 7));
    /* Texts without an end are cut. */
    memset(message.bytes + sizeof(struct model_message_header) + offsetof(struct failure, file), 'x',
           sizeof(struct failure) - offsetof(struct failure, file));
    cr_assert(eq(int, model_message_decode(message.bytes, message.size, &model, &got), FAILURE_CAPACITY));
    cr_assert(strlen(got.sentence) == sizeof got.sentence - 1 && strlen(got.file) == sizeof got.file - 1);
    free(message.bytes);
}

Test(model_message, every_cut_and_every_addition_is_refused)
{
    struct message message = sample_message();
    for (size_t size = 0; size < message.size; ++size) {
        struct message cut = {malloc(size > 0 ? size : 1), size};
        memcpy(cut.bytes, message.bytes, size);
        assert_refused(&cut, "");
        free(cut.bytes);
    }
    message.bytes = realloc(message.bytes, message.size + 1);
    message.bytes[message.size++] = 0;
    assert_refused(&message, "wrong size");
    free(message.bytes);
}

Test(model_message, every_count_that_lies_is_refused)
{
    static const struct {
        size_t offset;
        uint64_t value;
        const char *because;
    } rows[] = {
        {offsetof(struct model_message_header, magic), 0, "begin"},
        {offsetof(struct model_message_header, status), 1, "unknown status"},
        {offsetof(struct model_message_header, status), 130, "unknown status"},
        {offsetof(struct model_message_header, status), FAILURE_INPUT, "wrong size"},
        {offsetof(struct model_message_header, name_bytes), 0, "wrong size"},
        {offsetof(struct model_message_header, name_bytes), UINT64_MAX, "names"},
        {offsetof(struct model_message_header, vertices), 3, "wrong size"},
        {offsetof(struct model_message_header, vertices), UINT64_C(1) << 61, "more than"},
        {offsetof(struct model_message_header, triangles), UINT64_C(1) << 63, "more than"},
        {offsetof(struct model_message_header, triangles), UINT64_C(1) << 31, "wrong size"},
        {offsetof(struct model_message_header, materials), 65001, "more than"},
        {offsetof(struct model_message_header, materials), 65000, "without an end"},
        {offsetof(struct model_message_header, materials), 1, "last name"}, /* a name too many */
        {offsetof(struct model_message_header, markers), UINT64_MAX, "more than"},
        {offsetof(struct model_message_header, polygons), UINT64_MAX, "more than"},
        {offsetof(struct model_message_header, up), 3, "an unknown axis or unit"},
        {offsetof(struct model_message_header, unit), UINT64_MAX, "an unknown axis or unit"}, /* NaN */
        {offsetof(struct model_message_header, notes), 9, "more notes than there may be"},
    };
    struct message message = sample_message();
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        uint64_t before;
        memcpy(&before, message.bytes + rows[k].offset, sizeof before);
        memcpy(message.bytes + rows[k].offset, &rows[k].value, sizeof before);
        assert_refused(&message, rows[k].because);
        memcpy(message.bytes + rows[k].offset, &before, sizeof before);
    }
    free(message.bytes);
}

Test(model_message, every_value_that_lies_is_refused)
{
    /* where the parts of the sample begin (model_message.h) */
    enum { AT_KIND = sizeof(struct model_message_header) + 4 * 24 + 2 * 24 + 3 * 14, AT_NAME = AT_KIND + 2 };
    struct message message = sample_message();
    const struct {
        size_t at;
        unsigned char value;
        const char *because;
    } rows[] = {
        {AT_KIND + 1, 2, "unknown kind"},
        {message.size - 1, 'x', "a name without an end"},
        {AT_NAME, 0, "bytes behind its last name"}, /* two names instead of one: the last is not reached */
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        const unsigned char before = message.bytes[rows[k].at];
        message.bytes[rows[k].at] = rows[k].value;
        assert_refused(&message, rows[k].because);
        message.bytes[rows[k].at] = before;
    }
    free(message.bytes);
}

/* Fixed seed: a derailed reader may send anything. */
Test(model_message, damaged_answers_do_no_harm)
{
    uint64_t seed = 7;
    struct message good = sample_message(), message = {malloc(good.size), good.size};
    for (int round = 0; round < 100000; ++round) {
        struct model_file model = {0};
        memcpy(message.bytes, good.bytes, good.size);
        for (int k = 0; k < 1 + round % 3; ++k) {
            const uint64_t random = test_random(&seed);
            message.bytes[random % good.size] = (unsigned char)(random >> 40);
        }
        if (model_message_decode(message.bytes, message.size, &model, NULL) == 0) {
            for (size_t m = 0; m < model.mesh.material_count; ++m)
                cr_assert(strlen(model.mesh.material[m]) < good.size);
            mesh_free(&model.mesh);
        }
    }
    free(message.bytes);
    free(good.bytes);
}
