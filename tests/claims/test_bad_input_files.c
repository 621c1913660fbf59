/** Model files that must be refused by the whole program, but for glTF: missing, broken, hostile, or with
 * nothing enclosed; one row for each way that a refusal takes. What else is refused, and in which words:
 * test_mesh_import, test_model_input, test_regular_file. */
#define _XOPEN_SOURCE   700 /* nftw, mkdtemp */
#define _DEFAULT_SOURCE     /* wait4 */
#include "tests/support/bad_input.h"

TestSuite(bad_input_files, .init = enter_folder, .fini = leave_folder);

#define PLAN(path)   "plan", path, "--fmax", "200"
#define PLACES       "--source", "1,1,1", "--receiver", "2,2,2"
#define SIMULATE     "simulate", "room.obj", "--fmax", "200", "--duration", "0.05", "--absorption", "0.1"
#define OBJ(text)    .file = {{"room.obj", text}}, .run = {PLAN("room.obj")}
#define CORNERS      "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\n"
#define SOLID(faces) CORNERS "usemtl wall\n" faces

/* ---- makers ---- */

static void make_link_loop(void)
{
    cr_assert(eq(int, symlink("room.obj", "room.obj"), 0));
}

static void make_noise(void)
{
    uint64_t state = 20261120;
    uint64_t noise[8192];
    for (size_t i = 0; i < 8192; i++)
        noise[i] = test_random(&state);
    write_bytes("room.obj", noise, sizeof noise);
    write_bytes("room.ply", noise, sizeof noise);
    write_bytes("room.stl", noise, sizeof noise);
}

/* One line of 64 MiB without an end. */
static void make_long_line(void)
{
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    char block[65536];
    memset(block, 'v', sizeof block);
    for (int i = 0; i < 1024; i++)
        fwrite(block, sizeof block, 1, file);
    fclose(file);
}

static void make_polygon_of_a_million_corners(void)
{
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    fputs(CORNERS "f", file);
    for (int i = 0; i < 1000000; i++)
        fprintf(file, " %d", 1 + i % 4);
    fclose(file);
}

static void make_stl(uint32_t claimed, size_t held)
{
    FILE *file = fopen("room.stl", "wb");
    cr_assert(file != NULL);
    char head[80] = "";
    fwrite(head, sizeof head, 1, file);
    fwrite(&claimed, sizeof claimed, 1, file);
    static const float places[12] = {0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 3, 0};
    const uint16_t attributes = 0;
    for (size_t i = 0; i < held; i++) {
        fwrite(places, sizeof places, 1, file);
        fwrite(&attributes, sizeof attributes, 1, file);
    }
    fclose(file);
}

static void make_stl_of_4_billion(void)
{
    make_stl(UINT32_MAX, 2);
}

static void make_stl_with_nan(void)
{
    make_stl(1, 1);
    FILE *file = fopen("room.stl", "r+b");
    cr_assert(file != NULL);
    const float nan_value = NAN;
    fseek(file, 84 + 12, SEEK_SET);
    fwrite(&nan_value, sizeof nan_value, 1, file);
    fclose(file);
}

static void make_two_rooms(void)
{
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    for (int room = 0; room < 2; room++)
        for (int i = 0; i < 8; i++)
            fprintf(file, "v %d %d %d\n", (i & 1 ? 3 : 0) + 5 * room, i & 2 ? 3 : 0, i & 4 ? 3 : 0);
    fputs("usemtl wall\n", file);
    for (int room = 0; room < 2; room++) {
        static const int face[6][4] = {{1, 3, 4, 2}, {1, 2, 6, 5}, {3, 7, 8, 4},
                                       {1, 5, 7, 3}, {2, 4, 8, 6}, {5, 6, 8, 7}};
        for (int f = 0; f < 6; f++)
            fprintf(file, "f %d %d %d %d\n", face[f][0] + 8 * room, face[f][1] + 8 * room,
                    face[f][2] + 8 * room, face[f][3] + 8 * room);
    }
    fclose(file);
}

static void make_open_room(void)
{
    write_box("room.obj", 3, 3, 3, false);
}

static void make_huge_room(void)
{
    write_box("room.obj", 464.15888, 464.15888, 464.15888, true);
}

/* ---- tables ---- */

static const struct bad_input not_a_file[] = {
    {"a missing file", .run = {PLAN("absent.obj")}, .status = 2, .says = {"absent.obj", "No such file"}},
    {"a name with a line break", .run = {PLAN("ab\nsent.obj")}, .status = 2, .says = {"sent.obj"}},
    {"a path through a file", .run = {PLAN("cube.obj/room.obj")}, .status = 2, .says = {"cube.obj/room.obj"}},
    {"a link to itself", .make = make_link_loop, .run = {PLAN("room.obj")}, .status = 2,
     .says = {"room.obj"}},
};

static const struct bad_input obj[] = {
    {"an OBJ of noise", .make = make_noise, .run = {PLAN("room.obj")}, .status = 2, .says = {"room.obj"}},
    {"index 0", OBJ(CORNERS "f 1 2 0\n"), .status = 2,
     .says = {"room.obj", "line 5", "\"0\"", "vertices 1 to 4"}},
    {"an index before 64 bits", OBJ(CORNERS "f 1 2 -9223372036854775808\n"), .status = 2,
     .says = {"room.obj", "line 5", "vertices 1 to 4"}},
    {"an escape sequence for a number", OBJ("v \x1b[2J 0 0\n"), .status = 2, .says = {"room.obj", "line 1"}},
    {"2000 km from the origin", OBJ("v 2e6 0 0\nv 2000003 0 0\nv 2e6 3 0\nv 2e6 0 3\nf 1 2 3\n"), .status = 2,
     .says = {"room.obj", "x = 2e+06 m", "1e6 m", "origin"}},
    {"a polygon of a million corners", .make = make_polygon_of_a_million_corners, .run = {PLAN("room.obj")},
     .status = 2, .says = {"room.obj", "line 5", "corners", "split it"}},
    {"a line of 64 MiB", .make = make_long_line, .run = {PLAN("room.obj")}, .status = 2,
     .says = {"room.obj", "no triangles"}},
};

#define PLY(vertices, faces, body)                                                                           \
    .file = {{"room.ply", "ply\nformat ascii 1.0\nelement vertex " vertices                                  \
                          "\nproperty float x\nproperty float y\nproperty float z\nelement face " faces      \
                          "\nproperty list uchar int vertex_indices\nend_header\n" body}},                   \
    .run = {PLAN("room.ply")}
#define PLY_CORNERS "0 0 0\n3 0 0\n0 3 0\n0 0 3\n"
#define PLY_FACES   "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

static const struct bad_input other_formats[] = {
    {"(good: an ASCII PLY)", PLY("4", "4", PLY_CORNERS PLY_FACES), .status = 0},
    {"a PLY of noise", .make = make_noise, .run = {PLAN("room.ply")}, .status = 2, .says = {"room.ply"}},
    {"a PLY of 4,000,000,000 vertices in 200 bytes", PLY("4000000000", "4", PLY_CORNERS PLY_FACES),
     .status = 2, .says = {"room.ply"}},
    {"a PLY index past the end", PLY("4", "4", PLY_CORNERS "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 9\n"),
     .status = 2, .says = {"room.ply", "vertex 9", "4"}},
    {"a PLY with NaN", PLY("4", "4", "0 0 0\nnan 0 0\n0 3 0\n0 0 3\n" PLY_FACES), .status = 2,
     .says = {"room.ply"}},
    {"an STL of noise", .make = make_noise, .run = {PLAN("room.stl")}, .status = 2, .says = {"room.stl"}},
    {"an STL that claims 4,294,967,295 triangles", .make = make_stl_of_4_billion, .run = {PLAN("room.stl")},
     .status = 2, .says = {"room.stl"}},
    {"a glTF whose node is its own child",
     .file = {{"room.gltf", "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                            "\"nodes\":[{\"children\":[0]}]}"}},
     .run = {PLAN("room.gltf")}, .status = 2, .says = {"room.gltf", "node"}},
    {"a DXF that is cut off", .file = {{"room.dxf", "  0\nSECTION\n  2\nENTITIES\n"}},
     .run = {PLAN("room.dxf")}, .status = 2,
     .says = {"room.dxf, line 4", "incomplete", "save or copy it again"}},
    {"an IFC of version 4", .file = {{"room.ifc", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\n"}},
     .run = {PLAN("room.ifc")}, .status = 2, .says = {"room.ifc", "IFC4", "export IFC2x3"}},
    {"an STL with NaN", .make = make_stl_with_nan, .run = {PLAN("room.stl")}, .status = 2,
     .says = {"room.stl"}},
};

static const struct bad_input not_a_room[] = {
    {"a sheet encloses nothing", OBJ("v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nusemtl wall\nf 1 2 3 4\n"),
     .status = 2, .says = {"enclose"}},
    {"a box without a lid encloses nothing", .make = make_open_room, .run = {PLAN("room.obj")}, .status = 2,
     .says = {"enclose", "not closed", "gap", "leak.obj", "--open"}, .leaves = "leak.obj"},
    {"a leak, with its path", .make = make_open_room, .run = {SIMULATE, PLACES, "-o", "run"}, .status = 2,
     .says = {"not closed", "gap", "leak.obj", "--open"}, .leaves = "leak.obj"},
    {"a leak whose path has no place to go", .make = make_open_room,
     .run = {SIMULATE, PLACES, "-o", "run", "--leak", "no/folder/leak.obj"}, .status = 2,
     .says = {"not closed", "gap", "--open"}},
    {"a leak whose path would replace a file of the user's", .make = make_open_room,
     .run = {SIMULATE, PLACES, "-o", "run", "--leak", "cube.obj"}, .status = 2, .says = {"cube.obj exists"}},
    {"a receiver in another cavity", .make = make_two_rooms,
     .run = {SIMULATE, "--source", "1,1,1", "--receiver", "6,1,1", "-o", "run"}, .status = 2,
     .says = {"R1", "6, 1, 1"}},
    {"a million nodes along an axis", .make = make_huge_room,
     .run = {"plan", "room.obj", "--spacing", "0.1mm"}, .status = 3,
     .says = {"464.159 m along x", "0.0001 m", "at most 1048576", "--spacing"}},
};

Test(bad_input_files, unreadable_files_are_refused)
{
    JUDGE(not_a_file);
}

Test(bad_input_files, a_broken_obj_is_refused_with_its_line)
{
    JUDGE(obj);
}

Test(bad_input_files, a_file_of_another_format_that_lies_is_refused)
{
    JUDGE(other_formats);
}

Test(bad_input_files, a_mesh_that_is_no_room_or_too_large_is_refused)
{
    JUDGE(not_a_room);
}
