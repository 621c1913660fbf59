/* Do two walks sound alike? The levels of two WAV files of one length by octave, the first channel of each.
 *
 *   walk_levels ONE.wav OTHER.wav FMAX [SECONDS]
 *   walk_levels noise FILE.wav SECONDS            a dry sound for both: white noise, the same each time
 *
 * A line for every octave below FMAX, up to SECONDS (default: all): the level of the second over the first
 * [dB] of the whole, and of pieces of a second the mean, the standard deviation and the greatest of that
 * difference. Status: 0 no octave differs by 1 dB or more as a whole, 1 otherwise, else that of the failure.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/options/failure_text.h"
#include "src/response/signal/octave_filters.h"
#include "src/response/signal/wav_file.h"

#define ORDER   4
#define ALLOWED 1.0 /* [dB] */

/* Energy by seconds (pieces). */
static void measure(const struct wav_sound *sound, double centre, size_t frames, double *energy)
{
    struct biquad section[ORDER] = {{0}};
    octave_filter_make(centre, sound->rate, ORDER, section);
    for (size_t n = 0; n < frames; n++) {
        double x = (double)sound->sample[n * (size_t)sound->channels];
        for (int s = 0; s < ORDER; s++)
            x = biquad_step(&section[s], x);
        energy[n / (size_t)sound->rate] += x * x;
    }
}

static double compare(const struct wav_sound *one, const struct wav_sound *other, double centre,
                      size_t frames)
{
    const size_t pieces = frames / (size_t)one->rate + 1;
    double *energy = calloc(2 * pieces, sizeof *energy), sum[2] = {0}, mean = 0.0, square = 0.0, most = 0.0;
    if (energy == NULL)
        return NAN;
    measure(one, centre, frames, energy);
    measure(other, centre, frames, energy + pieces);
    const size_t whole = pieces - 1;
    for (size_t p = 0; p < pieces; p++) {
        sum[0] += energy[p];
        sum[1] += energy[pieces + p];
        const double apart = 10.0 * log10(energy[pieces + p] / energy[p]);
        if (p < whole) {
            mean += apart / (double)whole;
            square += apart * apart / (double)whole;
            most = fmax(most, fabs(apart));
        }
    }
    free(energy);
    const double all = 10.0 * log10(sum[1] / sum[0]);
    printf("%6.0f Hz  whole %+5.2f dB   seconds: mean %+5.2f, deviation %4.2f, most %4.2f dB\n", centre, all,
           mean, sqrt(fmax(square - mean * mean, 0.0)), most);
    return all;
}

/* Well below full scale, so that walks keep their level. */
static int write_noise(const char *path, double seconds, struct failure *failure)
{
    const size_t frames = (size_t)(seconds * 48000.0);
    float *sample = malloc((frames + 1) * sizeof *sample);
    struct whole_file file = {0};
    uint64_t state = 1;
    if (sample == NULL)
        return failure_memory(failure, frames * sizeof *sample, path);
    for (size_t n = 0; n < frames; n++) { /* xorshift64, Marsaglia 2003 */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sample[n] = (float)(0.1 * ((double)(state >> 11) / 4503599627370496.0 - 1.0));
    }
    int code = wav_stage(path, sample, frames, 1, 48000, WAV_PCM24, &file, failure);
    if (code == 0)
        code = whole_file_commit(&file, failure);
    free(sample);
    return code;
}

int main(int argc, char **argv)
{
    struct wav_sound sound[2] = {{0}};
    struct failure failure = {0};
    char text[FAILURE_TEXT_MAX];
    if (argc < 4 || argc > 5) {
        fprintf(stderr, "walk_levels ONE.wav OTHER.wav FMAX [SECONDS]\n");
        return FAILURE_INPUT;
    }
    const bool makes = strcmp(argv[1], "noise") == 0;
    int code =
        makes ? write_noise(argv[2], atof(argv[3]), &failure) : wav_sound_read(argv[1], &sound[0], &failure);
    if (makes && code == 0)
        return 0;
    if (code == 0)
        code = wav_sound_read(argv[2], &sound[1], &failure);
    if (code == 0 && sound[0].rate != sound[1].rate)
        code = failure_set(&failure, FAILURE_INPUT, "%d and %d Hz", sound[0].rate, sound[1].rate);
    if (code != 0) {
        fprintf(stderr, "walk_levels: %s\n", failure_text(&failure, text));
    } else {
        const double asked = argc > 4 ? atof(argv[4]) * sound[0].rate : INFINITY;
        const size_t shorter = sound[0].frames < sound[1].frames ? sound[0].frames : sound[1].frames;
        const size_t frames = asked < (double)shorter ? (size_t)asked : shorter;
        for (int band = 0; 1000.0 * pow(10.0, 0.3 * (band - 4) + 0.15) <= atof(argv[3]) * 1.01; band++)
            if (!(fabs(compare(&sound[0], &sound[1], 1000.0 * pow(10.0, 0.3 * (band - 4)), frames)) <
                  ALLOWED))
                code = FAILURE_ANSWER_NO;
    }
    wav_sound_free(&sound[0]);
    wav_sound_free(&sound[1]);
    return code;
}
