/** What a suite says of calls that can fail: one failure for the whole file (every test is a process of its
 * own), and the two claims made of it. */
#ifndef TESTS_OUTCOME_H
#define TESTS_OUTCOME_H

#include "geometry/base/failure.h"
#include "tests/support/test_support.h"

static struct failure failure;

/** The call must succeed. */
#define MUST(call) cr_assert(eq(int, (call), 0), "%s", failure.sentence)

/** The call must fail with that code, and its sentence must hold these words. */
#define MUST_FAIL(call, expected, words)                                                                     \
    do {                                                                                                     \
        cr_assert(eq(int, (call), (expected)), "%s", failure.sentence);                                      \
        cr_assert(strstr(failure.sentence, (words)) != NULL, "no \"%s\" in: %s", (words), failure.sentence); \
    } while (0)

#endif
