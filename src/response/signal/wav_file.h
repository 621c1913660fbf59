/** WAV files by libsndfile: any number of channels read, written whole or not at all. */
#ifndef SRC_WAV_FILE_H
#define SRC_WAV_FILE_H

#include <sndfile.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/whole_file.h"

/** Limit of libsndfile. */
#define WAV_CHANNELS_MAX 1024

/** Most samples for wav_sound_read(), of all channels together: 4 GB in memory, 50 minutes of six channels at
 * 48 kHz. */
#define WAV_SAMPLES_MAX 1073741824ULL

/** 240 dB above full scale: figures and convolutions of it stay within the range of float. */
#define WAV_SAMPLE_MOST 1e12

#define WAV_RESPONSE_SECONDS 120.0
#define WAV_RESPONSE_BYTES   80 /* measured: 79 */

/** A sound in memory; zeroed is empty, freed by wav_sound_free(). */
struct wav_sound {
    float *sample; /* (frames, channels), the channels of one moment beside each other; full scale is 1; owned
                    */
    size_t frames;
    int channels, rate; /* rate [Hz] */
    bool b_format;      /* its header declares ambisonic B-format: W, X, Y, Z, W 3 dB lower (FuMa) */
};

/** The form of a sample in the file. */
enum wav_subtype {
    WAV_FLOAT32, /* as in memory */
    WAV_PCM24    /* rounded to 24 bits; values beyond full scale are clipped */
};

/** Open a file for reading by libsndfile; sf_close(). FAILURE_INPUT if it is not a regular file
 * (geometry/base/regular_file.h), not a sound, BW64 (ITU-R BS.2088), or cut off (base/wav_promise.h);
 * FAILURE_CAPACITY. */
int wav_open(const char *path, SF_INFO *info, SNDFILE **out, struct failure *failure);
/** The same for an open file; `descriptor` becomes closed, or sf_close() closes it. */
int wav_open_descriptor(const char *path, int descriptor, SF_INFO *info, SNDFILE **out,
                        struct failure *failure);

/** Read any WAV file (RIFF, its extensible form, RF64, Wave64; whole numbers, floating point or compressed,
 * as libsndfile knows them). FAILURE_INPUT names the file and the fault: missing, not WAV, without samples,
 * cut off, a sample that is not finite or beyond WAV_SAMPLE_MOST (which, of which channel), more than
 * WAV_SAMPLES_MAX; FAILURE_CAPACITY if memory does not suffice, before any is allocated. `out` is untouched
 * then. */
int wav_sound_read(const char *path, struct wav_sound *out, struct failure *failure);

/** The same for a response. FAILURE_INPUT, with the remedy `fix`, for one longer than any room reverberates,
 * and FAILURE_CAPACITY if WAV_RESPONSE_BYTES for each frame, for the computation of its figures, are not
 * available. A sparse file of 2 GB would need 16 GB otherwise. */
int wav_response_read(const char *path, const char *fix, struct wav_sound *out, struct failure *failure);
void wav_sound_free(struct wav_sound *sound);

/** Begin a WAV of `frames` in the stream of `file`, which is open: `*sound` is a handle of libsndfile, with
 * the settings that all files of the program have, until wav_end() has closed it. Write errors are reported
 * there. FAILURE_OUTPUT names the file. */
int wav_begin(const struct whole_file *file, uint64_t frames, size_t channels, int rate,
              enum wav_subtype subtype, SNDFILE **sound, struct failure *failure);

/** Finish the header and settle the file; errors as of whole_file_settle(). */
int wav_end(SNDFILE **sound, struct whole_file *file, struct failure *failure);

/** Write a sound under the temporary name of `path` and settle it: whole_file_commit() puts it in place,
 * whole_file_abandon() removes it. More than 4 GB become RF64. Equal samples give equal files.
 * @param sample   (frames, channels), as in struct wav_sound
 * @param channels 1 to WAV_CHANNELS_MAX
 * @param out      zeroed
 * FAILURE_OUTPUT names the file and the cause, FAILURE_SIMULATION a sample that is not finite. */
int wav_stage(const char *path, const float *sample, size_t frames, int channels, int rate,
              enum wav_subtype subtype, struct whole_file *out, struct failure *failure);

#endif
