/** The sounds of a report: what `auralise` left in a run's folder, or else a clap through some of its
 * responses.
 *
 * Where every run has a listen.json of the same dry sound, its files are taken, wet ones of one or two
 * channels and the dry ones; all are brought to the least of their gains. Otherwise a clap
 * is made (dry_synthesis.h) and played through three responses of each of the first four sources: the
 * nearest, the middle and the farthest receiver; beside them the clap in the open, whole and low-passed to
 * the band. One gain for all.
 *
 * With two runs the sounds are for places that both have, if there are any; the dry sounds, which are of
 * both, are with the first; and all but the whole dry sound hold the pitches that both runs have, so that
 * they do not differ by what one of them cannot have.
 *
 * Compressed as FLAC of 16 bits; where that is more than REPORT_SOUND_BYTES in all, as Opus; what is still
 * too much is left out, from the end.
 */
#ifndef SRC_REPORT_SOUNDS_H
#define SRC_REPORT_SOUNDS_H

#include <stddef.h>

#include "src/present/report/report_model.h"

#define REPORT_SOUND_BYTES   6000000
#define REPORT_SOUND_SECONDS 120.0 /* of one; longer ones are left out */

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
