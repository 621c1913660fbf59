/** Plays a score in a room: a simulation (../simulation.h) that has drums in place of sources. They are added
 * to its model before it is voxelised, and struck while it is stepped.
 *
 *   play_request()  drums become surfaces and sources of the request, before room_setup_read()
 *   play_settle()   with the lattice known: membranes to the nearest face of its cells
 *   play_place()    with the grid known: membranes on it
 *   play_join()     with the engine: membranes become its port
 *   play_run()      steps, with checkpoints; u at every receiver
 *   play_write()    the pressure at every receiver [Pa], with directions where they are wanted
 *
 * u is the velocity potential (drum.h), so the directions follow without an integral: rho c grad u is the
 * pressure of a plane wave along each axis. With the gradients of links it has exactly the length of
 * rho u_t of the scheme (response_make_gradient()). Those of the isotropic scheme are fitted to k, and longer
 * by (k h)^2 / 24, .13 dB at fmax.
 *
 * Strokes change the system, so no warp can correct what is heard: the isotropic scheme is stepped with the
 * points per wavelength of the standard one (grid_request.drums). Its walls are fitted for responses that a
 * warp corrects (kernels/scheme/grid_wall.h); here their admittance is 2.5 % too small at fmax, in proportion
 * to f^2. */
#ifndef SRC_PLAY_H
#define SRC_PLAY_H

#include <cjson/cJSON.h>

#include "src/run/instruments/score.h"
#include "src/run/checkpoint/source_keep.h"
#include "src/run/grid_parts.h"

struct play_options;

struct play_sound {
    const char *name; /* of the receiver; borrowed */
    size_t frames;    /* at RESPONSE_RATE, 1 is 1 Pa */
    double peak;      /* [Pa] */
    double level;     /* of the root mean square over all of it [dB re 20 uPa] */
    double azimuth;   /* of the front of its directions [degrees] */
    const char *head; /* whose right ear it is, after its left one; NULL; borrowed */
};

/** Start zeroed with `asked`; owned: play_free(), after the simulation is freed. */
struct play {
    const struct play_options *asked; /* borrowed */
    struct score score;
    struct room_setup *setup;  /* borrowed */
    double air_density;        /* [kg/m3] */
    double duration;           /* [s] */
    struct mesh mesh;          /* of the drums */
    struct option_place *seed; /* (2 drums) above each membrane, with the drum's name, then below each: seeds
                                  of the room's air */
    struct option_texts hard;  /* options of absorption, with the drums' own */
    struct drum_site *site;    /* (drums) */
    struct drums *drums;
    const char *air_losses;          /* room_engine_air_losses() */
    struct source_progress progress; /* its rows are u, and gradients of u */
    double work, held;               /* work of the mallets, and energy at the end [J] */
    size_t sounds;
    struct play_sound *sound;  /* (sounds) */
    bool directional, at_ears; /* which files there are besides the mono ones */
    bool filmed;               /* set by the caller: strokes after the end are left out */
};

/** FAILURE_INPUT without drums or strokes, and for strokes after the end of the output. Outputs that a
 * project sets for its runs are left out, and what it says of sources. `auto` is the processors. */
int play_request(struct play *play, struct room_request *request, struct failure *failure);

/** Chooses the resolution. FAILURE_INPUT for a drum that is not within the box of the room around it. */
int play_settle(struct play *play, struct room_setup *setup, struct room_estimate *estimate,
                struct failure *failure);

/** Failures of drums_create(). The grid is whole. */
int play_place(struct play *play, struct failure *failure);

/** Failures of drums_join(). */
int play_join(struct play *play, struct engine *engine, struct failure *failure);

/** `run` is silent and has its engine; `keep` is started (source_keep_start()), or NULL. FAILURE_INTERRUPTED,
 * after its last checkpoint; failures of source_run(). */
int play_run(struct play *play, const struct grid_run *run, struct source_keep *keep,
             struct failure *failure);

/** heard_<receiver>.wav, and with directional receivers heard_<receiver>_ambix.wav and _binaural.wav. The
 * ears of a dummy head are two receivers, and are together in heard_<head>_binaural.wav. FAILURE_INTERRUPTED,
 * without a sentence, once interrupt_overdue(): after its last checkpoint. */
int play_write(struct play *play, const struct grid_run *run, struct source_keep *keep,
               struct output_folder *folder, struct failure *failure);

/** What was heard, in words. */
void play_print(const struct play *play, const char *folder);

/** In addition to the set-up: `play`, drums with their tuning and grid, strokes, sounds. */
void play_record(cJSON *object, const struct play *play);

/** For struct output_folder: files of an earlier `play`. */
bool play_name_is_ours(const char *name);
#define PLAY_RECORD_FILE "play.json"
#define PLAY_SOUND_NAME  "heard_%s%s.wav"

void play_free(struct play *play);

#endif
