/** A walk through a room while it is stepped: the source plays the dry sound, and what is read moves.
 *
 * A receiver that moves reads the grid between its nodes, another place each step (as the moving outputs of
 * C. Webb, Parallel computation techniques for virtual acoustics and physical modelling synthesis, thesis,
 * Edinburgh 2014, do). Here it is read through receivers that stand still, as all receivers of a run do and
 * with their care near walls, one every eighth of a wavelength at fmax along each leg of the walk; between
 * eight of them the field is interpolated along the leg (Lagrange, to .015 % at fmax, better below). So no
 * kernel knows of it, and every back end and any number of parts will do. With four channels each place has
 * its three gradients too, integrated over time where it stands (response.h), before the listener moves on.
 *
 * The 7-point scheme, whose sound needs no warp, since time cannot be stretched while the listener walks.
 * What it cannot have is losses of the air, which a run puts on each response by its age.
 *
 * Memory: that of a run with so many receivers, of which no row is kept; the drive, 8 bytes a step for each
 * tap of the source; what is heard, 12 bytes a step and channel. A receiver costs some 64 reads a step.
 */
#ifndef SRC_WALK_STEPS_H
#define SRC_WALK_STEPS_H

#include "src/run/grid_run.h"
#include "src/walk/walk_sound.h"

/** Receivers along a walk at most. */
#define WALK_RECEIVERS_MOST 10000

/** A room that is ready to be stepped. Start zeroed; walk_steps_free(). */
struct walk_steps {
    struct room_setup setup;
    struct room_estimate estimate;
    struct grid_run run;
    struct room_notices unheard; /* warnings of single places, of which there are hundreds */
    size_t channels;             /* 1, or AMBISONIC_CHANNELS */
    size_t *first;               /* (corners) of each leg its first receiver, at the end the last; owned */
    size_t receivers;
    double (*place)[3];         /* (receivers) owned */
    struct option_place *asked; /* (receivers) the same, as the request has it; owned */
};

/** Room, air, receivers along the walk, engine: everything that can be refused.
 * @param request of the room, scheme standard, with its fmax (> 0) [Hz] and sources; its receivers are
 * replaced. A duration of the plan is that of what still sounds when the source has ended; 0: the room's own
 * FAILURE_INPUT for a walk through a wall or outside the air, with the place, or with more than
 * WALK_RECEIVERS_MOST places; failures of setting up a run. */
int walk_steps_prepare(const struct room_request *request, const struct walk_path *path, size_t channels,
                       struct walk_steps *out, struct failure *failure);
void walk_steps_free(struct walk_steps *steps);

/** One source's walk. FAILURE_SIMULATION, FAILURE_OUTPUT, FAILURE_CAPACITY as source_run(), and
 * FAILURE_INTERRUPTED after Ctrl-C: nothing is made of a part of a walk. */
int walk_steps_make(struct walk_steps *steps, const struct walk_path *path, size_t source,
                    struct dry_sound *dry, struct walk_sound *out, struct failure *failure);

#endif
