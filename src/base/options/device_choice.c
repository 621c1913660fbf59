#include "src/base/options/device_choice.h"

#include <ctype.h>
#include <string.h>

static int refuse_text(const char *text, struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT,
                       "--devices '%.100s': give all, a number of GPUs (2), or a list of them (0,2)", text);
}

/* A number below a million at *at, which moves behind it. */
static bool read_number(const char **at, unsigned *number)
{
    const char *const start = *at;
    *number = 0;
    for (; isdigit((unsigned char)**at) && *at - start < 6; ++*at)
        *number = 10 * *number + (unsigned)(**at - '0');
    return *at > start;
}

static int take_card(const char *text, unsigned card, struct device_choice *choice, struct failure *failure)
{
    for (unsigned n = 0; n < choice->count; n++)
        if (choice->card[n] == card)
            return failure_set(failure, FAILURE_INPUT, "--devices %.100s names GPU %u twice", text, card);
    if (choice->count == DEVICES_MOST)
        return failure_set(failure, FAILURE_INPUT, "--devices names more than %d GPUs", DEVICES_MOST);
    choice->card[choice->count++] = card;
    return 0;
}

static int take_count(const char *text, unsigned count, struct device_choice *choice, struct failure *failure)
{
    if (count == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "--devices 0: at least one GPU is needed (--backend cpu uses none)");
    if (count > DEVICES_MOST)
        return failure_set(failure, FAILURE_INPUT, "--devices %.100s: the limit is %d GPUs", text,
                           DEVICES_MOST);
    for (unsigned n = 0; n < count; n++)
        choice->card[n] = n;
    choice->count = count;
    return 0;
}

int device_choice_read(const char *text, struct device_choice *out, struct failure *failure)
{
    struct device_choice choice = {.all = strcmp(text, "all") == 0};
    const char *at = text;
    unsigned number = 0;
    int code = 0;
    if (!choice.all && !read_number(&at, &number))
        return refuse_text(text, failure);
    if (!choice.all && *at == '\0')
        code = take_count(text, number, &choice, failure);
    else if (!choice.all)
        code = take_card(text, number, &choice, failure);
    while (code == 0 && !choice.all && *at != '\0') {
        if (*at++ != ',' || !read_number(&at, &number))
            return refuse_text(text, failure);
        code = take_card(text, number, &choice, failure);
    }
    if (code == 0)
        *out = choice;
    return code;
}

int device_choice_settle(struct device_choice *choice, unsigned there, struct failure *failure)
{
    unsigned missing = 0;
    if (choice->all && there > 0)
        return take_count("all", there < DEVICES_MOST ? there : DEVICES_MOST, choice, failure);
    while (missing < choice->count && choice->card[missing] < there)
        missing++;
    if (missing == choice->count && choice->count > 0)
        return 0;
    return failure_set(failure, FAILURE_CAPACITY,
                       "--devices names GPU %u, but this machine has %u, counted from 0",
                       choice->card[missing], there);
}

int device_choice_no_cards(const char *option, const char *backend, struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT, "--%s names GPUs, but --backend %s uses none", option,
                       backend);
}

int device_choice_of_one(unsigned device, struct failure *failure)
{
    if (device > 0)
        return failure_set(failure, FAILURE_INPUT,
                           "--device %u and --devices both name GPUs: give one of them", device);
    return failure_set(
        failure, FAILURE_INPUT,
        "--devices divides a room among CUDA GPUs, and --backend opencl uses one: name it with "
        "--device");
}

int device_choice_in_ranks(unsigned ranks, struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT,
                       "--devices is for one process: each of %u MPI ranks uses one GPU of its host", ranks);
}

int device_choice_in_box(struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT, "several GPUs need --layout blocks");
}
