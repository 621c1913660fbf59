/* IFC2x3: units, axes, names of styles, mapped items and openings; what is lost or refused. */
#define _GNU_SOURCE /* nftw, mkdtemp */
#include "tests/import/half_room.h"

TestSuite(ifc_file, .init = enter_folder, .fini = leave_folder);

#define IDENTIFIER "'000000000000000000%04d'"

struct ifc {
    const char *schema, *units; /* units: #6 is their list, in an IFCUNITASSIGNMENT */
    const char *second;         /* what closes the half #73, as #83 */
    const char *contained;      /* in the site, beside #73 */
    const char *wall;           /* class of the halves */
    const char *oak;            /* name of the floor's style; NULL: $ */
    const char *more;
};

#define MILLIMETRES "#6=IFCUNITASSIGNMENT((#7));\n#7= IFCSIUNIT ( *, .LENGTHUNIT., .MILLI. , .METRE. ) ;\n"
#define FEET(measure, prefix)                                                                                \
    "#6=IFCUNITASSIGNMENT((#15,#16));\n#15=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);\n"                      \
    "#16=IFCCONVERSIONBASEDUNIT(#17,.LENGTHUNIT.,'FOOT',#18);\n#17=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);"  \
    "\n"                                                                                                     \
    "#18=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(" measure "),#19);\n#19=IFCSIUNIT(*,.LENGTHUNIT.," prefix       \
    ",.METRE.);\n"
#define TURNED                                                                                               \
    "#75=IFCCARTESIANPOINT((6.,5.,0.));\n#76=IFCDIRECTION((0.,0.,1.));\n#77=IFCDIRECTION((-1.,0.,0.));\n"    \
    "#78=IFCAXIS2PLACEMENT3D(#75,#76,#77);\n#79=IFCLOCALPLACEMENT(#12,#78);\n"                               \
    "#83=IFCBUILDINGELEMENTPROXY('0000000000000000000083',#5,'right side',$,$,#79,#72,$,$);\n"
#define MIRRORED                                                                                             \
    "#75=IFCCARTESIANPOINT((6.,0.,0.));\n#76=IFCDIRECTION((-1.,0.,0.));\n#77=IFCDIRECTION((0.,1.,0.));\n"    \
    "#78=IFCDIRECTION((0.,0.,1.));\n#79=IFCCARTESIANTRANSFORMATIONOPERATOR3D(#76,#77,#75,1.,#78);\n"         \
    "#80=IFCREPRESENTATIONMAP(#9,#70);\n#81=IFCMAPPEDITEM(#80,#79);\n"                                       \
    "#82=IFCSHAPEREPRESENTATION(#10,'Body','MappedRepresentation',(#81));\n"                                 \
    "#84=IFCPRODUCTDEFINITIONSHAPE($,$,(#82));\n"                                                            \
    "#83=IFCBUILDINGELEMENTPROXY('0000000000000000000083',#5,$,$,$,#12,#84,$,$);\n"

static const struct ifc good = {.schema = "IFC2X3",
                                .units =
                                    "#6=IFCUNITASSIGNMENT((#7));\n#7=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n",
                                .second = TURNED,
                                .contained = ",#83",
                                .wall = "IFCBUILDINGELEMENTPROXY",
                                .oak = "oak",
                                .more = ""};

static void put_style(int first, const char *name, int item)
{
    const char *quote = name == NULL ? "" : "'";
    put("#%d=IFCSURFACESTYLE(%s%s%s,.BOTH.,(#61));\n#%d=IFCPRESENTATIONSTYLEASSIGNMENT((#%d));\n"
        "#%d=IFCSTYLEDITEM(#%d,(#%d),$);\n",
        first, quote, name == NULL ? "$" : name, quote, first + 1, first, first + 2, item, first + 1);
}

static void put_ifc(const struct ifc *with)
{
    used = 0;
    put("ISO-10303-21;\nHEADER;FILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
        "FILE_SCHEMA(('%s'));\nENDSEC;\nDATA;\n#1=IFCPERSON($,$,'a; b',$,$,$,$,$);\n"
        "#2=IFCORGANIZATION($,'it''s',$,$,$);\n#3=IFCPERSONANDORGANIZATION(#1,#2,$);\n"
        "#4=IFCAPPLICATION(#2,'1','a','a');\n#5=IFCOWNERHISTORY(#3,#4,$,.ADDED.,$,$,$,0);\n%s",
        with->schema, with->units);
    put("#8=IFCCARTESIANPOINT((0.,0.,0.));\n#9=IFCAXIS2PLACEMENT3D(#8,$,$);\n"
        "#10=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#9,$);\n"
        "#11=IFCPROJECT(" IDENTIFIER ",#5,'p',$,$,$,$,(#10),#6);\n#12=IFCLOCALPLACEMENT($,#9);\n"
        "#13=IFCSITE(" IDENTIFIER ",#5,'s',$,$,#12,$,$,.ELEMENT.,$,$,$,$,$);\n"
        "#14=IFCRELAGGREGATES(" IDENTIFIER ",#5,$,$,#11,(#13));\n",
        11, 13, 14);
    for (int v = 0; v < 8; ++v)
        put("#%d=IFCCARTESIANPOINT((%.1f,%.1f,%.1f));\n", 20 + v, corner[v][0], corner[v][1], corner[v][2]);
    for (int f = 0; f < 5; ++f)
        put("#%d=IFCPOLYLOOP((#%u,#%u,#%u,#%u));\n#%d=IFCFACEOUTERBOUND(#%d,.T.);\n#%d=IFCFACE((#%d));\n",
            30 + 3 * f, 20 + face[f][0], 20 + face[f][1], 20 + face[f][2], 20 + face[f][3], 31 + 3 * f,
            30 + 3 * f, 32 + 3 * f, 31 + 3 * f);
    put("#50=IFCOPENSHELL((#32));\n#51=IFCSHELLBASEDSURFACEMODEL((#50));\n"
        "/* walls */#52=IFCOPENSHELL((#35,#38,#41,#44)); #53=IFCSHELLBASEDSURFACEMODEL((#52));\n"
        "#60=IFCCOLOURRGB($,1.,1.,1.);\n#61=IFCSURFACESTYLERENDERING(#60,$,$,$,$,$,$,$,.FLAT.);\n");
    put_style(62, with->oak, 51);
    put_style(65, "stone", 53);
    put("#70=IFCSHAPEREPRESENTATION(#10,'Body','SurfaceModel',(#51,#53));\n"
        "#72=IFCPRODUCTDEFINITIONSHAPE($,$,(#70));\n#73=%s(" IDENTIFIER ",#5,'left side',$,$,#12,#72,$%s);\n"
        "%s%s#90=IFCRELCONTAINEDINSPATIALSTRUCTURE(" IDENTIFIER ",#5,$,$,(#73%s),#13);\n"
        "ENDSEC;\nEND-ISO-10303-21;\n",
        with->wall, 73, strcmp(with->wall, "IFCWALL") == 0 ? "" : ",$", with->second, with->more, 90,
        with->contained);
}

/* ---- what arrives ---- */

Test(ifc_file, placed_and_mapped_halves_close_the_room)
{
    struct ifc with = good;
    put_ifc(&with);
    assert_room("room.ifc", NULL, 0);
    with.second = MIRRORED;
    put_ifc(&with);
    assert_room("room.ifc", NULL, 0);
}

Test(ifc_file, the_unit_is_that_of_the_file_unless_another_is_given)
{
    static const struct {
        const char *units;
        double metres; /* 0: none is stated */
    } rows[] = {{MILLIMETRES, 0.001},
                {"#6=IFCUNITASSIGNMENT((#7));\n#7=IFCSIUNIT(*,.LENGTHUNIT.,.CENTI.,.METRE.);\n", 0.01},
                {FEET("0.3048", "$"), 0.3048},
                {FEET("304.8", ".MILLI."), 0.3048},
                {FEET("2.54", ".CENTI."), 0.0254},
                {"#6=IFCUNITASSIGNMENT((#7));\n#7=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);\n", 0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh mesh = {0};
        struct mesh_import_facts facts;
        struct ifc with = good;
        with.units = rows[k].units;
        put_ifc(&with);
        MUST(read_room("room.ifc", &mesh, &facts));
        const double unit = rows[k].metres > 0 ? rows[k].metres : 1;
        cr_assert(facts.metres_per_unit == unit && facts.unit_stated == (rows[k].metres > 0) &&
                      facts.up == UP_Z,
                  "%zu: %g", k, facts.metres_per_unit);
        cr_assert(test_near(enclosed_volume(&mesh) / (unit * unit * unit), -90, 1e-5), "%zu", k);
        mesh_free(&mesh);
        const struct mesh_import_options inches = {.metres_per_unit = 0.0254};
        MUST(mesh_import("room.ifc", &inches, &mesh, &facts, &failure));
        cr_assert(test_near(facts.size[0], 6 * 0.0254, 1e-9));
        mesh_free(&mesh);
    }
    struct ifc with = good;
    with.units = "#6=IFCUNITASSIGNMENT((#7));\n#7=IFCSIUNIT(*,.LENGTHUNIT.,.DECA.,.METRE.);\n";
    put_ifc(&with);
    assert_refused("room.ifc", "its unit is 10 m");
}

Test(ifc_file, names_of_styles_keep_their_blanks_and_letters)
{
    static const struct {
        const char *written, *name;
    } rows[] = {
        {"Kiefer, gl\\X2\\00E4\\X0\\nzend", "Kiefer, glänzend"},
        {"\\X2\\D83CDF32 x", "🌲 x"},
        {"\\X4\\0001F332\\X0\\", "🌲"},
        {"caf\\X\\E9 \\S\\i", "café é"},
        {"\\X2\\0027005C0009D83C\\X0\\", "????"},
        {"", MODEL_DEFAULT_MATERIAL},
        {NULL, MODEL_DEFAULT_MATERIAL},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        struct mesh mesh = {0};
        struct ifc with = good;
        with.oak = rows[k].written;
        put_ifc(&with);
        MUST(read_room("room.ifc", &mesh, NULL));
        cr_assert(test_near(area_of_material(&mesh, rows[k].name), 30, 1e-5), "%s: %s", rows[k].name,
                  mesh.material[0]);
        mesh_free(&mesh);
    }
}

/* A wall of 4 m x 0.2 m x 3 m with a window of 1 m x 2 m, and a space, which is no wall. */
static const char windowed[] =
    "#100=IFCCARTESIANPOINT((2.,0.1));\n#101=IFCAXIS2PLACEMENT2D(#100,$);\n"
    "#102=IFCRECTANGLEPROFILEDEF(.AREA.,$,#101,4.,0.2);\n#103=IFCDIRECTION((0.,0.,1.));\n"
    "#104=IFCEXTRUDEDAREASOLID(#102,#9,#103,3.);\n"
    "#105=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#104));\n"
    "#106=IFCPRODUCTDEFINITIONSHAPE($,$,(#105));\n"
    "#83=IFCWALLSTANDARDCASE('0000000000000000000083',#5,'wall',$,$,#12,#106,$);\n"
    "#108=IFCRECTANGLEPROFILEDEF(.AREA.,$,#118,1.,2.);\n#109=IFCCARTESIANPOINT((2.,0.,1.5));\n"
    "#118=IFCAXIS2PLACEMENT2D(#119,$);\n#119=IFCCARTESIANPOINT((0.,0.));\n"
    "#110=IFCAXIS2PLACEMENT3D(#109,#124,#125);\n#111=IFCEXTRUDEDAREASOLID(#108,#110,#103,0.2);\n"
    "#124=IFCDIRECTION((0.,1.,0.));\n#125=IFCDIRECTION((1.,0.,0.));\n"
    "#112=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#111));\n"
    "#113=IFCPRODUCTDEFINITIONSHAPE($,$,(#112));\n"
    "#114=IFCOPENINGELEMENT('0000000000000000000114',#5,'hole',$,$,#12,#113,$);\n"
    "#115=IFCRELVOIDSELEMENT('0000000000000000000115',#5,$,$,#83,#114);\n"
    "#116=IFCSPACE('0000000000000000000116',#5,'air',$,$,#12,#106,$,.ELEMENT.,.INTERNAL.,$);\n"
    "#117=IFCRELAGGREGATES('0000000000000000000117',#5,$,$,#13,(#116));\n";

Test(ifc_file, openings_are_cut_and_spaces_are_no_walls)
{
    struct mesh mesh = {0};
    struct mesh_import_facts facts;
    struct ifc with = good;
    with.second = windowed;
    put_ifc(&with);
    MUST(read_room("room.ifc", &mesh, &facts));
    cr_assert(eq(sz, facts.notes.count, 0), "%s", facts.notes.note[0].what);
    cr_assert(test_near(area_of_material(&mesh, "default"), 24, 1e-5), "%g",
              area_of_material(&mesh, "default"));
    mesh_free(&mesh);
}

/* ---- what is lost or refused ---- */

static void assert_noted(const struct ifc *with, const char *note, enum import_weight weight)
{
    struct mesh mesh = {0};
    struct mesh_import_facts facts;
    put_ifc(with);
    MUST(read_room("room.ifc", &mesh, &facts));
    cr_assert(facts.notes.count == 1 && strstr(facts.notes.note[0].what, note) != NULL &&
                  facts.notes.note[0].weight == weight,
              "%zu: %s", facts.notes.count, facts.notes.note[0].what);
    mesh_free(&mesh);
}

Test(ifc_file, what_is_lost_is_counted_and_said)
{
    struct ifc with = good;
    with.contained = "";
    assert_noted(&with, "1 of its 2 elements have no faces: 1 of 2 IFCBUILDINGELEMENTPROXY",
                 IMPORT_INCOMPLETE);
    with = good;
    with.wall = "IFCWALL";
    assert_noted(&with,
                 "1 of its walls, slabs and roofs are not closed, so parts of them are lost: \"left side\"",
                 IMPORT_INCOMPLETE);
    with = good;
    with.more = "#120=IFCBUILDINGELEMENTPROXY('0000000000000000000120',#5,$,$,$,#12,#123,$,$);\n"
                "#121=IFCBLOCK(#9,1.,1.,1.);\n"
                "#122=IFCSHAPEREPRESENTATION(#10,'Body','CSG',(#121,#51));\n"
                "#123=IFCPRODUCTDEFINITIONSHAPE($,$,(#122));\n";
    with.contained = ",#83,#120";
    assert_noted(&with, "part of it could not be read (1 message): IFC: skipping unknown", IMPORT_DOUBTFUL);
    with = good;
    with.more = "#120=IFCARBITRARYPROFILEDEFWITHVOIDS(.AREA.,$,#30,(#33));\n";
    assert_noted(&with, "1 of its profiles, such as those of window frames, has holes, which are filled",
                 IMPORT_INCOMPLETE);
}

Test(ifc_file, other_schemas_are_refused_by_name)
{
    static const char *const schemas[] = {"IFC4", "IFC4X3_ADD2", "IFC2X2_FINAL"};
    for (size_t k = 0; k < sizeof schemas / sizeof schemas[0]; ++k) {
        char because[100];
        struct ifc with = good;
        with.schema = schemas[k];
        put_ifc(&with);
        (void)snprintf(because, sizeof because, "its schema is %s, and only IFC2X3 is read", schemas[k]);
        assert_refused("room.ifc", because);
        cr_assert(strstr(failure.fix, "export IFC2x3, .glb or .obj") == failure.fix);
    }
}

Test(ifc_file, a_broken_file_is_refused_in_one_sentence)
{
    struct ifc with = good;
    with.more = "#120=IFCDIRECTION((0.,0.,1.));#121=IFCDIRECTION((0.,0.,1.));\n";
    put_ifc(&with);
    assert_refused("room.ifc", "two of its statements share a line, at \"#121=IFCDIRECTION(");
    used = 0;
    put("solid\n");
    assert_refused("room.ifc", "it is not an IFC file");
    put_ifc(&good);
    const size_t whole = used;
    for (size_t tenth = 1; tenth < 10; ++tenth) {
        used = whole * tenth / 10;
        assert_refused("room.ifc", "the file ends before its END-ISO-10303-21: it is incomplete");
    }
}

Test(ifc_file, damaged_files_give_a_mesh_or_a_sentence, .timeout = 240)
{
    struct ifc with = good;
    with.units = FEET("0.3048", "$");
    with.oak = "gl\\X2\\00E4\\X0\\nzend";
    with.second = windowed;
    put_ifc(&with);
    damage("room.ifc");
    with.second = MIRRORED;
    put_ifc(&with);
    damage("room.ifc");
}
