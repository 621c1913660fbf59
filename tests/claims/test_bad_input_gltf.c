/** glTF and GLB that must be refused by the whole program: one row for each way that a refusal takes, from
 * the text to Assimp and behind it. What else is refused, and in which words: test_gltf_check,
 * test_model_input. */
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
#define NODES(nodes)     GLTF(nodes, MESH, PLACES "," INDICES, VIEWS, SOLID)
#define ACCESSORS(list)  GLTF(SCENE_NODE, MESH, list, VIEWS, SOLID)
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

static void make_link_out(void)
{
    cr_assert(eq(int, symlink("../outside.bin", "link.bin"), 0));
    write_gltf("link.bin");
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

/* A GLB of the tetrahedron whose JSON chunk says so many bytes more, and that is cut short. */
static void write_glb(int64_t json_more, size_t cut)
{
    static const char json[] = DOCUMENT(SCENE_NODE, MESH, PLACES "," INDICES, VIEWS, "{\"byteLength\":60}");
    char bytes[4096];
    unsigned char solid[60];
    FILE *file = fopen("solid.bin", "rb");
    cr_assert(file != NULL && fread(solid, sizeof solid, 1, file) == 1);
    fclose(file);
    const uint32_t text = (uint32_t)(strlen(json) + 3) / 4 * 4, total = 12 + 8 + text + 8 + 60;
    const uint32_t head[5] = {0x46546C67, 2, total, (uint32_t)(text + json_more), 0x4E4F534A};
    const uint32_t second[2] = {60, 0x004E4942};
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
    write_glb(0, 0);
}

static void make_glb_with_huge_json(void)
{
    write_glb(-4000, 0);
}

static void make_cut_glb(void)
{
    write_glb(0, 30);
}

/* ---- tables ---- */

#define GLB .run = {"plan", "room.glb", "--fmax", "200"}

static const struct bad_input lies[] = {
    {"(good: a node with a mesh)", NODES(SCENE_NODE), .status = 0},
    {"noise", .make = make_noise, PLAN, .status = 2, .says = {"room.gltf"}},
    {"a million brackets", .make = make_deep_json, PLAN, .status = 2, .says = {"room.gltf"}},
    {"a node that is its own child", NODES("{\"mesh\":0,\"children\":[0]}"), .status = 2,
     .says = {"room.gltf", "node"}},
    {"2^30 instances by doubling", .make = make_doubling_nodes, PLAN, .status = 2, .says = {"room.gltf"}},
    {"a scale of 1e30", NODES("{\"mesh\":0,\"scale\":[1e30,1e30,1e30]}"), .status = 2,
     .says = {"room.gltf", "1e6 m"}},
    {"4,000,000,000 places in 48 bytes",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":4000000000,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "accessor"}},
    {"a buffer shorter than it says", .make = make_short_buffer, PLAN, .status = 2,
     .says = {"room.gltf", "short.bin", "40", "60"}},
    {"an index past the places",
     ACCESSORS("{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}," INDICES),
     .status = 2, .says = {"room.gltf", "3"}},
    {"(good: a GLB)", .make = make_good_glb, GLB, .status = 0},
    {"a GLB of noise", .make = make_noise, GLB, .status = 2, .says = {"room.glb"}},
    {"a JSON chunk of nearly 2^32 bytes", .make = make_glb_with_huge_json, GLB, .status = 2,
     .says = {"room.glb"}},
    {"a GLB cut off", .make = make_cut_glb, GLB, .status = 2, .says = {"room.glb"}},
};

static const struct bad_input resources[] = {
    {"(good: a buffer beside the model)", URI("solid.bin"), .status = 0},
    {"(good: a buffer in the text)", URI(DATA), .status = 0},
    {"a buffer that is missing", URI("absent.bin"), .status = 2, .says = {"room.gltf", "absent.bin"}},
    {"../", URI("../outside.bin"), .status = 2, .says = {"room.gltf", "../outside.bin", "folder"}},
    {"an absolute path", .make = make_absolute, PLAN, .status = 2,
     .says = {"room.gltf", "outside.bin", "folder"}},
    {"a link out of the folder", .make = make_link_out, PLAN, .status = 2, .says = {"room.gltf", "link.bin"}},
    {"a pipe that nobody writes to", .make = make_pipe, PLAN, .status = 2, .says = {"room.gltf", "pipe.bin"}},
    {"a shell command", URI("`touch owned`"), .status = 2, .says = {"room.gltf"}},
};

Test(bad_input_gltf, files_that_lie_are_refused_with_one_sentence_and_leave_nothing)
{
    JUDGE(lies);
}

Test(bad_input_gltf, nothing_out_of_the_folder_is_read)
{
    JUDGE(resources);
}
