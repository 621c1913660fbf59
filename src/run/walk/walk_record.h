/** Reports a walk: walk.json, and lines of words. */
#ifndef SRC_WALK_RECORD_H
#define SRC_WALK_RECORD_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "geometry/base/whole_file.h"
#include "src/base/options/options.h"
#include "src/listen/dry_sound.h"
#include "src/response/signal/loudness.h"
#include "src/run/walk/walk_path.h"

/** One file that was made. */
struct walk_file {
    char name[OPTION_NAME_MAX + 32]; /* walk_<source>.wav, _ambix, _binaural */
    const char *source, *kind;       /* borrowed */
    size_t frames, channels;
    const float *sample; /* (frames, channels) at 48 kHz; borrowed */
    struct loudness loudness;
    struct whole_file content; /* settled; owned */
};

/** Borrows. NaN for facts of the other kind of walk. */
struct walk_summary {
    const struct options *options;
    const char *run;
    bool stepped, no_air;                  /* no_air: without losses of the air */
    bool rays;                             /* above the waves, in the responses */
    const struct walk_path *path, *sounds; /* of the listener; of the source, NULL: it stands */
    double source_places;                  /* of its taps */
    double fmax;                           /* [Hz] */
    double responses, farthest;            /* their number; largest distance to the nearest one [m] */
    double receivers, spacing;             /* of a room that was stepped: along the walk; of its grid [m] */
    double rate;                           /* of its steps [Hz] */
    const char *dry_name;
    const struct dry_sound *dry;
    size_t dry_times; /* number of repetitions */
    double gain;      /* (-) */
    size_t files;
    const struct walk_file *file;
};

/** The content of walk.json, owned by the caller. */
cJSON *walk_record(const struct walk_summary *walk);
void walk_print(FILE *stream, const struct walk_summary *walk);

#endif
