/** Command lines, tables of materials, positions and outputs that must be refused by the whole program: one
 * row for each way that a refusal takes. Every option with every wrong value, every wrong table:
 * test_options, test_surface_table. */
#define _XOPEN_SOURCE   700 /* nftw, mkdtemp */
#define _DEFAULT_SOURCE     /* wait4 */
#include "tests/support/bad_input.h"

TestSuite(bad_input_options, .init = enter_folder, .fini = leave_folder);

#define PLAN     "plan", "cube.obj", "--fmax", "200"
#define SIMULATE "simulate", CUBE
#define TO_RUN   CUBE_PLACES, "-o", "run"

/* ---- words ---- */

static const struct bad_input words[] = {
    {"(good: plan)", .run = {PLAN}, .status = 0},
    {"an unknown command", .run = {"simulat", "cube.obj"}, .status = 2,
     .says = {"simulat", "did you mean simulate"}},
    {"an empty command", .run = {""}, .status = 2, .says = {"no command", "--help"}},
    {"an escape sequence for a command", .run = {"\x1b[2J\x07"}, .status = 2,
     .says = {"no command", "--help"}},
    {"no room", .run = {"plan"}, .status = 2, .says = {"needs a ROOM", "transept plan --help"}},
    {"an unknown option", .run = {PLAN, "--fmaxx", "3"}, .status = 2,
     .says = {"no option --fmaxx", "--fmax?"}},
    {"a Courant number above the limit",
     .run = {SIMULATE, TO_RUN, "--scheme", "standard", "--courant", "0.58"}, .status = 2,
     .says = {"Courant number is 0.58", "the standard scheme", "0.57735"}},
    {"a Courant number above any limit", .run = {PLAN, "--courant", "0.87"}, .status = 2,
     .says = {"--courant 0.87", "at most 0.866025"}},
    {"too few points for the standard scheme",
     .run = {PLAN, "--scheme", "standard", "--points-per-wavelength", "3.8"}, .status = 2,
     .says = {"3.8 points per wavelength", "the standard scheme needs at least 4"}},
    {"first-order walls of the isotropic scheme",
     .run = {PLAN, "--scheme", "isotropic", "--walls", "first-order"}, .status = 2,
     .says = {"no first-order walls", "--walls conformal", "--scheme standard"}},
    {"both quality and points", .run = {PLAN, "--quality", "fine", "--points-per-wavelength", "8"},
     .status = 2, .says = {"a quality and points per wavelength", "one of them"}},
    {"a spacing that carries nothing", .run = {"plan", "cube.obj", "--spacing", "10"}, .status = 2,
     .says = {"a spacing of 10 m", "Hz"}},
    {"a spacing too coarse for fmax", .run = {PLAN, "--spacing", "1"}, .status = 2,
     .says = {"a spacing of 1 m", "at 200 Hz", "points per wavelength"}},
};

/* ---- materials ---- */

#define CSV(text) .file = {{"bad.csv", text}}, .run = {PLAN, "--materials", "bad.csv"}, .status = 2

static void make_noise_csv(void)
{
    uint64_t state = 7, noise[2048];
    for (size_t i = 0; i < 2048; i++)
        noise[i] = test_random(&state);
    write_bytes("bad.csv", noise, sizeof noise);
}

static void make_long_line_csv(void)
{
    char *line = malloc(1 << 20);
    cr_assert(line != NULL);
    memset(line, 'm', 1 << 20);
    write_bytes("bad.csv", line, 1 << 20);
    free(line);
}

static void make_200000_rows(void)
{
    FILE *file = fopen("bad.csv", "w");
    cr_assert(file != NULL);
    fputs("material,500\n", file);
    for (int i = 0; i < 200000; i++)
        fprintf(file, "wall%d,0.1\n", i);
    fclose(file);
}

static void make_1_gib_csv(void)
{
    write_text("bad.csv", "material,500\nwall,0.1\n");
    cr_assert(eq(int, truncate("bad.csv", (off_t)1 << 30), 0));
}

#define LIBRARY "materials:\n- name: wall\n  kind: stone\n  absorption: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, "

static const struct bad_input materials[] = {
    {"(good: a table)", .run = {PLAN, "--materials", "walls.csv"}, .status = 0},
    {"1.51", CSV("material,500\nwall,1.51\n"), .says = {"bad.csv", "line 2", "1.51", "\"wall\"", "to 1.5"}},
    {"(good: a table of branches)", .file = {{"good.csv", "material,D,E,F\nwall,0.01,4,300\nwall,0,9,0\n"}},
     .run = {PLAN, "--materials", "good.csv"}, .status = 0},
    {"a branch that gives energy", CSV("material,D,E,F\nwall,-0.01,4,300\n"),
     .says = {"bad.csv", "line 2", "\"wall\"", "D is -0.01", "at least 0"}},
    {"(good: a library)", .file = {{"own.yaml", LIBRARY "0.1]\n"}}, .run = {PLAN, "--materials", "own.yaml"},
     .status = 0},
    {"a library with a bad value", .file = {{"own.yaml", LIBRARY "1.3]\n"}},
     .run = {PLAN, "--materials", "own.yaml"}, .status = 2, .says = {"own.yaml", "wall", "1.3 at 8000 Hz"}},
    {"a library called a table", CSV(LIBRARY "0.1]\n"), .says = {"bad.csv", "line 1", ".yaml"}},
    {"noise", .make = make_noise_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "line 1"}},
    {"a line of a mebibyte", .make = make_long_line_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "line 1", "65534 bytes"}},
    {"200,000 rows", .make = make_200000_rows, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "line 10002", "more than 10000 materials"}},
    {"a table of a gibibyte", .make = make_1_gib_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "1073741824 bytes", "16 MiB"}},
    {"a material that the room has not", .run = {PLAN, "--absorption", "NoSuch=0.1"}, .status = 2,
     .says = {"NoSuch", "no surface of that name", "\"wall\""}},
    {"two absorptions for the rest", .run = {PLAN, "--absorption", "0.1", "--absorption", "0.3"}, .status = 2,
     .says = {"--absorption 0.3", "0.1", "keep one"}},
    {"a back for no surface of the model", .run = {PLAN, "--absorption", "0.1", "--two-sided", "wal=brick"},
     .status = 2, .says = {"--two-sided wal=brick", "\"wal\"", "\"wall\""}},
    {"a surface with two backs", .status = 2,
     .run = {PLAN, "--absorption", "0.1", "--two-sided", "wall=brick", "--two-sided", "wall=wood"},
     .says = {"\"wall\"", "\"brick\"", "\"wood\""}},
};

/* ---- positions ---- */

static const struct bad_input positions[] = {
    {"(good: a run)", .run = {SIMULATE, TO_RUN, "--quiet"}, .status = 0},
    {"a source outside", .run = {SIMULATE, "--source", "9,1,1", "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"source \"S1\"", "(9, 1, 1)", "outside", "move it"}},
    {"a receiver outside", .run = {SIMULATE, "--source", "1,1,1", "--receiver", "2,2,-5,pew", "-o", "run"},
     .status = 2, .says = {"receiver \"pew\"", "(2, 2, -5)"}},
    {"a source name twice",
     .run = {SIMULATE, "--source", "1,1,1,a", "--source", "2,1,1,a", "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"two sources", "called a"}},
    {"two pairs for one file",
     .run = {SIMULATE, "--source", "1,1,1,a_b", "--source", "2,1,1,a", "--receiver", "2,2,2,c", "--receiver",
             "2,1,2,b_c", "-o", "run"},
     .status = 2, .says = {"ir_a_b_c.wav", "change a name"}},
    {"a receiver where the source is",
     .run = {SIMULATE, "--source", "1,1,1", "--receiver", "1,1,1", "-o", "run"}, .status = 2,
     .says = {"S1", "R1", "same place", "1, 1, 1", "0.001 m"}},
    {"no source", .run = {SIMULATE, "--receiver", "2,2,2", "-o", "run"}, .status = 2,
     .says = {"no source", "--source x,y,z", "x 0..3"}},
    {"no receiver", .run = {SIMULATE, "--source", "2,2,2", "--receiver-grid", "none", "-o", "run"},
     .status = 2, .says = {"no receiver", "--receiver x,y,z"}},
};

/* ---- outputs ---- */

static void make_loop(void)
{
    cr_assert(eq(int, symlink("run", "run"), 0));
}

static void make_folder_with_notes(void)
{
    cr_assert(eq(int, mkdir("own", 0777), 0));
    write_text("own/notes.txt", "the user's own");
}

static void make_link_to_full(void)
{
    cr_assert(eq(int, symlink("/dev/full", "full.obj"), 0));
}

static const struct bad_input outputs[] = {
    {"no output", .run = {SIMULATE, CUBE_PLACES}, .status = 2, .says = {"-o DIR"}},
    {"an empty output", .run = {SIMULATE, CUBE_PLACES, "-o", ""}, .status = 2,
     .says = {"--output", "folder"}},
    {"a folder that is there", .run = {SIMULATE, CUBE_PLACES, "-o", "mine"}, .status = 2,
     .says = {"mine exists", "another -o", "--force"}},
    {"a file that is there", .run = {SIMULATE, CUBE_PLACES, "-o", "cube.obj", "--force"}, .status = 2,
     .says = {"cube.obj is not a folder", "another -o"}},
    {"a folder below a file", .run = {SIMULATE, CUBE_PLACES, "-o", "cube.obj/run"}, .status = 5,
     .says = {"cube.obj/run cannot be made", "Not a directory"}},
    {"a folder where nobody may write", .run = {SIMULATE, CUBE_PLACES, "-o", "/proc/run"}, .status = 5,
     .says = {"/proc/run cannot be made"}},
    {"a link to itself", .make = make_loop, .run = {SIMULATE, CUBE_PLACES, "-o", "run"}, .status = 2,
     .says = {"run", "another -o"}},
    {"a name too long for a file system",
     .run = {SIMULATE, CUBE_PLACES, "-o",
             "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr"
             "rrrrrrr"
             "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr"
             "rrrrrrr"
             "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr"
             "rrrrrrr"},
     .status = 5, .says = {"cannot be made", "name too long"}},
    {"a disk that is full at the response", .run = {SIMULATE, TO_RUN}, .status = 5, .says = {"ir_S1_R1.wav"},
     .file_bytes = 4096},
    {"a disk that is full in a folder of the user's", .make = make_folder_with_notes,
     .run = {SIMULATE, CUBE_PLACES, "-o", "own", "--force"}, .status = 5, .says = {"ir_S1_R1.wav"},
     .file_bytes = 4096},
    {"a disk that is full at a room", .run = {"room", "church", "-o", "church.obj", "--quiet"}, .status = 5,
     .says = {"church.obj"}, .file_bytes = 4096},
    {"a reader that takes nothing", .run = {PLAN, "--json"}, .status = 5, .says = {"standard output"},
     .output = "/dev/full"},
    {"a room over a device", .make = make_link_to_full, .run = {"room", "cube", "-o", "full.obj", "--force"},
     .status = 5, .says = {"full.obj", "not a regular file"}},
};

/* ---- rooms and the seed's table ---- */

#define ROOM(...) .run = {"room", __VA_ARGS__, "-o", "new.obj"}, .status = 2

static const struct bad_input rooms[] = {
    {"memory of no shape", .run = {"memory", "pyramid", "--nodes", "8"}, .status = 2,
     .says = {"no shape pyramid", "cube, sphere and cross"}},
    {"memory of an empty shape", .run = {"memory", "cube,", "--nodes", "8"}, .status = 2,
     .says = {"no shape ''"}},
};

/* ---- check, compare, bench ---- */

static const struct bad_input judges[] = {
    {"check with voxels below nothing",
     .run = {"check", "cube.obj", "--fmax", "200", "--voxels", "no/such/air.ply"}, .status = 5,
     .says = {"no/such/air.ply"}, .may_print_answer = true},
    {"compare of nothing", .run = {"compare"}, .status = 2, .says = {"needs at least one ROOM"}},
    {"compare with a layout", .run = {"compare", "cube.obj", "--layout", "box"}, .status = 2,
     .says = {"--layout", "compare"}},
    {"compare of what memory does not hold", .run = {"compare", "cube.obj", "--spacing", "0.1mm"},
     .status = 3, .says = {"available"}},
    {"bench of two rooms", .run = {"bench", "cube.obj", "other.obj"}, .status = 2,
     .says = {"bench takes one", "cube.obj", "other.obj"}},
    {"bench of a room of so many nodes", .run = {"bench", "cube.obj", "--nodes", "48"}, .status = 2,
     .says = {"--nodes", "--spacing"}},
    {"bench of a shape at a spacing", .run = {"bench", "--spacing", "2cm"}, .status = 2,
     .says = {"--spacing", "ROOM"}},
};

Test(bad_input_options, words_that_mean_nothing_are_refused)
{
    JUDGE(words);
}

Test(bad_input_options, tables_and_values_of_absorption_are_refused_with_their_line)
{
    JUDGE(materials);
}

Test(bad_input_options, positions_without_air_or_name_are_refused)
{
    JUDGE(positions);
}

Test(bad_input_options, unwritable_outputs_are_reported_and_leave_nothing)
{
    JUDGE(outputs);
}

Test(bad_input_options, rooms_and_shapes_that_cannot_be_are_refused)
{
    JUDGE(rooms);
}

Test(bad_input_options, check_compare_and_bench_refuse_before_they_work)
{
    JUDGE(judges);
}
