/** The directions of sources, and groups of sources that sound together.
 *
 * A direction: NAME=omni, voice, cardioid, or a file that sofa_pattern.h or clf_pattern.h reads. An aim:
 * NAME=AZIMUTH or NAME=AZIMUTH,ELEVATION in degrees (from the room's +x towards +y, up), NAME=X,Y,Z for a
 * place [m], or NAME=RECEIVER. Without an aim a source faces the centre of all receivers, including receiver
 * grids. The left of a source is level.
 *
 * Together: NAME=S1[:GAIN[:DELAY]],S2.. is a source of its own, at the place of its first member. It drives
 * all members at once, each with its gain [dB] and delay [ms]. Members are not run by themselves.
 */
#ifndef SRC_SOURCE_DIRECTIONS_H
#define SRC_SOURCE_DIRECTIONS_H

#include "kernels/scheme/time_step.h"
#include "src/setup/radiation/pattern.h"
#include "src/setup/room_points.h"
#include "src/base/options/room_request.h"

struct source_member {
    size_t source;
    double gain, delay; /* (-), [s] */
};

struct source_direction {
    const char *what; /* a word, or the name of a file; borrowed; NULL: omni by default */
    uint64_t hash;    /* of the file; 0: a word */
    struct pattern pattern;
    enum { AIM_RECEIVERS, AIM_FRONT, AIM_PLACE } aim;
    double at[3];    /* a unit vector, or a place [m] */
    bool placed;     /* where it points is known .. */
    double front[3]; /* .. and this: a unit vector, set when a run has placed its receivers */
    size_t members;  /* of a group; 0: one source */
    struct source_member *member;
};

/** Zeroed is empty; owned, source_directions_free(). */
struct source_directions {
    size_t count;
    struct source_direction *of; /* (sources) */
};

/** Add groups to the sources of `points`, which has room for them, and mark their members. FAILURE_INPUT: a
 * malformed text, unknown sources, a source in two groups, and names that are taken. */
int source_groups_collect(const struct option_texts *texts, struct room_points *points,
                          struct failure *failure);

/** Read the direction of every source of `points`, after source_groups_collect(). Files are read.
 * FAILURE_INPUT for a text without =, an unknown or repeated source, an aim of an omnidirectional one, more
 * than RESPONSE_DRIVES_MOST taps (response.h) that sound together, a delay that is as long as the responses
 * (`duration` [s], 0: as long as it takes), and files as their readers. */
int source_directions_read(const struct radiation_request *request, const struct room_points *points,
                           double duration, struct source_directions *out, struct failure *failure);
void source_directions_free(struct source_directions *directions);

/** Print them. */
void source_directions_print(const struct source_directions *directions, const struct room_points *points,
                             const struct room_notices *notices);

/** True if a source has a direction. */
bool source_has_direction(const struct source_direction *direction);

/** Taps of a source: 1, or as many as its order has harmonics. */
size_t source_channels(const struct source_direction *direction);

/** Number of a source's first tap among all of them, in the order of sources; of `count` all taps. Those of a
 * group are its members' own. */
size_t source_first_channel(const struct source_directions *directions, size_t source);

/** Bytes of the drives that a run of any one of the sources keeps, at most: those of its taps, for a group of
 * all its members; 0 if there are no directions and no groups. */
double source_drives_bytes(const struct source_directions *directions, const struct time_step *step,
                           double fmax);

/** Steps by which the lead of a run of that source is longer than response_lead(). */
size_t source_longer_lead(const struct source_directions *directions, size_t source,
                          const struct time_step *step, double fmax);

/** The longest delay in any group [s]. */
double source_latest(const struct source_directions *directions);

/** The front of a source, a unit vector; `middle`: of all receivers [m]. +x if the source is at its aim. */
void source_front(const struct source_direction *direction, const double position[3], const double middle[3],
                  double front[3]);

#endif
