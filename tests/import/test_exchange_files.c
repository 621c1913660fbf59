/* Collada, FBX and 3DS: the same room as its OBJ, and what these formats hide or lose is said. */
#define _GNU_SOURCE /* nftw, mkdtemp, memmem */
#include "tests/import/half_room.h"

#include "geometry/import/exchange_file.h"

TestSuite(exchange_files, .init = enter_folder, .fini = leave_folder);

static void put_obj(void)
{
    used = 0;
    for (int v = 0; v < 8; ++v)
        put("v %g %g %g\nv %g %g %g\n", corner[v][0], corner[v][1], corner[v][2], 6 - corner[v][0],
            corner[v][1], corner[v][2]);
    for (int f = 0; f < 5; ++f) {
        put("usemtl %s\nf", f == 0 ? "oak" : "stone");
        for (int k = 0; k < 4; ++k)
            put(" %u", 2 * face[f][k] + 1);
        put("\nf");
        for (int k = 3; k >= 0; --k)
            put(" %u", 2 * face[f][k] + 2);
        put("\n");
    }
}

/* In centimetres, y up; comma is what separates numbers. */
static void put_corners(const char *comma)
{
    for (int v = 0; v < 8; ++v)
        put("%s%g%s%g%s%g", v > 0 ? comma : "", 100 * corner[v][0], comma, 100 * corner[v][2], comma,
            -100 * corner[v][1]);
}

static void put_faces(int first, int last)
{
    for (int f = first; f < last; ++f)
        for (int k = 0; k < 4; ++k)
            put("%u ", face[f][k]);
}

struct collada {
    const char *oak;    /* what the floor's faces say of their material */
    const char *stone;  /* what the material of the walls holds */
    const char *extra;  /* in the library of geometries */
    const char *node;   /* in the node of the first half */
    const char *target; /* the material that the floor's faces are bound to */
    const char *meter, *axis;
};

static const struct collada good = {
    "material=\"a\"", "<instance_effect url=\"#e\"/>", "", "", "#m1", "0.01", "Y_UP"};

#define BOUND                                                                                                \
    "<instance_geometry url=\"#g\"><bind_material><technique_common>"                                        \
    "<instance_material symbol=\"a\" target=\"%s\"/><instance_material symbol=\"b\" target=\"#m2\"/>"        \
    "</technique_common></bind_material></instance_geometry>"

static void put_collada(const struct collada *with)
{
    used = 0;
    put("<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><asset><unit meter=\"%s\"/><up_axis>%s</up_axis></asset><library_effects>"
        "<effect id=\"e\"><profile_COMMON><technique "
        "sid=\"t\"><lambert/></technique></profile_COMMON></effect>"
        "</library_effects><library_materials><!-- <material> --><material id=\"m1\" name=\"oak\">"
        "<instance_effect url=\"#e\"/></material><material id=\"m2\" name=\"stone\">%s</material>"
        "</library_materials><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
        "<float_array id=\"f\" count=\"24\">",
        with->meter, with->axis, with->stone);
    put_corners(" ");
    put("</float_array><technique_common><accessor source=\"#f\" count=\"8\" stride=\"3\"><param name=\"X\"/>"
        "<param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source><vertices "
        "id=\"v\"><input "
        "semantic=\"POSITION\" source=\"#p\"/></vertices><polylist count=\"1\" %s><input semantic=\"VERTEX\" "
        "source=\"#v\" offset=\"0\"/><vcount>4</vcount><p>",
        with->oak);
    put_faces(0, 1);
    put("</p></polylist><polylist count=\"4\" material=\"b\"><input semantic=\"VERTEX\" source=\"#v\" "
        "offset=\"0\"/><vcount>4 4 4 4</vcount><p>");
    put_faces(1, 5);
    put("</p></polylist></mesh></geometry>%s</library_geometries><library_visual_scenes><visual_scene "
        "id=\"w\">"
        "<node id=\"n1\">" BOUND
        "%s</node><node id=\"q\" name=\"source:pulpit\"><translate>100 200 300</translate></node>"
        "<node id=\"n2\"><matrix>-1 0 0 600 0 1 0 0 0 0 1 0 0 0 0 1</matrix>" BOUND
        "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#w\"/></scene>"
        "</COLLADA>",
        with->extra, with->target, with->node, with->target);
}

static void put_fbx_model(int id, const char *name, const char *properties)
{
    put("\tModel: %d, \"Model::%s\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n%s\t\t}\n\t}\n", id,
        name, properties);
}

/* `objects` and `connections` beside the two halves. Models 11 and 12 are made of geometry 1. */
static void put_fbx(void (*objects)(void), const char *connections)
{
    used = 0;
    put("; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7300\n}\n"
        "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
        "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",1\n\t\tP: \"UpAxisSign\", \"int\", \"Integer\", "
        "\"\",1\n"
        "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n\t}\n}\nObjects:  {\n"
        "\tGeometry: 1, \"Geometry::half\", \"Mesh\" {\n\t\tVertices: *24 {\n\t\t\ta: ");
    put_corners(",");
    put("\n\t\t}\n\t\tPolygonVertexIndex: *20 {\n\t\t\ta: ");
    for (int f = 0; f < 5; ++f)
        for (int k = 0; k < 4; ++k)
            put("%s%d", f + k > 0 ? "," : "", k == 3 ? -(int)face[f][k] - 1 : (int)face[f][k]);
    put("\n\t\t}\n\t\tLayerElementMaterial: 0 {\n\t\t\tVersion: 101\n\t\t\tName: \"\"\n"
        "\t\t\tMappingInformationType: \"ByPolygon\"\n\t\t\tReferenceInformationType: \"IndexToDirect\"\n"
        "\t\t\tMaterials: *5 {\n\t\t\t\ta: 0,1,1,1,1\n\t\t\t}\n\t\t}\n\t\tLayer: 0 {\n\t\t\tVersion: 100\n"
        "\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementMaterial\"\n\t\t\t\tTypedIndex: "
        "0\n\t\t\t}\n\t\t}\n\t}\n");
    put_fbx_model(11, "left", "\t\t\tP: \"Visibility\", \"Visibility\", \"\", \"A\",1\n");
    put_fbx_model(12, "right",
                  "\t\t\tP: \"Show\", \"bool\", \"\", \"\",1\n"
                  "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",600,0,0\n"
                  "\t\t\tP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",-1,1,1\n");
    put("\tMaterial: 21, \"Material::oak\", \"\" {\n\t\tVersion: 102\n\t}\n"
        "\tMaterial: 22, \"Material::stone\", \"\" {\n\t\tVersion: 102\n\t}\n");
    if (objects != NULL)
        objects();
    put("}\nConnections:  {\n\tC: \"OO\",11,0\n\tC: \"OO\",12,0\n\tC: \"OO\",1,11\n\tC: \"OO\",1,12\n"
        "\tC: \"OO\",21,11\n\tC: \"OO\",22,11\n\tC: \"OO\",21,12\n\tC: \"OO\",22,12\n%s}\n",
        connections);
}

/* ---- 3DS: chunks, whose length is filled in at their end ---- */

static void put_bytes(const void *bytes, size_t size)
{
    cr_assert(used + size <= sizeof text);
    memcpy(text + used, bytes, size);
    used += size;
}

static void put_short(unsigned value)
{
    put_bytes((const unsigned char[]){value & 255, value >> 8}, 2);
}

static size_t begin_chunk(unsigned number)
{
    const size_t at = used;
    put_short(number);
    put_bytes("\0\0\0", 4);
    return at;
}

static void end_chunk(size_t at)
{
    const size_t size = used - at;
    for (int k = 0; k < 4; ++k)
        text[at + 2 + (size_t)k] = (char)(size >> (8 * k) & 255);
}

static void put_3ds_material(const char *name)
{
    const size_t material = begin_chunk(0xAFFF), named = begin_chunk(0xA000);
    put_bytes(name, strlen(name) + 1);
    end_chunk(named);
    end_chunk(material);
}

/* An object's corners are where they are in the room; the matrix says where its own origin is. */
static void put_3ds_object(const char *name, bool mirrored, bool hidden)
{
    const size_t object = begin_chunk(0x4000);
    put_bytes(name, strlen(name) + 1);
    if (hidden)
        end_chunk(begin_chunk(0x4010));
    const size_t mesh = begin_chunk(0x4100), corners = begin_chunk(0x4110);
    put_short(8);
    for (int v = 0; v < 8; ++v) {
        const float place[3] = {(float)((hidden ? 9 : 0) + (mirrored ? 6 - corner[v][0] : corner[v][0])),
                                (float)corner[v][1], (float)corner[v][2]};
        put_bytes(place, sizeof place);
    }
    end_chunk(corners);
    const size_t faces = begin_chunk(0x4120);
    put_short(10);
    for (int f = 0; f < 5; ++f)
        for (unsigned half = 1; half < 3; ++half) {
            put_short(face[f][0]);
            put_short(face[f][mirrored ? half + 1 : half]);
            put_short(face[f][mirrored ? half : half + 1]);
            put_short(7);
        }
    for (unsigned m = 0; m < 2; ++m) {
        const size_t painted = begin_chunk(0x4130);
        put_bytes(m == 0 ? "oak" : "stone", m == 0 ? 4 : 6);
        put_short(m == 0 ? 2 : 8);
        for (unsigned f = m == 0 ? 0 : 2; f < (m == 0 ? 2 : 10); ++f)
            put_short(f);
        end_chunk(painted);
    }
    end_chunk(faces);
    const size_t matrix = begin_chunk(0x4160);
    const float local[12] = {mirrored ? -1 : 1, 0, 0, 0, 1, 0, 0, 0, 1, mirrored ? 6 : 0, 0, 0};
    put_bytes(local, sizeof local);
    end_chunk(matrix);
    end_chunk(mesh);
    end_chunk(object);
}

static void put_3ds(bool with_hidden)
{
    used = 0;
    const size_t all = begin_chunk(0x4D4D), editor = begin_chunk(0x3D3D);
    put_3ds_material("oak");
    put_3ds_material("stone");
    put_3ds_object("left", false, false);
    if (with_hidden)
        put_3ds_object("old", true, true);
    put_3ds_object("right", true, false);
    end_chunk(editor);
    end_chunk(all);
}

/* ---- what arrives ---- */

Test(exchange_files, a_room_of_a_half_and_its_mirror_image_is_that_of_its_obj)
{
    put_obj();
    assert_room("room.obj", NULL, 0);
    put_collada(&good);
    assert_room("room.dae", NULL, 0);
    put_fbx(NULL, "");
    assert_room("room.fbx", NULL, 0);
    put_3ds(false);
    assert_room("room.3ds", NULL, 0);
}

Test(exchange_files, collada_is_read_in_the_unit_and_with_the_axis_that_it_states)
{
    static const struct {
        const char *meter, *axis;
        double unit;
        enum up_axis up;
    } rows[] = {{"0.0254", "Z_UP", 0.0254, UP_Z}, {"0.01", "Y_UP", 0.01, UP_Y}};
    struct collada with = good;
    for (size_t k = 0; k < 2; ++k) {
        struct mesh mesh = {0};
        struct mesh_import_facts facts;
        with.meter = rows[k].meter, with.axis = rows[k].axis;
        put_collada(&with);
        MUST(read_room("room.dae", &mesh, &facts));
        const double unit = rows[k].unit;
        const bool z = rows[k].up == UP_Z;
        cr_assert(facts.metres_per_unit == unit && facts.unit_stated && facts.up == rows[k].up);
        cr_assert(test_near(area_of_material(&mesh, "oak"), 3e5 * unit * unit, 1e-9));
        cr_assert(eq(str, mesh.marker[0].name, "pulpit"));
        cr_assert(test_near(mesh.marker[0].position[1], (z ? 200 : -300) * unit, 1e-9));
        cr_assert(test_near(mesh.marker[0].position[2], (z ? 300 : 200) * unit, 1e-9));
        mesh_free(&mesh);
        const struct mesh_import_options other = {.metres_per_unit = 1, .up = z ? UP_Y : UP_Z};
        MUST(mesh_import("room.dae", &other, &mesh, &facts, &failure));
        cr_assert(facts.metres_per_unit == 1 && !facts.unit_stated && facts.up == other.up);
        mesh_free(&mesh);
    }
    with.axis = "X_UP";
    put_collada(&with);
    assert_refused("room.dae", "x axis points up");
    with.axis = "Z_UP", with.meter = "0.9144";
    put_collada(&with);
    assert_refused("room.dae", "unit is 0.9144 m");
}

/* ---- what is hidden or lost ---- */

Test(exchange_files, what_a_collada_file_hides_or_loses_is_said)
{
    struct collada with = good;
    with.stone = "";
    put_collada(&with);
    assert_refused("room.dae", "1 of its 2 materials cannot be read: they have no effect");
    with = good;
    with.oak = "";
    put_collada(&with);
    assert_refused("room.dae", "faces of its geometry \"g\" have no material");
    with = good;
    with.extra = "<geometry id=\"s\"><spline></spline></geometry>";
    put_collada(&with);
    assert_room("room.dae", "its splines are not read (1 of <spline>)", IMPORT_INCOMPLETE);
    with = good;
    with.node = "<extra><technique profile=\"FCOLLADA\"><visibility>0</visibility></technique></extra>";
    put_collada(&with);
    assert_room("room.dae", "1 node is marked as hidden (<visibility>)", IMPORT_DOUBTFUL);
    with = good;
    with.target = "#absent";
    put_collada(&with);
    assert_refused("room.dae", "it uses the material \"absent\", which it does not contain");
    with = good;
    with.node = "<instance_node url=\"#absent\"/>";
    put_collada(&with);
    assert_room("room.dae", "Unable to resolve reference to instanced node absent", IMPORT_DOUBTFUL);
}

#define ASIDE "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",900,0,0\n"

static void put_hidden(void)
{
    put_fbx_model(13, "old", ASIDE "\t\t\tP: \"Visibility\", \"Visibility\", \"\", \"A\",0\n");
    put_fbx_model(14, "below", "");
    put_fbx_model(15, "spare", ASIDE "\t\t\tP: \"Show\", \"bool\", \"\", \"\",0\n");
}

static void put_curved(void)
{
    put("\tGeometry: 2, \"Geometry::dome\", \"NurbsSurface\" {\n\t\tType: \"NurbsSurface\"\n\t}\n");
}

/* As 3DS Max writes its layers; `put_layer` is that of a layer without a property of its own. */
static void put_layer(void)
{
    put("\tCollectionExclusive: 3, \"DisplayLayer::new\", \"DisplayLayer\" {\n\t\tProperties70:  "
        "{\n\t\t}\n\t}\n");
    put_fbx_model(16, "far", "\t\t\tP: \"Show\", \"bool\", \"\", \"\",0\n");
}

static void put_hidden_layer(void)
{
    put("\tCollectionExclusive: 3, \"DisplayLayer::old\", \"DisplayLayer\" {\n\t\tProperties70:  {\n"
        "\t\t\tP: \"Show\", \"bool\", \"\", \"\",0\n\t\t}\n\t}\n");
}

static void put_broken(void)
{
    put("\tGeometry: 2, \"Geometry::b\", \"Mesh\" {\n\t\tVertices: *3 {\n\t\t\ta: 0,0,0\n\t\t}\n"
        "\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t}\n");
}

Test(exchange_files, what_an_fbx_file_hides_or_loses_is_said)
{
    put_fbx(put_hidden, "\tC: \"OO\",13,0\n\tC: \"OO\",14,13\n\tC: \"OO\",15,0\n"
                        "\tC: \"OO\",1,13\n\tC: \"OO\",1,14\n\tC: \"OO\",1,15\n");
    assert_room("room.fbx", "2 hidden nodes left out, with all below (Visibility, Show): ", IMPORT_HARMLESS);
    put_fbx(put_curved, "\tC: \"OO\",2,11\n");
    assert_room("room.fbx", "1 surface or curve is not read: NurbsSurface", IMPORT_INCOMPLETE);
    put_fbx(put_layer, "");
    assert_room("room.fbx", NULL, 0);
    put_fbx(put_hidden_layer, "");
    assert_room("room.fbx", "1 layer is hidden, which is not read", IMPORT_DOUBTFUL);
    put_fbx(put_broken, "\tC: \"OO\",2,11\n");
    assert_room("room.fbx", "part of it could not be read (1 message): ", IMPORT_DOUBTFUL);
}

Test(exchange_files, hidden_objects_of_3ds_are_left_out)
{
    put_3ds(true);
    assert_room("room.3ds", "1 hidden object left out: \"old\"", IMPORT_HARMLESS);
}

/* The same strings in a binary file. */
Test(exchange_files, a_binary_fbx_is_looked_through_as_its_text_is)
{
    static const char good_bytes[] =
        "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0" /* version 7400 */
        "\x6d\0\0\0nnnnllll\x13"                   /* the record's end: byte 109 of the file */
        "CollectionExclusiveS\x0c\0\0\0DisplayLayerS\x04\0\0\0ShowS\x04\0\0\0boolS\0\0\0\0S\0\0\0\0I\0\0\0\0"
        "\x08GeometryL12345678S\x03\0\0\0a\0\x01S\x0c\0\0\0NurbsSurface"
        "\x01PS\x0a\0\0\0VisibilityS\x0a\0\0\0VisibilityS\0\0\0\0S\x01\0\0\0AD\0\0\0\0\0\0\0\0"
        "\x08GeometryL12345678S\x01\0\0\0bS\x04\0\0\0Mesh";
    static const char typed[] = "VisibilityS\x06\0\0\0doubleS\x04\0\0\0    S\x01\0\0\0AD";
    for (int hidden = 0; hidden < 2; ++hidden) {
        char bytes[sizeof good_bytes];
        struct import_notes notes = {0};
        memcpy(bytes, good_bytes, sizeof bytes);
        bytes[27] = hidden ? 109 : 76; /* "Show" is another record's */
        exchange_prepare("FBX", bytes, sizeof bytes - 1, &notes);
        cr_assert(eq(sz, notes.count, hidden ? 2 : 1));
        cr_assert(eq(str, notes.note[0].what, "1 surface or curve is not read: NurbsSurface"));
        cr_assert(hidden == 0 || notes.note[1].weight == IMPORT_DOUBTFUL);
        cr_assert(memmem(bytes, sizeof bytes, typed, sizeof typed - 1) != NULL);
    }
}

Test(exchange_files, a_lost_animation_is_no_lost_part)
{
    struct exchange_log log = {0};
    exchange_log_add(&log, "Error, T0: 3DS: Skipping FOV animation track");
    cr_assert(eq(sz, log.count, 0));
    exchange_log_add(&log, "Error, T0: 3DS: Skipping a part");
    cr_assert(eq(sz, log.count, 1));
}

/* ---- any bytes ---- */

Test(exchange_files, cut_and_damaged_files_give_a_mesh_or_a_sentence, .timeout = 120)
{
    put_collada(&good);
    damage("room.dae");
    put_fbx(put_hidden, "\tC: \"OO\",13,0\n\tC: \"OO\",1,13\n");
    damage("room.fbx");
    put_3ds(true);
    damage("room.3ds");
}
