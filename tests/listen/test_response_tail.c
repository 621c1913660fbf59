/* Responses with the decay of each octave known, cut where a run ends, go on as they would have. */
#include "src/listen/response_tail.h"
#include "src/response/acoustics/band_energy.h"
#include "src/response/diffuse/random_sound.h"
#include "src/response/signal/response.h"
#include "tests/support/outcome.h"

#define BIN     0.002
#define HIGHEST 5680.0
#define OCTAVES 7

static const double seconds_60[OCTAVE_BANDS_MAX] = {1.8, 2.0, 1.9, 1.8, 1.7, 1.6, 1.6};

/* Energy 1 in each of the lowest octaves, from sample 0 on; `frames` of each channel, another draw. */
static struct wav_sound decaying(size_t frames, int channels, int octaves)
{
    const size_t bins = (size_t)ceil((double)frames / RESPONSE_RATE / BIN) + 1;
    double(*energy)[OCTAVE_BANDS_MAX] = test_keep(calloc(bins, sizeof *energy));
    float *one = test_keep(calloc(frames, sizeof *one));
    struct wav_sound sound = {.sample = calloc(frames * (size_t)channels, sizeof(float)),
                              .frames = frames,
                              .channels = channels,
                              .rate = RESPONSE_RATE};
    for (size_t b = 0; b < bins; b++)
        for (int o = 0; o < octaves; o++) {
            const double fall = log(1e6) * BIN / seconds_60[o];
            energy[b][o] = -expm1(-fall) * exp(-fall * (double)b);
        }
    for (int c = 0; c < channels; c++) {
        const struct random_sound_task task = {.bin = BIN,
                                               .bins = bins,
                                               .energy = energy[0],
                                               .volume = 1e-3,
                                               .sound_speed = 343,
                                               .seed = 90 + (uint64_t)c};
        MUST(random_sound_make(&task, frames, one, &failure));
        for (size_t n = 0; n < frames; n++)
            sound.sample[n * (size_t)channels + (size_t)c] = one[n];
    }
    return sound;
}

/* Of an octave between two times, from an impulse's. */
static double energy_between(const struct wav_sound *sound, int channel, int octave, double from, double to)
{
    const double centre = 1000 * pow(10, 0.3 * (octave - 4));
    const size_t first = (size_t)lround(from * RESPONSE_RATE), last = (size_t)lround(to * RESPONSE_RATE);
    float *one = test_keep(malloc(sound->frames * sizeof *one));
    double *band = test_keep(malloc(sound->frames * sizeof *band)), sum = 0;
    for (size_t n = 0; n < sound->frames; n++)
        one[n] = sound->sample[n * (size_t)sound->channels + (size_t)channel];
    band_filter_backwards(BANDS_OCTAVE, one, sound->frames, RESPONSE_RATE, centre, band);
    for (size_t n = first; n < last; n++)
        sum += band[n] * band[n];
    return sum / band_energy_of_impulse(BANDS_OCTAVE, centre, RESPONSE_RATE, HIGHEST);
}

static double expected_between(int octave, double from, double to)
{
    const double rate = log(1e6) / seconds_60[octave];
    return exp(-rate * from) - exp(-rate * to);
}

Test(response_tail, every_octave_goes_on_by_its_own_decay_in_every_channel)
{
    const double end = 1.6; /* 48 dB of the slowest */
    struct wav_sound cut = decaying((size_t)lround(end * RESPONSE_RATE), 2, OCTAVES);
    const size_t frames = cut.frames;
    float *before = test_keep(malloc(2 * frames * sizeof *before));
    double from, mean = 0;
    size_t counted = 0;
    memcpy(before, cut.sample, 2 * frames * sizeof *before);
    MUST(response_tail_add(&cut, HIGHEST, 0, &from, &failure));
    cr_assert(test_near(from, end - TAIL_JOIN, 1e-9));
    cr_assert(memcmp(before, cut.sample, 2 * (size_t)lround(from * RESPONSE_RATE) * sizeof *before) == 0);
    /* To 90 dB under the start of the slowest, 3 s, but for what its decay is known by. */
    cr_assert(test_near((double)cut.frames / RESPONSE_RATE, 3, 0.2), "%zu", cut.frames);
    /* Through the join, and after it: the mean of the draws is the decay. */
    for (int c = 0; c < 2; c++)
        for (int o = 0; o < OCTAVES; o++)
            for (double t = end - TAIL_JOIN; t < end + 0.55; t += 0.2) {
                const double off =
                    10 * log10(energy_between(&cut, c, o, t, t + 0.2) / expected_between(o, t, t + 0.2));
                cr_expect(fabs(off) < (o < 2 ? 5 : 3), "channel %d, octave %d at %g s: %g dB", c, o, t, off);
                mean += off;
                counted++;
            }
    cr_assert(fabs(mean / (double)counted) < 1, "%g dB", mean / (double)counted);
    double sum[3] = {0};
    for (const float *at = cut.sample + 2 * frames; at < cut.sample + 2 * cut.frames; at += 2) {
        sum[0] += at[0] * at[0];
        sum[1] += at[1] * at[1];
        sum[2] += at[0] * at[1];
    }
    cr_assert(fabs(sum[2]) < 0.3 * sqrt(sum[0] * sum[1]), "correlated by %g", sum[2] / sqrt(sum[0] * sum[1]));
    wav_sound_free(&cut);
}

/* Of low octaves alone, whose samples differ little from one to the next. */
Test(response_tail, the_join_has_no_step)
{
    struct wav_sound whole = decaying(2 * RESPONSE_RATE, 1, 2), cut = decaying(RESPONSE_RATE * 8 / 5, 1, 2);
    double from, before = 0, step = 0;
    MUST(response_tail_add(&cut, 177, 0, &from, &failure));
    for (size_t n = RESPONSE_RATE * 14 / 10; n < RESPONSE_RATE * 18 / 10; n++) {
        const double here = fabs((double)whole.sample[n] - whole.sample[n - 1]),
                     there = fabs((double)cut.sample[n] - cut.sample[n - 1]);
        before = fmax(before, here);
        step = fmax(step, there);
    }
    cr_assert(step < 1.5 * before, "%g of %g", step, before);
    wav_sound_free(&whole);
    wav_sound_free(&cut);
}

Test(response_tail, a_response_that_has_died_away_or_has_no_decay_stays_as_it_is)
{
    double from = 0;
    struct wav_sound whole = decaying(7 * RESPONSE_RATE / 2, 1, OCTAVES);
    const size_t frames = whole.frames;
    MUST(response_tail_add(&whole, HIGHEST, 0, &from, &failure));
    cr_assert(isnan(from) && whole.frames == frames);
    for (size_t n = 0; n < frames; n++) /* a direct sound */
        whole.sample[n] = n == 100 ? 1.0F : 0.0F;
    MUST(response_tail_add(&whole, HIGHEST, 100.0 / RESPONSE_RATE, &from, &failure));
    cr_assert(isnan(from) && whole.frames == frames);
    MUST(response_tail_add(&whole, NAN, 0, &from, &failure));
    cr_assert(isnan(from));
    MUST(response_tail_add(&whole, HIGHEST, NAN, &from, &failure));
    cr_assert(isnan(from));
    whole.frames = 1000; /* shorter than the join */
    MUST(response_tail_add(&whole, HIGHEST, 0, &from, &failure));
    cr_assert(isnan(from));
    wav_sound_free(&whole);
}
