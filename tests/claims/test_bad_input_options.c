/** Command lines, tables of materials, positions and outputs that must be refused. */
#define _XOPEN_SOURCE   700 /* nftw, mkdtemp */
#define _DEFAULT_SOURCE     /* wait4 */
#include "tests/support/bad_input.h"

#include "src/options/options.h"

TestSuite(bad_input_options, .init = enter_folder, .fini = leave_folder);

#define PLAN     "plan", "cube.obj", "--fmax", "200"
#define SIMULATE "simulate", CUBE
#define TO_RUN   CUBE_PLACES, "-o", "run"

/* ---- words ---- */

static const struct bad_input words[] = {
    {"(good: plan)", .run = {PLAN}, .status = 0},
    {"an unknown command", .run = {"simulat", "cube.obj"}, .status = 2,
     .says = {"simulat", "did you mean simulate"}},
    {"a command like nothing", .run = {"xyzzy"}, .status = 2, .says = {"no command xyzzy", "--help"}},
    {"an empty command", .run = {""}, .status = 2, .says = {"no command", "--help"}},
    {"an escape sequence for a command", .run = {"\x1b[2J\x07"}, .status = 2,
     .says = {"no command", "--help"}},
    {"no room", .run = {"plan"}, .status = 2, .says = {"needs a ROOM", "transept plan --help"}},
    {"two rooms", .run = {"plan", "cube.obj", "other.obj"}, .status = 2,
     .says = {"one ROOM", "cube.obj", "other.obj"}},
    {"an unknown option", .run = {PLAN, "--fmaxx", "3"}, .status = 2,
     .says = {"no option --fmaxx", "--fmax?"}},
    {"an option like nothing", .run = {PLAN, "--xyzzy-plugh"}, .status = 2,
     .says = {"--xyzzy-plugh", "--help"}},
    {"an option of another command", .run = {PLAN, "--force"}, .status = 2, .says = {"--force", "plan"}},
    {"an option without its value", .run = {"plan", "cube.obj", "--fmax"}, .status = 2,
     .says = {"--fmax needs a value"}},
    {"a flag with a value", .run = {PLAN, "--json=yes"}, .status = 2, .says = {"--json takes no value"}},
    {"a word that is none of the choices", .run = {PLAN, "--layout", "bricks"}, .status = 2,
     .says = {"--layout bricks", "blocks, box"}},
    {"an unknown unit", .run = {PLAN, "--units", "furlong"}, .status = 2,
     .says = {"--units furlong", "m, cm, mm"}},
    {"a number in hexadecimal", .run = {"plan", "cube.obj", "--fmax", "0x100"}, .status = 2,
     .says = {"--fmax 0x100", "frequency"}},
    {"a comma for a point", .run = {PLAN, "--courant", "0,5"}, .status = 2,
     .says = {"--courant 0,5", "a number"}},
    {"a number of 100,000 digits is not read whole", .run = {PLAN, "--temperature", "1e99999999999999999999"},
     .status = 2, .says = {"--temperature"}},
    {"more vapour than air can hold", .run = {SIMULATE, TO_RUN, "--humidity", "101"}, .status = 2,
     .says = {"--humidity 101", "at most 100"}},
    {"no air at all", .run = {PLAN, "--pressure", "0"}, .status = 2, .says = {"--pressure 0", "at least 30"}},
    {"pascals for kilopascals", .run = {PLAN, "--pressure", "101325"}, .status = 2,
     .says = {"--pressure 101325", "at most 200"}},
    {"kelvin for degrees", .run = {PLAN, "--temperature", "293"}, .status = 2,
     .says = {"--temperature 293", "at most 100"}},
    {"an unknown way to count the air", .run = {SIMULATE, TO_RUN, "--air", "stokes"}, .status = 2,
     .says = {"--air stokes", "modal, fast, off"}},
    {"air's losses where no response is made", .run = {"check", "cube.obj", "--air", "off"}, .status = 2,
     .says = {"--air", "option of other commands"}},
    {"a Courant number above the limit", .run = {SIMULATE, TO_RUN, "--courant", "0.58"}, .status = 2,
     .says = {"--courant 0.58", "0.57735"}},
    {"a Courant number of nearly nothing", .run = {SIMULATE, TO_RUN, "--courant", "1e-9"}, .status = 2,
     .says = {"Courant", "1e-09"}},
    {"both spacing and points", .run = {PLAN, "--spacing", "0.1", "--points-per-wavelength", "8"},
     .status = 2, .says = {"--spacing", "--points-per-wavelength", "one of them"}},
    {"a spacing that carries nothing", .run = {"plan", "cube.obj", "--spacing", "10"}, .status = 2,
     .says = {"--spacing 10 m", "Hz"}},
    {"a spacing too coarse for fmax", .run = {PLAN, "--spacing", "1"}, .status = 2,
     .says = {"--spacing 1 m", "--fmax 200", "points per wavelength"}},
    {"a grid finer than memory holds", .run = {SIMULATE, TO_RUN, "--spacing", "0.1mm"}, .status = 3,
     .says = {"bytes", "available", "--fmax"}},
    {"a thousand thousand threads", .run = {PLAN, "--threads", "1000000"}, .status = 2,
     .says = {"--threads 1000000", "at most 1024"}},
    {"half a thread", .run = {PLAN, "--threads", "0.5"}, .status = 2,
     .says = {"--threads 0.5", "whole number"}},
};

/* ---- numbers: every option that takes one, with every kind of wrong one ---- */

static const char *const no_numbers[] = {"nan", "-nan", "inf", "-inf", "1e999", "", "x", "1x", "--", "1 "};

static void expect_number_refused(enum command_bit bit, const char *command, const struct option_spec *spec,
                                  const char *value)
{
    char name[80], argument[200];
    snprintf(name, sizeof name, "--%s", spec->name);
    snprintf(argument, sizeof argument, "%s=%s", name, value);
    /* A file that is not there: a value that is wrongly taken shall not set the program to work. */
    const char *subject = bit == COMMAND_MEMORY ? "pyramid" : "absent.obj";
    const struct bad_input row = {argument, .run = {command, argument, subject}, .status = 2,
                                  .says = {name, value}};
    const char *wrong = judge_row(&row);
    cr_expect(wrong[0] == '\0', "%s %s: %s", command, argument, wrong);
}

static bool takes_a_number(enum option_kind kind)
{
    return kind == OPTION_NUMBER || kind == OPTION_FREQUENCY || kind == OPTION_LENGTH ||
           kind == OPTION_TIME || kind == OPTION_COUNT || kind == OPTION_COUNTS || kind == OPTION_POINT;
}

Test(bad_input_options, no_option_takes_a_number_that_is_none_or_out_of_its_limits)
{
    static const struct {
        enum command_bit bit;
        const char *name;
    } commands[] = {{COMMAND_SIMULATE, "simulate"}, {COMMAND_MEMORY, "memory"}, {COMMAND_COMPARE, "compare"}};
    size_t options = 0;
    for (size_t i = 0; i < option_table_count; i++) {
        const struct option_spec *spec = &option_table[i];
        size_t c = 0;
        while (c < 3 && (spec->commands & commands[c].bit) == 0)
            c++;
        if (c == 3 || !takes_a_number(spec->kind))
            continue;
        options++;
        for (size_t k = 0; k < sizeof no_numbers / sizeof no_numbers[0]; k++)
            expect_number_refused(commands[c].bit, commands[c].name, spec, no_numbers[k]);
        if (spec->kind == OPTION_POINT)
            continue;
        char text[64];
        const bool whole = spec->kind == OPTION_COUNT || spec->kind == OPTION_COUNTS;
        snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", spec->high * (whole ? 1 : 1.001) + whole);
        expect_number_refused(commands[c].bit, commands[c].name, spec, text);
        if (spec->above_low || whole)
            expect_number_refused(commands[c].bit, commands[c].name, spec, "0");
        if (spec->low >= 0)
            expect_number_refused(commands[c].bit, commands[c].name, spec, "-1");
    }
    cr_assert(test_at_least((double)(options), (double)(10)));
}

/* ---- materials ---- */

#define CSV(text) .file = {{"bad.csv", text}}, .run = {PLAN, "--materials", "bad.csv"}, .status = 2

static void make_pipe_csv(void)
{
    cr_assert(eq(int, mkfifo("bad.csv", 0666), 0));
}

static void make_zeros_csv(void)
{
    cr_assert(eq(int, symlink("/dev/zero", "bad.csv"), 0));
}

static void make_noise_csv(void)
{
    uint64_t state = 7, noise[2048];
    for (size_t i = 0; i < 2048; i++)
        noise[i] = test_random(&state);
    write_bytes("bad.csv", noise, sizeof noise);
}

static void make_zero_byte_csv(void)
{
    static const char text[] = "material,500\nwall,0.1\0and more";
    write_bytes("bad.csv", text, sizeof text - 1);
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
    {"a missing table", .run = {PLAN, "--materials", "absent.csv"}, .status = 2,
     .says = {"absent.csv", "No such file"}},
    {"a folder for a table", .run = {PLAN, "--materials", "mine"}, .status = 2, .says = {"mine", "folder"}},
    {"a pipe for a table", .make = make_pipe_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "device, pipe or socket"}},
    {"a device for a table", .make = make_zeros_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "device, pipe or socket"}},
    {"an empty table", CSV(""), .says = {"bad.csv", "empty"}},
    {"a table of blank lines and comments", CSV("\n  \n# material,500\n"), .says = {"bad.csv", "empty"}},
    {"no header", CSV("wall,0.1,0.2\n"), .says = {"bad.csv", "line 1", "\"wall\"", "material,125,250,500"}},
    {"a header without an octave", CSV("material,16,16000\nwall,0.1,0.2\n"),
     .says = {"bad.csv", "line 1", "octave", "63 to 8000 Hz"}},
    {"a header of thirds of octaves", CSV("material,500,630\nwall,0.1,0.2\n"),
     .says = {"bad.csv", "line 1", "\"630\"", "octave"}},
    {"a header with a word for an octave", CSV("material,125,loud\nwall,0.1,0.2\n"),
     .says = {"bad.csv", "line 1", "\"loud\""}},
    {"500 Hz twice", CSV("material,500,500Hz\nwall,0.1,0.2\n"), .says = {"bad.csv", "line 1", "two 500 Hz"}},
    {"semicolons", CSV("material;500\nwall;0.1\n"), .says = {"bad.csv", "line 1", "commas"}},
    {"a header alone", CSV("material,500\n"), .says = {"bad.csv", "no material"}},
    {"NaN", CSV("material,500\nwall,nan\n"), .says = {"bad.csv", "line 2", "\"nan\"", "\"wall\""}},
    {"1e999", CSV("material,500\nwall,1e999\n"), .says = {"bad.csv", "line 2", "1e999", "\"wall\"", "to 1"}},
    {"1.01", CSV("material,500\nwall,1.01\n"), .says = {"bad.csv", "line 2", "1.01", "\"wall\"", "to 1"}},
    {"-0.01", CSV("material,500\nwall,-0.01\n"),
     .says = {"bad.csv", "line 2", "-0.01", "\"wall\"", "from 0"}},
    {"percent", CSV("material,500\nwall,10%\n"), .says = {"bad.csv", "line 2", "10%", "not a number"}},
    {"a row that ends early", CSV("material,250,500\nwall,0.1\n"),
     .says = {"bad.csv", "line 2", "\"wall\"", "column 3", "500 Hz"}},
    {"a decimal comma", CSV("material,500\nwall,0,1\n"),
     .says = {"bad.csv", "line 2", "\"1\"", "\"wall\"", "behind the last column"}},
    {"a bad value in another octave", CSV("material,250,500\nwall,1.5,0.2\n"),
     .says = {"bad.csv", "line 2", "1.5", "\"wall\"", "to 1"}},
    {"(good: a table of branches)", .file = {{"good.csv", "material,D,E,F\nwall,0.01,4,300\nwall,0,9,0\n"}},
     .run = {PLAN, "--materials", "good.csv"}, .status = 0},
    {"a branch that gives energy", CSV("material,D,E,F\nwall,-0.01,4,300\n"),
     .says = {"bad.csv", "line 2", "\"wall\"", "D is -0.01", "at least 0"}},
    {"a branch without resistance", CSV("material,D,E,F\nwall,0.01,4,300\nwall,0.01,0,300\n"),
     .says = {"bad.csv", "line 3", "\"wall\"", "E is 0"}},
    {"a branch without its stiffness", CSV("material,D,E,F\nwall,0.01,4\n"),
     .says = {"bad.csv", "line 2", "\"wall\"", "no value for F"}},
    {"a branch that overflows", CSV("material,D,E,F\nwall,0.01,1e999,0\n"),
     .says = {"bad.csv", "line 2", "\"wall\"", "E is inf"}},
    {"thirteen branches",
     CSV("material,D,E,F\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\n"
         "wall,0,1,0\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\nwall,0,1,0\n"),
     .says = {"bad.csv", "line 14", "\"wall\"", "more than 12 branches"}},
    {"a header of two letters", CSV("material,D,E\nwall,0.01,4\n"),
     .says = {"bad.csv", "line 1", "material,D,E,F", "column 4"}},
    {"(good: a library)", .file = {{"own.yaml", LIBRARY "0.1]\n"}}, .run = {PLAN, "--materials", "own.yaml"},
     .status = 0},
    {"a library with a bad value", .file = {{"own.yaml", LIBRARY "1.3]\n"}},
     .run = {PLAN, "--materials", "own.yaml"}, .status = 2, .says = {"own.yaml", "wall", "1.3 at 8000 Hz"}},
    {"an empty library", .file = {{"own.yaml", ""}}, .run = {PLAN, "--materials", "own.yaml"}, .status = 2,
     .says = {"own.yaml", "empty"}},
    {"a table called a library", .file = {{"own.yml", "material,500\nwall,0.1\n"}},
     .run = {PLAN, "--materials", "own.yml"}, .status = 2, .says = {"own.yml", "no library of materials"}},
    {"a library called a table", CSV(LIBRARY "0.1]\n"), .says = {"bad.csv", "line 1", ".yaml"}},
    {"a missing library", .run = {PLAN, "--materials", "absent.yaml"}, .status = 2,
     .says = {"absent.yaml", "No such file"}},
    {"(good: an audience)", .run = {PLAN, "--audience", "0.5", "--quiet"}, .status = 0},
    {"an audience of 1.1", .run = {PLAN, "--audience", "1.1"}, .status = 2,
     .says = {"--audience 1.1", "at most 1"}},
    {"an audience of -0.1", .run = {PLAN, "--audience", "-0.1"}, .status = 2,
     .says = {"--audience -0.1", "at least 0"}},
    {"an audience of NaN", .run = {PLAN, "--audience", "nan"}, .status = 2, .says = {"--audience nan"}},
    {"(good: walls)", .run = {PLAN, "--walls", "first-order"}, .status = 0},
    {"walls of another word", .run = {PLAN, "--walls", "second"}, .status = 2,
     .says = {"--walls second", "inertance", "first-order"}},
    {"walls of check", .run = {"check", "cube.obj", "--walls", "inertance"}, .status = 2,
     .says = {"check", "--walls"}},
    {"a value without a name", CSV("material,500\n,0.1\n"), .says = {"bad.csv", "line 2", "name"}},
    {"two rows that disagree", CSV("material,500\nwall,0.1\nWALL,0.2\n"),
     .says = {"bad.csv", "line 3", "0.2", "0.1", "keep one"}},
    {"an open quote", CSV("material,500\n\"wall,0.1\n"), .says = {"bad.csv", "line 2", "quote"}},
    {"noise", .make = make_noise_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "line 1"}},
    {"a zero byte in the last line", .make = make_zero_byte_csv, .run = {PLAN, "--materials", "bad.csv"},
     .status = 2, .says = {"bad.csv", "line 2", "zero byte"}},
    {"a line of a mebibyte", .make = make_long_line_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "line 1", "65534 bytes"}},
    {"200,000 rows", .make = make_200000_rows, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "line 10002", "more than 10000 materials"}},
    {"a table of a gibibyte", .make = make_1_gib_csv, .run = {PLAN, "--materials", "bad.csv"}, .status = 2,
     .says = {"bad.csv", "1073741824 bytes", "16 MiB"}},
    {"a material that the room has not", .run = {PLAN, "--absorption", "NoSuch=0.1"}, .status = 2,
     .says = {"NoSuch", "no surface of that name", "\"wall\""}},
    {"an absorption of 1.2", .run = {PLAN, "--absorption", "1.2"}, .status = 2,
     .says = {"--absorption 1.2", "from 0", "to 1"}},
    {"an absorption of -0.1", .run = {PLAN, "--absorption", "-0.1"}, .status = 2,
     .says = {"--absorption -0.1", "from 0"}},
    {"an absorption of NaN", .run = {PLAN, "--absorption", "wall=nan"}, .status = 2,
     .says = {"--absorption wall=nan", "0 to 1"}},
    {"an absorption without a number", .run = {PLAN, "--absorption", "wall="}, .status = 2,
     .says = {"--absorption wall="}},
    {"an absorption without a name", .run = {PLAN, "--absorption", "=0.1"}, .status = 2,
     .says = {"--absorption =0.1", "NAME"}},
    {"two absorptions of one material", .run = {PLAN, "--absorption", "wall=0.1", "--absorption", "Wall=0.3"},
     .status = 2, .says = {"--absorption Wall=0.3", "wall=0.1", "keep one"}},
    {"two absorptions for the rest", .run = {PLAN, "--absorption", "0.1", "--absorption", "0.3"}, .status = 2,
     .says = {"--absorption 0.3", "0.1", "keep one"}},
    {"(good: the same absorption twice)", .status = 0,
     .run = {PLAN, "--absorption", "0.1", "--absorption", ".1"}},
    {"an empty absorption", .run = {PLAN, "--absorption="}, .status = 2, .says = {"--absorption", "0 to 1"}},
    {"a back for no surface of the model", .run = {PLAN, "--absorption", "0.1", "--two-sided", "wal=brick"},
     .status = 2, .says = {"--two-sided wal=brick", "\"wal\"", "\"wall\""}},
    {"a back for nothing near a name", .run = {PLAN, "--absorption", "0.1", "--two-sided", "curtain=brick"},
     .status = 2, .says = {"\"curtain\"", "transept check"}},
    {"two sides of one material", .run = {PLAN, "--absorption", "0.1", "--two-sided", "wall"}, .status = 2,
     .says = {"--two-sided wall", "NAME=BACK"}},
    {"a back without a name", .run = {PLAN, "--absorption", "0.1", "--two-sided", "wall="}, .status = 2,
     .says = {"--two-sided wall=", "no name"}},
    {"a back of no surface", .run = {PLAN, "--absorption", "0.1", "--two-sided", "=brick"}, .status = 2,
     .says = {"--two-sided =brick", "no surface"}},
    {"a material as its own back", .run = {PLAN, "--absorption", "0.1", "--two-sided", "wall=WALL"},
     .status = 2, .says = {"--two-sided wall=WALL", "itself"}},
    {"a surface with two backs", .status = 2,
     .run = {PLAN, "--absorption", "0.1", "--two-sided", "wall=brick", "--two-sided", "wall=wood"},
     .says = {"\"wall\"", "\"brick\"", "\"wood\""}},
    {"(good: the same back twice)", .status = 0,
     .run = {PLAN, "--absorption", "0.1", "--two-sided", "wall=brick", "--two-sided", "Wall=BRICK"}},
    {"a surface without absorption", .run = {"simulate", "cube.obj", "--fmax", "200", TO_RUN}, .status = 2,
     .says = {"\"wall\"", "54 m2", "--absorption", "--materials", "0.03"}},
};

/* ---- positions ---- */

static const struct bad_input positions[] = {
    {"(good: a run)", .run = {SIMULATE, TO_RUN, "--quiet"}, .status = 0},
    {"a source outside", .run = {SIMULATE, "--source", "9,1,1", "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"source \"S1\"", "(9, 1, 1)", "outside", "move it"}},
    {"a receiver outside", .run = {SIMULATE, "--source", "1,1,1", "--receiver", "2,2,-5,pew", "-o", "run"},
     .status = 2, .says = {"receiver \"pew\"", "(2, 2, -5)"}},
    {"a source in a wall", .run = {SIMULATE, "--source", "1,1,0,altar", "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"source \"altar\"", "(1, 1, 0)", "wall"}},
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
    {"a name with a slash",
     .run = {SIMULATE, "--source", "1,1,1,../../x", "--receiver", "2,2,2", "-o", "run"}, .status = 2,
     .says = {"--source 1,1,1,../../x", "letters, digits"}},
    {"a name with a blank", .run = {SIMULATE, "--source", "1,1,1,a b", "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"--source 1,1,1,a b", "letters, digits"}},
    {"a name of 64 letters",
     .run = {SIMULATE, "--source", "1,1,1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
             "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"--source 1,1,1,aaaa", "1 to 63"}},
    {"two coordinates", .run = {SIMULATE, "--source", "1,2", "--receiver", "2,2,2", "-o", "run"}, .status = 2,
     .says = {"--source 1,2", "x,y,z"}},
    {"a coordinate of NaN", .run = {SIMULATE, "--source", "1,nan,1", "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"--source 1,nan,1", "x,y,z"}},
    {"a coordinate of 10^7 m", .run = {SIMULATE, "--source", "1,1e7,1", "--receiver", "2,2,2", "-o", "run"},
     .status = 2, .says = {"--source 1,1e7,1", "1e+06 m"}},
    {"no source", .run = {SIMULATE, "--receiver", "2,2,2", "-o", "run"}, .status = 2,
     .says = {"no source", "--source x,y,z", "x 0..3"}},
    {"no receiver", .run = {SIMULATE, "--source", "2,2,2", "-o", "run"}, .status = 2,
     .says = {"no receiver", "--receiver x,y,z"}},
    {"a position that the model has not",
     .run = {SIMULATE, "--source", "organ", "--receiver", "2,2,2", "-o", "run"}, .status = 2,
     .says = {"--source organ", "no source of that name", "x,y,z"}},
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
    {"a folder below nothing", .run = {SIMULATE, CUBE_PLACES, "-o", "no/such/run"}, .status = 5,
     .says = {"no/such/run cannot be made", "no folder no/such"}},
    {"a folder below a device", .run = {SIMULATE, CUBE_PLACES, "-o", "/dev/full/run"}, .status = 5,
     .says = {"/dev/full/run cannot be made"}},
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
    {"a reader that takes no table", .run = {"memory", "cube", "--nodes", "8"}, .status = 5,
     .says = {"standard output"}, .output = "/dev/full"},
    {"a room where a file is", .run = {"room", "cube", "-o", "cube.obj"}, .status = 2,
     .says = {"cube.obj exists", "--force"}},
    {"a room over a device", .make = make_link_to_full, .run = {"room", "cube", "-o", "full.obj", "--force"},
     .status = 5, .says = {"full.obj", "no regular file"}},
    {"a room below nothing", .run = {"room", "cube", "-o", "no/such/cube.obj"}, .status = 5,
     .says = {"no/such/cube.obj"}},
    {"a room of unknown ending", .run = {"room", "cube", "-o", "cube.doc"}, .status = 2,
     .says = {"cube.doc", ".obj, .gltf or .glb"}},
    {"a room nowhere", .run = {"room", "cube"}, .status = 2, .says = {"-o FILE"}},
};

/* ---- rooms and the seed's table ---- */

#define ROOM(...) .run = {"room", __VA_ARGS__, "-o", "new.obj"}, .status = 2

static const struct bad_input rooms[] = {
    {"an unknown room", ROOM("chruch"),
     .says = {"no room chruch", "did you mean church", "cube, sphere, cross, church"}},
    {"a cube of 0 m", ROOM("cube", "--size", "0"), .says = {"--size 0", "at least 0.1 m"}},
    {"a cube of -3 m", ROOM("cube", "--size", "-3"), .says = {"--size -3", "at least 0.1 m"}},
    {"a cube of NaN", ROOM("cube", "--size", "nan"), .says = {"--size nan", "length"}},
    {"a cube of 10 km", ROOM("cube", "--size", "10000"), .says = {"--size 10000", "at most 100 m"}},
    {"half a segment", ROOM("sphere", "--segments", "2.5"), .says = {"segments is 2.5", "whole number"}},
    {"a sphere of 10^6 segments", ROOM("sphere", "--segments", "1e6"),
     .says = {"--segments 1e6", "at most 128"}},
    {"a measure of another room", ROOM("cube", "--nave-length", "20"), .says = {"--nave-length"}},
    {"an unknown choice", ROOM("church", "--roof", "thatched"),
     .says = {"--roof thatched", "pitched, vaulted"}},
    {"more bays than the nave holds", ROOM("church", "--bays", "24", "--nave-length", "10"),
     .says = {"church: 24 bays", "10 m", "fewer bays"}},
    {"an apse wider than the nave", ROOM("church", "--apse-radius", "10"),
     .says = {"apse-radius is 10 m", "half the nave"}},
    {"memory without nodes", .run = {"memory", "cube"}, .status = 2, .says = {"--nodes N"}},
    {"memory of 0 nodes", .run = {"memory", "cube", "--nodes", "0"}, .status = 2,
     .says = {"--nodes 0", "at least 1"}},
    {"memory of 1001 nodes", .run = {"memory", "cube", "--nodes", "8,1001"}, .status = 2,
     .says = {"--nodes 1001", "at most 1000"}},
    {"memory of an empty number", .run = {"memory", "cube", "--nodes", "8,,9"}, .status = 2,
     .says = {"--nodes 8,,9", "whole number"}},
    {"memory of 10^30 nodes", .run = {"memory", "cube", "--nodes", "1000000000000000000000000000000"},
     .status = 2, .says = {"--nodes 1000000000000000000000000000000"}},
    {"memory of no shape", .run = {"memory", "pyramid", "--nodes", "8"}, .status = 2,
     .says = {"no shape pyramid", "cube, sphere and cross"}},
    {"memory of an empty shape", .run = {"memory", "cube,", "--nodes", "8"}, .status = 2,
     .says = {"no shape ''"}},
};

/* ---- check, compare, bench ---- */

static const struct bad_input judges[] = {
    {"check of nothing", .run = {"check"}, .status = 2, .says = {"needs a ROOM"}},
    {"check of a missing file", .run = {"check", "absent.obj"}, .status = 2,
     .says = {"absent.obj", "No such file"}},
    {"check with voxels of another ending",
     .run = {"check", "cube.obj", "--fmax", "200", "--voxels", "air.obj"}, .status = 2,
     .says = {"air.obj", ".ply"}},
    {"check with voxels over a file", .file = {{"air.ply", "mine"}},
     .run = {"check", "cube.obj", "--fmax", "200", "--voxels", "air.ply"}, .status = 2,
     .says = {"air.ply exists", "--force"}},
    {"check with voxels below nothing",
     .run = {"check", "cube.obj", "--fmax", "200", "--voxels", "no/such/air.ply"}, .status = 5,
     .says = {"no/such/air.ply"}, .may_print_answer = true},
    {"check with an option of others", .run = {"check", "cube.obj", "--steps", "5"}, .status = 2,
     .says = {"--steps", "check"}},
    {"compare of nothing", .run = {"compare"}, .status = 2, .says = {"needs at least one ROOM"}},
    {"compare of a missing file", .run = {"compare", "absent.obj"}, .status = 2,
     .says = {"absent.obj", "No such file"}},
    {"compare over no steps", .run = {"compare", "cube.obj", "--fmax", "200", "--steps", "0"}, .status = 2,
     .says = {"--steps 0", "at least 1"}},
    {"compare over 10^7 steps", .run = {"compare", "cube.obj", "--fmax", "200", "--steps", "10000000"},
     .status = 2, .says = {"--steps 10000000", "at most 1e+06"}},
    {"compare with a layout", .run = {"compare", "cube.obj", "--layout", "box"}, .status = 2,
     .says = {"--layout", "compare"}},
    {"compare with a source outside", .run = {"compare", "cube.obj", "--fmax", "200", "--source", "9,9,9"},
     .status = 2, .says = {"source \"S1\"", "9, 9, 9"}},
    {"compare of what memory does not hold", .run = {"compare", "cube.obj", "--spacing", "0.1mm"},
     .status = 3, .says = {"available"}},
    {"bench of two rooms", .run = {"bench", "cube.obj", "other.obj"}, .status = 2,
     .says = {"bench takes one", "cube.obj", "other.obj"}},
    {"bench of a missing file", .run = {"bench", "--backend", "cpu", "absent.obj"}, .status = 2,
     .says = {"absent.obj", "No such file"}},
    {"bench of a room of so many nodes", .run = {"bench", "cube.obj", "--nodes", "48"}, .status = 2,
     .says = {"--nodes", "--spacing"}},
    {"bench of a shape at a spacing", .run = {"bench", "--spacing", "2cm"}, .status = 2,
     .says = {"--spacing", "ROOM"}},
    {"bench on no thread", .run = {"bench", "--threads", "0"}, .status = 2,
     .says = {"--threads 0", "at least 1"}},
    {"bench on an unknown engine", .run = {"bench", "--backend", "abacus"}, .status = 2,
     .says = {"--backend abacus", "auto, cuda, cpu, reference"}},
    {"bench with an option of others", .run = {"bench", "--source", "1,1,1"}, .status = 2,
     .says = {"--source", "bench"}},
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

Test(bad_input_options, what_cannot_be_written_is_said_and_leaves_nothing)
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
