#include "src/listen/response_tail.h"

#include <math.h>
#include <stdlib.h>

#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/diffuse/random_sound.h"
#include "src/response/signal/response.h"

#define PI     3.14159265358979323846
#define BIN    0.002 /* [s] */
#define VOLUME 1e-3  /* so that reflections are dense from the first sample on, as they are late [m3] */

/* Energy of an octave after `start`, |X|^2: left exp(-rate (t - start)) of it after t. */
struct decay {
    double left, rate, start, end; /* .. [1/s], [s], [s]; no energy: there is none */
};

/* `alone` (frames) is scratch. */
static int find_decays(const struct wav_sound *sound, size_t channel, double highest, double onset,
                       float *alone, struct decay out[OCTAVE_BANDS_MAX], struct failure *failure)
{
    struct acoustic_figures figures;
    for (size_t n = 0; n < sound->frames; n++)
        alone[n] = sound->sample[n * (size_t)sound->channels + channel];
    TRY(acoustic_figures_make(alone, sound->frames, RESPONSE_RATE, highest, onset, 1.0, &figures, failure));
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        out[b] = (struct decay){0};
    for (size_t b = 0; b < figures.bands; b++) {
        const struct band_times *times = &figures.octave[b].times;
        const double whole = pow(10.0, 0.1 * figures.octave[b].g);
        if (!(times->range >= TAIL_RANGE) || !(whole > 0.0))
            continue;
        out[b] = (struct decay){.left = whole * pow(10.0, -0.1 * times->range),
                                .rate = 6.0 * log(10.0) / times->tail,
                                .start = onset + times->end,
                                .end = onset + times->end + (TAIL_END - times->range) / 60.0 * times->tail};
    }
    return 0;
}

static double left_at(const struct decay *decay, double t)
{
    return decay->left * exp(-decay->rate * (t - decay->start));
}

/* The random sound of one channel from `from` on, and the fade to it. */
static int add_channel(const struct decay decay[OCTAVE_BANDS_MAX], double from, size_t join, size_t channel,
                       struct wav_sound *sound, struct failure *failure)
{
    const size_t first = (size_t)lround(from * RESPONSE_RATE), count = sound->frames - first,
                 channels = (size_t)sound->channels,
                 bins = (size_t)ceil((double)count / (RESPONSE_RATE * BIN)) + 1;
    double *energy = malloc(bins * OCTAVE_BANDS_MAX * sizeof *energy);
    float *random = malloc(count * sizeof *random);
    int code =
        energy == NULL || random == NULL ? failure_memory(failure, count * sizeof *random, "a tail") : 0;
    for (size_t i = 0; code == 0 && i < bins * OCTAVE_BANDS_MAX; i++) {
        const double t = from + (double)(i / OCTAVE_BANDS_MAX) * BIN;
        const struct decay *of = &decay[i % OCTAVE_BANDS_MAX];
        energy[i] = left_at(of, t) - left_at(of, t + BIN);
    }
    const struct random_sound_task task = {.bin = BIN,
                                           .bins = bins,
                                           .energy = energy,
                                           .volume = VOLUME,
                                           .sound_speed = 343.0,
                                           .seed = 1 + channel};
    if (code == 0)
        code = random_sound_make(&task, count, random, failure);
    for (size_t n = 0; code == 0 && n < count; n++) {
        float *sample = &sound->sample[(first + n) * channels + channel];
        const double angle = n < join ? 0.5 * PI * ((double)n + 0.5) / (double)join : 0.5 * PI;
        *sample = (float)(cos(angle) * (double)*sample + sin(angle) * (double)random[n]);
    }
    free(energy);
    free(random);
    return code;
}

int response_tail_add(struct wav_sound *sound, double highest, double onset, double *from,
                      struct failure *failure)
{
    const size_t channels = (size_t)sound->channels, join = (size_t)lround(TAIL_JOIN * RESPONSE_RATE);
    const double end = (double)sound->frames / RESPONSE_RATE;
    double last = 0.0;
    *from = NAN;
    /* A run.json may say anything. */
    if (!(highest > 0.0 && 1.02 * highest < 0.5 * RESPONSE_RATE && onset >= 0.0 && end - TAIL_JOIN > onset))
        return 0;
    struct decay(*decay)[OCTAVE_BANDS_MAX] = malloc(channels * sizeof *decay);
    float *alone = malloc(sound->frames * sizeof *alone), *longer = NULL;
    int code =
        decay == NULL || alone == NULL ? failure_memory(failure, sound->frames * sizeof *alone, "a tail") : 0;
    for (size_t c = 0; code == 0 && c < channels; c++) {
        code = find_decays(sound, c, highest, onset, alone, decay[c], failure);
        for (size_t b = 0; code == 0 && b < OCTAVE_BANDS_MAX; b++)
            last = fmax(last, decay[c][b].end);
    }
    if (code == 0 && last > end) {
        const size_t frames = (size_t)(fmin(last, end + TAIL_LONGEST) * RESPONSE_RATE);
        longer = realloc(sound->sample, frames * channels * sizeof *longer);
        if (longer == NULL)
            code = failure_memory(failure, frames * channels * sizeof *longer, "a tail");
        else
            sound->sample = longer;
        for (size_t i = sound->frames * channels; code == 0 && i < frames * channels; i++)
            longer[i] = 0.0F;
        sound->frames = code == 0 ? frames : sound->frames;
        for (size_t c = 0; code == 0 && c < channels; c++)
            code = add_channel(decay[c], end - TAIL_JOIN, join, c, sound, failure);
        *from = end - TAIL_JOIN;
    }
    free(decay);
    free(alone);
    return code;
}
