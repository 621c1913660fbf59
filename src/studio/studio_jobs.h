/** Commands of the program that the studio runs for its user, as processes that outlive the server.
 *
 *   FOLDER/.studio/jobs/NNNN/command.json   {"arguments": [..]}, without the program
 *                           out, err        what it prints
 *                           process         its process and when that began (/proc/PID/stat); absent: waits
 *                           status          its exit status; absent: runs, or it was killed with its shell
 *                           place           of one that waits, if its order was changed
 *
 * So a server that starts anew finds them. A job runs in the opened folder, in a session of its own, under
 * /bin/sh, which writes `status`. Of those that step waves and take the whole machine for it (`simulate`,
 * `film`, `play`) one runs at a time, so that others are answered meanwhile. One thread at a time may call.
 */
#ifndef SRC_STUDIO_JOBS_H
#define SRC_STUDIO_JOBS_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "geometry/base/failure.h"
#include "src/studio/studio_folder.h"

#define STUDIO_JOBS_MOST      9999
#define STUDIO_JOBS_AT_ONCE   2 /* others wait */
#define STUDIO_ARGUMENTS_MOST 200
#define STUDIO_COMMANDS       "/.studio/jobs"

enum studio_job_state { STUDIO_WAITS, STUDIO_RUNS, STUDIO_ENDED, STUDIO_LOST };

struct studio_job {
    int number; /* from 1 */
    int place;  /* those that wait start in this order; else in that of their numbers */
    bool steps; /* waves */
    enum studio_job_state state;
    int status; /* STUDIO_ENDED */
    int process;
};

struct studio_jobs {
    const struct studio_folder *folder; /* borrowed */
    const char *program;                /* path of transept; borrowed */
    struct studio_job job[STUDIO_JOBS_MOST];
    int count;
};

/** Find the jobs of earlier servers. Makes no folder. FAILURE_INPUT where their files are symbolic links, as
 * in a folder that was made to deceive. `out`: 240 kB, the caller's; nothing to free. */
int studio_jobs_open(const struct studio_folder *folder, const char *program, struct studio_jobs *out,
                     struct failure *failure);

/** Add a job; studio_jobs_step() starts it. The first word must be a command that the studio has, every word
 * one that studio_folder_allow() allows. FAILURE_CAPACITY after STUDIO_JOBS_MOST of them. */
int studio_jobs_add(struct studio_jobs *jobs, const cJSON *arguments, int *number, struct failure *failure);

/** See which have ended, and start the next. Call it several times a second. */
int studio_jobs_step(struct studio_jobs *jobs, struct failure *failure);

/** Interrupt one as Ctrl-C does: `simulate` then leaves a checkpoint. Take one that waits out of the queue.
 * Remove the checkpoint that an ended one left. FAILURE_INPUT if there is none such. */
int studio_jobs_cancel(struct studio_jobs *jobs, int number, struct failure *failure);

/** Let one that waits change places with the one before it that waits for the same. FAILURE_INPUT if it does
 * not wait. */
int studio_jobs_earlier(struct studio_jobs *jobs, int number, struct failure *failure);

/** State, status and process of the job whose files are in `folder`, which ends in a slash. */
void studio_job_look(const char *folder, struct studio_job *job);

/** NULL if there is none of that number. */
const struct studio_job *studio_jobs_find(const struct studio_jobs *jobs, int number);

/** {number, state, status, place, resumable, arguments} of each as it is now; resumable: it left a
 * checkpoint. The caller's. */
cJSON *studio_jobs_json(struct studio_jobs *jobs);

/** Path of a job's file in the opened folder's own path, for open(). */
#define STUDIO_JOB_PATH 4200
const char *studio_job_path(const struct studio_jobs *jobs, int number, const char *file,
                            char text[STUDIO_JOB_PATH]);

#endif
