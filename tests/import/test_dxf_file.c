/* DXF: the forms of faces, references to blocks, units, layers, and what is left out or refused. */
#define _GNU_SOURCE /* nftw, mkdtemp */
#include "tests/import/half_room.h"

TestSuite(dxf_file, .init = enter_folder, .fini = leave_folder);

static void put_section(const char *name)
{
    put("  0\r\nSECTION\r\n  2\r\n%s\r\n", name);
}

static void end_section(void)
{
    put("  0\nENDSEC\n");
}

static void put_head(int unit)
{
    used = 0;
    put("999\nmade by a test\n");
    put_section("HEADER");
    put("  9\n$ACADVER\n  1\nAC1015\n  9\n$INSUNITS\n 70\n%6d\n  9\n$UCSNAME\n  2\nENTITIES\n", unit);
    end_section();
    put_section("TABLES");
    put("  0\nTABLE\n  2\nLAYER\n  0\nLAYER\n  2\nstone\n 70\n0\n 62\n7\n"
        "  0\nLAYER\n  2\nfrozen\n 70\n1\n 62\n7\n  0\nLAYER\n  2\noff\n 70\n0\n 62\n-7\n  0\nENDTAB\n");
    end_section();
}

static void put_corner(double x, double y, double z, int which)
{
    put(" %d\n%.9g\n %d\n%.9g\n %d\n%.9g\n", 10 + which, x, 20 + which, y, 30 + which, z);
}

static const char *layer_of(int f)
{
    return f == 0 ? "oak" : "0";
}

static void put_3dface(int f, double scale, const char *layer)
{
    put("  0\n3DFACE\n  8\n%s\n", layer);
    for (int k = 0; k < 4; ++k) {
        const double *at = corner[face[f][k]];
        put_corner(scale * at[0], scale * at[1], scale * at[2], k);
    }
}

static void put_vertex(const double at[3], int flags)
{
    put("  0\nVERTEX\n  8\n0\n");
    put_corner(at[0], at[1], at[2], 0);
    put(" 70\n%d\n", flags);
}

static void put_polyface(void)
{
    put("  0\nPOLYLINE\n  8\n0\n 66\n1\n 70\n64\n 71\n8\n 72\n5\n");
    for (int v = 0; v < 8; ++v)
        put_vertex(corner[v], 192);
    for (int f = 0; f < 5; ++f) {
        put("  0\nVERTEX\n  8\n%s\n", layer_of(f));
        put_corner(0, 0, 0, 0);
        put(" 70\n128\n");
        for (int k = 0; k < 4; ++k)
            put(" %d\n%s%u\n", 71 + k, k % 2 == 0 ? "-" : "", face[f][k] + 1); /* -: an invisible edge */
    }
    put("  0\nSEQEND\n");
}

/* The walls as a polygon mesh of 2 rows and 4 columns, with a control point that is no corner. */
static void put_grid(void)
{
    static const int path[4] = {2, 3, 0, 1};
    put_3dface(0, 1, "oak");
    put_3dface(1, 1, "0");
    put("  0\nPOLYLINE\n  8\n0\n 66\n1\n 70\n16\n 71\n1\n 72\n1\n 73\n2\n 74\n4\n 75\n6\n");
    put_vertex(corner[0], 16 | 64);
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 4; ++column)
            put_vertex(corner[path[column] + 4 * row], 8 | 64);
    put("  0\nSEQEND\n");
}

static void put_mesh_of(int first, int last, const char *layer, int level)
{
    put("  0\nMESH\n  8\n%s\n100\nAcDbSubDMesh\n 71\n2\n 72\n0\n 91\n%d\n 92\n8\n", layer, level);
    for (int v = 0; v < 8; ++v)
        put_corner(corner[v][0], corner[v][1], corner[v][2], 0);
    put(" 93\n%d\n", 5 * (last - first));
    for (int f = first; f < last; ++f) {
        put(" 90\n4\n");
        for (int k = 0; k < 4; ++k)
            put(" 90\n%u\n", face[f][k]);
    }
    put(" 94\n1\n 90\n0\n 90\n1\n 95\n1\n140\n0.0\n");
}

static void put_3dfaces(void)
{
    for (int f = 0; f < 5; ++f)
        put_3dface(f, 1, layer_of(f));
}

static void put_named_faces(void)
{
    for (int f = 0; f < 5; ++f)
        put_3dface(f, 1, f == 0 ? "oak" : "stone");
}

static void put_small_faces(void)
{
    for (int f = 0; f < 5; ++f)
        put_3dface(f, 0.5, layer_of(f));
}

static void put_meshes(void)
{
    put_mesh_of(0, 1, "oak", 0);
    put_mesh_of(1, 5, "0", 0);
}

static void put_block(const char *name, double base, void (*content)(void))
{
    put("  0\nBLOCK\n  8\n0\n  2\n%s\n 70\n0\n", name);
    put_corner(base, base, base, 0);
    put("  3\n%s\n", name);
    content();
    put("  0\nENDBLK\n");
}

static void put_lying(void)
{
    put("  0\nINSERT\n  8\n0\n  2\nhalf\n210\n0\n220\n1\n230\n0\n");
}

/* A room of two references to its half; what the second one says; what else the drawing holds. */
static void put_room(int unit, void (*half)(void), const char *second, const char *more)
{
    put_head(unit);
    put_section("BLOCKS");
    put_block("half", 0, half);
    put_block("Small", 1, put_small_faces);
    put_block("lying", 0, put_lying);
    put_block("named", 0, put_named_faces);
    put("  0\nBLOCK\n  2\nself\n  0\nINSERT\n  2\nself\n  0\nENDBLK\n"
        "  0\nBLOCK\n  2\nfile\n 70\n4\n  1\nother.dwg\n  0\nENDBLK\n");
    end_section();
    put_section("ENTITIES");
    put("  0\nINSERT\n  8\nSTONE\n  2\nHALF\n 10\n0.0\n  0\nINSERT\n  8\nstone\n%s%s", second, more);
    end_section();
    put_section("OBJECTS");
    put("  0\nDICTIONARY\n 70\nno number\n");
    end_section();
    put("  0\nEOF\n");
}

#define MIRRORED "  2\nhalf\n 10\n6\n 41\n-1\n"

/* ---- what arrives ---- */

Test(dxf_file, faces_of_every_form_close_the_same_room)
{
    static void (*const form[])(void) = {put_3dfaces, put_polyface, put_grid, put_meshes};
    for (size_t k = 0; k < sizeof form / sizeof form[0]; ++k) {
        put_room(6, form[k], MIRRORED, "");
        assert_room("room.dxf", NULL, 0);
    }
}

Test(dxf_file, references_scale_turn_and_nest_their_blocks)
{
    static const char *const second[] = {
        "  2\nhalf\n 10\n6\n 20\n5\n 50\n180\n",
        "  2\nhalf\n 10\n6\n 20\n5\n 50\n-540\n",
        "  2\nhalf\n 10\n-6\n 43\n-1\n230\n-1\n",
        "  2\nlying\n 10\n-6\n 41\n-1\n210\n0\n220\n2\n230\n0\n",
        "  2\nsmall\n 10\n4\n 20\n2\n 30\n2\n 41\n-2\n 42\n2\n 43\n2\n",
    };
    for (size_t k = 0; k < sizeof second / sizeof second[0]; ++k) {
        put_room(6, put_3dfaces, second[k], "");
        assert_room("room.dxf", NULL, 0);
    }
}

/* Squares of 1 m in 2 rows and 3 columns, 2 m and 4 m apart, turned by 30 degrees. */
Test(dxf_file, rows_and_columns_of_a_reference_are_in_its_axes)
{
    double low[3], high[3];
    struct mesh mesh = {0};
    struct mesh_import_facts facts;
    put_head(6);
    put_section("BLOCKS");
    put("  0\nBLOCK\n  2\nT\n  0\n3DFACE\n");
    put_corner(0, 0, 0, 0), put_corner(1, 0, 0, 1), put_corner(1, 1, 0, 2), put_corner(0, 1, 0, 3);
    put("  0\nENDBLK\n");
    end_section();
    put_section("ENTITIES");
    put("  0\nINSERT\n  2\nT\n 50\n30\n 70\n3\n 71\n2\n 44\n4\n 45\n2\n");
    end_section();
    put("  0\nEOF\n");
    MUST(read_room("room.dxf", &mesh, &facts));
    cr_assert(eq(sz, facts.instances, 6));
    cr_assert(test_near(area_of_material(&mesh, "0"), 6, 1e-5));
    MUST(mesh_bounds(&mesh, low, high, &failure));
    cr_assert(test_near(low[0], -3 * 0.5, 1e-6) && test_near(high[0], 9 * sqrt(0.75), 1e-6));
    cr_assert(test_near(low[1], 0, 1e-6) && test_near(high[1], 9 * 0.5 + 3 * sqrt(0.75), 1e-6));
    mesh_free(&mesh);
}

/* A tube of four walls, closed along its columns or its rows. */
Test(dxf_file, polygon_meshes_close_along_rows_and_columns)
{
    static const double path[4][2] = {{6, 5}, {0, 5}, {0, 0}, {6, 0}};
    for (int rows = 2; rows <= 4; rows += 2) {
        struct mesh mesh = {0};
        put_head(6);
        put_section("ENTITIES");
        put("  0\nPOLYLINE\n 70\n%d\n 71\n%d\n 72\n%d\n", rows == 2 ? 16 | 32 : 16 | 1, rows, 6 - rows);
        for (int v = 0; v < 8; ++v) {
            const int column = rows == 2 ? v % 4 : v / 2;
            put_vertex((double[]){path[column][0], path[column][1], rows == 2 ? 3 * (v / 4) : 3 * (v % 2)},
                       64);
        }
        put("  0\nSEQEND\n");
        end_section();
        put("  0\nEOF\n");
        MUST(read_room("room.dxf", &mesh, NULL));
        cr_assert(test_near(area_of_material(&mesh, "0"), 66, 1e-9), "%d rows", rows);
        mesh_free(&mesh);
    }
}

Test(dxf_file, the_unit_is_that_of_insunits_unless_another_is_given)
{
    static const struct {
        int insunits;
        double metres; /* 0: none is stated */
    } rows[] = {{0, 0}, {1, 0.0254}, {2, 0.3048}, {4, 0.001}, {5, 0.01}, {6, 1}, {21, 0.3048}, {99, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh mesh = {0};
        struct mesh_import_facts facts;
        put_room(rows[k].insunits, put_3dfaces, MIRRORED, "");
        MUST(read_room("room.dxf", &mesh, &facts));
        const double unit = rows[k].metres > 0 ? rows[k].metres : 1;
        cr_assert(facts.metres_per_unit == unit && facts.unit_stated == (rows[k].metres > 0) &&
                  facts.up == UP_Z);
        cr_assert(test_near(enclosed_volume(&mesh) / (unit * unit * unit), -90, 1e-9));
        mesh_free(&mesh);
        const struct mesh_import_options feet = {.metres_per_unit = 0.3048};
        MUST(mesh_import("room.dxf", &feet, &mesh, &facts, &failure));
        cr_assert(facts.metres_per_unit == 0.3048 && !facts.unit_stated);
        mesh_free(&mesh);
    }
    put_room(10, put_3dfaces, MIRRORED, "");
    assert_refused("room.dxf", "its unit is 0.9144 m");
}

/* ---- what is left out or lost ---- */

#define FACE " 10\n9\n 20\n9\n 30\n9\n 11\n8\n 21\n9\n 31\n9\n 12\n8\n 22\n8\n 32\n9\n"

static void put_smoothed(void)
{
    put_mesh_of(0, 1, "oak", 1);
    put_mesh_of(1, 5, "0", 0);
}

Test(dxf_file, what_a_drawing_hides_or_loses_is_said)
{
    static const struct {
        const char *more, *note;
        enum import_weight weight;
    } rows[] = {
        {"  0\nLINE\n 10\n9\n 11\n8\n  0\n3DFACE\n 67\n1\n" FACE, NULL, 0},
        {"  0\nPOLYLINE\n 66\n1\n 70\n1\n  0\nVERTEX\n 10\n9\n  0\nSEQEND\n", NULL, 0},
        {"  0\n3DFACE\n 60\n1\n" FACE, "1 object left out, invisible or on a layer", IMPORT_HARMLESS},
        {"  0\n3DFACE\n  8\nFrozen\n" FACE, "off or frozen: frozen", IMPORT_HARMLESS},
        {"  0\n3DFACE\n  8\noff\n" FACE "  0\nINSERT\n  8\nfrozen\n  2\nhalf\n",
         "2 objects left out, invisible or on a layer that is off or frozen: off, frozen", IMPORT_HARMLESS},
        {"  0\n3DSOLID\n  8\n0\n  1\nnoln\n  0\nPLANESURFACE\n  8\n0\n",
         "2 solids or surfaces without faces in the file (3DSOLID, PLANESURFACE) cannot be read",
         IMPORT_INCOMPLETE},
        {"  0\nLWPOLYLINE\n 90\n2\n 39\n2.5\n 10\n0\n 20\n0\n 10\n1\n 20\n0\n",
         "1 line with a thickness, which makes a wall in the drawing, is not read", IMPORT_INCOMPLETE},
        {"  0\nINSERT\n  2\nfile\n  0\nINSERT\n  2\nabsent\n",
         "2 block references are to blocks that the file does not contain: file, absent", IMPORT_INCOMPLETE},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        put_room(6, put_3dfaces, MIRRORED, rows[k].more);
        assert_room("room.dxf", rows[k].note, rows[k].weight);
    }
    /* A reference on a layer that is off shows what is on other layers. */
    put_room(6, put_3dfaces, "  8\noff\n  2\nnamed\n 10\n6\n 41\n-1\n", "");
    assert_room("room.dxf", NULL, 0);
    put_room(6, put_smoothed, MIRRORED, "");
    assert_room("room.dxf", "2 meshes are smoothed in the drawing", IMPORT_DOUBTFUL);
}

/* ---- what is refused ---- */

Test(dxf_file, a_broken_drawing_is_refused_with_its_line)
{
    static const struct {
        const char *more, *because;
    } rows[] = {
        {"  0\nINSERT\n  2\nself\n", "more than 32 deep in one another, or contain themselves"},
        {"  0\nINSERT\n  2\nhalf\n230\n0\n", "an extrusion direction of length 0"},
        {"  0\n3DFACE\n 10\nx\n", "\"x\" is not a number in the range of a float"},
        {"  0\n3DFACE\n 10\n1e39\n", "\"1e39\" is not a number in the range of a float"},
        {"  0\nINSERT\n 70\n1.5\n", "\"1.5\" is not a whole number"},
        {"  0\n3DFACE\nx\nx\n", "\"x\" is not a group code"},
        {"  0\nPOLYLINE\n 70\n64\n  0\nVERTEX\n 70\n192\n  0\nVERTEX\n 70\n128\n 71\n1\n 72\n1\n 73\n2\n",
         "a face refers to vertex 2, and its mesh has 1"},
        {"  0\nPOLYLINE\n 70\n16\n 71\n2\n 72\n2\n  0\nVERTEX\n 10\n1\n  0\nSEQEND\n",
         "a polygon mesh of 2 by 2 vertices has 1"},
        {"  0\nMESH\n 92\n1\n 10\n0\n 20\n0\n 30\n0\n 93\n2\n 90\n3\n 90\n1\n",
         "a face refers to vertex 1, and its mesh has 1"},
        {"  0\nMESH\n 93\n2\n 90\n10001\n", "\"10001\" is not a number of corners"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        put_room(6, put_3dfaces, MIRRORED, rows[k].more);
        assert_refused("room.dxf", rows[k].because);
        cr_assert(failure.line > 0, "%s", rows[k].because);
    }
    used = 0;
    put("  0\nSECTION\n\nx\n");
    assert_refused("room.dxf", "\"\" is not a group code");
    cr_assert(eq(sz, failure.line, 3));
    used = 0;
    put("AutoCAD Binary DXF\r\n\x1a");
    ++used; /* the zero behind it */
    assert_refused("room.dxf", "it is a binary DXF");
    put_head(6);
    put("  0\nEOF\n");
    assert_refused("room.dxf", "the mesh has no triangles");
}

Test(dxf_file, a_drawing_cut_anywhere_is_refused)
{
    put_room(6, put_polyface, MIRRORED, "");
    const size_t whole = used;
    for (size_t tenth = 1; tenth < 10; ++tenth) {
        used = whole * tenth / 10;
        assert_refused("room.dxf", "the file ends before the EOF of a DXF: it is incomplete");
    }
}

Test(dxf_file, damaged_drawings_give_a_mesh_or_a_sentence, .timeout = 120)
{
    put_room(6, put_polyface, MIRRORED, "");
    damage("room.dxf");
    put_room(6, put_smoothed, "  2\nlying\n 70\n2\n 44\n1\n", "");
    damage("room.dxf");
}
