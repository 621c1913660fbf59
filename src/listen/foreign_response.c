#include "src/listen/foreign_response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/path_text.h"
#include "src/run_folder/run_read.h"
#include "src/response/signal/fourier.h"

#define LOWEST     50.0     /* of the spectrum [Hz] */
#define STEP       1.122462 /* a sixth of an octave */
#define OCTAVE     6        /* steps */
#define SIXTHS_MAX 80
#define ENDED      1e-4 /* of the power in the octave below */
#define OFFSET     0.25 /* of the power at the end of a response: more is not sound */

#define FLAT          2e-5 /* of the largest value, below it: is the same */
#define EDGE          0.01 /* likewise: the next sample beside a flat top is lower, or it is a round one */
#define CUT_RUN       4
#define FLAT_RUN      3 /* of a recording */
#define CLIPPED_LEAST 8
#define STEPS_LEAST   200.0

int foreign_is(const char *path, bool *out, struct failure *failure)
{
    struct run_model run;
    char *folder = path_folder(path);
    if (folder == NULL)
        return failure_memory(failure, strlen(path), "a path");
    run_model_clear(&run);
    *out =
        !run_is_in(folder) || run_model_read(folder, &run, NULL) != 0 ||
        (run_model_find(&run, path_name(path)) == NULL && run_model_find_map(&run, path_name(path)) == NULL);
    run_model_free(&run);
    free(folder);
    return 0;
}

/* ---- offsets and clipping ---- */

static double take_offset(float *sample, size_t count, size_t step, double rate)
{
    const size_t last = (size_t)fmax(0.1 * rate, 0.1 * (double)count);
    double sum = 0.0, squares = 0.0;
    if (last == 0 || (double)count < 0.2 * rate || last > count)
        return 0.0;
    for (size_t n = count - last; n < count; n++) {
        sum += (double)sample[n * step];
        squares += (double)sample[n * step] * (double)sample[n * step];
    }
    const double mean = sum / (double)last;
    if (!(mean * mean > OFFSET * squares / (double)last))
        return 0.0;
    for (size_t n = 0; n < count; n++)
        sample[n * step] = (float)((double)sample[n * step] - mean);
    return mean;
}

/* When one is first as large as `top` [s]. */
static double time_of(const float *sample, size_t count, size_t step, double top, double rate)
{
    size_t n = 0;
    while (n < count && fabs((double)sample[n * step]) < top * (1.0 - FLAT))
        n++;
    return (double)n / rate;
}

/* The same of a recording; `step` of its quantisation. */
static size_t flat_at(const float *sample, size_t count, size_t stride, double sign, double top, double step)
{
    const double edge = top - fmax(4.0 * FLAT * top, 2.0 * step);
    size_t at_top = 0, runs = 0;
    for (size_t n = 0, length; n < count; n += length) {
        length = 0;
        while (n + length < count && sign * (double)sample[(n + length) * stride] >= top * (1.0 - FLAT))
            length++;
        if (length >= FLAT_RUN && n > 0 && n + length < count &&
            sign * (double)sample[(n - 1) * stride] < edge &&
            sign * (double)sample[(n + length) * stride] < edge) {
            at_top += length;
            runs++;
        }
        length = length > 0 ? length : 1;
    }
    return runs > 1 ? at_top : 0;
}

/* Number of samples at `top`, the largest of `sign` times the samples, if they look clipped; else 0. */
static size_t clipped_at(const float *sample, size_t count, size_t step, double sign, double top)
{
    size_t at_top = 0, runs = 0;
    bool cut = false;
    for (size_t n = 0, length; n < count; n += length) {
        length = 0;
        while (n + length < count && sign * (double)sample[(n + length) * step] >= top * (1.0 - FLAT))
            length++;
        if (length == 0) {
            length = 1;
            continue;
        }
        at_top += length;
        runs += length > 1;
        cut = cut || (length >= CUT_RUN && n > 0 && n + length < count &&
                      sign * (double)sample[(n - 1) * step] < top * (1.0 - EDGE) &&
                      sign * (double)sample[(n + length) * step] < top * (1.0 - EDGE));
    }
    return cut || (at_top >= CLIPPED_LEAST && runs > 1) ? at_top : 0;
}

static size_t find_clipped(const float *sample, size_t count, size_t step, bool recording, double *at)
{
    double top[2] = {0.0, 0.0}, least = INFINITY;
    for (size_t n = 0; n < count; n++) {
        const double x = (double)sample[n * step];
        top[0] = fmax(top[0], x);
        top[1] = fmax(top[1], -x);
        least = x != 0.0 ? fmin(least, fabs(x)) : least;
    }
    size_t clipped = 0;
    *at = fmax(top[0], top[1]);
    for (int s = 0; s < 2; s++)
        if (top[s] >= STEPS_LEAST * least && top[s] > 0.5 * *at)
            clipped += recording ? flat_at(sample, count, step, s == 0 ? 1.0 : -1.0, top[s], least)
                                 : clipped_at(sample, count, step, s == 0 ? 1.0 : -1.0, top[s]);
    return clipped;
}

static void mend(struct wav_sound *sound, bool recording, struct foreign_damage *out)
{
    const size_t channels = (size_t)sound->channels;
    *out = (struct foreign_damage){0};
    for (size_t c = 0; c < channels; c++) {
        double at;
        const size_t clipped = find_clipped(sound->sample + c, sound->frames, channels, recording, &at);
        const double time = time_of(sound->sample + c, sound->frames, channels, at, sound->rate);
        const double offset = take_offset(sound->sample + c, sound->frames, channels, sound->rate);
        if (clipped > out->clipped) {
            out->clipped = clipped;
            out->clipped_at = at;
            out->clipped_time = time;
            out->clipped_channel = (int)c + 1;
        }
        if (fabs(offset) > fabs(out->offset)) {
            out->offset = offset;
            out->offset_channel = (int)c + 1;
        }
    }
}

void foreign_mend(struct wav_sound *sound, struct foreign_damage *out)
{
    mend(sound, false, out);
}

void foreign_mend_recording(struct wav_sound *sound, struct foreign_damage *out)
{
    mend(sound, true, out);
}

bool foreign_tell(const struct foreign_damage *damage, const char *path, int n, char text[FOREIGN_SENTENCE])
{
    if (damage->offset != 0.0 && n-- == 0) {
        snprintf(text, FOREIGN_SENTENCE,
                 "%.4000s: a constant offset of %.3g (channel %d) was removed from its samples", path,
                 damage->offset, damage->offset_channel);
        return true;
    }
    if (damage->clipped > 0 && n-- == 0) {
        snprintf(text, FOREIGN_SENTENCE,
                 "%.4000s: %zu samples of channel %d are at its largest value, %.3g, the first at %.4f s: "
                 "the recording "
                 "was overloaded, and early figures, levels and what is heard are not those of the room: "
                 "record it "
                 "at a lower level",
                 path, damage->clipped, damage->clipped_channel, damage->clipped_at, damage->clipped_time);
        return true;
    }
    return false;
}

/* ---- the highest frequency ---- */

double foreign_carried(double rate)
{
    return 0.49 * rate;
}

/* Mean power of the lines in each band; returns how many bands there are. */
static size_t band_powers(const double complex *spectrum, size_t length, double rate,
                          double power[SIXTHS_MAX])
{
    size_t bands = 0;
    const double width = rate / (double)length;
    for (double low = LOWEST; bands < SIXTHS_MAX && low * STEP <= foreign_carried(rate); low *= STEP) {
        size_t lines = 0;
        power[bands] = 0.0;
        for (size_t k = (size_t)ceil(low / width); (double)k * width < low * STEP; k++, lines++)
            power[bands] += creal(spectrum[k]) * creal(spectrum[k]) + cimag(spectrum[k]) * cimag(spectrum[k]);
        if (lines == 0) /* the response is too short to separate them */
            return 0;
        power[bands++] /= (double)lines;
    }
    return bands;
}

static double end_of(const double *power, size_t bands, double rate)
{
    for (size_t b = OCTAVE; b < bands; b++) {
        double below = 0.0, above = 0.0;
        for (size_t i = b - OCTAVE; i < b; i++)
            below += power[i] / OCTAVE;
        for (size_t i = b; i < bands; i++)
            above = fmax(above, power[i]);
        if (above < ENDED * below)
            return LOWEST * pow(STEP, (double)b - 1.0); /* the flank lies in the band before */
    }
    return foreign_carried(rate);
}

int foreign_highest(const float *sample, size_t count, double rate, double *out, struct failure *failure)
{
    const size_t length = fourier_length(count + 2);
    struct fourier fourier = {0};
    double complex *value = calloc(length, sizeof *value);
    if (value == NULL)
        return failure_memory(failure, (unsigned long long)(length * sizeof *value), "a spectrum");
    const int code = fourier_make(length, &fourier, failure);
    if (code == 0) {
        double power[SIXTHS_MAX];
        for (size_t n = 0; n < count; n++)
            value[n] = (double)sample[n];
        fourier_forward(&fourier, value);
        *out = end_of(power, band_powers(value, length, rate, power), rate);
    }
    fourier_free(&fourier);
    free(value);
    return code;
}
