/* The studio's server as a browser, and as an attacker, sees it. */
#define _XOPEN_SOURCE 700
#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "geometry/base/byte_hash.h"
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

static struct studio_task server_task(void)
{
    static const struct studio_part part[] = {{"", "text/html", PAGE, sizeof PAGE - 1}};
    return (struct studio_task){
        .folder = test_keep(realpath(".", NULL)), .program = TEST_PROGRAM, .part = part, .parts = 1};
}

static void serve(void)
{
    const struct studio_task task = server_task();
    MUST(studio_server_start(&task, &server, &failure));
    cr_assert(sscanf(studio_server_address(server), "http://127.0.0.1:%u%199s", &port, root) == 2);
}

static void step(void)
{
    MUST(studio_server_step(server, &failure));
}

static int connect_to_server(void)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int to = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(connect(to, (const struct sockaddr *)&address, sizeof address) == 0);
    return to;
}

/* Until the server closes or 20 s without news. */
static char *answer_of(int to)
{
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

/* What is answered to raw bytes. */
static char *exchange(const char *request, size_t size)
{
    const int to = connect_to_server();
    for (size_t sent = 0; sent < size;) {
        const ssize_t now = send(to, request + sent, size - sent, MSG_NOSIGNAL);
        if (now <= 0)
            break;
        sent += (size_t)now;
    }
    return answer_of(to);
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

static const cJSON *json_in(const char *answer)
{
    return test_keep(cJSON_Parse(body_in(answer)));
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
    for (const char *const *word = (const char *const[]){"unsafe", "*", "http:", "https:", NULL};
         *word != NULL; word++)
        cr_assert(strstr(strstr(answer, "Content-Security-Policy: "), *word) == NULL, "%s", *word);
    write_text("evil.html", "<script src=https://evil.example></script>");
    cr_assert(strstr(ask("GET", "files/evil.html"), "Content-Security-Policy: sandbox allow-scripts ") !=
              NULL);
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
    static const char *const path[] = {"../secret",
                                       "link",
                                       "up/secret",
                                       "/etc/passwd",
                                       ".hidden/a",
                                       "./link",
                                       "a/../../secret",
                                       "%2e%2e/secret",
                                       "%2e%2e%2fsecret",
                                       "..%5csecret",
                                       "%2fetc%2fpasswd",
                                       "up%2fsecret",
                                       ".%2e/secret",
                                       ".studio/jobs/0001/command.json",
                                       "",
                                       "a//b",
                                       "."};
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
    const cJSON *const list = json_in(ask("GET", "list/"));
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
    const int to = connect_to_server();
    cr_assert(send(to, text, (size_t)begun, 0) == begun && close(to) == 0);
    (void)ask("GET", "jobs");
    studio_server_stop(server);
    cr_assert(eq(sz, count_entries(".", ""), 1)); /* .studio */
}

/* Of a request whose head announces so many bytes, with as many zeros behind it. */
static const char *send_zeros(const char *path, uint64_t size)
{
    static const char zeros[1 << 20];
    char text[1000];
    const int to = connect_to_server();
    const int head = snprintf(text, sizeof text,
                              "PUT %s%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                              "%llu\r\n\r\n",
                              root, path, (unsigned long long)size);
    cr_assert(send(to, text, (size_t)head, MSG_NOSIGNAL) == head);
    while (size > 0) {
        const ssize_t now = send(to, zeros, size < sizeof zeros ? (size_t)size : sizeof zeros, MSG_NOSIGNAL);
        cr_assert(now > 0);
        size -= (uint64_t)now;
    }
    return answer_of(to);
}

Test(studio_server, a_file_of_200_MB_is_taken_and_one_byte_more_is_not)
{
    serve();
    cr_assert(eq(int, status_in(send_zeros("files/most.obj", STUDIO_UPLOAD_MOST)), 200));
    struct stat of;
    cr_assert(stat("most.obj", &of) == 0 && of.st_size == (off_t)STUDIO_UPLOAD_MOST);
    cr_assert(remove("most.obj") == 0);
    expect_refused(send_zeros("files/more.obj", STUDIO_UPLOAD_MOST + 1), 413, "are not taken");
    cr_assert(not(exists("more.obj")));
    studio_server_stop(server);
}

Test(studio_server, counts_of_entries_words_and_connections_are_limited)
{
    char path[40];
    cr_assert(mkdir("many", 0777) == 0);
    for (int i = 0; i <= STUDIO_LISTED_MOST; i++) {
        (void)snprintf(path, sizeof path, "many/%d", i);
        const int file = open(path, O_WRONLY | O_CREAT, 0666);
        cr_assert(file >= 0 && close(file) == 0);
    }
    serve();
    expect_refused(ask("GET", "list/many"), 500, "has more than 10000 entries");
    char words[3 * STUDIO_ARGUMENTS_MOST + 40] = "[\"check\"";
    for (int i = 0; i < STUDIO_ARGUMENTS_MOST; i++)
        (void)strcat(words, ",1");
    expect_refused(ask_with("POST", "jobs", "", strcat(words, "]")), 400, "a list of 1 to 200 words");
    /* Who holds all connections is not served beyond them, and leaves the server as it was. */
    int held[2 * STUDIO_CONNECTIONS_MOST];
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        held[i] = connect_to_server();
    size_t refused = 0;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        struct pollfd one = {.fd = held[i], .events = POLLIN};
        refused += poll(&one, 1, i == 0 ? 1000 : 0) == 1 && recv(held[i], path, 1, 0) <= 0;
    }
    cr_assert(test_at_least((double)refused, (double)STUDIO_CONNECTIONS_MOST));
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        (void)close(held[i]);
    const char *answer;
    while (answer = ask("GET", "jobs"), answer[0] == '\0')
        ;
    cr_assert(eq(int, status_in(answer), 200));
    studio_server_stop(server);
}

/* ---- commands ---- */

static int add_command(const char *words)
{
    const char *const answer = ask_with("POST", "jobs", "", words);
    cr_assert(eq(int, status_in(answer), 200), "%s", answer);
    return (int)number(json_in(answer), "number");
}

Test(studio_server, a_command_runs_and_its_lines_result_and_end_are_told)
{
    serve();
    cr_assert(eq(int, add_command("[\"room\", \"cube\", \"-o\", \"cube.obj\", \"--json\"]"), 1));
    step();
    const char *events = ask("GET", "jobs/1/events");
    cr_assert(strstr(events, "event: end\ndata: {\"status\":0}\n\n") != NULL, "%s", events);
    cr_assert(exists("cube.obj"));
    cr_assert(cJSON_IsObject(json_in(ask("GET", "jobs/1/out"))));
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
    (void)snprintf(words, sizeof words,
                   "[\"simulate\", \"cube.obj\", \"-o\", \"run%d\", \"--waves-only\", \"--fmax\", \"1420\", "
                   "\"--absorption\", \"0.01\", \"--source\", \"1,1,1\", \"--receiver\", \"2,2,2\", "
                   "\"--duration\", \"120\", \"--watch\"]",
                   number);
    return add_command(words);
}

/* Serve a folder with a cube, for add_long(). */
static void serve_cube(void)
{
    write_cube();
    serve();
}

/* Until its waves are stepped. */
static void wait_for_wave(const char *picture)
{
    while (!exists(picture)) {
        step();
        (void)poll(NULL, 0, 20);
        cr_assert(strstr(body_in(ask("GET", "jobs")), "\"state\":\"runs\"") != NULL);
    }
}

static void expect_state(int number, const char *state)
{
    char words[100];
    (void)snprintf(words, sizeof words, "\"number\":%d,\"state\":\"%s\"", number, state);
    const char *const list = body_in(ask("GET", "jobs"));
    cr_assert(strstr(list, words) != NULL, "%s: %s", words, list);
}

static const cJSON *job_at(int number)
{
    return cJSON_GetArrayItem(json_in(ask("GET", "jobs")), number - 1);
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
    serve_cube();
    (void)add_long(1);
    step();
    /* Two servers of one folder would start the same commands. */
    const struct studio_task other = server_task();
    struct studio_server *second = NULL;
    MUST_FAIL(studio_server_start(&other, &second, &failure), FAILURE_INPUT, "is open in another studio");
    studio_server_stop(server);
    serve();
    expect_state(1, "runs");
    cancel(1);
    expect_refused(ask("DELETE", "jobs/7"), 400, "does not run");
    studio_server_stop(server);
}

Test(studio_server, one_run_steps_at_a_time_and_the_others_wait_in_the_order_that_is_asked_for)
{
    serve_cube();
    for (int j = 1; j <= 4; j++)
        cr_assert(eq(int, add_long(j), j));
    step();
    expect_state(1, "runs");
    for (int j = 2; j <= 4; j++)
        expect_state(j, "waits");
    /* A short command is answered meanwhile. */
    (void)add_command("[\"room\", \"cross\", \"-o\", \"cross.obj\"]");
    step();
    cr_assert(strstr(ask("GET", "jobs/5/events"), "{\"status\":0}") != NULL);
    expect_state(2, "waits");
    /* 2 3 4 -> 4 2 3, also for the next server. */
    for (int j = 0; j < 3; j++)
        cr_assert(eq(int, status_in(ask("POST", "jobs/4/earlier")), 200));
    expect_refused(ask("POST", "jobs/1/earlier"), 400, "does not wait");
    studio_server_stop(server);
    serve();
    cr_assert(test_above(number(job_at(2), "place"), number(job_at(4), "place")));
    cr_assert(test_above(number(job_at(3), "place"), number(job_at(2), "place")));
    cancel(2);
    cancel(1);
    step();
    expect_state(4, "runs");
    expect_state(3, "waits");
    cancel(3);
    cancel(4);
    studio_server_stop(server);
}

Test(studio_server, a_run_pauses_at_a_checkpoint_resumes_from_it_and_ends_for_good)
{
    serve_cube();
    (void)add_long(1);
    wait_for_wave("run1/wave.png");
    cancel(1);
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(job_at(1), "resumable")));
    cr_assert(exists("run1/checkpoint.command") && !exists("run1/wave.png"));
    cr_assert(eq(int, add_command("[\"simulate\", \"--resume\", \"run1\"]"), 2));
    wait_for_wave("run1/wave.png");
    expect_refused(ask("DELETE", "jobs/1"), 400, "another run"); /* its folder is held */
    cancel(2);
    cr_assert(eq(int, status_in(ask("DELETE", "jobs/2")), 200));
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(job_at(2), "resumable")));
    cr_assert(not(exists("run1") && count_entries("run1", "checkpoint") > 0));
    expect_refused(ask("DELETE", "jobs/2"), 400, "does not run");
    studio_server_stop(server);
}

Test(studio_server, a_command_whose_shell_was_killed_is_lost)
{
    serve_cube();
    (void)add_long(1);
    step();
    int process;
    cr_assert(sscanf(read_text(".studio/jobs/0001/process"), "%d", &process) == 1);
    cr_assert(kill(-process, SIGKILL) == 0);
    cr_assert(strstr(ask("GET", "jobs/1/events"), "{\"status\":null}") != NULL);
    expect_state(1, "lost");
    studio_server_stop(server);
}

/* ---- a folder that was made to deceive ---- */

static void forge_job(const char *process)
{
    cr_assert(mkdir(".studio", 0777) == 0 && mkdir(".studio/jobs", 0777) == 0 &&
              mkdir(".studio/jobs/0001", 0777) == 0);
    write_text(".studio/jobs/0001/command.json", "{\"arguments\": [\"check\", \"a.obj\"]}");
    write_text(".studio/jobs/0001/process", process);
}

/* "PID TIME" as jobs have it. */
static const char *process_text(int process)
{
    char path[40];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *const stream = fopen(path, "r");
    char *const text = test_keep(calloc(1000, 1));
    cr_assert(stream != NULL && fread(text, 1, 999, stream) > 0 && fclose(stream) == 0);
    const char *at = strrchr(text, ')');
    for (int field = 2; field < 22; field++)
        at = strchr(at + 1, ' ');
    const long long began = strtoll(at, NULL, 10);
    (void)snprintf(text, 1000, "%d %lld\n", process, began);
    return text;
}

Test(studio_server, a_file_cannot_have_another_process_interrupted)
{
    const pid_t child = fork(); /* in our session, as other programs of the user are */
    if (child == 0) {
        (void)pause();
        _exit(0);
    }
    forge_job(process_text(child));
    serve();
    expect_state(1, "lost");
    cr_assert(eq(int, status_in(ask("DELETE", "jobs/1")), 400));
    studio_server_stop(server);
    write_text(".studio/jobs/0001/process", process_text(1)); /* kill(-1) would reach every process */
    serve();
    expect_state(1, "lost");
    studio_server_stop(server);
    cr_assert(kill(child, 0) == 0 && kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

Test(studio_server, links_among_the_files_of_commands_are_not_followed)
{
    write_text("victim", "key");
    forge_job("1 1");
    cr_assert(remove(".studio/jobs/0001/process") == 0 &&
              symlink("../../../victim", ".studio/jobs/0001/err") == 0);
    const struct studio_task task = server_task();
    MUST_FAIL(studio_server_start(&task, &server, &failure), FAILURE_INPUT, "symbolic link");
    cr_assert(rename(".studio", "elsewhere") == 0 && symlink("elsewhere", ".studio") == 0);
    MUST_FAIL(studio_server_start(&task, &server, &failure), FAILURE_INPUT, "symbolic link");
    cr_assert(eq(str, read_text("victim"), "key"));
}

/* ---- ten hours ---- */

Test(studio_server, of_the_progress_of_a_long_run_a_page_that_comes_late_gets_the_last)
{
    forge_job("1 1");
    FILE *const err = fopen(".studio/jobs/0001/err", "w");
    cr_assert(err != NULL);
    (void)fprintf(err, "{\"warning\":{}}\n");
    for (int i = 0; i < 20000; i++)
        (void)fprintf(err, "{\"phase\":\"steps\",\"fraction\":%.5f}\n", 5e-5 * i);
    (void)fprintf(err, "{\"error\":{}}\n");
    cr_assert(fclose(err) == 0);
    write_text(".studio/jobs/0001/status", "5\n");
    serve();
    const char *const events = ask("GET", "jobs/1/events");
    cr_assert(strstr(events, "{\"warning\":{}}") != NULL && strstr(events, "\"fraction\":0.99995}") != NULL &&
              strstr(events, "{\"error\":{}}") != NULL);
    cr_assert(test_above(50.0, (double)count_words(events, "event: line"))); /* one of each 64 kB */
    studio_server_stop(server);
}

static long resident_pages(void)
{
    long all, resident = 0;
    FILE *const stream = fopen("/proc/self/statm", "r");
    cr_assert(stream != NULL && fscanf(stream, "%ld %ld", &all, &resident) == 2 && fclose(stream) == 0);
    return resident;
}

/* So many requests of one connection, each answered with 200. */
static void poll_jobs(int count)
{
    char text[300], answer[4000];
    const int size = snprintf(text, sizeof text, "GET %sjobs HTTP/1.1\r\nHost: localhost\r\n\r\n", root);
    const int to = connect_to_server();
    for (int i = 0; i < count; i++) {
        cr_assert(send(to, text, (size_t)size, MSG_NOSIGNAL) == size);
        size_t held = 0;
        do {
            const ssize_t got = recv(to, answer + held, sizeof answer - 1 - held, 0);
            cr_assert(got > 0);
            held += (size_t)got;
            answer[held] = '\0';
        } while (answer[held - 1] != ']');
        cr_assert(strncmp(answer, "HTTP/1.1 200", 12) == 0, "%s", answer);
    }
    (void)close(to);
}

/* A page asks when a command ends and when its window is entered: far less than once in 3 s. */
Test(studio_server, ten_hours_of_polling_do_not_make_the_server_larger)
{
#if defined(__SANITIZE_ADDRESS__)
    cr_skip_test("SKIPPED: what is freed stays resident for a while");
#endif
    serve();
    (void)add_command("[\"room\", \"cube\", \"-o\", \"cube.obj\"]");
    step();
    cr_assert(strstr(ask("GET", "jobs/1/events"), "{\"status\":0}") != NULL);
    poll_jobs(1000);
    const long before = resident_pages();
    for (int connection = 0; connection < 12; connection++)
        poll_jobs(1000);
    const double more = (double)(resident_pages() - before) * (double)sysconf(_SC_PAGESIZE);
    cr_assert(test_above(500e3, more), "%g bytes", more);
    studio_server_stop(server);
}

/* ---- with nothing given ---- */

/* Start `transept studio WORDS..`, wait for its address, and end it. */
/* After a studio that ended. */
static void skip_without_page(void)
{
    if (strstr(read_text("err"), "without npm") != NULL)
        cr_skip("a studio without a page");
}

static void open_studio(const char *word)
{
    remove("out");
    const pid_t child =
        start(NULL, (const char *const[]){TEST_PROGRAM, "studio", "--no-browser", word, NULL});
    while (!exists("out") || strchr(read_text("out"), '\n') == NULL) {
        if (waitpid(child, NULL, WNOHANG) == child)
            skip_without_page();
        cr_assert(kill(child, 0) == 0, "%s", read_text("err"));
        (void)poll(NULL, 0, 20);
    }
    cr_assert(kill(child, SIGINT) == 0);
    expect_status(finish(child), 0);
}

Test(studio_server, without_a_folder_for_the_church_both_variables_are_named)
{
    char long_one[5000] = "/";
    (void)memset(long_one + 1, 'a', sizeof long_one - 2);
    cr_assert(setenv("XDG_DATA_HOME", long_one, 1) == 0);
    (void)RUN("studio", "--no-browser");
    skip_without_page();
    REFUSED(
        "$XDG_DATA_HOME/transept/church, or else $HOME/.local/share/transept/church, must begin with / and",
        "studio", "--no-browser");
}

Test(studio_server, with_nothing_given_the_church_is_opened_ready_to_run_and_what_is_made_of_it_stays)
{
    cr_assert(setenv("XDG_DATA_HOME", folder, 1) == 0);
    open_studio(NULL);
    expect_words("out", "#file=church.yaml");
#if !defined(__SANITIZE_ADDRESS__) /* with it this takes minutes */
    expect_status(RUN("plan", "transept/church/church.yaml", "--fmax", "60", "--waves-only", "--quiet"), 0);
    expect_no_words("err", "guess");
#endif
    write_text("transept/church/church.yaml", "room: {shape: cube}\n");
    open_studio("demo");
    expect_words("out", "#file=church.yaml");
    cr_assert(eq(str, read_text("transept/church/church.yaml"), "room: {shape: cube}\n"));
}
