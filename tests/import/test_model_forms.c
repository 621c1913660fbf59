/* Files of other programs: every form in which they write a room arrives whole, and what is left out is said.
 */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include "geometry/base/base64.h"
#include "geometry/import/gltf_check.h"
#include "geometry/import/mesh_import.h"
#include "tests/import/gltf_quad.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/outcome.h"

TestSuite(model_forms, .init = enter_folder, .fini = leave_folder);

static struct mesh import(const char *path, struct mesh_import_facts *facts)
{
    struct mesh mesh = {0};
    MUST(mesh_import(path, &(struct mesh_import_options){0}, &mesh, facts, &failure));
    return mesh;
}

static void assert_refused(const char *path, const char *because)
{
    struct mesh mesh = {0};
    MUST_FAIL(mesh_import(path, &(struct mesh_import_options){0}, &mesh, NULL, &failure), FAILURE_INPUT,
              because);
}

/* The note that says `what`, which must be there with this weight; NULL: there is no note at all. */
static void assert_noted(const struct mesh_import_facts *facts, const char *what, enum import_weight weight,
                         const char *of)
{
    bool found = what == NULL && facts->notes.count == 0;
    for (size_t n = 0; n < facts->notes.count && what != NULL; ++n)
        found = found ||
                (strstr(facts->notes.note[n].what, what) != NULL && facts->notes.note[n].weight == weight);
    cr_assert(found, "%s: %zu notes, the first: %s", of, facts->notes.count, facts->notes.note[0].what);
}

/* A box of 6 x 5 x 3 m, faces outwards. */
static const double corner[8][3] = {{0, 0, 0}, {6, 0, 0}, {6, 5, 0}, {0, 5, 0},
                                    {0, 0, 3}, {6, 0, 3}, {6, 5, 3}, {0, 5, 3}};
static const int face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static void assert_box(const char *path, const char *of)
{
    struct mesh_import_facts facts;
    struct mesh mesh = import(path, &facts);
    cr_assert(mesh.triangle_count == 12 && mesh.vertex_count == 8, "%s: %zu triangles", of,
              mesh.triangle_count);
    cr_assert(fabs(enclosed_volume(&mesh) + 90) < 1e-4, "%s: %g m3", of, enclosed_volume(&mesh));
    mesh_free(&mesh);
}

/* ---- text that grows ---- */

static char text[20000];
static size_t used;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    cr_assert(used < sizeof text);
}

static void put_bytes(const void *bytes, size_t size, bool reversed)
{
    for (size_t k = 0; k < size; ++k)
        text[used++] = ((const char *)bytes)[reversed ? size - 1 - k : k];
    text[used] = '\0';
}

static const char *written(const char *path)
{
    return write_bytes(path, text, used);
}

/* ---- OBJ ---- */

static void put_obj(void)
{
    used = 0;
    for (int c = 0; c < 8; ++c)
        put("v %g %g %g\n", corner[c][0], corner[c][1], corner[c][2]);
    for (int f = 0; f < 6; ++f)
        put("f %d %d %d %d\n", face[f][0] + 1, face[f][1] + 1, face[f][2] + 1, face[f][3] + 1);
}

Test(model_forms, statements_of_an_obj_that_are_not_read_are_counted_and_named)
{
    static const struct {
        const char *lines, *what;
        enum import_weight weight;
    } rows[] = {
        {"vt 0 0\nvn 0 0 1\ns off\nmtllib a.mtl\nusemap x\n# surf\n", NULL, 0},
        {"cstype bezier\ndeg 3 3\nsurf 0 1 0 1 1 2 3 4\nparm u 0 1\nend\n",
         "1 free-form surface (`surf`) was", IMPORT_INCOMPLETE},
        {"surf 0 1 0 1 1\n  surf 0 1 \\\n0 1 2\nbsp 1 2\n", "3 free-form surfaces (`surf`) were",
         IMPORT_INCOMPLETE},
        {"cstype bspline\ncurv 0 1 1 2 3\nend\n", "1 free-form curve (`curv`)", IMPORT_HARMLESS},
        {"call other.obj\n", "1 line that would read other files", IMPORT_INCOMPLETE},
        {"lod 2\nbevel on\nlod 3\nmg 1 0.5\nshadow_obj a.obj\n",
         "5 lines that are not read: `lod`, `bevel`, `mg`, `sh", IMPORT_HARMLESS},
        {"wall 1 2 3\n", "1 line that is not read: `wall`", IMPORT_HARMLESS},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh_import_facts facts;
        put_obj();
        put("%s", rows[k].lines);
        struct mesh mesh = import(written("a.obj"), &facts);
        cr_assert(mesh.triangle_count == 12);
        assert_noted(&facts, rows[k].what, rows[k].weight, rows[k].lines);
        mesh_free(&mesh);
    }
    assert_refused(write_text("b.obj", "v 0 0 0\nv 1 0 0\ncstype bezier\nsurf 0 1 0 1 1 2\nend\n"),
                   "no triangles: 1 free-form surface (`surf`)");
}

Test(model_forms, any_word_of_a_group_can_name_a_position)
{
    static const struct {
        const char *line, *name; /* NULL: a wall */
        enum marker_kind kind;
    } rows[] = {
        {"g Mesh1 source:kanzel Model", "kanzel", MARKER_SOURCE},
        {"g Mesh12 Receiver:pew_3 Group7 Component_2 Model", "pew_3", MARKER_RECEIVER},
        {"g Mesh1 receiver:pew 12 Model", "pew_12", MARKER_RECEIVER},
        {"o Object_3 source:a", "a", MARKER_SOURCE},
        {"g receiver:pew 12", "pew_12", MARKER_RECEIVER},
        {"o source:Model", "Model", MARKER_SOURCE},
        {"g source:a Model", "a_Model", MARKER_SOURCE},
        {"g Mesh1 resource:kanzel Model", NULL, MARKER_SOURCE},
        {"g Mesh1 source: Model", "source", MARKER_SOURCE},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh_import_facts facts;
        put_obj();
        /* SketchUp has a group for each part. */
        put("%s\nv 2 2 1\nv 4 2 1\nv 3 5 1\nf 9 10 11\n%s\nf 9 11 10\n%c Mesh9 Model\nf 1 2 3\n",
            rows[k].line, rows[k].line[0] == 'g' ? rows[k].line : "", rows[k].line[0]);
        struct mesh mesh = import(written("a.obj"), &facts);
        cr_assert(eq(sz, mesh.marker_count, rows[k].name != NULL ? 1 : 0), "%s", rows[k].line);
        if (rows[k].name != NULL) {
            const struct mesh_marker *marker = &mesh.marker[0];
            cr_assert(strcmp(marker->name, rows[k].name) == 0 && marker->kind == rows[k].kind, "%s: %s",
                      rows[k].line, marker->name);
            cr_assert(marker->position[0] == 3 && marker->position[1] == 3 && marker->position[2] == 1);
        }
        cr_assert(eq(sz, mesh.triangle_count, rows[k].name != NULL ? 13 : 14), "%s", rows[k].line);
        mesh_free(&mesh);
    }
}

/* ---- PLY ---- */

enum { LITTLE, BIG };

struct ply_form {
    int order;
    const char *ending;
    double first; /* x of the first corner; -1: 0 */
    bool doubles, small, strips, faces_first;
};

static void put_number(double value, const struct ply_form *form)
{
    const float narrow = (float)value;
    put_bytes(form->doubles ? (const void *)&value : &narrow, form->doubles ? 8 : 4, form->order == BIG);
}

static void put_index(int32_t index, const struct ply_form *form)
{
    put_bytes(&index, form->small ? 1 : 4, form->order == BIG && !form->small);
}

static void put_vertices(const struct ply_form *form)
{
    for (int c = 0; c < 8; ++c)
        for (int axis = 0; axis < 3; ++axis)
            put_number(corner[c][axis] + (axis == 0 ? form->first : 0), form);
}

static void put_faces(const struct ply_form *form)
{
    static const int32_t strip[] = {0, 3, 1, 2,  -1, 4, 5, 7, 6,  -1, 0, 1, 4, 5, -1, 1,
                                    2, 5, 6, -1, 2,  3, 6, 7, -1, 3,  0, 7, 4, 4, 4};
    const unsigned char four = 4;
    const int32_t length = sizeof strip / sizeof strip[0];
    if (form->strips)
        put_bytes(&length, 4, form->order == BIG);
    for (int k = 0; form->strips && k < length; ++k)
        put_index(strip[k], form);
    for (int f = 0; !form->strips && f < 6; ++f) {
        put_bytes(&four, 1, false);
        for (int c = 0; c < 4; ++c)
            put_index(face[f][c], form);
    }
}

static void put_ply(const struct ply_form *form)
{
    char head[2][200], plain[1000];
    const char *number = form->doubles ? "double" : "float", *index = form->small ? "char" : "int";
    (void)snprintf(head[0], sizeof head[0], "element vertex 8\nproperty %s x\nproperty %s y\nproperty %s z\n",
                   number, number, number);
    (void)snprintf(head[1], sizeof head[1], "element %s\nproperty list %s %s vertex_indices\n",
                   form->strips ? "tristrips 1" : "face 6", form->strips ? "int" : "uchar", index);
    (void)snprintf(plain, sizeof plain, "ply\nformat binary_%s_endian 1.0\n%s%send_header\n",
                   form->order == BIG ? "big" : "little", head[form->faces_first], head[!form->faces_first]);
    used = 0;
    for (const char *c = plain; *c != '\0'; ++c)
        *c == '\n' ? put("%s", form->ending) : put("%c", *c);
    if (form->faces_first)
        put_faces(form);
    put_vertices(form);
    if (!form->faces_first)
        put_faces(form);
}

Test(model_forms, a_binary_ply_arrives_whole_in_every_form)
{
    /* 3.0000024 begins with the byte 0x0A of a line break; big-endian, 2.96e-33 does. */
    static const struct ply_form forms[] = {
        {LITTLE, "\n", .first = 3.00000238418579},
        {LITTLE, "\r\n", .first = 3.00000238418579},
        {LITTLE, "\r", .first = 3.00000238418579},
        {BIG, "\n", .first = 6.6e-33},
        {BIG, "\r", .first = 6.6e-33},
        {BIG, "\r\n", .first = 0},
        {LITTLE, "\n", .first = 0},
        {LITTLE, "\n", .first = 3, .doubles = true, .small = true},
        {BIG, "\n", .first = 3, .doubles = true, .strips = true},
        {LITTLE, "\n", .first = 0, .strips = true},
        {LITTLE, "\r\n", .first = 0, .strips = true, .small = true},
        {LITTLE, "\n", .first = 0, .faces_first = true},
        {BIG, "\n", .first = 0, .faces_first = true, .strips = true},
    };
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; ++k) {
        char of[20];
        (void)snprintf(of, sizeof of, "form %zu", k);
        put_ply(&forms[k]);
        assert_box(written("a.ply"), of);
    }
}

#define PLY_VERTICES                                                                                         \
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE    "element face 1\nproperty list uchar int vertex_indices\n"
#define PLY_CORNERS "0 0 0\n4 0 0\n4 3 0\n0 3 0\n"

Test(model_forms, strips_of_a_text_ply_join_its_faces_and_other_elements_are_named)
{
    static const struct {
        const char *elements, *values, *what;
        size_t triangles;
        enum import_weight weight;
    } rows[] = {
        {PLY_FACE, "4 0 1 2 3\n", NULL, 2, 0},
        {PLY_FACE "element tristrips 2\nproperty list int int vertex_indices\n",
         "3 0 1 2\n3 2 3 0\n4 3 1 0 -1\n", NULL, 3, 0},
        {PLY_FACE "element trifans 1\nproperty list int int vertex_indices\n", "3 0 1 2\n4 0 1 2 3\n",
         "1 elements \"trifans\", which join vertices", 1, IMPORT_INCOMPLETE},
        {PLY_FACE
         "element edge 2\nproperty int vertex1\nproperty int vertex2\nelement camera 1\nproperty float f\n",
         "3 0 1 2\n0 1\n1 2\n0.5\n", "2 \"edge\", 1 \"camera\"", 1, IMPORT_HARMLESS},
        {PLY_FACE "property int material_index\nelement material 1\nproperty uchar red\n", "3 0 1 2 0\n200\n",
         "materials by number", 1, IMPORT_HARMLESS},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh_import_facts facts;
        used = 0;
        put(PLY_VERTICES "%send_header\n" PLY_CORNERS "%s", rows[k].elements, rows[k].values);
        struct mesh mesh = import(written("a.ply"), &facts);
        cr_assert(eq(sz, mesh.triangle_count, rows[k].triangles), "%s", rows[k].elements);
        assert_noted(&facts, rows[k].what, rows[k].weight, rows[k].elements);
        mesh_free(&mesh);
    }
    assert_refused(write_text("b.ply", PLY_VERTICES PLY_FACE "end_header\n" PLY_CORNERS "3 0 1 4\n"),
                   "refers to vertex 4 where only 4 exist");
    assert_refused(write_text("b.ply", PLY_VERTICES PLY_FACE "end_header\n" PLY_CORNERS "3 0 1 -1\n"),
                   "refers to vertex -1");
    assert_refused(
        write_text("b.ply", PLY_VERTICES PLY_FACE "end_header\n0 0 0\nnan 0 0\n4 3 0\n0 3 0\n3 0 1 2\n"),
        "x of vertex 2 is \"nan\"");
    assert_refused(write_text("b.ply", PLY_VERTICES
                              "element face 1\nproperty list uchar int faces\nend_header\n" PLY_CORNERS
                              "3 0 1 2\n"),
                   "\"face\" has no list vertex_indices");
}

/* ---- STL ---- */

static void put_stl_text(bool upper)
{
    used = 0;
    put("solid Room\n");
    for (int f = 0; f < 6; ++f)
        for (int half = 0; half < 2; ++half) {
            const int at[3] = {face[f][0], face[f][1 + half], face[f][2 + half]};
            put(" facet normal 0 0 0\n  outer loop\n");
            for (int c = 0; c < 3; ++c)
                put("   vertex %g %g %g\n", corner[at[c]][0], corner[at[c]][1], corner[at[c]][2]);
            put("  endloop\n endfacet\n");
        }
    put("endsolid Room\n");
    for (size_t k = 0; upper && k < used; ++k)
        text[k] = (char)(text[k] >= 'a' && text[k] <= 'z' ? text[k] - 'a' + 'A' : text[k]);
}

static void put_stl_binary(const char *head)
{
    const uint32_t count = 12;
    char header[80] = "";
    (void)snprintf(header, sizeof header, "%s", head);
    used = 0;
    put_bytes(header, sizeof header, false);
    put_bytes(&count, 4, false);
    for (int f = 0; f < 6; ++f)
        for (int half = 0; half < 2; ++half) {
            const int at[3] = {face[f][0], face[f][1 + half], face[f][2 + half]};
            float numbers[12] = {0};
            for (int c = 0; c < 9; ++c)
                numbers[3 + c] = (float)corner[at[c / 3]][c % 3];
            put_bytes(numbers, sizeof numbers, false);
            put_bytes("\0", 2, false);
        }
}

Test(model_forms, an_stl_arrives_in_any_case_and_with_bytes_behind_it)
{
    static const char zeros[60] = "";
    static const struct {
        bool binary, upper;
        const char *head;
        size_t behind;
        const char *what;
        enum import_weight weight;
    } rows[] = {
        {false, false, "", 0, NULL, 0},
        {false, true, "", 0, NULL, 0},
        {false, true, "", 3, NULL, 0}, /* zeros behind text */
        {true, false, "made by hand", 0, NULL, 0},
        {true, false, "solid of a modeller", 0, NULL, 0},
        {true, false, "solid of a modeller", 12, "12 bytes after the 12 triangles", IMPORT_HARMLESS},
        {true, false, "made by hand", 2, "2 bytes after", IMPORT_HARMLESS},
        {true, false, "made by hand", 50, "50 bytes after", IMPORT_DOUBTFUL},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh_import_facts facts;
        if (rows[k].binary)
            put_stl_binary(rows[k].head);
        else
            put_stl_text(rows[k].upper);
        put_bytes(zeros, rows[k].behind, false);
        assert_box(written("a.stl"), rows[k].head);
        struct mesh mesh = import("a.stl", &facts);
        assert_noted(&facts, rows[k].what, rows[k].weight, rows[k].head);
        mesh_free(&mesh);
    }
    assert_refused(write_text("b.stl", "SOLID nothing\nENDSOLID\n"), "without a facet");
}

/* ---- marks of numbers and of letters ---- */

Test(model_forms, decimal_commas_are_read_alike_in_every_text_and_said_with_their_line)
{
    static const struct {
        const char *path, *text, *says;
    } rows[] = {
        {"a.obj", "# x\nv 0 0 0\nv 1,5 0 0\nv 1,5 2 0\nf 1 2 3\n", "line 3: \"1,5\""},
        {"a.stl",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1,5 0 0\nvertex 1,5 2 "
         "0\nendloop\nendfacet\nendsolid\n",
         "line 5: \"1,5\""},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
         "z\n" PLY_FACE "end_header\n0 0 0\n1,5 0 0\n1,5 2 0\n3 0 1 2\n",
         "line 11: \"1,5\""},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        char mixed[500];
        struct mesh_import_facts facts;
        struct mesh mesh = import(write_text(rows[k].path, rows[k].text), &facts);
        cr_assert(facts.size[0] == 1.5 && facts.size[1] == 2, "%s", rows[k].path);
        assert_noted(&facts, rows[k].says, IMPORT_HARMLESS, rows[k].path);
        mesh_free(&mesh);
        (void)snprintf(mixed, sizeof mixed, "%s", rows[k].text);
        strrchr(mixed, ',')[0] = '.';
        assert_refused(write_text(rows[k].path, mixed), "which of them is the decimal mark");
    }
}

Test(model_forms, utf_16_is_named_in_every_text)
{
    static const char *const paths[] = {"a.obj", "a.ply", "a.stl", "a.gltf"};
    static const char letters[] = "v 0 0 0 and what else an exporting program writes\n";
    for (int form = 0; form < 4; ++form)
        for (size_t p = 0; p < sizeof paths / sizeof paths[0]; ++p) {
            const bool big = form % 2 == 1;
            used = 0;
            if (form < 2)
                put_bytes(big ? "\xFE\xFF" : "\xFF\xFE", 2, false);
            for (const char *c = letters; *c != '\0'; ++c)
                put_bytes((char[2]){*c, '\0'}, 2, big);
            assert_refused(written(paths[p]), "UTF-16");
            cr_assert(strstr(failure.fix, "UTF-8") != NULL, "%s", paths[p]);
        }
}

/* ---- glTF ---- */

static void put_text(const char *const part[PARTS])
{
    char *document = gltf_quad_text(part);
    used = 0;
    put("%s", document);
    free(document);
}

/* A quad that faces up (y), 1 x 1 m around (0.5, 0, 0.5), its indices, and places of three instances. */
static void put_gltf(const char *nodes, const char *rest)
{
    static const float quad[12] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0};
    static const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    static const float places[9] = {10, 0, 0, 20, 1, 0, 30, 0, -5};
    static const signed char turns[12] = {0, 0, 0, 127, 0, 0, 0, 127, 127, 0, 0, 0};
    static const float scales[9] = {1, 1, 1, 2, 1, 1, 1, 1, -1};
    char bytes[144];
    memcpy(bytes, quad, 48);
    memcpy(bytes + 48, indices, 12);
    memcpy(bytes + 60, places, 36);
    memcpy(bytes + 96, turns, 12);
    memcpy(bytes + 108, scales, 36);
    char *coded = base64_text(bytes, sizeof bytes), buffers[400];
    (void)snprintf(buffers, sizeof buffers,
                   "[{\"byteLength\":144,\"uri\":\"data:application/octet-stream;base64,%s\"}]", coded);
    put_text((const char *[PARTS]){
        [NODES] = nodes,
        [REST] = rest,
        [MESHES] = "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]},"
                   "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"targets\":[{}]}],"
                   "\"weights\":[0.5]}]",
        [ACCESSORS] = "[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
                      "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
                      "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                      "{\"bufferView\":3,\"componentType\":5120,\"normalized\":true,\"count\":3,"
                      "\"type\":\"VEC4\"},"
                      "{\"bufferView\":4,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]",
        [VIEWS] = "[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"
                  "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":36},"
                  "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":12},"
                  "{\"buffer\":0,\"byteOffset\":108,\"byteLength\":36}]",
        [BUFFERS] = buffers});
    free(coded);
}

Test(model_forms, a_mirrored_node_keeps_the_sides_of_its_faces)
{
    static const struct {
        const char *nodes;
        double up; /* where the face looks to, z up */
    } rows[] = {
        {"[{\"mesh\":0}]", 1},
        {"[{\"mesh\":0,\"scale\":[-1,1,1]}]", 1},
        {"[{\"mesh\":0,\"scale\":[1,1,-3]}]", 1},
        {"[{\"mesh\":0,\"scale\":[1,-1,1]}]", -1},
        {"[{\"mesh\":0,\"scale\":[-1,-1,1]}]", -1},
        {"[{\"mesh\":0,\"scale\":[-1,-1,-1]}]", -1},
        {"[{\"mesh\":0,\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,4,0,0,1]}]", 1},
        {"[{\"scale\":[-1,1,1],\"children\":[1]},{\"children\":[2]},{\"mesh\":0,\"scale\":[1,1,-1]}]", 1},
        {"[{\"scale\":[-1,1,1],\"children\":[1]},{\"translation\":[1,2,3],\"children\":[2]},{\"mesh\":0}]",
         1},
        {"[{\"rotation\":[1,0,0,0],\"children\":[1]},{\"mesh\":0,\"scale\":[-1,1,1]}]", -1},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh_import_facts facts;
        put_gltf(rows[k].nodes, "");
        struct mesh mesh = import(written("a.gltf"), &facts);
        cr_assert(eq(sz, mesh.triangle_count, 2));
        for (size_t t = 0; t < 2; ++t) {
            double normal[3];
            mesh_normal(&mesh, t, normal);
            cr_assert(normal[2] * rows[k].up > 0, "%s: %g", rows[k].nodes, normal[2]);
        }
        mesh_free(&mesh);
    }
}

#define INSTANCES(attributes) "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{" attributes "}}}"

Test(model_forms, instances_stand_where_their_node_has_them)
{
    static const struct {
        const char *nodes;
        size_t triangles;
        double low[3], high[3]; /* z up: x, -z, y */
    } rows[] = {
        {"[{\"mesh\":0," INSTANCES("\"TRANSLATION\":2") "}]", 6, {10, -1, 0}, {31, 5, 1}},
        {"[{\"mesh\":0,\"translation\":[0,0,1]," INSTANCES("\"TRANSLATION\":2,\"SCALE\":4,\"_ID\":4") "}]",
         6,
         {10, -2, 0},
         {31, 5, 1}},
        /* the third is turned by half a turn about x */
        {"[{\"mesh\":0," INSTANCES("\"TRANSLATION\":2,\"ROTATION\":3") "}]", 6, {10, -1, 0}, {31, 6, 1}},
        {"[{\"children\":[1,2]},{\"mesh\":0,\"scale\":[1,2,1]," INSTANCES(
             "\"TRANSLATION\":2") "},{\"mesh\":0}]",
         8,
         {0, -1, 0},
         {31, 5, 2}},
        {"[{\"mesh\":0," INSTANCES("") "}]", 2, {0, -1, 0}, {1, 0, 0}},
        {"[{" INSTANCES("\"TRANSLATION\":2") ",\"children\":[1]},{\"mesh\":0}]", 2, {0, -1, 0}, {1, 0, 0}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        double low[3], high[3];
        struct mesh_import_facts facts;
        put_gltf(rows[k].nodes, "\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],");
        struct mesh mesh = import(written("a.gltf"), &facts);
        cr_assert(eq(sz, mesh.triangle_count, rows[k].triangles), "%s", rows[k].nodes);
        MUST(mesh_bounds(&mesh, low, high, &failure));
        for (int axis = 0; axis < 3; ++axis)
            cr_assert(fabs(low[axis] - rows[k].low[axis]) < 1e-5 &&
                          fabs(high[axis] - rows[k].high[axis]) < 1e-5,
                      "%s: axis %d is %g to %g", rows[k].nodes, axis, low[axis], high[axis]);
        assert_noted(&facts, NULL, 0, rows[k].nodes);
        mesh_free(&mesh);
    }
}

Test(model_forms, instances_that_make_no_sense_are_refused)
{
    static const struct {
        const char *attributes, *because;
    } rows[] = {
        {"\"TRANSLATION\":9", "TRANSLATION is 9"},
        {"\"TRANSLATION\":1", "must be VEC3 of floats"},
        {"\"TRANSLATION\":3", "must be VEC3 of floats"},
        {"\"TRANSLATION\":2,\"SCALE\":0", "3 values in one attribute and 4 in SCALE"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        char nodes[300];
        (void)snprintf(nodes, sizeof nodes,
                       "[{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{%s}}}}]",
                       rows[k].attributes);
        put_gltf(nodes, "");
        assert_refused(written("a.gltf"), rows[k].because);
    }
    /* A million of them, before a byte of theirs is read. */
    struct gltf_plain plain = {0};
    put_text((const char *[PARTS]){
        [NODES] = "[{\"mesh\":0," INSTANCES("\"TRANSLATION\":1") "}]",
        [MESHES] = "[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]",
        [ACCESSORS] = "[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                      "{\"bufferView\":0,\"componentType\":5126,\"count\":1000000,\"type\":\"VEC3\"}]",
        [VIEWS] = "[{\"buffer\":0,\"byteLength\":12000000}]",
        [BUFFERS] = "[{\"byteLength\":12000000,\"uri\":\"a.bin\"}]"});
    MUST_FAIL(gltf_check(text, used, false, &plain, &failure), FAILURE_INPUT, "with its 1000000 instances");
}

Test(model_forms, what_is_hidden_or_not_read_of_a_gltf_is_said)
{
    static const struct {
        const char *nodes, *rest, *what;
        size_t triangles;
        enum import_weight weight;
    } rows[] = {
        {"[{\"children\":[1,2]},{\"mesh\":0},{\"name\":\"old\",\"children\":[3,4],\"extensions\":"
         "{\"KHR_node_visibility\":{\"visible\":false}}},{\"mesh\":0,\"translation\":[0,1,0]},"
         "{\"name\":\"source:a\"}]",
         "\"extensionsUsed\":[\"KHR_node_visibility\"],",
         "1 hidden node left out, with all below "
         "(KHR_node_visibility): \"old\"",
         2, IMPORT_HARMLESS},
        {"[{\"mesh\":0,\"extensions\":{\"KHR_node_visibility\":{\"visible\":true}}}]", "", NULL, 2, 0},
        {"[{\"mesh\":0}]", "\"extensionsUsed\":[\"ACME_bent_walls\",\"KHR_lights_punctual\"],",
         "ACME_bent_walls", 2, IMPORT_DOUBTFUL},
        {"[{\"mesh\":0}]",
         "\"extensionsUsed\":[\"KHR_materials_variants\"],\"extensions\":{\"KHR_materials_variants\":{"
         "\"variants\":"
         "[{\"name\":\"oak\"},{\"name\":\"stone\"}]}},",
         "2 variants (KHR_materials_variants; the first is called \"oak\")", 2, IMPORT_HARMLESS},
        {"[{\"mesh\":0}]",
         "\"extensionsUsed\":[\"KHR_draco_mesh_compression\",\"EXT_meshopt_compression\",\"KHR_mesh_"
         "quantization\"],",
         NULL, 2, 0},
        {"[{\"mesh\":0,\"skin\":0}]", "\"skins\":[{\"joints\":[0]}],", "(skins)", 2, IMPORT_DOUBTFUL},
        {"[{\"mesh\":1}]", "", "morph targets", 2, IMPORT_DOUBTFUL},
        {"[{\"mesh\":1,\"weights\":[0]}]", "", NULL, 2, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh_import_facts facts;
        put_gltf(rows[k].nodes, rows[k].rest);
        struct mesh mesh = import(written("a.gltf"), &facts);
        cr_assert(mesh.triangle_count == rows[k].triangles && mesh.marker_count == 0, "%s", rows[k].nodes);
        assert_noted(&facts, rows[k].what, rows[k].weight, rows[k].nodes);
        mesh_free(&mesh);
    }
}

Test(model_forms, data_that_only_a_packed_form_has_are_refused_by_its_name)
{
    static const struct {
        const char *mesh, *accessor, *buffer, *because;
    } rows[] = {
        {"[{\"primitives\":[{\"extensions\":{\"KHR_draco_mesh_compression\":{}},"
         "\"attributes\":{\"POSITION\":0}}]}]",
         "[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]", NULL, "KHR_draco_mesh_compression"},
        {"[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]", NULL,
         "[{\"byteLength\":60,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}]",
         "EXT_meshopt_compression"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct gltf_plain plain = {0};
        put_text((const char *[PARTS]){
            [MESHES] = rows[k].mesh, [ACCESSORS] = rows[k].accessor, [BUFFERS] = rows[k].buffer});
        MUST_FAIL(gltf_check(text, used, false, &plain, &failure), FAILURE_INPUT, rows[k].because);
    }
}
