#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <string.h>

#include "src/cli/commands.h"

#ifndef TRANSEPT_HAS_STUDIO

static int run(const struct options *options, struct failure *failure)
{
    (void)options;
    return failure_fix(failure_set(failure, FAILURE_INPUT,
                                   "this program was built without libmicrohttpd, so it has no studio"),
                       failure, "build it again with libmicrohttpd (Debian: libmicrohttpd-dev)");
}

#else

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "geometry/mesh/mesh_write.h"
#include "kernels/machine/user_folder.h"
#include "rooms/shapes/room_shape.h"
#include "src/base/interrupt.h"
#include "src/base/options/messages.h"
#include "src/studio/studio_folder.h"
#include "src/studio/studio_page.h"
#include "src/studio/studio_server.h"

#define STEP_NS 50000000 /* between two looks at the commands */
#define ADDRESS 1000     /* characters; a name of a file has 255 bytes at most */

extern char **environ;

/* What is opened: a folder, and of it a file or "". */
struct opened {
    char folder[PATH_MAX], file[NAME_MAX + 1];
};

/* ---- the built-in church ---- */

#define DEMO   "demo" /* unless something in the current folder has that name */
#define CHURCH "church.obj"

static bool asks_for_demo(const char *subject)
{
    return subject == NULL || (strcmp(subject, DEMO) == 0 && access(DEMO, F_OK) != 0);
}

static int put_church(const char *path, struct failure *failure)
{
    struct mesh mesh = {0};
    int code = room_build(room_shape_find("church"), NULL, &mesh, failure);
    if (code == 0)
        code = mesh_write(&mesh, path, failure);
    mesh_free(&mesh);
    return code;
}

static int put_project(const char *path, struct failure *failure)
{
    struct whole_file file = {0};
    TRY(whole_file_open(&file, path, failure));
    (void)fwrite(studio_page_demo, 1, studio_page_demo_bytes, file.stream);
    const int code = whole_file_commit(&file, failure);
    whole_file_abandon(&file);
    return code;
}

/* The same folder each time, with what the user has made of it: only what is missing is written. */
static int open_demo(struct opened *out, struct failure *failure)
{
    char path[PATH_MAX + NAME_MAX + 2];
    if (!user_folder_find("XDG_DATA_HOME", ".local/share", "transept/church", out->folder))
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "no folder for the church: $XDG_DATA_HOME/transept/church, or else "
                        "$HOME/.local/share/transept/church, must begin with / and have fewer than %d bytes",
                        PATH_MAX),
            failure, "name a folder: transept studio .");
    (void)snprintf(out->file, sizeof out->file, "%s", "church.yaml");
    (void)snprintf(path, sizeof path, "%s/" CHURCH, out->folder);
    TRY(user_folder_make(path, failure));
    if (access(path, F_OK) != 0)
        TRY(put_church(path, failure));
    (void)snprintf(path, sizeof path, "%s/%s", out->folder, out->file);
    return access(path, F_OK) != 0 ? put_project(path, failure) : 0;
}

static int find_opened(const char *path, struct opened *out, struct failure *failure)
{
    struct stat of;
    if (asks_for_demo(path))
        return open_demo(out, failure);
    if (realpath(path, out->folder) == NULL || stat(out->folder, &of) != 0)
        return failure_about(
            failure_set(failure, FAILURE_INPUT, "%s cannot be opened: %s", path, strerror(errno)), failure,
            SUBJECT_FILE, path);
    out->file[0] = '\0';
    if (S_ISDIR(of.st_mode))
        return 0;
    char *const slash = strrchr(out->folder, '/');
    (void)snprintf(out->file, sizeof out->file, "%s", slash + 1);
    slash[slash == out->folder ? 1 : 0] = '\0';
    return 0;
}

/* ---- the address ---- */

/* ADDRESS#file=NAME, whose bytes are those of encodeURIComponent(). */
static void write_address(const char *server, const char *file, char text[ADDRESS])
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    int at = snprintf(text, ADDRESS, "%s%s", server, file[0] != '\0' ? "#file=" : "");
    for (const char *c = file; *c != '\0' && at < ADDRESS - 4; c++)
        at += snprintf(text + at, ADDRESS - (size_t)at, strchr(plain, *c) != NULL ? "%c" : "%%%02X",
                       (unsigned char)*c);
}

/* Where there is a desktop. Failure is no failure: the address was printed. */
static void show_in_browser(char *address)
{
    static char program[] = "xdg-open";
    char *argument[] = {program, address, NULL};
    posix_spawn_file_actions_t files;
    pid_t process;
    if ((getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) ||
        posix_spawn_file_actions_init(&files) != 0)
        return;
    if (posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) == 0)
        (void)posix_spawnp(&process, program, &files, NULL, argument, environ);
    (void)posix_spawn_file_actions_destroy(&files);
}

/* What goes on without the server, and what waits for the next one. */
static void tell_commands(struct studio_server *server)
{
    int running, waiting;
    studio_server_count(server, &running, &waiting);
    if (running > 0)
        fprintf(stderr, "Commands that still run: %d. A studio of the same folder shows them again.\n",
                running);
    if (waiting > 0)
        fprintf(stderr, "Commands that wait for the next studio of this folder: %d.\n", waiting);
}

static int serve(const struct options *options, const struct opened *opened, struct failure *failure)
{
    struct studio_part part[STUDIO_PAGE_PARTS];
    char program[PATH_MAX] = "", address[ADDRESS];
    struct studio_server *server = NULL;
    const struct timespec pause = {.tv_nsec = STEP_NS};
    studio_page_parts(part);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return failure_set(failure, FAILURE_CAPACITY, "/proc/self/exe cannot be read: %s", strerror(errno));
    const struct studio_task task = {.folder = opened->folder,
                                     .program = program,
                                     .port = (uint16_t)options->port,
                                     .part = part,
                                     .parts = STUDIO_PAGE_PARTS};
    TRY(studio_server_start(&task, &server, failure));
    write_address(studio_server_address(server), opened->file, address);
    printf("%s\n", address);
    (void)fflush(stdout);
    fprintf(stderr, "The studio of %s is at this address until Ctrl-C.\n", opened->folder);
    if (!options->no_browser)
        show_in_browser(address);
    while (!interrupt_seen) {
        struct failure of_job = {0};
        if (studio_server_step(server, &of_job) != 0)
            message_failure(stderr, &of_job);
        (void)nanosleep(&pause, NULL);
    }
    tell_commands(server);
    studio_server_stop(server);
    return 0;
}

static int run(const struct options *options, struct failure *failure)
{
    struct opened opened;
    if (studio_page_script_bytes == 0)
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "this program was built without npm, so its studio has no page"),
                           failure, "build it again where node and npm are found");
    TRY(find_opened(options->subject, &opened, failure));
    return serve(options, &opened, failure);
}

#endif

/* A project is not opened here: the studio also shows one that has faults. */
int command_studio(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct options options;
    int code =
        options_parse(command->bit, command->name, command->subject, argc, argv, NULL, &options, failure);
    if (code == 0 && !options.help)
        code = options_refuse_second(command->bit, argc, argv, NULL, failure);
    if (code == 0 && options.help)
        help_command(stdout, command, NULL);
    else if (code == 0)
        code = run(&options, failure);
    options_free(&options);
    return code;
}
