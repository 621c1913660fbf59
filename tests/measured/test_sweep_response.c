/* Deconvolved sweeps against the response that the recording was made with. */
#include "src/response/measured/sweep_response.h"
#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/signal/convolution.h"
#include "src/response/signal/noise.h"
#include "tests/support/sounds.h"

#define RATE    48000
#define SECONDS 3
#define SWEEP   (SECONDS * RATE)
#define ROOM    (2 * RATE)
#define RECORD  (SWEEP + ROOM + RATE / 2)
#define LOW     30.0
#define HIGH    11000.0 /* twice of it is below half the rate: no harmonic folds back */
#define SIZE    0.5
#define DELAY   4800 /* of the direct sound */
#define TIME    0.8  /* reverberation time [s] */

static float sweep[SWEEP], room[2 * ROOM], recording[2 * RECORD];

/* From f1 to f2, faded in and out by 10 ms. */
static void make_sweep(bool exponential)
{
    const double rise = SECONDS / log(HIGH / LOW), pi = 3.14159265358979323846;
    for (size_t n = 0; n < SWEEP; n++) {
        const double t = (double)n / RATE, fade = fmin(1.0, fmin(t, SECONDS - t) / 0.01);
        const double phase =
            exponential ? LOW * rise * (exp(t / rise) - 1.0) : LOW * t + 0.5 * (HIGH - LOW) * t * t / SECONDS;
        sweep[n] = (float)(SIZE * sin(0.5 * pi * fade) * sin(2.0 * pi * phase));
    }
}

/* A direct sound, and noise that decays. */
static void make_room(double direct)
{
    struct noise noise = {3};
    memset(room, 0, sizeof room);
    room[DELAY] = (float)direct;
    for (size_t n = DELAY + 240; n < ROOM; n++)
        room[n] = (float)(0.05 * noise_normal(&noise) * fallen((double)(n - DELAY) / RATE, TIME));
}

/* The sweep with `square` times its square, through the room, into channel `channel` of `channels`. */
static void play(double square, size_t channel, size_t channels)
{
    struct convolution through = {0};
    MUST(convolution_make(room, ROOM, 1, &through, &failure));
    double *in = test_keep(calloc(2 * through.block, sizeof *in)), *out = in + through.block;
    for (size_t from = 0; from < RECORD; from += through.block) {
        for (size_t n = 0; n < through.block; n++) {
            const double x = from + n < SWEEP ? (double)sweep[from + n] : 0.0;
            in[n] = x + square * x * x;
        }
        convolution_step(&through, in, out);
        for (size_t n = 0; n < through.block && from + n < RECORD; n++)
            recording[(from + n) * channels + channel] = (float)out[n];
    }
    convolution_free(&through);
}

/* Of the recorder. */
static void add_noise(double size)
{
    struct noise noise = {5};
    for (size_t n = 0; n < RECORD; n++)
        recording[n] += (float)(size * noise_normal(&noise));
}

static float *respond(size_t channels, struct sweep_facts *facts, size_t *frames)
{
    float *out = NULL;
    MUST(sweep_response_make(sweep, SWEEP, recording, RECORD, channels, RATE, facts, &out, frames, &failure));
    return test_keep(out);
}

static double energy(const float *x, size_t from, size_t to, size_t step)
{
    double sum = 0.0;
    for (size_t n = from; n < to; n++)
        sum += (double)x[n * step] * (double)x[n * step];
    return sum;
}

/* A room of one reflection. */
static void make_click(size_t at, float value)
{
    memset(room, 0, sizeof room);
    room[at] = value;
}

Test(sweep_response, a_sweep_is_known_by_its_zero_crossings)
{
    struct sweep_facts facts;
    make_sweep(true);
    sweep_facts_find(sweep, SWEEP, RATE, &facts);
    const double rise = SECONDS / log(HIGH / LOW);
    cr_assert(facts.exponential && test_near(facts.rise, rise, 0.01 * rise), "%g of %g", facts.rise, rise);
    cr_assert(test_near(facts.low, LOW, 0.1 * LOW) && test_near(facts.high, HIGH, 0.05 * HIGH), "%g to %g",
              facts.low, facts.high);
    make_sweep(false);
    sweep_facts_find(sweep, SWEEP, RATE, &facts);
    cr_assert(not(facts.exponential));
    struct noise noise = {1};
    for (size_t n = 0; n < SWEEP; n++)
        sweep[n] = (float)noise_normal(&noise);
    sweep_facts_find(sweep, SWEEP, RATE, &facts);
    cr_assert(not(facts.exponential));
}

/* x + q x^2 has a second harmonic of q A / 2 times the amplitude: -26 dB. None of it enters the response,
 * whose direct sound, clarity and decay are those of the room; in a linear sweep it does. */
Test(sweep_response, harmonics_of_a_quadratic_distortion_are_set_aside_at_their_level)
{
    struct sweep_facts facts;
    size_t frames;
    make_sweep(true);
    make_room(1.0);
    play(0.2, 0, 1);
    add_noise(1e-5);
    const float *distorted = respond(1, &facts, &frames);
    cr_assert(test_near(facts.harmonic[0], 20.0 * log10(0.2 * SIZE / 2.0), 1.0), "%g dB", facts.harmonic[0]);
    cr_assert(lt(dbl, facts.harmonic[1], -50.0), "a square has no third: %g dB", facts.harmonic[1]);
    float *kept = test_keep(malloc(frames * sizeof *kept));
    memcpy(kept, distorted, frames * sizeof *kept);
    play(0.0, 0, 1);
    add_noise(1e-5);
    const float *clean = respond(1, &facts, &frames);
    cr_assert(lt(dbl, facts.harmonic[0], -50.0), "%g dB", facts.harmonic[0]);
    /* The response begins L ln 2 - 50 ms = 0.30 s after its second harmonic, whose own decay has then fallen
     * from -26 dB by 23 dB. */
    double apart = 0.0;
    for (size_t n = 0; n < frames; n++)
        apart += (double)(kept[n] - clean[n]) * (double)(kept[n] - clean[n]);
    cr_assert(lt(dbl, 10.0 * log10(apart / energy(clean, 0, frames, 1)), -46.0), "%g dB",
              10.0 * log10(apart / energy(clean, 0, frames, 1)));
    struct acoustic_figures figures, known;
    MUST(acoustic_figures_make(kept, frames, RATE, 5680, 0.05, NAN, &figures, &failure));
    MUST(acoustic_figures_make(room, ROOM, RATE, 5680, (double)DELAY / RATE, NAN, &known, &failure));
    for (size_t b = 1; b < figures.bands; b++) {
        cr_assert(test_near(figures.octave[b].times.t30 / known.octave[b].times.t30, 1.0, 0.005),
                  "%zu: %g, %g s", b, figures.octave[b].times.t30, known.octave[b].times.t30);
        cr_assert(test_near(figures.octave[b].c80, known.octave[b].c80, 0.15), "%zu: %g, %g dB", b,
                  figures.octave[b].c80, known.octave[b].c80);
    }
}

/* Both channels begin together, whichever is the louder; and the response has the units of recording over
 * sweep. */
Test(sweep_response, channels_keep_their_time_and_level)
{
    struct sweep_facts facts;
    size_t frames;
    make_sweep(true);
    make_click(DELAY, 0.25F);
    play(0.0, 0, 2);
    make_click(DELAY + 480, -0.5F);
    play(0.0, 1, 2);
    const float *both = respond(2, &facts, &frames);
    size_t top[2] = {0, 0};
    for (size_t c = 0; c < 2; c++)
        for (size_t n = 0; n < frames; n++)
            top[c] = fabsf(both[2 * n + c]) > fabsf(both[2 * top[c] + c]) ? n : top[c];
    cr_assert(eq(sz, top[1] - top[0], 480));
    for (double f = 100.0; f < 10000.0; f *= 2.0) {
        float *one = test_keep(malloc(frames * sizeof *one));
        for (size_t c = 0; c < 2; c++) {
            for (size_t n = 0; n < frames; n++)
                one[n] = both[2 * n + c];
            cr_assert(test_near(cabs(spectrum_at(one, frames, f, RATE)), 0.25 * (double)(c + 1), 0.003),
                      "%g Hz: %g", f, cabs(spectrum_at(one, frames, f, RATE)));
        }
    }
}

Test(sweep_response, noise_is_reported_under_the_largest_sample)
{
    struct sweep_facts facts;
    size_t frames;
    make_sweep(true);
    make_click(DELAY, 1.0F);
    play(0.0, 0, 1);
    add_noise(1e-3);
    const float *out = respond(1, &facts, &frames);
    const double mean = energy(out, frames - 4800, frames, 1) / 4800.0;
    cr_assert(test_near(facts.noise, 10.0 * log10(mean) - 20.0 * log10((double)fabsf(out[2400])), 1.0),
              "%g dB", facts.noise);
    cr_assert(lt(dbl, facts.noise, -40.0));
}

Test(sweep_response, a_recording_that_ends_with_the_sweep_is_refused_with_its_length)
{
    struct sweep_facts facts;
    float *out = NULL;
    size_t frames;
    make_sweep(true);
    make_room(1.0);
    play(0.0, 0, 1);
    MUST_FAIL(
        sweep_response_make(sweep, SWEEP, recording, SWEEP - 10, 1, RATE, &facts, &out, &frames, &failure),
        FAILURE_INPUT, "is 3 s long and the sweep 3 s");
    MUST_FAIL(sweep_response_make(sweep, SWEEP, recording, SWEEP + DELAY + 2400, 1, RATE, &facts, &out,
                                  &frames, &failure),
              FAILURE_INPUT, "ends 0.05");
    memset(recording, 0, sizeof recording);
    MUST_FAIL(sweep_response_make(sweep, SWEEP, recording, RECORD, 1, RATE, &facts, &out, &frames, &failure),
              FAILURE_INPUT, "silent");
}
