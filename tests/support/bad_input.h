/** Tables of input that must be refused: what a row says, and the one way in which every row is run and
 * judged.
 *
 * A row is run through the built program in a folder of its own, `user`, beside things that belong to the
 * user (a good room `cube.obj`, a table `walls.csv`, a folder `mine` with results of an earlier run).
 * Whatever the row is about, the program must end by itself, with the row's status, within seconds and within
 * a gibibyte, say exactly one sentence that holds the row's words, print nothing on standard output, and
 * leave every file as it was and no new one. Rows of status 0 show that what the others break is good before.
 *
 * Define _XOPEN_SOURCE 700 (nftw, mkdtemp) and _DEFAULT_SOURCE (wait4) before including anything. With
 * BAD_INPUT_SHOW in the environment every row's cost and sentence are printed. */
#ifndef TESTS_BAD_INPUT_H
#define TESTS_BAD_INPUT_H

#include "tests/support/program_run.h"

#if defined(__SANITIZE_ADDRESS__)
#define BAD_INPUT_SANITIZED true
#else
#define BAD_INPUT_SANITIZED false
#endif

#define BAD_INPUT_SECONDS_MAX   (BAD_INPUT_SANITIZED ? 60.0 : 10.0) /* of processor time */
#define BAD_INPUT_WAIT_MAX      100.0                               /* by the clock, beside other work */
#define BAD_INPUT_KIBIBYTES_MAX (1 << 20)

struct bad_input {
    const char *name;
    struct {
        const char *path, *text;
    } file[3];           /* what the row needs besides what stands there for all */
    void (*make)(void);  /* what is no text */
    const char *run[20]; /* arguments */
    int status;
    const char *says[6];   /* what the sentence must hold */
    const char *leaves;    /* a file that the refusal itself promises (the path of a leak) */
    const char *output;    /* standard output, where it is not a file of the test */
    rlim_t file_bytes;     /* the disk is full after so many; 0: it is not */
    bool may_print_answer; /* the facts of an answer that is no stand on standard output */
};

/* ---- the folder of a row ---- */

static inline void make_row_folder(const struct bad_input *row)
{
    cr_assert(eq(int, chdir(folder), 0));
    cr_assert(eq(int, mkdir("user", 0777), 0));
    cr_assert(eq(int, chdir("user"), 0));
    write_cube();
    write_text("walls.csv", "material,250,500,1000\nwall,0.1,0.2,0.3\n");
    cr_assert(eq(int, mkdir("mine", 0777), 0));
    write_text("mine/notes.txt", "the user's own");
    write_text("mine/ir_old_pair.wav", "of an earlier run");
    for (size_t f = 0; f < sizeof row->file / sizeof row->file[0] && row->file[f].path != NULL; f++)
        write_text(row->file[f].path, row->file[f].text);
    if (row->make != NULL)
        row->make();
}

static inline void remove_row_folder(void)
{
    cr_assert(eq(int, chdir(folder), 0));
    nftw("user", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- what stands in the folder, in one number ---- */

static uint64_t folder_sum;
static const char *folder_except;

static inline uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static inline int add_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    if (strcmp(path, "./out") == 0 || strcmp(path, "./err") == 0 ||
        (folder_except != NULL && strcmp(path, folder_except) == 0))
        return 0;
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), path, strlen(path));
    hash = mix(hash, &status->st_mode, sizeof status->st_mode);
    if (kind == FTW_F && S_ISREG(status->st_mode)) {
        unsigned char buffer[4096];
        FILE *file = fopen(path, "rb");
        cr_assert(file != NULL);
        hash = mix(hash, &status->st_size, sizeof status->st_size);
        /* The head is enough of a file that a row has made long. */
        hash = mix(hash, buffer, fread(buffer, 1, sizeof buffer, file));
        fclose(file);
    }
    folder_sum += hash; /* nftw has no order */
    return 0;
}

/* Names, kinds, permissions and contents of everything but the two streams and `except`. */
static inline uint64_t sum_folder(const char *except)
{
    char path[200] = "";
    if (except != NULL)
        snprintf(path, sizeof path, "./user/%s", except);
    folder_sum = 0;
    folder_except = except != NULL ? path : NULL;
    cr_assert(eq(int, chdir(folder), 0));
    cr_assert(eq(int, nftw(".", add_entry, 16, FTW_PHYS), 0));
    cr_assert(eq(int, chdir("user"), 0));
    return folder_sum;
}

/* ---- running one ---- */

struct outcome {
    bool in_time;
    int status;     /* as wait4 gives it */
    double seconds; /* of processor time */
    long kibibytes; /* resident at most, in any of its processes */
};

static inline void become_program(const struct bad_input *row)
{
    const char *argument[24] = {TEST_PROGRAM};
    for (size_t i = 0; i < sizeof row->run / sizeof row->run[0] && row->run[i] != NULL; i++)
        argument[i + 1] = row->run[i];
    const struct rlimit limit = {row->file_bytes, row->file_bytes};
    /* A program that runs away shall not take the machine with it. ASan reserves more. */
    const struct rlimit space = {(rlim_t)8 << 30, (rlim_t)8 << 30};
    const int out = open(row->output != NULL ? row->output : "../out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int err = open("../err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ||
        (!BAD_INPUT_SANITIZED && setrlimit(RLIMIT_AS, &space) != 0) ||
        (row->file_bytes > 0 && setrlimit(RLIMIT_FSIZE, &limit) != 0))
        _exit(99);
    const char *own[ARGUMENTS_MAX];
    execv(argument[0], (char *const *)with_waves(argument, own));
    _exit(98);
}

static inline struct outcome run_row(const struct bad_input *row)
{
    struct outcome outcome = {0};
    struct rusage used;
    struct timespec start, now;
    write_text("../out", "");
    const pid_t child = fork();
    cr_assert(test_at_least((double)((int)child), (double)(0)));
    if (child == 0)
        become_program(row);
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        const struct timespec pause = {.tv_nsec = 1000000};
        outcome.in_time = wait4(child, &outcome.status, WNOHANG, &used) == child;
        if (!outcome.in_time)
            nanosleep(&pause, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!outcome.in_time && (double)(now.tv_sec - start.tv_sec) < BAD_INPUT_WAIT_MAX);
    if (!outcome.in_time) {
        kill(child, SIGKILL);
        wait4(child, &outcome.status, 0, &used);
    }
    outcome.seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                      1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    outcome.kibibytes = used.ru_maxrss;
    return outcome;
}

/* The one line of `text` (cut into lines) that is an error's; NULL when there is none, more than one, or it
 * is not the last but for further mistakes of a project, each with its line in the file. */
static inline const char *find_sentence(char *text)
{
    const char *sentence = NULL;
    size_t count = 0;
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        static const char json[] = "{\"error\":"; /* of those that ask for it */
        const bool object = strncmp(line, json, sizeof json - 1) == 0;
        const bool error =
            object || (strncmp(line, "transept: ", 10) == 0 && strncmp(line, "transept: warning: ", 19) != 0);
        if (sentence != NULL && (strstr(line, ", line ") != NULL || strcmp(line, "and more") == 0))
            continue;
        sentence = object ? line : error ? line + 10 : NULL;
        count += error;
    }
    return count == 1 ? sentence : NULL;
}

static inline bool has_control_character(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            return true;
    return false;
}

/* Words of the languages and libraries underneath, which help nobody. */
static inline const char *find_jargon(const char *sentence)
{
    static const char *const jargon[] = {"std::", "bad_alloc", "SCAFFOLD", "assert", "exception", "(null)"};
    for (size_t i = 0; i < sizeof jargon / sizeof jargon[0]; i++)
        if (strstr(sentence, jargon[i]) != NULL)
            return jargon[i];
    return NULL;
}

/* What is wrong about the row, or an empty string. */
static inline const char *judge_row(const struct bad_input *row)
{
    static char wrong[4000];
    const char *missing = NULL;
    make_row_folder(row);
    const uint64_t before = sum_folder(row->leaves);
    const struct outcome outcome = run_row(row);
    const uint64_t after = sum_folder(row->leaves);
    char *errors = read_text("../err"), *copy = strdup(errors), *printed = read_text("../out");
    const char *sentence = find_sentence(copy);
    for (size_t i = 0; i < sizeof row->says / sizeof row->says[0] && row->says[i] != NULL; i++)
        if (sentence != NULL && missing == NULL && strstr(sentence, row->says[i]) == NULL)
            missing = row->says[i];

#define WRONG(...) (void)snprintf(wrong, sizeof wrong, __VA_ARGS__)
    wrong[0] = '\0';
    if (!outcome.in_time)
        WRONG("it still ran after %g s: %.1500s", BAD_INPUT_WAIT_MAX, errors);
    else if (!WIFEXITED(outcome.status))
        WRONG("it ended by signal %d: %.1500s", WTERMSIG(outcome.status), errors);
    else if (WEXITSTATUS(outcome.status) != row->status)
        WRONG("its status is %d, not %d: %.1500s", WEXITSTATUS(outcome.status), row->status, errors);
    else if (row->status != 0 && before != after)
        WRONG("it changed, left or removed a file");
    else if (row->leaves != NULL && !exists(row->leaves))
        WRONG("%s is missing", row->leaves);
    else if (outcome.seconds > BAD_INPUT_SECONDS_MAX)
        WRONG("it took %.1f s of processor time", outcome.seconds);
    else if (!BAD_INPUT_SANITIZED && outcome.kibibytes > BAD_INPUT_KIBIBYTES_MAX)
        WRONG("it took %ld KiB", outcome.kibibytes);
    else if (row->status != 0 && sentence == NULL)
        WRONG("it does not end in one sentence: %.1500s", errors);
    else if (missing != NULL)
        WRONG("\"%s\" is not in: %.1500s", missing, sentence);
    else if (sentence != NULL && has_control_character(sentence))
        WRONG("its sentence holds characters that a terminal obeys: %.1500s", sentence);
    else if (sentence != NULL && find_jargon(sentence) != NULL)
        WRONG("\"%s\" is in its sentence: %.1500s", find_jargon(sentence), sentence);
    else if (row->status != 0 && !row->may_print_answer && printed[0] != '\0')
        WRONG("it printed %.200s", printed);
#undef WRONG

    if (getenv("BAD_INPUT_SHOW") != NULL)
        fprintf(stderr, "%-50s %d %5.2f s %4ld MiB  %s\n", row->name, WEXITSTATUS(outcome.status),
                outcome.seconds, outcome.kibibytes / 1024, sentence != NULL ? sentence : errors);
    free(copy);
    remove_row_folder();
    return wrong;
}

/* Every row is run, and everything that is wrong about any is reported. */
static inline void judge_rows(const struct bad_input *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *wrong = judge_row(&row[i]);
        cr_expect(wrong[0] == '\0', "%s: %s", row[i].name, wrong);
    }
}
#define JUDGE(table) judge_rows(table, sizeof table / sizeof table[0])

#endif
