#include "kernels/opencl/opencl_loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DRIVER_SECONDS 60 /* in which drivers must have answered */

static struct opencl functions;
static bool complete;
static int fatal; /* the signal that a driver ended with, SIGALRM for no answer; 0 for none */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A function of the library, through an object pointer as POSIX has it. */
static bool find(void *library, const char *name, void *function, size_t bytes)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, bytes);
    return found != NULL;
}

/* Ask for platforms and devices in a child process, which a driver may end or block. Returns its signal, or
 * 0. */
static int try_drivers(void)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        opencl_platform platform[OPENCL_PLATFORMS_MOST];
        uint32_t platforms = 0, devices;
        (void)dup2(nowhere, 1);
        (void)dup2(nowhere, 2);
        (void)signal(SIGALRM, SIG_DFL);
        (void)signal(SIGABRT, SIG_DFL);
        (void)alarm(DRIVER_SECONDS);
        if (functions.GetPlatformIDs(OPENCL_PLATFORMS_MOST, platform, &platforms) == 0)
            for (uint32_t p = 0; p < platforms && p < OPENCL_PLATFORMS_MOST; ++p)
                (void)functions.GetDeviceIDs(platform[p], OPENCL_EVERY_TYPE, 0, NULL, &devices);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0;
    return child > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void load(void)
{
    void *const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return;
    complete = true;
#define FUNCTION(result, name, ...)                                                                          \
    complete = find(library, "cl" #name, &functions.name, sizeof functions.name) && complete
#include "kernels/opencl/opencl_functions.h"
    fatal = complete ? try_drivers() : 0;
    complete = complete && fatal == 0;
}

int opencl_fatal_signal(void)
{
    (void)opencl_load();
    return fatal;
}

const struct opencl *opencl_load(void)
{
    (void)pthread_once(&once, load);
    return complete ? &functions : NULL;
}

const char *opencl_ask_words(const struct opencl_card *card, uint32_t property, char text[128])
{
    text[0] = 0;
    if (card->call->GetDeviceInfo(card->device, property, 128, text, NULL) != 0)
        text[0] = 0;
    return text;
}
