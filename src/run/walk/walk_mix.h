/** Data of a walk through responses: places, weights, gains; only for the files of walk_responses.h. */
#ifndef SRC_WALK_MIX_H
#define SRC_WALK_MIX_H

#include <signal.h>

#include "src/response/signal/fourier.h"
#include "src/run/walk/walk_field.h"
#include "src/run/walk/walk_sound.h"

#define WALK_NEAREST 4
#define WALK_PARTS   2     /* of a response: the early part, and the rest */
#define WALK_BANDS   9     /* at most */
#define WALK_LOOKS   100.0 /* updates of weights and gains in a second */

/** The places around the listener, and their weights. */
struct walk_near {
    size_t count, station[WALK_NEAREST];
    double weight[WALK_NEAREST];
    double distance; /* of the listener from the source [m] */
    double late;     /* delay of the sound relative to the straight line [s] */
};

/** One response at the low rate. */
struct walk_loaded {
    bool used;
    double distance, onset; /* from the source [m]; [s] */
    size_t frames;
    float *part[WALK_PARTS];          /* (frames, channels) owned */
    double complex *line[WALK_PARTS]; /* (lines / 2 + 1) of the first channel, its direct sound at time 0;
                                        owned, NULL once gains are known */
};

/** Start zeroed; freed by the maker. */
struct walk_mix {
    const struct walk_field *field;
    const struct walk_path *path;
    double rate;
    size_t channels, bands, longest; /* .., .., frames of the longest response */
    struct walk_loaded *loaded;      /* (stations) owned */
    size_t looks;
    struct walk_near *near; /* (looks) owned */
    float *gain;            /* (looks, WALK_PARTS, bands) owned */
    struct fourier lines;   /* of the products of responses; owned */
    float *line_share;      /* as walk_band_shares(), of these; owned */
    double
        *product; /* (stations, stations, WALK_PARTS, bands) of used stations, NaN: not yet computed; owned */
    size_t *number; /* (stations) index among used ones; owned */
    size_t used;
    float *sinc; /* (SINC_PHASES + 1, 2 SINC_HALF) owned */
};

/** Bands: below 88 Hz, octaves from there on, and the rest above the last edge; at a rate of `rate` [Hz]. */
size_t walk_bands(double rate);

/** The share that each has of all lines of a transform, adding up to 1 at each: (length / 2 + 1, bands),
 * owned by the caller. FAILURE_CAPACITY. */
int walk_band_shares(const struct walk_mix *mix, size_t length, float **out, struct failure *failure);

/** mix->gain of all looks, from the responses that are loaded (walk_octaves.c). FAILURE_CAPACITY. */
int walk_find_gains(struct walk_mix *mix, struct failure *failure);

/** The sum of all, block by block, into the frames of `out`, which are 0 (walk_blocks.c). FAILURE_CAPACITY,
 * FAILURE_INTERRUPTED. */
int walk_make_blocks(struct walk_mix *mix, const double *dry, size_t dry_count,
                     const volatile sig_atomic_t *stop, struct walk_sound *out, struct failure *failure);

#endif
