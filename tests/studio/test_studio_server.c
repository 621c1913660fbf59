/* The studio's server as a browser, and as an attacker, sees it. */
#define _XOPEN_SOURCE 700
#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "src/base/byte_hash.h"
#include "src/studio/studio_jobs.h"
#include "src/studio/studio_server.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"

TestSuite(studio_server, .init = enter_folder, .fini = leave_folder);

#define PAGE "<!doctype html>"

/* A server over the test's own folder. */
static struct studio_server *server;
static char root[200]; /* /TOKEN/ */
static unsigned port;

static void serve(void)
{
    static const struct studio_part part[] = {{"", "text/html", PAGE, sizeof PAGE - 1}};
    const struct studio_task task = {
        .folder = test_keep(realpath(".", NULL)), .program = TEST_PROGRAM, .part = part, .parts = 1};
    MUST(studio_server_start(&task, &server, &failure));
    cr_assert(sscanf(studio_server_address(server), "http://127.0.0.1:%u%199s", &port, root) == 2);
}

static void step(void)
{
    MUST(studio_server_step(server, &failure));
}

/* What is answered to raw bytes, until the server closes or 20 s without news. */
static char *exchange(const char *request, size_t size)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int to = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(connect(to, (const struct sockaddr *)&address, sizeof address) == 0);
    for (size_t sent = 0; sent < size;) {
        const ssize_t now = send(to, request + sent, size - sent, MSG_NOSIGNAL);
        if (now <= 0)
            break;
        sent += (size_t)now;
    }
    size_t held = 0, room = 1 << 20;
    char *const out = test_keep(calloc(room + 1, 1));
    for (struct pollfd one = {.fd = to, .events = POLLIN}; held < room && poll(&one, 1, 20000) == 1;) {
        const ssize_t got = recv(to, out + held, room - held, 0);
        if (got <= 0)
            break;
        held += (size_t)got;
        step();
    }
    (void)close(to);
    return out;
}

/* With the lines of `headers`, each ended by \r\n. */
static char *ask_with(const char *method, const char *path, const char *headers, const char *body)
{
    const size_t length = strlen(body);
    char *const text = test_keep(malloc(length + 2000));
    const int head =
        snprintf(text, 2000,
                 "%s %s%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n%sContent-Length: "
                 "%zu\r\n\r\n",
                 method, root, path, port, headers, length);
    memcpy(text + head, body, length);
    return exchange(text, (size_t)head + length);
}

static char *ask(const char *method, const char *path)
{
    return ask_with(method, path, "", "");
}

static int status_in(const char *answer)
{
    int status = 0;
    cr_assert(sscanf(answer, "HTTP/1.1 %d", &status) == 1, "%s", answer);
    return status;
}

static const char *body_in(const char *answer)
{
    const char *const end = strstr(answer, "\r\n\r\n");
    cr_assert(end != NULL);
    return end + 4;
}

static void expect_refused(const char *answer, int status, const char *words)
{
    cr_assert(eq(int, status_in(answer), status), "%s", answer);
    cr_assert(strstr(body_in(answer), words) != NULL, "%s", answer);
}

/* Of a text, as an ETag. */
static const char *hash_of(const char *text)
{
    char *const out = test_keep(malloc(STUDIO_HASH + 1));
    (void)snprintf(out, STUDIO_HASH + 1, "%016llx",
                   (unsigned long long)hash_bytes(HASH_START, text, strlen(text)));
    return out;
}

static const char *if_match(const char *hash)
{
    char *const out = test_keep(malloc(100));
    (void)snprintf(out, 100, "If-Match: %s\r\n", hash);
    return out;
}

/* ---- who ---- */

Test(studio_server, the_page_is_served_with_a_policy_that_lets_no_other_script_run)
{
    serve();
    const char *const answer = ask("GET", "");
    cr_assert(eq(int, status_in(answer), 200));
    cr_assert(eq(str, (char *)body_in(answer), PAGE));
    cr_assert(strstr(answer, "Content-Security-Policy: default-src 'none'; script-src 'self'") != NULL);
    cr_assert(strstr(answer, "Referrer-Policy: no-referrer") != NULL);
    studio_server_stop(server);
}

Test(studio_server, other_hosts_origins_and_tokens_are_refused_before_anything_is_done)
{
    serve();
    static const char *const attack[] = {
        "PUT %sfiles/a HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
        "PUT %sfiles/a HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nConnection: "
        "close\r\nContent-Length: 1\r\n\r\nx",
        "PUT %sfiles/a HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nConnection: close\r\nContent-Length: "
        "1\r\n\r\nx"};
    char text[1000];
    for (size_t a = 0; a < sizeof attack / sizeof *attack; a++) {
        const int size = snprintf(text, sizeof text, attack[a], root);
        cr_assert(eq(int, status_in(exchange(text, (size_t)size)), 403), "%zu", a);
    }
    root[3] = root[3] == '0' ? '1' : '0';
    cr_assert(eq(int, status_in(ask_with("PUT", "files/a", "", "x")), 403));
    cr_assert(not(exists("a")));
    studio_server_stop(server);
}

/* ---- files ---- */

Test(studio_server, a_file_is_written_read_and_replaced_by_who_knows_what_it_was)
{
    serve();
    char *answer = ask_with("PUT", "files/hall.yaml", "", "one");
    cr_assert(eq(int, status_in(answer), 200), "%s", answer);
    cr_assert(strstr(answer, hash_of("one")) != NULL);
    answer = ask("GET", "files/hall.yaml");
    cr_assert(strstr(answer, hash_of("one")) != NULL && strcmp(body_in(answer), "one") == 0);
    cr_assert(eq(int, status_in(ask_with("PUT", "files/hall.yaml", if_match(hash_of("one")), "two")), 200));
    /* A second window, and one that thinks that there is none. */
    expect_refused(ask_with("PUT", "files/hall.yaml", if_match(hash_of("one")), "three"), 412,
                   "changed elsewhere");
    expect_refused(ask_with("PUT", "files/hall.yaml", "", "three"), 412, "exists");
    cr_assert(eq(str, read_text("hall.yaml"), "two"));
    expect_refused(ask_with("PUT", "files/none.yaml", if_match(hash_of("one")), "three"), 412,
                   "no longer there");
    cr_assert(not(exists("none.yaml")));
    studio_server_stop(server);
}

Test(studio_server, a_part_of_a_file_is_read_by_its_range)
{
    serve();
    write_text("a.wav", "0123456789");
    char *answer = ask_with("GET", "files/a.wav", "Range: bytes=2-4\r\n", "");
    cr_assert(eq(int, status_in(answer), 206));
    cr_assert(eq(str, (char *)body_in(answer), "234"));
    cr_assert(strstr(answer, "Content-Range: bytes 2-4/10") != NULL);
    answer = ask_with("GET", "files/a.wav", "Range: bytes=7-\r\n", "");
    cr_assert(eq(str, (char *)body_in(answer), "789"));
    for (const char *const *bad = (const char *const[]){"bytes=4-2", "bytes=90-", "lines=1-2", NULL};
         *bad != NULL; bad++) {
        char header[100];
        (void)snprintf(header, sizeof header, "Range: %s\r\n", *bad);
        cr_assert(eq(int, status_in(ask_with("GET", "files/a.wav", header, "")), 200), "%s", *bad);
    }
    studio_server_stop(server);
}

Test(studio_server, nothing_outside_the_folder_is_reached)
{
    write_text("secret", "key");
    cr_assert(mkdir("opened", 0777) == 0 && chdir("opened") == 0);
    cr_assert(symlink("../secret", "link") == 0 && symlink("..", "up") == 0 && mkdir(".hidden", 0777) == 0);
    write_text(".hidden/a", "key");
    serve();
    static const char *const path[] = {
        "../secret",      "link",          "up/secret", "/etc/passwd", ".hidden/a", "./link",
        "a/../../secret", "%2e%2e/secret", "",          "a//b",        "."};
    char text[200];
    for (size_t p = 0; p < sizeof path / sizeof *path; p++) {
        (void)snprintf(text, sizeof text, "files/%s", path[p]);
        char *answer = ask("GET", text);
        cr_assert(eq(int, status_in(answer), 404), "%s: %s", text, answer);
        answer = ask_with("PUT", text, "", "x");
        cr_assert(status_in(answer) == 400 || status_in(answer) == 412 || strcmp(path[p], "link") == 0,
                  "%s: %s", text, answer);
    }
    expect_refused(ask("GET", "list/up"), 404, "symbolic link");
    expect_refused(ask("GET", "list/../"), 404, "not the name");
    (void)chdir("..");
    cr_assert(eq(str, read_text("secret"), "key"));
    studio_server_stop(server);
}

Test(studio_server, a_folder_is_listed_without_hidden_names_and_links)
{
    write_text("a.obj", "12345");
    cr_assert(mkdir("run", 0777) == 0 && symlink("a.obj", "link") == 0 && mkdir(".studio", 0777) == 0);
    serve();
    const cJSON *const list = cJSON_Parse(body_in(ask("GET", "list/")));
    size_t found = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list)
    {
        const char *const name = cJSON_GetObjectItem(entry, "name")->valuestring;
        const bool inner = cJSON_IsTrue(cJSON_GetObjectItem(entry, "folder"));
        cr_assert(strcmp(name, "link") != 0 && name[0] != '.', "%s", name);
        found += (strcmp(name, "a.obj") == 0 && !inner &&
                  cJSON_GetObjectItem(entry, "size_bytes")->valuedouble == 5) ||
                 (strcmp(name, "run") == 0 && inner);
    }
    cr_assert(eq(sz, found, 2));
    studio_server_stop(server);
}

Test(studio_server, what_is_too_large_is_refused_and_leaves_no_file)
{
    serve();
    char text[1000];
    const int size =
        snprintf(text, sizeof text,
                 "POST %sjobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                 "%d\r\n\r\n",
                 root, STUDIO_BODY_MOST + 1);
    char *const whole = test_keep(calloc((size_t)size + STUDIO_BODY_MOST + 1, 1));
    memcpy(whole, text, (size_t)size);
    expect_refused(exchange(whole, (size_t)size + STUDIO_BODY_MOST + 1), 413, "are not taken");
    /* An upload whose sender goes away in the middle. */
    const int begun =
        snprintf(text, sizeof text,
                 "PUT %sfiles/half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf", root);
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int to = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(connect(to, (const struct sockaddr *)&address, sizeof address) == 0);
    cr_assert(send(to, text, (size_t)begun, 0) == begun && close(to) == 0);
    (void)ask("GET", "jobs");
    studio_server_stop(server);
    cr_assert(eq(sz, count_entries(".", ""), 0));
}

/* ---- commands ---- */

static int add_command(const char *words)
{
    const char *const answer = ask_with("POST", "jobs", "", words);
    cr_assert(eq(int, status_in(answer), 200), "%s", answer);
    return cJSON_GetObjectItem(cJSON_Parse(body_in(answer)), "number")->valueint;
}

Test(studio_server, a_command_runs_and_its_lines_result_and_end_are_told)
{
    serve();
    cr_assert(eq(int, add_command("[\"room\", \"cube\", \"-o\", \"cube.obj\", \"--json\"]"), 1));
    step();
    const char *events = ask("GET", "jobs/1/events");
    cr_assert(strstr(events, "event: end\ndata: {\"status\":0}\n\n") != NULL, "%s", events);
    cr_assert(exists("cube.obj"));
    cr_assert(cJSON_IsObject(cJSON_Parse(body_in(ask("GET", "jobs/1/out")))));
    cr_assert(eq(int, add_command("[\"check\", \"nothing.obj\"]"), 2));
    step();
    events = ask("GET", "jobs/2/events");
    cr_assert(strstr(events, "event: line\ndata: transept: ") != NULL &&
                  strstr(events, "nothing.obj") != NULL,
              "%s", events);
    cr_assert(strstr(events, "{\"status\":2}") != NULL);
    studio_server_stop(server);
}

Test(studio_server, commands_that_reach_outside_or_are_not_the_programs_are_refused)
{
    write_text("inside", "");
    cr_assert(symlink("/etc/passwd", "link") == 0 && symlink("/etc/passwd", "link.wav") == 0);
    serve();
    static const char *const words[] = {"[\"simulate\", \"../a.obj\"]",
                                        "[\"simulate\", \"/etc/passwd\"]",
                                        "[\"simulate\", \"--materials=/etc/passwd\"]",
                                        "[\"simulate\", \"a/../../b\"]",
                                        "[\"simulate\", \"~/a\"]",
                                        "[\"simulate\", \"link\"]",
                                        "[\"auralise\", \"link.wav@7\"]",
                                        "[\"rm\", \"inside\"]",
                                        "[\"studio\"]",
                                        "[]",
                                        "[1]",
                                        "{\"arguments\": 1}",
                                        "no JSON",
                                        ""};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        cr_assert(eq(int, status_in(ask_with("POST", "jobs", "", words[w])), 400), "%s", words[w]);
    cr_assert(strcmp(body_in(ask("GET", "jobs")), "[]") == 0);
    studio_server_stop(server);
}

/* One that takes many minutes, into a folder of its own. */
static int add_long(int number)
{
    char words[200];
    (void)snprintf(
        words, sizeof words,
        "[\"simulate\", \"church.obj\", \"-o\", \"run%d\", \"--rays\", \"off\", \"--fmax\", \"355\", "
        "\"--duration\", \"120\"]",
        number);
    return add_command(words);
}

static void expect_state(int number, const char *state)
{
    char words[100];
    (void)snprintf(words, sizeof words, "\"number\":%d,\"state\":\"%s\"", number, state);
    const char *const list = body_in(ask("GET", "jobs"));
    cr_assert(strstr(list, words) != NULL, "%s: %s", words, list);
}

static void cancel(int number)
{
    char path[40];
    (void)snprintf(path, sizeof path, "jobs/%d", number);
    const char *const answer = ask("DELETE", path);
    cr_assert(eq(int, status_in(answer), 200), "%d: %s, %s", number, answer, body_in(ask("GET", "jobs")));
    (void)snprintf(path, sizeof path, "jobs/%d/events", number);
    const char *const events = ask("GET", path);
    cr_assert(strstr(events, "{\"status\":130}") != NULL, "%s", events);
}

Test(studio_server, commands_go_on_without_the_server_and_the_next_one_finds_them)
{
    expect_status(RUN("room", "church", "-o", "church.obj"), 0);
    serve();
    (void)add_long(1);
    step();
    studio_server_stop(server);
    serve();
    expect_state(1, "runs");
    cancel(1);
    expect_refused(ask("DELETE", "jobs/1"), 400, "does not run");
    expect_refused(ask("DELETE", "jobs/7"), 400, "does not run");
    studio_server_stop(server);
}

Test(studio_server, more_commands_than_run_at_once_wait_and_may_be_taken_out)
{
    expect_status(RUN("room", "church", "-o", "church.obj"), 0);
    serve();
    for (int j = 1; j <= STUDIO_JOBS_AT_ONCE + 1; j++)
        cr_assert(eq(int, add_long(j), j));
    step();
    expect_state(STUDIO_JOBS_AT_ONCE, "runs");
    expect_state(STUDIO_JOBS_AT_ONCE + 1, "waits");
    for (int j = STUDIO_JOBS_AT_ONCE + 1; j >= 1; j--)
        cancel(j);
    studio_server_stop(server);
}

Test(studio_server, a_command_whose_shell_was_killed_is_lost)
{
    expect_status(RUN("room", "church", "-o", "church.obj"), 0);
    serve();
    (void)add_long(1);
    step();
    int process;
    cr_assert(sscanf(read_text(".studio/jobs/0001/process"), "%d", &process) == 1);
    cr_assert(kill(-process, SIGKILL) == 0);
    cr_assert(strstr(ask("GET", "jobs/1/events"), "{\"status\":null}") != NULL);
    expect_state(1, "lost");
    studio_server_stop(server);
}
