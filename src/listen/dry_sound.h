/** A dry sound for a simulated source: mono, at 48 kHz, of any length.
 *
 * It comes from a file of any format that libsndfile reads, of any rate and any number of channels, or is
 * made (dry_synthesis.h). A simulated source is one point, so several channels are averaged; a part equal in
 * all channels keeps its level. Other rates are converted by libsamplerate's best sinc. The result is stored
 * in an unnamed temporary file, so that an hour of sound takes no memory. */
#ifndef SRC_DRY_SOUND_H
#define SRC_DRY_SOUND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "geometry/base/failure.h"

#define DRY_RATE_LEAST 1000 /* [Hz] */
#define DRY_RATE_MOST  1000000
#define DRY_HOURS_MOST 24 /* 16 GB of stored samples */

/** Zeroed is empty; freed by dry_sound_close(). */
struct dry_sound {
    FILE *stream;       /* float samples at 48 kHz */
    uint64_t frames;    /* of it */
    int channels, rate; /* of the file; rate [Hz] */
    double seconds;     /* of the file */
    double cancelled; /* energy of the mean under that of the channels [dB]: 0 for equal ones, 10 lg(channels)
                         for independent ones, more if they cancel */
};

/** True for the name of a sound that the program makes. A file of that name is given as ./NAME. */
bool dry_sound_is_word(const char *what);

/** @param what   "clap", "organ" or a file
 * @param folder for the temporary file
 * @param stop   ends reading with FAILURE_INTERRUPTED soon after it is not 0
 * FAILURE_INPUT names the file and the fault: missing, of unknown format, without samples, a rate or length
 * beyond the limits, a sample that is not finite, silence, channels that cancel. FAILURE_OUTPUT if the
 * samples cannot be stored, FAILURE_CAPACITY without memory. An hour at 44.1 kHz takes about a minute. A file
 * is read in a process of its own, in a cage (geometry/base/confined.h). */
int dry_sound_open(const char *what, const char *folder, const volatile sig_atomic_t *stop,
                   struct dry_sound *out, struct failure *failure);
void dry_sound_close(struct dry_sound *sound);

/** Samples from `first` on; zeros beyond the end. FAILURE_OUTPUT if they cannot be read back. */
int dry_sound_read(struct dry_sound *sound, uint64_t first, size_t count, double *out,
                   struct failure *failure);

#endif
