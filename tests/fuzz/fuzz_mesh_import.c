/* Import: a file of any bytes gives a mesh that passes its check, or a sentence; whatever happens to Assimp
 * stays in its process. The first byte chooses the ending: o .obj, g .gltf, b .glb, p .ply, d .dae, f .fbx, 3
 * .3ds, x .dxf, i .ifc, any other .stl.
 *
 *   tools/fuzz 600 mesh_import   # build with clang and run for ten minutes */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "geometry/import/mesh_import.h"
#include "tests/fuzz/fuzz_claims.h"

static char folder[64];

static const struct {
    char first;
    const char *ending;
} formats[] = {{'o', "obj"}, {'g', "gltf"}, {'b', "glb"}, {'p', "ply"}, {'d', "dae"},
               {'f', "fbx"}, {'3', "3ds"},  {'x', "dxf"}, {'i', "ifc"}, {'s', "stl"}};
#define FORMATS (sizeof formats / sizeof formats[0])

static void remove_folder(void)
{
    char path[100];
    for (size_t i = 0; i < FORMATS; i++) {
        snprintf(path, sizeof path, "%s/room.%s", folder, formats[i].ending);
        unlink(path);
    }
    rmdir(folder);
}

/* In memory where that is possible. */
static void make_folder(void)
{
    if (folder[0] != '\0')
        return;
    snprintf(folder, sizeof folder, "%s/transept-fuzz.%ld",
             access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    CLAIM(mkdir(folder, 0700) == 0);
    atexit(remove_folder);
}

static const char *ending_of(uint8_t byte)
{
    size_t i = 0;
    while (i + 1 < FORMATS && formats[i].first != (char)byte)
        i++;
    return formats[i].ending;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char path[100];
    make_folder();
    snprintf(path, sizeof path, "%s/room.%s", folder, ending_of(data[0]));
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CLAIM(file >= 0 && write(file, data + 1, size - 1) == (ssize_t)size - 1 && close(file) == 0);

    struct failure failure = {0};
    struct mesh mesh, untouched;
    struct mesh_import_facts facts;
    const struct mesh_import_options options = {0};
    memset(&mesh, 0x5A, sizeof mesh);
    untouched = mesh;
    const int code = mesh_import(path, &options, &mesh, &facts, &failure);
    claim_outcome(code, &failure);
    if (code != 0) {
        CLAIM(memcmp(&mesh, &untouched, sizeof mesh) == 0);
        CLAIM(strstr(failure.file, "room.") != NULL || strstr(failure.sentence, "room.") != NULL);
        return 0;
    }
    CLAIM(mesh.triangle_count > 0);
    CLAIM(mesh_check(&mesh, &failure) == 0);
    CLAIM(memchr(facts.warning, '\0', sizeof facts.warning) != NULL);
    for (size_t m = 0; m < mesh.marker_count; m++)
        for (const char *c = mesh.marker[m].name; *c != '\0'; c++)
            CLAIM((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
                  *c == '_' || *c == '-');
    mesh_free(&mesh);
    return 0;
}
