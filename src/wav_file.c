#include "src/wav_file.h"

#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

int wav_stage(const char *path, const float *sample, size_t count, int rate, struct whole_file *out,
              struct failure *failure)
{
    struct whole_file file = {0};
    SNDFILE *sound = NULL;
    SF_INFO info = {.samplerate = rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    int code = whole_file_open(&file, path, failure);
    if (code != 0)
        return code;
    sound = sf_open(file.temporary, SFM_WRITE, &info);
    if (sound == NULL) {
        code = failure_set(failure, FAILURE_OUTPUT, "%s: cannot write: %s", path, sf_strerror(NULL));
        goto done;
    }
    /* The PEAK chunk holds the time of writing: without it equal samples give equal files. */
    sf_command(sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    const sf_count_t written = sf_writef_float(sound, sample, (sf_count_t)count);
    if (written != (sf_count_t)count) {
        code = failure_set(failure, FAILURE_OUTPUT, "%s: only %lld of %llu samples could be written: %s",
                           path, (long long)written, (unsigned long long)count, sf_strerror(sound));
        goto done;
    }
    /* Closing writes the header with the final length. */
    const int close_error = sf_close(sound);
    sound = NULL;
    if (close_error != 0) {
        code = failure_set(failure, FAILURE_OUTPUT, "%s: cannot finish writing: %s", path,
                           sf_error_number(close_error));
        goto done;
    }
    if ((code = whole_file_settle(&file, failure)) != 0)
        goto done;
    *out = file;
    file = (struct whole_file){0};
done:
    if (sound != NULL)
        sf_close(sound);
    whole_file_abandon(&file);
    return code;
}

int wav_write(const char *path, const float *sample, size_t count, int rate, struct failure *failure)
{
    struct whole_file file = {0};
    TRY(wav_stage(path, sample, count, rate, &file, failure));
    return whole_file_commit(&file, failure);
}

int wav_read(const char *path, float **sample, size_t *count, int *rate, struct failure *failure)
{
    SF_INFO info = {0};
    float *read = NULL;
    SNDFILE *sound = sf_open(path, SFM_READ, &info);
    if (sound == NULL)
        return failure_set(failure, FAILURE_INPUT, "%s: cannot read: %s", path, sf_strerror(NULL));
    int code = 0;
    if (info.channels != 1) {
        code = failure_set(failure, FAILURE_INPUT, "%s: has %d channels; a response is mono", path,
                           info.channels);
        goto done;
    }
    read = malloc(((size_t)info.frames + 1) * sizeof *read);
    if (read == NULL) {
        code = failure_memory(failure, (unsigned long long)info.frames * sizeof *read, path);
        goto done;
    }
    if (sf_readf_float(sound, read, info.frames) != info.frames) {
        code = failure_set(failure, FAILURE_INPUT, "%s: ends before its %lld samples: %s", path,
                           (long long)info.frames, sf_strerror(sound));
        goto done;
    }
    *sample = read;
    *count = (size_t)info.frames;
    *rate = info.samplerate;
    read = NULL;
done:
    free(read);
    sf_close(sound);
    return code;
}
