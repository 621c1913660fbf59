/** Completion for bash against what --help says, driven as bash drives it. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/cli/commands.h"
#include "src/cli/installed/completion.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

static void enter(void)
{
    enter_folder();
    FILE *file = fopen("completion", "w");
    cr_assert(file != NULL && completion_print(file, &failure) == 0);
    fclose(file);
}

TestSuite(completion, .init = enter, .fini = leave_folder);

/* What the words of a line, the last of them begun, are completed to: into "out", one a line, sorted. */
#define DRIVE                                                                                                \
    "set -u; . ./completion; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _transept; "                       \
    "[[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\\n' \"${COMPREPLY[@]}\" | LC_ALL=C sort"
#define COMPLETE(...)                                                                                        \
    expect_status(                                                                                           \
        run(NULL, (const char *const[]){"/bin/bash", "-c", DRIVE, "bash", "transept", __VA_ARGS__, NULL}),   \
        0)

static void expect_out(const char *lines)
{
    char *out = read_text("out"), *err = read_text("err");
    cr_expect(eq(str, out, (char *)lines));
    cr_expect(eq(str, err, ""));
}

Test(completion, commands_are_completed)
{
    COMPLETE("s");
    expect_out("simulate\nstudio\n");
    COMPLETE("--v");
    expect_out("--version\n");
    COMPLETE("ma");
    expect_out("materials\n");
    COMPLETE("nothing");
    expect_out("");
    size_t count = 0, lines = 0;
    (void)commands_table(&count);
    COMPLETE("");
    char *out = read_text("out");
    for (const char *c = out; *c != '\0'; c++)
        lines += *c == '\n';
    cr_assert(eq(sz, lines, count + 2));
}

/* "--name" of a line of help: the first on it, behind blanks or "-x, "; false where there is none. */
static bool option_of_line(const char *line, char name[80])
{
    const char *at = line + strspn(line, " ");
    if (at == line || at > line + 6 || at[0] != '-') /* text is further in */
        return false;
    if (at[1] != '-')
        at = strchr(at, ' ') + 1;
    if (strncmp(at, "--", 2) != 0)
        return false;
    snprintf(name, 80, "%.*s", (int)strcspn(at, " \n"), at);
    return true;
}

/* Of every command: neither more nor fewer than its help has. */
Test(completion, every_option_of_every_command_is_completed)
{
    size_t count = 0, options = 0;
    const struct command *command = commands_table(&count);
    for (size_t c = 0; c < count; c++) {
        char name[80], line[90];
        expect_status(RUN(command[c].name, "--help"), 0);
        char *help = read_text("out");
        COMPLETE(command[c].name, "-");
        char *out = read_text("out");
        size_t listed = 0, completed = 0;
        for (char *at = help; at != NULL; at = strchr(at, '\n')) {
            at += at != help;
            /* The measures of each shape follow below; with the shape they are completed too. */
            if (command[c].bit == COMMAND_ROOM && strncmp(at, "Shapes:", 7) == 0)
                break;
            if (!option_of_line(at, name))
                continue;
            snprintf(line, sizeof line, "%s\n", name);
            const char *found = strstr(out, line);
            cr_expect(found != NULL && (found == out || found[-1] == '\n'), "%s %s", command[c].name, name);
            listed++;
        }
        for (const char *at = out; *at != '\0'; at++)
            completed += *at == '\n';
        cr_expect(eq(sz, completed, listed), "%s", command[c].name);
        options += listed;
    }
    cr_assert(test_above((double)options, 200));
}

Test(completion, measures_of_a_room_are_those_of_its_shape)
{
    COMPLETE("room", "ch");
    char *out = read_text("out");
    cr_assert(strstr(out, "church\n") != NULL);
    COMPLETE("room", "church", "--nave-");
    expect_out("--nave-height\n--nave-length\n--nave-width\n");
    COMPLETE("room", "sphere", "--nave-");
    expect_out("");
    COMPLETE("memory", "c");
    expect_out("cross\ncube\n");
}

Test(completion, values_are_the_words_that_an_option_takes)
{
    COMPLETE("simulate", "room.obj", "--quality", "");
    expect_out("draft\nfine\nstandard\n");
    COMPLETE("plan", "--quality", "s", "room.obj"); /* not the word that is being typed */
    expect_out("");
    COMPLETE("simulate", "--quality", "=", "d");
    expect_out("draft\n");
    COMPLETE("simulate", "--fmax", "");
    expect_out("auto\n");
    COMPLETE("simulate", "--fmax", "=");
    expect_out("auto\n");
    COMPLETE("simulate", "--source", "");
    expect_out("");
    COMPLETE("export", "run", "--convention", "SingleRoomM");
    expect_out("SingleRoomMIMOSRIR\n");
    COMPLETE("simulate", "--directivity", "");
    expect_out("");
    write_text("horn.sofa", "");
    COMPLETE("simulate", "--directivity", "tk", "=");
    expect_out("cardioid\nhorn.sofa\nomni\nvoice\n");
    COMPLETE("simulate", "--directivity", "tk", "=", "v");
    expect_out("voice\n");
    COMPLETE("simulate", "--ambisonics", "--amb");
    expect_out("--ambisonics\n");
    COMPLETE("materials", "marb");
    expect_out("marble_floor\n");
    expect_status(RUN("materials", "marble_floor"), 0);
}

Test(completion, files_are_those_that_an_option_or_argument_takes_and_folders_on_the_way)
{
    write_text("room.obj", "");
    write_text("ROOM.GLB", "");
    write_text("room.yaml", "");
    write_text("room.txt", "");
    write_text("head.sofa", "");
    write_text("of two words.wav", "");
    cr_assert(mkdir("run", 0777) == 0);
    write_text("run/room.stl", "");
    COMPLETE("simulate", "r");
    expect_out("room.obj\nroom.yaml\nrun\n");
    COMPLETE("check", "R");
    expect_out("ROOM.GLB\n");
    COMPLETE("check", "run/");
    expect_out("run/room.stl\n");
    COMPLETE("simulate", "--head", "");
    expect_out("head.sofa\nrun\n");
    COMPLETE("report", "r");
    expect_out("run\n");
    COMPLETE("analyse", "o");
    expect_out("of two words.wav\n");
    COMPLETE("auralise", "run", "--dry", "of");
    expect_out("of two words.wav\n");
    COMPLETE("auralise", "run", "--dry", "or");
    expect_out("organ\n");
    COMPLETE("simulate", "room.obj", "-o", "r");
    expect_out("run\n");
    COMPLETE("export", "run", "-o", "h");
    expect_out("head.sofa\n");
}

Test(completion, shellcheck_finds_nothing)
{
    if (system("shellcheck --version > probe 2>&1") != 0) {
        (void)fprintf(stderr, "SKIPPED: shellcheck is not installed\n");
        return;
    }
    cr_assert(system("shellcheck completion > found 2>&1") == 0, "%s", read_text("found"));
}
