/** Plays a score in a room: drums are added to its model before it is voxelised, and struck while it is
 * stepped.
 *
 *   play_request()  drums become surfaces and sources of the request, before room_setup_read()
 *   play_settle()   with the lattice known: membranes to the nearest face of its cells
 *   play_start()    with the grid known: engine, receivers, membranes
 *   play_run()      steps; the pressure at every receiver [Pa] */
#ifndef SRC_PLAY_H
#define SRC_PLAY_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "kernels/engine/engine.h"
#include "src/run/instruments/score.h"
#include "src/setup/room_setup.h"

struct play_sound {
    const char *name; /* of the receiver; borrowed */
    float *sample;    /* (frames) at RESPONSE_RATE, 1 is 1 Pa; owned */
    size_t frames;
    double peak;  /* [Pa] */
    double level; /* of the root mean square over all of it [dB re 20 uPa] */
};

/** Start zeroed with `score`; owned: play_free(). */
struct play {
    struct score score;
    struct room_setup *setup;  /* borrowed */
    double air_density;        /* [kg/m3] */
    double duration;           /* [s] */
    struct mesh mesh;          /* of the drums */
    struct option_place *seed; /* (2 drums) above and below each membrane, seeds of the room's air */
    struct option_texts hard;  /* options of absorption, with the drums' own */
    struct drum_site *site;    /* (drums) */
    struct engine *engine;
    struct drums *drums;
    uint64_t steps;
    double seconds;    /* time of stepping */
    double work, held; /* work of the mallets, and energy at the end [J] */
    size_t sounds;
    struct play_sound *sound; /* (sounds) */
};

/** FAILURE_INPUT without drums or strokes, and for unsupported input: several parts or processes, a bounding
 * box, strokes after the end of the output. `auto` is the processors. */
int play_request(struct play *play, struct room_request *request, double duration, struct failure *failure);

/** FAILURE_INPUT for a drum that is not within the box of the room around it. */
int play_settle(struct play *play, struct room_setup *setup, struct failure *failure);

/** Failures of engines and drums_create(). */
int play_start(struct play *play, double stored_nodes, struct failure *failure);

/** @param progress NULL: quiet
 * FAILURE_INTERRUPTED; FAILURE_SIMULATION where the field is not finite; FAILURE_CAPACITY. */
int play_run(struct play *play, FILE *progress, struct failure *failure);

/** In addition to the set-up: `play`, drums with their tuning and grid, strokes, sounds. */
void play_record(cJSON *object, const struct play *play);

/** For struct output_folder: files of an earlier `play`. */
bool play_name_is_ours(const char *name);
#define PLAY_RECORD_FILE "play.json"
#define PLAY_SOUND_NAME  "heard_%s.wav"

void play_free(struct play *play);

#endif
