/** What every fuzz target claims about a call that may fail, and how a broken claim ends the run. */
#ifndef TESTS_FUZZ_CLAIMS_H
#define TESTS_FUZZ_CLAIMS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/failure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not assert(): a build without debugging must claim the same. */
#define CLAIM(what)                                                                                          \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            fprintf(stderr, "%s:%d: the claim %s does not hold\n", __FILE__, __LINE__, #what);               \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/** Success leaves no sentence; failure has one line of plain text and a code that input can cause. */
static inline void claim_outcome(int code, const struct failure *failure)
{
    if (code == 0) {
        CLAIM(failure->code == FAILURE_NONE && failure->sentence[0] == '\0');
        return;
    }
    CLAIM(code == FAILURE_INPUT || code == FAILURE_CAPACITY);
    CLAIM((int)failure->code == code);
    CLAIM(failure->sentence[0] != '\0');
    for (const char *c = failure->sentence; *c != '\0'; c++)
        CLAIM((unsigned char)*c >= ' ' && *c != 0x7F);
}

/** The input as a string: a copy with a zero behind it, freed by the caller. */
static inline char *copy_of_input(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    CLAIM(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
