#include "kernels/opencl/opencl_loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static struct opencl functions;
static bool complete;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A function of the library, through an object pointer as POSIX has it. */
static bool find(void *library, const char *name, void *function, size_t bytes)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, bytes);
    return found != NULL;
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
