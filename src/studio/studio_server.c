#include "src/studio/studio_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/table/json_values.h"
#include "src/studio/studio_events.h"
#include "src/studio/studio_folder.h"
#include "src/studio/studio_jobs.h"

#define STACK   (256 * 1024) /* bytes of a thread */
#define IDLE    120          /* seconds after which a silent connection ends */
#define ADDRESS 100

struct studio_server {
    struct studio_task task;
    struct MHD_Daemon *daemon;
    char token[STUDIO_TOKEN + 1], address[ADDRESS];
    struct studio_folder folder;
    int held;              /* FOLDER/.studio, locked; -1: the folder cannot be written */
    pthread_mutex_t mutex; /* of jobs, and of files being put in place */
    struct studio_jobs jobs;
    atomic_bool stops;
};

/* One request while its body arrives; libmicrohttpd keeps it between calls. */
struct exchange {
    const char *path; /* after the token */
    bool refused;
    struct studio_write write;
    uint64_t size;
    char *body;
    struct failure failure;
};

/* ---- answers ---- */

#define POLICY                                                                                               \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "                  \
    "media-src 'self' blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "    \
    "frame-ancestors 'self'"
/* A page of the folder runs its own script, but in an origin of its own. */
#define POLICY_OF_FILES "sandbox allow-scripts allow-popups"

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type,
                              const char *policy, struct MHD_Response *response)
{
    static const char *const header[][2] = {{"X-Content-Type-Options", "nosniff"},
                                            {"Referrer-Policy", "no-referrer"},
                                            {"Cross-Origin-Resource-Policy", "same-origin"},
                                            {"Cache-Control", "no-store"}};
    if (response == NULL)
        return MHD_NO;
    enum MHD_Result done = MHD_add_response_header(response, "Content-Type", type);
    if (done == MHD_YES)
        done = MHD_add_response_header(response, "Content-Security-Policy", policy);
    for (size_t h = 0; h < sizeof header / sizeof *header && done == MHD_YES; h++)
        done = MHD_add_response_header(response, header[h][0], header[h][1]);
    if (done == MHD_YES)
        done = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return done;
}

static enum MHD_Result answer_json(struct MHD_Connection *connection, unsigned status, cJSON *object)
{
    char *const text = object != NULL ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    return text == NULL ? MHD_NO
                        : answer(connection, status, "application/json", POLICY,
                                 MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

static enum MHD_Result answer_failure(struct MHD_Connection *connection, unsigned status,
                                      const struct failure *failure)
{
    cJSON *const object = cJSON_CreateObject();
    JSON_PUT(object, {"code", OF_NUMBER(failure->code)}, {"sentence", OF_TEXT(failure->sentence)},
             {"fix", OF_TEXT(failure->fix[0] != '\0' ? failure->fix : NULL)});
    return answer_json(connection, status, object);
}

static unsigned status_of(int code)
{
    return code == FAILURE_ANSWER_NO ? MHD_HTTP_PRECONDITION_FAILED
           : code == FAILURE_INPUT   ? MHD_HTTP_BAD_REQUEST
                                     : MHD_HTTP_INTERNAL_SERVER_ERROR;
}

static enum MHD_Result answer_code(struct MHD_Connection *connection, int code, const struct failure *failure)
{
    return answer_failure(connection, status_of(code), failure);
}

static enum MHD_Result answer_words(struct MHD_Connection *connection, unsigned status, const char *sentence)
{
    struct failure failure = {0};
    (void)failure_set(&failure, FAILURE_INPUT, "%s", sentence);
    return answer_failure(connection, status, &failure);
}

/* ---- files ---- */

static const char *type_of(const char *path)
{
    static const char *const type[][2] = {{".html", "text/html; charset=utf-8"},
                                          {".json", "application/json"},
                                          {".svg", "image/svg+xml"},
                                          {".png", "image/png"},
                                          {".wav", "audio/wav"},
                                          {".csv", "text/csv; charset=utf-8"},
                                          {".glb", "model/gltf-binary"}};
    const size_t length = strlen(path);
    for (size_t t = 0; t < sizeof type / sizeof *type; t++) {
        const size_t ending = strlen(type[t][0]);
        if (length > ending && strcmp(path + length - ending, type[t][0]) == 0)
            return type[t][1];
    }
    return "application/octet-stream";
}

/* "bytes=A-B" or "bytes=A-" within `size`; false: the whole. */
static bool read_range(const char *range, uint64_t size, uint64_t *from, uint64_t *count)
{
    unsigned long long first, last;
    char rest;
    if (range == NULL || size == 0)
        return false;
    const int given = sscanf(range, "bytes=%llu-%llu%c", &first, &last, &rest);
    if (given != 1 && given != 2)
        return false;
    if (given == 1 || last >= size)
        last = size - 1;
    if (first > last)
        return false;
    *from = first;
    *count = last - first + 1;
    return true;
}

static enum MHD_Result answer_file(struct MHD_Connection *connection, int file, uint64_t size,
                                   const char *path, const char *hash)
{
    uint64_t from = 0, count = size;
    const bool part =
        read_range(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Range"), size, &from, &count);
    struct MHD_Response *const response = MHD_create_response_from_fd_at_offset64(count, file, from);
    if (response == NULL) {
        (void)close(file);
        return MHD_NO;
    }
    char range[ADDRESS];
    (void)snprintf(range, sizeof range, "bytes %llu-%llu/%llu", (unsigned long long)from,
                   (unsigned long long)(from + count - 1), (unsigned long long)size);
    (void)MHD_add_response_header(response, "Accept-Ranges", "bytes");
    if (hash != NULL)
        (void)MHD_add_response_header(response, "ETag", hash);
    if (part)
        (void)MHD_add_response_header(response, "Content-Range", range);
    return answer(connection, part ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK, type_of(path), POLICY_OF_FILES,
                  response);
}

static enum MHD_Result get_file(struct studio_server *server, struct MHD_Connection *connection,
                                const char *path)
{
    struct failure failure = {0};
    char hash[STUDIO_HASH + 1];
    int file;
    uint64_t size;
    if (studio_folder_hash(&server->folder, path, hash, &failure) != 0 ||
        studio_folder_read(&server->folder, path, &file, &size, &failure) != 0)
        return answer_failure(connection, MHD_HTTP_NOT_FOUND, &failure);
    return answer_file(connection, file, size, path, hash);
}

static enum MHD_Result get_list(struct studio_server *server, struct MHD_Connection *connection,
                                const char *path)
{
    struct failure failure = {0};
    cJSON *list = NULL;
    const int code = studio_folder_list(&server->folder, path, &list, &failure);
    if (code == 0)
        return answer_json(connection, MHD_HTTP_OK, list);
    cJSON_Delete(list);
    return answer_failure(connection, code == FAILURE_INPUT ? MHD_HTTP_NOT_FOUND : status_of(code), &failure);
}

static enum MHD_Result end_upload(struct studio_server *server, struct MHD_Connection *connection,
                                  struct exchange *exchange, const char *path)
{
    struct failure failure = {0};
    char hash[STUDIO_HASH + 1];
    const char *const before = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-Match");
    (void)pthread_mutex_lock(&server->mutex);
    int code = studio_write_commit(&server->folder, path, before, &exchange->write, &failure);
    (void)pthread_mutex_unlock(&server->mutex);
    if (code == 0)
        code = studio_folder_hash(&server->folder, path, hash, &failure);
    if (code != 0)
        return answer_code(connection, code, &failure);
    cJSON *const object = cJSON_CreateObject();
    JSON_PUT(object, {"hash", OF_TEXT(hash)});
    return answer_json(connection, MHD_HTTP_OK, object);
}

/* ---- jobs ---- */

static enum MHD_Result list_jobs(struct studio_server *server, struct MHD_Connection *connection)
{
    (void)pthread_mutex_lock(&server->mutex);
    cJSON *const list = studio_jobs_json(&server->jobs);
    (void)pthread_mutex_unlock(&server->mutex);
    return answer_json(connection, MHD_HTTP_OK, list);
}

static enum MHD_Result add_job(struct studio_server *server, struct MHD_Connection *connection,
                               const struct exchange *exchange)
{
    struct failure failure = {0};
    cJSON *const arguments =
        exchange->body != NULL ? cJSON_ParseWithLength(exchange->body, exchange->size) : NULL;
    int number = 0;
    (void)pthread_mutex_lock(&server->mutex);
    const int code = studio_jobs_add(&server->jobs, arguments, &number, &failure);
    (void)pthread_mutex_unlock(&server->mutex);
    cJSON_Delete(arguments);
    if (code != 0)
        return answer_code(connection, code, &failure);
    cJSON *const object = cJSON_CreateObject();
    JSON_PUT(object, {"number", OF_NUMBER(number)});
    return answer_json(connection, MHD_HTTP_OK, object);
}

typedef int change_job(struct studio_jobs *jobs, int number, struct failure *failure);

static enum MHD_Result change(struct studio_server *server, struct MHD_Connection *connection, int number,
                              change_job *of)
{
    struct failure failure = {0};
    (void)pthread_mutex_lock(&server->mutex);
    const int code = of(&server->jobs, number, &failure);
    (void)pthread_mutex_unlock(&server->mutex);
    return code == 0 ? answer_json(connection, MHD_HTTP_OK, cJSON_CreateObject())
                     : answer_code(connection, code, &failure);
}

static enum MHD_Result get_job(struct studio_server *server, struct MHD_Connection *connection, int number,
                               const char *part)
{
    char path[STUDIO_JOB_PATH];
    (void)pthread_mutex_lock(&server->mutex);
    const bool known = studio_jobs_find(&server->jobs, number) != NULL;
    (void)pthread_mutex_unlock(&server->mutex);
    if (!known)
        return answer_words(connection, MHD_HTTP_NOT_FOUND, "there is no command of that number");
    if (strcmp(part, "events") == 0) {
        (void)studio_job_path(&server->jobs, number, "", path);
        return answer(connection, MHD_HTTP_OK, "text/event-stream", POLICY,
                      studio_events_make(path, &server->stops));
    }
    if (strcmp(part, "out") != 0)
        return answer_words(connection, MHD_HTTP_NOT_FOUND, "a command has `out` and `events`");
    const int file = open(studio_job_path(&server->jobs, number, "out", path), O_RDONLY | O_CLOEXEC);
    struct stat of;
    if (file < 0 || fstat(file, &of) != 0) {
        if (file >= 0)
            (void)close(file);
        return answer_words(connection, MHD_HTTP_NOT_FOUND, "the command has not begun");
    }
    return answer_file(connection, file, (uint64_t)of.st_size, "out.json", NULL);
}

/* "N" or "N/REST"; 0 if it is neither. */
static int read_number(const char *path, const char **rest)
{
    char *end;
    const long number = strtol(path, &end, 10);
    *rest = *end == '/' ? end + 1 : end;
    return end != path && (*end == '/' || *end == '\0') && number > 0 && number <= STUDIO_JOBS_MOST
               ? (int)number
               : 0;
}

/* ---- requests ---- */

static bool is_method(const char *method, const char *name)
{
    return strcmp(method, name) == 0;
}

static const char *after(const char *path, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(path, prefix, length) == 0 ? path + length : NULL;
}

static enum MHD_Result get_part(const struct studio_server *server, struct MHD_Connection *connection,
                                const char *name)
{
    for (size_t p = 0; p < server->task.parts; p++) {
        const struct studio_part *const part = &server->task.part[p];
        if (strcmp(name, part->name) == 0)
            return answer(connection, MHD_HTTP_OK, part->type, POLICY,
                          MHD_create_response_from_buffer(part->size, (void *)(uintptr_t)part->text,
                                                          MHD_RESPMEM_PERSISTENT));
    }
    return answer_words(connection, MHD_HTTP_NOT_FOUND, "the page has no such part");
}

static enum MHD_Result handle(struct studio_server *server, struct MHD_Connection *connection,
                              const char *method, struct exchange *exchange)
{
    const char *const path = exchange->path, *rest = "";
    const char *const file = after(path, "files/"), *const list = after(path, "list/"),
                      *const job = after(path, "jobs/");
    const int number = job != NULL ? read_number(job, &rest) : 0;
    if (is_method(method, "PUT") && file != NULL)
        return end_upload(server, connection, exchange, file);
    if (is_method(method, "POST") && strcmp(path, "jobs") == 0)
        return add_job(server, connection, exchange);
    if (is_method(method, "DELETE") && number > 0 && rest[0] == '\0')
        return change(server, connection, number, studio_jobs_cancel);
    if (is_method(method, "POST") && number > 0 && strcmp(rest, "earlier") == 0)
        return change(server, connection, number, studio_jobs_earlier);
    if (!is_method(method, "GET"))
        return answer_words(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "the studio does not do that");
    return file != NULL                ? get_file(server, connection, file)
           : list != NULL              ? get_list(server, connection, list)
           : strcmp(path, "jobs") == 0 ? list_jobs(server, connection)
           : number > 0                ? get_job(server, connection, number, rest)
                                       : get_part(server, connection, path);
}

/* Whether a request may be made at all. */
static int admit(const struct studio_server *server, struct MHD_Connection *connection, const char *url,
                 struct exchange *exchange)
{
    const char *const host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
                      *const origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    if (studio_host_is_local(host) && studio_origin_is_own(origin, host) &&
        studio_path_has_token(url, server->token, &exchange->path))
        return 0;
    return failure_set(&exchange->failure, FAILURE_INPUT,
                       "this is a studio of transept; open it by the whole address that it printed");
}

/* A part of the body of a request. What is too large or cannot be written is read to its end and refused. */
static void take_body(struct exchange *exchange, const char *data, size_t size)
{
    const bool upload = exchange->write.file.stream != NULL;
    const uint64_t most = upload ? STUDIO_UPLOAD_MOST : STUDIO_BODY_MOST;
    if (exchange->failure.code != 0)
        return;
    if (size > most - exchange->size) {
        (void)failure_set(&exchange->failure, FAILURE_CAPACITY, "more than %llu bytes are not taken",
                          (unsigned long long)most);
        return;
    }
    if (upload) {
        if (fwrite(data, 1, size, exchange->write.file.stream) != size)
            (void)failure_set(&exchange->failure, FAILURE_OUTPUT, "the file cannot be written: %s",
                              strerror(errno));
    } else {
        char *const longer = realloc(exchange->body, exchange->size + size);
        if (longer == NULL) {
            (void)failure_memory(&exchange->failure, exchange->size + size, "a request");
            return;
        }
        exchange->body = longer;
        memcpy(longer + exchange->size, data, size);
    }
    exchange->size += size;
}

static enum MHD_Result request(void *of, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *data, size_t *size,
                               void **kept)
{
    struct studio_server *const server = of;
    struct exchange *exchange = *kept;
    (void)version;
    if (exchange == NULL) {
        exchange = calloc(1, sizeof *exchange);
        if (exchange == NULL)
            return MHD_NO;
        *kept = exchange;
        exchange->refused = admit(server, connection, url, exchange) != 0;
        if (!exchange->refused && is_method(method, "PUT") && after(exchange->path, "files/") != NULL)
            (void)studio_write_begin(&server->folder, after(exchange->path, "files/"), &exchange->write,
                                     &exchange->failure);
        return MHD_YES;
    }
    if (*size > 0) {
        take_body(exchange, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (exchange->refused)
        return answer_failure(connection, MHD_HTTP_FORBIDDEN, &exchange->failure);
    if (exchange->failure.code == FAILURE_CAPACITY)
        return answer_failure(connection, MHD_HTTP_CONTENT_TOO_LARGE, &exchange->failure);
    if (exchange->failure.code != 0)
        return answer_code(connection, exchange->failure.code, &exchange->failure);
    return handle(server, connection, method, exchange);
}

static void end_request(void *of, struct MHD_Connection *connection, void **kept,
                        enum MHD_RequestTerminationCode why)
{
    struct exchange *const exchange = *kept;
    (void)of;
    (void)connection;
    (void)why;
    if (exchange != NULL) {
        studio_write_abandon(&exchange->write);
        free(exchange->body);
        free(exchange);
    }
    *kept = NULL;
}

/* ---- start and stop ---- */

static int listen_at(struct studio_server *server, struct failure *failure)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(server->task.port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, server->task.port,
        NULL, NULL, &request, server, MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)&address,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)STUDIO_CONNECTIONS_MOST, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE, MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK, MHD_OPTION_NOTIFY_COMPLETED,
        &end_request, NULL, MHD_OPTION_END);
    if (server->daemon == NULL)
        return failure_set(failure, FAILURE_CAPACITY, "no server at port %u of 127.0.0.1: %s",
                           (unsigned)server->task.port, strerror(errno));
    const union MHD_DaemonInfo *const info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    (void)snprintf(server->address, sizeof server->address, "http://127.0.0.1:%u/%s/",
                   info != NULL ? (unsigned)info->port : (unsigned)server->task.port, server->token);
    return 0;
}

/* Two would start the same commands. A server that was killed holds nothing. */
static int hold_folder(struct studio_server *server, struct failure *failure)
{
    static const char own[] = ".studio";
    TRY(studio_folder_own(&server->folder, own, failure));
    (void)mkdirat(server->folder.descriptor, own, 0777);
    server->held = openat(server->folder.descriptor, own, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (server->held < 0 || flock(server->held, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return 0;
    return failure_fix(
        failure_set(failure, FAILURE_INPUT, "%s is open in another studio", server->task.folder), failure,
        "open the address that it printed, or end it with Ctrl-C");
}

int studio_server_start(const struct studio_task *task, struct studio_server **out, struct failure *failure)
{
    struct studio_server *const server = calloc(1, sizeof *server);
    *out = server;
    if (server == NULL)
        return failure_memory(failure, sizeof *server, "a server");
    server->task = *task;
    server->folder.descriptor = server->held = -1;
    const int error = pthread_mutex_init(&server->mutex, NULL);
    int code = error == 0 ? 0 : failure_set(failure, FAILURE_CAPACITY, "no mutex: %s", strerror(error));
    if (code == 0)
        code = studio_folder_open(task->folder, &server->folder, failure);
    if (code == 0)
        code = hold_folder(server, failure);
    if (code == 0)
        code = studio_jobs_open(&server->folder, task->program, &server->jobs, failure);
    if (code == 0)
        code = studio_token_make(server->token, failure);
    if (code == 0)
        code = listen_at(server, failure);
    if (code != 0) {
        studio_server_stop(server);
        *out = NULL;
    }
    return code;
}

const char *studio_server_address(const struct studio_server *server)
{
    return server->address;
}

int studio_server_step(struct studio_server *server, struct failure *failure)
{
    (void)pthread_mutex_lock(&server->mutex);
    const int code = studio_jobs_step(&server->jobs, failure);
    (void)pthread_mutex_unlock(&server->mutex);
    return code;
}

void studio_server_count(struct studio_server *server, int *running, int *waiting)
{
    *running = *waiting = 0;
    (void)pthread_mutex_lock(&server->mutex);
    for (int j = 0; j < server->jobs.count; j++) {
        *running += server->jobs.job[j].state == STUDIO_RUNS;
        *waiting += server->jobs.job[j].state == STUDIO_WAITS;
    }
    (void)pthread_mutex_unlock(&server->mutex);
}

void studio_server_stop(struct studio_server *server)
{
    if (server == NULL)
        return;
    atomic_store(&server->stops, true);
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    if (server->held >= 0)
        (void)close(server->held);
    studio_folder_close(&server->folder);
    (void)pthread_mutex_destroy(&server->mutex);
    free(server);
}
