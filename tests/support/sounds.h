/** Sounds in files, and what a spectrum says of them: for tests of responses. */
#ifndef TESTS_SOUNDS_H
#define TESTS_SOUNDS_H

#include <complex.h>

#include "src/response/signal/fourier.h"
#include "src/response/signal/wav_file.h"
#include "tests/support/outcome.h"

static inline void write_sound(const char *path, const float *sample, size_t frames, int channels, int rate)
{
    struct whole_file file = {0};
    SNDFILE *sound = NULL;
    MUST(whole_file_open(&file, path, &failure));
    MUST(wav_begin(&file, frames, (size_t)channels, rate, WAV_FLOAT32, &sound, &failure));
    sf_writef_float(sound, sample, (sf_count_t)frames); /* also what wav_stage() refuses */
    MUST(wav_end(&sound, &file, &failure));
    MUST(whole_file_commit(&file, &failure));
}

/* The sound of a file, kept. */
static inline struct wav_sound read_sound(const char *path)
{
    struct wav_sound sound = {0};
    MUST(wav_sound_read(path, &sound, &failure));
    test_keep(sound.sample);
    return sound;
}

/* The samples of a mono sound, kept. */
static inline float *read_mono(const char *path, size_t *count, int *rate)
{
    const struct wav_sound sound = read_sound(path);
    cr_assert(eq(int, sound.channels, 1));
    *count = sound.frames;
    *rate = sound.rate;
    return sound.sample;
}

/* Middle of an octave [Hz], by its number: 0 for 63 Hz, 4 for 1 kHz. */
static inline double octave_middle(int band)
{
    return 1000 * pow(10, 0.3 * (band - 4));
}

/* Amplitude that falls by 60 dB in `time` [s]. */
static inline double fallen(double t, double time)
{
    return exp(-3 * log(10) * t / time);
}

/* sum x[n] exp(-2 pi j f n / rate) */
static inline double complex spectrum_at(const float *x, size_t count, double f, double rate)
{
    const double complex turn = cexp(-2.0 * 3.14159265358979323846 * I * f / rate);
    double complex sum = 0.0, phase = 1.0;
    for (size_t n = 0; n < count; n++) {
        sum += x[n] * phase;
        phase = fourier_product(phase, turn);
    }
    return sum;
}

/* The 10 Hz high-pass of every file by its definition: Butterworth poles in s, fourth order, bilinear
 * transform, corner kept. */
static inline double complex high_pass(double f, double rate)
{
    const double pi = 3.14159265358979323846;
    const double complex s = I * tan(pi * f / rate) / tan(pi * 10.0 / rate);
    double complex value = 1.0;
    for (int n = 0; n < 4; n++)
        value *= s / (s - cexp(I * pi * (2.0 * n + 5.0) / 8.0));
    return value;
}

#endif
