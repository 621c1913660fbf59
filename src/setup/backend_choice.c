#include "src/setup/backend_choice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/mpi/ranks.h"
#include "src/base/options/failure_text.h"

const struct device_table *backend_choice_devices(const struct backend_choice *choice)
{
    return choice->back_ends->device[choice->devices];
}

const char *backend_word(enum backend backend)
{
    static const char *const word[BACKENDS] = {[BACKEND_REFERENCE] = "reference",
                                               [BACKEND_CPU] = "cpu",
                                               [BACKEND_CUDA] = "cuda",
                                               [BACKEND_OPENCL] = "opencl"};
    return word[backend];
}

const char *backend_asked_word(enum option_backend asked)
{
    static const char *const word[] = {"auto", "cuda", "opencl", "cpu", "reference"};
    return word[asked];
}

void backend_choice_lose(struct backend_choice *choice, const char *why)
{
    choice->looked = true;
    choice->found = false;
    (void)snprintf(choice->absence, sizeof choice->absence, "%s", why);
}

/* All GPUs to be used. */
static int find_cards(struct backend_choice *choice, struct failure *failure)
{
    const struct device_table *const table = backend_choice_devices(choice);
    struct device found;
    TRY(device_find_card(table, choice->card[0], &found, failure));
    if (found.is_processor && choice->asked == OPTION_BACKEND_AUTO)
        return failure_set(failure, FAILURE_CAPACITY, "%s, the first device of OpenCL, is no GPU",
                           found.name);
    for (unsigned n = 1; n < choice->cards; n++) {
        struct device other;
        TRY(device_find_card(table, choice->card[n], &other, failure));
        found.bytes_free = other.bytes_free < found.bytes_free ? other.bytes_free : found.bytes_free;
    }
    choice->device = found;
    return 0;
}

bool backend_choice_look(struct backend_choice *choice)
{
    struct failure failure = {0}, other = {0};
    if (choice->looked)
        return choice->found;
    choice->looked = true;
    choice->found = find_cards(choice, &failure) == 0;
    if (!choice->found && choice->asked == OPTION_BACKEND_AUTO) {
        choice->devices = BACKEND_OPENCL;
        choice->found = find_cards(choice, &other) == 0;
        if (!choice->found)
            choice->devices = BACKEND_CUDA;
    }
    if (!choice->found) {
        char text[FAILURE_TEXT_MAX];
        backend_choice_lose(choice, failure_text(&failure, text));
        choice->absence_code = failure.code;
    }
    return choice->found;
}

void backend_choice_take(struct backend_choice *choice, enum backend backend, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(choice->because, sizeof choice->because, format, values);
    va_end(values);
    choice->backend = backend;
    choice->settled = true;
}

static bool has_driver(const struct engine_back_ends *back_ends)
{
    return device_driver_installed(back_ends->device[BACKEND_CUDA]) ||
           device_driver_installed(back_ends->device[BACKEND_OPENCL]);
}

/* `out` has the GPUs; the first of them decides. */
static int begin_choice(struct backend_choice *out, struct failure *failure)
{
    const enum option_backend asked = out->asked;
    const bool on_device = asked == OPTION_BACKEND_CUDA || asked == OPTION_BACKEND_OPENCL;
    if (asked == OPTION_BACKEND_AUTO) {
        if (!has_driver(out->back_ends) && !backend_choice_look(out))
            backend_choice_take(out, BACKEND_CPU, "%s", out->absence);
        return 0;
    }
    if (on_device && !backend_choice_look(out))
        return failure_advise(failure_set(failure, out->absence_code, "no %s device can be used: %s",
                                          asked == OPTION_BACKEND_CUDA ? "CUDA" : "OpenCL", out->absence),
                              failure, ADVICE_PROCESSORS, 0);
    backend_choice_take(out,
                        on_device                     ? out->devices
                        : asked == OPTION_BACKEND_CPU ? BACKEND_CPU
                                                      : BACKEND_REFERENCE,
                        "it was asked for");
    return 0;
}

int backend_choice_begin(enum option_backend asked, const struct engine_back_ends *back_ends, unsigned device,
                         struct backend_choice *out, struct failure *failure)
{
    *out = (struct backend_choice){.asked = asked,
                                   .back_ends = back_ends != NULL ? back_ends : &back_ends_built,
                                   .devices = asked == OPTION_BACKEND_OPENCL ? BACKEND_OPENCL : BACKEND_CUDA,
                                   .backend = BACKEND_CPU,
                                   .card = {device}};
    if (device > 0 && (asked == OPTION_BACKEND_CPU || asked == OPTION_BACKEND_REFERENCE))
        return device_choice_no_cards("device", backend_asked_word(asked), failure);
    return begin_choice(out, failure);
}

int backend_choice_begin_on(enum option_backend asked, const struct engine_back_ends *back_ends,
                            const char *devices, unsigned device, struct backend_choice *out,
                            struct failure *failure)
{
    struct device_choice chosen;
    if (devices == NULL)
        return backend_choice_begin(asked, back_ends, device, out, failure);
    back_ends = back_ends != NULL ? back_ends : &back_ends_built;
    TRY(device_choice_read(devices, &chosen, failure));
    if (device > 0 || asked == OPTION_BACKEND_OPENCL)
        return device_choice_of_one(device, failure);
    if (asked == OPTION_BACKEND_CPU || asked == OPTION_BACKEND_REFERENCE)
        return device_choice_no_cards("devices", backend_asked_word(asked), failure);
    if (ranks_count() > 1)
        return device_choice_in_ranks(ranks_count(), failure);
    const unsigned there = device_count(back_ends->device[BACKEND_CUDA]);
    if (there > 0)
        TRY(device_choice_settle(&chosen, there, failure));
    *out = (struct backend_choice){.asked = OPTION_BACKEND_CUDA,
                                   .back_ends = back_ends,
                                   .devices = BACKEND_CUDA,
                                   .backend = BACKEND_CPU,
                                   .cards = chosen.count > 1 ? chosen.count : 0};
    for (unsigned n = 0; n < out->cards; n++)
        out->card[n] = chosen.card[n];
    return begin_choice(out, failure);
}

unsigned backend_choice_parts(const struct backend_choice *choice)
{
    if (!backend_is_device(choice->backend))
        return 1;
    return ranks_count() > 1 ? ranks_count() : choice->cards > 1 ? choice->cards : 1;
}
