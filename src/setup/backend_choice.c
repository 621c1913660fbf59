#include "src/setup/backend_choice.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/options/failure_text.h"

const char *backend_word(enum backend backend)
{
    return backend == BACKEND_CUDA ? "cuda" : backend == BACKEND_REFERENCE ? "reference" : "cpu";
}

const char *backend_asked_word(enum option_backend asked)
{
    static const char *const word[] = {"auto", "cuda", "cpu", "reference"};
    return word[asked];
}

void backend_choice_lose(struct backend_choice *choice, const char *why)
{
    choice->looked = true;
    choice->found = false;
    (void)snprintf(choice->absence, sizeof choice->absence, "%s", why);
}

bool backend_choice_look(struct backend_choice *choice)
{
    struct failure failure = {0};
    if (choice->looked)
        return choice->found;
    choice->looked = true;
    choice->found = device_find(&choice->device, &failure) == 0;
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

int backend_choice_begin(enum option_backend asked, struct backend_choice *out, struct failure *failure)
{
    *out = (struct backend_choice){.asked = asked, .backend = BACKEND_CPU};
    if (asked == OPTION_BACKEND_AUTO) {
        if (!device_driver_installed() && !backend_choice_look(out))
            backend_choice_take(out, BACKEND_CPU, "%s", out->absence);
        return 0;
    }
    if (asked == OPTION_BACKEND_CUDA && !backend_choice_look(out))
        return failure_advise(
            failure_set(failure, out->absence_code, "no CUDA device can be used: %s", out->absence), failure,
            ADVICE_PROCESSORS, 0);
    backend_choice_take(out,
                        asked == OPTION_BACKEND_CUDA  ? BACKEND_CUDA
                        : asked == OPTION_BACKEND_CPU ? BACKEND_CPU
                                                      : BACKEND_REFERENCE,
                        "it was asked for");
    return 0;
}
