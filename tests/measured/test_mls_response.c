/* Maximum length sequences: what they are, and the response of a known room. */
#include "src/response/measured/mls_response.h"
#include "src/response/signal/noise.h"
#include "tests/support/outcome.h"

#define ORDER   12
#define PERIOD  ((1 << ORDER) - 1)
#define PERIODS 4
#define ROOM    2000

static float room[2][ROOM], recording[2 * PERIODS * PERIOD];

/* `periods` of the sequence into a silent room of two channels, with an offset. */
static void play(const float *sequence, size_t periods, double offset)
{
    for (size_t c = 0; c < 2; c++)
        for (size_t n = 0; n < periods * PERIOD; n++) {
            double sum = offset;
            for (size_t k = 0; k < ROOM && k <= n; k++)
                sum += (double)room[c][k] * (double)sequence[(n - k) % PERIOD];
            recording[2 * n + c] = (float)sum;
        }
}

static void make_room(void)
{
    struct noise noise = {9};
    for (size_t c = 0; c < 2; c++)
        for (size_t n = 100; n < ROOM; n++)
            room[c][n] = (float)(0.1 * noise_normal(&noise) * exp(-(double)n / 300.0));
    room[0][100] = 1.0F;
    room[1][130] = -0.5F;
}

/* All sums of +1 and -1: one more of the one than of the other, and P or -1 at each shift. */
Test(mls_response, each_order_has_the_autocorrelation_of_its_kind)
{
    for (int order = MLS_ORDER_LEAST; order <= 14; order++) {
        float *sequence;
        size_t period;
        MUST(mls_make(order, &sequence, &failure));
        const size_t expected = ((size_t)1 << order) - 1;
        for (size_t shift = 0; shift < expected; shift += 1 + expected / 500) {
            double sum = 0.0;
            for (size_t n = 0; n < expected; n++)
                sum += (double)sequence[n] * (double)sequence[(n + shift) % expected];
            cr_assert(sum == (shift == 0 ? (double)expected : -1.0), "order %d, %zu: %g", order, shift, sum);
        }
        MUST(mls_find(sequence, expected, &period, &failure));
        cr_assert(eq(sz, period, expected));
        free(sequence);
    }
    for (int order = 15; order <= 20; order++) { /* the register returns after all states and not before */
        float *sequence;
        MUST(mls_make(order, &sequence, &failure));
        const size_t period = ((size_t)1 << order) - 1;
        size_t run = 0, longest = 0;
        double sum = 0.0;
        for (size_t n = 0; n < period + (size_t)order; n++) {
            run = sequence[n % period] < 0.0F ? run + 1 : 0;
            longest = run > longest ? run : longest;
            sum += n < period ? (double)sequence[n] : 0.0;
        }
        cr_assert(sum == -1.0 && longest == (size_t)order, "order %d: %g, %zu", order, sum, longest);
        free(sequence);
    }
}

Test(mls_response, a_known_room_is_found_exactly_in_both_channels)
{
    float *sequence, *out;
    size_t averaged;
    MUST(mls_make(ORDER, &sequence, &failure));
    for (size_t n = 0; n < PERIOD; n++)
        sequence[n] *= 0.25F;
    make_room();
    play(sequence, PERIODS, 0.0);
    MUST(
        mls_response_make(sequence, PERIOD, recording, PERIODS * PERIOD, 2, 8000, &averaged, &out, &failure));
    cr_assert(eq(sz, averaged, PERIODS - 1));
    const size_t before = 400; /* of the largest sample, 50 ms */
    for (size_t c = 0; c < 2; c++)
        for (size_t n = 0; n < PERIOD; n++) {
            const size_t at = n + 100 - before; /* of the room */
            const double known = n + 100 >= before && at < ROOM ? (double)room[c][at] : 0.0;
            cr_assert(test_near((double)out[2 * n + c], known, 1e-5), "%zu of channel %zu: %g, not %g", n, c,
                      (double)out[2 * n + c], known);
        }
    free(out);
    free(sequence);
}

/* An offset of the recorder d is d / a of the sequence's sum, everywhere: it can be removed. */
Test(mls_response, an_offset_becomes_a_constant)
{
    float *sequence, *out;
    MUST(mls_make(ORDER, &sequence, &failure));
    make_room();
    play(sequence, 2, 0.125);
    MUST(mls_response_make(sequence, PERIOD, recording, 2 * PERIOD, 2, 8000, NULL, &out, &failure));
    const double constant = (double)out[2 * (PERIOD - 1)];
    cr_assert(test_near(fabs(constant), 0.125, 1e-5), "%g", constant);
    cr_assert(test_near((double)out[2 * 400] - constant, 1.0, 1e-5));
    free(out);
    free(sequence);
}

Test(mls_response, what_is_no_sequence_is_refused)
{
    float *sequence, *out = NULL;
    size_t period;
    MUST(mls_make(10, &sequence, &failure));
    sequence[7] = 0.5F;
    MUST_FAIL(mls_find(sequence, 1023, &period, &failure), FAILURE_INPUT, "sample 7 is 0.5");
    sequence[7] = -1.0F;
    for (size_t n = 0; n < 1023; n += 3)
        sequence[n] = 1.0F;
    MUST_FAIL(mls_find(sequence, 1023, &period, &failure), FAILURE_INPUT, "no period of 2^n - 1");
    MUST_FAIL(mls_response_make(sequence, 1023, recording, 1000, 1, 8000, NULL, &out, &failure),
              FAILURE_INPUT, "has 1000 samples and a period of the sequence 1023");
    memset(recording, 0, sizeof recording);
    MUST_FAIL(mls_response_make(sequence, 1023, recording, 2046, 1, 8000, NULL, &out, &failure),
              FAILURE_INPUT, "silent");
    MUST_FAIL(mls_make(5, &out, &failure), FAILURE_INPUT, "order 5");
    free(sequence);
}
