/** Running the built program as a user would, in a folder of its own for every test (own_folder.h): what the
 * tests of commands share. Define _XOPEN_SOURCE 700 (nftw, mkdtemp) before including anything. */
#ifndef TESTS_PROGRAM_RUN_H
#define TESTS_PROGRAM_RUN_H

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/own_folder.h"

/* ---- running ---- */

/* A limit that the next programs run under; RLIM_INFINITY: none. */
static rlim_t file_limit = RLIM_INFINITY, space_limit = RLIM_INFINITY;

/* Seconds by the clock after which one that still runs is ended by SIGALRM; 0: none. */
static unsigned time_limit;

/* `simulate` joins rays as it does by itself; else those without a word of their own on it run with --rays
 * off: nearly all tests are of waves. */
static bool joins_rays;

#define RUN(...) run(NULL, (const char *const[]){TEST_PROGRAM, __VA_ARGS__, NULL})

#define ARGUMENTS_MAX 200

/* The command line of a test of waves into `out`, returned. */
static inline const char *const *with_waves(const char *const *argument, const char *out[ARGUMENTS_MAX])
{
    size_t count = 0, after = 0;
    for (size_t i = 0; argument[i] != NULL; i++) {
        if (strncmp(argument[i], "--rays", 6) == 0 || strncmp(argument[i], "--resume", 8) == 0 ||
            strcmp(argument[i], "--waves-only") == 0)
            return argument;
        if (i > 0 && after == 0 && strcmp(argument[i], "simulate") == 0 &&
            strcmp(argument[i - 1], TEST_PROGRAM) == 0)
            after = i + 1;
    }
    for (size_t i = 0; argument[i] != NULL && count + 3 < ARGUMENTS_MAX; i++) {
        if (after > 0 && i == after) {
            out[count++] = "--rays";
            out[count++] = "off";
        }
        out[count++] = argument[i];
    }
    out[count] = NULL;
    return after > 0 ? out : argument;
}

/* Start with standard output in `out` (or the file given) and standard error in `err`. */
static inline pid_t start(const char *output, const char *const *argument)
{
    const pid_t child = fork();
    cr_assert(test_at_least((double)((int)child), (double)(0)));
    if (child == 0) {
        const int out = open(output != NULL ? output : "out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        signal(SIGINT, SIG_DFL);
        alarm(time_limit);
        const struct rlimit file = {file_limit, file_limit}, space = {space_limit, space_limit};
        if ((file_limit != RLIM_INFINITY && setrlimit(RLIMIT_FSIZE, &file) != 0) ||
            (space_limit != RLIM_INFINITY && setrlimit(RLIMIT_AS, &space) != 0))
            _exit(97);
        if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
            _exit(99);
        const char *own[ARGUMENTS_MAX];
        execv(argument[0], (char *const *)(joins_rays ? argument : with_waves(argument, own)));
        _exit(98);
    }
    return child;
}

static inline int finish(pid_t child)
{
    int status = 0;
    cr_assert(eq(int, (int)waitpid(child, &status, 0), (int)child));
    const bool by_itself = WIFEXITED(status);
    cr_assert(by_itself, "ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static inline int run(const char *output, const char *const *argument)
{
    return finish(start(output, argument));
}

/* Status as expected; prints what the program wrote otherwise. */
static inline void expect_status(int status, int expected)
{
    if (status == expected)
        return;
    char *err = read_text("err");
    cr_assert(eq(int, status, expected), "%s", err);
}

/* expect_words(FILE, WORDS..): all of these are in the file. */
#define expect_words(file, ...) expect_all(file, (const char *const[]){__VA_ARGS__, NULL})
static inline void expect_all(const char *file, const char *const *words)
{
    const char *text = read_text(file);
    for (; *words != NULL; words++)
        cr_assert(strstr(text, *words) != NULL, "\"%s\" is not in %s: %s", *words, file, text);
}

static inline void expect_no_words(const char *file, const char *words)
{
    char *text = read_text(file);
    cr_assert(strstr(text, words) == NULL, "\"%s\" is in %s: %s", words, file, text);
}

/* How often `words` are in a text, or in a file. */
static inline size_t count_words(const char *text, const char *words)
{
    size_t count = 0;
    while ((text = strstr(text, words)) != NULL) {
        text += strlen(words);
        count++;
    }
    return count;
}
#define count_in(file, words) count_words(read_text(file), words)

/* The program must refuse that as input, with these words. */
#define REFUSED(words, ...) (expect_status(RUN(__VA_ARGS__), 2), expect_words("err", words))

/* The object of a file, kept. */
static inline cJSON *read_json(const char *path)
{
    const char *text = read_text(path), *end = NULL;
    cJSON *object = cJSON_ParseWithOpts(text, &end, 0);
    cr_assert(object != NULL, "%s is no JSON: %s", path, text);
    cr_assert(eq(str, (char *)end, "\n"), "%s holds more than one object", path);
    return test_keep(object);
}

static inline double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsNumber(item), "%s is missing", name);
    return item->valuedouble;
}

static inline const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsString(item), "%s is missing", name);
    return item->valuestring;
}

/* An entry of `materials` of a record. */
static inline const cJSON *material_of(const cJSON *record, const char *name)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "materials"))
    {
        if (strcmp(text_of(entry, "name"), name) == 0)
            break;
    }
    cr_assert(entry != NULL, "no material %s", name);
    return entry;
}

/* ---- rooms ---- */

/* A box of walls from 0 to x, y, z in OBJ, one material; the ceiling left out when `lid` is false. */
static inline void write_box(const char *path, double x, double y, double z, bool lid)
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

static inline void write_cube(void)
{
    write_box("cube.obj", 3, 3, 3, true);
}

#endif
