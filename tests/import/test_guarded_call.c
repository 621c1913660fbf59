/** Calls of libraries that crash without memory, one within another. */
#include <errno.h>

#include "geometry/base/guarded_call.h"
#include "tests/support/test_support.h"

static void fine(void *context)
{
    *(int *)context += 1;
}

static void crashes(void *context)
{
    (void)context;
    errno = ENOMEM;
    abort();
}

static void fails_within_and_crashes(void *context)
{
    int *steps = context;
    *steps += guarded_call(crashes, NULL) ? 0 : 1;
    *steps += guarded_call(fine, steps) ? 1 : 0;
    crashes(NULL);
    *steps = -1;
}

static void lacks_memory_before_a_fine_call(void *context)
{
    errno = ENOMEM;
    (void)guarded_call(fine, context);
}

Test(guarded_call, one_that_crashed_ends_itself_and_not_the_one_around_it)
{
    int steps = 0;
    cr_assert(not(guarded_call(fails_within_and_crashes, &steps)));
    cr_assert(eq(int, steps, 3));
    cr_assert(eq(int, errno, ENOMEM));
    cr_assert(guarded_call(fine, &steps));
    cr_assert(eq(int, errno, 0));
}

Test(guarded_call, memory_that_was_lacking_before_a_call_within_is_told)
{
    int steps = 0;
    cr_assert(guarded_call(lacks_memory_before_a_fine_call, &steps));
    cr_assert(eq(int, steps, 1));
    cr_assert(eq(int, errno, ENOMEM));
}
