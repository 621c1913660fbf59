/** Renders a walk through a room while it is stepped: the source plays the dry sound, and the receiver moves.
 *
 * A moving receiver would read the grid at another place each step (as in C. Webb, Parallel computation
 * techniques for virtual acoustics and physical modelling synthesis, thesis, Edinburgh 2014). Here fixed
 * receivers of a run are placed every eighth of a wavelength at fmax along each leg of the walk. The field is
 * interpolated along the leg from eight of them (Lagrange, to .015 % at fmax, better below). So kernels are
 * unchanged, and every back end and any number of parts work. With four channels each place has its three
 * gradients too, integrated over time at that place (response.h).
 *
 * The 7-point scheme is used, which needs no warp, since time cannot be stretched while the listener walks.
 * Losses of the air are not possible: a run applies them to each response by the time of arrival.
 *
 * Memory: that of a run with so many receivers, without their rows; the drive, 8 bytes a step for each tap of
 * the source; the sound, 12 bytes a step and channel. A receiver costs some 64 reads a step. */
#ifndef SRC_WALK_STEPS_H
#define SRC_WALK_STEPS_H

#include "src/run/grid_run.h"
#include "src/run/walk/walk_sound.h"

/** Most receivers along a walk. */
#define WALK_RECEIVERS_MOST 10000

/** A room that is ready to be stepped. Start zeroed; walk_steps_free(). */
struct walk_steps {
    struct room_setup setup;
    struct room_estimate estimate;
    struct grid_run run;
    struct room_notices unheard; /* warnings of single places, of which there are hundreds */
    size_t channels;             /* 1, or AMBISONIC_CHANNELS */
    size_t *first;               /* (corners) first receiver of each leg, at the end the last; owned */
    size_t receivers;
    double (*place)[3];         /* (receivers) owned */
    struct option_place *asked; /* (receivers) the same, in the form of the request; owned */
};

/** Prepare room, air, receivers along the walk and engine, with all input checks.
 * @param request of the room, scheme standard, with its fmax (> 0) [Hz] and sources; its receivers are
 * replaced. A duration of the plan is that of the decay after the end of the source; 0: the room's own
 * FAILURE_INPUT for a walk through a wall or outside the air, with the place, or with more than
 * WALK_RECEIVERS_MOST places; failures of setting up a run. */
int walk_steps_prepare(const struct room_request *request, const struct walk_path *path, size_t channels,
                       struct walk_steps *out, struct failure *failure);
void walk_steps_free(struct walk_steps *steps);

/** One source's walk. FAILURE_SIMULATION, FAILURE_OUTPUT, FAILURE_CAPACITY as source_run(), and
 * FAILURE_INTERRUPTED after Ctrl-C: an incomplete walk has no result. */
int walk_steps_make(struct walk_steps *steps, const struct walk_path *path, size_t source,
                    struct dry_sound *dry, struct walk_sound *out, struct failure *failure);

#endif
