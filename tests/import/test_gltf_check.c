/* glTF and GLB before Assimp sees them: what lies is refused with its place, what is good becomes plain. */
#include <time.h>

#include "geometry/import/gltf_check.h"
#include "geometry/import/resource_uri.h"
#include "tests/import/gltf_quad.h"
#include "tests/support/outcome.h"

/* The quad with one part replaced; owned by the caller. */
static char *document(enum gltf_part replaced, const char *with)
{
    const char *part[PARTS] = {NULL};
    part[replaced] = with;
    return gltf_quad_text(part);
}

/* In a heap block of exactly its size, so that a sanitizer sees a byte too far. */
static int check(const void *bytes, size_t size, bool binary, struct gltf_plain *plain, struct failure *why)
{
    unsigned char *exact = malloc(size > 0 ? size : 1);
    cr_assert(exact != NULL);
    memcpy(exact, bytes, size);
    const int status = gltf_check(exact, size, binary, plain, why);
    free(exact); /* what a GLB lends is not looked at below */
    return status;
}

static void assert_refused(const void *bytes, size_t size, bool binary, const char *because)
{
    struct gltf_plain plain = {0};
    MUST_FAIL(check(bytes, size, binary, &plain, &failure), FAILURE_INPUT, because);
    cr_assert(plain.text == NULL && plain.buffer == NULL);
}

static void assert_part_refused(enum gltf_part part, const char *with, const char *because)
{
    char *text = document(part, with);
    assert_refused(text, strlen(text), false, because);
    free(text);
}

static struct gltf_plain assert_good(enum gltf_part part, const char *with)
{
    struct gltf_plain plain = {0};
    char *text = document(part, with);
    cr_assert(eq(int, check(text, strlen(text), false, &plain, &failure), 0), "%s: %s", with,
              failure.sentence);
    free(text);
    return plain;
}

Test(gltf_check, a_good_file_becomes_plain_and_is_counted)
{
    struct gltf_plain plain = assert_good(REST, "\"images\":[{\"uri\":\"/etc/passwd\"}],\"skins\":[{}],");
    cr_assert(eq(sz, plain.buffer_count, 1));
    cr_assert(eq(str, plain.buffer[0].path, "room.bin"));
    cr_assert(eq(sz, plain.buffer[0].size, 60));
    /* the mesh, and its one instance */
    cr_assert(plain.vertices == 8 && plain.triangles == 4 && plain.objects == 2);
    cr_assert(strstr(plain.text, "passwd") == NULL && strstr(plain.text, "skins") == NULL, "%s", plain.text);
    cr_assert(strstr(plain.text, "\"uri\":\"buffer0\"") != NULL, "%s", plain.text);
    /* What is plain stays so. */
    struct gltf_plain again = {0};
    cr_assert(eq(int, check(plain.text, plain.size, false, &again, NULL), 0));
    cr_assert(eq(sz, again.size, plain.size));
    cr_assert(eq(str, again.text, plain.text));
    gltf_plain_free(&again);
    gltf_plain_free(&plain);
}

Test(gltf_check, names_and_transforms_are_kept)
{
    struct gltf_plain plain =
        assert_good(NODES, "[{\"mesh\":0,\"name\":\"a\\\"b\\\\c\\u00e9\\n\",\"translation\":[0.1,1e-7,-3],"
                           "\"rotation\":[0,0,0,1],\"scale\":[1,2,3],\"camera\":7,\"extras\":{\"x\":[]}},"
                           "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}]");
    cr_assert(strstr(plain.text, "\"name\":\"a\\\"b\\\\c\xC3\xA9 \"") != NULL, "%s", plain.text);
    cr_assert(strstr(plain.text, "\"translation\":[0.100000001,1.00000001e-07,-3]") != NULL, "%s",
              plain.text);
    cr_assert(strstr(plain.text, "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]") != NULL, "%s", plain.text);
    cr_assert(strstr(plain.text, "camera") == NULL);
    gltf_plain_free(&plain);
}

Test(gltf_check, what_does_not_matter_is_no_reason_to_refuse)
{
    static const struct {
        enum gltf_part part;
        const char *with;
    } rows[] = {
        {REST, "\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"},
        {REST, "\"extensionsRequired\":[\"KHR_materials_unlit\",\"KHR_texture_transform\"],"},
        {REST, "\"extensionsRequired\":[\"KHR_mesh_quantization\"],"}, /* positions are floats */
        {SCENE, "\"scenes\":[{\"nodes\":[0]}],"},                      /* no "scene": the first */
        {SCENE, "\"scenes\":[{}],"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{}}]}]"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":1}]}]"},
        {ACCESSORS, "[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
                    "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
                    "{\"componentType\":5126,\"count\":9,\"type\":\"MAT4\",\"sparse\":{}}]"},
        {BUFFERS, "[{\"byteLength\":60,\"uri\":\"a%20room.bin\"},{\"byteLength\":9,\"uri\":\"unused.bin\"}]"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct gltf_plain plain = assert_good(rows[k].part, rows[k].with);
        if (rows[k].part == BUFFERS) {
            cr_assert(eq(str, plain.buffer[0].path, "a room.bin"));
            cr_assert(plain.buffer[1].path == NULL && plain.buffer[1].size == 0, "nobody needs it");
        }
        gltf_plain_free(&plain);
    }
}

Test(gltf_check, what_lies_is_refused_with_its_place)
{
    static const struct {
        enum gltf_part part;
        const char *with, *because;
    } rows[] = {
        /* lists */
        {NODES, "7", "\"nodes\" is not a list"},
        {NODES, "[7]", "nodes[0]: it is not an object"},
        {SCENE, "", "no scene"},
        {SCENE, "\"scene\":1,\"scenes\":[{\"nodes\":[0]}],", "\"scene\" is not one of the 1 scenes"},
        {SCENE, "\"scene\":-1,\"scenes\":[{\"nodes\":[0]}],", "\"scene\" is not one"},
        {SCENE, "\"scenes\":[{\"nodes\":[0,0]}],", "nodes[0]: the scene lists it twice"},
        {SCENE, "\"scenes\":[{\"nodes\":[1]}],", "the scene refers to node 1"},
        {SCENE, "\"scenes\":[{\"nodes\":[0.5]}],", "the scene refers to node 0.5"},
        {SCENE, "\"scenes\":[{\"nodes\":[\"0\"]}],", "the scene refers to node"},
        {REST, "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],", "KHR_draco_mesh_compression"},
        {REST, "\"extensionsRequired\":[\"EXT_meshopt_compression\"],", "EXT_meshopt_compression"},
        {REST, "\"extensionsRequired\":[\"ACME_bent_walls\"],", "ACME_bent_walls"},
        {REST, "\"extensionsRequired\":[5],", "other than a name"},
        /* nodes */
        {NODES, "[{\"mesh\":1}]", "nodes[0]: mesh is 1"},
        {NODES, "[{\"mesh\":1099511627776}]", "nodes[0]: mesh is 1099511627776"},
        {NODES, "[{\"mesh\":\"0\"}]", "nodes[0]: mesh is not a number"},
        {NODES, "[{\"mesh\":0.5}]", "nodes[0]: mesh is 0.5"},
        {NODES, "[{\"children\":[1]}]", "nodes[0]: a child is 1"},
        {NODES, "[{\"children\":[-1]}]", "nodes[0]: a child is -1"},
        {NODES, "[{\"children\":{}}]", "children is not a list"},
        {NODES, "[{\"children\":[0]}]", "own ancestor"},
        {NODES, "[{},{\"children\":[2]},{\"children\":[3]},{\"children\":[1]}]", "own ancestor"},
        {NODES, "[{\"children\":[1,1]},{}]", "nodes[1]: it has two parents, nodes[0] and nodes[0]"},
        {NODES, "[{\"children\":[1,2]},{\"children\":[2]},{}]", "nodes[2]: it has two parents"},
        {NODES, "[{},{\"children\":[0]}]", "nodes[0]: the scene lists it, but it is a child"},
        {NODES, "[{\"matrix\":[1,2,3]}]", "nodes[0]: matrix holds 3 numbers, not 16"},
        {NODES, "[{\"scale\":[1,1e39,1]}]", "scale contains a value outside the range of a float"},
        {NODES, "[{\"scale\":[1,null,1]}]", "scale contains"},
        {NODES, "[{\"translation\":1}]", "translation is not a list"},
        /* meshes */
        {MESHES, "[{}]", "meshes[0]: it has no primitives"},
        {MESHES, "[{\"primitives\":[{}]}]", "meshes[0]: a primitive has no attributes"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{\"POSITION\":2}}]}]", "POSITION is 2"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}]", "without quantization"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":0}]}]",
         "indices must be SCALAR"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}]", "material is 0"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":7}]}]", "mode is 7"},
        {MESHES, "[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]", "4 corners of triangles"},
        /* accessors */
        {ACCESSORS, "[{\"bufferView\":2}]", "accessors[0]: bufferView is 2"},
        {ACCESSORS, "[{\"bufferView\":0,\"componentType\":5124}]", "componentType 5124 is unknown"},
        {ACCESSORS, "[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC5\"}]", "type is unknown"},
        {ACCESSORS, "[{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}]",
         "count 5 of elements every 12 bytes reach past the 48 bytes"},
        {ACCESSORS,
         "[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"byteOffset\":4}]",
         "byteOffset 4 and count 4"},
        {ACCESSORS, "[{\"bufferView\":0,\"componentType\":5126,\"count\":-4,\"type\":\"VEC3\"}]",
         "accessors[0]: count is -4"},
        {ACCESSORS,
         "[{\"bufferView\":0,\"componentType\":5126,\"count\":1537228672809129302,\"type\":\"VEC3\"}]",
         "accessors[0]: count is 1.53"},
        {ACCESSORS,
         "[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{}},"
         "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]",
         "sparse"},
        {ACCESSORS,
         "[{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"componentType\":5123,"
         "\"count\":6,\"type\":\"SCALAR\"}]",
         "no bufferView"},
        {ACCESSORS,
         "[{\"bufferView\":0,\"componentType\":5126,\"count\":0,\"type\":\"VEC3\"},"
         "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]",
         "its count is 0 or missing"},
        /* views and buffers */
        {VIEWS, "[{\"buffer\":1,\"byteLength\":48}]", "bufferViews[0]: buffer is 1"},
        {VIEWS, "[{\"byteLength\":48}]", "bufferViews[0]: it has no buffer"},
        {VIEWS, "[{\"buffer\":0}]", "bufferViews[0]: it has no byteLength"},
        {VIEWS, "[{\"buffer\":0,\"byteOffset\":-8,\"byteLength\":48}]", "byteOffset is -8"},
        {VIEWS, "[{\"buffer\":0,\"byteOffset\":13,\"byteLength\":48}]",
         "byteOffset 13 and byteLength 48 reach"},
        {VIEWS, "[{\"buffer\":0,\"byteOffset\":9007199254740991,\"byteLength\":9007199254740991}]",
         "reach past"},
        {VIEWS, "[{\"buffer\":0,\"byteOffset\":4294967284,\"byteLength\":48}]",
         "byteOffset 4294967284 and byteLength 48 reach"},
        {VIEWS, "[{\"buffer\":0,\"byteOffset\":18446744073709551600,\"byteLength\":48}]",
         "byteOffset is 1.8"},
        {VIEWS, "[{\"buffer\":0,\"byteLength\":48,\"byteStride\":8},{\"buffer\":0,\"byteLength\":12}]",
         "longer than the byteStride 8"},
        {VIEWS, "[{\"buffer\":0,\"byteLength\":48,\"byteStride\":256}]", "byteStride is 256"},
        {BUFFERS, "[{\"uri\":\"room.bin\"}]", "buffers[0]: it has no byteLength"},
        {BUFFERS, "[{\"byteLength\":4294967297,\"uri\":\"room.bin\"}]", "at most 4 GiB"},
        {BUFFERS, "[{\"byteLength\":60}]", "no binary chunk"},
        {BUFFERS, "[{\"byteLength\":60,\"uri\":5}]", "uri is not text"},
        {BUFFERS, "[{\"byteLength\":60,\"uri\":\"a.bin\"},{\"byteLength\":6,\"uri\":\"../b.bin\"}]",
         "buffers[1]: the URI \"../b.bin\" leaves its folder"},
        {BUFFERS, "[{\"byteLength\":60,\"uri\":\"data:;base64,AAAA\"}]", "has 3 bytes"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k)
        assert_part_refused(rows[k].part, rows[k].with, rows[k].because);
}

/* ---- the text ---- */

Test(gltf_check, text_that_is_no_gltf_is_refused)
{
    static const struct {
        const char *text, *because;
    } rows[] = {
        {"", "no JSON text"},
        {" \n\t", "no JSON text"},
        {"solid room", "does not begin with {"},
        {"[{}]", "does not begin with {"},
        {"{}", "no asset.version"},
        {"{\"asset\":{\"version\":2}}", "no asset.version"},
        {"{\"asset\":{\"version\":\"1.0\"}}", "glTF 1.0"},
        {"{\"asset\":{\"version\":\"2.0\"}", "cut off at byte"},
        {"{\"asset\":\n{\"version\":\"2.0\"\n,,}", "at byte 30"},
        {"{\"asset\":{\"version\":\"2.0\"}} {}", "follows the end"},
        {"{\"a\":\"", "cut off at byte"},
        {"{\"a\":\"\\", "cut off at byte"},
        {"glTF\2\0\0\0", "rename it so that it ends in .glb"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k)
        assert_refused(rows[k].text, strlen(rows[k].text), false, rows[k].because);
    assert_refused("{\"a\":\0}", 7, false, "broken");
}

/* `count` times `piece` between `before` and `after`; owned by the caller. */
static char *repeated(const char *before, const char *piece, size_t count, const char *after)
{
    const size_t length = strlen(piece);
    char *text = malloc(strlen(before) + count * length + strlen(after) + 1);
    cr_assert(text != NULL);
    char *at = stpcpy(text, before);
    for (size_t k = 0; k < count; ++k, at += length)
        memcpy(at, piece, length);
    (void)strcpy(at, after);
    return text;
}

static void assert_text_refused_fast(char *text, const char *because)
{
    struct timespec began, ended;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    assert_refused(text, strlen(text), false, because);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    const double seconds =
        (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    cr_assert(seconds < 10, "%s took %g s", because, seconds); /* about 1 without a sanitizer */
    free(text);
}

Test(gltf_check, floods_are_refused_before_they_cost_anything)
{
    assert_text_refused_fast(repeated("{\"a\":", "[", 7000000, ""), "nested too deep");
    assert_text_refused_fast(repeated("{\"a\":[", "1,", 9000000, "1]}"), "more than 8000000 values");
    /* 500 levels below the root are the last that pass. */
    for (int deep = 500; deep <= 501; ++deep) {
        char *nodes = malloc(40 * (size_t)deep + 40), *at = nodes;
        at += sprintf(at, "[");
        for (int n = 0; n < deep; ++n)
            at += sprintf(at, "{\"children\":[%d]},", n + 1);
        (void)sprintf(at, "{}]");
        if (deep == 500) {
            struct gltf_plain plain = assert_good(NODES, nodes);
            gltf_plain_free(&plain);
        } else {
            assert_part_refused(NODES, nodes, "nodes[501]: nodes are nested deeper than 500");
        }
        free(nodes);
    }
    char *nodes = repeated("[{}", ",{}", 1000000, "]");
    assert_part_refused(NODES, nodes, "\"nodes\" holds 1000001 objects; the limit is 1000000");
    free(nodes);
}

Test(gltf_check, a_billion_laughs_are_counted_and_not_heard)
{
    /* 60 bytes are read as 4 vertices and 2 triangles by every one of 10^5 primitives, and by 10^5 nodes. */
    enum { COUNT = 100000 };
    char *primitives = repeated("[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}",
                                ",{\"attributes\":{\"POSITION\":0},\"indices\":1}", COUNT - 1, "]}]");
    struct gltf_plain plain = assert_good(MESHES, primitives);
    cr_assert(plain.vertices == 2ull * 4 * COUNT && plain.triangles == 2ull * 2 * COUNT);
    gltf_plain_free(&plain);
    char *nodes = repeated("[{\"mesh\":0}", ",{\"mesh\":0}", COUNT - 1, "]");
    char *scene = malloc(8 * (size_t)COUNT + 60), *at = scene;
    at += sprintf(at, "\"scenes\":[{\"nodes\":[0");
    for (int n = 1; n < COUNT; ++n)
        at += sprintf(at, ",%d", n);
    (void)sprintf(at, "]}],");
    char *text =
        gltf_quad_text((const char *[PARTS]){[SCENE] = scene, [NODES] = nodes, [MESHES] = primitives});
    assert_text_refused_fast(text, "more than 2^31 triangles or vertices");
    free(primitives);
    free(nodes);
    free(scene);
}

/* ---- indices ---- */

Test(gltf_check, an_index_past_the_vertices_is_found_in_every_width)
{
    static const struct {
        int type;
        size_t bytes;
    } width[3] = {{5121, 1}, {5123, 2}, {5125, 4}};
    for (int w = 0; w < 3; ++w)
        for (int bad = -1; bad < 6; ++bad) {
            static const unsigned corner[6] = {0, 1, 2, 0, 2, 3};
            char accessors[300];
            unsigned char bytes[48 + 24] = {0};
            for (int k = 0; k < 6; ++k)
                bytes[48 + (size_t)k * width[w].bytes + (k == bad ? width[w].bytes - 1 : 0)] =
                    (unsigned char)(k == bad ? 4 : corner[k]);
            (void)snprintf(accessors, sizeof accessors,
                           "[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
                           "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":%d,\"count\":6,"
                           "\"type\":\"SCALAR\"}]",
                           width[w].type);
            char *text = document(ACCESSORS, accessors);
            char *views = strstr(text, "\"byteLength\":48}"), *buffers = strstr(text, "\"byteLength\":60");
            cr_assert(views != NULL && buffers != NULL);
            memcpy(views, "\"byteLength\":72}", 16);
            memcpy(buffers, "\"byteLength\":72", 15);
            struct gltf_plain plain = {0};
            MUST(check(text, strlen(text), false, &plain, &failure));
            plain.buffer[0].bytes = bytes;
            cr_assert(eq(int, gltf_check_indices(&plain, &failure), bad < 0 ? 0 : FAILURE_INPUT));
            cr_assert(bad < 0 || strstr(failure.sentence, "accessors[1]: index ") != NULL, "%s",
                      failure.sentence);
            gltf_plain_free(&plain);
            free(text);
        }
}

/* ---- GLB ---- */

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int byte = 0; byte < 4; ++byte)
        to[byte] = (unsigned char)(value >> 8 * byte);
}

struct glb {
    unsigned char bytes[2000];
    size_t size, json;
};

static struct glb make_glb(void)
{
    struct glb glb = {0};
    char *text = document(BUFFERS, "[{\"byteLength\":60}]");
    while (strlen(text) % 4 != 0)
        (void)strcat(text, " ");
    glb.json = strlen(text);
    memcpy(glb.bytes, "glTF", 4);
    put_u32(glb.bytes + 4, 2);
    put_u32(glb.bytes + 12, (uint32_t)glb.json);
    memcpy(glb.bytes + 16, "JSON", 4);
    memcpy(glb.bytes + 20, text, glb.json);
    put_u32(glb.bytes + 20 + glb.json, 60);
    memcpy(glb.bytes + 24 + glb.json, "BIN\0", 4);
    glb.size = 28 + glb.json + 60;
    cr_assert(test_at_most((double)(glb.size), (double)(sizeof glb.bytes)));
    put_u32(glb.bytes + 8, (uint32_t)glb.size);
    free(text);
    return glb;
}

Test(gltf_check, chunks_of_a_glb_are_within_it)
{
    struct gltf_plain plain = {0};
    struct glb glb = make_glb();
    MUST(gltf_check(glb.bytes, glb.size, true, &plain, &failure));
    cr_assert(plain.buffer[0].bytes == glb.bytes + 28 + glb.json && plain.buffer[0].size == 60);
    gltf_plain_free(&plain);

    for (size_t size = 0; size < glb.size; ++size)
        assert_refused(glb.bytes, size, true, "");
    assert_refused("{}", 2, true, "rename it so that it ends in .gltf");
    assert_refused("noise", 5, true, "does not begin with \"glTF\"");
    put_u32(glb.bytes + 4, 1);
    assert_refused(glb.bytes, glb.size, true, "version 1 of GLB");
    glb = make_glb();
    put_u32(glb.bytes + 8, 0xfffffff0u);
    assert_refused(glb.bytes, glb.size, true, "4294967280 bytes by its header");
    glb = make_glb();
    put_u32(glb.bytes + 12, 0xfffffff8u);
    assert_refused(glb.bytes, glb.size, true, "chunk 0 of the GLB has 4294967288 bytes");
    glb = make_glb();
    put_u32(glb.bytes + 20 + glb.json, 64);
    assert_refused(glb.bytes, glb.size, true, "chunk 1 of the GLB has 64 bytes");
    glb = make_glb();
    put_u32(glb.bytes + 20 + glb.json, 56);
    assert_refused(glb.bytes, glb.size, true, "cut short");
    glb = make_glb();
    memcpy(glb.bytes + 16, "NOSJ", 4);
    assert_refused(glb.bytes, glb.size, true, "is not JSON");
    glb = make_glb();
    memcpy(glb.bytes + 24 + glb.json, "JSON", 4);
    assert_refused(glb.bytes, glb.size, true, "JSON again");
    glb = make_glb();
    memcpy(glb.bytes + 24 + glb.json, "OTHR", 4);
    assert_refused(glb.bytes, glb.size, true, "no binary chunk");
}

/* ---- URIs ---- */

Test(gltf_check, uris_stay_in_their_folder)
{
    static const struct {
        const char *uri, *path; /* or because */
        bool good;
    } rows[] = {
        {"room.bin", "room.bin", true},
        {"sub/room.bin", "sub/room.bin", true},
        {"./room.bin", "./room.bin", true},
        {"a%20b%C3%A9.bin", "a b\xC3\xA9.bin", true},
        {"..room..bin", "..room..bin", true},
        {"a/b:c.bin", "a/b:c.bin", true},
        {"%2525.bin", "%25.bin", true}, /* decoded once */
        {"", "is empty", false},
        {"..", "\"..\"", false},
        {"../room.bin", "\"..\"", false},
        {"a/../../room.bin", "\"..\"", false},
        {"a/..", "\"..\"", false},
        {"%2e%2e/room.bin", "\"..\"", false},
        {"%2E%2E%2froom.bin", "\"..\"", false},
        {".%2e/room.bin", "\"..\"", false},
        {"/etc/passwd", "absolute", false},
        {"%2Fetc%2Fpasswd", "absolute", false},
        {"//host/share", "absolute", false},
        {"file:///etc/passwd", "scheme", false},
        {"FILE:room.bin", "scheme", false},
        {"http://example.org/room.bin", "scheme", false},
        {"file%3a///etc/passwd", "scheme", false},
        {"C:/room.bin", "scheme", false},
        {"..\\room.bin", "backslash", false},
        {"%5c%5chost", "backslash", false},
        {"room.bin%00.png", "control", false},
        {"room%0a.bin", "control", false},
        {"room%zz.bin", "percent", false},
        {"room.bin%", "percent", false},
        {"room.bin%2", "percent", false},
        {"sub/", "folder", false},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        char *path = NULL;
        const int status = resource_uri_path(rows[k].uri, &path, &failure);
        cr_assert(eq(int, status, rows[k].good ? 0 : FAILURE_INPUT), "%s", rows[k].uri);
        if (rows[k].good)
            cr_assert(eq(str, path, (char *)rows[k].path));
        else
            cr_assert(path == NULL && strstr(failure.sentence, rows[k].path) != NULL, "%s: %s", rows[k].uri,
                      failure.sentence);
        free(path);
    }
}

Test(gltf_check, base64_is_decoded_or_refused)
{
    static const struct {
        const char *uri, *bytes;
        size_t size;
    } rows[] = {
        {"data:;base64,", "", 0},           {"data:;base64,TQ==", "M", 1},
        {"data:;base64,TQ", "M", 1},        {"data:application/octet-stream;base64,TWE=", "Ma", 2},
        {"DATA:a/b;BASE64,TWFu", "Man", 3}, {"data:;base64,+/+/-_-_", "\xFB\xFF\xBF\xFB\xFF\xBF", 6},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        unsigned char *bytes = NULL;
        size_t size = 99;
        cr_assert(resource_uri_is_data(rows[k].uri));
        MUST(resource_uri_data(rows[k].uri, rows[k].size, &bytes, &size, &failure));
        cr_assert(eq(sz, size, rows[k].size));
        cr_assert(memcmp(bytes, rows[k].bytes, size) == 0, "%s", rows[k].uri);
        free(bytes);
        bytes = NULL;
        cr_assert(eq(int, resource_uri_data(rows[k].uri, rows[k].size + 1, &bytes, &size, &failure),
                     FAILURE_INPUT));
        cr_assert(bytes == NULL);
    }
    static const char *const bad[] = {"data:,TQ==",
                                      "data:base64,TQ==",
                                      "data:;base64;TQ==",
                                      "data:;base64,TWFu!A==",
                                      "data:;base64,TWFuT",
                                      "data:;base64,T Fu",
                                      "data:"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        unsigned char *bytes = NULL;
        size_t size;
        cr_assert(eq(int, resource_uri_data(bad[k], 0, &bytes, &size, NULL), FAILURE_INPUT), "%s", bad[k]);
        cr_assert(bytes == NULL);
    }
}
