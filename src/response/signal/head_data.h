/** Measured head-related impulse responses from a SOFA file (AES69). */
#ifndef SRC_HEAD_DATA_H
#define SRC_HEAD_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/confined.h"
#include "src/base/words/words.h"

enum head_ear { EAR_LEFT, EAR_RIGHT, EARS };

/** Zeroed is empty; owned, freed by head_data_free(). Axes of the head: x front, y left, z up. */
struct head_data {
    size_t directions;
    size_t length;        /* samples of one response */
    double rate;          /* [Hz] */
    double (*towards)[3]; /* (directions) unit vectors from the head to the source */
    float *sample;        /* (directions, EARS, length) */
    double *delay;        /* (directions, EARS) before the response [samples] */
    bool mislabelled;     /* the ears named in the file are not those of its data: warn */
};

/** Warning if `mislabelled`: the file. */
#define HEAD_MISLABELLED_SENTENCE                                                                            \
    SAID("%s: its ReceiverPosition takes the left ear for the right one; sounds from the left are "          \
         "earlier and louder in the other ear, which is taken as the left one")

#define HEAD_DIRECTIONS_LEAST 8
#define HEAD_DIRECTIONS_MOST  100000
#define HEAD_LENGTH_MOST      16384 /* longer ones contain a room */

/** Read a file of the conventions SimpleFreeFieldHRIR, or any that libmysofa accepts as such: two ears, FIR,
 * sources around a listener who faces along x. Azimuths of SOFA run counter-clockwise, as ours do. The
 * responses decide which ear is the left one, by a vote of all directions at the sides: the ear nearer to a
 * source receives it earlier and louder. ReceiverPosition, which is wrong in many files, decides only if the
 * vote does not. FAILURE_INPUT with one sentence for a file that is missing, not SOFA, of other conventions,
 * not finite, without sound, or beyond the limits above; FAILURE_CAPACITY without memory. `out` is untouched
 * then. libmysofa works in a process of its own, in a cage (geometry/base/confined.h), so its crashes become
 * sentences. */
int head_data_read(const char *path, struct head_data *out, struct failure *failure);
/** The same in this process, of `bytes` bytes that libmysofa opens as `opened`; sentences say `path`. For
 * head_data_read() and for a fuzz target. */
int head_data_load(const char *path, const char *opened, uint64_t bytes, struct head_data *out,
                   struct failure *failure);
/** The answer of that process: this, then `towards`, `sample` and `delay`, or, unless `status` is 0, a
 * failure. */
struct head_answer {
    int64_t status;
    uint64_t directions, length, mislabelled;
    double rate;
};
/** Make a head from an unchecked answer. Errors as head_data_read(). */
int head_data_take(const char *path, const struct confined_answer *answer, struct head_data *out,
                   struct failure *failure);
void head_data_free(struct head_data *head);

#endif
