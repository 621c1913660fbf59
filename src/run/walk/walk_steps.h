/** Renders a walk through a room while it is stepped: the source plays the dry sound, and the receiver moves,
 * or both do.
 *
 * A moving receiver would read the grid at another place each step (as in C. Webb, Parallel computation
 * techniques for virtual acoustics and physical modelling synthesis, thesis, Edinburgh 2014). Here fixed
 * receivers of a run are placed every eighth of a wavelength at fmax along each leg of the walk. The field is
 * interpolated along the leg from eight of them (Lagrange, to .015 % at fmax, better below). So kernels are
 * unchanged, and every back end and any number of parts work. With four channels each place has its three
 * gradients too, integrated over time at that place (response.h).
 *
 * A source that moves is the adjoint of that: fixed taps stand as densely along its way, and each plays the
 * sound times its weight of the same interpolation at that time. The weights are polynomials that join
 * without a jump, so that nothing clicks; the sum of the taps is one source at x_s(t), to the same .015 %.
 *
 * The monopole is one of volume velocity, as a small loudspeaker that is carried (Morse & Ingard, Theoretical
 * Acoustics, ch. 11.2): p_tt / c^2 - Laplacian p = d/dt (F(t) delta(x - x_s(t))), with dF/dt = 4 pi times the
 * dry sound, which is the pressure at 1 m of a source at rest. By delta(g(tau)) = sum delta(tau - tau_e) /
 * |g'(tau_e)|, in free field
 *
 *   p(t) = d/dt (F / (4 pi R (1 - M_R)))   F, R, M_R = V cos(angle) / c at the emission tau_e = t - R / c,
 *
 * which for uniform motion is F' / (4 pi R (1 - M_R)^2) + F c (M_R - M^2) / (4 pi R^2 (1 - M_R)^3): frequency
 * and level rise when it comes nearer. (A source of volume acceleration would have F' / (4 pi R (1 - M_R))
 * alone.) F is a running sum through the 10 Hz high-pass of integrator.h, so that this sound has passed it
 * twice.
 *
 * At a corner and at the end of its way M_R jumps, and by this formula F makes a step: a click of about 2
 * fmax / (2 pi f) times that jump, relative to a tone of f.
 *
 * The 7-point scheme is used, which needs no warp, since time cannot be stretched while the listener walks.
 * The air loses sound within the steps (room_engine_lose_in_air()).
 *
 * Memory: that of a run with so many receivers, without their rows; the drive, 8 bytes a step for each tap of
 * the source (of one that moves for nine, since the others are silent then); the sound, 12 bytes a step and
 * channel. A receiver costs some 64 reads a step. */
#ifndef SRC_WALK_STEPS_H
#define SRC_WALK_STEPS_H

#include "src/run/grid_run.h"
#include "src/run/walk/walk_sound.h"

/** Most receivers along a walk, or taps along that of a source. */
#define WALK_RECEIVERS_MOST 10000

/** Fixed places along a walk. */
struct walk_line {
    const struct walk_path *path; /* borrowed */
    size_t *first;                /* (corners) first place of each leg, at the end the last; owned */
    size_t places;
};

/** A room that is ready to be stepped. Start zeroed; walk_steps_free(). */
struct walk_steps {
    struct room_setup setup;
    struct room_estimate estimate;
    struct grid_run run;
    struct room_notices unheard; /* warnings of single places, of which there are hundreds */
    size_t channels;             /* 1, or AMBISONIC_CHANNELS */
    struct walk_line heard;      /* receivers */
    struct walk_line sounds;     /* taps of a source that moves, else empty */
    struct option_place *asked;  /* (heard.places + sounds.places) owned */
};

/** Prepare room, air, receivers along the walk and engine, with all input checks.
 * @param path    of the listener; borrowed until walk_steps_free()
 * @param sounds  of the source, likewise, or NULL: each stands at its place
 * @param request of the room, scheme standard, with its fmax (> 0) [Hz] and sources; its receivers are
 * replaced. A duration of the plan is that of the decay after the end of the source; 0: the room's own
 * FAILURE_INPUT for a walk through a wall or outside the air, with the place, or with more than
 * WALK_RECEIVERS_MOST places, or of a source and a listener who meet; failures of setting up a run. */
int walk_steps_prepare(const struct room_request *request, const struct walk_path *path,
                       const struct walk_path *sounds, size_t channels, struct walk_steps *out,
                       struct failure *failure);
void walk_steps_free(struct walk_steps *steps);

/** The walk with one source, which the sound of one that moves is named after. FAILURE_SIMULATION,
 * FAILURE_OUTPUT, FAILURE_CAPACITY as source_run(), and FAILURE_INTERRUPTED after Ctrl-C: an incomplete walk
 * has no result. */
int walk_steps_make(struct walk_steps *steps, size_t source, struct dry_sound *dry, struct walk_sound *out,
                    struct failure *failure);

#endif
