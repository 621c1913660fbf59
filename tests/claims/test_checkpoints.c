/** A run that is killed again and again, and gone on with, leaves what one leaves that never was: the same
 * bytes, and the same run.json but for times. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/fault_run.h"

TestSuite(checkpoints, .init = enter_folder, .fini = leave_folder);

/* Two sources, an area of receivers with maps, directions, the second grid, and walls with states. */
#define ROOM                                                                                                 \
    "simulate", "cube.obj", "--fmax", "300", "--duration", "2.4", "--absorption", "0.2", "--threads", "1",   \
        "--source", "1,1,1", "--source", "2,1.5,1.2", "--receiver", "2,2,2", "-o", "run"
#define FULL                                                                                                 \
    ROOM, "--ambisonics", "--repeat-shifted", "--receiver-grid",                                             \
        "floor=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0;0.5,2.5,0"
#define OFTEN "--checkpoint", "0.005s" /* a part of the time of the fastest processor */

/* ---- what two folders hold ---- */

static bool is_time(const char *name)
{
    return strncmp(name, "seconds", 7) == 0 || strcmp(name, "node_updates_per_second") == 0 ||
           strcmp(name, "backend_because") == 0 || strcmp(name, "bytes_free") == 0;
}

static void drop_times(cJSON *object)
{
    for (cJSON *item = object->child, *next; item != NULL; item = next) {
        next = item->next;
        if (item->string != NULL && is_time(item->string))
            cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
        else
            drop_times(item);
    }
}

static char *record_without_times(const char *path)
{
    cJSON *record = read_json(path);
    drop_times(record);
    char *text = cJSON_Print(record);
    return text;
}

static void expect_same_record(const char *one, const char *other)
{
    char *a = record_without_times(one), *b = record_without_times(other);
    size_t same = 0, line = 0;
    for (; a[same] != 0 && a[same] == b[same]; same++)
        if (a[same] == '\n')
            line = same + 1;
    cr_assert(a[same] == b[same], "%s: %.*s, %s: %.*s", one, (int)strcspn(a + line, "\n"), a + line, other,
              (int)strcspn(b + line, "\n"), b + line);
    free(a);
    free(b);
}

/* Nothing but what an uninterrupted run leaves. */
static void expect_same(const char *run, const char *whole)
{
    char one[200], other[200];
    cr_assert(fault_holds(run, whole, "run.json"), "%s and %s differ", run, whole);
    cr_assert(eq(sz, count_entries(run, ""), count_entries(whole, "")));
    (void)snprintf(one, sizeof one, "%s/run.json", run);
    (void)snprintf(other, sizeof other, "%s/run.json", whole);
    expect_same_record(one, other);
}

/* The same command, whole. */
static void make_whole(const char *const *command)
{
    expect_status(run(NULL, command), 0);
    cr_assert(eq(int, rename("run", "whole"), 0));
}

/* ---- killed ---- */

/* Start it and kill it a little after its next checkpoint; false: it came to its end before. */
static bool kill_after_checkpoint(const char *const *command, double wait)
{
    const long long before = newest_checkpoint();
    const pid_t child = start(NULL, command);
    int status = 0;
    while (newest_checkpoint() <= before) {
        if (waitpid(child, &status, WNOHANG) == child) {
            expect_status(WEXITSTATUS(status), 0);
            return false;
        }
        pause_for(0.002);
    }
    pause_for(wait);
    cr_assert(eq(int, kill(child, SIGKILL), 0));
    cr_assert(eq(int, (int)waitpid(child, &status, 0), (int)child));
    return WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
}

static void remove_run(void)
{
    expect_status(run(NULL, (const char *const[]){"/bin/rm", "-rf", "run", NULL}), 0);
}

/* Killed so often, each time right after a checkpoint of its first source; anew where a kill comes late, as
 * on a busy machine it may. */
static void kill_in_first_source(const char *const *command, int times)
{
    for (int tries = 0; tries < 20; tries++) {
        int kills = 0;
        while (kills < times && kill_after_checkpoint(command, 0.0) && !exists("run/checkpoint.source-0"))
            kills++;
        if (kills == times)
            return;
        remove_run();
    }
    cr_assert(false, "every kill came too late");
}

static void go_on_to_the_end(const char *const *command)
{
    expect_status(run(NULL, command), 0);
    cr_assert(not(exists("run/checkpoint.command")));
}

#define FULL_OFTEN                                                                                           \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        TEST_PROGRAM, FULL, OFTEN, NULL                                                                      \
    }
#define RESUME                                                                                               \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        TEST_PROGRAM, "simulate", "--resume", "run", NULL                                                    \
    }

Test(checkpoints, a_run_killed_again_and_again_leaves_what_one_leaves_that_never_was)
{
    static const double wait[] = {0, 0.01, 0.03, 0.05, 0.02, 0.06, 0.04};
    write_cube();
    make_whole(FULL_OFTEN);
    int kills = 0;
    for (int tries = 0; tries < 10 && kills < 4; tries++) {
        remove_run();
        kills = 0;
        while (kills < 7 && kill_after_checkpoint(kills % 2 == 0 ? FULL_OFTEN : RESUME, wait[kills]))
            kills++;
    }
    cr_assert(kills >= 4, "%d", kills);
    if (exists("run/checkpoint.command"))
        go_on_to_the_end(RESUME);
    expect_same("run", "whole");
}

/* A run of automatic length has as many steps: it measures its decay again where it ended a piece. */
Test(checkpoints, a_run_of_automatic_length_that_is_killed_in_any_piece_ends_at_the_same_step)
{
    const char *const command[] = {TEST_PROGRAM,   "simulate",   "cube.obj",  "--fmax", "300",
                                   "--absorption", "0.1",        "--threads", "1",      "--source",
                                   "1,1,1",        "--receiver", "2,2,2",     "--rays", "off",
                                   "-o",           "run",        OFTEN,       NULL};
    write_cube();
    make_whole(command);
    cJSON *record = read_json("whole/run.json"); /* of more than the first piece */
    cr_assert(number(record, "duration_s") >
              1.04 * 0.7 * cJSON_GetArrayItem(cJSON_GetObjectItem(record, "sabine_s"), 0)->valuedouble);
    int kills = 0;
    while (kills < 40 && kill_after_checkpoint(kills == 0 ? command : RESUME, 0.0))
        kills++;
    cr_assert(kills >= 4, "%d", kills);
    if (exists("run/checkpoint.command"))
        go_on_to_the_end(RESUME);
    expect_same("run", "whole");
}

/* From before the folder is there until it holds the command. */
Test(checkpoints, a_run_killed_while_it_is_set_up_begins_again_by_the_same_command)
{
    const char *const command[] = {TEST_PROGRAM, ROOM, OFTEN, NULL};
    write_cube();
    make_whole(command);
    for (int n = 0; n < 6; n++) {
        const pid_t child = start(NULL, command);
        int status;
        pause_for(0.01 * (1 << n));
        (void)kill(child, SIGKILL);
        cr_assert(eq(int, (int)waitpid(child, &status, 0), (int)child));
    }
    if (!exists("run/run.json"))
        go_on_to_the_end(command);
    expect_same("run", "whole");
}

/* Not the command that began it, but from anywhere, with another layout, back end and number of threads. How
 * long it is follows from what the receivers had before. */
Test(checkpoints, a_run_goes_on_in_another_layout_on_another_back_end_from_another_folder)
{
    static const char *const other[][3] = {
        {"--layout", "box", NULL}, {"--backend", "reference", NULL}, {"--threads", "2", NULL}};
    const char *const command[] = {TEST_PROGRAM, ROOM, OFTEN, "--duration", "auto", NULL};
    write_cube();
    make_whole(command);
    cr_assert(eq(int, mkdir("elsewhere", 0777), 0));
    for (int n = 0; n < 3; n++) {
        kill_in_first_source(command, 1);
        cr_assert(eq(int, rename("run", "elsewhere/run"), 0));
        const char *const go_on[] = {TEST_PROGRAM, "simulate",  "--resume=elsewhere/run",
                                     other[n][0],  other[n][1], NULL};
        expect_status(run(NULL, go_on), 0);
        expect_words("err", "resumes at step");
        cr_assert(fault_holds("elsewhere/run", "whole", "run.json"), "%s", other[n][1]);
        expect_status(run(NULL, (const char *const[]){"/bin/rm", "-rf", "elsewhere/run", NULL}), 0);
    }
}

/* ---- interrupted ---- */

/* ---- refused ---- */

static void kill_once(void)
{
    write_cube();
    kill_in_first_source((const char *const[]){TEST_PROGRAM, ROOM, OFTEN, NULL}, 1);
}

/* As if it had been begun with --devices 2. */
Test(checkpoints, a_run_of_several_cards_goes_on_without_them)
{
    const char *const go_on[] = {TEST_PROGRAM, "simulate", "--resume", "run", "--backend", "cpu", NULL};
    kill_once();
    cJSON *const command = read_json("run/checkpoint.command");
    cJSON *const arguments = cJSON_GetObjectItemCaseSensitive(command, "arguments");
    cJSON_AddItemToArray(arguments, cJSON_CreateString("--devices"));
    cJSON_AddItemToArray(arguments, cJSON_CreateString("2"));
    cJSON_AddItemToArray(arguments, cJSON_CreateString("--"));
    char *const text = cJSON_Print(command);
    write_text("run/checkpoint.command", text);
    free(text);
    go_on_to_the_end(go_on);
    expect_words("err", "resumes at step");
}

Test(checkpoints, another_run_in_the_folder_is_refused_and_named)
{
    kill_once();
    REFUSED("fmax_hz was 300 and is 301", ROOM, "--fmax", "301");
    REFUSED("materials wall.absorption was 0.2 and is 0.3", ROOM, "--absorption", "wall=0.3");
    REFUSED("duration_s was 2.4 and is 1.5", ROOM, "--duration", "1.5");
    REFUSED("precision was single and is double", ROOM, "--precision", "double");
    REFUSED("repeat_shifted was no and is yes", ROOM, "--repeat-shifted");
    write_box("cube.obj", 3, 3, 3.5, true);
    REFUSED("room.hash was fnv1a64:", ROOM);
    write_cube();
    REFUSED("--fmax cannot be given with --resume", "simulate", "--resume", "run", "--fmax", "301");
    REFUSED("has no checkpoint.command", "simulate", "--resume", ".");
    expect_status(RUN("simulate", "--resume", "run"), 0);
    REFUSED("run exists", ROOM);
    REFUSED("has no checkpoint.command", "simulate", "--resume", "run");
    /* --force starts anew. */
    expect_status(RUN(ROOM, "--force"), 0);
    expect_no_words("err", "goes on");
}

/* The checkpoint of one run beside the command of another. */
/* Killed before it had anything, it leaves its command, which is no run to be spared. */
Test(checkpoints, another_run_takes_a_folder_that_holds_a_command_alone)
{
    kill_once();
    expect_status(run(NULL, (const char *const[]){"/bin/sh", "-c", "rm run/checkpoint.[12]", NULL}), 0);
    expect_status(run(NULL, (const char *const[]){TEST_PROGRAM, ROOM, "--temperature", "10", NULL}), 0);
    cr_assert(exists("run/run.json") && !exists("run/checkpoint.command"));
}

Test(checkpoints, a_checkpoint_of_another_run_is_refused_and_named)
{
    kill_once();
    cr_assert(eq(int, rename("run", "other"), 0));
    kill_in_first_source((const char *const[]){TEST_PROGRAM, ROOM, OFTEN, "--fmax", "310", NULL}, 1);
    for (int n = 1; n <= 2; n++) {
        char from[60], to[60];
        (void)snprintf(from, sizeof from, "other/checkpoint.%d", n);
        (void)snprintf(to, sizeof to, "run/checkpoint.%d", n);
        if (exists(from))
            cr_assert(eq(int, rename(from, to), 0));
    }
    REFUSED("is of another run: fmax_hz was 300 and is 310", "simulate", "--resume", "run");
}

/* ---- damaged ---- */

/* One bit, `share` of the way through. */
static void flip(const char *path, double share)
{
    FILE *file = fopen(path, "r+");
    cr_assert(file != NULL);
    (void)fseek(file, 0, SEEK_END);
    const long at = (long)((double)ftell(file) * share);
    (void)fseek(file, at, SEEK_SET);
    const int byte = fgetc(file);
    (void)fseek(file, at, SEEK_SET);
    (void)fputc(byte ^ 8, file);
    cr_assert(fclose(file) == 0);
}

Test(checkpoints, a_damaged_one_is_told_and_the_one_before_is_gone_on_with)
{
    write_cube();
    const char *const command[] = {TEST_PROGRAM, ROOM, OFTEN, "--duration", "4", NULL};
    make_whole(command);
    kill_in_first_source(command, 2);
    struct stat there, other;
    cr_assert(stat("run/checkpoint.1", &there) == 0 && stat("run/checkpoint.2", &other) == 0);
    const bool second = other.st_mtim.tv_sec != there.st_mtim.tv_sec
                            ? other.st_mtim.tv_sec > there.st_mtim.tv_sec
                            : other.st_mtim.tv_nsec > there.st_mtim.tv_nsec;
    const char *const bad = second ? "run/checkpoint.2" : "run/checkpoint.1", *const good =
                                                                                  second ? "(checkpoint.1)"
                                                                                         : "(checkpoint.2)";
    fault_copy("run", "killed");
    for (int n = 0; n < 2; n++) {
        fault_copy("killed", "run");
        if (n == 0)
            flip(bad, 0.3);
        else
            cr_assert(truncate(bad, there.st_size / 2) == 0);
        go_on_to_the_end(n == 0 ? command : RESUME);
        expect_words("err", good);
        expect_same("run", "whole");
    }
    fault_copy("killed", "run");
    flip("run/checkpoint.1", 0.5);
    flip("run/checkpoint.2", 0.5);
    go_on_to_the_end(RESUME);
    expect_words("err", "run/checkpoint.1 is damaged: its chunk ", "run/checkpoint.2 is damaged: its chunk ",
                 "it is computed from its first step");
    expect_same("run", "whole");
}

/* ---- what a foreign folder may do ---- */

#define LEAKING                                                                                              \
    "simulate", "open.obj", "--fmax", "300", "--absorption", "0.2", "--source", "1,1,1", "--receiver", "2,2,2"

/* The arguments of the command, which begin with its name, as of somebody else. */
static void forge_command(const char *const *argument)
{
    cJSON *const command = read_json("run/checkpoint.command");
    cJSON *const list = cJSON_CreateArray();
    while (*++argument != NULL)
        cJSON_AddItemToArray(list, cJSON_CreateString(*argument));
    cJSON_ReplaceItemInObjectCaseSensitive(command, "arguments", list);
    char *const text = cJSON_Print(command);
    FILE *const file = fopen("run/checkpoint.command", "w");
    cr_assert(file != NULL && fprintf(file, "%s\n", text) > 0 && fclose(file) == 0);
    free(text);
}

/* The room that the command names leaks: of a run that begins the path would be drawn. */
Test(checkpoints, a_run_that_goes_on_writes_nothing_outside_its_folder)
{
    kill_once();
    write_box("open.obj", 3, 3, 3, false);
    REFUSED("leak path", LEAKING, "-o", "other", "--leak", "drawn.obj");
    cr_assert(exists("drawn.obj"));
    const size_t entries = count_entries(".", "");
    forge_command((const char *const[]){LEAKING, "-o", "run", "--leak", "new.obj", NULL});
    REFUSED("not closed", "simulate", "--resume", "run");
    forge_command((const char *const[]){LEAKING, "-o", "elsewhere", NULL});
    REFUSED("not closed", "simulate", "--resume", "run");
    cr_assert(eq(sz, count_entries(".", ""), entries));
}

/* What is there when a run begins is replaced itself. */
Test(checkpoints, a_command_that_is_a_link_is_not_written_through)
{
    const char *const command[] = {TEST_PROGRAM, ROOM, "--force", OFTEN, NULL};
    write_cube();
    write_text("precious", "theirs");
    cr_assert(mkdir("run", 0777) == 0 && symlink("../precious", "run/checkpoint.command") == 0);
    REFUSED("has no checkpoint.command", "simulate", "--resume", "run");
    cr_assert(kill_after_checkpoint(command, 0.0));
    char *const text = read_text("precious");
    cr_assert(eq(str, text, "theirs"));
    go_on_to_the_end(RESUME);
}

Test(checkpoints, a_run_goes_on_whatever_bytes_its_names_are_made_of)
{
    static const char *const names[] = {"h\351l", "\303", "a\342\200\256b\302\205c", "d\033e\177 \\\"%s"};
    write_cube();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char model[100], output[100], go_on[120], checkpoint[130];
        (void)snprintf(model, sizeof model, "%s/%s.obj", names[n], names[n]);
        (void)snprintf(output, sizeof output, "%s/run", names[n]);
        (void)snprintf(go_on, sizeof go_on, "--resume=%s", output);
        (void)snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint.1", output);
        cr_assert(mkdir(names[n], 0777) == 0 && rename("cube.obj", model) == 0);
        const pid_t child =
            start(NULL, (const char *const[]){TEST_PROGRAM, "simulate", model, "--fmax", "300", "--duration",
                                              "4", "--absorption", "0.2", "--source", "1,1,1", "--receiver",
                                              "2,2,2", "-o", output, "--threads", "1", OFTEN, NULL});
        for (int wait = 0; wait < 10000 && !exists(checkpoint); wait++)
            pause_for(0.002);
        cr_assert(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
        expect_status(RUN("simulate", go_on), 0);
        expect_words("err", "resumes at step");
        cr_assert(eq(int, rename(model, "cube.obj"), 0));
    }
}

/* ---- a disk that is full ---- */

/* Checkpoints are larger than all results: the limit lets these pass. */
Test(checkpoints, a_checkpoint_that_cannot_be_written_costs_nothing_but_itself)
{
    write_cube();
    const char *const command[] = {TEST_PROGRAM, ROOM,  OFTEN,        "--precision", "double",
                                   "--fmax",     "450", "--duration", "0.5",         NULL};
    make_whole(command);
    kill_in_first_source(command, 1);
    file_limit = 150000;
    expect_status(run(NULL, RESUME), 0);
    file_limit = RLIM_INFINITY;
    expect_words("err", "the run continues without this checkpoint");
    expect_same("run", "whole");
}

/* ---- variants ---- */

Test(checkpoints, variants_go_on_where_they_were)
{
    static const char project[] =
        "room: cube.obj\nfmax_hz: 300\nduration_s: 2.4\nsources: [{name: s, position: [1, 1, 1]}]\n"
        "receivers: [{name: r, position: [2, 2, 2]}]\nmaterials: {wall: 0.1}\noutputs: {folder: run}\n"
        "variants:\n  soft: {materials: {wall: 0.6}}\n";
    const char *const command[] = {TEST_PROGRAM, "simulate",  "p.yaml", "--variant", "all",
                                   OFTEN,        "--threads", "1",      NULL};
    write_cube();
    write_text("p.yaml", project);
    make_whole(command);
    for (int tries = 0; tries == 0 || exists("run/soft/run.json"); tries++) {
        cr_assert(tries < 20, "every kill came too late");
        remove_run();
        const pid_t child = start(NULL, command);
        while (!exists("run/soft/checkpoint.1") && !exists("run/soft/run.json"))
            pause_for(0.002);
        cr_assert(eq(int, kill(child, SIGKILL), 0));
        int status;
        cr_assert(eq(int, (int)waitpid(child, &status, 0), (int)child));
    }
    struct stat before, after;
    cr_assert(rename("run/soft", "soft") == 0 && symlink("../soft", "run/soft") == 0);
    REFUSED("run/soft is a symbolic link", "simulate", "--resume", "run");
    cr_assert(unlink("run/soft") == 0 && rename("soft", "run/soft") == 0);
    cr_assert(stat("run/base/run.json", &before) == 0);
    REFUSED("holds another unfinished run", "simulate", "p.yaml", "--variant", "all", "--fmax", "200");
    go_on_to_the_end(RESUME);
    cr_assert(stat("run/base/run.json", &after) == 0 && before.st_ino == after.st_ino, "base was run again");
    expect_same("run/base", "whole/base");
    expect_same("run/soft", "whole/soft");
}
