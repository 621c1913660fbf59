/** The studio's server: HTTP/1.1 on 127.0.0.1 alone, by libmicrohttpd. All paths begin with /TOKEN/
 * (studio_gate.h).
 *
 *   GET    /TOKEN/NAME              a part of the page ("" is its first); studio_page.h
 *   GET    files/PATH               a file of the folder; ETag is its hash; Range: bytes=A-B
 *   PUT    files/PATH               replace it, streamed; If-Match: the hash that it replaces, else it is new
 *   GET    list/PATH                studio_folder_list()
 *   GET    jobs                     studio_jobs_json()
 *   POST   jobs                     a list of words: a command; answers {number}
 *   DELETE jobs/N                   studio_jobs_cancel()
 *   POST   jobs/N/earlier           studio_jobs_earlier()
 *   GET    jobs/N/out               what it has printed
 *   GET    jobs/N/events            server-sent events: `line` of standard error; `end` with its status
 *
 * A failure is {code, sentence, fix}: 400 for FAILURE_INPUT, 404 for what is not there, 403 for one who may
 * not, 412 for a file that was changed elsewhere, 413 for too much, 500 for the rest. Every answer forbids
 * sites, scripts and frames of others (Content-Security-Policy); files of the folder get no rights of the
 * page (sandbox).
 */
#ifndef SRC_STUDIO_SERVER_H
#define SRC_STUDIO_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "src/studio/studio_gate.h"

#define STUDIO_UPLOAD_MOST      (UINT64_C(200) << 20) /* bytes of a file */
#define STUDIO_BODY_MOST        (1 << 20)             /* bytes of a command */
#define STUDIO_CONNECTIONS_MOST 64

/** A part of the page, constant. */
struct studio_part {
    const char *name, *type; /* of the path, and MIME */
    const char *text;
    size_t size;
};

struct studio_task {
    const char *folder;  /* absolute path */
    const char *program; /* path of transept */
    uint16_t port;       /* 0: any that is free */
    const struct studio_part *part;
    size_t parts;
};

struct studio_server;

/** Start answering, in threads of its own. FAILURE_CAPACITY for a port that is taken, FAILURE_INPUT for a
 * folder that cannot be opened, or is open in another server. `*out`: studio_server_stop(). */
int studio_server_start(const struct studio_task *task, struct studio_server **out, struct failure *failure);

/** http://127.0.0.1:PORT/TOKEN/ */
const char *studio_server_address(const struct studio_server *server);

/** Start jobs that wait and see which have ended; call it several times a second. A job that cannot start is
 * ended with its failure, which is returned. */
int studio_server_step(struct studio_server *server, struct failure *failure);

/** Jobs that run and that wait. */
void studio_server_count(struct studio_server *server, int *running, int *waiting);

/** End all answers. Jobs go on. NULL is nothing. */
void studio_server_stop(struct studio_server *server);

#endif
