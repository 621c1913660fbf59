#include "src/studio/studio_events.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/studio/studio_jobs.h"

#define LINE  65536
#define PAUSE 100 /* milliseconds between two looks at the file */
#define QUIET 150 /* looks without news, after which a comment shows whether the browser still listens */

struct events {
    char folder[STUDIO_JOB_PATH];
    const atomic_bool *stops;
    int file; /* -1: not yet there */
    bool ends;
    unsigned quiet;
    size_t held; /* bytes of `line` that have no newline yet */
    size_t ready, sent;
    char line[LINE], text[LINE + 200];
};

static void put_event(struct events *events, const char *kind, const char *data, size_t length)
{
    /* A carriage return ends a line there too. */
    while (length > 0 && data[length - 1] == '\r')
        length--;
    const int size =
        snprintf(events->text, sizeof events->text, "event: %s\ndata: %.*s\n\n", kind, (int)length, data);
    events->ready = size > 0 ? (size_t)size : 0;
    events->sent = 0;
    events->quiet = 0;
}

static bool is_progress(const char *line, const char *end)
{
    static const char begins[] = "{\"phase\":";
    return (size_t)(end - line) >= sizeof begins - 1 && memcmp(line, begins, sizeof begins - 1) == 0;
}

/* The next line that is to be told. A run of ten hours has a hundred thousand of progress, and the last
 * counts. */
static char *skip_progress(const struct events *events, char *line, char **end)
{
    const char *const held = events->line + events->held;
    while ((*end = memchr(line, '\n', (size_t)(held - line))) != NULL) {
        char *const next = *end + 1, *const next_end = memchr(next, '\n', (size_t)(held - next));
        if (next_end == NULL || !is_progress(line, *end) || !is_progress(next, next_end))
            break;
        line = next;
    }
    return line;
}

/* The next whole line; false if there is none yet. */
static bool take_line(struct events *events)
{
    char path[STUDIO_JOB_PATH + 10];
    (void)snprintf(path, sizeof path, "%serr", events->folder);
    if (events->file < 0)
        events->file = open(path, O_RDONLY | O_CLOEXEC);
    for (;;) {
        char *end, *const line = skip_progress(events, events->line, &end);
        if (end != NULL || events->held == LINE) {
            const size_t length = end != NULL ? (size_t)(end - line) : LINE,
                         taken = (size_t)(line - events->line) + length + (end != NULL);
            put_event(events, "line", line, length);
            events->held -= taken;
            memmove(events->line, events->line + taken, events->held);
            return true;
        }
        const ssize_t got =
            events->file >= 0 ? read(events->file, events->line + events->held, LINE - events->held) : 0;
        if (got <= 0)
            return false;
        events->held += (size_t)got;
    }
}

static void put_end(struct events *events, const struct studio_job *job)
{
    char text[40] = "{\"status\":null}";
    if (job->state == STUDIO_ENDED)
        (void)snprintf(text, sizeof text, "{\"status\":%d}", job->status);
    put_event(events, "end", text, strlen(text));
    events->ends = true;
}

/* Wait for the next event. */
static void find_event(struct events *events)
{
    while (!atomic_load(events->stops)) {
        /* Its end before its lines: none comes after. */
        struct studio_job job = {0};
        studio_job_look(events->folder, &job);
        if (take_line(events))
            return;
        if (job.state == STUDIO_ENDED || job.state == STUDIO_LOST) {
            put_end(events, &job);
            return;
        }
        if (++events->quiet > QUIET) {
            (void)snprintf(events->text, sizeof events->text, ":\n\n");
            events->ready = 3;
            events->sent = events->quiet = 0;
            return;
        }
        const struct timespec pause = {.tv_nsec = PAUSE * 1000000L};
        (void)nanosleep(&pause, NULL);
    }
}

static ssize_t read_events(void *of, uint64_t position, char *out, size_t most)
{
    struct events *const events = of;
    (void)position;
    if (events->sent == events->ready) {
        events->ready = events->sent = 0;
        if (events->ends)
            return MHD_CONTENT_READER_END_OF_STREAM;
        find_event(events);
        if (events->ready == 0)
            return MHD_CONTENT_READER_END_OF_STREAM;
    }
    const size_t left = events->ready - events->sent, size = left < most ? left : most;
    memcpy(out, events->text + events->sent, size);
    events->sent += size;
    return (ssize_t)size;
}

static void free_events(void *of)
{
    struct events *const events = of;
    if (events->file >= 0)
        (void)close(events->file);
    free(events);
}

struct MHD_Response *studio_events_make(const char *folder, const atomic_bool *stops)
{
    struct events *const events = malloc(sizeof *events);
    if (events == NULL)
        return NULL;
    memset(events, 0, offsetof(struct events, line));
    (void)snprintf(events->folder, sizeof events->folder, "%s", folder);
    events->stops = stops;
    events->file = -1;
    struct MHD_Response *const response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, LINE, read_events, events, free_events);
    if (response == NULL)
        free(events);
    return response;
}
