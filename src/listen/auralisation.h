/** A dry sound in a room: convolved with its responses, with one gain common to all of them.
 *
 * Sources may sound at once, each with its own dry sound and response: a mix is the sum of their
 * convolutions. Responses are calibrated alike, so that it has the proportion of the room, and no gain of its
 * own.
 *
 * Every sound is made twice: once for its peak, from which the gain follows, and once to be written. So
 * memory is that of the responses that sound at once, for any length of the dry sounds and any number of
 * responses. */
#ifndef SRC_AURALISATION_H
#define SRC_AURALISATION_H

#include <signal.h>
#include <stdbool.h>

#include "geometry/base/whole_file.h"
#include "src/base/json_table.h"
#include "src/listen/dry_sound.h"
#include "src/listen/foreign_response.h"
#include "src/run_folder/run_read.h"
#include "src/response/signal/loudness.h"

/** The highest true peak of a file [dBFS] (the limit of EBU R 128). */
#define AURALISATION_PEAK (-1.0)

enum heard_kind {
    HEARD_RESPONSE,       /* the dry sound through a response */
    HEARD_DRY_LOW_PASSED, /* the dry sound in the open, in the band of the responses */
    HEARD_DRY             /* in the open, whole */
};

/** One source of a mix: its response, which its dry sound goes through. */
struct listened_part {
    char *source, *response;          /* name and path */
    const struct record_response *of; /* its entry in the run's record; not in listen.json */
};

/** A sound in listen.json (listening_record.h); NaN or NULL: unknown or not there. */
struct listened_file {
    char *file, *kind;       /* name of the file, or its path where there is no folder for it */
    char *response;          /* path; NULL for dry kinds and mixes */
    char *source, *receiver; /* of a mix its sources, joined by " + " */
    JSON_LIST_OF(struct listened_part) mixed; /* (sounds) of a mix, else empty */
    double distance;                          /* [m] */
    double fmax;                              /* of the response, or of the low-pass [Hz] */
    char *fmax_why;
    double channels, seconds; /* from here on: results */
    double tail_from;         /* from when on the response goes on by its decay (response_tail.h) [s] */
    double response_fall;     /* until its end (heard_response.h) [dB]; infinite for dry kinds */
    double gain, loudness;    /* [dB], [LUFS] */
    char *loudness_why;
    double true_peak; /* [dBFS] */
};

extern const struct json_table listened_part_table, listened_file_table;

/** One sound to make, begun by heard_begin(). */
struct heard {
    enum heard_kind kind;
    struct listened_file record;      /* owned */
    size_t sounds;                    /* dry sounds at once: 1, or as many as a mix has sources */
    const struct record_response *of; /* its entry in the run's record, or NULL; of a mix that of the first */
    const char *label;                /* of the response's folder; NULL for dry kinds */
    double sound_speed;               /* of its run or for dry kinds [m/s] */

    double gain, peak;            /* results: the gain and the true peak before it (-) */
    struct foreign_damage damage; /* for a response without a run */
};

/** Make a sound to be made: `given` with copies of the texts that it borrows. Its record gives response, fmax
 * and distance; kind, source and receiver follow. False without memory. A mix gets its parts afterwards. */
bool heard_begin(struct heard *out, const struct heard *given);

enum auralisation_level { LEVEL_NORMALISED, LEVEL_TRUE };

/** The first half: channels, length and peak. Ends with FAILURE_INTERRUPTED soon after `*stop` is not 0.
 * Failures as heard_response.h and dry_sound_read(); FAILURE_INPUT for a mix of responses with different
 * numbers of channels.
 * @param dry (heard->sounds) */
int auralisation_measure(struct heard *heard, struct dry_sound *dry, const volatile sig_atomic_t *stop,
                         struct failure *failure);

/** The gain of sounds whose highest true peak is `peak`:
 *
 * - LEVEL_TRUE: 1, so that the dry file is the sound at 1 m from the source, as responses are calibrated;
 * less only if a peak would be above AURALISATION_PEAK;
 * - LEVEL_NORMALISED: the peak comes to AURALISATION_PEAK. */
double auralisation_gain(double peak, enum auralisation_level level);

/** Set and return one gain for all sounds in the band of the responses. HEARD_DRY does not count: a clap has
 * so much energy above a low fmax that the others would become too quiet. It has the same gain unless it
 * would peak above AURALISATION_PEAK; then it peaks there. */
double auralisation_set_gains(struct heard *heard, size_t count, enum auralisation_level level);

/** The second half, at heard->gain: a WAV file of 24 bits, settled, to be committed at `path`; and its
 * loudness. Otherwise as auralisation_measure(). */
int auralisation_stage(struct heard *heard, struct dry_sound *dry, const char *path,
                       const volatile sig_atomic_t *stop, struct whole_file *out, struct failure *failure);

#endif
