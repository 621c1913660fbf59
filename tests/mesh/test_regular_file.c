/* Whatever a command reads: a pipe that nobody writes into, a device, a socket or a folder in its place is
 * refused, never waited for. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "geometry/base/regular_file.h"
#include "tests/support/outcome.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "tests/support/program_run.h"

TestSuite(regular_file, .init = enter_folder, .fini = leave_folder, .timeout = 300);

static void make_pipe(const char *path)
{
    cr_assert(mkfifo(path, 0600) == 0);
}

static void make_device(const char *path)
{
    cr_assert(symlink("/dev/zero", path) == 0);
}

static void make_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int bound = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert(bound >= 0 && bind(bound, (const struct sockaddr *)&address, sizeof address) == 0);
    close(bound);
}

static void make_folder(const char *path)
{
    cr_assert(mkdir(path, 0700) == 0);
}

static const struct {
    void (*make)(const char *path);
    const char *words;
} special[] = {
    {make_pipe, "a device, pipe or socket"},
    {make_device, "a device, pipe or socket"},
    {make_socket, "a device, pipe or socket"},
    {make_folder, "a folder"},
};
enum { ENDLESS = 2, SPECIAL = sizeof special / sizeof special[0] }; /* the first two have no end */

Test(regular_file, what_is_no_file_is_refused_at_once_and_a_file_is_read_whole)
{
    char *text = NULL;
    size_t length = 0;
    write_text("file", "four");
    alarm(10);
    for (int k = 0; k < SPECIAL; k++) {
        int descriptor = -1;
        special[k].make("thing");
        cr_assert(eq(int, regular_file_open("thing", &descriptor, NULL, &failure), FAILURE_INPUT));
        cr_assert(strstr(failure.sentence, special[k].words) != NULL, "%s", failure.sentence);
        cr_assert(eq(int, descriptor, -1));
        cr_assert(remove("thing") == 0);
    }
    MUST(regular_file_read("file", 4, &text, &length, &failure));
    cr_assert(eq(sz, length, 4));
    cr_assert(eq(str, text, "four"));
    free(text);
    MUST_FAIL(regular_file_read("file", 3, &text, &length, &failure), FAILURE_INPUT,
              "has 4 bytes, and at most 3");
    struct rlimit few;
    cr_assert(getrlimit(RLIMIT_NOFILE, &few) == 0);
    const rlim_t many = few.rlim_cur;
    few.rlim_cur = 0;
    cr_assert(setrlimit(RLIMIT_NOFILE, &few) == 0);
    const int status = regular_file_read("file", 4, &text, &length, &failure);
    few.rlim_cur = many;
    cr_assert(setrlimit(RLIMIT_NOFILE, &few) == 0);
    cr_assert(eq(int, status, FAILURE_CAPACITY), "%s", failure.sentence);
}

/* ---- every command and everything that it reads ---- */

#define PLACED "--fmax", "200", "--absorption", "0.1", CUBE_PLACES

/* `what` is exchanged for something special, and then a command is run that reads it. Of what a page can do
 * without, the page says that it is missing. */
static const struct {
    const char *what, *run[16];
    int status;
} reader[] = {
    {"room.obj", {"check", "room.obj", PLACED}, 2},
    {"room.gltf", {"check", "room.gltf", PLACED}, 2},
    {"room.glb", {"plan", "room.glb", PLACED}, 2},
    {"room.ply", {"plan", "room.ply", PLACED}, 2},
    {"room.stl", {"compare", "room.stl", PLACED}, 2},
    {"room.obj", {"new", "room.obj", "-o", "new.yaml"}, 2},
    {"room.obj", {"simulate", "room.obj", "-o", "new", PLACED}, 2},
    {"room.obj", {"film", "room.obj", "-o", "new", "--fmax", "200"}, 2},
    {"room.obj", {"bench", "room.obj", "--fmax", "200"}, 2},
    {"room.yaml", {"plan", "room.yaml"}, 2},
    {"room.yaml", {"simulate", "room.yaml", "-o", "new", "--variant", "all"}, 2},
    {"walls.csv", {"plan", "cube.obj", PLACED, "--materials", "walls.csv"}, 2},
    {"walls.yaml", {"plan", "cube.obj", PLACED, "--materials", "walls.yaml"}, 2},
    {"head.sofa", {"simulate", "cube.obj", "-o", "new", PLACED, "--head", "head.sofa"}, 2},
    {"head.sofa", {"binaural", "run/ir_S1_R1_ambix.wav", "-o", "new.wav", "--head", "head.sofa"}, 2},
    {"ambix.wav", {"binaural", "ambix.wav", "-o", "new.wav", "--head", "head.sofa"}, 2},
    {"one.wav", {"analyse", "one.wav"}, 2},
    {"run/run.json", {"analyse", "run"}, 2},
    {"run/run.json", {"modes", "run"}, 2},
    {"run/run.json", {"auralise", "run"}, 2},
    {"run/run.json", {"report", "run"}, 2},
    {"run/run.json", {"compare", "run", "run"}, 2},
    {"run/ir_S1_R1.wav", {"analyse", "run"}, 2},
    {"run/ir_S1_R1.wav", {"modes", "run"}, 2},
    {"run/ir_S1_R1.wav", {"auralise", "run"}, 2},
    {"run/ir_S1_R1.wav", {"report", "run", "-o", "new.html"}, 0},
    {"run/room.glb", {"report", "run", "-o", "new.html"}, 0},
    {"run/blocks.json", {"report", "run", "-o", "new.html"}, 0},
    {"run/map_S1_floor.csv", {"report", "run", "-o", "new.html"}, 0},
    {"run/map_S1_floor.csv", {"compare", "run", "run"}, 0},
    {"run/listen.json", {"report", "run", "-o", "new.html"}, 0},
    {"dry.wav", {"auralise", "run", "--dry", "dry.wav"}, 2},
    {"dry.wav", {"auralise", "run", "dry.wav", "-o", "new"}, 2},
    {"one.wav", {"auralise", "one.wav", "-o", "new"}, 2},
};
enum { READERS = sizeof reader / sizeof reader[0] };

static void remove_new(void)
{
    nftw("new", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    (void)unlink("new.html");
}

Test(regular_file, no_command_waits_for_a_pipe_or_reads_a_device_without_end)
{
    write_cube();
    cr_assert(eq(int,
                 RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--ambisonics", "--receiver-grid",
                     "floor=wall", "--quiet"),
                 0));
    time_limit = 60;
    for (int r = 0; r < READERS; r++) {
        const char *what = reader[r].what;
        const bool was = rename(what, "kept") == 0;
        for (int k = 0; k < ENDLESS; k++) {
            const char *argument[18] = {TEST_PROGRAM};
            memcpy(argument + 1, reader[r].run, sizeof reader[r].run);
            special[k].make(what);
            const int status = run(NULL, argument);
            char *err = read_text("err");
            cr_expect(status == reader[r].status, "%s %s: %d: %s", argument[1], what, status, err);
            cr_expect(status == 0 || strstr(err, special[k].words) != NULL, "%s %s: %s", argument[1], what,
                      err);
            remove_new();
            cr_assert(remove(what) == 0, "%s", what);
        }
        cr_assert(rename("kept", what) == 0 || !was);
    }
}
