/* Sounds: a file of any bytes, in any format that libsndfile knows, is finite samples or a sentence, as a
 * response and as a sound that is read in pieces.
 *
 *   tools/fuzz 600 wav  # build with clang and run for ten minutes */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/response/signal/wav_file.h"
#include "tests/fuzz/fuzz_claims.h"

#define FRAMES 256

/* As a dry sound is read. */
static void claim_pieces(const char *path)
{
    struct failure failure = {0};
    SF_INFO info = {0};
    SNDFILE *sound;
    if (wav_open(path, &info, &sound, &failure) != 0)
        return;
    CLAIM(info.channels >= 1 && info.channels <= WAV_CHANNELS_MAX);
    float *frame = malloc(FRAMES * (size_t)info.channels * sizeof *frame);
    for (int piece = 0; frame != NULL && piece < 64; ++piece) {
        const sf_count_t got = sf_readf_float(sound, frame, FRAMES);
        CLAIM(got >= 0 && got <= FRAMES);
        if (got < FRAMES)
            break;
    }
    free(frame);
    (void)sf_close(sound);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct failure failure = {0};
    struct wav_sound sound = {0};
    char path[64];
    const int file = memfd_create("sound", MFD_CLOEXEC);
    CLAIM(file >= 0 && write(file, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);

    const int code = wav_response_read(path, "cut it", &sound, &failure);
    claim_outcome(code, &failure);
    CLAIM((code == 0) == (sound.sample != NULL));
    for (size_t n = 0; n < sound.frames * (size_t)sound.channels; ++n)
        CLAIM(isfinite(sound.sample[n]));
    wav_sound_free(&sound);
    claim_pieces(path);
    (void)close(file);
    return 0;
}
