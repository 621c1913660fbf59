/* Whatever bytes a name has, of a file, a folder, a material or an object of a model: what is printed is
 * UTF-8 without an escape sequence, a line break of its own or a mark that turns the direction of writing. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <strings.h>

#include "tests/support/program_run.h"

#include "geometry/base/name_text.h"
#include "tests/support/sounds.h"

TestSuite(foreign_names, .init = enter_folder, .fini = leave_folder);

/* An escape sequence, a bell, a byte that is no UTF-8, a C1 control, an override of direction, a line break.
 */
#define NASTY "e\x1b[31m\a\xff\xc2\x9b\xe2\x80\xae\nx"

static void expect_printable(const char *file, const char *of)
{
    char *text = read_text(file), *blotted = strdup(text);
    blot_all_but(blotted, "\n");
    cr_expect(strcmp(text, blotted) == 0, "%s of %s holds bytes that a terminal obeys: %s", file, of,
              blotted);
    cr_expect(strstr(text, "\nx") == NULL, "%s of %s: a name breaks the line", file, of);
    free(blotted);
}

/* Tabs are how cJSON indents. */
static void expect_json(const char *file)
{
    char *text = read_text(file), *blotted = strdup(text);
    blot_all_but(blotted, "\n\t");
    cr_expect(strcmp(text, blotted) == 0, "%s is no UTF-8, or holds controls: %s", file, blotted);
    free(blotted);
    cJSON_Delete(read_json(file));
}

#define EXPECT_PRINTABLE(status, ...)                                                                        \
    (expect_status(RUN(__VA_ARGS__), status), expect_printable("out", #__VA_ARGS__),                         \
     expect_printable("err", #__VA_ARGS__))

#define QUICK "--fmax", "150", "--duration", "0.02", "--absorption", "0.1", CUBE_PLACES

Test(foreign_names, names_of_files_and_folders_are_printed_without_control_characters)
{
    write_box(NASTY ".obj", 3, 3, 3, true);
    EXPECT_PRINTABLE(0, "check", NASTY ".obj", "--fmax", "150");
    EXPECT_PRINTABLE(0, "plan", NASTY ".obj", QUICK);
    EXPECT_PRINTABLE(0, "simulate", NASTY ".obj", QUICK, "-o", NASTY);
    expect_json(NASTY "/run.json");
    EXPECT_PRINTABLE(2, "simulate", NASTY ".obj", QUICK, "-o", NASTY);
    EXPECT_PRINTABLE(0, "analyse", NASTY);
    EXPECT_PRINTABLE(0, "modes", NASTY);
    EXPECT_PRINTABLE(0, "report", NASTY);
    EXPECT_PRINTABLE(0, "compare", NASTY, NASTY);
    EXPECT_PRINTABLE(0, "auralise", NASTY, "-o", NASTY ".wav");
    EXPECT_PRINTABLE(0, "analyse", NASTY ".wav", "--fmax", "4000");
    EXPECT_PRINTABLE(0, "room", "cube", "-o", NASTY ".glb");
    EXPECT_PRINTABLE(0, "film", NASTY ".glb", "--fmax", "80", "--until", "1ms", "-o", NASTY "film");
    expect_json(NASTY "film/film.json");
    expect_status(RUN("check", NASTY ".obj", "--fmax", "150", "--json"), 0);
    expect_json("out");
    expect_status(RUN("analyse", NASTY, "--json"), 0);
    expect_json("out");
}

Test(foreign_names, names_in_refusals_are_printed_without_control_characters)
{
    write_text(NASTY ".obj", "v 1 2 x\n");
    write_text(NASTY ".yaml", "room: {" NASTY "\n");
    write_text(NASTY ".wav", "no sound");
    EXPECT_PRINTABLE(2, "check", NASTY ".obj");
    EXPECT_PRINTABLE(2, "check", NASTY ".yaml");
    EXPECT_PRINTABLE(2, "check", NASTY);
    EXPECT_PRINTABLE(2, NASTY);
    EXPECT_PRINTABLE(2, "check", "--" NASTY);
    EXPECT_PRINTABLE(2, "check", "a.obj", "--fmax", NASTY);
    EXPECT_PRINTABLE(2, "analyse", NASTY ".wav");
    EXPECT_PRINTABLE(2, "report", NASTY);
    EXPECT_PRINTABLE(2, "materials", NASTY);
    EXPECT_PRINTABLE(5, "room", "cube", "-o", NASTY "/" NASTY ".obj");
}

Test(foreign_names, names_of_a_model_are_printed_without_control_characters)
{
    write_text("m.obj",
               "o room\nusemtl w\x1b[31m\xff\xc2\x9b\nv 0 0 0\nv 3 0 0\nv 0 3 0\nv 3 3 0\nv 0 0 3\nv 3 0 3\n"
               "v 0 3 3\nv 3 3 3\nf 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nusemtl "
               "c\xe2\x80\xae\xc3\xa9\nf 5 6 8 7\n");
    EXPECT_PRINTABLE(0, "check", "m.obj", "--fmax", "150");
    EXPECT_PRINTABLE(2, "simulate", "m.obj", "--fmax", "150", CUBE_PLACES, "-o",
                     "run"); /* which materials lack values */
    expect_status(RUN("check", "m.obj", "--fmax", "150", "--json"), 0);
    expect_json("out");
}

/* ---- positions ---- */

static void put_marker(FILE *file, const char *name, double x, int *vertices)
{
    fprintf(file, "o receiver:%s\nv %g 2 2\nv %g 2.1 2\nv %g 2 2.1\nf %d %d %d\n", name, x, x, x,
            *vertices + 1, *vertices + 2, *vertices + 3);
    *vertices += 3;
}

/* On vfat, NTFS and /mnt/c, too. */
Test(foreign_names, positions_get_files_of_their_own_on_a_disk_without_capitals)
{
    static const char *const name[] = {"\u5e2d1", "\u5ea71", "pew", "Pew", "PEW-2", "_1-2"};
    int vertices = 8;
    write_cube();
    FILE *file = fopen("cube.obj", "a");
    for (size_t n = 0; n < sizeof name / sizeof *name; n++)
        put_marker(file, name[n], 0.5 + 0.3 * (double)n, &vertices);
    fclose(file);
    expect_status(RUN("plan", "cube.obj", "--fmax", "150", "--absorption", "0.1", "--json"), 0);
    cJSON *plan = read_json("out");
    const cJSON *receivers = cJSON_GetObjectItem(plan, "receivers");
    cr_assert(eq(int, cJSON_GetArraySize(receivers), 6));
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) {
            const char *one = text_of(cJSON_GetArrayItem(receivers, i), "name"),
                       *other = text_of(cJSON_GetArrayItem(receivers, j), "name");
            cr_assert(strcasecmp(one, other) != 0, "%s and %s", one, other);
        }
    /* By such a name the position is found again. */
    const char *second = text_of(cJSON_GetArrayItem(receivers, 1), "name");
    expect_status(RUN("plan", "cube.obj", "--fmax", "150", "--absorption", "0.1", "--receiver", second), 0);
}

Test(foreign_names, names_that_differ_by_capitals_only_are_refused_on_the_command_line)
{
    write_cube();
    REFUSED("differ by capital letters only", "plan", CUBE, "--receiver", "1,1,1,pew", "--receiver",
            "2,2,2,Pew");
    REFUSED("differ by capital letters only", "plan", CUBE, "--source", "1,1,1,a", "--source", "2,2,2,A");
    REFUSED("would both be written", "plan", CUBE, "--source", "1,1,1,a", "--source", "1,2,1,A_b",
            "--receiver", "2,2,2,b_c", "--receiver", "2,1,2,C");
    write_text("room.yaml", "room: cube.obj\nmaterials: {wall: 0.1}\nvariants:\n  soft a: {open: true}\n  "
                            "Soft_A: {seal_m: 0.1}\n");
    REFUSED("case of letters", "plan", "room.yaml");
}
