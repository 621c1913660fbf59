/** The sounds of a report: those of `auralise` in a run's folder, or else a clap through some of its
 * responses.
 *
 * If every run has a listen.json of the same dry sound, its files are used: wet ones of one or two channels,
 * and the dry ones, all at the least of their gains. Otherwise a clap is made (dry_synthesis.h) and played
 * through three responses of each of the first four sources: the nearest, the middle and the farthest
 * receiver. The clap in the open is added, whole and low-passed to the band. All have one gain.
 *
 * With two runs the sounds are for common places, if there are any. The dry sounds are with the first run.
 * All but the whole dry sound are limited to the band common to both runs.
 *
 * Compressed as FLAC of 16 bits, or as Opus if that exceeds REPORT_SOUND_BYTES in all. If Opus exceeds it
 * too, the last sounds are left out.
 */
#ifndef SRC_REPORT_SOUNDS_H
#define SRC_REPORT_SOUNDS_H

#include <stddef.h>

#include "src/present/report/report_model.h"

#define REPORT_SOUND_BYTES   6000000
#define REPORT_WHOLE_BAND    11000.0 /* [Hz]: what reaches up to here does not sound muffled */
#define REPORT_SOUND_SECONDS 120.0   /* of one; longer ones are left out */

struct report_sound {
    unsigned char *data; /* owned */
    size_t size;
};

/** Zeroed is empty, freed by report_sounds_free(). */
struct report_sounds {
    size_t count;
    struct report_sound *sound; /* (count) owned; number i is audio#sound-i */
    const char *type;           /* of all of them */
};

/** Fill `sounds` of every run and `audio` of the report; where a run cannot be heard only its `why`.
 * FAILURE_CAPACITY without memory, FAILURE_INTERRUPTED, FAILURE_OUTPUT where the folder `scratch`
 * cannot hold a temporary file. A second or two. */
int report_sounds_make(struct report *report, const struct run_folder *folder, const char *scratch,
                       struct report_sounds *out, struct failure *failure);
void report_sounds_free(struct report_sounds *sounds);

#endif
