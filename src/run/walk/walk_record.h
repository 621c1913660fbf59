/** Reports a walk: walk.json, and lines of words. */
#ifndef SRC_WALK_RECORD_H
#define SRC_WALK_RECORD_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "src/base/json_table.h"
#include "src/base/options/options.h"
#include "src/response/signal/loudness.h"
#include "src/run/walk/walk_path.h"

/* walk.json; absence as stated in its table. */

struct walked_dry {
    char *name;
    double rate, seconds, times; /* [Hz], [s], number of repetitions */
};

struct walked_file {
    char *file, *source, *kind;
    double channels, seconds, gain, loudness, true_peak; /* .., [s], [dB], [LUFS], [dBFS] */
    char *loudness_why;
};

struct walked {
    char *program, *version, *command;
    struct json_texts arguments;
    char *run, *method, *look;
    struct json_points path;             /* [m] */
    double speed, length, seconds, fmax; /* [m/s], [m], [s], [Hz] */
    double responses,
        farthest; /* used for interpolation: their number, largest distance to the nearest [m] */
    double receivers, spacing, rate; /* of a room that was stepped: along the walk, .. [m], [Hz] */
    char *air;
    struct walked_dry *dry;
    char *level;
    double gain; /* [dB] */
    JSON_LIST_OF(struct walked_file) files;
};

extern const struct json_table walked_table;

/** One file that was made; texts are borrowed. */
struct walk_made {
    const char *name, *source, *kind;
    size_t channels;
    double seconds, gain;
    struct loudness loudness; /* of the written file */
};

/** Borrows; NaN for facts of the other kind of walk. */
struct walk_told {
    const struct options *options;
    const char *run;
    bool stepped, no_air; /* the losses of the air are left out */
    const struct walk_path *path;
    double fmax, responses, farthest, receivers, spacing, rate;
    const char *dry;
    double dry_rate, dry_seconds, dry_times, gain;
    size_t files;
    const struct walk_made *file;
};

/** Owned by the caller; NULL without memory. */
cJSON *walk_record(const struct walk_told *told);
void walk_print(FILE *stream, const struct walk_told *told);

#endif
