/** glTF and GLB that must be refused: lies about sizes, nodes that lead in circles, files out of the folder.
 */
#define _XOPEN_SOURCE   700 /* nftw, mkdtemp */
#define _DEFAULT_SOURCE     /* wait4 */
#include "tests/support/bad_input.h"

TestSuite(bad_input_gltf, .init = enter_folder, .fini = leave_folder);

/* ---- a tetrahedron in glTF, of parts that rows replace ---- */

#define SCENE_NODE "{\"mesh\":0}"
#define MESH       "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}"
#define PLACES                                                                                               \
    "{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[4,4,4]" \
    "}"
#define INDICES "{\"bufferView\":0,\"componentType\":5121,\"count\":12,\"type\":\"SCALAR\"}"
#define VIEWS                                                                                                \
    "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":12,\"byteLength\":48}"
#define BUFFER(uri) "{\"byteLength\":60,\"uri\":\"" uri "\"}"
#define SOLID       BUFFER("solid.bin")
/* The same 60 bytes. */
#define DATA                                                                                                 \
    "data:application/octet-stream;base64,"                                                                  \
    "AAIBAAEDAAMCAQIDAAAAAAAAAAAAAAAAAACAQAAAAAAAAAAAAAAAAAAAgEAAAAAAAAAAAAAAAAAAAIBA"

#define DOCUMENT(nodes, meshes, accessors, views, buffers)                                                   \
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" nodes            \
    "],\"meshes\":[" meshes "],\"accessors\":[" accessors "],\"bufferViews\":[" views                        \
    "],\"buffers\":[" buffers "]}"
#define PLAN .run = {"plan", "room.gltf", "--fmax", "200"}
#define GLTF(nodes, meshes, accessors, views, buffers)                                                       \
    .file = {{"room.gltf", DOCUMENT(nodes, meshes, accessors, views, buffers)}}, PLAN
#define TEXT(text)       .file = {{"room.gltf", text}}, PLAN
#define NODES(nodes)     GLTF(nodes, MESH, PLACES "," INDICES, VIEWS, SOLID)
#define MESHES(meshes)   GLTF(SCENE_NODE, meshes, PLACES "," INDICES, VIEWS, SOLID)
#define ACCESSORS(list)  GLTF(SCENE_NODE, MESH, list, VIEWS, SOLID)
#define WITH_VIEWS(list) GLTF(SCENE_NODE, MESH, PLACES "," INDICES, list, SOLID)
#define WITH_BUFFER(one) GLTF(SCENE_NODE, MESH, PLACES "," INDICES, VIEWS, one)
#define URI(uri)         WITH_BUFFER(BUFFER(uri))

/* ---- makers ---- */

static void write_gltf(const char *uri)
{
    FILE *file = fopen("room.gltf", "w");
    cr_assert(file != NULL);
    fprintf(file, DOCUMENT(SCENE_NODE, MESH, PLACES "," INDICES, VIEWS, BUFFER("%s")), uri);
    fclose(file);
}

static void make_absolute(void)
{
    char path[200];
    snprintf(path, sizeof path, "%s/outside.bin", folder);
    write_gltf(path);
}

static void make_absolute_url(void)
{
    char path[200];
    snprintf(path, sizeof path, "file://%s/outside.bin", folder);
    write_gltf(path);
}

static void make_link_out(void)
{
    cr_assert(eq(int, symlink("../outside.bin", "link.bin"), 0));
    write_gltf("link.bin");
}

static void make_linked_folder(void)
{
    cr_assert(eq(int, symlink("..", "sub"), 0));
    write_gltf("sub/outside.bin");
}

static void make_pipe(void)
{
    cr_assert(eq(int, mkfifo("pipe.bin", 0666), 0));
    write_gltf("pipe.bin");
}

static void make_short_buffer(void)
{
    write_tetrahedron("short.bin");
    cr_assert(eq(int, truncate("short.bin", 40), 0));
    write_gltf("short.bin");
}

/* Node 0 holds 1, which holds 2, and so on. */
static void make_deep_nodes(void)
{
    FILE *file = fopen("room.gltf", "w");
    cr_assert(file != NULL);
    fputs("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[", file);
    for (int i = 0; i < 100000; i++)
        fprintf(file, "{\"children\":[%d]},", i + 1);
    fputs(SCENE_NODE "],\"meshes\":[" MESH "],\"accessors\":[" PLACES "," INDICES "],\"bufferViews\":[" VIEWS
                     "],\"buffers\":[" SOLID "]}",
          file);
    fclose(file);
}

/* Thirty levels of nodes, each of which holds the next one twice: 2^30 times the tetrahedron. */
static void make_doubling_nodes(void)
{
    FILE *file = fopen("room.gltf", "w");
    cr_assert(file != NULL);
    fputs("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[", file);
    for (int i = 0; i < 30; i++)
        fprintf(file, "{\"children\":[%d,%d]},", i + 1, i + 1);
    fputs(SCENE_NODE "],\"meshes\":[" MESH "],\"accessors\":[" PLACES "," INDICES "],\"bufferViews\":[" VIEWS
                     "],\"buffers\":[" SOLID "]}",
          file);
    fclose(file);
}

static void make_deep_json(void)
{
    FILE *file = fopen("room.gltf", "w");
    cr_assert(file != NULL);
    for (int i = 0; i < 1000000; i++)
        fputc('[', file);
    fclose(file);
}

static void make_noise(void)
{
    uint64_t state = 3, noise[4096];
    for (size_t i = 0; i < 4096; i++)
        noise[i] = test_random(&state);
    write_bytes("room.gltf", noise, sizeof noise);
    memcpy(noise, "glTF\2\0\0\0", 8);
    write_bytes("room.glb", noise, sizeof noise);
}

/* A GLB of the tetrahedron whose header and chunks say what they are told. */
static void write_glb(uint32_t version, int64_t total_more, int64_t json_more, int64_t binary_more,
                      size_t cut)
{
    static const char json[] = DOCUMENT(SCENE_NODE, MESH, PLACES "," INDICES, VIEWS, "{\"byteLength\":60}");
    char bytes[4096];
    write_tetrahedron("room.glb");
    unsigned char solid[60];
    FILE *file = fopen("room.glb", "rb");
    cr_assert(file != NULL && fread(solid, sizeof solid, 1, file) == 1);
    fclose(file);
    const uint32_t text = (uint32_t)(strlen(json) + 3) / 4 * 4, total = 12 + 8 + text + 8 + 60;
    const uint32_t head[5] = {0x46546C67, version, (uint32_t)(total + total_more),
                              (uint32_t)(text + json_more), 0x4E4F534A};
    const uint32_t second[2] = {(uint32_t)(60 + binary_more), 0x004E4942};
    cr_assert(total <= sizeof bytes);
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + 20, json, strlen(json));
    memcpy(bytes + 20 + text, second, sizeof second);
    memcpy(bytes + 28 + text, solid, sizeof solid);
    write_bytes("room.glb", bytes, total - cut);
}

static void make_good_glb(void)
{
    write_glb(2, 0, 0, 0, 0);
}

static void make_glb_version_1(void)
{
    write_glb(1, 0, 0, 0, 0);
}

static void make_glb_that_says_more(void)
{
    write_glb(2, 1000, 0, 0, 0);
}

static void make_glb_with_long_json(void)
{
    write_glb(2, 0, 100000, 0, 0);
}

static void make_glb_with_huge_json(void)
{
    write_glb(2, 0, -4000, 0, 0);
}

static void make_glb_with_long_chunk(void)
{
    write_glb(2, 0, 0, 4000000000, 0);
}

static void make_cut_glb(void)
{
    write_glb(2, 0, 0, 0, 30);
}

static void make_glb_header(void)
{
    write_bytes("room.glb", "glTF\2\0\0\0\x0c\0\0\0", 12);
}

static void make_glb_magic(void)
{
    write_bytes("room.glb", "glTF", 4);
}

/* ---- tables ---- */

#define GLB .run = {"plan", "room.glb", "--fmax", "200"}

static const struct bad_input text[] = {
    {"an empty file", TEXT(""), .status = 2, .says = {"room.gltf"}},
    {"noise", .make = make_noise, PLAN, .status = 2, .says = {"room.gltf"}},
    {"an empty object", TEXT("{}"), .status = 2, .says = {"room.gltf"}},
    {"JSON cut off", TEXT("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"sce"), .status = 2,
     .says = {"room.gltf"}},
    {"a list", TEXT("[1,2,3]"), .status = 2, .says = {"room.gltf"}},
    {"a million brackets", .make = make_deep_json, PLAN, .status = 2, .says = {"room.gltf"}},
    {"version 1", TEXT("{\"asset\":{\"version\":\"1.0\"}}"), .status = 2, .says = {"room.gltf"}},
    {"no scene", TEXT("{\"asset\":{\"version\":\"2.0\"}}"), .status = 2, .says = {"room.gltf"}},
    {"a word where a list should be", TEXT("{\"asset\":{\"version\":\"2.0\"},\"nodes\":\"many\"}"),
     .status = 2, .says = {"room.gltf"}},
};

static const struct bad_input nodes[] = {
    {"(good: a node with a mesh)", NODES(SCENE_NODE), .status = 0},
    {"a node that is its own child", NODES("{\"mesh\":0,\"children\":[0]}"), .status = 2,
     .says = {"room.gltf", "node"}},
    {"two nodes that are each other's child", NODES("{\"mesh\":0,\"children\":[1]},{\"children\":[0]}"),
     .status = 2, .says = {"room.gltf", "node"}},
    {"a child that does not exist", NODES("{\"mesh\":0,\"children\":[7]}"), .status = 2,
     .says = {"room.gltf", "7"}},
    {"a child of -1", NODES("{\"mesh\":0,\"children\":[-1]}"), .status = 2, .says = {"room.gltf", "-1"}},
    {"a mesh that does not exist", NODES("{\"mesh\":9}"), .status = 2, .says = {"room.gltf", "9"}},
    {"a mesh of 2^40", NODES("{\"mesh\":1099511627776}"), .status = 2, .says = {"room.gltf"}},
    {"a scene's node that does not exist",
     TEXT("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[5]}],\"nodes\":[]}"),
     .status = 2, .says = {"room.gltf", "5"}},
    {"100,000 nodes one below the other", .make = make_deep_nodes, PLAN, .status = 2,
     .says = {"room.gltf", "nested"}},
    {"2^30 instances by doubling", .make = make_doubling_nodes, PLAN, .status = 2, .says = {"room.gltf"}},
    {"a matrix of NaN and words", NODES("{\"mesh\":0,\"matrix\":[1,0,0,0,0,\"x\",0,0,0,0,1,0,0,0,0,1]}"),
     .status = 2, .says = {"room.gltf", "matrix"}},
    {"a scale of 1e30", NODES("{\"mesh\":0,\"scale\":[1e30,1e30,1e30]}"), .status = 2,
     .says = {"room.gltf", "1e6 m"}},
    {"a scale of 0", NODES("{\"mesh\":0,\"scale\":[0,0,0]}"), .status = 2, .says = {"room.gltf", "triangle"}},
};

static const struct bad_input sizes[] = {
    {"(good: two accessors)", ACCESSORS(PLACES "," INDICES), .status = 0},
    {"4,000,000,000 places in 48 bytes",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":4000000000,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "accessor"}},
    {"10^18 places",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":1000000000000000000,"
               "\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "accessor"}},
    {"-4 places",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":-4,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "accessor"}},
    {"5 places where 4 stand",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "accessor"}},
    {"places from byte 4,294,967,292 on",
     ACCESSORS("{\"bufferView\":1,\"byteOffset\":4294967292,\"componentType\":5126,\"count\":4,"
               "\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "accessor"}},
    {"an unknown type of component",
     ACCESSORS("{\"bufferView\":1,\"componentType\":4242,\"count\":4,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "4242"}},
    {"a view that does not exist",
     ACCESSORS("{\"bufferView\":8,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "8"}},
    {"a view past its buffer",
     WITH_VIEWS("{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":40,"
                "\"byteLength\":48}"),
     .status = 2, .says = {"room.gltf", "60"}},
    {"a view from byte -8",
     WITH_VIEWS("{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":-8,"
                "\"byteLength\":48}"),
     .status = 2, .says = {"room.gltf", "-8"}},
    {"a view whose end wraps past 2^64",
     WITH_VIEWS("{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12},{\"buffer\":0,"
                "\"byteOffset\":18446744073709551608,\"byteLength\":56}"),
     .status = 2, .says = {"room.gltf"}},
    {"a stride of 1 GB",
     WITH_VIEWS("{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":12,"
                "\"byteLength\":48,\"byteStride\":1000000000}"),
     .status = 2, .says = {"room.gltf"}},
    {"a buffer that does not exist",
     WITH_VIEWS("{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12},{\"buffer\":3,\"byteOffset\":12,"
                "\"byteLength\":48}"),
     .status = 2, .says = {"room.gltf", "3"}},
    {"a buffer of 2^62 bytes", WITH_BUFFER("{\"byteLength\":4611686018427387904,\"uri\":\"solid.bin\"}"),
     .status = 2, .says = {"room.gltf"}},
    {"a buffer shorter than it says", .make = make_short_buffer, PLAN, .status = 2,
     .says = {"room.gltf", "short.bin", "40", "60"}},
    {"a sparse accessor with an index past the end",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{"
               "\"count\":4,\"indices\":{\"bufferView\":1,\"componentType\":5125},\"values\":{"
               "\"bufferView\":1}}}," INDICES),
     .status = 2, .says = {"room.gltf", "sparse"}},
    {"a sparse accessor of 4,000,000,000",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{"
               "\"count\":4000000000,\"indices\":{\"bufferView\":0,\"componentType\":5121},\"values\":{"
               "\"bufferView\":1}}}," INDICES),
     .status = 2, .says = {"room.gltf", "sparse"}},
    {"an index past the places",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "3"}},
    {"a primitive without places", MESHES("{\"primitives\":[{\"attributes\":{},\"indices\":1}]}"),
     .status = 2, .says = {"room.gltf"}},
    {"places of an accessor that does not exist",
     MESHES("{\"primitives\":[{\"attributes\":{\"POSITION\":6},\"indices\":1}]}"), .status = 2,
     .says = {"room.gltf", "6"}},
    {"compressed by Draco",
     TEXT("{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"
          "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[" MESH
          "],\"accessors\":[" PLACES "," INDICES "],\"bufferViews\":[" VIEWS "],\"buffers\":[" SOLID "]}"),
     .status = 2, .says = {"room.gltf", "KHR_draco_mesh_compression"}},
};

static const struct bad_input resources[] = {
    {"(good: a buffer beside the model)", URI("solid.bin"), .status = 0},
    {"(good: a buffer in the text)", URI(DATA), .status = 0},
    {"a buffer that is missing", URI("absent.bin"), .status = 2, .says = {"room.gltf", "absent.bin"}},
    {"../", URI("../outside.bin"), .status = 2, .says = {"room.gltf", "../outside.bin", "folder"}},
    {"./x/../../", URI("mine/../../outside.bin"), .status = 2,
     .says = {"room.gltf", "outside.bin", "folder"}},
    {"%2e%2e/", URI("%2e%2e/outside.bin"), .status = 2, .says = {"room.gltf", "outside.bin", "folder"}},
    {"%2E%2E%2F", URI("%2E%2E%2Foutside.bin"), .status = 2, .says = {"room.gltf", "outside.bin", "folder"}},
    {"..\\", URI("..\\\\outside.bin"), .status = 2, .says = {"room.gltf", "outside.bin"}},
    {"an absolute path", .make = make_absolute, PLAN, .status = 2,
     .says = {"room.gltf", "outside.bin", "folder"}},
    {"file://", .make = make_absolute_url, PLAN, .status = 2, .says = {"room.gltf", "file:"}},
    {"http://", URI("http://127.0.0.1:9/solid.bin"), .status = 2, .says = {"room.gltf", "http:"}},
    {"a link out of the folder", .make = make_link_out, PLAN, .status = 2, .says = {"room.gltf", "link.bin"}},
    {"a folder that is a link", .make = make_linked_folder, PLAN, .status = 2,
     .says = {"room.gltf", "sub/outside.bin"}},
    {"a pipe that nobody writes to", .make = make_pipe, PLAN, .status = 2, .says = {"room.gltf", "pipe.bin"}},
    {"a device that never ends", URI("/dev/zero"), .status = 2, .says = {"room.gltf", "/dev/zero"}},
    {"a shell command", URI("`touch owned`"), .status = 2, .says = {"room.gltf"}},
    {"a variable of the shell", URI("$PWD/solid.bin"), .status = 2, .says = {"room.gltf"}},
    {"a zero byte in the name", URI("solid.bin%00.png"), .status = 2, .says = {"room.gltf"}},
    {"data that are no base64", URI("data:application/octet-stream;base64,@@@@"), .status = 2,
     .says = {"room.gltf"}},
    {"data shorter than they say", URI("data:application/octet-stream;base64,AAIB"), .status = 2,
     .says = {"room.gltf", "60"}},
    {"data that are only announced", URI("data:"), .status = 2, .says = {"room.gltf"}},
    {"a folder for a buffer", URI("mine"), .status = 2, .says = {"room.gltf", "mine"}},
};

static const struct bad_input glb[] = {
    {"(good: a GLB)", .make = make_good_glb, GLB, .status = 0},
    {"an empty GLB", .file = {{"room.glb", ""}}, GLB, .status = 2, .says = {"room.glb"}},
    {"a GLB of prose", .file = {{"room.glb", "The room is nice, and it is a mesh.\n"}}, GLB, .status = 2,
     .says = {"room.glb"}},
    {"a GLB of noise", .make = make_noise, GLB, .status = 2, .says = {"room.glb"}},
    {"four bytes", .make = make_glb_magic, GLB, .status = 2, .says = {"room.glb"}},
    {"a header and no more", .make = make_glb_header, GLB, .status = 2, .says = {"room.glb"}},
    {"version 1 in a GLB", .make = make_glb_version_1, GLB, .status = 2, .says = {"room.glb"}},
    {"a header that says more than there is", .make = make_glb_that_says_more, GLB, .status = 2,
     .says = {"room.glb"}},
    {"a JSON chunk past the end", .make = make_glb_with_long_json, GLB, .status = 2, .says = {"room.glb"}},
    {"a JSON chunk of nearly 2^32 bytes", .make = make_glb_with_huge_json, GLB, .status = 2,
     .says = {"room.glb"}},
    {"a binary chunk past the end", .make = make_glb_with_long_chunk, GLB, .status = 2, .says = {"room.glb"}},
    {"a GLB cut off", .make = make_cut_glb, GLB, .status = 2, .says = {"room.glb"}},
};

Test(bad_input_gltf, text_that_is_no_gltf_is_refused)
{
    JUDGE(text);
}

Test(bad_input_gltf, nodes_in_circles_too_deep_or_absent_are_refused)
{
    JUDGE(nodes);
}

Test(bad_input_gltf, counts_and_offsets_past_the_bytes_are_refused)
{
    JUDGE(sizes);
}

Test(bad_input_gltf, nothing_out_of_the_folder_is_read)
{
    JUDGE(resources);
}

Test(bad_input_gltf, a_glb_that_lies_about_its_chunks_is_refused)
{
    JUDGE(glb);
}
