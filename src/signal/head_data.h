/** What a head does to sound, as measured: a SOFA file (AES69) of head-related impulse responses. */
#ifndef SRC_HEAD_DATA_H
#define SRC_HEAD_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/confined.h"

enum head_ear { EAR_LEFT, EAR_RIGHT, EARS };

/** Zeroed is empty; owned, freed by head_data_free(). Axes of the head: x front, y left, z up. */
struct head_data {
    size_t directions;
    size_t length;        /* samples of one response */
    double rate;          /* [Hz] */
    double (*towards)[3]; /* (directions) unit vectors from the head to the source */
    float *sample;        /* (directions, EARS, length) */
    double *delay;        /* (directions, EARS) that comes before them [samples] */
    bool mislabelled;     /* the ears that the file names are not those of its data: to be warned of */
};

/** To be warned of where `mislabelled`: the file. */
#define HEAD_MISLABELLED_SENTENCE                                                                            \
    "%s: its ReceiverPosition takes the left ear for the right one; sounds from the left are earlier and "   \
    "louder in the other ear, which is taken as the left one"

#define HEAD_DIRECTIONS_LEAST 8
#define HEAD_DIRECTIONS_MOST  100000
#define HEAD_LENGTH_MOST      16384 /* longer ones hold a room */

/** Read a file of the conventions SimpleFreeFieldHRIR, or any that libmysofa takes for such: two ears, FIR,
 * sources around a listener who faces along x. Azimuths of SOFA run counter-clockwise, as ours do.
 * Which ear is the left one its responses say, by a vote of all directions at the sides: the ear nearer to a
 * source hears it earlier and louder. ReceiverPosition, which is wrong in many files (it names the right ear
 * first where the left one is), decides only where they say nothing.
 * FAILURE_INPUT with one sentence for a file that is missing, no SOFA, of other conventions, not finite,
 * without sound, or beyond the limits above; FAILURE_CAPACITY without memory. `out` is untouched then.
 * libmysofa works in a process of its own, in a cage (geometry/base/confined.h): whatever a file makes it do
 * is a sentence. */
int head_data_read(const char *path, struct head_data *out, struct failure *failure);
/** The same in this process, of `bytes` bytes that libmysofa opens as `opened`; sentences say `path`. For
 * head_data_read() and for a fuzz target. */
int head_data_load(const char *path, const char *opened, uint64_t bytes, struct head_data *out,
                   struct failure *failure);
/** What that process answers: this, then `towards`, `sample` and `delay`, or, unless `status` is 0, a
 * failure. */
struct head_answer {
    int64_t status;
    uint64_t directions, length, mislabelled;
    double rate;
};
/** Make a head of an answer that may be anything. Errors as head_data_read(). */
int head_data_take(const char *path, const struct confined_answer *answer, struct head_data *out,
                   struct failure *failure);
void head_data_free(struct head_data *head);

#endif
