#include "kernels/opencl/opencl_device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/opencl/opencl_cache.h"
#include "kernels/opencl/opencl_trial.h"

#define CARDS_MOST 16
#define KINDS      8

struct card {
    struct opencl_card open; /* context NULL: not open */
    opencl_program program[KINDS];
    bool rounds[KINDS]; /* as C does */
};

static struct card cards[CARDS_MOST];
static unsigned count;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the list ------------------------------------------------------------------------------------------ */

/* A device of these types, in one or two passes over the platforms. */
static void list_types(const struct opencl *call, uint64_t types)
{
    opencl_platform platform[OPENCL_PLATFORMS_MOST];
    uint32_t platforms = 0;
    if (call->GetPlatformIDs(OPENCL_PLATFORMS_MOST, platform, &platforms) != 0)
        return;
    for (uint32_t p = 0; p < platforms && p < OPENCL_PLATFORMS_MOST; ++p) {
        opencl_device device[CARDS_MOST];
        uint32_t devices = 0;
        if (call->GetDeviceIDs(platform[p], types, CARDS_MOST, device, &devices) != 0)
            continue;
        for (uint32_t d = 0; d < devices && d < CARDS_MOST && count < CARDS_MOST; ++d)
            cards[count++].open = (struct opencl_card){.call = call, .device = device[d]};
    }
}

static void list_all(void)
{
    const struct opencl *const call = opencl_load();
    if (call == NULL)
        return;
    list_types(call, OPENCL_GPUS | OPENCL_ACCELERATORS);
    list_types(call, OPENCL_PROCESSORS);
}

unsigned opencl_count(void)
{
    (void)pthread_once(&once, list_all);
    return count;
}

/* A property that is a number; 0 where the device does not know it. */
static uint64_t ask(const struct opencl_card *card, uint32_t property, size_t bytes)
{
    uint64_t value = 0;
    return card->call->GetDeviceInfo(card->device, property, bytes, &value, NULL) == 0 ? value : 0;
}

bool opencl_has_double(unsigned card)
{
    return card < opencl_count() && ask(&cards[card].open, OPENCL_DEVICE_DOUBLE, sizeof(uint64_t)) != 0;
}

bool opencl_is_gpu(unsigned card)
{
    return card < opencl_count() &&
           (ask(&cards[card].open, OPENCL_DEVICE_TYPE, sizeof(uint64_t)) & OPENCL_GPUS) != 0;
}

int opencl_find_card(unsigned card, struct device *out, struct failure *failure)
{
    if (opencl_fatal_signal() != 0)
        return failure_fix(
            failure_set(failure, FAILURE_CAPACITY,
                        "a driver of OpenCL ends this program (signal %d) when it is asked for its "
                        "devices",
                        opencl_fatal_signal()),
            failure, "see what `clinfo` says, then mend or remove that driver");
    if (opencl_load() == NULL)
        return failure_set(failure, FAILURE_CAPACITY, "OpenCL is not installed (no libOpenCL.so.1)");
    if (opencl_count() == 0)
        return failure_set(failure, FAILURE_CAPACITY, "OpenCL has no device: no driver is installed for one");
    if (card >= count)
        return failure_set(failure, FAILURE_CAPACITY, "there is no OpenCL device %u: the last is %u", card,
                           count - 1);
    const struct opencl_card *const there = &cards[card].open;
    struct device found = {.card = card};
    if (ask(there, OPENCL_DEVICE_IS_AVAILABLE, sizeof(uint32_t)) == 0 ||
        ask(there, OPENCL_DEVICE_HAS_COMPILER, sizeof(uint32_t)) == 0 ||
        there->call->GetDeviceInfo(there->device, OPENCL_DEVICE_NAME, sizeof found.name, found.name, NULL) !=
            0)
        return failure_set(failure, FAILURE_CAPACITY, "OpenCL device %u is not available or has no compiler",
                           card);
    if (ask(there, OPENCL_DEVICE_LARGEST_GROUP, sizeof(size_t)) < OPENCL_GROUP_LEAST ||
        ask(there, OPENCL_DEVICE_LOCAL_MEMORY, sizeof(uint64_t)) < OPENCL_LOCAL_LEAST)
        return failure_set(failure, FAILURE_CAPACITY,
                           "%s has groups of fewer than %d work items or less than %d bytes of local memory",
                           found.name, OPENCL_GROUP_LEAST, OPENCL_LOCAL_LEAST);
    found.processors = (int)ask(there, OPENCL_DEVICE_UNITS, sizeof(uint32_t));
    found.bytes_total = found.bytes_free = ask(there, OPENCL_DEVICE_MEMORY, sizeof(uint64_t));
    found.cache = ask(there, OPENCL_DEVICE_CACHE, sizeof(uint64_t));
    char version[128], driver[128];
    (void)snprintf(found.driver, sizeof found.driver, "%.*s, driver %.40s",
                   (int)strcspn(opencl_ask_words(there, OPENCL_DEVICE_VERSION, version) + 7, " "),
                   version + 7, opencl_ask_words(there, OPENCL_DRIVER_VERSION, driver));
    found.is_processor = !opencl_is_gpu(card);
    memcpy(found.identity, "opencl", 6);
    found.identity[6] = (unsigned char)card;
    *out = found;
    return 0;
}

/* ---- errors -------------------------------------------------------------------------------------------- */

int opencl_check(int32_t error, const char *what, struct failure *failure)
{
    if (error == 0)
        return 0;
    if (error == OPENCL_OUT_OF_DEVICE_MEMORY || error == OPENCL_OUT_OF_HOST_MEMORY)
        return failure_set(failure, FAILURE_CAPACITY, "the OpenCL device has no memory left for %s", what);
    const bool lost = error == OPENCL_NOT_AVAILABLE || error == OPENCL_OUT_OF_RESOURCES ||
                      error == OPENCL_EVENT_FAILED || error == OPENCL_INVALID_CONTEXT ||
                      error == OPENCL_INVALID_QUEUE;
    return failure_fix(
        failure_set(failure, FAILURE_OUTPUT, "OpenCL failed for %s: %s (error %d)", what,
                    error == OPENCL_OUT_OF_RESOURCES ? "the device was lost or has no resources left"
                    : lost                           ? "the device was lost"
                                                     : "this is a fault of this program",
                    error),
        failure,
        lost ? "look in `dmesg`, then try fewer nodes; reset the GPU or restart the machine only "
               "if that fails too"
             : "please report it with this sentence");
}

/* ---- one device ---------------------------------------------------------------------------------------- */

static int open_card(struct opencl_card *card, const char *name, struct failure *failure)
{
    int32_t error = 0;
    if (card->context != NULL)
        return 0;
    card->largest_buffer = ask(card, OPENCL_DEVICE_LARGEST_BUFFER, sizeof(uint64_t));
    card->context = card->call->CreateContext(NULL, 1, &card->device, NULL, NULL, &error);
    if (error == OPENCL_NOT_AVAILABLE || error == OPENCL_OUT_OF_RESOURCES)
        return failure_set(failure, FAILURE_CAPACITY,
                           "the OpenCL device %s is in use by another program or not available (error %d)",
                           name, error);
    return opencl_check(error, "its first use", failure);
}

int opencl_open(unsigned card, const struct opencl_card **out, struct failure *failure)
{
    struct device found;
    TRY(opencl_find_card(card, &found, failure));
    (void)pthread_mutex_lock(&lock);
    const int code = open_card(&cards[card].open, found.name, failure);
    (void)pthread_mutex_unlock(&lock);
    *out = &cards[card].open;
    return code;
}

/* ---- the trial ----------------------------------------------------------------------------------------- */

/* Run the trial's kernel on its inputs. */
static bool run_trial(const struct opencl_card *card, opencl_queue queue, opencl_kernel kernel,
                      const void *in, void *out, size_t bytes)
{
    const struct opencl *const call = card->call;
    int32_t error = 0, other = 0;
    const uint64_t items = OPENCL_TRIALS;
    const size_t size = OPENCL_TRIALS;
    opencl_memory from = call->CreateBuffer(card->context, OPENCL_READ_WRITE, bytes, NULL, &error),
                  to = call->CreateBuffer(card->context, OPENCL_READ_WRITE, bytes, NULL, &other);
    const bool sound = error == 0 && other == 0 &&
                       call->EnqueueWriteBuffer(queue, from, 1, 0, bytes, in, 0, NULL, NULL) == 0 &&
                       call->SetKernelArg(kernel, 0, sizeof from, &from) == 0 &&
                       call->SetKernelArg(kernel, 1, sizeof to, &to) == 0 &&
                       call->SetKernelArg(kernel, 2, sizeof items, &items) == 0 &&
                       call->EnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) == 0 &&
                       call->EnqueueReadBuffer(queue, to, 1, 0, bytes, out, 0, NULL, NULL) == 0;
    if (error == 0)
        (void)call->ReleaseMemObject(from);
    if (other == 0)
        (void)call->ReleaseMemObject(to);
    return sound;
}

static bool rounds(const struct opencl_card *card, opencl_program program, bool twofold)
{
    int32_t error = 0, other = 0;
    const opencl_queue queue = card->call->CreateCommandQueue(card->context, card->device, 0, &error);
    const opencl_kernel kernel = card->call->CreateKernel(program, "try_rounding", &other);
    float single[OPENCL_TRIALS][3];
    double twice[OPENCL_TRIALS][3];
    const bool same = error == 0 && other == 0 &&
                      (twofold ? run_trial(card, queue, kernel, opencl_trial_f64, twice, sizeof twice) &&
                                     opencl_trial_holds_f64((const double(*)[3])twice)
                               : run_trial(card, queue, kernel, opencl_trial_f32, single, sizeof single) &&
                                     opencl_trial_holds_f32((const float(*)[3])single));
    if (other == 0)
        (void)card->call->ReleaseKernel(kernel);
    if (error == 0)
        (void)card->call->ReleaseCommandQueue(queue);
    return same;
}

/* ---- programs ------------------------------------------------------------------------------------------ */

/* The first line of the compiler's words. */
static int report_build(const struct opencl_card *card, opencl_program program, int32_t error,
                        struct failure *failure)
{
    char words[4096] = "";
    (void)card->call->GetProgramBuildInfo(program, card->device, OPENCL_PROGRAM_LOG, sizeof words - 1, words,
                                          NULL);
    words[strcspn(words, "\n")] = '\0';
    return failure_set(failure, FAILURE_OUTPUT, "the OpenCL compiler failed (error %d): %.300s", error,
                       words);
}

static int build(const struct opencl_card *card, struct opencl_kind kind, opencl_program *out, bool *same,
                 struct failure *failure)
{
    char options[192];
    const char *const text = opencl_program_text;
    int32_t error = 0;
    (void)snprintf(options, sizeof options,
                   "-cl-std=CL1.2 -w -D REAL=%s -D SUFFIX=%s -D ISOTROPIC=%d -D BOX=%d -D RUN=%u",
                   kind.twofold ? "double" : "float", kind.twofold ? "f64" : "f32", kind.isotropic, kind.box,
                   opencl_run(kind.twofold ? sizeof(double) : sizeof(float)));
    opencl_program program = opencl_cache_take(card, options);
    if (program == NULL) {
        program = card->call->CreateProgramWithSource(card->context, 1, (const char *[]){text},
                                                      &opencl_program_text_bytes, &error);
        TRY(opencl_check(error, "its program", failure));
        error = card->call->BuildProgram(program, 1, &card->device, options, NULL, NULL);
        if (error != 0) {
            const int code = report_build(card, program, error, failure);
            (void)card->call->ReleaseProgram(program);
            return code;
        }
        opencl_cache_put(card, options, program);
    }
    *out = program;
    *same = rounds(card, program, kind.twofold);
    return 0;
}

int opencl_build(unsigned card, struct opencl_kind kind, opencl_program *out, bool *same,
                 struct failure *failure)
{
    const unsigned n = kind.twofold + 2U * kind.isotropic + 4U * kind.box;
    struct card *const with = &cards[card];
    int code = 0;
    if (kind.twofold && !opencl_has_double(card))
        return failure_set(failure, FAILURE_CAPACITY,
                           "the OpenCL device has no double precision: use single precision");
    (void)pthread_mutex_lock(&lock);
    if (with->program[n] == NULL)
        code = build(&with->open, kind, &with->program[n], &with->rounds[n], failure);
    *out = with->program[n];
    *same = with->rounds[n];
    (void)pthread_mutex_unlock(&lock);
    return code;
}
