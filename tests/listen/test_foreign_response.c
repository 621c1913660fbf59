/* What can be found out about a response of unknown origin. */
#include "src/listen/foreign_onset.h"
#include "src/listen/foreign_response.h"
#include "src/response/signal/band_filters.h"
#include "src/response/signal/low_pass.h"
#include "tests/support/outcome.h"

#define RATE 48000
#define PI   3.14159265358979323846

static struct foreign_onset onset_of(const float *sample, size_t count, double rate)
{
    struct foreign_onset onset;
    MUST(foreign_onset_find(sample, count, rate, &onset, &failure));
    return onset;
}

Test(foreign_response, sound_arrives_at_the_first_sample_within_20_db_of_the_largest)
{
    float sample[1000] = {0};
    sample[100] = 0.099F;
    sample[200] = -0.101F;
    sample[300] = 1;
    cr_assert(test_near(onset_of(sample, 1000, 48000).time, 200 / 48000.0, 1e-12));
    sample[300] = 0;
    cr_assert(test_near(onset_of(sample, 1000, 8000).time, 100 / 8000.0, 1e-12));
    const float silence[10] = {0};
    cr_assert(onset_of(silence, 10, 48000).time == 0);
}

/* Sound that arrives at AT and decays; what comes besides is `below` [dB] under its largest sample. */
enum { AT = RATE / 2, LONG = 3 * RATE };
enum besides { HUM, MAINS, HUM_THAT_ENDS, RUMBLE, NOISE, SWEEP, WEAK_DIRECT, BUILT_UP, CUT_EARLY, REVERSED };

static float *arriving(enum besides besides, double below, double direct)
{
    float *sample = test_keep(calloc(LONG, sizeof *sample));
    uint64_t seed = 3, other = 8;
    const double level = pow(10.0, -0.05 * below);
    double low[2] = {0};
    for (int n = 0; n < LONG; n++) {
        const double t = (double)n / RATE, later = (double)(n - AT) / RATE;
        const double noise = test_uniform(&other, -1, 1), decay = test_uniform(&seed, -1, 1);
        double x = n == AT ? direct : n > AT ? 0.9 * decay * exp(-7.0 * later) : 0.0;
        low[0] += 0.004 * (noise - low[0]);
        low[1] += 0.004 * (low[0] - low[1]);
        const double since = t - 0.2; /* of a pre-response, 0.3 s before */
        switch (besides) {
        case HUM:
            x += level * sin(2 * PI * 25 * t);
            break;
        case MAINS:
            x += level * sin(2 * PI * 100 * t);
            break;
        case HUM_THAT_ENDS:
            x += t < 1.5 ? level * sin(2 * PI * 50 * t) : 0.0;
            break;
        case RUMBLE:
            x += level * low[1] / 0.06;
            break;
        case NOISE:
            x += level * noise;
            break;
        case SWEEP:
            x += since >= 0.0 && n < AT ? level * noise * exp(-7.0 * since) : 0.0;
            break;
        case WEAK_DIRECT:
            x = n == AT ? level : n > AT + RATE / 50 ? (n == AT + RATE / 40 ? 1.0 : 0.5 * x) : 0.0;
            break;
        case BUILT_UP:
            x = n >= AT ? decay * fmin(1.0, level + 20 * later) * exp(-7.0 * later) : 0.0;
            break;
        case CUT_EARLY:
            x = n >= AT ? (n == AT ? direct : decay * exp(-1.5 * later)) : 0.0;
            break;
        case REVERSED:
            x = n >= AT && later < 1.0 ? decay * exp(2.3 * (later - 1.0)) : 0.0;
            break;
        }
        sample[n] = (float)x;
    }
    return sample;
}

Test(foreign_response, hum_noise_and_what_a_sweep_leaves_before_the_sound_do_not_move_its_onset_in_silence)
{
    static const struct {
        enum besides besides;
        double least, most;
        enum foreign_before before;
    } row[] = {
        {HUM, 14, 19, BEFORE_LOW},           {MAINS, 14, 19, BEFORE_LOW},
        {HUM_THAT_ENDS, 14, 19, BEFORE_LOW}, {RUMBLE, 14, 17, BEFORE_LOW},
        {NOISE, 14, 19, BEFORE_NOISE},       {SWEEP, 14, 19, BEFORE_WEAKER},
        {HUM, 40, 60, BEFORE_NOTHING},       {NOISE, 40, 60, BEFORE_NOTHING},
        {SWEEP, 21, 40, BEFORE_NOTHING},     {WEAK_DIRECT, 15, 19, BEFORE_PERHAPS},
        {BUILT_UP, 14, 18, BEFORE_NOTHING},  {CUT_EARLY, 0, 0, BEFORE_NOTHING},
        {REVERSED, 0, 0, BEFORE_RISING},
    };
    char text[FOREIGN_ONSET_TEXT];
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        for (int end = 0; end < 2; end++) {
            float *sample = arriving(row[i].besides, end == 0 ? row[i].least : row[i].most, 1.0);
            const struct foreign_onset onset = onset_of(sample, LONG, RATE);
            cr_expect(row[i].before == BEFORE_RISING || test_near(onset.time, (double)AT / RATE, 0.0005),
                      "row %zu: %g s", i, onset.time);
            cr_expect(eq(int, (int)onset.before, (int)row[i].before), "row %zu", i);
            foreign_onset_tell(&onset, text);
            cr_expect(eq(int, text[0] == '\0', row[i].before == BEFORE_NOTHING), "row %zu", i);
        }
}

/* ---- what is mended ---- */

static struct wav_sound sound_of(float *sample, size_t frames, int channels)
{
    return (struct wav_sound){.sample = sample, .frames = frames, .channels = channels, .rate = RATE};
}

Test(foreign_response, a_constant_offset_is_taken_off_and_nothing_else)
{
    enum { COUNT = 48000 };
    static float sample[2 * COUNT], clean[COUNT];
    struct foreign_damage damage;
    uint64_t seed = 9;
    for (int n = 0; n < COUNT; n++)
        clean[n] = (float)(test_uniform(&seed, -1, 1) * exp(-n / 4000.0));
    static const double offset[] = {0.1, -0.001, 0};
    for (int o = 0; o < 3; o++) {
        for (int n = 0; n < 2 * COUNT; n++)
            sample[n] = clean[n / 2] + (n % 2 == 1 ? (float)offset[o] : 0.0F);
        struct wav_sound sound = sound_of(sample, COUNT, 2);
        foreign_mend(&sound, &damage);
        cr_assert(test_near((double)damage.offset, (double)offset[o], 1e-6));
        cr_assert(damage.offset_channel == (offset[o] != 0.0 ? 2 : 0));
        for (int n = 0; n < 2 * COUNT; n++)
            cr_assert(test_near((double)sample[n], (double)clean[n / 2], 1e-6));
    }
    for (int n = 0; n < COUNT; n++) /* 30 Hz that goes on */
        sample[n] = (float)cos(2 * PI * 30 * n / 48000.0);
    struct wav_sound sound = sound_of(sample, COUNT, 1);
    foreign_mend(&sound, &damage);
    cr_assert(damage.offset == 0 && sample[0] == 1.0F);
    const float pulse[2] = {1, 1};
    memcpy(sample, pulse, sizeof pulse);
    for (size_t count = 0; count <= 2; count += 2) {
        sound = sound_of(sample, count, 1);
        foreign_mend(&sound, &damage);
        cr_assert(damage.offset == 0);
    }
}

/* A decay of noise, louder by `over` than what its recorder takes, in steps of `bits`; 0: floating point. */
static size_t clipped_of(double over, double top, double bottom, int bits, bool low)
{
    enum { COUNT = RATE };
    float *sample = test_keep(malloc(COUNT * sizeof *sample));
    struct foreign_damage damage;
    uint64_t seed = 5;
    double state = 0.0;
    for (int n = 0; n < COUNT; n++) {
        state += (low ? 0.02 : 1.0) * (test_uniform(&seed, -1, 1) - state);
        const double x = over * (low ? 8.0 : 1.0) * state * exp(-n / 8000.0);
        const double step = bits > 0 ? pow(2.0, 1 - bits) : 0.0;
        const double kept = fmin(fmax(x, -bottom), top);
        sample[n] = (float)(bits > 0 ? fmin(round(kept / step), 1.0 / step - 1.0) * step : kept);
    }
    struct wav_sound sound = sound_of(sample, COUNT, 1);
    foreign_mend(&sound, &damage);
    return damage.clipped;
}

Test(foreign_response, samples_that_stand_at_full_scale_or_at_a_flat_top_below_it_are_seen_and_no_others)
{
    static const int bits[] = {16, 24, 0};
    for (int b = 0; b < 3; b++)
        for (int low = 0; low < 2; low++) {
            cr_expect(clipped_of(3.0, 1.0, 1.0, bits[b], low) > 100, "%d bits, %d", bits[b], low);
            cr_expect(clipped_of(3.0, 0.4, 0.4, bits[b], low) > 100, "%d bits, %d", bits[b], low);
            cr_expect(clipped_of(2.0, 0.7, 1.0, bits[b], low) > 20, "%d bits, %d", bits[b], low);
            cr_expect(clipped_of(2.0, 1.0, 0.7, bits[b], low) > 20, "%d bits, %d", bits[b], low);
            for (double level = 1e-4; level < 1.0; level *= 3.0)
                cr_expect(eq(sz, clipped_of(0.9 * level, 1.0, 1.0, bits[b], low), (size_t)0), "%d bits, %g",
                          bits[b], level);
        }
}

static double highest_of(const float *sample, size_t count, double rate)
{
    double highest = 0;
    MUST(foreign_highest(sample, count, rate, &highest, &failure));
    return highest;
}

Test(foreign_response, a_spectrum_that_was_cut_off_ends_there_and_one_that_falls_gently_does_not)
{
    enum { COUNT = 48000 };
    double *signal = test_keep(malloc(COUNT * sizeof *signal));
    float *sample = test_keep(malloc(COUNT * sizeof *sample));
    static const double tops[] = {355, 1420, 5680};
    for (int t = 0; t < 3; t++) {
        uint64_t seed = 4;
        struct low_pass filter = {0};
        for (int n = 0; n < COUNT; n++)
            signal[n] = n < 9600 ? 0 : test_uniform(&seed, -1, 1) * exp(-n / 5000.0);
        MUST(low_pass_design(tops[t], 48000, low_pass_lead(tops[t], 48000), &filter, &failure));
        MUST(low_pass_apply(&filter, signal, COUNT, &failure));
        low_pass_free(&filter);
        for (int n = 0; n < COUNT; n++)
            sample[n] = (float)signal[n];
        const double highest = highest_of(sample, COUNT, 48000);
        cr_expect(highest > 0.9 * tops[t] && highest < 1.3 * tops[t], "%g for %g", highest, tops[t]);
    }
    /* 12 dB an octave, as of a loudspeaker or of air: no end. */
    uint64_t seed = 4;
    double y[2] = {0};
    for (int n = 0; n < COUNT; n++) {
        y[0] += 0.05 * (test_uniform(&seed, -1, 1) * exp(-n / 8000.0) - y[0]);
        y[1] += 0.05 * (y[0] - y[1]);
        sample[n] = (float)y[1];
    }
    cr_expect(highest_of(sample, COUNT, 48000) == foreign_carried(48000));
    /* Neither a single pulse nor a very short file ends anywhere. */
    const float pulse[40] = {[3] = 1};
    cr_expect(highest_of(pulse, 40, 44100) == foreign_carried(44100));
}
