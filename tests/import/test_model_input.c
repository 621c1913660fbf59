/* Model files before anything is read of them: what their headers promise, and which other files are opened.
 */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#define _DEFAULT_SOURCE
#include "tests/support/own_folder.h"

#include <errno.h>
#include <fcntl.h>

#include "geometry/base/open_beneath.h"
#include "geometry/base/confined.h"
#include "geometry/import/model_file.h"
#include "geometry/import/model_input.h"
#include "geometry/import/ply_file.h"
#include "geometry/import/stl_file.h"
#include "tests/import/gltf_quad.h"
#include "tests/support/outcome.h"

/* ---- headers: memory in, verdict out ---- */

typedef int header_check(char *bytes, size_t size, struct failure *why);

static int check_ply(char *bytes, size_t size, struct failure *why)
{
    struct model_file model = {0};
    const int status = ply_read(bytes, size, &model, why);
    mesh_free(&model.mesh);
    return status;
}

static int check_stl(char *bytes, size_t size, struct failure *why)
{
    struct import_notes notes = {0};
    return stl_prepare(bytes, &size, &notes, why);
}

static void assert_verdict(header_check *check, const void *bytes, size_t size, const char *because)
{
    char *exact = malloc(size + 1); /* a byte too far shows in a sanitizer */
    cr_assert(exact != NULL);
    memcpy(exact, bytes, size);
    exact[size] = '\0';
    cr_assert(eq(int, check(exact, size, &failure), because == NULL ? 0 : FAILURE_INPUT), "%s: %s",
              because == NULL ? "good" : because, failure.sentence);
    cr_assert(because == NULL || strstr(failure.sentence, because) != NULL, "\"%s\" does not say \"%s\"",
              failure.sentence, because);
    free(exact);
}

#define PLY(format, vertices, faces, lists)                                                                  \
    "ply\nformat " format " 1.0\ncomment made by hand\nelement vertex " vertices                             \
    "\nproperty float x\nproperty float y\nproperty float z\nelement face " faces "\nproperty " lists        \
    " vertex_indices\nend_header\n"
#define TEXT_PLY(vertices, faces) PLY("ascii", vertices, faces, "list uchar int")
#define BODY                      "0 0 0\n4 0 0\n4 3 0\n3 0 1 2"

Test(model_input, a_ply_holds_what_its_header_promises)
{
    static const struct {
        const char *text, *because;
    } rows[] = {
        {TEXT_PLY("3", "1") BODY, NULL},
        {TEXT_PLY("3", "1") BODY "\nmore", NULL},
        {"ply\r\nformat ascii 1.0\r\nelement vertex 1\r\nproperty float x\r\nproperty float y\r\n"
         "property float z\r\nend_header\r\n7 8 9\r\n",
         NULL},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n7\n", "no property y"},
        {"", "first line"},
        {"ply", "first line"},
        {"PLY\n", "first line"},
        {"ply\n", "end_header"},
        {"ply\nformat ascii 1", "end_header"},
        {"ply\nformat ascii 1.0\nelement vertex 1 end_headers\n0 0 0\n", "end_header"},
        {"ply\nend_header\n", "no format line"},
        {"ply\nformat binary 1.0\nend_header\n", "unknown format"},
        {TEXT_PLY("4", "1") BODY, "the file ends within face 1 of 1"},
        {TEXT_PLY("3", "2") BODY, "the file ends within face 2 of 2"},
        {TEXT_PLY("1000000000000", "1") BODY, "counts more than 2^31"},
        {TEXT_PLY("2147483648", "1") BODY, "which take at least 12884901888 bytes"},
        {TEXT_PLY("3", "2000000000") BODY, "\"face\""},
        {TEXT_PLY("99999999999999999999", "1") BODY, "more than 2^31"},
        {TEXT_PLY("-3", "1") BODY, "has no count"},
        {TEXT_PLY("3x", "1") BODY, "has no count"},
        {TEXT_PLY("", "1") BODY, "has no count"},
        {TEXT_PLY("3", "1") "0 0 0\n4 0 0\n4 3 0\n4 0 1 2", "ends within face 1"},
        {TEXT_PLY("3", "1") "0 0 0\n4 0 0\n4 3 0\n10001 0 1 2", "list of 10001 values; the limit is 10000"},
        {TEXT_PLY("3", "1") "0 0 0\n4 0 0\n4 3 0\n99999999999999999999 0 1 2", "the limit is 10000"},
        {PLY("ascii", "3", "1", "list float int") BODY, "unknown type"},
        {PLY("ascii", "3", "1", "list uchar") BODY, "unknown type"},
        {PLY("ascii", "3", "1", "quad") BODY, "unknown type"},
        {"ply\nformat ascii 1.0\nproperty float x\nend_header\n", "belongs to no element"},
        {"ply\nformat ascii 1.0\nelement vertex 2000000000\nend_header\n", "2000000000"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k)
        assert_verdict(check_ply, rows[k].text, strlen(rows[k].text), rows[k].because);
    /* Every cut, but for that of the last digits. */
    static const char good[] = TEXT_PLY("3", "1") BODY;
    for (size_t size = 0; size + 2 < sizeof good; ++size)
        assert_verdict(check_ply, good, size, "");
}

Test(model_input, a_binary_ply_is_walked_through_in_either_order_of_bytes)
{
    for (int big = 0; big < 2; ++big) {
        char bytes[600];
        const char *header = big ? PLY("binary_big_endian", "3", "2", "list ushort int")
                                 : PLY("binary_little_endian", "3", "2", "list ushort int");
        const size_t begin = strlen(header), list = begin + 36, size = list + 2 + 12 + 2 + 16;
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, header, begin);
        bytes[list + (big ? 1 : 0)] = 3;
        bytes[list + 14 + (big ? 1 : 0)] = 4;
        assert_verdict(check_ply, bytes, size, NULL);
        assert_verdict(check_ply, bytes, size + 5, NULL);
        for (size_t cut = 0; cut < size; ++cut)
            assert_verdict(check_ply, bytes, cut, "");
        assert_verdict(check_ply, bytes, size - 1, "the file ends within face 2 of 2");
        bytes[list + 14 + (big ? 0 : 1)] = 1; /* 260 */
        assert_verdict(check_ply, bytes, size, "the file ends within face 2 of 2");
        bytes[list + 14 + (big ? 0 : 1)] = 0x40; /* 16388 */
        assert_verdict(check_ply, bytes, size, "list of 16388 values");
    }
}

Test(model_input, a_binary_stl_has_the_size_that_its_count_makes)
{
    char bytes[84 + 3 * 50] = "a header of a program";
    bytes[80] = 3;
    assert_verdict(check_stl, bytes, sizeof bytes, NULL);
    memcpy(bytes, "solid", 5); /* as some programs begin it */
    assert_verdict(check_stl, bytes, sizeof bytes, NULL);
    assert_verdict(check_stl, bytes, sizeof bytes - 1, "3 triangles by its header, which makes 234 bytes");
    memcpy(bytes, "squid", 5);
    for (size_t size = 84; size < sizeof bytes; ++size)
        assert_verdict(check_stl, bytes, size, "3 triangles");
    for (size_t size = 0; size < 84; ++size)
        assert_verdict(check_stl, bytes, size, "at least 84");
    memset(bytes + 80, 0xff, 4);
    assert_verdict(check_stl, bytes, sizeof bytes,
                   "4294967295 triangles by its header, which makes 214748364834");
    memset(bytes + 80, 0, 4);
    assert_verdict(check_stl, bytes, 84, "no triangles");
    static const char text[] = " solid room\nfacet normal 0 0 1\n";
    assert_verdict(check_stl, text, strlen(text), NULL);
    assert_verdict(check_stl, text, 11, "without a facet");
}

/* ---- which files are opened ---- */

static char outside[96];

/* FOLDER/outside.bin, and FOLDER/model/ with good and bad things in it, which becomes the current folder. */
static void make_folder(void)
{
    static const char bytes[60] = "the same sixty bytes";
    enter_folder();
    (void)snprintf(outside, sizeof outside, "%s/outside.bin", folder);
    (void)write_bytes(outside, bytes, sizeof bytes);
    cr_assert(mkdir("model", 0700) == 0 && chdir("model") == 0);
    cr_assert(mkdir("sub", 0700) == 0);
    (void)write_bytes("room.bin", bytes, sizeof bytes);
    (void)write_bytes("sub/room.bin", bytes, sizeof bytes);
    (void)write_bytes("short.bin", bytes, 59);
    cr_assert(symlink("../outside.bin", "link.bin") == 0 && symlink("room.bin", "near.bin") == 0);
    cr_assert(symlink("..", "up") == 0 && symlink("sub", "sideways") == 0);
    cr_assert(mkfifo("pipe.bin", 0600) == 0);
}

TestSuite(model_input, .init = make_folder, .fini = leave_folder);

Test(model_input, nothing_is_opened_outside_the_folder_or_through_a_link)
{
    static const struct {
        const char *path;
        bool opens;
    } rows[] = {
        {"room.bin", true},        {"./room.bin", true},
        {"sub/room.bin", true},    {"sub//room.bin", true},
        {"pipe.bin", true}, /* at once; whoever reads it looks first */
        {"link.bin", false},       {"near.bin", false},
        {"up/outside.bin", false}, {"sideways/room.bin", false},
        {"../outside.bin", false}, {"sub/../../outside.bin", false},
        {"absent.bin", false},     {"", false},
        {"/etc/passwd", false},    {"room.bin/x", false},
        {"/dev/zero", false},      {outside, false},
    };
    const int here = open(".", O_RDONLY | O_DIRECTORY);
    cr_assert(test_at_least((double)(here), (double)(0)));
    for (int by_steps = 0; by_steps < 2; ++by_steps)
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
            errno = 0;
            const int descriptor =
                by_steps ? open_beneath_by_steps(here, rows[k].path) : open_beneath(here, rows[k].path);
            cr_assert(rows[k].opens == (descriptor >= 0), "%s: %d, %s", rows[k].path, by_steps,
                      strerror(errno));
            cr_assert(descriptor >= 0 || errno != 0);
            if (descriptor >= 0)
                (void)close(descriptor);
        }
    (void)close(here);
}

/* A quad whose buffer is `uri`. */
static void write_model(const char *uri)
{
    char buffers[300];
    (void)snprintf(buffers, sizeof buffers,
                   "[{\"byteLength\":60,\"uri\":\"%s\"},{\"byteLength\":9,\"uri\":\"absent.bin\"}]", uri);
    char *text = gltf_quad_text(
        (const char *[PARTS]){[BUFFERS] = buffers, [REST] = "\"images\":[{\"uri\":\"pipe.bin\"}],"});
    (void)write_text("room.gltf", text);
    free(text);
}

static void assert_input_refused(const char *path, const char *format, uint64_t memory, int code,
                                 const char *because)
{
    struct model_input input = {0};
    alarm(20); /* a FIFO that is waited for ends the test */
    MUST_FAIL(model_input_read(path, format, memory, &input, &failure), code, because);
    alarm(0);
    cr_assert(input.file == NULL);
    cr_assert(strcmp(failure.file, path) == 0 || strncmp(failure.sentence, path, strlen(path)) == 0, "%s",
              failure.sentence);
}

Test(model_input, buffers_are_files_beneath_the_folder_and_nothing_else)
{
    static const struct {
        const char *uri, *because;
    } rows[] = {
        {"link.bin", "symbolic link"},
        {"near.bin", "symbolic link"},
        {"up/outside.bin", "symbolic link"},
        {"pipe.bin", "a device, pipe or socket"},
        {"sub", "a folder"},
        {"short.bin", "59 bytes, but the model needs 60"},
        {"absent.bin", "No such file"},
        {"../outside.bin", "leaves its folder"},
        {"%2e%2e/outside.bin", "leaves its folder"},
        {"file:///etc/passwd", "scheme"},
        {"/dev/zero", "absolute"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        write_model(rows[k].uri);
        assert_input_refused("room.gltf", "glTF", 1 << 30, FAILURE_INPUT, rows[k].because);
    }
    static const char *const good[] = {"room.bin", "sub/room.bin", "./room%2Ebin"};
    for (size_t k = 0; k < 3; ++k) {
        struct model_input input = {0};
        char path[200];
        write_model(good[k]);
        /* The folder is the model's, wherever the program stands. */
        (void)snprintf(path, sizeof path, "%s/model/room.gltf", folder);
        cr_assert(eq(int, chdir("/"), 0));
        MUST(model_input_read(path, "glTF", 1 << 30, &input, &failure));
        cr_assert(eq(int, chdir(folder), 0));
        cr_assert(eq(int, chdir("model"), 0));
        cr_assert(eq(sz, input.file_count, 2));
        cr_assert(eq(str, input.file[1].name, "buffer0"));
        cr_assert(eq(sz, input.file[1].size, 60));
        cr_assert(strcmp(input.file[1].data, "the same sixty bytes") == 0);
        model_input_free(&input);
    }
}

Test(model_input, files_that_are_no_models_are_refused_in_one_sentence)
{
    static const char *const format[] = {"OBJ", "glTF", "GLB", "PLY", "STL"};
    (void)write_bytes("empty", "", 0);
    for (size_t k = 0; k < 5; ++k) {
        assert_input_refused("empty", format[k], 1 << 30, FAILURE_INPUT, "is empty");
        assert_input_refused("absent", format[k], 1 << 30, FAILURE_INPUT, "No such file");
        assert_input_refused("pipe.bin", format[k], 1 << 30, FAILURE_INPUT, "a device, pipe or socket");
        assert_input_refused("sub", format[k], 1 << 30, FAILURE_INPUT, "a folder");
        assert_input_refused("/dev/zero", format[k], 1 << 30, FAILURE_INPUT, "a device, pipe or socket");
        assert_input_refused("room.bin", format[k], 59, FAILURE_CAPACITY, "lacks memory");
        if (strcmp(format[k], "OBJ") != 0 && strcmp(format[k], "PLY") != 0) /* their readers see that */
            assert_input_refused("room.bin", format[k], 1 << 30, FAILURE_INPUT, "");
    }
    (void)write_bytes("large.stl", "", 0);
    cr_assert(eq(int, truncate("large.stl", (off_t)5 << 30), 0));
    assert_input_refused("large.stl", "STL", UINT64_MAX, FAILURE_INPUT, "the limit is 4 GiB");
}

/* ---- the whole way ---- */

static void assert_model_refused(const char *path, const char *format, uint64_t memory,
                                 const volatile sig_atomic_t *interrupted, int code, const char *because)
{
    struct model_file model = {0};
    MUST_FAIL(model_file_read(path, format, memory, interrupted, &model, &failure), code, because);
    cr_assert(model.mesh.vertex == NULL);
    cr_assert(eq(str, failure.file, code == FAILURE_INTERRUPTED ? "" : (char *)path));
}

Test(model_input, an_obj_that_is_none_is_refused_by_its_reader)
{
    assert_model_refused("room.bin", "OBJ", 0, NULL, FAILURE_INPUT, "the file is binary, and OBJ is text");
    FILE *file = fopen("many.obj", "w");
    cr_assert(file != NULL);
    (void)fprintf(file, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int m = 0; m <= 65000; ++m)
        (void)fprintf(file, "usemtl m%d\nf 1 2 3\n", m);
    (void)fclose(file);
    assert_model_refused("many.obj", "OBJ", 0, NULL, FAILURE_INPUT, "65001 materials; the limit is 65000");
}

Test(model_input, limits_of_the_reader_are_sentences)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const volatile sig_atomic_t interrupted = 1;
    (void)write_bytes("room.obj", text, strlen(text));
    assert_model_refused("room.obj", "OBJ", 0, &interrupted, FAILURE_INTERRUPTED, "interrupted");
    /* A million vertices take 12 MB and more. With a sanitizer nobody may have looked before it ends. */
    FILE *file = fopen("many.obj", "w");
    cr_assert(file != NULL);
    for (int v = 0; v < 1000000; ++v)
        (void)fputs("v 0 0 0\n", file);
    (void)fputs("f 1 2 3\n", file);
    (void)fclose(file);
    if (!SANITIZED)
        assert_model_refused("many.obj", "OBJ", 9 << 20, NULL, FAILURE_CAPACITY,
                             "the reader of OBJ files needed more memory than its limit, 0.00879 GiB");
}

/* A sparse file of gigabytes costs nothing to make and must cost little to refuse. */
Test(model_input, gigabytes_of_something_else_are_refused_by_their_first_bytes)
{
    static const char *const format[] = {"glTF", "GLB"};
    (void)write_bytes("zero.bin", "", 0);
    cr_assert(eq(int, truncate("zero.bin", (off_t)3 << 30), 0));
    for (size_t k = 0; k < sizeof format / sizeof format[0]; ++k)
        /* With a megabyte to spend, reading the whole would be refused for its size. */
        assert_input_refused("zero.bin", format[k], 1 << 20, FAILURE_INPUT, "");
    assert_model_refused("zero.bin", "OBJ", 64 << 20, NULL, FAILURE_INPUT, "the file is binary");
    assert_model_refused("zero.bin", "PLY", 64 << 20, NULL, FAILURE_INPUT, "its first line is not");
}

/* `nodes` nodes that show one mesh of 3,000 triangles. */
static void write_repeated(size_t nodes)
{
    enum { CORNERS = 9000 };
    static uint16_t index[CORNERS];
    for (size_t c = 0; c < CORNERS; ++c)
        index[c] = (uint16_t)(c % 3);
    FILE *buffer = fopen("many.bin", "wb"), *file = fopen("many.gltf", "wb");
    cr_assert(buffer != NULL && file != NULL);
    (void)fwrite((const float[9]){0, 0, 0, 1, 0, 0, 0, 1, 0}, 4, 9, buffer);
    (void)fwrite(index, 2, CORNERS, buffer);
    (void)fprintf(file, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0");
    for (size_t n = 1; n < nodes; ++n)
        (void)fprintf(file, ",%zu", n);
    (void)fprintf(file, "]}],\"nodes\":[{\"mesh\":0}");
    for (size_t n = 1; n < nodes; ++n)
        (void)fprintf(file, ",{\"mesh\":0}");
    (void)fprintf(
        file,
        "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5123,\"count\":%d,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],"
        "\"buffers\":[{\"byteLength\":%d,\"uri\":\"many.bin\"}]}",
        CORNERS, 36 + 2 * CORNERS, 36 + 2 * CORNERS);
    (void)fclose(buffer);
    (void)fclose(file);
}

Test(model_input, instances_that_the_machine_cannot_hold_are_refused_with_their_size)
{
    struct model_file model = {0};
    write_repeated(10);
    /* The mesh and every instance: 11 times 3 vertices and 3,000 triangles, 48 bytes each. */
    assert_model_refused("many.gltf", "glTF", 33033 * 48 - 1, NULL, FAILURE_CAPACITY,
                         "have 33033 vertices and triangles");
    MUST(model_file_read("many.gltf", "glTF", 0, NULL, &model, &failure));
    cr_assert(model.mesh.triangle_count == 30000 && model.instances == 10);
    mesh_free(&model.mesh);
}

Test(model_input, meshes_repeated_out_of_proportion_to_the_file_are_refused)
{
    struct model_input input = {0};
    write_repeated(1000);
    MUST(model_input_read("many.gltf", "glTF", UINT64_C(1) << 32, &input, &failure));
    cr_assert(test_above((double)(input.elements), (double)((uint64_t)3000000)));
    model_input_free(&input);
    write_repeated(6000);
    assert_input_refused("many.gltf", "glTF", UINT64_C(1) << 32, FAILURE_INPUT, "its nodes repeat meshes");
}
