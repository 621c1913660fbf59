/** Shared checks for the tests: comparisons that NaN cannot pass, seeded random numbers, third-party data;
 * and the headers of Criterion and of the C library that nearly every suite uses. */
#ifndef TESTS_TEST_SUPPORT_H
#define TESTS_TEST_SUPPORT_H

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** True when |a - b| <= tolerance; false for NaN and for infinity minus infinity. */
bool test_near(double a, double b, double tolerance);

/** a > b, a >= b, a <= b; false for NaN. Criterion 2.4's gt, ge and le are the opposite of its lt: gt lets
 * equal numbers pass, and all three let NaN pass. */
static inline bool test_above(double a, double b)
{
    return a > b;
}
static inline bool test_at_least(double a, double b)
{
    return a >= b;
}
static inline bool test_at_most(double a, double b)
{
    return a <= b;
}

/** SplitMix64: a small seeded generator, the same on every machine. `state` is the seed and is advanced. */
uint64_t test_random(uint64_t *state);

/** Uniform in [low, high). */
double test_uniform(uint64_t *state, double low, double high);

/** What a test reads stays until its process ends: it can be reached from here, so it is no leak. Returns
 * `memory`, which must not be NULL. */
void *test_keep(void *memory);

/** How many of `whole` rooms or steps a test takes: a tenth, and all where the environment's
 * TRANSEPT_TEST_LENGTH is "whole". */
size_t test_share(size_t whole);

/** The program that is tested, and the folder that holds the tests' data as the source tree does: those of
 * the build, or what the environment's TRANSEPT_TEST_PROGRAM and TRANSEPT_TEST_SOURCE_DIR say, as in a
 * bundle. */
const char *test_program(void);
const char *test_source_dir(void);
#define TEST_PROGRAM test_program()

/** Path of a file under test_source_dir(). The string belongs to this module and is overwritten by the next
 * call. */
const char *test_source_file(const char *relative);

/** Path of a third-party file under ../shared/data seen from the source tree, or NULL (after printing one
 * line that says the test is skipped) where it is absent, as on a user's machine. The string belongs to the
 * caller's static storage of this module and is overwritten by the next call. */
const char *test_shared_data(const char *relative);

#endif
