/** Every file that the program writes, on a disk that is full or broken at any moment of it. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/fault_run.h"

#include "src/response/signal/wav_file.h"
#include "tests/support/outcome.h"

TestSuite(failed_writes, .init = enter_folder, .fini = leave_folder);

#define KEMAR  "/usr/share/libmysofa/default.sofa" /* of Debian's libmysofa1 */
#define TRIED  6                                   /* writes of a command, spread over all of them */
#define ROOM   "cube.obj", "--fmax", "150", "--duration", "0.02", "--absorption", "0.1", "--threads", "1"
#define SOURCE "--source", "1,1,1"

/* As it is without a fault; what holds times and names of other files is at least whole by itself. */
static bool is_whole(const char *path, const char *other)
{
    if (strstr(path, ".json") != NULL || strstr(path, ".series") != NULL)
        cJSON_Delete(read_json(path));
    else if (!same_file(path, other))
        return false;
    return true;
}

/* Every file in the folder `name` of "there". */
static void expect_nothing_half(const char *name, const char *with)
{
    char path[2][600];
    snprintf(path[0], sizeof path[0], "there/%s", name);
    DIR *listing = opendir(path[0]);
    if (listing == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        snprintf(path[0], sizeof path[0], "there/%s/%s", name, entry->d_name);
        snprintf(path[1], sizeof path[1], "whole/%s/%s", name, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            cr_assert(is_whole(path[0], path[1]), "%s: %s is not whole", with, path[0]);
    }
    closedir(listing);
}

static void make_empty(const char *name)
{
    expect_status(run(NULL, (const char *const[]){"/bin/rm", "-rf", name, NULL}), 0);
    cr_assert(eq(int, mkdir(name, 0777), 0));
}

/* `command` writes to the folder "there", files or folders of files. */
static void expect_failures_reported(const char *const *command)
{
    static const char *const how[] = {"error=ENOSPC", "error=EIO"};
    struct fault_call call[FAULT_CALLS_MAX];
    if (!fault_possible())
        return;
    make_empty("there");
    const size_t calls = fault_calls("write,pwrite64", ".transept-", command, call);
    const size_t tried = calls < TRIED ? calls : TRIED;
    cr_assert(test_at_least((double)calls, 1.0));
    expect_status(run(NULL, (const char *const[]){"/bin/rm", "-rf", "whole", NULL}), 0);
    cr_assert(eq(int, rename("there", "whole"), 0));
    for (size_t t = 0; t < 2 * tried; t++) {
        /* The first and the last write are among them. */
        const struct fault_call *one = &call[tried > 1 ? t / 2 * (calls - 1) / (tried - 1) : 0];
        make_empty("there");
        const int status = fault_run(one, how[t % 2], command);
        cr_assert(eq(int, status, 5), "%s %d of %zu, %s", one->name, one->number, calls, how[t % 2]);
        expect_nothing_half(".", how[t % 2]);
        expect_nothing_half("run", how[t % 2]);
    }
}

#define EXPECT_FAILURES_REPORTED(...)                                                                        \
    expect_failures_reported((const char *const[]){TEST_PROGRAM, __VA_ARGS__, NULL})

Test(failed_writes, writes_of_a_run_with_maps_are_checked)
{
    write_cube();
    EXPECT_FAILURES_REPORTED("simulate", ROOM, SOURCE, "--receiver-grid", "floor=wall", "--checkpoint", "0",
                             "-o", "there/run"); /* a checkpoint that fails ends nothing */
}

Test(failed_writes, writes_of_a_film_are_checked)
{
    write_cube();
    EXPECT_FAILURES_REPORTED("film", "cube.obj", "--fmax", "150", "--absorption", "0.1", SOURCE, "--every",
                             "5ms", "--until", "5ms", "--files", "both", "-o", "there/run");
}

Test(failed_writes, writes_of_a_room_are_checked)
{
    EXPECT_FAILURES_REPORTED("room", "church", "-o", "there/room.obj");
    EXPECT_FAILURES_REPORTED("room", "church", "-o", "there/room.glb");
}

Test(failed_writes, writes_of_sounds_and_reports_are_checked)
{
    write_cube();
    expect_status(RUN("simulate", ROOM, SOURCE, "--receiver", "2,2,2", "-o", "run"), 0);
    EXPECT_FAILURES_REPORTED("auralise", "run", "-o", "there/run");
    EXPECT_FAILURES_REPORTED("report", "run", "-o", "there/page.html");
}

Test(failed_writes, writes_of_exports_are_checked)
{
    write_cube();
    expect_status(
        RUN("simulate", ROOM, SOURCE, "--receiver", "2,2,2", "--receiver-grid", "floor=wall", "-o", "run"),
        0);
    EXPECT_FAILURES_REPORTED("export", "run", "-o", "there/one.sofa");
    EXPECT_FAILURES_REPORTED("export", "run", "-o", "there/one.h5");
}

Test(failed_writes, writes_of_binaural_files_are_checked)
{
    if (!exists(KEMAR)) {
        (void)fprintf(stderr, "SKIPPED: %s is missing\n", KEMAR);
        return;
    }
    float sample[4 * 4000] = {1.0F};
    struct whole_file file = {0};
    MUST(wav_stage("all.wav", sample, 4000, 4, 48000, WAV_FLOAT32, &file, &failure));
    MUST(whole_file_commit(&file, &failure));
    EXPECT_FAILURES_REPORTED("binaural", "all.wav", "--head", KEMAR, "-o", "there/ears.wav");
}

/* What is said goes through a pipe, to which no limit of files applies. */
Test(failed_writes, a_limit_of_file_sizes_is_named)
{
    write_cube();
    expect_status(
        run(NULL, (const char *const[]){"/bin/sh", "-c",
                                        "(ulimit -f 0; \"$0\" simulate \"$@\" -o run; echo status $?) "
                                        "2>&1 | cat >said",
                                        TEST_PROGRAM, ROOM, SOURCE, "--receiver", "2,2,2", NULL}),
        0);
    expect_words("said", "the limit of file sizes reached, ulimit -f?)\nstatus 5\n");
    cr_assert(not(exists("run")));
    expect_status(
        run(NULL, (const char *const[]){"/bin/sh", "-c",
                                        "(ulimit -f 0; \"$0\" materials >list; echo status $?) 2>&1 | "
                                        "cat >said",
                                        TEST_PROGRAM, NULL}),
        0);
    expect_words("said", "standard output could not be written: File too large\nstatus 5\n");
}

/* 424 kB of results and 430 kB of checkpoints, on a disk of 600 kB in a namespace of mounts. */
Test(failed_writes, a_disk_that_cannot_hold_results_and_checkpoints_is_refused_first)
{
#define MOUNTED(...)                                                                                         \
    run(NULL,                                                                                                \
        (const char *const[]){"/usr/bin/unshare", "-Urm", "/bin/sh", "-c",                                   \
                              "mount -t tmpfs -o size=600k none small && exec \"$0\" \"$@\"", __VA_ARGS__})
    cr_assert(eq(int, mkdir("small", 0777), 0));
    if (MOUNTED("/bin/true", NULL) != 0) {
        fprintf(stderr, "SKIPPED: no disk can be mounted here (unshare -Urm)\n");
        return;
    }
    write_cube();
    expect_status(MOUNTED(TEST_PROGRAM, "simulate", "cube.obj", "--fmax", "300", "--absorption", "0.1",
                          "--duration", "2", SOURCE, "--receiver", "2,2,2", "--checkpoint", "1s", "-o",
                          "small/run", NULL),
                  3);
    expect_words("err", "three checkpoints of this run and its results take");
    expect_words("err", "the disk of small/run has 614400 bytes free");
}
