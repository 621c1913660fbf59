/** The built program, run as a user would: statuses, files, JSON, what is refused and what is left behind. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <cjson/cJSON.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/wav_file.h"
#include "tests/test_support.h"

/* ---- a folder of its own for every test ---- */

static char folder[64];

static void enter_folder(void)
{
    strcpy(folder, "/tmp/transept-test.XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    cr_assert(eq(int, chdir(folder), 0));
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void leave_folder(void)
{
    if (chdir("/") == 0)
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

TestSuite(commands, .init = enter_folder, .fini = leave_folder);

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

/* The file as a string, owned by the caller. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s is missing", path);
    char *text = malloc(1 << 20);
    const size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Entries of a folder whose name holds `part`. */
static size_t count_entries(const char *path, const char *part)
{
    size_t count = 0;
    DIR *listing = opendir(path);
    cr_assert(listing != NULL, "%s is missing", path);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '\0' && strcmp(entry->d_name, ".") != 0 &&
                 strcmp(entry->d_name, "..") != 0 && strstr(entry->d_name, part) != NULL;
    closedir(listing);
    return count;
}

/* ---- running ---- */

/* A limit that the next programs run under; RLIM_INFINITY: none. */
static rlim_t file_limit = RLIM_INFINITY, space_limit = RLIM_INFINITY;

#define RUN(...) run(NULL, (const char *const[]){TEST_PROGRAM, __VA_ARGS__, NULL})

/* Start with standard output in `out` (or the file given) and standard error in `err`. */
static pid_t start(const char *output, const char *const *argument)
{
    const pid_t child = fork();
    cr_assert(ge(int, (int)child, 0));
    if (child == 0) {
        const int out = open(output != NULL ? output : "out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        signal(SIGINT, SIG_DFL);
        const struct rlimit file = {file_limit, file_limit}, space = {space_limit, space_limit};
        if ((file_limit != RLIM_INFINITY && setrlimit(RLIMIT_FSIZE, &file) != 0) ||
            (space_limit != RLIM_INFINITY && setrlimit(RLIMIT_AS, &space) != 0))
            _exit(97);
        if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
            _exit(99);
        execv(argument[0], (char *const *)argument);
        _exit(98);
    }
    return child;
}

static int finish(pid_t child)
{
    int status = 0;
    cr_assert(eq(int, (int)waitpid(child, &status, 0), (int)child));
    const bool by_itself = WIFEXITED(status);
    cr_assert(by_itself, "ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static int run(const char *output, const char *const *argument)
{
    return finish(start(output, argument));
}

/* Status as expected; says what the program said otherwise. */
static void expect_status(int status, int expected)
{
    if (status == expected)
        return;
    char *err = read_text("err");
    cr_assert(eq(int, status, expected), "%s", err);
}

static void expect_words(const char *file, const char *words)
{
    char *text = read_text(file);
    cr_assert(strstr(text, words) != NULL, "\"%s\" is not in %s: %s", words, file, text);
    free(text);
}

static cJSON *read_json(const char *path)
{
    char *text = read_text(path);
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithOpts(text, &end, 0);
    cr_assert(object != NULL, "%s is no JSON: %s", path, text);
    cr_assert(eq(str, (char *)end, "\n"), "%s holds more than one object", path);
    free(text);
    return object;
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsNumber(item), "%s is missing", name);
    return item->valuedouble;
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsString(item), "%s is missing", name);
    return item->valuestring;
}

/* ---- rooms ---- */

/* A box of walls from 0 to x, y, z in OBJ, one material; the ceiling left out when `lid` is false. */
static void write_box(const char *path, double x, double y, double z, bool lid)
{
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    fprintf(file, "o room\nusemtl wall\n");
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0);
    fprintf(file, "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    if (lid)
        fprintf(file, "f 5 6 8 7\n");
    fclose(file);
}

#define CUBE        "cube.obj", "--fmax", "200", "--duration", "0.1", "--absorption", "0.1"
#define CUBE_PLACES "--source", "1,1,1", "--receiver", "2,2,2"

static void write_cube(void)
{
    write_box("cube.obj", 3, 3, 3, true);
}

/* ---- simulate ---- */

Test(commands, simulate_writes_a_response_per_pair_and_every_figure)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1", "--source", "0.6,2.2,1.4,altar", "--receiver",
                      "2,2,2", "--receiver", "2,1,1.2,pew", "-o", "run"),
                  0);
    cr_assert(eq(sz, count_entries("run", ""), 5));
    cr_assert(eq(sz, count_entries(".", ".part"), 0));
    cJSON *record = read_json("run/run.json");
    static const char *const names[] = {"spacing_m",
                                        "rate_hz",
                                        "courant",
                                        "steps",
                                        "box_nodes",
                                        "air_nodes",
                                        "stored_nodes",
                                        "blocks",
                                        "occupancy",
                                        "bytes_box",
                                        "bytes_blocks",
                                        "bytes_walls",
                                        "bytes_ideal",
                                        "bytes_seed_blocks",
                                        "air_volume_m3",
                                        "seconds_per_step_blocks",
                                        "node_updates_per_second",
                                        "fmax_hz",
                                        "duration_s",
                                        "sound_speed_m_s"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert(gt(dbl, number(record, names[i]), 0), "%s", names[i]);
    cr_assert(test_near(number(record, "spacing_m"), 343.2 / (10.5 * 200), 1e-12));
    cr_assert(test_near(number(record, "stored_nodes"), 512 * number(record, "blocks"), 0));
    cr_assert(test_near(number(record, "bytes_seed_blocks"), 8728 * number(record, "blocks"), 0));
    cr_assert(test_near(number(record, "bytes_ideal"), 9 * number(record, "air_nodes"), 0));
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(record, "partial")));
    const cJSON *responses = cJSON_GetObjectItem(record, "responses"), *response;
    cr_assert(eq(int, cJSON_GetArraySize(responses), 4));
    cJSON_ArrayForEach(response, responses)
    {
        char path[200];
        float *sample = NULL;
        size_t count = 0;
        int rate = 0;
        snprintf(path, sizeof path, "run/%s", text_of(response, "file"));
        cr_assert(eq(int, wav_read(path, &sample, &count, &rate, NULL), 0));
        cr_assert(eq(int, rate, 48000));
        cr_assert(test_near((double)count, 0.1 * 48000, 48000 / number(record, "rate_hz") + 1));
        cr_assert(test_near((double)count, number(response, "samples"), 0));
        /* Loudest in the first milliseconds is the direct sound, at distance / c. */
        cr_assert(test_near(number(response, "onset_s"), number(response, "distance_m") / 343.2, 1e-12));
        double before = 0, around = 0;
        for (size_t i = 0; i < count; i++) {
            const double t = (double)i / 48000 - number(response, "onset_s");
            if (t < -2.0 / 200)
                before = fmax(before, fabs((double)sample[i]));
            if (fabs(t) < 1.0 / 200)
                around = fmax(around, fabs((double)sample[i]));
        }
        cr_assert(gt(dbl, around, 0));
        cr_assert(lt(dbl, before, 0.2 * around));
        free(sample);
    }
    cr_assert(exists("run/ir_S1_R1.wav") && exists("run/ir_altar_pew.wav"));
    cr_assert(test_near(number(cJSON_GetArrayItem(responses, 0), "distance_m"), sqrt(3), 1e-12));
    cJSON_Delete(record);
    char *out = read_text("out");
    cr_assert(strstr(out, "run: 4 responses") != NULL, "%s", out);
    free(out);
}

Test(commands, json_is_one_object_and_the_same_as_run_json)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--json", "--quiet"), 0);
    cJSON *printed = read_json("out"), *record = read_json("run/run.json");
    cr_assert(eq(str, (char *)text_of(printed, "directory"), "run"));
    cJSON_DeleteItemFromObject(printed, "directory");
    cr_assert(cJSON_Compare(printed, record, true));
    cJSON_Delete(printed);
    cJSON_Delete(record);
    char *err = read_text("err");
    cr_assert(eq(str, err, ""));
    free(err);
}

Test(commands, layouts_and_threads_write_the_same_bits)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "a", "--threads", "1"), 0);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "b", "--threads", "2", "--layout", "box"), 0);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "c", "--backend", "reference"), 0);
    float *sample[3];
    size_t count[3];
    int rate;
    for (int i = 0; i < 3; i++) {
        char path[] = "x/ir_S1_R1.wav";
        path[0] = (char)('a' + i);
        cr_assert(eq(int, wav_read(path, &sample[i], &count[i], &rate, NULL), 0));
        cr_assert(eq(sz, count[i], count[0]));
        cr_assert(eq(int, memcmp(sample[i], sample[0], count[0] * sizeof(float)), 0));
    }
    cJSON *a = read_json("a/run.json"), *b = read_json("b/run.json");
    cr_assert(eq(str, (char *)text_of(a, "grid_hash"), (char *)text_of(b, "grid_hash")));
    cr_assert(gt(dbl, number(b, "seconds_per_step_box"), 0));
    cJSON_Delete(a);
    cJSON_Delete(b);
    for (int i = 0; i < 3; i++)
        free(sample[i]);
}

Test(commands, an_existing_folder_is_refused_and_force_replaces_only_results)
{
    write_cube();
    cr_assert(eq(int, mkdir("run", 0777), 0));
    write_text("run/notes.txt", "mine");
    write_text("run/ir_old_one.wav", "old");
    write_text("run/.transept-1-0.part", "left by a killed run");
    write_text("run/other.wav", "mine too");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run"), 2);
    expect_words("err", "--force");
    cr_assert(eq(sz, count_entries("run", ""), 4));
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--force"), 0);
    cr_assert(exists("run/notes.txt") && exists("run/other.wav") && exists("run/run.json"));
    cr_assert(not(exists("run/ir_old_one.wav")));
    cr_assert(not(exists("run/.transept-1-0.part")));
    cr_assert(eq(sz, count_entries("run", ""), 4));
}

Test(commands, earlier_results_stay_when_the_input_is_refused)
{
    write_cube();
    cr_assert(eq(int, mkdir("run", 0777), 0));
    write_text("run/ir_old_one.wav", "old");
    expect_status(RUN("simulate", CUBE, "--source", "5,5,5", "--receiver", "2,2,2", "-o", "run", "--force"),
                  2);
    cr_assert(exists("run/ir_old_one.wav"));
}

Test(commands, a_place_that_cannot_be_written_is_status_5_before_computing)
{
    write_cube();
    write_text("file", "");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "no/such/folder"), 5);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "file/run"), 5);
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "file"), 2);
    char *out = read_text("out");
    cr_assert(eq(str, out, ""));
    free(out);
}

Test(commands, a_leak_is_status_2_with_its_path_beside_the_model)
{
    cr_assert(eq(int, mkdir("model", 0777), 0));
    write_box("model/open.obj", 3, 3, 3, false);
    write_text("model/leak.obj", "o drawing of somebody else\n");
    expect_status(
        RUN("simulate", "model/open.obj", "--fmax", "200", "--absorption", "0.1", CUBE_PLACES, "-o", "run"),
        2);
    expect_words("err", "model/leak-2.obj");
    expect_words("model/leak-2.obj", "\nl ");
    expect_words("model/leak.obj", "somebody else");
    cr_assert(not(exists("run")));
    expect_status(RUN("plan", "model/open.obj", "--fmax", "200", "--source", "1,1,1", "--leak", "way.obj"),
                  2);
    expect_words("way.obj", "\nl ");
    expect_status(RUN("simulate", "model/open.obj", "--fmax", "200", "--absorption", "0.1", "--duration",
                      "0.05", "--open", CUBE_PLACES, "-o", "run"),
                  0);
}

Test(commands, the_path_of_a_leak_stands_in_the_units_and_axes_of_the_model)
{
    /* 6 m wide, 5 m deep (towards -z of the file), 3 m high, in millimetres, y up, without a ceiling. */
    write_text("open.obj", "usemtl wall\n"
                           "v 0 0 0\nv 6000 0 0\nv 0 0 -5000\nv 6000 0 -5000\n"
                           "v 0 3000 0\nv 6000 3000 0\nv 0 3000 -5000\nv 6000 3000 -5000\n"
                           "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    expect_status(RUN("plan", "open.obj", "--units", "mm", "--up", "y", "--fmax", "200", "--source", "4,1,1"),
                  2);
    char *text = read_text("leak.obj");
    const char *first = strstr(text, "\nv ");
    double x = 0, y = 0, z = 0;
    cr_assert(first != NULL && sscanf(first, "\nv %lf %lf %lf", &x, &y, &z) == 3, "%s", text);
    /* From the source, within a spacing of 164 mm. */
    cr_assert(test_near(x, 4000, 164) && test_near(y, 1000, 164) && test_near(z, -1000, 164), "%g %g %g", x,
              y, z);
    free(text);
}

Test(commands, surfaces_without_absorption_stop_simulate_and_not_plan)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--fmax", "200", CUBE_PLACES, "-o", "run"), 2);
    expect_words("err", "wall");
    expect_words("err", "54");
    expect_words("err", "0.03");
    cr_assert(not(exists("run")));
    expect_status(RUN("plan", "cube.obj", "--fmax", "200", "--json"), 0);
    expect_words("err", "0.1");
    expect_status(RUN("plan", "cube.obj", "--absorption", "wal=0.2"), 2);
    expect_status(RUN("plan", "cube.obj", "--absorption", "wall=1.2"), 2);
    expect_status(RUN("plan", "cube.obj", "--absorption", "nan"), 2);
}

Test(commands, bad_positions_are_named_and_leave_nothing)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1,pulpit", "--receiver", "9,1,1,pew", "-o", "run"),
                  2);
    expect_words("err", "pew");
    expect_status(RUN("simulate", CUBE, "--source", "1,1,0,pulpit", "--receiver", "1,1,1", "-o", "run"), 2);
    expect_words("err", "pulpit");
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1", "-o", "run"), 2);
    expect_words("err", "no receiver");
    expect_status(RUN("simulate", CUBE, "--receiver", "1,1,1", "-o", "run"), 2);
    expect_words("err", "no source");
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1,a", "--source", "2,1,1,a", "--receiver", "2,2,2",
                      "-o", "run"),
                  2);
    expect_words("err", "called a");
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1,a_b", "--source", "2,1,1,a", "--receiver",
                      "2,2,2,c", "--receiver", "2,1,2,b_c", "-o", "run"),
                  2);
    expect_words("err", "ir_a_b_c.wav");
    cr_assert(not(exists("run")));
}

Test(commands, positions_of_the_model_are_used_unless_options_give_their_kind)
{
    expect_status(RUN("room", "cube", "-o", "cube.obj", "--json"), 0);
    cJSON *room = read_json("out");
    const char *source = text_of(cJSON_GetArrayItem(cJSON_GetObjectItem(room, "sources"), 0), "name");
    const char *receiver = text_of(cJSON_GetArrayItem(cJSON_GetObjectItem(room, "receivers"), 0), "name");
    char path[300];
    expect_status(RUN("simulate", CUBE, "-o", "run"), 0);
    snprintf(path, sizeof path, "run/ir_%s_%s.wav", source, receiver);
    cr_assert(exists(path), "%s", path);
    expect_status(RUN("simulate", CUBE, "-o", "other", "--source", "1,1,1"), 0);
    expect_words("err", "the 1 source of the model gives way to --source");
    snprintf(path, sizeof path, "other/ir_S1_%s.wav", receiver);
    cr_assert(exists(path), "%s", path);
    cr_assert(eq(sz, count_entries("other", ""), 2));
    cJSON_Delete(room);
}

Test(commands, a_position_of_the_model_can_be_chosen_by_its_name)
{
    expect_status(RUN("room", "church", "-o", "church.obj", "--nave-length", "20"), 0);
    const char *const common[] = {"--fmax", "60", "--duration", "0.02", "--absorption", "0.1"};
    expect_status(RUN("simulate", "church.obj", "-o", "run", common[0], common[1], common[2], common[3],
                      common[4], common[5], "--source", "pulpit", "--receiver", "nave_front"),
                  0);
    cr_assert(exists("run/ir_pulpit_nave_front.wav"));
    cr_assert(eq(sz, count_entries("run", ""), 2));
    expect_status(RUN("simulate", "church.obj", "-o", "other", common[0], common[1], common[2], common[3],
                      common[4], common[5], "--source", "organ"),
                  2);
    expect_words("err", "no source of that name (it has pulpit");
    cr_assert(not(exists("other")));
}

Test(commands, an_interrupted_run_is_130_and_keeps_whole_files_marked_partial)
{
    write_cube();
    /* How long the first steps take depends on the machine; before them there is nothing to keep. */
    for (int tenths = 3; tenths < 400 && !exists("run/run.json"); tenths *= 4) {
        const pid_t child = start(NULL, (const char *const[]){TEST_PROGRAM, "simulate", "cube.obj", "--fmax",
                                                              "1000", "--duration", "100", "--absorption",
                                                              "0.1", CUBE_PLACES, "-o", "run", NULL});
        const struct timespec pause = {.tv_nsec = 100000000};
        for (int i = 0; i < 300 && !exists("run"); i++)
            nanosleep(&pause, NULL);
        for (int i = 0; i < tenths; i++)
            nanosleep(&pause, NULL);
        cr_assert(eq(int, kill(child, SIGINT), 0));
        expect_status(finish(child), 130);
        cr_assert(eq(int, exists("run"), exists("run/run.json")));
    }
    cJSON *record = read_json("run/run.json");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(record, "partial")));
    const cJSON *response = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 0);
    float *sample = NULL;
    size_t count = 0;
    int rate = 0;
    cr_assert(eq(int, wav_read("run/ir_S1_R1.wav", &sample, &count, &rate, NULL), 0));
    cr_assert(test_near((double)count, number(response, "samples"), 0));
    cr_assert(test_near((double)count / 48000, number(record, "duration_s"), 1e-3));
    cr_assert(lt(dbl, number(record, "duration_s"), 100));
    cr_assert(eq(sz, count_entries("run", ""), 2));
    free(sample);
    cJSON_Delete(record);
}

Test(commands, what_does_not_fit_is_status_3_with_bytes_and_the_highest_fmax)
{
    write_box("hall.obj", 900, 900, 300, true);
    expect_status(RUN("simulate", "hall.obj", "--fmax", "8000", "--absorption", "0.1", "--source", "1,1,1",
                      "--receiver", "2,2,2", "-o", "run"),
                  3);
    expect_words("err", "bytes");
    expect_words("err", "--fmax ");
    cr_assert(not(exists("run")));
}

Test(commands, a_hidden_receiver_hears_by_the_shortest_way_round_the_corner)
{
    expect_status(RUN("room", "cross", "-o", "cross.obj"), 0);
    /* From the west arm to the north arm round the edge at (3, 6): unfolded, the two legs are one straight
     * line. */
    expect_status(RUN("simulate", "cross.obj", "--fmax", "300", "--duration", "0.02", "--absorption", "0.1",
                      "--source", "1.1,3.6,1.5", "--receiver", "3.4,8.2,0.5,hidden", "--receiver",
                      "7.5,4.5,1,seen", "-o", "run"),
                  0);
    cJSON *record = read_json("run/run.json");
    const cJSON *responses = cJSON_GetObjectItem(record, "responses");
    const cJSON *hidden = cJSON_GetArrayItem(responses, 0), *seen = cJSON_GetArrayItem(responses, 1);
    const double legs = hypot(3 - 1.1, 6 - 3.6) + hypot(3.4 - 3, 8.2 - 6), shortest = hypot(legs, 1.0);
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(hidden, "direct_path_clear")));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(seen, "direct_path_clear")));
    cr_assert(ge(dbl, number(hidden, "path_m"), shortest - 1e-6));
    cr_assert(le(dbl, number(hidden, "path_m"), shortest + 0.02));
    cr_assert(test_near(number(hidden, "onset_s"), number(hidden, "path_m") / 343.2, 1e-12));
    cr_assert(test_near(number(seen, "path_m"), number(seen, "distance_m"), 0));
    cJSON_Delete(record);
}

Test(commands, the_energy_in_run_json_stays_where_nothing_absorbs_and_falls_where_walls_do)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, "--absorption", "0", "--precision", "double", CUBE_PLACES, "-o", "a"),
                  0);
    expect_status(RUN("simulate", CUBE, "--precision", "double", CUBE_PLACES, "-o", "b"), 0);
    cJSON *a = read_json("a/run.json"), *b = read_json("b/run.json");
    const cJSON *rigid = cJSON_GetArrayItem(cJSON_GetObjectItem(a, "runs"), 0);
    const cJSON *lossy = cJSON_GetArrayItem(cJSON_GetObjectItem(b, "runs"), 0);
    cr_assert(gt(dbl, number(rigid, "energy_start"), 0));
    cr_assert(test_near(number(rigid, "energy_change"), 0, 1e-12));
    cr_assert(lt(dbl, number(lossy, "energy_change"), -0.1));
    cJSON_Delete(a);
    cJSON_Delete(b);
}

Test(commands, spacing_sets_the_grid_and_fmax_only_the_low_pass)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--spacing", "15cm", "--duration", "0.05", "--absorption",
                      "0.1", CUBE_PLACES, "-o", "a"),
                  0);
    expect_status(RUN("simulate", "cube.obj", "--spacing", "0.15", "--fmax", "150", "--duration", "0.05",
                      "--absorption", "0.1", CUBE_PLACES, "-o", "b"),
                  0);
    cJSON *a = read_json("a/run.json"), *b = read_json("b/run.json");
    cr_assert(test_near(number(a, "fmax_hz"), 343.2 / (10.5 * 0.15), 1e-9));
    cr_assert(test_near(number(a, "air_nodes"), 8000, 0));
    cr_assert(eq(str, (char *)text_of(a, "grid_hash"), (char *)text_of(b, "grid_hash")));
    cr_assert(test_near(number(b, "fmax_hz"), 150, 0));
    cJSON_Delete(a);
    cJSON_Delete(b);
    expect_status(RUN("plan", "cube.obj", "--spacing", "0.15", "--fmax", "2000"), 2);
    expect_words("err", "points per wavelength");
    expect_status(RUN("plan", "cube.obj", "--spacing", "0.15", "--points-per-wavelength", "8"), 2);
}

Test(commands, a_response_that_cannot_be_written_is_status_5_and_leaves_no_folder)
{
    write_cube();
    file_limit = 0; /* files may not grow at all */
    cr_assert(eq(int, RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--quiet"), 5));
    cr_assert(not(exists("run")));
}

/* ---- plan ---- */

Test(commands, a_grid_that_may_not_fit_is_surveyed_first_and_keeps_its_spacing)
{
#if defined(__SANITIZE_ADDRESS__)
    cr_skip_test("AddressSanitizer takes more address space than the limit of this test");
#endif
    write_cube();
    space_limit = 1500000000; /* the 27 M nodes take 0.3 GB; their worst case would be 1.8 GB */
    expect_status(
        RUN("plan", "cube.obj", "--spacing", "1cm", "--absorption", "0.1", "--threads", "1", "--json"), 0);
    cJSON *plan = read_json("out");
    cr_assert(eq(dbl, number(plan, "spacing_m"), 0.01));
    cr_assert(eq(dbl, number(plan, "air_nodes"), 27e6));
    cr_assert(lt(dbl, number(plan, "bytes_available"), 1.5e9));
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "fits")));
    cJSON_Delete(plan);
}

Test(commands, plan_counts_what_simulate_counts)
{
    write_cube();
    expect_status(RUN("plan", CUBE, CUBE_PLACES, "--json"), 0);
    cJSON *plan = read_json("out");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run"), 0);
    cJSON *record = read_json("run/run.json");
    static const char *const names[] = {"spacing_m",    "rate_hz",      "steps",      "box_nodes",
                                        "air_nodes",    "stored_nodes", "blocks",     "bytes_box",
                                        "bytes_blocks", "bytes_walls",  "bytes_ideal"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert(test_near(number(plan, names[i]), number(record, names[i]), 0), "%s", names[i]);
    cr_assert(eq(str, (char *)text_of(plan, "grid_hash"), (char *)text_of(record, "grid_hash")));
    cr_assert(gt(dbl, number(plan, "seconds_predicted"), 0));
    cr_assert(gt(dbl, number(plan, "bytes_available"), 0));
    cJSON_Delete(plan);
    cJSON_Delete(record);
}

Test(commands, plan_without_a_source_takes_the_largest_cavity)
{
    /* Two rooms that share no air, 3 m and 2 m wide. */
    write_text("two.obj",
               "usemtl wall\n"
               "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\nv 2 2 2\n"
               "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n"
               "v 4 0 0\nv 7 0 0\nv 4 3 0\nv 7 3 0\nv 4 0 3\nv 7 0 3\nv 4 3 3\nv 7 3 3\n"
               "f 9 11 12 10\nf 9 10 14 13\nf 11 15 16 12\nf 9 13 15 11\nf 10 12 16 14\nf 13 14 16 15\n");
    expect_status(RUN("plan", "two.obj", "--spacing", "0.1", "--json"), 0);
    cJSON *plan = read_json("out");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "source_is_cavity")));
    cr_assert(test_near(number(plan, "air_nodes"), 27000, 0));
    const cJSON *place =
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(plan, "sources"), 0), "position_m");
    cr_assert(gt(dbl, cJSON_GetArrayItem(place, 0)->valuedouble, 4));
    expect_words("err", "largest enclosed cavity");
    cJSON_Delete(plan);
}

Test(commands, plan_doubts_a_cavity_that_is_small_beside_the_model)
{
    /* A closed box of 1 m3 in a room of 90 m3, once closed and once without its ceiling. */
    static const char walls[] =
        "usemtl wall\nv 0 0 0\nv 6 0 0\nv 0 5 0\nv 6 5 0\nv 0 0 3\nv 6 0 3\nv 0 5 3\nv 6 5 3\n"
        "v 3 2 1\nv 4 2 1\nv 3 3 1\nv 4 3 1\nv 3 2 2\nv 4 2 2\nv 3 3 2\nv 4 3 2\n"
        "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
        "f 9 11 12 10\nf 9 10 14 13\nf 11 15 16 12\nf 9 13 15 11\nf 10 12 16 14\nf 13 14 16 15\n";
    write_text("open.obj", walls);
    expect_status(RUN("plan", "open.obj", "--fmax", "300", "--absorption", "0.1"), 0);
    expect_words("err", "if that cavity is not the room, the room is open");
    char text[1000];
    snprintf(text, sizeof text, "%sf 5 6 8 7\n", walls);
    write_text("closed.obj", text);
    expect_status(RUN("plan", "closed.obj", "--fmax", "300", "--absorption", "0.1"), 0);
    char *err = read_text("err");
    cr_assert(strstr(err, "if that cavity") == NULL, "%s", err);
    free(err);
}

Test(commands, narrow_openings_are_one_warning_with_the_narrowest)
{
    /* A room of 8 x 4 x 3 m, parted at x = 4 by three walls that leave slots of 15 and 5 cm. */
    write_text("slots.obj",
               "usemtl wall\nv 0 0 0\nv 8 0 0\nv 0 4 0\nv 8 4 0\nv 0 0 3\nv 8 0 3\nv 0 4 3\nv 8 4 3\n"
               "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n"
               "v 4 0 0\nv 4 1 0\nv 4 1 3\nv 4 0 3\nf 9 10 11 12\n"
               "v 4 1.15 0\nv 4 3 0\nv 4 3 3\nv 4 1.15 3\nf 13 14 15 16\n"
               "v 4 3.05 0\nv 4 4 0\nv 4 4 3\nv 4 3.05 3\nf 17 18 19 20\n");
    expect_status(
        RUN("plan", "slots.obj", "--spacing", "0.06", "--absorption", "0.1", "--source", "1,1,1", "--json"),
        0);
    cJSON *plan = read_json("out");
    const cJSON *warnings = cJSON_GetObjectItem(plan, "warnings");
    cr_assert(eq(int, cJSON_GetArraySize(warnings), 1));
    const char *words = cJSON_GetArrayItem(warnings, 0)->valuestring;
    cr_assert(strstr(words, "2 openings are under three grid points") != NULL, "%s", words);
    cr_assert(strstr(words, "; others at ") != NULL, "%s", words);
    /* The narrowest is the slot at y = 3 to 3.05. */
    double x = 0, y = 0;
    const char *at = strstr(words, " m at ");
    cr_assert(at != NULL && sscanf(at, " m at %lf, %lf", &x, &y) == 2, "%s", words);
    cr_assert(test_near(x, 4, 0.12) && test_near(y, 3.025, 0.06), "%s", words);
    cJSON_Delete(plan);
}

Test(commands, auto_chooses_an_octave_edge_within_the_budget_and_more_time_gives_no_lower_one)
{
    write_cube();
    double before = 0;
    static const char *const budgets[] = {"1ms", "2s", "1h"};
    for (int i = 0; i < 3; i++) {
        expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", "--duration", "1", "--budget",
                          budgets[i], "--json"),
                      0);
        cJSON *plan = read_json("out");
        const double fmax = number(plan, "fmax_hz");
        bool edge = false;
        static const double edges[] = {177, 355, 710, 1420, 2840, 5680, 11300};
        for (int e = 0; e < 7; e++)
            edge |= fmax == edges[e];
        cr_assert(edge, "%g", fmax);
        cr_assert(ge(dbl, fmax, before));
        cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(plan, "fmax_automatic")));
        if (i == 0) {
            cr_assert(eq(dbl, fmax, 177));
            expect_words("err", "longer than the --budget");
        }
        before = fmax;
        cJSON_Delete(plan);
    }
    cr_assert(gt(dbl, before, 177));
}

Test(commands, plan_says_when_not_even_the_air_can_be_looked_for)
{
    write_box("hall.obj", 900, 900, 300, true);
    expect_status(RUN("plan", "hall.obj", "--fmax", "8000", "--absorption", "0.1"), 3);
    expect_words("err", "finding the air alone takes");
    expect_words("err", "available");
}

Test(commands, a_receiver_in_a_source_is_warned_of_and_one_beside_it_is_not)
{
    write_cube();
    expect_status(RUN("simulate", CUBE, "--source", "1,1,1", "--receiver", "1,1.1,1,near", "--receiver",
                      "1,1.2,1,beside", "-o", "run", "--json"),
                  0);
    expect_words("err", "receiver near stands 0.1 m from source S1");
    cJSON *record = read_json("out");
    cr_assert(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(record, "warnings")), 1));
    cJSON_Delete(record);
}

/* ---- models as other programs write them ---- */

Test(commands, a_surveyed_model_is_warned_of_its_rounding_and_its_places_stay_whole)
{
    char text[1000];
    FILE *file = fopen("site.obj", "w");
    cr_assert(file != NULL);
    fprintf(file, "usemtl wall\n");
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %d %d %d\n", 452000 + (i & 1 ? 6 : 0), 541000 + (i & 2 ? 5 : 0), i & 4 ? 3 : 0);
    fprintf(file, "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n");
    fclose(file);
    expect_status(
        RUN("plan", "site.obj", "--fmax", "200", "--absorption", "0.1", "--source", "452001.25,541001.5,1.5"),
        0);
    expect_words("err", "rounded by up to 0.03 m");
    expect_words("err", "source S1 at 452001.25, 541001.5, 1.5 m");
    write_cube();
    expect_status(RUN("plan", CUBE), 0);
    char *err = read_text("err");
    cr_assert(strstr(err, "rounded") == NULL, "%s", err);
    free(err);
    snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 5400000 0\nf 1 2 3\n");
    write_text("far.obj", text);
    expect_status(RUN("plan", "far.obj"), 2);
    expect_words("err", "has y = 5.4e+06 m");
    expect_words("err", "move the model there");
}

Test(commands, materials_line_up_whatever_letters_they_are_written_with)
{
    write_text("names.obj", "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 3 3 0\nv 0 0 3\nv 3 0 3\nv 0 3 3\nv 3 3 3\n"
                            "usemtl Holz B\xC3\xB6"
                            "den\nf 1 3 4 2\nusemtl wall\n"
                            "f 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n");
    expect_status(RUN("plan", "names.obj", "--fmax", "200", "--absorption", "wall=0.1", "--absorption",
                      "Holz B\xC3\xB6"
                      "den=1"),
                  0);
    expect_words("err", "  Holz B\xC3\xB6"
                        "den                    9.00 m2   absorption 1\n"
                        "  wall                         45.00 m2   absorption 0.1\n"
                        "transept: warning: Holz B\xC3\xB6"
                        "den: an absorption of 1");
}

Test(commands, a_pair_in_two_cavities_is_named_before_anything_is_written)
{
    /* A closed box in the room, with a source in each and one receiver. */
    write_text("two.obj",
               "usemtl wall\nv 0 0 0\nv 6 0 0\nv 0 5 0\nv 6 5 0\nv 0 0 3\nv 6 0 3\nv 0 5 3\nv 6 5 3\n"
               "v 3 2 1\nv 4 2 1\nv 3 3 1\nv 4 3 1\nv 3 2 2\nv 4 2 2\nv 3 3 2\nv 4 3 2\n"
               "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n"
               "f 9 11 12 10\nf 9 10 14 13\nf 11 15 16 12\nf 9 13 15 11\nf 10 12 16 14\n"
               "f 13 14 16 15\n");
    expect_status(RUN("simulate", "two.obj", "--fmax", "300", "--absorption", "0.1", "--source",
                      "3.5,2.5,1.5,inside", "--source", "1,1,1", "--receiver", "2,2,2", "-o", "run"),
                  2);
    expect_words("err", "source \"inside\": no way through the air");
    expect_words("err", "(2, 2, 2)");
    cr_assert(not(exists("run")));
}

/* ---- memory, room, the rest ---- */

Test(commands, memory_prints_the_table_of_the_seed)
{
    expect_status(RUN("memory", "sphere,cross", "--nodes", "8,88"), 0);
    char *out = read_text("out");
    static const char *const lines[] = {
        "shape,nodes,blocks,seed_blocks_MiB,box_MiB,blocks_fp32_MiB,blocks_fp64_MiB,ideal_MiB\n",
        "\nsphere,8,1,0.008324,0.008301,", "\nsphere,88,937,7.799278,11.048340,",
        "\ncross,8,5,0.041618,0.074707,", "\ncross,88,6655,55.394020,99.435059,"};
    for (int i = 0; i < 5; i++)
        cr_assert(strstr(out, lines[i]) != NULL, "%s is missing in %s", lines[i], out);
    free(out);
    expect_status(RUN("memory", "cube,pyramid", "--nodes", "8"), 2);
    out = read_text("out");
    cr_assert(eq(str, out, ""));
    free(out);
    expect_status(RUN("memory", "cube"), 2);
    expect_words("err", "--nodes");
}

Test(commands, every_room_is_written_and_its_positions_stand_in_its_air)
{
    static const char *const shapes[] = {"cube", "sphere", "cross", "church"};
    static const char *const endings[] = {"obj", "glb", "gltf", "obj"};
    for (int i = 0; i < 4; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.%s", shapes[i], endings[i]);
        expect_status(RUN("room", shapes[i], "-o", path), 0);
        expect_words("out", "--source ");
        expect_words("out", "m2");
        expect_status(RUN("plan", path, "--fmax", "100", "--json"), 0);
        expect_status(RUN("room", shapes[i], "-o", path), 2);
        expect_words("err", "--force");
        expect_status(RUN("room", shapes[i], "-o", path, "--force"), 0);
    }
    expect_status(RUN("room", "chruch", "-o", "x.obj"), 2);
    expect_words("err", "did you mean church");
    expect_status(RUN("room", "church", "-o", "x.stl"), 2);
    expect_status(RUN("room", "church", "-o", "x.obj", "--nave-lenght", "30"), 2);
    expect_words("err", "did you mean --nave-length?");
    expect_status(RUN("room", "church"), 2);
    cr_assert(eq(sz, count_entries(".", "x."), 0));
}

Test(commands, usage_errors_are_status_2_and_say_one_sentence)
{
    expect_status(RUN("simlate"), 2);
    expect_words("err", "did you mean simulate?");
    char *err = read_text("err");
    cr_assert(eq(sz, strcspn(err, "\n") + 1, strlen(err)));
    free(err);
    expect_status(run(NULL, (const char *const[]){TEST_PROGRAM, NULL}), 2);
    expect_status(RUN("simulate", "missing.obj", "-o", "run"), 2);
    expect_words("err", "missing.obj");
    expect_status(RUN("simulate", "missing.obj"), 2);
    expect_status(RUN("plan", "--frobnicate"), 2);
    expect_status(RUN("--version"), 0);
    expect_words("out", "transept 0.1.0\ncuda: ");
    expect_status(RUN("--help"), 0);
    expect_words("out", "simulate");
    expect_status(RUN("room", "church", "--help"), 0);
    expect_words("out", "--nave-length");
    expect_words("out", "--output");
}

Test(commands, output_that_cannot_be_written_is_status_5)
{
    if (!exists("/dev/full"))
        cr_skip_test("no /dev/full on this system");
    expect_status(
        run("/dev/full", (const char *const[]){TEST_PROGRAM, "memory", "cube", "--nodes", "8", NULL}), 5);
    expect_status(run("/dev/full", (const char *const[]){TEST_PROGRAM, "--version", NULL}), 5);
}
