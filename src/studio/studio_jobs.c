/* posix_spawn_file_actions_addchdir_np(), POSIX_SPAWN_SETSID */
#define _GNU_SOURCE
#include "src/studio/studio_jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/machine/user_folder.h"
#include "src/base/json_memory.h"
#include "src/base/print_json.h"
#include "src/base/table/json_values.h"
#include "src/run/checkpoint/checkpoint_folder.h"
#include "src/run_folder/output_folder.h"

#define SIMULATE     "simulate"
#define INTERRUPTED  130
#define RECORD_MOST  (1 << 20) /* bytes of command.json */
#define NUMBER_CHARS 40

extern char **environ;

static const char *const allowed[] = {"analyse", "auralise",  "check",  "compare", "export",  "film",
                                      "modes",   "materials", "memory", "new",     "plan",    "rays",
                                      "report",  "room",      SIMULATE, "play",    "binaural"};

static const char *const state_word[] = {"waits", "runs", "ended", "lost"};

const char *studio_job_path(const struct studio_jobs *jobs, int number, const char *file,
                            char text[STUDIO_JOB_PATH])
{
    (void)snprintf(text, STUDIO_JOB_PATH, "%s" STUDIO_COMMANDS "/%04d/%s", jobs->folder->path, number, file);
    return text;
}

/* ---- files of a job ---- */

/* Up to two numbers of a small file; how many there are. */
static int read_numbers(const char *path, long long out[2])
{
    char text[2 * NUMBER_CHARS] = "";
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return 0;
    const ssize_t got = read(file, text, sizeof text - 1);
    (void)close(file);
    return got > 0 ? sscanf(text, "%lld %lld", &out[0], &out[1]) : 0;
}

static int write_text(const char *path, const char *text, struct failure *failure)
{
    struct whole_file file = {0};
    TRY(whole_file_open(&file, path, failure));
    (void)fputs(text, file.stream);
    const int code = whole_file_commit(&file, failure);
    whole_file_abandon(&file);
    return code;
}

static int check_words(const struct studio_jobs *jobs, const cJSON *arguments, struct failure *failure)
{
    if (!cJSON_IsArray(arguments) || cJSON_GetArraySize(arguments) < 1 ||
        cJSON_GetArraySize(arguments) > STUDIO_ARGUMENTS_MOST)
        return failure_set(failure, FAILURE_INPUT, "a command is a list of 1 to %d words",
                           STUDIO_ARGUMENTS_MOST);
    const cJSON *word;
    cJSON_ArrayForEach(word, arguments)
    {
        if (!cJSON_IsString(word))
            return failure_set(failure, FAILURE_INPUT, "a command is a list of words");
        TRY(studio_folder_allow(jobs->folder, word->valuestring, failure));
    }
    const char *const command = cJSON_GetArrayItem(arguments, 0)->valuestring;
    for (size_t c = 0; c < sizeof allowed / sizeof *allowed; c++)
        if (strcmp(command, allowed[c]) == 0)
            return 0;
    return failure_set(failure, FAILURE_INPUT, "the studio does not run the command %s", command);
}

/* The command of a job. `*record` is the caller's, `*arguments` in it. */
static int read_arguments(const struct studio_jobs *jobs, int number, cJSON **record, const cJSON **arguments,
                          struct failure *failure)
{
    char path[STUDIO_JOB_PATH];
    TRY(json_file_read(studio_job_path(jobs, number, "command.json", path), RECORD_MOST, record, failure));
    *arguments = cJSON_GetObjectItem(*record, "arguments");
    return check_words(jobs, *arguments, failure);
}

static bool is_command(const cJSON *arguments, const char *name)
{
    const char *const command = cJSON_GetStringValue(cJSON_GetArrayItem(arguments, 0));
    return command != NULL && strcmp(command, name) == 0;
}

static bool steps_waves(const cJSON *arguments)
{
    return is_command(arguments, SIMULATE) || is_command(arguments, "film") || is_command(arguments, "play");
}

/* Path of the folder in which a `simulate` left a checkpoint; false if there is none. */
static bool find_unfinished(const struct studio_jobs *jobs, const struct studio_job *job,
                            const cJSON *arguments, char path[STUDIO_JOB_PATH])
{
    if (!is_command(arguments, SIMULATE) ||
        !(job->state == STUDIO_LOST || (job->state == STUDIO_ENDED && job->status != 0)))
        return false;
    const cJSON *word;
    cJSON_ArrayForEach(word, arguments)
    {
        const int length = snprintf(path, STUDIO_JOB_PATH, "%s/%s", jobs->folder->path,
                                    cJSON_IsString(word) ? word->valuestring : "");
        if (length < STUDIO_JOB_PATH && checkpoint_is_unfinished(path))
            return true;
    }
    return false;
}

/* ---- processes ---- */

/* When a process began [clock ticks since the machine did]; -1: it is not there, or a zombie. */
static long long began(int process)
{
    char path[NUMBER_CHARS], text[1000] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/stat", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    const ssize_t got = read(file, text, sizeof text - 1);
    (void)close(file);
    /* Field 2 is a name in parentheses, which may hold any character; 3 is the state, 22 the time. */
    const char *at = got > 0 ? strrchr(text, ')') : NULL;
    if (at == NULL || at[1] != ' ' || at[2] == 'Z')
        return -1;
    for (int field = 2; field < 22 && at != NULL; field++)
        at = strchr(at + 1, ' ');
    return at != NULL ? strtoll(at + 1, NULL, 10) : -1;
}

void studio_job_look(const char *folder, struct studio_job *job)
{
    char path[STUDIO_JOB_PATH + 10];
    long long number[2];
    (void)snprintf(path, sizeof path, "%sprocess", folder);
    const bool ran = read_numbers(path, number) == 2;
    /* One of ours leads a session, so that a file cannot have another process interrupted. */
    const int process = ran && number[0] > 1 && number[0] <= INT_MAX ? (int)number[0] : 0;
    const bool alive = process > 0 && began(process) == number[1] && getsid(process) == process;
    job->process = process;
    /* In this order: it may end meanwhile. */
    (void)snprintf(path, sizeof path, "%sstatus", folder);
    if (read_numbers(path, number) >= 1) {
        job->state = STUDIO_ENDED;
        job->status = (int)number[0];
    } else {
        job->state = !ran ? STUDIO_WAITS : alive ? STUDIO_RUNS : STUDIO_LOST;
    }
}

static void look(const struct studio_jobs *jobs, struct studio_job *job)
{
    char folder[STUDIO_JOB_PATH];
    studio_job_look(studio_job_path(jobs, job->number, "", folder), job);
}

/* One of an earlier server. */
static void find_job(const struct studio_jobs *jobs, struct studio_job *job)
{
    char path[STUDIO_JOB_PATH];
    cJSON *record = NULL;
    const cJSON *arguments;
    long long place[2];
    look(jobs, job);
    job->place = job->number;
    if (read_numbers(studio_job_path(jobs, job->number, "place", path), place) >= 1 && place[0] > 0 &&
        place[0] <= STUDIO_JOBS_MOST)
        job->place = (int)place[0];
    if (job->state == STUDIO_WAITS || job->state == STUDIO_RUNS)
        job->steps =
            read_arguments(jobs, job->number, &record, &arguments, NULL) == 0 && steps_waves(arguments);
    cJSON_Delete(record);
}

int studio_jobs_open(const struct studio_folder *folder, const char *program, struct studio_jobs *out,
                     struct failure *failure)
{
    *out = (struct studio_jobs){.folder = folder, .program = program};
    char path[STUDIO_JOB_PATH];
    struct stat of;
    if (strlen(folder->path) > STUDIO_JOB_PATH - 100)
        return failure_set(failure, FAILURE_INPUT, "%s is too long a path", folder->path);
    TRY(studio_folder_own(folder, &STUDIO_COMMANDS[1], failure));
    while (out->count < STUDIO_JOBS_MOST &&
           stat(studio_job_path(out, out->count + 1, "command.json", path), &of) == 0) {
        static const char *const file[] = {"command.json", "out",         "err",  "process",
                                           "status",       "status.part", "place"};
        for (size_t f = 0; f < sizeof file / sizeof *file; f++) {
            (void)studio_job_path(out, out->count + 1, file[f], path);
            TRY(studio_folder_own(folder, path + strlen(folder->path) + 1, failure));
        }
        struct studio_job *const job = &out->job[out->count++];
        job->number = out->count;
        find_job(out, job);
    }
    return 0;
}

const struct studio_job *studio_jobs_find(const struct studio_jobs *jobs, int number)
{
    return number >= 1 && number <= jobs->count ? &jobs->job[number - 1] : NULL;
}

/* ---- a new one ---- */

int studio_jobs_add(struct studio_jobs *jobs, const cJSON *arguments, int *number, struct failure *failure)
{
    TRY(check_words(jobs, arguments, failure));
    if (jobs->count == STUDIO_JOBS_MOST)
        return failure_set(failure, FAILURE_CAPACITY, "%s" STUDIO_COMMANDS " has %d commands; delete it",
                           jobs->folder->path, STUDIO_JOBS_MOST);
    char path[STUDIO_JOB_PATH];
    struct whole_file file = {0};
    cJSON *const record = cJSON_CreateObject();
    *number = jobs->count + 1;
    int code = user_folder_make(studio_job_path(jobs, *number, "", path), failure);
    JSON_PUT(record, {"arguments", cJSON_Duplicate(arguments, true)});
    if (code == 0 && (code = json_stage(record, studio_job_path(jobs, *number, "command.json", path), &file,
                                        failure)) == 0)
        code = whole_file_commit(&file, failure);
    if (code == 0)
        jobs->job[jobs->count++] =
            (struct studio_job){.number = *number, .place = *number, .steps = steps_waves(arguments)};
    whole_file_abandon(&file);
    cJSON_Delete(record);
    return code;
}

/* ---- starting ---- */

/* The shell waits for the program when Ctrl-C comes, then writes its status. It closes READY when it can. */
#define READY 3
static char script[] = "trap : INT TERM HUP; exec 3>&-; status=$1; shift; \"$@\"; code=$?; "
                       "echo $code >\"$status.part\" && mv \"$status.part\" \"$status\"";

/* Signals as a shell's children have them, in a session of its own. */
static int spawn(const struct studio_jobs *jobs, int number, char *const argument[], int ready,
                 pid_t *process)
{
    char out[STUDIO_JOB_PATH], err[STUDIO_JOB_PATH];
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        (void)posix_spawn_file_actions_destroy(&files);
        return error;
    }
    (void)studio_job_path(jobs, number, "out", out);
    (void)studio_job_path(jobs, number, "err", err);
    if ((error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)) == 0 &&
        (error = posix_spawn_file_actions_addopen(&files, 1, out, flags, 0666)) == 0 &&
        (error = posix_spawn_file_actions_addopen(&files, 2, err, flags, 0666)) == 0 &&
        (error = posix_spawn_file_actions_adddup2(&files, ready, READY)) == 0 &&
        (error = posix_spawn_file_actions_addchdir_np(&files, jobs->folder->path)) == 0 &&
        (error = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (error = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
        (error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                           POSIX_SPAWN_SETSIGDEF)) == 0)
        error = posix_spawn(process, "/bin/sh", &files, &attributes, argument, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

/* The same, until it can be interrupted. */
static int spawn_ready(const struct studio_jobs *jobs, int number, char *const argument[], pid_t *process)
{
    int ready[2];
    char byte;
    if (pipe2(ready, O_CLOEXEC) != 0)
        return errno;
    const int error = spawn(jobs, number, argument, ready[1], process);
    (void)close(ready[1]);
    while (error == 0 && read(ready[0], &byte, 1) < 0 && errno == EINTR)
        ;
    (void)close(ready[0]);
    return error;
}

static int start(struct studio_jobs *jobs, struct studio_job *job, struct failure *failure)
{
    char *argument[STUDIO_ARGUMENTS_MOST + 8] = {"sh", "-c", script, "sh"}, status[STUDIO_JOB_PATH],
                                           path[STUDIO_JOB_PATH], text[2 * NUMBER_CHARS],
                                           program[STUDIO_JOB_PATH];
    size_t count = 4;
    cJSON *record = NULL;
    const cJSON *arguments, *word;
    int code = read_arguments(jobs, job->number, &record, &arguments, failure);
    if (code == 0) {
        (void)studio_job_path(jobs, job->number, "status", status);
        (void)snprintf(program, sizeof program, "%s", jobs->program);
        argument[count++] = status;
        argument[count++] = program;
        cJSON_ArrayForEach(word, arguments)
        {
            argument[count++] = word->valuestring;
        }
        pid_t process;
        const int error = spawn_ready(jobs, job->number, argument, &process);
        if (error != 0) {
            code = failure_set(failure, FAILURE_CAPACITY, "no process for a command: %s", strerror(error));
        } else {
            (void)snprintf(text, sizeof text, "%d %lld\n", (int)process, began((int)process));
            code = write_text(studio_job_path(jobs, job->number, "process", path), text, failure);
            job->process = (int)process;
            job->state = STUDIO_RUNS;
        }
    }
    cJSON_Delete(record);
    return code;
}

static int end_job(struct studio_jobs *jobs, struct studio_job *job, int status, struct failure *failure)
{
    char path[STUDIO_JOB_PATH], text[NUMBER_CHARS];
    (void)snprintf(text, sizeof text, "%d\n", status);
    TRY(write_text(studio_job_path(jobs, job->number, "status", path), text, failure));
    job->state = STUDIO_ENDED;
    job->status = status;
    return 0;
}

static bool is_before(const struct studio_job *a, const struct studio_job *b)
{
    return a->place != b->place ? a->place < b->place : a->number < b->number;
}

/* The next to start; NULL: none. */
static struct studio_job *next_job(struct studio_jobs *jobs, int running, int stepping)
{
    struct studio_job *next = NULL;
    for (int j = 0; j < jobs->count && running < STUDIO_JOBS_AT_ONCE; j++) {
        struct studio_job *const job = &jobs->job[j];
        if (job->state == STUDIO_WAITS && !(job->steps && stepping > 0) &&
            (next == NULL || is_before(job, next)))
            next = job;
    }
    return next;
}

int studio_jobs_step(struct studio_jobs *jobs, struct failure *failure)
{
    int running = 0, stepping = 0;
    for (int j = 0; j < jobs->count; j++) {
        struct studio_job *const job = &jobs->job[j];
        if (job->state != STUDIO_RUNS)
            continue;
        (void)waitpid(job->process, NULL, WNOHANG);
        look(jobs, job);
        running += job->state == STUDIO_RUNS;
        stepping += job->state == STUDIO_RUNS && job->steps;
    }
    for (struct studio_job *job; (job = next_job(jobs, running, stepping)) != NULL;) {
        struct failure why = {0};
        const int code = start(jobs, job, &why);
        if (code != 0) {
            TRY(end_job(jobs, job, code, failure));
            return failure_forward(failure, &why);
        }
        running++;
        stepping += job->steps;
    }
    return 0;
}

static int put_place(struct studio_jobs *jobs, struct studio_job *job, int place, struct failure *failure)
{
    char path[STUDIO_JOB_PATH], text[NUMBER_CHARS];
    (void)snprintf(text, sizeof text, "%d\n", place);
    TRY(write_text(studio_job_path(jobs, job->number, "place", path), text, failure));
    job->place = place;
    return 0;
}

int studio_jobs_earlier(struct studio_jobs *jobs, int number, struct failure *failure)
{
    struct studio_job *const job = number >= 1 && number <= jobs->count ? &jobs->job[number - 1] : NULL,
                             *before = NULL;
    if (job == NULL || job->state != STUDIO_WAITS)
        return failure_set(failure, FAILURE_INPUT, "command %d does not wait", number);
    for (int j = 0; j < jobs->count; j++) {
        struct studio_job *const other = &jobs->job[j];
        if (other->state == STUDIO_WAITS && other->steps == job->steps && is_before(other, job) &&
            (before == NULL || is_before(before, other)))
            before = other;
    }
    if (before == NULL)
        return 0;
    const int place = job->place;
    TRY(put_place(jobs, job, before->place, failure));
    return put_place(jobs, before, place, failure);
}

/* What it left to be resumed from. */
static int remove_checkpoint(const struct studio_jobs *jobs, const struct studio_job *job,
                             struct failure *failure)
{
    char path[STUDIO_JOB_PATH];
    cJSON *record = NULL;
    const cJSON *arguments;
    struct output_folder held = {0};
    int code = read_arguments(jobs, job->number, &record, &arguments, failure);
    if (code == 0 && !find_unfinished(jobs, job, arguments, path))
        code = failure_set(failure, FAILURE_INPUT, "command %d does not run", job->number);
    if (code == 0 && (code = output_folder_make(&held, path, true, failure)) == 0) {
        checkpoint_remove(path, true);
        output_folder_undo(&held);
        (void)rmdir(path); /* if nothing else is in it */
    }
    cJSON_Delete(record);
    return code;
}

int studio_jobs_cancel(struct studio_jobs *jobs, int number, struct failure *failure)
{
    struct studio_job *const job = studio_jobs_find(jobs, number) != NULL ? &jobs->job[number - 1] : NULL;
    if (job == NULL)
        return failure_set(failure, FAILURE_INPUT, "command %d does not run", number);
    look(jobs, job);
    if (job->state == STUDIO_ENDED || job->state == STUDIO_LOST)
        return remove_checkpoint(jobs, job, failure);
    if (job->state == STUDIO_WAITS)
        return end_job(jobs, job, INTERRUPTED, failure);
    if (kill(-job->process, SIGINT) != 0)
        return failure_set(failure, FAILURE_INPUT, "command %d cannot be interrupted: %s", number,
                           strerror(errno));
    return 0;
}

cJSON *studio_jobs_json(struct studio_jobs *jobs)
{
    cJSON *const list = cJSON_CreateArray();
    for (int j = 0; j < jobs->count; j++) {
        struct studio_job *const job = &jobs->job[j];
        if (job->state == STUDIO_RUNS)
            look(jobs, job);
        char path[STUDIO_JOB_PATH];
        cJSON *const object = json_append_object(list), *record = NULL;
        JSON_PUT(object, {"number", OF_NUMBER(job->number)}, {"state", OF_TEXT(state_word[job->state])});
        if (job->state == STUDIO_ENDED)
            JSON_PUT(object, {"status", OF_NUMBER(job->status)});
        if (job->state == STUDIO_WAITS)
            JSON_PUT(object, {"place", OF_NUMBER(job->place)});
        if (json_file_read(studio_job_path(jobs, job->number, "command.json", path), RECORD_MOST, &record,
                           NULL) == 0) {
            cJSON *const arguments = cJSON_DetachItemFromObject(record, "arguments");
            JSON_PUT(object, {"resumable", OF_TRUTH(find_unfinished(jobs, job, arguments, path))},
                     {"arguments", arguments});
        }
        cJSON_Delete(record);
    }
    return list;
}
