/** Projects that must be refused: each with its file, line and key, and what was expected there. */
#define _XOPEN_SOURCE   700 /* nftw, mkdtemp */
#define _DEFAULT_SOURCE     /* wait4 */
#include "tests/support/bad_input.h"

TestSuite(bad_input_project, .init = enter_folder, .fini = leave_folder);

#define ROOM "room: cube.obj\nfmax_hz: 200\n"
#define BAD(name, text, ...)                                                                                 \
    {                                                                                                        \
        name, .file = {{"p.yaml", text}}, .run = {"plan", "p.yaml"}, .status = 2, .says = { __VA_ARGS__ }    \
    }

/* ---- what is no project ---- */

static void make_pipe(void)
{
    cr_assert(eq(int, mkfifo("p.yaml", 0666), 0));
}

static void make_large(void)
{
    FILE *file = fopen("p.yaml", "w");
    cr_assert(file != NULL);
    fputs(ROOM, file);
    for (int i = 0; i < 1100; i++)
        fprintf(file, "# %01021d\n", 0);
    fclose(file);
}

static void make_deep(void)
{
    FILE *file = fopen("p.yaml", "w");
    cr_assert(file != NULL);
    fputs("room: ", file);
    for (int i = 0; i < 1000000; i++)
        fputc(i % 2 == 0 ? '[' : '{', file);
    fclose(file);
}

/* Every variant says again of thousands of materials, by one name. */
static void make_wide(void)
{
    FILE *file = fopen("p.yaml", "w");
    cr_assert(file != NULL);
    fputs("room: cube.obj\nmaterials: &m\n", file);
    for (int i = 0; i < 4096; i++)
        fprintf(file, "  m%d: 0.1\n", i);
    fputs("variants:\n", file);
    for (int i = 0; i < 64; i++)
        fprintf(file, "  v%d: {materials: *m}\n", i);
    fclose(file);
}

static void make_folder(void)
{
    cr_assert(eq(int, mkdir("p.yaml", 0777), 0));
}

static void make_zero_byte(void)
{
    write_bytes("p.yaml", "room: cube.obj\n\0fmax_hz: 9\n", 27);
}

static const struct bad_input files[] = {
    {"(good: a mesh and a frequency)", .file = {{"p.yaml", ROOM}}, .run = {"plan", "p.yaml"}, .status = 0},
    {"absent", .run = {"plan", "p.yaml"}, .status = 2, .says = {"p.yaml", "No such file"}},
    {"a pipe", .make = make_pipe, .run = {"plan", "p.yaml"}, .status = 2, .says = {"p.yaml", "pipe"}},
    {"a folder", .make = make_folder, .run = {"plan", "p.yaml"}, .status = 2, .says = {"p.yaml", "folder"}},
    {"larger than any project", .make = make_large, .run = {"plan", "p.yaml"}, .status = 2,
     .says = {"p.yaml", "at most 1048576 are read"}},
    {"a zero byte", .make = make_zero_byte, .run = {"plan", "p.yaml"}, .status = 2, .says = {"p.yaml"}},
    {"a million brackets", .make = make_deep, .run = {"plan", "p.yaml"}, .status = 2,
     .says = {"p.yaml, line 1", "100 brackets"}},
    {"thousands of materials in dozens of variants", .make = make_wide, .run = {"plan", "p.yaml"},
     .status = 2, .says = {"materials.m0", "no surface"}},
    BAD("empty", "", "p.yaml: the file is empty", "room: church.obj"),
    BAD("only a remark", "# later\n", "p.yaml: the file is empty"),
    BAD("a list", "- room\n", "line 1", "keys and values"),
    BAD("a tabulator", ROOM "air:\n\thumidity_percent: 4\n", "p.yaml, line 4", "here is a tab"),
    BAD("a bracket that stays open", ROOM "sources: [\n", "p.yaml, line"),
    BAD("a quote that stays open", "room: \"cube.obj\n", "p.yaml, line"),
    BAD("two documents", ROOM "---\nroom: cube.obj\n", "line 4", "second document"),
    BAD("itself within itself", "room: cube.obj\nmaterials: &m\n  wall: *m\n", "materials.wall"),
    BAD("no room", "fmax_hz: 200\n", "p.yaml names no room", "room: FILE"),
};

Test(bad_input_project, files_that_are_no_project_are_refused_with_the_line)
{
    JUDGE(files);
}

/* ---- keys ---- */

static const struct bad_input keys[] = {
    BAD("a key with a slip", ROOM "fmax_khz: 1\n", "p.yaml, line 3", "fmax_khz", "did you mean fmax_hz?"),
    BAD("a key without its unit", ROOM "duration: 3\n", "p.yaml, line 3", "duration is not a key",
        "did you mean duration_s?"),
    BAD("a key like nothing", ROOM "colour_of_the_carpet: red\n", "line 3", "colour_of_the_carpet",
        "the keys here are room, units"),
    BAD("a key twice", ROOM "fmax_hz: 300\n", "line 3", "fmax_hz", "twice, first in line 2"),
    BAD("a key that is a list", ROOM "[a, b]: 1\n", "line 3", "a key must be a text"),
    BAD("a slip within a material", ROOM "materials:\n  wall: {absorbtion: 0.1}\n", "line 4",
        "materials.wall.absorbtion", "absorption?"),
    BAD("a material twice", ROOM "materials:\n  wall: 0.1\n  wall: 0.2\n", "line 5", "materials.wall",
        "first in line 4"),
    BAD("a material twice in two cases", ROOM "materials:\n  wall: 0.1\n  WALL: 0.2\n", "line 5",
        "materials.WALL", "first in line 4"),
    BAD("an escape sequence for a key", ROOM "\"\\e[2J\": 1\n", "line 3"),
};

Test(bad_input_project, an_unknown_key_is_reported_with_its_line_and_the_nearest)
{
    JUDGE(keys);
}

/* ---- values ---- */

static const struct bad_input numbers[] = {
    BAD("a word for a number", "room: cube.obj\nfmax_hz: high\n", "line 2", "fmax_hz is high",
        "a number above 20 and at most 20000 Hz"),
    BAD("a unit behind a number", "room: cube.obj\nfmax_hz: 200 Hz\n", "line 2", "fmax_hz is 200 Hz"),
    BAD("NaN", "room: cube.obj\nfmax_hz: .nan\n", "line 2", "fmax_hz is .nan"),
    BAD("a list for a number", "room: cube.obj\nfmax_hz: [100, 200]\n", "line 2", "fmax_hz is a list of 2"),
    BAD("below the limit", "room: cube.obj\nfmax_hz: 5\n", "line 2", "fmax_hz is 5", "above 20"),
    BAD("a word that is none", ROOM "walls: frist-order\n", "line 3", "walls is frist-order",
        "conformal, staircase, first-order", "did you mean first-order?"),
    BAD("a flag that is no truth", ROOM "open: maybe\n", "line 3", "open is maybe", "true or false"),
    BAD("a coordinate that is none", ROOM "grid_origin_m: [0, 1, x]\n", "line 3", "grid_origin_m[3] is x"),
    BAD("both spacing and points", ROOM "spacing_m: 0.1\npoints_per_wavelength: 8\n", "spacing", "points"),
};

Test(bad_input_project, a_value_of_the_wrong_kind_or_size_is_reported_with_its_key_and_limit)
{
    JUDGE(numbers);
}

/* ---- rooms, surfaces ---- */

static const struct bad_input rooms[] = {
    BAD("an absent mesh", "room: nave.obj\n", "nave.obj"),
    BAD("a project for a room", "room: p.yaml\n", "line 1", "room is p.yaml", "not another project"),
    BAD("a mapping of neither", "room: {file: cube.obj}\n", "line 1", "room.file", "mesh, shape"),
    BAD("both", "room: {mesh: cube.obj, shape: cube}\n", "line 1", "room.mesh", "contradict"),
    BAD("an unknown shape", "room: {shape: chruch}\n", "line 1", "room.shape is chruch",
        "cube, sphere, cross, church", "did you mean church?"),
    BAD("a measure with a slip", "room:\n  shape: church\n  nave_lenght: 20\n", "line 3", "room.nave_lenght",
        "nave_length?"),
    BAD("a measure out of range", "room:\n  shape: church\n  nave_length: 2000\n", "line 3",
        "room.nave_length is 2000", "m"),
    BAD("an absent file of materials", ROOM "materials_file: none.csv\n", "none.csv"),
    BAD("too much absorption", ROOM "materials:\n  wall: {absorption: 1.6}\n", "line 4",
        "materials.wall.absorption is 1.6", "at most 1.5"),
    BAD("no band", ROOM "materials:\n  wall: {absorption: {300: 0.1}}\n", "line 4",
        "materials.wall.absorption.300 is not an octave"),
    BAD("two ways at once", ROOM "materials:\n  wall: {absorption: 0.1, library: plaster}\n", "line 4",
        "materials.wall", "more than one"),
    BAD("people on plaster", ROOM "materials:\n  wall: {library: marble floor, audience: 0.5}\n", "line 4",
        "an audience of 0.5 changes nothing"),
    BAD("a back of no surface", ROOM "two_sided: {curtain: wall}\n", "curtain"),
};

Test(bad_input_project, mistakes_of_room_and_surfaces_have_their_line)
{
    JUDGE(rooms);
}

/* ---- positions, outputs, variants ---- */

static const struct bad_input places[] = {
    BAD("a name that is no file's", ROOM "sources:\n- {name: a/b, position: [1, 1, 1]}\n", "line 4",
        "sources[1].name is a/b", "letters, digits"),
    BAD("sources that are no list", ROOM "sources: {name: a, position: [1, 1, 1]}\n", "line 3", "sources",
        "a list of positions"),
    BAD("no sources", ROOM "sources: []\n", "line 3",
        "sources is empty; expected a list of positions, each with name and position, or nothing of that "
        "name"),
    BAD("a logo that is not there", ROOM "report:\n  letterhead:\n    logo: nowhere.png\n", "p.yaml, line 5",
        "report.letterhead.logo", "nowhere.png could not be opened"),
    BAD("a grid of two kinds", ROOM "receiver_grids:\n- name: g\n  material: wall\n  corners: [[0, 0, 0]]\n",
        "line 4", "a material and corners"),
    BAD("a folder elsewhere", ROOM "outputs: {folder: /tmp/x}\n", "line 3", "outputs.folder is /tmp/x",
        "-o DIR"),
    BAD("a folder above", ROOM "outputs: {folder: a/../../x}\n", "line 3", "outputs.folder is a/../../x"),
    BAD("a variant of another band", ROOM "variants:\n  full:\n    fmax_hz: 100\n", "line 5",
        "variants.full.fmax_hz", "one may have room"),
    BAD("a variant called all", ROOM "variants:\n  all: {audience: 1}\n", "line 4", "variants.all",
        "not a name of a variant"),
    BAD("a variant that leaves the folder", ROOM "variants:\n  ../x: {audience: 1}\n", "line 4",
        "not a name of a variant"),
    {"a variant that is not there", .file = {{"p.yaml", ROOM "variants:\n  full: {other_surfaces: 0.2}\n"}},
     .run = {"plan", "p.yaml", "--variant", "ful"}, .status = 2,
     .says = {"no variant ful", "did you mean full"}},
    {"a variant of a mesh", .run = {"plan", "cube.obj", "--variant", "full"}, .status = 2,
     .says = {"--variant full", "cube.obj"}},
};

Test(bad_input_project, mistakes_of_places_outputs_and_variants_have_their_line)
{
    JUDGE(places);
}
